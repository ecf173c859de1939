//! What `distinct(out)` says, asked of a kernel before the loop is tried: see `accrue`'s `gpu::apart`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::host;
use crate::ir::Pattern;
use crate::plan::LoopPlan;

/// An attempt at a loop whose iterations have been asked for what they use by another one, `claims`. `lengths` are those of its distinct arrays, `path`
/// leads to the `static` of the other one, and `within_reach` says whether the host could run the loop.
pub(super) fn first(
    plan: &LoopPlan,
    lengths: &[TokenStream],
    path: &TokenStream,
    claims: &TokenStream,
    attempt: &TokenStream,
    within_reach: &TokenStream,
) -> Option<TokenStream> {
    let (_, range) = plan.claims()?;
    let Pattern::Histogram(roles) = &plan.pattern;
    let names = roles.distinct.iter().map(|id| &plan.ir.array(*id).name);
    let local = |what: &'static str| {
        let all = 0..roles.distinct.len();
        all.map(move |n| -> Ident { format_ident!("__accrue_{what}_{n}") })
    };
    let (taken, claimed) = (local("taken"), local("claimed"));
    let range = range.map(host::capture_name);
    Some(quote!({
        let mut __accrue_apart = ::accrue::__rt::gpu::Apart::new(&#path, [#((#names, #lengths)),*]);
        let __accrue_apart = loop {
            let [#(#range),*] = __accrue_apart.range();
            let ([#(#taken),*], [#(#claimed),*]) = __accrue_apart.begin();
            let __accrue_claims = #claims;
            if let ::core::option::Option::Some(__accrue_found) = __accrue_apart.judge(__accrue_claims, #within_reach) {
                break __accrue_found;
            }
        };
        match __accrue_apart {
            ::core::result::Result::Ok(()) => #attempt,
            ::core::result::Result::Err(__accrue_attempt) => __accrue_attempt,
        }
    }))
}
