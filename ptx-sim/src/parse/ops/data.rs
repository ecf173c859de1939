//! Moving, converting, comparing and selecting.

use super::float::rounding;
use super::{Mods, count, count_in, known};
use crate::alu::bits;
use crate::alu::compare::{self, Cmp};
use crate::alu::convert::{self, Cvt};
use crate::alu::soft::Round;
use crate::isa::{Bool, Compare, Op, Space, Type};
use crate::parse::body::{Body, Name};
use crate::parse::operand::{Operand, Res};

/// The untyped type with `bits` bits.
fn untyped(bits: u32) -> Type {
    match bits {
        8 => Type::B8,
        16 => Type::B16,
        32 => Type::B32,
        _ => Type::B64,
    }
}

pub(super) fn mov(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    count(ops, 2)?;
    let ty = m.ty()?;
    if ty == Type::Pred {
        let d = x.pred_dst(&ops[0])?.ok_or("`_` is no destination here")?;
        return Ok(Op::PredMov {
            d,
            a: x.pred_src(&ops[1])?,
        });
    }
    let part = |n: usize| match n {
        2 | 4 if ty.bits() / n as u32 >= 8 && ty.is_untyped() => Ok(ty.bits() / n as u32),
        _ => Err(format!("a {ty} value does not split into {n} parts")),
    };
    match (&ops[0], &ops[1]) {
        (Operand::Vector(d), a) => {
            let bits = part(d.len())?;
            let a = x.src(a, ty)?;
            let mut parts = Vec::new();
            for o in d {
                parts.push(match o {
                    Operand::Name(n) if n == "_" => None,
                    o => Some(x.dst_wide(o, untyped(bits))?.0),
                });
            }
            Ok(Op::Unpack { d: parts, a, bits })
        }
        (d, Operand::Vector(a)) => {
            let bits = part(a.len())?;
            let a = a
                .iter()
                .map(|o| x.src_wide(o, untyped(bits)))
                .collect::<Res<Vec<_>>>()?;
            Ok(Op::Pack {
                d: x.dst(d, ty)?,
                a,
                bits,
            })
        }
        (d, a) => {
            if matches!(
                ty,
                Type::B8
                    | Type::U8
                    | Type::S8
                    | Type::B128
                    | Type::F16x2
                    | Type::Bf16x2
                    | Type::F16
                    | Type::Bf16
            ) {
                return Err(format!("PTX has no `mov` for {ty}"));
            }
            // `cvta`-free code takes the address of a local variable as it is.
            let a = x.src(a, ty)?;
            Ok(Op::Mov {
                d: x.dst(d, ty)?,
                a,
            })
        }
    }
}

