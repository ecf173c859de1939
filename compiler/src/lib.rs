//! accrue-compiler: from a sequential loop to a parallel one.
//!
//! An ordinary library over token streams: the macro crate and `acc2rs` are thin shells over it, and tests
//! call it at run time.
//!
//! ```
//! let args = "histogram".parse().unwrap();
//! let item = "fn count(keys: &[u8], bins: &mut [u32; 256]) { for &k in keys { bins[k as usize] += 1; } }";
//! let function = syn::parse_str(item).unwrap();
//! let accrue_compiler::Offload::Loops(args) = accrue_compiler::args(args).unwrap() else { panic!() };
//! let compiled = accrue_compiler::stages(function, &args, &Default::default(), None).unwrap();
//! assert!(compiled.explain().contains("bins bins: u32, h += v at bins[k as usize]"));
//! ```

mod across;
pub mod assemble;
mod conditional;
pub mod declared;
pub mod device;
#[cfg(feature = "gpu")]
pub mod emit_gpu;
#[cfg(feature = "gpu")]
pub mod emit_ptx;
mod explain;
pub mod plain;
pub mod print;
mod profile;
mod rename;
pub mod siblings;
pub mod within;

// The rooms of the crates below, by their names.
use accrue_ir::sorted::Sorted;
use accrue_ir::{beside, mentions};
pub use accrue_ir::{dependence, diag, ir, methods, parsed, source, syntax};
use accrue_parse::layout;
pub use accrue_parse::{infer, parse};
#[cfg(feature = "gpu")]
use accrue_plan::guard;
pub use accrue_plan::{confirm, detect, emit_cpu, plan};
use accrue_plan::{on, verify};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ItemFn;

pub use assemble::Outputs;
use diag::{Code, Diagnostic, Errors};
use parse::follow::{self, InOrder};
pub use parsed::args::{Args, Offload, parse as args};
use parsed::candidate::Candidate;
use parsed::fields::Fields;

pub use parsed::containers::Crates;
use plan::Analysis;
use print::{Forms, Kernels, Printed};
use source::SourceMap;
use syntax::by_example;
use syntax::definitions::Definitions;

