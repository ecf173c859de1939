//! A carried scalar: what combines its terms, over the items of a thread, the lanes of a warp, the warps of a gang.
//!
//! Within a tile, terms that are one constant or nothing amount to at most 2^31, so that 32 bits are enough for them, whatever the scalar's type is
//! ([`Scan::within`]).
//!
//! What recurrences do to a scalar, `s = a * s + b`, are maps, of which one after the other is such a map again. A term is a factor and a sum then, which is why
//! an [`Amount`] may have two registers, and everything is put together in the order of the iterations.

use super::super::{Bin, Copies, Gang, Memory, Target, register};
use super::{TOGETHER, WARPS, WORD, scan_bytes, select, words};
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

/// What terms amount to: a value that is combined into a scalar, or what it is multiplied by and what is added to it then.
#[derive(Clone, Debug)]
pub struct Amount(pub(super) Vec<Reg>);

/// A carried scalar.
#[derive(Clone)]
pub struct Scan {
    op: Op,
    /// What its copy is in the scratch memory.
    elem: Elem,
    /// What its maps are composed in, where it is carried along by such.
    composed: Option<Elem>,
    pub(super) memory: Memory,
    /// What the terms since [`restart`](Scan::restart) amount to.
    sum: Amount,
    /// What those before [`end_row`](Scan::end_row) do, in the order of the lanes.
    rows: Amount,
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
        let of = target.composed.unwrap_or(target.elem);
        let (op, elem, ordered) = (target.op, of.accumulator(), target.composed.is_some());
        let sum = nothing(f, (op, ordered), elem, &format!("{}_sum", target.stem));
        let rows = match ordered {
            true => nothing(f, (op, ordered), elem, &format!("{}_rows", target.stem)),
            false => Amount(Vec::new()),
        };
        let load = format!("ld.global.{}", of.memory());
        let initial = value!(f, "initial", load, Operand::At(memory.bins, 0));
        let name = f.unique(&format!("{}_scan", target.stem));
        let bytes = scan_bytes(target);
        f.declare(format!(".shared .align 16 .b8 {name}[{bytes}];"));
        let shared = f.address_of(Class::B32, &name);
        Scan {
            op,
            elem: target.elem,
            composed: target.composed,
            memory,
            sum,
            rows,
            initial,
            shared,
            counted: target.counts(),
        }
    }

    /// What terms are computed in.
    pub(super) fn accumulator(&self) -> Elem {
        self.composed.unwrap_or(self.elem).accumulator()
    }

    /// What terms within a tile are added up in.
    fn inner(&self) -> Elem {
        match self.counted {
            Some(_) => Elem::U32,
            None => self.accumulator(),
        }
    }

    /// Whether terms have an order.
    pub fn is_ordered(&self) -> bool {
        self.composed.is_some()
    }

    /// Values of an amount.
    pub(super) fn parts(&self) -> u32 {
        1 + u32::from(self.is_ordered())
    }

    /// The values that change nothing.
    fn neutral(&self, elem: Elem) -> Vec<Operand> {
        neutral(self.op, self.is_ordered(), elem)
    }

    /// Registers for an amount, which is nothing yet.
    pub(super) fn nothing(&self, f: &mut Function, elem: Elem, name: &str) -> Amount {
        nothing(f, (self.op, self.is_ordered()), elem, name)
    }

    /// Makes one amount another.
    pub fn assign(&self, f: &mut Function, to: &Amount, from: &Amount) {
        for (to, from) in to.0.iter().zip(&from.0) {
            f.assign(*to, *from);
        }
    }

    /// An amount where a predicate holds, else nothing.
    pub(super) fn only_if(&self, f: &mut Function, elem: Elem, of: &Amount, holds: Reg) -> Amount {
        let parts = of.0.iter().zip(self.neutral(elem));
        Amount(
            parts
                .map(|(reg, nothing)| select(f, elem, *reg, nothing, holds))
                .collect(),
        )
    }

    /// Begins with no terms.
    pub fn restart(&self, f: &mut Function) {
        for (reg, value) in self.sum.0.iter().zip(self.neutral(self.accumulator())) {
            f.assign(*reg, value);
        }
    }

    /// The same of a whole tile.
    pub fn restart_rows(&self, f: &mut Function) {
        self.restart(f);
        for (reg, value) in self.rows.0.iter().zip(self.neutral(self.accumulator())) {
            f.assign(*reg, value);
        }
    }

    /// Ends a row of a warp's items, where these have an order; all 32 lanes come here.
    pub fn end_row(&self, f: &mut Function, lane: Reg) {
        if self.is_ordered() {
            let (_, row) = self.over_lanes(f, lane, false);
            let all = self.both(f, &self.rows, &row);
            self.assign(f, &self.rows, &all);
            self.restart(f);
        }
    }

    /// Registers for what terms within a tile amount to, which are none yet.
    pub fn within(&self, f: &mut Function) -> Amount {
        self.nothing(f, self.inner(), "within")
    }

    /// What the terms since [`restart`](Scan::restart) amount to, as those within a tile.
    fn terms(&self, f: &mut Function) -> Amount {
        if let (Some(_), 8) = (self.counted, self.accumulator().size()) {
            return Amount(vec![value!(f, "terms", "cvt.u32.u64", self.sum.0[0])]);
        }
        let parts = self.sum.0.iter().map(|sum| {
            let terms = f.reg(self.inner().class(), "terms");
            f.assign(terms, *sum);
            terms
        });
        Amount(parts.collect())
    }

    /// One after the other, within a tile.
    pub fn both_within(&self, f: &mut Function, a: &Amount, b: &Amount) -> Amount {
        self.combined(f, self.inner(), a, b)
    }

    /// One after the other.
    pub(super) fn both(&self, f: &mut Function, a: &Amount, b: &Amount) -> Amount {
        self.combined(f, self.accumulator(), a, b)
    }

    fn combined(&self, f: &mut Function, elem: Elem, a: &Amount, b: &Amount) -> Amount {
        let (first, then) = (&a.0[..], &b.0[..]);
        match (first, then) {
            (&[factor, sum], &[by, _]) => {
                let factor = combine::combine(f, Op::Mul, elem, factor, by);
                let sum = self.applied(f, elem, sum, b);
                Amount(vec![factor, sum])
            }
            _ => Amount(vec![combine::combine(f, self.op, elem, first[0], then[0])]),
        }
    }

    /// What a map makes of a value.
    fn applied(&self, f: &mut Function, elem: Elem, to: Reg, map: &Amount) -> Reg {
        let product = combine::combine(f, Op::Mul, elem, to, map.0[0]);
        combine::combine(f, Op::Add, elem, product, map.0[1])
    }

    /// What is within a tile, as an accumulator.
    fn widened(&self, f: &mut Function, within: &Amount) -> Amount {
        match (self.counted, self.accumulator().size()) {
            (Some(_), 8) => Amount(vec![value!(f, "wide", "cvt.u64.u32", within.0[0])]),
            _ => within.clone(),
        }
    }

    /// What the lanes of a warp have, before each and all together; all 32 lanes come here. `each` says whether a lane has the terms of one
    /// iteration: where these are one constant or nothing, the lanes that have it are counted.
    pub fn over_lanes(&self, f: &mut Function, lane: Reg, each: bool) -> (Amount, Amount) {
        let terms = self.terms(f);
        if let (Some(step), true) = (self.counted, each) {
            let counts = value!(f, "counts", "setp.ne.u32", terms.0[0], 0);
            let lanes = value!(f, "lanes", "vote.sync.ballot.b32", counts, -1);
            // The mask of the lower lanes, which the assembler would read anew each time, and waits for.
            let own = value!(f, "own", "shl.b32", 1, lane);
            let lower = value!(f, "lower_lanes", "sub.u32", own, 1);
            let lower = value!(f, "lower", "and.b32", lanes, lower);
            let counted = [lower, lanes].map(|lanes| Amount(vec![steps(f, step, lanes)]));
            return counted.into();
        }
        let up_to = self.up_to(f, lane, terms);
        let all = self.of_lane(f, &up_to, "idx", 31, 31);
        (self.before(f, lane, &up_to), all)
    }

    /// What another lane has, see [`register::shuffle_by`].
    fn of_lane(&self, f: &mut Function, of: &Amount, mode: &str, lane: u32, clamp: u32) -> Amount {
        let elem = self.inner();
        let parts = of.0.iter();
        Amount(
            parts
                .map(|reg| register::shuffle_by(f, elem, *reg, mode, lane, clamp))
                .collect(),
        )
    }

    /// What the lanes of a warp have, up to each and with it.
    fn up_to(&self, f: &mut Function, lane: Reg, terms: Amount) -> Amount {
        let elem = self.inner();
        let mut sum = terms;
        for distance in [1, 2, 4, 8, 16] {
            let other = self.of_lane(f, &sum, "up", distance, 0);
            let both = self.both_within(f, &other, &sum);
            let alone = value!(f, "alone", "setp.lt.u32", lane, distance);
            let parts = sum.0.iter().zip(&both.0);
            let parts = parts.map(|(sum, both)| select(f, elem, *sum, (*both).into(), alone));
            sum = Amount(parts.collect());
        }
        sum
    }

    /// The same without the lane's own.
    fn before(&self, f: &mut Function, lane: Reg, up_to: &Amount) -> Amount {
        let before = self.of_lane(f, up_to, "up", 1, 0);
        let some = value!(f, "some", "setp.ne.u32", lane, 0);
        self.only_if(f, self.inner(), &before, some)
    }

    /// What the lanes of a warp have together, or its rows where terms have an order, as an accumulator in each of them.
    pub fn over_warp(&self, f: &mut Function) -> Amount {
        if self.is_ordered() {
            return self.rows.clone();
        }
        let mut sum = self.terms(f);
        for distance in [16, 8, 4, 2, 1] {
            let other = self.of_lane(f, &sum, "bfly", distance, 31);
            sum = self.both_within(f, &sum, &other);
        }
        self.widened(f, &sum)
    }

    /// What lanes have together, as accumulators, in the first lane: the last lane's comes first.
    pub(super) fn together(&self, f: &mut Function, each: &Amount) -> Amount {
        let (elem, mut sum) = (self.accumulator(), each.clone());
        let distances = match self.is_ordered() {
            true => [1, 2, 4, 8, 16],
            false => [16, 8, 4, 2, 1],
        };
        for distance in distances {
            let parts = sum.0.iter().map(|reg| match self.is_ordered() {
                true => register::shuffle_by(f, elem, *reg, "down", distance, 31),
                false => register::shuffle(f, elem, *reg, distance),
            });
            let other = Amount(parts.collect());
            sum = match self.is_ordered() {
                true => self.both(f, &other, &sum),
                false => self.both(f, &sum, &other),
            };
        }
        sum
    }

    /// What the loop's scalar is where these are the terms before. Narrow integers have more bits here than the user's type.
    pub(super) fn base(&self, f: &mut Function, before: &Amount) -> Reg {
        self.behind(f, self.initial, before)
    }

    /// What it is behind such terms more of the tile, of the user's type; narrow integers have to be cut down.
    pub fn carried(&self, f: &mut Function, base: Reg, within: &Amount) -> Reg {
        let within = self.widened(f, within);
        self.behind(f, base, &within)
    }

    fn behind(&self, f: &mut Function, base: Reg, terms: &Amount) -> Reg {
        match self.is_ordered() {
            true => self.applied(f, self.accumulator(), base, terms),
            false => combine::merge(f, self.op, self.elem, base, terms.0[0]),
        }
    }

    /// What the scratch memory holds behind all terms.
    pub(super) fn copy(&self, f: &mut Function, terms: &Amount) -> Reg {
        if !self.is_ordered() {
            return terms.0[0];
        }
        let value = self.base(f, terms);
        let elem = self.accumulator();
        let bits = [value, self.initial].map(|of| combine::as_bits(f, elem, of));
        let class = bits[0].class.suffix();
        value!(f, "others", format!("xor.{class}"), bits[0], bits[1])
    }

    /// The instruction that stores it.
    pub(super) fn stores_copy(&self) -> String {
        format!("st.global.{}", self.elem.accumulator().memory())
    }

    /// What the warps before have combined of the current tile, and all of them.
    pub(super) fn of_warps(&self, f: &mut Function, warp: Reg) -> (Amount, Amount) {
        let elem = self.accumulator();
        let mut sums: Option<(Amount, Amount)> = None;
        for other in 0..WARPS {
            let of_warp = self.load(f, self.word_at(WARPS + other), "of_warp");
            let comes_before = value!(f, "comes_before", "setp.gt.u32", warp, other);
            let counted = self.only_if(f, elem, &of_warp, comes_before);
            sums = Some(match sums {
                None => (counted, of_warp),
                Some((before, all)) => (
                    self.both(f, &before, &counted),
                    self.both(f, &all, &of_warp),
                ),
            });
        }
        sums.expect("a gang has warps")
    }

    /// What all warps have combined of the next tile.
    pub(super) fn of_all_warps(&self, f: &mut Function) -> Amount {
        self.all_from(f, 0)
    }

    /// What all of them have of the current one.
    pub(super) fn aggregate(&self, f: &mut Function) -> Amount {
        self.all_from(f, WARPS)
    }

    fn all_from(&self, f: &mut Function, first: u32) -> Amount {
        let mut all = self.load(f, self.word_at(first), "of_warp");
        for warp in 1..WARPS {
            let of_warp = self.load(f, self.word_at(first + warp), "of_warp");
            all = self.both(f, &all, &of_warp);
        }
        all
    }

    /// Loads an amount from the gang's memory.
    pub(super) fn load(&self, f: &mut Function, at: Operand, name: &str) -> Amount {
        let load = format!("ld.shared.{}", self.accumulator().memory());
        let parts = (0..self.parts()).map(|part| {
            let at = behind(at, i64::from(part * WORD));
            value!(f, name, &load, at)
        });
        Amount(parts.collect())
    }

    /// Stores an amount there, where a predicate holds.
    pub(super) fn store(&self, f: &mut Function, holds: Reg, at: Operand, of: &Amount) {
        let store = format!("st.shared.{}", self.accumulator().memory());
        for (part, reg) in (0i64..).zip(&of.0) {
            let at = behind(at, part * i64::from(WORD));
            f.op_if(holds, true, &store, &[at, (*reg).into()]);
        }
    }

    /// Bytes that an amount takes in the gang's memory.
    pub(super) fn slot(&self) -> u32 {
        self.parts() * WORD
    }

    /// Words of a state.
    pub(super) fn words(&self) -> u32 {
        self.parts() * words(self.accumulator())
    }

    /// Where a warp leaves what its terms amount to.
    pub(super) fn word_at(&self, warp: u32) -> Operand {
        Operand::At(self.shared, i64::from(warp * self.slot()))
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
        self.inner().size() == 8 || self.is_ordered()
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
        value: &Amount,
    ) {
        let mut halves = Vec::new();
        for part in &value.0 {
            let bits = combine::as_bits(f, self.accumulator(), *part);
            match words(self.accumulator()) {
                1 => halves.push(bits),
                _ => {
                    let (low, high) = (f.reg(Class::B32, "low"), f.reg(Class::B32, "high"));
                    f.unpack(low, high, bits);
                    halves.extend([low, high]);
                }
            }
        }
        let halves = halves.into_iter();
        let words: Vec<Operand> = halves.map(|half| f.pack(half, of).into()).collect();
        for (n, some) in (0u32..).zip(words.chunks(TOGETHER)) {
            let at = behind(at, i64::from(n * TOGETHER as u32 * WORD));
            let (one, two) = ("st.relaxed.gpu.global.u64", "st.relaxed.gpu.global.v2.u64");
            match (some, holds) {
                (&[word], Some(holds)) => f.op_if(holds, true, one, &[at, word]),
                (&[word], None) => f.op(one, &[at, word]),
                (_, Some(holds)) => f.store_vector_if(holds, two, at, some),
                (_, None) => f.store_vector(two, at, some),
            }
        }
    }
}

