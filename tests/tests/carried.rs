//! `#[offload]` on loops that carry scalars along by recurrences, append to collections, and write at a count whether they keep what they write, as
//! people write them: the function without the attribute is the judge, for every way of splitting the iterations.

#![allow(
    clippy::all,
    dead_code,
    unused_assignments,
    reason = "loops are written as people write them"
)]

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;

/// Functions twice: as they are, and offloaded.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            #[allow(unused_imports, reason = "some functions need nothing")]
            use super::*;
            $($item)*
        }
        mod off {
            #[allow(unused_imports, reason = "some functions need nothing")]
            use super::*;
            $(#[offload(reassociate)] $item)*
        }
    };
}

fn is_kept(v: u32) -> bool {
    v % 5 < 2
}

fn mean(x: &[u32]) -> u32 {
    x.iter().sum::<u32>() / x.len().max(1) as u32
}

twice! {
    // Recurrences over integers: generators, hashes, polynomials.
    pub(super) fn djb2(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 5381u32; for (o, &c) in out.iter_mut().zip(x) { h = h.wrapping_mul(33).wrapping_add(c); *o = h; } h.into() }
    pub(super) fn java_hash(x: &[u32], out: &mut [u32]) -> u64 { let mut h: i32 = 0; for i in 0..x.len() { h = 31i32.wrapping_mul(h).wrapping_add(x[i] as i32); out[i] = h as u32; } h as u64 }
    pub(super) fn checked(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 1u64; for i in 0..x.len() { h = h * (1 + x[i] as u64 % 2) + 3; out[i] = h as u32; if i % 50 == 49 { h = 1; } } h }
    pub(super) fn lcg(x: &[u32], out: &mut [u32]) -> u64 { let mut s = 42u64; for i in 0..out.len().min(x.len()) { s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); out[i] = (s >> 33) as u32 ^ x[i]; } s }
    pub(super) fn horner(x: &[u32], out: &mut [u32]) -> u64 { let mut acc = 0u32; let at = x.len() as u32 | 1; for c in x { acc *= at; acc += c; } out[0] = acc; acc.into() }
    pub(super) fn rabin(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 0u32; for i in 0..x.len() { if i >= 8 { h = h.wrapping_sub(x[i - 8].wrapping_mul(0x4321)); } h = h.wrapping_mul(257).wrapping_add(x[i]); out[i] = h; } h.into() }
    pub(super) fn negated(x: &[u32], out: &mut [u32]) -> u64 { let mut s = 1i64; for i in 0..x.len() { s = x[i] as i64 - s; out[i] = s as u32; } s as u64 }
    pub(super) fn masked(x: &[u32], out: &mut [u32]) -> u64 { let mut m = u32::MAX; for i in 0..x.len() { m = (m & x[i]) ^ (x[i] >> 3); out[i] = m; } m.into() }
    pub(super) fn rows(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 7u32; for (row, o) in x.chunks(5).zip(out.iter_mut()) { for &v in row { if v == 3 { continue; } h = h.wrapping_mul(31).wrapping_add(v); } *o = h; } h.into() }
    // Modulo a number.
    pub(super) fn sum_modulo(x: &[u32], out: &mut [u32]) -> u64 { let mut acc = 0; for &v in x { acc = (acc + v) % 9973; } out[0] = acc; acc.into() }
    pub(super) fn sum_and_remainder(x: &[u32], out: &mut [u32]) -> u64 { let (m, mut acc) = (x.len() as u32 % 10, 40u32); for (o, v) in out.iter_mut().zip(x) { acc += v; acc %= m; *o = acc; } acc.into() }
    pub(super) fn product_modulo(x: &[u32], out: &mut [u32]) -> u64 { let mut p = 1u64; for i in 0..x.len() { p = p * (u64::from(x[i]) + 1) % 1_000_000_007; out[i] = p as u32; } p }
    pub(super) fn polynomial(x: &[u32], out: &mut [u32]) -> u64 { const MOD: u64 = 998_244_353; let mut h = 0u64; for v in x { h = (h * 131 + *v as u64) % MOD; } out[0] = h as u32; h }
    pub(super) fn narrow(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 5u32; for i in 0..x.len() { h = ((h as u64 * 131 + x[i] as u64) % 1_000_000_007) as u32; out[i] = h; } h.into() }
    pub(super) fn narrow_by_from(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 5u32; for &v in x { let wide = u64::from(h) * 31 + u64::from(v); h = (wide % 1_000_003) as u32; } out[0] = h; h.into() }
    pub(super) fn with_a_sign(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 0i64; for i in 0..x.len() { let v = x[i] as i64 - if i == 700 { 2000 } else { 0 }; h = (h * 3 + v) % 101; out[i] = h as u32; } h as u64 }
    pub(super) fn euclidean(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 4i64; for i in 0..x.len() { h = (h * 7 + x[i] as i64 - if i == 900 { 99_000 } else { 0 }).rem_euclid(1009); out[i] = h as u32; } h as u64 }
    pub(super) fn folded(x: &[u32], out: &mut [u32]) -> u64 { let h = x.iter().fold(7u64, |h, v| (h * 131 + u64::from(*v)) % 1_000_000_007); out[0] = h as u32; h }
    pub(super) fn rolling(x: &[u32], out: &mut [u32]) -> u64 { let (mut h, k) = (0u64, 8); for i in 0..x.len().saturating_sub(k) { h = (h + 9973 * 9973 - u64::from(x[i] % 9973) * 4096 % 9973) % 9973; h = (h * 256 + u64::from(x[i + k])) % 9973; out[i] = h as u32; } h }
    pub(super) fn less_modulo(x: &[u32], out: &mut [u32]) -> u64 { let (mut acc, m) = (3u32, 1009u32); for i in 0..x.len() { acc = (acc + m - x[i] % m) % m; out[i] = acc; } acc.into() }
    pub(super) fn prefixes(x: &[u32], out: &mut [u32]) -> u64 { let mut h = vec![0u64; x.len() + 1]; for i in 0..x.len() { h[i + 1] = (h[i] * 257 + x[i] as u64) % 1_000_000_009; } out[0] = h[x.len()] as u32; h.iter().fold(0, |a, b| a ^ b) }
    pub(super) fn powers(x: &[u32], out: &mut [u32]) -> u64 { let n = x.len(); out[0] = 1; for i in 1..n { out[i] = (out[i - 1] as u64 * 31 % 65_521) as u32; } out[n - 1].into() }
    pub(super) fn where_odd(x: &[u32], out: &mut [u32]) -> u64 { let (mut acc, mut n) = (0u32, 0u32); for i in 0..x.len() { if x[i] % 2 == 1 { acc = (acc * 2 + x[i]) % 1000; n += 1; } out[i] = acc; } (acc + n).into() }
    pub(super) fn small_type(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 1u8; for i in 0..x.len() { h = (h + (x[i] % 60) as u8) % 197; out[i] = h as u32; } h.into() }
    pub(super) fn other_moduli(x: &[u32], out: &mut [u32]) -> u64 { let mut acc = 0u32; for i in 0..x.len() { acc = (acc + x[i]) % (i as u32 / 100 + 7); out[i] = acc; } acc.into() }
    pub(super) fn fibonacci(x: &[u32], out: &mut [u32]) -> u64 { let (mut a, mut b) = (0u32, 1u32); for i in 0..x.len() { out[i] = a ^ x[i]; let c = (a + b) % 10_007; a = b; b = c; } a.into() }
    pub(super) fn adler_32(x: &[u32], out: &mut [u32]) -> u64 { let (mut a, mut b) = (1u32, 0u32); for v in x { a = (a + (v & 255)) % 65_521; b = (b + a) % 65_521; } out[0] = b << 16 | a; b.into() }
    pub(super) fn hash_and_power(x: &[u32], out: &mut [u32]) -> u64 { let (mut h, mut p) = (0u64, 1u64); for i in 0..x.len() { h = (h + p * (x[i] as u64 + 1)) % 1_000_000_007; p = p * 31 % 1_000_000_007; out[i] = (h ^ p) as u32; } h }
    pub(super) fn hash_of_rows(x: &[u32], out: &mut [u32]) -> u64 { let mut h = 7u64; for row in x.chunks(9) { for &v in row { h = (h * 33 + v as u64) % 99_991; } } out[0] = h as u32; h }
    pub(super) fn hash_and_bins(x: &[u32], out: &mut [u32]) -> u64 { let (mut h, mut hist) = (0u64, [0u32; 4]); for &v in x { h = (h * 5 + v as u64) % 10_007; hist[v as usize % 4] += v; } out[0] = hist[1]; h + hist[3] as u64 }
    // Several scalars that depend on each other.
    pub(super) fn twofold(x: &[u32], out: &mut [u32]) -> u64 { let (mut a, mut b) = (0u32, 0u32); for i in 0..x.len() { a = a.wrapping_add(x[i]); b = b.wrapping_add(a); out[i] = b; } b.into() }
    pub(super) fn adler(x: &[u32], out: &mut [u32]) -> u64 { let (mut a, mut b) = (1u64, 0u64); for (i, v) in x.iter().enumerate() { a += u64::from(*v); b += a; out[i] = (b ^ a) as u32; } a ^ b }
    pub(super) fn delays(x: &[u32], out: &mut [u32]) -> u64 { let (mut p, mut q) = (3u32, 4u32); for i in 0..x.len() { out[i] = x[i].wrapping_add(p).wrapping_mul(q | 1); q = p; p = x[i]; } (p ^ q).into() }
    pub(super) fn second_order(x: &[u32], out: &mut [u32]) -> u64 {
        let (mut y1, mut y2) = (0i64, 0i64);
        for i in 0..x.len() { let y = (x[i] as i64).wrapping_add(y1.wrapping_mul(3)).wrapping_sub(2i64.wrapping_mul(y2)); y2 = y1; y1 = y; out[i] = y as u32; }
        y1 as u64
    }
    // What was assigned last, and what was combined since.
    pub(super) fn filled(x: &[u32], out: &mut [u32]) -> u64 { let mut last = 9u32; for i in 0..x.len() { if x[i] % 7 == 0 { last = x[i]; } out[i] = last; } last.into() }
    pub(super) fn filled_by_value(x: &[u32], out: &mut [u32]) -> u64 { let mut last = 9; for i in 0..x.len() { last = if x[i] % 7 == 0 { x[i] } else { last }; out[i] = last; } last.into() }
    pub(super) fn differences(x: &[u32], out: &mut [u32]) -> u64 { let mut before = 0u32; for i in 0..x.len() { out[i] = x[i].wrapping_sub(before); before = x[i]; } before.into() }
    pub(super) fn in_place(x: &[u32], out: &mut [u32]) -> u64 { out.copy_from_slice(x); let mut before = 0; for v in out.iter_mut() { let here = *v; *v = here.wrapping_sub(before); before = here; } before.into() }
    pub(super) fn last_of_all(x: &[u32], out: &mut [u32]) -> u64 { let mut at = 0usize; let mut found = false; for (i, &v) in x.iter().enumerate() { if is_kept(v) { at = i; found = true; } } out[0] = found as u32; at as u64 }
    pub(super) fn state(x: &[u32], out: &mut [u32]) -> u64 { let mut inside = false; for i in 0..x.len() { match x[i] % 11 { 0 => inside = true, 5 => inside = false, _ => {} } out[i] = inside as u32; } inside as u64 }
    pub(super) fn parity(x: &[u32], out: &mut [u32]) -> u64 { let mut quoted = false; for i in 0..x.len() { quoted ^= x[i] % 5 == 0; out[i] = quoted as u32 * x[i]; } quoted as u64 }
    pub(super) fn quoted(x: &[u32], out: &mut [u32]) -> u64 { let mut q = false; for i in 0..x.len() { if x[i] % 6 == 1 { q = !q; } if x[i] == 0 { q = false; } out[i] = q as u32; } q as u64 }
    pub(super) fn segments(x: &[u32], out: &mut [u32]) -> u64 { let mut s = 0u32; for i in 0..x.len() { s = if x[i] % 13 == 0 { x[i] } else { s + x[i] }; out[i] = s; } s.into() }
    pub(super) fn streaks(x: &[u32], out: &mut [u32]) -> u64 { let (mut run, mut longest) = (0u32, 0u32); for i in 0..x.len() { if x[i] % 4 != 0 { run += 1; } else { run = 0; } longest = longest.max(run); out[i] = run; } longest.into() }
    pub(super) fn ups_and_downs(x: &[u32], out: &mut [u32]) -> u64 { let mut level = 0i64; for i in 0..x.len() { if x[i] % 17 == 0 { level = 0; } else if x[i] % 2 == 0 { level += x[i] as i64; } else { level -= 5; } out[i] = level as u32; } level as u64 }
    pub(super) fn drained(x: &[u32], out: &mut [u32]) -> u64 { let mut left = 1 << 20; for i in 0..x.len() { left = if x[i] % 19 == 0 { 1u32 << 20 } else { left - x[i] }; out[i] = left; } left.into() }
    pub(super) fn peaks(x: &[u32], out: &mut [u32]) -> u64 { let mut top = 0u32; for i in 0..x.len() { top = if x[i] % 23 == 0 { 0 } else { top.max(x[i]) }; out[i] = top; } top.into() }
    // Runs, by what the iteration before has read.
    pub(super) fn runs(x: &[u32], out: &mut [u32]) -> u64 { let (mut n, mut before) = (0u32, 0u32); for i in 0..x.len() { let v = x[i] / 300; n = if v == before { n + 1 } else { 1 }; before = v; out[i] = n; } n.into() }
    pub(super) fn labels(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0; let mut inside = false; for i in 0..x.len() { let on = x[i] % 3 != 0; if on && !inside { n += 1; } inside = on; out[i] = if inside { n } else { 0 }; } n.into() }
    pub(super) fn heads(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0usize; let mut before = u32::MAX; for &v in x { if v / 300 != before { out[n] = v; n += 1; } before = v / 300; } n as u64 }
    // Parts from a start on.
    pub(super) fn parts(x: &[u32], out: &mut [u32]) -> u64 { let w = 10; for y in 0..x.len() / w { let row = &mut out[y * w..][..w]; for (i, v) in row.iter_mut().enumerate() { *v = x[y * w + i] + y as u32; } } 0 }
    // Counts that are moved without a branch.
    pub(super) fn branchless(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0; for &v in x { out[n] = v; n += is_kept(v) as usize; } n as u64 }
    pub(super) fn by_from(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0usize; for i in 0..x.len() { out[n] = i as u32; n += usize::from(x[i] % 3 == 0); } n as u64 }
    pub(super) fn by_if(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0i32; for i in 0..x.len() { let v = x[i] * 2; out[n as usize] = v; n += if v % 3 == 0 { 1 } else { 0 }; } n as u64 }
    pub(super) fn kept_alone(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0; for &v in x { if v % 2 == 0 { out[n] = v; n += 1; } n += 0; } n as u64 }
    pub(super) fn both_ends(x: &[u32], out: &mut [u32]) -> u64 {
        let mut rest = vec![0u32; x.len() + 1];
        let (mut i, mut j) = (0usize, 0usize);
        for &v in x { let small = v < 500; out[i] = v; rest[j] = v; i += small as usize; j += !small as usize; }
        out[i.min(x.len() - 1)] = rest[j];
        (i * 1000 + j) as u64
    }
    pub(super) fn at_once(x: &[u32], out: &mut [u32]) -> u64 { let mut n = 0; for &v in x { if v % 3 == 0 { let at = { n += 1; n - 1 }; out[at] = v; } } n as u64 }
    // What grows.
    pub(super) fn pushed(x: &[u32], out: &mut [u32]) -> u64 { let mut kept = Vec::new(); for &v in x { if is_kept(v) { kept.push(v); } } out[..kept.len()].copy_from_slice(&kept); kept.len() as u64 }
    pub(super) fn pushed_twice(x: &[u32], out: &mut [u32]) -> u64 {
        let (mut a, mut b): (Vec<(usize, u32)>, Vec<u32>) = (Vec::new(), vec![1]);
        for (i, v) in x.iter().enumerate() { match v % 3 { 0 => a.push((i, *v)), 1 => { b.push(*v); b.push(i as u32); } _ => {} } }
        for (i, v) in a.iter().enumerate() { out[i] = v.1 ^ v.0 as u32; }
        b.iter().fold(0, |s, v| s * 31 % 1_000_003 + u64::from(*v))
    }
    pub(super) fn extended(x: &[u32], out: &mut [u32]) -> u64 { let mut all: Vec<u32> = vec![]; for row in x.chunks(7) { if row[0] % 2 == 0 { all.extend_from_slice(row); } else { all.extend(row.iter().map(|v| v + 1)); } } out.copy_from_slice(&all); all.len() as u64 }
    pub(super) fn text(x: &[u32], out: &mut [u32]) -> u64 { let mut s = String::new(); for &v in x { let c = (b'a' + (v % 26) as u8) as char; if c != 'e' { s.push(c); } else { s.push_str("--"); } } out[0] = s.len() as u32; s.bytes().fold(0, |h, b| h * 31 % 1_000_003 + u64::from(b)) }
    pub(super) fn queued(x: &[u32], out: &mut [u32]) -> u64 { let mut q = VecDeque::from([5u32]); for i in 0..x.len() { if x[i] > 400 { q.push_back(x[i]); } } out[0] = q[q.len() / 2]; q.len() as u64 }
    pub(super) fn divisors(x: &[u32], out: &mut [u32]) -> u64 { let mut pairs = Vec::new(); for i in 0..x.len() { let mut k = 1; while k * k <= x[i] { if x[i] % k == 0 { pairs.push(k ^ i as u32); } k += 1; } } out[0] = pairs.len() as u32; pairs.iter().map(|p| u64::from(*p)).sum() }
    pub(super) fn all_at_once(x: &[u32], out: &mut [u32]) -> u64 {
        let (mut kept, mut h, mut n, mut last) = (Vec::new(), 1u32, 0usize, 0u32);
        let mut hist = [0u32; 8];
        for i in 0..x.len() {
            let v = x[i];
            hist[(v % 8) as usize] += 1;
            h = h.wrapping_mul(31).wrapping_add(v);
            if v % 3 == 0 { kept.push(h); last = v; }
            out[n] = h ^ last;
            n += (v % 2 == 0) as usize;
        }
        kept.iter().map(|v| u64::from(*v)).sum::<u64>() + u64::from(h) + n as u64 + u64::from(hist[3])
    }
}

