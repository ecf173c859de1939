//! A CUDA driver without a GPU, for tests of what stands above it: `libcuda.so`, as far as accrue calls it.
//!
//! Memory is the host's, everything happens at once, and kernels do nothing. What it is strict about is what a driver is:
//! handles are good for the context they are of alone, and who uses one after a reset is told so and stopped; a kernel's
//! failure is the answer to every call until then; pinned memory goes with its context.
//!
//! `FAKE_CUDA_FAIL=name:k=status` has the call number `k` of a function, from 0, or with `*` every call, answer with a status. `FAKE_CUDA_LOG` names
//! a file for the calls, one name a line, and whether it was refused by that. `FAKE_CUDA_POOLS=0` is a device without memory pools,
//! `FAKE_CUDA_MEMORY` its bytes, `FAKE_CUDA_VERSION` the driver's version (12040),
//! `FAKE_CUDA_OTHERS` how many others in the process hold the primary context, `FAKE_CUDA_REFUSES=1` one that a fault takes from the
//! process for good, `FAKE_CUDA_NAME` its name: by default one whose speeds are known, so that nothing is measured. The compiler takes
//! `FAKE_CUDA_COMPILE_MS`, and is done with no text but the first before the file `FAKE_CUDA_COMPILE_UNTIL` is there. Where this library is
//! preloaded, threads with a name begin `FAKE_CUDA_THREAD_MS` late. A process that ends
//! with a text under way, or calls the driver after that, is stopped: the compiler is a library that is taken apart then.
#![allow(non_snake_case, reason = "the driver's own names")]
#![allow(clippy::missing_safety_doc, reason = "the driver's own rules")]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::Duration;

type Status = c_int;

/// `CUlaunchConfig`.
#[repr(C)]
pub struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: Handle,
    attributes: *const Attribute,
    count: c_uint,
}

/// `CUlaunchAttribute`, of a value of one word.
#[repr(C)]
pub struct Attribute {
    id: c_int,
    pad: [u8; 4],
    value: c_int,
    rest: [u8; 60],
}

type Handle = usize;

const SUCCESS: Status = 0;
const INVALID_VALUE: Status = 1;
const OUT_OF_MEMORY: Status = 2;
const INVALID_CONTEXT: Status = 201;
const CONTEXT_IS_DESTROYED: Status = 709;

/// The primary context, which is in one place for ever.
const CONTEXT: Handle = 0x1000;

unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        len: usize,
        prot: c_int,
        flags: c_int,
        fd: c_int,
        off: i64,
    ) -> *mut c_void;
    fn munmap(at: *mut c_void, len: usize) -> c_int;
    fn atexit(call: extern "C" fn()) -> c_int;
}

struct Driver {
    log: Option<File>,
    /// Function, number (none is every one), status.
    fail: Option<(String, Option<usize>, Status)>,
    calls: HashMap<&'static str, usize>,
    /// The call that is under way.
    name: &'static str,
    /// Counts resets.
    generation: usize,
    /// The generations before this one ended by somebody else in the process.
    destroyed: usize,
    retained: usize,
    /// The answer to every call, after a kernel has failed.
    sticky: Status,
    /// The last one of these.
    faulted: Status,
    handles: usize,
    /// Texts that do not wait for the kernels before them.
    impatient: usize,
    /// Bytes by address.
    memory: HashMap<usize, usize>,
    pinned: Vec<(usize, usize)>,
}

static DRIVER: LazyLock<Mutex<Driver>> = LazyLock::new(|| {
    let set = |name: &str| std::env::var(name).ok();
    let fail = set("FAKE_CUDA_FAIL").map(|text| {
        let (name, rest) = text.split_once(':').expect("name:k=status");
        let (number, status) = rest.split_once('=').expect("name:k=status");
        let number = (number != "*").then(|| number.parse().expect("a number"));
        (name.to_owned(), number, status.parse().expect("a status"))
    });
    Mutex::new(Driver {
        log: set("FAKE_CUDA_LOG").map(|path| File::create(path).expect("a log")),
        fail,
        calls: HashMap::new(),
        name: "",
        generation: 0,
        destroyed: 0,
        retained: setting("FAKE_CUDA_OTHERS", 0),
        sticky: SUCCESS,
        faulted: SUCCESS,
        handles: 0,
        impatient: 0,
        memory: HashMap::new(),
        pinned: Vec::new(),
    })
});

