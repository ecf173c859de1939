//! Tests of the runtime under what `#[offload]` emits for the CPU, which [`loops`] has by hand: miri can run them.

mod loops;

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use rayon::ThreadPoolBuilder;

use self::loops::{count, least, least_of_some, parity, shifted, steps, sums};

/// The strategies, with their parameters where these lead through other code.
const STRATEGIES: [&str; 10] = [
    "sequential",
    "sequential:undo=rehearsal",
    "sequential:undo=snapshot",
    "sequential:undo=journal",
    "private",
    "private:lanes=1,parts=3",
    "private:lanes=8,workers=3",
    "partitioned",
    "partitioned:workers=3,ranges=1",
    "injective",
];

/// Items of a test: more than a block, a group and a probe, or fewer where an interpreter runs them.
const ITEMS: usize = if cfg!(miri) { 150 } else { 70_001 };

/// Every strategy on pools of one and of three threads.
fn everywhere(test: impl Fn(&str) + Sync) {
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            test("chosen by itself");
            for strategy in STRATEGIES {
                with_strategy(strategy, || test(strategy));
            }
        });
    }
}

/// The message of the panic that `f` must end with.
fn panics(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("it must panic");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast::<&str>().unwrap().to_string(),
    }
}

/// Keys below 100 that look random, with a stretch of equal ones.
fn keys(n: usize) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252u64;
    let next = |i| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if i > n / 2 { 42 } else { (state % 100) as u8 }
    };
    (0..n).map(next).collect()
}

#[test]
fn counts_are_the_sequential_loops() {
    let keys = keys(ITEMS);
    for n in [0, 1, 7, 8, 9, 63, 65, ITEMS] {
        let mut expected = vec![3u32; 300];
        keys[..n].iter().for_each(|k| expected[*k as usize] += 1);
        everywhere(|strategy| {
            let mut found = vec![3u32; 300];
            count(&keys[..n], &mut found);
            assert_eq!(found, expected, "{strategy}, {n} items");
        });
    }
}

#[test]
fn several_targets_and_scalars_are_updated_together() {
    // Whole numbers, so that no sum rounds.
    let values: Vec<f64> = (0..ITEMS).map(|i| (i % 17) as f64 - 3.0).collect();
    let limits: Vec<i32> = (0..ITEMS).map(|i| (i * 31 % 1009) as i32).collect();
    let run = || {
        let mut bins = (vec![0.5; 10], [i32::MIN; 4], 7u64);
        let total = sums(&values, &limits, &mut bins.0, &mut bins.1, &mut bins.2);
        (bins, total)
    };
    let mut expected = (vec![0.5; 10], [i32::MIN; 4], 7u64);
    let mut total = 0.0;
    for (i, x) in values.iter().enumerate().filter(|(_, x)| **x >= 0.0) {
        expected.0[i % 10] += x;
        expected.1[i % 4] = expected.1[i % 4].max(limits[i]);
        expected.2 += 1;
        total += x;
    }
    everywhere(|strategy| assert_eq!(run(), (expected.clone(), total), "{strategy}"));
}

#[test]
fn inner_loops_update_as_often_as_they_like() {
    let pixels = keys(ITEMS);
    for w in [1, 10, ITEMS / 2, ITEMS + 1] {
        let mut expected = [[5u16; 8]; 16];
        for p in pixels[..ITEMS / w * w].iter().map(|p| *p as usize) {
            expected[p / 8][p % 8] ^= 1;
        }
        everywhere(|strategy| {
            let mut found = [[5u16; 8]; 16];
            parity(&pixels, w, &mut found);
            assert_eq!(found, expected, "{strategy}, rows of {w}");
        });
    }
}

#[test]
fn what_is_rehearsed_is_the_sequential_loop() {
    let keys: Vec<usize> = keys(ITEMS).iter().map(|k| *k as usize).collect();
    let values: Vec<u32> = (0..ITEMS as u32).map(|i| !(i * 7 % 1013)).collect();
    let (mut h, mut low) = ([[!5; 10]; 10], [!0; 100]);
    for (&k, &v) in keys.iter().zip(&values) {
        h[k / 10][k % 10] = v.min(h[k / 10][k % 10]);
        low[k] &= v;
    }
    everywhere(|strategy| {
        let mut found = ([[!5; 10]; 10], [!0; 100]);
        least(&keys, &values, &mut found.0, &mut found.1);
        assert_eq!(found, (h, low), "{strategy}");
    });
    // Beyond the rows, beyond the second array alone, and beyond 32 bits.
    for (bad, rows) in [(100, 10), (99, 10), (1 << 32, 10), (95, 9)] {
        let mut keys = keys.clone();
        keys[ITEMS / 2] = bad;
        let len = if bad == 99 { 99 } else { 100 };
        everywhere(|strategy| {
            let mut found = ([[!5; 10]; 10], [!0; 100]);
            panics(|| least(&keys, &values, &mut found.0[..rows], &mut found.1[..len]));
            assert_eq!(found, ([[!5; 10]; 10], [!0; 100]), "{strategy}, {bad}");
        });
    }
}

