//! The command line: arguments in, exit status out.
//!
//! Exit status 0 means that everything was done, 1 that something was refused, 2 that the command
//! line is wrong.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::codes::{self, Code};
use crate::diag::{Diagnostic, Diagnostics};
use crate::frontend;
use crate::optimize;
use crate::preprocess::Preprocessor;
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
    Optimize(Optimize),
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
}

impl Shared {
    /// How to preprocess.
    pub fn preprocessor(&self) -> Preprocessor {
        Preprocessor {
            cc: self.cc.clone(),
            include: self.include.clone(),
            define: self.define.clone(),
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

#[derive(Args, Debug)]
struct Optimize {
    /// The C files of one program or library
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The new file, or a folder for several; `NAME-tuned.c` by default
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// How many copies of the bins there are: a number, 0 for none, or `auto` by the number of bins
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = locals)]
    locals: Locals,
    /// The vector length of gangs
    #[arg(long, value_name = "LENGTH", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1024))]
    vector_length: u32,
    #[command(flatten)]
    shared: Shared,
}

/// How many copies; `None` for `auto`.
#[derive(Clone, Copy, Debug)]
struct Locals(Option<u32>);

fn locals(text: &str) -> Result<Locals, String> {
    if text == "auto" {
        return Ok(Locals(None));
    }
    match text.parse() {
        Ok(n) if n <= 65_536 => Ok(Locals(Some(n))),
        _ => Err("a number up to 65536, or `auto`".into()),
    }
}

/// Runs the command line of the process.
pub fn run() -> ExitCode {
    match Cli::parse().command {
        Command::Translate(args) => translate_command(&args),
        Command::Optimize(args) => frontend::with_deep_stack(|| optimize_command(&args)),
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

fn optimize_command(args: &Optimize) -> ExitCode {
    let front = frontend::read(&args.files, &args.shared.preprocessor());
    let mut found = front.diagnostics.clone();
    if !found.has_errors() {
        let options = optimize::Options {
            locals: args.locals.0,
            vector_length: args.vector_length,
        };
        let mut notes = Vec::new();
        let tuned = optimize::optimize(&front.program, &front.sources, options, &mut notes);
        found.extend(notes);
        for path in &args.files {
            let made = tuned
                .iter()
                .find(|t| front.sources.file(t.file).path == *path);
            let to = tuned_path(args, path);
            match write_tuned(path, &to, made.map(|t| t.text.as_str())) {
                Ok(()) => eprintln!(
                    "wrote {}: {} constructs with local copies",
                    to.display(),
                    made.map_or(0, |t| t.constructs)
                ),
                Err(error) => found.push(Diagnostic::nowhere(
                    codes::OUTPUT,
                    format!("cannot write `{}`: {error}", to.display()),
                )),
            }
        }
    }
    let failed = found.has_errors();
    args.shared.show(found, &front.sources);
    if failed {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    }
}

/// Where the rewritten file goes.
fn tuned_path(args: &Optimize, path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match &args.output {
        Some(folder) if args.files.len() > 1 || folder.is_dir() => {
            folder.join(path.file_name().unwrap_or_default())
        }
        Some(file) => file.clone(),
        None => PathBuf::from(format!("{stem}-tuned.c")),
    }
}

/// Writes the text in the encoding of the original, or the original itself.
fn write_tuned(path: &Path, to: &Path, text: Option<&str>) -> std::io::Result<()> {
    let original = std::fs::read(path)?;
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let bytes = match text {
        None => original,
        Some(text) if std::str::from_utf8(&original).is_ok() => text.as_bytes().to_vec(),
        // What is no UTF-8 was read as Latin-1.
        Some(text) => text.chars().map(|c| c as u8).collect(),
    };
    std::fs::write(to, bytes)
}
