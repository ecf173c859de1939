//! Every strategy with every operator and type of bin, run on the simulator: planned, launched and merged as the runtime
//! does it, against the sequential loop.
#![cfg(feature = "sim")]

#[allow(dead_code, reason = "shared with the tests of the device library")]
#[path = "device_library/gpu.rs"]
mod gpu;
#[allow(dead_code, reason = "shared with the tests of the device library")]
#[path = "device_library/merges.rs"]
mod merges;
mod support;

use accrue_ptx::abi::{
    AUXILIARY_BLOCK, Elem, ErrorRecord, MergeParam, Module, Op, ParamKind, Placement, Strategy,
};
use accrue_ptx::plan::{self, LaunchPlan, Wishes, Work};
use accrue_ptx::queues::{COUNT_BLOCK, Part};
use accrue_ptx::sim::{Limits, Machine, Module as Text};
use gpu::{Bits, pack, unpack};

/// What a run left.
struct Outcome {
    bins: Vec<u64>,
    record: ErrorRecord,
    plan: LaunchPlan,
    /// Atomics in shared memory.
    shared_atomics: u64,
}

fn limits(of: &Limits) -> plan::Limits {
    plan::Limits {
        sm: of.compute_capability,
        multiprocessors: of.sms,
        threads_per_block: of.max_threads_per_block,
        threads_per_multiprocessor: of.max_threads_per_sm,
        blocks_per_multiprocessor: of.max_blocks_per_sm,
        shared_per_block: of.shared_per_block_optin,
        shared_per_multiprocessor: of.shared_per_sm,
        shared_reserved: 1024,
    }
}

/// Runs a scatter and checks that it leaves the scratch memory as it was.
fn run(
    module: &Module,
    limits_of: Limits,
    seed: u64,
    keys: &[u32],
    values: &[u64],
    bins: &[u64],
) -> Outcome {
    run_as(
        module,
        limits_of,
        seed,
        keys,
        values,
        bins,
        Wishes::default(),
    )
}

