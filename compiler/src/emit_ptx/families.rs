//! Families: what the iterations of a patch read and write side by side.
//!
//! ```text
//! out[at] = x[at] + x[at - 1] + x[at + 1] + x[at - w] + x[at + w]
//!
//!         · x ·          A family of five: lines `w` elements apart, of which a patch of R rows needs R + 2.
//!         x x x          A line is loaded once, and all who read it have it from registers.
//!         · x ·
//! ```
//!
//! Places of one array are a family if their addresses differ by so many lines and so many elements, whatever the strides are
//! ([`linear`](super::linear)). A line runs along the innermost dimension, or, where the loop writes what it reads along the other one
//! (`out[x * h + y] = src[y * w + x]`), along the rows. Other places are alone, and each element of theirs is where it is.

use std::collections::{BTreeMap, BTreeSet};

use super::edges::Edge;
use super::emitter::Facts;
use super::linear::{Guard, Guarded, Linear, Values, divided, split};
use super::rims::Rim;
use crate::dependence::Poly;
use crate::ir::visit::Visit;
use crate::ir::{
    Access, ArrayId, BinaryOp, Expr, ExprKind, Literal, Loop, Method, Place, Projection, Root,
    Scalar, Stmt, StmtKind, VarId,
};

/// Lines that a family has above and below those of the patch, at most, and elements beside them.
const MOST_LINES: i128 = 32;
const MOST_ELEMENTS: i128 = 64;

/// Which way lines run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// From column to column.
    Columns,
    /// From row to row.
    Rows,
    /// Elements are anywhere.
    Nowhere,
}

/// Places of an array that are side by side.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) array: ArrayId,
    pub(super) owned: bool,
    pub(super) scalar: Scalar,
    pub(super) along: Along,
    /// Bytes from the start of the array to line 0, element 0.
    pub(super) base: Poly,
    /// The bytes of the array.
    pub(super) length: Poly,
    /// Bytes from row to row, and from column to column.
    pub(super) row: Poly,
    pub(super) column: Poly,
    /// What else has to be in range.
    pub(super) checks: Vec<(Poly, Poly)>,
    /// The element that is aligned where the patch is.
    pub(super) aligned: i32,
    /// Where lines, and elements of lines, are others than they would be.
    pub(super) rims: [Option<Rim>; 2],
}

/// One access.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// Which place of the body it is.
    pub(super) place: *const Place,
    pub(super) family: usize,
    /// Lines and elements from the family's.
    pub(super) line: i32,
    pub(super) element: i32,
    /// The statement, counted in the body.
    pub(super) stmt: usize,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Whether what it is waits for the others: a store that every iteration comes to, or what is read before it.
    pub(super) kept: bool,
    /// Where it is there.
    pub(super) guards: Vec<Guarded>,
}

/// What the patches of a loop are, and how they are printed.
#[derive(Clone, Debug)]
pub(super) struct Families {
    pub(super) list: Vec<Family>,
    pub(super) uses: Vec<Use>,
    /// Where all that is so, but for rims.
    pub(super) guards: Vec<Guard>,
    /// Whether indices that are compared with something are others at edges.
    pub(super) checks_are_guarded: bool,
    /// The family whose lines patches are aligned to.
    pub(super) anchor: Option<usize>,
    /// Whether statements may be printed for all iterations before the next: none of them can fail or jump.
    pub(super) in_step: bool,
    /// Whether iterations may run that are not there, or twice, as long as they do not write.
    pub(super) in_vain: bool,
    /// Whether anything runs along the rows.
    pub(super) across: bool,
    /// The size of what is printed for an iteration, in expressions.
    pub(super) size: u32,
}

impl Family {
    /// The bytes of an element.
    pub(super) fn size(&self) -> u32 {
        self.scalar.size()
    }

    /// Bytes from element to element of a line, where that is a number.
    pub(super) fn element_bytes(&self) -> i64 {
        match (self.along, self.column.as_constant()) {
            (Along::Nowhere, Some(column)) => column as i64,
            _ => i64::from(self.size()),
        }
    }

    /// Which line and which element of a use an iteration of the patch has.
    pub(super) fn at(&self, used: &Use, row: u32, column: u32) -> (i32, i32) {
        let step = |poly: &Poly, n: u32| if poly.is_zero() { 0 } else { n as i32 };
        let (line, element) = match self.along {
            Along::Columns => (step(&self.row, row), column as i32),
            Along::Rows => (step(&self.column, column), row as i32),
            Along::Nowhere => (step(&self.row, row), step(&self.column, column)),
        };
        (used.line + line, used.element + element)
    }

