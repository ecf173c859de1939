//! Device functions and structs: what a loop is told of code outside its own function.
//!
//! A macro sees the tokens of its own item only. So `#[offload(device)]` and `derive(DeviceType)` leave a macro of
//! the item's name behind that hands the item's tokens on, and `#[offload(histogram, uses(helper, Pixel))]` expands to a
//! chain of those: `helper! { state }` calls `accrue::__collect! { definition state }`, which adds the definition to
//! the state and calls the next, and at the end expands the loop's function with all of them. Macros have a
//! namespace of their own, so whatever brings the name into scope, an import say, brings its macro.
//!
//! The `uses(..)` of a device function are collected by the same chain where that function stands, since its paths mean there what
//! they mean. Its macro comes at the end of the chain, and hands them all on.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{FnArg, Ident, Item, ItemFn, Meta, Path, Safety, Type};

use crate::beside;
use crate::diag::{Code, Diagnostic, Errors, messages};
use crate::layout::{self, Repr};
use crate::parse::shared;
use crate::parsed::args::{self, Offload};
use crate::syntax::definitions::{Definition, Definitions, Known, Way};

/// What collects definitions.
trait Collect {
    /// Adds what one was handed, and what that hands on.
    fn add(&mut self, handed: Handed, way: &Way) -> Option<Known>;
    /// Adds what a device function hands on.
    fn add_used(&mut self, function: usize, way: &Way, inner: Vec<Handed>);
}

impl Collect for Definitions {
    fn add(&mut self, handed: Handed, way: &Way) -> Option<Known> {
        let Handed {
            path,
            fingerprint,
            item,
            inner,
        } = handed;
        match item {
            Item::Fn(mut item) => {
                let uses = uses_of(&item);
                item.attrs.clear();
                let path = path.unwrap_or_else(|| item.sig.ident.clone().into());
                let seen = self
                    .functions
                    .iter()
                    .position(|f| same(f, fingerprint, way));
                let at = match seen {
                    Some(at) => {
                        self.functions[at].same.push(way.clone());
                        at
                    }
                    None => {
                        let known = vec![None; uses.len()];
                        self.functions.push(Definition {
                            path,
                            way: way.clone(),
                            same: Vec::new(),
                            fingerprint,
                            uses,
                            known,
                            item,
                        });
                        self.functions.len() - 1
                    }
                };
                self.add_used(at, way, inner);
                Some(Known::Function(at))
            }
            Item::Struct(item) => {
                let seen = self.structs.iter().position(|s| same(s, fingerprint, way));
                let at = match seen {
                    Some(at) => {
                        self.structs[at].same.push(way.clone());
                        at
                    }
                    None => {
                        self.structs.push(Definition {
                            path: path.unwrap_or_else(|| item.ident.clone().into()),
                            way: way.clone(),
                            same: Vec::new(),
                            fingerprint,
                            uses: Vec::new(),
                            known: Vec::new(),
                            item,
                        });
                        self.structs.len() - 1
                    }
                };
                Some(Known::Struct(at))
            }
            _ => None,
        }
    }

    fn add_used(&mut self, function: usize, way: &Way, inner: Vec<Handed>) {
        for (n, handed) in inner.into_iter().enumerate() {
            let mut way = way.clone();
            way.steps.push(n);
            let known = self.add(handed, &way);
            if let Some(place) = self.functions[function].known.get_mut(n) {
                *place = known;
            }
        }
    }
}

/// Whether what is found on a way looks like a known definition. What the loop's function names itself stays apart.
fn same<T>(known: &Definition<T>, fingerprint: u64, way: &Way) -> bool {
    fingerprint != 0 && known.fingerprint == fingerprint && !way.steps.is_empty()
}

