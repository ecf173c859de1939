//! What a bin is in shared memory: counters, halves, fixed point.

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};
use accrue_ptx::plan::{self, Work};

use crate::gpu::Bits;
use crate::harness::{keys, run, small};
use crate::support;

/// Strategies that keep sums of floats in fixed point.
const FIXED: [Strategy; 4] = [
    Strategy::GangShared,
    Strategy::GangStriped,
    Strategy::GangWindow,
    Strategy::GangHot,
];

#[test]
fn float_sums_are_exact_inside_the_window_and_right_outside() {
    let mut random = Bits(11);
    let (items, bins) = (1500, 9u32);
    let keys = keys(&mut random, items, bins);
    // What is summed: of one magnitude, of many, and the smallest there are.
    let kinds: [fn(&mut Bits) -> f64; 3] = [
        |r| (r.next() as f64 / u64::MAX as f64 - 0.25) * 3.0,
        |r| (r.next() as i32 as f64) * 2f64.powi((r.next() % 60) as i32 - 40),
        |r| f64::from_bits(r.next() >> 30),
    ];
    for (kind, make) in kinds.into_iter().enumerate() {
        for elem in [Elem::F32, Elem::F64] {
            let values: Vec<f64> = (0..items)
                .map(|_| match elem {
                    // Device memory takes subnormal numbers of 32 bits for zeros.
                    Elem::F32 if kind == 2 => {
                        f64::from(f32::from_bits((1 << 24) + (random.next() >> 42) as u32))
                    }
                    Elem::F32 => f64::from(make(&mut random) as f32),
                    _ => make(&mut random),
                })
                .collect();
            let bits = |x: f64| match elem {
                Elem::F32 => u64::from((x as f32).to_bits()),
                _ => x.to_bits(),
            };
            let value_bits: Vec<u64> = values.iter().map(|v| bits(*v)).collect();
            for strategy in FIXED {
                for op in [Op::Add, Op::Sub] {
                    let module = support::scatter(op, elem, Placement::Strategy(strategy));
                    let before = vec![0; bins as usize];
                    let found = run(&module, small(), 5, &keys, &value_bits, &before);
                    for bin in 0..bins {
                        let of_bin = keys.iter().zip(&values).filter(|(k, _)| **k == bin);
                        let (sum, size) =
                            of_bin.fold((0.0, 0.0), |(s, t), (_, v)| (s + v, t + v.abs()));
                        let sum: f64 = if op == Op::Sub { -sum } else { sum };
                        let got = match elem {
                            Elem::F32 => f64::from(f32::from_bits(found.bins[bin as usize] as u32)),
                            _ => f64::from_bits(found.bins[bin as usize]),
                        };
                        // Each of the few sums of the merge rounds once; a sequential loop would round at every item.
                        let (relative, least) = match elem {
                            Elem::F32 => (f64::from(f32::EPSILON), f64::from(f32::from_bits(1))),
                            _ => (f64::EPSILON, f64::from_bits(1)),
                        };
                        let bound = match kind {
                            0 => 4.0 * relative * sum.abs() + size * f64::EPSILON * 64.0,
                            _ => 64.0 * relative * size + 8.0 * least,
                        };
                        assert!(
                            (got - sum).abs() <= bound,
                            "{}, kind {kind}: bin {bin} is {got:e}, should be {sum:e}",
                            module.abi.entry
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn infinities_and_nans_reach_their_bins() {
    for (elem, strategy) in [Elem::F32, Elem::F64].into_iter().zip(FIXED) {
        let bits = |x: f64| match elem {
            Elem::F32 => u64::from((x as f32).to_bits()),
            _ => x.to_bits(),
        };
        let keys: Vec<u32> = (0..256).map(|i| i % 4).collect();
        let mut values = vec![bits(1.5); 256];
        values[1] = bits(f64::INFINITY);
        values[130] = bits(f64::NAN);
        values[127] = bits(f64::NEG_INFINITY);
        let module = support::scatter(Op::Add, elem, Placement::Strategy(strategy));
        let found = run(&module, small(), 6, &keys, &values, &[0; 4]);
        let float = |bits: u64| match elem {
            Elem::F32 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        };
        let found: Vec<f64> = found.bins.into_iter().map(float).collect();
        assert_eq!(found[0], 96.0);
        assert_eq!(found[1], f64::INFINITY);
        assert!(found[2].is_nan());
        assert_eq!(found[3], f64::NEG_INFINITY);
    }
}

#[test]
fn counting_takes_four_bytes_a_bin_whatever_the_bins_are() {
    let keys = vec![3; 100];
    for elem in [Elem::U8, Elem::U64, Elem::F64] {
        let one = match elem {
            Elem::F64 => 1f64.to_bits(),
            _ => 1,
        };
        let placement = Placement::Strategy(Strategy::GangShared);
        let module = support::scatter_by(Op::Add, elem, placement, Some(one));
        let found = run(&module, small(), 2, &keys, &[one; 100], &[0; 8]);
        assert_eq!(found.plan.shared_bytes, 32, "{elem:?}");
    }
}

#[test]
fn a_grid_is_large_enough_for_the_cells() {
    let module = support::scatter(
        Op::Add,
        Elem::F32,
        Placement::Strategy(Strategy::GangShared),
    );
    let work = Work {
        items: 1 << 40,
        bins: vec![16],
        ..Work::default()
    };
    let plan = module.abi.plan(&plan::Limits::H200, &work).unwrap();
    assert!(u64::from(plan.grid) > 1 << 16, "{} gangs", plan.grid);
}

#[test]
fn gangs_are_small_where_large_ones_would_leave_multiprocessors_idle() {
    let module = support::scatter_by(
        Op::Add,
        Elem::U32,
        Placement::Strategy(Strategy::GangShared),
        Some(1),
    );
    let abi = &module.abi;
    let plan = |items, bins, copies| {
        let mut work = Work {
            items,
            bins: vec![bins],
            ..Work::default()
        };
        work.wishes.copies = copies;
        let plan = abi.plan(&plan::Limits::H200, &work).unwrap();
        (plan.block, plan.grid)
    };
    let (block, at_once) = (abi.block, u64::from(abi.items_per_thread));
    let half = 132 * u64::from(block) / 2 * at_once;
    assert_eq!(plan(half, 16, None), (block / 2, 132));
    // Where there are enough, where threads were asked for in bundles, and where bins are too many for small gangs, they stay.
    assert_eq!(plan(4 * half, 16, None).0, block);
    assert_eq!(plan(half, 16, Some(2)).0, block);
    assert_eq!(plan(half, 1 << 13, None).0, block);
    assert!(plan(100, 16, None).0 >= 256);
}
