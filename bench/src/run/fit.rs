//! `accrue-bench fit`: the constants of the cost model, from a run's figures.

use std::path::PathBuf;

use accrue::__rt::gpu::model::Speeds;
use accrue_ptx::plan::Limits;
use anyhow::Context;

use super::gpu::{Model, Report};

/// Which figures, and where those go that the constants rest on.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The JSON of `accrue-bench run --device cuda`.
    figures: PathBuf,
    /// Writes what the model is tested with: cells, samples and times of strategies.
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// Fits, and prints the choices before and after, and the constants.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let mut report = Report::read(&arguments.figures)?;
    report.keep_strategies();
    let model = Model::new(&report, Limits::H200)?;
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
    if let Some(path) = &arguments.keep {
        std::fs::write(path, serde_json::to_string(&report)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(true)
}
