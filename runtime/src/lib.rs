//! The runtime of accrue: what the code that `#[offload]` emits calls, and the devices that it runs on.
//!
//! Users have it through the crate `accrue`, which adds the attribute. It is a crate of its own so that it builds beside the compiler: a
//! user's build needs both, and without a GPU's feature neither needs the other.

// For the loops that measure a device: what the attribute emits names the crate as its users do.
#[cfg(any(feature = "cuda", feature = "sim"))]
extern crate self as accrue;

mod across;
mod base;
mod cpu;
#[cfg_attr(
    not(any(feature = "cuda", feature = "sim")),
    expect(
        dead_code,
        reason = "without a GPU's feature only the host is left, which runs no kernels"
    )
)]
mod device;
#[cfg(any(feature = "cuda", feature = "sim"))]
mod gpu;

pub use across::collective::Collective;
pub use base::bin::Bin;
pub use base::budget::with_memory;
pub use base::choice::with_device;
pub use base::device::Device;
pub use base::device_type::DeviceType;
pub use base::error::Error;
pub use base::plain::Plain;
pub use base::progress::{Progress, with_progress};
pub use base::reset::allow_device_reset;
pub use base::stats::{Stats, stats};
pub use device::argument::{Exclusive, Shared};
pub use device::buffer::{DeviceBuffer, DeviceSlice, DeviceSliceMut};
pub use device::chunks::{Chunk, Raw, ReadChunk, ReadChunks, read_chunks};
pub use device::list::{DeviceInfo, devices};
pub use device::queue::{Mark, Stream};
pub use device::recording::Recording;
pub use device::resident::{Resident, ResidentSlice, ResidentSliceMut};
pub use device::scope::{Scope, resident};

pub mod interop {
    //! Memory that other libraries have on a device, lent to calls, and buffers lent to them: without a copy.
    //!
    //! Each side has streams of its own. What is lent is used after what its owner has queued before, and what the owner queues later comes
    //! after the calls: by events, so that the host waits for nothing.
    //!
    //! - [`lend`] takes what others have and calls with it what you write: arrays of the crate `cudarc` (feature `cudarc`) and of Rust-CUDA's
    //!   `cust` (feature `cust`), and a [`RawSlice`] of any other.
    //! - [`DeviceSlice::with_raw`](crate::DeviceSlice::with_raw) and the like have others use what accrue has.

    #[cfg(feature = "cust")]
    pub use crate::device::interop::{Cust, CustMut, cust, cust_mut};
    pub use crate::device::interop::{Lend, RawSlice, RawSliceMut, lend};
}

pub mod collective {
    //! What connects the ranks of calls by `across` of the companion: see [`Collective`], and `docs/data.md`, "Across ranks".

    pub use crate::across::collective::{Collective, Op};
    pub use crate::across::combine::combine;
    pub use crate::across::device_values::DeviceValues;
    pub use crate::across::threads::{Thread, threads};
    pub use crate::base::values::Values;
}

/// What the code that `#[offload]` emits calls. Not for people: it changes with the macro.
#[doc(hidden)]
pub mod __rt {
    // By these names a crate without `std` of its own has them too.
    pub use std::borrow::Cow;
    pub use std::string::String;

    pub use crate::base::layout::{Layout, check_struct};
    pub use crate::base::numbers::numbers;
    pub use crate::base::seen::{
        ALL, AskBins, AskForwardingBehind, AskForwardingBins, AskOther, AskOwnIndex,
        AskOwnIndexBehind, Seen, bins,
    };
    pub use crate::base::seen::{
        AskAnything, AskCast, AskElements, AskForwarding, AskIndexed, AskLength, AskNumber,
        AskPointer,
    };
    pub use crate::base::trying::try_call;
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub use crate::device::argument::staying;
    pub use crate::device::argument::{exclusive, is_within_reach, is_within_reach_mut, shared};
    pub use crate::device::buffer::check_length;
    pub use crate::device::chunks::over;
    pub use crate::device::on::on;

    pub mod methods {
        //! Whether methods are those of slices and vectors.

        pub use crate::base::methods::{
            AskOthers, AskTheirs, Methods, Place, Theirs, is_of_the_type, is_theirs, returned,
            same_length,
        };
    }

    pub mod names {
        //! Whether names are what the compiler took them for.

        pub use crate::base::names::{
            DeviceFunction, Is, NoStructure, Probe, Structure, constant, primitive, row,
            row_of_row, same, structure, value,
        };
        pub use crate::base::told::{
            Question, Told, call_of, confirmed, constant_of, field_of, fingerprint, id, is,
            length_of, type_of,
        };
    }

    pub mod plain {
        //! Questions to rustc about what iterations share.

        pub use crate::base::plain::{
            Ask, AskBeside, Filled1, Filled2, Fine, Held1, Held2, Held3, Item1, Item2, Item3,
            Item4, Made1, Made2, Made3, Made4, Made5, Made6, Moved1, Moved2, Number1, Number2,
            OfNumbers, Plain, Two, Whole1, Whole2, Whole3, Whole4, Within1, Within2, Within3,
        };
    }

    pub mod flat {
        //! Arrays of other crates as slices.

        pub use crate::base::flat::{
            at1, at2, at3, flat, flat_mut, in1, in2, in3, kept, lengths, lies, of1, of2, pixel,
            pixel_in, put_back,
        };
    }

    pub mod rows {
        //! Vectors of vectors as one array.

        pub use crate::base::rows::{gather, pay, scatter, sides};
    }

    pub mod laid {
        //! Whether bins with several indices are one array.

        pub use crate::base::laid::{
            AskApart2, AskApart3, AskArray2, AskArray3, AskBehind2, Laid, together,
        };
    }

