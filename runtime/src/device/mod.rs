//! Devices: what is asked of one, what is kept for it, its streams and memory.
//!
//! From the ground: [`backend`] is the device itself, [`staging`] large copies, [`images`] compiled kernels on disk, [`context`] a device
//! in use, [`open`] those of the process, [`list`] what there is, [`queue`] streams, [`recording`] calls that are put on one again and again, [`allocation`] memory and who uses it when, [`buffer`] what users hold of it,
//! [`ranges`] sets of bytes, [`residence`] which copies of host memory are current, [`held`] what this thread's calls find on a device, [`scope`] and [`resident`] what users see of
//! these, [`argument`] what a call takes wherever it is, [`on`] where such a call runs, [`chunks`] calls with one chunk of data after the other,
//! [`interop`] memory of other libraries, and ours for them.

pub(crate) mod allocation;
pub(crate) mod argument;
pub(crate) mod backend;
pub(crate) mod buffer;
pub(crate) mod chunks;
pub(crate) mod context;
pub(crate) mod held;
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) mod images;
pub(crate) mod interop;
pub(crate) mod list;
pub(crate) mod on;
pub(crate) mod open;
pub(crate) mod queue;
#[cfg_attr(
    not(any(feature = "cuda", feature = "sim")),
    expect(dead_code, reason = "no device has a part")
)]
pub(crate) mod ranges;
pub(crate) mod recording;
pub(crate) mod residence;
pub(crate) mod resident;
pub(crate) mod scope;
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) mod staging;
