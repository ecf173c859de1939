//! What accrue's own benches and tests ask of the GPU's floor beside what emitted code calls.

use accrue_ptx::cost::Speeds;
use accrue_ptx::plan::Limits;
use accrue_ptx::sample::KeySample;

use crate::base::device::Device;
use crate::base::error::Error;
use crate::device::allocation::Allocation;
use crate::device::context::Context;
use crate::device::queue::{Queue, Stream};
use crate::gpu::array::{Array, Bins};
use crate::gpu::calibrate::{SPEEDS, get, put};
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::choose::{kept, select};
use crate::gpu::reach::Reach;

/// Queues a call on data that is on the stream's device. Faults of the loop show at [`Stream::sync`].
///
/// # Errors
///
/// [`Error::WrongDevice`] for a buffer of another device; the device's own.
pub fn queue(
    of: &Loop,
    stream: &Stream,
    counts: &[u64],
    arrays: &[Array<'_>],
    bins: &mut [Bins<'_>],
    captured: &[u64],
) -> Result<(), Error> {
    of.queue(&stream.0, counts, arrays, bins, captured, Reach::UNKNOWN)
}

/// Runs a call on a device and waits for it. Bins are written only if it succeeds.
///
/// # Errors
///
/// Any: the device's, the loop's, the caller's.
pub fn call(
    of: &Loop,
    device: Device,
    counts: &[u64],
    arrays: &[Array<'_>],
    bins: &mut [Bins<'_>],
    captured: &[u64],
) -> Result<(), Error> {
    of.call(
        &Context::of(device)?,
        counts,
        arrays,
        bins,
        captured,
        Reach::UNKNOWN,
    )
}

/// Waits until the kernels are loaded that calls so far have asked a device for, or several; whether there were any. Calls go on without
/// them, so this is for who measures.
///
/// # Errors
///
/// A device does not open.
pub fn wait_for_kernels(device: Device) -> Result<bool, Error> {
    let members = Context::members(device)?;
    let waited = members.iter();
    let waited = waited.map(|context| kept::of(context).workshop.wait_for_orders());
    Ok(waited.fold(false, |any, waited| any | waited))
}

/// Keeps constants on disk for a device, for processes that begin from now on; whether there is a place for them.
///
/// # Errors
///
/// The device does not open.
pub fn keep_speeds(device: Device, speeds: &Speeds) -> Result<bool, Error> {
    let context = Context::of(device)?;
    put(&context, SPEEDS, &speeds.text());
    Ok(get(&context, SPEEDS).is_some_and(|text| text == speeds.text()))
}

/// Bytes a second of copies from pinned host memory to a device, as the device's clock has it.
///
/// # Errors
///
/// The device's; [`Error::OutOfMemory`] where no memory can be pinned and the device is no simulator.
pub fn pinned_rate(device: Device, bytes: usize) -> Result<f64, Error> {
    const ROUNDS: u32 = 4;
    let context = Context::of(device)?;
    let backend = &*context.backend;
    let queue = Queue::new(&context)?;
    let memory = Allocation::new(&queue, bytes as u64)?;
    // It is never given back.
    let mut ordinary = Vec::new();
    let from = backend.pin(bytes).unwrap_or_else(|| {
        ordinary = vec![0u8; bytes];
        ordinary.as_mut_ptr()
    });
    // SAFETY: the memory is as long, and nobody else has it.
    unsafe { from.write_bytes(1, bytes) };
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let begin = backend.record(queue.stream)?;
        // SAFETY: both places have the bytes, which stay until the stream has been waited for.
        let copied = unsafe { backend.upload(queue.stream, memory.ptr(), from, bytes as u64) };
        let end = backend.record(queue.stream)?;
        let seconds = backend.elapsed(begin, end);
        backend.sync(queue.stream)?;
        backend.forget(begin);
        backend.forget(end);
        copied?;
        best = best.min(seconds?);
    }
    Ok(bytes as f64 / best)
}

/// Bytes of a device's memory that nobody has.
///
/// # Errors
///
/// The device's.
pub fn free_memory(device: Device) -> Result<u64, Error> {
    Context::of(device)?.backend.free_memory()
}

/// A device's limits, as the model wants them.
///
/// # Errors
///
/// The device does not open.
pub fn limits_of(device: Device) -> Result<Limits, Error> {
    Ok(select::limits(Context::of(device)?.backend.limits()))
}

impl Loop {
    /// The last sample of the loop's bins; none before its second long call has been waited for.
    pub fn key_sample(&self) -> Option<KeySample> {
        self.sampled().last()
    }

    /// Lets the next long call take a sample, as if one were due.
    pub fn sample_next(&self) {
        self.sampled().put_off();
    }
}
