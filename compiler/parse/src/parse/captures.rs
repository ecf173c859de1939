//! What the body uses from outside: captured arrays, captured values, and their types.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

use super::lower::{Assigned, Lower};
use super::names::Key;
use super::outer::Outer;
use super::place::{Len, View};
use crate::ir::{Access, Array, ArrayId, Extent, Length, Root, Scalar, Type, VarId, VarKind};
use crate::syntax::{ArraySyntax, Capture, Shape};

impl<'a> Lower<'a> {
    /// The declaration of a captured place's root.
    pub fn declaration(&self, key: &Key) -> Option<&'a Outer> {
        self.outer.get(&key.root)
    }

    /// The shape of a captured place.
    pub fn shape(&self, key: &Key) -> Shape {
        let replaced = |of: &Shape| {
            let is_memory = !matches!(of, Shape::Elem(_) | Shape::Unknown);
            is_memory && self.assigned.iter().any(|a| a.replaced && a.key == *key)
        };
        match self.declaration(key) {
            Some(outer) if key.fields.is_empty() && !replaced(&outer.shape) => outer.shape.clone(),
            _ => Shape::Unknown,
        }
    }

    /// Whether the body assigns the place or a part of it.
    pub fn assigns(&self, key: &Key) -> Option<&Assigned> {
        self.assigned.iter().find(|a| a.key.overlaps(key))
    }

    /// Whether a captured place is memory that is indexed: by its type, or because the body indexes it.
    pub fn is_array(&self, key: &Key) -> bool {
        match self.shape(key) {
            Shape::Slice(_) | Shape::Array(..) | Shape::Vec(_) | Shape::Str => true,
            Shape::Elem(_) => false,
            Shape::Unknown => {
                self.array_keys.iter().any(|(k, _)| k == key)
                    || self.assigned.iter().any(|a| a.indexed && a.key == *key)
            }
        }
    }

    /// A captured array as a whole.
    pub fn array(&mut self, key: &Key, expr: &syn::Expr) -> View {
        let id = match self.array_keys.iter().find(|(k, _)| k == key) {
            Some((_, id)) => *id,
            None => {
                self.check_around(key, expr);
                let shape = self.shape(key);
                let id = self.new_array(key_text(key), expr, shape);
                self.array_keys.push((key.clone(), id));
                id
            }
        };
        self.view_of(id)
    }

    /// A captured array that is no plain place: `&data[1..]`, under the name that it is bound to before the loop.
    pub fn array_of_expr(&mut self, expr: &syn::Expr, bound: syn::Ident, shape: Shape) -> View {
        let name = crate::source::text_of(&expr.to_token_stream());
        let id = self.new_array(name, expr, shape);
        self.array_syntax[id.0 as usize].expr = syn::parse_quote!(#bound);
        self.view_of(id)
    }

    fn view_of(&self, id: ArrayId) -> View {
        let array = &self.arrays[id.0 as usize];
        View {
            root: Root::Array(id),
            path: Vec::new(),
            base: None,
            len: Len::Array(id),
            elem: array.elem.clone(),
            text: false,
        }
    }

    fn new_array(&mut self, name: String, expr: &syn::Expr, shape: Shape) -> ArrayId {
        let source = self.source(expr);
        let (elem, extent) = match &shape {
            Shape::Slice(elem) | Shape::Vec(elem) => (self.elem_type(elem), Extent::Runtime),
            Shape::Array(elem, len) => (self.elem_type(elem), Extent::Fixed(self.length(len))),
            Shape::Str => (Type::Scalar(Scalar::U8), Extent::Runtime),
            Shape::Elem(ty) => (
                Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream()))),
                Extent::Runtime,
            ),
            Shape::Unknown => (self.infer.fresh_external(), Extent::Runtime),
        };
        let id = ArrayId(self.arrays.len() as u32);
        self.arrays.push(Array {
            name,
            elem,
            extent,
            access: Access::LengthOnly,
            source,
        });
        let variable = match expr {
            syn::Expr::Path(path) => path.path.get_ident().and_then(|name| {
                let outer = self.outer.get(&name.to_string())?;
                let reference = outer.by_reference == Some(true);
                let own = !outer.constant && name != "self";
                (reference && own).then(|| name.clone())
            }),
            _ => None,
        };
        // What a field is, rustc says in the expansion.
        let known = match &shape {
            Shape::Unknown => matches!(expr, syn::Expr::Field(_)),
            Shape::Elem(_) => false,
            _ => true,
        };
        let outer = super::names::root_of(expr).and_then(|root| self.outer.get(&root.to_string()));
        self.array_syntax.push(ArraySyntax {
            expr: expr.clone(),
            shape,
            variable,
            writable: known && outer.is_some_and(|outer| outer.writable),
        });
        id
    }

    /// The value of a captured place: one variable for each place.
    pub fn captured(&mut self, key: &Key, expr: &syn::Expr) -> VarId {
        if let Some((_, var)) = self.value_keys.iter().find(|(k, _)| k == key) {
            return *var;
        }
        let ty = match self.shape(key) {
            Shape::Elem(ty) => self.written_type(&ty),
            Shape::Unknown => self.infer.fresh_external(),
            Shape::Slice(_) | Shape::Array(..) | Shape::Vec(_) | Shape::Str => Type::Opaque(None),
        };
        let reduced = self.assigned.iter().any(|a| a.key == *key);
        let by_reference = key.fields.is_empty()
            && self
                .declaration(key)
                .is_some_and(|outer| outer.by_reference == Some(true));
        let tokens = if by_reference {
            quote!(*#expr)
        } else {
            expr.to_token_stream()
        };
        let tokens = self.with_imports(tokens);
        let scalar = self.declaration(key).and_then(|outer| {
            let own = key.fields.is_empty() && !outer.constant && outer.by_reference == Some(false);
            // All that ranges count through is.
            let counted = key.fields.is_empty() && outer.range.is_some();
            let ident = match expr {
                syn::Expr::Path(path) => path.path.get_ident(),
                _ => None,
            };
            ident
                .filter(|_| counted || own && matches!(ty, Type::Scalar(_)))
                .cloned()
        });
        let var = if reduced {
            let source = self.source(expr);
            let var = self.var(key_text(key), ty, VarKind::Reduced, source);
            self.reduced.insert(var, expr.clone());
            var
        } else {
            let var = self.capture_tokens(key_text(key), tokens, expr.span(), ty);
            if let Some(capture) = self.captures.last_mut() {
                capture.scalar = scalar;
            }
            var
        };
        self.value_keys.push((key.clone(), var));
        var
    }

    /// A captured value of its own: something invariant that the host evaluates.
    pub fn capture_tokens(
        &mut self,
        name: String,
        tokens: TokenStream,
        span: Span,
        ty: Type,
    ) -> VarId {
        let source = self.sources.add(tokens.clone(), span);
        let var = self.var(name, ty, VarKind::Captured, source);
        self.captures.push(Capture {
            var,
            tokens,
            cast: false,
            scalar: None,
            constant: None,
            source,
        });
        var
    }

    /// The type of an element of captured memory.
    fn elem_type(&mut self, shape: &Shape) -> Type {
        match shape {
            Shape::Array(elem, len) => {
                let elem = self.elem_type(elem);
                Type::Array(Box::new(elem), self.length(len))
            }
            Shape::Elem(ty) => match self.written_type(ty) {
                // Rust leaves the layout of tuples open, so that only rustc knows what is in memory; but where there are no gaps it can be asked.
                known if known.lies_open() => {
                    Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream())))
                }
                known => known,
            },
            Shape::Unknown => self.infer.fresh_external(),
            Shape::Slice(_) | Shape::Vec(_) => Type::Opaque(Some("a slice within a slice".into())),
            Shape::Str => Type::Opaque(Some("str".into())),
        }
    }

    /// A type as the user wrote it, references left out.
    pub fn written_type(&mut self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Paren(t) => self.written_type(&t.elem),
            syn::Type::Group(t) => self.written_type(&t.elem),
            syn::Type::Reference(t) => self.written_type(&t.elem),
            syn::Type::Infer(_) => self.infer.fresh(crate::infer::Class::Any),
            syn::Type::Never(_) => Type::Never,
            syn::Type::Tuple(t) if t.elems.is_empty() => Type::Unit,
            syn::Type::Tuple(t) => {
                Type::Tuple(t.elems.iter().map(|t| self.written_type(t)).collect())
            }
            // A kernel's function has no lengths that only the host knows.
            syn::Type::Array(t) if self.within.is_some() && !matches!(t.len, syn::Expr::Lit(_)) => {
                Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream())))
            }
            syn::Type::Array(t) => {
                let elem = self.written_type(&t.elem);
                Type::Array(Box::new(elem), self.length(&t.len))
            }
            syn::Type::Path(path) if path.qself.is_none() => {
                // `std::primitive::u8` is as good as `u8`.
                match super::names::primitive_of(&path.path) {
                    Some(scalar) => Type::Scalar(scalar),
                    None => match self.struct_type(&path.path) {
                        Some(known) => Type::Struct(Box::new(known)),
                        None => Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream()))),
                    },
                }
            }
            _ => Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream()))),
        }
    }

    /// The length in an array type: a number, or a captured `usize`.
    pub fn length(&mut self, len: &syn::Expr) -> Length {
        if let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) = len
            && let Ok(n) = n.base10_parse()
        {
            return Length::Known(n);
        }
        let text = crate::source::text_of(&len.to_token_stream());
        let key = Key::name(format!("const {text}"));
        if let Some((_, var)) = self.value_keys.iter().find(|(k, _)| *k == key) {
            return Length::Captured(*var);
        }
        let var = self.capture_tokens(
            text,
            len.to_token_stream(),
            len.span(),
            Type::Scalar(Scalar::Usize),
        );
        self.value_keys.push((key, var));
        Length::Captured(var)
    }
}

/// The text of a place: `self.bins`.
pub(super) fn key_text(key: &Key) -> String {
    let mut text = crate::alias::shown(&key.root);
    for field in &key.fields {
        text.push('.');
        text.push_str(field);
    }
    text
}
