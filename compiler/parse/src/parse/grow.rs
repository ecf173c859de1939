//! Collections that a loop's body appends to and does nothing else with: `out.push(x)`.

use crate::syntax::visit::{self, Visit};
use quote::ToTokens;
use syn::{Expr, ExprForLoop};

use super::names::{self, Key};

/// Methods that append to what they are called on, and say nothing of it.
const APPENDING: &[&str] = &[
    "append",
    "extend",
    "extend_from_slice",
    "push",
    "push_back",
    "push_str",
];

/// Whether a method is one of those.
pub(super) fn appends(method: &str) -> bool {
    APPENDING.contains(&method)
}

/// The places of the collections. That they are declared outside the loop is for the caller to see.
pub(super) fn grown(syntax: &ExprForLoop) -> Vec<Expr> {
    let mut finder = Finder {
        found: Vec::new(),
        others: Vec::new(),
        closures: 0,
    };
    let bound = names::bound_names(&syntax.pat);
    finder
        .others
        .extend(bound.iter().map(|n| Key::name(n.to_string())));
    finder.visit_block(&syntax.body);
    let mut iterated = Finder {
        found: Vec::new(),
        others: Vec::new(),
        closures: 1,
    };
    iterated.visit_expr(&syntax.expr);
    finder.others.extend(iterated.others);
    let Finder { found, others, .. } = finder;
    let mut grown: Vec<(Key, Expr)> = Vec::new();
    for (key, place) in found {
        let only = !others.iter().any(|other| other.overlaps(&key));
        if only && !grown.iter().any(|(known, _)| *known == key) {
            grown.push((key, place));
        }
    }
    grown.into_iter().map(|(_, place)| place).collect()
}

struct Finder {
    found: Vec<(Key, Expr)>,
    /// What is mentioned otherwise, or bound in the body.
    others: Vec<Key>,
    closures: usize,
}

impl<'a> Visit<'a> for Finder {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => match e {
                Expr::MethodCall(call)
                    if self.closures == 0 && appends(&call.method.to_string()) =>
                {
                    match names::key_of(&call.receiver) {
                        // No other name can stand for `self`, whose `push` would be one of its own mostly.
                        Some((key, false)) if key != Key::name("self".to_owned()) => {
                            self.found.push((key, (*call.receiver).clone()));
                            call.args.iter().for_each(|arg| self.visit_expr(arg));
                        }
                        _ => visit::visit_expr(self, e),
                    }
                }
                Expr::Path(_) | Expr::Field(_) => match names::key_of(e) {
                    Some((key, false)) => self.others.push(key),
                    _ => visit::visit_expr(self, e),
                },
                Expr::Closure(_) => {
                    self.closures += 1;
                    visit::visit_expr(self, e);
                    self.closures -= 1;
                }
                e => visit::visit_expr(self, e),
            },
            visit::Node::PatIdent(pat) => {
                self.others.push(Key::name(pat.ident.to_string()));
                visit::visit_pat_ident(self, pat);
            }
            visit::Node::Macro(mac) => {
                let mut found = Vec::new();
                names::identifiers(mac.tokens.to_token_stream(), &mut found);
                let keys = found.iter().map(|name| Key::name(name.to_string()));
                self.others.extend(keys);
            }
            _ => node.parts(self),
        }
    }
}
