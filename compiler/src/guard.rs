//! What a loop's call has to hold so that iterations keep apart ([`Guard`]), as the tokens that find out: for the CPU's form of the
//! loop and for the try at a GPU.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::dependence::{Affine, Poly};
use crate::ir::{self, ArrayId, BinaryOp, ExprKind, Guard, Literal, Method, Root};
use crate::plan::LoopPlan;

/// How the length of an array is had.
pub(crate) type Lengths<'a> = &'a dyn Fn(&LoopPlan, ArrayId) -> TokenStream;

/// Whether a guard holds, as an expression.
///
/// # Errors
///
/// Why that cannot be told before the loop.
pub(crate) fn holds(
    plan: &LoopPlan,
    guard: &Guard,
    lengths: Lengths<'_>,
) -> Result<TokenStream, String> {
    let rt = quote!(::accrue::__rt::cpu);
    let given = guard.given.iter().map(|expr| number(plan, expr, lengths));
    let given: Vec<_> = given.collect::<Option<_>>().ok_or_else(|| {
        "what its iterations write depends on a number that cannot be told before the loop"
            .to_owned()
    })?;
    let forms = |forms: &[Affine]| {
        let forms = forms.iter().map(form);
        quote!(&[#(#forms),*])
    };
    let extents = guard.extents.iter().map(|bounds| forms(bounds));
    let within = guard.within.iter().map(|within| {
        let (form, low, high) = (form(&within.form), within.low, within.high);
        quote!((#form, #low, #high))
    });
    let conditions = guard.conditions.iter().map(poly);
    Ok(quote! {
        #rt::Guard {
            extents: &[#(#extents),*],
            within: &[#(#within),*],
            conditions: &[#(#conditions),*],
        }
        .holds(&[#(#given),*])
    })
}

fn poly(of: &Poly) -> TokenStream {
    let terms = of.terms().map(|(coefficient, factors)| {
        let factors = factors.iter().map(|p| p.0);
        quote!((#coefficient, &[#(#factors),*]))
    });
    quote!(&[#(#terms),*])
}

fn form(of: &Affine) -> TokenStream {
    let terms = of.terms().map(|(var, coefficient)| {
        let (var, coefficient) = (var.0 as u32, poly(coefficient));
        quote!((#var, #coefficient))
    });
    let rest = poly(of.rest());
    quote!(::accrue::__rt::cpu::Form(&[#(#terms),*], #rest))
}

/// The value of an expression over what is captured, as an `i128`.
fn number(plan: &LoopPlan, expr: &ir::Expr, lengths: Lengths<'_>) -> Option<TokenStream> {
    let rt = quote!(::accrue::__rt::cpu);
    let as_its_type = |value: TokenStream| {
        let name = format_ident!("{}", expr.ty.as_scalar()?.name());
        Some(quote!((#value as ::core::primitive::#name as ::core::primitive::i128)))
    };
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) => Some(quote!(#value)),
        ExprKind::Len(id) => {
            let length = lengths(plan, *id);
            Some(quote!((#length as ::core::primitive::i128)))
        }
        ExprKind::Load(place) => {
            let Root::Var(var) = place.root else {
                return None;
            };
            let capture = plan.captures.iter().find(|c| c.var == var)?;
            let tokens = &capture.tokens;
            let value = quote!(#rt::number(&(#tokens)));
            match capture.cast {
                true => as_its_type(value),
                false => Some(value),
            }
        }
        ExprKind::Cast(inner) => as_its_type(number(plan, inner, lengths)?),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (number(plan, a, lengths)?, number(plan, b, lengths)?);
            match op {
                BinaryOp::Add => as_its_type(quote!((#a + #b))),
                BinaryOp::Sub => as_its_type(quote!((#a - #b))),
                BinaryOp::Mul => as_its_type(quote!(::core::primitive::i128::wrapping_mul(#a, #b))),
                BinaryOp::Div => Some(quote!(#rt::quotient(#a, #b, false))),
                _ => None,
            }
        }
        ExprKind::Method(name, parts) => {
            let [a, b] = &parts[..] else {
                return None;
            };
            let (a, b) = (number(plan, a, lengths)?, number(plan, b, lengths)?);
            match *name {
                Method::DivCeil => Some(quote!(#rt::quotient(#a, #b, true))),
                Method::SaturatingSub => Some(quote!(::core::cmp::Ord::max(#a - #b, 0i128))),
                Method::Min => Some(quote!(::core::cmp::Ord::min(#a, #b))),
                _ => None,
            }
        }
        _ => None,
    }
}
