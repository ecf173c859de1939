//! What a kernel's arguments must be, as rustc says it; see [`seen`](crate::base::seen). Else the loop runs on the CPU.

use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::base::layout::Layout;
use crate::device::argument::{Exclusive, Shared};
use crate::gpu::attempt::{self, Attempt};
use crate::gpu::choose::offloaded::Loop;

/// Whether elements lie in memory as the kernel was told.
pub fn lies<T: DeviceType>(_: &[T], layout: &Layout) -> bool {
    T::LAYOUT == *layout
}

impl Loop {
    /// The attempt of a call with a name that is not what the kernel takes it for.
    pub fn foreign(&self, name: &str) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: format!(
                "the kernel would take `{name}` for a number, or for a slice of numbers, of another type than rustc gives it"
            ),
        }
    }
}

/// What a loop with such a name does: it runs on the CPU, where rustc compiles the user's own body.
pub fn foreign(of: &Loop, name: &str) -> Attempt {
    attempt::give_way(of, of.foreign(name))
}

/// No elements of the type that an argument has.
pub fn element_of<'a, T: DeviceType>(_: &Shared<'a, T>) -> &'a [T] {
    &[]
}

/// Whether a slice that is iterated over is the one that the kernel reads.
pub fn same<T>(a: &[T], b: &[T]) -> bool {
    std::ptr::eq(a, b)
}

/// The same of one that is written.
pub fn element_of_mut<'a, T: DeviceType>(_: &Exclusive<'a, T>) -> &'a [T] {
    &[]
}
