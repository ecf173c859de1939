//! A carried scalar: what combines its terms, over the items of a thread, the lanes of a warp, the warps of a gang.
//!
//! Within a tile, terms that are one constant or nothing amount to at most 2^31, so that 32 bits are enough for them, whatever the scalar's type is
//! ([`Scan::within`]).

use super::super::{Bin, Copies, Gang, Memory, Target, register};
use super::{SCAN_BYTES, WARPS, WORD, select, words};
use crate::abi::{Elem, Op};
use crate::combine;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

impl Target {
    /// What is added to a scalar, where an iteration adds one constant or nothing.
    fn counts(&self) -> Option<i64> {
        let sums = self.op.row().gathers == Op::Add && !self.elem.is_float();
        let step = self.counted.filter(|_| sums && self.updates == 1)?;
        (1..1 << 20).contains(&step).then_some(step as i64)
    }
}

/// A carried scalar.
#[derive(Clone)]
pub struct Scan {
    pub(super) op: Op,
    pub(super) elem: Elem,
    pub(super) memory: Memory,
    /// What the terms since [`restart`](Scan::restart) amount to.
    sum: Reg,
    /// What the caller's scalar holds.
    initial: Reg,
    /// Its part of the shared memory.
    pub(super) shared: Reg,
    /// What is added, where an iteration adds one constant or nothing.
    counted: Option<i64>,
}

impl Scan {
    /// Makes room for one.
    pub(crate) fn open(f: &mut Function, target: &Target, memory: Memory) -> Scan {
        let elem = target.accumulator();
        let sum = f.reg(elem.class(), &format!("{}_sum", target.stem));
        f.assign(sum, combine::neutral(target.op, elem));
        let load = format!("ld.global.{}", target.elem.memory());
        let initial = value!(f, "initial", load, Operand::At(memory.bins, 0));
        let name = f.unique(&format!("{}_scan", target.stem));
        f.declare(format!(".shared .align 16 .b8 {name}[{SCAN_BYTES}];"));
        let shared = f.address_of(Class::B32, &name);
        Scan {
            op: target.op,
            elem: target.elem,
            memory,
            sum,
            initial,
            shared,
            counted: target.counts(),
        }
    }

    pub(super) fn accumulator(&self) -> Elem {
        self.elem.accumulator()
    }

    /// What terms within a tile are added up in.
    fn inner(&self) -> Elem {
        match self.counted {
            Some(_) => Elem::U32,
            None => self.accumulator(),
        }
    }

    /// Begins with no terms.
    pub fn restart(&self, f: &mut Function) {
        f.assign(self.sum, combine::neutral(self.op, self.accumulator()));
    }

    /// A register for what terms within a tile amount to, which are none yet.
    pub fn within(&self, f: &mut Function) -> Reg {
        let within = f.reg(self.inner().class(), "within");
        f.assign(within, combine::neutral(self.op, self.inner()));
        within
    }

    /// What the terms since [`restart`](Scan::restart) amount to, as those within a tile.
    fn terms(&self, f: &mut Function) -> Reg {
        match (self.counted, self.accumulator().size()) {
            (Some(_), 8) => value!(f, "terms", "cvt.u32.u64", self.sum),
            _ => {
                let terms = f.reg(self.inner().class(), "terms");
                f.assign(terms, self.sum);
                terms
            }
        }
    }

    /// One after the other, within a tile.
    pub fn both_within(&self, f: &mut Function, a: Reg, b: Reg) -> Reg {
        combine::combine(f, self.op, self.inner(), a, b)
    }

    /// One after the other.
    pub(super) fn both(&self, f: &mut Function, a: Reg, b: Reg) -> Reg {
        combine::combine(f, self.op, self.accumulator(), a, b)
    }

    /// What is within a tile, as an accumulator.
    fn widened(&self, f: &mut Function, within: Reg) -> Reg {
        match (self.counted, self.accumulator().size()) {
            (Some(_), 8) => value!(f, "wide", "cvt.u64.u32", within),
            _ => within,
        }
    }

    /// What the lanes of a warp have, before each and all together; all 32 lanes come here. `each` says whether a lane has the terms of one
    /// iteration: where these are one constant or nothing, the lanes that have it are counted.
    pub fn over_lanes(&self, f: &mut Function, lane: Reg, each: bool) -> (Reg, Reg) {
        let terms = self.terms(f);
        if let (Some(step), true) = (self.counted, each) {
            let counts = value!(f, "counts", "setp.ne.u32", terms, 0);
            let lanes = value!(f, "lanes", "vote.sync.ballot.b32", counts, -1);
            // The mask of the lower lanes, which the assembler would read anew each time, and waits for.
            let own = value!(f, "own", "shl.b32", 1, lane);
            let lower = value!(f, "lower_lanes", "sub.u32", own, 1);
            let lower = value!(f, "lower", "and.b32", lanes, lower);
            return (steps(f, step, lower), steps(f, step, lanes));
        }
        let up_to = self.up_to(f, lane, terms);
        let all = register::shuffle_by(f, self.inner(), up_to, "idx", 31, 31);
        (self.before(f, lane, up_to), all)
    }

    /// What the lanes of a warp have, up to each and with it.
    fn up_to(&self, f: &mut Function, lane: Reg, terms: Reg) -> Reg {
        let elem = self.inner();
        let mut sum = terms;
        for distance in [1, 2, 4, 8, 16] {
            let other = register::shuffle_by(f, elem, sum, "up", distance, 0);
            let both = self.both_within(f, other, sum);
            let alone = value!(f, "alone", "setp.lt.u32", lane, distance);
            sum = select(f, elem, sum, both.into(), alone);
        }
        sum
    }

