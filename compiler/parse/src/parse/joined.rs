//! Iterators that are joined in a loop's header, as the loops that they are.
//!
//! | written | stands for |
//! | --- | --- |
//! | `for x in a.iter().chain(b) { .. }` | `for x in a.iter() { .. } for x in b { .. }` |
//! | `for (x, y) in (0..h).flat_map(\|y\| (0..w).map(move \|x\| (x, y))) { .. }` | `for y in 0..h { for x in 0..w { let (x, y) = (x, y); .. } }` |
//! | `for (a, b) in std::iter::zip(x, y) { .. }` | `for (a, b) in x.into_iter().zip(y) { .. }` |
//!
//! The second of a chain is looked at behind the first then, so that it is made of what the body leaves as it is. A `break` would leave one loop of two.

use syn::{Expr, ExprForLoop, ItemFn, Stmt, parse_quote};

use super::adaptors::{closure, keeps_moved, move_all, words};
use super::counted::is_kept;
use super::exits::{self, Way};
use super::iteration::{self, Adaptor, Base, Chain};
use super::names::bound_names;
use super::unmarked;
use crate::syntax::without_parens;

/// Rewrites them in a function, as often as there are some; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut any = false;
    loop {
        let mut found = false;
        unmarked::loops(function, true, &mut |of| {
            let apart = apart(of)?;
            found = true;
            Some(apart)
        });
        if !found {
            return any;
        }
        any = true;
    }
}

