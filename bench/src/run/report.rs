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

/// A loop on some data, in 10^9 updates a second, medians of the quietest of some rounds.
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
    /// Accrue over the others, medians of turns.
    pub(super) over: Over,
    /// How quiet the machine was.
    pub(super) quiet: Quiet,
    /// What accrue did.
    pub(super) strategy: String,
}

/// How many times as fast as something else, turn by turn: what slows the machine down for a while slows down both.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Over {
    /// The sequential loop.
    pub(super) sequential: f64,
    /// `fold` and `reduce`.
    pub(super) rayon: f64,
    /// GCC's array reduction.
    pub(super) openmp: Option<f64>,
}

/// How much others disturbed a round.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Quiet {
    /// How many rounds there were, of which this was the quietest.
    pub(super) rounds: usize,
    /// The most that the median of a form is above its least, as a part of that.
    pub(super) spread: f64,
    /// The part of all cores' time that other processes and other virtual machines took, where the system tells it.
    pub(super) others: f64,
}

impl Quiet {
    /// What a round may have: more, and there is another one.
    const SPREAD: f64 = 0.1;
    /// The same of others.
    const OTHERS: f64 = 0.05;

    /// Whether nobody disturbed it.
    pub(super) fn is_enough(&self) -> bool {
        self.spread <= Quiet::SPREAD && self.others <= Quiet::OTHERS
    }

    /// What rounds are ordered by.
    pub(super) fn disturbed(&self) -> f64 {
        self.spread + self.others
    }
}

/// The cores' time so far, in ticks: all of it, and what others took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cores {
    all: i64,
    others: i64,
}

impl Cores {
    /// As Linux tells it; nothing elsewhere.
    pub(super) fn now() -> Cores {
        let numbers = |path: &str, after: &str| -> Vec<i64> {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let line = text.lines().next().unwrap_or_default();
            let fields = line.rsplit_once(after).map_or("", |(_, fields)| fields);
            fields
                .split_whitespace()
                .filter_map(|f| f.parse().ok())
                .collect()
        };
        // user, nice, system, idle, iowait, irq, softirq, steal
        let all = numbers("/proc/stat", "cpu");
        // What follows the name begins with a letter, which is no number; utime and stime are the eleventh and twelfth number after it.
        let own = numbers("/proc/self/stat", ")");
        let (Some(times), Some(own)) = (all.get(..8), own.get(10..12)) else {
            return Cores::default();
        };
        let total: i64 = times.iter().sum();
        let busy = total - times[3] - times[4];
        Cores {
            all: total,
            others: busy - own.iter().sum::<i64>(),
        }
    }

    /// The part that others took since `before`.
    pub(super) fn others_since(self, before: Cores) -> f64 {
        let part = (self.others - before.others).max(0) as f64;
        part / (self.all - before.all).max(1) as f64
    }
}

impl Report {
    /// The heading of the table.
    pub(super) fn heading(&self) -> String {
        format!(
            "{}, {} threads, {} items, median of {}; 10^9 updates a second; spread: what a median is above the least, and others' part of the cores\n\
             {:<11}{:>9}  {:<9}{:>10}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}{:>12}  strategy",
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
            "spread",
        )
    }

    /// What the table comes to: the rows that are behind, and how quiet it was.
    pub(super) fn summary(&self) -> String {
        let behind: Vec<_> = self.rows.iter().filter(|row| row.least() < LEVEL).collect();
        let names = behind
            .iter()
            .map(|row| {
                format!(
                    "{} {} {} {:.2}",
                    row.loop_name,
                    row.bins,
                    row.distribution,
                    row.least()
                )
            })
            .collect::<Vec<_>>()
            .join(", ");
        let again = self.rows.iter().filter(|row| row.quiet.rounds > 1).count();
        let loud = self
            .rows
            .iter()
            .filter(|row| !row.quiet.is_enough())
            .count();
        format!(
            "{} of {} rows are at {LEVEL} of the sequential loop and of every peer, or above{}{names}\n\
             {again} rows were measured again, since they were disturbed; {loud} were in every round",
            self.rows.len() - behind.len(),
            self.rows.len(),
            if behind.is_empty() { "" } else { "; below: " },
        )
    }
}

/// What no row is to be below.
const LEVEL: f64 = 0.98;

impl Row {
    /// The least that accrue is over one of the others.
    pub(super) fn least(&self) -> f64 {
        let Over {
            sequential,
            rayon,
            openmp,
        } = self.over;
        sequential.min(rayon).min(openmp.unwrap_or(f64::INFINITY))
    }

    /// A line of the table.
    pub(super) fn line(&self) -> String {
        let or_dash = |speed: Option<f64>| speed.map_or("-".to_owned(), |s| format!("{s:.2}"));
        format!(
            "{:<11}{:>9}  {:<9}{:>10.2}{:>8.2}{:>8}{:>8.2}{:>8.2}{:>9.2}{:>9}{:>12}  {}",
            self.loop_name,
            self.bins,
            self.distribution,
            self.sequential,
            self.rayon,
            or_dash(self.openmp),
            self.accrue,
            self.over.sequential,
            self.over.rayon,
            or_dash(self.over.openmp),
            format!(
                "{:.0} %, {:.0} %",
                100.0 * self.quiet.spread,
                100.0 * self.quiet.others
            ),
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
