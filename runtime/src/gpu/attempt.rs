//! A plain call's try at the GPU, and what happens when it does not work out.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use crate::base::choice::{self, Choice};
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::trying::{self, give_up};
use crate::device::context::Context;
use crate::device::held;
use crate::device::queue::Stream;
use crate::device::residence::Lent;
use crate::gpu::array::{Array, Bins, Memory};
use crate::gpu::call::no_count;
use crate::gpu::choose::costs::{Size, WORTH_ASKING};
use crate::gpu::choose::kept;
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::reach::Reaching;

/// What came of [`attempt`]. While it lives, the CPU's form of the loop runs as it must: sequentially, if a fault has to
/// be reproduced.
#[derive(Debug)]
#[must_use]
pub struct Attempt {
    done: bool,
    /// The positions of the outermost loop that are left, in order, if a kernel has found them.
    left: Option<Vec<usize>>,
    _sequential: Option<Choice>,
}

impl Attempt {
    /// Whether the loop has run. If not, the CPU's form of it must.
    pub fn done(&self) -> bool {
        self.done
    }

    /// The positions of the outermost loop that the CPU's form has to run, in order, where a kernel has looked at all.
    pub fn left(&self) -> Option<&[usize]> {
        self.left.as_deref()
    }

    /// What is left to do where a kernel was to find the best items: the iterations that have them. What it has found of each is `u64::MAX` for none, or has
    /// the iteration's position in its low 32 bits, inverted where the last of equals is kept.
    pub fn best(self, found: &[(u64, bool)]) -> Attempt {
        self.leaves(found, |position| u64::from(position as u32))
    }

    /// The same where what was found are positions alone.
    pub fn best_of_many(self, found: &[(u64, bool)]) -> Attempt {
        self.leaves(found, |position| position)
    }

    fn leaves(self, found: &[(u64, bool)], position: impl Fn(u64) -> u64) -> Attempt {
        if !self.done {
            return self;
        }
        // The first iteration's, inverted, may be that of none: it does nothing then.
        let taken = found
            .iter()
            .filter(|(found, last)| *last || *found != u64::MAX);
        let mut left: Vec<usize> = taken
            .map(|&(found, last)| position(if last { !found } else { found }) as usize)
            .collect();
        left.sort_unstable();
        left.dedup();
        match left.is_empty() {
            true => Attempt::DONE,
            false => Attempt {
                done: false,
                left: Some(left),
                _sequential: None,
            },
        }
    }

    /// Nothing is left to do.
    pub const DONE: Attempt = Attempt {
        done: true,
        left: None,
        _sequential: None,
    };

    /// The loop has not run and may run as the CPU does it.
    pub const ON_CPU: Attempt = Attempt {
        done: false,
        left: None,
        _sequential: None,
    };
}

/// The bits that the positions of so many iterations have.
pub fn low_bits(count: u64) -> u64 {
    match count.saturating_sub(1).leading_zeros() {
        64 => 0,
        zeros => u64::MAX >> zeros,
    }
}

/// What [`Attempt::best_of_many`] takes of best items of 64 bits, if one launch tells: of each the least order, the first item of those that agree with it in
/// all but the low bits, and of those the greatest order, its low bits inverted; and whether the last of equals is kept. `None` if orders differ in the low bits
/// alone, or if there may be no item.
pub fn first_of<const N: usize>(
    found: [([u64; 3], bool); N],
    low: u64,
) -> Option<[(u64, bool); N]> {
    let told = |([least, _, greatest], _): &([u64; 3], bool)| {
        *least != u64::MAX && *least == *greatest ^ low
    };
    found.iter().all(told).then(|| {
        found.map(|([_, first, _], last)| {
            let position = first & low;
            (if last { !(position ^ low) } else { position }, last)
        })
    })
}

/// Whether this thread's calls may run on a GPU at all: if not, nothing has to be prepared for one.
pub fn wanted() -> bool {
    !matches!(choice::chosen(), Ok(Device::Seq | Device::Cpu))
}

/// Whether this thread's calls are to run on a GPU, whatever it costs: not where each call's place is chosen.
pub fn asked() -> bool {
    !matches!(
        choice::chosen(),
        Ok(Device::Auto | Device::Seq | Device::Cpu)
    )
}

/// The attempt of a loop that has no kernels.
pub fn refuse(of: &Loop) -> Attempt {
    give_way(of, of.refusal())
}

