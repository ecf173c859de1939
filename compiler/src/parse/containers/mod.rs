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

use std::collections::{HashMap, HashSet};

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::VisitMut;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprForLoop, Ident, ItemFn, Type, parse_quote};

use super::known::READING_METHODS;
use super::names::{self, Called, identifiers, root_of};
use crate::alias;
use crate::ir::Method;

/// What stands for the arrays of a function's loops.
#[derive(Clone, Debug)]
pub struct Containers {
    /// The function over slices. Its loops have the numbers that they have in the user's.
    pub view: ItemFn,
    pub(crate) known: HashMap<String, Container>,
    /// What must hold for indices that are not checked.
    pub(crate) conditions: inside::Conditions,
    /// The user's loops, as `syn::visit` enters them.
    pub(crate) loops: Vec<ExprForLoop>,
}

/// An array of another crate.
#[derive(Clone, Debug)]
pub(crate) struct Container {
    kind: Kind,
    pub(crate) rank: usize,
    /// The type of an element, where it is written.
    elem: Type,
    /// Whether the name is a reference to it.
    pub(crate) by_reference: bool,
    /// Whether its elements may be changed.
    pub(crate) writable: bool,
}

impl Container {
    /// The names of what a picture says of its height and its width.
    pub(crate) fn sides(&self, name: &str) -> Vec<Ident> {
        match self.kind {
            Kind::Array => Vec::new(),
            Kind::Picture => vec![
                alias::side(name, 0, Span::call_site()),
                alias::side(name, 1, Span::call_site()),
            ],
        }
    }
}

/// The crate that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// ndarray.
    Array,
    /// image: two dimensions, rows first, of arrays of numbers.
    Picture,
}

/// The crates whose arrays are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crates {
    /// ndarray.
    pub ndarray: bool,
    /// image.
    pub image: bool,
}

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
        used: HashSet::new(),
        conditions: HashMap::new(),
    };
    rewriter.visit_block_mut(&mut view.block);
    let conditions = rewriter.conditions;
    let mut used: Vec<String> = rewriter.used.into_iter().collect();
    used.sort();
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
        fn visit_expr_for_loop(&mut self, of: &'a ExprForLoop) {
            self.0.push(of.clone());
            visit::visit_expr_for_loop(self, of);
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

impl Containers {
    /// A place as the view has it.
    pub fn place(&self, place: &Expr) -> Expr {
        let mut place = place.clone();
        if let Expr::Path(path) = &mut place
            && let Some(name) = path.path.get_ident()
            && self.known.contains_key(&name.to_string())
        {
            let slice = alias::slice(&name.to_string(), name.span());
            place = parse_quote!(#slice);
        }
        place
    }

    /// The names of the arrays that a loop of the view uses as slices.
    pub(crate) fn of(&self, view: &ExprForLoop) -> Vec<&String> {
        let mut words = Vec::new();
        identifiers(view.to_token_stream(), &mut words);
        let words: HashSet<String> = words.iter().map(Ident::to_string).collect();
        let is_used = |name: &&String| {
            let container = &self.known[*name];
            let here = Span::call_site();
            let dimensions = (0..container.rank).map(|n| alias::dimension(name, n, here));
            let slice = [alias::slice(name, here)].into_iter();
            let mut all = slice.chain(dimensions).chain(container.sides(name));
            all.any(|name| words.contains(&name.to_string()))
        };
        let mut names: Vec<&String> = self.known.keys().filter(is_used).collect();
        names.sort();
        names
    }

    /// Whether a loop of the view uses any.
    pub fn has(&self, view: &ExprForLoop) -> bool {
        !self.of(view).is_empty()
    }

    /// A line for `explain`.
    pub fn explain(&self, view: &ExprForLoop) -> Option<String> {
        let names: Vec<&str> = self.of(view).into_iter().map(String::as_str).collect();
        let (last, others) = names.split_last()?;
        let inside = match inside::required(view, &self.conditions).is_empty() {
            true => "",
            false => ", and no index leaves its array",
        };
        Some(match others {
            [] => format!("  where {last} lies row by row{inside}; else in order\n"),
            _ => format!(
                "  where {} and {last} lie row by row{inside}; else in order\n",
                others.join(", ")
            ),
        })
    }

    /// Where a loop mentions a name.
    pub(crate) fn span_of(&self, name: &str, written: &ExprForLoop) -> Span {
        let mut words = Vec::new();
        identifiers(written.to_token_stream(), &mut words);
        let word = words.iter().find(|word| *word == name);
        word.map_or_else(Span::call_site, Ident::span)
    }
}

/// Whether a loop may change elements of a slice.
pub(crate) fn changes(view: &ExprForLoop, slice: &Ident) -> bool {
    let whole: Expr = Expr::ForLoop(view.clone());
    let free = names::free_names(&whole);
    let is = |e: &Expr| root_of(e).is_some_and(|root| root == slice);
    let called = |called: &Called<'_>| match called {
        Called::Method(of, name) => {
            let name = name.to_string();
            is(of) && Method::named(&name).is_none() && !READING_METHODS.contains(&name.as_str())
        }
        Called::Function(_) | Called::Macro(_) => false,
    };
    free.assignments.iter().any(|a| a.root == slice)
        || free.borrowed_mut.contains(&slice)
        || free.borrowed_mut_indexed.contains(&slice)
        || free.lent_mut.iter().any(|used| used.ident == slice)
        || free.calls.iter().any(called)
}
