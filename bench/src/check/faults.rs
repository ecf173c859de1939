//! Indices out of range: the sequential loop's fault, the bins as they were, and the next call as if nothing had been.

use accrue::__bench::call;
use accrue::__rt::gpu::{Array, Bins};
use accrue::Error;

use super::Settings;
use super::kernel::{self, Compiled};
use super::report::Report;
use crate::data::Distribution;

/// Runs them all.
pub(super) fn check(settings: &Settings) -> Report {
    let mut report = Report::default();
    for strategy in settings.of_one_loop() {
        for (column, text, fault) in LOOPS {
            match kernel::compile(text, &[strategy]) {
                Ok(compiled) if compiled.is_empty() => {}
                Ok(compiled) => {
                    for &bad in fault.keys() {
                        let outcome = of_loop(settings, &compiled, *fault, bad);
                        report.count(strategy.name(), column, outcome);
                    }
                }
                Err(e) => report.count(strategy.name(), column, Err(format!("{e:#}"))),
            }
        }
    }
    report
}

/// What a bad key does.
#[derive(Clone, Copy)]
enum Fault {
    Bin,
    Read,
    Zero,
}

impl Fault {
    /// Bad keys: the first that is one, and one far from it.
    fn keys(self) -> &'static [u32] {
        match self {
            Fault::Bin => &[40, 1000],
            Fault::Read => &[64, 1000],
            Fault::Zero => &[1000],
        }
    }
}

/// Bins are 40, the table has 64 elements, all 1 but the last, which is 0.
const LOOPS: &[(&str, &str, Fault)] = &[
    (
        "count",
        "fn fault(keys: &[u32], table: &[u32], bins: &mut [u32]) { \
         for &k in keys { bins[k as usize] += 1; } }",
        Fault::Bin,
    ),
    (
        "bin",
        "fn fault(keys: &[u32], table: &[u32], bins: &mut [u32]) { \
         for &k in keys { bins[k as usize] += table[(k % 40) as usize]; } }",
        Fault::Bin,
    ),
    (
        "read",
        "fn fault(keys: &[u32], table: &[u32], bins: &mut [u32]) { \
         for &k in keys { bins[(k % 40) as usize] += table[k as usize]; } }",
        Fault::Read,
    ),
    (
        "division",
        "fn fault(keys: &[u32], table: &[u32], bins: &mut [u32]) { \
         for &k in keys { bins[(k % 40) as usize] += 5 / table[(k % 40 + k / 1000 * 63) as usize % 64]; } }",
        Fault::Zero,
    ),
];

fn of_loop(settings: &Settings, compiled: &Compiled, fault: Fault, key: u32) -> Result<(), String> {
    let of = compiled.the_loop("");
    let n = settings.all_sizes().last().unwrap_or(1000);
    let good: Vec<u32> = Distribution::Uniform
        .keys(n, 40, 5)
        .into_iter()
        .map(|k| k as u32)
        .collect();
    let mut table = vec![1u32; 64];
    // The key 1000, which is 0 modulo 40, leads the division to the last element.
    let last = 63;
    table[last] = if matches!(fault, Fault::Zero) { 0 } else { 1 };
    let mut bad = good.clone();
    // The last key that is none.
    bad[0] = match fault {
        Fault::Read => 63,
        Fault::Bin | Fault::Zero => 39,
    };
    let first = n / 3;
    for at in [first, n / 2, n - 1] {
        bad[at] = key;
    }
    let run = |keys: &[u32], bins: &mut [u32]| {
        let len = bins.len();
        let arrays: Vec<Array<'_>> = compiled
            .arrays
            .iter()
            .map(|name| match name.as_str() {
                "keys" => Array::host(keys),
                "table" => Array::host(&table),
                _ => Array::length(len),
            })
            .collect();
        call(
            &of,
            settings.device,
            &[keys.len() as u64],
            &arrays,
            &mut [Bins::host(bins)],
            &[],
        )
    };
    let before: Vec<u32> = (500..540).collect();
    let mut bins = before.clone();
    let iteration = first as u64;
    let expected = match fault {
        Fault::Bin => Error::BinOutOfRange {
            array: "bins".into(),
            index: u64::from(key),
            len: 40,
            iteration,
        },
        Fault::Read => Error::ReadOutOfRange {
            array: "table".into(),
            index: u64::from(key),
            len: 64,
            iteration,
        },
        Fault::Zero => Error::Panicked {
            message: "attempt to divide by zero".into(),
            iteration: Some(iteration),
        },
    };
    match run(&bad, &mut bins) {
        Err(e) if e == expected => {}
        other => return Err(format!("{other:?} instead of {expected:?}")),
    }
    if bins != before {
        return Err("bins were changed by a loop that fails".to_owned());
    }
    // The division's good keys stay off the zero: their table index is the key's own.
    run(&good, &mut bins).map_err(|e| format!("after a fault: {e}"))?;
    let mut expected = before;
    for key in good {
        expected[key as usize] += match fault {
            Fault::Zero => 5,
            Fault::Bin | Fault::Read => 1,
        };
    }
    if bins != expected {
        return Err("the call after a fault is wrong".to_owned());
    }
    Ok(())
}
