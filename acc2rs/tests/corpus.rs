//! Every program of `tests/acc/`: translated, built, run, and compared with what gcc makes of it.
//!
//! All translations are binaries of one package, so that cargo runs once. The Rust of each program
//! is also compared with its golden in `tests/acc/golden/`; `BLESS=1` rewrites those. Programs in
//! `tests/acc/refused/` name in their first line the code that they must be refused with.
//! `CORPUS=part_of_a_name` looks at some programs only.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use acc2rs::preprocess::{Preprocessor, gcc};
use acc2rs::translate::{self, Translation, package};
use acc2rs::{diag, frontend, verify};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let wanted = std::env::var("CORPUS").unwrap_or_default();
    let entries = std::fs::read_dir(folder).expect("the corpus is there");
    let mut all: Vec<PathBuf> = entries
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    all.retain(|p| name(p).contains(&wanted));
    all.sort();
    all
}

fn name(path: &Path) -> String {
    path.file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}

/// The translation, or the diagnostics as text.
fn translated(path: &Path) -> Result<Translation, String> {
    frontend::with_deep_stack(|| {
        let front = frontend::read(&[path.to_path_buf()], &Preprocessor::default());
        let mut found = front.diagnostics.clone();
        let mut made = None;
        if !found.has_errors() {
            let mut notes = Vec::new();
            match translate::translate(&front.program, &front.sources, &mut notes) {
                Ok(out) => made = Some(out),
                Err(errors) => found.extend(errors),
            }
        }
        made.ok_or_else(|| {
            found
                .iter()
                .map(|d| diag::render(d, &front.sources, false))
                .collect()
        })
    })
}

