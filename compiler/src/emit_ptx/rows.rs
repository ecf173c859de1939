//! Rows: loops whose inner dimension is a dimension of the bins, as in a Hough transform.
//!
//! ```text
//! for i in 0..xs.len() { for t in 0..180 { …; votes[rho][t] += 1; } }
//! ```
//!
//! Each point votes once for each angle `t`, in column `t` of the bins. A gang that keeps some columns therefore only has to run
//! the inner loop over those, and all gangs together compute every update once: see
//! [`inner_window`](accrue_ptx::strategy). What is looked for is an index of the bins that is the inner position plus a
//! constant, in every update. The inner loop may be the second dimension of the iteration space, or a loop at the end of the
//! body behind declarations, which are then made again for each of its iterations.

use accrue_ptx::abi::Columns;
use accrue_ptx::strategy::ColumnWindow;
use accrue_ptx::writer::{Class, Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::affine::{Affine, Lets, Row, affine};
use super::emitter::{Emitter, Facts, Frame, LoopTargets, Result};
use super::sliced::Slice;
use super::stream::Streams;
use super::value::{Num, Value};
use crate::ir::visit::Visit;
use crate::ir::{
    Block, Check, Expr, ExprKind, Extent, ForLoop, Length, Literal, Loop, LoopLabel, Memory,
    Scalar, StmtKind, Target, Type, Update, VarId,
};

/// A loop seen as rows: iterations of the outer dimension, each of which runs over the inner positions.
#[derive(Debug)]
pub(super) struct Rows {
    /// The loop over the outer dimension; its body is that of one inner position.
    pub(super) lp: Loop,
    /// What of it is streamed.
    pub(super) streams: Streams,
    /// The inner position.
    pub(super) inner: VarId,
    /// How many there are, where it is known; it is the count of the second dimension otherwise.
    pub(super) count: Option<u64>,
    /// Whether iterations are counted over both dimensions.
    pub(super) flat: bool,
    /// The inner loop's label, where it is a loop of the body.
    pub(super) label: Option<LoopLabel>,
    /// Which index of the bins the inner position is.
    pub(super) component: usize,
    /// What that index means.
    pub(super) columns: Columns,
}

/// What of a loop is printed, where it is taken as rows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// The loop is not taken as rows, or its rows are about to be printed.
    All,
    /// Rows, at an inner position (in 32 bits).
    Rows {
        position: Reg,
        /// Where its column begins.
        column: Reg,
        window: ColumnWindow,
    },
    /// An iteration of the outer loop that the gang takes together.
    Slices(Slice),
    /// Single iterations that tell their faults and update nothing.
    Faults,
}

impl Rows {
    /// Iterations that a thread takes on each trip through the loop of rows.
    pub(super) fn items_per_thread(&self) -> u32 {
        let rows = self.streams.items * self.streams.in_flight;
        match self.flat {
            true => rows.saturating_mul(self.columns.used.max(1) as u32),
            false => rows,
        }
    }

    /// The rows of a loop, if it is one of the kind.
    pub(super) fn find(lp: &Loop, targets: &[Target]) -> Option<Rows> {
        let [target] = targets else { return None };
        let Memory::Bins(array) = target.memory else {
            return None;
        };
        if target.injective.is_some() {
            return None;
        }
        let (inner, count, flat, label, block) = match &lp.space[..] {
            [_, inner] => {
                let block = lp.body.block.clone();
                (inner.position, literal(&inner.count), true, None, block)
            }
            [_] => {
                let (inner, block) = last_loop(lp)?;
                let count = literal(&inner.count).filter(|n| *n > 0)?;
                (inner.position, Some(count), false, Some(inner.label), block)
            }
            _ => return None,
        };
        let mut rows = lp.clone();
        rows.space.truncate(1);
        rows.body.block = block;

        let facts = Facts::of(&rows.body);
        let positions = [(rows.space[0].position, (0, 1)), (inner, (1, 0))];
        let found = positions.map(|(var, (stride, outer))| {
            let of = Affine {
                stride,
                outer,
                ..Affine::default()
            };
            (var, of)
        });
        let mut lets = Lets {
            lp: &rows,
            row: Row::None,
            assigned: &facts.assigned,
            found: found.into_iter().collect(),
        };
        lets.block(&rows.body.block);
        let mut updates = Updates {
            columns: |update: &Update| columns(update, &lets),
            found: None,
        };
        updates.block(&rows.body.block);
        // The constants of the first of them that all updates have.
        let (component, first) = *updates.found?.first()?;

        let array = rows.array(array);
        let mut lengths = vec![match array.extent {
            Extent::Fixed(Length::Known(n)) => n,
            Extent::Fixed(Length::Captured(_)) | Extent::Runtime => 0,
        }];
        let mut elem = &array.elem;
        while let Type::Array(inner, length) = elem {
            let Length::Known(n) = length else {
                return None;
            };
            lengths.push(*n);
            elem = &**inner;
        }
        let extent = lengths[component];
        let scalars = lengths[component + 1..]
            .iter()
            .try_fold(1u64, |product, n| product.checked_mul(*n))?;
        // A row of the bins is numbered in 32 bits.
        if extent.max(1).checked_mul(scalars)? > u64::from(u32::MAX) {
            return None;
        }
        let used = count.unwrap_or(extent.saturating_sub(first));
        let columns = Columns {
            extent,
            scalars,
            first,
            used,
        };
        // No columns at all, or more than indices of 32 bits can tell apart.
        if count == Some(0) || scalars == 0 || used.max(extent) > 1 << 31 || first > 1 << 31 {
            return None;
        }
        Some(Rows {
            streams: Streams::find(&rows),
            lp: rows,
            inner,
            count,
            flat,
            label,
            component,
            columns,
        })
    }
}

