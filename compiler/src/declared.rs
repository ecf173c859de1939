//! Types beside an attribute, as its source declares them. rustc says of no type what it holds; where what a loop shares is of a type that
//! the file declares, its fields are asked about instead ([`crate::parse::shared`]). The text only says what to ask.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Item;
use syn::visit::Visit;

use crate::parsed::args::{Offload, parse as args};
use crate::within::{self, token};

/// The attribute with what the module in which it stands, in a source from an offset, declares of what the item mentions.
pub fn attribute(
    attribute: TokenStream,
    item: &TokenStream,
    source: &str,
    offset: usize,
) -> TokenStream {
    match args(attribute.clone()) {
        Ok(Offload::Loops(args)) if args.types.is_empty() => {}
        _ => return attribute,
    }
    let types = types(source, offset, item);
    let items = types
        .iter()
        .filter_map(|of| syn::parse_str::<Item>(of).ok());
    let types: TokenStream = items.map(ToTokens::into_token_stream).collect();
    if types.is_empty() {
        return attribute;
    }
    within::with_argument(&attribute, &quote!(__types { #types }))
}

/// The declarations of what an item mentions, and of what these mention in turn.
fn types<'a>(source: &'a str, offset: usize, item: &TokenStream) -> Vec<&'a str> {
    let mut mentioned = BTreeSet::new();
    words(item.clone(), &mut mentioned);
    // What is declared or imported in the item itself may have the name of one beside it.
    let shadows = [
        "struct",
        "enum",
        "union",
        "type",
        "trait",
        "mod",
        "use",
        "macro_rules",
    ];
    let module = module(source, offset).filter(|_| !shadows.iter().any(|s| mentioned.contains(*s)));
    let Some(module) = module else {
        return Vec::new();
    };
    let of = |text: &str, words_of: &mut BTreeSet<String>| {
        words(text.parse().unwrap_or_default(), words_of);
    };
    of(module.header, &mut mentioned);
    // So may a parameter.
    let parameters = parameters(module.header, item);
    mentioned.retain(|name| !parameters.contains(name));
    let (mut found, mut rest) = (Vec::new(), module.declared);
    rest.retain(|(name, _)| !parameters.contains(*name));
    loop {
        let (now, later): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|(name, _)| mentioned.contains(*name));
        rest = later;
        if now.is_empty() {
            return found;
        }
        for (_, text) in now {
            of(text, &mut mentioned);
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
}

/// The generic parameters of an item, and of the `impl` around it.
fn parameters(header: &str, item: &TokenStream) -> BTreeSet<String> {
    struct Generics(BTreeSet<String>);
    impl<'a> syn::visit::Visit<'a> for Generics {
        fn visit_type_param(&mut self, of: &'a syn::TypeParam) {
            self.0.insert(of.ident.to_string());
        }
        fn visit_const_param(&mut self, of: &'a syn::ConstParam) {
            self.0.insert(of.ident.to_string());
        }
    }
    let mut found = Generics(BTreeSet::new());
    if let Ok(of) = syn::parse_str::<Item>(&format!("{header} {{}}")) {
        found.visit_item(&of);
    }
    if let Ok(of) = syn::parse2::<Item>(item.clone()) {
        found.visit_item(&of);
    } else if let Ok(of) = syn::parse2::<syn::ImplItemFn>(item.clone()) {
        found.visit_impl_item_fn(&of);
    }
    found.0
}

pub(crate) fn words(tokens: TokenStream, into: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => drop(into.insert(word.to_string())),
            TokenTree::Group(group) => words(group.stream(), into),
            _ => {}
        }
    }
}

/// A module as far as its text is read.
struct Module<'a> {
    /// What is before the `{` of the `impl` in which the attribute stands, if it does.
    header: &'a str,
    /// Structs, enums, other names of types, and imports, by the names in them.
    declared: Vec<(&'a str, &'a str)>,
}

/// Something that brackets enclose, and the item in it that is being read.
#[derive(Default)]
struct Frame<'a> {
    /// What says what it is: `mod`, `impl`.
    word: &'a str,
    /// What stands before its bracket.
    header: &'a str,
    declared: Vec<(&'a str, &'a str)>,
    /// Where the item begins, behind comments.
    start: Option<usize>,
    /// The first of its words that says what it is, and the word behind that.
    first: Option<&'a str>,
    name: Option<&'a str>,
}

impl<'a> Frame<'a> {
    fn end(&mut self, source: &'a str, at: usize) {
        let text = &source[self.start.unwrap_or(at)..at];
        match (self.first, self.name) {
            (Some("struct" | "enum" | "type"), Some(name)) => self.declared.push((name, text)),
            (Some("use"), _) => {
                let names = text.split(|c: char| !(c == '_' || c.is_alphanumeric()));
                self.declared.extend(names.map(|name| (name, text)));
            }
            _ => {}
        }
        (self.start, self.first, self.name) = (None, None, None);
    }
}

