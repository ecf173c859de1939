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
//! - `letters::on(..)`: the call on data wherever it is: each array is a slice, a [`Resident`] that stays on the device where it was last
//!   used, or a view of a [`DeviceBuffer`];
//! - `letters::over(chunks, ..)`: one chunk of data after the other, from a file say, as one transaction;
//! - `letters::on_stream(&stream, ..)`: the same, queued on a [`Stream`] where that can be; `on_device` is its form for buffers alone, where
//!   the function is a single loop over its parameters;
//! - `letters::across(&ranks, ..)`: the call as one of several ranks that each have a part of the items, threads or the processes of an MPI
//!   job ([`Collective`]): every rank ends with the bins of all.
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
//! | none | the CPU, on as many threads as rayon would use |
//! | `cuda` | NVIDIA GPUs of compute capability 7.0 (Volta) or later, with a driver for CUDA 11.2 or later. Needs nothing to build but stable Rust, nothing to run but the driver |
//! | `ndarray` | loops over arrays and views of the crate ndarray, `a[[y, x]]`, beside those over slices: [`pages::loops`] |
//! | `image` | loops over pictures of the crate image, `img.get_pixel(x, y)`, likewise |
//! | `sim` | a simulated GPU that executes the same kernels, slowly, and reports races and bad accesses |
//!
//! # Settings
//!
//! | variable | values |
//! | --- | --- |
//! | `ACCRUE_DEVICE` | `auto`, `seq`, `cpu`, `cuda`, `cuda:N`, `cuda:all`, `sim`, `sim:N`: see [`Device`] |
//! | `ACCRUE_MEMORY` | bytes of a device's memory, `2GiB`: calls whose data are larger run in pieces, see [`with_memory`] |
//! | `ACCRUE_STRATEGY` | `name[:key=value,..]`, such as `gang_shared:copies=4` or `private` |
//! | `ACCRUE_EXPLAIN` | `1`: says on standard error what was detected, and what runs and why whenever that changes |
//! | `ACCRUE_TUNE` | `1`: the first calls measure the strategies of a GPU instead of estimating them, and what was measured is kept |
//! | `ACCRUE_DUMP` | a folder: the PTX of each kernel is written there when it is first loaded |
//! | `ACCRUE_CACHE_DIR` | a folder for compiled kernels and measured times; empty: none are kept |
//! | `ACCRUE_RESET` | `1`: a CUDA device may be reset after a fault, although others in the process use it: see [`allow_device_reset`] |
//! | `ACCRUE_SIM` | the simulated GPU, `key=value,..`: `sms`, `threads`, `shared`, `memory`, `capability`, `seed` |

// For the loops that measure a device: what the attribute emits names the crate as its users do.
#[cfg(any(feature = "cuda", feature = "sim"))]
extern crate self as accrue;

mod across;
mod base;
mod cpu;
#[cfg_attr(
    not(any(feature = "cuda", feature = "sim")),
    expect(
        dead_code,
        reason = "without a GPU's feature only the host is left, which runs no kernels"
    )
)]
mod device;
#[cfg(any(feature = "cuda", feature = "sim"))]
mod gpu;

/// The pages of the repository's folder `docs/` that are about using this version.
///
/// A code such as `accrue::H010` is a heading of [`diagnostics`](pages::diagnostics).
#[cfg(doc)]
pub mod pages {
    // A page names what it links to. Here that is another page than on disk: the first definition of a name is the one that counts.
    #[doc = "[promises.md]: ../promises/index.html#functions-that-a-loop-calls"]
    #[doc = "[loops.md]: ../loops/index.html#the-best-item"]
    #[doc = ""]
    #[doc = include_str!("../pages/diagnostics.md")]
    pub mod diagnostics {}

    #[doc = "[data wherever they are]: ../data/index.html"]
    #[doc = "[`Error`]: crate::Error"]
    #[doc = "[`Resident`]: crate::Resident"]
    #[doc = "[diagnostics.md]: ../diagnostics/index.html"]
    #[doc = ""]
    #[doc = include_str!("../pages/loops.md")]
    pub mod loops {}

    #[doc = include_str!("../pages/data.md")]
    pub mod data {}

    #[doc = include_str!("../pages/promises.md")]
    pub mod promises {}
}

