//! What `#[offload]` emits for the CPU, written by hand: the specification of the emission, and tests of the
//! runtime under it that miri can run.
//!
//! Each function here is what the macro makes of the loop in its comment. The step of a loop is in a macro, since it
//! is printed once for each kind of table.

#![allow(
    clippy::match_single_binding,
    clippy::needless_range_loop,
    clippy::ptr_arg,
    clippy::redundant_slicing,
    reason = "this is the shape that the compiler prints, whose users' lints are off"
)]

use std::iter::once;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__rt::cpu::{
    Chunks, Run, Site, Source, bins, bins_array, bins2, bins2_array, op, row_len, scalar, source,
    with_strategy,
};
use rayon::ThreadPoolBuilder;

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

/// `for &k in keys { bins[k as usize] += 1; }`: the bins are a slice, items come by value.
fn count(keys: &[u8], hist: &mut [u32]) {
    static SITE: Site = Site::new("count", "the plan of count")
        .work(0.5)
        .sites(1)
        .pure();
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, ()), ()| {
                    for k in once(item) {
                        table_0.update(k as usize, 1);
                    }
                });
            }
        };
    }
    match Source::copied(source(keys)) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (bins::<false, _, _>(&mut hist[..], op::Add), ()),
                step!(&source),
                step!(&source),
                step!(&source),
                |_| {},
                |_| {},
            ) {
                let bins = (Source::apart(&source), &mut hist[..], ());
                run.attempt(range.clone(), bins, |done, own, hist, ()| {
                    for k in done.items(Source::part(&own, range)) {
                        done.begin();
                        hist[k as usize] += 1;
                        done.bump();
                    }
                });
            }
        }
    }
}

/// Two targets and two scalars, with operators that cannot be taken back:
///
/// ```text
/// for (i, x) in values.iter().enumerate() {
///     if *x < 0.0 { continue; }
///     sums[i % sums.len()] += x;
///     top[i % 4] = top[i % 4].max(limits[i]);
///     total += x;
///     *seen += 1;
/// }
/// ```
fn sums(
    values: &[f64],
    limits: &[i32],
    sums: &mut Vec<f64>,
    top: &mut [i32; 4],
    seen: &mut u64,
) -> f64 {
    static SITE: Site = Site::new("sums", "the plan of sums")
        .work(1.0)
        .sites(2)
        .pure()
        .journal();
    let mut total = 0.0;
    macro_rules! step {
        ($source:expr, $len:expr) => {
            |drive| {
                drive.drive(
                    $source,
                    (),
                    |item, (table_0, (table_1, (table_2, (table_3, ())))), ()| {
                        for (i, x) in once(item) {
                            if *x < 0.0 {
                                continue;
                            }
                            table_0.update(i % $len, x);
                            table_1.update_with(i % 4, limits[i]);
                            table_2.update((), x);
                            table_3.update((), 1);
                        }
                    },
                );
            }
        };
    }
    match Source::reading(Source::enumerate(source(&values[..])), &limits[..]) {
        source => {
            let len = sums.len();
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (
                    bins::<false, _, _>(&mut sums[..], op::Add),
                    (
                        bins_array::<false, _, _, _>(&mut *top, op::Max),
                        (
                            scalar::<false, _, _>(&mut total, op::Add),
                            (scalar::<false, _, _>(&mut *seen, op::Add), ()),
                        ),
                    ),
                ),
                step!(&source, len),
                step!(&source, len),
                step!(&source, len),
                |_| {},
                step!(&source, len),
            ) {
                // Scalars are copied around the user's own loop.
                let bins = (Source::apart(&source), &mut sums[..], &mut *top);
                let scalars = run.attempt(range.clone(), bins, |done, own, sums, top| {
                    let mut total = total;
                    let seen = &mut { *seen };
                    for (i, x) in done.items(Source::part(&own, range)) {
                        done.begin();
                        if *x < 0.0 {
                            continue;
                        }
                        {
                            sums[i % len] += x;
                            done.bump();
                        }
                        {
                            top[i % 4] = top[i % 4].max(limits[i]);
                            done.bump();
                        }
                        total += x;
                        *seen += 1;
                    }
                    (total, *seen)
                });
                if let Some((scalar_0, scalar_1)) = scalars {
                    total = scalar_0;
                    *seen = scalar_1;
                }
            }
        }
    }
    total
}

