//! Arrays of the crate `cudarc`. What they note of their uses by its streams is kept up, so that its own order of streams holds, too.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use cudarc::driver::{
    CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DevicePtrMut, DeviceRepr,
    DeviceSlice as _,
};

use super::lent::{Held, Lend, Out, Place};
use crate::base::device::Device;
use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::device::buffer::{DeviceSlice, DeviceSliceMut};
use crate::device::context::Context;

/// The stream's device, whose primary context it has to be of.
fn device_of(stream: &CudaStream) -> Result<Device, Error> {
    let device = Device::Cuda(stream.context().ordinal() as u32);
    let backend = &Context::of(device)?.backend;
    if backend.is_context(stream.context().cu_ctx() as u64) {
        return Ok(device);
    }
    Err(Error::WrongDevice {
        what: "an array of another context than the device's primary one".to_owned(),
        found: device,
        expected: device,
    })
}

/// Notes a use by an array's own stream, where cudarc notes its own.
#[doc(hidden)]
pub trait Used {
    fn note(&mut self);
}

/// Notes it at its end.
#[doc(hidden)]
pub struct Note<U: Used>(U);

impl<U: Used> Drop for Note<U> {
    fn drop(&mut self) {
        self.0.note();
    }
}

macro_rules! of_cudarc {
    ($($t:ty: $elements:ident, $view:ident, $ptr:ident;)*) => {$(
        impl<T: DeviceType> Used for $t {
            fn note(&mut self) {
                let stream = Arc::clone(self.stream());
                // The event is recorded at the guard's end.
                let (_, _noted) = self.$ptr(&stream);
            }
        }

        impl<T: DeviceType> Lend for $t {
            type Elements<'s> = $view<'s, T>;
            type Held = Held<T, Note<Self>>;

            #[allow(unused_mut)]
            fn hold(mut self) -> Result<Self::Held, Error> {
                let stream = Arc::clone(self.stream());
                let device = device_of(&stream)?;
                // The array's own stream waits for what others of cudarc's have to do with it.
                let (ptr, noted) = self.$ptr(&stream);
                drop(noted);
                let place = Place {
                    device,
                    ptr,
                    len: self.len(),
                    stream: stream.cu_stream() as u64,
                };
                Held::new(place, Note(self))
            }

            fn elements(held: &mut Self::Held) -> $view<'_, T> {
                held.$elements()
            }
        }
    )*};
}
of_cudarc! {
    &CudaSlice<T>: elements, DeviceSlice, device_ptr;
    &CudaView<'_, T>: elements, DeviceSlice, device_ptr;
    &mut CudaSlice<T>: elements_mut, DeviceSliceMut, device_ptr_mut;
    &mut CudaViewMut<'_, T>: elements_mut, DeviceSliceMut, device_ptr_mut;
}

/// A buffer's memory as an array of cudarc's, which does not free it.
struct Lent<T>(ManuallyDrop<CudaSlice<T>>);

impl<T: DeviceRepr> Lent<T> {
    /// # Safety
    ///
    /// That many elements lie there for as long as it lives, for the stream to use.
    unsafe fn new(stream: &Arc<CudaStream>, ptr: u64, len: usize) -> Lent<T> {
        // SAFETY: the caller's promise. It is never dropped as an array, so nothing frees the memory.
        Lent(ManuallyDrop::new(unsafe {
            stream.upgrade_device_ptr(ptr, len)
        }))
    }
}

impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        // SAFETY: it is taken once, here.
        let array = unsafe { ManuallyDrop::take(&mut self.0) };
        // The array's stream waits for what other streams of cudarc's have done with it; the memory stays.
        array.leak();
    }
}

impl<T: DeviceType + DeviceRepr> DeviceSlice<'_, T> {
    /// Has cudarc read the elements: `reads` gets them as a view for copies and kernels of its streams, which come after the last write, and before later
    /// calls that write. The host waits for neither.
    ///
    /// # Errors
    ///
    /// [`Error::WrongDevice`] for a stream of another device or context; the driver's refusal to order the streams.
    pub fn with_cudarc<R>(
        &self,
        stream: &Arc<CudaStream>,
        reads: impl FnOnce(CudaView<'_, T>) -> R,
    ) -> Result<R, Error> {
        on_its_device(self.device(), stream)?;
        let _out = Out::new(self.memory(), stream.cu_stream() as u64, false)?;
        // SAFETY: the view borrows the elements, the stream waits for their last write, and it is waited for when this is over.
        let array = unsafe { Lent::new(stream, self.ptr().0, self.len()) };
        Ok(reads(array.0.as_view()))
    }
}

impl<T: DeviceType + DeviceRepr> DeviceSliceMut<'_, T> {
    /// Has cudarc write the elements, as [`DeviceSlice::with_cudarc`] has it read them.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn with_cudarc<R>(
        &mut self,
        stream: &Arc<CudaStream>,
        writes: impl FnOnce(CudaViewMut<'_, T>) -> R,
    ) -> Result<R, Error> {
        let view = self.as_slice();
        on_its_device(view.device(), stream)?;
        let _out = Out::new(view.memory(), stream.cu_stream() as u64, true)?;
        // SAFETY: as above; this view excludes others.
        let mut array = unsafe { Lent::new(stream, view.ptr().0, view.len()) };
        Ok(writes(array.0.as_view_mut()))
    }
}

fn on_its_device(expected: Device, stream: &CudaStream) -> Result<(), Error> {
    let found = device_of(stream)?;
    if found == expected {
        return Ok(());
    }
    Err(Error::WrongDevice {
        what: "the stream".to_owned(),
        found,
        expected,
    })
}
