//! The times of an example: the sequential loop and the offloaded one in turns, as lines for people and as CSV.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use accrue::Device;
use anyhow::{Context, Result};

use crate::args::{Common, make_folder_of, shown};
use crate::timing::{machine, median, rate};

/// The fewest turns, and for how long turns are taken if they are short and nobody says how many.
const TURNS: usize = 3;
const LONG_ENOUGH: Duration = Duration::from_millis(500);

/// The times of one example.
#[derive(Debug)]
pub struct Report {
    example: &'static str,
    device: Device,
    strategy: String,
    repeat: Option<usize>,
    csv: Option<PathBuf>,
    rows: String,
    begun: bool,
}

impl Report {
    /// An empty one.
    pub fn new(example: &'static str, common: &Common) -> Report {
        Report {
            example,
            device: common.device,
            strategy: common.strategy.clone().unwrap_or_else(|| "auto".into()),
            repeat: common.repeat,
            csv: common.csv.clone(),
            rows: "example,loop,device,strategy,turn,seconds,updates\n".into(),
            begun: false,
        }
    }

    /// Lets a loop run in order and on the device that was asked for, in turns, so that what slows the machine down for a
    /// while slows both; says what they took by their medians, and returns these.
    ///
    /// `run` gets [`Device::Seq`] for the sequential loop. `updates` are those of one run, or the elements that it writes.
    pub fn in_turns(
        &mut self,
        title: &str,
        updates: u64,
        mut run: impl FnMut(Device),
    ) -> (Duration, Duration) {
        let start = Instant::now();
        let mut times = (Vec::new(), Vec::new());
        let enough = |taken: usize| match self.repeat {
            Some(repeat) => taken >= repeat,
            None => taken >= TURNS && start.elapsed() >= LONG_ENOUGH,
        };
        while !enough(times.0.len()) {
            for (device, times) in [(Device::Seq, &mut times.0), (self.device, &mut times.1)] {
                let before = Instant::now();
                run(device);
                times.push(before.elapsed());
            }
        }
        for (device, times) in [(Device::Seq, &times.0), (self.device, &times.1)] {
            self.keep(title, device, times, updates);
        }
        let (plain, offloaded) = (median(times.0), median(times.1));
        self.print(title, updates, plain, offloaded);
        (plain, offloaded)
    }

    /// Takes the times of a loop that has run once each way.
    pub fn once(&mut self, title: &str, updates: u64, plain: Duration, offloaded: Duration) {
        self.keep(title, Device::Seq, &[plain], updates);
        self.keep(title, self.device, &[offloaded], updates);
        self.print(title, updates, plain, offloaded);
    }

    /// Keeps the times of a loop that ran on the device alone, by a strategy of its own, for the CSV.
    pub fn way(&mut self, title: &str, strategy: &str, times: &[Duration], updates: u64) {
        let asked = std::mem::replace(&mut self.strategy, strategy.to_owned());
        self.keep(title, self.device, times, updates);
        self.strategy = asked;
    }

    fn keep(&mut self, title: &str, device: Device, times: &[Duration], updates: u64) {
        let (example, strategy) = (self.example, &self.strategy);
        for (turn, time) in times.iter().enumerate() {
            let seconds = time.as_secs_f64();
            let row = format!(
                "{example},\"{title}\",{device},\"{strategy}\",{turn},{seconds:.9},{updates}"
            );
            let _ = writeln!(self.rows, "{row}");
        }
    }

    fn print(&mut self, title: &str, updates: u64, plain: Duration, offloaded: Duration) {
        if !std::mem::replace(&mut self.begun, true) {
            println!("machine     {}", machine());
        }
        println!("{title:<11} in order   {}", rate(updates, plain));
        println!(
            "{:<11} {:<10} {}   {:.2} times as fast",
            "",
            format!("on `{}`", self.device),
            rate(updates, offloaded),
            plain.as_secs_f64() / offloaded.as_secs_f64().max(1e-9)
        );
    }

    /// Writes the CSV, where one is asked for.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(self) -> Result<()> {
        if let Some(path) = &self.csv {
            make_folder_of(path)?;
            std::fs::write(path, &self.rows)
                .with_context(|| format!("cannot write the times to {}", path.display()))?;
            println!("times       {}", shown(path));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        common: Common,
    }

    #[test]
    fn both_ways_have_as_many_turns_and_rows() {
        let file = std::env::temp_dir().join(format!("accrue-report-{}.csv", std::process::id()));
        let name = file.display().to_string();
        let words = ["x", "--repeat", "4", "--device", "cpu", "--csv", &name];
        let common = Options::parse_from(words).common;
        let mut report = Report::new("x", &common);
        let mut turns = Vec::new();
        report.in_turns("loop", 7, |device| turns.push(device));
        assert_eq!(turns, [Device::Seq, Device::Cpu].repeat(4));
        report.once("other", 1, Duration::from_secs(2), Duration::from_secs(1));
        report.finish().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(text.lines().count(), 1 + 8 + 2, "{text}");
        assert!(
            text.contains("x,\"other\",cpu,\"auto\",0,1.000000000,1\n"),
            "{text}"
        );
    }

    #[test]
    fn short_loops_take_turns_for_half_a_second() {
        let common = Options::parse_from(["x"]).common;
        let start = Instant::now();
        let mut runs = 0;
        Report::new("x", &common).in_turns("loop", 1, |_| runs += 1);
        assert!(start.elapsed() >= LONG_ENOUGH && runs >= 2 * TURNS);
    }
}
