//! Loops that push to vectors, on devices: each as it is written, without the attribute, is the judge.

#![cfg(feature = "sim")]
#![allow(clippy::all, reason = "loops are written as people write them")]

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::{Device, DeviceBuffer, Error, offload, with_device, with_memory};

/// Lengths around those of warps and tiles.
const LENGTHS: [usize; 15] = [
    0, 1, 2, 31, 32, 33, 255, 257, 2047, 2048, 2049, 4097, 8191, 12_289, 30_011,
];

/// Functions twice: as they are, and offloaded to where a kernel has to be.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            use super::*;
            $($item)*
        }
        mod off {
            use super::*;
            $(#[offload(require = "cuda", uses(Hit))] $item)*
        }
    };
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, accrue::DeviceType)]
struct Hit {
    at: u32,
    key: f32,
}

twice! {
    pub(super) fn kept(x: &[u32], out: &mut Vec<u32>) { for &v in x { if v % 3 == 0 { out.push(v); } } }
    pub(super) fn all(x: &[u32], out: &mut Vec<u32>) { for &v in x { out.push(v ^ 5); } }
    pub(super) fn none(x: &[u32], out: &mut Vec<u32>) { for &v in x { if v > 10_000 { out.push(v); } } }
    pub(super) fn skipped(x: &[u32], out: &mut Vec<u32>) { for i in 0..x.len() { if x[i] % 7 < 3 { continue; } out.push(i as u32); } }
    pub(super) fn twice(x: &[u32], out: &mut Vec<u32>) { for &v in x { if v % 5 == 1 { out.push(v); out.push(v + 1); } else if v % 2 == 0 { out.push(v / 2); } } }
    pub(super) fn matched(x: &[u32], out: &mut Vec<u32>) { for &v in x { match v % 4 { 0 => out.push(v), 1 => { let w = v * 3; out.push(w); } _ => {} } } }
    pub(super) fn literals(x: &[u32], out: &mut Vec<u32>) { for &v in x { match v % 4 { 0 => out.push(1), 1 => out.push(v), 2 => { out.push(3); out.push(4) } _ => {} } } }
    pub(super) fn named(x: &[u32], out: &mut Vec<u32>) { for i in 1..x.len() { let pair = (x[i - 1], x[i]); if pair.0 % 5 == 3 { out.push(pair.1); } } }
    pub(super) fn thrice(x: &[u32], out: &mut Vec<u32>) { for &v in x { for k in 0..3 { if (v + k) % 2 == 0 { out.push(v * k); } } } }
    pub(super) fn bytes(x: &[u32], out: &mut Vec<u32>) {
        let mut small: Vec<u8> = vec![9];
        for &v in x { if v % 3 == 1 { small.push(v as u8); } }
        out.extend(small.iter().map(|v| u32::from(*v)));
    }
    pub(super) fn wide(x: &[u32], out: &mut Vec<u32>) {
        let (mut signed, mut floats) = (Vec::new(), Vec::new());
        for (i, &v) in x.iter().enumerate() { if v % 2 == 1 { signed.push(i as i64 - 40); } else { floats.push(f64::from(v) / 8.0); } }
        out.extend(signed.iter().map(|v| *v as u32));
        out.extend(floats.iter().map(|v| *v as u32));
    }
    pub(super) fn pairs(x: &[u32], out: &mut Vec<u32>) {
        let mut hits = Vec::new();
        for i in 0..x.len() { if x[i] % 6 == 2 { hits.push((i as u32, x[i])); } }
        out.extend(hits.iter().map(|(a, b)| a ^ b));
    }
    pub(super) fn structs(x: &[u32], out: &mut Vec<u32>) {
        let mut hits: Vec<Hit> = Vec::new();
        for i in 0..x.len() { if x[i] > 40 { hits.push(Hit { at: i as u32, key: x[i] as f32 * 0.5 }); } }
        for hit in hits { out.push(hit.at + hit.key as u32); }
    }
    pub(super) fn arrays(x: &[u32], out: &mut Vec<u32>) {
        let mut rows = Vec::new();
        for i in 0..x.len() { if x[i] % 9 == 0 { rows.push([x[i] as u8, i as u8, 7]); } }
        out.extend(rows.iter().map(|[a, b, c]| u32::from_be_bytes([*a, *b, *c, 0])));
    }
    pub(super) fn beside(x: &[u32], out: &mut Vec<u32>) {
        let (mut sum, mut hist, mut own) = (0u64, [0u32; 8], vec![0u32; x.len()]);
        for i in 0..x.len() {
            own[i] = x[i] + 1;
            hist[x[i] as usize % 8] += 1;
            if x[i] % 8 == 3 { out.push(x[i] * 2); }
            sum += u64::from(x[i]);
        }
        out.push(sum as u32);
        out.extend(hist);
        out.extend(own);
    }
    pub(super) fn carried(x: &[u32], out: &mut Vec<u32>) {
        let (mut acc, mut n, mut cells) = (7u32, 0, vec![0; x.len()]);
        for &v in x {
            acc = acc.wrapping_add(v);
            if v % 4 == 1 { cells[n] = acc; n += 1; }
            if v % 5 == 1 { out.push(acc ^ v); }
        }
        out.push(acc);
        out.extend(&cells[..n]);
    }
}

