//! A call of an offloaded loop, from its arguments to what became of it.

use std::sync::Arc;

use accrue_ptx::abi::KernelAbi;

use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::allocation::Allocation;
use crate::device::backend::Ptr;
use crate::device::context::Context;
use crate::device::queue::{Queue, Stream};
use crate::gpu::array::{Array, Bins, Memory};
use crate::gpu::calibrate;
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::choose::prepared::{Prepared, Size};
use crate::gpu::launch::arguments::Arguments;
use crate::gpu::launch::sample::Sampler;
use crate::gpu::launch::settle::Returning;
use crate::gpu::launch::state::Launches;

/// `a.div_ceil(b)`, where it has a value.
pub fn div_ceil(a: usize, b: usize) -> Option<usize> {
    (b > 0).then(|| a.div_ceil(b))
}

/// The error of a call whose number of iterations has no value: the sequential loop panics before its first.
pub fn no_count(of: &Loop) -> Error {
    Error::Panicked {
        message: format!("the number of iterations of `{}` has no value", of.function),
        iteration: None,
    }
}

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
    of.enqueue(&stream.0, counts, arrays, bins, captured)
        .map(drop)
}

impl Loop {
    /// Runs a call and waits for it; bins in the host's memory are written only if it succeeds.
    pub(in crate::gpu) fn call(
        &self,
        context: &Arc<Context>,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
    ) -> Result<(), Error> {
        let queue = Queue::new(context)?;
        let returning = self.enqueue(&queue, counts, arrays, bins, captured);
        // Settle even after a failure: the copies read the caller's memory until then.
        let back = returning.as_deref().unwrap_or_default();
        let settled = queue
            .lane()
            .work::<Launches>()
            .settle_returning(context, queue.stream, back);
        returning.and(settled)
    }

    /// Queues a call, with copies to the device of what is not there. Returns the bins that have to come back.
    fn enqueue(
        &self,
        queue: &Arc<Queue>,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
    ) -> Result<Vec<Returning>, Error> {
        let items = self.items(counts)?;
        if items == 0 {
            return Ok(Vec::new());
        }
        if self.modules.is_empty() {
            return Err(self.refusal());
        }
        calibrate::step(&queue.context);
        let size = self.size(items, arrays);
        let prepared = self.prepare_with_queues(queue, size, bins)?;
        let sampler = self.sampler_of(queue, &prepared);
        let abi = &self.modules[prepared.module].abi;
        let mut arguments = Arguments {
            counts: counts.to_vec(),
            captured: self.captured(abi, captured),
            ..Arguments::default()
        };
        let mut returning = place_arrays(queue, abi, arrays, &mut arguments)?;
        returning.extend(place_bins(queue, abi, bins, &mut arguments)?);
        self.launch(queue, sampler, prepared, arguments)?;
        Ok(returning)
    }

    /// How many iterations a call has.
    fn items(&self, counts: &[u64]) -> Result<u64, Error> {
        let items = counts
            .iter()
            .try_fold(1u64, |items, n| items.checked_mul(*n));
        items
            .filter(|n| *n < 1 << 63)
            .ok_or_else(|| Error::NotOnDevice {
                function: self.function.to_string(),
                reason: "it has more iterations than 63 bits can count".to_owned(),
            })
    }

