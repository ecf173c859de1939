//! Which stream waits for which, as the device is asked.

use super::*;
use crate::base::lock::lock;
use crate::device::backend::faulty::{Faults, Faulty};
use crate::device::backend::sim::Simulated;
use crate::device::buffer::DeviceBuffer;
use crate::device::queue::Stream;

/// The other library's stream.
const THEIRS: u64 = 7;

/// A device, two streams of ours, of the numbers 0 and 1, and what the device is asked to do.
fn device() -> (Arc<Context>, [Stream; 2], Arc<Faults>) {
    let faults = Arc::new(Faults::default());
    let sim = Simulated::with(ptx_sim::Limits::default(), 11);
    let faulty = Faulty::new(Box::new(sim), Arc::clone(&faults));
    let context = Arc::new(Context::over(Box::new(faulty)));
    let streams = [(); 2].map(|()| Stream::over(&context).unwrap());
    (context, streams, faults)
}

/// What the device was asked to do since the last time, with the stream.
fn asked(faults: &Faults) -> Vec<(&'static str, u64)> {
    std::mem::take(&mut lock(&faults.trace))
}

/// `later` waits for what `earlier` has been given.
fn waits(later: u64, earlier: u64) -> [(&'static str, u64); 2] {
    [("record", earlier), ("wait", later)]
}

/// Somebody else's memory, lent.
fn lent(context: &Arc<Context>, buffer: &DeviceBuffer<u32>) -> Held<u32, ()> {
    let place = Place {
        device: Device::Sim,
        ptr: buffer.as_slice().ptr().0,
        len: buffer.len(),
        stream: THEIRS,
    };
    Held::of(context, place, ())
}

#[test]
fn calls_come_after_what_the_owner_has_queued_and_before_what_it_queues() {
    let (context, [first, second], faults) = device();
    let theirs = DeviceBuffer::from_slice_on(&first, &[1u32, 2]).unwrap();
    asked(&faults);
    let mut held = lent(&context, &theirs);
    for _ in 0..2 {
        for reader in [&first, &second] {
            let memory = held.elements().memory();
            memory.claim_to_read(&reader.0, "keys").unwrap();
        }
    }
    assert_eq!(
        asked(&faults),
        [waits(0, THEIRS), waits(1, THEIRS)].concat()
    );
    drop(held);
    assert_eq!(
        asked(&faults),
        [waits(THEIRS, 0), waits(THEIRS, 1)].concat()
    );
    let mut held = lent(&context, &theirs);
    let memory = held.elements_mut().into_view().memory();
    memory.claim_to_write(&second.0, "bins").unwrap();
    memory.claim_to_read(&first.0, "bins").unwrap();
    assert_eq!(asked(&faults), [waits(1, THEIRS), waits(0, 1)].concat());
    drop(held);
    assert_eq!(
        asked(&faults),
        [waits(THEIRS, 1), waits(THEIRS, 0)].concat()
    );
}

#[test]
fn what_is_lent_is_not_freed_and_is_ordered_even_after_a_panic() {
    let (context, [first, second], faults) = device();
    let theirs = DeviceBuffer::from_slice_on(&first, &[1u32, 2]).unwrap();
    asked(&faults);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut held = lent(&context, &theirs);
        let memory = held.elements_mut().into_view().memory();
        memory.claim_to_write(&second.0, "bins").unwrap();
        panic!("of a call");
    }));
    assert!(panicked.is_err());
    assert_eq!(
        asked(&faults),
        [waits(1, THEIRS), waits(THEIRS, 1)].concat()
    );
    assert_eq!(theirs.to_vec().unwrap(), [1, 2]);
}

#[test]
fn others_use_a_buffer_after_what_is_queued_and_before_what_will_be() {
    let (_, [first, second], faults) = device();
    let mut ours = DeviceBuffer::from_slice_on(&first, &[1u32, 2]).unwrap();
    ours.as_slice()
        .memory()
        .claim_to_read(&second.0, "ours")
        .unwrap();
    asked(&faults);
    let stream = THEIRS as *mut c_void;
    let at = ours.as_slice().ptr().0;
    // SAFETY: nothing is queued; only the order of the streams is looked at.
    let there = unsafe { ours.as_slice().with_raw(stream, |ptr| ptr) };
    assert_eq!(there.unwrap(), at);
    assert_eq!(
        asked(&faults),
        [waits(THEIRS, 0), waits(0, THEIRS)].concat()
    );
    // Who writes comes after those that read, too.
    let mut part = ours.slice_mut(1..).unwrap();
    // SAFETY: as above.
    let there = unsafe { part.with_raw(stream, |ptr| ptr) };
    assert_eq!(there.unwrap(), at + 4);
    let expected = [waits(THEIRS, 0), waits(THEIRS, 1), waits(0, THEIRS)];
    assert_eq!(asked(&faults), expected.concat());
}
