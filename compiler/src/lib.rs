//! accrue.
