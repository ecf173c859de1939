//! Calls whose data are larger than what they may take of a device's memory: they run in pieces, with the result, the panic and the transaction of
//! the sequential loop.

#![cfg(feature = "sim")]

use accrue::{
    Device, DeviceBuffer, Error, Progress, Resident, Stream, offload, resident, stats, with_device,
    with_memory, with_progress,
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
counts!(count, count_in_rooms, count_watched);

/// Updates that add no constant.
#[offload(histogram, require = "cuda", strategy = "gang_hot")]
fn add(keys: &[u16], bins: &mut [u64]) {
    for i in 0..keys.len() {
        bins[keys[i] as usize] += i as u64;
    }
}

#[offload(histogram, require = "cuda")]
fn colours(pixels: &[[u8; 3]], bins: &mut [u32; 768]) {
    for p in pixels {
        bins[p[0] as usize] += 1;
        bins[256 + p[1] as usize] += 1;
        bins[512 + p[2] as usize] += 1;
    }
}

/// Two arrays, one of them twice as fast, a scalar and the position itself.
#[offload(histogram, require = "cuda")]
fn pairs(a: &[u8], b: &[i32], bins: &mut [i64; 64], total: &mut u64, least: &mut i32) {
    for i in 0..a.len() {
        bins[usize::from(a[i] % 64)] += i64::from(b[2 * i] - b[2 * i + 1]);
        *total += i as u64;
        *least = (*least).min(b[2 * i]);
    }
}

/// Rows, and a table that is looked up anywhere.
#[offload(histogram, require = "cuda")]
fn rows(image: &[u8], w: usize, table: &[u16], bins: &mut [u32; 100]) {
    for y in 0..image.len() / w {
        for x in 0..w {
            bins[usize::from(table[usize::from(image[y * w + x])])] += 1;
        }
    }
}

#[offload(require = "cuda")]
fn sum(values: &[i32]) -> i64 {
    let mut sum = 0;
    for &v in values {
        sum += i64::from(v);
    }
    sum
}

#[offload(require = "cuda")]
fn map(x: &[u8], y: &mut [u32]) {
    for i in 0..y.len() {
        y[i] = u32::from(x[i]) * 3 + i as u32;
    }
}

#[offload(require = "cuda")]
fn twice(values: &mut [u32], limit: u32) {
    for v in values.iter_mut() {
        assert!(*v < limit, "too large");
        *v *= 2;
    }
}

#[offload(require = "cuda")]
fn blur(now: &[i32], next: &mut [i32]) {
    for i in 2..now.len() - 1 {
        next[i] = now[i - 2] + 2 * now[i] + now[i + 1];
    }
}

#[offload(require = "cuda")]
fn reverse(from: &[u16], to: &mut [u16]) {
    let n = to.len();
    for i in 0..n {
        to[n - 1 - i] = from[i] + 1;
    }
}

#[offload(require = "cuda")]
fn gather(from: &[u32], at: &[u32], to: &mut [u32]) {
    for i in 0..to.len() {
        to[i] = from[at[i] as usize];
    }
}

#[offload(require = "cuda")]
fn prefix(values: &[u32], out: &mut [u64]) -> u64 {
    let mut sum = 0;
    for i in 0..values.len() {
        sum += u64::from(values[i]);
        out[i] = sum;
    }
    sum
}

#[offload(require = "cuda")]
fn keep(values: &[u32], out: &mut [u32]) -> usize {
    let mut n = 0;
    for &v in values {
        if v % 3 == 0 {
            out[n] = v;
            n += 1;
        }
    }
    n
}

#[offload(require = "cuda")]
fn scatter(values: &[u32], n: usize, out: &mut [u32]) {
    for i in 0..n {
        out[i] = values[i];
        out[i + n] = values[i] + 1;
    }
}

fn draw(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1);
    *state >> 33
}

fn drawn<T>(n: usize, seed: u64, of: impl Fn(u64) -> T) -> Vec<T> {
    let mut state = seed;
    (0..n).map(|_| of(draw(&mut state))).collect()
}

/// Pieces of the last call, by `explain`.
fn pieces(explained: &str) -> u64 {
    let line = explained.lines().find(|l| l.contains(" pieces of "));
    let words = line.and_then(|l| l.split_once("in "));
    words.map_or(1, |(_, rest)| {
        rest.split(' ').next().unwrap().parse().unwrap()
    })
}

fn on_sim<R>(bytes: u64, call: impl FnOnce() -> R) -> R {
    with_device(Device::Sim, || with_memory(bytes, call))
}

/// Amounts of memory that make pieces of all kinds of lengths.
const ROOMS: [u64; 5] = [6000, 7001, 9999, 14_003, 40_000];

