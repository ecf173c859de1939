//! The loop IR: what a parallel loop means, independent of the language it was written in and of the
//! device it will run on. This page is its specification.
//!
//! # Shape
//!
//! A [`Loop`] is an *iteration space* (a list of [`Dim`]s, outermost first), the captured memory it
//! touches ([`Array`]s), a table of variables ([`Var`]s) and a body. An iteration is one value of every
//! dimension's *position*, a `usize` in `0..count`; whatever the user's iteration expression made of the
//! position (an element, a pair, a chunk, a number of a range) is bound by `let`s at the start of the
//! body, so a back end sees nothing but positions.
//!
//! The body is an expression-oriented tree, as Rust is: blocks, `if` and `match` are expressions. There
//! are no references: an item bound by reference is a name for a [`Place`], and the front end puts the
//! place wherever the name was used.
//!
//! # Evaluation
//!
//! - Operands are evaluated left to right, each exactly once, `&&` and `||` lazily. A compound
//!   assignment evaluates its right side first and then the indices of its place, as Rust does for
//!   primitive types.
//! - An iteration reads captured variables and arrays and writes only its locals and, through
//!   [`StmtKind::Update`], bins. Iterations may run in any order and at the same time; that this gives
//!   what the sequential loop gives is what the detector has shown (the paper's C1 and C2).
//! - Integer `+ - *`, `neg`, and shifts with [`Overflow::Profile`] wrap, or fault where the profile of
//!   the user's crate checks overflow. A shift by the width or more uses the low bits of the amount
//!   where it is not checked. Division or remainder by zero, and `MIN / -1`, always fault.
//! - Float operations round to nearest, ties to even, one rounding per operation, never fused. Casts
//!   are Rust's `as`: float to int saturates and NaN becomes 0, int to int truncates or extends.
//! - `usize` and `isize` are 64 bits wide on every device.
//!
//! # Faults
//!
//! A *fault* is where the sequential loop would panic: an index out of range, a division by zero, a
//! checked overflow, an explicit `panic!`. A device stops at a fault of any iteration, leaves every bin
//! as it was before the loop, and reports the fault of the earliest iteration. An index is checked
//! against [`Check`]; an index that the front end made itself from a position carries [`Check::Never`].
//!
//! # Types
//!
//! Every expression has a [`Type`]. [`Type::Opaque`] stands for what the front end does not understand
//! (a generic parameter, a foreign struct), and [`Type::Integer`] for an integer type that only rustc knows. A loop with opaque parts runs on the CPU, where the user's own
//! tokens are compiled by rustc; a back end that needs to understand every part asks
//! for the opaque parts first. The verifier lists the invariants of each stage.

mod captured;
mod expr;
#[cfg(feature = "interpreter")]
pub mod interpret;
mod opaque;
mod pattern;
mod print;
#[cfg(test)]
mod sample;
mod types;
mod verify;
pub mod visit;

pub use expr::*;
pub use opaque::OpaquePart;
pub use pattern::*;
pub use types::*;
pub use verify::Violation;

/// Where a piece of IR came from. Opaque here; each front end keeps the table back to its own
/// positions (a span of tokens, a line of C).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A variable of one [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A captured array of one [`Loop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayId(pub u32);

/// A sequential loop inside a body, as the target of `break` and `continue`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopLabel(pub u32);

/// A device function of one [`Loop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(pub u32);

/// One parallel loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The position of the loop among the loops of its function, from 0.
    pub ordinal: usize,
    /// The name of the function it stands in.
    pub function: String,
    /// The iteration space, outermost dimension first; never empty. Dimension `d + 1` is perfectly
    /// nested in dimension `d` and its count does not depend on any position.
    pub space: Vec<Dim>,
    /// Captured memory, read or updated.
    pub arrays: Vec<Array>,
    /// Functions that the body calls and whose code is known.
    pub functions: Vec<DeviceFn>,
    /// The work of one iteration.
    pub body: Body,
    /// What loops around it say of values that it uses.
    pub around: Vec<Around>,
    /// Where the loop stands.
    pub source: SourceId,
}

