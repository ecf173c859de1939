//! Data on a device, for as long as the program wants it there.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use crate::base::choice;
use crate::base::device::Device;
use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::base::layout::LARGEST_ALIGN;
use crate::device::allocation::Allocation;
use crate::device::backend::Ptr;
use crate::device::queue::Stream;

/// `len` elements in the memory of a device: put there once, passed to any number of calls.
///
/// An offloaded function's module has `on_device`, which takes buffers in the place of slices and is queued on a
/// [`Stream`]. On [`Device::Cpu`] a buffer is host memory, so a program written with buffers runs on any machine.
///
/// ```
/// use accrue::{Device, DeviceBuffer, with_device};
/// with_device(Device::Cpu, || {
///     let mut bins = DeviceBuffer::<u32>::zeroed(256)?;
///     bins.slice_mut(10..12)?.copy_from_slice(&[7, 8])?;
///     assert_eq!(bins.to_vec()?[9..13], [0, 7, 8, 0]);
///     Ok::<(), accrue::Error>(())
/// })?;
/// # Ok::<(), accrue::Error>(())
/// ```
pub struct DeviceBuffer<T: DeviceType> {
    memory: Arc<Allocation>,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: DeviceType> DeviceBuffer<T> {
    /// Copies data to the device of this thread's calls; see [`Stream::new`].
    ///
    /// # Errors
    ///
    /// The device does not open, or [`Error::OutOfMemory`].
    pub fn from_slice(data: &[T]) -> Result<DeviceBuffer<T>, Error> {
        DeviceBuffer::from_slice_on(&Stream::on(choice::chosen()?)?, data)
    }

    /// Memory of the device of this thread's calls, all bytes zero; see [`Stream::new`].
    ///
    /// # Errors
    ///
    /// The device does not open, or [`Error::OutOfMemory`].
    pub fn zeroed(len: usize) -> Result<DeviceBuffer<T>, Error> {
        DeviceBuffer::zeroed_on(&Stream::on(choice::chosen()?)?, len)
    }

    /// Copies data to the device of a stream.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or a failure of work queued before.
    pub fn from_slice_on(stream: &Stream, data: &[T]) -> Result<DeviceBuffer<T>, Error> {
        let mut buffer = DeviceBuffer::uninitialised(stream, data.len())?;
        buffer.copy_from_slice(data)?;
        Ok(buffer)
    }

    /// Memory of the device of a stream, all bytes zero.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or the driver's refusal.
    pub fn zeroed_on(stream: &Stream, len: usize) -> Result<DeviceBuffer<T>, Error> {
        let buffer = DeviceBuffer::uninitialised(stream, len)?;
        let (queue, memory) = (&stream.0, &buffer.memory);
        // SAFETY: the memory is as long as said and nobody else's.
        unsafe {
            queue
                .context
                .backend
                .fill(queue.stream, memory.ptr(), 0, memory.bytes())?
        };
        Ok(buffer)
    }

    /// Memory whose content must be written before the buffer is shown to anyone.
    fn uninitialised(stream: &Stream, len: usize) -> Result<DeviceBuffer<T>, Error> {
        const {
            assert!(
                align_of::<T>() <= LARGEST_ALIGN,
                "accrue::H051: device memory is aligned to 256 bytes, and this type asks for more"
            );
        }
        let bytes = (len as u64).checked_mul(size_of::<T>() as u64);
        let bytes = bytes.ok_or_else(|| Error::OutOfMemory {
            asked: u64::MAX,
            free: stream.0.context.backend.free_memory().unwrap_or(0),
            device: stream.0.context.backend.limits().name.clone(),
        })?;
        Ok(DeviceBuffer {
            memory: Allocation::new(&stream.0, bytes)?,
            len,
            elements: PhantomData,
        })
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device it is on.
    pub fn device(&self) -> Device {
        self.memory.device()
    }

    /// Overwrites all of it. Waits until the data may be changed again.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] unless `data` has as many elements; a failure of the copy or of work queued before.
    pub fn copy_from_slice(&mut self, data: &[T]) -> Result<(), Error> {
        self.as_slice_mut().copy_from_slice(data)
    }

    /// Copies all of it back, after the work queued on it.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] unless `out` has as many elements; a failure of the copy or of work queued before.
    pub fn copy_to_slice(&self, out: &mut [T]) -> Result<(), Error> {
        self.as_slice().copy_to_slice(out)
    }

    /// All of it as a vector.
    ///
    /// # Errors
    ///
    /// As [`DeviceBuffer::copy_to_slice`].
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        self.as_slice().to_vec()
    }

    /// All of it as a view.
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        DeviceSlice::over(&self.memory, self.len)
    }

