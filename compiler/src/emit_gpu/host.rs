//! What the host evaluates before a launch: captured values, lengths, numbers of iterations.

use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::{format_ident, quote};

use crate::ir::{
    ArrayId, BinaryOp, Block, Expr, ExprKind, Length, Literal, Place, Projection, Root, Scalar,
    Type, UnaryOp, VarId,
};
use crate::plan::LoopPlan;

/// The local that holds the length of an array.
pub(super) fn length_name(array: ArrayId) -> Ident {
    format_ident!("__accrue_len_{}", array.0)
}

/// The local that holds a captured value.
fn capture_name(var: VarId) -> Ident {
    format_ident!("__accrue_value_{}", var.0)
}

/// `let` for every captured value, with the type that the kernel was printed for.
pub(super) fn captures(plan: &LoopPlan) -> TokenStream {
    let lets = plan.captures.iter().map(|capture| {
        let name = capture_name(capture.var);
        let ty = rust_type(&plan.ir.var(capture.var).ty);
        let tokens = &capture.tokens;
        quote!(let #name: #ty = #tokens;)
    });
    quote!(#(#lets)*)
}

/// The captured values as kernel arguments: `[u64; N]`, in the order of the plan.
pub(super) fn slots(plan: &LoopPlan) -> TokenStream {
    let slots = plan.captures.iter().map(|capture| {
        let name = capture_name(capture.var);
        quote!(::accrue::__rt::gpu::Slot::slot(#name))
    });
    quote!([#(#slots),*])
}

/// An `Option<[u64; D]>`: the positions of each dimension, `None` where an operation has no value. What stands inside a
/// dimension without positions is not evaluated, as by the sequential loop.
pub(super) fn counts(plan: &LoopPlan) -> TokenStream {
    let counts = plan.ir.space.iter().enumerate().map(|(d, dim)| {
        let count = expr(&dim.count);
        quote! {
            counts[#d] = (#count) as ::core::primitive::u64;
            if counts[#d] == 0 {
                return ::core::option::Option::Some(counts);
            }
        }
    });
    let rank = plan.ir.space.len();
    quote! {
        (|| -> ::core::option::Option<[::core::primitive::u64; #rank]> {
            let mut counts = [0; #rank];
            #(#counts)*
            ::core::option::Option::Some(counts)
        })()
    }
}

/// A type as rustc reads it anywhere.
pub(super) fn rust_type(ty: &Type) -> TokenStream {
    match ty {
        Type::Scalar(s) => scalar(*s),
        Type::Array(elem, len) => {
            let elem = rust_type(elem);
            match len {
                Length::Known(n) => {
                    let n = Token::u64_unsuffixed(*n);
                    quote!([#elem; #n])
                }
                Length::Captured(_) => quote!([#elem; _]),
            }
        }
        Type::Struct(s) => s.name.parse().unwrap_or_else(|_| quote!(_)),
        Type::Unit | Type::Never | Type::Tuple(_) | Type::Opaque(_) | Type::Infer(_) => quote!(_),
    }
}

fn scalar(s: Scalar) -> TokenStream {
    let name = format_ident!("{}", s.name());
    quote!(::core::primitive::#name)
}

/// An expression over captured values and lengths. Inside a function that returns an `Option`.
fn expr(e: &Expr) -> TokenStream {
    match &e.kind {
        ExprKind::Literal(literal) => self::literal(*literal, &e.ty),
        ExprKind::Len(array) => {
            let name = length_name(*array);
            quote!(#name)
        }
        ExprKind::Load(place) => load(place),
        ExprKind::Unary(op, a) => {
            let a = expr(a);
            match op {
                UnaryOp::Neg => quote!((#a).checked_neg()?),
                UnaryOp::Not => quote!((!(#a))),
            }
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (expr(a), expr(b));
            let checked = match op {
                BinaryOp::Add => "checked_add",
                BinaryOp::Sub => "checked_sub",
                BinaryOp::Mul => "checked_mul",
                BinaryOp::Div => "checked_div",
                BinaryOp::Rem => "checked_rem",
                BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge => {
                    let symbol: TokenStream = op.symbol().parse().unwrap_or_default();
                    return quote!(((#a) #symbol (#b)));
                }
            };
            let checked = format_ident!("{checked}");
            quote!((#a).#checked(#b)?)
        }
        ExprKind::And(a, b) => {
            let (a, b) = (expr(a), expr(b));
            quote!(((#a) && (#b)))
        }
        ExprKind::Or(a, b) => {
            let (a, b) = (expr(a), expr(b));
            quote!(((#a) || (#b)))
        }
        ExprKind::Cast(a) => {
            let (a, ty) = (expr(a), rust_type(&e.ty));
            quote!(((#a) as #ty))
        }
        ExprKind::Method(method, parts) if method.0 == "div_ceil" && parts.len() == 2 => {
            let (a, b) = (expr(&parts[0]), expr(&parts[1]));
            quote!(::accrue::__rt::gpu::div_ceil(#a, #b)?)
        }
        ExprKind::Method(method, parts) => {
            let name = format_ident!("{}", method.0);
            let receiver = expr(&parts[0]);
            let args = parts[1..].iter().map(expr);
            quote!((#receiver).#name(#(#args),*))
        }
        ExprKind::If(cond, then, Some(otherwise)) => {
            let cond = expr(cond);
            match (block(then), block(otherwise)) {
                (Some(then), Some(otherwise)) => quote!((if #cond { #then } else { #otherwise })),
                _ => unknown(),
            }
        }
        ExprKind::Block(b) => block(b).unwrap_or_else(unknown),
        // Counts are made by the front end out of the forms above.
        ExprKind::Call(..)
        | ExprKind::If(..)
        | ExprKind::Match(..)
        | ExprKind::Array(_)
        | ExprKind::Repeat(_)
        | ExprKind::Tuple(_)
        | ExprKind::Struct(_)
        | ExprKind::Continue(_)
        | ExprKind::Break(..)
        | ExprKind::Loop(..)
        | ExprKind::Return(_)
        | ExprKind::Panic(_)
        | ExprKind::Opaque(_) => unknown(),
    }
}

/// No value: the loop runs on the CPU.
fn unknown() -> TokenStream {
    quote!(return ::core::option::Option::None)
}

fn block(b: &Block) -> Option<TokenStream> {
    match (&b.stmts[..], &b.tail) {
        ([], Some(tail)) => Some(expr(tail)),
        _ => None,
    }
}

fn load(place: &Place) -> TokenStream {
    let Root::Var(var) = place.root else {
        return unknown();
    };
    let mut out = {
        let name = capture_name(var);
        quote!(#name)
    };
    for projection in &place.path {
        match projection {
            Projection::Field(n) => {
                let n = syn::Index::from(*n as usize);
                out = quote!(#out.#n);
            }
            Projection::Index(index) => {
                let index = expr(&index.index);
                out = quote!((*#out.get(#index)?));
            }
        }
    }
    out
}

fn literal(literal: Literal, ty: &Type) -> TokenStream {
    let ty = rust_type(ty);
    match literal {
        Literal::Bool(b) => quote!(#b),
        Literal::Int(v) => {
            let magnitude = Token::u128_unsuffixed(v.unsigned_abs());
            let sign = (v < 0).then(|| quote!(-));
            quote!((#sign #magnitude as #ty))
        }
        Literal::Float(v) => {
            let magnitude = Token::f64_suffixed(v.abs());
            let sign = v.is_sign_negative().then(|| quote!(-));
            quote!((#sign #magnitude as #ty))
        }
    }
}
