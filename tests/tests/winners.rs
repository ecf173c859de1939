//! The best items on every device: a kernel finds the iterations that have them, and the host runs those.

#![allow(clippy::all, reason = "loops are written as people write them")]

use accrue::{Device, offload, with_device};

/// A function as it is written, and offloaded.
macro_rules! both {
    ($($plain:ident $offloaded:ident($($name:ident: $ty:ty),*) -> $out:ty $body:block)*) => {
        $(
            fn $plain($($name: $ty),*) -> $out $body

            #[offload]
            fn $offloaded($($name: $ty),*) -> $out $body
        )*
    };
}

both! {
    least_plain least(x: &[f32]) -> (f32, usize) {
        let (mut best, mut at) = (f32::MAX, 7777);
        for i in 0..x.len() {
            if x[i] < best {
                best = x[i];
                at = i;
            }
        }
        (best, at)
    }

    last_greatest_plain last_greatest(x: &[f32]) -> (f32, usize) {
        let (mut best, mut at) = (f32::MIN, 7777);
        for i in 0..x.len() {
            if x[i] >= best {
                best = x[i];
                at = i;
            }
        }
        (best, at)
    }

    bytes_plain bytes(x: &[u8]) -> (u8, usize) {
        let (mut best, mut at) = (0u8, 9usize);
        for (i, v) in x.iter().enumerate() {
            if best < *v {
                best = *v;
                at = i;
            }
        }
        (best, at)
    }

    by_index_plain by_index(x: &[i32]) -> usize {
        let mut at = 0usize;
        for i in 1..x.len() {
            if x[i] > x[at] {
                at = i;
            }
        }
        at
    }

    some_of_them_plain some_of_them(x: &[i16]) -> (Option<usize>, i16) {
        let mut at = None;
        let mut best = i16::MAX;
        for (i, &v) in x.iter().enumerate() {
            if i % 3 == 0 && v <= best && v != 5 {
                best = v;
                at = Some(i);
            }
        }
        (at, best)
    }

    two_plain two(x: &[u32]) -> (u32, usize, u32, usize) {
        let (mut low, mut i_low, mut high, mut i_high) = (u32::MAX, 0, 0u32, 0);
        for i in 0..x.len() {
            let v = x[i];
            if v < low {
                low = v;
                i_low = i;
            }
            if v > high {
                high = v;
                i_high = i;
            }
        }
        (low, i_low, high, i_high)
    }

    place_plain place(x: &[f32], w: usize) -> (f32, usize, usize) {
        let (mut best, mut at_x, mut at_y) = (-1.0f32, 0, 0);
        let h = if w == 0 { 0 } else { x.len() / w };
        for y in 0..h {
            for c in 0..w {
                let v = x[y * w + c];
                if v > best {
                    best = v;
                    at_x = c;
                    at_y = y;
                }
            }
        }
        (best, at_x, at_y)
    }

    computed_plain computed(x: &[f32], near: f32) -> (f32, f32) {
        let (mut best, mut other) = (0.5f32, 0.0);
        for i in 0..x.len() {
            let d = (x[i] - near).abs();
            if d < best {
                best = d;
                other = x[i] * 2.0;
            }
        }
        (best, other)
    }

    of_equals_plain of_equals(x: &[u32]) -> (u32, usize) {
        let (mut best, mut at) = (u32::MAX, 99);
        for i in 0..x.len() {
            if x[i] <= best {
                best = x[i];
                at = i;
            }
        }
        (best, at)
    }

    wide_plain wide(x: &[f64]) -> (f64, usize) {
        let (mut best, mut at) = (f64::MAX, 99);
        for i in 0..x.len() {
            if x[i] < best {
                best = x[i];
                at = i;
            }
        }
        (best, at)
    }

    wide_last_plain wide_last(x: &[f64]) -> (f64, usize) {
        let (mut best, mut at) = (f64::MIN, 99);
        for i in 0..x.len() {
            if x[i] >= best {
                best = x[i];
                at = i;
            }
        }
        (best, at)
    }

    signed_plain signed(x: &[i64]) -> (i64, usize) {
        let (mut best, mut at) = (-3, 99);
        for (i, v) in x.iter().enumerate() {
            if *v > best {
                best = *v;
                at = i;
            }
        }
        (best, at)
    }

    mixed_plain mixed(x: &[usize], y: &[f32]) -> (usize, usize, f32, u32) {
        let (mut best, mut at, mut z, mut k) = (usize::MAX, 99, f32::INFINITY, 0u32);
        for i in 0..x.len() {
            if x[i] <= best {
                best = x[i];
                at = i;
            }
            if y[i] < z {
                z = y[i];
                k = i as u32;
            }
        }
        (best, at, z, k)
    }

    first_plain first(x: &[u32], of: u32) -> (Option<usize>, bool, u32) {
        let (mut at, mut found, mut which) = (None, false, 9);
        for (i, &v) in x.iter().enumerate() {
            if v % 7 == of && at.is_none() {
                at = Some(i);
            }
            if !found && v > 5 {
                found = true;
                which = v;
            }
        }
        (at, found, which)
    }

    in_steps_plain in_steps(x: &[f32], times: usize) -> Vec<usize> {
        let n = x.len();
        let mut far = vec![f32::INFINITY; n];
        let mut found = Vec::new();
        let mut at = 0usize;
        for _ in 0..times.min(n) {
            found.push(at);
            let c = x[at];
            for i in 0..n {
                let d = (x[i] - c).abs();
                if d < far[i] {
                    far[i] = d;
                }
            }
            let mut best = -1.0f32;
            for i in 0..n {
                if far[i] > best {
                    best = far[i];
                    at = i;
                }
            }
        }
        found
    }
}

