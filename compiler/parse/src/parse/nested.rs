//! Bins in vectors of vectors, whose rows lie apart: one array, row behind row, while the loop runs.
//!
//! ```text
//! for (&t, &p) in truth.iter().zip(guess) { table[t][p] += 1; }
//! ```
//!
//! Where the rows are of one length and their elements few beside the iterations, they are copied there before the loop and back behind it, so that after a panic they
//! are as before. Other calls run the loop as it is written. Nothing else in the loop mentions the vectors, which are of numbers.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::parse::Parser;
use syn::{
    BinOp, Expr, ExprForLoop, ExprIndex, FnArg, ItemFn, Lit, Local, Pat, Token, Type, parse_quote,
};

use super::exits;
use super::marks;
use super::names::{identifiers, primitive_of, whole};
use super::outer::shape_of;
use super::trips::Trips;
use crate::alias;
use crate::parsed::fields::Bound;
use crate::sorted::{Sorted, SortedSet};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Shape, sites, without_parens};

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut loops = Loops {
        nested: nested(function),
        trips: Trips::of(function),
        found: false,
    };
    if !loops.nested.is_empty() {
        loops.visit_block_mut(&mut function.block);
    }
    loops.found
}

/// The names of vectors of vectors of numbers, as far as a type or a value says it, that stand for nothing else in the function.
fn nested(function: &ItemFn) -> SortedSet<String> {
    #[derive(Default)]
    struct Found {
        nested: SortedSet<String>,
        bound: Sorted<String, usize>,
    }
    impl<'a> Visit<'a> for Found {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Local(local) => {
                    if let Some(name) = whole(&local.pat)
                        && holds_rows(local)
                    {
                        self.nested.insert(name.to_string());
                    }
                    visit::visit_local(self, local);
                }
                visit::Node::PatIdent(pat) => {
                    *self.bound.or_default(pat.ident.to_string()) += 1;
                    visit::visit_pat_ident(self, pat);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut found = Found::default();
    found.visit_item_fn(function);
    let Found { mut nested, bound } = found;
    for input in &function.sig.inputs {
        if let FnArg::Typed(param) = input
            && let Some(name) = whole(&param.pat)
            && are_rows(&param.ty)
        {
            nested.insert(name.to_string());
        }
    }
    nested.retain(|name| bound.get(name) == Some(&1));
    nested
}

fn holds_rows(local: &Local) -> bool {
    match (&local.pat, &local.init) {
        (Pat::Type(typed), _) => are_rows(&typed.ty),
        (_, Some(init)) => repeated(&init.expr)
            .and_then(|row| repeated(&row))
            .is_some_and(|number| {
                let lit = matches!(without_parens(&number), Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_) | Lit::Float(_)));
                lit && init.diverge.is_none()
            }),
        _ => false,
    }
}

/// `Vec<Vec<f64>>`, `&mut [Vec<u32>]`.
fn are_rows(ty: &Type) -> bool {
    let (Shape::Vec(row) | Shape::Slice(row), _) = shape_of(ty) else {
        return false;
    };
    match *row {
        Shape::Vec(elem) => {
            matches!(&*elem, Shape::Elem(Type::Path(of)) if of.qself.is_none() && primitive_of(&of.path).is_some())
        }
        _ => false,
    }
}

/// What `vec![x; n]` repeats.
fn repeated(e: &Expr) -> Option<Expr> {
    let Expr::Macro(of) = without_parens(e) else {
        return None;
    };
    let parts = |input: syn::parse::ParseStream<'_>| {
        let element: Expr = input.parse()?;
        input.parse::<Token![;]>()?;
        input.parse::<Expr>()?;
        Ok(element)
    };
    of.mac
        .path
        .is_ident("vec")
        .then(|| parts.parse2(of.mac.tokens.clone()).ok())?
}

struct Loops {
    nested: SortedSet<String>,
    trips: Trips,
    found: bool,
}

