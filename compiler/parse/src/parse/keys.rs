//! Extremes of what a method or a field says of an item: the key has a name, by which it is the same in the comparison and where it is kept.
//!
//! | written | stands for |
//! | --- | --- |
//! | `if line.len() > best { best = line.len(); at = i; }` | `{ let key = line.len(); if key > best { best = key; at = i; } }` |
//! | `if d.abs() > top { top = d.abs(); }` | `{ let key = d.abs(); if key > top { top = key; } }` |
//! | `if p.x < b.low { b.low = p.x; }` | `{ let key = p.x; if key < b.low { b.low = key; } }` |
//!
//! The method is one of the standard library's that only look. It is called once instead of once or twice. Of fields nobody knows here what type they have, so that
//! they have to be the same by their words. Nothing that is assigned there changes what the key says.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprIf, Ident, ItemFn, Stmt, parse_quote};

use super::idioms::same;
use super::kept::is_pure;
use super::marks;
use super::names::{Called, Key, free_names, identifiers, key_of, root_of};
use crate::alias;
use crate::syntax::visit::{self, Visit};
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

/// Methods that make something of their own of what they look at.
const COPYING: [&str; 4] = ["clone", "to_owned", "to_string", "to_vec"];

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
    let is_kept = |side: &Expr| {
        of.then_branch.stmts.iter().any(|stmt| match stmt {
            Stmt::Expr(Expr::Assign(assigned), _) => same(without_parens(&assigned.right), side),
            _ => false,
        })
    };
    let sides = [&*compared.left, &*compared.right];
    let says = |side: &&Expr| looks(side) || is_untyped(side) && is_pure(side) && is_kept(side);
    let key = sides.into_iter().find(says)?;
    if !stays(of, key) {
        return None;
    }
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

/// Whether an expression looks at a field, or calls a method, whose type may not be known.
fn is_untyped(e: &Expr) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            if let visit::Node::Expr(e) = node {
                self.0 |= matches!(e, Expr::Field(_) | Expr::MethodCall(_));
                visit::visit_expr(self, e);
            } else {
                node.parts(self);
            }
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(e);
    finder.0
}

/// Whether nothing that is done where a key is kept changes what it says.
fn stays(of: &ExprIf, key: &Expr) -> bool {
    let whole = Expr::If(of.clone());
    let free = free_names(&whole);
    let mut words = Vec::new();
    identifiers(key.to_token_stream(), &mut words);
    let place = key_of(key).map(|(place, _)| place);
    let changes = |name: &Ident| {
        // Another field of the same variable is another place.
        let is_it = |root: &Ident, key: &Key| {
            root == name
                && place
                    .as_ref()
                    .is_none_or(|place| place.root != key.root || place.overlaps(key))
        };
        let called = free.calls.iter().any(|call| match call {
            Called::Method(receiver, method, _) => {
                let method = method.to_string();
                let only_looks = LOOKING.contains(&method.as_str())
                    || crate::ir::Method::named(&method).is_some();
                let only_looks = only_looks || COPYING.contains(&method.as_str());
                let apart = key_of(receiver).zip(place.as_ref());
                let apart = apart.is_some_and(|((key, _), place)| {
                    key.root == place.root && !place.overlaps(&key)
                });
                !only_looks && !apart && root_of(receiver).is_some_and(|root| root == name)
            }
            _ => false,
        });
        called
            || free.assignments.iter().any(|of| is_it(of.root, &of.key))
            || free.lent_mut.iter().any(|of| is_it(of.ident, &of.key))
            || free.borrowed_mut.contains(&name)
            || free.in_macros.iter().any(|(word, _)| word == name)
    };
    !words.iter().any(changes)
}

/// Whether an expression is such a method's.
fn looks(e: &Expr) -> bool {
    let Expr::MethodCall(of) = without_parens(e) else {
        return false;
    };
    let only = LOOKING.iter().any(|name| of.method == name) && of.args.is_empty();
    only && (only_computes(&of.receiver) || looks(&of.receiver))
}
