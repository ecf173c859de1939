//! `#[offload]` on loops over arrays of the crate ndarray, as people write them: the function without the attribute is the judge, on every device
//! of the build, for arrays that lie row by row and for those that do not.

#![allow(
    clippy::all,
    dead_code,
    reason = "loops are written as people write them"
)]

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::{Device, offload, with_device};
use accrue_tests::twice;
use ndarray::{
    Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayView3, ArrayViewMut1, ArrayViewMut2, Axis,
    ShapeBuilder, s,
};

twice! {
    pub(super) fn histogram(xs: &[f32], ys: &[f32], h: &mut Array2<u32>) {
        let (rows, columns) = h.dim();
        for i in 0..xs.len() {
            let y = ((ys[i] * rows as f32) as usize).min(rows - 1);
            let x = ((xs[i] * columns as f32) as usize).min(columns - 1);
            h[[y, x]] += 1;
        }
    }

    pub(super) fn levels(image: &Array2<u8>, h: &mut Array1<u64>) {
        for &v in image.iter() {
            h[v as usize] += 1;
        }
    }

    pub(super) fn joint(a: ArrayView2<'_, u8>, b: ArrayView2<'_, u8>, mut h: ArrayViewMut2<'_, u32>) {
        for y in 0..a.nrows() {
            for x in 0..a.ncols() {
                h[(a[(y, x)] as usize / 32, b[(y, x)] as usize / 32)] += 1;
            }
        }
    }

    pub(super) fn blur(src: &Array2<f32>, out: &mut Array2<f32>) {
        let (h, w) = src.dim();
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                out[[y, x]] = (src[[y - 1, x]] + src[[y + 1, x]] + src[[y, x - 1]] + src[[y, x + 1]]) / 4.0;
            }
        }
    }

    pub(super) fn smooth(src: &Array2<f64>) -> Array2<f64> {
        let mut out = Array2::zeros(src.dim());
        for i in 0..src.shape()[0] {
            for j in 0..src.shape()[1] {
                let mut sum = 0.0;
                let mut count = 0.0;
                for di in -1i32..=1 {
                    for dj in -1i32..=1 {
                        let (y, x) = (i as i32 + di, j as i32 + dj);
                        if y >= 0 && x >= 0 && (y as usize) < src.nrows() && (x as usize) < src.ncols() {
                            sum += src[[y as usize, x as usize]];
                            count += 1.0;
                        }
                    }
                }
                out[[i, j]] = sum / count;
            }
        }
        out
    }

    pub(super) fn life(cells: &Array2<u8>, next: &mut Array2<u8>) {
        let h = cells.nrows();
        let w = cells.ncols();
        for y in 0..h {
            for x in 0..w {
                let mut alive = 0;
                for dy in [h - 1, 0, 1] {
                    for dx in [w - 1, 0, 1] {
                        if dy != 0 || dx != 0 {
                            alive += cells[[(y + dy) % h, (x + dx) % w]];
                        }
                    }
                }
                next[[y, x]] = match (cells[[y, x]], alive) {
                    (1, 2) | (_, 3) => 1,
                    _ => 0,
                };
            }
        }
    }

    pub(super) fn product(a: &Array2<f32>, b: &Array2<f32>, c: &mut Array2<f32>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                for k in 0..a.ncols() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }

    pub(super) fn times(a: ArrayView2<'_, f64>, x: ArrayView1<'_, f64>, mut y: ArrayViewMut1<'_, f64>) {
        for i in 0..a.nrows() {
            let mut sum = 0.0;
            for k in 0..a.ncols() {
                sum += a[[i, k]] * x[k];
            }
            y[i] = sum;
        }
    }

    pub(super) fn row_sums(a: &Array2<i64>, sums: &mut Array1<i64>) {
        for (y, row) in a.rows().into_iter().enumerate() {
            for &v in row {
                sums[y] += v;
            }
        }
    }

    pub(super) fn column_sums(a: &Array2<i64>) -> Array1<i64> {
        let mut sums = Array1::<i64>::zeros(a.ncols());
        for row in a.outer_iter() {
            for (x, v) in row.iter().enumerate() {
                sums[x] += v;
            }
        }
        sums
    }

    pub(super) fn normalise(a: &mut Array2<f32>, low: f32, high: f32) {
        for v in a.iter_mut() {
            *v = (*v - low) / (high - low);
        }
    }

    pub(super) fn threshold(src: &Array2<u8>, t: u8, out: &mut Array2<u8>) {
        for (o, s) in out.iter_mut().zip(src) {
            *o = if *s > t { 255 } else { 0 };
        }
    }

    pub(super) fn squares(xs: &Array1<f64>, out: &mut Array1<f64>) {
        for i in 0..xs.len() {
            out[i] = xs[i] * xs[i];
        }
    }

    pub(super) fn norm(xs: ArrayView1<'_, i32>) -> i64 {
        let mut sum = 0i64;
        for x in xs.iter() {
            sum += (*x as i64) * (*x as i64);
        }
        sum
    }

    pub(super) fn planes(a: &Array3<u16>, out: &mut Array3<u16>) {
        let (d, h, w) = a.dim();
        for z in 0..d {
            for y in 0..h {
                for x in 0..w {
                    out[[z, y, x]] = a[[z, y, w - 1 - x]] ^ a[[z, (y + 1) % h, x]];
                }
            }
        }
    }

    pub(super) fn channels(image: ArrayView3<'_, u8>, h: &mut Array2<u32>) {
        for y in 0..image.len_of(Axis(0)) {
            for x in 0..image.len_of(Axis(1)) {
                for c in 0..image.len_of(Axis(2)) {
                    h[[c, image[[y, x, c]] as usize]] += 1;
                }
            }
        }
    }

    pub(super) fn rows_in_place(a: &mut Array2<f32>) {
        for mut row in a.rows_mut() {
            let n = row.len();
            for x in 0..n / 2 {
                let t = row[x];
                row[x] = row[n - 1 - x] + 1.0;
                row[n - 1 - x] = t;
            }
        }
    }

    pub(super) fn peak(a: &Array2<f32>) -> (f32, usize, usize) {
        let (mut best, mut at) = (f32::MIN, (0, 0));
        for y in 0..a.nrows() {
            for x in 0..a.ncols() {
                if a[[y, x]] > best {
                    best = a[[y, x]];
                    at = (y, x);
                }
            }
        }
        (best, at.0, at.1)
    }

    // What a loop uses otherwise stays as it is, beside what is a slice.
    pub(super) fn dots(a: &Array2<f64>, x: &Array1<f64>, y: &mut Array1<f64>) {
        for i in 0..a.nrows() {
            y[i] = a.row(i).dot(x);
        }
    }

    // Out of range at the end of a row, where the slice has an element.
    pub(super) fn beyond(a: &Array2<u32>, h: &mut Array1<u32>) {
        for y in 0..a.nrows() {
            for x in 0..a.ncols() {
                h[0] += a[[y, x + y / 3]];
            }
        }
    }

    pub(super) fn far_bins(keys: &[usize], h: &mut Array2<u32>) {
        for &k in keys {
            h[[k / 16, k % 16]] += 1;
        }
    }

    pub(super) fn steps(a: &mut Array2<f32>, b: &mut Array2<f32>, n: usize) {
        let (h, w) = a.dim();
        #[cfg_attr(any(), sequential)]
        for _ in 0..n {
            for y in 1..h - 1 {
                for x in 1..w - 1 {
                    b[[y, x]] = 0.5 * a[[y, x]] + 0.25 * (a[[y - 1, x]] + a[[y, x + 1]]);
                }
            }
            b[[0, 0]] += 1.0;
            std::mem::swap(a, b);
        }
    }
}

