//! Arrays of bins that are updated at the same places, which have one table of records where they are long: the results are the plain loop's, whatever their
//! types, shapes and lengths.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;

/// Ways that have tables, and the plain loop.
const WAYS: [&str; 5] = [
    "private:lanes=1,workers=3,parts=5",
    "private:lanes=8,workers=2,parts=3",
    "private:workers=1",
    "partitioned:workers=2,ranges=3",
    "sequential",
];

/// Lengths of arrays: those of 64 KiB and more in all have records.
const LONG: usize = 9000;

/// An array of so many.
fn array<T: Copy, const N: usize>(bin: T) -> Box<[T; N]> {
    vec![bin; N].try_into().ok().expect("so many bins")
}

/// Compares what a loop does to bins in each way with what it is to do.
fn everywhere<B: Clone + PartialEq + std::fmt::Debug>(before: B, expected: B, f: impl Fn(&mut B)) {
    for way in WAYS {
        let mut bins = before.clone();
        with_strategy(way, || f(&mut bins));
        assert!(bins == expected, "{way}");
    }
}

const ITEMS: usize = 20_003;

fn keys(below: usize) -> Vec<usize> {
    (0..ITEMS).map(|i| i * i * 7 % 8191 % below).collect()
}

/// Whole numbers, so that sums of floats do not depend on their order.
fn weights() -> Vec<f64> {
    (0..ITEMS).map(|i| (i % 13) as f64 - 4.0).collect()
}

#[offload(histogram)]
fn means(keys: &[usize], x: &[f64], sums: &mut [f64; LONG], counts: &mut [u32; LONG + 3]) {
    for (&k, &x) in keys.iter().zip(x) {
        sums[k] += x;
        counts[k] += 1;
    }
}

/// The same with few bins, which have a table each.
#[offload(histogram)]
fn few(keys: &[usize], x: &[f64], sums: &mut [f64; 100], counts: &mut [u32; 103]) {
    for (&k, &x) in keys.iter().zip(x) {
        sums[k] += x;
        counts[k] += 1;
    }
}

#[test]
fn sums_and_counts() {
    let x = weights();
    let keys = keys(LONG);
    let before = (array::<_, LONG>(0.5), array(7));
    let mut expected = before.clone();
    for (&k, &x) in keys.iter().zip(&x) {
        expected.0[k] += x;
        expected.1[k] += 1;
    }
    everywhere(before, expected, |(sums, counts)| {
        means(&keys, &x, sums, counts)
    });
    let keys = self::keys(100);
    let before = (array::<_, 100>(0.5), array(7));
    let mut expected = before.clone();
    for (&k, &x) in keys.iter().zip(&x) {
        expected.0[k] += x;
        expected.1[k] += 1;
    }
    everywhere(before, expected, |(sums, counts)| {
        few(&keys, &x, sums, counts)
    });
}

#[offload(histogram)]
fn leaf(
    rows: &[u32],
    values: &[[u8; 20]],
    x: &[f64],
    sums: &mut [[[f64; 2]; 256]; 20],
    counts: &mut [[u16; 256]; 20],
) {
    for &r in rows {
        let r = r as usize;
        let x = x[r];
        for f in 0..20 {
            let v = values[r][f] as usize;
            sums[f][v][0] += x;
            sums[f][v][1] += x * x;
            counts[f][v] += 1;
        }
    }
}

#[test]
fn planes_of_arrays() {
    let x = weights();
    let values: Vec<[u8; 20]> = (0..ITEMS)
        .map(|i| std::array::from_fn(|f| (i * (f + 3) % 251) as u8))
        .collect();
    let rows: Vec<u32> = (0..ITEMS as u32).filter(|r| r % 3 != 1).collect();
    let before = (array([[0.25; 2]; 256]), array([3; 256]));
    let mut expected = before.clone();
    for &r in &rows {
        for (f, &v) in values[r as usize].iter().enumerate() {
            let x = x[r as usize];
            expected.0[f][v as usize][0] += x;
            expected.0[f][v as usize][1] += x * x;
            expected.1[f][v as usize] += 1;
        }
    }
    everywhere(before, expected, |(sums, counts)| {
        leaf(&rows, &values, &x, sums, counts);
    });
}

/// Parts of arrays whose records have 32 bytes, and records of each.
const PARTS: usize = 20;
const EACH: usize = 250;

/// Records of sums alone, which a register holds: numbers of every size, in order and where conditions say so.
#[offload(histogram)]
fn sums(
    keys: &[usize],
    x: &[f64],
    near: &mut [[[f32; 3]; EACH]; PARTS],
    few: &mut [[u8; EACH]; PARTS],
    some: &mut [[i16; EACH]; PARTS],
    many: &mut [[i64; EACH]; PARTS],
) {
    for i in 0..keys.len() {
        let k = keys[i];
        for f in 0..PARTS {
            let k = (k + f) % EACH;
            near[f][k][0] += x[i] as f32;
            near[f][k][2] -= 1.0;
            few[f][k] = few[f][k].wrapping_add(i as u8);
            many[f][k] = many[f][k].wrapping_sub(i as i64);
            if i % 3 == 0 {
                some[f][k] = some[f][k].wrapping_add(-5);
            }
            near[f][k][0] -= 2.0;
        }
    }
}

/// The same by perfectly nested loops.
#[offload(histogram)]
fn nested(
    keys: &[usize],
    total: &mut [[f64; EACH]; PARTS],
    counts: &mut [[[u32; 4]; EACH]; PARTS],
) {
    for &k in keys {
        for f in 0..PARTS {
            total[f][(k + f) % EACH] += 0.5;
            counts[f][(k + f) % EACH][3] = counts[f][(k + f) % EACH][3].wrapping_add(1);
        }
    }
}

