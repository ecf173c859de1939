//! Which C `for` loops are Rust ranges: `for (i = a; i < b; i++)` is `for i in a..b` if the body
//! changes neither `i` nor `b`, and if nobody asks for `i` afterwards.

use crate::ctypes::{StructId, Type};
use crate::lower::is_null;
use crate::translate::base::facts::Facts;
use crate::translate::base::places::{is_global, root};
use crate::typed::consts;
use crate::typed::walk;
use crate::typed::{BinaryOp, Expr, ExprKind, Init, Program, Stmt, StmtKind, Storage, VarId};

/// A `for` loop that counts.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) var: VarId,
    /// Whether the loop declares the variable itself.
    pub(crate) declares: bool,
    pub(crate) start: Expr,
    pub(crate) end: Expr,
    /// Whether the end is reached.
    pub(crate) inclusive: bool,
    /// The stride, positive.
    pub(crate) step: Expr,
    pub(crate) down: bool,
}

/// The loop as a range, apart from what happens after it.
pub(crate) fn range(program: &Program, facts: &Facts, stmt: &Stmt) -> Option<Range> {
    let StmtKind::For {
        init: Some(init),
        cond: Some(cond),
        step: Some(step),
        body,
    } = &stmt.kind
    else {
        return None;
    };
    let (var, start, declares) = match &init.kind {
        StmtKind::Decl(vars) => match vars[..] {
            [var] => match &program.var(var).init {
                Some(Init::Expr(e)) => (var, (**e).clone(), true),
                _ => return None,
            },
            _ => return None,
        },
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, value),
            ..
        }) => (place.as_var()?, (**value).clone(), false),
        _ => return None,
    };
    let kind = program.var(var).ty.int()?;
    if is_global(program, var) || facts.var(var).address > 0 || kind == crate::ctypes::IntKind::Bool
    {
        return None;
    }
    let ExprKind::Binary(op, a, b) = &cond.kind else {
        return None;
    };
    let is_var = |e: &Expr| e.bare().as_var() == Some(var);
    let (op, end) = if is_var(a) {
        (*op, b)
    } else if is_var(b) {
        (mirrored(*op)?, a)
    } else {
        return None;
    };
    if !end.ty.is_int() {
        return None;
    }
    let (up, step) = stride(program, var, step)?;
    let (inclusive, down) = match op {
        BinaryOp::Lt => (false, false),
        BinaryOp::Le => (true, false),
        BinaryOp::Gt => (false, true),
        BinaryOp::Ge => (true, true),
        BinaryOp::Ne if consts::int_value(&step, program) == Some(1) => (false, !up),
        _ => return None,
    };
    if up == down {
        return None;
    }
    let end_value = consts::int_value(end, program);
    if down
        && !kind.signed()
        && (op == BinaryOp::Ge && end_value == Some(0)
            || consts::int_value(&step, program) != Some(1))
    {
        return None;
    }
    // A comparison in an unsigned type turns a negative start round.
    if let (true, Type::Int(common)) = (kind.signed(), &a.ty)
        && !common.signed()
        && consts::int_value(&start, program).is_none_or(|v| v < 0)
        && !down
    {
        return None;
    }
    let changes = |e: &Expr| assigned_in(program, body, e);
    if changes_var(program, body, var) || changes(end) || changes(&step) {
        return None;
    }
    let mut own = false;
    walk::parts(program, end, &mut |e| own |= e.as_var() == Some(var));
    let mut own_start = false;
    walk::parts(program, &start, &mut |e| {
        own_start |= e.as_var() == Some(var)
    });
    if own || own_start {
        return None;
    }
    // The end is converted to the variable's type by the caller; keep it as the user wrote it.
    let end = end.bare().clone();
    Some(Range {
        var,
        declares,
        start,
        end,
        inclusive,
        step,
        down,
    })
}

fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Ne => BinaryOp::Ne,
        _ => return None,
    })
}

/// Direction and stride of the third part of a `for`.
fn stride(program: &Program, var: VarId, step: &Expr) -> Option<(bool, Expr)> {
    let is_var = |e: &Expr| e.bare().as_var() == Some(var);
    let (op, by) = match &step.kind {
        ExprKind::Step { up, place, .. } if is_var(place) => {
            return Some((*up, Expr::int(1, place.ty.clone(), step.span)));
        }
        ExprKind::Compound {
            op, place, value, ..
        } if is_var(place) => (*op, value.bare().clone()),
        ExprKind::Assign(place, value) if is_var(place) => match &value.bare().kind {
            ExprKind::Binary(op, a, b) if is_var(a) => (*op, b.bare().clone()),
            ExprKind::Binary(BinaryOp::Add, a, b) if is_var(b) => (BinaryOp::Add, a.bare().clone()),
            _ => return None,
        },
        _ => return None,
    };
    let up = match op {
        BinaryOp::Add => true,
        BinaryOp::Sub => false,
        _ => return None,
    };
    if !by.ty.is_int() {
        return None;
    }
    match consts::int_value(&by, program) {
        Some(v) if v > 0 => Some((up, by)),
        Some(_) => None,
        // A stride that is not known must at least not be zero; C would not end then either.
        None if up => Some((up, by)),
        None => None,
    }
}

