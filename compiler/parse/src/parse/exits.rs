//! Ways out of the parallel loop: `break`, `return` and `?`, also in code that only rustc understands.

use crate::syntax::visit::{self, Visit};
use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;

use super::lower::Lower;
use crate::diag::{Code, Diagnostic};

/// What leaves the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// `break`.
    Break,
    /// `continue` of a loop around it.
    Continue,
    /// `return`.
    Return,
    /// `?`.
    Question,
}

impl Lower<'_> {
    /// Reports a way out, once for each place.
    pub(super) fn leaves(&mut self, way: Way, span: Span) {
        let ran = "iterations run at the same time, so the ones after this may have run already";
        let diagnostic = match way {
            Way::Break => Diagnostic::new(Code::Break, span, "`break` leaves the parallel loop")
                .note(ran)
                .help(match self.any {
                    false => "shorten what is iterated over (`.take(n)`, a subslice), or `continue` for the items that do not count",
                    true => "shorten what is iterated over (`.take(n)`, a subslice), `continue` for the items that do not count, or keep the first that does: `if first.is_none() && x < 0 { first = Some(i); }`",
                }),
            Way::Continue => Diagnostic::new(Code::Break, span, "`continue` goes on with a loop around the parallel one")
                .note(ran)
                .help("decide after the loop: reduce a flag in it, `skip |= x < 0`, and `continue` behind it"),
            Way::Return => Diagnostic::new(Code::Return, span, "`return` leaves the parallel loop")
                .note(ran)
                .help("decide after the loop: reduce a flag in it, `failed |= x < 0`, and return behind it"),
            Way::Question => Diagnostic::new(Code::Question, span, "`?` leaves the parallel loop")
                .note("other iterations may already have run, or may not")
                .help("check the items before the loop, or count the failures in the loop and look at the count afterwards"),
        };
        let at = span.start();
        self.report_once(&format!("{}:{}", at.line, at.column), diagnostic);
    }

    /// Reports the ways out in code that is not looked into otherwise.
    pub(super) fn check_exits(&mut self, e: &Expr) {
        let mut finder = Finder::default();
        finder.visit_expr(e);
        for (way, label, span) in finder.found {
            let inside = match way {
                Way::Break | Way::Continue => self
                    .frame(label.as_ref())
                    .is_some_and(|f| f.target.is_some() || way == Way::Continue),
                Way::Return | Way::Question => self.within.is_some(),
            };
            if !inside {
                self.leaves(way, span);
            }
        }
    }
}

/// Whether something leaves an expression.
pub(super) fn leaves(e: &Expr) -> bool {
    let mut finder = Finder::default();
    finder.visit_expr(e);
    !finder.found.is_empty()
}

/// What leaves a statement, with the labels of loops that it leaves or goes on with.
pub(super) fn ways(stmt: &syn::Stmt) -> Vec<(Way, Option<syn::Lifetime>)> {
    let mut finder = Finder::default();
    finder.visit_stmt(stmt);
    let found = finder.found.into_iter();
    found.map(|(way, label, _)| (way, label)).collect()
}

/// Where a loop's body returns from the function.
pub(super) fn returns(body: &syn::Block) -> Option<Span> {
    let mut finder = Finder::default();
    finder.visit_block(body);
    let mut found = finder.found.into_iter();
    found.find_map(|(way, _, span)| (way == Way::Return).then_some(span))
}

/// Finds what leaves a piece of code, with the label of the loop that it leaves.
#[derive(Default)]
struct Finder<'a> {
    loops: usize,
    labels: Vec<&'a syn::Lifetime>,
    found: Vec<(Way, Option<syn::Lifetime>, Span)>,
}

impl<'a> Finder<'a> {
    fn jump(&mut self, way: Way, label: Option<&'a syn::Lifetime>, span: Span) {
        let inside = match label {
            Some(label) => self.labels.iter().any(|l| l.ident == label.ident),
            None => self.loops > 0,
        };
        if !inside {
            self.found.push((way, label.cloned(), span));
        }
    }

    fn labelled(&mut self, label: Option<&'a syn::Label>, is_loop: bool, e: &'a Expr) {
        self.labels.extend(label.map(|l| &l.name));
        self.loops += usize::from(is_loop);
        visit::visit_expr(self, e);
        self.loops -= usize::from(is_loop);
        if label.is_some() {
            self.labels.pop();
        }
    }
}

impl<'a> Visit<'a> for Finder<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                match e {
                    Expr::Closure(_) | Expr::Async(_) => return,
                    Expr::ForLoop(l) => return self.labelled(l.label.as_ref(), true, e),
                    Expr::While(l) => return self.labelled(l.label.as_ref(), true, e),
                    Expr::Loop(l) => return self.labelled(l.label.as_ref(), true, e),
                    Expr::Block(b) => return self.labelled(b.label.as_ref(), false, e),
                    Expr::Break(b) => self.jump(Way::Break, b.label.as_ref(), b.break_token.span()),
                    Expr::Continue(c) => {
                        self.jump(Way::Continue, c.label.as_ref(), c.continue_token.span())
                    }
                    Expr::Return(r) => self.found.push((Way::Return, None, r.return_token.span())),
                    Expr::Try(t) => self
                        .found
                        .push((Way::Question, None, t.question_token.span())),
                    _ => {}
                }
                visit::visit_expr(self, e);
            }
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
