//! `accrue::resident`: read arrays of plain calls, kept on the device for a while.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::base::device_type::DeviceType;
use crate::device::held::Holder;
use crate::device::residence::{Lent, Residence};

/// What [`resident`] keeps on the device: arrays that are borrowed for `'env`.
pub struct Scope<'env> {
    holder: Holder,
    /// Neither a longer nor a shorter time will do: the borrows last as long as the scope.
    borrows: PhantomData<Cell<&'env ()>>,
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scope")
    }
}

impl<'env> Scope<'env> {
    /// Keeps what calls find of an array on the device: the first call that reads it, or a part of it, copies all of it there, the
    /// others find it.
    ///
    /// It stays borrowed until the scope ends, so nobody can change it; data with interior mutability are no
    /// [`DeviceType`](trait@crate::DeviceType).
    ///
    /// ```compile_fail,E0277
    /// use std::cell::Cell;
    /// let flags = [Cell::new(1u32)];
    /// accrue::resident(|r| r.share(&flags)); // the trait bound `Cell<u32>: DeviceType` is not satisfied
    /// ```
    ///
    /// ```compile_fail,E0506
    /// let mut pixels = vec![1u8; 100];
    /// accrue::resident(|r| {
    ///     r.share(&pixels);
    ///     pixels[0] = 2; // it is borrowed
    /// });
    /// ```
    ///
    /// ```compile_fail,E0597
    /// accrue::resident(|r| {
    ///     let inside = vec![1u8; 100];
    ///     r.share(&inside); // it does not live long enough
    /// });
    /// ```
    pub fn share<T: DeviceType>(&self, elements: &'env [T]) {
        let of = Arc::new(Residence::default());
        let (start, bytes) = (elements.as_ptr(), size_of_val(elements) as u64);
        // SAFETY: the elements are borrowed for `'env`, which outlives the holder. Nobody writes to them or says that a device's
        // copy is newer: a shared borrow is all there is.
        unsafe {
            let memory = Lent::new(&of, start.cast_mut().cast(), bytes);
            self.holder.hold(memory);
        }
    }
}

/// Runs `f`, and keeps the arrays that it shares on the device until it returns or panics.
///
/// It is for arrays that plain calls read: their slices are passed as ever, and calls of this thread that run on a device find what is
/// [shared](Scope::share) there. What calls write is moved as ever; a [`Resident`](crate::Resident) stays there too. Scopes nest.
/// On the CPU nothing happens.
///
/// ```
/// use accrue::offload;
///
/// #[offload(histogram)]
/// fn brighter(pixels: &[u8], limit: u8, count: &mut u64) {
///     for &p in pixels {
///         if p > limit {
///             *count += 1;
///         }
///     }
/// }
///
/// let pixels = vec![7; 1000];
/// let counts = accrue::resident(|r| {
///     r.share(&pixels);
///     (0..10).map(|limit| {
///         let mut count = 0;
///         brighter(&pixels, limit, &mut count);
///         count
///     }).collect::<Vec<_>>()
/// });
/// assert_eq!(counts[6..8], [1000, 0]);
/// ```
pub fn resident<'env, R>(f: impl FnOnce(&Scope<'env>) -> R) -> R {
    let scope = Scope {
        holder: Holder::new(),
        borrows: PhantomData,
    };
    f(&scope)
}