pub(super) fn cvt(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    let mut round = m.take_if(rounding);
    let mut integral = false;
    if round.is_none() {
        if m.take("rna") {
            return Err("`cvt.rna` converts to tf32, which is not modelled".into());
        }
        round = m.take_if(|w| match w {
            "rni" => Some(Round::Near),
            "rzi" => Some(Round::Zero),
            "rmi" => Some(Round::Down),
            "rpi" => Some(Round::Up),
            _ => None,
        });
        integral = round.is_some();
    }
    let relu = m.take("relu");
    let ftz = m.take("ftz");
    let sat = m.take("sat");
    let (to, from) = (m.ty()?, m.ty()?);
    if matches!(to, Type::F16x2 | Type::Bf16x2) {
        x.needs(&format!("`cvt{to}.f32`"), (7, 0), 80)?;
        count(ops, 3)?;
        if from != Type::F32 || ftz || sat || integral {
            return Err(format!("`cvt{to}` takes two .f32 and `.rn` or `.rz`"));
        }
        let zero = match round {
            Some(Round::Near) => false,
            Some(Round::Zero) => true,
            _ => return Err(format!("`cvt{to}.f32` needs `.rn` or `.rz`")),
        };
        let f = known(convert::pack(to, zero, relu), "cvt", to)?;
        return Ok(Op::F2 {
            f,
            d: x.dst(&ops[0], to)?,
            a: x.src(&ops[1], from)?,
            b: x.src(&ops[2], from)?,
        });
    }
    if relu {
        return Err("`.relu` is modelled for packed conversions alone".into());
    }
    count(ops, 2)?;
    let known_type = |t: Type| t.is_int() || convert::format(t).is_some();
    if !known_type(to) || !known_type(from) {
        return Err(format!(
            "PTX has no `cvt{to}{from}`, or the simulator does not model it"
        ));
    }
    let narrows = from.is_float() && to.is_float() && to.bits() < from.bits();
    match (from.is_float(), to.is_float()) {
        (false, false) if sat && holds(to, from) => {
            return Err(format!(
                "every {from} fits {to}, and `.sat` is not allowed then"
            ));
        }
        (false, false) if round.is_some() => {
            return Err("a conversion between integers takes no rounding mode".into());
        }
        (true, false) if !integral => {
            return Err("a conversion to an integer needs `.rni`, `.rzi`, `.rmi` or `.rpi`".into());
        }
        (false, true) if integral || round.is_none() => {
            return Err("a conversion from an integer needs `.rn`, `.rz`, `.rm` or `.rp`".into());
        }
        (true, true) if narrows && (integral || round.is_none()) => {
            return Err("a narrowing conversion needs `.rn`, `.rz`, `.rm` or `.rp`".into());
        }
        (true, true) if to.bits() > from.bits() && round.is_some() => {
            return Err("a widening conversion takes no rounding mode".into());
        }
        (true, true) if to == from && round.is_some() && !integral => {
            return Err("a conversion within a type rounds to integers alone".into());
        }
        _ => {}
    }
    if ftz && from != Type::F32 && to != Type::F32 {
        return Err("`.ftz` is for .f32".into());
    }
    if to == Type::Bf16 || from == Type::Bf16 {
        let widening = to == Type::F32 || from == Type::F32 && to == Type::Bf16;
        x.needs("`.bf16`", (7, 0), 80)?;
        if !widening || from == Type::Bf16 && x.b.target < 90 {
            x.needs("this `.bf16` conversion", (7, 8), 90)?;
        }
    }
    let c = Cvt {
        to,
        from,
        round,
        integral,
        ftz,
        sat,
    };
    let (d, width) = x.dst_wide(&ops[0], to)?;
    let a = x.src_wide(&ops[1], from)?;
    // A register wider than the destination type gets the sign.
    let extend = to.is_signed() && width > to.bits();
    let f = match (convert::fast(&c), round) {
        (Some(f), _) if !extend => f,
        (_, Some(r)) if integral && to == Type::F32 && from == Type::F32 && !sat => {
            convert::integral32(r, ftz)
        }
        _ => {
            return Ok(Op::Cvt {
                c: Box::new(c),
                d,
                a,
                width: if extend { width } else { 0 },
            });
        }
    };
    Ok(Op::F1 { f, d, a })
}

/// Whether the integer type `to` has all values of `from`.
fn holds(to: Type, from: Type) -> bool {
    match (to.is_signed(), from.is_signed()) {
        (true, false) => to.bits() > from.bits(),
        (false, true) => false,
        _ => to.bits() >= from.bits(),
    }
}

fn boolean(m: &mut Mods<'_>) -> Option<Bool> {
    m.take_if(|w| match w {
        "and" => Some(Bool::And),
        "or" => Some(Bool::Or),
        "xor" => Some(Bool::Xor),
        _ => None,
    })
}

/// The part that `set` and `setp` share: operator, combination, `.ftz`; then the source type.
fn comparison(
    x: &mut Body<'_, '_>,
    m: &mut Mods<'_>,
    dtype: bool,
    ops: &[Operand],
) -> Res<(Compare, Option<Type>)> {
    let from = m.last_ty().ok_or("a type is missing")?;
    let cmp = m.expect(&format!("a comparison of {from}"), |w| Cmp::parse(w, from))?;
    let with = boolean(m);
    let ftz = m.take("ftz");
    if ftz && from != Type::F32 {
        return Err("`.ftz` is for .f32".into());
    }
    let to = if dtype { Some(m.ty()?) } else { None };
    let ty = m.ty()?;
    let f = known(compare::compare(cmp, ty, ftz), "setp", ty)?;
    count(ops, if with.is_some() { 4 } else { 3 })?;
    let (a, b) = (x.src(&ops[1], ty)?, x.src(&ops[2], ty)?);
    let with = match with {
        Some(b) => Some((b, x.pred_src(&ops[3])?)),
        None => None,
    };
    Ok((Compare { f, a, b, with }, to))
}

