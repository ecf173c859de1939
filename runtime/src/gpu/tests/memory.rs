//! Device memory that is short, and what is kept of it.

use super::*;
use crate::device::context::Context;

/// A device and the bytes that one call of a loop leaves with its stream.
fn kept_by(of: &Loop) -> (Arc<Context>, Arc<Faults>, u64) {
    let (context, faults) = faulty(Faults::default());
    let mut bins = [7u32; 3];
    run(&context, of, &mut bins).unwrap();
    let kept = faults.held.load(SeqCst);
    assert!(kept > 0);
    (context, faults, kept)
}

#[test]
fn idle_streams_give_up_what_they_keep_before_there_is_no_memory() {
    let of = histogram(Op::Add, Strategy::GangGlobal);
    let (context, faults, kept) = kept_by(&of);
    let stream = Stream::over(&context).unwrap();
    // The idle lane is the stream's now; another call leaves one more behind.
    let mut bins = [7u32; 3];
    run(&context, &of, &mut bins).unwrap();
    assert_eq!(faults.held.load(SeqCst), 2 * kept);
    drop(stream);
    assert_eq!(lock(&context.idle).len(), 2);
    // Room for a buffer, but for what the two keep.
    faults.capacity.store(100_000 + kept, SeqCst);
    let stream = Stream::over(&context).unwrap();
    let buffer = DeviceBuffer::<u8>::zeroed_on(&stream, 100_000).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), vec![0; 100_000]);
    drop((buffer, stream));
    run(&context, &of, &mut bins).unwrap();
    assert_eq!(bins, [407; 3]);
}

#[test]
fn a_stream_in_use_gives_up_what_it_keeps_itself() {
    let of = histogram(Op::Add, Strategy::GangSplit);
    let (context, faults) = faulty(Faults::default());
    let stream = Stream::over(&context).unwrap();
    let keys: Vec<u32> = (0..600).map(|i| i % 3).collect();
    let keys = DeviceBuffer::from_slice_on(&stream, &keys).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 3).unwrap();
    let before = faults.held.load(SeqCst);
    count_on(&stream, &of, &keys, &mut bins);
    let kept = faults.held.load(SeqCst) - before;
    faults.capacity.store(before + kept + 8, SeqCst);
    // For a buffer, with the call still pending.
    let large = DeviceBuffer::<u8>::zeroed_on(&stream, kept as usize).unwrap();
    drop(large);
    assert_eq!(faults.held.load(SeqCst), before);
    assert_eq!(bins.to_vec().unwrap(), [0, 200, 400]);
    // For another loop's scratch memory.
    count_on(&stream, &of, &keys, &mut bins);
    let [add, min] = [Op::Add, Op::Min].map(|op| histogram(op, Strategy::GangGlobal));
    count_on(&stream, &add, &keys, &mut bins);
    let now = faults.held.load(SeqCst);
    faults.capacity.store(now, SeqCst);
    count_on(&stream, &min, &keys, &mut bins);
    assert_eq!(bins.to_vec().unwrap(), [0, 1, 2]);
}

#[test]
fn a_failure_before_memory_was_short_is_still_reported() {
    let of = histogram(Op::Add, Strategy::AtomicGlobal);
    let (context, faults) = faulty(Faults::default());
    let stream = Stream::over(&context).unwrap();
    let keys = DeviceBuffer::from_slice_on(&stream, &[0u32; 600]).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 3).unwrap();
    faults.abort.store(0, SeqCst);
    count_on(&stream, &of, &keys, &mut bins);
    faults.capacity.store(faults.held.load(SeqCst), SeqCst);
    let small = DeviceBuffer::<u8>::zeroed_on(&stream, 16).unwrap();
    let error = stream.sync().unwrap_err();
    assert!(matches!(error, Error::Launch { .. }), "{error:?}");
    assert_eq!(small.to_vec().unwrap(), [0; 16]);
}

#[test]
fn measuring_copies_without_memory_leaves_no_stream_behind() {
    let (context, faults) = faulty(Faults::default());
    faults.capacity.store(0, SeqCst);
    let costs = kept::costs(&context);
    assert!(costs.upload > 0.0 && costs.download > 0.0);
    assert_eq!(faults.streams.load(SeqCst), 1);
    assert_eq!(faults.streams_ended.load(SeqCst), 1);
}

#[test]
fn a_panic_between_calls_costs_a_stream_no_more_than_its_memory() {
    let of = histogram(Op::Add, Strategy::GangGlobal);
    let (context, faults, kept) = kept_by(&of);
    let stream = Stream::over(&context).unwrap();
    let queue = Arc::clone(&stream.0);
    let panicked = std::thread::spawn(move || {
        let _lane = queue.lane();
        panic!("with a lane");
    });
    assert!(panicked.join().is_err());
    drop(stream);
    assert_eq!(lock(&context.idle).len(), 1, "the stream was lost");
    assert_eq!(faults.held.load(SeqCst), 0, "{kept} bytes were kept");
    let mut bins = [7u32; 3];
    run(&context, &of, &mut bins).unwrap();
    assert_eq!(bins, [207; 3]);
}
