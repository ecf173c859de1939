//! Whether tests notice a compiler that is wrong:
//!
//! ```text
//! cargo mutants --package accrue-ir --package accrue-parse --package accrue-plan --package accrue-compiler --list --json > list.json
//! cargo run -p accrue-tests --bin compiler-mutants -- plant list.json 20261124 360 target/compiler-mutants
//! cargo run -p accrue-tests --bin compiler-mutants -- run target/compiler-mutants
//! ```
//!
//! `plant` draws mistakes from the list and puts them into a copy of the tree, without those that do not build; the copy's
//! `mutants.txt` has a line for each: `built 17 NAME`, or why not. A test program that is built in the copy makes the mistake
//! that `ACCRUE_COMPILER_MUTANT` names, and so does the macro that is built there.
//!
//! `run` asks the tests that call the compiler at run time, each mistake on a core of its own. Those behind the macro, which rustc would
//! have to build anew for each, are not asked: `emissions` has their functions. It fails where less than nine in ten are noticed of
//! those that `tests/compiler_mutants.txt` does not say to be equivalent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use accrue_tests::mutants::plant::{Mutant, VARIABLE, blamed, draw, module, plant, without_place};
use accrue_tests::mutants::suite::{Program, Verdict};
use serde_json::Value;

/// Tests that call the compiler at run time, the quickest first.
const CALLED: [&str; 13] = [
    "loops",
    "ptx",
    "diagnostics",
    "decisions",
    "accrue_ir",
    "accrue_parse",
    "accrue_plan",
    "accrue_compiler",
    "emissions",
    "generated",
    "orders",
    "staged",
    "simulated",
];

/// How cargo is asked for them.
const CARGO: [&str; 11] = [
    "test",
    "--no-run",
    "--lib",
    "--message-format=json",
    "--package=accrue-tests",
    "--package=accrue-ir",
    "--package=accrue-parse",
    "--package=accrue-plan",
    "--package=accrue-compiler",
    "--features=accrue/sim,accrue-tests/sim",
    "--locked",
];

/// Longer than any program takes without a mistake.
const LIMIT: Duration = Duration::from_secs(300);

/// Of 100 mutants that are not equivalent, so many are noticed.
const LEAST: usize = 90;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["plant", list, seed, count, copy] => match (seed.parse(), count.parse()) {
            (Ok(seed), Ok(count)) => planted(Path::new(list), seed, count, Path::new(copy)),
            _ => Err("plant LIST SEED COUNT COPY".to_owned()),
        },
        ["run", copy] => run(Path::new(copy)),
        _ => Err(
            "usage: compiler-mutants plant LIST SEED COUNT COPY | compiler-mutants run COPY"
                .to_owned(),
        ),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("compiler-mutants: {e}");
            ExitCode::from(2)
        }
    }
}

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("it is in a workspace").to_owned()
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file, if it is not so already: what is the same is not built again.
fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let folder = path.parent().expect("a file is in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|e| format!("{}: {e}", path.display()))
}

/// Copies what git knows of the tree.
fn copy_tree(copy: &Path) -> Result<(), String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output();
    let listed = listed.map_err(|e| format!("git: {e}"))?;
    for name in String::from_utf8_lossy(&listed.stdout).split_terminator('\0') {
        if let Ok(text) = fs::read(root().join(name)) {
            write(&copy.join(name), &text)?;
        }
    }
    Ok(())
}

