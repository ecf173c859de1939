//! `accrue-bench products`: products of square matrices by one triple loop, in blocks of every cut that is asked for, with products rounded and fused;
//! rows of each are compared with the loop in order, bit for bit.

use std::time::Duration;

use accrue::__bench::queue;
use accrue::__rt::gpu::Array;
use accrue::{Device, DeviceBuffer, DeviceType, Exclusive, Stream};
use serde::Serialize;

use super::gpu::timed;
use crate::check::kernel;
use crate::data::Random;

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The device: `cuda`, `cuda:N` or `sim`.
    #[arg(long, default_value = "sim")]
    device: Device,
    /// Rows and columns of the matrices.
    #[arg(long, value_delimiter = ',', default_values_t = [70])]
    sizes: Vec<usize>,
    /// The types of their elements: `f32`, `f64`.
    #[arg(long, value_delimiter = ',', default_values_t = ["f32".to_owned(), "f64".to_owned()])]
    types: Vec<String>,
    /// A strategy with its parameters, `contract:tile=64x128x16,per_thread=8x4`; may be given several times. Without any, what is chosen.
    #[arg(long = "cut")]
    cuts: Vec<String>,
    /// Products that are fused with their sums: `no`, `yes` or `both`.
    #[arg(long, default_value = "both")]
    fused: String,
    /// Runs of each, at most; their median is shown.
    #[arg(long, default_value_t = 7)]
    samples: usize,
    /// What the runs of each may take together, in milliseconds.
    #[arg(long, default_value_t = 60)]
    patience: u64,
    /// A file for the figures, as JSON.
    #[arg(long)]
    json: Option<std::path::PathBuf>,
}

/// A product, measured.
#[derive(Debug, Serialize)]
struct Figure {
    n: usize,
    ty: &'static str,
    fused: bool,
    cut: String,
    /// What ran.
    ran: String,
    us: f64,
    tflops: f64,
    wrong: bool,
}

/// A float, with what its sums are made by.
trait Real: DeviceType + Default + PartialEq {
    const NAME: &'static str;
    fn of(unit: f64) -> Self;
    /// `sum + x * y`, rounded twice or once.
    fn sum(self, x: Self, y: Self, fused: bool) -> Self;
}

macro_rules! real {
    ($($ty:ident)*) => {
        $(impl Real for $ty {
            const NAME: &'static str = stringify!($ty);
            fn of(unit: f64) -> $ty {
                (2.0 * unit - 1.0) as $ty
            }
            fn sum(self, x: $ty, y: $ty, fused: bool) -> $ty {
                match fused {
                    true => x.mul_add(y, self),
                    false => self + x * y,
                }
            }
        })*
    };
}

real! { f32 f64 }

/// Measures. The answer is whether every result was right.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let stream = Stream::on(arguments.device)?;
    let mut all = Vec::new();
    for &n in &arguments.sizes {
        for ty in &arguments.types {
            match ty.as_str() {
                "f32" => products::<f32>(&stream, n, arguments, &mut all)?,
                "f64" => products::<f64>(&stream, n, arguments, &mut all)?,
                other => anyhow::bail!("`{other}` is not a type of elements, those are f32, f64"),
            }
        }
    }
    if let Some(path) = &arguments.json {
        std::fs::write(path, serde_json::to_string_pretty(&all)?)?;
    }
    Ok(all.iter().all(|figure| !figure.wrong))
}

