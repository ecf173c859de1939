//! The forms that a drawn function is compiled in: scalars as values, parameters as fields, two functions as one.

use std::fmt::Write as _;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{FnArg, ItemFn, Pat, Type};

use crate::data::{Form, Param, params};

/// The scalars that a function changes by reference.
pub(super) fn scalars(params: &[Param]) -> Vec<String> {
    let scalars = params
        .iter()
        .filter(|p| p.mutable && p.form == Form::Scalar);
    scalars.map(|p| p.name.clone()).collect()
}

/// A function that takes these scalars as values and returns them.
pub(super) fn by_value(source: &str, function: &ItemFn, values: &[String]) -> String {
    if values.is_empty() {
        return source.to_owned();
    }
    let (head, body) = source.split_once('{').expect("a body");
    let (mut head, mut body) = (head.to_owned(), body.to_owned());
    let mut types = String::new();
    for arg in &function.sig.inputs {
        let FnArg::Typed(arg) = arg else { continue };
        let (Pat::Ident(name), syn::Type::Reference(ty)) = (&*arg.pat, &*arg.ty) else {
            continue;
        };
        let name = name.ident.to_string();
        if values.contains(&name) {
            let elem = &ty.elem;
            let elem = quote::quote!(#elem).to_string();
            head = head.replace(
                &format!("{name}: &mut {elem}"),
                &format!("mut {name}: {elem}"),
            );
            body = body.replace(&format!("*{name}"), &name);
            let _ = write!(types, "{elem}, ");
        }
    }
    let end = body.rfind('}').expect("an end");
    body.insert_str(end, &format!("({},)\n", values.join(", ")));
    format!("{head}-> ({types}) {{{body}")
}

/// The names and types of parameters.
fn names(function: &ItemFn) -> Vec<(String, Type)> {
    let names = function.sig.inputs.iter().filter_map(|arg| match arg {
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(name) => Some((name.ident.to_string(), (*arg.ty).clone())),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    names.collect()
}

/// Puts other tokens for names.
fn renamed(tokens: TokenStream, to: &impl Fn(&Ident) -> Option<TokenStream>) -> TokenStream {
    let trees = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(name) => match to(&name) {
            Some(tokens) => tokens,
            None => TokenTree::Ident(name).into(),
        },
        TokenTree::Group(group) => {
            let inside = renamed(group.stream(), to);
            TokenTree::Group(Group::new(group.delimiter(), inside)).into()
        }
        tree => tree.into(),
    });
    trees.collect()
}

/// A function that finds its parameters as fields of a struct, and the struct; a method of it where `is_method`.
pub(super) fn fields(function: &ItemFn, is_method: bool) -> (String, String) {
    let mut names = names(function);
    let body = &function.block;
    // A name that a loop of the function binds anew.
    let text = quote!(#body).to_string();
    names.retain(|(name, _)| !text.contains(&format!("for {name} in")));
    let body = renamed(quote!(#body), &|name| {
        let is_field = names.iter().any(|(field, _)| name == field);
        let span = name.span();
        is_field.then(|| match is_method {
            true => quote_spanned!(span=> self.#name),
            false => quote_spanned!(span=> held.#name),
        })
    });
    let output = &function.sig.output;
    let mut holder = String::from("pub struct Held<'a> {");
    for (name, ty) in &names {
        let ty = quote!(#ty).to_string().replacen('&', "&'a ", 1);
        let _ = write!(holder, " pub {name}: {ty},");
    }
    holder += " pub less: [&'a u8; 0] }";
    let head = match is_method {
        true => quote!(fn f(&mut self) #output),
        false => quote!(fn f(held: &mut Held<'_>) #output),
    };
    (format!("{head} {body}"), holder)
}

/// Two functions as one: the parameters of the second have an `x` in their names.
pub(super) fn pair(first: &str, second: &str) -> String {
    let parsed = |text: &str| syn::parse_str::<ItemFn>(text).expect("a function");
    let (first, second) = (parsed(first), parsed(second));
    let taken: Vec<String> = params(&second).into_iter().map(|p| p.name).collect();
    let other = renamed(quote!(#second), &|name| {
        let text = name.to_string();
        let at = text.find('_').unwrap_or(text.len());
        let renamed = format!("{}x{}", &text[..at], &text[at..]);
        taken
            .contains(&text)
            .then(|| TokenTree::Ident(Ident::new(&renamed, name.span())).into())
    });
    let second: ItemFn = syn::parse2(other).expect("a function");
    let (ours, theirs) = (&first.sig.inputs, &second.sig.inputs);
    let inputs: Vec<&FnArg> = ours.iter().chain(theirs).collect();
    let text = |tokens: TokenStream| tokens.to_string();
    let head: Vec<String> = inputs
        .iter()
        .map(|arg| {
            text(quote!(#arg))
                .replace(" : ", ": ")
                .replace("& mut ", "&mut ")
        })
        .collect();
    let body: Vec<String> = first
        .block
        .stmts
        .iter()
        .chain(&second.block.stmts)
        .map(|s| text(quote!(#s)).replace("* ", "*"))
        .collect();
    format!("fn f({}) {{\n{}\n}}\n", head.join(", "), body.join("\n"))
}
