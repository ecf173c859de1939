//! Waiting for a stream: its calls' error records, the bins that come back to the host, and what a fault was.
//!
//! A call's record and its bins, if these are few, are read together into pinned memory: one wait for the device. The
//! bins reach the caller's memory only after the record has been seen to be clean.

use std::any::Any;
use std::sync::Arc;

use accrue_ptx::abi::{ErrorRecord, FaultKind};
use accrue_ptx::sample::KeySample;

use super::start::{Sink, launch_auxiliary};
use super::state::{FIGURES, Launches, MIRROR, Pending, RECORDS, RING};
use crate::base::error::Error;
use crate::base::stats;
use crate::device::allocation::Allocation;
use crate::device::backend::{Backend, Launch, Ptr, StreamId};
use crate::device::context::{Context, Work};
use crate::gpu::load::kernel::Kernel;

/// Bytes of all records.
const RECORD_BYTES: usize = RING * ErrorRecord::BYTES;

/// Where the records come in the mirror: behind the figures of a sample, as on the device, so that one copy brings both.
const BEHIND_FIGURES: usize = (RECORDS - FIGURES) as usize;

/// Where the bins come.
const BEHIND_RECORDS: usize = BEHIND_FIGURES + RECORD_BYTES;

/// Bins that were copied to the device and have to come back.
pub(in crate::gpu) struct Returning {
    /// Keeps the memory until it has been read.
    pub(in crate::gpu) _memory: Arc<Allocation>,
    /// Where they are on the device.
    pub(in crate::gpu) from: Ptr,
    /// The caller's memory.
    pub(in crate::gpu) to: *mut u8,
    /// How many bytes.
    pub(in crate::gpu) bytes: u64,
}

impl Work for Launches {
    fn has_pending(&self) -> bool {
        !self.pending.is_empty() || self.failed.is_some()
    }

    fn settle(&mut self, context: &Context, stream: StreamId) -> Result<(), Error> {
        self.settle_returning(context, stream, &[])
    }

    fn finish(&mut self, context: &Context, stream: StreamId) {
        if self.has_pending()
            && let Err(e) = self.settle(context, stream)
        {
            self.failed = Some(e);
        }
    }

    fn give_up_memory(&mut self, context: &Context, stream: StreamId) -> bool {
        let kept = self.keeps_memory();
        if kept {
            self.finish(context, stream);
            self.discard(context, stream);
            // Memory is freed in the order of the stream.
            let _ = context.backend.sync(stream);
        }
        kept
    }

    fn discard(&mut self, context: &Context, stream: StreamId) {
        self.drop_all(context, stream);
    }

    fn settle_again(&mut self, context: &Context, stream: StreamId) -> Result<(), Error> {
        let calls = self.pending.clone();
        // Earlier ones of these calls may use it still.
        let retired = std::mem::take(&mut self.retired);
        self.faulty = None;
        let settled = self.settle(context, stream);
        let settled = settled.map_err(|error| match self.faulty.take() {
            Some(call) => Error::InCall {
                call: call as u64,
                kernel: calls[call].kernel.name.to_string(),
                error: Box::new(error),
            },
            None => error,
        });
        self.pending = calls;
        self.retired.extend(retired);
        settled
    }

    fn uses(&self) -> Vec<Arc<dyn Any + Send + Sync>> {
        let mut all: Vec<Arc<Allocation>> = Vec::new();
        for memory in self.pending.iter().flat_map(|call| &call.keep) {
            if !all.iter().any(|known| Arc::ptr_eq(known, memory)) {
                all.push(Arc::clone(memory));
            }
        }
        all.into_iter()
            .map(|memory| memory as Arc<dyn Any + Send + Sync>)
            .collect()
    }
}

impl Launches {
    /// Settles, and copies bins back if nothing has failed.
    pub(in crate::gpu) fn settle_returning(
        &mut self,
        context: &Context,
        stream: StreamId,
        returning: &[Returning],
    ) -> Result<(), Error> {
        self.start_kept(context, stream);
        let settled = self.read(context, stream, returning);
        self.free_retired(&*context.backend, stream);
        match self.failed.take() {
            Some(earlier) => Err(earlier),
            None => settled,
        }
    }

