//! A loop that would panic does, with the sequential loop's message, and leaves the bins as they were.

use accrue::offload;
use accrue_tests::quiet;
use accrue_tests::quiet::expected;

use crate::{everywhere, keys};

#[offload(histogram)]
fn count(keys: &[u32], h: &mut [u32]) {
    for &k in keys {
        h[k as usize] += 1;
    }
}

#[offload(histogram)]
fn joint(rows: &[u32], columns: &[u32], h: &mut [[u64; 8]; 4]) {
    for (&y, &x) in rows.iter().zip(columns) {
        h[y as usize][x as usize] += 1;
    }
}

#[offload(histogram)]
fn divided(keys: &[u32], by: u32, h: &mut [u32], total: &mut u64) {
    for &k in keys {
        *total += 1;
        h[(k / by) as usize] += 1;
    }
}

#[offload(histogram)]
fn looked_up(keys: &[u32], table: &[u8], h: &mut [u32; 256]) {
    for &k in keys {
        h[table[k as usize] as usize] += 1;
    }
}

#[offload(histogram)]
fn explicit(keys: &[u32], h: &mut [u32]) {
    for &k in keys {
        assert!(k != 77, "seventy-seven is not a key");
        h[k as usize % 64] += 1;
    }
}

#[test]
fn an_index_out_of_range_panics_as_the_loop_does() {
    let _quiet = quiet();
    everywhere(|| {
        let mut h = [1u32, 2, 3, 4];
        let message = expected(|| count(&[0, 1, 9, 2], &mut h)).unwrap_err();
        assert_eq!(
            message,
            "index out of bounds: the len is 4 but the index is 9"
        );
        assert_eq!(h, [1, 2, 3, 4]);
    });
}

#[test]
fn the_fault_of_the_earliest_iteration_is_told_wherever_it_stands() {
    let _quiet = quiet();
    everywhere(|| {
        for len in [1usize, 100, 50_000] {
            for first in [0, len / 2, len - 1] {
                let mut keys = keys(len, 16);
                keys[first] = 1000;
                // A later one, in another thread's part.
                keys[len - 1] = keys[len - 1].max(999);
                let mut h = vec![7u32; 16];
                let message = expected(|| count(&keys, &mut h)).unwrap_err();
                let index = keys[first];
                assert_eq!(
                    message,
                    format!("index out of bounds: the len is 16 but the index is {index}")
                );
                assert!(h.iter().all(|&bin| bin == 7), "the bins are as they were");
            }
        }
    });
}

#[test]
fn it_panics_every_time_and_works_in_between() {
    let _quiet = quiet();
    everywhere(|| {
        let good = keys(10_000, 4);
        let bad: Vec<u32> = good.iter().copied().chain([4]).collect();
        for round in 1..=5u32 {
            let mut h = [0u32; 4];
            for _ in 0..round {
                count(&good, &mut h);
            }
            assert_eq!(h.iter().sum::<u32>(), 10_000 * round);
            let before = h;
            assert!(expected(|| count(&bad, &mut h)).is_err());
            assert_eq!(h, before);
        }
    });
}

#[test]
fn it_panics_on_any_thread() {
    let _quiet = quiet();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut h = [0u32; 2];
                let message = expected(|| count(&[0, 1, 2], &mut h)).unwrap_err();
                assert_eq!(
                    message,
                    "index out of bounds: the len is 2 but the index is 2"
                );
                assert_eq!(h, [0, 0]);
            });
        }
    });
}

#[test]
fn each_dimension_of_a_joint_histogram_is_checked() {
    let _quiet = quiet();
    everywhere(|| {
        let mut h = [[5u64; 8]; 4];
        let message = expected(|| joint(&[1, 2, 4], &[1, 2, 3], &mut h)).unwrap_err();
        assert_eq!(
            message,
            "index out of bounds: the len is 4 but the index is 4"
        );
        let message = expected(|| joint(&[1, 2, 3], &[1, 2, 8], &mut h)).unwrap_err();
        assert_eq!(
            message,
            "index out of bounds: the len is 8 but the index is 8"
        );
        assert_eq!(h, [[5; 8]; 4]);
    });
}

#[test]
fn any_other_panic_of_the_body_is_the_loops_too() {
    let _quiet = quiet();
    everywhere(|| {
        let (mut h, mut total) = ([3u32; 64], 9u64);
        let message = expected(|| divided(&keys(1000, 64), 0, &mut h, &mut total)).unwrap_err();
        assert_eq!(message, "attempt to divide by zero");
        assert_eq!(
            (h, total),
            ([3; 64], 9),
            "reduced scalars are as they were, too"
        );
        let mut h = [3u32; 256];
        let message = expected(|| looked_up(&[1, 2, 3], &[0, 0, 0], &mut h)).unwrap_err();
        assert_eq!(
            message,
            "index out of bounds: the len is 3 but the index is 3"
        );
        assert_eq!(h, [3; 256]);
        let mut h = [3u32; 64];
        let message = expected(|| explicit(&[1, 2, 77], &mut h)).unwrap_err();
        assert_eq!(message, "seventy-seven is not a key");
        assert_eq!(h, [3; 64]);
    });
}

