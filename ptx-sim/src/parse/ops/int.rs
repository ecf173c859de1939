//! Integer and bit instructions.

use super::{Mods, count, known};
use crate::alu::bits::{self, Permute};
use crate::alu::int::{self, Part};
use crate::isa::{Bool, Carry, CarryKind, Fn1, Fn2, Fn3, Op, Type};
use crate::parse::body::Body;
use crate::parse::operand::{Operand, Res};

fn op1(x: &mut Body<'_, '_>, f: Fn1, ops: &[Operand], d: Type, a: Type) -> Res<Op> {
    count(ops, 2)?;
    Ok(Op::F1 {
        f,
        d: x.dst(&ops[0], d)?,
        a: x.src(&ops[1], a)?,
    })
}

fn op2(x: &mut Body<'_, '_>, f: Fn2, ops: &[Operand], t: [Type; 3]) -> Res<Op> {
    count(ops, 3)?;
    Ok(Op::F2 {
        f,
        d: x.dst(&ops[0], t[0])?,
        a: x.src(&ops[1], t[1])?,
        b: x.src(&ops[2], t[2])?,
    })
}

fn op3(x: &mut Body<'_, '_>, f: Fn3, ops: &[Operand], t: [Type; 4]) -> Res<Op> {
    count(ops, 4)?;
    Ok(Op::F3 {
        f,
        d: x.dst(&ops[0], t[0])?,
        a: x.src(&ops[1], t[1])?,
        b: x.src(&ops[2], t[2])?,
        c: x.src(&ops[3], t[3])?,
    })
}

/// The type with twice the width.
fn double(ty: Type) -> Type {
    match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        _ => Type::S64,
    }
}

fn part(m: &mut Mods<'_>) -> Res<Part> {
    m.expect("`.lo`, `.hi` or `.wide`", |w| match w {
        "lo" => Some(Part::Lo),
        "hi" => Some(Part::Hi),
        "wide" => Some(Part::Wide),
        _ => None,
    })
}

pub(super) fn arithmetic(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    match opcode {
        "add" | "sub" => {
            let sat = m.take("sat");
            let ty = m.ty()?;
            if opcode == "add" && !sat && matches!(ty, Type::U16x2 | Type::S16x2) {
                x.needs(&format!("`add{ty}`"), (8, 0), 90)?;
                return op2(x, int::add_x2(), ops, [ty; 3]);
            }
            let f = match (opcode, sat) {
                ("add", false) => int::add(ty),
                ("sub", false) => int::sub(ty),
                ("add", true) => (ty == Type::S32).then(int::add_sat),
                _ => (ty == Type::S32).then(int::sub_sat),
            };
            op2(x, known(f, opcode, ty)?, ops, [ty; 3])
        }
        "mul" => {
            let part = part(m)?;
            let ty = m.ty()?;
            let f = known(int::mul(ty, part), opcode, ty)?;
            let d = if part == Part::Wide { double(ty) } else { ty };
            op2(x, f, ops, [d, ty, ty])
        }
        "mad" => {
            let part = part(m)?;
            let sat = m.take("sat");
            let ty = m.ty()?;
            let f = match sat {
                false => int::mad(ty, part),
                true => (ty == Type::S32 && part == Part::Hi).then(int::mad_hi_sat),
            };
            let d = if part == Part::Wide { double(ty) } else { ty };
            op3(x, known(f, opcode, ty)?, ops, [d, ty, ty, d])
        }
        "mul24" | "mad24" => {
            let part = part(m)?;
            let ty = m.ty()?;
            if part == Part::Wide || !matches!(ty, Type::U32 | Type::S32) {
                return Err(format!("`{opcode}` is for .lo and .hi of .u32 and .s32"));
            }
            let (signed, hi) = (ty == Type::S32, part == Part::Hi);
            match opcode {
                "mul24" => op2(x, int::mul24(signed, hi), ops, [ty; 3]),
                _ => op3(x, int::mad24(signed, hi), ops, [ty; 4]),
            }
        }
        "div" | "rem" => {
            let ty = m.ty()?;
            count(ops, 3)?;
            let f = if opcode == "div" {
                int::div(ty)
            } else {
                int::rem(ty)
            };
            let f = known(f, opcode, ty)?;
            Ok(Op::Div {
                f,
                d: x.dst(&ops[0], ty)?,
                a: x.src(&ops[1], ty)?,
                b: x.src(&ops[2], ty)?,
            })
        }
        "abs" | "neg" => {
            let ty = m.ty()?;
            let f = if opcode == "abs" {
                int::abs(ty)
            } else {
                int::neg(ty)
            };
            op1(x, known(f, opcode, ty)?, ops, ty, ty)
        }
        "min" | "max" => {
            let ty = m.ty()?;
            let f = if opcode == "min" {
                int::min(ty)
            } else {
                int::max(ty)
            };
            op2(x, known(f, opcode, ty)?, ops, [ty; 3])
        }
        "sad" => {
            let ty = m.ty()?;
            op3(x, known(int::sad(ty), opcode, ty)?, ops, [ty; 4])
        }
        _ => {
            // dp4a.atype.btype, dp2a.mode.atype.btype
            x.needs(&format!("`{opcode}`"), (5, 0), 61)?;
            let hi = opcode == "dp2a"
                && m.expect("`.lo` or `.hi`", |w| match w {
                    "lo" => Some(false),
                    "hi" => Some(true),
                    _ => None,
                })?;
            let (a, b) = (m.ty()?, m.ty()?);
            if !matches!(a, Type::U32 | Type::S32) || !matches!(b, Type::U32 | Type::S32) {
                return Err(format!("`{opcode}` is for .u32 and .s32"));
            }
            let (sa, sb) = (a == Type::S32, b == Type::S32);
            let f = if opcode == "dp4a" {
                int::dp4a(sa, sb)
            } else {
                int::dp2a(hi, sa, sb)
            };
            let c = if sa || sb { Type::S32 } else { Type::U32 };
            op3(x, f, ops, [c, a, b, c])
        }
    }
}