#[doc(hidden)]
pub use accrue_macros::__collect;
/// Lets offloaded loops use a `#[repr(C)]` struct of numbers on a device: see the trait [`DeviceType`](trait@DeviceType).
pub use accrue_macros::DeviceType;
/// Says that a type of one's own is plain data, and proves it field by field: see the trait [`Plain`](trait@Plain).
pub use accrue_macros::Plain;
/// The attribute for functions whose loops run in parallel, and for the functions that those loops call.
///
/// # Loops of any kind
///
/// `#[offload]` takes loops in which every element that is written belongs to one iteration: maps, stencils, rows, matrices. Beside
/// these elements an iteration may combine into bins and scalars, as below. They run on every core, and, where all of their parts are known,
/// on GPUs.
///
/// ```
/// use accrue::offload;
///
/// /// Halves an image's resolution, and finds its brightest pixel.
/// #[offload]
/// fn halve(image: &[u8], w: usize, small: &mut [u8]) -> u8 {
///     let mut brightest = 0;
///     for (y, row) in small.chunks_exact_mut(w / 2).enumerate() {
///         for (x, out) in row.iter_mut().enumerate() {
///             let at = 2 * y * w + 2 * x;
///             let sum: u32 = u32::from(image[at]) + u32::from(image[at + 1])
///                 + u32::from(image[at + w]) + u32::from(image[at + w + 1]);
///             *out = (sum / 4) as u8;
///             brightest = brightest.max(*out);
///         }
///     }
///     brightest
/// }
///
/// let mut small = [0; 2];
/// assert_eq!(halve(&[1, 3, 50, 50, 5, 7, 50, 54], 4, &mut small), 51);
/// assert_eq!(small, [4, 51]);
/// ```
///
/// Iterations that read what others write are refused, with both accesses and the distance between them. After a panic, which is that
/// of the earliest iteration that has one, an element holds what it held before or what its iteration has written;
/// bins and scalars are as before the call.
///
/// # Loops that fill bins
///
/// `#[offload(histogram)]` asserts that a function's loops only combine into bins and scalars. They are a transaction then,
/// and run on GPUs as well. It takes
///
/// a function with `for` loops over ranges, slices, arrays, `&Vec`, the bytes of a `&str` and the usual adapters (`iter`, `copied`, `enumerate`,
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
/// A loop whose iterations could see each other's writes is refused, with a code that [`pages::diagnostics`] explains. Beside
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
pub use across::collective::Collective;
pub use base::bin::Bin;
pub use base::budget::with_memory;
pub use base::choice::with_device;
pub use base::device::Device;
pub use base::device_type::DeviceType;
pub use base::error::Error;
pub use base::plain::Plain;
pub use base::progress::{Progress, with_progress};
pub use base::reset::allow_device_reset;
pub use base::stats::{Stats, stats};
pub use device::argument::{Exclusive, Shared};
pub use device::buffer::{DeviceBuffer, DeviceSlice, DeviceSliceMut};
pub use device::chunks::{Chunk, Raw, ReadChunk, ReadChunks, read_chunks};
pub use device::list::{DeviceInfo, devices};
pub use device::queue::{Mark, Stream};
pub use device::recording::Recording;
pub use device::resident::{Resident, ResidentSlice, ResidentSliceMut};
pub use device::scope::{Scope, resident};

pub mod interop {
    //! Memory that other libraries have on a device, lent to calls, and buffers lent to them: without a copy.
    //!
    //! Each side has streams of its own. What is lent is used after what its owner has queued before, and what the owner queues later comes
    //! after the calls: by events, so that the host waits for nothing.
    //!
    //! - [`lend`] takes what others have and calls with it what you write: arrays of the crate `cudarc` (feature `cudarc`) and of Rust-CUDA's
    //!   `cust` (feature `cust`), and a [`RawSlice`] of any other.
    //! - [`DeviceSlice::with_raw`](crate::DeviceSlice::with_raw) and the like have others use what accrue has.

    #[cfg(feature = "cust")]
    pub use crate::device::interop::{Cust, CustMut, cust, cust_mut};
    pub use crate::device::interop::{Lend, RawSlice, RawSliceMut, lend};
}

pub mod collective {
    //! What connects the ranks of calls by `across` of the companion: see [`Collective`], and `docs/data.md`, "Across ranks".

    pub use crate::across::collective::{Collective, Op};
    pub use crate::across::combine::combine;
    pub use crate::across::threads::{Thread, threads};
    pub use crate::base::values::Values;
}

/// What the code that `#[offload]` emits calls. Not for people: it changes with the macro.
#[doc(hidden)]
pub mod __rt {
    // By these names a crate without `std` of its own has them too.
    pub use std::borrow::Cow;
    pub use std::string::String;

