//! Scalars that are carried along by recurrences, on devices: each loop as it is written, without the attribute, is the judge.

#![cfg(feature = "sim")]
#![allow(clippy::all, reason = "loops are written as people write them")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::{Device, offload, with_device};

/// Lengths around those of warps and tiles, and several tiles.
const LENGTHS: [usize; 14] = [
    0, 1, 2, 31, 32, 33, 257, 2047, 2048, 2049, 4097, 8193, 30_011, 70_001,
];

/// Functions twice: as they are, and offloaded to where a kernel has to be.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            $($item)*
        }
        mod off {
            use super::*;
            $(#[offload(require = "cuda")] $item)*
        }
    };
}

twice! {
    pub(super) fn djb2(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 5381u32; for i in 0..x.len() { h = h.wrapping_mul(33).wrapping_add(x[i]); out[i] = h as u64; } h as u64 }
    pub(super) fn polynomial(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 7u64; for &v in x { h = h.wrapping_mul(31).wrapping_add(v as u64); } out[0] = h; h }
    pub(super) fn before(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 1i64; for i in 0..x.len() { out[i] = h as u64; h = h.wrapping_mul(x[i] as i64 - 30).wrapping_sub(5); } h as u64 }
    pub(super) fn signed(x: &[u32], out: &mut [u64]) -> u64 { let mut s = -3i32; for i in 0..x.len() { s = (x[i] as i32).wrapping_sub(s.wrapping_mul(3)); out[i] = s as u64; } s as u64 }
    pub(super) fn bytes(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 9u8; for i in 0..x.len() { h = h.wrapping_mul(7).wrapping_add(x[i] as u8); out[i] = h as u64; } h as u64 }
    pub(super) fn shorts(x: &[u32], out: &mut [u64]) -> u64 { let mut h = -9i16; for i in 0..x.len() { h = h.wrapping_add(x[i] as i16).wrapping_mul(-5); out[i] = h as u64; } h as u64 }
    pub(super) fn parity(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 3u16; for i in 0..x.len() { h = h.wrapping_mul((x[i] % 4) as u16).wrapping_add(1); out[i] = h as u64; } h as u64 }
    pub(super) fn sizes(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 0usize; for i in 0..x.len() { if x[i] % 3 == 0 { h = h.wrapping_mul(6364136223846793005).wrapping_add(i); } out[i] = h as u64; } h as u64 }
    pub(super) fn chosen(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 1u64; for i in 0..x.len() { h = if x[i] == 13 { 4 } else if x[i] % 2 == 0 { h.wrapping_mul(5) } else { h.wrapping_add(x[i] as u64) }; out[i] = h; } h }
    pub(super) fn matched(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 1u32; for i in 0..x.len() { h = match x[i] % 4 { 0 => 7, 1 => h.wrapping_mul(3), 2 => 5u32.wrapping_sub(h), _ => h.wrapping_add(i as u32) }; out[i] = h as u64; } h as u64 }
    pub(super) fn compound(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 11u32; for i in 0..x.len() { h = h.wrapping_mul(x[i] | 1); if x[i] % 5 == 0 { continue; } h = h.wrapping_add(i as u32); out[i] = h as u64; } h as u64 }
    pub(super) fn rounds(x: &[u32], out: &mut [u64]) -> u64 { let mut h = 2u32; for i in 0..x.len() { for k in 0..3 { if (x[i] + k) % 4 == 0 { continue; } h = h.wrapping_mul(31).wrapping_add(k); } out[i] = h as u64; } h as u64 }
    pub(super) fn several(x: &[u32], out: &mut [u64]) -> u64 {
        let (mut h, mut g, mut sum, mut n) = (5381u32, 1u64, 0u32, 0);
        for i in 0..x.len() {
            h = h.wrapping_mul(33).wrapping_add(x[i]);
            sum = sum.wrapping_add(x[i]);
            g = g.wrapping_mul(3).wrapping_sub(x[i] as u64);
            if x[i] % 3 == 0 { out[n] = g ^ h as u64 ^ sum as u64; n += 1; }
        }
        g ^ h as u64 ^ sum as u64 ^ n as u64
    }
}

fn input(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 9) % 61)
        .collect()
}

fn of(f: fn(&[u32], &mut [u64]) -> u64, x: &[u32]) -> (u64, Vec<u64>) {
    let mut out = vec![0; x.len().max(1)];
    (f(x, &mut out), out)
}

macro_rules! agree {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            for n in LENGTHS {
                let x = input(n);
                for device in [Device::Sim, Device::Sims(3), Device::Cpu] {
                    let found = with_device(device, || of(off::$name, &x));
                    assert!(found == of(plain::$name, &x), "{n} on {device:?}");
                }
            }
            let told = off::$name::explain();
            assert!(told.contains("lookback on sim"), "{told}");
        }
    )*};
}
agree!(
    djb2, polynomial, before, signed, bytes, shorts, parity, sizes, chosen, matched, compound,
    rounds, several
);

