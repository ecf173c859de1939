//! Locking, where a panic elsewhere means nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks; what a panic elsewhere has left is whole, since nothing panics halfway through a change.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
