//! Arrays of Rust-CUDA's crate `cust`. They know no stream, so one is named.

use std::ffi::c_void;
use std::marker::PhantomData;

use cudarc::driver::sys as cu;
use cust::memory::{DeviceCopy, DevicePointer};
use cust::stream::Stream as CustStream;

use super::lent::{Held, Lend, Out, Place};
use crate::base::device::Device;
use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::device::buffer::{DeviceSlice, DeviceSliceMut};
use crate::device::context::Context;

/// Elements of cust's, to be read; see [`cust`].
#[derive(Debug)]
pub struct Cust<'a, T: DeviceCopy> {
    memory: &'a cust::memory::DeviceSlice<T>,
    stream: &'a CustStream,
}

/// Elements of cust's, to be written; see [`cust_mut`].
#[derive(Debug)]
pub struct CustMut<'a, T: DeviceCopy> {
    memory: &'a mut cust::memory::DeviceSlice<T>,
    stream: &'a CustStream,
}

/// A buffer of cust's or a part of one, for [`lend`](super::lend), where its owner uses it on `stream`.
///
/// # Safety
///
/// Nobody writes to it but on that stream, before the calls or after them.
pub unsafe fn cust<'a, T: DeviceCopy>(
    memory: &'a cust::memory::DeviceSlice<T>,
    stream: &'a CustStream,
) -> Cust<'a, T> {
    Cust { memory, stream }
}

/// The same, to be written.
///
/// # Safety
///
/// Nobody uses it but on that stream, before the calls or after them.
pub unsafe fn cust_mut<'a, T: DeviceCopy>(
    memory: &'a mut cust::memory::DeviceSlice<T>,
    stream: &'a CustStream,
) -> CustMut<'a, T> {
    CustMut { memory, stream }
}

fn place<T: DeviceCopy>(
    memory: &cust::memory::DeviceSlice<T>,
    stream: &CustStream,
) -> Result<Place, Error> {
    Ok(Place::at(
        device_of(stream)?,
        memory.as_device_ptr().as_raw(),
        memory.len(),
        stream.as_inner().cast::<c_void>(),
    ))
}

/// The stream's device, whose primary context it has to be of.
fn device_of(stream: &CustStream) -> Result<Device, Error> {
    // The driver is loaded by whoever opens a device first.
    Context::of(Device::Cuda(0))?;
    let mut context = std::ptr::null_mut();
    // SAFETY: writes one handle; the stream is alive.
    let asked =
        unsafe { cu::cuStreamGetCtx(stream.as_inner().cast::<cu::CUstream_st>(), &mut context) };
    let refused = |call, status: cu::CUresult| Error::Driver {
        call,
        status: format!("{status:?}"),
    };
    if asked != cu::CUresult::CUDA_SUCCESS {
        return Err(refused("cuStreamGetCtx", asked));
    }
    for ordinal in 0.. {
        let device = Device::Cuda(ordinal);
        match Context::of(device) {
            Ok(known) if known.backend.is_context(context as u64) => return Ok(device),
            Ok(_) => {}
            Err(Error::NoSuchDevice { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    Err(Error::WrongDevice {
        what: "an array of another context than its device's primary one".to_owned(),
        found: Device::Auto,
        expected: Device::Cuda(0),
    })
}

impl<T: DeviceType + DeviceCopy> Lend for Cust<'_, T> {
    type Elements<'s> = DeviceSlice<'s, T>;
    type Held = Held<T, PhantomData<Self>>;

    fn hold(self) -> Result<Self::Held, Error> {
        Held::new(place(self.memory, self.stream)?, PhantomData)
    }

    fn elements(held: &mut Self::Held) -> DeviceSlice<'_, T> {
        held.elements()
    }
}

impl<T: DeviceType + DeviceCopy> Lend for CustMut<'_, T> {
    type Elements<'s> = DeviceSliceMut<'s, T>;
    type Held = Held<T, PhantomData<Self>>;

    fn hold(self) -> Result<Self::Held, Error> {
        Held::new(place(self.memory, self.stream)?, PhantomData)
    }

    fn elements(held: &mut Self::Held) -> DeviceSliceMut<'_, T> {
        held.elements_mut()
    }
}

impl<T: DeviceType + DeviceCopy> DeviceSlice<'_, T> {
    /// Has cust's kernels read the elements: `reads` gets their address for launches on `stream`, which come after the last write, and before later calls
    /// that write. The host waits for neither.
    ///
    /// # Errors
    ///
    /// [`Error::WrongDevice`] for a stream of another device or context; the driver's refusal to order the streams.
    pub fn with_cust<R>(
        &self,
        stream: &CustStream,
        reads: impl FnOnce(DevicePointer<T>) -> R,
    ) -> Result<R, Error> {
        let _out = out(self, stream, false)?;
        Ok(reads(DevicePointer::from_raw(self.ptr().0)))
    }
}

impl<T: DeviceType + DeviceCopy> DeviceSliceMut<'_, T> {
    /// Has cust's kernels write the elements, as [`DeviceSlice::with_cust`] has them read.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn with_cust<R>(
        &mut self,
        stream: &CustStream,
        writes: impl FnOnce(DevicePointer<T>) -> R,
    ) -> Result<R, Error> {
        let view = self.as_slice();
        let _out = out(&view, stream, true)?;
        Ok(writes(DevicePointer::from_raw(view.ptr().0)))
    }
}

fn out<'a, T: DeviceType>(
    view: &DeviceSlice<'a, T>,
    stream: &CustStream,
    write: bool,
) -> Result<Out<'a>, Error> {
    let (found, expected) = (device_of(stream)?, view.device());
    if found != expected {
        return Err(Error::WrongDevice {
            what: "the stream".to_owned(),
            found,
            expected,
        });
    }
    Out::new(view.memory(), stream.as_inner() as u64, write)
}
