//! Closures in front of other adaptors of an iterator, brought behind them, from where [adaptors](super::adaptors) moves them into a loop's body.
//!
//! | written | stands for |
//! | --- | --- |
//! | `x.iter().map(\|v\| v * v).enumerate()` | `x.iter().enumerate().map(\|(n, v)\| (n, v * v))` |
//! | `a.iter().zip(b.iter().map(\|b\| b * b))` | `a.iter().zip(b.iter()).map(\|(a, b)\| (a, b * b))` |
//! | `x.iter().map(f).rev()`, `.map(f).take(n)`, `.filter(f).rev()` | `x.iter().rev().map(f)` and so on |
//! | `x.iter().filter(f).copied()` | `x.iter().filter(f).map(\|v\| *v)` |
//!
//! The closures are called for the same items in the same order. Behind `.map(f)`, `.skip(n)` and `.step_by(k)` call `f` for what they pass by, and `.zip(other)` for one
//! item more than `other` has: nobody notices where `f` can do nothing but give a value.

use proc_macro2::Ident;
use syn::{Expr, ExprMethodCall, Pat, parse_quote};

use super::adaptors::{closure, is_adaptor, path_as_closure, words};
use super::names::bound_names;
use crate::alias;
use crate::syntax::without_parens;

/// An iterator as one whose last adaptor has a closure, where one stands further in.
pub(super) fn brought(e: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = without_parens(e) else {
        return None;
    };
    let span = call.method.span();
    let (method, args) = (call.method.to_string(), &call.args);
    let of_inner = |inner: Expr| ExprMethodCall {
        receiver: Box::new(inner),
        ..call.clone()
    };
    match (method.as_str(), args.len()) {
        ("enumerate", 0) => {
            let Mapped { of, pat, value } = mapped(&call.receiver)?;
            let nth = alias::nth_item(depth(&of), span);
            let pair = (parse_quote!(#nth), parse_quote!(#nth));
            let (pat, value) = both(pair, (pat, value), span);
            let of = of_inner(of);
            Some(parse_quote!(#of.map(|#pat| #value)))
        }
        ("zip", 1) => zipped(call),
        ("rev", 0) => {
            let (inner, last) = with_closure(&call.receiver)?;
            let (of, adaptor, f) = (of_inner(inner), &last.method, &last.args);
            Some(parse_quote!(#of.#adaptor(#f)))
        }
        ("take", 1) => {
            let Mapped { of, pat, value } = mapped(&call.receiver)?;
            let of = of_inner(of);
            Some(parse_quote!(#of.map(|#pat| #value)))
        }
        ("skip" | "step_by", 1) => {
            let Mapped { of, pat, value } = mapped(&call.receiver)?;
            let of = of_inner(of);
            gives_alone(&value).then(|| parse_quote!(#of.map(|#pat| #value)))
        }
        ("copied" | "cloned", 0) => {
            let (inner, last) = with_closure(&call.receiver)?;
            let (adaptor, f, item) = (
                &last.method,
                &last.args,
                alias::nth_item(depth(&inner), span),
            );
            let value: Expr = match method.as_str() {
                "copied" => parse_quote!(*#item),
                _ => parse_quote!(#item.clone()),
            };
            Some(parse_quote!(#inner.#adaptor(#f).map(|#item| #value)))
        }
        _ => None,
    }
}

/// What a `.map(..)` makes of the items of an iterator.
struct Mapped {
    of: Expr,
    pat: Pat,
    value: Expr,
}

/// An iterator whose last adaptor has a closure, as what stands before that and the adaptor.
fn with_closure(e: &Expr) -> Option<(Expr, ExprMethodCall)> {
    let brought = brought(e);
    match without_parens(brought.as_ref().unwrap_or(e)) {
        Expr::MethodCall(call) if is_adaptor(call, false) => {
            let call = path_as_closure(call).unwrap_or_else(|| call.clone());
            closure(&call)?;
            Some(((*call.receiver).clone(), call))
        }
        _ => None,
    }
}

fn mapped(e: &Expr) -> Option<Mapped> {
    let (of, call) = with_closure(e)?;
    let (closure, pat) = closure(&call)?;
    (call.method == "map").then(|| Mapped {
        of,
        pat: pat.clone(),
        value: (*closure.body).clone(),
    })
}

/// Two iterators of which one at least has a `.map(..)` last.
fn zipped(zip: &ExprMethodCall) -> Option<Expr> {
    let span = zip.method.span();
    let (first, second) = (&*zip.receiver, &zip.args[0]);
    let sides = [mapped(first), mapped(second)];
    if sides.iter().all(Option::is_none)
        || matches!(&sides[0], Some(first) if !gives_alone(&first.value))
    {
        return None;
    }
    let plain = |side: Option<Mapped>, of: &Expr, n: usize| {
        let item = alias::nth_item(depth(first) + n, span);
        side.unwrap_or_else(|| Mapped {
            of: of.clone(),
            pat: parse_quote!(#item),
            value: parse_quote!(#item),
        })
    };
    let [a, b] = sides;
    let (a, b) = (plain(a, first, 0), plain(b, second, 1));
    let mut of = zip.clone();
    (*of.receiver, of.args[0]) = (a.of, b.of);
    let (pat, value) = both((a.pat, a.value), (b.pat, b.value), span);
    Some(parse_quote!(#of.map(|#pat| #value)))
}

/// A pair of items as one, with what is made of each. Where a name of one would mean another thing in the other, each is made in a block of its own.
fn both(a: (Pat, Expr), b: (Pat, Expr), span: proc_macro2::Span) -> (Pat, Expr) {
    let hides = |(pat, _): &(Pat, Expr), (other, in_other): &(Pat, Expr)| {
        let (others, used) = (bound_names(other), words(in_other));
        let is_another = |name: &&Ident| used.contains(name) || others.contains(name);
        bound_names(pat).iter().any(is_another)
    };
    if hides(&a, &b) || hides(&b, &a) {
        let [first, second] = alias::of_pair(span);
        let ((pat, value), (other, in_other)) = (a, b);
        return (
            parse_quote!((#first, #second)),
            parse_quote!(({ let #pat = #first; #value }, { let #other = #second; #in_other })),
        );
    }
    let ((pat, value), (other, in_other)) = (a, b);
    (
        parse_quote!((#pat, #other)),
        parse_quote!((#value, #in_other)),
    )
}

/// How many calls an iterator is made of: a number that tells its names from those of what is around it.
fn depth(e: &Expr) -> usize {
    match without_parens(e) {
        Expr::MethodCall(call) => 1 + depth(&call.receiver),
        _ => 0,
    }
}

/// Whether an expression can do nothing but give a value, of whatever types: it calls nothing and cannot panic.
fn gives_alone(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(e) => gives_alone(&e.base),
        Expr::Cast(e) => gives_alone(&e.expr),
        Expr::Reference(e) => e.mutability.is_none() && gives_alone(&e.expr),
        Expr::Tuple(e) => e.elems.iter().all(gives_alone),
        Expr::Unary(e) => matches!(e.op, syn::UnOp::Deref(_)) && gives_alone(&e.expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    #[track_caller]
    fn becomes(chain: &str, other: &str) {
        let parsed = |text| syn::parse_str::<Expr>(text).expect("Rust");
        let text = |e: Expr| {
            e.to_token_stream()
                .to_string()
                .replace("__accrue_exit_", "")
        };
        assert_eq!(
            brought(&parsed(chain)).map(text),
            Some(text(parsed(other))),
            "{chain}"
        );
    }

    #[test]
    fn closures_are_brought_behind_other_adaptors() {
        becomes(
            "x.iter().map(|v| v * v).enumerate()",
            "x.iter().enumerate().map(|(item1, v)| (item1, v * v))",
        );
        becomes(
            "a.iter().zip(b.iter().map(|b| b * b))",
            "a.iter().zip(b.iter()).map(|(item1, b)| (item1, b * b))",
        );
        becomes(
            "x.iter().map(f64::from).rev().take(3)",
            "x.iter().rev().take(3).map(|item| f64::from(item))",
        );
        becomes(
            "x.iter().filter(|v| **v > 3).copied()",
            "x.iter().filter(|v| **v > 3).map(|item1| *item1)",
        );
        // Each has names of its own.
        becomes(
            "a.iter().map(|v| *v).zip(b.iter().map(|v| v + 1))",
            "a.iter().zip(b.iter()).map(|(first, second)| ({ let v = first; *v }, { let v = second; v + 1 }))",
        );
    }

    #[test]
    fn what_would_be_called_less_often_stays() {
        for chain in [
            "a.iter().map(|v| v[0]).zip(b)",
            "a.iter().map(f).skip(1)",
            "a.iter().map(|v| v + 1).step_by(2)",
            "a.iter().filter(|v| **v > 3).enumerate()",
            "a.iter().filter(|v| **v > 3).take(2)",
            "a.iter().map(move |v| { n += 1; v + n }).enumerate()",
            "a.iter().enumerate()",
        ] {
            let chain: Expr = syn::parse_str(chain).expect("Rust");
            assert!(brought(&chain).is_none(), "{}", chain.to_token_stream());
        }
    }
}