    fn read(
        &mut self,
        context: &Context,
        stream: StreamId,
        returning: &[Returning],
    ) -> Result<(), Error> {
        let backend = &*context.backend;
        let (Some(block), false) = (self.block, self.pending.is_empty()) else {
            return backend.sync(stream);
        };
        // Where it is refused, so is the first copy, and the mirror is left alone.
        let _hold = backend.hold();
        let mirror = self.mirror.get(backend);
        let base = block.offset(RECORDS);
        let bytes = self.pending.len() * ErrorRecord::BYTES;
        let total = returning.iter().map(|r| r.bytes).sum::<u64>();
        let together = total <= (MIRROR - BEHIND_RECORDS) as u64;
        let head = (BEHIND_FIGURES + bytes) as u64;
        // SAFETY: the block has figures and that many records, and the mirror has room for them; it is not touched until `sync`.
        let mut read = unsafe { backend.download(stream, mirror, block.offset(FIGURES), head) };
        if together && read.is_ok() {
            let mut at = BEHIND_RECORDS;
            for bins in returning {
                stats::count_download(bins.bytes);
                // SAFETY: the allocation has the bins, and all of them fit in the mirror behind the records.
                let copied =
                    unsafe { backend.download(stream, mirror.add(at), bins.from, bins.bytes) };
                read = read.and(copied);
                at += bins.bytes as usize;
            }
        }
        let taken = self.taken.take();
        // Wait even where a copy failed: nothing may write to the mirror when this returns.
        let waited = backend.sync(stream);
        if let Err(e) = read.and(waited) {
            let e = match e {
                Error::Driver { status, .. } => Error::Launch {
                    kernel: self.pending[0].kernel.name.to_string(),
                    status,
                },
                other => other,
            };
            self.discard(context, stream);
            return Err(e);
        }
        if let Some(of) = taken {
            let mut figures = [0; KeySample::BYTES];
            // SAFETY: the device is done with the mirror, which starts with the figures.
            unsafe { mirror.copy_to_nonoverlapping(figures.as_mut_ptr(), KeySample::BYTES) };
            of.keep(figures);
        }
        let mut records = [0u8; RECORD_BYTES];
        // SAFETY: the device is done with the mirror, which has that many records behind the figures.
        unsafe {
            mirror
                .add(BEHIND_FIGURES)
                .copy_to_nonoverlapping(records.as_mut_ptr(), bytes);
        };
        let pending = std::mem::take(&mut self.pending);
        let dirty = (0..pending.len()).find_map(|i| {
            let record = record_at(&records, i);
            (!record.is_clean()).then_some((i, record))
        });
        let Some((i, record)) = dirty else {
            return match together {
                true => {
                    let mut at = BEHIND_RECORDS;
                    for bins in returning {
                        // SAFETY: `to` is the caller's exclusive slice of this many bytes.
                        unsafe {
                            bins.to
                                .copy_from_nonoverlapping(mirror.add(at), bins.bytes as usize)
                        };
                        at += bins.bytes as usize;
                    }
                    Ok(())
                }
                false => bring_back(context, stream, returning),
            };
        };
        self.faulty = Some(i);
        let at = base.offset((i * ErrorRecord::BYTES) as u64);
        let is_gone = || pending[i].keep.iter().any(|memory| memory.is_given_back());
        let explained = match record.has_details() {
            true => Ok(fault(&pending[i].kernel, record, record.first)),
            false if is_gone() => Ok(Error::Panicked {
                message: "the loop failed there; why is not known, since memory that it read was lent and has been given back: wait for the stream before that".to_owned(),
                iteration: Some(record.first),
            }),
            false => explain(backend, stream, &pending[i], at, record),
        };
        // SAFETY: the block's own memory. Later calls of the ring may have failed too.
        let cleaned = unsafe { backend.fill(stream, base, u32::MAX, RECORD_BYTES as u64) };
        match explained.and_then(|fault| cleaned.map(|()| fault)) {
            Ok(fault) => Err(fault),
            Err(e) => {
                self.discard(context, stream);
                Err(e)
            }
        }
    }
}

