//! Which types are the same in a device's memory as in the host's.

use super::layout::Layout;

/// Types that mean the same in a device's memory as in the host's: numbers, `bool`, arrays of them, and
/// `#[repr(C)]` structs of them with `#[derive(accrue::DeviceType)]`.
///
/// # Safety
///
/// The type is plain data: it owns nothing, points nowhere, all bytes zero is a value, and so is whatever a kernel stores
/// through its fields' types. Its layout is C's.
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
