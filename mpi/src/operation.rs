//! Loops' operators as MPI operations.

use std::ffi::c_void;
use std::os::raw::c_int;

use accrue::collective::{Op, Values, combine};
use mpi::collective::{CommunicatorCollectives, Operation, SystemOperation, UnsafeUserOperation};
use mpi::datatype::{MutView, UserDatatype, View};
use mpi::ffi::MPI_Datatype;
use mpi::traits::Equivalence;

use crate::{LONG, MOST, Ranks};

/// Numbers that [`combine`] knows.
trait Number: Copy + Default {
    fn values(of: &mut [Self]) -> Values<'_>;
}

macro_rules! numbers {
    ($($name:ident $t:ident)*) => {$(
        impl Number for $t {
            fn values(of: &mut [$t]) -> Values<'_> {
                Values::$name(of)
            }
        }
    )*};
}
numbers!(U8 u8 U16 u16 U32 u32 U64 u64 U128 u128 Usize usize I8 i8 I16 i16 I128 i128 F32 f32 F64 f64);

/// 128-bit integers as twice as many of 64 bits: for copying.
pub(crate) fn halves_mut<T: Wide>(of: &mut [T]) -> &mut [u64] {
    let len = of.len() * 2;
    // SAFETY: `Wide` are the 128-bit integers, which are two of 64 bits in memory, and at least as aligned.
    unsafe { std::slice::from_raw_parts_mut(of.as_mut_ptr().cast(), len) }
}

/// The 128-bit integers.
pub(crate) trait Wide {}
impl Wide for u128 {}
impl Wide for i128 {}

/// Combines the numbers of all ranks.
pub(crate) fn all_reduce(ranks: &Ranks<'_>, values: Values<'_>, op: Op) {
    macro_rules! by_type {
        ($($name:ident $how:ident),*) => {
            match values { $(Values::$name(of) => $how(ranks, of, op),)* }
        };
    }
    by_type!(
        Bool bools, U8 narrow, U16 narrow, U32 unsigned, U64 unsigned, Usize unsigned, U128 wide,
        I8 narrow, I16 narrow, I32 signed, I64 signed, Isize signed, I128 wide, F32 floats, F64 floats
    )
}

/// MPI's own operations of a kind of numbers: logical ones of `bool`, those of bits of integers.
fn bools(ranks: &Ranks<'_>, of: &mut [bool], op: Op) {
    let operation = match op {
        Op::And => SystemOperation::logical_and(),
        Op::Or => SystemOperation::logical_or(),
        Op::Xor => SystemOperation::logical_xor(),
        other => panic!("no `{}` of `bool`", other.name()),
    };
    reduce(ranks, of, operation);
}

fn integers<T: Equivalence + Copy + Default>(ranks: &Ranks<'_>, of: &mut [T], op: Op) {
    let operation = match op {
        Op::Add | Op::Sub => SystemOperation::sum(),
        Op::Mul => SystemOperation::product(),
        Op::And => SystemOperation::bitwise_and(),
        Op::Or => SystemOperation::bitwise_or(),
        Op::Xor => SystemOperation::bitwise_xor(),
        Op::Min => SystemOperation::min(),
        Op::Max => SystemOperation::max(),
        Op::SaturatingAdd => panic!("no `saturating_add` of signed integers"),
    };
    reduce(ranks, of, operation);
}

fn unsigned<T: Equivalence + Number>(ranks: &Ranks<'_>, of: &mut [T], op: Op) {
    match op {
        Op::SaturatingAdd => reduce(ranks, of, &own::<T>(op)),
        _ => integers(ranks, of, op),
    }
}

/// Sums of 8 and 16 bits: MPI leaves open what becomes of those that are too large, and Open MPI 4.1 clamps them where it has vector instructions
/// that do.
fn narrow<T: Equivalence + Number>(ranks: &Ranks<'_>, of: &mut [T], op: Op) {
    match op {
        Op::Add | Op::Sub | Op::Mul | Op::SaturatingAdd => reduce(ranks, of, &own::<T>(op)),
        _ => integers(ranks, of, op),
    }
}

/// Sums and products of signed integers as those of unsigned ones, whose bits are the same and which wrap in C as well.
fn signed<T: Equivalence + Default + Signed>(ranks: &Ranks<'_>, of: &mut [T], op: Op) {
    match op {
        Op::Add | Op::Sub | Op::Mul => {
            let len = of.len();
            // SAFETY: `Signed` are integers, and the unsigned one has the same size and alignment and any bits.
            let of: &mut [T::Unsigned] =
                unsafe { std::slice::from_raw_parts_mut(of.as_mut_ptr().cast(), len) };
            integers(ranks, of, op);
        }
        _ => integers(ranks, of, op),
    }
}

