//! What anybody needs to know of a strategy: one trait, of which most methods have the answer of most strategies.
//!
//! The emitter of kernels, the planner of launches, the cost model, `explain`, the checks and the benchmarks ask the
//! [`Template`] of a placement and know no strategy by name. A new one implements this trait in a file of its own and has
//! a row in `table.rs`.

use super::{Copies, Gang, Known, Memory, Target};
use crate::abi::{Elem, KernelAbi, Op, Param, ParamKind, TargetAbi};
use crate::cost::{Call, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::writer::Function;

/// Copies that gangs flush into where a flush is a loop of compare-and-swap, if nobody asks for another number.
const FLUSHED_LOCALS: u32 = 16;

/// A strategy. Placements that nobody chooses, such as registers for scalar reductions, are described by it as well.
pub trait Template: Sync {
    /// The name, in attributes, entries and measurements.
    fn name(&self) -> &'static str;

    /// Where the copies of the bins are: a cell of the table in `docs/choosing.md`.
    fn place(&self) -> &'static str;

    /// What it is good for, beside it.
    fn good_for(&self) -> &'static str;

    // Which loops it has kernels for.

    /// The loops that it has kernels for, as the end of a sentence: "it takes ..".
    fn takes(&self) -> &'static str {
        "loops whose updates of a bin array are not injective"
    }

    /// Whether it is for bins of this type with this operator. `counts` says that every update adds the same constant,
    /// `updates` how many an iteration makes at most, 0 if that is not known.
    fn applies_to(&self, op: Op, elem: Elem, _counts: bool, _updates: u32) -> bool {
        op.applies_to(elem)
    }

    /// Whether it is worth a kernel in a loop of this shape, unless it is asked for by name.
    fn suits(&self, _loop: &Shape) -> bool {
        true
    }

    /// Whether it has a form for a loop of this shape.
    fn has_form(&self, _loop: &Shape) -> bool {
        true
    }

    /// Whether a module of it may leave targets that it does not apply to in shared memory.
    fn is_partial(&self) -> bool {
        false
    }

    // The kernel.

    /// Makes the copies of a target.
    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        known: Known,
    ) -> Box<dyn Copies>;

    /// The parameters of a target besides those that every strategy uses.
    fn params(&self, _target: u32) -> Vec<ParamKind> {
        Vec::new()
    }

    /// The parameters of the module besides those of its targets.
    fn module_params(&self) -> Vec<ParamKind> {
        Vec::new()
    }

    /// The entries that run behind one whose parameters are `params`, in order.
    fn entries_behind(
        &self,
        _entry: &str,
        _params: &[Param],
        _target: &Target,
    ) -> Option<[Function; 2]> {
        None
    }

    /// Bytes of shared memory that its own variables take.
    fn static_shared(&self, target: &Target) -> u32 {
        // The window of a fixed-point sum.
        if self.in_shared_memory() && target.cell().shifts() > 0 {
            8
        } else {
            0
        }
    }

    /// What it keeps hot bins in, if it looks for them before the loop.
    fn keeps_hot(&self) -> Option<Keeps> {
        None
    }

    /// Whether it gathers the updates of a tile of items.
    fn is_tiled(&self) -> bool {
        false
    }

    /// Updates that a thread gathers at most: what its registers hold beside all else.
    fn most_slots(&self, _target: &Target) -> u32 {
        0
    }

    /// Whether windows may be of the loop's inner positions.
    fn takes_columns(&self) -> bool {
        false
    }

    /// Whether updates may go into the user's bins themselves, where the hardware has an atomic that does what a merge would.
    fn updates_bins(&self) -> bool {
        false
    }

    /// Whether a gang brings each bin to the scratch memory at most once.
    fn flushes_once(&self) -> bool {
        false
    }

    /// Whether a gang takes an iteration of the outer loop together, whose updates are in one slice of the bins.
    fn takes_slices(&self) -> bool {
        false
    }

    // The launch.

    /// Whether it keeps [cells](crate::cell) in shared memory, which the gang flushes at its end.
    fn has_cells(&self) -> bool {
        false
    }

    /// Whether it uses dynamic shared memory.
    fn in_shared_memory(&self) -> bool {
        self.has_cells()
    }

    /// What `copies` copies of so many bins, cut into windows, take of the shared memory of a gang.
    fn shared(&self, _target: &TargetAbi, _bins: u64, _copies: u32, _windows: u32) -> Shared {
        Shared::default()
    }

    /// Whether a gang may have several copies in shared memory.
    fn may_grow(&self) -> bool {
        false
    }

    /// Whether a launch runs an iteration once at most, so that it may write what is its own. What hot bins are found by, and
    /// what windows and recounts are, are further runs.
    fn runs_once(&self) -> bool {
        !self.is_windowed()
            && !self.is_tiled()
            && self.keeps_hot().is_none()
            && !self.takes_columns()
            && !self.takes_slices()
    }

    /// Whether a launch has one gang, whatever the loop's size.
    fn is_one_gang(&self) -> bool {
        false
    }

    /// Whether gangs of fewer threads than the kernel was written for do as well, where there are not enough items for every multiprocessor otherwise.
    fn may_be_small(&self) -> bool {
        false
    }

    /// Whether it cuts bins into windows.
    fn is_windowed(&self) -> bool {
        false
    }

    /// Bytes of a bin in a window.
    fn window_bin(&self, target: &TargetAbi) -> u32 {
        target.cell().bytes(target.elem)
    }

    /// Whether a gang in windows is bound by the latency of its loads, so that two on a multiprocessor pay.
    fn waits_for_loads(&self) -> bool {
        true
    }

    /// Updates that a gang may make at most, for none of its cells to lose one.
    fn most_updates(&self, target: &TargetAbi) -> Option<u64> {
        self.has_cells()
            .then(|| target.cell().most_updates(target.op, target.elem))
            .flatten()
    }

    /// `l`, the copies in device memory, for a launch of `gangs`.
    fn locals(&self, target: &TargetAbi, _bins: u64, gangs: u32, wish: Option<u32>) -> u32 {
        // Gangs flush into these; more than one copy pays where a flush is a loop of compare-and-swap.
        if self.has_cells() && !target.op.has_atomic(target.accumulator()) {
            wish.unwrap_or(FLUSHED_LOCALS).min(gangs.max(1))
        } else {
            1
        }
    }

    // The choice.

    /// What a target's part of a launch is expected to take.
    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> Part;

    /// How many times as long as the formulas say a call takes whose iterations are too few for it, or too short.
    fn delay(&self, _kernel: &KernelAbi, _call: &Call) -> f64 {
        1.0
    }

    /// Numbers of copies in device memory that are candidates besides its own choice. Where there are some, its name is
    /// shown with the number.
    fn locals_to_try(&self) -> &'static [u32] {
        &[]
    }

    // The checks.

    /// What `accrue-bench check` runs of it.
    fn trials(&self) -> Trials {
        Trials::default()
    }
}

