//! The verifier: what holds of a loop after each stage.
//!
//! After **lowering** and after every later stage:
//!
//! - The space has a dimension; each dimension's position is a variable of its own, of type `usize` and
//!   kind `Position`, and no other variable is of that kind.
//! - Counts have type `usize` and are made of literals, captured variables, lengths and operators.
//! - Every id is in range. Device functions mention no arrays and have no captured variables.
//! - A local is declared once, by a `let`, an inner loop or a `match` arm, and used only in the block
//!   that declares it. Positions, captured values and arguments are never declared.
//! - A label is declared once and used inside its loop; only `loop` is left with a value. `continue` of
//!   the parallel loop stands in the loop's body, `return` in a device function.
//! - A place of an array starts with an index, and every step fits the type it steps into. Indices,
//!   bases and windows are `usize`.
//! - No type is still being inferred. Every expression has the type that its kind and its parts give it. `Type::Opaque` and the type of
//!   what does not return agree with any; a length that only rustc knows agrees with any length.
//! - Literals lie within their types, ranges of a `match` within the scrutinee's.
//!
//! After **lowering** there are no updates. After **detection**:
//!
//! - Assignments go to locals, arguments and owned arrays; a reduced scalar and an updated array are mentioned by
//!   updates only (an updated array's length may be read).
//! - `Access` is what the body does. Updated arrays and reduced scalars are exactly the memory of the
//!   targets, each of one target.
//! - An update names a target; it has one index for each dimension down to a scalar (none for a scalar
//!   reduction), and a value of the bin's type. A target's type is its memory's and has its operator.
//! - A target has as many updates as it says.

mod expr;
mod reads;
#[cfg(test)]
mod tests;

use crate::sorted::SortedSet;
use std::fmt;

use self::reads::{Count, Reads};
use super::print::{Node, node_text};
use super::visit::Visit;
use super::{
    Access, ArrayId, Block, Body, DeviceFn, Expr, ExprKind, Extent, Histogram, Length, Loop,
    LoopLabel, Memory, Pattern, Place, Root, Scalar, SourceId, Stmt, StmtKind, Target, Type,
    Update, VarId, VarKind,
};

/// A broken invariant: a bug of this compiler, but for types that [do not fit](Violation::types).
#[derive(Clone, Debug)]
pub struct Violation {
    /// The stage that made the loop: `lowering` or `detection`.
    pub stage: &'static str,
    /// What does not hold.
    pub what: String,
    /// Whether it is that two types do not fit, as they do not where the user's do not, or where a name of a primitive type stands for another.
    pub types: bool,
    /// The text of the smallest node where it does not hold.
    pub node: String,
    /// Where the node stands.
    pub source: SourceId,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "after {}: {}\n  in: {}",
            self.stage, self.what, self.node
        )
    }
}

impl std::error::Error for Violation {}

impl Loop {
    /// Checks the invariants of a lowered loop.
    ///
    /// # Errors
    ///
    /// The first invariant that is broken.
    pub fn verify(&self) -> Result<(), Box<Violation>> {
        check_loop(self, None)
    }

    /// Checks the invariants of a loop after detection.
    ///
    /// # Errors
    ///
    /// The first invariant that is broken.
    pub fn verify_detected(&self, pattern: &Pattern) -> Result<(), Box<Violation>> {
        check_loop(self, Some(pattern))
    }
}

type Result<T, E = Box<Violation>> = std::result::Result<T, E>;

const USIZE: Type = Type::Scalar(Scalar::Usize);
const BOOL: Type = Type::Scalar(Scalar::Bool);

