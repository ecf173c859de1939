//! How many iterations a loop has, where that can be said before it runs: what copying or looking at its bins may cost.

use crate::sorted::SortedSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprForLoop, FnArg, ItemFn, Pat, Type};

use super::fields::Bound;
use crate::syntax::visit::Visit;
use crate::syntax::without_parens;

/// Counts the iterations of a function's loops.
#[derive(Clone, Debug)]
pub struct Trips {
    /// The parameters that are slices, arrays or vectors.
    slices: SortedSet<String>,
}

impl Trips {
    /// Of a function.
    pub fn of(function: &ItemFn) -> Trips {
        let slices = function.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) if has_len(&typed.ty) => match &*typed.pat {
                Pat::Ident(pat) => Some(pat.ident.to_string()),
                _ => None,
            },
            _ => None,
        });
        let mut slices: SortedSet<String> = slices.collect();
        // A name that is bound again may stand for anything.
        Bound(&mut |name| {
            slices.remove(name);
        })
        .visit_block(&function.block);
        Trips { slices }
    }

    /// How many iterations a loop has, where that can be said without running anything twice that does something; else 0.
    pub fn iterations(&self, of: &ExprForLoop) -> TokenStream {
        let mut e = without_parens(&of.expr);
        if let Expr::Range(range) = e {
            let ends = [&range.start, &range.end].into_iter().flatten();
            return match ends.clone().count() == 2 && ends.into_iter().all(|e| self.is_number(e)) {
                true => quote!((#range).size_hint().0),
                false => quote!(0),
            };
        }
        loop {
            e = match e {
                Expr::MethodCall(call)
                    if matches!(
                        call.method.to_string().as_str(),
                        "iter"
                            | "iter_mut"
                            | "into_iter"
                            | "enumerate"
                            | "copied"
                            | "cloned"
                            | "rev"
                            | "zip"
                    ) =>
                {
                    &call.receiver
                }
                Expr::Reference(of) => &of.expr,
                Expr::Paren(of) => &of.expr,
                _ => break,
            };
        }
        match self.is_slice(e) {
            true => quote!(#e.len()),
            false => quote!(0),
        }
    }

    fn is_slice(&self, e: &Expr) -> bool {
        let Expr::Path(path) = e else { return false };
        let name = path.path.get_ident();
        name.is_some_and(|name| self.slices.contains(&name.to_string()))
    }

    /// Whether an expression only computes, as far as its words show it.
    fn is_number(&self, e: &Expr) -> bool {
        match without_parens(e) {
            Expr::Lit(_) | Expr::Path(_) => true,
            Expr::MethodCall(call) => call.method == "len" && self.is_slice(&call.receiver),
            _ => false,
        }
    }
}

/// Whether a type is a slice, an array or a vector, or a reference to one.
fn has_len(ty: &Type) -> bool {
    match ty {
        Type::Reference(of) => has_len(&of.elem),
        Type::Slice(_) | Type::Array(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == "Vec"),
        _ => false,
    }
}
