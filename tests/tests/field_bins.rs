//! Bins that are fields of structs and parts of tuples, and bins beside which methods of the same struct are called.

use accrue::{Device, offload, with_device};
use accrue_tests::quiet;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    sum: f64,
    n: u32,
    name: char,
    low: Corner,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Corner {
    x: i64,
    y: i64,
}

struct Point {
    x: f64,
    y: i64,
}

#[offload]
fn written_out(keys: &[usize], x: &[f64], bins: &mut [Cell]) {
    for i in 0..keys.len() {
        bins[keys[i]].sum += x[i];
        bins[keys[i]].n += 1;
        bins[keys[i]].low.y -= 2;
    }
}

#[offload]
fn borrowed(points: &[Point], keys: &[usize], bins: &mut Vec<Cell>) {
    for (p, &k) in points.iter().zip(keys) {
        let bin = &mut bins[k];
        bin.sum += p.x;
        bin.low.x += p.y;
        if p.y > 3 {
            bin.n += 1;
        }
    }
}

#[offload(histogram)]
fn tuples(keys: &[usize], x: &[f64], bins: &mut [(f64, u32); 9]) {
    for (&k, &x) in keys.iter().zip(x) {
        bins[k].0 += x;
        bins[k].1 += 1;
    }
}

#[offload(histogram)]
fn borrowed_tuples(keys: &[usize], x: &[i64], bins: &mut [(i64, u32)]) {
    for (k, x) in keys.iter().zip(x) {
        let bin = &mut bins[*k];
        bin.0 += *x;
        bin.1 += 1;
    }
}

/// Bins of each kind beside a scalar, in a nest of loops.
#[offload]
fn mixed(
    rows: &[Vec<usize>],
    bins: &mut [[Cell; 9]],
    counts: &mut [u64],
    grid: &mut [[u8; 5]],
    total: &mut i64,
) {
    for (y, row) in rows.iter().enumerate() {
        for &k in row {
            bins[k][y % 9].n += 1;
            bins[k][y % 9].low.x = bins[k][y % 9].low.x.max(k as i64);
            counts[k / 2] += 3;
            grid[y % 2][k % 5] ^= 1;
            *total -= k as i64;
        }
    }
}

#[offload]
fn nested(keys: &[usize], rows: usize, bins: &mut [[Cell; 9]]) {
    for (i, &k) in keys.iter().enumerate() {
        bins[i % rows][k].n += 1;
        bins[i % rows][k].low.x += i as i64;
    }
}

/// Where clusters begin: labels are elements of an iteration's own, sums are bins.
#[offload]
fn clusters(points: &[Point], centers: &[f64], labels: &mut [usize], bins: &mut [Cell]) {
    for (i, p) in points.iter().enumerate() {
        let mut best = 0;
        for (c, center) in centers.iter().enumerate() {
            if (p.x - center).abs() < (p.x - centers[best]).abs() {
                best = c;
            }
        }
        labels[i] = best;
        bins[best].sum += p.x;
        bins[best].n += 1;
    }
}

/// Elements of an iteration's own beside bins, both of them structs.
#[offload]
fn particles(cells: &[usize], force: &[f64], particles: &mut [Cell], grid: &mut [Cell]) {
    for (i, &f) in force.iter().enumerate() {
        particles[i].sum += f;
        grid[cells[i]].n += 1;
    }
}

/// What is only read beside it.
#[offload]
fn open_ones(keys: &[usize], bins: &mut [Cell]) {
    for &k in keys {
        if bins[k].name != 'x' {
            bins[k].n += 1;
        }
    }
}

struct Grid {
    cells: Vec<Cell>,
    wide: usize,
}

#[offload]
impl Grid {
    fn fill(&mut self, points: &[Point]) {
        for p in points {
            self.cells[p.y as usize % self.wide].sum += p.x;
            self.cells[p.y as usize % self.wide].n += 1;
        }
    }
}

const WIDE: usize = 3;

