//! `#[offload]` on loops that carry scalars from iteration to iteration and fill arrays in their order, as people write them: the function without
//! the attribute is the judge, for every way of splitting the iterations.

#![allow(
    clippy::all,
    dead_code,
    unused_assignments,
    reason = "loops are written as people write them"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;
use accrue_tests::twice;

fn is_kept(v: u32) -> bool {
    v % 5 < 2
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Kept {
    at: usize,
    value: u32,
}

twice! {
    pub(super) fn inclusive(x: &[u32], out: &mut [u32]) -> u64 { let mut acc = 0u32; for i in 0..x.len() { acc += x[i]; out[i] = acc; } acc.into() }
    pub(super) fn exclusive(x: &[u32], out: &mut [u32]) -> u64 { let mut acc = 9u32; for (i, v) in x.iter().enumerate() { out[i] = acc; acc += v; } acc.into() }
    pub(super) fn zipped(x: &[u32], out: &mut [u32]) -> u64 { let mut top = 0; for (o, &v) in out.iter_mut().zip(x) { top = top.max(v); *o = top; } top.into() }
    pub(super) fn least(x: &[u32], out: &mut [u32]) -> u64 { let mut low = 700; for i in 0..x.len() { out[i] = low; low = low.min(x[i]); } low.into() }
    pub(super) fn bits(x: &[u32], out: &mut [u32]) -> u64 {
        let (mut a, mut b, mut c) = (1u32, 0u32, u32::MAX);
        for i in 0..x.len() { a ^= x[i]; b |= x[i]; c &= x[i] | 0xfff0_0000 >> (i % 13); out[i] = a.wrapping_add(b).wrapping_mul(c | 1); }
        (a ^ b ^ c).into()
    }
    pub(super) fn products(x: &[u32], out: &mut [u32]) -> u64 { let mut p = 1u32; for i in 0..x.len() { p = p.wrapping_mul(x[i] | 1); out[i] = p; } p.into() }
    pub(super) fn saturating(x: &[u32], out: &mut [u32]) -> u64 { let mut p = 1u8; for i in 0..x.len() { p = p.saturating_add((x[i] == 7) as u8); out[i] = p as u32; } p.into() }
    pub(super) fn down(x: &[u32], out: &mut [u32]) -> u64 { let mut left = u32::MAX; for i in 0..x.len() { left -= x[i] % 4; out[i] = left; } left.into() }
    pub(super) fn up_and_down(x: &[u32], out: &mut [u32]) -> u64 {
        let mut level = 0i64;
        for i in 0..x.len() { if x[i] % 2 == 0 { level += 3; } else { level -= i64::from(x[i] % 7); } out[i] = level as u32; }
        level as u64
    }
    pub(super) fn in_place(x: &[u32], out: &mut [u32]) -> u64 {
        out.copy_from_slice(x);
        let mut acc = 0u32;
        for v in out.iter_mut() { acc += *v; *v = acc; }
        acc.into()
    }
    pub(super) fn offsets(x: &[u32], out: &mut [u32]) -> u64 {
        out.copy_from_slice(x);
        let mut sum = 0u32;
        for i in 0..out.len() { let here = out[i]; out[i] = sum; sum += here; }
        sum.into()
    }
    pub(super) fn counted(x: &[u32], out: &mut [u32]) -> u64 {
        let (mut n, mut last) = (0usize, 0u32);
        for i in 0..x.len() { if x[i] % 3 == 0 { n += 1; last = last.max(x[i]); } out[i] = n as u32; }
        n as u64 + last as u64
    }
    pub(super) fn chunks(x: &[u32], out: &mut [u32]) -> u64 {
        let mut acc = 0u64;
        for (c, o) in x.chunks(7).zip(out.iter_mut()) {
            let mut s = 0;
            for &v in c { if v == 9 { break; } s += v; }
            acc += s as u64;
            *o = acc as u32;
        }
        acc
    }
    pub(super) fn nested(x: &[u32], out: &mut [u32]) -> u64 {
        let mut acc = 0u32;
        let h = x.len() / 10;
        for y in 0..h { for i in 0..10 { if x[y * 10 + i] == 3 { continue; } acc += x[y * 10 + i]; out[y * 10 + i] = acc; } }
        acc.into()
    }
    pub(super) fn mixed(x: &[u32], out: &mut [u32]) -> u64 {
        let (mut acc, mut top, mut best, mut at) = (0u32, 0u32, 0u32, 0usize);
        let mut hist = [0u32; 8];
        for i in 0..x.len() {
            let v = x[i];
            acc = acc.wrapping_add(v * 3);
            out[i] = acc;
            hist[(v % 8) as usize] = hist[(v % 8) as usize].wrapping_add(v);
            top = top.max(v ^ 5);
            if v > best { best = v; at = i; }
        }
        hist.iter().map(|h| u64::from(*h)).sum::<u64>() + u64::from(acc) + u64::from(top) + at as u64
    }
    pub(super) fn compact(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0; for &v in x { if v % 3 == 0 { out[n] = v; n += 1; } } n as u64 }
    pub(super) fn by_call(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0; for i in 0..x.len() { if is_kept(x[i]) { out[n] = x[i]; n += 1; } } n as u64 }
    pub(super) fn skipped(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0usize; for &v in x { if v % 3 != 0 { continue; } let at = n; n += 1; out[at] = v; } n as u64 }
    pub(super) fn matched(x: &[u32], out: &mut [u32]) -> u64 {
        let mut n = 0u32;
        for &v in x { match v % 4 { 0 => { out[n as usize] = v; n += 1; } 1 => { out[n as usize] = v ^ 1; n += 1; } _ => {} } }
        n.into()
    }
    pub(super) fn some(x: &[u32], out: &mut [u32]) -> u64 {
        let mut n = 0i32;
        for i in 0..x.len() { let v = x[i]; if v % 7 == 2 { out[n as usize] = i as u32; n += 1; } }
        n as u64
    }
    pub(super) fn partition(x: &[u32], out: &mut [u32]) -> u64 {
        let mut high = vec![0u32; x.len()];
        let (mut i, mut j) = (0, 0);
        for &v in x { if v % 3 == 0 { out[i] = v; i += 1; } else { high[j] = v; j += 1; } }
        out[i..i + j].copy_from_slice(&high[..j]);
        i as u64
    }
    pub(super) fn several(x: &[u32], out: &mut [u32]) -> u64 {
        let mut n = 0usize;
        for i in 0..x.len() / 4 {
            for k in 0..x[i] as usize % 4 { out[n] = (i * 4 + k) as u32; n += 1; }
            if x[i] % 5 == 1 { out[n] = 1; n += 1; } else if x[i] % 5 == 2 { n += 0; }
        }
        n as u64
    }
    pub(super) fn pairs(x: &[u32], out: &mut [u32]) -> u64 {
        let mut n = 0usize;
        for i in 0..x.len() / 2 { if x[i] % 5 == 1 { out[n] = x[i]; out[n + 1] = i as u32; n += 2; } }
        n as u64
    }
    pub(super) fn structs(x: &[u32], out: &mut [u32]) -> u64 {
        let mut all = vec![Kept::default(); x.len()];
        let mut n = 0;
        for (at, &value) in x.iter().enumerate() { if value % 3 == 1 { all[n] = Kept { at, value }; all[n].value += 1; n += 1; } }
        for i in 0..n { out[i] = all[i].value ^ all[i].at as u32; }
        n as u64
    }
    pub(super) fn of_an_inner_count(x: &[u32], out: &mut [u32]) -> u64 {
        let mut n = 0;
        for i in 0..x.len() {
            let mut divisors = 0u32;
            let mut k = 1;
            while k <= x[i] % 16 { if x[i] % k == 0 { divisors += 1; } k += 1; }
            if divisors > 2 { out[n] = divisors; n += 1; }
        }
        n as u64
    }
    pub(super) fn kept_sums(x: &[u32], out: &mut [u32]) -> u64 { for i in 1..x.len() { out[i] = out[i - 1] + x[i]; } 0 }
    pub(super) fn kept_x_first(x: &[u32], out: &mut [u32]) -> u64 { let out_before = 3; for i in 1..x.len() { out[i] = x[i] ^ out[i - 1]; } out_before }
    pub(super) fn kept_from_behind(x: &[u32], out: &mut [u32]) -> u64 { for i in (0..x.len() - 1).rev() { out[i] += out[i + 1]; } 0 }
    pub(super) fn kept_next(x: &[u32], out: &mut [u32]) -> u64 { for (i, &v) in x.iter().enumerate() { out[i + 1] = out[i].max(v); } 0 }
    pub(super) fn kept_filled(x: &[u32], out: &mut [u32]) -> u64 {
        for i in 1..x.len() { out[i] = if x[i] % 3 == 0 { x[i] } else { out[i - 1] }; }
        0
    }
    pub(super) fn kept_hash(x: &[u32], out: &mut [u32]) -> u64 { for i in 1..x.len() { out[i] = out[i - 1].wrapping_mul(31).wrapping_add(x[i]); } 0 }
    pub(super) fn kept_column(x: &[u32], out: &mut [u32]) -> u64 {
        let w = 3;
        let mut odd = 0u64;
        for i in 1..x.len() / 3 { odd += u64::from(x[i] & 1); out[i * w + 1] += out[(i - 1) * w + 1]; }
        odd
    }
    pub(super) fn kept_below_zero(x: &[u32], out: &mut [u32]) -> u64 { for i in 0..x.len() { let v = x[i]; out[i] = out[i - 1] + v; } 0 }
    pub(super) fn of_the_counter(x: &[u32], out: &mut [u32]) -> u64 {
        let mut n = 1usize;
        let mut sum = 0u64;
        for i in 0..x.len() { if x[i] % 2 == 1 { n += 1; } sum = sum.wrapping_add((n * i) as u64); out[i] = x[n / 2]; }
        sum
    }
}

type Both = (fn(&[u32], &mut [u32]) -> u64, fn(&[u32], &mut [u32]) -> u64);

/// A name, the plain function, the offloaded one.
macro_rules! both {
    ($($name:ident)*) => { [$((stringify!($name), (plain::$name as fn(&[u32], &mut [u32]) -> u64, off::$name as fn(&[u32], &mut [u32]) -> u64))),*] };
}

const WAYS: [&str; 7] = [
    "sequential",
    "private:workers=1,parts=7",
    "private:workers=3,parts=2",
    "private:workers=3,parts=7",
    "private:workers=4,parts=1000",
    "private:workers=3",
    "private:workers=1",
];

fn data(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| i.wrapping_mul(2_654_435_761).rotate_left(7) % 1000)
        .collect()
}

