//! `#[offload(histogram)]` from the user's side on every device of the build: plain calls, `try_call`, `on_device`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::{Device, Error, offload, with_device};
#[cfg(any(feature = "cuda", feature = "sim"))]
use accrue::{DeviceBuffer, Stream};

#[offload(histogram)]
fn colour_histogram(pixels: &[[u8; 3]], hist: &mut [u32; 768]) {
    for p in pixels {
        hist[p[0] as usize] += 1;
        hist[256 + p[1] as usize] += 1;
        hist[512 + p[2] as usize] += 1;
    }
}

#[offload(histogram)]
fn weighted(keys: &[u32], weights: &[f64], scale: f64, bins: &mut [f64], total: &mut u64) {
    let n = keys.len().min(weights.len());
    for i in 0..n {
        bins[keys[i] as usize] += weights[i] * scale;
        *total += 1;
    }
    *total += 1000;
}

#[offload(histogram, strategy = "gang_global", locals = 2)]
fn modulo(data: &[u16], m: u16, bins: &mut Vec<u32>) {
    for (i, &x) in data.iter().enumerate().skip(3).step_by(2) {
        let b = (x % m) as usize;
        if i % 7 == 0 {
            continue;
        }
        bins[b] += 1;
    }
}

#[offload(histogram)]
fn lengths(words: &[&str], bins: &mut [u32]) {
    for w in words {
        bins[w.len()] += 1;
    }
}

/// The devices to run on: all of the host, and what runs kernels in this build.
fn everywhere() -> Vec<Device> {
    let mut all = vec![Device::Seq, Device::Cpu, Device::Auto];
    if cfg!(feature = "sim") {
        all.push(Device::Sim);
    }
    // Without a GPU, or the feature, a plain call there runs on the CPU.
    all.push(Device::Cuda(0));
    all
}

fn pixels(n: u32) -> Vec<[u8; 3]> {
    (0..n)
        .map(|i| [(i * 7) as u8, (i / 3) as u8, (i % 5) as u8])
        .collect()
}

/// The message that a call panics with.
fn panic_of(call: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(call)).expect_err("the call panics");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&str>().expect("a message")).to_owned(),
    }
}

#[test]
fn a_plain_call_gives_what_the_loop_gives_on_every_device() {
    let pixels = pixels(5000);
    let mut expected = [3u32; 768];
    for p in &pixels {
        expected[p[0] as usize] += 1;
        expected[256 + p[1] as usize] += 1;
        expected[512 + p[2] as usize] += 1;
    }
    for device in everywhere() {
        let mut found = [3u32; 768];
        with_device(device, || colour_histogram(&pixels, &mut found));
        assert_eq!(found, expected, "{device}");
        with_device(device, || colour_histogram(&[], &mut found));
        assert_eq!(found, expected, "{device}, nothing");
    }
}

#[test]
fn captured_values_reductions_and_statements_around_the_loop() {
    let keys: Vec<u32> = (0..3000).map(|i| i * i % 11).collect();
    let weights: Vec<f64> = (0..2500).map(|i| f64::from(i % 9) - 3.0).collect();
    for device in everywhere() {
        let (mut bins, mut total) = (vec![0.5; 11], 7);
        with_device(device, || {
            weighted(&keys, &weights, 0.5, &mut bins, &mut total)
        });
        let mut expected = vec![0.5; 11];
        for (k, w) in keys.iter().zip(&weights) {
            expected[*k as usize] += w * 0.5;
        }
        assert_eq!((bins, total), (expected, 7 + 2500 + 1000), "{device}");
    }
}

#[test]
fn a_strategy_of_the_attribute_runs_on_devices_that_have_it() {
    let data: Vec<u16> = (0..2000).map(|i| (i * 31 % 1009) as u16).collect();
    let mut expected = vec![0u32; 13];
    for (i, &x) in data.iter().enumerate().skip(3).step_by(2) {
        if i % 7 != 0 {
            expected[(x % 13) as usize] += 1;
        }
    }
    for device in everywhere() {
        let mut bins = vec![0u32; 13];
        with_device(device, || modulo(&data, 13, &mut bins));
        assert_eq!(bins, expected, "{device}");
    }
}

#[test]
fn a_fault_panics_as_the_loop_does_and_leaves_the_bins() {
    let mut keys = vec![1u32; 2000];
    keys[1234] = 9;
    keys[1900] = 11;
    let weights = vec![1.0; 2000];
    for device in everywhere() {
        let (mut bins, mut total) = (vec![2.5; 4], 0);
        let message = panic_of(|| {
            with_device(device, || {
                weighted(&keys, &weights, 1.0, &mut bins, &mut total)
            })
        });
        assert_eq!(
            message, "index out of bounds: the len is 4 but the index is 9",
            "{device}"
        );
        assert_eq!((bins, total), (vec![2.5; 4], 0), "{device}");

        let mut bins = vec![0u32; 3];
        let message = panic_of(|| with_device(device, || modulo(&[1; 50], 0, &mut bins)));
        assert_eq!(
            message, "attempt to calculate the remainder with a divisor of zero",
            "{device}"
        );
        assert_eq!(bins, [0; 3], "{device}");
    }
}

