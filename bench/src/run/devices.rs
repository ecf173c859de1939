//! Data that stay on several devices: what calls on them take beside the same calls on one, and what they copy.

use std::time::Instant;

use accrue::{Device, Resident, Stats, offload, stats, with_device};
use anyhow::{Result, bail, ensure};

/// Bins of the histogram.
const BINS: usize = 4096;

/// Calls before those that are measured: what they would rather run is compiled beside the first, and a device that nobody has measured is
/// measured by them.
const ROUNDS: u32 = 30;

/// Measures calls on data that stay on several devices.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The devices, `cuda:all` or `sim:N`; the first of them is the one.
    #[arg(long, default_value = "sim:2")]
    device: Device,
    /// Keys, as a power of two.
    #[arg(long, default_value_t = 30)]
    log2: u32,
    /// Calls that are measured, of which the shortest and the median count.
    #[arg(long, default_value_t = 20)]
    calls: u32,
    /// Only what has this text in its name.
    #[arg(long, default_value = "")]
    only: String,
}

#[offload(histogram)]
fn count(keys: &[u32], bins: &mut [u32; BINS]) {
    for &k in keys {
        let at = k as usize % BINS;
        bins[at] = bins[at].wrapping_add(1);
    }
}

#[offload]
fn sum(keys: &[u32]) -> u64 {
    let mut sum = 0u64;
    for &k in keys {
        sum = sum.wrapping_add(u64::from(k));
    }
    sum
}

#[offload]
fn scale(from: &[u32], to: &mut [u32]) {
    for i in 0..from.len() {
        to[i] = from[i].wrapping_mul(3) ^ 5;
    }
}

#[offload]
fn smooth(now: &[u32], next: &mut [u32]) {
    for i in 1..now.len() - 1 {
        next[i] = now[i - 1] / 4 + now[i] / 2 + now[i + 1] / 4;
    }
}

/// What calls took, in seconds, and what they moved.
struct Taken {
    shortest: f64,
    median: f64,
    moved: Stats,
}

/// Times calls on a device, or on several, after some that are not timed.
fn time(device: Device, calls: u32, mut call: impl FnMut() -> Result<()>) -> Result<Taken> {
    for _ in 0..ROUNDS {
        with_device(device, &mut call)?;
        accrue::__bench::wait_for_kernels(device)?;
    }
    let mut all = Vec::new();
    let before = stats();
    for _ in 0..calls.max(1) {
        let start = Instant::now();
        with_device(device, &mut call)?;
        all.push(start.elapsed().as_secs_f64());
    }
    let moved = stats() - before;
    all.sort_by(f64::total_cmp);
    Ok(Taken {
        shortest: all[0],
        median: all[all.len() / 2],
        moved,
    })
}

/// One device of several, the first.
fn first(group: Device) -> Result<Device> {
    match group.to_string() {
        all if all == "cuda:all" => Ok(Device::Cuda(0)),
        all if all.starts_with("sim:") => Ok(Device::Sim),
        other => bail!("`{other}` is not several devices: cuda:all, sim:2"),
    }
}

/// Shows what one device and all of them took.
fn show(name: &str, arguments: &Arguments, [one, all]: [Taken; 2], explained: &str) {
    let calls = arguments.calls.max(1);
    let (group, n) = (arguments.device, arguments.log2);
    for (device, taken) in [("one device".to_owned(), &one), (group.to_string(), &all)] {
        let moved = taken.moved;
        println!(
            "{name} of 2^{n}, {device}: {:.4} ms, median {:.4}; in {calls} calls {} copies up ({} bytes), {} down ({} bytes)",
            1e3 * taken.shortest,
            1e3 * taken.median,
            moved.uploads,
            moved.uploaded_bytes,
            moved.downloads,
            moved.downloaded_bytes
        );
    }
    println!(
        "{name} of 2^{n}: {:.3} times as fast on {group}, medians {:.3}",
        one.shortest / all.shortest,
        one.median / all.median
    );
    let lines = explained.lines();
    for line in lines.filter(|l| l.contains("divided over") || l.contains("on the first of")) {
        println!("    {line}");
    }
}

