//! Several devices that share calls: each does its part of the iterations, and together they do what the sequential loop does.

#![cfg(feature = "sim")]

use accrue::{
    Device, Error, Progress, Resident, offload, stats, with_device, with_memory, with_progress,
};

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
counts!(count, count_parts);

/// An operator each, and none that starts from zero.
#[expect(clippy::too_many_arguments, reason = "there are as many operators")]
#[offload(histogram, require = "cuda")]
fn all(
    values: &[i32],
    sum: &mut [i64; 8],
    less: &mut [u32; 8],
    product: &mut [u64; 8],
    low: &mut [i32; 8],
    high: &mut [i16; 8],
    bits: &mut [u8; 8],
    parity: &mut [u16; 8],
    full: &mut [u8; 8],
) {
    for &v in values {
        let at = (v & 7) as usize;
        sum[at] += i64::from(v);
        less[at] = less[at].wrapping_sub(v as u32);
        product[at] = product[at].wrapping_mul(v as u64 | 1);
        low[at] = low[at].min(v);
        high[at] = high[at].max(v as i16);
        bits[at] |= v as u8;
        parity[at] ^= v as u16;
        full[at] = full[at].saturating_add(1);
    }
}

#[offload(require = "cuda")]
fn statistics(values: &[f64]) -> (f64, f64, u64) {
    let (mut low, mut high, mut n) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    for &v in values {
        low = low.min(v);
        high = high.max(v);
        n += u64::from(v > 0.5);
    }
    (low, high, n)
}

#[offload(require = "cuda")]
fn blur(now: &[i32], next: &mut [i32]) {
    for i in 1..now.len() - 1 {
        next[i] = now[i - 1] + 2 * now[i] + now[i + 1];
    }
}

#[offload(require = "cuda")]
fn double(values: &mut [u32]) {
    for v in values.iter_mut() {
        assert!(*v < 1000, "too large");
        *v *= 2;
    }
}

#[offload(require = "cuda")]
fn prefix(values: &[u32], out: &mut [u64]) {
    let mut sum = 0;
    for i in 0..values.len() {
        sum += u64::from(values[i]);
        out[i] = sum;
    }
}

/// The iterations and pieces of each device in the last call, by `explain`.
fn parts(explained: &str) -> Vec<(u64, u64)> {
    let Some(line) = explained.lines().find(|l| l.contains("divided over")) else {
        return Vec::new();
    };
    let (_, rest) = line.split_once("devices: ").unwrap();
    let number = |text: &str| -> u64 { text.trim().parse().unwrap() };
    rest.split("; ")
        .map(|part| {
            let (positions, rest) = part.split_once(" iterations").unwrap();
            (number(positions), number(rest.rsplit_once(": ").unwrap().1))
        })
        .collect()
}

fn keys(n: usize) -> Vec<u16> {
    (0..n).map(|i| (i * 7919 % 100) as u16).collect()
}

#[test]
fn each_device_does_its_part() {
    let keys = keys(4001);
    let mut expected = vec![3; 100];
    with_device(Device::Seq, || count(&keys, &mut expected));
    for n in [2, 3, 4] {
        let mut bins = vec![3; 100];
        let before = stats();
        with_device(Device::Sims(n), || count_parts::try_call(&keys, &mut bins)).unwrap();
        assert_eq!(bins, expected, "{n}");
        let parts = parts(&count_parts::explain());
        assert_eq!(parts.len(), n as usize, "{}", count_parts::explain());
        let each = 4001 / u64::from(n);
        assert!(parts.iter().all(|(own, _)| (each..=each + 2).contains(own)));
        assert_eq!(parts.iter().map(|p| p.0).sum::<u64>(), 4001);
        // What all devices have moved together: the keys once, and bins of each, which start there at zero.
        let moved = stats() - before;
        assert_eq!(moved.uploaded_bytes, 8002, "{moved}");
        assert_eq!(moved.downloaded_bytes, u64::from(n) * 400, "{moved}");
        assert!(moved.launches >= u64::from(n));
    }
    // One simulator divides nothing.
    let mut bins = vec![3; 100];
    with_device(Device::Sims(1), || count_parts::try_call(&keys, &mut bins)).unwrap();
    assert_eq!(bins, expected);
    assert_eq!(parts(&count_parts::explain()), []);
}

