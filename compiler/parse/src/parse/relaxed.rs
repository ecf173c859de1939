//! Extremes of bins beside a flag that says whether any has changed: steps of relaxation.
//!
//! ```text
//! for e in edges {                                       let before = dist.to_vec();
//!     let d = old[e.from] + e.cost;                      for e in edges {
//!     if d < dist[e.to] {                                    let d = old[e.from] + e.cost;
//!         dist[e.to] = d;                                    if d < before[e.to] { changed |= true; }
//!         changed = true;                                    dist[e.to] = min(dist[e.to], d);
//!     }                                                  }
//! }
//! ```
//!
//! A bin changes if an item is better than what it held before the loop: the first such item finds that there. Every change of the bins in the loop sets the flag, so there is
//! one such `if` for an array, of integers.

use crate::sorted::Sorted;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, ExprIf, Ident, ItemFn, Stmt, parse_quote};

use super::idioms::{self, Extremum};
use super::names::{identifiers, root_of};
use super::{marks, sites};
use crate::alias;
use crate::ir::Scalar;
use crate::syntax::is_at_hand;
use crate::syntax::only_computes;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut arrays = idioms::arrays(function);
    arrays.retain(|_, (scalar, dimensions)| scalar.is_int() && *dimensions == 1);
    marks::replace_loops(function, &mut |of| relaxed(of, &arrays))
}

fn relaxed(of: &ExprForLoop, arrays: &Sorted<String, (Scalar, usize)>) -> Option<Expr> {
    let mut ifs = Ifs {
        arrays,
        found: Vec::new(),
    };
    let mut relaxed = of.clone();
    ifs.visit_block_mut(&mut relaxed.body);
    let written = |name: &Ident| {
        let mut count = 0;
        sites::rewrite(&mut of.body.clone(), |_, e| {
            let left = super::names::left_side(e).and_then(root_of);
            count += usize::from(left.is_some_and(|root| root == name));
        });
        count
    };
    if ifs.found.is_empty() || !ifs.found.iter().all(|array| written(array) == 1) {
        return None;
    }
    let before = ifs.found.iter().map(before);
    let arrays = &ifs.found;
    Some(parse_quote!({
        #(let #before = (#arrays)[::accrue::__rt::ALL].to_vec();)*
        #relaxed
    }))
}

/// The name of what an array held before the loop.
fn before(array: &Ident) -> Ident {
    Ident::new(&alias::stop(&array.to_string()), array.span())
}

struct Ifs<'a> {
    arrays: &'a Sorted<String, (Scalar, usize)>,
    /// The arrays.
    found: Vec<Ident>,
}

impl VisitMut for Ifs<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                match e {
                    Expr::If(of) => {
                        if let Some(apart) = self.apart(of) {
                            *e = apart;
                            return;
                        }
                    }
                    // It has been looked at.
                    Expr::ForLoop(_) | Expr::Closure(_) | Expr::Async(_) => return,
                    _ => {}
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Ifs<'_> {
    fn apart(&mut self, of: &ExprIf) -> Option<Expr> {
        let [Stmt::Expr(Expr::Assign(assigned), _), flags @ ..] = &of.then_branch.stmts[..] else {
            return None;
        };
        if flags.is_empty() || !flags.iter().all(is_flag) || of.else_branch.is_some() {
            return None;
        }
        let Extremum {
            place, value, name, ..
        } = Extremum::of(&of.cond, assigned)?;
        let Expr::Index(index) = place else {
            return None;
        };
        let Expr::Path(array) = without_parens(&index.expr) else {
            return None;
        };
        let array = array.path.get_ident()?;
        let mut asked = Vec::new();
        identifiers(index.index.to_token_stream(), &mut asked);
        identifiers(value.to_token_stream(), &mut asked);
        let pure = only_computes(place) && is_at_hand(value) && !asked.contains(array);
        if !pure || !self.arrays.contains_key(&array.to_string()) || self.found.contains(array) {
            return None;
        }
        let old = before(array);
        let at = &index.index;
        let mut cond = (*of.cond).clone();
        let text = place.to_token_stream().to_string();
        let mut there = There(&text, parse_quote!(#old[#at]));
        there.visit_expr_mut(&mut cond);
        self.found.push(array.clone());
        let span = assigned.span();
        Some(syn::parse_quote_spanned! {span=> {
            if #cond { #(#flags)* }
            #place = ::core::cmp::#name(#place, #value);
        }})
    }
}

/// Whether a statement sets a flag.
pub(super) fn is_flag(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(Expr::Assign(of), _) => is_name(&of.left) && idioms::truth(&of.right).is_some(),
        // As the idiom of flags has been rewritten before.
        Stmt::Expr(Expr::Binary(of), _) => {
            sites::is_compound(&of.op) && is_name(&of.left) && idioms::truth(&of.right).is_some()
        }
        _ => false,
    }
}

fn is_name(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Unary(of) if matches!(of.op, syn::UnOp::Deref(_)) => is_name(&of.expr),
        Expr::Path(path) => path.path.get_ident().is_some(),
        _ => false,
    }
}

/// Puts something in the place of a place.
struct There<'a>(&'a str, Expr);

impl VisitMut for There<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match e.to_token_stream().to_string() == self.0 {
                true => *e = self.1.clone(),
                false => visit_mut::visit_expr_mut(self, e),
            },
            _ => node.parts(self),
        }
    }
}