/// Exact, since no number has many digits.
#[offload(reassociate, require = "cuda")]
fn halves(x: &[u32], out: &mut [f32]) -> f32 {
    let mut s = 3.0f32;
    for i in 0..x.len() {
        s = s * if x[i] % 2 == 0 { 0.5 } else { -2.0 } + (x[i] % 3) as f32;
        if x[i] % 7 == 0 {
            s = s * 0.0;
        }
        out[i] = s;
    }
    s
}

#[offload(reassociate, require = "cuda")]
fn filtered(x: &[u32], out: &mut [f64], a: f64) -> f64 {
    let mut s = 0.0f64;
    for i in 0..x.len() {
        s = (1.0 - a) * s + a * f64::from(x[i]);
        out[i] = s;
    }
    s
}

#[test]
fn floats_are_regrouped() {
    for n in LENGTHS {
        let x = input(n);
        let run = |device| {
            with_device(device, || {
                let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
                let ends = (halves(&x, &mut a), filtered(&x, &mut b, 0.1));
                (ends, a, b)
            })
        };
        let (found, expected) = (run(Device::Sim), run(Device::Seq));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * (1.0 + b.abs());
        for (a, b) in found.1.iter().zip(&expected.1) {
            assert!(near((*a).into(), (*b).into()), "{n}: {a} is not {b}");
        }
        assert!(near(found.0.1, expected.0.1), "{n}");
        assert!(found.2.iter().zip(&expected.2).all(|(a, b)| near(*a, *b)));
    }
}

#[offload(require = "cuda")]
fn divided(x: &[u32], out: &mut [u32]) -> u32 {
    let mut h = 5u32;
    for i in 0..x.len() {
        h = h.wrapping_mul(17).wrapping_add(1000 / (x[i] - 3));
        out[i] = 7 / (x[i] - 2);
    }
    h
}

#[offload(require = "cuda")]
fn checked(x: &[u32], out: &mut [u32], start: u32) -> u32 {
    let mut h = start;
    for i in 0..x.len() {
        h = h * (1 + x[i] % 2) + 1;
        out[i] = h;
        if x[i] == 12 {
            h = 1;
        }
    }
    h
}

#[test]
fn panics_are_those_of_the_plain_loop() {
    let caught = |device, f: &dyn Fn() -> u32| {
        let done = with_device(device, || catch_unwind(AssertUnwindSafe(f)));
        done.map_err(|why| why.downcast_ref::<&str>().map(|s| s.to_string()))
    };
    // What is combined fails, what the body does fails, neither does.
    for (at, value) in [(5000, 3), (5000, 2), (0, 3), (8999, 2), (9000, 0)] {
        let mut x: Vec<u32> = (0..9001).map(|i| 10 + i % 50).collect();
        x[at] = if at == 9000 { 10 } else { value };
        let run = |device| caught(device, &|| divided(&x, &mut vec![0; x.len()]));
        assert_eq!(run(Device::Sim), run(Device::Seq), "{value} at {at}");
    }
    // A product that is too large, where that is checked.
    for n in [10, 40, 3000] {
        for late in [0, n / 2] {
            let x: Vec<u32> = (0..n).map(|i| if i < late { 12 } else { 1 }).collect();
            let run = |device| caught(device, &|| checked(&x, &mut vec![0; n], 1));
            assert_eq!(run(Device::Sim), run(Device::Seq), "{n} from {late}");
            assert_eq!(run(Device::Cpu), run(Device::Seq), "{n} from {late}");
        }
    }
}

/// What no kernel composes runs on the CPU, as it did.
#[test]
fn the_rest_runs_on_the_cpu() {
    #[offload]
    fn others(x: &[u32], out: &mut [u32]) -> u32 {
        let (mut a, mut b, mut m) = (1u32, 2u32, 3u32);
        for i in 0..x.len() {
            a = a.wrapping_mul(3).wrapping_add(b);
            b = b.wrapping_add(a);
            out[i] = b;
        }
        for i in 0..x.len() {
            m = m * 3 % 1009 + 1;
            m = m % 1009;
            out[i] ^= m;
        }
        for i in 0..x.len() {
            a = a.wrapping_add(a.wrapping_mul(x[i]));
            out[i] ^= a;
        }
        b ^ m ^ a
    }
    let x = input(5000);
    let run = |device| {
        with_device(device, || {
            let mut out = vec![0; x.len()];
            (others(&x, &mut out), out)
        })
    };
    assert_eq!(run(Device::Sim), run(Device::Seq));
    assert_eq!(run(Device::Cpu), run(Device::Seq));
}
