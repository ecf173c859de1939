//! What the body of a loop gets in the place of what it writes, and the members of a call that combine it.

use crate::syntax::visit_mut::VisitMut as _;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::body::{Names, took};
use super::{combining, depth, is_source, keyed};
use crate::emit_cpu::{checked, collection, known, operator, terms};
use crate::ir::{self, Histogram, Map, Memory, Pattern, Ring};
use crate::plan::LoopPlan;

/// What is declared for what a loop writes, and under which names its body finds that.
pub(super) struct Parts<'a> {
    plan: &'a LoopPlan,
    roles: &'a Histogram,
    /// The names in the body.
    pub names: Names<'a>,
    /// Of arrays with own elements what is declared before the loop, and what in a part.
    pub handles: Vec<(TokenStream, TokenStream)>,
    /// Their names in a part.
    pub own: Vec<Ident>,
    /// The same as arguments of a part, value and pattern.
    pub lent: Vec<(TokenStream, TokenStream)>,
    /// What else is declared before the loop.
    pub before: Vec<TokenStream>,
    /// What the call combines.
    pub members: Vec<TokenStream>,
    /// The names of a part's copies, of what is combined and behind them of what is carried; what makes locals of them, and what brings these back.
    pub copies: Vec<(Ident, TokenStream, TokenStream)>,
    /// How many of the copies are combined.
    pub combining: usize,
    /// What the call carries from part to part.
    pub carried: Vec<TokenStream>,
    /// The patterns of a part's values of that.
    pub carries: Vec<TokenStream>,
    /// The patterns of what is combined into it.
    pub totals: Vec<TokenStream>,
    /// Of arrays that are filled what is declared before the loop, and what in a part.
    pub slots: Vec<(TokenStream, TokenStream)>,
    /// What the iteration before a part leaves to it.
    pub delays: Vec<TokenStream>,
}

impl<'a> Parts<'a> {
    /// Whether a loop has nothing but what it carries along.
    pub(super) fn only_carry(&self) -> bool {
        self.handles.is_empty() && self.members.is_empty() && self.slots.is_empty()
    }

    /// The parts of a loop.
    ///
    /// # Errors
    ///
    /// Why it has to stay in order.
    pub(super) fn of(plan: &'a LoopPlan) -> Result<Self, String> {
        let Pattern::Histogram(roles) = &plan.pattern;
        if !roles.scattered.is_empty() && !roles.carried.is_empty() {
            return Err(
                "iterations write elements of each other's rows, and carry something along"
                    .to_owned(),
            );
        }
        let mut parts = Parts {
            plan,
            roles,
            names: Names::new(plan),
            handles: Vec::new(),
            own: Vec::new(),
            lent: Vec::new(),
            before: Vec::new(),
            members: Vec::new(),
            copies: Vec::new(),
            combining: 0,
            carried: Vec::new(),
            carries: Vec::new(),
            totals: Vec::new(),
            slots: Vec::new(),
            delays: Vec::new(),
        };
        parts.owned();
        parts.targets()?;
        parts.best();
        parts.grown();
        parts.keyed();
        parts.combining = parts.copies.len();
        let item_of = parts.carried();
        parts.filled(&item_of);
        parts.delays();
        Ok(parts)
    }

