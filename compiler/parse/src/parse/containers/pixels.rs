//! Pictures of the crate image in loops: their pixels as arrays of numbers.
//!
//! | written | stands for |
//! | --- | --- |
//! | `img.get_pixel(x, y)`, `img[(x, y)]` | the element `y * w + x` of a slice of `[T; 3]` |
//! | `img.put_pixel(x, y, Rgb([r, g, b]))` | an assignment to it |
//! | `p[0]`, `p.0[0]`, `let Rgb([r, g, b]) = *p;` of such a pixel `p` | `p[0]`, `let [r, g, b] = *p;` |
//! | `img.pixels()`, `img.pixels_mut()` | the slice's elements |
//!
//! A pixel that a name is bound to gets a name of its own, so that whatever else is done with it is seen: then the picture stays as it is.

use crate::sorted::Sorted;

use proc_macro2::Span;
use syn::{Expr, Ident, Local, Member, Pat, parse_quote, parse_quote_spanned};

use super::loops::{Rewriter, here};
use super::{Container, Kind};
use crate::alias;
use crate::syntax::without_parens;

/// What a name that is bound to a pixel is.
#[derive(Clone, Debug)]
pub(super) struct Pixel {
    /// The picture.
    pub(super) of: String,
    /// Whether it is a reference to the pixel.
    pub(super) by_reference: bool,
    /// How often it is bound to one.
    pub(super) bound: usize,
}

/// The names that are bound to pixels.
pub(super) type Pixels = Sorted<String, Pixel>;

/// Whether a path names a type of pixels.
fn is_pixel_type(path: &syn::Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|s| {
        ["Rgb", "Rgba", "Luma", "LumaA"]
            .iter()
            .any(|n| s.ident == n)
    })
}

