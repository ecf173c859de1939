//! What parsing yields, as far as later stages read it: the attribute's arguments, the loops of a function with what is declared around
//! them, what they iterate over, and each of them in IR with the tables that tie it to the user's syntax.

pub mod args;
pub mod candidate;
pub mod containers;
pub mod fields;
pub mod iteration;
pub mod keyed;
pub mod lowered;
pub mod once;
pub mod outer;
pub mod trips;
