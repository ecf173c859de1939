//! The bytes of a file and what follows what in it, counted although the file is larger than the memory that may be used: as a map of the
//! file, which a device is given in pieces, and as chunks that are read one after the other.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example big_file                                    # a file of 64 MiB, made up
//! cargo run --release -p accrue-examples --example big_file -- /var/log/syslog --by read
//! cargo run --release -p accrue-examples --features cuda --example big_file -- DISK.img --device cuda --memory-mib 2048
//! ```

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use accrue::{
    Device, Error, Progress, offload, read_chunks, with_device, with_memory, with_progress,
};
use accrue_examples::args::{Common, make_folder_of, out, shown};
use accrue_examples::report::Report;
use accrue_examples::{picture, progress};
use anyhow::{Context, Result, ensure};
use clap::{Parser, ValueEnum};
use memmap2::Mmap;

/// The bytes of a file, by what came before.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// The file; by default one of `--size-mib` is made up.
    file: Option<PathBuf>,
    /// MiB of the file that is made up.
    #[arg(long, default_value_t = 64)]
    size_mib: usize,
    /// MiB of memory: of a device's for a map, of the machine's for a chunk that is read.
    #[arg(long, default_value_t = 8)]
    memory_mib: usize,
    /// How the file comes to the loop; by default in both ways.
    #[arg(long)]
    by: Option<By>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// As memory that the system fills from the file.
    Map,
    /// In chunks.
    Read,
}

/// Pairs of neighbouring bytes, and how many bytes of which kind there are.
#[offload(histogram)]
fn pairs(bytes: &[u8], pairs: &mut [u64; 65536], letters: &mut u64) {
    for i in 1..bytes.len() {
        pairs[usize::from(bytes[i - 1]) << 8 | usize::from(bytes[i])] += 1;
        *letters += u64::from(bytes[i].is_ascii_alphabetic());
    }
}

/// What was counted.
#[derive(Clone, PartialEq, Eq)]
struct Counts {
    pairs: Box<[u64; 65536]>,
    letters: u64,
}

impl Counts {
    fn none() -> Counts {
        Counts {
            pairs: Box::new([0; 65536]),
            letters: 0,
        }
    }
}

/// Counts a map of the file: a slice like any other.
fn map(path: &Path, device: Device, memory: u64) -> Result<(Counts, Duration)> {
    let file = File::open(path)?;
    // SAFETY: who changes the file meanwhile changes what is counted. The bytes are numbers whatever they are.
    let bytes = unsafe { Mmap::map(&file)? };
    let bar = progress::bar("map", bytes.len() as u64);
    let watcher = {
        let bar = bar.clone();
        move |done: Progress| bar.set_position(done.items)
    };
    let mut counts = Counts::none();
    let start = Instant::now();
    let called = with_progress(watcher, || {
        with_memory(memory, || {
            with_device(device, || {
                pairs::try_call(&bytes, &mut counts.pairs, &mut counts.letters)
            })
        })
    });
    bar.finish_and_clear();
    called?;
    Ok((counts, start.elapsed()))
}

/// Reads the file in chunks, each of which begins with the last byte of the one before.
fn read(path: &Path, device: Device, memory: usize) -> Result<(Counts, Duration)> {
    let file = File::open(path)?;
    let bar = progress::bar("read", file.metadata()?.len());
    let watcher = {
        let bar = bar.clone();
        move |done: Progress| bar.set_position(done.items)
    };
    let mut last = None;
    // One is counted, one waits, one is read.
    let chunks = read_chunks::<_, u8>(file, (memory / 3).max(1)).map(move |chunk| {
        let chunk = chunk?;
        let mut bytes: Vec<u8> = Vec::with_capacity(chunk.len() + 1);
        bytes.extend(last);
        bytes.extend_from_slice(&chunk);
        last = chunk.last().copied().or(last);
        std::io::Result::Ok(bytes)
    });
    let mut counts = Counts::none();
    let start = Instant::now();
    let called: Result<(), Error> = with_progress(watcher, || {
        with_device(device, || {
            pairs::over(chunks, &mut counts.pairs, &mut counts.letters)
        })
    });
    bar.finish_and_clear();
    called?;
    Ok((counts, start.elapsed()))
}

/// Writes a file of words, a part at a time.
fn make(path: &Path, mib: usize) -> Result<()> {
    const WORDS: [&str; 12] = [
        "bin", "gang", "copy", "bundle", "tile", "of", "the", "and", "a", "counts", "merges", "\n",
    ];
    make_folder_of(path)?;
    let file = File::create(path).with_context(|| format!("cannot write {}", shown(path)))?;
    let mut file = BufWriter::new(file);
    let (mut state, mut left) = (1u64, mib << 20);
    while left > 0 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let word = WORDS[(state >> 33) as usize % WORDS.len()].as_bytes();
        for part in [word, b" "] {
            let some = part.len().min(left);
            file.write_all(&part[..some])?;
            left -= some;
        }
    }
    file.flush()?;
    Ok(())
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let path = match &options.file {
        Some(path) => path.clone(),
        None => {
            let path = out("big_file.txt");
            make(&path, options.size_mib)?;
            path
        }
    };
    let length = File::open(&path)
        .with_context(|| format!("cannot read {}", shown(&path)))?
        .metadata()?
        .len();
    ensure!(length > 0, "{} has no bytes", shown(&path));
    println!("file        {}, {length} bytes", shown(&path));
    let memory = options.memory_mib << 20;
    ensure!(memory > 0, "--memory-mib 0 is not enough for anything");
    let (expected, plain) = map(&path, Device::Seq, u64::MAX)?;
    let device = options.common.device;
    let mut report = Report::new("big_file", &options.common);
    let ways = [By::Map, By::Read];
    for by in ways
        .into_iter()
        .filter(|by| options.by.is_none_or(|o| o == *by))
    {
        let (counts, time) = match by {
            By::Map => map(&path, device, memory as u64)?,
            By::Read => read(&path, device, memory)?,
        };
        ensure!(
            counts == expected,
            "counts differ from the sequential loop's"
        );
        let title = match by {
            By::Map => "as a map",
            By::Read => "in chunks",
        };
        println!("check       {title}: all counts equal the sequential loop's");
        report.once(title, length, plain, time);
    }
    println!("{}\n", pairs::explain().trim_end());
    println!("letters     {} of {length}", expected.letters);
    report.finish()?;
    let picture = picture::counts(256, &expected.pairs[..])?;
    options.common.picture("big_file", &picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_count_the_same_pairs() {
        let folder = std::env::temp_dir().join(format!("accrue-big-{}", std::process::id()));
        let path = folder.join("file");
        make(&path, 1).unwrap();
        let (expected, _) = map(&path, Device::Seq, u64::MAX).unwrap();
        assert_eq!(expected.pairs.iter().sum::<u64>(), (1 << 20) - 1);
        for memory in [100_001, 3 << 20] {
            let (counts, _) = read(&path, Device::Cpu, memory).unwrap();
            assert!(counts == expected, "{memory}");
        }
        let (counts, _) = map(&path, Device::Cpu, 1000).unwrap();
        assert!(counts == expected);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
