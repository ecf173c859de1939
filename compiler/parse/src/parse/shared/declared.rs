//! Types beside a function, as its file declares them: one whose fields are plain data is plain itself. The text says what to ask, and rustc
//! answers: a function takes a value of the type apart, with no field left out, and asks about each.
//!
//! Types whose fields the text does not show to be plain are left out, so that nothing is asked whose answer is an error.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Fields, GenericArgument, Generics, Ident, Item, PathArguments, Type, parse_quote,
};

use super::ask;

/// The declared types that the text shows to be plain.
#[derive(Default)]
pub(super) struct Declared<'a> {
    types: BTreeMap<String, Declaration<'a>>,
}

impl<'a> Declared<'a> {
    pub(super) fn of(items: &'a [Item]) -> Self {
        let aliases = items.iter().filter_map(|item| match item {
            Item::Type(of) if of.generics.params.is_empty() => {
                Some((of.ident.to_string(), &*of.ty))
            }
            _ => None,
        });
        let aliases = aliases.collect();
        let hidden = items.iter().flat_map(hides).collect();
        let types = items.iter().filter_map(Declaration::of);
        let mut types: BTreeMap<_, _> = types.map(|of| (of.name.to_string(), of)).collect();
        loop {
            let doubtful = types.iter().filter(|(_, of)| {
                let text = Text {
                    aliases: &aliases,
                    types: &types,
                    hidden: &hidden,
                    generics: of.generics,
                };
                let mut fields = of.variants.iter().flat_map(|(_, fields)| *fields);
                fields.any(|field| !text.is_held(&field.ty, LAYERS))
            });
            let doubtful: Vec<String> = doubtful.map(|(name, _)| name.clone()).collect();
            if doubtful.is_empty() {
                return Declared { types };
            }
            types.retain(|name, _| !doubtful.contains(name));
        }
    }