impl<'a> Emitter<'a> {
    /// Prints a loop as rows, and what tells the fault of a single iteration.
    pub(super) fn by_rows(
        &mut self,
        rows: &'a Rows,
        single: Reg,
        thread: Reg,
        all: Reg,
    ) -> Result<()> {
        let (begin, end) = (self.kernel.begin, self.kernel.end);
        let whole = match rows.flat {
            true => (
                value!(self.f(), "first_row", "mov.u64", 0),
                self.inputs.counts[0],
            ),
            false => (begin, end),
        };
        // A call of one row looks like one of those that tell a fault, whose bins do not count.
        let items = self.inputs.counts[0];
        let f = self.f();
        let last = match rows.flat {
            true => {
                f.comment("Rows, each over the gang's columns; none where a single iteration is to tell its fault.");
                let several = value!(f, "several", "setp.ne.u64", items, 1);
                let telling = value!(f, "telling", "and.pred", single, several);
                value!(f, "end_row", "selp.b64", whole.0, whole.1, telling)
            }
            // A device may have been given one of many.
            false => {
                f.comment("Rows, each over the gang's columns.");
                whole.1
            }
        };
        // Who fails here is told of below.
        self.inputs.single = None;
        let (lp, streams) = (self.lp, self.streams);
        (self.lp, self.streams) = (&rows.lp, &rows.streams);
        self.range((whole.0, last), thread, all)?;
        (self.lp, self.streams) = (lp, streams);
        self.inputs.single = Some(single);

        self.part = Part::Faults;
        let f = self.f();
        f.comment("A single iteration.");
        let item = value!(f, "item", "add.u64", begin, thread);
        let last = value!(f, "last", "selp.b64", end, begin, single);
        self.one_by_one(item, last, all, None)
    }

    /// Makes the copies.
    pub(super) fn make_copies(&mut self) {
        if !self.kernel.is_recounting() && self.slices.is_none() {
            self.kernel.open();
        }
        let (Some(rows), Some(mut window)) = (self.rows, self.kernel.columns()) else {
            return;
        };
        let count: Operand = match rows.count {
            Some(count) => Operand::Int(count.min(u64::from(u32::MAX)) as i64),
            None => {
                let count = self.inputs.counts[1];
                let f = self.f();
                let count = value!(f, "count", "min.u64", count, i64::from(u32::MAX));
                value!(f, "count", "cvt.u32.u64", count).into()
            }
        };
        window.end = value!(self.f(), "end", "min.u32", window.end, count);
        let position = self.f().reg(Class::B32, "position");
        let column = self.f().reg(Class::B32, "column");
        self.part = Part::Rows {
            position,
            column,
            window,
        };
    }

