//! Decoded instructions: what the parser makes of PTX text and the executor runs.
//!
//! Registers, predicates, constants and branch targets are plain indices; an arithmetic instruction
//! is a pointer to the function that computes it for the lanes of a warp. Everything that can be
//! decided from the text is decided here, once.

use super::alu::convert::Cvt;
pub(crate) use super::types::{Space, Type};

/// Threads of a warp.
pub(crate) const WARP: usize = 32;

/// One register of a warp: a value per lane, zero-extended to 64 bits.
pub(crate) type Lanes = [u64; WARP];

/// `out[i] = f(a[i])` for the lanes of the mask; other lanes of `out` are left alone.
pub(crate) type Fn1 = fn(&mut Lanes, &Lanes, u32);
/// As [`Fn1`] with two operands.
pub(crate) type Fn2 = fn(&mut Lanes, &Lanes, &Lanes, u32);
/// As [`Fn1`] with three operands.
pub(crate) type Fn3 = fn(&mut Lanes, &Lanes, &Lanes, &Lanes, u32);
/// A comparison: the lanes for which it holds.
pub(crate) type FnCmp = fn(&Lanes, &Lanes) -> u32;

/// A register of the current frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reg(pub u32);

/// A predicate register of the current frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pred(pub u32);

/// A value operand: a register, or an entry of the launch's constant table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Src(pub u32);

impl Src {
    const CONST: u32 = 1 << 31;

    pub(crate) fn constant(index: usize) -> Src {
        Src(index as u32 | Self::CONST)
    }

    /// `Ok` with a register, `Err` with an index into the constant table.
    #[inline(always)]
    pub(crate) fn split(self) -> Result<u32, usize> {
        if self.0 & Self::CONST == 0 {
            Ok(self.0)
        } else {
            Err((self.0 & !Self::CONST) as usize)
        }
    }
}

impl From<Reg> for Src {
    fn from(r: Reg) -> Src {
        Src(r.0)
    }
}

/// A predicate operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PredSrc {
    /// A register, negated or not.
    Reg(Pred, bool),
    /// An immediate.
    Const(bool),
}

/// A constant of the module; symbols get their value when a kernel is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Const {
    /// A number, zero-extended.
    Bits(u64),
    /// The address of variable `.0` in its own space, plus `.1`.
    Symbol(u32, i64),
}

/// Where an address comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    /// A register or constant.
    Value(Src),
    /// An offset into the current stack frame (local variables, parameters of functions).
    Frame,
}

/// An address operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addr {
    pub base: Base,
    pub offset: i64,
}

/// How far an access or fence reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Cta,
    Gpu,
}

/// The memory-order side of a load, store or atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// `None` is a weak (plain) access.
    pub strong: Option<Scope>,
    pub acquire: bool,
    pub release: bool,
}

impl Order {
    pub(crate) const WEAK: Order = Order {
        strong: None,
        acquire: false,
        release: false,
    };
}

/// A load or store of up to four (eight) elements.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub space: Space,
    pub ty: Type,
    pub addr: Addr,
    pub order: Order,
    /// Destinations of a load with the width of the register, for sign extension; `None` is `_`.
    pub dst: Vec<Option<(Reg, u32)>>,
    /// Sources of a store.
    pub src: Vec<Src>,
}

/// Atomic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    Cas,
    Inc,
    Dec,
}

/// An atomic or reduction.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    pub space: Space,
    pub op: AtomOp,
    pub ty: Type,
    pub addr: Addr,
    pub order: Order,
    pub f: fn(u64, u64, u64) -> u64,
    /// One destination per element; `None` for `red` and `_`.
    pub dst: Vec<Option<Reg>>,
    /// One operand per element.
    pub b: Vec<Src>,
    /// The third operand of `cas`.
    pub c: Option<Src>,
}

/// Special registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    NWarpId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    SmId,
    NSmId,
    GridId,
    Clock,
    ClockHi,
    Clock64,
    GlobalTimer,
    GlobalTimerLo,
    GlobalTimerHi,
    DynamicSmem,
    TotalSmem,
}

/// How two predicates combine in `setp` and `set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bool {
    And,
    Or,
    Xor,
}

impl Bool {
    #[inline]
    pub(crate) fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Bool::And => a & b,
            Bool::Or => a | b,
            Bool::Xor => a ^ b,
        }
    }
}

/// A comparison with its combination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compare {
    pub f: FnCmp,
    pub a: Src,
    pub b: Src,
    pub with: Option<(Bool, PredSrc)>,
}

/// Extended-precision arithmetic over the carry flag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carry {
    pub kind: CarryKind,
    pub wide: bool,
    pub carry_in: bool,
    pub carry_out: bool,
    pub d: Reg,
    pub a: Src,
    pub b: Src,
    pub c: Option<Src>,
}

/// Which extended-precision operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CarryKind {
    Add,
    Sub,
    MadLo,
    MadHi { signed: bool },
}

/// What a vote computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uni,
    Ballot,
}

/// How a shuffle picks its source lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

/// A warp-wide operation whose members wait for each other.
#[derive(Clone, Debug)]
pub(crate) struct Collective {
    pub mask: Src,
    pub kind: CollectiveKind,
}

