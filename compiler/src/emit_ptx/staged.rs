//! Staged loops: nests in which many iterations read the same elements, or in which what one reads lies apart from what its neighbour
//! reads, found in a loop's body.
//!
//! ```text
//! for i in 0..n { for j in 0..m { for k in 0..l { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } }      contract: blocks of i and j
//! for i in 0..n { for k in 0..m { sum += a[i * m + k] * x[k]; } y[i] = sum; }                             reduce: blocks of i
//! ```
//!
//! A gang takes a block of iterations. What they read at a position of the inner loop depends on `i` and `k`, on `j` and `k`, or on `k` alone: blocks
//! of that come into shared memory, with neighbouring threads at neighbouring elements, and each thread goes through the positions of its own
//! iterations, in order. Every sum is the sequential loop's, bit for bit. The kernel around it is in [`contract`](super::contract).
//!
//! Everything that is read or written up to the inner loop's end has an index that is a sum of positions times what the call knows, so that
//! one comparison of the last element of all with the array's length stands for all of them.

use accrue_ptx::abi::Strategy;
use accrue_ptx::cut::{Cut, CutWish};

use super::reader::{Found, Positions, Read, Reader, Role, size_of, slot};
use super::tensor::{Sum, sum_of};
use crate::ir::{ExprKind, ForLoop, Literal, Loop, Scalar, Stmt, StmtKind};

/// How iterations are cut into blocks, and a block among the threads of a gang.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    /// Threads of a gang.
    pub(super) threads: u32,
    /// Iterations of a block along `i` and along `j`.
    pub(super) block: [u32; 2],
    /// Iterations of a thread along each.
    pub(super) each: [u32; 2],
    /// Positions of the inner loop that are staged at a time.
    pub(super) depth: u32,
    /// Positions whose bodies are printed one behind the other.
    pub(super) unroll: u32,
    /// Whether the next positions are loaded while these are computed.
    pub(super) prefetch: bool,
    /// What products are added to by the tensor cores, where they are.
    pub(super) sum: Option<Sum>,
    /// Positions that the inner loop has at least, for all of this to be worth it.
    pub(super) least: u32,
}

impl Tile {
    fn new(cut: Cut, least: u32) -> Tile {
        let [rows, columns, depth] = cut.tile;
        Tile {
            threads: cut.threads(),
            block: [rows, columns],
            each: cut.per_thread,
            depth,
            unroll: cut.unroll,
            prefetch: cut.prefetch,
            sum: None,
            least,
        }
    }

    /// As `explain` shows it.
    pub(super) fn cut(&self) -> Cut {
        Cut {
            tile: [self.block[0], self.block[1], self.depth],
            per_thread: self.each,
            unroll: self.unroll,
            prefetch: self.prefetch,
            tensor: self.sum.is_some(),
        }
    }
}

/// How an operand lies in shared memory: bytes from its elements at one position to those at the next, from one element to the next, and of all
/// that is staged of it at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pitch {
    pub(super) position: u32,
    pub(super) element: u32,
    pub(super) bytes: u32,
}

/// A loop in blocks.
pub(super) struct Staged<'a> {
    pub(super) strategy: Strategy,
    /// What stands before the inner loop.
    pub(super) before: &'a [Stmt],
    pub(super) inner: &'a ForLoop,
    /// What stands behind it.
    pub(super) behind: &'a [Stmt],
    pub(super) found: Vec<Found<'a>>,
    /// Which dimension `i` is, and which `j` is, where there is one.
    pub(super) i: usize,
    pub(super) j: Option<usize>,
    pub(super) tile: Tile,
    /// Words that a thread keeps of its iterations through the inner loop.
    words: u32,
    pub(super) reader: Reader<'a>,
}

/// Bytes of shared memory that a kernel declares, at most.
const MOST_SHARED: u32 = 40 << 10;

/// For loops that large blocks leave multiprocessors idle in.
const SMALL: Cut = Cut {
    tile: [32, 32, 16],
    per_thread: [2, 2],
    unroll: 4,
    prefetch: true,
    tensor: false,
};

/// For products by tensor cores.
const TENSOR: Cut = Cut {
    tile: [64, 64, 16],
    per_thread: [4, 8],
    unroll: 16,
    prefetch: true,
    tensor: true,
};

/// What the positions of a stage are printed for at most, one behind the other, in expressions of all iterations of a thread: a product's sixteen are
/// 512 fused instructions, and 5 to 9 % faster than four at a time (H200, 2026-11-30, docs/measurements/gpu.md).
const MOST_UNROLLED: u32 = 3 << 10;

/// Words that a thread keeps of its iterations through the inner loop, at most.
const MOST_WORDS: u32 = 64;

