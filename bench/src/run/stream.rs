//! Data that do not fit: a population in the host's memory that is counted with little of a device's, beside the rate of copies from pinned
//! memory; a file, beside the same bytes in memory; many threads that call one function, and what they leave behind.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use accrue::{Device, DeviceBuffer, Stream, offload, read_chunks, with_device, with_memory};
use anyhow::{Context, Result, ensure};

/// Bins of everything here.
const BINS: usize = 4096;

/// Keys of a chunk that is read.
const CHUNK: usize = 4 << 20;

/// Runs of each, of which the best counts.
const RUNS: usize = 3;

/// Measures calls whose data come from elsewhere.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Where the population is counted.
    #[arg(long, default_value = "sim")]
    device: Device,
    /// GiB of the population.
    #[arg(long, default_value_t = 64.0)]
    gib: f64,
    /// MiB of the device's memory that the call may take.
    #[arg(long, default_value_t = 2048.0)]
    memory_mib: f64,
    /// MiB of the file that is counted on the CPU; 0 for none.
    #[arg(long, default_value_t = 1024)]
    file_mib: usize,
    /// Where the file goes.
    #[arg(long, default_value = "target")]
    folder: PathBuf,
    /// Seconds for which threads call one function; 0 for none.
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// How many threads.
    #[arg(long, default_value_t = 16)]
    threads: usize,
    /// Calls on an image of 2 MiB that are replayed; 0 for none.
    #[arg(long, default_value_t = 1000)]
    replays: u32,
}

#[offload(histogram)]
fn count(keys: &[u32], bins: &mut [u32; BINS]) {
    for &k in keys {
        bins[k as usize % BINS] += 1;
    }
}

/// Runs the measurements; whether all results are right.
///
/// # Errors
///
/// The device's, or the file's.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if arguments.gib > 0.0 {
        population(arguments)?;
    }
    if arguments.file_mib > 0 {
        file(&arguments.folder, arguments.file_mib)?;
    }
    if arguments.replays > 0 {
        replays(arguments)?;
    }
    if arguments.seconds > 0.0 {
        threads(arguments)?;
    }
    Ok(true)
}

/// Keys in no order, made by every core.
pub(super) fn keys(n: usize) -> Vec<u32> {
    let mut keys = vec![0; n];
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let part = n.div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        for (number, part) in keys.chunks_mut(part).enumerate() {
            scope.spawn(move || {
                let mut state = number as u64 * 0x9e37_79b9_7f4a_7c15 + 1;
                for key in part {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    *key = (state >> 20) as u32;
                }
            });
        }
    });
    keys
}

