//! What a loop's names were taken for, and the Rust that asks rustc whether that is what they mean.
//!
//! The front end takes a call for a device function, or a type for a device struct, where the path is one that `uses(..)` names or
//! an import may have made it one. That is a guess: an item in the function may hide the name, a glob import may bring
//! another. So the expansion compares. Structs are compared while the program is compiled, and another one is an error. Functions are compared by
//! the identity of their types: where the callee is another function, the loop runs in order, as the user wrote it, and on no GPU.
//!
//! The paths of `uses(..)` are resolved in a block around the user's, by items that see neither variables nor the
//! items of the user's block: there they mean what they meant where their macros were called.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::beside;
use crate::ir::Type;
use crate::plan::LoopPlan;
use crate::sorted::SortedSet;
use crate::syntax::definitions::{Definitions, Way};
use crate::syntax::taken::{Names, callee_name, constant_name, known_name, length_name};

/// The items that the checks of some loops call, for a block around all that the user wrote.
pub fn items(loops: &[&LoopPlan], definitions: &Definitions) -> TokenStream {
    let all = |pick: fn(&Names) -> &SortedSet<(usize, usize)>| -> SortedSet<(usize, usize)> {
        loops
            .iter()
            .flat_map(|plan| pick(&plan.names))
            .copied()
            .collect()
    };
    let functions: SortedSet<usize> = loops
        .iter()
        .flat_map(|plan| &plan.names.functions)
        .copied()
        .collect();
    let calls: SortedSet<_> = loops
        .iter()
        .flat_map(|plan| &plan.names.calls)
        .copied()
        .collect();
    let functions = functions.into_iter().map(|f| {
        let definition = &definitions.functions[f];
        let (way, fingerprint) = (&definition.way, definition.fingerprint);
        let (path, callee, known) = (&way.root, callee_name(f), known_name(f));
        let constant = beside::fingerprint_name();
        let calls = calls
            .iter()
            .filter(|(caller, ..)| *caller == f)
            .map(|(_, n, g)| {
                let fingerprint = definitions.functions[*g].fingerprint;
                let called = ask(quote!(call_of), way, Some(*n));
                quote!(&& #called == #fingerprint)
            });
        let is_it = match way.steps.is_empty() {
            true => quote!(#path::#constant == #fingerprint),
            false => {
                let found = ask(quote!(fingerprint), way, None);
                quote!(#found == #fingerprint)
            }
        };
        let same = identical(way, &definition.same);
        let confirmed = ask(quote!(confirmed), way, None);
        // Where the loop's function names it, a callee can be asked for its signature.
        let callee = match way.steps.is_empty() {
            true => quote! {
                fn #callee<__AccrueFunction>(function: &__AccrueFunction) -> ::core::primitive::bool
                where
                    #path: ::accrue::__rt::names::DeviceFunction<__AccrueFunction>,
                {
                    <#path as ::accrue::__rt::names::DeviceFunction<__AccrueFunction>>::is(function)
                }
            },
            false => {
                let steps = &way.steps;
                quote! {
                    fn #callee<__AccrueFunction: 'static>(
                        function: &__AccrueFunction,
                    ) -> ::core::primitive::bool {
                        ::accrue::__rt::names::is::<#path, _>(&[#(#steps),*], function)
                    }
                }
            }
        };
        quote! {
            #[inline(always)]
            #callee
            #[inline(always)]
            fn #known() -> ::core::primitive::bool {
                #is_it && #confirmed #(#calls)* #(&& #same)*
            }
        }
    });
    let constants = all(|n| &n.constants).into_iter().map(|(f, n)| {
        let Way { root, steps } = &definitions.functions[f].way;
        let name = constant_name(f, n);
        quote! {
            #[inline(always)]
            fn #name<__AccrueValue: ::core::marker::Copy + 'static>()
            -> ::core::option::Option<__AccrueValue> {
                ::accrue::__rt::names::constant_of::<#root, _>(&[#(#steps),*], #n)
            }
        }
    });
    let lengths = all(|n| &n.lengths).into_iter().map(|(s, n)| {
        let name = length_name(s, n);
        let length = ask(quote!(length_of), &definitions.structs[s].way, Some(n));
        quote! {
            #[inline(always)]
            fn #name() -> ::core::primitive::usize {
                #length
            }
        }
    });
    let kernels = loops.iter().filter_map(|plan| {
        let confirmed = for_kernels(plan, definitions)?;
        let name = kernel_name(plan);
        Some(quote! {
            fn #name() -> ::core::primitive::bool {
                #confirmed
            }
        })
    });
    let items: Vec<TokenStream> = functions
        .chain(constants)
        .chain(lengths)
        .chain(kernels)
        .collect();
    let allow = quote! {
        #[allow(unused, nonstandard_style, private_bounds, clippy::all, clippy::pedantic)]
    };
    quote!(#(#allow #items)*)
}

