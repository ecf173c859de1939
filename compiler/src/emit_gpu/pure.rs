//! Whether statements may be run again without anyone noticing, as far as tokens tell.
//!
//! Before a call for data anywhere comes to a loop, it has run the `let`s before it; where the host has to run the function after all, they
//! run again with it. So nothing in them may change anything, or take a value away: they are sums of values and lengths, and
//! methods of numbers, and what looks otherwise is taken for otherwise.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Stmt;

use crate::ir::Scalar;

/// Methods that only look at their receiver.
const METHODS: [&str; 31] = [
    "len",
    "is_empty",
    "min",
    "max",
    "clamp",
    "abs",
    "pow",
    "powi",
    "sqrt",
    "isqrt",
    "floor",
    "ceil",
    "round",
    "trunc",
    "recip",
    "div_ceil",
    "div_euclid",
    "rem_euclid",
    "next_multiple_of",
    "saturating_sub",
    "saturating_add",
    "saturating_mul",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "wrapping_neg",
    "abs_diff",
    "leading_zeros",
    "trailing_zeros",
    "count_ones",
    "is_power_of_two",
];

/// Whether a macro only asserts.
pub(super) fn is_assertion(mac: &syn::Macro) -> bool {
    let names = [
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
    ];
    mac.path
        .get_ident()
        .is_some_and(|ident| names.iter().any(|n| ident == n))
}

/// Whether statements may be run twice. `owned` are the values that are no copies.
pub(super) fn may_repeat(stmts: &[Stmt], owned: &[&Ident]) -> bool {
    stmts.iter().all(|stmt| match stmt {
        Stmt::Local(local) => match &local.init {
            Some(init) => init.diverge.is_none() && is_value(init.expr.to_token_stream(), owned),
            None => true,
        },
        Stmt::Macro(m) => is_assertion(&m.mac) && is_value(m.mac.tokens.clone(), owned),
        Stmt::Item(_) | Stmt::Expr(..) => false,
    })
}

/// Whether tokens are an expression that only computes a value.
fn is_value(tokens: TokenStream, owned: &[&Ident]) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let punct = |at: Option<usize>, c: char| {
        let token = at.and_then(|at| tokens.get(at));
        matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == c)
    };
    tokens.iter().enumerate().all(|(at, token)| match token {
        TokenTree::Literal(_) => true,
        TokenTree::Ident(word) if owned.contains(&word) => {
            punct(at.checked_sub(1), '*') || punct(Some(at + 1), '.')
        }
        TokenTree::Ident(word) => !["unsafe", "move", "mut", "match", "if"].iter().any(|w| word == w),
        TokenTree::Punct(p) => match p.as_char() {
            // No assignment, no macro, no closure, no error that leaves.
            '=' => {
                let follows = ['=', '<', '>', '!'].iter().any(|c| punct(at.checked_sub(1), *c))
                    && matches!(&tokens[at - 1], TokenTree::Punct(p) if p.spacing() == Spacing::Joint);
                // `<<=` and `>>=` end alike.
                let shifts = at >= 2
                    && ['<', '>'].iter().any(|c| punct(Some(at - 1), *c) && punct(Some(at - 2), *c));
                let leads = p.spacing() == Spacing::Joint && punct(Some(at + 1), '=');
                leads || (follows && !shifts)
            }
            '!' => !matches!(tokens.get(at + 1), Some(TokenTree::Group(_)))
                || !matches!(at.checked_sub(1).map(|at| &tokens[at]), Some(TokenTree::Ident(_))),
            '?' | '|' | '#' | '@' => punct(at.checked_sub(1), '|') || punct(Some(at + 1), '|'),
            _ => true,
        },
        TokenTree::Group(group) => {
            let inside = is_value(group.stream(), owned);
            let before = at.checked_sub(1).map(|at| &tokens[at]);
            let is_called = match before {
                None => false,
                Some(TokenTree::Ident(name)) => {
                    let is_method = punct(at.checked_sub(2), '.')
                        && METHODS.iter().any(|method| name == method);
                    let is_of_number = punct(at.checked_sub(2), ':')
                        && matches!(
                            at.checked_sub(4).map(|at| &tokens[at]),
                            Some(TokenTree::Ident(ty)) if Scalar::from_name(&ty.to_string()).is_some()
                        );
                    !(is_method || is_of_number)
                }
                Some(TokenTree::Punct(p)) => p.as_char() == '>',
                Some(TokenTree::Group(_) | TokenTree::Literal(_)) => true,
            };
            match group.delimiter() {
                Delimiter::Brace => false,
                Delimiter::Parenthesis => inside && !is_called,
                Delimiter::Bracket | Delimiter::None => inside,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_lengths_may_repeat_and_calls_and_assignments_may_not() {
        let table = Ident::new("table", proc_macro2::Span::call_site());
        let repeats = |text: &str| {
            let block: syn::Block = syn::parse_str(&format!("{{ {text} }}")).expect("a block");
            may_repeat(&block.stmts, &[&table])
        };
        for text in [
            "let n = pixels.len() / 3;",
            "let (mut lo, hi): (u8, u8) = (255, 0);",
            "let n = a.len().min(b.len()).div_ceil(4) << 2;",
            "let scale = f32::from(limit) * (1.0 - t);",
            "let same = a.len() == b.len() && n >= 3 || n != 4;",
            "let old = *total; let total = *table;",
            "let row = table.width * 3;",
            "let mut sum = [0u32; 4];",
            "assert!(w * h == a.len()); assert_eq!(a.len(), n);",
            "let x = -n as usize;",
            "let off = !flag;",
        ] {
            assert!(repeats(text), "{text}");
        }
        for text in [
            "let n = next();",
            "let n = COUNTER.fetch_add(1, Relaxed);",
            "let n = crate::random();",
            "let n = take(total);",
            "let n = { calls += 1; 3 };",
            "let n = (total = 3);",
            "let n = (total += 3);",
            "let n = (total <<= 3);",
            "let n = vec![1, 2];",
            "let t = table;",
            "let t = (table, 1);",
            "let n = &mut total;",
            "let n = parse(x)?;",
            "let n = (|| 3)();",
            "let n = std::mem::replace::<u32>(total, 0);",
            "let Some(n) = n else { return };",
            "println!(\"{n}\");",
            "n += 1;",
        ] {
            assert!(!repeats(text), "{text}");
        }
    }
}