#[test]
fn try_call_returns_what_a_plain_call_would_panic_for() {
    let mut keys = vec![1u32; 2000];
    keys[1234] = 9;
    let weights = vec![1.0; 2000];
    for device in everywhere() {
        let (mut bins, mut total) = (vec![2.5; 4], 0);
        let result = with_device(device, || {
            weighted::try_call(&keys, &weights, 1.0, &mut bins, &mut total)
        });
        let error = result.unwrap_err();
        match device {
            Device::Sim => assert_eq!(
                error,
                Error::BinOutOfRange {
                    array: "bins".into(),
                    index: 9,
                    len: 4,
                    iteration: 1234
                }
            ),
            Device::Cuda(_) => {}
            _ => assert!(
                matches!(error, Error::Panicked { .. }),
                "{device}: {error:?}"
            ),
        }
        assert_eq!((bins, total), (vec![2.5; 4], 0), "{device}");
    }
    let mut hist = [0; 768];
    assert_eq!(
        with_device(Device::Cpu, || colour_histogram::try_call(
            &pixels(3),
            &mut hist
        )),
        Ok(())
    );
}

#[test]
fn a_machine_without_the_device_is_an_error_to_try_call_alone() {
    if accrue::devices()
        .iter()
        .any(|d| matches!(d.device, Device::Cuda(_)))
    {
        return;
    }
    let mut hist = [0; 768];
    let result = with_device(Device::Cuda(0), || {
        colour_histogram::try_call(&pixels(100), &mut hist)
    });
    let error = result.unwrap_err();
    match cfg!(feature = "cuda") {
        true => assert!(
            matches!(
                error,
                Error::DriverNotFound { .. } | Error::NoSuchDevice { .. }
            ),
            "{error:?}"
        ),
        false => assert!(
            matches!(
                error,
                Error::FeatureOff {
                    feature: "cuda",
                    ..
                }
            ),
            "{error:?}"
        ),
    }
    assert_eq!(hist, [0; 768]);
    // `auto` means whatever works.
    assert_eq!(
        with_device(Device::Auto, || colour_histogram::try_call(
            &pixels(100),
            &mut hist
        )),
        Ok(())
    );
    assert_eq!(hist.iter().sum::<u32>(), 300);
}

#[cfg(feature = "sim")]
#[test]
fn a_loop_without_a_kernel_runs_on_the_cpu_and_tells_try_call_why() {
    let words = ["a", "bcd", "", "efg"];
    let mut bins = [0u32; 5];
    with_device(Device::Sim, || lengths(&words, &mut bins));
    assert_eq!(bins, [1, 1, 0, 2, 0]);
    let error = with_device(Device::Sim, || lengths::try_call(&words, &mut bins)).unwrap_err();
    let Error::NotOnDevice { function, reason } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(function, "lengths");
    assert!(!reason.is_empty());
    assert_eq!(bins, [1, 1, 0, 2, 0]);
}

#[test]
fn every_device_of_the_host_runs_what_has_no_kernel() {
    let mut bins = [0u32; 5];
    for device in everywhere() {
        with_device(device, || lengths(&["ab", "c"], &mut bins));
    }
    let n = everywhere().len() as u32;
    assert_eq!(bins, [0, n, n, 0, 0]);
}

#[cfg(any(feature = "cuda", feature = "sim"))]
#[test]
fn buffers_go_where_slices_go() {
    let pixels = pixels(4000);
    let mut expected = [0u32; 768];
    with_device(Device::Seq, || colour_histogram(&pixels, &mut expected));
    let devices = [Device::Cpu, Device::Sim]
        .into_iter()
        .filter(|d| cfg!(feature = "sim") || *d == Device::Cpu);
    for device in devices {
        let stream = Stream::on(device).unwrap();
        let on_device = DeviceBuffer::from_slice_on(&stream, &pixels).unwrap();
        let mut hist = DeviceBuffer::<u32>::zeroed_on(&stream, 768).unwrap();
        colour_histogram::on_device(&stream, &on_device, &mut hist).unwrap();
        stream.sync().unwrap();
        assert_eq!(hist.to_vec().unwrap(), expected, "{device}");
        // In two halves: the same again.
        let (first, second) = (
            on_device.slice(..1001).unwrap(),
            on_device.slice(1001..).unwrap(),
        );
        colour_histogram::on_device(&stream, first, &mut hist).unwrap();
        colour_histogram::on_device(&stream, second, &mut hist).unwrap();
        let twice: Vec<u32> = expected.iter().map(|n| 2 * n).collect();
        assert_eq!(hist.to_vec().unwrap(), twice, "{device}");
        // The array's length is part of the function's type.
        let mut short = DeviceBuffer::<u32>::zeroed_on(&stream, 700).unwrap();
        let error = colour_histogram::on_device(&stream, &on_device, &mut short).unwrap_err();
        assert!(
            matches!(
                error,
                Error::LengthMismatch {
                    expected: 768,
                    found: 700,
                    ..
                }
            ),
            "{error:?}"
        );
    }
}

#[cfg(feature = "sim")]
#[test]
fn explain_tells_the_kernels_and_the_last_run() {
    #[offload(histogram)]
    fn explained(keys: &[u8], bins: &mut [u32; 256]) {
        for &k in keys {
            bins[k as usize] += 1;
        }
    }
    let text = explained::explain();
    assert!(
        text.contains("kernels for GPUs: atomic_global, gang_global, gang_shared, gang_striped"),
        "{text}"
    );
    with_device(Device::Sim, || explained(&[1; 1000], &mut [0; 256]));
    let text = explained::explain();
    assert!(
        text.contains("on sim (the simulator)") && text.contains("bins (256 bins, add)"),
        "{text}"
    );
    assert!(
        lengths::explain().contains("no kernels for GPUs: "),
        "{}",
        lengths::explain()
    );
}