    /// Bytes from line to line.
    pub(super) fn step(&self) -> &Poly {
        match self.along {
            Along::Columns | Along::Nowhere => &self.row,
            Along::Rows => &self.column,
        }
    }
}

impl Families {
    /// What a body accesses side by side over patches of rows of one dimension; `None` where nothing is to be had.
    pub(super) fn of(lp: &Loop, stmts: &[Stmt], row: VarId, column: VarId) -> Option<Families> {
        let facts = Facts::of(&lp.body);
        let mut reader = Reader {
            values: Values::new(lp, &facts.assigned),
            row,
            column,
            families: Families {
                list: Vec::new(),
                uses: Vec::new(),
                guards: Vec::new(),
                checks_are_guarded: false,
                anchor: None,
                in_step: true,
                in_vain: true,
                across: false,
                size: 0,
            },
            stmt: 0,
            top: None,
            compound: false,
            jumps: false,
        };
        for (n, stmt) in stmts.iter().enumerate() {
            reader.stmt = n;
            reader.top = match &stmt.kind {
                StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) => {
                    Some(std::ptr::from_ref(place))
                }
                _ => None,
            };
            reader.stmt(stmt);
        }
        let mut families = reader.families;
        families.in_step &= !reader.jumps && facts.indexed.is_empty();
        families.keep(lp, reader.jumps);
        families.align();
        families.find_rims(row, column);
        let lines = families.list.iter().any(|f| f.along != Along::Nowhere);
        lines.then_some(families)
    }

    /// Finds out which stores wait for each other, and what may be read before them.
    fn keep(&mut self, lp: &Loop, jumps: bool) {
        self.in_vain = self.in_step;
        let arrays: BTreeSet<ArrayId> = self.list.iter().map(|f| f.array).collect();
        for array in arrays {
            let owned = lp.array(array).access == Access::Owned;
            let of: Vec<usize> = (0..self.uses.len())
                .filter(|n| self.list[self.uses[*n].family].array == array)
                .collect();
            if !owned {
                of.iter().for_each(|n| self.uses[*n].kept = true);
                continue;
            }
            let place = |n: usize| {
                let used: &Use = &self.uses[n];
                (used.family, used.line, used.element)
            };
            let first = place(of[0]);
            let alike = of.iter().all(|n| place(*n) == first);
            let stores: Vec<usize> = of
                .iter()
                .copied()
                .filter(|n| self.uses[*n].writes)
                .collect();
            // At the top of the body, where everybody comes to.
            let at_top = stores.iter().all(|n| self.uses[*n].kept);
            let behind = |n: &usize| self.uses[*n].stmt > self.uses[stores[0]].stmt;
            let kept = !jumps && alike && at_top && stores.len() == 1 && !of.iter().any(behind);
            of.iter().for_each(|n| self.uses[*n].kept = kept);
            self.in_vain &= kept && !of.iter().any(|n| self.uses[*n].reads);
        }
    }

    /// Chooses what patches are aligned to, and where the other families are then.
    fn align(&mut self) {
        let columns = |n: &usize| self.list[*n].along == Along::Columns;
        let written = |n: &usize| self.uses.iter().any(|u| u.writes && u.family == *n);
        let all = 0..self.list.len();
        let stored = all.clone().find(|n| columns(n) && written(n));
        self.anchor = stored.or_else(|| all.clone().find(columns));
        let anchor = self.anchor.map(|n| self.list[n].clone());
        for n in 0..self.list.len() {
            let of = self
                .uses
                .iter()
                .filter(|u| u.family == n)
                .map(|u| u.element);
            let (least, most) = of.fold((i32::MAX, i32::MIN), |(a, b), e| (a.min(e), b.max(e)));
            let middle = (least + most).div_euclid(2);
            let family = &self.list[n];
            let beside = anchor.as_ref().and_then(|anchor| {
                let elements = |f: &Family| divided(&f.base, f.size().into());
                let apart = elements(family)? - elements(anchor)?;
                let step = divided(&family.row, family.size().into())?;
                let rest = match step.is_zero() {
                    true => apart,
                    false => apart.divide(&step)?.1,
                };
                let rest = rest.as_constant().filter(|c| c.abs() <= MOST_ELEMENTS)?;
                Some(-(rest as i32))
            });
            self.list[n].aligned = match self.list[n].along {
                Along::Columns => beside.unwrap_or(middle),
                Along::Rows | Along::Nowhere => middle,
            };
        }
        self.across = self
            .list
            .iter()
            .any(|f| f.along == Along::Rows && !f.step().is_zero());
    }

    /// The elements of each line that a patch needs: from, and to before.
    pub(super) fn lines(&self, rows: u32, columns: u32) -> BTreeMap<(usize, i32), (i32, i32)> {
        let mut lines = BTreeMap::new();
        for used in &self.uses {
            for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let (line, element) = self.list[used.family].at(used, row, column);
                let range = lines
                    .entry((used.family, line))
                    .or_insert((element, element + 1));
                *range = (range.0.min(element), range.1.max(element + 1));
            }
        }
        lines
    }
}

