//! The uses of arrays in a loop, as those of slices.

use crate::sorted::{Sorted, SortedSet};

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::Span;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, Ident, Lit, Pat, parse_quote, parse_quote_spanned};

use super::inside;
use super::pixels::Pixels;
use super::rows::is_slice;
use super::{Container, Kind};
use crate::alias;
use crate::parse::idioms::same;
use crate::parse::names::identifiers;
use crate::parsed::containers::Conditions;
use crate::syntax::without_parens;

/// Rewrites each outermost loop in which an array is used as a slice.
pub(super) struct Loops<'a> {
    pub(super) known: &'a Sorted<String, Container>,
    pub(super) used: SortedSet<String>,
    /// What must hold for indices that are not checked.
    pub(super) conditions: Conditions,
}

impl VisitMut for Loops<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                let mut among: SortedSet<String> = {
                    let mut words = Vec::new();
                    identifiers(of.to_token_stream(), &mut words);
                    let names = words.iter().map(Ident::to_string);
                    names.filter(|name| self.known.contains_key(name)).collect()
                };
                // What is made in the loop is none of what it is over.
                struct Bound<'a>(&'a mut SortedSet<String>);
                impl<'a> Visit<'a> for Bound<'_> {
                    fn visit(&mut self, node: visit::Node<'a>) {
                        match node {
                            visit::Node::PatIdent(pat) => {
                                self.0.remove(&pat.ident.to_string());
                                visit::visit_pat_ident(self, pat);
                            }
                            _ => node.parts(self),
                        }
                    }
                }
                Bound(&mut among).visit_expr_for_loop(of);
                while !among.is_empty() {
                    let mut form = of.clone();
                    let mut rewriter = Rewriter {
                        known: self.known,
                        among: &among,
                        refused: SortedSet::new(),
                        pixels: Sorted::new(),
                    };
                    rewriter.for_loop(&mut form);
                    let mut rest = Mentions {
                        among: &among,
                        found: rewriter.refused,
                        pixels: &rewriter.pixels,
                    };
                    rest.visit_expr_for_loop(&form);
                    let rest = rest.found;
                    if rest.is_empty() {
                        inside::relax(&mut form, &mut self.conditions);
                        *of = form;
                        break;
                    }
                    among.retain(|name| !rest.contains(name));
                }
                self.used.extend(among);
                visit_mut::visit_expr_for_loop_mut(self, of);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Finds names that stand somewhere.
struct Mentions<'a> {
    among: &'a SortedSet<String>,
    found: SortedSet<String>,
    /// Names that pixels had.
    pixels: &'a Pixels,
}

impl Mentions<'_> {
    fn word(&mut self, word: &Ident) {
        let word = word.to_string();
        if let Some(pixel) = self.pixels.get(&word) {
            self.found.insert(pixel.of.clone());
        }
        if self.among.contains(&word) {
            self.found.insert(word);
        }
    }
}

impl<'a> Visit<'a> for Mentions<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::ExprPath(path) => {
                if let Some(name) = path.path.get_ident() {
                    self.word(name);
                }
            }
            // A name that is also bound to something else.
            visit::Node::PatIdent(pat) => {
                self.word(&pat.ident);
                visit::visit_pat_ident(self, pat);
            }
            visit::Node::Macro(mac) => {
                let mut words = Vec::new();
                identifiers(mac.tokens.clone(), &mut words);
                words.iter().for_each(|word| self.word(word));
            }
            _ => node.parts(self),
        }
    }
}

/// Rewrites the uses of some arrays in a loop; others stay as they are.
pub(super) struct Rewriter<'a> {
    known: &'a Sorted<String, Container>,
    among: &'a SortedSet<String>,
    /// Arrays whose rows are used as more than slices, and pictures whose pixels are used as more than arrays.
    pub(super) refused: SortedSet<String>,
    /// The names that are bound to pixels.
    pub(super) pixels: Pixels,
}

