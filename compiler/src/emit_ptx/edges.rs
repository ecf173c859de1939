//! Edges: iterations of a patch whose addresses do not grow as those of the others do.
//!
//! ```text
//! let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
//! out[y * w + x] = src[y * w + left] + src[y * w + right];
//!
//! lines of a patch as if `left` were `x - 1` and `right` were `x + 1`; what is computed of iterations where they are not is not stored
//! those iterations, one by one, as they are written
//! ```
//!
//! What has to hold inside is a [`Guard`]. Either of its sides grows by one with the row or the column, so that it holds of all iterations
//! of a patch if it does of the first and the last one. Rows outside of all are left to what runs one by one, and the patch takes
//! others in their place, so that its lines are in range.

use accrue_ptx::writer::{Class, Function, Label, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, LoopTargets, Result};
use super::linear::{Guard, split};
use super::patches::{self, Patches};
use super::strips::Strip;
use super::value::{Num, Value};
use crate::dependence::Poly;
use crate::ir::{LoopLabel, Scalar, VarId};

/// What a side of a guard grows with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moves {
    Not,
    /// With the row; whether that is the lesser side.
    Row(bool),
    Column(bool),
}

/// A guard where a patch starts.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    less: Reg,
    most: Reg,
    strict: bool,
    moves: Moves,
}

impl Edge {
    fn compare(&self) -> &'static str {
        match self.strict {
            true => "setp.lt.and.u64",
            false => "setp.le.and.u64",
        }
    }

    /// How a guard moves; `None` where that is more than can be told.
    pub(super) fn moves(guard: &Guard, row: VarId, column: VarId) -> Option<Moves> {
        let factors = |poly: &Poly| {
            let (rest, row) = split(poly, row)?;
            let (_, column) = split(&rest, column)?;
            Some((row.as_constant()?, column.as_constant()?))
        };
        match (factors(&guard.less)?, factors(&guard.most)?) {
            ((0, 0), (0, 0)) => Some(Moves::Not),
            ((1, 0), (0, 0)) => Some(Moves::Row(true)),
            ((0, 0), (1, 0)) => Some(Moves::Row(false)),
            ((0, 1), (0, 0)) => Some(Moves::Column(true)),
            ((0, 0), (0, 1)) => Some(Moves::Column(false)),
            _ => None,
        }
    }
}

impl<'a> Emitter<'a> {
    /// The first row that a patch takes, given one: such that its rows are inside, if it can be.
    pub(super) fn inner_row(
        &mut self,
        strip: &mut Strip<'a>,
        patches: &Patches,
        mut first: Reg,
    ) -> Reg {
        let Some(columns) = patches.columns else {
            return first;
        };
        let (row, column) = (patches.rows.at, columns.at);
        let guards = strip.families.guards.clone();
        let of = |lesser: bool| {
            let guards = guards.iter();
            guards.filter(move |g| Edge::moves(g, row, column) == Some(Moves::Row(lesser)))
        };
        let without = |poly: &Poly| split(poly, row).map_or_else(Poly::zero, |(rest, _)| rest);
        for guard in of(true) {
            let behind = guard.most.clone() - without(&guard.less);
            let behind = behind + Poly::constant(i128::from(!guard.strict));
            let behind = self.poly_reg(strip, &behind);
            let f = self.f();
            let last = value!(f, "last", "sub.u64", behind, strip.rows);
            first = value!(f, "first_row", "min.u64", first, last);
        }
        for guard in of(false) {
            let least = guard.less.clone() - without(&guard.most);
            let least = least + Poly::constant(i128::from(guard.strict));
            let least = self.poly_reg(strip, &least);
            first = value!(self.f(), "first_row", "max.u64", first, least);
        }
        first
    }

    /// The guards where a patch starts. They are computed where they are asked for: kept, they would take registers from lines.
    fn edges(&mut self, strip: &mut Strip<'a>) -> Vec<Edge> {
        let Some((rows, columns)) = self.patches.and_then(|p| Some((p.rows, p.columns?))) else {
            return Vec::new();
        };
        let products = std::mem::take(&mut strip.products);
        let mut edges = Vec::new();
        for guard in strip.families.guards.clone() {
            let moves = Edge::moves(&guard, rows.at, columns.at);
            edges.push(Edge {
                less: self.poly_reg(strip, &guard.less),
                most: self.poly_reg(strip, &guard.most),
                strict: guard.strict,
                moves: moves.expect("families take no other guards"),
            });
        }
        strip.products = products;
        edges
    }

    /// Whether all guards hold in a patch, where there are some.
    pub(super) fn guarded(&mut self, strip: &mut Strip<'a>) -> Option<Reg> {
        let mut all: Option<Reg> = None;
        for edge in self.edges(strip) {
            let more = match edge.moves {
                Moves::Not => 0,
                Moves::Row(_) => strip.rows - 1,
                Moves::Column(_) => strip.columns - 1,
            };
            let f = self.f();
            // What grows does not wrap.
            let (from, lesser) = match edge.moves {
                Moves::Row(true) | Moves::Column(true) => (edge.less, true),
                _ => (edge.most, false),
            };
            let to = value!(f, "last", "add.u64", from, more);
            let mut held = value!(f, "inside", "setp.le.u64", from, to);
            let ends = match lesser {
                true => [to, edge.most],
                false => [edge.less, from],
            };
            held = value!(f, "inside", edge.compare(), ends[0], ends[1], held);
            all = Some(match all {
                None => held,
                Some(all) => value!(f, "inside", "and.pred", all, held),
            });
        }
        all
    }

