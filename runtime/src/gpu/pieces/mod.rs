//! Calls whose data do not fit into a device's memory, or that several devices share: parts of their iterations, with parts of their arrays.
//!
//! [`cut`] says how a call is cut, and [`alone`] runs all pieces on one device. [`divided`] shares a call out to several, whose [`portions`] run at
//! the same time, and [`combine`]s their bins. [`runner`] is a device that runs pieces, in what [`memory`] they need: while the kernel of one
//! works, the next one's part of the arrays is copied there. Kernels see arrays at their own indices and iterations by their own
//! numbers, so a fault is that of the whole call. Bins are collected in memory of the call's own, and reach the caller's when all
//! iterations have succeeded.

mod alone;
mod combine;
pub(in crate::gpu) mod cut;
mod divided;
mod memory;
mod portions;
pub(in crate::gpu) mod runner;