/// An inner loop and bins of two dimensions: `for row in pixels.chunks_exact(w) { for &p in row { h[p / 8][p % 8] ^= 1; } }`.
fn parity(pixels: &[u8], w: usize, h: &mut [[u16; 8]; 16]) {
    // No `work`: how long a row takes depends on `w`.
    static SITE: Site = Site::new("parity", "the plan of parity").sites(1).pure();
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, ()), ()| {
                    for row in once(item) {
                        for &p in row {
                            // An item comes here more than once.
                            table_0
                                .next_lane()
                                .update([p as usize / 8, p as usize % 8], 1);
                        }
                    }
                });
            }
        };
    }
    match Chunks::new(pixels, w) {
        source => {
            assert_eq!(row_len(&h[..]), 8);
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (bins2_array::<false, _, _, _, _>(&mut *h, op::Xor), ()),
                step!(&source),
                step!(&source),
                step!(&source),
                |_| {},
                |_| {},
            ) {
                // A source that cannot change is made again where its length tells the compiler something.
                run.attempt(range.clone(), ((), &mut *h, ()), |done, (), h, ()| {
                    let source = Chunks::new(pixels, w);
                    let own = Source::apart(&source);
                    for row in done.items(Source::part(&own, range)) {
                        done.begin();
                        for &p in row {
                            h[p as usize / 8][p as usize % 8] ^= 1;
                            done.bump();
                        }
                    }
                });
            }
        }
    }
}

/// Bins of two dimensions whose updates cannot be taken back, and indices that are checked several items at a time:
/// `for (&k, &v) in keys.iter().zip(values) { h[k / 10][k % 10] = h[k / 10][k % 10].min(v); low[k] &= v; }`.
fn least(keys: &[usize], values: &[u32], h: &mut [[u32; 10]], low: &mut [u32]) {
    static SITE: Site = Site::new("least", "the plan of least")
        .work(0.6)
        .sites(2)
        .pure()
        .rehearsal(0.1);
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, (table_1, ())), ()| {
                    for (k, v) in once(item) {
                        table_0.update_with([k / 10, k % 10], v);
                        table_1.update(k, v);
                    }
                });
            }
        };
    }
    match Source::zip(Source::copied(source(keys)), Source::copied(source(values))) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (
                    bins2::<false, _, _, _>(&mut h[..], op::Min),
                    (bins::<false, _, _>(&mut low[..], op::And), ()),
                ),
                step!(&source),
                step!(&source),
                step!(&source),
                step!(&source),
                |_| {},
            ) {
                let own = Source::stretch(&source, range.clone());
                run.attempt(
                    range,
                    (own, &mut h[..], &mut low[..]),
                    |done, own, h, low| {
                        for (k, v) in done.items(own.into_iter()) {
                            done.begin();
                            {
                                h[k / 10][k % 10] = h[k / 10][k % 10].min(v);
                                done.bump();
                            }
                            {
                                low[k] &= v;
                                done.bump();
                            }
                        }
                    },
                );
            }
        }
    }
}

/// An inner loop whose updates cannot be taken back: `for &k in keys { for j in 0..k as usize { h[j] += 0.5; } }`.
fn steps(keys: &[u8], h: &mut [f64]) {
    static SITE: Site = Site::new("steps", "the plan of steps")
        .sites(1)
        .pure()
        .journal();
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, ()), ()| {
                    for k in once(item) {
                        for j in 0..k as usize {
                            table_0.next_lane().update(j, 0.5);
                        }
                    }
                });
            }
        };
    }
    match Source::copied(source(keys)) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (bins::<false, _, _>(&mut h[..], op::Add), ()),
                step!(&source),
                step!(&source),
                step!(&source),
                |_| {},
                step!(&source),
            ) {
                let own = Source::stretch(&source, range.clone());
                run.attempt(range, (own, &mut h[..], ()), |done, own, h, ()| {
                    for k in done.items(own.into_iter()) {
                        done.begin();
                        for j in 0..k as usize {
                            h[j] += 0.5;
                            done.bump();
                        }
                    }
                });
            }
        }
    }
}

/// An injective loop, with a scalar: `for i in (0..x.len()).rev() { h[i + 2] -= x[i]; *most = (*most).max(x[i]); }`.
fn shifted(x: &[i64], h: &mut [i64], most: &mut i64) {
    static SITE: Site = Site::new("shifted", "the plan of shifted")
        .work(0.6)
        .sites(1)
        .pure();
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, (table_1, ())), ()| {
                    for i in once(item) {
                        table_0.update(i + 2, x[i]);
                        table_1.update_with((), x[i]);
                    }
                });
            }
        };
    }
    match Source::rev(source(0..x.len())) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance_injective(
                (
                    bins::<false, _, _>(&mut h[..], op::Sub),
                    (scalar::<false, _, _>(&mut *most, op::Max), ()),
                ),
                step!(&source),
                step!(&source),
                |_| {},
                |_| {},
            ) {
                let bins = (Source::apart(&source), &mut h[..], ());
                let scalars = run.attempt(range.clone(), bins, |done, own, h, ()| {
                    let most = &mut { *most };
                    for i in done.items(Source::part(&own, range)) {
                        done.begin();
                        h[i + 2] -= x[i];
                        done.bump();
                        *most = (*most).max(x[i]);
                    }
                    (*most,)
                });
                if let Some((scalar_0,)) = scalars {
                    *most = scalar_0;
                }
            }
        }
    }
}

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
