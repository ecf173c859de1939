//! Samples of a loop's bins, for the choice of a strategy.
//!
//! A [sample](accrue_ptx::sample) is two short kernels on the call's stream, before the call's own: the loop's bins of 2048
//! iterations, 32 neighbours at a time from all over the range, and what can be said of them. Nobody waits for it: the
//! figures come back when the stream is settled, and the next call of the loop chooses by them. So a loop's first call is
//! chosen without, and a loop whose data change much is sampled again when twice as many calls have been made.
//!
//! What takes samples may have to be compiled. No call waits for that either: the sample that was due then is taken by the
//! first call that finds it done.

use std::sync::Arc;

use accrue_ptx::abi::{Module, ParamKind};
use accrue_ptx::sample::{self, SampleParam};

use super::arguments::Arguments;
use super::state::{FIGURES, Launches};
use crate::base::error::Error;
use crate::device::backend::{FunctionId, Launch, StreamId};
use crate::device::context::Context;
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::choose::prepared::Prepared;
use crate::gpu::load::kernel::Kernel;

/// Items of a call that a sample is worth its time for, about 6 µs once in a while: from here on strategies differ by as much in
/// every call.
const WORTH: u64 = 1 << 15;

/// What takes a sample.
#[derive(Debug)]
pub(in crate::gpu) struct Sampler<'a> {
    module: &'a Module,
    kernel: Arc<Kernel>,
    /// What writes the bins, and what counts them.
    entries: [FunctionId; 2],
}

impl Loop {
    /// What takes the sample of a call, if one is due and it is loaded.
    pub(in crate::gpu) fn sampler(
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
    pub(in crate::gpu) fn sample(
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
            SampleParam::Count => sample::MOST_INDICES as u64,
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
                is_block: false,
            };
            // SAFETY: the slots are those of the loop's entry and of `SampleParam`, the room and the figures are as large
            // as both write, and the arrays are those of the call that follows.
            unsafe { backend.launch(stream, &launch)? };
        }
        launches.taken = Some(Arc::clone(self.sampled()));
        Ok(())
    }
}