type Both = (
    fn(&[u32], &mut [u32]) -> u64,
    fn(&[u32], &mut [u32]) -> u64,
    fn() -> String,
);

/// A name, the plain function, the offloaded one, what is said of it.
macro_rules! both {
    ($($name:ident)*) => { [$((stringify!($name), (plain::$name as fn(&[u32], &mut [u32]) -> u64, off::$name as fn(&[u32], &mut [u32]) -> u64, off::$name::explain as fn() -> String))),*] };
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
        djb2 java_hash checked lcg horner rabin negated masked rows twofold adler delays second_order filled filled_by_value differences in_place last_of_all
        state parity quoted segments streaks ups_and_downs drained peaks branchless by_from by_if kept_alone both_ends at_once pushed pushed_twice extended text queued
        divisors all_at_once runs labels heads parts sum_modulo sum_and_remainder product_modulo polynomial narrow narrow_by_from with_a_sign euclidean folded rolling less_modulo prefixes
        powers where_odd small_type other_moduli fibonacci adler_32 hash_and_power hash_of_rows hash_and_bins
    }
    .to_vec()
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
        for (name, (plain, off, _)) in all() {
            let mut expected = vec![77; n];
            let result = outcome(plain, &x, &mut expected);
            for way in WAYS {
                let mut out = vec![77; n];
                let found = with_strategy(way, || outcome(off, &x, &mut out));
                assert_eq!(found, result, "{name} of {n}, {way}");
                assert!(result.is_err() || out == expected, "{name} of {n}, {way}");
            }
            let mut out = vec![77; n];
            assert_eq!(outcome(off, &x, &mut out), result, "{name} of {n}");
        }
    }
}