    /// Prints something for every inner position of the gang's window, or once where there is none.
    pub(super) fn inner_positions(
        &mut self,
        print: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (
            Some(rows),
            Part::Rows {
                position,
                column,
                window,
            },
        ) = (self.rows, self.part)
        else {
            return print(self);
        };
        // Columns that are too wide for this have no room in shared memory.
        let step = (rows.columns.scalars as u32).wrapping_mul(window.step);
        let f = self.f();
        f.assign(position, window.begin);
        f.assign(column, window.base);
        let (again, done) = (f.label("columns"), f.label("end_columns"));
        f.place(again);
        let beyond = value!(f, "beyond", "setp.ge.u32", position, window.end);
        f.branch_if(beyond, true, done);
        print(self)?;
        let f = self.f();
        emit!(f, "add.u32", position, position, 1);
        emit!(f, "add.u32", column, column, step);
        f.branch(again, false);
        f.place(done);
        Ok(())
    }

    /// Binds the inner position, and what `continue` in the inner loop leads to.
    pub(super) fn bind_inner(&mut self, frame: &mut Frame<'a>, next: Label) {
        let (Some(rows), Part::Rows { position, .. }) = (self.rows, self.part) else {
            return;
        };
        let num = Num {
            narrow: true,
            ..Num::reg(Scalar::Usize, position)
        };
        let most = rows.count.map_or(u64::from(u32::MAX), |n| n - 1);
        let num = Value::Num(num.at_most(most));
        frame.vars.insert(rows.inner, num);
        frame.loops.extend(rows.label.map(|label| LoopTargets {
            label,
            next,
            done: next,
            result: Value::Unit,
        }));
    }
}

/// The address of a bin within a window of columns.
pub(super) struct OwnBin {
    /// Which index is the column, where that begins, and the window.
    window: Option<(usize, Reg, ColumnWindow)>,
    /// The indices so far, those before the column and those behind it each for themselves.
    number: Option<Operand>,
    /// Where the row begins in the column, once the indices have come to that.
    row: Option<Reg>,
}

impl OwnBin {
    /// That of an update about to be printed.
    pub(super) fn new(emitter: &Emitter<'_>) -> OwnBin {
        let window = match (emitter.rows, emitter.part) {
            (Some(rows), Part::Rows { column, window, .. }) => {
                Some((rows.component, column, window))
            }
            _ => None,
        };
        OwnBin {
            window,
            number: None,
            row: None,
        }
    }

    /// The next index, in a dimension of this length.
    pub(super) fn index(&mut self, emitter: &mut Emitter<'_>, n: usize, at: Num, length: Num) {
        let Some((component, column, window)) = self.window else {
            return;
        };
        if n == component {
            let f = emitter.f();
            self.row = Some(match self.number.take() {
                None => column,
                Some(number) => value!(f, "at", "mad.lo.u32", number, window.row, column),
            });
            return;
        }
        let (at, length) = (emitter.low(at), emitter.low(length));
        self.number = Some(match self.number {
            None => at,
            Some(number) => value!(emitter.f(), "own", "mad.lo.u32", number, length, at).into(),
        });
    }

    /// The address, when all indices have been come to.
    pub(super) fn bin(&self, emitter: &mut Emitter<'_>) -> Option<Operand> {
        let (row, (_, _, window)) = (self.row?, self.window?);
        Some(match self.number {
            None => row.into(),
            Some(number) => {
                value!(emitter.f(), "at", "mad.lo.u32", number, window.step, row).into()
            }
        })
    }
}

pub(super) fn literal(e: &Expr) -> Option<u64> {
    match e.kind {
        ExprKind::Literal(Literal::Int(n)) => u64::try_from(n).ok(),
        _ => None,
    }
}

/// The loop at the end of the body, and the body of an inner position, if everything
/// before is declarations that never change and no iteration ends the loop.
pub(super) fn last_loop(lp: &Loop) -> Option<(&ForLoop, Block)> {
    let block = &lp.body.block;
    let (last, before) = block.stmts.split_last()?;
    let StmtKind::For(inner) = &last.kind else {
        return None;
    };
    let assigned = Facts::of(&lp.body).assigned;
    let declares = |kind: &StmtKind| match kind {
        StmtKind::Let(var, Some(_)) => !assigned.contains(var),
        _ => false,
    };
    if block.tail.is_some() || !before.iter().all(|stmt| declares(&stmt.kind)) {
        return None;
    }
    let mut leaves = Leaves {
        label: inner.label,
        found: false,
    };
    leaves.block(&inner.body);
    if leaves.found {
        return None;
    }
    let stmts = before.iter().chain(&inner.body.stmts).cloned().collect();
    let body = Block {
        stmts,
        tail: inner.body.tail.clone(),
    };
    Some((inner, body))
}

/// Looks for what ends a loop, or the iteration around it.
struct Leaves {
    label: LoopLabel,
    found: bool,
}

