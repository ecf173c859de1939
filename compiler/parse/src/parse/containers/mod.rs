//! Arrays of the crate ndarray, and pictures of the crate image (`pixels.rs`), in loops: in each loop that uses one only as below, its elements where they lie one behind the other.
//!
//! | written | stands for |
//! | --- | --- |
//! | `a[[y, x]]`, `a[(y, x)]`; `a[i]` of one dimension | the element `y * w + x` of a slice, `x < w` |
//! | `a.dim()`, `a.nrows()`, `a.ncols()`, `a.shape()[k]`, `a.len_of(Axis(k))` | numbers that are known before the loop |
//! | `a.len()`, `a.iter()`, `a.iter_mut()`, `for v in &a` | the same of the slice |
//! | `for ((y, x), v) in a.indexed_iter()`, `indexed_iter_mut()`, of two dimensions | a loop over rows, and one over each row's elements |
//! | `for row in a.rows()`, `a.outer_iter()`, `a.rows_mut()`, of two dimensions | chunks of it, where `row` is used as a slice |
//!
//! What this makes of a function is a *view* of it: the stages judge it, and nobody prints it but for the loops that run in parallel. Around each of
//! these stands what binds the slices and lengths, by traits that only ndarray's types implement, so that rustc confirms what a name was taken for.
//! Where an array lies otherwise, by columns, backwards, or with gaps, or has no elements, the call runs the loop as the user wrote it.

mod declared;
pub(crate) mod inside;
mod loops;
mod pixels;
mod rows;

use crate::sorted::{Sorted, SortedSet};

use crate::sorted;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::VisitMut;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{ExprForLoop, ItemFn, parse_quote};

use super::names::identifiers;
use crate::alias;
use crate::parsed::containers::{Container, Containers, Crates, Kind};

/// The arrays that a function's loops use as slices; `None` where there are none.
pub fn find(function: &ItemFn, crates: Crates) -> Option<Containers> {
    let mut known = declared::all(function);
    known.retain(|_, container| match container.kind {
        Kind::Array => crates.ndarray,
        Kind::Picture => crates.image,
    });
    let mut words = Vec::new();
    identifiers(function.to_token_stream(), &mut words);
    if known.is_empty() || words.iter().any(|w| w.to_string().starts_with("__accrue_")) {
        return None;
    }
    let mut view = function.clone();
    let mut rewriter = loops::Loops {
        known: &known,
        used: SortedSet::new(),
        conditions: Sorted::new(),
    };
    rewriter.visit_block_mut(&mut view.block);
    let conditions = rewriter.conditions;
    let mut used: Vec<String> = rewriter.used.into_iter().collect();
    sorted::sort(&mut used);
    for name in &used {
        let Container {
            rank,
            elem,
            writable,
            ..
        } = &known[name];
        let slice = alias::slice(name, Span::call_site());
        view.sig.inputs.push(match writable {
            true => parse_quote!(#slice: &mut [#elem]),
            false => parse_quote!(#slice: &[#elem]),
        });
        for n in 0..*rank {
            let dimension = alias::dimension(name, n, Span::call_site());
            view.sig.inputs.push(parse_quote!(#dimension: usize));
        }
        for side in known[name].sides(name) {
            view.sig.inputs.push(parse_quote!(#side: u32));
        }
    }
    struct All(Vec<ExprForLoop>);
    impl<'a> Visit<'a> for All {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprForLoop(of) => {
                    self.0.push(of.clone());
                    visit::visit_expr_for_loop(self, of);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut all = All(Vec::new());
    all.visit_block(&function.block);
    (!used.is_empty()).then_some(Containers {
        view,
        known,
        conditions,
        loops: all.0,
    })
}

/// The crate whose arrays a function has, and whose feature is off.
pub fn missing(function: &ItemFn, crates: Crates) -> Option<&'static str> {
    let known = declared::all(function);
    let has = |kind| known.values().any(|container| container.kind == kind);
    match () {
        _ if !crates.ndarray && has(Kind::Array) => Some("ndarray"),
        _ if !crates.image && has(Kind::Picture) => Some("image"),
        _ => None,
    }
}
