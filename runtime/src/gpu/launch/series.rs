//! Calls that follow each other in one launch.
//!
//! The launch of a kernel costs more than the kernel where a call is a row of an image. Where nobody looks between calls of a loop
//! ([`Stay`](crate::gpu::stay::Stay)), short ones are kept until there are as many as one launch takes, or until something else is
//! put on the stream or is waited for. One gang then runs them all, with a barrier from each to the next.

use std::sync::Arc;

use accrue_ptx::writer::SERIES_SLOTS;

use super::start::Sink;
use super::state::{First, Launches, Series};
use crate::base::error::Error;
use crate::device::backend::{Backend, Launch, StreamId};
use crate::device::context::{Context, Work};
use crate::gpu::choose::prepared::Prepared;

impl Launches {
    /// Whether a call waits for others.
    pub(super) fn waits(&self, prepared: &Prepared) -> bool {
        self.series.is_wanted && prepared.is_short
    }

    /// Whether it can be launched together with those that wait, and has room there.
    pub(in crate::gpu) fn joins(&self, prepared: &Prepared) -> bool {
        let series = &self.series;
        let same = |first: &First| Arc::ptr_eq(&first.kernel, &prepared.kernel);
        series.first.as_ref().is_some_and(same) && series.has_room() && self.waits(prepared)
    }

    /// Has a call wait that joins what waits already, or finds nothing there.
    pub(super) fn keep(&mut self, prepared: &Prepared, params: &[u64]) {
        let series = &mut self.series;
        if series.first.is_none() {
            series.slots.clear();
            series.slots.reserve_exact(SERIES_SLOTS);
            series.slots.push(0);
            series.first = Some(First {
                kernel: Arc::clone(&prepared.kernel),
                grid: prepared.plan.grid,
                block: prepared.plan.block,
            });
        }
        series.slots.extend_from_slice(params);
        series.calls += 1;
        series.items = series.items.max(prepared.items);
    }

    /// Launches the calls that wait. Where that is refused none of them has run, although their callers have gone on: that is for
    /// whoever waits for the stream, as a fault of theirs would be.
    pub(in crate::gpu) fn start_kept(&mut self, context: &Context, stream: StreamId) {
        if let Err(refused) = self.launch_kept(&*context.backend, stream) {
            // Calls before them still have their say.
            let earlier = self.settle(context, stream).err();
            self.discard(context, stream);
            self.failed = Some(earlier.unwrap_or(refused));
        }
    }

    fn launch_kept(&mut self, backend: &dyn Backend, stream: StreamId) -> Result<(), Error> {
        let series = &mut self.series;
        let Some(First {
            kernel,
            grid,
            block,
        }) = series.first.take()
        else {
            return Ok(());
        };
        let calls = std::mem::take(&mut series.calls);
        let items = std::mem::take(&mut series.items);
        let together = kernel.series.filter(|_| calls > 1);
        let launch = match together {
            Some((function, most)) => {
                series.slots[0] = calls as u64;
                series.slots.resize(SERIES_SLOTS, 0);
                let threads = (items as u32).next_multiple_of(32).min(most);
                Launch {
                    function,
                    name: &kernel.name,
                    grid: 1,
                    block: threads,
                    shared: 0,
                    params: &series.slots,
                    is_block: true,
                }
            }
            None => Launch {
                function: kernel.entry,
                name: &kernel.name,
                grid,
                block,
                shared: 0,
                params: &series.slots[1..],
                is_block: false,
            },
        };
        // SAFETY: as for calls that are launched one by one: the slots are the ABI's, their memory is kept alive by the pending calls,
        // and the kernel checks its indices.
        unsafe { Sink::to(backend, stream).launch(&launch) }
    }

    /// Forgets the calls that wait, whose memory is given up.
    pub(in crate::gpu) fn drop_kept(&mut self) {
        self.series = Series {
            is_wanted: self.series.is_wanted,
            ..Series::default()
        };
    }
}

impl Series {
    /// Whether one more call like those that wait fits the parameter.
    fn has_room(&self) -> bool {
        let each = (self.slots.len() - 1) / self.calls;
        self.slots.len() + each <= SERIES_SLOTS
    }
}
