//! Loops whose items are alike by a byte or a few, by the strategy `counted` and by choice: the result is the sequential loop's, and so is a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::offload;

const TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = (i * 7 % 61) as u8;
        i += 1;
    }
    table
};

/// Each function as it is, in `plain`, and offloaded.
macro_rules! twice {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        mod plain {
            use super::TABLE;
            $(pub(super) fn $name($($params)*) $body)*
        }
        $(#[offload(histogram)] fn $name($($params)*) $body)*
    };
}

twice! {
    fn bytes(keys: &[u8], hist: &mut [u32]) {
        for &k in keys {
            hist[k as usize] += 1;
        }
    }

    fn looked_up(keys: &[u8], hist: &mut [i64; 256], total: &mut u64, least: &mut u8) {
        for k in keys.iter() {
            let at = TABLE[*k as usize];
            if *k > 9 {
                hist[at as usize] -= 3;
                hist[255] -= at as i64;
            }
            *total += *k as u64;
            *least = (*least).min(at);
        }
    }

    fn several(keys: &[u8], hist: &mut [u16; 300]) {
        for &k in keys {
            for j in 0..(k & 3) as usize {
                hist[k as usize + j] = hist[k as usize + j].wrapping_add(3);
            }
        }
    }

    fn text(s: &str, hist: &mut [u32; 128]) {
        for b in s.bytes() {
            hist[b as usize] += 1;
        }
    }

    fn placed(keys: &[u8], from: usize, hist: &mut [u32; 256], total: &mut u64) {
        for i in from..keys.len() {
            let at = keys[i] ^ keys[from];
            hist[at as usize] += 1 + (keys[i] & 1) as u32;
            *total += at as u64;
        }
    }

    fn as_many(keys: &[u32], n: usize, hist: &mut [u32; 256]) {
        let mut i = 0;
        while i < n {
            hist[keys[i] as usize] += 1;
            i += 1;
        }
    }

    fn by_place(keys: &[u8], hist: &mut [u32; 256]) {
        for i in 0..keys.len() {
            hist[keys[i] as usize] += 1 + i as u32 % 3;
        }
    }

    fn beside(keys: &[u8], more: &[u8], hist: &mut [u32; 256]) {
        for i in 0..keys.len() {
            hist[keys[i] as usize] += more[i] as u32;
        }
    }

    fn shadowed(keys: &[u8], hist: &mut [u32; 256]) {
        for i in 0..keys.len() {
            let k = keys[i] as usize;
            for i in 0..2 {
                hist[k.max(i)] += keys[i] as u32;
            }
        }
    }

    fn halves(keys: &[u16], hist: &mut [u32]) {
        for &k in keys {
            hist[(k % 200) as usize] += 1;
        }
    }

    fn words(keys: &[u32], hist: &mut [u32]) {
        for &k in keys {
            hist[k as usize] += 1;
        }
    }

    fn colours(pixels: &[[u8; 3]], hist: &mut [u32; 768]) {
        for p in pixels {
            hist[p[0] as usize] += 1;
            hist[256 + p[1] as usize] += 1;
            hist[512 + p[2] as usize] += 1;
        }
    }

    fn chunks(data: &[u8], red: &mut [u32; 256], rest: &mut [u64; 256], greens: &mut u64) {
        for p in data.chunks_exact(4) {
            rest[p[3] as usize] += 1;
            let green = p[1] as u64;
            red[TABLE[p[0] as usize] as usize] += 2;
            *greens += green;
            rest[p[2] as usize] += p[2] as u64;
            rest[7] += 1;
        }
    }

    fn joint(pairs: &[[u8; 2]], hist: &mut [u32], sums: &mut [u32; 511]) {
        for p in pairs {
            hist[p[0] as usize * 256 + p[1] as usize] += 1;
            sums[p[0] as usize + p[1] as usize] += 1;
        }
    }

    fn bright(pixels: &[[u8; 3]], hist: &mut [u32; 256]) {
        for p in pixels {
            if p[0] > 100 {
                hist[p[1] as usize] += 1;
            }
        }
    }
}