/// What is inside of `Rgb(..)`.
fn inside(e: &Expr) -> Option<&Expr> {
    match without_parens(e) {
        Expr::Call(call) if call.args.len() == 1 => match without_parens(&call.func) {
            Expr::Path(path) if is_pixel_type(&path.path) => call.args.first(),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Rewriter<'a> {
    fn picture(&self, e: &Expr) -> Option<(&'a Container, Ident)> {
        self.container(e).filter(|(of, _)| of.kind == Kind::Picture)
    }

    /// The element of a slice that a pixel is, where an expression gives the pixel or a reference to it, and the latter.
    fn pixel(&self, e: &Expr) -> Option<(Expr, Option<bool>, Ident)> {
        let at = here(e);
        let (picture, x, y, by) = match without_parens(e) {
            Expr::MethodCall(call) if call.args.len() == 2 => {
                let exclusive = match call.method.to_string().as_str() {
                    "get_pixel" => false,
                    "get_pixel_mut" => true,
                    _ => return None,
                };
                let (_, name) = self.picture(&call.receiver)?;
                (name, &call.args[0], &call.args[1], Some(exclusive))
            }
            Expr::Index(index) => {
                let (_, name) = self.picture(&index.expr)?;
                match without_parens(&index.index) {
                    Expr::Tuple(at) if at.elems.len() == 2 => {
                        (name, &at.elems[0], &at.elems[1], None)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let word = picture.to_string();
        let slice = alias::slice(&word, picture.span());
        let (h, w) = (
            alias::dimension(&word, 0, at),
            alias::dimension(&word, 1, at),
        );
        let element =
            parse_quote_spanned!(at=> #slice[::accrue::__rt::flat::pixel(#x, #y, #h, #w)]);
        Some((element, by, picture))
    }

    /// The name that a pixel is bound to.
    fn named(&self, e: &Expr) -> Option<(&Pixel, Ident)> {
        let Expr::Path(path) = without_parens(e) else {
            return None;
        };
        let name = path.path.get_ident()?;
        let pixel = self.pixels.get(&name.to_string())?;
        Some((pixel, alias::pixel(&name.to_string(), name.span())))
    }

    /// The place of the numbers of a pixel, or of a reference to one: `*p`, `p.0`, `*img.get_pixel(x, y)`.
    fn numbers(&self, e: &Expr) -> Option<Expr> {
        match without_parens(e) {
            Expr::Unary(deref) if matches!(deref.op, syn::UnOp::Deref(_)) => {
                if let Some((pixel, name)) = self.named(&deref.expr) {
                    return pixel
                        .by_reference
                        .then(|| parse_quote_spanned!(here(e)=> *#name));
                }
                let (element, by, _) = self.pixel(&deref.expr)?;
                by.is_some().then_some(element)
            }
            Expr::Field(field) if matches!(&field.member, Member::Unnamed(n) if n.index == 0) => {
                match self.named(&field.base) {
                    Some((pixel, name)) if pixel.by_reference => {
                        Some(parse_quote_spanned!(here(e)=> (*#name)))
                    }
                    Some((_, name)) => Some(parse_quote!(#name)),
                    None => match self.pixel(&field.base) {
                        Some((element, ..)) => Some(element),
                        None => self.numbers(&field.base),
                    },
                }
            }
            e => match self.named(e) {
                Some((pixel, name)) => (!pixel.by_reference).then(|| parse_quote!(#name)),
                None => {
                    let (element, by, _) = self.pixel(e)?;
                    by.is_none().then_some(element)
                }
            },
        }
    }

    /// The numbers of the value that is assigned to a pixel.
    fn value(&self, e: &Expr) -> Option<Expr> {
        inside(e).cloned().or_else(|| self.numbers(e))
    }

    /// What an expression with a pixel in it stands for; its parts are still to be looked at.
    pub(super) fn pixel_form(&self, e: &Expr) -> Option<Expr> {
        let at = here(e);
        match e {
            Expr::Assign(assign) => {
                let place = self.numbers(&assign.left)?;
                // `p.0 = [r, g, b]` has the numbers already.
                let value = match without_parens(&assign.left) {
                    Expr::Field(_) => (*assign.right).clone(),
                    _ => self.value(&assign.right)?,
                };
                Some(parse_quote_spanned!(at=> #place = #value))
            }
            Expr::Index(index) => {
                let n = &index.index;
                let of = match (self.named(&index.expr), self.pixel(&index.expr)) {
                    (Some((_, name)), _) => parse_quote!(#name),
                    (_, Some((element, ..))) => element,
                    _ => self.numbers(&index.expr)?,
                };
                Some(parse_quote_spanned!(at=> #of[#n]))
            }
            Expr::MethodCall(call) => {
                let (_, name) = self.picture(&call.receiver)?;
                let word = name.to_string();
                let slice = alias::slice(&word, name.span());
                let (h, w) = (
                    alias::dimension(&word, 0, at),
                    alias::dimension(&word, 1, at),
                );
                let arguments: Vec<&Expr> = call.args.iter().collect();
                let (height, width) = (alias::side(&word, 0, at), alias::side(&word, 1, at));
                match (call.method.to_string().as_str(), &arguments[..]) {
                    ("width", []) => Some(parse_quote!(#width)),
                    ("height", []) => Some(parse_quote!(#height)),
                    ("dimensions", []) => Some(parse_quote_spanned!(at=> (#width, #height))),
                    ("put_pixel", [x, y, value]) => {
                        let value = self.value(value)?;
                        Some(parse_quote_spanned!(at=>
                            #slice[::accrue::__rt::flat::pixel(#x, #y, #h, #w)] = #value
                        ))
                    }
                    _ => None,
                }
            }
            // What is in a pixel has the type that it has in the slice.
            Expr::Field(_) => self.numbers(e),
            _ => None,
        }
    }

    /// Binds a pattern to pixels of a picture.
    pub(super) fn bind_pixel(&mut self, pat: &mut Pat, of: &Ident, by_reference: bool) {
        match pat {
            Pat::Type(typed) => self.bind_pixel(&mut typed.pat, of, by_reference),
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                let word = name.ident.to_string();
                let pixel = self.pixels.or_insert(
                    word.clone(),
                    Pixel {
                        of: of.to_string(),
                        by_reference,
                        bound: 0,
                    },
                );
                pixel.bound += 1;
                // What is one thing here and another there is nothing that is known.
                if pixel.by_reference != by_reference || *of != pixel.of {
                    let other = pixel.of.clone();
                    self.refused.extend([of.to_string(), other]);
                }
                name.ident = alias::pixel(&word, name.ident.span());
            }
            Pat::TupleStruct(numbers)
                if numbers.elems.len() == 1 && is_pixel_type(&numbers.path) =>
            {
                *pat = numbers.elems[0].clone();
            }
            // `&p`, and `&Rgb([r, g, b])`.
            Pat::Reference(inner) if by_reference && inner.mutability.is_none() => {
                self.bind_pixel(&mut inner.pat, of, false);
            }
            Pat::Wild(_) => {}
            _ => {
                self.refused.insert(of.to_string());
            }
        }
    }

    /// `let p = img.get_pixel(x, y);`, `let Rgb([r, g, b]) = *p;`, and tuples of these.
    pub(super) fn pixel_local(&mut self, local: &mut Local) {
        if let Some(init) = local.init.as_mut().filter(|init| init.diverge.is_none()) {
            self.pixel_value(&mut local.pat, &mut init.expr);
        }
    }

    fn pixel_value(&mut self, pat: &mut Pat, value: &mut Expr) {
        if let (Pat::Tuple(pats), Expr::Tuple(values)) = (&mut *pat, &mut *value)
            && pats.elems.len() == values.elems.len()
        {
            let pairs = pats.elems.iter_mut().zip(&mut values.elems);
            return pairs.for_each(|(pat, value)| self.pixel_value(pat, value));
        }
        let Some((form, of, by_reference)) = self.bindable(value) else {
            return;
        };
        *value = form;
        if let Pat::Type(typed) = pat {
            *pat = (*typed.pat).clone();
        }
        let of = Ident::new(&of, Span::call_site());
        self.bind_pixel(pat, &of, by_reference);
    }

    /// The numbers of a pixel or a reference to them, whose picture it is, and which of the two.
    fn bindable(&self, value: &Expr) -> Option<(Expr, String, bool)> {
        let at = here(value);
        match without_parens(value) {
            Expr::Reference(r) if r.mutability.is_none() => match self.pixel(&r.expr)? {
                (element, None, of) => {
                    Some((parse_quote_spanned!(at=> &#element), of.to_string(), true))
                }
                _ => None,
            },
            Expr::Unary(deref) if matches!(deref.op, syn::UnOp::Deref(_)) => {
                let of = match (self.named(&deref.expr), self.pixel(&deref.expr)) {
                    (Some((pixel, _)), _) => pixel.of.clone(),
                    (_, Some((_, _, of))) => of.to_string(),
                    _ => return None,
                };
                Some((self.numbers(value)?, of, false))
            }
            value => match (self.named(value), self.pixel(value)) {
                (Some((pixel, name)), _) => {
                    Some((parse_quote!(#name), pixel.of.clone(), pixel.by_reference))
                }
                (_, Some((element, by, of))) => {
                    let form = match by {
                        None => element,
                        Some(false) => parse_quote_spanned!(at=> &#element),
                        Some(true) => parse_quote_spanned!(at=> &mut #element),
                    };
                    Some((form, of.to_string(), by.is_some()))
                }
                _ => None,
            },
        }
    }

    /// `img.pixels()` in a chain of `enumerate` and `zip`.
    pub(super) fn pixel_items(&mut self, pat: &mut Pat, e: &mut Expr) {
        let Expr::MethodCall(call) = e else { return };
        match (call.method.to_string().as_str(), call.args.len()) {
            ("enumerate", 0) => {
                if let Pat::Tuple(tuple) = pat
                    && tuple.elems.len() == 2
                {
                    self.pixel_items(&mut tuple.elems[1], &mut call.receiver);
                }
            }
            ("zip", 1) => {
                if let Pat::Tuple(tuple) = pat
                    && tuple.elems.len() == 2
                {
                    self.pixel_items(&mut tuple.elems[0], &mut call.receiver);
                    self.pixel_items(&mut tuple.elems[1], &mut call.args[0]);
                }
            }
            (name @ ("pixels" | "pixels_mut"), 0) => {
                let Some((_, picture)) = self.picture(&call.receiver) else {
                    return;
                };
                self.bind_pixel(pat, &picture, true);
                let slice = alias::slice(&picture.to_string(), picture.span());
                *e = match name {
                    "pixels" => parse_quote_spanned!(here(e)=> #slice.iter()),
                    _ => parse_quote_spanned!(here(e)=> #slice.iter_mut()),
                };
            }
            _ => {}
        }
    }
}
