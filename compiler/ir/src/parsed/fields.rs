//! Bins that are fields of structs, as parsing has found them: each field is an array of its own while the loop runs.

use crate::sorted::SortedSet;

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprForLoop, Ident, ItemFn, Member};

use super::trips::Trips;
use crate::alias;
use crate::sorted::Sorted;
use crate::syntax::names::identifiers;
use crate::syntax::visit::{self, Visit};
use crate::syntax::without_parens;

/// The fields of a function's bins.
#[derive(Clone)]
pub struct Fields {
    /// The function over arrays of fields. Its loops have the numbers that they have in the user's.
    pub view: ItemFn,
    /// By the name of the array that stands for it.
    pub known: Sorted<String, Field>,
    /// The user's loops, as `syn::visit` enters them.
    pub loops: Vec<ExprForLoop>,
    /// How many iterations the loops have.
    pub trips: Trips,
}

/// A field of the elements of an array.
#[derive(Clone)]
pub struct Field {
    /// The array.
    pub array: Expr,
    /// How often it is indexed.
    pub depth: usize,
    /// The names that lead from an element to it.
    pub path: Vec<Member>,
    /// Whether a comparison stands for an extremum of it, as that of floats does.
    pub compared: bool,
}

impl Fields {
    /// The fields that a loop of the view has.
    pub fn of(&self, view: &ExprForLoop) -> Vec<(Ident, &Field)> {
        let mut words = Vec::new();
        identifiers(view.to_token_stream(), &mut words);
        let words: SortedSet<String> = words.iter().map(Ident::to_string).collect();
        let fields = self.known.iter().filter(|(name, _)| words.contains(*name));
        fields
            .map(|(name, field)| (Ident::new(name, Span::call_site()), field))
            .collect()
    }

    /// A line for `explain`.
    pub fn explain(&self, view: &ExprForLoop) -> Option<String> {
        let fields = self.of(view);
        let shown = |(name, _): &(Ident, &Field)| alias::shown(&name.to_string());
        let names: Vec<String> = fields.iter().map(shown).collect();
        let (last, others) = names.split_last()?;
        let compared = fields.iter().filter(|(_, field)| field.compared);
        let compared: Vec<String> = compared.map(shown).collect();
        let nan = match compared[..] {
            [] => String::new(),
            _ => format!("  in order where {} is NaN\n", compared.join(" or ")),
        };
        let copied = match others {
            [] => format!(
                "  {last} is copied to an array of its own, where there are many iterations for the bins; else in order\n"
            ),
            _ => format!(
                "  {} and {last} are copied to arrays of their own, where there are many iterations for the bins; else in order\n",
                others.join(", ")
            ),
        };
        Some(copied + &nan)
    }
}

/// `base[i][j]`: the base and the indices.
pub fn indexed(e: &Expr) -> (&Expr, Vec<&Expr>) {
    let (mut e, mut indices) = (without_parens(e), Vec::new());
    while let Expr::Index(index) = e {
        indices.push(&*index.index);
        e = without_parens(&index.expr);
    }
    indices.reverse();
    (e, indices)
}

/// Calls a function with each name that is bound somewhere.
pub struct Bound<'f>(pub &'f mut dyn FnMut(&String));

impl<'a> Visit<'a> for Bound<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::PatIdent(pat) => {
                (self.0)(&pat.ident.to_string());
                visit::visit_pat_ident(self, pat);
            }
            _ => node.parts(self),
        }
    }
}
