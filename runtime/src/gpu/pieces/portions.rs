//! The portions of a call that several devices share: queued all together by this thread where nothing is copied for pieces, and else in
//! pieces, by a thread for each device.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use super::runner::{Kept, Pieced, Runner, Start};
use crate::base::error::Error;
use crate::base::progress::{self, Progress};
use crate::base::stats::{self, Stats};
use crate::device::context::Context;

/// Times that pieces are made half as long, where kernels need more memory than was left to them.
const HALVINGS: u32 = 4;

/// What one device is to do.
pub(super) struct Portion<'a> {
    pub(super) context: &'a Arc<Context>,
    pub(super) positions: Range<u64>,
    /// Positions of a piece, at most.
    pub(super) length: u64,
    /// What the device keeps of arrays, by their numbers in the call.
    pub(super) kept: Vec<Option<Kept>>,
}

/// What one device has done.
pub(super) struct Done<'a> {
    pub(super) runner: Runner<'a>,
    /// Its bins, where they have come back already.
    pub(super) bins: Option<Vec<Vec<u8>>>,
    pub(super) seconds: f64,
    pub(super) stats: Stats,
}

/// Queues every device's share, then waits for each.
pub(super) fn queue_all<'a>(
    call: Pieced<'a>,
    all: &'a [Portion<'_>],
) -> Vec<Result<Done<'a>, Error>> {
    let queued: Vec<_> = all
        .iter()
        .map(|one| {
            let call = Pieced {
                kept: &one.kept,
                ..call
            };
            let mut runner = Runner::new(call, one.context, Start::Neutral)?;
            if !one.positions.is_empty() {
                runner.piece(one.positions.clone())?;
            }
            Ok(runner)
        })
        .collect();
    let mut told = Progress {
        of_pieces: Some(all.len() as u64),
        of_items: Some(call.cut.positions),
        ..Progress::begin()
    };
    let settled = queued.into_iter().map(|runner: Result<Runner<'_>, Error>| {
        let mut runner = runner?;
        // Without any piece, bins are neutral.
        let bins = match runner.is_under_way() {
            true => Some(runner.finish_with_bins()?),
            false => None,
        };
        told.pieces += 1;
        told.items += runner.done.1;
        progress::report(told);
        Ok(Done {
            runner,
            bins,
            seconds: 0.0,
            // It was this thread.
            stats: Stats::default(),
        })
    });
    settled.collect()
}

/// Runs every device's share on a thread of its own, and tells whoever watches this one's calls.
pub(super) fn run_all<'a>(
    call: Pieced<'a>,
    all: &'a [Portion<'_>],
) -> Vec<Result<Done<'a>, Error>> {
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
                        bins: None,
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
    one: &'a Portion<'_>,
    to: &Sender<(u64, u64)>,
) -> Result<Runner<'a>, Error> {
    let mut length = one.length;
    for halving in 0.. {
        let mut told = (0, 0);
        let mut pieces = || {
            let call = Pieced {
                length,
                kept: &one.kept,
                ..call
            };
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
