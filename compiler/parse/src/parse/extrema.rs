//! Extrema of floats that are written as comparisons.
//!
//! `if v > h[k] { h[k] = v; }` is `h[k] = h[k].max(v)` where no bin is NaN before the loop: the comparison keeps a bin that is, `max` takes the
//! number in its place, and neither takes a value that is. So such a loop stands twice in what this makes of a function: as maxima where the
//! bins are numbers, and in order, as it is written, where one is not. Of zeros of two signs `max` may keep the other one.
//!
//! So does one that looks for both ends (`ends.rs`) at once.

use crate::sorted::{Sorted, SortedSet};

use crate::syntax::visit::Visit;
use crate::syntax::visit_mut::{self, VisitMut};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, Ident, ItemFn, parse_quote, parse_quote_spanned};

use super::ends::{self, Ends};
use super::idioms::{self, Idioms};
use super::marks;
use super::trips::Trips;
use crate::ir::Scalar;
use crate::parsed::fields::Bound;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut arrays = idioms::arrays(function);
    arrays.retain(|_, (scalar, _)| scalar.is_float());
    let mut loops = Loops {
        arrays,
        trips: Trips::of(function),
        beyond: ends::beyond(function),
        found: false,
    };
    loops.visit_block_mut(&mut function.block);
    loops.found
}

struct Loops {
    arrays: Sorted<String, (Scalar, usize)>,
    trips: Trips,
    /// Variables that are no ends of items before the loop.
    beyond: SortedSet<String>,
    found: bool,
}

impl VisitMut for Loops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match e {
                Expr::ForLoop(of) => {
                    if let Some(twice) = self.twice(of) {
                        *e = twice;
                        self.found = true;
                    }
                }
                Expr::Closure(_) | Expr::Async(_) => {}
                _ => visit_mut::visit_expr_mut(self, e),
            },
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Loops {
    /// An outermost loop in both forms.
    fn twice(&self, of: &ExprForLoop) -> Option<Expr> {
        if marks::may_be_marked(&of.attrs) {
            return None;
        }
        let mut maxima = of.clone();
        let mut arrays = self.arrays.clone();
        // Whether an array of an iteration's own has a NaN is nothing to ask before the loop.
        Bound(&mut |name| {
            arrays.remove(name);
        })
        .visit_expr_for_loop(of);
        let found = Idioms::of_floats(&arrays, &mut maxima);
        let ends = Ends::part(&mut maxima, &self.beyond);
        let mut why = Vec::new();
        if let Some((last, others)) = found.split_last() {
            let names = match others {
                [] => format!("`{last}`"),
                _ => {
                    let others: Vec<String> = others.iter().map(Ident::to_string).collect();
                    format!("`{}` and `{last}`", others.join("`, `"))
                }
            };
            why.push(format!(
                "where an element of {names} is NaN, or the elements are many beside the iterations"
            ));
        }
        why.extend(ends.iter().map(Ends::why));
        if why.is_empty() {
            return None;
        }
        let why = why.join("; ");
        let at = of
            .for_token
            .span()
            .resolved_at(proc_macro2::Span::call_site());
        let iterations = self.trips.iterations(of);
        let numbers = found.iter().map(
            |bins| quote_spanned!(at=> ::accrue::__rt::numbers(&#bins[::accrue::__rt::ALL], #iterations)),
        );
        let ordered = ends
            .iter()
            .map(|Ends { least, most }| quote_spanned!(at=> #least <= #most));
        let numbers = numbers.chain(ordered);
        let mut written = of.clone();
        written.attrs.push(parse_quote!(#[sequential = #why]));
        Some(parse_quote_spanned! {at=>
            if #(#numbers)&&* { #maxima } else { #written }
        })
    }
}
