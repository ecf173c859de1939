//! What calls across ranks ask of whatever connects the ranks: a few collective operations.

pub use accrue_ops::Op;

use super::device_values::DeviceValues;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::values::Values;

/// Ranks that call one function together: threads, processes on one machine, or a cluster.
///
/// It is all that accrue knows of other machines. [`threads`](crate::collective::threads) is an implementation for tests; the crate `accrue-mpi` has
/// one over MPI.
///
/// Every rank performs the same operations in the same order, with numbers of the same type and as many; an operation ends when all ranks
/// have come to it, at the earliest. accrue keeps to that even where a rank's part of a call fails.
///
/// What would be wrong across ranks does not compile, and says why (H064 in `docs/diagnostics.md`):
///
/// ```compile_fail,E0277
/// use accrue::{collective::threads, offload};
///
/// #[offload(histogram)]
/// fn mean(xs: &[f64]) -> f64 {
///     let mut sum = 0.0;
///     for x in xs {
///         sum += x;
///     }
///     sum / xs.len() as f64 // the length of this rank's part
/// }
///
/// let _ = mean::across(&threads(1)[0], &[1.0, 2.0]);
/// ```
///
/// An operation that cannot be done is an error on *every* rank, or it ends the program. After an error the ranks still tell each other what
/// has failed, by an all-reduce and a broadcast, and give up where these fail too.
pub trait Collective {
    /// Which rank this is, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// Combines the numbers of all ranks, element by element, in any order and grouping; every rank ends with the same bits. Integers wrap, and
    /// of floats `Min` and `Max` let NaN give way. [`combine`](crate::collective::combine) does it for two.
    ///
    /// `op` is never `Sub`: differences are gathered as sums.
    ///
    /// # Errors
    ///
    /// [`Error::Collective`], on every rank.
    fn all_reduce(&self, values: Values<'_>, op: Op) -> Result<(), Error>;

    /// Gives every rank the numbers of all, in the order of the ranks: `all` is as long as all `mine` together, which are
    /// equally long.
    ///
    /// # Errors
    ///
    /// [`Error::Collective`], on every rank.
    fn all_gather(&self, mine: Values<'_>, all: Values<'_>) -> Result<(), Error>;

    /// Gives rank `i` the `i`th of as many equally long parts of `mine`; `theirs` are the parts that are for this rank, in the order of the ranks
    /// that they come from. Both are equally long.
    ///
    /// # Errors
    ///
    /// [`Error::Collective`], on every rank.
    fn all_to_all(&self, mine: Values<'_>, theirs: Values<'_>) -> Result<(), Error>;

    /// Gives every rank the numbers of one.
    ///
    /// # Errors
    ///
    /// [`Error::Collective`], on every rank.
    fn broadcast(&self, root: usize, values: Values<'_>) -> Result<(), Error>;

    /// Whether [`all_reduce_on_device`](Collective::all_reduce_on_device) combines so many numbers of such a type by an operator where they are, in
    /// the memory of a GPU, and that is worth it: bins that a kernel has filled need not come to the host first. Every rank has to say the
    /// same, unless it always says no for its device.
    fn combines_on_device(&self, device: Device, like: &Values<'_>, op: Op) -> bool {
        let _ = (device, like, op);
        false
    }

    /// [`all_reduce`](Collective::all_reduce) of numbers in the memory of each rank's GPU. Called only for what
    /// [`combines_on_device`](Collective::combines_on_device), and where all ranks have them there.
    ///
    /// # Errors
    ///
    /// [`Error::Collective`], on every rank.
    fn all_reduce_on_device(&self, values: DeviceValues<'_>, op: Op) -> Result<(), Error> {
        unreachable!("{op:?} of {values:?} is not combined on devices")
    }
}

impl<C: Collective + ?Sized> Collective for &C {
    fn rank(&self) -> usize {
        (**self).rank()
    }
    fn size(&self) -> usize {
        (**self).size()
    }
    fn all_reduce(&self, values: Values<'_>, op: Op) -> Result<(), Error> {
        (**self).all_reduce(values, op)
    }
    fn all_gather(&self, mine: Values<'_>, all: Values<'_>) -> Result<(), Error> {
        (**self).all_gather(mine, all)
    }
    fn all_to_all(&self, mine: Values<'_>, theirs: Values<'_>) -> Result<(), Error> {
        (**self).all_to_all(mine, theirs)
    }
    fn broadcast(&self, root: usize, values: Values<'_>) -> Result<(), Error> {
        (**self).broadcast(root, values)
    }
    fn combines_on_device(&self, device: Device, like: &Values<'_>, op: Op) -> bool {
        (**self).combines_on_device(device, like, op)
    }
    fn all_reduce_on_device(&self, values: DeviceValues<'_>, op: Op) -> Result<(), Error> {
        (**self).all_reduce_on_device(values, op)
    }
}
