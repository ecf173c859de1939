//! The strategy `partitioned`: workers write updates down by range of bins, then every range is done by one
//! worker.
//!
//! It is for many bins and few items, where private tables would cost more than the loop. Nothing is written to a bin
//! before every update is known, so that a fault leaves nothing to undo; and the updates of a bin are done in the order of the
//! items, so that float sums have the bits of the sequential loop, whatever the number of threads.
//!
//! Symbols: W workers, R ranges of bins, N items. Memory: a bin's number and a value for each update.

use std::ops::Range;

use super::crew::{self, Parts};
use super::drive::Drive;
use super::kernels::LogKernel;
use super::member::Member;
use super::table::Fault;

/// How many parts a worker takes on average.
const PARTS: usize = 4;

/// Runs the items; on a fault the members are as they were, and `None` is returned. Else it returns how many
/// lists of updates there were.
pub(super) fn run<M: Member>(
    items: Range<usize>,
    workers: usize,
    shift: u32,
    members: &mut M,
    kernels: &dyn LogKernel<M::Kind>,
) -> Option<usize> {
    let fault = Fault::default();
    let parts = Parts::new(items, workers * PARTS);
    let shared = &*members;
    let worker = || {
        let mut logs = Vec::new();
        while !fault.is_set() {
            let Some((number, part)) = parts.take() else {
                break;
            };
            let mut pairs = shared.pairs(Some(shift));
            kernels.log(Drive::new(part, shared.log(&mut pairs, &fault)));
            logs.push((number, pairs));
        }
        Some(logs)
    };
    let mut logs: Vec<_> = crew::run(workers, &fault, worker)
        .into_iter()
        .flatten()
        .collect();
    if fault.is_set() {
        return None;
    }
    logs.sort_by_key(|(number, _)| *number);
    let logs: Vec<_> = logs.iter().map(|(_, pairs)| pairs).collect();
    let scalars = members.save(false);
    if members.apply(&logs) {
        members.unapply(&logs);
        members.restore(&scalars);
        return None;
    }
    Some(logs.len())
}
