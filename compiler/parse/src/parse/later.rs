//! Elements that a loop adds to and does nothing else with, `cells[k].push(i)`: what is added is collected, and put in behind the loop, in the order of the
//! iterations.
//!
//! ```text
//! for (i, p) in pos.iter().enumerate() {      let mut later = Vec::new();
//!     cells[cell_of(p)].push(i);              for (i, p) in pos.iter().enumerate() {
//! }                                               let at = cell_of(p);
//!                                                 let _ = &cells[at]; assert!(at < cells.len());
//!                                                 later.push((at, i));
//!                                             }
//!                                             for (at, i) in later { cells[at].push(i); }
//! ```
//!
//! The method is called as often, in the same order and with the same arguments, so nothing has to be known of it but that it is told nothing back. It may
//! be one of a field, `nodes[u].edges.push(v)`. Text that may be the iteration's own, `names[k].push_str(&s)`, is copied.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, ExprForLoop, ExprMethodCall, ItemFn, Member, Stmt, parse_quote};

use super::exits;
use super::idioms::same;
use super::names::{bound_names, identifiers, root_of};
use super::unmarked;
use crate::alias;
use crate::parsed::fields::Bound;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Methods that add something to what they are called on.
const ADDING: [&str; 5] = ["insert", "push", "push_back", "push_front", "push_str"];

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut found = 0;
    unmarked::loops(function, true, &mut |of| later(of, &mut found));
    found > 0
}

/// The loop, and behind it what its iterations add; `found` counts the places.
fn later(of: &ExprForLoop, found: &mut usize) -> Option<Stmt> {
    if exits::leaves(&Expr::ForLoop(of.clone())) {
        return None;
    }
    let mut calls = Calls(Vec::new());
    calls.visit_block(&of.body);
    let mut places: Vec<(Expr, &ExprMethodCall)> = Vec::new();
    for call in calls.0 {
        let Some(added) = Added::of(call) else {
            continue;
        };
        if !places.iter().any(|(place, _)| same(place, added.place)) {
            places.push((added.place.clone(), call));
        }
    }
    let (mut all, first) = (of.clone(), *found);
    let mut behind: Vec<Stmt> = Vec::new();
    let mut lets: Vec<Stmt> = Vec::new();
    for (place, call) in places {
        if !is_only_added_to(&place, call, of) {
            continue;
        }
        let names = alias::later(*found, of.for_token.span);
        let (later, at, item) = (&names.later, &names.at, &names.item);
        let copies = call.method == "push_str" && !texts_stay(&place, of);
        lets.push(parse_quote!(let mut #later = ::accrue::__rt::cpu::later();));
        let mut adds = Adds {
            place: &place,
            names: &names,
            copies,
        };
        adds.visit_block_mut(&mut all.body);
        let called = Added::of(call)?.on(&parse_quote!(#place[#at]));
        let method = &call.method;
        let lent = copies.then(|| quote!(&));
        behind.push(parse_quote! {
            #[sequential = "what iterations add comes in their order"]
            for (#at, #item) in #later {
                #called.#method(#lent #item);
            }
        });
        *found += 1;
    }
    (*found > first).then(|| parse_quote!({ #(#lets)* #all #(#behind)* }))
}

/// What is added to an element, or to a field of one.
struct Added<'a> {
    place: &'a Expr,
    index: &'a Expr,
    fields: Vec<&'a Member>,
    item: &'a Expr,
}

impl<'a> Added<'a> {
    fn of(call: &'a ExprMethodCall) -> Option<Self> {
        let name = call.method.to_string();
        if !ADDING.contains(&name.as_str()) || call.args.len() != 1 {
            return None;
        }
        let mut fields = Vec::new();
        let mut of = without_parens(&call.receiver);
        while let Expr::Field(field) = of {
            fields.push(&field.member);
            of = without_parens(&field.base);
        }
        fields.reverse();
        let Expr::Index(of) = of else { return None };
        let plain = !matches!(
            without_parens(&of.index),
            Expr::Range(_) | Expr::Tuple(_) | Expr::Array(_)
        );
        (plain && is_place(&of.expr)).then_some(Added {
            place: &of.expr,
            index: &of.index,
            fields,
            item: &call.args[0],
        })
    }

    /// What the method is called on, of an element.
    fn on(&self, element: &Expr) -> Expr {
        let fields = self.fields.iter();
        fields.fold(element.clone(), |of, field| parse_quote!(#of.#field))
    }
}

/// A variable, or a field of one.
pub(super) fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(of) => is_place(&of.base),
        _ => false,
    }
}

/// The calls of methods that are statements, in no closure.
struct Calls<'a>(Vec<&'a ExprMethodCall>);

impl<'a> Visit<'a> for Calls<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Stmt(Stmt::Expr(Expr::MethodCall(call), Some(_))) => self.0.push(call),
            visit::Node::Expr(Expr::Closure(_) | Expr::Async(_)) => {}
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Whether all that a loop does with a place is to call such a method of its elements, or to ask how many there are.
fn is_only_added_to(place: &Expr, first: &ExprMethodCall, of: &ExprForLoop) -> bool {
    struct Uses<'a> {
        place: &'a Expr,
        root: &'a Ident,
        first: &'a ExprMethodCall,
        added: usize,
        /// Other fields of what the place is a field of.
        others: usize,
    }
    impl<'a> Visit<'a> for Uses<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Stmt(Stmt::Expr(Expr::MethodCall(call), Some(_)))
                    if Added::of(call).is_some_and(|added| self.is_alike(call, &added)) =>
                {
                    self.added += 1;
                    if let Some(added) = Added::of(call) {
                        self.visit_expr(added.index);
                        self.visit_expr(added.item);
                    }
                }
                visit::Node::Expr(Expr::MethodCall(call))
                    if call.method == "len" && same(&call.receiver, self.place) =>
                {
                    self.added += 1;
                }
                visit::Node::Expr(e @ Expr::Field(of)) => {
                    let base =
                        matches!(&*of.base, Expr::Path(path) if path.path.is_ident(self.root));
                    match base && !is_part(self.place, e) {
                        true => self.others += 1,
                        false => visit::visit_expr(self, e),
                    }
                }
                visit::Node::Expr(Expr::Closure(_) | Expr::Async(_)) => {}
                _ => node.parts(self),
            }
        }
    }
    impl Uses<'_> {
        fn is_alike(&self, call: &ExprMethodCall, added: &Added<'_>) -> bool {
            let fields = |of: &Added<'_>| -> Vec<String> {
                let fields = of.fields.iter();
                fields
                    .map(|field| field.to_token_stream().to_string())
                    .collect()
            };
            let alike = |first: Added<'_>| fields(&first) == fields(added);
            same(added.place, self.place)
                && call.method == self.first.method
                && Added::of(self.first).is_some_and(alike)
        }
    }
    let Some(root) = root_of(place) else {
        return false;
    };
    let mut again = bound_names(&of.pat).contains(&root);
    Bound(&mut |name| again |= root == name).visit_block(&of.body);
    let mut uses = Uses {
        place,
        root,
        first,
        added: 0,
        others: 0,
    };
    uses.visit_expr(&of.expr);
    uses.visit_block(&of.body);
    let mentioned = mentions(root, of.to_token_stream());
    !again && uses.added > 0 && mentioned == uses.added + uses.others
}

