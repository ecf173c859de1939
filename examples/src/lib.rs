//! Shared by the examples: what is on the command line, timing, and plots that need no font of the system.

pub mod args;
pub mod chart;
pub mod picture;
pub mod timing;
