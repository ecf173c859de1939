//! Calls that several devices share: each has a range of the outermost positions, as long as it is fast, and runs it in pieces.
//!
//! What resident arrays hold stays where it is needed: a device gets what its range accesses, and the next call finds it there. Such a call is
//! divided by what the devices are, not by how fast the last one was, so that the ranges stay the same, and if nothing goes to
//! devices in parts, this thread queues all kernels before it waits for any.
//!
//! Bins start with neutral elements on every device and are combined with the caller's in the end, by the loop's own operators and in the
//! order of the iterations. So nothing has changed where one device fails: the call's error says which.

use std::ops::Range;
use std::sync::Arc;

use accrue_ptx::abi::{Placement, Strategy};

use super::combine::combine;
use super::cut::{Cut, Share};
use super::memory::host_memory;
use super::portions::{Done, Portion, queue_all, run_all};
use super::runner::Pieced;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::stats;
use crate::device::context::Context;
use crate::device::held;
use crate::device::queue::Queue;
use crate::device::residence::{Lent, Residence, Written};
use crate::gpu::array::{Array, Bins, Memory};
use crate::gpu::calibrate;
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::reach::Reaching;

/// Bytes of a GPU's share that are worth asking one more, where they are copied for it.
const WORTH: u64 = 256 << 10;

/// Bytes and operations of a GPU's share that are worth asking one more, where all data are there: some 45 us of 3 TB/s. The host takes 30 to
/// 100 us to start another one and to wait for it (two H100s, 2026-11-26).
const WORTH_THERE: u64 = 128 << 20;

/// A call that is to be divided.
#[derive(Clone, Copy)]
struct Whole<'a> {
    of: &'a Loop,
    counts: &'a [u64],
    arrays: &'a [Array<'a>],
    captured: &'a [u64],
    reach: Reaching<'a>,
}

impl Loop {
    /// Runs a call on all devices of a group; `None` where it is not to be divided, and the first of them runs it.
    pub(in crate::gpu) fn divided(
        &self,
        group: Device,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        reach: Reaching<'_>,
    ) -> Option<Result<(), Error>> {
        match Context::members(group) {
            Ok(members) => self.divide_over(&members, counts, arrays, bins, captured, reach),
            Err(e) => Some(Err(e)),
        }
    }

    /// The same on these devices.
    pub(in crate::gpu) fn divide_over(
        &self,
        members: &[Arc<Context>],
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        reach: Reaching<'_>,
    ) -> Option<Result<(), Error>> {
        let items = counts.iter().try_fold(1u64, |all, n| all.checked_mul(*n))?;
        if self.modules.is_empty() || items == 0 || items >= 1 << 63 || members.len() < 2 {
            return None;
        }
        let held: Vec<_> = arrays.iter().map(held_place).collect();
        let places = arrays.iter().zip(&held).map(|(array, held)| {
            array.placed(held.as_ref().map(|(of, start, bytes, at)| {
                // SAFETY: whoever holds it on this thread has lent this memory, and does until the call has ended.
                Memory::Resident(unsafe { Lent::new(of, *start, *bytes) }, *at)
            }))
        });
        let call = Whole {
            of: self,
            counts,
            arrays: &places.collect::<Vec<_>>(),
            captured,
            reach,
        };
        let is_resident = |array: &Array<'_>| matches!(array.memory, Memory::Resident(..));
        match call.divide(members, bins, true)? {
            // Where there is no memory to keep parts, they come and go.
            Err(e) if is_short(&e) && call.arrays.iter().any(is_resident) => {
                call.divide(members, bins, false)
            }
            done => Some(done),
        }
    }

