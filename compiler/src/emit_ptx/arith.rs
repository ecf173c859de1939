//! Operators on scalars, with Rust's overflow, shifts, divisions and float rules.
//!
//! Ranges are followed as far as they are free: two numbers that are known to be small stay in 32 bits,
//! and an index that cannot be out of range is not compared.

use accrue_ptx::abi::FaultKind;
use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand, Reg};

use super::emitter::{Emitter, Result};
use super::value::{Num, bits, class, is_small, suffix};
use crate::ir::{BinaryOp, Scalar, SourceId};

pub(super) const U32_MAX: u64 = u32::MAX as u64;

/// The largest value of an integer type.
pub(super) fn type_max(ty: Scalar) -> u64 {
    let bits = ty.bits() - u32::from(ty.is_signed());
    u64::MAX >> (64 - bits)
}

impl Emitter<'_> {
    /// A 64-bit integer in 64 bits; other scalars as they are.
    pub(super) fn wide(&mut self, num: Num) -> Operand {
        match num.operand {
            Operand::Reg(reg) if num.narrow => value!(self.f(), "wide", "cvt.u64.u32", reg).into(),
            operand => operand,
        }
    }

    /// A scalar in a register as wide as its type.
    pub(super) fn reg(&mut self, num: Num) -> Reg {
        match self.wide(num) {
            Operand::Reg(reg) => reg,
            Operand::Int(v) if num.ty == Scalar::Bool => {
                let zero = value!(self.f(), "constant", "mov.b32", v);
                value!(self.f(), "constant", "setp.ne.u32", zero, 0)
            }
            constant => value!(
                self.f(),
                "constant",
                format!("mov.{}", class(num.ty).suffix()),
                constant
            ),
        }
    }

    /// The low 32 bits of a narrow or 32-bit integer.
    pub(super) fn low(&mut self, num: Num) -> Operand {
        match num.operand {
            Operand::Reg(reg) if reg.class == Class::B64 => {
                value!(self.f(), "low", "cvt.u32.u64", reg).into()
            }
            // No instruction of 32 bits takes more, though it may never run.
            Operand::Int(all) if num.ty.size() == 8 => Operand::Int(i64::from(all as u32)),
            operand => operand,
        }
    }

    /// A result in a register of its type's class, moved to 32 bits where it is small enough.
    pub(super) fn result(&mut self, ty: Scalar, reg: Reg, max: Option<u64>) -> Num {
        let num = match max {
            Some(max) => Num::reg(ty, reg).at_most(max),
            None => Num::reg(ty, reg),
        };
        match num.max {
            Some(max) if max <= U32_MAX && reg.class == Class::B64 && !ty.is_signed() => {
                let low = value!(self.f(), "low", "cvt.u32.u64", reg);
                Num {
                    operand: low.into(),
                    narrow: true,
                    ..num
                }
            }
            _ => num,
        }
    }

    /// A result of 32 bits for a 64-bit unsigned type.
    pub(super) fn narrow_result(&self, ty: Scalar, reg: Reg, max: u64) -> Num {
        Num {
            ty,
            operand: reg.into(),
            narrow: ty.size() == 8,
            max: Some(max),
        }
    }

    /// Cuts a 32-bit register down to an 8- or 16-bit type, and extends it again.
    pub(super) fn normalise(&mut self, ty: Scalar, reg: Reg) -> Reg {
        match ty {
            Scalar::U8 => value!(self.f(), "u8", "and.b32", reg, 0xff),
            Scalar::U16 => value!(self.f(), "u16", "and.b32", reg, 0xffff),
            Scalar::I8 => value!(self.f(), "i8", "cvt.s32.s8", reg),
            Scalar::I16 => value!(self.f(), "i16", "cvt.s32.s16", reg),
            _ => reg,
        }
    }

    /// `a op b`.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Num, b: Num, source: SourceId) -> Result<Num> {
        if op.is_comparison() {
            return Ok(self.compare(op, a, b));
        }
        match a.ty {
            Scalar::Bool => Ok(self.logic(op, a, b)),
            Scalar::F32 | Scalar::F64 => self.float_binary(op, a, b, source),
            _ => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                    Ok(self.arithmetic(op, a, b, self.options.overflow_checks.then_some(source)))
                }
                BinaryOp::Div | BinaryOp::Rem => Ok(self.divide(op, a, b, source)),
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => Ok(self.bitwise(op, a, b)),
                BinaryOp::Shl | BinaryOp::Shr => {
                    Ok(self.shift(op, a, b, self.options.overflow_checks.then_some(source)))
                }
                _ => unreachable!("comparisons were handled"),
            },
        }
    }

    /// A comparison.
    pub(super) fn compare(&mut self, op: BinaryOp, a: Num, b: Num) -> Num {
        let name = match op {
            BinaryOp::Eq => "eq",
            // Of floats, a NaN is unlike everything: `ne` alone would be false for it.
            BinaryOp::Ne if a.ty.is_float() => "neu",
            BinaryOp::Ne => "ne",
            BinaryOp::Lt => "lt",
            BinaryOp::Le => "le",
            BinaryOp::Gt => "gt",
            BinaryOp::Ge => "ge",
            _ => unreachable!("not a comparison: {op:?}"),
        };
        if a.ty == Scalar::Bool {
            let (a, b) = (self.bool_bits(a), self.bool_bits(b));
            return self.predicate(format!("setp.{name}.u32"), a.into(), b.into());
        }
        if a.is_narrow() && b.is_narrow() {
            let (x, y) = (self.low(a), self.low(b));
            let x = self.first_operand(x, Class::B32);
            return self.predicate(format!("setp.{name}.u32"), x, y);
        }
        let (x, y) = (self.wide(a), self.wide(b));
        let x = self.first_operand(x, class(a.ty));
        self.predicate(format!("setp.{name}.{}", suffix(a.ty)), x, y)
    }

    fn predicate(&mut self, opcode: String, a: Operand, b: Operand) -> Num {
        Num::reg(Scalar::Bool, value!(self.f(), "cond", opcode, a, b))
    }

    /// An instruction's first operand is a register, so that two constants never meet in one.
    pub(super) fn first_operand(&mut self, operand: Operand, class: Class) -> Operand {
        match operand {
            Operand::Reg(_) => operand,
            constant => value!(
                self.f(),
                "constant",
                format!("mov.{}", class.suffix()),
                constant
            )
            .into(),
        }
    }

    /// A `bool` as 0 or 1 in 32 bits.
    pub(super) fn bool_bits(&mut self, num: Num) -> Reg {
        let predicate = self.reg(num);
        value!(self.f(), "bit", "selp.b32", 1, 0, predicate)
    }

    fn logic(&mut self, op: BinaryOp, a: Num, b: Num) -> Num {
        let name = match op {
            BinaryOp::BitAnd => "and.pred",
            BinaryOp::BitOr => "or.pred",
            BinaryOp::BitXor => "xor.pred",
            _ => unreachable!("not an operator of `bool`: {op:?}"),
        };
        let (a, b) = (self.reg(a), self.reg(b));
        Num::reg(Scalar::Bool, value!(self.f(), "cond", name, a, b))
    }

    fn float_binary(&mut self, op: BinaryOp, a: Num, b: Num, source: SourceId) -> Result<Num> {
        let ty = suffix(a.ty);
        // `.rn` on every operation: the assembler fuses only what does not say how it rounds.
        let name = match op {
            BinaryOp::Add => "add.rn",
            BinaryOp::Sub => "sub.rn",
            BinaryOp::Mul => "mul.rn",
            BinaryOp::Div => "div.rn",
            BinaryOp::Rem => return self.library_call("rem", a.ty, &[a, b], source),
            _ => unreachable!("not an operator of floats: {op:?}"),
        };
        let first = self.reg(a);
        Ok(Num::reg(
            a.ty,
            value!(self.f(), "x", format!("{name}.{ty}"), first, b.operand),
        ))
    }

    /// `a + b`, `a - b`, `a * b`; wrapping, or with a fault on overflow at the place given.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        a: Num,
        b: Num,
        checked: Option<SourceId>,
    ) -> Num {
        let ty = a.ty;
        let (name, hint, fault) = match op {
            BinaryOp::Add => ("add", "sum", FaultKind::AddOverflow),
            BinaryOp::Sub => ("sub", "difference", FaultKind::SubtractOverflow),
            BinaryOp::Mul => ("mul.lo", "product", FaultKind::MultiplyOverflow),
            _ => unreachable!("not arithmetic: {op:?}"),
        };
        if let (Some(x), Some(y)) = (a.constant(), b.constant()) {
            let exact = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                _ => x * y,
            };
            let min = if ty.is_signed() {
                -i128::from(type_max(ty)) - 1
            } else {
                0
            };
            if (min..=i128::from(type_max(ty))).contains(&exact) {
                return Num::int(ty, exact);
            }
        }
        // What the result is at most, where it certainly does not overflow.
        let max = match (op, a.max, b.max) {
            (BinaryOp::Add, Some(x), Some(y)) => x.checked_add(y),
            (BinaryOp::Mul, Some(x), Some(y)) => x.checked_mul(y),
            _ => None,
        }
        .filter(|&m| m <= type_max(ty));
        if ty.size() == 8 && !ty.is_signed() && a.is_narrow() && b.is_narrow() && max.is_some() {
            let (x, y) = (self.low(a), self.low(b));
            let x = self.first_operand(x, Class::B32);
            if let Some(max) = max.filter(|&m| m <= U32_MAX) {
                let reg = value!(self.f(), hint, format!("{name}.u32"), x, y);
                return self.narrow_result(ty, reg, max);
            }
            if op == BinaryOp::Mul {
                let reg = value!(self.f(), hint, "mul.wide.u32", x, y);
                return self.result(ty, reg, max);
            }
        }
        let (x, y) = (self.wide(a), self.wide(b));
        let x = self.first_operand(x, class(ty));
        // Wrapping is the same for both signs, and for products of low halves too.
        let unsigned = if class(ty) == Class::B64 {
            "u64"
        } else {
            "u32"
        };
        let raw = value!(self.f(), hint, format!("{name}.{unsigned}"), x, y);
        let reg = if max.is_none() {
            self.normalise(ty, raw)
        } else {
            raw
        };
        if let (Some(source), None) = (checked, max) {
            let overflow = self.overflows(op, ty, x, y, raw, reg);
            self.fault_if(overflow, true, fault, String::new(), source, None);
        }
        self.result(ty, reg, max)
    }

    /// Whether a sum, difference or product overflowed. `raw` is the result in its register, `reg` cut to the type.
    pub(super) fn overflows(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        x: Operand,
        y: Operand,
        raw: Reg,
        reg: Reg,
    ) -> Reg {
        let (s, b) = (suffix(ty), bits(ty));
        let f = self.f();
        if is_small(ty) {
            return value!(f, "overflow", "setp.ne.u32", raw, reg);
        }
        match (op, ty.is_signed()) {
            (BinaryOp::Add, false) => value!(f, "overflow", format!("setp.lt.{s}"), raw, x),
            (BinaryOp::Sub, false) => value!(f, "overflow", format!("setp.lt.{s}"), x, y),
            (BinaryOp::Add, true) => {
                // Both operands have another sign than the result.
                let first = value!(f, "sign", format!("xor.{b}"), x, raw);
                let second = value!(f, "sign", format!("xor.{b}"), raw, y);
                let both = value!(f, "sign", format!("and.{b}"), first, second);
                value!(f, "overflow", format!("setp.lt.{s}"), both, 0)
            }
            (BinaryOp::Sub, true) => {
                let first = value!(f, "sign", format!("xor.{b}"), x, y);
                let second = value!(f, "sign", format!("xor.{b}"), x, raw);
                let both = value!(f, "sign", format!("and.{b}"), first, second);
                value!(f, "overflow", format!("setp.lt.{s}"), both, 0)
            }
            (_, false) => {
                let high = value!(f, "high", format!("mul.hi.{s}"), x, y);
                value!(f, "overflow", format!("setp.ne.{s}"), high, 0)
            }
            (_, true) => {
                let high = value!(f, "high", format!("mul.hi.{s}"), x, y);
                let sign = value!(f, "sign", format!("shr.{s}"), raw, ty.bits() - 1);
                value!(f, "overflow", format!("setp.ne.{s}"), high, sign)
            }
        }
    }

    /// `a / b`, `a % b` of integers.
    fn divide(&mut self, op: BinaryOp, a: Num, b: Num, source: SourceId) -> Num {
        let (name, hint, by_zero, overflow) = match op {
            BinaryOp::Div => (
                "div",
                "quotient",
                FaultKind::DivideByZero,
                FaultKind::DivideOverflow,
            ),
            _ => (
                "rem",
                "remainder",
                FaultKind::RemainderByZero,
                FaultKind::RemainderOverflow,
            ),
        };
        let ty = a.ty;
        self.check_divisor(a, b, by_zero, overflow, source);
        let max = match (op, a.max, b.constant()) {
            (BinaryOp::Div, Some(max), Some(by)) if by > 0 => Some((i128::from(max) / by) as u64),
            (BinaryOp::Rem, Some(max), Some(by)) if by > 0 => Some(max.min((by - 1) as u64)),
            (_, max, _) if !ty.is_signed() => max,
            _ => None,
        };
        let by = b.constant().and_then(|by| u64::try_from(by).ok());
        if let Some(by) = by.filter(|by| *by > 0)
            && let Some(divided) = self.divide_by(op, a, by, max)
        {
            return divided;
        }
        if ty.size() == 8 && !ty.is_signed() && a.is_narrow() && b.is_narrow() {
            let (x, y) = (self.low(a), self.low(b));
            let x = self.first_operand(x, Class::B32);
            let reg = value!(self.f(), hint, format!("{name}.u32"), x, y);
            return self.narrow_result(ty, reg, max.unwrap_or(U32_MAX));
        }
        let (x, y) = (self.wide(a), self.wide(b));
        let x = self.first_operand(x, class(ty));
        let reg = value!(self.f(), hint, format!("{name}.{}", suffix(ty)), x, y);
        self.result(ty, reg, max)
    }

    /// Faults where a divisor is zero, or where the smallest number is divided by -1.
    pub(super) fn check_divisor(
        &mut self,
        a: Num,
        b: Num,
        by_zero: FaultKind,
        overflow: FaultKind,
        source: SourceId,
    ) {
        let ty = a.ty;
        let constant = b.constant();
        if constant.is_none_or(|c| c == 0) {
            let zero = self.compare(BinaryOp::Eq, b, Num::int(ty, 0));
            let zero = self.reg(zero);
            self.fault_if(zero, true, by_zero, String::new(), source, None);
        }
        if ty.is_signed() && constant.is_none_or(|c| c == -1) && a.max.is_none() {
            let least = self.compare(BinaryOp::Eq, a, Num::int(ty, -i128::from(type_max(ty)) - 1));
            let minus = self.compare(BinaryOp::Eq, b, Num::int(ty, -1));
            let (least, minus) = (self.reg(least), self.reg(minus));
            let both = value!(self.f(), "overflow", "and.pred", least, minus);
            self.fault_if(both, true, overflow, String::new(), source, None);
        }
    }

    /// `a & b`, `a | b`, `a ^ b` of integers.
    pub(super) fn bitwise(&mut self, op: BinaryOp, a: Num, b: Num) -> Num {
        let ty = a.ty;
        let name = match op {
            BinaryOp::BitAnd => "and",
            BinaryOp::BitOr => "or",
            _ => "xor",
        };
        let max = match (op, a.max, b.max) {
            (BinaryOp::BitAnd, Some(x), Some(y)) => Some(x.min(y)),
            (BinaryOp::BitAnd, x, y) => x.or(y),
            (_, Some(x), Some(y)) => Some(u64::MAX >> (x | y).leading_zeros().min(63)),
            _ => None,
        };
        let both_narrow = a.is_narrow() && b.is_narrow();
        let mask = op == BinaryOp::BitAnd && (a.is_narrow() || b.is_narrow());
        if ty.size() == 8 && !ty.is_signed() && (both_narrow || mask) {
            let (x, y) = (self.low(a), self.low(b));
            let x = self.first_operand(x, Class::B32);
            let reg = value!(self.f(), name, format!("{name}.b32"), x, y);
            return self.narrow_result(ty, reg, max.unwrap_or(U32_MAX).min(U32_MAX));
        }
        let (x, y) = (self.wide(a), self.wide(b));
        let x = self.first_operand(x, class(ty));
        let reg = value!(self.f(), name, format!("{name}.{}", bits(ty)), x, y);
        self.result(ty, reg, max)
    }

    /// `a << b`, `a >> b`: by the low bits of the amount, or with a fault where it is too large.
    pub(super) fn shift(&mut self, op: BinaryOp, a: Num, b: Num, checked: Option<SourceId>) -> Num {
        let ty = a.ty;
        let width = ty.bits();
        let amount: Operand = match b.constant() {
            Some(c) if (0..i128::from(width)).contains(&c) => Operand::Int(c as i64),
            _ => {
                if let Some(source) = checked {
                    let kind = if op == BinaryOp::Shl {
                        FaultKind::ShiftLeftOverflow
                    } else {
                        FaultKind::ShiftRightOverflow
                    };
                    let reg = self.reg(b);
                    let unsigned = if reg.class == Class::B64 {
                        "u64"
                    } else {
                        "u32"
                    };
                    // A negative amount is a large one without its sign.
                    let large =
                        value!(self.f(), "large", format!("setp.ge.{unsigned}"), reg, width);
                    self.fault_if(large, true, kind, String::new(), source, None);
                }
                let low = self.low(b);
                let low = self.first_operand(low, Class::B32);
                value!(self.f(), "amount", "and.b32", low, width - 1).into()
            }
        };
        let known = match amount {
            Operand::Int(by) => Some(by as u32),
            _ => None,
        };
        let max = match (op, a.max, known) {
            (BinaryOp::Shl, Some(max), Some(by)) if max.leading_zeros() >= by => {
                Some(max << by).filter(|&m| m <= type_max(ty))
            }
            (BinaryOp::Shl, ..) => None,
            (_, Some(max), by) => Some(max >> by.unwrap_or(0)),
            _ => None,
        };
        let left = op == BinaryOp::Shl;
        if ty.size() == 8
            && !ty.is_signed()
            && a.is_narrow()
            && (!left || max.is_some_and(|m| m <= U32_MAX))
        {
            let x = self.low(a);
            let x = self.first_operand(x, Class::B32);
            // PTX gives 0 for amounts of 32 and more.
            let opcode = if left { "shl.b32" } else { "shr.u32" };
            let reg = value!(self.f(), "shifted", opcode, x, amount);
            return self.narrow_result(ty, reg, max.unwrap_or(U32_MAX));
        }
        let x = self.wide(a);
        let x = self.first_operand(x, class(ty));
        let opcode = if left {
            format!("shl.{}", bits(ty))
        } else {
            format!("shr.{}", suffix(ty))
        };
        let raw = value!(self.f(), "shifted", opcode, x, amount);
        let reg = if left && max.is_none() {
            self.normalise(ty, raw)
        } else {
            raw
        };
        self.result(ty, reg, max)
    }
}
