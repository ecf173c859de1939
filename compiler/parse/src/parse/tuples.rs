//! Tuples that are assigned as a whole, part by part: what keeps the best item is several variables then, or several parts of one.
//!
//! | written | stands for |
//! | --- | --- |
//! | `(best, at) = (x[i], i);` | `best = x[i]; at = i;` |
//! | `if x[i] > best.0 { best = (x[i], i); }` | `if x[i] > best.0 { best.0 = x[i]; best.1 = i; }` |
//!
//! The values may not ask for what is assigned before them, and those behind the first may not panic.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprAssign, Index, ItemFn, Member, Stmt, parse_quote_spanned};

use super::names::{identifiers, root_of};
use crate::sorted;
use crate::syntax::is_at_hand;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in the loops of a function.
pub fn rewrite(function: &mut ItemFn) {
    Tuples::default().visit_block_mut(&mut function.block);
}

#[derive(Default)]
struct Tuples {
    /// How many loops stand around.
    loops: usize,
    /// The variables of whose parts the conditions around speak.
    asked: Vec<Ident>,
}

impl Tuples {
    /// The assignments that one of a tuple stands for.
    fn apart(&self, e: &ExprAssign) -> Option<Vec<Stmt>> {
        let Expr::Tuple(values) = without_parens(&e.right) else {
            return None;
        };
        let places: Vec<Expr> = match without_parens(&e.left) {
            Expr::Tuple(places) => places.elems.iter().cloned().collect(),
            Expr::Path(path)
                if path
                    .path
                    .get_ident()
                    .is_some_and(|v| self.asked.contains(v)) =>
            {
                let part = |n| {
                    let (index, span) = (Member::Unnamed(Index::from(n)), path.span());
                    parse_quote_spanned!(span=> #path.#index)
                };
                (0..values.elems.len()).map(part).collect()
            }
            _ => return None,
        };
        if places.len() != values.elems.len() || !places.iter().all(is_variable) {
            return None;
        }
        // What may end with a panic comes before anything is assigned; of one variable its last value stays.
        let mut pairs: Vec<_> = places.iter().zip(&values.elems).collect();
        let roots: Vec<_> = places.iter().filter_map(root_of).collect();
        if (1..roots.len()).all(|n| !roots[..n].contains(&roots[n])) {
            sorted::by_key(&mut pairs, |(_, value)| is_at_hand(value));
        }
        let mut assigned: Vec<&Ident> = Vec::new();
        for (n, (place, value)) in pairs.iter().enumerate() {
            let mut asked = Vec::new();
            identifiers(value.to_token_stream(), &mut asked);
            let again = asked.iter().any(|name| assigned.contains(&name));
            if again || n > 0 && !is_at_hand(value) {
                return None;
            }
            assigned.extend(root_of(place));
        }
        let stmts = pairs
            .into_iter()
            .map(|(place, value)| parse_quote_spanned!(e.span()=> #place = #value;));
        Some(stmts.collect())
    }
}

/// A variable, what one refers to, or a field of one.
fn is_variable(place: &Expr) -> bool {
    match without_parens(place) {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| name != "_"),
        Expr::Field(field) => is_variable(&field.base),
        Expr::Unary(of) => matches!(of.op, syn::UnOp::Deref(_)) && is_variable(&of.expr),
        _ => false,
    }
}

impl VisitMut for Tuples {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                self.loops += 1;
                visit_mut::visit_expr_for_loop_mut(self, of);
                self.loops -= 1;
            }
            visit_mut::Node::Expr(e) => {
                struct Parts<'a>(&'a mut Vec<Ident>);
                impl<'a> Visit<'a> for Parts<'_> {
                    fn visit(&mut self, node: visit::Node<'a>) {
                        match node {
                            visit::Node::Expr(e) => {
                                if let Expr::Field(field) = e
                                    && let (Member::Unnamed(_), Expr::Path(path)) =
                                        (&field.member, &*field.base)
                                {
                                    self.0.extend(path.path.get_ident().cloned());
                                }
                                visit::visit_expr(self, e);
                            }
                            _ => node.parts(self),
                        }
                    }
                }
                let before = self.asked.len();
                if let Expr::If(of) = e {
                    Parts(&mut self.asked).visit_expr(&of.cond);
                }
                visit_mut::visit_expr_mut(self, e);
                self.asked.truncate(before);
            }
            visit_mut::Node::Item(_) => {}
            visit_mut::Node::ExprClosure(_) => {}
            visit_mut::Node::Block(block) => {
                let mut at = 0;
                while at < block.stmts.len() {
                    let apart = match &block.stmts[at] {
                        Stmt::Expr(Expr::Assign(e), _) if self.loops > 0 => self.apart(e),
                        _ => None,
                    };
                    match apart {
                        Some(stmts) => {
                            let count = stmts.len();
                            block.stmts.splice(at..=at, stmts);
                            at += count;
                        }
                        None => {
                            self.visit_stmt_mut(&mut block.stmts[at]);
                            at += 1;
                        }
                    }
                }
            }
            _ => node.parts(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The body of a loop, rewritten.
    fn rewritten(body: &str) -> String {
        let function = format!("fn f() {{ for i in 0..n {{ {body} }} }}");
        let mut function: ItemFn = syn::parse_str(&function).expect("a function");
        rewrite(&mut function);
        let Stmt::Expr(Expr::ForLoop(of), _) = &function.block.stmts[0] else {
            panic!("a loop");
        };
        let stmts = of.body.stmts.iter();
        let words: String = stmts
            .map(|stmt| stmt.to_token_stream().to_string())
            .collect();
        words.replace(' ', "")
    }

    #[test]
    fn values_that_do_not_ask_for_each_other_are_assigned_one_by_one() {
        assert_eq!(rewritten("(a, b) = (x[i], i);"), "a=x[i];b=i;");
        assert_eq!(rewritten("(b, a) = (i, x[i]);"), "a=x[i];b=i;");
        let asked = "if x[i] > t.0 { t = (x[i], i); }";
        assert_eq!(rewritten(asked), "ifx[i]>t.0{t.0=x[i];t.1=i;}");
        assert_eq!(rewritten("(s.a, s.b) = (x[i], i);"), "s.a=x[i];s.b=i;");
    }

    #[test]
    fn others_stay() {
        for body in [
            "(a,b)=(b,a);",
            "(a,b)=(b,a+b);",
            "(a,b)=(x[i],y[i]);",
            "(a,a)=(1,x[i]);",
            "(h[i],b)=(1,i);",
            "(a,_)=(x[i],i);",
            "t=(x[i],i);",
            "if t.0<2{t=(x[i],t.0);}",
        ] {
            assert_eq!(rewritten(body), body.replace(' ', ""));
        }
    }
}
