//! `gang_packed`: counters of 16 bits, two to a word of shared memory, for twice the bins of a word each.
//!
//! Bin `b` of the gang's window is half-word `b`. An update adds `1 << 16 * (b mod 2)` to word `b / 2` and does not look at
//! the old value, so that nothing waits for it. A half-word may overflow, and nothing notices when it does; but the gang
//! knows how many updates it has made, every thread counts its own, and compares them with the sum of all half-words:
//!
//! - a low half that overflows loses 65,536 and carries 1 into the high half: the sum loses 65,535;
//! - a high half that overflows loses 65,536.
//!
//! So the sums are equal exactly if nothing has overflowed, as long as a gang makes fewer than 2^32 updates, which the
//! plan sees to. A gang whose sums differ has flushed nothing yet: it *recounts* its items in two passes, each with half
//! of its bins as whole words in the same memory. The worst case is thus three passes over the gang's items, whatever
//! the keys, and counting by whole words is what the hardware merges equal keys for.
//!
//! Bins that are hot are counted in a [cache](super::cache): what makes counters overflow, and lanes wait for each other, is
//! a few bins that take most of the updates.
//!
//! Where equal bins come in runs, as in pictures, a thread adds up what it has for one word before it updates it: the sum of
//! the half-words tells of an overflow all the same. The sample tells whether they do.
//!
//! Bins are in windows as in [`gang_window`](super::gang_window), of an even number of bins; often of all of them. 65,536
//! bins are counted at 516 (runs) to 952 G/s (uniform), 262,144 bins in three windows at 153 to 327 (H200, 2026-11-20,
//! docs/measurements/gpu.md).

use super::cache::{CACHE_BYTES, Filled};
use super::cells::{fill, multiply};
use super::hot::add_lanes;
use super::template::{Keeps, Shared, Template, Trials};
use super::waiting::{NOWHERE, Waiting};
use super::{
    Bin, Copies, Gang, Known, Memory, Recount, Target, flush_touched, for_each, own_local,
    round_up, shared_base,
};
use crate::abi::{Elem, Op, ParamKind, TargetAbi};
use crate::cell::Cell;
use crate::cost::shared::Family;
use crate::cost::{self, Launch, Part, Speeds};
use crate::emit;
use crate::plan::TargetPlan;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Bytes of a bin.
const BIN_BYTES: u32 = 2;

/// The strategy.
pub(super) struct GangPacked;

impl Template for GangPacked {
    fn name(&self) -> &'static str {
        "gang_packed"
    }

    fn place(&self) -> &'static str {
        "counters of 16 bits, counted again where one overflows"
    }

    fn good_for(&self) -> &'static str {
        "counts, twice as many bins as `gang_shared`"
    }

    fn takes(&self) -> &'static str {
        "loops that count: every update adds the same constant, and an iteration makes a known number of them"
    }

    fn applies_to(&self, op: Op, elem: Elem, counts: bool, updates: u32) -> bool {
        // A gang must know that it makes fewer than 2^32 updates.
        op.applies_to(elem) && updates > 0 && Cell::of(op, elem, counts, updates) == Cell::Counter
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        known: Known,
    ) -> Box<dyn Copies> {
        Box::new(prologue(f, gang, target, memory, known))
    }

    fn params(&self, target: u32) -> Vec<ParamKind> {
        vec![ParamKind::SharedOffset(target)]
    }

    fn static_shared(&self, _: &Target) -> u32 {
        // What its half-words have lost, and the cache of its hot bins.
        16 + CACHE_BYTES
    }

    fn keeps_hot(&self) -> Option<Keeps> {
        Some(Keeps::Cache)
    }

    fn has_cells(&self) -> bool {
        true
    }

    fn shared(&self, _: &TargetAbi, bins: u64, _: u32, windows: u32) -> Shared {
        // An even number of bins, so that no word is in two windows.
        let width = bins.div_ceil(u64::from(windows)).next_multiple_of(2);
        Shared::new(1, width * u64::from(BIN_BYTES))
    }

    fn is_windowed(&self) -> bool {
        true
    }

    fn window_bin(&self, _: &TargetAbi) -> u32 {
        BIN_BYTES
    }

    // Packed counters are bound by the passes.
    fn waits_for_loads(&self) -> bool {
        false
    }

    fn most_updates(&self, _: &TargetAbi) -> Option<u64> {
        // So that the sum of the half-words tells whether one has overflowed.
        Some(u64::from(u32::MAX))
    }

    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> Part {
        let family = Family {
            keeps_hot: true,
            packed: true,
            ..Family::default()
        };
        cost::shared::part(target, needs, launch, speeds, family)
    }

    fn trials(&self) -> Trials {
        Trials {
            bins: &[],
            simulated_bins: &[],
            counts: &[(6, 60_000_000), (65_536, 20_000_000), (300_001, 1_000_003)],
            // From 262,144 items on the gangs of the simulated device take samples.
            simulated_counts: &[(37, 270_000), (70_001, 2000)],
            ..Trials::default()
        }
    }
}