fn check_loop(lp: &Loop, pattern: Option<&Pattern>) -> Result<()> {
    let targets = pattern.map(|Pattern::Histogram(Histogram { targets, .. })| targets.as_slice());
    let mut v = Verifier::new(lp, targets, &lp.body, None);
    v.tables()?;
    v.space()?;
    v.scopes
        .push(lp.space.iter().map(|dim| dim.position).collect());
    v.block(&lp.body.block)?;
    let updates = std::mem::take(&mut v.updates);
    if let Some(targets) = targets {
        v.targets(targets, &updates)?;
        v.accesses()?;
    }
    for function in &lp.functions {
        let mut v = Verifier::new(lp, targets, &function.body, Some(function));
        v.tables()?;
        v.scopes.push(function.params.clone());
        let ty = v.block(&function.body.block)?;
        if !agree(&ty, &function.output) {
            let what = format!(
                "`{}` is of type {ty} and returns {}",
                function.name, function.output
            );
            return v.fail_at(function.source, function.name.clone(), what);
        }
    }
    Ok(())
}

/// Whether two types can be one: what is not known agrees with anything.
fn agree(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (a, b) if [a, b].iter().any(|ty| ty.is_open() || **ty == Type::Never) => true,
        (Type::Array(a, n), Type::Array(b, m)) => {
            let lengths = match (n, m) {
                (Length::Known(n), Length::Known(m)) => n == m,
                _ => true,
            };
            lengths && agree(a, b)
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        _ => a == b,
    }
}

struct Verifier<'a> {
    lp: &'a Loop,
    targets: Option<&'a [Target]>,
    body: &'a Body,
    function: Option<&'a DeviceFn>,
    /// Locals and positions in scope, a list for each open block.
    scopes: Vec<Vec<VarId>>,
    declared: SortedSet<VarId>,
    /// Labels in scope, with the type that a `loop` is left with, `None` for other loops.
    labels: Vec<(LoopLabel, Option<Type>)>,
    used_labels: SortedSet<LoopLabel>,
    /// Labels of loops that a `break` leaves.
    broken: SortedSet<LoopLabel>,
    /// How often each target is updated.
    updates: Vec<usize>,
}

impl<'a> Verifier<'a> {
    fn new(
        lp: &'a Loop,
        targets: Option<&'a [Target]>,
        body: &'a Body,
        function: Option<&'a DeviceFn>,
    ) -> Self {
        Verifier {
            lp,
            targets,
            body,
            function,
            scopes: Vec::new(),
            declared: SortedSet::new(),
            labels: Vec::new(),
            used_labels: SortedSet::new(),
            broken: SortedSet::new(),
            updates: vec![0; targets.map_or(0, <[Target]>::len)],
        }
    }

    fn fail_at<T>(&self, source: SourceId, node: String, what: impl Into<String>) -> Result<T> {
        let stage = if self.targets.is_some() {
            "detection"
        } else {
            "lowering"
        };
        Err(Box::new(Violation {
            stage,
            what: what.into(),
            types: false,
            node,
            source,
        }))
    }

    /// Two types do not fit.
    fn misfit<T>(&self, source: SourceId, node: Node<'_>, what: impl Into<String>) -> Result<T> {
        self.fail(source, node, what).map_err(|mut violation| {
            violation.types = true;
            violation
        })
    }

    fn fail<T>(&self, source: SourceId, node: Node<'_>, what: impl Into<String>) -> Result<T> {
        self.fail_at(source, node_text(self.lp, self.body, node), what)
    }

    fn fail_expr<T>(&self, e: &Expr, what: impl Into<String>) -> Result<T> {
        self.fail(e.source, Node::Expr(e), what)
    }

    /// Kinds and lengths of the variables and arrays themselves.
    fn tables(&self) -> Result<()> {
        for var in &self.body.vars {
            let kind_fits = match var.kind {
                VarKind::Local => true,
                VarKind::Param => self.function.is_some(),
                VarKind::Position
                | VarKind::Captured
                | VarKind::Reduced
                | VarKind::Best
                | VarKind::Carried => self.function.is_none(),
            };
            if !kind_fits {
                let what = format!("a variable of kind {:?} stands here", var.kind);
                return self.fail_at(var.source, var.name.clone(), what);
            }
            self.lengths(&var.ty, var.source)?;
        }
        if let Some(function) = self.function {
            for &id in &function.params {
                if !matches!(self.body.vars.get(id.0 as usize), Some(v) if v.kind == VarKind::Param)
                {
                    let what = format!("parameter {} is not an argument", id.0);
                    return self.fail_at(function.source, function.name.clone(), what);
                }
            }
            return Ok(());
        }
        for array in &self.lp.arrays {
            self.lengths(&array.elem, array.source)?;
            if let Extent::Fixed(Length::Captured(id)) = array.extent {
                self.captured_length(id, array.source)?;
            }
            if array.elem.lies_open() {
                let what = format!("elements of type {} cannot be captured", array.elem);
                return self.fail_at(array.source, array.name.clone(), what);
            }
        }
        Ok(())
    }

