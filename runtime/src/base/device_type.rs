//! Which types are the same in a device's memory as in the host's.

use super::layout::Layout;

/// Types that mean the same in a device's memory as in the host's: numbers, `bool`, arrays of them,
/// `#[repr(C)]` structs of them with `#[derive(accrue::DeviceType)]`, and tuples of two to eight of them, such as `(f32, u32)`. Rust leaves open how a tuple lies in
/// memory; kernels take those of numbers without gaps, where it is as they expect.
///
/// # Safety
///
/// The type is plain data: it owns nothing, points nowhere, all bytes zero is a value, and so is whatever a kernel stores
/// through its fields' types. Its layout is C's, or what [`LAYOUT`](DeviceType::LAYOUT) says.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no layout that is the same on a device",
    label = "this is no number, no array of numbers and no device struct",
    note = "a struct gets one by `#[repr(C)]` and `#[derive(accrue::DeviceType)]`"
)]
pub unsafe trait DeviceType: Copy + Send + Sync + 'static {
    /// How it lies in memory, where the macro is to know it.
    #[doc(hidden)]
    const LAYOUT: Layout = Layout::Unknown;
}

macro_rules! device_types {
    ($($t:ty),*) => {$(
        // SAFETY: a primitive without padding, for which zero is a value.
        unsafe impl DeviceType for $t {
            const LAYOUT: Layout = Layout::Scalar(stringify!($t));
        }
    )*};
}
device_types!(
    bool, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64
);

// SAFETY: elements lie one after the other, each plain data.
unsafe impl<T: DeviceType, const N: usize> DeviceType for [T; N] {
    const LAYOUT: Layout = Layout::Array(&T::LAYOUT, N);
}

macro_rules! device_tuples {
    ($(($($t:ident $n:tt),*))*) => {$(
        // SAFETY: its fields are plain data, and the layout is what rustc says.
        unsafe impl<$($t: DeviceType),*> DeviceType for ($($t,)*) {
            const LAYOUT: Layout = Layout::Struct(
                size_of::<Self>(),
                align_of::<Self>(),
                &[$((stringify!($n), std::mem::offset_of!(Self, $n), $t::LAYOUT)),*],
            );
        }
    )*};
}
device_tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
