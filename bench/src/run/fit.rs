//! `accrue-bench fit`: the constants of the cost model, from a run's figures.

use std::path::PathBuf;

use accrue::__rt::gpu::model::Speeds;
use accrue::__rt::gpu::{keep_speeds, limits_of};
use accrue::Device;
use accrue_ptx::plan::Limits;
use anyhow::{Context, ensure};

use super::gpu::{Model, Report};

/// Which figures, and where those go that the constants rest on.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The JSON of `accrue-bench run --device cuda`.
    figures: PathBuf,
    /// Writes what the model is tested with: cells, samples and times of strategies.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Keeps the constants on this machine for a device, whose figures these are: programs that begin from now on choose by
    /// them there, until accrue's own model changes.
    #[arg(long, value_name = "DEVICE")]
    install: Option<Device>,
}

/// Fits, and prints the choices before and after, and the constants.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let mut report = Report::read(&arguments.figures)?;
    report.keep_strategies();
    let limits = match arguments.install {
        Some(device) => limits_of(device)?,
        None => Limits::H200,
    };
    let model = Model::new(&report, limits)?;
    let tell = |what: &str, speeds: &Speeds| {
        println!(
            "{what}, with a sample of the keys, {}",
            model.score(speeds, true)
        );
        println!("{what}, without, {}", model.score(speeds, false));
    };
    tell("as shipped", &Speeds::H200);
    let speeds = model.fit(&Speeds::H200);
    tell("fitted", &speeds);
    for (name, value) in speeds.constants() {
        println!("    {name}: {value:.4},");
    }
    if let Some(device) = arguments.install {
        ensure!(
            keep_speeds(device, &speeds)?,
            "`{device}` keeps nothing on disk\nhelp: is it a GPU, and ACCRUE_CACHE_DIR a folder that can be written?"
        );
        println!("kept for `{device}`");
    }
    if let Some(path) = &arguments.keep {
        std::fs::write(path, serde_json::to_string(&report)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(true)
}
