//! How patches are dealt to the threads of gangs: which one a thread takes.
//!
//! ```text
//! · · · · | · · · ·       a gang's tile: 256 patches, those of a warp side by side in a row where a row has so many
//! · · · · | · · · ·       tiles of a row, then those below
//! ```
//!
//! All of it is computed in 32 bits where every dimension and the number of tiles have room in them, and in 64 out of line: it stands before the
//! first load of every thread, which waits for it.

use accrue_ptx::writer::{Class, Function, Reg};
use accrue_ptx::{emit, value};

use super::emitter::Emitter;
use super::patches::Patches;

/// Threads of a gang that takes patches of several columns.
pub(super) const STRIPS: u32 = 256;

/// Threads of a gang, as a power of two.
const BITS: u32 = STRIPS.trailing_zeros();

/// The patches of a launch.
#[derive(Clone)]
pub(super) enum Cut {
    /// Of one column: how many there are in every dimension.
    Columns(Vec<Reg>),
    Tiles(Tiles),
}

/// A gang's patches: over the innermost dimension and another one.
#[derive(Clone)]
pub(super) struct Tiles {
    /// Columns that the first patch of a row starts before it.
    pub(super) before: Reg,
    dim: usize,
    /// Patches of a row and rows, as powers of two.
    bits: Reg,
    rest: Reg,
    across: bool,
    /// How a patch has rows and columns, as powers of two, and the dimension of the rows.
    sides: (u32, u32, usize),
    /// Whether 32 bits are enough, and how many there are if so.
    narrow: Reg,
    counts: Counts,
}

/// How many patches there are in every dimension, and how many tiles over the other dimension and over the innermost.
#[derive(Clone)]
struct Counts {
    patches: Vec<Reg>,
    tiles: [Reg; 2],
}

/// In how many bits positions are computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Narrow,
    Wide,
}

impl Width {
    /// An operation on numbers without a sign.
    fn unsigned(self, operation: &str) -> String {
        match self {
            Width::Narrow => format!("{operation}.u32"),
            Width::Wide => format!("{operation}.u64"),
        }
    }

    /// An operation on bits.
    fn bits(self, operation: &str) -> String {
        match self {
            Width::Narrow => format!("{operation}.b32"),
            Width::Wide => format!("{operation}.b64"),
        }
    }

    /// A number in 64 bits in so many.
    fn of(self, f: &mut Function, wide: Reg) -> Reg {
        match self {
            Width::Narrow => value!(f, "low", "cvt.u32.u64", wide),
            Width::Wide => wide,
        }
    }

    /// A number in 32 bits in so many.
    fn from(self, f: &mut Function, narrow: Reg) -> Reg {
        match self {
            Width::Narrow => narrow,
            Width::Wide => value!(f, "wide", "cvt.u64.u32", narrow),
        }
    }
}

