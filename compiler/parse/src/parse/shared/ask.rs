//! The questions, as tokens.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Ident};

use super::Class;

/// Who gets something.
#[derive(Clone, Debug)]
pub(super) struct To {
    /// The name of the method, function or macro.
    pub(super) name: String,
    /// Where it stands.
    pub(super) span: Span,
    /// Whether the thing is what the method is called on.
    pub(super) receiver: bool,
}

/// The questions of a loop: one trait for each name, for the sake of its message.
#[derive(Default)]
pub(super) struct Asks {
    names: Vec<String>,
    methods: Vec<String>,
}

impl Asks {
    /// A statement that asks about a place.
    pub(super) fn ask(&mut self, class: Class, place: &Expr, to: &To) -> TokenStream {
        let n = match self.names.iter().position(|name| *name == to.name) {
            Some(n) => n,
            None => {
                self.names.push(to.name.clone());
                self.names.len() - 1
            }
        };
        let told = format_ident!("__accrue_told_{n}");
        let place = match place {
            Expr::Path(_) => quote!(&#place),
            _ => quote!(&(#place)),
        };
        let ask = quote!(::accrue::__rt::plain::Ask(#place));
        let question = match class {
            Class::Whole => quote!(#told(#place);),
            Class::Item => quote!(#told((&&&&&&#ask).__accrue_item());),
            Class::Made => quote!(#told((&&&&&&#ask).__accrue_made());),
            Class::Held => quote!(#told((&&&#ask).__accrue_held());),
        };
        at(question, to.span)
    }

    /// A statement that asks whether a method of a name is that of numbers, where it is called on one. On a reference a trait's method comes
    /// before it. The probe has a method of that name too, which rustc finds after such a trait's and before the number's.
    pub(super) fn ask_method(
        &mut self,
        name: &Ident,
        receiver: &Expr,
        arguments: usize,
    ) -> TokenStream {
        let n = match self.methods.iter().position(|method| name == method) {
            Some(n) => n,
            None => {
                self.methods.push(name.to_string());
                self.methods.len() - 1
            }
        };
        let told = format_ident!("__accrue_method_{n}");
        let types: Vec<Ident> = (0..arguments).map(|n| format_ident!("A{n}")).collect();
        let values = types.iter().map(|_| quote!(loop {}));
        let question = quote! {{
            trait __AccrueProbe {
                fn #name<#(#types),*>(&self, #(_: #types),*) -> ::accrue::__rt::plain::Fine {
                    loop {}
                }
            }
            impl<T> __AccrueProbe for &T {}
            match &(#receiver) {
                __accrue_receiver => {
                    let __accrue_number = (&&::accrue::__rt::plain::Ask(__accrue_receiver)).__accrue_number();
                    #told(__accrue_number.#name(#(#values),*));
                }
            }
        }};
        at(question, name.span())
    }

    /// The statement that asks all questions.
    pub(super) fn block(&self, questions: TokenStream) -> TokenStream {
        let traits = self.names.iter().enumerate().map(|(n, name)| {
            let (told, answer) = (format_ident!("__accrue_told_{n}"), format_ident!("__AccrueTold{n}"));
            let message = format!("[accrue::H034] `{{Self}}` is not known to be plain data, and `{name}` may change what it holds");
            let help = format!("if `{name}` only computes, say so: `#[offload(.., pure({name}))]`; a type of your own is plain data with `#[derive(accrue::Plain)]`");
            quote! {
                #[diagnostic::on_unimplemented(
                    message = #message,
                    label = "iterations run at the same time, in no order, and would see each other's changes",
                    note = #help
                )]
                trait #answer {}
                impl<T: ?::core::marker::Sized + ::accrue::__rt::plain::Plain> #answer for T {}
                fn #told<T: ?::core::marker::Sized + #answer>(_: &T) {}
            }
        });
        let methods = self.methods.iter().enumerate().map(|(n, name)| {
            let (told, answer) = (format_ident!("__accrue_method_{n}"), format_ident!("__AccrueMethod{n}"));
            let message = format!("[accrue::H038] `{name}` is a trait's method here, and not that of numbers");
            let help = format!("on a reference a trait's method comes first; call the number's with `(*x).{name}(..)`, or the trait's by its path");
            quote! {
                #[diagnostic::on_unimplemented(
                    message = #message,
                    label = "read as the method of numbers",
                    note = #help
                )]
                trait #answer {}
                impl<T: ::accrue::__rt::plain::OfNumbers> #answer for T {}
                fn #told<T: #answer>(_: T) {}
            }
        });
        quote! {
            #[allow(unused, non_snake_case, clippy::all)]
            {
                #(#traits)*
                #(#methods)*
                use ::accrue::__rt::plain::{
                    Held1 as _, Held2 as _, Held3 as _, Item1 as _, Item2 as _, Item3 as _, Item4 as _,
                    Item5 as _, Item6 as _, Made1 as _, Made2 as _, Made3 as _, Made4 as _, Made5 as _,
                    Made6 as _, Number1 as _, Number2 as _,
                };
                if false {
                    loop {}
                    #questions
                }
            }
        }
    }
}

/// A statement that asks whether a path stands for a function of the standard library.
pub(super) fn ask_function(path: &syn::ExprPath, function: TokenStream, span: Span) -> TokenStream {
    at(
        quote!(::accrue::__rt::plain::Two(#path, #function).are_same();),
        span,
    )
}

/// A statement in which the name of a macro is ambiguous unless it is the standard library's: rustc then shows both.
pub(super) fn ask_macro(path: &syn::Path) -> Option<TokenStream> {
    let name = &path.segments.last()?.ident;
    let arguments = match name.to_string().as_str() {
        "assert" | "debug_assert" => quote!(true),
        "assert_eq" | "debug_assert_eq" | "assert_ne" | "debug_assert_ne" => quote!(0u8, 1u8),
        "matches" => quote!(0u8, _),
        "panic" | "unreachable" | "todo" | "unimplemented" => quote!(),
        "cfg" => quote!(all()),
        _ => return None,
    };
    // `std::matches!`: `std` may be a module of one's own.
    let library = match path.segments.first() {
        Some(first) if first.ident == "std" && path.segments.len() > 1 => quote!(std),
        _ => quote!(core),
    };
    let from = (path.segments.len() > 1).then(|| quote!(use #library::*;));
    Some(at(
        quote!({
            #from
            use ::#library::*;
            #name!(#arguments);
        }),
        name.span(),
    ))
}

/// Tokens where the user reads them: errors about them are shown there. What names stand for stays.
fn at(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            let mut moved = Group::new(group.delimiter(), at(group.stream(), span));
            moved.set_span(group.span().located_at(span));
            return TokenTree::Group(moved);
        }
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.into_token_stream().into_iter().map(moved).collect()
}
