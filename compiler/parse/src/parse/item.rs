//! The item under the attribute: it must be a function, and one that the attribute's arguments can be for.

use crate::sorted::SortedSet;

use quote::{ToTokens, quote};
use syn::ItemFn;

use super::args::Args;
use super::capitals;
use super::follow::InOrder;
use super::inline::only_known;
use crate::diag::{Code, Diagnostic, Errors};

/// The function that tokens are.
///
/// # Errors
///
/// Another item, or none.
pub fn function(item: proc_macro2::TokenStream) -> Result<ItemFn, Errors> {
    let span = item
        .clone()
        .into_iter()
        .next()
        .map_or_else(proc_macro2::Span::call_site, |t| t.span());
    let function = syn::parse2::<ItemFn>(item.clone()).map_err(|error| {
        // Another item that is well formed is the wrong place for the attribute; anything else is rustc's to say.
        match syn::parse2::<syn::Item>(item) {
            Ok(_) => Diagnostic::new(
                Code::NotAFunction,
                span,
                "`#[offload]` stands on a function, or on an `impl` block",
            )
            .help("put it on the `fn` whose loop shall run in parallel")
            .into(),
            Err(_) => error.into(),
        }
    });
    function.map(|mut function| {
        capitals::bind(&mut function);
        function
    })
}

/// The methods of an `impl` block with the attribute on each that has a loop for it; `None` where tokens are no such block. `depth` says how
/// many loops that go in order stand around those of a function that run in parallel, if it is taken.
///
/// # Errors
///
/// A block of which no method has one.
pub fn methods(
    attribute: &proc_macro2::TokenStream,
    item: &proc_macro2::TokenStream,
    any: bool,
    depth: &dyn Fn(&ItemFn) -> Option<usize>,
) -> Option<Result<proc_macro2::TokenStream, Errors>> {
    let mut block = syn::parse2::<syn::ItemImpl>(item.clone()).ok()?;
    let mut marked = 0;
    // Nothing can be declared beside a method, and one without `self` looks like any function.
    let says = attribute
        .clone()
        .into_iter()
        .any(|token| token.to_string() == "module");
    let last = attribute.clone().into_iter().last();
    let comma = last
        .filter(|last| last.to_string() != ",")
        .map(|_| quote!(,));
    let within = (!says).then(|| quote!(#comma module = false));
    let mut named = Vec::new();
    super::names::identifiers(attribute.clone(), &mut named);
    let named = named.iter().map(ToString::to_string).collect();
    let called = super::inline::Methods::of(&block, &named);
    let mut written_out = SortedSet::new();
    // Of which nothing says that threads may have them.
    let has_types = block.generics.type_params().next().is_some();
    for item in &mut block.items {
        let syn::ImplItem::Fn(method) = item else {
            continue;
        };
        let is_marked = |a: &syn::Attribute| {
            a.path()
                .segments
                .last()
                .is_some_and(|s| s.ident == "offload")
        };
        let Ok(mut function) = syn::parse2::<ItemFn>(method.to_token_stream()) else {
            continue;
        };
        // One of its own says more.
        if method.attrs.iter().any(is_marked) {
            marked += 1;
            continue;
        }
        let (mut written, mut all) = (function.clone(), function.clone());
        let mut names = SortedSet::new();
        called.write_out(&mut written, &mut names);
        let mut names_of_all = SortedSet::new();
        called.write_all_out(&mut all, &mut names_of_all);
        let words = |function: &ItemFn| function.block.to_token_stream().to_string();
        let is_more = any && words(&all) != words(&written);
        super::idioms::rewrite(&mut function);
        let sequential = super::marks::take(&mut function);
        let has_loops = !super::function::parse(&function, &sequential, &InOrder::new(), any)
            .candidates
            .is_empty();
        // What is taken as it is stays so, but for what runs as much of it at the same time and asks rustc nothing.
        let is_better = |whole: usize| match has_loops {
            true => depth(&written).is_none_or(|part| whole <= part && only_known(&all)),
            false => whole == 0 && !has_types && only_known(&all),
        };
        if is_more && depth(&all).is_some_and(is_better) {
            (written, names) = (all, names_of_all);
        } else if !has_loops {
            continue;
        }
        marked += 1;
        written_out.extend(names);
        method.block = *written.block;
        method
            .attrs
            .push(syn::parse_quote!(#[::accrue::offload(#attribute #within)]));
    }
    for item in &mut block.items {
        if let syn::ImplItem::Fn(method) = item
            && written_out.contains(&method.sig.ident.to_string())
        {
            // Nothing else may be left that calls it.
            method.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
        }
    }
    Some(match marked {
        0 => Err(Diagnostic::new(
            Code::NoLoop,
            syn::spanned::Spanned::span(&block.impl_token),
            "no method of this `impl` has a loop that changes anything from outside itself",
        )
        .help("remove the attribute, or put it on the `fn` whose loop shall run in parallel")
        .into()),
        _ => Ok(block.to_token_stream()),
    })
}

/// A method with calls of those [beside it](Args::siblings) written out: on `self`, and on whatever is known to be of the block's type.
pub fn written_out(function: &ItemFn, args: &Args) -> Vec<ItemFn> {
    let Some(block) = &args.siblings else {
        return Vec::new();
    };
    let named = args.pure.iter().map(ToString::to_string).collect();
    let called = super::inline::Methods::of(block, &named);
    let form = |write: &dyn Fn(&mut ItemFn, &mut SortedSet<String>)| {
        let (mut form, mut names) = (function.clone(), SortedSet::new());
        write(&mut form, &mut names);
        // Nothing else may be left that calls them.
        let names = names.iter().map(|name| quote::format_ident!("{name}"));
        let uses: Vec<syn::Stmt> = names
            .map(|name| syn::parse_quote!(let _ = Self::#name;))
            .collect();
        let written = !uses.is_empty();
        form.block.stmts.splice(0..0, uses);
        written.then_some(form)
    };
    let on_self = form(&|of, names| called.write_out(of, names));
    let on_all = form(&|of, names| called.write_all_out(of, names)).filter(only_known);
    on_self.into_iter().chain(on_all).collect()
}

/// Refuses a type parameter that hides what `uses(..)` names.
///
/// # Errors
///
/// One for each such parameter.
pub fn check_generics(function: &ItemFn, args: &Args) -> Result<(), Errors> {
    let mut errors = Errors::new();
    for param in function.sig.generics.type_params() {
        let hides = |path: &&syn::Path| {
            path.leading_colon.is_none() && path.segments[0].ident == param.ident
        };
        if args.uses.iter().any(|path| hides(&path)) {
            errors.push(
                Diagnostic::new(
                    Code::AnotherFunction,
                    param.ident.span(),
                    format!(
                        "the type parameter `{}` hides what `uses(..)` names",
                        param.ident
                    ),
                )
                .help("give the type parameter another name"),
            );
        }
    }
    errors.finish()
}
