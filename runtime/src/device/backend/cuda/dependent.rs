//! Programmatic dependent launch: a kernel's blocks take their places while the last blocks of the kernel before it still run, and wait there for its
//! end. What a launch takes is then hidden behind that kernel, where each would begin only after the one before it is over otherwise.
//!
//! It takes a device of compute capability 9.0 and the CUDA driver's 12.3, from which on it is also kept in captured graphs. Every entry of
//! a module waits before it reads or writes anything: so who comes after a kernel finds the same as
//! without, also if what comes is a copy, or another stream that waits by an event. See PTX ISA 8.3, `griddepcontrol`.

use std::ffi::{c_int, c_uint, c_void};

use cudarc::driver::sys as cu;

use super::raw;
use crate::device::backend::{Launch, Limits, StreamId};

/// Device and driver that have it.
const CAPABILITY: (u32, u32) = (9, 0);
const DRIVER: (u32, u32) = (12, 3);

/// The first instruction of an entry: those who come next may take their places.
const BEGIN: &str = "{\n    griddepcontrol.launch_dependents;";

/// What came before is over.
const WAIT: &str = "    griddepcontrol.wait;\n";

/// What the lines of an entry begin with that need not wait: they declare, or compute in registers of what a launch is given.
const FREE: &[&str] = &[
    ".", "//", "ld.param", "mov.", "cvt.", "cvta.", "add.", "sub.", "mul.", "mad.", "min.", "max.",
    "neg.", "not.", "and.", "or.", "xor.", "shl.", "shr.", "setp.", "selp.", "rem.", "div.",
];

/// `cuLaunchKernelEx`, which older drivers, and cudarc's bindings for them, do not have.
pub(super) type LaunchEx = unsafe extern "C" fn(
    *const Config,
    cu::CUfunction,
    *mut *mut c_void,
    *mut *mut c_void,
) -> cu::CUresult;

/// The driver's `CUlaunchConfig`.
#[repr(C)]
pub(super) struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: cu::CUstream,
    attributes: *const Attribute,
    count: c_uint,
}

/// The driver's `CUlaunchAttribute` with a value of one word.
#[repr(C)]
struct Attribute {
    id: c_int,
    _pad: [u8; 4],
    value: c_int,
    _rest: [u8; 60],
}

/// `CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION`.
const SERIALIZATION: c_int = 6;

/// Whether kernels of such a device and driver are launched so.
pub(super) fn has(limits: &Limits) -> bool {
    limits.capability >= CAPABILITY && limits.driver >= DRIVER
}

