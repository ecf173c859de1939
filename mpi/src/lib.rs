//! Offloaded loops across the ranks of an MPI program.
//!
//! [`Ranks`] is a communicator as accrue's [`Collective`]. Each rank passes its part of the items to `across` of the companion, and every rank ends
//! with the bins of one loop over all of them:
//!
//! ```no_run
//! use accrue::offload;
//! use accrue_mpi::Ranks;
//!
//! #[offload(histogram)]
//! fn count(bytes: &[u8], bins: &mut [u64; 256]) {
//!     for &byte in bytes {
//!         bins[usize::from(byte)] += 1;
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let universe = accrue_mpi::initialize()?;
//!     let ranks = Ranks::world(&universe);
//!     let mine = std::fs::read(std::env::args().nth(1 + ranks.rank()).expect("a file for each rank"))?;
//!     let mut bins = [0; 256];
//!     count::across(&ranks, &mine, &mut bins)?; // every rank has all counts now
//!     Ok(())
//! }
//! ```
//!
//! The loops run on this rank's cores or GPU, as they do elsewhere; only their bins and scalars are sent. The loop's operators become MPI's own on the
//! bins' type, where MPI has them and says what they do: `saturating_add`, sums of 8 and 16 bits, which have to wrap, `min` and `max` of floats,
//! which let NaN give way, and 128-bit integers are operations that this crate registers. Long arrays are combined by a reduce-scatter and an
//! all-gather, so that each rank combines its share alone.
//!
//! With the feature `cuda`, what the kernels of all ranks have filled can be combined on their GPUs: `Ranks::with_nccl`, by NCCL, or `Ranks::with_cuda_aware_mpi`.
//!
//! Under MPI's error handler, which this crate leaves as it is, a communication that fails ends the job.
//! What a *rank* fails with, a bin out of range or memory that is not there, is an [`accrue::Error`] on every rank. A panic outside of `across`
//! is the program's own affair: end the job with `Communicator::abort` then, or the others wait.

#[cfg(feature = "cuda")]
mod devices;
#[cfg(feature = "cuda")]
mod nccl;
mod operation;

use std::fmt;
use std::marker::PhantomData;

use accrue::Error;
use accrue::collective::{Collective, Op, Values};
use mpi::Threading;
use mpi::collective::CommunicatorCollectives;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Equivalence, Root};

/// The crate `mpi`, of the version that this one speaks to.
pub use mpi;

/// From how many bytes on an array is combined by a reduce-scatter and an all-gather. Below it a library's all-reduce sends fewer messages.
const LONG: usize = 64 << 10;

/// The most elements of one operation: MPI counts them in 32 bits.
const MOST: usize = 1 << 30;

/// Starts MPI as loops need it: the threads of the CPU's crew never call it, the thread that has started it does.
///
/// # Errors
///
/// If MPI has been started before, or does not allow other threads beside it.
pub fn initialize() -> Result<Universe, Error> {
    let failed = |why: &str| Error::Collective {
        operation: "initialization",
        why: why.to_owned(),
    };
    let started = mpi::initialize_with_threading(Threading::Funneled);
    let (universe, threading) = started.ok_or_else(|| failed("MPI has been started before"))?;
    match threading >= Threading::Funneled {
        true => Ok(universe),
        false => Err(failed(
            "this MPI allows no threads beside the one that calls it",
        )),
    }
}

/// The ranks of a communicator.
///
/// It is a duplicate, so that messages of the program's own do not meet accrue's.
pub struct Ranks<'u> {
    communicator: SimpleCommunicator,
    /// What combines numbers in the memory of GPUs.
    #[cfg(feature = "cuda")]
    means: Option<devices::Means>,
    universe: PhantomData<&'u Universe>,
}

impl<'u> Ranks<'u> {
    /// All ranks of the job. Every rank has to call this.
    pub fn world(universe: &'u Universe) -> Ranks<'u> {
        Ranks::of(universe, &universe.world())
    }

    /// The ranks of a communicator, each of which has to call this.
    pub fn of(_: &'u Universe, communicator: &impl Communicator) -> Ranks<'u> {
        Ranks {
            communicator: communicator.duplicate(),
            #[cfg(feature = "cuda")]
            means: None,
            universe: PhantomData,
        }
    }

    /// The communicator.
    pub fn communicator(&self) -> &SimpleCommunicator {
        &self.communicator
    }

    /// Which rank this is.
    pub fn rank(&self) -> usize {
        self.communicator.rank() as usize
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.communicator.size() as usize
    }
}

impl fmt::Debug for Ranks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ranks({} of {})", self.rank(), self.size())
    }
}

