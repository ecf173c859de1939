//! *accrue* turns a sequential Rust loop that fills bins into parallel code: on every core, or on a GPU.
//!
//! ```
//! use accrue::offload;
//!
//! #[offload(histogram)]
//! fn letters(text: &[u8], counts: &mut [u64; 26]) {
//!     for &byte in text {
//!         if byte.is_ascii_alphabetic() {
//!             counts[(byte.to_ascii_lowercase() - b'a') as usize] += 1;
//!         }
//!     }
//! }
//!
//! let mut counts = [0; 26];
//! letters(b"Bins, bins and more bins", &mut counts);
//! assert_eq!(counts[usize::from(b'b' - b'a')], 3);
//! ```
//!
//! The function keeps its signature and its result; what changes is where the loop runs. The attribute [`offload`] says
//! which loops it takes and what its arguments are.
//!
//! # What is promised
//!
//! - Integers come out exactly as from the sequential loop; floats up to the order of summation, and bit for bit the same
//!   from run to run under `#[offload(histogram, deterministic)]`.
//! - A bin out of range is the sequential loop's panic, `index out of bounds: the len is 4 but the index is 9`, and the
//!   bins are as they were before the call. The same holds for every panic in the body.
//! - Integer overflow inside the body behaves as the profile says, on every device. A bin that overflows wraps on a
//!   GPU in every profile: copies are added up in another order than the loop's, so no single addition is to blame.
//! - What the machine lacks, a driver, a device, memory, makes a call run on the CPU, with one line through the crate
//!   `log`. `try_call` of the companion returns an [`Error`] instead, except on `auto`, where it too runs on the CPU.
//!
//! # The companion
//!
//! Beside the function `letters` stands a type of the same name that has no values and these functions:
//!
//! - `letters::explain()`: a text that says what was detected, what is ruled out and why, and what ran last;
//! - `letters::try_call(..)`: the call with an [`Error`] in the place of a panic;
//! - `letters::on_device(&stream, ..)`: the call on data that is on the device already (a [`DeviceBuffer`]'s views), queued
//!   on a [`Stream`]; where the function is a single loop over its parameters.
//!
//! ```
//! # use accrue::offload;
//! # #[offload(histogram)]
//! # fn letters(text: &[u8], counts: &mut [u64; 26]) {
//! #     for &byte in text {
//! #         if byte.is_ascii_alphabetic() {
//! #             counts[(byte.to_ascii_lowercase() - b'a') as usize] += 1;
//! #         }
//! #     }
//! # }
//! let mut counts = [0; 26];
//! letters::try_call(b"one more", &mut counts)?;
//! assert!(letters::explain().contains("counts"));
//! # Ok::<(), accrue::Error>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | none | the CPU, through rayon |
//! | `cuda` | NVIDIA GPUs. Needs nothing to build but stable Rust, nothing to run but the driver |
//! | `sim` | a simulated GPU that executes the same kernels, slowly, and reports races and bad accesses |
//!
//! # Settings
//!
//! | variable | values |
//! | --- | --- |
//! | `ACCRUE_DEVICE` | `auto`, `seq`, `cpu`, `cuda`, `cuda:N`, `sim`: see [`enum@Device`] |
//! | `ACCRUE_STRATEGY` | `name[:key=value,..]`, such as `gang_shared:copies=4` or `private` |
//! | `ACCRUE_EXPLAIN` | `1`: says on standard error what was detected, and what runs and why whenever that changes |
//! | `ACCRUE_TUNE` | `1`: the first calls measure the strategies of a GPU instead of estimating them, and what was measured is kept |
//! | `ACCRUE_DUMP` | a folder: the PTX of each kernel is written there when it is first loaded |
//! | `ACCRUE_CACHE_DIR` | a folder for compiled kernels and measured times; empty: none are kept |
//! | `ACCRUE_SIM` | the simulated GPU, `key=value,..`: `sms`, `threads`, `shared`, `memory`, `capability`, `seed` |

// For the loops that measure a device: what the attribute emits names the crate as its users do.
#[cfg(any(feature = "cuda", feature = "sim"))]
extern crate self as accrue;

mod allocation;
#[cfg_attr(
    not(any(feature = "cuda", feature = "sim")),
    expect(
        dead_code,
        reason = "without a GPU's feature only the host is left, which runs no kernels"
    )
)]
mod backend;
mod bin;
mod buffer;
mod context;
#[doc(hidden)]
pub mod cpu;
mod device;
mod error;
#[cfg(any(feature = "cuda", feature = "sim"))]
mod gpu;
#[cfg(any(feature = "cuda", feature = "sim"))]
mod image_cache;
mod queue;
mod trying;

