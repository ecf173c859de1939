//! Recorded calls: each replay does what the calls would have done, and faults are told by the stream, with the call's number.

use accrue::{Device, DeviceBuffer, Error, Resident, Stream, offload, with_device};

#[offload(histogram)]
fn count(keys: &[u16], bins: &mut [u32]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

#[offload]
fn step(values: &mut [u32], by: u32) {
    for v in values.iter_mut() {
        *v = v.wrapping_mul(3).wrapping_add(by);
    }
}

#[offload(histogram)]
fn total(keys: &[u16]) -> u64 {
    let mut sum = 0;
    for &k in keys {
        sum += u64::from(k);
    }
    sum
}

fn devices() -> Vec<Device> {
    let sim = cfg!(feature = "sim").then_some(Device::Sim);
    [Device::Seq, Device::Cpu].into_iter().chain(sim).collect()
}

fn keys(n: usize) -> Vec<u16> {
    (0..n).map(|i| (i * 31 % 97) as u16).collect()
}

#[test]
fn replays_do_what_the_calls_do() {
    let keys = keys(1500);
    for device in devices() {
        let stream = Stream::on(device).unwrap();
        let shared = DeviceBuffer::from_slice_on(&stream, &keys).unwrap();
        let mut bins = DeviceBuffer::from_slice_on(&stream, &[3u32; 97]).unwrap();
        let mut values = Resident::from(vec![1u32, 2, 3, 4, 5]);
        let (mut expected, mut stepped) = (vec![3; 97], vec![1u32, 2, 3, 4, 5]);
        let mut recording = stream
            .record(|| {
                count::on_stream(&stream, &shared, &mut bins)?;
                step::on_stream(&stream, &mut values, 7)?;
                step::on_stream(&stream, &mut values, 1)
            })
            .unwrap();
        for round in 0..5 {
            recording.replay().unwrap();
            if round == 2 {
                stream.sync().unwrap();
            }
            with_device(Device::Seq, || {
                count(&keys, &mut expected);
                step(&mut stepped, 7);
                step(&mut stepped, 1);
            });
        }
        stream.sync().unwrap();
        drop(recording);
        assert_eq!(bins.to_vec().unwrap(), expected, "{device}");
        assert_eq!(values.host(), stepped, "{device}");
        // The stream is as before.
        count::on_stream(&stream, &shared, &mut bins).unwrap();
        with_device(Device::Seq, || count(&keys, &mut expected));
        assert_eq!(bins.to_vec().unwrap(), expected, "{device}");
    }
}

#[cfg(feature = "sim")]
#[test]
fn nothing_happens_at_the_recording_and_nothing_moves_at_a_replay() {
    let keys = Resident::from(keys(800));
    let mut bins = Resident::from(vec![0u32; 97]);
    let stream = Stream::on(Device::Sim).unwrap();
    // What is not there yet goes there now.
    let before = accrue::stats();
    let mut recording = stream
        .record(|| count::on_stream(&stream, &keys, &mut bins))
        .unwrap();
    let recorded = accrue::stats() - before;
    assert_eq!((recorded.uploads, recorded.downloads), (2, 0));
    let before = accrue::stats();
    for _ in 0..100 {
        recording.replay().unwrap();
    }
    stream.sync().unwrap();
    let replayed = accrue::stats() - before;
    assert_eq!((replayed.uploads, replayed.downloads), (0, 0));
    assert_eq!(replayed.launches, 100 * recording.kernels());
    assert!(recording.kernels() >= 1);
    drop(recording);
    assert_eq!(bins.host().iter().sum::<u32>(), 80_000);
}

#[cfg(feature = "sim")]
#[test]
fn every_way_of_counting_is_recorded() {
    let stream = Stream::on(Device::Sim).unwrap();
    let keys = keys(3000);
    let there = DeviceBuffer::from_slice_on(&stream, &keys).unwrap();
    let mut expected = vec![0; 97];
    for _ in 0..3 {
        with_device(Device::Seq, || count(&keys, &mut expected));
    }
    macro_rules! under {
        ($($strategy:literal),*) => {$({
            #[offload(histogram, strategy = $strategy)]
            fn count(keys: &[u16], bins: &mut [u32]) {
                for &k in keys {
                    bins[k as usize] += 1;
                }
            }
            let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 97).unwrap();
            let mut recording = stream
                .record(|| count::on_stream(&stream, &there, &mut bins))
                .unwrap_or_else(|e| panic!("{}: {e}", $strategy));
            for _ in 0..3 {
                recording.replay().unwrap();
            }
            drop(recording);
            assert_eq!(bins.to_vec().unwrap(), expected, "{}", $strategy);
        })*};
    }
    under!(
        "atomic_global",
        "gang_global:locals=3",
        "gang_shared",
        "gang_striped",
        "gang_window",
        "gang_packed",
        "gang_split"
    );
}

