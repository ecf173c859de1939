//! Methods of primitives: which is printed how. Integers are in `int_methods.rs`.

use accrue_ptx::abi::{Elem, FaultKind};
use accrue_ptx::library;
use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand};

use super::emitter::{Emitter, Result};
use super::value::{Num, Value, bits, class, suffix};
use crate::ir::{BinaryOp, Expr, Method, Scalar, SourceId, Type};
use crate::methods::methods_of;
use crate::plan::Obstacle;

impl<'a> Emitter<'a> {
    /// The value of a method of a primitive.
    pub(super) fn method(
        &mut self,
        method: Method,
        arguments: &[Value],
        e: &'a Expr,
    ) -> Result<Value> {
        if method.is_constructor()
            && let Type::Scalar(to) = e.ty
        {
            return Ok(Value::Num(self.construct(method, to, &arguments[0])));
        }
        let numbers: Vec<Num> = arguments.iter().map(Value::num).collect();
        match numbers[0].ty {
            Scalar::F32 | Scalar::F64 => self
                .float_method(method, &numbers, e.source)
                .map(Value::Num),
            Scalar::Bool => Err(self.no_form(method, Scalar::Bool, e.source)),
            _ => self.int_method(method, &numbers, e.source),
        }
    }

    /// That a method is not of this type.
    pub(super) fn no_form(&self, method: Method, of: Scalar, source: SourceId) -> Obstacle {
        let name = method.name();
        self.obstacle(
            source,
            format!("`{name}` of `{of}` has no form on the GPU"),
            None,
        )
    }

    /// `T::from_bits`, `T::from_le_bytes` and the like.
    fn construct(&mut self, method: Method, to: Scalar, part: &Value) -> Num {
        let reversed = match method {
            Method::FromBits => {
                let reg = self.reg(part.num());
                return Num::reg(
                    to,
                    value!(self.f(), "x", format!("mov.{}", class(to).suffix()), reg),
                );
            }
            Method::FromLeBytes | Method::FromNeBytes => false,
            Method::FromBeBytes => true,
            methods_of!(Ints)
            | methods_of!(Signed)
            | methods_of!(Unsigned)
            | methods_of!(Byte)
            | methods_of!(Numbers)
            | methods_of!(SignedOrFloats)
            | methods_of!(Floats) => unreachable!("`{}` makes no primitive", method.name()),
        };
        let Value::Parts(parts) = part else {
            unreachable!("bytes are an array, not {part:?}")
        };
        let mut parts: Vec<Num> = parts.iter().map(Value::num).collect();
        if reversed {
            parts.reverse();
        }
        let unsigned = crate::methods::unsigned(to);
        let mut all = Num::int(unsigned, 0);
        for (n, part) in parts.into_iter().enumerate() {
            let wide = self.cast(part, unsigned);
            let placed = match n {
                0 => wide,
                _ => self.shift(
                    BinaryOp::Shl,
                    wide,
                    Num::int(Scalar::U32, n as i128 * 8),
                    None,
                ),
            };
            all = match n {
                0 => placed,
                _ => self.bitwise(BinaryOp::BitOr, all, placed),
            };
        }
        self.cast(all, to)
    }