/// Numbers of which many are equal, or few, or all, with zeros of both signs and NaNs.
fn numbers(n: usize, kind: usize) -> Vec<u64> {
    let mut state = 12345 + kind as u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..n).map(|_| next()).collect()
}

fn compare(devices: &[Device], sizes: &[usize]) {
    for &n in sizes {
        for (kind, different) in [2u64, 10, 1 << 32, 1].into_iter().enumerate() {
            let all = numbers(n, kind);
            let small = |v: &u64| v % different;
            let floats: Vec<f32> = all
                .iter()
                .map(|v| match v >> 61 {
                    0 => -(small(v) as f32),
                    1 => f32::NAN,
                    2 => -0.0,
                    3 => 0.0,
                    4 if kind == 2 => f32::INFINITY,
                    _ => small(v) as f32 / 7.0,
                })
                .collect();
            let words: Vec<u32> = match kind {
                3 => vec![u32::MAX; n],
                _ => all.iter().map(|v| small(v) as u32).collect(),
            };
            let bytes_of: Vec<u8> = all.iter().map(|v| small(v) as u8).collect();
            let half = (different / 2) as i64;
            let longs: Vec<i64> = all.iter().map(|v| small(v) as i64 - half).collect();
            let ints: Vec<i32> = longs.iter().map(|&v| v as i32).collect();
            let shorts: Vec<i16> = all.iter().map(|v| small(v) as i16).collect();
            let doubles: Vec<f64> = floats.iter().map(|&v| v.into()).collect();
            let sizes: Vec<usize> = match kind {
                3 => vec![usize::MAX; n],
                _ => all.iter().map(|v| (small(v) as usize) << 31).collect(),
            };
            let positive: Vec<f32> = words.iter().map(|&v| v as f32).collect();
            macro_rules! same {
                ($($plain:ident $offloaded:ident($($arg:expr),*);)*) => {
                    $(
                        // As text, so that zeros have signs and a NaN is one.
                        let expected = format!("{:?}", $plain($($arg),*));
                        for device in devices {
                            let got = with_device(*device, || $offloaded($($arg),*));
                            let name = stringify!($offloaded);
                            assert_eq!(format!("{got:?}"), expected, "{name} on {device}, {n} items, kind {kind}");
                        }
                    )*
                };
            }
            same! {
                least_plain least(&floats);
                last_greatest_plain last_greatest(&floats);
                bytes_plain bytes(&bytes_of);
                by_index_plain by_index(&ints);
                some_of_them_plain some_of_them(&shorts);
                two_plain two(&words);
                place_plain place(&floats, n.min(7));
                computed_plain computed(&floats, 0.25);
                of_equals_plain of_equals(&words);
                wide_plain wide(&doubles);
                wide_last_plain wide_last(&doubles);
                signed_plain signed(&longs);
                mixed_plain mixed(&sizes, &floats);
                first_plain first(&words, 3);
                in_steps_plain in_steps(&positive, 5);
            }
            #[cfg(feature = "sim")]
            for device in devices.iter().filter(|d| matches!(d, Device::Sim)) {
                macro_rules! same_of_buffers {
                    ($($plain:ident $offloaded:ident($($data:expr),* $(; $value:expr)?);)*) => {
                        $({
                            let expected = format!("{:?}", $plain($($data),* $(, $value)?));
                            let got = with_device(*device, || $offloaded::on($(&accrue::DeviceBuffer::from_slice($data).unwrap()),* $(, $value)?));
                            let name = stringify!($offloaded);
                            assert_eq!(format!("{:?}", got.unwrap()), expected, "{name} of buffers, {n} items, kind {kind}");
                        })*
                    };
                }
                same_of_buffers! {
                    least_plain least(&floats);
                    last_greatest_plain last_greatest(&floats);
                    bytes_plain bytes(&bytes_of);
                    two_plain two(&words);
                    place_plain place(&floats; n.min(7));
                    computed_plain computed(&floats; 0.25);
                    of_equals_plain of_equals(&words);
                    wide_plain wide(&doubles);
                    wide_last_plain wide_last(&doubles);
                    signed_plain signed(&longs);
                    mixed_plain mixed(&sizes, &floats);
                }
                if n > 0 {
                    same_of_buffers!(by_index_plain by_index(&ints););
                }
            }
        }
    }
}

