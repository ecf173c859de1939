//! The same for the innermost loops of a body, over ranges, whose indices are kept within bounds by methods: `grey[y * w + x.saturating_sub(1)]`.
//!
//! Others the compiler vectorizes as they are, and what a walk needs before it begins is a tenth of a row of a hundred elements (a stencil of seven points in a
//! cube of 128: 0.95 ms instead of 0.54).

use quote::quote;
use syn::{Block, Expr, ExprForLoop, Ident, Pat, RangeLimits};

use super::{Of, Walks};
use crate::emit_cpu::space::{is_usize, literal};
use crate::plan::LoopPlan;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

/// The body of a loop, in which inner loops walk through the arrays that they index. The names of `own` stand for what the iterations of the loop around have
/// elements of.
pub(in crate::emit_cpu) fn walked(
    plan: &LoopPlan,
    pat: &Pat,
    body: &Block,
    own: &[Ident],
) -> Block {
    let mut around = Around::default();
    around.visit_pat(pat);
    around.visit_block(body);
    let mut body = body.clone();
    let mut loops = Loops { plan, around, own };
    loops.visit_block_mut(&mut body);
    body
}

/// What is bound around a loop, and whether it can be changed.
#[derive(Default)]
pub(super) struct Around(Vec<(Ident, bool)>);

impl Around {
    /// Whether a name is bound by it.
    pub(super) fn binds(&self, name: &Ident) -> bool {
        self.0.iter().any(|(bound, _)| bound == name)
    }

    /// Whether it is, and always to something that stays.
    pub(super) fn is_for_good(&self, name: &Ident) -> bool {
        let mut all = self.0.iter().filter(|(bound, _)| bound == name).peekable();
        all.peek().is_some() && all.all(|(_, changes)| !changes)
    }
}

impl<'a> Visit<'a> for Around {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::PatIdent(pat) => {
                let changes = pat.mutability.is_some() || pat.by_ref.is_some();
                self.0.push((pat.ident.clone(), changes));
                visit::visit_pat_ident(self, pat);
            }
            _ => node.parts(self),
        }
    }
}

struct Loops<'a> {
    plan: &'a LoopPlan,
    around: Around,
    own: &'a [Ident],
}

impl Loops<'_> {
    /// What a loop becomes, if it walks.
    fn of(&self, of: &ExprForLoop) -> Option<Expr> {
        let (Pat::Ident(name), Expr::Range(range), None) = (&*of.pat, &*of.expr, &of.label) else {
            return None;
        };
        let (Some(start), Some(end), RangeLimits::HalfOpen(_)) =
            (&range.start, &range.end, &range.limits)
        else {
            return None;
        };
        let plain = name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none();
        // The compiler unrolls what it knows the length of.
        let known = literal(start).is_some() && literal(end).is_some();
        let mut ends = Ends(false);
        ends.visit_block(&of.body);
        if !plain || known || ends.0 || !of.attrs.is_empty() || !is_usize(self.plan, &name.ident) {
            return None;
        }
        let walks = Walks::of(
            Of {
                plan: self.plan,
                pat: &of.pat,
                position: &name.ident,
                is_usize: true,
                stride: quote!(1),
                around: Some(&self.around),
            },
            &of.body,
            self.own,
        )?;
        let walks = walks.clamps.then_some(walks)?;
        let (arrays, pat, rt) = (&walks.arrays, &of.pat, quote!(::accrue::__rt::cpu));
        let statements = &of.body.stmts;
        let stretches = walks.stretches(
            (quote!(inner_segment), None),
            (None, pat),
            &quote! {
                for #pat in #rt::Source::part(&__accrue_source, __accrue_part) {
                    #(#statements)*
                }
            },
        );
        Some(Expr::Verbatim(quote!({
            let __accrue_source = #rt::source(#range);
            let mut __accrue_rest = 0..#rt::Source::len(&__accrue_source);
            #arrays
            #stretches
        })))
    }
}

impl VisitMut for Loops<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                if let Expr::ForLoop(of) = e
                    && let Some(walks) = self.of(of)
                {
                    *e = walks;
                    return;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether a body ends its loop.
struct Ends(bool);

impl<'a> Visit<'a> for Ends {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(expr) => {
                self.0 |= matches!(
                    expr,
                    Expr::Break(_) | Expr::Return(_) | Expr::Try(_) | Expr::Await(_)
                );
                visit::visit_expr(self, expr);
            }
            _ => node.parts(self),
        }
    }
}
