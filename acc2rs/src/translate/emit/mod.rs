//! The program as Rust text: one file for each kind of construct, all of them working on the `state::Emit` of a program.
//! What has no safe counterpart is refused with a code.

mod allocation;
mod args;
mod argument;
mod call;
mod conversion;
mod convert;
mod data;
mod detect;
mod disjoint;
mod expr;
mod handed;
mod items;
mod library;
mod loops;
mod memory;
mod offload;
mod outline;
mod place;
mod pointed;
mod position;
mod printf;
mod region;
mod scan;
mod search;
pub(crate) mod state;
mod step_out;
mod stmt;
mod store;
mod streams;
mod strings;
pub mod survey;
mod switch;
mod types;
pub mod verdict;
mod wanted;
mod whole_rows;
