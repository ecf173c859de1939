//! Arrays of cudarc's in calls, and buffers in cudarc's copies. Each needs a GPU:
//! `cargo test -p accrue-runtime --features cudarc --test cudarc -- --ignored`.

use accrue::{Device, DeviceBuffer, Stream, interop::lend, offload, stats, with_device};
use cudarc::driver::{CudaContext, CudaSlice};

#[offload(histogram)]
fn count(keys: &[u32], bins: &mut [u32]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

#[offload]
fn doubled(xs: &[u32], out: &mut [u32]) {
    for i in 0..out.len() {
        out[i] = xs[i] * 2;
    }
}

#[offload]
fn total(xs: &[u32]) -> u64 {
    let mut sum = 0u64;
    for &x in xs {
        sum += u64::from(x);
    }
    sum
}

/// Long enough for work on two streams to overlap where nothing orders it.
const LEN: usize = 1 << 24;

#[test]
#[ignore = "needs a GPU"]
fn calls_use_arrays_where_they_are_and_in_the_order_of_all_streams() {
    let context = CudaContext::new(0).unwrap();
    let (theirs, other) = (context.new_stream().unwrap(), context.new_stream().unwrap());
    let ours = Stream::on(Device::Cuda(0)).unwrap();
    let mut keys: CudaSlice<u32> = theirs.alloc_zeros(LEN).unwrap();
    let mut bins: CudaSlice<u32> = theirs.alloc_zeros(8).unwrap();
    let rounds: Vec<Vec<u32>> = (0..6).map(|round| vec![round; LEN]).collect();
    let before = stats();
    for keys_now in &rounds {
        // Written by one of their streams, read by ours, written again while ours may be reading.
        other.memcpy_htod(keys_now, &mut keys).unwrap();
        lend((&keys, &mut bins), |(keys, bins)| {
            count::on_stream(&ours, keys, bins)
        })
        .unwrap();
    }
    let counted = theirs.clone_dtoh(&bins).unwrap();
    assert_eq!(
        counted,
        [LEN as u32; 6]
            .into_iter()
            .chain([0, 0])
            .collect::<Vec<_>>()
    );
    let moved = stats() - before;
    assert_eq!((moved.uploads, moved.downloads), (0, 0));
    ours.sync().unwrap();
}

#[test]
#[ignore = "needs a GPU"]
fn views_are_lent_and_results_come_back() {
    let context = CudaContext::new(0).unwrap();
    let theirs = context.default_stream();
    let xs = theirs
        .clone_htod(&(0..LEN as u32).collect::<Vec<_>>())
        .unwrap();
    let mut out: CudaSlice<u32> = theirs.alloc_zeros(LEN).unwrap();
    let sum = with_device(Device::Cuda(0), || {
        let mut half = out.slice_mut(LEN / 2..);
        lend((&xs.slice(..LEN / 2), &mut half), |(xs, out)| {
            doubled::on(xs, out)
        })?;
        lend(&xs.slice(10..20), |xs| total::on(xs))
    });
    assert_eq!(sum.unwrap(), (10..20).sum::<u64>());
    let out = theirs.clone_dtoh(&out).unwrap();
    let expected = |i: usize| match i.checked_sub(LEN / 2) {
        Some(i) => 2 * i as u32,
        None => 0,
    };
    assert!((0..LEN).all(|i| out[i] == expected(i)));
}

#[test]
#[ignore = "needs a GPU"]
fn cudarc_uses_buffers_in_the_order_of_calls() {
    let context = CudaContext::new(0).unwrap();
    let theirs = context.new_stream().unwrap();
    let ours = Stream::on(Device::Cuda(0)).unwrap();
    let xs = DeviceBuffer::from_slice_on(&ours, &vec![3u32; LEN]).unwrap();
    let mut out = DeviceBuffer::<u32>::zeroed_on(&ours, LEN).unwrap();
    for round in 0..4 {
        doubled::on_stream(&ours, &xs, &mut out).unwrap();
        let read = out
            .as_slice()
            .with_cudarc(&theirs, |view| theirs.clone_dtoh(&view).unwrap());
        assert!(read.unwrap().iter().all(|&x| x == 6), "round {round}");
        // Overwritten by theirs, and by our next call after that.
        let mut part = out.slice_mut(LEN / 2..).unwrap();
        part.with_cudarc(&theirs, |mut view| theirs.memset_zeros(&mut view).unwrap())
            .unwrap();
        let half = out.to_vec().unwrap();
        assert!(half[..LEN / 2].iter().all(|&x| x == 6) && half[LEN / 2..].iter().all(|&x| x == 0));
    }
}

#[test]
#[ignore = "needs a GPU"]
fn a_fault_is_told_though_the_array_is_gone() {
    let context = CudaContext::new(0).unwrap();
    let theirs = context.default_stream();
    let ours = Stream::on(Device::Cuda(0)).unwrap();
    let mut bins = DeviceBuffer::from_slice_on(&ours, &[7u32; 4]).unwrap();
    let mut keys = vec![1u32; LEN];
    keys[LEN - 5] = 4;
    let array = theirs.clone_htod(&keys).unwrap();
    lend(&array, |keys| count::on_stream(&ours, keys, &mut bins)).unwrap();
    drop(array);
    let told = ours.sync().unwrap_err();
    assert!(told.to_string().contains(&(LEN - 5).to_string()), "{told}");
    assert_eq!(bins.to_vec().unwrap(), [7; 4]);
}