    fn lengths(&self, ty: &Type, source: SourceId) -> Result<()> {
        match ty {
            Type::Array(elem, length) => {
                if let Length::Captured(id) = length {
                    self.captured_length(*id, source)?;
                }
                self.lengths(elem, source)
            }
            Type::Tuple(parts) => parts.iter().try_for_each(|t| self.lengths(t, source)),
            Type::Struct(s) => s
                .fields
                .iter()
                .try_for_each(|(_, t)| self.lengths(t, source)),
            Type::Infer(_) => {
                self.fail_at(source, ty.to_string(), "a type is still being inferred")
            }
            Type::Unit | Type::Never | Type::Scalar(_) | Type::Opaque(_) | Type::Integer(_) => {
                Ok(())
            }
        }
    }

    /// A captured length is a variable of the loop, also inside device functions' types.
    fn captured_length(&self, id: VarId, source: SourceId) -> Result<()> {
        match self.lp.body.vars.get(id.0 as usize) {
            Some(var) if var.kind == VarKind::Captured && agree(&var.ty, &USIZE) => Ok(()),
            _ => self.fail_at(
                source,
                format!("variable {}", id.0),
                "the length is no captured usize",
            ),
        }
    }

    fn space(&mut self) -> Result<()> {
        if self.lp.space.is_empty() {
            return self.fail_at(
                self.lp.source,
                self.lp.function.clone(),
                "the space has no dimension",
            );
        }
        let mut positions = SortedSet::new();
        for dim in &self.lp.space {
            let is_position = match self.body.vars.get(dim.position.0 as usize) {
                Some(var) => var.kind == VarKind::Position && var.ty == USIZE,
                None => false,
            };
            if !is_position || !positions.insert(dim.position) {
                let what = "the dimension's position is no position of its own";
                return self.fail_at(dim.source, dim.text.clone(), what);
            }
            if let Some(what) = Count::foreign(&dim.count, &self.body.vars) {
                return self.fail_expr(&dim.count, format!("a count cannot hold {what}"));
            }
            self.expect(&dim.count, &USIZE)?;
        }
        for (id, var) in self.body.vars.iter().enumerate() {
            if var.kind == VarKind::Position && !positions.contains(&VarId(id as u32)) {
                return self.fail_at(var.source, var.name.clone(), "a position of no dimension");
            }
        }
        Ok(())
    }

    fn declare(&mut self, id: VarId, source: SourceId) -> Result<Type> {
        let Some(var) = self.body.vars.get(id.0 as usize) else {
            return self.fail_at(source, format!("variable {}", id.0), "no such variable");
        };
        if var.kind != VarKind::Local || !self.declared.insert(id) {
            return self.fail_at(source, var.name.clone(), "declared twice, or no local");
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(id);
        }
        Ok(var.ty.clone())
    }

    fn block(&mut self, block: &Block) -> Result<Type> {
        self.scopes.push(Vec::new());
        let mut ends = false;
        for stmt in &block.stmts {
            ends |= self.stmt(stmt)?;
        }
        let ty = match &block.tail {
            Some(tail) => self.expr(tail)?,
            None => Type::Unit,
        };
        self.scopes.pop();
        Ok(if ends { Type::Never } else { ty })
    }