fn input(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 9) % 61)
        .collect()
}

/// What a function leaves in a vector that holds something, without room to spare or with.
fn of(f: fn(&[u32], &mut Vec<u32>), x: &[u32], room: usize) -> Vec<u32> {
    let mut out = Vec::with_capacity(room);
    out.extend([3, 1]);
    f(x, &mut out);
    out
}

macro_rules! agree {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            for n in LENGTHS {
                let x = input(n);
                for (device, room) in [(Device::Sim, 0), (Device::Sim, 100_000), (Device::Sims(3), 5), (Device::Cpu, 0)] {
                    let found = with_device(device, || of(off::$name, &x, room));
                    assert!(found == of(plain::$name, &x, 0), "{n} on {device:?}");
                }
            }
            let told = off::$name::explain();
            assert!(told.contains(" on sim (the simulator)"), "{told}");
        }
    )*};
}
agree!(
    kept, all, none, skipped, twice, matched, literals, named, thrice, bytes, wide, pairs, structs,
    arrays, beside, carried
);

#[offload(require = "cuda")]
fn divided(x: &[u32], by: u32, out: &mut Vec<u32>, ends: &mut Vec<usize>, sum: &mut u32) {
    for i in 0..x.len() {
        *sum += x[i];
        if x[i] % 2 == 0 {
            out.push(1000 / (x[i] - by));
        } else {
            ends.push(i);
        }
    }
}

#[offload(require = "cuda")]
fn looked_up(x: &[u32], table: &[u32], out: &mut Vec<u32>) {
    for &v in x {
        if table[v as usize] > 1 {
            out.push(v);
        }
    }
}

/// What a call leaves, with its panic.
fn caught<T: Debug>(device: Device, mut state: T, f: impl FnOnce(&mut T)) -> String {
    let done = with_device(device, || catch_unwind(AssertUnwindSafe(|| f(&mut state))));
    let why = done.err().map(|why| {
        let text = why.downcast_ref::<String>().cloned();
        text.or(why.downcast_ref::<&str>().map(|s| s.to_string()))
    });
    format!("{why:?} {state:?}")
}