    /// What is known of a call before it is prepared.
    fn size(&self, items: u64, arrays: &[Array<'_>]) -> Size {
        // Every module of a loop has the same arrays.
        let read = self.modules[0].abi.arrays.iter();
        let bytes: u64 = read
            .filter(|array| !array.length_only)
            .map(|array| arrays[array.array as usize].bytes)
            .sum();
        Size {
            items,
            item_bytes: bytes as f64 / items as f64,
            sample: self.sampled().last(),
        }
    }

    /// Prepares a call, by a strategy for whose queues the device has memory.
    fn prepare_with_queues(
        &self,
        queue: &Queue,
        size: Size,
        bins: &[Bins<'_>],
    ) -> Result<Arc<Prepared>, Error> {
        // Every module of a loop has the same targets.
        let targets = &self.modules[0].abi.targets;
        let scalars = bins.iter().zip(targets.iter());
        let scalars = scalars.map(|(b, t)| b.array.bytes / u64::from(t.elem.size()));
        let mut without = Vec::new();
        let mut short = None;
        loop {
            let prepared = self
                .prepare(&queue.context, size, scalars.clone(), &without)
                .map_err(|e| short.take().unwrap_or(e))?;
            let queues = queue.lane().work::<Launches>().queues(
                &queue.context,
                queue.stream,
                &prepared.plan,
            );
            match queues {
                // Other strategies need no queues.
                Err(e @ Error::OutOfMemory { .. }) if !prepared.asked => {
                    if let Some(shape) = &prepared.trial {
                        self.give_up(shape, prepared.module, prepared.locals);
                    }
                    without.push(prepared.module);
                    short = Some(e);
                }
                taken => return taken.map(|_| prepared),
            }
        }
    }

    /// What takes the sample of a call, if one is due and the stream has room for it.
    fn sampler_of(&self, queue: &Queue, prepared: &Prepared) -> Option<Sampler<'_>> {
        let full = queue.lane().work::<Launches>().is_full();
        match full {
            true => None,
            false => self.sampler(&queue.context, prepared),
        }
    }

    /// The captured values that a kernel takes, of those that the call passes.
    fn captured(&self, abi: &KernelAbi, passed: &[u64]) -> Vec<u64> {
        let value = |var: u32| {
            let position = self.captures.iter().position(|known| *known == var);
            passed[position.expect("every captured value of a kernel is one of its loop's")]
        };
        abi.captured.iter().map(|taken| value(taken.var)).collect()
    }

    /// Queues the sample, if there is to be one, and the kernels, timed if the call is a trial.
    fn launch(
        &self,
        queue: &Queue,
        sampler: Option<Sampler<'_>>,
        prepared: Arc<Prepared>,
        arguments: Arguments,
    ) -> Result<(), Error> {
        let (context, stream) = (&queue.context, queue.stream);
        let mut lane = queue.lane();
        let launches: &mut Launches = lane.work();
        if let Some(sampler) = &sampler
            && let Err(e) = self.sample(context, stream, launches, sampler, &prepared, &arguments)
        {
            log::debug!("`{}` runs without a sample of its bins: {e}", self.function);
        }
        match &prepared.trial {
            None => {
                let abi = &self.modules[prepared.module].abi;
                launches.enqueue(context, stream, abi, &prepared, arguments)?;
            }
            Some(shape) => match self.launch_timed(queue, launches, &prepared, arguments) {
                Ok(seconds) => self.note(context, &prepared, seconds),
                Err(e) => {
                    self.give_up(shape, prepared.module, prepared.locals);
                    return Err(e);
                }
            },
        }
        *lock(&self.last) = Some(prepared);
        Ok(())
    }

    /// Queues the kernels, waits for them, and returns how many seconds the device took.
    fn launch_timed(
        &self,
        queue: &Queue,
        launches: &mut Launches,
        prepared: &Prepared,
        arguments: Arguments,
    ) -> Result<f64, Error> {
        let (context, stream) = (&queue.context, queue.stream);
        let backend = &context.backend;
        let abi = &self.modules[prepared.module].abi;
        let begin = backend.record(stream)?;
        let timed = launches
            .enqueue(context, stream, abi, prepared, arguments)
            .and_then(|()| backend.record(stream))
            .and_then(|end| {
                let seconds = backend.elapsed(begin, end);
                backend.forget(end);
                seconds
            });
        backend.forget(begin);
        timed
    }
}

/// Puts the arrays that a kernel reads or writes on the device, and returns those that have to come back.
fn place_arrays(
    queue: &Arc<Queue>,
    abi: &KernelAbi,
    arrays: &[Array<'_>],
    arguments: &mut Arguments,
) -> Result<Vec<Returning>, Error> {
    let mut back = Vec::new();
    for array in &*abi.arrays {
        let passed = &arrays[array.array as usize];
        let claim = match array.written {
            true => Allocation::claim_to_write,
            false => Allocation::claim_to_read,
        };
        let address = match array.length_only {
            true => Ptr(0),
            false => place(queue, passed, &array.name, claim, arguments)?,
        };
        if array.written {
            back.extend(returning(passed, address, arguments));
        }
        arguments.arrays.push((address.0, passed.len));
    }
    Ok(back)
}

/// Puts the bins on the device, and returns those that have to come back.
fn place_bins(
    queue: &Arc<Queue>,
    abi: &KernelAbi,
    bins: &[Bins<'_>],
    arguments: &mut Arguments,
) -> Result<Vec<Returning>, Error> {
    let mut back = Vec::new();
    for (target, bins) in abi.targets.iter().zip(bins) {
        let claim = Allocation::claim_to_write;
        let from = place(queue, &bins.array, &target.name, claim, arguments)?;
        arguments.bins.push((from.0, bins.array.len));
        back.extend(returning(&bins.array, from, arguments));
    }
    Ok(back)
}

/// What was placed last, if it has to come back to the host's memory.
fn returning(array: &Array<'_>, from: Ptr, arguments: &Arguments) -> Option<Returning> {
    let (Memory::Host(to), true) = (array.memory, array.bytes > 0) else {
        return None;
    };
    let memory = arguments.keep.last();
    Some(Returning {
        _memory: Arc::clone(memory.expect("placing host memory keeps its copy")),
        from,
        to,
        bytes: array.bytes,
    })
}

/// The device address of an argument, after copying it there if it has to be.
fn place(
    queue: &Arc<Queue>,
    array: &Array<'_>,
    name: &str,
    claim: fn(&Allocation, &Arc<Queue>, &str) -> Result<Ptr, Error>,
    arguments: &mut Arguments,
) -> Result<Ptr, Error> {
    match array.memory {
        Memory::Nowhere => Ok(Ptr(0)),
        Memory::Device(memory, ptr) => {
            claim(memory, queue, name)?;
            arguments.keep.push(Arc::clone(memory));
            Ok(ptr)
        }
        Memory::Host(_) if array.bytes == 0 => Ok(Ptr(0)),
        Memory::Host(from) => {
            let context = &queue.context;
            let memory = Allocation::new(queue, array.bytes)?;
            let ptr = claim(&memory, queue, name)?;
            // SAFETY: the slice that the argument was made of is borrowed until the call has been waited for.
            unsafe { context.upload(queue.stream, ptr, from, array.bytes)? };
            arguments.keep.push(memory);
            Ok(ptr)
        }
    }
}