fn all() -> Vec<(&'static str, Both)> {
    both! {
        inclusive exclusive zipped least bits products saturating down up_and_down in_place offsets counted chunks nested mixed compact by_call skipped
        matched some partition several pairs structs of_an_inner_count of_the_counter kept_sums kept_x_first kept_from_behind kept_next kept_filled
        kept_hash kept_column kept_below_zero
    }
    .to_vec()
}

/// Lengths around those of tiles on a GPU, and several of them.
const LENGTHS: [usize; 7] = [1, 4095, 4096, 4097, 8192, 12_289, 20_000];

/// The same on the simulated device, where there is one.
fn simulated<R>(f: impl FnOnce() -> R) -> Option<R> {
    #[cfg(feature = "sim")]
    return Some(accrue::with_device(accrue::Device::Sim, f));
    #[cfg(not(feature = "sim"))]
    {
        drop(f);
        None
    }
}

#[test]
fn tiles_of_a_gpu_give_what_the_plain_loop_gives() {
    for n in LENGTHS {
        let x = data(n + 1);
        // As it is allocated, and an element further on.
        for x in [&x[..n], &x[1..]] {
            for (name, (plain, off)) in all() {
                let mut expected = vec![77; n];
                let result = outcome(plain, x, &mut expected);
                let mut out = vec![77; n];
                let Some(found) = simulated(|| outcome(off, x, &mut out)) else {
                    return;
                };
                assert_eq!(found, result, "{name} of {n} on the simulated device");
                assert!(
                    result.is_err() || out == expected,
                    "{name} of {n} on the simulated device"
                );
            }
        }
    }
}

