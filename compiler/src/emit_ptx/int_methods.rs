//! Methods of the integers.

use accrue_ptx::abi::FaultKind;
use accrue_ptx::emit;
use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand, Reg};

use super::arith::{U32_MAX, type_max};
use super::emitter::{Emitter, Result};
use super::value::{Num, Value, bits, class, is_small, suffix};
use crate::ir::{BinaryOp, Method, Scalar, SourceId};
use crate::methods::{methods_of, unsigned};

impl Emitter<'_> {
    pub(super) fn int_method(
        &mut self,
        method: Method,
        parts: &[Num],
        source: SourceId,
    ) -> Result<Value> {
        let a = parts[0];
        let ty = a.ty;
        let b = parts.get(1).copied().unwrap_or(Num::int(ty, 0));
        let checks = self.options.overflow_checks.then_some(source);
        let num = match method {
            Method::Min | Method::Max => self.extreme(method.name(), a, b),
            Method::Clamp => {
                if b.constant()
                    .zip(parts[2].constant())
                    .is_none_or(|(low, high)| low > high)
                {
                    let wrong = self.compare(BinaryOp::Gt, b, parts[2]);
                    let wrong = self.reg(wrong);
                    let text = "assertion failed: min <= max".to_owned();
                    self.fault_if(wrong, true, FaultKind::Panic, text, source, None);
                }
                let above = self.extreme("max", a, b);
                self.extreme("min", above, parts[2])
            }
            Method::RemEuclid => self.euclid(a, b, true, source)?,
            Method::DivEuclid => self.euclid(a, b, false, source)?,
            Method::WrappingAdd => self.arithmetic(BinaryOp::Add, a, b, None),
            Method::WrappingSub => self.arithmetic(BinaryOp::Sub, a, b, None),
            Method::WrappingMul => self.arithmetic(BinaryOp::Mul, a, b, None),
            Method::WrappingNeg => self.negate(a),
            Method::WrappingShl => self.shift(BinaryOp::Shl, a, b, None),
            Method::WrappingShr => self.shift(BinaryOp::Shr, a, b, None),
            Method::WrappingPow => self.power(a, b, None),
            Method::Pow => self.power(a, b, checks),
            Method::SaturatingAdd => self.saturating(BinaryOp::Add, a, b),
            Method::SaturatingSub => self.saturating(BinaryOp::Sub, a, b),
            Method::SaturatingMul => self.saturating(BinaryOp::Mul, a, b),
            Method::OverflowingAdd => return Ok(self.overflowing(BinaryOp::Add, a, b)),
            Method::OverflowingSub => return Ok(self.overflowing(BinaryOp::Sub, a, b)),
            Method::OverflowingMul => return Ok(self.overflowing(BinaryOp::Mul, a, b)),
            Method::Isqrt => {
                if ty.is_signed() {
                    let text = "argument of integer square root cannot be negative";
                    self.fault_where(BinaryOp::Lt, a, 0, text, source);
                }
                self.square_root(a)
            }
            Method::Ilog2 | Method::Ilog10 => {
                self.fault_where(
                    BinaryOp::Le,
                    a,
                    0,
                    "argument of integer logarithm must be positive",
                    source,
                );
                if method == Method::Ilog2 {
                    self.log2(a)
                } else {
                    self.log10(a)
                }
            }
            Method::AbsDiff => {
                let (large, small) = (self.extreme("max", a, b), self.extreme("min", a, b));
                let difference = self.arithmetic(BinaryOp::Sub, large, small, None);
                self.cast(difference, unsigned(ty))
            }
            Method::CountOnes => self.ones(a),
            Method::CountZeros => {
                let inverted = self.invert(a);
                self.ones(inverted)
            }
            Method::LeadingZeros => self.leading_zeros(a),
            Method::LeadingOnes => {
                let inverted = self.invert(a);
                self.leading_zeros(inverted)
            }
            Method::TrailingZeros => self.trailing_zeros(a),
            Method::TrailingOnes => {
                let inverted = self.invert(a);
                self.trailing_zeros(inverted)
            }
            Method::RotateLeft => self.rotate(a, b, true),
            Method::RotateRight => self.rotate(a, b, false),
            Method::SwapBytes | Method::ToBe => self.swap_bytes(a),
            Method::ToLe => a,
            Method::ReverseBits => self.reverse_bits(a),
            Method::ToLeBytes | Method::ToNeBytes => return Ok(self.bytes(a, false)),
            Method::ToBeBytes => return Ok(self.bytes(a, true)),
            Method::Abs => {
                if self.options.overflow_checks {
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
                self.absolute(a)
            }
            Method::WrappingAbs => self.absolute(a),
            Method::UnsignedAbs => {
                let absolute = self.absolute(a);
                self.cast(absolute, unsigned(ty))
            }
            Method::Signum => {
                let above = self.compare(BinaryOp::Gt, a, Num::int(ty, 0));
                let below = self.compare(BinaryOp::Lt, a, Num::int(ty, 0));
                let (above, below) = (self.cast(above, ty), self.cast(below, ty));
                self.arithmetic(BinaryOp::Sub, above, below, None)
            }
            Method::IsPositive => self.compare(BinaryOp::Gt, a, Num::int(ty, 0)),
            Method::IsNegative => self.compare(BinaryOp::Lt, a, Num::int(ty, 0)),
            Method::DivCeil => {
                let quotient = self.binary(BinaryOp::Div, a, b, source)?;
                let back = self.arithmetic(BinaryOp::Mul, quotient, b, None);
                let more = self.compare(BinaryOp::Ne, back, a);
                let more = self.cast(more, ty);
                self.arithmetic(BinaryOp::Add, quotient, more, None)
            }
            Method::NextMultipleOf => {
                let rest = self.binary(BinaryOp::Rem, a, b, source)?;
                let whole = self.compare(BinaryOp::Eq, rest, Num::int(ty, 0));
                let whole = self.reg(whole);
                let missing = self.arithmetic(BinaryOp::Sub, b, rest, None);
                let missing = self.select(whole, Num::int(ty, 0), missing);
                self.arithmetic(BinaryOp::Add, a, missing, checks)
            }
            Method::IsPowerOfTwo => {
                let ones = self.ones(a);
                self.compare(BinaryOp::Eq, ones, Num::int(Scalar::U32, 1))
            }
            Method::NextPowerOfTwo => self.next_power(a, checks),
            Method::IsAscii => self.compare(BinaryOp::Lt, a, Num::int(ty, 128)),
            Method::IsAsciiAlphabetic => self.within(a, &[(b'A', b'Z'), (b'a', b'z')]),
            Method::IsAsciiAlphanumeric => {
                self.within(a, &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')])
            }
            Method::IsAsciiDigit => self.within(a, &[(b'0', b'9')]),
            Method::IsAsciiHexdigit => self.within(a, &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
            Method::IsAsciiLowercase => self.within(a, &[(b'a', b'z')]),
            Method::IsAsciiUppercase => self.within(a, &[(b'A', b'Z')]),
            Method::IsAsciiPunctuation => {
                self.within(a, &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')])
            }
            // Space, tab, line feed, form feed, carriage return.
            Method::IsAsciiWhitespace => {
                self.within(a, &[(b' ', b' '), (b'\t', b'\n'), (0x0c, b'\r')])
            }
            Method::IsAsciiGraphic => self.within(a, &[(b'!', b'~')]),
            Method::IsAsciiControl => self.within(a, &[(0, 0x1f), (0x7f, 0x7f)]),
            Method::ToAsciiLowercase => self.change_case(a, b'A'),
            Method::ToAsciiUppercase => self.change_case(a, b'a'),
            methods_of!(Floats) | methods_of!(FromBits) | methods_of!(FromBytes) => {
                return Err(self.no_form(method, ty, source));
            }
        };
        Ok(Value::Num(num))
    }

    /// A panic where a comparison with a constant holds.
    fn fault_where(&mut self, op: BinaryOp, a: Num, b: i128, text: &str, source: SourceId) {
        let wrong = self.compare(op, a, Num::int(a.ty, b));
        let wrong = self.reg(wrong);
        self.fault_if(wrong, true, FaultKind::Panic, text.to_owned(), source, None);
    }

    /// `a.min(b)`, `a.max(b)`.
    pub(super) fn extreme(&mut self, name: &'static str, a: Num, b: Num) -> Num {
        let ty = a.ty;
        let max = match (name, a.max, b.max) {
            ("min", Some(x), Some(y)) => Some(x.min(y)),
            ("max", Some(x), Some(y)) => Some(x.max(y)),
            // At least as large as what is not negative, and at most the largest there is.
            ("max", x, y) if x.is_some() || y.is_some() => Some(type_max(ty)),
            _ => None,
        };
        if ty.size() == 8 && !ty.is_signed() && a.is_narrow() && b.is_narrow() {
            let (x, y) = (self.low(a), self.low(b));
            let x = self.in_register(x);
            let reg = value!(self.f(), name, format!("{name}.u32"), x, y);
            return Num {
                ty,
                operand: reg.into(),
                narrow: true,
                max,
            };
        }
        if name == "min"
            && a.is_narrow()
            && let Some(y) = self.clip(b)
        {
            let x = self.low(a);
            let x = self.in_register(x);
            let reg = value!(self.f(), name, "min.u32", x, y);
            return self.narrow_result(ty, reg, a.max.unwrap_or(U32_MAX));
        }
        let x = self.reg(a);
        let y = self.wide(b);
        let reg = value!(self.f(), name, format!("{name}.{}", suffix(ty)), x, y);
        self.result(ty, reg, max)
    }

    fn in_register(&mut self, operand: Operand) -> Reg {
        match operand {
            Operand::Reg(reg) => reg,
            constant => value!(self.f(), "constant", "mov.b32", constant),
        }
    }

    /// `a.rem_euclid(b)` or `a.div_euclid(b)`.
    fn euclid(&mut self, a: Num, b: Num, remainder: bool, source: SourceId) -> Result<Num> {
        let op = if remainder {
            BinaryOp::Rem
        } else {
            BinaryOp::Div
        };
        let truncated = self.binary(op, a, b, source)?;
        let ty = a.ty;
        if !ty.is_signed() {
            return Ok(truncated);
        }
        let rest = match remainder {
            true => truncated,
            false => {
                let back = self.arithmetic(BinaryOp::Mul, truncated, b, None);
                self.arithmetic(BinaryOp::Sub, a, back, None)
            }
        };
        let negative = self.compare(BinaryOp::Lt, rest, Num::int(ty, 0));
        let negative = self.reg(negative);
        let below = self.compare(BinaryOp::Lt, b, Num::int(ty, 0));
        let below = self.reg(below);
        let corrected = if remainder {
            let less = self.arithmetic(BinaryOp::Sub, rest, b, None);
            let more = self.arithmetic(BinaryOp::Add, rest, b, None);
            self.select(below, less, more)
        } else {
            let less = self.arithmetic(BinaryOp::Sub, truncated, Num::int(ty, 1), None);
            let more = self.arithmetic(BinaryOp::Add, truncated, Num::int(ty, 1), None);
            self.select(below, more, less)
        };
        Ok(self.select(negative, corrected, truncated))
    }

    /// `a op b` with whether it overflowed; the number wraps.
    fn with_overflow(&mut self, op: BinaryOp, a: Num, b: Num) -> (Num, Reg) {
        let ty = a.ty;
        let name = match op {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            _ => "mul.lo",
        };
        let x = self.reg(a);
        let y = self.wide(b);
        let width = if class(ty) == Class::B64 {
            "u64"
        } else {
            "u32"
        };
        let raw = value!(self.f(), "wrapped", format!("{name}.{width}"), x, y);
        let reg = self.normalise(ty, raw);
        let overflow = self.overflows(op, ty, x.into(), y, raw, reg);
        (Num::reg(ty, reg), overflow)
    }

    fn overflowing(&mut self, op: BinaryOp, a: Num, b: Num) -> Value {
        let (num, overflow) = self.with_overflow(op, a, b);
        Value::Parts(vec![
            Value::Num(num),
            Value::Num(Num::reg(Scalar::Bool, overflow)),
        ])
    }

    fn saturating(&mut self, op: BinaryOp, a: Num, b: Num) -> Num {
        let ty = a.ty;
        if op == BinaryOp::Sub && self.steps.is_some() && a.narrow && b.is_narrow() {
            let (x, y) = (self.low(a), self.low(b));
            let larger = value!(self.f(), "larger", "max.u32", x, y);
            let reg = value!(self.f(), "difference", "sub.u32", larger, y);
            return self.narrow_result(ty, reg, a.max.unwrap_or(U32_MAX));
        }
        let (wrapped, overflow) = self.with_overflow(op, a, b);
        let largest = Num::int(ty, type_max(ty).into());
        let smallest = match ty.is_signed() {
            true => Num::int(ty, -i128::from(type_max(ty)) - 1),
            false => Num::int(ty, 0),
        };
        let limit = match (ty.is_signed(), op) {
            (false, BinaryOp::Sub) => smallest,
            (false, _) => largest,
            (true, BinaryOp::Mul) => {
                let signs = self.bitwise(BinaryOp::BitXor, a, b);
                let negative = self.compare(BinaryOp::Lt, signs, Num::int(ty, 0));
                let negative = self.reg(negative);
                self.select(negative, smallest, largest)
            }
            (true, _) => {
                let negative = self.compare(BinaryOp::Lt, a, Num::int(ty, 0));
                let negative = self.reg(negative);
                self.select(negative, smallest, largest)
            }
        };
        self.select(overflow, limit, wrapped)
    }

    /// `a.pow(n)` by squaring.
    fn power(&mut self, a: Num, n: Num, checked: Option<SourceId>) -> Num {
        let ty = a.ty;
        if let Some(n) = n.constant().filter(|n| (1..=4).contains(n)) {
            let mut product = a;
            for _ in 1..n {
                product = self.arithmetic(BinaryOp::Mul, product, a, checked);
            }
            return product;
        }
        let base_start = self.reg(a);
        let left_start = self.reg(n);
        let class = class(ty);
        let (base, product) = (self.f().reg(class, "base"), self.f().reg(class, "product"));
        let left = self.f().reg(Class::B32, "exponent");
        self.f().assign(base, base_start);
        self.f().assign(product, 1);
        self.f().assign(left, left_start);
        let (again, even, done) = (
            self.f().label("power"),
            self.f().label("even"),
            self.f().label("end_power"),
        );
        self.f().place(again);
        let zero = value!(self.f(), "zero", "setp.eq.u32", left, 0);
        self.f().branch_if(zero, true, done);
        let bit = value!(self.f(), "bit", "and.b32", left, 1);
        let odd = value!(self.f(), "odd", "setp.ne.u32", bit, 0);
        self.f().branch_if(odd, false, even);
        let next = self.arithmetic(
            BinaryOp::Mul,
            Num::reg(ty, product),
            Num::reg(ty, base),
            checked,
        );
        self.assign_num(product, next);
        self.f().place(even);
        emit!(self.f(), "shr.u32", left, left, 1);
        // The last square is not used, and must not overflow.
        let used = value!(self.f(), "used", "setp.ne.u32", left, 0);
        self.f().branch_if(used, false, done);
        let square = self.arithmetic(
            BinaryOp::Mul,
            Num::reg(ty, base),
            Num::reg(ty, base),
            checked,
        );
        self.assign_num(base, square);
        self.f().branch(again, false);
        self.f().place(done);
        Num::reg(ty, product)
    }

    /// `a.isqrt()` of what is not negative: the root in `f64`, which is off by one at most, put right.
    fn square_root(&mut self, a: Num) -> Num {
        let wide = self.cast(a, Scalar::U64);
        let x = self.reg(wide);
        let f = self.f();
        let float = value!(f, "x", "cvt.rn.f64.u64", x);
        let root = value!(f, "root", "sqrt.rn.f64", float);
        let root = value!(f, "root", "cvt.rzi.u64.f64", root);
        let root = value!(f, "root", "min.u64", root, i64::from(u32::MAX));
        let square = value!(f, "square", "mul.lo.u64", root, root);
        let above = value!(f, "above", "setp.gt.u64", square, x);
        let less = value!(f, "less", "sub.u64", root, 1);
        let root = value!(f, "root", "selp.b64", less, root, above);
        // (root + 1)^2 <= x is x - root^2 > 2 root, which cannot overflow.
        let square = value!(f, "square", "mul.lo.u64", root, root);
        let rest = value!(f, "rest", "sub.u64", x, square);
        let twice = value!(f, "twice", "shl.b64", root, 1);
        let below = value!(f, "below", "setp.gt.u64", rest, twice);
        let more = value!(f, "more", "add.u64", root, 1);
        let root = value!(f, "root", "selp.b64", more, root, below);
        self.cast(Num::reg(Scalar::U64, root), a.ty)
    }

    fn log2(&mut self, a: Num) -> Num {
        let zeros = self.leading_zeros(a);
        let top = Num::int(Scalar::U32, i128::from(a.ty.bits() - 1));
        self.arithmetic(BinaryOp::Sub, top, zeros, None).at_most(63)
    }

    /// How many powers of ten are not above it.
    fn log10(&mut self, a: Num) -> Num {
        let mut log = Num::int(Scalar::U32, 0);
        let mut power: i128 = 10;
        while power <= i128::from(type_max(a.ty)) {
            let reached = self.compare(BinaryOp::Ge, a, Num::int(a.ty, power));
            let reached = self.cast(reached, Scalar::U32);
            log = self.arithmetic(BinaryOp::Add, log, reached, None);
            power *= 10;
        }
        log
    }

    /// The bits of an integer without the extension of its sign.
    fn unsigned_bits(&mut self, a: Num) -> Reg {
        let a = self.cast(a, unsigned(a.ty));
        self.reg(a)
    }

    fn invert(&mut self, a: Num) -> Num {
        let reg = self.unsigned_bits(a);
        let raw = value!(self.f(), "not", format!("not.{}", bits(a.ty)), reg);
        let ty = unsigned(a.ty);
        let reg = self.normalise(ty, raw);
        Num::reg(ty, reg)
    }

    fn ones(&mut self, a: Num) -> Num {
        let reg = self.unsigned_bits(a);
        let ones = value!(self.f(), "ones", format!("popc.{}", bits(a.ty)), reg);
        Num::reg(Scalar::U32, ones).at_most(64)
    }

    fn leading_zeros(&mut self, a: Num) -> Num {
        let reg = self.unsigned_bits(a);
        let mut zeros = value!(self.f(), "zeros", format!("clz.{}", bits(a.ty)), reg);
        if is_small(a.ty) {
            zeros = value!(self.f(), "zeros", "sub.u32", zeros, 32 - a.ty.bits());
        }
        Num::reg(Scalar::U32, zeros).at_most(64)
    }

    fn trailing_zeros(&mut self, a: Num) -> Num {
        let mut reg = self.unsigned_bits(a);
        if is_small(a.ty) {
            // A bit behind the last one ends the search in zero.
            reg = value!(self.f(), "bits", "or.b32", reg, 1i64 << a.ty.bits());
        }
        let reversed = value!(self.f(), "reversed", format!("brev.{}", bits(a.ty)), reg);
        let zeros = value!(self.f(), "zeros", format!("clz.{}", bits(a.ty)), reversed);
        Num::reg(Scalar::U32, zeros).at_most(64)
    }

    fn rotate(&mut self, a: Num, n: Num, left: bool) -> Num {
        let width = a.ty.bits();
        let x = self.unsigned_bits(a);
        let n = self.reg(n);
        let b = bits(a.ty);
        let f = self.f();
        let by = value!(f, "by", "and.b32", n, width - 1);
        let back = value!(f, "back", "sub.u32", width, by);
        let (up, down) = if left { (by, back) } else { (back, by) };
        // PTX gives 0 for a shift by the width.
        let high = value!(f, "high", format!("shl.{b}"), x, up);
        let low = value!(f, "low", format!("shr.{}", b.replace('b', "u")), x, down);
        let raw = value!(f, "rotated", format!("or.{b}"), high, low);
        let reg = self.normalise(a.ty, raw);
        Num::reg(a.ty, reg)
    }

    fn swap_bytes(&mut self, a: Num) -> Num {
        let swap = |f: &mut accrue_ptx::writer::Function, word: Reg| {
            value!(f, "swapped", "prmt.b32", word, 0, 0x0123)
        };
        let x = self.unsigned_bits(a);
        let f = self.f();
        let raw = match a.ty.size() {
            1 => x,
            2 => {
                let swapped = swap(f, x);
                value!(f, "swapped", "shr.u32", swapped, 16)
            }
            4 => swap(f, x),
            _ => {
                let (low, high) = (f.reg(Class::B32, "low"), f.reg(Class::B32, "high"));
                f.unpack(low, high, x);
                let (low, high) = (swap(f, low), swap(f, high));
                f.pack(high, low)
            }
        };
        let reg = self.normalise(a.ty, raw);
        Num::reg(a.ty, reg)
    }

    fn reverse_bits(&mut self, a: Num) -> Num {
        let x = self.unsigned_bits(a);
        let mut raw = value!(self.f(), "reversed", format!("brev.{}", bits(a.ty)), x);
        if is_small(a.ty) {
            raw = value!(self.f(), "reversed", "shr.u32", raw, 32 - a.ty.bits());
        }
        let reg = self.normalise(a.ty, raw);
        Num::reg(a.ty, reg)
    }

    fn bytes(&mut self, a: Num, big_endian: bool) -> Value {
        let unsigned = self.cast(a, unsigned(a.ty));
        let mut parts: Vec<Value> = (0..a.ty.size())
            .map(|n| {
                let byte = match n {
                    0 => unsigned,
                    n => self.shift(
                        BinaryOp::Shr,
                        unsigned,
                        Num::int(Scalar::U32, i128::from(n) * 8),
                        None,
                    ),
                };
                Value::Num(self.cast(byte, Scalar::U8))
            })
            .collect();
        if big_endian {
            parts.reverse();
        }
        Value::Parts(parts)
    }

    pub(super) fn absolute(&mut self, a: Num) -> Num {
        let reg = self.reg(a);
        let raw = value!(self.f(), "abs", format!("abs.{}", suffix(a.ty)), reg);
        let reg = self.normalise(a.ty, raw);
        Num::reg(a.ty, reg)
    }

    fn next_power(&mut self, a: Num, checked: Option<SourceId>) -> Num {
        let ty = a.ty;
        let small = self.compare(BinaryOp::Le, a, Num::int(ty, 1));
        let small = self.reg(small);
        let less = self.arithmetic(BinaryOp::Sub, a, Num::int(ty, 1), None);
        let zeros = self.leading_zeros(less);
        let by = self.arithmetic(
            BinaryOp::Sub,
            Num::int(Scalar::U32, ty.bits().into()),
            zeros,
            None,
        );
        let by = self.reg(by);
        let one = self.reg(Num::int(ty, 1));
        // PTX gives 0 for a shift by the width, which is the wrapped power.
        let raw = value!(self.f(), "power", format!("shl.{}", bits(ty)), one, by);
        let power = self.normalise(ty, raw);
        let power = self.select(small, Num::int(ty, 1), Num::reg(ty, power));
        if let Some(source) = checked {
            let overflow = self.compare(BinaryOp::Eq, power, Num::int(ty, 0));
            let overflow = self.reg(overflow);
            self.fault_if(
                overflow,
                true,
                FaultKind::AddOverflow,
                String::new(),
                source,
                None,
            );
        }
        power
    }

    /// Whether a byte is in one of the ranges.
    fn within(&mut self, a: Num, ranges: &[(u8, u8)]) -> Num {
        let mut hit: Option<Reg> = None;
        for (first, last) in ranges {
            let above = self.compare(BinaryOp::Ge, a, Num::int(a.ty, (*first).into()));
            let below = self.compare(BinaryOp::Le, a, Num::int(a.ty, (*last).into()));
            let (above, below) = (self.reg(above), self.reg(below));
            let one = value!(self.f(), "within", "and.pred", above, below);
            hit = Some(match hit {
                None => one,
                Some(hit) => value!(self.f(), "within", "or.pred", hit, one),
            });
        }
        match hit {
            Some(hit) => Num::reg(Scalar::Bool, hit),
            None => Num::bool(false),
        }
    }

    /// Turns the case of the 26 letters from `first` on.
    fn change_case(&mut self, a: Num, first: u8) -> Num {
        let letter = self.within(a, &[(first, first + 25)]);
        let letter = self.reg(letter);
        let turned = self.bitwise(BinaryOp::BitXor, a, Num::int(a.ty, 0x20));
        self.select(letter, turned, a)
    }
}
