//! What is done to large bins beside counting: copies, fingerprints, and what changes nothing, by all threads.

use crate::cpu::crew;

/// Fewer pieces are not worth waking a thread.
const FEW: usize = 4;

/// Calls something for each number below one.
pub(super) fn many(count: usize, step: &(dyn Fn(usize) + Sync)) {
    let workers = match count < FEW {
        true => 1,
        false => count.min(crew::threads()),
    };
    crew::each(workers, 0..count, step);
}