impl<'a> Rewriter<'a> {
    /// The array of ndarray's that an expression is.
    fn array(&self, e: &Expr) -> Option<(&'a Container, Ident)> {
        self.container(e).filter(|(of, _)| of.kind == Kind::Array)
    }

    /// The array that an expression is, by its own name.
    pub(super) fn container(&self, e: &Expr) -> Option<(&'a Container, Ident)> {
        match without_parens(e) {
            Expr::Path(path) if path.qself.is_none() => {
                let name = path.path.get_ident()?;
                let word = name.to_string();
                let container = self.known.get(&word)?;
                self.among
                    .contains(&word)
                    .then(|| (container, name.clone()))
            }
            Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => {
                self.container(&e.expr).filter(|(of, _)| of.by_reference)
            }
            _ => None,
        }
    }

    fn for_loop(&mut self, of: &mut ExprForLoop) {
        self.iterated(of);
        self.visit_expr_mut(&mut of.expr);
        self.visit_block_mut(&mut of.body);
    }

    /// What a loop iterates over: `&a`, `a.rows()`.
    fn iterated(&mut self, of: &mut ExprForLoop) {
        if let Some(elements) = self.elements(&of.expr) {
            *of.expr = elements;
            return;
        }
        self.rows(&mut of.pat, &mut of.expr, &of.body);
        self.pixel_items(&mut of.pat, &mut of.expr);
        self.indexed(of);
    }

