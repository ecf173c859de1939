//! Listing what of a loop only rustc understands.

use crate::sorted::SortedSet;

use super::visit::Visit;
use super::{Expr, ExprKind, Loop, Opaque, Place, Root, SourceId, Stmt, StmtKind, Type, VarId};

/// A part of a loop that only rustc understands, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct OpaquePart {
    /// Where it stands.
    pub source: SourceId,
    /// What it is and why it is not understood, lower case.
    pub why: String,
    /// What to write so that it is understood, where there is such a thing.
    pub help: Option<String>,
}

impl Loop {
    /// What a back end that must understand every part cannot express: empty for a loop that is known
    /// through and through. Causes come before what follows from them, and one place is listed once.
    pub fn opaque_parts(&self) -> Vec<OpaquePart> {
        let mut parts = Parts::default();
        for array in self.arrays.iter().filter(|a| !a.elem.is_known()) {
            parts.list.push(OpaquePart {
                source: array.source,
                why: format!(
                    "the element type of `{}` is {}",
                    array.name,
                    unknown(&array.elem)
                ),
                help: Some("give the array an element type of numbers".into()),
            });
        }
        for dim in &self.space {
            parts.expr(&dim.count);
        }
        let functions = self.functions.iter().map(|f| &f.body);
        for body in std::iter::once(&self.body).chain(functions) {
            parts.vars.clear();
            parts.block(&body.block);
            for (id, var) in body.vars.iter().enumerate() {
                if !var.ty.is_known() && parts.vars.contains(&VarId(id as u32)) {
                    parts.list.push(OpaquePart {
                        source: var.source,
                        why: format!("the type of `{}` is {}", var.name, unknown(&var.ty)),
                        help: Some(format!("annotate the type of `{}`", var.name)),
                    });
                }
            }
        }
        // A type that is not known without a variable, an array or an opaque expression that it comes from.
        let mut parts = if parts.list.is_empty() {
            parts.types
        } else {
            parts.list
        };
        let mut seen = SortedSet::new();
        parts.retain(|part| seen.insert(part.source));
        parts
    }
}

/// Collects opaque expressions, the variables mentioned, and expressions of unknown types.
#[derive(Default)]
struct Parts {
    list: Vec<OpaquePart>,
    types: Vec<OpaquePart>,
    vars: SortedSet<VarId>,
}

impl Visit for Parts {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Opaque(Opaque { why, help, .. }) = &e.kind {
            let (why, help) = (why.clone(), help.clone());
            self.list.push(OpaquePart {
                source: e.source,
                why,
                help,
            });
        } else if !e.ty.is_known() {
            let why = format!("the type of this expression is {}", unknown(&e.ty));
            self.types.push(OpaquePart {
                source: e.source,
                why,
                help: None,
            });
        }
        self.expr_parts(e);
    }

    fn load(&mut self, place: &Place) {
        if let Root::Var(id) = place.root {
            self.vars.insert(id);
        }
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(id, _) = stmt.kind {
            self.vars.insert(id);
        }
        self.stmt_parts(stmt);
    }
}

fn unknown(ty: &Type) -> String {
    match ty {
        Type::Opaque(None) | Type::Integer(_) | Type::Infer(_) => "not known here".into(),
        ty => format!("`{ty}`, which is not known here"),
    }
}
