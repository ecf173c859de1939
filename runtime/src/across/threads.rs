//! Threads of one process as ranks: for tests, for pages that run, and for trying what a program does across ranks.
//!
//! Whoever comes to an operation lays a copy of its numbers down and waits; the last one to come looks whether all mean the same operation, and
//! wakes the others, who each take what they need of all copies. Nobody waits for a rank that is gone.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::collective::{Collective, Op};
use super::combine::combine;
use super::device_values::DeviceValues;
use super::many::many;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::values::{Kept, Values};

/// So many ranks, each for a thread of its own.
///
/// ```
/// use accrue::Collective;
/// use accrue::collective::{Op, Values, threads};
///
/// std::thread::scope(|scope| {
///     for rank in threads(3) {
///         scope.spawn(move || {
///             let mut number = [rank.rank() as u64];
///             rank.all_reduce(Values::U64(&mut number), Op::Add).unwrap();
///             assert_eq!(number, [3]);
///         });
///     }
/// });
/// ```
///
/// # Panics
///
/// If there are none.
pub fn threads(ranks: usize) -> Vec<Thread> {
    assert!(ranks > 0, "ranks without one");
    let shared = Arc::new(Shared {
        meeting: Mutex::new(Meeting {
            number: 0,
            came: (0..ranks).map(|_| None).collect(),
            gone: Vec::new(),
            result: None,
        }),
        changed: Condvar::new(),
    });
    let rank = |rank| Thread {
        rank,
        size: ranks,
        shared: Arc::clone(&shared),
    };
    (0..ranks).map(rank).collect()
}

/// A rank that is a thread, see [`threads`].
///
/// When it is dropped the others get an error from every operation that waits for it.
#[derive(Debug)]
pub struct Thread {
    rank: usize,
    size: usize,
    shared: Arc<Shared>,
}

/// What a rank wants of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    AllReduce(Op),
    AllGather,
    AllToAll,
    Broadcast(usize),
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::AllReduce(_) => "all-reduce",
            Operation::AllGather => "all-gather",
            Operation::AllToAll => "all-to-all",
            Operation::Broadcast(_) => "broadcast",
        }
    }
}

#[derive(Debug)]
struct Shared {
    meeting: Mutex<Meeting>,
    changed: Condvar,
}

/// Where ranks meet for an operation.
#[derive(Debug)]
struct Meeting {
    /// How many have been before.
    number: u64,
    /// What each rank has brought.
    came: Vec<Option<(Operation, Result<Kept, Error>)>>,
    /// Which ranks are gone, in the order in which they went: the others may only follow the first.
    gone: Vec<usize>,
    /// What became of the last one: the numbers of all ranks, of an all-reduce the combined ones alone.
    result: Option<Result<Arc<Vec<Kept>>, String>>,
}

impl Meeting {
    /// All have come.
    fn conclude(&mut self) {
        let came: Vec<_> = self.came.iter_mut().filter_map(Option::take).collect();
        self.number += 1;
        self.result = Some(concluded(came).map(Arc::new));
    }
}

fn concluded(came: Vec<(Operation, Result<Kept, Error>)>) -> Result<Vec<Kept>, String> {
    let operation = came[0].0;
    let mut all = Vec::with_capacity(came.len());
    for (rank, (other, kept)) in came.into_iter().enumerate() {
        if other != operation {
            return Err(format!(
                "rank 0 is at {operation:?}, rank {rank} at {other:?}"
            ));
        }
        let mut kept = kept.map_err(|error| format!("rank {rank}: {error}"))?;
        if let Some(first) = all.first_mut() {
            let first: Values<'_> = Kept::values(first);
            if !kept.values().is_like(&first) {
                return Err(format!(
                    "rank 0 has {first:?}, rank {rank} {:?}",
                    kept.values()
                ));
            }
        }
        all.push(kept);
    }
    if let Operation::AllReduce(op) = operation {
        let (first, others) = all.split_first_mut().expect("there are ranks");
        for other in others {
            combine(op, first.values(), other.values());
        }
        all.truncate(1);
    }
    Ok(all)
}

impl Thread {
    /// Meets the others with these numbers. What all have brought.
    fn meet(&self, operation: Operation, mine: &Values<'_>) -> Result<Arc<Vec<Kept>>, Error> {
        self.meet_with(operation, mine.copied(mine.len(), many))
    }

    /// The same with a copy of them, or why there is none.
    fn meet_with(
        &self,
        operation: Operation,
        mine: Result<Kept, Error>,
    ) -> Result<Arc<Vec<Kept>>, Error> {
        let failed = |why| Error::Collective {
            operation: operation.name(),
            why,
        };
        let mut meeting = lock(&self.shared.meeting);
        let number = meeting.number;
        meeting.came[self.rank] = Some((operation, mine));
        if meeting.came.iter().all(Option::is_some) {
            meeting.conclude();
            self.shared.changed.notify_all();
        }
        while meeting.number == number {
            if let Some(gone) = meeting.gone.first().copied() {
                meeting.came[self.rank] = None;
                return Err(failed(format!("rank {gone} is gone")));
            }
            let woken = self.shared.changed.wait(meeting);
            meeting = woken.unwrap_or_else(PoisonError::into_inner);
        }
        // The next one ends only when this rank has come to it.
        meeting
            .result
            .clone()
            .expect("it has ended")
            .map_err(failed)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        lock(&self.shared.meeting).gone.push(self.rank);
        self.shared.changed.notify_all();
    }
}

