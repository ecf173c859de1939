//! The calls on one stream: their scratch memory, their launches, and what became of them.
//!
//! Scratch memory and the ticket are neutral between calls (see [`accrue_ptx::abi`]), so they are kept and a call
//! in the steady state is one launch, or one and a merge for each target where there are many copies. Each call
//! gets an error record of its own out of a ring; records are read when the stream is settled, all in one copy.

use std::sync::Arc;

use accrue_ptx::abi::{AUXILIARY_BLOCK, KernelAbi, MergeParam, ParamKind};
use accrue_ptx::plan::{Ending, LaunchPlan, SplitPlan};
use accrue_ptx::queues::{COUNT_BLOCK, Part};
use accrue_ptx::sample::KeySample;

use super::kernel::Kernel;
use super::memory::Scratch;
use super::prepare::Prepared;
use super::sample::Sampled;
use super::settle::Mirror;
use crate::Error;
use crate::allocation::Allocation;
use crate::backend::{Backend, FunctionId, Launch, Ptr, StreamId};
use crate::context::Context;

/// Calls on a stream whose records have not been read, at most. The next one reads them first.
pub(super) const RING: usize = 64;

/// Where the records start in the block; the ticket is at its start.
pub(super) const RECORDS: u64 = 256;

/// Where the figures of a sample are in the block: before the records, which are read with them.
pub(super) const FIGURES: u64 = RECORDS - KeySample::BYTES as u64;

/// The state of a stream.
#[derive(Debug, Default)]
pub(crate) struct Launches {
    /// Ticket, figures and records.
    pub(super) block: Option<Ptr>,
    pub(super) scratch: Vec<Scratch>,
    /// Memory for queues of split updates, and its size. What it holds means nothing between calls.
    pub(super) queues: Option<(Ptr, u64)>,
    pub(super) pending: Vec<Pending>,
    /// Memory that later calls have no use for and a pending call may: an iteration of it that runs again writes there.
    pub(super) retired: Vec<(Ptr, u64)>,
    /// The first failure of calls whose records had to be read early.
    pub(super) failed: Option<Error>,
    /// Room for the indices of a sample, and whose sample has not been read.
    pub(super) sample: Option<Ptr>,
    pub(super) taken: Option<Arc<Sampled>>,
    /// Pinned memory for what is read when the stream is settled.
    pub(super) mirror: Mirror,
}

/// A call whose record has not been read.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) kernel: Arc<Kernel>,
    /// The entry's arguments.
    pub(super) params: Vec<u64>,
    pub(super) begin: Option<usize>,
    pub(super) end: Option<usize>,
    pub(super) block: u32,
    pub(super) shared: u32,
    /// The merges' arguments, where they are launches of their own.
    pub(super) merges: Vec<(FunctionId, [u64; 5])>,
    /// Buffers that must live until the record has been read: an iteration may have to run again.
    _keep: Vec<Arc<Allocation>>,
}

/// What a call passes to a kernel.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// Positions of each dimension.
    pub(crate) counts: Vec<u64>,
    /// Address and outermost length of each array, in the order of the ABI.
    pub(crate) arrays: Vec<(u64, u64)>,
    /// Captured values, in the order of the ABI.
    pub(crate) captured: Vec<u64>,
    /// Address and outermost length of each target's bins.
    pub(crate) bins: Vec<(u64, u64)>,
    /// Buffers to keep alive.
    pub(crate) keep: Vec<Arc<Allocation>>,
}