#[test]
fn bins_are_those_of_the_whole() {
    let keys = drawn(5003, 1, |d| (d % 257) as u16);
    let mut expected = vec![7; 257];
    with_device(Device::Seq, || count(&keys, &mut expected));
    for room in ROOMS {
        let mut bins = vec![7; 257];
        on_sim(room, || count_in_rooms::try_call(&keys, &mut bins)).unwrap();
        assert_eq!(bins, expected, "{room}");
        let explained = count_in_rooms::explain();
        assert_eq!(pieces(&explained) > 1, room < 11_000, "{explained}");
    }
    // Where they fit again, nothing is said of pieces.
    let mut bins = vec![7; 257];
    with_device(Device::Sim, || count_in_rooms::try_call(&keys, &mut bins)).unwrap();
    assert_eq!((bins, pieces(&count_in_rooms::explain())), (expected, 1));
}

#[test]
fn every_strategy_runs_pieces() {
    let keys = drawn(3001, 2, |d| (d % 64) as u16);
    let mut expected = vec![1; 64];
    with_device(Device::Seq, || count(&keys, &mut expected));
    #[rustfmt::skip]
    macro_rules! under {
        ($($strategy:literal),*) => {$({
            #[offload(histogram, strategy = $strategy)]
            fn count(keys: &[u16], bins: &mut [u32]) {
                for &k in keys {
                    bins[k as usize] += 1;
                }
            }
            let mut bins = vec![1; 64];
            on_sim(4003, || count::try_call(&keys, &mut bins)).unwrap_or_else(|e| panic!("{}: {e}", $strategy));
            assert_eq!(bins, expected, "{}", $strategy);
            let explained = count::explain();
            assert!(pieces(&explained) > 1 && explained.contains($strategy), "{explained}");
        })*};
    }
    under!(
        "atomic_global",
        "gang_global",
        "gang_shared",
        "gang_striped",
        "gang_window",
        "gang_packed",
        "gang_split"
    );
    let (mut sums, mut expected) = (vec![1; 64], vec![1; 64]);
    with_device(Device::Seq, || add(&keys, &mut expected));
    on_sim(4003, || add::try_call(&keys, &mut sums)).unwrap();
    assert_eq!(sums, expected);
    let explained = add::explain();
    assert!(
        pieces(&explained) > 1 && explained.contains("gang_hot"),
        "{explained}"
    );
}

#[test]
fn elements_of_odd_sizes_and_strides_are_found() {
    let pixels = drawn(2001, 3, |d| [d as u8, (d >> 8) as u8, (d >> 16) as u8]);
    let mut expected = [5; 768];
    with_device(Device::Seq, || colours(&pixels, &mut expected));
    let a = drawn(1003, 4, |d| d as u8);
    let b = drawn(2006, 5, |d| d as i32 % 1000);
    let mut sums = ([1; 64], 10, 50);
    with_device(Device::Seq, || {
        pairs(&a, &b, &mut sums.0, &mut sums.1, &mut sums.2)
    });
    for room in ROOMS {
        let mut bins = [5; 768];
        on_sim(room, || colours::try_call(&pixels, &mut bins)).unwrap();
        assert_eq!(bins, expected, "{room}");
        let mut own = ([1; 64], 10, 50);
        on_sim(room, || {
            pairs::try_call(&a, &b, &mut own.0, &mut own.1, &mut own.2)
        })
        .unwrap();
        assert_eq!(own, sums, "{room}");
        assert_eq!(pieces(&pairs::explain()) > 1, room < 9000);
    }
}

#[test]
fn rows_are_cut_between_rows_and_tables_stay_whole() {
    let (w, h) = (37, 90);
    let image = drawn(w * h, 6, |d| d as u8);
    let table = drawn(256, 7, |d| (d % 100) as u16);
    let mut expected = [0; 100];
    with_device(Device::Seq, || rows(&image, w, &table, &mut expected));
    for room in [3000, 3333, 4000] {
        let mut bins = [0; 100];
        on_sim(room, || rows::try_call(&image, w, &table, &mut bins)).unwrap();
        assert_eq!(bins, expected, "{room}");
        assert!(pieces(&rows::explain()) > 1, "{}", rows::explain());
    }
}

#[test]
fn sums_come_back() {
    let values = drawn(4001, 8, |d| d as i32);
    let expected = values.iter().map(|&v| i64::from(v)).sum();
    for room in ROOMS {
        assert_eq!(on_sim(room, || sum::try_call(&values)), Ok(expected));
        assert_eq!(pieces(&sum::explain()) > 1, room < 16_000);
    }
    assert_eq!(on_sim(6000, || sum::on(&values)), Ok(expected));
}

