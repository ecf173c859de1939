//! What a loop that runs in order on the user's own arrays has around it, that bins and scalars are as before it after a panic.

use crate::sorted::Sorted;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, ExprForLoop, Ident, Member};

use crate::ir::{Memory, Pattern};
use crate::parsed::fields::indexed;
use crate::plan::{LoopPlan, TargetSyntax};
use crate::syntax::sites;

/// What is kept of the targets of a loop.
#[derive(Default)]
pub(super) struct Undo {
    /// Binds what is kept.
    pub(super) bind: TokenStream,
    /// For each array, what copies fields of a part of it, which is called `__accrue_element`.
    copies: Vec<(TokenStream, TokenStream)>,
    /// For each array of bins, what copies it once it has many notes.
    pub(super) once_many: Vec<TokenStream>,
    /// By the number of an update, the notes that it belongs to.
    pub(super) notes: Sorted<usize, Ident>,
    /// Puts all back.
    pub(super) back: TokenStream,
}

/// Bins as places of the user's.
pub(super) enum Bins<'a> {
    /// The elements `array[i][j].path`, so many indices deep.
    Places(&'a Expr, usize, &'a [Member]),
    /// An array of another crate, of so many dimensions.
    Flat(TokenStream, usize),
}

impl Undo {
    /// For a loop whose bins lie where `bins` says; what it does not know is bins as they are written. None where the loop changes more than bins, scalars and
    /// elements of its iterations' own, or bins in ways that do not say how deep they lie.
    pub(super) fn of<'a>(
        plan: &'a LoopPlan,
        iterations: &TokenStream,
        bins: impl Fn(&'a TargetSyntax) -> Option<Bins<'a>>,
    ) -> Option<Undo> {
        let Pattern::Histogram(roles) = &plan.pattern;
        let others = [
            plan.best.len(),
            plan.carried.len(),
            plan.grown.len(),
            plan.keyed.len(),
        ];
        if others != [0; 4] || !roles.filled.is_empty() {
            return None;
        }
        let mut undo = Undo::default();
        let targets = plan.targets.iter().zip(&roles.targets).enumerate();
        for (n, (syntax, target)) in targets {
            let name = Ident::new(&format!("__accrue_noted{n}"), Span::call_site());
            if let Memory::Scalar(_) = target.memory {
                let place = &syntax.expr;
                undo.bind.extend(quote!(let #name = #place;));
                undo.back.extend(quote!(#place = #name;));
                continue;
            }
            let lie = match bins(syntax) {
                Some(bins) => bins,
                None => Bins::Places(&syntax.expr, depth_of(&plan.syntax, syntax)?, &[]),
            };
            match lie {
                Bins::Places(array, depth, path) => {
                    let notes = syntax.sites.iter().map(|site| (*site, name.clone()));
                    undo.notes.extend(notes);
                    undo.places(&name, iterations, array, depth, path);
                }
                Bins::Flat(place, rank) => {
                    undo.bind.extend(
                        quote!(let #name = ::accrue::__rt::flat::kept::<_, #rank>(&#place);),
                    );
                    undo.back.extend(
                        quote!(::accrue::__rt::flat::put_back::<_, #rank>(&mut #place, #name);),
                    );
                }
            }
        }
        Some(undo)
    }

    fn places(
        &mut self,
        name: &Ident,
        iterations: &TokenStream,
        array: &Expr,
        depth: usize,
        path: &[Member],
    ) {
        let whole = quote!([::accrue::__rt::ALL]);
        let copy = quote! {
            #name.keep(__accrue_element #whole.iter().map(|__accrue_element| &(*__accrue_element) #(.#path)*));
        };
        let back = quote! {
            for __accrue_element in __accrue_element #whole.iter_mut() { #name.put_back(&mut (*__accrue_element) #(.#path)*); }
        };
        let (copy, back) = (1..depth).fold((copy, back), |(copy, back), _| {
            (
                quote!(for __accrue_element in __accrue_element #whole.iter() { #copy }),
                quote!(for __accrue_element in __accrue_element #whole.iter_mut() { #back }),
            )
        });
        self.bind.extend(quote! {
            let mut #name = ::accrue::__rt::fields::Notes::new((#array)[::accrue::__rt::ALL].len(), #iterations);
        });
        self.once_many.push(quote!(if #name.are_many() {
            let __accrue_element = &(#array)#whole;
            #copy
        }));
        let of = array.to_token_stream();
        let is_of = |(other, _): &&mut (TokenStream, _)| other.to_string() == of.to_string();
        match self.copies.iter_mut().find(is_of) {
            Some((_, copies)) => copies.extend(copy),
            None => self.copies.push((of, copy)),
        }
        self.back.extend(quote! {
            #name.settle();
            let __accrue_element = &mut (#array)#whole;
            #back
        });
    }

    /// Copies all bins, some elements at a time, which are in a cache for their other fields.
    pub(super) fn copy(&self) -> TokenStream {
        let copies = self.copies.iter().map(|(array, copy)| {
            quote! {
                for __accrue_element in (#array)[::accrue::__rt::ALL].chunks(::accrue::__rt::fields::PART) { #copy }
            }
        });
        copies.collect()
    }

    /// What ends a run that was caught.
    pub(super) fn after(&self, run: impl ToTokens) -> TokenStream {
        let back = &self.back;
        quote! {
            if let Err(__accrue_panic) = #run {
                #back
                ::accrue::__rt::fields::go_on(__accrue_panic);
            }
        }
    }
}

/// How often each site of a target indexes it.
fn depth_of(of: &ExprForLoop, target: &TargetSyntax) -> Option<usize> {
    let mut depths = Vec::new();
    sites::rewrite(&mut of.body.clone(), |site, e| {
        if target.sites.contains(&site)
            && let Expr::Assign(syn::ExprAssign { left, .. })
            | Expr::Binary(syn::ExprBinary { left, .. }) = e
        {
            depths.push(indexed(left).1.len());
        }
    });
    let depth = *depths.first()?;
    (target.direct && depth > 0 && depths.iter().all(|of| *of == depth)).then_some(depth)
}