/// Compiles a function under `#[offload(attribute)]`: the tokens that take its place.
///
/// What is wrong with it comes out as `compile_error!`s beside the function as the user wrote it, so that one
/// mistake shows one error.
pub fn compile(attribute: TokenStream, item: TokenStream, outputs: Outputs) -> TokenStream {
    let name = parsed::args::crate_path(&attribute);
    let item = parse::groups::in_parens(item);
    match expand(attribute, item.clone(), outputs) {
        Ok(tokens) => rename::in_crate(tokens, name.as_ref()),
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
    let offload = args(attribute.clone())?;
    if let Offload::Loops(args) = &offload {
        let depth = |function: &ItemFn| {
            let none = Definitions::default();
            let judged = stages(function.clone(), args, &none, None).ok();
            judged.filter(|_| args.uses.is_empty()).map(|of| of.depth)
        };
        let methods = parse::item::methods(&attribute, &item, args.any, &depth);
        if let Some(methods) = methods {
            return methods;
        }
    }
    if let Some(cases) = conditional::cases(&attribute, &item)? {
        return Ok(cases);
    }
    match offload {
        // The definitions come first; the last of them calls [`collect`].
        Offload::Loops(args) if !args.uses.is_empty() => {
            Ok(device::start(attribute, item, &args.uses))
        }
        Offload::Loops(args) => with_loops(item, &args, &Definitions::default(), outputs),
        Offload::Device(uses) => device::function(attribute, &parse::item::function(item)?, &uses),
    }
}

/// A step of collecting what `uses(..)` names; the last of them compiles the function. Of a device function only its macro is left to
/// emit.
pub fn collect(tokens: TokenStream, outputs: Outputs) -> TokenStream {
    let (attribute, item, collected) = match device::collect(tokens) {
        device::Step::Tokens(tokens) => return tokens,
        device::Step::Done {
            attribute,
            item,
            collected,
        } => (attribute, item, collected),
    };
    let name = parsed::args::crate_path(&attribute);
    let compiled = args(attribute).and_then(|offload| match offload {
        Offload::Loops(args) => {
            let definitions = device::definitions(collected);
            with_loops(item.clone(), &args, &definitions, outputs)
        }
        Offload::Device(_) => device::at_the_end(item.clone(), &collected),
    });
    match compiled {
        Ok(tokens) => rename::in_crate(tokens, name.as_ref()),
        Err(errors) => beside(&errors, &item),
    }
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

fn with_loops(
    item: TokenStream,
    args: &Args,
    definitions: &Definitions,
    outputs: Outputs,
) -> Result<TokenStream, Errors> {
    let function = parse::item::function(item)?;
    parse::item::check_generics(&function, args)?;
    let compiled =
        stages(function.clone(), args, definitions, Some(outputs)).or_else(|errors| {
            let mut forms = parse::item::written_out(&function, args).into_iter();
            let taken = forms.find_map(|form| stages(form, args, definitions, Some(outputs)).ok());
            taken.ok_or(errors)
        })?;
    Ok(compiled.tokens)
}

/// What is known of a function's loops.
///
/// # Errors
///
/// Everything that is wrong with the function, in the order of the text.
pub fn analyze(function: &ItemFn, args: &Args) -> Result<Analysis, Errors> {
    let definitions = Definitions::default();
    Ok(stages(function.clone(), args, &definitions, None)?.analysis)
}

/// A function that has been through all stages.
pub struct Compiled {
    /// What is known of it.
    pub analysis: Analysis,
    /// What was printed of each of its loops, and behind them of its [steps](Analysis::steps).
    pub forms: Vec<Forms>,
    /// The tokens that take its place; empty where none were asked for.
    pub tokens: TokenStream,
    /// How many loops that go in order stand around the innermost of those that run in parallel.
    depth: usize,
}

impl Compiled {
    /// Whether a loop of it carries the best item so far.
    fn carries_the_best(&self) -> bool {
        self.analysis.loops.iter().any(|plan| {
            let ir::Pattern::Histogram(roles) = &plan.pattern;
            let mut carried = roles.carried.iter();
            carried.any(|carried| matches!(carried.map, Some(ir::Map::Best(_))))
        })
    }

    /// What `explain()` says before anything ran.
    pub fn explain(&self) -> String {
        let Analysis {
            function,
            sequential,
            ..
        } = &self.analysis;
        let loops = self.forms.iter().map(|forms| forms.explain.as_str());
        explain::of_function(&function.sig.ident.to_string(), loops, sequential)
    }
}

/// The stages, in order. Each is a module that knows only those before it; `tests/floors.rs` holds them to that.
///
/// # Errors
///
/// Everything that is wrong with the function, in the order of the text.
pub fn stages(
    mut function: ItemFn,
    args: &Args,
    definitions: &Definitions,
    outputs: Option<Outputs>,
) -> Result<Compiled, Errors> {
    print::check_cut(args)?;
    parse::groups::rewrite(&mut function);
    if by_example::hides(&function) {
        // In other words a loop might change what such a macro uses.
        let none = Crates::default();
        return judged(function, args, definitions, outputs, none, None);
    }
    let mut taken = function.clone();
    if args.any
        && parse::taken::rewrite(&mut taken)
        && let Ok(taken) = in_any_words(taken, args, definitions, outputs)
    {
        return Ok(taken);
    }
    let judgement = in_any_words(function.clone(), args, definitions, outputs);
    if judgement.is_err() && args.any && !args.as_marked && follow::has_short(&function) {
        let short = Args {
            short_in_order: true,
            ..args.clone()
        };
        return in_any_words(function, &short, definitions, outputs).or(judgement);
    }
    judgement
}

/// The stages for a function as it is written, and where that helps in other words.
fn in_any_words(
    function: ItemFn,
    args: &Args,
    definitions: &Definitions,
    outputs: Option<Outputs>,
) -> Result<Compiled, Errors> {
    let judge = |function| in_other_words(function, args, definitions, outputs);
    // What iterates without a `for` is a loop of ours where that helps, and else stays what it is; so does what a loop goes over under a name.
    let mut moved = function.clone();
    let bound = parse::bound::rewrite(&mut moved);
    let judgement = match parse::adaptors::rewrite(&mut moved) || bound {
        true => judge(moved.clone()).or_else(|errors| judge(function).map_err(|_| errors)),
        false => judge(function),
    };
    // What else is a loop of ours in other words, one after the other, until they do.
    let further: [fn(&mut ItemFn) -> bool; 11] = [
        parse::joined::rewrite,
        parse::counted::rewrite,
        parse::collected::rewrite,
        parse::since::rewrite,
        parse::scratch::rewrite,
        parse::later::rewrite,
        parse::settled::rewrite,
        parse::search::rewrite,
        parse::consumed::rewrite,
        parse::search::rewrite,
        parse::later::rewrite,
    ];
    let some = if args.any { further.len() } else { 3 };
    let further = further.into_iter().take(some);
    judgement.or_else(|mut errors| {
        for rewrite in further {
            if !rewrite(&mut moved) {
                continue;
            }
            match judge(moved.clone()) {
                Ok(taken) => return Ok(taken),
                // Where it is not how the loop iterates that is wrong, what is wrong is said.
                Err(other) if is_about_headers(&errors) && !is_about_headers(&other) => {
                    errors = other;
                }
                Err(_) => {}
            }
        }
        Err(errors)
    })
}

/// Whether a finding is about what a loop goes over.
fn is_about_headers(errors: &Errors) -> bool {
    errors.iter().any(|found| found.code == Code::Iteration)
}

/// Other words for loops that are refused in their own.
const WORDS: [fn(&mut ItemFn) -> bool; 11] = [
    parse::prefix::rewrite,
    parse::latches::rewrite,
    parse::compact::rewrite,
    parse::ahead::rewrite,
    parse::kept::rewrite,
    parse::folded::rewrite,
    parse::relaxed::rewrite,
    parse::optional::rewrite,
    parse::chosen::rewrite,
    parse::parted::rewrite,
    parse::divided::rewrite,
];

/// The stages for a function in the words of which it can be made most.
fn in_other_words(
    mut function: ItemFn,
    args: &Args,
    definitions: &Definitions,
    outputs: Option<Outputs>,
) -> Result<Compiled, Errors> {
    parse::tuples::rewrite(&mut function);
    parse::lets::rewrite(&mut function);
    parse::borrowed::rewrite(&mut function);
    parse::idioms::rewrite(&mut function);
    let other = |rewrite: fn(&mut ItemFn) -> bool| {
        let mut form = function.clone();
        rewrite(&mut form).then_some(form)
    };
    let crates = outputs.map(|outputs| outputs.crates).unwrap_or_default();
    let as_it_is = |function: &ItemFn, crates| {
        judged(function.clone(), args, definitions, outputs, crates, None)
    };
    let judge = |function: &ItemFn, crates| {
        as_it_is(function, crates).or_else(|errors| {
            let mut named = function.clone();
            match parse::indices::rewrite(&mut named) | parse::keys::rewrite(&mut named) {
                true => better(as_it_is(&named, crates), Err(errors)),
                false => Err(errors),
            }
        })
    };
    // Messages are about the loop as it is written, but for what it means as one over slices.
    let mut judgement = judge(&function, crates);
    for rewrite in WORDS {
        if args.any
            && judgement.is_err()
            && let Some(form) = other(rewrite)
        {
            judgement = better(judge(&form, crates), judgement);
        }
    }
    // Loops of one function may each need words of their own.
    if args.any
        && judgement.is_err()
        && let Some(form) = other(|form| WORDS.iter().filter(|rewrite| rewrite(form)).count() > 1)
    {
        judgement = better(judge(&form, crates), judgement);
    }
    // Both ends at once are one pass, and two where the best so far is carried.
    let follows = |whole: &Compiled| whole.depth > 0 || whole.carries_the_best();
    if judgement.as_ref().map_or(true, follows)
        && let Some(extrema) = other(parse::extrema::rewrite)
    {
        judgement = match (judge(&extrema, crates), judgement) {
            (Ok(extrema), Ok(whole)) if whole.depth == 0 && extrema.depth == 0 => {
                Ok(if extrema.carries_the_best() {
                    whole
                } else {
                    extrema
                })
            }
            (extrema, whole) => shallower(extrema, whole),
        };
    }
    let is_parallel = |of: &Compiled| {
        let in_order = |forms: &Forms| forms.in_order.is_some();
        of.depth == 0 && !of.forms.iter().any(in_order)
    };
    let numbered = other(|function| {
        let found = parse::elements::rewrite(function);
        // What compares elements that have an index now.
        parse::idioms::rewrite(function);
        found
    });
    if let Some(numbered) = &numbered
        && !judgement.as_ref().is_ok_and(is_parallel)
    {
        judgement = match (judge(numbered, crates), judgement) {
            (Ok(numbered), whole) if whole.is_err() || is_parallel(&numbered) => Ok(numbered),
            (_, whole) => whole,
        };
    }
    // What other iterations look at beside what an iteration changes is copied, where the loop runs in parallel then.
    if args.any
        && !judgement.as_ref().is_ok_and(|whole| whole.depth == 0)
        && let Some(unchanged) = other(parse::unchanged::rewrite)
    {
        judgement = shallower(judge(&unchanged, crates), judgement);
    }
    // Rows that lie apart are one array where that lets a loop run in parallel.
    let waiting = |of: &Compiled| {
        of.forms
            .iter()
            .filter(|forms| forms.in_order.is_some())
            .count()
    };
    if args.any
        && judgement.as_ref().is_ok_and(|whole| waiting(whole) > 0)
        && let Some(nested) = other(parse::nested::rewrite)
    {
        judgement = match (judge(&nested, crates), judgement) {
            (Ok(nested), Ok(whole))
                if waiting(&nested) < waiting(&whole) && nested.depth <= whole.depth =>
            {
                Ok(nested)
            }
            (_, whole) => whole,
        };
    }
    // A step's rows run in parallel rather than the elements of each.
    if args.any
        && !args.as_marked
        && !judgement.as_ref().is_ok_and(|whole| whole.depth < 2)
        && let Some(apart) = other(parse::pivot::rewrite)
    {
        judgement = shallower(judge(&apart, crates), judgement);
    }
    // What updates fields of bins runs in order as it stands, with loops inside it at the best. As bins of `histogram` nobody has looked at what they are.
    if judgement
        .as_ref()
        .map_or(true, |whole| whole.depth > 0 || !args.any)
        && let function = numbered
            .as_ref()
            .filter(|_| judgement.is_err())
            .unwrap_or(&function)
        && let Some(fields) = parse::fields::find(function)
    {
        let apart = |fields| {
            let none = Crates::default();
            judged(function.clone(), args, definitions, outputs, none, fields)
        };
        let mut named = fields.clone();
        let apart =
            apart(Some(fields)).or_else(|errors| match parse::indices::rewrite(&mut named.view) {
                true => apart(Some(named)),
                false => Err(errors),
            });
        judgement = match apart {
            Ok(apart) if !args.any => Ok(apart),
            apart => shallower(apart, judgement),
        };
    }
    if crates != Crates::default() {
        let none = Crates::default();
        judgement = judgement.or_else(|errors| judge(&function, none).map_err(|_| errors));
    }
    judgement.map_err(|mut errors| {
        let missing = outputs.and_then(|_| parse::containers::missing(&function, crates));
        if let Some(feature) = missing {
            errors.note(format!(
                "with the feature `{feature}` of accrue, loops over arrays of that crate are taken"
            ));
        }
        errors
    })
}

/// The first of two forms of a function if it is taken, else the second; of what is wrong with both the first where that is some of the second.
fn better(
    other: Result<Compiled, Errors>,
    whole: Result<Compiled, Errors>,
) -> Result<Compiled, Errors> {
    match (other, whole) {
        (Ok(other), _) => Ok(other),
        (Err(some), Err(all)) if some.are_some_of(&all) => Err(some),
        (Err(_), whole) => whole,
    }
}

/// Of two forms of a function the one whose parallel loops stand in fewer that go in order; the second where that is the same, and for what is
/// wrong with it.
fn shallower(
    other: Result<Compiled, Errors>,
    whole: Result<Compiled, Errors>,
) -> Result<Compiled, Errors> {
    match (other, whole) {
        (Ok(other), Ok(whole)) if other.depth >= whole.depth => Ok(whole),
        (Ok(other), _) => Ok(other),
        (Err(_), whole) => whole,
    }
}

/// The stages behind those that rewrite a function.
fn judged(
    mut function: ItemFn,
    args: &Args,
    definitions: &Definitions,
    outputs: Option<Outputs>,
    crates: Crates,
    mut fields: Option<Fields>,
) -> Result<Compiled, Errors> {
    let mut sources = SourceMap::default();
    let options = print::Options {
        kernels: wanted(args, outputs),
        overflow_checks: profile::overflow_checks(std::env::args()),
        strategy: args.strategy.clone(),
        contract: args.contract,
    };
    let marked = parse::marks::take(&mut function);
    let containers = parse::containers::find(&function, crates);
    if let Some(fields) = &mut fields {
        parse::marks::take(&mut fields.view);
    }
    let apart = fields.as_ref().map(|of| &of.view);
    let view = containers.as_ref().map(|of| &of.view).or(apart);
    let view = view.unwrap_or(&function);
    let mut args = args.clone();
    if let Some(containers) = &containers {
        let places = args.distinct.iter();
        args.distinct = places.map(|place| containers.place(place)).collect();
    }
    let args = &args;
    // A round for each depth of loops that have to go in order. What is known of a loop since the round before stays.
    let (mut in_order, mut refusal) = (InOrder::new(), None);
    let mut known: Sorted<usize, Result<plan::LoopPlan, Errors>> = Sorted::new();
    let (parsed, loops, mut forms) = loop {
        let parsed = parse::function::parse(view, &marked, &in_order, args.any);
        let candidates = parsed.candidates.iter();
        let loops = candidates.map(|candidate| match known.remove(&candidate.nth_for) {
            Some(Ok(mut plan)) => {
                plan.ir.ordinal = candidate.ordinal;
                Ok(plan)
            }
            Some(refused) => refused,
            None => planned(candidate, args, definitions, &mut sources),
        });
        let loops: Vec<_> = loops.collect();

        let further = match args.any && !args.as_marked {
            true => follow::further(&parsed.candidates, &loops, args.short_in_order),
            false => InOrder::new(),
        };
        let is_worth_it = follow::is_worth_it(&parsed, &loops);
        if !further.is_empty() {
            if refusal.is_none() {
                refusal = findings(&loops, &parsed, args, &function).finish().err();
            }
            let numbers = parsed.candidates.iter().map(|candidate| candidate.nth_for);
            known = numbers.zip(loops).collect();
            in_order.extend(further);
            continue;
        }
        // The last round alone is printed.
        let print = |plan| print::print(plan, &options, &sources);
        let printed = loops.into_iter().map(|of| of.and_then(print));
        let printed: Vec<_> = printed.collect();
        match findings(&printed, &parsed, args, &function).finish() {
            Ok(()) if is_worth_it => {
                let pairs = printed.into_iter().flatten();
                let pairs = pairs.map(|Printed { plan, forms }| (plan, forms));
                let (plans, forms): (Vec<_>, Vec<_>) = pairs.unzip();
                break (parsed, plans, forms);
            }
            // What is wrong where loops around others go in order, if that is some of it.
            found => {
                return Err(match (refusal, found.err()) {
                    (Some(all), Some(some)) if !some.are_some_of(&all) => all,
                    (all, some) => some.or(all).unwrap_or_default(),
                });
            }
        }
    };
    // Slices of arrays of other crates, and of fields, are there in single loops alone.
    let bare = containers.is_none() && fields.is_none();
    let planned: Vec<_> = parsed.candidates.iter().zip(&loops).collect();
    let in_order = &parsed.in_order;
    let steps = match args.any && bare && options.wants_steps() {
        true => plan::steps::find(
            in_order,
            &planned,
            args,
            &mut sources,
            &|candidate, sources| parse::nest::lower_steps(candidate, args, definitions, sources),
        ),
        false => Vec::new(),
    };
    let whole = match bare {
        true => plan::whole::find(in_order, &planned),
        false => Vec::new(),
    };
    let steps = steps.into_iter().filter_map(|steps| {
        let forms = print::steps(&steps, &options, &sources)?;
        Some((steps, forms))
    });
    let (steps, more): (Vec<_>, Vec<_>) = steps.unzip();
    forms.extend(more);
    let depths = parsed.candidates.iter().map(|candidate| candidate.depth);
    let depth = depths.max().unwrap_or(0);
    let sequential = parsed.sequential;
    let mut analysis = Analysis::new(
        function.clone(),
        args,
        definitions,
        loops,
        &sequential,
        sources,
    );
    analysis.containers.clone_from(&containers);
    analysis.fields.clone_from(&fields);
    analysis.steps = steps;
    analysis.whole = whole;
    print::check_required(&analysis, &forms)?;
    print::Stays::of(&analysis, &forms).explain(&analysis, &mut forms);
    let tokens = outputs.map(|outputs| assemble::assemble(&analysis, &forms, outputs));
    Ok(Compiled {
        analysis,
        forms,
        tokens: tokens.unwrap_or_default(),
        depth,
    })
}

/// The kernels that somebody reads.
fn wanted(args: &Args, outputs: Option<Outputs>) -> Kernels {
    let strategy = args.strategy.as_ref().filter(|_| args.only);
    match (outputs, strategy) {
        (None, _) => Kernels::None,
        // Whether the loop can run where it must is said in every build.
        (Some(_), _) if args.require.is_some() => Kernels::All,
        (Some(outputs), _) if !outputs.gpu => Kernels::None,
        (Some(_), Some(name)) => Kernels::Of(name.value()),
        (Some(_), None) if profile::only_checks(std::env::args()) => Kernels::First,
        (Some(_), None) => Kernels::All,
    }
}

/// The stages of one loop, up to what is printed.
fn planned(
    candidate: &Candidate<'_>,
    args: &Args,
    definitions: &Definitions,
    sources: &mut SourceMap,
) -> Result<plan::LoopPlan, Errors> {
    let lowered = parse::nest::lower(candidate, args, definitions, sources);
    let lowered = verify::lowered(lowered, sources)?;
    let detected = detect::detect(lowered, sources)?;
    let detected = verify::detected(detected, sources)?;
    Ok(plan::plan(detected, args, sources))
}

/// What is wrong with a function and its loops.
fn findings<T: AsRef<plan::LoopPlan>>(
    loops: &[Result<T, Errors>],
    parsed: &parse::function::Parsed<'_>,
    args: &Args,
    function: &ItemFn,
) -> Errors {
    let mut errors = parsed.errors.clone();
    let taken = loops.iter().filter_map(|of| of.as_ref().ok());
    let plans: Vec<&plan::LoopPlan> = taken.map(AsRef::as_ref).collect();
    let refused: Vec<&Errors> = loops.iter().filter_map(|of| of.as_ref().err()).collect();
    if refused.is_empty() {
        let called: Vec<&String> = plans.iter().flat_map(|plan| &plan.shared.called).collect();
        let unused = args
            .pure
            .iter()
            .filter(|name| !called.iter().any(|c| *name == c));
        for name in unused {
            errors.push(
                Diagnostic::new(
                    Code::UnusedPure,
                    name.span(),
                    format!("no loop of `{}` calls `{name}`", function.sig.ident),
                )
                .help("`pure(..)` names the methods, functions and macros that the loops call and that only compute"),
            );
        }
    }
    if refused.is_empty() {
        let written: Vec<&syn::Expr> = plans.iter().flat_map(|plan| plan.own()).collect();
        for place in &args.distinct {
            let key = syntax::names::key_of(place);
            if !written.iter().any(|of| syntax::names::key_of(of) == key) {
                let text = source::text_of(&place.to_token_stream());
                errors.push(
                    Diagnostic::new(
                        Code::Argument,
                        syn::spanned::Spanned::span(place),
                        format!("no loop of `{}` writes elements of `{text}`", function.sig.ident),
                    )
                    .help("`distinct(..)` names arrays of which iterations write elements that no other iteration uses"),
                );
            }
        }
    }
    for mut more in refused.into_iter().cloned() {
        if !plans.is_empty() {
            more.note(
                "`#[sequential]` before its `for` leaves this loop as it is, beside the others",
            );
        }
        errors.extend(more);
    }
    errors.sort();
    errors
}
