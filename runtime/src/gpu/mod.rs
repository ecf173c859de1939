//! Offloaded loops on a GPU or its simulator: what the macro emits, and how a call of it runs.
//!
//! The macro puts a [`Loop`] into the user's binary as a `static` and calls [`attempt`] before the CPU's form of the
//! loop, or [`queue`] for data that is on the device already.

mod attempt;
mod calibrate;
mod costs;
mod explain;
mod kernel;
mod launches;
mod memory;
pub mod model;
mod prepare;
mod sample;
mod select;
mod settle;
mod staging;
#[cfg(all(test, feature = "sim"))]
mod tests;
mod tune;
mod workshop;

use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

pub use accrue_ptx::abi;
use accrue_ptx::abi::{List, Module, Text};

pub use self::attempt::{Attempt, attempt, refuse, wanted};
pub(crate) use self::calibrate::Calibration;
pub use self::calibrate::{keep_speeds, limits_of};
pub(crate) use self::costs::Costs;
pub use self::explain::LastRun;
pub(crate) use self::kernel::Kernels;
use self::launches::Arguments;
pub(crate) use self::launches::Launches;
use self::prepare::{Prepared, Size};
use self::sample::Sampled;
use self::select::Request;
pub use self::select::{Candidate, candidates};
use self::settle::Returning;
pub(crate) use self::staging::Staging;
use self::tune::Tuning;
use self::workshop::Stocked;
pub(crate) use self::workshop::Workshop;
pub use self::workshop::wait_for_kernels;
use crate::allocation::Allocation;
use crate::backend::Ptr;
use crate::buffer::{DeviceSlice, DeviceSliceMut, DeviceType};
use crate::context::{Context, lock};
use crate::queue::{Queue, Stream};
use crate::{Device, Error};

/// A loop as kernels, one module for each strategy.
#[derive(Debug)]
pub struct Loop {
    /// The function it stands in.
    function: Text,
    /// Its kernels.
    modules: List<Module>,
    /// What the attribute asks for: `name[:key=value,..]`, or nothing.
    request: Text,
    /// The loop IR's numbers of the captured variables, in the order in which a call passes them.
    captures: List<u32>,
    /// Operations of one iteration, roughly.
    cost: u32,
    /// Why there are no kernels, if there are none.
    obstacle: &'static str,
    parsed: OnceLock<Result<Request, String>>,
    /// Modules that are loaded, or being loaded.
    stock: Mutex<Vec<Stocked>>,
    /// Calls of sizes seen lately.
    prepared: Mutex<Vec<Arc<Prepared>>>,
    /// The call that was queued last.
    last: Mutex<Option<Arc<Prepared>>>,
    /// What was measured under `ACCRUE_TUNE`.
    tunings: Mutex<Vec<Tuning>>,
    /// Whether a line about falling back to the CPU has been logged.
    complained: AtomicBool,
    /// What is known of its bins.
    sampled: OnceLock<Arc<Sampled>>,
}

impl Loop {
    /// A loop. Called by what the macro emits.
    pub const fn new(
        function: Text,
        modules: List<Module>,
        request: Text,
        captures: List<u32>,
        cost: u32,
    ) -> Loop {
        Loop {
            function,
            modules,
            request,
            captures,
            cost,
            obstacle: "no strategy has a kernel for its loop",
            parsed: OnceLock::new(),
            stock: Mutex::new(Vec::new()),
            prepared: Mutex::new(Vec::new()),
            last: Mutex::new(None),
            tunings: Mutex::new(Vec::new()),
            complained: AtomicBool::new(false),
            sampled: OnceLock::new(),
        }
    }

    /// A loop whose body no kernel can express, and why.
    pub const fn without_kernels(function: &'static str, why: &'static str) -> Loop {
        Loop {
            function: Text::Borrowed(function),
            modules: List::Borrowed(&[]),
            request: Text::Borrowed(""),
            captures: List::Borrowed(&[]),
            cost: 1,
            obstacle: why,
            parsed: OnceLock::new(),
            stock: Mutex::new(Vec::new()),
            prepared: Mutex::new(Vec::new()),
            last: Mutex::new(None),
            tunings: Mutex::new(Vec::new()),
            complained: AtomicBool::new(false),
            sampled: OnceLock::new(),
        }
    }

