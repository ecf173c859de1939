//! `accrue-bench check`: every kernel against the sequential loop.
//!
//! - `matrix`: `bins[k] = bins[k] op v` for every strategy, operator and bin type, over distributions of keys, numbers of
//!   items and numbers of bins, with the strategies' parameters; from host memory and from device memory at an odd
//!   element.
//! - `counts`: `bins[k] += 1` for every type of key.
//! - `faults`: a bin out of range at every strategy: the exact error, the bins as before, the next call right.
//! - `forms`: loops of other shapes (pixels, joint bins, several targets, reductions, arithmetic).
//!
//! Results must be equal: the values are drawn so that sums of floats are exact. Bins without an update keep their bits.

mod counts;
mod faults;
mod forms;
pub(crate) mod kernel;
mod matrix;
mod report;
mod value;

use std::time::Instant;

use accrue::{Device, devices};
use anyhow::bail;

use self::report::Report;

/// What `check` is asked for.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The device: `cuda`, `cuda:N` or `sim`. By default the first GPU, or the simulator where there is none.
    #[arg(long)]
    device: Option<Device>,
    /// Fewer distributions, sizes and parameters.
    #[arg(long)]
    quick: bool,
}

/// What every part checks on.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The device.
    pub(crate) device: Device,
    /// Whether it is a GPU, for which large sizes take no time.
    pub(crate) fast: bool,
    /// Whether to do less.
    pub(crate) quick: bool,
}

impl Settings {
    /// Numbers of items, with every distribution and number of bins.
    pub(crate) fn sizes(&self) -> &'static [usize] {
        match (self.fast, self.quick) {
            (true, false) => &[0, 1, 33, 1000, 100_003],
            (true, true) => &[33, 100_003],
            (false, false) => &[0, 1, 33, 1500],
            (false, true) => &[33, 700],
        }
    }

    /// A number of items for which every thread of a GPU takes several trips through its loop; for one distribution and
    /// many bins, since equal bins make a loop of compare-and-swap take seconds then.
    pub(crate) fn large(&self) -> Option<usize> {
        self.fast.then_some(5_000_011)
    }

    /// All numbers of items, the large one last.
    pub(crate) fn all_sizes(&self) -> impl Iterator<Item = usize> + use<> {
        self.sizes().iter().copied().chain(self.large())
    }
}

/// A part of the check: its title and what runs it.
type Part = (&'static str, fn(&Settings) -> Report);

const PARTS: [Part; 4] = [
    ("update", matrix::check),
    ("count", counts::check),
    ("fault", faults::check),
    ("form", forms::check),
];

/// Runs the check and prints its tables; whether everything was right.
///
/// # Errors
///
/// The device is not there or not one that runs kernels.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let here = devices();
    let first = |gpu: fn(&Device) -> bool| here.iter().find(|d| gpu(&d.device)).map(|d| d.device);
    let device = match arguments.device {
        Some(Device::Cpu | Device::Seq | Device::Auto) => {
            bail!("kernels run on `cuda`, `cuda:N` or `sim`")
        }
        Some(device) => device,
        None => first(|d| matches!(d, Device::Cuda(_))).unwrap_or(Device::Sim),
    };
    // Opening it tells best what is wrong with it.
    accrue::Stream::on(device)?;
    let settings = Settings {
        device,
        fast: matches!(device, Device::Cuda(_)),
        quick: arguments.quick,
    };
    match here.iter().find(|d| d.device == device) {
        Some(info) => println!("accrue {} on {info}\n", env!("CARGO_PKG_VERSION")),
        None => println!("accrue {} on {device}\n", env!("CARGO_PKG_VERSION")),
    }
    let start = Instant::now();
    let (mut passed, mut failed) = (0, 0);
    for (title, check) in PARTS {
        let report = check(&settings);
        report.print(title);
        let (p, f) = report.totals();
        passed += p;
        failed += f;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{passed} calls as the sequential loop, {failed} not, in {seconds:.1} s");
    Ok(failed == 0)
}
