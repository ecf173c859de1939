//! Every strategy with every operator and type of bin.

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};
use accrue_ptx::plan::Wishes;
use ptx_sim::Limits;

use crate::gpu::Bits;
use crate::harness::{cramped, eleven, keys, one, run, run_from, small};
use crate::{merges, support};

fn is_injective_or_scalar(placement: Placement) -> bool {
    matches!(placement, Placement::Register | Placement::Injective)
}

#[test]
fn every_strategy_gives_what_the_sequential_loop_gives() {
    let mut seen = 0;
    for (number, (op, elem, placement)) in support::matrix().into_iter().enumerate() {
        if is_injective_or_scalar(placement) {
            continue;
        }
        let mut random = Bits(number as u64);
        let (items, bins) = [(700, 5), (900, 61), (40, 130)][number % 3];
        let keys = keys(&mut random, items, bins);
        let before: Vec<u64> = (0..bins).map(|_| merges::bin(&mut random, elem)).collect();
        // Powers of a factor leave the range of a float, in another order than the loop's.
        let repeats = number % 2 == 0 && !(op == Op::Mul && elem.is_float());
        let constant = repeats.then(|| merges::accumulated(&mut random, op, elem));
        let values: Vec<u64> = (0..items)
            .map(|_| constant.unwrap_or_else(|| merges::accumulated(&mut random, op, elem)))
            .collect();
        let adds = matches!(op, Op::Add | Op::Sub | Op::SaturatingAdd);
        let module = support::scatter_by(op, elem, placement, constant.filter(|_| adds));
        let windows = placement == Placement::Strategy(Strategy::GangWindow);
        let limits = if windows { cramped() } else { small() };
        let found = run(&module, limits, number as u64, &keys, &values, &before);
        assert!(found.record.is_clean(), "{}", module.abi.entry);
        let mut expected = before;
        for (&key, &value) in keys.iter().zip(&values) {
            let bin = &mut expected[key as usize];
            *bin = merges::apply(op, elem, *bin, value);
        }
        assert_same(&module.abi.entry, elem, &found.bins, &expected);
        seen += 1;
    }
    assert!(seen > 200, "{seen} modules");
}

fn assert_same(entry: &str, elem: Elem, found: &[u64], expected: &[u64]) {
    // Of two zeros either will do, and so will any NaN for another.
    let equal = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    let float = |bits: u64| f64::from(f32::from_bits(bits as u32));
    let same = |a: u64, b: u64| match elem {
        Elem::F32 => equal(float(a), float(b)),
        Elem::F64 => equal(f64::from_bits(a), f64::from_bits(b)),
        _ => a == b,
    };
    assert_eq!(found.len(), expected.len());
    for (bin, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            same(*a, *b),
            "{entry}: bin {bin} is {a:#x}, should be {b:#x}"
        );
    }
}

/// What differs least from what changes nothing, if a copy can hold it.
fn beside_neutral(op: Op, elem: Elem, above: bool) -> Option<u64> {
    let accumulator = elem.accumulator();
    let holds = match op {
        // Above negative zero there are subnormal numbers, which device memory takes for zeros; below it is a NaN.
        Op::Add | Op::Sub if elem.is_float() => !above,
        Op::Min | Op::Max => !elem.is_float() && elem == accumulator,
        _ => elem != Elem::Bool,
    };
    let neutral = op.neutral_bits(accumulator);
    let bits = match above {
        true => neutral.wrapping_add(1),
        false => neutral.wrapping_sub(1),
    };
    holds.then_some(bits & u64::MAX >> (64 - accumulator.bits()))
}

