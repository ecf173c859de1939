//! Asking for keys before they are needed.
//!
//! A histogram loop reads its keys in order and its bins at random, and the loads of the bins hide the keys' stream
//! from the hardware's prefetcher well enough to halve the rate: 1.03 Gupd/s without and 1.92 Gupd/s with a prefetch 2 to 8 KiB
//! ahead (u32 keys, 256 bins, 2^25 uniform keys, one core of a Xeon with AVX-512 in a virtual machine, 2026-11-20). On two
//! cores of it 2 KiB are the best of 1, 2, 4 and 8 KiB: 3.6, 3.4 (1 KiB) and 3.0 (4 KiB) Gupd/s of constant words.

use std::sync::atomic::{AtomicBool, Ordering};

/// How many items one call of [`Source::prefetch`](super::Source::prefetch) is for.
pub(in crate::cpu) const GROUP: usize = 64;

/// Up to how many bytes an item reads in arrays that are asked for in the first-level cache wherever they are.
const FEW: usize = 8;

/// Arrays that are read side by side.
#[derive(Clone, Copy, Debug)]
pub struct Arrays {
    count: usize,
    /// What an item reads there.
    bytes: usize,
}

impl Arrays {
    pub(super) const NONE: Arrays = Arrays { count: 0, bytes: 0 };

    /// One with elements of a type.
    pub(super) const fn of<T>() -> Arrays {
        Arrays {
            count: 1,
            bytes: size_of::<T>(),
        }
    }

    /// These and others.
    pub(super) const fn and(self, others: Arrays) -> Arrays {
        Arrays {
            count: self.count + others.count,
            bytes: self.bytes + others.bytes,
        }
    }
}

/// How elements are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// How far ahead, in bytes.
    bytes: usize,
    /// Whether they go to the second-level cache alone.
    second: bool,
}

/// Whether arrays that are read side by side are asked for in the second-level cache.
static SECOND: AtomicBool = AtomicBool::new(false);

impl Ahead {
    /// Says whether arrays that are read side by side are asked for in the second-level cache, from where the processor fetches them by itself, while the first one is left to the bins.
    ///
    /// Two threads of a Zen 4, 2026-11-30, best of 7, 10^9 updates a second without asking, asking for the first level 2 KiB ahead, and for the second one 4 KiB ahead: `u32` keys and `f64` weights
    /// 2.11, 2.05, 2.56 (256 bins), 1.32, 1.65, 2.32 (4096), 1.26, 1.37, 1.56 (65,536), 0.68, 0.60, 0.79 (a million); `f32` weights 2.37, 2.93, 2.88 (256), 1.64, 1.99, 2.07 (65,536); two arrays
    /// of bytes 2.92, 3.03, 2.98. Keys alone: 2.05, 2.82, 2.20 (65,536).
    pub(in crate::cpu) fn prefer_second(prefers: bool) {
        SECOND.store(prefers, Ordering::Relaxed);
    }

    /// For these arrays side by side. It is worth nothing for a few bytes an item, and counts of pairs of bytes in runs took twice as long.
    #[inline(always)]
    pub(in crate::cpu) fn of(arrays: Arrays) -> Ahead {
        let second = arrays.count > 1 && arrays.bytes > FEW && SECOND.load(Ordering::Relaxed);
        Ahead {
            bytes: if second { 4096 } else { 2048 },
            second,
        }
    }
}

/// A line of every cache that we know of.
const LINE: usize = 64;

/// The most lines that are asked for in a group, for items so large that the loop is not bound by them.
const LINES: usize = 16;

/// Asks for the elements that come some bytes after `start..start + count`.
#[inline(always)]
pub(super) fn ahead<T>(slice: &[T], start: usize, count: usize, how: Ahead) {
    let size = const {
        if size_of::<T>() == 0 {
            1
        } else {
            size_of::<T>()
        }
    };
    let start = start.saturating_add(how.bytes / size);
    let end = start.saturating_add(count);
    if end > slice.len() {
        return;
    }
    let lines = (count * size).div_ceil(LINE).min(LINES);
    for line in 0..lines {
        match how.second {
            true => fetch::<_, true>(&slice[start], line * LINE),
            false => fetch::<_, false>(&slice[start], line * LINE),
        }
    }
}

/// The number of an element, as a loop's item.
pub trait Number: Copy {
    /// As an index, wherever that is.
    fn index(self) -> usize;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Number for $number {
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
        }
    )*};
}
numbers!(u16 u32 u64 usize);

impl<N: Number> Number for &N {
    #[inline(always)]
    fn index(self) -> usize {
        (*self).index()
    }
}

/// Asks for an element, its first and its last line, if there is one of this number.
#[inline(always)]
pub fn fetch_element<T>(array: &[T], number: impl Number) {
    if let Some(element) = array.get(number.index()) {
        fetch::<_, false>(element, 0);
        if size_of::<T>() > align_of::<T>() {
            fetch::<_, false>(element, size_of::<T>() - 1);
        }
    }
}

/// Asks for the line that is `offset` bytes behind an element, in the second-level cache alone or in the first one too.
#[inline(always)]
fn fetch<T, const SECOND: bool>(element: &T, offset: usize) {
    let address = std::ptr::from_ref(element)
        .cast::<i8>()
        .wrapping_add(offset);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch of any address is a hint and reads nothing that a program can see.
        unsafe {
            match SECOND {
                true => _mm_prefetch::<_MM_HINT_T1>(address),
                false => _mm_prefetch::<_MM_HINT_T0>(address),
            }
        };
    }
    #[cfg(any(not(target_arch = "x86_64"), miri))]
    let _ = address;
}
