//! Random functions, compiled by rustc in two forms: as they are, and offloaded. The first is the judge of
//! the interpreter, and both are of the devices.
//!
//! The build script draws the functions. Those in `random_loops/undone.rs` and [`WRITTEN`] are by hand.

#![allow(
    clippy::all,
    unused,
    arithmetic_overflow,
    unconditional_panic,
    reason = "what a random function holds is not written by hand"
)]

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, with_device};
use accrue_tests::cases::Case;
use accrue_tests::choices::Choices;
use accrue_tests::compare::{Floats, difference};
use accrue_tests::data::{Data, Param, Policy, draw, params};
use accrue_tests::random_loops;
use accrue_tests::written::WRITTEN;
use accrue_tests::{oracle, quiet};
use rayon::ThreadPoolBuilder;

const WIDTH: usize = 12;
const MASK: u32 = 15;

include!(concat!(env!("OUT_DIR"), "/histograms.rs"));
include!(concat!(env!("OUT_DIR"), "/any.rs"));
include!("random_loops/undone.rs");

/// Kinds of data: nothing, one item, more items than any chunk, few and many bins, all values.
const POLICIES: &[Policy] = &[
    Policy {
        items: 0,
        wild: false,
        tiny: false,
    },
    Policy {
        items: 1,
        wild: false,
        tiny: false,
    },
    Policy {
        items: 7,
        wild: false,
        tiny: false,
    },
    Policy {
        items: 64,
        wild: true,
        tiny: false,
    },
    Policy {
        items: 150,
        wild: false,
        tiny: false,
    },
    Policy {
        items: 143,
        wild: true,
        tiny: false,
    },
    Policy {
        items: 90,
        wild: false,
        tiny: true,
    },
];

/// Runs every function as it is over every kind of data, and `other` beside it: results and panics have to
/// be the same, and after a panic `other`'s data is as it was.
fn agree(floats: Floats, other: impl Fn(&Case, &mut Data) -> Option<Result<(), String>>) {
    agree_on(CASES, true, floats, other);
}

/// The same of some functions. Where iterations write elements of their own, those are not as before after a panic.
fn agree_on(
    cases: &[Case],
    taken_back: bool,
    floats: Floats,
    other: impl Fn(&Case, &mut Data) -> Option<Result<(), String>>,
) {
    let _quiet = quiet();
    let mut wrong = Vec::new();
    let (mut runs, mut panics) = (0, 0);
    for (i, case) in cases.iter().enumerate() {
        let params = params(&syn::parse_str(case.source).expect("a function"));
        for (j, &policy) in POLICIES.iter().enumerate() {
            let mut choices = Choices::seeded((i * POLICIES.len() + j) as u64);
            let before = draw(&params, policy, &mut choices);
            let (mut expected, mut data) = (before.clone(), before.clone());
            let plain = (case.plain)(&mut expected);
            let Some(result) = other(case, &mut data) else {
                continue;
            };
            runs += 1;
            let difference = match (&plain, &result) {
                (Ok(()), Ok(())) => difference(&params, &expected, &data, floats),
                (Err(a), Err(b)) if a == b => {
                    panics += 1;
                    let difference = difference(&params, &before, &data, Floats::Exact);
                    let difference = difference.filter(|_| taken_back);
                    difference.map(|d| format!("not as before the panic: {d}"))
                }
                _ => Some(format!("{plain:?} and {result:?}")),
            };
            if let Some(difference) = difference {
                wrong.push(format!(
                    "{} over {policy:?}: {difference}\n{}",
                    case.name, case.source
                ));
            }
        }
    }
    let shown = wrong.len().min(5);
    assert!(
        wrong.is_empty(),
        "{} of {runs} runs differ\n\n{}",
        wrong.len(),
        wrong[..shown].join("\n\n")
    );
    if cases.len() < 20 {
        return;
    }
    // Panics have to agree too, but tests that mostly panic would test little else.
    assert!(panics * 4 < runs, "{panics} of {runs} runs panic");
    assert!(panics > 0, "no run panics");
}

/// The offloaded form, if it was compiled.
fn offloaded(case: &Case, data: &mut Data) -> Option<Result<(), String>> {
    case.offloaded.map(|call| call(data))
}

#[test]
fn the_interpreter_does_what_rustc_does() {
    for cases in [CASES, WRITTEN] {
        agree_on(cases, true, Floats::Exact, |case, data| {
            let analysis = match oracle::analyze(case.source) {
                Ok(analysis) => analysis,
                Err(errors) => return Some(Err(format!("refused: {errors}"))),
            };
            assert_eq!(analysis.loops.len(), 1, "{}", case.source);
            Some(oracle::interpret(&analysis, data))
        });
    }
}

#[test]
fn the_sequential_device_does_what_rustc_does() {
    agree(Floats::Exact, |case, data| {
        with_device(Device::Seq, || offloaded(case, data))
    });
}

#[test]
fn the_cpu_does_what_rustc_does_with_any_number_of_threads() {
    for threads in [1, 2, 5] {
        on_threads(threads, || agree(Floats::Reordered, offloaded));
    }
}

#[test]
fn every_strategy_of_the_cpu_does_what_rustc_does() {
    for strategy in trials() {
        for cases in [CASES, UNDONE] {
            on_threads(3, || {
                agree_on(cases, true, Floats::Reordered, |case, data| {
                    with_strategy(strategy, || offloaded(case, data))
                });
            });
        }
    }
}

/// Ways of splitting loops that do more than fill bins.
const WAYS: [&str; 4] = [
    "sequential",
    "private:workers=4,parts=7",
    "private:workers=3,parts=100000",
    "private:workers=1,parts=1",
];

#[test]
fn loops_of_any_kind_do_on_the_cpu_what_rustc_does() {
    for way in WAYS {
        on_threads(3, || {
            agree_on(ANY, false, Floats::Reordered, |case, data| {
                with_strategy(way, || offloaded(case, data))
            });
        });
    }
}

#[cfg(feature = "sim")]
#[test]
fn every_loop_does_in_the_simulator_what_rustc_does() {
    for (cases, taken_back) in [(CASES, true), (ANY, false)] {
        agree_on(cases, taken_back, Floats::Reordered, |case, data| {
            let before = data.clone();
            let done = with_device(Device::Sim, || offloaded(case, data))?;
            // A bin that overflows wraps around there.
            let mut again = before.clone();
            match (&done, (case.plain)(&mut again)) {
                (Ok(()), Err(panic)) if panic.ends_with("with overflow") => {
                    *data = before;
                    Some(Err(panic))
                }
                _ => Some(done),
            }
        });
    }
}

/// Runs something on the device `cpu` with so many threads.
fn on_threads(threads: usize, run: impl FnOnce() + Send) {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a pool");
    pool.install(|| with_device(Device::Cpu, run));
}
