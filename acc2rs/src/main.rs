//! The `acc2rs` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    acc2rs::frontend::with_deep_stack(acc2rs::cli::run)
}
