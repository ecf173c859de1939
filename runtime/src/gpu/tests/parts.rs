//! Parts of resident arrays on devices that fail: what is current where, and the room that parts have.

use super::pieces::REACHING;
use super::*;
use crate::base::stats::stats;
use crate::device::argument::{Exclusive, Shared};
use crate::device::queue::Queue;
use crate::device::residence::{Lent, Written};
use crate::device::resident::Resident;
use crate::gpu::array::Memory;

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
    fn count(&mut self, members: &[Arc<Context>], of: &Loop) -> Result<(), Error> {
        let [keys, ones] = [&self.keys, &self.ones].map(|a| Array::shared(&Shared::from(a)));
        let bins = &mut Exclusive::from(&mut self.bins);
        let (arrays, bins) = ([keys, ones, Array::length(3)], &mut [Bins::exclusive(bins)]);
        let done = of.divide_over(members, &[600], &arrays, bins, &[], REACHING);
        done.expect("nothing keeps it from being divided")
    }
}

/// Lets the `k`th of something fail on the second of two devices, until nothing does any more, with parts that are there already or
/// are not.
fn each(
    set: impl Fn(&Faults, u64),
    count: impl Fn(&Faults) -> u64,
    end: impl Fn(&Faults),
) -> [u64; 2] {
    let of = histogram(Op::Add, Strategy::GangShared);
    [false, true].map(|warm| {
        for k in 0..60 {
            let [(first, _), (second, faults)] = [(); 2].map(|()| faulty(Faults::default()));
            let members = [first, second];
            let (mut all, mut expected) = (arrays(), 7);
            if warm {
                all.count(&members, &of).unwrap();
                expected += 200;
            }
            let from = count(&faults);
            set(&faults, from + k);
            let done = all.count(&members, &of);
            let reached = count(&faults) > from + k;
            end(&faults);
            match &done {
                Ok(()) => expected += 200,
                Err(Error::OnDevice { device, .. }) => {
                    assert!(device.starts_with("device 1 ("), "{device}");
                }
                Err(e) => panic!("{k}: {e}"),
            }
            assert_eq!(all.bins.host(), [expected; 3], "{warm} {k}: {done:?}");
            all.count(&members, &of).unwrap();
            assert_eq!(all.bins.host(), [expected + 200; 3], "after {warm} {k}");
            let before = stats();
            all.count(&members, &of).unwrap();
            assert_eq!((stats() - before).uploads, 0, "after {warm} {k}");
            if !reached {
                assert!(done.is_ok(), "{warm} {k}: {done:?}");
                return k;
            }
        }
        panic!("there is no end");
    })
}

#[test]
fn a_device_that_fails_leaves_bins_and_the_next_call_right() {
    let copies = each(
        |faults, k| faults.copy.store(k, SeqCst),
        |faults| faults.copies.load(SeqCst),
        |faults| faults.copy.store(u64::MAX, SeqCst),
    );
    // The keys and ones there, bins back.
    assert!(copies[0] >= 3 && copies[1] >= 1, "{copies:?}");
    let launches = each(
        |faults, k| faults.launch.store(k, SeqCst),
        |faults| faults.launches.load(SeqCst),
        |faults| faults.launch.store(u64::MAX, SeqCst),
    );
    assert!(launches.iter().all(|n| *n >= 1), "{launches:?}");
}

#[test]
fn where_there_is_no_memory_parts_come_and_go() {
    let of = histogram(Op::Add, Strategy::GangShared);
    for k in 0..12 {
        let [(first, _), (second, faults)] = [(); 2].map(|()| faulty(Faults::default()));
        let members = [first, second];
        let mut all = arrays();
        faults.allocation.store(k, SeqCst);
        let done = all.count(&members, &of);
        faults.allocation.store(u64::MAX, SeqCst);
        assert!(done.is_ok(), "{k}: {done:?}");
        assert_eq!(all.bins.host(), [207; 3], "{k}");
    }
}

/// The memory of a resident array of `u32`.
fn lent(array: &Resident<u32>) -> Lent<'_> {
    match Array::shared(&Shared::from(array)).memory {
        Memory::Resident(all, 0) => all,
        _ => unreachable!("it is resident"),
    }
}