fn twice(v: u32) -> u32 {
    2 * v
}

#[derive(Clone, Debug, PartialEq)]
struct Histogram {
    bins: Vec<u32>,
    low: f64,
    step: f64,
    out: u64,
}

#[offload]
impl Histogram {
    /// The bin of a value.
    fn bin_of(&self, v: f64) -> usize {
        let place = (v - self.low) / self.step;
        self.clamped(place as usize)
    }

    fn clamped(&self, bin: usize) -> usize {
        let last = 63;
        bin.min(last)
    }

    fn is_inside(&self, v: f64) -> bool {
        v >= self.low
    }

    /// `WIDE` and `twice` stand for something else where it is called.
    fn weight(&self, bin: usize) -> u32 {
        twice((bin / WIDE) as u32)
    }

    fn fill(&mut self, values: &[f64]) {
        for &v in values {
            if !self.is_inside(v) {
                self.out += 1;
                continue;
            }
            self.bins[self.bin_of(v)] += 1;
        }
    }

    fn fill_weighted(&mut self, values: &[f64]) {
        for &v in values {
            let place = self.bin_of(v);
            self.bins[place] += self.weight(place);
        }
    }
}

#[test]
fn methods_beside_bins_are_written_out() {
    let values: Vec<f64> = (0..ITEMS).map(|i| (i % 700) as f64 * 0.1 - 3.0).collect();
    let empty = Histogram {
        bins: vec![0; 64],
        low: -1.5,
        step: 0.75,
        out: 0,
    };
    let mut plain = empty.clone();
    for &v in &values {
        if v < plain.low {
            plain.out += 1;
            continue;
        }
        let bin = (((v - plain.low) / plain.step) as usize).min(63);
        plain.bins[bin] += 1;
    }
    let fill = || {
        let mut filled = empty.clone();
        filled.fill(&values);
        filled
    };
    assert_eq!(fill(), plain);
    agree(fill);
    agree(|| {
        let mut filled = empty.clone();
        filled.fill_weighted(&values);
        filled
    });
}

const ITEMS: usize = 40_000;

fn keys() -> Vec<usize> {
    (0..ITEMS).map(|i| i * i % 9).collect()
}

fn values() -> Vec<f64> {
    (0..ITEMS).map(|i| (i % 64) as f64 * 0.25).collect()
}

fn points() -> Vec<Point> {
    let point = |i: usize| Point {
        x: (i % 32) as f64,
        y: (i % 9) as i64,
    };
    (0..ITEMS).map(point).collect()
}

fn some(n: usize) -> Vec<Cell> {
    let cell = |i: usize| Cell {
        sum: i as f64,
        n: 7,
        name: ['x', 'y'][i % 2],
        low: Corner { x: -1, y: i as i64 },
    };
    (0..n).map(cell).collect()
}

/// What a call does by each way there is, beside the loop in order.
fn agree<T: PartialEq + std::fmt::Debug>(call: impl Fn() -> T) {
    let expected = with_device(Device::Seq, &call);
    assert_eq!(with_device(Device::Cpu, &call), expected);
    #[cfg(feature = "sim")]
    assert_eq!(with_device(Device::Sim, &call), expected);
    for trial in accrue::__bench::trials() {
        let found = accrue::__bench::with_strategy(trial, || with_device(Device::Cpu, &call));
        assert_eq!(found, expected, "{trial}");
    }
}

