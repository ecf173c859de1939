//! The loop as it is written, which runs where it goes in order anyhow.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, parse_quote};

use super::body::{closures, lends, room, rooms};
use super::{by_level, in_registers, is_source, of_body, read_slices, with};
use crate::emit_cpu::along::Bound;
use crate::emit_cpu::value::same;
use crate::emit_cpu::{collection, space, unlinted};
use crate::ir::{self, Memory, Pattern};
use crate::parsed::{iteration, once};
use crate::plan::LoopPlan;
use crate::syntax::names::{identifiers, root_of};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{ArraySyntax, Shape, without_parens};

/// Whether nobody sees what a panic leaves behind but for elements: what is combined into is a local of the function.
pub(in crate::emit_cpu) fn may_run(plan: &LoopPlan) -> bool {
    let Pattern::Histogram(roles) = &plan.pattern;
    let local = |place: &Expr| matches!(place, Expr::Path(_));
    let kept = plan.best.iter().flat_map(|best| &best.places);
    let targets = plan.targets.iter().map(|syntax| &syntax.expr);
    let mut all = kept.chain(&plan.carried).chain(&plan.grown).chain(targets);
    // Parts of inner headers are asked for in every round of it.
    let outermost = header(plan).to_token_stream();
    let mut names = Vec::new();
    identifiers(outermost, &mut names);
    all.all(local)
        && plan.once.iter().all(|once| names.contains(&once.name))
        && roles.distinct.is_empty()
        && !roles.best.iter().any(|best| best.ends)
        && plan
            .iterations
            .iter()
            .all(|of| space::is_repeatable(plan, &of.chain, true))
}