/// Runs the measurements; whether all results are right.
///
/// # Errors
///
/// The devices'.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let both = [first(arguments.device)?, arguments.device];
    let keys = super::stream::keys(1 << arguments.log2);
    let wanted = |name: &str| name.contains(&arguments.only);
    if wanted("count") {
        counting(arguments, &keys, both)?;
    }
    if wanted("sum") {
        summing(arguments, &keys, both)?;
    }
    if wanted("map") {
        mapping(arguments, &keys, both)?;
    }
    if wanted("stencil") {
        stepping(arguments, &keys, both)?;
    }
    Ok(true)
}

/// Runs it on one device, then on all of them.
fn on_both(both: [Device; 2], mut run: impl FnMut(Device) -> Result<Taken>) -> Result<[Taken; 2]> {
    let one = run(both[0])?;
    Ok([one, run(both[1])?])
}

fn counting(arguments: &Arguments, keys: &[u32], both: [Device; 2]) -> Result<()> {
    let mut once = [0; BINS];
    with_device(Device::Cpu, || count(keys, &mut once));
    let taken = on_both(both, |device| {
        let keys = Resident::from(keys);
        let mut bins = Resident::from([0; BINS]);
        let mut calls = 0;
        let taken = time(device, arguments.calls, || {
            calls += 1;
            Ok(count::on(&keys, &mut bins)?)
        })?;
        let mut all = bins.host().iter().zip(&once);
        let right = all.all(|(found, once)| *found == once.wrapping_mul(calls));
        ensure!(
            right,
            "the bins of `{device}` are not those of {calls} calls"
        );
        Ok(taken)
    })?;
    show("count", arguments, taken, &count::explain());
    Ok(())
}

fn summing(arguments: &Arguments, keys: &[u32], both: [Device; 2]) -> Result<()> {
    let expected = with_device(Device::Cpu, || sum(keys));
    let taken = on_both(both, |device| {
        let keys = Resident::from(keys);
        time(device, arguments.calls, || {
            ensure!(
                sum::on(&keys)? == expected,
                "the sum of `{device}` is wrong"
            );
            Ok(())
        })
    })?;
    show("sum", arguments, taken, &sum::explain());
    Ok(())
}

fn mapping(arguments: &Arguments, keys: &[u32], both: [Device; 2]) -> Result<()> {
    let mut expected = vec![0; keys.len()];
    with_device(Device::Cpu, || scale(keys, &mut expected));
    let taken = on_both(both, |device| {
        let from = Resident::from(keys);
        let mut to = Resident::from(vec![0; keys.len()]);
        let taken = time(device, arguments.calls, || Ok(scale::on(&from, &mut to)?))?;
        ensure!(to.host() == expected, "the map of `{device}` is wrong");
        Ok(taken)
    })?;
    show("map", arguments, taken, &scale::explain());
    Ok(())
}

fn stepping(arguments: &Arguments, keys: &[u32], both: [Device; 2]) -> Result<()> {
    let mut expected = [keys.to_vec(), keys.to_vec()];
    with_device(Device::Cpu, || {
        for _ in 0..ROUNDS + arguments.calls.max(1) {
            let [now, next] = &mut expected;
            smooth(now, next);
            expected.swap(0, 1);
        }
    });
    let taken = on_both(both, |device| {
        let [mut now, mut next] = [Resident::from(keys), Resident::from(keys)];
        let taken = time(device, arguments.calls, || {
            smooth::on(&now, &mut next)?;
            std::mem::swap(&mut now, &mut next);
            Ok(())
        })?;
        ensure!(
            now.host() == expected[0],
            "the steps of `{device}` are wrong"
        );
        Ok(taken)
    })?;
    show("stencil", arguments, taken, &smooth::explain());
    Ok(())
}
