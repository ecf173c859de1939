//! Loops on the CPU.
//!
//! The macro prints the user's body as it is and once for each kind of *table* that its updates may go to, and
//! hands these to [`run::Run`], which chooses a strategy for the call and runs it:
//!
//! `counted`, the body once for each value of the items; `sequential`, the user's own loop; `private`, tables of each worker that are merged; `injective`, bins that are split with the iterations; `partitioned`,
//! updates that are written down by range of bins. [`strategy`] has a file and a row of its table for each.
//! Loops whose iterations write elements of their own have no table: [`each`] splits them, and [`scan`] those that carry scalars from iteration to
//! iteration, by [`maps`] where one operator is not enough. [`grown`] is what loops append to, [`keyed`] the maps that they group by keys, [`distinct`] the check of what `distinct(..)` asserts.
//!
//! [`source`] is what a `for` loop iterates over, splittable; [`drive`] the inner loop over a part of it; [`op`] the
//! operators; [`table`], [`log`] and [`owned`] what updates go to, [`store`] the memory behind tables; [`member`] and
//! [`list`] what a loop updates, so that several arrays and scalars are one thing to the strategies; [`case`] what is known of a call, [`choose`] the choice,
//! a pure function of it; [`site`] what `explain` says. Of the sequential way, [`progress`] is how far the user's own loop has come
//! when it panics; where updates could not be taken back, [`rehearsal`] is a look ahead, and [`journal`] what bins held before.
//!
//! # Faults
//!
//! No strategy but the sequential one shows a panic to the user. An update out of range, an overflow where it is
//! checked, or a panic of the body makes a strategy give up without having changed a bin, and the user's own
//! loop runs from the beginning: it panics where the sequential loop does, with its message, and the bins are put
//! back. (A panic of the body on a worker has passed the panic hook by then, so the hook sees such a panic twice. Bins
//! out of range and overflow do not panic on workers.)
//!
//! # Bits
//!
//! Integers are exact. Sums of floats depend on how the items are split; under `deterministic` the split depends on the
//! numbers of items and bins alone.

pub(crate) mod ahead;
#[cfg(any(test, feature = "bench"))]
pub(crate) mod bench;
pub(crate) mod best;
mod bytes;
mod case;
mod choose;
pub(crate) mod collected;
pub(crate) mod crew;
pub(crate) mod distinct;
pub(crate) mod drive;
pub(crate) mod each;
pub(crate) mod elements;
pub(crate) mod fault;
pub(crate) mod grown;
pub(crate) mod guard;
mod history;
pub(crate) mod items;
pub(crate) mod jam;
pub(crate) mod journal;
pub(crate) mod kept;
mod kernels;
pub(crate) mod keyed;
pub(crate) mod keys;
pub(crate) mod known;
pub(crate) mod level;
pub(crate) mod leveled;
pub(crate) mod limited;
pub(crate) mod list;
pub(crate) mod log;
mod machine;
pub(crate) mod maps;
pub(crate) mod member;
pub mod op;
pub(crate) mod optional;
pub(crate) mod ordered;
pub(crate) mod own;
pub(crate) mod own_rows;
pub(crate) mod owned;
pub(crate) mod product;
pub(crate) mod progress;
pub(crate) mod question;
pub(crate) mod records;
pub(crate) mod rehearsal;
pub(crate) mod request;
pub(crate) mod residues;
pub(crate) mod run;
pub(crate) mod scan;
pub(crate) mod site;
pub(crate) mod source;
mod stack;
pub(crate) mod store;
mod strategy;
mod symbol;
pub(crate) mod table;
pub(crate) mod walk;
mod wide;
mod window;
mod within;

#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) use choose::UNCONFIRMED;
