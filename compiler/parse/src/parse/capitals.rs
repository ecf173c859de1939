//! Names in capitals that a pattern binds for certain.
//!
//! In a `match`, `N` is a constant if there is one of that name, which only rustc knows. A pattern that has to match (of a `for`, a
//! `let` without `else`, a closure, the last arm of a `match` whose other arms take some numbers) binds it, and so does one whose condition compares it with numbers, `N if N > 3`: of a
//! constant the answer would be known. It is written `N @ _` from here on, in all arms of a `match`: a name of its own to whoever reads it, and where it is a constant after all, rustc says
//! that. A `let` or closure whose pattern is a name and nothing else is read so without that.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Expr, ItemFn, Lit, Pat, parse_quote};

use super::names::{bound_names, identifiers, is_constant_like, whole};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites the patterns in a function.
pub(super) fn bind(function: &mut ItemFn) {
    let mut irrefutable = Irrefutable { found: false };
    irrefutable.visit_block_mut(&mut function.block);
    if irrefutable.found {
        // The user has not written the `@ _`.
        function
            .attrs
            .push(parse_quote!(#[allow(clippy::redundant_pattern)]));
    }
}

/// Finds patterns that have to match.
struct Irrefutable {
    /// Whether one has such a name.
    found: bool,
}

impl Irrefutable {
    fn bind(&mut self, pat: &mut Pat, which: Which<'_>) {
        let mut names = Names {
            which,
            found: false,
        };
        names.visit_pat_mut(pat);
        self.found |= names.found;
    }
}

impl VisitMut for Irrefutable {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(e) => {
                self.bind(&mut e.pat, Which::All);
                visit_mut::visit_expr_for_loop_mut(self, e);
            }
            visit_mut::Node::Local(local) => {
                let matches = local
                    .init
                    .as_ref()
                    .is_none_or(|init| init.diverge.is_none());
                if matches && whole(&local.pat).is_none() {
                    self.bind(&mut local.pat, Which::All);
                }
                visit_mut::visit_local_mut(self, local);
            }
            visit_mut::Node::ExprClosure(closure) => {
                let inputs = closure.inputs.iter_mut();
                inputs
                    .filter(|pat| whole(pat).is_none())
                    .for_each(|pat| self.bind(pat, Which::All));
                visit_mut::visit_expr_closure_mut(self, closure);
            }
            visit_mut::Node::Expr(expr @ Expr::Match(_)) => {
                if let Expr::Match(e) = expr {
                    let mut bound: Vec<Ident> =
                        e.arms.iter().flat_map(|arm| compared(&arm.pat)).collect();
                    if let Some((last, before)) = e.arms.split_last_mut()
                        && !matches!(last.pat, Pat::Guard(_))
                        && before.iter().all(|arm| takes_some(&arm.pat))
                    {
                        self.bind(&mut last.pat, Which::All);
                        bound.extend(bound_names(&last.pat).into_iter().cloned());
                    }
                    for arm in &mut e.arms {
                        self.bind(&mut arm.pat, Which::Some(&bound));
                    }
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

/// The names in capitals of a pattern that its condition compares with numbers and nothing else.
fn compared(pat: &Pat) -> Vec<Ident> {
    struct Compared {
        names: Vec<Ident>,
        found: Vec<Ident>,
    }
    impl Compared {
        /// Whether an expression is made of numbers and the names alone.
        fn computes(&self, e: &Expr) -> bool {
            match without_parens(e) {
                Expr::Lit(_) => true,
                Expr::Path(path) => path
                    .path
                    .get_ident()
                    .is_some_and(|name| self.names.contains(name)),
                Expr::Unary(e) => self.computes(&e.expr),
                Expr::Cast(e) => self.computes(&e.expr),
                Expr::Binary(e) => self.computes(&e.left) && self.computes(&e.right),
                _ => false,
            }
        }
    }
    impl<'a> Visit<'a> for Compared {
        fn visit(&mut self, node: visit::Node<'a>) {
            if let visit::Node::Expr(e @ Expr::Binary(of)) = node
                && compares(&of.op)
                && self.computes(e)
            {
                identifiers(e.to_token_stream(), &mut self.found);
            }
            node.parts(self);
        }
    }
    let Pat::Guard(of) = pat else {
        return Vec::new();
    };
    let mut names = Vec::new();
    identifiers(of.pat.to_token_stream(), &mut names);
    names.retain(is_constant_like);
    let mut compared = Compared {
        names,
        found: Vec::new(),
    };
    compared.visit_expr(&of.guard);
    let Compared { names, found } = compared;
    found
        .into_iter()
        .filter(|name| names.contains(name))
        .collect()
}

fn compares(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}

/// Which names of a pattern are meant.
enum Which<'a> {
    All,
    Some(&'a [Ident]),
}

/// The names of one.
struct Names<'a> {
    which: Which<'a>,
    /// Whether there was one.
    found: bool,
}

impl Names<'_> {
    fn are_bound(&self, name: &Ident) -> bool {
        let meant = match self.which {
            Which::All => true,
            Which::Some(names) => names.contains(name),
        };
        meant && is_constant_like(name)
    }
}

impl VisitMut for Names<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::PatIdent(pat) => {
                let taken_apart = pat.subpat.is_some();
                if self.are_bound(&pat.ident) && !taken_apart {
                    let at = syn::Token![@](pat.ident.span());
                    let all = syn::PatWild {
                        attrs: Vec::new(),
                        underscore_token: syn::Token![_](pat.ident.span()),
                    };
                    pat.subpat = Some((at, Box::new(Pat::Wild(all))));
                    self.found = true;
                }
                visit_mut::visit_pat_ident_mut(self, pat);
            }
            // `P { N }` is `P { N: N }`.
            visit_mut::Node::FieldPat(field) => {
                if let (None, Pat::Ident(pat)) = (&field.colon_token, &*field.pat)
                    && self.are_bound(&pat.ident)
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