impl Copies for Scan {
    fn update(&self, f: &mut Function, _: Bin, value: Operand) {
        let (op, sum) = match self.sum.0[..] {
            [_, sum] => (Op::Add, sum),
            _ => (self.op, self.sum.0[0]),
        };
        let both = combine::combine(f, op, self.accumulator(), sum, value);
        f.assign(sum, both);
    }

    fn multiply(&self, f: &mut Function, value: Operand) {
        for part in &self.sum.0 {
            let product = combine::combine(f, Op::Mul, self.accumulator(), *part, value);
            f.assign(*part, product);
        }
    }

    /// It is in the scratch memory already.
    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

/// The values of an amount that changes nothing.
fn neutral(op: Op, ordered: bool, elem: Elem) -> Vec<Operand> {
    let ops = match ordered {
        false => vec![op],
        true => vec![Op::Mul, Op::Add],
    };
    ops.into_iter()
        .map(|op| combine::neutral(op, elem))
        .collect()
}

fn nothing(f: &mut Function, (op, ordered): (Op, bool), elem: Elem, name: &str) -> Amount {
    let parts = neutral(op, ordered, elem).into_iter().map(|value| {
        let reg = f.reg(elem.class(), name);
        f.assign(reg, value);
        reg
    });
    Amount(parts.collect())
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
