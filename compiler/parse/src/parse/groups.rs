//! What a `macro_rules!` macro hands on, `$ty:ty` or `$x:expr`, stands in a group that nobody sees. Where precedence does not need it, it is as if it had been
//! written there.

use syn::{Expr, ItemFn, Type};

use crate::syntax::visit_mut::{self, VisitMut, visit_expr_mut, visit_type_mut};

/// Takes such groups away.
pub fn rewrite(function: &mut ItemFn) {
    let ItemFn { sig, block, .. } = function;
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(param) = input {
            Groups.visit_type_mut(&mut param.ty);
        }
    }
    if let syn::ReturnType::Type(_, ty) = &mut sig.output {
        Groups.visit_type_mut(ty);
    }
    Groups.visit_block_mut(block);
}

struct Groups;

impl VisitMut for Groups {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Type(ty) => {
                // `&dyn A + B` would be another type, if any.
                while let Type::Group(group) = ty
                    && !matches!(*group.elem, Type::TraitObject(_) | Type::ImplTrait(_))
                {
                    *ty = (*group.elem).clone();
                }
                visit_type_mut(self, ty);
            }
            visit_mut::Node::Expr(expr) => {
                while let Expr::Group(group) = expr
                    && matches!(
                        *group.expr,
                        Expr::Path(_)
                            | Expr::Lit(_)
                            | Expr::Field(_)
                            | Expr::Index(_)
                            | Expr::Call(_)
                            | Expr::MethodCall(_)
                            | Expr::Paren(_)
                            | Expr::Group(_)
                    )
                {
                    *expr = (*group.expr).clone();
                }
                visit_expr_mut(self, expr);
            }
            _ => node.parts(self),
        }
    }
}