    /// The error of a call on a GPU where there are no kernels.
    pub fn refusal(&self) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: self.obstacle.to_string(),
        }
    }

    /// What is asked for: the environment's word before the attribute's, but for calibration.
    fn request(&self) -> Result<Request, Error> {
        if !calibrate::is_probing()
            && let Some(request) = Request::of_environment()?
        {
            return Ok(request);
        }
        if self.request.is_empty() {
            return Ok(Request::default());
        }
        let parsed = self.parsed.get_or_init(|| Request::parse(&self.request));
        parsed
            .clone()
            .map_err(|reason| Error::StrategyNotApplicable {
                strategy: self.request.to_string(),
                reason,
                instead: Vec::new(),
            })
    }
}

/// Where an argument's elements are.
#[derive(Clone, Copy, Debug)]
enum Memory<'a> {
    /// In the host's memory.
    Host(*mut u8),
    /// On a device, at an address.
    Device(&'a Arc<Allocation>, Ptr),
    /// Nowhere: only the length counts.
    Nowhere,
}

/// An array that a loop reads.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    memory: Memory<'a>,
    len: u64,
    bytes: u64,
}

impl<'a> Array<'a> {
    /// Elements in the host's memory.
    pub fn host<T: DeviceType>(elements: &'a [T]) -> Array<'a> {
        Array {
            // Nothing is written through it.
            memory: Memory::Host(elements.as_ptr().cast_mut().cast()),
            len: elements.len() as u64,
            bytes: size_of_val(elements) as u64,
        }
    }

    /// Elements on the device.
    pub fn device<T: DeviceType>(elements: DeviceSlice<'a, T>) -> Array<'a> {
        Array {
            memory: Memory::Device(elements.memory(), elements.ptr()),
            len: elements.len() as u64,
            bytes: elements.bytes(),
        }
    }

    /// An array of which only the length is used.
    pub fn length(len: usize) -> Array<'a> {
        Array {
            memory: Memory::Nowhere,
            len: len as u64,
            bytes: 0,
        }
    }
}

/// Bins that a loop updates.
#[derive(Debug)]
pub struct Bins<'a> {
    array: Array<'a>,
    exclusive: PhantomData<&'a mut u8>,
}