impl Arguments {
    /// The value of a parameter that the call decides.
    pub(super) fn value(&self, kind: ParamKind) -> u64 {
        match kind {
            ParamKind::Begin => 0,
            ParamKind::End => self.counts.iter().product(),
            ParamKind::Count(d) => self.counts[d as usize],
            ParamKind::Pointer(a) => self.arrays[a as usize].0,
            ParamKind::Length(a) => self.arrays[a as usize].1,
            ParamKind::Captured(c) => self.captured[c as usize],
            ParamKind::Bins(t) => self.bins[t as usize].0,
            ParamKind::BinsLength(t) => self.bins[t as usize].1,
            ParamKind::BinsTotal(_)
            | ParamKind::Scratch(_)
            | ParamKind::Copies(_)
            | ParamKind::SharedOffset(_)
            | ParamKind::SharedCopies(_)
            | ParamKind::Windows
            | ParamKind::Ranges
            | ParamKind::RangeBits
            | ParamKind::Gangs
            | ParamKind::Chunks
            | ParamKind::Queue(_)
            | ParamKind::Merge
            | ParamKind::Ticket
            | ParamKind::Error => unreachable!("the plan or the stream decides {kind:?}"),
        }
    }
}

impl Launches {
    /// Whether there are calls whose outcome is not known.
    pub(crate) fn has_pending(&self) -> bool {
        !self.pending.is_empty() || self.failed.is_some()
    }

    /// Queues a call.
    ///
    /// # Errors
    ///
    /// The device's. A fault of the loop shows when the stream is settled.
    pub(super) fn enqueue(
        &mut self,
        context: &Context,
        stream: StreamId,
        abi: &KernelAbi,
        prepared: &Prepared,
        mut arguments: Arguments,
    ) -> Result<(), Error> {
        if self.pending.len() == RING
            && let Err(e) = self.settle(context, stream)
        {
            self.failed = Some(e);
        }
        let mut may_repeat = true;
        loop {
            let done = self.try_enqueue(context, stream, abi, prepared, &mut arguments);
            let Err(error) = done else { return Ok(()) };
            // What the stream has kept for other calls may be what this one lacked.
            may_repeat &= self.keeps_memory() && matches!(error, Error::OutOfMemory { .. });
            // What was launched may have left the scratch memory half merged; earlier calls still have their say.
            if let Err(e) = self.settle(context, stream) {
                self.failed = Some(e);
            }
            self.discard(context, stream);
            if !may_repeat {
                return Err(error);
            }
            may_repeat = false;
        }
    }

    fn try_enqueue(
        &mut self,
        context: &Context,
        stream: StreamId,
        abi: &KernelAbi,
        prepared: &Prepared,
        arguments: &mut Arguments,
    ) -> Result<(), Error> {
        let backend = &*context.backend;
        let Prepared {
            kernel,
            plan,
            limits,
            ..
        } = prepared;
        let block = self.block(context, stream)?;
        let record = self.next_record(context, stream)?;
        let scratch = self.scratch(context, stream, kernel, abi, plan, limits)?;
        let queues = self.queues(context, stream, plan)?;

        if let Some(percent) = plan.shared_percent(limits, abi.static_shared) {
            kernel.prefer_shared(backend, percent)?;
        }

        let mut params: Vec<u64> = abi
            .params
            .iter()
            .map(|param| match param.kind {
                ParamKind::Scratch(t) => scratch[t as usize],
                ParamKind::Ticket => block.0,
                ParamKind::Error => record.0,
                ParamKind::Queue(part) => {
                    let part = Part::ALL[part as usize];
                    queues.0 + plan.split.as_ref().map_or(0, |split| split.offset(part))
                }
                kind => plan.value(kind).unwrap_or_else(|| arguments.value(kind)),
            })
            .collect();
        match &plan.split {
            None => {
                let at = position(abi, ParamKind::Merge);
                let endings = plan.ending.launches(abi);
                for &ending in endings {
                    at.into_iter().for_each(|at| params[at] = ending as u64);
                    launch(backend, stream, kernel, plan, &params)?;
                }
                // As whatever tells a fault launches it again.
                at.into_iter().for_each(|at| params[at] = endings[0] as u64);
            }
            Some(split) => {
                let end = arguments.value(ParamKind::End);
                let [begin_at, end_at] =
                    [ParamKind::Begin, ParamKind::End].map(|kind| position(abi, kind));
                for (begin, end) in split.slabs(end) {
                    begin_at.into_iter().for_each(|at| params[at] = begin);
                    end_at.into_iter().for_each(|at| params[at] = end);
                    let tally = queues.offset(split.offset(Part::Tally));
                    // SAFETY: the queues have all parts that the plan has, and this one is as long.
                    unsafe { backend.fill(stream, tally, 0, 4 * u64::from(split.ranges))? };
                    launch(backend, stream, kernel, plan, &params)?;
                    launch_behind(backend, stream, kernel, split, &params)?;
                }
            }
        }

        let mut merges = Vec::new();
        if plan.ending == Ending::Merged {
            for (t, target) in plan
                .targets
                .iter()
                .enumerate()
                .filter(|(_, t)| t.scratch_bytes > 0)
            {
                let params = MergeParam::ALL.map(|p| match p {
                    MergeParam::Bins => arguments.bins[t].0,
                    MergeParam::BinsTotal => target.bins,
                    MergeParam::Scratch => scratch[t],
                    MergeParam::Copies => u64::from(target.locals),
                    MergeParam::Error => record.0,
                });
                let grid = plan.merge_grid(limits, target);
                launch_auxiliary(backend, stream, kernel, kernel.merge[t], grid, &params)?;
                merges.push((kernel.merge[t], params));
            }
        }
        self.pending.push(Pending {
            kernel: Arc::clone(kernel),
            params,
            begin: position(abi, ParamKind::Begin),
            end: position(abi, ParamKind::End),
            block: plan.block,
            shared: plan.shared_bytes,
            merges,
            _keep: std::mem::take(&mut arguments.keep),
        });
        Ok(())
    }