/// Bins beside elements of the iterations' own.
#[offload]
fn beside(keys: &[usize], doubled: &mut [usize], bins: &mut [u32]) {
    for (i, k) in keys.iter().enumerate() {
        doubled[i] = k * 2;
        bins[*k] += 1;
    }
}

#[offload]
fn appended(keys: &[usize], table: &[u8], out: &mut Vec<u8>) {
    for k in keys {
        out.push(table[*k]);
    }
}

#[offload]
fn summed(keys: &[usize], table: &[u8], doubled: &mut [usize], total: &mut u64) {
    for (i, k) in keys.iter().enumerate() {
        doubled[i] = k * 2;
        *total += u64::from(table[*k]);
    }
}

/// Where it runs in order as well, and runs as it is written if what it changes is the function's own: here it is not.
#[test]
fn what_others_see_is_as_before_in_order_too() {
    let check = || {
        let (mut keys, table) = (vec![3usize; 40], [7u8; 9]);
        // The first calls are measured, and the others rest on that.
        for call in 0..6 {
            keys[39] = if call % 2 == 1 { 9 } else { 3 };
            let told = "index out of bounds: the len is 9 but the index is 9".to_owned();
            let told = (call % 2 == 1).then_some(told);
            let (mut doubled, mut bins) = ([0; 40], [1u32; 9]);
            let run = || beside(&keys, &mut doubled, &mut bins);
            assert_eq!(expected(run).err(), told);
            let counted = if told.is_some() { 1 } else { 41 };
            assert_eq!((bins[3], bins[8]), (counted, 1));
            let mut out = vec![1];
            assert_eq!(expected(|| appended(&keys, &table, &mut out)).err(), told);
            assert_eq!(out.len(), counted as usize);
            let mut total = 5;
            let run = || summed(&keys, &table, &mut doubled, &mut total);
            assert_eq!(expected(run).err(), told);
            assert_eq!(total, if told.is_some() { 5 } else { 285 });
        }
    };
    check();
    accrue::with_device(accrue::Device::Seq, check);
    accrue::with_device(accrue::Device::Cpu, check);
}

mod places {
    use super::*;

    #[offload]
    fn pairs(x: &[u32], y: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            let kept = (x[i], y[i]);
            if kept.0 == 3 {
                out[i] = kept.1;
            }
        }
    }

    #[offload]
    fn named(x: &[u32], y: &[[u32; 2]], out: &mut [u32]) {
        for i in 0..x.len() {
            let [p, _] = &y[i];
            if x[i] == 3 {
                out[i] = *p;
            }
        }
    }

    #[offload]
    fn matched(x: &[u32], y: &[u32], factors: &mut u32) {
        let mut s = 1u32;
        for i in 0..x.len() {
            let by = match (x[i], y[i]) {
                (3, 4) => 7,
                _ => 5,
            };
            s = s.wrapping_mul(by).wrapping_add(x[i]);
        }
        *factors = s;
    }

    #[offload]
    fn nobody(x: &[u32], y: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            let _ = y[i];
            out[i] = 5;
        }
    }

    #[offload(histogram)]
    fn perhaps(x: &[u32], h: &mut [u32]) {
        for &x in x {
            let bin = &mut h[x as usize];
            if x == 3 {
                *bin += 1;
            }
        }
    }

    /// An index is checked where it stands, though nobody may read there.
    #[test]
    fn an_index_that_nobody_comes_to_panics_as_the_loop_does() {
        let _quiet = quiet();
        everywhere(|| {
            let (x, mut out) = ([5u32; 9], [1u32; 9]);
            let told = [
                expected(|| pairs(&x, &[0; 7], &mut out)),
                expected(|| named(&x, &[[0; 2]; 7], &mut out)),
                expected(|| matched(&x, &[0; 7], &mut out[0])),
                expected(|| nobody(&x, &[0; 7], &mut out)),
            ];
            let message = "index out of bounds: the len is 7 but the index is 7";
            assert!(
                told.iter().all(|told| told == &Err(message.to_owned())),
                "{told:?}"
            );
            let message = "index out of bounds: the len is 4 but the index is 5";
            let mut h = [0; 4];
            assert_eq!(expected(|| perhaps(&x, &mut h)), Err(message.to_owned()));
        });
    }
}
