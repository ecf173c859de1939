//! What closures in a loop's header do to its items, as statements of its body, and `for_each` as the loop that it is.
//!
//! | written | stands for |
//! | --- | --- |
//! | `for v in x.iter().filter(\|v\| **v > 3) { .. }` | `for v in x.iter() { if !(*v > 3) { continue; } .. }` |
//! | `for v in x.iter().map(\|v\| v * 2) { .. }` | `for v in x.iter() { let v = v * 2; .. }` |
//! | `for k in x.iter().filter_map(\|v\| code(*v)) { .. }` | `for v in x.iter() { let Some(k) = code(*v) else { continue; }; .. }` |
//! | `for v in x.iter().inspect(\|v\| n += **v) { .. }` | `for v in x.iter() { { n += *v; } .. }` |
//! | `x.iter_mut().for_each(\|v\| *v += 1);` | `for v in x.iter_mut() { *v += 1; }` |
//!
//! They stand last in the header, behind what [iterations](super::iteration) are made of. A name that would mean another thing where it comes to stand leaves the
//! header as it is.

use crate::sorted::Sorted;

use proc_macro2::{Delimiter, Ident, TokenTree};
use quote::ToTokens;
use syn::{
    Block, Expr, ExprClosure, ExprForLoop, ExprMethodCall, ItemFn, Pat, ReturnType, Stmt, UnOp,
    parse_quote,
};

use super::behind;
use super::collected;
use super::counted::is_kept;
use super::exits;
use super::iteration;
use super::kept::is_pure;
use super::marks;
use super::names::{bound_names, identifiers, is_constant_like, whole};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut adaptors = Adaptors { found: false };
    adaptors.visit_block_mut(&mut function.block);
    adaptors.found
}

/// Moves all closures of a loop's header into its body.
pub(super) fn move_all(of: &mut ExprForLoop) {
    while let Some(moved) = moved(of, false) {
        *of = moved;
    }
}

/// A loop whose header's closures stand in its body, with `.take_while(..)` among them as a `break`; none where there is no such.
pub(super) fn ended(of: &ExprForLoop) -> Option<ExprForLoop> {
    let mut ended = of.clone();
    let mut ends = false;
    while let Some(next) = moved(&ended, true) {
        ends |= matches!(without_parens(&ended.expr), Expr::MethodCall(call) if call.method == "take_while");
        ended = next;
    }
    ends.then_some(ended)
}

struct Adaptors {
    found: bool,
}