/// The text of a module, each entry of which waits for the kernels before it: in front of its first line that does more than compute in registers, and
/// so in front of all that it does to memory, since there is no jump before that.
pub(super) fn waiting(ptx: &str) -> String {
    /// What of an entry has been read.
    enum Read {
        Nothing,
        Head,
        Free,
    }
    let mut out = String::with_capacity(ptx.len() + 256);
    let mut read = Read::Nothing;
    for line in ptx.lines() {
        let text = line.trim_start();
        let sm = text.strip_prefix(".target sm_");
        let older = |sm: &str| sm.parse().is_ok_and(|sm: u32| sm < 90);
        let mut line = line;
        match read {
            Read::Nothing if text.contains(".entry ") => read = Read::Head,
            // What this takes; our texts are of no later version.
            Read::Nothing if text.starts_with(".version ") => line = ".version 7.8",
            Read::Nothing if sm.is_some_and(older) => line = ".target sm_90",
            Read::Head if text == "{" => (line, read) = (BEGIN, Read::Free),
            Read::Free if !text.is_empty() && !FREE.iter().any(|f| text.starts_with(f)) => {
                out.push_str(WAIT);
                read = Read::Nothing;
            }
            _ => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// As [`Backend::launch`](crate::device::backend::Backend::launch), with pointers to the parameters.
///
/// # Safety
///
/// As there. The kernel is of a text that [`waiting`] has made.
pub(super) unsafe fn launch(
    call: LaunchEx,
    stream: StreamId,
    launch: &Launch<'_>,
    params: &mut [*mut c_void],
) -> cu::CUresult {
    let attribute = Attribute {
        id: SERIALIZATION,
        _pad: [0; 4],
        value: 1,
        _rest: [0; 60],
    };
    let config = Config {
        grid: [launch.grid, 1, 1],
        block: [launch.block, 1, 1],
        shared: launch.shared,
        stream: raw(stream),
        attributes: &attribute,
        count: 1,
    };
    let function = launch.function.0 as cu::CUfunction;
    // SAFETY: the structures are laid out as the driver's and live through the call; the rest is the caller's promise.
    unsafe { call(&config, function, params.as_mut_ptr(), std::ptr::null_mut()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::device::Device;
    use crate::device::backend::Backend;
    use crate::device::backend::host::Host;

    #[test]
    fn every_entry_waits_before_it_touches_memory_and_no_function_does() {
        let text = "// A loop.\n.version 7.0\n.target sm_70\n.address_size 64\n\n.func (.param .b32 r) f(\n    .param .b32 x\n)\n{\n    ret;\n}\n\
                    .visible .entry first(\n    .param .u64 n\n)\n.maxntid 128, 1, 1\n{\n    .reg .b32 %r;\n    ld.param.u64 %n, [n];\n    // Then.\n    \
                    @%p ld.global.u32 %r, [%n];\n    bar.sync 0;\n    ret;\n}\n\
                    .visible .entry second(\n)\n{\n\tmov.u32 %r, 1;\nAGAIN:\n    ret;\n}\n.visible .entry third(\n)\n{\n    ret;\n}\n";
        let waiting = waiting(text);
        assert!(waiting.starts_with("// A loop.\n.version 7.8\n.target sm_90\n"));
        for (entry, before, behind) in [
            ("first", "    // Then.\n", "    @%p ld.global"),
            ("second", "\tmov.u32 %r, 1;\n", "AGAIN:"),
            ("third", "", "    ret;"),
        ] {
            let body = waiting.split(&format!(".entry {entry}(")).nth(1).unwrap();
            let body = body.split_once(BEGIN).unwrap().1;
            let (free, rest) = body.split_once(WAIT).unwrap();
            assert!(free.ends_with(&format!("\n{before}")), "{waiting}");
            assert!(rest.starts_with(behind), "{waiting}");
        }
        let more = 3 * (BEGIN.len() - 1 + WAIT.len());
        assert_eq!(waiting.len(), text.len() + more);
    }

    #[test]
    fn the_library_waits_too() {
        let text = accrue_ptx::library::closure_of(&accrue_ptx::library::names());
        let waiting = waiting(&text);
        let entries = text.matches(".entry ").count();
        assert!(entries > 20);
        assert_eq!(waiting.matches(WAIT).count(), entries);
        for body in waiting.split(BEGIN).skip(1) {
            let (free, _) = body.split_once(WAIT).unwrap();
            let touches = ["ld.global", "st.", "atom", "red.", "bra", "call", ":\n"];
            assert!(!touches.iter().any(|t| free.contains(t)), "{free}");
        }
    }

    #[test]
    fn structures_are_as_large_as_the_drivers() {
        assert_eq!(size_of::<Attribute>(), 72);
        assert_eq!(std::mem::offset_of!(Attribute, value), 8);
        assert_eq!(size_of::<Config>(), 56);
        assert_eq!(std::mem::offset_of!(Config, stream), 32);
        assert_eq!(std::mem::offset_of!(Config, count), 48);
    }

    #[test]
    fn it_takes_a_device_and_a_driver() {
        let limits = |capability, driver| {
            let mut limits = Host::new(Device::Cpu).limits().clone();
            (limits.capability, limits.driver) = (capability, driver);
            limits
        };
        assert!(has(&limits((9, 0), (12, 3))) && has(&limits((10, 0), (13, 0))));
        assert!(!has(&limits((8, 9), (12, 4))) && !has(&limits((9, 0), (12, 2))));
    }
}
