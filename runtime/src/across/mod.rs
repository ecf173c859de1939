//! Calls across ranks: every rank has a part of the items, and ends with the bins and scalars of one loop over all parts.
//!
//! A loop is split over ranks as it is over the threads of one: each has bins of its own that begin with what changes nothing, but the
//! first rank's, which begin with what there was, and they are combined at the end, on the host or where the kernels of all ranks have left them ([there]). `f::across` of the companion makes a [`Call`](call::Call), which says on its thread that it is under way; the function's loops ask for
//! it as they begin and end, through what the macro prints around each, and outside of such a call that costs them a look at
//! a thread's variable.
//!
//! ```text
//! across           attempt      the arguments are brought to the host, the function is called
//!   loop 0         begin        bins are copied, and begin with what changes nothing, on the first rank with what there was
//!                  the loop     on this rank's items, on its own device
//!                  end          ranks agree that all are here and well, and where bins are; these are combined
//!   loop 1 ..
//!                  finish       ranks agree that all have come to the end; else bins are put back
//! ```
//!
//! Whoever fails, by a panic or an error anywhere in the function, makes the next agreement, and so learns everybody that
//! it did ([agreement]). Nothing else that ranks do can be cut short by a rank: memory is taken before the agreement.
//!
//! Floats under `deterministic` and sums that are checked are combined in the order of the ranks ([exchange]), with what there was. Where a panic depends on
//! the order of all updates, as of signed sums that are checked, ranks take turns: each begins with what the one before it
//! has left.

mod agreement;
pub(crate) mod call;
pub(crate) mod collective;
pub(crate) mod combine;
pub(crate) mod device_values;
mod exchange;
mod many;
pub(crate) mod part;
#[cfg_attr(not(any(feature = "cuda", feature = "sim")), path = "nowhere.rs")]
mod there;
pub(crate) mod threads;