impl VisitMut for Adaptors {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                while let Some(moved) = moved(of, false) {
                    *of = moved;
                    self.found = true;
                }
                visit_mut::visit_expr_for_loop_mut(self, of);
            }
            visit_mut::Node::Expr(e) => {
                if let Expr::ForLoop(of) = e
                    && let Some(both) = behind::by_lengths(of)
                {
                    *e = both;
                    self.found = true;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Stmt(stmt) => {
                if let Stmt::Expr(Expr::MethodCall(call), _) = stmt
                    && let Some(of) = for_each(call)
                {
                    *stmt = Stmt::Expr(Expr::ForLoop(of), None);
                    self.found = true;
                }
                visit_mut::visit_stmt_mut(self, stmt);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Whether an expression is an iterator, but for closures of its last adaptors.
pub(super) fn iterates(e: &Expr) -> bool {
    iterates_with(e, false)
}

/// The same, where `.take_while(..)` may be one of these.
fn iterates_with(e: &Expr, ends: bool) -> bool {
    match without_parens(e) {
        Expr::MethodCall(call) if is_adaptor(call, ends) => iterates_with(&call.receiver, ends),
        Expr::Range(range) => range.start.is_some() && range.end.is_some(),
        e if iteration::is_iterator(e) || collected::is_alone(e) => true,
        e => behind::brought(e).is_some_and(|brought| iterates_with(&brought, ends)),
    }
}

pub(super) fn is_adaptor(call: &ExprMethodCall, ends: bool) -> bool {
    match call.method.to_string().as_str() {
        "filter" | "map" | "filter_map" | "inspect" => true,
        method => ends && method == "take_while",
    }
}

/// The closure that is a call's only argument, with its parameter.
pub(super) fn closure(call: &ExprMethodCall) -> Option<(&ExprClosure, &Pat)> {
    let (Some(Expr::Closure(closure)), 1) = (call.args.first(), call.args.len()) else {
        return None;
    };
    let mut param = closure.inputs.first()?;
    while let Pat::Type(typed) = param {
        param = &typed.pat;
    }
    let plain = closure.inputs.len() == 1
        && closure.attrs.is_empty()
        && closure.asyncness.is_none()
        && matches!(closure.output, ReturnType::Default)
        && !changes_copies(closure);
    plain.then_some((closure, param))
}

/// Whether a closure may change what it has a copy of.
pub(super) fn changes_copies(closure: &ExprClosure) -> bool {
    closure.capture.is_some() && !is_pure(&closure.body)
}

/// `.map(f64::from)` as `.map(|item| f64::from(item))`.
pub(super) fn path_as_closure(call: &ExprMethodCall) -> Option<ExprMethodCall> {
    let (Some(Expr::Path(f)), 1) = (call.args.first(), call.args.len()) else {
        return None;
    };
    let (item, _) = crate::alias::consumed(call.method.span());
    let mut by_closure = call.clone();
    by_closure.args[0] = parse_quote!(|#item| #f(#item));
    Some(by_closure)
}

pub(super) fn words(tokens: impl ToTokens) -> Vec<Ident> {
    let mut words = Vec::new();
    identifiers(tokens.to_token_stream(), &mut words);
    words
}

/// Whether what a closure has moved into it, a copy, is what the body finds as well, which changes none of it.
pub(super) fn keeps_moved(closure: &ExprClosure, body: &Block) -> bool {
    let own: Vec<&Ident> = closure.inputs.iter().flat_map(bound_names).collect();
    let words = words(&closure.body).into_iter();
    let mut moved = words.filter(|word| !own.contains(&word));
    closure.capture.is_none() || moved.all(|word| is_kept(&parse_quote!(#word), body))
}

/// A loop whose header's last closure stands in its body, that of a `.take_while(..)` where that `ends` one.
fn moved(of: &ExprForLoop, ends: bool) -> Option<ExprForLoop> {
    let brought = behind::brought(&of.expr);
    let Expr::MethodCall(call) = without_parens(brought.as_ref().unwrap_or(&of.expr)) else {
        return None;
    };
    if marks::may_be_marked(&of.attrs)
        || !is_adaptor(call, ends)
        || !iterates_with(&call.receiver, ends)
    {
        return None;
    }
    let by_path = path_as_closure(call);
    let call = by_path.as_ref().unwrap_or(call);
    let (closure, param) = closure(call)?;
    let value = &*closure.body;
    if exits::leaves(value) || !keeps_moved(closure, &of.body) {
        return None;
    }
    let mut moved = of.clone();
    *moved.expr = (*call.receiver).clone();
    let (pat, used) = (&of.pat, words(&of.body));
    let looks = ["filter", "take_while", "inspect"];
    let first: Stmt = if looks.iter().any(|name| call.method == name) {
        let (item, cond) = condition(pat, param, value, &used)?;
        *moved.pat = item;
        match call.method.to_string().as_str() {
            "filter" => parse_quote!(if !(#cond) { continue; }),
            "inspect" => parse_quote!({ #cond; }),
            _ => parse_quote!(if !(#cond) { break; }),
        }
    } else {
        // In the body the closure's names may hide what the body means.
        let own = bound_names(pat);
        let hides = |name: &&Ident| used.contains(name) && !own.contains(name);
        let (item, _) = crate::alias::consumed(call.method.span());
        let hides = bound_names(param).iter().any(hides);
        let (mut pat, mut value, mut param) = (pat.clone(), value.clone(), param.clone());
        if hides {
            value = parse_quote!({ let #param = #item; #value });
            param = parse_quote!(#item);
        } else if call.method == "map" {
            behind::handed_on(&mut pat, &mut value, &mut param);
        }
        *moved.pat = param;
        let ends_in_block = value.to_token_stream().into_iter().last();
        let ends_in_block = matches!(ends_in_block, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
        match (call.method == "map", ends_in_block) {
            (true, _) => parse_quote!(let #pat = #value;),
            (_, true) => {
                parse_quote!(let ::core::option::Option::Some(#pat) = (#value) else { continue; };)
            }
            (_, false) => {
                parse_quote!(let ::core::option::Option::Some(#pat) = #value else { continue; };)
            }
        }
    };
    moved.body.stmts.insert(0, first);
    Some(moved)
}

/// What a filter asks, in the names of the loop's pattern, with the pattern: there a name takes the place of `_` where the filter asks for it.
fn condition(pat: &Pat, param: &Pat, value: &Expr, used: &[Ident]) -> Option<(Pat, Expr)> {
    let mut item = pat.clone();
    let mut named = Named {
        used,
        meaning: Sorted::new(),
        parts: Sorted::new(),
        fails: false,
    };
    named.bind(param, &mut item, 1)?;
    let own = bound_names(&item);
    let free = words(value);
    let mut free = free
        .iter()
        .filter(|word| !named.meaning.contains_key(&word.to_string()));
    if free.any(|word| own.contains(&word)) {
        return None;
    }
    let mut cond = value.clone();
    named.visit_expr_mut(&mut cond);
    (!named.fails).then_some((item, cond))
}

/// What the names of a filter's parameter are in those of the loop's pattern.
struct Named<'a> {
    /// The words of the loop's body.
    used: &'a [Ident],
    meaning: Sorted<String, Expr>,
    /// The same of a parameter that is asked for its parts, which have names of their own.
    parts: Sorted<String, Vec<Option<Ident>>>,
    fails: bool,
}

impl Named<'_> {
    /// Binds a parameter to what the loop's pattern matches, behind so many references.
    fn bind(&mut self, param: &Pat, pat: &mut Pat, refs: usize) -> Option<()> {
        if let Pat::Paren(inner) = pat {
            return self.bind(param, &mut inner.pat, refs);
        }
        match (param, pat) {
            (Pat::Wild(_), _) => Some(()),
            (Pat::Paren(param), pat) => self.bind(&param.pat, pat, refs),
            (Pat::Reference(param), pat) if param.mutability.is_none() => match (refs, pat) {
                (1.., pat) => self.bind(&param.pat, pat, refs - 1),
                (0, Pat::Reference(pat)) => self.bind(&param.pat, &mut pat.pat, 0),
                (0, Pat::Ident(pat)) => {
                    let (of, name) = (plain(pat)?, whole(&param.pat)?);
                    self.meaning.insert(name.to_string(), parse_quote!(*#of));
                    Some(())
                }
                _ => None,
            },
            (param, Pat::Reference(pat)) if pat.mutability.is_none() => {
                self.bind(param, &mut pat.pat, refs + 1)
            }
            (Pat::Tuple(param), Pat::Tuple(pat)) if param.elems.len() == pat.elems.len() => {
                let mut pairs = param.elems.iter().zip(&mut pat.elems);
                pairs.try_for_each(|(param, pat)| self.bind(param, pat, refs.min(1)))
            }
            // Parts of an item that has one name. Of those that a filter gets references to, whether the item is one itself is all the same.
            (Pat::Tuple(param), Pat::Ident(pat)) => {
                let of = plain(pat)?.clone();
                param.elems.iter().enumerate().try_for_each(|(n, part)| {
                    match part {
                        Pat::Wild(_) => {}
                        Pat::Ident(part) => {
                            let n = syn::Index::from(n);
                            let part_of: Expr = match refs {
                                0 => parse_quote!(#of.#n),
                                _ => parse_quote!(&#of.#n),
                            };
                            self.meaning.insert(plain(part)?.to_string(), part_of);
                        }
                        _ => return None,
                    }
                    Some(())
                })
            }
            (Pat::Ident(param), Pat::Tuple(pat)) => {
                let part = |part: &Pat| match part {
                    Pat::Ident(part) => plain(part).cloned(),
                    _ => None,
                };
                let parts = pat.elems.iter().map(part).collect();
                self.parts.insert(plain(param)?.to_string(), parts);
                Some(())
            }
            (Pat::Ident(param), pat) => {
                let name = plain(param)?;
                if let Pat::Wild(_) = pat
                    && !self.used.contains(name)
                {
                    *pat = parse_quote!(#name);
                }
                let Pat::Ident(pat) = pat else { return None };
                let of = plain(pat)?;
                let value = (0..refs).fold(parse_quote!(#of), |of: Expr, _| parse_quote!(&#of));
                self.meaning.insert(name.to_string(), value);
                Some(())
            }
            _ => None,
        }
    }

    /// The parts of a parameter, where an expression is its name.
    fn parts(&self, e: &Expr) -> Option<&[Option<Ident>]> {
        match without_parens(e) {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                self.parts.get(&name).map(Vec::as_slice)
            }
            _ => None,
        }
    }

    fn meaning(&self, e: &Expr) -> Option<&Expr> {
        match without_parens(e) {
            Expr::Path(path) => self.meaning.get(&path.path.get_ident()?.to_string()),
            _ => None,
        }
    }
}

/// The name that a pattern binds to all that it matches.
fn plain(pat: &syn::PatIdent) -> Option<&Ident> {
    (pat.by_ref.is_none() && pat.subpat.is_none() && !is_constant_like(&pat.ident))
        .then_some(&pat.ident)
}

impl VisitMut for Named<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                // `*v` of a reference to what has a name is that.
                if let Expr::Unary(of) = e
                    && matches!(of.op, UnOp::Deref(_))
                    && let Some(Expr::Reference(to)) = self.meaning(&of.expr)
                {
                    *e = (*to.expr).clone();
                    return;
                }
                if let Some(value) = self.meaning(e) {
                    *e = match value {
                        Expr::Path(_) => value.clone(),
                        value => parse_quote!((#value)),
                    };
                    return;
                }
                if let Expr::Field(of) = e
                    && let syn::Member::Unnamed(n) = &of.member
                    && let Some(parts) = self.parts(&of.base)
                    && let Some(Some(part)) = parts.get(n.index as usize)
                {
                    *e = parse_quote!(#part);
                    return;
                }
                self.fails |= self.parts(e).is_some();
                match e {
                    Expr::Closure(_) | Expr::Async(_) | Expr::Struct(_) => self.fails = true,
                    _ => visit_mut::visit_expr_mut(self, e),
                }
            }
            visit_mut::Node::Pat(pat) => {
                let again = |name: &&Ident| {
                    let name = name.to_string();
                    self.meaning.contains_key(&name) || self.parts.contains_key(&name)
                };
                self.fails |= bound_names(pat).iter().any(again);
            }
            visit_mut::Node::Macro(mac) => {
                for word in words(&mac.tokens) {
                    self.fails |= self.parts.contains_key(&word.to_string());
                    let meaning = self.meaning.get(&word.to_string());
                    self.fails |= meaning.is_some_and(
                        |value| !matches!(value, Expr::Path(path) if path.path.is_ident(&word)),
                    );
                }
            }
            _ => node.parts(self),
        }
    }
}

/// The loop that a `for_each` is.
fn for_each(call: &ExprMethodCall) -> Option<ExprForLoop> {
    if call.method != "for_each" || !call.attrs.is_empty() || !iterates(&call.receiver) {
        return None;
    }
    let (closure, pat) = closure(call)?;
    if closure.capture.is_some() {
        return None;
    }
    let mut body: Block = match &*closure.body {
        Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => {
            block.block.clone()
        }
        value => parse_quote!({ #value; }),
    };
    let mut returns = Returns {
        loops: 0,
        fails: false,
    };
    returns.visit_block_mut(&mut body);
    let items = &call.receiver;
    (!returns.fails).then(|| parse_quote!(for #pat in #items #body))
}

/// Makes `continue` of what returns from the closure of a `for_each`.
struct Returns {
    loops: usize,
    fails: bool,
}

impl VisitMut for Returns {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match e {
                Expr::Closure(_) | Expr::Async(_) => {}
                Expr::Return(of) if of.expr.is_none() && self.loops == 0 => {
                    *e = parse_quote!(continue);
                }
                Expr::Return(_) | Expr::Try(_) => self.fails = true,
                Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                    self.loops += 1;
                    visit_mut::visit_expr_mut(self, e);
                    self.loops -= 1;
                }
                _ => visit_mut::visit_expr_mut(self, e),
            },
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    /// A loop's body with what its filter asks.
    fn filtered(text: &str) -> Option<String> {
        let of: ExprForLoop = syn::parse_str(text).expect("a loop");
        let moved = moved(&of, false)?;
        let (pat, body) = (&moved.pat, &moved.body);
        Some(quote!(#pat #body).to_string().replace(' ', ""))
    }

    #[test]
    fn a_filter_asks_in_the_names_of_the_loop() {
        for (text, expected) in [
            (
                "for e in x.iter().enumerate().filter(|&(_, v)| *v > 3) {}",
                "e{if!(*(e.1)>3){continue;}}",
            ),
            (
                "for (i, v) in x.iter().enumerate().filter(|e| *e.1 > 3 && e.0 < n) {}",
                "(i,v){if!(*v>3&&i<n){continue;}}",
            ),
        ] {
            assert_eq!(filtered(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_filter_that_hands_its_item_on_stays() {
        for text in [
            "for (i, v) in x.iter().enumerate().filter(|e| good(e)) {}",
            "for (i, v) in x.iter().enumerate().filter(|e| matches!(e.1, 3)) {}",
            "for (i, &v) in x.iter().enumerate().filter(|e| *e.1 > 3) {}",
        ] {
            assert_eq!(filtered(text), None, "{text}");
        }
    }
}
