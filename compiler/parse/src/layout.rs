//! The proof that a device struct lies in memory as kernels are printed for it: what its attributes say, and, in what
//! `derive(DeviceType)` emits, what rustc says of its size, its alignment and the offset of every field.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, ItemStruct, LitInt, Member};

use crate::diag::{Code, Diagnostic, Errors};

/// What `repr(..)` says.
#[derive(Default)]
pub struct Repr {
    /// `C`.
    pub c: bool,
    /// The largest `align(N)`.
    pub(crate) align: Option<(u64, Span)>,
    /// `packed` or `packed(N)`.
    packed: Option<Span>,
}

/// The largest alignment that a device's memory has.
const LARGEST_ALIGN: u64 = 256;

impl Repr {
    /// What the attributes of an item say.
    pub fn of(attrs: &[Attribute]) -> Repr {
        let mut repr = Repr::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
            // What is written wrongly is rustc's to say.
            let _ = attr.parse_nested_meta(|meta| {
                let span = meta.path.span();
                if meta.path.is_ident("C") {
                    repr.c = true;
                } else if meta.path.is_ident("packed") {
                    repr.packed = Some(span);
                } else if meta.path.is_ident("align") {
                    let content;
                    syn::parenthesized!(content in meta.input);
                    let n: u64 = content.parse::<LitInt>()?.base10_parse()?;
                    if repr.align.is_none_or(|(before, _)| before < n) {
                        repr.align = Some((n, span));
                    }
                    return Ok(());
                }
                // `packed(2)`.
                if meta.input.peek(syn::token::Paren) {
                    let content;
                    syn::parenthesized!(content in meta.input);
                    content.parse::<TokenStream>()?;
                }
                Ok(())
            });
        }
        repr
    }

    /// # Errors
    ///
    /// What kernels cannot read.
    pub fn check(&self, name: &Ident) -> Result<(), Errors> {
        if let Some(span) = self.packed {
            return Err(Diagnostic::new(
                Code::DeviceLayout,
                span,
                format!("the fields of `{name}` lie closer together than C lays them out"),
            )
            .note("a kernel reads each field at once, at an address that is a multiple of its size")
            .help("leave `packed` out; order the fields from large to small to save room")
            .into());
        }
        match self.align {
            Some((align, span)) if align > LARGEST_ALIGN => Err(Diagnostic::new(
                Code::DeviceAlign,
                span,
                format!(
                    "`{name}` is aligned to {align} bytes, and device memory to {LARGEST_ALIGN}"
                ),
            )
            .help("ask for `align(256)` at most")
            .into()),
            _ => Ok(()),
        }
    }
}

/// The checks of a struct's layout, and the `const` that says it.
pub fn proof(item: &ItemStruct, repr: &Repr) -> (TokenStream, TokenStream) {
    let name = &item.ident;
    let fields: Vec<(Member, &syn::Type)> = item
        .fields
        .members()
        .zip(item.fields.iter().map(|field| &field.ty))
        .collect();
    let facts = fields.iter().map(|(member, ty)| {
        quote!([
            ::core::mem::size_of::<#ty>(),
            ::core::mem::align_of::<#ty>(),
            ::core::mem::offset_of!(#name, #member),
        ])
    });
    let size = quote!(::core::mem::size_of::<#name>());
    let align = quote!(::core::mem::align_of::<#name>());
    let asked = repr.align.map_or(1, |(n, _)| n) as usize;
    let checks = quote! {
        ::accrue::__rt::check_struct(#size, #align, &[#(#facts),*], #asked);
    };
    let described = fields.iter().map(|(member, ty)| {
        let text = match member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        quote!((
            #text,
            ::core::mem::offset_of!(#name, #member),
            <#ty as ::accrue::DeviceType>::LAYOUT,
        ))
    });
    let described = quote! {
        const LAYOUT: ::accrue::__rt::Layout =
            ::accrue::__rt::Layout::Struct(#size, #align, &[#(#described),*]);
    };
    (checks, described)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn attributes_say_how_a_struct_lies() {
        let item: ItemStruct = parse_quote! {
            #[derive(Clone)]
            #[repr(align(4), C)]
            #[repr(align(16))]
            struct S { x: u32 }
        };
        let repr = Repr::of(&item.attrs);
        assert!(repr.c && repr.packed.is_none());
        assert_eq!(repr.align.map(|(n, _)| n), Some(16));
        for packed in [parse_quote!(packed), parse_quote!(packed(2), C)] {
            let packed: TokenStream = packed;
            let item: ItemStruct = parse_quote!(
                #[repr(#packed)]
                struct S {
                    x: u32,
                }
            );
            let repr = Repr::of(&item.attrs);
            assert!(repr.packed.is_some());
            assert!(repr.check(&item.ident).is_err());
        }
        let item: ItemStruct = parse_quote!(
            #[repr(packed(2), C)]
            struct S {
                x: u32,
            }
        );
        assert!(Repr::of(&item.attrs).c);
    }

    #[test]
    fn memory_is_aligned_only_so_far() {
        let check = |align: u64| {
            let align = proc_macro2::Literal::u64_unsuffixed(align);
            let item: ItemStruct = parse_quote!(
                #[repr(C, align(#align))]
                struct S {
                    x: u32,
                }
            );
            Repr::of(&item.attrs).check(&item.ident).is_ok()
        };
        assert!(check(256));
        assert!(!check(512));
    }
}
