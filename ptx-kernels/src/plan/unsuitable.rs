//! Why a launch cannot be planned.

use std::fmt;

use crate::abi::Text;

/// Why a module cannot run this call on this device; another may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsuitable {
    /// One copy of each target is more than the shared memory of a block.
    SharedMemory {
        /// Bytes needed.
        needed: u64,
        /// Bytes that a block has.
        available: u64,
    },
    /// The module is for newer devices.
    Capability {
        /// Compute capability needed, times ten.
        needed: u32,
        /// The device's.
        available: u32,
    },
    /// The module is for larger blocks.
    Threads {
        /// Threads that a gang needs.
        needed: u32,
        /// Threads that a block has at most.
        available: u32,
    },
    /// One iteration makes more updates than the cells in shared memory are sure to hold.
    Updates {
        /// Updates of an iteration.
        updates: u32,
    },
    /// What the user asked for cannot be.
    Wish(Text),
}

impl fmt::Display for Unsuitable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsuitable::SharedMemory { needed, available } => {
                write!(
                    f,
                    "needs {needed} bytes of shared memory for each gang, the device has {available}"
                )
            }
            Unsuitable::Capability { needed, available } => write!(
                f,
                "needs compute capability {}.{}, the device has {}.{}",
                needed / 10,
                needed % 10,
                available / 10,
                available % 10
            ),
            Unsuitable::Threads { needed, available } => {
                write!(
                    f,
                    "needs {needed} threads for each gang, the device has {available}"
                )
            }
            Unsuitable::Updates { updates } => write!(
                f,
                "one iteration makes {updates} updates, which could overflow the copies in shared memory"
            ),
            Unsuitable::Wish(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unsuitable {}