/// Copies many bins back: into memory of their own first, so that a copy that fails halfway leaves the caller's alone.
pub(in crate::gpu) fn bring_back(
    context: &Context,
    stream: StreamId,
    returning: &[Returning],
) -> Result<(), Error> {
    let total = returning.iter().map(|r| r.bytes as usize).sum();
    let mut landing = Vec::<u8>::with_capacity(total);
    let mut at = landing.as_mut_ptr();
    let mut result = Ok(());
    for bins in returning {
        // SAFETY: the landing place has room for all bins one after the other, and stays until `sync` below.
        let copied = unsafe { context.download(stream, at, bins.from, bins.bytes) };
        result = result.and(copied);
        at = at.wrapping_add(bins.bytes as usize);
    }
    let waited = context.backend.sync(stream);
    result.and(waited)?;
    // SAFETY: the downloads have succeeded, so all bytes are there.
    unsafe { landing.set_len(total) };
    let mut rest = &landing[..];
    for bins in returning {
        let (here, others) = rest.split_at(bins.bytes as usize);
        // SAFETY: `to` is the caller's exclusive slice of this many bytes.
        unsafe { bins.to.copy_from_nonoverlapping(here.as_ptr(), here.len()) };
        rest = others;
    }
    Ok(())
}

fn record_at(records: &[u8], i: usize) -> ErrorRecord {
    let mut bytes = [0; ErrorRecord::BYTES];
    bytes.copy_from_slice(&records[i * ErrorRecord::BYTES..][..ErrorRecord::BYTES]);
    ErrorRecord::from_bytes(bytes)
}

/// Runs the failing iteration alone, which then says what went wrong.
fn explain(
    backend: &dyn Backend,
    stream: StreamId,
    pending: &Pending,
    at: Ptr,
    record: ErrorRecord,
) -> Result<Error, Error> {
    let mut params = pending.params.clone();
    if let Some(begin) = pending.begin {
        params[begin] = record.first;
    }
    if let Some(end) = pending.end {
        params[end] = record.first + 1;
    }
    let launch = Launch {
        function: pending.kernel.entry,
        name: &pending.kernel.name,
        grid: 1,
        block: pending.block,
        shared: pending.shared,
        params: &params,
        is_block: false,
    };
    stats::count_launch();
    // SAFETY: as for the first launch: the buffers are kept alive by the pending call, and what scratch memory and queues
    // it has are freed only after this, even where a later call has replaced them.
    unsafe { backend.launch(stream, &launch)? };
    for (function, params) in &pending.merges {
        let sink = &mut Sink::to(backend, stream);
        launch_auxiliary(sink, &pending.kernel, *function, 1, params)?;
    }
    let mut bytes = [0; ErrorRecord::BYTES];
    // SAFETY: the record's own memory; the host's copy stays until `sync`.
    let read =
        unsafe { backend.download(stream, bytes.as_mut_ptr(), at, ErrorRecord::BYTES as u64) };
    backend.sync(stream)?;
    read?;
    Ok(fault(
        &pending.kernel,
        ErrorRecord::from_bytes(bytes),
        record.first,
    ))
}

/// A record as an error.
fn fault(kernel: &Kernel, record: ErrorRecord, iteration: u64) -> Error {
    let Some(site) = kernel.faults.get(record.site as usize) else {
        let message = "the loop failed, and did not when the iteration ran again: its data were changed meanwhile".to_owned();
        return Error::Panicked {
            message,
            iteration: Some(iteration),
        };
    };
    let (array, index, len) = (site.text.to_string(), record.index, record.length);
    match site.kind {
        FaultKind::BinIndex => Error::BinOutOfRange {
            array,
            index,
            len,
            iteration,
        },
        FaultKind::ReadIndex => Error::ReadOutOfRange {
            array,
            index,
            len,
            iteration,
        },
        FaultKind::WriteIndex => Error::WriteOutOfRange {
            array,
            index,
            len,
            iteration,
        },
        FaultKind::RangeStart
        | FaultKind::RangeEnd
        | FaultKind::RangeOrder
        | FaultKind::DivideByZero
        | FaultKind::DivideOverflow
        | FaultKind::RemainderByZero
        | FaultKind::RemainderOverflow
        | FaultKind::AddOverflow
        | FaultKind::SubtractOverflow
        | FaultKind::MultiplyOverflow
        | FaultKind::NegateOverflow
        | FaultKind::ShiftLeftOverflow
        | FaultKind::ShiftRightOverflow
        | FaultKind::Panic => Error::Panicked {
            message: site.message(index, len),
            iteration: Some(iteration),
        },
    }
}