/// Numbers as MPI has them: 128-bit integers are two of 64 bits each for operations that only copy.
macro_rules! copied {
    ($values:expr, $of:ident => $result:expr) => {
        copied!(@ $values, $of => $result; Bool U8 U16 U32 U64 Usize I8 I16 I32 I64 Isize F32 F64; U128 I128)
    };
    (@ $values:expr, $of:ident => $result:expr; $($name:ident)*; $($wide:ident)*) => {
        match $values {
            $(Values::$name($of) => $result,)*
            $(Values::$wide(wide) => {
                let $of = operation::halves_mut(wide);
                $result
            })*
        }
    };
    ($a:expr, $b:expr, ($of:ident, $with:ident) => $result:expr) => {
        copied!(@ $a, $b, ($of, $with) => $result; Bool U8 U16 U32 U64 Usize I8 I16 I32 I64 Isize F32 F64; U128 I128)
    };
    (@ $a:expr, $b:expr, ($of:ident, $with:ident) => $result:expr; $($name:ident)*; $($wide:ident)*) => {
        match ($a, $b) {
            $((Values::$name($of), Values::$name($with)) => $result,)*
            $((Values::$wide(of), Values::$wide(with)) => {
                let ($of, $with) = (operation::halves_mut(of), operation::halves_mut(with));
                $result
            })*
            (a, b) => panic!("{a:?} and {b:?}"),
        }
    };
}

impl Collective for Ranks<'_> {
    fn rank(&self) -> usize {
        Ranks::rank(self)
    }

    fn size(&self) -> usize {
        Ranks::size(self)
    }

    fn all_reduce(&self, values: Values<'_>, op: Op) -> Result<(), Error> {
        operation::all_reduce(self, values, op);
        Ok(())
    }

    fn all_gather(&self, mine: Values<'_>, all: Values<'_>) -> Result<(), Error> {
        copied!(mine, all, (mine, all) => self.gather(mine, all));
        Ok(())
    }

    fn all_to_all(&self, mine: Values<'_>, theirs: Values<'_>) -> Result<(), Error> {
        copied!(mine, theirs, (mine, theirs) => self.exchange(mine, theirs));
        Ok(())
    }

    fn broadcast(&self, root: usize, values: Values<'_>) -> Result<(), Error> {
        let root = self.communicator.process_at_rank(root as i32);
        copied!(values, values => {
            for piece in values.chunks_mut(MOST) {
                root.broadcast_into(piece);
            }
        });
        Ok(())
    }

    #[cfg(feature = "cuda")]
    fn combines_on_device(&self, device: accrue::Device, like: &Values<'_>, op: Op) -> bool {
        self.has_means(device, like, op)
    }

    #[cfg(feature = "cuda")]
    fn all_reduce_on_device(
        &self,
        values: accrue::collective::DeviceValues<'_>,
        op: Op,
    ) -> Result<(), Error> {
        if let Err(why) = self.reduce_there(&values, op) {
            // The others are in the operation, and would wait for ever.
            eprintln!("rank {}: {op:?} of {values:?}: {why}", self.rank());
            self.communicator.abort(1);
        }
        Ok(())
    }
}

impl Ranks<'_> {
    /// An all-gather; of more elements than MPI counts in several.
    fn gather<T: Equivalence + Copy + Default>(&self, mine: &[T], all: &mut [T]) {
        if all.len() <= MOST {
            self.communicator.all_gather_into(mine, all);
            return;
        }
        let size = self.size();
        let mut received = Vec::new();
        for (n, piece) in mine.chunks(MOST / size).enumerate() {
            received.resize(piece.len() * size, T::default());
            self.communicator.all_gather_into(piece, &mut received[..]);
            for (rank, of) in received.chunks_exact(piece.len()).enumerate() {
                let start = rank * mine.len() + n * (MOST / size);
                all[start..start + of.len()].copy_from_slice(of);
            }
        }
    }

    /// An all-to-all; of more elements than MPI counts in several.
    fn exchange<T: Equivalence + Copy + Default>(&self, mine: &[T], theirs: &mut [T]) {
        if mine.len() <= MOST {
            self.communicator.all_to_all_into(mine, theirs);
            return;
        }
        let size = self.size();
        let (each, most) = (mine.len() / size, MOST / size);
        let (mut sent, mut received) = (Vec::new(), Vec::new());
        for start in (0..each).step_by(most) {
            let len = most.min(each - start);
            sent.clear();
            for rank in 0..size {
                sent.extend_from_slice(&mine[rank * each + start..][..len]);
            }
            received.resize(sent.len(), T::default());
            self.communicator
                .all_to_all_into(&sent[..], &mut received[..]);
            for (rank, of) in received.chunks_exact(len).enumerate() {
                theirs[rank * each + start..][..len].copy_from_slice(of);
            }
        }
    }
}
