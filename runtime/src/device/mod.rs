//! Devices: what is asked of one, what is kept for it, its streams and memory.
//!
//! From the ground: [`backend`] is the device itself, [`staging`] large copies, [`images`] compiled kernels on disk, [`context`] a device
//! in use, [`open`] those of the process, [`list`] what there is, [`queue`] streams, [`allocation`] memory and who uses it when, [`buffer`] what users hold of it.

pub(crate) mod allocation;
pub(crate) mod backend;
pub(crate) mod buffer;
pub(crate) mod context;
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) mod images;
pub(crate) mod list;
pub(crate) mod on_host;
pub(crate) mod open;
pub(crate) mod queue;
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) mod staging;