/// What `#[offload(device)]` makes of a function: itself, what its scope knows of it, and the macro that hands it on, or the chain at
/// whose end that macro comes.
///
/// # Errors
///
/// What a device function must not be.
pub(crate) fn function(
    attribute: TokenStream,
    function: &ItemFn,
    uses: &[Path],
) -> Result<TokenStream, Errors> {
    check_function(function)?;
    let name = &function.sig.ident;
    let definition = quote!(#[offload(device, uses(#(#uses),*))] #function);
    let fingerprint = beside::fingerprint(&definition, name);
    let beside = beside::of_function(function, uses, fingerprint);
    let asks = shared::of_device_function(function).map(|asks| {
        quote! {
            const _: fn() = || { #asks };
        }
    });
    let hand_on = match uses {
        [] => hand_on(name, fingerprint, &TokenStream::new(), &definition),
        _ => start(attribute, quote!(#name #fingerprint { #definition }), uses),
    };
    Ok(quote!(#function #beside #asks #hand_on))
}

/// The macro of a device function, with what its own `uses(..)` brought.
///
/// # Errors
///
/// If the chain was not started by [`function`].
pub(crate) fn at_the_end(
    function: TokenStream,
    collected: &TokenStream,
) -> Result<TokenStream, Errors> {
    let parse = |input: ParseStream<'_>| -> syn::Result<TokenStream> {
        let name: Ident = input.call(Ident::parse_any)?;
        let fingerprint: syn::LitInt = input.parse()?;
        let definition: Group = input.parse()?;
        let fingerprint = fingerprint.base10_parse()?;
        Ok(hand_on(&name, fingerprint, collected, &definition.stream()))
    };
    Ok(parse.parse2(function)?)
}

/// The macro of an item's name.
fn hand_on(
    name: &Ident,
    fingerprint: u64,
    collected: &TokenStream,
    definition: &TokenStream,
) -> TokenStream {
    let hidden = format_ident!("__accrue_device_{}", name.unraw());
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! #hidden {
            ($($state:tt)*) => {
                ::accrue::__collect! { { #fingerprint { #collected } #definition } $($state)* }
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
    if let Some(span) = impl_in(function) {
        refuse(
            span,
            "with an `impl` in it",
            "write the `impl` beside the function",
        );
    }
    if beside::hides_primitive(&sig.ident) {
        errors.push(
            Diagnostic::new(
                Code::DeviceFunction,
                sig.ident.span(),
                "a device function that has the name of a primitive type",
            )
            .note("beside it stands a type of its name, which would hide the primitive one")
            .help("give it another name"),
        );
    }
    if calls_itself(function) {
        errors.push(messages::recursion(
            &sig.ident.to_string(),
            sig.ident.span(),
        ));
    }
    errors.finish()
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

/// An `impl` in a function, of which no copy can be made.
fn impl_in(function: &ItemFn) -> Option<proc_macro2::Span> {
    use crate::syntax::visit::{self, Visit};
    struct Finder(Option<proc_macro2::Span>);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ItemImpl(item) => {
                    self.0.get_or_insert(item.impl_token.span());
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(None);
    finder.visit_block(&function.block);
    finder.0
}

fn calls_itself(function: &ItemFn) -> bool {
    use crate::syntax::visit::{self, Visit};
    struct Finder<'a>(&'a Ident, bool);
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprCall(call) => {
                    self.1 |= matches!(&*call.func, syn::Expr::Path(p) if p.path.is_ident(self.0));
                    crate::syntax::visit::visit_expr_call(self, call);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(&function.sig.ident, false);
    finder.visit_block(&function.block);
    finder.1
}

/// What `derive(DeviceType)` adds to a struct: the proof that its layout is C's, and the macro that hands it on.
pub fn derive(item: TokenStream) -> TokenStream {
    let name = crate_path(&item);
    match laid_out(item) {
        Ok((tokens, None)) => crate::rename::in_crate(tokens, name.as_ref()),
        // The struct is one all the same, so that one mistake shows one error.
        Ok((tokens, Some(errors))) => {
            let errors = errors.to_compile_error();
            let tokens = crate::rename::in_crate(tokens, name.as_ref());
            quote!(#tokens #errors)
        }
        Err(errors) => errors.to_compile_error(),
    }
}

/// What `#[accrue(crate = path)]` on a struct says.
fn crate_path(item: &TokenStream) -> Option<Path> {
    let item: Item = syn::parse2(item.clone()).ok()?;
    let Item::Struct(item) = item else {
        return None;
    };
    let ours = item
        .attrs
        .iter()
        .find(|attr| attr.path().is_ident("accrue"))?;
    match &ours.meta {
        Meta::List(list) => args::crate_path(&list.tokens),
        _ => None,
    }
}

/// As [`derive()`], with what is wrong as a value.
///
/// # Errors
///
/// What the struct must be and is not.
pub fn derived(item: TokenStream) -> Result<TokenStream, Errors> {
    match laid_out(item)? {
        (tokens, None) => Ok(tokens),
        (_, Some(errors)) => Err(errors),
    }
}

/// The same, and what is wrong with the layout of what is a struct of numbers otherwise.
fn laid_out(item: TokenStream) -> Result<(TokenStream, Option<Errors>), Errors> {
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
    let repr = Repr::of(&item.attrs);
    let refused = repr.check(&item.ident).err();
    if !repr.c {
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
    let (mut checks, layout) = layout::proof(&item, &repr);
    if refused.is_some() {
        checks = TokenStream::new();
    }
    let impls = quote! {
        // SAFETY: the struct is `repr(C)`, each of its fields is plain data, which the function requires, and the checks find it to
        // lie as C lays it out.
        unsafe impl ::accrue::DeviceType for #name {
            #layout
        }
        impl ::accrue::Plain for #name {}
        const _: () = {
            const fn plain<T: ::accrue::DeviceType>() {}
            #(plain::<#types>();)*
            #checks
        };
    };
    // Other attributes are not needed further on, and helper attributes of other derives would not be known there.
    item.attrs.retain(|attr| attr.path().is_ident("repr"));
    for field in &mut item.fields {
        field.attrs.clear();
    }
    let definition = item.to_token_stream();
    let fingerprint = beside::fingerprint(&definition, &item.ident);
    let beside = beside::of_struct(&item, fingerprint);
    let hand_on = hand_on(&item.ident, fingerprint, &TokenStream::new(), &definition);
    Ok((quote!(#impls #beside #hand_on), refused))
}

/// The state of a chain of collecting macros.
struct State {
    attribute: TokenStream,
    item: TokenStream,
    collected: TokenStream,
    /// The path whose macro has been called.
    path: Path,
    todo: Vec<Path>,
}

impl Parse for State {
    fn parse(input: ParseStream<'_>) -> syn::Result<State> {
        let next = || -> syn::Result<TokenStream> {
            let group: Group = input.parse()?;
            Ok(group.stream())
        };
        let (attribute, item, collected) = (next()?, next()?, next()?);
        let (path, todo) = (next()?, next()?);
        let todo =
            syn::punctuated::Punctuated::<Path, syn::Token![,]>::parse_terminated.parse2(todo)?;
        Ok(State {
            attribute,
            item,
            collected,
            path: syn::parse2(path)?,
            todo: todo.into_iter().collect(),
        })
    }
}

/// Starts a chain: the call of the first macro.
pub(crate) fn start(attribute: TokenStream, item: TokenStream, uses: &[Path]) -> TokenStream {
    next(attribute, item, TokenStream::new(), uses.to_vec()).unwrap_or_default()
}

/// The call of the next macro; `None` at the end.
fn next(
    attribute: TokenStream,
    item: TokenStream,
    collected: TokenStream,
    mut todo: Vec<Path>,
) -> Option<TokenStream> {
    if todo.is_empty() {
        return None;
    }
    let path = todo.remove(0);
    Some(quote!(#path! { { #attribute } { #item } { #collected } { #path } { #(#todo),* } }))
}

/// What comes of a step of a chain.
pub(crate) enum Step {
    /// The call of the next macro, or an error.
    Tokens(TokenStream),
    /// All definitions are there.
    Done {
        /// The attribute's arguments.
        attribute: TokenStream,
        /// The function that they are for.
        item: TokenStream,
        /// What was collected, for [`definitions`].
        collected: TokenStream,
    },
}

/// A step of a chain: a definition, then the state.
pub(crate) fn collect(tokens: TokenStream) -> Step {
    let mut tokens = tokens.into_iter();
    let handed = match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let State {
        attribute,
        item,
        mut collected,
        path,
        todo,
    } = match syn::parse2(tokens.collect()) {
        Ok(state) => state,
        Err(error) => return Step::Tokens(Errors::from(error).to_compile_error()),
    };
    let handed = quote!([#path] #handed);
    collected.extend([TokenTree::Group(Group::new(Delimiter::Brace, handed))]);
    match next(attribute.clone(), item.clone(), collected.clone(), todo) {
        Some(call) => Step::Tokens(call),
        None => Step::Done {
            attribute,
            item,
            collected,
        },
    }
}

/// The paths in the `uses(..)` of a device function's attribute.
fn uses_of(function: &ItemFn) -> Vec<Path> {
    function
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("offload"))
        .filter_map(|attr| attr.parse_args::<TokenStream>().ok())
        .filter_map(|tokens| args::parse(tokens).ok())
        .flat_map(|offload| match offload {
            Offload::Device(uses) => uses,
            Offload::Loops(_) => Vec::new(),
        })
        .collect()
}

/// What a group of a state holds: a path in brackets, a fingerprint, the groups that a device function hands on, and an item.
struct Handed {
    path: Option<Path>,
    fingerprint: u64,
    inner: Vec<Handed>,
    item: Item,
}

impl Handed {
    fn all(collected: TokenStream) -> Vec<Handed> {
        let groups = collected.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        groups.filter_map(Handed::of).collect()
    }

    fn of(group: TokenStream) -> Option<Handed> {
        let mut tokens = group.into_iter().peekable();
        let mut path = None;
        if let Some(TokenTree::Group(group)) = tokens.peek()
            && group.delimiter() == Delimiter::Bracket
        {
            path = syn::parse2(group.stream()).ok();
            tokens.next();
        }
        let (mut fingerprint, mut inner) = (0, Vec::new());
        if let Some(TokenTree::Literal(number)) = tokens.peek() {
            let number: syn::LitInt =
                syn::parse2(Literal::into_token_stream(number.clone())).ok()?;
            fingerprint = number.base10_parse().ok()?;
            tokens.next();
            if let Some(TokenTree::Group(group)) = tokens.next() {
                inner = Handed::all(group.stream());
            }
        }
        Some(Handed {
            path,
            fingerprint,
            inner,
            item: syn::parse2(tokens.collect()).ok()?,
        })
    }

    fn way(&self) -> Option<Way> {
        let root = match (&self.path, &self.item) {
            (Some(path), _) => path.clone(),
            (None, Item::Fn(item)) => item.sig.ident.clone().into(),
            (None, Item::Struct(item)) => item.ident.clone().into(),
            _ => return None,
        };
        Some(Way {
            root,
            steps: Vec::new(),
        })
    }
}

/// The definitions in the groups of a state. Where there is an item alone, its name is the path.
pub fn definitions(collected: TokenStream) -> Definitions {
    let mut definitions = Definitions::default();
    // What the loop's function names itself comes first.
    let mut later = Vec::new();
    for mut handed in Handed::all(collected) {
        let Some(way) = handed.way() else {
            continue;
        };
        let inner = std::mem::take(&mut handed.inner);
        if let Some(Known::Function(at)) = definitions.add(handed, &way) {
            later.push((at, way, inner));
        }
    }
    for (at, way, inner) in later {
        definitions.add_used(at, &way, inner);
    }
    definitions
}
