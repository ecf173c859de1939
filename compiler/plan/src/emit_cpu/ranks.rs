//! What stands around a loop for calls across ranks: what it combines into, as the runtime's `across` takes it.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use super::value::same;
use super::{body, checked, each, known, laid, operator};
use crate::ir::{Memory, Pattern};
use crate::plan::LoopPlan;

/// What a loop combines into.
pub struct Combined {
    /// Bins and scalars: where they are, and an expression of type `Part`.
    pub parts: Vec<(Expr, TokenStream)>,
    /// Expressions of type `Best`.
    pub best: Vec<TokenStream>,
    /// The scalars that keep the best items, with expressions of type `Option<Values>`.
    pub places: Vec<(Expr, TokenStream)>,
}

/// What a loop combines into.
///
/// # Errors
///
/// Why ranks cannot combine what they have of it.
pub fn combined(plan: &LoopPlan) -> Result<Combined, String> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let rt = quote!(::accrue::__rt::across);
    let body = match each::is_each(plan) {
        true => None,
        false => Some(body::Body::new(plan)?),
    };
    let checked = checked();
    let parts = roles.targets.iter().zip(&plan.targets).enumerate();
    let parts = parts.map(|(n, (target, syntax))| {
        let expr = &syntax.expr;
        let span = expr.span().resolved_at(Span::call_site());
        let op = operator(target.op);
        let part = match target.memory {
            Memory::Scalar(_) => {
                let make = quote!(#rt::scalar::<#checked, _, _>);
                match target.elem {
                    Some(_) => quote!(#make(&mut (#expr), #op)),
                    None => known(
                        span,
                        &format_ident!("scalar"),
                        &quote!(&mut (#expr)),
                        &op,
                        &make,
                    ),
                }
            }
            Memory::Bins(_) => {
                let of_each = || each::depth(plan, n).unwrap_or(1);
                let depth = body.as_ref().map_or_else(of_each, |body| body.depth(n));
                let make = match depth {
                    1 => format_ident!("bins"),
                    depth => format_ident!("bins{depth}"),
                };
                // The constants of the shape are inferred like the types.
                let shape = (1..depth).map(|_| quote!(, _));
                let path = quote_spanned!(span=> #rt::#make::<#checked, _, _ #(#shape)*>);
                let bins = quote_spanned!(span=> &mut (#expr)[::accrue::__rt::ALL]);
                match target.elem {
                    Some(_) => quote_spanned!(span=> #path(#bins, #op)),
                    None => known(span, &make, &laid::bins(expr, depth), &op, &path),
                }
            }
        };
        (expr.clone(), part)
    });
    let parts = parts.collect();
    let (mut best, mut places) = (Vec::new(), Vec::new());
    for (kept, syntax) in roles.best.iter().zip(&plan.best) {
        let text = |expr: &Expr| crate::source::text_of(&quote!(#expr));
        if kept.last.is_some() {
            return Err(format!(
                "of items with the same `{}` it keeps the last, which ranks do not tell: compare by `<` or `>`",
                text(&syntax.key)
            ));
        }
        if kept.option.is_some() {
            return Err("it keeps the best item in an `Option`, which ranks do not send: keep what it is compared by and an index, each in a variable".to_owned());
        }
        if kept.ends {
            return Err(
                "it ends with the first item that is found, and ranks do not tell each other of it"
                    .to_owned(),
            );
        }
        let key = syntax.places.iter().position(|p| same(p, &syntax.key));
        let Some(key) = key.filter(|_| kept.indices.is_empty()) else {
            return Err(format!(
                "it finds the best item by `{}`, which only the rank that has the item can evaluate: keep the value itself, `if x < best {{ best = x; at = i; }}`",
                text(&syntax.key)
            ));
        };
        let asked = syntax.places.iter().map(|place| {
            let span = place.span().resolved_at(Span::call_site());
            quote_spanned!(span=> (&&#rt::Place::new(&mut (#place))).__accrue_place())
        });
        let asked: Vec<TokenStream> = asked.collect();
        let (less, ordered) = (kept.less, kept.overflows);
        let ordered = match ordered {
            true => checked.clone(),
            false => quote!(false),
        };
        best.push(quote! {{
            use #rt::{AskNoPlace as _, AskPlace as _};
            #rt::best::<#ordered, _>([#(#asked),*], #key, #less)
        }});
        places.extend(syntax.places.iter().cloned().zip(asked));
    }
    Ok(Combined {
        parts,
        best,
        places,
    })
}

/// A loop's form with what tells a call across ranks of it. `companion` is the type by which the call knows the function.
pub fn around(
    plan: &LoopPlan,
    companion: &proc_macro2::Ident,
    deterministic: bool,
    form: &TokenStream,
) -> Result<TokenStream, String> {
    let Combined { parts, best, .. } = combined(plan)?;
    let parts = parts.iter().map(|(_, part)| part);
    let number = plan.ir.ordinal as u32;
    let lists = quote!(&mut [#(#parts),*], &mut [#(#best),*]);
    let together = laid::together(plan);
    Ok(quote! {
        let mut __accrue_loop = ::accrue::__rt::across::loop_of::<#companion>(#number, #deterministic);
        if let ::core::option::Option::Some(__accrue_loop) = &mut __accrue_loop {
            #together
            ::accrue::__rt::across::Loop::begin(__accrue_loop, #lists);
        }
        #form
        if let ::core::option::Option::Some(__accrue_loop) = __accrue_loop {
            ::accrue::__rt::across::Loop::end(__accrue_loop, #lists);
        }
    })
}
