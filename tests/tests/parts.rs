//! Data that stay on several devices: each keeps its part of a resident array, and a part that is there is not moved again.

#![cfg(feature = "sim")]

use accrue::{Device, Error, Resident, Stats, offload, stats, with_device, with_memory};

/// What `explain` tells is the last call's of whichever test: who asks for it has a function of its own.
macro_rules! counts {
    ($($name:ident),*) => {$(
        #[offload(histogram, require = "cuda")]
        fn $name(keys: &[u16], bins: &mut [u32]) {
            for &k in keys {
                bins[k as usize] += 1;
            }
        }
    )*};
}
counts!(count, count_shares);

/// The same.
macro_rules! blurs {
    ($($name:ident),*) => {$(
        #[offload(require = "cuda")]
        fn $name(now: &[i32], next: &mut [i32]) {
            for i in 1..now.len() - 1 {
                next[i] = (now[i - 1] + 2 * now[i] + now[i + 1]) / 4;
            }
        }
    )*};
}
blurs!(blur, blur_pieces);

#[offload(require = "cuda")]
fn extremes(values: &[i32]) -> (i32, i32, i64) {
    let (mut low, mut high, mut sum) = (i32::MAX, i32::MIN, 0);
    for &v in values {
        low = low.min(v);
        high = high.max(v);
        sum += i64::from(v);
    }
    (low, high, sum)
}

#[offload(require = "cuda")]
fn turn(from: &[i32], to: &mut [i32]) {
    let n = from.len();
    for i in 0..n {
        to[i] = from[n - 1 - i] + 1;
    }
}

#[offload(require = "cuda")]
fn add(values: &mut [i32], more: i32) {
    for v in values.iter_mut() {
        assert!(*v < 1_000_000, "too large");
        *v = (*v + more) % 5000;
    }
}

#[offload(require = "cuda")]
fn look_up(table: &[i32], at: &[u16], out: &mut [i32]) {
    for i in 0..at.len() {
        out[i] = table[at[i] as usize];
    }
}

#[offload(require = "cuda")]
fn prefix(values: &[i32], out: &mut [i32]) {
    let mut sum = 0i32;
    for i in 0..values.len() {
        sum = sum.wrapping_add(values[i]);
        out[i] = sum;
    }
}

/// Two loops: what they write comes to the host between them.
#[offload(require = "cuda")]
fn twice(from: &[i32], to: &mut [i32]) {
    for i in 0..to.len() {
        to[i] = from[i] / 2;
    }
    for v in to.iter_mut() {
        *v += 1;
    }
}

/// Elements of three numbers, and two for each.
#[offload(require = "cuda")]
fn lengths(points: &[[f32; 3]], out: &mut [f32]) {
    for i in 0..out.len() {
        let (a, b) = (points[2 * i], points[2 * i + 1]);
        out[i] = (a[0] - b[0]) + (a[1] - b[1]) * 2.0 + (a[2] - b[2]);
    }
}

fn keys(n: usize) -> Vec<u16> {
    (0..n).map(|i| (i * 7919 % 100) as u16).collect()
}

fn values(n: i32) -> Vec<i32> {
    (0..n).map(|i| i * 37 % 501).collect()
}

/// What `f` moves.
fn moved<R>(f: impl FnOnce() -> R) -> (R, Stats) {
    let before = stats();
    let result = f();
    (result, stats() - before)
}

/// Copies to devices and back.
fn copies(moved: &Stats) -> (u64, u64) {
    (moved.uploads, moved.downloads)
}