#[test]
fn what_iterations_write_comes_back_in_its_place() {
    let n = 3001;
    let x = drawn(n, 9, |d| d as u8);
    let ints = drawn(n, 10, |d| d as i32 % 1000);
    let shorts = drawn(n, 11, |d| (d % 60_000) as u16);
    let at = drawn(n, 12, |d| (d % 500) as u32);
    let from = drawn(500, 13, |d| d as u32);
    for room in [5000, 6007, 9000] {
        let mut y = vec![9; n];
        on_sim(room, || map::try_call(&x, &mut y)).unwrap();
        for (i, y) in y.iter().enumerate() {
            assert_eq!(*y, u32::from(x[i]) * 3 + i as u32);
        }
        assert!(pieces(&map::explain()) > 1);

        let mut values = at.clone();
        on_sim(room, || twice::try_call(&mut values, 500)).unwrap();
        assert!(values.iter().zip(&at).all(|(v, a)| *v == 2 * a));
        assert!(pieces(&twice::explain()) > 1);

        let (mut next, mut expected) = (vec![-1; n], vec![-1; n]);
        with_device(Device::Seq, || blur(&ints, &mut expected));
        on_sim(room, || blur::try_call(&ints, &mut next)).unwrap();
        assert_eq!(next, expected);
        assert!(pieces(&blur::explain()) > 1);

        let mut back = vec![0; n];
        on_sim(room, || reverse::try_call(&shorts, &mut back)).unwrap();
        assert!(back.iter().rev().zip(&shorts).all(|(b, s)| *b == s + 1));
        assert!(pieces(&reverse::explain()) > 1);

        let mut to = vec![0; n];
        on_sim(room, || gather::try_call(&from, &at, &mut to)).unwrap();
        assert!(to.iter().zip(&at).all(|(t, a)| *t == from[*a as usize]));
        assert!(pieces(&gather::explain()) > 1);
    }
}

#[test]
fn what_is_carried_goes_from_piece_to_piece() {
    let values = drawn(3001, 14, |d| (d % 1000) as u32);
    let (mut expected, mut kept) = (vec![0; 3001], vec![0; 3001]);
    let (total, n) = with_device(Device::Seq, || {
        (prefix(&values, &mut expected), keep(&values, &mut kept))
    });
    for room in [9000, 17_001, 23_000] {
        let mut out = vec![0; 3001];
        assert_eq!(
            on_sim(room, || prefix::try_call(&values, &mut out)),
            Ok(total)
        );
        assert_eq!(out, expected, "{room}");
        assert!(pieces(&prefix::explain()) > 1);
    }
    // What is filled at a cursor may be filled anywhere, and is there as a whole.
    let mut out = vec![0; 3001];
    assert_eq!(on_sim(19_000, || keep::try_call(&values, &mut out)), Ok(n));
    assert_eq!(out, kept);
    assert!(pieces(&keep::explain()) > 1);
}

#[test]
fn a_fault_in_any_piece_is_the_earliest_and_leaves_bins_alone() {
    let good = drawn(4003, 15, |d| (d % 100) as u16);
    for at in [0, 1, 999, 1777, 2500, 3131, 4002] {
        let mut keys = good.clone();
        keys[at] = 150;
        // A later one, in a later piece or in the same.
        keys[(at + 700).min(4002)] = 151;
        let mut bins = vec![3; 100];
        let error = on_sim(5001, || count::try_call(&keys, &mut bins)).unwrap_err();
        let index = u64::from(keys[at]);
        assert_eq!(
            error,
            Error::BinOutOfRange {
                array: "bins".into(),
                index,
                len: 100,
                iteration: at as u64
            }
        );
        assert_eq!(bins, [3; 100]);
        // A plain call panics as the loop does.
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            on_sim(5001, || count(&keys, &mut bins));
        }));
        let message = panic.unwrap_err().downcast::<String>().unwrap();
        assert_eq!(
            *message,
            format!("index out of bounds: the len is 100 but the index is {index}")
        );
        assert_eq!(bins, [3; 100]);
    }
    // The next call works.
    let mut bins = vec![0; 100];
    on_sim(5001, || count::try_call(&good, &mut bins)).unwrap();
    assert_eq!(bins.iter().sum::<u32>(), 4003);
}

#[test]
fn what_is_changed_in_place_is_as_before_a_fault() {
    let before = drawn(2001, 16, |d| (d % 400) as u32);
    for at in [0, 700, 1500, 2000] {
        let mut values = before.clone();
        values[at] = 500;
        let unchanged = values.clone();
        let error = on_sim(5000, || twice::try_call(&mut values, 500)).unwrap_err();
        assert!(
            matches!(&error, Error::Panicked { message, iteration: Some(i) } if message == "too large" && *i == at as u64),
            "{error}"
        );
        assert_eq!(values, unchanged);
    }
}