    fn float_method(&mut self, method: Method, parts: &[Num], source: SourceId) -> Result<Num> {
        let ty = parts[0].ty;
        let s = suffix(ty);
        let a = self.reg(parts[0]);
        // Constants stand second at most.
        let b = parts.get(1).map_or(Operand::Int(0), |b| b.operand);
        let f = self.f();
        let same = |reg| Ok(Num::reg(ty, reg));
        let flag = |reg| Ok(Num::reg(Scalar::Bool, reg));
        match method {
            Method::Abs => same(value!(f, "abs", format!("abs.{s}"), a)),
            Method::Sqrt => same(value!(f, "sqrt", format!("sqrt.rn.{s}"), a)),
            Method::Floor => same(value!(f, "floor", format!("cvt.rmi.{s}.{s}"), a)),
            Method::Ceil => same(value!(f, "ceil", format!("cvt.rpi.{s}.{s}"), a)),
            Method::Trunc => same(value!(f, "trunc", format!("cvt.rzi.{s}.{s}"), a)),
            Method::RoundTiesEven => same(value!(f, "rounded", format!("cvt.rni.{s}.{s}"), a)),
            Method::Fract => {
                let trunc = value!(f, "trunc", format!("cvt.rzi.{s}.{s}"), a);
                same(value!(f, "fract", format!("sub.rn.{s}"), a, trunc))
            }
            Method::Recip => {
                let one = self.float(ty, 1.0);
                let one = self.reg(one);
                same(value!(self.f(), "recip", format!("div.rn.{s}"), one, a))
            }
            // Of two numbers, the one that is not a NaN, as in Rust.
            Method::Min | Method::Max => {
                let name = method.name();
                same(value!(f, name, format!("{name}.{s}"), a, b))
            }
            Method::MulAdd => same(value!(
                f,
                "fused",
                format!("fma.rn.{s}"),
                a,
                b,
                parts[2].operand
            )),
            Method::Copysign => {
                // PTX copies the sign of its first operand to the second.
                let sign = self.reg(parts[1]);
                same(value!(self.f(), "signed", format!("copysign.{s}"), sign, a))
            }
            Method::IsNan => flag(value!(f, "nan", format!("setp.nan.{s}"), a, a)),
            Method::IsInfinite | Method::IsFinite => {
                let abs = value!(f, "abs", format!("abs.{s}"), a);
                let infinity = self.float(ty, f64::INFINITY).operand;
                let test = if method == Method::IsFinite {
                    "lt"
                } else {
                    "eq"
                };
                flag(value!(
                    self.f(),
                    "finite",
                    format!("setp.{test}.{s}"),
                    abs,
                    infinity
                ))
            }
            Method::IsSignNegative | Method::IsSignPositive => {
                let int = value!(f, "bits", format!("mov.{}", bits(ty)), a);
                let signed = if int.class == Class::B64 {
                    "s64"
                } else {
                    "s32"
                };
                let test = if method == Method::IsSignNegative {
                    "lt"
                } else {
                    "ge"
                };
                flag(value!(f, "sign", format!("setp.{test}.{signed}"), int, 0))
            }
            Method::ToBits => {
                let int = value!(f, "bits", format!("mov.{}", bits(ty)), a);
                let unsigned = if ty == Scalar::F32 {
                    Scalar::U32
                } else {
                    Scalar::U64
                };
                Ok(Num::reg(unsigned, int))
            }
            Method::Clamp => {
                let (low, high) = (self.reg(parts[1]), self.reg(parts[2]));
                let ordered = value!(self.f(), "ordered", format!("setp.le.{s}"), low, high);
                let text = "min > max, or either was NaN".to_owned();
                self.fault_if(ordered, false, FaultKind::Panic, text, source, None);
                let f = self.f();
                // A NaN is neither below nor above, and stays.
                let below = value!(f, "below", format!("setp.lt.{s}"), a, low);
                let a = value!(f, "clamped", format!("selp.{s}"), low, a, below);
                let above = value!(f, "above", format!("setp.gt.{s}"), a, high);
                same(value!(f, "clamped", format!("selp.{s}"), high, a, above))
            }
            Method::RemEuclid
            | Method::DivEuclid
            | Method::Signum
            | Method::Round
            | Method::Cbrt
            | Method::Sin
            | Method::Cos
            | Method::Tan
            | Method::Asin
            | Method::Acos
            | Method::Atan
            | Method::Atan2
            | Method::Sinh
            | Method::Cosh
            | Method::Tanh
            | Method::Asinh
            | Method::Acosh
            | Method::Atanh
            | Method::Exp
            | Method::Exp2
            | Method::ExpM1
            | Method::Ln
            | Method::Ln1p
            | Method::Log2
            | Method::Log10
            | Method::Log
            | Method::Powi
            | Method::Powf
            | Method::Hypot
            | Method::ToDegrees
            | Method::ToRadians => self.library_call(method.name(), ty, parts, source),
            methods_of!(Ints)
            | methods_of!(Signed)
            | methods_of!(Unsigned)
            | methods_of!(Byte)
            | methods_of!(FromBits)
            | methods_of!(FromBytes) => Err(self.no_form(method, ty, source)),
        }
    }

    /// A constant float.
    pub(super) fn float(&self, ty: Scalar, x: f64) -> Num {
        let operand = match ty {
            Scalar::F32 => Operand::F32((x as f32).to_bits()),
            _ => Operand::F64(x.to_bits()),
        };
        Num {
            ty,
            operand,
            narrow: false,
            max: None,
        }
    }

    /// A call of the device library: `method` of a float, or `rem` for `%`.
    pub(super) fn library_call(
        &mut self,
        method: &'static str,
        ty: Scalar,
        arguments: &[Num],
        source: SourceId,
    ) -> Result<Num> {
        let Some(math) = library::math(method) else {
            return Err(self.obstacle(
                source,
                format!("`{method}` of `{ty}` has no form on the GPU"),
                None,
            ));
        };
        let elem = if ty == Scalar::F32 {
            Elem::F32
        } else {
            Elem::F64
        };
        let symbol = math.symbol(elem);
        // The library passes everything as bits.
        let as_bits = if ty == Scalar::F32 {
            Class::B32
        } else {
            Class::B64
        };
        let mut operands = Vec::with_capacity(arguments.len());
        let mut classes = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let reg = self.reg(*argument);
            let (reg, class) = match argument.ty.is_float() {
                true => (
                    value!(self.f(), "bits", format!("mov.{}", as_bits.suffix()), reg),
                    as_bits,
                ),
                false => (reg, reg.class),
            };
            operands.push(reg.into());
            classes.push(class);
        }
        let result = self.f().call(&symbol, &operands, &classes, as_bits);
        self.library.insert(symbol);
        Ok(Num::reg(
            ty,
            value!(self.f(), "x", format!("mov.{}", class(ty).suffix()), result),
        ))
    }
}
