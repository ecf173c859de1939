//! Loops that fill no bins: maps, stencils, products and sums, as a user writes them, beside a copy on the device in the same run.

use std::time::Duration;

use accrue::__bench::queue;
use accrue::__rt::gpu::{Array, Bins, first_of, low_bits};
use accrue::{Device, DeviceBuffer, DeviceType, Stream};
use serde::{Deserialize, Serialize};

use super::{copy_bandwidth, timed};
use crate::check::kernel;
use crate::data::Random;
use crate::papers::studies::pipeline;
use crate::run::works::loops;

/// What of a row is compared with its bar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Unit {
    /// Bytes, with those of a copy.
    Bytes,
    /// Operations of floating point.
    Flops,
}

/// A row.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Figure {
    pub(super) work: String,
    /// Median; none with the reason why not.
    pub(super) us: Option<f64>,
    /// Bytes or operations.
    pub(super) amount: f64,
    pub(super) unit: Unit,
    /// What was asked of the result and did not hold, or the reason why there is no time.
    pub(super) note: String,
}

/// What rows are measured with.
pub(super) struct Bench<'a> {
    pub(super) stream: &'a Stream,
    pub(super) samples: usize,
    /// 10^9 bytes a second of a copy.
    copy: f64,
    random: Random,
    figures: Vec<Figure>,
    pub(super) right: bool,
    /// Rows whose names have this in them.
    pub(super) only: &'a str,
}

/// Measures the rows whose names have `only` in them, and prints a line for each; whether every result was right.
pub(super) fn measure(
    stream: &Stream,
    samples: usize,
    seed: u64,
    copy: f64,
    only: &str,
) -> anyhow::Result<(Vec<Figure>, bool)> {
    let mut bench = Bench {
        stream,
        samples,
        copy,
        random: Random::new(seed),
        figures: Vec::new(),
        right: true,
        only,
    };
    // On a GPU as much as no cache holds; the simulator takes a second for what a GPU does in a microsecond.
    let large = matches!(stream.device(), Device::Cuda(_));
    let n = if large { 1 << 27 } else { 1 << 12 };
    let side = if large { 8192 } else { 64 };
    bench.streaming(n)?;
    bench.planes(side, if large { 512 } else { 16 })?;
    bench.products(
        if large { 2048 } else { 24 },
        if large { 16384 } else { 64 },
    )?;
    bench.arithmetic(
        if large { 4096 } else { 32 },
        if large { 65_536 } else { 128 },
    )?;
    bench.sums(n)?;
    bench.scans(if large { 1 << 28 } else { 1 << 14 })?;
    match large {
        true => bench.steps((1920, 1080), 2048, 8192)?,
        false => bench.steps((48, 30), 24, 64)?,
    }
    Ok((bench.figures, bench.right))
}

