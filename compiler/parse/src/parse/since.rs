//! An `Option` that says since when something goes on, as a flag and a number.
//!
//! ```text
//! for (i, v) in x.iter().enumerate() {            let (mut goes_on, mut since) = ..;
//!     if *v > limit {                             for (i, v) in x.iter().enumerate() {
//!         start.get_or_insert(i);                     if *v > limit {
//!     } else if let Some(s) = start.take() {              if !goes_on { goes_on = true; since = i; }
//!         runs.push((s, i));                          } else if goes_on {
//!     }                                                   goes_on = false;
//! }                                                       let s = since;
//!                                                         runs.push((s, i));
//!                                                     }
//!                                                 }
//!                                                 start = if goes_on { Some(since) } else { None };
//! ```
//!
//! What it keeps is the loop's own number, or one a literal away. Nothing else in the loop mentions it, and the loop does not leave the function.

use syn::{Block, Expr, ExprForLoop, Ident, ItemFn, Lit, Pat, Stmt, parse_quote};

use super::adaptors::words;
use super::exits;
use super::iteration::{self, Adaptor, Base};
use super::names::{is_constant_like, whole};
use super::unmarked;
use crate::alias;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut found = false;
    unmarked::loops(function, false, &mut |of| {
        let apart = apart(of)?;
        found = true;
        Some(apart)
    });
    found
}

fn apart(of: &ExprForLoop) -> Option<Stmt> {
    if of.label.is_some() || exits::leaves(&Expr::ForLoop(of.clone())) {
        return None;
    }
    let number = number(of)?;
    let mut kept = Kept {
        number: &number,
        option: None,
    };
    kept.visit_block(&of.body);
    let option = kept.option?;
    let since = Ident::new(&alias::stop(&option.to_string()), option.span());
    let mut parts = Parts {
        goes_on: Ident::new(&format!("{since}_"), option.span()),
        option,
        since,
    };
    let mut apart = of.clone();
    parts.visit_block_mut(&mut apart.body);
    let Parts {
        option,
        goes_on,
        since,
    } = parts;
    if words(&apart).contains(&option) {
        return None;
    }
    Some(parse_quote! {
        #[allow(unused_assignments)]
        {
            let mut #goes_on = #option.is_some();
            let mut #since = #option.unwrap_or_default();
            #apart
            if #goes_on { #option.replace(#since); } else { #option.take(); }
        }
    })
}

/// The number of an iteration.
fn number(of: &ExprForLoop) -> Option<Ident> {
    let chain = iteration::chain(&of.expr).ok()?;
    match (&chain.base, chain.adaptors.last(), &*of.pat) {
        (Base::Range { .. }, None, pat) => whole(pat).cloned(),
        (_, Some(Adaptor::Enumerate), Pat::Tuple(pair)) => whole(pair.elems.first()?).cloned(),
        _ => None,
    }
}

/// Looks for the variable that keeps a number.
struct Kept<'n> {
    number: &'n Ident,
    option: Option<Ident>,
}

impl Kept<'_> {
    fn is_number(&self, e: &Expr) -> bool {
        match without_parens(e) {
            Expr::Path(path) => path.path.is_ident(self.number),
            Expr::Binary(of) => {
                let literal =
                    matches!(&*of.right, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_)));
                literal && self.is_number(&of.left)
            }
            _ => false,
        }
    }
}

impl<'a> Visit<'a> for Kept<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(Expr::Closure(_) | Expr::Async(_)) | visit::Node::Item(_) => {}
            visit::Node::Expr(e) => {
                if let Some((option, value)) = begins(e)
                    && self.is_number(value)
                {
                    self.option.get_or_insert(option.clone());
                }
                visit::visit_expr(self, e);
            }
            _ => node.parts(self),
        }
    }
}

/// `start = Some(i)` and `start.get_or_insert(i)`: the variable, and what it keeps.
fn begins(e: &Expr) -> Option<(&Ident, &Expr)> {
    match e {
        Expr::Assign(of) => match without_parens(&of.right) {
            Expr::Call(some) if is_some(&some.func) => Some((name(&of.left)?, some.args.first()?)),
            _ => None,
        },
        Expr::MethodCall(of) if of.method == "get_or_insert" => {
            Some((name(&of.receiver)?, of.args.first()?))
        }
        _ => None,
    }
}

fn is_some(of: &Expr) -> bool {
    matches!(of, Expr::Path(path) if path.path.is_ident("Some"))
}

fn name(e: &Expr) -> Option<&Ident> {
    match without_parens(e) {
        Expr::Path(of) => of.path.get_ident(),
        _ => None,
    }
}

/// Says by the parts of an option what is said by it.
struct Parts {
    option: Ident,
    goes_on: Ident,
    since: Ident,
}

