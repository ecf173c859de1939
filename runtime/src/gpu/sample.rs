//! Samples of a loop's bins, for the choice of a strategy.
//!
//! A [sample](accrue_ptx::sample) is two short kernels on the call's stream, before the call's own: the loop's bins of 2048
//! iterations, 32 neighbours at a time from all over the range, and what can be said of them. Nobody waits for it: the
//! figures come back when the stream is settled, and the next call of the loop chooses by them. So a loop's first call is
//! chosen without, and a loop whose data change much is sampled again when twice as many calls have been made.
//!
//! What takes samples may have to be compiled. No call waits for that either: the sample that was due then is taken by the
//! first call that finds it done.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use accrue_ptx::abi::{Module, ParamKind};
use accrue_ptx::sample::{self, KeySample, SampleParam};

use super::Loop;
use super::kernel::Kernel;
use super::launches::{Arguments, FIGURES, Launches};
use super::prepare::Prepared;
use crate::Error;
use crate::backend::{FunctionId, Launch, StreamId};
use crate::context::{Context, lock};

/// Items of a call that a sample is worth its time for, about 6 µs once in a while: from here on strategies differ by as much in
/// every call.
const WORTH: u64 = 1 << 15;

/// Bytes of the indices, and of what is told beside each.
pub(super) const BYTES: u64 = sample::MOST as u64 * 8;

/// What is known of a loop's bins.
#[derive(Debug, Default)]
pub(crate) struct Sampled {
    last: Mutex<Option<KeySample>>,
    /// Calls that were long enough.
    calls: AtomicU32,
    /// Whether one that was due has not been taken.
    overdue: AtomicBool,
}

impl Sampled {
    /// The last sample.
    pub(super) fn last(&self) -> Option<KeySample> {
        *lock(&self.last)
    }

    /// Keeps what a device has written.
    pub(super) fn keep(&self, bytes: [u8; KeySample::BYTES]) {
        *lock(&self.last) = Some(KeySample::from_bytes(bytes));
    }

    /// Whether this call, the second, third, fifth, ninth and so on, or one after that, is to take a sample.
    fn is_due(&self) -> bool {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let overdue = self.overdue.swap(false, Ordering::Relaxed);
        overdue || call > 0 && call.is_power_of_two()
    }

    /// The call cannot take it, the next one may.
    fn put_off(&self) {
        self.overdue.store(true, Ordering::Relaxed);
    }
}

/// What takes a sample.
#[derive(Debug)]
pub(super) struct Sampler<'a> {
    module: &'a Module,
    kernel: Arc<Kernel>,
    /// What writes the bins, and what counts them.
    entries: [FunctionId; 2],
}

impl Loop {
    /// What is known of the loop's bins.
    pub(super) fn sampled(&self) -> &Arc<Sampled> {
        self.sampled.get_or_init(Arc::default)
    }

    /// The last sample of the loop's bins; none before its second long call has been waited for.
    #[doc(hidden)]
    pub fn key_sample(&self) -> Option<KeySample> {
        self.sampled().last()
    }

    /// Lets the next long call take a sample, as if one were due.
    #[doc(hidden)]
    pub fn sample_next(&self) {
        self.sampled().put_off();
    }

    /// What takes the sample of a call, if one is due and it is loaded.
    pub(super) fn sampler(
        &self,
        context: &Arc<Context>,
        prepared: &Prepared,
    ) -> Option<Sampler<'_>> {
        if prepared.asked || prepared.items < WORTH || !self.sampled().is_due() {
            return None;
        }
        let abi = &self.modules[prepared.module].abi;
        let at = self.modules.iter().position(|m| m.abi.sample.is_some())?;
        let module = &self.modules[at];
        // The arguments are those of the chosen module.
        if module.abi.arrays != abi.arrays || module.abi.captured != abi.captured {
            return None;
        }
        match self.order(context, at).done() {
            Some(Ok(kernel)) => Some(Sampler {
                entries: kernel.sample?,
                module,
                kernel: Arc::clone(kernel),
            }),
            Some(Err(e)) => {
                log::debug!("`{}` runs without a sample of its bins: {e}", self.function);
                None
            }
            None => {
                self.sampled().put_off();
                None
            }
        }
    }

    /// Queues a sample before a call. A call runs without where a sample cannot be taken.
    pub(super) fn sample(
        &self,
        context: &Context,
        stream: StreamId,
        launches: &mut Launches,
        sampler: &Sampler<'_>,
        prepared: &Prepared,
        arguments: &Arguments,
    ) -> Result<(), Error> {
        // Another thread may have filled them.
        if launches.is_full() {
            return Ok(());
        }
        let Sampler {
            module,
            kernel,
            entries,
        } = sampler;
        let backend = &*context.backend;
        let room = launches.room_for_sample(context, stream)?;
        let record = launches.next_record(context, stream)?;
        let params: Vec<u64> = module
            .abi
            .params
            .iter()
            .map(|param| match param.kind {
                ParamKind::BinsTotal(t) => prepared.plan.targets[t as usize].bins,
                ParamKind::Ticket => room.0,
                ParamKind::Error => record.0,
                ParamKind::Scratch(_) | ParamKind::Copies(_) | ParamKind::Merge => 0,
                kind => arguments.value(kind),
            })
            .collect();
        let figures = launches.block(context, stream)?.offset(FIGURES);
        let reduce = SampleParam::ALL.map(|p| match p {
            SampleParam::Looks => room.0,
            SampleParam::Count => sample::MOST as u64,
            SampleParam::Result => figures.0,
        });
        let two = [
            (sample::GRID, sample::BLOCK, &params[..]),
            (1, sample::COUNT_BLOCK, &reduce),
        ];
        for (&function, (grid, block, params)) in entries.iter().zip(two) {
            let launch = Launch {
                function,
                name: &kernel.name,
                grid,
                block,
                shared: 0,
                params,
            };
            // SAFETY: the slots are those of the loop's entry and of `SampleParam`, the room and the figures are as large
            // as both write, and the arrays are those of the call that follows.
            unsafe { backend.launch(stream, &launch)? };
        }
        launches.taken = Some(Arc::clone(self.sampled()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Sampled;

    #[test]
    fn a_sample_that_was_put_off_is_taken_by_the_next_call() {
        let sampled = Sampled::default();
        let due = |put_off: bool| {
            let due = sampled.is_due();
            if due && put_off {
                sampled.put_off();
            }
            due
        };
        let calls: Vec<bool> = (0..7).map(|call| due((4..6).contains(&call))).collect();
        assert_eq!(calls, [false, true, true, false, true, true, true]);
        assert!(!due(false));
        assert!(due(false));
    }
}
