//! Numbers in the memory of a GPU, as ranks combine them there.

use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use super::many::many;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::values::{Kept, Values};
use crate::device::allocation::Allocation;
use crate::device::backend::Ptr;
use crate::device::queue::Queue;

/// Numbers of one type in a row in the memory of a GPU, borrowed: what [`Collective::all_reduce_on_device`] reads and writes.
///
/// [`Collective::all_reduce_on_device`]: crate::Collective::all_reduce_on_device
pub struct DeviceValues<'a> {
    /// None of their type.
    pub(super) like: Values<'static>,
    pub(super) len: usize,
    pub(super) memory: &'a Arc<Allocation>,
    pub(super) at: Ptr,
    pub(super) queue: &'a Arc<Queue>,
}

impl fmt::Debug for DeviceValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ty, len) = (self.like.type_name(), self.len);
        write!(f, "DeviceValues<{ty}>({len} on {})", self.device())
    }
}

impl DeviceValues<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// None of their type: which variant it is says what they are.
    pub fn like(&self) -> Values<'static> {
        self.like.none()
    }

    /// The device that they are on.
    pub fn device(&self) -> Device {
        self.memory.device()
    }

    fn bytes(&self) -> u64 {
        (self.len * self.like.width()) as u64
    }

    /// Has somebody else combine them: `combines` gets their address and the `CUstream` on which to queue it, with the device's primary context
    /// current. The stream comes after what has made the numbers, and is waited for afterwards.
    ///
    /// # Errors
    ///
    /// What has destroyed the context.
    ///
    /// # Safety
    ///
    /// What `combines` queues that uses the numbers is on that stream or done when it returns, and leaves numbers of their type.
    pub unsafe fn with_raw<R>(
        &self,
        combines: impl FnOnce(u64, *mut c_void) -> R,
    ) -> Result<R, Error> {
        let stream = self.queue.stream.0 as *mut c_void;
        self.memory.with_current(|| combines(self.at.0, stream))
    }

    /// Waits for what has made the numbers.
    ///
    /// # Errors
    ///
    /// What went wrong with it.
    pub fn sync(&self) -> Result<(), Error> {
        self.queue.sync()
    }

    /// A copy of them on the host.
    ///
    /// # Errors
    ///
    /// No memory for it, or a failure of the copy.
    pub(super) fn read(&self) -> Result<Kept, Error> {
        let mut copy = self.like.copied(self.len, many)?;
        let to = copy.values().address_mut();
        // SAFETY: the numbers lie in the memory, and the copy is of as many of their type.
        unsafe { self.memory.read(self.at, to, self.bytes())? };
        Ok(copy)
    }

    /// Takes over as many numbers of the same type.
    ///
    /// # Errors
    ///
    /// A failure of the copy.
    pub(super) fn write(&self, from: &Kept) -> Result<(), Error> {
        let mut copy = self.like.copied(self.len, many)?;
        from.copy_to(0..self.len, copy.values());
        let from = copy.values().address_mut();
        let (context, stream) = (&self.queue.context, self.queue.stream);
        // SAFETY: the numbers lie in the memory, which is this borrow's own, and the copy stays until the stream has been waited for.
        let copied = unsafe { context.upload(stream, self.at, from, self.bytes()) };
        let waited = context.backend.sync(stream);
        copied.and(waited)
    }
}
