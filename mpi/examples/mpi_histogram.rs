//! What a folder of files is made of, counted by the ranks of an MPI program: its bytes, and which byte follows which.
//!
//! ```text
//! cargo build --release --example mpi_histogram
//! mpirun -n 4 target/release/examples/mpi_histogram FOLDER
//! ```
//!
//! Ranks take files by their sizes, the largest first, each for the rank that has the least to read so far. Without a folder rank 0 makes one, with files of
//! very different sizes. At the end rank 0 reads all files again, in order and alone, and compares.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use accrue::collective::{Collective, Op, Values};
use accrue::offload;
use accrue_mpi::Ranks;
use accrue_mpi::mpi::traits::Communicator;
use anyhow::{Context, Result, ensure};
use clap::Parser;

/// What a folder of files is made of, counted by the ranks of an MPI program.
#[derive(Parser)]
struct Arguments {
    /// The folder, with its sub-folders; without one some files are made.
    folder: Option<PathBuf>,
    /// Do not count again alone to compare.
    #[arg(long)]
    unchecked: bool,
}

/// The bytes of files, pairs of neighbours, and how many bytes there are.
#[offload(histogram)]
fn count(files: &[Vec<u8>], bytes: &mut [u64; 256], pairs: &mut [[u32; 256]; 256]) -> u64 {
    let mut all = 0;
    for file in files {
        for &byte in file {
            bytes[usize::from(byte)] += 1;
            all += 1;
        }
    }
    for file in files {
        for pair in file.windows(2) {
            pairs[usize::from(pair[0])][usize::from(pair[1])] += 1;
        }
    }
    all
}

/// The files of a folder with their sizes, by name.
fn files(folder: &Path) -> Result<Vec<(PathBuf, u64)>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.push((entry.path(), entry.metadata()?.len()));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The files of each rank. Every rank finds the same.
fn divided(mut files: Vec<(PathBuf, u64)>, ranks: usize) -> Vec<(Vec<PathBuf>, u64)> {
    let mut divided = vec![(Vec::new(), 0); ranks];
    files.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (file, size) in files {
        let least = divided.iter_mut().min_by_key(|(_, bytes)| *bytes);
        let (files, bytes) = least.expect("there are ranks");
        files.push(file);
        *bytes += size;
    }
    divided
}

/// A folder with files of very different sizes, made by rank 0.
fn made(ranks: &Ranks<'_>) -> Result<PathBuf> {
    let mut process = [std::process::id()];
    ranks.broadcast(0, Values::U32(&mut process))?;
    let folder = std::env::temp_dir().join(format!("mpi_histogram-{}", process[0]));
    if ranks.rank() == 0 {
        fs::create_dir_all(folder.join("below"))?;
        let mut state = 7u64;
        for (n, size) in [1 << 22, 0, 1, 300_000, 70_000, 12, 1 << 21, 5000, 9]
            .iter()
            .enumerate()
        {
            let bytes: Vec<u8> = (0..*size)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(n as u64 | 1);
                    (state >> 40) as u8 & (state >> 48) as u8
                })
                .collect();
            let name = if n % 3 == 0 {
                format!("below/{n}")
            } else {
                n.to_string()
            };
            fs::write(folder.join(name), bytes)?;
        }
    }
    // The others wait until the files are there.
    ranks.all_reduce(Values::U32(&mut [0]), Op::Add)?;
    Ok(folder)
}

/// The longest time of all ranks.
fn longest(ranks: &Ranks<'_>, time: Duration) -> Result<Duration> {
    let mut nanoseconds = [time.as_nanos() as u64];
    ranks.all_reduce(Values::U64(&mut nanoseconds), Op::Max)?;
    Ok(Duration::from_nanos(nanoseconds[0]))
}

fn run(ranks: &Ranks<'_>, arguments: &Arguments) -> Result<()> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => made(ranks)?,
    };
    let all = files(&folder)?;
    let divided = divided(all.clone(), ranks.size());
    let (mine, _) = &divided[ranks.rank()];
    let start = Instant::now();
    let contents: Vec<Vec<u8>> = mine.iter().map(fs::read).collect::<Result<_, _>>()?;
    let read = longest(ranks, start.elapsed())?;

    let (mut bytes, mut pairs) = ([0; 256], vec![[0; 256]; 256]);
    let start = Instant::now();
    let total = count::across(ranks, &contents, &mut bytes, &mut pairs)?;
    let counted = longest(ranks, start.elapsed())?;

    if ranks.rank() == 0 {
        println!(
            "{} files, {total} bytes on {} ranks: read in {read:.1?}, counted in {counted:.1?}",
            all.len(),
            ranks.size()
        );
        for (rank, (files, size)) in divided.iter().enumerate() {
            println!("  rank {rank}: {} files, {size} bytes", files.len());
        }
        let share = |n: u64| n as f64 / total.max(1) as f64;
        let entropy: f64 = bytes
            .iter()
            .filter(|n| **n > 0)
            .map(|n| -share(*n) * share(*n).log2())
            .sum();
        let most = (0..256).max_by_key(|b| bytes[*b]).unwrap_or(0);
        println!(
            "  {entropy:.3} bits a byte; the most frequent one is {most:#04x}, {:.1} %",
            100.0 * share(bytes[most])
        );
    }
    if !arguments.unchecked && ranks.rank() == 0 {
        let (mut alone, mut neighbours) = ([0u64; 256], vec![[0u32; 256]; 256]);
        for (file, _) in &all {
            let content = fs::read(file)?;
            for pair in content.windows(2) {
                neighbours[usize::from(pair[0])][usize::from(pair[1])] += 1;
            }
            for byte in content {
                alone[usize::from(byte)] += 1;
            }
        }
        ensure!(
            total == alone.iter().sum::<u64>(),
            "{total} bytes were counted"
        );
        ensure!(
            bytes == alone,
            "the bytes are other ones when they are counted alone"
        );
        ensure!(
            pairs == neighbours,
            "the pairs are other ones when they are counted alone"
        );
        println!("  the same as counted alone");
    }
    if arguments.folder.is_none() {
        // Nobody reads them any more.
        ranks.all_reduce(Values::U32(&mut [0]), Op::Add)?;
        if ranks.rank() == 0 {
            fs::remove_dir_all(&folder)?;
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let universe = accrue_mpi::initialize()?;
    let ranks = Ranks::world(&universe);
    if let Err(error) = run(&ranks, &arguments) {
        // The others may be waiting for this rank.
        eprintln!("rank {}: {error:?}", ranks.rank());
        ranks.communicator().abort(1);
    }
    Ok(())
}
