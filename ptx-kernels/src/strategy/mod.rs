//! Strategies: where the copies of the bins live while a loop runs, one file each.
//!
//! A strategy is a template around the loop. Its `prologue` makes the copies of one target and leaves what the
//! updates need in registers; [`Copies::update`] combines a value into a bin; [`Copies::epilogue`] brings the
//! gang's copies into the scratch memory, from where [`tile_reduce`](crate::tile_reduce) merges them into the
//! user's bins. How the loop's body computes bin and value is none of its business, and the emitter of bodies does
//! not know where the copies are: this trait is all they share.
//!
//! All threads of a gang run `prologue` and `epilogue`, with a barrier behind the one and before the other.
//! `update` runs wherever the body says, by any set of threads, so it has no barriers and no warp-wide steps.
//!
//! A new strategy is a file here that implements [`Template`], and a row in `table.rs`.

mod atomic_global;
mod cache;
mod cells;
mod contract;
mod fixed;
mod gang_global;
mod gang_hot;
mod gang_packed;
mod gang_shared;
mod gang_slice;
mod gang_split;
mod gang_striped;
mod gang_window;
mod grid;
mod hot;
pub(crate) mod hottest;
mod injective;
mod inner_window;
mod look;
pub(crate) mod lookback;
mod reduce;
mod register;
pub mod steps;
mod table;
mod template;
mod waiting;

pub use self::cache::Cache;
pub(crate) use self::hot::Note;
pub use self::hot::{Hot, MOST_HOT, SAMPLE_BYTES};
pub(crate) use self::hot::{choose as choose_hot, draw, drawn, is_worth_it, none as no_hot};
pub(crate) use self::look::store as store_look;
pub use self::lookback::{Amount, BLOCK as TILE_BLOCK, Before, Scan, Ticket, Tiling};
pub use self::table::Strategy;
pub use self::template::{Keeps, Shape, Shared, Template, Trials};
pub use self::waiting::Waiting;
use crate::abi::{Columns, Elem, Op, Param, ParamKind, Placement};
use crate::cell::Cell;
use crate::combine::{self, Space};
use crate::emit;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// The dynamic shared memory of a module.
pub const DYNAMIC_SHARED: &str = "accrue_copies";

/// What a target is, for a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its number in the loop.
    pub number: u32,
    /// The user's name.
    pub name: String,
    /// The stem of its parameters' and registers' names, unique in the kernel.
    pub stem: String,
    /// The type of a bin.
    pub elem: Elem,
    /// The operator.
    pub op: Op,
    /// Where its copies live.
    pub placement: Placement,
    /// The bits of the constant that every update adds, if they all add the same one.
    pub counted: Option<u64>,
    /// Updates that an iteration makes at most; 0 if that is not known.
    pub updates: u32,
    /// What the loop's inner positions are in the bins, where windows are of these.
    pub columns: Option<Columns>,
    /// Bins of the slice that an iteration of the outer loop updates, where a gang takes it together.
    pub slice: Option<u64>,
    /// Updates that a thread gathers before its gang splits them; 0 for other strategies than that.
    pub slots: u32,
    /// The type in which maps are composed, where the target is carried along by such.
    pub composed: Option<Elem>,
}

impl Target {
    /// What there is to know of its strategy.
    pub fn template(&self) -> &'static dyn Template {
        self.placement.template()
    }

    /// What a bin is in shared memory.
    pub fn cell(&self) -> Cell {
        Cell::of(self.op, self.elem, self.counted.is_some(), self.updates)
    }

    /// The type in which copies accumulate.
    pub fn accumulator(&self) -> Elem {
        self.elem.accumulator()
    }

    /// The name of one of its parameters.
    pub fn param(&self, kind: ParamKind) -> String {
        let part = match kind {
            ParamKind::Bins(_) => "bins",
            ParamKind::BinsLength(_) => "len",
            ParamKind::BinsTotal(_) => "total",
            ParamKind::Scratch(_) => "scratch",
            ParamKind::Copies(_) => "locals",
            ParamKind::SharedOffset(_) => "shared",
            ParamKind::SharedCopies(_) => "copies",
            ParamKind::Begin
            | ParamKind::End
            | ParamKind::Count(_)
            | ParamKind::Pointer(_)
            | ParamKind::Length(_)
            | ParamKind::Captured(_)
            | ParamKind::Windows
            | ParamKind::Ranges
            | ParamKind::RangeBits
            | ParamKind::Gangs
            | ParamKind::Chunks
            | ParamKind::Queue(_)
            | ParamKind::States
            | ParamKind::Merge
            | ParamKind::Ticket
            | ParamKind::Error => unreachable!("not a parameter of a target: {kind:?}"),
        };
        format!("{}_{part}", self.stem)
    }

    /// Bytes of an accumulator.
    fn size(&self) -> u32 {
        self.accumulator().size()
    }
}

