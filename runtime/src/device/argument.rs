//! What `on` takes for an array: elements wherever they are.

use std::fmt;
use std::sync::Arc;

use crate::base::choice;
use crate::base::device::Device;
use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::base::trying::give_up;
use crate::device::allocation::Allocation;
use crate::device::backend::Ptr;
use crate::device::buffer::{self, DeviceBuffer, DeviceSlice, DeviceSliceMut};
use crate::device::held::Holder;
use crate::device::residence::Lent;
use crate::device::resident::{Resident, ResidentSlice, ResidentSliceMut};

/// Elements on a device, in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct There<'a> {
    pub(crate) memory: &'a Arc<Allocation>,
    pub(crate) ptr: Ptr,
    pub(crate) len: usize,
}

/// Elements of a resident array.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) all: Lent<'a>,
    pub(crate) start: usize,
    pub(crate) len: usize,
}

/// Where elements are that a call reads.
#[derive(Clone, Copy)]
pub(crate) enum Read<'a, T> {
    Host(&'a [T]),
    Device(There<'a>),
    Resident(Part<'a>),
}

/// Where elements are that a call writes. Whoever made it has them exclusively.
pub(crate) enum Write<'a, T> {
    Host(&'a mut [T]),
    Device(There<'a>),
    Resident(Part<'a>),
}

/// An array that a call reads: what an offloaded function's `on` takes where the function takes a `&[T]` or a `&[T; N]`.
///
/// It is made of a slice, an array, a `&Vec`, a [`Resident`] or a part of it, a [`DeviceBuffer`] or a view of it.
///
/// ```
/// use accrue::{Resident, Shared};
/// let resident = Resident::from(vec![1u8, 2, 3]);
/// for argument in [Shared::from(&[1u8, 2, 3]), Shared::from(&resident), Shared::from(&vec![1, 2, 3])] {
///     assert_eq!(argument.len(), 3);
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Shared<'a, T>(pub(crate) Read<'a, T>);

/// An array that a call writes: what an offloaded function's `on` takes where the function takes a `&mut [T]` or a `&mut [T; N]`.
///
/// It is made of an exclusive borrow of what a [`Shared`] is made of.
///
/// ```
/// use accrue::{Exclusive, Resident};
/// let mut resident = Resident::from(vec![1u8, 2, 3]);
/// assert_eq!(Exclusive::from(resident.slice_mut(1..)).len(), 2);
/// assert_eq!(Exclusive::from(&mut [0u8; 4]).len(), 4);
/// ```
///
/// What is only read cannot be written:
///
/// ```compile_fail,E0277
/// let resident = accrue::Resident::from(vec![1u8, 2, 3]);
/// let _ = accrue::Exclusive::from(&resident);
/// ```
pub struct Exclusive<'a, T>(pub(crate) Write<'a, T>);

impl<T> Shared<'_, T> {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        match self.0 {
            Read::Host(elements) => elements.len(),
            Read::Device(There { len, .. }) | Read::Resident(Part { len, .. }) => len,
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T> Exclusive<'_, T> {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        match &self.0 {
            Write::Host(elements) => elements.len(),
            Write::Device(There { len, .. }) | Write::Resident(Part { len, .. }) => *len,
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Without the elements, which may be far away.
impl<T> fmt::Debug for Shared<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "Shared<{name}>({})", self.len())
    }
}

impl<T> fmt::Debug for Exclusive<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "Exclusive<{name}>({})", self.len())
    }
}

/// Arguments of host memory.
macro_rules! of_host {
    ($([$($generics:tt)*] $t:ty),*) => {$(
        impl<'a, $($generics)*> From<&'a $t> for Shared<'a, T> {
            fn from(elements: &'a $t) -> Self {
                Shared(Read::Host(elements))
            }
        }

        impl<'a, $($generics)*> From<&'a mut $t> for Exclusive<'a, T> {
            fn from(elements: &'a mut $t) -> Self {
                Exclusive(Write::Host(elements))
            }
        }
    )*};
}
of_host!([T] [T], [T, const N: usize] [T; N], [T] Vec<T>);

impl<'a, T: DeviceType> From<&'a Resident<T>> for Shared<'a, T> {
    fn from(elements: &'a Resident<T>) -> Self {
        elements.slice(..).into()
    }
}

impl<'a, T: DeviceType> From<&'a mut Resident<T>> for Exclusive<'a, T> {
    fn from(elements: &'a mut Resident<T>) -> Self {
        elements.slice_mut(..).into()
    }
}

impl<'a, T: DeviceType> From<ResidentSlice<'a, T>> for Shared<'a, T> {
    fn from(
        ResidentSlice {
            all, start, len, ..
        }: ResidentSlice<'a, T>,
    ) -> Self {
        Shared(Read::Resident(Part { all, start, len }))
    }
}

impl<'a, T: DeviceType> From<ResidentSliceMut<'a, T>> for Exclusive<'a, T> {
    fn from(
        ResidentSliceMut {
            all, start, len, ..
        }: ResidentSliceMut<'a, T>,
    ) -> Self {
        Exclusive(Write::Resident(Part { all, start, len }))
    }
}