#[test]
fn indices_that_a_condition_keeps_from_use_may_be_out_of_range() {
    let given: Vec<usize> = keys(ITEMS).iter().map(|k| *k as usize).collect();
    let values: Vec<u32> = (0..ITEMS as u32).map(|i| i * 7 % 1013).collect();
    let mut expected = [500; 100];
    for (&k, &v) in given.iter().zip(&values).filter(|(_, v)| **v > 9) {
        expected[k] = v.min(expected[k]);
    }
    // Ahead of the conditions, with an index that is not used, and from then on with the conditions.
    for unused in [false, true, false] {
        let pairs = given.iter().zip(&values);
        let mut keys: Vec<usize> = pairs
            .map(|(k, v)| if unused && *v <= 9 { 100 } else { *k })
            .collect();
        everywhere(|strategy| {
            let mut found = [500; 100];
            least_of_some(&keys, &values, &mut found);
            assert_eq!(found, expected, "{strategy}");
        });
        keys[ITEMS / 2 + 1] = 100;
        everywhere(|strategy| {
            let mut found = [500; 100];
            panics(|| least_of_some(&keys, &values, &mut found));
            assert_eq!(found, [500; 100], "{strategy}");
        });
    }
}

#[test]
fn inner_loops_are_journaled_as_long_as_that_may_be() {
    let mut keys = keys(ITEMS);
    // Few bins, which are copied rather than journaled, and many.
    for len in [100, 50_000] {
        for n in [1, 2, 40, ITEMS] {
            let mut expected = vec![1.0; len];
            for &k in &keys[..n] {
                expected[..k as usize].iter_mut().for_each(|h| *h += 0.5);
            }
            everywhere(|strategy| {
                let mut found = vec![1.0; len];
                steps(&keys[..n], &mut found);
                assert_eq!(found, expected, "{strategy}, {n} items");
            });
        }
    }
    for bad in [0, 7, ITEMS - 1] {
        let old = std::mem::replace(&mut keys[bad], 101);
        everywhere(|strategy| {
            let mut found = vec![-0.0; 100];
            let message = panics(|| steps(&keys, &mut found));
            let expected = "index out of bounds: the len is 100 but the index is 100";
            assert_eq!(message, expected, "{strategy}");
            let same = found.iter().all(|h| h.to_bits() == (-0.0f64).to_bits());
            assert!(same, "{strategy}, {bad}");
        });
        keys[bad] = old;
    }
}

#[test]
fn bins_are_split_where_no_two_items_share_one() {
    let x: Vec<i64> = (0..ITEMS as i64).map(|i| i * 7 % 1000 - 300).collect();
    let mut expected = vec![1i64; ITEMS + 5];
    x.iter().enumerate().for_each(|(i, x)| expected[i + 2] -= x);
    everywhere(|strategy| {
        let mut found = (vec![1i64; ITEMS + 5], 0);
        shifted(&x, &mut found.0, &mut found.1);
        assert_eq!(
            found,
            (expected.clone(), *x.iter().max().unwrap()),
            "{strategy}"
        );
    });
}

#[test]
fn a_bin_out_of_range_panics_and_leaves_everything_as_it_was() {
    let mut keys = keys(ITEMS);
    for bad in [0, ITEMS / 3, ITEMS - 1] {
        keys[bad] = 200;
        everywhere(|strategy| {
            let mut found = vec![3u32; 100];
            let message = panics(|| count(&keys, &mut found));
            let expected = "index out of bounds: the len is 100 but the index is 200";
            assert_eq!(message, expected, "{strategy}");
            assert_eq!(found, [3; 100], "{strategy}");
        });
        keys[bad] = 1;
    }
    // Not even bins are needed.
    everywhere(|_| {
        let message = panics(|| count(&keys, &mut []));
        assert!(message.starts_with("index out of bounds: the len is 0"));
    });
}

#[test]
fn the_bodys_own_panics_do_the_same() {
    let values = vec![1.0; ITEMS];
    // Too short: the body reads past its end in the middle of an item, after the first update.
    let limits = vec![9; ITEMS - 3];
    everywhere(|strategy| {
        let mut bins = (vec![-0.0; 10], [-5; 4], 7u64);
        let message = panics(|| {
            sums(&values, &limits, &mut bins.0, &mut bins.1, &mut bins.2);
        });
        assert!(
            message.starts_with("index out of bounds"),
            "{strategy}: {message}"
        );
        assert!(
            bins.0.iter().all(|b| b.to_bits() == (-0.0f64).to_bits()),
            "{strategy}"
        );
        assert_eq!((bins.1, bins.2), ([-5; 4], 7), "{strategy}");
    });
    let short = (vec![4i64; ITEMS - 1], 3);
    let x = vec![1i64; ITEMS];
    everywhere(|strategy| {
        let mut bins = short.clone();
        panics(|| shifted(&x, &mut bins.0, &mut bins.1));
        assert_eq!(bins, short, "{strategy}");
    });
}

#[test]
fn bins_that_no_item_meets_keep_their_bits() {
    everywhere(|strategy| {
        let mut bins = (vec![-0.0; 10], [0; 4], 0);
        sums(&[1.0], &[1], &mut bins.0, &mut bins.1, &mut bins.2);
        assert_eq!(bins.0[0], 1.0);
        let others = bins.0[1..].iter();
        assert!(
            others
                .map(|b| b.to_bits())
                .all(|b| b == (-0.0f64).to_bits()),
            "{strategy}"
        );
    });
}