fn changes_var(program: &Program, body: &Stmt, var: VarId) -> bool {
    let mut hit = false;
    walk::exprs(program, body, &mut |e| match &e.kind {
        ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. }
        | ExprKind::AddrOf(place) => {
            hit |= place.as_var() == Some(var);
        }
        _ => {}
    });
    hit
}

/// Whether the value of an expression can change while a statement runs.
pub(crate) fn assigned_in(program: &Program, body: &Stmt, value: &Expr) -> bool {
    let mut value_parts = Parts {
        program,
        read: Vec::new(),
        opaque: false,
    };
    walk::expr(&mut value_parts, program, value);
    let Parts { read, opaque, .. } = value_parts;
    if opaque {
        return true;
    }
    let mut hit = false;
    walk::exprs(program, body, &mut |e| match &e.kind {
        ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. } => {
            let target = root(place);
            hit |= read.iter().any(|(id, _, field)| {
                Some(*id) == target && field.is_none_or(|field| may_store(program, place, field))
            });
        }
        ExprKind::AddrOf(place) => {
            let target = root(place);
            hit |= read
                .iter()
                .any(|(id, scalar, _)| *scalar && Some(*id) == target);
        }
        ExprKind::Call { callee, args } if program.function(*callee).body.is_some() => {
            for (id, scalar, _) in &read {
                let passed = args
                    .iter()
                    .any(|a| a.ty.is_pointer() && root(a) == Some(*id));
                let global = is_global(program, *id);
                hit |= passed && !scalar || global && !constant(program, *id);
            }
        }
        _ => {}
    });
    hit
}

/// A variable, whether it is a number, and the field if only a number in it is read.
type Read = (VarId, bool, Option<(StructId, u32)>);

/// What a value is made of.
struct Parts<'a> {
    program: &'a Program,
    read: Vec<Read>,
    /// Whether it may be another value each time.
    opaque: bool,
}

impl walk::Visit for Parts<'_> {
    fn expr(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(id) => {
                self.read
                    .push((*id, e.ty.is_scalar() && !e.ty.is_pointer(), None))
            }
            ExprKind::Member(..) => {
                if let Some((id, field)) = scalar_field(e) {
                    self.read.push((id, false, Some(field)));
                    return false;
                }
            }
            ExprKind::Call { callee, .. } => {
                self.opaque |= self.program.function(*callee).name != "strlen"
            }
            ExprKind::CallPointer(..)
            | ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::Step { .. }
            | ExprKind::Block(_) => self.opaque = true,
            _ => {}
        }
        true
    }
}

/// The variable and the field, if a value is a number in one, as `p->n` is.
fn scalar_field(value: &Expr) -> Option<(VarId, (StructId, u32))> {
    let ExprKind::Member(base, field) = &value.kind else {
        return None;
    };
    let whole = match &base.kind {
        ExprKind::Deref(pointer) => pointer.as_var(),
        _ => base.as_var(),
    };
    match base.ty {
        Type::Struct(id) if value.ty.is_arithmetic() => Some((whole?, (id, *field))),
        _ => None,
    }
}

/// Whether storing to a place may change a field: it is in it, or a struct is stored as a whole.
fn may_store(program: &Program, place: &Expr, field: (StructId, u32)) -> bool {
    let mut hit = matches!(place.ty, Type::Struct(_)) || place.as_var().is_some();
    walk::parts(program, place, &mut |e| {
        if let (ExprKind::Member(base, at), (id, wanted)) = (&e.kind, field) {
            hit |= base.ty == Type::Struct(id) && *at == wanted;
        }
    });
    hit
}

fn constant(program: &Program, id: VarId) -> bool {
    let var = program.var(id);
    var.constant && matches!(var.storage, Storage::Global { .. } | Storage::StaticLocal)
}

/// Whether an integer expression is known not to be negative.
pub(crate) fn nonnegative(
    program: &Program,
    expr: &Expr,
    counters: &dyn Fn(VarId) -> bool,
) -> bool {
    use ExprKind as K;
    if is_null(expr) {
        return true;
    }
    let again = |e: &Expr| nonnegative(program, e, counters);
    if let Some(value) = consts::int_value(expr, program) {
        return value >= 0;
    }
    if expr.ty.int().is_some_and(|k| !k.signed()) {
        return true;
    }
    match &expr.kind {
        K::Var(id) => counters(*id),
        K::Cast { value, .. } => {
            let narrower = match (value.ty.int(), expr.ty.int()) {
                (Some(from), Some(to)) => {
                    from.size() < to.size() || from.size() == to.size() && from.signed()
                }
                _ => false,
            };
            narrower && again(value)
        }
        K::Binary(BinaryOp::Add | BinaryOp::Mul | BinaryOp::Div, a, b) => again(a) && again(b),
        K::Binary(BinaryOp::Rem | BinaryOp::Shr, a, _) => again(a),
        K::Binary(BinaryOp::BitAnd, a, b) => again(a) || again(b),
        K::Cond(_, a, b) => again(a) && again(b),
        K::Call { callee, .. } => matches!(
            program.function(*callee).name.as_str(),
            "rand" | "strlen" | "abs"
        ),
        _ => false,
    }
}
