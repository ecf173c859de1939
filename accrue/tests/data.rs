//! Data wherever they are: `on` with every kind of argument, what `Resident` keeps where, `resident`, and what `stats` counts of it.

use std::cell::Cell;

use accrue::{
    Device, DeviceBuffer, Error, Exclusive, Resident, Shared, Stats, Stream, offload, resident,
    stats, with_device,
};

/// The devices of the build.
fn devices() -> Vec<Device> {
    let sim = cfg!(feature = "sim").then_some(Device::Sim);
    [Device::Seq, Device::Cpu].into_iter().chain(sim).collect()
}

/// What this thread has moved and started meanwhile.
fn moved(f: impl FnOnce()) -> Stats {
    let before = stats();
    f();
    stats() - before
}

/// Copies up and down.
#[cfg(feature = "sim")]
fn copies(stats: Stats) -> (u64, u64) {
    (stats.uploads, stats.downloads)
}

#[offload(histogram)]
fn count(keys: &[u8], bins: &mut [u32; 256]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

#[offload]
fn blur(src: &[f32], w: usize, dst: &mut [f32]) {
    let h = src.len() / w;
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            dst[y * w + x] = src[(y - 1) * w + x] + src[y * w + x - 1] - src[y * w + x + 1];
        }
    }
}

#[offload]
fn double(values: &mut [u32]) {
    for v in values.iter_mut() {
        *v = v.wrapping_mul(2);
    }
}

#[offload]
fn sum_above(values: &[u32], limit: u32) -> u64 {
    let mut sum = 0;
    for &v in values {
        if v > limit {
            sum += u64::from(v);
        }
    }
    sum
}

#[offload]
fn add_to(values: &[u32], total: &mut u64) {
    for &v in values {
        *total += u64::from(v);
    }
}

#[offload]
fn gather(table: &[u32], indices: &[u32], out: &mut [u32]) {
    for (i, o) in out.iter_mut().enumerate() {
        *o = table[indices[i] as usize];
    }
}

/// Two loops, and what is between them on the host.
#[offload]
fn normalise(values: &[u32], out: &mut [u32]) -> u32 {
    let mut top = 0;
    for &v in values {
        top = top.max(v);
    }
    let first = values[0];
    for i in 0..out.len() {
        out[i] = values[i] / top.max(1) + first;
    }
    top
}

/// No kernel can run it.
#[offload]
fn lengths(words: &[u8], out: &mut [u32]) {
    for (i, o) in out.iter_mut().enumerate() {
        *o = u32::from(words[i].to_string().len() as u8);
    }
}

/// What is evaluated before its loop may not be evaluated again.
#[cfg_attr(feature = "sim", offload(require = "cuda"))]
#[cfg_attr(not(feature = "sim"), offload)]
fn drained(values: &[u32], calls: &Cell<u32>, out: &mut [u32]) {
    let offset: u32 = next(calls);
    for (i, o) in out.iter_mut().enumerate() {
        *o = values[i] + offset;
    }
}

fn next(calls: &Cell<u32>) -> u32 {
    calls.replace(calls.get() + 1)
}

fn keys(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * i / 7) as u8).collect()
}

