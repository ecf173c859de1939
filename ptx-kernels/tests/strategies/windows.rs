//! Bins in windows.

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};

use crate::gpu::Bits;
use crate::harness::{cramped, keys, run};
use crate::{merges, support};

#[test]
fn windows_share_the_bins() {
    let (bins, items) = (1501, 4000);
    let mut random = Bits(21);
    let keys = keys(&mut random, items, bins);
    for elem in [Elem::U32, Elem::I8, Elem::U64] {
        let values: Vec<u64> = (0..items)
            .map(|_| merges::accumulated(&mut random, Op::Add, elem))
            .collect();
        let before: Vec<u64> = (0..bins).map(|_| merges::bin(&mut random, elem)).collect();
        let placement = Placement::Strategy(Strategy::GangWindow);
        let module = support::scatter(Op::Add, elem, placement);
        let found = run(&module, cramped(), 4, &keys, &values, &before);
        assert!(found.plan.windows > 5, "{} windows", found.plan.windows);
        assert_eq!(found.plan.grid % found.plan.windows, 0);
        let mut expected = before;
        for (&key, &value) in keys.iter().zip(&values) {
            let bin = &mut expected[key as usize];
            *bin = merges::apply(Op::Add, elem, *bin, value);
        }
        let differs = (0..expected.len()).find(|&bin| found.bins[bin] != expected[bin]);
        assert_eq!(differs, None, "{elem:?}");
    }
}
