//! What a pointer can be in Rust, and what is known of each pointer of a program. `shapes` finds it.

use std::collections::{HashMap, HashSet};

use crate::ctypes::{IntKind, Type};
use crate::translate::base::flows::Holder;
use crate::translate::base::places::root;
use crate::typed::{Expr, VarId};

/// What a pointer is in Rust.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Shape {
    /// `Vec<T>`: it is given memory from `malloc`.
    Owned,
    /// A parameter `&[T]` or `&mut [T]`, or a local one that is exchanged with another.
    Slice,
    /// A parameter `&T` or `&mut T`: never indexed.
    One,
    /// A parameter `&mut Vec<T>`: memory is allocated through it.
    OwnedRef,
    /// A local position in an array: an index into `base`, which is an array or a pointer of another shape.
    Cursor {
        /// The array.
        base: Box<Expr>,
        /// Whether it always stands at the start, so that no index is needed.
        fixed: bool,
        /// Whether `base` is one object, not an array.
        single: bool,
    },
    /// `&str`: string literals and arguments of the program.
    Text,
}

/// The shapes of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    pub(super) shapes: HashMap<Holder, Shape>,
    /// Parameters and globals that are written through.
    pub(super) mutable: HashMap<VarId, bool>,
    /// The array that a local slice borrows.
    pub(super) borrowed: HashMap<VarId, VarId>,
    /// How many exchanges with other pointers assign to a variable.
    pub(super) exchanges: HashMap<VarId, u32>,
    /// Variables that say where a number in a text ends, which are positions in it.
    pub(super) number_ends: HashSet<VarId>,
    /// Variables of text that is kept beyond them, in a struct or a global.
    pub(super) kept: HashSet<VarId>,
    /// Variables that are set to null somewhere.
    pub(super) nullable: HashSet<VarId>,
    /// Whether rows of `char` are allocated, as grids of characters are.
    pub(super) char_rows: bool,
}

impl Shapes {
    pub(crate) fn get(&self, holder: Holder) -> Option<&Shape> {
        self.shapes.get(&holder)
    }

    pub(crate) fn var(&self, id: VarId) -> Option<&Shape> {
        self.get(Holder::Var(id))
    }

    /// Whether a variable's text is kept beyond it.
    pub(crate) fn keeps(&self, id: VarId) -> bool {
        self.kept.contains(&id)
    }

    /// Whether a variable is set to null somewhere.
    pub(crate) fn nullable(&self, id: VarId) -> bool {
        self.nullable.contains(&id)
    }

    /// How many exchanges with other pointers assign to a variable.
    pub(crate) fn exchanges(&self, id: VarId) -> u32 {
        self.exchanges.get(&id).copied().unwrap_or(0)
    }

    /// Whether a parameter is written through.
    pub(crate) fn mutable(&self, id: VarId) -> bool {
        self.mutable.get(&id).copied().unwrap_or(false)
    }

    /// Whether elements `char *` of an array are strings, as the program's arguments are, and no memory of their own.
    pub(crate) fn text_rows(&self, to: &Type, constant: bool) -> bool {
        to.is_char() && *to != Type::Int(IntKind::UChar) && (constant || !self.char_rows)
    }

    /// Makes a local a slice of the array `base`.
    pub(crate) fn borrow(&mut self, local: VarId, base: &Expr) {
        self.shapes.insert(Holder::Var(local), Shape::Slice);
        self.borrowed.extend(root(base).map(|array| (local, array)));
    }

    /// Makes a local the owner of the memory that it is set to.
    pub(crate) fn own(&mut self, local: VarId) {
        self.shapes.insert(Holder::Var(local), Shape::Owned);
    }
}
