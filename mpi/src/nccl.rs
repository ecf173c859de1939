//! NCCL, loaded at run time: the all-reduce of numbers in the memory of GPUs.
//!
//! The library is looked for by the name that every NCCL 2 has, which cudarc's loader does not try. What is declared here is of NVIDIA's documentation of NCCL 2,
//! "Communicator Creation" and "Collective Communication Functions".

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use accrue::collective::{Op, Values};
use libloading::Library;

/// `ncclUniqueId`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Id(pub(crate) [u8; 128]);

type Comm = *mut c_void;

/// The functions that are used.
struct Functions {
    get_unique_id: unsafe extern "C" fn(*mut Id) -> c_int,
    comm_init_rank: unsafe extern "C" fn(*mut Comm, c_int, Id, c_int) -> c_int,
    comm_destroy: unsafe extern "C" fn(Comm) -> c_int,
    all_reduce: unsafe extern "C" fn(
        *const c_void,
        *mut c_void,
        usize,
        c_int,
        c_int,
        Comm,
        *mut c_void,
    ) -> c_int,
    error_string: unsafe extern "C" fn(c_int) -> *const c_char,
    _library: Library,
}

fn load() -> Result<Functions, String> {
    let names = ["libnccl.so.2", "libnccl.so"];
    let mut failed = Vec::new();
    for name in names {
        // SAFETY: NCCL does nothing when it is loaded that this process could not do with it linked.
        match unsafe { Library::new(name) } {
            Err(e) => failed.push(why(&e)),
            // SAFETY: each symbol has the type that NCCL documents, and the library is kept beside them.
            Ok(library) => return unsafe { functions(library) }.map_err(|e| why(&e)),
        }
    }
    Err(format!("it is not there: {}", failed.join("; ")))
}

/// What the loader says, which its error keeps behind what was done.
fn why(error: &libloading::Error) -> String {
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), ToString::to_string)
}

/// # Safety
///
/// The library is NCCL 2.
unsafe fn functions(library: Library) -> Result<Functions, libloading::Error> {
    // SAFETY: the caller's promise; the types are NCCL's.
    unsafe {
        Ok(Functions {
            get_unique_id: *library.get(b"ncclGetUniqueId\0")?,
            comm_init_rank: *library.get(b"ncclCommInitRank\0")?,
            comm_destroy: *library.get(b"ncclCommDestroy\0")?,
            all_reduce: *library.get(b"ncclAllReduce\0")?,
            error_string: *library.get(b"ncclGetErrorString\0")?,
            _library: library,
        })
    }
}

/// The library, loaded once.
#[derive(Clone, Copy)]
pub(crate) struct Nccl(&'static Functions);

impl Nccl {
    /// It, or why it is not there.
    pub(crate) fn get() -> Result<Nccl, String> {
        static LOADED: OnceLock<Result<Functions, String>> = OnceLock::new();
        LOADED
            .get_or_init(load)
            .as_ref()
            .map(Nccl)
            .map_err(String::clone)
    }

    fn check(self, call: &str, status: c_int) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: it returns a string that lives as long as the library.
        let text = unsafe { CStr::from_ptr((self.0.error_string)(status)) };
        Err(format!("{call}: {}", text.to_string_lossy()))
    }

    /// What one rank gives all others for them to meet.
    pub(crate) fn unique_id(self) -> Result<Id, String> {
        let mut id = Id([0; 128]);
        // SAFETY: it writes one id.
        let status = unsafe { (self.0.get_unique_id)(&mut id) };
        self.check("ncclGetUniqueId", status).map(|()| id)
    }

    /// Meets the others, on the device whose context is current.
    pub(crate) fn meet(self, id: Id, rank: usize, size: usize) -> Result<Communicator, String> {
        let mut comm = std::ptr::null_mut();
        // SAFETY: it writes one communicator.
        let status =
            unsafe { (self.0.comm_init_rank)(&mut comm, size as c_int, id, rank as c_int) };
        self.check("ncclCommInitRank", status)
            .map(|()| Communicator { nccl: self, comm })
    }
}

/// The ranks' GPUs, as NCCL knows them.
pub(crate) struct Communicator {
    nccl: Nccl,
    comm: Comm,
}

impl Communicator {
    /// Queues the all-reduce, in place.
    ///
    /// # Safety
    ///
    /// There are `len` numbers of the type of `like` at `at`, in the memory of the communicator's device, whose context is current, and `stream` is one of that
    /// context. Nobody else uses them before the stream has done it.
    pub(crate) unsafe fn all_reduce(
        &self,
        at: u64,
        len: usize,
        like: &Values<'_>,
        op: Op,
        stream: *mut c_void,
    ) -> Result<(), String> {
        let (datatype, op) = names(like, op).expect("it is asked first");
        let at = at as *mut c_void;
        // SAFETY: the caller's promise.
        let status =
            unsafe { (self.nccl.0.all_reduce)(at, at, len, datatype, op, self.comm, stream) };
        self.nccl.check("ncclAllReduce", status)
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        // Where this rank panics, the others may be gone, and nobody waits for them.
        if !std::thread::panicking() {
            // SAFETY: it is this one's own, and nothing is under way: whoever reduces waits for the stream.
            unsafe { (self.nccl.0.comm_destroy)(self.comm) };
        }
    }
}

/// `ncclDataType_t` and `ncclRedOp_t`; `None` for what NCCL does not have or leaves open: bits, sums that saturate, and where `min` and `max` of floats meet
/// NaN.
pub(crate) fn names(like: &Values<'_>, op: Op) -> Option<(c_int, c_int)> {
    const SUM: c_int = 0;
    const PRODUCT: c_int = 1;
    const MAX: c_int = 2;
    const MIN: c_int = 3;
    let (datatype, is_float) = match like {
        Values::I8(_) => (0, false),
        Values::U8(_) => (1, false),
        Values::I32(_) => (2, false),
        Values::U32(_) => (3, false),
        Values::I64(_) | Values::Isize(_) => (4, false),
        Values::U64(_) | Values::Usize(_) => (5, false),
        Values::F32(_) => (7, true),
        Values::F64(_) => (8, true),
        Values::Bool(_) => {
            // Bytes of 0 and 1.
            let op = match op {
                Op::And => MIN,
                Op::Or => MAX,
                _ => return None,
            };
            return Some((1, op));
        }
        Values::I16(_) | Values::U16(_) | Values::I128(_) | Values::U128(_) => return None,
    };
    let op = match op {
        Op::Add | Op::Sub => SUM,
        Op::Mul => PRODUCT,
        Op::Min if !is_float => MIN,
        Op::Max if !is_float => MAX,
        _ => return None,
    };
    Some((datatype, op))
}
