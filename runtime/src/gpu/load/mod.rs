//! From the text of a module to kernels that can be launched.

pub(crate) mod kernel;
pub(crate) mod workshop;
