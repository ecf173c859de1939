//! What a kernel and whoever launches it agree on: parameters, scratch memory, the error record.
//!
//! The emitter fills in a [`KernelAbi`] for each module it prints, the macro puts it into the user's
//! binary as a `static` (see [`Module::rust_source`]), and the driver layer and the simulator launch by it. Nothing
//! else about a kernel needs to be known to run it.
//!
//! # A call
//!
//! 1. [`KernelAbi::plan`](crate::plan) turns device limits, numbers of bins and items into a
//!    [`LaunchPlan`](crate::plan::LaunchPlan).
//! 2. Each target gets scratch memory of [`TargetPlan::scratch_bytes`](crate::plan::TargetPlan), filled
//!    with its neutral element by [`TargetAbi::initialise`] (or a memset where [`TargetAbi::fill32`] says
//!    that one does), and the call gets a ticket (4 bytes, zero) and an [`ErrorRecord`] (all bytes `0xff`).
//! 3. The entry is launched with [`KernelAbi::params`], each a 64-bit slot, in order.
//! 4. Where the plan says so, [`TargetAbi::merge`] is launched once for each target. Otherwise the gang that
//!    finished last has merged already, or step 3 is two launches and no scratch memory, see [`Ending`](crate::plan::Ending).
//!
//! Then the bins hold the result if the record is still clean, and what they held before if it is not.
//! Scratch memory and the ticket are as in step 2 again in both cases, so the next call starts at
//! step 3. After a launch that the driver reports as failed they are not: discard them.
//!
//! # Faults
//!
//! A kernel that meets a fault puts the smallest failing iteration into the record and skips the rest
//! of that iteration. To learn what went wrong, launch the entry again for just that iteration
//! (`begin = first`, `end = first + 1`) on the same record, with the merge: a kernel that runs a single
//! iteration writes the other fields too. [`FaultSite::message`] words it as rustc's own panic does.

mod fault;
mod source;

use std::borrow::Cow;

use crate::cell::Cell;
use crate::queues::MOST_UPDATES;

pub use fault::{ErrorRecord, FaultKind, FaultSite};

/// Text that is a literal in a user's binary and owned when a loop is compiled at run time.
pub type Text = Cow<'static, str>;
/// A list that is a literal in a user's binary and owned when a loop is compiled at run time.
pub type List<T> = Cow<'static, [T]>;

/// One PTX module: a loop under one strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// How to launch it.
    pub abi: KernelAbi,
    /// The text for the driver's compiler.
    pub ptx: Text,
}

/// How to launch the kernel of one module.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelAbi {
    /// The entry: `colour_histogram_0_gang_shared`.
    pub entry: Text,
    /// The strategy of the module as people name it; that of the largest share of its targets.
    pub strategy: Strategy,
    /// The parameters in order. Each is a 64-bit slot; narrower values are in its low bits (signed ones
    /// sign-extended, floats as their bits).
    pub params: List<Param>,
    /// The captured arrays that the loop reads, in the order of [`ParamKind::Pointer`]'s number.
    pub arrays: List<ArrayAbi>,
    /// The captured values, in the order of [`ParamKind::Captured`]'s number.
    pub captured: List<CapturedAbi>,
    /// What is updated.
    pub targets: List<TargetAbi>,
    /// Dimensions of the iteration space.
    pub dims: u32,
    /// Threads of a gang. The entry carries it as `.maxntid`; a launch may use fewer, in whole warps.
    pub block: u32,
    /// Iterations that a thread takes on each trip through its loop.
    pub items_per_thread: u32,
    /// Shared memory that the entry declares itself, in bytes.
    pub static_shared: u32,
    /// The smallest compute capability that the module loads on, times ten.
    pub sm: u32,
    /// The entry of the same module that writes the bins of a [sample](crate::sample) of iterations, if it has one. Its
    /// parameters are those of `entry`, but that [`ParamKind::Ticket`] is the address of room for
    /// [`sample::MOST`](crate::sample::MOST) indices; its grid is [`sample::GRID`](crate::sample::GRID) blocks of
    /// [`sample::BLOCK`](crate::sample::BLOCK).
    pub sample: Option<Text>,
    /// Where it can fail; [`ErrorRecord::site`] counts in it.
    pub faults: List<FaultSite>,
    /// What is launched behind the entry where it splits its updates by ranges of bins.
    pub split: Option<SplitAbi>,
}

