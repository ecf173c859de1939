//! Floating-point instructions.

use super::{Mods, count, known};
use crate::alu::approx::{self, Function};
use crate::alu::compare;
use crate::alu::float::{self, Mode};
use crate::alu::soft::Round;
use crate::isa::{Op, Type};
use crate::parse::body::Body;
use crate::parse::operand::{Operand, Res};

pub(super) fn rounding(w: &str) -> Option<Round> {
    Some(match w {
        "rn" => Round::Near,
        "rz" => Round::Zero,
        "rm" => Round::Down,
        "rp" => Round::Up,
        _ => return None,
    })
}

/// What 16-bit formats need.
fn half_needs(x: &Body<'_, '_>, opcode: &str, ty: Type) -> Res<()> {
    let what = format!("`{opcode}{ty}`");
    match ty {
        Type::F16 | Type::F16x2 => match opcode {
            "min" | "max" => x.needs(&what, (7, 0), 80),
            "neg" => x.needs(&what, (6, 0), 53),
            "abs" => x.needs(&what, (6, 5), 53),
            _ => x.needs(&what, (4, 2), 53),
        },
        Type::Bf16 | Type::Bf16x2 => match opcode {
            "min" | "max" | "neg" | "abs" | "fma" => x.needs(&what, (7, 0), 80),
            _ => x.needs(&what, (7, 8), 90),
        },
        _ => Ok(()),
    }
}

pub(super) fn arithmetic(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    let last = m.last_ty().unwrap_or(Type::F32);
    if matches!(opcode, "div") && (m.peek() == Some("approx") || m.peek() == Some("full")) {
        m.at += 1;
        let ftz = m.take("ftz");
        let ty = m.ty()?;
        if ty != Type::F32 {
            return Err("approximate division is for .f32".into());
        }
        count(ops, 3)?;
        let f = approx::div(ftz);
        return Ok(Op::F2 {
            f,
            d: x.dst(&ops[0], ty)?,
            a: x.src(&ops[1], ty)?,
            b: x.src(&ops[2], ty)?,
        });
    }
    let round = match opcode {
        "add" | "sub" | "mul" | "fma" | "mad" | "div" => m.take_if(rounding),
        _ => None,
    };
    let single = last == Type::F32;
    let half = last.bits() == 16 || matches!(last, Type::F16x2 | Type::Bf16x2);
    if round.is_none() && matches!(opcode, "fma" | "mad" | "div") {
        return Err(format!(
            "`{opcode}{last}` needs a rounding mode, such as `.rn`"
        ));
    }
    if half && round.is_some_and(|r| r != Round::Near) {
        return Err(format!("{last} arithmetic rounds to nearest"));
    }
    let ftz = (single || half) && m.take("ftz");
    if half && ftz {
        return Err("`.ftz` is not modelled for 16-bit formats".into());
    }
    let sat = single && !matches!(opcode, "div" | "neg" | "abs" | "min" | "max") && m.take("sat");
    let nan = matches!(opcode, "min" | "max") && m.take("NaN");
    if nan {
        x.needs("`.NaN`", (7, 0), 80)?;
    }
    let ty = m.ty()?;
    half_needs(x, opcode, ty)?;
    let mode = Mode {
        round: round.unwrap_or(Round::Near),
        ftz,
        sat,
    };
    let name = opcode;
    Ok(match opcode {
        "neg" | "abs" => {
            count(ops, 2)?;
            let f = if opcode == "neg" {
                float::neg(ty, ftz)
            } else {
                float::abs(ty, ftz)
            };
            Op::F1 {
                f: known(f, name, ty)?,
                d: x.dst(&ops[0], ty)?,
                a: x.src(&ops[1], ty)?,
            }
        }
        "fma" | "mad" => {
            count(ops, 4)?;
            if opcode == "mad" && half {
                return Err(format!("PTX has no `mad` for {ty}"));
            }
            Op::F3 {
                f: known(float::fma(ty, mode), name, ty)?,
                d: x.dst(&ops[0], ty)?,
                a: x.src(&ops[1], ty)?,
                b: x.src(&ops[2], ty)?,
                c: x.src(&ops[3], ty)?,
            }
        }
        _ => {
            count(ops, 3)?;
            let f = match opcode {
                "add" => float::add(ty, mode),
                "sub" => float::sub(ty, mode),
                "mul" => float::mul(ty, mode),
                "div" => float::div(ty, mode),
                "min" => float::min(ty, ftz, nan),
                _ => float::max(ty, ftz, nan),
            };
            let f = known(f, name, ty)?;
            Op::F2 {
                f,
                d: x.dst(&ops[0], ty)?,
                a: x.src(&ops[1], ty)?,
                b: x.src(&ops[2], ty)?,
            }
        }
    })
}

/// `rcp`, `sqrt` and the functions that are only approximate.
pub(super) fn function(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    count(ops, 2)?;
    let which = match opcode {
        "ex2" => Function::Ex2,
        "lg2" => Function::Lg2,
        "sin" => Function::Sin,
        "cos" => Function::Cos,
        "tanh" => Function::Tanh,
        "rcp" => Function::Rcp,
        "sqrt" => Function::Sqrt,
        _ => Function::Rsqrt,
    };
    let approx = m.take("approx");
    let round = if approx { None } else { m.take_if(rounding) };
    let ftz = m.take("ftz");
    let ty = m.ty()?;
    if which == Function::Tanh {
        x.needs("`tanh`", (7, 0), 75)?;
    }
    let f = match (round, ty) {
        (Some(round), Type::F32 | Type::F64) => {
            if ftz && ty == Type::F64 {
                return Err("`.ftz` is for .f32".into());
            }
            let mode = Mode {
                round,
                ftz,
                sat: false,
            };
            match which {
                Function::Rcp => float::rcp(ty, mode),
                Function::Sqrt => float::sqrt(ty, mode),
                _ => None,
            }
        }
        (None, _) if !approx => {
            return Err(format!(
                "`{opcode}` needs `.approx` or, for rcp and sqrt, a rounding mode"
            ));
        }
        (None, Type::F32) => Some(approx::unary(which, ftz && which != Function::Tanh)),
        (None, Type::F64) if ftz => approx::wide(which),
        (None, Type::F64) if which == Function::Rsqrt => approx::rsqrt64(),
        (None, Type::F16) => {
            x.needs(&format!("`{opcode}.approx.f16`"), (7, 0), 75)?;
            approx::half(which, ty)
        }
        _ => None,
    };
    Ok(Op::F1 {
        f: known(f, opcode, ty)?,
        d: x.dst(&ops[0], ty)?,
        a: x.src(&ops[1], ty)?,
    })
}

/// `copysign` and `testp`.
pub(super) fn sign(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    if opcode == "copysign" {
        count(ops, 3)?;
        let ty = m.ty()?;
        let f = known(float::copysign(ty), opcode, ty)?;
        return Ok(Op::F2 {
            f,
            d: x.dst(&ops[0], ty)?,
            a: x.src(&ops[1], ty)?,
            b: x.src(&ops[2], ty)?,
        });
    }
    count(ops, 2)?;
    let word = m.expect("a test", |w| Some(w.to_string()))?;
    let ty = m.ty()?;
    let f = known(compare::testp(&word, ty), &format!("testp.{word}"), ty)?;
    let p = x.pred_dst(&ops[0])?.ok_or("`_` is no destination here")?;
    Ok(Op::Testp {
        f,
        p,
        a: x.src(&ops[1], ty)?,
    })
}
