//! Where an attribute stands, told by the source around it: nothing can be declared beside a function of an `impl` or a `trait`, and
//! tokens do not say of one without `self` that it is such a function.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use crate::parsed::args::{Offload, parse as args};

/// The attribute of a function in such a block, which then says that nothing stands beside the function.
pub fn attribute(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let function = syn::parse2::<ItemFn>(item.clone());
    let bare = function.is_ok_and(|function| function.sig.receiver().is_none());
    match args(attribute.clone()) {
        Ok(Offload::Loops(args)) if bare && !args.no_module => {
            with_argument(&attribute, &quote!(module = false))
        }
        _ => attribute,
    }
}

/// An attribute's arguments and one more.
pub(crate) fn with_argument(attribute: &TokenStream, argument: &TokenStream) -> TokenStream {
    let last = attribute.clone().into_iter().last();
    let ends = last.is_none_or(|last| last.to_string() == ",");
    let comma = (!ends).then(|| quote!(,));
    quote!(#attribute #comma #argument)
}

/// Where the `#` is that stands in a line and column of a source, from 1.
pub fn offset(source: &str, line: usize, column: usize) -> Option<usize> {
    let above = source.split_inclusive('\n').take(line - 1);
    let start: usize = above.map(str::len).sum();
    let rest = &source[start.min(source.len())..];
    let before: usize = rest.chars().take(column - 1).map(char::len_utf8).sum();
    rest[before..].starts_with('#').then_some(start + before)
}

/// Whether what begins somewhere in a source stands in an `impl` or a `trait`, in no item within.
pub fn is_associated(source: &str, offset: usize) -> bool {
    around(&source[..offset]) == Some(Word::Block)
}

/// The `impl` in which something stands that begins somewhere in a source: in no item within, nor in the text of a macro.
pub fn block(source: &str, offset: usize) -> Option<&str> {
    // Where the item began whose block is open, and the word that said what it is.
    let mut open: Vec<(usize, &str)> = Vec::new();
    let (mut begins, mut word, mut at) = (None, "", 0);
    let mut around = None;
    while at < source.len() {
        if at == offset {
            let ((start, inner), modules) = open.split_last()?;
            let in_block = *inner == "impl" && modules.iter().all(|(_, word)| *word == "mod");
            around = Some((open.len(), *start)).filter(|_| in_block);
            around?;
        }
        let len = token(&source[at..]);
        let text = &source[at..at + len];
        let is_item = !text.starts_with("//") && !text.starts_with("/*") && !text.trim().is_empty();
        if is_item {
            begins.get_or_insert(at);
        }
        at += len;
        match text {
            "{" => {
                open.push((begins.unwrap_or(at), word));
                (begins, word) = (None, "");
            }
            "(" | "[" => open.push((at, "")),
            "}" | ")" | "]" => {
                open.pop()?;
                if let Some((depth, start)) = around
                    && open.len() < depth
                {
                    return Some(&source[start..at]);
                }
                if text == "}" {
                    (begins, word) = (None, "");
                }
            }
            ";" => (begins, word) = (None, ""),
            "impl" | "trait" | "fn" | "mod" | "macro_rules" if word.is_empty() => word = text,
            _ => {}
        }
    }
    None
}

/// What says what a block is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Word {
    /// `impl`, `trait`
    Block,
    /// `fn`, `mod`
    Other,
}

/// What the innermost block is that is open at the end of some text.
fn around(text: &str) -> Option<Word> {
    let mut open: Vec<Option<Word>> = Vec::new();
    // What the item that is being read says first.
    let mut first = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = match c {
            '{' => {
                open.push(first.take());
                1
            }
            '}' => {
                open.pop();
                first = None;
                1
            }
            ';' => {
                first = None;
                1
            }
            _ => {
                let len = token(rest);
                let of = match &rest[..len] {
                    "impl" | "trait" => Some(Word::Block),
                    "fn" | "mod" | "macro_rules" => Some(Word::Other),
                    _ => None,
                };
                first = first.or(of);
                len
            }
        };
        rest = &rest[len..];
    }
    open.pop().flatten()
}

/// How long what a text begins with is: a word, a comment, a string, or one character.
pub(crate) fn token(text: &str) -> usize {
    match text.chars().next() {
        Some('/' | '"' | '\'') => passed(text),
        Some(c) if c == '_' || c.is_alphanumeric() => {
            let word = |c: char| !(c == '_' || c.is_alphanumeric());
            let len = text.find(word).unwrap_or(text.len());
            match (&text[..len], text[len..].chars().next()) {
                ("r" | "br" | "cr", Some('"' | '#')) => len + raw(&text[len..]),
                _ => len,
            }
        }
        other => other.map_or(0, char::len_utf8),
    }
}

