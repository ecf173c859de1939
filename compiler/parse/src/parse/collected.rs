//! Iterators that go from item to item alone, with their items collected before the loop, and those that go round.
//!
//! | written | stands for |
//! | --- | --- |
//! | `for c in text.chars()`, `.lines()`, `.split(',')`, `map.values()` | `let items = collected(text.chars()); for c in items.iter().copied()` |
//! | `for (x, k) in data.iter().zip(key.iter().cycle())` | `for (n, x) in data.iter().enumerate().take(..) { let k = &key[n % key.len()]; .. }` |
//!
//! What is collected is copied, so its items are numbers, characters, and references.

use quote::quote;
use syn::{BinOp, Expr, ExprForLoop, ExprMethodCall, ItemFn, Lit, Pat, Stmt, UnOp, parse_quote};

use super::iteration;
use super::once::is_quiet;
use super::unmarked;
use crate::alias;
use crate::syntax::without_parens;

/// Methods that make such iterators, with how many arguments they have.
const ALONE: [(&str, usize); 17] = [
    ("char_indices", 0),
    ("chars", 0),
    ("chunk_by", 1),
    ("flatten", 0),
    ("into_keys", 0),
    ("keys", 0),
    ("lines", 0),
    ("matches", 1),
    ("rchunks", 1),
    ("rchunks_exact", 1),
    ("rsplit", 1),
    ("split", 1),
    ("split_ascii_whitespace", 0),
    ("split_inclusive", 1),
    ("split_terminator", 1),
    ("split_whitespace", 0),
    ("values", 0),
];

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut headers = Headers { found: 0 };
    // Of a loop inside others nothing is asked but what it does.
    unmarked::loops(function, false, &mut |of| headers.behind_items(of));
    headers.found > 0
}

/// Whether an expression is such an iterator.
pub(super) fn is_alone(e: &Expr) -> bool {
    let Expr::MethodCall(call) = without_parens(e) else {
        return false;
    };
    let known = |(name, args): &(&str, usize)| call.method == name && call.args.len() == *args;
    let of_items = match call.method == "flatten" {
        true => iteration::is_iterator(&call.receiver),
        false => is_quiet(&call.receiver),
    };
    ALONE.iter().any(known) && of_items && call.args.iter().all(only_asks)
}

/// Whether what such a method is told may be asked before the loop: it cannot panic, and only asks what characters are like.
fn only_asks(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(of) => only_asks(&of.expr),
        Expr::Array(of) => of.elems.iter().all(only_asks),
        Expr::Reference(of) => of.mutability.is_none() && only_asks(&of.expr),
        Expr::Closure(of) => only_asks(&of.body),
        Expr::Unary(of) => !matches!(of.op, UnOp::Neg(_)) && only_asks(&of.expr),
        Expr::Binary(of) => asks(&of.op) && only_asks(&of.left) && only_asks(&of.right),
        Expr::MethodCall(of) => {
            CLASSES.contains(&of.method.to_string().as_str())
                && only_asks(&of.receiver)
                && of.args.iter().all(only_asks)
        }
        _ => false,
    }
}

/// What `char` has to ask of its kind.
const CLASSES: [&str; 19] = [
    "is_alphabetic",
    "is_alphanumeric",
    "is_ascii",
    "is_ascii_alphabetic",
    "is_ascii_alphanumeric",
    "is_ascii_control",
    "is_ascii_digit",
    "is_ascii_graphic",
    "is_ascii_hexdigit",
    "is_ascii_lowercase",
    "is_ascii_punctuation",
    "is_ascii_uppercase",
    "is_ascii_whitespace",
    "is_control",
    "is_digit",
    "is_lowercase",
    "is_numeric",
    "is_uppercase",
    "is_whitespace",
];

fn asks(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
    )
}

