//! Flags that a loop asks before it sets them, as what is assigned last.
//!
//! | written | stands for |
//! | --- | --- |
//! | `if !inside { inside = true; n += 1; }` | `{ let was = inside; inside = true; if !was { n += 1; } }` |
//! | `if inside { inside = false; f(); } else { g(); }` | `{ let was = inside; inside = false; if was { f(); } else { g(); } }` |
//!
//! Where the flag is asked its value is known, so that setting it on both ways changes nothing.

use quote::{ToTokens, quote};
use syn::{Expr, ExprIf, Ident, ItemFn, Lit, Stmt, UnOp, parse_quote};

use super::names::identifiers;
use super::{exits, marks};
use crate::alias;
use crate::syntax::without_parens;

/// Rewrites them in a function's loops; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    marks::replace_in_loops(function, &mut |e| match e {
        Expr::If(of) => set(of),
        _ => None,
    })
}

fn name(e: &Expr) -> Option<&Ident> {
    match without_parens(e) {
        Expr::Path(of) => of.path.get_ident(),
        _ => None,
    }
}

/// The flag that a condition asks, with what it becomes in the branch that is for its other value.
fn asked(cond: &Expr) -> Option<(&Ident, bool)> {
    match without_parens(cond) {
        Expr::Unary(of) if matches!(of.op, UnOp::Not(_)) => Some((name(&of.expr)?, true)),
        e => Some((name(e)?, false)),
    }
}

/// A condition that sets its flag, with the flag set before it.
fn set(of: &ExprIf) -> Option<Expr> {
    let (flag, value) = asked(&of.cond)?;
    let sets = |stmt: &Stmt| match stmt {
        Stmt::Expr(Expr::Assign(to), _) => {
            name(&to.left) == Some(flag)
                && matches!(&*to.right, Expr::Lit(lit) if matches!(&lit.lit, Lit::Bool(lit) if lit.value == value))
        }
        _ => false,
    };
    let stmts = &of.then_branch.stmts;
    let at = stmts.iter().position(sets)?;
    let rest = [&stmts[..at], &stmts[at + 1..]].concat();
    let leaves = |stmt: &Stmt| !exits::ways(stmt).is_empty();
    let mut used = Vec::new();
    let mut uses = |of: &dyn ToTokens| identifiers(of.to_token_stream(), &mut used);
    rest.iter().for_each(|stmt| uses(stmt));
    let otherwise = of.else_branch.as_ref().map(|(_, otherwise)| otherwise);
    otherwise.iter().for_each(|otherwise| uses(otherwise));
    if used.contains(flag) || stmts[..at].iter().any(leaves) {
        return None;
    }
    let was = alias::was(flag.span());
    let cond: Expr = match value {
        true => parse_quote!(!#was),
        false => parse_quote!(#was),
    };
    let otherwise = otherwise.map(|otherwise| quote!(else #otherwise));
    Some(parse_quote!({
        let #was = #flag;
        #flag = #value;
        if #cond { #(#rest)* } #otherwise
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a loop's body becomes, if anything.
    fn rewritten(body: &str) -> Option<String> {
        let mut function: ItemFn =
            syn::parse_str(&format!("fn f() {{ for x in y {{ {body} }} }}")).expect("Rust");
        rewrite(&mut function).then(|| function.block.to_token_stream().to_string())
    }

    #[track_caller]
    fn becomes(body: &str, other: &str) {
        let other: syn::Block =
            syn::parse_str(&format!("{{ for x in y {{ {other} }} }}")).expect("Rust");
        assert_eq!(rewritten(body), Some(other.to_token_stream().to_string()));
    }

    #[test]
    fn a_flag_is_set_before_it_is_asked() {
        becomes(
            "if g(x) { f = false; } else if !f { f = true; n += 1; }",
            "if g(x) { f = false; } else { let __accrue_exit_was = f; f = true; if !__accrue_exit_was { n += 1; } }",
        );
        becomes(
            "if f { out.push(x); f = false; } else { g(); }",
            "{ let __accrue_exit_was = f; f = false; if __accrue_exit_was { out.push(x); } else { g(); } }",
        );
    }

    #[test]
    fn what_is_used_otherwise_stays() {
        for body in [
            "if !f { f = false; n += 1; }",
            "if !f { f = true; h(f); }",
            "if !f && c { f = true; n += 1; }",
            "if !f { f = true; n += 1; } else { f = false; }",
            "if !f { if c { continue; } f = true; }",
            "if !f { n += g()?; f = true; }",
        ] {
            assert_eq!(rewritten(body), None, "{body}");
        }
    }
}
