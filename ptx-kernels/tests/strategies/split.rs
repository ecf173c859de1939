//! Updates that are split by ranges of the bins.

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};
use accrue_ptx::plan::{self, Wishes, Work};
use ptx_sim::Limits;

use crate::gpu::Bits;
use crate::harness::run_as;
use crate::{merges, support};

#[test]
fn splits_take_keys_of_every_kind_in_slabs_of_every_size() {
    let mut random = Bits(21);
    // What shared memory there is for a range makes its width: 256 to 4096 bins here.
    let cramped = |optin| Limits {
        sms: 2,
        shared_per_block: 16 << 10,
        shared_per_block_optin: optin,
        shared_per_sm: 100 << 10,
        ..Limits::default()
    };
    let makers: [fn(&mut Bits, u32, usize) -> u32; 5] = [
        |r, bins, _| (r.next() >> 32) as u32 % bins,
        |_, bins, _| bins / 2,
        |_, bins, i| (i / 24 * 7) as u32 % bins,
        // All of one range, at its edge; then the last bin.
        |r, bins, _| 4095.min(bins - 1) - (r.next() % 3) as u32,
        |_, bins, i| bins - 1 - (i as u32 & 1),
    ];
    let split = Placement::Strategy(Strategy::GangSplit);
    for (elem, counted) in [
        (Elem::U32, Some(1)),
        (Elem::U64, Some(3)),
        (Elem::U32, None),
        (Elem::I64, None),
        (Elem::F32, None),
        (Elem::U8, None),
    ] {
        let module = support::scatter_by(Op::Add, elem, split, counted);
        for (n, make) in makers.into_iter().enumerate() {
            for (items, bins, slab) in [
                (1, 5, None),
                (1023, 4096, None),
                (1024, 4097, Some(1000)),
                (9000, 70_001, None),
                (20_000, 8200, Some(6001)),
            ] {
                let keys: Vec<u32> = (0..items).map(|i| make(&mut random, bins, i)).collect();
                let value = |r: &mut Bits| match elem {
                    Elem::F32 => u64::from(((r.next() % 1000) as f32).to_bits()),
                    _ => r.next() % 1000,
                };
                let values: Vec<u64> = keys.iter().map(|_| value(&mut random)).collect();
                let before = vec![0; bins as usize];
                let wishes = Wishes {
                    slab,
                    ..Wishes::default()
                };
                let limits = cramped(if elem.size() == 8 { 60 << 10 } else { 40 << 10 });
                let found = run_as(&module, limits, n as u64, &keys, &values, &before, wishes);
                let plan = found.plan.split.expect("a split");
                assert_eq!(plan.slabs(items as u64).count() > 1, slab.is_some());
                assert!(plan.ranges as usize > bins as usize >> 14, "{plan:?}");
                let mut expected = before;
                for (&key, &value) in keys.iter().zip(&values) {
                    let value = counted.unwrap_or(value);
                    let bin = &mut expected[key as usize];
                    *bin = merges::apply(Op::Add, elem, *bin, value);
                }
                let differs = (0..expected.len()).find(|&bin| found.bins[bin] != expected[bin]);
                assert_eq!(
                    differs, None,
                    "{elem:?} {counted:?}, kind {n}, {items} of {bins}"
                );
            }
        }
    }
}

#[test]
fn a_gang_splits_tiles_behind_tiles() {
    let mut random = Bits(5);
    let split = Placement::Strategy(Strategy::GangSplit);
    let limits = Limits {
        sms: 1,
        shared_per_block: 16 << 10,
        shared_per_block_optin: 60 << 10,
        shared_per_sm: 100 << 10,
        ..Limits::default()
    };
    let wishes = Wishes {
        resident: Some(1),
        ..Wishes::default()
    };
    for (elem, counted) in [
        (Elem::U32, Some(1)),
        (Elem::U32, None),
        (Elem::I64, None),
        (Elem::F32, None),
        (Elem::U8, None),
    ] {
        let module = support::scatter_by(Op::Add, elem, split, counted);
        // One range and many, of which few have a whole vector in a tile.
        for bins in [5, 4097, 70_001] {
            let keys: Vec<u32> = (0..4500)
                .map(|_| (random.next() >> 32) as u32 % bins)
                .collect();
            let value = |bits: u64| match elem {
                Elem::F32 => u64::from(((bits % 1000) as f32).to_bits()),
                _ => bits % 1000,
            };
            let values: Vec<u64> = keys.iter().map(|_| value(random.next())).collect();
            let before = vec![0; bins as usize];
            let limits = limits.clone();
            let found = run_as(&module, limits, 9, &keys, &values, &before, wishes);
            assert_eq!(found.plan.split.expect("a split").gangs, 1);
            let mut expected = before;
            for (&key, &value) in keys.iter().zip(&values) {
                let bin = &mut expected[key as usize];
                *bin = merges::apply(Op::Add, elem, *bin, counted.unwrap_or(value));
            }
            let differs = (0..expected.len()).find(|&bin| found.bins[bin] != expected[bin]);
            assert_eq!(differs, None, "{elem:?} {counted:?}, {bins} bins");
        }
    }
}

#[test]
fn a_slab_has_no_more_updates_than_the_cells_of_a_count_hold() {
    let module = support::scatter(Op::Add, Elem::F32, Placement::Strategy(Strategy::GangSplit));
    let slab = |slab| {
        let work = Work {
            items: 1 << 33,
            bins: vec![1 << 20],
            wishes: Wishes {
                slab,
                ..Wishes::default()
            },
        };
        let plan = module.abi.plan(&plan::Limits::H200, &work).unwrap();
        plan.split.expect("a split")
    };
    assert_eq!(slab(Some(5000)).slab, 5000);
    let most = slab(Some(u32::MAX));
    let target = &module.abi.targets[0];
    let cell = target.cell().most_updates(target.op, target.elem).unwrap();
    assert_eq!(most.slab, cell / 2 * u64::from(most.count_grid));
    assert!(slab(None).slab <= most.slab);
}

#[test]
fn a_split_says_what_it_cannot_do() {
    let split = Placement::Strategy(Strategy::GangSplit);
    let module = support::scatter(Op::Add, Elem::U32, split);
    let work = |bins| Work {
        items: 1 << 20,
        bins: vec![bins],
        wishes: Wishes::default(),
    };
    let h200 = plan::Limits::H200;
    let plan = |limits: &plan::Limits, bins| module.abi.plan(limits, &work(bins));
    let most = plan(&h200, 1 << 23).expect("256 ranges of 32768 bins");
    let split = most.split.expect("a split");
    assert_eq!((split.ranges, split.range_bits), (256, 15));
    assert!(split.bytes() < 1 << 30, "{} bytes", split.bytes());
    let error = plan(&h200, (1 << 23) + 1).expect_err("one range more than threads");
    assert!(error.to_string().contains("shared memory"), "{error}");
    let narrow = plan::Limits {
        threads_per_block: 128,
        ..h200
    };
    let error = plan(&narrow, 1000).expect_err("too few threads");
    assert!(error.to_string().contains("needs 256 threads"), "{error}");
}