#[test]
fn the_cpu_finds_them() {
    compare(
        &[Device::Seq, Device::Cpu],
        &[0, 1, 2, 3, 31, 1000, 100_000],
    );
}

#[cfg(feature = "sim")]
#[test]
fn kernels_find_them() {
    compare(
        &[Device::Sim, Device::Sims(3)],
        &[0, 1, 2, 3, 31, 100, 2500],
    );
    for told in [
        least::explain(),
        some_of_them::explain(),
        two::explain(),
        place::explain(),
        mixed::explain(),
        first::explain(),
        in_steps::explain(),
    ] {
        assert!(told.contains("grid on "), "{told}");
    }
}

/// What a kernel cannot reach is the sequential loop's panic, and nothing is kept.
#[cfg(feature = "sim")]
#[test]
fn a_fault_is_the_loop_s() {
    #[offload]
    fn looked_up(at: &[u32], x: &[f32], best: &mut f32, which: &mut usize) {
        for i in 0..at.len() {
            let v = x[at[i] as usize];
            if v < *best {
                *best = v;
                *which = i;
            }
        }
    }
    let x = [3.0, 1.0, 2.0];
    for device in [Device::Seq, Device::Cpu, Device::Sim] {
        let (mut best, mut which) = (9.0, 5);
        let call = |at: &[u32], best: &mut f32, which: &mut usize| {
            with_device(device, || looked_up::try_call(at, &x, best, which))
        };
        let error = call(&[0, 1, 3, 2], &mut best, &mut which).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("the len is 3 but the index is 3"),
            "{error}"
        );
        assert_eq!((best, which), (9.0, 5), "on {device}");
        call(&[0, 2, 1, 1], &mut best, &mut which).unwrap();
        assert_eq!((best, which), (1.0, 2), "on {device}");
    }
    with_device(Device::Sim, || {
        let of = |at: &[u32]| accrue::DeviceBuffer::from_slice(at).unwrap();
        let (mut best, mut which) = (9.0, 5);
        let error = looked_up::on(&of(&[0, 1, 3, 2]), &x, &mut best, &mut which).unwrap_err();
        assert!(error.is_fault(), "{error}");
        assert_eq!((best, which), (9.0, 5));
        looked_up::on(&of(&[0, 2, 1, 1]), &x, &mut best, &mut which).unwrap();
        assert_eq!((best, which), (1.0, 2));
    });
}