struct GangPackedCopies {
    target: Target,
    memory: Memory,
    gang: Gang,
    base: Reg,
    /// Bytes of the half-words, a multiple of 16.
    bytes: Reg,
    /// The first bin of the window, which is even.
    low: Reg,
    /// The same in 64 bits.
    low_wide: Reg,
    /// Bins of the window.
    bins: Reg,
    /// Updates that the thread has made.
    made: Reg,
    /// The window's hot bins, which are in no half-word.
    cache: Option<Filled>,
    /// Address of the gang's updates less its half-words.
    lost: Reg,
    /// In a recount, the first bin of the half, from the window's first.
    half_low: Reg,
    /// Its bins.
    half_bins: Reg,
}

fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
    known: Known,
) -> impl Copies + use<> {
    let base = shared_base(f, target);
    let total = value!(f, "total", "cvt.u32.u64", memory.total);
    // Windows of equal width, an even one; the last ones may be short or empty.
    let width = value!(f, "width", "add.u32", total, gang.windows);
    let width = value!(f, "width", "sub.u32", width, 1);
    let width = value!(f, "width", "div.u32", width, gang.windows);
    let width = value!(f, "width", "add.u32", width, 1);
    let width = value!(f, "width", "and.b32", width, -2);
    let low = value!(f, "low", "mul.lo.u32", width, gang.window);
    let low = value!(f, &format!("{}_low", target.stem), "min.u32", low, total);
    let bins = value!(f, "bins", "sub.u32", total, low);
    let bins = value!(f, &format!("{}_bins", target.stem), "min.u32", bins, width);
    let bytes = value!(f, "bytes", "shl.b32", width, 1);
    let bytes = round_up(f, bytes);
    fill(f, gang, base, bytes, [0; 2]);

    let name = f.unique(&format!("{}_lost", target.stem));
    f.declare(format!(".shared .align 16 .b8 {name}[16];"));
    let lost = f.address_of(Class::B32, &name);
    let first = value!(f, "first", "setp.eq.u32", gang.thread, 0);
    let zero = [Operand::At(lost, 0), 0.into()];
    f.op_if(first, true, "st.shared.u32", &zero);
    let cache = match known {
        Known::Cache(cache) => Some(cache.begin(f, gang, low, bins)),
        Known::Nothing | Known::Bins(_) => None,
    };
    GangPackedCopies {
        target: target.clone(),
        memory,
        gang: *gang,
        base,
        bytes,
        low,
        low_wide: value!(f, "low", "cvt.u64.u32", low),
        bins,
        made: value!(f, &format!("{}_made", target.stem), "mov.u32", 0),
        cache,
        lost,
        half_low: f.reg(Class::B32, "half_low"),
        half_bins: f.reg(Class::B32, "half_bins"),
    }
}

impl GangPackedCopies {
    /// A bin, from the window's first.
    fn own(&self, f: &mut Function, bin: Bin) -> Reg {
        match bin {
            Bin::Narrow(bin) => value!(f, "own", "sub.u32", bin, self.low),
            // The plan sees to it that bins are numbered in 32 bits.
            Bin::Wide(bin) => {
                let own = value!(f, "own", "sub.u64", bin, self.low_wide);
                value!(f, "own", "cvt.u32.u64", own)
            }
        }
    }

    /// A bin's number in 32 bits.
    fn narrow(&self, f: &mut Function, bin: Bin) -> Reg {
        match bin {
            Bin::Narrow(bin) => value!(f, "bin", "mov.b32", bin),
            Bin::Wide(bin) => value!(f, "bin", "cvt.u32.u64", bin),
        }
    }

