//! The command line: arguments in, exit status out.
//!
//! Exit status 0 means that everything was done, 1 that something was refused, 2 that the command
//! line is wrong.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::codes::{self, Code};
use crate::diag::{Diagnostic, Diagnostics};
use crate::frontend;
use crate::optimize;
use crate::preprocess::{Preprocessor, Stubs};
use crate::source::Sources;
use crate::translate::{self, package};

/// OpenACC C in; annotated Rust, or tuned OpenACC C, out.
#[derive(Parser, Debug)]
#[command(name = "acc2rs", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Translate C files into a cargo package
    Translate(Translate),
    /// Give the bins of C files local copies; every other line stays as it is
    Optimize(optimize::command::Optimize),
    /// Report what would become of each OpenACC loop and directive; write nothing else
    Analyze(crate::analyze::command::Analyze),
}

/// What all commands take.
#[derive(Args, Debug, Clone)]
pub struct Shared {
    /// Look for headers in this folder too
    #[arg(short = 'I', value_name = "DIR", global = true)]
    include: Vec<PathBuf>,
    /// Define a macro, as NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "NAME[=VALUE]", global = true)]
    define: Vec<String>,
    /// The C compiler that preprocesses
    #[arg(long, value_name = "COMPILER", global = true)]
    cc: Option<String>,
    /// Do not show a warning or note, as ACC2RS1404
    #[arg(long, value_name = "CODE", value_parser = code, global = true)]
    suppress: Vec<Code>,
    #[arg(skip)]
    stubs: Stubs,
}

impl Shared {
    /// How to preprocess.
    pub fn preprocessor(&self) -> Preprocessor {
        Preprocessor {
            cc: self.cc.clone(),
            include: self.include.clone(),
            define: self.define.clone(),
            stubs: self.stubs.clone(),
        }
    }

    /// The codes of warnings and notes that are not shown.
    pub fn suppressed(&self) -> &[Code] {
        &self.suppress
    }

    /// Prints diagnostics to standard error, those that are suppressed left out.
    pub fn show(&self, mut found: Diagnostics, sources: &Sources) {
        found.suppress(&self.suppress);
        eprint!("{}", found.render(sources, std::io::stderr().is_terminal()));
    }
}

fn code(text: &str) -> Result<Code, String> {
    let number = text
        .trim_start_matches("ACC2RS")
        .parse::<u16>()
        .map_err(|_| format!("`{text}` is no code; write one as ACC2RS1404"))?;
    codes::ALL
        .iter()
        .map(|i| i.code)
        .find(|c| c.0 == number)
        .ok_or(format!("there is no code `{text}`"))
}

#[derive(Args, Debug)]
struct Translate {
    /// The C files of one program or library
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The folder of the package; the first file's name by default
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The folder of the `accrue` crate, instead of the published one
    #[arg(long, value_name = "DIR")]
    accrue_path: Option<PathBuf>,
    /// Build and run both programs, and compare what they print and return
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    shared: Shared,
}

/// Runs the command line of the process.
pub fn run() -> ExitCode {
    match Cli::parse().command {
        Command::Translate(args) => translate_command(&args),
        Command::Optimize(args) => optimize::command::run(&args),
        Command::Analyze(args) => crate::analyze::command::run(&args),
    }
}

fn translate_command(args: &Translate) -> ExitCode {
    let front = frontend::read(&args.files, &args.shared.preprocessor());
    let mut found = front.diagnostics.clone();
    let mut failed = found.has_errors();
    if !failed {
        let mut notes = Vec::new();
        match translate::translate(&front.program, &front.sources, &mut notes) {
            Ok(made) => {
                found.extend(notes);
                let stem = args.files[0]
                    .file_stem()
                    .map_or("translated".into(), |s| s.to_string_lossy().into_owned());
                let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(&stem));
                let name: String = stem
                    .chars()
                    .map(|c| {
                        if c.is_ascii_alphanumeric() {
                            c.to_ascii_lowercase()
                        } else {
                            '-'
                        }
                    })
                    .collect();
                let name = format!(
                    "{}{}",
                    if name.starts_with(|c: char| c.is_ascii_digit()) {
                        "p"
                    } else {
                        ""
                    },
                    name.trim_matches('-')
                );
                // The manifest stands in another folder than the one we were called in.
                let accrue = args
                    .accrue_path
                    .as_ref()
                    .map(|p| p.canonicalize().unwrap_or_else(|_| p.clone()));
                match package::write(&folder, &name, &made, accrue.as_deref()) {
                    Ok(()) => eprintln!("wrote {}", folder.display()),
                    Err(error) => found.push(Diagnostic::nowhere(
                        codes::OUTPUT,
                        format!("cannot write `{}`: {error}", folder.display()),
                    )),
                }
                if args.verify && !found.has_errors() {
                    found.extend(crate::verify::verify(
                        &args.files,
                        &args.shared.preprocessor(),
                        &folder,
                    ));
                }
            }
            Err(errors) => {
                found.extend(errors);
                found.extend(notes);
            }
        }
        failed = found.has_errors();
    }
    args.shared.show(found, &front.sources);
    if failed {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    }
}