/// Calls on every device of the build, and what each came to.
fn everywhere<R>(call: impl Fn() -> R) -> Vec<(String, R)> {
    let mut devices = vec![Device::Seq, Device::Cpu];
    if cfg!(feature = "sim") {
        devices.push(Device::Sim);
    }
    let run = |device| (format!("{device:?}"), with_device(device, &call));
    devices.into_iter().map(run).collect()
}

/// Compares a call with the plain one: what both return, or the panics of both.
fn compare<R: PartialEq + Debug>(what: &str, plain: impl Fn() -> R, off: impl Fn() -> R) {
    let expected = plain();
    for (device, found) in everywhere(off) {
        assert!(
            found == expected,
            "{what} on {device}: {found:?} for {expected:?}"
        );
    }
}

/// Numbers that look drawn.
fn drawn(n: usize, seed: u32) -> Vec<u32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    (0..n).map(|_| next()).collect()
}

fn floats(n: usize, seed: u32) -> Vec<f32> {
    drawn(n, seed)
        .iter()
        .map(|v| (v % 1000) as f32 / 1000.0)
        .collect()
}

fn matrix<T: Clone>(h: usize, w: usize, of: impl Fn(u32) -> T) -> Array2<T> {
    let values = drawn(h * w, (h * 31 + w) as u32)
        .into_iter()
        .map(of)
        .collect();
    Array2::from_shape_vec((h, w), values).expect("as many as there are elements")
}