/// Registers of a target that every strategy uses.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Device address of the user's bins.
    pub bins: Reg,
    /// Scalars in the bins.
    pub total: Reg,
    /// Device address of the scratch memory.
    pub scratch: Reg,
    /// `l`, the copies in it.
    pub locals: Reg,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug)]
pub struct Gang {
    /// The thread in its gang.
    pub thread: Reg,
    /// The thread in its warp.
    pub lane: Reg,
    /// Threads of a gang.
    pub threads: Reg,
    /// The gang, or the group of gangs that take the same iterations.
    pub gang: Reg,
    /// Gangs, or groups of gangs where bins are in windows.
    pub gangs: Reg,
    /// The window of the gang, and how many there are: the first of one, where bins are not in windows.
    pub window: Reg,
    /// `W`.
    pub windows: Reg,
    /// Behind the loop: a predicate that says whether the copies go straight into the user's bins, where that may be.
    pub straight: Option<Reg>,
}

/// The number of a bin: of the scalar, counted over all dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bin {
    /// Known to be less than 2^32, in 32 bits.
    Narrow(Operand),
    /// In 64 bits.
    Wide(Operand),
}

impl Bin {
    /// The address of the bin in an array of `size` bytes each at `base`, in device memory.
    fn global(self, f: &mut Function, base: Reg, size: u32) -> Operand {
        match self {
            Bin::Narrow(Operand::Int(bin)) | Bin::Wide(Operand::Int(bin)) => {
                Operand::At(base, bin * i64::from(size))
            }
            Bin::Narrow(bin) => Operand::At(value!(f, "at", "mad.wide.u32", bin, size, base), 0),
            Bin::Wide(bin) => Operand::At(value!(f, "at", "mad.lo.u64", bin, size, base), 0),
        }
    }

    /// The same in shared memory, `step` bytes each, a constant or a register. A bin there is in range, so that its low
    /// 32 bits are all of it.
    fn shared_step(self, f: &mut Function, base: Reg, step: Operand) -> Operand {
        let bin = match (self, step) {
            (Bin::Narrow(Operand::Int(bin)) | Bin::Wide(Operand::Int(bin)), Operand::Int(step)) => {
                return Operand::At(base, bin * step);
            }
            (Bin::Narrow(Operand::Int(bin)) | Bin::Wide(Operand::Int(bin)), _) => {
                value!(f, "bin", "mov.u32", bin).into()
            }
            (Bin::Narrow(bin), _) => bin,
            (Bin::Wide(bin), _) => value!(f, "bin", "cvt.u32.u64", bin).into(),
        };
        Operand::At(value!(f, "at", "mad.lo.u32", bin, step, base), 0)
    }
}

/// The inner positions that a gang runs over, where windows are of columns, and where in shared memory their bins are;
/// 32-bit registers. With `a` and `b` counted over the indices before and behind that of the column, a bin is at
/// `base + a * row + ((position - begin) * scalars + b) * step`, where a column has `scalars` bins in a row.
#[derive(Clone, Copy, Debug)]
pub struct ColumnWindow {
    /// The first one.
    pub begin: Reg,
    /// The one after the last.
    pub end: Reg,
    /// Where the first column begins.
    pub base: Reg,
    /// Bytes from row to row.
    pub row: Reg,
    /// Bytes from bin to bin.
    pub step: u32,
}

