//! Sums of products of `f64` in [staged](super::staged) loops by the tensor cores: `mma.sync.m16n8k8` (PTX ISA 7.8, compute capability 9.0).
//!
//! ```text
//! for k in 0..n { sum += a[i][k] * b[k][j]; }        with `contract`, or sum = a[i][k].mul_add(b[k][j], sum)
//! ```
//!
//! An instruction adds eight positions' products to 16 x 8 sums of a warp. It does so in their order, each product fused with its sum, so that what comes
//! of it is what `fma` after `fma` gives, bit for bit (512,000 sums on an H200, 2026-11-30, docs/measurements/gpu.md). Of each eight rows lane `l` has two
//! neighbouring sums of row `l / 4`, at columns `2 (l % 4)` and the next; of `a` it brings that row at positions `l % 4` and `l % 4 + 4`, of `b` column
//! `l / 4` there. Positions beyond the last eight are added by each thread to its own sums. The shape of older devices, `m8n8k4`, has half the speed on an
//! H200: 33 Tflop/s, which their other units do as well.

use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand, Reg};

use super::blocks::Own;
use super::emitter::Emitter;
use super::panels::{Panel, offsets};
use super::reader::{Found, Read, Role};
use super::staged::Staged;
use crate::ir::{BinaryOp, Expr, ExprKind, Method, Place, Root, Scalar, Stmt, StmtKind, VarId};

/// Positions of an instruction.
const POSITIONS: u32 = 8;

/// Columns of an instruction, and half of its rows.
const SIDE: u32 = 8;

/// What the products are added to.
#[derive(Clone, Copy)]
pub(super) enum Sum {
    /// A variable of the iteration.
    Var(VarId),
    /// An element that is in a register meanwhile: which access.
    Kept(usize),
}

/// What an inner loop adds its products to, where that is all it does: of an operand for each side.
pub(super) fn sum_of(read: &Read<'_>, sides: [usize; 2], contract: bool) -> Option<Sum> {
    // Names that stand before it are parts of indices: the factors are elements.
    let (only, names) = read.inner.body.stmts.split_last()?;
    let is_name = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Let(..));
    if read.inner.body.tail.is_some() || !names.iter().all(is_name) {
        return None;
    }
    let (place, [x, y]) = match &only.kind {
        StmtKind::Compound(place, BinaryOp::Add, value) if contract => (place, factors(value)?),
        StmtKind::Assign(place, value) => match &value.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) if contract => {
                let product = match (is_of(a, place), is_of(b, place)) {
                    (true, false) => b,
                    (false, true) => a,
                    _ => return None,
                };
                (place, factors(product)?)
            }
            ExprKind::Method(Method::MulAdd, parts) => {
                let [x, y, sum] = &parts[..] else {
                    return None;
                };
                (is_of(sum, place)).then_some((place, [x, y]))?
            }
            _ => return None,
        },
        _ => return None,
    };
    // Each is of one side, and neither is of both; nothing else is staged.
    let of = [operand(read, x)?.on, operand(read, y)?.on];
    let is_on = |on: u32, side: usize| on >> sides[side] & 1 == 1;
    let apart = |[a, b]: [u32; 2]| {
        let [of_a, of_b] = [a, b].map(|on| [is_on(on, 0), is_on(on, 1)]);
        of_a == [true, false] && of_b == [false, true]
    };
    let staged = read.found.iter().filter(|f| f.role == Role::Staged);
    if !(apart(of) || apart([of[1], of[0]])) || staged.count() != 2 {
        return None;
    }
    let is_declared = |var: VarId| {
        let is_it = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Let(of, _) if of == var);
        names.iter().any(is_it)
    };
    match place.root {
        Root::Var(var) if place.path.is_empty() && !is_declared(var) => Some(Sum::Var(var)),
        Root::Array(_) => {
            let at = read
                .found
                .iter()
                .position(|f| std::ptr::eq(f.place, place) && f.role == Role::Kept)?;
            (read.found[at].ty == Scalar::F64).then_some(Sum::Kept(at))
        }
        _ => None,
    }
}

fn factors(e: &Expr) -> Option<[&Expr; 2]> {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Mul, x, y) => Some([x, y]),
        _ => None,
    }
}

/// Whether an expression is the value of a variable that a place is.
fn is_of(e: &Expr, place: &Place) -> bool {
    match &e.kind {
        ExprKind::Load(from) => {
            from.root == place.root && from.path.is_empty() && place.path.is_empty()
        }
        _ => false,
    }
}

/// What is staged of a factor.
fn operand<'r, 'a>(read: &'r Read<'a>, factor: &Expr) -> Option<&'r Found<'a>> {
    let ExprKind::Load(place) = &factor.kind else {
        return None;
    };
    let found = read.found.iter().find(|f| std::ptr::eq(f.place, place))?;
    (found.role == Role::Staged && found.ty == Scalar::F64).then_some(found)
}