/// `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`.
pub(super) fn carry(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    let mad = opcode.starts_with("mad");
    let hi = mad
        && m.expect("`.lo` or `.hi`", |w| match w {
            "lo" => Some(false),
            "hi" => Some(true),
            _ => None,
        })?;
    let carry_out = m.take("cc");
    let ty = m.ty()?;
    if !matches!(ty, Type::U32 | Type::S32 | Type::U64 | Type::S64) {
        return Err(format!("PTX has no `{opcode}` with carry for {ty}"));
    }
    count(ops, if mad { 4 } else { 3 })?;
    let kind = match (&opcode[..3], hi) {
        ("add", _) => CarryKind::Add,
        ("sub", _) => CarryKind::Sub,
        (_, false) => CarryKind::MadLo,
        (_, true) => CarryKind::MadHi {
            signed: ty.is_signed(),
        },
    };
    Ok(Op::Carry(Box::new(Carry {
        kind,
        wide: ty.bits() == 64,
        carry_in: opcode.ends_with('c'),
        carry_out,
        d: x.dst(&ops[0], ty)?,
        a: x.src(&ops[1], ty)?,
        b: x.src(&ops[2], ty)?,
        c: if mad { Some(x.src(&ops[3], ty)?) } else { None },
    })))
}

pub(super) fn bits(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    const N: Type = Type::U32;
    match opcode {
        "and" | "or" | "xor" | "not" => {
            let ty = m.ty()?;
            if ty == Type::Pred {
                return predicate(x, opcode, ops);
            }
            let f = match opcode {
                "and" => bits::and(ty),
                "or" => bits::or(ty),
                "xor" => bits::xor(ty),
                _ => return op1(x, known(bits::not(ty), opcode, ty)?, ops, ty, ty),
            };
            op2(x, known(f, opcode, ty)?, ops, [ty; 3])
        }
        "cnot" => {
            let ty = m.ty()?;
            op1(x, known(bits::cnot(ty), opcode, ty)?, ops, ty, ty)
        }
        "shl" | "shr" => {
            let ty = m.ty()?;
            let f = if opcode == "shl" {
                bits::shl(ty)
            } else {
                bits::shr(ty)
            };
            op2(x, known(f, opcode, ty)?, ops, [ty, ty, N])
        }
        "shf" => {
            let left = m.expect("`.l` or `.r`", |w| match w {
                "l" => Some(true),
                "r" => Some(false),
                _ => None,
            })?;
            let wrap = clamp_or_wrap(m)?;
            let ty = m.ty()?;
            if ty != Type::B32 {
                return Err("`shf` is for .b32".into());
            }
            op3(x, bits::shf(left, wrap), ops, [ty, ty, ty, N])
        }
        "bfe" => {
            let ty = m.ty()?;
            op3(x, known(bits::bfe(ty), opcode, ty)?, ops, [ty, ty, N, N])
        }
        "bfi" => {
            let ty = m.ty()?;
            count(ops, 5)?;
            let f = known(bits::bfi(ty), opcode, ty)?;
            let d = x.dst(&ops[0], ty)?;
            let (a, b) = (x.src(&ops[1], ty)?, x.src(&ops[2], ty)?);
            let (pos, len) = (x.src(&ops[3], N)?, x.src(&ops[4], N)?);
            let packed = x.hidden_register();
            x.before.push(Op::F2 {
                f: bits::pack_field(),
                d: packed,
                a: pos,
                b: len,
            });
            Ok(Op::F3 {
                f,
                d,
                a,
                b,
                c: packed.into(),
            })
        }
        "bfind" => {
            let shift = m.take("shiftamt");
            let ty = m.ty()?;
            op1(x, known(bits::bfind(ty, shift), opcode, ty)?, ops, N, ty)
        }
        "brev" => {
            let ty = m.ty()?;
            op1(x, known(bits::brev(ty), opcode, ty)?, ops, ty, ty)
        }
        "clz" | "popc" => {
            let ty = m.ty()?;
            let f = if opcode == "clz" {
                bits::clz(ty)
            } else {
                bits::popc(ty)
            };
            op1(x, known(f, opcode, ty)?, ops, N, ty)
        }
        "prmt" => {
            let ty = m.ty()?;
            if ty != Type::B32 {
                return Err("`prmt` is for .b32".into());
            }
            let mode = m.take_if(|w| {
                Some(match w {
                    "f4e" => Permute::F4e,
                    "b4e" => Permute::B4e,
                    "rc8" => Permute::Rc8,
                    "ecl" => Permute::Ecl,
                    "ecr" => Permute::Ecr,
                    "rc16" => Permute::Rc16,
                    _ => return None,
                })
            });
            op3(
                x,
                bits::prmt(mode.unwrap_or(Permute::Default)),
                ops,
                [ty; 4],
            )
        }
        "lop3" => {
            let ty = m.ty()?;
            if ty != Type::B32 {
                return Err("`lop3` is modelled for .b32 without a predicate".into());
            }
            count(ops, 5)?;
            let Operand::Int(table @ 0..=255) = ops[4] else {
                return Err("the table of `lop3` is a constant from 0 to 255".into());
            };
            let d = x.dst(&ops[0], ty)?;
            let (a, b, c) = (
                x.src(&ops[1], ty)?,
                x.src(&ops[2], ty)?,
                x.src(&ops[3], ty)?,
            );
            let (joined, table) = (x.hidden_register(), x.bits(table));
            x.before.push(Op::F2 {
                f: bits::join(),
                d: joined,
                a: c,
                b: table,
            });
            Ok(Op::F3 {
                f: bits::lop3(),
                d,
                a,
                b,
                c: joined.into(),
            })
        }
        "szext" | "bmsk" => {
            x.needs(&format!("`{opcode}`"), (7, 6), 70)?;
            let wrap = clamp_or_wrap(m)?;
            let ty = m.ty()?;
            let f = match (opcode, ty) {
                ("szext", Type::U32 | Type::S32) => bits::szext(ty == Type::S32, wrap),
                ("bmsk", Type::B32) => bits::bmsk(wrap),
                _ => return Err(format!("PTX has no `{opcode}` for {ty}")),
            };
            op2(x, f, ops, [ty, ty, N])
        }
        _ => {
            x.needs("`fns`", (6, 0), 30)?;
            let ty = m.ty()?;
            if ty != Type::B32 {
                return Err("`fns` is for .b32".into());
            }
            op3(x, bits::fns(), ops, [ty, ty, ty, Type::S32])
        }
    }
}

fn clamp_or_wrap(m: &mut Mods<'_>) -> Res<bool> {
    m.expect("`.clamp` or `.wrap`", |w| match w {
        "clamp" => Some(false),
        "wrap" => Some(true),
        _ => None,
    })
}

/// `and.pred` and its like.
fn predicate(x: &mut Body<'_, '_>, opcode: &str, ops: &[Operand]) -> Res<Op> {
    count(ops, if opcode == "not" { 2 } else { 3 })?;
    let d = x.pred_dst(&ops[0])?.ok_or("`_` is no destination here")?;
    let a = x.pred_src(&ops[1])?;
    let (op, b) = match opcode {
        "not" => (Bool::Xor, crate::isa::PredSrc::Const(true)),
        "and" => (Bool::And, x.pred_src(&ops[2])?),
        "or" => (Bool::Or, x.pred_src(&ops[2])?),
        _ => (Bool::Xor, x.pred_src(&ops[2])?),
    };
    Ok(Op::PredLogic { op, d, a, b })
}
