//! Loops whose iterations use what one of them writes, the row of the step around them: that one is taken by itself.
//!
//! ```text
//! for k in 0..n { for i in 0..n { for j in 0..n { d[i][j] = min(d[i][j], d[i][k] + d[k][j]); } } }
//! ```
//!
//! In the order of the loop, iterations before `k` find row `k` as it was before the step, those behind it find what iteration `k` has made of it. So the
//! loop over `i` is three: up to `k`, `k` alone, and behind `k`; in each of them no iteration uses what another one writes, which is for the dependence
//! test to find out. It is so in Floyd and Warshall's paths, Gauss and Jordan's elimination and transitive closures.
//!
//! The loop has to have the range of the step's, word by word, so that numbers of both are of one type. Where the step's number does not lie in it after
//! all, since a bound has changed, the loop runs as it is written.

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use quote::ToTokens;
use syn::{Expr, ExprForLoop, ExprRange, Ident, ItemFn, Pat, RangeLimits, Stmt, parse_quote};

use super::names::{bound_names, identifiers};
use super::prefix::is_repeatable;
use crate::syntax::without_parens;

/// Takes loops of a function apart; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut loops = Loops::default();
    loops.visit_block_mut(&mut function.block);
    loops.rewritten
}

#[derive(Default)]
struct Loops {
    /// The loops around, with their numbers.
    steps: Vec<(Ident, ExprRange)>,
    rewritten: bool,
}

impl VisitMut for Loops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                let Expr::ForLoop(of) = e else {
                    return visit_mut::visit_expr_mut(self, e);
                };
                let Some((name, range)) = counted(of) else {
                    return visit_mut::visit_expr_mut(self, e);
                };
                let text = |e: &dyn ToTokens| e.to_token_stream().to_string();
                let mut steps = self.steps.iter().rev();
                let step = steps
                    .find(|(step, around)| text(around) == text(&range) && indexes_by(of, step));
                if let Some((step, _)) = step
                    && of.attrs.is_empty()
                    && !hides(of, step)
                {
                    *e = apart(of, &range, step);
                    self.rewritten = true;
                    return;
                }
                self.steps.push((name, range));
                self.visit_block_mut(&mut of.body);
                self.steps.pop();
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The name and the range of a loop over numbers that can be asked for again.
fn counted(of: &ExprForLoop) -> Option<(Ident, ExprRange)> {
    let (Pat::Ident(name), Expr::Range(range)) = (&*of.pat, without_parens(&of.expr)) else {
        return None;
    };
    let (low, high) = (range.start.as_deref()?, range.end.as_deref()?);
    let simple = is_repeatable(low) && is_repeatable(high) && name.subpat.is_none();
    let half_open = matches!(range.limits, RangeLimits::HalfOpen(_));
    let labelled = of.label.is_some() || name.mutability.is_some() || name.by_ref.is_some();
    (simple && half_open && !labelled).then(|| (name.ident.clone(), range.clone()))
}

/// Whether a loop has one iteration, as that of a step's own row.
pub(super) fn is_one(of: &ExprForLoop) -> bool {
    let ends = counted(of).map(|(_, range)| (range.start, range.end));
    let text = |e: &Option<Box<Expr>>| e.to_token_stream().to_string();
    ends.is_some_and(|(low, high)| text(&high) == format!("{} + 1", text(&low)))
}

/// Whether an index in a loop's body is made with a name.
fn indexes_by(of: &ExprForLoop, name: &Ident) -> bool {
    struct Finder<'a>(&'a Ident, bool);
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprIndex(e) => {
                    let mut used = Vec::new();
                    identifiers(e.index.to_token_stream(), &mut used);
                    self.1 |= used.contains(self.0);
                    visit::visit_expr_index(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(name, false);
    finder.visit_block(&of.body);
    finder.1
}

/// Whether the names that a loop is taken apart by may be others in it, or it has parts that stand only once.
fn hides(of: &ExprForLoop, step: &Ident) -> bool {
    struct Finder<'a>(&'a Ident, bool);
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Pat(pat) => {
                    self.1 |= bound_names(pat).contains(&self.0);
                    visit::visit_pat(self, pat);
                }
                visit::Node::Item(_) => {
                    self.1 = true;
                }
                visit::Node::Label(_) => {
                    self.1 = true;
                }
                visit::Node::ExprReturn(_) => {
                    self.1 = true;
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(step, false);
    finder.visit_pat(&of.pat);
    finder.visit_block(&of.body);
    finder.1
}

/// The three loops.
fn apart(of: &ExprForLoop, range: &ExprRange, step: &Ident) -> Expr {
    let (low, high) = (&range.start, &range.end);
    let over = |range: Expr| ExprForLoop {
        expr: Box::new(range),
        ..of.clone()
    };
    let before = over(parse_quote!(#low..#step));
    let itself = over(parse_quote!(#step..#step + 1));
    let behind = over(parse_quote!(#step + 1..#high));
    let mut apart: syn::ExprIf = parse_quote! {
        if (#low..#high).contains(&#step) { #before #itself #behind } else {}
    };
    if let Some((_, otherwise)) = &mut apart.else_branch
        && let Expr::Block(block) = &mut **otherwise
    {
        // Nobody looks for loops in it.
        let as_written = Expr::Verbatim(of.to_token_stream());
        block.block.stmts.push(Stmt::Expr(as_written, None));
    }
    Expr::If(apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(body: &str) -> Option<String> {
        let text = format!("fn f(d: &mut [u32], r: &[u32], n: usize) {{ {body} }}");
        let mut function: ItemFn = syn::parse_str(&text).unwrap();
        let found = rewrite(&mut function);
        found.then(|| {
            function
                .block
                .to_token_stream()
                .to_string()
                .replace(' ', "")
        })
    }

    #[test]
    fn a_loop_over_the_range_of_its_step_is_three() {
        let text = rewritten("for k in 0..n { for i in 0..n { d[i] += d[k]; } }").unwrap();
        let is = "{forkin0..n{if(0..n).contains(&k){foriin0..k{d[i]+=d[k];}foriink..k+1{d[i]+=d[k];}foriink+1..n{d[i]+=d[k];}}else{foriin0..n{d[i]+=d[k];}}}}";
        assert_eq!(text, is);
    }

    #[test]
    fn a_steps_own_row_is_one_iteration() {
        let is = |text: &str| is_one(&syn::parse_str(text).unwrap());
        assert!(is("for i in k..k + 1 {}"));
        assert!(
            !is("for i in k..k + 2 {}") && !is("for i in 0..k + 1 {}") && !is("for i in k..n {}")
        );
    }

    #[test]
    fn other_loops_stay() {
        for body in [
            "for k in 0..n { for i in k + 1..n { d[i] += d[k]; } }",
            "for k in 0..n { for i in 0..n { d[i] += r[i]; } }",
            "for k in 0..n { for i in 0..n { let k = i; d[i] += r[k]; } }",
            "for k in 0..=n { for i in 0..=n { d[i] += d[k]; } }",
            "for k in 0..n { for i in 0..n { if d[k] == 0 { return; } d[i] += d[k]; } }",
            "for k in 0..g() { for i in 0..g() { d[i] += d[k]; } }",
            "for i in 0..n { d[i] += 1; }",
        ] {
            assert_eq!(rewritten(body), None, "{body}");
        }
    }
}
