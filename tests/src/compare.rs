//! Comparing what two executions left behind.

use accrue_compiler::ir::Scalar;

use crate::data::{Data, Param};

/// How close floats have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floats {
    /// Bit for bit, any NaN like any other.
    Exact,
    /// Up to the order in which sums and products were formed.
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
                Scalar::F32 => close(
                    f64::from(f32_of(x)),
                    f64::from(f32_of(y)),
                    floats,
                    1.2e-7,
                    param,
                ),
                Scalar::F64 => close(f64_of(x), f64_of(y), floats, 2.3e-16, param),
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

fn f32_of(bytes: &[u8]) -> f32 {
    f32::from_ne_bytes(bytes.try_into().expect("four bytes"))
}

fn f64_of(bytes: &[u8]) -> f64 {
    f64::from_ne_bytes(bytes.try_into().expect("eight bytes"))
}

/// Generated sums are of a few hundred values of at most 8, products of factors between 0.99 and 1.01, so
/// that a bound on the rounding errors follows from the type alone.
fn close(a: f64, b: f64, floats: Floats, epsilon: f64, param: &Param) -> bool {
    if a.is_nan() && b.is_nan() {
        return true;
    }
    let sums = matches!(param.operator(), "add" | "sub" | "mul");
    match floats {
        Floats::Exact => a.to_bits() == b.to_bits(),
        // Minima and maxima may take either zero.
        Floats::Reordered if !sums => a == b,
        Floats::Reordered => a == b || (a - b).abs() <= epsilon * 8.0 * 1000.0 * 32.0,
    }
}
