//! Offloaded loops on a GPU or its simulator: what the macro emits, and how a call of it runs.
//!
//! The macro puts a [`Loop`](choose::offloaded::Loop) into the user's binary as a `static` and calls [`attempt`](attempt::attempt) before the CPU's form
//! of the loop, or [`queue`](call::queue) for data that is on the device already.
//!
//! From the ground: [`load`] gets kernels from text, [`choose`] says which one a call runs, [`launch`] queues it and settles what became of it, and
//! on top [`call`] is a whole call, and [`pieces`] one that takes several launches, each with a part of the data.

pub(crate) mod apart;
pub(crate) mod appended;
pub(crate) mod array;
pub(crate) mod attempt;
#[cfg(any(test, feature = "bench"))]
pub(crate) mod bench;
pub(crate) mod calibrate;
pub(crate) mod call;
pub(crate) mod choose;
pub(crate) mod foreign;
pub(crate) mod launch;
pub(crate) mod load;
pub(crate) mod pieces;
pub(crate) mod reach;
pub(crate) mod stay;
#[cfg(all(test, feature = "sim"))]
mod tests;
