//! The clauses of OpenACC 2.7 (section 2), as structures.
//!
//! A clause is generic in its expressions: the grammar yields [`Written`] ones, which
//! [`crate::lower`] turns into typed ones when it knows the scope. [`names`] says which words are
//! clauses, [`parse`] reads them, [`section`] reads lists of variables and array sections.

pub mod names;
pub mod parse;
pub mod section;

use crate::source::Span;

/// A C expression as it stands in the pragma.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The preprocessed text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// One clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause<E> {
    /// The whole clause.
    pub span: Span,
    /// The name as written, aliases included (`pcopyin`).
    pub name: String,
    /// What it says.
    pub kind: ClauseKind<E>,
}

/// What a clause says.
#[derive(Clone, PartialEq, Debug)]
pub enum ClauseKind<E> {
    /// A list of variables and sections, and what happens to them.
    Data {
        /// What happens.
        action: DataAction,
        /// `readonly:` or `zero:`.
        modifier: Option<Modifier>,
        /// To what.
        vars: Vec<Section<E>>,
    },
    /// `reduction(op: vars)`.
    Reduction {
        /// The operator.
        op: ReductionOp,
        /// The variables.
        vars: Vec<Section<E>>,
    },
    /// `if(condition)`.
    If(E),
    /// `self` or `self(condition)` on a compute construct.
    SelfIf(Option<E>),
    /// `async` or `async(queue)`.
    Async(Option<E>),
    /// `wait` or `wait(queues)`.
    Wait(Vec<E>),
    /// `num_gangs(n)`.
    NumGangs(Vec<E>),
    /// `num_workers(n)`.
    NumWorkers(E),
    /// `vector_length(n)`.
    VectorLength(E),
    /// `gang`, `gang(n)`, `gang(num: n, static: s)`.
    Gang(Vec<GangArg<E>>),
    /// `worker` or `worker(n)`.
    Worker(Option<E>),
    /// `vector` or `vector(n)`.
    Vector(Option<E>),
    /// `seq`.
    Seq,
    /// `auto`.
    Auto,
    /// `independent`.
    Independent,
    /// `collapse(n)`.
    Collapse(E),
    /// `tile(sizes)`; `None` is `*`.
    Tile(Vec<Option<E>>),
    /// `device_type(names)`; the clauses after it hold for these devices. `*` is a name.
    DeviceType(Vec<String>),
    /// `default(none)` or `default(present)`.
    Default(DefaultKind),
    /// `finalize`.
    Finalize,
    /// `if_present`.
    IfPresent,
    /// `nohost`.
    NoHost,
    /// `bind(name)` or `bind("name")`.
    Bind(String),
    /// `device_num(n)`.
    DeviceNum(E),
    /// `default_async(queue)`.
    DefaultAsync(E),
}

/// One argument of `gang`.
#[derive(Clone, PartialEq, Debug)]
pub enum GangArg<E> {
    /// `num: n`, or just `n`.
    Num(E),
    /// `static: size`; `None` is `*`.
    Static(Option<E>),
}

/// What a clause with a list of variables does to them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataAction {
    /// `copy`: in at the start, out at the end.
    Copy,
    /// `copyin`.
    CopyIn,
    /// `copyout`: allocated, not initialised, out at the end.
    CopyOut,
    /// `create`: allocated, not initialised.
    Create,
    /// `no_create`.
    NoCreate,
    /// `present`.
    Present,
    /// `deviceptr`.
    DevicePtr,
    /// `attach`.
    Attach,
    /// `detach`.
    Detach,
    /// `delete`.
    Delete,
    /// `device_resident`.
    DeviceResident,
    /// `link`.
    Link,
    /// `use_device`.
    UseDevice,
    /// `update device(..)`.
    UpdateDevice,
    /// `update self(..)` or `update host(..)`.
    UpdateSelf,
    /// `private`.
    Private,
    /// `firstprivate`.
    FirstPrivate,
    /// The list of a `cache` directive.
    Cache,
}

/// A modifier of a data clause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Modifier {
    /// Nothing is written to it.
    ReadOnly,
    /// The allocated memory is zeroed.
    Zero,
}

/// The operator of a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReductionOp {
    /// `+`
    Add,
    /// `*`
    Mul,
    /// `max`
    Max,
    /// `min`
    Min,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl ReductionOp {
    /// All operators with their spelling.
    pub const ALL: [(&'static str, ReductionOp); 9] = [
        ("+", ReductionOp::Add),
        ("*", ReductionOp::Mul),
        ("max", ReductionOp::Max),
        ("min", ReductionOp::Min),
        ("&", ReductionOp::BitAnd),
        ("|", ReductionOp::BitOr),
        ("^", ReductionOp::BitXor),
        ("&&", ReductionOp::And),
        ("||", ReductionOp::Or),
    ];

    /// The spelling.
    pub fn text(self) -> &'static str {
        ReductionOp::ALL
            .iter()
            .find(|(_, op)| *op == self)
            .map_or("?", |(text, _)| text)
    }
}

