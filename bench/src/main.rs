//! accrue-bench: checks every kernel against the sequential loop, and measures speeds.
//!
//! The binary needs nothing beside it: a copy is all that a GPU machine gets.

mod check;
mod data;
mod papers;
mod run;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks accrue's kernels against the sequential loop, and measures them.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Every strategy, operator, bin type, distribution and size, against the sequential loop.
    Check(check::Arguments),
    /// How fast loops are, beside the sequential loop and what people write today.
    Run(run::Arguments),
    /// What a call on few items costs beside the plain loop.
    Calls(run::calls::Arguments),
    /// Products of matrices, in blocks of every cut that is asked for.
    Products(run::products::Arguments),
    /// Data that do not fit into a device's memory, or come from a file, and many threads.
    Stream(run::stream::Arguments),
    /// Data that stay on several devices, beside the same on one.
    Devices(run::devices::Arguments),
    /// Constants of the cost model from measurements.
    Fit(run::fit::Arguments),
    /// The applications of the papers that this grew from, by every strategy.
    Papers(papers::Arguments),
    /// The goals that were set beforehand, beside the figures of a run.
    Bars(run::bars::Arguments),
    /// Pictures of measurements.
    #[cfg(feature = "plot")]
    Plot(run::plot::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Calls(arguments) => run::calls::run(&arguments),
        Command::Products(arguments) => run::products::run(&arguments),
        Command::Stream(arguments) => run::stream::run(&arguments),
        Command::Devices(arguments) => run::devices::run(&arguments),
        Command::Fit(arguments) => run::fit::run(&arguments),
        Command::Papers(arguments) => papers::run(&arguments),
        Command::Bars(arguments) => run::bars::run(&arguments),
        #[cfg(feature = "plot")]
        Command::Plot(arguments) => run::plot::run(&arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e:#}");
            ExitCode::from(2)
        }
    }
}
