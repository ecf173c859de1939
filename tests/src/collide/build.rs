//! Programs through rustc: many in one crate, those that do not build set aside, the rest run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::program::Program;

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
    /// It ran and agreed everywhere.
    Right {
        /// Whether the last call ran a kernel.
        kernels: bool,
        /// How many of its calls panicked.
        panics: usize,
    },
}

/// Where rustc finds the crates that programs need, and where it works.
#[derive(Clone, Debug)]
pub struct Rustc {
    externs: Vec<String>,
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
        command.args(["build", "--locked", "--message-format=json"]);
        command.args(wanted.split_whitespace());
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
            folder: folder.to_owned(),
        }
    }

    /// Builds and runs programs, and says what became of each, in their order.
    ///
    /// # Panics
    ///
    /// If rustc fails without saying of which program.
    pub fn judge(&self, name: &str, programs: &[Program]) -> Vec<Verdict> {
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
                        classify(&programs[program], &errors)
                    };
                    verdicts.insert(program, verdict);
                }
            }
        }
        let mut todo: BTreeSet<usize> = (0..programs.len())
            .filter(|i| !verdicts.contains_key(i))
            .collect();
        let limit = Duration::from_secs(60 + todo.len() as u64);
        while !todo.is_empty() {
            let text = self.execute(name, programs, &todo, limit);
            let mut started = None;
            let mut wrong: BTreeMap<usize, Vec<String>> = BTreeMap::new();
            for line in text.lines() {
                let mut words = line.splitn(3, ' ');
                let kind = words.next().unwrap_or_default();
                let Some(number) = words.next().and_then(|n| n.parse::<usize>().ok()) else {
                    continue;
                };
                let Some(i) = programs.iter().position(|p| p.number == number) else {
                    continue;
                };
                let rest = words.next().unwrap_or_default();
                match kind {
                    "start" => started = Some(i),
                    "wrong" => wrong.entry(i).or_default().push(rest.to_string()),
                    "done" => {
                        started = None;
                        todo.remove(&i);
                        let (kernels, panics) = rest.split_once(' ').unwrap_or_default();
                        let right = Verdict::Right {
                            kernels: kernels == "kernels",
                            panics: panics.parse().unwrap_or_default(),
                        };
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

    /// Runs programs of the crate that was built last; what it printed.
    fn execute(
        &self,
        name: &str,
        programs: &[Program],
        todo: &BTreeSet<usize>,
        limit: Duration,
    ) -> String {
        let mut child = Command::new(self.folder.join(name))
            .args(todo.iter().map(|i| programs[*i].number.to_string()))
            .env_remove("ACCRUE_DEVICE")
            .env_remove("ACCRUE_STRATEGY")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the crate that was built runs");
        let mut stdout = child.stdout.take().expect("it is piped");
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stdout.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let start = Instant::now();
        while child
            .try_wait()
            .expect("a child can be waited for")
            .is_none()
        {
            if start.elapsed() > limit {
                child.kill().expect("a child can be ended");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        reader.join().expect("the reader does not panic")
    }
}

/// A crate of programs, and on which lines each is.
struct Crate {
    source: String,
    lines: Vec<(usize, usize, usize)>,
}

impl Crate {
    fn of(programs: &[Program], without: &BTreeMap<usize, Verdict>, plain: bool) -> Crate {
        let mut source = String::from("#![allow(warnings)]\n");
        let mut lines = Vec::new();
        let mut line = 2;
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
            names.push(program.number);
        }
        source.push_str(
            "fn main() {\n    let mut judge = ::accrue_tests::collide::judge::Judge::new();\n",
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

/// Whether rustc's errors are a refusal, and of which class.
fn classify(program: &Program, errors: &[String]) -> Verdict {
    let all = errors.join("\n");
    for error in errors {
        if let Some(at) = error.find("accrue::H") {
            let code: String = error[at..].chars().take(12).collect();
            // That one says that the compiler is wrong.
            if code != "accrue::H099" {
                return Verdict::Refused(code, all);
            }
            return Verdict::Broken(all);
        }
    }
    let mut class = None;
    for error in errors {
        // What a macro that is not found would have emitted is missed elsewhere.
        if error.contains("`offloaded`")
            && !error.contains("is ambiguous")
            && !error.contains("resolution for the macro")
        {
            continue;
        }
        match RUSTC.iter().find(|(_, is)| is(program, error)) {
            Some((known, _)) => class = Some(*known),
            None => return Verdict::Broken(all),
        }
    }
    match class {
        Some(class) => Verdict::Refused(class.to_string(), all),
        None => Verdict::Broken(all),
    }
}

/// A question about one of rustc's messages.
type Is = fn(&Program, &str) -> bool;

/// Errors of rustc's own that the attribute cannot turn into one of ours: all that is taken for a refusal without a code.
const RUSTC: &[(&str, Is)] = &[
    // A device function or struct hides another one that a glob import brings. Beside each stand a macro and a type of its name, which the
    // attribute emits, and rustc lets no name that a macro emitted hide one from a glob import. A macro cannot see imports.
    (
        "E0659, a device item hides one from a glob import",
        |_, error| {
            error.starts_with("error[E0659]")
            && [
                "ambiguous because of multiple glob imports of a name in the same module",
                "ambiguous because of a conflict between a name from a glob import and a macro-expanded name in the same module",
                "ambiguous because of a conflict between a macro-expanded name and a less macro-expanded name from outer scope",
            ]
            .iter()
            .any(|why| error.contains(why))
            && (error.contains("could refer to the macro imported here")
                || error.contains("could refer to the enum imported here"))
        },
    ),
    // A macro of the program's own has the name of one of the standard library's, which kernels are printed for: rustc shows both.
    (
        "E0659, a macro named as one of the standard library's",
        |_, error| {
            let name = error
                .strip_prefix("error[E0659]: `")
                .and_then(|rest| rest.split('`').next());
            name.is_some_and(|name| super::macros::STANDARD.contains(&name))
        },
    ),
    // Several modules import each other's names in circles, and rustc finds no end to it where a macro is among them.
    (
        "a device item that rustc cannot find through the imports",
        |_, error| error.starts_with("error: cannot determine resolution for the macro"),
    ),
    // Two traits have a method for references that numbers have as well. For a value of unknown type rustc is asked which it is.
    ("E0034, a method of two traits", |_, error| {
        error.starts_with("error[E0034]")
            && error.matches("defined in an impl of the trait").count() == 2
    }),
    // A parameter in capitals, which a glob import in the function hides: a constant where the parts of the loop are handed it.
    ("E0005, a parameter in capitals", |program, error| {
        error.starts_with("error[E0005]")
            && ["N", "K", "MASK", "WIDTH"]
                .iter()
                .any(|name| program.source.contains(&format!(", {name}: u32")))
    }),
    // A name in capitals in a pattern is taken for a constant, whose value the kernel is given. Where there is none it binds, and only
    // rustc knows.
    ("E0425, a binding in capitals", |program, error| {
        let name = error
            .strip_prefix("error[E0425]: cannot find value `")
            .and_then(|rest| rest.split('`').next());
        name.is_some_and(|name| {
            name.starts_with(char::is_uppercase)
                && program.source.contains(&format!("{{ {name} => "))
        })
    }),
];
