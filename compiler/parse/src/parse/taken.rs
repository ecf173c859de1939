//! Loops that take the items out of what they go over, `for mut read in reads`, where these are no `Copy`: each iteration takes its own out of an array of them.
//!
//! ```text
//! for mut read in reads {         let mut items = owned(reads);
//!     ..                          for slot in items.iter_mut() { let mut read = take(slot); .. }
//! }
//! ```
//!
//! Taken are maps, sets and queues that are declared with items which may own something, and vectors of strings, of boxes or of vectors, or of what the loop adds to or
//! takes from: other items may be numbers, which a loop reads where they are.

use syn::{
    Block, Expr, ExprForLoop, FnArg, GenericArgument, Ident, ItemFn, Pat, PathArguments, Stmt,
    Type, parse_quote,
};

use super::names::{primitive_of, root_of, whole};
use super::unmarked;
use crate::alias;
use crate::sorted::Sorted;
use crate::syntax::visit::{self, Visit};
use crate::syntax::without_parens;

/// Collections whose items are at no index.
const OTHERS: [&str; 7] = [
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "HashMap",
    "HashSet",
    "LinkedList",
    "VecDeque",
];

/// Types that are never `Copy`.
const OWNING: [&str; 4] = ["Box", "String", "Vec", "PathBuf"];

/// Methods that no `Copy` type of the standard library has.
const GROWING: [&str; 14] = [
    "append",
    "clear",
    "dedup",
    "drain",
    "extend",
    "insert",
    "pop",
    "push",
    "push_back",
    "push_str",
    "remove",
    "resize",
    "retain",
    "truncate",
];

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut names = Names::default();
    for input in &function.sig.inputs {
        if let FnArg::Typed(input) = input {
            names.declared(&input.pat, Items::of(&input.ty));
        }
    }
    names.visit_block(&function.block);
    let mut found = 0;
    // Of a loop inside others nothing is asked but what it does.
    unmarked::loops(function, false, &mut |of| {
        let taken = taken(of, &names, found)?;
        found += 1;
        Some(taken)
    });
    found > 0
}

/// What is known of the items of a collection.
#[derive(Clone, Copy, PartialEq)]
enum Items {
    /// No loop has them at an index, or they are no `Copy`.
    Taken,
    /// Of a `Vec`.
    Any,
}

impl Items {
    fn of(ty: &Type) -> Option<Items> {
        let Type::Path(path) = ty else { return None };
        let last = path.path.segments.last()?;
        let PathArguments::AngleBracketed(of) = &last.arguments else {
            return None;
        };
        if OTHERS.iter().any(|name| last.ident == name) {
            let owns = of.args.iter().any(|arg| match arg {
                GenericArgument::Type(ty) => may_own(ty),
                _ => false,
            });
            return owns.then_some(Items::Taken);
        }
        let (true, Some(GenericArgument::Type(Type::Path(item)))) =
            (last.ident == "Vec", of.args.first())
        else {
            return None;
        };
        let item = &item.path.segments.last()?.ident;
        Some(match OWNING.iter().any(|name| item == name) {
            true => Items::Taken,
            false => Items::Any,
        })
    }
}

/// Whether a type may be no `Copy`.
fn may_own(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => primitive_of(&path.path).is_none(),
        Type::Tuple(of) => of.elems.iter().any(may_own),
        Type::Array(of) => may_own(&of.elem),
        _ => false,
    }
}

/// The variables that are collections; none of those that are declared twice otherwise.
#[derive(Default)]
struct Names(Sorted<String, Option<Items>>);

impl Names {
    fn declared(&mut self, pat: &Pat, items: Option<Items>) {
        if let Some(name) = whole(pat) {
            let name = name.to_string();
            let known = self.0.get(&name).is_none_or(|known| *known == items);
            self.0.insert(name, items.filter(|_| known));
        }
    }

    fn of(&self, e: &Expr) -> Option<Items> {
        let Expr::Path(path) = without_parens(e) else {
            return None;
        };
        *self.0.get(&path.path.get_ident()?.to_string())?
    }
}

impl<'a> Visit<'a> for Names {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Local(local) => {
                let items = match &local.pat {
                    Pat::Type(typed) => Items::of(&typed.ty),
                    _ => None,
                };
                self.declared(&local.pat, items);
                visit::visit_local(self, local);
            }
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The loop over places that the items are taken out of, the `number`-th of the function.
fn taken(of: &ExprForLoop, names: &Names, number: usize) -> Option<Stmt> {
    let span = of.for_token.span;
    let (items, slot) = (alias::items(number, span), alias::place(span));
    let mut all = of.clone();
    let (collection, pat) = match (without_parens(&of.expr), &*of.pat) {
        (Expr::MethodCall(call), Pat::Tuple(pat))
            if call.method == "enumerate" && call.args.is_empty() && pat.elems.len() == 2 =>
        {
            let number = &pat.elems[0];
            *all.pat = parse_quote!((#number, #slot));
            *all.expr = parse_quote!(#items.iter_mut().enumerate());
            (of_items(&call.receiver)?, &pat.elems[1])
        }
        (header, pat) => {
            *all.pat = parse_quote!(#slot);
            *all.expr = parse_quote!(#items.iter_mut());
            (of_items(header).unwrap_or(header), pat)
        }
    };
    match (names.of(collection)?, pat) {
        (Items::Taken, _) => {}
        (Items::Any, Pat::Ident(pat)) if changes(&pat.ident, &of.body) => {}
        (Items::Any, _) => return None,
    }
    all.body.stmts.insert(
        0,
        parse_quote!(let #pat = ::accrue::__rt::cpu::take(#slot);),
    );
    Some(parse_quote!({
        let mut #items = ::accrue::__rt::cpu::owned(#collection);
        #all
    }))
}

/// Whether a body adds to something of an item's, or takes from it.
fn changes(item: &Ident, body: &Block) -> bool {
    struct Finder<'a>(&'a Ident, bool);
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            if let visit::Node::Expr(Expr::MethodCall(call)) = node {
                let of_item = root_of(&call.receiver).is_some_and(|root| root == self.0);
                self.1 |= of_item && GROWING.iter().any(|name| call.method == name);
            }
            node.parts(self);
        }
    }
    let mut finder = Finder(item, false);
    finder.visit_block(body);
    finder.1
}

/// The collection of `reads.into_iter()`.
fn of_items(e: &Expr) -> Option<&Expr> {
    match without_parens(e) {
        Expr::MethodCall(call) if call.method == "into_iter" && call.args.is_empty() => {
            Some(&call.receiver)
        }
        _ => None,
    }
}