/// A call that writes a value to elements of an array on a device.
fn write(
    array: &Resident<u32>,
    queue: &Arc<Queue>,
    elements: std::ops::Range<u64>,
    value: u32,
) -> Written {
    let all = lent(array);
    let range = elements.start * 4..elements.end * 4;
    let (memory, origin) = all.to_device(queue, &range).unwrap();
    let values = vec![value; (elements.end - elements.start) as usize];
    let at = origin.offset(range.start).0 - memory.ptr().0;
    // SAFETY: the elements lie in the memory, and nobody uses it.
    unsafe {
        memory
            .fill(queue, at, values.as_ptr().cast(), range.end - range.start)
            .unwrap();
    }
    all.device_is_newer(&queue.context, &range)
}

/// All of an array, as a device has it.
fn on_device(array: &Resident<u32>, queue: &Arc<Queue>) -> Vec<u32> {
    let (memory, origin) = lent(array).to_device(queue, &lent(array).whole()).unwrap();
    let mut all = vec![0; array.len()];
    // SAFETY: there is room for all of it.
    unsafe {
        memory
            .read(origin, all.as_mut_ptr().cast(), lent(array).whole().end)
            .unwrap();
    }
    all
}

#[test]
fn a_part_that_grows_keeps_what_is_there() {
    for short in [false, true] {
        let (context, faults) = faulty(Faults::default());
        let queue = Queue::new(&context).unwrap();
        let array: Resident<u32> = (0..1000).collect();
        write(&array, &queue, 300..700, 5).keep();
        let held = faults.held.load(SeqCst);
        assert!((1600..1600 + 256).contains(&held), "{held}");
        // There is room for the part or the whole, but not for both.
        faults
            .capacity
            .store(if short { 4100 } else { u64::MAX }, SeqCst);
        let before = stats();
        let found = on_device(&array, &queue);
        let moved = stats() - before;
        let expected: Vec<u32> = (0..1000)
            .map(|i| if (300..700).contains(&i) { 5 } else { i })
            .collect();
        assert_eq!(found, expected);
        match short {
            true => assert_eq!(
                (moved.downloaded_bytes - 4000, moved.uploaded_bytes),
                (1600, 4000)
            ),
            false => assert_eq!(
                (moved.downloaded_bytes - 4000, moved.uploaded_bytes),
                (0, 2400)
            ),
        }
        assert_eq!(faults.held.load(SeqCst), 4000);
        assert_eq!(array.host(), expected);
    }
}

#[test]
fn a_write_that_fails_counts_where_the_host_had_nothing_newer() {
    let queues = [(); 2].map(|()| Queue::new(&faulty(Faults::default()).0).unwrap());
    let array: Resident<u32> = (0..1000).collect();
    write(&array, &queues[0], 0..400, 5).keep();
    assert_eq!(
        on_device(&array, &queues[1])[..401],
        [vec![5; 400], vec![400]].concat()
    );
    write(&array, &queues[0], 100..200, 6).keep();
    // The host has what comes behind 200 elements, and what came before them by the second device's question.
    drop(write(&array, &queues[0], 150..600, 7));
    let expected = |i: u32| match i {
        100..150 => 6,
        150..200 => 7,
        0..400 => 5,
        other => other,
    };
    let expected: Vec<u32> = (0..1000).map(expected).collect();
    assert_eq!(on_device(&array, &queues[1]), expected);
    assert_eq!(on_device(&array, &queues[0]), expected);
    assert_eq!(array.host(), expected);
}

#[test]
fn a_lost_device_takes_the_parts_that_only_it_had() {
    let [(first, lost), (second, _)] = [(); 2].map(|()| faulty(Faults::default()));
    let queues = [&first, &second].map(|c| Queue::new(c).unwrap());
    let mut array: Resident<u32> = (0..1000).collect();
    on_device(&array, &queues[0]);
    write(&array, &queues[1], 0..500, 5).keep();
    lost.lost.store(true, SeqCst);
    // It had nothing that nobody else has.
    assert_eq!(array.host()[499..501], [5, 500]);
    lost.lost.store(false, SeqCst);
    write(&array, &queues[0], 600..700, 6).keep();
    lost.lost.store(true, SeqCst);
    assert!(array.try_host().is_err());
    assert!(lent(&array).to_device(&queues[1], &(0..2500)).is_err());
    assert!(lent(&array).to_device(&queues[1], &(0..2400)).is_ok());
    array = Resident::from(vec![1; 10]);
    assert_eq!(on_device(&array, &queues[1]), [1; 10]);
}
