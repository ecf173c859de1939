//! Loops on the CPU.
//!
//! The macro prints the user's body four times: as it is, and for three kinds of [tables](table). [`run`] chooses a strategy
//! for each call and runs it.

mod choose;
mod crew;
pub mod drive;
mod kernels;
pub mod list;
pub mod log;
pub mod member;
pub mod op;
pub mod owned;
mod partitioned;
mod private;
pub(crate) mod request;
pub mod run;
pub mod site;
pub mod source;
pub mod store;
pub mod table;
mod window;
