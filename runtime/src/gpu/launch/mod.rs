//! The work of a stream: its memory, its launches, and what became of them.

pub(crate) mod arguments;
pub(crate) mod launches;
pub(crate) mod memory;
pub(crate) mod sample;
pub(crate) mod series;
pub(crate) mod settle;
pub(crate) mod start;
pub(crate) mod state;