/// The same elements in each of the ways in which they can lie: row by row, by columns, backwards, with gaps.
fn layouts<T: Clone>(a: &Array2<T>) -> Vec<(&'static str, Array2<T>)> {
    let (h, w) = a.dim();
    let by_columns = Array2::from_shape_fn((h, w).f(), |at| a[at].clone());
    let mut backwards = Array2::from_shape_fn((h, w), |(y, x)| a[[h - 1 - y, w - 1 - x]].clone());
    backwards.invert_axis(Axis(0));
    backwards.invert_axis(Axis(1));
    let mut mirrored = Array2::from_shape_fn((h, w), |(y, x)| a[[y, w - 1 - x]].clone());
    mirrored.invert_axis(Axis(1));
    let mut gaps = Array2::from_shape_fn((2 * h, 3 * w), |(y, x)| a[[y / 2, x / 3]].clone());
    gaps.slice_collapse(s![..;2, ..;3]);
    let all = vec![
        ("rows", a.clone()),
        ("columns", by_columns),
        ("backwards", backwards),
        ("mirrored", mirrored),
        ("gaps", gaps),
    ];
    for (name, other) in &all {
        assert!(h * w == 1 || other.is_standard_layout() == (*name == "rows"));
        assert!(other.indexed_iter().all(|(at, _)| at.0 < h && at.1 < w));
    }
    all
}

const SIZES: [(usize, usize); 5] = [(3, 3), (7, 5), (5, 7), (33, 65), (64, 64)];

#[test]
fn bins() {
    for (h, w) in SIZES {
        let (xs, ys) = (floats(5000, 3), floats(5000, 9));
        let count = |f: fn(&[f32], &[f32], &mut Array2<u32>)| {
            let mut bins = Array2::from_elem((h, w), 1);
            f(&xs, &ys, &mut bins);
            bins
        };
        compare(
            "histogram",
            || count(plain::histogram),
            || count(off::histogram),
        );
    }
    for (lie, image) in layouts(&matrix(37, 53, |v| v as u8)) {
        let count = |f: fn(&Array2<u8>, &mut Array1<u64>)| {
            let mut bins = Array1::zeros(256);
            f(&image, &mut bins);
            bins
        };
        compare(lie, || count(plain::levels), || count(off::levels));
        let other = image.map(|v| v.wrapping_mul(37));
        for (bins_lie, bins) in layouts(&Array2::from_elem((8, 8), 2)) {
            let run = |f: fn(ArrayView2<'_, u8>, ArrayView2<'_, u8>, ArrayViewMut2<'_, u32>)| {
                let mut bins = bins.clone();
                f(image.view(), other.view(), bins.view_mut());
                bins
            };
            compare(bins_lie, || run(plain::joint), || run(off::joint));
        }
    }
}

#[test]
fn stencils_in_every_layout() {
    for (h, w) in SIZES {
        for (lie, src) in layouts(&matrix(h, w, |v| (v % 1000) as f32)) {
            for (out_lies, out) in layouts(&Array2::from_elem((h, w), -1.0)) {
                let run = |f: fn(&Array2<f32>, &mut Array2<f32>)| {
                    let mut out = out.clone();
                    f(&src, &mut out);
                    out
                };
                let what = format!("blur of {lie} into {out_lies}, {h} by {w}");
                compare(&what, || run(plain::blur), || run(off::blur));
            }
        }
        let src = matrix(h, w, |v| f64::from(v % 1000));
        compare("smooth", || plain::smooth(&src), || off::smooth(&src));
        for (lie, cells) in layouts(&matrix(h, w, |v| (v % 3 == 0) as u8)) {
            let run = |f: fn(&Array2<u8>, &mut Array2<u8>)| {
                let mut next = Array2::zeros((h, w));
                f(&cells, &mut next);
                next
            };
            compare(lie, || run(plain::life), || run(off::life));
        }
    }
    assert!(off::blur::explain().contains(
        "where out and src lie row by row, and no index leaves its array; else in order"
    ));
    assert!(
        off::blur::explain().contains("own out: f32"),
        "{}",
        off::blur::explain()
    );
}

#[test]
fn an_array_of_another_shape() {
    let src = matrix(20, 30, |v| v as f32);
    for shape in [(25, 40), (20, 31), (21, 30)] {
        let run = |f: fn(&Array2<f32>, &mut Array2<f32>)| {
            let mut out = Array2::zeros(shape);
            f(&src, &mut out);
            out
        };
        compare("a larger one", || run(plain::blur), || run(off::blur));
    }
}