/// Puts drawn mistakes into a copy, and takes those out that do not build.
fn planted(list: &Path, seed: u64, count: usize, copy: &Path) -> Result<bool, String> {
    let drawn = draw(&read(list)?, seed, count)?;
    copy_tree(copy)?;
    // One switch for all crates, in the lowest.
    let mut put = module();
    for source in ["ir/src", "parse/src", "plan/src", "src"] {
        let lib = Path::new("compiler").join(source).join("lib.rs");
        let text = read(&root().join(&lib))? + &put;
        write(&copy.join(lib), text.as_bytes())?;
        put = "\n#[allow(unused_imports)]\nuse accrue_ir::mutant;\n".to_owned();
    }
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in &drawn {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    let mut unexpressed = BTreeSet::new();
    let mut unbuilt: BTreeMap<usize, String> = BTreeMap::new();
    loop {
        for (file, mutants) in &files {
            let mut mutants = mutants.clone();
            mutants.retain(|m| !unbuilt.contains_key(&m.id));
            let planted = plant(&read(&root().join(file))?, &mutants)?;
            unexpressed.extend(planted.left_out);
            write(&copy.join(file), planted.text.as_bytes())?;
        }
        let complaints = complaints(copy)?;
        println!(
            "{} do not build, {} complaints",
            unbuilt.len(),
            complaints.len()
        );
        if complaints.is_empty() {
            break;
        }
        let before = unbuilt.len();
        for (file, at, message) in complaints {
            if let Some(id) = blamed(&read(&copy.join(&file))?, at) {
                unbuilt.entry(id).or_insert(message);
            }
        }
        if unbuilt.len() == before {
            return Err("what does not build is no mistake of the list".to_owned());
        }
    }
    let mut lines = String::new();
    for mutant in &drawn {
        let state = match unbuilt.get(&mutant.id) {
            Some(why) => format!("unbuilt ({why})"),
            None if unexpressed.contains(&mutant.id) => "unexpressed".to_owned(),
            None => "built".to_owned(),
        };
        let _ = writeln!(lines, "{state} {} {}", mutant.id, mutant.name);
    }
    write(&copy.join("mutants.txt"), lines.as_bytes())?;
    Ok(true)
}

/// What rustc says of the compiler in the copy: the file, the place, and in which words.
fn complaints(copy: &Path) -> Result<Vec<(String, usize, String)>, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args([
            "check",
            "--package=accrue-compiler",
            "--message-format=json",
            "--locked",
        ])
        .current_dir(copy)
        .output()
        .map_err(|e| format!("cargo: {e}"))?;
    let mut complaints = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        let spans = message["spans"].as_array().into_iter().flatten();
        for span in spans.filter(|span| span["is_primary"] == true) {
            complaints.push((
                span["file_name"].as_str().unwrap_or_default().to_owned(),
                span["byte_start"].as_u64().unwrap_or(0) as usize,
                message["message"]
                    .as_str()
                    .unwrap_or_default()
                    .replace('\n', " "),
            ));
        }
    }
    match complaints.is_empty() && !output.status.success() {
        true => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        false => Ok(complaints),
    }
}

/// The test programs that call the compiler at run time.
fn programs(copy: &Path) -> Result<Vec<Program>, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.current_dir(copy).args(CARGO);
    for test in CALLED.iter().filter(|name| !name.starts_with("accrue_")) {
        command.args(["--test", test]);
    }
    let output = command.output().map_err(|e| format!("cargo: {e}"))?;
    let mut found = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let name = text(&message["target"]["name"]);
        let number = name.and_then(|name| CALLED.iter().position(|called| *called == name));
        let Some((number, path)) = number.zip(text(&message["executable"])) else {
            continue;
        };
        let manifest = text(&message["manifest_path"]).unwrap_or_default();
        let folder = Path::new(&manifest).parent().unwrap_or(copy).to_owned();
        let name = CALLED[number].to_owned();
        found.insert(number, Program::new(name, path.into(), folder, Vec::new()));
    }
    match found.len() == CALLED.len() {
        true => Ok(found.into_values().collect()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// What is known to change nothing that a test may ask for, by name: a line each, with the reason behind ` // `.
fn equivalents() -> Result<BTreeMap<String, String>, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("compiler_mutants.txt");
    let text = read(&path)?;
    let lines = text.lines().filter_map(|line| line.split_once(" // "));
    let known = lines.map(|(name, why)| (without_place(name.trim()), why.trim().to_owned()));
    Ok(known.collect())
}

/// Asks the tests of a copy about each of its mistakes.
fn run(copy: &Path) -> Result<bool, String> {
    let equivalents = equivalents()?;
    let listed = read(&copy.join("mutants.txt"))?;
    let built = listed
        .lines()
        .filter_map(|line| line.strip_prefix("built "));
    let mutants: Vec<(&str, &str)> = built.filter_map(|line| line.split_once(' ')).collect();
    let equivalent = |name: &str| equivalents.contains_key(&without_place(name));
    let asked: Vec<(&str, &str)> = mutants
        .iter()
        .copied()
        .filter(|(_, name)| !equivalent(name))
        .collect();
    let programs = programs(copy)?;
    for program in &programs {
        if program.run(&[], LIMIT) != Verdict::Passed {
            return Err(format!("{} fails as it is", program.name));
        }
    }
    let (next, noticed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some((id, name)) = asked.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fails = |p: &&Program| p.run(&[(VARIABLE, id)], LIMIT) != Verdict::Passed;
                    match programs.iter().find(fails) {
                        Some(by) => {
                            println!("noticed {id} {name} // {}", by.name);
                            noticed.fetch_add(1, Ordering::Relaxed);
                        }
                        None => println!("SURVIVED {id} {name}"),
                    }
                }
            });
        }
    });
    let noticed = noticed.into_inner();
    println!(
        "{} built, {} equivalent, {noticed} noticed, {} not",
        mutants.len(),
        mutants.len() - asked.len(),
        asked.len() - noticed,
    );
    Ok(noticed > 0 && noticed * 100 >= LEAST * asked.len())
}
