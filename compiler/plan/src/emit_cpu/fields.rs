//! The arrays of the fields of bins around a loop: copied there before it and back behind it, or, where there are few iterations for them, the loop in order with
//! what puts them back after a panic.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, UnOp, parse_quote};

use super::each::{captured_scalars, read_slices, with};
use super::space::is_repeatable;
use super::undo::{Bins, Undo};
use super::value::same;
use super::work::checking;
use super::{RACE, checked, collection, unlinted};
use crate::alias;
use crate::ir::{Memory, Pattern, Target};
use crate::parsed::fields::{Field, Fields, indexed};
use crate::plan::LoopPlan;
use crate::sorted::Sorted;
use crate::syntax::names::key_of;
use crate::syntax::sites;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

/// What stands around loops over fields.
pub struct Around<'f>(pub &'f Fields);

impl Around<'_> {
    /// What runs a loop, with the arrays of fields around it: where they are not worth it, `otherwise` and the loop in order. `in_order` is whether it
    /// does not run in parallel anyhow, as the user wrote it.
    pub fn around(
        &self,
        plan: &LoopPlan,
        in_order: bool,
        run: TokenStream,
        otherwise: &TokenStream,
    ) -> TokenStream {
        let fields = self.0.of(&plan.syntax);
        if fields.is_empty() {
            return run;
        }
        let gather = fields.iter().map(|(name, field)| {
            let (array, path) = (&field.array, &field.path);
            let at = path.last().map_or_else(Span::call_site, Spanned::span);
            let get = quote_spanned!(at=> ::accrue::__rt::fields::copied(&__accrue_element #(.#path)*));
            let get = (1..field.depth).fold(get, |get, _| {
                quote_spanned!(at=> __accrue_element.each_ref().map(|__accrue_element| #get))
            });
            quote_spanned! {at=>
                #[allow(clippy::all, unused_mut)]
                let mut #name = ::accrue::__rt::fields::gather(&(#array)[::accrue::__rt::ALL], |__accrue_element| #get);
            }
        });
        let scatter = fields.iter().map(|(name, field)| {
            let (array, path) = (&field.array, &field.path);
            let at = path.last().map_or_else(Span::call_site, Spanned::span);
            let set = quote_spanned!(at=> __accrue_element #(.#path)* = __accrue_value);
            let set = (1..field.depth).fold(set, |set, _| {
                quote_spanned! {at=>
                    ::accrue::__rt::fields::scatter(__accrue_element, __accrue_value, |__accrue_element, __accrue_value| #set)
                }
            });
            quote_spanned! {at=>
                ::accrue::__rt::fields::put(&mut (#array)[::accrue::__rt::ALL], #name, |__accrue_element, __accrue_value| #set);
            }
        });
        let (gather, scatter): (Vec<_>, Vec<_>) = (gather.collect(), scatter.collect());
        let copied = quote!(#(#gather)* #run #(#scatter)*);
        let written = &self.0.loops[plan.nth_for];
        let iterations = self.0.trips.iterations(written);
        let elements = fields.iter().map(|(_, field)| {
            let array = &field.array;
            quote_spanned!(array.span()=> ::accrue::__rt::fields::count(&#array))
        });
        let elements = quote!(0 #(+ #elements)*);
        let numbers = numbers(&fields);
        let (and_numbers, or_not) = match numbers {
            Some(_) => (quote!(&&__accrue_numbers), quote!(!__accrue_numbers ||)),
            None => (quote!(), quote!()),
        };
        let few = match in_order {
            true => written.to_token_stream(),
            // Nobody knows how to undo all that it does but by copies.
            false => match self.undo(plan, &iterations) {
                Some(undo) => {
                    let (bind, copy) = (&undo.bind, undo.copy());
                    let noted = self.noted(plan, &undo);
                    let run = undo.after(quote!(__accrue_done));
                    let mut names: Vec<&Ident> = Vec::new();
                    for (_, field) in &fields {
                        if let Expr::Path(path) = &field.array
                            && let Some(name) = path.path.get_ident()
                            && !names.contains(&name)
                        {
                            names.push(name);
                        }
                    }
                    let bins = names
                        .iter()
                        .map(|name| (quote!(&mut #name[::accrue::__rt::ALL]), quote!(#name)));
                    // There are no arrays of fields.
                    let read = read_slices(plan).filter(|name| !alias::is_field(&name.to_string()));
                    let read = read.map(|name| (quote!(&*#name), quote!(#name)));
                    let arguments: Vec<_> = bins.chain(read).collect();
                    let scalars = captured_scalars(plan);
                    let apart = |run: TokenStream| {
                        let run = with(&arguments, run);
                        quote!(::accrue::__rt::fields::alone(|| {
                            #(#[allow(unused_variables)] let #scalars = #scalars;)*
                            #run
                        });)
                    };
                    let [noted, few] =
                        [noted.to_token_stream(), written.to_token_stream()].map(apart);
                    let rehearsed = self.rehearsed(plan).map(|rehearsal| {
                        let (unlinted, checked) = (unlinted(), overflowing(plan));
                        let rehearsal = apart(quote!(#unlinted #rehearsal));
                        quote! {
                            if !#checked && ::accrue::__rt::fields::rehearse(#elements, #iterations) && {
                                let mut __accrue_fits = ::accrue::__rt::fields::Fits::default();
                                #rehearsal
                                __accrue_fits.all()
                            } {
                                #few
                            } else
                        }
                    });
                    quote!(#rehearsed {
                        #bind
                        let __accrue_done = if #or_not ::accrue::__rt::fields::are_many(#elements, #iterations) {
                            #copy
                            ::accrue::__rt::fields::caught(|| { #few })
                        } else {
                            ::accrue::__rt::fields::caught(|| { #noted })
                        };
                        #run
                    })
                }
                None if numbers.is_some() => {
                    let places = plan.best.iter().flat_map(|best| &best.places);
                    let scalars = super::targets(plan).iter().zip(&plan.targets);
                    let scalars = scalars
                        .filter(|(target, _)| matches!(target.memory, Memory::Scalar(_)))
                        .map(|(_, syntax)| &syntax.expr);
                    let places: Vec<_> = places.chain(&plan.carried).chain(scalars).collect();
                    let grown: Vec<_> = plan.grown.iter().map(collection).collect();
                    let (many, sizes) = (grown.len(), 0..grown.len());
                    let grows = (many > 0).then(|| {
                        quote!(
                            use ::accrue::__rt::cpu::Grows as _;
                        )
                    });
                    return quote! {
                        #numbers
                        if __accrue_numbers { #copied } else {
                            #otherwise
                            #grows
                            let __accrue_before = (#(#places,)*);
                            let __accrue_sizes: [usize; #many] = [#(#grown.__accrue_grown().size()),*];
                            #(#gather)*
                            if let Err(__accrue_panic) = ::accrue::__rt::fields::caught(|| { #written }) {
                                #(#scatter)*
                                (#(#places,)*) = __accrue_before;
                                #(#grown.__accrue_grown().cut(__accrue_sizes[#sizes]);)*
                                ::accrue::__rt::fields::go_on(__accrue_panic);
                            }
                        }
                    };
                }
                None => return copied,
            },
        };
        quote! {
            #numbers
            if ::accrue::__rt::fields::pay(#elements, #iterations) #and_numbers {
                #copied
            } else {
                #otherwise
                #few
            }
        }
    }

    /// What puts back what a loop on the elements themselves has changed.
    fn undo(&self, plan: &LoopPlan, iterations: &TokenStream) -> Option<Undo> {
        // Nobody notes what is updated through a reference that was taken before.
        if !plan.targets.iter().all(|target| target.direct) {
            return None;
        }
        Undo::of(plan, iterations, |target| {
            let (key, _) = key_of(&target.expr)?;
            let field = self.0.known.get(&key.root)?;
            Some(Bins::Places(&field.array, field.depth, &field.path))
        })
    }

    /// A loop that evaluates the indices and values of updates and makes none, but says by `__accrue_fits` whether all indices are those of elements: where they are,
    /// the loop itself does not panic unless a sum overflows. None where it costs as much as notes.
    fn rehearsed(&self, plan: &LoopPlan) -> Option<Expr> {
        let [iteration] = &plan.iterations[..] else {
            return None;
        };
        if !plan.pure || checking(&plan.ir) > RACE || !is_repeatable(plan, &iteration.chain, false)
        {
            return None;
        }
        let is_update = |site| {
            plan.targets
                .iter()
                .any(|target| target.sites.contains(&site))
        };
        let mut run = plan.syntax.clone();
        let mut panics = Panics(false);
        let mut rest = run.body.clone();
        sites::rewrite(&mut rest, |site, e| {
            if is_update(site)
                && let Expr::Assign(syn::ExprAssign { left, right, .. })
                | Expr::Binary(syn::ExprBinary { left, right, .. }) = e
            {
                indexed(left)
                    .1
                    .iter()
                    .for_each(|index| panics.visit_expr(index));
                panics.visit_expr(right);
                *e = parse_quote!(());
            }
        });
        panics.visit_block(&rest);
        // What panics behind an index that is of no element is not what the loop panics with.
        let ends = panics.0.then(|| {
            let label = parse_quote!('__accrue_rehearsal:);
            let label = &run.label.get_or_insert(label).name;
            quote!(if !__accrue_fits.all() { break #label; })
        });
        let mut known = true;
        sites::rewrite(&mut run.body, |site, e| {
            if is_update(site)
                && let Expr::Assign(syn::ExprAssign { left, right, .. })
                | Expr::Binary(syn::ExprBinary { left, right, .. }) = e
            {
                let (base, indices) = indexed(left);
                let field = key_of(base).and_then(|(key, _)| self.0.known.get(&key.root));
                let fits = match field {
                    Some(Field {
                        array, depth: 1, ..
                    }) if indices.len() == 1 => {
                        quote!(__accrue_fits.see(#(#indices)*, ::accrue::__rt::fields::count(&#array)); #ends)
                    }
                    _ if indices.is_empty() => quote!(),
                    _ => {
                        known = false;
                        return;
                    }
                };
                *e = parse_quote!({ let _ = #right; #fits });
            }
        });
        Places(&self.0.known).visit_block_mut(&mut run.body);
        known.then_some(Expr::ForLoop(run))
    }

    /// A loop on the elements themselves, with notes.
    fn noted(&self, plan: &LoopPlan, undo: &Undo) -> Expr {
        let mut run = plan.syntax.clone();
        sites::rewrite(&mut run.body, |site, e| {
            let left = match e {
                Expr::Assign(e) => &mut e.left,
                Expr::Binary(e) => &mut e.left,
                _ => return,
            };
            if let Some(name) = undo.notes.get(&site) {
                // Of a field that is an array all of it is noted.
                let (base, indices) = indexed(left);
                let field = key_of(base).and_then(|(key, _)| self.0.known.get(&key.root));
                let depth = field.map_or(indices.len(), |field| field.depth);
                let (of, within) = indices.split_at(depth.min(indices.len()));
                **left = match within {
                    [] => parse_quote!(*#name.note(&mut #left)),
                    within => parse_quote!(#name.note(&mut #base #([#of])*) #([#within])*),
                };
            }
        });
        Places(&self.0.known).visit_block_mut(&mut run.body);
        // No element is borrowed where a body begins.
        struct Bodies<'a>(&'a [TokenStream]);
        impl VisitMut for Bodies<'_> {
            fn visit(&mut self, node: visit_mut::Node<'_>) {
                match node {
                    visit_mut::Node::Expr(e) => {
                        visit_mut::visit_expr_mut(self, e);
                        let body = match e {
                            Expr::ForLoop(of) => &mut of.body,
                            Expr::While(of) => &mut of.body,
                            Expr::Loop(of) => &mut of.body,
                            _ => return,
                        };
                        let (copies, stmts) = (self.0, &body.stmts);
                        *body = parse_quote!({ #(#copies)* #(#stmts)* });
                    }
                    _ => node.parts(self),
                }
            }
        }
        let mut run = Expr::ForLoop(run);
        Bodies(&undo.once_many).visit_expr_mut(&mut run);
        run
    }
}

/// The elements' fields for their arrays.
struct Places<'a>(&'a Sorted<String, Field>);

impl VisitMut for Places<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                visit_mut::visit_expr_mut(self, e);
                let (base, indices) = indexed(e);
                let Expr::Path(name) = base else { return };
                let field = name.path.get_ident().map(ToString::to_string);
                let Some(field) = field.and_then(|name| self.0.get(&name)) else {
                    return;
                };
                if indices.len() == field.depth {
                    let (array, path) = (&field.array, &field.path);
                    *e = parse_quote!(#array #([#indices])* #(.#path)*);
                }
            }
            _ => node.parts(self),
        }
    }
}

/// Whether an update may panic although its index and its value do not, as a const argument.
fn overflowing(plan: &LoopPlan) -> TokenStream {
    let Pattern::Histogram(roles) = &plan.pattern;
    let float = |target: &Target| target.elem.is_some_and(|elem| elem.is_float());
    match roles.targets.iter().all(float) {
        true => quote!(false),
        false => checked(),
    }
}

/// Whether something may panic.
struct Panics(bool);

impl<'a> Visit<'a> for Panics {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                self.0 |= match e {
                    Expr::Index(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) => true,
                    Expr::Unary(of) => matches!(of.op, UnOp::Neg(_)),
                    Expr::Binary(both) => !matches!(
                        both.op,
                        BinOp::Lt(_)
                            | BinOp::Le(_)
                            | BinOp::Gt(_)
                            | BinOp::Ge(_)
                            | BinOp::Eq(_)
                            | BinOp::Ne(_)
                            | BinOp::And(_)
                            | BinOp::Or(_)
                    ),
                    _ => false,
                };
                visit::visit_expr(self, e);
            }
            visit::Node::Macro(_) => {
                self.0 = true;
            }
            _ => node.parts(self),
        }
    }
}

/// Binds whether no field that a comparison stands for an extremum of is NaN: each is itself. None where there are no such fields.
fn numbers(fields: &[(Ident, &Field)]) -> Option<TokenStream> {
    let mut arrays: Vec<(&Expr, TokenStream)> = Vec::new();
    for (_, field) in fields.iter().filter(|(_, field)| field.compared) {
        let (array, path) = (&field.array, &field.path);
        let at = path.last().map_or_else(Span::call_site, Spanned::span);
        let is = quote_spanned!(at=> __accrue_element #(.#path)* == __accrue_element #(.#path)*);
        let is = (1..field.depth).fold(
            is,
            |is, _| quote_spanned!(at=> __accrue_element.iter().all(|__accrue_element| #is)),
        );
        match arrays.iter_mut().find(|(of, _)| same(of, array)) {
            Some((_, all)) => all.extend(quote_spanned!(at=> && #is)),
            None => arrays.push((array, is)),
        }
    }
    let numbers = arrays.into_iter().map(|(array, is)| {
        quote_spanned!(array.span()=> (#array)[::accrue::__rt::ALL].iter().all(|__accrue_element| #is))
    });
    let all = numbers.reduce(|a, b| quote!(#a && #b))?;
    Some(quote! {
        #[allow(clippy::all)]
        let __accrue_numbers = #all;
    })
}