/// Reads a body.
struct Reader<'a> {
    values: Values<'a>,
    row: VarId,
    column: VarId,
    families: Families,
    stmt: usize,
    /// What the current statement at the top writes.
    top: Option<*const Place>,
    /// Whether the innermost statement combines a value into what it writes.
    compound: bool,
    jumps: bool,
}

impl Reader<'_> {
    /// Notes an access; false where its address is not known to grow evenly.
    fn access(&mut self, place: &Place, writes: bool) -> bool {
        let Root::Array(array) = place.root else {
            return false;
        };
        let access = self.values.lp.array(array).access;
        if !matches!(access, Access::Read | Access::Owned) {
            return false;
        }
        let owned = access == Access::Owned;
        let Some(found) = self.values.place(place) else {
            return false;
        };
        let (row, column) = (self.row, self.column);
        if !found
            .guards
            .iter()
            .all(|g| Edge::moves(&g.guard, row, column).is_some())
        {
            return false;
        }
        let guards = found.guards.clone();
        self.families.checks_are_guarded |= found.checks_are_guarded;
        let Some((family, line, element)) = self.family(array, owned, found) else {
            return false;
        };
        let known = &mut self.families.guards;
        for guard in guards.iter().map(|g| &g.guard) {
            if !known.contains(guard) {
                known.push(guard.clone());
            }
        }
        let place = std::ptr::from_ref(place);
        self.families.uses.push(Use {
            place,
            family,
            line,
            element,
            stmt: self.stmt,
            reads: !writes || self.compound,
            writes,
            kept: self.top == Some(place),
            guards,
        });
        true
    }

    /// The family of an access, with its line and its element in it.
    fn family(&mut self, array: ArrayId, owned: bool, found: Linear) -> Option<(usize, i32, i32)> {
        let parts = |poly: &Poly| {
            let (rest, row) = split(poly, self.row)?;
            let (rest, column) = split(&rest, self.column)?;
            // A product of both is in what the row is multiplied with.
            let both = split(&row, self.column)?.1;
            (both.is_zero() && grows(&row) && grows(&column)).then_some((rest, row, column))
        };
        let (rest, row, column) = parts(&found.bytes)?;
        let known = found.checks.iter().all(|(index, limit)| {
            let stays = |p: &Poly, var| split(p, var).is_some_and(|(_, f)| f.is_zero());
            parts(index).is_some() && stays(limit, self.row) && stays(limit, self.column)
        });
        if !known {
            return None;
        }
        let size = i128::from(found.scalar.size());
        let along = match (column.as_constant(), row.as_constant()) {
            (Some(c), _) if c == size => Along::Columns,
            (_, Some(r)) if r == size => Along::Rows,
            _ => Along::Nowhere,
        };
        let step = match along {
            Along::Rows => column.clone(),
            _ => row.clone(),
        };
        let alike = self.families.list.iter().enumerate().filter(|(_, f)| {
            let same = (f.array, f.scalar, f.along) == (array, found.scalar, along);
            same && f.row == row && f.column == column
        });
        for (number, family) in alike {
            let apart = rest.clone() - split(&split(&family.base, self.row)?.0, self.column)?.0;
            let (lines, left) = match (along, step.is_zero()) {
                (Along::Nowhere, _) | (_, true) => (0, apart),
                _ => apart.divide(&step)?,
            };
            let near = |c: &i128| match along {
                Along::Nowhere => *c == 0,
                _ => c % size == 0 && (c / size).abs() <= MOST_ELEMENTS,
            };
            if let Some(bytes) = left.as_constant().filter(near)
                && lines.abs() <= MOST_LINES
            {
                let checks = &mut self.families.list[number].checks;
                let new = found.checks.into_iter().filter(|c| !checks.contains(c));
                let new: Vec<_> = new.collect();
                checks.extend(new);
                return Some((number, lines as i32, (bytes / size) as i32));
            }
        }
        self.families.list.push(Family {
            array,
            owned,
            scalar: found.scalar,
            along,
            base: found.bytes,
            length: found.length,
            row,
            column,
            checks: found.checks,
            aligned: 0,
            rims: [None, None],
        });
        Some((self.families.list.len() - 1, 0, 0))
    }
}

