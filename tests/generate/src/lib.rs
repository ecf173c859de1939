//! Random functions of the accepted forms as source text, and random data for them. A crate of its own, so that the tests' build script can write the
//! functions that rustc compiles.

pub mod choices;
pub mod data;
pub mod generate;
pub mod lists;
