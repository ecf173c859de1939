//! The host's memory as a device, so that [`DeviceBuffer`](crate::DeviceBuffer)s exist on every machine. It has no
//! kernels: an offloaded function that is given such buffers runs its CPU loop on them.

use std::alloc::{Layout, alloc, dealloc};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use super::{Backend, EventId, FunctionId, Launch, Limits, Loss, ModuleId, Ptr, Source, StreamId};
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::layout::LARGEST_ALIGN;

/// Alignment of every allocation, as device memory has it.
const ALIGN: usize = LARGEST_ALIGN;

/// The host.
#[derive(Debug)]
pub(crate) struct Host {
    device: Device,
    limits: Limits,
    /// When events are counted from: the number of one is its nanoseconds since then.
    start: Instant,
}

impl Host {
    /// The host's memory, for [`Device::Cpu`] or [`Device::Seq`].
    pub(crate) fn new(device: Device) -> Host {
        Host {
            device,
            limits: Limits {
                name: "the host".into(),
                capability: (0, 0),
                driver: (0, 0),
                sms: 0,
                threads_per_sm: 0,
                threads_per_block: 0,
                blocks_per_sm: 0,
                shared_default: 0,
                shared_optin: 0,
                shared_per_sm: 0,
                shared_reserved: 0,
                l2_bytes: 0,
                memory: 0,
            },
            start: Instant::now(),
        }
    }

    fn no_kernels(&self, name: &str) -> Error {
        Error::Launch {
            kernel: name.to_owned(),
            status: format!("the device `{}` runs no kernels", self.device),
        }
    }
}

fn layout(bytes: u64) -> Option<Layout> {
    Layout::from_size_align(usize::try_from(bytes.max(1)).ok()?, ALIGN).ok()
}

impl Backend for Host {
    fn device(&self) -> Device {
        self.device
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn free_memory(&self) -> Result<u64, Error> {
        Ok(0)
    }

    fn allocate(&self, _stream: StreamId, bytes: u64) -> Result<Ptr, Error> {
        let out_of_memory = || Error::OutOfMemory {
            asked: bytes,
            free: 0,
            device: self.limits.name.clone(),
        };
        let layout = layout(bytes).ok_or_else(out_of_memory)?;
        // SAFETY: the layout's size is at least one byte.
        let ptr = unsafe { alloc(layout) };
        if ptr.is_null() {
            return Err(out_of_memory());
        }
        Ok(Ptr(ptr.expose_provenance() as u64))
    }

    unsafe fn free(&self, _stream: StreamId, ptr: Ptr, bytes: u64) {
        let layout = layout(bytes).expect("the layout was good when the memory was allocated");
        // SAFETY: the caller gives back what `allocate` returned for this size.
        unsafe { dealloc(host(ptr), layout) }
    }

    unsafe fn upload(
        &self,
        _stream: StreamId,
        to: Ptr,
        from: *const u8,
        bytes: u64,
    ) -> Result<(), Error> {
        // SAFETY: the caller promises that both ranges are good; an allocation of ours is nobody else's.
        unsafe { from.copy_to_nonoverlapping(host(to), bytes as usize) };
        Ok(())
    }

    unsafe fn download(
        &self,
        _stream: StreamId,
        to: *mut u8,
        from: Ptr,
        bytes: u64,
    ) -> Result<(), Error> {
        // SAFETY: as for `upload`.
        unsafe { host(from).copy_to_nonoverlapping(to, bytes as usize) };
        Ok(())
    }

    unsafe fn copy(&self, _stream: StreamId, to: Ptr, from: Ptr, bytes: u64) -> Result<(), Error> {
        // SAFETY: the caller promises good ranges that do not overlap.
        unsafe { host(from).copy_to_nonoverlapping(host(to), bytes as usize) };
        Ok(())
    }

    unsafe fn fill(&self, _stream: StreamId, to: Ptr, word: u32, bytes: u64) -> Result<(), Error> {
        // SAFETY: the caller promises a good range, and nobody else has it now.
        let memory = unsafe {
            std::slice::from_raw_parts_mut(host(to).cast::<MaybeUninit<u8>>(), bytes as usize)
        };
        for (byte, value) in memory
            .iter_mut()
            .zip(word.to_le_bytes().into_iter().cycle())
        {
            byte.write(value);
        }
        Ok(())
    }

    fn compile(&self, source: Source<'_>) -> Result<Vec<u8>, Error> {
        Err(self.no_kernels(source.name))
    }

    fn load(&self, name: &str, _image: &[u8]) -> Result<ModuleId, Error> {
        Err(self.no_kernels(name))
    }

    fn function(&self, _module: ModuleId, name: &str) -> Result<FunctionId, Error> {
        Err(self.no_kernels(name))
    }

    fn blocks_per_sm(&self, _: FunctionId, _: u32, _: u32) -> Result<u32, Error> {
        Ok(0)
    }

    fn prefer_shared(&self, _: FunctionId, _: u32) -> Result<(), Error> {
        Ok(())
    }

    unsafe fn launch(&self, _stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        Err(self.no_kernels(launch.name))
    }

    super::at_once!();
}

/// The host pointer behind an address of this device.
pub(crate) fn host(ptr: Ptr) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(ptr.0 as usize)
}