/// Whether a stride cannot be known to be negative.
fn grows(stride: &Poly) -> bool {
    stride
        .as_constant()
        .is_none_or(|c| (0..1 << 31).contains(&c))
}

impl Visit for Reader<'_> {
    fn load(&mut self, place: &Place) {
        match place.root {
            Root::Array(_) => {
                // What is known to be in range has no index that is printed.
                if !self.access(place, false) {
                    self.families.in_step = false;
                    self.place_parts(place);
                }
            }
            Root::Var(_) => {
                self.of_variable(place);
                self.place_parts(place);
            }
        }
    }

    fn store(&mut self, place: &Place) {
        match place.root {
            Root::Array(_) => {
                if !self.access(place, true) {
                    self.families.in_step = false;
                    self.place_parts(place);
                }
            }
            Root::Var(_) => {
                self.of_variable(place);
                self.place_parts(place);
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        // A value may have statements of its own, which come before the place.
        match &stmt.kind {
            StmtKind::Compound(place, _, value) => {
                self.expr(value);
                self.compound = true;
                self.store(place);
                self.compound = false;
            }
            _ => self.stmt_parts(stmt),
        }
        match &stmt.kind {
            StmtKind::Let(var, Some(init)) => self.values.declare(*var, init),
            StmtKind::Check(..) | StmtKind::Update(_) => self.families.in_step = false,
            StmtKind::For(_) | StmtKind::While(..) => self.jumps = true,
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.families.size += 1;
        match &e.kind {
            ExprKind::Continue(_)
            | ExprKind::Break(..)
            | ExprKind::Loop(..)
            | ExprKind::Return(_) => self.jumps = true,
            _ => self.families.in_step &= !can_fail(e),
        }
        self.expr_parts(e);
    }
}

impl Reader<'_> {
    /// Parts of variables at indices that are computed may not be there.
    fn of_variable(&mut self, place: &Place) {
        let constant = |step: &Projection| match step {
            Projection::Index(index) => matches!(index.index.kind, ExprKind::Literal(_)),
            Projection::Field(_) => true,
        };
        self.families.in_step &= place.path.iter().all(constant);
    }
}

/// Whether evaluating an expression, but for its parts, may fail where overflow is not checked. What is not known to succeed may.
pub(super) fn can_fail(e: &Expr) -> bool {
    let int = |e: &Expr| e.ty.as_scalar().is_none_or(Scalar::is_int);
    let literal = |e: &Expr| match e.kind {
        ExprKind::Literal(Literal::Int(n)) => Some(n as f64),
        ExprKind::Literal(Literal::Float(x)) => Some(x),
        _ => None,
    };
    match &e.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
            int(a) && literal(b).is_none_or(|n| n == 0.0 || n == -1.0)
        }
        ExprKind::Method(Method::Clamp, parts) => {
            let bounds = literal(&parts[1]).zip(literal(&parts[2]));
            !bounds.is_some_and(|(low, high)| low <= high)
        }
        ExprKind::Method(method, parts) => {
            let fails = !matches!(
                method,
                Method::Min
                    | Method::Max
                    | Method::Abs
                    | Method::Signum
                    | Method::AbsDiff
                    | Method::UnsignedAbs
                    | Method::WrappingAdd
                    | Method::WrappingSub
                    | Method::WrappingMul
                    | Method::WrappingNeg
                    | Method::SaturatingAdd
                    | Method::SaturatingSub
                    | Method::SaturatingMul
                    | Method::CountOnes
                    | Method::RotateLeft
                    | Method::RotateRight
            );
            fails && int(&parts[0])
        }
        ExprKind::Call(..) | ExprKind::Panic(_) | ExprKind::Opaque(_) => true,
        _ => false,
    }
}
