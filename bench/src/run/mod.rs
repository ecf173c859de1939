//! `accrue-bench run`: how fast loops are.

mod cpu;
mod gpu;
mod host;
mod loops;
mod peers;
mod report;

use std::path::PathBuf;

use accrue::Device;
use anyhow::{Context, bail, ensure};

/// What to measure, and where the figures go.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The device: `cpu`, `cuda`, `cuda:N` or `sim`.
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Items of each loop: 2^26 on the CPU and 2^28 on a GPU, unless said.
    #[arg(long)]
    items: Option<usize>,
    /// Runs of each loop; their median is shown.
    #[arg(long, default_value_t = 7)]
    samples: usize,
    /// Only rows whose name has this text in it.
    #[arg(long, default_value = "")]
    only: String,
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
            let report = cpu::measure(items, samples, &arguments.only)?;
            (serde_json::to_string_pretty(&report)?, true)
        }
        Device::Cuda(_) | Device::Sim => {
            let items = arguments.items.unwrap_or(1 << 28);
            let seed = arguments.seed.unwrap_or_else(clock);
            let peers = arguments.peers.as_deref();
            let (report, right) =
                gpu::measure(device, items, samples, &arguments.only, seed, peers)?;
            (serde_json::to_string_pretty(&report)?, right)
        }
        other => bail!(
            "`{other}` is not a device that `run` measures\nhelp: `--device cpu` or `--device cuda`"
        ),
    };
    if let Some(path) = &arguments.json {
        std::fs::write(path, report).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(right)
}

/// A seed that no earlier run had.
fn clock() -> u64 {
    std::time::UNIX_EPOCH
        .elapsed()
        .map_or(0, |since| since.as_nanos() as u64)
}
