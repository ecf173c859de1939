//! Memory that a thread keeps between calls.
//!
//! A call that prepares for a panic needs memory for it, and allocating some hundred kilobytes anew costs more than filling them:
//! the system hands them out in pages, each of which is cleared when it is touched for the first time. (A copy of 512 KiB takes
//! a third of the time in memory that has been touched, Cascade Lake, 2026-11-22, `accrue-bench calls`.)

use std::any::Any;
use std::cell::RefCell;

/// The longest memory that is kept, in bytes, of each type of items.
pub(crate) const MOST_BYTES: usize = 4 << 20;

/// How many are kept: more than the bin arrays of any loop.
const COUNT: usize = 16;

thread_local! {
    static KEPT: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// An empty vector, with what memory there is at hand.
pub(crate) fn take<T: 'static>() -> Vec<T> {
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
pub(crate) fn give_back<T: 'static>(mut memory: Vec<T>) {
    memory.clear();
    if memory.capacity() == 0 || memory.capacity() * size_of::<T>() > MOST_BYTES {
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

/// A copy of some items, in what memory there is at hand; none where there is no memory for it.
pub(crate) fn copy<T: Copy + 'static>(items: &[T]) -> Option<Vec<T>> {
    let mut copy = take();
    if copy.try_reserve(items.len()).is_err() {
        return None;
    }
    if size_of_val(items) > SHORT {
        copy.extend_from_slice(items);
        return Some(copy);
    }
    for piece in items.chunks((PIECE / size_of::<T>().max(1)).max(1)) {
        expect_writes(&copy.spare_capacity_mut()[piece.len()..]);
        copy.extend_from_slice(piece);
    }
    Some(copy)
}

/// What is copied piece by piece, in bytes. The C library's `memcpy` copies this much by one instruction, which takes 0.86 to 1.3 us for 32 KiB
/// by where the two lie, and short pieces by wide moves: 0.92 us wherever they lie, if the lines of the next piece are fetched before. (Cascade Lake,
/// 2026-11-23; of 512 KiB the one instruction takes less.)
const SHORT: usize = 256 << 10;

/// How much of it at once.
const PIECE: usize = 512;

/// Has the processor fetch the lines at the beginning of this memory, a piece of them, which will be written.
#[inline]
fn expect_writes<T>(memory: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        let start = memory.as_ptr().cast::<i8>();
        for at in (0..PIECE.min(size_of_val(memory))).step_by(64) {
            // SAFETY: the address is within the memory, and fetching has no effect that a program can see.
            unsafe { _mm_prefetch::<_MM_HINT_ET0>(start.add(at)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_equal_whatever_their_length() {
        for len in [0, 1, 63, 64, 65, 1000, SHORT / 8, SHORT / 8 + 1] {
            let items: Vec<u64> = (0..len as u64).collect();
            let copy = copy(&items).expect("there is memory for it");
            assert_eq!(copy, items);
            give_back(copy);
        }
        assert_eq!(copy(&[[7u64; 100]; 3]).as_deref(), Some(&[[7; 100]; 3][..]));
    }

    #[test]
    fn memory_comes_back_by_type_and_not_beyond_the_limit() {
        give_back::<u64>(Vec::with_capacity(100));
        give_back::<f64>(Vec::with_capacity(7));
        assert_eq!(take::<u64>().capacity(), 100);
        assert_eq!(take::<u64>().capacity(), 0);
        assert_eq!(take::<f64>().capacity(), 7);
        give_back::<u8>(Vec::with_capacity(MOST_BYTES + 1));
        assert_eq!(take::<u8>().capacity(), 0);
        for _ in 0..2 * COUNT {
            give_back(vec![1u16]);
        }
        let kept = (0..2 * COUNT).filter(|_| take::<u16>().capacity() > 0);
        assert_eq!(kept.count(), COUNT);
    }
}