    pub mod fields {
        //! Fields of bins as arrays of their own.

        pub use crate::base::fields::{
            Fits, Notes, PART, alone, are_many, caught, copied, count, gather, go_on, pay, put,
            rehearse, scatter,
        };
    }

    pub mod ahead {
        //! Arrays that are read ahead of where they are changed.

        pub use crate::cpu::ahead::{apart, behind, copied, step};
    }

    pub mod kept {
        //! What items are compared by where an `Option` keeps the best.

        pub use crate::cpu::kept::{held, item, of};
        pub use crate::cpu::optional::{kept_into, untaken, worst};
    }

    pub mod across {
        //! Calls across ranks.

        pub use crate::across::call::{Call, Loop, loop_of};
        pub use crate::across::part::{
            AskNoPlace, AskPlace, Part, Place, best, bins, bins2, bins3, scalar, values,
        };
    }

    pub mod cpu {
        //! Loops on the CPU.

        pub use crate::cpu::best::running;
        pub use crate::cpu::collected::{
            AnyItems, AnyText, Count, Items, Text, collected, counts, later, lent_text, owned,
            parts, take, text,
        };
        pub use crate::cpu::distinct::Distinct;
        pub use crate::cpu::drive::NoWayOut;
        pub use crate::cpu::each::{Each, are_fewer};
        pub use crate::cpu::grown::{Grows, Held, Lent};
        pub mod grown {
            //! What a loop appends to.

            pub use crate::cpu::grown::{
                AskBehind, AskFarBehind, AskItself, AskLeads, AskLeadsFar, AskLeadsNowhere,
                AskNone, Asks, collection,
            };
        }
        pub use crate::cpu::guard::{Form, Guard, cast, greatest, least, number, quotient};
        pub use crate::cpu::items::{AnyArray, Array, with1, with2, with3, with4, with5, with6};
        pub mod keyed {
            //! Maps that loops group by keys.

            pub use crate::cpu::keyed::{
                Groups, appending, begins, combining, comparing, elements, entries, field, holds,
                keeping, replacing,
            };
        }
        pub use crate::cpu::jam::{Jam, LANES};
        pub use crate::cpu::keys::{AskKeys, AskNoKeys};
        pub mod fields {
            //! What the elements of a field are.
            pub use crate::cpu::elements::{Lent, Shared};
        }
        pub mod known {
            //! Whether what a loop combines into has the operator.

            pub use crate::cpu::known::{
                AskKnown, AskLacks, AskNoNumber, AskReference, bins, bins_array, bins2,
                bins2_array, bins3, bins3_array, scalar,
            };
        }
        pub use crate::cpu::level::Level;
        pub use crate::cpu::limited::limited;
        pub use crate::cpu::list::scalar;
        pub use crate::cpu::maps::{latest, recurrence, restarting};
        pub use crate::cpu::member::{
            bins, bins_array, bins2, bins2_array, bins3, bins3_array, row_len, turned,
        };
        pub use crate::cpu::op;
        pub use crate::cpu::ordered::{AskInAnyWay, AskOrdered, Ranked};
        pub use crate::cpu::own::{Own, Part};
        pub use crate::cpu::own_rows::{Row, Rows, rows_of};
        /// Products of matrices.
        pub mod products {
            pub use crate::cpu::product::{apart, fused, index, minus, plus, product, times};
        }
        pub use crate::cpu::question::question;
        pub use crate::cpu::records::together;
        pub use crate::cpu::residues::residues;
        pub use crate::cpu::run::Run;
        pub use crate::cpu::scan::{alone, cursor, scan};
        pub use crate::cpu::site::Site;
        pub use crate::cpu::source::fetch;
        pub mod combined {
            //! What loops combine into beside elements of their own.

            pub use crate::cpu::best::{best, compared};
            pub use crate::cpu::each::{bins, fails, row_of, scalar};
            pub use crate::cpu::kept::{Taken, kept};
        }
        pub use crate::cpu::source::{
            Anywhere, AskCloned, AskCopied, AskNoSource, AskSource, At, Chunks, ChunksMut, Cloning,
            ElementsMut, Pairs, Source, Taken, Windows, at, count, elements, is_grid, rows, source,
            split,
        };
        pub use crate::cpu::walk::{Affine, Walk, inner_segment, segment, stride};
    }

    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub mod gpu {
        pub use accrue_ptx::abi;

        pub use crate::gpu::apart::Apart;
        pub use crate::gpu::appended::Appended;
        pub use crate::gpu::array::{Array, Bins, Slot};
        pub use crate::gpu::attempt::{
            Attempt, Place, asked, attempt, first_of, low_bits, lying, meeting, refuse, reproduced,
            unconfirmed, wanted,
        };
        pub use crate::gpu::call::div_ceil;
        pub use crate::gpu::choose::offloaded::Loop;
        pub use crate::gpu::foreign::{element_of, element_of_mut, foreign, lies, same};
        pub use crate::gpu::reach::Reach;
        pub use crate::gpu::stay::{
            Ask, AskNoPlace, AskNotShared, AskPlace, AskShared, AskShares, Stay,
        };
    }
}

/// What accrue's own benches and tests ask beside what users can. Not for people: it changes without notice.
#[cfg(feature = "bench")]
#[doc(hidden)]
pub mod __bench {
    pub use crate::cpu::bench::{StrategyRow, strategies, trials, with_strategy};
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub use crate::gpu::bench::{
        call, free_memory, keep_speeds, limits_of, pinned_rate, queue, wait_for_kernels,
    };
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub use crate::gpu::choose::explain::LastRun;
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub use crate::gpu::choose::select::{Candidate, candidates};
}
