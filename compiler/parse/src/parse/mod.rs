//! From tokens to the loop IR.
//!
//! [`function`] walks a function, keeps track of what is declared where, and finds the loops that update
//! something from outside themselves. [`nest`] takes one such loop apart into dimensions and a body; a
//! [`lower::Lower`] turns the body into IR. What is not understood becomes
//! [opaque](crate::ir::ExprKind::Opaque) and never stops a loop from running on the CPU, unless it could
//! touch what the loop updates.

pub mod adaptors;
pub mod ahead;
mod behind;
mod bins;
pub mod borrowed;
pub mod bound;
mod call;
mod capitals;
mod captures;
mod casts;
mod checked;
pub mod chosen;
pub mod collected;
pub mod compact;
pub mod consumed;
pub mod containers;
mod control;
pub mod counted;
mod device;
pub mod divided;
pub mod elements;
mod ends;
mod exits;
mod expr;
pub mod extrema;
pub mod fields;
pub mod folded;
pub mod follow;
pub mod function;
pub mod groups;
mod grow;
pub mod idioms;
pub mod indices;
mod inline;
pub mod item;
pub mod joined;
pub mod kept;
mod keyed;
pub mod keys;
pub mod latches;
pub mod later;
mod lent_items;
pub mod lets;
mod literal;
mod local_array;
pub mod lower;
pub mod marks;
mod maybe;
pub mod nest;
pub mod nested;
mod opaque;
mod operands;
pub mod optional;
pub mod parted;
mod pattern;
pub mod pivot;
pub mod place;
pub mod prefix;
mod questions;
mod ranges;
pub mod relaxed;
mod resolved;
mod scope;
pub mod scratch;
pub mod search;
pub mod settled;
pub mod shared;
pub mod since;
mod space;
mod stmt;
pub mod taken;
pub mod tuples;
pub mod unchanged;
mod unmarked;

// A floor below, since other stages read them too.
pub use crate::parsed::args;
use crate::parsed::{iteration, once, outer, trips};
use crate::syntax::{known, names, sites};
