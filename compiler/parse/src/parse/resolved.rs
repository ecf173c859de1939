//! Asks rustc whether methods that are [written out](super::inline) are those that it calls. A trait's method goes before one of the type where what it is called on
//! needs less for it: of `self.at(i)`, where `self` is a `&mut Self`, a trait's `at(&mut self, ..)` goes before an `at(&self, ..)` of the type.
//!
//! ```text
//! let _ = || {
//!     trait ReadAsTheTypes { fn at<A0>(&mut self, _: A0) -> Theirs { loop {} } }
//!     impl<T> ReadAsTheTypes for &mut T {}
//!     let mut it: &mut Self = loop {};
//!     is_of_the_type(it.at(loop {}));
//! };
//! ```
//!
//! This trait has a method of the same name right before the type's own, which therefore is what rustc finds unless there is another one before.

use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident, quote};
use syn::{Receiver, ReceiverKind, Stmt, Type, parse_quote, parse_quote_spanned};

use crate::sorted::SortedSet;

/// What a method is called on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Held {
    Value,
    Shared,
    Mutable,
    /// What leads to the type, `Box<Self>`, by its words.
    Other(String),
}

impl Held {
    /// What a type holds where it is the block's, or refers to that.
    pub(super) fn of(ty: &Type) -> Held {
        match ty {
            Type::Reference(of) => Held::by(of.mutability.is_some()),
            _ => Held::Value,
        }
    }

    /// By a reference.
    pub(super) fn by(mutable: bool) -> Held {
        match mutable {
            true => Held::Mutable,
            false => Held::Shared,
        }
    }

    /// What `self` is.
    pub(super) fn of_self(receiver: &Receiver) -> Option<Held> {
        match &receiver.kind {
            ReceiverKind::Value => Some(Held::Value),
            ReceiverKind::Reference(_, _, mutable) => Some(Held::by(mutable.is_some())),
            ReceiverKind::Typed(_, ty) => Some(match &**ty {
                Type::Reference(of) if is_self(&of.elem) => Held::of(ty),
                ty if is_self(ty) => Held::Value,
                ty => Held::Other(ty.to_token_stream().to_string()),
            }),
            _ => None,
        }
    }
}

fn is_self(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("Self"))
}

/// A method that is written out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Written {
    pub(super) name: Ident,
    /// What it is called on.
    pub(super) on: Held,
    /// Whether it is one by `&mut self`.
    pub(super) changes: bool,
    pub(super) arguments: usize,
}

impl Written {
    /// The questions: by what a method is found right before it, on which types, and on what it is called.
    fn questions(&self) -> Vec<Stmt> {
        let before: Vec<(Type, Type, Type)> = match (&self.on, self.changes) {
            // By `&self` of a place behind a reference: what takes that reference itself, and what takes the place's value.
            (Held::Mutable, false) => vec![
                (
                    parse_quote!(&mut Self),
                    parse_quote!(&mut T),
                    parse_quote!(&mut Self),
                ),
                (parse_quote!(Self), parse_quote!(T), parse_quote!(Self)),
            ],
            (Held::Value, false) => vec![(parse_quote!(Self), parse_quote!(T), parse_quote!(Self))],
            (Held::Value, true) => vec![(parse_quote!(&Self), parse_quote!(T), parse_quote!(Self))],
            // What leads to the place, before the place.
            (Held::Other(ty), changes) => {
                let ty = syn::parse_str(ty).expect("it has been a type");
                let by = match changes {
                    true => parse_quote!(&Self),
                    false => parse_quote!(Self),
                };
                vec![
                    (parse_quote!(&mut Self), parse_quote!(T), ty),
                    (by, parse_quote!(T), parse_quote!(Self)),
                ]
            }
            (Held::Shared, _) | (Held::Mutable, true) => Vec::new(),
        };
        before
            .iter()
            .map(|(by, on, of)| self.question(by, on, of))
            .collect()
    }

    fn question(&self, by: &Type, on: &Type, of: &Type) -> Stmt {
        let span = self.name.span().resolved_at(Span::call_site());
        let mut name = self.name.clone();
        name.set_span(span);
        let types: Vec<Ident> = (0..self.arguments).map(|n| format_ident!("A{n}")).collect();
        let arguments = types.iter().map(|_| quote!(loop {}));
        parse_quote_spanned! {span=>
            #[allow(unused, unreachable_code, clippy::all, clippy::pedantic)]
            let _ = || {
                trait ReadAsTheTypes: Sized {
                    fn #name<#(#types),*>(self: #by #(, _: #types)*) -> ::accrue::__rt::methods::Theirs {
                        loop {}
                    }
                }
                impl<T> ReadAsTheTypes for #on {}
                let mut it: #of = loop {};
                ::accrue::__rt::methods::is_of_the_type(it.#name(#(#arguments),*));
            };
        }
    }
}

/// The questions of some, for a place in a method of their type.
pub(super) fn questions(written: &SortedSet<Written>) -> Vec<Stmt> {
    written.iter().flat_map(Written::questions).collect()
}
