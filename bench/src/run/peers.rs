//! The peers of `bench/peers`: programs that are asked, one job a line, and answer in JSON.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context;
use serde::Deserialize;

/// What is asked of every peer.
pub(super) struct Job<'a> {
    /// A block of keys.
    pub(super) keys: &'a [u64],
    /// The keys' type.
    pub(super) key: &'a str,
    /// How often the block is repeated.
    pub(super) blocks: usize,
    /// Bins.
    pub(super) bins: usize,
    /// A block of weights; without, keys are counted.
    pub(super) weights: Option<&'a [f64]>,
    /// The type of the bins, and of the weights.
    pub(super) bin: &'a str,
}

/// What a peer answers.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    /// Its name.
    pub(super) peer: String,
    /// Its median time in microseconds.
    pub(super) us: Option<f64>,
    /// The total of its bins.
    pub(super) sum: Option<f64>,
    /// The total of its bins times their numbers.
    pub(super) moment: Option<f64>,
    /// Why it did not do the job.
    #[serde(default)]
    pub(super) skip: String,
}

/// The peers that run.
pub(super) struct Peers {
    running: Vec<Peer>,
    /// What is asked of them is written into files here.
    keys: PathBuf,
    weights: PathBuf,
}

struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peers {
    /// Starts those of the named that are in the folder; nothing without one.
    pub(super) fn start(folder: Option<&Path>, names: &[&str]) -> anyhow::Result<Peers> {
        let file =
            |what: &str| std::env::temp_dir().join(format!("accrue-{what}-{}", std::process::id()));
        let (keys, weights) = (file("keys"), file("weights"));
        let mut running = Vec::new();
        let Some(folder) = folder else {
            return Ok(Peers {
                running,
                keys,
                weights,
            });
        };
        for name in names {
            let path = folder.join(name);
            if !path.exists() {
                println!("no peer `{name}` in {}", folder.display());
                continue;
            }
            let mut command = if name.ends_with(".py") {
                let mut python = Command::new("python3");
                python.arg(&path);
                python
            } else {
                Command::new(&path)
            };
            // Private copies of a reduction are on a thread's stack, and may be larger than its default.
            let mut child = command
                .env("OMP_STACKSIZE", "64M")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .with_context(|| format!("cannot start {}", path.display()))?;
            let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
                unreachable!("both were asked for")
            };
            running.push(Peer {
                child,
                input,
                output: BufReader::new(output),
            });
        }
        Ok(Peers {
            running,
            keys,
            weights,
        })
    }

    /// Every peer's answers. A peer that ends is left out from then on.
    pub(super) fn ask(&mut self, job: &Job<'_>) -> anyhow::Result<Vec<Answer>> {
        if self.running.is_empty() {
            return Ok(Vec::new());
        }
        let mut bytes = Vec::new();
        for key in job.keys {
            let width = match job.key {
                "u8" => 1,
                "u16" => 2,
                "u32" => 4,
                _ => 8,
            };
            bytes.extend_from_slice(&key.to_le_bytes()[..width]);
        }
        write(&self.keys, &bytes)?;
        let mut weights = "count".into();
        if let Some(all) = job.weights {
            bytes.clear();
            for &weight in all {
                match job.bin {
                    "f32" => bytes.extend_from_slice(&(weight as f32).to_le_bytes()),
                    _ => bytes.extend_from_slice(&weight.to_le_bytes()),
                }
            }
            write(&self.weights, &bytes)?;
            weights = self.weights.display().to_string();
        }
        let line = format!(
            "{} {} {} {} {} {weights} {}\n",
            self.keys.display(),
            job.key,
            job.keys.len(),
            job.blocks,
            job.bins,
            job.bin
        );
        Ok(self.ask_line(&line))
    }

    /// Every peer's answers to a line of one's own, whose files are written already.
    pub(super) fn ask_line(&mut self, line: &str) -> Vec<Answer> {
        let mut answers = Vec::new();
        self.running.retain_mut(|peer| match peer.ask(line) {
            Ok(mut said) => {
                answers.append(&mut said);
                true
            }
            Err(e) => {
                eprintln!("a peer ended: {e:#}");
                false
            }
        });
        answers
    }
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

impl Peer {
    fn ask(&mut self, line: &str) -> anyhow::Result<Vec<Answer>> {
        self.input.write_all(line.as_bytes())?;
        self.input.flush()?;
        let mut answers = Vec::new();
        loop {
            let mut said = String::new();
            anyhow::ensure!(
                self.output.read_line(&mut said)? > 0,
                "no answer to `{}`",
                line.trim()
            );
            let answer: Answer =
                serde_json::from_str(&said).with_context(|| format!("in `{}`", said.trim()))?;
            if answer.peer == "end" {
                return Ok(answers);
            }
            answers.push(answer);
        }
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        for Peer {
            mut child, input, ..
        } in self.running.drain(..)
        {
            drop(input);
            // A peer ends with its input; one that is gone already is no concern.
            let _ = child.wait();
        }
        for file in [&self.keys, &self.weights] {
            let _ = std::fs::remove_file(file);
        }
    }
}
