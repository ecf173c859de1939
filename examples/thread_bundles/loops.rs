//! The joint histogram of this example, once for each number of threads that share a local copy of it.

use accrue::offload;

/// Bins of a side.
pub(crate) const SIDE: usize = 32;

/// One loop under the attribute's arguments: a copy for `bundle` threads in shared memory, or `locals` copies in device memory.
macro_rules! joint {
    ($($name:ident($($arguments:tt)*))*) => {
        $(
            /// Counts pairs of voxels.
            #[offload(histogram, $($arguments)*)]
            pub(crate) fn $name(a: &[u8], b: &[u8], joint: &mut [[u32; 32]; 32]) {
                for (&x, &y) in a.iter().zip(b) {
                    joint[(x >> 3) as usize][(y >> 3) as usize] += 1;
                }
            }
        )*
    };
}

joint! {
    bundle_1(strategy = "gang_shared", bundle = 1)
    bundle_32(strategy = "gang_shared", bundle = 32)
    bundle_64(strategy = "gang_shared", bundle = 64)
    bundle_128(strategy = "gang_shared", bundle = 128)
    bundle_256(strategy = "gang_shared", bundle = 256)
    bundle_512(strategy = "gang_shared", bundle = 512)
    bundle_1024(strategy = "gang_shared", bundle = 1024)
    locals_64(strategy = "gang_global", locals = 64)
    locals_8(strategy = "gang_global", locals = 8)
    naive(strategy = "atomic_global")
}

/// As accrue chooses.
#[offload(histogram)]
pub(crate) fn auto(a: &[u8], b: &[u8], joint: &mut [[u32; 32]; 32]) {
    for (&x, &y) in a.iter().zip(b) {
        joint[(x >> 3) as usize][(y >> 3) as usize] += 1;
    }
}
