//! Loops whose iterations follow each other, for whoever has not marked them `#[sequential]`: they go in order, and those inside them are
//! looked at.
//!
//! ```text
//! for t in 0..steps { for i in 1..n - 1 { b[i] = a[i - 1] + a[i + 1]; } std::mem::swap(a, b); }
//! ```
//!
//! Nothing is decided here of what may run in parallel: a loop that has been refused because of what its iterations do to each other, itself or by what it
//! calls, and in which others stand, is left as it is, and the function is judged again. Where no loop inside it is taken, the refusal stands.

use crate::sorted::Sorted;
use crate::syntax::visit::{self, Visit};
use syn::{Expr, ExprForLoop};

use super::function::Parsed;
use super::pivot;
use crate::diag::{Code, Errors};
use crate::parsed::candidate::Candidate;
use crate::syntax::without_parens;

/// The loops of a function that go in order without being marked, by their numbers, with the reason.
pub type InOrder = Sorted<usize, String>;

/// As many iterations of so little work are not worth being shared out in each step.
const FEW: u64 = 64;

/// As many of a loop that is refused, beside others that are taken, are soon done: one for each value of a byte.
const BESIDE: u64 = 256;

/// The loops that have to go in order for those inside them to be looked at, after the candidates have been judged; of those inside such, also what
/// is refused and holds no other, and what has next to nothing to do. `short`: also one that is refused and short, beside a loop that is taken.
pub fn further<T>(
    candidates: &[Candidate<'_>],
    judged: &[Result<T, Errors>],
    short: bool,
) -> InOrder {
    let beside = short && judged.iter().any(Result::is_ok);
    let further = candidates.iter().zip(judged).filter_map(|(candidate, of)| {
        let syntax = candidate.syntax;
        let is_inside = !candidate.within.is_empty();
        let Err(errors) = of else {
            let few = "its iterations are few and short";
            return (is_inside && is_short(syntax, FEW))
                .then(|| (candidate.nth_for, few.to_owned()));
        };
        let of_order = errors.iter().find(|e| is_of_order(e.code));
        // What a call reads of a step it may read where steps go in order.
        let others = errors
            .iter()
            .all(|e| e.code.is_way_out() || e.looks || is_of_order(e.code));
        // A loop that is left early and whose iterations keep apart otherwise is better written without that.
        let short = beside && is_short(syntax, BESIDE);
        let goes = others && (is_inside || of_order.is_some() && (has_loops(syntax) || short));
        let reason = match of_order {
            Some(of) => format!("its iterations follow each other: {}", of.message),
            None => errors.iter().next()?.message.clone(),
        };
        goes.then_some((candidate.nth_for, reason))
    });
    further.collect()
}

/// Whether a loop has few iterations, by the literals of its range, and none inside them.
fn is_short(syntax: &ExprForLoop, few: u64) -> bool {
    let Expr::Range(range) = without_parens(&syntax.expr) else {
        return false;
    };
    let number = |end: &Option<Box<Expr>>| match end.as_deref() {
        Some(Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(lit),
            ..
        })) => lit.base10_parse::<u64>().ok(),
        _ => None,
    };
    let ends = number(&range.start).zip(number(&range.end));
    ends.is_some_and(|(low, high)| high.saturating_sub(low) <= few) && !has_loops(syntax)
}

/// Whether each outermost loop that goes in order without a mark has one inside it that runs in parallel, or is short beside one.
pub fn is_worth_it<T>(parsed: &Parsed<'_>, judged: &[Result<T, Errors>]) -> bool {
    let taken = |is_one: &dyn Fn(&Candidate<'_>) -> bool| {
        let mut candidates = parsed.candidates.iter().zip(judged);
        candidates.any(|(candidate, of)| {
            of.is_ok() && is_one(candidate) && !pivot::is_one(candidate.syntax)
        })
    };
    let is_short = |nth: &usize| {
        let mut loops = parsed.in_order.iter();
        loops.any(|of| of.nth_for == *nth && is_short(of.syntax, BESIDE))
    };
    parsed.outermost.iter().all(|nth| match is_short(nth) {
        true => taken(&|_| true),
        false => taken(&|candidate| candidate.within.contains(nth)),
    })
}

/// Whether a function has loops that may go in order because they are short.
pub fn has_short(function: &syn::ItemFn) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            if let visit::Node::ExprForLoop(of) = node {
                self.0 |= is_short(of, BESIDE);
            }
            node.parts(self);
        }
    }
    let mut finder = Finder(false);
    finder.visit_block(&function.block);
    finder.0
}

fn has_loops(syntax: &ExprForLoop) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprForLoop(_) => {
                    self.0 = true;
                }
                visit::Node::Item(_) => {}
                visit::Node::ExprClosure(_) => {}
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(false);
    finder.visit_block(&syntax.body);
    finder.0
}

/// Whether a loop is refused because of what its iterations do to each other, or may do by what it calls.
fn is_of_order(code: Code) -> bool {
    match code {
        Code::Dependence
        | Code::BinsRead
        | Code::OldValue
        | Code::MixedOperators
        | Code::OrderDependent
        | Code::IndexOnBins
        | Code::ValueOnBins
        | Code::WriteVariable
        | Code::WriteArray
        | Code::Carried
        // What it calls may do anything with the arrays of one step: of steps in order that is as written.
        | Code::Escapes
        | Code::Closure => true,
        _ => false,
    }
}