impl<'a, T: DeviceType> From<&'a DeviceBuffer<T>> for Shared<'a, T> {
    fn from(buffer: &'a DeviceBuffer<T>) -> Self {
        buffer.as_slice().into()
    }
}

impl<'a, T: DeviceType> From<&'a mut DeviceBuffer<T>> for Exclusive<'a, T> {
    fn from(buffer: &'a mut DeviceBuffer<T>) -> Self {
        buffer.as_slice_mut().into()
    }
}

impl<'a, T: DeviceType> From<DeviceSlice<'a, T>> for Shared<'a, T> {
    fn from(view: DeviceSlice<'a, T>) -> Self {
        Shared(match buffer::host_elements(view) {
            Some(elements) => Read::Host(elements),
            None => Read::Device(There::of(view)),
        })
    }
}

impl<'a, T: DeviceType> From<DeviceSliceMut<'a, T>> for Exclusive<'a, T> {
    fn from(view: DeviceSliceMut<'a, T>) -> Self {
        Exclusive(match buffer::host_elements_mut(view) {
            Ok(elements) => Write::Host(elements),
            Err(view) => Write::Device(There::of(view.into_view())),
        })
    }
}

impl<'a> There<'a> {
    fn of<T: DeviceType>(view: DeviceSlice<'a, T>) -> There<'a> {
        There {
            memory: view.memory(),
            ptr: view.ptr(),
            len: view.len(),
        }
    }
}

/// Whether the CPU can run a call with an array that it reads.
pub fn is_within_reach<T>(argument: &Shared<'_, T>) -> bool {
    !matches!(argument.0, Read::Device(_))
}

/// The same of one that it writes.
pub fn is_within_reach_mut<T>(argument: &Exclusive<'_, T>) -> bool {
    !matches!(argument.0, Write::Device(_))
}

/// The elements in the host's memory, up to date. A call that passes them on to a device finds them there while the holder lives.
/// What goes wrong is for who tries the call.
pub fn shared<'a, T>(argument: Shared<'a, T>, name: &str, function: &str) -> (&'a [T], Here) {
    let part = match argument.0 {
        Read::Host(elements) => return (elements, Here(None)),
        Read::Device(there) => give_up(away(there, name, function)),
        Read::Resident(part) => part,
    };
    let start = part.all.to_host().unwrap_or_else(|e| give_up(e));
    let holder = Holder::new();
    // SAFETY: the argument borrows the resident array for longer than the holder is there, and its host's copy is current.
    unsafe { holder.hold(part.all) };
    // SAFETY: the part lies in the array, whose elements are of this type, and whose host's copy is current.
    let elements =
        unsafe { std::slice::from_raw_parts(start.cast::<T>().add(part.start), part.len) };
    (elements, Here(Some(holder)))
}

/// The same of an array that the call writes: what a device has of it counts as old from now on.
pub fn exclusive<'a, T>(argument: Exclusive<'a, T>, name: &str, function: &str) -> &'a mut [T] {
    let part = match argument.0 {
        Write::Host(elements) => return elements,
        Write::Device(there) => give_up(away(there, name, function)),
        Write::Resident(part) => part,
    };
    let start = part.all.to_host().unwrap_or_else(|e| give_up(e));
    part.all.host_is_newer();
    // SAFETY: the part lies in the array, whose elements are of this type, and the argument borrows it exclusively.
    unsafe { std::slice::from_raw_parts_mut(start.cast::<T>().add(part.start), part.len) }
}

/// The same of an array that the call writes and that nobody looks at but its loops and who brings it back for them: where a device has
/// the newer copy, it stays there, and the host's elements are old.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub fn staying<'a, T>(
    argument: Exclusive<'a, T>,
    name: &str,
    function: &str,
) -> (&'a mut [T], Here) {
    let Write::Resident(part) = argument.0 else {
        return (exclusive(argument, name, function), Here(None));
    };
    let (_, start, _) = part.all.parts();
    let holder = Holder::new();
    // SAFETY: the argument borrows the resident array exclusively for longer than the holder is there; the macro has seen that the function
    // asks it for nothing but its length outside of what takes the array over.
    unsafe { holder.hold_exclusively(part.all) };
    // SAFETY: the part lies in the array, whose elements are of this type and initialised, and the argument borrows it exclusively.
    let elements =
        unsafe { std::slice::from_raw_parts_mut(start.cast::<T>().add(part.start), part.len) };
    (elements, Here(Some(holder)))
}

/// For as long as elements are passed on.
#[derive(Debug)]
pub struct Here(#[expect(dead_code, reason = "its end is what counts")] Option<Holder>);

/// The error of a call on the host with data that are in a buffer of a device.
fn away(there: There<'_>, name: &str, function: &str) -> Error {
    let found = there.memory.device();
    match choice::chosen() {
        Err(e) => e,
        Ok(device) if device == found || device == Device::Auto => Error::NotOnDevice {
            function: function.to_owned(),
            reason: format!(
                "`{name}` is in a buffer on `{found}`, and no kernel alone does what the function does"
            ),
        },
        Ok(expected) => Error::WrongDevice {
            what: name.to_owned(),
            found,
            expected,
        },
    }
}