#[cfg(feature = "sim")]
#[test]
fn the_strategy_is_named() {
    let x = data(9000);
    let mut out = vec![0; 9000];
    simulated(|| off::inclusive(&x, &mut out));
    let said = off::inclusive::explain();
    assert!(said.contains("lookback"), "{said}");
}

/// What a call does: what it returns or panics with.
fn outcome(f: fn(&[u32], &mut [u32]) -> u64, x: &[u32], out: &mut [u32]) -> Result<u64, String> {
    catch_unwind(AssertUnwindSafe(|| f(x, out))).map_err(|payload| {
        match payload.downcast_ref::<String>() {
            Some(text) => text.clone(),
            None => (*payload.downcast_ref::<&str>().expect("a text")).to_owned(),
        }
    })
}

#[test]
fn results_are_those_of_the_plain_loop() {
    for n in [0, 1, 2, 10, 63, 1000, 5003] {
        let x = data(n);
        for (name, (plain, off)) in all() {
            let mut expected = vec![77; n];
            let result = outcome(plain, &x, &mut expected);
            for way in WAYS {
                let mut out = vec![77; n];
                let found = with_strategy(way, || outcome(off, &x, &mut out));
                assert_eq!(found, result, "{name} of {n}, {way}");
                if result.is_ok() {
                    assert!(out == expected, "{name} of {n}, {way}");
                }
            }
            let mut out = vec![77; n];
            assert_eq!(outcome(off, &x, &mut out), result, "{name} of {n}");
            let mut out = vec![77; n];
            if let Some(found) = simulated(|| outcome(off, &x, &mut out)) {
                assert_eq!(found, result, "{name} of {n} on the simulated device");
                assert!(
                    result.is_err() || out == expected,
                    "{name} of {n} on the simulated device"
                );
            }
        }
    }
}