impl Emitter<'_> {
    /// How many patches there are, in how many tiles of a gang, and how many iterations of the loop over patches that makes.
    pub(super) fn cut_patches(&mut self, patches: &Patches) -> Reg {
        let shape = patches.shape;
        if patches.columns.is_none() {
            let mut counts = self.inputs.counts.clone();
            let f = self.f();
            let more = value!(f, "more", "add.u64", counts[shape.dim], shape.rows - 1);
            let bits = shape.rows.trailing_zeros();
            counts[shape.dim] = value!(f, "patches", "shr.u64", more, bits);
            let all = counts.clone().into_iter();
            let all = all.reduce(|all, count| value!(f, "patches", "mul.lo.u64", all, count));
            self.cut = Some(Cut::Columns(counts));
            return all.expect("a loop has a dimension");
        }
        let before = self.columns_before(patches);
        let last = self.inputs.counts.len() - 1;
        let counts = self.inputs.counts.clone();
        let f = self.f();
        let either = counts.into_iter();
        let either = either.reduce(|all, count| value!(f, "either", "or.b64", all, count));
        let either = either.expect("a loop has a dimension");
        let high = value!(f, "high", "shr.u64", either, 31);
        let narrow = value!(f, "narrow", "setp.eq.u64", high, 0);
        let (bits, rest) = (f.reg(Class::B32, "bits"), f.reg(Class::B32, "bits"));
        let all = f.reg(Class::B64, "patches");
        let mut tiles = Tiles {
            before,
            dim: match shape.across {
                true => shape.dim,
                false => last - 1,
            },
            bits,
            rest,
            across: shape.across,
            sides: (
                shape.rows.trailing_zeros(),
                shape.columns.trailing_zeros(),
                shape.dim,
            ),
            narrow,
            counts: Counts {
                patches: Vec::new(),
                tiles: [bits, bits],
            },
        };
        tiles.counts = self.count_tiles(&tiles, Width::Narrow, Some(all));
        let f = self.f();
        if last > 1 {
            // Of two dimensions there cannot be as many.
            let few = value!(f, "narrow", "setp.lt.u64", all, 1i64 << (32 + BITS));
            emit!(f, "and.pred", narrow, narrow, few);
        }
        let (large, counted) = (f.label("large"), f.label("counted"));
        f.branch_if(narrow, false, large);
        f.place(counted);
        f.open_out_of_line();
        f.place(large);
        self.count_tiles(&tiles, Width::Wide, Some(all));
        let f = self.f();
        f.branch(counted, false);
        f.close_out_of_line();
        self.cut = Some(Cut::Tiles(tiles));
        all
    }

    /// Counts patches and tiles, and where that is wanted what a gang's tile is like and how many iterations there are in `all`.
    fn count_tiles(&mut self, tiles: &Tiles, width: Width, all: Option<Reg>) -> Counts {
        let mut counts = self.inputs.counts.clone();
        let last = counts.len() - 1;
        let (rows, columns, dim) = tiles.sides;
        let f = self.f();
        for count in &mut counts {
            *count = width.of(f, *count);
        }
        let before = width.of(f, tiles.before);
        counts[last] = value!(f, "from", width.unsigned("add"), counts[last], before);
        for (at, bits) in [(last, columns), (dim, rows)] {
            let more = value!(
                f,
                "more",
                width.unsigned("add"),
                counts[at],
                (1i64 << bits) - 1
            );
            counts[at] = value!(f, "patches", width.unsigned("shr"), more, bits);
        }
        if all.is_some() {
            match tiles.across {
                true => f.assign(tiles.bits, BITS / 2),
                false => {
                    // A warp takes rows of fewer patches together.
                    let few = value!(f, "few", width.unsigned("min"), counts[last], 32);
                    let few = match width {
                        Width::Narrow => few,
                        Width::Wide => value!(f, "few", "cvt.u32.u64", few),
                    };
                    let few = value!(f, "few", "sub.u32", few, 1);
                    let zeros = value!(f, "zeros", "clz.b32", few);
                    emit!(f, "sub.u32", tiles.bits, 32, zeros);
                }
            }
            emit!(f, "sub.u32", tiles.rest, BITS, tiles.bits);
        }
        let number = |f: &mut Function, count: Reg, bits: Reg| {
            let one = value!(f, "one", width.unsigned("mov"), 1);
            let size = value!(f, "size", width.bits("shl"), one, bits);
            let more = value!(f, "more", width.unsigned("add"), count, size);
            let more = value!(f, "more", width.unsigned("sub"), more, 1);
            value!(f, "tiles", width.unsigned("shr"), more, bits)
        };
        let of_tiles = [
            number(f, counts[tiles.dim], tiles.rest),
            number(f, counts[last], tiles.bits),
        ];
        if let Some(all) = all {
            let product = match width {
                Width::Narrow => "mul.wide.u32",
                Width::Wide => "mul.lo.u64",
            };
            let mut product = value!(f, "tiles", product, of_tiles[0], of_tiles[1]);
            for (at, count) in counts.iter().enumerate() {
                if at != last && at != tiles.dim {
                    let count = match width {
                        Width::Narrow => value!(f, "wide", "cvt.u64.u32", *count),
                        Width::Wide => *count,
                    };
                    product = value!(f, "tiles", "mul.lo.u64", product, count);
                }
            }
            emit!(f, "shl.b64", all, product, BITS);
        }
        Counts {
            patches: counts,
            tiles: of_tiles,
        }
    }

    /// The patch of every dimension, of one that a thread takes. Those behind the end are no patches.
    pub(super) fn patch(&mut self, item: Reg, tiles: &Tiles) -> Vec<Reg> {
        let f = self.f();
        let thread = value!(f, "thread", "cvt.u32.u64", item);
        let thread = value!(f, "thread", "and.b32", thread, STRIPS - 1);
        let number = value!(f, "tile", "shr.u64", item, BITS);
        let (left, top) = match tiles.across {
            true => {
                // 4 columns of 8 rows, and 4 by 2 of these.
                let low = value!(f, "left", "and.b32", thread, 3);
                let high = value!(f, "left", "shr.u32", thread, 3);
                let high = value!(f, "left", "and.b32", high, 12);
                let left = value!(f, "left", "or.b32", low, high);
                let low = value!(f, "top", "shr.u32", thread, 2);
                let low = value!(f, "top", "and.b32", low, 7);
                let high = value!(f, "top", "shr.u32", thread, 4);
                let high = value!(f, "top", "and.b32", high, 8);
                (left, value!(f, "top", "or.b32", low, high))
            }
            false => {
                let top = value!(f, "top", "shr.u32", thread, tiles.bits);
                let above = value!(f, "above", "shl.b32", top, tiles.bits);
                (value!(f, "left", "sub.u32", thread, above), top)
            }
        };
        let dims = self.inputs.counts.len();
        let f = self.f();
        let positions: Vec<Reg> = (0..dims).map(|_| f.reg(Class::B64, "patch")).collect();
        let (large, dealt) = (f.label("large"), f.label("dealt"));
        f.branch_if(tiles.narrow, false, large);
        let counts = tiles.counts.clone();
        let at = (number, left, top);
        self.patch_in(tiles, &counts, Width::Narrow, at, &positions);
        let f = self.f();
        f.place(dealt);
        f.open_out_of_line();
        f.place(large);
        let counts = self.count_tiles(tiles, Width::Wide, None);
        self.patch_in(tiles, &counts, Width::Wide, at, &positions);
        let f = self.f();
        f.branch(dealt, false);
        f.close_out_of_line();
        positions
    }

    fn patch_in(
        &mut self,
        tiles: &Tiles,
        counts: &Counts,
        width: Width,
        (number, left, top): (Reg, Reg, Reg),
        positions: &[Reg],
    ) {
        let last = positions.len() - 1;
        let next = self.item.next;
        let f = self.f();
        // Outermost last, which takes what is left.
        let others = (0..last).rev().filter(|dim| *dim != tiles.dim);
        let inner = [(last, counts.tiles[1]), (tiles.dim, counts.tiles[0])];
        let all: Vec<(usize, Reg)> = inner
            .into_iter()
            .chain(others.map(|dim| (dim, counts.patches[dim])))
            .collect();
        let mut rest = width.of(f, number);
        let mut found = vec![rest; last + 1];
        for (n, &(dim, count)) in all.iter().enumerate() {
            found[dim] = rest;
            if n + 1 < all.len() {
                found[dim] = value!(f, "inner", width.unsigned("rem"), rest, count);
                rest = value!(f, "outer", width.unsigned("div"), rest, count);
            }
        }
        for (dim, bits, within) in [(last, tiles.bits, left), (tiles.dim, tiles.rest, top)] {
            let within = width.from(f, within);
            let first = value!(f, "first", width.bits("shl"), found[dim], bits);
            found[dim] = value!(f, "patch", width.unsigned("add"), first, within);
            let beyond = value!(
                f,
                "beyond",
                width.unsigned("setp.ge"),
                found[dim],
                counts.patches[dim]
            );
            f.branch_if(beyond, true, next);
        }
        for (position, found) in positions.iter().zip(found) {
            match width {
                Width::Narrow => emit!(f, "cvt.u64.u32", *position, found),
                Width::Wide => f.assign(*position, found),
            }
        }
    }
}
