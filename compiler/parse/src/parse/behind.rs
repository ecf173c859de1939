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
//! item more than `other` has: nobody notices where `f` can do nothing but give a value. Of `.zip(other)` that is asked before the loop otherwise, by the lengths, and the loop
//! goes in order, as it is written, where there is such an item.

use proc_macro2::Ident;
use syn::{Expr, ExprForLoop, ExprMethodCall, Pat, parse_quote};

use super::adaptors::{closure, is_adaptor, path_as_closure, words};
use super::names::{bound_names, key_of};
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
            let nth = alias::nth_item(calls(&of), span);
            let pair = (parse_quote!(#nth), parse_quote!(#nth));
            let (pat, value) = both(pair, (pat, value), span);
            let of = of_inner(of);
            Some(parse_quote!(#of.map(|#pat| #value)))
        }
        ("zip", 1) => zipped(call, false),
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
                alias::nth_item(calls(&inner), span),
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

/// A loop over `x.iter().map(f).zip(other)`, in the words of both cases: where `other` is at least as long, and in order where it is not.
pub(super) fn by_lengths(of: &ExprForLoop) -> Option<Expr> {
    let Expr::MethodCall(zip) = without_parens(&of.expr) else {
        return None;
    };
    if zip.method != "zip"
        || zip.args.len() != 1
        || of.label.is_some()
        || !of.attrs.is_empty()
        || brought(&of.expr).is_some()
    {
        return None;
    }
    let first = mapped(&zip.receiver)?.of;
    let second = mapped(&zip.args[0]).map_or_else(|| zip.args[0].clone(), |second| second.of);
    if !are_items(&first) || !are_items(&second) {
        return None;
    }
    let (mut moved, mut written) = (of.clone(), of.clone());
    *moved.expr = zipped(zip, true)?;
    written.attrs.push(
        parse_quote!(#[sequential = "where the closure is called for an item that is left over"]),
    );
    let len = |items: Expr| -> Expr {
        parse_quote!(::core::iter::ExactSizeIterator::len(&::core::iter::IntoIterator::into_iter(#items)))
    };
    let (first, second) = (len(first), len(second));
    Some(parse_quote!(if #first <= #second { #moved } else { #written }))
}

/// Whether an expression is an iterator over the elements of slices that may be made once more, to ask how many they are.
fn are_items(e: &Expr) -> bool {
    let is_place = |e: &Expr| key_of(e).is_some_and(|(_, indexed)| !indexed);
    match without_parens(e) {
        Expr::Reference(of) => of.mutability.is_none() && is_place(&of.expr),
        Expr::MethodCall(call) => match (call.method.to_string().as_str(), call.args.first()) {
            ("iter" | "iter_mut", None) => is_place(&call.receiver),
            ("enumerate" | "rev" | "copied" | "cloned", None) => are_items(&call.receiver),
            ("zip", Some(other)) => are_items(&call.receiver) && are_items(other),
            _ => false,
        },
        _ => false,
    }
}

/// Two iterators of which one at least has a `.map(..)` last. Whether the first is known to be the shorter one.
fn zipped(zip: &ExprMethodCall, shorter: bool) -> Option<Expr> {
    let span = zip.method.span();
    let (first, second) = (&*zip.receiver, &zip.args[0]);
    let sides = [mapped(first), mapped(second)];
    if sides.iter().all(Option::is_none)
        || !shorter && matches!(&sides[0], Some(first) if !gives_alone(&first.value))
    {
        return None;
    }
    let item = alias::nth_item(calls(first) + calls(second), span);
    let plain = |side: Option<Mapped>, of: &Expr| {
        side.unwrap_or_else(|| Mapped {
            of: of.clone(),
            pat: parse_quote!(#item),
            value: parse_quote!(#item),
        })
    };
    let [a, b] = sides;
    let (a, b) = (plain(a, first), plain(b, second));
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

/// Binds a loop's own names in its header where a closure hands items on as they are: `let (o, y) = (item, f(x))` behind `(item, x)` is `let (_, y) = ((), f(x))` behind
/// `(o, x)`.
pub(super) fn handed_on(pat: &mut Pat, value: &mut Expr, param: &mut Pat) {
    let used = words(&value);
    hand_on(pat, value, param, &used);
}

fn hand_on(pat: &mut Pat, value: &mut Expr, param: &mut Pat, used: &[Ident]) {
    match (pat, value) {
        (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
            let pairs = pats.elems.iter_mut().zip(&mut values.elems);
            pairs.for_each(|(pat, value)| hand_on(pat, value, param, used));
        }
        (pat, value) => {
            let hidden = |name: &&Ident| used.contains(name);
            if let Expr::Path(item) = &*value
                && let Some(item) = item.path.get_ident().filter(|item| alias::is_item(item))
                && !bound_names(pat).iter().any(hidden)
                && let Some(place) = bound(param, item)
            {
                *place = std::mem::replace(pat, parse_quote!(_));
                *value = parse_quote!(());
            }
        }
    }
}

/// Where a pattern of tuples binds a name.
fn bound<'p>(pat: &'p mut Pat, name: &Ident) -> Option<&'p mut Pat> {
    match pat {
        Pat::Tuple(of) => of.elems.iter_mut().find_map(|pat| bound(pat, name)),
        Pat::Ident(of) if of.ident == *name => Some(pat),
        _ => None,
    }
}

/// How many calls an iterator is made of: a number that tells its names from those of its parts.
fn calls(e: &Expr) -> usize {
    match without_parens(e) {
        Expr::MethodCall(call) => {
            1 + calls(&call.receiver) + call.args.iter().map(calls).sum::<usize>()
        }
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
            "a.iter().zip(b.iter()).map(|(item3, b)| (item3, b * b))",
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
    fn items_that_are_handed_on_get_their_names_in_the_header() {
        let mut of: ExprForLoop = parse_quote!(for (o, (i, y)) in
            out.iter_mut().zip(x.iter().map(|v| v + o).enumerate())
        {
        });
        super::super::adaptors::move_all(&mut of);
        let text = of.to_token_stream().to_string();
        // `o` is another one in the closure.
        assert!(!text.contains("for (o"), "{text}");
        assert!(text.contains(", (i , v)) in"), "{text}");
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
