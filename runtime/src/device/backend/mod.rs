//! What the runtime asks of a device: memory, copies, kernels, waiting.
//!
//! Four implementations: the host's own memory ([`host`], which has no kernels and lets buffers exist on
//! any machine), the CUDA driver (`cuda`), the simulator (`sim`), and, for tests, one that injects faults
//! below any of the others (`faulty`). Everything above this trait is the same for all.

use std::fmt;
use std::marker::PhantomData;

use crate::base::device::Device;
use crate::base::error::Error;

/// What a [`Backend`] does about streams and events whose calls are done when they return: nothing waits, memory is the host's, and nothing
/// is lost. `self.start` is when its clock began.
macro_rules! at_once {
    () => {
        fn create_stream(&self) -> Result<StreamId, Error> {
            Ok(StreamId(0))
        }

        fn destroy_stream(&self, _stream: StreamId) {}

        fn sync(&self, _stream: StreamId) -> Result<(), Error> {
            Ok(())
        }

        fn record(&self, _stream: StreamId) -> Result<EventId, Error> {
            Ok(EventId(self.start.elapsed().as_nanos() as u64))
        }

        fn wait(&self, _stream: StreamId, _event: EventId) -> Result<(), Error> {
            Ok(())
        }

        fn reach(&self, _event: EventId) -> Result<(), Error> {
            Ok(())
        }

        fn elapsed(&self, from: EventId, to: EventId) -> Result<f64, Error> {
            Ok(Duration::from_nanos(to.0.saturating_sub(from.0)).as_secs_f64())
        }

        fn forget(&self, _event: EventId) {}

        fn pin(&self, _bytes: usize) -> Option<*mut u8> {
            None
        }

        fn image_target(&self) -> Option<String> {
            None
        }

        fn loss(&self) -> Option<Loss> {
            None
        }
    };
}
pub(crate) use at_once;

#[cfg(feature = "cuda")]
pub(crate) mod cuda;
#[cfg(all(test, feature = "sim"))]
pub(crate) mod faulty;
#[cfg(feature = "cuda")]
pub(crate) mod gate;
pub(crate) mod host;
#[cfg(feature = "sim")]
pub(crate) mod sim;

/// An address in a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ptr(pub(crate) u64);

impl Ptr {
    /// The address `bytes` further on. An array of which a part is there may begin below the first address.
    pub(crate) fn offset(self, bytes: u64) -> Ptr {
        Ptr(self.0.wrapping_add(bytes))
    }
}

/// A queue of a device: what is put on it happens in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StreamId(pub(crate) u64);

/// A moment on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EventId(pub(crate) u64);

/// A loaded module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ModuleId(pub(crate) u64);

/// A kernel of a loaded module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FunctionId(pub(crate) u64);

/// What is fixed about a device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Limits {
    /// The maker's name of the chip.
    pub(crate) name: String,
    /// Compute capability, major and minor.
    pub(crate) capability: (u32, u32),
    /// The CUDA version that the driver supports, major and minor.
    pub(crate) driver: (u32, u32),
    /// Multiprocessors.
    pub(crate) sms: u32,
    /// Threads that a multiprocessor holds.
    pub(crate) threads_per_sm: u32,
    /// Threads that a block may have.
    pub(crate) threads_per_block: u32,
    /// Blocks that a multiprocessor holds.
    pub(crate) blocks_per_sm: u32,
    /// Bytes of shared memory that a block has without asking.
    pub(crate) shared_default: u32,
    /// Bytes of shared memory that a block may ask for.
    pub(crate) shared_optin: u32,
    /// Bytes of shared memory of a multiprocessor.
    pub(crate) shared_per_sm: u32,
    /// Bytes of shared memory that the system takes from every block.
    pub(crate) shared_reserved: u32,
    /// Bytes of the last-level cache.
    pub(crate) l2_bytes: u64,
    /// Bytes of device memory.
    pub(crate) memory: u64,
}

/// A module as text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// The kernel it is known by in errors.
    pub(crate) name: &'a str,
    /// The PTX.
    pub(crate) ptx: &'a str,
}

/// A kernel's start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'a> {
    /// The kernel.
    pub(crate) function: FunctionId,
    /// Its name, for errors.
    pub(crate) name: &'a str,
    /// Blocks.
    pub(crate) grid: u32,
    /// Threads of a block.
    pub(crate) block: u32,
    /// Bytes of dynamic shared memory.
    pub(crate) shared: u32,
    /// The arguments, each in the low bytes of a slot.
    pub(crate) params: &'a [u64],
    /// Whether they are one parameter, made of all slots.
    pub(crate) is_block: bool,
}

