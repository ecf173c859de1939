//! Fields that hold arrays of which methods combine into elements: in the loop each is an array by a name of its own.
//!
//! | written | stands for |
//! | --- | --- |
//! | `for p in points { for k in 0..3 { b.max[k] = b.max[k].max(p[k]); } }` | `{ let max: &mut [_] = &mut b.max; for p in points { for k in 0..3 { max[k] = max[k].max(p[k]); } } }` |
//!
//! Nobody knows here what type a field has, and a method of it may be any. Of bins that have such a name rustc is asked for numbers. All that the loop does with
//! the field is done to its elements, and with what the field is of to other fields.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ExprForLoop, ItemFn, Stmt, parse_quote};

use super::idioms::same;
use super::later::{is_part, is_place, mentions};
use super::names::{bound_names, identifiers, root_of};
use super::unmarked;
use crate::alias;
use crate::ir::Op;
use crate::parsed::fields::{Bound, indexed};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut found = false;
    unmarked::loops(function, true, &mut |of| {
        let parted = parted(of);
        found |= parted.is_some();
        parted
    });
    found
}

/// The loop over arrays of their own.
fn parted(of: &ExprForLoop) -> Option<Stmt> {
    let mut combined = Combined(Vec::new());
    combined.visit_block(&of.body);
    let (mut all, mut lets) = (of.clone(), Vec::<Stmt>::new());
    for field in combined.0 {
        if !is_alone(&field, of) {
            continue;
        }
        let mut words = Vec::new();
        identifiers(field.to_token_stream(), &mut words);
        let words: Vec<String> = words.iter().map(Ident::to_string).collect();
        let name = alias::field(&words, of.for_token.span)?;
        lets.push(parse_quote!(let #name: &mut [_] = &mut #field;));
        Named(&field, &name).visit_block_mut(&mut all.body);
    }
    (!lets.is_empty()).then(|| parse_quote!({ #(#lets)* #all }))
}

/// The fields whose elements methods combine into: `b.max[k] = b.max[k].max(v);`.
struct Combined(Vec<Expr>);

impl<'a> Visit<'a> for Combined {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(Expr::Assign(of)) => {
                if let Expr::MethodCall(call) = without_parens(&of.right)
                    && Op::of_method(&call.method.to_string()).is_some()
                    && same(without_parens(&call.receiver), &of.left)
                    && let (field @ Expr::Field(_), indices) = indexed(&of.left)
                    && indices.len() == 1
                    && is_place(field)
                    && !self.0.iter().any(|known| same(known, field))
                {
                    self.0.push(field.clone());
                }
            }
            visit::Node::Expr(Expr::Closure(_)) | visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Whether a loop uses a field by its elements alone, and what it is a field of by other fields.
fn is_alone(field: &Expr, of: &ExprForLoop) -> bool {
    struct Uses<'a> {
        field: &'a Expr,
        root: &'a Ident,
        known: usize,
    }
    impl<'a> Visit<'a> for Uses<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(Expr::Index(of)) if same(&of.expr, self.field) => {
                    self.known += 1;
                    self.visit_expr(&of.index);
                }
                // A field whose part it is, or of which it is a part, is no other one.
                visit::Node::Expr(e @ Expr::Field(_)) if is_place(e) => {
                    let other = !is_part(self.field, e) && !is_part(e, self.field);
                    self.known += usize::from(other && root_of(e) == Some(self.root));
                }
                _ => node.parts(self),
            }
        }
    }
    let Some(root) = root_of(field) else {
        return false;
    };
    let mut again = bound_names(&of.pat).contains(&root);
    Bound(&mut |name| again |= root == name).visit_block(&of.body);
    let mut uses = Uses {
        field,
        root,
        known: 0,
    };
    uses.visit_expr(&of.expr);
    uses.visit_block(&of.body);
    let header = mentions(root, of.expr.to_token_stream());
    !again && header + mentions(root, of.body.to_token_stream()) == uses.known
}

/// Puts a name in the place of a field.
struct Named<'a>(&'a Expr, &'a Ident);

impl VisitMut for Named<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                let Named(field, name) = self;
                match same(e, field) {
                    true => *e = parse_quote!(#name),
                    false => visit_mut::visit_expr_mut(self, e),
                }
            }
            _ => node.parts(self),
        }
    }
}