    /// An answer that may be one of the types.
    pub(super) fn answer(&self, answer: TokenStream) -> TokenStream {
        match self.types.is_empty() {
            true => answer,
            false => quote!((&&::accrue::__rt::plain::Ask(#answer)).__accrue_declared()),
        }
    }

    /// What makes answers of the types, once for a block of questions.
    pub(super) fn rules(&self) -> TokenStream {
        if self.types.is_empty() {
            return TokenStream::new();
        }
        let types = self.types.values().map(|of| of.rule(self));
        quote! {
            trait __AccrueDeclared {
                fn __accrue_fields(&self);
            }
            trait __AccrueDeclared2 {
                fn __accrue_declared(&self) -> &::accrue::__rt::plain::Fine {
                    loop {}
                }
            }
            impl<T: ?::core::marker::Sized + __AccrueDeclared> __AccrueDeclared2 for &::accrue::__rt::plain::Ask<T> {}
            trait __AccrueDeclared1 {
                type Answer: ?::core::marker::Sized;
                fn __accrue_declared(&self) -> &Self::Answer {
                    loop {}
                }
            }
            impl<T: ?::core::marker::Sized> __AccrueDeclared1 for ::accrue::__rt::plain::Ask<T> {
                type Answer = T;
            }
            fn __accrue_field<T: ?::core::marker::Sized + ::accrue::__rt::plain::Plain>(_: &T) {}
            #(#types)*
        }
    }
}

/// A struct, or an enum.
struct Declaration<'a> {
    name: &'a Ident,
    generics: &'a Generics,
    /// The variants, a struct's without a name.
    variants: Vec<(Option<&'a Ident>, &'a Fields)>,
}

impl<'a> Declaration<'a> {
    /// `None` of what is neither, and where its text does not say what there is, or fields cannot be lent.
    fn of(item: &'a Item) -> Option<Self> {
        let (name, generics, mut attributes, variants) = match item {
            Item::Struct(of) => {
                let variants = vec![(None, &of.fields)];
                (&of.ident, &of.generics, vec![&of.attrs], variants)
            }
            Item::Enum(of) if !of.variants.is_empty() => {
                let attributes = of.variants.iter().map(|of| &of.attrs);
                let attributes = attributes.chain([&of.attrs]).collect();
                let variants = of.variants.iter().map(|of| (Some(&of.ident), &of.fields));
                (&of.ident, &of.generics, attributes, variants.collect())
            }
            _ => return None,
        };
        let fields = variants.iter().flat_map(|(_, fields)| *fields);
        attributes.extend(fields.map(|field| &field.attrs));
        // Others may change the fields, or configure them away.
        let is_known = |of: &Attribute| {
            let known = [
                "derive",
                "repr",
                "doc",
                "allow",
                "expect",
                "warn",
                "must_use",
                "deprecated",
                "default",
                "non_exhaustive",
            ];
            let packed = || of.to_token_stream().to_string().contains("packed");
            let path = of.path();
            known.iter().any(|name| path.is_ident(name)) && !(path.is_ident("repr") && packed())
        };
        let all_known = attributes.into_iter().flatten().all(is_known);
        all_known.then_some(Declaration {
            name,
            generics,
            variants,
        })
    }

    /// That it is plain, and a function that does not compile unless it is.
    fn rule(&self, declared: &Declared<'_>) -> TokenStream {
        let (name, mut generics) = (self.name, self.generics.clone());
        for parameter in generics.type_params_mut() {
            parameter
                .bounds
                .push(parse_quote!(::accrue::__rt::plain::Plain));
        }
        let (parameters, arguments, condition) = generics.split_for_impl();
        let arms = self.variants.iter().map(|(variant, fields)| {
            let path = variant.map_or(quote!(#name), |variant| quote!(#name::#variant));
            let names: Vec<Ident> = (0..fields.len())
                .map(|n| format_ident!("__accrue_{n}"))
                .collect();
            let members = fields.members();
            let asks = names.iter().map(|field| {
                let answer = declared.answer(ask::plain(&quote!(#field)));
                quote!(__accrue_field(#answer);)
            });
            quote!(#path { #(#members: #names),* } => { #(#asks)* })
        });
        quote! {
            impl #parameters __AccrueDeclared for #name #arguments #condition {
                fn __accrue_fields(&self) {
                    match self { #(#arms)* }
                }
            }
        }
    }
}

/// How many layers around a declared type are looked through, as [`ask`] asks.
const LAYERS: usize = 4;

/// The text of a declaration's fields.
struct Text<'a> {
    aliases: &'a BTreeMap<String, &'a Type>,
    types: &'a BTreeMap<String, Declaration<'a>>,
    hidden: &'a BTreeSet<String>,
    generics: &'a Generics,
}

impl Text<'_> {
    /// Whether a type is plain, or a declared one in some layers.
    fn is_held(&self, ty: &Type, layers: usize) -> bool {
        if self.is_plain(ty) {
            return true;
        }
        if let Some((name, arguments)) = named(ty) {
            if let Some(ty) = self.aliases.get(&name).filter(|_| arguments.is_empty()) {
                return layers > 0 && self.is_held(ty, layers - 1);
            }
            if self.types.contains_key(&name) {
                return arguments.iter().all(|ty| self.is_plain(ty));
            }
        }
        layers > 0
            && self
                .inside(ty)
                .is_some_and(|ty| self.is_held(ty, layers - 1))
    }

    fn is_plain(&self, ty: &Type) -> bool {
        if let Type::Tuple(tuple) = ty {
            return tuple.elems.iter().all(|ty| self.is_plain(ty));
        }
        if let Some(ty) = self.inside(ty) {
            return self.is_plain(ty);
        }
        named(ty).is_some_and(|(name, arguments)| {
            let types = self.generics.type_params().map(|of| &of.ident);
            let constants = self.generics.const_params().map(|of| &of.ident);
            let is_parameter = types.chain(constants).any(|of| *of == name);
            let is_number = crate::ir::Scalar::from_name(&name).is_some();
            let is_text = matches!(name.as_str(), "bool" | "char" | "str" | "String");
            let is_known = (is_number || is_text) && !self.hidden.contains(&name);
            arguments.is_empty() && (is_parameter || is_known)
        })
    }

    /// What a type of the prelude, an array, a slice or a reference holds.
    fn inside<'t>(&self, ty: &'t Type) -> Option<&'t Type> {
        match ty {
            Type::Array(of) => Some(&of.elem),
            Type::Slice(of) => Some(&of.elem),
            Type::Reference(of) => Some(&of.elem),
            Type::Paren(of) => Some(&of.elem),
            _ => {
                let (name, arguments) = named(ty)?;
                let holds = matches!(name.as_str(), "Vec" | "Option" | "Box");
                arguments
                    .first()
                    .copied()
                    .filter(|_| holds && !self.hidden.contains(&name))
            }
        }
    }
}

/// The names that an item has for something else than what the language has them for.
fn hides(item: &Item) -> Vec<String> {
    match item {
        Item::Struct(of) => vec![of.ident.to_string()],
        Item::Enum(of) => vec![of.ident.to_string()],
        Item::Type(of) => vec![of.ident.to_string()],
        Item::Use(of) => {
            let text = of.tree.to_token_stream().to_string();
            let mut words = text
                .split(|c: char| !(c == '_' || c.is_alphanumeric()))
                .filter(|word| !word.is_empty())
                .map(str::to_owned);
            match words.next() {
                Some(library) if matches!(library.as_str(), "std" | "core" | "alloc") => Vec::new(),
                _ => words.collect(),
            }
        }
        _ => Vec::new(),
    }
}

/// The name of a type without a path, and what types it is of.
fn named(ty: &Type) -> Option<(String, Vec<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let (None, [segment]) = (&path.qself, &*path.path.segments.iter().collect::<Vec<_>>()) else {
        return None;
    };
    let name = segment.ident.to_string();
    match &segment.arguments {
        PathArguments::None => Some((name, Vec::new())),
        PathArguments::AngleBracketed(of) => {
            let types = of.args.iter().map(|of| match of {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            Some((name, types.flatten().collect()))
        }
        PathArguments::Parenthesized(_) => None,
    }
}