impl<'a> Staged<'a> {
    /// A loop in blocks, if it has the form: in blocks as they are asked for, or in large ones and in small ones.
    pub(super) fn all(lp: &'a Loop, wish: &CutWish, contract: bool) -> Vec<Staged<'a>> {
        let dims = lp.space.len();
        let forms = [
            (dims.checked_sub(2), Some(dims - 1)),
            (Some(dims - 1), None),
        ];
        let found = Read::of(lp).and_then(|read| {
            forms
                .into_iter()
                .find_map(|(i, j)| Some((i?, j, tiles(&read, i?, j, wish, contract)?)))
        });
        let Some((i, j, tiles)) = found else {
            return Vec::new();
        };
        let tiles = tiles.into_iter();
        let all = tiles.filter_map(|tile| Staged::of(Read::of(lp)?, i, j, tile));
        all.collect()
    }

    fn of(
        read: Read<'a>,
        i: usize,
        j: Option<usize>,
        (tile, words): (Tile, u32),
    ) -> Option<Staged<'a>> {
        let strategy = match j {
            Some(_) => Strategy::Contract,
            None => Strategy::Reduce,
        };
        (words <= MOST_WORDS).then_some(Staged {
            strategy,
            before: read.before,
            inner: read.inner,
            behind: read.behind,
            found: read.found,
            i,
            j,
            tile,
            words,
            reader: read.reader,
        })
    }

    /// What is staged.
    pub(super) fn operands(&self) -> impl Iterator<Item = (usize, &Found<'a>)> {
        let numbered = self.found.iter().enumerate();
        numbered.filter(|(_, found)| found.role == Role::Staged)
    }

    /// Along which of the two an operand has several elements at a position: 0 for `i`, 1 for `j`.
    pub(super) fn side(&self, found: &Found<'_>) -> Option<usize> {
        side(found.on, self.i, self.j)
    }

    /// How an operand lies in shared memory.
    pub(super) fn pitch(&self, found: &Found<'_>) -> Pitch {
        pitch(found, side(found.on, self.i, self.j), &self.tile)
    }

    /// Bytes of shared memory: of a stage, of which there are two.
    pub(super) fn stage(&self) -> u32 {
        self.operands()
            .map(|(_, found)| self.pitch(found).bytes)
            .sum()
    }

    /// Bytes of shared memory of all stages: of the one that is used, and of the next where it is loaded meanwhile.
    pub(super) fn stages(&self) -> u32 {
        (1 + u32::from(self.tile.prefetch)) * self.stage()
    }

    /// Bytes of shared memory of a gang: its stages, and the number of its block.
    pub(super) fn shared(&self) -> u32 {
        self.stages() + 8
    }

    /// Gangs that a multiprocessor is to hold at a time, as far as their registers are concerned: four warps for each of its parts hide what
    /// a stage waits for, where what a thread keeps fits half of its registers.
    pub(super) fn resident(&self) -> u32 {
        const MOST_THREADS: u32 = 512;
        const REGISTERS: u32 = 128;
        const OTHERS: u32 = 26;
        let staged = self.operands().map(|(_, found)| {
            let side = self.side(found);
            let words = slot(found.ty) / 4;
            let extent = side.map_or(1, |side| self.tile.block[side]);
            let loads = (extent * self.tile.depth).div_ceil(self.tile.threads);
            let parts = side.map_or(1, |side| self.tile.each[side]);
            loads * (2 + words) + parts * words
        });
        let needs = OTHERS + self.words + staged.sum::<u32>();
        match needs <= REGISTERS {
            // A gang of more threads is alone.
            true => (MOST_THREADS / self.tile.threads).max(1),
            false => 1,
        }
    }

    /// Whether a statement before the inner loop declares what is part of an index.
    pub(super) fn is_index(&self, stmt: &'a Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let(var, Some(value)) => {
                self.reader.lets.contains_key(var) && self.reader.line(value).is_some()
            }
            _ => false,
        }
    }

    /// Iterations that a gang is worth: those of a block, or fewer, so that the loop as it is written has threads enough, too.
    pub(super) fn share(&self) -> u32 {
        const EACH: u32 = 16;
        self.items().min(EACH * self.tile.threads)
    }

    /// Iterations of a block.
    pub(super) fn items(&self) -> u32 {
        self.tile.block[0] * self.tile.block[1]
    }
}

fn side(on: Positions, i: usize, j: Option<usize>) -> Option<usize> {
    if on >> i & 1 == 1 {
        return Some(0);
    }
    j.is_some_and(|j| on >> j & 1 == 1).then_some(1)
}

/// Elements that a thread loads from shared memory at a time, of those that it has along a side.
pub(super) fn width(ty: Scalar, each: u32) -> u32 {
    (16 / slot(ty)).min(each)
}

