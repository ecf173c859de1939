//! What a CUDA device is: its limits, and a memory pool on it.

use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use cudarc::driver::sys::{self as cu, CUdevice_attribute as Attribute};

use super::status::check;
use crate::base::error::Error;
use crate::device::backend::Limits;

/// One of the driver's numbers about a device.
pub(super) fn attribute(device: cu::CUdevice, which: Attribute) -> Result<u32, Error> {
    let mut value = 0;
    // SAFETY: writes one int.
    check("cuDeviceGetAttribute", unsafe {
        cu::cuDeviceGetAttribute(&mut value, which, device)
    })?;
    Ok(value as u32)
}

/// A device's primary context, for as long as this lives and holds it.
pub(super) struct Primary {
    device: cu::CUdevice,
    /// Its handle.
    pub(super) context: cu::CUcontext,
    /// Whether it has been released before the end.
    released: AtomicBool,
}

impl Primary {
    /// Retains it. With `reset`, what is left of it is destroyed first, for every user in the process; that releases no
    /// one's hold on it.
    pub(super) fn retain(device: cu::CUdevice, reset: bool) -> Result<Primary, Error> {
        let mut context = std::ptr::null_mut();
        // SAFETY: the driver is initialised, and the second call writes one handle.
        unsafe {
            if reset {
                check(
                    "cuDevicePrimaryCtxReset",
                    cu::cuDevicePrimaryCtxReset_v2(device),
                )?;
            }
            check(
                "cuDevicePrimaryCtxRetain",
                cu::cuDevicePrimaryCtxRetain(&mut context, device),
            )?;
        }
        Ok(Primary {
            device,
            context,
            released: AtomicBool::new(false),
        })
    }

    /// Releases a context that is lost, and says whether nobody else in the process holds it: nothing is left of it then. Who calls this has
    /// nothing of it in use and makes no call in it any more.
    pub(super) fn abandon(&self) -> bool {
        self.release();
        let (mut flags, mut active) = (0, 1);
        // SAFETY: the driver is initialised; two ints are written.
        let status =
            unsafe { cu::cuDevicePrimaryCtxGetState(self.device, &mut flags, &mut active) };
        status == cu::CUresult::CUDA_SUCCESS && active == 0
    }

    fn release(&self) {
        if !self.released.swap(true, SeqCst) {
            // Who is the last to release it destroys it, whatever a kernel has made of it.
            // SAFETY: it was retained once by `retain`, and who releases it has nothing of it in use any more.
            let _ = unsafe { cu::cuDevicePrimaryCtxRelease_v2(self.device) };
        }
    }
}

impl Drop for Primary {
    fn drop(&mut self) {
        self.release();
    }
}

/// What is fixed about a device.
pub(super) fn limits(device: cu::CUdevice, driver: (u32, u32)) -> Result<Limits, Error> {
    use Attribute as A;
    let mut name = [0u8; 256];
    let mut memory = 0;
    // SAFETY: the name's buffer is as long as said; the second call writes one size.
    unsafe {
        check(
            "cuDeviceGetName",
            cu::cuDeviceGetName(name.as_mut_ptr().cast(), name.len() as c_int, device),
        )?;
        check(
            "cuDeviceTotalMem",
            cu::cuDeviceTotalMem_v2(&mut memory, device),
        )?;
    }
    let name =
        CStr::from_bytes_until_nul(&name).map_or_else(|_| "a GPU".into(), CStr::to_string_lossy);
    let get = |which| attribute(device, which);
    Ok(Limits {
        name: name.into_owned(),
        capability: (
            get(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            get(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        driver,
        sms: get(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        threads_per_sm: get(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?,
        threads_per_block: get(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        blocks_per_sm: get(A::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR)?,
        shared_default: get(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
        shared_optin: get(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        shared_per_sm: get(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?,
        shared_reserved: get(A::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK)?,
        l2_bytes: u64::from(get(A::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?),
        memory: memory as u64,
    })
}

/// A pool of our own on the device, told to keep freed memory: returning it to the system at every
/// synchronisation, as pools do by themselves, would make each call allocate anew. The device's default pool is
/// left to whoever else uses CUDA in the process.
pub(super) fn memory_pool(device: cu::CUdevice) -> Result<cu::CUmemoryPool, Error> {
    let mut pool = std::ptr::null_mut();
    let mut keep = u64::MAX;
    let mut properties = MaybeUninit::<cu::CUmemPoolProps>::zeroed();
    // The driver's own types: allocation type "pinned" (1), no exported handles (0), location type "device" (1) and its
    // number. cudarc names the last one differently in each generation; these four ints have not moved.
    let ints: [c_int; 4] = [1, 0, 1, device];
    // SAFETY: the properties start with four ints and are otherwise zero; the first call reads them and writes one
    // handle, the second reads 64 bits, as the attribute says.
    unsafe {
        properties.as_mut_ptr().cast::<[c_int; 4]>().write(ints);
        check(
            "cuMemPoolCreate",
            cu::cuMemPoolCreate(&mut pool, properties.as_ptr()),
        )?;
        let told = cu::cuMemPoolSetAttribute(
            pool,
            cu::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
            std::ptr::from_mut(&mut keep).cast(),
        );
        check("cuMemPoolSetAttribute", told).inspect_err(|_| {
            let _ = cu::cuMemPoolDestroy(pool);
        })?;
    }
    Ok(pool)
}