/// The module in which an attribute stands that begins somewhere in a source; `None` in a function, or where the text does not say it.
fn module(source: &str, offset: usize) -> Option<Module<'_>> {
    let (mut open, mut at) = (vec![Frame::default()], 0);
    // How many frames there are around the module's items, and what is before the block in it.
    let mut target: Option<(usize, &str)> = None;
    while at < source.len() {
        if at == offset {
            let inner = open.last()?;
            let block = matches!(inner.word, "impl" | "trait");
            let depth = open.len() - usize::from(block);
            if !open[1..depth].iter().all(|frame| frame.word == "mod") {
                return None;
            }
            target = Some((depth, if block { inner.header } else { "" }));
        }
        let len = token(&source[at..]);
        let (text, end) = (&source[at..at + len], at + len);
        let is_item = !text.starts_with("//") && !text.starts_with("/*") && !text.trim().is_empty();
        if let Some(frame) = open.last_mut().filter(|_| is_item) {
            frame.start.get_or_insert(at);
        }
        match text {
            "{" | "(" | "[" => {
                let frame = open.last()?;
                open.push(Frame {
                    word: frame.first.filter(|_| text == "{").unwrap_or(""),
                    header: &source[frame.start.unwrap_or(at)..at],
                    ..Frame::default()
                });
            }
            "}" | ")" | "]" => {
                let closed = open.pop()?;
                if let Some((depth, header)) = target
                    && depth > open.len()
                {
                    let declared = closed.declared;
                    return Some(Module { header, declared });
                }
                let around = open.last_mut()?;
                let begins = around.start.unwrap_or(at);
                // `#![..]` is no item's.
                if text == "}" || text == "]" && source[begins..].starts_with("#!") {
                    around.end(source, end);
                }
            }
            ";" => open.last_mut()?.end(source, end),
            word if word.starts_with(|c: char| c == '_' || c.is_alphabetic()) => {
                let frame = open.last_mut()?;
                match word {
                    "struct" | "enum" | "type" | "union" | "fn" | "mod" | "impl" | "trait"
                    | "use" | "const" | "static" | "macro_rules" | "extern"
                        if frame.first.is_none_or(|first| {
                            matches!(first, "const" | "extern") && word == "fn"
                        }) =>
                    {
                        frame.first = Some(word);
                    }
                    _ if frame.first.is_some() && frame.name.is_none() => frame.name = Some(word),
                    _ => {}
                }
            }
            _ => {}
        }
        at = end;
    }
    let (depth, header) = target?;
    let declared = open.swap_remove(depth - 1).declared;
    (depth == 1).then_some(Module { header, declared })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found for the one attribute of a text.
    fn found(source: &str) -> Vec<String> {
        let at = source.find("#[offload]").expect("an attribute");
        let item = source[at + "#[offload]".len()..].parse::<TokenStream>();
        let item = item.unwrap_or_else(|_| "fn f(a: A) {}".parse().expect("tokens"));
        let squeezed = |text: &&str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        types(source, at, &item).iter().map(squeezed).collect()
    }

    #[test]
    fn types_of_the_module_are_found() {
        assert_eq!(
            found(
                "/* struct A; */ #[derive(Clone)] pub struct A { x: [u8; 3], b: Vec<B> } enum B { C(u8), D } struct E;\n#[offload] fn f(a: &A) {}"
            ),
            [
                "#[derive(Clone)] pub struct A { x: [u8; 3], b: Vec<B> }",
                "enum B { C(u8), D }"
            ]
        );
        assert_eq!(
            found(
                "struct A; mod m { const N: usize = { 3 }; #[offload] fn f(a: A) {} mod n { struct A(u8); } struct A([u8; 3]); }"
            ),
            ["struct A([u8; 3]);"]
        );
        assert_eq!(
            found(
                "type F = f32; mod m { struct A; } impl A { fn g() { struct A; } #[offload] fn f(&self) {} } struct A { x: F }"
            ),
            ["struct A { x: F }", "type F = f32;"]
        );
    }

    #[test]
    fn those_of_functions_are_not() {
        assert!(found("struct A; fn g() { #[offload] fn f(a: A) {} }").is_empty());
        assert!(found("struct A; impl A { fn g() { #[offload] fn f(a: A) {} } }").is_empty());
        assert!(found("struct A; #[offload] fn f(a: A) { struct A(u8); }").is_empty());
        assert!(found("struct A; #[offload] fn f<A: Copy>(a: A) {}").is_empty());
        assert!(found("struct T; impl<T> V<T> { #[offload] fn f(&self, t: T) {} }").is_empty());
        assert!(found("struct A; #[offload] fn f(a: u8) { use m::*; let a = A; }").is_empty());
    }
}