/// How long a comment, a string, a character or a lifetime is that a text begins with; one of them that does not end goes to its end.
fn passed(text: &str) -> usize {
    let to = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    if text.starts_with("//") {
        return to("\n");
    }
    if text.starts_with("/*") {
        let (mut depth, mut at) = (0usize, 0);
        while at < text.len() {
            let here = &text.as_bytes()[at..];
            let step = match here {
                [b'/', b'*', ..] => {
                    depth += 1;
                    2
                }
                [b'*', b'/', ..] => {
                    depth -= 1;
                    2
                }
                _ => 1,
            };
            at += step;
            if depth == 0 {
                break;
            }
        }
        return at;
    }
    let quote = text.as_bytes()[0];
    let mut chars = text.char_indices().skip(1);
    match quote {
        b'/' => 1,
        // `'a` is a lifetime, `'a'` is none.
        b'\'' if !is_character(text) => 1,
        quote => {
            while let Some((at, c)) = chars.next() {
                match c {
                    '\\' => {
                        chars.next();
                    }
                    c if c == char::from(quote) => return at + 1,
                    _ => {}
                }
            }
            text.len()
        }
    }
}

fn is_character(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    chars.next() == Some('\\') || chars.next() == Some('\'')
}

/// How long a raw string is behind its `r`.
fn raw(text: &str) -> usize {
    let hashes = text.len() - text.trim_start_matches('#').len();
    if !text[hashes..].starts_with('"') {
        // `r#name`
        return hashes;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let from = hashes + 1;
    let found = text[from..].find(&end);
    found.map_or(text.len(), |at| from + at + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the one attribute of a text stands in an `impl` or a `trait`.
    fn associated(source: &str) -> bool {
        let at = source.find("#[offload]").expect("an attribute");
        let line = source[..at].matches('\n').count() + 1;
        let start = source[..at].rfind('\n').map_or(0, |end| end + 1);
        let column = source[start..at].chars().count() + 1;
        assert_eq!(offset(source, line, column), Some(at));
        is_associated(source, at)
    }

    #[test]
    fn functions_of_blocks_are_associated() {
        for source in [
            "impl A {\n    #[offload]\n    fn f() {}\n}",
            "mod m { unsafe impl<const N: usize> T for A<N> where A<N>: 'static { const X: u8 = 1; #[offload] fn f() {} } }",
            "trait T { fn g() -> impl Fn() { || {} } #[offload] fn f() {} }",
            "#[doc = \"fn {\"] impl A { const Q: char = '{'; /* { /* } */ mod */ // {\n #[offload] fn f() {} }",
            "impl A { const R: &str = r#\"}\"}\"#; const E: char = '\\''; #[offload] fn f() {} }",
        ] {
            assert!(associated(source), "{source}");
        }
    }

    #[test]
    fn others_are_not() {
        for source in [
            "#[offload]\nfn f() {}",
            "impl A { fn g() {} }\n#[offload]\nfn f() {}",
            "mod m { #[offload] fn f() {} }",
            "impl A { fn g() { #[offload] fn f() {} } }",
            "fn g() -> impl Fn() { #[offload] fn f() {} f }",
            "macro_rules! m { () => { #[offload] fn f() {} } }",
            "impl<'a> A<'a> {}\nmod é { const Q: char = 'é'; #[offload] fn f() {} }",
        ] {
            assert!(!associated(source), "{source}");
        }
        assert_eq!(offset("impl A { fn f() {} }", 1, 10), None);
        assert_eq!(offset("impl A {", 7, 90), None);
    }

    #[test]
    fn the_attribute_says_so_once() {
        let said = |attribute_of: &str, item: &str| {
            let tokens = attribute_of.parse().expect("tokens");
            attribute(tokens, &item.parse().expect("tokens")).to_string()
        };
        let function = "fn f(x: &mut [u32]) {}";
        assert_eq!(said("", function), "module = false");
        assert_eq!(
            said("deterministic", function),
            "deterministic , module = false"
        );
        assert_eq!(said("pure (g) ,", function), "pure (g) , module = false");
        assert_eq!(said("module = false", function), "module = false");
        assert_eq!(said("", "fn f(&self) {}"), "");
        assert_eq!(said("device", function), "device");
    }
}
