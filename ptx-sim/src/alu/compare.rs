//! Comparisons for `setp` and `set`, and the tests of `testp`.

use super::float::flush;
use super::soft;
use super::{Slot, lanes};
use crate::isa::{Fn2, FnCmp, Type, WARP};

/// Comparison operators; the `u` ones also hold when an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan,
}

impl Cmp {
    /// The operator of a `setp` of type `ty`; `lo`, `ls`, `hi`, `hs` are the unsigned ones.
    pub(crate) fn parse(word: &str, ty: Type) -> Option<Cmp> {
        let cmp = match word {
            "eq" => Cmp::Eq,
            "ne" => Cmp::Ne,
            "lt" => Cmp::Lt,
            "le" => Cmp::Le,
            "gt" => Cmp::Gt,
            "ge" => Cmp::Ge,
            "lo" => Cmp::Lt,
            "ls" => Cmp::Le,
            "hi" => Cmp::Gt,
            "hs" => Cmp::Ge,
            "equ" => Cmp::Equ,
            "neu" => Cmp::Neu,
            "ltu" => Cmp::Ltu,
            "leu" => Cmp::Leu,
            "gtu" => Cmp::Gtu,
            "geu" => Cmp::Geu,
            "num" => Cmp::Num,
            "nan" => Cmp::Nan,
            _ => return None,
        };
        let unsigned = matches!(ty, Type::U16 | Type::U32 | Type::U64);
        let ok = match word {
            "eq" | "ne" => true,
            "lt" | "le" | "gt" | "ge" => !ty.is_untyped(),
            "lo" | "ls" | "hi" | "hs" => unsigned,
            _ => ty.is_float(),
        };
        ok.then_some(cmp)
    }
}

/// The lanes where `f` holds.
#[inline(always)]
fn mask<T: Slot>(a: &[u64; WARP], b: &[u64; WARP], f: impl Fn(T, T) -> bool) -> u32 {
    let mut m = 0;
    for i in 0..WARP {
        m |= u32::from(f(T::get(a[i]), T::get(b[i]))) << i;
    }
    m
}

macro_rules! compare {
    ($t:ty, $cmp:expr, |$x:ident| $prepare:expr) => {{
        macro_rules! with {
            (|$a:ident, $b:ident| $e:expr) => {{
                let f: FnCmp = |a, b| {
                    mask::<$t>(a, b, |$a, $b| {
                        let ($a, $b) = (
                            {
                                let $x = $a;
                                $prepare
                            },
                            {
                                let $x = $b;
                                $prepare
                            },
                        );
                        $e
                    })
                };
                f
            }};
        }
        use std::cmp::Ordering::*;
        match $cmp {
            Cmp::Eq => with!(|a, b| a == b),
            // Ordered: false with a NaN, which has no order.
            Cmp::Ne => with!(|a, b| matches!(a.partial_cmp(&b), Some(Less | Greater))),
            Cmp::Lt => with!(|a, b| a < b),
            Cmp::Le => with!(|a, b| a <= b),
            Cmp::Gt => with!(|a, b| a > b),
            Cmp::Ge => with!(|a, b| a >= b),
            Cmp::Equ => with!(|a, b| matches!(a.partial_cmp(&b), Some(Equal) | None)),
            Cmp::Neu => with!(|a, b| a != b),
            Cmp::Ltu => with!(|a, b| matches!(a.partial_cmp(&b), Some(Less) | None)),
            Cmp::Leu => with!(|a, b| !matches!(a.partial_cmp(&b), Some(Greater))),
            Cmp::Gtu => with!(|a, b| matches!(a.partial_cmp(&b), Some(Greater) | None)),
            Cmp::Geu => with!(|a, b| !matches!(a.partial_cmp(&b), Some(Less))),
            Cmp::Num => with!(|a, b| a.partial_cmp(&b).is_some()),
            Cmp::Nan => with!(|a, b| a.partial_cmp(&b).is_none()),
        }
    }};
}

/// A 16-bit float widened, for comparing.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Half(f32);

impl Slot for Half {
    fn get(v: u64) -> Self {
        Half(f32::from_bits(
            soft::convert(v & 0xffff, soft::F16, soft::F32, soft::Round::Near) as u32,
        ))
    }
    fn put(self) -> u64 {
        soft::convert(
            u64::from(self.0.to_bits()),
            soft::F32,
            soft::F16,
            soft::Round::Near,
        )
    }
}

/// Masks of the halves of two pairs for which an ordered comparison holds.
pub(crate) fn halves(cmp: Cmp) -> Option<Fn2> {
    macro_rules! with {
        (|$a:ident, $b:ident| $e:expr) => {
            lanes!(|a: u32, b: u32| {
                let one = |shift: u32| {
                    let ($a, $b) = (
                        Half::get(u64::from(a >> shift)),
                        Half::get(u64::from(b >> shift)),
                    );
                    if $e { 0xffffu32 << shift } else { 0 }
                };
                one(0) | one(16)
            })
        };
    }
    Some(match cmp {
        Cmp::Eq => with!(|a, b| a == b),
        Cmp::Lt => with!(|a, b| a < b),
        Cmp::Le => with!(|a, b| a <= b),
        Cmp::Gt => with!(|a, b| a > b),
        Cmp::Ge => with!(|a, b| a >= b),
        _ => return None,
    })
}

/// The comparison function for an operator and a type.
pub(crate) fn compare(cmp: Cmp, ty: Type, ftz: bool) -> Option<FnCmp> {
    Some(match ty {
        Type::B16 | Type::U16 => compare!(u16, cmp, |x| x),
        Type::B32 | Type::U32 => compare!(u32, cmp, |x| x),
        Type::B64 | Type::U64 => compare!(u64, cmp, |x| x),
        Type::S16 => compare!(i16, cmp, |x| x),
        Type::S32 => compare!(i32, cmp, |x| x),
        Type::S64 => compare!(i64, cmp, |x| x),
        Type::F32 if ftz => compare!(f32, cmp, |x| flush(x)),
        Type::F32 => compare!(f32, cmp, |x| x),
        Type::F64 => compare!(f64, cmp, |x| x),
        Type::F16 => compare!(Half, cmp, |x| x),
        _ => return None,
    })
}

/// `testp.word.ty`; the second operand is ignored.
pub(crate) fn testp(word: &str, ty: Type) -> Option<FnCmp> {
    macro_rules! tests {
        ($t:ty) => {
            match word {
                "finite" => Some(|a, b| mask::<$t>(a, b, |x, _| x.is_finite())),
                "infinite" => Some(|a, b| mask::<$t>(a, b, |x, _| x.is_infinite())),
                "number" => Some(|a, b| mask::<$t>(a, b, |x, _| !x.is_nan())),
                "notanumber" => Some(|a, b| mask::<$t>(a, b, |x, _| x.is_nan())),
                // Zero counts as normal in PTX.
                "normal" => Some(|a, b| mask::<$t>(a, b, |x, _| x.is_normal() || x == 0.0)),
                "subnormal" => Some(|a, b| mask::<$t>(a, b, |x, _| x.is_subnormal())),
                _ => None,
            }
        };
    }
    match ty {
        Type::F32 => tests!(f32),
        Type::F64 => tests!(f64),
        _ => None,
    }
}
