//! The peers of `bench/peers`: programs that are asked, one job a line, and answer in JSON.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context;
use serde::Deserialize;

/// What is asked of every peer.
pub(super) struct Job<'a> {
    /// A block of keys, little endian.
    pub(super) keys: Vec<u8>,
    /// How often the block is repeated.
    pub(super) blocks: usize,
    /// The keys' type.
    pub(super) key: &'a str,
    /// Keys in all.
    pub(super) items: usize,
    /// Bins.
    pub(super) bins: usize,
    /// Their type.
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
    /// Why it did not do the job.
    #[serde(default)]
    pub(super) skip: String,
}

/// The peers that run.
pub(super) struct Peers {
    running: Vec<Peer>,
    keys: PathBuf,
}

struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peers {
    /// Starts what is in the folder; nothing without one.
    pub(super) fn start(folder: Option<&Path>) -> anyhow::Result<Peers> {
        let keys = std::env::temp_dir().join(format!("accrue-keys-{}", std::process::id()));
        let mut running = Vec::new();
        let Some(folder) = folder else {
            return Ok(Peers { running, keys });
        };
        for name in ["cub", "openacc", "arrays.py"] {
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
            let mut child = command
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
        Ok(Peers { running, keys })
    }

    /// Every peer's answers. A peer that ends is left out from then on.
    pub(super) fn ask(&mut self, job: &Job<'_>) -> anyhow::Result<Vec<Answer>> {
        if self.running.is_empty() {
            return Ok(Vec::new());
        }
        let mut file = std::fs::File::create(&self.keys)
            .with_context(|| format!("cannot write {}", self.keys.display()))?;
        for _ in 0..job.blocks {
            file.write_all(&job.keys)?;
        }
        drop(file);
        let line = format!(
            "{} {} {} {} count {}\n",
            self.keys.display(),
            job.key,
            job.items,
            job.bins,
            job.bin
        );
        let mut answers = Vec::new();
        self.running.retain_mut(|peer| match peer.ask(&line) {
            Ok(mut said) => {
                answers.append(&mut said);
                true
            }
            Err(e) => {
                eprintln!("a peer ended: {e:#}");
                false
            }
        });
        Ok(answers)
    }
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
        let _ = std::fs::remove_file(&self.keys);
    }
}