/// What collects the items of such an iterator. Of some the runtime knows more if they are those of a text, which rustc says.
fn collected(items: &Expr) -> Expr {
    let Expr::MethodCall(call) = without_parens(items) else {
        return parse_quote!(::accrue::__rt::cpu::collected(#items));
    };
    let text = &call.receiver;
    let text = quote!(::accrue::__rt::cpu::Text(&#text).text());
    let of = match (call.method.to_string().as_str(), call.args.first()) {
        ("chars" | "char_indices", _) => quote!(()),
        ("lines" | "split_whitespace" | "split_ascii_whitespace", _) => text,
        ("split" | "split_inclusive" | "split_terminator", Some(Expr::Lit(by)))
            if matches!(by.lit, Lit::Char(_)) =>
        {
            quote!((#text, #by))
        }
        _ => return parse_quote!(::accrue::__rt::cpu::collected(#items)),
    };
    parse_quote!({
        #[allow(unused_imports)]
        use ::accrue::__rt::cpu::{AnyItems as _, AnyText as _};
        ::accrue::__rt::cpu::Items(#of, #items).collected()
    })
}

struct Headers {
    found: usize,
}

impl Headers {
    /// A loop whose header goes from item to item, behind the items.
    fn behind_items(&mut self, of: &ExprForLoop) -> Option<Stmt> {
        if iteration::chain(&of.expr).is_ok() {
            return None;
        }
        let indexed = goes_round(of, self.found);
        self.found += usize::from(indexed.is_some());
        let mut all = indexed.clone().unwrap_or_else(|| of.clone());
        let first = self.found;
        let items = self.collect(&mut all.expr);
        if items.is_empty() || iteration::chain(&all.expr).is_err() {
            return indexed.map(|of| Stmt::Expr(Expr::ForLoop(of), None));
        }
        let names = (first..).map(|n| alias::items(n, of.for_token.span));
        let lets = names.zip(items).map(|(name, items)| -> Stmt {
            let items = collected(&items);
            parse_quote!(let #name = #items;)
        });
        let lets: Vec<Stmt> = lets.collect();
        Some(parse_quote!({ #(#lets)* #all }))
    }

    /// Puts names in the place of the parts of a header that go from item to item; the parts.
    fn collect(&mut self, header: &mut Expr) -> Vec<Expr> {
        if is_alone(header) {
            let name = alias::items(self.found, syn::spanned::Spanned::span(header));
            self.found += 1;
            return vec![std::mem::replace(
                header,
                parse_quote!(#name.iter().copied()),
            )];
        }
        match header {
            Expr::Paren(of) => self.collect(&mut of.expr),
            Expr::Group(of) => self.collect(&mut of.expr),
            Expr::MethodCall(call) => {
                let mut items = self.collect(&mut call.receiver);
                if call.method == "zip"
                    && let Some(other) = call.args.first_mut()
                {
                    items.extend(self.collect(other));
                }
                items
            }
            _ => Vec::new(),
        }
    }
}

/// A loop over items beside those of a slice that is gone through again and again.
fn goes_round(of: &ExprForLoop, n: usize) -> Option<ExprForLoop> {
    let Expr::MethodCall(zip) = without_parens(&of.expr) else {
        return None;
    };
    let (Some(Expr::MethodCall(other)), Pat::Tuple(pats)) = (zip.args.first(), &*of.pat) else {
        return None;
    };
    let [first, again] = &pats.elems.iter().collect::<Vec<_>>()[..] else {
        return None;
    };
    if zip.method != "zip" || !iteration::is_iterator(&zip.receiver) {
        return None;
    }
    let (slice, copied) = round(other)?;
    let (nth, items) = (alias::exit(n, false, of.for_token.span).nth, &zip.receiver);
    let mut indexed = of.clone();
    *indexed.pat = parse_quote!((#nth, #first));
    *indexed.expr = parse_quote! {
        #items.take(if #slice.is_empty() { 0 } else { ::core::primitive::usize::MAX }).enumerate()
    };
    let bound: Stmt = match copied {
        true => parse_quote!(let #again = #slice[#nth % #slice.len()];),
        false => parse_quote!(let #again = &#slice[#nth % #slice.len()];),
    };
    indexed.body.stmts.insert(0, bound);
    Some(indexed)
}

/// `key.iter().cycle()` or `key.iter().copied().cycle()`, as the slice, and whether its items are copied.
fn round(call: &ExprMethodCall) -> Option<(&Expr, bool)> {
    if call.method != "cycle" {
        return call_copied(call).and_then(|inner| Some((round(inner)?.0, true)));
    }
    let Expr::MethodCall(of) = &*call.receiver else {
        return None;
    };
    match call_copied(of) {
        Some(of) => Some((iterated(of)?, true)),
        None => Some((iterated(of)?, false)),
    }
}

fn call_copied(call: &ExprMethodCall) -> Option<&ExprMethodCall> {
    match &*call.receiver {
        Expr::MethodCall(of) if call.method == "copied" || call.method == "cloned" => Some(of),
        _ => None,
    }
}

fn iterated(call: &ExprMethodCall) -> Option<&Expr> {
    let is_it = call.method == "iter" && call.args.is_empty();
    (is_it && super::once::is_place(&call.receiver)).then_some(&call.receiver)
}