impl<'a> Emitter<'a> {
    /// Where the first of the thread's iterations is in a block, in iterations of threads side by side: a warp has 8 x 4 of them.
    pub(super) fn place_of_sums(&mut self, staged: &Staged<'_>) -> [Reg; 2] {
        let tile = staged.tile;
        let across = tile.block[1] / tile.each[1] / (SIDE / 2);
        let thread = self.kernel.gang.thread;
        let f = self.f();
        let warp = value!(f, "warp", "shr.u32", thread, 5);
        let right = value!(f, "right", "and.b32", warp, across - 1);
        let down = value!(f, "down", "shr.u32", warp, across.trailing_zeros());
        let lane = value!(f, "lane", "and.b32", thread, 31);
        let row = value!(f, "row", "shr.u32", lane, 2);
        let column = value!(f, "column", "and.b32", lane, 3);
        [
            value!(f, "row", "mad.lo.u32", down, SIDE, row),
            value!(f, "column", "mad.lo.u32", right, SIDE / 2, column),
        ]
    }

    /// How far the first element that the thread brings of an operand is from the block's first, in bytes.
    pub(super) fn fragment(
        &mut self,
        staged: &Staged<'_>,
        side: usize,
        (position, element): (u32, u32),
    ) -> Reg {
        let tile = staged.tile;
        let [rows, columns] = self.place_of_sums(staged);
        let thread = self.kernel.gang.thread;
        let f = self.f();
        let lane = value!(f, "lane", "and.b32", thread, 31);
        let of = match side {
            0 => rows,
            _ => {
                // Four threads side by side have eight columns.
                let first = value!(f, "first", "shr.u32", columns, 2);
                let row = value!(f, "row", "shr.u32", lane, 2);
                value!(f, "of", "mad.lo.u32", first, SIDE, row)
            }
        };
        debug_assert!(tile.each[1].is_multiple_of(2));
        let of = value!(f, "of", "mul.lo.u32", of, element);
        let at = value!(f, "at", "and.b32", lane, 3);
        value!(f, "of", "mad.lo.u32", at, position, of)
    }

    /// Adds the products of so many positions to the thread's sums.
    pub(super) fn sums(
        &mut self,
        staged: &Staged<'a>,
        sum: Sum,
        operands: &[Panel],
        own: &[Own],
        at: &[Reg],
        positions: u32,
    ) {
        let each = staged.tile.each;
        let sums: Vec<Reg> = own
            .iter()
            .map(|own| {
                let value = match sum {
                    Sum::Var(var) => own.vars.get(&var),
                    Sum::Kept(at) => own
                        .kept
                        .iter()
                        .find(|(n, _)| *n == at)
                        .map(|(_, value)| value),
                };
                let num = value.expect("what is added to is known").num();
                self.reg(num)
            })
            .collect();
        // Of the columns every other one begins a pair.
        let firsts = [0, 1].map(|side| {
            let step = if side == 0 { 1 } else { 2 };
            let all = offsets(staged, side);
            all.into_iter().step_by(step).collect::<Vec<u32>>()
        });
        for step in (0..positions).step_by(POSITIONS as usize) {
            // What the thread brings of each row and of each column: of four positions one.
            let mut brought = [Vec::new(), Vec::new()];
            for (operand, at) in operands.iter().zip(at) {
                let side = operand.side.expect("each is of one side");
                for offset in &firsts[side] {
                    let parts = (0..POSITIONS).step_by(4).map(|four| {
                        let by = (step + four) * operand.pitch + offset * operand.element;
                        value!(
                            self.f(),
                            "part",
                            "ld.shared.f64",
                            Operand::At(*at, by.into())
                        )
                    });
                    brought[side].push(parts.collect::<Vec<Reg>>());
                }
            }
            let [rows, columns] = &brought;
            for (pair, both) in rows.chunks_exact(2).enumerate() {
                let [upper, lower] = both else { continue };
                let a: Vec<Reg> = upper
                    .iter()
                    .zip(lower)
                    .flat_map(|(a, b)| [*a, *b])
                    .collect();
                for (column, b) in columns.iter().enumerate() {
                    let of = |row: usize, n: usize| sums[row * each[1] as usize + 2 * column + n];
                    let row = 2 * pair;
                    let sums = [of(row, 0), of(row, 1), of(row + 1, 0), of(row + 1, 1)];
                    self.f().mma_f64(sums, &a, b);
                }
            }
        }
        debug_assert!(sums.iter().all(|sum| sum.class == Class::F64));
    }
}
