//! Arrays of other crates, as parsing has found them in a function's loops: slices stand for them.

use crate::sorted::{Sorted, SortedSet};

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, ExprForLoop, Ident, ItemFn, Type, parse_quote};

use crate::alias;
use crate::sorted;
use crate::syntax::names::identifiers;
use crate::syntax::visit::{self, Visit};

/// What stands for the arrays of a function's loops.
#[derive(Clone)]
pub struct Containers {
    /// The function over slices. Its loops have the numbers that they have in the user's.
    pub view: ItemFn,
    /// By their names.
    pub known: Sorted<String, Container>,
    /// What must hold for indices that are not checked.
    pub conditions: Conditions,
    /// The user's loops, as `syn::visit` enters them.
    pub loops: Vec<ExprForLoop>,
}

/// An array of another crate.
#[derive(Clone)]
pub struct Container {
    /// The crate that it is of.
    pub kind: Kind,
    /// How many dimensions it has.
    pub rank: usize,
    /// The type of an element, where it is written.
    pub elem: Type,
    /// Whether the name is a reference to it.
    pub by_reference: bool,
    /// Whether its elements may be changed.
    pub writable: bool,
}

impl Container {
    /// The names of what a picture says of its height and its width.
    pub fn sides(&self, name: &str) -> Vec<Ident> {
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
pub enum Kind {
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
    pub fn of(&self, view: &ExprForLoop) -> Vec<&String> {
        let mut words = Vec::new();
        identifiers(view.to_token_stream(), &mut words);
        let words: SortedSet<String> = words.iter().map(Ident::to_string).collect();
        let is_used = |name: &&String| {
            let container = &self.known[*name];
            let here = Span::call_site();
            let dimensions = (0..container.rank).map(|n| alias::dimension(name, n, here));
            let slice = [alias::slice(name, here)].into_iter();
            let mut all = slice.chain(dimensions).chain(container.sides(name));
            all.any(|name| words.contains(&name.to_string()))
        };
        let mut names: Vec<&String> = self.known.keys().filter(is_used).collect();
        sorted::sort(&mut names);
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
        let inside = match required(view, &self.conditions).is_empty() {
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
    pub fn span_of(&self, name: &str, written: &ExprForLoop) -> Span {
        let mut words = Vec::new();
        identifiers(written.to_token_stream(), &mut words);
        let word = words.iter().find(|word| *word == name);
        word.map_or_else(Span::call_site, Ident::span)
    }
}

/// What has to hold for calls of the functions that check nothing, by their text.
pub type Conditions = Sorted<String, TokenStream>;

/// What must hold for a loop whose indices have been relaxed.
pub fn required(of: &ExprForLoop, conditions: &Conditions) -> Vec<TokenStream> {
    struct Finder<'a>(&'a Conditions, Vec<String>);
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprCall(call) => {
                    let text = call.to_token_stream().to_string();
                    if self.0.contains_key(&text) && !self.1.contains(&text) {
                        self.1.push(text);
                    }
                    visit::visit_expr_call(self, call);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(conditions, Vec::new());
    finder.visit_expr_for_loop(of);
    let mut required: Vec<TokenStream> = Vec::new();
    for text in finder.1 {
        let condition = &conditions[&text];
        let same = |known: &TokenStream| known.to_string() == condition.to_string();
        if !required.iter().any(same) {
            required.push(condition.clone());
        }
    }
    required
}