    /// All of it as a view to write through.
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut::over(&self.memory, self.len)
    }

    /// A part of it.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] if the range reaches beyond the end.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'_, T>, Error> {
        self.as_slice().slice(range)
    }

    /// A part of it, to write through.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] if the range reaches beyond the end.
    pub fn slice_mut(
        &mut self,
        range: impl RangeBounds<usize>,
    ) -> Result<DeviceSliceMut<'_, T>, Error> {
        Ok(DeviceSliceMut {
            view: self.slice(range)?,
        })
    }
}

impl<T: DeviceType> fmt::Debug for DeviceBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "DeviceBuffer<{}>({} on {})",
            std::any::type_name::<T>(),
            self.len,
            self.device()
        )
    }
}

/// A view of a part of a [`DeviceBuffer`].
pub struct DeviceSlice<'a, T: DeviceType> {
    memory: &'a Arc<Allocation>,
    start: usize,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: DeviceType> Clone for DeviceSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: DeviceType> Copy for DeviceSlice<'_, T> {}

impl<'a, T: DeviceType> DeviceSlice<'a, T> {
    /// The first `len` elements of some memory, which has them.
    pub(crate) fn over(memory: &'a Arc<Allocation>, len: usize) -> DeviceSlice<'a, T> {
        DeviceSlice {
            memory,
            start: 0,
            len,
            elements: PhantomData,
        }
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device it is on.
    pub fn device(&self) -> Device {
        self.memory.device()
    }

    /// A part of it.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] if the range reaches beyond the end.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<DeviceSlice<'a, T>, Error> {
        let (first, end) = ends(range, self.len);
        if end > self.len || first > end {
            return Err(Error::LengthMismatch {
                what: "a range of a device buffer",
                expected: first.max(end) as u64,
                found: self.len as u64,
            });
        }
        Ok(DeviceSlice {
            start: self.start + first,
            len: end - first,
            ..*self
        })
    }

    /// Copies it back, after the work queued on it.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] unless `out` has as many elements; a failure of the copy or of work queued before.
    pub fn copy_to_slice(&self, out: &mut [T]) -> Result<(), Error> {
        self.same_length(out.len(), "copying from a device buffer")?;
        // SAFETY: `out` has room for this many elements, and a device type's bytes on the device are a value.
        unsafe { self.download(out.as_mut_ptr()) }
    }

    /// It as a vector, after the work queued on it.
    ///
    /// # Errors
    ///
    /// A failure of the copy or of work queued before.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let mut out = Vec::with_capacity(self.len);
        // SAFETY: there is room for the elements, and they are there when the copy is done.
        unsafe {
            self.download(out.as_mut_ptr())?;
            out.set_len(self.len);
        }
        Ok(out)
    }

    /// # Safety
    ///
    /// There is room for `len` elements at `out`.
    unsafe fn download(&self, out: *mut T) -> Result<(), Error> {
        // SAFETY: the range lies in the allocation; the host's is the caller's promise.
        unsafe { self.memory.read(self.ptr(), out.cast(), self.bytes()) }
    }

    pub(crate) fn ptr(&self) -> Ptr {
        self.memory
            .ptr()
            .offset((self.start * size_of::<T>()) as u64)
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }

    fn same_length(&self, found: usize, what: &'static str) -> Result<(), Error> {
        if found == self.len {
            return Ok(());
        }
        Err(Error::LengthMismatch {
            what,
            expected: self.len as u64,
            found: found as u64,
        })
    }

    /// The memory, to be kept alive.
    pub(crate) fn memory(&self) -> &'a Arc<Allocation> {
        self.memory
    }
}

impl<T: DeviceType> fmt::Debug for DeviceSlice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.start + self.len;
        write!(
            f,
            "DeviceSlice<{}>({}..{end} on {})",
            std::any::type_name::<T>(),
            self.start,
            self.device()
        )
    }
}

/// A view of a part of a [`DeviceBuffer`], to write through.
pub struct DeviceSliceMut<'a, T: DeviceType> {
    view: DeviceSlice<'a, T>,
}

impl<'a, T: DeviceType> DeviceSliceMut<'a, T> {
    /// As [`DeviceSlice::over`], of memory that the caller has exclusively.
    pub(crate) fn over(memory: &'a Arc<Allocation>, len: usize) -> DeviceSliceMut<'a, T> {
        DeviceSliceMut {
            view: DeviceSlice::over(memory, len),
        }
    }

    /// It as a view to read through, for as long as it would have been there.
    pub(crate) fn into_view(self) -> DeviceSlice<'a, T> {
        self.view
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.view.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.view.is_empty()
    }