    pub use crate::base::layout::{Layout, check_struct};
    pub use crate::base::seen::{
        ALL, AskBins, AskForwardingBehind, AskForwardingBins, AskOther, AskOwnIndex,
        AskOwnIndexBehind, Seen, bins,
    };
    pub use crate::base::seen::{
        AskAnything, AskCast, AskElements, AskForwarding, AskIndexed, AskLength, AskNumber,
        AskPointer,
    };
    pub use crate::base::trying::try_call;
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub use crate::device::argument::staying;
    pub use crate::device::argument::{exclusive, is_within_reach, is_within_reach_mut, shared};
    pub use crate::device::buffer::check_length;
    pub use crate::device::chunks::over;
    pub use crate::device::on::on;

    pub mod names {
        //! Whether names are what the compiler took them for.

        pub use crate::base::names::{
            DeviceFunction, Is, NoStructure, Probe, Structure, constant, primitive, row,
            row_of_row, same, structure, value,
        };
        pub use crate::base::told::{
            Question, Told, call_of, confirmed, constant_of, field_of, fingerprint, id, is,
            length_of, type_of,
        };
    }

    pub mod plain {
        //! Questions to rustc about what iterations share.

        pub use crate::base::plain::{
            Ask, Fine, Held1, Held2, Held3, Item1, Item2, Item3, Item4, Item5, Item6, Made1, Made2,
            Made3, Made4, Made5, Made6, Number1, Number2, OfNumbers, Plain, Two,
        };
    }

    pub mod flat {
        //! Arrays of other crates as slices.

        pub use crate::base::flat::{
            at1, at2, at3, flat, flat_mut, in1, in2, in3, lengths, lies, pixel, pixel_in,
        };
    }

    pub mod fields {
        //! Fields of bins as arrays of their own.

        pub use crate::base::fields::{copied, count, gather, pay, scatter};
    }

    pub mod across {
        //! Calls across ranks.

        pub use crate::across::call::{Call, Loop, loop_of};
        pub use crate::across::part::{
            AskNoPlace, AskPlace, Part, Place, best, bins, bins2, bins3, scalar, values,
        };
    }

    pub mod cpu {
        //! Loops on the CPU.

        pub use crate::cpu::distinct::Distinct;
        pub use crate::cpu::drive::NoWayOut;
        pub use crate::cpu::each::Each;
        pub use crate::cpu::grown::Grows;
        pub use crate::cpu::guard::{Form, Guard, cast, number, quotient};
        pub use crate::cpu::keys::{AskKeys, AskNoKeys};
        pub use crate::cpu::limited::limited;
        pub use crate::cpu::list::scalar;
        pub use crate::cpu::maps::{latest, recurrence, restarting};
        pub use crate::cpu::member::{bins, bins_array, bins2, bins2_array, bins3, row_len};
        pub use crate::cpu::op;
        pub use crate::cpu::own::{Own, Part};
        pub use crate::cpu::run::Run;
        pub use crate::cpu::scan::{cursor, scan};
        pub use crate::cpu::site::Site;
        pub mod combined {
            //! What loops combine into beside elements of their own.

            pub use crate::cpu::best::{best, compared};
            pub use crate::cpu::each::{bins, row_of, scalar};
        }
        pub use crate::cpu::source::{
            Chunks, ChunksMut, ElementsMut, Pairs, Source, Windows, count, elements, rows, source,
        };
    }

    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub mod gpu {
        pub use accrue_ptx::abi;

        pub use crate::gpu::array::{Array, Bins, Slot};
        pub use crate::gpu::attempt::{
            Attempt, Place, attempt, lying, meeting, refuse, unconfirmed, wanted,
        };
        pub use crate::gpu::call::div_ceil;
        pub use crate::gpu::choose::offloaded::Loop;
        pub use crate::gpu::foreign::{element_of, element_of_mut, foreign, lies, same};
        pub use crate::gpu::reach::Reach;
        pub use crate::gpu::stay::{
            Ask, AskNoPlace, AskNotShared, AskPlace, AskShared, AskShares, Stay,
        };
    }
}

/// What accrue's own benches and tests ask beside what users can. Not for people: it changes without notice.
#[cfg(feature = "bench")]
#[doc(hidden)]
pub mod __bench {
    pub use crate::cpu::bench::{StrategyRow, strategies, trials, with_strategy};
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub use crate::gpu::bench::{
        call, free_memory, keep_speeds, limits_of, pinned_rate, queue, wait_for_kernels,
    };
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub use crate::gpu::choose::explain::LastRun;
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub use crate::gpu::choose::select::{Candidate, candidates};
}