/// The entries that count what an entry of [`Strategy::GangSplit`] has put into queues. Both take the entry's own
/// parameters and are launched behind it, in this order, as [`SplitPlan`](crate::plan::SplitPlan) says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitAbi {
    /// Puts the chunks of all gangs in the order of their ranges.
    pub arrange: Text,
    /// Counts the chunks of one range after the other in shared memory.
    pub count: Text,
    /// Updates that a thread gathers before its gang splits them.
    pub slots: u32,
}

/// One kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in the PTX, without the entry's.
    pub name: Text,
    /// What to pass.
    pub kind: ParamKind,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// The first iteration, counted over the whole (flattened) iteration space.
    Begin,
    /// The iteration after the last.
    End,
    /// Positions in a dimension of the iteration space, outermost first.
    Count(u32),
    /// Device address of a read array, by its number in [`KernelAbi::arrays`].
    Pointer(u32),
    /// Elements of the outermost dimension of that array.
    Length(u32),
    /// A captured value, by its number in [`KernelAbi::captured`].
    Captured(u32),
    /// Device address of the bins of a target.
    Bins(u32),
    /// Elements of the outermost dimension of the bins, as an index is checked against; 1 for a scalar.
    BinsLength(u32),
    /// Scalars in the bins: the product of all dimensions.
    BinsTotal(u32),
    /// Device address of the target's scratch memory.
    Scratch(u32),
    /// Copies of the bins in the scratch memory. From the plan.
    Copies(u32),
    /// Where the target's copies start in dynamic shared memory. From the plan.
    SharedOffset(u32),
    /// Copies that a gang keeps in shared memory. From the plan.
    SharedCopies(u32),
    /// `W`, the windows that the bins are cut into. From the plan.
    Windows,
    /// Ranges of bins that updates are split by. From the plan.
    Ranges,
    /// Bits of a bin within its range. From the plan.
    RangeBits,
    /// Gangs that split. From the plan.
    Gangs,
    /// Chunks of the queues that a gang has. From the plan.
    Chunks,
    /// Device address of a part of the queues, by its number in [`Part::ALL`](crate::queues::Part::ALL).
    Queue(u32),
    /// How the result comes into the bins: an [`Ending`](crate::plan::Ending). From the plan.
    Merge,
    /// Device address of the ticket.
    Ticket,
    /// Device address of the [`ErrorRecord`].
    Error,
}

/// A captured array that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayAbi {
    /// Its number among the arrays of the loop IR.
    pub array: u32,
    /// The user's name.
    pub name: Text,
    /// Whether only its length is used: the pointer may then be 0 and nothing needs to be copied.
    pub length_only: bool,
}

/// A captured value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedAbi {
    /// Its number among the variables of the loop IR.
    pub var: u32,
    /// The user's name.
    pub name: Text,
    /// Its type.
    pub elem: Elem,
}

/// What a loop updates.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetAbi {
    /// The user's name.
    pub name: Text,
    /// Its number among the arrays of the loop IR, or the variables for a scalar reduction.
    pub id: u32,
    /// Whether it is a scalar reduction: one bin.
    pub scalar: bool,
    /// The type of a bin in the user's memory.
    pub elem: Elem,
    /// The operator.
    pub op: Op,
    /// Where its copies live.
    pub placement: Placement,
    /// Whether every update adds the same constant: shared memory can hold the number of updates then, and merges
    /// equal addresses of a warp in hardware, so that one copy is as good as many.
    pub counts: bool,
    /// Updates that an iteration makes at most; 0 if that is not known.
    pub updates: u32,
    /// What the loop's inner positions are in the bins, where windows are of these.
    pub columns: Option<Columns>,
    /// The entry of the same module that adds the copies up into the bins and makes the scratch memory neutral
    /// again. Any grid of blocks of [`AUXILIARY_BLOCK`]; parameters as [`MergeParam::ALL`].
    pub merge: Text,
    /// The entry of the same module that fills scratch memory, aligned to 16 bytes, with the neutral element.
    /// Any grid of blocks of [`AUXILIARY_BLOCK`]; parameters as [`InitialiseParam::ALL`].
    pub initialise: Text,
}

