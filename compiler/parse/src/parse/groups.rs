//! What a `macro_rules!` macro hands on, `$ty:ty` or `$x:expr`, stands in a group that nobody sees. Where precedence does not need it, it is as if it had been
//! written there.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use syn::{Expr, ItemFn, Type};

use crate::syntax::sites;
use crate::syntax::visit_mut::{self, VisitMut, visit_expr_mut, visit_type_mut};

/// Puts the groups that precedence needs in parentheses: of what an attribute gives back rustc reads them as if they were not there, `a * 3 + 4` for `a * $x`.
pub fn in_parens(tokens: TokenStream) -> TokenStream {
    parenthesized(tokens.clone()).unwrap_or(tokens)
}

/// The same, where there are any. Other tokens keep their places.
fn parenthesized(tokens: TokenStream) -> Option<TokenStream> {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut any = false;
    for at in 0..tokens.len() {
        let TokenTree::Group(group) = &tokens[at] else {
            continue;
        };
        let within = parenthesized(group.stream());
        let seen = group.delimiter() != Delimiter::None;
        let stands = seen || !is_torn(group.stream(), &tokens[..at], &tokens[at + 1..]);
        if within.is_none() && stands {
            continue;
        }
        let delimiter = match stands {
            true => group.delimiter(),
            false => Delimiter::Parenthesis,
        };
        let mut other = Group::new(delimiter, within.unwrap_or_else(|| group.stream()));
        other.set_span(group.span());
        tokens[at] = other.into();
        any = true;
    }
    any.then(|| tokens.into_iter().collect())
}

/// Whether what stands around an expression would take a part of it.
fn is_torn(group: TokenStream, before: &[TokenTree], behind: &[TokenTree]) -> bool {
    let punct = |token: Option<&TokenTree>, chars: &str| matches!(token, Some(TokenTree::Punct(p)) if chars.contains(p.as_char()));
    let joint = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(p)) if p.spacing() == Spacing::Joint);
    match syn::parse2(group) {
        Ok(Expr::Unary(_) | Expr::Reference(_) | Expr::Closure(_)) => match behind.first() {
            Some(TokenTree::Group(of)) => {
                matches!(of.delimiter(), Delimiter::Parenthesis | Delimiter::Bracket)
            }
            dot => punct(dot, "?") || punct(dot, ".") && !joint(dot),
        },
        Ok(Expr::Binary(of)) if sites::is_compound(&of.op) => false,
        Ok(Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_)) => {
            let compares = joint(before.iter().rev().nth(1));
            let begins = match before.last() {
                None => true,
                Some(TokenTree::Ident(word)) => ["if", "in", "match", "return", "while"]
                    .iter()
                    .any(|w| word == w),
                Some(TokenTree::Group(of)) => of.delimiter() == Delimiter::Brace,
                // Of an arm.
                last if punct(last, ">") => punct(before.iter().rev().nth(1), "=") && compares,
                last => punct(last, ",;") || punct(last, "=") && !compares,
            };
            let ends = match behind.first() {
                None => true,
                Some(TokenTree::Group(of)) => of.delimiter() == Delimiter::Brace,
                // A pattern's, or a guard's.
                arrow if punct(arrow, "=") && joint(arrow) => punct(behind.get(1), ">"),
                next => punct(next, ",;"),
            };
            !begins || !ends
        }
        _ => false,
    }
}

/// Takes such groups away.
pub fn rewrite(function: &mut ItemFn) {
    let ItemFn { sig, block, .. } = function;
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(param) = input {
            Groups.visit_type_mut(&mut param.ty);
        }
    }
    if let syn::ReturnType::Type(_, ty) = &mut sig.output {
        Groups.visit_type_mut(ty);
    }
    Groups.visit_block_mut(block);
}

struct Groups;

impl VisitMut for Groups {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Type(ty) => {
                // `&dyn A + B` would be another type, if any.
                while let Type::Group(group) = ty
                    && !matches!(*group.elem, Type::TraitObject(_) | Type::ImplTrait(_))
                {
                    *ty = (*group.elem).clone();
                }
                visit_type_mut(self, ty);
            }
            visit_mut::Node::Expr(expr) => {
                while let Expr::Group(group) = expr
                    && matches!(
                        *group.expr,
                        Expr::Path(_)
                            | Expr::Lit(_)
                            | Expr::Field(_)
                            | Expr::Index(_)
                            | Expr::Call(_)
                            | Expr::MethodCall(_)
                            | Expr::Paren(_)
                            | Expr::Group(_)
                    )
                {
                    *expr = (*group.expr).clone();
                }
                visit_expr_mut(self, expr);
            }
            _ => node.parts(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn what_precedence_needs_is_put_in_parentheses() {
        let group = |of: TokenStream| TokenTree::from(Group::new(Delimiter::None, of));
        let (sum, part, less) = (group(quote!(a + b)), group(quote!(0..n)), group(quote!(-1)));
        for (from, to) in [
            (quote!(x * #sum), quote!(x * (a + b))),
            (quote!(f(x == #sum, #sum)), quote!(f(x == (a + b), #sum))),
            (
                quote!(let v = #sum; x += #sum;),
                quote!(let v = #sum; x += (a + b);),
            ),
            (
                quote!(for i in #part { g!(2 * #sum) }),
                quote!(for i in #part { g!(2 * (a + b)) }),
            ),
            (
                quote!(for i in #part.rev() {}),
                quote!(for i in (0..n).rev() {}),
            ),
            (quote!(#less.abs() + #less), quote!((-1).abs() + #less)),
            (quote!(#less..=#less), quote!(#less..=#less)),
            (
                quote!(match v { #part => {} #sum if #sum => #sum, _ => #sum == #sum, }),
                quote!(match v { #part => {} (a + b) if #sum => #sum, _ => (a + b) == (a + b), }),
            ),
        ] {
            assert_eq!(in_parens(from).to_string(), to.to_string());
        }
    }
}
