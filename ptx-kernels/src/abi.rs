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

#[doc(hidden)]
pub use std::borrow::Cow;

pub use accrue_ops::Op;
use accrue_ops::{Kind, Number};

pub use fault::{ErrorRecord, FaultKind, FaultSite};

pub use crate::cut::Cut;
use crate::pack;
pub use crate::strategy::Strategy;
use crate::strategy::lookback;

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
    pub ptx: Code,
}

impl Module {
    /// The text for the driver's compiler.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.ptx {
            Code::Text(text) => Cow::Borrowed(text),
            Code::Packed { pack, number } => Cow::Owned(pack::unpack(pack, *number as usize)),
        }
    }

    /// Bytes that tell the text from others, and are there without unpacking it.
    pub fn identity(&self) -> [&[u8]; 2] {
        match &self.ptx {
            Code::Text(text) => [text.as_bytes(), &[]],
            Code::Packed { pack, number } => [pack, std::slice::from_ref(number)],
        }
    }
}

/// The text of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// As it is: of a loop that is compiled at run time.
    Text(Text),
    /// In a user's binary, packed together with those of the loop's other modules.
    Packed {
        /// What [`pack::pack`] has made of them.
        pack: &'static [u8],
        /// Which of them it is.
        number: u8,
    },
}

impl From<String> for Code {
    fn from(text: String) -> Code {
        Code::Text(text.into())
    }
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
    /// Whether it takes all iterations together, and ranges of one alone: where threads have patches of them, or gangs blocks.
    pub whole: bool,
    /// Threads of a gang. The entry carries it as `.maxntid`; a launch may use fewer, in whole warps.
    pub block: u32,
    /// Iterations that a thread takes on each trip through its loop; 0 where all threads share each of them.
    pub items_per_thread: u32,
    /// Iterations that a gang takes at least, where its threads take them together: gangs then have `block` threads. 0 where threads
    /// take their own.
    pub together: u32,
    /// Whether gangs of threads that have several iterations each may be more than are resident, too: as many as have some.
    pub waves: bool,
    /// How its iterations are cut into blocks, where they are.
    pub cut: Option<Cut>,
    /// Elements at either side of its own that an iteration of a step reads of what the step before has written, where gangs may take several steps
    /// each by themselves; 0 where they may not.
    pub reach: u32,
    /// Shared memory that the entry declares itself, in bytes.
    pub static_shared: u32,
    /// The smallest compute capability that the module loads on, times ten.
    pub sm: u32,
    /// The entry of the same module that writes the bins of a [sample](crate::sample) of iterations, if it has one. Its
    /// parameters are those of `entry`, but that [`ParamKind::Ticket`] is the address of room for
    /// [`sample::MOST_INDICES`](crate::sample::MOST_INDICES) indices; its grid is [`sample::GRID`](crate::sample::GRID) blocks of
    /// [`sample::BLOCK`](crate::sample::BLOCK).
    pub sample: Option<Text>,
    /// What runs several calls in one launch, if the module has it.
    pub series: Option<SeriesAbi>,
    /// Where it can fail; [`ErrorRecord::site`] counts in it.
    pub faults: List<FaultSite>,
    /// What is launched behind the entry where it splits its updates by ranges of bins.
    pub split: Option<SplitAbi>,
}

impl KernelAbi {
    /// Whether iterations write elements of their own, or carry scalars along: none of them may run twice, and a fault is told by the launch itself.
    pub fn writes(&self) -> bool {
        let carried = |target: &TargetAbi| lookback::is_carried(target.placement);
        self.arrays.iter().any(|array| array.written) || self.targets.iter().any(carried)
    }
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

/// The entry that runs several calls one after the other in one gang, see [`Function::series`](crate::writer::Function::series).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesAbi {
    /// Its name.
    pub entry: Text,
    /// Threads of the gang, at most.
    pub block: u32,
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
    /// Device address of the [states](crate::strategy::Tiling) of the tiles of a scan, all zero before a launch.
    States,
    /// How the result comes into the bins: an [`Ending`](crate::plan::Ending). From the plan.
    Merge,
    /// Device address of the ticket.
    Ticket,
    /// Device address of the [`ErrorRecord`].
    Error,
}

/// A captured array that is read, or written by iterations that each have elements of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayAbi {
    /// Its number among the arrays of the loop IR.
    pub array: u32,
    /// The user's name.
    pub name: Text,
    /// Whether only its length is used: the pointer may then be 0 and nothing needs to be copied.
    pub length_only: bool,
    /// Whether iterations write elements of it, each its own, which no other one reads. It is then passed whole, with what it
    /// holds before the call.
    pub written: bool,
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
    /// Bins of the slice that an iteration of the outer loop updates, where a gang takes it together.
    pub slice: Option<u64>,
    /// Whether it is carried along by maps that are composed: a factor and a sum. Its copy then has the bits that are others than before.
    pub composed: bool,
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

    /// The unsigned integer of an integer's width; floats as they are.
    pub fn unsigned(self) -> Elem {
        match self {
            Elem::Bool | Elem::I8 | Elem::U8 => Elem::U8,
            Elem::I16 | Elem::U16 => Elem::U16,
            Elem::I32 | Elem::U32 => Elem::U32,
            Elem::I64 | Elem::U64 => Elem::U64,
            Elem::F32 | Elem::F64 => self,
        }
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

impl Number for Elem {
    fn kind(self) -> Kind {
        match self {
            Elem::Bool => Kind::Bool,
            Elem::I8 | Elem::I16 | Elem::I32 | Elem::I64 => Kind::Signed,
            Elem::U8 | Elem::U16 | Elem::U32 | Elem::U64 => Kind::Unsigned,
            Elem::F32 | Elem::F64 => Kind::Float,
        }
    }

    fn width(self) -> u32 {
        self.bits()
    }
}
