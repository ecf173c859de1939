//! The strategies: a file and a row of the [table](table) each, and what they share.

pub(crate) mod counted;
pub(crate) mod injective;
pub(crate) mod partitioned;
pub(crate) mod private;
pub(crate) mod sequential;
pub(crate) mod table;
pub(crate) mod template;
