//! Other names for the `&mut` items that a loop is lent: `let p = o;`, `let [a, b] = o;`, `for v in o`, and whether something is changed by way of one.

use crate::sorted::SortedSet;
use crate::syntax::visit::{self, Visit};
use syn::{Block, Expr, Pat};

use super::iteration::Lent;
use super::known::READING_METHODS;
use super::names::{bound_names, root_of};
use super::sites::is_assignment;
use crate::ir::Method;
use crate::syntax::names::left_side;
use crate::syntax::without_parens;

/// Whether a body changes, or hands on to code that may, what another name for one of its items stands for.
pub(super) fn changed_by_others(body: &Block, items: &SortedSet<String>) -> bool {
    let mut names = Names {
        known: items.clone(),
    };
    loop {
        let before = names.known.len();
        names.visit_block(body);
        if names.known.len() == before {
            break;
        }
    }
    names.known.retain(|name| !items.contains(name));
    let mut changes = Changes {
        names: &names.known,
        found: false,
    };
    changes.visit_block(body);
    changes.found
}

/// The names of a pattern that stand for `&mut` elements.
pub(super) fn names(pat: &Pat, lent: &Lent) -> SortedSet<String> {
    match (pat, lent) {
        (_, Lent::Nothing) => SortedSet::new(),
        (Pat::Paren(p), lent) => names(&p.pat, lent),
        (Pat::Tuple(parts), Lent::Pair(first, second)) => {
            let parts = parts.elems.iter().zip([first, second]);
            parts.flat_map(|(pat, lent)| names(pat, lent)).collect()
        }
        (pat, _) => bound_names(pat).iter().map(ToString::to_string).collect(),
    }
}

/// Whether code hands one of these names on to a call, which may change what it stands for.
pub(super) fn handed_on(body: &Block, names: &SortedSet<String>) -> bool {
    struct Calls<'n>(&'n SortedSet<String>, bool);
    impl<'a> Visit<'a> for Calls<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            if let visit::Node::Expr(e) = &node {
                self.1 |= match e {
                    Expr::MethodCall(call) => call.args.iter().any(|arg| is_one(arg, self.0)),
                    Expr::Call(call) => call.args.iter().any(|arg| is_one(arg, self.0)),
                    _ => false,
                };
            }
            node.parts(self);
        }
    }
    let mut calls = Calls(names, false);
    calls.visit_block(body);
    calls.1
}

/// Whether an expression is one of these names.
fn is_one(e: &Expr, names: &SortedSet<String>) -> bool {
    matches!(without_parens(e), Expr::Path(path) if path.path.get_ident().is_some_and(|name| names.contains(&name.to_string())))
}

/// The walk over what binds names to what another one stands for.
struct Names {
    known: SortedSet<String>,
}

impl Names {
    fn bind(&mut self, pat: &Pat, value: &Expr) {
        let of_one = match without_parens(value) {
            Expr::Tuple(parts) => parts.elems.iter().any(|part| is_one(part, &self.known)),
            value => is_one(value, &self.known),
        };
        if of_one {
            let bound = bound_names(pat).into_iter().map(ToString::to_string);
            self.known.extend(bound);
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit(&mut self, node: visit::Node<'a>) {
        match &node {
            visit::Node::Local(local) => {
                if let Some(init) = &local.init {
                    self.bind(&local.pat, &init.expr);
                }
            }
            visit::Node::Expr(Expr::Let(e)) => self.bind(&e.pat, &e.expr),
            visit::Node::Expr(Expr::ForLoop(e)) => self.bind(&e.pat, &e.expr),
            visit::Node::Expr(Expr::Match(e)) => {
                e.arms.iter().for_each(|arm| self.bind(&arm.pat, &e.expr));
            }
            _ => {}
        }
        node.parts(self);
    }
}

/// The walk over what changes one.
struct Changes<'n> {
    names: &'n SortedSet<String>,
    found: bool,
}

impl<'a> Visit<'a> for Changes<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        let is_of =
            |e: &Expr| root_of(e).is_some_and(|root| self.names.contains(&root.to_string()));
        if let visit::Node::Expr(e) = &node {
            self.found |= match e {
                Expr::MethodCall(call) => {
                    let name = call.method.to_string();
                    let reads =
                        READING_METHODS.contains(&name.as_str()) || Method::named(&name).is_some();
                    is_of(&call.receiver) && !reads
                        || call.args.iter().any(|arg| is_one(arg, self.names))
                }
                Expr::Call(call) => call.args.iter().any(|arg| is_one(arg, self.names)),
                Expr::Reference(e) => e.mutability.is_some() && is_of(&e.expr),
                // What is assigned to the name itself is another value for it.
                e if is_assignment(e) => {
                    left_side(e).is_some_and(|left| is_of(left) && !is_one(left, self.names))
                }
                _ => false,
            };
        }
        node.parts(self);
    }
}
