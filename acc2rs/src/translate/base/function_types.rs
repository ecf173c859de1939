//! The types of functions behind pointers.

use crate::ctypes::{FnType, Type};

/// Whether two functions are called alike.
pub(crate) fn alike(a: &FnType, b: &FnType) -> bool {
    a.ret == b.ret && a.params == b.params && a.variadic == b.variadic
}

/// The type of the function that a pointer points to.
pub(crate) fn pointed(ty: &Type) -> Option<&FnType> {
    match ty {
        Type::Pointer { to, .. } => match &**to {
            Type::Function(ty) => Some(ty),
            _ => None,
        },
        Type::Function(ty) => Some(ty),
        _ => None,
    }
}

pub(crate) fn only_numbers(ty: &FnType) -> bool {
    let ret = ty.ret == Type::Void || ty.ret.is_arithmetic();
    ret && !ty.variadic
        && (ty.prototyped || ty.params.is_empty())
        && ty.params.iter().all(Type::is_arithmetic)
}