#[test]
fn what_lies_outside_panics_as_the_plain_loop() {
    // Out of range, in the terms or where it is written, at several places.
    let x = data(1000);
    for room in [0, 1, 5, 100, 399, 990] {
        for (name, (plain, off)) in all() {
            let result = outcome(plain, &x, &mut vec![0; room]);
            for way in WAYS {
                let found = with_strategy(way, || outcome(off, &x, &mut vec![0; room]));
                assert_eq!(found, result, "{name} with room for {room}, {way}");
            }
            if let Some(found) = simulated(|| outcome(off, &x, &mut vec![0; room])) {
                assert_eq!(
                    found, result,
                    "{name} with room for {room} on the simulated device"
                );
            }
        }
    }
}

#[test]
fn what_overflows_does_as_the_plain_loop() {
    let x = vec![u32::MAX / 300; 1000];
    for (name, (plain, off)) in all() {
        let mut expected = vec![0; 1000];
        let result = outcome(plain, &x, &mut expected);
        for way in WAYS {
            let mut out = vec![0; 1000];
            let found = with_strategy(way, || outcome(off, &x, &mut out));
            assert_eq!(found, result, "{name}, {way}");
            assert!(result.is_err() || out == expected, "{name}, {way}");
        }
        let mut out = vec![0; 1000];
        if let Some(found) = simulated(|| outcome(off, &x, &mut out)) {
            assert_eq!(found, result, "{name} on the simulated device");
            assert!(
                result.is_err() || out == expected,
                "{name} on the simulated device"
            );
        }
    }
}