/// The same as somebody wishes.
fn run_as(
    module: &Module,
    limits_of: Limits,
    seed: u64,
    keys: &[u32],
    values: &[u64],
    bins: &[u64],
    wishes: Wishes,
) -> Outcome {
    let target = &module.abi.targets[0];
    let (op, elem, accumulator) = (target.op, target.elem, target.accumulator());
    let work = Work {
        items: keys.len() as u64,
        bins: vec![bins.len() as u64],
        wishes,
    };
    let plan = module
        .abi
        .plan(&limits(&limits_of), &work)
        .unwrap_or_else(|e| panic!("{}: {e}", module.abi.entry));
    let mut machine = Machine::new(limits_of, seed);
    let text = Text::parse(&module.ptx).unwrap_or_else(|e| panic!("{e}\n{}", module.ptx));
    let mut memory = |bytes: &[u8]| {
        let at = machine.alloc(bytes.len() as u64).expect("room");
        machine.write(at, bytes).expect("as large");
        at
    };
    let keys_at = memory(&pack(
        &keys.iter().map(|k| u64::from(*k)).collect::<Vec<_>>(),
        4,
    ));
    let values_at = memory(&pack(values, accumulator.size()));
    let bins_at = memory(&pack(bins, elem.size()));
    let scalars = plan.targets[0].scratch_bytes / u64::from(accumulator.size());
    let neutral = vec![op.neutral_bits(accumulator); scalars as usize];
    let scratch_at = memory(&pack(&neutral, accumulator.size()));
    let ticket_at = memory(&[0; 4]);
    let record_at = memory(&ErrorRecord::CLEAN.to_bytes());
    let queues_at = plan.split.as_ref().map(|split| {
        let at = machine.alloc(split.bytes()).expect("room");
        let tally = vec![0; 4 * split.ranges as usize];
        machine.write(at, &tally).expect("as large");
        at
    });
    let entry = module.abi.entry.as_ref();
    let mut shared_atomics = 0;
    let whole = vec![(0, keys.len() as u64)];
    let slabs = plan
        .split
        .as_ref()
        .map(|s| s.slabs(keys.len() as u64).collect());
    for (begin, end) in slabs.unwrap_or(whole) {
        let params: Vec<[u8; 8]> = module
            .abi
            .params
            .iter()
            .map(|param| {
                let value = match param.kind {
                    ParamKind::Begin => begin,
                    ParamKind::End => end,
                    ParamKind::Pointer(0) => keys_at,
                    ParamKind::Pointer(_) => values_at,
                    ParamKind::Bins(_) => bins_at,
                    ParamKind::BinsLength(_) => bins.len() as u64,
                    ParamKind::Scratch(_) => scratch_at,
                    ParamKind::Ticket => ticket_at,
                    ParamKind::Error => record_at,
                    ParamKind::Queue(part) => {
                        let split = plan.split.as_ref().expect("a split");
                        queues_at.expect("queues") + split.offset(Part::ALL[part as usize])
                    }
                    kind => plan.value(kind).expect("the plan decides the others"),
                };
                value.to_le_bytes()
            })
            .collect();
        let params: Vec<&[u8]> = params.iter().map(|p| &p[..]).collect();
        let mut launch = |entry: &str, grid: u32, block: u32, shared: u32| {
            machine
                .allow_shared(&text, entry, shared)
                .expect("the plan knows the limits");
            let stats = machine
                .launch(&text, entry, [grid, 1, 1], [block, 1, 1], shared, &params)
                .unwrap_or_else(|fault| panic!("{entry}: {fault}"));
            shared_atomics += stats.shared_atomics;
        };
        launch(entry, plan.grid, plan.block, plan.shared_bytes);
        if let (Some(plan), Some(abi)) = (&plan.split, &module.abi.split) {
            launch(&abi.arrange, plan.arrange_grid, AUXILIARY_BLOCK, 0);
            launch(&abi.count, plan.count_grid, COUNT_BLOCK, plan.count_shared);
            let tally = vec![0; 4 * plan.ranges as usize];
            machine
                .write(queues_at.expect("queues"), &tally)
                .expect("as large");
        }
    }
    if !plan.merges {
        let slots = MergeParam::ALL.map(|p| match p {
            MergeParam::Bins => bins_at,
            MergeParam::BinsTotal => bins.len() as u64,
            MergeParam::Scratch => scratch_at,
            MergeParam::Copies => u64::from(plan.targets[0].locals),
            MergeParam::Error => record_at,
        });
        let slots = slots.map(u64::to_le_bytes);
        let slots = slots.each_ref().map(|s| &s[..]);
        let (grid, block) = ([2, 1, 1], [AUXILIARY_BLOCK, 1, 1]);
        machine
            .launch(&text, &target.merge, grid, block, 0, &slots)
            .unwrap_or_else(|fault| panic!("{}: {fault}", target.merge));
    }
    let mut read = |at, bytes: usize| {
        let mut out = vec![0; bytes];
        machine.read(at, &mut out).expect("all of it is written");
        out
    };
    let scratch = read(scratch_at, plan.targets[0].scratch_bytes as usize);
    let scratch = unpack(&scratch, accumulator.size());
    // Every NaN is neutral to a minimum or maximum.
    let is_neutral = |bits: u64| match (op, accumulator) {
        (Op::Min | Op::Max, Elem::F32) => f32::from_bits(bits as u32).is_nan(),
        (Op::Min | Op::Max, Elem::F64) => f64::from_bits(bits).is_nan(),
        _ => bits == op.neutral_bits(accumulator),
    };
    let used = scratch.iter().position(|bits| !is_neutral(*bits));
    assert_eq!(used, None, "{entry}: scratch memory is neutral again");
    assert_eq!(read(ticket_at, 4), [0; 4], "{entry}: so is the ticket");
    let record = read(record_at, ErrorRecord::BYTES).try_into();
    Outcome {
        bins: unpack(
            &read(bins_at, bins.len() * elem.size() as usize),
            elem.size(),
        ),
        record: ErrorRecord::from_bytes(record.expect("a record's bytes")),
        plan,
        shared_atomics,
    }
}

/// Half of the keys are few, the others anywhere.
fn keys(random: &mut Bits, items: usize, bins: u32) -> Vec<u32> {
    (0..items)
        .map(|_| {
            let bits = random.next();
            let key = (bits >> 32) as u32 % bins;
            if bits & 1 == 0 { key % 3 % bins } else { key }
        })
        .collect()
}

