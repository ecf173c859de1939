//! `--verify`: the C and its translation are built and run, and compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::codes;
use crate::diag::Diagnostic;
use crate::preprocess::{Preprocessor, gcc};

/// Builds the C with OpenACC on the host and the package with cargo, in its own folder, runs both without arguments,
/// and compares standard output and exit status.
pub fn verify(files: &[PathBuf], how: &Preprocessor, package: &Path) -> Vec<Diagnostic> {
    match compare(files, how, package) {
        Ok(()) => Vec::new(),
        Err(found) => vec![*found],
    }
}

fn compare(files: &[PathBuf], how: &Preprocessor, package: &Path) -> Result<(), Box<Diagnostic>> {
    let build = |message: String| Box::new(Diagnostic::nowhere(codes::VERIFY_BUILD, message));
    let folder =
        tempfile::tempdir().map_err(|e| build(format!("cannot make a temporary folder: {e}")))?;
    let reference = folder.path().join("reference");
    let compiler = how.cc.clone().unwrap_or_else(|| gcc().into());
    let mut cc = Command::new(&compiler);
    cc.args([
        "-std=gnu11",
        "-O1",
        "-fopenacc",
        "-foffload=disable",
        "-ffp-contract=off",
        "-o",
    ])
    .arg(&reference)
    .args(files);
    how.include.iter().for_each(|d| _ = cc.arg("-I").arg(d));
    how.define.iter().for_each(|d| _ = cc.arg(format!("-D{d}")));
    cc.arg("-lm");
    built(&mut cc, &compiler).map_err(build)?;
    // Where the user's own builds of the package go, which then find it built.
    let mut cargo = Command::new("cargo");
    cargo.current_dir(package);
    cargo.args([
        "build",
        "--release",
        "--quiet",
        "--message-format",
        "json-render-diagnostics",
    ]);
    let messages = built(&mut cargo, "cargo").map_err(build)?;
    let program = messages.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    // A library has nothing to run.
    let Some(program) = program else {
        return Ok(());
    };
    let run = |path: &Path| {
        Command::new(path)
            .output()
            .map_err(|e| build(format!("cannot run `{}`: {e}", path.display())))
    };
    let (want, have) = (run(&reference)?, run(&program)?);
    differs(&want, &have).map_or(Ok(()), |what| {
        Err(Box::new(
            Diagnostic::nowhere(codes::VERIFY_DIFFERS, what)
                .help("programs that print times, addresses or uninitialised memory always differ"),
        ))
    })
}

/// What a compiler says on standard output.
fn built(command: &mut Command, name: &str) -> Result<String, String> {
    let out = command
        .output()
        .map_err(|e| format!("cannot run `{name}`: {e}"))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let first: Vec<&str> = said
        .lines()
        .filter(|l| l.contains("error"))
        .take(3)
        .collect();
    Err(format!(
        "`{name}` could not build the program: {}",
        first.join("; ")
    ))
}

/// What differs between two runs.
pub fn differs(want: &Output, have: &Output) -> Option<String> {
    if want.status.code() != have.status.code() {
        return Some(format!(
            "the C ended with {}, the Rust with {}",
            want.status, have.status
        ));
    }
    let (want, have) = (
        String::from_utf8_lossy(&want.stdout),
        String::from_utf8_lossy(&have.stdout),
    );
    let line = want.lines().zip(have.lines()).position(|(a, b)| a != b);
    match line {
        Some(at) => Some(format!(
            "line {} of the output is `{}` from the C and `{}` from the Rust",
            at + 1,
            want.lines().nth(at)?,
            have.lines().nth(at)?
        )),
        None if want != have => Some(format!(
            "the C printed {} lines, the Rust {}",
            want.lines().count(),
            have.lines().count()
        )),
        None => None,
    }
}