thread_local! {
    static CURRENT: RefCell<Vec<Handle>> = const { RefCell::new(Vec::new()) };
}

fn driver() -> MutexGuard<'static, Driver> {
    DRIVER.lock().expect("nothing panics in the driver")
}

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

impl Driver {
    /// Notes a call, which may have to fail.
    fn enter(&mut self, name: &'static str) -> Status {
        self.name = name;
        if GONE.load(Ordering::SeqCst) {
            self.stop("the process has ended");
        }
        let number = self.calls.entry(name).or_default();
        *number += 1;
        let status = match &self.fail {
            Some((failing, k, status))
                if failing == name && k.is_none_or(|k| k + 1 == *number) =>
            {
                *status
            }
            _ => SUCCESS,
        };
        match status {
            // Somebody else in the process has destroyed it.
            CONTEXT_IS_DESTROYED => {
                self.reset();
                self.destroyed = self.generation;
            }
            700..=719 if self.sticky == SUCCESS => {
                self.sticky = status;
                self.faulted = status;
            }
            _ => {}
        }
        if let Some(log) = &mut self.log {
            let refused = if status == SUCCESS { "" } else { " refused" };
            writeln!(log, "{name}{refused}").expect("the log can be written");
        }
        status
    }

    /// The same for a call in the current context.
    fn inside(&mut self, name: &'static str) -> Status {
        match self.enter(name) {
            SUCCESS if CURRENT.with_borrow(Vec::is_empty) => INVALID_CONTEXT,
            SUCCESS => self.sticky,
            status => status,
        }
    }

    fn handle(&mut self) -> Handle {
        self.handles += 1;
        self.generation << 32 | self.handles << 4
    }

    /// A real driver would follow a pointer here.
    fn check(&mut self, handle: Handle) {
        if handle >> 32 != self.generation || handle == 0 {
            self.stop("a handle of a context that is gone");
        }
    }

    /// The same for what a thread of its own compiles, which cannot know that somebody else has destroyed the context meanwhile.
    fn check_link(&mut self, link: Handle) -> Status {
        match link >> 32 {
            of if of < self.destroyed => CONTEXT_IS_DESTROYED,
            _ => {
                self.check(link);
                SUCCESS
            }
        }
    }

    fn check_memory(&mut self, at: usize, bytes: usize) {
        let inside = |(&start, &len): (&usize, &usize)| at >= start && at + bytes <= start + len;
        if !self.memory.iter().any(inside) {
            self.stop("memory that is not the device's");
        }
    }

    fn stop(&self, why: &str) -> ! {
        eprintln!("the fake driver: {}: {why}", self.name);
        std::process::abort()
    }

    fn allocate(&mut self, bytes: usize) -> Option<usize> {
        let held: usize = self.memory.values().sum();
        if held + bytes > setting("FAKE_CUDA_MEMORY", 1 << 30) {
            return None;
        }
        // SAFETY: the layout is not empty.
        let at = unsafe { alloc_zeroed(layout(bytes)) } as usize;
        self.memory.insert(at, bytes);
        Some(at)
    }

    fn free(&mut self, at: usize) {
        let Some(bytes) = self.memory.remove(&at) else {
            self.stop("what is not allocated")
        };
        // SAFETY: allocated above with this layout.
        unsafe { dealloc(at as *mut u8, layout(bytes)) }
    }

    fn reset(&mut self) {
        self.generation += 1;
        self.sticky = SUCCESS;
        for at in self.memory.keys().copied().collect::<Vec<_>>() {
            self.free(at);
        }
        for (at, bytes) in self.pinned.drain(..) {
            // SAFETY: mapped by `cuMemHostAlloc`.
            unsafe { munmap(at as *mut c_void, bytes) };
        }
    }
}

/// Texts that are being compiled, and whether the process has come to its end.
static COMPILING: AtomicUsize = AtomicUsize::new(0);
static GONE: AtomicBool = AtomicBool::new(false);

extern "C" fn end() {
    GONE.store(true, Ordering::SeqCst);
    if COMPILING.load(Ordering::SeqCst) > 0 {
        eprintln!("the fake driver: the process ends in the compiler");
        std::process::abort();
    }
}

