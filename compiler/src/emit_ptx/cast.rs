//! Casts, negations, selections: what turns one scalar into another.

use accrue_ptx::abi::FaultKind;
use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand, Reg};

use super::arith::{U32_MAX, type_max};
use super::emitter::Emitter;
use super::value::{Num, bits, class, is_small, suffix};
use crate::ir::{BinaryOp, Scalar, SourceId, UnaryOp};

impl Emitter<'_> {
    /// `-a`, `!a`.
    pub(super) fn unary(&mut self, op: UnaryOp, a: Num, source: SourceId) -> Num {
        let ty = a.ty;
        match (op, ty) {
            (UnaryOp::Not, Scalar::Bool) => {
                let reg = self.reg(a);
                Num::reg(ty, value!(self.f(), "not", "not.pred", reg))
            }
            (UnaryOp::Not, _) => {
                let reg = self.reg(a);
                let raw = value!(self.f(), "not", format!("not.{}", bits(ty)), reg);
                let reg = self.normalise(ty, raw);
                Num::reg(ty, reg)
            }
            (UnaryOp::Neg, Scalar::F32 | Scalar::F64) => self.negate_float(a),
            (UnaryOp::Neg, _) => {
                if let Some(c) = a.constant().filter(|&c| -c <= i128::from(type_max(ty))) {
                    return Num::int(ty, -c);
                }
                if self.options.overflow_checks && ty.is_signed() {
                    let least =
                        self.compare(BinaryOp::Eq, a, Num::int(ty, -i128::from(type_max(ty)) - 1));
                    let least = self.reg(least);
                    self.fault_if(
                        least,
                        true,
                        FaultKind::NegateOverflow,
                        String::new(),
                        source,
                        None,
                    );
                }
                self.negate(a)
            }
        }
    }

    fn negate_float(&mut self, a: Num) -> Num {
        let reg = self.reg(a);
        let opcode = format!("neg.{}", suffix(a.ty));
        Num::reg(a.ty, value!(self.f(), "negated", opcode, reg))
    }

    /// `a.wrapping_neg()`.
    pub(super) fn negate(&mut self, a: Num) -> Num {
        let reg = self.reg(a);
        let signed = if reg.class == Class::B64 {
            "s64"
        } else {
            "s32"
        };
        let raw = value!(self.f(), "negated", format!("neg.{signed}"), reg);
        let reg = self.normalise(a.ty, raw);
        Num::reg(a.ty, reg)
    }

    /// What is added where `a` is to be subtracted: `-a`, wrapping. `x - a` is `x + -a`, of floats to the last bit.
    pub(super) fn opposite(&mut self, a: Num) -> Num {
        let ty = a.ty;
        if ty.is_float() {
            return self.negate_float(a);
        }
        let (most, modulus) = (i128::from(type_max(ty)), 1i128 << ty.bits());
        match a.constant() {
            Some(c) if -c > most => Num::int(ty, -c - modulus),
            Some(c) if c > 0 && !ty.is_signed() => Num::int(ty, modulus - c),
            Some(c) => Num::int(ty, -c),
            None => self.negate(a),
        }
    }

    /// `condition ? a : b`.
    pub(super) fn select(&mut self, condition: Reg, a: Num, b: Num) -> Num {
        let ty = a.ty;
        let max = match (a.max, b.max) {
            (Some(x), Some(y)) => Some(x.max(y)),
            _ => None,
        };
        if ty == Scalar::Bool {
            let (a, b) = (self.bool_bits(a), self.bool_bits(b));
            let bit = value!(self.f(), "bit", "selp.b32", a, b, condition);
            return Num::reg(ty, value!(self.f(), "cond", "setp.ne.u32", bit, 0));
        }
        if ty.size() == 8 && ty.is_int() && a.is_narrow() && b.is_narrow() && !ty.is_signed() {
            let (a, b) = (self.low(a), self.low(b));
            let reg = value!(self.f(), "selected", "selp.b32", a, b, condition);
            return self.narrow_result(ty, reg, max.unwrap_or(U32_MAX));
        }
        let (a, b) = (self.wide(a), self.wide(b));
        let suffix = if ty.is_float() { suffix(ty) } else { bits(ty) };
        let reg = value!(
            self.f(),
            "selected",
            format!("selp.{suffix}"),
            a,
            b,
            condition
        );
        self.result(ty, reg, max)
    }

    /// `a as to`.
    pub(super) fn cast(&mut self, a: Num, to: Scalar) -> Num {
        let from = a.ty;
        if from == to {
            return a;
        }
        if from == Scalar::Bool {
            let bit = self.bool_bits(a);
            let bit = Num::reg(Scalar::U8, bit).at_most(1);
            return self.cast(bit, to);
        }
        match (from.is_float(), to.is_float()) {
            (false, false) => self.int_to_int(a, to),
            (false, true) => {
                let reg = match a.is_narrow() {
                    true => self.low(a),
                    false => self.wide(a),
                };
                let class = if a.is_narrow() {
                    Class::B32
                } else {
                    class(from)
                };
                let reg = self.first_operand(reg, class);
                let from = if a.is_narrow() { "u32" } else { suffix(from) };
                Num::reg(
                    to,
                    value!(self.f(), "x", format!("cvt.rn.{}.{from}", suffix(to)), reg),
                )
            }
            (true, false) => self.float_to_int(a, to),
            (true, true) => {
                let reg = self.reg(a);
                let opcode = if to == Scalar::F64 {
                    "cvt.f64.f32"
                } else {
                    "cvt.rn.f32.f64"
                };
                Num::reg(to, value!(self.f(), "x", opcode, reg))
            }
        }
    }

    fn int_to_int(&mut self, a: Num, to: Scalar) -> Num {
        if let Some(c) = a.constant() {
            let shift = 128 - to.bits();
            let bits = (c as u128) << shift;
            let value = if to.is_signed() {
                (bits as i128) >> shift
            } else {
                (bits >> shift) as i128
            };
            return Num::int(to, value);
        }
        let fits = a.max.is_some_and(|m| m <= type_max(to));
        if to.size() == 8 {
            if class(a.ty) == Class::B64 && !a.narrow {
                return Num {
                    ty: to,
                    max: if fits {
                        a.max
                    } else {
                        Num::reg(to, self.reg(a)).max
                    },
                    ..a
                };
            }
            // A value without a sign extends with zeros, for nothing where the target may be narrow.
            if fits {
                let narrow = Num {
                    ty: to,
                    operand: a.operand,
                    narrow: true,
                    max: a.max,
                };
                if to.is_signed() {
                    let reg = value!(self.f(), "wide", "cvt.u64.u32", a.operand);
                    return Num {
                        operand: reg.into(),
                        narrow: false,
                        ..narrow
                    };
                }
                return narrow;
            }
            let reg = value!(self.f(), "wide", "cvt.s64.s32", a.operand);
            return Num::reg(to, reg);
        }
        let low = self.low(a);
        let Operand::Reg(low) = low else {
            unreachable!("constants were folded")
        };
        let reg = if fits || !is_small(to) {
            low
        } else {
            self.normalise(to, low)
        };
        let num = Num::reg(to, reg);
        if fits { Num { max: a.max, ..num } } else { num }
    }

    /// Saturates; NaN becomes 0. The conversion clamps to the type it names; that it gives 0 for NaN is only
    /// so without 64 bits on either side, hence the test.
    fn float_to_int(&mut self, a: Num, to: Scalar) -> Num {
        let mut reg = self.reg(a);
        let (from, to_suffix) = (suffix(a.ty), suffix(to));
        let of_32 = a.ty == Scalar::F32 && to.size() < 8;
        if !of_32 && !to.is_signed() {
            // The larger one of a NaN and 0 is 0, in one instruction instead of two behind the conversion.
            let zero = match a.ty {
                Scalar::F32 => Operand::F32(0),
                _ => Operand::F64(0),
            };
            reg = value!(self.f(), "x", format!("max.{from}"), reg, zero);
        }
        let mut int = value!(self.f(), "int", format!("cvt.rzi.{to_suffix}.{from}"), reg);
        if is_small(to) {
            int = value!(
                self.f(),
                "int",
                format!("min.{to_suffix}"),
                int,
                type_max(to) as i64
            );
            if to.is_signed() {
                int = value!(self.f(), "int", "max.s32", int, -(type_max(to) as i64) - 1);
            }
        }
        if of_32 || !to.is_signed() {
            return Num::reg(to, int);
        }
        let nan = value!(self.f(), "nan", format!("setp.nan.{from}"), reg, reg);
        let int = value!(self.f(), "int", format!("selp.{}", bits(to)), 0, int, nan);
        Num::reg(to, int)
    }

    /// A float as the index of a bin, where bins are numbered in 32 bits: what these do not hold becomes the last number, which
    /// no bin has either.
    pub(super) fn float_to_bin(&mut self, a: Num) -> Num {
        let narrow = self.float_to_int(a, Scalar::U32);
        self.int_to_int(narrow, Scalar::Usize)
    }

    /// Writes `target = num`, in a register of the type's class.
    pub(super) fn assign_num(&mut self, target: Reg, num: Num) {
        let operand = self.wide(num);
        let operand = match operand {
            Operand::Int(_) if num.ty == Scalar::Bool => self.reg(num).into(),
            operand => operand,
        };
        self.f().assign(target, operand);
    }
}