#[test]
fn fields_are_bins() {
    let (keys, values, points) = (keys(), values(), points());
    let mut plain = some(9);
    for i in 0..ITEMS {
        plain[keys[i]].sum += values[i];
        plain[keys[i]].n += 1;
        plain[keys[i]].low.y -= 2;
    }
    let call = || {
        let mut bins = some(9);
        written_out(&keys, &values, &mut bins);
        bins
    };
    assert_eq!(call(), plain);
    agree(call);
    let mut plain = some(9);
    for (p, &k) in points.iter().zip(&keys) {
        plain[k].sum += p.x;
        plain[k].low.x += p.y;
        plain[k].n += u32::from(p.y > 3);
    }
    let call = || {
        let mut bins = some(9);
        borrowed(&points, &keys, &mut bins);
        bins
    };
    assert_eq!(call(), plain);
    agree(call);
    agree(|| {
        let mut bins = [(1.5, 2); 9];
        tuples(&keys, &values, &mut bins);
        bins
    });
    agree(|| {
        let mut bins: Vec<[Cell; 9]> = some(45).as_chunks().0.to_vec();
        nested(&keys, 5, &mut bins);
        bins
    });
    agree(|| {
        let (mut labels, mut bins) = (vec![0; ITEMS], some(4));
        clusters(&points, &[3.0, 9.0, 20.0, 31.0], &mut labels, &mut bins);
        (labels, bins)
    });
    agree(|| {
        let mut bins = some(9);
        open_ones(&keys, &mut bins);
        bins
    });
    agree(|| {
        let (mut own, mut grid) = (some(ITEMS), some(9));
        particles(&keys, &values, &mut own, &mut grid);
        (own, grid)
    });
    let explain = particles::explain();
    assert!(explain.contains("own particles"), "{explain}");
    assert!(!explain.contains("too few iterations"), "{explain}");
    agree(|| {
        let mut grid = Grid {
            cells: some(9),
            wide: 7,
        };
        grid.fill(&points);
        grid.cells
    });
}

#[test]
fn they_run_in_parallel() {
    let (keys, values) = (keys(), values());
    let mut bins = [(0.0, 0); 9];
    accrue::__bench::with_strategy("private:workers=2", || {
        with_device(Device::Cpu, || tuples(&keys, &values, &mut bins));
    });
    let explain = tuples::explain();
    let told = "bins bins.0: f64, h += v at bins.0[k]";
    assert!(explain.contains(told), "{explain}");
    assert!(explain.contains("tables of 2 workers"), "{explain}");
    #[cfg(feature = "sim")]
    {
        // The signature says what the parts of a tuple are, so there are kernels.
        with_device(Device::Sim, || tuples(&keys, &values, &mut bins));
        let explain = tuples::explain();
        assert!(explain.contains("on sim"), "{explain}");
    }
    let explain = clusters::explain();
    assert!(explain.contains("own labels"), "{explain}");
}

#[test]
fn few_iterations_for_many_bins_run_as_written() {
    let mut bins = some(100_000);
    let mut expected = bins.clone();
    written_out(&[3, 70_000, 3], &[1.0, 2.0, 4.0], &mut bins);
    for (k, x) in [(3, 1.0), (70_000, 2.0), (3, 4.0)] {
        expected[k].sum += x;
        expected[k].n += 1;
        expected[k].low.y -= 2;
    }
    assert_eq!(bins, expected);
    let explain = written_out::explain();
    assert!(
        explain.contains("too few iterations for so many"),
        "{explain}"
    );
}

#[offload]
fn floats(keys: &[usize], x: &[f64], bins: &mut [Cell]) {
    for i in 0..keys.len() {
        bins[keys[i]].sum += x[i];
    }
}

#[offload]
fn halves(keys: &[usize], bins: &mut [Cell]) {
    for k in keys {
        bins[*k].sum += 0.5;
    }
}

/// Sums of floats do not overflow, so that their indices are looked at beforehand: the panic is that of the first iteration that has one all the same.
#[test]
fn the_first_panic_of_a_rehearsal_is_the_loops() {
    let x = [1.0; 300];
    for (bad, len) in [(299, 300), (5, 300), (5, 100), (200, 100), (300, 300)] {
        let mut keys: Vec<usize> = (0..300).map(|i| i * 7).collect();
        if let Some(key) = keys.get_mut(bad) {
            *key = 70_000;
        }
        let told = match (bad < len, len) {
            (true, _) => Some("index out of bounds: the len is 70000 but the index is 70000"),
            (false, 100) => Some("index out of bounds: the len is 100 but the index is 100"),
            _ => None,
        };
        let mut bins = some(70_000);
        let panic = quiet::expected(|| floats(&keys, &x[..len], &mut bins)).err();
        assert_eq!(panic.as_deref(), told);
        assert_eq!(bins != some(70_000), told.is_none());
        let mut bins = some(70_000);
        let panic = quiet::expected(|| halves(&keys, &mut bins)).err();
        assert_eq!(panic.is_some(), bad < 300);
        assert_eq!(bins != some(70_000), panic.is_none());
    }
}

