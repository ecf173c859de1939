//! PTX to machine code, by the driver's compiler, with errors that show the line.
//!
//! There are two ways. [`compile`] links, which gives an image that can be kept on disk, but the compiler leaves room for functions of other modules then: kernels that
//! need all registers that they may have spill, and sums of 64 bits carried along took 1300 us by this way and 1180 by the other, shortest paths 34 ms and 24
//! (H200, 2026-11-30). [`load`] takes a text as a whole program. The driver keeps what comes of it itself. It is for no context, so that calls go on meanwhile, where loading a text
//! into one has them wait (74 ms). Drivers before CUDA 12.0 know the first way alone.

use std::ffi::{CString, c_int, c_uint, c_void};
use std::fmt::Write;

use cudarc::driver::sys::{self as cu, CUjit_option as Opt};

use super::super::Source;
use super::status::{is_refusal, text_of};
use crate::base::error::Error;

/// Bytes for the compiler's messages.
const LOG: usize = 16 << 10;

/// Why there is no image.
pub(super) enum Refusal {
    /// The compiler's: [`Error::PtxUnsupported`] with its log.
    Text(Error),
    /// The driver's, in a call.
    Call(&'static str, cu::CUresult),
}

/// What the compiler says, and where it is asked to.
struct Log {
    text: Vec<u8>,
    options: [Opt; 2],
    /// A size travels in the pointer's place.
    values: [*mut c_void; 2],
}

impl Log {
    fn new() -> Log {
        let mut text = vec![0u8; LOG];
        Log {
            options: [
                Opt::CU_JIT_ERROR_LOG_BUFFER,
                Opt::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            ],
            values: [text.as_mut_ptr().cast(), LOG as *mut c_void],
            text,
        }
    }

