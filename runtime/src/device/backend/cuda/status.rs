//! The driver's statuses as errors.

use std::ffi::CStr;

use cudarc::driver::sys::{self as cu, CUresult};

use crate::base::error::Error;
use crate::device::backend::Loss;

/// Whether a status means that the context is beyond use, and how that came.
pub(super) fn loss(status: CUresult) -> Option<Loss> {
    // By number: cudarc has these two only where a build asks for new versions of CUDA.
    const CONTAINED: u32 = 226;
    const MPS_CLIENT_TERMINATED: u32 = 810;
    match status {
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
        | CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE => Some(Loss::Failed),
        CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED | CUresult::CUDA_ERROR_INVALID_CONTEXT => {
            Some(Loss::Destroyed)
        }
        other if matches!(other as u32, CONTAINED | MPS_CLIENT_TERMINATED) => Some(Loss::Failed),
        _ => None,
    }
}

/// Whether the driver's compiler has refused a text, and will do so tomorrow. Anything else says nothing of the text.
pub(super) fn is_refusal(status: CUresult) -> bool {
    matches!(
        status,
        CUresult::CUDA_ERROR_INVALID_PTX
            | CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
            | CUresult::CUDA_ERROR_INVALID_IMAGE
            | CUresult::CUDA_ERROR_INVALID_SOURCE
            | CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
            | CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND
            | CUresult::CUDA_ERROR_JIT_COMPILATION_DISABLED
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_is_lost_to_a_kernel_or_to_somebody_else_or_not_at_all() {
        for (status, expected) in [
            (CUresult::CUDA_ERROR_ILLEGAL_ADDRESS, Some(Loss::Failed)),
            (CUresult::CUDA_ERROR_LAUNCH_FAILED, Some(Loss::Failed)),
            (
                CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED,
                Some(Loss::Destroyed),
            ),
            (CUresult::CUDA_ERROR_INVALID_CONTEXT, Some(Loss::Destroyed)),
            (CUresult::CUDA_ERROR_OUT_OF_MEMORY, None),
            (CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, None),
            (CUresult::CUDA_ERROR_NOT_READY, None),
        ] {
            assert_eq!(loss(status), expected, "{status:?}");
        }
    }

    #[test]
    fn a_context_that_is_lost_while_it_compiles_says_nothing_of_the_text() {
        assert!(is_refusal(CUresult::CUDA_ERROR_INVALID_PTX));
        for status in [
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
            CUresult::CUDA_ERROR_OUT_OF_MEMORY,
            CUresult::CUDA_ERROR_UNKNOWN,
        ] {
            assert!(!is_refusal(status), "{status:?}");
        }
    }
}