    /// Takes a bin that is in the cache out of a predicate, and counts it there if `counts`.
    fn take(&self, f: &mut Function, bin: Bin, cold: Reg, counts: bool) {
        let Some(cache) = self.cache else { return };
        let bin = self.narrow(f, bin);
        cache.take(f, bin, cold, counts);
    }

    /// The address of a bin's word, and what an update adds there.
    fn place(&self, f: &mut Function, own: Reg) -> (Reg, Reg) {
        let at = value!(f, "at", "shl.b32", own, 1);
        let at = value!(f, "at", "and.b32", at, -4);
        let at = value!(f, "at", "add.u32", at, self.base);
        let half = value!(f, "half", "and.b32", own, 1);
        (at, value!(f, "one", "mad.lo.u32", half, 0xffff, 1))
    }

    /// Adds to a word where a predicate holds.
    fn add(&self, f: &mut Function, at: Reg, one: Reg, holds: Reg) {
        let operands = [Operand::At(at, 0), one.into()];
        f.op_if(holds, true, "red.shared.add.u32", &operands);
        let made = [self.made.into(), self.made.into(), 1.into()];
        f.op_if(holds, true, "add.u32", &made);
    }

    /// Brings `bins` counters of `bytes` each, the first of them `low` behind the window's, into the scratch memory.
    fn flush(&self, f: &mut Function, low: Option<Reg>, bins: Reg, bytes: u32) {
        let size = self.target.size();
        let local = own_local(f, &self.gang, &self.target, self.memory);
        let mut local = value!(f, "local", "mad.lo.u64", self.low_wide, size, local);
        if let Some(low) = low {
            local = value!(f, "local", "mad.wide.u32", low, size, local);
        }
        let load = if bytes == 2 {
            "ld.shared.u16"
        } else {
            "ld.shared.u32"
        };
        let bin = value!(f, "bin", "mov.u32", self.gang.thread);
        for_each(f, "flush", bin, self.gang.threads, bins, |f| {
            let at = value!(f, "at", "mad.lo.u32", bin, bytes, self.base);
            let count = value!(f, "count", load, Operand::At(at, 0));
            let skip = f.label("flushed");
            let touched = value!(f, "touched", "setp.ne.u32", count, 0);
            f.branch_if(touched, false, skip);
            let value = multiply(f, &self.target, count);
            flush_touched(f, &self.target, local, bin, value);
            f.place(skip);
        });
    }
}

impl Copies for GangPackedCopies {
    fn update(&self, f: &mut Function, bin: Bin, _: Operand) {
        let own = self.own(f, bin);
        let inside = value!(f, "inside", "setp.lt.u32", own, self.bins);
        self.take(f, bin, inside, true);
        let (at, one) = self.place(f, own);
        self.add(f, at, one, inside);
    }

    fn waiting(&self, f: &mut Function) -> Option<Waiting> {
        // The bin and what is added to its word.
        let words = ["waiting_bin", "waiting"].map(|name| value!(f, name, "mov.b32", 0));
        Some(Waiting {
            at: value!(f, "waiting_at", "mov.b32", NOWHERE),
            words: words.to_vec(),
        })
    }

    fn defer(&self, f: &mut Function, bin: Bin, _: Operand, waiting: &Waiting) {
        let own = self.own(f, bin);
        let inside = value!(f, "inside", "setp.lt.u32", own, self.bins);
        let (at, one) = self.place(f, own);
        let nowhere = value!(f, "nowhere", "mov.b32", NOWHERE);
        emit!(f, "selp.b32", waiting.at, at, nowhere, inside);
        let bin = self.narrow(f, bin);
        f.assign(waiting.words[0], bin);
        f.assign(waiting.words[1], one);
    }