#[test]
fn nothing_is_appended_where_an_iteration_panics() {
    let mut x: Vec<u32> = (0..9000).map(|i| 100 + i % 50).collect();
    let run = |device, x: &[u32]| {
        let state = (vec![1], vec![2], 3);
        caught(device, state, |(out, ends, sum)| {
            divided(x, 10, out, ends, sum);
        })
    };
    assert!(run(Device::Sim, &x).starts_with("None"));
    for at in [0, 5000, 8999] {
        let before = std::mem::replace(&mut x[at], 10);
        let expected = format!(
            "{:?} ([1], [2], 3)",
            Some(Some("attempt to divide by zero".to_owned()))
        );
        for device in [Device::Sim, Device::Cpu, Device::Sims(2)] {
            assert_eq!(run(device, &x), expected, "{at} on {device:?}");
        }
        x[at] = before;
    }
    // Whether an iteration appends is what fails.
    let x: Vec<u32> = (0..5000)
        .map(|i| if i == 4100 { 99 } else { i % 7 })
        .collect();
    let table = [0, 1, 2, 3, 4, 5, 6];
    let run = |device| caught(device, vec![5], |out| looked_up(&x, &table, out));
    let expected = "Some(Some(\"index out of bounds: the len is 7 but the index is 99\")) [5]";
    assert_eq!(run(Device::Sim), expected);
    assert_eq!(run(Device::Cpu), expected);
}

#[offload(require = "cuda")]
fn found(x: &[u32], of: u32) -> Vec<u32> {
    let mut at = Vec::new();
    for i in 0..x.len() {
        if x[i] == of {
            at.push(i as u32);
        }
    }
    at
}

#[test]
fn data_on_a_device_stay_there() {
    with_device(Device::Sim, || -> Result<(), Error> {
        let x = input(5000);
        let there = DeviceBuffer::from_slice(&x)?;
        let before = accrue::stats();
        let at = found::on(&there, 8)?;
        let moved = accrue::stats() - before;
        assert_eq!(at, with_device(Device::Seq, || found(&x, 8)));
        assert!(at.len() > 50);
        assert!(
            moved.downloaded_bytes < 4 * at.len() as u64 + 100,
            "{moved:?}"
        );
        Ok(())
    })
    .unwrap();
}

#[test]
fn only_what_was_pushed_is_copied() {
    with_device(Device::Sim, || {
        let x = input(20_000);
        let before = accrue::stats();
        let found = of(off::kept, &x, 0);
        let moved = accrue::stats() - before;
        let appended = 4 * (found.len() as u64 - 2);
        assert!(
            (appended..appended + 100).contains(&moved.downloaded_bytes),
            "{moved:?}"
        );
        assert!(moved.uploaded_bytes < 80_100, "{moved:?}");
    });
}

#[test]
fn what_does_not_fit_runs_on_the_cpu() {
    let x = input(10_000);
    let expected = of(plain::twice, &x, 0);
    // The input has 40 kB, and twice as many elements may come.
    let tried = |most| {
        let out = &mut vec![3, 1];
        let done = with_memory(most, || off::twice::try_call(&x, out));
        (done, std::mem::take(out))
    };
    with_device(Device::Sim, || {
        assert_eq!(tried(200_000), (Ok(()), expected.clone()));
        let (done, left) = tried(100_000);
        assert!(matches!(done, Err(Error::TooLarge { .. })), "{done:?}");
        assert_eq!(left, [3, 1]);
        assert_eq!(with_memory(100_000, || of(off::twice, &x, 0)), expected);
    });
}

/// What no kernel is made of runs on the CPU, as it did.
mod others {
    use accrue::offload;
    use std::collections::VecDeque;