impl Visit for Leaves {
    fn expr(&mut self, e: &Expr) {
        self.found |= match &e.kind {
            ExprKind::Break(label, _) => *label == self.label,
            ExprKind::Continue(None) => true,
            _ => false,
        };
        self.expr_parts(e);
    }
}

/// The indices of an update that are the inner position plus a constant, and the constants.
fn columns(update: &Update, lets: &Lets<'_>) -> Vec<(usize, u64)> {
    let mut all = Vec::new();
    for (n, index) in update.bin.iter().enumerate() {
        let plain = index.base.is_none() && matches!(index.check, Check::Dimension | Check::Never);
        let Some(at) = affine(&index.index, lets.lp, lets.row, &lets.found) else {
            continue;
        };
        let inner = Affine {
            stride: 1,
            constant: at.constant,
            ..Affine::default()
        };
        if let (true, true, Ok(first)) = (plain, at == inner, u64::try_from(at.constant)) {
            all.push((n, first));
        }
    }
    all
}

/// Collects what all updates have in common.
struct Updates<F> {
    columns: F,
    found: Option<Vec<(usize, u64)>>,
}

impl<F: Fn(&Update) -> Vec<(usize, u64)>> Visit for Updates<F> {
    fn update(&mut self, update: &Update) {
        let mut these = (self.columns)(update);
        if let Some(found) = &self.found {
            these.retain(|one| found.contains(one));
        }
        self.found = Some(these);
        self.update_parts(update);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Pattern;

    fn rows(source: &str) -> Option<Rows> {
        let function = syn::parse_str(source).expect("a function");
        let analysis = crate::analyze(&function, &Default::default()).expect("a histogram");
        let plan = &analysis.loops[0];
        let Pattern::Histogram(histogram) = &plan.pattern;
        Rows::find(&plan.ir, &histogram.targets)
    }

    #[test]
    fn an_index_that_is_the_inner_position_makes_columns() {
        let found = rows(
            "fn f(xs: &[f32], cos: &[f32; 90], votes: &mut [[u32; 92]]) {
                for &x in xs { for t in 0..90 { votes[(x * cos[t]) as usize][t + 1] += 1; } }
            }",
        );
        let rows = found.expect("a second dimension");
        assert!(rows.flat);
        assert_eq!((rows.component, rows.count), (1, Some(90)));
        let Columns {
            extent,
            scalars,
            first,
            used,
        } = rows.columns;
        assert_eq!((extent, scalars, first, used), (92, 1, 1, 90));
        assert_eq!(rows.streams.items, 4, "the points are streamed");

        let found = rows_of_a_loop_behind(
            "let y = xs[i] * 2.0;",
            "votes[t][(y * cos[t]) as usize] += 1;",
        );
        let rows = found.expect("a loop at the end of the body");
        assert!(!rows.flat);
        assert_eq!(rows.component, 0);
        assert_eq!((rows.columns.extent, rows.columns.scalars), (90, 50));
    }

    fn rows_of_a_loop_behind(before: &str, body: &str) -> Option<Rows> {
        rows(&format!(
            "fn f(xs: &[f32], cos: &[f32; 90], votes: &mut [[u32; 50]; 90]) {{
                for i in 0..xs.len() {{ {before} for t in 0..90 {{ {body} }} }}
            }}"
        ))
    }

    #[test]
    fn a_row_of_bins_is_numbered_in_32_bits() {
        let of = |scalars: u32| {
            rows(&format!(
                "fn f(xs: &[f32], cos: &[f32; 90], votes: &mut [[[u32; {scalars}]; 2_000_000_000]]) {{
                    for &x in xs {{ for t in 0..90 {{ votes[(x * cos[t]) as usize][t][0] += 1; }} }}
                }}"
            ))
        };
        assert!(of(2).is_some());
        assert!(of(3).is_none());
    }

    #[test]
    fn what_is_carried_from_one_inner_position_to_the_next_makes_none() {
        let carried = rows_of_a_loop_behind(
            "let mut y = xs[i];",
            "y += cos[t]; votes[t][y as usize] += 1;",
        );
        assert!(carried.is_none());
        let left = rows_of_a_loop_behind(
            "let y = xs[i];",
            "if y < cos[t] { break; } votes[t][y as usize] += 1;",
        );
        assert!(left.is_none());
        let other = rows_of_a_loop_behind("let y = xs[i];", "votes[89 - t][y as usize] += 1;");
        assert!(other.is_none());
    }
}
