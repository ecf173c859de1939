//! Loops of other shapes than `bins[k] op= v`, each at every strategy: what the emitter prints around an update.

use accrue::__bench::call;
use accrue::__rt::gpu::{Array, Bins, Slot};

use super::Settings;
use super::kernel::{self, Compiled};
use super::report::Report;
use crate::data::{Distribution, Random};

/// A loop, and what runs it beside the sequential one.
struct Form {
    name: &'static str,
    text: &'static str,
    run: fn(&Call<'_>, usize) -> Result<(), String>,
}

/// A compiled form on a device.
struct Call<'a> {
    settings: &'a Settings,
    compiled: &'a Compiled,
    of: &'a accrue::__rt::gpu::Loop,
}

impl Call<'_> {
    /// Runs the kernel with arguments by name. What has no name among them is only asked for its length.
    fn run(
        &self,
        counts: &[u64],
        arrays: &[(&str, Array<'_>)],
        bins: Vec<(&str, Bins<'_>)>,
        captured: &[(&str, u64)],
    ) -> Result<(), String> {
        let arrays: Vec<Array<'_>> = self
            .compiled
            .arrays
            .iter()
            .map(|name| {
                arrays
                    .iter()
                    .find(|(n, _)| n == name)
                    .map_or(Array::length(0), |(_, a)| *a)
            })
            .collect();
        let values: Vec<u64> = self
            .compiled
            .captures
            .iter()
            .map(|text| {
                let found = captured.iter().find(|(t, _)| t == text);
                found
                    .map(|(_, v)| *v)
                    .ok_or_else(|| format!("the loop captures `{text}`"))
            })
            .collect::<Result<_, _>>()?;
        let mut given: Vec<Option<(&str, Bins<'_>)>> = bins.into_iter().map(Some).collect();
        let mut bins = Vec::new();
        for target in &self.compiled.targets {
            let found = given
                .iter_mut()
                .find(|b| b.as_ref().is_some_and(|(n, _)| n == target));
            let found = found
                .and_then(Option::take)
                .ok_or_else(|| format!("the loop updates `{target}`"))?;
            bins.push(found.1);
        }
        call(
            self.of,
            self.settings.device,
            counts,
            &arrays,
            &mut bins,
            &values,
        )
        .map_err(|e| e.to_string())
    }
}

/// Runs them all.
pub(super) fn check(settings: &Settings) -> Report {
    let mut report = Report::default();
    for form in FORMS {
        for &strategy in &settings.strategies {
            let compiled = kernel::compile(form.text, &[strategy]);
            if compiled.as_ref().is_ok_and(Compiled::is_empty) {
                continue;
            }
            let outcome = compiled.map_err(|e| format!("{e:#}")).and_then(|compiled| {
                let of = compiled.the_loop("");
                let call = Call {
                    settings,
                    compiled: &compiled,
                    of: &of,
                };
                settings
                    .all_sizes()
                    .try_for_each(|n| (form.run)(&call, n).map_err(|e| format!("{n} items: {e}")))
            });
            report.count(form.name, strategy.name(), outcome);
        }
        // All of the loop's kernels, among which the runtime chooses.
        let outcome = kernel::compile(form.text, &[])
            .map_err(|e| format!("{e:#}"))
            .and_then(|compiled| {
                let of = compiled.the_loop("");
                let call = Call {
                    settings,
                    compiled: &compiled,
                    of: &of,
                };
                settings
                    .all_sizes()
                    .try_for_each(|n| (form.run)(&call, n).map_err(|e| format!("{n} items: {e}")))
            });
        report.count(form.name, "own choice", outcome);
    }
    report
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &[T],
    expected: &[T],
) -> Result<(), String> {
    match found.iter().zip(expected).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(i) => Err(format!(
            "`{what}` differs at {i}: {:?} instead of {:?}",
            found[i], expected[i]
        )),
    }
}

fn bytes(n: usize, seed: u64) -> Vec<u8> {
    let keys = Distribution::Runs.keys(n, 256, seed);
    keys.into_iter().map(|k| k as u8).collect()
}

const FORMS: &[Form] = &[
    Form {
        name: "pixels",
        text: "fn form(pixels: &[[u8; 3]], bins: &mut [u32; 768]) { for p in pixels { \
               bins[p[0] as usize] += 1; bins[256 + p[1] as usize] += 1; bins[512 + p[2] as usize] += 1; } }",
        run: pixels,
    },
    Form {
        name: "joint",
        text: "fn form(a: &[u8], b: &[u8], bins: &mut [[u64; 16]; 8]) { for (&x, &y) in a.iter().zip(b) { \
               bins[(x >> 5) as usize][(y >> 4) as usize] += 1; } }",
        run: joint,
    },
    Form {
        name: "several targets",
        text: "fn form(keys: &[u16], weights: &[f64], counts: &mut [u8], sums: &mut [f64], tops: &mut [i16]) { \
               for (i, &k) in keys.iter().enumerate() { let b = (k % 50) as usize; \
               counts[b] = counts[b].wrapping_add(1); sums[b] += weights[i]; tops[b] = tops[b].max(k as i16); } }",
        run: several,
    },
    Form {
        name: "reductions",
        text: "fn form(keys: &[i32], bins: &mut [u32], total: &mut i64, low: &mut i32) { for &k in keys { \
               bins[(k & 63) as usize] += 1; *total += k as i64; *low = (*low).min(k); } }",
        run: reductions,
    },
    Form {
        name: "arithmetic",
        text: "fn form(xs: &[f32], bins: &mut [u32]) { for &x in xs { \
               let t = (x * x + 0.25f32).sqrt() / 3.0f32 - x.abs() * 0.125f32; \
               let k = if t < 0.0f32 { 0usize } else { ((t * 97.0f32).floor() as usize).min(199) }; \
               bins[k] += (t as i32 + 3) as u32; } }",
        run: arithmetic,
    },
    Form {
        name: "windows",
        text: "fn form(data: &[u8], bins: &mut [u32]) { for w in data.windows(5) { \
               let mut sum = 0u32; for &x in w { sum += x as u32; } bins[(sum / 5) as usize] += 1; } }",
        run: windows,
    },
    Form {
        name: "match",
        text: "fn form(text: &[u8], bins: &mut [u64]) { for &b in text { if b == b' ' { continue; } match b { \
               b'a'..=b'z' => bins[(b - b'a') as usize] += 1, b'A'..=b'Z' => bins[(b - b'A') as usize] += 2, \
               _ => bins[26] += 1 } } }",
        run: matches,
    },
    Form {
        name: "two loops",
        text: "fn form(image: &[u8], width: usize, height: usize, bins: &mut [u32]) { \
               for y in 0..height { for x in 0..width { bins[(image[y * width + x] ^ (x as u8)) as usize] += 1; } } }",
        run: two_loops,
    },
    Form {
        name: "votes",
        text: "fn form(xs: &[f32], ys: &[f32], cos: &[f32], sin: &[f32], bins: &mut [[u32; 30]]) { \
               for i in 0..xs.len() { for t in 0..cos.len() { let r = xs[i] * cos[t] + ys[i] * sin[t]; \
               if r < 9.0f32 { bins[(r + 10.0f32) as usize][t + 1] += 1; } } } }",
        run: votes,
    },
    Form {
        name: "votes by angle",
        text: "fn form(points: &[[f32; 2]], cos: &[f32; 29], sin: &[f32; 29], bins: &mut [[u64; 12]; 31]) { \
               for p in points { let y = p[1] + 1.0f32; for t in 0..29 { if t % 7 == 3 { continue; } \
               let r = p[0] * cos[t] + y * sin[t]; bins[t + 2][(r * 0.5f32 + 5.0f32) as usize] += t as u64 + 1; } } }",
        run: votes_by_angle,
    },
    Form {
        name: "slices",
        text: "fn form(bytes: &[u8], rows: usize, size: usize, bins: &mut [u64]) { \
               for n in 0..rows { for k in 0..size { bins[n * 20 + (bytes[n * size + k] >> 4) as usize] += 3; } } }",
        run: slices,
    },
    Form {
        name: "slices of rows",
        text: "fn form(starts: &[u32], rows: usize, keys: &[u8], values: &[f32], bins: &mut [[f32; 40]]) { \
               for n in 0..rows { for k in starts[n] as usize..starts[n + 1] as usize { \
               bins[n][(keys[k] % 40) as usize] += values[k]; } } }",
        run: slices_of_rows,
    },
    Form {
        name: "slices of pairs",
        text: "fn form(some: &[u64], words: &[u64], bins: &mut [[[u64; 4]; 4]; 33]) { \
               for a in some { let of_a = (a.count_ones() / 2) as usize; for b in words { \
               bins[of_a][(b.count_ones() / 17) as usize][((a & b).count_ones() / 17) as usize] += 1; } } }",
        run: slices_of_pairs,
    },
];

/// Rows of equal length, counted into as many slices.
fn slices(call: &Call<'_>, n: usize) -> Result<(), String> {
    let rows = (n / 1000).clamp(1, 30);
    let size = n / rows;
    let all = bytes(n, 31);
    let (mut found, mut expected) = (vec![7u64; rows * 20], vec![7u64; rows * 20]);
    for (k, byte) in all[..rows * size].iter().enumerate() {
        expected[k / size * 20 + (*byte >> 4) as usize] += 3;
    }
    let length = Array::length(found.len());
    call.run(
        &[rows as u64, size as u64],
        &[("bytes", Array::host(&all)), ("bins", length)],
        vec![("bins", Bins::host(&mut found))],
        &[("rows", rows.slot()), ("size", size.slot())],
    )?;
    same("bins", &found, &expected)
}

/// Rows of lengths that only the data know, some of them 0.
fn slices_of_rows(call: &Call<'_>, n: usize) -> Result<(), String> {
    let rows = (n / 300).clamp(1, 300);
    let (keys, values) = (bytes(n, 32), bytes(n, 33));
    let values: Vec<f32> = values.iter().map(|v| f32::from(*v)).collect();
    let starts: Vec<u32> = (0..=rows)
        .map(|row| (n * (row / 3) * row / (rows * rows)) as u32)
        .collect();
    let (mut found, mut expected) = (vec![[1.0f32; 40]; rows], vec![[1.0f32; 40]; rows]);
    for (row, bins) in expected.iter_mut().enumerate() {
        for k in starts[row] as usize..starts[row + 1] as usize {
            bins[keys[k] as usize % 40] += values[k];
        }
    }
    let arrays = [
        ("starts", Array::host(&starts)),
        ("keys", Array::host(&keys)),
        ("values", Array::host(&values)),
        ("bins", Array::length(rows)),
    ];
    call.run(
        &[rows as u64],
        &arrays,
        vec![("bins", Bins::host(&mut found[..]))],
        &[("rows", rows.slot())],
    )?;
    same("bins", found.as_flattened(), expected.as_flattened())
}

/// All pairs of words, whose weights choose the bins.
fn slices_of_pairs(call: &Call<'_>, n: usize) -> Result<(), String> {
    let mut random = Random::new(34);
    let few = n.isqrt();
    let words: Vec<u64> = (0..few).map(|_| random.below(1 << 31) << 13).collect();
    let some = &words[..few.min(50)];
    let none = || vec![[[0u64; 4]; 4]; 33];
    let (mut found, mut expected) = (none(), none());
    for a in some {
        for b in &words {
            let [of_a, of_b, common] = [*a, *b, a & b].map(|word| word.count_ones() as usize);
            expected[of_a / 2][of_b / 17][common / 17] += 1;
        }
    }
    let arrays = [
        ("some", Array::host(some)),
        ("words", Array::host(&words)),
        ("bins", Array::length(33)),
    ];
    call.run(
        &[some.len() as u64, few as u64],
        &arrays,
        vec![("bins", Bins::host(&mut found[..]))],
        &[],
    )?;
    let flat = |all: &[[[u64; 4]; 4]]| all.as_flattened().as_flattened().to_vec();
    same("bins", &flat(&found), &flat(&expected))
}

/// Points in a square of 8, and the cosines and sines of angles six degrees apart.
fn points(n: usize) -> (Vec<[f32; 2]>, Vec<f32>, Vec<f32>) {
    let mut random = Random::new(17);
    let points = (0..n).map(|_| [random.below(8) as f32, random.below(8) as f32]);
    let angles = (0..29).map(|t| (t as f32 * 6.0).to_radians());
    (
        points.collect(),
        angles.clone().map(f32::cos).collect(),
        angles.map(f32::sin).collect(),
    )
}

fn votes(call: &Call<'_>, n: usize) -> Result<(), String> {
    let (points, cos, sin) = points(n);
    let (xs, ys): (Vec<f32>, Vec<f32>) = points.iter().map(|p| (p[0], p[1])).unzip();
    let (mut found, mut expected) = (vec![[3u32; 30]; 24], vec![[3u32; 30]; 24]);
    for (x, y) in xs.iter().zip(&ys) {
        for t in 0..29 {
            let r = x * cos[t] + y * sin[t];
            if r < 9.0 {
                expected[(r + 10.0) as usize][t + 1] += 1;
            }
        }
    }
    let arrays = [
        ("xs", Array::host(&xs)),
        ("ys", Array::host(&ys)),
        ("cos", Array::host(&cos)),
        ("sin", Array::host(&sin)),
        ("bins", Array::length(24)),
    ];
    call.run(
        &[n as u64, 29],
        &arrays,
        vec![("bins", Bins::host(&mut found[..]))],
        &[],
    )?;
    same("bins", found.as_flattened(), expected.as_flattened())
}

fn votes_by_angle(call: &Call<'_>, n: usize) -> Result<(), String> {
    let (points, cos, sin) = points(n);
    let (mut found, mut expected) = (vec![[1u64 << 40; 12]; 31], vec![[1u64 << 40; 12]; 31]);
    for p in &points {
        for t in (0..29).filter(|t| t % 7 != 3) {
            let r = p[0] * cos[t] + (p[1] + 1.0) * sin[t];
            expected[t + 2][(r * 0.5 + 5.0) as usize] += t as u64 + 1;
        }
    }
    let arrays = [
        ("points", Array::host(&points)),
        ("cos", Array::host(&cos)),
        ("sin", Array::host(&sin)),
        ("bins", Array::length(31)),
    ];
    call.run(
        &[n as u64],
        &arrays,
        vec![("bins", Bins::host(&mut found[..]))],
        &[],
    )?;
    same("bins", found.as_flattened(), expected.as_flattened())
}

fn pixels(call: &Call<'_>, n: usize) -> Result<(), String> {
    let flat = bytes(3 * n, 1);
    let pixels: Vec<[u8; 3]> = flat
        .chunks_exact(3)
        .map(|p| [p[0], p[1] / 2, p[2] ^ 9])
        .collect();
    let (mut found, mut expected) = (vec![5u32; 768], vec![5u32; 768]);
    for p in &pixels {
        expected[p[0] as usize] += 1;
        expected[256 + p[1] as usize] += 1;
        expected[512 + p[2] as usize] += 1;
    }
    let arrays = [
        ("pixels", Array::host(&pixels)),
        ("bins", Array::length(768)),
    ];
    call.run(
        &[n as u64],
        &arrays,
        vec![("bins", Bins::host(&mut found))],
        &[],
    )?;
    same("bins", &found, &expected)
}

fn joint(call: &Call<'_>, n: usize) -> Result<(), String> {
    let (a, b) = (bytes(n, 2), bytes(n, 3));
    let (mut found, mut expected) = ([[1u64 << 40; 16]; 8], [[1u64 << 40; 16]; 8]);
    for (&x, &y) in a.iter().zip(&b) {
        expected[(x >> 5) as usize][(y >> 4) as usize] += 1;
    }
    let arrays = [
        ("a", Array::host(&a)),
        ("b", Array::host(&b)),
        ("bins", Array::length(8)),
    ];
    call.run(
        &[n as u64],
        &arrays,
        vec![("bins", Bins::host(&mut found[..]))],
        &[],
    )?;
    same("bins", found.as_flattened(), expected.as_flattened())
}

fn several(call: &Call<'_>, n: usize) -> Result<(), String> {
    let keys: Vec<u16> = Distribution::Zipf
        .keys(n, 1000, 4)
        .into_iter()
        .map(|k| (k * 977) as u16)
        .collect();
    let mut random = Random::new(5);
    let weights: Vec<f64> = (0..n).map(|_| random.below(1000) as f64 - 500.0).collect();
    let mut expected = (vec![250u8; 50], vec![0.5f64; 50], vec![-7i16; 50]);
    let mut found = expected.clone();
    for (i, &k) in keys.iter().enumerate() {
        let b = (k % 50) as usize;
        expected.0[b] = expected.0[b].wrapping_add(1);
        expected.1[b] += weights[i];
        expected.2[b] = expected.2[b].max(k as i16);
    }
    let arrays = [
        ("keys", Array::host(&keys)),
        ("weights", Array::host(&weights)),
    ];
    let lengths = ["counts", "sums", "tops"].map(|name| (name, Array::length(50)));
    let arrays: Vec<_> = arrays.into_iter().chain(lengths).collect();
    let bins = vec![
        ("counts", Bins::host(&mut found.0)),
        ("sums", Bins::host(&mut found.1)),
        ("tops", Bins::host(&mut found.2)),
    ];
    call.run(&[n as u64], &arrays, bins, &[])?;
    same("counts", &found.0, &expected.0)?;
    same("sums", &found.1, &expected.1)?;
    same("tops", &found.2, &expected.2)
}

fn reductions(call: &Call<'_>, n: usize) -> Result<(), String> {
    let mut random = Random::new(6);
    let keys: Vec<i32> = (0..n).map(|_| random.next() as i32).collect();
    let mut expected = (vec![0u32; 64], 12345i64, 1000i32);
    let mut found = expected.clone();
    for &k in &keys {
        expected.0[(k & 63) as usize] += 1;
        expected.1 += i64::from(k);
        expected.2 = expected.2.min(k);
    }
    let arrays = [("keys", Array::host(&keys)), ("bins", Array::length(64))];
    let bins = vec![
        ("bins", Bins::host(&mut found.0)),
        ("total", Bins::scalar(&mut found.1)),
        ("low", Bins::scalar(&mut found.2)),
    ];
    call.run(&[n as u64], &arrays, bins, &[])?;
    same("bins", &found.0, &expected.0)?;
    same(
        "total and low",
        &[found.1, found.2.into()],
        &[expected.1, expected.2.into()],
    )
}

fn arithmetic(call: &Call<'_>, n: usize) -> Result<(), String> {
    let mut random = Random::new(7);
    let mut xs: Vec<f32> = (0..n)
        .map(|_| (random.unit() as f32 - 0.5) * 40.0)
        .collect();
    for (x, odd) in xs.iter_mut().zip([
        f32::NAN,
        f32::INFINITY,
        -0.0,
        f32::MIN_POSITIVE / 2.0,
        f32::MAX,
    ]) {
        *x = odd;
    }
    let (mut found, mut expected) = (vec![0u32; 200], vec![0u32; 200]);
    for &x in &xs {
        let t = (x * x + 0.25).sqrt() / 3.0 - x.abs() * 0.125;
        let k = if t < 0.0 {
            0
        } else {
            ((t * 97.0).floor() as usize).min(199)
        };
        expected[k] = expected[k].wrapping_add((t as i32).wrapping_add(3) as u32);
    }
    let arrays = [("xs", Array::host(&xs)), ("bins", Array::length(200))];
    call.run(
        &[n as u64],
        &arrays,
        vec![("bins", Bins::host(&mut found))],
        &[],
    )?;
    same("bins", &found, &expected)
}

fn windows(call: &Call<'_>, n: usize) -> Result<(), String> {
    let data = bytes(n, 8);
    let (mut found, mut expected) = (vec![0u32; 256], vec![0u32; 256]);
    for w in data.windows(5) {
        expected[(w.iter().map(|&x| u32::from(x)).sum::<u32>() / 5) as usize] += 1;
    }
    let arrays = [("data", Array::host(&data)), ("bins", Array::length(256))];
    let counts = [n.saturating_sub(4) as u64];
    call.run(
        &counts,
        &arrays,
        vec![("bins", Bins::host(&mut found))],
        &[],
    )?;
    same("bins", &found, &expected)
}

fn matches(call: &Call<'_>, n: usize) -> Result<(), String> {
    let text: Vec<u8> = bytes(n, 9).into_iter().map(|b| b % 95 + 32).collect();
    let (mut found, mut expected) = (vec![0u64; 27], vec![0u64; 27]);
    for &b in &text {
        match b {
            b' ' => {}
            b'a'..=b'z' => expected[(b - b'a') as usize] += 1,
            b'A'..=b'Z' => expected[(b - b'A') as usize] += 2,
            _ => expected[26] += 1,
        }
    }
    let arrays = [("text", Array::host(&text)), ("bins", Array::length(27))];
    call.run(
        &[n as u64],
        &arrays,
        vec![("bins", Bins::host(&mut found))],
        &[],
    )?;
    same("bins", &found, &expected)
}

fn two_loops(call: &Call<'_>, n: usize) -> Result<(), String> {
    let (width, height) = (n.min(37), n / 37);
    let image = bytes(n, 10);
    let (mut found, mut expected) = (vec![0u32; 256], vec![0u32; 256]);
    for y in 0..height {
        for x in 0..width {
            expected[(image[y * width + x] ^ (x as u8)) as usize] += 1;
        }
    }
    let arrays = [("image", Array::host(&image)), ("bins", Array::length(256))];
    let captured = [("width", width.slot()), ("height", height.slot())];
    let counts = [height as u64, width as u64];
    call.run(
        &counts,
        &arrays,
        vec![("bins", Bins::host(&mut found))],
        &captured,
    )?;
    same("bins", &found, &expected)
}