    fn settle(&self, f: &mut Function, waiting: &[Waiting]) {
        let here = |f: &mut Function, update: &Waiting| {
            value!(f, "here", "setp.ne.u32", update.at, NOWHERE)
        };
        if let Some(cache) = self.cache {
            let nothing = f.label("nothing_cached");
            f.branch_if(cache.any, false, nothing);
            for update in waiting {
                let cold = here(f, update);
                let was = value!(f, "was", "mov.b32", update.at);
                let nowhere = value!(f, "nowhere", "mov.b32", NOWHERE);
                cache.look_up(f, update.words[0], cold, true);
                emit!(f, "selp.b32", update.at, was, nowhere, cold);
            }
            f.place(nothing);
        }
        let updates: Vec<Reg> = waiting.iter().map(|update| here(f, update)).collect();
        for &update in &updates {
            let made = [self.made.into(), self.made.into(), 1.into()];
            f.op_if(update, true, "add.u32", &made);
        }
        if let Some(cache) = self.cache {
            // Updates of one word become one, which is worth its trouble where most neighbours are equal.
            let joined = f.label("joined");
            f.branch_if(cache.runs, false, joined);
            for pair in waiting.windows(2) {
                let [update, later] = pair else { continue };
                let same = value!(f, "same", "setp.eq.u32", update.at, later.at);
                let (to, from) = (later.words[1], update.words[1]);
                f.op_if(same, true, "add.u32", &[to.into(), to.into(), from.into()]);
                f.op_if(same, true, "mov.b32", &[update.at.into(), NOWHERE.into()]);
            }
            f.place(joined);
        }
        for update in waiting {
            let here = here(f, update);
            let operands = [Operand::At(update.at, 0), update.words[1].into()];
            f.op_if(here, true, "red.shared.add.u32", &operands);
        }
    }

    fn epilogue(&self, f: &mut Function, gang: &Gang) {
        self.flush(f, None, self.bins, 2);
        let Some(cache) = self.cache else { return };
        let local = own_local(f, gang, &self.target, self.memory);
        cache.flush(f, gang, |f, bin, count| {
            let value = multiply(f, &self.target, count);
            flush_touched(f, &self.target, local, bin, value);
        });
    }

    fn recount(&self) -> Option<&dyn Recount> {
        Some(self)
    }
}

impl Recount for GangPackedCopies {
    fn compare(&self, f: &mut Function) {
        // What is missing, which the end of the loop over the half-words subtracts from.
        let lost = value!(f, "lost", "mov.b32", self.made);
        let offset = value!(f, "offset", "shl.b32", self.gang.thread, 4);
        let step = value!(f, "step", "shl.b32", self.gang.threads, 4);
        for_each(f, "compare", offset, step, self.bytes, |f| {
            let at = value!(f, "at", "add.u32", self.base, offset);
            let words = [(); 4].map(|()| f.reg(Class::B32, "halves"));
            f.load_vector("ld.shared.v4.u32", &words, Operand::At(at, 0));
            for word in words {
                let low = value!(f, "low", "and.b32", word, 0xffff);
                let high = value!(f, "high", "shr.u32", word, 16);
                emit!(f, "sub.u32", lost, lost, low);
                emit!(f, "sub.u32", lost, lost, high);
            }
        });
        add_lanes(f, &[lost]);
        let first = value!(f, "first_lane", "setp.eq.u32", self.gang.lane, 0);
        let operands = [Operand::At(self.lost, 0), lost.into()];
        f.op_if(first, true, "red.shared.add.u32", &operands);
    }

    fn differs(&self, f: &mut Function) -> Reg {
        value!(f, "lost", "ld.shared.u32", Operand::At(self.lost, 0))
    }

    fn clear(&self, f: &mut Function) {
        fill(f, &self.gang, self.base, self.bytes, [0; 2]);
    }

    fn begin(&self, f: &mut Function, half: Reg) {
        let width = value!(f, "width", "add.u32", self.bins, 1);
        let width = value!(f, "width", "shr.u32", width, 1);
        emit!(f, "mul.lo.u32", self.half_low, width, half);
        let rest = value!(f, "rest", "sub.u32", self.bins, self.half_low);
        emit!(f, "min.u32", self.half_bins, rest, width);
    }

    fn update(&self, f: &mut Function, bin: Bin) {
        let own = self.own(f, bin);
        let own = value!(f, "own", "sub.u32", own, self.half_low);
        let inside = value!(f, "inside", "setp.lt.u32", own, self.half_bins);
        // The cache has counted its bins already.
        self.take(f, bin, inside, false);
        let at = value!(f, "at", "mad.lo.u32", own, 4, self.base);
        // The constant 1 and no result: equal addresses of a warp are merged by the hardware.
        let operands = [Operand::At(at, 0), 1.into()];
        f.op_if(inside, true, "red.shared.add.u32", &operands);
    }

    fn end(&self, f: &mut Function) {
        self.flush(f, Some(self.half_low), self.half_bins, 4);
    }
}
