//! Methods beside an attribute, in its `impl` and in those of other types of its module, as the source declares them. An attribute on a function sees nothing of them, and
//! what a loop calls on `self`, or on an `h: &mut Hist`, may use what it changes; as under an attribute on the block, such calls are
//! [written out](crate::parse::item::written_out) where the function is refused otherwise.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{ImplItem, ImplItemFn, ItemImpl, Type};

use crate::declared::{self, words};
use crate::parsed::args::{Offload, parse as args};
use crate::within;

/// The attribute with the methods of the block in which it stands, in a source from an offset, that the item calls by their names.
pub fn attribute(
    attribute: TokenStream,
    item: &TokenStream,
    source: &str,
    offset: usize,
) -> TokenStream {
    match args(attribute.clone()) {
        Ok(Offload::Loops(args)) if args.any && args.siblings.is_none() => {}
        _ => return attribute,
    }
    let Some(block) = block(item, source, offset) else {
        return attribute;
    };
    within::with_argument(&attribute, &quote!(__siblings { #block }))
}

/// The block around an item, with what the item mentions, and what that mentions in turn.
fn block(item: &TokenStream, source: &str, offset: usize) -> Option<ItemImpl> {
    let function = syn::parse2::<ImplItemFn>(item.clone()).ok()?;
    function.sig.receiver()?;
    let mut block = syn::parse_str::<ItemImpl>(within::block(source, offset)?).ok()?;
    if block.trait_.is_some() {
        return None;
    }
    let mut mentioned = BTreeSet::new();
    words(function.block.to_token_stream(), &mut mentioned);
    keep_mentioned(&mut block, &mut mentioned);
    // One that it calls may be itself.
    let other =
        |of: &ImplItem| !matches!(of, ImplItem::Fn(of) if of.sig.ident == function.sig.ident);
    block.items.retain(other);
    (!block.items.is_empty()).then_some(block)
}

/// The attribute with the methods that an item calls by their names of other types, whose blocks stand in its module.
pub fn beside(
    attribute: TokenStream,
    item: &TokenStream,
    source: &str,
    offset: usize,
) -> TokenStream {
    match args(attribute.clone()) {
        Ok(Offload::Loops(args)) if args.any && args.beside.is_empty() => {}
        _ => return attribute,
    }
    let mut mentioned = BTreeSet::new();
    words(item.clone(), &mut mentioned);
    // Fields may be of these types.
    words(attribute.clone(), &mut mentioned);
    let blocks = declared::blocks(source, offset, item);
    let blocks = blocks.into_iter().filter_map(|text| {
        let block = syn::parse_str::<ItemImpl>(text).ok()?;
        let Type::Path(path) = &*block.self_ty else {
            return None;
        };
        let name = path.path.get_ident()?.clone();
        let documented = block.attrs.iter().all(|of| of.path().is_ident("doc"));
        let plain = documented && block.generics.params.is_empty() && block.trait_.is_none();
        (plain && mentioned.contains(&name.to_string())).then_some((block, name))
    });
    let blocks: Vec<(ItemImpl, Ident)> = blocks.collect();
    // One may call methods of another.
    let mut found: Vec<ItemImpl>;
    loop {
        let before = mentioned.len();
        found = blocks.iter().map(|(block, _)| block.clone()).collect();
        for block in &mut found {
            keep_mentioned(block, &mut mentioned);
        }
        if mentioned.len() == before {
            break;
        }
    }
    let found = found
        .iter()
        .zip(&blocks)
        .filter(|(block, _)| !block.items.is_empty());
    let blocks: TokenStream = found
        .map(|(block, (_, name))| named(block.to_token_stream(), name))
        .collect();
    if blocks.is_empty() {
        return attribute;
    }
    let attribute = within::with_argument(&attribute, &quote!(__beside { #blocks }));
    // The type of `self`, whose fields may be of these.
    let own = within::block(source, offset).and_then(|of| syn::parse_str::<ItemImpl>(of).ok());
    match (own, args(attribute.clone())) {
        (Some(mut own), Ok(Offload::Loops(args))) if args.siblings.is_none() => {
            own.items.clear();
            within::with_argument(&attribute, &quote!(__siblings { #own }))
        }
        _ => attribute,
    }
}

/// Tokens with a type's name in the place of `Self`.
fn named(tokens: TokenStream, name: &Ident) -> TokenStream {
    let one = |token| match token {
        TokenTree::Ident(of) if of == "Self" => TokenTree::Ident(name.clone()),
        TokenTree::Group(of) => Group::new(of.delimiter(), named(of.stream(), name)).into(),
        token => token,
    };
    tokens.into_iter().map(one).collect()
}

/// Leaves of a block the functions and constants that are mentioned, and those that these mention in turn.
fn keep_mentioned(block: &mut ItemImpl, mentioned: &mut BTreeSet<String>) {
    let (mut found, mut rest) = (Vec::new(), std::mem::take(&mut block.items));
    loop {
        let before = found.len();
        rest.retain(|item| match item {
            ImplItem::Fn(of) if mentioned.contains(&of.sig.ident.to_string()) => {
                words(of.block.to_token_stream(), mentioned);
                found.push(item.clone());
                false
            }
            ImplItem::Const(of) if mentioned.contains(&of.ident.to_string()) => {
                found.push(item.clone());
                false
            }
            _ => true,
        });
        if found.len() == before {
            break;
        }
    }
    block.items = found;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_are_mentioned_are_beside_it() {
        let source = "struct A; impl A { fn at(&self) -> u8 { self.near() } fn far(&self) {} fn near(&self) -> u8 { 1 }\n#[offload] fn f(&mut self) { self.at(); } }";
        let item = "fn f(&mut self) { self.at(); }".parse().expect("tokens");
        let offset = source.find("#[offload]").expect("an attribute");
        let said = attribute("contract".parse().expect("tokens"), &item, source, offset);
        assert_eq!(
            said.to_string(),
            quote!(contract, __siblings { impl A { fn at(&self) -> u8 { self.near() } fn near(&self) -> u8 { 1 } } })
                .to_string()
        );
        // The text of a macro is its own.
        let within = format!("made! {{ {source} }}");
        let at = within.find("#[offload]").expect("an attribute");
        assert!(attribute(TokenStream::new(), &item, &within, at).is_empty());
        let other = "fn f(&mut self) { self.other(); }".parse().expect("tokens");
        assert!(attribute(TokenStream::new(), &other, source, offset).is_empty());
    }

    #[test]
    fn blocks_of_types_that_are_mentioned_are_beside_it() {
        let said = |before: &str, item: &str| {
            let source = format!(
                "{before} #[offload] {item} impl A {{ fn far(&self) {{}} fn put(&mut self) -> Self {{ self.n += 1; }} }}"
            );
            let offset = source.find("#[offload]").expect("an attribute");
            let item = item.parse().expect("tokens");
            beside(TokenStream::new(), &item, &source, offset).to_string()
        };
        let item = "fn f(a: &mut A) { a.put(); }";
        let found = quote!(__beside { impl A { fn put(&mut self) -> A { self.n += 1; } } });
        assert_eq!(said("struct A { n: u8 }", item), found.to_string());
        // Of another module, under a condition, of a trait, with parameters, of a macro's text.
        for none in [
            "mod m { impl B { fn put(&self) {} } }",
            "#[cfg(x)] impl B { fn put(&self) {} }",
            "impl T for B { fn put(&self) {} }",
            "impl<T> B<T> { fn put(&self) {} }",
            "made! { impl B { fn put(&self) {} } }",
        ] {
            assert_eq!(said(none, "fn f(b: &mut B) { b.put(); }"), "", "{none}");
        }
        // Its own item has the name.
        assert_eq!(said("", "fn f<A: T>(a: &mut A) { a.put(); }"), "");
        assert_eq!(said("", "fn f(a: &mut A) { struct A; a.put(); }"), "");
    }
}
