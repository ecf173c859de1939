//! What is lent, for how long, and who waits for whom.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::base::device::Device;
use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::device::allocation::Allocation;
use crate::device::backend::{Ptr, StreamId};
use crate::device::buffer::{DeviceSlice, DeviceSliceMut};
use crate::device::context::Context;
use crate::device::queue::Queue;

/// What [`lend`] takes: memory of another library, borrowed, or a tuple of up to eight of them. It is not for others to implement.
pub trait Lend: Sized {
    /// What calls take in its place.
    type Elements<'s>;
    /// What has it meanwhile, and gives it back.
    #[doc(hidden)]
    type Held;
    #[doc(hidden)]
    fn hold(self) -> Result<Self::Held, Error>;
    #[doc(hidden)]
    fn elements(held: &mut Self::Held) -> Self::Elements<'_>;
}

/// Calls `calls` with what another library has on a device, as views like those of a [`DeviceBuffer`](crate::DeviceBuffer): for `on`, `on_stream` and
/// `on_device`, and for copies.
///
/// Calls that are queued on a [`Stream`](crate::Stream) may still be under way when it returns: the owner's stream waits for them. A fault of their loops is told by
/// [`Stream::sync`](crate::Stream::sync) as ever; where the memory is its owner's again by then, perhaps without the index that was out of range.
///
/// ```
/// use accrue::{Device, DeviceBuffer, Stream, interop, offload};
///
/// #[offload(histogram)]
/// fn count(keys: &[u8], bins: &mut [u32]) {
///     for &k in keys {
///         bins[k as usize] += 1;
///     }
/// }
///
/// let stream = Stream::on(Device::Cpu)?;
/// let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 4)?;
/// // Whatever has memory on the device; here the device is the host.
/// let keys = [1u8, 2, 2];
/// // SAFETY: three bytes lie there, and nobody writes to them meanwhile.
/// let theirs = unsafe {
///     interop::RawSlice::from_raw_parts(Device::Cpu, keys.as_ptr() as u64, 3, std::ptr::null_mut())
/// };
/// interop::lend(theirs, |keys| count::on_stream(&stream, keys, &mut bins))?;
/// assert_eq!(bins.to_vec()?, [0, 1, 2, 0]);
/// # Ok::<(), accrue::Error>(())
/// ```
///
/// # Errors
///
/// The device does not open; [`Error::WrongDevice`] for memory of a CUDA context that is not the device's primary one; what `calls` returns.
pub fn lend<L: Lend, R>(
    memory: L,
    calls: impl FnOnce(L::Elements<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let mut held = memory.hold()?;
    calls(L::elements(&mut held))
}

macro_rules! of_tuples {
    ($(($($L:ident $held:ident),*))*) => {$(
        impl<$($L: Lend),*> Lend for ($($L,)*) {
            type Elements<'s> = ($($L::Elements<'s>,)*);
            type Held = ($($L::Held,)*);

            fn hold(self) -> Result<Self::Held, Error> {
                let ($($held,)*) = self;
                Ok(($($held.hold()?,)*))
            }

            fn elements(held: &mut Self::Held) -> Self::Elements<'_> {
                let ($($held,)*) = held;
                ($($L::elements($held),)*)
            }
        }
    )*};
}
of_tuples! {
    (A a)
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d)
    (A a, B b, C c, D d, E e)
    (A a, B b, C c, D d, E e, F f)
    (A a, B b, C c, D d, E e, F f, G g)
    (A a, B b, C c, D d, E e, F f, G g, H h)
}

/// What is known of memory that is lent.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) device: Device,
    pub(super) ptr: u64,
    pub(super) len: usize,
    pub(super) stream: u64,
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} at {:#x} on {})", self.len, self.ptr, self.device)
    }
}

/// Memory of any library, to be read.
#[derive(Debug)]
pub struct RawSlice<'a, T>(Place, PhantomData<&'a [T]>);

/// Memory of any library, to be written.
#[derive(Debug)]
pub struct RawSliceMut<'a, T>(Place, PhantomData<&'a mut [T]>);

impl<T: DeviceType> RawSlice<'_, T> {
    /// `len` elements at an address of the device's memory. `stream` is the `CUstream` on which their owner uses them, null for the default
    /// one; it counts for nothing on devices without streams.
    ///
    /// # Safety
    ///
    /// For as long as the borrow lasts, the elements lie there, each a value of its type and aligned as the type asks, in memory of the device's
    /// primary context (on [`Device::Cpu`] of the process, on [`Device::Sim`] of a buffer of the simulator's), and the stream is of that
    /// context and not destroyed. Whoever writes to them does so on that stream, before the borrow or after it.
    pub unsafe fn from_raw_parts(
        device: Device,
        ptr: u64,
        len: usize,
        stream: *mut c_void,
    ) -> Self {
        RawSlice(Place::at(device, ptr, len, stream), PhantomData)
    }
}

