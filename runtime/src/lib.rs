//! *accrue* turns a sequential Rust loop that fills bins into parallel code: on every core, or on a GPU.

mod device;
mod error;

pub use device::{Device, with_device};
pub use error::Error;
