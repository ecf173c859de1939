//! What the attribute emits, by every way to run it on the CPU, on data so small that Miri has an opinion in time: `.ci/miri` runs this
//! file under it, and the buffers' tests. The sequential results are written by hand.

use accrue::__bench::with_strategy;
use accrue::{Device, DeviceBuffer, Error, Stream, offload, with_device};

/// Every strategy of the CPU.
const STRATEGIES: [&str; 5] = [
    "sequential",
    "private:lanes=1,workers=2,parts=3",
    "private:lanes=8,workers=2,parts=2",
    "partitioned:workers=2,ranges=2",
    "auto",
];

/// Loops whose iterations write elements of their own: an index, what is handed out, pairs that are exchanged.
mod own {
    use super::*;

    #[offload]
    fn every_way(
        keys: &[u32],
        out: &mut [u32],
        rows: &mut [u32],
        words: &mut Vec<String>,
    ) -> (u32, u32) {
        let (mut top, n) = (0, out.len());
        for i in 0..n / 2 {
            out.swap(i, n - 1 - i);
        }
        for i in 0..n {
            out[i] += keys[i];
            top = top.max(out[i]);
        }
        let mut sum = 0u32;
        for (y, (row, word)) in rows.chunks_mut(3).zip(words.iter_mut()).enumerate() {
            for (x, v) in row.iter_mut().enumerate() {
                *v += (3 * y + x) as u32;
            }
            word.push('!');
            sum = sum.wrapping_add(row[0]);
        }
        (top, sum)
    }

    #[offload]
    fn lent(rows: &mut [u32], words: &mut [String]) {
        for i in 0..words.len() {
            rows[2 * i..2 * i + 2].sort_unstable();
            let row = &rows[2 * i..=2 * i];
            words[i].push_str(if row[0] == 0 { "?" } else { "!" });
        }
    }

    #[test]
    fn parts_are_lent() {
        for strategy in ["sequential", "private:workers=2,parts=3"] {
            let mut rows = [3, 0, 2, 1, 5, 4, 1, 0];
            let mut words = vec![String::from("a"); 4];
            with_strategy(strategy, || lent(&mut rows, &mut words));
            assert_eq!(rows, [0, 3, 1, 2, 4, 5, 0, 1], "{strategy}");
            assert_eq!(words.concat(), "a?a!a!a?", "{strategy}");
        }
    }

    #[test]
    fn every_element_is_written_once() {
        for strategy in [
            "sequential",
            "private:workers=2,parts=3",
            "private:workers=3,parts=9",
        ] {
            let keys: Vec<u32> = (0..10).collect();
            let mut out: Vec<u32> = (0..10).collect();
            let (mut rows, mut words) = (vec![1; 10], vec![String::from("a"); 4]);
            let found = with_strategy(strategy, || {
                every_way(&keys, &mut out, &mut rows, &mut words)
            });
            assert_eq!(out, [9; 10], "{strategy}");
            assert!(rows.iter().zip(1..).all(|(row, expected)| *row == expected));
            assert_eq!(
                (found, words.concat().as_str()),
                ((9, 1 + 4 + 7 + 10), "a!a!a!a!")
            );
        }
    }
}

/// Keys 0..7, twelve of each but for the last.
fn keys() -> Vec<u32> {
    (0..80).map(|i| i * 5 % 7).collect()
}

fn everyhow(test: impl Fn()) {
    // What is chosen for so few items is one of the others: Miri takes half a minute for each.
    let all = if cfg!(miri) { 4 } else { STRATEGIES.len() };
    if !cfg!(miri) {
        with_device(Device::Seq, &test);
    }
    for strategy in &STRATEGIES[..all] {
        with_device(Device::Cpu, || match *strategy {
            "auto" => test(),
            strategy => with_strategy(strategy, &test),
        });
    }
}

#[offload(histogram)]
fn counts(keys: &[u32], h: &mut [u32; 7]) {
    for &k in keys {
        h[k as usize] += 1;
    }
}

#[offload(histogram)]
fn bytes(text: &str, h: &mut [u16]) {
    for b in text.bytes() {
        h[usize::from(b & 31)] += 1;
    }
}

#[offload(histogram)]
fn joint(a: &[u32], b: &[u32], h: &mut [[u64; 7]; 7], total: &mut u64) {
    for (&x, y) in a.iter().zip(&b[1..]).rev() {
        h[x as usize][*y as usize] += 1;
        *total += u64::from(x ^ y);
    }
}

#[offload(histogram)]
fn largest(keys: &[u32], values: &[f32], best: &mut [f32]) {
    for i in 0..keys.len() {
        let k = keys[i] as usize;
        best[k] = best[k].max(values[i]);
    }
}

