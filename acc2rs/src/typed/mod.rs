//! The typed C tree: what every stage after the front end works on.
//!
//! It is C with everything implicit made explicit: names are resolved to ids, typedefs to types,
//! every conversion that C performs is an [`ExprKind::Cast`], every array that becomes a pointer
//! an [`ExprKind::Decay`], initializers are completed, and each statement carries its OpenACC
//! directives and the comments that stand before it. Order and grouping are the source's.
//!
//! Operators compute in the type of the node: both operands of an arithmetic [`ExprKind::Binary`]
//! have the type of the result, those of a comparison have each other's and the result is `int`,
//! and a shift has the type of its left operand.

pub mod change;
pub mod consts;
pub mod copy;
pub mod verify;
pub mod walk;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::ctypes::{FnType, StructId, Type};
use crate::directive::Directive;
use crate::macros::Macro;
use crate::source::Span;

/// Index into [`Program::vars`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// Index into [`Program::functions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FnId(pub u32);

/// All units of a run, linked.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Every variable: globals, parameters, locals.
    pub vars: Vec<Var>,
    /// Every function that is declared, defined or not.
    pub functions: Vec<Function>,
    /// Structs.
    pub structs: Vec<Struct>,
    /// Enumerations of the user's files.
    pub enums: Vec<Enum>,
    /// Typedefs of the user's files.
    pub typedefs: Vec<Typedef>,
    /// Extents of arrays of variable length.
    pub extents: Vec<Expr>,
    /// What stands at the top level of the user's files, in order.
    pub items: Vec<Item>,
    /// The user's macros, by name, as they stood at the end.
    pub macros: HashMap<String, Arc<Macro>>,
    /// Functions that were made to return an index, or -1 for nothing, where the source has a pointer.
    pub finders: BTreeSet<FnId>,
}

impl Program {
    /// A variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// A function.
    pub fn function(&self, id: FnId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A struct.
    pub fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }

    /// The ids of all functions with a body, in the order of their first declaration.
    pub fn defined(&self) -> impl Iterator<Item = FnId> + '_ {
        let ids = 0..self.functions.len() as u32;
        ids.map(FnId).filter(|id| self.function(*id).body.is_some())
    }

    /// The function of this name, if there is one.
    pub fn find_function(&self, name: &str) -> Option<FnId> {
        self.functions
            .iter()
            .position(|f| f.name == name)
            .map(|at| FnId(at as u32))
    }

    /// A function of the library by this name, which takes more arguments than `params`; declared where it is not known yet.
    pub fn library_function(&mut self, name: &str, ret: Type, params: Vec<Type>) -> FnId {
        if let Some(known) = self.find_function(name) {
            return known;
        }
        self.functions.push(Function {
            name: name.into(),
            ty: FnType {
                ret,
                params,
                variadic: true,
                prototyped: true,
            },
            params: Vec::new(),
            body: None,
            internal: false,
            user: false,
            span: Span::default(),
            routines: Vec::new(),
        });
        FnId(self.functions.len() as u32 - 1)
    }
}

/// Something at the top level of a user's file.
#[derive(Clone, Debug)]
pub struct Item {
    /// What.
    pub kind: ItemKind,
    /// Where.
    pub span: Span,
    /// The comments before it.
    pub comments: Vec<Comment>,
}

/// What stands at the top level.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// A function's definition.
    Function(FnId),
    /// A global's definition.
    Global(VarId),
    /// A struct's definition.
    Struct(StructId),
    /// An enumeration: index into [`Program::enums`].
    Enum(usize),
    /// A typedef: index into [`Program::typedefs`].
    Typedef(usize),
    /// A directive outside functions (`declare`, `routine`).
    Directive(Box<Directive<Expr>>),
}

/// A comment, line by line, without its marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// The lines.
    pub lines: Vec<String>,
    /// Whether it stood behind code on the same line.
    pub trailing: bool,
}

/// How long a variable lives, and who sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A parameter.
    Param,
    /// A local of a block.
    Local,
    /// A `static` local: lives as long as the program.
    StaticLocal,
    /// A global; `internal` if `static`.
    Global {
        /// Seen in its own unit only.
        internal: bool,
    },
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// Its type; a parameter declared as an array has a pointer type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
    /// How long it lives.
    pub storage: Storage,
    /// Whether it is `const` itself.
    pub constant: bool,
    /// Whether it is defined in the user's files, not only declared `extern`.
    pub defined: bool,
    /// What it starts as.
    pub init: Option<Init>,
    /// The extents as written, outermost first, for arrays of constant size.
    pub extents: Vec<Option<Expr>>,
    /// The name of the typedef it was declared with, if one of the user's.
    pub typedef: Option<String>,
    /// Whether a parameter was written as an array, with its first extent if it had one.
    pub array_param: Option<Option<Box<Expr>>>,
    /// The function it belongs to.
    pub owner: Option<FnId>,
}

