//! `?` in a loop that looks for its way out, as a question and a `return`.
//!
//! | written | stands for |
//! | --- | --- |
//! | `let v = parse(x)?;` | `let Some(v) = question(parse(x)) else { return; };` |
//! | `sum += parse(x)?;` | `let Some(q) = question(parse(x)) else { return; }; sum += q;` |
//! | `Err(e)?;` | `return;` |
//!
//! This is of what asks whether an iteration leaves the loop, and of the iterations that do not: the one that does runs as it is written. What is
//! asked stands before its statement, which may change nothing before it comes there.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprForLoop, Pat, Stmt, UnOp, parse_quote, parse_quote_spanned};

use super::exits;
use super::known::READING_METHODS;
use crate::alias;
use crate::ir::Method;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{sites, without_parens};

/// The loop without `?`; none where one stands in a place that is not seen.
pub(super) fn answered(of: &ExprForLoop) -> Option<ExprForLoop> {
    let mut answered = of.clone();
    Blocks(0).visit_block_mut(&mut answered.body);
    let mut stmts = answered.body.stmts.iter();
    stmts.all(|stmt| !asks(stmt)).then_some(answered)
}

fn asks(stmt: &Stmt) -> bool {
    let ways = exits::ways(stmt);
    ways.iter().any(|(way, _)| *way == exits::Way::Question)
}

/// Takes `?` out of the statements of blocks; how many there were.
struct Blocks(usize);

impl VisitMut for Blocks {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                visit_mut::visit_block_mut(self, block);
                let mut stmts = Vec::new();
                for stmt in std::mem::take(&mut block.stmts) {
                    match asks(&stmt) {
                        true => self.stmt(stmt, &mut stmts),
                        false => stmts.push(stmt),
                    }
                }
                block.stmts = stmts;
            }
            visit_mut::Node::Expr(e) => {
                if let Expr::Match(of) = e {
                    let arms = of.arms.iter_mut().map(|arm| &mut arm.body);
                    for body in arms.filter(|body| !matches!(***body, Expr::Block(_))) {
                        let stmt = Stmt::Expr((**body).clone(), None);
                        if asks(&stmt) {
                            **body = parse_quote!({ #stmt });
                        }
                    }
                }
                if !matches!(e, Expr::Closure(_) | Expr::Async(_)) {
                    visit_mut::visit_expr_mut(self, e);
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Blocks {
    fn stmt(&mut self, mut stmt: Stmt, before: &mut Vec<Stmt>) {
        let first = match &mut stmt {
            Stmt::Local(local) => local.init.as_mut().map(|init| &mut *init.expr),
            Stmt::Expr(Expr::If(of), _) => Some(&mut *of.cond),
            Stmt::Expr(Expr::Match(of), _) => Some(&mut *of.expr),
            Stmt::Expr(Expr::ForLoop(of), _) => Some(&mut *of.expr),
            Stmt::Expr(e, _) => Some(e),
            _ => None,
        };
        if let Some(first) = first {
            self.first(first, before);
        }
        // `let q = ..; let v = q;`.
        if let Stmt::Local(local) = &stmt
            && let Some(init) = &local.init
            && init.diverge.is_none()
            && let Some(Stmt::Local(asked)) = before.last_mut()
            && let Pat::TupleStruct(some) = &mut asked.pat
            && let Some(Pat::Ident(name)) = some.elems.first()
            && matches!(&*init.expr, Expr::Path(path) if path.path.is_ident(&name.ident))
        {
            let pat = match &local.pat {
                Pat::Type(typed) => {
                    let ty = &typed.ty;
                    if let Some(asking) = &mut asked.init {
                        let value = &asking.expr;
                        asking.expr = parse_quote!(::core::convert::identity::<::core::option::Option<#ty>>(#value));
                    }
                    (*typed.pat).clone()
                }
                pat => pat.clone(),
            };
            some.elems[0] = pat;
            return;
        }
        before.push(stmt);
    }

    /// Takes `?` out of an expression, in the order of evaluation, as long as nothing has changed before; whether nothing has.
    fn first(&mut self, e: &mut Expr, before: &mut Vec<Stmt>) -> bool {
        match e {
            Expr::Path(_) | Expr::Lit(_) => true,
            Expr::Try(of) => {
                self.first(&mut of.expr, before);
                let value = &of.expr;
                if fails(value) {
                    *e = parse_quote!(return);
                    return true;
                }
                let span = value.span().resolved_at(Span::call_site());
                let name = alias::question(self.0, span);
                self.0 += 1;
                before.push(parse_quote_spanned! {span=>
                    let Some(#name) = ::accrue::__rt::cpu::question(#value) else { return; };
                });
                *e = parse_quote!(#name);
                true
            }
            Expr::Paren(of) => self.first(&mut of.expr, before),
            Expr::Group(of) => self.first(&mut of.expr, before),
            Expr::Field(of) => self.first(&mut of.base, before),
            Expr::Cast(of) => self.first(&mut of.expr, before),
            Expr::Let(of) => self.first(&mut of.expr, before),
            Expr::Reference(of) => self.first(&mut of.expr, before) && of.mutability.is_none(),
            Expr::Unary(of) => {
                self.first(&mut of.expr, before)
                    && matches!(of.op, UnOp::Deref(_) | UnOp::Not(_) | UnOp::Neg(_))
            }
            // What is assigned is computed first.
            Expr::Assign(of) => {
                if self.first(&mut of.right, before) {
                    self.first(&mut of.left, before);
                }
                false
            }
            Expr::Binary(of) if sites::is_compound(&of.op) => {
                if self.first(&mut of.right, before) {
                    self.first(&mut of.left, before);
                }
                false
            }
            // The other side may not be evaluated.
            Expr::Binary(of) if matches!(of.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.first(&mut of.left, before);
                false
            }
            Expr::Binary(of) => {
                self.first(&mut of.left, before) && self.first(&mut of.right, before)
            }
            Expr::Index(of) => {
                self.first(&mut of.expr, before) && self.first(&mut of.index, before)
            }
            Expr::Tuple(of) => of.elems.iter_mut().all(|part| self.first(part, before)),
            Expr::Array(of) => of.elems.iter_mut().all(|part| self.first(part, before)),
            Expr::Struct(of) => {
                let mut fields = of.fields.iter_mut();
                fields.all(|field| self.first(&mut field.expr, before)) && of.rest.is_none()
            }
            Expr::Call(of) => {
                matches!(*of.func, Expr::Path(_))
                    && of.args.iter_mut().all(|part| self.first(part, before))
            }
            Expr::MethodCall(of) => {
                let method = of.method.to_string();
                let reads =
                    Method::named(&method).is_some() || READING_METHODS.contains(&method.as_str());
                self.first(&mut of.receiver, before)
                    && of.args.iter_mut().all(|part| self.first(part, before))
                    && reads
            }
            _ => false,
        }
    }
}

/// Whether a value is a failure as it stands there.
fn fails(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Call(of) => matches!(&*of.func, Expr::Path(path) if path.path.is_ident("Err")),
        Expr::Path(path) => path.path.is_ident("None"),
        _ => false,
    }
}
