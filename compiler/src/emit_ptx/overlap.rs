//! Overlapped steps: gangs that take several steps each by themselves, where a row is made of the one before it. What is known of such a loop;
//! [overlapped.rs](super::overlapped) prints it.
//!
//! ```text
//! for y in 1..h { for x in 0..w { m[y * w + x] = f(m[(y - 1) * w + x], … x - 1], … x + 1], …) } }
//! ```
//!
//! That a row is made of the one before is known from the indices, as polynomials over the step and the column. The columns that an access
//! leads to are those of the loop, moved by its distance; a bound of the index (`x.saturating_sub(1)`, `(x + 1).min(w - 1)`) or a condition
//! around it (`if x > 0`) may keep it among them.
//!
//! Symbols: `reach`, the columns at either side of its own that an iteration reads of the row before, at most.

use accrue_ptx::strategy::steps::OVERLAP_THREADS;

use super::emitter::Facts;
use super::families::can_fail;
use super::linear::{Linear, Values, split};
use super::spans::Body;
use super::steps::ends_in_store;
use super::{Options, layout};
use crate::dependence::Poly;
use crate::ir::visit::Visit;
use crate::ir::{
    Access, ArrayId, BinaryOp, Expr, ExprKind, Loop, LoopLabel, Place, Root, Scalar, Stmt,
    StmtKind, Type, VarId,
};

/// The largest reach: what a gang computes in vain grows with it.
const MOST_REACH: i128 = 4;

/// What is known of a loop whose steps may overlap.
pub(super) struct Overlap<'a> {
    /// Where the loop writes.
    pub(super) to: &'a Place,
    pub(super) array: ArrayId,
    pub(super) elem: Type,
    /// Bytes of an element.
    pub(super) size: u32,
    pub(super) reach: u32,
    /// Columns beside those of the loop that it reads, at either side: what is there no step writes.
    pub(super) beside: [u32; 2],
    /// From an element of a row to that of the next, in bytes.
    pub(super) stride: Poly,
    /// The column.
    pub(super) column: VarId,
    /// What is read of the row before.
    reads: Vec<*const Place>,
    /// What has to be less than what, for columns from one to another.
    pub(super) checks: Vec<Within>,
    /// Columns that the loop has at least, or conditions mean something else than they seem to.
    pub(super) fewest: i128,
}

/// A number that is less than another for columns from the first number, counted from the loop's first, to the second, from its last.
#[derive(Clone, PartialEq)]
pub(super) struct Within {
    pub(super) at: Poly,
    pub(super) limit: Poly,
    pub(super) from: i128,
    pub(super) to: i128,
}

/// The columns in which something runs: but for so many from the first, and so many from the last.
#[derive(Clone, Copy, Default)]
struct Columns {
    first: i128,
    last: i128,
}

/// What a body accesses of what it writes.
struct Reader<'a> {
    values: Values<'a>,
    column: VarId,
    /// How many columns there are, if that is a polynomial.
    count: Option<Poly>,
    /// Those of what is being read.
    columns: Columns,
    reads: Vec<(*const Place, Linear, Columns)>,
    writes: Vec<Linear>,
    fewest: i128,
    fails: bool,
}

impl Visit for Reader<'_> {
    fn load(&mut self, place: &Place) {
        if let Root::Array(id) = place.root
            && self.values.lp.array(id).access == Access::Owned
        {
            let read = self.values.place(place);
            self.fails |= read.is_none();
            let columns = self.columns;
            self.reads
                .extend(read.map(|read| (std::ptr::from_ref(place), read, columns)));
        }
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        if let Root::Array(_) = place.root {
            let written = self.values.place(place);
            self.fails |= written.is_none();
            self.writes.extend(written);
        }
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.fails |= matches!(stmt.kind, StmtKind::Check(..) | StmtKind::Update(_));
        self.stmt_parts(stmt);
        if let StmtKind::Let(var, Some(init)) = &stmt.kind {
            self.values.declare(*var, init);
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.fails |= can_fail(e);
        let around = self.columns;
        match &e.kind {
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.narrow(condition, true);
                self.block(then);
                self.columns = around;
                self.narrow(condition, false);
                otherwise.iter().for_each(|block| self.block(block));
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a);
                self.narrow(a, matches!(e.kind, ExprKind::And(..)));
                self.expr(b);
            }
            _ => self.expr_parts(e),
        }
        self.columns = around;
    }
}

