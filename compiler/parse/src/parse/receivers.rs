//! What methods of types beside a function are called on, where that is no name: a field, an element, what a map keeps.
//!
//! | written | stands for |
//! | --- | --- |
//! | `self.counter.note(c)` | that field, whose struct is declared beside the function as well |
//! | `hist[k].add(v)`, of a `hist: &mut [Bin]` | `{ let element = &mut hist[k]; element.add(v) }` |
//! | `m.entry(k).or_default().add(v)`, of a `m: &mut HashMap<K, Bin>` | `{ let element = m.entry(k).or_default(); element.add(v) }` |
//!
//! The text says of which types they are, and rustc is asked whether it is so. From one raw pointer nothing leads to another:
//!
//! ```text
//! let _ = |it: &mut [Bin]| { let _: *mut Bin = &raw mut it[0]; };
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Expr, GenericArgument, Item, ItemFn, Member, Pat, PathArguments, Stmt, Type, parse_quote,
};

use crate::alias;
use crate::sorted::{Sorted, SortedSet};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

use super::names::{Key, identifiers, key_of};

/// Places by what leads to them: names whose types are written, and fields.
pub(super) struct Places(Sorted<Key, Place>);

#[derive(Clone)]
struct Place {
    /// The type of the name at its root.
    root: Type,
    /// What leads from there to it.
    path: TokenStream,
    ty: Type,
}

impl Places {
    /// Those of a function, beside the types that its file declares. `own` is what `self` is.
    pub(super) fn of(function: &ItemFn, types: &[Item], own: Option<&Type>) -> Places {
        let mut names = Names::default();
        names.visit_item_fn(function);
        let mut typed = names.typed;
        typed.retain(|name, _| !names.items && names.bound.get(name) == Some(&1));
        if let Some(own) = own.filter(|_| function.sig.receiver().is_some()) {
            typed.insert("self".to_owned(), own.clone());
        }
        let mut places = Sorted::new();
        for (name, ty) in typed {
            let root = match name.as_str() {
                "self" => parse_quote!(Self),
                _ => ty.clone(),
            };
            let of_name = Place {
                root,
                path: quote!(it),
                ty,
            };
            let mut open = vec![(Key::name(name), of_name)];
            while let Some((key, place)) = open.pop() {
                // A struct may lead to itself.
                if key.fields.len() < 3 {
                    open.extend(fields(&key, &place, types));
                }
                places.insert(key, place);
            }
        }
        Places(places)
    }

    /// The fields of some type.
    pub(super) fn of_type(&self, is_it: impl Fn(&Type) -> bool) -> Vec<(Key, Stmt)> {
        let fields = self
            .0
            .iter()
            .filter(|(key, place)| !key.fields.is_empty() && is_it(&place.ty));
        fields
            .map(|(key, place)| (key.clone(), place.question(&place.ty, &quote!())))
            .collect()
    }