#[test]
fn every_operator_combines_what_devices_have() {
    let values: Vec<i32> = (0..3000).map(|i| (i * 31 % 2003) - 900).collect();
    let run = |device| {
        let mut of = (
            [5; 8], [7; 8], [3; 8], [-2; 8], [9; 8], [64; 8], [0xf0f; 8], [200; 8],
        );
        with_device(device, || {
            all::try_call(
                &values, &mut of.0, &mut of.1, &mut of.2, &mut of.3, &mut of.4, &mut of.5,
                &mut of.6, &mut of.7,
            )
        })
        .unwrap();
        of
    };
    let expected = run(Device::Seq);
    assert_eq!(run(Device::Sims(3)), expected);
    assert_eq!(parts(&all::explain()).len(), 3, "{}", all::explain());
    let values: Vec<f64> = (0..2000)
        .map(|i| f64::from(i * 7 % 1999) / 1999.0 - 0.1)
        .collect();
    let expected = with_device(Device::Seq, || statistics(&values));
    let found = with_device(Device::Sims(4), || statistics::try_call(&values));
    assert_eq!(found, Ok(expected));
    assert_eq!(parts(&statistics::explain()).len(), 4);
}

#[test]
fn maps_and_stencils_are_divided_and_pieced() {
    let now: Vec<i32> = (0..3000).map(|i| i * 37 % 501).collect();
    let mut expected = vec![-1; 3000];
    with_device(Device::Seq, || blur(&now, &mut expected));
    let mut next = vec![-1; 3000];
    with_device(Device::Sims(3), || blur::try_call(&now, &mut next)).unwrap();
    assert_eq!(next, expected);
    assert_eq!(parts(&blur::explain()).len(), 3);
    let mut next = vec![-1; 3000];
    with_device(Device::Sims(2), || {
        with_memory(5000, || blur::try_call(&now, &mut next))
    })
    .unwrap();
    assert_eq!(next, expected);
    let pieced = parts(&blur::explain());
    assert!(
        pieced.len() == 2 && pieced.iter().all(|p| p.1 > 3),
        "{pieced:?}"
    );
    let mut values: Vec<u32> = (0..2000).map(|i| i % 1000).collect();
    with_device(Device::Sims(2), || double::try_call(&mut values)).unwrap();
    assert!(
        values
            .iter()
            .enumerate()
            .all(|(i, v)| *v == 2 * (i as u32 % 1000))
    );
}

#[test]
fn the_earliest_fault_is_told_and_nothing_has_changed() {
    for wrong in [[10, 3000], [1500, 2500], [3900, 3950], [2001, 2000]] {
        let mut keys = keys(4000);
        for (n, at) in wrong.into_iter().enumerate() {
            keys[at] = 200 + n as u16;
        }
        let first = wrong[0].min(wrong[1]);
        let mut bins = vec![1; 100];
        let error = with_device(Device::Sims(3), || count::try_call(&keys, &mut bins));
        assert_eq!(
            error,
            Err(Error::BinOutOfRange {
                array: "bins".into(),
                index: u64::from(keys[first]),
                len: 100,
                iteration: first as u64,
            })
        );
        assert_eq!(bins, [1; 100]);
    }
    // In place, too.
    let before: Vec<u32> = (0..2000).map(|i| i % 900).collect();
    for at in [5, 1999] {
        let mut values = before.clone();
        values[at] = 5000;
        let unchanged = values.clone();
        let error = with_device(Device::Sims(4), || double::try_call(&mut values)).unwrap_err();
        assert!(matches!(error, Error::Panicked { iteration: Some(i), .. } if i == at as u64));
        assert_eq!(values, unchanged);
    }
}

#[test]
fn what_cannot_be_divided_runs_on_the_first() {
    let values: Vec<u32> = (0..1000).collect();
    let (mut out, mut expected) = (vec![0; 1000], vec![0; 1000]);
    with_device(Device::Seq, || prefix(&values, &mut expected));
    with_device(Device::Sims(3), || prefix::try_call(&values, &mut out)).unwrap();
    assert_eq!(out, expected);
    let explained = prefix::explain();
    assert!(
        explained.contains("on the first of 3 devices: its iterations carry"),
        "{explained}"
    );
    let keys = Resident::from(keys(500));
    let mut bins = Resident::from(vec![0; 100]);
    with_device(Device::Sims(3), || count::on(&keys, &mut bins)).unwrap();
    assert_eq!(bins.host(), [5; 100]);
}

#[test]
fn one_watcher_is_told_of_all_devices() {
    let keys = keys(4000);
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let watcher = {
        let told = std::rc::Rc::clone(&told);
        move |p: Progress| told.borrow_mut().push(p)
    };
    let mut bins = vec![0; 100];
    with_progress(watcher, || {
        with_device(Device::Sims(3), || count::try_call(&keys, &mut bins))
    })
    .unwrap();
    let told = told.borrow();
    let last = told.last().unwrap();
    assert_eq!((last.items, last.of_items), (4000, Some(4000)));
    assert_eq!(Some(last.pieces), last.of_pieces);
}
