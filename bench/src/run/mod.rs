//! `accrue-bench run`: how fast loops are.

mod cpu;
mod loops;
mod report;

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

/// What to measure, and where the figures go.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The device: `cpu`.
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Items of each loop.
    #[arg(long, default_value_t = 1 << 26)]
    items: usize,
    /// Runs of each loop; their median is shown.
    #[arg(long, default_value_t = 7)]
    samples: usize,
    /// Only rows whose name has this text in it.
    #[arg(long, default_value = "")]
    only: String,
    /// Writes the figures to a file, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Measures. The answer is whether every result was right.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    ensure!(arguments.items > 0, "there must be at least one item");
    ensure!(arguments.samples > 0, "there must be at least one sample");
    let report = match arguments.device.as_str() {
        "cpu" => cpu::measure(arguments.items, arguments.samples, &arguments.only)?,
        other => bail!("`{other}` is not a device that `run` measures\nhelp: `--device cpu`"),
    };
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&report)?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(true)
}
