//! The arguments of `acc2rs analyze`, and the run over all files.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::report::Report;
use super::{find, html, link, text};
use crate::cli::Shared;
use crate::frontend::STACK;

/// How the report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// For a terminal
    #[default]
    Text,
    /// For programs; the schema is that of `acc2rs::analyze::report`
    Json,
    /// One page with the annotated source
    Html,
}

/// The arguments of `acc2rs analyze`.
#[derive(Args, Debug)]
pub struct Analyze {
    /// C files, folders to search for them, or a `compile_commands.json`
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the report to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

/// A progress bar is for runs over at least so many files; fewer are done before one can read it.
const LONG: usize = 8;

/// Runs the command: 0 if nothing is refused, 1 if something is, 2 if the paths are wrong.
pub fn run(args: &Analyze) -> ExitCode {
    let inputs = match find::inputs(&args.paths, &args.shared.preprocessor()) {
        Ok(inputs) if inputs.is_empty() => {
            eprintln!("error: there is no `*.c` file in what was given");
            return ExitCode::from(2);
        }
        Ok(inputs) => inputs,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    // Indicatif draws nothing unless standard error is a terminal.
    let target = if inputs.len() >= LONG {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(inputs.len() as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    let suppressed = args.shared.suppressed();
    let one = |input: &find::Input| {
        bar.set_message(input.path.display().to_string());
        let (report, names) = super::file(&input.path, &input.how, suppressed);
        bar.inc(1);
        (report, (input.group.clone(), names))
    };
    // Files are looked at by themselves first, and most of a small one's time goes to its preprocessor.
    let pool = match ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("error: cannot start threads: {error}");
            return ExitCode::from(1);
        }
    };
    let (mut files, names): (Vec<_>, Vec<_>) = pool.install(|| inputs.par_iter().map(one).unzip());
    let together = |whole: &Vec<usize>| {
        let paths: Vec<PathBuf> = whole.iter().map(|at| inputs[*at].path.clone()).collect();
        super::program(&paths, &inputs[whole[0]].how, suppressed).0
    };
    // A file that several programs share is reported as part of the first.
    let programs = link::programs(&names);
    let reports: Vec<_> = pool.install(|| programs.par_iter().map(together).collect());
    for (whole, reports) in programs.iter().zip(reports).rev() {
        for (at, report) in whole.iter().zip(reports) {
            files[*at] = report;
        }
    }
    bar.finish_and_clear();
    let report = Report::new(files);
    let written = match args.format {
        Format::Text => text::render(&report),
        Format::Html => html::render(&report),
        Format::Json => match serde_json::to_string_pretty(&report) {
            Ok(json) => json + "\n",
            Err(error) => {
                eprintln!("error: the report cannot be written as JSON: {error}");
                return ExitCode::from(1);
            }
        },
    };
    let done = match &args.output {
        Some(path) => {
            std::fs::write(path, written).map_err(|e| format!("`{}`: {e}", path.display()))
        }
        None => std::io::stdout()
            .write_all(written.as_bytes())
            .map_err(|e| e.to_string()),
    };
    if let Err(error) = done {
        eprintln!("error: cannot write the report: {error}");
        return ExitCode::from(1);
    }
    ExitCode::from(u8::from(report.refuses()))
}