/// Bins that have the inner position of the loop, plus a constant, as one of their indices: its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Values of that index; 0 if it is the first one and their number is only known when it is called.
    pub extent: u64,
    /// Bins from one value to the next.
    pub scalars: u64,
    /// The value that belongs to inner position 0.
    pub first: u64,
    /// Values that can be come to, from `first` on; 0 if that is only known when it is called.
    pub used: u64,
}

/// Threads of a block of a merge or an initialisation.
pub const AUXILIARY_BLOCK: u32 = 256;

/// The parameters of a merge entry, 64-bit slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeParam {
    /// Device address of the bins.
    Bins,
    /// Scalars in the bins.
    BinsTotal,
    /// Device address of the scratch memory.
    Scratch,
    /// Copies in it.
    Copies,
    /// Device address of the [`ErrorRecord`].
    Error,
}

impl MergeParam {
    /// In the order of the entry.
    pub const ALL: [MergeParam; 5] = [
        MergeParam::Bins,
        MergeParam::BinsTotal,
        MergeParam::Scratch,
        MergeParam::Copies,
        MergeParam::Error,
    ];
}

/// The parameters of an initialisation entry, 64-bit slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialiseParam {
    /// Device address of the scratch memory.
    Scratch,
    /// Scalars in it: copies times bins.
    Scalars,
}

impl InitialiseParam {
    /// In the order of the entry.
    pub const ALL: [InitialiseParam; 2] = [InitialiseParam::Scratch, InitialiseParam::Scalars];
}

impl TargetAbi {
    /// The type in which copies accumulate.
    pub fn accumulator(&self) -> Elem {
        self.elem.accumulator()
    }

    /// The 32-bit word that fills scratch memory with the neutral element when it is repeated, if there is one:
    /// the driver's memset does then what [`initialise`](TargetAbi::initialise) does.
    pub fn fill32(&self) -> Option<u32> {
        let bits = self.op.neutral_bits(self.accumulator());
        let (low, high) = (bits as u32, (bits >> 32) as u32);
        (self.accumulator().size() == 4 || low == high).then_some(low)
    }
}

