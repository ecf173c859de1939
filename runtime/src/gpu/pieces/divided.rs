//! Calls that several devices share: each has a range of the outermost positions, as long as it is fast, and runs it in pieces.
//!
//! Bins start with neutral elements on every device and are combined with the caller's in the end, by the loop's own operators and in the
//! order of the iterations. So nothing has changed where one device fails: the call's error says which.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use accrue_ptx::abi::{Placement, Strategy};

use super::combine::combine;
use super::cut::{Cut, Share};
use super::runner::{Pieced, Runner, Start};
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::progress::{self, Progress};
use crate::base::stats::{self, Stats};
use crate::device::context::Context;
use crate::gpu::array::{Array, Bins, Memory};
use crate::gpu::calibrate;
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::reach::Reaching;

/// Bytes of a GPU's share that are worth asking one more.
const WORTH: u64 = 256 << 10;

/// Times that pieces are made half as long, where kernels need more memory than was left to them.
const HALVINGS: u32 = 4;

/// What one device is to do.
struct Portion<'a> {
    context: &'a Arc<Context>,
    positions: Range<u64>,
    /// Positions of a piece, at most.
    length: u64,
}

/// What one device has done.
struct Done<'a> {
    runner: Runner<'a>,
    seconds: f64,
    stats: Stats,
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
        let cut = Cut::of(self, counts, arrays, bins, reach);
        if let Some(why) = self.undivided(&cut, arrays, bins) {
            self.say_pieces(format!("on the first of {} devices: {why}", members.len()));
            return None;
        }
        let without = self.without_ranges(|_| self.refusal()).ok()?;
        let worth = match members[0].backend.device() {
            Device::Cuda(_) => (WORTH / cut.each().max(1)).max(1),
            _ => 1,
        };
        let number = (cut.positions / worth).clamp(1, members.len() as u64) as usize;
        if number < 2 {
            return None;
        }
        let members = &members[..number];
        Some(self.share(members, counts, arrays, bins, captured, &cut, &without))
    }

    /// Why a call is not divided.
    fn undivided(
        &self,
        cut: &Cut,
        arrays: &[Array<'_>],
        bins: &[Bins<'_>],
    ) -> Option<&'static str> {
        let abi = &self.modules[0].abi;
        let carried = |placement| placement == Placement::Strategy(Strategy::Lookback);
        if abi.targets.iter().any(|target| carried(target.placement)) {
            return Some("its iterations carry scalars along");
        }
        if !cut.has_parts() {
            return Some(
                "there is no array on the host of which a part of the iterations needs a part",
            );
        }
        let mut shares = abi
            .arrays
            .iter()
            .map(|a| (a, &cut.shares[a.array as usize]));
        if shares
            .clone()
            .any(|(_, share)| matches!(share, Share::There))
        {
            return Some("data are on a device");
        }
        if shares.any(|(a, share)| a.written && matches!(share, Share::Whole)) {
            return Some("it is not known which elements parts of its iterations write");
        }
        let away = |a: &Array<'_>| !matches!(a.memory, Memory::Host(_) | Memory::Nowhere);
        let written = arrays.iter().filter(|a| a.written);
        if bins.iter().map(|b| &b.array).chain(written).any(away) {
            return Some("what it writes stays on a device");
        }
        None
    }

    #[expect(clippy::too_many_arguments, reason = "they are those of a call")]
    fn share(
        &self,
        members: &[Arc<Context>],
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        cut: &Cut,
        without: &[usize],
    ) -> Result<(), Error> {
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
        let ranges = shares(cut.positions, &self.weights(members));
        let mut all = Vec::new();
        for (number, (context, positions)) in members.iter().zip(ranges).enumerate() {
            stats::uncounted(|| calibrate::step(context));
            let room = self.room(context).map_err(|e| named(number, e))?;
            let length = cut.length(room).ok_or_else(|| {
                named(
                    number,
                    cut.too_large(self, room, &context.backend.limits().name),
                )
            })?;
            let length = length.min((positions.end - positions.start).max(1));
            all.push(Portion {
                context,
                positions,
                length,
            });
        }
        let call = Pieced {
            of: self,
            counts,
            arrays,
            bins,
            captured,
            cut,
            length: 0,
            without,
        };
        let results = run_all(call, &all);
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
        let targets = &self.modules[0].abi.targets;
        let mut own: Vec<Vec<Vec<u8>>> = Vec::new();
        for (number, one) in done.iter_mut().enumerate() {
            let mut bins = vec![Vec::new(); targets.len()];
            one.runner
                .bring_back(Some(&mut bins))
                .map_err(|e| named(number, e))?;
            own.push(bins);
        }
        self.note_shares(members, &done);
        // Nothing can fail from here on.
        for one in done {
            one.runner.commit()?;
        }
        for part in &own {
            for ((target, bins), part) in targets.iter().zip(&*bins).zip(part) {
                if let Memory::Host(into) = bins.array.memory {
                    // SAFETY: the caller's bins, borrowed exclusively, have as many bytes as were brought back of each device's.
                    unsafe { combine(target.op, target.elem, into, part) };
                }
            }
        }
        Ok(())
    }

    /// How fast the devices are, beside each other: as measured by the last call, or by their multiprocessors.
    fn weights(&self, members: &[Arc<Context>]) -> Vec<f64> {
        let rates = lock(&self.rates);
        let rate = |context: &Arc<Context>| rates.iter().find(|(id, _)| *id == context.id);
        let measured: Option<Vec<f64>> = members
            .iter()
            .map(|context| rate(context).map(|(_, rate)| *rate))
            .collect();
        measured.unwrap_or_else(|| {
            let sms = members.iter().map(|c| f64::from(c.backend.limits().sms));
            sms.collect()
        })
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

/// Runs every device's share on a thread of its own, and tells whoever watches this one's calls.
fn run_all<'a>(call: Pieced<'a>, all: &[Portion<'_>]) -> Vec<Result<Done<'a>, Error>> {
    let pieces = |one: &Portion<'_>| {
        let positions = one.positions.end - one.positions.start;
        positions.div_ceil(one.length)
    };
    let of_pieces = all.iter().map(pieces).sum();
    let (to, from) = channel();
    std::thread::scope(|scope| {
        let threads: Vec<_> = all
            .iter()
            .map(|one| {
                let to = to.clone();
                let work = move || {
                    let before = stats::stats();
                    let start = Instant::now();
                    let runner = run(call, one, &to)?;
                    Ok(Done {
                        runner,
                        seconds: start.elapsed().as_secs_f64(),
                        stats: stats::stats() - before,
                    })
                };
                std::thread::Builder::new()
                    .name("accrue device".into())
                    .spawn_scoped(scope, work)
                    .map_err(|e| Error::Driver {
                        call: "thread",
                        status: e.to_string(),
                    })
            })
            .collect();
        drop(to);
        let mut told = Progress {
            of_pieces: Some(of_pieces),
            of_items: Some(call.cut.positions),
            ..Progress::begin()
        };
        for (pieces, positions) in from {
            told.pieces += pieces;
            told.items += positions;
            progress::report(told);
        }
        let joined = threads.into_iter().map(|thread| match thread?.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    })
}

/// Runs one device's share.
fn run<'a>(
    call: Pieced<'a>,
    one: &Portion<'_>,
    to: &Sender<(u64, u64)>,
) -> Result<Runner<'a>, Error> {
    let mut length = one.length;
    for halving in 0.. {
        let mut told = (0, 0);
        let mut pieces = || {
            let call = Pieced { length, ..call };
            let mut runner = Runner::new(call, one.context, Start::Neutral)?;
            let mut tell = |runner: &Runner<'_>| {
                let (pieces, positions) = runner.done;
                if pieces > told.0 {
                    // Nobody has to listen.
                    let _ = to.send((pieces - told.0, positions - told.1));
                    told = runner.done;
                }
            };
            let mut at = one.positions.start;
            while at < one.positions.end {
                let end = one.positions.end.min(at + length);
                runner.piece(at..end)?;
                tell(&runner);
                at = end;
            }
            for _ in 0..2 {
                runner.finish_next()?;
                tell(&runner);
            }
            Ok(runner)
        };
        match pieces() {
            Err(Error::OutOfMemory { .. }) if halving < HALVINGS && length > 1 => length /= 2,
            done => return done,
        }
    }
    unreachable!("the last try returns")
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
