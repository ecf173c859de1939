//! Loops whose iterations write elements of their own: the user's own loop over a part of the iteration space, with
//! other things under the names of what it writes.
//!
//! An owned array's name stands for an `Own`, from which the body gets the elements that it indexes; a scalar that it combines into for a
//! local one, and bins for bins of the worker's. So the user's body is printed once, as it is. Where what it writes is not a variable but a
//! field, `self.cells[i]`, the field's tokens are replaced by a variable's. What the runtime does is in `accrue`'s `cpu::each`.

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprIndex, Macro, Pat, PatIdent, Token, UnOp, parse_quote};

use super::along::Bound;
use super::value::same;
use super::walks::Walks;
use super::{checked, checks, claims, list, operator, space, terms, unlinted};
use crate::guard;
use crate::ir::{self, ArrayId, Map, Memory, Pattern, Ring, UpdateOp};
use crate::parsed::iteration;
use crate::plan::LoopPlan;
use crate::syntax::{Shape, names, part_of, sites, without_parens};

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
    let mut body = space::innermost(plan).body.clone();
    let mut names = Names {
        plan,
        failed: None,
        places: Vec::new(),
    };
    let mut handles = Vec::new();
    let (mut own, mut lent) = (Vec::new(), Vec::new());
    let mut slots = Vec::new();
    for (n, &id) in roles.owned.iter().enumerate() {
        let expr = &plan.arrays[id.0 as usize].expr;
        let span = expr.span().resolved_at(proc_macro2::Span::call_site());
        if is_source(plan, expr) {
            continue;
        }
        let handle = format_ident!("__accrue_own_{n}");
        let name = names.local(expr, &handle);
        own.push(name.clone());
        handles.push((
            quote_spanned!(span=> let #handle = #rt::Own::new(&mut (#expr)[::accrue::__rt::ALL]);),
            quote!(let mut #name = #handle;),
        ));
        // Each as an argument of a part, as what is read.
        lent.push((quote!(#handle), quote!(mut #name)));
    }
    let mut members = Vec::new();
    let mut copies = Vec::new();
    // What is declared before the loop.
    let mut before = Vec::new();
    for (n, (target, syntax)) in roles.targets.iter().zip(&plan.targets).enumerate() {
        let expr = &syntax.expr;
        let copy = format_ident!("__accrue_copy_{n}");
        let (op, checked) = (operator(combining(target.op)), checked());
        let span = expr.span().resolved_at(proc_macro2::Span::call_site());
        match target.memory {
            Memory::Scalar(_) => {
                members.push(quote_spanned! { span=>
                    #rt::combined::scalar::<#checked, _, _>(&mut (#expr), #op)
                });
                let value = format_ident!("__accrue_value_{n}");
                let (begins, ends) = names.scalar(expr, &value, &quote!(*#copy));
                copies.push((copy, begins, ends));
            }
            Memory::Bins(id) => {
                let Some(depth) = depth(plan, n) else {
                    return Err(format!(
                        "`{}` has bins of several dimensions, beside elements that iterations write",
                        plan.ir.array(id).name
                    ));
                };
                let name = names.local(expr, &format_ident!("__accrue_bins_{n}"));
                let all = quote_spanned!(span=> (#expr)[::accrue::__rt::ALL]);
                let (bins, own) = match depth {
                    1 => (
                        quote_spanned!(span=> &mut #all),
                        quote!(&mut #copy[::accrue::__rt::ALL]),
                    ),
                    _ => {
                        let row = format_ident!("__accrue_row_{n}");
                        before
                            .push(quote_spanned!(span=> let #row = #rt::combined::row_of(&#all);));
                        (
                            quote_spanned!(span=> #all.as_flattened_mut()),
                            quote!(#row.rows(&mut #copy[::accrue::__rt::ALL])),
                        )
                    }
                };
                members.push(quote_spanned! { span=>
                    #rt::combined::bins::<#checked, _, _>(#bins, #op)
                });
                copies.push((copy.clone(), quote!(let #name = #own;), quote!()));
            }
        }
    }
    for (n, (best, syntax)) in roles.best.iter().zip(&plan.best).enumerate() {
        let copy = format_ident!("__accrue_best_{n}");
        let (mut begins, mut ends) = (TokenStream::new(), TokenStream::new());
        let (mut of_key, mut at) = (TokenStream::new(), quote!());
        for (m, place) in syntax.places.iter().enumerate() {
            let value = format_ident!("__accrue_best_{n}_{m}");
            let (begin, end) = names.scalar(place, &value, &quote!(#copy #at.0));
            begins.extend(begin);
            ends.extend(end);
            of_key.extend(
                names
                    .scalar(place, &value, &quote!(__accrue_values #at.0))
                    .0,
            );
            at.extend(quote!(.1));
        }
        // Of equal items only a part that has taken one has a later one.
        let took = took(n);
        let innermost = match best.last {
            Some(_) => {
                let (place, slot) = (format_ident!("__accrue_any_{n}"), quote!(#copy #at.0));
                before.push(quote!(let mut #place = false;));
                begins.extend(quote!(let mut #took = #slot;));
                ends.extend(quote!(#slot = #took;));
                quote!((&mut #place, ()))
            }
            None => quote!(()),
        };
        let places = syntax.places.iter().rev();
        let places = places.fold(innermost, |rest, place| quote!((&mut (#place), #rest)));
        let (mut key, less, last) = (syntax.key.clone(), best.less, best.last.is_some());
        // Where nothing was taken, the key of what was there before is not asked for: `x[at]` may have no such element.
        let indices = best.indices.iter().map(|n| {
            let at = (0..*n).map(|_| quote!(.1));
            let at = quote!(#(#at)* .0);
            quote!(__accrue_before #at == __accrue_after #at)
        });
        let indices: Vec<_> = indices.collect();
        let untouched = match indices.is_empty() {
            _ if last => quote!(|_, __accrue_after| !__accrue_after #at .0),
            true => quote!(|_, _| false),
            false => quote!(|__accrue_before, __accrue_after| #(#indices)&&*),
        };
        names.visit_expr_mut(&mut key);
        let ordered = match (best.overflows, best.lazy) {
            (_, true) => quote!(true),
            (true, _) => checked(),
            _ => quote!(false),
        };
        let is_last = best.ends;
        let span = key.span().resolved_at(proc_macro2::Span::call_site());
        let compared = quote_spanned!(span=> ::accrue::__rt::cpu::combined::compared(__accrue_key));
        members.push(quote! {
            #rt::combined::best::<#ordered, #is_last, _, _>(
                #places,
                |__accrue_values| {
                    #[allow(unused_mut, unused_variables)]
                    let __accrue_key = { #of_key #key };
                    #compared
                },
                (#less, #last),
                #untouched,
            )
        });
        copies.push((copy, begins, ends));
    }
    for (n, place) in plan.grown.iter().enumerate() {
        let copy = format_ident!("__accrue_grown_{n}");
        let span = place.span().resolved_at(proc_macro2::Span::call_site());
        members.push(quote_spanned!(span=> (#place).__accrue_grown()));
        let name = names.local(place, &format_ident!("__accrue_behind_{n}"));
        copies.push((copy.clone(), quote!(let #name = &mut **#copy;), quote!()));
    }
    let combining = copies.len();
    let mut carried: Vec<TokenStream> = Vec::new();
    let (mut carries, mut totals) = (Vec::new(), Vec::new());
    // Which item of the list each scalar is.
    let mut item_of: Vec<usize> = Vec::new();
    let copy_of = |n: usize| format_ident!("__accrue_carried_{n}");
    for (n, (scan, place)) in roles.carried.iter().zip(&plan.carried).enumerate() {
        let copy = copy_of(n);
        let value = format_ident!("__accrue_carried_value_{n}");
        let (begins, ends) = names.scalar(place, &value, &quote!(*#copy));
        copies.push((copy.clone(), begins, ends));
        item_of.push(carried.len());
        let is_cursor = roles.filled.iter().any(|filled| filled.cursor == scan.var);
        let op = operator(scan.op);
        let span = place.span().resolved_at(proc_macro2::Span::call_site());
        let total = terms::total(n);
        let (mut copy, mut total) = (quote!(#copy), quote!(#total));
        carried.push(match &scan.map {
            None if is_cursor => quote_spanned!(span=> #rt::cursor(&mut (#place), #op)),
            None => {
                // Where signs differ, only the loop itself can tell whether a sum overflows.
                let checked = match scan.op.two_signs {
                    true => quote!(false),
                    false => checked(),
                };
                quote_spanned!(span=> #rt::scan::<#checked, _, _>(&mut (#place), #op))
            }
            Some(Map::Latest) => quote_spanned!(span=> #rt::latest(&mut (#place))),
            Some(Map::Since) => quote_spanned!(span=> #rt::restarting(&mut (#place), #op)),
            Some(Map::Sum(ring, vars)) => {
                // One item for all of them, where the first stands.
                if vars[0] != scan.var {
                    continue;
                }
                let at = |var: &ir::VarId| {
                    roles
                        .carried
                        .iter()
                        .position(|c| c.var == *var)
                        .unwrap_or(n)
                };
                let all: Vec<usize> = vars.iter().map(at).collect();
                let places = all.iter().map(|n| &plan.carried[*n]);
                let (ring, limits) = match ring {
                    Ring::SumProduct => (format_ident!("SumProduct"), false),
                    Ring::XorAnd => (format_ident!("XorAnd"), false),
                    Ring::MaxPlus => (format_ident!("MaxPlus"), true),
                    Ring::MinPlus => (format_ident!("MinPlus"), true),
                };
                let (copies, sums) = (
                    all.iter().map(|n| copy_of(*n)),
                    all.iter().map(|n| terms::total(*n)),
                );
                match limits {
                    true => quote_spanned!(span=> #rt::limited(&mut (#place), #rt::op::#ring)),
                    false => {
                        (copy, total) = (quote!([#(#copies),*]), quote!([#(#sums),*]));
                        quote_spanned!(span=> #rt::recurrence([#(&mut (#places)),*], #rt::op::#ring))
                    }
                }
            }
        });
        carries.push(copy);
        totals.push(total);
    }
    for (n, filled) in roles.filled.iter().enumerate() {
        let expr = &plan.arrays[filled.array.0 as usize].expr;
        let span = expr.span().resolved_at(proc_macro2::Span::call_site());
        let handle = format_ident!("__accrue_slots_{n}");
        let name = names.local(expr, &handle);
        let cursor = roles.carried.iter().position(|c| c.var == filled.cursor);
        let cursor = cursor.expect("a cursor is carried");
        let at = (0..item_of[cursor]).map(|_| quote!(.1));
        slots.push((
            quote_spanned!(span=> let #handle = #rt::Own::new(&mut (#expr)[::accrue::__rt::ALL]);),
            quote! {
                let mut #name = #handle.within(__accrue_reach.of(|__accrue_values| #rt::number(&__accrue_values #(#at)* .0)));
            },
        ));
    }
    // What the iteration before a part leaves to it.
    let mut delays = Vec::new();
    for (n, (scan, place)) in roles.carried.iter().zip(&plan.carried).enumerate() {
        if scan.delayed {
            let held = format_ident!("__accrue_before_{n}");
            // The name that the body has for it.
            let value = format_ident!("__accrue_carried_value_{n}");
            before.push(quote!(let #held = #place;));
            delays.push(names.scalar(place, &value, &quote!(#held)).0);
        }
    }
    let warming = match delays.is_empty() {
        true => None,
        false => {
            let mut warming = terms::delayed(plan, &body)?;
            names.visit_block_mut(&mut warming);
            Some(warming.stmts)
        }
    };
    let terms = match roles.carried.is_empty() {
        true => None,
        false => {
            let mut terms = terms::of(plan, &body)?;
            names.visit_block_mut(&mut terms);
            Some(terms)
        }
    };
    let claiming = match roles.distinct.is_empty() {
        true => None,
        false => {
            let mut claiming = claims::of(plan, &body)?;
            names.visit_block_mut(&mut claiming);
            Some(claiming)
        }
    };
    puts(plan, &mut body);
    takes(plan, &mut body);
    names.visit_block_mut(&mut body);
    if let Some(why) = names.failed {
        return Err(why);
    }
    let space = space::Space::new(plan);
    let (source, label, pat) = (&space.source, &space.label, &space.pat);
    let members = list(members);
    let private = list(
        copies[..combining]
            .iter()
            .map(|(name, ..)| quote!(#name))
            .collect(),
    );
    let (owns, locals): (Vec<_>, Vec<_>) = handles.into_iter().unzip();
    let (begins, ends): (Vec<_>, Vec<_>) = copies.iter().map(|(_, a, b)| (a, b)).unzip();
    let confirmed = crate::confirm::confirmed(plan).map(|names| quote!(.confirmed(#names)));
    let guard = match &roles.guard {
        Some(guard) => Some(guard::holds(plan, guard, &length)?),
        None => None,
    };
    let apart = guard.as_ref().map(|_| quote!(.apart(__accrue_apart)));
    let only = left.map(|left| quote!(.only(#left)));
    // In order it runs as it is written where nobody sees what a panic leaves behind: a local of the function.
    let local = |place: &Expr| matches!(place, Expr::Path(_));
    let kept = plan.best.iter().flat_map(|best| &best.places);
    let targets = plan.targets.iter().map(|syntax| &syntax.expr);
    let mut all = kept.chain(&plan.carried).chain(&plan.grown).chain(targets);
    let as_written = all.all(local)
        && claiming.is_none()
        && !roles.best.iter().any(|best| best.ends)
        && space::is_repeatable(plan, &plan.iterations[0].chain, true);
    // Where the loop is likely to be short it is not asked whether iterations keep apart: it goes in order then.
    let quick = match as_written || terms.is_none() {
        true => quote!(let __accrue_quick = #rt::Site::is_quick(&#path);),
        false => quote!(let __accrue_quick = false;),
    };
    let guard = guard.map(
        |guard| quote!(let __accrue_apart: ::core::primitive::bool = !__accrue_quick && #guard;),
    );
    let statements = &body.stmts;
    // A pattern: `Some` means what it is taken for.
    let mut used = Vec::new();
    crate::syntax::names::identifiers(body.to_token_stream(), &mut used);
    let wraps = !roles.best.is_empty() && used.iter().any(|name| name == "Some");
    let wraps = wraps.then(|| {
        quote! {
            let _ = |__accrue_option: ::core::option::Option<()>| match __accrue_option {
                Some(()) => {}
                _ => {}
            };
        }
    });
    let (copied, checks) = (in_registers(plan), checks(plan));
    let grows = (!plan.grown.is_empty()).then(|| quote!(use #rt::Grows as _;));
    let looping = quote! {
        #label for #pat in #rt::Source::part(&__accrue_source, __accrue_part)
    };
    let walks = Walks::new(plan, &body, &own);
    let walked = walks.is_some();
    let items = match (walks, handed_on(plan, pat, combining)) {
        (Some(walks), _) => {
            let Walks {
                arrays,
                lens,
                fixed,
                indices,
                stride,
                binds,
                body,
            } = walks;
            let (walked, unlinted) = (&body.stmts, unlinted());
            quote! {
                #arrays
                let mut __accrue_rest = __accrue_part;
                while !::core::ops::Range::is_empty(&__accrue_rest) {
                    let (__accrue_part, __accrue_behind, __accrue_first) = #rt::segment(
                        &__accrue_source,
                        #stride,
                        __accrue_rest,
                        [#(#lens),*],
                        [#(#fixed),*],
                        |__accrue_position, __accrue_fixed| [#(#indices),*],
                    );
                    __accrue_rest = __accrue_behind;
                    if let ::core::option::Option::Some(__accrue_first) = __accrue_first {
                        let __accrue_len = ::core::iter::ExactSizeIterator::len(&__accrue_part);
                        #binds
                        #unlinted
                        #label for (__accrue_k, #pat) in ::core::iter::Iterator::enumerate(
                            #rt::Source::part(&__accrue_source, __accrue_part),
                        ) {
                            #(#walked)*
                        }
                    } else {
                        #looping { #(#statements)* }
                    }
                }
            }
        }
        (None, Some(names)) => {
            let items = names.iter().map(|name| {
                let value = &name.ident;
                (quote!(#value), quote!(#name))
            });
            let run = with(
                &items.collect::<Vec<_>>(),
                // What ends an iteration ends this.
                quote!(#label for () in [()] { #(#statements)* }),
            );
            quote! {
                for #pat in #rt::Source::part(&__accrue_source, __accrue_part) {
                    #run
                }
            }
        }
        (None, None) => quote!(#looping { #(#statements)* }),
    };
    let (lends, windows): (Vec<_>, Vec<_>) = slots.into_iter().unzip();
    let each = quote!(#rt::Each::new(&#path, #rt::Source::len(&__accrue_source)) #confirmed #apart .quick(__accrue_quick) #only);
    // What walks know of indices the loop as it is written only does where rustc sees how long arrays are.
    let learns = as_written && (!walked || sees_lengths(plan));
    let timed = learns.then(|| quote!(.timed()));
    let in_order = match learns {
        true => Some(quote!(in_order)),
        // So short that all else is felt.
        false => (as_written && plan.repeated).then(|| quote!(soon_done)),
    };
    let in_order = in_order.map(|in_order| {
        let (unlinted, grown) = (unlinted(), &plan.grown);
        let targets = plan.targets.iter().zip(&roles.targets);
        let (bins, targets): (Vec<_>, Vec<_>) = targets
            .map(|(syntax, target)| (&syntax.expr, target))
            .partition(|(_, target)| matches!(target.memory, Memory::Bins(_)));
        let bins: Vec<_> = bins.iter().map(|(place, _)| place).collect();
        let (written, mut arguments) = written(plan);
        arguments.extend(
            bins.iter().map(|place| (whole(place, true), quote!(#place))),
        );
        arguments.extend(grown.iter().map(|name| (quote!(#name.__accrue_lent()), quote!(#name))));
        let run = with(&arguments, quote!(#unlinted #written));
        let held: Vec<_> = grown.iter().chain(bins.iter().map(|name| **name)).collect();
        let lent = (!held.is_empty()).then(|| quote!(use #rt::Lent as _;));
        // What other forms of the loop refer to would be looked up in memory by each iteration.
        let scalars = plan.best.iter().flat_map(|best| &best.places);
        let scalars = scalars.chain(&plan.carried).chain(targets.iter().map(|(place, _)| *place));
        let scalars: Vec<_> = scalars.collect();
        let run = quote! {
            #(#[allow(unused_variables)] #copied)*
            #run
        };
        let run = match scalars.is_empty() {
            true => run,
            false => quote! {
                #[allow(unused_mut, unused_assignments)]
                {
                    (#(#scalars,)*) = {
                        #(let mut #scalars = #scalars;)*
                        #run
                        (#(#scalars,)*)
                    };
                }
            },
        };
        quote! {
            #lent
            if #(#rt::Held(&#held).is_own() &&)* let ::core::option::Option::Some(__accrue_told) = (match #source { __accrue_source => #each }).#in_order() {
                #run
                __accrue_told.ended();
            } else
        }
    });
    let call = match terms {
        None => {
            let (begins, ends) = (quote!(#(#begins)*), quote!(#(#ends)*));
            let run = match walked {
                true => quote! {
                    #(#[allow(unused_mut, unused_variables)] #locals)*
                    #begins #items #ends
                },
                // Arguments, so that inner loops know that what they write lies apart from what they read.
                false => {
                    let slices = read_slices(plan).map(|name| (quote!(#name), quote!(#name)));
                    let all: Vec<_> = lent.into_iter().chain(slices).collect();
                    with(&all, quote!(#begins #items #ends))
                }
            };
            quote! {
                __accrue_each.run(#members, |__accrue_part, #private| {
                    #(#[allow(unused_variables)] #copied)*
                    #run
                });
            }
        }
        Some(terms) => {
            let (carried, carries, totals) = (list(carried), list(carries), list(totals));
            let (terms, unlinted) = (&terms.stmts, unlinted());
            let warming = warming.map(|statements| {
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
            quote! {
                __accrue_each.scan(
                    #members,
                    #carried,
                    |__accrue_part, #private, #carries, __accrue_reach| {
                        #(#[allow(unused_variables)] #copied)*
                        #(#[allow(unused_mut, unused_variables)] #locals)*
                        #(#[allow(unused_mut, unused_variables)] #windows)*
                        #(#begins)*
                        #looping {
                            #(#statements)*
                        }
                        #(#ends)*
                    },
                    |__accrue_part, #totals| {
                        #(#[allow(unused_variables)] #copied)*
                        #(#[allow(unused_mut, unused_variables)] #locals)*
                        #warming
                        #unlinted
                        #looping {
                            #(#terms)*
                        }
                    },
                );
            }
        }
    };
    let claims = (0..roles.distinct.len()).map(claims::claims);
    let claims: Vec<Ident> = claims.collect();
    let distinct = claiming.map(|claiming| {
        let (statements, unlinted) = (&claiming.stmts, unlinted());
        let arrays = roles.distinct.iter().map(|id| {
            let (name, expr) = (&plan.ir.array(*id).name, &plan.arrays[id.0 as usize].expr);
            let len = length_of(expr);
            quote!(#rt::Distinct::new(#name, #len))
        });
        let arrays: Vec<_> = arrays.collect();
        (
            quote! {
                let __accrue_distinct = [#(#arrays),*];
            },
            quote! {
                let __accrue_distinct = (&__accrue_each).distinct(
                    __accrue_distinct,
                    |__accrue_part, [#(#claims),*]| {
                        #(#[allow(unused_variables)] #copied)*
                        #(#[allow(unused_mut, unused_variables)] #locals)*
                        #unlinted
                        #looping {
                            #(#claims.begin();)*
                            #(#statements)*
                        }
                    },
                );
                let __accrue_each = __accrue_each.apart(__accrue_distinct);
            },
        )
    });
    let (lengths, distinct) = distinct.unzip();
    let each = quote! {
        #checks
        #wraps
        #grows
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

/// Whether arrays are slices, and how many iterations there are is the length of one.
fn sees_lengths(plan: &LoopPlan) -> bool {
    let arrays = plan.arrays.iter();
    let mut arrays = arrays.map(|of| matches!(of.shape, Shape::Slice(_)) && of.variable.is_some());
    let base = match &plan.iterations[0].chain.base {
        iteration::Base::Range { end, .. } => {
            matches!(end, Expr::MethodCall(call) if call.method == "len")
        }
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
    let owned = owned.filter(|array| !is_source(plan, &array.expr));
    let owned = owned.filter_map(|array| array.variable.as_ref());
    let owned = owned.map(|name| (whole(name, true), quote!(#name)));
    let slices = read_slices(plan).map(|name| (quote!(&*#name), quote!(#name)));
    let mut arguments: Vec<_> = owned.chain(slices).collect();
    // Of a `Vec` that it reads, which may be used as such as well, where it indexes it.
    let mut written = plan.syntax.clone();
    let bound = Bound::of(&written.pat, &written.body);
    let vectors = plan.ir.arrays.iter().zip(&plan.arrays);
    let vectors = vectors
        .filter(|(of, syntax)| {
            of.access == ir::Access::Read && matches!(syntax.shape, Shape::Vec(_))
        })
        .filter_map(|(_, syntax)| syntax.variable.as_ref())
        .filter(|name| !bound.names.contains(name));
    for (n, name) in vectors.enumerate() {
        let slice = format_ident!("__accrue_array_{n}");
        if Indexed(name, &slice).replace(&mut written) {
            arguments.push((whole(name, false), quote!(#slice)));
        }
    }
    (Expr::ForLoop(written), arguments)
}

/// An array as a slice.
fn whole(array: &impl ToTokens, changed: bool) -> TokenStream {
    let span = array.span().resolved_at(proc_macro2::Span::call_site());
    let changed = changed.then(|| quote!(mut));
    quote_spanned!(span=> &#changed (#array)[::accrue::__rt::ALL])
}

/// A variable, and another one for it where it is indexed.
struct Indexed<'a>(&'a Ident, &'a Ident);

impl Indexed<'_> {
    fn replace(self, of: &mut syn::ExprForLoop) -> bool {
        struct Places<'a>(Indexed<'a>, bool);
        impl VisitMut for Places<'_> {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
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
        }
        let mut places = Places(self, false);
        places.visit_block_mut(&mut of.body);
        places.1
    }
}

/// What hands on so many arguments.
const WITH: [&str; 6] = ["with1", "with2", "with3", "with4", "with5", "with6"];

/// Runs a body as a function of what has a value and a pattern.
pub(super) fn with(arguments: &[(TokenStream, TokenStream)], body: TokenStream) -> TokenStream {
    arguments.chunks(WITH.len()).rev().fold(body, |body, some| {
        let with = format_ident!("{}", WITH[some.len() - 1]);
        let (values, pats): (Vec<_>, Vec<_>) = some.iter().cloned().unzip();
        quote! {
            ::accrue::__rt::cpu::#with(#(#values,)* |#(#[allow(unused_mut, unused_variables)] #pats),*| { #body });
        }
    })
}

/// The names of an iteration's items, where its body is to be a function of them, since they are elements of several arrays. Only of arguments rustc knows that they
/// lie apart, so that what the body keeps in one stays in registers.
fn handed_on(plan: &LoopPlan, pat: &Pat, combining: usize) -> Option<Vec<PatIdent>> {
    #[derive(Default)]
    struct Names(Vec<PatIdent>);
    impl<'a> Visit<'a> for Names {
        fn visit_pat_ident(&mut self, pat: &'a PatIdent) {
            self.0.push(PatIdent {
                attrs: Vec::new(),
                by_ref: None,
                subpat: None,
                ..pat.clone()
            });
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut all = Names::default();
    all.visit_pat(pat);
    let (mut names, bound) = (all.0, names::bound_names(pat));
    names.retain(|name| bound.contains(&&name.ident));
    // What it combines into would lie behind a reference.
    let least = if combining == 0 { 1 } else { 2 };
    let collections = iteration::collections(&plan.iterations[0].chain);
    (collections.len() >= least && !names.is_empty()).then_some(names)
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
fn in_registers(plan: &LoopPlan) -> Vec<TokenStream> {
    let scalars = captured_scalars(plan);
    let scalars = scalars.iter().map(|name| quote!(let #name = #name;));
    let slices = read_slices(plan).map(|name| quote!(let #name = &*#name;));
    scalars.chain(slices).collect()
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

/// The operator by which private results are combined: those of subtractions are sums of what was subtracted.
fn combining(op: UpdateOp) -> UpdateOp {
    UpdateOp {
        op: op.op.row().gathers,
        two_signs: false,
        ..op
    }
}

/// Whether an array is what the loop iterates over, `&mut` element by element.
fn is_source(plan: &LoopPlan, array: &Expr) -> bool {
    let handed = iteration::handed_out(&plan.iterations[0].chain);
    handed.iter().any(|of| same(of, array))
}

/// What an `Own` has beside its elements.
const OF_ELEMENTS: [&str; 5] = ["len", "is_empty", "swap", "get", "get_mut"];

/// What stands for what the loop writes.
struct Names<'a> {
    plan: &'a LoopPlan,
    failed: Option<String>,
    /// Places that are no variables, and the variables that stand for them.
    places: Vec<(Expr, Ident)>,
}

impl Names<'_> {
    /// What makes a local of a scalar's place, of the value that a slot holds, and what brings it back.
    fn scalar(
        &mut self,
        place: &Expr,
        value: &Ident,
        slot: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        match without_parens(place) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let name = self.local(&unary.expr, value);
                // A local of its own, so that it can be in a register.
                (
                    quote!(let mut #value = #slot; let #name = &mut #value;),
                    quote!(#slot = #value;),
                )
            }
            _ => {
                let name = self.local(place, value);
                (quote!(let mut #name = #slot;), quote!(#slot = #name;))
            }
        }
    }

    /// Whether an assignment's index asks the array that it writes, `a[i + a.len() / 2] = v`: of a slice that is no second use while it is borrowed, of
    /// what stands for it it is.
    fn asks_itself(&self, expr: &Expr) -> bool {
        let Some(index) = written_element(expr) else {
            return false;
        };
        let Pattern::Histogram(roles) = &self.plan.pattern;
        let mut owned = roles
            .owned
            .iter()
            .chain(roles.filled.iter().map(|filled| &filled.array))
            .map(|id| &self.plan.arrays[id.0 as usize]);
        let mut mentioned = Vec::new();
        names::identifiers(index.index.to_token_stream(), &mut mentioned);
        owned.any(|array| {
            let root = names::root_of(&array.expr);
            same(&array.expr, &index.expr) && root.is_some_and(|root| mentioned.contains(root))
        })
    }

    /// `a[start..][..len]` of an array that the loop writes, in one step: up to its end it is others' as well.
    fn part(&self, expr: &Expr) -> Option<Expr> {
        let Expr::Index(index) = expr else {
            return None;
        };
        let (array, start, len) = part_of(index)?;
        self.is_own(array)
            .then(|| parse_quote!(#array[::accrue::__rt::cpu::Part { start: #start, len: #len }]))
    }

    /// Whether an `Own` stands for a place.
    fn is_own(&self, place: &Expr) -> bool {
        let Pattern::Histogram(roles) = &self.plan.pattern;
        let mut owned = roles
            .owned
            .iter()
            .map(|id| &self.plan.arrays[id.0 as usize].expr);
        owned.any(|of| same(of, place) && !is_source(self.plan, of))
    }

    /// The name of the local that stands for a place: its own where it is a variable.
    fn local(&mut self, place: &Expr, otherwise: &Ident) -> Ident {
        if let Expr::Path(path) = without_parens(place)
            && let Some(name) = path.path.get_ident()
            && name != "self"
        {
            return name.clone();
        }
        let name = format_ident!("{otherwise}_local");
        self.places.push((place.clone(), name.clone()));
        name
    }
}

impl VisitMut for Names<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some((_, name)) = self.places.iter().find(|(place, _)| same(place, expr)) {
            *expr = parse_quote!(#name);
            return;
        }
        if let Expr::Unary(unary) = expr
            && matches!(unary.op, UnOp::Deref(_))
            && self.is_own(without_parens(&unary.expr))
        {
            self.failed = Some(format!(
                "`{}` is used as a whole",
                crate::source::text_of(&expr.to_token_stream())
            ));
        }
        if let Expr::MethodCall(call) = expr
            && !OF_ELEMENTS.contains(&call.method.to_string().as_str())
            && self.is_own(without_parens(&call.receiver))
        {
            self.failed = Some(format!(
                "`{}` has elements of other iterations",
                crate::source::text_of(&expr.to_token_stream())
            ));
        }
        if let Some(part) = self.part(expr) {
            *expr = part;
        }
        let asks = self.asks_itself(expr);
        visit_mut::visit_expr_mut(self, expr);
        if asks {
            value_first(expr);
        }
    }

    /// The arguments of `assert!` and its like.
    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let Ok(mut arguments) = mac.parse_body_with(parser) else {
            return;
        };
        for argument in &mut arguments {
            self.visit_expr_mut(argument);
        }
        if !self.places.is_empty() {
            mac.tokens = arguments.into_token_stream();
        }
    }
}

/// The element that an assignment writes.
fn written_element(expr: &Expr) -> Option<&ExprIndex> {
    let left = match expr {
        Expr::Assign(assign) => &assign.left,
        Expr::Binary(binary) if sites::is_compound(&binary.op) => &binary.left,
        _ => return None,
    };
    match &**left {
        Expr::Index(index) => Some(index),
        _ => None,
    }
}

/// Evaluates the value and then the index of an assignment before the element is borrowed.
fn value_first(expr: &mut Expr) {
    let (left, right) = match expr {
        Expr::Assign(assign) => (&mut assign.left, &mut assign.right),
        Expr::Binary(binary) => (&mut binary.left, &mut binary.right),
        _ => return,
    };
    let Expr::Index(index) = &mut **left else {
        return;
    };
    let at = std::mem::replace(&mut *index.index, parse_quote!(__accrue_at));
    let value = std::mem::replace(&mut **right, parse_quote!(__accrue_value));
    *expr = parse_quote! {
        match #value {
            __accrue_value => match #at {
                __accrue_at => #expr,
            },
        }
    };
}

/// The length of an array.
pub(super) fn length(plan: &LoopPlan, id: ArrayId) -> TokenStream {
    length_of(&plan.arrays[id.0 as usize].expr)
}

fn length_of(array: &Expr) -> TokenStream {
    quote!(<[_]>::len(&(#array)[::accrue::__rt::ALL]))
}

/// What every iteration writes at a cursor, which may be the element of the part behind: `out[n] = x` becomes `out.put(n, x)`.
fn puts(plan: &LoopPlan, body: &mut syn::Block) {
    let Pattern::Histogram(roles) = &plan.pattern;
    sites::rewrite(body, |site, expr| {
        let ahead = roles
            .filled
            .iter()
            .any(|filled| filled.ahead.contains(&site));
        if let Expr::Assign(assign) = expr
            && ahead
            && let Expr::Index(of) = without_parens(&assign.left)
        {
            let (array, at, value) = (&of.expr, &of.index, &assign.right);
            *expr = parse_quote! {
                match #value {
                    __accrue_value => (#array).put(#at, __accrue_value),
                }
            };
        }
    });
}

/// Whether a part has taken an item, where the last of equals is kept.
fn took(n: usize) -> Ident {
    format_ident!("__accrue_took_{n}")
}

/// Notes that an item is taken, beside an assignment of what is kept of it.
fn takes(plan: &LoopPlan, body: &mut syn::Block) {
    let Pattern::Histogram(roles) = &plan.pattern;
    sites::rewrite(body, |site, expr| {
        let taken = roles.best.iter().position(|best| best.last == Some(site));
        if let Some(n) = taken {
            let took = took(n);
            *expr = parse_quote!({
                #expr;
                #took = true;
            });
        }
    });
}
