//! Items inside a loop's body: what they hide, and what stands for a name among them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::lower::Lower;
use super::names::{self, Key};

impl Lower<'_> {
    /// Enters a block with the items that it declares.
    pub(super) fn enter_items(&mut self, block: &syn::Block) {
        let (mut imports, mut hidden) = (Vec::new(), Vec::new());
        for stmt in &block.stmts {
            match stmt {
                syn::Stmt::Item(item @ syn::Item::Use(_)) => imports.push(item.clone()),
                syn::Stmt::Item(item) => hidden.extend(names::declared(item)),
                _ => {}
            }
        }
        self.imports.push(imports);
        self.hidden.push(hidden);
    }

    /// Leaves it.
    pub(super) fn leave_items(&mut self) {
        self.imports.pop();
        self.hidden.pop();
    }

    /// Whether a path begins with an item of the body.
    pub(super) fn is_hidden(&self, path: &syn::Path) -> bool {
        path.leading_colon.is_none()
            && path.segments.first().is_some_and(|first| {
                let mut hidden = self.hidden.iter().flatten();
                hidden.any(|name| first.ident == name)
            })
    }

    /// Tokens that mean before the loop what they mean at this place of its body.
    pub(super) fn with_imports(&self, tokens: TokenStream) -> TokenStream {
        if self.within.is_some() {
            return tokens;
        }
        let imports = self
            .imports
            .iter()
            .rev()
            .filter(|imports| !imports.is_empty());
        imports.fold(
            tokens,
            |tokens, imports| quote!({ #[allow(unused_imports)] #(#imports)* #tokens }),
        )
    }

    /// The key of a constant: its path, with the imports that may lead to it.
    pub(super) fn key_of_path(&self, path: &syn::Path) -> Key {
        let text = crate::source::text_of(&path.to_token_stream());
        let imports = self.imports.iter().flatten();
        Key::name(imports.fold(text, |text, import| {
            format!(
                "{text} by `{}`",
                crate::source::text_of(&import.to_token_stream())
            )
        }))
    }

    /// Whether an import in the body may bring in what a variable's name stands for here.
    pub(super) fn is_imported(&self, name: &str) -> bool {
        let mut imports = self.imports.iter().flatten();
        imports.any(|import| {
            names::declared(import)
                .iter()
                .any(|declared| declared == name)
        })
    }
}