fn write_if_new(path: &Path, text: &str) {
    if std::fs::read_to_string(path).ok().as_deref() != Some(text) {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
}

fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

fn reference(path: &Path, folder: &Path) -> Output {
    let program = folder.join(name(path));
    let out = run(Command::new(gcc())
        .args([
            "-std=gnu11",
            "-O1",
            "-w",
            "-fopenacc",
            "-foffload=disable",
            "-ffp-contract=off",
            "-o",
        ])
        .arg(&program)
        .arg(path)
        .arg("-lm"));
    assert!(
        out.status.success(),
        "{}: {}",
        path.display(),
        String::from_utf8_lossy(&out.stderr)
    );
    run(&mut Command::new(&program))
}

fn golden(path: &Path, made: &Translation, wrong: &mut String) {
    let golden = path
        .parent()
        .expect("a folder")
        .join("golden")
        .join(format!("{}.rs", name(path)));
    if std::env::var_os("BLESS").is_some() {
        write_if_new(&golden, &made.main);
    } else if std::fs::read_to_string(&golden).unwrap_or_default() != made.main {
        let _ = writeln!(
            wrong,
            "{}: the Rust is not the golden's; BLESS=1 rewrites it",
            name(path)
        );
    }
}

/// The programs of the corpus and their translations, by name.
type Made = BTreeMap<String, (PathBuf, Translation)>;

/// Translates the corpus, and compares it with its goldens.
fn corpus(wrong: &mut String) -> Made {
    let mut made = Made::new();
    // Relative to the folder that tests run in: a program may hold its own path (`assert`), which goldens then hold too.
    for path in programs(Path::new("../tests/acc")) {
        match translated(&path) {
            Ok(out) => {
                golden(&path, &out, wrong);
                made.insert(name(&path), (path, out));
            }
            Err(text) => _ = writeln!(wrong, "{}: refused\n{text}", name(&path)),
        }
    }
    made
}

/// Builds programs as the binaries of one package, whose `accrue` has these features; what follows is more of the manifest.
fn build(folder: &Path, made: &Made, features: &str, more: &str, wrong: &mut String) {
    let binaries = folder.join("src/bin");
    // What an earlier run left is no program of this one.
    for old in std::fs::read_dir(&binaries)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
    {
        if !made.contains_key(&*old.file_name().to_string_lossy()) {
            std::fs::remove_dir_all(old.path()).expect("removed");
        }
    }
    for (name, (_, out)) in made {
        write_if_new(&binaries.join(name).join("main.rs"), &out.main);
        if !out.helpers.is_empty() {
            write_if_new(
                &binaries.join(name).join("c.rs"),
                &package::helpers(&out.helpers),
            );
        }
    }
    let everything = Translation {
        offloaded: vec!["any".into()],
        libm: made.values().any(|(_, t)| t.libm),
        ..Translation::default()
    };
    let accrue = root()
        .join("accrue")
        .canonicalize()
        .expect("the crate is there");
    let mut manifest = package::manifest("corpus", &everything, Some(&accrue));
    manifest.push_str("\n[lints.rust]\nwarnings = \"deny\"\n");
    manifest = manifest.replace(
        "[profile.dev]\n",
        "[profile.dev]\ndebug = false\nincremental = false\n",
    );
    manifest = manifest.replace("runtime\" }", &format!("runtime\"{features} }}"));
    manifest.push_str(more);
    write_if_new(&folder.join("Cargo.toml"), &manifest);
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock is there");
    if !folder.join("Cargo.lock").exists() {
        write_if_new(&folder.join("Cargo.lock"), &lock);
    }
    let build = run(Command::new(env!("CARGO"))
        .args(["build", "--keep-going", "--message-format", "short"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target")));
    if !build.status.success() {
        let said = String::from_utf8_lossy(&build.stderr);
        let lines: Vec<&str> = said
            .lines()
            .filter(|l| l.contains("error"))
            .take(80)
            .collect();
        let _ = writeln!(wrong, "cargo: {}", lines.join("\n"));
    }
}

#[test]
fn corpus_behaves_as_under_gcc() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus");
    let references = folder.join("reference");
    std::fs::create_dir_all(&references).expect("made");
    let mut wrong = String::new();
    let made = corpus(&mut wrong);
    build(&folder, &made, "", "", &mut wrong);
    for (name, (path, _)) in &made {
        let program = folder.join("target/debug").join(name);
        if !program.exists() {
            let _ = writeln!(wrong, "{name}: not built");
            continue;
        }
        let want = reference(path, &references);
        let have = run(&mut Command::new(&program));
        if let Some(what) = verify::differs(&want, &have) {
            let _ = writeln!(
                wrong,
                "{name}: {what}\n{}",
                String::from_utf8_lossy(&have.stderr)
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// How long a program may take in the simulator.
const PATIENCE: Duration = Duration::from_secs(120);

/// Programs whose sizes are not for the simulator.
const LARGE: [&str; 0] = [];

/// The output of a program in the simulator; none where it takes too long.
fn simulated(program: &Path) -> Option<Output> {
    let mut child = Command::new(program)
        .env("ACCRUE_DEVICE", "sim")
        .env("ACCRUE_EXPLAIN", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let read = |mut from: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut all = Vec::new();
            from.read_to_end(&mut all).map(|_| all)
        })
    };
    let stdout = read(Box::new(child.stdout.take().expect("piped")));
    let stderr = read(Box::new(child.stderr.take().expect("piped")));
    let started = Instant::now();
    let status = loop {
        match child.try_wait().expect("waited for") {
            Some(status) => break status,
            None if started.elapsed() > PATIENCE => {
                child.kill().expect("ended");
                child.wait().expect("ended");
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let all = |reader: std::thread::JoinHandle<std::io::Result<Vec<u8>>>| {
        reader.join().expect("joined").expect("read")
    };
    Some(Output {
        status,
        stdout: all(stdout),
        stderr: all(stderr),
    })
}

/// Whether two outputs are the same but for the last digits of numbers with a point, which sums in another order may change.
fn near(want: &str, have: &str) -> bool {
    let number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit() && c != '-' && c != '.');
        let digits = word
            .split_once('.')
            .map(|(_, after)| after.bytes().take_while(u8::is_ascii_digit).count() as i32);
        digits.and_then(|d| Some((word.parse::<f64>().ok()?, d)))
    };
    let same = |a: &str, b: &str| match (number(a), number(b)) {
        _ if a == b => true,
        (Some((x, digits)), Some((y, _))) => {
            (x - y).abs() <= 1.01 * 10f64.powi(-digits) + 1e-6 * x.abs()
        }
        _ => false,
    };
    let (want, have): (Vec<&str>, Vec<&str>) = (
        want.split_whitespace().collect(),
        have.split_whitespace().collect(),
    );
    want.len() == have.len() && want.iter().zip(&have).all(|(a, b)| same(a, b))
}

#[test]
#[ignore = "takes minutes: `.ci/full openacc`"]
fn corpus_behaves_in_the_simulator() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus-sim");
    let references = folder.join("reference");
    std::fs::create_dir_all(&references).expect("made");
    let mut wrong = String::new();
    let mut made = corpus(&mut wrong);
    made.retain(|name, (_, out)| !out.offloaded.is_empty() && !LARGE.contains(&&**name));
    let quick = "\n[profile.dev.package.\"*\"]\nopt-level = 2\n";
    build(&folder, &made, ", features = [\"sim\"]", quick, &mut wrong);
    let mut kernels = 0;
    for (name, (path, _)) in &made {
        let program = folder.join("target/debug").join(name);
        let want = reference(path, &references);
        let Some(have) = simulated(&program) else {
            let _ = writeln!(wrong, "{name}: takes longer than {PATIENCE:?}");
            continue;
        };
        let said = String::from_utf8_lossy(&have.stderr);
        let here = said.matches(" on sim").count();
        eprintln!("{name}: {here} calls in the simulator");
        kernels += here;
        let texts = [&want.stdout, &have.stdout].map(|t| String::from_utf8_lossy(t).into_owned());
        if want.status.code() != have.status.code() || !near(&texts[0], &texts[1]) {
            let what = verify::differs(&want, &have).unwrap_or_default();
            let _ = writeln!(wrong, "{name}: {what}\n{said}");
        }
    }
    eprintln!("{kernels} calls in the simulator");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn refused_programs_say_why() {
    for path in programs(&root().join("tests/acc/refused")) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let code = text
            .lines()
            .next()
            .and_then(|l| {
                l.split_whitespace()
                    .find(|w| w.starts_with("ACC2RS"))
                    .map(|w| w.trim_end_matches(':'))
            })
            .expect("a code in the first line");
        match translated(&path) {
            Ok(_) => panic!("{} is translated", path.display()),
            Err(said) => assert!(
                said.contains(&format!("[{code}]")),
                "{}: {said}",
                path.display()
            ),
        }
    }
}
