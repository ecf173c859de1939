//! Runs one program: the plain function, and the offloaded one on every device, over several arguments.
//!
//! The crate that [`Rustc`](crate::rustc::Rustc) writes calls it, so that what is the same for all programs is compiled once.

use std::fmt::{self, Write as _};

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, with_device};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::choices::Choices;
use crate::quiet::{Quiet, expected, quiet};

/// Numbers of items: none, one, fewer and more than parts, more than a gang.
const ITEMS: [usize; 5] = [0, 1, 7, 200, 600];

/// The judge of a crate of programs. What it finds goes to standard output, a line each.
pub struct Judge {
    pool: ThreadPool,
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

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
struct End<B> {
    result: Result<u64, String>,
    bins: Vec<B>,
}

impl Judge {
    /// A judge of the programs that the command line names.
    ///
    /// # Panics
    ///
    /// If an argument is no number.
    pub fn new() -> Judge {
        let pool = ThreadPoolBuilder::new().num_threads(3).build();
        Judge {
            pool: pool.expect("three threads"),
            only: std::env::args()
                .skip(1)
                .map(|n| n.parse().expect("the number of a program"))
                .collect(),
            _quiet: quiet(),
        }
    }

    /// Runs a program: `start` makes what bins hold before the call, both forms take items and bins.
    pub fn program<B: Copy + PartialEq + fmt::Debug + Send + Sync>(
        &mut self,
        number: usize,
        start: impl Fn(u32) -> B,
        plain: impl Fn(&[u32], &mut Vec<B>) -> u64 + Sync,
        offloaded: impl Fn(&[u32], &mut Vec<B>) -> u64 + Sync,
        explain: impl Fn() -> String,
    ) {
        if !self.only.is_empty() && !self.only.contains(&number) {
            return;
        }
        println!("start {number}");
        let mut choices = Choices::seeded(number as u64);
        let mut panics = 0;
        for items in ITEMS {
            let data: Vec<u32> = (0..items).map(|_| item(&mut choices)).collect();
            let bins: Vec<B> = (0..16).map(|_| start(choices.bits() % 4)).collect();
            let call = |f: &(dyn Fn(&[u32], &mut Vec<B>) -> u64 + Sync)| {
                let mut bins = bins.clone();
                let result = expected(|| f(&data, &mut bins));
                End { result, bins }
            };
            let mut right = call(&plain);
            if right.result.is_err() {
                // What the plain loop left half done is put back by the offloaded one.
                right.bins.clone_from(&bins);
                panics += 1;
            }
            let compare = |device: &str, end: End<B>| {
                if end != right {
                    println!("wrong {number} {device}: {}", told(items, &right, &end));
                }
            };
            compare(
                "seq",
                with_device(Device::Seq, || {
                    let mut end = call(&offloaded);
                    if end.result.is_err() {
                        end.bins.clone_from(&bins);
                    }
                    end
                }),
            );
            self.pool.install(|| {
                with_device(Device::Cpu, || {
                    compare("cpu", call(&offloaded));
                    // It would leave the loop in order by itself.
                    for strategy in trials() {
                        compare(strategy, with_strategy(strategy, || call(&offloaded)));
                    }
                });
            });
            #[cfg(feature = "sim")]
            compare("sim", with_device(Device::Sim, || call(&offloaded)));
        }
        let kernels = if explain().contains(" gangs of ") {
            "kernels"
        } else {
            "cpu"
        };
        println!("done {number} {kernels} {panics}");
        // Why not, for whoever draws other programs.
        if kernels == "cpu" && std::env::var_os("ACCRUE_TELL").is_some() {
            eprintln!("{number}: {}", explain());
        }
    }
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new()
    }
}

/// Mostly small, so that every bin is met; sometimes anything.
fn item(choices: &mut Choices) -> u32 {
    if choices.chance(1, 4) {
        return choices.bits();
    }
    choices.bits() % 300
}

fn told<B: PartialEq + fmt::Debug>(items: usize, right: &End<B>, found: &End<B>) -> String {
    let mut text = format!("{items} items");
    if right.result != found.result {
        let _ = write!(
            text,
            "; returns {:?}, right is {:?}",
            found.result, right.result
        );
    }
    if right.bins != found.bins {
        let _ = write!(text, "; bins {:?}, right are {:?}", found.bins, right.bins);
    }
    text
}
