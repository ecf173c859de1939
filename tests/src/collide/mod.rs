//! Random programs in which names collide, and what rustc and every device make of them.
//!
//! The macro sees tokens, rustc decides what a name means. A program here holds a loop twice in one module, as it is and
//! offloaded, beside functions, constants, types, traits, macros and modules that share few names. Whatever a name means
//! where it stands fits the types: all functions are `fn(u32) -> u32`, all constants `u32`, all aliases are numbers that
//! are cast. So nearly every drawn program is Rust, and one that reads a name as rustc does not gives another result.
//!
//! One file draws one kind of thing: what is declared, and how it is mentioned.

pub mod judge;
pub mod program;

mod body;
mod constants;
mod functions;
mod macros;
mod methods;
mod modules;
mod refusals;
mod shadow;
mod structs;
mod types;
mod world;
