//! References that a condition chooses: what follows is done in each case, to what was chosen.
//!
//! | written | stands for |
//! | --- | --- |
//! | `let side = if c { &mut bids } else { &mut asks }; side[d] += q;` | `if c { bids[d] += q; } else { asks[d] += q; }` |
//! | `let n = match k { 0 => &mut a, _ => &mut b }; *n += 1;` | `match k { 0 => { a += 1; } _ => { b += 1; } }` |
//!
//! The reference is used for nothing but what it refers to, and no name means another thing there.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Block, Expr, ItemFn, Pat, Stmt, UnOp, parse_quote};

use super::later::{is_place, mentions};
use super::names::{bound_names, identifiers};
use crate::parsed::fields::Bound;
use crate::syntax::visit::Visit;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in the loops of a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut choices = Choices {
        loops: 0,
        found: false,
    };
    choices.visit_block_mut(&mut function.block);
    choices.found
}

struct Choices {
    /// How many loops stand around.
    loops: usize,
    found: bool,
}

impl VisitMut for Choices {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                if self.loops > 0
                    && let Some((at, all)) = first(block)
                {
                    block.stmts.truncate(at);
                    block.stmts.push(Stmt::Expr(all, None));
                    self.found = true;
                }
                visit_mut::visit_block_mut(self, block);
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

/// The first such statement of a block, and the choice with all that follows in each case.
fn first(block: &Block) -> Option<(usize, Expr)> {
    let stmts = block.stmts.iter().enumerate();
    stmts.into_iter().find_map(|(at, stmt)| {
        let Stmt::Local(local) = stmt else {
            return None;
        };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let Pat::Ident(pat) = &local.pat else {
            return None;
        };
        let plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
        if !plain || !matches!(&*init.expr, Expr::If(_) | Expr::Match(_)) {
            return None;
        }
        let rest = &block.stmts[at + 1..];
        let mut all = (*init.expr).clone();
        let follows = Follows {
            name: &pat.ident,
            rest,
        };
        follows.behind(&mut all)?;
        Some((at, all))
    })
}

/// What follows a choice.
struct Follows<'a> {
    name: &'a Ident,
    rest: &'a [Stmt],
}

impl Follows<'_> {
    /// Puts what follows in the place of each reference.
    fn behind(&self, e: &mut Expr) -> Option<()> {
        match e {
            Expr::If(of) => {
                let (_, otherwise) = of.else_branch.as_mut()?;
                self.behind_block(&mut of.then_branch)?;
                self.behind(otherwise)
            }
            Expr::Match(of) => of.arms.iter_mut().try_for_each(|arm| {
                // What an arm binds would hide what follows means.
                let bound = bound_names(&arm.pat);
                let hides = |name: &&Ident| self.rest.iter().any(|stmt| has(name, stmt));
                if bound.iter().any(hides) {
                    return None;
                }
                self.behind(&mut arm.body)
            }),
            Expr::Block(of) if of.label.is_none() => self.behind_block(&mut of.block),
            Expr::Reference(of) if of.mutability.is_some() => {
                let block = self.done_to(&of.expr)?;
                *e = parse_quote!(#block);
                Some(())
            }
            _ => None,
        }
    }

    fn behind_block(&self, block: &mut Block) -> Option<()> {
        let [Stmt::Expr(e @ Expr::Reference(_), None)] = &mut block.stmts[..] else {
            return None;
        };
        self.behind(e)?;
        if let [Stmt::Expr(Expr::Block(of), None)] = &block.stmts[..] {
            *block = of.block.clone();
        }
        Some(())
    }

    /// What follows, done to a place.
    fn done_to(&self, place: &Expr) -> Option<Block> {
        let of = match without_parens(place) {
            Expr::Unary(of) if matches!(of.op, UnOp::Deref(_)) => &of.expr,
            of => of,
        };
        if !is_place(of) {
            return None;
        }
        let rest = self.rest;
        let mut block: Block = parse_quote!({ #(#rest)* });
        let mut words = Vec::new();
        identifiers(of.to_token_stream(), &mut words);
        let mut hidden = false;
        Bound(&mut |bound| hidden |= words.iter().any(|word| word == bound) || self.name == bound)
            .visit_block(&block);
        let mut there = There {
            name: self.name,
            base: of,
            place,
        };
        there.visit_block_mut(&mut block);
        (!hidden && !has(self.name, &block)).then_some(block)
    }
}

fn has(name: &Ident, of: &impl ToTokens) -> bool {
    mentions(name, of.to_token_stream()) > 0
}

/// Puts a place where a reference to it is looked through.
struct There<'a> {
    name: &'a Ident,
    /// What is indexed, has fields and methods: a reference is looked through there.
    base: &'a Expr,
    place: &'a Expr,
}

impl There<'_> {
    fn is_it(&self, e: &Expr) -> bool {
        matches!(without_parens(e), Expr::Path(path) if path.path.is_ident(self.name))
    }
}

impl VisitMut for There<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                if let Expr::Unary(of) = e
                    && matches!(of.op, UnOp::Deref(_))
                    && self.is_it(&of.expr)
                {
                    *e = self.place.clone();
                    return;
                }
                let base = match e {
                    Expr::Index(of) => Some(&mut *of.expr),
                    Expr::Field(of) => Some(&mut *of.base),
                    Expr::MethodCall(of) => Some(&mut *of.receiver),
                    _ => None,
                };
                if let Some(base) = base
                    && self.is_it(base)
                {
                    *base = self.base.clone();
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
