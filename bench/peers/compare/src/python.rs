//! `peers.py`, which fills histograms in Python.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};
use serde_json::Value;

/// The program, while it runs.
pub(crate) struct Python {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// What came of a job.
pub(crate) struct Answer {
    /// Microseconds.
    pub(crate) us: f64,
    /// The bins; empty where they are not to be compared.
    pub(crate) bins: Vec<f64>,
}

impl Python {
    /// Starts it by an interpreter.
    pub(crate) fn start(interpreter: &str) -> anyhow::Result<Python> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers.py");
        let mut child = Command::new(interpreter)
            .args(["-u", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {interpreter}"))?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        Ok(Python {
            child,
            input,
            output,
        })
    }

    /// Runs a job once.
    pub(crate) fn ask(&mut self, job: &str) -> anyhow::Result<Answer> {
        writeln!(self.input, "{job}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Value =
            serde_json::from_str(&line).with_context(|| format!("no answer to `{job}`: {line}"))?;
        if let Some(why) = answer["skip"].as_str() {
            bail!("{why}");
        }
        let bins = answer["bins"].as_array().context("no bins")?;
        Ok(Answer {
            us: answer["us"].as_f64().context("no time")?,
            bins: bins.iter().filter_map(Value::as_f64).collect(),
        })
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It ends when its input does; whoever stops early does not wait for it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
