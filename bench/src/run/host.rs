//! What a call costs besides its kernel: opening the device, the first call with its compilation, queueing, waiting.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use accrue::__rt::gpu::{Array, Bins, Loop, call, queue};
use accrue::{Device, DeviceBuffer, Error, Stream};
use serde::{Deserialize, Serialize};

use crate::check::kernel::{self, Compiled};

/// Keys of a call: so few that the kernel takes no time to speak of.
const KEYS: usize = 1000;

/// Calls that are timed.
const CALLS: u32 = 2000;

/// Calls that are queued before they are waited for: fewer than a stream keeps records of, so that none waits.
const BATCH: u32 = 50;

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
}

impl Host {
    /// The figures in a line.
    pub(super) fn line(&self) -> String {
        format!(
            "host, in us: opening the device {:.0}; first call, compilation included {:.0}; then with {KEYS} keys: \
             plain call {:.1}, on data that is there: queueing {:.2}, queueing and waiting {:.1}",
            self.open, self.first_call, self.plain_call, self.queue, self.queue_and_wait
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
        let arrays = arrays(&compiled, Array::device(keys.as_slice()));
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
    Ok(Host {
        open,
        first_call,
        plain_call: plain[plain.len() / 2],
        queue: micros(queueing) / f64::from(CALLS),
        queue_and_wait: micros(waiting) / f64::from(CALLS),
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
            let arrays = arrays(compiled, Array::host(keys));
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
fn arrays<'a>(compiled: &Compiled, keys: Array<'a>) -> Vec<Array<'a>> {
    let named = compiled.arrays.iter();
    named
        .map(|name| {
            if name == "keys" {
                keys
            } else {
                Array::length(256)
            }
        })
        .collect()
}
