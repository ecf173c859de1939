//! What calls across ranks cost: the collective alone, and beside the counting. `docs/scale.md` is made of it.
//!
//! ```text
//! mpirun -n 4 target/release/examples/mpi_cost [--items N] [--repeat N]
//! ```
//!
//! Times are the slowest rank's, medians; what is compared is measured in turns.

use std::time::Instant;

use accrue::collective::{Collective, Op, Values};
use accrue::{Device, offload, with_device};
use accrue_mpi::Ranks;
use anyhow::{Result, ensure};
use clap::Parser;

/// What calls across ranks cost.
#[derive(Parser)]
struct Arguments {
    /// Items of each rank.
    #[arg(long, default_value_t = 1 << 26)]
    items: usize,
    /// How often each is measured.
    #[arg(long, default_value_t = 9)]
    repeat: usize,
    /// The loop's device; with `cuda`, each rank has that of its number.
    #[arg(long, default_value = "seq")]
    device: Device,
    /// Combine bins on the ranks' GPUs, by NCCL.
    #[cfg(feature = "cuda")]
    #[arg(long)]
    nccl: bool,
}

#[offload(histogram)]
fn count(keys: &[u16], bins: &mut [u32; 4096]) {
    for &k in keys {
        bins[usize::from(k)] += 1;
    }
}

#[offload(histogram)]
fn few(keys: &[u32], bins: &mut [u32]) {
    for &k in keys {
        let at = k as usize % bins.len();
        bins[at] = bins[at].max(k);
    }
}

/// The time of something on the slowest rank, in microseconds: all begin at once.
fn slowest(ranks: &Ranks<'_>, does: impl FnOnce() -> Result<()>) -> Result<f64> {
    ranks.all_reduce(Values::U32(&mut [0]), Op::Add)?;
    let start = Instant::now();
    does()?;
    let mut time = [start.elapsed().as_nanos() as u64];
    ranks.all_reduce(Values::U64(&mut time), Op::Max)?;
    Ok(time[0] as f64 / 1e3)
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

/// The processor time of this process, in microseconds: it does not grow while others have the core.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e3
}

fn run(ranks: &Ranks<'_>, arguments: &Arguments, device: Device) -> Result<()> {
    let first = ranks.rank() == 0;
    let say = |text: String| {
        if first {
            println!("{text}");
        }
    };
    say(format!(
        "{} ranks, {} cores",
        ranks.size(),
        std::thread::available_parallelism()?
    ));
    say("| bytes of bins | all-reduce, us | GB/s | a call with 64 items, us |".to_owned());
    say("| --- | --- | --- | --- |".to_owned());
    let keys: Vec<u32> = (0..64).collect();
    for shift in (8..=26).step_by(2) {
        let mut bins = vec![1u32; (1 << shift) / 4];
        let repeat = match shift < 20 {
            true => 20 * arguments.repeat,
            false => arguments.repeat,
        };
        let (mut reduced, mut called) = (Vec::new(), Vec::new());
        for _ in 0..repeat {
            reduced.push(slowest(ranks, || {
                Ok(ranks.all_reduce(Values::U32(&mut bins), Op::Max)?)
            })?);
            called.push(slowest(ranks, || {
                Ok(with_device(device, || {
                    few::across(ranks, &keys, &mut bins)
                })?)
            })?);
        }
        let (reduced, called) = (median(reduced), median(called));
        let bytes = 1u64 << shift;
        let rate = bytes as f64 / reduced / 1e3;
        say(format!(
            "| {bytes} | {reduced:.1} | {rate:.2} | {called:.1} |"
        ));
    }

    let mut state = ranks.rank() as u64;
    let keys: Vec<u16> = (0..arguments.items)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 52) as u16
        })
        .collect();
    let (mut alone, mut across, mut added) = (Vec::new(), Vec::new(), Vec::new());
    let (mut own, mut all) = ([0; 4096], [0; 4096]);
    with_device(device, || -> Result<()> {
        count(&keys, &mut [0; 4096]);
        for _ in 0..arguments.repeat {
            own = [0; 4096];
            let start = processor();
            alone.push(slowest(ranks, || {
                count(&keys, &mut own);
                Ok(())
            })?);
            let middle = processor();
            all = [0; 4096];
            across.push(slowest(ranks, || {
                Ok(count::across(ranks, &keys, &mut all)?)
            })?);
            added.push((processor() - middle) / (middle - start));
        }
        Ok(())
    })?;
    ranks.all_reduce(Values::U32(&mut own), Op::Add)?;
    ensure!(own == all, "the counts are wrong");
    let (alone, across) = (median(alone), median(across));
    say(format!(
        "\n{} items each into 4096 bins: slowest rank's counting {:.1} ms, across {:.1} ms, {:+.1} % of wall, {:+.1} % of rank 0's processor",
        arguments.items,
        alone / 1e3,
        across / 1e3,
        100.0 * (across / alone - 1.0),
        100.0 * (median(added) - 1.0),
    ));

    Ok(())
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let universe = accrue_mpi::initialize()?;
    let ranks = Ranks::world(&universe);
    let device = match arguments.device {
        Device::Cuda(0) => Device::Cuda(ranks.rank() as u32),
        device => device,
    };
    #[cfg(feature = "cuda")]
    let ranks = match arguments.nccl {
        true => with_device(device, || ranks.with_nccl())?,
        false => ranks,
    };
    if let Err(error) = run(&ranks, &arguments, device) {
        use accrue_mpi::mpi::traits::Communicator;
        eprintln!("rank {}: {error:?}", ranks.rank());
        ranks.communicator().abort(1);
    }
    Ok(())
}