/// What a loop over joined iterators is.
fn apart(of: &ExprForLoop) -> Option<Stmt> {
    if of.label.is_some() {
        return None;
    }
    let mut all = of.clone();
    move_all(&mut all);
    match without_parens(&all.expr) {
        Expr::Call(call) if is_zip(&call.func) && call.args.len() == 2 => {
            let (first, second) = (&call.args[0], &call.args[1]);
            let zipped = parse_quote!((#first).into_iter().zip(#second));
            *all.expr = zipped;
            Some(Stmt::Expr(Expr::ForLoop(all), None))
        }
        Expr::MethodCall(call) if call.args.len() == 1 && !breaks(&all) => {
            match call.method.to_string().as_str() {
                "chain" => chained(&all, &call.receiver, &call.args[0]),
                "flat_map" => nested(&all, &call.receiver, closure(call)?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `std::iter::zip`
fn is_zip(f: &Expr) -> bool {
    let Expr::Path(f) = f else { return false };
    let path = f.path.segments.iter().map(|part| part.ident.to_string());
    let path: Vec<String> = path.collect();
    matches!(&path[..], [root, iter, zip] if (root == "std" || root == "core") && iter == "iter" && zip == "zip")
}

/// Whether a `break` in the body leaves the loop.
fn breaks(of: &ExprForLoop) -> bool {
    let mut ways = of.body.stmts.iter().flat_map(exits::ways);
    ways.any(|way| way == (Way::Break, None))
}

/// A loop over the items of one iterator, and then of another.
fn chained(of: &ExprForLoop, first: &Expr, second: &Expr) -> Option<Stmt> {
    let kept = words(second)
        .into_iter()
        .all(|word| is_kept(&parse_quote!(#word), &of.body));
    if !kept || !iteration::chain(second).is_ok_and(|chain| is_still(&chain)) {
        return None;
    }
    let over = |items: &Expr| {
        let mut one = of.clone();
        *one.expr = without_parens(items).clone();
        one
    };
    let (first, second) = (over(first), over(second));
    Some(parse_quote!({ #first #second }))
}

/// Whether a chain does nothing but go over what is there, and cannot fail: the loop over its items comes behind the one over the others, which would have run.
fn is_still(chain: &Chain) -> bool {
    let base = match &chain.base {
        Base::Range { start, end, .. } => is_there(start) && is_there(end),
        Base::From(start) => is_there(start),
        Base::Elements { of, .. } | Base::Bytes(of) => is_slice(of),
        Base::ChunksExact(of, k)
        | Base::Chunks(of, k)
        | Base::Windows(of, k)
        | Base::ChunksMut(of, k, _) => is_slice(of) && is_some(k),
    };
    base && chain.adaptors.iter().all(|adaptor| match adaptor {
        Adaptor::Copied | Adaptor::Cloned | Adaptor::Enumerate | Adaptor::Rev => true,
        Adaptor::Zip(other) => is_still(other),
        Adaptor::Skip(n) | Adaptor::Take(n) => is_there(n),
        Adaptor::StepBy(n) => is_some(n),
    })
}

/// A place, or all of one.
fn is_slice(of: &Expr) -> bool {
    match without_parens(of) {
        Expr::Reference(of) => is_slice(&of.expr),
        Expr::Index(of) => match without_parens(&of.index) {
            Expr::Range(range) => {
                is_slice(&of.expr) && range.start.is_none() && range.end.is_none()
            }
            _ => false,
        },
        of => is_there(of),
    }
}

/// A value that can be computed whatever the numbers are.
fn is_there(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(of) => is_there(&of.base),
        Expr::MethodCall(of) => {
            let sure = ["len", "min", "max", "saturating_sub", "saturating_add"];
            sure.iter().any(|name| of.method == name)
                && is_there(&of.receiver)
                && of.args.iter().all(is_there)
        }
        _ => false,
    }
}

/// A number that is not 0.
fn is_some(e: &Expr) -> bool {
    let Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Int(number),
        ..
    }) = without_parens(e)
    else {
        return false;
    };
    number.base10_parse::<u128>().is_ok_and(|number| number > 0)
}

/// A loop over the items of iterators that are made of the items of another one.
fn nested(
    of: &ExprForLoop,
    items: &Expr,
    (each, param): (&syn::ExprClosure, &syn::Pat),
) -> Option<Stmt> {
    // In the body a name of the closure's would hide what the body means.
    let (used, own) = (words(&of.body), bound_names(&of.pat));
    let hides = |name: &&proc_macro2::Ident| used.contains(name) && !own.contains(name);
    let plain = !exits::leaves(&each.body) && !bound_names(param).iter().any(hides);
    if !plain || matches!(&*each.body, Expr::Block(_)) || !keeps_moved(each, &of.body) {
        return None;
    }
    let mut inner = of.clone();
    inner.expr = each.body.clone();
    move_all(&mut inner);
    *inner.expr = without_parens(&inner.expr).clone();
    if !matches!(&*inner.expr, Expr::Range(_)) && !iteration::is_iterator(&inner.expr) {
        // It may be an `Option`, of which nobody has written a loop.
        inner
            .attrs
            .push(parse_quote!(#[allow(for_loops_over_fallibles)]));
    }
    let mut outer = of.clone();
    *outer.pat = param.clone();
    *outer.expr = without_parens(items).clone();
    outer.body = parse_quote!({ #inner });
    Some(Stmt::Expr(Expr::ForLoop(outer), None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    /// What a function's body becomes, if anything.
    fn rewritten(body: &str) -> Option<String> {
        let mut function: ItemFn = syn::parse_str(&format!("fn f() {{ {body} }}")).expect("Rust");
        rewrite(&mut function).then(|| function.block.to_token_stream().to_string())
    }

    #[track_caller]
    fn becomes(body: &str, other: &str) {
        let other: syn::Block = syn::parse_str(&format!("{{ {other} }}")).expect("Rust");
        assert_eq!(
            rewritten(body),
            Some(other.to_token_stream().to_string()),
            "{body}"
        );
    }

    #[test]
    fn joined_iterators_are_loops() {
        becomes(
            "for x in a.iter().chain(&b[..]).chain(c) { h[*x] += 1; }",
            "{ { for x in a.iter() { h[*x] += 1; } for x in &b[..] { h[*x] += 1; } } for x in c { h[*x] += 1; } }",
        );
        becomes(
            "for x in (0..2.min(w)).chain(w.saturating_sub(2)..w) { f(x); }",
            "{ for x in 0..2.min(w) { f(x); } for x in w.saturating_sub(2)..w { f(x); } }",
        );
        becomes(
            "for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) { f(x, y); }",
            "for y in 0..h { for x in 0..w { let (x, y) = (x, y); f(x, y); } }",
        );
        becomes(
            "for (a, b) in std::iter::zip(x, &y) { s += a * b; }",
            "for (a, b) in (x).into_iter().zip(&y) { s += a * b; }",
        );
    }

    #[test]
    fn what_would_mean_something_else_stays() {
        for body in [
            "for x in a.iter().chain(b) { if *x > 3 { break; } n += 1; }",
            "for x in (0..n).chain(k..m) { k += x; }",
            "for x in a.iter().chain(more()) { n += x; }",
            "for x in a.iter().chain(&b[..n]) { h[*x] += 1; }",
            "for x in a.iter().chain(b.iter().step_by(k)) { h[*x] += 1; }",
            "for x in (0..n).chain(0..m / k) { h[x] += 1; }",
            "for (i, x) in (0..n).flat_map(move |i| (0..k).map(move |x| (i, x + k))) { k += x; }",
            "for x in (0..h).flat_map(|y| (0..w).map(move |x| x + y)) { n += y; }",
            "for x in a.iter().flat_map(|r| r.iter()) { if *x > 3 { break; } n += x; }",
        ] {
            assert_eq!(rewritten(body), None, "{body}");
        }
    }
}
