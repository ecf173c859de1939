//! Values of the interpreter.

/// A value. Its type is known from where it stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `()`.
    Unit,
    /// A `bool`.
    Bool(bool),
    /// An integer of any type, as its value.
    Int(i128),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// The elements of an array, the parts of a tuple or the fields of a struct.
    Parts(Vec<Value>),
}

macro_rules! from_int {
    ($($t:ty),*) => {$(
        impl From<$t> for Value {
            fn from(v: $t) -> Value {
                Value::Int(v as i128)
            }
        }
    )*};
}

from_int!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl From<bool> for Value {
    fn from(v: bool) -> Value {
        Value::Bool(v)
    }
}

impl From<f32> for Value {
    fn from(v: f32) -> Value {
        Value::F32(v)
    }
}

impl From<f64> for Value {
    fn from(v: f64) -> Value {
        Value::F64(v)
    }
}

impl Value {
    /// The integer. The verifier has made sure of the type, here and below.
    pub(super) fn int(&self) -> i128 {
        match self {
            Value::Int(v) => *v,
            other => panic!("an integer is expected, not {other:?}"),
        }
    }

    pub(super) fn bool(&self) -> bool {
        match self {
            Value::Bool(v) => *v,
            other => panic!("a bool is expected, not {other:?}"),
        }
    }

    pub(super) fn usize(&self) -> u64 {
        u64::try_from(self.int()).expect("a usize has 64 bits")
    }

    pub(super) fn parts(&self) -> &[Value] {
        match self {
            Value::Parts(parts) => parts,
            other => panic!("an array, tuple or struct is expected, not {other:?}"),
        }
    }
}