    /// Checks a statement; true where it does not end normally.
    fn stmt(&mut self, stmt: &Stmt) -> Result<bool> {
        let node = Node::Stmt(stmt);
        match &stmt.kind {
            StmtKind::Let(id, value) => {
                let mut ends = false;
                if let Some(value) = value {
                    ends = self.expr(value)? == Type::Never;
                }
                let ty = self.declare(*id, stmt.source)?;
                if let Some(value) = value
                    && !agree(&ty, &value.ty)
                {
                    let what = format!("a {ty} is declared with a value of type {}", value.ty);
                    return self.misfit(stmt.source, node, what);
                }
                Ok(ends)
            }
            StmtKind::Assign(place, value) => {
                let ends = self.expr(value)? == Type::Never;
                let ty = self.place(place, stmt.source)?;
                self.assigned(stmt, place)?;
                if !agree(&ty, &value.ty) {
                    let what = format!("a value of type {} is assigned to a {ty}", value.ty);
                    return self.misfit(stmt.source, node, what);
                }
                Ok(ends)
            }
            StmtKind::Compound(place, op, value) => {
                let ends = self.expr(value)? == Type::Never;
                let ty = self.place(place, stmt.source)?;
                self.assigned(stmt, place)?;
                if op.is_comparison() || !self.operands_fit(*op, &ty, &value.ty) {
                    let what = format!("`{}=` of {ty} and {}", op.symbol(), value.ty);
                    return self.misfit(stmt.source, node, what);
                }
                Ok(ends)
            }
            StmtKind::Update(update) => {
                self.update(stmt, update)?;
                Ok(false)
            }
            StmtKind::For(l) => {
                self.expect(&l.count, &USIZE)?;
                self.label(l.label, None, stmt.source, node)?;
                self.scopes.push(Vec::new());
                let ty = self.declare(l.position, stmt.source)?;
                if ty != USIZE {
                    return self.fail(stmt.source, node, "the position is no usize");
                }
                self.block(&l.body)?;
                self.scopes.pop();
                self.labels.pop();
                Ok(false)
            }
            StmtKind::While(label, condition, body) => {
                self.label(*label, None, stmt.source, node)?;
                self.expect(condition, &BOOL)?;
                self.block(body)?;
                self.labels.pop();
                Ok(false)
            }
            StmtKind::Expr(e) => Ok(self.expr(e)? == Type::Never),
            StmtKind::Check(condition, _) => {
                self.expect(condition, &BOOL)?;
                Ok(false)
            }
        }
    }

    /// After detection only locals and arguments are assigned; before, anything but a position.
    fn assigned(&self, stmt: &Stmt, place: &Place) -> Result<()> {
        let what = match place.root {
            Root::Array(id) if self.lp.arrays[id.0 as usize].access == Access::Owned => {
                return Ok(());
            }
            Root::Array(_) if self.targets.is_some() => "captured memory is assigned",
            Root::Array(_) => return Ok(()),
            Root::Var(id) => match self.body.vars[id.0 as usize].kind {
                VarKind::Local | VarKind::Param | VarKind::Best | VarKind::Carried => {
                    return Ok(());
                }
                VarKind::Position => "a position is assigned",
                VarKind::Captured | VarKind::Reduced if self.targets.is_none() => return Ok(()),
                VarKind::Captured | VarKind::Reduced => "a captured variable is assigned",
            },
        };
        self.fail(stmt.source, Node::Stmt(stmt), what)
    }

    fn update(&mut self, stmt: &Stmt, update: &Update) -> Result<()> {
        let node = Node::Stmt(stmt);
        self.expr(&update.value)?;
        for index in &update.bin {
            self.index(index)?;
        }
        let Some(targets) = self.targets else {
            return self.fail(stmt.source, node, "an update stands before detection");
        };
        let Some(target) = targets
            .get(update.target)
            .filter(|_| self.function.is_none())
        else {
            return self.fail(stmt.source, node, "the update's target does not exist here");
        };
        self.updates[update.target] += 1;
        let (depth, elem) = match target.memory {
            Memory::Scalar(_) => (Some(0), target.elem),
            Memory::Bins(id) => match self.lp.arrays.get(id.0 as usize) {
                Some(array) => bin_type(&array.elem),
                None => return self.fail(stmt.source, node, "the target's array does not exist"),
            },
        };
        if depth.is_some_and(|depth| depth != update.bin.len()) {
            let what = format!("{} indices do not lead to a scalar", update.bin.len());
            return self.fail(stmt.source, node, what);
        }
        if let Some(elem) = elem
            && !agree(&update.value.ty, &elem.into())
        {
            let what = format!("a {elem} is updated by a value of type {}", update.value.ty);
            return self.fail(stmt.source, node, what);
        }
        if !target.op.two_signs && target.op.op.subtracts() != update.subtracts {
            let what = format!("the sign of the update is not that of `{}`", target.op);
            return self.fail(stmt.source, node, what);
        }
        Ok(())
    }

