//! Whether the NVIDIA driver is there and has what is called.
//!
//! `cudarc` opens the driver's library at the first call and panics if it, or a function, is missing. So the
//! library and every function that the runtime calls are looked for here first; after that, cudarc finds
//! the same library under the same name and cannot panic.

use std::ffi::{CStr, c_int};
use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::{io, thread};

use cudarc::driver::sys::{self as cu, CUresult};

use super::dependent::LaunchEx;
use super::jit::{GetModule, LoadData};
use super::status::check;
use crate::base::error::Error;

/// Functions that every supported driver (CUDA 11.2, Linux 460, and newer) has and that the runtime calls.
const NEEDED: &[&CStr] = &[
    c"cuInit",
    c"cuDriverGetVersion",
    c"cuDeviceGetCount",
    c"cuDeviceGet",
    c"cuDeviceGetName",
    c"cuDeviceGetAttribute",
    c"cuDeviceTotalMem_v2",
    c"cuDevicePrimaryCtxRetain",
    c"cuDevicePrimaryCtxRelease_v2",
    c"cuDevicePrimaryCtxReset_v2",
    c"cuDevicePrimaryCtxGetState",
    c"cuCtxGetCurrent",
    c"cuCtxPushCurrent_v2",
    c"cuCtxPopCurrent_v2",
    c"cuMemGetInfo_v2",
    c"cuMemAlloc_v2",
    c"cuMemFree_v2",
    c"cuMemAllocFromPoolAsync",
    c"cuMemFreeAsync",
    c"cuMemPoolCreate",
    c"cuMemPoolDestroy",
    c"cuMemPoolSetAttribute",
    c"cuMemPoolTrimTo",
    c"cuMemHostAlloc",
    c"cuMemcpyHtoDAsync_v2",
    c"cuMemcpyDtoHAsync_v2",
    c"cuMemcpyDtoDAsync_v2",
    c"cuMemsetD8Async",
    c"cuMemsetD32Async",
    c"cuModuleLoadData",
    c"cuModuleGetFunction",
    c"cuFuncGetAttribute",
    c"cuFuncSetAttribute",
    c"cuOccupancyMaxActiveBlocksPerMultiprocessor",
    c"cuLaunchKernel",
    c"cuLinkCreate_v2",
    c"cuLinkAddData_v2",
    c"cuLinkComplete",
    c"cuLinkDestroy",
    c"cuStreamCreate",
    c"cuStreamDestroy_v2",
    c"cuStreamSynchronize",
    c"cuStreamWaitEvent",
    c"cuEventCreate",
    c"cuEventRecord",
    c"cuEventSynchronize",
    c"cuEventDestroy_v2",
    c"cuEventElapsedTime",
    c"cuGetErrorName",
    c"cuGetErrorString",
];

/// Functions that `graphs.rs` calls. Drivers before CUDA 11.4 lack one of them, and there are no graphs then.
const GRAPHS: &[&CStr] = &[
    c"cuStreamBeginCapture_v2",
    c"cuStreamEndCapture",
    c"cuGraphInstantiateWithFlags",
    c"cuGraphLaunch",
    c"cuGraphExecDestroy",
    c"cuGraphDestroy",
];

/// `cuEventElapsedTime`, which cudarc has under another name in each generation.
type ElapsedTime = unsafe extern "C" fn(*mut f32, cu::CUevent, cu::CUevent) -> c_int;

/// The driver, initialised.
pub(super) struct Library {
    /// Milliseconds between two events.
    pub(super) elapsed_time: ElapsedTime,
    /// The CUDA version the driver supports, major and minor.
    pub(super) version: (u32, u32),
    /// How many devices it lists.
    pub(super) devices: u32,
    /// Whether it has graphs.
    pub(super) graphs: bool,
    /// `cuLaunchKernelEx`, of CUDA 11.8 and later.
    pub(super) launch_ex: Option<LaunchEx>,
    /// `cuLibraryLoadData` and `cuLibraryGetModule`, of CUDA 12.0 and later.
    pub(super) load: Option<(LoadData, GetModule)>,
}

/// The driver of this machine.
///
/// # Errors
///
/// [`Error::DriverNotFound`], the same one at every call: a driver does not appear while a program runs.
pub(super) fn library() -> Result<&'static Library, Error> {
    static LIBRARY: OnceLock<Result<Library, Error>> = OnceLock::new();
    LIBRARY.get_or_init(open).as_ref().map_err(Error::clone)
}

