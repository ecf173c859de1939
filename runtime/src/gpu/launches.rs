//! The calls on one stream: their scratch memory, their launches, and what became of them.
//!
//! Scratch memory and the ticket are neutral between calls (see [`accrue_ptx::abi`]), so they are kept and a call
//! in the steady state is one launch, or one and a merge for each target where there are many copies. Each call
//! gets an error record of its own out of a ring; records are read when the stream is settled, all in one copy.

use std::sync::Arc;

use accrue_ptx::abi::{AUXILIARY_BLOCK, ErrorRecord, KernelAbi, MergeParam, ParamKind, TargetAbi};
use accrue_ptx::plan::{LaunchPlan, Limits, SplitPlan};
use accrue_ptx::queues::{COUNT_BLOCK, Part};

use super::kernel::Kernel;
use super::prepare::Prepared;
use super::sample::{self, Taken};
use super::settle::Mirror;
use crate::Error;
use crate::allocation::Allocation;
use crate::backend::{Backend, FunctionId, Launch, Ptr, StreamId};
use crate::context::Context;

/// Calls on a stream whose records have not been read, at most. The next one reads them first.
pub(super) const RING: usize = 64;

/// Where the records start in the block; the ticket is at its start.
pub(super) const RECORDS: u64 = 256;

/// Scratch memory that a stream keeps between calls, in bytes.
const KEEP: u64 = 512 << 20;

/// The state of a stream.
#[derive(Debug, Default)]
pub(crate) struct Launches {
    /// Ticket and records.
    pub(super) block: Option<Ptr>,
    scratch: Vec<Scratch>,
    /// Memory for queues of split updates, and its size. What it holds means nothing between calls.
    queues: Option<(Ptr, u64)>,
    pub(super) pending: Vec<Pending>,
    /// Memory that later calls have no use for and a pending call may: an iteration of it that runs again writes there.
    retired: Vec<(Ptr, u64)>,
    /// The first failure of calls whose records had to be read early.
    pub(super) failed: Option<Error>,
    /// Room for a sample, and the sample that has not been read.
    sample: Option<Ptr>,
    pub(super) taken: Option<Taken>,
    /// Pinned memory for what is read when the stream is settled.
    pub(super) mirror: Mirror,
}