/// Where fields are too many to be copied there and back, whether few are noted, or all are copied beforehand, or in the midst.
#[test]
fn a_panic_leaves_many_as_they_were() {
    for items in [3, 300, ITEMS] {
        let (mut keys, values, points) = (keys(), values(), points());
        keys.truncate(items);
        keys[items - 1] = 70_001;
        let told = "index out of bounds: the len is 70000 but the index is 70001";
        let mut bins = some(70_000);
        let panic = quiet::expected(|| written_out(&keys, &values, &mut bins));
        assert_eq!(panic.expect_err("a panic"), told);
        assert_eq!(bins, some(70_000));
        let panic = quiet::expected(|| borrowed(&points, &keys, &mut bins));
        assert_eq!(panic.expect_err("a panic"), told);
        assert_eq!(bins, some(70_000));
        let integers: Vec<i64> = (0..items as i64).collect();
        let mut bins = vec![(5, 1); 70_000];
        let panic = quiet::expected(|| borrowed_tuples(&keys, &integers, &mut bins));
        assert_eq!(panic.expect_err("a panic"), told);
        assert_eq!(bins, [(5, 1); 70_000]);
        let error = borrowed_tuples::try_call(&keys, &integers, &mut bins);
        assert_eq!(error.expect_err("an error").to_string(), told);
        assert_eq!(bins, [(5, 1); 70_000]);

        let before: Vec<[Cell; 9]> = some(70_000).iter().map(|cell| [*cell; 9]).collect();
        let rows = vec![keys.clone(), keys.clone()];
        let (mut bins, mut counts, mut grid, mut total) =
            (before.clone(), vec![2; 35_001], [[7; 5]; 2], 11);
        let panic = quiet::expected(|| mixed(&rows, &mut bins, &mut counts, &mut grid, &mut total));
        assert_eq!(panic.expect_err("a panic"), told);
        assert!(bins == before, "{items} items");
        assert_eq!((grid, total), ([[7; 5]; 2], 11));
        assert_eq!(counts, [2; 35_001]);
    }
}

#[test]
fn many_of_few_iterations_agree() {
    for items in [1, 300, ITEMS] {
        let mut keys = keys();
        keys.truncate(items);
        let rows = vec![keys.clone(); 3];
        agree(|| {
            let mut bins: Vec<[Cell; 9]> = some(70_000).iter().map(|cell| [*cell; 9]).collect();
            let (mut counts, mut grid, mut total) = (vec![2; 35_001], [[7; 5]; 2], 11);
            mixed(&rows, &mut bins, &mut counts, &mut grid, &mut total);
            bins.truncate(10);
            (bins, counts, grid, total)
        });
    }
}

#[test]
fn a_panic_leaves_them_as_they_were() {
    let (mut keys, values) = (keys(), values());
    for at in [0, ITEMS / 2, ITEMS - 1] {
        let kept = std::mem::replace(&mut keys[at], 9);
        let mut bins = some(9);
        let told = quiet::expected(|| written_out(&keys, &values, &mut bins)).expect_err("a panic");
        assert_eq!(told, "index out of bounds: the len is 9 but the index is 9");
        assert_eq!(bins, some(9));
        let mut bins = some(9);
        let points = points();
        let told = quiet::expected(|| borrowed(&points, &keys, &mut bins)).expect_err("a panic");
        assert_eq!(told, "index out of bounds: the len is 9 but the index is 9");
        assert_eq!(bins, some(9));
        keys[at] = kept;
    }
}

