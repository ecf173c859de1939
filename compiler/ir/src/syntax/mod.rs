//! The user's syntax, as far as more than one stage reads it: what ties the IR to it, and what is asked of names and paths. It
//! knows the IR and nothing of any stage.

pub mod by_example;
pub mod constants;
pub mod definitions;
pub mod inferred;
pub mod known;
pub mod names;
pub mod sites;
pub mod taken;
pub mod visit;
pub mod visit_mut;

use proc_macro2::{Span, TokenStream};
use syn::Expr;

use crate::ir;

/// An assignment as the user wrote it.
#[derive(Clone, Debug)]
pub struct AssignSyntax {
    /// Its site number.
    pub site: usize,
    /// The operator's token.
    pub operator: Span,
    /// The left side names the target and its indices, nothing in between.
    pub direct: bool,
}

/// The type of captured memory, as far as the macro sees it; references are left out.
#[derive(Clone)]
pub enum Shape {
    /// `[T]`.
    Slice(Box<Shape>),
    /// `[T; N]`.
    Array(Box<Shape>, Expr),
    /// `Vec<T>`.
    Vec(Box<Shape>),
    /// `str` or `String`: read as bytes.
    Str,
    /// Anything else that is written: a number, a type parameter, a struct.
    Elem(syn::Type),
    /// Not written where the macro can see it.
    Unknown,
}

impl Shape {
    /// Whether its elements are written as rows that lie in memory: arrays, or `Vec`s.
    pub fn is_of_rows(&self) -> bool {
        match self {
            Shape::Slice(row) | Shape::Array(row, _) | Shape::Vec(row) => {
                matches!(**row, Shape::Array(..) | Shape::Vec(_))
            }
            Shape::Str | Shape::Elem(_) | Shape::Unknown => false,
        }
    }
}

/// A captured array.
#[derive(Clone)]
pub struct ArraySyntax {
    /// The expression it was captured from: `pixels`, `self.bins`, `cfg.table`. With `&…[..]` around it, or
    /// `.as_bytes()` behind it for [`Shape::Str`], it is a slice of the elements.
    pub expr: Expr,
    /// Its type.
    pub shape: Shape,
    /// The variable of the function that it is, where that is a reference and no constant.
    pub variable: Option<syn::Ident>,
    /// Whether it is a slice, an array or a `Vec`, or a field that may be one, and may be changed.
    pub writable: bool,
}

/// A value that is the same in every iteration and that the host evaluates before the loop.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The variable in the loop's body.
    pub var: ir::VarId,
    /// What the host evaluates, in the scope of the loop.
    pub tokens: TokenStream,
    /// Whether the host turns it into the variable's type by `as`, whatever type it has.
    pub cast: bool,
    /// The variable of the function that it is, if it is a number, a truth or a character by its own type.
    pub scalar: Option<syn::Ident>,
    /// The device function whose constant it is, by its number, and which of its constants.
    pub constant: Option<(usize, usize)>,
    /// Where it stands.
    pub source: ir::SourceId,
}

/// A part of a captured array that the body has a reference to, whichever of its elements it uses.
#[derive(Clone, Debug)]
pub struct Borrowed {
    /// Any of its elements.
    pub element: ir::Expr,
    /// What for.
    pub by: Borrow,
}

impl Borrowed {
    /// The array.
    pub fn array(&self) -> Option<ir::ArrayId> {
        match &self.element.kind {
            ir::ExprKind::Load(ir::Place {
                root: ir::Root::Array(id),
                ..
            }) => Some(*id),
            _ => None,
        }
    }
}

/// What a part of an array is borrowed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Borrow {
    /// To be read.
    Shared,
    /// For whatever a method of it does.
    Unknown,
    /// To be changed.
    Mutable,
}

/// An expression without the parentheses around it.
pub fn without_parens(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(e) => without_parens(&e.expr),
        Expr::Group(e) => without_parens(&e.expr),
        _ => expr,
    }
}

/// The parts of `a[start..][..len]`, where evaluating the length cannot panic: the array, the start and the length.
pub fn part_of(e: &syn::ExprIndex) -> Option<(&Expr, &Expr, &Expr)> {
    let Expr::Range(to) = without_parens(&e.index) else {
        return None;
    };
    let Expr::Index(base) = without_parens(&e.expr) else {
        return None;
    };
    let Expr::Range(from) = without_parens(&base.index) else {
        return None;
    };
    let (None, Some(len), syn::RangeLimits::HalfOpen(_)) = (&to.start, &to.end, &to.limits) else {
        return None;
    };
    let (Some(start), None) = (&from.start, &from.end) else {
        return None;
    };
    let plain = matches!(
        without_parens(len),
        Expr::Path(_) | Expr::Lit(_) | Expr::Field(_)
    );
    plain.then_some((&*base.expr, &**start, &**len))
}

/// `left op right`: behind a type, as casts end with one, `<` would begin its arguments.
pub fn compared(left: &Expr, op: &syn::BinOp, right: &Expr) -> Expr {
    match left {
        Expr::Path(_) | Expr::Lit(_) | Expr::Paren(_) | Expr::Field(_) | Expr::MethodCall(_) => {
            syn::parse_quote!(#left #op #right)
        }
        _ => syn::parse_quote!((#left) #op #right),
    }
}

/// Whether an expression reads no element and calls nothing, so that it cannot panic but for overflow.
pub fn is_at_hand(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(of) => is_at_hand(&of.base),
        Expr::Unary(of) => matches!(of.op, syn::UnOp::Deref(_)) && is_at_hand(&of.expr),
        Expr::Cast(of) => is_at_hand(&of.expr),
        _ => false,
    }
}

/// Whether evaluating an expression once or twice is the same: names, numbers, elements and operators.
pub fn only_computes(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(e) => only_computes(&e.expr),
        Expr::Group(e) => only_computes(&e.expr),
        Expr::Field(e) => only_computes(&e.base),
        Expr::Index(e) => only_computes(&e.expr) && only_computes(&e.index),
        Expr::Cast(e) => only_computes(&e.expr),
        Expr::Unary(e) => only_computes(&e.expr),
        Expr::Binary(e) => {
            !sites::is_compound(&e.op) && only_computes(&e.left) && only_computes(&e.right)
        }
        _ => false,
    }
}
