//! `Resident`: an array that is where it was last used.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::RangeBounds;
use std::sync::Arc;

use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::device::buffer::ends;
use crate::device::residence::{Lent, Residence};

/// An array with a copy on the host and, where calls have used it there, on devices, that knows what of them is current.
///
/// The `on` of an offloaded function takes it in the place of a slice, `&` for what is read and `&mut` for what is written: the
/// call makes it resident on the device it runs on, and moves nothing if it is there already; several devices that share the call
/// ([`Device::all_cuda`](crate::Device::all_cuda)) keep a part each. [`Resident::host`] and
/// [`Resident::host_mut`] bring back what a device has newer. There is no `Deref`: an index or a `{:?}` does not
/// move gigabytes by the way. On the CPU it is a `Vec`.
///
/// ```
/// use accrue::{Resident, offload};
///
/// #[offload]
/// fn step(now: &[f32], next: &mut [f32]) {
///     for i in 1..now.len() - 1 {
///         next[i] = (now[i - 1] + now[i] + now[i + 1]) / 3.0;
///     }
/// }
///
/// let mut now = Resident::from(vec![0.0, 0.0, 9.0, 0.0, 0.0]);
/// let mut next = now.clone();
/// for _ in 0..2 {
///     step::on(&now, &mut next)?;
///     std::mem::swap(&mut now, &mut next);
/// }
/// assert_eq!(now.host()[1..4], [2.0, 3.0, 2.0]);
/// # Ok::<(), accrue::Error>(())
/// ```
///
/// A call that fails leaves it usable: bins are as before, elements that iterations write each hold what they held before, or, where the
/// device's copy was the newer one, what their iteration has written. If the device is lost while its copy
/// is the newer one, the elements are gone: [`Resident::try_host`] is an error then, until another array is assigned.
pub struct Resident<T: DeviceType> {
    /// A vector's memory, length and capacity.
    start: *mut T,
    len: usize,
    capacity: usize,
    residence: Arc<Residence>,
    elements: PhantomData<Vec<T>>,
}

// SAFETY: it owns its elements, which are `Send` as device types are.
unsafe impl<T: DeviceType> Send for Resident<T> {}
// SAFETY: through a shared borrow the host's memory is written under a lock, and only while nobody has a reference to it; see
// `residence`. Device types are `Sync`.
unsafe impl<T: DeviceType> Sync for Resident<T> {}

impl<T: DeviceType> Resident<T> {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements in the host's memory, brought there if the device's copy is newer. Both are alike then, and a call that reads
    /// them moves nothing.
    ///
    /// # Panics
    ///
    /// Where [`Resident::try_host`] has an error.
    pub fn host(&self) -> &[T] {
        self.try_host().unwrap_or_else(|e| panic!("{e}"))
    }

    /// As [`Resident::host`], with the device's failure as a value.
    ///
    /// # Errors
    ///
    /// A failure of the copy, or of calls queued on a stream that have written it; nothing else waits for those.
    pub fn try_host(&self) -> Result<&[T], Error> {
        self.lend().to_host()?;
        // SAFETY: the vector's memory, and the host's copy is current: nothing is written to it before a call
        // borrows this exclusively.
        Ok(unsafe { std::slice::from_raw_parts(self.start, self.len) })
    }

    /// The elements in the host's memory to write to, brought there if the device's copy is newer. That copy counts as old from now on.
    ///
    /// # Panics
    ///
    /// Where [`Resident::try_host_mut`] has an error.
    ///
    /// ```
    /// let mut bins = accrue::Resident::from(vec![1u32, 2]);
    /// bins.host_mut().fill(0);
    /// assert_eq!(bins.host(), [0, 0]);
    /// ```
    pub fn host_mut(&mut self) -> &mut [T] {
        self.try_host_mut().unwrap_or_else(|e| panic!("{e}"))
    }

    /// As [`Resident::host_mut`], with the device's failure as a value.
    ///
    /// # Errors
    ///
    /// As [`Resident::try_host`].
    pub fn try_host_mut(&mut self) -> Result<&mut [T], Error> {
        self.lend().to_host()?;
        self.lend().host_is_newer();
        // SAFETY: the vector's memory, borrowed exclusively.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.start, self.len) })
    }

    /// The elements as a vector, brought to the host's memory if the device's copy is newer.
    ///
    /// # Panics
    ///
    /// Where [`Resident::try_host`] has an error.
    pub fn into_vec(self) -> Vec<T> {
        self.host();
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not dropped, so that this is the residence's only end.
        drop(unsafe { std::ptr::read(&raw mut this.residence) });
        // SAFETY: these are a vector's parts, and nobody else has them any more.
        unsafe { Vec::from_raw_parts(this.start, this.len, this.capacity) }
    }