/// The warp-wide operations.
#[derive(Clone, Debug)]
pub(crate) enum CollectiveKind {
    Sync,
    Shfl {
        mode: Shuffle,
        d: Reg,
        p: Option<Pred>,
        a: Src,
        b: Src,
        c: Src,
    },
    VotePred {
        vote: Vote,
        p: Pred,
        a: PredSrc,
    },
    Ballot {
        d: Reg,
        a: PredSrc,
    },
    MatchAny {
        d: Reg,
        a: Src,
    },
    MatchAll {
        d: Reg,
        p: Option<Pred>,
        a: Src,
    },
    Redux {
        f: fn(u64, u64) -> u64,
        d: Reg,
        a: Src,
    },
    Elect {
        d: Reg,
        p: Pred,
    },
    /// `d = a * b + c` of 8 or 16 rows and 8 columns: two results for 8 rows, an element of `b` for four positions, and one of `a` for both.
    MmaF64 {
        d: Vec<Reg>,
        a: Vec<Src>,
        b: Vec<Src>,
        c: Vec<Src>,
    },
}

/// A block barrier.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    pub id: Src,
    /// Threads that take part; `None` is all of the block.
    pub count: Option<Src>,
    pub aligned: bool,
    pub kind: BarrierKind,
}

/// What arriving at a barrier does.
#[derive(Clone, Debug)]
pub(crate) enum BarrierKind {
    Sync,
    Arrive,
    RedPopc { d: Reg, a: PredSrc },
    RedPred { all: bool, p: Pred, a: PredSrc },
}

/// A call: which function, and how parameters travel between the frames.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub func: u32,
    /// From the caller's frame into the callee's: `(caller offset, callee offset, bytes)`.
    pub params: Vec<(u32, u32, u32)>,
    /// From the callee's frame back: `(callee offset, caller offset, bytes)`.
    pub results: Vec<(u32, u32, u32)>,
    /// `.reg` parameters: caller operand, callee register.
    pub reg_params: Vec<(Src, Reg)>,
    /// `.reg` results: callee register, caller register.
    pub reg_results: Vec<(Reg, Reg)>,
}

/// An asynchronous copy from global to shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpAsync {
    pub dst: Addr,
    pub src: Addr,
    pub size: u32,
    /// Bytes really read; the rest is zero.
    pub src_size: Option<Src>,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Mov {
        d: Reg,
        a: Src,
    },
    F1 {
        f: Fn1,
        d: Reg,
        a: Src,
    },
    F2 {
        f: Fn2,
        d: Reg,
        a: Src,
        b: Src,
    },
    F3 {
        f: Fn3,
        d: Reg,
        a: Src,
        b: Src,
        c: Src,
    },
    /// As `F2`, and a zero in `b` is a fault.
    Div {
        f: Fn2,
        d: Reg,
        a: Src,
        b: Src,
    },
    Carry(Box<Carry>),
    /// A conversion without a function of its own; a signed result is extended to `width` bits.
    Cvt {
        c: Box<Cvt>,
        d: Reg,
        a: Src,
        width: u32,
    },
    Setp {
        cmp: Box<Compare>,
        p: Option<Pred>,
        q: Option<Pred>,
    },
    Set {
        cmp: Box<Compare>,
        d: Reg,
        one: u64,
    },
    Testp {
        f: FnCmp,
        p: Pred,
        a: Src,
    },
    Selp {
        d: Reg,
        a: Src,
        b: Src,
        p: PredSrc,
    },
    PredMov {
        d: Pred,
        a: PredSrc,
    },
    PredLogic {
        op: Bool,
        d: Pred,
        a: PredSrc,
        b: PredSrc,
    },
    Special {
        d: Reg,
        which: Special,
    },
    /// The address of offset `.1` of the frame, in local space or (`generic`) as a generic address.
    FrameAddr {
        d: Reg,
        offset: i64,
        generic: bool,
    },
    /// `d = {a[0], a[1], ..}`, each `bits` wide.
    Pack {
        d: Reg,
        a: Vec<Src>,
        bits: u32,
    },
    /// `{d[0], d[1], ..} = a`.
    Unpack {
        d: Vec<Option<Reg>>,
        a: Src,
        bits: u32,
    },
    Cvta {
        d: Reg,
        a: Src,
        space: Space,
        to: bool,
    },
    IsSpace {
        p: Pred,
        a: Src,
        space: Space,
    },
    Load(Box<Access>),
    Store(Box<Access>),
    Atom(Box<Atomic>),
    CpAsync(Box<CpAsync>),
    CpCommit,
    /// Waits until at most `pending` committed groups are left, or (`all`) nothing at all.
    CpWait {
        pending: u64,
        all: bool,
    },
    Fence {
        scope: Scope,
    },
    Bra {
        target: u32,
    },
    BrxIdx {
        index: Src,
        targets: Vec<u32>,
    },
    Call(Box<Call>),
    Ret,
    Exit,
    Trap,
    Bar(Box<Barrier>),
    Collective(Box<Collective>),
    ActiveMask {
        d: Reg,
    },
    Nanosleep,
    /// `pmevent`.
    Event,
    /// Known, and without an effect that the model shows (prefetches, for one).
    Nop,
}

/// A decoded instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instr {
    pub op: Op,
    /// `@p` or `@!p`.
    pub guard: Option<(Pred, bool)>,
    /// One-based line of the PTX text.
    pub line: u32,
}
