//! The Rust that starts kernels: a `static` with a loop's modules, the try at the GPU before the CPU's form of the
//! loop, and the companion's `on_device`.
//!
//! What the runtime does with these is in `accrue`'s `gpu` module. The emitted code evaluates what the loop captured,
//! with the types that the kernel was printed for, so rustc checks the compiler's inference; counts are evaluated with
//! checked arithmetic, and where one has no value the CPU's form of the loop panics as the sequential one does.

mod apart;
mod cost;
mod host;
mod looks;
mod on_device;
mod pure;
mod pushes;
pub(crate) mod stay;

use accrue_ptx::abi::{Module, Strategy};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::guard;
use crate::ir::{self, Access, LoopLabel, Memory, Pattern};
use crate::parsed::args::Args;
use crate::plan::steps::Steps;
use crate::plan::{Analysis, LoopPlan, Obstacle};
use crate::syntax::Capture;

pub(crate) use on_device::on_device;

/// The name of the `static` of a loop.
pub fn static_name(plan: &LoopPlan) -> Ident {
    format_ident!("__ACCRUE_LOOP_{}", plan.ir.ordinal)
}

/// The name of the `static` of the loop beside it.
pub fn beside_name(plan: &LoopPlan) -> Ident {
    format_ident!("__ACCRUE_BESIDE_{}", plan.ir.ordinal)
}

/// How a loop is tried.
#[derive(Clone, Copy)]
pub(crate) enum Tries<'a> {
    /// By itself.
    Alone,
    /// With arrays that may be on the device from loops before it.
    Stays,
    /// Likewise, as steps that follow each other.
    Steps(&'a Steps),
}

