//! `#[cfg(..)]` on parameters, statements, arms and fields: which of them there are is rustc's to say, after a macro has run. So the function is written once for
//! each case, under the `cfg` that the case is, and rustc keeps one of them before their attribute is looked at.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Expr, ItemFn, Pat, Token};

use crate::diag::{Code, Diagnostic, Errors};
use crate::syntax::visit_mut::{Node, VisitMut};

/// How many conditions there may be: twice as many functions for each.
const MOST_CONDITIONS: usize = 6;

/// What never holds, and is no condition any more.
fn never() -> TokenStream {
    quote!(not(all()))
}

/// A function in all its cases, each with the attribute; nothing where no part of it is conditional, or where it is no function.
///
/// # Errors
///
/// Too many conditions.
pub(crate) fn cases(
    attribute: &TokenStream,
    item: &TokenStream,
) -> Result<Option<TokenStream>, Errors> {
    // Few functions are worth parsing for this.
    if !is_conditional(item.clone()) {
        return Ok(None);
    }
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => cases_of(attribute, &function),
        // It will be said.
        Err(_) => Ok(None),
    }
}

/// Whether tokens have a `#[cfg(..)]` within a group.
fn is_conditional(tokens: TokenStream) -> bool {
    let mut found = Vec::new();
    for token in tokens {
        if let TokenTree::Group(group) = token {
            within(group.stream(), &mut found);
        }
    }
    !found.is_empty()
}

/// A condition, of which the opposite may stand elsewhere.
#[derive(Clone)]
struct Condition {
    tokens: TokenStream,
    text: String,
}

impl Condition {
    /// One as it is written, and whether it is the opposite of what it is about.
    fn of(tokens: TokenStream) -> (Condition, bool) {
        let mut parts = tokens.clone().into_iter();
        if let (Some(TokenTree::Ident(not)), Some(TokenTree::Group(inner)), None) =
            (parts.next(), parts.next(), parts.next())
            && not == "not"
        {
            let (condition, opposite) = Condition::of(inner.stream());
            return (condition, !opposite);
        }
        let text = tokens.to_string();
        (Condition { tokens, text }, false)
    }
}

/// A case: which conditions hold.
struct Case<'a> {
    conditions: &'a [Condition],
    number: usize,
}

impl Case<'_> {
    /// Whether something is there.
    fn has(&self, of: &impl ToTokens) -> bool {
        conditions(of).into_iter().all(|tokens| self.holds(tokens))
    }

    fn holds(&self, tokens: TokenStream) -> bool {
        let (condition, opposite) = Condition::of(tokens);
        let known = self.conditions.iter();
        let number = known.clone().position(|known| known.text == condition.text);
        number.is_none_or(|n| (self.number >> n & 1 == 1) != opposite)
    }

    /// Tokens without the conditions that hold. The others stand where nothing of a loop does, as in the arguments of a macro.
    fn settled(&self, tokens: TokenStream) -> TokenStream {
        let mut settled = TokenStream::new();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let next = tokens.peek().filter(|_| is_hash(&token));
            if let Some(condition) = next.and_then(condition) {
                tokens.next();
                if !self.holds(condition) {
                    settled.extend({
                        let never = never();
                        quote!(#[cfg(#never)])
                    });
                }
                continue;
            }
            settled.extend([match token {
                TokenTree::Group(group) => {
                    let inner = self.settled(group.stream());
                    let mut copy = Group::new(group.delimiter(), inner);
                    copy.set_span(group.span());
                    TokenTree::Group(copy)
                }
                other => other,
            }]);
        }
        settled
    }
}

/// The parts of a body that a case has.
impl VisitMut for Case<'_> {
    fn visit(&mut self, node: Node<'_>) {
        match node {
            Node::Block(block) => {
                block.stmts.retain(|stmt| self.has(stmt));
                Node::Block(block).parts(self);
            }
            Node::Expr(e) => {
                match e {
                    Expr::Match(e) => e.arms.retain(|arm| self.has(arm)),
                    Expr::Struct(e) => retain(&mut e.fields, |field| self.has(field)),
                    _ => {}
                }
                Node::Expr(e).parts(self);
            }
            Node::Pat(pat) => {
                if let Pat::Struct(pat) = pat {
                    retain(&mut pat.fields, |field| self.has(field));
                }
                Node::Pat(pat).parts(self);
            }
            _ => node.parts(self),
        }
    }
}