fn data(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let next = |i: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Uniform, runs, and few values.
        match i / 1000 % 3 {
            0 => (state >> 40) as u8,
            1 => (i / 100) as u8,
            _ => state.trailing_zeros() as u8,
        }
    };
    (0..len).map(next).collect()
}

/// Runs a loop by choice and by each way of the strategy.
fn each_way(run: impl Fn()) {
    run();
    for text in [
        "counted:workers=1",
        "counted:workers=3,parts=7",
        "counted:workers=2",
    ] {
        accrue::__bench::with_strategy(text, &run);
    }
}

const LENGTHS: [usize; 6] = [0, 1, 7, 300, 5000, 100_003];

#[test]
fn bodies_over_bytes_run_once_for_each_value() {
    for len in LENGTHS {
        let keys = data(len);
        each_way(|| {
            let (mut expected, mut found) = (vec![5; 256], vec![5; 256]);
            plain::bytes(&keys, &mut expected);
            bytes(&keys, &mut found);
            assert_eq!(found, expected);
            let start = ([9; 256], 4, 200);
            let (mut expected, mut found) = (start, start);
            plain::looked_up(&keys, &mut expected.0, &mut expected.1, &mut expected.2);
            looked_up(&keys, &mut found.0, &mut found.1, &mut found.2);
            assert_eq!(found, expected);
            let (mut expected, mut found) = ([60_000; 300], [60_000; 300]);
            plain::several(&keys, &mut expected);
            several(&keys, &mut found);
            assert_eq!(found, expected);
            let letters: String = keys.iter().map(|k| char::from(k & 127)).collect();
            let (mut expected, mut found) = ([0; 128], [0; 128]);
            plain::text(&letters, &mut expected);
            text(&letters, &mut found);
            assert_eq!(found, expected);
        });
    }
    accrue::__bench::with_strategy("counted:workers=1", || bytes(&data(3000), &mut [0; 256]));
    let said = bytes::explain();
    assert!(
        said.contains("different values of the items by 1 workers"),
        "{said}"
    );
}

#[test]
fn words_are_counted_as_bytes_where_they_are_some() {
    for len in LENGTHS {
        let bytes = data(len);
        let mut keys: Vec<u32> = bytes.iter().map(|&b| b.into()).collect();
        let mut short: Vec<u16> = bytes.iter().map(|&b| b.into()).collect();
        let same = |keys: &[u32], short: &[u16]| {
            each_way(|| {
                let (mut expected, mut found) = (vec![5; 256], vec![5; 256]);
                plain::words(keys, &mut expected);
                words(keys, &mut found);
                assert_eq!(found, expected);
                plain::halves(short, &mut expected);
                halves(short, &mut found);
                assert_eq!(found, expected);
            });
        };
        same(&keys, &short);
        // One that is no byte, and is no index either: the panic is the loop's, and the bins are as before.
        if len > 0 {
            short[len / 3] = 1000;
            keys[len / 3] = 256;
            each_way(|| {
                let mut found = vec![5; 256];
                let told = catch_unwind(AssertUnwindSafe(|| words(&keys, &mut found)));
                let told = told.expect_err("an index out of bounds");
                let told = told.downcast_ref::<String>().expect("a text");
                assert!(
                    told.contains("the len is 256 but the index is 256"),
                    "{told}"
                );
                assert_eq!(found, [5; 256]);
            });
            same(&vec![255; len], &short);
        }
    }
}