impl Reader<'_> {
    /// Leaves the columns in which a condition holds, or does not, as far as they are all but some at an end.
    fn narrow(&mut self, condition: &Expr, holds: bool) {
        let (op, a, b) = match &condition.kind {
            ExprKind::And(a, b) if holds => {
                self.narrow(a, true);
                return self.narrow(b, true);
            }
            ExprKind::Or(a, b) if !holds => {
                self.narrow(a, false);
                return self.narrow(b, false);
            }
            ExprKind::Binary(op, a, b) if is_unsigned(a) => (*op, a, b),
            _ => return,
        };
        let (Some(a), Some(b)) = (self.values.plain(a), self.values.plain(b)) else {
            return;
        };
        let (a, b) = (self.place(&a), self.place(&b));
        let (by, other, op) = match (a, b) {
            (Some(Along::Column(by)), Some(other)) => (by, other, op),
            (Some(other), Some(Along::Column(by))) => (by, other, mirrored(op)),
            _ => return,
        };
        let op = if holds { op } else { negated(op) };
        let count = self.count.as_ref().and_then(Poly::as_constant);
        let (at, before) = match other {
            Along::First(at) => (Some(at), count.map(|count| count - at)),
            Along::Last(before) => (None, Some(before)),
            Along::Column(_) => return,
        };
        let first = at.map_or(0, |at| match op {
            BinaryOp::Gt => at - by + 1,
            BinaryOp::Ge => at - by,
            BinaryOp::Ne if at == by => 1,
            _ => 0,
        });
        let last = before.map_or(0, |before| match op {
            BinaryOp::Lt => before + by,
            BinaryOp::Le => before + by - 1,
            BinaryOp::Ne if before + by == 1 => 1,
            _ => 0,
        });
        self.columns.first = self.columns.first.max(first);
        self.columns.last = self.columns.last.max(last);
    }

    /// A number as a place along the columns, if it is one that does not wrap around.
    fn place(&mut self, number: &Poly) -> Option<Along> {
        let along = Along::of(number, self.column, self.count.as_ref())?;
        self.fewest = self.fewest.max(along.fewest());
        Some(along)
    }
}

/// A place along the columns.
#[derive(Clone, Copy, PartialEq)]
enum Along {
    /// So many behind the column of the iteration.
    Column(i128),
    /// So many behind the first.
    First(i128),
    /// So many before the end.
    Last(i128),
}

impl Along {
    /// The place that a number is, where there are as many columns as [`fewest`](Along::fewest) says.
    fn of(number: &Poly, column: VarId, count: Option<&Poly>) -> Option<Along> {
        let beside = |of: &Poly| (number.clone() - of.clone()).as_constant();
        let column = beside(&Values::position_of(column)).map(Along::Column);
        let first = || number.as_constant().map(Along::First);
        let last = || beside(count?).map(|by| Along::Last(-by));
        let place = column.or_else(first).or_else(last)?;
        // What is before the first column would be a large number.
        let wraps = matches!(place, Along::Column(by) | Along::First(by) if by < 0);
        (!wraps).then_some(place)
    }

    fn fewest(self) -> i128 {
        match self {
            Along::Last(before) => before,
            Along::Column(_) | Along::First(_) => 0,
        }
    }
}

fn is_unsigned(e: &Expr) -> bool {
    matches!(e.ty, Type::Scalar(Scalar::Usize | Scalar::U64))
}

/// `b op a` for `a op b`.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

/// What holds where a comparison does not; another operator of what is none.
fn negated(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        _ => BinaryOp::Eq,
    }
}

/// A line of elements that the columns of a step lead to.
struct Row {
    /// Bytes from the array's start to the first column, in the first step, and from a step to the next.
    start: Poly,
    stride: Poly,
}

impl Row {
    /// The line of an access, if a column is an element.
    fn of(bytes: &Poly, size: u32, step: VarId, column: VarId) -> Option<Row> {
        let (rest, factor) = split(bytes, column)?;
        let (start, stride) = split(&rest, step)?;
        (factor.as_constant() == Some(size.into())).then_some(Row { start, stride })
    }
}

