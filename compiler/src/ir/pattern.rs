//! What the detector found: the meaning of a loop, as data.

use super::{ArrayId, Index, Literal, Scalar, VarId};

/// The pattern of a parallel loop. One member today; maps, stencils and row-by-row recurrences come next
/// and a `match` on this enum then lists what they still need.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Iterations are independent but for updates of bins by associative, commutative operators.
    Histogram(Histogram),
}

/// A loop that fills bins.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// What is updated. Targets do not overlap in memory: they are distinct `&mut` bindings.
    pub targets: Vec<Target>,
}

/// A bin array, or a scalar reduction as bins of length one.
#[derive(Clone, Debug)]
pub struct Target {
    /// The memory.
    pub memory: Memory,
    /// The type of a bin; `None` where it is a type parameter or not known to the macro.
    pub elem: Option<Scalar>,
    /// The one operator of all its updates.
    pub op: UpdateOp,
    /// How often it is updated in the body's text.
    pub sites: usize,
    /// Set where no two iterations update the same bin; no private tables are needed then.
    pub injective: Option<Injective>,
}

/// The memory of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// A captured array.
    Bins(ArrayId),
    /// A captured scalar ([`VarKind::Reduced`](super::VarKind::Reduced)).
    Scalar(VarId),
}

/// The outermost index is `position + offset` of the outermost dimension in every update.
#[derive(Clone, Debug)]
pub struct Injective {
    /// The index, as the updates have it.
    pub index: Index,
}

/// The operator of an update, associative and commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UpdateOp {
    /// `+=`, `wrapping_add`.
    Add(Overflow),
    /// `-=`, `wrapping_sub`: the values are added up and subtracted once.
    Sub(Overflow),
    /// `saturating_add` of unsigned integers.
    SaturatingAdd,
    /// `*=`, `wrapping_mul`.
    Mul(Overflow),
    /// `&=`, of integers (and `bool`).
    And,
    /// `|=`.
    Or,
    /// `^=`.
    Xor,
    /// `h = h.min(v)`; of floats, NaN gives way to the other operand.
    Min,
    /// `h = h.max(v)`.
    Max,
}

/// What integer overflow does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// As the profile of the user's crate says.
    Profile,
    /// Wraps.
    Wraps,
}

impl UpdateOp {
    /// The value that changes nothing: `op(x, neutral) == x` for every `x`, bit for bit for integers.
    /// For float sums it is -0.0, since `-0.0 + 0.0` is `0.0`; for float minima and maxima NaN, which
    /// gives way to any value; `None` for operators that the type does not have.
    pub fn neutral(self, ty: Scalar) -> Option<Literal> {
        let int = |v: i128| Some(Literal::Int(v));
        let (min, max) = match ty {
            Scalar::Bool | Scalar::F32 | Scalar::F64 => (0, 0),
            s if s.is_signed() => (-(1i128 << (s.bits() - 1)), (1i128 << (s.bits() - 1)) - 1),
            s => (0, (1i128 << s.bits()) - 1),
        };
        match (self, ty) {
            (UpdateOp::And, Scalar::Bool) => Some(Literal::Bool(true)),
            (UpdateOp::Or | UpdateOp::Xor, Scalar::Bool) => Some(Literal::Bool(false)),
            (_, Scalar::Bool) => None,
            (UpdateOp::Add(_), s) if s.is_float() => Some(Literal::Float(-0.0)),
            // The values are summed from -0.0 and the sum is subtracted: x - (-0.0) would turn -0.0 into 0.0.
            (UpdateOp::Sub(_), s) if s.is_float() => Some(Literal::Float(0.0)),
            (UpdateOp::Mul(_), s) if s.is_float() => Some(Literal::Float(1.0)),
            (UpdateOp::Min | UpdateOp::Max, s) if s.is_float() => Some(Literal::Float(f64::NAN)),
            (_, s) if s.is_float() => None,
            (UpdateOp::SaturatingAdd, s) if s.is_signed() => None,
            (UpdateOp::Add(_) | UpdateOp::Sub(_) | UpdateOp::SaturatingAdd, _) => int(0),
            (UpdateOp::Mul(_), _) => int(1),
            (UpdateOp::And, s) => int(if s.is_signed() { -1 } else { max }),
            (UpdateOp::Or | UpdateOp::Xor, _) => int(0),
            (UpdateOp::Min, _) => int(max),
            (UpdateOp::Max, _) => int(min),
        }
    }

    /// The name used in plans, symbols and measurements.
    pub fn name(self) -> &'static str {
        match self {
            UpdateOp::Add(_) => "add",
            UpdateOp::Sub(_) => "sub",
            UpdateOp::SaturatingAdd => "saturating_add",
            UpdateOp::Mul(_) => "mul",
            UpdateOp::And => "and",
            UpdateOp::Or => "or",
            UpdateOp::Xor => "xor",
            UpdateOp::Min => "min",
            UpdateOp::Max => "max",
        }
    }

    /// How people write the update of a bin `h` by `v`.
    pub fn text(self) -> &'static str {
        match self {
            UpdateOp::Add(Overflow::Profile) => "h += v",
            UpdateOp::Add(Overflow::Wraps) => "h = h.wrapping_add(v)",
            UpdateOp::Sub(Overflow::Profile) => "h -= v",
            UpdateOp::Sub(Overflow::Wraps) => "h = h.wrapping_sub(v)",
            UpdateOp::SaturatingAdd => "h = h.saturating_add(v)",
            UpdateOp::Mul(Overflow::Profile) => "h *= v",
            UpdateOp::Mul(Overflow::Wraps) => "h = h.wrapping_mul(v)",
            UpdateOp::And => "h &= v",
            UpdateOp::Or => "h |= v",
            UpdateOp::Xor => "h ^= v",
            UpdateOp::Min => "h = h.min(v)",
            UpdateOp::Max => "h = h.max(v)",
        }
    }
}
