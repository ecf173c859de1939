//! The arrays of the fields of bins around a loop: copied there before it and back behind it, or, where there are few iterations for them, the loop in order with
//! what puts them back after a panic.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, parse_quote};

use super::each::in_registers;
use super::undo::{Bins, Undo};
use crate::alias;
use crate::parse::fields::{Field, Fields, indexed};
use crate::plan::LoopPlan;
use crate::syntax::names::{identifiers, key_of};
use crate::syntax::sites;
use crate::syntax::visit_mut::{self, VisitMut};

impl Fields {
    /// What runs a loop, with the arrays of fields around it: where they are not worth it, `otherwise` and the loop in order. `in_order` is whether it
    /// does not run in parallel anyhow, as the user wrote it.
    pub fn around(
        &self,
        plan: &LoopPlan,
        in_order: bool,
        run: TokenStream,
        otherwise: &TokenStream,
    ) -> TokenStream {
        let fields = self.of(&plan.syntax);
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
                #[allow(clippy::all)]
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
        let copied = quote!(#(#gather)* #run #(#scatter)*);
        let written = &self.loops[plan.nth_for];
        let iterations = self.trips.iterations(written);
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
                    let (bind, copy) = (&undo.bind, &undo.copy);
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
                    let mut copies = in_registers(plan);
                    // There are no arrays of fields.
                    copies.retain(|copy| {
                        let mut words = Vec::new();
                        identifiers(copy.clone(), &mut words);
                        !words.iter().any(|word| alias::is_field(&word.to_string()))
                    });
                    let copies = quote! {
                        #(#[allow(unused_variables)] #copies)*
                        #(let #names = &mut #names[::accrue::__rt::ALL];)*
                    };
                    quote! {
                        #bind
                        let __accrue_done = if #or_not ::accrue::__rt::fields::are_many(#elements, #iterations) {
                            #copy
                            ::accrue::__rt::fields::caught(|| { #copies #written })
                        } else {
                            ::accrue::__rt::fields::caught(|| { #copies #noted })
                        };
                        #run
                    }
                }
                None if numbers.is_some() => {
                    return quote!(#numbers if __accrue_numbers { #copied } else { #otherwise #written });
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
            let field = self.known.get(&key.root)?;
            Some(Bins::Places(&field.array, field.depth, &field.path))
        })
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
                **left = parse_quote!(*#name.note(&mut #left));
            }
        });
        struct Places<'a>(&'a BTreeMap<String, Field>);
        impl VisitMut for Places<'_> {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
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
        }
        Places(&self.known).visit_block_mut(&mut run.body);
        // No element is borrowed where a body begins.
        struct Bodies<'a>(&'a [TokenStream]);
        impl VisitMut for Bodies<'_> {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
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
        }
        let mut run = Expr::ForLoop(run);
        Bodies(&undo.once_many).visit_expr_mut(&mut run);
        run
    }
}

/// Binds whether no field that a comparison stands for an extremum of is NaN: each is itself. None where there are no such fields.
fn numbers(fields: &[(Ident, &Field)]) -> Option<TokenStream> {
    let compared = fields.iter().filter(|(_, field)| field.compared);
    let numbers = compared.map(|(_, field)| {
        let (array, path) = (&field.array, &field.path);
        let at = path.last().map_or_else(Span::call_site, Spanned::span);
        let is = quote_spanned!(at=> __accrue_element #(.#path)* == __accrue_element #(.#path)*);
        let is = (1..field.depth).fold(
            is,
            |is, _| quote_spanned!(at=> __accrue_element.iter().all(|__accrue_element| #is)),
        );
        quote_spanned!(at=> (#array)[::accrue::__rt::ALL].iter().all(|__accrue_element| #is))
    });
    let all = numbers.reduce(|a, b| quote!(#a && #b))?;
    Some(quote! {
        #[allow(clippy::all)]
        let __accrue_numbers = #all;
    })
}