#[doc(hidden)]
pub use accrue_macros::__collect;
pub use accrue_macros::Device;
/// The attribute for functions whose loops fill bins, and for the functions that those loops call.
///
/// # What it takes
///
/// A function with `for` loops over ranges, slices, arrays, `&Vec`, the bytes of a `&str` and the usual adapters (`iter`, `copied`, `enumerate`,
/// `zip`, `chunks`, `chunks_exact`, `windows`, `skip`, `take`, `rev`, `step_by`), nested or not, whose body is ordinary scalar Rust and
/// whose effect is to update elements of bin arrays by one operator each, or scalars beside them:
///
/// ```
/// use accrue::offload;
///
/// /// A joint histogram, its weighted sum and the range of what was seen, in one pass.
/// #[offload(histogram)]
/// fn joint(a: &[u8], b: &[u8], w: &[f32], h: &mut [[u32; 16]; 16], sums: &mut [f64], seen: &mut (u8, u8)) {
///     let (mut lo, mut hi) = *seen;
///     for ((&x, &y), &weight) in a.iter().zip(b).zip(w) {
///         if weight <= 0.0 {
///             continue;
///         }
///         h[usize::from(y >> 4)][usize::from(x >> 4)] += 1;
///         sums[usize::from(x) % 7] += f64::from(weight);
///         lo = lo.min(x);
///         hi = hi.max(x);
///     }
///     *seen = (lo, hi);
/// }
///
/// let (mut h, mut sums, mut seen) = ([[0; 16]; 16], vec![0.0; 7], (255, 0));
/// joint(&[3, 200, 90], &[250, 0, 17], &[0.5, 0.25, -1.0], &mut h, &mut sums, &mut seen);
/// assert_eq!((h[15][0], h[0][12], h[1][5]), (1, 1, 0));
/// assert_eq!((sums[3], sums[4], seen), (0.5, 0.25, (3, 200)));
/// ```
///
/// Operators are `+=`, `-=`, `*=`, `|=`, `&=`, `^=`, `wrapping_add` and its like, `saturating_add` of unsigned bins, `min`, `max`.
/// A loop whose iterations could see each other's writes is refused, with a code that `docs/diagnostics.md` explains. Beside
/// others in a function it may stay as it is, if it says so; loops inside it run in parallel then:
///
/// ```
/// # use accrue::offload;
/// #[offload(histogram)]
/// fn ranks(keys: &[u8], starts: &mut [usize; 257]) {
///     for &k in keys {
///         starts[usize::from(k) + 1] += 1;
///     }
///     #[sequential]
///     for i in 1..257 {
///         starts[i] += starts[i - 1];
///     }
/// }
/// # let mut starts = [0; 257];
/// # ranks(b"bins", &mut starts);
/// # assert_eq!((starts[98], starts[99], starts[256]), (0, 1, 4));
/// ```
pub use accrue_macros::offload;
pub use bin::Bin;
pub use buffer::{DeviceBuffer, DeviceSlice, DeviceSliceMut, DeviceType};
pub use context::{DeviceInfo, devices};
pub use device::{Device, with_device};
pub use error::Error;
pub use queue::{Mark, Stream};

/// What the code that `#[offload]` emits calls. Not for people: it changes with the macro.
#[doc(hidden)]
pub mod __rt {
    pub use crate::buffer::{check_length, host_slice, host_slice_mut};
    pub use crate::trying::{is_host, on_host, try_call};

    pub mod cpu {
        //! Loops on the CPU.

        pub use crate::cpu::drive::{Drive, NoWayOut};
        pub use crate::cpu::list::scalar;
        pub use crate::cpu::member::{bins, bins_array, bins2, bins2_array, bins3, row_len};
        pub use crate::cpu::op;
        pub use crate::cpu::request::with_strategy;
        pub use crate::cpu::run::Run;
        pub use crate::cpu::site::Site;
        pub use crate::cpu::source::{Chunks, Pairs, Source, Windows, rows, source};
    }

    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub mod gpu {
        pub use crate::gpu::{
            Array, Attempt, Bins, Candidate, LastRun, Loop, Slot, abi, attempt, call, candidates,
            div_ceil, keep_speeds, limits_of, model, no_count, queue, refuse, wait_for_kernels,
            wanted,
        };
    }
}