fn open() -> Result<Library, Error> {
    let not_found = |why: String| Error::DriverNotFound { why };
    let library = find().map_err(not_found)?;
    for name in NEEDED {
        // SAFETY: the symbol is only looked for, neither read nor called.
        if unsafe { library.get::<*const ()>(name.to_bytes_with_nul()) }.is_err() {
            let name = name.to_string_lossy();
            return Err(not_found(format!(
                "the driver has no function `{name}`; it is older than CUDA 11.2"
            )));
        }
    }
    // SAFETY: the driver declares `CUresult cuEventElapsedTime(float *, CUevent, CUevent)`, and a CUresult is an int.
    let elapsed_time =
        *unsafe { library.get::<ElapsedTime>(c"cuEventElapsedTime".to_bytes_with_nul()) }
            .map_err(|e| not_found(e.to_string()))?;
    let graphs = GRAPHS.iter().all(|name| {
        // SAFETY: as above.
        unsafe { library.get::<*const ()>(name.to_bytes_with_nul()) }.is_ok()
    });
    // SAFETY: `LaunchEx` is how the driver declares it.
    let launch_ex = unsafe { library.get::<LaunchEx>(c"cuLaunchKernelEx".to_bytes_with_nul()) };
    let launch_ex = launch_ex.ok().map(|call| *call);
    // SAFETY: as there.
    let load = unsafe {
        let load_data = library.get::<LoadData>(c"cuLibraryLoadData".to_bytes_with_nul());
        let get_module = library.get::<GetModule>(c"cuLibraryGetModule".to_bytes_with_nul());
        load_data
            .ok()
            .zip(get_module.ok())
            .map(|(load, get)| (*load, *get))
    };
    // The library stays open for as long as the program runs, as cudarc's own handle does.
    std::mem::forget(library);
    read_compiler();

    // SAFETY: `cuInit` takes no memory.
    let started = unsafe { cu::cuInit(0) };
    let (mut version, mut devices) = (0, 0);
    // A driver without a GPU does not start; that is not for want of a driver.
    if started != CUresult::CUDA_ERROR_NO_DEVICE {
        check("cuInit", started).map_err(|error| match error {
            Error::Driver { status, .. } => {
                not_found(format!("it is there and does not start: {status}"))
            }
            other => other,
        })?;
        // SAFETY: both write one int.
        unsafe {
            check("cuDriverGetVersion", cu::cuDriverGetVersion(&mut version))?;
            check("cuDeviceGetCount", cu::cuDeviceGetCount(&mut devices))?;
        }
    }
    Ok(Library {
        elapsed_time,
        version: ((version / 1000) as u32, (version % 1000 / 10) as u32),
        devices: devices as u32,
        graphs,
        launch_ex,
        load,
    })
}

/// Reads the driver's compiler from disk while the driver starts, for the first kernel to find it in memory: 40 MB, which take 80 ms
/// where no process has read them since the machine started (H200 machine, 2026-11-22). Where it is not found, the
/// driver looks for it itself, later.
fn read_compiler() {
    let read = || {
        // What has been opened above says where the driver's files are.
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        let paths = maps.lines().filter_map(|line| line.split_once('/'));
        let mut found = paths.map(|(_, path)| Path::new("/").join(path));
        let driver = found.find(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("libcuda.so"))
        })?;
        let mut compiler =
            File::open(driver.with_file_name("libnvidia-ptxjitcompiler.so.1")).ok()?;
        io::copy(&mut compiler, &mut io::sink()).ok()
    };
    let thread = thread::Builder::new().name("accrue-read".to_owned());
    // Without a thread to spare it is read when it is needed.
    let _ = thread.spawn(read);
}

/// Opens the driver's library under one of the names by which cudarc looks for it.
fn find() -> Result<libloading::Library, String> {
    let names: &[&str] = if cfg!(windows) {
        &["nvcuda.dll"]
    } else {
        &["libcuda.so", "libcuda.so.1"]
    };
    let mut answers = Vec::new();
    for name in names {
        // SAFETY: the driver's library may be loaded by any program; its initialisers need nothing of ours.
        match unsafe { libloading::Library::new(*name) } {
            Ok(library) => return Ok(library),
            Err(e) => answers.push(e.to_string()),
        }
    }
    Err(answers.pop().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{GRAPHS, NEEDED};

    #[test]
    fn graphs_call_what_is_looked_for() {
        let text = include_str!("graphs.rs");
        for call in text.split("cu::cu").skip(1) {
            let end = call.find('(').unwrap();
            let name = format!("cu{}", &call[..end]);
            let known = GRAPHS.iter();
            assert!(
                known.clone().any(|f| f.to_bytes() == name.as_bytes()),
                "{name}"
            );
        }
    }

    #[test]
    fn every_function_that_is_called_is_looked_for_first() {
        let sources = [
            include_str!("calls.rs"),
            include_str!("device.rs"),
            include_str!("jit.rs"),
            include_str!("library.rs"),
            include_str!("mod.rs"),
            include_str!("status.rs"),
        ];
        let mut calls = 0;
        for call in sources.iter().flat_map(|text| text.split("cu::cu").skip(1)) {
            let end = call.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = format!("cu{}", &call[..end.unwrap_or(call.len())]);
            // What only begins so is a test's text, as above.
            if name != "cu" {
                let known = |needed: &&std::ffi::CStr| needed.to_bytes() == name.as_bytes();
                assert!(
                    NEEDED.iter().any(known),
                    "{name} is called and not looked for"
                );
                calls += 1;
            }
        }
        assert!(calls >= NEEDED.len() - 1, "{calls} calls were found");
    }
}
