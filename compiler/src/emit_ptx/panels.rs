//! What [staged](super::staged) loops read, on its way: from device memory into registers, from there into shared memory, and back for each of a
//! thread's iterations.
//!
//! An operand is a panel: at each position of the inner loop it has an element for every iteration along one side of a block, or one for all. Panels lie
//! in shared memory one position behind the other. There are two halves, of which one is filled while the other is used.

use accrue_ptx::writer::{Class, Function, Operand, Reg};
use accrue_ptx::{emit, value};

use super::contract::{Block, Whole};
use super::emitter::Emitter;
use super::reader::slot;
use super::staged::{Staged, width};
use super::value::{class, memory};
use crate::ir::Scalar;

/// The symbol of what is staged.
pub(super) const SYMBOL: &str = "staged";

/// An operand as it is staged.
pub(super) struct Panel {
    /// Which access it is.
    pub(super) found: usize,
    pub(super) side: Option<usize>,
    pub(super) ty: Scalar,
    /// Bytes from one position to the next in shared memory.
    pub(super) pitch: u32,
    /// Bytes from one element to the next there.
    pub(super) element: u32,
    /// How far what the thread brings for tensor cores is from the first element of a stage.
    pub(super) fragment: Option<Reg>,
    /// Where the thread stores its first element, and loads that of its first iteration, of the first stage.
    pub(super) store: Reg,
    pub(super) load: Reg,
    /// Bytes between two elements that the thread stores.
    pub(super) apart: u32,
    /// The position of its first element in the stage, and positions between two.
    pub(super) position: Reg,
    pub(super) ahead: u32,
    /// What the thread stores has this predicate, where not all threads do.
    pub(super) only: Option<Reg>,
    /// Addresses of the elements that the thread loads, and what comes of them.
    pub(super) at: Vec<Reg>,
    pub(super) values: Vec<Reg>,
    /// Bytes from a stage to the next in device memory.
    pub(super) advance: Operand,
}

impl<'a> Emitter<'a> {
    /// Where the first of the thread's iterations is in a block, along `i` and `j`.
    pub(super) fn place_in_block(&mut self, staged: &Staged<'_>) -> [Reg; 2] {
        let tile = staged.tile;
        if tile.sum.is_some() {
            let [row, column] = self.place_of_sums(staged);
            let column = value!(self.f(), "column", "mul.lo.u32", column, group(staged, 1));
            return [row, column];
        }
        let thread = self.kernel.gang.thread;
        let [down, across] = [0, 1].map(|side| tile.block[side] / tile.each[side]);
        let f = self.f();
        let mut rows = value!(f, "row", "shr.u32", thread, across.trailing_zeros());
        if down * across < tile.threads {
            // Threads without iterations stay in their own block: what lies behind it is another gang's.
            rows = value!(f, "row", "min.u32", rows, down - 1);
        }
        let columns = value!(f, "column", "and.b32", thread, across - 1);
        [
            value!(f, "row", "mul.lo.u32", rows, group(staged, 0)),
            value!(f, "column", "mul.lo.u32", columns, group(staged, 1)),
        ]
    }

    /// What is staged, and how: what of it is the same in all blocks.
    pub(super) fn operands(&mut self, staged: &Staged<'_>, whole: &Whole) -> Vec<Panel> {
        let tile = staged.tile;
        let f = self.f();
        f.declare(format!(
            ".shared .align 16 .b8 {SYMBOL}[{}];",
            staged.shared()
        ));
        let shared = f.address_of(Class::B32, SYMBOL);
        let place = self.place_in_block(staged);
        let thread = self.kernel.gang.thread;
        let k = self.lp.space.len();
        let mut all = Vec::new();
        let mut offset = 0;
        for (number, found) in staged.operands() {
            let pitch = staged.pitch(found);
            let side = staged.side(found);
            let size = slot(found.ty);
            let here = value!(self.f(), "here", "add.u32", shared, offset);
            let fragment = match (tile.sum, side) {
                (Some(_), Some(side)) => {
                    let of = self.fragment(staged, side, (pitch.position, pitch.element));
                    Some(value!(self.f(), "fragment", "add.u32", here, of))
                }
                _ => None,
            };
            let f = self.f();
            let load = match side {
                Some(side) => value!(f, "load", "mad.lo.u32", place[side], pitch.element, here),
                None => here,
            };
            let extent = side.map_or(1, |side| tile.block[side]);
            // Neighbouring threads have neighbouring elements.
            let lanes = if found.along || side.is_none() {
                tile.depth
            } else {
                extent
            };
            let inner = value!(f, "inner", "and.b32", thread, lanes - 1);
            let outer = value!(f, "outer", "shr.u32", thread, lanes.trailing_zeros());
            let rows = tile.threads / lanes;
            let count = (extent * tile.depth).div_ceil(tile.threads);
            let (position, element, apart, ahead) = if found.along || side.is_none() {
                (inner, outer, rows * pitch.element, 0)
            } else if pitch.position == size {
                // Positions that follow each other are stored at once.
                let first = value!(f, "first", "mul.lo.u32", outer, count);
                (first, inner, size, 1)
            } else {
                (outer, inner, rows * pitch.position, rows)
            };
            let store = value!(f, "store", "mad.lo.u32", position, pitch.position, here);
            let store = value!(f, "store", "mad.lo.u32", element, pitch.element, store);
            let only = (extent * tile.depth < tile.threads)
                .then(|| value!(f, "only", "setp.lt.u32", thread, extent * tile.depth));
            let values = (0..count).map(|_| f.reg(class(found.ty), "next")).collect();
            let at = (0..count).map(|_| f.reg(Class::B64, "at")).collect();
            let step = whole.walks[number].steps[k].expect("it moves with the position");
            let step = self.register(step);
            let advance = value!(self.f(), "advance", "mul.lo.u64", step, tile.depth);
            all.push(Panel {
                found: number,
                side,
                ty: found.ty,
                pitch: pitch.position,
                element: pitch.element,
                fragment,
                store,
                load,
                apart,
                position,
                ahead,
                only,
                at,
                values,
                advance: advance.into(),
            });
            offset += pitch.bytes;
        }
        all
    }