/// A value in the range of a loop around this one, `k` in `for k in low..high`. What the names stand for may have changed since that loop asked
/// for its range, so whoever rests on it asks the call.
#[derive(Clone, Debug)]
pub struct Around {
    /// The value.
    pub value: Expr,
    /// What it is not less than.
    pub low: Expr,
    /// What it is less than, or not more than where the range is inclusive.
    pub high: Expr,
    /// Whether it may be `high`.
    pub inclusive: bool,
}

/// One dimension of an iteration space.
#[derive(Clone, Debug)]
pub struct Dim {
    /// The variable that holds the position; `usize`, [`VarKind::Position`].
    pub position: VarId,
    /// How many positions there are: an expression over captured variables and array lengths only.
    pub count: Expr,
    /// The iteration expression as the user wrote it, for people.
    pub text: String,
    /// Where it stands.
    pub source: SourceId,
}

/// A body with its variables: of a loop or of a device function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Variables, indexed by [`VarId`].
    pub vars: Vec<Var>,
    /// The statements.
    pub block: Block,
}

/// A function whose code the back ends see (`#[offload(device)]`). Faults inside count as faults of the
/// calling iteration. It has no captures and updates no bins; recursion is refused by the front end.
#[derive(Clone, Debug)]
pub struct DeviceFn {
    /// Its name, unique within the loop.
    pub name: String,
    /// The variables that hold the arguments, in order.
    pub params: Vec<VarId>,
    /// What it returns.
    pub output: Type,
    /// Its code; the block's tail is the result.
    pub body: Body,
    /// Where it stands.
    pub source: SourceId,
}

/// A variable: a local, a captured value, or a position.
#[derive(Clone, Debug)]
pub struct Var {
    /// The user's name, for people; not unique.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What it is.
    pub kind: VarKind,
    /// Where it was declared, or first used for captures.
    pub source: SourceId,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarKind {
    /// Declared in the body; may be assigned there.
    Local,
    /// The position in a dimension of the iteration space.
    Position,
    /// A value that the loop only reads and that is the same in every iteration: a parameter, a
    /// constant, a local from before the loop, or an invariant expression over them. Evaluated by the
    /// host before the loop. The text that rustc evaluates is kept by the front end under the
    /// variable's [`SourceId`].
    Captured,
    /// A captured mutable scalar that the loop reduces into (`total += w`): bins of length one.
    Reduced,
    /// A captured mutable scalar that the loop keeps the best item's in ([`Best`]): every part of the loop has one of its own.
    Best,
    /// A captured mutable scalar that is carried from iteration to iteration and read on the way ([`Carried`]).
    Carried,
    /// An argument of a device function.
    Param,
}

/// Captured memory.
#[derive(Clone, Debug)]
pub struct Array {
    /// The user's name (`hist`), or the expression it was captured from (`self.bins`).
    pub name: String,
    /// The type of one element of the outermost dimension: a scalar, or an array for `[[T; M]]`.
    pub elem: Type,
    /// How many elements it has.
    pub extent: Extent,
    /// What the loop does with it.
    pub access: Access,
    /// Where it was declared, or first used.
    pub source: SourceId,
}

/// How many elements a captured array has.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// Known when it is called: a slice, a `Vec`, a `str`'s bytes.
    Runtime,
    /// Fixed by its type.
    Fixed(Length),
}

/// What a loop does with an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Elements are read.
    Read,
    /// Elements are updated by the pattern's operator and not read otherwise.
    Updated,
    /// Elements are written, and read, by the iteration alone that they belong to.
    Owned,
    /// Only the length is used.
    LengthOnly,
}

impl Loop {
    /// The array of an id.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }

    /// The variable of an id in the loop's own body.
    pub fn var(&self, id: VarId) -> &Var {
        &self.body.vars[id.0 as usize]
    }

    /// The device function of an id.
    pub fn function(&self, id: FuncId) -> &DeviceFn {
        &self.functions[id.0 as usize]
    }
}
