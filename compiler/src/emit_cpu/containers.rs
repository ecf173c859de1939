//! The slices of arrays of other crates around a loop: where one lies otherwise the loop in order, with what puts its bins back after a panic.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::undo::{Bins, Undo};
use crate::alias;
use crate::parse::containers::{Containers, changes, inside};
use crate::plan::{LoopPlan, TargetSyntax};

impl Containers {
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
        let names = self.of(view);
        let written = &self.loops[plan.nth_for];
        if names.is_empty() {
            return run;
        }
        // rustc's messages are about the user's word for an array.
        let place = |name: &String| {
            let name = Ident::new(name, self.span_of(name, written));
            let at = name.span().resolved_at(Span::call_site());
            match self.known[&name.to_string()].by_reference {
                true => (quote_spanned!(at=> *#name), at),
                false => (quote!(#name), at),
            }
        };
        let lies = names.iter().map(|name| {
            let (rank, (place, at)) = (self.known[*name].rank, place(name));
            quote_spanned!(at=> ::accrue::__rt::flat::lies::<_, #rank>(&#place))
        });
        let here = Span::call_site();
        let lengths = names.iter().map(|name| {
            let (rank, (place, at)) = (self.known[*name].rank, place(name));
            let dimensions = (0..rank).map(|n| alias::dimension(name, n, here));
            let sides = self.known[*name].sides(name).into_iter().enumerate();
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
            let container = &self.known[*name];
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
        let inside = inside::required(view, &self.conditions);
        let bins = |target: &TargetSyntax| {
            let of = |name: &&&String| target.root == alias::slice(name, here);
            let name = names.iter().find(of)?;
            Some(Bins::Flat(place(name).0, self.known[*name].rank))
        };
        let undo = match in_order || plan.targets.is_empty() {
            true => None,
            false => Undo::of(plan, &quote!(0), bins),
        };
        let as_written = match undo {
            None => written.to_token_stream(),
            Some(undo) => {
                let (bind, copy) = (&undo.bind, &undo.copy);
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
