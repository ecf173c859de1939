//! Loops whose iterations write elements of their own: the user's own loop over a part of the iteration space, with
//! other things under the names of what it writes.
//!
//! An owned array's name stands for an `Own`, from which the body gets the elements that it indexes; a scalar that it combines into for a
//! local one, and bins for bins of the worker's. So the user's body is printed once, as it is. Where what it writes is not a variable but a
//! field, `self.cells[i]`, the field's tokens are replaced by a variable's. What the runtime does is in `accrue`'s `cpu::each`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Pat, PatIdent};

use super::value::same;
use super::walks::{Walks, walked};
use super::{checks, claims, list, space, terms, unlinted};
use crate::guard;
use crate::ir::{self, ArrayId, Memory, Pattern, UpdateOp};
use crate::parsed::iteration;
use crate::plan::LoopPlan;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Shape, names};

mod body;
mod crossed;
mod jammed;
mod keyed;
mod moved;
mod parts;
mod products;
pub(super) mod written;

use body::{closures, lends, puts, room, rooms, takes};
use jammed::Jam;
use parts::Parts;
use products::Products;

/// Whether the user's own body runs: iterations write elements of their own, or keep the best item, or updates cannot be redirected.
pub(super) fn is_each(plan: &LoopPlan) -> bool {
    let Pattern::Histogram(roles) = &plan.pattern;
    plan.as_written
        || !roles.owned.is_empty()
        || !roles.best.is_empty()
        || !roles.carried.is_empty()
}

