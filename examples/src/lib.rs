//! Shared by the examples: their options, times, progress, and pictures that need no font of the system. What two programs need is here, too.

pub mod args;
pub mod bars;
pub mod bch;
pub mod chart;
pub mod curves;
pub mod page;
pub mod phantom;
pub mod picture;
pub mod product;
pub mod progress;
pub mod report;
pub mod timing;