#[test]
fn sums_of_every_size() {
    let x = weights();
    let keys = keys(EACH);
    let before = (
        (
            array::<_, PARTS>([[0.5, 1.5, -2.0]; EACH]),
            array([250; EACH]),
        ),
        (array([i16::MIN; EACH]), array([7; EACH])),
    );
    let mut expected = before.clone();
    let ((near, few), (some, many)) = &mut expected;
    for (i, &k) in keys.iter().enumerate() {
        for f in 0..PARTS {
            let k = (k + f) % EACH;
            near[f][k][0] += x[i] as f32 - 2.0;
            near[f][k][2] -= 1.0;
            few[f][k] = u8::wrapping_add(few[f][k], i as u8);
            many[f][k] -= i as i64;
            if i % 3 == 0 {
                some[f][k] = i16::wrapping_add(some[f][k], -5);
            }
        }
    }
    everywhere(before, expected, |((near, few), (some, many))| {
        sums(&keys, &x, near, few, some, many);
    });
    let before = (
        array::<_, PARTS>([-0.0; EACH]),
        array([[u32::MAX, 1, 2, 3]; EACH]),
    );
    let mut expected = before.clone();
    for &k in &keys {
        for f in 0..PARTS {
            let k = (k + f) % EACH;
            expected.0[f][k] += 0.5;
            expected.1[f][k][3] = expected.1[f][k][3].wrapping_add(1);
        }
    }
    everywhere(before, expected, |(total, counts)| {
        nested(&keys, total, counts)
    });
}

/// Fields of three, a byte beside them, other operators, and an array that is updated elsewhere.
#[offload(histogram)]
fn mixed(
    keys: &[usize],
    sums: &mut [[u64; 3]; LONG],
    low: &mut [u8; LONG + 5],
    bits: &mut [u32; LONG],
    both: &mut [i16; LONG],
    other: &mut [u64; LONG],
    total: &mut u64,
) {
    for (i, &k) in keys.iter().enumerate() {
        sums[k][0] += i as u64;
        sums[k][2] += 5;
        low[k] = low[k].min((i % 200) as u8);
        bits[k] |= 1 << (i % 32);
        if i % 2 == 0 {
            both[k] = both[k].wrapping_add(i as i16);
            other[k] += 1;
        } else {
            both[k] = both[k].wrapping_sub(3);
        }
        *total += 1;
    }
}

#[test]
fn operators_and_scalars() {
    let keys = keys(LONG);
    let before = (
        (array::<_, LONG>([1; 3]), array(255), array(0)),
        (array(9i16), array(0)),
        4,
    );
    let mut expected = before.clone();
    for (i, &k) in keys.iter().enumerate() {
        expected.0.0[k][0] += i as u64;
        expected.0.0[k][2] += 5;
        expected.0.1[k] = expected.0.1[k].min((i % 200) as u8);
        expected.0.2[k] |= 1 << (i % 32);
        if i % 2 == 0 {
            expected.1.0[k] = expected.1.0[k].wrapping_add(i as i16);
            expected.1.1[k] += 1;
        } else {
            expected.1.0[k] = expected.1.0[k].wrapping_sub(3);
        }
        expected.2 += 1;
    }
    everywhere(
        before,
        expected,
        |((sums, low, bits), (both, other), total)| {
            mixed(&keys, sums, low, bits, both, other, total);
        },
    );
}

/// Items of a byte, whose indices need no check.
#[offload(histogram)]
fn of_bytes(bytes: &[u8], sums: &mut [u64; LONG], counts: &mut [u32; LONG]) {
    for &b in bytes {
        sums[b as usize] += b as u64;
        counts[b as usize] += 1;
    }
}

#[test]
fn bytes() {
    let bytes: Vec<u8> = (0..ITEMS).map(|i| (i * i % 257) as u8).collect();
    let before = (array(1), array(2));
    let mut expected = before.clone();
    for &b in &bytes {
        expected.0[b as usize] += u64::from(b);
        expected.1[b as usize] += 1;
    }
    everywhere(before, expected, |(sums, counts)| {
        of_bytes(&bytes, sums, counts)
    });
}

#[test]
fn an_index_out_of_range_of_one_array_is_a_panic_and_changes_nothing() {
    let x = weights();
    for bad in [LONG, LONG + 2, LONG + 3, usize::MAX] {
        let mut keys = keys(LONG);
        keys[ITEMS - 9] = bad;
        for way in WAYS {
            let mut bins = (array(0.0), array(0));
            let run = || with_strategy(way, || means(&keys, &x, &mut bins.0, &mut bins.1));
            let message =
                catch_unwind(AssertUnwindSafe(run)).expect_err("an index is out of range");
            let message = message.downcast::<String>().expect("a message");
            assert!(
                message.contains(&format!("the index is {bad}")),
                "{way}: {message}"
            );
            assert!(bins == (array(0.0), array(0)), "{way}");
        }
    }
}

#[test]
fn counts_that_overflow_where_that_is_checked_panic() {
    let keys = vec![1; ITEMS];
    let x = weights();
    for way in WAYS {
        let mut bins = (array(0.0), array(u32::MAX - 9));
        let run = || with_strategy(way, || means(&keys, &x, &mut bins.0, &mut bins.1));
        let panicked = catch_unwind(AssertUnwindSafe(run)).is_err();
        assert_eq!(panicked, cfg!(debug_assertions), "{way}");
        if panicked {
            assert!(bins == (array(0.0), array(u32::MAX - 9)), "{way}");
        } else {
            assert_eq!(bins.1[1], (ITEMS as u32).wrapping_sub(10), "{way}");
        }
    }
}