#[offload(histogram)]
fn sums(keys: &[u32], values: &[f64], totals: &mut [f64]) {
    for (&k, &v) in keys.iter().zip(values) {
        if v > 1.0 {
            totals[k as usize] += v;
        }
    }
}

#[offload(histogram)]
fn rows(grid: &[f64], width: usize, out: &mut [f64]) {
    for i in 0..out.len() {
        for j in 0..width {
            out[i] += grid[i * width + j];
        }
    }
}

#[offload(histogram)]
fn shifted(values: &[u32], out: &mut Vec<u32>) {
    for (i, v) in values.iter().enumerate() {
        out[i + 1] += *v;
    }
}

#[offload(histogram)]
fn nested(grid: &[[u32; 4]], h: &mut [u32; 7]) {
    for y in 0..grid.len() {
        for x in 0..4 {
            h[grid[y][x] as usize] += 1;
        }
    }
}

#[offload(histogram)]
fn chunked(keys: &[u32], h: &mut [u32; 7]) {
    for pair in keys.chunks(3) {
        for &k in pair {
            h[k as usize] += 1;
        }
    }
    for w in keys.windows(2) {
        h[(w[0].max(w[1])) as usize] += 1;
    }
}

#[test]
fn loops_have_the_sequential_result() {
    let keys = keys();
    everyhow(|| {
        let mut h = [1; 7];
        counts(&keys, &mut h);
        assert_eq!(h, [13, 12, 12, 13, 12, 13, 12]);

        let mut h = vec![0; 32];
        bytes("bins, bins and more bins", &mut h);
        assert_eq!((h[2], h[0], h[9]), (3, 4, 3));

        let (mut h, mut total) = ([[0; 7]; 7], 5);
        joint(&keys, &keys, &mut h, &mut total);
        assert_eq!(h.iter().flatten().sum::<u64>(), 79);
        assert_eq!((h[0][5], h[5][0]), (12, 0));
        let xors = keys.windows(2).map(|w| u64::from(w[0] ^ w[1]));
        assert_eq!(total, 5 + xors.sum::<u64>());

        let values: Vec<f32> = (0..80).map(|i| i as f32).collect();
        let mut best = vec![70.0; 7];
        largest(&keys, &values, &mut best);
        assert_eq!(best, [77.0, 73.0, 76.0, 79.0, 75.0, 78.0, 74.0]);

        let values: Vec<f64> = (0..80).map(f64::from).collect();
        let mut totals = vec![0.0; 7];
        sums(&keys, &values, &mut totals);
        assert_eq!(totals.iter().sum::<f64>(), 3159.0);

        let mut out = vec![1.0; 8];
        rows(&values, 10, &mut out);
        assert_eq!((out[0], out[7]), (46.0, 746.0));

        let mut out = vec![10; 81];
        shifted(&keys, &mut out);
        assert_eq!(out[..4], [10, 10, 15, 13]);

        let grid: Vec<[u32; 4]> = keys
            .chunks_exact(4)
            .map(|c| [c[0], c[1], c[2], c[3]])
            .collect();
        let mut h = [1; 7];
        nested(&grid, &mut h);
        assert_eq!(h, [13, 12, 12, 13, 12, 13, 12]);

        let mut h = [0; 7];
        chunked(&keys, &mut h);
        assert_eq!(h.iter().sum::<u32>(), 159);
    });
}

/// Arrays that are updated at the same places have one table: 64 KiB of bins are the fewest that do.
#[offload]
fn moments(keys: &[u32], values: &[f64], sums: &mut [f64; 4096], squares: &mut [f64; 4096]) {
    for i in 0..keys.len() {
        let k = keys[i] as usize;
        sums[k] += values[i];
        squares[k] += values[i] * values[i];
    }
}

#[test]
fn records_are_added_to_their_arrays() {
    let keys = [1, 4095, 1, 7, 1, 4095];
    let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let (mut sums, mut squares) = ([0.5; 4096], [1.5; 4096]);
    with_strategy("private:lanes=1,workers=2,parts=3", || {
        moments(&keys, &values, &mut sums, &mut squares)
    });
    assert_eq!(
        (sums[1], sums[7], sums[4095], sums[0]),
        (9.5, 4.5, 8.5, 0.5)
    );
    let found = (squares[1], squares[7], squares[4095], squares[0]);
    assert_eq!(found, (36.5, 17.5, 41.5, 1.5));
}

#[test]
fn panics_leave_the_bins_as_they_were() {
    let mut keys = keys();
    keys[60] = 9;
    let values = vec![2.0; 80];
    everyhow(|| {
        let mut h = [1; 7];
        let failed = counts::try_call(&keys, &mut h);
        assert!(matches!(failed, Err(Error::Panicked { .. })), "{failed:?}");
        assert_eq!(h, [1; 7]);
        let mut totals = vec![0.5; 7];
        let failed = sums::try_call(&keys, &values, &mut totals);
        assert!(failed.is_err());
        assert_eq!(totals, [0.5; 7]);
        let mut out = vec![10; 40];
        let failed = shifted::try_call(&keys, &mut out);
        assert!(failed.is_err());
        assert_eq!(out, [10; 40]);
    });
}

