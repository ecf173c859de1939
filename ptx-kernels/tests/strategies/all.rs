//! Every strategy with every operator and type of bin.

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};

use crate::gpu::Bits;
use crate::harness::{cramped, keys, one, run, small};
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
        let constant = (number % 2 == 0).then(|| merges::accumulated(&mut random, op, elem));
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
        // Of two zeros either will do.
        let same = |a: u64, b: u64| match elem {
            Elem::F32 => f32::from_bits(a as u32) == f32::from_bits(b as u32),
            Elem::F64 => f64::from_bits(a) == f64::from_bits(b),
            _ => a == b,
        };
        for (bin, (a, b)) in found.bins.iter().zip(&expected).enumerate() {
            assert!(
                same(*a, *b),
                "{}: bin {bin} is {a:#x}, should be {b:#x}",
                module.abi.entry
            );
        }
        seen += 1;
    }
    assert!(seen > 200, "{seen} modules");
}

#[test]
fn a_bin_out_of_range_leaves_the_bins_alone() {
    for strategy in Strategy::ALL {
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
