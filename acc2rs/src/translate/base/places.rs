//! Places: the variable that one starts from, and whether it lives as long as the program.

use crate::typed::{Expr, ExprKind, Program, Storage, VarId};

/// The variable that a place or pointer expression starts from.
pub(crate) fn root(expr: &Expr) -> Option<VarId> {
    use ExprKind as K;
    match &expr.kind {
        K::Var(id) => Some(*id),
        K::Index(base, _) => root(base),
        K::Member(base, _) | K::Deref(base) | K::AddrOf(base) | K::Decay(base) => root(base),
        K::Cast { value, .. } => root(value),
        K::Binary(_, a, _) if expr.ty.is_pointer() => root(a),
        K::Step { place, .. } => root(place),
        K::Assign(place, _) => root(place),
        K::Compound { place, .. } => root(place),
        _ => None,
    }
}

/// Whether a variable lives as long as the program.
pub(crate) fn is_global(program: &Program, id: VarId) -> bool {
    matches!(
        program.var(id).storage,
        Storage::Global { .. } | Storage::StaticLocal
    )
}
