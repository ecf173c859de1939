//! Loops that go in order, whose rest runs as it is written once the loops inside have been seen to be soon done ([`Whole`]).

use crate::sorted::SortedSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Block, Expr};

use super::each::written::{may_run, run as as_written};
use super::each::{is_clamped, length};
use super::unlinted;
use crate::guard;
use crate::ir::{self, BinaryOp, ExprKind, Method};
use crate::plan::whole::Whole;
use crate::plan::{LoopPlan, loops};
use crate::syntax::names;

/// Whether the loops inside have been soon done for long enough, as an expression; `None` where it cannot be told before an iteration how long they
/// are.
pub fn settled(
    whole: &Whole,
    inner: &[(&LoopPlan, &TokenStream)],
    gpu: bool,
) -> Option<TokenStream> {
    // As it is written the compiler does not see where indices are that methods keep within bounds.
    if inner.iter().any(|(plan, _)| is_clamped(plan)) {
        return None;
    }
    let settled = inner.iter().map(|(plan, site)| {
        let items = most(plan, &plan.ir.space[0].count, &whole.bound)?;
        Some(quote!(::accrue::__rt::cpu::Site::is_settled(&#site, #items)))
    });
    let settled: Vec<_> = settled.collect::<Option<_>>()?;
    let here = gpu.then(|| quote!(!::accrue::__rt::gpu::asked() &&));
    Some(quote!(#here #(#settled)&&*))
}

/// The loop with `body`, in which the loops inside run as they do, and with the user's own once that is `settled`, behind what brings `home` the arrays
/// that it looks at. `inner` are the loops inside.
pub fn run(
    whole: &Whole,
    inner: &[&LoopPlan],
    settled: &TokenStream,
    home: Option<&TokenStream>,
    body: &Block,
) -> TokenStream {
    let of = &whole.syntax;
    let (label, pat, expr) = (&of.label, &of.pat, &of.expr);
    let mut written = of.body.clone();
    loops::rewrite(&mut written, |nth, syntax| {
        let nth = whole.nth_for + 1 + nth;
        match inner.iter().find(|plan| plan.nth_for == nth) {
            Some(plan) if may_run(plan) && plan.once.is_empty() => {
                let run = as_written(plan);
                Expr::Verbatim(quote!({ #run }))
            }
            _ => syntax,
        }
    });
    let unlinted = unlinted();
    // A `break` of the user's without a label ends the inner of these two loops, behind which the outer one ends; with one it ends the outer
    // one, and a `continue` with one asks once more. The body ends in a semicolon, or rustc takes its braces for needless ones.
    quote! {
        match ::core::iter::IntoIterator::into_iter(#expr) {
            mut __accrue_steps => #label loop {
                if #settled {
                    #home
                    #unlinted
                    for #pat in ::core::iter::Iterator::by_ref(&mut __accrue_steps) #written
                    break;
                }
                let ::core::option::Option::Some(#pat) = ::core::iter::Iterator::next(&mut __accrue_steps) else {
                    break;
                };
                #body;
            }
        }
    }
}

/// A number that the value of an expression is not above, before what is `bound` is there.
fn most(plan: &LoopPlan, expr: &ir::Expr, bound: &SortedSet<String>) -> Option<TokenStream> {
    let known = guard::value(plan, expr, &length).filter(|tokens| {
        let mut used: Vec<Ident> = Vec::new();
        names::identifiers(tokens.clone(), &mut used);
        let is_bound = |name: &Ident| {
            bound.contains(&name.to_string()) || plan.once.iter().any(|once| once.name == *name)
        };
        !used.iter().any(is_bound)
    });
    known.or_else(|| match &expr.kind {
        ExprKind::Binary(BinaryOp::Sub, a, _) => most(plan, a, bound),
        ExprKind::Method(Method::SaturatingSub, parts) => most(plan, parts.first()?, bound),
        _ => None,
    })
}