/// Something that calls put on a stream.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A kernel's start.
    Launch {
        function: FunctionId,
        name: String,
        grid: u32,
        block: u32,
        shared: u32,
        params: Vec<u64>,
    },
    /// Memory that is filled.
    Fill { to: Ptr, word: u32, bytes: u64 },
}

/// Steps of which the device has made one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GraphId(pub(crate) u64);

/// Puts steps on a stream, one by one.
///
/// # Safety
///
/// As of [`Backend::launch`] and [`Backend::fill`], of each.
pub(crate) unsafe fn issue(
    backend: &dyn Backend,
    stream: StreamId,
    steps: &[Step],
) -> Result<(), Error> {
    for step in steps {
        // SAFETY: the caller's promise.
        unsafe {
            match step {
                Step::Launch {
                    function,
                    name,
                    grid,
                    block,
                    shared,
                    params,
                } => backend.launch(
                    stream,
                    &Launch {
                        function: *function,
                        name,
                        grid: *grid,
                        block: *block,
                        shared: *shared,
                        params,
                        is_block: false,
                    },
                )?,
                Step::Fill { to, word, bytes } => backend.fill(stream, *to, *word, *bytes)?,
            }
        }
    }
    Ok(())
}

/// How a context came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// A kernel, or the device, has failed; what is left of the context answers every call with that.
    Failed,
    /// Somebody else in the process has destroyed it.
    #[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "others own theirs"))]
    Destroyed,
}

/// Keeps what [`Backend::pin`] has given where it is.
#[derive(Debug, Default)]
pub(crate) struct Hold<'a> {
    #[cfg(feature = "cuda")]
    _inside: Option<gate::Inside<'a>>,
    _backend: PhantomData<&'a ()>,
}

#[cfg(feature = "cuda")]
impl<'a> Hold<'a> {
    /// One that lasts as long as somebody is inside.
    pub(crate) fn of(inside: gate::Inside<'a>) -> Hold<'a> {
        Hold {
            _inside: Some(inside),
            _backend: PhantomData,
        }
    }
}

/// A device.
///
/// Calls that take a stream are queued on it and may fail later, at [`Backend::sync`]; work of different
/// streams is unordered.
///
/// # Safety of the unsafe calls
///
/// Device addresses must come from [`Backend::allocate`] of the same backend and be good for the bytes
/// named. Host memory must stay valid, and for downloads untouched, until the stream is synchronised. A kernel
/// must touch only memory that its arguments give it.
pub(crate) trait Backend: Send + Sync + fmt::Debug {
    /// Which device this is.
    fn device(&self) -> Device;

    /// What is fixed about it.
    fn limits(&self) -> &Limits;

    /// Free bytes of device memory.
    fn free_memory(&self) -> Result<u64, Error>;

    /// Takes memory, aligned to 256 bytes, usable by work queued on the stream from now on.
    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<Ptr, Error>;

    /// Gives memory back after the work queued on the stream so far.
    ///
    /// # Safety
    ///
    /// The memory is from `allocate` with the same size and is not used again; other streams are done with it.
    unsafe fn free(&self, stream: StreamId, ptr: Ptr, bytes: u64);

    /// Host to device.
    ///
    /// # Safety
    ///
    /// As the trait says.
    unsafe fn upload(
        &self,
        stream: StreamId,
        to: Ptr,
        from: *const u8,
        bytes: u64,
    ) -> Result<(), Error>;

    /// Device to host.
    ///
    /// # Safety
    ///
    /// As the trait says.
    unsafe fn download(
        &self,
        stream: StreamId,
        to: *mut u8,
        from: Ptr,
        bytes: u64,
    ) -> Result<(), Error>;

    /// Device to the same device; the ranges do not overlap.
    ///
    /// # Safety
    ///
    /// As the trait says.
    unsafe fn copy(&self, stream: StreamId, to: Ptr, from: Ptr, bytes: u64) -> Result<(), Error>;

    /// Repeats a word of 32 bits, little end first; `bytes` is a multiple of 4 or the word's bytes are equal.
    ///
    /// # Safety
    ///
    /// As the trait says.
    unsafe fn fill(&self, stream: StreamId, to: Ptr, word: u32, bytes: u64) -> Result<(), Error>;

