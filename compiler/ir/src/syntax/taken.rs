//! What the names of a loop were taken for, noted while it is lowered, and the names of the functions that say whether rustc
//! agrees. The module `confirm` writes those.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Path;

use crate::sorted::SortedSet;

/// What the names of one loop were taken for.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Whether a callee is what it was taken for, as expressions for the loop's place.
    pub callees: Vec<TokenStream>,
    /// The same of structs, as statements, with their paths.
    pub structs: Vec<(String, TokenStream)>,
    /// The device functions that the loop calls, directly or not.
    pub functions: SortedSet<usize>,
    /// A device function, which of its calls, and the device function that this was taken for.
    pub calls: SortedSet<(usize, usize, usize)>,
    /// A device function, which of its types, and the struct that this was taken for.
    pub types: SortedSet<(usize, usize, usize)>,
    /// A struct, which of its fields, and the struct that this was taken for.
    pub fields: SortedSet<(usize, usize, usize)>,
    /// A device function and which of its constants.
    pub constants: SortedSet<(usize, usize)>,
    /// A struct and which of its lengths.
    pub lengths: SortedSet<(usize, usize)>,
}

impl Names {
    /// A call at the loop's place.
    pub fn callee(&mut self, check: TokenStream) {
        let text = check.to_string();
        if self.callees.iter().all(|known| known.to_string() != text) {
            self.callees.push(check);
        }
    }

    /// A type at the loop's place.
    pub fn structure(&mut self, path: &Path, check: TokenStream) {
        let text = check.to_string();
        if self
            .structs
            .iter()
            .all(|(_, known)| known.to_string() != text)
        {
            self.structs
                .push((path.to_token_stream().to_string(), check));
        }
    }
}

/// The name of the function that [`callee`] calls.
pub fn callee_name(function: usize) -> Ident {
    format_ident!("__accrue_callee_{function}")
}

/// The name of the function that says whether a device function is the one that was found.
pub fn known_name(function: usize) -> Ident {
    format_ident!("__accrue_known_{function}")
}

/// Whether what a path leads to is a device function, for the place of the path.
pub fn callee(path: &Path, function: usize) -> TokenStream {
    let name = callee_name(function);
    quote!(#name(&#path))
}

/// Compiles where a type is a struct with that fingerprint, for the place of the path.
pub fn structure(path: &Path, fingerprint: u64) -> TokenStream {
    let span = syn::spanned::Spanned::span(path).resolved_at(proc_macro2::Span::call_site());
    let why = "[accrue::H046] the struct is not the one of that name in `uses(..)`: write the path that leads to it there";
    // As an item, so that it is evaluated although nothing calls the closure that it stands in.
    quote::quote_spanned! { span=>
        ::accrue::__rt::names::structure::<#path>();
        const _: () = ::core::assert!(
            <#path as ::accrue::__rt::names::Structure>::FINGERPRINT == #fingerprint,
            #why
        );
    }
}

/// The value of a device function's constant, of the type that it is used as.
pub fn constant((function, n): (usize, usize)) -> TokenStream {
    let name = constant_name(function, n);
    quote!(::core::option::Option::unwrap_or_default(#name()))
}

/// The name of the function that [`constant`] calls.
pub fn constant_name(function: usize, n: usize) -> Ident {
    format_ident!("__accrue_constant_{function}_{n}")
}

/// A length in a struct.
pub fn length((structure, n): (usize, usize)) -> TokenStream {
    let name = length_name(structure, n);
    quote!(#name())
}

/// The name of the function that [`length`] calls.
pub fn length_name(structure: usize, n: usize) -> Ident {
    format_ident!("__accrue_length_{structure}_{n}")
}
