//! Calls that search: those of the C library that return a position or null, and those of functions that `finders` made
//! return an index.

use crate::typed::{Expr, ExprKind, FnId, Program};

/// Whether a function of the C library returns a position in its first argument, or null.
pub(crate) fn searches(program: &Program, callee: FnId) -> bool {
    let function = program.function(callee);
    function.body.is_none()
        && function.ty.params.len() == 2
        && matches!(
            function.name.as_str(),
            "strchr" | "strrchr" | "strstr" | "strpbrk" | "strtok"
        )
}

/// Whether an index is what a function finds.
pub(crate) fn calls(program: &Program, index: &Expr) -> bool {
    matches!(&index.stripped().kind, ExprKind::Call { callee, .. } if program.finders.contains(callee))
}

/// The call whose index a position stands at, if it is one of a function that searches.
pub(crate) fn searched<'e>(program: &Program, position: &'e Expr) -> Option<&'e Expr> {
    let ExprKind::AddrOf(place) = &position.stripped().kind else {
        return None;
    };
    match &place.kind {
        ExprKind::Index(_, index) => match &index.stripped().kind {
            ExprKind::Call { callee, .. } if program.finders.contains(callee) => {
                Some(index.stripped())
            }
            _ => None,
        },
        _ => None,
    }
}
