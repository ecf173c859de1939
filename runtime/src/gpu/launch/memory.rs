//! The memory of a stream: what its calls share, and what is kept of it from one call to the next.

use accrue_ptx::abi::{ErrorRecord, KernelAbi, TargetAbi};
use accrue_ptx::plan::{LaunchPlan, Limits};

use super::start::{Sink, launch_auxiliary};
use super::state::{Launches, RECORDS, RING, SAMPLE, Scratch};
use crate::base::error::Error;
use crate::device::backend::{Backend, FunctionId, Ptr, StreamId};
use crate::device::context::Context;
use crate::gpu::load::kernel::Kernel;

/// Scratch memory that a stream keeps between calls, in bytes.
const KEEP: u64 = 512 << 20;

impl Launches {
    /// Room for a sample's indices.
    pub(in crate::gpu) fn room_for_sample(
        &mut self,
        context: &Context,
        stream: StreamId,
    ) -> Result<Ptr, Error> {
        if let Some(room) = self.sample {
            return Ok(room);
        }
        let room = context.allocate(stream, SAMPLE)?;
        self.sample = Some(room);
        Ok(room)
    }

    /// The record of the next call. A sample that meets a fault of the loop says so there, as the call itself will.
    pub(in crate::gpu) fn next_record(
        &mut self,
        context: &Context,
        stream: StreamId,
    ) -> Result<Ptr, Error> {
        let block = self.block(context, stream)?;
        Ok(block.offset(RECORDS + (self.pending.len() * ErrorRecord::BYTES) as u64))
    }

    /// Ticket, figures and records, fresh if there are none.
    pub(in crate::gpu) fn block(
        &mut self,
        context: &Context,
        stream: StreamId,
    ) -> Result<Ptr, Error> {
        if let Some(block) = self.block {
            return Ok(block);
        }
        let backend = &*context.backend;
        let records = (RING * ErrorRecord::BYTES) as u64;
        let block = context.allocate(stream, RECORDS + records)?;
        self.block = Some(block);
        // SAFETY: the memory was just allocated with these sizes.
        unsafe {
            backend.fill(stream, block, 0, RECORDS)?;
            backend.fill(stream, block.offset(RECORDS), u32::MAX, records)?;
        }
        Ok(block)
    }

    /// The address of each target's scratch memory, neutral.
    pub(in crate::gpu) fn scratch(
        &mut self,
        context: &Context,
        stream: StreamId,
        kernel: &Kernel,
        abi: &KernelAbi,
        plan: &LaunchPlan,
        limits: &Limits,
    ) -> Result<Vec<u64>, Error> {
        let backend = &*context.backend;
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
            let ptr = context.allocate(stream, bytes)?;
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

    /// Takes the memory for the queues of a launch, or for the states of its tiles, if it has any and they are not there yet.
    ///
    /// # Errors
    ///
    /// The device's: [`Error::OutOfMemory`] where another strategy, which needs less, may still run.
    pub(in crate::gpu) fn queues(
        &mut self,
        context: &Context,
        stream: StreamId,
        plan: &LaunchPlan,
    ) -> Result<Ptr, Error> {
        let bytes = match &plan.split {
            Some(split) => split.bytes(),
            None => plan.states,
        };
        if bytes == 0 {
            return Ok(Ptr(0));
        }
        if let Some((ptr, _)) = self.queues.filter(|(_, size)| *size >= bytes) {
            return Ok(ptr);
        }
        if let Some((old, size)) = self.queues.take() {
            self.retire(&*context.backend, stream, old, size);
        }
        let ptr = context.allocate(stream, bytes)?;
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
    pub(in crate::gpu) fn free_retired(&mut self, backend: &dyn Backend, stream: StreamId) {
        debug_assert!(self.pending.is_empty(), "a pending call may run again");
        for (ptr, bytes) in self.retired.drain(..) {
            // SAFETY: the memory is this stream's own, nobody has its address any more, and what used it was queued
            // before. Nothing of it is launched again, as no call is pending.
            unsafe { backend.free(stream, ptr, bytes) };
        }
    }

    /// Whether there is memory that was kept for later calls.
    pub(in crate::gpu) fn keeps_memory(&self) -> bool {
        let few = [
            self.block.is_some(),
            self.sample.is_some(),
            self.queues.is_some(),
        ];
        few.contains(&true) || !self.scratch.is_empty() || !self.retired.is_empty()
    }

    /// Gives up everything whose content is not known any more.
    pub(in crate::gpu) fn drop_all(&mut self, context: &Context, stream: StreamId) {
        let backend = &*context.backend;
        // After this nothing of the stream runs; that it may have failed is known already.
        let _ = backend.sync(stream);
        self.pending.clear();
        self.drop_kept();
        for scratch in self.scratch.drain(..) {
            // SAFETY: the memory is this stream's own and nothing runs.
            unsafe { backend.free(stream, scratch.ptr, scratch.bytes) };
        }
        self.taken = None;
        if let Some(room) = self.sample.take() {
            // SAFETY: as above.
            unsafe { backend.free(stream, room, SAMPLE) };
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
            // Recorded calls find it done.
            let sink = &mut Sink::to(backend, stream);
            launch_auxiliary(sink, kernel, function, grid, &[ptr.0, scalars])
        }
    }
}