#[test]
fn every_mixture_gives_the_sequential_loops_result() {
    let keys = keys(3000);
    let before: Vec<u32> = (0..256).collect();
    let mut expected: [u32; 256] = before.clone().try_into().unwrap();
    with_device(Device::Seq, || count(&keys, &mut expected));
    for device in devices() {
        let stream = Stream::on(device).unwrap();
        for (from, to) in (0..5).flat_map(|from| (0..5).map(move |to| (from, to))) {
            for queued in [false, true] {
                let what = format!("{device}: {from} {to} {queued}");
                let resident = Resident::from(keys.clone());
                let longer = Resident::from([&[9; 5], &keys[..], &[9; 4]].concat());
                let buffer = DeviceBuffer::from_slice_on(&stream, &keys).unwrap();
                let source = || -> Shared<'_, u8> {
                    match from {
                        0 => Shared::from(&keys),
                        1 => Shared::from(&keys[..]),
                        2 => Shared::from(&resident),
                        3 => Shared::from(longer.slice(5..3005)),
                        _ => Shared::from(&buffer),
                    }
                };
                let call = |bins: Exclusive<'_, u32>| match queued {
                    false => with_device(device, || count::on(source(), bins)),
                    true => count::on_stream(&stream, source(), bins),
                };
                let found = match to {
                    0 => {
                        let mut bins = before.clone();
                        call(Exclusive::from(&mut bins)).expect(&what);
                        bins
                    }
                    1 => {
                        let mut bins: [u32; 256] = before.clone().try_into().unwrap();
                        call(Exclusive::from(&mut bins)).expect(&what);
                        bins.to_vec()
                    }
                    2 => {
                        let mut bins = Resident::from(before.clone());
                        call(Exclusive::from(&mut bins)).expect(&what);
                        bins.into_vec()
                    }
                    3 => {
                        let mut bins = Resident::from([&[7; 3], &before[..], &[8; 2]].concat());
                        call(Exclusive::from(bins.slice_mut(3..=258))).expect(&what);
                        assert_eq!(bins.host()[..3], [7; 3], "{what}");
                        assert_eq!(bins.host()[259..], [8; 2], "{what}");
                        bins.host()[3..259].to_vec()
                    }
                    _ => {
                        let mut bins = DeviceBuffer::from_slice_on(&stream, &before).unwrap();
                        call(Exclusive::from(&mut bins)).expect(&what);
                        bins.to_vec().unwrap()
                    }
                };
                stream.sync().unwrap();
                assert_eq!(found, expected, "{what}");
            }
        }
    }
}

#[test]
fn loops_of_every_kind_take_data_anywhere() {
    let image: Vec<f32> = (0..35).map(|i| (i * i % 11) as f32).collect();
    let values: Vec<u32> = (0..40).map(|i| i * 37 % 101).collect();
    let words = keys(20);
    let [mut blurred, zeros] = [(); 2].map(|()| vec![0.0; 35]);
    let (mut doubled, mut normal, mut long) = (values.clone(), vec![0; 40], vec![0; 20]);
    let mut total = 5;
    let (above, top) = with_device(Device::Seq, || {
        blur(&image, 7, &mut blurred);
        double(&mut doubled);
        add_to(&values, &mut total);
        lengths(&words, &mut long);
        let top = normalise(&values, &mut normal);
        (sum_above(&values, 50), top)
    });
    for device in devices() {
        with_device(device, || -> Result<(), Error> {
            let mut dst = Resident::from(zeros.clone());
            blur::on(&Resident::from(image.clone()), 7, &mut dst)?;
            assert_eq!(dst.host(), blurred, "{device}");
            blur::on(&image, 7, &mut dst)?;
            assert_eq!(dst.into_vec(), blurred, "{device}");

            let mut all = Resident::from(values.clone());
            double::on(&mut all)?;
            assert_eq!(all.host(), doubled, "{device}");

            let all = Resident::from(values.clone());
            assert_eq!(sum_above::on(&all, 50)?, above, "{device}");
            assert_eq!(sum_above::on(&values, 50)?, above, "{device}");
            let mut sum = 5;
            add_to::on(&all, &mut sum)?;
            assert_eq!(sum, total, "{device}");

            let mut out = Resident::from(vec![0; 40]);
            assert_eq!(normalise::on(&all, &mut out)?, top, "{device}");
            assert_eq!(out.host(), normal, "{device}");

            let mut out = Resident::from(vec![0; 20]);
            lengths::on(&Resident::from(words.clone()), &mut out)?;
            assert_eq!(out.host(), long, "{device}");
            Ok(())
        })
        .unwrap();
    }
}

