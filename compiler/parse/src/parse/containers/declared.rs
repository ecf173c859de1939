//! The arrays among the parameters and locals of a function, as far as their types are written.

use crate::sorted::Sorted;

use crate::syntax::visit::{self, Visit};
use syn::{
    Expr, FnArg, GenericArgument, ItemFn, Pat, PathArguments, ReturnType, Stmt, Type, parse_quote,
};

use super::{Container, Kind};
use crate::syntax::without_parens;

/// What the name of a type says: how many dimensions, and whether elements may be changed by way of a value of it; `None` where the type says it
/// itself.
fn type_of(name: &str) -> Option<(usize, Option<bool>)> {
    let (kind, rank) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let rank = rank.parse().ok().filter(|rank| (1..=3).contains(rank))?;
    let writable = match kind {
        "Array" | "ArrayRef" => None,
        "ArrayView" => Some(false),
        "ArrayViewMut" => Some(true),
        _ => return None,
    };
    Some((rank, writable))
}

/// The array that a path names, `Array2<f32>` or `Array<f32, Ix2>`, with the type of its elements.
fn of_path(path: &syn::Path) -> Option<(usize, Option<bool>, Type)> {
    let last = path.segments.last()?;
    let arguments: Vec<&Type> = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => {
            let types = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            types.collect()
        }
        _ => Vec::new(),
    };
    let elem = arguments.first().map(|ty| (*ty).clone());
    let elem = elem.unwrap_or_else(|| parse_quote!(_));
    let name = last.ident.to_string();
    if let Some((rank, writable)) = type_of(&name) {
        return Some((rank, writable, elem));
    }
    // Where the dimension is an argument.
    let Some(Type::Path(dimension)) = arguments.get(1) else {
        return None;
    };
    let dimension = dimension.path.segments.last()?.ident.to_string();
    let (rank, writable) = type_of(&format!("{name}{}", dimension.strip_prefix("Ix")?))?;
    Some((rank, writable, elem))
}

/// The pixels of the picture that a path names, `RgbImage` or `ImageBuffer<Luma<u16>, Vec<u16>>`, as arrays.
fn of_picture(path: &syn::Path) -> Option<Type> {
    let last = path.segments.last()?;
    let (channels, number): (usize, Type) = match last.ident.to_string().as_str() {
        "GrayImage" => (1, parse_quote!(u8)),
        "GrayAlphaImage" => (2, parse_quote!(u8)),
        "RgbImage" => (3, parse_quote!(u8)),
        "RgbaImage" => (4, parse_quote!(u8)),
        "Rgb32FImage" => (3, parse_quote!(f32)),
        "Rgba32FImage" => (4, parse_quote!(f32)),
        "ImageBuffer" => {
            let Some(Type::Path(pixel)) = argument(last) else {
                return None;
            };
            let pixel = pixel.path.segments.last()?;
            let channels = match pixel.ident.to_string().as_str() {
                "Luma" => 1,
                "LumaA" => 2,
                "Rgb" => 3,
                "Rgba" => 4,
                _ => return None,
            };
            (channels, argument(pixel)?.clone())
        }
        _ => return None,
    };
    Some(parse_quote!([#number; #channels]))
}

/// The first type between the angle brackets of a name.
fn argument(of: &syn::PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &of.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The arrays among the parameters and locals of a function, by name. A name that stands for several things is none.
pub(super) fn all(function: &ItemFn) -> Sorted<String, Container> {
    #[derive(Default)]
    struct Finder {
        found: Sorted<String, Container>,
        bound: Sorted<String, usize>,
        returned: Sorted<String, Type>,
    }
    impl Finder {
        fn add(&mut self, pat: &Pat, ty: &Type) {
            let Pat::Ident(name) = pat else { return };
            let (ty, reference) = match ty {
                Type::Reference(r) => (&*r.elem, Some(r.mutability.is_some())),
                ty => (ty, None),
            };
            let Type::Path(path) = ty else { return };
            if path.qself.is_some() || name.subpat.is_some() || name.by_ref.is_some() {
                return;
            }
            let array = of_path(&path.path).map(|of| (Kind::Array, of));
            let picture = || Some((Kind::Picture, (2, None, of_picture(&path.path)?)));
            if let Some((kind, (rank, writable, elem))) = array.or_else(picture) {
                let exclusive = reference.unwrap_or(name.mutability.is_some());
                let container = Container {
                    kind,
                    rank,
                    elem,
                    by_reference: reference.is_some(),
                    writable: exclusive && writable.unwrap_or(true),
                };
                self.found.insert(name.ident.to_string(), container);
            }
        }
    }
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::PatIdent(pat) => {
                    *self.bound.or_default(pat.ident.to_string()) += 1;
                    visit::visit_pat_ident(self, pat);
                }
                visit::Node::Local(local) => {
                    match (&local.pat, &local.init) {
                        (Pat::Type(typed), _) => self.add(&typed.pat, &typed.ty),
                        (Pat::Ident(name), Some(init)) => {
                            // What the function returns may say more.
                            let returned = self.returned.get(&name.ident.to_string()).cloned();
                            for ty in constructed(&init.expr).into_iter().chain(returned) {
                                self.add(&local.pat, &ty);
                            }
                        }
                        _ => {}
                    }
                    visit::visit_local(self, local);
                }
                visit::Node::Item(_) => {}
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder::default();
    if let (ReturnType::Type(_, ty), Some(Stmt::Expr(Expr::Path(path), None))) =
        (&function.sig.output, function.block.stmts.last())
        && let Some(name) = path.path.get_ident()
    {
        finder.returned.insert(name.to_string(), (**ty).clone());
    }
    for input in &function.sig.inputs {
        if let FnArg::Typed(param) = input {
            finder.visit_pat(&param.pat);
            finder.add(&param.pat, &param.ty);
        }
    }
    finder.visit_block(&function.block);
    let Finder {
        mut found, bound, ..
    } = finder;
    found.retain(|name, _| bound.get(name) == Some(&1));
    found
}

/// The type whose constructor makes a value: `Array2::<f32>::zeros((h, w))`.
fn constructed(value: &Expr) -> Option<Type> {
    let Expr::Call(call) = without_parens(value) else {
        return None;
    };
    let Expr::Path(path) = without_parens(&call.func) else {
        return None;
    };
    let mut ty = path.path.clone();
    let name = ty.segments.pop()?.ident.to_string();
    ty.segments.pop_punct();
    // What gives the array itself, and no `Result`.
    let makes = matches!(
        name.as_str(),
        "new"
            | "from_pixel"
            | "from_fn"
            | "zeros"
            | "ones"
            | "default"
            | "from_elem"
            | "from_shape_fn"
            | "eye"
            | "from_vec"
            | "from_iter"
    );
    (path.qself.is_none() && makes && !ty.segments.is_empty()).then(|| parse_quote!(#ty))
}
