//! Whether a body may move one of its names: `let p = o;`, `keep(o)`. Numbers are copied by the same words.

use crate::syntax::visit::{self, Visit};
use syn::{Block, Expr, Ident};

/// Whether a body has one of these names as a value, and not as what is indexed, read by way of, borrowed, or calculated with.
pub(super) fn may_move(body: &Block, names: &[&Ident]) -> bool {
    let mut values = Values {
        names,
        found: false,
    };
    values.visit_block(body);
    values.found
}

struct Values<'a> {
    names: &'a [&'a Ident],
    found: bool,
}

impl Values<'_> {
    fn is_name(&self, e: &Expr) -> bool {
        matches!(e, Expr::Path(path) if path.path.get_ident().is_some_and(|name| self.names.contains(&name)))
    }

    /// What stands there is no value by itself.
    fn part<'b>(&mut self, e: &'b Expr)
    where
        Self: Visit<'b>,
    {
        if !self.is_name(e) {
            self.visit_expr(e);
        }
    }
}

impl<'b> Visit<'b> for Values<'_> {
    fn visit(&mut self, node: visit::Node<'b>) {
        match node {
            visit::Node::Expr(e) => match e {
                Expr::Path(_) => self.found |= self.is_name(e),
                Expr::Unary(e) => self.part(&e.expr),
                Expr::Field(e) => self.part(&e.base),
                Expr::Reference(e) => self.part(&e.expr),
                Expr::Cast(e) => self.part(&e.expr),
                Expr::Index(e) => {
                    self.part(&e.expr);
                    self.part(&e.index);
                }
                Expr::Binary(e) => {
                    self.part(&e.left);
                    self.part(&e.right);
                }
                Expr::MethodCall(e) if !e.method.to_string().starts_with("into_") => {
                    self.part(&e.receiver);
                    e.args.iter().for_each(|arg| self.visit_expr(arg));
                }
                e => visit::visit_expr(self, e),
            },
            _ => node.parts(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn a_name_is_moved_where_it_is_a_value() {
        let moves = |body: Block| may_move(&body, &[&parse_quote!(o)]);
        assert!(moves(parse_quote!({
            let p = o;
        })));
        assert!(moves(parse_quote!({
            keep(o);
        })));
        assert!(moves(parse_quote!({
            for v in o {
                *v = 1;
            }
        })));
        assert!(moves(parse_quote!({
            n = o.into_bytes();
        })));
        assert!(!moves(parse_quote!({
            *o = o[1] + o.x + o.len() as u32;
        })));
        assert!(!moves(parse_quote!({
            let p = &o;
        })));
    }
}
