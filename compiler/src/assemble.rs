//! The tokens that take the function's place: the function with its loops replaced, and its companion.
//!
//! The companion is what `colour_histogram::explain()` and `colour_histogram::try_call(..)` name. It is an empty
//! `enum` of the function's name with associated functions: types and functions live in different
//! namespaces, and unlike a module an `enum` may stand wherever a function may and sees what the function sees,
//! inside another function too. Methods have none, since nothing can be declared inside an `impl`; the loop's
//! `static`s then stand in the method's body.

use accrue_ir::sorted::SortedSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, FnArg, ItemFn, PatType, Safety};

use crate::across::{self, Across};
use crate::emit_cpu::{self, containers, fields};
#[cfg(feature = "gpu")]
use crate::emit_gpu::{self, Tries};
use crate::on::{self, OnDevice, Param, argument, generic_arguments};
use crate::parsed::containers::Crates;
#[cfg(feature = "gpu")]
use crate::parsed::lowered::swaps_at_the_end;
use crate::parsed::once;
use crate::plan::steps::Steps;
use crate::plan::whole::Whole;
use crate::plan::{Analysis, LoopPlan, loops};
#[cfg(feature = "gpu")]
use crate::plan::{Beside, What};
use crate::print::{Forms, Stays};
use crate::{confirm, explain, mentions};

/// What of the pipeline's output is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outputs {
    /// Kernels and what starts them; nothing comes of it where this crate has no feature `gpu`.
    pub gpu: bool,
    /// The crates over whose arrays loops may be.
    pub crates: Crates,
}

/// A loop's replacement and the `static`s that go with it.
struct Emitted {
    ordinal: usize,
    /// Which `for` of the function it is.
    nth_for: usize,
    /// What leads to what the CPU knows of it, where it runs in parallel.
    site: Option<TokenStream>,
    statics: Vec<Static>,
    run: TokenStream,
    /// What stands behind a loop that has been tried as steps.
    after: TokenStream,
}

/// A `static` and the function of the companion that leads to it.
struct Static {
    name: Ident,
    ty: TokenStream,
    item: TokenStream,
    /// What `explain()` says before it says what it says of itself.
    heading: Option<&'static str>,
}

impl Static {
    /// The name of the function that leads to it.
    fn getter(&self) -> Ident {
        format_ident!(
            "__{}",
            self.name.to_string().trim_start_matches('_').to_lowercase()
        )
    }