impl<'a> Bins<'a> {
    /// Bins in the host's memory.
    pub fn host<T: DeviceType>(bins: &'a mut [T]) -> Bins<'a> {
        let array = Array {
            memory: Memory::Host(bins.as_mut_ptr().cast()),
            len: bins.len() as u64,
            bytes: size_of_val(bins) as u64,
        };
        Bins {
            array,
            exclusive: PhantomData,
        }
    }

    /// A scalar that a loop reduces into.
    pub fn scalar<T: DeviceType>(value: &'a mut T) -> Bins<'a> {
        Bins::host(std::slice::from_mut(value))
    }

    /// Bins on the device.
    pub fn device<T: DeviceType>(bins: DeviceSliceMut<'a, T>) -> Bins<'a> {
        Bins {
            array: Array::device(bins.into_view()),
            exclusive: PhantomData,
        }
    }
}

/// A captured value as a kernel's argument: the value in the low bits, signed ones extended.
pub trait Slot: Copy {
    /// The bits.
    fn slot(self) -> u64;
}

macro_rules! slots {
    ($($t:ty: $value:ident => $bits:expr),* $(,)?) => {$(
        impl Slot for $t {
            fn slot(self) -> u64 {
                let $value = self;
                $bits
            }
        }
    )*};
}
slots! {
    bool: v => u64::from(v),
    u8: v => u64::from(v),
    u16: v => u64::from(v),
    u32: v => u64::from(v),
    u64: v => v,
    usize: v => v as u64,
    i8: v => v as i64 as u64,
    i16: v => v as i64 as u64,
    i32: v => v as i64 as u64,
    i64: v => v as u64,
    isize: v => v as i64 as u64,
    f32: v => u64::from(v.to_bits()),
    f64: v => v.to_bits(),
}

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

/// Runs a call on a device and waits for it. Bins are written only if it succeeds.
///
/// # Errors
///
/// Any: the device's, the loop's, the caller's.
pub fn call(
    of: &Loop,
    device: Device,
    counts: &[u64],
    arrays: &[Array<'_>],
    bins: &mut [Bins<'_>],
    captured: &[u64],
) -> Result<(), Error> {
    of.call(&Context::of(device)?, counts, arrays, bins, captured)
}

impl Loop {
    /// Runs a call and waits for it; bins in the host's memory are written only if it succeeds.
    pub(crate) fn call(
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
            .launches
            .settle_returning(context, queue.stream, back);
        returning.and(settled)
    }

    /// Queues a call, with copies to the device of what is not there.
    fn enqueue(
        &self,
        queue: &Arc<Queue>,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
    ) -> Result<Vec<Returning>, Error> {
        let context = &queue.context;
        let items = counts
            .iter()
            .try_fold(1u64, |items, n| items.checked_mul(*n));
        let Some(items) = items.filter(|n| *n < 1 << 63) else {
            return Err(Error::NotOnDevice {
                function: self.function.to_string(),
                reason: "it has more iterations than 63 bits can count".to_owned(),
            });
        };
        if items == 0 {
            return Ok(Vec::new());
        }
        if self.modules.is_empty() {
            return Err(self.refusal());
        }
        calibrate::step(context);
        // Every module of a loop has the same targets.
        let targets = &self.modules[0].abi.targets;
        let scalars = bins.iter().zip(targets.iter());
        let scalars = scalars.map(|(b, t)| b.array.bytes / u64::from(t.elem.size()));
        let read = self.modules[0].abi.arrays.iter();
        let bytes: u64 = read
            .filter(|array| !array.length_only)
            .map(|array| arrays[array.array as usize].bytes)
            .sum();
        let size = Size {
            items,
            item_bytes: bytes as f64 / items as f64,
            sample: self.sampled().last(),
        };
        let mut without = Vec::new();
        let mut short = None;
        let prepared = loop {
            let prepared = self
                .prepare(context, size, scalars.clone(), &without)
                .map_err(|e| short.take().unwrap_or(e))?;
            let plan = &prepared.plan;
            let queues = {
                let mut lane = queue.lane();
                lane.launches.queues(context, queue.stream, plan)
            };
            match queues {
                // Other strategies need no queues.
                Err(e @ Error::OutOfMemory { .. }) if !prepared.asked => {
                    if let Some(shape) = &prepared.trial {
                        self.give_up(shape, prepared.module, prepared.locals);
                    }
                    without.push(prepared.module);
                    short = Some(e);
                }
                taken => {
                    taken?;
                    break prepared;
                }
            }
        };
        let abi = &self.modules[prepared.module].abi;
        let full = queue.lane().launches.is_full();
        let sampler = match full {
            true => None,
            false => self.sampler(context, &prepared),
        };

        let mut arguments = Arguments {
            counts: counts.to_vec(),
            ..Arguments::default()
        };
        for array in &*abi.arrays {
            let passed = &arrays[array.array as usize];
            let address = if array.length_only {
                0
            } else {
                place(
                    queue,
                    passed,
                    &array.name,
                    Allocation::claim_to_read,
                    &mut arguments,
                )?
                .0
            };
            arguments.arrays.push((address, passed.len));
        }
        for value in &*abi.captured {
            let position = self.captures.iter().position(|var| *var == value.var);
            let position = position.expect("every captured value of a kernel is one of its loop's");
            arguments.captured.push(captured[position]);
        }
        let mut returning = Vec::new();
        for (target, bins) in abi.targets.iter().zip(bins) {
            let from = place(
                queue,
                &bins.array,
                &target.name,
                Allocation::claim_to_write,
                &mut arguments,
            )?;
            arguments.bins.push((from.0, bins.array.len));
            if let (Memory::Host(to), true) = (bins.array.memory, bins.array.bytes > 0) {
                let memory = Arc::clone(
                    arguments
                        .keep
                        .last()
                        .expect("placing host memory keeps its copy"),
                );
                returning.push(Returning {
                    _memory: memory,
                    from,
                    to,
                    bytes: bins.array.bytes,
                });
            }
        }
        let launches = &mut queue.lane().launches;
        if let Some(sampler) = &sampler
            && let Err(e) = self.sample(
                context,
                queue.stream,
                launches,
                sampler,
                &prepared,
                &arguments,
            )
        {
            log::debug!("`{}` runs without a sample of its bins: {e}", self.function);
        }
        let Some(shape) = &prepared.trial else {
            launches.enqueue(context, queue.stream, abi, &prepared, arguments)?;
            *lock(&self.last) = Some(prepared);
            return Ok(returning);
        };
        let backend = &context.backend;
        let begin = backend.record(queue.stream)?;
        let timed = launches
            .enqueue(context, queue.stream, abi, &prepared, arguments)
            .and_then(|()| backend.record(queue.stream))
            .and_then(|end| {
                let seconds = backend.elapsed(begin, end);
                backend.forget(end);
                seconds
            });
        backend.forget(begin);
        match timed {
            Ok(seconds) => {
                self.note(context, &prepared, seconds);
                *lock(&self.last) = Some(Arc::clone(&prepared));
            }
            Err(e) => {
                self.give_up(shape, prepared.module, prepared.locals);
                return Err(e);
            }
        }
        Ok(returning)
    }
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
