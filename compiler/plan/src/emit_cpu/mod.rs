//! The Rust that runs a loop on the CPU: a `static` with what is known of it, and the expression that takes the
//! loop's place.
//!
//! The user's body is printed four times, and rustc compiles all of it, whatever it holds. Once as it is, for the
//! parts of the iteration space that the runtime hands back; and three times as a *step* for one item, with every
//! update of a bin replaced by an update of a table, for plain tables, tables with lanes, and logs. A step is a
//! `loop` that takes one item and ends when there is none left, so that the user's pattern binds and `continue` ends
//! the step. It ends with a value of a type of its own: a `break` or `return` that a macro hides in the body is an
//! error of types. Injective loops have two steps: one for the bins of a part, and one for logs. Loops whose updates cannot be
//! taken back have one more, which only checks indices (two of those, where conditions can be left out), or writes down what the
//! bins held; nested loops that are split have the user's own copy twice, over all of both and over a part.
//!
//! What the runtime does with these is in `accrue`'s `cpu::run`; `accrue/tests/by_hand/loops.rs` has the emitted
//! form by hand.

mod ahead;
mod along;
mod body;
mod claims;
mod columns;
pub mod containers;
mod each;
mod fetched;
pub mod fields;
pub mod laid;
mod maps;
pub mod methods;
pub mod ranks;
mod records;
mod space;
mod straight;
mod terms;
mod turned;
mod undo;
mod value;
mod walks;
pub mod whole;
mod work;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, Pat};

use self::along::Along;
pub use self::space::asks;
use crate::ir::{Memory, Overflow, Pattern, Target, UpdateOp};
use crate::parsed::iteration::{Adaptor, Base, Iteration, evaluated_early};
use crate::plan::{Analysis, LoopPlan, TargetSyntax};
use crate::syntax::Shape;

/// The name of the `static` of a loop.
pub fn static_name(plan: &LoopPlan) -> Ident {
    format_ident!("__ACCRUE_SITE_{}", plan.ir.ordinal)
}

