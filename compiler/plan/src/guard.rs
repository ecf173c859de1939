//! What a loop's call has to hold so that iterations keep apart ([`Guard`]), as the tokens that find out: for the CPU's form of the
//! loop and for the try at a GPU. And which elements iterations reach ([`ir::Reach`]), for devices that are given parts of arrays.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::dependence::{Affine, Poly};
use crate::ir::{
    self, ArrayId, BinaryOp, ExprKind, Guard, Literal, Method, Root, Type, UnaryOp, VarId,
};
use crate::plan::LoopPlan;
use crate::plan::steps::Steps;
use crate::syntax::Capture;

/// How the length of an array is had.
pub type Lengths<'a> = &'a dyn Fn(&LoopPlan, ArrayId) -> TokenStream;

/// How a captured value is had, as an `i128`.
pub type Values<'a> = &'a dyn Fn(&Capture) -> TokenStream;

/// Whether a guard holds, as an expression.
///
/// # Errors
///
/// Why that cannot be told before the loop.
pub fn holds(plan: &LoopPlan, guard: &Guard, lengths: Lengths<'_>) -> Result<TokenStream, String> {
    let values = |capture: &Capture| captured(plan, capture);
    let at = At {
        position: None,
        lengths,
        values: &values,
    };
    let given = guard.given.iter();
    let given = given.map(|expr| number(plan, expr, &at));
    let given: Vec<_> = given.collect::<Option<_>>().ok_or_else(|| {
        "what its iterations write depends on a number that cannot be told before the loop"
            .to_owned()
    })?;
    let guard = table(guard);
    Ok(quote!(#guard.holds(&[#(#given),*])))
}

/// The value of an expression over what is captured, as an `i128` before the loop.
pub(crate) fn value(plan: &LoopPlan, expr: &ir::Expr, lengths: Lengths<'_>) -> Option<TokenStream> {
    let values = |capture: &Capture| captured(plan, capture);
    let at = At {
        position: None,
        lengths,
        values: &values,
    };
    number(plan, expr, &at)
}

/// A captured value before the loop.
fn captured(plan: &LoopPlan, capture: &Capture) -> TokenStream {
    let rt = quote!(::accrue::__rt::cpu);
    let tokens = &capture.tokens;
    // What is cast may be a float, of which an integer is another one by way of an `i128`.
    let cast = plan.ir.var(capture.var).ty.as_scalar();
    match cast.filter(|ty| capture.cast && ty.is_int()) {
        Some(ty) => {
            let ty = format_ident!("{}", ty.name());
            quote!((#rt::cast::<::core::primitive::#ty>(&(#tokens)) as ::core::primitive::i128))
        }
        None => quote!(#rt::number(&(#tokens))),
    }
}

/// Whether the guards of the loops inside hold in a step, as an expression; `step` is its number, in the tokens of an integer. `None` where there are
/// no guards.
///
/// # Errors
///
/// Why that cannot be told before the loop.
pub fn holds_in(
    of: &Steps,
    step: &TokenStream,
    lengths: Lengths<'_>,
) -> Result<Option<TokenStream>, String> {
    let plan = &of.plan;
    let values = |capture: &Capture| {
        let tokens = &capture.tokens;
        quote!(::accrue::__rt::cpu::number(&(#tokens)))
    };
    let position = plan.ir.space[0].position;
    let at = At {
        position: Some((position, step)),
        lengths,
        values: &values,
    };
    let holds = of.guards.iter().map(|guard| {
        let given = guard.given.iter().map(|expr| number(plan, expr, &at));
        let given: Vec<_> = given.collect::<Option<_>>()?;
        let guard = table(guard);
        Some(quote!(#guard.holds(&[#(#given),*])))
    });
    let holds: Option<Vec<_>> = holds.collect();
    let holds = holds.ok_or_else(|| {
        "what the iterations of a step write depends on a number that cannot be told before the loop".to_owned()
    })?;
    Ok((!holds.is_empty()).then(|| quote!(#(#holds)&&*)))
}

/// Which elements iterations reach, as an expression of type `Reach`, and the array of what it is made of; `None` where nothing is known.
/// `values` are names of the values that kernels are given.
pub fn reach(
    plan: &LoopPlan,
    lengths: Lengths<'_>,
    values: Values<'_>,
) -> Option<(TokenStream, TokenStream)> {
    let ir::Reach { guard, arrays } = &plan.reach;
    if arrays.is_empty() {
        return None;
    }
    let at = At {
        position: None,
        lengths,
        values,
    };
    let given = guard.given.iter();
    let given = given.map(|expr| number(plan, expr, &at));
    let given: Vec<_> = given.collect::<Option<_>>()?;
    let arrays = arrays.iter().map(|reach| {
        let (array, forms, read) = (reach.array.0, forms(&reach.forms), reach.read);
        quote!((#array, #forms, #read))
    });
    let guard = table(guard);
    Some((
        quote!(&::accrue::__rt::gpu::Reach { guard: #guard, arrays: &[#(#arrays),*] }),
        quote!([#(#given),*]),
    ))
}

/// A guard's forms.
fn table(guard: &Guard) -> TokenStream {
    let extents = guard.extents.iter().map(|bounds| forms(bounds));
    let within = guard.within.iter().map(|within| {
        let (form, low, high) = (form(&within.form), within.low, within.high);
        quote!((#form, #low, #high))
    });
    let conditions = guard.conditions.iter().map(poly);
    quote! {
        ::accrue::__rt::cpu::Guard {
            extents: &[#(#extents),*],
            within: &[#(#within),*],
            conditions: &[#(#conditions),*],
        }
    }
}

fn forms(of: &[Affine]) -> TokenStream {
    let forms = of.iter().map(form);
    quote!(&[#(#forms),*])
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

/// How the parts of an expression are had.
struct At<'a> {
    /// The position of a loop, where it has one.
    position: Option<(VarId, &'a TokenStream)>,
    lengths: Lengths<'a>,
    values: Values<'a>,
}

/// The value of an expression over what is captured, as an `i128`.
fn number(plan: &LoopPlan, expr: &ir::Expr, at: &At<'_>) -> Option<TokenStream> {
    let number = |expr| number(plan, expr, at);
    let rt = quote!(::accrue::__rt::cpu);
    let as_its_type = |value: TokenStream| {
        let name = format_ident!("{}", expr.ty.as_scalar()?.name());
        Some(quote!((#value as ::core::primitive::#name as ::core::primitive::i128)))
    };
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) => Some(quote!(#value)),
        ExprKind::Len(id) => {
            let length = (at.lengths)(plan, *id);
            Some(quote!((#length as ::core::primitive::i128)))
        }
        ExprKind::Load(place) => {
            let Root::Var(var) = place.root else {
                return None;
            };
            if let Some((position, value)) = at.position
                && position == var
            {
                return Some(quote!((#value as ::core::primitive::i128)));
            }
            let capture = plan.captures.iter().find(|c| c.var == var)?;
            let value = (at.values)(capture);
            match capture.cast {
                true => as_its_type(value),
                false => Some(value),
            }
        }
        ExprKind::Cast(inner) => match expr.ty {
            // Of infinity, or of what is below all numbers.
            Type::Integer(var) => {
                let capture = plan.captures.iter().find(|c| c.var == var)?;
                let tokens = &capture.tokens;
                match inner.kind {
                    ExprKind::Literal(Literal::Float(of)) if of < 0.0 => {
                        Some(quote!(#rt::least(&(#tokens))))
                    }
                    _ => Some(quote!(#rt::greatest(&(#tokens)))),
                }
            }
            _ => as_its_type(number(inner)?),
        },
        ExprKind::Unary(UnaryOp::Neg, a) => {
            let a = number(a)?;
            Some(quote!((#a).saturating_neg()))
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (number(a)?, number(b)?);
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
            let (a, b) = (number(a)?, number(b)?);
            match *name {
                Method::DivCeil => Some(quote!(#rt::quotient(#a, #b, true))),
                Method::SaturatingSub => Some(quote!(::core::cmp::Ord::max(#a - #b, 0i128))),
                Method::WrappingSub => as_its_type(quote!((#a - #b))),
                Method::Min => Some(quote!(::core::cmp::Ord::min(#a, #b))),
                Method::Max => Some(quote!(::core::cmp::Ord::max(#a, #b))),
                _ => None,
            }
        }
        ExprKind::If(condition, then, Some(otherwise)) => {
            let ExprKind::Binary(op, a, b) = &condition.kind else {
                return None;
            };
            let (a, b) = (number(a)?, number(b)?);
            let holds = match op {
                BinaryOp::Lt => quote!(#a < #b),
                BinaryOp::Le => quote!(#a <= #b),
                _ => return None,
            };
            let [then, otherwise] = [then, otherwise].map(|block| number(block.tail.as_deref()?));
            let (then, otherwise) = (then?, otherwise?);
            Some(quote!((if #holds { #then } else { #otherwise })))
        }
        _ => None,
    }
}