    /// Compiles text for this device. The image can be given to [`Backend::load`] of the same device and
    /// driver, today or later.
    fn compile(&self, source: Source<'_>) -> Result<Vec<u8>, Error>;

    /// Loads what [`Backend::compile`] made, which may be the text, for the driver to compile and keep.
    fn load(&self, name: &str, image: &[u8]) -> Result<ModuleId, Error>;

    /// Whether it keeps what comes of texts itself, so that there are no images to be kept.
    fn keeps_images(&self) -> bool {
        false
    }

    /// The kernel of a name, ready for as much dynamic shared memory as the device allows.
    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId, Error>;

    /// How many blocks of a kernel a multiprocessor holds at once.
    fn blocks_per_sm(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32, Error>;

    /// Wishes that so much of a multiprocessor's shared memory, in percent, is set aside while a kernel runs. What is left is
    /// its first-level cache.
    fn prefer_shared(&self, function: FunctionId, percent: u32) -> Result<(), Error>;

    /// Starts a kernel.
    ///
    /// # Safety
    ///
    /// As the trait says; the slots are the kernel's parameters in order.
    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error>;

    /// Makes one thing of steps that follow each other; `None` where putting them on a stream one by one costs no more.
    ///
    /// # Safety
    ///
    /// As the trait says, whenever it is put on a stream.
    unsafe fn graph(&self, _steps: &[Step]) -> Result<Option<GraphId>, Error> {
        Ok(None)
    }

    /// Puts it on a stream.
    ///
    /// # Safety
    ///
    /// It is of this backend, and not forgotten.
    unsafe fn launch_graph(&self, _stream: StreamId, _graph: GraphId) -> Result<(), Error> {
        unreachable!("no graph has been made")
    }

    /// Forgets it. What has been put on streams goes on.
    fn forget_graph(&self, _graph: GraphId) {}

    /// A new stream.
    fn create_stream(&self) -> Result<StreamId, Error>;

    /// Ends a stream, after its work.
    fn destroy_stream(&self, stream: StreamId);

    /// Waits for all work of a stream and reports the first failure of it.
    fn sync(&self, stream: StreamId) -> Result<(), Error>;

    /// Marks the present end of a stream.
    fn record(&self, stream: StreamId) -> Result<EventId, Error>;

    /// Has later work of the stream wait for the event.
    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), Error>;

    /// Waits until the device has reached the event.
    fn reach(&self, event: EventId) -> Result<(), Error>;

    /// Seconds of the device between two events; waits for the later one.
    fn elapsed(&self, from: EventId, to: EventId) -> Result<f64, Error>;

    /// Forgets an event.
    fn forget(&self, event: EventId);

    /// Host memory that copies of this device are fast from and to; `None` where none is special. It is never given back,
    /// but where the context is lost it goes when the device is opened anew: it is touched under a [`Hold`] alone.
    fn pin(&self, bytes: usize) -> Option<*mut u8>;

    /// While it lives, the device is not opened anew.
    ///
    /// # Errors
    ///
    /// What has destroyed the context.
    fn hold(&self) -> Result<Hold<'_>, Error> {
        Ok(Hold::default())
    }

    /// Calls what uses the device without us, with its primary context current.
    ///
    /// # Errors
    ///
    /// What has destroyed the context.
    fn with_current(&self, call: &mut dyn FnMut()) -> Result<(), Error> {
        let _hold = self.hold()?;
        call();
        Ok(())
    }

    /// Whether a CUDA context is the device's own, the primary one.
    #[cfg(any(feature = "cudarc", feature = "cust"))]
    fn is_context(&self, _handle: u64) -> bool {
        false
    }

    /// What an image of [`Backend::compile`] is good for besides the text: the chip's target and the driver. `None`
    /// where compiling costs nothing, so that images are not kept on disk.
    fn image_target(&self) -> Option<String>;

    /// Whether what the device held is gone, and how. Every call is refused from then on, and the device must be opened
    /// anew, after [`Backend::wait_until_left`].
    fn loss(&self) -> Option<Loss>;

    /// Waits until no call is under way and nothing is held any more where the context is lost; whether that is so.
    fn wait_until_left(&self) -> bool {
        true
    }

    /// Gives up a context that is lost, after [`Backend::wait_until_left`]; whether it was ours alone, so that the device can be opened anew
    /// without taking anything from others in the process.
    fn abandon(&self) -> bool {
        true
    }

    /// Whether what the device held is gone.
    fn is_lost(&self) -> bool {
        self.loss().is_some()
    }
}
