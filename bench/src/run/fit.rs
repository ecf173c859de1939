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
    let path = &arguments.figures;
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut report: Report =
        serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
    report.keep_strategies();
    let model = Model::new(&report, Limits::H200)?;
    println!("as shipped, {}", model.score(&Speeds::H200));
    let speeds = model.fit(&Speeds::H200);
    println!("fitted, {}", model.score(&speeds));
    for (name, value) in speeds.constants() {
        println!("    {name}: {value:.4},");
    }
    if let Some(path) = &arguments.keep {
        std::fs::write(path, serde_json::to_string(&report)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(true)
}
