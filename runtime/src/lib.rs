//! *accrue* turns a sequential Rust loop that fills bins into parallel code: on every core, or on a GPU.

#[cfg_attr(
    not(any(feature = "cuda", feature = "sim")),
    expect(
        dead_code,
        reason = "without a GPU's feature only the host is left, which runs no kernels"
    )
)]
mod backend;
mod bin;
mod buffer;
mod context;
#[doc(hidden)]
pub mod cpu;
mod device;
mod error;
#[cfg(any(feature = "cuda", feature = "sim"))]
mod gpu;
#[cfg(any(feature = "cuda", feature = "sim"))]
mod image_cache;
mod queue;
mod trying;

#[doc(hidden)]
pub use accrue_macros::__collect;
pub use accrue_macros::{Device, offload};
pub use bin::Bin;
pub use buffer::{DeviceBuffer, DeviceSlice, DeviceSliceMut, DeviceType};
pub use context::{DeviceInfo, devices};
pub use device::{Device, with_device};
pub use error::Error;
pub use queue::{Mark, Stream};

/// What the code that `#[offload]` emits calls. Not for people: it changes with the macro.
#[doc(hidden)]
pub mod __rt {
    pub use crate::buffer::{check_length, host_slice, host_slice_mut};
    pub use crate::trying::{is_host, on_host, try_call};

    pub mod cpu {
        //! Loops on the CPU.

        pub use crate::cpu::drive::Drive;
        pub use crate::cpu::list::scalar;
        pub use crate::cpu::member::{bins, bins_array, bins2, bins2_array, bins3, row_len};
        pub use crate::cpu::op;
        pub use crate::cpu::request::with_strategy;
        pub use crate::cpu::run::Run;
        pub use crate::cpu::site::Site;
        pub use crate::cpu::source::{Chunks, Source, Windows, source};
    }

    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub mod gpu {
        pub use crate::gpu::{
            Array, Attempt, Bins, Loop, Slot, abi, attempt, call, div_ceil, no_count, queue,
            refuse, wanted,
        };
    }
}