    /// The device it is on.
    pub fn device(&self) -> Device {
        self.view.device()
    }

    /// It as a view to read through.
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        self.view
    }

    /// Overwrites it. Waits until the data may be changed again.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] unless `data` has as many elements; a failure of the copy or of work queued before.
    pub fn copy_from_slice(&mut self, data: &[T]) -> Result<(), Error> {
        self.view
            .same_length(data.len(), "copying to a device buffer")?;
        let queue = self.view.memory.writer();
        self.view.memory.claim_to_write(&queue, "the buffer")?;
        let mut copied = Ok(());
        if !data.is_empty() {
            // SAFETY: both ranges have this many elements, and the data stays until `sync`.
            copied = unsafe {
                queue.context.upload(
                    queue.stream,
                    self.view.ptr(),
                    data.as_ptr().cast(),
                    self.view.bytes(),
                )
            };
        }
        // Wait even where the copy failed: a part of it may be under way.
        let waited = queue.sync();
        copied.and(waited)
    }

    /// Copies from another part of the same device's memory, on a stream, without waiting.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`], [`Error::WrongDevice`], or the driver's refusal.
    pub fn copy_from_device(
        &mut self,
        stream: &Stream,
        from: DeviceSlice<'_, T>,
    ) -> Result<(), Error> {
        self.view
            .same_length(from.len, "copying between device buffers")?;
        let queue = &stream.0;
        from.memory.claim_to_read(queue, "the source")?;
        self.view.memory.claim_to_write(queue, "the destination")?;
        if self.is_empty() {
            return Ok(());
        }
        // SAFETY: both ranges have this many elements; they are disjoint, since this view excludes others.
        unsafe {
            queue
                .context
                .backend
                .copy(queue.stream, self.view.ptr(), from.ptr(), self.view.bytes())
        }
    }
}

impl<T: DeviceType> fmt::Debug for DeviceSliceMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.view, f)
    }
}

/// The first position of a range over `len` elements, and the one behind its last.
pub(crate) fn ends(range: impl RangeBounds<usize>, len: usize) -> (usize, usize) {
    let first = match range.start_bound() {
        Bound::Included(&i) => i,
        Bound::Excluded(&i) => i.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&i) => i.saturating_add(1),
        Bound::Excluded(&i) => i,
        Bound::Unbounded => len,
    };
    (first, end)
}

/// The elements themselves, where the host's memory is the device's.
pub(crate) fn host_elements<T: DeviceType>(view: DeviceSlice<'_, T>) -> Option<&[T]> {
    let start = host_start(&view)?;
    // SAFETY: the host backend's addresses are pointers to initialised memory, aligned to 256 bytes; its work is done at
    // once, and the view borrows the buffer.
    Some(unsafe { std::slice::from_raw_parts(start, view.len) })
}

/// As [`host_elements`], to write through; the view again where there is no such slice.
pub(crate) fn host_elements_mut<T: DeviceType>(
    view: DeviceSliceMut<'_, T>,
) -> Result<&mut [T], DeviceSliceMut<'_, T>> {
    match host_start(&view.view) {
        // SAFETY: as above; the view that was given up excluded all others.
        Some(start) => Ok(unsafe { std::slice::from_raw_parts_mut(start, view.view.len) }),
        None => Err(view),
    }
}

fn host_start<T: DeviceType>(view: &DeviceSlice<'_, T>) -> Option<*mut T> {
    match view.device() {
        Device::Cpu | Device::Seq => Some(crate::device::backend::host::host(view.ptr()).cast()),
        Device::Auto | Device::Cuda(_) | Device::Sim | Device::AllCuda | Device::Sims(_) => None,
    }
}

/// Checks the length of an argument that stands for an array.
///
/// # Errors
///
/// [`Error::LengthMismatch`].
#[doc(hidden)]
pub fn check_length(name: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::LengthMismatch {
        what: name,
        expected: expected as u64,
        found: found as u64,
    })
}

impl<'a, T: DeviceType> From<&'a DeviceBuffer<T>> for DeviceSlice<'a, T> {
    fn from(buffer: &'a DeviceBuffer<T>) -> Self {
        buffer.as_slice()
    }
}

impl<'a, T: DeviceType> From<&'a mut DeviceBuffer<T>> for DeviceSliceMut<'a, T> {
    fn from(buffer: &'a mut DeviceBuffer<T>) -> Self {
        buffer.as_slice_mut()
    }
}
