//! The tests that run kernels, as programs.

use ptx_sim::mutate::LIBRARY;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How a program of the suite ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything passed.
    Passed,
    /// Something failed; the line that says what.
    Failed(String),
    /// It took longer than it may.
    Late,
}

/// A program that runs kernels in the simulator.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is called in reports.
    pub name: String,
    path: PathBuf,
    folder: PathBuf,
    arguments: Vec<String>,
}

/// Folders in which cargo runs the tests of a crate, and the test programs there that run kernels.
const SUITES: [(&str, &[&str]); 3] = [
    ("ptx-kernels", &["strategies", "device_library"]),
    ("tests", &["simulated", "behaviour", "styles", "devices"]),
    (
        "accrue",
        &["kernels", "accrue", "offload", "environment", "buffers"],
    ),
];

impl Program {
    /// A program that runs in a folder.
    pub fn new(name: String, path: PathBuf, folder: PathBuf, arguments: Vec<String>) -> Program {
        Program {
            name,
            path,
            folder,
            arguments,
        }
    }

    /// The test programs that `cargo test ARGUMENTS --no-run` makes, those that are quickest first.
    ///
    /// # Errors
    ///
    /// Cargo does not build them.
    pub fn of_cargo(arguments: &[&str]) -> Result<Vec<Program>, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("the workspace");
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let output = Command::new(cargo)
            .arg("test")
            .args(arguments)
            .args(["--no-run", "--locked", "--message-format=json"])
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        if !output.status.success() {
            return Err("cargo cannot build the tests".to_owned());
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        let mut programs = Vec::new();
        for (folder, names) in SUITES {
            let folder = root.join(folder);
            let manifest = folder.join("Cargo.toml");
            for name in names {
                // One message a line; paths here hold nothing that JSON writes differently.
                let of_it = |l: &&str| {
                    l.contains(&format!("\"manifest_path\":\"{}\"", manifest.display()))
                        && l.contains(&format!("\"name\":\"{name}\""))
                };
                let executable = messages.lines().filter(of_it).find_map(|line| {
                    let (_, rest) = line.split_once("\"executable\":\"")?;
                    rest.split('"').next()
                });
                programs.extend(executable.map(|path| Program {
                    name: format!(
                        "{}/{name}",
                        folder.file_name().unwrap_or_default().display()
                    ),
                    path: path.into(),
                    folder: folder.clone(),
                    arguments: Vec::new(),
                }));
            }
        }
        Ok(programs)
    }

    /// The test programs in a folder, each in one of its crate's name. They run in this machine's copy of the crate, which is
    /// the working folder.
    pub fn of_folder(folder: &Path) -> Vec<Program> {
        // Programs run in another folder.
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let all = SUITES
            .iter()
            .flat_map(|(of, names)| names.iter().map(move |name| (of, name)));
        all.map(|(of, name)| Program {
            name: format!("{of}/{name}"),
            path: folder.join(of).join(name),
            folder: of.into(),
            arguments: Vec::new(),
        })
        .filter(|program| program.path.is_file())
        .collect()
    }

    /// The file that runs.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it runs kernels and little else.
    pub fn is_about_kernels(&self) -> bool {
        let names = ["strategies", "device_library", "simulated"];
        names.iter().any(|name| self.name.ends_with(name))
    }

    /// Whether a test may notice mistakes in the kernels of a strategy. A test in a file that is about one of them runs no
    /// other.
    pub fn concerns(&self, strategy: &str) -> bool {
        let about: &[(&str, &[&str])] = &[
            ("device_library", &[LIBRARY]),
            ("strategies: packed::", &["gang_packed"]),
            ("strategies: split::", &["gang_split"]),
            ("strategies: windows::", &["gang_window"]),
            ("strategies: hot::", &["gang_hot", "gang_packed"]),
            ("strategies: straight::", &["atomic_global", LIBRARY]),
            ("strategies: looks::", &["atomic_global"]),
        ];
        let file = about.iter().find(|(file, _)| self.name.contains(file));
        file.is_none_or(|(_, strategies)| strategies.contains(&strategy))
    }

    /// A part of `accrue-bench check` on the simulator, as the program that was built.
    pub fn of_check(path: &Path, strategy: &str) -> Program {
        // What all kernels share shows with any.
        let strategy = match strategy {
            LIBRARY => "gang_global,gang_shared",
            strategy => strategy,
        };
        let arguments = [
            "check",
            "--device",
            "sim",
            "--quick",
            "--strategies",
            strategy,
        ];
        Program {
            name: format!("check {strategy}"),
            path: path.to_owned(),
            folder: ".".into(),
            arguments: arguments.map(str::to_owned).into(),
        }
    }

    /// The names of its tests.
    ///
    /// # Errors
    ///
    /// It does not run.
    pub fn tests(&self) -> Result<Vec<String>, String> {
        let output = Command::new(&self.path)
            .args(["--list", "--format", "terse"])
            .output()
            .map_err(|e| format!("{}: {e}", self.path.display()))?;
        let list = String::from_utf8_lossy(&output.stdout);
        let tests = list.lines().filter_map(|l| l.strip_suffix(": test"));
        Ok(tests.map(str::to_owned).collect())
    }

    /// Only one of its tests.
    pub fn only(&self, test: &str) -> Program {
        Program {
            name: format!("{}: {test}", self.name),
            arguments: vec!["--exact".to_owned(), test.to_owned()],
            ..self.clone()
        }
    }

    /// Runs it with variables set, until its first failure.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    pub fn run(&self, variables: &[(&str, &str)], limit: Duration) -> Verdict {
        let mut child = Command::new(&self.path)
            .args(&self.arguments)
            .envs(variables.iter().copied())
            .current_dir(&self.folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| panic!("{}: {e}", self.path.display()));
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (late, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let start = Instant::now();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let bad = |l: &String| l.ends_with("... FAILED") || l.starts_with("failed:");
                let first = output.lines().map_while(Result::ok).find(bad);
                over.store(true, Ordering::SeqCst);
                first
            });
            while !over.load(Ordering::SeqCst) {
                if start.elapsed() > limit {
                    late.store(true, Ordering::SeqCst);
                    break;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            // What failed is not waited for; what has closed its output ends by itself.
            let failed = over
                .load(Ordering::SeqCst)
                .then(|| reader.join().expect("it reads"));
            match failed {
                Some(None) => {}
                _ => drop(child.kill()),
            }
            let status = child.wait().expect("it was started");
            match failed {
                _ if late.load(Ordering::SeqCst) => Verdict::Late,
                Some(Some(line)) => Verdict::Failed(line),
                _ if status.success() => Verdict::Passed,
                _ => Verdict::Failed(format!("{status}")),
            }
        })
    }
}