#[test]
fn what_lies_outside_panics_as_the_plain_loop() {
    let x = data(1000);
    for room in [0, 1, 5, 100, 399, 400, 990] {
        for (name, (plain, off, _)) in all() {
            let result = outcome(plain, &x, &mut vec![0; room]);
            for way in WAYS {
                let found = with_strategy(way, || outcome(off, &x, &mut vec![0; room]));
                assert_eq!(found, result, "{name} with room for {room}, {way}");
            }
        }
    }
}

#[test]
fn what_overflows_does_as_the_plain_loop() {
    let x = vec![u32::MAX / 300; 1000];
    for (name, (plain, off, _)) in all() {
        // Their divisors take as long as one pleases.
        if name == "divisors" {
            continue;
        }
        let mut expected = vec![0; 1000];
        let result = outcome(plain, &x, &mut expected);
        for way in WAYS {
            let mut out = vec![0; 1000];
            let found = with_strategy(way, || outcome(off, &x, &mut out));
            assert_eq!(found, result, "{name}, {way}");
            assert!(result.is_err() || out == expected, "{name}, {way}");
        }
    }
}

#[test]
fn none_stays_in_order() {
    for (_, (_, _, explain)) in all() {
        let said = explain();
        assert!(!said.contains("stays in order"), "{said}");
        let role = ["  scan ", "  filled ", "  appends to ", "  own "];
        assert!(role.iter().any(|role| said.contains(role)), "{said}");
    }
}

