//! Host memory of which a device has a copy, and which of the two is newer.
//!
//! While the host's is as new as the device's, or newer, references to it may be about. They end before the device's copy becomes the
//! newer one, since a call that writes there borrows the memory exclusively. So whoever finds the device's copy newer, under the
//! lock, may write to the host's memory, although all he has is a shared borrow: nobody looks at it, and the
//! next one who asks finds both alike.

use std::fmt;
use std::sync::{Arc, Mutex};

use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::allocation::Allocation;
#[cfg(any(feature = "cuda", feature = "sim"))]
use crate::device::queue::Queue;

/// Which copies there are, and which of them are current.
#[derive(Debug, Default)]
enum State {
    /// The host's alone.
    #[default]
    Host,
    /// Both are alike.
    Both(Arc<Allocation>),
    /// The device's is newer.
    #[cfg_attr(
        not(any(feature = "cuda", feature = "sim")),
        expect(dead_code, reason = "no device writes")
    )]
    Device(Arc<Allocation>),
}

/// What is known of the copies of some host memory.
#[derive(Debug, Default)]
pub(crate) struct Residence(Mutex<State>);

/// Host memory, lent together with what is known of its copies.
#[derive(Clone, Copy)]
pub(crate) struct Lent<'a> {
    of: &'a Arc<Residence>,
    start: *mut u8,
    bytes: u64,
}

// SAFETY: the memory holds plain data of types that are `Send` and `Sync`; it is written under the lock, while nobody has a
// reference to it.
unsafe impl Send for Lent<'_> {}
// SAFETY: as above.
unsafe impl Sync for Lent<'_> {}

impl fmt::Debug for Lent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes, {}", self.bytes, self.of)
    }
}

impl fmt::Display for Residence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*lock(&self.0) {
            State::Host => write!(f, "on the host"),
            State::Both(memory) => write!(f, "on the host and on {}", memory.device()),
            State::Device(memory) => write!(f, "newer on {}", memory.device()),
        }
    }
}

impl<'a> Lent<'a> {
    /// Lends memory.
    ///
    /// # Safety
    ///
    /// For `'a` there are that many bytes of a device type's elements at `start`, which are written only through this, but
    /// by who has them exclusively and has said so by [`Lent::host_is_newer`]. References to them are made only after
    /// [`Lent::to_host`], and have ended when [`Lent::device_is_newer`] is said. Nothing else is said of the same residence
    /// for other memory.
    pub(crate) unsafe fn new(of: &'a Arc<Residence>, start: *mut u8, bytes: u64) -> Lent<'a> {
        Lent { of, start, bytes }
    }

    /// What is known of the memory, where it is, and how many bytes there are.
    pub(crate) fn parts(self) -> (&'a Arc<Residence>, *mut u8, u64) {
        (self.of, self.start, self.bytes)
    }

    /// Brings the host's memory up to date, and says where it is.
    ///
    /// # Errors
    ///
    /// A failure of the copy, or of work queued on the memory before.
    pub(crate) fn to_host(self) -> Result<*mut u8, Error> {
        self.refresh(&mut lock(&self.of.0))?;
        Ok(self.start)
    }

    fn refresh(self, state: &mut State) -> Result<(), Error> {
        let State::Device(memory) = state else {
            return Ok(());
        };
        // SAFETY: the allocation is as long as the memory, which nobody looks at while the device's copy is newer, and the state is
        // locked.
        unsafe { memory.read(memory.ptr(), self.start, self.bytes)? };
        *state = State::Both(Arc::clone(memory));
        Ok(())
    }

    /// Says that the host's memory is about to be written, by whoever has borrowed it exclusively, after [`Lent::to_host`].
    pub(crate) fn host_is_newer(self) {
        *lock(&self.of.0) = State::Host;
    }

    /// The memory's copy on a device, made unless it is there already.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or a failure of a copy.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn to_device(self, queue: &Arc<Queue>) -> Result<Arc<Allocation>, Error> {
        let mut state = lock(&self.of.0);
        if let State::Both(memory) | State::Device(memory) = &*state
            && memory.is_of(queue)
        {
            return Ok(Arc::clone(memory));
        }
        self.refresh(&mut state)?;
        // What another device has is given up before.
        *state = State::Host;
        let memory = Allocation::new(queue, self.bytes)?;
        // SAFETY: there are as many bytes at both places, and the host's stay as they are: who changes them has a
        // borrow of them that excludes this one.
        unsafe { memory.fill(queue, self.start)? };
        *state = State::Both(Arc::clone(&memory));
        Ok(memory)
    }

    /// Whether that copy is there and nothing would have to be moved.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn is_on_device(self) -> bool {
        !matches!(&*lock(&self.of.0), State::Host)
    }

    /// Whether that copy is the newer one.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn is_newer_on_device(self) -> bool {
        matches!(&*lock(&self.of.0), State::Device(_))
    }

    /// Says that the device's copy is about to be written, by whoever has borrowed the memory exclusively, after [`Lent::to_device`].
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn device_is_newer(self) -> Written {
        let mut state = lock(&self.of.0);
        let before = std::mem::take(&mut *state);
        let was_current = matches!(before, State::Both(_));
        *state = match before {
            State::Both(memory) => State::Device(memory),
            other => other,
        };
        Written(was_current.then(|| Arc::clone(self.of)))
    }
}

/// A write of a device's copy by a call. Unless it is [kept](Written::keep), the host's memory, where it was current, is what counts.
#[cfg(any(feature = "cuda", feature = "sim"))]
#[derive(Debug)]
#[must_use]
pub(crate) struct Written(Option<Arc<Residence>>);

#[cfg(any(feature = "cuda", feature = "sim"))]
impl Written {
    /// The call has done what it should, or is to be waited for later.
    pub(crate) fn keep(mut self) {
        self.0 = None;
    }
}

#[cfg(any(feature = "cuda", feature = "sim"))]
impl Drop for Written {
    fn drop(&mut self) {
        if let Some(of) = &self.0 {
            *lock(&of.0) = State::Host;
        }
    }
}
