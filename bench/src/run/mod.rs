//! `accrue-bench run`: how fast loops are.

pub(crate) mod calls;
mod cpu;
pub(crate) mod devices;
pub(crate) mod fit;
mod forms;
pub(crate) mod gpu;
mod host;
pub(crate) mod loops;
mod peers;
#[cfg(feature = "plot")]
pub(crate) mod plot;
pub(crate) mod products;
mod report;
pub(crate) mod stream;
pub(crate) mod works;

pub(crate) use self::gpu::bars;

use std::path::PathBuf;
use std::time::Duration;

use accrue::Device;
use anyhow::{Context, bail, ensure};

/// What to measure, and where the figures go.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The device: `cpu`, `cuda`, `cuda:N` or `sim`.
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Items of each loop on the CPU: 2^26, unless said.
    #[arg(long)]
    items: Option<usize>,
    /// Runs of each loop; their median is shown.
    #[arg(long, default_value_t = 7)]
    samples: usize,
    /// On the CPU, only rows whose name has this text in it, bins included: `weigh f64 256`.
    #[arg(long, default_value = "")]
    only: String,
    /// On a GPU, only these cells: parts of names separated by `/`, several separated by commas, as
    /// `u32/65536,u8/zipf/2^28`; or `pixels`, `hough` or `maps` alone, `maps/sum` for some of those. Without, the part of the grid that stands for all of it.
    /// On the CPU, `works` are loops of every kind beside OpenMP, `works/sum` some of them.
    #[arg(long, default_value = "")]
    cells: String,
    /// On a GPU, begins no cell after so many seconds.
    #[arg(long, default_value_t = 460)]
    seconds: u64,
    /// What the keys are drawn from; by default another each time, on a GPU.
    #[arg(long)]
    seed: Option<u64>,
    /// A folder with the peers of `bench/peers`, built.
    #[arg(long)]
    peers: Option<PathBuf>,
    /// Writes the figures to a file, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Measures. The answer is whether every result was right.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let samples = arguments.samples;
    ensure!(
        arguments.items != Some(0),
        "there must be at least one item"
    );
    ensure!(samples > 0, "there must be at least one sample");
    let device: Device = arguments.device.parse()?;
    let (report, right) = match device {
        Device::Cpu => {
            let items = arguments.items.unwrap_or(1 << 26);
            let peers = arguments.peers.as_deref();
            if let Some(only) = arguments.cells.strip_prefix("works") {
                let report = works::measure(samples, only.trim_start_matches('/'), peers)?;
                let right = report.right;
                return write(arguments, &serde_json::to_string_pretty(&report)?).map(|()| right);
            }
            ensure!(
                arguments.cells.is_empty(),
                "on the CPU, `--cells` takes `works` alone"
            );
            let report = cpu::measure(items, samples, &arguments.only, peers)?;
            (serde_json::to_string_pretty(&report)?, true)
        }
        Device::Cuda(_) | Device::Sim => {
            let (report, right) = gpu::measure(&gpu::Plan {
                device,
                samples,
                cells: &arguments.cells,
                seed: arguments.seed.unwrap_or_else(clock),
                peers: arguments.peers.as_deref(),
                limit: Duration::from_secs(arguments.seconds),
            })?;
            (serde_json::to_string_pretty(&report)?, right)
        }
        other => bail!(
            "`{other}` is not a device that `run` measures\nhelp: `--device cpu` or `--device cuda`"
        ),
    };
    write(arguments, &report)?;
    Ok(right)
}

/// Writes figures where they are to go.
fn write(arguments: &Arguments, figures: &str) -> anyhow::Result<()> {
    match &arguments.json {
        Some(path) => std::fs::write(path, figures)
            .with_context(|| format!("cannot write {}", path.display())),
        None => Ok(()),
    }
}

/// A seed that no earlier run had.
fn clock() -> u64 {
    std::time::UNIX_EPOCH
        .elapsed()
        .map_or(0, |since| since.as_nanos() as u64)
}