    /// Whether the next call has to wait for records to be read.
    pub(super) fn is_full(&self) -> bool {
        self.pending.len() == RING
    }
}

/// Where a parameter of the entry is.
fn position(abi: &KernelAbi, kind: ParamKind) -> Option<usize> {
    abi.params.iter().position(|p| p.kind == kind)
}

/// Launches the entry.
fn launch(
    backend: &dyn Backend,
    stream: StreamId,
    kernel: &Kernel,
    plan: &LaunchPlan,
    params: &[u64],
) -> Result<(), Error> {
    let launch = Launch {
        function: kernel.entry,
        name: &kernel.name,
        grid: plan.grid,
        block: plan.block,
        shared: plan.shared_bytes,
        params,
    };
    // SAFETY: the slots are the ABI's, the addresses are of memory that is alive until the stream is settled and as long
    // as the lengths say, and the kernel checks its indices.
    unsafe { backend.launch(stream, &launch) }
}

/// Launches what counts the queues that the entry has filled.
fn launch_behind(
    backend: &dyn Backend,
    stream: StreamId,
    kernel: &Kernel,
    split: &SplitPlan,
    params: &[u64],
) -> Result<(), Error> {
    let Some([arrange, count]) = kernel.behind else {
        return Ok(());
    };
    let stages = [
        (arrange, split.arrange_grid, AUXILIARY_BLOCK, 0),
        (count, split.count_grid, COUNT_BLOCK, split.count_shared),
    ];
    for (function, grid, block, shared) in stages {
        let launch = Launch {
            function,
            name: &kernel.name,
            grid,
            block,
            shared,
            params,
        };
        // SAFETY: as for the entry, whose parameters these are; the queues are as the same plan has them.
        unsafe { backend.launch(stream, &launch)? };
    }
    Ok(())
}

pub(super) fn launch_auxiliary(
    backend: &dyn Backend,
    stream: StreamId,
    kernel: &Kernel,
    function: FunctionId,
    grid: u32,
    params: &[u64],
) -> Result<(), Error> {
    let launch = Launch {
        function,
        name: &kernel.name,
        grid,
        block: AUXILIARY_BLOCK,
        shared: 0,
        params,
    };
    // SAFETY: the slots are those of `MergeParam` or `InitialiseParam`; the memory is as large as they say.
    unsafe { backend.launch(stream, &launch) }
}
