//! What functions do with their pointer parameters, and when two places are the same.

use crate::typed::walk;
pub(crate) use crate::typed::walk::quiet;
use crate::typed::{Expr, ExprKind, FnId, Program, VarId};

/// What a function does with a pointer parameter.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Usage {
    pub(crate) indexed: bool,
    /// Indexed or stepped, being passed on not counted.
    pub(crate) indexed_other: bool,
    pub(crate) dereferenced: bool,
    pub(crate) assigns_target: bool,
}

pub(crate) fn usage(program: &Program, function: FnId, param: VarId) -> Usage {
    let mut out = Usage::default();
    let Some(body) = &program.function(function).body else {
        return out;
    };
    let is = |e: &Expr| e.stripped().as_var() == Some(param);
    let mut plain = 0u32;
    let mut mentions = 0u32;
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| match &e.kind {
            ExprKind::Var(id) if *id == param => mentions += 1,
            ExprKind::Deref(p) if is(p) => {
                out.dereferenced = true;
                plain += 1;
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && (is(a) || is(b)) => plain += 1,
            ExprKind::Index(p, _) if is(p) => {
                out.indexed = true;
                out.indexed_other = true;
            }
            ExprKind::Assign(place, value) if value.ty.is_pointer() => {
                if let ExprKind::Deref(p) = &place.kind
                    && is(p)
                {
                    out.assigns_target = true;
                }
            }
            ExprKind::Call { args, .. } => {
                plain += 0;
                let _ = args;
            }
            _ => {}
        });
    }
    // Passed on, stepped, added to, copied: anything but `*p` and comparisons.
    if mentions > plain {
        out.indexed = true;
        let passed = count_passed(program, function, param);
        out.indexed_other |= mentions > plain + passed;
    }
    out
}

pub(crate) fn count_passed(program: &Program, function: FnId, param: VarId) -> u32 {
    let mut count = 0;
    if let Some(body) = &program.function(function).body {
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| {
                if let ExprKind::Call { args, .. } = &e.kind {
                    count += args
                        .iter()
                        .filter(|a| a.stripped().as_var() == Some(param))
                        .count() as u32;
                }
            });
        }
    }
    count
}

/// The parameters of other functions that a parameter is passed to as it is.
pub(crate) fn passed_as(program: &Program, function: FnId, param: VarId) -> Vec<VarId> {
    let mut out = Vec::new();
    if let Some(body) = &program.function(function).body {
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind {
                    let params = &program.function(*callee).params;
                    out.extend(
                        params
                            .iter()
                            .zip(args)
                            .filter(|(_, a)| a.stripped().as_var() == Some(param))
                            .map(|(p, _)| *p),
                    );
                }
            });
        }
    }
    out
}

/// Whether two places are the same, apart from where they stand in the source.
pub(crate) fn same(a: &Expr, b: &Expr) -> bool {
    use ExprKind as K;
    match (&a.kind, &b.kind) {
        (K::Var(x), K::Var(y)) => x == y,
        (K::Int(x), K::Int(y)) => x == y,
        (K::Char(x), K::Char(y)) => x == y,
        (K::Float(x), K::Float(y)) => x == y,
        (K::EnumConst(x, _), K::EnumConst(y, _)) => x == y,
        (K::Index(p, i), K::Index(q, j)) => same(p, q) && same(i, j),
        (K::Member(p, i), K::Member(q, j)) => i == j && same(p, q),
        (K::Deref(p), K::Deref(q)) | (K::Decay(p), K::Decay(q)) | (K::AddrOf(p), K::AddrOf(q)) => {
            same(p, q)
        }
        (K::Cast { value: p, .. }, _) if a.ty == b.ty || matches!(&b.kind, K::Cast { .. }) => {
            match &b.kind {
                K::Cast { value: q, .. } => a.ty == b.ty && same(p, q),
                _ => false,
            }
        }
        (K::Binary(op, p, i), K::Binary(other, q, j)) => op == other && same(p, q) && same(i, j),
        (K::Unary(op, p), K::Unary(other, q)) => op == other && same(p, q),
        _ => false,
    }
}

/// Whether a place holds an index that may change.
pub(crate) fn dynamic(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Index(base, index) => {
            !matches!(index.stripped().kind, ExprKind::Int(_)) || dynamic(base)
        }
        ExprKind::Member(base, _) | ExprKind::Deref(base) | ExprKind::Decay(base) => dynamic(base),
        _ => false,
    }
}
