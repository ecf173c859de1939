//! Device functions and structs: what a loop is told of code outside its own function.
//!
//! A macro sees the tokens of its own item only. So `#[offload(device)]` and `derive(Device)` leave a macro of
//! the item's name behind that hands the item's tokens on, and `#[offload(histogram, uses(helper, Pixel))]` expands to a
//! chain of those: `helper! { state }` calls `accrue::__collect! { definition state }`, which adds the definition to
//! the state and calls the next, and at the end expands the loop's function with all of them. Macros have a
//! namespace of their own, so whatever brings the name into scope, an import say, brings its macro.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{FnArg, Ident, Item, ItemFn, ItemStruct, Path, Safety, Type};

use crate::diag::{Code, Diagnostic, Errors};
use crate::{Offload, Outputs};

/// The definitions that a loop's function was given.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Device functions by name.
    pub functions: HashMap<String, ItemFn>,
    /// Device structs by name.
    pub structs: HashMap<String, ItemStruct>,
}

/// What `#[offload(device)]` makes of a function: itself, and the macro that hands it on.
///
/// # Errors
///
/// What a device function must not be.
pub(crate) fn function(function: &ItemFn, uses: &[Path]) -> Result<TokenStream, Errors> {
    check_function(function)?;
    let hand_on = hand_on(
        &function.sig.ident,
        quote!(#[offload(device, uses(#(#uses),*))] #function),
    );
    Ok(quote!(#function #hand_on))
}

/// The macro of an item's name.
fn hand_on(name: &Ident, definition: TokenStream) -> TokenStream {
    let hidden = format_ident!("__accrue_device_{name}");
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! #hidden {
            ($($state:tt)*) => {
                ::accrue::__collect! { { #definition } $($state)* }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub(crate) use #hidden as #name;
    }
}

fn check_function(function: &ItemFn) -> Result<(), Errors> {
    let sig = &function.sig;
    let mut errors = Errors::new();
    let mut refuse = |span, what: &str, help: &str| {
        errors.push(
            Diagnostic::new(
                Code::DeviceFunction,
                span,
                format!("a device function {what}"),
            )
            .help(help),
        );
    };
    if let Some(token) = &sig.asyncness {
        refuse(token.span(), "that is `async`", "write a plain `fn`");
    }
    if let Safety::Unsafe(token) = &sig.safety {
        refuse(
            token.span(),
            "that is `unsafe`",
            "write a safe `fn`: what a kernel may do is checked anyway",
        );
    }
    if !sig.generics.params.is_empty() {
        refuse(
            sig.generics.params.span(),
            "with generic parameters",
            "write it for the type that the loop calls it with: a kernel is printed once",
        );
    }
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => refuse(
                receiver.self_token.span(),
                "that is a method",
                "write a function beside the `impl` that takes the value as an argument",
            ),
            FnArg::Typed(param) => {
                if let Some(what) = unsuitable(&param.ty) {
                    refuse(
                        param.ty.span(),
                        what,
                        "pass numbers, arrays, tuples or device structs by value",
                    );
                }
            }
        }
    }
    if calls_itself(function) {
        errors.push(recursion(&sig.ident.to_string(), sig.ident.span()));
    }
    errors.finish()
}

/// The finding of a function that calls itself, by way of others or not.
pub(crate) fn recursion(name: &str, span: proc_macro2::Span) -> Diagnostic {
    Diagnostic::new(
        Code::Recursion,
        span,
        format!("the device function `{name}` calls itself"),
    )
    .note("a kernel has no stack that could grow")
    .help("write the recursion as a loop")
}

fn unsuitable(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Reference(r) if r.mutability.is_some() => Some("that takes `&mut`"),
        Type::Reference(r) => unsuitable(&r.elem),
        Type::Slice(_) => Some("that takes a slice"),
        Type::ImplTrait(_) | Type::TraitObject(_) => Some("that takes a trait's values"),
        Type::Paren(t) => unsuitable(&t.elem),
        Type::Group(t) => unsuitable(&t.elem),
        _ => None,
    }
}

fn calls_itself(function: &ItemFn) -> bool {
    use syn::visit::Visit;
    struct Finder<'a>(&'a Ident, bool);
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
            self.1 |= matches!(&*call.func, syn::Expr::Path(p) if p.path.is_ident(self.0));
            syn::visit::visit_expr_call(self, call);
        }
    }
    let mut finder = Finder(&function.sig.ident, false);
    finder.visit_block(&function.block);
    finder.1
}

/// What `derive(Device)` adds to a struct: the proof that its layout is C's, and the macro that hands it on.
pub fn derive(item: TokenStream) -> TokenStream {
    match derived(item) {
        Ok(tokens) => tokens,
        Err(errors) => errors.to_compile_error(),
    }
}

