//! Calls that one device runs in pieces.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::cut::{Cut, runs_ranges};
use super::runner::{Pieced, Runner, Start};
use crate::base::budget;
use crate::base::error::{Bytes, Error};
use crate::base::lock::lock;
use crate::base::progress::{self, Progress};
use crate::base::stats;
use crate::device::context::Context;
use crate::device::held;
use crate::device::queue::Queue;
use crate::gpu::array::{Array, Bins, Memory};
use crate::gpu::calibrate;
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::reach::Reaching;

/// Times that pieces are made half as long, where kernels need more memory than was left to them.
const HALVINGS: u32 = 4;

impl Loop {
    /// Whether a call's copies take more than they may, or than the device ever has. What others have of its memory is not asked: who finds
    /// none is told.
    pub(in crate::gpu) fn is_too_large(
        &self,
        queue: &Queue,
        arrays: &[Array<'_>],
        bins: &[Bins<'_>],
    ) -> Result<bool, Error> {
        let copied = |array: &Array<'_>| match array.memory {
            Memory::Host(_) | Memory::Appended(..) => array.bytes,
            Memory::Resident(all, _) if !all.is_on_device() => array.bytes,
            Memory::Resident(..) | Memory::Device(..) | Memory::Nowhere => 0,
        };
        let all = || arrays.iter().chain(bins.iter().map(|b| &b.array));
        let bytes: u64 = all().map(copied).sum();
        let memory = queue.context.backend.limits().memory;
        let most = budget::chosen()?.unwrap_or(u64::MAX).min(memory);
        if bytes <= most {
            return Ok(false);
        }
        let held = |array: &Array<'_>| match array.memory {
            Memory::Host(from) if !array.written && held::has_copy_of(from, array.bytes) => {
                array.bytes
            }
            _ => 0,
        };
        Ok(bytes - arrays.iter().map(held).sum::<u64>() > most)
    }

    /// Bytes that a call's copies may take of a device.
    pub(in crate::gpu) fn room(&self, context: &Context) -> Result<u64, Error> {
        context.reclaim();
        let free = context.backend.free_memory()?;
        Ok(budget::chosen()?.map_or(free, |most| most.min(free)))
    }

    /// Modules that cannot run a part of the iterations.
    ///
    /// # Errors
    ///
    /// There are no others.
    pub(in crate::gpu) fn without_ranges(
        &self,
        too_large: impl FnOnce(&str) -> Error,
    ) -> Result<Vec<usize>, Error> {
        let modules = self.modules.iter().enumerate();
        let without = modules.filter(|(_, module)| !runs_ranges(module));
        let without: Vec<usize> = without.map(|(number, _)| number).collect();
        match without.len() < self.modules.len() {
            true => Ok(without),
            false => Err(too_large("its kernels take all of its iterations together")),
        }
    }

    /// Runs a call in pieces.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] where it cannot be cut, or no pieces fit; those of any call.
    pub(in crate::gpu) fn in_pieces(
        &self,
        queue: &Arc<Queue>,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        reach: Reaching<'_>,
    ) -> Result<(), Error> {
        let context = &queue.context;
        stats::uncounted(|| calibrate::step(context));
        // What earlier calls on the stream left behind is theirs.
        queue.sync()?;
        queue.give_up_memory();
        let room = self.room(context)?;
        let cut = Cut::of(self, counts, arrays, bins, reach, false);
        let device = &context.backend.limits().name;
        let without = self.without_ranges(|why| cut.refused(self, room, device, why))?;
        let length = cut.length(room).filter(|_| cut.has_parts());
        let mut length = length.ok_or_else(|| cut.too_large(self, room, device))?;
        for halving in 0.. {
            let count = cut.positions.div_ceil(length);
            self.say_pieces(format!(
                "in {count} pieces of {length} iterations of the outermost loop: its data have {}, and may take {} of {device}",
                Bytes(cut.total),
                Bytes(room)
            ));
            let call = Pieced {
                of: self,
                counts,
                arrays,
                bins,
                captured,
                cut: &cut,
                kept: &[],
                length,
                without: &without,
            };
            match run(call, context) {
                Err(Error::OutOfMemory { .. }) if halving < HALVINGS && length > 1 => length /= 2,
                done => return done,
            }
        }
        unreachable!("the last try returns")
    }

    /// Notes that a call begins on one device, of which nothing is known to be cut.
    pub(in crate::gpu) fn begin_whole(&self) {
        if self.is_pieced.load(Ordering::Relaxed) {
            *lock(&self.pieces) = None;
            self.is_pieced.store(false, Ordering::Relaxed);
        }
    }
}

/// Runs all pieces, one after the other.
fn run(call: Pieced<'_>, context: &Arc<Context>) -> Result<(), Error> {
    let mut runner = Runner::new(call, context, Start::Caller)?;
    let all = call.cut.positions.div_ceil(call.length);
    let mut told = 0;
    let mut tell = |runner: &Runner<'_>| {
        let (pieces, positions) = runner.done;
        if pieces > told {
            told = pieces;
            progress::report(Progress {
                pieces,
                of_pieces: Some(all),
                items: positions,
                of_items: Some(call.cut.positions),
            });
        }
    };
    for piece in call.cut.pieces(call.length) {
        runner.piece(piece)?;
        tell(&runner);
    }
    for _ in 0..2 {
        runner.finish_next()?;
        tell(&runner);
    }
    runner.bring_back(None)?;
    runner.commit()
}
