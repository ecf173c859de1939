//! Runs one program: the plain function, and the offloaded one in every way that the CPU has, over several arguments.
//!
//! The crate that [`Rustc`](crate::rustc::Rustc) writes calls it, so that what is the same for all programs is compiled once.

use std::fmt;
use std::time::{Duration, Instant};

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, with_device};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::data;
use super::ends::{End, Order, differs};
use super::program::Kind;
use crate::cases::Call;
use crate::choices::Choices;
use crate::data::params;
use crate::quiet::{Quiet, quiet};

/// Ways of splitting loops that do more than fill bins.
const WAYS: [&str; 7] = [
    "sequential",
    "private:workers=1,parts=1",
    "private:workers=1,parts=7",
    "private:workers=2,parts=2",
    "private:workers=4,parts=7",
    "private:workers=3,parts=100000",
    "private:workers=3",
];

/// A plain loop that takes longer is not run in every way.
const LONG: Duration = Duration::from_millis(10);

/// A program, compiled.
#[derive(Clone, Copy)]
pub struct Loop {
    /// Its number.
    pub number: usize,
    /// What its loop does.
    pub kind: Kind,
    /// Whether it has several loops, or may have: what the first have done stays where another one panics.
    pub steps: bool,
    /// The function as it was drawn.
    pub drawn: &'static str,
    /// Calls it as it is.
    pub plain: Call,
    /// Calls the offloaded one.
    pub offloaded: Call,
    /// What the offloaded one says of itself.
    pub explain: fn() -> String,
}

/// The judge of a crate of programs. What it finds goes to standard output, a line each.
pub struct Judge {
    pools: Vec<ThreadPool>,
    /// The programs to run; all of them, if it is empty.
    only: Vec<usize>,
    _quiet: Quiet,
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge")
            .field("only", &self.only)
            .finish_non_exhaustive()
    }
}

impl Judge {
    /// A judge of the programs that the command line names.
    ///
    /// # Panics
    ///
    /// If an argument is no number.
    pub fn new() -> Judge {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        Judge {
            pools: (1..4).map(|n| pool(n).expect("threads")).collect(),
            only: std::env::args()
                .skip(1)
                .map(|n| n.parse().expect("the number of a program"))
                .collect(),
            _quiet: quiet(),
        }
    }

    /// Runs a program.
    pub fn run(&mut self, program: &Loop) {
        if !self.only.is_empty() && !self.only.contains(&program.number) {
            return;
        }
        println!("start {}", program.number);
        let mut choices = Choices::seeded(program.number as u64);
        let params = params(&syn::parse_str(program.drawn).expect("a function"));
        let told = (program.explain)();
        let order = Order {
            steps: program.steps || told.contains(" stays sequential: "),
            plain: told.contains(" stays in order on the cpu: "),
            // A method says nothing.
            once: told.is_empty() || told.contains("calls code that is not known here"),
        };
        let (mut calls, mut panics, mut split) = (0, 0, 0);
        for before in data::all(program.kind, program.drawn, &params, &mut choices) {
            let call = |form: Call| {
                let mut data = before.clone();
                let result = form(&mut data);
                End { result, data }
            };
            let start = Instant::now();
            let right = call(program.plain);
            let long = start.elapsed() > LONG;
            panics += usize::from(right.result.is_err());
            let mut compare = |way: &str, threads: usize, end: &End| {
                calls += 1;
                if let Some(how) = differs(program.kind, order, &params, &before, &right, end) {
                    println!("wrong {} {way} on {threads}: {how}", program.number);
                }
            };
            let seq = with_device(Device::Seq, || call(program.offloaded));
            // After a panic it leaves what the plain loop does.
            if right.result.is_ok() || seq.result != right.result {
                compare("seq", 1, &seq);
            }
            #[cfg(feature = "sim")]
            {
                let sim = with_device(Device::Sim, || call(program.offloaded));
                // A bin that overflows wraps around there.
                let wraps =
                    matches!(&right.result, Err(panic) if panic.ends_with(" with overflow"));
                if sim.result.is_err() || !wraps {
                    compare("sim", 1, &sim);
                }
            }
            let on = |threads: usize, way: Option<&str>| {
                self.pools[threads - 1].install(|| {
                    with_device(Device::Cpu, || match way {
                        Some(way) => with_strategy(way, || call(program.offloaded)),
                        None => call(program.offloaded),
                    })
                })
            };
            for threads in 1..=self.pools.len() {
                compare("by itself", threads, &on(threads, None));
            }
            for way in WAYS.into_iter().chain(trials()) {
                if long && choices.chance(3, 4) {
                    continue;
                }
                let threads = 1 + choices.below(self.pools.len());
                compare(way, threads, &on(threads, Some(way)));
                if way == WAYS[4] {
                    split += usize::from((program.explain)().contains(" 4 workers"));
                }
            }
        }
        // For whoever runs the crate by hand.
        if std::env::var_os("ACCRUE_TELL").is_some() {
            eprintln!("{}: {}", program.number, (program.explain)());
        }
        println!("done {} {calls} {panics} {split}", program.number);
    }
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new()
    }
}