    /// Of which type an element is, or what a map keeps, and what asks whether it is so.
    pub(super) fn element(&self, e: &Expr) -> Option<Element> {
        let (key, of_map) = container(e)?;
        let place = self.0.get(&key)?;
        let ty = kept(&place.ty, of_map)?;
        let suffix = match of_map {
            true => quote!(.entry(loop {}).or_insert(loop {})),
            false => quote!([0]),
        };
        let question = match of_map {
            true => place.asked(&ty, |path| quote!(*#path #suffix)),
            false => place.question(&ty, &suffix),
        };
        Some(Element { key, ty, question })
    }
}

/// An element of a container that has a place.
pub(super) struct Element {
    /// The container.
    pub(super) key: Key,
    pub(super) ty: Type,
    pub(super) question: Stmt,
}

impl Place {
    fn question(&self, ty: &Type, suffix: &TokenStream) -> Stmt {
        self.asked(ty, |path| quote!(#path #suffix))
    }

    /// Asks whether a place that this one leads to is of a type.
    fn asked(&self, ty: &Type, place: impl Fn(&TokenStream) -> TokenStream) -> Stmt {
        let (root, place) = (&self.root, place(&self.path));
        parse_quote! {
            #[allow(unused, unreachable_code, clippy::all, clippy::pedantic)]
            let _ = |it: &mut #root| {
                let _: *mut #ty = &raw mut #place;
            };
        }
    }
}

/// The fields of a place whose type is a struct among some, but for those under conditions.
fn fields(key: &Key, place: &Place, types: &[Item]) -> Vec<(Key, Place)> {
    let Type::Path(path) = &place.ty else {
        return Vec::new();
    };
    let of = types.iter().find_map(|item| match item {
        Item::Struct(of) if path.path.is_ident(&of.ident) && of.generics.params.is_empty() => {
            Some(of)
        }
        _ => None,
    });
    let fields = of.into_iter().flat_map(|of| of.fields.iter());
    let fields = fields.filter(|field| field.attrs.iter().all(|a| !a.path().is_ident("cfg")));
    let named = fields.filter_map(|field| {
        let name = field.ident.as_ref()?;
        let (root, path) = (place.root.clone(), &place.path);
        let of = Place {
            root,
            path: quote!(#path.#name),
            ty: field.ty.clone(),
        };
        Some((key.field(&Member::Named(name.clone())), of))
    });
    named.collect()
}

/// What `x[i]` is an element of, and `x.entry(k).or_default()`; whether the latter.
fn container(e: &Expr) -> Option<(Key, bool)> {
    let (of, of_map) = match without_parens(e) {
        Expr::Index(of) => (&of.expr, false),
        Expr::MethodCall(of) => {
            match (of.method.to_string().as_str(), without_parens(&of.receiver)) {
                ("or_default" | "or_insert" | "or_insert_with", Expr::MethodCall(entry))
                    if entry.method == "entry" =>
                {
                    (&entry.receiver, true)
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    let (key, indexed) = key_of(of)?;
    (!indexed).then_some((key, of_map))
}

/// What a collection holds, by the words of its type.
fn kept(ty: &Type, of_map: bool) -> Option<Type> {
    match ty {
        Type::Slice(of) if !of_map => Some((*of.elem).clone()),
        Type::Array(of) if !of_map => Some((*of.elem).clone()),
        Type::Path(of) => {
            let last = of.path.segments.last()?;
            let PathArguments::AngleBracketed(args) = &last.arguments else {
                return None;
            };
            let at = match (last.ident.to_string().as_str(), of_map) {
                ("Vec", false) => 0,
                ("HashMap" | "BTreeMap", true) => 1,
                _ => return None,
            };
            let mut types = args.args.iter().filter_map(|arg| match arg {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            types.nth(at).cloned()
        }
        _ => None,
    }
}

/// The names of a function whose types are written, and how often each is bound.
#[derive(Default)]
struct Names {
    typed: Sorted<String, Type>,
    bound: Sorted<String, usize>,
    items: bool,
}

impl<'a> Visit<'a> for Names {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::PatType(typed) => {
                if let Pat::Ident(name) = &*typed.pat
                    && name.by_ref.is_none()
                {
                    let ty = match &*typed.ty {
                        Type::Reference(of) => &of.elem,
                        ty => ty,
                    };
                    self.typed.insert(name.ident.to_string(), ty.clone());
                }
                visit::visit_pat_type(self, typed);
            }
            visit::Node::PatIdent(pat) => {
                *self.bound.or_default(pat.ident.to_string()) += 1;
                visit::visit_pat_ident(self, pat);
            }
            visit::Node::Item(_) => self.items = true,
            _ => node.parts(self),
        }
    }
}

/// Gives a name to the elements on which loops call methods that change them.
pub(super) struct Namer<'a> {
    pub(super) places: &'a Places,
    /// Whether a method of that name is one of a type.
    pub(super) changes: &'a dyn Fn(&str, &Type) -> bool,
    pub(super) questions: Vec<Stmt>,
    /// What the loops around count by: iterations have these elements for themselves.
    counts: SortedSet<String>,
    inside: bool,
}

impl<'a> Namer<'a> {
    pub(super) fn new(places: &'a Places, changes: &'a dyn Fn(&str, &Type) -> bool) -> Self {
        Namer {
            places,
            changes,
            questions: Vec::new(),
            counts: SortedSet::new(),
            inside: false,
        }
    }
}

impl VisitMut for Namer<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                let mut words = Vec::new();
                identifiers(of.pat.to_token_stream(), &mut words);
                let inside = std::mem::replace(&mut self.inside, true);
                let mut header = Vec::new();
                identifiers(of.expr.to_token_stream(), &mut header);
                let by_range = matches!(without_parens(&of.expr), Expr::Range(_));
                if by_range || header.iter().any(|word| word == "enumerate") {
                    self.counts.extend(words.first().map(ToString::to_string));
                }
                self.visit_block_mut(&mut of.body);
                self.inside = inside;
            }
            visit_mut::Node::Item(_) => {}
            visit_mut::Node::Expr(e) => {
                visit_mut::visit_expr_mut(self, e);
                let Expr::MethodCall(call) = e else { return };
                if !self.inside {
                    return;
                }
                if let Expr::Index(of) = without_parens(&call.receiver)
                    && let Expr::Path(at) = without_parens(&of.index)
                    && at
                        .path
                        .get_ident()
                        .is_some_and(|at| self.counts.contains(&at.to_string()))
                {
                    return;
                }
                let Some(of) = self.places.element(&call.receiver) else {
                    return;
                };
                let mut words = Vec::new();
                identifiers(call.args.to_token_stream(), &mut words);
                // What they read of the container is read before the element is changed, which its name would not let.
                let apart = words.iter().all(|word| *word != of.key.root);
                if !apart || !(self.changes)(&call.method.to_string(), &of.ty) {
                    return;
                }
                self.questions.push(of.question);
                let of_map = matches!(without_parens(&call.receiver), Expr::MethodCall(_));
                let name = alias::element(of_map, call.method.span());
                let receiver = std::mem::replace(&mut call.receiver, parse_quote!(#name));
                let borrow = (!of_map).then(|| quote!(&mut));
                *e = parse_quote!({
                    let #name = #borrow #receiver;
                    #e
                });
            }
            _ => node.parts(self),
        }
    }
}
