//! Rows that loops are handed, used as slices are.

use crate::syntax::visit::{self, Visit};
use syn::{Block, Expr, Ident};

use crate::parse::names::identifiers;
use crate::syntax::without_parens;

/// Whether a row is used as a slice can be.
pub(super) fn is_slice(row: &Ident, body: &Block) -> bool {
    let mut uses = Slices { row, others: false };
    uses.visit_block(body);
    !uses.others
}

/// Whether a row is used in other ways than a slice can be.
struct Slices<'a> {
    row: &'a Ident,
    others: bool,
}

impl Slices<'_> {
    fn is_row(&self, e: &Expr) -> bool {
        matches!(without_parens(e), Expr::Path(path) if path.path.is_ident(self.row))
    }
}

impl<'a> Visit<'a> for Slices<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                match e {
                    Expr::Index(index) if self.is_row(&index.expr) => {
                        // ndarray takes `row[[i]]` as well.
                        self.others |= matches!(
                            without_parens(&index.index),
                            Expr::Array(_) | Expr::Range(_)
                        );
                        self.visit_expr(&index.index);
                    }
                    Expr::MethodCall(call) if self.is_row(&call.receiver) => {
                        let name = call.method.to_string();
                        let same =
                            matches!(name.as_str(), "len" | "is_empty" | "iter" | "iter_mut");
                        self.others |= !(same && call.args.is_empty());
                    }
                    Expr::ForLoop(of) if self.is_row(&of.expr) => self.visit_block(&of.body),
                    _ => visit::visit_expr(self, e),
                }
            }
            visit::Node::ExprPath(path) => {
                self.others |= path.path.is_ident(self.row);
            }
            visit::Node::PatIdent(pat) => {
                self.others |= pat.ident == *self.row;
            }
            visit::Node::Macro(mac) => {
                let mut words = Vec::new();
                identifiers(mac.tokens.clone(), &mut words);
                self.others |= words.contains(self.row);
            }
            _ => node.parts(self),
        }
    }
}
