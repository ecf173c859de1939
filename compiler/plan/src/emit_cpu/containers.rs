//! The slices of arrays of other crates around a loop: where one lies otherwise the loop in order, with what puts its bins back after a panic.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprForLoop};

use super::undo::{Bins, Undo};
use crate::alias;
use crate::ir::Method;
use crate::parsed::containers::{Containers, required};
use crate::plan::{LoopPlan, TargetSyntax};
use crate::syntax::known::READING_METHODS;
use crate::syntax::names::{self, Called, root_of};

/// What stands around loops over arrays of other crates.
pub struct Around<'c>(pub &'c Containers);

impl Around<'_> {
    /// What runs a loop, with the slices that it is over: where an array lies otherwise, `otherwise` and the loop as the user wrote it. `in_order` is whether it
    /// does not run in parallel anyhow.
    pub fn around(
        &self,
        plan: &LoopPlan,
        in_order: bool,
        run: TokenStream,
        otherwise: &TokenStream,
    ) -> TokenStream {
        let view = &plan.syntax;
        let names = self.0.of(view);
        let written = &self.0.loops[plan.nth_for];
        if names.is_empty() {
            return run;
        }
        // rustc's messages are about the user's word for an array.
        let place = |name: &String| {
            let name = Ident::new(name, self.0.span_of(name, written));
            let at = name.span().resolved_at(Span::call_site());
            match self.0.known[&name.to_string()].by_reference {
                true => (quote_spanned!(at=> *#name), at),
                false => (quote!(#name), at),
            }
        };
        let lies = names.iter().map(|name| {
            let (rank, (place, at)) = (self.0.known[*name].rank, place(name));
            quote_spanned!(at=> ::accrue::__rt::flat::lies::<_, #rank>(&#place))
        });
        let here = Span::call_site();
        let lengths = names.iter().map(|name| {
            let (rank, (place, at)) = (self.0.known[*name].rank, place(name));
            let dimensions = (0..rank).map(|n| alias::dimension(name, n, here));
            let sides = self.0.known[*name].sides(name).into_iter().enumerate();
            let sides = sides.map(|(n, side)| {
                let dimension = alias::dimension(name, n, here);
                // It was one before it was a length.
                quote! {
                    #[allow(unused_variables, clippy::all)]
                    let #side = #dimension as ::core::primitive::u32;
                }
            });
            quote_spanned! {at=>
                #[allow(unused_variables, clippy::all)]
                let [#(#dimensions),*] = ::accrue::__rt::flat::lengths::<_, #rank>(&#place);
                #(#sides)*
            }
        });
        let slices = names.iter().map(|name| {
            let container = &self.0.known[*name];
            let (rank, (place, at)) = (container.rank, place(name));
            let slice = alias::slice(name, here);
            let value = match container.writable && changes(view, &slice) {
                true => {
                    quote_spanned!(at=> ::accrue::__rt::flat::flat_mut::<_, #rank>(&mut #place))
                }
                false => quote_spanned!(at=> ::accrue::__rt::flat::flat::<_, #rank>(&#place)),
            };
            quote! {
                #[allow(unused_variables, clippy::all)]
                let #slice = #value;
            }
        });
        let inside = required(view, &self.0.conditions);
        let bins = |target: &TargetSyntax| {
            let of = |name: &&&String| target.root == alias::slice(name, here);
            let name = names.iter().find(of)?;
            Some(Bins::Flat(place(name).0, self.0.known[*name].rank))
        };
        let undo = match in_order || plan.targets.is_empty() {
            true => None,
            false => Undo::of(plan, &quote!(0), bins),
        };
        let as_written = match undo {
            None => written.to_token_stream(),
            Some(undo) => {
                let (bind, copy) = (&undo.bind, undo.copy());
                let run = undo.after(quote!(::accrue::__rt::fields::caught(|| #written)));
                quote!(#bind #copy #run)
            }
        };
        quote! {
            #(#lengths)*
            #[allow(clippy::all)]
            let __accrue_flat = #(#lies)&&* #(&& #inside)*;
            if __accrue_flat {
                #(#slices)*
                #run
            } else {
                #otherwise
                #as_written
            }
        }
    }
}

/// Whether a loop may change elements of a slice.
fn changes(view: &ExprForLoop, slice: &Ident) -> bool {
    let whole: Expr = Expr::ForLoop(view.clone());
    let free = names::free_names(&whole);
    let is = |e: &Expr| root_of(e).is_some_and(|root| root == slice);
    let called = |called: &Called<'_>| match called {
        Called::Method(of, name, _) => {
            let name = name.to_string();
            is(of) && Method::named(&name).is_none() && !READING_METHODS.contains(&name.as_str())
        }
        Called::Function(_) | Called::Macro(_) => false,
    };
    free.assignments.iter().any(|a| a.root == slice)
        || free.borrowed_mut.contains(&slice)
        || free.borrowed_mut_indexed.contains(&slice)
        || free.lent_mut.iter().any(|used| used.ident == slice)
        || free.calls.iter().any(called)
}