fn retain<T>(of: &mut Punctuated<T, Token![,]>, has: impl Fn(&T) -> bool) {
    let kept = std::mem::take(of).into_iter().filter(has);
    *of = kept.collect();
}

/// The conditions in tokens, wherever they stand.
fn within(tokens: TokenStream, found: &mut Vec<TokenStream>) {
    let mut hash = false;
    for token in tokens {
        if hash {
            found.extend(condition(&token));
        }
        hash = is_hash(&token);
        if let TokenTree::Group(group) = token {
            within(group.stream(), found);
        }
    }
}

fn is_hash(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(hash) if hash.as_char() == '#')
}

fn cases_of(attribute: &TokenStream, function: &ItemFn) -> Result<Option<TokenStream>, Errors> {
    let mut found: Vec<TokenStream> = Vec::new();
    for input in &function.sig.inputs {
        found.extend(conditions(input));
    }
    within(function.block.to_token_stream(), &mut found);
    let mut conditions: Vec<Condition> = Vec::new();
    for tokens in found {
        let (condition, _) = Condition::of(tokens);
        if conditions.iter().all(|known| known.text != condition.text) {
            conditions.push(condition);
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
                "the function has {} different `#[cfg]`s inside, and would be written {} times",
                conditions.len(),
                1u64 << conditions.len().min(63)
            ),
        )
        .help("put `#[cfg]` on whole functions instead")
        .into());
    }
    let mut all = TokenStream::new();
    for number in 0..1usize << conditions.len() {
        let mut case = Case {
            conditions: &conditions,
            number,
        };
        let terms = conditions.iter().enumerate().map(|(n, condition)| {
            let tokens = &condition.tokens;
            match number >> n & 1 == 1 {
                true => tokens.clone(),
                false => quote!(not(#tokens)),
            }
        });
        let mut copy = function.clone();
        retain(&mut copy.sig.inputs, |input| case.has(input));
        case.visit_block_mut(&mut copy.block);
        let copy = case.settled(copy.to_token_stream());
        all.extend(quote!(#[cfg(all(#(#terms),*))] #[::accrue::offload(#attribute)] #copy));
    }
    Ok(Some(all))
}

/// The conditions in the attributes that something begins with.
fn conditions(of: &impl ToTokens) -> Vec<TokenStream> {
    let mut found = Vec::new();
    let mut tokens = of.to_token_stream().into_iter();
    while let (Some(TokenTree::Punct(hash)), Some(attribute)) = (tokens.next(), tokens.next())
        && hash.as_char() == '#'
    {
        found.extend(condition(&attribute));
    }
    found
}

/// The condition of a `#[cfg(..)]`, of what stands in brackets.
fn condition(token: &TokenTree) -> Option<TokenStream> {
    let TokenTree::Group(attribute) = token else {
        return None;
    };
    let mut inner = attribute.stream().into_iter();
    match (inner.next()?, inner.next()?, inner.next()) {
        (TokenTree::Ident(cfg), TokenTree::Group(of), None)
            if attribute.delimiter() == Delimiter::Bracket && cfg == "cfg" =>
        {
            Some(of.stream()).filter(|of| of.to_string() != never().to_string())
        }
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
        assert_eq!(text_of("#[cfg(x)] fn f(a: [u8; 2]) { g([cfg(y)]); }"), None);
        assert_eq!(text_of("fn f(a: &[u8], h: &mut [u32]) {}"), None);
        let found = text_of("pub fn f(#[cfg(x)] a: u8, #[cfg(not(x))] a: u16, b: u32) {}");
        let expected = quote! {
            #[cfg(all(not(x)))] #[::accrue::offload(histogram)] pub fn f(a: u16, b: u32) {}
            #[cfg(all(x))] #[::accrue::offload(histogram)] pub fn f(a: u8, b: u32) {}
        };
        assert_eq!(found.unwrap(), expected.to_string());
    }

    #[test]
    fn each_case_has_its_statements() {
        let found = text_of(
            "fn f() { #[cfg(x)] a[i] = 1; match b { #[cfg(not(x))] 1 => 2, _ => P { #[cfg(x)] c, d } } }",
        );
        let expected = quote! {
            #[cfg(all(not(x)))] #[::accrue::offload(histogram)] fn f() { match b { 1 => 2, _ => P { d } } }
            #[cfg(all(x))] #[::accrue::offload(histogram)] fn f() { a[i] = 1; match b { _ => P { c, d } } }
        };
        assert_eq!(found.unwrap(), expected.to_string());
    }
}
