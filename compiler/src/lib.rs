//! accrue-compiler: from a sequential loop to a parallel one.
//!
//! An ordinary library over token streams: the macro crate and `acc2rs` are thin shells over it, and tests
//! call it at run time.
//!
//! ```
//! let args = "histogram".parse().unwrap();
//! let item = "fn count(keys: &[u8], bins: &mut [u32; 256]) { for &k in keys { bins[k as usize] += 1; } }";
//! let function = syn::parse_str(item).unwrap();
//! let accrue_compiler::Offload::Histogram(args) = accrue_compiler::args(args).unwrap() else { panic!() };
//! let analysis = accrue_compiler::analyze(&function, &args).unwrap();
//! assert!(analysis.explain.contains("bins bins: u32, h += v at bins[k as usize]"));
//! ```

pub mod assemble;
pub mod detect;
pub mod device;
pub mod diag;
pub mod emit_cpu;
#[cfg(feature = "gpu")]
pub mod emit_gpu;
#[cfg(feature = "gpu")]
pub mod emit_ptx;
pub mod infer;
pub mod ir;
pub mod methods;
pub mod parse;
pub mod plan;
mod profile;
pub mod source;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ItemFn;

pub use assemble::Outputs;
use device::Definitions;
use diag::{Code, Diagnostic, Errors};
pub use parse::args::{Args, Offload, parse as args};
use plan::Analysis;
use source::SourceMap;

/// Compiles a function under `#[offload(attribute)]`: the tokens that take its place.
///
/// What is wrong with it comes out as `compile_error!`s beside the function as the user wrote it, so that one
/// mistake shows one error.
pub fn compile(attribute: TokenStream, item: TokenStream, outputs: Outputs) -> TokenStream {
    match expand(attribute, item.clone(), outputs) {
        Ok(tokens) => tokens,
        Err(errors) => beside(&errors, &item),
    }
}

/// As [`compile`], with what is wrong as a value.
///
/// # Errors
///
/// Everything that is wrong with the attribute or the function.
pub fn expand(
    attribute: TokenStream,
    item: TokenStream,
    outputs: Outputs,
) -> Result<TokenStream, Errors> {
    match args(attribute.clone())? {
        // The definitions come first; the last of them calls `compile_with`.
        Offload::Histogram(args) if !args.uses.is_empty() => {
            Ok(device::start(attribute, item, &args.uses))
        }
        Offload::Histogram(args) => histogram(item, &args, &Definitions::default(), outputs),
        Offload::Device(uses) => device::function(&parse_function(item)?, &uses),
    }
}

/// Compiles a function whose device functions and structs have been collected.
pub(crate) fn compile_with(
    attribute: TokenStream,
    item: TokenStream,
    definitions: &Definitions,
    outputs: Outputs,
) -> TokenStream {
    let compiled = args(attribute).and_then(|offload| match offload {
        Offload::Histogram(args) => histogram(item.clone(), &args, definitions, outputs),
        Offload::Device(_) => Ok(item.clone()),
    });
    compiled.unwrap_or_else(|errors| beside(&errors, &item))
}

/// Errors beside the user's own function.
fn beside(errors: &Errors, item: &TokenStream) -> TokenStream {
    let mut item = item.clone();
    if let Ok(mut function) = syn::parse2::<ItemFn>(item.clone()) {
        let marked = parse::marks::take(&mut function);
        let constant = errors.iter().any(|d| d.code == Code::ConstFn);
        if constant {
            // Without it rustc would say of the loop what has just been said of the function.
            function.sig.constness = None;
        }
        if constant || !marked.is_empty() {
            item = function.to_token_stream();
        }
    }
    let errors = errors.to_compile_error();
    quote::quote!(#errors #item)
}

fn histogram(
    item: TokenStream,
    args: &Args,
    definitions: &Definitions,
    outputs: Outputs,
) -> Result<TokenStream, Errors> {
    let function = parse_function(item)?;
    let mut analysis = analyze_with(&function, args, definitions)?;
    if outputs.gpu || args.require.is_some() {
        analysis.print_kernels(profile::overflow_checks(std::env::args()));
    }
    analysis.check_required()?;
    Ok(assemble::assemble(&analysis, outputs))
}

fn parse_function(item: TokenStream) -> Result<ItemFn, Errors> {
    let span = item
        .clone()
        .into_iter()
        .next()
        .map_or_else(proc_macro2::Span::call_site, |t| t.span());
    syn::parse2::<ItemFn>(item.clone()).map_err(|error| {
        // Another item that is well formed is the wrong place for the attribute; anything else is rustc's to say.
        match syn::parse2::<syn::Item>(item) {
            Ok(_) => Diagnostic::new(
                Code::NotAFunction,
                span,
                "`#[offload]` stands on a function",
            )
            .help("put it on the `fn` whose loop shall run in parallel")
            .into(),
            Err(_) => error.into(),
        }
    })
}

/// What is known of a function's loops: parse, lower, detect, plan, each stage verified.
///
/// # Errors
///
/// Everything that is wrong with the function, in the order of the text.
pub fn analyze(function: &ItemFn, args: &Args) -> Result<Analysis, Errors> {
    analyze_with(function, args, &Definitions::default())
}

/// As [`analyze`], with the device functions and structs that the loops mention.
///
/// # Errors
///
/// As [`analyze`].
pub fn analyze_with(
    function: &ItemFn,
    args: &Args,
    definitions: &Definitions,
) -> Result<Analysis, Errors> {
    let mut errors = Errors::new();
    let mut sources = SourceMap::default();
    parse::function::check_signature(function, &mut errors);
    let mut function = function.clone();
    let marked = parse::marks::take(&mut function);
    let mut loops = parse::function::loops(&function, &marked);
    let name = function.sig.ident.to_string();
    let mut plans = Vec::new();
    let mut refused = Vec::new();
    for (ordinal, candidate) in loops.candidates.iter().enumerate() {
        match plan::plan(
            &name,
            ordinal,
            candidate,
            definitions,
            args.deterministic,
            &mut sources,
        ) {
            Ok(plan) => plans.push(plan),
            Err(more) => refused.push(more),
        }
    }
    for mut more in refused {
        if !plans.is_empty() {
            more.note(
                "`#[sequential]` before its `for` leaves this loop as it is, beside the others",
            );
        }
        errors.extend(more);
    }
    let sequential = std::mem::take(&mut loops.sequential)
        .into_iter()
        .map(|s| (s.span.start().line, s.why.to_string()))
        .collect();
    loops.check(&function, &mut errors);
    errors.sort();
    errors.finish()?;
    Ok(Analysis::new(
        function,
        args.clone(),
        plans,
        sequential,
        sources,
    ))
}