impl<T: DeviceType> RawSliceMut<'_, T> {
    /// As [`RawSlice::from_raw_parts`], of elements that calls may write.
    ///
    /// # Safety
    ///
    /// As there; and whoever reads or writes the elements does so on that stream, before the borrow or after it.
    pub unsafe fn from_raw_parts(
        device: Device,
        ptr: u64,
        len: usize,
        stream: *mut c_void,
    ) -> Self {
        RawSliceMut(Place::at(device, ptr, len, stream), PhantomData)
    }
}

impl Place {
    pub(super) fn at(device: Device, ptr: u64, len: usize, stream: *mut c_void) -> Place {
        Place {
            device,
            ptr,
            len,
            stream: stream as u64,
        }
    }
}

impl<T: DeviceType> Lend for RawSlice<'_, T> {
    type Elements<'s> = DeviceSlice<'s, T>;
    type Held = Held<T, ()>;

    fn hold(self) -> Result<Self::Held, Error> {
        Held::new(self.0, ())
    }

    fn elements(held: &mut Self::Held) -> DeviceSlice<'_, T> {
        held.elements()
    }
}

impl<T: DeviceType> Lend for RawSliceMut<'_, T> {
    type Elements<'s> = DeviceSliceMut<'s, T>;
    type Held = Held<T, ()>;

    fn hold(self) -> Result<Self::Held, Error> {
        Held::new(self.0, ())
    }

    fn elements(held: &mut Self::Held) -> DeviceSliceMut<'_, T> {
        held.elements_mut()
    }
}

/// Memory of somebody else, while calls have it.
#[doc(hidden)]
pub struct Held<T, Then> {
    lent: Lent,
    len: usize,
    elements: PhantomData<T>,
    /// What its end does then, after the memory is given back.
    _then: Then,
}

/// Given back at its end.
struct Lent {
    memory: Arc<Allocation>,
    home: Arc<Queue>,
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.memory.give_back(&self.home);
    }
}

impl<T: DeviceType, Then> Held<T, Then> {
    pub(super) fn new(place: Place, then: Then) -> Result<Self, Error> {
        Ok(Held::of(&Context::of(place.device)?, place, then))
    }

    fn of(context: &Arc<Context>, place: Place, then: Then) -> Self {
        let home = Queue::lent(context, StreamId(place.stream));
        let (mut ptr, bytes) = (place.ptr, (place.len * size_of::<T>()) as u64);
        if place.len == 0 && ptr == 0 {
            // No elements may lie anywhere, but a slice of the host's is not at null.
            ptr = align_of::<T>() as u64;
        }
        Held {
            lent: Lent {
                memory: Allocation::lent(&home, Ptr(ptr), bytes),
                home,
            },
            len: place.len,
            elements: PhantomData,
            _then: then,
        }
    }

    pub(super) fn elements(&mut self) -> DeviceSlice<'_, T> {
        DeviceSlice::over(&self.lent.memory, self.len)
    }

    pub(super) fn elements_mut(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut::over(&self.lent.memory, self.len)
    }
}

/// A buffer's memory, while somebody else's stream has it.
pub(super) struct Out<'a> {
    memory: &'a Allocation,
    stream: StreamId,
}

impl<'a> Out<'a> {
    pub(super) fn new(memory: &'a Allocation, stream: u64, write: bool) -> Result<Out<'a>, Error> {
        let stream = StreamId(stream);
        memory.lend(stream, write)?;
        Ok(Out { memory, stream })
    }
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        self.memory.get_back(self.stream);
    }
}

impl<T: DeviceType> DeviceSlice<'_, T> {
    /// Has somebody else read the elements, on a stream of theirs: `reads` gets their address and queues its work there, with the
    /// device's primary context current. The stream comes after the last write, and later calls after what it has been given when `reads` returns; the host waits for neither.
    ///
    /// # Errors
    ///
    /// The driver's refusal to order the streams.
    ///
    /// # Safety
    ///
    /// `stream` is a `CUstream` of the device's primary context, or null for the default one. What `reads` queues that uses the elements is on that
    /// stream, and only reads.
    pub unsafe fn with_raw<R>(
        &self,
        stream: *mut c_void,
        reads: impl FnOnce(u64) -> R,
    ) -> Result<R, Error> {
        let _out = Out::new(self.memory(), stream as u64, false)?;
        self.memory().with_current(|| reads(self.ptr().0))
    }
}

impl<T: DeviceType> DeviceSliceMut<'_, T> {
    /// Has somebody else write the elements, as [`DeviceSlice::with_raw`] has them read.
    ///
    /// # Errors
    ///
    /// As there.
    ///
    /// # Safety
    ///
    /// As there, but that it may write: when the stream has done it, each element is a value of its type.
    pub unsafe fn with_raw<R>(
        &mut self,
        stream: *mut c_void,
        writes: impl FnOnce(u64) -> R,
    ) -> Result<R, Error> {
        let view = self.as_slice();
        let _out = Out::new(view.memory(), stream as u64, true)?;
        view.memory().with_current(|| writes(view.ptr().0))
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests;