#[test]
fn what_is_before_the_loop_runs_once() {
    let values = [10, 20, 30];
    // Whether it pays to ask a GPU is asked when the loop is come to.
    for device in devices().into_iter().chain([Device::Auto]) {
        with_device(device, || {
            let calls = Cell::new(1);
            let mut out = Resident::from([0; 3]);
            drained::on(&values, &calls, &mut out).unwrap();
            assert_eq!(
                (out.host(), calls.get()),
                (&[11, 21, 31][..], 2),
                "{device}"
            );
            let mut out = DeviceBuffer::zeroed(3).unwrap();
            drained::on(&values, &calls, &mut out).unwrap();
            assert_eq!((out.to_vec().unwrap(), calls.get()), (vec![12, 22, 32], 3));
        });
    }
}

#[cfg(feature = "sim")]
#[test]
fn a_call_moves_what_is_not_there_and_nothing_else() {
    with_device(Device::Sim, || {
        let image = Resident::from(keys(4000));
        let mut bins = Resident::from(vec![0u32; 256]);
        let first = moved(|| count::on(&image, &mut bins).unwrap());
        assert_eq!((copies(first), first.uploaded_bytes), ((2, 0), 4000 + 1024));
        assert!(first.launches > 0);
        let rest = moved(|| {
            for _ in 1..1000 {
                count::on(&image, &mut bins).unwrap();
            }
        });
        assert_eq!(copies(rest), (0, 0));
        assert!(rest.launches >= 999);
        // A part of it is there as well.
        let part = moved(|| count::on(image.slice(1000..), &mut bins).unwrap());
        assert_eq!(copies(part), (0, 0));
        let back = moved(|| {
            let mut expected = [0u32; 256];
            keys(4000)
                .iter()
                .for_each(|&k| expected[k as usize] += 1000);
            keys(4000)[1000..]
                .iter()
                .for_each(|&k| expected[k as usize] += 1);
            assert_eq!(bins.host(), expected);
            assert_eq!(bins.host()[3], expected[3]);
        });
        assert_eq!((copies(back), back.downloaded_bytes), ((0, 1), 1024));
        // Both are alike now: neither the next call nor the next look moves anything.
        let again = moved(|| {
            count::on(&image, &mut [0; 256]).unwrap();
            assert_eq!(image.host().len(), 4000);
        });
        assert_eq!((copies(again), again.uploaded_bytes), ((1, 1), 1024));
        let next = moved(|| count::on(&image, &mut bins).unwrap());
        assert_eq!(copies(next), (0, 0));
        let back = moved(|| assert!(bins.host()[0] > 0));
        assert_eq!(copies(back), (0, 1));
    });
}

#[cfg(feature = "sim")]
#[test]
fn the_newer_copy_is_what_counts() {
    with_device(Device::Sim, || {
        let mut values = Resident::from(vec![1u32, 2, 3]);
        double::on(&mut values).unwrap();
        // A clone is of what the device has, and apart from it.
        let mut copy = values.clone();
        assert_eq!(
            format!("{values:?}"),
            "Resident<u32>(3, on the host and on sim)"
        );
        double::on(&mut copy).unwrap();
        assert_eq!(format!("{copy:?}"), "Resident<u32>(3, newer on sim)");
        assert_eq!(values.host(), [2, 4, 6]);
        assert_eq!(copy.host(), [4, 8, 12]);
        // What the host writes is what the next call has.
        values.host_mut()[1] = 100;
        assert_eq!(format!("{values:?}"), "Resident<u32>(3, on the host)");
        double::on(&mut values).unwrap();
        assert_eq!(values.host(), [4, 200, 12]);
        // Written on the device, then there by a loop on the host, and back.
        double::on(&mut values).unwrap();
        with_device(Device::Cpu, || double::on(&mut values)).unwrap();
        double::on(&mut values).unwrap();
        assert_eq!(values.host(), [32, 1600, 96]);
        // A part of it on the device, the rest as it was written on the host.
        values.host_mut().copy_from_slice(&[1, 2, 3]);
        double::on(values.slice_mut(1..2)).unwrap();
        assert_eq!(values.host(), [1, 4, 3]);
        double::on(values.slice_mut(..1)).unwrap();
        with_device(Device::Seq, || double::on(values.slice_mut(2..))).unwrap();
        assert_eq!(values.into_vec(), [2, 4, 6]);
        // What a function of two loops writes is the host's.
        let mut out = Resident::from(vec![0; 3]);
        let source = Resident::from(vec![4, 9, 2]);
        double::on(&mut out).unwrap();
        assert_eq!(normalise::on(&source, &mut out).unwrap(), 9);
        assert_eq!(out.host(), [4, 5, 4]);
        double::on(&mut out).unwrap();
        assert_eq!(out.host(), [8, 10, 8]);
    });
}