impl Collective for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_reduce(&self, values: Values<'_>, op: Op) -> Result<(), Error> {
        let all = self.meet(Operation::AllReduce(op), &values)?;
        all[0].copy_to(0..values.len(), values);
        Ok(())
    }

    fn all_gather(&self, mine: Values<'_>, mut all: Values<'_>) -> Result<(), Error> {
        let len = mine.len();
        for (rank, of) in self.meet(Operation::AllGather, &mine)?.iter().enumerate() {
            of.copy_to(0..len, all.reborrow().range(rank * len..(rank + 1) * len));
        }
        Ok(())
    }

    fn all_to_all(&self, mine: Values<'_>, mut theirs: Values<'_>) -> Result<(), Error> {
        let len = mine.len() / self.size;
        let here = self.rank * len..(self.rank + 1) * len;
        for (rank, of) in self.meet(Operation::AllToAll, &mine)?.iter().enumerate() {
            let there = rank * len..(rank + 1) * len;
            of.copy_to(here.clone(), theirs.reborrow().range(there));
        }
        Ok(())
    }

    fn broadcast(&self, root: usize, values: Values<'_>) -> Result<(), Error> {
        let all = self.meet(Operation::Broadcast(root), &values)?;
        all[root].copy_to(0..values.len(), values);
        Ok(())
    }

    /// So that what runs over threads goes the way it would over a network that reaches into devices. Here they come to the host and back.
    fn combines_on_device(&self, _: Device, _: &Values<'_>, _: Op) -> bool {
        true
    }

    fn all_reduce_on_device(&self, values: DeviceValues<'_>, op: Op) -> Result<(), Error> {
        let operation = Operation::AllReduce(op);
        let all = self.meet_with(operation, values.read())?;
        values.write(&all[0]).map_err(|error| Error::Collective {
            operation: operation.name(),
            why: error.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each of so many ranks does, at the same time.
    fn each<R: Send>(ranks: usize, does: impl Fn(&Thread) -> R + Sync) -> Vec<R> {
        std::thread::scope(|scope| {
            let threads = threads(ranks).into_iter();
            let does = &does;
            let threads: Vec<_> = threads
                .map(|rank| scope.spawn(move || does(&rank)))
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        })
    }

    #[test]
    fn operations_do_what_their_names_say() {
        let all = each(3, |ranks| {
            let me = ranks.rank() as u16;
            let (mut sum, mut gathered) = ([me, 1], [0; 6]);
            ranks.all_reduce(Values::U16(&mut sum), Op::Add).unwrap();
            ranks
                .all_gather(Values::U16(&mut [me, 9]), Values::U16(&mut gathered))
                .unwrap();
            let mut mine = [0, 1, 2].map(|to| 10 * me + to);
            let mut theirs = [0; 3];
            ranks
                .all_to_all(Values::U16(&mut mine), Values::U16(&mut theirs))
                .unwrap();
            let mut told = [me];
            ranks.broadcast(1, Values::U16(&mut told)).unwrap();
            (sum, gathered, theirs, told)
        });
        for (me, of) in all.into_iter().enumerate() {
            let theirs = [0, 10, 20].map(|from| from + me as u16);
            assert_eq!(of, ([3, 3], [0, 9, 1, 9, 2, 9], theirs, [1]));
        }
    }

    #[test]
    fn different_operations_are_an_error_for_all_and_the_next_one_works() {
        for other in 0..3 {
            let all = each(3, |ranks| {
                let mut number = [1u8];
                let different = match ranks.rank() == other {
                    true => ranks.broadcast(0, Values::U8(&mut number)),
                    false => ranks.all_reduce(Values::U8(&mut number), Op::Add),
                };
                let next = ranks.all_reduce(Values::U8(&mut number), Op::Add);
                (different, next, number)
            });
            for (different, next, number) in all {
                assert!(matches!(different, Err(Error::Collective { .. })));
                assert_eq!((next, number), (Ok(()), [3]));
            }
        }
    }

    #[test]
    fn nobody_waits_for_a_rank_that_is_gone() {
        for gone in 0..4 {
            let all = each(4, |ranks| {
                let mut number = [1u8];
                let first = ranks.all_reduce(Values::U8(&mut number), Op::Add);
                if ranks.rank() == gone {
                    return (first, None);
                }
                let next = ranks.all_reduce(Values::U8(&mut number), Op::Add);
                (first, Some(next))
            });
            for (first, next) in all {
                assert_eq!(first, Ok(()));
                let why = format!("rank {gone} is gone");
                let operation = "all-reduce";
                let error = Error::Collective { operation, why };
                assert!(next.is_none_or(|next| next == Err(error)));
            }
        }
    }
}