    /// Why a call is not divided.
    fn undivided(&self, cut: &Cut, bins: &[Bins<'_>]) -> Option<&'static str> {
        let abi = &self.modules[0].abi;
        let carried = |placement| placement == Placement::Strategy(Strategy::Lookback);
        if abi.targets.iter().any(|target| carried(target.placement)) {
            return Some("its iterations carry scalars along");
        }
        let mut shares = abi
            .arrays
            .iter()
            .map(|a| (a, &cut.shares[a.array as usize]));
        if shares
            .clone()
            .any(|(_, share)| matches!(share, Share::There))
        {
            return Some("data are in a buffer of a device");
        }
        if !cut.is_divisible() {
            return Some("there is no array of which a part of the iterations needs a part");
        }
        if shares.any(|(a, s)| a.written && matches!(s, Share::Whole | Share::Kept(None))) {
            return Some("it is not known which elements parts of its iterations write");
        }
        let away = |b: &Bins<'_>| matches!(b.array.memory, Memory::Device(..));
        if bins.iter().any(away) {
            return Some("what it writes is in a buffer of a device");
        }
        None
    }
}

impl Whole<'_> {
    /// Divides it over these devices. `keeps`: what resident arrays hold stays there.
    fn divide(
        self,
        members: &[Arc<Context>],
        bins: &mut [Bins<'_>],
        keeps: bool,
    ) -> Option<Result<(), Error>> {
        let of = self.of;
        let cut = Cut::of(of, self.counts, self.arrays, bins, self.reach, keeps);
        let on_first = |why: &str| {
            of.say_pieces(format!("on the first of {} devices: {why}", members.len()));
        };
        if let Some(why) = of.undivided(&cut, bins) {
            on_first(why);
            return None;
        }
        let without = of.without_ranges(|why| {
            on_first(why);
            of.refusal()
        });
        let without = without.ok()?;
        let worth = match members[0].backend.device() {
            Device::Cuda(_) if cut.has_parts() => (WORTH / cut.accessed.max(1)).max(1),
            Device::Cuda(_) => {
                let operations = cut.inner.saturating_mul(u64::from(of.cost.max(1)));
                let each = cut.accessed.saturating_add(operations);
                (WORTH_THERE / each).max(1)
            }
            _ => 1,
        };
        let number = (cut.positions / worth).clamp(1, members.len() as u64) as usize;
        if number < 2 {
            return None;
        }
        Some(self.share(&members[..number], bins, &cut, &without))
    }

    fn share(
        self,
        members: &[Arc<Context>],
        bins: &mut [Bins<'_>],
        cut: &Cut,
        without: &[usize],
    ) -> Result<(), Error> {
        let of = self.of;
        let named = |number: usize, e: Error| match e.is_fault() {
            true => e,
            false => Error::OnDevice {
                device: format!(
                    "device {number} ({})",
                    members[number].backend.limits().name
                ),
                error: Box::new(e),
            },
        };
        let weights = match cut.keeps() {
            true => sizes(members),
            false => of.weights(members),
        };
        let ranges = shares(cut.positions, &weights);
        let mut all = Vec::new();
        for (number, (context, positions)) in members.iter().zip(ranges).enumerate() {
            stats::uncounted(|| calibrate::step(context));
            let length = self.length(context, cut, &positions);
            all.push(Portion {
                context,
                length: length.map_err(|e| named(number, e))?,
                kept: vec![None; self.arrays.len()],
                positions,
            });
        }
        for (number, one) in all.iter_mut().enumerate() {
            self.keep(one, cut).map_err(|e| named(number, e))?;
        }
        // Only now: what one device writes, another may have had to be given.
        let written: Vec<Written> = all.iter().flat_map(|one| self.writes(one, cut)).collect();
        let call = Pieced {
            of,
            counts: self.counts,
            arrays: self.arrays,
            bins,
            captured: self.captured,
            cut,
            kept: &[],
            length: 0,
            without,
        };
        let results = match cut.has_parts() {
            true => run_all(call, &all),
            false => queue_all(call, &all),
        };
        let mut done = Vec::new();
        let mut failed: Option<Error> = None;
        for (number, result) in results.into_iter().enumerate() {
            match result {
                Ok(one) => {
                    stats::count_of_thread(one.stats);
                    done.push(one);
                }
                // Devices come in the order of the iterations: the first fault is the earliest.
                Err(e) => {
                    let e = named(number, e);
                    if failed
                        .as_ref()
                        .is_none_or(|f| !f.is_fault() && e.is_fault())
                    {
                        failed = Some(e);
                    }
                }
            }
        }
        if let Some(e) = failed {
            return Err(e);
        }
        let targets = &of.modules[0].abi.targets;
        let mut own: Vec<Vec<Vec<u8>>> = Vec::new();
        for (number, one) in done.iter_mut().enumerate() {
            own.push(match one.bins.take() {
                Some(bins) => bins,
                None => {
                    let mut bins = vec![Vec::new(); targets.len()];
                    let back = one.runner.bring_back(Some(&mut bins));
                    back.map_err(|e| named(number, e))?;
                    bins
                }
            });
        }
        let into = bins.iter().map(|bins| host_memory(&bins.array));
        let into = into.collect::<Result<Vec<_>, Error>>()?;
        of.note_shares(members, &done);
        // Nothing can fail from here on.
        for one in done {
            one.runner.commit()?;
        }
        written.into_iter().for_each(Written::keep);
        for part in &own {
            for ((target, into), part) in targets.iter().zip(&into).zip(part) {
                // SAFETY: the caller's bins, borrowed exclusively and up to date, have as many bytes as were brought back of each
                // device's.
                unsafe { combine(target.op, target.elem, *into, part) };
            }
        }
        Ok(())
    }

    /// Positions of a device's pieces, at most.
    fn length(
        self,
        context: &Arc<Context>,
        cut: &Cut,
        positions: &Range<u64>,
    ) -> Result<u64, Error> {
        let own = (positions.end - positions.start).max(1);
        let all = self.arrays.iter().zip(&cut.shares);
        let stays = all.filter_map(|(array, share)| kept(array, *share, positions));
        let missing: u64 = stays
            .map(|(all, _, range)| all.missing_on(context, &range))
            .sum();
        if !cut.has_parts() && missing == 0 {
            return Ok(own);
        }
        let room = self.of.room(context)?;
        let length = room.checked_sub(missing).and_then(|left| cut.length(left));
        let device = &context.backend.limits().name;
        let length = length.ok_or_else(|| cut.too_large(self.of, room, device))?;
        Ok(length.min(own))
    }

    /// Has a device keep what its range accesses of resident arrays.
    fn keep(self, one: &mut Portion<'_>, cut: &Cut) -> Result<(), Error> {
        for ((array, share), place) in self.arrays.iter().zip(&cut.shares).zip(&mut one.kept) {
            if let Some((all, at, range)) = kept(array, *share, &one.positions)
                && !range.is_empty()
            {
                let (memory, origin) = all.to_device(&Queue::new(one.context)?, &range)?;
                *place = Some((memory, origin.offset(at)));
            }
        }
        Ok(())
    }

    /// Says what a device is about to write of what it keeps.
    fn writes(self, one: &Portion<'_>, cut: &Cut) -> Vec<Written> {
        let all = self.arrays.iter().zip(&cut.shares);
        let written = all.filter(|(array, _)| array.written);
        let kept = written.filter_map(|(array, share)| kept(array, *share, &one.positions));
        kept.map(|(all, _, range)| all.device_is_newer(one.context, &range))
            .collect()
    }
}

/// The memory that an array which is only read lies in, if somebody holds it, and where.
fn held_place(array: &Array<'_>) -> Option<(Arc<Residence>, *mut u8, u64, u64)> {
    match array.memory {
        Memory::Host(from) if !array.written && array.bytes > 0 => {
            held::residence_of(from, array.bytes)
        }
        _ => None,
    }
}

/// The resident array that keeps what positions of a range access, where the call's array begins in it, and the bytes of it that they
/// access.
fn kept<'a>(
    array: &Array<'a>,
    share: Share,
    positions: &Range<u64>,
) -> Option<(Lent<'a>, u64, Range<u64>)> {
    let (Share::Kept(window), Memory::Resident(all, at)) = (share, array.memory) else {
        return None;
    };
    let elements = match window {
        Some(_) if positions.is_empty() => 0..0,
        Some(window) => window.elements(positions, array.len),
        None => 0..array.len,
    };
    let bytes = array.elem_bytes();
    let range = at + elements.start * bytes..at + elements.end * bytes;
    Some((all, at, range))
}

/// Whether a device has too little memory.
fn is_short(error: &Error) -> bool {
    match error {
        Error::OnDevice { error, .. } => is_short(error),
        error => matches!(error, Error::OutOfMemory { .. } | Error::TooLarge { .. }),
    }
}

/// How large devices are, beside each other.
fn sizes(members: &[Arc<Context>]) -> Vec<f64> {
    let sms = members.iter().map(|c| f64::from(c.backend.limits().sms));
    sms.collect()
}

impl Loop {
    /// How fast the devices are, beside each other: as measured by the last call, or by their multiprocessors.
    fn weights(&self, members: &[Arc<Context>]) -> Vec<f64> {
        let rates = lock(&self.rates);
        let rate = |context: &Arc<Context>| rates.iter().find(|(id, _)| *id == context.id);
        let measured: Option<Vec<f64>> = members
            .iter()
            .map(|context| rate(context).map(|(_, rate)| *rate))
            .collect();
        measured.unwrap_or_else(|| sizes(members))
    }

    /// Notes what each device has done, for `explain` and for the next call.
    fn note_shares(&self, members: &[Arc<Context>], done: &[Done<'_>]) {
        let mut text = format!("divided over {} devices:", members.len());
        for (number, (context, one)) in members.iter().zip(done).enumerate() {
            let (pieces, positions) = one.runner.done;
            let name = &context.backend.limits().name;
            text += &format!(
                "{} {positions} iterations of the outermost loop on device {number} ({name}), pieces: {pieces}",
                if number == 0 { "" } else { ";" },
            );
            // A simulator's speed says nothing.
            if let (Device::Cuda(_), true) = (context.backend.device(), one.seconds > 0.0) {
                let rate = positions as f64 / one.seconds;
                let mut rates = lock(&self.rates);
                match rates.iter_mut().find(|(id, _)| *id == context.id) {
                    Some((_, known)) => *known = (*known + rate) / 2.0,
                    None => rates.push((context.id, rate)),
                }
            }
        }
        self.say_pieces(text);
    }
}

/// Ranges of positions, one after the other, as long as the weights say.
fn shares(positions: u64, weights: &[f64]) -> Vec<Range<u64>> {
    let total: f64 = weights.iter().sum();
    let mut sum = 0.0;
    let mut begin = 0;
    let mut ranges: Vec<Range<u64>> = weights
        .iter()
        .map(|weight| {
            sum += weight;
            let end = ((positions as f64 * (sum / total)) as u64).clamp(begin, positions);
            let range = begin..end;
            begin = end;
            range
        })
        .collect();
    if let Some(last) = ranges.last_mut() {
        last.end = positions;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_as_long_as_devices_are_fast_and_miss_nothing() {
        assert_eq!(shares(10, &[1.0, 1.0]), [0..5, 5..10]);
        assert_eq!(shares(10, &[3.0, 1.0]), [0..7, 7..10]);
        assert_eq!(
            shares(1000, &[1.0, 2.0, 1.0]),
            [0..250, 250..750, 750..1000]
        );
        for weights in [[0.1, 0.7, 0.3], [5.0, 1e-9, 1e9]] {
            let all = shares(1 << 40, &weights);
            assert_eq!((all[0].start, all[2].end), (0, 1 << 40));
            assert!(all.windows(2).all(|w| w[0].end == w[1].start));
        }
    }
}
