//! Bins of several devices made one: the caller's, combined with those that each device has filled from neutral elements.

use std::marker::PhantomData;

use accrue_ptx::abi::{Elem, Op};

use crate::base::bin::Slot;
use crate::cpu::op::{self, Operator};

/// Combines bins with as many others.
///
/// # Safety
///
/// `into` is memory of as many elements of the type as there are bytes in `from`, which nobody else uses.
pub(super) unsafe fn combine(op: Op, elem: Elem, into: *mut u8, from: &[u8]) {
    // What goes into bins as a difference has been made a sum.
    let with = of_types(op.row().gathers, elem);
    // SAFETY: the caller's promise.
    unsafe { with(into, from) };
}

/// Combines bins of one type by one operator.
type Combine = unsafe fn(*mut u8, &[u8]);

/// An operator of bins of a type, if it is one.
struct Of<O, B>(PhantomData<(O, B)>);

impl<O: Operator<B>, B: Slot> Of<O, B> {
    fn function(&self) -> Option<Combine> {
        Some(each::<O, B>)
    }
}

/// What is asked of an operator that bins of a type do not have: methods of a type itself come before those of a trait.
trait Lacks {
    fn function(&self) -> Option<Combine> {
        None
    }
}

impl<O, B> Lacks for Of<O, B> {}

/// # Safety
///
/// As of [`combine`].
unsafe fn each<O: Operator<B>, B: Slot>(into: *mut u8, from: &[u8]) {
    let size = size_of::<B>();
    for (at, bytes) in from.chunks_exact(size).enumerate() {
        // SAFETY: the element lies in the caller's memory, and the bytes are a value of the same type.
        unsafe {
            let bin = into.add(at * size).cast::<B>();
            let value = bytes.as_ptr().cast::<B>().read_unaligned();
            bin.write_unaligned(O::merge::<false>(bin.read_unaligned(), value).0);
        }
    }
}

macro_rules! of_types {
    ($($name:ident)*) => {
        /// The function for an operator and a type.
        fn of_types(op: Op, elem: Elem) -> Combine {
            match op {
                $(Op::$name => of_types!(@ $name, elem: Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64),)*
            }
        }
    };
    (@ $op:ident, $elem:ident: $($kind:ident $ty:ty),*) => {
        match $elem {
            $(Elem::$kind => Of::<op::$op, $ty>(PhantomData).function(),)*
        }
        .unwrap_or_else(|| unreachable!("bins of {} are not updated by {:?}", $elem.name(), Op::$op))
    };
}
accrue_ops::for_each_operator!(of_types);

#[cfg(test)]
mod tests {
    use super::*;

    fn combined<B: Slot>(op: Op, elem: Elem, into: &[B], from: &[B]) -> Vec<B> {
        let mut into = into.to_vec();
        // SAFETY: both are initialised memory of that many bytes.
        unsafe {
            let bytes = std::slice::from_raw_parts(from.as_ptr().cast::<u8>(), size_of_val(from));
            combine(op, elem, into.as_mut_ptr().cast(), bytes);
        }
        into
    }

    #[test]
    fn bins_are_combined_by_the_loops_operator() {
        assert_eq!(combined(Op::Add, Elem::U8, &[250, 3], &[10, 4]), [4u8, 7]);
        // A device that subtracts from 0 has the opposite of what is to be subtracted.
        assert_eq!(
            combined(Op::Sub, Elem::U32, &[7], &[0u32.wrapping_sub(3)]),
            [4]
        );
        assert_eq!(combined(Op::Mul, Elem::F64, &[3.0], &[0.5]), [1.5]);
        assert_eq!(
            combined(Op::Min, Elem::I16, &[-3, 8], &[5, -9]),
            [-3i16, -9]
        );
        assert_eq!(combined(Op::Max, Elem::F32, &[2.0], &[f32::NAN]), [2.0]);
        assert_eq!(
            combined(Op::Or, Elem::Bool, &[false, true], &[true, false]),
            [true, true]
        );
        assert_eq!(
            combined(Op::SaturatingAdd, Elem::U8, &[250], &[10]),
            [255u8]
        );
    }
}
