//! `acc2rs optimize` over `tests/acc/`: the tuned C compiles, behaves as the original with and without local
//! copies, and has every line of the original in order. Three goldens are in `tests/acc/golden/`; `BLESS=1` rewrites them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use acc2rs::frontend;
use acc2rs::optimize::{Options, optimize};
use acc2rs::preprocess::Preprocessor;
use acc2rs::verify;

const GOLDEN: [&str; 3] = ["hist_u8", "joint_2d", "split_constructs"];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/acc")
}

fn tuned(path: &Path, locals: Option<u32>) -> (Option<String>, Vec<String>) {
    frontend::with_deep_stack(|| {
        let front = frontend::read(&[path.to_path_buf()], &Preprocessor::default());
        assert!(!front.diagnostics.has_errors(), "{}", path.display());
        let mut notes = Vec::new();
        let options = Options {
            locals,
            ..Options::default()
        };
        let mut made = optimize(&front.program, &front.sources, options, &mut notes);
        assert!(made.len() <= 1);
        (
            made.pop().map(|t| t.text),
            notes
                .into_iter()
                .map(|n| format!("[{}] {}", n.code, n.message))
                .collect(),
        )
    })
}

fn behaviour(source: &Path, program: &Path, locals: Option<u32>) -> Result<Output, String> {
    let mut gcc = Command::new("gcc-12");
    gcc.args([
        "-std=gnu11",
        "-w",
        "-fopenacc",
        "-foffload=disable",
        "-ffp-contract=off",
    ]);
    if let Some(n) = locals {
        gcc.arg(format!("-DNUM_LOCALS={n}"));
    }
    let said = gcc
        .arg("-I")
        .arg(corpus())
        .arg("-o")
        .arg(program)
        .arg(source)
        .arg("-lm")
        .output()
        .expect("gcc-12 runs");
    if !said.status.success() {
        return Err(String::from_utf8_lossy(&said.stderr).into_owned());
    }
    Ok(Command::new(program).output().expect("it runs"))
}

/// Whether all lines of `original` are in `tuned` in order, apart from directives that clauses were added to.
fn keeps_lines(original: &str, tuned: &str) -> Result<(), String> {
    let mut rest = tuned.lines();
    for line in original.lines() {
        let directive = line.trim_start().starts_with("#pragma acc");
        if !rest.any(|l| l == line || directive && l.starts_with(line.trim_end())) {
            return Err(format!("`{line}` is gone"));
        }
    }
    Ok(())
}

#[test]
fn tuned_programs_behave_as_before() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("optimize");
    std::fs::create_dir_all(&folder).expect("made");
    let mut wrong = Vec::new();
    let mut rewritten = Vec::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(corpus())
        .expect("the corpus is there")
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    for path in files {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let original = std::fs::read_to_string(&path).expect("readable");
        if !original.contains("acc atomic") {
            continue;
        }
        let (Some(text), _) = tuned(&path, None) else {
            continue;
        };
        if let Err(why) = keeps_lines(&original, &text) {
            wrong.push(format!("{name}: {why}"));
        }
        let source = folder.join(format!("{name}.c"));
        std::fs::write(&source, &text).expect("written");
        let program = folder.join(&name);
        match behaviour(&path, &program, None) {
            Err(said) => wrong.push(format!("{name}: the original does not compile: {said}")),
            Ok(want) => {
                for locals in [0, 8] {
                    match behaviour(&source, &program, Some(locals)) {
                        Err(said) => wrong.push(format!("{name}: {said}")),
                        Ok(have) => wrong.extend(
                            verify::differs(&want, &have)
                                .map(|what| format!("{name}, {locals} copies: {what}")),
                        ),
                    }
                }
            }
        }
        rewritten.push(name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{}: {}", rewritten.len(), rewritten.join(" "));
    for name in GOLDEN {
        assert!(rewritten.iter().any(|n| n == name), "{name} is left alone");
    }
}

#[test]
fn tuned_programs_are_the_goldens() {
    for name in GOLDEN {
        let (text, notes) = tuned(&corpus().join(format!("{name}.c")), Some(8));
        let text = text.unwrap_or_else(|| panic!("{name}: {notes:?}"));
        let golden = corpus().join("golden").join(format!("{name}.tuned.c"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, &text).expect("written");
        }
        let want = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(want, text, "{name}: BLESS=1 rewrites the golden");
    }
}