    /// Arrays of which iterations have elements of their own.
    fn owned(&mut self) {
        let (plan, roles, rt) = (self.plan, self.roles, quote!(::accrue::__rt::cpu));
        for (n, &id) in roles.owned.iter().enumerate() {
            let expr = &plan.arrays[id.0 as usize].expr;
            let span = expr.span().resolved_at(proc_macro2::Span::call_site());
            if is_source(plan, expr) {
                continue;
            }
            let handle = format_ident!("__accrue_own_{n}");
            let name = self.names.local(expr, &handle);
            let lends = match roles.scattered.contains(&id) {
                true => {
                    let rows = format_ident!("__accrue_rows_{n}");
                    self.names.scattered.push(expr.clone());
                    quote_spanned! { span=>
                        let #rows = #rt::rows_of(&mut (#expr)[::accrue::__rt::ALL]);
                        let #handle = #rt::Rows::new(&#rows);
                    }
                }
                false => {
                    self.own.push(name.clone());
                    // Of a field that only rustc knows it may be a slice behind `&`, on whose elements something is called.
                    let is_known = plan.ir.array(id).elem.is_known();
                    match expr {
                        syn::Expr::Field(_) if !is_known => quote_spanned! { span=>
                            let #handle = {
                                use #rt::fields::{Lent as _, Shared as _};
                                (#expr).__accrue_elements()
                            };
                        },
                        _ => {
                            quote_spanned!(span=> let #handle = #rt::Own::new(&mut (#expr)[::accrue::__rt::ALL]);)
                        }
                    }
                }
            };
            self.handles.push((lends, quote!(let mut #name = #handle;)));
            // Each as an argument of a part, as what is read.
            self.lent.push((quote!(#handle), quote!(mut #name)));
        }
    }

    /// Bins, and scalars that are combined.
    fn targets(&mut self) -> Result<(), String> {
        let (plan, roles, rt) = (self.plan, self.roles, quote!(::accrue::__rt::cpu));
        for (n, (target, syntax)) in roles.targets.iter().zip(&plan.targets).enumerate() {
            let expr = &syntax.expr;
            let copy = format_ident!("__accrue_copy_{n}");
            let (op, checked) = (operator(combining(target.op)), checked());
            let span = expr.span().resolved_at(proc_macro2::Span::call_site());
            match target.memory {
                Memory::Scalar(_) => {
                    let make = quote_spanned!(span=> #rt::combined::scalar::<#checked, _, _>);
                    let place = quote_spanned!(span=> &mut (#expr));
                    self.members.push(match target.elem {
                        Some(_) => quote_spanned!(span=> #make(#place, #op)),
                        None => known(span, &format_ident!("scalar"), &place, &op, &make),
                    });
                    let value = format_ident!("__accrue_value_{n}");
                    let (begins, ends) = self.names.scalar(expr, &value, &quote!(*#copy));
                    self.copies.push((copy, begins, ends));
                }
                Memory::Bins(id) => {
                    let Some(depth) = depth(plan, n) else {
                        return Err(format!(
                            "`{}` has bins of several dimensions, beside elements that iterations write",
                            plan.ir.array(id).name
                        ));
                    };
                    let name = self.names.local(expr, &format_ident!("__accrue_bins_{n}"));
                    let all = quote_spanned!(span=> (#expr)[::accrue::__rt::ALL]);
                    let (bins, own) = match depth {
                        1 => (
                            quote_spanned!(span=> &mut #all),
                            quote!(&mut #copy[::accrue::__rt::ALL]),
                        ),
                        _ => {
                            let row = format_ident!("__accrue_row_{n}");
                            self.before.push(
                                quote_spanned!(span=> let #row = #rt::combined::row_of(&#all);),
                            );
                            (
                                quote_spanned!(span=> #all.as_flattened_mut()),
                                quote!(#row.rows(&mut #copy[::accrue::__rt::ALL])),
                            )
                        }
                    };
                    let make = quote_spanned!(span=> #rt::combined::bins::<#checked, _, _>);
                    self.members.push(match target.elem {
                        Some(_) => quote_spanned!(span=> #make(#bins, #op)),
                        None => known(span, &format_ident!("bins"), &bins, &op, &make),
                    });
                    self.copies
                        .push((copy.clone(), quote!(let #name = #own;), quote!()));
                }
            }
        }
        Ok(())
    }

    /// What keeps the best item.
    fn best(&mut self) {
        let (plan, roles, rt) = (self.plan, self.roles, quote!(::accrue::__rt::cpu));
        // What a loop writes in place it cannot write again.
        let again = roles.owned.is_empty() && roles.filled.is_empty() && roles.carried.is_empty();
        for (n, (best, syntax)) in roles.best.iter().zip(&plan.best).enumerate() {
            let copy = format_ident!("__accrue_best_{n}");
            let (mut begins, mut ends) = (TokenStream::new(), TokenStream::new());
            let (mut of_key, mut at) = (TokenStream::new(), quote!());
            for (m, place) in syntax.places.iter().enumerate() {
                let value = format_ident!("__accrue_best_{n}_{m}");
                let slot = quote!(#copy #at.0);
                let begin = quote!(::core::clone::Clone::clone(&#slot));
                begins.extend(self.names.scalar(place, &value, &begin).0);
                ends.extend(self.names.scalar(place, &value, &slot).1);
                of_key.extend(
                    self.names
                        .scalar(place, &value, &quote!(__accrue_values #at.0))
                        .0,
                );
                at.extend(quote!(.1));
            }
            // Of equal items only a part that has taken one has a later one.
            let took = took(n);
            let innermost = match best.last.or(best.option) {
                Some(_) => {
                    let (place, slot) = (format_ident!("__accrue_any_{n}"), quote!(#copy #at.0));
                    self.before.push(match best.option {
                        Some(_) => quote!(let mut #place: #rt::combined::Taken = ::core::default::Default::default();),
                        None => quote!(let mut #place = false;),
                    });
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
            self.names.visit_expr_mut(&mut key);
            let ordered = match (best.overflows, best.lazy) {
                (_, true) if !again => quote!(true),
                (true, _) => checked(),
                _ => quote!(false),
            };
            self.copies.push((copy, begins, ends));
            let (is_last, lazy) = (best.ends, best.lazy && again);
            let span = key.span().resolved_at(proc_macro2::Span::call_site());
            let compared =
                quote_spanned!(span=> ::accrue::__rt::cpu::combined::compared(__accrue_key));
            let of_values = quote! {
                |__accrue_values| {
                    #[allow(unused_mut, unused_variables)]
                    let __accrue_key = { #of_key #key };
                    #compared
                }
            };
            self.members.push(match best.option {
                Some(_) => quote! {
                    #rt::combined::kept::<#ordered, #lazy, #again, _, _>(
                        #places,
                        #of_values,
                        #last,
                        |__accrue_values| __accrue_values #at .0,
                    )
                },
                None => quote! {
                    #rt::combined::best::<#ordered, #lazy, #is_last, _, _>(
                        #places,
                        #of_values,
                        (#less, #last),
                        #untouched,
                    )
                },
            });
        }
    }

    /// Collections that are appended to.
    fn grown(&mut self) {
        let plan = self.plan;
        for (n, place) in plan.grown.iter().enumerate() {
            let copy = format_ident!("__accrue_grown_{n}");
            let collection = collection(place);
            self.members.push(quote!(#collection.__accrue_grown()));
            let name = self
                .names
                .local(place, &format_ident!("__accrue_behind_{n}"));
            self.copies
                .push((copy.clone(), quote!(let #name = &mut **#copy;), quote!()));
        }
    }

    /// Maps that are grouped by keys.
    fn keyed(&mut self) {
        let plan = self.plan;
        for (n, map) in plan.keyed.iter().enumerate() {
            let (copy, place) = (format_ident!("__accrue_keyed_{n}"), &map.place);
            self.members.push(keyed::member(map));
            let name = self
                .names
                .local(place, &format_ident!("__accrue_grouped_{n}"));
            self.copies
                .push((copy.clone(), quote!(let #name = &mut **#copy;), quote!()));
        }
    }

    /// Scalars that are carried along. Which item of the list each is.
    fn carried(&mut self) -> Vec<usize> {
        let (plan, roles, rt) = (self.plan, self.roles, quote!(::accrue::__rt::cpu));
        let mut item_of: Vec<usize> = Vec::new();
        let copy_of = |n: usize| format_ident!("__accrue_carried_{n}");
        for (n, (scan, place)) in roles.carried.iter().zip(&plan.carried).enumerate() {
            let copy = copy_of(n);
            let value = format_ident!("__accrue_carried_value_{n}");
            let (begins, ends) = self.names.scalar(place, &value, &quote!(*#copy));
            self.copies.push((copy.clone(), begins, ends));
            item_of.push(self.carried.len());
            let is_cursor = roles.filled.iter().any(|filled| filled.cursor == scan.var);
            let op = operator(scan.op);
            let span = place.span().resolved_at(proc_macro2::Span::call_site());
            let total = terms::total(n);
            let (mut copy, mut total) = (quote!(#copy), quote!(#total));
            let at = |var: &ir::VarId| {
                let mut carried = roles.carried.iter();
                carried.position(|c| c.var == *var).unwrap_or(n)
            };
            self.carried.push(match &scan.map {
                None if is_cursor => quote_spanned!(span=> #rt::cursor(&mut (#place), #op)),
                None => {
                    // Where signs differ, only the loop itself can tell whether a sum overflows.
                    let checked = match scan.op.two_signs {
                        true => quote!(false),
                        false => checked(),
                    };
                    let make = quote_spanned!(span=> #rt::scan::<#checked, _, _>);
                    let memory = quote_spanned!(span=> &mut (#place));
                    match &plan.ir.var(scan.var).ty {
                        ir::Type::Scalar(_) => quote_spanned!(span=> #make(#memory, #op)),
                        _ => known(span, &format_ident!("scalar"), &memory, &op, &make),
                    }
                }
                Some(Map::Latest) => quote_spanned!(span=> #rt::latest(&mut (#place))),
                Some(Map::Since) => {
                    let checked = checked();
                    quote_spanned!(span=> #rt::restarting::<#checked, _, _>(&mut (#place), #op))
                }
                // One item for all of them, where the first stands.
                Some(Map::Sum(_, vars) | Map::Best(ir::Running { vars, .. }))
                    if vars[0] != scan.var =>
                {
                    continue;
                }
                Some(Map::Best(of)) => {
                    let all = of.vars.iter().map(at).rev();
                    let pair = |rest: TokenStream, first: TokenStream| quote!((#first, #rest));
                    let (mut places, [mut copies, mut totals]) =
                        (quote!(()), [quote!(()), quote!(())]);
                    for n in all {
                        let place = &plan.carried[n];
                        let (held, kept) = (copy_of(n), terms::total(n));
                        places = pair(places, quote!(&mut (#place)));
                        copies = pair(copies, quote!(#held));
                        totals = pair(totals, quote!(#kept));
                    }
                    (copy, total) = (copies, totals);
                    let ordered = match of.overflows {
                        true => checked(),
                        false => quote!(false),
                    };
                    let (less, last) = (of.less, of.last);
                    quote_spanned!(span=> #rt::running::<#ordered, #less, #last, _>(#places))
                }
                Some(Map::Sum(ring, vars)) => {
                    let all: Vec<usize> = vars.iter().map(at).collect();
                    let places = all.iter().map(|n| &plan.carried[*n]);
                    let limited = |ring| quote_spanned!(span=> #rt::limited(&mut (#place), #ring));
                    let places = quote!([#(&mut (#places)),*]);
                    let checked = checked();
                    let (of, several) = match ring {
                        Ring::SumProduct => (
                            quote_spanned!(span=> #rt::recurrence::<#checked, _, _, _>(#places, #rt::op::SumProduct)),
                            true,
                        ),
                        Ring::XorAnd => (
                            quote_spanned!(span=> #rt::recurrence::<false, _, _, _>(#places, #rt::op::XorAnd)),
                            true,
                        ),
                        Ring::Residues => (quote_spanned!(span=> #rt::residues(#places)), true),
                        Ring::MaxPlus => (limited(quote!(#rt::op::MaxPlus)), false),
                        Ring::MinPlus => (limited(quote!(#rt::op::MinPlus)), false),
                    };
                    if several {
                        let copies = all.iter().map(|n| copy_of(*n));
                        let sums = all.iter().map(|n| terms::total(*n));
                        (copy, total) = (quote!([#(#copies),*]), quote!([#(#sums),*]));
                    }
                    of
                }
            });
            self.carries.push(copy);
            self.totals.push(total);
        }
        item_of
    }

    /// Arrays that are filled at a cursor.
    fn filled(&mut self, item_of: &[usize]) {
        let (plan, roles, rt) = (self.plan, self.roles, quote!(::accrue::__rt::cpu));
        for (n, filled) in roles.filled.iter().enumerate() {
            let expr = &plan.arrays[filled.array.0 as usize].expr;
            let span = expr.span().resolved_at(proc_macro2::Span::call_site());
            let handle = format_ident!("__accrue_slots_{n}");
            let name = self.names.local(expr, &handle);
            let cursor = roles.carried.iter().position(|c| c.var == filled.cursor);
            let cursor = cursor.expect("a cursor is carried");
            let at = (0..item_of[cursor]).map(|_| quote!(.1));
            self.slots.push((
                quote_spanned!(span=> let #handle = #rt::Own::new(&mut (#expr)[::accrue::__rt::ALL]);),
                quote! {
                    let mut #name = #handle.within(__accrue_reach.of(|__accrue_values| #rt::number(&__accrue_values #(#at)* .0)));
                },
            ));
        }
    }

    /// What is used before the iteration changes it.
    fn delays(&mut self) {
        let (plan, roles) = (self.plan, self.roles);
        for (n, (scan, place)) in roles.carried.iter().zip(&plan.carried).enumerate() {
            if scan.delayed {
                let held = format_ident!("__accrue_before_{n}");
                // The name that the body has for it.
                let value = format_ident!("__accrue_carried_value_{n}");
                self.before.push(quote!(let #held = #place;));
                self.delays
                    .push(self.names.scalar(place, &value, &quote!(#held)).0);
            }
        }
    }
}
