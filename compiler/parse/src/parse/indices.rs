//! Updates of an element whose index is looked up: the index has a name, by which it is the same on both sides.
//!
//! | written | stands for |
//! | --- | --- |
//! | `best[e.to] = best[e.to].max(e.cost);` | `{ let at = e.to; best[at] = best[at].max(e.cost); }` |
//! | `d[e.a][e.b] = d[e.a][e.b].max(x);` | `{ let (a, b) = ..; d[a][b] = d[a][b].max(x); }` |
//!
//! A field of an item is known by its struct, which is not seen here. It is read once instead of twice, before anything else is computed: so it either cannot panic, or what
//! is assigned begins with the element.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, Ident, ItemFn, Stmt, UnOp, parse_quote};

use super::idioms::same;
use super::names::identifiers;
use super::sites::is_assignment;
use crate::alias;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{only_computes, without_parens};

/// Rewrites them in the loops of a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut updates = Updates { loops: 0, found: 0 };
    updates.visit_block_mut(&mut function.block);
    updates.found > 0
}

struct Updates {
    /// How many loops stand around.
    loops: usize,
    found: usize,
}

impl VisitMut for Updates {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Stmt(stmt) => {
                visit_mut::visit_stmt_mut(self, stmt);
                if self.loops > 0
                    && let Stmt::Expr(Expr::Assign(of), Some(_)) = stmt
                    && let Some(named) = named(of, self.found)
                {
                    *stmt = Stmt::Expr(named, None);
                    self.found += 1;
                }
            }
            visit_mut::Node::ExprForLoop(of) => {
                self.loops += 1;
                visit_mut::visit_expr_for_loop_mut(self, of);
                self.loops -= 1;
            }
            visit_mut::Node::ExprClosure(_) => {}
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

fn named(of: &syn::ExprAssign, nth: usize) -> Option<Expr> {
    let place = without_parens(&of.left);
    let mut indices = Vec::new();
    let mut array = place;
    while let Expr::Index(left) = array {
        indices.push(&*left.index);
        array = &left.expr;
    }
    indices.reverse();
    let mut fields = Reads(false, 0);
    indices.iter().for_each(|index| fields.visit_expr(index));
    let mut right = Reads(false, 0);
    right.visit_expr(&of.right);
    let computes = indices.iter().all(|index| only_computes(index));
    // Of several a later one is computed before the earlier ones are compared with lengths.
    let early = computes && indices.len() == 1 && same(first(&of.right), place)
        || indices.iter().all(|index| cannot_panic(index));
    if fields.1 == 0 || right.0 || !early {
        return None;
    }
    let mut names = Vec::new();
    for (n, index) in indices.iter().enumerate() {
        let mut words = Vec::new();
        identifiers(index.to_token_stream(), &mut words);
        let word = words.first().map_or("at".to_owned(), ToString::to_string);
        let nth = match n {
            0 => nth.to_string(),
            n => format!("{nth}_{n}"),
        };
        names.push(Ident::new(
            &alias::stop(&format!("{word}_{nth}")),
            index.span(),
        ));
    }
    let named: Expr = parse_quote!(#array #([#names])*);
    let text = place.to_token_stream().to_string();
    let mut right = (*of.right).clone();
    let mut there = There {
        text,
        named: named.clone(),
        count: 0,
    };
    there.visit_expr_mut(&mut right);
    (there.count > 0).then(|| {
        parse_quote!({
            #(let #names = #indices;)*
            #named = #right;
        })
    })
}

/// What is evaluated first of an expression.
fn first(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(of) => first(&of.expr),
        Expr::Binary(of) => first(&of.left),
        Expr::MethodCall(of) => first(&of.receiver),
        Expr::Call(of) => of.args.first().map_or(e, first),
        e => e,
    }
}

/// Whether an index is a name, a field or a number of another type.
fn cannot_panic(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(of) => cannot_panic(&of.expr),
        Expr::Field(of) => cannot_panic(&of.base),
        Expr::Cast(of) => cannot_panic(&of.expr),
        Expr::Unary(of) => matches!(of.op, UnOp::Deref(_)) && cannot_panic(&of.expr),
        _ => false,
    }
}

/// Whether an expression may change something, or runs what is not seen; and how many fields it has.
struct Reads(bool, usize);

impl<'a> Visit<'a> for Reads {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                self.0 |= is_assignment(e)
                    || matches!(e, Expr::Reference(of) if of.mutability.is_some())
                    || matches!(
                        e,
                        Expr::Assign(_)
                            | Expr::Block(_)
                            | Expr::Closure(_)
                            | Expr::Macro(_)
                            | Expr::Unsafe(_)
                    );
                self.1 += usize::from(matches!(e, Expr::Field(_)));
                visit::visit_expr(self, e);
            }
            _ => node.parts(self),
        }
    }
}

/// Puts an element by its name in its place.
struct There {
    text: String,
    named: Expr,
    count: usize,
}

impl VisitMut for There {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match e.to_token_stream().to_string() == self.text {
                true => {
                    *e = self.named.clone();
                    self.count += 1;
                }
                false => visit_mut::visit_expr_mut(self, e),
            },
            _ => node.parts(self),
        }
    }
}
