//! The few calls of the CUDA driver that running a kernel takes, found at run time.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

use super::gpu::{Arg, Gpu};

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `call!(library, "name", parameter: Type = value, ..)`: calls the function of the driver and checks that it succeeds.
macro_rules! call {
    ($library:expr, $name:literal $(, $type:ty = $value:expr)* $(,)?) => {{
        // SAFETY: the library is open and the name ends in a zero.
        let function = unsafe { dlsym($library, concat!($name, "\0").as_ptr().cast()) };
        assert!(!function.is_null(), "the driver has no {}", $name);
        // SAFETY: the types are those of cuda.h for this name, and callers keep what they point to alive.
        let status = unsafe {
            let function: unsafe extern "C" fn($($type),*) -> c_int = std::mem::transmute(function);
            function($($value),*)
        };
        assert_eq!(status, 0, "{} failed", $name);
    }};
}

/// The first device of the machine.
pub(crate) struct Cuda {
    driver: *mut c_void,
    modules: HashMap<String, *mut c_void>,
}

impl Cuda {
    /// Opens the driver and the device.
    pub(crate) fn open() -> Cuda {
        const NOW: c_int = 2;
        // SAFETY: the name is a C string; the library runs no code that could do harm when it is loaded.
        let driver = unsafe { dlopen(c"libcuda.so.1".as_ptr(), NOW) };
        assert!(!driver.is_null(), "there is no NVIDIA driver");
        let mut context: *mut c_void = std::ptr::null_mut();
        call!(driver, "cuInit", c_uint = 0);
        call!(driver, "cuDevicePrimaryCtxRetain", *mut *mut c_void = &mut context, c_int = 0);
        call!(driver, "cuCtxSetCurrent", *mut c_void = context);
        Cuda {
            driver,
            modules: HashMap::new(),
        }
    }

    fn module(&mut self, ptx: &str) -> *mut c_void {
        if let Some(&module) = self.modules.get(ptx) {
            return module;
        }
        let text = CString::new(ptx).expect("PTX has no zeros");
        let mut module: *mut c_void = std::ptr::null_mut();
        call!(
            self.driver,
            "cuModuleLoadData",
            *mut *mut c_void = &mut module,
            *const c_void = CStr::as_ptr(&text).cast(),
        );
        self.modules.insert(ptx.to_owned(), module);
        module
    }
}

impl Gpu for Cuda {
    fn run<const N: usize>(
        &mut self,
        ptx: &str,
        entry: &str,
        grid: u32,
        block: u32,
        args: [Arg; N],
    ) -> [Arg; N] {
        type Parameters = *mut *mut c_void;
        let (module, driver) = (self.module(ptx), self.driver);
        let name = CString::new(entry).expect("an entry's name has no zeros");
        let mut function: *mut c_void = std::ptr::null_mut();
        call!(
            driver,
            "cuModuleGetFunction",
            *mut *mut c_void = &mut function,
            *mut c_void = module,
            *const c_char = name.as_ptr(),
        );
        let mut slots = args.each_ref().map(|arg| match arg {
            Arg::Value(value) => *value,
            Arg::Memory(bytes) => {
                let mut address = 0;
                call!(driver, "cuMemAlloc_v2", *mut u64 = &mut address, usize = bytes.len());
                let (from, size) = (bytes.as_ptr().cast(), bytes.len());
                call!(driver, "cuMemcpyHtoD_v2", u64 = address, *const c_void = from, usize = size);
                address
            }
        });
        let mut parameters = slots
            .each_mut()
            .map(|slot| std::ptr::from_mut(slot).cast::<c_void>());
        call!(
            driver,
            "cuLaunchKernel",
            *mut c_void = function,
            c_uint = grid,
            c_uint = 1,
            c_uint = 1,
            c_uint = block,
            c_uint = 1,
            c_uint = 1,
            c_uint = 0,
            *mut c_void = std::ptr::null_mut(),
            Parameters = parameters.as_mut_ptr(),
            Parameters = std::ptr::null_mut(),
        );
        call!(driver, "cuCtxSynchronize");
        let mut slots = slots.into_iter();
        args.map(|arg| match (arg, slots.next()) {
            (Arg::Memory(mut bytes), Some(address)) => {
                let (to, size) = (bytes.as_mut_ptr().cast(), bytes.len());
                call!(driver, "cuMemcpyDtoH_v2", *mut c_void = to, u64 = address, usize = size);
                call!(driver, "cuMemFree_v2", u64 = address);
                Arg::Memory(bytes)
            }
            (arg, _) => arg,
        })
    }
}