/// Whether all texts that a loop adds to elements are there until it has ended: none is an iteration's own.
fn texts_stay(place: &Expr, of: &ExprForLoop) -> bool {
    let mut own = Vec::new();
    Bound(&mut |name| own.push(name.clone())).visit_block(&of.body);
    let items = bound_names(&of.pat);
    let stays = |text: &Expr| match without_parens(text) {
        Expr::Lit(_) => true,
        Expr::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|name| !own.contains(&name.to_string())),
        Expr::Reference(text) => {
            let root = lent_of(&text.expr).and_then(root_of);
            root.is_some_and(|name| !own.contains(&name.to_string()) && !items.contains(&name))
        }
        _ => false,
    };
    let mut calls = Calls(Vec::new());
    calls.visit_block(&of.body);
    let mut added = calls.0.into_iter().filter_map(Added::of);
    added.all(|added| !same(added.place, place) || stays(added.item))
}

/// Of what an element, a part or a field is, without anything that is computed.
fn lent_of(e: &Expr) -> Option<&Expr> {
    match without_parens(e) {
        Expr::Path(_) => Some(e),
        Expr::Index(of) => lent_of(&of.expr),
        Expr::Field(of) => lent_of(&of.base),
        _ => None,
    }
}

/// Whether a place is a field, or a part of it.
pub(super) fn is_part(place: &Expr, field: &Expr) -> bool {
    same(place, field) || matches!(place, Expr::Field(of) if is_part(&of.base, field))
}

/// How often a name stands somewhere, in texts of formats as well.
pub(super) fn mentions(name: &Ident, tokens: TokenStream) -> usize {
    let mut all = Vec::new();
    identifiers(tokens, &mut all);
    all.iter().filter(|word| *word == name).count()
}

/// Notes what is added, in the place of adding it.
struct Adds<'a> {
    place: &'a Expr,
    names: &'a alias::Later,
    /// Whether it is text that is copied.
    copies: bool,
}

impl VisitMut for Adds<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Stmt(stmt) => {
                let Adds { place, names, .. } = self;
                let (later, at) = (&names.later, &names.at);
                if let Stmt::Expr(Expr::MethodCall(call), Some(_)) = &*stmt
                    && let Some(added) = Added::of(call)
                    && same(added.place, place)
                {
                    let (index, item) = (added.index, added.item);
                    // Texts are of one type, whatever they are borrowed from.
                    let item = match call.method == "push_str" {
                        true if self.copies => quote!(::accrue::__rt::cpu::text(#item)),
                        true => quote!(::accrue::__rt::cpu::lent_text(#item)),
                        false => item.to_token_stream(),
                    };
                    *stmt = parse_quote!({
                        let #at = #index;
                        // By itself for its message; kernels know the other.
                        let _ = &#place[#at];
                        assert!(#at < #place.len());
                        #later.push((#at, #item));
                    });
                    return;
                }
                visit_mut::visit_stmt_mut(self, stmt);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