/// The attempt of a call that no kernel can run, and why.
pub(super) fn give_way(of: &Loop, why: Error) -> Attempt {
    match choice::chosen() {
        Ok(Device::Auto | Device::Seq | Device::Cpu) => Attempt::ON_CPU,
        Ok(device) => fall_back(of, device, why),
        Err(e) => fall_back(of, Device::Cuda(0), e),
    }
}

/// The attempt of a call whose iterations may meet in what they write: it runs in order, on the CPU.
pub fn meeting(of: &Loop) -> Attempt {
    give_way(of, of.meeting())
}

/// The attempt of a call with an array of another crate that is no slice: it runs as it is written, on the CPU.
pub fn lying(of: &Loop) -> Attempt {
    give_way(of, of.lying())
}

/// The attempt of a loop that calls something else by the name of a device function.
pub fn unconfirmed(of: &Loop) -> Attempt {
    match choice::chosen() {
        Ok(Device::Auto | Device::Seq | Device::Cpu) => Attempt::ON_CPU,
        Ok(device) => fall_back(of, device, of.unconfirmed()),
        Err(e) => fall_back(of, Device::Cuda(0), e),
    }
}

/// Tries a loop on the GPU that this thread's calls are to run on, if that is one and it pays.
///
/// Called by what the macro emits.
pub fn attempt(
    of: &Loop,
    counts: &[u64],
    arrays: &[Array<'_>],
    bins: &mut [Bins<'_>],
    captured: &[u64],
    reach: Reaching<'_>,
) -> Attempt {
    if !held::has_bins() {
        return attempt_at(of, counts, arrays, bins, captured, reach);
    }
    let held = bins.iter().map(|bins| match bins.array.memory {
        Memory::Host(start) => held::bins_of(start, bins.array.bytes).map(|of| (of, start)),
        _ => None,
    });
    let held: Vec<_> = held.collect();
    let placed = bins.iter().zip(&held).map(|(bins, held)| {
        bins.placed(held.as_ref().map(|(of, start)| {
            // SAFETY: the bins are borrowed by this call, and whoever holds them brings them to the host before anybody looks at them.
            Memory::Resident(unsafe { Lent::new(of, *start, bins.array.bytes) }, 0)
        }))
    });
    let mut placed: Vec<_> = placed.collect();
    attempt_at(of, counts, arrays, &mut placed, captured, reach)
}

/// The same with bins where they are.
fn attempt_at(
    of: &Loop,
    counts: &[u64],
    arrays: &[Array<'_>],
    bins: &mut [Bins<'_>],
    captured: &[u64],
    reach: Reaching<'_>,
) -> Attempt {
    let device = match choice::chosen() {
        Ok(device) => device,
        Err(e) => return fall_back(of, Device::Cuda(0), e),
    };
    let of_buffers = buffers_of(arrays, bins);
    match device {
        Device::Seq | Device::Cpu => return Attempt::ON_CPU,
        Device::Auto if of_buffers.is_none() && !pays(of, counts, arrays, bins) => {
            return Attempt::ON_CPU;
        }
        Device::Auto | Device::Cuda(_) | Device::Sim | Device::AllCuda | Device::Sims(_) => {}
    }
    if counts.contains(&0) {
        return Attempt::DONE;
    }
    let gpu = match device {
        Device::Auto => of_buffers.unwrap_or(Device::Cuda(0)),
        device => device,
    };
    of.begin_whole();
    let divided = match gpu.is_group() {
        true => of.divided(gpu, counts, arrays, bins, captured, reach),
        false => None,
    };
    let done = divided.unwrap_or_else(|| {
        let context = Context::of(gpu)?;
        of.call(&context, counts, arrays, bins, captured, reach)
    });
    match done {
        Ok(()) => Attempt::DONE,
        Err(e) => fall_back(of, device, e),
    }
}

/// Where a call of `on` runs, and what it may do instead.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The stream that it is queued on; else the call is waited for.
    pub stream: Option<&'a Stream>,
    /// Whether the CPU could run it: nothing is in a buffer of a device.
    pub within_reach: bool,
}

impl Place<'_> {
    /// Whether kernels have to be asked at all.
    pub fn wanted(self) -> bool {
        !self.within_reach || wanted()
    }

    /// The attempt of a call that no kernel can run, and why.
    pub fn give_way(self, of: &Loop, why: Error) -> Attempt {
        if let (Some(stream), Error::NotOnDevice { reason, .. }) = (self.stream, &why)
            && stream.0.lane().is_recording()
        {
            // What the CPU does is not recorded.
            give_up(Error::NotRecorded {
                reason: reason.clone(),
            });
        }
        if !self.within_reach {
            give_up(why);
        }
        give_way(of, why)
    }

    /// The attempt of a call whose number of iterations has no value: the sequential loop panics before its first.
    pub fn without_count(self, of: &Loop) -> Attempt {
        if !self.within_reach {
            give_up(no_count(of));
        }
        Attempt::ON_CPU
    }

    /// Tries a loop where its data are, or on the device of the stream or thread; on a stream, faults show when that is waited
    /// for, unless slices of the host's are among the arguments.
    pub fn attempt(
        self,
        of: &Loop,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        reach: Reaching<'_>,
    ) -> Attempt {
        let Some(stream) = self.stream else {
            let attempt = attempt(of, counts, arrays, bins, captured, reach);
            if !attempt.done() && !self.within_reach {
                give_up(self.elsewhere(arrays, bins));
            }
            return attempt;
        };
        of.begin_whole();
        match of.queue(&stream.0, counts, arrays, bins, captured, reach) {
            Ok(()) => Attempt::DONE,
            // What the CPU does is not recorded.
            Err(Error::NotOnDevice { reason, .. }) if stream.0.lane().is_recording() => {
                give_up(Error::NotRecorded { reason })
            }
            Err(e @ Error::NotOnDevice { .. }) => self.give_way(of, e),
            Err(e) => give_up(e),
        }
    }

    /// That the device of the thread is the host, and what a call is given is not there.
    fn elsewhere(self, arrays: &[Array<'_>], bins: &[Bins<'_>]) -> Error {
        match (choice::chosen(), buffers_of(arrays, bins)) {
            (Err(e), _) => e,
            (Ok(expected), found) => Error::WrongDevice {
                what: "an argument".to_owned(),
                found: found.unwrap_or(expected),
                expected,
            },
        }
    }
}

/// The device of the buffers among a call's arguments.
fn buffers_of(arrays: &[Array<'_>], bins: &[Bins<'_>]) -> Option<Device> {
    let all = arrays.iter().chain(bins.iter().map(|b| &b.array));
    let mut devices = all.filter_map(|array| match array.memory {
        Memory::Device(memory, _) => Some(memory.device()),
        Memory::Host(_) | Memory::Resident(..) | Memory::Appended(..) | Memory::Nowhere => None,
    });
    devices.next()
}

/// An attempt at a loop of which the sequential one may end before the iteration that a kernel fails at: what it does is found out, whoever waits for errors.
pub fn reproduced(attempt: impl FnOnce() -> Attempt) -> Attempt {
    match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(attempt) => attempt,
        Err(payload) => match payload.downcast_ref::<Error>() {
            Some(error) if error.is_fault() => Attempt {
                done: false,
                left: None,
                _sequential: Some(choice::choose(Device::Seq)),
            },
            _ => resume_unwind(payload),
        },
    }
}

/// After a failure: `try_call` gets the error, a fault is reproduced by the sequential loop, and what is not the
/// loop's fault runs on the CPU.
pub(in crate::gpu) fn fall_back(of: &Loop, device: Device, error: Error) -> Attempt {
    let machine = !error.is_fault();
    let no_kernel = matches!(error, Error::NotOnDevice { .. });
    let stays = machine && (device == Device::Auto || no_kernel && trying::is_anywhere());
    if trying::is_on() && !stays {
        give_up(error);
    }
    if machine {
        if !of.complained.swap(true, Ordering::Relaxed) {
            let line = error.to_string();
            let line = line
                .split("\nhelp: ")
                .next()
                .unwrap_or_default()
                .replace('\n', " ");
            log::warn!("`{}` runs on the CPU: {line}", of.function);
        }
        return Attempt::ON_CPU;
    }
    Attempt {
        done: false,
        left: None,
        _sequential: Some(choice::choose(Device::Seq)),
    }
}

/// Whether `auto` should ask the GPU.
fn pays(of: &Loop, counts: &[u64], arrays: &[Array<'_>], bins: &[Bins<'_>]) -> bool {
    let expected = Expected::of(of, counts, arrays, bins);
    expected.is_some_and(|e| e.pays(e.saves(), 0.0))
}

/// What a call is expected to cost.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) struct Expected {
    size: Size,
    threads: usize,
}

