//! Comparing what two executions left behind.

use accrue_compiler::ir::Scalar;

use crate::data::{Data, Param};

/// How close floats have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floats {
    /// Bit for bit, any NaN like any other.
    Exact,
    /// Equal. Sums and products of what is generated are exact in any order; which of two zeros a sum or an extremum
    /// is depends on it.
    Reordered,
}

/// Where two results differ: the parameter, the scalar's position, and the two values.
pub fn difference(params: &[Param], a: &Data, b: &Data, floats: Floats) -> Option<String> {
    for param in params {
        let (a, b) = (&a.0[&param.name], &b.0[&param.name]);
        if a.len() != b.len() {
            return Some(format!("{}: {} bytes and {}", param.name, a.len(), b.len()));
        }
        let size = param.scalar.size() as usize;
        for (i, (x, y)) in a.chunks_exact(size).zip(b.chunks_exact(size)).enumerate() {
            let equal = match param.scalar {
                Scalar::F32 => {
                    let (x, y) = (f32_of(x), f32_of(y));
                    same(
                        x.to_bits() == y.to_bits(),
                        x.into(),
                        y.into(),
                        floats,
                        param,
                    )
                }
                Scalar::F64 => {
                    let (x, y) = (f64_of(x), f64_of(y));
                    same(x.to_bits() == y.to_bits(), x, y, floats, param)
                }
                _ => x == y,
            };
            if !equal {
                let text = |v: &[u8]| match param.scalar {
                    Scalar::F32 => format!("{:?}", f32_of(v)),
                    Scalar::F64 => format!("{:?}", f64_of(v)),
                    _ => format!("{v:?}"),
                };
                return Some(format!("{}[{i}]: {} and {}", param.name, text(x), text(y)));
            }
        }
    }
    None
}

/// Whether two scalars are the same, bit for bit or both no number.
pub fn is_same(scalar: Scalar, a: &[u8], b: &[u8]) -> bool {
    let nan = |bytes: &[u8]| match scalar {
        Scalar::F32 => f32_of(bytes).is_nan(),
        Scalar::F64 => f64_of(bytes).is_nan(),
        _ => false,
    };
    a == b || nan(a) && nan(b)
}

fn f32_of(bytes: &[u8]) -> f32 {
    f32::from_ne_bytes(bytes.try_into().expect("four bytes"))
}

fn f64_of(bytes: &[u8]) -> f64 {
    f64::from_ne_bytes(bytes.try_into().expect("eight bytes"))
}

fn same(bits: bool, a: f64, b: f64, floats: Floats, param: &Param) -> bool {
    let products = param.operator() == "mul";
    match floats {
        _ if a.is_nan() && b.is_nan() => true,
        Floats::Reordered if !products => a == b,
        Floats::Reordered | Floats::Exact => bits,
    }
}