/// Filters, as audio code has them.
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
    x1: f64,
    x2: f64,
    y1: f64,
    y2: f64,
}

impl Biquad {
    #[offload(reassociate, deterministic)]
    fn run(&mut self, x: &[f64], out: &mut [f64]) {
        for i in 0..x.len() {
            let y = self.b[0] * x[i] + self.b[1] * self.x1 + self.b[2] * self.x2
                - self.a[0] * self.y1
                - self.a[1] * self.y2;
            self.x2 = self.x1;
            self.x1 = x[i];
            self.y2 = self.y1;
            self.y1 = y;
            out[i] = y;
        }
    }

    fn new() -> Biquad {
        Biquad {
            b: [0.0675, 0.1349, 0.0675],
            a: [-1.143, 0.4128],
            x1: 0.0,
            x2: 0.0,
            y1: 0.5,
            y2: 0.25,
        }
    }
}

#[offload(reassociate)]
fn smoothed(x: &[f32], alpha: f32, out: &mut [f32]) -> f32 {
    let mut s = x[0];
    for (o, &v) in out.iter_mut().zip(x) {
        s += alpha * (v - s);
        *o = s;
    }
    s
}

#[test]
fn filters_are_right_up_to_the_last_bits() {
    let x: Vec<f64> = data(5000)
        .iter()
        .map(|v| f64::from(*v) / 1000.0 - 0.5)
        .collect();
    let run = |way: &str| {
        let mut out = vec![0.0; x.len()];
        let mut filter = Biquad::new();
        with_strategy(way, || filter.run(&x, &mut out));
        out.push(filter.y2);
        out
    };
    let plain = run("sequential");
    let parts = run("private:workers=1");
    for way in ["private:workers=4", "private:workers=3"] {
        let same = run(way)
            .iter()
            .zip(&parts)
            .all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "{way}: it is deterministic");
    }
    assert!(plain.iter().zip(&parts).all(|(a, b)| (a - b).abs() < 1e-12));
    let x: Vec<f32> = x.iter().map(|v| *v as f32).collect();
    let smooth = |way: &str| {
        let mut out = vec![0.0; x.len()];
        let last = with_strategy(way, || smoothed(&x, 0.05, &mut out));
        assert_eq!(last, out[x.len() - 1]);
        out
    };
    let plain = smooth("sequential");
    for way in WAYS {
        let close = smooth(way)
            .iter()
            .zip(&plain)
            .all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(close, "{way}");
    }
}