/// A question to what stands at the end of a way.
fn ask(question: TokenStream, way: &Way, number: Option<usize>) -> TokenStream {
    let Way { root, steps } = way;
    let number = number.into_iter();
    quote!(::accrue::__rt::names::#question::<#root>(&[#(#steps),*] #(, #number)*))
}

/// Whether other ways lead to the same, as expressions: what looks the same may have other constants.
fn identical(way: &Way, others: &[Way]) -> Vec<TokenStream> {
    let this = ask(quote!(id), way, None);
    let other = |other| {
        let id = ask(quote!(id), other, None);
        quote!(#this == #id)
    };
    others.iter().map(other).collect()
}

/// Whether the loop calls what it was taken to call, as an expression for its place; `None` where nothing is asked.
pub fn confirmed(plan: &LoopPlan) -> Option<TokenStream> {
    let names = &plan.names;
    let known = names.functions.iter().map(|f| {
        let name = known_name(*f);
        quote!(#name())
    });
    let checks: Vec<TokenStream> = names.callees.iter().cloned().chain(known).collect();
    (!checks.is_empty()).then(|| quote!(#(#checks)&&*))
}

/// The same of all that a kernel depends on.
pub fn confirmed_for_kernels(plan: &LoopPlan, definitions: &Definitions) -> Option<TokenStream> {
    let kernel = for_kernels(plan, definitions).map(|_| {
        let name = kernel_name(plan);
        quote!(#name())
    });
    let checks: Vec<TokenStream> = confirmed(plan).into_iter().chain(kernel).collect();
    (!checks.is_empty()).then(|| quote!(#(#checks)&&*))
}

fn kernel_name(plan: &LoopPlan) -> Ident {
    format_ident!("__accrue_kernel_{}", plan.ir.ordinal)
}

/// What only kernels depend on: structs that device functions and structs mention, and the types of constants.
fn for_kernels(plan: &LoopPlan, definitions: &Definitions) -> Option<TokenStream> {
    let names = &plan.names;
    let types = names.types.iter().map(|(f, n, s)| {
        let structure = &definitions.structs[*s];
        let fingerprint = structure.fingerprint;
        let found = ask(quote!(type_of), &definitions.functions[*f].way, Some(*n));
        let same = identical(&structure.way, &structure.same);
        quote!(#found == #fingerprint #(&& #same)*)
    });
    let fields = names.fields.iter().map(|(s, n, inner)| {
        let fingerprint = definitions.structs[*inner].fingerprint;
        let found = ask(quote!(field_of), &definitions.structs[*s].way, Some(*n));
        quote!(#found == #fingerprint)
    });
    let constants = plan.captures.iter().filter_map(|capture| {
        let (f, n) = capture.constant?;
        let Type::Scalar(scalar) = plan.ir.var(capture.var).ty else {
            return Some(quote!(false));
        };
        let (name, ty) = (constant_name(f, n), format_ident!("{}", scalar.name()));
        Some(quote!(#name::<::core::primitive::#ty>().is_some()))
    });
    let checks: Vec<TokenStream> = types.chain(fields).chain(constants).collect();
    (!checks.is_empty()).then(|| quote!(#(#checks)&&*))
}

/// Compiles where the structs that a loop mentions are those of `uses(..)`, for the loop's place.
pub fn structs(plan: &LoopPlan) -> Option<TokenStream> {
    let checks = plan.names.structs.iter().map(|(_, check)| check);
    statement(checks.collect())
}

/// The same of those that the function's signature names, for a place where its items are not seen.
pub fn structs_in_signature(loops: &[LoopPlan], signature: &syn::Signature) -> Option<TokenStream> {
    struct Paths(Vec<String>);
    impl<'a> crate::syntax::visit::Visit<'a> for Paths {
        fn visit(&mut self, node: crate::syntax::visit::Node<'a>) {
            match node {
                crate::syntax::visit::Node::Path(path) => {
                    self.0.push(path.to_token_stream().to_string());
                    crate::syntax::visit::visit_path(self, path);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut paths = Paths(Vec::new());
    crate::syntax::visit::visit_signature(&mut paths, signature);
    let checks = loops.iter().flat_map(|plan| &plan.names.structs);
    let checks = checks.filter(|(path, _)| paths.0.contains(path));
    statement(checks.map(|(_, check)| check).collect())
}

fn statement(checks: Vec<&TokenStream>) -> Option<TokenStream> {
    (!checks.is_empty()).then(|| {
        quote! {
            #[allow(unused, deprecated, clippy::all, clippy::pedantic)]
            let _ = || { #(#checks)* };
        }
    })
}
