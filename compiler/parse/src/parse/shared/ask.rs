//! The questions, as tokens.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Ident};

use super::Class;
use super::declared::Declared;

/// Who gets something.
#[derive(Clone, Debug)]
pub(super) struct To {
    /// The name of the method, function or macro.
    pub(super) name: String,
    /// Where it stands.
    pub(super) span: Span,
    /// Whether the thing is what the method is called on.
    pub(super) receiver: bool,
    /// What else it may be where it is called on that.
    pub(super) memory: Option<Memory>,
}

/// Memory of which a method does something without its elements' code.
#[derive(Clone, Copy, Debug)]
pub(super) enum Memory {
    /// Its elements are moved, or lent out.
    Moved,
    /// They are written over, and of a `Copy` type.
    Filled,
}

/// The questions of a loop: one trait for each name, for the sake of its message.
#[derive(Default)]
pub(super) struct Asks<'a> {
    names: Vec<String>,
    methods: Vec<String>,
    declared: Declared<'a>,
}

impl<'a> Asks<'a> {
    /// Questions whose answers may be types that are declared beside the function.
    pub(super) fn beside(declared: Declared<'a>) -> Self {
        Asks {
            declared,
            ..Asks::default()
        }
    }

    /// A statement that asks about a place.
    pub(super) fn ask(&mut self, class: Class, place: &Expr, to: &To) -> TokenStream {
        let told = self.told(to);
        let place = match class {
            Class::Captured => quote!(&raw const #place),
            _ => reference(place),
        };
        let place = match to.memory {
            Some(Memory::Moved) => quote!((&&&::accrue::__rt::plain::Ask(#place)).__accrue_held()),
            Some(Memory::Filled) => {
                quote!((&&::accrue::__rt::plain::Ask(#place)).__accrue_filled())
            }
            None => place,
        };
        let answer = match class {
            Class::Whole => plain(&place),
            Class::Captured => whole(&place),
            Class::Item => item(&place),
            Class::Made => {
                item(&quote!((&&&&&&::accrue::__rt::plain::Ask(#place)).__accrue_made()))
            }
            // What is no memory may have a method of such a name as well.
            Class::Held => plain(&quote!((&&&::accrue::__rt::plain::Ask(#place)).__accrue_held())),
        };
        let answer = self.declared.answer(answer);
        let question = quote!(#told(#answer););
        at(question, to.span)
    }

    /// A statement that asks about memory that is handed to a method of other memory.
    pub(super) fn ask_beside(&mut self, receiver: &Expr, place: &Expr, to: &To) -> TokenStream {
        let told = self.told(to);
        let (receiver, place) = (reference(receiver), reference(place));
        let ask = quote!(::accrue::__rt::plain::AskBeside(#receiver, #place));
        let answer = plain(&quote!((&&#ask).__accrue_moved()));
        let answer = self.declared.answer(answer);
        at(quote!(#told(#answer);), to.span)
    }

    /// The function that takes the answer about what something of this name gets.
    fn told(&mut self, to: &To) -> Ident {
        let n = match self.names.iter().position(|name| *name == to.name) {
            Some(n) => n,
            None => {
                self.names.push(to.name.clone());
                self.names.len() - 1
            }
        };
        format_ident!("__accrue_told_{n}")
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

    /// The statement that asks all questions, those about captured places where they could be reached.
    pub(super) fn block(&self, captured: &[TokenStream], questions: TokenStream) -> TokenStream {
        let traits = self.names.iter().enumerate().map(|(n, name)| {
            let (told, answer) = (format_ident!("__accrue_told_{n}"), format_ident!("__AccrueTold{n}"));
            let message = format!("[accrue::H034] `{{Self}}` is not known to be plain data, and `{name}` may change what it holds");
            let help = format!("if `{name}` only computes, say so: `#[offload(.., pure({name}))]`; a type of your own is plain data with `#[derive(accrue::Plain)]`, or where it is `Copy` and borrows nothing");
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
        let declared = self.declared.rules();
        quote! {
            #[allow(unused, deprecated, non_snake_case, clippy::all)]
            {
                #declared
                #(#traits)*
                #(#methods)*
                use ::accrue::__rt::plain::{
                    Filled1 as _, Filled2 as _, Held1 as _, Held2 as _, Held3 as _,
                    Item1 as _, Item2 as _, Item3 as _, Item4 as _, Made1 as _, Made2 as _, Made3 as _,
                    Made4 as _, Made5 as _, Made6 as _, Moved1 as _, Moved2 as _, Number1 as _,
                    Number2 as _, Whole1 as _, Whole2 as _, Whole3 as _, Whole4 as _, Within1 as _, Within2 as _,
                    Within3 as _,
                };
                if false {
                    #(#captured)*
                    loop {}
                    #questions
                }
            }
        }
    }
}

/// The answer about something that loops capture, or that a field holds, behind a pointer to it.
pub fn whole_at(pointer: &TokenStream, span: Span) -> TokenStream {
    at(whole(pointer), span)
}

fn whole(pointer: &TokenStream) -> TokenStream {
    let within = within(pointer);
    quote!((&&&&#within).__accrue_whole())
}

/// The answer about what must be plain, whatever it is.
pub(super) fn plain(pointer: &TokenStream) -> TokenStream {
    let within = within(pointer);
    quote!((&&&#within).__accrue_within())
}

/// The answer about an item or an element.
fn item(pointer: &TokenStream) -> TokenStream {
    let within = within(pointer);
    quote!((&&&&#within).__accrue_item())
}

/// The question about what is inside, as many layers deep as types are written.
fn within(pointer: &TokenStream) -> TokenStream {
    let ask = quote!(::accrue::__rt::plain::Ask);
    (0..4).fold(
        quote!(#ask(#pointer)),
        |inside, _| quote!(#ask((&&&#inside).__accrue_within())),
    )
}

fn reference(place: &Expr) -> TokenStream {
    match place {
        Expr::Path(_) => quote!(&#place),
        _ => quote!(&(#place)),
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
    // `std::matches!`: `std` may be a module of one's own. Of `panic!` the two libraries have one each.
    let library = match path.segments.first() {
        Some(first) if first.ident == "std" && path.segments.len() > 1 => quote!(std),
        Some(first) if first.ident == "panic" => quote!(std),
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
