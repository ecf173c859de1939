//! Resident arrays in calls that fail below: they hold what they held, or what the call was to write, and the next call is right.

use super::*;
use crate::base::stats::stats;
use crate::device::argument::{Exclusive, Shared};
use crate::device::resident::Resident;

/// Arrays of 600 keys, of which each of 3 bins gets 200.
struct Arrays {
    keys: Resident<u32>,
    ones: Resident<u32>,
    bins: Resident<u32>,
}

fn arrays() -> Arrays {
    Arrays {
        keys: (0..600).map(|i| i % 3).collect(),
        ones: Resident::from(vec![1; 600]),
        bins: Resident::from(vec![7; 3]),
    }
}

impl Arrays {
    fn count(&mut self, context: &Arc<Context>, of: &Loop) -> Result<(), Error> {
        let read = [&self.keys, &self.ones].map(|a| Array::shared(&Shared::from(a)));
        of.call(
            context,
            &[600],
            &[read[0], read[1], Array::length(3)],
            &mut [Bins::exclusive(&mut Exclusive::from(&mut self.bins))],
            &[],
            Reach::UNKNOWN,
        )
    }
}

/// Calls with something that fails: the first with all on the host, the second with bins of which the device's copy is the newer
/// one. `set` sets the fault by its number, `end` takes it away. Returns how many numbers there were.
fn each(
    set: impl Fn(&Faults, u64),
    end: impl Fn(&Faults),
    count: impl Fn(&Faults) -> u64,
) -> (u64, u64) {
    let of = histogram(Op::Add, Strategy::GangShared);
    let run = |warm: bool| {
        for k in 0..40 {
            let (context, faults) = faulty(Faults::default());
            let mut all = arrays();
            let mut expected = 7;
            if warm {
                all.count(&context, &of).unwrap();
                expected += 200;
            }
            set(&faults, count(&faults) + k);
            let done = all.count(&context, &of);
            end(&faults);
            if done.is_ok() {
                assert_eq!(all.bins.host(), [expected + 200; 3], "{k}");
                return k;
            }
            // Before its result is known, a call that has updated bins on the device has done so.
            match warm && all.bins.host()[0] == expected + 200 {
                true => expected += 200,
                false => assert_eq!(all.bins.host(), [expected; 3], "{k}"),
            }
            all.count(&context, &of).unwrap();
            assert_eq!(all.bins.host(), [expected + 200; 3], "after {k}");
            assert_eq!(all.keys.host()[..3], [0, 1, 2]);
        }
        panic!("there is no end");
    };
    (run(false), run(true))
}

#[test]
fn no_memory_at_any_allocation() {
    let found = each(
        |faults, k| {
            faults.allocation.store(k, SeqCst);
            // Nor when the stream has given up what it kept.
            faults.shortage.store(1, SeqCst);
        },
        |faults| faults.allocation.store(u64::MAX, SeqCst),
        |faults| faults.allocations.load(SeqCst),
    );
    assert!(found.0 >= 4, "{found:?}");
}

#[test]
fn a_copy_that_fails() {
    let found = each(
        |faults, k| faults.copy.store(k, SeqCst),
        |faults| faults.copy.store(u64::MAX, SeqCst),
        |faults| faults.copies.load(SeqCst),
    );
    assert!(found.0 >= 4 && found.1 >= 1, "{found:?}");
}

#[test]
fn a_launch_that_is_refused() {
    let found = each(
        |faults, k| faults.launch.store(k, SeqCst),
        |faults| faults.launch.store(u64::MAX, SeqCst),
        |faults| faults.launches.load(SeqCst),
    );
    assert!(found.0 >= 1 && found.1 >= 1, "{found:?}");
}

#[test]
fn bringing_back_may_fail_and_be_done_again() {
    let of = histogram(Op::Add, Strategy::GangShared);
    let (context, faults) = faulty(Faults::default());
    let mut all = arrays();
    all.count(&context, &of).unwrap();
    faults.copy.store(faults.copies.load(SeqCst), SeqCst);
    assert!(all.bins.try_host().is_err());
    assert!(all.bins.try_host_mut().is_ok());
    assert_eq!(all.bins.host(), [207; 3]);
}

#[test]
fn another_device_gets_them_through_the_host() {
    let of = histogram(Op::Add, Strategy::GangShared);
    let [(first, here), (second, _)] = [(); 2].map(|()| faulty(Faults::default()));
    let mut all = arrays();
    all.count(&first, &of).unwrap();
    let before = stats();
    all.count(&second, &of).unwrap();
    let moved = stats() - before;
    // The keys and ones are as they were on the host.
    assert_eq!((moved.downloads, moved.uploads), (1, 3));
    all.count(&second, &of).unwrap();
    assert_eq!(all.bins.host(), [607; 3]);
    // The first has none of their memory any more, but what its streams keep.
    drop(all);
    first.reclaim();
    assert_eq!(here.held.load(SeqCst), 0);
}

#[test]
fn a_lost_device_takes_what_only_it_had() {
    let of = histogram(Op::Add, Strategy::GangGlobal);
    let (context, faults) = faulty(Faults::default());
    let (mut current, mut newer) = (arrays(), arrays());
    newer.count(&context, &of).unwrap();
    faults.fatal.store(true, SeqCst);
    faults.abort.store(faults.launches.load(SeqCst), SeqCst);
    assert!(current.count(&context, &of).is_err());
    assert!(context.backend.is_lost());
    assert!(newer.count(&context, &of).is_err());
    assert!(newer.bins.try_host().unwrap_err().is_machine());
    // What the host has is as before, and goes to the device that is opened next.
    assert_eq!(current.bins.host(), [7; 3]);
    let (context, _) = faulty(Faults::default());
    current.count(&context, &of).unwrap();
    assert_eq!(current.bins.host(), [207; 3]);
    assert!(newer.count(&context, &of).is_err());
    newer.bins = Resident::from(vec![1; 3]);
    newer.count(&context, &of).unwrap();
    assert_eq!(newer.bins.host(), [201; 3]);
}

#[test]
fn memory_is_given_back_with_the_array_and_when_the_host_writes() {
    let of = histogram(Op::Add, Strategy::GangShared);
    let (context, faults) = faulty(Faults::default());
    let mut all = arrays();
    all.count(&context, &of).unwrap();
    let held = faults.held.load(SeqCst);
    all.keys.host_mut()[0] = 1;
    assert_eq!(faults.held.load(SeqCst), held - 2400);
    drop(all);
    assert_eq!(faults.held.load(SeqCst), held - 2 * 2400 - 12);
}
