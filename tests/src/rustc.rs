//! Random programs through rustc: many in one crate, those that do not build set aside, the rest run by a judge, which tells of each on standard
//! output:
//!
//! - `start NUMBER` when it begins,
//! - `wrong NUMBER TEXT` for each call that gives another result than the plain loop,
//! - `done NUMBER TEXT` at its end, where `TEXT` is what there is to say of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// How long a program may say nothing: it does not end.
const SILENCE: Duration = Duration::from_secs(60);

/// A program of a crate of many.
pub trait Judged: Sync {
    /// What calls its `check` wants: a type with a function `new`.
    const JUDGE: &'static str;

    /// A line at the beginning of the crate, for all programs.
    const PRELUDE: &'static str = "";

    /// Its number, the only one of the crate.
    fn number(&self) -> usize;

    /// Its module, called `p` and the number, with a function `check` that takes the judge; without what accrue makes of it if it shall be
    /// `plain`.
    fn module(&self, plain: bool) -> String;

    /// What rustc's errors about the module mean.
    fn refused(&self, errors: &[String]) -> Verdict;
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is no Rust even without the attribute, with rustc's message: the generator's fault, and no more.
    NoRust(String),
    /// It is refused, with the class of the message and all of it.
    Refused(String, String),
    /// rustc finds an error in what the attribute made of it.
    Broken(String),
    /// It ran, and gave another result than the plain loop, or ended the process.
    Wrong(String),
    /// It ran and agreed everywhere: what the judge said at its end.
    Right(String),
}

/// Where rustc finds the crates that programs need, and where it works.
#[derive(Clone, Debug)]
pub struct Rustc {
    externs: Vec<String>,
    flags: Vec<String>,
    folder: PathBuf,
}

impl Rustc {
    /// Builds what programs need, with the simulator, whatever features this test was built with. `ACCRUE_CARGO` is what cargo is asked
    /// for, where more than that is built already.
    ///
    /// # Panics
    ///
    /// If cargo fails.
    pub fn new(folder: &Path) -> Rustc {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let wanted = std::env::var("ACCRUE_CARGO");
        let wanted = wanted.unwrap_or_else(|_| "--package accrue-tests --features sim".into());
        let mut command = Command::new(cargo);
        // As for the tests themselves: what their other dependencies ask of common ones, `cargo build` would do without, and build anew.
        command.args(["test", "--no-run", "--locked", "--message-format=json"]);
        command.args(wanted.split_whitespace());
        command.args(["--test", "collisions"]);
        if !cfg!(debug_assertions) {
            command.arg("--release");
        }
        let output = command
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo runs");
        assert!(
            output.status.success(),
            "cargo builds the crates that programs need"
        );
        let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
        let mut externs = Vec::new();
        for line in text.lines() {
            let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            let name = message["target"]["name"].as_str().unwrap_or_default();
            let wanted = match name {
                "accrue" => true,
                "accrue_tests" => message["target"]["kind"][0] == "lib",
                _ => false,
            };
            let rlib = message["filenames"][0]
                .as_str()
                .filter(|f| f.ends_with(".rlib"));
            if let (true, Some(rlib)) = (wanted, rlib) {
                let deps = Path::new(rlib).parent().expect("a file is in a folder");
                let deps = if deps.ends_with("deps") {
                    deps.into()
                } else {
                    deps.join("deps")
                };
                externs.extend(["--extern".into(), format!("{name}={rlib}")]);
                externs.extend(["-L".into(), format!("dependency={}", deps.display())]);
            }
        }
        std::fs::create_dir_all(folder).expect("a folder for programs");
        Rustc {
            externs,
            flags: Vec::new(),
            folder: folder.to_owned(),
        }
    }

    /// The same with other flags, such as `-Coverflow-checks=off`.
    pub fn with(&self, flags: &[&str]) -> Rustc {
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Rustc {
            flags,
            ..self.clone()
        }
    }

    /// Builds and runs programs, and says what became of each, in their order.
    ///
    /// # Panics
    ///
    /// If rustc fails without saying of which program.
    pub fn judge<P: Judged>(&self, name: &str, programs: &[P]) -> Vec<Verdict> {
        let mut verdicts: BTreeMap<usize, Verdict> = BTreeMap::new();
        for plain in [true, false] {
            loop {
                let text = Crate::of(programs, &verdicts, plain);
                let Err(errors) = self.compile(name, &text, plain) else {
                    break;
                };
                assert!(
                    !errors.is_empty(),
                    "rustc fails and names no program of {name}"
                );
                for (program, errors) in errors {
                    let verdict = if plain {
                        Verdict::NoRust(errors[0].clone())
                    } else {
                        programs[program].refused(&errors)
                    };
                    verdicts.insert(program, verdict);
                }
            }
        }
        let mut todo: BTreeSet<usize> = (0..programs.len())
            .filter(|i| !verdicts.contains_key(i))
            .collect();
        while !todo.is_empty() {
            let text = self.execute(name, programs, &todo);
            let mut started = None;
            let mut wrong: BTreeMap<usize, Vec<String>> = BTreeMap::new();
            for line in text.lines() {
                let mut words = line.splitn(3, ' ');
                let kind = words.next().unwrap_or_default();
                let Some(number) = words.next().and_then(|n| n.parse::<usize>().ok()) else {
                    continue;
                };
                let Some(i) = programs.iter().position(|p| p.number() == number) else {
                    continue;
                };
                let rest = words.next().unwrap_or_default();
                match kind {
                    "start" => started = Some(i),
                    "wrong" => wrong.entry(i).or_default().push(rest.to_string()),
                    "done" => {
                        started = None;
                        todo.remove(&i);
                        let right = Verdict::Right(rest.to_owned());
                        let verdict = wrong
                            .remove(&i)
                            .map_or(right, |lines| Verdict::Wrong(lines.join("\n")));
                        verdicts.insert(i, verdict);
                    }
                    _ => {}
                }
            }
            // A program that ended the process, or did not end.
            let ended = started.or_else(|| todo.first().copied());
            if let Some(i) = ended.filter(|i| todo.remove(i)) {
                let tail: String = text.lines().rev().take(3).collect::<Vec<_>>().join("\n");
                verdicts.insert(
                    i,
                    Verdict::Wrong(format!("it ended the process, or did not end: {tail}")),
                );
            }
        }
        verdicts.into_values().collect()
    }

