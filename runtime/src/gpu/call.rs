//! A call of an offloaded loop, from its arguments to what became of it.

use std::sync::Arc;

use accrue_ptx::abi::KernelAbi;

use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::stats;
use crate::device::allocation::Allocation;
use crate::device::backend::Ptr;
use crate::device::context::Context;
use crate::device::held;
use crate::device::queue::Queue;
use crate::device::residence::Written;
use crate::gpu::array::{Array, Bins, Memory, Takes};
use crate::gpu::calibrate;
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::choose::prepared::{Prepared, Size};
use crate::gpu::launch::arguments::Arguments;
use crate::gpu::launch::sample::Sampler;
use crate::gpu::launch::settle::{Returning, bring_back};
use crate::gpu::launch::state::Launches;
use crate::gpu::reach::Reaching;

/// `a.div_ceil(b)`, where it has a value.
pub fn div_ceil(a: usize, b: usize) -> Option<usize> {
    (b > 0).then(|| a.div_ceil(b))
}

/// The error of a call whose number of iterations has no value: the sequential loop panics before its first.
pub(in crate::gpu) fn no_count(of: &Loop) -> Error {
    Error::Panicked {
        message: format!("the number of iterations of `{}` has no value", of.function),
        iteration: None,
    }
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
        reach: Reaching<'_>,
    ) -> Result<(), Error> {
        let queue = Queue::new(context)?;
        self.wait_for(&queue, counts, arrays, bins, captured, reach)
    }

    /// Runs a call on a queue and waits for it, in pieces if its data do not fit otherwise.
    fn wait_for(
        &self,
        queue: &Arc<Queue>,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        reach: Reaching<'_>,
    ) -> Result<(), Error> {
        let items = self.items(counts)?;
        if items > 0 && !self.modules.is_empty() && self.is_too_large(queue, arrays, bins)? {
            return self.in_pieces(queue, counts, arrays, bins, captured, reach);
        }
        let placed = self.enqueue(queue, counts, arrays, bins, captured);
        // Settle even after a failure: the copies read the caller's memory until then.
        match placed.settle(queue) {
            Err(e @ Error::OutOfMemory { .. }) if items > 0 => {
                match self.in_pieces(queue, counts, arrays, bins, captured, reach) {
                    Err(Error::TooLarge { .. }) => Err(e),
                    done => done,
                }
            }
            done => done,
        }
    }

    /// Queues a call, and waits for it where memory of the host's is among what it was given.
    pub(in crate::gpu) fn queue(
        &self,
        queue: &Arc<Queue>,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        reach: Reaching<'_>,
    ) -> Result<(), Error> {
        let mut all = arrays.iter().chain(bins.iter().map(|b| &b.array));
        let on_host = |a: &Array<'_>| matches!(a.memory, Memory::Host(_) | Memory::Appended(..));
        let waits = all.any(|a| on_host(a) && a.bytes > 0);
        if waits && queue.lane().is_recording() {
            return Err(Error::NotRecorded {
                reason: format!(
                    "`{}` takes or gives something in the host's memory, for which it has to be waited",
                    self.function
                ),
            });
        }
        if waits {
            return self.wait_for(queue, counts, arrays, bins, captured, reach);
        }
        self.enqueue(queue, counts, arrays, bins, captured).leave()
    }

    /// Queues a call, with copies to the device of what is not there.
    fn enqueue<'a>(
        &self,
        queue: &Arc<Queue>,
        counts: &[u64],
        arrays: &[Array<'a>],
        bins: &[Bins<'a>],
        captured: &[u64],
    ) -> Placed<'a> {
        let mut placed = Placed::default();
        placed.queued = self.place(queue, counts, arrays, bins, captured, &mut placed.moved);
        placed
    }

    fn place<'a>(
        &self,
        queue: &Arc<Queue>,
        counts: &[u64],
        arrays: &[Array<'a>],
        bins: &[Bins<'a>],
        captured: &[u64],
        moved: &mut Moved<'a>,
    ) -> Result<(), Error> {
        let items = self.items(counts)?;
        if items == 0 {
            return Ok(());
        }
        if self.modules.is_empty() {
            return Err(self.refusal());
        }
        stats::uncounted(|| calibrate::step(&queue.context));
        let size = self.size(items, counts, arrays);
        let prepared = self.prepare_with_queues(queue, size, bins, Vec::new())?;
        let sampler = self.sampler_of(queue, &prepared);
        let abi = &self.modules[prepared.module].abi;
        let mut arguments = Arguments {
            counts: counts.to_vec(),
            captured: self.captured(abi, captured),
            ..Arguments::default()
        };
        place_arrays(queue, abi, arrays, &mut arguments, moved)?;
        place_bins(queue, abi, bins, &mut arguments, moved)?;
        moved
            .appended
            .iter_mut()
            .for_each(|of| of.count = Ptr(arguments.bins[of.target].0));
        self.launch(queue, sampler, prepared, arguments)
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
    fn size(&self, items: u64, counts: &[u64], arrays: &[Array<'_>]) -> Size {
        // Every module of a loop has the same arrays.
        let read = self.modules[0].abi.arrays.iter();
        let bytes: u64 = read
            .filter(|array| !array.length_only)
            .map(|array| arrays[array.array as usize].bytes)
            .sum();
        Size {
            items,
            outer: counts.first().copied().unwrap_or(1),
            item_bytes: bytes as f64 / items as f64,
            sample: self.sampled().last(),
        }
    }

    /// Prepares a call, by a strategy for whose queues the device has memory, and by none of those modules.
    pub(in crate::gpu) fn prepare_with_queues(
        &self,
        queue: &Queue,
        size: Size,
        bins: &[Bins<'_>],
        mut without: Vec<usize>,
    ) -> Result<Arc<Prepared>, Error> {
        // Every module of a loop has the same targets.
        let targets = &self.modules[0].abi.targets;
        let scalars = bins.iter().zip(targets.iter());
        let scalars = scalars.map(|(b, t)| b.array.bytes / u64::from(t.elem.size()));
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
    pub(in crate::gpu) fn sampler_of(
        &self,
        queue: &Queue,
        prepared: &Prepared,
    ) -> Option<Sampler<'_>> {
        let mut lane = queue.lane();
        // What is recorded takes none.
        let full = lane.is_recording() || lane.work::<Launches>().is_full();
        drop(lane);
        match full {
            true => None,
            false => self.sampler(&queue.context, prepared),
        }
    }

    /// The captured values that a kernel takes, of those that the call passes.
    pub(in crate::gpu) fn captured(&self, abi: &KernelAbi, passed: &[u64]) -> Vec<u64> {
        let value = |var: u32| {
            let position = self.captures.iter().position(|known| *known == var);
            passed[position.expect("every captured value of a kernel is one of its loop's")]
        };
        abi.captured.iter().map(|taken| value(taken.var)).collect()
    }

    /// An array that is on the device already, for kernels on a queue.
    pub(in crate::gpu) fn place_there(
        &self,
        queue: &Arc<Queue>,
        array: &Array<'_>,
        name: &str,
    ) -> Result<(Arc<Allocation>, Ptr), Error> {
        let mut arguments = Arguments::default();
        let at = match array.written {
            true => place(
                queue,
                array,
                name,
                Allocation::claim_to_write,
                &mut arguments,
            )?,
            false => place_read(queue, array, name, &mut arguments)?,
        };
        let memory = arguments.keep.pop();
        Ok((memory.expect("placing an array keeps its memory"), at))
    }

    /// Queues the sample, if there is to be one, and the kernels, timed if the call is a trial.
    pub(in crate::gpu) fn launch(
        &self,
        queue: &Queue,
        sampler: Option<Sampler<'_>>,
        prepared: Arc<Prepared>,
        arguments: Arguments,
    ) -> Result<(), Error> {
        let (context, stream) = (&queue.context, queue.stream);
        let mut lane = queue.lane();
        let (launches, steps): (&mut Launches, _) = lane.work_and_steps();
        if steps.is_some() {
            let abi = &self.modules[prepared.module].abi;
            return launches.enqueue(context, stream, abi, &prepared, arguments, steps);
        }
        if !launches.joins(&prepared) {
            launches.start_kept(context, stream);
        }
        if let Some(sampler) = &sampler
            && let Err(e) = self.sample(context, stream, launches, sampler, &prepared, &arguments)
        {
            log::debug!("`{}` runs without a sample of its bins: {e}", self.function);
        }
        match &prepared.trial {
            None => {
                let abi = &self.modules[prepared.module].abi;
                launches.enqueue(context, stream, abi, &prepared, arguments, None)?;
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
            .enqueue(context, stream, abi, prepared, arguments, None)
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

/// What a call has moved or written, to be settled with it.
#[derive(Default)]
struct Moved<'a> {
    /// What has to come back to the host's memory.
    back: Vec<Returning>,
    /// Resident arrays that it writes.
    written: Vec<Written>,
    /// Elements that it makes.
    appended: Vec<Made<'a>>,
}

/// Elements that a call makes, to be appended to something.
struct Made<'a> {
    to: &'a dyn Takes,
    memory: Arc<Allocation>,
    from: Ptr,
    /// The target that counts them, and where that is on the device.
    target: usize,
    count: Ptr,
}

impl Moved<'_> {
    /// Copies what has been appended, of a call that has been waited for.
    fn fetch(&self, queue: &Queue) -> Result<(), Error> {
        let (context, stream) = (&queue.context, queue.stream);
        let mut counts = vec![0u64; self.appended.len()];
        let mut fetched = Ok(());
        for (made, count) in self.appended.iter().zip(&mut counts) {
            let to: *mut u64 = count;
            // SAFETY: a count is a word of 64 bits, and the vector stays until `sync`.
            let copied = unsafe { context.download(stream, to.cast(), made.count, 8) };
            fetched = fetched.and(copied);
        }
        let waited = context.backend.sync(stream);
        fetched.and(waited)?;
        let mut fetched = Ok(());
        for (made, &count) in self.appended.iter().zip(&counts) {
            let (to, bytes) = made.to.room(count as usize);
            if bytes > 0 {
                debug_assert!(bytes <= made.memory.bytes());
                // SAFETY: there is room for the bytes, which nobody else uses while they are awaited, and the kernel has filled as many.
                let copied = unsafe { context.download(stream, to, made.from, bytes) };
                fetched = fetched.and(copied);
            }
        }
        let waited = context.backend.sync(stream);
        fetched.and(waited)?;
        for (made, &count) in self.appended.iter().zip(&counts) {
            // SAFETY: they have been copied, and waited for.
            unsafe { made.to.arrived(count as usize) };
        }
        Ok(())
    }
}

/// A call that is queued, or has failed to be.
struct Placed<'a> {
    queued: Result<(), Error>,
    moved: Moved<'a>,
}

impl Default for Placed<'_> {
    fn default() -> Self {
        Placed {
            queued: Ok(()),
            moved: Moved::default(),
        }
    }
}

impl Placed<'_> {
    /// Waits for it, and for what its stream was given before.
    fn settle(self, queue: &Queue) -> Result<(), Error> {
        let back = match self.queued {
            Ok(()) => &self.moved.back[..],
            Err(_) => &[],
        };
        let (context, stream) = (&queue.context, queue.stream);
        let settle = |back| {
            let mut lane = queue.lane();
            lane.work::<Launches>()
                .settle_returning(context, stream, back)
        };
        let settled = match self.queued.is_ok() && !self.moved.appended.is_empty() {
            false => settle(back),
            true => settle(&[])
                .and_then(|()| self.moved.fetch(queue))
                .and_then(|()| bring_back(context, stream, back)),
        };
        let done = self.queued.and(settled);
        if done.is_ok() {
            self.moved.written.into_iter().for_each(Written::keep);
        }
        done
    }

    /// Leaves it to whoever waits for the stream.
    fn leave(self) -> Result<(), Error> {
        self.queued?;
        self.moved.written.into_iter().for_each(Written::keep);
        Ok(())
    }
}

/// Puts the arrays that a kernel reads or writes on the device.
fn place_arrays<'a>(
    queue: &Arc<Queue>,
    abi: &KernelAbi,
    arrays: &[Array<'a>],
    arguments: &mut Arguments,
    moved: &mut Moved<'a>,
) -> Result<(), Error> {
    for array in &*abi.arrays {
        let passed = &arrays[array.array as usize];
        let address = match (array.length_only, array.written) {
            (true, _) => Ptr(0),
            (false, true) => place_written(queue, passed, &array.name, arguments, moved)?,
            (false, false) => place_read(queue, passed, &array.name, arguments)?,
        };
        arguments.arrays.push((address.0, passed.len));
    }
    Ok(())
}

/// Puts the bins on the device.
fn place_bins<'a>(
    queue: &Arc<Queue>,
    abi: &KernelAbi,
    bins: &[Bins<'a>],
    arguments: &mut Arguments,
    moved: &mut Moved<'a>,
) -> Result<(), Error> {
    for (target, bins) in abi.targets.iter().zip(bins) {
        let from = place_written(queue, &bins.array, &target.name, arguments, moved)?;
        arguments.bins.push((from.0, bins.array.len));
    }
    Ok(())
}

/// The device address of what a call reads, after copying it there if it has to be.
fn place_read(
    queue: &Arc<Queue>,
    array: &Array<'_>,
    name: &str,
    arguments: &mut Arguments,
) -> Result<Ptr, Error> {
    let held = match array.memory {
        Memory::Host(from) if array.bytes > 0 => held::copy_of(queue, from, array.bytes),
        _ => None,
    };
    let Some(held) = held else {
        return place(queue, array, name, Allocation::claim_to_read, arguments);
    };
    let (memory, ptr) = held?;
    memory.claim_to_read(queue, name)?;
    arguments.keep.push(memory);
    Ok(ptr)
}

/// The same of what it writes; it is noted what has to be done about that when the call is settled.
fn place_written<'a>(
    queue: &Arc<Queue>,
    array: &Array<'a>,
    name: &str,
    arguments: &mut Arguments,
    moved: &mut Moved<'a>,
) -> Result<Ptr, Error> {
    let from = place(queue, array, name, Allocation::claim_to_write, arguments)?;
    match array.memory {
        Memory::Host(to) if array.bytes > 0 => {
            let memory = arguments.keep.last();
            moved.back.push(Returning {
                _memory: Arc::clone(memory.expect("placing host memory keeps its copy")),
                from,
                to,
                bytes: array.bytes,
            });
        }
        Memory::Resident(all, at) if array.bytes > 0 => {
            let range = at..at + array.bytes;
            let written = all.device_is_newer(&queue.context, &range);
            moved.written.push(written);
        }
        Memory::Appended(to, target) => {
            let memory = arguments.keep.last();
            moved.appended.push(Made {
                to,
                memory: Arc::clone(memory.expect("placing an array keeps its memory")),
                from,
                target,
                count: Ptr(0),
            });
        }
        Memory::Host(_) | Memory::Resident(..) | Memory::Device(..) | Memory::Nowhere => {}
    }
    Ok(from)
}

