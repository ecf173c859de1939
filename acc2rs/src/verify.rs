//! `--verify`: the C and its translation are built and run, and compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::codes;
use crate::diag::Diagnostic;
use crate::preprocess::{Preprocessor, gcc};

/// Builds the C with OpenACC on the host and the package with cargo, runs both without arguments,
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
    let target = folder.path().join("target");
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--quiet", "--target-dir"])
        .arg(&target)
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"));
    built(&mut cargo, "cargo").map_err(build)?;
    let program = std::fs::read_dir(target.join("release"))
        .ok()
        .and_then(|dir| {
            dir.filter_map(Result::ok).map(|e| e.path()).find(|p| {
                p.is_file()
                    && p.extension().is_none()
                    && !p.to_string_lossy().ends_with(".cargo-lock")
            })
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

fn built(command: &mut Command, name: &str) -> Result<(), String> {
    let out = command
        .output()
        .map_err(|e| format!("cannot run `{name}`: {e}"))?;
    if out.status.success() {
        return Ok(());
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
