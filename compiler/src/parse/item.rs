//! The item under the attribute: it must be a function, and one that the attribute's arguments can be for.

use syn::ItemFn;

use super::args::Args;
use super::capitals;
use crate::diag::{Code, Diagnostic, Errors};

/// The function that tokens are.
///
/// # Errors
///
/// Another item, or none.
pub fn function(item: proc_macro2::TokenStream) -> Result<ItemFn, Errors> {
    let span = item
        .clone()
        .into_iter()
        .next()
        .map_or_else(proc_macro2::Span::call_site, |t| t.span());
    let function = syn::parse2::<ItemFn>(item.clone()).map_err(|error| {
        // Another item that is well formed is the wrong place for the attribute; anything else is rustc's to say.
        match syn::parse2::<syn::Item>(item) {
            Ok(_) => Diagnostic::new(
                Code::NotAFunction,
                span,
                "`#[offload]` stands on a function",
            )
            .help("put it on the `fn` whose loop shall run in parallel")
            .into(),
            Err(_) => error.into(),
        }
    });
    function.map(|mut function| {
        capitals::bind(&mut function.block);
        function
    })
}

/// Refuses a type parameter that hides what `uses(..)` names.
///
/// # Errors
///
/// One for each such parameter.
pub fn check_generics(function: &ItemFn, args: &Args) -> Result<(), Errors> {
    let mut errors = Errors::new();
    for param in function.sig.generics.type_params() {
        let hides = |path: &&syn::Path| {
            path.leading_colon.is_none() && path.segments[0].ident == param.ident
        };
        if args.uses.iter().any(|path| hides(&path)) {
            errors.push(
                Diagnostic::new(
                    Code::AnotherFunction,
                    param.ident.span(),
                    format!(
                        "the type parameter `{}` hides what `uses(..)` names",
                        param.ident
                    ),
                )
                .help("give the type parameter another name"),
            );
        }
    }
    errors.finish()
}