/// The shortest of some runs, in seconds.
fn shortest(mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn population(arguments: &Arguments) -> Result<()> {
    let device = arguments.device;
    let n = (arguments.gib * (1u64 << 30) as f64) as usize / 4;
    let memory = (arguments.memory_mib * (1u64 << 20) as f64) as u64;
    let keys = keys(n);
    let bytes = size_of_val(&keys[..]) as f64;
    let mut expected = [0; BINS];
    let start = Instant::now();
    with_device(Device::Cpu, || count(&keys, &mut expected));
    let cpu = start.elapsed().as_secs_f64();
    let streamed = |keys: &[u32]| {
        let mut bins = [0; BINS];
        with_device(device, || {
            with_memory(memory, || count::try_call(keys, &mut bins))
        })?;
        anyhow::Ok(bins)
    };
    // Kernels are loaded, and memory is pinned, by a call that is not timed.
    streamed(&keys[..n.min(3 * memory as usize / 4)])?;
    accrue::__bench::wait_for_kernels(device)?;
    let pinned = || accrue::__bench::pinned_rate(device, (bytes as usize).min(1 << 28));
    let mut rate = pinned()?;
    let seconds = shortest(|| {
        let bins = streamed(&keys)?;
        ensure!(bins == expected, "the bins are not those of the CPU");
        Ok(())
    })?;
    rate = rate.max(pinned()?);
    println!(
        "population {:.3} GiB with {:.1} MiB of {device}: {:.4} s, {:.2} GB/s, {:.1} % of {:.2} GB/s pinned; the CPU {:.2} GB/s",
        bytes / (1u64 << 30) as f64,
        arguments.memory_mib,
        seconds,
        bytes / seconds / 1e9,
        100.0 * bytes / seconds / rate,
        rate / 1e9,
        bytes / cpu / 1e9
    );
    for line in count::explain().lines().filter(|l| l.contains("pieces")) {
        println!("    {line}");
    }
    Ok(())
}

/// A file that goes when this does.
struct Kept(PathBuf);

impl Drop for Kept {
    fn drop(&mut self) {
        // Whoever looks finds it and may remove it.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn file(folder: &Path, mib: usize) -> Result<()> {
    let keys = keys(mib << 18);
    let bytes = size_of_val(&keys[..]) as f64;
    std::fs::create_dir_all(folder)?;
    let path = Kept(folder.join(format!("accrue-keys-{}", std::process::id())));
    let made =
        File::create(&path.0).with_context(|| format!("cannot make {}", path.0.display()))?;
    let mut writer = BufWriter::with_capacity(1 << 20, made);
    for part in keys.chunks(1 << 18) {
        let part: Vec<u8> = part.iter().flat_map(|k| k.to_ne_bytes()).collect();
        writer.write_all(&part)?;
    }
    writer.flush()?;
    drop(writer);
    let mut expected = [0; BINS];
    with_device(Device::Seq, || count(&keys, &mut expected));
    let check = |bins: [u32; BINS]| {
        ensure!(bins == expected, "the bins are not those of the loop");
        Ok(())
    };
    with_device(Device::Cpu, || {
        let memory = || {
            let mut bins = [0; BINS];
            count(&keys, &mut bins);
            check(bins)
        };
        let mapped = || {
            let file = File::open(&path.0)?;
            // SAFETY: nobody changes the file, whose name has this process's number in it.
            let map = unsafe { memmap2::Mmap::map(&file)? };
            // SAFETY: any bytes are keys.
            let (_, keys, _) = unsafe { map.align_to::<u32>() };
            let mut bins = [0; BINS];
            count(keys, &mut bins);
            check(bins)
        };
        let read = || {
            let mut bins = [0; BINS];
            count::over(read_chunks(File::open(&path.0)?, CHUNK), &mut bins)?;
            check(bins)
        };
        // In turns, so that whatever else the machine does comes to all of them.
        let mut best = [f64::INFINITY; 3];
        for _ in 0..RUNS {
            for (best, seconds) in
                best.iter_mut()
                    .zip([shortest(memory)?, shortest(mapped)?, shortest(read)?])
            {
                *best = best.min(seconds);
            }
        }
        let [memory, mapped, read] = best;
        println!(
            "file of {mib} MiB in the page cache, on the CPU: in memory {:.2} GB/s, mapped {:.2} ({:.1} %), read in chunks {:.2} ({:.1} %)",
            bytes / memory / 1e9,
            bytes / mapped / 1e9,
            100.0 * memory / mapped,
            bytes / read / 1e9,
            100.0 * memory / read
        );
        Ok(())
    })
}

#[offload(histogram)]
fn grey(pixels: &[u8], bins: &mut [u32; 256]) {
    for &p in pixels {
        bins[p as usize] += 1;
    }
}

/// Many calls on an image that stays on the device: queued one by one, and recorded.
fn replays(arguments: &Arguments) -> Result<()> {
    /// Calls of a recording.
    const EACH: u32 = 50;
    let device = arguments.device;
    let simulated = device.to_string().starts_with("sim");
    let pixels: Vec<u8> = keys(if simulated { 1000 } else { 1 << 21 })
        .into_iter()
        .map(|k| k as u8)
        .collect();
    let mut once = [0; 256];
    with_device(Device::Seq, || grey(&pixels, &mut once));
    let stream = Stream::on(device)?;
    let image = DeviceBuffer::from_slice_on(&stream, &pixels)?;
    let rounds = arguments.replays.div_ceil(EACH);
    let calls = rounds * EACH;
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 256)?;
    // What these would rather run is compiled by then.
    for _ in 0..3 {
        for _ in 0..EACH {
            grey::on_stream(&stream, &image, &mut bins)?;
        }
        stream.sync()?;
        accrue::__bench::wait_for_kernels(device)?;
    }
    let mut done = 3 * EACH;
    let queued = shortest(|| {
        done += calls;
        for _ in 0..calls {
            grey::on_stream(&stream, &image, &mut bins)?;
        }
        Ok(stream.sync()?)
    })?;
    let mut recording = stream.record(|| {
        for _ in 0..EACH {
            grey::on_stream(&stream, &image, &mut bins)?;
        }
        Ok(())
    })?;
    recording.replay()?;
    stream.sync()?;
    done += EACH;
    let before = accrue::stats();
    let replayed = shortest(|| {
        done += calls;
        for _ in 0..rounds {
            recording.replay()?;
        }
        Ok(stream.sync()?)
    })?;
    let moved = accrue::stats() - before;
    drop(recording);
    let right = bins
        .to_vec()?
        .iter()
        .zip(&once)
        .all(|(b, o)| *b == o * done);
    ensure!(right, "the bins are not those of {done} calls");
    let each = |seconds: f64| 1e6 * seconds / f64::from(calls);
    println!(
        "{calls} calls on {} bytes on {device}: queued {:.2} us each, replayed {:.2} us each, with {} copies",
        pixels.len(),
        each(queued),
        each(replayed),
        moved.uploads + moved.downloads
    );
    Ok(())
}

/// Many threads call one function.
fn threads(arguments: &Arguments) -> Result<()> {
    let device = arguments.device;
    let simulated = device.to_string().starts_with("sim");
    let keys = keys(if simulated { 3000 } else { 1 << 20 });
    let mut expected = [0; BINS];
    with_device(Device::Seq, || count(&keys, &mut expected));
    let round = |until: Duration| {
        let (calls, wrong) = (AtomicU64::new(0), AtomicBool::new(false));
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..arguments.threads {
                scope.spawn(|| {
                    while start.elapsed() < until {
                        let mut bins = [0; BINS];
                        let called = with_device(device, || count::try_call(&keys, &mut bins));
                        calls.fetch_add(1, Ordering::Relaxed);
                        if called.is_err() || bins != expected {
                            wrong.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        (calls.into_inner(), wrong.into_inner())
    };
    // Each thread's stream, and what is kept for it, is there after these.
    let all = Duration::from_secs_f64(arguments.seconds);
    round(all.mul_f64(0.1));
    accrue::__bench::wait_for_kernels(device)?;
    let before = accrue::__bench::free_memory(device)?;
    let (calls, wrong) = round(all);
    let after = accrue::__bench::free_memory(device)?;
    ensure!(
        !wrong,
        "a call failed, or its bins are not those of the loop"
    );
    println!(
        "{} threads for {:.1} s on {device}: {calls} calls, all right; free memory {before} bytes before, {after} after ({:+} lost)",
        arguments.threads,
        arguments.seconds,
        before as i64 - after as i64
    );
    Ok(())
}