/// The iterations of each device in the last call, by `explain`.
fn shares(explained: &str) -> Vec<u64> {
    let line = explained.lines().find(|l| l.contains("divided over"));
    let Some((_, rest)) = line.and_then(|l| l.split_once("devices: ")) else {
        panic!("not divided: {explained}");
    };
    rest.split("; ")
        .map(|part| part.split(' ').next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn keys_are_moved_once_and_counted_by_all() {
    for n in [2, 3, 4] {
        let mut bins = Resident::from(vec![3; 100]);
        let mut expected = vec![3; 100];
        let mut host = keys(4001);
        let mut keys = Resident::from(host.clone());
        let run = |keys: &Resident<u16>, bins: &mut Resident<u32>| {
            let ((), moved) = moved(|| {
                with_device(Device::Sims(n), || count_shares::on(keys, bins)).unwrap();
            });
            // Bins come by way of the host.
            assert_eq!(moved.downloaded_bytes, u64::from(n) * 400, "{moved}");
            moved
        };
        let count_host =
            |keys: &[u16], bins: &mut [u32]| with_device(Device::Seq, || count(keys, bins));
        let first = run(&keys, &mut bins);
        count_host(&host, &mut expected);
        assert_eq!(bins.host(), expected);
        assert_eq!(
            (first.uploads, first.uploaded_bytes),
            (u64::from(n), 8002),
            "{first}"
        );
        let shares = shares(&count_shares::explain());
        assert_eq!(shares.len(), n as usize);
        assert_eq!(shares.iter().sum::<u64>(), 4001);
        let each = 4001 / u64::from(n);
        assert!(
            shares.iter().all(|own| (each..=each + 2).contains(own)),
            "{shares:?}"
        );
        for _ in 0..3 {
            let again = run(&keys, &mut bins);
            count_host(&host, &mut expected);
            assert_eq!(again.uploads, 0, "{again}");
            assert!(again.launches >= u64::from(n), "{again}");
        }
        assert_eq!(bins.host(), expected);
        // What the host has changed goes there again, all of it: nobody knows what he has changed.
        host[17] = 99;
        keys.host_mut()[17] = 99;
        assert_eq!(run(&keys, &mut bins).uploaded_bytes, 8002);
        count_host(&host, &mut expected);
        assert_eq!(bins.host(), expected);
    }
}

#[test]
fn what_is_written_stays_in_parts() {
    let host = values(3000);
    let (a, mut b) = (Resident::from(host.clone()), Resident::from(vec![0; 3000]));
    let three = |f: &mut dyn FnMut() -> Result<(), Error>| {
        moved(|| with_device(Device::Sims(3), f).unwrap()).1
    };
    let first = three(&mut || turn::on(&a, &mut b));
    // Each of the two goes there once, and nothing comes back.
    assert_eq!(
        (first.uploaded_bytes, first.downloads),
        (24_000, 0),
        "{first}"
    );
    assert_eq!(copies(&three(&mut || turn::on(&a, &mut b))), (0, 0));
    let in_place = three(&mut || add::on(&mut b, 2));
    assert_eq!(copies(&in_place), (0, 0), "{in_place}");
    // A sum needs what is there.
    let sum =
        |values: &Resident<i32>| with_device(Device::Sims(3), || extremes::on(values)).unwrap();
    let (found, moved_) = moved(|| sum(&b));
    let expected: Vec<i32> = host.iter().rev().map(|v| v + 3).collect();
    assert_eq!(found, with_device(Device::Seq, || extremes(&expected)));
    assert_eq!(
        moved_.uploaded_bytes,
        3 * 8,
        "the minimum and the maximum start from no zero: {moved_}"
    );
    // All parts come to the host, once.
    let (_, gathered) = moved(|| assert_eq!(b.host(), expected));
    assert_eq!(
        (gathered.downloads, gathered.downloaded_bytes),
        (3, 12_000),
        "{gathered}"
    );
    let (_, again) = moved(|| b.host()[0]);
    assert_eq!(again, Stats::default());
    // Both are alike now: a call moves nothing.
    assert_eq!(
        format!("{b:?}"),
        "Resident<i32>(3000, on the host and on sim, sim, sim)"
    );
    assert_eq!(copies(&three(&mut || add::on(&mut b, 0))), (0, 0));
    assert_eq!(
        format!("{b:?}"),
        "Resident<i32>(3000, newer on sim, sim, sim)"
    );
    assert_eq!(b.into_vec(), expected);
}

#[test]
fn neighbours_get_the_seams_and_nothing_else() {
    let mut expected = values(4000);
    let mut now = Resident::from(expected.clone());
    let mut next = now.clone();
    let mut other = expected.clone();
    for step in 0..8 {
        let ((), moved) =
            moved(|| with_device(Device::Sims(4), || blur::on(&now, &mut next)).unwrap());
        std::mem::swap(&mut now, &mut next);
        with_device(Device::Seq, || blur(&expected, &mut other));
        std::mem::swap(&mut expected, &mut other);
        // Of three seams an element each way, once the edges are there; by way of the host.
        if step > 2 {
            assert_eq!(
                (moved.downloads, moved.downloaded_bytes),
                (6, 24),
                "{step}: {moved}"
            );
            assert_eq!(
                (moved.uploads, moved.uploaded_bytes),
                (6, 24),
                "{step}: {moved}"
            );
        }
    }
    assert_eq!(now.host(), expected);
    assert_eq!(next.host(), other);
}

#[test]
fn a_table_goes_to_each_device() {
    let table = Resident::from(values(100));
    let at = Resident::from(keys(2000));
    let mut out = Resident::from(vec![0; 2000]);
    let run = |out: &mut Resident<i32>| {
        moved(|| with_device(Device::Sims(2), || look_up::on(&table, &at, out)).unwrap()).1
    };
    assert_eq!(run(&mut out).uploaded_bytes, 2 * 400 + 4000 + 8000);
    assert_eq!(copies(&run(&mut out)), (0, 0));
    let expected: Vec<i32> = at
        .host()
        .iter()
        .map(|&k| table.host()[k as usize])
        .collect();
    assert_eq!(out.host(), expected);
}

#[test]
fn parts_are_of_whole_elements() {
    let host: Vec<[f32; 3]> = (0..1502)
        .map(|i| [i, i * 3 % 7, i % 5].map(|v| v as f32))
        .collect();
    let points = Resident::from(host.clone());
    let (mut out, mut expected) = (Resident::from(vec![0.0; 751]), vec![0.0; 751]);
    with_device(Device::Seq, || lengths(&host, &mut expected));
    let calls = [(); 2].map(|()| {
        moved(|| with_device(Device::Sims(3), || lengths::on(&points, &mut out)).unwrap()).1
    });
    assert_eq!(calls.map(|m| m.uploaded_bytes), [1502 * 12 + 751 * 4, 0]);
    assert_eq!(shares(&lengths::explain()).len(), 3);
    assert_eq!(out.host(), expected);
    // From the second on: nothing is where it was.
    let mut rest = vec![0.0; 750];
    with_device(Device::Seq, || lengths(&host[1..], &mut rest));
    with_device(Device::Sims(2), || {
        lengths::on(points.slice(1..), out.slice_mut(..750))
    })
    .unwrap();
    assert_eq!(out.host()[..750], rest);
    assert_eq!(out.host()[750], expected[750]);
}

#[test]
fn what_is_shared_in_a_scope_stays_in_parts() {
    let keys = keys(5000);
    let mut bins = vec![0; 100];
    let moves = accrue::resident(|r| {
        r.share(&keys);
        [(); 3].map(|()| {
            moved(|| with_device(Device::Sims(2), || count::try_call(&keys, &mut bins)).unwrap()).1
        })
    });
    assert_eq!(moves.map(|m| m.uploaded_bytes), [10_000, 0, 0]);
    assert_eq!(bins, [150; 100]);
}

#[test]
fn slices_and_what_stays_are_mixed() {
    let now = values(3000);
    let mut expected = vec![4; 3000];
    with_device(Device::Seq, || blur(&now, &mut expected));
    // What is read stays, what is written is a slice, in pieces too.
    let mut next = vec![4; 3000];
    accrue::resident(|r| {
        r.share(&now);
        for memory in [1 << 20, 13_000] {
            next.fill(4);
            let call = || with_memory(memory, || blur::try_call(&now, &mut next));
            let (done, moved) = moved(|| with_device(Device::Sims(3), call));
            done.unwrap();
            assert_eq!(next, expected);
            // Both edges, and two seams twice.
            let read = if memory == 1 << 20 { 3004 } else { 0 };
            assert_eq!(moved.uploaded_bytes, 4 * (2998 + read), "{moved}");
        }
    });
    // The other way round.
    let mut next = Resident::from(vec![4; 3000]);
    for _ in 0..2 {
        with_device(Device::Sims(3), || blur::on(&now, &mut next)).unwrap();
    }
    let again = moved(|| with_device(Device::Sims(3), || blur::on(&now, &mut next)).unwrap()).1;
    assert_eq!((again.uploaded_bytes, again.downloads), (4 * 3004, 0));
    assert_eq!(next.host(), expected);
}

#[test]
fn another_number_of_devices_gets_what_it_has_not() {
    let host = values(2400);
    let mut all = Resident::from(host.clone());
    let bytes = |device, all: &Resident<i32>| {
        let (found, moved) = moved(|| with_device(device, || extremes::on(all)).unwrap());
        assert_eq!(found, with_device(Device::Seq, || extremes(&host)));
        moved.uploaded_bytes
            - match device {
                Device::Sims(n) => u64::from(n) * 8,
                _ => 16,
            }
    };
    // A half each, then the first gets the second half.
    assert_eq!(bytes(Device::Sims(2), &all), 9600);
    assert_eq!(bytes(Device::Sim, &all), 4800);
    assert_eq!(bytes(Device::Sims(2), &all), 0);
    // Of four quarters the first two devices have theirs: the second has the third and fourth.
    assert_eq!(bytes(Device::Sims(4), &all), 3 * 2400);
    assert_eq!(bytes(Device::Sims(2), &all), 0);
    // What the second has written comes to the first by way of the host.
    let write = |device, all: &mut Resident<i32>| {
        moved(|| with_device(device, || add::on(all, 1)).unwrap()).1
    };
    assert_eq!(copies(&write(Device::Sims(2), &mut all)), (0, 0));
    let back = write(Device::Sim, &mut all);
    assert_eq!((back.downloaded_bytes, back.uploaded_bytes), (4800, 4800));
    let over = write(Device::Cpu, &mut all);
    assert_eq!((over.downloaded_bytes, over.uploads), (9600, 0));
    let expected: Vec<i32> = host.iter().map(|v| v + 3).collect();
    assert_eq!(all.host(), expected);
}

#[test]
fn a_call_on_a_part_brings_no_more_than_that() {
    let host = values(2000);
    let mut all = Resident::from(host.clone());
    with_device(Device::Sims(2), || add::on(&mut all, 1)).unwrap();
    let on_first = |range: std::ops::Range<usize>, all: &mut Resident<i32>| {
        moved(|| with_device(Device::Sim, || add::on(all.slice_mut(range), 1)).unwrap()).1
    };
    assert_eq!(copies(&on_first(100..900, &mut all)), (0, 0));
    let seam = on_first(900..1100, &mut all);
    assert_eq!((seam.downloaded_bytes, seam.uploaded_bytes), (400, 400));
    let (_, gathered) = moved(|| all.host()[0]);
    assert_eq!(gathered.downloaded_bytes, 8000);
    let expected = |(at, v): (usize, &i32)| v + 1 + i32::from((100..1100).contains(&at));
    let expected: Vec<i32> = host.iter().enumerate().map(expected).collect();
    assert_eq!(all.host(), expected);
}

#[test]
fn a_fault_leaves_what_the_host_has() {
    let mut host = values(3000);
    host[2500] = 2_000_000;
    host[1700] = 3_000_000;
    let mut all = Resident::from(host.clone());
    for _ in 0..2 {
        let error = with_device(Device::Sims(3), || add::on(&mut all, 1)).unwrap_err();
        assert!(
            matches!(
                error,
                Error::Panicked {
                    iteration: Some(1700),
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(all.host(), host);
    }
    let mut keys = keys(3000);
    keys[2999] = 100;
    let mut bins = Resident::from(vec![5; 100]);
    let mut keys = Resident::from(keys);
    let error = with_device(Device::Sims(3), || count::on(&keys, &mut bins)).unwrap_err();
    assert!(
        matches!(
            error,
            Error::BinOutOfRange {
                iteration: 2999,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(bins.host(), [5; 100]);
    keys.host_mut()[2999] = 99;
    with_device(Device::Sims(3), || count::on(&keys, &mut bins)).unwrap();
    assert_eq!(bins.host().iter().sum::<u32>(), 3500);
}

#[test]
fn parts_that_do_not_fit_come_and_go() {
    let host = values(4000);
    let mut expected = vec![-1; 4000];
    with_device(Device::Seq, || blur_pieces(&host, &mut expected));
    let (now, mut next) = (Resident::from(host), Resident::from(vec![-1; 4000]));
    for _ in 0..2 {
        with_device(Device::Sims(2), || {
            with_memory(6000, || blur_pieces::on(&now, &mut next))
        })
        .unwrap();
        // Of the first device.
        let explained = blur_pieces::explain();
        let (_, rest) = explained.split_once("pieces: ").expect("it was divided");
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        assert!(digits.parse::<u64>().unwrap() > 2, "{explained}");
    }
    assert_eq!(next.host(), expected);
}

/// Calls in any order on any devices, beside the sequential loop on vectors.
#[test]
fn any_order_of_devices_is_the_sequential_loop() {
    let mut state = 20_261_126_u64;
    let mut next = |n: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    for round in 0..12 {
        let len = [700, 1024, 1501][round % 3];
        let mut a = values(len);
        let mut b: Vec<i32> = a.iter().map(|v| v * 3).collect();
        let (mut far_a, mut far_b) = (Resident::from(a.clone()), Resident::from(b.clone()));
        let keys = keys(len as usize);
        let far_keys = Resident::from(keys.clone());
        let (mut bins, mut far_bins) = (vec![1; 100], Resident::from(vec![1; 100]));
        for step in 0..30 {
            let device = match next(8) {
                0 => Device::Cpu,
                1 | 2 => Device::Sim,
                3 | 4 => Device::Sims(2),
                5 => Device::Sims(3),
                _ => Device::Sims(4),
            };
            let what = next(12);
            let on = |call: &mut dyn FnMut() -> Result<(), Error>| {
                with_device(device, call).unwrap_or_else(|e| panic!("{round} {step}: {e}"));
            };
            let here = |call: &mut dyn FnMut()| with_device(Device::Seq, call);
            match what {
                0 | 1 => {
                    on(&mut || blur::on(&far_a, &mut far_b));
                    here(&mut || blur(&a, &mut b));
                }
                2 => {
                    on(&mut || turn::on(&far_a, &mut far_b));
                    here(&mut || turn(&a, &mut b));
                }
                3 => {
                    on(&mut || add::on(&mut far_a, 7));
                    here(&mut || add(&mut a, 7));
                }
                4 => {
                    // A part, from anywhere to anywhere.
                    let start = next(300) as usize;
                    let end = start + 20 + next(300) as usize;
                    on(&mut || add::on(far_b.slice_mut(start..end), 3));
                    here(&mut || add(&mut b[start..end], 3));
                }
                5 => {
                    let start = next(300) as usize;
                    let end = start + 20 + next(300) as usize;
                    on(&mut || blur::on(far_a.slice(start..end), far_b.slice_mut(start..end)));
                    here(&mut || blur(&a[start..end], &mut b[start..end]));
                }
                6 => {
                    on(&mut || count::on(&far_keys, &mut far_bins));
                    here(&mut || count(&keys, &mut bins));
                }
                7 => {
                    on(&mut || prefix::on(&far_a, &mut far_b));
                    here(&mut || prefix(&a, &mut b));
                    here(&mut || b.iter_mut().for_each(|v| *v = v.rem_euclid(999)));
                    far_b
                        .host_mut()
                        .iter_mut()
                        .for_each(|v| *v = v.rem_euclid(999));
                }
                8 => {
                    let at = next(len as u64) as usize;
                    far_a.host_mut()[at] = 4;
                    a[at] = 4;
                }
                9 => {
                    on(&mut || {
                        let found = extremes::on(&far_b)?;
                        assert_eq!(
                            found,
                            with_device(Device::Seq, || extremes(&b)),
                            "{round} {step}"
                        );
                        Ok(())
                    });
                }
                10 => {
                    on(&mut || twice::on(&far_a, &mut far_b));
                    here(&mut || twice(&a, &mut b));
                }
                _ => assert_eq!(far_b.host(), b, "{round} {step}"),
            }
            if next(3) == 0 {
                std::mem::swap(&mut a, &mut b);
                std::mem::swap(&mut far_a, &mut far_b);
            }
        }
        assert_eq!((far_a.host(), far_b.host()), (&a[..], &b[..]), "{round}");
        assert_eq!(far_bins.host(), bins, "{round}");
    }
}

#[offload(require = "cuda")]
fn brighten(image: &[u8], w: usize, h: usize, out: &mut [u8]) {
    for y in 0..h {
        for x in 0..w {
            out[y * w + x] = image[y * w + x].saturating_add(100);
        }
    }
}

#[offload(require = "cuda")]
fn iterate(image: &[u8], w: usize, h: usize, most: u32, out: &mut [u32]) {
    for y in 0..h {
        for x in 0..w {
            let mut v = u32::from(image[y * w + x]) + (x + y) as u32;
            for n in 0..most {
                v = (v * v + n) % 1009;
            }
            out[y * w + x] = v;
        }
    }
}

#[offload(require = "cuda")]
fn by_rows(image: &[u8], w: usize, out: &mut [u32]) {
    for (from, to) in image.chunks_exact(w).zip(out.chunks_exact_mut(w)) {
        let mut sum = 0;
        for i in 0..w {
            sum += u32::from(from[i]);
            to[i] = sum;
        }
    }
}

#[offload(require = "cuda")]
fn cross(image: &[u8], w: usize, h: usize, out: &mut [u8]) {
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            let around = u32::from(image[(y - 1) * w + x]) + u32::from(image[(y + 1) * w + x]);
            let beside = u32::from(image[y * w + x - 1]) + u32::from(image[y * w + x + 1]);
            out[y * w + x] = ((around + beside) / 4) as u8;
        }
    }
}

#[test]
fn maps_over_rows_and_columns_are_divided_between_rows() {
    for (w, h) in [(37, 50), (64, 33), (500, 3)] {
        let host: Vec<u8> = (0..w * h).map(|i| (i * 7 % 251) as u8).collect();
        let image = Resident::from(host.clone());
        let (mut bytes, mut words) = (vec![1; w * h], vec![1; w * h]);
        let mut far_bytes = Resident::from(bytes.clone());
        let mut far_words = Resident::from(words.clone());
        let on = |call: &mut dyn FnMut() -> Result<(), Error>| {
            with_device(Device::Sims(3), &mut *call).unwrap();
            let ((), moved) = moved(|| with_device(Device::Sims(3), call).unwrap());
            assert_eq!(copies(&moved), (0, 0), "{w} x {h}: {moved}");
        };
        on(&mut || brighten::on(&image, w, h, &mut far_bytes));
        assert_eq!(shares(&brighten::explain()).len(), 3);
        with_device(Device::Seq, || brighten(&host, w, h, &mut bytes));
        assert_eq!(far_bytes.host(), bytes, "{w} x {h}");
        on(&mut || iterate::on(&image, w, h, 9, &mut far_words));
        assert_eq!(shares(&iterate::explain()).len(), 3);
        with_device(Device::Seq, || iterate(&host, w, h, 9, &mut words));
        assert_eq!(far_words.host(), words, "{w} x {h}");
        on(&mut || by_rows::on(&image, w, &mut far_words));
        assert_eq!(shares(&by_rows::explain()).len(), 3);
        with_device(Device::Seq, || by_rows(&host, w, &mut words));
        assert_eq!(far_words.host(), words, "{w} x {h}");
        // Slices too, in pieces on one device.
        let mut out = vec![0; w * h];
        with_device(Device::Sims(2), || {
            iterate::try_call(&host, w, h, 9, &mut out)
        })
        .unwrap();
        with_device(Device::Seq, || iterate(&host, w, h, 9, &mut words));
        assert_eq!(out, words);
        out.fill(0);
        let few = (w * h * 5 / 2 + 4 * w * 5 + 3000) as u64;
        with_device(Device::Sim, || {
            with_memory(few, || iterate::try_call(&host, w, h, 9, &mut out))
        })
        .unwrap();
        assert_eq!(out, words);
        // Threads that have rows and columns at a time take all of them.
        with_device(Device::Sims(3), || cross::on(&image, w, h, &mut far_bytes)).unwrap();
        let explained = cross::explain();
        assert!(
            explained.contains("on the first of 3 devices"),
            "{explained}"
        );
        with_device(Device::Seq, || cross(&host, w, h, &mut bytes));
        assert_eq!(far_bytes.host(), bytes, "{w} x {h}");
    }
}

#[offload(require = "cuda")]
fn divide(image: &[u8], w: usize, h: usize, most: u32, out: &mut [u32]) {
    for y in 0..h {
        for x in 0..w {
            let v = u32::from(image[y * w + x]);
            assert!(v > 0, "nothing");
            let mut sum = v;
            for n in 1..most {
                sum += 1000 * n / v;
            }
            out[y * w + x] = sum;
        }
    }
}

#[test]
fn a_fault_of_a_map_over_rows_is_told_by_its_number() {
    let (w, h) = (40, 31);
    let mut host = vec![5u8; w * h];
    let mut expected = vec![0; w * h];
    with_device(Device::Seq, || divide(&host, w, h, 6, &mut expected));
    let mut out = Resident::from(vec![7; w * h]);
    for at in [3, 17 * w + 39, 30 * w] {
        host[at] = 0;
        host[w * h - 1] = 0;
        let error = with_device(Device::Sims(3), || divide::on(&host, w, h, 6, &mut out));
        let error = error.unwrap_err();
        assert!(
            matches!(error, Error::Panicked { iteration: Some(i), .. } if i == at as u64),
            "{error}"
        );
        assert!(out.host().iter().all(|v| *v == 7));
        host[at] = 5;
        host[w * h - 1] = 5;
    }
    with_device(Device::Sims(3), || divide::on(&host, w, h, 6, &mut out)).unwrap();
    assert_eq!(shares(&divide::explain()).len(), 3);
    assert_eq!(out.host(), expected);
}