    /// The same without the lane's own.
    fn before(&self, f: &mut Function, lane: Reg, up_to: Reg) -> Reg {
        let elem = self.inner();
        let before = register::shuffle_by(f, elem, up_to, "up", 1, 0);
        let some = value!(f, "some", "setp.ne.u32", lane, 0);
        let nothing = combine::neutral(self.op, elem);
        select(f, elem, before, nothing, some)
    }

    /// What the lanes of a warp have together, as an accumulator in each of them.
    pub fn over_warp(&self, f: &mut Function) -> Reg {
        let mut sum = self.terms(f);
        for distance in [16, 8, 4, 2, 1] {
            let other = register::shuffle(f, self.inner(), sum, distance);
            sum = self.both_within(f, sum, other);
        }
        self.widened(f, sum)
    }

    /// What lanes have together, as accumulators.
    pub(super) fn together(&self, f: &mut Function, each: Reg) -> Reg {
        let mut sum = each;
        for distance in [16, 8, 4, 2, 1] {
            let other = register::shuffle(f, self.accumulator(), sum, distance);
            sum = self.both(f, sum, other);
        }
        sum
    }

    /// What the loop's scalar is where these are the terms before. Narrow integers have more bits here than the user's type.
    pub(super) fn base(&self, f: &mut Function, before: Reg) -> Reg {
        combine::merge(f, self.op, self.elem, self.initial, before)
    }

    /// What it is behind such terms more of the tile, of the user's type; narrow integers have to be cut down.
    pub fn carried(&self, f: &mut Function, base: Reg, within: Reg) -> Reg {
        let within = self.widened(f, within);
        combine::merge(f, self.op, self.elem, base, within)
    }

    /// What the warps before have combined of the current tile, and all of them.
    pub(super) fn of_warps(&self, f: &mut Function, warp: Reg) -> (Reg, Reg) {
        let elem = self.accumulator();
        let load = format!("ld.shared.{}", elem.memory());
        let nothing = combine::neutral(self.op, elem);
        let mut sums: Option<(Reg, Reg)> = None;
        for other in 0..WARPS {
            let of_warp = value!(f, "of_warp", &load, self.word_at(WARPS + other));
            let comes_before = value!(f, "comes_before", "setp.gt.u32", warp, other);
            let counted = select(f, elem, of_warp, nothing, comes_before);
            sums = Some(match sums {
                None => (counted, of_warp),
                Some((before, all)) => (self.both(f, before, counted), self.both(f, all, of_warp)),
            });
        }
        sums.expect("a gang has warps")
    }

    /// What all warps have combined of the next tile.
    pub(super) fn of_all_warps(&self, f: &mut Function) -> Reg {
        self.all_from(f, 0)
    }

    /// What all of them have of the current one.
    pub(super) fn aggregate(&self, f: &mut Function) -> Reg {
        self.all_from(f, WARPS)
    }

    fn all_from(&self, f: &mut Function, first: u32) -> Reg {
        let load = format!("ld.shared.{}", self.accumulator().memory());
        let mut all = value!(f, "of_warp", &load, self.word_at(first));
        for warp in 1..WARPS {
            let of_warp = value!(f, "of_warp", &load, self.word_at(first + warp));
            all = self.both(f, all, of_warp);
        }
        all
    }

    /// Where a warp leaves what its terms amount to.
    pub(super) fn word_at(&self, warp: u32) -> Operand {
        Operand::At(self.shared, i64::from(warp * WORD))
    }

    /// Where what comes before the tile is left, and whether an iteration has failed there.
    pub(super) fn to_tile(&self) -> Operand {
        self.word_at(2 * WARPS)
    }

    pub(super) fn failed(&self) -> Operand {
        self.word_at(2 * WARPS + 1)
    }

    /// Whether what terms within a tile amount to takes two registers.
    pub fn is_wide(&self) -> bool {
        self.inner().size() == 8
    }

    /// Whether no iteration takes it back: it is a place in an array, say, and behind a tile no nearer than in it.
    pub fn is_cursor(&self) -> bool {
        self.counted.is_some() && self.op == Op::Add && self.elem == Elem::U64
    }

    /// Publishes a value, where a predicate holds if there is one.
    pub(super) fn publish(
        &self,
        f: &mut Function,
        holds: Option<Reg>,
        at: Operand,
        of: Reg,
        value: Reg,
    ) {
        let bits = combine::as_bits(f, self.accumulator(), value);
        let halves = match words(self.elem) {
            1 => vec![bits],
            _ => {
                let (low, high) = (f.reg(Class::B32, "low"), f.reg(Class::B32, "high"));
                f.unpack(low, high, bits);
                vec![low, high]
            }
        };
        for (n, half) in (0i64..).zip(halves) {
            let word = f.pack(half, of);
            let at = behind(at, n * i64::from(WORD));
            let operands = [at, word.into()];
            match holds {
                Some(holds) => f.op_if(holds, true, "st.relaxed.gpu.global.u64", &operands),
                None => f.op("st.relaxed.gpu.global.u64", &operands),
            }
        }
    }
}

impl Copies for Scan {
    fn update(&self, f: &mut Function, _: Bin, value: Operand) {
        let sum = combine::combine(f, self.op, self.accumulator(), self.sum, value);
        f.assign(self.sum, sum);
    }

    /// It is in the scratch memory already.
    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

/// As many steps as there are lanes.
fn steps(f: &mut Function, step: i64, lanes: Reg) -> Reg {
    let count = value!(f, "count", "popc.b32", lanes);
    match step {
        1 => count,
        _ => value!(f, "count", "mul.lo.u32", count, step),
    }
}

/// An address some bytes behind another.
pub(super) fn behind(at: Operand, bytes: i64) -> Operand {
    match at {
        Operand::At(base, offset) => Operand::At(base, offset + bytes),
        other => other,
    }
}