/// What a variable starts as, braces and designators resolved.
#[derive(Clone, PartialEq, Debug)]
pub enum Init {
    /// A value of the variable's type.
    Expr(Box<Expr>),
    /// Elements of an array or fields of a struct by index, rising; what is missing is zero.
    List(Vec<(u64, Init)>),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: FnType,
    /// Its parameters; empty unless it is defined.
    pub params: Vec<VarId>,
    /// Its body, if it is defined in the user's files.
    pub body: Option<Block>,
    /// Whether it is `static`.
    pub internal: bool,
    /// Whether a user's file declares it.
    pub user: bool,
    /// Where its name stands.
    pub span: Span,
    /// The `routine` directives on its declarations and its definition.
    pub routines: Vec<Directive<Expr>>,
}

/// A struct.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its tag, or the typedef that names it, or a made-up name.
    pub name: String,
    /// Its fields; `None` while it is only declared.
    pub fields: Option<Vec<Field>>,
    /// Where it is defined.
    pub span: Span,
    /// Whether a user's file defines it.
    pub user: bool,
    /// Whether it is a union.
    pub union: bool,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
    /// The extents as written, outermost first.
    pub extents: Vec<Option<Expr>>,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its tag.
    pub name: Option<String>,
    /// Its constants.
    pub constants: Vec<(String, i64)>,
}

/// A typedef of the user's.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub ty: Type,
}

/// Statements between braces.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// Comments before the closing brace.
    pub trailing: Vec<Comment>,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands, directives not included.
    pub span: Span,
    /// The directives before it that belong to it, outermost first.
    pub directives: Vec<Directive<Expr>>,
    /// The comments before it.
    pub comments: Vec<Comment>,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// Declares variables, in order.
    Decl(Vec<VarId>),
    /// Evaluates an expression for its effect.
    Expr(Expr),
    /// A block.
    Block(Block),
    /// `if`
    If {
        /// The condition, any scalar.
        cond: Expr,
        /// If it is not zero.
        then: Box<Stmt>,
        /// If it is zero.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`
    While {
        /// The condition.
        cond: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: Box<Stmt>,
        /// The condition.
        cond: Expr,
    },
    /// `for`
    For {
        /// A declaration, an expression, or nothing.
        init: Option<Box<Stmt>>,
        /// The condition; true when left out.
        cond: Option<Expr>,
        /// After each iteration.
        step: Option<Expr>,
        /// The body.
        body: Box<Stmt>,
    },
    /// `switch`
    Switch {
        /// What is compared.
        value: Expr,
        /// The arms in order; control falls from one to the next.
        arms: Vec<Arm>,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// A directive that stands alone (`update`, `wait`, `enter data`, …).
    Directive(Box<Directive<Expr>>),
}

/// One or several `case` labels and the statements up to the next.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// The values, low and high of a range; with the expression as written for a single one.
    pub cases: Vec<(i128, i128, Option<Expr>)>,
    /// Whether `default` is among the labels.
    pub default: bool,
    /// The statements.
    pub body: Vec<Stmt>,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    BitNot,
    /// `!`, which gives `int`
    Not,
}

/// A binary operator; logical ones are in [`ExprKind::Logical`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl BinaryOp {
    /// Its spelling, the same in C and Rust.
    pub fn text(self) -> &'static str {
        use BinaryOp as B;
        match self {
            B::Add => "+",
            B::Sub => "-",
            B::Mul => "*",
            B::Div => "/",
            B::Rem => "%",
            B::Shl => "<<",
            B::Shr => ">>",
            B::BitAnd => "&",
            B::BitOr => "|",
            B::BitXor => "^",
            B::Lt => "<",
            B::Le => "<=",
            B::Gt => ">",
            B::Ge => ">=",
            B::Eq => "==",
            B::Ne => "!=",
        }
    }

    /// Whether it compares and gives `int`.
    pub fn is_comparison(self) -> bool {
        use BinaryOp as B;
        matches!(self, B::Lt | B::Le | B::Gt | B::Ge | B::Eq | B::Ne)
    }
}

