//! `over` of the companion: the function for data that come in chunks, called for one after the other, with what it changes kept back until all
//! are done.
//!
//! It exists where the first slice that the function reads can be a chunk: the function returns nothing, and everything else that it takes can
//! be passed again: shared references, numbers, and exclusive references to numbers or to arrays of them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{ReturnType, Type};

use crate::on::{Kind, Param};
use crate::plan::Analysis;
use crate::syntax::names::primitive_of;

/// The function, if there is one.
pub(crate) fn function(
    analysis: &Analysis,
    name: &Ident,
    params: &[Param<'_>],
) -> Option<TokenStream> {
    let function = &analysis.function;
    if !matches!(function.sig.output, ReturnType::Default) {
        return None;
    }
    let is_chunk = |p: &Param<'_>| {
        matches!(
            p.kind,
            Kind::Memory {
                mutable: false,
                len: None,
                ..
            }
        )
    };
    let chunk = params.iter().position(is_chunk)?;
    let Kind::Memory { elem, .. } = params[chunk].kind else {
        return None;
    };
    let part = Ident::new("__accrue_chunk", Span::mixed_site());
    let mut inputs = Vec::new();
    let mut copies = TokenStream::new();
    let mut passed = Vec::new();
    let mut back = TokenStream::new();
    for (number, param) in params.iter().enumerate() {
        let of = &param.name;
        let own = format_ident!("__accrue_own_{number}", span = Span::mixed_site());
        match &param.kind {
            _ if number == chunk => {
                inputs.push(quote! {
                    #of: impl ::core::iter::IntoIterator<Item: ::accrue::Chunk<#elem>, IntoIter: ::core::marker::Send>
                });
                passed.push(quote!(#part));
            }
            Kind::Memory {
                elem,
                len,
                mutable: true,
                ..
            } => {
                // What else it may be need not be copied, nor lie on a device.
                if !is_number(elem) {
                    return None;
                }
                let ty = match len {
                    Some(len) => quote!([#elem; #len]),
                    None => quote!([#elem]),
                };
                inputs.push(quote!(#of: &mut #ty));
                let copy = quote!(<[#elem]>::to_vec(&#of[..]));
                let (copy, host) = match lies_on_devices(elem) {
                    true => (
                        quote!(::accrue::Resident::from(#copy)),
                        quote!(#own.try_host()?),
                    ),
                    false => (copy, quote!(&#own[..])),
                };
                copies.extend(quote!(let mut #own = #copy;));
                passed.push(quote!(&mut #own));
                back.extend(quote!(<[#elem]>::copy_from_slice(&mut #of[..], #host);));
            }
            Kind::Memory {
                elem,
                len,
                mutable: false,
                ..
            } => {
                let ty = match len {
                    Some(len) => quote!([#elem; #len]),
                    None => quote!([#elem]),
                };
                inputs.push(quote!(#of: &#ty));
                passed.push(quote!(#of));
            }
            Kind::Value(ty) => match ty {
                Type::Reference(r) if r.mutability.is_some() => {
                    if !is_number(&r.elem) {
                        return None;
                    }
                    copies.extend(quote!(let mut #own = *#of;));
                    inputs.push(quote!(#of: #ty));
                    passed.push(quote!(&mut #own));
                    back.extend(quote!(*#of = #own;));
                }
                Type::Reference(_) => {
                    inputs.push(quote!(#of: #ty));
                    passed.push(quote!(#of));
                }
                ty if is_number(ty) => {
                    inputs.push(quote!(#of: #ty));
                    passed.push(quote!(#of));
                }
                _ => return None,
            },
        }
    }
    let vis = &function.vis;
    let generics = lifetimes(params);
    let chunks = &params[chunk].name;
    let doc = format!(
        "Calls [`{name}`](fn@{name}) for one chunk of `{chunks}` after the other, on the device of the thread, as one transaction: vectors, slices, \
         an [`accrue::read_chunks`], whatever iterates over [`accrue::Chunk`]s. The next chunk is made on another thread meanwhile. Positions \
         count from the beginning of each chunk.\n\n# Errors\n\n[`accrue::Error::InChunk`], with what went wrong and where. What the function \
         changes is then as before the call."
    );
    Some(quote! {
        #[doc = #doc]
        #[allow(unused_variables, unused_mut, single_use_lifetimes, clippy::all)]
        #vis fn over #generics(#(#inputs),*) -> ::core::result::Result<(), ::accrue::Error> {
            #copies
            ::accrue::__rt::over::<#elem, _>(#chunks, |#part: &[#elem]| Self::on(#(#passed),*))?;
            #back
            ::core::result::Result::Ok(())
        }
    })
}

/// The lifetimes that references of the function's own types name.
fn lifetimes(params: &[Param<'_>]) -> TokenStream {
    use crate::syntax::visit::{self, Visit};
    #[derive(Default)]
    struct Named(Vec<syn::Lifetime>);
    impl<'a> Visit<'a> for Named {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Lifetime(lifetime) => {
                    let known = self.0.iter().any(|l| l.ident == lifetime.ident);
                    if !known && lifetime.ident != "static" && lifetime.ident != "_" {
                        self.0.push(lifetime.clone());
                    }
                }
                _ => node.parts(self),
            }
        }
    }
    let mut named = Named::default();
    for param in params {
        if let Kind::Value(ty) = param.kind {
            named.visit_type(ty);
        }
    }
    let named = named.0;
    quote!(<#(#named),*>)
}

/// Whether numbers are none of a tuple, whose layout is rustc's own affair.
fn lies_on_devices(ty: &Type) -> bool {
    match ty {
        Type::Array(t) => lies_on_devices(&t.elem),
        Type::Paren(t) => lies_on_devices(&t.elem),
        Type::Group(t) => lies_on_devices(&t.elem),
        Type::Tuple(_) => false,
        _ => true,
    }
}

/// Numbers, and tuples and arrays of them.
fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.qself.is_none() && primitive_of(&path.path).is_some(),
        Type::Tuple(t) => t.elems.iter().all(is_number),
        Type::Array(t) => is_number(&t.elem),
        Type::Paren(t) => is_number(&t.elem),
        Type::Group(t) => is_number(&t.elem),
        _ => false,
    }
}
