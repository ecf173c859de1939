//! Devices that fail in the middle of a call that runs in pieces, or that several share.

use super::*;
use crate::base::budget::with_memory;
use crate::cpu::guard::{Form, Guard};
use crate::gpu::reach::{Reach, Reaching};

/// Iteration `i` reads `keys[i]` and `weights[i]`, of as many as the parameter says.
const EACH: &[Form<'static>] = &[Form(&[(0, &[(1, &[])])], &[])];
static SCATTER: Reach<'static> = Reach {
    guard: Guard {
        extents: &[&[Form(&[], &[(1, &[0])])]],
        within: &[],
        conditions: &[],
    },
    arrays: &[(0, EACH, true), (1, EACH, true)],
};
pub(super) const REACHING: Reaching<'static> = (&SCATTER, &[600]);

fn keys() -> (Vec<u32>, Vec<u32>) {
    ((0..600).map(|i| i % 3).collect(), vec![1; 600])
}

/// Counts 600 keys in seven pieces.
fn pieced(context: &Arc<Context>, of: &Loop, bins: &mut [u32]) -> Result<(), Error> {
    let (keys, ones) = keys();
    let arrays = [
        Array::host(&keys),
        Array::host(&ones),
        Array::length(bins.len()),
    ];
    let target = &mut [Bins::host(bins)];
    with_memory(4000, || {
        of.call(context, &[600], &arrays, target, &[], REACHING)
    })
}

fn divided(
    members: &[Arc<Context>],
    of: &Loop,
    keys: &[u32],
    bins: &mut [u32],
) -> Result<(), Error> {
    let ones = vec![1; keys.len()];
    let arrays = [
        Array::host(keys),
        Array::host(&ones),
        Array::length(bins.len()),
    ];
    let target = &mut [Bins::host(bins)];
    let done = of.divide_over(members, &[600], &arrays, target, &[], REACHING);
    done.expect("nothing keeps it from being divided")
}

/// Lets the `k`th of something fail, until nothing does any more; bins are as before or complete, and the next call works.
fn each_failure(
    what: &str,
    at: impl Fn(&Faults) -> &std::sync::atomic::AtomicU64,
    run: impl Fn(&Arc<Context>, &Loop, &mut [u32]) -> Result<(), Error>,
) -> u64 {
    let of = histogram(Op::Add, Strategy::GangShared);
    for k in 0..400 {
        let (context, faults) = faulty(Faults::default());
        at(&faults).store(k, SeqCst);
        let mut bins = [7u32; 3];
        let done = run(&context, &of, &mut bins);
        match &done {
            Ok(()) => assert_eq!(bins, [207; 3], "{what} {k}"),
            Err(e) => {
                assert!(e.is_machine(), "{what} {k}: {e}");
                assert_eq!(bins, [7; 3], "{what} {k}");
            }
        }
        let failed = at(&faults).swap(u64::MAX, SeqCst) == u64::MAX || done.is_err();
        let reached = match what {
            "allocation" => faults.allocations.load(SeqCst) > k,
            "copy" => faults.copies.load(SeqCst) > k,
            _ => faults.launches.load(SeqCst) > k,
        };
        if !reached {
            assert!(!failed, "{what} {k}");
            return k;
        }
        faults.lost.store(false, SeqCst);
        let mut bins = [7u32; 3];
        run(&context, &of, &mut bins).unwrap();
        assert_eq!(bins, [207; 3], "after {what} {k}");
    }
    panic!("a call does not {what} 400 times");
}

#[test]
fn a_piece_that_fails_leaves_bins_alone() {
    // Seven pieces, of two copies and a launch each, and what is around them.
    assert!(each_failure("copy", |f| &f.copy, pieced) > 14);
    assert!(each_failure("launch", |f| &f.launch, pieced) >= 7);
    assert!(each_failure("allocation", |f| &f.allocation, pieced) > 5);
}

#[test]
fn no_room_for_all_is_room_for_pieces() {
    let of = histogram(Op::Add, Strategy::GangShared);
    let (context, faults) = faulty(Faults::default());
    // All of it needs 16 KiB for a stream's records and 96 KB for data. Pieces have two streams, and less data.
    faults.capacity.store(100_000, SeqCst);
    let (keys, ones) = keys();
    let (keys, ones) = (keys.repeat(20), ones.repeat(20));
    let arrays = [Array::host(&keys), Array::host(&ones), Array::length(3)];
    for reaching in [REACHING, Reach::UNKNOWN] {
        let mut bins = [7u32; 3];
        let target = &mut [Bins::host(&mut bins)];
        // Nobody has said how much there is: an allocation finds out.
        let done = of.call(&context, &[12_000], &arrays, target, &[], reaching);
        match reaching.1.is_empty() {
            false => {
                done.unwrap();
                assert_eq!(bins, [4007; 3]);
            }
            true => {
                assert!(matches!(done, Err(Error::OutOfMemory { .. })), "{done:?}");
                assert_eq!(bins, [7; 3]);
            }
        }
    }
}

#[test]
fn one_failing_device_is_named_and_bins_are_as_before() {
    let of = histogram(Op::Add, Strategy::GangShared);
    let (keys, _) = keys();
    for bad in 0..3 {
        for kind in 0..3 {
            let members: Vec<_> = (0..3).map(|_| faulty(Faults::default())).collect();
            let contexts: Vec<_> = members.iter().map(|(c, _)| Arc::clone(c)).collect();
            let faults = &members[bad].1;
            let at = [&faults.copy, &faults.launch, &faults.abort][kind];
            at.store(0, SeqCst);
            let mut bins = [7u32; 3];
            let error = divided(&contexts, &of, &keys, &mut bins).unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, Error::OnDevice { .. }), "{text}");
            assert!(text.starts_with(&format!("device {bad} (")), "{text}");
            assert!(error.is_machine());
            assert_eq!(bins, [7; 3]);
            // Without the fault all is well.
            at.store(u64::MAX, SeqCst);
            faults.aborted.store(false, SeqCst);
            divided(&contexts, &of, &keys, &mut bins).unwrap();
            assert_eq!(bins, [207; 3]);
        }
    }
}

#[test]
fn a_fault_of_the_loop_is_the_earliest_of_all_devices() {
    let of = histogram(Op::Add, Strategy::GangShared);
    let contexts: Vec<_> = (0..3).map(|_| faulty(Faults::default()).0).collect();
    let (mut keys, _) = keys();
    for (at, key) in [(590, 9), (450, 8), (250, 6), (210, 5), (30, 4)] {
        keys[at] = key;
        let mut bins = [7u32; 3];
        let error = divided(&contexts, &of, &keys, &mut bins).unwrap_err();
        // The test's loop tells no more of its faults than the iteration.
        assert!(
            matches!(error, Error::Panicked { iteration, .. } if iteration == Some(at as u64)),
            "{error}"
        );
        assert_eq!(bins, [7; 3]);
    }
}