fn pitch(found: &Found<'_>, side: Option<usize>, tile: &Tile) -> Pitch {
    let size = slot(found.ty);
    let Some(side) = side else {
        return Pitch {
            position: size,
            element: 0,
            bytes: (size * tile.depth).next_multiple_of(16),
        };
    };
    if tile.sum.is_some() {
        // Rows of what neighbours load together, and of the threads of a warp beside each other, lie in other banks.
        const PADDING: u32 = 4;
        let (position, element) = match found.along {
            true => (size, (tile.depth + PADDING) * size),
            false => ((tile.block[side] + PADDING) * size, size),
        };
        return Pitch {
            position,
            element,
            bytes: (position * tile.depth).max(element * tile.block[side]),
        };
    }
    if tile.each == [1, 1] {
        // A thread has one element at a position, and loads those of several positions at a time.
        let element = size * tile.depth + 16;
        return Pitch {
            position: size,
            element,
            bytes: (element * tile.block[side]).next_multiple_of(16),
        };
    }
    // What is loaded along the positions is stored across them: neighbours come into different banks so.
    let padding = match found.along {
        true => width(found.ty, tile.each[side]),
        false => 0,
    };
    let position = (tile.block[side] + padding) * size;
    Pitch {
        position,
        element: size,
        bytes: (position * tile.depth).next_multiple_of(16),
    }
}

/// How a loop is cut, with `i` and `j` as these dimensions, and words of a thread; `None` where it cannot be, or gains nothing.
fn tiles(
    read: &Read<'_>,
    i: usize,
    j: Option<usize>,
    wish: &CutWish,
    contract: bool,
) -> Option<Vec<(Tile, u32)>> {
    let (found, inner) = (&read.found, read.inner);
    let has = |found: &Found<'_>, dim: usize| found.on >> dim & 1 == 1;
    let staged = || found.iter().filter(|f| f.role == Role::Staged);
    let both = |f: &Found<'_>| has(f, i) && j.is_some_and(|j| has(f, j));
    if staged().any(both) || !staged().any(|f| side(f.on, i, j).is_some()) {
        return None;
    }
    let mut state = read.state;
    for once in found
        .iter()
        .filter(|f| matches!(f.role, Role::Once | Role::Kept))
    {
        state += slot(once.ty) / 4;
    }
    let wide = staged().any(|f| slot(f.ty) > 4);
    let size = size_of(inner);
    let cut = |tile: [u32; 3], per_thread: [u32; 2]| {
        let whole = size * per_thread[0] * per_thread[1] * tile[2];
        Cut {
            tile,
            per_thread,
            unroll: if whole <= MOST_UNROLLED { tile[2] } else { 4 },
            prefetch: true,
            tensor: false,
        }
    };
    let products = [
        cut([64, 128, 16], [8, 4]),
        cut([64, 128, 8], [8, 4]),
        cut([64, 64, 16], [8, 4]),
        cut([64, 64, 16], [4, 4]),
        cut([64, 64, 8], [4, 4]),
        SMALL,
    ];
    let usual: Vec<Tile> = match (j, wide) {
        (None, _) => [128, 64, 32]
            .map(|depth| Tile {
                // Four threads load for each that adds.
                threads: 128,
                ..Tile::new(
                    Cut {
                        unroll: depth.min(64) / 4,
                        ..cut([32, 1, depth], [1, 1])
                    },
                    32,
                )
            })
            .to_vec(),
        (Some(_), false) => products.map(|cut| Tile::new(cut, 8)).to_vec(),
        (Some(_), true) => products[2..].iter().map(|cut| Tile::new(*cut, 8)).collect(),
    };
    // An inner loop that is known to be short is not worth it.
    let short = |tile: &Tile| match inner.count.kind {
        ExprKind::Literal(Literal::Int(n)) => n < i128::from(tile.least),
        _ => false,
    };
    // Windows that overlap are better read where they are.
    if j.is_none() && staged().any(|f| f.overlaps) {
        return None;
    }
    let fitting = |tile: Tile| {
        let shared: u32 = staged()
            .map(|f| pitch(f, side(f.on, i, j), &tile).bytes)
            .sum();
        let words = state * tile.each[0] * tile.each[1];
        let fits = 2 * shared <= MOST_SHARED && words <= MOST_WORDS;
        (fits && !short(&tile)).then_some((tile, words))
    };
    let large = usual.into_iter().find_map(fitting)?;
    let sum = j.and_then(|j| sum_of(read, [i, j], contract));
    let by_tensor = |cut: Cut, least| {
        let tile = Tile::new(cut, least);
        sum.and_then(|sum| {
            fitting(Tile {
                sum: Some(sum),
                ..tile
            })
        })
    };
    if j.is_none() || wish.is_empty() {
        let small = fitting(Tile::new(SMALL, 8));
        let small = small.filter(|small| j.is_some() && small.0.cut() != large.0.cut());
        let tensor = by_tensor(TENSOR, 8);
        return Some(tensor.into_iter().chain([large]).chain(small).collect());
    }
    // Who asks for a tile has any loop cut so.
    let asked = match wish.tensor {
        Some(true) => wish.over(TENSOR),
        _ => wish.over(large.0.cut()),
    };
    let found = match asked.tensor {
        true => by_tensor(asked, 1),
        false => fitting(Tile::new(asked, 1)),
    };
    let right = asked.mistake().is_none();
    Some(found.filter(|_| right).into_iter().collect())
}
