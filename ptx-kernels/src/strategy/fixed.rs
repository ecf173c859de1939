//! Float sums as integers: exact, in any order, without a loop of compare-and-swap.
//!
//! A float is `m * 2^(e - bias)` with a mantissa `m` of 24 or 53 bits. A gang sums the floats whose exponents `e` lie in a
//! window `E ..= E + shifts` as the integers `m << (e - E)`; nothing is rounded until the flush. What is outside of the
//! window, infinite or not a number is added to the copy in device memory by the float's own atomic.
//!
//! `E` is chosen by the first warp that has a float to add: a few places above the largest exponent of its lanes. The
//! others take it over, from two words in shared memory:
//!
//! ```text
//! word 0: the largest exponent among those who had to choose
//! word 1: E, 0 while it is not chosen
//! ```

use super::{Gang, Target};
use crate::cell::Cell;
use crate::emit;
use crate::value;
use crate::writer::{Class, Function, Label, Operand, Reg};

/// Places above the largest exponent seen when the window is chosen.
const ABOVE: i64 = 3;

/// What `E` is in registers before a thread knows it: no exponent is in such a window.
const UNKNOWN: i64 = 1 << 30;

/// The window of a gang.
pub(super) struct Window {
    /// Address of the two words.
    at: Reg,
    /// `E`, as the thread knows it.
    lowest: Reg,
}

impl Window {
    /// Makes an unchosen window.
    pub(super) fn begin(f: &mut Function, gang: &Gang, target: &Target) -> Window {
        let name = f.unique(&format!("{}_window", target.stem));
        f.declare(format!(".shared .align 8 .b8 {name}[8];"));
        let at = f.address_of(Class::B32, &name);
        let first = value!(f, "first", "setp.eq.u32", gang.thread, 0);
        for word in [0, 4] {
            let zero = [Operand::At(at, word), 0.into()];
            f.op_if(first, true, "st.shared.u32", &zero);
        }
        let lowest = value!(f, "lowest", "mov.u32", UNKNOWN);
        Window { at, lowest }
    }

    /// The value of the unit of the gang's sums, an `f64`. All threads call it behind a barrier.
    pub(super) fn scale(&self, f: &mut Function, cell: Cell) -> Reg {
        let lowest = value!(f, "lowest", "ld.shared.u32", Operand::At(self.at, 4));
        // 2^(E - bias - bits of the mantissa behind the point).
        let (unit, least) = match cell {
            Cell::Fixed32 => (-150, None),
            _ => (-1075, Some(-1022)),
        };
        let exponent = value!(f, "exponent", "add.s32", lowest, unit);
        let biased = value!(f, "biased", "add.s32", exponent, 1023);
        let biased = value!(f, "biased", "cvt.s64.s32", biased);
        let mut bits = value!(f, "bits", "shl.b64", biased, 52);
        if let Some(least) = least {
            // Subnormal units have a single bit in the mantissa.
            let small = value!(f, "small", "setp.lt.s32", exponent, least);
            let place = value!(f, "place", "add.s32", exponent, 1074);
            let one = value!(f, "one", "mov.b64", 1);
            let subnormal = value!(f, "subnormal", "shl.b64", one, place);
            bits = value!(f, "bits", "selp.b64", subnormal, bits, small);
        }
        let float = f.reg(Class::F64, "unit");
        emit!(f, "mov.b64", float, bits);
        float
    }
}

/// The words of a float, low one first.
fn split(f: &mut Function, cell: Cell, value: Operand) -> Vec<Reg> {
    if cell == Cell::Fixed32 {
        return vec![value!(f, "bits", "mov.b32", value)];
    }
    let bits = value!(f, "bits", "mov.b64", value);
    let (low, high) = (f.reg(Class::B32, "low"), f.reg(Class::B32, "high"));
    f.unpack(low, high, bits);
    vec![low, high]
}

/// Where the exponent of a float lies in its last word, and how long it is.
fn field(cell: Cell) -> (u32, u32) {
    match cell {
        Cell::Fixed32 => (23, 8),
        _ => (20, 11),
    }
}

fn exponent(f: &mut Function, cell: Cell, value: Operand) -> Reg {
    let (at, length) = field(cell);
    let words = split(f, cell, value);
    let last = words[words.len() - 1];
    value!(f, "exponent", "bfe.u32", last, at, length)
}

/// How far the exponent is above the window's lowest, as far as the thread knows it: more than [`Cell::shifts`] if the
/// float is outside. Zeros and subnormal numbers have exponent 0, which no window has, and infinities the largest one.
pub(super) fn shift(f: &mut Function, cell: Cell, window: &Window, value: Operand) -> Reg {
    let exponent = exponent(f, cell, value);
    value!(f, "shift", "sub.u32", exponent, window.lowest)
}