#[test]
fn positions_are_alike_by_what_is_read_there() {
    for len in LENGTHS {
        let keys = data(len);
        let words: Vec<u32> = keys.iter().map(|&k| k.into()).collect();
        each_way(|| {
            for from in [0, len / 3, len] {
                let (mut expected, mut found) = (([1; 256], 2), ([1; 256], 2));
                plain::placed(&keys, from, &mut expected.0, &mut expected.1);
                placed(&keys, from, &mut found.0, &mut found.1);
                assert_eq!(found, expected);
                let (mut expected, mut found) = ([1; 256], [1; 256]);
                plain::as_many(&words, from, &mut expected);
                as_many(&words, from, &mut found);
                assert_eq!(found, expected);
            }
            // What does more with a position is not.
            let (mut expected, mut found) = ([1; 256], [1; 256]);
            plain::by_place(&keys, &mut expected);
            by_place(&keys, &mut found);
            plain::beside(&keys, &keys, &mut expected);
            beside(&keys, &keys, &mut found);
            if len > 1 {
                plain::shadowed(&keys, &mut expected);
                shadowed(&keys, &mut found);
            }
            assert_eq!(found, expected);
            // More positions than there are elements.
            let mut found = [7; 256];
            let told = catch_unwind(AssertUnwindSafe(|| as_many(&words, len + 1, &mut found)));
            let told = told.expect_err("an index out of bounds");
            let told = told.downcast_ref::<String>().expect("a text");
            assert!(told.contains(&format!("the index is {len}")), "{told}");
            assert_eq!(found, [7; 256]);
        });
    }
    let keys = data(3000);
    accrue::__bench::with_strategy("counted:workers=1", || {
        placed(&keys, 5, &mut [0; 256], &mut 0);
        by_place(&keys, &mut [0; 256]);
        beside(&keys, &keys, &mut [0; 256]);
        shadowed(&keys, &mut [0; 256]);
    });
    assert!(placed::explain().contains("counted, "));
    assert!(!by_place::explain().contains("counted, "));
    assert!(!beside::explain().contains("counted, "));
    assert!(!shadowed::explain().contains("counted, "));
}

#[test]
fn columns_of_items_are_counted_apart() {
    for len in LENGTHS {
        let all = data(4 * len);
        let (pixels, pairs) = (all.as_chunks::<3>().0, all.as_chunks::<2>().0);
        each_way(|| {
            let (mut expected, mut found) = ([1; 768], [1; 768]);
            plain::colours(pixels, &mut expected);
            colours(pixels, &mut found);
            assert_eq!(found, expected);
            let start = ([3; 256], [4; 256], 5);
            let (mut expected, mut found) = (start, start);
            plain::chunks(&all, &mut expected.0, &mut expected.1, &mut expected.2);
            chunks(&all, &mut found.0, &mut found.1, &mut found.2);
            assert_eq!(found, expected);
            // What depends on both bytes, or not always happens, is not.
            let start = (vec![0; 65_536], [0; 511]);
            let (mut expected, mut found) = (start.clone(), start);
            plain::joint(pairs, &mut expected.0, &mut expected.1);
            joint(pairs, &mut found.0, &mut found.1);
            assert_eq!(found, expected);
            let (mut expected, mut found) = ([0; 256], [0; 256]);
            plain::bright(pixels, &mut expected);
            bright(pixels, &mut found);
            assert_eq!(found, expected);
        });
    }
    accrue::__bench::with_strategy("counted:workers=1", || {
        colours(data(3000).as_chunks().0, &mut [0; 768]);
        joint(data(3000).as_chunks().0, &mut [0; 65_536], &mut [0; 511]);
    });
    assert!(colours::explain().contains("counted, "));
    assert!(!joint::explain().contains("counted, "));
}

#[test]
fn a_value_out_of_range_is_the_loops_own_panic() {
    let mut keys = vec![3; 70_000];
    keys[69_000] = 100;
    each_way(|| {
        let mut found = vec![7; 100];
        let told = catch_unwind(AssertUnwindSafe(|| bytes(&keys, &mut found)));
        let told = told.expect_err("an index out of bounds");
        let told = told.downcast_ref::<String>().expect("a text");
        assert!(
            told.contains("the len is 100 but the index is 100"),
            "{told}"
        );
        assert_eq!(found, [7; 100]);
    });
}

/// Counters of a byte.
#[offload(histogram)]
fn small(keys: &[u8], hist: &mut [u8; 256]) {
    for &k in keys {
        hist[k as usize] += 1;
    }
}

#[test]
fn counts_beyond_a_bin_overflow_as_the_loop_does() {
    for (count, fits) in [(255, true), (256, false), (70_000, false)] {
        let keys = vec![9; count];
        each_way(|| {
            let mut found = [0; 256];
            let told = catch_unwind(AssertUnwindSafe(|| small(&keys, &mut found)));
            let checked = cfg!(debug_assertions);
            assert_eq!(told.is_ok(), fits || !checked, "{count}");
            let expected = if fits || !checked { count as u8 } else { 0 };
            assert_eq!(found[9], expected);
        });
    }
}
