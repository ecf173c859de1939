//! Histograms as people fill them in Rust and in Python, beside offloaded loops: `cargo run --release -- --python python3`, with NumPy,
//! boost-histogram and LightGBM for that Python. The README beside `Cargo.toml` says what the rows are.
//!
//! The forms of a row take turns, run for run, on the same data, and medians are shown. What they count is compared, to one item in 100,000 where bins
//! have edges that each rounds in its own way.

mod loops;
mod python;
mod rows;

use std::time::Instant;

use accrue::{Device, with_device};
use anyhow::ensure;
use clap::Parser;

use python::Python;

/// Histograms as people fill them in Rust and in Python, beside offloaded loops
#[derive(Parser)]
struct Options {
    /// A Python with NumPy, boost-histogram and LightGBM; without, only what is written in Rust is measured
    #[arg(long)]
    python: Option<String>,
    /// Runs of each form; their median is shown
    #[arg(long, default_value_t = 9)]
    samples: usize,
    /// Only rows whose name has this text in it
    #[arg(long, default_value = "")]
    only: String,
}

/// Runs before those that count: a loop's first calls meet cold memory, and try both ways.
const WARM: usize = 3;

/// What `form` does in a turn: it runs three times, and the third run counts. The threads of the form before look for more work for milliseconds
/// (OpenMP's do), those of this one have yet to wake up, each on a core of its own, and accrue tries other ways now and then.
fn turn<T>(mut form: impl FnMut() -> T) -> T {
    form();
    form();
    form()
}

/// What all rows need.
struct Bench {
    samples: usize,
    only: String,
    python: Option<Python>,
    /// One worker, for what the loop itself is worth.
    alone: rayon::ThreadPool,
    /// Rows behind their peer.
    behind: Vec<String>,
}

/// What a form did in one run: microseconds, and its bins as numbers, empty where they are not compared.
type Run = (f64, Vec<f64>);

/// A run of something written in Rust.
fn timed<B>(work: impl FnOnce() -> B, bins: impl FnOnce(B) -> Vec<f64>) -> Run {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64() * 1e6, bins(result))
}

/// The time in the middle.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

impl Bench {
    fn wants(&self, row: &str) -> bool {
        row.contains(&self.only)
    }

    /// A row: `peer` and `accrue` in turns. `shares` is how many updates a run of the peer has for each of accrue's.
    fn row(
        &mut self,
        name: &str,
        mut peer: impl FnMut(Option<&mut Python>) -> anyhow::Result<Run>,
        mut accrue: impl FnMut() -> Run + Send,
    ) -> anyhow::Result<()> {
        let mut times = [const { Vec::new() }; 3];
        for run in 0..WARM + self.samples {
            let (us, expected) = match turn(|| peer(self.python.as_mut())) {
                Ok(run) => run,
                Err(why) => {
                    println!("{name:64} {why}");
                    return Ok(());
                }
            };
            let all = turn(|| with_device(Device::Cpu, &mut accrue));
            let alone = self.alone.install(|| turn(|| with_device(Device::Cpu, &mut accrue)));
            let total: f64 = expected.iter().sum();
            for (_, found) in [&all, &alone] {
                let pairs = expected.iter().zip(found);
                let differ: f64 = pairs.map(|(a, b)| (a - b).abs()).sum();
                let like = expected.is_empty() || expected.len() == found.len();
                ensure!(
                    like && differ <= 1e-5 * total,
                    "{name}: {differ} of {total} items lie in other bins"
                );
            }
            if run >= WARM {
                for (times, us) in times.iter_mut().zip([us, all.0, alone.0]) {
                    times.push(us);
                }
            }
        }
        let [peer, all, alone] = times.each_mut().map(|t| median(t));
        println!(
            "{name:64} {:>10.2} {:>10.2} {:>7.2} {:>10.2} {:>7.2}",
            peer / 1e3,
            all / 1e3,
            peer / all,
            alone / 1e3,
            peer / alone
        );
        if all > peer {
            self.behind.push(name.to_owned());
        }
        Ok(())
    }
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let python = options.python.as_deref().map(Python::start).transpose()?;
    let mut bench = Bench {
        samples: options.samples.max(1),
        only: options.only,
        python,
        alone: rayon::ThreadPoolBuilder::new().num_threads(1).build()?,
        behind: Vec::new(),
    };
    println!(
        "{} threads; milliseconds of a run, medians of {}",
        rayon::current_num_threads(),
        bench.samples
    );
    println!(
        "{:64} {:>10} {:>10} {:>7} {:>10} {:>7}",
        "row", "peer", "accrue", "times", "one core", "times"
    );
    rows::all(&mut bench)?;
    match &bench.behind[..] {
        [] => println!("ahead in every row"),
        rows => println!("behind in: {}", rows.join("; ")),
    }
    Ok(())
}