/// The words of a float in the window, low one first, as a number in two's complement.
pub(super) fn words(f: &mut Function, cell: Cell, value: Operand, shift: Reg) -> Vec<Reg> {
    let (at, _) = field(cell);
    let parts = split(f, cell, value);
    let (last, below) = parts.split_last().expect("a float has a word");
    let sign = value!(f, "sign", "shr.s32", *last, 31);
    let top = value!(f, "mantissa", "and.b32", *last, (1i64 << at) - 1);
    let top = value!(f, "mantissa", "or.b32", top, 1i64 << at);
    let mut mantissa = below.to_vec();
    mantissa.push(top);
    let mut words = vec![value!(f, "word", "shl.b32", mantissa[0], shift)];
    for n in 0..mantissa.len() {
        let above = mantissa.get(n + 1).map_or(Operand::Int(0), |m| (*m).into());
        words.push(value!(
            f,
            "word",
            "shf.l.wrap.b32",
            mantissa[n],
            above,
            shift
        ));
    }
    // Minus x is the complement of x, plus 1.
    for word in &words {
        emit!(f, "xor.b32", *word, *word, sign);
    }
    for (n, word) in words.iter().enumerate() {
        let opcode = match n {
            0 => "sub.cc.u32",
            _ if n + 1 == words.len() => "subc.u32",
            _ => "subc.cc.u32",
        };
        emit!(f, opcode, *word, *word, sign);
    }
    words
}

/// What happens outside of the window, as far as it is known: zeros are `done`, and a thread that did not know the window
/// yet goes on at `fast` if the float is in it. What comes behind is for floats that are outside.
pub(super) fn choose(
    f: &mut Function,
    cell: Cell,
    window: &Window,
    value: Operand,
    shift: Reg,
    fast: Label,
    done: Label,
) {
    let direct = f.label("direct");
    let parts = split(f, cell, value);
    let (last, below) = parts.split_last().expect("a float has a word");
    let mut any = value!(f, "magnitude", "shl.b32", *last, 1);
    for part in below {
        any = value!(f, "magnitude", "or.b32", any, *part);
    }
    let zero = value!(f, "zero", "setp.eq.u32", any, 0);
    f.branch_if(zero, true, done);
    let known = value!(f, "known", "setp.ne.u32", window.lowest, UNKNOWN);
    f.branch_if(known, true, direct);
    let exponent = exponent(f, cell, value);
    let (_, length) = field(cell);
    let odd = value!(f, "odd", "sub.u32", exponent, 1);
    let odd = value!(f, "odd", "setp.ge.u32", odd, (1i64 << length) - 2);
    f.branch_if(odd, true, direct);

    let (chosen, take) = (f.label("chosen"), Operand::At(window.at, 4));
    let lowest = value!(f, "lowest", "ld.relaxed.cta.shared.u32", take);
    let is_chosen = value!(f, "is_chosen", "setp.ne.u32", lowest, 0);
    f.branch_if(is_chosen, true, chosen);
    // The lanes that are here agree on the largest exponent among them before one of them chooses.
    let lanes = value!(f, "lanes", "activemask.b32");
    emit!(f, "red.shared.max.u32", Operand::At(window.at, 0), exponent);
    emit!(f, "bar.warp.sync", lanes);
    let largest = value!(
        f,
        "largest",
        "ld.relaxed.cta.shared.u32",
        Operand::At(window.at, 0)
    );
    let below = ABOVE - i64::from(cell.shifts());
    let mine = value!(f, "mine", "add.s32", largest, below);
    // The window has neither the exponent of subnormal numbers nor that of infinities.
    let highest = (1i64 << length) - 2 - i64::from(cell.shifts());
    let mine = value!(f, "mine", "max.s32", mine, 1);
    let mine = value!(f, "mine", "min.s32", mine, highest);
    emit!(f, "atom.shared.cas.b32", lowest, take, 0, mine);
    let first = value!(f, "first", "setp.eq.u32", lowest, 0);
    f.op_if(first, true, "mov.u32", &[lowest.into(), mine.into()]);
    f.place(chosen);
    f.assign(window.lowest, lowest);
    emit!(f, "sub.u32", shift, exponent, lowest);
    let inside = value!(f, "inside", "setp.le.u32", shift, cell.shifts());
    f.branch_if(inside, true, fast);
    f.place(direct);
}

/// The float that a sum is. One rounding for `f32`; for `f64` the upper word and the lower two are rounded apart.
pub(super) fn finish(f: &mut Function, cell: Cell, sum: &[Reg], unit: Reg) -> Reg {
    let low = f.pack(sum[0], sum[1]);
    if cell == Cell::Fixed32 {
        let sum = value!(f, "sum", "cvt.rn.f64.s64", low);
        let sum = value!(f, "sum", "mul.rn.f64", sum, unit);
        return value!(f, "sum", "cvt.rn.f32.f64", sum);
    }
    let low = value!(f, "low", "cvt.rn.f64.u64", low);
    let high = value!(f, "high", "cvt.rn.f64.s32", sum[2]);
    let two_to_64 = Operand::F64(18_446_744_073_709_551_616f64.to_bits());
    let sum = value!(f, "sum", "fma.rn.f64", high, two_to_64, low);
    value!(f, "sum", "mul.rn.f64", sum, unit)
}
