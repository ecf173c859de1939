//! Everything of accrue that is PTX: what a kernel and its launcher agree on, the strategies that own the
//! copies of the bins, and the simulator that runs the PTX text without a GPU.
//!
//! The crate depends on nothing but `std`; the compiler prints kernels with it and the runtime launches them
//! by it.

pub mod abi;
pub mod cell;
mod columns;
pub mod combine;
pub mod kernel;
pub mod library;
pub mod plan;
pub mod queues;
pub mod sample;
#[cfg(feature = "sim")]
pub mod sim;
pub mod strategy;
pub mod tile_reduce;
pub mod writer;