/// What of a loop decides whether a strategy has a form for it, or is worth one.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Targets that a strategy is chosen for.
    pub targets: usize,
    /// Whether one of them is updated in an inner loop.
    pub looped: bool,
    /// Whether the bins of one of them are known to be so few that one copy of them is in shared memory.
    pub small: bool,
    /// Whether an iteration of the outer loop has its updates in one slice of the bins.
    pub sliced: bool,
}

/// Where hot bins are kept that a sample finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// In registers.
    Registers,
    /// In a cache in shared memory.
    Cache,
}

/// What a target takes of the shared memory of a gang.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Copies.
    pub copies: u32,
    /// Bytes of all of them, a multiple of 16.
    pub bytes: u64,
}

impl Shared {
    /// So many copies, of so many bytes together.
    pub(super) fn new(copies: u32, bytes: u64) -> Shared {
        Shared {
            copies,
            bytes: bytes.next_multiple_of(16),
        }
    }
}

/// What the checks run of a strategy, on a GPU and, with fewer items, on the simulated one.
#[derive(Clone, Copy, Debug)]
pub struct Trials {
    /// Numbers of bins on a GPU. What shared memory holds of 8-byte bins fits every device with 96 KiB of it.
    pub bins: &'static [u64],
    /// The same on the simulated one. None on either: it is for loops that count.
    pub simulated_bins: &'static [u64],
    /// Its parameters, as they are written behind its name, beside its own choice of them.
    pub requests: &'static [&'static str],
    /// Bins and items of a count, on a GPU, for strategies that are for many bins or many updates of one.
    pub counts: &'static [(u64, usize)],
    /// The same on the simulated one.
    pub simulated_counts: &'static [(u64, usize)],
    /// Whether it must refuse more bins than shared memory holds.
    pub refuses_many: bool,
}

impl Default for Trials {
    fn default() -> Trials {
        Trials {
            bins: &[1, 37, 4096, 1_092_546],
            simulated_bins: &[1, 37, 600],
            requests: &[],
            counts: &[],
            simulated_counts: &[],
            refuses_many: false,
        }
    }
}