#[test]
fn products() {
    for (n, m, k) in [(1, 1, 1), (5, 7, 3), (40, 33, 50)] {
        for (lie, a) in layouts(&matrix(n, k, |v| (v % 97) as f32)) {
            let b = matrix(k, m, |v| (v % 89) as f32 - 40.0);
            let run = |f: fn(&Array2<f32>, &Array2<f32>, &mut Array2<f32>)| {
                let mut c = Array2::from_elem((n, m), 0.5);
                f(&a, &b, &mut c);
                c
            };
            compare(lie, || run(plain::product), || run(off::product));
            let a = a.map(|v| f64::from(*v));
            let x = Array1::from_iter((0..k).map(|v| v as f64 * 0.5));
            let run = |f: fn(ArrayView2<'_, f64>, ArrayView1<'_, f64>, ArrayViewMut1<'_, f64>)| {
                let mut y = Array1::zeros(n);
                f(a.view(), x.view(), y.view_mut());
                y
            };
            compare(lie, || run(plain::times), || run(off::times));
            let dots = |f: fn(&Array2<f64>, &Array1<f64>, &mut Array1<f64>)| {
                let mut y = Array1::zeros(n);
                f(&a, &x, &mut y);
                y
            };
            compare(lie, || dots(plain::dots), || dots(off::dots));
        }
    }
}

#[test]
fn rows_and_elements() {
    for (h, w) in SIZES {
        for (lie, a) in layouts(&matrix(h, w, |v| i64::from(v) - 5000)) {
            let run = |f: fn(&Array2<i64>, &mut Array1<i64>)| {
                let mut sums = Array1::from_elem(h, 1);
                f(&a, &mut sums);
                sums
            };
            compare(lie, || run(plain::row_sums), || run(off::row_sums));
            compare(lie, || plain::column_sums(&a), || off::column_sums(&a));
        }
        for (lie, a) in layouts(&matrix(h, w, |v| (v % 500) as f32)) {
            let scaled = |f: fn(&mut Array2<f32>, f32, f32)| {
                let mut a = a.clone();
                f(&mut a, 10.0, 300.0);
                a
            };
            compare(lie, || scaled(plain::normalise), || scaled(off::normalise));
            let turned = |f: fn(&mut Array2<f32>)| {
                let mut a = a.clone();
                f(&mut a);
                a
            };
            compare(
                lie,
                || turned(plain::rows_in_place),
                || turned(off::rows_in_place),
            );
            compare(lie, || plain::peak(&a), || off::peak(&a));
        }
        for (lie, a) in layouts(&matrix(h, w, |v| v as u8)) {
            let run = |f: fn(&Array2<u8>, u8, &mut Array2<u8>)| {
                let mut out = Array2::zeros((h, w));
                f(&a, 100, &mut out);
                out
            };
            compare(lie, || run(plain::threshold), || run(off::threshold));
        }
    }
}

#[test]
fn one_and_three_dimensions() {
    let xs = Array1::from_iter(drawn(1000, 5).into_iter().map(|v| v as f64));
    let run = |f: fn(&Array1<f64>, &mut Array1<f64>)| {
        let mut out = Array1::zeros(xs.len());
        f(&xs, &mut out);
        out
    };
    compare("squares", || run(plain::squares), || run(off::squares));
    let xs = xs.map(|v| *v as i32);
    for step in [1, 3, -1, -2] {
        let part = xs.slice(s![..;step]);
        compare("norm", || plain::norm(part), || off::norm(part));
    }
    let mut a = Array3::from_shape_vec((5, 6, 7), drawn(210, 8))
        .unwrap()
        .map(|v| *v as u16);
    for _ in 0..3 {
        let run = |f: fn(&Array3<u16>, &mut Array3<u16>)| {
            let mut out = Array3::zeros(a.dim());
            f(&a, &mut out);
            out
        };
        compare("planes", || run(plain::planes), || run(off::planes));
        a = a.permuted_axes([1, 2, 0]);
    }
    let image = Array3::from_shape_vec((11, 13, 3), drawn(429, 8))
        .unwrap()
        .map(|v| *v as u8);
    let run = |f: fn(ArrayView3<'_, u8>, &mut Array2<u32>)| {
        let mut bins = Array2::zeros((3, 256));
        f(image.view(), &mut bins);
        bins
    };
    compare("channels", || run(plain::channels), || run(off::channels));
}

#[test]
fn steps_that_swap() {
    for (h, w) in SIZES {
        let run = |f: fn(&mut Array2<f32>, &mut Array2<f32>, usize)| {
            let mut a = matrix(h, w, |v| (v % 64) as f32);
            let mut b = a.clone();
            f(&mut a, &mut b, 5);
            (a, b)
        };
        compare("steps", || run(plain::steps), || run(off::steps));
    }
}

