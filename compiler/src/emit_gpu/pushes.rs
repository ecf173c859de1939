//! Vectors that a kernel appends to: see `accrue`'s `gpu::appended`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::host;
use crate::emit_cpu;
use crate::ir::{Array, Length, Pattern, Type};
use crate::plan::LoopPlan;
use crate::syntax::ArraySyntax;

fn local(what: &str, n: usize) -> Ident {
    format_ident!("__accrue_{what}_{n}")
}

/// The arrays of the kernel that are those of vectors, with what these are.
pub(super) fn arrays(plan: &LoopPlan) -> impl Iterator<Item = (&Array, &ArraySyntax)> {
    let all = plan.ir.arrays.iter().zip(&plan.arrays);
    all.skip(plan.arrays.len() - plan.vectors)
}

/// What a kernel has of a vector, by its number; `path` leads to the `static` of the kernels.
pub(super) fn array(plan: &LoopPlan, n: usize, path: &TokenStream) -> TokenStream {
    let Pattern::Histogram(roles) = &plan.pattern;
    let bin = roles.targets.len() + roles.carried.len() - plan.vectors + n;
    let items = local("items", n);
    quote!(#items.array(&#path, &__accrue_counts, #bin))
}

/// An attempt that fills vectors where there are some. `give_up` is told the name of what is no vector of the kernel's elements.
pub(super) fn around(
    plan: &LoopPlan,
    attempt: TokenStream,
    give_up: &dyn Fn(&str) -> TokenStream,
) -> TokenStream {
    if plan.vectors == 0 {
        return attempt;
    }
    let names = |what| (0..plan.vectors).map(move |n| local(what, n));
    let vectors = arrays(plan).map(|(array, ArraySyntax { expr: place, .. })| {
        let collection = emit_cpu::collection(place);
        // Of others it has been asked how they lie in memory.
        if !is_written(&array.elem) {
            return collection;
        }
        let (ty, give_up) = (host::rust_type(&array.elem), give_up(&array.name));
        quote! {
            match #collection.__accrue_vec::<#ty>() {
                ::core::option::Option::Some(__accrue_vector) => __accrue_vector,
                ::core::option::Option::None => #give_up,
            }
        }
    });
    let (counts, items, done) = (names("count"), names("items"), names("items"));
    quote!({
        use ::accrue::__rt::cpu::Grows as _;
        #(let mut #counts: ::core::primitive::usize = 0;)*
        #(let #items = ::accrue::__rt::gpu::Appended::new(#vectors);)*
        let __accrue_attempt = #attempt;
        if (&__accrue_attempt).done() {
            #(#done.end();)*
        }
        __accrue_attempt
    })
}

/// Whether a type can be written: numbers, and arrays of them.
fn is_written(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Array(elem, Length::Known(_)) => is_written(elem),
        _ => false,
    }
}
