//! Memory that a thread keeps between calls.
//!
//! A call that prepares for a panic needs memory for it, and allocating some hundred kilobytes anew costs more than filling them:
//! the system hands them out in pages, each of which is cleared when it is touched for the first time. (A copy of 512 KiB takes
//! a third of the time in memory that has been touched, Cascade Lake, 2026-11-22, `accrue-bench calls`.)

use std::any::Any;
use std::cell::RefCell;

/// The longest memory that is kept, in bytes, of each type of items.
pub(super) const MOST: usize = 4 << 20;

/// How many are kept: more than the bin arrays of any loop.
const COUNT: usize = 16;

thread_local! {
    static KEPT: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// An empty vector, with what memory there is at hand.
pub(super) fn take<T: 'static>() -> Vec<T> {
    KEPT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        let at = kept.iter().rposition(|memory| memory.is::<Vec<T>>())?;
        kept.swap_remove(at).downcast::<Vec<T>>().ok()
    })
    .ok()
    .flatten()
    .map_or_else(Vec::new, |memory| *memory)
}

/// Keeps a vector's memory, unless it is too much. Items are dropped.
pub(super) fn give_back<T: 'static>(mut memory: Vec<T>) {
    memory.clear();
    if memory.capacity() == 0 || memory.capacity() * size_of::<T>() > MOST {
        return;
    }
    // A thread that ends keeps nothing.
    let _ = KEPT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        if kept.len() < COUNT {
            kept.push(Box::new(memory));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_back_by_type_and_not_beyond_the_limit() {
        give_back::<u64>(Vec::with_capacity(100));
        give_back::<f64>(Vec::with_capacity(7));
        assert_eq!(take::<u64>().capacity(), 100);
        assert_eq!(take::<u64>().capacity(), 0);
        assert_eq!(take::<f64>().capacity(), 7);
        give_back::<u8>(Vec::with_capacity(MOST + 1));
        assert_eq!(take::<u8>().capacity(), 0);
        for _ in 0..2 * COUNT {
            give_back(vec![1u16]);
        }
        let kept = (0..2 * COUNT).filter(|_| take::<u16>().capacity() > 0);
        assert_eq!(kept.count(), COUNT);
    }
}