    /// The rows of a patch that are its own and inside, and the columns.
    pub(super) fn inside_of(
        &mut self,
        strip: &mut Strip<'a>,
        (rows, columns): (&mut [Reg], &mut [Reg]),
    ) {
        let edges = self.edges(strip);
        for (all, of_rows) in [(rows, true), (columns, false)] {
            for (n, there) in all.iter_mut().enumerate() {
                let behind = value!(self.f(), "behind", "mov.u64", n as u32);
                *there = self.edges_at(&edges, of_rows, behind, *there);
            }
        }
    }

    /// Whether guards of the rows, or of the columns, hold so far behind the first, and another predicate does.
    fn edges_at(&mut self, edges: &[Edge], rows: bool, behind: Reg, mut held: Reg) -> Reg {
        for edge in edges {
            let lesser = match edge.moves {
                Moves::Row(lesser) if rows => Some(lesser),
                Moves::Column(lesser) if !rows => Some(lesser),
                // Of all iterations alike.
                Moves::Not if rows => None,
                _ => continue,
            };
            let f = self.f();
            let at = |f: &mut Function, side: Reg, moves: bool| match moves {
                true => value!(f, "at", "add.u64", side, behind),
                false => side,
            };
            let less = at(f, edge.less, lesser == Some(true));
            let most = at(f, edge.most, lesser == Some(false));
            held = value!(f, "inside", edge.compare(), less, most, held);
        }
        held
    }

    /// Runs what is left of a patch one by one: what has not been computed, from `rest` on, or everything.
    pub(super) fn one_by_one_at_edges(
        &mut self,
        strip: &mut Strip<'a>,
        patches: &'a Patches,
        (rest, all): (Label, Label),
    ) -> Result<()> {
        let (Some(columns), Some(shared)) = (patches.columns, strip.shared) else {
            unreachable!("patches with edges have several columns and may run in vain")
        };
        let f = self.f();
        let masks = [f.reg(Class::B32, "there"), f.reg(Class::B32, "outside")];
        let run = f.label("at_edges");
        f.place(rest);
        self.columns_of(strip, masks, true);
        self.f().branch(run, false);
        self.f().place(all);
        self.columns_of(strip, masks, false);
        let f = self.f();
        f.place(run);
        let edges = self.edges(strip);
        let f = self.f();
        let (rows, row_done, done) = (f.label("rows"), f.label("end_row"), f.label("end_rows"));
        let (again, bits) = (f.label("iterations"), f.reg(Class::B32, "bits"));
        let row = f.reg(Class::B64, "row");
        f.assign(row, shared.own);
        let end = value!(f, "end", "add.u64", shared.own, strip.rows);
        let end = value!(f, "end", "min.u64", end, shared.height);
        f.place(rows);
        let beyond = value!(f, "beyond", "setp.ge.u64", row, end);
        f.branch_if(beyond, true, done);
        // Of rows that have been computed, what is outside is left.
        let behind = value!(f, "behind", "sub.u64", row, shared.first);
        let computed = value!(f, "computed", "setp.lt.u64", behind, strip.rows);
        let inside = self.edges_at(&edges, true, behind, computed);
        let f = self.f();
        let left = value!(f, "left", "selp.b32", masks[1], masks[0], inside);
        f.assign(bits, left);
        f.place(again);
        let none = value!(f, "none", "setp.eq.u32", bits, 0);
        f.branch_if(none, true, row_done);
        let reversed = value!(f, "reversed", "brev.b32", bits);
        let column = value!(f, "column", "clz.b32", reversed);
        let column = value!(f, "column", "cvt.u64.u32", column);
        let column = value!(f, "column", "add.u64", column, strip.at.column);
        let less = value!(f, "less", "sub.u32", bits, 1);
        emit!(f, "and.b32", bits, bits, less);
        let vars = self.frame().vars.clone();
        for (var, at) in [(patches.rows.at, row), (columns.at, column)] {
            let num = Num::reg(Scalar::Usize, at);
            self.frame().vars.insert(var, Value::Num(num));
        }
        let next = self.f().label("next_column");
        self.frame().loops.push(LoopTargets {
            label: LoopLabel(1),
            next,
            done: next,
            result: Value::Unit,
        });
        for stmt in patches::body(self.lp, patches.shape) {
            if self.stmt(stmt)?.is_never() {
                break;
            }
        }
        self.frame().loops.pop();
        self.frame().vars = vars;
        let f = self.f();
        f.place(next);
        f.branch(again, false);
        f.place(row_done);
        emit!(f, "add.u64", row, row, 1);
        f.branch(rows, false);
        f.place(done);
        Ok(())
    }

    /// Which columns of a patch there are, and which of them are outside, a bit for each. Where nothing has been `computed`, all are.
    fn columns_of(&mut self, strip: &mut Strip<'a>, masks: [Reg; 2], computed: bool) {
        let Some(shared) = strip.shared else { return };
        for mask in masks {
            self.f().assign(mask, 0);
        }
        let edges = self.edges(strip);
        for c in 0..strip.columns {
            let f = self.f();
            let bit = 1i64 << c;
            let at = value!(f, "column", "add.u64", strip.at.column, c);
            let there = value!(f, "there", "setp.lt.u64", at, shared.width);
            let with = value!(f, "with", "or.b32", masks[0], bit);
            emit!(f, "selp.b32", masks[0], with, masks[0], there);
            let mut outside = there;
            if computed {
                let behind = value!(f, "behind", "mov.u64", c);
                let inside = self.edges_at(&edges, false, behind, there);
                outside = value!(self.f(), "outside", "xor.pred", there, inside);
            }
            let f = self.f();
            let with = value!(f, "with", "or.b32", masks[1], bit);
            emit!(f, "selp.b32", masks[1], with, masks[1], outside);
        }
    }
}