/// The copies of one target, made by a `prologue`.
pub trait Copies {
    /// Combines `value`, an accumulator, into a bin that is in range.
    fn update(&self, f: &mut Function, bin: Bin, value: Operand);
    /// Multiplies by a value what is [composed](Target::composed).
    fn multiply(&self, _: &mut Function, _value: Operand) {
        unreachable!("only what is carried along is composed")
    }
    /// Room for an update that waits for those of the items behind it; `None` if each is as well made at once.
    fn waiting(&self, _f: &mut Function) -> Option<Waiting> {
        None
    }
    /// Lets an update wait. Called where [`waiting`](Copies::waiting) has made room.
    fn defer(&self, f: &mut Function, bin: Bin, value: Operand, _waiting: &Waiting) {
        self.update(f, bin, value);
    }
    /// Makes the updates that wait, joined where they are of the same bin.
    fn settle(&self, _f: &mut Function, _waiting: &[Waiting]) {}
    /// The inner positions that the gang runs over, if it does not run over all of them. What
    /// [`update`](Copies::update) is given as the bin is its address then, as the window says.
    fn columns(&self) -> Option<ColumnWindow> {
        None
    }
    /// Begins an iteration of the outer loop, where [`slice`](Copies::slice) says so.
    fn begin_slice(&self, _: &mut Function) {}
    /// Where a gang takes an iteration of the outer loop together: the 64-bit register that has to hold the first bin of its slice,
    /// modulo 2^32, wherever it updates a bin.
    fn slice(&self) -> Option<Reg> {
        None
    }
    /// Ends an iteration of the outer loop. All threads of the gang come here together.
    fn end_slice(&self, _: &mut Function) {}
    /// Brings what the thread has in registers to where the gang has its copies. A barrier follows.
    fn gather(&self, _: &mut Function, _: &Gang) {}
    /// Brings the gang's copies into the scratch memory.
    fn epilogue(&self, f: &mut Function, gang: &Gang);
    /// Begins a tile of items, whose updates are gathered. All threads of the gang come here together, also those that have
    /// no items in the tile.
    fn begin_tile(&self, _: &mut Function) {}
    /// Begins some items of a tile: whatever the threads do from here on, each has as many slots as the items have updates,
    /// empty until then.
    fn begin_items(&self, _: &mut Function, _items: u32) {}
    /// Ends the items that were begun: what was loaded for them is no longer needed. The end of a tile does it, too.
    fn end_items(&self, _: &mut Function) {}
    /// Ends a tile, as it was begun. `ahead` writes what asks for the items of the next one: it goes where the updates
    /// of this one are no longer in registers, on every way behind the tile once.
    fn end_tile(&self, _: &mut Function, _ahead: &mut dyn FnMut(&mut Function)) {}
    /// How to repeat the gang's share of the loop, where the copies may turn out to be wrong at its end.
    fn recount(&self) -> Option<&dyn Recount> {
        None
    }
}

/// Copies that are found to be right or wrong when the loop has run. Where they are wrong, the gang takes its items again,
/// in two halves:
///
/// ```text
/// barrier, compare, barrier, differs
/// for half in 0..2 { barrier, clear, begin(half), barrier, the loop with Recount::update, barrier, end }
/// barrier, clear
/// ```
///
/// All threads of the gang run all of it, and the copies are empty behind it, so that the epilogue has nothing to do.
pub trait Recount {
    /// Gathers whether the copies are right.
    fn compare(&self, f: &mut Function);
    /// A register that is not 0 if they are wrong.
    fn differs(&self, f: &mut Function) -> Reg;
    /// Empties the copies.
    fn clear(&self, f: &mut Function);
    /// Begins a half, by its number.
    fn begin(&self, f: &mut Function, half: Reg);
    /// Combines the constant that all updates add into a bin that is in range, if it is of this half.
    fn update(&self, f: &mut Function, bin: Bin);
    /// Brings the half into the scratch memory.
    fn end(&self, f: &mut Function);
}

/// What is known of the hot bins of a target when its copies are made.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    /// The placement has no use for them.
    Nothing,
    /// They are in registers.
    Bins(Hot),
    /// They are in a cache.
    Cache(Cache),
}

/// Makes the copies of a target.
pub fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
    known: Known,
) -> Box<dyn Copies> {
    f.comment(&format!("{}: {}.", target.name, target.placement.name()));
    target.template().prologue(f, gang, target, memory, known)
}

/// The entries that run behind one whose parameters are `params`, in order, if a target's strategy has such.
pub fn entries_behind(entry: &str, params: &[Param], targets: &[Target]) -> Option<[Function; 2]> {
    targets
        .iter()
        .find_map(|target| target.template().entries_behind(entry, params, target))
}