    /// Points a thread at what it loads of the block's first stage.
    pub(super) fn begin_operand(
        &mut self,
        staged: &Staged<'_>,
        whole: &Whole,
        block: &Block,
        operand: &Panel,
    ) {
        let tile = staged.tile;
        let thread = self.kernel.gang.thread;
        let counts = self.inputs.counts.clone();
        let walk = &whole.walks[operand.found];
        let k = counts.len();
        let step = walk.steps[k].expect("it moves with the position");
        let base = block.bases[operand.found];
        let dim = operand
            .side
            .map(|side| [staged.i, staged.j.unwrap_or(0)][side]);
        let extent = operand.side.map_or(1, |side| tile.block[side]);
        let along = operand.ahead == 0;
        let lanes = if along { tile.depth } else { extent };
        let f = self.f();
        let element = match along {
            true => value!(f, "element", "shr.u32", thread, lanes.trailing_zeros()),
            false => value!(f, "element", "and.b32", thread, lanes - 1),
        };
        let element = value!(f, "element", "cvt.u64.u32", element);
        let position = value!(f, "position", "cvt.u64.u32", operand.position);
        let rows = tile.threads / lanes;
        for (n, at) in (0u32..).zip(&operand.at) {
            let down = n * operand.ahead;
            let right = if along { n * rows } else { 0 };
            let position = match down {
                0 => position,
                _ => value!(f, "position", "add.u64", position, down),
            };
            let from = match dim {
                Some(dim) => {
                    let element = value!(f, "element", "add.u64", element, right);
                    let element = value!(f, "element", "add.u64", element, block.first[dim]);
                    let last = value!(f, "last", "sub.u64", counts[dim], 1);
                    let element = value!(f, "element", "min.u64", element, last);
                    let by = walk.steps[dim].expect("it depends on it");
                    value!(f, "from", "mad.lo.u64", element, by, base)
                }
                None => base,
            };
            emit!(f, "mad.lo.u64", *at, position, step, from);
        }
    }

    /// Loads a thread's elements of a stage that has `left` positions or more than fit it, and goes on to the next.
    pub(super) fn load_stage(
        &mut self,
        staged: &Staged<'_>,
        whole: &Whole,
        operands: &[Panel],
        left: Reg,
    ) {
        let f = self.f();
        let (part, loaded) = (f.label("part"), f.label("loaded"));
        let some = value!(f, "some", "setp.lt.u32", left, staged.tile.depth);
        f.branch_if(some, true, part);
        for operand in operands {
            let opcode = format!("ld.global.nc.{}", memory(operand.ty));
            let offset = whole.walks[operand.found].offset;
            for (at, to) in operand.at.iter().zip(&operand.values) {
                let parts = [Operand::Reg(*to), Operand::At(*at, offset)];
                match operand.only {
                    Some(only) => f.op_if(only, true, &opcode, &parts),
                    None => f.op(&opcode, &parts),
                }
                emit!(f, "add.u64", *at, *at, operand.advance);
            }
        }
        f.place(loaded);
        f.open_out_of_line();
        f.place(part);
        for operand in operands {
            let opcode = format!("ld.global.nc.{}", memory(operand.ty));
            let offset = whole.walks[operand.found].offset;
            for (n, (at, to)) in (0u32..).zip(operand.at.iter().zip(&operand.values)) {
                // What lies beyond the last position is not used.
                let zero = match to.class {
                    Class::F32 => Operand::F32(0),
                    Class::F64 => Operand::F64(0),
                    _ => Operand::Int(0),
                };
                f.assign(*to, zero);
                let position = value!(
                    f,
                    "position",
                    "add.u32",
                    operand.position,
                    n * operand.ahead
                );
                let here = match operand.only {
                    Some(only) => {
                        value!(f, "here", "setp.lt.and.u32", position, left, only)
                    }
                    None => value!(f, "here", "setp.lt.u32", position, left),
                };
                f.op_if(
                    here,
                    true,
                    &opcode,
                    &[(*to).into(), Operand::At(*at, offset)],
                );
            }
        }
        f.branch(loaded, true);
        f.close_out_of_line();
    }

