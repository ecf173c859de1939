//! Maps that a loop groups by keys, and what it does with their values: what says how parts of the loop are merged.

use syn::{Expr, Member};

use crate::ir::{Op, UpdateOp};

/// A map or a set that the loop groups by keys, and does nothing else with.
#[derive(Clone)]
pub struct Keyed {
    /// Its place.
    pub place: Expr,
    /// What the loop does with it.
    pub role: Role,
}

/// What a loop does with a value.
#[derive(Clone, Default)]
pub struct Role {
    /// What it does.
    pub does: Does,
    /// What the value begins with, which is the same in all iterations: it must not count.
    pub begins: Vec<Expr>,
    /// Whether it begins with an item somewhere.
    pub of_items: bool,
}

/// What a loop does with a value.
#[derive(Clone)]
pub enum Does {
    /// Nothing but to these fields.
    Fields(Vec<(Member, Role)>),
    /// An operator combines into it.
    Combines(UpdateOp),
    /// It is the least or the greatest by comparison.
    Compares {
        /// Whether it is the least.
        less: bool,
        /// Whether it is the last of equals.
        last: bool,
        /// Whether it begins with an item.
        varies: bool,
    },
    /// It is replaced where a field is less, or greater, by comparison.
    Keeps {
        /// The field.
        key: Member,
        /// Whether it is the least.
        less: bool,
        /// Whether it is the last of equals.
        last: bool,
        /// Whether it begins with an item.
        varies: bool,
    },
    /// It is appended to.
    Appends,
    /// It is assigned anew.
    Replaces,
    /// It is an array, whose elements have a role.
    Elements(Box<Role>),
    /// It is a map or a set, whose values have one.
    Entries(Box<Role>),
}

impl Default for Does {
    fn default() -> Does {
        Does::Fields(Vec::new())
    }
}

/// Whether values count once that an operator combines, however often they come.
pub fn counts_once(op: Op) -> bool {
    matches!(op, Op::Max | Op::Min | Op::And | Op::Or)
}