/// Whether updates may go into the user's bins themselves instead of a copy: the hardware has an atomic that does what the
/// merge would.
pub fn updates_bins(placement: Placement, op: Op, elem: Elem) -> bool {
    // Sums of `f32` in device memory lose what is subnormal, which a bin may hold.
    let whole = elem == elem.accumulator() && elem != Elem::F32;
    placement.template().updates_bins() && whole && op.merges_atomically(elem)
}

/// Whether the gang's copies may be combined into the user's bins by atomics as they are: they are of one type, the order
/// does not matter, and each bin is written once.
pub(crate) fn goes_straight(target: &Target) -> bool {
    let whole = matches!(target.elem, Elem::U32 | Elem::I32 | Elem::U64 | Elem::I64);
    target.op.merges_atomically(target.elem) && whole && target.template().flushes_once()
}

/// Where the gang's copies go: copy `gang mod l` in the scratch memory, or the user's bins.
fn flush_local(f: &mut Function, gang: &Gang, target: &Target, memory: Memory) -> Reg {
    let local = own_local(f, gang, target, memory);
    match gang.straight {
        Some(straight) => value!(f, "local", "selp.b64", memory.bins, local, straight),
        None => local,
    }
}

/// The gang's own copy in the scratch memory: copy `gang mod l`.
fn own_local(f: &mut Function, gang: &Gang, target: &Target, memory: Memory) -> Reg {
    let locals = value!(f, "locals", "cvt.u32.u64", memory.locals);
    let local = value!(f, "local", "rem.u32", gang.gang, locals);
    let bytes = value!(f, "local_bytes", "mul.lo.u64", memory.total, target.size());
    let local = value!(f, "local", "cvt.u64.u32", local);
    value!(
        f,
        &format!("{}_local", target.stem),
        "mad.lo.u64",
        local,
        bytes,
        memory.scratch
    )
}

/// `for counter in (counter..end).step_by(step)` over registers of 32 or 64 bits; the counter is written.
pub(crate) fn for_each(
    f: &mut Function,
    name: &str,
    counter: Reg,
    step: Reg,
    end: Reg,
    body: impl FnOnce(&mut Function),
) {
    let bits = match counter.class {
        Class::B64 => "u64",
        _ => "u32",
    };
    let (again, done) = (f.label(name), f.label(&format!("{name}_done")));
    let beyond = value!(f, "beyond", format!("setp.ge.{bits}"), counter, end);
    f.branch_if(beyond, true, done);
    f.place(again);
    // Unrolled, these loops take the registers that the user's loop needs for residency.
    f.keep_rolled();
    body(f);
    emit!(f, format!("add.{bits}"), counter, counter, step);
    let more = value!(f, "more", format!("setp.lt.{bits}"), counter, end);
    f.branch_if(more, true, again);
    f.place(done);
}

/// Combines a value into a bin of a copy in device memory.
fn update_global(f: &mut Function, target: &Target, copy: Reg, bin: Bin, value: Operand) {
    let at = bin.global(f, copy, target.size());
    combine::atomic(f, Space::Global, target.op, target.accumulator(), at, value);
}

/// Combines the gang's value of a bin into its copy in the scratch memory.
fn flush_touched(f: &mut Function, target: &Target, local: Reg, bin: Reg, value: Reg) {
    update_global(f, target, local, Bin::Narrow(bin.into()), value.into());
}

/// Where a target's copies start in shared memory.
fn shared_base(f: &mut Function, target: &Target) -> Reg {
    let offset = f.load_param(&target.param(ParamKind::SharedOffset(target.number)));
    let start = f.address_of(Class::B32, DYNAMIC_SHARED);
    let offset = value!(f, "offset", "cvt.u32.u64", offset);
    let name = format!("{}_base", target.stem);
    value!(f, &name, "add.u32", start, offset)
}

/// A number of bytes, rounded up to the 16 that shared memory is filled by.
fn round_up(f: &mut Function, bytes: Reg) -> Reg {
    let bytes = value!(f, "bytes", "add.u32", bytes, 15);
    value!(f, "bytes", "and.b32", bytes, -16)
}
