//! What iterations share: may a loop hand it on to methods, functions and macros?
//!
//! A method's name says nothing. So everything that a body hands on is asked about: with the loop goes a piece of code that is compiled and never
//! runs, in which rustc says of each such thing whether its type is plain data (`accrue::Plain`), and refuses it
//! with a message of ours where it is not. Calls that `pure(..)` names are not asked about.
//!
//! What is asked depends on where the thing came from:
//!
//! - captured, or a `static`: it must be plain, or `Copy` and borrow nothing;
//! - an item, an element, or what a pattern takes out of one: plain, or `Copy` and no reference. No cell or lock is `Copy`;
//! - made in the iteration, by a function, say: anything that is no reference to what is not plain;
//! - memory that is only looked through (`people.iter().position(|p| …)`): a slice or a collection of the standard library, of
//!   whatever elements; `p` is asked about itself. Memory whose elements a method moves, as `a.swap(i, j)` does, is asked about alike.
//!
//! Questions about captured places stand before a copy of the loop, the others in it, where the names are bound. All but the first are
//! behind a `loop {}`: code that cannot be reached is typed, and neither borrows nor moves anything. That a type borrows nothing is
//! seen in code that can be reached, so it is asked of captured places alone, by pointers that borrow nothing either.

mod ask;
mod declared;
pub use ask::whole_at;
mod walk;

use proc_macro2::TokenStream;
use quote::quote;

use super::args::Args;
use super::keyed;
use super::names::{self, Key};
use super::nest;
use super::outer::OuterScope;
use crate::parsed::candidate::Candidate;
use crate::parsed::lowered::Shared;
use ask::Asks;
use declared::Declared;

/// Where something came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// It is captured.
    Captured,
    /// It is a captured thing by another name, or a part of one.
    Whole,
    /// It is an item or an element.
    Item,
    /// The iteration made it.
    Made,
    /// It is looked through.
    Held,
}

/// Looks at what a loop hands on, where `pure(..)` of the attribute names what only computes.
pub fn look(candidate: &Candidate<'_>, args: &Args) -> Shared {
    let mut syntax = candidate.syntax.clone();
    let assigned = nest::assigned(candidate.syntax, args.any);
    let grown = match args.any {
        true => nest::grown(candidate.syntax, &candidate.outer),
        false => Vec::new(),
    };
    let grown = grown
        .iter()
        .filter_map(|of| Some(names::key_of(of)?.0))
        .collect();
    let mut walk = walk::Walk::new(&candidate.outer, assigned, grown, &args.pure);
    walk.asks = Asks::beside(Declared::of(&args.types));
    if args.any {
        let found = keyed::keyed(candidate.syntax, &candidate.outer);
        let maps = found.maps.iter();
        walk.keyed = maps
            .filter_map(|map| Some(names::key_of(&map.place)?.0))
            .chain(found.names.into_iter().map(Key::name))
            .collect();
    }
    walk.outermost(&mut syntax);
    let walk::Walk {
        captured,
        hoisted,
        asks,
        copied,
        outermost,
        errors,
        called,
        ..
    } = walk;
    let copy = (copied || !outermost.is_empty()).then(|| {
        let (label, pat, iterated) = (&syntax.label, &syntax.pat, &syntax.expr);
        let attrs = &syntax.attrs;
        if copied {
            let body = &syntax.body.stmts;
            quote!(#(#attrs)* #label for #pat in #iterated { #outermost #(#body)* })
        } else {
            quote!(for #pat in #iterated { #outermost })
        }
    });
    let questions = match copy.is_some() || !captured.is_empty() || !hoisted.is_empty() {
        true => asks.block(&captured, quote!(#(#hoisted)* #copy)),
        false => TokenStream::new(),
    };
    Shared {
        questions,
        errors,
        called,
    }
}

/// A statement that asks rustc what a device function means by names of the standard library, for an item beside it. `None` where it uses
/// none.
pub fn of_device_function(function: &syn::ItemFn) -> Option<TokenStream> {
    let nothing = OuterScope::default();
    let mut function = function.clone();
    let mut walk = walk::Walk::new(&nothing, Vec::new(), Vec::new(), &[]);
    walk.function(&mut function);
    let walk::Walk {
        hoisted,
        asks,
        copied,
        ..
    } = walk;
    let copy = copied.then(|| {
        let (inputs, output, stmts) = (
            &function.sig.inputs,
            &function.sig.output,
            &function.block.stmts,
        );
        quote! {
            fn __accrue_copy(#inputs) #output {
                loop {}
                #(#stmts)*
            }
        }
    });
    (copied || !hoisted.is_empty()).then(|| asks.block(&[], quote!(#(#hoisted)* #copy)))
}