    /// Why a call has not given an image.
    fn refusal(
        &self,
        call: &'static str,
        status: cu::CUresult,
        source: Source<'_>,
        device: &str,
    ) -> Refusal {
        if !is_refusal(status) {
            return Refusal::Call(call, status);
        }
        let said = self.text.split(|&b| b == 0).next().unwrap_or_default();
        Refusal::Text(Error::PtxUnsupported {
            kernel: source.name.to_owned(),
            device: device.to_owned(),
            log: readable(&text_of(status), &String::from_utf8_lossy(said), source.ptx),
        })
    }
}

/// How the driver declares `cuLibraryLoadData`, which cudarc has only where a build asks for CUDA 12.
pub(super) type LoadData = unsafe extern "C" fn(
    *mut *mut c_void,
    *const c_void,
    *mut Opt,
    *mut *mut c_void,
    c_uint,
    *mut c_int,
    *mut *mut c_void,
    c_uint,
) -> cu::CUresult;

/// The same of `cuLibraryGetModule`.
pub(super) type GetModule = unsafe extern "C" fn(*mut cu::CUmodule, *mut c_void) -> cu::CUresult;

/// The text as the driver takes it, with its terminating zero.
pub(super) fn text(ptx: &str) -> Vec<u8> {
    let mut text = Vec::with_capacity(ptx.len() + 1);
    text.extend_from_slice(ptx.as_bytes());
    text.push(0);
    text
}

/// Compiles a [`text`] for the current context's device, which errors name as `device`, and loads it.
pub(super) fn load(
    (load_data, get_module): (LoadData, GetModule),
    name: &str,
    text: &[u8],
    device: &str,
) -> Result<cu::CUmodule, Refusal> {
    let ptx = text.strip_suffix(&[0]).unwrap_or_default();
    let source = Source {
        name,
        ptx: str::from_utf8(ptx).unwrap_or_default(),
    };
    let mut log = Log::new();
    let mut library = std::ptr::null_mut();
    // SAFETY: as many options as values; the log outlives the call. The text ends in zero.
    let status = unsafe {
        load_data(
            &mut library,
            text.as_ptr().cast(),
            log.options.as_mut_ptr(),
            log.values.as_mut_ptr(),
            log.options.len() as u32,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            0,
        )
    };
    if status != cu::CUresult::CUDA_SUCCESS {
        return Err(log.refusal("cuLibraryLoadData", status, source, device));
    }
    let mut module = std::ptr::null_mut();
    // SAFETY: the library has been loaded and, as modules are, is never unloaded.
    match unsafe { get_module(&mut module, library) } {
        cu::CUresult::CUDA_SUCCESS => Ok(module),
        status => Err(log.refusal("cuLibraryGetModule", status, source, device)),
    }
}

/// Compiles and links a module for the current context's device, which errors name as `device`.
pub(super) fn compile(source: Source<'_>, device: &str) -> Result<Vec<u8>, Refusal> {
    let mut log = Log::new();
    let name = CString::new(source.name).unwrap_or_default();

    let mut state = std::ptr::null_mut();
    // SAFETY: as many options as values; the log outlives the link, which is destroyed below.
    let created = unsafe {
        cu::cuLinkCreate_v2(
            log.options.len() as u32,
            log.options.as_mut_ptr(),
            log.values.as_mut_ptr(),
            &mut state,
        )
    };
    if created != cu::CUresult::CUDA_SUCCESS {
        return Err(Refusal::Call("cuLinkCreate", created));
    }
    let _link = Link(state);

    let mut text = text(source.ptx);
    let (mut image, mut size) = (std::ptr::null_mut(), 0usize);
    // SAFETY: the text and the name live through the call; the driver copies the text.
    let mut status = unsafe {
        cu::cuLinkAddData_v2(
            state,
            cu::CUjitInputType::CU_JIT_INPUT_PTX,
            text.as_mut_ptr().cast(),
            text.len(),
            name.as_ptr(),
            0,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        )
    };
    if status == cu::CUresult::CUDA_SUCCESS {
        // SAFETY: the image belongs to the link and is copied before the link ends.
        status = unsafe { cu::cuLinkComplete(state, &mut image, &mut size) };
    }
    match status {
        cu::CUresult::CUDA_SUCCESS => {
            // SAFETY: the driver says that `size` bytes stand at `image`.
            Ok(unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec())
        }
        status => Err(log.refusal("cuLinkComplete", status, source, device)),
    }
}

/// A link, ended when it is dropped.
struct Link(cu::CUlinkState);

impl Drop for Link {
    fn drop(&mut self) {
        // SAFETY: the state is from `cuLinkCreate` and used by nobody after this.
        let _ = unsafe { cu::cuLinkDestroy(self.0) };
    }
}

/// The compiler's messages, each with the line of PTX it speaks of.
///
/// The log has lines like `ptxas application ptx input, line 12; error   : Unknown symbol '%r9'`.
fn readable(status: &str, log: &str, ptx: &str) -> String {
    let mut out = String::from(status);
    for message in log.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let located = message.split_once(", line ").and_then(|(_, rest)| {
            let (number, text) = rest.split_once(';')?;
            Some((number.trim().parse::<usize>().ok()?, text))
        });
        match located {
            Some((number, text)) => {
                let text = text.split_once(':').map_or(text, |(_, what)| what).trim();
                let line = ptx
                    .lines()
                    .nth(number.saturating_sub(1))
                    .unwrap_or_default()
                    .trim();
                let _ = write!(out, "\nline {number}: {text}\n    {line}");
            }
            None => {
                let _ = write!(out, "\n{message}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn a_log_shows_the_line_it_speaks_of() {
        let ptx = ".version 7.0\n.target sm_70\n\tfoo.u32 %r1, %r2;\n";
        let log = "ptxas application ptx input, line 3; error   : Not a name of any known instruction: 'foo'\n\
                   ptxas fatal   : Ptx assembly aborted due to errors\n";
        assert_eq!(
            readable(
                "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed",
                log,
                ptx
            ),
            "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed\n\
             line 3: Not a name of any known instruction: 'foo'\n    foo.u32 %r1, %r2;\n\
             ptxas fatal   : Ptx assembly aborted due to errors"
        );
    }
}