#[cfg(feature = "sim")]
#[test]
fn a_function_of_several_loops_moves_what_they_read_once() {
    with_device(Device::Sim, || {
        let source = Resident::from((1..=50).collect::<Vec<u32>>());
        let mut out = vec![0; 50];
        let first = moved(|| assert_eq!(normalise::on(&source, &mut out), Ok(50)));
        // The scalar and `out` go there and come back.
        assert_eq!(copies(first), (3, 2));
        let second = moved(|| assert_eq!(normalise::on(&source, &mut out), Ok(50)));
        assert_eq!(copies(second), (2, 2));
    });
}

#[cfg(feature = "sim")]
#[test]
fn a_fault_leaves_resident_arrays_as_before_and_usable() {
    let out_of_range = |e: Error| e.is_fault();
    with_device(Device::Sim, || {
        let mut keys = Resident::from(vec![1u32, 0, 1]);
        let table = Resident::from(vec![5u32, 6]);
        let mut out = Resident::from(vec![7u32; 3]);
        gather::on(&table, &keys, &mut out).unwrap();
        assert_eq!(out.host(), [6, 5, 6]);
        keys.host_mut()[1] = 9;
        assert!(gather::on(&table, &keys, &mut out).is_err_and(out_of_range));
        assert_eq!(out.host(), [6, 5, 6]);
        keys.host_mut()[1] = 1;
        gather::on(&table, &keys, &mut out).unwrap();
        assert_eq!(out.host(), [6, 6, 6]);
        // Bins are as before even where the device's copy was the newer one.
        let bins = &mut Resident::from(vec![0u32; 256]);
        #[offload(histogram)]
        fn few(keys: &[u32], bins: &mut [u32]) {
            for &k in keys {
                bins[k as usize] += 1;
            }
        }
        few::on(&keys, &mut *bins).unwrap();
        keys.host_mut()[2] = 256;
        assert!(few::on(&keys, &mut *bins).is_err_and(out_of_range));
        keys.host_mut()[2] = 255;
        few::on(&keys, &mut *bins).unwrap();
        assert_eq!((bins.host()[1], bins.host()[255]), (5, 1));
        // A queued one shows at `sync`, or where the array is asked for.
        let stream = Stream::new().unwrap();
        keys.host_mut()[2] = 300;
        few::on_stream(&stream, &keys, &mut *bins).unwrap();
        assert!(stream.sync().is_err_and(out_of_range));
        few::on_stream(&stream, &keys, &mut *bins).unwrap();
        assert!(bins.try_host().is_err_and(out_of_range));
        assert_eq!((bins.host()[1], bins.host()[255]), (5, 1));
    });
}

#[cfg(feature = "sim")]
#[test]
fn a_queued_call_is_waited_for_by_who_looks() {
    let stream = Stream::on(Device::Sim).unwrap();
    let mut values = Resident::from(vec![1u32; 100]);
    let up = moved(|| {
        for _ in 0..3 {
            double::on_stream(&stream, &mut values).unwrap();
        }
    });
    assert_eq!(copies(up), (1, 0));
    assert_eq!(values.host(), [8; 100]);
    // On another stream the order holds as well.
    let other = Stream::on(Device::Sim).unwrap();
    double::on_stream(&other, &mut values).unwrap();
    double::on_stream(&stream, &mut values).unwrap();
    assert_eq!(sum_above::on_stream(&other, &values, 31).unwrap(), 3200);
    // With a slice of the host's among the arguments it is waited for.
    let mut host = vec![1u32; 4];
    double::on_stream(&stream, &mut host).unwrap();
    assert_eq!(host, [2; 4]);
    // Where the stream is the host's, so is the call.
    let stream = Stream::on(Device::Cpu).unwrap();
    double::on_stream(&stream, &mut values).unwrap();
    assert_eq!(values.host(), [64; 100]);
}