/// Where data stay on a device, nothing comes to the host but what is kept.
#[cfg(feature = "sim")]
#[test]
fn data_may_be_on_the_device() {
    use accrue::{DeviceBuffer, Error, Resident, Stream};

    #[offload]
    fn negate(x: &mut [f32]) {
        for v in x.iter_mut() {
            *v = -*v;
        }
    }
    let x: Vec<f32> = (0..3000).map(|i| (i * 7919 % 3001) as f32).collect();
    let greatest = x.iter().copied().fold(f32::MIN, f32::max);
    let at = x.iter().position(|v| *v == greatest).unwrap();
    with_device(Device::Sim, || {
        let mut resident = Resident::from(x.clone());
        negate::on(&mut resident).unwrap();
        let before = accrue::stats();
        assert_eq!(least::on(&resident).unwrap(), (-greatest, at));
        let moved = accrue::stats() - before;
        assert!(moved.downloaded_bytes < 100, "{moved:?}");
        assert!(
            least::explain().contains("grid on "),
            "{}",
            least::explain()
        );
        accrue::resident(|r| {
            r.share(&x);
            assert_eq!(last_greatest(&x), (greatest, at));
        });
        // What is kept may be no number; and a queued call does not wait.
        let words: Vec<i16> = (0..100).collect();
        let buffer = DeviceBuffer::from_slice(&words).unwrap();
        let error = some_of_them::on(&buffer).unwrap_err();
        assert!(matches!(error, Error::NotOnDevice { .. }), "{error}");
        let stream = Stream::new().unwrap();
        let buffer = DeviceBuffer::from_slice_on(&stream, &x).unwrap();
        let error = least::on_stream(&stream, &buffer).unwrap_err();
        assert!(error.to_string().contains("does not wait"), "{error}");
    });
}

/// What is kept through references is assigned when all of it is known, and not at all where an iteration fails.
#[cfg(feature = "sim")]
#[test]
fn what_is_kept_of_buffers_may_be_anything_the_iteration_computes() {
    use accrue::DeviceBuffer;

    #[offload]
    fn nearest(
        points: &[[f32; 2]],
        to: [f32; 2],
        best: &mut f32,
        which: &mut u32,
        inside: &mut bool,
        side: &mut i8,
    ) {
        for (i, p) in points.iter().enumerate() {
            let (x, y) = (p[0] - to[0], p[1] - to[1]);
            let mut d = 0.0f32;
            for k in 0..2 {
                if p[k] == -1.0 {
                    continue;
                }
                d += (p[k] - to[k]) * (p[k] - to[k]);
            }
            if d < *best {
                *best = d;
                *which = i as u32;
                *inside = x.abs() < 1.0 && y.abs() < 1.0;
                *side = if x.max(-3.0) < 0.0 { -1 } else { 1 };
            }
        }
    }
    let points: Vec<[f32; 2]> = (0..777)
        .map(|i| [(i * 37 % 101) as f32 - 1.0, (i * 53 % 97) as f32])
        .collect();
    for to in [[30.25, 40.5], [0.0, 0.0], [-7.0, 96.0], [f32::NAN, 1.0]] {
        let run = |device: Device| {
            let (mut best, mut which, mut inside, mut side) = (1e9, 7, true, 3);
            with_device(device, || match device {
                Device::Seq => nearest(&points, to, &mut best, &mut which, &mut inside, &mut side),
                _ => {
                    let buffer = DeviceBuffer::from_slice(&points).unwrap();
                    nearest::on(&buffer, to, &mut best, &mut which, &mut inside, &mut side)
                        .unwrap();
                }
            });
            (best, which, inside, side)
        };
        assert_eq!(run(Device::Sim), run(Device::Seq), "{to:?}");
    }
}

