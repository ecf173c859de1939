//! The driver's statuses as errors.

use std::ffi::CStr;

use cudarc::driver::sys::{self as cu, CUresult};

use crate::Error;

/// Whether a status means that a kernel has taken the whole context with it.
pub(super) fn destroys_context(status: CUresult) -> bool {
    matches!(
        status,
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
            | CUresult::CUDA_ERROR_LAUNCH_TIMEOUT
            | CUresult::CUDA_ERROR_LAUNCH_FAILED
            | CUresult::CUDA_ERROR_ASSERT
            | CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR
            | CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | CUresult::CUDA_ERROR_MISALIGNED_ADDRESS
            | CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE
            | CUresult::CUDA_ERROR_INVALID_PC
            | CUresult::CUDA_ERROR_ECC_UNCORRECTABLE
            | CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED
    )
}

/// A status as a result.
pub(super) fn check(call: &'static str, status: CUresult) -> Result<(), Error> {
    match status {
        CUresult::CUDA_SUCCESS => Ok(()),
        status => Err(Error::Driver {
            call,
            status: text_of(status),
        }),
    }
}

/// A status by the driver's name and explanation.
pub(super) fn text_of(status: CUresult) -> String {
    let (mut name, mut text) = (std::ptr::null(), std::ptr::null());
    // SAFETY: the driver writes pointers to texts that live as long as itself, or null.
    unsafe {
        let _ = cu::cuGetErrorName(status, &mut name);
        let _ = cu::cuGetErrorString(status, &mut text);
        if name.is_null() || text.is_null() {
            return format!("error {}", status as u32);
        }
        format!(
            "{}: {}",
            CStr::from_ptr(name).to_string_lossy(),
            CStr::from_ptr(text).to_string_lossy()
        )
    }
}
