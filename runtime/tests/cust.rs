//! Buffers of cust's in calls, and ours for it. It needs a GPU, and a CUDA installation to build:
//! `cargo test -p accrue-runtime --features cust --test cust -- --ignored`.

use accrue::{Device, DeviceBuffer, Stream, interop, offload};
use cust::memory::{CopyDestination, DeviceBuffer as CustBuffer};
use cust::stream::{Stream as CustStream, StreamFlags};

#[offload(histogram)]
fn count(keys: &[u32], bins: &mut [u32]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

#[test]
#[ignore = "needs a GPU"]
fn calls_use_the_buffers_where_they_are() {
    let _context = cust::quick_init().unwrap();
    let theirs = CustStream::new(StreamFlags::NON_BLOCKING, None).unwrap();
    let ours = Stream::on(Device::Cuda(0)).unwrap();
    let len = 1 << 24;
    let keys = CustBuffer::from_slice(&vec![2u32; len]).unwrap();
    let mut bins = CustBuffer::from_slice(&[0u32; 4]).unwrap();
    for _ in 0..3 {
        // SAFETY: both are used on this stream, by nobody meanwhile.
        let memory = unsafe {
            (
                interop::cust(&keys, &theirs),
                interop::cust_mut(&mut bins, &theirs),
            )
        };
        interop::lend(memory, |(keys, bins)| count::on_stream(&ours, keys, bins)).unwrap();
    }
    theirs.synchronize().unwrap();
    let mut counted = [0; 4];
    bins.copy_to(&mut counted).unwrap();
    assert_eq!(counted, [0, 0, 3 * len as u32, 0]);
    // Out: the address of a buffer of ours, after the call that writes it.
    let keys = DeviceBuffer::from_slice_on(&ours, &vec![1u32; len]).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&ours, 4).unwrap();
    count::on_stream(&ours, &keys, &mut bins).unwrap();
    let view = bins.as_slice();
    view.with_cust(&theirs, |at| {
        theirs.synchronize().unwrap();
        // SAFETY: four numbers lie there.
        let four = unsafe { cust::memory::DeviceSlice::from_raw_parts(at, 4) };
        four.copy_to(&mut counted).unwrap();
    })
    .unwrap();
    assert_eq!(counted, [0, len as u32, 0, 0]);
    ours.sync().unwrap();
}