impl Bench<'_> {
    fn floats(&mut self, n: usize) -> Vec<f32> {
        // Small numbers, so that sums of many stay finite.
        let block: Vec<f32> = (0..n.min(1 << 20))
            .map(|_| self.random.unit() as f32 - 0.5)
            .collect();
        block.iter().copied().cycle().take(n).collect()
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        let block: Vec<u8> = (0..n.min((1 << 20) - 1))
            .map(|_| self.random.below(256) as u8)
            .collect();
        block.iter().copied().cycle().take(n).collect()
    }

    fn upload<T: DeviceType>(&self, of: &[T]) -> anyhow::Result<DeviceBuffer<T>> {
        Ok(DeviceBuffer::from_slice_on(self.stream, of)?)
    }

    /// A row: `cpu` is what the loop does, on `out`, and `gpu` the same on the device.
    fn row<T: DeviceType + PartialEq>(
        &mut self,
        work: &str,
        (amount, unit): (f64, Unit),
        out: &[T],
        cpu: impl FnOnce(&mut [T]),
        mut gpu: impl FnMut(&Stream, &mut DeviceBuffer<T>) -> Result<(), accrue::Error>,
    ) -> anyhow::Result<()> {
        if !work.contains(self.only) {
            return Ok(());
        }
        let mut on_device = self.upload(out)?;
        let once = gpu(self.stream, &mut on_device).and_then(|()| self.stream.sync());
        let (us, note) = match once {
            Err(e) => (None, e.to_string()),
            Ok(()) => {
                let found = on_device.to_vec()?;
                let mut expected = out.to_vec();
                accrue::with_device(Device::Cpu, || cpu(&mut expected));
                let wrong = found.iter().zip(&expected).position(|(f, e)| f != e);
                self.right &= wrong.is_none();
                let stream = self.stream;
                let time = timed(stream, self.samples, Duration::from_millis(100), || {
                    Ok(gpu(stream, &mut on_device)?)
                })?;
                let note = wrong.map_or(String::new(), |at| format!("WRONG at {at}"));
                (Some(time.as_secs_f64() * 1e6), note)
            }
        };
        self.note(work, us, amount, unit, note);
        Ok(())
    }

    pub(super) fn note(
        &mut self,
        work: &str,
        us: Option<f64>,
        amount: f64,
        unit: Unit,
        note: String,
    ) {
        let as_large = match (us, unit) {
            (Some(_), Unit::Bytes) => self.copy_of(amount),
            _ => None,
        };
        let speed = us.map_or(String::new(), |us| match unit {
            Unit::Bytes => {
                let rate = amount / us / 1e3;
                let of = |copy: f64| rate / copy * 100.0;
                let as_large = as_large.map_or(String::new(), |copy| {
                    format!(", {:3.0} % of one as large", of(copy))
                });
                format!(
                    "{rate:6.0} GB/s, {:3.0} % of a copy{as_large}",
                    of(self.copy)
                )
            }
            Unit::Flops => format!("{:6.2} Tflop/s", amount / us / 1e6),
        });
        let time = us.map_or("-".to_owned(), |us| format!("{us:.1}"));
        println!("{work:28} {time:>10} us  {speed} {note}");
        self.figures.push(Figure {
            work: work.to_owned(),
            us,
            amount,
            unit,
            note,
        });
    }

    /// 10^9 bytes a second of a copy that reads and writes so many: a launch takes longer to begin and to end the less it moves.
    fn copy_of(&self, bytes: f64) -> Option<f64> {
        let words = ((bytes / 8.0) as usize).max(1);
        copy_bandwidth(self.stream, self.samples, words).ok()
    }

    fn streaming(&mut self, n: usize) -> anyhow::Result<()> {
        let (x, b) = (self.floats(n), self.floats(n));
        let (on_x, on_b) = (self.upload(&x)?, self.upload(&b)?);
        let out = vec![0.0f32; n];
        let bytes = |each: usize| ((each * n) as f64, Unit::Bytes);
        self.row(
            "copy f32",
            bytes(8),
            &out,
            |o| loops::copy(&x, o),
            |s, o| loops::copy::on_device(s, &on_x, o),
        )?;
        self.row(
            "triad f32",
            bytes(12),
            &out,
            |o| loops::triad(3.0, &x, &b, o),
            |s, o| loops::triad::on_device(s, 3.0, &on_x, &on_b, o),
        )?;
        let indices: Vec<u32> = (0..n as u32).map(|i| i ^ 21).collect();
        let on_indices = self.upload(&indices)?;
        self.row(
            "gather f32",
            bytes(12),
            &out,
            |o| loops::gather(&indices, &x, o),
            |s, o| loops::gather::on_device(s, &on_indices, &on_x, o),
        )?;
        // A call that checks `distinct` is waited for.
        let device = self.stream.device();
        let scatter = |at: &DeviceBuffer<u32>, x: &DeviceBuffer<f32>, o: &mut DeviceBuffer<f32>| {
            accrue::with_device(device, || loops::scatter::on(at, x, o))
        };
        self.row(
            "scatter f32, distinct",
            bytes(12),
            &out,
            |o| loops::scatter(&indices, &x, o),
            |_, o| scatter(&on_indices, &on_x, o),
        )?;
        // Every element of a sixteenth of it, in an order without any.
        let few = n / 16;
        let mut shuffled: Vec<u32> = (0..few as u32).collect();
        for last in (1..few).rev() {
            shuffled.swap(last, self.random.below(last as u64 + 1) as usize);
        }
        let on_shuffled = self.upload(&shuffled)?;
        let x_few = self.upload(&x[..few])?;
        self.row(
            "scatter f32, distinct, random",
            ((12 * few) as f64, Unit::Bytes),
            &out[..few],
            |o| loops::scatter(&shuffled, &x[..few], o),
            |_, o| scatter(&on_shuffled, &x_few, o),
        )?;
        drop((on_x, on_b, on_indices));
        let bytes_in = self.bytes(n);
        let on_bytes = self.upload(&bytes_in)?;
        self.row(
            "u8 -> f32",
            bytes(5),
            &out,
            |o| loops::widen(&bytes_in, o),
            |s, o| loops::widen::on_device(s, &on_bytes, o),
        )?;
        let table: [u8; 256] = std::array::from_fn(|i| (255 - i) as u8);
        let on_table = self.upload(&table)?;
        self.row(
            "look up u8",
            bytes(2),
            &bytes_in,
            |o| loops::look_up(&table, o),
            |s, o| loops::look_up::on_device(s, &on_table, o),
        )?;
        let rgb: Vec<[u8; 3]> = bytes_in.as_chunks().0.to_vec();
        let on_rgb = self.upload(&rgb)?;
        let amount = ((4 * rgb.len()) as f64, Unit::Bytes);
        let grey = vec![0u8; rgb.len()];
        self.row(
            "rgb -> grey",
            amount,
            &grey,
            |o| loops::grey(&rgb, o),
            |s, o| loops::grey::on_device(s, &on_rgb, o),
        )
    }

    fn planes(&mut self, side: usize, edge: usize) -> anyhow::Result<()> {
        let n = side * side;
        let x = self.floats(n);
        let on_x = self.upload(&x)?;
        let out = vec![0.0f32; n];
        let bytes = |each: usize| ((each * n) as f64, Unit::Bytes);
        self.row(
            "transpose f32",
            bytes(8),
            &out,
            |o| loops::transpose(side, side, &x, o),
            |s, o| loops::transpose::on_device(s, side, side, &on_x, o),
        )?;
        self.row(
            "5 points f32",
            bytes(8),
            &out,
            |o| loops::five_points(side, side, &x, o),
            |s, o| loops::five_points::on_device(s, side, side, &on_x, o),
        )?;
        let k: [f32; 49] = std::array::from_fn(|i| 1.0 / (i + 1) as f32);
        let on_k = self.upload(&k)?;
        let flops = ((2 * 49 * n) as f64, Unit::Flops);
        self.row(
            "7 x 7 convolution f32",
            flops,
            &out,
            |o| loops::convolve(side, side, &k, &x, o),
            |s, o| loops::convolve::on_device(s, side, side, &on_k, &on_x, o),
        )?;
        let b = self.bytes(n);
        let on_b = self.upload(&b)?;
        self.row(
            "3 x 3 u8",
            bytes(2),
            &vec![0u8; n],
            |o| loops::nine_bytes(side, side, &b, o),
            |s, o| loops::nine_bytes::on_device(s, side, side, &on_b, o),
        )?;
        self.row(
            "laplacian u8",
            bytes(2),
            &vec![0u8; n],
            |o| pipeline::laplacian(&b, side, side, o),
            |s, o| pipeline::laplacian::on_device(s, &on_b, side, side, o),
        )?;
        let cube = edge * edge * edge;
        let x = self.floats(cube);
        let on_x = self.upload(&x)?;
        let amount = ((8 * cube) as f64, Unit::Bytes);
        self.row(
            "7 points f32",
            amount,
            &vec![0.0f32; cube],
            |o| loops::seven_points(edge, &x, o),
            |s, o| loops::seven_points::on_device(s, edge, &on_x, o),
        )
    }

    fn products(&mut self, n: usize, long: usize) -> anyhow::Result<()> {
        let (a, b) = (self.floats(n * n), self.floats(n * n));
        let (on_a, on_b) = (self.upload(&a)?, self.upload(&b)?);
        let flops = (2.0 * (n as f64).powi(3), Unit::Flops);
        let out = vec![0.0f32; n * n];
        self.row(
            "product f32",
            flops,
            &out,
            |o| loops::product(n, &a, &b, o),
            |s, o| loops::product::on_device(s, n, &on_a, &on_b, o),
        )?;
        // Of several calls it is the sum, so it is the first that is compared.
        self.row(
            "product f32, into c",
            flops,
            &out,
            |o| loops::product_in_place(n, &a, &b, o),
            |s, o| loops::product_in_place::on_device(s, n, &on_a, &on_b, o),
        )?;
        let (a, x) = (self.floats(long * long), self.floats(long));
        let (on_a, on_x) = (self.upload(&a)?, self.upload(&x)?);
        let amount = ((4 * long * long) as f64, Unit::Bytes);
        let out = vec![0.0f32; long];
        self.row(
            "matrix, vector, by rows",
            amount,
            &out,
            |o| loops::by_rows(long, &a, &x, o),
            |s, o| loops::by_rows::on_device(s, long, &on_a, &on_x, o),
        )?;
        self.row(
            "matrix, vector, by columns",
            amount,
            &out,
            |o| loops::by_columns(long, &a, &x, o),
            |s, o| loops::by_columns::on_device(s, long, &on_a, &on_x, o),
        )
    }

    fn arithmetic(&mut self, side: usize, bodies: usize) -> anyhow::Result<()> {
        let out = vec![0u32; side * side];
        // Ten operations a step.
        let mut steps = out.clone();
        if "mandelbrot".contains(self.only) {
            loops::mandelbrot(side, side, &mut steps);
        }
        let amount = steps.iter().map(|n| 10.0 * f64::from(*n)).sum();
        self.row(
            "mandelbrot",
            (amount, Unit::Flops),
            &out,
            |o| loops::mandelbrot(side, side, o),
            |s, o| loops::mandelbrot::on_device(s, side, side, o),
        )?;
        let at: Vec<[f32; 4]> = self.floats(4 * bodies).as_chunks().0.to_vec();
        let on_at = self.upload(&at)?;
        let amount = (20.0 * (bodies as f64).powi(2), Unit::Flops);
        self.row(
            "n-body f32",
            amount,
            &vec![[0.0f32; 3]; bodies],
            |o| loops::bodies(&at, o),
            |s, o| loops::bodies::on_device(s, &on_at, o),
        )
    }

    /// Sums into one scalar, which has no form for data on the device in the companion.
    fn sums(&mut self, n: usize) -> anyhow::Result<()> {
        let floats = self.floats(n);
        let exact: f64 = floats.iter().map(|x| f64::from(*x)).sum();
        let near = 1e-3 * (n as f64).sqrt().max(1.0);
        let on_floats = self.upload(&floats)?;
        self.sum(
            "sum f32",
            "f32",
            "sum += *x;",
            (4 * n) as f64,
            &on_floats,
            |s: f32| (f64::from(s) - exact).abs() < near,
        )?;
        let least = floats.iter().copied().fold(f32::INFINITY, f32::min);
        self.sum(
            "min f32",
            "f32",
            "sum = sum.min(*x);",
            (4 * n) as f64,
            &on_floats,
            |s: f32| s == least,
        )?;
        let at = floats.iter().position(|v| *v == least).unwrap_or(0);
        let greatest = u64::from(f32::MAX.to_bits());
        self.best(
            "argmin f32",
            "f32",
            (4 * n) as f64,
            &on_floats,
            greatest,
            at,
        )?;
        drop(on_floats);
        let doubles: Vec<f64> = floats[..n / 2].iter().map(|x| f64::from(*x)).collect();
        let exact: f64 = doubles.iter().sum();
        let on_doubles = self.upload(&doubles)?;
        self.sum(
            "sum f64",
            "f64",
            "sum += *x;",
            (4 * n) as f64,
            &on_doubles,
            |s: f64| (s - exact).abs() < 1e-6 * near,
        )?;
        let least = doubles.iter().copied().fold(f64::INFINITY, f64::min);
        let at = doubles.iter().position(|v| *v == least).unwrap_or(0);
        let greatest = f64::MAX.to_bits();
        self.best(
            "argmin f64",
            "f64",
            (4 * n) as f64,
            &on_doubles,
            greatest,
            at,
        )?;
        drop(on_doubles);
        let words: Vec<u32> = (0..n as u32).collect();
        let exact = words.iter().fold(0u32, |s, x| s.wrapping_add(*x));
        let on_words = self.upload(&words)?;
        self.sum(
            "sum u32",
            "u32",
            "sum = sum.wrapping_add(*x);",
            (4 * n) as f64,
            &on_words,
            |s: u32| s == exact,
        )?;
        let greatest = u64::from(u32::MAX);
        self.best("argmin u32", "u32", (4 * n) as f64, &on_words, greatest, 0)?;
        drop(on_words);
        let bytes = self.bytes(4 * n);
        let exact = bytes.iter().map(|x| u64::from(*x)).sum::<u64>();
        let on_bytes = self.upload(&bytes)?;
        self.sum(
            "sum u8",
            "u8",
            "sum += *x as u64;",
            (4 * n) as f64,
            &on_bytes,
            |s: u64| s == exact,
        )?;
        let least = bytes.iter().min().copied().unwrap_or_default();
        let at = bytes.iter().position(|b| *b == least).unwrap_or(0);
        self.best(
            "argmin u8",
            "u8",
            (4 * n) as f64,
            &on_bytes,
            u64::from(u8::MAX),
            at,
        )
    }

    /// The position of the first of the least, of what is less than `greatest`, as bits. Items of 64 bits take two launches where one does not tell.
    fn best<T: DeviceType>(
        &mut self,
        work: &str,
        elem: &str,
        amount: f64,
        of: &DeviceBuffer<T>,
        greatest: u64,
        at: usize,
    ) -> anyhow::Result<()> {
        if !work.contains(self.only) {
            return Ok(());
        }
        let text = format!(
            "fn f(xs: &[{elem}], mut best: {elem}) -> usize {{ let mut at = 0; for i in 0..xs.len() {{ if xs[i] < best {{ best = xs[i]; at = i; }} }} at }}"
        );
        let compiled = kernel::compile_any(&text)?;
        let the_loop = compiled.the_loop("");
        let arrays = [Array::device(of.as_slice())];
        let stream = self.stream;
        let counts = [of.len() as u64];
        let begin = || DeviceBuffer::from_slice_on(stream, &[u64::MAX]);
        let is_wide = compiled.captures.len() > 1;
        let mut results = [begin()?, begin()?, begin()?];
        let call = |results: &mut [DeviceBuffer<u64>], captured: &[u64]| {
            let bins = results.iter_mut();
            let mut bins: Vec<Bins<'_>> = bins.map(|b| Bins::device(b.as_slice_mut())).collect();
            queue(&the_loop, stream, &counts, &arrays, &mut bins, captured)
        };
        // The least order, whether it is known, the bits of positions, and what floats are compared with: integers are compared with each other alone.
        let low = low_bits(counts[0]);
        let known = [0, 0, low, greatest];
        let captured = match compiled.captures.len() {
            4 => &known[..],
            3 => &known[..3],
            1 => &known[3..],
            _ => &[],
        };
        let mut captured = vec![captured.to_vec()];
        let all = if is_wide { results.len() } else { 1 };
        let results = &mut results[..all];
        call(results, &captured[0])?;
        let found: Vec<u64> = results
            .iter()
            .map(|result| Ok(result.to_vec()?[0]))
            .collect::<anyhow::Result<_>>()?;
        let position = match *found {
            [order, first, greatest] => match first_of([([order, first, greatest], false)], low) {
                Some([(position, _)]) => position,
                None => {
                    let mut again = captured[0].clone();
                    again[..2].copy_from_slice(&[order, 1]);
                    for result in results.iter_mut() {
                        *result = begin()?;
                    }
                    call(results, &again)?;
                    captured.push(again);
                    results[0].to_vec()?[0]
                }
            },
            _ => found[0] & u64::from(u32::MAX),
        };
        let right = position == at as u64;
        self.right &= right;
        let time = timed(stream, self.samples, Duration::from_millis(100), || {
            captured
                .iter()
                .try_for_each(|captured| call(results, captured))?;
            Ok(())
        })?;
        let note = match (right, captured.len()) {
            (false, _) => "WRONG",
            (true, 1) => "",
            (true, _) => "two launches",
        };
        let us = time.as_secs_f64() * 1e6;
        self.note(work, Some(us), amount, Unit::Bytes, note.to_owned());
        Ok(())
    }

    fn sum<T: DeviceType, S: DeviceType>(
        &mut self,
        work: &str,
        elem: &str,
        update: &str,
        amount: f64,
        of: &DeviceBuffer<T>,
        is_right: impl FnOnce(S) -> bool,
    ) -> anyhow::Result<()> {
        if !work.contains(self.only) {
            return Ok(());
        }
        let sum = match update.contains("u64") {
            true => "u64",
            false => elem,
        };
        let text = format!(
            "fn f(xs: &[{elem}], mut sum: {sum}) -> {sum} {{ for x in xs {{ {update} }} sum }}"
        );
        let compiled = kernel::compile(&text, &[])?;
        let the_loop = compiled.the_loop("");
        let arrays = [Array::device(of.as_slice())];
        let stream = self.stream;
        let mut result = DeviceBuffer::<S>::zeroed_on(stream, 1)?;
        let counts = [of.len() as u64];
        let call = |result: &mut DeviceBuffer<S>| {
            let bins = &mut [Bins::device(result.as_slice_mut())];
            queue(&the_loop, stream, &counts, &arrays, bins, &[])
        };
        call(&mut result)?;
        let found = result.to_vec()?;
        let right = is_right(found[0]);
        self.right &= right;
        let time = timed(stream, self.samples, Duration::from_millis(100), || {
            Ok(call(&mut result)?)
        })?;
        let note = if right { "" } else { "WRONG" };
        let us = time.as_secs_f64() * 1e6;
        self.note(work, Some(us), amount, Unit::Bytes, note.to_owned());
        Ok(())
    }
}
