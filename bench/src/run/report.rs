//! The figures, as a table and as JSON.

use serde::Serialize;

/// What was measured and on what.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// The processor, as the system names it.
    pub(super) processor: String,
    /// Threads of the pool.
    pub(super) threads: usize,
    /// Items of each loop.
    pub(super) items: usize,
    /// Runs of each loop.
    pub(super) samples: usize,
    /// The figures.
    pub(super) rows: Vec<Row>,
}

/// A loop on some data, in 10^9 updates a second, medians.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// The loop and its keys.
    pub(super) loop_name: &'static str,
    /// Its bins.
    pub(super) bins: usize,
    /// How the keys are distributed.
    pub(super) distribution: &'static str,
    /// The sequential loop.
    pub(super) sequential: f64,
    /// `fold` and `reduce`.
    pub(super) rayon: f64,
    /// GCC's array reduction, where that peer runs.
    pub(super) openmp: Option<f64>,
    /// The same loop under the attribute.
    pub(super) accrue: f64,
    /// What accrue did.
    pub(super) strategy: String,
}

impl Report {
    /// The heading of the table.
    pub(super) fn heading(&self) -> String {
        format!(
            "{}, {} threads, {} items, median of {}; 10^9 updates a second\n\
             {:<11}{:>9}  {:<9}{:>10}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}  strategy",
            self.processor,
            self.threads,
            self.items,
            self.samples,
            "loop",
            "bins",
            "keys",
            "sequential",
            "rayon",
            "OpenMP",
            "accrue",
            "/ seq",
            "/ rayon",
            "/ OpenMP",
        )
    }
}

impl Row {
    /// A line of the table.
    pub(super) fn line(&self) -> String {
        let or_dash = |speed: Option<f64>| speed.map_or("-".to_owned(), |s| format!("{s:.2}"));
        format!(
            "{:<11}{:>9}  {:<9}{:>10.2}{:>8.2}{:>8}{:>8.2}{:>8.2}{:>9.2}{:>9}  {}",
            self.loop_name,
            self.bins,
            self.distribution,
            self.sequential,
            self.rayon,
            or_dash(self.openmp),
            self.accrue,
            self.accrue / self.sequential,
            self.accrue / self.rayon,
            or_dash(self.openmp.map(|openmp| self.accrue / openmp)),
            self.strategy,
        )
    }
}

/// The processor's name, where the system tells it.
pub(super) fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or_else(
            || std::env::consts::ARCH.to_owned(),
            |(_, name)| name.trim().to_owned(),
        )
}

/// The line of `explain()` that says what a loop's last run on the CPU did; nothing before the first.
pub(super) fn last_run(explain: &str) -> &str {
    explain
        .lines()
        .find(|line| line.contains(" bytes in all); "))
        .unwrap_or_default()
        .trim()
}