impl<'a> Overlap<'a> {
    /// What is known of a loop, if its steps may overlap.
    pub(super) fn find(lp: &'a Loop, dealt: &[LoopLabel], options: &Options) -> Option<Self> {
        let (last, before) = lp.body.block.stmts.split_last()?;
        let StmtKind::For(inner) = &last.kind else {
            return None;
        };
        let StmtKind::Assign(to, _) = &inner.body.stmts.last()?.kind else {
            return None;
        };
        let Root::Array(array) = to.root else {
            return None;
        };
        let is_right = !options.overflow_checks
            && *dealt == [inner.label]
            && lp.body.block.tail.is_none()
            && ends_in_store(&inner.body);
        if !is_right {
            return None;
        }
        let (step, column) = (lp.space[0].position, inner.position);
        let facts = Facts::of(&lp.body);
        let mut reader = Reader {
            values: Values::over(lp, &facts.assigned, column),
            column,
            count: None,
            columns: Columns::default(),
            reads: Vec::new(),
            writes: Vec::new(),
            fewest: 0,
            fails: false,
        };
        for stmt in before {
            if let StmtKind::Let(var, Some(init)) = &stmt.kind {
                reader.values.declare(*var, init);
            }
        }
        reader.count = reader.values.plain(&inner.count);
        reader.block(&inner.body);
        let Reader {
            count,
            reads,
            writes,
            fewest,
            fails,
            ..
        } = reader;
        let [written] = &writes[..] else {
            return None;
        };
        let elem = Type::Scalar(written.scalar);
        let size = layout::of(&elem)?.size as u32;
        let row = Row::of(&written.bytes, size, step, column)?;
        if fails || reads.is_empty() || !written.guards.is_empty() {
            return None;
        }
        let mut overlap = Overlap {
            to,
            array,
            elem,
            size,
            reach: 1,
            beside: [0; 2],
            stride: row.stride,
            column,
            reads: reads.iter().map(|(place, ..)| *place).collect(),
            checks: Vec::new(),
            fewest,
        };
        for (_, read, columns) in &reads {
            let from = Row::of(&read.bytes, size, step, column)?;
            if from.stride != overlap.stride {
                return None;
            }
            let distance = from.start + from.stride - row.start.clone();
            let distance = distance
                .as_constant()
                .filter(|d| d % i128::from(size) == 0)?;
            overlap.read(read, distance / i128::from(size), *columns, count.as_ref())?;
        }
        let body = Body::of(inner);
        body.has_spans(lp, &|place| overlap.reads(place))
            .then_some(overlap)
    }

    /// Notes what is read of the row before, `distance` columns from the iteration's own.
    fn read(
        &mut self,
        read: &Linear,
        distance: i128,
        columns: Columns,
        count: Option<&Poly>,
    ) -> Option<()> {
        let is_kept = is_kept(
            read,
            distance,
            self.column,
            count,
            self.size,
            &mut self.fewest,
        )?;
        let (first, last) = match is_kept {
            true => (0, 0),
            false => (columns.first + distance, distance - columns.last),
        };
        if distance.abs() > MOST_REACH {
            return None;
        }
        self.reach = self.reach.max(distance.unsigned_abs() as u32);
        let [left, right] = &mut self.beside;
        *left = (*left).max(u32::try_from(-first).unwrap_or(0));
        *right = (*right).max(u32::try_from(last).unwrap_or(0));
        let there = [(read.bytes.clone(), read.length.clone())];
        for (at, limit) in there.iter().chain(&read.checks) {
            let check = Within {
                at: at.clone(),
                limit: limit.clone(),
                from: first - distance,
                to: last - distance,
            };
            if !self.checks.contains(&check) {
                self.checks.push(check);
            }
        }
        Some(())
    }

    /// Whether a place is one that is read of the row before.
    pub(super) fn reads(&self, place: &Place) -> bool {
        self.reads.contains(&std::ptr::from_ref(place))
    }

    /// Bytes of shared memory: two rows.
    pub(super) fn shared(&self) -> u32 {
        2 * OVERLAP_THREADS * self.size
    }
}

/// Whether a bound keeps a read, `distance` from the iteration's own column, among the columns of the loop; `None` where it may be elsewhere.
fn is_kept(
    read: &Linear,
    distance: i128,
    column: VarId,
    count: Option<&Poly>,
    size: u32,
    fewest: &mut i128,
) -> Option<bool> {
    let guarded = match &read.guards[..] {
        [] => return Some(false),
        [one] => one,
        _ => return None,
    };
    let guard = &guarded.guard;
    for number in [&guard.less, &guard.most] {
        *fewest = (*fewest).max(Along::of(number, column, count)?.fewest());
    }
    let column = Values::position_of(column);
    let inside = column.clone() + Poly::constant(distance);
    let outside = inside.clone() + guard.outside.clone()? - guard.inside.clone();
    // It is as large as this where the guard holds.
    let least = guard.most.clone() - guard.less.clone() - Poly::constant(guard.strict.into());
    let (room, end) = match distance < 0 {
        true => (inside, Poly::zero()),
        false => {
            let last = count?.clone() - Poly::constant(1);
            (last.clone() - inside, last)
        }
    };
    let is_kept = guarded.factor.as_constant() == Some(size.into())
        && least == room
        && (outside == end || outside == column);
    is_kept.then_some(true)
}
