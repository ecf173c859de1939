//! The crate `accrue` under another name: `#[offload(histogram, crate = ac)]`, where a `Cargo.toml` says
//! `ac = { package = "accrue", .. }`.
//!
//! Everything that is emitted names the crate by the global path `::accrue`. Under another name those paths, and no others, are exchanged in
//! the tokens at the end, so that no printer has to know of it.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Path;

/// The tokens with the name that the crate has.
pub(crate) fn in_crate(tokens: TokenStream, path: Option<&Path>) -> TokenStream {
    match path {
        Some(path) => renamed(tokens, path),
        None => tokens,
    }
}

/// The tokens with `path` for `::accrue`.
fn renamed(tokens: TokenStream, path: &Path) -> TokenStream {
    let path = match path.get_ident() {
        // The name alone might be a module's here.
        Some(name) if name != "crate" && name != "self" => quote!(::#name),
        _ => path.to_token_stream(),
    };
    exchange(tokens, &path)
}

fn exchange(tokens: TokenStream, path: &TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_global(&tokens, at) {
            // One span would do for rustc's messages too, but the user's path has its own.
            out.extend(path.clone());
            at += 3;
            continue;
        }
        out.extend([match &tokens[at] {
            TokenTree::Group(group) => {
                let inner = exchange(group.stream(), path);
                let mut copy = Group::new(group.delimiter(), inner);
                copy.set_span(group.span());
                TokenTree::Group(copy)
            }
            token => token.clone(),
        }]);
        at += 1;
    }
    out
}

/// Whether `:: accrue` stands there and begins a path.
fn is_global(tokens: &[TokenTree], at: usize) -> bool {
    let punct =
        |n: usize, c: char| matches!(tokens.get(n), Some(TokenTree::Punct(p)) if p.as_char() == c);
    let named = matches!(tokens.get(at + 2), Some(TokenTree::Ident(name)) if name == "accrue");
    if !(punct(at, ':') && punct(at + 1, ':') && named) {
        return false;
    }
    match at.checked_sub(1).map(|before| &tokens[before]) {
        None | Some(TokenTree::Literal(_)) => true,
        // `&'a ::accrue::A`.
        Some(TokenTree::Ident(_)) if at >= 2 && punct(at - 2, '\'') => true,
        // A path goes on behind a name, but not behind a keyword such as `impl`.
        Some(TokenTree::Ident(name)) => {
            let name = name.to_string();
            let within = matches!(name.as_str(), "crate" | "self" | "super" | "Self");
            !within && syn::parse_str::<syn::Ident>(&name).is_err()
        }
        // `<T as Trait>::accrue`, but `-> ::accrue` and `=> ::accrue`.
        Some(TokenTree::Punct(p)) if p.as_char() == '>' => {
            at >= 2 && (punct(at - 2, '-') || punct(at - 2, '='))
        }
        Some(TokenTree::Punct(_)) => true,
        // `$name::accrue` in a macro has a group without delimiters.
        Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_crate_are_exchanged() {
        let path = syn::parse_str("ac").unwrap();
        for (before, after) in [
            ("::accrue::__rt::x()", "::ac::__rt::x()"),
            ("&'a ::accrue::A", "&'a ::ac::A"),
            ("f(&::accrue::A, [::accrue::B])", "f(&::ac::A, [::ac::B])"),
            (
                "unsafe impl ::accrue::T for X {}",
                "unsafe impl ::ac::T for X {}",
            ),
            (
                "fn f() -> ::accrue::Error { x as ::accrue::Y }",
                "fn f() -> ::ac::Error { x as ::ac::Y }",
            ),
            ("match x { _ => ::accrue::Y }", "match x { _ => ::ac::Y }"),
            (
                "mine::accrue::x + crate::accrue::y",
                "mine::accrue::x + crate::accrue::y",
            ),
            (
                "<T as Q>::accrue + accrue + x.accrue",
                "<T as Q>::accrue + accrue + x.accrue",
            ),
            (
                "let accrue: u32 = 1; \"::accrue\"",
                "let accrue: u32 = 1; \"::accrue\"",
            ),
        ] {
            let tokens = renamed(before.parse().unwrap(), &path).to_string();
            assert_eq!(tokens, after.parse::<TokenStream>().unwrap().to_string());
        }
        let own = syn::parse_str("crate::deps::accrue").unwrap();
        let tokens = renamed("::accrue::A".parse().unwrap(), &own).to_string();
        assert_eq!(tokens, quote!(crate::deps::accrue::A).to_string());
    }

    #[test]
    fn nothing_that_is_emitted_has_the_other_name() {
        let outputs = crate::Outputs {
            gpu: true,
            ..Default::default()
        };
        let loops = [
            "fn f(k: &[u8], w: &[f32], h: &mut [u32], s: &mut [f32; 9], t: &mut u64) {
                for (&k, &w) in k.iter().zip(w) { h[k as usize] += 1; s[k as usize] -= w; *t += 2; }
            }",
            "fn g(&self, m: &[[u8; 4]], h: &mut [[u32; 4]]) {
                for row in m { for x in 0..4 { h[row[x] as usize][x] += 1; } }
            }",
            "fn u(#[cfg(x)] k: &[u8], h: &mut [u32]) { for &k in k { h[k as usize] += 1; } }",
        ];
        for text in loops {
            let attribute: TokenStream = "histogram, crate = ac".parse().unwrap();
            let out = crate::compile(attribute, text.parse().unwrap(), outputs).to_string();
            assert!(
                out.contains(":: ac ::") && !out.contains(":: accrue"),
                "{out}"
            );
            let out = crate::compile("histogram".parse().unwrap(), text.parse().unwrap(), outputs);
            assert!(out.to_string().contains(":: accrue ::"));
        }
        let helper = "fn half(x: u8) -> usize { x as usize / 2 }"
            .parse()
            .unwrap();
        let attribute: TokenStream = "device, crate = ac".parse().unwrap();
        let out = crate::compile(attribute, helper, outputs).to_string();
        assert!(
            out.contains(":: ac ::") && !out.contains(":: accrue"),
            "{out}"
        );
        let pixel = "#[repr(C)] #[accrue(crate = ac)] struct P { r: u8, g: u8 }";
        let out = crate::device::derive(pixel.parse().unwrap()).to_string();
        assert!(
            out.contains(":: ac ::") && !out.contains(":: accrue"),
            "{out}"
        );
    }
}
