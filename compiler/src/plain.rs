//! `derive(Plain)`: a type of the user's as plain data, proved field by field.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Item, parse_quote};

use crate::diag::{Code, Diagnostic, Errors};
use crate::parse::shared;

/// The `impl`, and a function that does not compile unless every field is plain.
pub fn derive(item: TokenStream) -> TokenStream {
    match derived(item) {
        Ok(tokens) => tokens,
        Err(errors) => errors.to_compile_error(),
    }
}

fn derived(item: TokenStream) -> Result<TokenStream, Errors> {
    let item: Item = syn::parse2(item)?;
    let (name, mut generics, fields) = match item {
        Item::Struct(item) => {
            let fields = item.fields.into_iter().map(|f| f.ty).collect::<Vec<_>>();
            (item.ident, item.generics, fields)
        }
        Item::Enum(item) => {
            let fields = item.variants.into_iter().flat_map(|v| v.fields);
            let fields = fields.map(|f| f.ty).collect();
            (item.ident, item.generics, fields)
        }
        other => {
            return Err(Diagnostic::new(
                Code::NotAFunction,
                other.span(),
                "`derive(Plain)` stands on a struct or an enum",
            )
            .help("implement `accrue::Plain` by hand, if nothing in it changes through a shared reference")
            .into());
        }
    };
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::accrue::Plain));
    }
    let (parameters, arguments, condition) = generics.split_for_impl();
    let checks = fields.iter().map(|ty| {
        let answer = shared::whole_at(&quote!(__accrue_field::<#ty>()), ty.span());
        quote_spanned!(ty.span()=> __accrue_plain(#answer);)
    });
    let arguments = arguments.to_token_stream();
    Ok(quote! {
        impl #parameters ::accrue::Plain for #name #arguments #condition {}
        const _: () = {
            use ::accrue::__rt::plain::{
                Whole1 as _, Whole2 as _, Whole3 as _, Whole4 as _, Within1 as _, Within2 as _, Within3 as _,
            };
            fn __accrue_plain<__AccrueT: ?::core::marker::Sized + ::accrue::Plain>(_: &__AccrueT) {}
            fn __accrue_field<__AccrueT: ?::core::marker::Sized>() -> *const __AccrueT {
                loop {}
            }
            #[allow(dead_code)]
            fn __accrue_fields #parameters () #condition {
                #(#checks)*
            }
        };
    })
}
