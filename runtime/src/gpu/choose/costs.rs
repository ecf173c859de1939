//! What a call costs on the GPU and on the CPU, as far as can be told before it runs: for `auto`.

use std::time::Instant;

use crate::device::backend::{Backend, Ptr, StreamId};
use crate::device::context::Context;

/// Seconds that one operation of a loop's body takes on one core, and on a whole GPU. The first is
/// what the sequential loop of the project's CPU measurements needs; a GPU does a thousand at a time.
const CPU_OPERATION: f64 = 0.15e-9;
const GPU_OPERATION: f64 = CPU_OPERATION / 1000.0;

/// Seconds of a call that no size changes: launches, waiting, taking and giving back memory.
const CALL: f64 = 40e-6;

/// Calls of which a GPU could save no more than this many seconds stay on the CPU, and no driver is opened for them.
pub(in crate::gpu) const WORTH_ASKING: f64 = 60e-6;

/// Seconds of a step of a kernel that takes all of them, at the least: a barrier, and what is loaded behind it (0.9 us a row of seams, H100,
/// 2026-11-27).
const STEP: f64 = 0.9e-6;

/// Bytes a second that copies are taken to move where they cannot be measured.
const ASSUMED: f64 = 6e9;

/// Bytes of the measured copy.
const SAMPLE: usize = 4 << 20;

/// What copies cost on a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Costs {
    /// Bytes a second from the host's memory to the device's.
    pub(crate) upload: f64,
    /// Bytes a second back.
    pub(crate) download: f64,
}

/// The size of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// Iterations.
    pub(crate) items: f64,
    /// Operations of one.
    pub(crate) operations: f64,
    /// Bytes to copy to the device.
    pub(crate) upload: f64,
    /// Bytes to copy back.
    pub(crate) download: f64,
}

impl Size {
    /// How many seconds the GPU is expected to save, its copies left out.
    pub(crate) fn saves(&self, threads: usize) -> f64 {
        self.on_cpu(threads) - CALL - self.items * self.operations * GPU_OPERATION
    }

    /// The same where iterations follow each other in so many steps, which one core may take instead.
    pub(crate) fn saves_in(&self, steps: f64) -> f64 {
        self.on_cpu(1) - CALL - steps * STEP
    }

    /// How many seconds its copies take.
    pub(crate) fn copies(&self, costs: &Costs) -> f64 {
        self.upload / costs.upload + self.download / costs.download
    }

    fn on_cpu(&self, threads: usize) -> f64 {
        self.items * self.operations * CPU_OPERATION / threads as f64
    }
}

impl Costs {
    /// As measured, or as assumed where they cannot be.
    pub(in crate::gpu) fn of(context: &Context) -> Costs {
        Costs::measure(context).unwrap_or(Costs {
            upload: ASSUMED,
            download: ASSUMED,
        })
    }

    /// Times one copy each way, after one that is not timed.
    fn measure(context: &Context) -> Option<Costs> {
        let backend = &*context.backend;
        let stream = backend.create_stream().ok()?;
        let costs = context
            .allocate(stream, SAMPLE as u64)
            .ok()
            .and_then(|ptr| {
                let rates = rates(backend, stream, ptr);
                // SAFETY: allocated above, and the stream has been waited for.
                unsafe { backend.free(stream, ptr, SAMPLE as u64) };
                rates
            });
        backend.destroy_stream(stream);
        let [upload, download] = costs?;
        Some(Costs { upload, download })
    }
}

/// Bytes a second up and down; none where a copy fails. No copy is under way when this returns.
fn rates(backend: &dyn Backend, stream: StreamId, ptr: Ptr) -> Option<[f64; 2]> {
    let mut host = vec![1u8; SAMPLE];
    let mut rates = [ASSUMED; 2];
    for round in 0..2 {
        for (way, rate) in rates.iter_mut().enumerate() {
            let start = Instant::now();
            // SAFETY: both sides have the sample's bytes, and the host's stays until `sync`.
            let copied = unsafe {
                match way {
                    0 => backend.upload(stream, ptr, host.as_ptr(), SAMPLE as u64),
                    _ => backend.download(stream, host.as_mut_ptr(), ptr, SAMPLE as u64),
                }
            };
            let waited = backend.sync(stream);
            copied.and(waited).ok()?;
            if round == 1 {
                *rate = SAMPLE as f64 / start.elapsed().as_secs_f64().max(1e-9);
            }
        }
    }
    Some(rates)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PCIE: Costs = Costs {
        upload: 10e9,
        download: 10e9,
    };

    fn size(items: f64, operations: f64, bytes: f64) -> Size {
        Size {
            items,
            operations,
            upload: bytes,
            download: 1024.0,
        }
    }

    #[test]
    fn small_calls_are_not_worth_a_question() {
        assert!(size(1000.0, 6.0, 4000.0).saves(2) < WORTH_ASKING);
        assert!(size(1e8, 6.0, 4e8).saves(2) > WORTH_ASKING);
    }

    #[test]
    fn narrow_steps_are_not_worth_a_question() {
        let seams = |rows: f64, width: f64| size(rows * width, 20.0, 0.0).saves_in(rows);
        assert!(seams(1e6, 8.0) < WORTH_ASKING);
        assert!(seams(1e6, 1920.0) > WORTH_ASKING);
    }

    #[test]
    fn copies_decide_for_light_loops_and_work_for_heavy_ones() {
        let pays = |size: Size, threads| size.saves(threads) > size.copies(&PCIE);
        // A byte histogram: the copy alone takes as long as 16 cores need.
        assert!(!pays(size(1e8, 6.0, 1e8), 16));
        assert!(pays(size(1e8, 6.0, 1e8), 2));
        assert!(pays(size(1e8, 200.0, 1e8), 16));
        // On the device already.
        assert!(pays(size(1e8, 6.0, 0.0), 16));
    }
}