/// Items of 16 bits and less, by vectors; those of 64 bits, by one launch unless they differ in the low bits alone.
macro_rules! keeps {
    ($($of:ident of $item:ty: $plain:ident $offloaded:ident $op:tt;)*) => {
        $(
            both! {
                $plain $offloaded(x: &[$item], begin: $item) -> ($item, usize) {
                    let (mut best, mut at) = (begin, 7777);
                    for (i, &v) in x.iter().enumerate() {
                        if v $op best {
                            best = v;
                            at = i;
                        }
                    }
                    (best, at)
                }
            }

            #[cfg(feature = "sim")]
            fn $of(all: &[u64], devices: &[Device]) {
                let items: Vec<$item> = all.iter().map(|v| *v as $item).collect();
                for begin in [<$item>::MIN, <$item>::MAX, 1 as $item] {
                    let expected = $plain(&items, begin);
                    for device in devices {
                        let got = with_device(*device, || $offloaded(&items, begin));
                        let name = stringify!($offloaded);
                        assert_eq!(got, expected, "{name} on {device}, {} items from {begin}", items.len());
                    }
                }
            }
        )*
    };
}

keeps! {
    u8_less of u8: u8_less_plain u8_less_off <;
    u8_as_little of u8: u8_as_little_plain u8_as_little_off <=;
    u8_more of u8: u8_more_plain u8_more_off >;
    u8_as_much of u8: u8_as_much_plain u8_as_much_off >=;
    i8_less of i8: i8_less_plain i8_less_off <;
    i8_as_much of i8: i8_as_much_plain i8_as_much_off >=;
    u16_as_little of u16: u16_as_little_plain u16_as_little_off <=;
    u16_more of u16: u16_more_plain u16_more_off >;
    i16_less of i16: i16_less_plain i16_less_off <;
    i16_as_much of i16: i16_as_much_plain i16_as_much_off >=;
    u64_less of u64: u64_less_plain u64_less_off <;
    u64_as_little of u64: u64_as_little_plain u64_as_little_off <=;
    i64_more of i64: i64_more_plain i64_more_off >;
    i64_as_much of i64: i64_as_much_plain i64_as_much_off >=;
}

#[cfg(feature = "sim")]
#[test]
fn items_of_any_width_are_compared_as_the_loop_does() {
    const TESTS: [fn(&[u64], &[Device]); 14] = [
        u8_less,
        u8_as_little,
        u8_more,
        u8_as_much,
        i8_less,
        i8_as_much,
        u16_as_little,
        u16_more,
        i16_less,
        i16_as_much,
        u64_less,
        u64_as_little,
        i64_more,
        i64_as_much,
    ];
    for n in [0, 1, 15, 64, 333, 5000] {
        for kind in 0..5 {
            let all = numbers(n, kind).into_iter().map(|v| match kind {
                0 => v,
                1 => v % 3,
                // Alike in all but the low bits.
                2 => (1 << 40) + v % 50,
                3 => u64::MAX,
                _ => 0,
            });
            let all: Vec<u64> = all.collect();
            TESTS
                .iter()
                .for_each(|test| test(&all, &[Device::Sim, Device::Sims(2)]));
        }
    }
}

#[cfg(feature = "sim")]
#[test]
fn a_second_launch_is_for_items_that_differ_in_the_low_bits() {
    let launches = |items: &[u64]| {
        let before = accrue::stats().launches;
        with_device(Device::Sim, || u64_less_off(items, u64::MAX));
        accrue::stats().launches - before
    };
    let apart: Vec<u64> = (0..1000u64).map(|i| (i ^ 700) << 32).collect();
    let alike: Vec<u64> = (0..1000u64).map(|i| i ^ 700).collect();
    let one = launches(&apart);
    assert!(one > 0);
    assert_eq!(launches(&[7; 1000]), one);
    assert_eq!(launches(&alike), 2 * one);
}
