//! Extremes of what a method says of an item: the key has a name, by which it is the same in the comparison and where it is kept.
//!
//! | written | stands for |
//! | --- | --- |
//! | `if line.len() > best { best = line.len(); at = i; }` | `{ let key = line.len(); if key > best { best = key; at = i; } }` |
//!
//! The method is one of the standard library's that only look. It is called once instead of once or twice.

use syn::spanned::Spanned;
use syn::{BinOp, Expr, Ident, ItemFn, Stmt, parse_quote};

use super::idioms::same;
use super::marks;
use crate::alias;
use crate::syntax::{only_computes, without_parens};

/// Methods that only look, and whose receiver may be made by such methods.
const LOOKING: [&str; 9] = [
    "len",
    "count",
    "chars",
    "bytes",
    "lines",
    "iter",
    "split_whitespace",
    "trim",
    "as_str",
];

/// Rewrites them in the loops of a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut found = 0;
    marks::replace_in_loops(function, &mut |e| {
        let named = named(e, found)?;
        found += 1;
        Some(named)
    })
}

/// An `if` that keeps what it compares, with a name for that.
fn named(e: &Expr, nth: usize) -> Option<Expr> {
    let Expr::If(of) = e else { return None };
    let Expr::Binary(compared) = without_parens(&of.cond) else {
        return None;
    };
    if !matches!(
        compared.op,
        BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Lt(_) | BinOp::Le(_)
    ) {
        return None;
    }
    let sides = [&compared.left, &compared.right];
    let key = &**sides.into_iter().find(|side| looks(side))?;
    let name = Ident::new(&alias::stop(&format!("key_{nth}")), key.span());
    let named: Expr = parse_quote!(#name);
    let mut found = of.clone();
    let mut kept = false;
    for stmt in &mut found.then_branch.stmts {
        // What else the block did might change what the method says.
        let Stmt::Expr(Expr::Assign(assigned), _) = stmt else {
            return None;
        };
        if same(without_parens(&assigned.right), key) {
            *assigned.right = named.clone();
            kept = true;
        }
    }
    let mut compared = compared.clone();
    let side = match same(&compared.left, key) {
        true => &mut compared.left,
        false => &mut compared.right,
    };
    **side = named;
    *found.cond = Expr::Binary(compared);
    kept.then(|| parse_quote!({ let #name = #key; #found }))
}

/// Whether an expression is such a method's.
fn looks(e: &Expr) -> bool {
    let Expr::MethodCall(of) = without_parens(e) else {
        return false;
    };
    let only = LOOKING.iter().any(|name| of.method == name) && of.args.is_empty();
    only && (only_computes(&of.receiver) || looks(&of.receiver))
}
