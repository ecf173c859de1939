//! What a call costs besides its kernel: opening the device, the first call with its compilation, the calls up to the one by
//! which the choice has settled, queueing, waiting.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use accrue::__bench::{call, queue, wait_for_kernels};
use accrue::__rt::gpu::{Array, Bins, Loop};
use accrue::{Device, DeviceBuffer, Error, Stream};
use serde::{Deserialize, Serialize};

use crate::check::kernel::{self, Compiled};
use crate::data::median;

/// Keys of a call: so few that the kernel takes no time to speak of.
const KEYS: usize = 1000;

/// Calls that are timed.
const CALLS: u32 = 2000;

/// Calls that are queued before they are waited for: fewer than a stream keeps records of, so that none waits.
const BATCH: u32 = 50;

/// Keys of a call that is long enough for a sample of them, so that the calls after the first have something compiled.
const MANY: usize = 1 << 21;

/// Bins for them: which strategy is best depends on the keys.
const MANY_BINS: usize = 1 << 16;

/// How long calls go on before it is asked whether something is being compiled for them, about what that takes.
const SOME: Duration = Duration::from_millis(100);

/// How often that is asked, at most.
const ROUNDS: usize = 12;

/// Times of the host, in microseconds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Host {
    /// Opening the device; nearly nothing if it is open.
    open: f64,
    /// The first call of a loop that no cache has seen, its compilation included.
    pub(super) first_call: f64,
    /// A plain call with everything in host memory, the median.
    plain_call: f64,
    /// Queueing a call on data that is on the device.
    pub(super) queue: f64,
    /// Queueing a call on data that is on the device, and waiting for it.
    queue_and_wait: f64,
    /// The first call of a loop over many keys, what came after it until nothing was compiled any more, and what came then.
    #[serde(default)]
    settling: Option<Settling>,
}

/// Calls of one loop, each waited for. Those after the first go on while other kernels are compiled.
#[derive(Debug, Serialize, Deserialize)]
struct Settling {
    first: f64,
    /// Calls after it, until its choice has settled.
    calls: usize,
    /// How long they took together with what was compiled beside them.
    together: f64,
    /// The median of them, and the longest.
    median: f64,
    longest: f64,
    /// The median of the calls after that.
    settled: f64,
    /// How much longer calls take that take a sample of the keys than the calls between them, by the medians: of these keys or of ones
    /// without any order, whichever takes longer. None where none was taken.
    #[serde(default)]
    sample: Option<f64>,
}

impl Host {
    /// The figures in a line.
    pub(super) fn line(&self) -> String {
        format!(
            "host, in us: opening the device {:.0}; first call, compilation included {:.0}; then with {KEYS} keys: \
             plain call {:.1}, on data that is there: queueing {:.2}, queueing and waiting {:.1}{}",
            self.open,
            self.first_call,
            self.plain_call,
            self.queue,
            self.queue_and_wait,
            self.settling.as_ref().map_or(String::new(), Settling::text)
        )
    }
}

impl Settling {
    fn text(&self) -> String {
        format!(
            "; with {MANY} keys: first call {:.0}, then {} calls while others are compiled for {:.0}, of {:.1} (longest {:.1}), \
             then of {:.1}{}",
            self.first,
            self.calls,
            self.together,
            self.median,
            self.longest,
            self.settled,
            self.sample
                .map_or(String::new(), |us| format!(", {us:+.1} with a sample"))
        )
    }
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

/// Measures a loop that counts [`KEYS`] keys into 256 bins.
///
/// # Errors
///
/// The device's.
pub(super) fn measure(device: Device) -> anyhow::Result<Host> {
    let start = Instant::now();
    let stream = Stream::on(device)?;
    let open = micros(start.elapsed());
    // A text that no cache on disk has seen.
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let text = format!(
        "fn count_{now}(keys: &[u32], bins: &mut [u32]) {{ for &k in keys {{ bins[k as usize] += 1; }} }}"
    );
    let compiled = kernel::compile(&text, &[])?;
    let of = compiled.the_loop("");
    let keys: Vec<u32> = (0..KEYS as u32).map(|i| i % 256).collect();
    let mut plain = plain_calls(&of, &compiled, device, &keys)?;
    let first_call = plain.remove(0);
    plain.sort_by(f64::total_cmp);

    let keys = DeviceBuffer::from_slice_on(&stream, &keys)?;
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 256)?;
    let mut run = || -> Result<(), Error> {
        let arrays = arrays(&compiled, Array::device(keys.as_slice()), 256);
        let mut bins = [Bins::device(bins.as_slice_mut())];
        queue(&of, &stream, &[KEYS as u64], &arrays, &mut bins, &[])
    };
    run()?;
    stream.sync()?;
    let mut queueing = Duration::ZERO;
    for _ in 0..CALLS / BATCH {
        let start = Instant::now();
        for _ in 0..BATCH {
            run()?;
        }
        queueing += start.elapsed();
        stream.sync()?;
    }
    let start = Instant::now();
    for _ in 0..CALLS {
        run()?;
        stream.sync()?;
    }
    let waiting = start.elapsed();
    let settling = Some(settling(device, &stream)?);
    Ok(Host {
        open,
        first_call,
        plain_call: plain[plain.len() / 2],
        queue: micros(queueing) / f64::from(CALLS),
        queue_and_wait: micros(waiting) / f64::from(CALLS),
        settling,
    })
}