/// Keeps what it appends to and the least beside bins that are compared.
#[offload]
fn highest(
    keys: &[usize],
    x: &[f64],
    bins: &mut [Cell],
    out: &mut Vec<f64>,
    total: &mut i64,
    low: &mut f64,
    at: &mut usize,
) {
    for (i, (k, v)) in keys.iter().zip(x).enumerate() {
        if *v > 0.5 {
            out.push(*v);
        }
        if *v < *low {
            *low = *v;
            *at = i;
        }
        *total += i as i64;
        if *v > bins[*k].sum {
            bins[*k].sum = *v;
        }
    }
}

/// Sums so far beside bins that are compared.
#[offload]
fn so_far(keys: &[usize], x: &[i64], bins: &mut [Cell], sum: &mut i64, out: &mut [i64]) {
    for (i, (k, v)) in keys.iter().zip(x).enumerate() {
        *sum += *v;
        out[i] = *sum;
        let bin = &mut bins[*k];
        if 0.5 * *v as f64 > bin.sum {
            bin.sum = 0.5 * *v as f64;
        }
    }
}

/// The loop runs in order where a field that it compares is NaN.
#[test]
fn a_panic_beside_nan_leaves_all_as_it_was() {
    let bits = |bins: &[Cell]| -> Vec<u64> { bins.iter().map(|b| b.sum.to_bits()).collect() };
    for len in [9, 70_000] {
        let mut before = some(len);
        before[4].sum = f64::NAN;
        let (mut keys, values) = (keys(), values());
        keys.iter_mut().for_each(|k| *k %= len);
        let integers: Vec<i64> = (0..ITEMS as i64).map(|i| i * i % 77 - 20).collect();
        for fails in [false, true] {
            if fails {
                keys[ITEMS - 1] = len;
            }
            let told = format!("index out of bounds: the len is {len} but the index is {len}");
            let told = fails.then_some(told);
            let (mut expected, mut sums, mut sum) = (before.clone(), vec![0; ITEMS], 3);
            for ((k, v), of) in keys.iter().zip(&integers).zip(&mut sums) {
                sum += *v;
                *of = sum;
                if *k < len && 0.5 * *v as f64 > expected[*k].sum {
                    expected[*k].sum = 0.5 * *v as f64;
                }
            }
            let (mut bins, mut out, mut found) = (before.clone(), vec![0; ITEMS], 3);
            let run = || so_far(&keys, &integers, &mut bins, &mut found, &mut out);
            assert_eq!(quiet::expected(run).err(), told);
            if fails {
                (expected, sum) = (before.clone(), 3);
            } else {
                assert_eq!(out, sums);
            }
            assert_eq!((bits(&bins), found), (bits(&expected), sum));

            let (mut bins, mut out, mut total) = (before.clone(), vec![7.0], 1);
            let (mut low, mut at) = (1e9, 70);
            let run = || {
                highest(
                    &keys, &values, &mut bins, &mut out, &mut total, &mut low, &mut at,
                )
            };
            assert_eq!(quiet::expected(run).err(), told);
            let mut expected = before.clone();
            if fails {
                assert_eq!((&out[..], total, low, at), (&[7.0][..], 1, 1e9, 70));
            } else {
                let mut kept = vec![7.0];
                kept.extend(values.iter().filter(|v| **v > 0.5));
                let all = values.iter().copied().enumerate();
                let (i, v) = all
                    .reduce(|a, b| if b.1 < a.1 { b } else { a })
                    .expect("some");
                let items = ITEMS as i64;
                assert_eq!((out, total), (kept, 1 + items * (items - 1) / 2));
                assert_eq!((at, low), (i, v));
                for (k, v) in keys.iter().zip(&values) {
                    if *v > expected[*k].sum {
                        expected[*k].sum = *v;
                    }
                }
            }
            assert_eq!(bits(&bins), bits(&expected));
        }
    }
}
