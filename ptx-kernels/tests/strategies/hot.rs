//! Hot bins and the sample that finds them.

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};

use crate::gpu::Bits;
use crate::harness::{narrow, run};
use crate::{merges, support};

/// Keys of which some bins are hot: `shares` of 64 each, the others anywhere.
pub(crate) fn hot_keys(random: &mut Bits, items: usize, bins: u32, shares: &[u64]) -> Vec<u32> {
    (0..items)
        .map(|_| {
            let mut at = random.next() % 64;
            for (n, share) in (0..).zip(shares) {
                if at < *share {
                    return n * 7 % bins;
                }
                at -= share;
            }
            (random.next() >> 33) as u32 % bins
        })
        .collect()
}

/// No hot bin, one that all keys hit, one, four, and more than are kept.
pub(crate) const SHARES: [&[u64]; 5] = [
    &[],
    &[64],
    &[40],
    &[16, 16, 8, 8],
    &[12, 11, 10, 9, 8, 7, 6],
];

#[test]
fn hot_bins_in_registers_change_no_result() {
    let mut seen = 0;
    for op in Op::ALL {
        for elem in Elem::ALL {
            let placement = Placement::Strategy(Strategy::GangHot);
            if !support::applies(op, elem, placement) {
                continue;
            }
            let mut random = Bits(seen as u64);
            let bins = [37, 1000, 333][seen % 3];
            let keys = hot_keys(&mut random, 4500, bins, SHARES[seen % SHARES.len()]);
            let before: Vec<u64> = (0..bins).map(|_| merges::bin(&mut random, elem)).collect();
            let values: Vec<u64> = (0..keys.len())
                .map(|_| merges::accumulated(&mut random, op, elem))
                .collect();
            let module = support::scatter(op, elem, placement);
            let found = run(&module, narrow(), seen as u64, &keys, &values, &before);
            assert!(found.record.is_clean(), "{}", module.abi.entry);
            let mut expected = before;
            for (&key, &value) in keys.iter().zip(&values) {
                let bin = &mut expected[key as usize];
                *bin = merges::apply(op, elem, *bin, value);
            }
            for (bin, (&a, &b)) in found.bins.iter().zip(&expected).enumerate() {
                let same = match elem {
                    Elem::F32 => f32::from_bits(a as u32) == f32::from_bits(b as u32),
                    Elem::F64 => f64::from_bits(a) == f64::from_bits(b),
                    _ => a == b,
                };
                let entry = &module.abi.entry;
                assert!(same, "{entry}: bin {bin} is {a:#x}, should be {b:#x}");
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} modules");
}

#[test]
fn a_fault_in_a_sample_is_the_fault_of_the_loop() {
    let mut keys = vec![3; 5000];
    keys[0] = 99;
    keys[4321] = 99;
    for (strategy, counted) in [(Strategy::GangHot, None), (Strategy::GangPacked, Some(1))] {
        let placement = Placement::Strategy(strategy);
        let module = support::scatter_by(Op::Add, Elem::U32, placement, counted);
        let found = run(&module, narrow(), 1, &keys, &vec![1; 5000], &[5; 40]);
        assert_eq!(found.record.first, 0, "{}", module.abi.entry);
        assert_eq!(found.bins, [5; 40], "{}", module.abi.entry);
    }
}
