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

#[doc(inline)]
pub use accrue_runtime::*;

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