/// Every gang has items of its own and a copy of its own where there may be several, and what they have of a bin is merged: of
/// so many copies some are merged four at once and some one by one. Some bins have one update, by nearly nothing, and the
/// bins are more than a gang flushes at once. The iterations' numbers pass 2^32 meanwhile.
#[test]
fn eleven_gangs_agree_for_every_operator_and_type_beyond_32_bits() {
    // Of four bins one has one update, of 32 items one makes it.
    const BINS: u32 = 400;
    const OWN: usize = 32;
    let mut seen = 0;
    for (number, (op, elem, placement)) in support::matrix().into_iter().enumerate() {
        let Placement::Strategy(strategy) = placement else {
            continue;
        };
        let mut random = Bits(number as u64 + 1000);
        // A split needs more threads, and is of as many gangs as there are multiprocessors.
        let limits = match strategy {
            Strategy::GangSplit => Limits {
                sms: 8,
                ..Limits::default()
            },
            _ => eleven(),
        };
        // Some more than eleven gangs of 64 threads take in one turn of four items.
        let items: usize = 11 * 64 * 4 + 77;
        assert!(items.div_ceil(OWN) <= BINS as usize / 4);
        let keys = keys(&mut random, items, BINS / 4 * 3);
        let mut keys: Vec<u32> = keys.iter().map(|key| key / 3 * 4 + key % 3).collect();
        let before: Vec<u64> = (0..BINS).map(|_| merges::bin(&mut random, elem)).collect();
        let counted = strategy == Strategy::GangPacked;
        let constant = counted.then(|| one(elem));
        let value = |_| constant.unwrap_or_else(|| merges::accumulated(&mut random, op, elem));
        let mut values: Vec<u64> = (0..items).map(value).collect();
        for (own, item) in (0..items).step_by(OWN).enumerate() {
            keys[item] = 4 * own as u32 + 3;
            let beside = beside_neutral(op, elem, own % 2 == 0);
            values[item] = constant.or(beside).unwrap_or(values[item]);
        }
        let module = support::scatter_by(op, elem, placement, constant);
        let first = (1 << 32) - items as u64 / 2;
        let wishes = Wishes {
            locals: Some(11),
            ..Wishes::default()
        };
        let seed = number as u64;
        let found = run_from(
            first, &module, limits, seed, &keys, &values, &before, wishes,
        );
        assert!(found.record.is_clean(), "{}", module.abi.entry);
        let gangs = found
            .plan
            .split
            .as_ref()
            .map_or(found.plan.grid, |s| s.count_grid);
        assert!(gangs >= 8, "{}: {gangs} gangs", module.abi.entry);
        let mut expected = before;
        for (&key, &value) in keys.iter().zip(&values) {
            let bin = &mut expected[key as usize];
            *bin = merges::apply(op, elem, *bin, value);
        }
        assert_same(&module.abi.entry, elem, &found.bins, &expected);
        seen += 1;
    }
    assert!(seen > 200, "{seen} modules with eleven gangs");
}

/// The last bin is one, and the next is none: where the loop begins, in its middle and at its end.
#[test]
fn a_bin_is_in_range_up_to_the_length() {
    for strategy in Strategy::OF_BINS {
        for elem in [Elem::U32, Elem::U8, Elem::F64] {
            let placement = Placement::Strategy(strategy);
            let counted = (strategy == Strategy::GangPacked).then(|| one(elem));
            let module = support::scatter_by(Op::Add, elem, placement, counted);
            let first = (1 << 32) - 100;
            let ones = vec![one(elem); 200];
            let go = |keys: &[u32]| {
                let before = vec![0; 40];
                run_from(
                    first,
                    &module,
                    small(),
                    5,
                    keys,
                    &ones,
                    &before,
                    Wishes::default(),
                )
            };
            let last = go(&[39; 200]);
            assert!(last.record.is_clean(), "{}", module.abi.entry);
            let sum = merges::apply(Op::Add, elem, 0, 0);
            let sum = (0..200).fold(sum, |sum, _| merges::apply(Op::Add, elem, sum, one(elem)));
            assert_eq!(last.bins[39], sum, "{}", module.abi.entry);
            assert_eq!(last.bins[..39], [0; 39], "{}", module.abi.entry);
            for at in [0, 99, 100, 199] {
                let mut keys = vec![39; 200];
                keys[at] = 40;
                let found = go(&keys);
                let told = found.record.first;
                assert_eq!(told, first + at as u64, "{}", module.abi.entry);
                assert_eq!(found.bins, [0; 40], "{}", module.abi.entry);
            }
        }
    }
}

#[test]
fn a_bin_out_of_range_leaves_the_bins_alone() {
    for strategy in Strategy::OF_BINS {
        for elem in [Elem::U32, Elem::U64, Elem::F32, Elem::F64] {
            let placement = Placement::Strategy(strategy);
            let counted = (strategy == Strategy::GangPacked).then(|| one(elem));
            let module = support::scatter_by(Op::Add, elem, placement, counted);
            let mut keys = keys(&mut Bits(1), 600, 40);
            for bad in [599, 300, 77] {
                keys[bad] = 40;
            }
            let ones = vec![1; keys.len()];
            let before: Vec<u64> = (0..40).collect();
            let found = run(&module, small(), 3, &keys, &ones, &before);
            assert_eq!(found.record.first, 77, "{}", module.abi.entry);
            assert_eq!(found.bins, before, "{}", module.abi.entry);
        }
    }
}