#[offload]
fn carried_out(x: &[u32], total: &mut u32, out: &mut [u32]) {
    for i in 0..x.len() {
        *total += x[i];
        out[i] = *total;
    }
}

#[test]
fn a_scalar_is_as_before_after_a_panic() {
    let x = data(100);
    for way in WAYS {
        let mut total = 5;
        let ran = with_strategy(way, || {
            catch_unwind(AssertUnwindSafe(|| {
                carried_out(&x, &mut total, &mut [0; 60])
            }))
        });
        assert!(ran.is_err());
        if way != "sequential" {
            assert_eq!(total, 5, "{way}");
        }
        total = 5;
        with_strategy(way, || carried_out(&x, &mut total, &mut [0; 100]));
        assert_eq!(total, 5 + x.iter().sum::<u32>(), "{way}");
    }
}

struct Running {
    sum: f64,
    sums: Vec<f64>,
}

impl Running {
    #[offload(deterministic)]
    fn run(&mut self, x: &[u32]) {
        for i in 0..x.len() {
            self.sum += 1.0 / (x[i] + 1) as f64;
            self.sums[i] = self.sum;
        }
    }
}

#[test]
fn deterministic_floats_do_not_depend_on_the_workers() {
    let x = data(5003);
    let run = |way: &str| {
        let mut running = Running {
            sum: 0.1,
            sums: vec![0.0; x.len()],
        };
        with_strategy(way, || running.run(&x));
        (
            running.sum.to_bits(),
            running.sums.iter().map(|s| s.to_bits()).collect::<Vec<_>>(),
        )
    };
    let one = run("private:workers=1");
    for way in [
        "private:workers=2",
        "private:workers=4",
        "private:workers=3",
    ] {
        assert!(run(way) == one, "{way}");
    }
    let mut plain = 0.1;
    for (v, bits) in x.iter().zip(&one.1) {
        plain += 1.0 / (v + 1) as f64;
        assert!((f64::from_bits(*bits) - plain).abs() < 1e-9 * plain);
    }
}

#[test]
fn it_says_what_is_carried() {
    let said = off::compact::explain();
    assert!(said.contains("scan n: usize"), "{said}");
    assert!(said.contains("filled out, at n"), "{said}");
    let all: Vec<String> = vec![
        off::inclusive::explain(),
        off::exclusive::explain(),
        off::zipped::explain(),
        off::least::explain(),
        off::bits::explain(),
        off::products::explain(),
        off::saturating::explain(),
        off::down::explain(),
        off::up_and_down::explain(),
        off::in_place::explain(),
        off::offsets::explain(),
        off::counted::explain(),
        off::chunks::explain(),
        off::nested::explain(),
        off::mixed::explain(),
        off::by_call::explain(),
        off::skipped::explain(),
        off::matched::explain(),
        off::some::explain(),
        off::partition::explain(),
        off::several::explain(),
        off::pairs::explain(),
        off::structs::explain(),
        off::of_an_inner_count::explain(),
        off::of_the_counter::explain(),
        off::kept_sums::explain(),
        off::kept_x_first::explain(),
        off::kept_from_behind::explain(),
        off::kept_next::explain(),
    ];
    for said in all {
        assert!(
            said.contains("  scan ") && !said.contains("stays in order"),
            "{said}"
        );
        if cfg!(feature = "sim") {
            let without = ["by_call", "mixed", "structs"];
            let without = without.iter().any(|name| said.starts_with(name));
            assert_ne!(said.contains("runs on: cpu, gpu"), without, "{said}");
        }
    }
}