/// The text of a panic.
fn panic_of(call: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(call)).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
}

#[test]
fn indices_out_of_range() {
    let a = matrix(40, 30, |v| v);
    let before = Array1::from_elem(2, 7u32);
    let mut bins = before.clone();
    let expected = panic_of(|| plain::beyond(&a, &mut bins)).expect("it is out of range");
    assert!(expected.contains("out of bounds"), "{expected}");
    for (device, (panic, bins)) in everywhere(|| {
        let mut bins = before.clone();
        (panic_of(|| off::beyond(&a, &mut bins)), bins)
    }) {
        let panic = panic.unwrap_or_else(|| panic!("no panic on {device}"));
        assert!(panic.contains("ndarray: index"), "{device}: {panic}");
        if device != "Seq" {
            assert_eq!(bins, before, "{device}");
        }
    }
    // `k / 16` is out of range, or `k % 16` where the slice has an element.
    for (shape, bad) in [((16, 16), 256), ((16, 12), 45), ((2, 16), usize::MAX)] {
        let mut keys = vec![3; 10_000];
        keys[7777] = bad;
        for (lie, before) in layouts(&Array2::from_elem(shape, 1u32)) {
            for (device, (panic, bins)) in everywhere(|| {
                let mut bins = before.clone();
                (panic_of(|| off::far_bins(&keys, &mut bins)), bins)
            }) {
                let panic = panic.unwrap_or_else(|| panic!("no panic on {device}, {lie}"));
                assert!(panic.contains("ndarray: index"), "{device}: {panic}");
                if device != "Seq" {
                    assert_eq!(bins, before, "{device}, {lie}");
                }
            }
        }
    }
}

#[test]
fn arrays_without_elements() {
    for shape in [(0, 0), (0, 5), (5, 0)] {
        let a = Array2::<i64>::zeros(shape);
        let run = |f: fn(&Array2<i64>, &mut Array1<i64>)| {
            let mut sums = Array1::from_elem(5, 1);
            f(&a, &mut sums);
            sums
        };
        compare("row_sums", || run(plain::row_sums), || run(off::row_sums));
        compare(
            "column_sums",
            || plain::column_sums(&a),
            || off::column_sums(&a),
        );
    }
}

/// A function's kernel, where the build has a device for it: it runs there, or the call says why not.
#[cfg(feature = "sim")]
#[test]
fn kernels() {
    let on = |call: &dyn Fn() -> Result<(), accrue::Error>| with_device(Device::Sim, call);
    let src = matrix(40, 50, |v| (v % 1000) as f32);
    let mut out = Array2::zeros((40, 50));
    let mut expected = out.clone();
    plain::blur(&src, &mut expected);
    with_device(Device::Sim, || off::blur::try_call(&src, &mut out)).expect("it has a kernel");
    assert_eq!(out, expected);
    for (lie, src) in layouts(&src).into_iter().skip(1) {
        let mut out = Array2::zeros((40, 50));
        let error = with_device(Device::Sim, || off::blur::try_call(&src, &mut out));
        let error = error.expect_err(lie).to_string();
        assert!(error.contains("row by row"), "{lie}: {error}");
    }
    let (a, b) = (
        matrix(64, 48, |v| (v % 97) as f32),
        matrix(48, 80, |v| (v % 89) as f32),
    );
    let mut c = Array2::zeros((64, 80));
    let mut expected = c.clone();
    plain::product(&a, &b, &mut expected);
    with_device(Device::Sim, || off::product::try_call(&a, &b, &mut c)).expect("it has a kernel");
    assert_eq!(c, expected);
    let bytes = matrix(40, 50, |v| v as u8);
    on(&|| off::levels::try_call(&bytes, &mut Array1::zeros(256))).expect("it has a kernel");
    let cells = bytes.map(|v| v % 2);
    on(&|| off::life::try_call(&cells, &mut Array2::zeros((40, 50)))).expect("it has a kernel");
    on(&|| off::threshold::try_call(&bytes, 9, &mut Array2::zeros((40, 50))))
        .expect("it has a kernel");
    on(&|| off::far_bins::try_call(&[3, 200], &mut Array2::zeros((16, 16))))
        .expect("it has a kernel");
    let cube = Array3::zeros((4, 5, 6));
    on(&|| off::planes::try_call(&cube, &mut Array3::zeros((4, 5, 6)))).expect("it has a kernel");
}