/// The device address of an argument, after copying it there if it has to be.
fn place(
    queue: &Arc<Queue>,
    array: &Array<'_>,
    name: &str,
    claim: fn(&Allocation, &Arc<Queue>, &str) -> Result<Ptr, Error>,
    arguments: &mut Arguments,
) -> Result<Ptr, Error> {
    let (memory, ptr) = match array.memory {
        Memory::Nowhere => return Ok(Ptr(0)),
        Memory::Host(_) | Memory::Resident(..) if array.bytes == 0 => return Ok(Ptr(0)),
        Memory::Device(memory, ptr) => {
            claim(memory, queue, name)?;
            (Arc::clone(memory), ptr)
        }
        Memory::Resident(all, at) => {
            let range = all.for_one(&queue.context, at..at + array.bytes);
            let (memory, origin) = all.to_device(queue, &range)?;
            claim(&memory, queue, name)?;
            (memory, origin.offset(at))
        }
        Memory::Appended(..) => {
            let memory = Allocation::new(queue, array.bytes)?;
            let ptr = claim(&memory, queue, name)?;
            (memory, ptr)
        }
        Memory::Host(from) => {
            let memory = Allocation::new(queue, array.bytes)?;
            let ptr = claim(&memory, queue, name)?;
            // SAFETY: the slice that the argument was made of is borrowed until the call has been waited for.
            unsafe { queue.context.upload(queue.stream, ptr, from, array.bytes)? };
            (memory, ptr)
        }
    };
    arguments.keep.push(memory);
    Ok(ptr)
}
