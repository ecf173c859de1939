//! `accrue-bench fit`: the constants of the cost model, from a run's figures.

use std::path::PathBuf;

use accrue::__bench::{keep_speeds, limits_of};
use accrue::Device;
use accrue_ptx::cost::Speeds;
use accrue_ptx::plan::Limits;
use anyhow::{Context, bail, ensure};

use super::gpu::{Model, Report};

/// Which figures, and where those go that the constants rest on.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The JSON of `accrue-bench run --device cuda`. Of several, all cells count: what is drawn from another seed falls on
    /// other banks of shared memory and other parts of the cache.
    #[arg(required = true)]
    figures: Vec<PathBuf>,
    /// Writes what the model is tested with: cells, samples and times of strategies.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Writes the constants into the table of accrue's sources, `ptx-kernels/src/cost/speeds.rs`.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Keeps the constants on this machine for a device, whose figures these are: programs that begin from now on choose by
    /// them there, until accrue's own model changes.
    #[arg(long, value_name = "DEVICE")]
    install: Option<Device>,
}

/// Fits, and prints the choices before and after, and the constants.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let mut reports = arguments.figures.iter().map(|path| Report::read(path));
    let first = reports.next().context("no figures")??;
    let mut report = reports.try_fold(first, |all, one| one.map(|one| all.with(one)))?;
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
    let mut speeds = model.fit(&Speeds::H200);
    for value in speeds.constants_mut() {
        *value = rounded(*value);
    }
    tell("fitted", &speeds);
    for (name, value) in speeds.constants() {
        println!("    {name}: {value:?},");
    }
    if let Some(path) = &arguments.write {
        let table = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let table = with_constants(&table, &speeds.constants())
            .with_context(|| format!("in {}", path.display()))?;
        std::fs::write(path, table).with_context(|| format!("cannot write {}", path.display()))?;
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

/// Four digits of a number: more say nothing about a device.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// The table of constants, each a line `name: value,`, with other values.
fn with_constants(table: &str, constants: &[(&str, f64)]) -> anyhow::Result<String> {
    let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
    for (name, value) in constants {
        let start = format!("    {name}: ");
        let line = lines.iter_mut().find(|line| {
            let rest = line.strip_prefix(&start).and_then(|l| l.strip_suffix(','));
            rest.is_some_and(|value| value.replace('_', "").parse::<f64>().is_ok())
        });
        match line {
            Some(line) => *line = format!("{start}{},", literal(*value)),
            None => bail!("there is no constant `{name}`"),
        }
    }
    Ok(lines.join("\n") + "\n")
}

/// A number as the sources have it: a point, and an underscore for each thousand of a long one.
fn literal(value: f64) -> String {
    let text = format!("{value:?}");
    match text.split_once('.') {
        Some((whole, part)) if whole.len() > 4 && whole.bytes().all(|b| b.is_ascii_digit()) => {
            let digits = whole.as_bytes().rchunks(3).rev();
            let thousands: Vec<_> = digits.map(String::from_utf8_lossy).collect();
            format!("{}.{part}", thousands.join("_"))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_written_where_they_stand() {
        let table = "speeds! {\n    /// One: 1.0,\n    one_ps: 1.5,\n    many: 148_000.0,\n}\n    one_ps: speeds.one_ps,\n";
        let written = with_constants(table, &[("one_ps", rounded(0.012_345_6)), ("many", 1.25e6)]);
        let expected = "speeds! {\n    /// One: 1.0,\n    one_ps: 0.01235,\n    many: 1_250_000.0,\n}\n    one_ps: speeds.one_ps,\n";
        assert_eq!(written.unwrap(), expected);
        assert!(with_constants(table, &[("two_ps", 1.0)]).is_err());
        assert_eq!(literal(999.0), "999.0");
    }

    /// What `--write` reads is the table as it is.
    #[test]
    fn every_constant_has_its_line_in_the_sources() {
        let table = include_str!("../../../ptx-kernels/src/cost/speeds.rs");
        let constants = Speeds::H200.constants();
        assert_eq!(with_constants(table, &constants).unwrap(), table);
    }
}
