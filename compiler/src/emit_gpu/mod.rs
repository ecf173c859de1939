//! The Rust that starts kernels: a `static` with a loop's modules, the try at the GPU before the CPU's form of the
//! loop, and the companion module's `on_device`.
//!
//! What the runtime does with these is in `accrue`'s `gpu` module. The emitted code evaluates what the loop captured,
//! with the types that the kernel was printed for, so rustc checks the compiler's inference; counts are evaluated with
//! checked arithmetic, and where one has no value the CPU's form of the loop panics as the sequential one does.

mod cost;
mod host;
mod on_device;

use accrue_ptx::abi::{Module, Strategy};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::ir::{self, Access, Memory, Pattern};
use crate::parse::args::Args;
use crate::plan::{Analysis, LoopPlan, Shape};

pub use on_device::on_device;

/// The name of the `static` of a loop.
pub fn static_name(plan: &LoopPlan) -> Ident {
    format_ident!("__ACCRUE_LOOP_{}", plan.ir.ordinal)
}

/// The item `pub static __ACCRUE_LOOP_0: Loop = …;`. Without modules it carries the first obstacle, for
/// `try_call` and the log.
pub fn loop_static(analysis: &Analysis, plan: &LoopPlan, modules: &[Module]) -> TokenStream {
    let name = static_name(plan);
    let function = analysis.function.sig.ident.to_string();
    if modules.is_empty() {
        let reason = plan
            .obstacles
            .first()
            .map_or("its loop has no kernel", |o| o.why.as_str());
        return quote! {
            #[doc(hidden)]
            pub static #name: ::accrue::__rt::gpu::Loop = ::accrue::__rt::gpu::Loop::without_kernels(#function, #reason);
        };
    }
    let request = request(&analysis.args);
    let captures = plan.captures.iter().map(|c| c.var.0);
    let cost = cost::operations(&plan.ir);
    let modules = modules.iter().map(|m| {
        m.rust_source("::accrue::__rt::gpu::abi")
            .parse::<TokenStream>()
            .expect("a module's source is an expression")
    });
    quote! {
        #[doc(hidden)]
        pub static #name: ::accrue::__rt::gpu::Loop = ::accrue::__rt::gpu::Loop::new(
            ::std::borrow::Cow::Borrowed(#function),
            ::std::borrow::Cow::Borrowed(&[#(#modules),*]),
            ::std::borrow::Cow::Borrowed(#request),
            ::std::borrow::Cow::Borrowed(&[#(#captures),*]),
            #cost,
        );
    }
}

/// An expression of type `Attempt`: whether the loop has run on the GPU. `path` leads to the loop's `static`.
pub fn attempt(plan: &LoopPlan, modules: &[Module], path: &TokenStream) -> TokenStream {
    if modules.is_empty() {
        return quote!(::accrue::__rt::gpu::refuse(&#path));
    }
    let lengths = plan.arrays.iter().enumerate().map(|(id, array)| {
        let name = host::length_name(ir::ArrayId(id as u32));
        let elements = slice_of(&array.expr, &array.shape);
        quote!(let #name: ::core::primitive::usize = #elements.len();)
    });
    let captures = host::captures(plan);
    let counts = host::counts(plan);
    let slots = host::slots(plan);
    let arrays = plan.ir.arrays.iter().zip(&plan.arrays).enumerate();
    let arrays = arrays.map(|(id, (array, syntax))| match array.access {
        Access::Read => {
            let ty = host::rust_type(&array.elem);
            let elements = slice_of(&syntax.expr, &syntax.shape);
            quote!(::accrue::__rt::gpu::Array::host::<#ty>(#elements))
        }
        Access::Updated | Access::LengthOnly => {
            let len = host::length_name(ir::ArrayId(id as u32));
            quote!(::accrue::__rt::gpu::Array::length(#len))
        }
    });
    let Pattern::Histogram(histogram) = &plan.pattern;
    let bins = histogram
        .targets
        .iter()
        .zip(&plan.targets)
        .map(|(target, syntax)| {
            let expr = &syntax.expr;
            match target.memory {
                Memory::Bins(id) => {
                    let ty = host::rust_type(&plan.ir.array(id).elem);
                    quote!(::accrue::__rt::gpu::Bins::host::<#ty>(&mut (#expr)[..]))
                }
                Memory::Scalar(var) => {
                    let ty = host::rust_type(&plan.ir.var(var).ty);
                    quote!(::accrue::__rt::gpu::Bins::scalar::<#ty>(&mut (#expr)))
                }
            }
        });
    quote! {
        if ::accrue::__rt::gpu::wanted() {
            #(#lengths)*
            #captures
            match #counts {
                ::core::option::Option::Some(__accrue_counts) => ::accrue::__rt::gpu::attempt(
                    &#path,
                    &__accrue_counts,
                    &[#(#arrays),*],
                    &mut [#(#bins),*],
                    &#slots,
                ),
                ::core::option::Option::None => ::accrue::__rt::gpu::Attempt::ON_CPU,
            }
        } else {
            ::accrue::__rt::gpu::Attempt::ON_CPU
        }
    }
}

/// A captured array as a slice.
fn slice_of(expr: &syn::Expr, shape: &Shape) -> TokenStream {
    match shape {
        Shape::Str => quote!((#expr).as_bytes()),
        Shape::Slice(_) | Shape::Array(..) | Shape::Vec(_) | Shape::Elem(_) | Shape::Unknown => {
            quote!((&(#expr)[..]))
        }
    }
}

/// What the attribute asks of a GPU, as `ACCRUE_STRATEGY` would. A strategy of the CPU is not its concern.
fn request(args: &Args) -> String {
    let strategy = args
        .strategy
        .as_ref()
        .map(syn::LitStr::value)
        .unwrap_or_default();
    let (name, keys) = strategy.split_once(':').unwrap_or((&strategy, ""));
    let mut keys: Vec<String> = keys
        .split(',')
        .filter(|k| !k.is_empty())
        .map(str::to_owned)
        .collect();
    keys.extend(args.locals.map(|l| format!("locals={l}")));
    keys.extend(args.bundle.map(|s| format!("bundle={s}")));
    match (Strategy::from_name(name), keys.is_empty()) {
        (None, true) => String::new(),
        (None, false) => format!(":{}", keys.join(",")),
        (Some(_), true) => name.to_owned(),
        (Some(_), false) => format!("{name}:{}", keys.join(",")),
    }
}