/// A strategy as people name it, in `strategy = "…"` and in `ACCRUE_STRATEGY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strategy {
    /// Atomic updates of one copy in device memory.
    AtomicGlobal,
    /// `locals` copies in device memory; a gang uses copy `gang mod locals` (the paper's duplication).
    GangGlobal,
    /// `copies` copies per gang in shared memory.
    GangShared,
    /// 32 copies per gang in shared memory, one for each lane.
    GangStriped,
    /// A copy of a window of the bins per gang in shared memory; gangs with all windows take the same iterations.
    GangWindow,
    /// A copy of a window of the bins per gang in shared memory, two counters of 16 bits a word: for updates that all add
    /// the same constant.
    GangPacked,
    /// `copies` copies per gang in shared memory, and the hottest bins in registers or in bins of each lane: for updates of which equal bins wait
    /// for each other.
    GangHot,
    /// Updates are split by ranges of the bins into queues in device memory, and the ranges are counted in shared memory one
    /// after the other.
    GangSplit,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Strategy; 8] = [
        Strategy::AtomicGlobal,
        Strategy::GangGlobal,
        Strategy::GangShared,
        Strategy::GangStriped,
        Strategy::GangWindow,
        Strategy::GangPacked,
        Strategy::GangHot,
        Strategy::GangSplit,
    ];

    /// The name, in attributes, entries and measurements.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::AtomicGlobal => "atomic_global",
            Strategy::GangGlobal => "gang_global",
            Strategy::GangShared => "gang_shared",
            Strategy::GangStriped => "gang_striped",
            Strategy::GangWindow => "gang_window",
            Strategy::GangPacked => "gang_packed",
            Strategy::GangHot => "gang_hot",
            Strategy::GangSplit => "gang_split",
        }
    }

    /// Whether the strategy is for bins of this type with this operator. `counts` says that every update adds the same
    /// constant, `updates` how many an iteration makes at most, 0 if that is not known.
    pub fn applies_to(self, op: Op, elem: Elem, counts: bool, updates: u32) -> bool {
        match self {
            Strategy::AtomicGlobal
            | Strategy::GangGlobal
            | Strategy::GangShared
            | Strategy::GangStriped
            | Strategy::GangWindow => op.applies_to(elem),
            // A gang must know that it makes fewer than 2^32 updates.
            Strategy::GangPacked => {
                op.applies_to(elem)
                    && updates > 0
                    && Cell::of(op, elem, counts, updates) == Cell::Counter
            }
            // The hardware merges equal addresses of counters.
            Strategy::GangHot => {
                op.applies_to(elem) && Cell::of(op, elem, counts, updates) != Cell::Counter
            }
            Strategy::GangSplit => op.applies_to(elem) && (1..=MOST_UPDATES).contains(&updates),
        }
    }

    /// The loops that it has kernels for, as the end of a sentence: "it takes ..".
    pub fn takes(self) -> &'static str {
        match self {
            Strategy::AtomicGlobal
            | Strategy::GangGlobal
            | Strategy::GangShared
            | Strategy::GangStriped
            | Strategy::GangWindow => "loops whose updates of a bin array are not injective",
            Strategy::GangPacked => {
                "loops that count: every update adds the same constant, and an iteration makes a known number of them"
            }
            Strategy::GangHot => "loops with updates other than the addition of a constant",
            Strategy::GangSplit => {
                "loops over one array of more bins than shared memory holds, with at most 32 updates an iteration and none \
                 of them in an inner loop"
            }
        }
    }

    /// The strategy that is called `name`.
    pub fn from_name(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// Where the copies of one target live while the loop runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// As a strategy says.
    Strategy(Strategy),
    /// In a register of each thread: a scalar reduction.
    Register,
    /// In device memory without atomics: no two iterations update one bin.
    Injective,
}

impl Placement {
    /// The name, in comments and explanations.
    pub fn name(self) -> &'static str {
        match self {
            Placement::Strategy(s) => s.name(),
            Placement::Register => "register",
            Placement::Injective => "injective",
        }
    }
}

/// The type of a bin or a captured value. `usize` and `isize` are the 64-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are Rust's")]
pub enum Elem {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

impl Elem {
    /// Every type.
    pub const ALL: [Elem; 11] = [
        Elem::Bool,
        Elem::I8,
        Elem::I16,
        Elem::I32,
        Elem::I64,
        Elem::U8,
        Elem::U16,
        Elem::U32,
        Elem::U64,
        Elem::F32,
        Elem::F64,
    ];

    /// Rust's name.
    pub fn name(self) -> &'static str {
        match self {
            Elem::Bool => "bool",
            Elem::I8 => "i8",
            Elem::I16 => "i16",
            Elem::I32 => "i32",
            Elem::I64 => "i64",
            Elem::U8 => "u8",
            Elem::U16 => "u16",
            Elem::U32 => "u32",
            Elem::U64 => "u64",
            Elem::F32 => "f32",
            Elem::F64 => "f64",
        }
    }