#[cfg(feature = "sim")]
#[test]
fn buffers_are_used_where_they_are() {
    let stream = Stream::on(Device::Sim).unwrap();
    let buffer = DeviceBuffer::from_slice_on(&stream, &[1u32, 2]).unwrap();
    let mut out = vec![0; 2];
    // Without a word about the device, they say which.
    with_device(Device::Auto, || gather::on(&[5, 6, 7], &buffer, &mut out)).unwrap();
    assert_eq!(out, [6, 7]);
    let wrong = with_device(Device::Cpu, || gather::on(&[5, 6, 7], &buffer, &mut out));
    assert!(matches!(wrong, Err(Error::WrongDevice { .. })), "{wrong:?}");
    // What no kernel alone does cannot have them.
    with_device(Device::Sim, || {
        let none = normalise::on(&buffer, &mut out);
        assert!(matches!(none, Err(Error::NotOnDevice { .. })), "{none:?}");
        let bytes = DeviceBuffer::from_slice(&[1u8, 2]).unwrap();
        let none = lengths::on(&bytes, &mut out);
        assert!(matches!(none, Err(Error::NotOnDevice { .. })), "{none:?}");
    });
    assert_eq!(out, [6, 7]);
}

#[test]
fn lengths_are_checked_as_the_functions_type_has_them() {
    for device in devices() {
        with_device(device, || {
            let mut short = Resident::from(vec![0u32; 255]);
            let error = count::on(&[1], &mut short).unwrap_err();
            let Error::LengthMismatch {
                expected, found, ..
            } = error
            else {
                panic!("{error:?}");
            };
            assert_eq!((expected, found), (256, 255));
            let nothing = Resident::<u8>::default();
            let mut bins = Resident::from(vec![3u32; 256]);
            count::on(&nothing, &mut bins).unwrap();
            assert!(nothing.is_empty() && bins.host() == [3; 256]);
            let mut none = Resident::<u32>::default();
            double::on(&mut none).unwrap();
            assert_eq!(none.into_vec(), []);
        });
    }
}

#[cfg(feature = "sim")]
#[test]
fn shared_slices_stay_on_the_device_for_the_scope() {
    let (pixels, other) = (keys(2000), keys(100));
    let mut expected = [0u32; 256];
    with_device(Device::Seq, || count(&pixels, &mut expected));
    let mut bins = [0u32; 256];
    with_device(Device::Sim, || {
        let inside = moved(|| {
            resident(|r| {
                r.share(&pixels);
                for _ in 0..3 {
                    bins = [0; 256];
                    count(&pixels, &mut bins);
                    assert_eq!(bins, expected);
                }
                count(&pixels[100..200], &mut bins);
                let part = &pixels[100..200];
                part.iter().for_each(|&p| expected[p as usize] += 1);
                assert_eq!(bins, expected);
                // Of an inner scope, which ends before.
                resident(|inner| {
                    inner.share(&other);
                    r.share(&[0u8; 3]);
                    count(&other, &mut bins);
                    count(&other, &mut bins);
                });
                count(&pixels, &mut bins);
            });
        });
        // Each of seven calls has its bins, and two arrays go there once.
        assert_eq!(copies(inside), (7 + 2, 7));
        assert_eq!(inside.uploaded_bytes, 7 * 1024 + 2000 + 100);
        let outside = moved(|| count(&pixels, &mut bins));
        assert_eq!(copies(outside), (2, 1));
        // What lies in shared memory by half is read where it is.
        resident(|r| {
            r.share(&pixels[500..1000]);
            for part in [
                &pixels[500..1000],
                &pixels[400..600],
                &pixels[900..1100],
                &pixels,
            ] {
                let (mut found, mut expected) = ([0; 256], [0; 256]);
                count(part, &mut found);
                part.iter().for_each(|&p| expected[p as usize] += 1);
                assert_eq!(found, expected);
            }
        });
        // A panic ends a scope as well; the memory may be another's then.
        let caught = std::panic::catch_unwind(|| {
            resident(|r| {
                r.share(&pixels);
                count(&pixels, &mut [0; 256]);
                panic!("inside");
            })
        });
        assert!(caught.is_err());
        let outside = moved(|| count(&pixels, &mut bins));
        assert_eq!(copies(outside), (2, 1));
        // Other threads have theirs.
        resident(|r| {
            r.share(&pixels);
            std::thread::scope(|s| {
                s.spawn(|| {
                    let there = moved(|| {
                        with_device(Device::Sim, || count(&pixels, &mut [0; 256]));
                    });
                    assert_eq!(copies(there), (2, 1));
                });
            });
        });
    });
}