/// The item `pub static __ACCRUE_LOOP_0: Loop = …;`, by its name. `dealt` are the loops inside it that have an iteration in each of its own. Without modules it carries the first obstacle, for
/// `try_call` and the log.
pub fn loop_static(
    name: &Ident,
    analysis: &Analysis,
    plan: &LoopPlan,
    modules: &[Module],
    obstacles: &[Obstacle],
    dealt: &[LoopLabel],
) -> TokenStream {
    let function = analysis.function.sig.ident.to_string();
    if modules.is_empty() {
        let reason = obstacles
            .first()
            .map_or("its loop has no kernel", |o| o.why.as_str());
        return quote! {
            #[doc(hidden)]
            pub static #name: ::accrue::__rt::gpu::Loop = ::accrue::__rt::gpu::Loop::without_kernels(#function, #reason);
        };
    }
    let request = request(&analysis.args);
    let captures = plan.kernel_captures().map(|c| c.var.0);
    let cost = cost::operations(plan.kernel_ir(), dealt);
    let texts: Vec<_> = modules.iter().map(Module::text).collect();
    let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    let pack = Literal::byte_string(&accrue_ptx::pack::pack(&texts));
    let modules = modules.iter().enumerate().map(|(number, module)| {
        module
            .rust_source("::accrue::__rt::gpu::abi", "__ACCRUE_PACK", number)
            .parse::<TokenStream>()
            .expect("a module's source is an expression")
    });
    quote! {
        #[doc(hidden)]
        pub static #name: ::accrue::__rt::gpu::Loop = {
            static __ACCRUE_PACK: &[::core::primitive::u8] = #pack;
            ::accrue::__rt::gpu::Loop::new(
                ::accrue::__rt::Cow::Borrowed(#function),
                ::accrue::__rt::Cow::Borrowed(&[#(#modules),*]),
                ::accrue::__rt::Cow::Borrowed(#request),
                ::accrue::__rt::Cow::Borrowed(&[#(#captures),*]),
                #cost,
            )
        };
    }
}

/// An expression of type `Attempt`: whether the loop has run on the GPU. `path` leads to the loop's `static`.
pub(crate) fn attempt(
    analysis: &Analysis,
    plan: &LoopPlan,
    modules: &[Module],
    path: &TokenStream,
    tries: Tries<'_>,
) -> TokenStream {
    if modules.is_empty() {
        return quote!(::accrue::__rt::gpu::refuse(&#path));
    }
    // Before anything else: what was taken for another item is run by rustc's own reading, on the CPU.
    let unconfirmed =
        crate::confirm::confirmed_for_kernels(plan, &analysis.definitions).map(|names| {
            quote! {
                if !(#names) {
                    break '__accrue_attempt ::accrue::__rt::gpu::unconfirmed(&#path);
                }
            }
        });
    let give_up =
        |name: &str| quote!(break '__accrue_attempt ::accrue::__rt::gpu::foreign(&#path, #name));
    let questions = host::questions();
    let lets = host::arrays(plan, &give_up);
    let captures = host::captures(plan, &give_up);
    let counts = host::counts(plan);
    let slots = host::slots(plan);
    let arrays = plan.kernel_ir().arrays.iter().enumerate();
    let arrays = arrays.map(|(id, array)| {
        let id = ir::ArrayId(id as u32);
        match array.access {
            Access::Read => {
                let (ty, view) = (host::rust_type(&array.elem), host::view_name(id));
                quote!(::accrue::__rt::gpu::Array::host::<#ty>(#view))
            }
            Access::Owned => match plan.vector_of(id) {
                Some(n) => pushes::array(plan, n, path),
                None => {
                    let (ty, expr) = (
                        host::rust_type(&array.elem),
                        &plan.arrays[id.0 as usize].expr,
                    );
                    quote!(::accrue::__rt::gpu::Array::written::<#ty>(&mut (#expr)[::accrue::__rt::ALL]))
                }
            },
            Access::Updated | Access::LengthOnly => {
                let len = host::length_name(id);
                quote!(::accrue::__rt::gpu::Array::length(#len))
            }
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
                Memory::Bins(_) if plan.claims_alone => quote!(#expr.bins()),
                Memory::Bins(id) => {
                    let ty = host::rust_type(&plan.ir.array(id).elem);
                    quote!(::accrue::__rt::gpu::Bins::host::<#ty>(&mut (#expr)[::accrue::__rt::ALL]))
                }
                Memory::Scalar(var) => {
                    let ty = host::rust_type(&plan.ir.var(var).ty);
                    quote!(::accrue::__rt::gpu::Bins::scalar::<#ty>(&mut (#expr)))
                }
            }
        });
    let bins = bins.chain(host::carried(plan)).chain(host::found(plan));
    // An inner constant may have the name of the one in a signature.
    let as_written = {
        let checks = host::lengths_as_written(plan);
        checks.map(|equal| {
            quote! {
                if !(#equal) {
                    break '__accrue_attempt ::accrue::__rt::gpu::unconfirmed(&#path);
                }
            }
        })
    };
    let (reach, given) = reach(plan);
    let none = quote!(::core::option::Option::None);
    let name = stay::name();
    let finds = host::finds(plan);
    let (apart_in_steps, otherwise) = match tries {
        Tries::Steps(steps) => {
            let apart = steps_apart(steps).unwrap_or_default();
            let may = quote!(::accrue::__rt::gpu::Stay::may_step(&#name, &#path, &__accrue_counts));
            (Some(quote!(if #may #(&& #apart)*)), quote!(_))
        }
        Tries::Alone | Tries::Stays if plan.winners.is_some() => (finds, quote!(_)),
        Tries::Alone | Tries::Stays => (None, none),
    };
    let taken = taken();
    let notes = match tries {
        Tries::Steps(steps) if !steps.swaps.is_empty() => {
            Some(quote!(#taken = __accrue_counts[0];))
        }
        _ => None,
    };
    let stay = Some(quote!(&mut #name,));
    let (tries, stay) = match tries {
        Tries::Alone => (quote!(::accrue::__rt::gpu::attempt), None),
        Tries::Stays => (quote!(::accrue::__rt::gpu::Stay::attempt), stay),
        Tries::Steps(_) => (quote!(::accrue::__rt::gpu::Stay::steps), stay),
    };
    let apart = match apart(plan) {
        Ok(apart) => apart.map(|apart| {
            quote! {
                if !(#apart) {
                    break '__accrue_attempt ::accrue::__rt::gpu::meeting(&#path);
                }
            }
        }),
        // What is printed behind it is not to be called unreachable.
        Err(_) => Some(quote! {
            if true {
                break '__accrue_attempt ::accrue::__rt::gpu::meeting(&#path);
            }
        }),
    };
    let tried = quote! {
        #tries(
            #stay
            &#path,
            &__accrue_counts,
            &[#(#arrays),*],
            &mut [#(#bins),*],
            &#slots,
            #reach,
        )
    };
    let tried = match notes {
        Some(notes) => quote!({ #notes #tried }),
        None => {
            let tried = host::told_bits(plan, tried);
            pushes::around(plan, host::then_best(plan, tried), &give_up)
        }
    };
    quote! {
        '__accrue_attempt: {
            #unconfirmed
            if !::accrue::__rt::gpu::wanted() {
                break '__accrue_attempt ::accrue::__rt::gpu::Attempt::ON_CPU;
            }
            #questions
            #lets
            #captures
            #as_written
            #apart
            #given
            match #counts {
                ::core::option::Option::Some(__accrue_counts) #apart_in_steps => #tried,
                #otherwise => ::accrue::__rt::gpu::Attempt::ON_CPU,
            }
        }
    }
}

/// The same for a loop with arrays that are distinct by the attribute alone: `modules` and `path` are those of the loop that claims its elements, and
/// `attempt` is what it is to be asked before.
pub(crate) fn apart_first(
    analysis: &Analysis,
    plan: &LoopPlan,
    modules: &[Module],
    path: &TokenStream,
    attempt: TokenStream,
) -> TokenStream {
    let Some((claiming, _)) = plan.claims() else {
        return attempt;
    };
    let Pattern::Histogram(roles) = &plan.pattern;
    let lengths = roles.distinct.iter().map(|id| {
        let expr = &plan.arrays[id.0 as usize].expr;
        quote!(<[_]>::len(&(#expr)[::accrue::__rt::ALL]))
    });
    let lengths: Vec<_> = lengths.collect();
    let claims = self::attempt(analysis, claiming, modules, path, Tries::Alone);
    let first = apart::first(plan, &lengths, path, &claims, &attempt, &quote!(true));
    quote! {
        match ::accrue::__rt::gpu::wanted() {
            true => #first,
            false => ::accrue::__rt::gpu::Attempt::ON_CPU,
        }
    }
}

/// The variable that holds how many steps a kernel has taken.
pub(crate) fn taken() -> Ident {
    format_ident!("__accrue_taken")
}

/// Conditions of a `match` arm for `__accrue_counts`: whether the iterations of each step keep apart, where only the call can tell.
///
/// # Errors
///
/// Why it cannot.
pub(crate) fn steps_apart(steps: &Steps) -> Result<Vec<TokenStream>, String> {
    let length = |_: &LoopPlan, id| host::length_name(id).to_token_stream();
    let holds = guard::holds_in(steps, &quote!(__accrue_step), &length)?;
    let holds = holds.map(|holds| {
        let all = quote!(::core::iter::Iterator::all);
        quote!(#all(&mut (0..__accrue_counts[0]), |__accrue_step| #holds))
    });
    let alike = steps.swaps.iter().map(|swapped| {
        let [a, b] = swapped.map(host::length_name);
        quote!(#a == #b)
    });
    Ok(alike.chain(holds).collect())
}

/// Whether iterations keep apart in what they write, where only the call can tell; lengths are at hand by then.
fn apart(plan: &LoopPlan) -> Result<Option<TokenStream>, String> {
    let length = |_: &LoopPlan, id| host::length_name(id).to_token_stream();
    let guard = plan.kernel_guard();
    guard.map(|g| guard::holds(plan, g, &length)).transpose()
}

/// Which elements iterations reach, as an argument of a call, and a `let` before it that evaluates what that rests on: arrays are
/// borrowed exclusively from then on.
fn reach(plan: &LoopPlan) -> (TokenStream, Option<TokenStream>) {
    let length = |_: &LoopPlan, id| host::length_name(id).to_token_stream();
    let value = |capture: &Capture| {
        let name = host::capture_name(capture.var);
        quote!((#name as ::core::primitive::i128))
    };
    match guard::reach(plan, &length, &value) {
        Some((table, given)) => (
            quote!((#table, &__accrue_given)),
            Some(quote!(let __accrue_given = #given;)),
        ),
        None => (quote!(::accrue::__rt::gpu::Reach::UNKNOWN), None),
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