impl Expected {
    /// None where no kernel can run it.
    pub(in crate::gpu) fn of(
        of: &Loop,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &[Bins<'_>],
    ) -> Option<Expected> {
        if !cfg!(feature = "cuda") || of.modules.is_empty() {
            return None;
        }
        let bytes = |array: &Array<'_>| match array.memory {
            Memory::Host(from) if array.written || !held::has_copy_of(from, array.bytes) => {
                array.bytes as f64
            }
            Memory::Resident(all, _) if !all.is_on_device() => array.bytes as f64,
            Memory::Host(_)
            | Memory::Resident(..)
            | Memory::Device(..)
            | Memory::Appended(..)
            | Memory::Nowhere => 0.0,
        };
        let comes_back = |array: &Array<'_>| match array.memory {
            Memory::Host(_) | Memory::Appended(..) => array.bytes as f64,
            Memory::Resident(..) | Memory::Device(..) | Memory::Nowhere => 0.0,
        };
        let bins = || bins.iter().map(|b| &b.array);
        let written = arrays.iter().filter(|a| a.written).chain(bins());
        let size = Size {
            items: counts.iter().map(|&n| n as f64).product(),
            operations: f64::from(of.cost.max(1)),
            upload: arrays.iter().chain(bins()).map(bytes).sum(),
            download: written.map(comes_back).sum(),
        };
        // The system reads files to answer.
        static THREADS: OnceLock<usize> = OnceLock::new();
        let threads =
            *THREADS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
        Some(Expected { size, threads })
    }

    /// How many seconds a GPU is expected to save, copies left out.
    pub(in crate::gpu) fn saves(&self) -> f64 {
        self.size.saves(self.threads)
    }

    /// Whether `auto` should ask the GPU to take so many steps in one kernel, were nothing to be copied.
    pub(in crate::gpu) fn steps_pay(of: &Loop, counts: &[u64]) -> bool {
        let saves = Expected::of(of, counts, &[], &[])
            .zip(counts.first())
            .map(|(expected, &steps)| expected.size.saves_in(steps as f64));
        saves.is_some_and(|saves| saves > WORTH_ASKING) && Context::of_auto().is_ok()
    }

    /// Whether so many seconds are worth the copies that the call needs, and so many bytes back.
    pub(in crate::gpu) fn pays(&self, saved: f64, back: f64) -> bool {
        let size = Size {
            download: self.size.download + back,
            ..self.size
        };
        // Below zero, it costs to stay.
        (saved > WORTH_ASKING || back < 0.0)
            && Context::of_auto().is_ok_and(|context| saved > size.copies(&kept::costs(&context)))
    }
}