    /// Targets against the memory they name and the updates found.
    fn targets(&self, targets: &[Target], updates: &[usize]) -> Result<()> {
        let mut memory = SortedSet::new();
        for (i, target) in targets.iter().enumerate() {
            let node = format!("target {i}");
            let fail = |what: String| self.fail_at(self.lp.source, node.clone(), what);
            let (id, elem) = match target.memory {
                Memory::Bins(ArrayId(id)) => match self.lp.arrays.get(id as usize) {
                    Some(array) if array.access == Access::Updated => (id, bin_type(&array.elem).1),
                    _ => return fail(format!("array {id} is not updated")),
                },
                Memory::Scalar(VarId(id)) => match self.body.vars.get(id as usize) {
                    Some(var) if var.kind == VarKind::Reduced => (id, var.ty.as_scalar()),
                    _ => return fail(format!("variable {id} is not reduced")),
                },
            };
            let is_scalar = matches!(target.memory, Memory::Scalar(_));
            if !memory.insert((is_scalar, id)) {
                return fail("two targets share their memory".into());
            }
            if target.elem.is_some() && elem.is_some() && target.elem != elem {
                return fail(format!("the bins are {elem:?}, not {:?}", target.elem));
            }
            if let Some(elem) = target.elem
                && !target.op.op.applies_to(elem)
            {
                return fail(format!("{elem} has no `{}`", target.op));
            }
            if target.sites != updates[i] {
                return fail(format!(
                    "{} sites, and {} updates",
                    target.sites, updates[i]
                ));
            }
        }
        for (id, array) in self.lp.arrays.iter().enumerate() {
            if array.access == Access::Updated && !memory.contains(&(false, id as u32)) {
                return self.fail_at(array.source, array.name.clone(), "updated by no target");
            }
        }
        for (id, var) in self.body.vars.iter().enumerate() {
            if var.kind == VarKind::Reduced && !memory.contains(&(true, id as u32)) {
                return self.fail_at(var.source, var.name.clone(), "reduced by no target");
            }
        }
        Ok(())
    }

    /// Nothing reads what is updated, and nothing reads an array of which only the length is used.
    fn accesses(&self) -> Result<()> {
        let mut reads = Reads::default();
        reads.block(&self.body.block);
        for (root, source) in reads.0 {
            let (name, what) = match root {
                Root::Array(id) => (
                    &self.lp.array(id).name,
                    match self.lp.array(id).access {
                        Access::Read | Access::Owned => continue,
                        Access::Updated => "an updated array is read",
                        Access::LengthOnly => "an array of which only the length is used is read",
                    },
                ),
                Root::Var(id) => match &self.body.vars[id.0 as usize] {
                    var if var.kind == VarKind::Reduced => {
                        (&var.name, "a reduced variable is read")
                    }
                    _ => continue,
                },
            };
            return self.fail_at(source, name.clone(), what);
        }
        Ok(())
    }
}

/// How many indices lead from an array of `elem`s to a scalar, and which; `None` where it is not known.
fn bin_type(elem: &Type) -> (Option<usize>, Option<Scalar>) {
    match elem {
        Type::Scalar(s) => (Some(1), Some(*s)),
        Type::Array(elem, _) => {
            let (depth, scalar) = bin_type(elem);
            (depth.map(|depth| depth + 1), scalar)
        }
        Type::Unit
        | Type::Never
        | Type::Tuple(_)
        | Type::Struct(_)
        | Type::Opaque(_)
        | Type::Integer(_)
        | Type::Infer(_) => (None, None),
    }
}