    /// What leads to it from the function.
    fn path(&self, companion: Option<&Ident>) -> TokenStream {
        match companion {
            Some(companion) => {
                let getter = self.getter();
                quote!(*#companion::#getter())
            }
            None => {
                let name = &self.name;
                quote!(#name)
            }
        }
    }
}

/// The tokens that take the function's place.
pub fn assemble(analysis: &Analysis, forms: &[Forms], outputs: Outputs) -> TokenStream {
    let companion = analysis.module.then(|| analysis.function.sig.ident.clone());
    let in_order: Vec<Option<&str>> = forms.iter().map(|f| f.in_order.as_deref()).collect();
    let across = across::of(analysis, &in_order);
    let stays = match outputs.gpu {
        true => Stays::of(analysis, forms),
        false => Stays::default(),
    };
    let around = Around {
        companion: companion.as_ref(),
        across: &across,
        stays: &stays,
        steps: forms.get(analysis.loops.len()..).unwrap_or_default(),
    };
    let mut emitted: Vec<Emitted> = analysis
        .loops
        .iter()
        .zip(forms)
        .map(|(plan, forms)| emit(analysis, plan, forms, &around, outputs))
        .collect();
    for (of, forms) in analysis.steps.iter().zip(around.steps) {
        emitted.extend(steps(analysis, of, forms, &around));
    }
    let mut function = analysis.function.clone();
    stays.put_into(&mut function.block);
    let whole = wholes(analysis, &emitted, &around, outputs);
    loops::rewrite(&mut function.block, |nth, mut syntax| {
        let as_written = whole.iter().find(|(whole, _)| whole.nth_for == nth);
        if let (Some((whole, settled)), Expr::ForLoop(of)) = (as_written, &syntax) {
            let home = stays.home(nth);
            let inner = whole.inner.iter().filter_map(|n| analysis.loops.get(*n));
            let inner: Vec<_> = inner.collect();
            let run = emit_cpu::whole::run(whole, &inner, settled, home.as_ref(), &of.body);
            syntax = Expr::Verbatim(run);
        }
        match emitted.iter().find(|of| of.nth_for == nth) {
            Some(of) if of.ordinal < analysis.loops.len() => Expr::Verbatim(of.run.clone()),
            Some(Emitted { run, after, .. }) => Expr::Verbatim(quote!({
                #run
                if !(&__accrue_attempt).done() {
                    #syntax
                }
                #after
            })),
            None => syntax,
        }
    });
    if companion.is_none() {
        // Not in the loops, for what stands around several asks for those of all.
        let items = emitted.iter().flat_map(|of| &of.statics).map(|s| &s.item);
        let stmts = &function.block.stmts;
        *function.block = syn::parse_quote!({ #(#items)* #(#stmts)* });
    }
    confirm_names(&mut function, analysis);
    let companion = companion.map(|name| {
        let companion = self::companion(analysis, &name, forms, &emitted, &stays, outputs);
        let across = across::function(analysis, &name, &across);
        quote!(#companion #across)
    });
    quote!(#function #companion)
}

/// The loops that run as they are written once those inside have been seen to be soon done, with the question whether that is so. None is inside
/// another of them.
fn wholes<'a>(
    analysis: &'a Analysis,
    emitted: &[Emitted],
    around: &Around<'_>,
    outputs: Outputs,
) -> Vec<(&'a Whole, TokenStream)> {
    let mut taken: SortedSet<usize> = SortedSet::new();
    let found = analysis.whole.iter().filter_map(|whole| {
        if whole.inner.iter().any(|ordinal| taken.contains(ordinal)) {
            return None;
        }
        let inner = whole.inner.iter().map(|ordinal| {
            let plan = analysis.loops.get(*ordinal)?;
            let site = emitted.iter().find(|of| of.ordinal == *ordinal)?;
            (!around.across.splits(plan)).then_some((plan, site.site.as_ref()?))
        });
        let inner: Vec<_> = inner.collect::<Option<_>>()?;
        let settled = emit_cpu::whole::settled(whole, &inner, outputs.gpu)?;
        taken.extend(&whole.inner);
        Some((whole, settled))
    });
    found.collect()
}

/// Puts what makes rustc confirm the names of a function into it: around the user's block what they meant outside, and at its
/// beginning what they mean in it.
fn confirm_names(function: &mut ItemFn, analysis: &Analysis) {
    let items = confirm::items(&analysis.with_steps(), &analysis.definitions);
    let around = [
        mentions::in_signature(&analysis.function),
        confirm::structs_in_signature(&analysis.loops, &analysis.function.sig),
    ];
    if let Some(check) = mentions::in_body(&analysis.function) {
        let block = &function.block;
        let stmts = &block.stmts;
        *function.block = syn::parse_quote!({ #check #(#stmts)* });
    }
    if !items.is_empty() || around.iter().any(Option::is_some) {
        let block = &function.block;
        *function.block = syn::parse_quote!({ #items #(#around)* #block });
    }
}

/// What stands around the loops.
struct Around<'a> {
    companion: Option<&'a Ident>,
    across: &'a Across,
    stays: &'a Stays,
    /// What was printed of its steps.
    steps: &'a [Forms],
}

fn emit(
    analysis: &Analysis,
    plan: &LoopPlan,
    forms: &Forms,
    around: &Around<'_>,
    outputs: Outputs,
) -> Emitted {
    let Around {
        companion,
        across,
        stays,
        ..
    } = *around;
    let mut explain = forms.explain.clone();
    let containers = analysis.containers.iter();
    explain.extend(containers.filter_map(|containers| containers.explain(&plan.syntax)));
    let fields = analysis.fields.iter();
    explain.extend(fields.filter_map(|fields| fields.explain(&plan.syntax)));
    if plan.ir.ordinal + 1 == analysis.loops.len() {
        around
            .steps
            .iter()
            .for_each(|of| explain.push_str(&of.explain));
        explain.push_str(&explain::of_sequential(&analysis.sequential));
    }
    let site = Static {
        name: emit_cpu::static_name(plan),
        ty: quote!(::accrue::__rt::cpu::Site),
        item: emit_cpu::site_static(analysis, plan, &explain),
        heading: None,
    };
    let path_to = |s: &Static| s.path(companion);
    let path = path_to(&site);
    let left = left(plan, forms).filter(|_| outputs.gpu);
    // `explain` says why.
    let cpu = emit_cpu::run(plan, &path, left.as_ref()).unwrap_or_else(|_| {
        let syntax = in_order(plan);
        quote!({ (#path).stays_in_order(); #syntax })
    });
    let (run, kernels) = match outputs.gpu {
        true => on_gpu_first(analysis, plan, forms, &path_to, cpu, stays.has(plan)),
        false => (cpu, Vec::new()),
    };
    let written = in_order(plan);
    let run = emit_cpu::laid::around(plan, run, &quote!({ (#path).has_rows_apart(); #written }));
    let mut run = bound(plan, run);
    if let Some(companion) = companion.filter(|_| across.splits(plan)) {
        let deterministic = analysis.args.deterministic;
        if let Ok(around) = emit_cpu::ranks::around(plan, companion, deterministic, &run) {
            run = around;
        }
    }
    let kernels_path = kernels.last().map(path_to);
    let statics: Vec<Static> = [site].into_iter().chain(kernels).collect();
    let structs = confirm::structs(plan);
    // A loop that stays in order may hand on what it likes.
    let questions = forms.in_order.is_none().then_some(&plan.shared.questions);
    let mut run = quote!(#structs #questions #run);
    if let Some(containers) = &analysis.containers {
        let attempt = kernels_path
            .map(|kernels| quote!(let __accrue_attempt = ::accrue::__rt::gpu::lying(&#kernels);));
        let otherwise = quote!(#attempt (#path).lies_otherwise(););
        run =
            containers::Around(containers).around(plan, forms.in_order.is_some(), run, &otherwise);
    }
    if let Some(fields) = &analysis.fields {
        let otherwise = quote!((#path).has_too_many_fields(););
        run = fields::Around(fields).around(plan, forms.in_order.is_some(), run, &otherwise);
    }
    let in_parallel = forms.in_order.is_none();
    let asks = in_parallel.then(emit_cpu::asks);
    Emitted {
        ordinal: plan.ir.ordinal,
        nth_for: plan.nth_for,
        site: in_parallel.then_some(path),
        statics,
        run: quote!({ #asks #run }),
        after: TokenStream::new(),
    }
}

/// What tries a loop that goes in order as steps of one kernel, and stands before it; none where elements do not stay on a device
/// from step to step.
#[cfg(feature = "gpu")]
fn steps(
    analysis: &Analysis,
    steps: &Steps,
    forms: &Forms,
    around: &Around<'_>,
) -> Option<Emitted> {
    let plan = &steps.plan;
    if !around.stays.surround(plan.nth_for) {
        return None;
    }
    let kernels = Static {
        name: emit_gpu::static_name(plan),
        ty: quote!(::accrue::__rt::gpu::Loop),
        item: emit_gpu::loop_static(
            &emit_gpu::static_name(plan),
            analysis,
            plan,
            &forms.modules,
            &forms.obstacles,
            &steps.dealt,
        ),
        heading: None,
    };
    let path = kernels.path(around.companion);
    let attempt = emit_gpu::attempt(analysis, plan, &forms.modules, &path, Tries::Steps(steps));
    let structs = confirm::structs(plan);
    let taken = emit_gpu::taken();
    // The kernel has exchanged addresses, and vectors and references are still to be.
    let (count, after) = match swaps_at_the_end(&plan.syntax.body) {
        swaps if !swaps.is_empty() => (
            Some(quote!(let mut #taken = 0u64;)),
            quote! {
                else {
                    for _ in 0..#taken { #(#swaps;)* }
                }
            },
        ),
        _ => (None, TokenStream::new()),
    };
    Some(Emitted {
        ordinal: plan.ir.ordinal,
        nth_for: plan.nth_for,
        site: None,
        run: quote! {
            #structs
            #count
            let __accrue_attempt = #attempt;
        },
        statics: vec![kernels],
        after,
    })
}

/// There is no back end for GPUs.
#[cfg(not(feature = "gpu"))]
fn steps(_: &Analysis, _: &Steps, _: &Forms, _: &Around<'_>) -> Option<Emitted> {
    None
}

/// The user's loop as it is, over what has been evaluated before it.
fn in_order(plan: &LoopPlan) -> TokenStream {
    let mut syntax = plan.syntax.clone();
    if !plan.once.is_empty() {
        *syntax.expr = once::expression(&plan.iterations[0].chain);
    }
    quote!(#syntax)
}

/// All forms of a loop within what they share: each part of the user's iteration expression that may be evaluated only once. It is the
/// scrutinee of a `match`, whose temporaries live as long as those of a `for` loop's expression do.
fn bound(plan: &LoopPlan, forms: TokenStream) -> TokenStream {
    plan.once.iter().rev().fold(forms, |inner, once| {
        let (name, value) = (&once.name, &once.value);
        quote!(match #value { #name => { #inner } })
    })
}

/// What a kernel leaves to the CPU's form, where it finds the iterations that are the best.
#[cfg(feature = "gpu")]
fn left(plan: &LoopPlan, forms: &Forms) -> Option<TokenStream> {
    let finds = plan.winners.is_some() && !forms.modules.is_empty();
    finds.then(|| quote!((&__accrue_attempt).left()))
}

/// There are no kernels.
#[cfg(not(feature = "gpu"))]
fn left(_: &LoopPlan, _: &Forms) -> Option<TokenStream> {
    None
}

/// An attempt to run the loop on a GPU, with the CPU's form behind it; and the `static` of the kernels.
#[cfg(feature = "gpu")]
fn on_gpu_first(
    analysis: &Analysis,
    plan: &LoopPlan,
    forms: &Forms,
    path_to: &impl Fn(&Static) -> TokenStream,
    cpu: TokenStream,
    stays: bool,
) -> (TokenStream, Vec<Static>) {
    let of = |name: Ident, plan: &LoopPlan, modules: &[_]| Static {
        item: emit_gpu::loop_static(&name, analysis, plan, modules, &forms.obstacles, &[]),
        ty: quote!(::accrue::__rt::gpu::Loop),
        name,
        heading: None,
    };
    let for_kernels = plan.for_kernels();
    let kernels = of(emit_gpu::static_name(plan), for_kernels, &forms.modules);
    let beside = plan.beside.as_deref().filter(|_| !forms.beside.is_empty());
    // What keeps the best item is for data on a device, which functions of one loop have a form for.
    let used = |beside: &&Beside| match beside.what {
        What::Claims(_) => true,
        What::Keeps(..) => analysis.loops.len() == 1 && analysis.module,
        What::Pushes => false,
    };
    let beside = beside.filter(used).map(|beside| Static {
        heading: Some(match beside.what {
            What::Claims(_) => "what is distinct is checked before the loop by\n",
            What::Keeps(..) | What::Pushes => {
                "what is kept of data on a device is found behind the loop by\n"
            }
        }),
        ..of(emit_gpu::beside_name(plan), &beside.plan, &forms.beside)
    });
    let tries = match stays {
        true => Tries::Stays,
        false => Tries::Alone,
    };
    let path = path_to(&kernels);
    let attempt = emit_gpu::attempt(analysis, for_kernels, &forms.modules, &path, tries);
    let attempt = match &beside {
        Some(claims) if plan.claims().is_some() => {
            emit_gpu::apart_first(analysis, plan, &forms.beside, &path_to(claims), attempt)
        }
        _ => attempt,
    };
    let home = stays.then(emit_gpu::stay::home);
    // The attempt lives while the CPU's form runs: where a device was asked for that runs loops in their
    // own order, it sees to that.
    let run = quote! {
        let __accrue_attempt = #attempt;
        if !(&__accrue_attempt).done() {
            #home
            #cpu
        }
    };
    (run, beside.into_iter().chain([kernels]).collect())
}

/// There is no back end for GPUs.
#[cfg(not(feature = "gpu"))]
fn on_gpu_first(
    _: &Analysis,
    _: &LoopPlan,
    _: &Forms,
    _: &impl Fn(&Static) -> TokenStream,
    cpu: TokenStream,
    _: bool,
) -> (TokenStream, Vec<Static>) {
    (cpu, Vec::new())
}

/// The companion `enum`.
fn companion(
    analysis: &Analysis,
    name: &Ident,
    forms: &[Forms],
    emitted: &[Emitted],
    stays: &Stays,
    outputs: Outputs,
) -> TokenStream {
    let vis = &analysis.function.vis;
    let getters = emitted.iter().flat_map(|e| &e.statics).map(|s| {
        let (getter, name, ty, item) = (s.getter(), &s.name, &s.ty, &s.item);
        quote! {
            #[doc(hidden)]
            #[inline(always)]
            fn #getter() -> &'static #ty {
                #item
                &#name
            }
        }
    });
    let explain = explain_function(analysis, emitted);
    let try_call = try_call(analysis, name);
    let form = |params: &[Param<'_>]| match outputs.gpu {
        // A form for devices is made of the user's own tokens.
        true if analysis.over_slices().is_none() => {
            on_device(analysis, name, forms, emitted, params)
        }
        true => None,
        false => None,
    };
    let on = on::functions(analysis, name, form, |param| stays.keeps(param));
    let doc = format!("What goes with [`{name}`](fn@{name}).");
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::all)]
        #vis enum #name {}

        #[allow(dead_code, deprecated, unreachable_pub, clippy::all)]
        impl #name {
            #(#getters)*

            #explain
            #try_call
            #on
        }
    }
}

/// The form for devices of a function of one loop.
#[cfg(feature = "gpu")]
fn on_device(
    analysis: &Analysis,
    name: &Ident,
    forms: &[Forms],
    emitted: &[Emitted],
    params: &[Param<'_>],
) -> Option<OnDevice> {
    let [forms] = forms else {
        return None;
    };
    let path = |of: &Static| {
        let getter = of.getter();
        quote!(*#name::#getter())
    };
    // Behind what runs on the host.
    let paths: Vec<_> = emitted[0].statics.iter().skip(1).map(path).collect();
    emit_gpu::on_device(analysis, params, &forms.modules, &paths)
}

/// There is no back end for GPUs.
#[cfg(not(feature = "gpu"))]
fn on_device(
    _: &Analysis,
    _: &Ident,
    _: &[Forms],
    _: &[Emitted],
    _: &[Param<'_>],
) -> Option<OnDevice> {
    None
}

fn explain_function(analysis: &Analysis, emitted: &[Emitted]) -> TokenStream {
    let vis = &analysis.function.vis;
    let head = format!("{}\n", analysis.function.sig.ident);
    let statics = || emitted.iter().flat_map(|e| &e.statics);
    let sites = statics().map(Static::getter);
    let push = quote!(::accrue::__rt::String::push_str);
    let headings = statics().map(|s| {
        let heading = s.heading?;
        Some(quote!(#push(&mut __accrue_text, #heading);))
    });
    quote! {
        /// What was detected in the function, and which strategy ran last with which numbers.
        #vis fn explain() -> ::accrue::__rt::String {
            let mut __accrue_text = ::accrue::__rt::String::from(#head);
            #(
                #headings
                #push(&mut __accrue_text, &(&*Self::#sites()).explain());
                #push(&mut __accrue_text, "\n");
            )*
            __accrue_text
        }
    }
}

/// `try_call`: the function, with the errors of the device and the loop as values.
fn try_call(analysis: &Analysis, name: &Ident) -> TokenStream {
    let function = &analysis.function;
    let (vis, sig) = (&function.vis, &function.sig);
    let generics = &sig.generics;
    let where_clause = &generics.where_clause;
    let output = on::output(sig);
    let inputs: Vec<(Ident, &PatType)> = sig
        .inputs
        .iter()
        .filter_map(|input| match input {
            FnArg::Typed(param) => Some(param),
            FnArg::Receiver(_) => None,
        })
        .enumerate()
        .map(|(n, param)| (argument(&param.pat, n, name), param))
        .collect();
    let names = inputs.iter().map(|(name, _)| name);
    let path = match generic_arguments(generics) {
        Some(arguments) => quote!(#name::<#arguments>),
        None => quote!(#name),
    };
    let params = inputs.iter().map(|(name, param)| {
        let ty = &param.ty;
        quote!(#name: #ty)
    });
    let (safety, call) = match &sig.safety {
        Safety::Unsafe(token) => (quote!(#token), quote!(unsafe { #path(#(#names),*) })),
        _ => (quote!(), quote!(#path(#(#names),*))),
    };
    let doc = format!(
        "Calls [`{name}`](fn@{name}), and returns what goes wrong instead of answering it with a panic or the CPU.\n\n# Errors\n\nThose of the device, and the loop's own panics."
    );
    quote! {
        #[doc = #doc]
        #vis #safety fn try_call #generics(#(#params),*) -> ::core::result::Result<#output, ::accrue::Error> #where_clause {
            ::accrue::__rt::try_call(move || #call)
        }
    }
}