fn small() -> Limits {
    Limits {
        sms: 2,
        ..Limits::default()
    }
}

/// A device whose shared memory holds few bins, so that they need windows.
fn cramped() -> Limits {
    Limits {
        sms: 2,
        shared_per_block: 1 << 10,
        shared_per_block_optin: 1 << 10,
        shared_per_sm: 4 << 10,
        ..Limits::default()
    }
}

/// The same for packed counters, whose sample and cache take 25 KB.
fn tight() -> Limits {
    Limits {
        sms: 2,
        shared_per_block: 26 << 10,
        shared_per_block_optin: 26 << 10,
        shared_per_sm: 56 << 10,
        ..Limits::default()
    }
}

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

/// Strategies that keep sums of floats in fixed point.
const FIXED: [Strategy; 3] = [
    Strategy::GangShared,
    Strategy::GangStriped,
    Strategy::GangWindow,
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
                            _ => (f64::EPSILON * 64.0, f64::from_bits(1)),
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

/// The constant that counting adds.
fn one(elem: Elem) -> u64 {
    match elem {
        Elem::F32 => u64::from(1f32.to_bits()),
        Elem::F64 => 1f64.to_bits(),
        _ => 1,
    }
}

/// Counts with packed counters and compares; returns how it was planned.
fn count_packed(
    op: Op,
    elem: Elem,
    limits: Limits,
    seed: u64,
    keys: &[u32],
    bins: u32,
) -> LaunchPlan {
    run_packed(op, elem, limits, seed, keys, bins).plan
}

/// The same; returns all that it left.
fn run_packed(op: Op, elem: Elem, limits: Limits, seed: u64, keys: &[u32], bins: u32) -> Outcome {
    let one = one(elem);
    let placement = Placement::Strategy(Strategy::GangPacked);
    let module = support::scatter_by(op, elem, placement, Some(one));
    let mut expected: Vec<u64> = (0..bins)
        .map(|_| merges::bin(&mut Bits(seed), elem))
        .collect();
    let found = run(
        &module,
        limits,
        seed,
        keys,
        &vec![one; keys.len()],
        &expected,
    );
    assert!(found.record.is_clean(), "{}", module.abi.entry);
    for &key in keys {
        let bin = &mut expected[key as usize];
        *bin = merges::apply(op, elem, *bin, one);
    }
    let wrong = (0..expected.len()).find(|&b| found.bins[b] != expected[b]);
    assert_eq!(
        wrong.map(|b| (b, found.bins[b], expected[b])),
        None,
        "{}, {bins} bins: bin, found, expected",
        module.abi.entry
    );
    found
}

#[test]
fn packed_counters_count_for_every_operator_and_bin_that_counts() {
    let mut seen = 0;
    for op in [Op::Add, Op::Sub, Op::SaturatingAdd] {
        for elem in Elem::ALL {
            if !op.applies_to(elem) {
                continue;
            }
            assert!(Strategy::GangPacked.applies_to(op, elem, true, 1));
            assert!(!Strategy::GangPacked.applies_to(op, elem, false, 1));
            assert!(!Strategy::GangPacked.applies_to(op, elem, true, 0));
            let bins = [1, 2, 61, 1301][seen % 4];
            let keys = keys(&mut Bits(seen as u64), 900, bins);
            count_packed(op, elem, small(), 7, &keys, bins);
            count_packed(op, elem, tight(), 8, &keys, bins);
            seen += 1;
        }
    }
    assert!(!Strategy::GangPacked.applies_to(Op::Max, Elem::U32, true, 1));
    assert_eq!(seen, 24);
}

#[test]
fn packed_counters_that_overflow_are_counted_again() {
    // One gang makes all updates.
    let limits = Limits {
        sms: 1,
        ..Limits::default()
    };
    // More bins than registers keep, each with more updates than a half-word holds: in both halves of a word, with the
    // carry of the low one.
    for (seed, each) in [(0, 65_536), (1, 66_000)] {
        let mut keys: Vec<u32> = (0..6 * each).map(|i| i % 6).collect();
        keys.extend((0..3000).map(|i| i % 31));
        let plan = count_packed(Op::Add, Elem::U32, limits.clone(), seed, &keys, 31);
        assert_eq!((plan.grid, plan.windows), (1, 1));
    }
}

#[test]
fn packed_windows_hold_an_even_number_of_bins() {
    for (seed, bins) in [20_000, 20_001, 30_003, 40_961].into_iter().enumerate() {
        let keys = keys(&mut Bits(seed as u64), 4000, bins);
        let plan = count_packed(Op::Add, Elem::U32, tight(), seed as u64, &keys, bins);
        assert!(plan.windows > 2, "{} windows", plan.windows);
        assert_eq!(plan.grid % plan.windows, 0);
    }
    // A window that overflows beside others that do not.
    let mut keys = keys(&mut Bits(5), 4000, 20_001);
    keys.extend((0..6 * 65_540).map(|i| 19_994 + i % 6));
    let limits = Limits {
        sms: 1,
        max_blocks_per_sm: 1,
        ..tight()
    };
    let plan = count_packed(Op::Add, Elem::U32, limits, 5, &keys, 20_001);
    assert!(plan.windows > 2, "{} windows", plan.windows);
    assert_eq!(plan.grid, plan.windows, "one group");
}

/// A device with one gang of 64 threads at a time, which samples from 4096 items on.
fn narrow() -> Limits {
    Limits {
        sms: 1,
        max_threads_per_block: 64,
        max_threads_per_sm: 64,
        ..Limits::default()
    }
}

/// Keys of which some bins are hot: `shares` of 64 each, the others anywhere.
fn hot_keys(random: &mut Bits, items: usize, bins: u32, shares: &[u64]) -> Vec<u32> {
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
const SHARES: [&[u64]; 5] = [
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
fn packed_counters_leave_hot_bins_to_registers() {
    for (seed, shares) in SHARES.into_iter().enumerate() {
        for bins in [1, 30, 3001] {
            let keys = hot_keys(&mut Bits(seed as u64), 5000, bins, shares);
            let plan = count_packed(Op::Add, Elem::U32, narrow(), seed as u64, &keys, bins);
            assert_eq!(plan.grid, 1);
        }
    }
    // More updates of a hot bin than a half-word holds, in windows.
    let mut keys = vec![2; 70_000];
    keys.extend(hot_keys(&mut Bits(3), 9000, 40_000, &[20]));
    let limits = Limits {
        max_threads_per_block: 256,
        max_threads_per_sm: 256,
        shared_per_block_optin: 56 << 10,
        ..narrow()
    };
    let plan = count_packed(Op::SaturatingAdd, Elem::U16, limits, 3, &keys, 40_000);
    assert_eq!(plan.windows, 2);
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

#[test]
fn packed_counters_add_runs_up() {
    let (items, bins) = (70_000, 9001);
    let limits = Limits {
        sms: 1,
        ..Limits::default()
    };
    // Of one gang: the atomics of its sample and its copies are few beside those of the keys.
    let atomics = |length: usize| {
        let mut random = Bits(length as u64);
        let mut keys = Vec::new();
        while keys.len() < items {
            let bin = (random.next() >> 32) as u32 % bins;
            keys.extend(std::iter::repeat_n(bin, length));
        }
        let found = run_packed(Op::Add, Elem::U32, limits.clone(), 1, &keys, bins);
        assert_eq!(found.plan.grid, 1);
        found.shared_atomics as f64 / keys.len() as f64
    };
    for (length, least, most) in [(1, 1.0, 1.1), (2, 0.5, 1.1), (24, 0.25, 0.35)] {
        let each = atomics(length);
        assert!((least..most).contains(&each), "runs of {length}: {each}");
    }
}

#[test]
fn packed_counters_count_runs() {
    for (seed, length) in [3, 17, 200].into_iter().enumerate() {
        for bins in [40, 9001] {
            // Runs that go up and down by less than a word.
            let mut random = Bits(seed as u64);
            let mut bin = bins / 2;
            let keys: Vec<u32> = (0..9000)
                .map(|_| {
                    if random.next() >> 32 < (1 << 32) / length {
                        bin = (bin + bins + (random.next() >> 40) as u32 % 5 - 2) % bins;
                    }
                    bin
                })
                .collect();
            count_packed(Op::Add, Elem::U32, narrow(), seed as u64, &keys, bins);
        }
    }
}

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