    /// Compiles a crate; the errors by program if it fails.
    fn compile(
        &self,
        name: &str,
        text: &Crate,
        plain: bool,
    ) -> Result<(), BTreeMap<usize, Vec<String>>> {
        let file = self
            .folder
            .join(format!("{name}{}.rs", if plain { "_plain" } else { "" }));
        std::fs::write(&file, &text.source).expect("the crate is written");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        command
            .arg("--edition=2024")
            .arg(&file)
            .args(["--error-format=json", "--cap-lints=allow"]);
        command.args([
            "--crate-type=bin",
            "--crate-name=programs",
            "-Ccodegen-units=2",
        ]);
        command.args(&self.flags);
        if plain {
            command
                .arg("--emit=metadata")
                .arg("-o")
                .arg(self.folder.join(format!("{name}.rmeta")));
        } else {
            command.arg("-o").arg(self.folder.join(name));
        }
        let output = command.args(&self.externs).output().expect("rustc runs");
        if output.status.success() {
            return Ok(());
        }
        let mut errors: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let stderr = String::from_utf8_lossy(&output.stderr);
        for line in stderr.lines() {
            let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            if message["level"] != "error" {
                continue;
            }
            let program = line_of(&message, &file).and_then(|line| text.program(line));
            if let Some(program) = program {
                let rendered = message["rendered"].as_str().unwrap_or_default();
                errors
                    .entry(program)
                    .or_default()
                    .push(rendered.to_string());
            }
        }
        if errors.is_empty() {
            eprintln!("{stderr}");
        }
        Err(errors)
    }

    /// Runs programs of the crate that was built last; what it printed until it ended, or said nothing for too long.
    fn execute<P: Judged>(&self, name: &str, programs: &[P], todo: &BTreeSet<usize>) -> String {
        let mut child = Command::new(self.folder.join(name))
            .args(todo.iter().map(|i| programs[*i].number().to_string()))
            .env_remove("ACCRUE_DEVICE")
            .env_remove("ACCRUE_STRATEGY")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the crate that was built runs");
        let stdout = child.stdout.take().expect("it is piped");
        let (send, lines) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let sent = line.map(|line| send.send(line));
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
        });
        let mut text = String::new();
        loop {
            match lines.recv_timeout(SILENCE) {
                Ok(line) => {
                    text.push_str(&line);
                    text.push('\n');
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => child.kill().expect("a child can be ended"),
            }
        }
        child.wait().expect("a child can be waited for");
        reader.join().expect("the reader does not panic");
        text
    }
}

/// A crate of programs, and on which lines each is.
struct Crate {
    source: String,
    lines: Vec<(usize, usize, usize)>,
}

impl Crate {
    fn of<P: Judged>(programs: &[P], without: &BTreeMap<usize, Verdict>, plain: bool) -> Crate {
        let mut source = format!("#![allow(warnings)]\n{}\n", P::PRELUDE);
        let mut lines = Vec::new();
        let mut line = 3;
        let mut names = Vec::new();
        for (i, program) in programs.iter().enumerate() {
            if without.contains_key(&i) {
                continue;
            }
            let module = program.module(plain);
            let next = line + module.lines().count();
            source.push_str(&module);
            lines.push((line, next - 1, i));
            line = next;
            names.push(program.number());
        }
        let _ = writeln!(
            source,
            "fn main() {{\n    let mut judge = {}::new();",
            P::JUDGE
        );
        for number in names {
            let _ = writeln!(source, "    p{number}::check(&mut judge);");
        }
        source.push_str("}\n");
        Crate { source, lines }
    }

    fn program(&self, line: usize) -> Option<usize> {
        let found = self
            .lines
            .iter()
            .find(|(first, last, _)| (first..=last).contains(&&line));
        found.map(|(_, _, i)| *i)
    }
}

/// The line of a file that a message of rustc is about, itself or by what expands to it.
fn line_of(message: &serde_json::Value, file: &Path) -> Option<usize> {
    fn of(span: &serde_json::Value, file: &str) -> Option<usize> {
        if span["file_name"] == file {
            return span["line_start"].as_u64().map(|n| n as usize);
        }
        let expansion = &span["expansion"];
        if expansion.is_null() {
            None
        } else {
            of(&expansion["span"], file)
        }
    }
    let file = file.to_str()?;
    let spans = message["spans"].as_array()?;
    let primary = spans.iter().filter(|s| s["is_primary"] == true);
    let first = primary.chain(spans).find_map(|s| of(s, file));
    first.or_else(|| {
        message["children"]
            .as_array()?
            .iter()
            .find_map(|c| line_of(c, Path::new(file)))
    })
}
