//! `#[sequential]` before a `for`: the loop stays as it is, and those inside it are looked at.
//!
//! With a reason, `#[sequential = "..."]`, those inside it stay as well. It may be conditional, `#[cfg_attr(feature = "par", sequential)]`. rustc knows no such attribute, so the marks are taken out of the function before anything of it is emitted.

use crate::sorted::Sorted;

use crate::syntax::visit_mut::{self, VisitMut};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprForLoop, ExprLit, ItemFn, Lit, Meta, Path, Token, parse_quote};

/// The numbers of marked loops, in the order in which `syn::visit` enters them, with the reason, where one is given.
pub type Marked = Sorted<usize, Option<String>>;

/// Takes the marks out of a function.
pub fn take(function: &mut ItemFn) -> Marked {
    let mut taker = Taker {
        next: 0,
        marked: Marked::new(),
    };
    taker.visit_block_mut(&mut function.block);
    taker.marked
}

struct Taker {
    next: usize,
    marked: Marked,
}

impl VisitMut for Taker {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(e) => {
                let mark = e.attrs.iter().find(|a| is_mark(a.path()));
                let (mut marked, reason) = (mark.is_some(), mark.and_then(reason));
                e.attrs.retain(|attribute| !is_mark(attribute.path()));
                e.attrs
                    .retain_mut(|attribute| match conditional(attribute) {
                        None => true,
                        Some(rest) => {
                            marked = true;
                            let some = rest.is_some();
                            if let Some(rest) = rest {
                                *attribute = rest;
                            }
                            some
                        }
                    });
                if marked {
                    self.marked.insert(self.next, reason);
                }
                self.next += 1;
                visit_mut::visit_expr_for_loop_mut(self, e);
            }
            _ => node.parts(self),
        }
    }
}

/// Puts other expressions in the place of loops that are not marked, inner ones first; whether any has been. Items in the function stay.
pub(super) fn replace_loops(
    function: &mut ItemFn,
    with: &mut dyn FnMut(&ExprForLoop) -> Option<Expr>,
) -> bool {
    let mut loops = Loops { with, found: false };
    loops.visit_block_mut(&mut function.block);
    loops.found
}

struct Loops<'a> {
    with: &'a mut dyn FnMut(&ExprForLoop) -> Option<Expr>,
    found: bool,
}

impl VisitMut for Loops<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                visit_mut::visit_expr_mut(self, e);
                if let Expr::ForLoop(of) = e
                    && !may_be_marked(&of.attrs)
                    && let Some(other) = (self.with)(of)
                {
                    *e = other;
                    self.found = true;
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Puts other expressions in the place of those within `for` loops, inner ones first; whether any has been. Closures and items stay.
pub(super) fn replace_in_loops(
    function: &mut ItemFn,
    with: &mut dyn FnMut(&Expr) -> Option<Expr>,
) -> bool {
    let mut within = Within {
        with,
        loops: 0,
        found: false,
    };
    within.visit_block_mut(&mut function.block);
    within.found
}

struct Within<'a> {
    with: &'a mut dyn FnMut(&Expr) -> Option<Expr>,
    /// How many loops stand around.
    loops: usize,
    found: bool,
}

impl VisitMut for Within<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(Expr::Closure(_) | Expr::Async(_)) | visit_mut::Node::Item(_) => {
            }
            visit_mut::Node::Expr(e) => {
                let is_loop = matches!(e, Expr::ForLoop(_));
                self.loops += usize::from(is_loop);
                visit_mut::visit_expr_mut(self, e);
                self.loops -= usize::from(is_loop);
                if self.loops > 0
                    && let Some(other) = (self.with)(e)
                {
                    *e = other;
                    self.found = true;
                }
            }
            _ => node.parts(self),
        }
    }
}

/// Whether a loop with these attributes is marked, or may be.
pub(super) fn may_be_marked(attributes: &[Attribute]) -> bool {
    let marks = |a: &Attribute| is_mark(a.path()) || conditional(a).is_some();
    attributes.iter().any(marks)
}

/// Whether an attribute is `#[sequential]`, by that name or through the crate, whatever that is called.
fn is_mark(path: &Path) -> bool {
    let last = path.segments.last();
    path.segments.len() <= 2 && last.is_some_and(|s| s.ident == "sequential")
}

/// The reason that a mark gives.
fn reason(mark: &Attribute) -> Option<String> {
    let Meta::NameValue(given) = &mark.meta else {
        return None;
    };
    match &given.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(reason),
            ..
        }) => Some(reason.value()),
        _ => None,
    }
}

/// What is left of `#[cfg_attr(condition, sequential, ..)]` without the mark, if it has one. Under what condition is rustc's to know, after this
/// macro has run; a loop that may be marked stays as it is, which is right in any case.
fn conditional(attribute: &Attribute) -> Option<Option<Attribute>> {
    let Meta::List(list) = &attribute.meta else {
        return None;
    };
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let parts = list
        .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
        .ok()?;
    let (condition, given) = (parts.first()?, parts.iter().skip(1));
    let (marks, others): (Vec<&Meta>, Vec<&Meta>) = given.partition(|meta| is_mark(meta.path()));
    if marks.is_empty() {
        return None;
    }
    let rest = || parse_quote!(#[cfg_attr(#condition, #(#others),*)]);
    Some((!others.is_empty()).then(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    #[test]
    fn marks_are_taken_out_and_other_attributes_left() {
        let mut function: ItemFn = parse_quote! {
            fn f() {
                #[sequential] for a in b {}
                #[allow(unused)] for a in b { #[ac::sequential] for c in d {} }
                #[cfg_attr(feature = "par", sequential)] for a in b {}
                #[cfg_attr(all(x, y), allow(unused), accrue::sequential)] for a in b {}
                #[cfg_attr(x, allow(unused))] for a in b {}
            }
        };
        let mut marked: Vec<usize> = take(&mut function).into_iter().map(|(n, _)| n).collect();
        marked.sort_unstable();
        assert_eq!(marked, [0, 2, 3, 4]);
        let left: ItemFn = parse_quote! {
            fn f() {
                for a in b {}
                #[allow(unused)] for a in b { for c in d {} }
                for a in b {}
                #[cfg_attr(all(x, y), allow(unused))] for a in b {}
                #[cfg_attr(x, allow(unused))] for a in b {}
            }
        };
        let text = |function: ItemFn| function.to_token_stream().to_string();
        assert_eq!(text(function), text(left));
    }
}
