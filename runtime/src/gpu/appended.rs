//! Vectors that a loop pushes to, `out.push(x)`: the kernel fills memory on the device, which has room for all that may come, at a count of its own; what has
//! come is copied behind what the vector holds.
//!
//! The copy is made before anything else of the call reaches the host, and counts only once all of that has: a call whose copies fail changes nothing.

use std::fmt;
use std::sync::Mutex;

use super::array::{Array, Memory, Takes};
use super::choose::offloaded::Loop;
use crate::base::device_type::DeviceType;
use crate::base::lock::lock;

/// A vector that a call appends to.
pub struct Appended<'a, T>(Mutex<State<'a, T>>);

struct State<'a, T> {
    to: &'a mut Vec<T>,
    /// How many items have been copied behind what it holds.
    arrived: usize,
}

impl<T> fmt::Debug for Appended<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Appended").finish_non_exhaustive()
    }
}

impl<'a, T: DeviceType> Appended<'a, T> {
    /// Of a vector.
    pub fn new(to: &'a mut Vec<T>) -> Appended<'a, T> {
        Appended(Mutex::new(State { to, arrived: 0 }))
    }

    /// What a kernel fills in a call of so many iterations. The target `count` counts what has come.
    pub fn array(&self, of: &Loop, counts: &[u64], count: usize) -> Array<'_> {
        // Every module of a loop has the same targets.
        let most = of.modules[0].abi.targets[count].updates;
        let len = counts
            .iter()
            .fold(u64::from(most), |all, n| all.saturating_mul(*n));
        Array {
            memory: Memory::Appended(self, count),
            len,
            bytes: len.saturating_mul(size_of::<T>() as u64),
            written: true,
        }
    }

    /// The call is done: what has arrived is the vector's.
    pub fn end(self) {
        let State { to, arrived } = self.0.into_inner().unwrap_or_else(|e| e.into_inner());
        // SAFETY: so many items behind what it held have been written by a copy from the device that has been waited for, and any bytes that a kernel stores are
        // values of the type.
        unsafe { to.set_len(to.len() + arrived) };
    }
}

impl<T: DeviceType> Takes for Appended<'_, T> {
    fn room(&self, items: usize) -> (*mut u8, u64) {
        let to = &mut lock(&self.0).to;
        to.reserve(items);
        let bytes = items * size_of::<T>();
        (to.spare_capacity_mut().as_mut_ptr().cast(), bytes as u64)
    }

    unsafe fn arrived(&self, items: usize) {
        lock(&self.0).arrived = items;
    }
}
