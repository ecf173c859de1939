//! Tiled initialisation: fills scratch memory with an operator's neutral element, 16 bytes a store.

use crate::gpu;

/// Sixteen bytes that are stored at once.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Vector([u64; 2]);

/// The body of every initialisation entry: `scalars` times the low `SIZE` bytes of `bits`.
///
/// # Safety
///
/// `scratch` is that much memory, aligned to 16 bytes, and nothing else touches it.
#[inline(always)]
unsafe fn fill<const SIZE: u64>(scratch: *mut u8, scalars: u64, bits: u64) {
    let word = if SIZE == 4 { bits << 32 | bits } else { bits };
    let bytes = scalars * SIZE;
    let thread = u64::from(gpu::block()) * u64::from(gpu::threads()) + u64::from(gpu::thread());
    let threads = u64::from(gpu::blocks()) * u64::from(gpu::threads());
    let vectors = bytes / 16;
    let mut vector = thread;
    while vector < vectors {
        // SAFETY: the vector lies below `bytes`.
        unsafe { *scratch.cast::<Vector>().add(vector as usize) = Vector([word, word]) };
        vector += threads;
    }
    // Up to three scalars are left.
    let rest = vectors * (16 / SIZE) + thread;
    if rest < scalars {
        // SAFETY: the scalar lies below `bytes`; each thread has another.
        unsafe {
            if SIZE == 4 {
                *scratch.cast::<u32>().add(rest as usize) = bits as u32;
            } else {
                *scratch.cast::<u64>().add(rest as usize) = bits;
            }
        }
    }
}

macro_rules! entries {
    ($($name:ident: $size:literal bytes of $bits:expr;)*) => {$(
        /// Fills `scratch`, aligned to 16 bytes, with `scalars` neutral elements. Any grid, any block of 4 threads or more.
        ///
        /// # Safety
        ///
        /// `scratch` is that much memory, and nothing else touches it.
        // SAFETY: the name is prefixed with the project's and defined once.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(scratch: *mut u8, scalars: u64) {
            // SAFETY: the caller's word.
            unsafe { fill::<$size>(scratch, scalars, $bits) }
        }
    )*};
}
// By what they write; `accrue_ptx::library::initialise_entry` says which operator takes which.
entries! {
    accrue_initialise_zero_32: 4 bytes of 0;
    accrue_initialise_one_32: 4 bytes of 1;
    accrue_initialise_ones_32: 4 bytes of 0xffff_ffff;
    accrue_initialise_signed_min_32: 4 bytes of 0x8000_0000;
    accrue_initialise_signed_max_32: 4 bytes of 0x7fff_ffff;
    accrue_initialise_float_one_32: 4 bytes of 1f32.to_bits() as u64;
    accrue_initialise_zero_64: 8 bytes of 0;
    accrue_initialise_one_64: 8 bytes of 1;
    accrue_initialise_ones_64: 8 bytes of u64::MAX;
    accrue_initialise_signed_min_64: 8 bytes of i64::MIN as u64;
    accrue_initialise_signed_max_64: 8 bytes of i64::MAX as u64;
    accrue_initialise_float_one_64: 8 bytes of 1f64.to_bits();
}