/// Calls of a loop with many keys, two thirds of them equal, from the first on.
fn settling(device: Device, stream: &Stream) -> anyhow::Result<Settling> {
    let many = match device {
        Device::Cuda(_) => MANY,
        _ => KEYS,
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let text = format!(
        "fn weigh_{now}(keys: &[u32], bins: &mut [u32]) {{ for &k in keys {{ bins[k as usize] += k + 3; }} }}"
    );
    let compiled = kernel::compile(&text, &[])?;
    let of = compiled.the_loop("");
    let spread = |i: u32| i.wrapping_mul(2_654_435_761) % MANY_BINS as u32;
    let skewed = (0..many as u32).map(|i| if i % 3 == 0 { spread(i) } else { 7 });
    let uniform = (0..many as u32).map(spread);
    let skewed = DeviceBuffer::from_slice_on(stream, &skewed.collect::<Vec<u32>>())?;
    let uniform = DeviceBuffer::from_slice_on(stream, &uniform.collect::<Vec<u32>>())?;
    let mut bins = DeviceBuffer::<u32>::zeroed_on(stream, MANY_BINS)?;
    stream.sync()?;
    let mut run = |keys: &DeviceBuffer<u32>| -> anyhow::Result<f64> {
        let arrays = arrays(&compiled, Array::device(keys.as_slice()), MANY_BINS);
        let mut bins = [Bins::device(bins.as_slice_mut())];
        let start = Instant::now();
        queue(&of, stream, &[many as u64], &arrays, &mut bins, &[])?;
        stream.sync()?;
        Ok(micros(start.elapsed()))
    };
    let first = run(&skewed)?;
    let start = Instant::now();
    let mut times = Vec::new();
    let mut quiet = 0;
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        while begun.elapsed() < SOME {
            times.push(run(&skewed)?);
        }
        // To ask is to wait for it.
        quiet = match wait_for_kernels(device)? {
            true => 0,
            false => quiet + 1,
        };
        if quiet == 2 {
            break;
        }
    }
    let together = micros(start.elapsed());
    // How long calls take, and how much longer with a sample.
    let mut sampling = |keys: &DeviceBuffer<u32>| -> anyhow::Result<[f64; 2]> {
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for _ in 0..51 {
            without.push(run(keys)?);
            of.sample_next();
            with.push(run(keys)?);
        }
        let settled = median(without);
        Ok([settled, median(with) - settled])
    };
    let [settled, more] = sampling(&skewed)?;
    // The first calls are on their way to another choice.
    sampling(&uniform)?;
    wait_for_kernels(device)?;
    let [_, more_spread] = sampling(&uniform)?;
    // A sample that was taken says that what takes them is there.
    let sample = of.key_sample().map(|_| more.max(more_spread));
    Ok(Settling {
        first,
        calls: times.len(),
        together,
        longest: times.iter().copied().fold(0.0, f64::max),
        median: median(times),
        settled,
        sample,
    })
}

/// The times of plain calls, the first of which compiles.
fn plain_calls(
    of: &Loop,
    compiled: &Compiled,
    device: Device,
    keys: &[u32],
) -> Result<Vec<f64>, Error> {
    let mut bins = vec![0u32; 256];
    (0..102)
        .map(|_| {
            let arrays = arrays(compiled, Array::host(keys), 256);
            let start = Instant::now();
            call(
                of,
                device,
                &[KEYS as u64],
                &arrays,
                &mut [Bins::host(&mut bins)],
                &[],
            )?;
            Ok(micros(start.elapsed()))
        })
        .collect()
}

/// The loop's arrays in order: the keys, and the bins by their length.
fn arrays<'a>(compiled: &Compiled, keys: Array<'a>, bins: usize) -> Vec<Array<'a>> {
    let named = compiled.arrays.iter();
    named
        .map(|name| {
            if name == "keys" {
                keys
            } else {
                Array::length(bins)
            }
        })
        .collect()
}
