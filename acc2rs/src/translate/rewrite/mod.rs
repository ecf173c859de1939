//! Passes that write the program in other C where a construct has no counterpart in Rust. `passes` has their order.

pub(crate) mod accessors;
pub(crate) mod apart;
pub(crate) mod arena;
pub(crate) mod by_field;
pub(crate) mod chosen;
pub(crate) mod dispatch;
pub(crate) mod ends;
pub(crate) mod finders;
pub(crate) mod flat_views;
pub(crate) mod in_place;
pub(crate) mod records;
pub(crate) mod row_fields;
pub(crate) mod row_views;
pub(crate) mod selected;
pub(crate) mod untyped;
pub(crate) mod within;
