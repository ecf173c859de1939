//! Bins with several indices whose type the macro does not see, `self.counts[y][x] += 1`: rustc says whether they are one array. Where their rows lie apart, as those of
//! a `Vec<Vec<u32>>` do, the loop runs as it is written.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use super::{body, each, targets};
use crate::ir::Memory;
use crate::plan::LoopPlan;

/// What runs a loop, and `otherwise` where rows of its bins lie apart.
pub fn around(plan: &LoopPlan, run: TokenStream, otherwise: &TokenStream) -> TokenStream {
    let asked: Vec<_> = asked(plan)
        .map(|(expr, depth)| apart(expr, depth))
        .collect();
    match asked.is_empty() {
        true => run,
        false => quote!(if #(#asked)||* { #otherwise } else { #run }),
    }
}

/// What has a call across ranks fail where rows lie apart.
pub(super) fn together(plan: &LoopPlan) -> TokenStream {
    let asked = asked(plan).map(|(expr, depth)| {
        let (apart, name) = (
            apart(expr, depth),
            crate::source::text_of(&expr.to_token_stream()),
        );
        quote!(::accrue::__rt::laid::together(#apart, #name);)
    });
    quote!(#(#asked)*)
}

/// Bins as what a member is made of.
pub(super) fn bins(expr: &Expr, depth: usize) -> TokenStream {
    match depth {
        1 => {
            let span = expr.span().resolved_at(Span::call_site());
            quote_spanned!(span=> &mut (#expr)[::accrue::__rt::ALL])
        }
        _ => ask(expr, depth, &quote!(__accrue_array)),
    }
}

/// The length of their rows, where they are one array.
pub(super) fn row_len(expr: &Expr, depth: usize) -> TokenStream {
    ask(expr, depth, &quote!(__accrue_row_len))
}

fn apart(expr: &Expr, depth: usize) -> TokenStream {
    ask(expr, depth, &quote!(__accrue_apart))
}

fn ask(expr: &Expr, depth: usize, what: &TokenStream) -> TokenStream {
    let span = expr.span().resolved_at(Span::call_site());
    let indices = Literal::usize_unsuffixed(depth);
    quote_spanned! { span=>
        {
            #[allow(unused_imports)]
            use ::accrue::__rt::laid::{
                AskApart2 as _, AskApart3 as _, AskArray2 as _, AskArray3 as _, AskBehind2 as _,
            };
            (&&&::accrue::__rt::laid::Laid::<_, #indices>::new(&mut (#expr)[::accrue::__rt::ALL])).#what()
        }
    }
}

/// The bins that are asked about, with how many indices they have.
fn asked(plan: &LoopPlan) -> impl Iterator<Item = (&Expr, usize)> {
    let open = targets(plan).iter().zip(&plan.targets).enumerate();
    let open = open.filter(|(_, (target, _))| {
        target.elem.is_none() && matches!(target.memory, Memory::Bins(_))
    });
    let open: Vec<_> = open.map(|(n, (_, syntax))| (n, &syntax.expr)).collect();
    let body = match open.is_empty() || each::is_each(plan) {
        true => None,
        false => body::Body::new(plan).ok(),
    };
    open.into_iter().filter_map(move |(n, expr)| {
        let depth = body.as_ref()?.depth(n);
        (depth > 1).then_some((expr, depth))
    })
}
