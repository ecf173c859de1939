//! Names in capitals that a pattern binds for certain.
//!
//! In a `match`, `N` is a constant if there is one of that name, which only rustc knows. A pattern that has to match (of a `for`, a
//! `let` without `else`, a closure, the last arm of a `match` whose other arms take some numbers) binds it. It is written `N @ _` from here on: a name of its own to whoever reads it, and where
//! it is a constant after all, rustc says that. A `let` or closure whose pattern is a name and nothing else is read so without that.

use crate::syntax::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Lit, Pat};

use super::names::{is_constant_like, whole};

/// Rewrites the patterns in a function's block.
pub(super) fn bind(block: &mut Block) {
    Irrefutable.visit_block_mut(block);
}

/// Finds patterns that have to match.
struct Irrefutable;

impl VisitMut for Irrefutable {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(e) => {
                Names.visit_pat_mut(&mut e.pat);
                visit_mut::visit_expr_for_loop_mut(self, e);
            }
            visit_mut::Node::Local(local) => {
                let matches = local
                    .init
                    .as_ref()
                    .is_none_or(|init| init.diverge.is_none());
                if matches && whole(&local.pat).is_none() {
                    Names.visit_pat_mut(&mut local.pat);
                }
                visit_mut::visit_local_mut(self, local);
            }
            visit_mut::Node::ExprClosure(closure) => {
                let inputs = closure.inputs.iter_mut();
                inputs
                    .filter(|pat| whole(pat).is_none())
                    .for_each(|pat| Names.visit_pat_mut(pat));
                visit_mut::visit_expr_closure_mut(self, closure);
            }
            visit_mut::Node::Expr(expr @ Expr::Match(_)) => {
                if let Expr::Match(e) = expr
                    && let Some((last, before)) = e.arms.split_last_mut()
                    && !matches!(last.pat, Pat::Guard(_))
                    && before.iter().all(|arm| takes_some(&arm.pat))
                {
                    Names.visit_pat_mut(&mut last.pat);
                }
                visit_mut::visit_expr_mut(self, expr);
            }
            // What an item says is its own.
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Whether an arm leaves more than one value of each part to those behind it: it has a condition, or asks for a number by a literal.
fn takes_some(pat: &Pat) -> bool {
    match pat {
        Pat::Guard(_) => true,
        Pat::Lit(lit) => !matches!(lit.lit, Lit::Bool(_)),
        Pat::Paren(p) => takes_some(&p.pat),
        Pat::Reference(p) => takes_some(&p.pat),
        Pat::Ident(p) => p.subpat.as_ref().is_some_and(|(_, p)| takes_some(p)),
        Pat::Or(or) => or.cases.iter().all(takes_some),
        Pat::Tuple(parts) => parts.elems.iter().any(takes_some),
        Pat::Struct(of) => of.fields.iter().any(|field| takes_some(&field.pat)),
        _ => false,
    }
}

/// The names of one.
struct Names;

impl VisitMut for Names {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::PatIdent(pat) => {
                let taken_apart = pat.subpat.is_some();
                if is_constant_like(&pat.ident) && !taken_apart {
                    let at = syn::Token![@](pat.ident.span());
                    let all = syn::PatWild {
                        attrs: Vec::new(),
                        underscore_token: syn::Token![_](pat.ident.span()),
                    };
                    pat.subpat = Some((at, Box::new(Pat::Wild(all))));
                }
                visit_mut::visit_pat_ident_mut(self, pat);
            }
            // `P { N }` is `P { N: N }`.
            visit_mut::Node::FieldPat(field) => {
                if let (None, Pat::Ident(pat)) = (&field.colon_token, &*field.pat)
                    && is_constant_like(&pat.ident)
                {
                    field.colon_token = Some(syn::Token![:](pat.ident.span()));
                }
                visit_mut::visit_field_pat_mut(self, field);
            }
            visit_mut::Node::Expr(_) => {}
            _ => node.parts(self),
        }
    }
}
