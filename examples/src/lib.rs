//! Shared by the examples: their options, times, progress, and pictures that need no font of the system.

pub mod args;
pub mod chart;
pub mod page;
pub mod picture;
pub mod progress;
pub mod report;
pub mod timing;
