//! The names of primitive types in a piece of code, and what makes rustc confirm that they are those types.
//!
//! `f32` is a name like others: `type f32 = f64;` may be in scope, a type parameter may be called `u32`, a module `u32` may have a `MAX`. The
//! checks stand where the names stand, in the function, so that its items hide what they hide there.

use crate::syntax::visit::{self, Visit};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Item, ItemFn, Path, Stmt};

use crate::ir::Scalar;
use crate::syntax::constants;
use crate::syntax::names::{self, primitive_of};

/// The primitive type whose constant a path is, `u8::MAX`, with the type's path.
fn constant_of(path: &Path) -> Option<(Scalar, Path)> {
    let mut ty = path.clone();
    let name = ty.segments.pop()?.ident;
    ty.segments.pop_punct();
    let scalar = primitive_of(&ty)?;
    let known = constants::constant_of(scalar, &name.to_string());
    known.map(|_| (scalar, ty))
}

/// Checks that belong to one block: those of its own names, and of blocks inside it that declare something.
#[derive(Default)]
struct Scope {
    /// The items that may hide a name.
    items: Vec<Item>,
    checks: Vec<(String, TokenStream)>,
    inner: Vec<Scope>,
}

impl Scope {
    fn add(&mut self, check: TokenStream) {
        let text = check.to_string();
        if self.checks.iter().all(|(known, _)| *known != text) {
            self.checks.push((text, check));
        }
    }

