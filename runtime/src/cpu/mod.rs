//! CPU.
mod crew;
pub mod drive;
mod kernels;
mod private;
pub mod list;
pub mod log;
pub mod member;
pub mod op;
pub mod source;
pub mod store;
pub mod table;
mod window;