/// The item `pub static __ACCRUE_SITE_0: Site = …;`.
/// `explain` is what is said of the loop before anything ran.
pub fn site_static(analysis: &Analysis, plan: &LoopPlan, explain: &str) -> TokenStream {
    let name = static_name(plan);
    let function = analysis.function.sig.ident.to_string();
    let nanoseconds = work(plan);
    let work = nanoseconds.map(|ns| quote!(.work(#ns)));
    let sites = (bin_sites(plan) * unrolled(plan).unwrap_or(1)).max(1);
    let uneven = nanoseconds.is_none().then(|| quote!(.uneven()));
    let pure = plan.pure.then(|| quote!(.pure()));
    let body = match each::is_each(plan) {
        true => None,
        false => body::Body::new(plan).ok(),
    };
    let prepared = body.and_then(|body| match prepared(plan, &body) {
        Prepared::Nothing => None,
        Prepared::Straight => Some(quote!(.rehearsal(0.0).straight())),
        Prepared::Rehearsal(ns) => {
            let ahead = body.ahead().map(|_| quote!(.ahead()));
            Some(quote!(.rehearsal(#ns) #ahead))
        }
        Prepared::Journal => Some(quote!(.journal())),
    });
    let deterministic = analysis
        .args
        .deterministic
        .then(|| quote!(.deterministic()));
    let strategy = analysis
        .args
        .strategy
        .as_ref()
        .map(|text| quote!(.strategy(#text)));
    let columns = columns(plan).map(|columns| {
        let columns = columns.iter().map(|columns| quote!(&[#(#columns),*]));
        quote!(.columns(&[#(#columns),*]))
    });
    quote! {
        #[doc(hidden)]
        pub static #name: ::accrue::__rt::cpu::Site = ::accrue::__rt::cpu::Site::new(#function, #explain)
            #work.sites(#sites)#uneven #pure #prepared #deterministic #strategy #columns;
    }
}

/// The nanoseconds of an iteration, where they can be told.
fn work(plan: &LoopPlan) -> Option<f64> {
    // Rows have as much work as they have columns, if those are not split.
    Some(work::nanoseconds(&plan.ir)? * unrolled(plan)? as f64)
}

/// What a loop whose updates cannot be taken back has for the case of a panic, as a copy of its body.
enum Prepared {
    /// Nothing: they can be taken back, or bins are copied.
    Nothing,
    /// A check of the first and the last iteration's indices.
    Straight,
    /// A check of all indices, several iterations at a time, which takes so many nanoseconds for one.
    Rehearsal(f64),
    /// Updates that write down what the bins held.
    Journal,
}

/// What this loop has. A check costs nothing but its time, a journal memory as well; but it costs hardly more where the body branches, loops
/// or calls, and a check of such a body is as much work as the body.
fn prepared(plan: &LoopPlan, body: &body::Body<'_>) -> Prepared {
    let lost = |target: &Target| {
        let invertible = target.op.op.row().undone_by.is_some();
        let integer = target.elem.is_some_and(|elem| !elem.is_float());
        matches!(target.memory, Memory::Bins(_)) && !(invertible && integer)
    };
    if !plan.pure || !targets(plan).iter().any(lost) {
        return Prepared::Nothing;
    }
    // Nested loops are not checked several iterations at a time.
    let flat = dimensions(plan) == 1;
    let checked = flat && work(plan).is_some();
    let nanoseconds = work::checking(&plan.ir) * unrolled(plan).unwrap_or(1) as f64;
    let split = dimensions(plan) == plan.iterations.len();
    if split && work(plan).is_some() && straight::is_straight(&plan.ir) {
        Prepared::Straight
    } else if checked && nanoseconds < RACE {
        Prepared::Rehearsal(nanoseconds)
    } else if body.is_faithful() {
        Prepared::Journal
    } else if checked {
        Prepared::Rehearsal(nanoseconds)
    } else {
        Prepared::Nothing
    }
}

/// From how many nanoseconds for an iteration on a check of its indices is no better than a journal: it is a loop then that the compiler
/// does not do several iterations of at a time.
const RACE: f64 = 0.5;

/// How many updates of bins the body has.
fn bin_sites(plan: &LoopPlan) -> usize {
    let targets = targets(plan).iter();
    targets
        .filter(|t| matches!(t.memory, Memory::Bins(_)))
        .map(|t| t.sites)
        .sum()
}

fn targets(plan: &LoopPlan) -> &[Target] {
    let Pattern::Histogram(histogram) = &plan.pattern;
    &histogram.targets
}

/// Whether no two iterations update the same bin of any array.
fn is_injective(plan: &LoopPlan) -> bool {
    let mut bins = targets(plan)
        .iter()
        .filter(|t| matches!(t.memory, Memory::Bins(_)))
        .peekable();
    bins.peek().is_some() && bins.all(|t| t.injective.is_some())
}

/// How many dimensions of the space are split. The bins of an injective loop are split by the outermost index, so the
/// outermost loop is; others are split as far as their dimensions can be looked at before the loop.
fn dimensions(plan: &LoopPlan) -> usize {
    if plan.crossed {
        return 2;
    }
    if is_injective(plan) || each::is_each(plan) {
        return 1;
    }
    let mut split = evaluated_early(&plan.iterations);
    while split > 1 && rounds(plan, &plan.iterations[split - 1]).is_some() {
        split -= 1;
    }
    split
}

/// How often the inner loops run that are not split although they could be, since they run so often in any case: the compiler unrolls them in
/// the body, as it does in the user's own.
fn unrolled(plan: &LoopPlan) -> Option<usize> {
    let inner = plan.iterations[dimensions(plan)..].iter();
    inner.map(|of| rounds(plan, of)).product()
}

/// The most rounds of an inner loop that is not split.
const FEW: usize = 16;

/// How often an inner loop over literal numbers, or the elements of an array, runs at most, if not often.
fn rounds(plan: &LoopPlan, of: &Iteration) -> Option<usize> {
    let Base::Range {
        start,
        end,
        inclusive,
    } = &of.chain.base
    else {
        return None;
    };
    let array = |e: &Expr| {
        let mut arrays = plan.arrays.iter();
        match &arrays.find(|array| value::same(&array.expr, e))?.shape {
            Shape::Array(_, len) => Some(len),
            _ => None,
        }
    };
    let number = |e: &Expr| match e {
        Expr::MethodCall(call) if call.method == "len" => space::literal(array(&call.receiver)?),
        e => space::literal(e),
    };
    let rounds = number(end)?.checked_sub(number(start)?)? + i64::from(*inclusive);
    let zipped = |adaptor: &Adaptor| matches!(adaptor, Adaptor::Zip(_));
    let rounds = usize::try_from(rounds).ok()?;
    (of.chain.adaptors.iter().all(zipped) && (1..=FEW).contains(&rounds)).then_some(rounds)
}

/// Whether a loop is compiled for levels of processors as well: nests, records of sums, and what combines into scalars alone, which the compiler makes vectors of. Bins wait for
/// their tables on every level.
fn gains_by_level(plan: &LoopPlan, space: &space::Space) -> bool {
    space.nested.is_some()
        || groups(plan).iter().any(|group| group.apart)
        || each::written::bins(plan).next().is_none()
}

/// Why a loop stays as the user wrote it, where it does.
pub fn stays_in_order(plan: &LoopPlan) -> Option<String> {
    if each::is_each(plan) {
        return each::run(plan, &TokenStream::new(), None).err();
    }
    body::Body::new(plan).err()
}

/// The expression that takes the loop's place, of type `()`. `path` leads to the loop's `static`.
///
/// # Errors
///
/// Why the loop's updates cannot be redirected; it stays as the user wrote it then.
pub fn run(
    plan: &LoopPlan,
    path: &TokenStream,
    left: Option<&TokenStream>,
) -> Result<TokenStream, String> {
    if each::is_each(plan) {
        return each::run(plan, path, left);
    }
    let body = body::Body::new(plan)?;
    let space = space::Space::new(plan);
    let rt = quote!(::accrue::__rt::cpu);
    let source = &space.source;
    let members = members(plan, &body);
    let checks = checks(plan);
    let lengths = body.lengths();
    let drive = drive(plan, &space, body.step());
    let kernel = quote!(|__accrue_drive| { #drive });
    let exact = exact(plan, &body, &space);
    let none = quote!(|_| {});
    let ahead = body.ahead().map(|step| {
        let ahead = self::drive(plan, &space, step);
        quote!(|__accrue_drive| if (&__accrue_drive).is_ahead() { #ahead } else { #drive })
    });
    let [check, journal] = match prepared(plan, &body) {
        Prepared::Nothing => [&none, &none],
        Prepared::Straight => [&kernel, &none],
        Prepared::Rehearsal(..) => [ahead.as_ref().unwrap_or(&kernel), &none],
        Prepared::Journal => [&none, &kernel],
    };
    let advance = match is_injective(plan) {
        true => quote!(advance_injective(#members, #kernel, #kernel, #check, #journal)),
        // Plain tables have two.
        false if gains_by_level(plan, &space) => {
            quote!(advance_newer(#members, #kernel, #kernel, #kernel, #kernel, #kernel, #check, #journal))
        }
        false => quote!(advance(#members, #kernel, #kernel, #kernel, #check, #journal)),
    };
    let confirmed = crate::confirm::confirmed(plan).map(|names| quote!(.confirmed(#names)));
    let (items, alike) = alike(plan).unzip();
    // In a loop that goes in order it may be so short that all else is felt.
    let brief = (plan.repeated && each::written::may_run(plan)).then(|| {
        let quick = quote!(#rt::Site::is_quick(&#path));
        let each = quote!(#rt::Each::new(&#path, #rt::Source::len(&__accrue_source)).quick(#quick));
        each::written::in_order(plan, source, &each, &quote!(soon_done))
    });
    let run = quote! {
        match #source {
            __accrue_source => {
                #lengths
                #items
                let mut __accrue_run = #rt::Run::new(&#path, #rt::Source::len(&__accrue_source)) #confirmed #alike;
                while let ::core::option::Option::Some(__accrue_range) =
                    (&mut __accrue_run).#advance
                {
                    #exact
                }
            }
        }
    };
    let run = match brief {
        Some(brief) => quote!(#brief { #run }),
        None => run,
    };
    Ok(quote!(#checks #run))
}

/// The byte of an item that each update depends on, where items have several.
fn columns(plan: &LoopPlan) -> Option<Vec<Vec<u8>>> {
    is_alike(plan)
        .then(|| columns::columns(&plan.ir, targets(plan).len()))
        .flatten()
}

/// Whether a body may run once for each value of the items, as far as the macro sees.
fn is_alike(plan: &LoopPlan) -> bool {
    let alone = dimensions(plan) == 1 && plan.iterations[0].chain.adaptors.is_empty();
    plan.pure && alone && !is_injective(plan)
}

/// What rustc is asked of the source: by which values items are alike, where the body may run once for each of them. Positions are alike by what is read there, where
/// that is all.
fn alike(plan: &LoopPlan) -> Option<(Option<TokenStream>, TokenStream)> {
    is_alike(plan).then(|| {
        let along = along::alone(plan);
        let of = match along {
            Some(_) => quote!(__accrue_items),
            None => quote!(__accrue_source),
        };
        let items = along.map(
            |array| quote!(let __accrue_items = ::accrue::__rt::cpu::at(&__accrue_source, #array);),
        );
        let alike = quote! {
            .alike({
                use ::accrue::__rt::cpu::{AskKeys as _, AskNoKeys as _};
                (&&::accrue::__rt::Seen::<(), _>::new(&#of)).__accrue_keys()
            })
        };
        (items, alike)
    })
}

/// What rustc is asked of the memory that is written: whether its elements are those that the user's `h[i]` means.
fn checks(plan: &LoopPlan) -> TokenStream {
    let Pattern::Histogram(roles) = &plan.pattern;
    let filled = roles.filled.iter().map(|filled| &filled.array);
    let owned = roles.owned.iter().chain(filled);
    let owned = owned.map(|id| &plan.arrays[id.0 as usize].expr);
    let bins = targets(plan).iter().zip(&plan.targets);
    let bins = bins.filter(|(target, _)| matches!(target.memory, Memory::Bins(_)));
    let places: Vec<&Expr> = owned.chain(bins.map(|(_, syntax)| &syntax.expr)).collect();
    let methods = methods::checks(plan, &places);
    let checks = places.into_iter().map(|expr| {
        let span = expr.span().resolved_at(Span::call_site());
        quote_spanned! { span=>
            ::accrue::__rt::bins((&&&&&::accrue::__rt::Seen::<(), _>::new(&(#expr))).__accrue_bins());
        }
    });
    quote! {
        let _ = || {
            use ::accrue::__rt::{
                AskBins as _, AskForwardingBehind as _, AskForwardingBins as _, AskOther as _,
                AskOwnIndex as _, AskOwnIndexBehind as _,
            };
            #(#checks)*
        };
        #methods
    }
}

/// `(first, (second, ()))`: the memory that is updated, with its operators.
fn members(plan: &LoopPlan, body: &body::Body<'_>) -> TokenStream {
    let checked = checked();
    let members = targets(plan).iter().zip(&plan.targets).enumerate();
    let members = members.map(|(n, (target, syntax))| {
        let expr = &syntax.expr;
        // Where rustc finds that they are no bins, it says so there.
        let span = expr.span().resolved_at(Span::call_site());
        let op = operator(target.op);
        let make = match target.memory {
            Memory::Scalar(_) => {
                let make = quote!(::accrue::__rt::cpu::scalar::<#checked, _, _>);
                let member = quote!(#make(&mut (#expr), #op));
                return match target.elem {
                    Some(_) => member,
                    None => known(
                        span,
                        &format_ident!("scalar"),
                        &quote!(&mut (#expr)),
                        &op,
                        &make,
                    ),
                };
            }
            Memory::Bins(_) => match body.depth(n) {
                1 => format_ident!("bins"),
                depth => format_ident!("bins{depth}"),
            },
        };
        // The constants of the shape are inferred like the types.
        let shape = (1..body.depth(n)).map(|_| quote!(, _));
        if let Some(array) = array_place(syntax, body.depth(n)) {
            let make = format_ident!("{make}_array");
            let path =
                quote_spanned!(span=> ::accrue::__rt::cpu::#make::<#checked, _, _ #(#shape)*, _>);
            return match target.elem {
                Some(_) => quote_spanned!(span=> #path(#array, #op)),
                None => known(span, &make, &array, &op, &path),
            };
        }
        let path = quote_spanned!(span=> ::accrue::__rt::cpu::#make::<#checked, _, _ #(#shape)*>);
        let bins = quote_spanned!(span=> &mut (#expr)[::accrue::__rt::ALL]);
        match target.elem {
            Some(_) => quote_spanned!(span=> #path(#bins, #op)),
            None => known(span, &make, &laid::bins(expr, body.depth(n)), &op, &path),
        }
    });
    let members = match is_turned(plan) {
        true => members
            .map(|member| quote!(::accrue::__rt::cpu::turned(#member)))
            .collect(),
        false => members.collect(),
    };
    grouped(
        plan,
        members,
        |indices, arrays| quote!(::accrue::__rt::cpu::together::<#indices, _>(#arrays)),
    )
}

/// Whether private tables have their columns one behind the other.
fn is_turned(plan: &LoopPlan) -> bool {
    let all =
        dimensions(plan) == plan.iterations.len() && targets(plan).iter().all(|t| t.elem.is_some());
    all && plan.pure
        && !is_injective(plan)
        && groups(plan).is_empty()
        && turned::is_turned(&plan.ir)
}

/// A list with an item for each target. Arrays that are updated at the same places are one item: a list of theirs, of which something is made.
fn grouped(
    plan: &LoopPlan,
    items: Vec<TokenStream>,
    make: impl Fn(usize, TokenStream) -> TokenStream,
) -> TokenStream {
    let mut rest = items;
    for group in groups(plan).into_iter().rev() {
        let behind = rest.split_off(group.targets.end);
        let arrays = list(rest.split_off(group.targets.start));
        rest.push(make(group.indices, arrays));
        rest.extend(behind);
    }
    list(rest)
}

/// The arrays that are updated at the same places and may have records.
fn groups(plan: &LoopPlan) -> Vec<records::Together> {
    let mut groups = match is_injective(plan) {
        true => Vec::new(),
        false => records::together(&plan.ir, targets(plan)),
    };
    // Whether records are worth it depends on the bins' lengths, which the types have to say.
    let has_length = |syntax: &TargetSyntax| matches!(syntax.shape, Shape::Array(..));
    groups.retain(|group| plan.targets[group.targets.clone()].iter().all(has_length));
    groups
}

/// A target of a type that the macro does not know, as `make` makes it where rustc finds that it has the operator; else the error is said at `span`, once.
/// `shape` is what the runtime calls such memory.
fn known(
    span: Span,
    shape: &Ident,
    place: &TokenStream,
    op: &TokenStream,
    make: &TokenStream,
) -> TokenStream {
    quote_spanned! { span=>
        {
            use ::accrue::__rt::cpu::known::{AskKnown as _, AskLacks as _, AskNoNumber as _, AskReference as _};
            (&&&::accrue::__rt::cpu::known::#shape(#place, #op)).__accrue_known().told()
                .with(|__accrue_place, __accrue_op| #make(__accrue_place, __accrue_op))
        }
    }
}

/// A collection that the loop appends to, as a reference; where rustc finds that the place is none, it says so once.
pub fn collection(place: &Expr) -> TokenStream {
    let span = place.span().resolved_at(Span::call_site());
    quote_spanned! { span=>
        {
            #[allow(unused_imports)]
            use ::accrue::__rt::cpu::grown::{
                AskBehind as _, AskFarBehind as _, AskItself as _, AskNone as _, Asks as _,
            };
            ::accrue::__rt::cpu::grown::collection((&&&&(#place).__accrue_asked()).__accrue_collection())
        }
    }
}

/// A target as `&mut [T; N]`, or as one of arrays, where the macro sees that it is one: its length is then known to the
/// tables' loops.
fn array_place(syntax: &TargetSyntax, depth: usize) -> Option<TokenStream> {
    /// Whether there are so many arrays in each other and no more.
    fn are_arrays(shape: &Shape, depth: usize) -> bool {
        match shape {
            Shape::Array(elem, _) => depth > 0 && are_arrays(elem, depth - 1),
            _ => depth == 0,
        }
    }
    let seen = are_arrays(&syntax.shape, depth);
    let expr = &syntax.expr;
    match syntax.by_reference {
        Some(true) if seen => Some(quote!(&mut *(#expr))),
        Some(false) if seen => Some(quote!(&mut (#expr))),
        _ => None,
    }
}

/// Nested pairs of what the runtime takes as a list.
fn list(items: Vec<TokenStream>) -> TokenStream {
    items
        .into_iter()
        .rev()
        .fold(quote!(()), |rest, item| quote!((#item, #rest)))
}

/// Whether the user's crate checks overflow, as a const argument.
///
/// `cfg!(overflow_checks)` is not stable. A macro runs inside of rustc, though, whose arguments say it where it differs from
/// `debug_assertions`; both are printed as they are for the crate that is being compiled.
pub fn checked() -> TokenStream {
    let flags: Vec<String> = std::env::args().collect();
    match overflow_checks(&flags) {
        Some(on) => quote!({ #on }),
        None => quote!({ ::core::cfg!(debug_assertions) }),
    }
}

/// What the last `-C overflow-checks` of a command line says.
fn overflow_checks(args: &[String]) -> Option<bool> {
    let mut options = args.iter().enumerate().filter_map(|(i, arg)| {
        let option = arg
            .strip_prefix("-Coverflow-checks")
            .or_else(|| arg.strip_prefix("--codegen=overflow-checks"));
        option.or_else(|| {
            let before = args.get(i.checked_sub(1)?)?;
            (before == "-C" || before == "--codegen")
                .then(|| arg.strip_prefix("overflow-checks"))
                .flatten()
        })
    });
    let last = options.next_back()?;
    Some(!matches!(last, "=off" | "=no" | "=n" | "=false"))
}

/// The operator as a value of the runtime's type for it.
fn operator(op: UpdateOp) -> TokenStream {
    // The types are called as the operators; of two signs there is one.
    let name = match op.two_signs {
        true => "AddSub".to_string(),
        false => format!("{:?}", op.op),
    };
    let name = format_ident!("{name}");
    let plain = quote!(::accrue::__rt::cpu::op::#name);
    match op.overflow {
        Overflow::Profile => plain,
        Overflow::Wraps => quote!(::accrue::__rt::cpu::op::Wrapping(#plain)),
    }
}

/// The user's own copy of the body is the one that lints are about; this is for the others.
fn unlinted() -> TokenStream {
    quote! {
        #[allow(
            unused_variables,
            unused_mut,
            unused_assignments,
            unused_parens,
            unused_braces,
            unused_labels,
            unreachable_code,
            clippy::all
        )]
    }
}

/// The body as a step over items, for the closure that a run calls for a part of the iteration space. Captured scalars come to it by
/// value: behind a reference, every store to a table might have changed them.
fn drive(plan: &LoopPlan, space: &space::Space, step: &Block) -> TokenStream {
    let tables = (0..plan.targets.len()).map(|n| {
        let name = body::table_name(n);
        quote!(#name)
    });
    let tables = grouped(plan, tables.collect(), |_, arrays| arrays);
    let scalars = plan.captures.iter().filter_map(|c| c.scalar.as_ref());
    let scalars = list(scalars.map(|name| quote!(#name)).collect());
    let (label, pat) = (&space.label, &space.pat);
    let (source, item) = (&space.kernel_source, &space.item);
    let drive = match work(plan) {
        Some(_) => format_ident!("drive"),
        None => format_ident!("drive_uneven"),
    };
    let along = work(plan).and_then(|_| Along::new(plan, step));
    let step = along.as_ref().map_or(step, |along| &along.step);
    let cut = along.as_ref().map_or(&[][..], |along| &along.cut);
    let slices = cut.iter().map(|cut| list(cut.slices.clone()));
    let names = cut.iter().map(|cut| {
        let names = cut.names.iter().map(|name| quote!(#name));
        list(names.collect())
    });
    let (drive, slices, along) = match cut {
        [] => (quote!(#drive), quote!(), quote!()),
        [_] => (
            quote!(drive_along),
            quote!(#(#slices,)*),
            quote!(#(#names,)*),
        ),
        cut => {
            let read = cut.iter().map(|cut| match cut.names[..] {
                [] => quote!(::accrue::__rt::cpu::Anywhere),
                _ => quote!(::accrue::__rt::cpu::At),
            });
            let slices = quote!(#((#read, #slices),)*);
            (quote!(drive_across), slices, quote!((#(#names),*),))
        }
    };
    let fetched = match work(plan) {
        Some(_) => Vec::new(),
        None => fetched::fetched(plan),
    };
    let (drive, ahead) = match &fetched[..] {
        [] => (drive, None),
        arrays => {
            let rt = quote!(::accrue::__rt::cpu);
            let ahead = quote!(|__accrue_item| { #(#rt::fetch(#arrays, __accrue_item);)* },);
            (quote!(drive_fetching), Some(ahead))
        }
    };
    let unlinted = unlinted();
    quote! {
        #unlinted
        {
            __accrue_drive.#drive(&#source, #slices #ahead #scalars, |__accrue_item, #tables, #along #scalars| {
                let mut __accrue_next = ::core::option::Option::Some(#item);
                #label loop {
                    // As a path: a trait of the user's may have a `take` too.
                    let ::core::option::Option::Some(#pat) = ::core::option::Option::take(&mut __accrue_next)
                    else {
                        break ::accrue::__rt::cpu::NoWayOut;
                    };
                    #step
                }
            });
        }
    }
}

/// The user's own loop over a part of the iteration space, as a closure that the runtime makes a function of. What it iterates over
/// and the first bins are this function's parameters, as they are the user's function's: references that are parameters are known
/// not to overlap. Scalars are copied around the loop, so that they are in registers inside and keep their value if it
/// panics.
fn exact(plan: &LoopPlan, body: &body::Body<'_>, space: &space::Space) -> TokenStream {
    let scalars: Vec<_> = targets(plan)
        .iter()
        .zip(&plan.targets)
        .filter(|(target, _)| matches!(target.memory, Memory::Scalar(_)))
        .filter_map(|(_, syntax)| body::copied_scalar(&syntax.expr))
        .collect();
    let copies: Vec<_> = scalars.iter().map(|s| &s.copy).collect();
    let (values, places): (Vec<_>, Vec<_>) = scalars.iter().map(|s| (&s.value, &s.place)).unzip();
    let names: Vec<_> = (0..scalars.len())
        .map(|n| format_ident!("__accrue_scalar_{n}"))
        .collect();
    // A `()` at a block's end is what clippy would tell the user of.
    let values = (!values.is_empty()).then(|| quote!((#(#values,)*)));
    let rt = quote!(::accrue::__rt::cpu);
    let source = &space.source;
    let whole = quote!(#rt::Source::apart(&__accrue_source));
    let halves = quote! {(
        #rt::Source::apart(#rt::Pairs::outer(&__accrue_source)),
        #rt::Source::apart(#rt::Pairs::inner(&__accrue_source)),
    )};
    let range = quote!(::core::clone::Clone::clone(&__accrue_range));
    // Made again in the function where it tells something: in `0..keys.len()` the compiler then sees that `keys[i]` needs no check.
    let (given, taken, made) = match (&space.nested, space.again) {
        (None, true) => (
            quote!(()),
            quote!(()),
            quote! {
                let __accrue_source = #source;
                let __accrue_own = #whole;
                let __accrue_own = #rt::Source::part(&__accrue_own, __accrue_range);
            },
        ),
        (None, false) => (
            quote!(#rt::Source::stretch(&__accrue_source, #range)),
            quote!(__accrue_own),
            quote!(let __accrue_own = ::core::iter::IntoIterator::into_iter(__accrue_own);),
        ),
        (Some(_), true) => (
            quote!(()),
            quote!(()),
            quote! {
                let __accrue_source = #source;
                let __accrue_own = #halves;
            },
        ),
        (Some(_), false) => (halves, quote!(__accrue_own), quote!()),
    };
    let [(given_a, taken_a), (given_b, taken_b)] = parameters(plan, body);
    let attempt = |rows| {
        quote! {
            (&mut __accrue_run).attempt(
                #range,
                (#given, #given_a, #given_b),
                |__accrue_done, #taken, #taken_a, #taken_b| {
                    #made
                    #(#copies)*
                    #rows
                    #values
                },
            )
        }
    };
    let scalars = match &space.nested {
        None => attempt(flat(body, space)),
        Some(nested) => {
            let [all, part] = rows(body, space, nested).map(attempt);
            quote! {
                if ::core::iter::ExactSizeIterator::len(&__accrue_range) == #rt::Source::len(&__accrue_source) { #all } else { #part }
            }
        }
    };
    quote! {
        let __accrue_scalars = #scalars;
        if let ::core::option::Option::Some((#(#names,)*)) = __accrue_scalars {
            #(#places = #names;)*
        }
    }
}

/// The bins that the function of the user's own loop gets as parameters: what they are, and their names in it. Only those that
/// have one.
fn parameters(plan: &LoopPlan, body: &body::Body<'_>) -> [(TokenStream, TokenStream); 2] {
    let members = targets(plan).iter().zip(&plan.targets).enumerate();
    let mut named = members.filter_map(|(n, (target, syntax))| {
        let Expr::Path(path) = &syntax.expr else {
            return None;
        };
        let name = path.path.get_ident()?;
        let given = array_place(syntax, body.depth(n))
            .unwrap_or_else(|| quote!(&mut (#name)[::accrue::__rt::ALL]));
        matches!(target.memory, Memory::Bins(_)).then(|| (given, quote!(#name)))
    });
    std::array::from_fn(|_| named.next().unwrap_or_else(|| (quote!(()), quote!(()))))
}

/// The loop itself.
fn flat(body: &body::Body<'_>, space: &space::Space) -> TokenStream {
    let (label, pat) = (&space.label, &space.pat);
    let statements = &body.exact().stmts;
    quote! {
        #label for #pat in (&*__accrue_done).items(__accrue_own) {
            __accrue_done.begin();
            #(#statements)*
        }
    }
}

/// Nested loops that are split: all of both, and a part. All is the usual case, and as the user wrote it the compiler knows where a row begins.
/// They are functions apart: beside the other one, jumps to where an index panics would be long ones.
fn rows(
    body: &body::Body<'_>,
    space: &space::Space,
    (outer, inner): &(Pat, Pat),
) -> [TokenStream; 2] {
    let rt = quote!(::accrue::__rt::cpu);
    let label = &space.label;
    let statements = &body.exact().stmts;
    let unlinted = unlinted();
    let halves = quote! {
        let (__accrue_outer, __accrue_inner) = &__accrue_own;
        let __accrue_width = #rt::Source::len(__accrue_inner);
    };
    let all = quote! {
        #halves
        let __accrue_height = #rt::Source::len(__accrue_outer);
        for #outer in #rt::Source::part(__accrue_outer, 0..__accrue_height) {
            #label for #inner in #rt::Source::part(__accrue_inner, 0..__accrue_width) {
                __accrue_done.count();
                #(#statements)*
            }
        }
    };
    let part = quote! {
        #halves
        #unlinted
        for (#outer, __accrue_row) in #rt::rows(__accrue_outer, __accrue_width, __accrue_range) {
            #label for #inner in #rt::Source::part(__accrue_inner, __accrue_row) {
                __accrue_done.count();
                #(#statements)*
            }
        }
    };
    [all, part]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_overflow_flag_of_a_command_line_counts() {
        let flag = |text: &str| {
            let args: Vec<String> = text.split(' ').map(str::to_owned).collect();
            overflow_checks(&args)
        };
        assert_eq!(flag("rustc --crate-name x -C opt-level=3"), None);
        assert_eq!(flag("rustc -C overflow-checks=on"), Some(true));
        assert_eq!(flag("rustc -C overflow-checks"), Some(true));
        assert_eq!(
            flag("rustc -Coverflow-checks=yes -C overflow-checks=off"),
            Some(false)
        );
        assert_eq!(flag("rustc --codegen overflow-checks=n"), Some(false));
    }
}
