//! Methods beside an attribute in its `impl`, as the source declares them. An attribute on a method sees nothing of the others, and what a loop calls on `self` may use
//! what it changes; as under an attribute on the block, such calls are [written out](crate::parse::item::written_out) where the method is refused otherwise.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{ImplItem, ImplItemFn, ItemImpl};

use crate::declared::words;
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
    let (mut found, mut rest): (Vec<ImplItemFn>, Vec<ImplItem>) = (Vec::new(), block.items);
    loop {
        let before = found.len();
        rest.retain(|item| match item {
            ImplItem::Fn(of) if mentioned.contains(&of.sig.ident.to_string()) => {
                words(of.block.to_token_stream(), &mut mentioned);
                found.push(of.clone());
                false
            }
            _ => true,
        });
        if found.len() == before {
            break;
        }
    }
    // One that it calls may be itself.
    found.retain(|of| of.sig.ident != function.sig.ident);
    block.items = found.into_iter().map(ImplItem::Fn).collect();
    (!block.items.is_empty()).then_some(block)
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
}