    /// The checks as statements; `None` where there are none.
    fn tokens(&self) -> Option<TokenStream> {
        let inner: Vec<TokenStream> = self
            .inner
            .iter()
            .filter_map(|scope| {
                let checks = scope.tokens()?;
                let items = &scope.items;
                Some(quote!({ #(#items)* #checks }))
            })
            .collect();
        let checks = self.checks.iter().map(|(_, check)| check);
        (!self.checks.is_empty() || !inner.is_empty()).then(|| quote!(#(#checks)* #(#inner)*))
    }
}

/// The scopes, innermost last.
struct Mentions(Vec<Scope>);

impl Mentions {
    fn primitive(&mut self, path: &Path, scalar: Scalar) {
        let name = format_ident!("{}", scalar.name());
        let span = path.span().resolved_at(proc_macro2::Span::call_site());
        let check = quote_spanned! { span=>
            ::accrue::__rt::names::primitive::<#path, ::core::primitive::#name>();
        };
        self.add(check);
    }

    /// A limit of a type, or a number of its module `consts`.
    fn constant(&mut self, path: &Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let span = path.span().resolved_at(proc_macro2::Span::call_site());
        if let [.., module, consts, _] = names.as_slice()
            && consts == "consts"
            && let Some(scalar) = Scalar::from_name(module)
        {
            let name = format_ident!("{}", scalar.name());
            return self.add(quote_spanned! { span=>
                ::accrue::__rt::names::constant::<::core::primitive::#name, _>(&#path);
            });
        }
        let Some((scalar, ty)) = constant_of(path) else {
            // `u32::from`: the type is what counts.
            let mut ty = path.clone();
            if ty.segments.pop().is_some() && !ty.segments.is_empty() {
                ty.segments.pop_punct();
                if let Some(scalar) = primitive_of(&ty) {
                    self.primitive(&ty, scalar);
                }
            }
            return;
        };
        self.primitive(&ty, scalar);
        let (own, constant) = (format_ident!("{}", scalar.name()), path.segments.last());
        let own = quote!(<::core::primitive::#own>::#constant);
        let equal = match names.last().is_some_and(|name| name == "NAN") {
            true => quote!(#path.is_nan()),
            false => quote!(#path == #own),
        };
        let why = format!(
            "[accrue::H044] `{}` is not the constant of the primitive type `{scalar}` here",
            names.join("::")
        );
        self.add(quote_spanned! { span=> const _: () = ::core::assert!(#equal, #why); });
    }

    /// The names in a pattern that may not match: in small letters they are taken for names of its own. One in capitals that is no constant
    /// has no value before the loop, which rustc says where a kernel is to be given it.
    fn pattern(&mut self, pat: &syn::Pat) {
        struct Names<'a>(Vec<&'a syn::Ident>);
        impl<'a> Visit<'a> for Names<'a> {
            fn visit(&mut self, node: visit::Node<'a>) {
                match node {
                    visit::Node::PatIdent(pat) => {
                        if pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none()
                        {
                            self.0.push(&pat.ident);
                        }
                        visit::visit_pat_ident(self, pat);
                    }
                    visit::Node::Expr(_) => {}
                    _ => node.parts(self),
                }
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pat);
        for name in names.0 {
            if !names::is_constant_like(name) {
                let span = name.span().resolved_at(proc_macro2::Span::call_site());
                self.add(quote_spanned! { span=>
                    {
                        fn binds<H048NameOfItsOwn>(value: H048NameOfItsOwn) {
                            match value { #name => {} }
                        }
                    }
                });
            }
        }
    }

    fn add(&mut self, check: TokenStream) {
        if let Some(scope) = self.0.last_mut() {
            scope.add(check);
        }
    }

    fn tokens_of_macro(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            let behind = |c: char| {
                i.checked_sub(1)
                    .is_some_and(|i| matches!(&tokens[i], TokenTree::Punct(p) if p.as_char() == c))
            };
            match token {
                TokenTree::Ident(ident) if !behind('.') && !behind(':') => {
                    if let Some(scalar) = Scalar::from_name(&ident.to_string()) {
                        self.primitive(&ident.clone().into(), scalar);
                    }
                }
                TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
                    self.tokens_of_macro(group.stream());
                }
                _ => {}
            }
        }
    }
}

/// An item that may hide a name, without what only others need of it.
fn hiding(item: &Item) -> Option<Item> {
    let mut item = item.clone();
    match &mut item {
        Item::Use(_) | Item::Mod(_) => {}
        Item::Type(i) => i.attrs.clear(),
        Item::Struct(i) => i.attrs.clear(),
        Item::Enum(i) => i.attrs.clear(),
        Item::Trait(i) => i.attrs.clear(),
        Item::Macro(_) => {}
        Item::Fn(f) => {
            let name = &f.sig.ident;
            return Some(syn::parse_quote!(fn #name() { loop {} }));
        }
        _ => return None,
    }
    Some(item)
}

/// The items of a block that may hide a name.
pub fn items(block: &syn::Block) -> Vec<Item> {
    let items = block.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Item(item) => hiding(item),
        _ => None,
    });
    items.collect()
}

impl<'a> Visit<'a> for Mentions {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Block(block) => {
                let items = items(block);
                if items.is_empty() {
                    return visit::visit_block(self, block);
                }
                self.0.push(Scope {
                    items,
                    ..Scope::default()
                });
                visit::visit_block(self, block);
                if let (Some(scope), Some(around)) = (self.0.pop(), self.0.last_mut()) {
                    around.inner.push(scope);
                }
            }
            // An item has names of its own; its body is not the loop's.
            visit::Node::Item(_) => {}
            visit::Node::TypePath(ty) => {
                if ty.qself.is_none()
                    && let Some(scalar) = primitive_of(&ty.path)
                {
                    self.primitive(&ty.path, scalar);
                }
                visit::visit_type_path(self, ty);
            }
            visit::Node::ExprPath(e) => {
                if e.qself.is_none() {
                    self.constant(&e.path);
                }
                visit::visit_expr_path(self, e);
            }
            visit::Node::Arm(arm) => {
                self.pattern(&arm.pat);
                visit::visit_arm(self, arm);
            }
            visit::Node::ExprLet(e) => {
                self.pattern(&e.pat);
                visit::visit_expr_let(self, e);
            }
            visit::Node::Macro(mac) => {
                if mac.path.is_ident("matches")
                    && let Ok((value, pat)) =
                        mac.parse_body_with(|input: syn::parse::ParseStream<'_>| {
                            let value: Expr = input.parse()?;
                            input.parse::<syn::Token![,]>()?;
                            let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
                            input.parse::<TokenStream>()?;
                            Ok((value, pat))
                        })
                {
                    self.pattern(&pat);
                    let mut mentions = Mentions(vec![Scope::default()]);
                    mentions.visit_expr(&value);
                    mentions.visit_pat(&pat);
                    for (_, check) in mentions.0.pop().unwrap_or_default().checks {
                        self.add(check);
                    }
                    return;
                }
                let parsed = mac.parse_body_with(
                    syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated,
                );
                match parsed {
                    Ok(parts) => parts.iter().for_each(|part| {
                        // What is parsed here lives no longer than this.
                        let mut mentions = Mentions(vec![Scope::default()]);
                        mentions.visit_expr(part);
                        for (_, check) in mentions.0.pop().unwrap_or_default().checks {
                            self.add(check);
                        }
                    }),
                    Err(_) => self.tokens_of_macro(mac.tokens.clone()),
                }
            }
            _ => node.parts(self),
        }
    }
}

/// A statement that compiles where the names in a function's block are what they look like, for the beginning of this block. It does nothing.
pub fn in_body(function: &ItemFn) -> Option<TokenStream> {
    let mut mentions = Mentions(vec![Scope::default()]);
    visit::visit_signature(&mut mentions, &function.sig);
    visit::visit_block(&mut mentions, &function.block);
    statement(mentions)
}

/// The same of a function's signature, for a place where the items in its block are not seen. `None` where it has none that matter.
pub fn in_signature(function: &ItemFn) -> Option<TokenStream> {
    let hides = function.block.stmts.iter().any(|stmt| {
        matches!(stmt, Stmt::Item(item) if hiding(item).is_some()) || matches!(stmt, Stmt::Macro(_))
    });
    let mut mentions = Mentions(vec![Scope::default()]);
    visit::visit_signature(&mut mentions, &function.sig);
    statement(mentions).filter(|_| hides)
}

/// The same of all of a function, for the place where it stands.
pub(crate) fn beside(function: &ItemFn) -> Option<TokenStream> {
    let mut mentions = Mentions(vec![Scope::default()]);
    visit::visit_signature(&mut mentions, &function.sig);
    mentions.visit_block(&function.block);
    item(mentions)
}

/// The same of a struct's fields, for the place where it stands.
pub(crate) fn in_fields(fields: &syn::Fields) -> Option<TokenStream> {
    let mut mentions = Mentions(vec![Scope::default()]);
    visit::visit_fields(&mut mentions, fields);
    item(mentions)
}

fn closure(mut mentions: Mentions) -> Option<TokenStream> {
    let checks = mentions.0.pop()?.tokens()?;
    Some(quote!(|| { #checks }))
}

fn statement(mentions: Mentions) -> Option<TokenStream> {
    let closure = closure(mentions)?;
    Some(quote!(
        #[allow(unused, nonstandard_style, deprecated, clippy::all, clippy::pedantic)]
        let _ = #closure;
    ))
}

fn item(mentions: Mentions) -> Option<TokenStream> {
    let closure = closure(mentions)?;
    Some(quote!(
        #[allow(unused, nonstandard_style, deprecated, clippy::all, clippy::pedantic)]
        const _: fn() = #closure;
    ))
}

/// The `use` items at the beginning of a function's block.
pub(crate) fn imports(function: &ItemFn) -> Vec<&Item> {
    let items = function.block.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Item(item @ Item::Use(_)) => Some(item),
        _ => None,
    });
    items.collect()
}

/// What items in a function hide from the place where the function stands: these names, or any name.
#[derive(Default)]
struct Own {
    names: Vec<String>,
    any: bool,
}

impl Own {
    /// An item, unless it is one of the function's [`imports`].
    fn item(&mut self, item: &Item, imports: &[&Item]) {
        if imports.iter().any(|import| std::ptr::eq(*import, item)) {
            return;
        }
        self.names.extend(names::declared(item));
        self.any |= matches!(item, Item::Use(i) if i.to_token_stream().to_string().contains('*'));
    }

    fn hides(&self, tokens: &impl ToTokens) -> bool {
        let mut used = Vec::new();
        names::identifiers(tokens.to_token_stream(), &mut used);
        self.any
            || used
                .iter()
                .any(|name| self.names.iter().any(|own| name == own))
    }
}

/// The paths of types in a device function that are neither primitive nor have arguments, each once; their texts are their names. Where a
/// struct is made or taken apart, its path is one if it is among the function's `uses(..)`: others may be of an `enum`'s variant.
pub fn types(function: &ItemFn, uses: &[Path]) -> Vec<Path> {
    struct Types<'a> {
        found: Vec<Path>,
        own: Own,
        imports: Vec<&'a Item>,
        uses: &'a [Path],
    }
    impl Types<'_> {
        fn add(&mut self, path: &Path) {
            let plain = path.segments.iter().all(|s| s.arguments.is_none());
            let text = path.to_token_stream().to_string();
            let known = self
                .found
                .iter()
                .any(|p| p.to_token_stream().to_string() == text);
            if plain && !known && primitive_of(path).is_none() {
                self.found.push(path.clone());
            }
        }
        fn add_used(&mut self, path: &Path) {
            if crate::syntax::definitions::same_path(self.uses.iter(), path).is_some() {
                self.add(path);
            }
        }
    }
    impl<'a> Visit<'a> for Types<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::TypePath(ty) => {
                    if ty.qself.is_none() {
                        self.add(&ty.path);
                    }
                    visit::visit_type_path(self, ty);
                }
                visit::Node::ExprStruct(e) => {
                    self.add_used(&e.path);
                    visit::visit_expr_struct(self, e);
                }
                visit::Node::PatStruct(pat) => {
                    self.add_used(&pat.path);
                    visit::visit_pat_struct(self, pat);
                }
                visit::Node::Item(item) => {
                    self.own.item(item, &self.imports);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut types = Types {
        found: Vec::new(),
        own: Own::default(),
        imports: imports(function),
        uses,
    };
    types.visit_item_fn(function);
    let Types { mut found, own, .. } = types;
    found.retain(|path| !own.hides(path));
    found
}

/// The constants that a function mentions, as expressions for the place where it stands: paths in capitals.
pub fn constants(function: &ItemFn) -> Vec<Expr> {
    struct Constants<'a> {
        found: Vec<Expr>,
        own: Own,
        imports: Vec<&'a Item>,
    }
    impl Constants<'_> {
        fn add(&mut self, e: &Expr) {
            let text = e.to_token_stream().to_string();
            let known = self
                .found
                .iter()
                .any(|k| k.to_token_stream().to_string() == text);
            if !known {
                self.found.push(e.clone());
            }
        }
    }
    impl<'a> Visit<'a> for Constants<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprPath(e) => {
                    let capitals = e.path.segments.last().is_some_and(|last| {
                        last.arguments.is_none()
                            && !last.ident.to_string().contains(char::is_lowercase)
                    });
                    if e.qself.is_none() && capitals && constant_of(&e.path).is_none() {
                        self.add(&Expr::Path(e.clone()));
                    }
                }
                visit::Node::ExprCall(e) => {
                    if !matches!(&*e.func, Expr::Path(_)) {
                        self.visit_expr(&e.func);
                    }
                    e.args.iter().for_each(|arg| self.visit_expr(arg));
                }
                visit::Node::PatIdent(pat) => {
                    // In a `match` it is a constant in capitals or a name of its own, which only rustc tells apart.
                    if names::is_constant_like(&pat.ident)
                        && pat.subpat.is_none()
                        && pat.by_ref.is_none()
                    {
                        let path: Path = pat.ident.clone().into();
                        self.visit_expr_path(&syn::ExprPath {
                            attrs: Vec::new(),
                            qself: None,
                            path,
                        });
                    }
                    visit::visit_pat_ident(self, pat);
                }
                visit::Node::Local(local) => {
                    self.bound(&local.pat);
                    if let Some(init) = &local.init {
                        visit::visit_local_init(self, init);
                    }
                    if let syn::Pat::Type(typed) = &local.pat {
                        self.visit_type(&typed.ty);
                    }
                }
                visit::Node::ExprForLoop(e) => {
                    self.bound(&e.pat);
                    self.visit_expr(&e.expr);
                    self.visit_block(&e.body);
                }
                visit::Node::PatType(pat) => {
                    self.bound(&pat.pat);
                    self.visit_type(&pat.ty);
                }
                visit::Node::Item(item) => {
                    self.own.item(item, &self.imports);
                }
                visit::Node::Macro(mac) => {
                    let parts = mac.parse_body_with(
                        syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated,
                    );
                    for part in parts.into_iter().flatten() {
                        let mut inner = Constants {
                            found: Vec::new(),
                            own: Own::default(),
                            imports: Vec::new(),
                        };
                        inner.visit_expr(&part);
                        inner.found.iter().for_each(|e| self.add(e));
                    }
                }
                _ => node.parts(self),
            }
        }
    }
    impl Constants<'_> {
        /// What is bound for sure is no constant.
        fn bound(&mut self, pat: &syn::Pat) {
            struct Names<'n>(&'n mut Vec<String>);
            impl<'p> Visit<'p> for Names<'_> {
                fn visit(&mut self, node: visit::Node<'p>) {
                    match node {
                        visit::Node::PatIdent(pat) => {
                            self.0.push(pat.ident.to_string());
                        }
                        _ => node.parts(self),
                    }
                }
            }
            Names(&mut self.own.names).visit_pat(pat);
        }
    }
    let mut constants = Constants {
        found: Vec::new(),
        own: Own::default(),
        imports: imports(function),
    };
    constants.visit_item_fn(function);
    let Constants { mut found, own, .. } = constants;
    found.retain(|e| !own.hides(e));
    found
}
