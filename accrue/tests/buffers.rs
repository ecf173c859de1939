//! Device buffers and streams on the host, which every machine has, and what a machine without a GPU answers.

use accrue::{Device, DeviceBuffer, DeviceSliceMut, Error, Stream, devices, with_device};

#[test]
fn data_survives_the_way_there_and_back() {
    let stream = Stream::on(Device::Cpu).unwrap();
    let pixels: Vec<[u8; 3]> = (0..1000u32)
        .map(|i| [i as u8, (i / 3) as u8, (i / 7) as u8])
        .collect();
    let buffer = DeviceBuffer::from_slice_on(&stream, &pixels).unwrap();
    assert_eq!(
        (buffer.len(), buffer.is_empty(), buffer.device()),
        (1000, false, Device::Cpu)
    );
    assert_eq!(buffer.to_vec().unwrap(), pixels);
    let mut part = vec![[0; 3]; 10];
    buffer
        .slice(990..)
        .unwrap()
        .copy_to_slice(&mut part)
        .unwrap();
    assert_eq!(part, pixels[990..]);
    let inner = buffer.slice(100..200).unwrap().slice(..=4).unwrap();
    assert_eq!(inner.to_vec().unwrap(), pixels[100..105]);
}

#[test]
fn empty_buffers_are_buffers() {
    with_device(Device::Cpu, || {
        let mut empty = DeviceBuffer::<f64>::from_slice(&[]).unwrap();
        assert!(empty.is_empty());
        empty.copy_from_slice(&[]).unwrap();
        assert_eq!(empty.to_vec().unwrap(), []);
        assert_eq!(DeviceBuffer::<u8>::zeroed(0).unwrap().len(), 0);
    });
}

#[test]
fn copies_between_buffers_are_ordered_with_the_rest() {
    let (a, b) = (
        Stream::on(Device::Cpu).unwrap(),
        Stream::on(Device::Cpu).unwrap(),
    );
    let from = DeviceBuffer::from_slice_on(&a, &[1u32, 2, 3]).unwrap();
    let mut to = DeviceBuffer::<u32>::zeroed_on(&b, 5).unwrap();
    to.slice_mut(1..4)
        .unwrap()
        .copy_from_device(&a, from.as_slice())
        .unwrap();
    assert_eq!(to.to_vec().unwrap(), [0, 1, 2, 3, 0]);
}

#[test]
fn lengths_that_differ_and_ranges_beyond_the_end_are_errors() {
    with_device(Device::Cpu, || {
        let mut buffer = DeviceBuffer::<u16>::zeroed(4).unwrap();
        let mismatch = |found: Result<(), Error>, expected, got| {
            let Err(Error::LengthMismatch {
                expected: e,
                found: f,
                ..
            }) = found
            else {
                panic!("expected a mismatch, got {found:?}")
            };
            assert_eq!((e, f), (expected, got));
        };
        mismatch(buffer.copy_from_slice(&[1, 2, 3]), 4, 3);
        mismatch(buffer.copy_to_slice(&mut [0; 5]), 4, 5);
        mismatch(buffer.slice(3..6).map(drop), 6, 4);
        #[expect(clippy::reversed_empty_ranges, reason = "what is tested")]
        let reversed = buffer.slice(3..2).map(drop);
        mismatch(reversed, 3, 4);
        mismatch(buffer.slice(..=usize::MAX).map(drop), u64::MAX, 4);
        assert!(buffer.slice(4..).unwrap().is_empty());
        let view: DeviceSliceMut<'_, u16> = (&mut buffer).into();
        assert_eq!(view.len(), 4);
    });
}

#[test]
fn more_than_there_is_is_an_error() {
    with_device(Device::Cpu, || {
        for len in [usize::MAX / 8, usize::MAX] {
            let error = DeviceBuffer::<u64>::zeroed(len).unwrap_err();
            assert!(matches!(error, Error::OutOfMemory { .. }), "{error:?}");
        }
    });
}

#[test]
fn marks_measure_forward() {
    let stream = Stream::on(Device::Seq).unwrap();
    let first = stream.mark().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2));
    let second = stream.mark().unwrap();
    assert!(first.until(&second).unwrap().as_millis() >= 2);
    let elsewhere = Stream::on(Device::Cpu).unwrap().mark().unwrap();
    assert!(matches!(
        first.until(&elsewhere),
        Err(Error::WrongDevice { .. })
    ));
}

#[test]
fn the_host_is_always_listed_and_listed_devices_open() {
    let all = devices();
    for device in [Device::Seq, Device::Cpu] {
        assert!(all.iter().any(|d| d.device == device));
    }
    for info in all {
        assert_eq!(
            Stream::on(info.device).unwrap().device(),
            info.device,
            "{info}"
        );
    }
}

#[test]
fn a_device_that_is_not_there_is_an_error_that_says_so() {
    if devices()
        .iter()
        .any(|d| matches!(d.device, Device::Cuda(_)))
    {
        let error = Stream::on(Device::Cuda(4000)).unwrap_err();
        assert!(
            matches!(error, Error::NoSuchDevice { asked: 4000, .. }),
            "{error:?}"
        );
        return;
    }
    let error = Stream::on(Device::Cuda(0)).unwrap_err();
    let text = error.to_string();
    if cfg!(feature = "cuda") {
        assert!(
            matches!(
                error,
                Error::DriverNotFound { .. } | Error::NoSuchDevice { .. }
            ),
            "{error:?}"
        );
        assert!(text.contains("help: "), "{text}");
    } else {
        assert!(
            matches!(
                error,
                Error::FeatureOff {
                    feature: "cuda",
                    ..
                }
            ),
            "{error:?}"
        );
    }
    // Auto means whatever there is.
    assert_eq!(Stream::on(Device::Auto).unwrap().device(), Device::Cpu);
}