#[cfg(feature = "sim")]
#[test]
fn a_fault_is_told_by_the_stream_with_the_calls_number() {
    let stream = Stream::on(Device::Sim).unwrap();
    let good = DeviceBuffer::from_slice_on(&stream, &[1u16, 2, 3]).unwrap();
    let bad = DeviceBuffer::from_slice_on(&stream, &[1u16, 2, 3, 4, 9, 1]).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 5).unwrap();
    let mut recording = stream
        .record(|| {
            count::on_stream(&stream, &good, &mut bins)?;
            count::on_stream(&stream, &bad, &mut bins)?;
            count::on_stream(&stream, &good, &mut bins)
        })
        .unwrap();
    for _ in 0..3 {
        recording.replay().unwrap();
        recording.replay().unwrap();
        let error = stream.sync().unwrap_err();
        let Error::InCall {
            call,
            kernel,
            error,
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!(*call, 1);
        assert!(kernel.starts_with("count"), "{kernel}");
        assert!(error.is_fault());
        assert!(
            matches!(
                **error,
                Error::BinOutOfRange {
                    index: 9,
                    len: 5,
                    iteration: 4,
                    ..
                }
            ),
            "{error}"
        );
        // It has been told.
        stream.sync().unwrap();
    }
    // Who reads what was written is told, too.
    recording.replay().unwrap();
    drop(recording);
    assert!(matches!(bins.to_vec(), Err(Error::InCall { call: 1, .. })));
    assert_eq!(bins.to_vec().unwrap(), [0, 14, 14, 14, 0]);
}

#[cfg(feature = "sim")]
#[test]
fn what_cannot_be_queued_is_not_recorded() {
    let stream = Stream::on(Device::Sim).unwrap();
    let keys = keys(50);
    let there = DeviceBuffer::from_slice_on(&stream, &keys).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 97).unwrap();
    let host = stream.record(|| count::on_stream(&stream, &keys, &mut bins));
    let text = host.unwrap_err().to_string();
    assert!(
        text.starts_with("not recorded: `count` takes or gives"),
        "{text}"
    );
    let number = stream.record(|| total::on_stream(&stream, &there).map(|_| ()));
    assert!(matches!(number, Err(Error::NotRecorded { .. })));
    let many = stream.record(|| {
        for _ in 0..513 {
            count::on_stream(&stream, &there, &mut bins)?;
        }
        Ok(())
    });
    let text = many.unwrap_err().to_string();
    assert_eq!(text, "not recorded: a recording has 512 calls at most");
    // Nothing of it has happened, and the stream goes on.
    count::on_stream(&stream, &there, &mut bins).unwrap();
    assert_eq!(bins.to_vec().unwrap().iter().sum::<u32>(), 50);
    // A panic in the middle, as well.
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = stream.record(|| panic!("in the middle"));
    }));
    assert!(caught.is_err());
    count::on_stream(&stream, &there, &mut bins).unwrap();
    assert_eq!(bins.to_vec().unwrap().iter().sum::<u32>(), 100);
}

#[test]
fn what_is_recorded_stays_borrowed() {
    // rustc refuses a look at the bins while the recording lives; see the example of `Stream::record`.
    let stream = Stream::on(Device::Cpu).unwrap();
    let mut bins = vec![0u32; 4];
    let keys = vec![1u16, 1, 3];
    let mut recording = stream
        .record(|| count::on_stream(&stream, &keys, &mut bins))
        .unwrap();
    recording.replay().unwrap();
    recording.replay().unwrap();
    drop(recording);
    assert_eq!(bins, [0, 4, 0, 2]);
}