fn products<T: Real>(
    stream: &Stream,
    n: usize,
    arguments: &Arguments,
    all: &mut Vec<Figure>,
) -> anyhow::Result<()> {
    let ty = T::NAME;
    let mut random = Random::new(n as u64);
    let mut matrix = || -> Vec<T> { (0..n * n).map(|_| T::of(random.unit())).collect() };
    let (a, b) = (matrix(), matrix());
    let (on_a, on_b) = (
        DeviceBuffer::from_slice_on(stream, &a)?,
        DeviceBuffer::from_slice_on(stream, &b)?,
    );
    let text = format!(
        "fn product(n: usize, a: &[{ty}], b: &[{ty}], c: &mut [{ty}]) {{ for i in 0..n {{ for j in 0..n {{ \
         let mut sum = 0.0; for k in 0..n {{ sum += a[i * n + k] * b[k * n + j]; }} c[i * n + j] = sum; }} }} }}"
    );
    let auto = [String::new()];
    let cuts = if arguments.cuts.is_empty() {
        &auto[..]
    } else {
        &arguments.cuts
    };
    let ways: &[bool] = match arguments.fused.as_str() {
        "no" => &[false],
        "yes" => &[true],
        _ => &[false, true],
    };
    for &fused in ways {
        let rows = rows(n, &a, &b, fused);
        for cut in cuts {
            let mut attribute = Vec::new();
            attribute.extend(fused.then(|| "contract".to_owned()));
            attribute.extend((!cut.is_empty()).then(|| format!("strategy = {cut:?}")));
            let compiled = kernel::compile_with(&attribute.join(", "), &text)?;
            let the_loop = compiled.the_loop(cut);
            let captured = vec![n as u64; compiled.captures.len()];
            let mut c = DeviceBuffer::<T>::zeroed_on(stream, n * n)?;
            let call = |c: &mut DeviceBuffer<T>| {
                let mut c = Exclusive::from(c);
                let arrays = [
                    Array::device(on_a.as_slice()),
                    Array::device(on_b.as_slice()),
                    Array::exclusive(&mut c),
                ];
                let counts = [n as u64, n as u64];
                queue(&the_loop, stream, &counts, &arrays, &mut [], &captured)
            };
            let title = format!("{n:>6} {ty} {:<8}", if fused { "fused" } else { "rounded" });
            if let Err(e) = call(&mut c).and_then(|()| stream.sync()) {
                println!(
                    "{title} {cut}: {}",
                    e.to_string().lines().next().unwrap_or("")
                );
                continue;
            }
            let found = c.to_vec()?;
            let wrong = rows
                .iter()
                .any(|(i, row)| found[i * n..(i + 1) * n] != row[..]);
            let patience = Duration::from_millis(arguments.patience);
            let time = timed(stream, arguments.samples, patience, || Ok(call(&mut c)?))?;
            let us = time.as_secs_f64() * 1e6;
            let tflops = 2.0 * (n as f64).powi(3) / us / 1e6;
            let ran = the_loop.last_run().map(|run| {
                let abi = &compiled.modules()[run.module].abi;
                let cut = abi.cut.map_or(String::new(), |cut| format!(":{cut}"));
                format!("{}{cut}, {} gangs", abi.strategy.name(), run.plan.grid)
            });
            let ran = ran.unwrap_or_default();
            let wrong_text = if wrong { "WRONG " } else { "" };
            println!("{title} {us:>10.1} us {tflops:>7.2} Tflop/s  {wrong_text}{ran}");
            all.push(Figure {
                n,
                ty,
                fused,
                cut: cut.clone(),
                ran,
                us,
                tflops,
                wrong,
            });
        }
    }
    Ok(())
}

/// Some rows of the product, in the loop's order: all of a small one.
fn rows<T: Real>(n: usize, a: &[T], b: &[T], fused: bool) -> Vec<(usize, Vec<T>)> {
    const ALL: usize = 150;
    const SOME: usize = 7;
    let row = |i: usize| {
        let mut sums = vec![T::default(); n];
        for k in 0..n {
            for (sum, y) in sums.iter_mut().zip(&b[k * n..(k + 1) * n]) {
                *sum = sum.sum(a[i * n + k], *y, fused);
            }
        }
        (i, sums)
    };
    match n <= ALL {
        true => (0..n).map(row).collect(),
        false => (0..SOME).map(|r| row(r * (n - 1) / (SOME - 1))).collect(),
    }
}