    /// `for ((y, x), v) in a.indexed_iter()`, and `for (x, y, p) in img.enumerate_pixels()`: a loop over rows, and one over each row's elements.
    fn indexed(&mut self, of: &mut ExprForLoop) {
        let Expr::MethodCall(call) = &*of.expr else {
            return;
        };
        let Some((container, array)) = self.container(&call.receiver) else {
            return;
        };
        let method = call.method.to_string();
        let (kind, exclusive) = match method.as_str() {
            "indexed_iter" => (Kind::Array, false),
            "indexed_iter_mut" => (Kind::Array, true),
            "enumerate_pixels" => (Kind::Picture, false),
            "enumerate_pixels_mut" => (Kind::Picture, true),
            _ => return,
        };
        let Pat::Tuple(pat) = &mut *of.pat else {
            return;
        };
        let parts: Vec<Pat> = match (pat.elems.first(), pat.elems.len()) {
            (Some(Pat::Tuple(at)), 2) if kind == Kind::Array && at.elems.len() == 2 => {
                vec![
                    at.elems[0].clone(),
                    at.elems[1].clone(),
                    pat.elems[1].clone(),
                ]
            }
            (_, 3) if kind == Kind::Picture => [1, 0, 2].map(|n| pat.elems[n].clone()).to_vec(),
            _ => return,
        };
        if container.kind != kind || container.rank != 2 || of.label.is_some() {
            return;
        }
        let Ok([y, x, mut item]) = <[Pat; 3]>::try_from(parts) else {
            unreachable!("three parts")
        };
        let at = here(&of.expr);
        let word = array.to_string();
        let (slice, width) = (
            alias::slice(&word, array.span()),
            alias::dimension(&word, 1, array.span()),
        );
        let row = alias::row(&word, at);
        let (rows, items) = match exclusive {
            true => (
                quote_spanned!(at=> chunks_exact_mut),
                quote_spanned!(at=> iter_mut),
            ),
            false => (quote_spanned!(at=> chunks_exact), quote_spanned!(at=> iter)),
        };
        let mut stmts = std::mem::take(&mut of.body.stmts);
        if kind == Kind::Picture {
            self.bind_pixel(&mut item, &array, true);
            // Positions of pixels are `u32`.
            let numbers = [&y, &x].map(|pat| match pat {
                Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                    let (name, mutability) = (&name.ident, &name.mutability);
                    Some(parse_quote_spanned!(at=> let #mutability #name = #name as u32;))
                }
                _ => None,
            });
            stmts.splice(0..0, numbers.into_iter().flatten());
        }
        *of.expr = parse_quote_spanned!(at=> #slice.#rows(#width).enumerate());
        *of.pat = parse_quote_spanned!(at=> (#y, #row));
        of.body.stmts = vec![parse_quote_spanned! {at=>
            for (#x, #item) in #row.#items().enumerate() { #(#stmts)* }
        }];
    }

    /// `&a`, `&mut a`, and an `a` that is a reference, which hand out elements.
    fn elements(&self, e: &Expr) -> Option<Expr> {
        let (array, exclusive) = match without_parens(e) {
            Expr::Reference(r) => (self.array(&r.expr)?, r.mutability.is_some()),
            Expr::Path(_) => {
                let array = self.array(e)?;
                array.0.by_reference.then_some(())?;
                let exclusive = array.0.writable;
                (array, exclusive)
            }
            _ => return None,
        };
        let slice = alias::slice(&array.1.to_string(), array.1.span());
        Some(match exclusive {
            true => parse_quote_spanned!(here(e)=> #slice.iter_mut()),
            false => parse_quote_spanned!(here(e)=> #slice.iter()),
        })
    }

    /// `a.rows()` at the beginning of a chain of `enumerate` and `zip`, where the pattern's names are used as slices.
    fn rows(&mut self, pat: &mut Pat, e: &mut Expr, body: &syn::Block) {
        let Expr::MethodCall(call) = e else { return };
        match (call.method.to_string().as_str(), call.args.len()) {
            ("enumerate", 0) => {
                if let Pat::Tuple(tuple) = pat
                    && let Some(item) = tuple.elems.iter_mut().nth(1)
                {
                    self.rows(item, &mut call.receiver, body);
                }
            }
            ("zip", 1) => {
                if let Pat::Tuple(tuple) = pat
                    && tuple.elems.len() == 2
                {
                    let (receiver, other) = (&mut call.receiver, &mut call.args[0]);
                    self.rows(&mut tuple.elems[0], receiver, body);
                    self.rows(&mut tuple.elems[1], other, body);
                }
            }
            // What `rows` gives is no iterator yet.
            ("into_iter", 0) => {
                let before = call.receiver.clone();
                self.rows(pat, &mut call.receiver, body);
                if !same(&call.receiver, &before) {
                    *e = (*call.receiver).clone();
                }
            }
            (name @ ("rows" | "outer_iter" | "rows_mut" | "outer_iter_mut"), 0) => {
                let Some((Container { rank: 2, .. }, array)) = self.array(&call.receiver) else {
                    return;
                };
                let Pat::Ident(row) = pat else {
                    self.refused.insert(array.to_string());
                    return;
                };
                if !is_slice(&row.ident, body) || row.subpat.is_some() || row.by_ref.is_some() {
                    self.refused.insert(array.to_string());
                    return;
                }
                row.mutability = None;
                let word = array.to_string();
                let slice = alias::slice(&word, array.span());
                let width = alias::dimension(&word, 1, array.span());
                *e = match name.ends_with("_mut") {
                    true => parse_quote_spanned!(here(e)=> #slice.chunks_exact_mut(#width)),
                    false => parse_quote_spanned!(here(e)=> #slice.chunks_exact(#width)),
                };
            }
            _ => {}
        }
    }

    /// The indices of an element, as many as there are dimensions.
    fn position(of: &Container, index: &Expr) -> Option<Vec<Expr>> {
        let indices: Vec<Expr> = match without_parens(index) {
            Expr::Array(array) => array.elems.iter().cloned().collect(),
            Expr::Tuple(tuple) => tuple.elems.iter().cloned().collect(),
            Expr::Range(_) => return None,
            index if of.rank == 1 => vec![index.clone()],
            _ => return None,
        };
        (indices.len() == of.rank).then_some(indices)
    }

    /// What an expression stands for.
    fn form(&self, e: &Expr) -> Option<Expr> {
        let at = here(e);
        match e {
            Expr::Index(index) => {
                if let Expr::MethodCall(call) = without_parens(&index.expr)
                    && call.method == "shape"
                    && call.args.is_empty()
                {
                    let (of, name) = self.array(&call.receiver)?;
                    return length(of, &name, &index.index, at);
                }
                let (of, name) = self.array(&index.expr)?;
                let indices = Self::position(of, &index.index)?;
                let word = name.to_string();
                let slice = alias::slice(&word, name.span());
                let function = Ident::new(&format!("at{}", of.rank), at);
                let lengths = (0..of.rank).map(|n| alias::dimension(&word, n, at));
                Some(parse_quote_spanned!(at=>
                    #slice[::accrue::__rt::flat::#function(#(#indices,)* #(#lengths),*)]
                ))
            }
            Expr::MethodCall(call) => {
                let (of, name) = self.array(&call.receiver)?;
                let word = name.to_string();
                let slice = alias::slice(&word, name.span());
                let dimension = |n| alias::dimension(&word, n, at);
                let arguments: Vec<&Expr> = call.args.iter().collect();
                Some(match (call.method.to_string().as_str(), &arguments[..]) {
                    ("len", []) => parse_quote_spanned!(at=> #slice.len()),
                    ("is_empty", []) => parse_quote_spanned!(at=> #slice.is_empty()),
                    ("iter", []) => parse_quote_spanned!(at=> #slice.iter()),
                    ("iter_mut", []) => parse_quote_spanned!(at=> #slice.iter_mut()),
                    ("indexed_iter", []) if of.rank == 1 => {
                        parse_quote_spanned!(at=> #slice.iter().enumerate())
                    }
                    ("indexed_iter_mut", []) if of.rank == 1 => {
                        parse_quote_spanned!(at=> #slice.iter_mut().enumerate())
                    }
                    ("nrows", []) if of.rank == 2 => dimension(0).into_expr(),
                    ("ncols", []) if of.rank == 2 => dimension(1).into_expr(),
                    ("dim", []) if of.rank == 1 => dimension(0).into_expr(),
                    ("dim", []) => {
                        let all = (0..of.rank).map(dimension);
                        parse_quote_spanned!(at=> (#(#all),*))
                    }
                    ("len_of", [Expr::Call(axis)]) if axis.args.len() == 1 => {
                        match without_parens(&axis.func) {
                            Expr::Path(path)
                                if path.path.segments.last().is_some_and(|s| s.ident == "Axis") =>
                            {
                                length(of, &name, &axis.args[0], at)?
                            }
                            _ => return None,
                        }
                    }
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Local(local) => {
                self.pixel_local(local);
                visit_mut::visit_local_mut(self, local);
            }
            visit_mut::Node::Expr(e) => {
                if let Some(form) = self.form(e).or_else(|| self.pixel_form(e)) {
                    *e = form;
                }
                if let Expr::MethodCall(call) = e
                    && call.method == "zip"
                    && let [other] = &mut call.args.iter_mut().collect::<Vec<_>>()[..]
                    && let Some(elements) = self.elements(other)
                {
                    **other = elements;
                }
                if let Expr::ForLoop(of) = e {
                    return self.for_loop(of);
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The length of a dimension that is written as a number.
fn length(of: &Container, name: &Ident, n: &Expr, at: Span) -> Option<Expr> {
    let Expr::Lit(syn::ExprLit {
        lit: Lit::Int(n), ..
    }) = without_parens(n)
    else {
        return None;
    };
    let n: usize = n.base10_parse().ok().filter(|n| *n < of.rank)?;
    Some(alias::dimension(&name.to_string(), n, at).into_expr())
}

/// Where the user wrote it, with the names that the attribute's place has.
pub(super) fn here(e: &Expr) -> Span {
    e.span().resolved_at(Span::call_site())
}

/// A name as an expression.
trait IntoExpr {
    fn into_expr(self) -> Expr;
}

impl IntoExpr for Ident {
    fn into_expr(self) -> Expr {
        parse_quote!(#self)
    }
}