impl Parts {
    fn is_it(&self, e: &Expr) -> bool {
        name(e) == Some(&self.option)
    }

    /// Whether an expression calls a method of it without arguments.
    fn asks(&self, e: &Expr, method: &str) -> bool {
        matches!(without_parens(e), Expr::MethodCall(of) if of.method == method && of.args.is_empty() && self.is_it(&of.receiver))
    }

    /// What a statement is, where it changes the option.
    fn changed(&self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Expr(e, Some(_)) = stmt else {
            return None;
        };
        let (goes_on, since) = (&self.goes_on, &self.since);
        if let Some((option, value)) = begins(e)
            && *option == self.option
        {
            return Some(match e {
                Expr::Assign(_) => vec![
                    parse_quote!(#goes_on = true;),
                    parse_quote!(#since = #value;),
                ],
                // What may overflow does so whether it is kept or not.
                _ => {
                    let begins = Ident::new(&format!("{since}begins"), option.span());
                    vec![
                        parse_quote!(let #begins = #value;),
                        parse_quote!(if !#goes_on { #goes_on = true; #since = #begins; }),
                    ]
                }
            });
        }
        match e {
            Expr::Assign(of)
                if self.is_it(&of.left)
                    && matches!(&*of.right, Expr::Path(none) if none.path.is_ident("None")) =>
            {
                Some(vec![parse_quote!(#goes_on = false;)])
            }
            _ => None,
        }
    }
}

impl VisitMut for Parts {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                let stmts = std::mem::take(&mut block.stmts).into_iter();
                let stmts = stmts.flat_map(|stmt| self.changed(&stmt).unwrap_or(vec![stmt]));
                block.stmts = stmts.collect();
                visit_mut::visit_block_mut(self, block);
            }
            visit_mut::Node::Expr(e) => {
                let (goes_on, since) = (&self.goes_on, &self.since);
                if self.asks(e, "is_none") {
                    *e = parse_quote!(!#goes_on);
                } else if self.asks(e, "is_some") {
                    *e = parse_quote!(#goes_on);
                } else if let Expr::If(of) = e
                    && let Expr::Let(cond) = &*of.cond
                    && let Pat::TupleStruct(some) = &*cond.pat
                    && some.path.is_ident("Some")
                    && let (Some(as_name), 1) = (some.elems.first(), some.elems.len())
                    && whole(as_name).is_some_and(|name| !is_constant_like(name))
                {
                    let takes = self.asks(&cond.expr, "take");
                    if takes || self.is_it(&cond.expr) {
                        let ends: Option<Stmt> = takes.then(|| parse_quote!(#goes_on = false;));
                        let stmts = &of.then_branch.stmts;
                        let then: Block = parse_quote!({ #ends let #as_name = #since; #(#stmts)* });
                        of.then_branch = then;
                        *of.cond = parse_quote!(#goes_on);
                    }
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    /// What the loop of a function becomes, if anything.
    fn rewritten(header: &str, body: &str) -> Option<String> {
        let mut function: ItemFn =
            syn::parse_str(&format!("fn f() {{ for {header} {{ {body} }} }}")).expect("Rust");
        if !rewrite(&mut function) {
            return None;
        }
        let text = function.block.to_token_stream().to_string();
        let (from, to) = (text.find("for ")?, text.rfind("if ")?);
        let text = text[from..to]
            .replace("__accrue_exit_stop_", "")
            .replace(' ', "");
        Some(text)
    }

    #[test]
    fn a_flag_and_a_number_say_the_same() {
        let text = rewritten(
            "(i, v) in x.iter().enumerate()",
            "if *v > 3 { s.get_or_insert(i); } else if let Some(t) = s.take() { out.push((t, i)); }",
        )
        .expect("an option");
        assert!(text.contains("elseif"), "{text}");
        assert!(
            !text.contains("take()") && !text.contains("get_or_insert"),
            "{text}"
        );
    }

    #[test]
    fn what_may_overflow_is_computed_whether_it_is_kept_or_not() {
        let body = "if c(i) { s.get_or_insert(i - 1); } else { s = None; }";
        let text = rewritten("i in 0..n", body).expect("an option");
        assert!(text.contains("_begins=i-1;if!"), "{text}");
    }

    #[test]
    fn what_is_used_otherwise_stays() {
        for (header, body) in [
            ("i in 0..n", "if c(i) { s = Some(i); } else { g(s); }"),
            ("i in 0..n", "if c(i) { s = Some(v[i]); }"),
            ("i in 0..n", "if c(i) { s = Some(i); return; }"),
            ("v in x.iter()", "if c(v) { s = Some(v); }"),
        ] {
            assert_eq!(rewritten(header, body), None, "{body}");
        }
    }
}