    /// A part of it, for a call that reads it. All of it is made resident, once.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the end.
    ///
    /// ```
    /// # use accrue::{Resident, offload};
    /// # #[offload(histogram)]
    /// # fn count(keys: &[u8], bins: &mut [u32; 4]) {
    /// #     for &k in keys {
    /// #         bins[k as usize] += 1;
    /// #     }
    /// # }
    /// let keys = Resident::from(vec![0, 1, 2, 3, 3]);
    /// let mut bins = [0; 4];
    /// count::on(keys.slice(2..), &mut bins)?;
    /// assert_eq!(bins, [0, 0, 1, 2]);
    /// # Ok::<(), accrue::Error>(())
    /// ```
    pub fn slice(&self, range: impl RangeBounds<usize>) -> ResidentSlice<'_, T> {
        let (start, len) = part(range, self.len);
        ResidentSlice {
            all: self.lend(),
            start,
            len,
            elements: PhantomData,
        }
    }

    /// A part of it, for a call that writes it. All of it is made resident, and the device's copy of the part counts as newer then.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the end.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> ResidentSliceMut<'_, T> {
        let (start, len) = part(range, self.len);
        ResidentSliceMut {
            all: self.lend(),
            start,
            len,
            elements: PhantomData,
        }
    }

    fn lend(&self) -> Lent<'_> {
        let bytes = (self.len * size_of::<T>()) as u64;
        // SAFETY: the vector's elements, which are there as long as this is, and are written through the lent memory or by who has borrowed this
        // exclusively, in `try_host_mut` and as an `Exclusive`, which say so; the same two make references of it only after `to_host`, and what
        // is borrowed by them has ended when a call borrows this exclusively. The residence is this one's own.
        unsafe { Lent::new(&self.residence, self.start.cast(), bytes) }
    }
}

/// Start and length of a range.
fn part(range: impl RangeBounds<usize>, len: usize) -> (usize, usize) {
    let (start, end) = ends(range, len);
    assert!(
        start <= end && end <= len,
        "the range {start}..{end} does not lie in the {len} elements of a resident array"
    );
    (start, end - start)
}

impl<T: DeviceType> From<Vec<T>> for Resident<T> {
    /// Takes a vector over; nothing is copied before a call on a device.
    fn from(elements: Vec<T>) -> Self {
        let mut elements = ManuallyDrop::new(elements);
        Resident {
            start: elements.as_mut_ptr(),
            len: elements.len(),
            capacity: elements.capacity(),
            residence: Arc::default(),
            elements: PhantomData,
        }
    }
}

impl<T: DeviceType> From<&[T]> for Resident<T> {
    /// Copies a slice.
    fn from(elements: &[T]) -> Self {
        Resident::from(elements.to_vec())
    }
}

impl<T: DeviceType, const N: usize> From<[T; N]> for Resident<T> {
    /// Copies an array.
    fn from(elements: [T; N]) -> Self {
        Resident::from(Vec::from(elements))
    }
}

impl<T: DeviceType> FromIterator<T> for Resident<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Resident::from(Vec::from_iter(elements))
    }
}

impl<T: DeviceType> Default for Resident<T> {
    fn default() -> Self {
        Resident::from(Vec::new())
    }
}

impl<T: DeviceType> Clone for Resident<T> {
    /// The same elements, on the host alone; they are brought there if the device's copy is newer.
    ///
    /// # Panics
    ///
    /// Where [`Resident::try_host`] has an error.
    fn clone(&self) -> Self {
        Resident::from(self.host())
    }
}

impl<T: DeviceType> Drop for Resident<T> {
    fn drop(&mut self) {
        // SAFETY: these are a vector's parts, and nobody else has them.
        drop(unsafe { Vec::from_raw_parts(self.start, self.len, self.capacity) });
    }
}

/// Without the elements, which may be far away.
impl<T: DeviceType> fmt::Debug for Resident<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "Resident<{name}>({}, {})", self.len, self.residence)
    }
}

/// A part of a [`Resident`], for calls that read it.
#[derive(Clone, Copy, Debug)]
pub struct ResidentSlice<'a, T: DeviceType> {
    pub(in crate::device) all: Lent<'a>,
    pub(in crate::device) start: usize,
    pub(in crate::device) len: usize,
    elements: PhantomData<&'a [T]>,
}

impl<T: DeviceType> ResidentSlice<'_, T> {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// A part of a [`Resident`], for calls that write it.
#[derive(Debug)]
pub struct ResidentSliceMut<'a, T: DeviceType> {
    pub(in crate::device) all: Lent<'a>,
    pub(in crate::device) start: usize,
    pub(in crate::device) len: usize,
    elements: PhantomData<&'a mut [T]>,
}

impl<T: DeviceType> ResidentSliceMut<'_, T> {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