/// A function, offloaded and as it is.
macro_rules! twice {
    (fn $name:ident $as_it_is:ident $($rest:tt)*) => {
        #[offload(histogram)]
        fn $name $($rest)*

        fn $as_it_is $($rest)*
    };
}

twice! {
    fn votes votes_in_order(xs: &[f32], ys: &[f32], slopes: &[f32], from: usize, h: &mut [[u32; 101]]) {
        for i in 0..xs.len() {
            for t in from..slopes.len() {
                h[(xs[i] * slopes[t] + ys[i]) as usize][t] += 1;
            }
        }
    }
}

/// Votes of `points` points for slopes beginning with the one of number `from`, in some order and in the loop's.
fn vote(rows: usize, points: usize, from: usize, slopes: usize) {
    let (xs, ys): (Vec<f32>, Vec<f32>) = (0..points)
        .map(|i| ((i * 31 % 60) as f32, (i * 7 % 40) as f32))
        .unzip();
    let slopes: Vec<f32> = (0..slopes).map(|t| (t * rows) as f32 / 12000.0).collect();
    let mut expected = vec![[1; 101]; rows];
    votes_in_order(&xs, &ys, &slopes, from, &mut expected);
    let mut h = vec![[1; 101]; rows];
    votes(&xs, &ys, &slopes, from, &mut h);
    assert!(h == expected);
}

/// What a call says that panics and leaves its bins as they were.
fn vote_outside(rows: usize, points: usize, odd: usize, y: f32, slopes: usize) -> String {
    let (xs, mut ys) = (vec![1.0; points], vec![2.0; points]);
    ys[odd] = y;
    let slopes = vec![0.5; slopes];
    let mut h = vec![[1; 101]; rows];
    let failed = votes::try_call(&xs, &ys, &slopes, 3, &mut h);
    assert!(h.iter().flatten().all(|n| *n == 1));
    failed.expect_err("an index is out of range").to_string()
}

#[test]
fn rows_are_updated_window_by_window() {
    everyhow(|| {
        // More bins than a second-level cache holds, of whose columns some at a time are in one: too many for Miri, which the unit tests of `cpu::drive` show
        // windows to.
        if !cfg!(miri) {
            vote(7000, 97, 3, 101);
        }
        for (points, from, slopes) in [(3, 0, 1), (5, 9, 40), (0, 0, 5), (4, 5, 5), (4, 6, 5)] {
            vote(100, points, from, slopes);
        }
        let outside = vote_outside(100, 9, 5, 100.0, 20);
        assert!(
            outside.contains("the len is 100 but the index is 100"),
            "{outside}"
        );
        let outside = vote_outside(100, 9, 5, 3.0, 102);
        assert!(
            outside.contains("the len is 101 but the index is 101"),
            "{outside}"
        );
        if !cfg!(miri) {
            let outside = vote_outside(7000, 9, 5, 7000.0, 101);
            assert!(
                outside.contains("the len is 7000 but the index is 7000"),
                "{outside}"
            );
        }
    });
}

/// A point with padding, aligned further than its fields are.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, accrue::DeviceType)]
struct Point {
    kind: u8,
    x: f32,
    counts: [u16; 3],
}

#[offload(histogram, uses(Point))]
fn kinds(points: &[Point], h: &mut [u32; 4]) {
    for p in points {
        h[usize::from(p.counts[1])] += u32::from(p.kind);
    }
}

#[test]
fn buffers_hold_what_their_type_asks_for() {
    let stream = Stream::on(Device::Cpu).expect("the host is always there");
    let data: Vec<Point> = (0..9u8)
        .map(|i| Point {
            kind: i,
            x: 0.5,
            counts: [0, u16::from(i % 4), 0],
        })
        .collect();
    let buffer = DeviceBuffer::from_slice_on(&stream, &data).expect("memory");
    let mut bins = [0; 4];
    kinds(&data, &mut bins);
    assert_eq!(bins, [12, 6, 8, 10]);
    #[cfg(any(feature = "cuda", feature = "sim"))]
    {
        let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 4).expect("memory");
        kinds::on_device(&stream, &buffer, &mut bins).expect("a queued call");
        stream.sync().expect("a call without faults");
        assert_eq!(bins.to_vec().expect("a copy"), [12, 6, 8, 10]);
    }
    assert_eq!(
        buffer
            .slice(3..5)
            .expect("a part")
            .to_vec()
            .expect("a copy"),
        data[3..5]
    );
}