/// Memory full of one neutral element.
#[derive(Debug)]
struct Scratch {
    /// Bits and bytes of the element.
    neutral: (u64, u32),
    ptr: Ptr,
    bytes: u64,
    /// Whether a target of the call being prepared has it.
    taken: bool,
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
        arguments: Arguments,
    ) -> Result<(), Error> {
        if self.pending.len() == RING
            && let Err(e) = self.settle(context, stream)
        {
            self.failed = Some(e);
        }
        let done = self.try_enqueue(context, stream, abi, prepared, arguments);
        if done.is_err() {
            // What was launched may have left the scratch memory half merged; earlier calls still have their say.
            if let Err(e) = self.settle(context, stream) {
                self.failed = Some(e);
            }
            self.discard(context, stream);
        }
        done
    }

    fn try_enqueue(
        &mut self,
        context: &Context,
        stream: StreamId,
        abi: &KernelAbi,
        prepared: &Prepared,
        arguments: Arguments,
    ) -> Result<(), Error> {
        let backend = &*context.backend;
        let Prepared {
            kernel,
            plan,
            limits,
            ..
        } = prepared;
        let block = self.block(backend, stream)?;
        let record = self.next_record(backend, stream)?;
        let scratch = self.scratch(backend, stream, kernel, abi, plan, limits)?;
        let queues = self.queues(backend, stream, plan)?;

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
            None => launch(backend, stream, kernel, plan, &params)?,
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
        if !plan.merges {
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
            _keep: arguments.keep,
        });
        Ok(())
    }

    /// Whether the next call has to wait for records to be read.
    pub(super) fn is_full(&self) -> bool {
        self.pending.len() == RING
    }

    /// Room for a sample's indices and figures.
    pub(super) fn room_for_sample(
        &mut self,
        backend: &dyn Backend,
        stream: StreamId,
    ) -> Result<Ptr, Error> {
        if let Some(room) = self.sample {
            return Ok(room);
        }
        let room = backend.allocate(stream, sample::BYTES)?;
        self.sample = Some(room);
        Ok(room)
    }

    /// The record of the next call. A sample that meets a fault of the loop says so there, as the call itself will.
    pub(super) fn next_record(
        &mut self,
        backend: &dyn Backend,
        stream: StreamId,
    ) -> Result<Ptr, Error> {
        let block = self.block(backend, stream)?;
        Ok(block.offset(RECORDS + (self.pending.len() * ErrorRecord::BYTES) as u64))
    }

    /// Ticket and records, fresh if there are none.
    fn block(&mut self, backend: &dyn Backend, stream: StreamId) -> Result<Ptr, Error> {
        if let Some(block) = self.block {
            return Ok(block);
        }
        let records = (RING * ErrorRecord::BYTES) as u64;
        let block = backend.allocate(stream, RECORDS + records)?;
        self.block = Some(block);
        // SAFETY: the memory was just allocated with these sizes.
        unsafe {
            backend.fill(stream, block, 0, RECORDS)?;
            backend.fill(stream, block.offset(RECORDS), u32::MAX, records)?;
        }
        Ok(block)
    }

    /// The address of each target's scratch memory, neutral.
    fn scratch(
        &mut self,
        backend: &dyn Backend,
        stream: StreamId,
        kernel: &Kernel,
        abi: &KernelAbi,
        plan: &LaunchPlan,
        limits: &Limits,
    ) -> Result<Vec<u64>, Error> {
        for scratch in &mut self.scratch {
            scratch.taken = false;
        }
        let mut addresses = Vec::with_capacity(plan.targets.len());
        for (t, (target, needs)) in abi.targets.iter().zip(&plan.targets).enumerate() {
            let bytes = needs.scratch_bytes;
            if bytes == 0 {
                addresses.push(0);
                continue;
            }
            let accumulator = target.accumulator();
            let neutral = (target.op.neutral_bits(accumulator), accumulator.size());
            let known = self
                .scratch
                .iter_mut()
                .filter(|s| s.neutral == neutral && !s.taken && s.bytes >= bytes);
            if let Some(scratch) = known.min_by_key(|s| s.bytes) {
                scratch.taken = true;
                addresses.push(scratch.ptr.0);
                continue;
            }
            self.make_room(backend, stream, bytes);
            let ptr = backend.allocate(stream, bytes)?;
            self.scratch.push(Scratch {
                neutral,
                ptr,
                bytes,
                taken: true,
            });
            let grid = plan.initialise_grid(limits, bytes / u64::from(accumulator.size()));
            initialise(
                backend,
                stream,
                kernel,
                kernel.initialise[t],
                target,
                grid,
                ptr,
                bytes,
            )?;
            addresses.push(ptr.0);
        }
        Ok(addresses)
    }

    /// Takes the memory for the queues of a launch, if it has any and they are not there yet.
    ///
    /// # Errors
    ///
    /// The device's: [`Error::OutOfMemory`] where another strategy, which needs less, may still run.
    pub(super) fn queues(
        &mut self,
        backend: &dyn Backend,
        stream: StreamId,
        plan: &LaunchPlan,
    ) -> Result<Ptr, Error> {
        let Some(split) = &plan.split else {
            return Ok(Ptr(0));
        };
        let bytes = split.bytes();
        if let Some((ptr, _)) = self.queues.filter(|(_, size)| *size >= bytes) {
            return Ok(ptr);
        }
        if let Some((old, size)) = self.queues.take() {
            self.retire(backend, stream, old, size);
        }
        let ptr = backend.allocate(stream, bytes)?;
        self.queues = Some((ptr, bytes));
        Ok(ptr)
    }

    /// Gives up kept scratch memory that this call has no use for, until `bytes` more are within what may be kept.
    fn make_room(&mut self, backend: &dyn Backend, stream: StreamId, bytes: u64) {
        let mut total: u64 = self.scratch.iter().map(|s| s.bytes).sum::<u64>() + bytes;
        let mut useless = Vec::new();
        self.scratch.retain(|s| {
            let keep = s.taken || total <= KEEP;
            if !keep {
                total -= s.bytes;
                useless.push((s.ptr, s.bytes));
            }
            keep
        });
        for (ptr, bytes) in useless {
            self.retire(backend, stream, ptr, bytes);
        }
    }

    /// Frees memory that no later call uses, as soon as no call is pending.
    fn retire(&mut self, backend: &dyn Backend, stream: StreamId, ptr: Ptr, bytes: u64) {
        self.retired.push((ptr, bytes));
        if self.pending.is_empty() {
            self.free_retired(backend, stream);
        }
    }

    /// Frees what only pending calls had a use for. No call is pending any more.
    pub(super) fn free_retired(&mut self, backend: &dyn Backend, stream: StreamId) {
        debug_assert!(self.pending.is_empty(), "a pending call may run again");
        for (ptr, bytes) in self.retired.drain(..) {
            // SAFETY: the memory is this stream's own, nobody has its address any more, and what used it was queued
            // before. Nothing of it is launched again, as no call is pending.
            unsafe { backend.free(stream, ptr, bytes) };
        }
    }

    /// Gives up everything whose content is not known any more.
    pub(super) fn discard(&mut self, context: &Context, stream: StreamId) {
        let backend = &*context.backend;
        // After this nothing of the stream runs; that it may have failed is known already.
        let _ = backend.sync(stream);
        self.pending.clear();
        for scratch in self.scratch.drain(..) {
            // SAFETY: the memory is this stream's own and nothing runs.
            unsafe { backend.free(stream, scratch.ptr, scratch.bytes) };
        }
        self.taken = None;
        if let Some(room) = self.sample.take() {
            // SAFETY: as above.
            unsafe { backend.free(stream, room, sample::BYTES) };
        }
        if let Some((queues, bytes)) = self.queues.take() {
            // SAFETY: as above.
            unsafe { backend.free(stream, queues, bytes) };
        }
        self.free_retired(backend, stream);
        if let Some(block) = self.block.take() {
            // SAFETY: as above.
            unsafe { backend.free(stream, block, RECORDS + (RING * ErrorRecord::BYTES) as u64) };
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one launch, from one caller"
)]
fn initialise(
    backend: &dyn Backend,
    stream: StreamId,
    kernel: &Kernel,
    function: FunctionId,
    target: &TargetAbi,
    grid: u32,
    ptr: Ptr,
    bytes: u64,
) -> Result<(), Error> {
    match target.fill32() {
        // SAFETY: the memory was just allocated with this size, a multiple of the accumulator's 4 or 8 bytes.
        Some(word) => unsafe { backend.fill(stream, ptr, word, bytes) },
        None => {
            let scalars = bytes / u64::from(target.accumulator().size());
            launch_auxiliary(backend, stream, kernel, function, grid, &[ptr.0, scalars])
        }
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