pub(super) fn setp(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    count_in(ops, 3, 4)?;
    let (cmp, _) = comparison(x, m, false, ops)?;
    let (p, q) = match &ops[0] {
        Operand::Pair(p, q) => (x.pred_dst(p)?, x.pred_dst(q)?),
        p => (x.pred_dst(p)?, None),
    };
    Ok(Op::Setp {
        cmp: Box::new(cmp),
        p,
        q,
    })
}

pub(super) fn set(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    count_in(ops, 3, 4)?;
    if m.last_ty() == Some(Type::F16x2) {
        return set_halves(x, m, ops);
    }
    let (cmp, to) = comparison(x, m, true, ops)?;
    let (to, one) = match to {
        Some(t @ (Type::U32 | Type::S32)) => (t, 0xffff_ffff),
        Some(t @ Type::F32) => (t, u64::from(1f32.to_bits())),
        _ => return Err("`set` gives .u32, .s32 or .f32".into()),
    };
    Ok(Op::Set {
        cmp: Box::new(cmp),
        d: x.dst(&ops[0], to)?,
        one,
    })
}

/// `set` of two floats of 16 bits each: all bits of a half, or none.
fn set_halves(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    count(ops, 3)?;
    let ty = Type::F16x2;
    x.needs("`set` of .f16x2", (4, 2), 53)?;
    let cmp = m.expect("a comparison", |w| Cmp::parse(w, ty))?;
    let (to, _) = (m.ty()?, m.ty()?);
    if !matches!(to, Type::U32 | Type::S32) {
        return Err("`set` of .f16x2 is modelled for .u32 and .s32".into());
    }
    Ok(Op::F2 {
        f: known(compare::halves(cmp), "set", ty)?,
        d: x.dst(&ops[0], to)?,
        a: x.src(&ops[1], ty)?,
        b: x.src(&ops[2], ty)?,
    })
}

pub(super) fn select(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    count(ops, 4)?;
    if opcode == "slct" {
        let ftz = m.take("ftz");
        let (ty, by) = (m.ty()?, m.ty()?);
        if !matches!(by, Type::S32 | Type::F32) || ty.bits() < 16 || ftz && by != Type::F32 {
            return Err(format!("PTX has no `slct{ty}{by}`"));
        }
        return Ok(Op::F3 {
            f: bits::slct(by == Type::F32),
            d: x.dst(&ops[0], ty)?,
            a: x.src(&ops[1], ty)?,
            b: x.src(&ops[2], ty)?,
            c: x.src(&ops[3], by)?,
        });
    }
    let ty = m.ty()?;
    if ty.bits() < 16
        || ty.bits() > 64
        || matches!(ty, Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2)
    {
        return Err(format!("PTX has no `selp` for {ty}"));
    }
    Ok(Op::Selp {
        d: x.dst(&ops[0], ty)?,
        a: x.src(&ops[1], ty)?,
        b: x.src(&ops[2], ty)?,
        p: x.pred_src(&ops[3])?,
    })
}

/// `cvta.space` (to generic) and `cvta.to.space`.
pub(super) fn cvta(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    count(ops, 2)?;
    let to = m.take("to");
    let space = m.space().ok_or("`cvta` needs a state space")?;
    if space == Space::Param {
        x.needs("`cvta.param`", (7, 7), 70)?;
    }
    let ty = m.ty()?;
    if ty != Type::U64 {
        return Err("addresses are .u64".into());
    }
    let d = x.dst(&ops[0], ty)?;
    // `cvta.local.u64 d, variable` and the same with a parameter of a device function.
    let (name, offset) = match &ops[1] {
        Operand::Name(n) => (Some(n), 0),
        Operand::Offset(n, o) => (Some(n), *o),
        _ => (None, 0),
    };
    if let Some(Name::Frame(at, _)) = name.and_then(|n| x.lookup(n)) {
        return Ok(Op::FrameAddr {
            d,
            offset: i64::from(at) + offset,
            generic: !to,
        });
    }
    Ok(Op::Cvta {
        d,
        a: x.src(&ops[1], ty)?,
        space,
        to,
    })
}

pub(super) fn isspacep(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    count(ops, 2)?;
    let space = m.space().ok_or("`isspacep` needs a state space")?;
    let p = x.pred_dst(&ops[0])?.ok_or("`_` is no destination here")?;
    Ok(Op::IsSpace {
        p,
        a: x.src(&ops[1], Type::U64)?,
        space,
    })
}
