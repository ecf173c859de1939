//! Expressions, places and statements of the loop IR. [The module above](super) says what they mean.

pub use crate::methods::Method;

use super::{ArrayId, FuncId, Literal, LoopLabel, SourceId, Type, VarId};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
    /// Where it stands.
    pub source: SourceId,
}

/// What an expression computes.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// The value at a place: a variable, a part of one, an element of an array.
    Load(Place),
    /// The number of elements of an array (of its outermost dimension).
    Len(ArrayId),
    /// `-x`, `!x`.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic and comparison. Both sides have one type, except shifts.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`, lazily.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`, lazily.
    Or(Box<Expr>, Box<Expr>),
    /// `x as T`, between scalars; `T` is the expression's type.
    Cast(Box<Expr>),
    /// A method of a primitive type, receiver first.
    Method(Method, Vec<Expr>),
    /// A call of a function whose code is known.
    Call(FuncId, Vec<Expr>),
    /// `if c { a } else { b }`; without `else` the type is unit.
    If(Box<Expr>, Block, Option<Block>),
    /// A `match`, arms in order; the front end has made sure that one arm applies (rustc checks it too).
    Match(Box<Expr>, Vec<Arm>),
    /// A block.
    Block(Block),
    /// `[a, b, c]`.
    Array(Vec<Expr>),
    /// `[x; N]`; the length is in the type.
    Repeat(Box<Expr>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// A struct, fields in order of declaration.
    Struct(Vec<Expr>),
    /// `continue` of an inner loop, or of the parallel loop (`None`): this iteration is over.
    Continue(Option<LoopLabel>),
    /// `break` out of an inner loop, with the value of a `loop`.
    Break(LoopLabel, Option<Box<Expr>>),
    /// A sequential `loop { … }` used for its value or as a statement.
    Loop(LoopLabel, Block),
    /// `return` from a device function.
    Return(Option<Box<Expr>>),
    /// An explicit panic with its message (`panic!`, `assert!`, `unreachable!`).
    Panic(String),
    /// Something that only rustc understands. It reads what is listed and writes nothing captured.
    Opaque(Opaque),
}

/// What is known of a part that only rustc understands; by default nothing, and that it only computes.
#[derive(Clone, Debug, Default)]
pub struct Opaque {
    /// What it is and why it is opaque, lower case, for people: "a call of `f`, whose code is not known here".
    pub why: String,
    /// What to write so that it is understood, where there is such a thing.
    pub help: Option<String>,
    /// The variables it mentions.
    pub vars: Vec<VarId>,
    /// The arrays it mentions.
    pub arrays: Vec<ArrayId>,
    /// Parts that could be lowered (arguments of an unknown call).
    pub parts: Vec<Expr>,
    /// Whether it may do more than compute: call code that is not known.
    pub impure: bool,
    /// What it makes of its part, where one of them is an `Option`.
    pub option: Option<OfOption>,
    /// Whether its parts are read and no more: a field of one, a method that only primitives have.
    pub reads: bool,
    /// Whether it says no more of its part than how many elements that has.
    pub counts: bool,
    /// Where it pushes its one part to a collection, that one's number among those that the loop appends to.
    pub pushes: Option<usize>,
}

/// What is known of an `Option` that only rustc understands, and of what is kept in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfOption {
    /// `Some(x)`.
    Some,
    /// `x.is_none()`.
    IsNone,
    /// `x.is_some()`.
    IsSome,
    /// What an item is compared by with what an `Option` keeps.
    Item,
    /// What it is compared with, of the `Option` that its first part is; where there is none, any item is better. An item that is kept there has what it is
    /// compared by.
    Kept,
    /// A struct with its fields, or a field of one.
    Struct,
}

/// One arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The values it takes; empty means any.
    pub values: Vec<MatchRange>,
    /// A variable bound to the scrutinee (`n => …`, `n @ 1..=3 => …`).
    pub binding: Option<VarId>,
    /// `if …` after the pattern.
    pub guard: Option<Expr>,
    /// What it computes.
    pub body: Expr,
}

/// An inclusive range of an integer, `bool` (0, 1) or byte scrutinee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRange {
    /// The first value.
    pub first: i128,
    /// The last value.
    pub last: i128,
}

/// Something that can be read or written.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// How to get from there to the part.
    pub path: Vec<Projection>,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// Captured memory; the path starts with an index.
    Array(ArrayId),
    /// A variable.
    Var(VarId),
}

/// A step from a place to a part of it.
#[derive(Clone, Debug)]
pub enum Projection {
    /// An element of an array.
    Index(Box<Index>),
    /// A field of a tuple or struct, by position.
    Field(u32),
}

