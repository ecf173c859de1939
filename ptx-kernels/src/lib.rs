//! Everything of accrue that is PTX: what a kernel and its launcher agree on, the strategies that own the
//! copies of the bins, and the cost model that chooses among them.
//!
//! The crate depends on nothing but `std` and the table of operators; the compiler prints kernels with it and the runtime launches them
//! by it.

pub mod abi;
pub mod cell;
mod columns;
pub mod combine;
pub mod cost;
pub mod cut;
pub mod kernel;
pub mod library;
pub mod pack;
pub mod plan;
pub mod queues;
pub mod sample;
pub mod strategy;
pub mod tile_reduce;
pub mod writer;