/// Signed integers, with the unsigned one of the same size.
trait Signed: Copy {
    type Unsigned: Equivalence + Copy + Default;
}
impl Signed for i32 {
    type Unsigned = u32;
}
impl Signed for i64 {
    type Unsigned = u64;
}
impl Signed for isize {
    type Unsigned = usize;
}

/// MPI leaves open what `MPI_MIN` and `MPI_MAX` are where one operand is NaN.
fn floats<T: Equivalence + Number>(ranks: &Ranks<'_>, of: &mut [T], op: Op) {
    match op {
        Op::Min | Op::Max => reduce(ranks, of, &own::<T>(op)),
        Op::Add | Op::Sub => reduce(ranks, of, SystemOperation::sum()),
        Op::Mul => reduce(ranks, of, SystemOperation::product()),
        other => panic!("no `{}` of floats", other.name()),
    }
}

/// 128-bit integers are a datatype of the program's own to MPI: 16 bytes.
fn wide<T: Number + Wide>(ranks: &Ranks<'_>, of: &mut [T], op: Op) {
    let operation = own::<T>(op);
    let datatype = UserDatatype::contiguous(16, &u8::equivalent_datatype());
    for piece in of.chunks_mut(MOST) {
        let (mut sent, count) = (piece.to_vec(), piece.len() as i32);
        let (sent, received) = (halves_mut(&mut sent), halves_mut(piece));
        // SAFETY: both are `count` elements of 16 bytes, for which every pattern of bits is a number.
        let (sent, mut received) = unsafe {
            (
                View::with_count_and_datatype(&*sent, count, &datatype),
                MutView::with_count_and_datatype(received, count, &datatype),
            )
        };
        let communicator = ranks.communicator();
        communicator.all_reduce_into(&sent, &mut received, &operation);
    }
}

/// An operation that MPI does not have.
fn own<T: Number>(op: Op) -> UnsafeUserOperation {
    let function = match op {
        Op::Add | Op::Sub => run::<T, 0>,
        Op::SaturatingAdd => run::<T, 1>,
        Op::Mul => run::<T, 2>,
        Op::And => run::<T, 3>,
        Op::Or => run::<T, 4>,
        Op::Xor => run::<T, 5>,
        Op::Min => run::<T, 6>,
        Op::Max => run::<T, 7>,
    };
    // SAFETY: the operation is used for elements of type `T` alone, and they are associative and commutative.
    unsafe { UnsafeUserOperation::commutative(function) }
}

/// The operators by the numbers that [`own`] gives them.
const OPERATORS: [Op; 8] = [
    Op::Add,
    Op::SaturatingAdd,
    Op::Mul,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Min,
    Op::Max,
];

/// What MPI calls: `into = into op from`, element by element.
///
/// # Safety
///
/// Both are `*len` elements of type `T`, `into` is nobody else's meanwhile.
unsafe extern "C" fn run<T: Number, const OP: usize>(
    from: *mut c_void,
    into: *mut c_void,
    len: *mut c_int,
    _: *mut MPI_Datatype,
) {
    // SAFETY: as the caller promises.
    let len = unsafe { *len } as usize;
    /// So many at a time, in memory of this function's own: MPI's need not be aligned for 128 bits.
    const SOME: usize = 64;
    let (mut a, mut b) = ([T::default(); SOME], [T::default(); SOME]);
    for start in (0..len).step_by(SOME) {
        let count = SOME.min(len - start);
        for n in 0..count {
            // SAFETY: `start + n` is below the length.
            unsafe {
                a[n] = into.cast::<T>().add(start + n).read_unaligned();
                b[n] = from.cast::<T>().add(start + n).read_unaligned();
            }
        }
        combine(
            OPERATORS[OP],
            T::values(&mut a[..count]),
            T::values(&mut b[..count]),
        );
        for (n, value) in a[..count].iter().enumerate() {
            // SAFETY: as above.
            unsafe { into.cast::<T>().add(start + n).write_unaligned(*value) };
        }
    }
}

/// An all-reduce; of a long array a reduce-scatter and an all-gather.
fn reduce<T: Equivalence + Copy + Default>(
    ranks: &Ranks<'_>,
    of: &mut [T],
    operation: impl Operation + Copy,
) {
    let communicator = ranks.communicator();
    let size = ranks.size();
    for of in of.chunks_mut(MOST) {
        let mut rest = of;
        if size_of_val(rest) >= LONG {
            let each = rest.len() / size;
            let all;
            (all, rest) = rest.split_at_mut(each * size);
            let mut piece = vec![T::default(); each];
            communicator.reduce_scatter_block_into(all, &mut piece[..], operation);
            communicator.all_gather_into(&piece[..], all);
        }
        if !rest.is_empty() {
            let sent = rest.to_vec();
            communicator.all_reduce_into(&sent[..], rest, operation);
        }
    }
}