#[cfg(test)]
mod tests {
    use super::{first_of, low_bits};

    /// What a launch finds of items in the order of their positions.
    fn launch(orders: &[u64], low: u64, last: bool) -> [u64; 3] {
        let least = |of: &dyn Fn(u64, u64) -> u64| {
            let all = orders.iter().zip(0..);
            all.map(|(order, n)| of(*order, n))
                .min()
                .unwrap_or(u64::MAX)
        };
        [
            least(&|order, _| order),
            least(&|order, n| order & !low | if last { n ^ low } else { n }),
            least(&|order, _| order ^ low),
        ]
    }

    #[test]
    fn low_bits_hold_all_positions() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(low_bits), [0, 0, 1, 3, 3, 7]);
        assert_eq!(low_bits(u64::MAX), u64::MAX);
        assert_eq!(low_bits(1 << 32), u64::from(u32::MAX));
    }

    #[test]
    fn one_launch_tells_the_first_unless_orders_differ_in_low_bits() {
        let told = |orders: &[u64], last: bool| {
            let low = low_bits(orders.len() as u64);
            let found = [(launch(orders, low, last), last)];
            let [(position, _)] = first_of(found, low)?;
            Some(if last { !position } else { position })
        };
        assert_eq!(told(&[40, 17, 99, 17, 64], false), Some(1));
        assert_eq!(told(&[40, 17, 99, 17, 64], true), Some(3));
        assert_eq!(told(&[7], false), Some(0));
        assert_eq!(told(&[7], true), Some(0));
        // 16 and 17 agree in all but the low bits, and 17 comes first.
        assert_eq!(told(&[40, 17, 99, 16, 64], false), None);
        // No item, or one that looks like none.
        assert_eq!(told(&[], false), None);
        assert_eq!(told(&[u64::MAX; 3], false), None);
    }
}