    #[offload]
    pub fn tuples_with_gaps(x: &[u32]) -> Vec<(usize, u32)> {
        let mut out = Vec::new();
        for (i, v) in x.iter().enumerate() {
            if v % 3 == 0 {
                out.push((i, *v));
            }
        }
        out
    }
    #[offload]
    pub fn units(x: &[u32], out: &mut Vec<()>) {
        for v in x {
            if v % 3 == 0 {
                out.push(());
            }
        }
    }
    #[offload]
    pub fn rounds(x: &[u32], n: u32, out: &mut Vec<u32>) {
        for &v in x {
            for k in 0..n {
                if (v + k) % 2 == 0 {
                    out.push(v * k);
                }
            }
        }
    }
    #[offload]
    pub fn queue(x: &[u32], out: &mut VecDeque<u32>) {
        for &v in x {
            if v > 3 {
                out.push_back(v);
            }
        }
    }
    #[offload]
    pub fn text(x: &[u8], out: &mut String) {
        for &v in x {
            if v > 64 {
                out.push(v as char);
            }
        }
    }
    #[offload]
    pub fn strings(x: &[u32], out: &mut Vec<String>) {
        for &v in x {
            if v > 3 {
                out.push(v.to_string());
            }
        }
    }
    #[offload]
    pub fn of_what_is_written(x: &[u32], y: &mut [u32], out: &mut Vec<u32>) {
        for i in 0..x.len() {
            y[i] = x[i] * 3;
            if y[i] > 50 {
                out.push(y[i]);
            }
        }
    }
    #[offload]
    pub fn of_a_sum(x: &[u32], out: &mut Vec<u32>) {
        let mut sum = 0u32;
        for &v in x {
            sum = sum.wrapping_add(v);
            if sum % 3 == 0 {
                out.push(sum);
            }
        }
    }
    #[offload]
    pub fn extended(x: &[u32], out: &mut Vec<u32>) {
        for &v in x {
            out.extend_from_slice(&[v, v + 1]);
        }
    }
    #[offload]
    pub(super) fn generic<T: Copy + Send + Sync + PartialOrd + accrue::Plain>(
        x: &[T],
        t: T,
        out: &mut Vec<T>,
    ) {
        for &v in x {
            if v > t {
                out.push(v);
            }
        }
    }
}

#[test]
fn the_rest_runs_on_the_cpu() {
    let x = input(3000);
    let y: Vec<u8> = x.iter().map(|v| *v as u8 * 3).collect();
    let run = |device| {
        with_device(device, || {
            let (mut a, mut b, mut c) = (vec![1], [2].into(), String::from(">"));
            let (mut d, mut e, mut own) = (vec![], vec![7], vec![0; x.len()]);
            others::rounds(&x, 4, &mut a);
            others::queue(&x, &mut b);
            others::text(&y, &mut c);
            others::strings(&x, &mut d);
            others::of_what_is_written(&x, &mut own, &mut a);
            others::of_a_sum(&x, &mut a);
            others::extended(&x, &mut e);
            others::generic(&x, 30, &mut a);
            let mut units = Vec::new();
            others::units(&x, &mut units);
            a.push(units.len() as u32);
            a.extend(
                others::tuples_with_gaps(&x)
                    .iter()
                    .map(|(i, v)| *i as u32 ^ v),
            );
            (a, b, c, d, e, own)
        })
    };
    assert_eq!(run(Device::Sim), run(Device::Seq));
    assert_eq!(run(Device::Cpu), run(Device::Seq));
    let told = others::rounds::explain();
    assert!(
        told.contains("how many elements an iteration appends is not known"),
        "{told}"
    );
    let told = others::of_what_is_written::explain();
    assert!(
        told.contains("depends on `y`, which the loop writes"),
        "{told}"
    );
    let told = others::of_a_sum::explain();
    assert!(told.contains("not on a gpu"), "{told}");
}

/// What a kernel takes for a number is of the vector's type, whatever the macro has inferred.
#[test]
fn the_type_is_the_vectors() {
    #[offload]
    fn numbers(n: usize, out: &mut Vec<u16>) {
        for i in 0..300 {
            if i % 3 == 0 {
                out.push(i);
            }
        }
        for i in 0..n {
            if i % 5 == 0 {
                out.push(1);
            }
        }
    }
    let run = |device| {
        with_device(device, || {
            let mut out = vec![];
            numbers(1000, &mut out);
            out
        })
    };
    assert_eq!(run(Device::Sim), run(Device::Seq));
}
