//! Memory of others in calls. On the simulator a buffer is what another library has; on a GPU, arrays of cudarc's.

use accrue::{Device, DeviceBuffer, DeviceSliceMut, Error, Stream, interop, offload, with_device};
use interop::{RawSlice, RawSliceMut, lend};

#[offload(histogram)]
fn count(keys: &[u32], bins: &mut [u32]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

#[offload]
fn scale(xs: &[f32], by: f32, out: &mut [f32]) {
    for i in 0..out.len() {
        out[i] = xs[i] * by;
    }
}

/// What another library has: a buffer's memory, by its address.
fn theirs<'a, T: accrue::DeviceType>(of: &'a DeviceBuffer<T>) -> RawSlice<'a, T> {
    let stream = std::ptr::null_mut();
    // SAFETY: the buffer is borrowed, and nothing is queued on these devices.
    unsafe {
        let at = of.as_slice().with_raw(stream, |at| at).unwrap();
        RawSlice::from_raw_parts(of.device(), at, of.len(), stream)
    }
}

fn theirs_mut<'a, T: accrue::DeviceType>(of: &'a mut DeviceBuffer<T>) -> RawSliceMut<'a, T> {
    let (device, len, stream) = (of.device(), of.len(), std::ptr::null_mut());
    // SAFETY: as above.
    unsafe {
        let at = of.as_slice_mut().with_raw(stream, |at| at).unwrap();
        RawSliceMut::from_raw_parts(device, at, len, stream)
    }
}

fn devices() -> Vec<Device> {
    match cfg!(feature = "sim") {
        true => vec![Device::Cpu, Device::Sim],
        false => vec![Device::Cpu],
    }
}

#[test]
fn calls_use_the_memory_of_others_where_it_is() {
    for device in devices() {
        let stream = Stream::on(device).unwrap();
        let keys = DeviceBuffer::from_slice_on(&stream, &[3u32, 1, 3, 3, 0]).unwrap();
        let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 4).unwrap();
        for _ in 0..2 {
            let memory = (theirs(&keys), theirs_mut(&mut bins));
            lend(memory, |(keys, bins)| count::on_stream(&stream, keys, bins)).unwrap();
        }
        stream.sync().unwrap();
        assert_eq!(bins.to_vec().unwrap(), [2, 2, 0, 6], "{device}");
        // Parts of it, ours and the host's in one call.
        let xs = DeviceBuffer::from_slice_on(&stream, &[1.0f32, 2.0, 3.0]).unwrap();
        let mut out = [0.0; 2];
        with_device(device, || {
            lend(theirs(&xs), |xs| scale::on(xs.slice(1..)?, 2.0, &mut out))
        })
        .unwrap();
        assert_eq!(out, [4.0, 6.0], "{device}");
    }
}

#[test]
fn none_and_one_element_can_be_lent() {
    for device in devices() {
        let stream = Stream::on(device).unwrap();
        let mut bins = DeviceBuffer::from_slice_on(&stream, &[5u32, 6]).unwrap();
        let null = std::ptr::null_mut();
        // SAFETY: no element lies there.
        let none = unsafe { RawSlice::<u32>::from_raw_parts(device, 0, 0, null) };
        lend(none, |keys| count::on_stream(&stream, keys, &mut bins)).unwrap();
        lend(
            (theirs_mut(&mut bins),),
            |(mut bins,): (DeviceSliceMut<'_, u32>,)| bins.copy_from_slice(&[7, 8]),
        )
        .unwrap();
        assert_eq!(bins.to_vec().unwrap(), [7, 8], "{device}");
    }
}

/// On the CPU it is the loop's own panic.
#[cfg(feature = "sim")]
#[test]
fn a_fault_is_told_though_the_memory_is_gone() {
    let device = Device::Sim;
    let stream = Stream::on(device).unwrap();
    let mut bins = DeviceBuffer::from_slice_on(&stream, &[5u32, 6, 7, 8]).unwrap();
    let mut keys = vec![1u32; 100];
    keys[77] = 9;
    let keys = DeviceBuffer::from_slice_on(&stream, &keys).unwrap();
    let queued = lend(theirs(&keys), |keys| {
        count::on_stream(&stream, keys, &mut bins)
    });
    // Its owner has it again, and frees it.
    drop(keys);
    let told = queued.and_then(|()| stream.sync()).unwrap_err();
    let iteration = match &told {
        Error::BinOutOfRange { iteration, .. } => Some(*iteration),
        Error::Panicked { iteration, .. } => *iteration,
        other => panic!("{other}"),
    };
    assert_eq!(iteration, Some(77), "{device}: {told}");
    assert!(told.is_fault());
    assert_eq!(bins.to_vec().unwrap(), [5, 6, 7, 8], "{device}");
    // The stream can be used on.
    let keys = DeviceBuffer::from_slice_on(&stream, &[0u32]).unwrap();
    lend(theirs(&keys), |keys| {
        count::on_stream(&stream, keys, &mut bins)
    })
    .unwrap();
    stream.sync().unwrap();
    assert_eq!(bins.to_vec().unwrap(), [6, 6, 7, 8], "{device}");
}

#[cfg(feature = "sim")]
#[test]
fn what_is_lent_is_no_part_of_a_recording() {
    let stream = Stream::on(Device::Sim).unwrap();
    let keys = DeviceBuffer::from_slice_on(&stream, &[1u32; 10]).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 4).unwrap();
    let recorded = stream.record(|| {
        lend(theirs(&keys), |keys| {
            count::on_stream(&stream, keys, &mut bins)
        })
    });
    assert!(matches!(recorded, Err(Error::NotRecorded { .. })));
    drop(recorded);
    count::on_stream(&stream, &keys, &mut bins).unwrap();
    assert_eq!(bins.to_vec().unwrap(), [0, 10, 0, 0]);
}