/// What an expression computes.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer of the node's type.
    Int(i128),
    /// A floating value of the node's type.
    Float(f64),
    /// A character constant: an `int` that prints as a character.
    Char(u8),
    /// A string literal without its terminating zero; the type is an array of `char`.
    Str(Vec<u8>),
    /// A constant of an enumeration.
    EnumConst(String, i64),
    /// A variable.
    Var(VarId),
    /// A function's name.
    Function(FnId),
    /// `base[index]`; the base is an array or a pointer.
    Index(Box<Expr>, Box<Expr>),
    /// `base.field`, by index; `p->field` is a member of a [`ExprKind::Deref`].
    Member(Box<Expr>, u32),
    /// `*pointer`
    Deref(Box<Expr>),
    /// `&place`
    AddrOf(Box<Expr>),
    /// An array as a pointer to its first element.
    Decay(Box<Expr>),
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator. A pointer plus or minus an integer, and the difference or comparison of two
    /// pointers, keep their operands' own types.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&&` (true) or `||` (false).
    Logical(bool, Box<Expr>, Box<Expr>),
    /// `++` and `--`.
    Step {
        /// Up or down.
        up: bool,
        /// Whether the value is the old one.
        post: bool,
        /// What is stepped.
        place: Box<Expr>,
    },
    /// `place = value`
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value`, computed in `common` and converted back.
    Compound {
        /// The operator.
        op: BinaryOp,
        /// What is updated.
        place: Box<Expr>,
        /// The operand, of type `common`; for shifts of its own promoted type, for pointers an integer.
        value: Box<Expr>,
        /// The type it is computed in.
        common: Type,
    },
    /// `cond ? then : otherwise`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// A conversion to the node's type; `explicit` if the source has it.
    Cast {
        /// Whether the user wrote it.
        explicit: bool,
        /// What is converted.
        value: Box<Expr>,
    },
    /// The bits of a number as a number of the node's type, which is of the same size.
    Bits(Box<Expr>),
    /// A call.
    Call {
        /// Of what.
        callee: FnId,
        /// With what, converted to the parameters' types.
        args: Vec<Expr>,
    },
    /// A call through a pointer.
    CallPointer(Box<Expr>, Vec<Expr>),
    /// `sizeof` of a type.
    SizeOf(Type),
    /// A compound literal.
    Literal(Box<Init>),
    /// A block whose last statement gives the value (a GNU extension).
    Block(Block),
    /// `assert(condition)` with its text.
    Assert(Box<Expr>, String),
}

impl Expr {
    /// An integer constant.
    pub fn int(value: i128, ty: Type, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Int(value),
            ty,
            span,
        }
    }

    /// The expression, converted to a type without the user having written so where it has another one.
    pub fn converted(self, ty: &Type) -> Expr {
        if self.ty == *ty {
            return self;
        }
        Expr {
            span: self.span,
            ty: ty.clone(),
            kind: ExprKind::Cast {
                explicit: false,
                value: Box::new(self),
            },
        }
    }

    /// Whether it names memory, so that it has an address: a variable, an element, a member, what a pointer points to, a
    /// literal of a struct or array, or a string.
    pub fn is_place(&self) -> bool {
        matches!(
            self.kind,
            ExprKind::Var(_)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::Deref(_)
                | ExprKind::Literal(_)
                | ExprKind::Str(_)
        )
    }

    /// The expression without conversions that the user did not write.
    pub fn bare(&self) -> &Expr {
        match &self.kind {
            ExprKind::Cast {
                explicit: false,
                value,
            } => value.bare(),
            _ => self,
        }
    }

    /// The expression without any conversion or decay.
    pub fn stripped(&self) -> &Expr {
        match &self.kind {
            ExprKind::Cast { value, .. } | ExprKind::Decay(value) => value.stripped(),
            _ => self,
        }
    }

    /// The variable whose address it is.
    pub fn address_of(&self) -> Option<VarId> {
        match &self.kind {
            ExprKind::AddrOf(place) => place.as_var(),
            _ => None,
        }
    }

    /// The variable, if that is all it is.
    pub fn as_var(&self) -> Option<VarId> {
        match self.kind {
            ExprKind::Var(id) => Some(id),
            _ => None,
        }
    }
}
