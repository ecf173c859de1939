//! Elements that an update reaches through a name of their own: `let bin = &mut h[k]; *bin += 1;` is `h[k] += 1`, with the index under a name.
//!
//! The name has to be followed by an update through it by a number at hand: there an index that is out of range is told, as it was where the name was bound.
//! The array is a parameter that is declared as a slice, an array or a vector: another type's own way to be indexed may be seen to run more than once.

use std::collections::HashMap;

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, FnArg, GenericArgument, Ident, ItemFn, Pat, PathArguments, Stmt, Type, UnOp,
    parse_quote, parse_quote_spanned,
};

use super::fields::{Bound, borrowed, is_at_hand};
use super::names::identifiers;
use super::sites::is_compound;
use crate::alias;
use crate::syntax::without_parens;

/// Rewrites them in a function.
pub fn rewrite(function: &mut ItemFn) {
    let declared = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(pat) => Some((pat.ident.to_string(), (*typed.ty).clone())),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    let mut names = Names {
        declared: declared.collect(),
        ..Names::default()
    };
    // A name that is bound again may stand for anything.
    Bound(&mut |name| {
        names.declared.remove(name);
    })
    .visit_block(&function.block);
    if !names.declared.is_empty() {
        names.visit_block_mut(&mut function.block);
    }
}

/// Whether a type is a slice, an array or a vector, of such, so many times.
fn is_indexed(ty: &Type, times: usize) -> bool {
    match ty {
        _ if times == 0 => true,
        Type::Reference(of) => is_indexed(&of.elem, times),
        Type::Slice(of) => is_indexed(&of.elem, times - 1),
        Type::Array(of) => is_indexed(&of.elem, times - 1),
        Type::Path(path) => {
            let last = path.path.segments.last().filter(|s| s.ident == "Vec");
            let of = last.and_then(|s| match &s.arguments {
                PathArguments::AngleBracketed(of) => of.args.first(),
                _ => None,
            });
            matches!(of, Some(GenericArgument::Type(of)) if is_indexed(of, times - 1))
        }
        _ => false,
    }
}

/// Whether an expression is what a name refers to.
fn is_referent(e: &Expr, name: &Ident) -> bool {
    let Expr::Unary(of) = without_parens(e) else {
        return false;
    };
    let is_it = matches!(without_parens(&of.expr), Expr::Path(path) if path.path.is_ident(name));
    matches!(of.op, UnOp::Deref(_)) && is_it
}

/// Whether statements use a name for nothing but what it refers to, and the first of them updates that by a number at hand.
fn is_updated(name: &Ident, stmts: &[Stmt]) -> bool {
    struct Uses<'a> {
        name: &'a Ident,
        other: bool,
    }
    impl<'a> Visit<'a> for Uses<'_> {
        fn visit_expr(&mut self, e: &'a Expr) {
            if !is_referent(e, self.name) {
                self.other |= matches!(e, Expr::Path(path) if path.path.is_ident(self.name));
                visit::visit_expr(self, e);
            }
        }
        // What is inside may be looked at alone.
        fn visit_expr_for_loop(&mut self, of: &'a syn::ExprForLoop) {
            self.words(quote::ToTokens::to_token_stream(of));
        }
        fn visit_expr_closure(&mut self, of: &'a syn::ExprClosure) {
            self.words(quote::ToTokens::to_token_stream(of));
        }
        fn visit_macro(&mut self, mac: &'a syn::Macro) {
            self.words(mac.tokens.clone());
        }
        fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
            self.other |= pat.ident == *self.name;
        }
    }
    impl Uses<'_> {
        fn words(&mut self, tokens: proc_macro2::TokenStream) {
            let mut words = Vec::new();
            identifiers(tokens, &mut words);
            self.other |= words.iter().any(|word| word == self.name);
        }
    }
    let Some(Stmt::Expr(Expr::Binary(first), _)) = stmts.first() else {
        return false;
    };
    let mut uses = Uses { name, other: false };
    stmts.iter().for_each(|stmt| uses.visit_stmt(stmt));
    !uses.other
        && is_compound(&first.op)
        && is_referent(&first.left, name)
        && is_at_hand(&first.right)
}

/// The names of elements where a block stands, with the elements.
#[derive(Default)]
struct Names {
    known: HashMap<String, Expr>,
    /// The parameters, with their types.
    declared: HashMap<String, Type>,
    /// How many loops stand around: a name that is bound outside of them is one element.
    loops: usize,
}

impl VisitMut for Names {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let known = self.known.iter();
        let element = known
            .filter(|(name, _)| is_referent(e, &Ident::new(name, proc_macro2::Span::call_site())))
            .map(|(_, element)| element.clone())
            .next();
        match element {
            Some(element) => *e = element,
            None => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_expr_for_loop_mut(&mut self, of: &mut syn::ExprForLoop) {
        self.loops += 1;
        visit_mut::visit_expr_for_loop_mut(self, of);
        self.loops -= 1;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_block_mut(&mut self, block: &mut Block) {
        let outside = self.known.clone();
        let mut at = 0;
        while at < block.stmts.len() {
            let taken = borrowed(&block.stmts[at]).filter(|(name, array, indices)| {
                let declared = match array {
                    Expr::Path(path) => path.path.get_ident(),
                    _ => None,
                };
                let declared = declared.and_then(|of| self.declared.get(&of.to_string()));
                self.loops > 0
                    && declared.is_some_and(|ty| is_indexed(ty, indices.len()))
                    && is_updated(name, &block.stmts[at + 1..])
            });
            let Some((name, array, indices)) = taken else {
                self.visit_stmt_mut(&mut block.stmts[at]);
                at += 1;
                continue;
            };
            let names: Vec<Ident> = (0..indices.len())
                .map(|n| alias::index(&name.to_string(), n, name.span()))
                .collect();
            let lets = names.iter().zip(indices);
            let lets: Vec<Stmt> = lets
                .map(|(name, index)| parse_quote!(let #name = #index;))
                .collect();
            let element = parse_quote_spanned!(name.span()=> #array #([#names])*);
            self.known.insert(name.to_string(), element);
            let count = lets.len();
            block.stmts.splice(at..=at, lets);
            at += count;
        }
        self.known = outside;
    }
}