/// What the compiler takes for a text: other threads' calls go on meanwhile.
fn compile(number: usize) {
    COMPILING.fetch_add(1, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(setting("FAKE_CUDA_COMPILE_MS", 0) as u64));
    if let (Ok(file), true) = (std::env::var("FAKE_CUDA_COMPILE_UNTIL"), number > 1) {
        let mut turns = 0;
        while !Path::new(&file).exists() {
            turns += 1;
            if turns > 60_000 {
                eprintln!("the fake driver: {file} does not come");
                std::process::abort();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    COMPILING.fetch_sub(1, Ordering::SeqCst);
}

/// The C library's, which a thread calls before what it is there for.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_setname_np(_thread: usize, _name: *const c_char) -> c_int {
    std::thread::sleep(Duration::from_millis(setting("FAKE_CUDA_THREAD_MS", 0) as u64));
    0
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes.max(1), 256).expect("a size")
}

/// Defines functions of the driver: a call that fails says so before its body runs.
macro_rules! functions {
    ($($kind:ident fn $name:ident($driver:ident $(, $arg:ident: $type:ty)*) $body:block)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> Status {
            #[allow(unused_mut, reason = "some bodies change nothing")]
            let mut $driver = driver();
            match $driver.$kind(stringify!($name)) {
                SUCCESS => {}
                status => return status,
            }
            // SAFETY: the caller of a driver passes good pointers.
            #[allow(unused_unsafe, reason = "some bodies touch none")]
            unsafe { $body }
            #[allow(unreachable_code, reason = "some bodies return")]
            SUCCESS
        }
    )*};
}