    /// Size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Elem::Bool | Elem::I8 | Elem::U8 => 1,
            Elem::I16 | Elem::U16 => 2,
            Elem::I32 | Elem::U32 | Elem::F32 => 4,
            Elem::I64 | Elem::U64 | Elem::F64 => 8,
        }
    }

    /// Size in bits.
    pub fn bits(self) -> u32 {
        self.size() * 8
    }

    /// Whether it is a signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, Elem::I8 | Elem::I16 | Elem::I32 | Elem::I64)
    }

    /// Whether it is `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Elem::F32 | Elem::F64)
    }

    /// The type in which copies of bins of this type accumulate. Narrow bins accumulate in 32 bits, where
    /// the hardware has atomics, and the merge cuts them down: sums, products and bit operations are the same
    /// modulo 2^8, and minima, maxima and saturated sums are the same as long as the last step clamps.
    pub fn accumulator(self) -> Elem {
        match self {
            Elem::Bool | Elem::U8 | Elem::U16 => Elem::U32,
            Elem::I8 | Elem::I16 => Elem::I32,
            wide => wide,
        }
    }
}

/// The operator of a target, associative and commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// `h += v`, wrapping for integers.
    Add,
    /// `h -= v`, wrapping for integers. Copies add; the merge subtracts.
    Sub,
    /// `h = h.saturating_add(v)`, of unsigned integers.
    SaturatingAdd,
    /// `h *= v`, wrapping for integers.
    Mul,
    /// `h &= v`.
    And,
    /// `h |= v`.
    Or,
    /// `h ^= v`.
    Xor,
    /// `h = h.min(v)`; a NaN gives way.
    Min,
    /// `h = h.max(v)`; a NaN gives way.
    Max,
}

impl Op {
    /// Every operator.
    pub const ALL: [Op; 9] = [
        Op::Add,
        Op::Sub,
        Op::SaturatingAdd,
        Op::Mul,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Min,
        Op::Max,
    ];

    /// The name, in entries and measurements.
    pub fn name(self) -> &'static str {
        match self {
            Op::Add => "add",
            Op::Sub => "sub",
            Op::SaturatingAdd => "saturating_add",
            Op::Mul => "mul",
            Op::And => "and",
            Op::Or => "or",
            Op::Xor => "xor",
            Op::Min => "min",
            Op::Max => "max",
        }
    }

    /// Whether bins of this type can have this operator.
    pub fn applies_to(self, elem: Elem) -> bool {
        match self {
            Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max => elem != Elem::Bool,
            Op::SaturatingAdd => !elem.is_float() && !elem.is_signed() && elem != Elem::Bool,
            Op::And | Op::Or | Op::Xor => !elem.is_float(),
        }
    }

    /// The bits of the value that changes nothing, in the low bits. `elem` is an accumulator type. For float
    /// sums it is -0.0, which alone leaves a sum of -0.0 as it is; for float minima and maxima a NaN.
    pub fn neutral_bits(self, elem: Elem) -> u64 {
        let ones = u64::MAX >> (64 - elem.bits());
        let sign = 1 << (elem.bits() - 1);
        match (self, elem) {
            (Op::Add, Elem::F32 | Elem::F64) => sign,
            (Op::Mul, Elem::F32) => u64::from(1f32.to_bits()),
            (Op::Mul, Elem::F64) => 1f64.to_bits(),
            (Op::Min | Op::Max, Elem::F32) => 0x7fff_ffff,
            (Op::Min | Op::Max, Elem::F64) => 0x7fff_ffff_ffff_ffff,
            (Op::Add | Op::Sub | Op::SaturatingAdd | Op::Or | Op::Xor, _) => 0,
            (Op::Mul, _) => 1,
            (Op::And, _) => ones,
            (Op::Min, e) if e.is_signed() => sign - 1,
            (Op::Max, e) if e.is_signed() => sign,
            (Op::Min, _) => ones,
            (Op::Max, _) => 0,
        }
    }
}

impl Op {
    /// Whether the hardware has an atomic for the operator on an accumulator type.
    pub fn has_atomic(self, elem: Elem) -> bool {
        match self {
            Op::Add | Op::Sub => true,
            Op::And | Op::Or | Op::Xor => true,
            Op::Min | Op::Max => !elem.is_float(),
            // A wrapped sum of 32 or 64 bits is seen by who made it, and put right by a maximum.
            Op::SaturatingAdd => true,
            Op::Mul => false,
        }
    }
}