#[test]
fn data_may_be_anywhere() {
    let keys = drawn(5003, 17, |d| (d % 50) as u16);
    let mut expected = vec![0; 50];
    with_device(Device::Seq, || count(&keys, &mut expected));
    let room = 5000;
    // Bins in a buffer and in a resident array, and a resident array that does not fit.
    let stream = Stream::on(Device::Sim).unwrap();
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(&stream, 50).unwrap();
    on_sim(room, || count::on(&keys, &mut buffer)).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), expected);
    let mut bins = Resident::from(vec![0; 50]);
    let many = Resident::from(keys.clone());
    on_sim(room, || count::on(&many, &mut bins)).unwrap();
    assert_eq!(bins.host(), expected);
    on_sim(room, || count::on_stream(&stream, &keys, &mut bins)).unwrap();
    let twice: Vec<u32> = expected.iter().map(|n| 2 * n).collect();
    assert_eq!(bins.host(), twice);
    // A fault leaves bins on the device alone, too.
    let mut wrong = keys.clone();
    wrong[4000] = 77;
    assert!(on_sim(room, || count::on(&wrong, &mut buffer)).is_err());
    assert!(on_sim(room, || count::on(&wrong, &mut bins)).is_err());
    assert_eq!(buffer.to_vec().unwrap(), expected);
    assert_eq!(bins.host(), twice);
    // Shared, but not there yet.
    let mut plain = vec![0; 50];
    resident(|r| {
        r.share(&keys);
        on_sim(room, || count::try_call(&keys, &mut plain)).unwrap();
    });
    assert_eq!(plain, expected);
}

#[test]
fn a_watcher_is_told_of_every_piece() {
    let keys = drawn(5003, 18, |d| (d % 50) as u16);
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let watcher = {
        let told = std::rc::Rc::clone(&told);
        move |p: Progress| told.borrow_mut().push(p)
    };
    let mut bins = vec![0; 50];
    with_progress(watcher, || on_sim(5000, || count_watched(&keys, &mut bins)));
    let told = told.borrow();
    assert_eq!(told.len() as u64, pieces(&count_watched::explain()));
    assert!(told.is_sorted_by_key(|p| p.items));
    let last = told.last().unwrap();
    assert_eq!((last.items, last.of_items), (5003, Some(5003)));
    assert_eq!(last.of_pieces, Some(last.pieces));
}

#[test]
fn a_call_takes_no_more_than_it_may() {
    let keys = drawn(20_000, 19, |d| (d % 50) as u16);
    let mut bins = vec![0; 50];
    let before = stats();
    on_sim(8000, || count::try_call(&keys, &mut bins)).unwrap();
    let moved = stats() - before;
    // All keys and the bins once, in parts of a quarter of that at most.
    assert_eq!(moved.uploaded_bytes, 40_000 + 200);
    assert_eq!(moved.downloaded_bytes, 200);
    assert!(moved.uploads > 10, "{moved}");
}

#[test]
fn what_cannot_be_cut_is_an_error_that_says_why_or_runs_on_the_cpu() {
    let from = drawn(5000, 20, |d| d as u32);
    let at = drawn(5000, 21, |d| (d % 5000) as u32);
    let mut to = vec![0; 5000];
    let error = on_sim(10_000, || gather::try_call(&from, &at, &mut to)).unwrap_err();
    let text = error.to_string();
    assert!(error.is_machine());
    assert!(text.contains("`gather` has 58.6 KiB of data"), "{text}");
    assert!(text.contains("anywhere"), "{text}");
    assert!(text.contains("`from` (19.5 KiB)"), "{text}");
    // The plain call runs on the CPU.
    on_sim(10_000, || gather(&from, &at, &mut to));
    assert!(to.iter().zip(&at).all(|(t, a)| *t == from[*a as usize]));
    // Parts of an array that lie over each other are not written in pieces.
    let values = drawn(3000, 22, |d| (d % 100) as u32);
    let mut out = vec![0; 6000];
    let error = on_sim(10_000, || scatter::try_call(&values, 3000, &mut out)).unwrap_err();
    assert!(error.to_string().contains("`out`"), "{error}");
    on_sim(32_000, || scatter::try_call(&values, 3000, &mut out)).unwrap();
    assert!((0..3000).all(|i| out[i] == values[i] && out[i + 3000] == values[i] + 1));
    // Bins alone may be too many.
    let mut bins = vec![0; 5000];
    let error = on_sim(9000, || count::try_call(&[1u16; 9000][..], &mut bins)).unwrap_err();
    assert!(error.to_string().contains("its bins have"), "{error}");
}