functions! {
    enter fn cuInit(d, _flags: c_uint) { atexit(end); }
    enter fn cuDriverGetVersion(d, version: *mut c_int) { *version = setting("FAKE_CUDA_VERSION", 12040) as c_int; }
    enter fn cuDeviceGetCount(d, count: *mut c_int) { *count = 1; }
    enter fn cuDeviceGet(d, device: *mut c_int, ordinal: c_int) { *device = ordinal; }
    enter fn cuDeviceGetName(d, to: *mut c_char, _len: c_int, _device: c_int) {
        let name = std::env::var("FAKE_CUDA_NAME").unwrap_or_else(|_| "NVIDIA H200".to_owned());
        to.copy_from_nonoverlapping(name.as_ptr().cast(), name.len());
    }
    enter fn cuDeviceTotalMem_v2(d, bytes: *mut usize, _device: c_int) {
        *bytes = setting("FAKE_CUDA_MEMORY", 1 << 30);
    }
    enter fn cuDeviceGetAttribute(d, value: *mut c_int, which: c_int, _device: c_int) {
        *value = match which {
            1 => 1024,            // threads of a block
            8 => 48 << 10,        // shared memory of a block
            16 => 132,            // multiprocessors
            38 => 50 << 20,       // last-level cache
            39 => 2048,           // threads of a multiprocessor
            75 => 9,              // compute capability
            81 => 228 << 10,      // shared memory of a multiprocessor
            97 => 227 << 10,      // shared memory that a block may opt in to
            106 => 32,            // blocks of a multiprocessor
            111 => 1 << 10,       // reserved shared memory of a block
            115 => setting("FAKE_CUDA_POOLS", 1) as c_int,
            _ => 0,
        };
    }
    enter fn cuDevicePrimaryCtxRetain(d, context: *mut Handle, _device: c_int) {
        if d.faulted != SUCCESS && setting("FAKE_CUDA_REFUSES", 0) == 1 {
            return d.faulted;
        }
        d.retained += 1;
        *context = CONTEXT;
    }
    enter fn cuDevicePrimaryCtxRelease_v2(d, _device: c_int) {
        if d.retained == 0 {
            d.stop("the primary context is released more often than retained");
        }
        d.retained -= 1;
        if d.retained == 0 {
            d.reset();
        }
    }
    enter fn cuDevicePrimaryCtxReset_v2(d, _device: c_int) { d.reset(); }
    enter fn cuDevicePrimaryCtxGetState(d, _device: c_int, flags: *mut c_uint, active: *mut c_int) {
        *flags = 0;
        *active = c_int::from(d.retained > 0);
    }
    enter fn cuCtxGetCurrent(d, context: *mut Handle) {
        *context = CURRENT.with_borrow(|stack| stack.last().copied().unwrap_or(0));
    }
    enter fn cuCtxPushCurrent_v2(d, context: Handle) {
        CURRENT.with_borrow_mut(|stack| stack.push(context));
    }
    enter fn cuCtxPopCurrent_v2(d, context: *mut Handle) {
        let popped = CURRENT.with_borrow_mut(Vec::pop);
        *context = popped.unwrap_or_else(|| d.stop("no context to pop"));
    }
    inside fn cuMemGetInfo_v2(d, free: *mut usize, total: *mut usize) {
        *total = setting("FAKE_CUDA_MEMORY", 1 << 30);
        *free = *total - d.memory.values().sum::<usize>();
    }
    inside fn cuMemAlloc_v2(d, at: *mut usize, bytes: usize) {
        match d.allocate(bytes) {
            Some(found) => *at = found,
            None => return OUT_OF_MEMORY,
        }
    }
    inside fn cuMemFree_v2(d, at: usize) { d.free(at); }
    inside fn cuMemPoolCreate(d, pool: *mut Handle, properties: *const [c_int; 4]) {
        if *properties != [1, 0, 1, 0] {
            return INVALID_VALUE;
        }
        *pool = d.handle();
    }
    inside fn cuMemPoolDestroy(d, pool: Handle) { d.check(pool); }
    inside fn cuMemPoolSetAttribute(d, pool: Handle, _which: c_int, _value: *mut c_void) {
        d.check(pool);
    }
    inside fn cuMemPoolTrimTo(d, pool: Handle, _keep: usize) { d.check(pool); }
    inside fn cuMemAllocFromPoolAsync(d, at: *mut usize, bytes: usize, pool: Handle, stream: Handle) {
        d.check(pool);
        d.check(stream);
        match d.allocate(bytes) {
            Some(found) => *at = found,
            None => return OUT_OF_MEMORY,
        }
    }
    inside fn cuMemFreeAsync(d, at: usize, stream: Handle) {
        d.check(stream);
        d.free(at);
    }
    inside fn cuMemHostAlloc(d, at: *mut usize, bytes: usize, _flags: c_uint) {
        // Private, anonymous, to be read and written.
        let mapped = mmap(std::ptr::null_mut(), bytes, 3, 0x22, -1, 0) as usize;
        d.pinned.push((mapped, bytes));
        *at = mapped;
    }
    inside fn cuMemcpyHtoDAsync_v2(d, to: usize, from: *const u8, bytes: usize, stream: Handle) {
        d.check(stream);
        d.check_memory(to, bytes);
        from.copy_to(to as *mut u8, bytes);
    }
    inside fn cuMemcpyDtoHAsync_v2(d, to: *mut u8, from: usize, bytes: usize, stream: Handle) {
        d.check(stream);
        d.check_memory(from, bytes);
        to.copy_from(from as *const u8, bytes);
    }
    inside fn cuMemcpyDtoDAsync_v2(d, to: usize, from: usize, bytes: usize, stream: Handle) {
        d.check(stream);
        d.check_memory(from, bytes);
        d.check_memory(to, bytes);
        (from as *const u8).copy_to(to as *mut u8, bytes);
    }
    inside fn cuMemsetD8Async(d, to: usize, value: u8, count: usize, stream: Handle) {
        d.check(stream);
        d.check_memory(to, count);
        (to as *mut u8).write_bytes(value, count);
    }
    inside fn cuMemsetD32Async(d, to: usize, value: u32, count: usize, stream: Handle) {
        d.check(stream);
        d.check_memory(to, 4 * count);
        std::slice::from_raw_parts_mut(to as *mut u32, count).fill(value);
    }
    inside fn cuLinkCreate_v2(d, _count: c_uint, _options: *mut c_int, _values: *mut *mut c_void, link: *mut Handle) {
        *link = d.handle();
    }
    inside fn cuLinkAddData_v2(d, link: Handle, _kind: c_int, text: *const u8, bytes: usize, _name: *const c_char,
        _count: c_uint, _options: *mut c_int, _values: *mut *mut c_void) {
        if *text.add(bytes - 1) != 0 {
            return INVALID_VALUE;
        }
        let text = String::from_utf8_lossy(std::slice::from_raw_parts(text, bytes));
        d.impatient += usize::from(!text.contains("griddepcontrol.wait;"));
        return d.check_link(link);
    }
    inside fn cuLinkComplete(d, link: Handle, image: *mut *const u8, bytes: *mut usize) {
        if d.check_link(link) != SUCCESS {
            return CONTEXT_IS_DESTROYED;
        }
        let number = d.calls["cuLinkComplete"];
        drop(d);
        compile(number);
        *image = b"an image".as_ptr();
        *bytes = 8;
        // We do not reset the device under it.
        return driver().check_link(link);
    }
    inside fn cuLinkDestroy(d, link: Handle) { return d.check_link(link); }
    inside fn cuModuleLoadData(d, module: *mut Handle, image: *const u8) {
        if std::slice::from_raw_parts(image, 8) != b"an image" {
            return INVALID_VALUE;
        }
        *module = d.handle();
    }
    inside fn cuModuleGetFunction(d, function: *mut Handle, module: Handle, _name: *const c_char) {
        d.check(module);
        *function = d.handle();
    }
    inside fn cuFuncGetAttribute(d, value: *mut c_int, _which: c_int, function: Handle) {
        d.check(function);
        *value = 0;
    }
    inside fn cuFuncSetAttribute(d, function: Handle, _which: c_int, _value: c_int) {
        d.check(function);
    }
    inside fn cuOccupancyMaxActiveBlocksPerMultiprocessor(d, blocks: *mut c_int, function: Handle, _block: c_int,
        _shared: usize) {
        d.check(function);
        *blocks = 2;
    }
    inside fn cuLaunchKernel(d, function: Handle, grid: c_uint, _y: c_uint, _z: c_uint, block: c_uint, _by: c_uint,
        _bz: c_uint, _shared: c_uint, stream: Handle, _params: *mut *mut c_void, _extra: *mut *mut c_void) {
        d.check(function);
        d.check(stream);
        if grid == 0 || block == 0 {
            return INVALID_VALUE;
        }
    }
    inside fn cuLaunchKernelEx(d, config: *const Config, function: Handle, _params: *mut *mut c_void, _extra: *mut *mut c_void) {
        let config = &*config;
        d.check(function);
        d.check(config.stream);
        let sizes = [config.grid, config.block].concat();
        if sizes.contains(&0) || config.count != 1 || [(*config.attributes).id, (*config.attributes).value] != [6, 1] {
            return INVALID_VALUE;
        }
        if d.impatient > 0 {
            d.stop("a kernel that does not wait begins beside another");
        }
    }
    inside fn cuStreamCreate(d, stream: *mut Handle, _flags: c_uint) { *stream = d.handle(); }
    inside fn cuStreamDestroy_v2(d, stream: Handle) { d.check(stream); }
    inside fn cuStreamSynchronize(d, stream: Handle) { d.check(stream); }
    inside fn cuStreamWaitEvent(d, stream: Handle, event: Handle, _flags: c_uint) {
        d.check(stream);
        d.check(event);
    }
    inside fn cuEventCreate(d, event: *mut Handle, _flags: c_uint) { *event = d.handle(); }
    inside fn cuEventRecord(d, event: Handle, stream: Handle) {
        d.check(event);
        d.check(stream);
    }
    inside fn cuEventSynchronize(d, event: Handle) { d.check(event); }
    inside fn cuEventDestroy_v2(d, event: Handle) { d.check(event); }
    inside fn cuEventElapsedTime(d, milliseconds: *mut f32, from: Handle, to: Handle) {
        d.check(from);
        d.check(to);
        *milliseconds = 0.25;
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(_status: Status, text: *mut *const c_char) -> Status {
    // SAFETY: the caller's pointer is good.
    unsafe { *text = c"CUDA_ERROR_FAKE".as_ptr() };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(status: Status, text: *mut *const c_char) -> Status {
    let words = match status {
        700..=719 => c"a kernel has failed",
        OUT_OF_MEMORY => c"no memory",
        _ => c"as it was asked for",
    };
    // SAFETY: the caller's pointer is good.
    unsafe { *text = words.as_ptr() };
    SUCCESS
}
