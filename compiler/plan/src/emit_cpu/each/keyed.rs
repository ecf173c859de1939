//! Maps that a loop groups by keys: what the runtime is told of them. What it does is in `accrue`'s `cpu::keyed`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use crate::emit_cpu::{checked, operator};
use crate::parsed::keyed::{Does, Keyed, Role, counts_once};
use crate::plan::LoopPlan;

/// What asks rustc whether the places are maps of the standard library.
pub(super) fn holds(plan: &LoopPlan) -> Option<TokenStream> {
    let rt = quote!(::accrue::__rt::cpu::keyed);
    let asks = plan.keyed.iter().map(|map| {
        let (place, span) = (&map.place, span_of(&map.place));
        quote_spanned!(span=> #rt::holds(&(#place));)
    });
    let asks: Vec<_> = asks.collect();
    (!asks.is_empty()).then(|| quote!(use #rt::Groups as _; #(#asks)*))
}

/// A map as what a call combines into.
pub(super) fn member(map: &Keyed) -> TokenStream {
    let (place, span) = (&map.place, span_of(&map.place));
    let role = role(&map.role, span);
    quote_spanned!(span=> (#place).__accrue_keyed(|__accrue_of| #role))
}

/// What the loop does with values of the type that `__accrue_of` stands for.
fn role(of: &Role, span: Span) -> TokenStream {
    of.begins.iter().fold(does(&of.does, span), |does, begin| {
        let sure = cannot_panic(begin);
        quote_spanned! { span=>
            ::accrue::__rt::cpu::keyed::begins(__accrue_of, |__accrue_of| #does, || #begin, #sure)
        }
    })
}

/// Whether an expression is made of what exists, and of values that types begin with.
fn cannot_panic(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(e) => cannot_panic(&e.expr),
        Expr::Group(e) => cannot_panic(&e.expr),
        Expr::Unary(e) => matches!(&*e.expr, Expr::Lit(_)),
        Expr::Cast(e) => cannot_panic(&e.expr),
        Expr::Field(e) => cannot_panic(&e.base),
        Expr::Tuple(e) => e.elems.iter().all(cannot_panic),
        Expr::Array(e) => e.elems.iter().all(cannot_panic),
        Expr::Repeat(e) => cannot_panic(&e.expr),
        Expr::Struct(e) => {
            let mut fields = e.fields.iter().map(|field| &field.expr);
            fields.all(cannot_panic) && e.rest.iter().all(|rest| cannot_panic(rest))
        }
        Expr::Call(e) => matches!(&*e.func, Expr::Path(_)) && e.args.is_empty(),
        Expr::Macro(e) => e.mac.tokens.is_empty(),
        _ => false,
    }
}

fn does(does: &Does, span: Span) -> TokenStream {
    let rt = quote!(::accrue::__rt::cpu::keyed);
    match does {
        Does::Fields(fields) => fields.iter().rev().fold(quote!(()), |rest, (member, part)| {
            let part = role(part, span);
            quote_spanned! { span=>
                #rt::field(__accrue_of, |__accrue_value| &mut __accrue_value.#member, |__accrue_of| #part, |__accrue_of| #rest)
            }
        }),
        Does::Combines(op) => {
            let once = counts_once(op.op);
            let (op, checked) = (operator(*op), checked());
            quote_spanned!(span=> #rt::combining::<#checked, _, _>(__accrue_of, #op, #once))
        }
        Does::Compares { less, last, varies } => {
            quote_spanned!(span=> #rt::comparing(__accrue_of, #less, #last, #varies))
        }
        Does::Keeps {
            key,
            less,
            last,
            varies,
        } => quote_spanned! { span=>
            #rt::keeping(__accrue_of, |__accrue_value| &mut __accrue_value.#key, #less, #last, #varies)
        },
        Does::Appends => quote_spanned!(span=> #rt::appending(__accrue_of)),
        Does::Replaces => quote_spanned!(span=> #rt::replacing(__accrue_of)),
        Does::Elements(part) => {
            let part = role(part, span);
            quote_spanned!(span=> #rt::elements(__accrue_of, |__accrue_of| #part))
        }
        Does::Entries(part) => {
            let part = role(part, span);
            quote_spanned!(span=> #rt::entries(__accrue_of, |__accrue_of| #part))
        }
    }
}

fn span_of(place: &Expr) -> Span {
    place.span().resolved_at(Span::call_site())
}