#[cfg(feature = "sim")]
#[test]
fn memory_that_was_shared_and_is_written_again_is_read_anew() {
    let mut values = vec![1u32; 8];
    with_device(Device::Sim, || {
        resident(|r| {
            r.share(&values);
            assert_eq!(sum_above(&values, 0), 8);
        });
        values[3] = 10;
        assert_eq!(sum_above(&values, 0), 17);
        resident(|r| {
            r.share(&values);
            assert_eq!(sum_above(&values, 0), 17);
        });
        // The same of a resident array that a function of two loops has been lent.
        let mut array = Resident::from(vec![2, 4]);
        normalise::on(&array, &mut [0; 2]).unwrap();
        array.host_mut()[0] = 8;
        assert_eq!(normalise::on(&array, &mut [0; 2]).unwrap(), 8);
        let plain = array.into_vec();
        assert_eq!(sum_above(&plain, 0), 12);
    });
}

#[cfg(feature = "sim")]
#[test]
fn threads_may_read_one_resident_array_at_a_time() {
    let mut values = Resident::from((0..1000).collect::<Vec<u32>>());
    with_device(Device::Sim, || double::on(&mut values)).unwrap();
    let values = &values;
    std::thread::scope(|s| {
        for n in 0..4 {
            s.spawn(move || {
                for _ in 0..3 {
                    let device = [Device::Sim, Device::Cpu][n % 2];
                    let sum = with_device(device, || sum_above::on(values, 0)).unwrap();
                    assert_eq!(sum, 999_000);
                    assert_eq!(values.host()[999], 1998);
                }
            });
        }
    });
}

#[test]
fn on_the_host_nothing_moves_and_nothing_is_copied() {
    let mut bins = Vec::with_capacity(300);
    bins.resize(256, 0u32);
    let (start, capacity) = (bins.as_ptr(), bins.capacity());
    let mut bins = Resident::from(bins);
    let still = moved(|| {
        for device in [Device::Cpu, Device::Seq] {
            with_device(device, || count::on(&[1, 1], &mut bins)).unwrap();
            with_device(device, || {
                resident(|r| {
                    let keys = &[1];
                    r.share(keys);
                    count(keys, &mut [0; 256]);
                })
            });
        }
    });
    assert_eq!(still, Stats::default());
    let bins = bins.into_vec();
    assert_eq!(
        (bins.as_ptr(), bins.capacity(), bins[1]),
        (start, capacity, 4)
    );
}

#[test]
fn stats_are_added_and_subtracted() {
    let (a, b) = (stats(), stats());
    assert_eq!(a - b, Stats::default());
    assert_eq!(a + (b - a), b);
    assert_eq!(
        Stats::default().to_string(),
        "0 copies up (0 bytes), 0 down (0 bytes), 0 kernels"
    );
}