/// As [`derive()`], with what is wrong as a value.
///
/// # Errors
///
/// What the struct must be and is not.
pub fn derived(item: TokenStream) -> Result<TokenStream, Errors> {
    let refuse = |span, message: &str, help: &str| -> Errors {
        Diagnostic::new(Code::DeviceStruct, span, message)
            .help(help)
            .into()
    };
    let item: Item = syn::parse2(item)?;
    let Item::Struct(mut item) = item else {
        let span = match &item {
            Item::Enum(e) => e.enum_token.span(),
            other => other.span(),
        };
        return Err(refuse(
            span,
            "only a struct of numbers has the same layout on a device",
            "use a `#[repr(C)]` struct; an enum can be passed as its number",
        ));
    };
    if !item.generics.params.is_empty() {
        return Err(refuse(
            item.generics.params.span(),
            "a device struct has no generic parameters",
            "write the struct for the types that the loop uses",
        ));
    }
    let repr_c = item.attrs.iter().any(|attr| {
        let mut found = false;
        attr.path().is_ident("repr")
            && attr
                .parse_nested_meta(|meta| {
                    found |= meta.path.is_ident("C");
                    Ok(())
                })
                .is_ok()
            && found
    });
    if !repr_c {
        return Err(refuse(
            item.ident.span(),
            "Rust leaves open how this struct lies in memory",
            "add `#[repr(C)]`",
        ));
    }
    if item.fields.is_empty() {
        return Err(refuse(
            item.ident.span(),
            "a struct without fields holds no data",
            "pass the values themselves",
        ));
    }
    let name = &item.ident;
    let types = item.fields.iter().map(|f| &f.ty);
    let impls = quote! {
        // SAFETY: the struct is `repr(C)`, and each of its fields is plain data, which the function requires.
        unsafe impl ::accrue::DeviceType for #name {}
        const _: () = {
            const fn plain<T: ::accrue::DeviceType>() {}
            #(plain::<#types>();)*
        };
    };
    // The attributes are not needed further on, and helper attributes of other derives would not be known there.
    item.attrs.clear();
    for field in &mut item.fields {
        field.attrs.clear();
    }
    let hand_on = hand_on(&item.ident, item.to_token_stream());
    Ok(quote!(#impls #hand_on))
}

/// The state of a chain of collecting macros.
struct State {
    attribute: TokenStream,
    item: TokenStream,
    collected: TokenStream,
    todo: Vec<Path>,
}

impl Parse for State {
    fn parse(input: ParseStream<'_>) -> syn::Result<State> {
        let next = || -> syn::Result<TokenStream> {
            let group: Group = input.parse()?;
            Ok(group.stream())
        };
        let (attribute, item, collected, todo) = (next()?, next()?, next()?, next()?);
        let todo =
            syn::punctuated::Punctuated::<Path, syn::Token![,]>::parse_terminated.parse2(todo)?;
        Ok(State {
            attribute,
            item,
            collected,
            todo: todo.into_iter().collect(),
        })
    }
}

/// Starts a chain: the call of the first macro.
pub(crate) fn start(attribute: TokenStream, item: TokenStream, uses: &[Path]) -> TokenStream {
    next(State {
        attribute,
        item,
        collected: TokenStream::new(),
        todo: uses.to_vec(),
    })
    .unwrap_or_default()
}

/// The call of the next macro; `None` at the end.
fn next(mut state: State) -> Option<TokenStream> {
    if state.todo.is_empty() {
        return None;
    }
    let path = state.todo.remove(0);
    let State {
        attribute,
        item,
        collected,
        todo,
    } = state;
    Some(quote!(#path! { { #attribute } { #item } { #collected } { #(#todo),* } }))
}

/// A step of a chain: a definition, then the state.
pub fn collect(tokens: TokenStream, outputs: Outputs) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let definition = match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let mut state: State = match syn::parse2(tokens.collect()) {
        Ok(state) => state,
        Err(error) => return Errors::from(error).to_compile_error(),
    };
    // What the definition needs itself is asked for too, unless it is there already.
    if let Ok(Item::Fn(function)) = syn::parse2::<Item>(definition.clone()) {
        for path in uses_of(&function) {
            if !mentions(&state, &path) {
                state.todo.push(path);
            }
        }
    }
    state
        .collected
        .extend([TokenTree::Group(Group::new(Delimiter::Brace, definition))]);
    let (attribute, item, collected) = (
        state.attribute.clone(),
        state.item.clone(),
        state.collected.clone(),
    );
    match next(state) {
        Some(call) => call,
        None => crate::compile_with(attribute, item, &definitions(collected), outputs),
    }
}

/// The paths in the `uses(..)` of a device function's attribute.
fn uses_of(function: &ItemFn) -> Vec<Path> {
    function
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("offload"))
        .filter_map(|attr| attr.parse_args::<TokenStream>().ok())
        .filter_map(|tokens| crate::args(tokens).ok())
        .flat_map(|offload| match offload {
            Offload::Device(uses) => uses,
            Offload::Histogram(_) => Vec::new(),
        })
        .collect()
}

/// Whether a path is collected already or will be.
fn mentions(state: &State, path: &Path) -> bool {
    let name = path.segments.last().map(|s| s.ident.to_string());
    let todo = state
        .todo
        .iter()
        .any(|p| p.segments.last().map(|s| s.ident.to_string()) == name);
    let definitions = definitions(state.collected.clone());
    todo || name.is_some_and(|name| {
        definitions.functions.contains_key(&name) || definitions.structs.contains_key(&name)
    })
}

/// The definitions in the groups of a state.
pub fn definitions(collected: TokenStream) -> Definitions {
    let mut definitions = Definitions::default();
    for token in collected {
        let TokenTree::Group(group) = token else {
            continue;
        };
        match syn::parse2::<Item>(group.stream()) {
            Ok(Item::Fn(mut function)) => {
                function.attrs.clear();
                definitions
                    .functions
                    .insert(function.sig.ident.to_string(), function);
            }
            Ok(Item::Struct(item)) => {
                definitions.structs.insert(item.ident.to_string(), item);
            }
            _ => {}
        }
    }
    definitions
}