/// The expression that takes the loop's place.
///
/// # Errors
///
/// Why it has to stay in order.
pub(super) fn run(
    plan: &LoopPlan,
    path: &TokenStream,
    left: Option<&TokenStream>,
) -> Result<TokenStream, String> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let rt = quote!(::accrue::__rt::cpu);
    let mut form = Form::of(plan)?;
    let walks = match form.products {
        Some(_) => None,
        None => Walks::new(plan, &form.body, &form.parts.own),
    };
    let whole = walks.is_none() && form.products.is_none();
    let crossed = whole.then(|| crossed::crossed(plan)).flatten();
    let plan = crossed.as_ref().unwrap_or(plan);
    if plan.crossed {
        form = Form::of(plan)?;
    }
    let source = &form.space.source;
    let confirmed = crate::confirm::confirmed(plan).map(|names| quote!(.confirmed(#names)));
    let guard = match &plan.grid {
        Some(grid) if plan.crossed => &grid.guard,
        _ => &roles.guard,
    };
    let guard = match guard {
        Some(guard) => Some(guard::holds(plan, guard, &length)?),
        None => None,
    };
    let apart = guard.as_ref().map(|_| quote!(.apart(__accrue_apart)));
    let only = left.map(|left| quote!(.only(#left)));
    // Where the loop is likely to be short it is not asked whether iterations keep apart: it goes in order then.
    let as_written = written::may_run(plan);
    let quick = match as_written || form.terms.is_none() {
        true => quote!(let __accrue_quick = #rt::Site::is_quick(&#path);),
        false => quote!(let __accrue_quick = false;),
    };
    let guard = guard.map(
        |guard| quote!(let __accrue_apart: ::core::primitive::bool = !__accrue_quick && #guard;),
    );
    let checks = checks(plan);
    let wraps = form.wraps();
    let grows = (!plan.grown.is_empty()).then(|| quote!(use #rt::Grows as _;));
    let groups = keyed::holds(plan);
    // What walks know of indices the loop as it is written only does where rustc sees how long arrays are.
    let learns =
        as_written && form.products.is_none() && (walks.is_none() || written::sees_lengths(plan));
    let timed = learns.then(|| quote!(.timed()));
    let in_order = match learns {
        true => Some(quote!(in_order)),
        // So short that all else is felt, but for indices that only walks see through.
        false => {
            let clamps = walks.as_ref().is_some_and(|walks| walks.clamps);
            let fused = form.products.as_ref().is_some_and(|of| of.fused);
            (as_written && plan.repeated && !clamps && !fused).then(|| quote!(soon_done))
        }
    };
    let few = form.products.as_ref().map(|_| quote!(.in_few_parts()));
    let each = quote!(#rt::Each::new(&#path, #rt::Source::len(&__accrue_source)) #confirmed #apart .quick(__accrue_quick) #few #only);
    let in_order = in_order.map(|how| written::in_order(plan, source, &each, &how));
    let call = match &form.terms {
        None => form.run(walks),
        Some(terms) => form.scan(terms, walks),
    };
    let (lengths, distinct) = form.claims().unzip();
    let (owns, lends) = (form.parts.handles.iter(), form.parts.slots.iter());
    let (owns, lends) = (owns.map(|(own, _)| own), lends.map(|(lend, _)| lend));
    let before = &form.parts.before;
    let each = quote! {
        #checks
        #wraps
        #grows
        #groups
        #quick
        #guard
        #in_order {
            match #source {
                __accrue_source => {
                    let __accrue_each = #each #timed;
                    #lengths
                    #(#before)*
                    #(#owns)*
                    #(#lends)*
                    #distinct
                    #call
                }
            }
        }
    };
    // Which iterations come before the one that fails, only the loop as it is written tells.
    let checked = plan.best.iter().flat_map(|best| &best.places);
    let checked = checked.filter_map(|place| match place {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    });
    let mut checked = checked.filter_map(|name| Some((name, crate::alias::at_of_checked(name)?)));
    Ok(match checked.next() {
        None => each,
        Some((leaves, at)) => quote! {
            if #rt::combined::fails(|| { #each }) {
                (#leaves, #at) = (true, 0);
            }
        },
    })
}

/// Whether parts of a loop walk by indices that are kept within bounds by methods.
pub(super) fn is_clamped(plan: &LoopPlan) -> bool {
    is_each(plan)
        && Form::of(plan).is_ok_and(|form| {
            let walks = Walks::new(plan, &form.body, &form.parts.own);
            walks.is_some_and(|walks| walks.clamps)
        })
}

/// A loop as parts run it.
struct Form<'a> {
    plan: &'a LoopPlan,
    parts: Parts<'a>,
    space: space::Space,
    /// The body, with other things under the names of what it writes.
    body: syn::Block,
    /// Of a product of matrices what stands around the sums.
    products: Option<Products>,
    /// What a part combines into what is carried, and what the iteration before it leaves to that.
    terms: Option<syn::Block>,
    /// Whether a part does nothing else.
    alone: bool,
    warming: Option<syn::Block>,
    /// Which elements a part claims of arrays that are `distinct`.
    claiming: Option<syn::Block>,
    /// Copies of what it reads.
    copied: TokenStream,
    /// The header of a part's loop; of two the second one's.
    looping: TokenStream,
}

impl<'a> Form<'a> {
    fn of(plan: &'a LoopPlan) -> Result<Self, String> {
        let Pattern::Histogram(roles) = &plan.pattern;
        let mut parts = Parts::of(plan)?;
        let mut body = space::innermost(plan).body.clone();
        let only_carries = parts.only_carry();
        let mut named = |block: Result<syn::Block, String>| {
            let mut block = block?;
            parts.names.visit_block_mut(&mut block);
            Ok::<_, String>(block)
        };
        let delayed = roles.carried.iter().any(|carried| carried.delayed);
        let warming = delayed.then(|| named(terms::delayed(plan, &body)));
        let warming = warming.transpose()?;
        let carries = !roles.carried.is_empty();
        let terms = carries.then(|| terms::of(plan, &body)).transpose()?;
        let (terms, all) = terms.unzip();
        let terms = terms.map(|terms| named(Ok(terms))).transpose()?;
        let alone = all == Some(true) && !delayed && only_carries;
        let claims = !roles.distinct.is_empty();
        let claiming = claims.then(|| named(claims::of(plan, &body))).transpose()?;
        let mut products = match plan.crossed {
            false => Products::of(plan),
            true => None,
        };
        if let Some(products) = &mut products {
            for block in products.before.iter_mut().chain([&mut products.after]) {
                parts.names.visit_block_mut(block);
            }
        }
        puts(plan, &mut body);
        takes(plan, &mut body);
        room(plan, &mut body);
        lends(written::bins(plan), &mut body);
        parts.names.visit_block_mut(&mut body);
        if let Some(why) = parts.names.failed.take() {
            return Err(why);
        }
        closures(&mut body);
        let rt = quote!(::accrue::__rt::cpu);
        let space = space::Space::new(plan);
        let (label, pat) = (&space.label, &space.pat);
        let looping = match &space.nested {
            None => quote! {
                #label for #pat in #rt::Source::part(&__accrue_source, __accrue_part)
            },
            Some((_, inner)) => quote! {
                #label for #inner in #rt::Source::part((&__accrue_source).inner(), __accrue_row)
            },
        };
        Ok(Form {
            plan,
            parts,
            space,
            body,
            products,
            terms,
            alone,
            warming,
            claiming,
            copied: in_registers(plan),
            looping,
        })
    }

    /// What the call combines, and the names of a part's copies of it, as a pattern.
    fn combined(&self) -> (TokenStream, TokenStream) {
        let copies = self.parts.copies[..self.parts.combining].iter();
        let private = copies.map(|(name, ..)| quote!(#name));
        (list(self.parts.members.clone()), list(private.collect()))
    }

    /// What makes locals of the copies, and what brings these back.
    fn begins_and_ends(&self) -> (TokenStream, TokenStream) {
        let copies = self.parts.copies.iter();
        let (begins, ends): (Vec<_>, Vec<_>) = copies.map(|(_, a, b)| (a, b)).unzip();
        (quote!(#(#begins)*), quote!(#(#ends)*))
    }

    /// What arrays with own elements are in a part.
    fn locals(&self) -> TokenStream {
        let locals = self.parts.handles.iter().map(|(_, local)| local);
        quote!(#(#[allow(unused_mut, unused_variables)] #locals)*)
    }

    /// A pattern: `Some` means what it is taken for.
    fn wraps(&self) -> Option<TokenStream> {
        let mut used = Vec::new();
        names::identifiers(self.body.to_token_stream(), &mut used);
        let wraps = !self.plan.best.is_empty() && used.iter().any(|name| name == "Some");
        wraps.then(|| {
            quote! {
                let _ = |__accrue_option: ::core::option::Option<()>| match __accrue_option {
                    Some(()) => {}
                    _ => {}
                };
            }
        })
    }

    /// Of iterations side by side what these are.
    fn jam(&self) -> Option<Jam<'_>> {
        let flat = self.space.nested.is_none() && self.products.is_none();
        flat.then(|| Jam::of(self.plan, &self.space.pat, &self.body, &self.parts.own))
            .flatten()
    }

    /// The iterations of a part.
    fn items(&self, walks: Option<Walks>, jam: Option<&Jam<'_>>) -> TokenStream {
        let rt = quote!(::accrue::__rt::cpu);
        let (label, pat) = (&self.space.label, &self.space.pat);
        let inner;
        let looping = &self.looping;
        let statements = match &walks {
            Some(_) => &self.body.stmts,
            None => {
                inner = walked(self.plan, pat, &self.body, &self.parts.own);
                &inner.stmts
            }
        };
        if let Some(walks) = walks {
            return self.stretches(&walks, statements);
        }
        if let Some((outer, _)) = &self.space.nested {
            return quote! {
                for (#outer, __accrue_row) in #rt::rows(
                    (&__accrue_source).outer(),
                    #rt::Source::len((&__accrue_source).inner()),
                    __accrue_part,
                ) {
                    #looping { #(#statements)* }
                }
            };
        }
        let jam = |items: TokenStream| match jam {
            Some(jam) => jam.items(&items),
            None => items,
        };
        let Some((handed, names)) = handed_on(self.plan, pat, self.parts.combining) else {
            let items = quote!(#looping { #(#statements)* });
            return match &self.products {
                Some(products) => products.items(&quote!(#label), pat, &items),
                None => jam(items),
            };
        };
        let items = names.iter().map(|name| {
            let value = &name.ident;
            (quote!(#value), quote!(#name))
        });
        let mut words = Vec::new();
        names::identifiers(self.body.to_token_stream(), &mut words);
        let ends = words
            .iter()
            .any(|word| word == "continue" || word == "break");
        let body = match ends {
            // What ends an iteration ends this. A name that is moved in it is bound by it.
            true => {
                let values: Vec<&Ident> = names.iter().map(|name| &name.ident).collect();
                match moved::may_move(&self.body, &values) {
                    true => {
                        quote!(#label for (#(#names,)*) in [(#(#values,)*)] { #(#statements)* })
                    }
                    false => quote!(#label for () in [()] { #(#statements)* }),
                }
            }
            // Out of a loop no item could be moved.
            false => quote!(#(#statements)*),
        };
        let run = with(&items.collect::<Vec<_>>(), body);
        jam(quote! {
            for #handed in #rt::Source::part(&__accrue_source, __accrue_part) {
                #run
            }
        })
    }

    /// The iterations of a part, in walks where all indices fit.
    fn stretches(&self, walks: &Walks, statements: &[syn::Stmt]) -> TokenStream {
        let (label, pat, looping) = (&self.space.label, &self.space.pat, &self.looping);
        let arrays = &walks.arrays;
        let stretches = walks.stretches(
            (quote!(segment), Some(&walks.stride)),
            (label.as_ref(), pat),
            &quote!(#looping { #(#statements)* }),
        );
        quote! {
            #arrays
            let mut __accrue_rest = __accrue_part;
            #stretches
        }
    }

    /// The call of a loop whose parts need nothing of each other.
    fn run(&self, walks: Option<Walks>) -> TokenStream {
        let walked = walks.is_some();
        let jam = if walked { None } else { self.jam() };
        let how = match jam {
            Some(_) => quote!(run_jammed),
            None => quote!(run),
        };
        let items = self.items(walks, jam.as_ref());
        let count = quote!(::core::iter::ExactSizeIterator::len(&__accrue_part));
        let rooms = rooms(self.plan, &count);
        let (members, private) = self.combined();
        let copied = &self.copied;
        let locals = self.locals();
        let (begins, ends) = self.begins_and_ends();
        let run = match walked {
            true => quote! {
                #locals
                #begins #rooms #items #ends
            },
            // Arguments, so that inner loops know that what they write lies apart from what they read.
            false => {
                let slices = read_slices(self.plan).map(|name| (quote!(#name), quote!(#name)));
                let all: Vec<_> = self.parts.lent.iter().cloned().chain(slices).collect();
                with(&all, quote!(#begins #rooms #items #ends))
            }
        };
        let run = by_level(quote!(#copied #run));
        quote! {
            __accrue_each.#how(#members, |__accrue_part, #private| { #run });
        }
    }

    /// The call of a loop that carries something along: what is combined into that, `terms`, is computed before the parts run.
    fn scan(&self, terms: &syn::Block, walks: Option<Walks>) -> TokenStream {
        let looping = &self.looping;
        let run = |block: &syn::Block, walks: Option<Walks>| {
            let statements = &block.stmts;
            match walks {
                Some(walks) => self.stretches(&walks, statements),
                None => quote!(#looping { #(#statements)* }),
            }
        };
        let items = run(&self.body, walks);
        let sums = run(terms, Walks::new(self.plan, terms, &self.parts.own));
        let (members, private) = self.combined();
        let copied = &self.copied;
        let locals = self.locals();
        let (begins, ends) = self.begins_and_ends();
        let windows = self.parts.slots.iter().map(|(_, window)| window);
        let delays = &self.parts.delays;
        let Parts {
            carried,
            carries,
            totals,
            ..
        } = &self.parts;
        let [mut carried, carries, totals] =
            [carried, carries, totals].map(|all| list(all.clone()));
        if self.alone {
            carried = quote!(::accrue::__rt::cpu::alone(#carried));
        }
        let unlinted = unlinted();
        let warming = self.warming.as_ref().map(|warming| {
            let statements = &warming.stmts;
            quote! {
                #(#[allow(unused_mut, unused_variables, unused_assignments)] #delays)*
                if __accrue_part.start > 0 {
                    let __accrue_part = __accrue_part.start - 1..__accrue_part.start;
                    #unlinted
                    #looping {
                        #(#statements)*
                    }
                }
            }
        });
        let run = by_level(quote! {
            #copied
            #locals
            #(#[allow(unused_mut, unused_variables)] #windows)*
            #begins
            #items
            #ends
        });
        // Behind a reference what is combined in some iterations alone would stay in memory.
        let sum = by_level(quote! {
            #copied
            #locals
            if let ::core::option::Option::Some(mut __accrue_total) = ::core::option::Option::take(__accrue_totals) {
                {
                    let #totals = &mut __accrue_total;
                    #warming
                    #unlinted
                    { #sums }
                }
                *__accrue_totals = ::core::option::Option::Some(__accrue_total);
            }
        });
        quote! {
            __accrue_each.scan(
                #members,
                #carried,
                |__accrue_part, #private, #carries, __accrue_reach| { #run },
                |__accrue_part, __accrue_totals| { #sum },
            );
        }
    }

    /// The check that elements are claimed once, where a loop asks for it: what it needs of the arrays, and the rest.
    fn claims(&self) -> Option<(TokenStream, TokenStream)> {
        let (plan, rt) = (self.plan, quote!(::accrue::__rt::cpu));
        let Pattern::Histogram(roles) = &plan.pattern;
        let claiming = self.claiming.as_ref()?;
        let (looping, copied, locals) = (&self.looping, &self.copied, self.locals());
        let claims = (0..roles.distinct.len()).map(claims::claims);
        let claims: Vec<Ident> = claims.collect();
        let (statements, unlinted) = (&claiming.stmts, unlinted());
        let arrays = roles.distinct.iter().map(|id| {
            let (name, expr) = (&plan.ir.array(*id).name, &plan.arrays[id.0 as usize].expr);
            let len = length_of(expr);
            quote!(#rt::Distinct::new(#name, #len))
        });
        let arrays: Vec<_> = arrays.collect();
        Some((
            quote! {
                let __accrue_distinct = [#(#arrays),*];
            },
            quote! {
                let __accrue_distinct = (&__accrue_each).distinct(
                    __accrue_distinct,
                    |__accrue_part, [#(mut #claims),*]| {
                        #copied
                        #locals
                        #unlinted
                        #looping {
                            #(#claims.begin();)*
                            #(#statements)*
                        }
                        [#(#claims),*]
                    },
                );
                let __accrue_each = __accrue_each.apart(__accrue_distinct);
            },
        ))
    }
}

/// The body of a closure: for each level that the machine that runs may have beyond what the crate is built for, and as it is.
fn by_level(body: TokenStream) -> TokenStream {
    let (rt, unlinted) = (quote!(::accrue::__rt::cpu), unlinted());
    quote! {
        #[cfg(target_arch = "x86_64")]
        {
            match #rt::Level::here() {
                #rt::Level::V4(__accrue_level) => return __accrue_level.run(|| {
                    #unlinted
                    { #body }
                }),
                #rt::Level::V3(__accrue_level) => return __accrue_level.run(|| {
                    #unlinted
                    { #body }
                }),
                #rt::Level::Base => {}
            }
        }
        #body
    }
}

/// What hands on so many arguments.
const WITH: [&str; 6] = ["with1", "with2", "with3", "with4", "with5", "with6"];

/// Runs a body as a function of what has a value and a pattern.
pub(super) fn with(arguments: &[(TokenStream, TokenStream)], body: TokenStream) -> TokenStream {
    match arguments {
        [] => body,
        _ => {
            let run = of_body(arguments, body);
            quote!(#run;)
        }
    }
}

/// What a body is as such a function, which has a value.
fn of_body(arguments: &[(TokenStream, TokenStream)], body: TokenStream) -> TokenStream {
    arguments.chunks(WITH.len()).rev().fold(body, |body, some| {
        let with = format_ident!("{}", WITH[some.len() - 1]);
        let (values, pats): (Vec<_>, Vec<_>) = some.iter().cloned().unzip();
        quote! {
            ::accrue::__rt::cpu::#with(#(#values,)* |#(#[allow(unused_mut, unused_variables)] #pats),*| { #body })
        }
    })
}

/// The names of an iteration's items, where its body is to be a function of them, since they are elements of several arrays. Only of arguments rustc knows that they
/// lie apart, so that what the body keeps in one stays in registers.
fn handed_on(plan: &LoopPlan, pat: &Pat, combining: usize) -> Option<(Pat, Vec<PatIdent>)> {
    #[derive(Default)]
    struct Names(Vec<PatIdent>);
    impl VisitMut for Names {
        fn visit(&mut self, node: visit_mut::Node<'_>) {
            match node {
                visit_mut::Node::PatIdent(pat) => {
                    // A copy is changed where it has the name, not where it comes from.
                    let mutability = match &pat.by_ref {
                        None => pat.mutability.take(),
                        Some(_) => None,
                    };
                    self.0.push(PatIdent {
                        attrs: Vec::new(),
                        by_ref: None,
                        subpat: None,
                        mutability,
                        ident: pat.ident.clone(),
                    });
                    visit_mut::visit_pat_ident_mut(self, pat);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut all = Names::default();
    let (mut handed, bound) = (pat.clone(), names::bound_names(pat));
    all.visit_pat_mut(&mut handed);
    let mut names = all.0;
    names.retain(|name| bound.contains(&&name.ident));
    // What it combines into would lie behind a reference.
    let least = if combining == 0 { 1 } else { 2 };
    let collections = iteration::collections(&plan.iterations[0].chain);
    (collections.len() >= least && !names.is_empty()).then_some((handed, names))
}

/// How many dimensions the bins of a target have: rows of arrays lie one behind the other. None where they lie elsewhere, or it is not known.
pub(super) fn depth(plan: &LoopPlan, target: usize) -> Option<usize> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let Memory::Bins(id) = roles.targets[target].memory else {
        return None;
    };
    let is_flat = |of: &ir::Type| of.as_scalar().is_some() || of.is_open();
    // Of a field only the indices tell.
    match (&plan.ir.array(id).elem, indices(plan, target)) {
        (elem, ..=1) if is_flat(elem) => Some(1),
        (ir::Type::Array(elem, _), ..=2) if is_flat(elem) => Some(2),
        _ => None,
    }
}

/// How many indices the updates of a target have.
fn indices(plan: &LoopPlan, target: usize) -> usize {
    struct Finder(usize, usize);
    impl ir::visit::Visit for Finder {
        fn stmt(&mut self, stmt: &ir::Stmt) {
            if let ir::StmtKind::Update(update) = &stmt.kind
                && update.target == self.0
            {
                self.1 = self.1.max(update.bin.len());
            }
            self.stmt_parts(stmt);
        }
    }
    let mut finder = Finder(target, 0);
    ir::visit::Visit::block(&mut finder, &plan.ir.body.block);
    finder.1
}

/// Copies of the numbers and slices that a loop reads. Behind the closure's references each store to an element might have changed them,
/// as far as the compiler of the body knows.
fn in_registers(plan: &LoopPlan) -> TokenStream {
    let scalars = captured_scalars(plan);
    let scalars = scalars.iter().map(|name| quote!(let #name = #name;));
    let slices = read_slices(plan).map(|name| quote!(let #name = &*#name;));
    let copies = scalars.chain(slices);
    quote!(#(#[allow(unused_variables)] #copies)*)
}

/// The numbers that a loop captures.
pub(super) fn captured_scalars(plan: &LoopPlan) -> Vec<&Ident> {
    let mut names: Vec<&Ident> = Vec::new();
    for name in plan.captures.iter().filter_map(|c| c.scalar.as_ref()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The variables that are slices which a loop reads.
pub(super) fn read_slices(plan: &LoopPlan) -> impl Iterator<Item = &Ident> {
    let arrays = plan.ir.arrays.iter().zip(0..);
    let read = arrays.filter(|(array, _)| array.access == ir::Access::Read);
    read.filter_map(|(_, n)| slice(plan, ir::ArrayId(n)))
}

/// The variable of an array that is a slice.
fn slice(plan: &LoopPlan, id: ir::ArrayId) -> Option<&Ident> {
    let syntax = &plan.arrays[id.0 as usize];
    match &syntax.shape {
        Shape::Slice(_) => syntax.variable.as_ref(),
        _ => None,
    }
}

/// Whether an array is what the loop iterates over, `&mut` element by element.
fn is_source(plan: &LoopPlan, array: &Expr) -> bool {
    let handed = iteration::handed_out(&plan.iterations[0].chain);
    handed.iter().any(|of| same(of, array))
}

/// The length of an array.
pub(super) fn length(plan: &LoopPlan, id: ArrayId) -> TokenStream {
    length_of(&plan.arrays[id.0 as usize].expr)
}

fn length_of(array: &Expr) -> TokenStream {
    quote!(<[_]>::len(&(#array)[::accrue::__rt::ALL]))
}

/// The operator by which private results are combined: those of subtractions are sums of what was subtracted.
fn combining(op: UpdateOp) -> UpdateOp {
    UpdateOp {
        op: op.op.row().gathers,
        two_signs: false,
        ..op
    }
}