/// What `default(..)` says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefaultKind {
    /// Every variable must be in a clause.
    None,
    /// Arrays are assumed present.
    Present,
}

/// A variable, a member of one, or a section of an array: `a`, `s.x`, `a[0:n]`, `m[i][0:w]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Section<E> {
    /// The variable's name: the first word.
    pub name: String,
    /// What the ranges are of, as an expression: the variable, or a member.
    pub base: E,
    /// One for each pair of brackets.
    pub ranges: Vec<Range<E>>,
    /// The whole of it.
    pub span: Span,
}

/// One dimension of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum Range<E> {
    /// `[index]`
    Index(E),
    /// `[start:length]`, either of which may be left out.
    Slice {
        /// First element; 0 when left out.
        start: Option<E>,
        /// Number of elements; the rest of the array when left out.
        len: Option<E>,
    },
}

impl<E> Range<E> {
    fn try_map<F, X>(&self, f: &mut impl FnMut(&E) -> Result<F, X>) -> Result<Range<F>, X> {
        Ok(match self {
            Range::Index(e) => Range::Index(f(e)?),
            Range::Slice { start, len } => Range::Slice {
                start: start.as_ref().map(&mut *f).transpose()?,
                len: len.as_ref().map(&mut *f).transpose()?,
            },
        })
    }
}

impl<E> Section<E> {
    fn try_map<F, X>(&self, f: &mut impl FnMut(&E) -> Result<F, X>) -> Result<Section<F>, X> {
        Ok(Section {
            name: self.name.clone(),
            base: f(&self.base)?,
            ranges: self
                .ranges
                .iter()
                .map(|r| r.try_map(f))
                .collect::<Result<_, _>>()?,
            span: self.span,
        })
    }
}

impl<E> Clause<E> {
    /// The same clause with each expression mapped; stops at the first that cannot be.
    ///
    /// # Errors
    ///
    /// The first error of `f`.
    pub fn try_map<F, X>(&self, f: &mut impl FnMut(&E) -> Result<F, X>) -> Result<Clause<F>, X> {
        use ClauseKind as K;
        let all = |list: &Vec<E>, f: &mut dyn FnMut(&E) -> Result<F, X>| {
            list.iter().map(f).collect::<Result<Vec<F>, X>>()
        };
        let maybe =
            |e: &Option<E>, f: &mut dyn FnMut(&E) -> Result<F, X>| e.as_ref().map(f).transpose();
        let kind = match &self.kind {
            K::Data {
                action,
                modifier,
                vars,
            } => K::Data {
                action: *action,
                modifier: *modifier,
                vars: vars
                    .iter()
                    .map(|v| v.try_map(f))
                    .collect::<Result<_, _>>()?,
            },
            K::Reduction { op, vars } => K::Reduction {
                op: *op,
                vars: vars
                    .iter()
                    .map(|v| v.try_map(f))
                    .collect::<Result<_, _>>()?,
            },
            K::If(e) => K::If(f(e)?),
            K::SelfIf(e) => K::SelfIf(maybe(e, f)?),
            K::Async(e) => K::Async(maybe(e, f)?),
            K::Wait(list) => K::Wait(all(list, f)?),
            K::NumGangs(list) => K::NumGangs(all(list, f)?),
            K::NumWorkers(e) => K::NumWorkers(f(e)?),
            K::VectorLength(e) => K::VectorLength(f(e)?),
            K::Gang(args) => K::Gang(
                args.iter()
                    .map(|a| match a {
                        GangArg::Num(e) => f(e).map(GangArg::Num),
                        GangArg::Static(e) => maybe(e, f).map(GangArg::Static),
                    })
                    .collect::<Result<_, _>>()?,
            ),
            K::Worker(e) => K::Worker(maybe(e, f)?),
            K::Vector(e) => K::Vector(maybe(e, f)?),
            K::Seq => K::Seq,
            K::Auto => K::Auto,
            K::Independent => K::Independent,
            K::Collapse(e) => K::Collapse(f(e)?),
            K::Tile(list) => K::Tile(list.iter().map(|e| maybe(e, f)).collect::<Result<_, _>>()?),
            K::DeviceType(names) => K::DeviceType(names.clone()),
            K::Default(kind) => K::Default(*kind),
            K::Finalize => K::Finalize,
            K::IfPresent => K::IfPresent,
            K::NoHost => K::NoHost,
            K::Bind(name) => K::Bind(name.clone()),
            K::DeviceNum(e) => K::DeviceNum(f(e)?),
            K::DefaultAsync(e) => K::DefaultAsync(f(e)?),
        };
        Ok(Clause {
            span: self.span,
            name: self.name.clone(),
            kind,
        })
    }
}