impl VisitMut for Loops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match e {
                Expr::ForLoop(of) => {
                    if let Some(both) = self.both(of) {
                        *e = both;
                        self.found = true;
                    }
                }
                Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) | Expr::Async(_) => {}
                _ => visit_mut::visit_expr_mut(self, e),
            },
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Loops {
    /// An outermost loop over an array that has the rows, and as it is written.
    fn both(&self, of: &ExprForLoop) -> Option<Expr> {
        if !of.attrs.is_empty() || marks::may_be_marked(&of.attrs) || of.label.is_some() {
            return None;
        }
        let mut arrays = self.nested.clone();
        Bound(&mut |name| {
            arrays.remove(name);
        })
        .visit_expr_for_loop(of);
        let mut updates = Updates {
            arrays: &arrays,
            found: Sorted::new(),
        };
        let mut flat = of.clone();
        updates.visit_block_mut(&mut flat.body);
        let found = updates.found;
        let mut words = Vec::new();
        identifiers(of.to_token_stream(), &mut words);
        let alone = |name: &String, (_, times): &(Ident, usize)| {
            words.iter().filter(|word| *word == name).count() == *times
        };
        let stays = of.body.stmts.iter().flat_map(exits::ways).all(|(way, _)| {
            // Those of an inner loop are its own.
            matches!(way, exits::Way::Continue)
        });
        if found.is_empty() || !stays || !found.iter().all(|(name, of)| alone(name, of)) {
            return None;
        }
        let names: Vec<&Ident> = found.iter().map(|(_, (name, _))| name).collect();
        let at = of.for_token.span;
        let flats = names.iter().map(|name| alias::slice(&name.to_string(), at));
        let flats: Vec<Ident> = flats.collect();
        let side = |n| {
            names
                .iter()
                .map(move |name| alias::dimension(&name.to_string(), n, at))
        };
        let (rows, columns): (Vec<Ident>, Vec<Ident>) = (side(0).collect(), side(1).collect());
        let iterations = self.trips.iterations(of);
        let mut written = of.clone();
        let why = "where rows are of different lengths, or iterations few beside their elements";
        written.attrs.push(parse_quote!(#[sequential = #why]));
        Some(parse_quote! {
            if #(::accrue::__rt::rows::pay(&(#names)[::accrue::__rt::ALL], #iterations))&&* {
                #(let [#rows, #columns] = ::accrue::__rt::rows::sides(&(#names)[::accrue::__rt::ALL]);)*
                #(let mut #flats = ::accrue::__rt::rows::gather(&(#names)[::accrue::__rt::ALL]);)*
                #flat
                #(::accrue::__rt::rows::scatter(&mut (#names)[::accrue::__rt::ALL], &#flats);)*
            } else {
                #written
            }
        })
    }
}

/// Puts elements of arrays in the place of `table[t][p]` where that is updated.
struct Updates<'a> {
    arrays: &'a SortedSet<String>,
    /// The names, and how often each is.
    found: Sorted<String, (Ident, usize)>,
}

impl Updates<'_> {
    fn flat(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Index(ExprIndex { expr, index: x, .. }) = without_parens(e) else {
            return None;
        };
        let Expr::Index(ExprIndex { expr, index: y, .. }) = without_parens(expr) else {
            return None;
        };
        let Expr::Path(array) = without_parens(expr) else {
            return None;
        };
        let array = array.path.get_ident()?;
        let name = array.to_string();
        let is_range = |e: &Expr| matches!(without_parens(e), Expr::Range(_));
        if !self.arrays.contains(&name) || is_range(x) || is_range(y) {
            return None;
        }
        let at = array.span();
        let flat = alias::slice(&name, at);
        let [rows, columns] = [0, 1].map(|n| alias::dimension(&name, n, at));
        self.found.or_insert(name, (array.clone(), 0)).1 += 1;
        // A row's number is checked before that of the column is computed.
        Some(parse_quote! {
            #flat[::accrue::__rt::flat::of2(::accrue::__rt::flat::of1(#y, #rows), #x, #rows, #columns)]
        })
    }
}

impl VisitMut for Updates<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                if let Expr::Binary(of) = e
                    && sites::is_compound(&of.op)
                    && !matches!(of.op, BinOp::ShlAssign(_) | BinOp::ShrAssign(_))
                    && let Some(flat) = self.flat(&of.left)
                {
                    *of.left = flat;
                }
                if !matches!(e, Expr::Closure(_) | Expr::Async(_)) {
                    visit_mut::visit_expr_mut(self, e);
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
