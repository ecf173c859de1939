//! Packed counters: their overflow, their windows, hot bins and runs.

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};
use accrue_ptx::plan::LaunchPlan;
use ptx_sim::Limits;

use crate::gpu::Bits;
use crate::harness::{Outcome, keys, narrow, one, run, small};
use crate::hot::{SHARES, hot_keys};
use crate::{merges, support};
use accrue_ptx::abi::Module;

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

/// The slot of the cache that a bin could be in: by the golden ratio, the top ten bits.
fn slot(bin: u32) -> u32 {
    bin.wrapping_mul(0x9e37_79b9) >> 22
}

#[test]
fn hot_bins_may_be_in_the_first_slot_of_the_cache_and_in_the_last() {
    let bins = 9001;
    let of = |wanted| {
        (1..bins)
            .find(|bin| slot(*bin) == wanted)
            .expect("one of them")
    };
    let (first, last) = (of(0), of(1023));
    let mut random = Bits(8);
    let key = |bits: u64| match bits % 5 {
        0 | 1 => first,
        2 | 3 => last,
        _ => (bits >> 32) as u32 % bins,
    };
    let keys: Vec<u32> = (0..5000).map(|_| key(random.next())).collect();
    count_packed(Op::Add, Elem::U32, narrow(), 2, &keys, bins);
}

/// Bins of one slot of the cache, which keeps one of them: the others' half-words overflow, however hot they are.
fn mates(bins: u32) -> Vec<u32> {
    (0..bins)
        .filter(|bin| slot(*bin) == slot(7))
        .take(6)
        .collect()
}

#[test]
fn bins_of_one_slot_of_the_cache_are_counted_again() {
    let bins = 9001;
    let mates = mates(bins);
    assert_eq!(mates.len(), 6);
    let limits = Limits {
        sms: 1,
        ..Limits::default()
    };
    let mut keys: Vec<u32> = (0..6 * 65_600).map(|i| mates[i % 6]).collect();
    keys.extend((0..3000).map(|i| i % bins));
    let plan = count_packed(Op::Add, Elem::U32, limits.clone(), 3, &keys, bins);
    assert_eq!((plan.grid, plan.windows), (1, 1));
    // A gang that does not learn what its half-words have lost counts wrongly: the half-words did overflow.
    let placement = Placement::Strategy(Strategy::GangPacked);
    let module = support::scatter_by(Op::Add, Elem::U32, placement, Some(1));
    let adds_up = |line: &&str| line.contains("red.shared.add.u32") && line.contains("%r_lost");
    let text = module.text().into_owned();
    assert_eq!(text.lines().filter(adds_up).count(), 1);
    let rest: Vec<&str> = text.lines().filter(|l| !adds_up(l)).collect();
    let broken = Module {
        ptx: rest.join("\n").into(),
        ..module
    };
    let ones = vec![1; keys.len()];
    let found = run(&broken, limits, 3, &keys, &ones, &vec![0; bins as usize]);
    for &bin in &mates[..] {
        let expected = keys.iter().filter(|k| **k == bin).count() as u64;
        if found.bins[bin as usize] != expected {
            return;
        }
    }
    panic!("no half-word overflows");
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
