//! The attribute `#[offload]`.
