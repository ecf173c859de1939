//! Loops on the CPU.
//!
//! The macro prints the user's body as it is and once for each kind of *table* that its updates may go to, and
//! hands these to [`run::Run`], which chooses a strategy for the call and runs it:
//!
//! | strategy | for | file |
//! | --- | --- | --- |
//! | sequential | little work, one thread, overflow that only the order tells | [`run`] |
//! | private tables | the usual case | `private` |
//! | partitioned | many bins and few items | `partitioned` |
//! | injective | loops in which no two iterations update the same bin | [`owned`] |
//!
//! [`source`] is what a `for` loop iterates over, splittable; [`drive`] the inner loop over a part of it; [`op`] the
//! operators; [`table`], [`log`] and [`owned`] what updates go to, [`store`] the memory behind tables; [`member`] and
//! [`list`] what a loop updates, so that several arrays and scalars are one thing to the strategies; `choose` the choice,
//! a pure function; [`site`] what `explain` says. Of the sequential way, [`progress`] is how far the user's own loop has come
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

mod choose;
mod crew;
pub mod drive;
pub mod journal;
mod kept;
mod kernels;
pub mod list;
pub mod log;
pub mod member;
pub mod op;
pub mod owned;
mod partitioned;
mod private;
pub mod progress;
pub mod rehearsal;
pub(crate) mod request;
pub mod run;
pub mod site;
pub mod source;
pub mod store;
pub mod table;
mod window;