    /// Stores what has been loaded of a stage into one of the two halves of shared memory.
    pub(super) fn store_stage(&mut self, operands: &[Panel], half: Reg) {
        let f = self.f();
        for operand in operands {
            let opcode = format!("st.shared.{}", word(operand.ty));
            let to = value!(f, "to", "add.u32", operand.store, half);
            let beside = operand.several();
            let together = match operand.ahead == 1 && operand.pitch == slot(operand.ty) {
                true if operand.values.len().is_multiple_of(beside) => beside,
                _ => 1,
            };
            let chunks = operand.values.chunks(together);
            for (n, from) in (0i64..).step_by(together).zip(chunks) {
                let at = Operand::At(to, n * i64::from(operand.apart));
                let from: Vec<Operand> = from.iter().map(|reg| (*reg).into()).collect();
                match (operand.only, &from[..]) {
                    (Some(only), [from]) => f.op_if(only, true, &opcode, &[at, *from]),
                    (_, [from]) => f.op(&opcode, &[at, *from]),
                    _ => {
                        let opcode = format!("st.shared.v{together}.{}", word(operand.ty));
                        f.store_vector(&opcode, at, &from);
                    }
                }
            }
        }
    }
}

impl Panel {
    /// Positions whose elements one load from shared memory brings.
    pub(super) fn several(&self) -> usize {
        let size = slot(self.ty);
        match self.pitch == size && self.fragment.is_none() {
            true => (16 / size) as usize,
            false => 1,
        }
    }
}

/// Neighbours along a side that a thread has: as many as one load from shared memory brings.
fn group(staged: &Staged<'_>, side: usize) -> u32 {
    let each = staged.tile.each[side];
    if staged.tile.sum.is_some() {
        // Of a row of eight sums a thread has two.
        return [1, 2][side];
    }
    let widths = staged
        .operands()
        .filter(|(_, f)| staged.side(f) == Some(side));
    widths.map(|(_, f)| width(f.ty, each)).min().unwrap_or(1)
}

/// How far the thread's iterations along a side are from its first.
pub(super) fn offsets(staged: &Staged<'_>, side: usize) -> Vec<u32> {
    let (each, group) = (staged.tile.each[side], group(staged, side));
    let threads = staged.tile.block[side] / each;
    (0..each)
        .map(|n| n / group * group * threads + n % group)
        .collect()
}

/// The type by which an element is in shared memory.
fn word(ty: Scalar) -> &'static str {
    match class(ty) {
        Class::F32 => "f32",
        Class::F64 => "f64",
        Class::B64 => "b64",
        Class::B32 | Class::Pred => "b32",
    }
}

/// Loads what the thread's iterations need of an operand at so many positions.
pub(super) fn load_parts(
    f: &mut Function,
    staged: &Staged<'_>,
    operand: &Panel,
    at: Reg,
    positions: u32,
) -> Vec<Vec<Reg>> {
    let several = operand.several();
    if several > 1 && positions.is_multiple_of(several as u32) {
        let word = word(operand.ty);
        let mut parts = Vec::new();
        for offset in (0..positions).step_by(several) {
            let into: Vec<Reg> = (0..several)
                .map(|_| f.reg(class(operand.ty), "part"))
                .collect();
            let here = Operand::At(at, i64::from(offset * operand.pitch));
            f.load_vector(&format!("ld.shared.v{several}.{word}"), &into, here);
            parts.extend(into.into_iter().map(|part| vec![part]));
        }
        return parts;
    }
    (0..positions)
        .map(|offset| load_position(f, staged, operand, at, offset * operand.pitch))
        .collect()
}

/// The same at one position.
fn load_position(
    f: &mut Function,
    staged: &Staged<'_>,
    operand: &Panel,
    at: Reg,
    offset: u32,
) -> Vec<Reg> {
    let word = word(operand.ty);
    let Some(side) = operand.side else {
        let at = Operand::At(at, offset.into());
        return vec![value!(f, "part", format!("ld.shared.{word}"), at)];
    };
    let offsets = offsets(staged, side);
    let group = group(staged, side) as usize;
    let mut parts = Vec::new();
    if operand.fragment.is_some() {
        let bytes = |of: u32| i64::from(offset + of * operand.element);
        let load = |of: u32| Operand::At(at, bytes(of));
        return offsets
            .into_iter()
            .map(|of| value!(f, "part", format!("ld.shared.{word}"), load(of)))
            .collect();
    }
    for of in offsets.chunks(group) {
        let here = Operand::At(at, i64::from(offset + of[0] * slot(operand.ty)));
        match group {
            1 => parts.push(value!(f, "part", format!("ld.shared.{word}"), here)),
            _ => {
                let into: Vec<Reg> = of
                    .iter()
                    .map(|_| f.reg(class(operand.ty), "part"))
                    .collect();
                f.load_vector(&format!("ld.shared.v{group}.{word}"), &into, here);
                parts.extend(into);
            }
        }
    }
    parts
}