/// Runs it where the call, asked by the method `how`, goes in order; ends with the `else` of what runs otherwise.
pub(in crate::emit_cpu) fn in_order(
    plan: &LoopPlan,
    source: &TokenStream,
    each: &TokenStream,
    how: &TokenStream,
) -> TokenStream {
    let rt = quote!(::accrue::__rt::cpu);
    let held: Vec<_> = plan.grown.iter().chain(bins(plan)).collect();
    let lent = (!held.is_empty()).then(|| quote!(use #rt::Lent as _;));
    let run = run(plan);
    let rooms = rooms(plan, &quote!(__accrue_told.items()));
    quote! {
        #lent
        if #(#rt::Held(&#held).is_own() &&)* let ::core::option::Option::Some(__accrue_told) = (match #source { __accrue_source => #each }).#how() {
            #rooms
            #run
            __accrue_told.ended();
        } else
    }
}

/// Runs it, as a function of what it writes and reads: what other forms of the loop refer to would be looked up in memory by each iteration.
pub(in crate::emit_cpu) fn run(plan: &LoopPlan) -> TokenStream {
    let (written, mut arguments) = written(plan);
    arguments.extend(bins(plan).map(|place| (whole(place, true), quote!(#place))));
    let grown = plan.grown.iter();
    arguments.extend(grown.map(|name| (collection(name), quote!(#name))));
    // Before the level is chosen: calls that return slices are left calls there.
    let values: Vec<_> = (0..arguments.len())
        .map(|n| format_ident!("__accrue_argument_{n}"))
        .collect();
    let lets: Vec<_> = arguments
        .iter()
        .zip(&values)
        .map(|((value, _), name)| quote!(let #name = #value;))
        .collect();
    for ((value, _), name) in arguments.iter_mut().zip(&values) {
        *value = quote!(#name);
    }
    let unlinted = unlinted();
    let best = plan.best.iter().flat_map(|best| &best.places);
    let scalars: Vec<_> = best
        .chain(&plan.carried)
        .chain(targets(plan, false))
        .collect();
    let copied = in_registers(plan);
    if scalars.is_empty() {
        let run = with(&arguments, quote!(#unlinted #written));
        let run = by_level(quote!(#copied #run));
        return quote!((|| { #(#lets)* #run })(););
    }
    // Behind the closure's references they would be memory, and what is assigned there in some iterations a branch.
    let run = of_body(
        &arguments,
        quote! {
            #(let mut #scalars = #scalars;)*
            #unlinted #written
            (#(#scalars,)*)
        },
    );
    let run = by_level(quote!(#copied #run));
    quote! {
        #[allow(unused_mut, unused_assignments)]
        {
            (#(#scalars,)*) = (|| { #(#lets)* #run })();
        }
    }
}

/// The places of the bins.
pub(in crate::emit_cpu) fn bins(plan: &LoopPlan) -> impl Iterator<Item = &Expr> {
    targets(plan, true)
}

/// The places of what updates go to, bins or scalars.
fn targets(plan: &LoopPlan, bins: bool) -> impl Iterator<Item = &Expr> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let targets = plan.targets.iter().zip(&roles.targets);
    let targets =
        targets.filter(move |(_, target)| matches!(target.memory, Memory::Bins(_)) == bins);
    targets.map(|(syntax, _)| &syntax.expr)
}

/// Whether arrays are slices, and how many iterations there are is the length of one.
pub(super) fn sees_lengths(plan: &LoopPlan) -> bool {
    let arrays = plan.arrays.iter();
    let mut arrays = arrays.map(|of| matches!(of.shape, Shape::Slice(_)) && of.variable.is_some());
    let base = match &plan.iterations[0].chain.base {
        iteration::Base::Range { end, .. } => {
            matches!(end, Expr::MethodCall(call) if call.method == "len")
        }
        iteration::Base::From(_) => false,
        _ => true,
    };
    base && arrays.all(|is_slice| is_slice)
}

/// The loop as it is written, as a function of slices: those of what it writes and reads.
fn written(plan: &LoopPlan) -> (Expr, Vec<(TokenStream, TokenStream)>) {
    let Pattern::Histogram(roles) = &plan.pattern;
    let filled = roles.filled.iter().map(|filled| filled.array);
    let owned = roles.owned.iter().copied().chain(filled);
    let owned = owned.map(|id| &plan.arrays[id.0 as usize]);
    let unknown = |array: &&ArraySyntax| matches!(array.shape, Shape::Unknown);
    let owned = owned.filter(|array| {
        // What it iterates over may be a `Vec`, which a slice stands for in methods alone.
        !is_source(plan, &array.expr)
            || matches!(array.shape, Shape::Slice(_))
            || named(array).is_some_and(|name| has_methods_called(&plan.syntax.expr, name))
    });
    let owned = owned.filter_map(|array| {
        variable(array).or_else(|| Some(array).filter(unknown).and_then(named))
    });
    let owned = owned.map(|name| (whole(name, true), quote!(#name)));
    let slices = read_slices(plan).map(|name| (quote!(&*#name), quote!(#name)));
    let mut arguments: Vec<_> = owned.chain(slices).collect();
    // Of a `Vec` that it reads, which may be used as such as well, where it indexes it.
    let mut written = plan.syntax.clone();
    if !plan.once.is_empty() {
        *written.expr = header(plan);
    }
    let bound = Bound::of(&written.pat, &written.body);
    let fields = roles.owned.iter().map(|id| &plan.arrays[id.0 as usize]);
    let is_field = |e: &Expr| matches!(without_parens(e), Expr::Field(_));
    let fields = fields.filter(|array| {
        is_field(&array.expr) && variable(array).is_none() && !is_source(plan, &array.expr)
    });
    for (n, array) in fields.enumerate() {
        let slice = format_ident!("__accrue_field_{n}");
        let is_bound = |root| bound.names.contains(root);
        if !root_of(&array.expr).is_none_or(is_bound)
            && let Some(lent) = lent(&written, &array.expr, &slice)
        {
            written = lent;
            arguments.push((whole(&array.expr, true), quote!(#slice)));
        }
    }
    let read = plan.ir.arrays.iter().zip(&plan.arrays);
    let read = read.filter(|(of, _)| of.access == ir::Access::Read);
    let vectors = read.filter_map(|(_, syntax)| match syntax.shape {
        Shape::Vec(_) => variable(syntax).map(|name| (name, whole(name, false))),
        // What it is rustc knows.
        Shape::Unknown | Shape::Elem(_) => named(syntax).map(|name| {
            let slice = quote_spanned!(name.span().resolved_at(proc_macro2::Span::call_site())=> {
                #[allow(unused_imports)]
                use ::accrue::__rt::cpu::AnyArray as _;
                ::accrue::__rt::cpu::Array(&#name).whole()
            });
            (name, slice)
        }),
        _ => None,
    });
    let vectors = vectors.filter(|(name, _)| !bound.names.contains(name));
    for (n, (name, whole)) in vectors.enumerate() {
        let slice = format_ident!("__accrue_array_{n}");
        if Indexed(name, &slice).replace(&mut written) {
            arguments.push((whole, quote!(#slice)));
        }
    }
    room(plan, &mut written.body);
    lends(bins(plan), &mut written.body);
    closures(&mut written.body);
    (Expr::ForLoop(written), arguments)
}

/// What it iterates over, of which parts have names before it: they are evaluated once.
fn header(plan: &LoopPlan) -> Expr {
    once::expression(&plan.iterations[0].chain)
}

/// The variable of an array that lies behind a pointer.
fn variable(array: &ArraySyntax) -> Option<&Ident> {
    let is_vec = matches!(array.shape, Shape::Vec(_));
    let of_vec = || named(array).filter(|_| is_vec);
    array.variable.as_ref().or_else(of_vec)
}

/// The name that an array is.
fn named(array: &ArraySyntax) -> Option<&Ident> {
    match without_parens(&array.expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// Whether an expression does nothing with a variable but call methods of it.
fn has_methods_called(e: &Expr, name: &Ident) -> bool {
    struct Receivers<'a>(&'a Ident, usize);
    impl<'a> Visit<'a> for Receivers<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            if let visit::Node::Expr(Expr::MethodCall(call)) = node {
                self.1 += usize::from(space::is_at(&call.receiver, self.0));
            }
            node.parts(self);
        }
    }
    let mut receivers = Receivers(name, 0);
    receivers.visit_expr(e);
    let mut mentioned = Vec::new();
    identifiers(e.to_token_stream(), &mut mentioned);
    mentioned.iter().filter(|other| *other == name).count() == receivers.1
}

/// An array as a slice.
fn whole(array: &impl ToTokens, changed: bool) -> TokenStream {
    let span = array.span().resolved_at(proc_macro2::Span::call_site());
    let changed = changed.then(|| quote!(mut));
    quote_spanned!(span=> &#changed (#array)[::accrue::__rt::ALL])
}

/// The loop with a name for a field, if it uses that and what it is part of for nothing else: then the field may be lent to it.
fn lent(of: &ExprForLoop, field: &Expr, name: &Ident) -> Option<ExprForLoop> {
    struct Rename<'a>(&'a Expr, &'a Ident);
    impl VisitMut for Rename<'_> {
        fn visit(&mut self, node: visit_mut::Node<'_>) {
            match node {
                visit_mut::Node::Expr(e) if same(e, self.0) => {
                    let name = self.1;
                    *e = parse_quote!(#name);
                }
                _ => node.parts(self),
            }
        }
    }
    struct Others<'a>(&'a Expr, bool);
    impl<'a> Visit<'a> for Others<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) if is_place(e) => self.1 |= is_part(self.0, e),
                visit::Node::Macro(mac) => {
                    let mut mentioned = Vec::new();
                    identifiers(mac.tokens.clone(), &mut mentioned);
                    let root = root_of(self.0);
                    self.1 |= root.is_some_and(|root| mentioned.contains(root));
                }
                _ => node.parts(self),
            }
        }
    }
    let mut renamed = of.clone();
    Rename(field, name).visit_expr_for_loop_mut(&mut renamed);
    let mut others = Others(field, false);
    others.visit_expr_for_loop(&renamed);
    (!others.1).then_some(renamed)
}

/// Whether an expression is a variable or a field of one.
fn is_place(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Field(of) => is_place(&of.base),
        e => matches!(e, Expr::Path(_)),
    }
}

/// Whether a field is a part of another place, or that place.
fn is_part(field: &Expr, of: &Expr) -> bool {
    same(field, of)
        || matches!(without_parens(field), Expr::Field(field) if is_part(&field.base, of))
}

/// A variable, and another one for it where it is indexed.
struct Indexed<'a>(&'a Ident, &'a Ident);

impl Indexed<'_> {
    fn replace(self, of: &mut syn::ExprForLoop) -> bool {
        struct Places<'a>(Indexed<'a>, bool);
        impl VisitMut for Places<'_> {
            fn visit(&mut self, node: visit_mut::Node<'_>) {
                match node {
                    visit_mut::Node::Expr(e) => {
                        if let Expr::Index(index) = e
                            && space::is_at(&index.expr, self.0.0)
                        {
                            let mut slice = self.0.1.clone();
                            slice.set_span(self.0.0.span().resolved_at(slice.span()));
                            *index.expr = parse_quote!(#slice);
                            self.1 = true;
                        }
                        visit_mut::visit_expr_mut(self, e);
                    }
                    _ => node.parts(self),
                }
            }
        }
        let mut places = Places(self, false);
        places.visit_block_mut(&mut of.body);
        places.1
    }
}
