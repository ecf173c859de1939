//! Patterns of an integer `match`, as ranges of values.

use syn::Pat;

use super::lower::Lower;
use crate::ir::{MatchRange, Scalar};
use crate::syntax::constants::constant_of;
use crate::syntax::without_parens;

impl Lower<'_> {
    /// The values that a pattern of an integer `match` takes, where it is that simple: ranges (empty for
    /// any value) and the name bound.
    pub fn match_ranges(&mut self, pat: &Pat) -> Option<(Vec<MatchRange>, Option<syn::PatIdent>)> {
        match pat {
            Pat::Wild(_) => Some((Vec::new(), None)),
            Pat::Paren(p) => self.match_ranges(&p.pat),
            Pat::Reference(p) => self.match_ranges(&p.pat),
            Pat::Ident(p) if p.subpat.is_some() || !self.is_constant(&p.ident) => match &p.subpat {
                None => Some((Vec::new(), Some(p.clone()))),
                Some((_, inner)) => {
                    let (ranges, None) = self.match_ranges(inner)? else {
                        return None;
                    };
                    Some((ranges, Some(p.clone())))
                }
            },
            Pat::Lit(lit) => {
                let first = literal_value(&syn::Expr::Lit(lit.clone()))?;
                Some((vec![MatchRange { first, last: first }], None))
            }
            Pat::Range(range) => {
                let first = range
                    .start
                    .as_deref()
                    .map_or(Some(i128::MIN), literal_value)?;
                let end = range
                    .end
                    .as_deref()
                    .map_or(Some(i128::MAX), literal_value)?;
                let last = match range.limits {
                    syn::RangeLimits::HalfOpen(_) if range.end.is_some() => end - 1,
                    _ => end,
                };
                Some((vec![MatchRange { first, last }], None))
            }
            Pat::Or(or) => {
                let mut all = Vec::new();
                for case in &or.cases {
                    let (ranges, None) = self.match_ranges(case)? else {
                        return None;
                    };
                    if ranges.is_empty() {
                        return Some((Vec::new(), None));
                    }
                    all.extend(ranges);
                }
                Some((all, None))
            }
            _ => None,
        }
    }
}

/// The value of an integer, byte or `bool` literal, negated or not.
fn literal_value(e: &syn::Expr) -> Option<i128> {
    match without_parens(e) {
        syn::Expr::Lit(lit) => match &lit.lit {
            syn::Lit::Int(i) => i.base10_parse().ok(),
            syn::Lit::Byte(b) => Some(i128::from(b.value())),
            syn::Lit::Bool(b) => Some(i128::from(b.value)),
            _ => None,
        },
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => {
            literal_value(&u.expr).map(|v| -v)
        }
        syn::Expr::Path(p) => {
            let names: Vec<String> = p
                .path
                .segments
                .iter()
                .map(|s| s.ident.to_string())
                .collect();
            let [ty, name] = names.as_slice() else {
                return None;
            };
            match constant_of(Scalar::from_name(ty)?, name)?.0 {
                crate::ir::Literal::Int(v) => Some(v),
                _ => None,
            }
        }
        _ => None,
    }
}
