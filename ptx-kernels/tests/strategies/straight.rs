//! Few items into many bins: a rehearsal, and then the bins themselves.

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};
use accrue_ptx::plan::Ending;

use crate::gpu::Bits;
use crate::harness::{run, small};
use crate::{merges, support};

const BINS: u32 = 40_000;
const GLOBAL: Placement = Placement::Strategy(Strategy::AtomicGlobal);

/// Keys anywhere, half of them one.
fn keys(random: &mut Bits, items: usize) -> Vec<u32> {
    let key = |bits: u64| match bits & 1 {
        0 => 7,
        _ => (bits >> 32) as u32 % BINS,
    };
    (0..items).map(|_| key(random.next())).collect()
}

#[test]
fn few_updates_go_into_the_bins_themselves() {
    let ops = [Op::Add, Op::And, Op::Or, Op::Xor, Op::Min, Op::Max];
    let elems = [Elem::U32, Elem::I32, Elem::U64, Elem::I64, Elem::F64];
    let all = ops.iter().flat_map(|op| elems.map(|elem| (*op, elem)));
    let mut straight = 0;
    for (number, (op, elem)) in all.filter(|(op, elem)| op.applies_to(*elem)).enumerate() {
        let mut random = Bits(number as u64);
        let module = support::scatter_by(op, elem, GLOBAL, None);
        let keys = keys(&mut random, 900);
        let before: Vec<u64> = (0..BINS).map(|_| merges::bin(&mut random, elem)).collect();
        let mut value = || merges::accumulated(&mut random, op, elem);
        let values: Vec<u64> = keys.iter().map(|_| value()).collect();
        let found = run(&module, small(), number as u64, &keys, &values, &before);
        let mut expected = before;
        for (&key, &value) in keys.iter().zip(&values) {
            let bin = &mut expected[key as usize];
            *bin = merges::apply(op, elem, *bin, value);
        }
        assert!(found.record.is_clean(), "{}", module.abi.entry);
        // Of two zeros either will do.
        let same = |a: u64, b: u64| match elem {
            Elem::F64 => f64::from_bits(a) == f64::from_bits(b),
            _ => a == b,
        };
        let wrong = (0..expected.len()).find(|&bin| !same(found.bins[bin], expected[bin]));
        assert_eq!(wrong, None, "{}", module.abi.entry);
        straight += usize::from(found.plan.ending == Ending::Straight);
    }
    // All but minima and maxima of floats, which have no atomic.
    assert_eq!(straight, 6 * 4 + 1);
}

#[test]
fn a_fault_in_the_rehearsal_leaves_the_bins_alone() {
    for elem in [Elem::U32, Elem::U64, Elem::F64] {
        let module = support::scatter_by(Op::Add, elem, GLOBAL, None);
        let mut random = Bits(3);
        let mut keys = keys(&mut random, 700);
        for bad in [699, 250, 41] {
            keys[bad] = BINS;
        }
        let before: Vec<u64> = (0..u64::from(BINS)).collect();
        let found = run(&module, small(), 5, &keys, &[1; 700], &before);
        assert_eq!(found.plan.ending, Ending::Straight, "{}", module.abi.entry);
        assert_eq!(found.record.first, 41, "{}", module.abi.entry);
        assert_eq!(found.bins, before, "{}", module.abi.entry);
    }
}

#[test]
fn what_the_merge_does_more_than_atomics_is_merged() {
    for (op, elem, items) in [
        (Op::Sub, Elem::U32, 100),
        (Op::SaturatingAdd, Elem::U32, 100),
        (Op::Mul, Elem::U32, 100),
        (Op::Add, Elem::U16, 100),
        // Subnormal bins would be lost.
        (Op::Add, Elem::F32, 100),
        // As many items as are worth a merge.
        (Op::Add, Elem::U32, 10_001),
    ] {
        let module = support::scatter_by(op, elem, GLOBAL, None);
        let (keys, values) = (vec![3; items], vec![0; items]);
        let found = run(&module, small(), 1, &keys, &values, &vec![0; BINS as usize]);
        assert_eq!(found.plan.ending, Ending::Merged, "{}", module.abi.entry);
    }
}