/// An index into one dimension: the element `base + index`.
#[derive(Clone, Debug)]
pub struct Index {
    /// The user's index, of type `usize`.
    pub index: Expr,
    /// Where the user's slice starts in the array, for chunks, windows and subslices. Already in range.
    pub base: Option<Expr>,
    /// What `index` is checked against.
    pub check: Check,
}

/// What an index is checked against. Out of range is a fault.
#[derive(Clone, Debug)]
pub enum Check {
    /// The length of the dimension it indexes.
    Dimension,
    /// The length of a window (a chunk, a subslice).
    Window(Box<Expr>),
    /// Nothing: it is in range by construction.
    Never,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x`.
    Neg,
    /// `!x`, of integers and `bool`.
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of core::ops")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// Every operator.
    pub const ALL: [BinaryOp; 16] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
    ];

    /// The operator of a symbol.
    pub fn of_symbol(symbol: &str) -> Option<BinaryOp> {
        BinaryOp::ALL.into_iter().find(|op| op.symbol() == symbol)
    }

    /// Rust's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }

    /// Whether the result is `bool` whatever the operands are.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        )
    }
}

/// Statements, then a value.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The value, or unit.
    pub tail: Option<Box<Expr>>,
}

impl Block {
    /// Whether what follows it is not come to from it.
    pub fn never_ends(&self) -> bool {
        let last = match (&self.tail, self.stmts.last()) {
            (Some(tail), _) => Some(&**tail),
            (
                None,
                Some(Stmt {
                    kind: StmtKind::Expr(expr),
                    ..
                }),
            ) => Some(expr),
            _ => None,
        };
        last.is_some_and(|expr| expr.ty == Type::Never)
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub source: SourceId,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Declares a local, with or without a value. A destructuring `let` has become several.
    Let(VarId, Option<Expr>),
    /// `place = value`. Before detection the place may be captured; after it, it is a local.
    Assign(Place, Expr),
    /// `place op= value`. Before detection the place may be captured; after it, it is a local.
    Compound(Place, BinaryOp, Expr),
    /// Combines a value into a captured bin; made by the detector out of the two above.
    Update(Update),
    /// A sequential loop over `0..count`; the count is evaluated once.
    For(ForLoop),
    /// `while cond { … }`.
    While(LoopLabel, Expr, Block),
    /// An expression for its effects.
    Expr(Expr),
    /// A fault unless the condition holds (a subslice out of range).
    Check(Expr, Words),
}

/// The words of the panic where a check does not hold. Numbers in them are those that its condition compares.
#[derive(Clone, Debug)]
pub enum Words {
    /// These.
    Text(String),
    /// Those of an index: the condition is `index < len`, or several of these, of which the first that does not hold is told.
    Index,
    /// Those of a range of a slice: the condition is `end <= len && start <= end`, or `last < len && start <= last + 1`.
    Range,
}

impl Expr {
    /// What has to hold for a condition to hold, from left to right.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::And(a, b) => [a.conjuncts(), b.conjuncts()].concat(),
            _ => vec![self],
        }
    }

    /// The two numbers that a condition compares.
    pub fn compared(&self) -> Option<(BinaryOp, &Expr, &Expr)> {
        match &self.kind {
            ExprKind::Binary(op, a, b) if op.is_comparison() => Some((*op, a, b)),
            _ => None,
        }
    }
}

/// A sequential loop over positions.
#[derive(Clone, Debug)]
pub struct ForLoop {
    /// Target of `break` and `continue`.
    pub label: LoopLabel,
    /// A local `usize`, 0 at first.
    pub position: VarId,
    /// How often the body runs.
    pub count: Expr,
    /// The body.
    pub body: Block,
}

/// One bin update: `target = target op value`.
#[derive(Clone, Debug)]
pub struct Update {
    /// Which of the pattern's targets, by position in [`Histogram::targets`](super::Histogram::targets).
    pub target: usize,
    /// Which assignment expression of the loop's body it was, counted in the order in which
    /// `syn::visit` meets them, from 0.
    pub site: usize,
    /// The bin: indices from the root to a scalar; empty for a scalar reduction.
    pub bin: Vec<Index>,
    /// What is combined in. For `-=` the value subtracted.
    pub value: Expr,
    /// Whether it is subtracted. All updates of a target with the operator [`Op::Sub`](super::Op::Sub) are, those of one
    /// with [two signs](super::UpdateOp::two_signs) may be, and no others.
    pub subtracts: bool,
    /// Whether what is there is multiplied by it instead: in the terms of a scalar that is carried along by a recurrence.
    pub multiplies: bool,
}
