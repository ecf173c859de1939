//! `#[cfg(..)]` on parameters: which of them there are is rustc's to say, after a macro has run. So the function is written once for each case,
//! under the `cfg` that the case is, and rustc keeps one of them before their attribute is looked at.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, FnArg, ItemFn, Meta};

use crate::diag::{Code, Diagnostic, Errors};

/// How many conditions there may be: twice as many functions for each.
const MOST_CONDITIONS: usize = 4;

/// A function in all its cases, each with the attribute; nothing where no parameter is conditional, or where it is no function.
///
/// # Errors
///
/// Too many conditions.
pub(crate) fn cases(
    attribute: &TokenStream,
    item: &TokenStream,
) -> Result<Option<TokenStream>, Errors> {
    // Few functions are worth parsing for this.
    if !item.clone().into_iter().any(|token| is_conditional(&token)) {
        return Ok(None);
    }
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => cases_of(attribute, &function),
        // It will be said.
        Err(_) => Ok(None),
    }
}

/// Whether a token is a list in parentheses with a `#[cfg(..)]` in it.
fn is_conditional(token: &TokenTree) -> bool {
    let begins_with_cfg = |token: TokenTree| match token {
        TokenTree::Group(inner) if inner.delimiter() == Delimiter::Bracket => {
            let first = inner.stream().into_iter().next();
            matches!(first, Some(TokenTree::Ident(name)) if name == "cfg")
        }
        _ => false,
    };
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            group.stream().into_iter().any(begins_with_cfg)
        }
        _ => false,
    }
}

fn cases_of(attribute: &TokenStream, function: &ItemFn) -> Result<Option<TokenStream>, Errors> {
    let mut conditions: Vec<(String, TokenStream)> = Vec::new();
    for condition in function
        .sig
        .inputs
        .iter()
        .flat_map(attributes)
        .filter_map(condition)
    {
        let text = condition.to_string();
        if conditions.iter().all(|(known, _)| *known != text) {
            conditions.push((text, condition));
        }
    }
    if conditions.is_empty() {
        return Ok(None);
    }
    if conditions.len() > MOST_CONDITIONS {
        return Err(Diagnostic::new(
            Code::ConditionalParameters,
            function.sig.ident.span(),
            format!(
                "the parameters have {} different `#[cfg]`s, and the function would be written {} times",
                conditions.len(),
                1u64 << conditions.len().min(63)
            ),
        )
        .help("put `#[cfg]` on whole functions instead")
        .into());
    }
    let mut all = TokenStream::new();
    for case in 0..1usize << conditions.len() {
        let holds = |n: usize| case >> n & 1 == 1;
        let terms = conditions
            .iter()
            .enumerate()
            .map(|(n, (_, condition))| match holds(n) {
                true => condition.clone(),
                false => quote!(not(#condition)),
            });
        let mut copy = function.clone();
        let there = |input: &FnArg| {
            attributes(input).iter().filter_map(condition).all(|of| {
                let text = of.to_string();
                conditions
                    .iter()
                    .position(|(known, _)| *known == text)
                    .is_none_or(holds)
            })
        };
        copy.sig.inputs = function
            .sig
            .inputs
            .iter()
            .filter(|i| there(i))
            .cloned()
            .collect();
        for input in &mut copy.sig.inputs {
            attributes_mut(input).retain(|attribute| condition(attribute).is_none());
        }
        all.extend(quote!(#[cfg(all(#(#terms),*))] #[::accrue::offload(#attribute)] #copy));
    }
    Ok(Some(all))
}

fn attributes(input: &FnArg) -> &Vec<Attribute> {
    match input {
        FnArg::Receiver(receiver) => &receiver.attrs,
        FnArg::Typed(param) => &param.attrs,
    }
}

fn attributes_mut(input: &mut FnArg) -> &mut Vec<Attribute> {
    match input {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(param) => &mut param.attrs,
    }
}

/// The condition of a `#[cfg(..)]`.
fn condition(attribute: &Attribute) -> Option<TokenStream> {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => Some(list.tokens.to_token_stream()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(function: &str) -> Option<String> {
        let cases = cases(&quote!(histogram), &function.parse().unwrap()).unwrap();
        cases.map(|tokens| tokens.to_string())
    }

    #[test]
    fn each_case_has_its_parameters() {
        assert_eq!(
            text_of("#[cfg(x)] fn f(a: [u8; 2]) { #[cfg(y)] g(); }"),
            None
        );
        assert_eq!(text_of("fn f(a: &[u8], h: &mut [u32]) {}"), None);
        let found = text_of("pub fn f(#[cfg(x)] a: u8, #[cfg(not(x))] a: u16, b: u32) {}");
        let expected = quote! {
            #[cfg(all(not(x), not(not(x))))] #[::accrue::offload(histogram)] pub fn f(b: u32) {}
            #[cfg(all(x, not(not(x))))] #[::accrue::offload(histogram)] pub fn f(a: u8, b: u32) {}
            #[cfg(all(not(x), not(x)))] #[::accrue::offload(histogram)] pub fn f(a: u16, b: u32) {}
            #[cfg(all(x, not(x)))] #[::accrue::offload(histogram)] pub fn f(a: u8, a: u16, b: u32) {}
        };
        assert_eq!(found.unwrap(), expected.to_string());
    }
}