struct Index {
    seen: Vec<u32>,
    names: Vec<String>,
}

impl Index {
    #[offload]
    fn gather(&mut self, x: &[u32]) {
        for (i, &v) in x.iter().enumerate() {
            if v % 5 == 0 {
                self.seen.push(v);
                self.names.push(format!("{i}"));
            }
        }
    }
}

#[offload]
fn to_the_end(x: &[u32], out: &mut Vec<u32>) {
    for &v in x {
        assert!(v != 999_999, "a bad number");
        if is_kept(v) {
            out.push(v);
        }
    }
}

#[test]
fn fields_and_parameters_grow_behind_what_they_hold() {
    let mut x = data(3000);
    for way in WAYS {
        let mut index = Index {
            seen: vec![1],
            names: vec![],
        };
        with_strategy(way, || index.gather(&x));
        let expected: Vec<u32> = x.iter().copied().filter(|v| v % 5 == 0).collect();
        assert_eq!(index.seen[1..], expected, "{way}");
        let names = x.iter().enumerate().filter(|(_, v)| *v % 5 == 0);
        assert!(names.map(|(i, _)| i.to_string()).eq(index.names), "{way}");
    }
    // A panic leaves it as it was.
    x[2000] = 999_999;
    for way in WAYS {
        let mut out = vec![4, 5];
        let ran = catch_unwind(AssertUnwindSafe(|| {
            with_strategy(way, || to_the_end(&x, &mut out))
        }));
        assert!(ran.is_err());
        assert_eq!(out, [4, 5], "{way}");
        with_strategy(way, || to_the_end(&x[..2000], &mut out));
        assert_eq!(
            out.len(),
            2 + x[..2000].iter().filter(|v| is_kept(**v)).count()
        );
    }
}

struct Tally {
    sums: Vec<u32>,
    top: u32,
}

#[offload]
impl Tally {
    fn new(n: usize) -> Tally {
        Tally {
            sums: vec![0; n],
            top: 0,
        }
    }

    fn run(&mut self, x: &[u32]) {
        for i in 0..x.len() {
            self.top = self.top.max(x[i]);
            self.sums[i] = self.top;
        }
    }
}

#[test]
fn the_attribute_stands_on_an_impl_block() {
    let x = data(1000);
    let mut tally = Tally::new(1000);
    with_strategy("private:workers=3,parts=7", || tally.run(&x));
    assert_eq!(tally.top, *x.iter().max().unwrap());
    assert_eq!(tally.sums[999], tally.top);
}
