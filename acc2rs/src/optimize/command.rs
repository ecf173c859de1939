//! The arguments of `acc2rs optimize`, and where the rewritten files go.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::{Options, Tuned};
use crate::cli::Shared;
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::frontend;
use crate::source::{Sources, Span};

/// The arguments of `acc2rs optimize`.
#[derive(Args, Debug)]
pub struct Optimize {
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

/// A file to write: from where, to where, and its new text if it has one.
struct Job<'t> {
    from: PathBuf,
    to: PathBuf,
    tuned: Option<&'t Tuned>,
}

/// Runs the command: 0 if everything was written, 1 if a file was refused, 2 if an output would overwrite an input.
pub fn run(args: &Optimize) -> ExitCode {
    let front = frontend::read(&args.files, &args.shared.preprocessor());
    let (mut found, unread) = tolerated(&front.diagnostics);
    let mut status = ExitCode::SUCCESS;
    if !found.has_errors() {
        let options = Options {
            locals: args.locals.0,
            vector_length: args.vector_length,
        };
        let mut notes = Vec::new();
        let tuned = super::optimize(&front.program, &front.sources, options, &unread, &mut notes);
        found.extend(notes);
        let jobs = jobs(args, &tuned, &front.sources, &mut found);
        if let Some(problem) = clash(&jobs) {
            found.push(problem);
            status = ExitCode::from(2);
        } else {
            jobs.iter().for_each(|job| write(job, &mut found));
        }
    }
    if found.has_errors() && status == ExitCode::SUCCESS {
        status = ExitCode::from(1);
    }
    args.shared.show(found, &front.sources);
    status
}

/// C that has no Rust (`goto`, say) keeps its function from being rewritten, but not the others: what the front end
/// found, with notes instead of such errors, and where those were.
fn tolerated(found: &Diagnostics) -> (Diagnostics, Vec<Span>) {
    let (mut out, mut unread) = (Diagnostics::default(), Vec::new());
    for one in found.iter() {
        match one.span {
            Some(span) if codes::UNTRANSLATED.contains(&one.code.0) => {
                unread.push(span);
                out.push(Diagnostic::new(
                    codes::NOT_DUPLICATED,
                    span,
                    format!("no local copies in this function: {}", one.message),
                ));
            }
            _ => out.push(one.clone()),
        }
    }
    (out, unread)
}

/// Every C file that was given, and every header that was rewritten.
fn jobs<'t>(
    args: &Optimize,
    tuned: &'t [Tuned],
    sources: &Sources,
    found: &mut Diagnostics,
) -> Vec<Job<'t>> {
    let mut out: Vec<Job<'t>> = Vec::new();
    for path in &args.files {
        out.push(Job {
            from: path.clone(),
            to: tuned_path(args, path),
            tuned: tuned.iter().find(|t| sources.file(t.file).path == *path),
        });
    }
    let mains = out.len();
    for header in tuned {
        let path = &sources.file(header.file).path;
        if args.files.contains(path) {
            continue;
        }
        // A quoted `#include` looks beside the including file first, so the new header has to stand to the new C
        // file as the old one stood to the old.
        let to = out[..mains].iter().find_map(|main| {
            let below = path.strip_prefix(main.from.parent()?).ok()?;
            Some(main.to.parent()?.join(below))
        });
        match to {
            Some(to) if real(&to) != real(path) => out.push(Job {
                from: path.clone(),
                to,
                tuned: Some(header),
            }),
            _ => found.push(
                Diagnostic::nowhere(
                    codes::NOT_DUPLICATED,
                    format!(
                        "no local copies in `{}`: the new header would stand where the old one does",
                        path.display()
                    ),
                )
                .help("name another folder with `-o`, and give the C files that are beside the header or above it"),
            ),
        }
    }
    out
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

/// The path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// An output that is an input, or two that are one: nothing is written then.
fn clash(jobs: &[Job<'_>]) -> Option<Diagnostic> {
    let mut seen: HashMap<PathBuf, &Path> = HashMap::new();
    for job in jobs {
        if let Some(input) = jobs.iter().find(|j| real(&j.from) == real(&job.to)) {
            let message = format!(
                "writing `{}` would overwrite the input `{}`",
                job.to.display(),
                input.from.display()
            );
            return Some(
                Diagnostic::nowhere(codes::OUTPUT, message)
                    .help("name another file or folder with `-o`"),
            );
        }
        if let Some(other) = seen.insert(job.to.clone(), &job.from) {
            let message = format!(
                "`{}` and `{}` would both become `{}`",
                other.display(),
                job.from.display(),
                job.to.display()
            );
            return Some(
                Diagnostic::nowhere(codes::OUTPUT, message).help("give the files one at a time"),
            );
        }
    }
    None
}

/// Writes the text in the encoding of the original, or the original itself.
fn write(job: &Job<'_>, found: &mut Diagnostics) {
    let done = std::fs::read(&job.from).and_then(|original| {
        if let Some(folder) = job.to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let bytes = match job.tuned {
            None => original,
            Some(tuned) if std::str::from_utf8(&original).is_ok() => {
                tuned.text.clone().into_bytes()
            }
            // What is no UTF-8 was read as Latin-1.
            Some(tuned) => tuned.text.chars().map(|c| c as u8).collect(),
        };
        std::fs::write(&job.to, bytes)
    });
    match done {
        Ok(()) => {
            let n = job.tuned.map_or(0, |t| t.constructs);
            let constructs = if n == 1 { "construct" } else { "constructs" };
            eprintln!(
                "wrote {}: {n} {constructs} with local copies",
                job.to.display()
            );
        }
        Err(error) => found.push(Diagnostic::nowhere(
            codes::OUTPUT,
            format!("cannot write `{}`: {error}", job.to.display()),
        )),
    }
}
