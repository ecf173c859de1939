//! Loops as people write them, in many styles: text, images, particles, fractals, bit tricks. Each gives what the
//! sequential loop gives, on every device of the build.

mod generic;
mod idioms;
mod taken_apart;
mod visibility;

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, offload, with_device};

const BINS: usize = 64;
const SCALE: f32 = 0.125;
static TABLE: [u16; 8] = [3, 1, 4, 1, 5, 9, 2, 6];

#[offload(device)]
fn hash(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x
}

#[repr(C)]
#[derive(Clone, Copy, accrue::DeviceType)]
struct Particle {
    pos: [f32; 3],
    mass: f32,
    kind: u8,
}

/// Bytes by class.
#[offload(histogram)]
pub(crate) fn classes(text: &str, h: &mut [u32; 5]) {
    for b in text.bytes() {
        match b {
            b'a'..=b'z' => h[0] += 1,
            b'A'..=b'Z' => h[1] += 1,
            b'0'..=b'9' => h[2] += 1,
            b' ' | b'\t' | b'\n' => h[3] += 1,
            _ => h[4] += 1,
        }
    }
}

#[offload(histogram, uses(hash))]
fn hashed(keys: &[u64], h: &mut Vec<u64>) {
    let n = h.len() as u64;
    for &k in keys {
        h[(hash(k) % n) as usize] += k & 3;
    }
}

#[offload(histogram, uses(Particle))]
fn energy(ps: &[Particle], lo: f32, hi: f32, e: &mut [f64], n: &mut [u32]) {
    let inv = e.len() as f32 / (hi - lo);
    for p in ps.iter() {
        let r = (p.pos[0] * p.pos[0] + p.pos[1] * p.pos[1] + p.pos[2] * p.pos[2]).sqrt();
        if r < lo || r >= hi {
            continue;
        }
        let bin = ((r - lo) * inv) as usize;
        let bin = bin.min(e.len() - 1);
        e[bin] += f64::from(0.5 * p.mass * r * r);
        if p.kind == 2 {
            n[bin] += 1;
        }
    }
}

#[offload(histogram)]
fn sobel(img: &[u8], w: usize, h: usize, hist: &mut [i32]) {
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            let gx = i32::from(img[y * w + x + 1]) - i32::from(img[y * w + x - 1]);
            let gy = i32::from(img[(y + 1) * w + x]) - i32::from(img[(y - 1) * w + x]);
            let m = ((gx * gx + gy * gy) as f32).sqrt() as usize;
            hist[m / 8] += 1;
        }
    }
}

#[offload(histogram)]
fn pairs(x: &[f32], y: &[f32], h: &mut [u32; BINS]) {
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
            let d = (dx * dx + dy * dy).sqrt();
            let b = (d * SCALE) as usize;
            if b < BINS {
                h[b] += 2;
            }
        }
    }
}

#[offload(histogram)]
fn bits(words: &[u32], set: &mut [u32; 32], lead: &mut [u8; 33]) {
    for &w in words {
        let mut rest = w;
        while rest != 0 {
            set[rest.trailing_zeros() as usize] += 1;
            rest &= rest - 1;
        }
        lead[w.leading_zeros() as usize] = lead[w.leading_zeros() as usize].saturating_add(1);
    }
}

#[offload(histogram)]
fn maxima(keys: &[u16], v: &[i64], best: &mut [i64], worst: &mut [i64], any: &mut [u8]) {
    for (k, &v) in keys.iter().zip(v) {
        let k = usize::from(*k) % best.len();
        best[k] = best[k].max(v);
        worst[k] = worst[k].min(v);
        any[k] |= 1 << (v.rem_euclid(8) as u8);
    }
}

#[offload(histogram)]
fn digrams(s: &[u8], h: &mut [[u32; 16]; 16]) {
    for w in s.windows(2) {
        h[(w[0] >> 4) as usize][(w[1] & 15) as usize] += 1;
    }
}

#[offload(histogram)]
fn chunks(s: &[i16], h: &mut [f32; 9]) {
    for (i, c) in s.chunks_exact(3).enumerate() {
        let sum: i32 = i32::from(c[0]) + i32::from(c[1]) * 2 - i32::from(c[2]);
        h[(sum.unsigned_abs() as usize + i) % 9] += sum as f32 * 0.5;
    }
}

#[offload(histogram)]
fn totals(v: &[i32], h: &mut [u64; 7]) -> (i64, i32, i32) {
    let mut total = 0i64;
    let mut lo = i32::MAX;
    let mut hi = i32::MIN;
    for &x in v {
        h[x.rem_euclid(7) as usize] += 1;
        total += x as i64;
        lo = lo.min(x);
        hi = hi.max(x);
    }
    (total, lo, hi)
}

#[offload(histogram)]
fn table(keys: &[u8], h: &mut [u16]) {
    let t = TABLE;
    for &k in keys.iter().rev().step_by(3) {
        let j = (k & 7) as usize;
        h[t[j] as usize] += 1;
    }
}

#[offload(histogram)]
fn local_arrays(data: &[[f32; 4]], h: &mut [u32; 16]) {
    for row in data {
        let mut best = 0usize;
        let mut order = [0u8; 4];
        for k in 0..4 {
            if row[k] > row[best] {
                best = k;
            }
            order[k] = (row[k].abs() as u32 % 4) as u8;
        }
        h[best * 4 + order[best] as usize] += 1;
    }
}

#[offload(histogram)]
fn mandel(w: usize, h: usize, hist: &mut [u32; 33]) {
    for p in 0..w * h {
        let (x, y) = (p % w, p / w);
        let cr = x as f64 / w as f64 * 3.0 - 2.0;
        let ci = y as f64 / h as f64 * 2.0 - 1.0;
        let (mut zr, mut zi, mut n) = (0.0f64, 0.0f64, 0usize);
        while n < 32 && zr * zr + zi * zi <= 4.0 {
            (zr, zi) = (zr * zr - zi * zi + cr, 2.0 * zr * zi + ci);
            n += 1;
        }
        hist[n] += 1;
    }
}

#[offload(histogram)]
fn angles(x: &[f64], y: &[f64], h: &mut [u32; 36]) {
    for (x, y) in x.iter().zip(y.iter()) {
        let a = y.atan2(*x).to_degrees();
        let a = if a < 0.0 { a + 360.0 } else { a };
        h[(a / 10.0).floor() as usize % 36] += 1;
    }
}

#[offload(histogram)]
fn signed(keys: &[i8], h: &mut [i16; 256], x: &mut [u64; 4]) {
    for (i, &k) in keys.iter().enumerate().skip(5).take(700) {
        h[(k as i16 + 128) as usize] -= 3;
        x[i & 3] ^= (k as u64).rotate_left(i as u32 % 64);
    }
}

#[offload(histogram)]
fn labelled(keys: &[u32], h: &mut [u32; 10]) {
    'outer: for &k in keys {
        let mut n = k;
        loop {
            if n == 0 {
                continue 'outer;
            }
            let d = n % 10;
            if d == 7 {
                break;
            }
            n /= 10;
        }
        h[(k % 10) as usize] += 1;
    }
}

#[offload(histogram)]
fn ifelse(v: &[f32], h: &mut [u32; 4]) {
    for &x in v {
        let b = if x.is_nan() {
            3
        } else if x < 0.0 {
            0
        } else if x < 1.0 {
            1
        } else {
            2
        };
        h[b] += 1;
    }
}

#[offload(histogram)]
fn interior(img: &[f32], w: usize, h: usize, r: usize, hist: &mut [u32; 32]) {
    for y in r..h - r {
        for x in r..w - r {
            let mut sum = 0.0;
            for dy in 0..2 * r + 1 {
                for dx in 0..2 * r + 1 {
                    sum += img[(y + dy - r) * w + x + dx - r];
                }
            }
            hist[(sum.abs() * 0.25) as usize % 32] += 1;
        }
    }
}

#[offload(histogram)]
fn volume(v: &[u8], n: [usize; 3], hist: &mut [u64; 256]) {
    for z in 0..n[2] / 2 {
        for y in 0..n[1] {
            for x in 1..n[0] - 1 {
                let i = (z * n[1] + y) * n[0] + x;
                hist[(v[i] as i16 - v[i - 1] as i16).unsigned_abs() as usize] += 1;
            }
        }
    }
}

fn rng(seed: &mut u64) -> u64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    *seed >> 16
}

fn everything() -> Vec<String> {
    let mut s = 42u64;
    let n = 1543;
    let bytes: Vec<u8> = (0..n).map(|_| rng(&mut s) as u8).collect();
    let text: String = (0..n)
        .map(|_| (32 + rng(&mut s) % 90) as u8 as char)
        .collect();
    let u64s: Vec<u64> = (0..n).map(|_| rng(&mut s)).collect();
    let u32s: Vec<u32> = u64s.iter().map(|x| *x as u32).collect();
    let u16s: Vec<u16> = u64s.iter().map(|x| *x as u16).collect();
    let i16s: Vec<i16> = u64s.iter().map(|x| (*x >> 3) as i16).collect();
    let i32s: Vec<i32> = u64s.iter().map(|x| (*x >> 5) as i32).collect();
    let i64s: Vec<i64> = u64s.iter().map(|x| (*x << 13) as i64).collect();
    let i8s: Vec<i8> = bytes.iter().map(|x| *x as i8).collect();
    let f32s: Vec<f32> = i16s.iter().map(|x| *x as f32 / 977.0).collect();
    let f32t: Vec<f32> = i16s.iter().rev().map(|x| *x as f32 / 1077.0).collect();
    let f64s: Vec<f64> = i32s.iter().map(|x| *x as f64 / 977.0).collect();
    let f64t: Vec<f64> = i32s.iter().rev().map(|x| *x as f64 / 1977.0).collect();
    let quads: Vec<[f32; 4]> = f32s
        .chunks_exact(4)
        .map(|c| [c[0], c[1], c[2], c[3]])
        .collect();
    let ps: Vec<Particle> = quads
        .iter()
        .zip(&bytes)
        .map(|(q, b)| Particle {
            pos: [q[0], q[1], q[2]],
            mass: q[3],
            kind: b % 4,
        })
        .collect();
    let mut out = Vec::new();
    macro_rules! put {
        ($n:literal, $x:expr) => {
            out.push(format!("{} {:?}", $n, $x))
        };
    }
    let mut h = [1u32; 5];
    classes(&text, &mut h);
    put!("classes", h);
    let mut h = vec![0u64; 37];
    hashed(&u64s, &mut h);
    put!("hashed", h);
    let (mut e, mut c) = (vec![0.0; 11], vec![0u32; 11]);
    energy(&ps, 1.0, 50.0, &mut e, &mut c);
    put!(
        "energy",
        (e.iter().map(|x| format!("{x:.6}")).collect::<Vec<_>>(), c)
    );
    let mut h = vec![0i32; 46];
    sobel(&bytes[..40 * 38], 40, 38, &mut h);
    put!("sobel", h);
    let mut h = [0u32; BINS];
    pairs(&f32s[..200], &f32t[..200], &mut h);
    put!("pairs", h);
    let (mut a, mut b) = ([0u32; 32], [250u8; 33]);
    bits(&u32s, &mut a, &mut b);
    put!("bits", (a, b));
    let (mut a, mut b, mut c) = (vec![i64::MIN; 13], vec![i64::MAX; 13], vec![0u8; 13]);
    maxima(&u16s, &i64s, &mut a, &mut b, &mut c);
    put!("maxima", (a, b, c));
    let mut h = [[0u32; 16]; 16];
    digrams(&bytes, &mut h);
    put!("digrams", h);
    let mut h = [0f32; 9];
    chunks(&i16s, &mut h);
    put!("chunks", h);
    let mut h = [0u64; 7];
    let t = totals(&i32s, &mut h);
    put!("totals", (h, t));
    let mut h = vec![65530u16; 10];
    table(&bytes[..40], &mut h);
    put!("table", h);
    let mut h = [0u32; 16];
    local_arrays(&quads, &mut h);
    put!("local", h);
    let mut h = [0u32; 33];
    mandel(48, 31, &mut h);
    put!("mandel", h);
    let mut h = [0u32; 36];
    angles(&f64s, &f64t, &mut h);
    put!("angles", h);
    let (mut h, mut x) = ([5i16; 256], [7u64; 4]);
    signed(&i8s, &mut h, &mut x);
    put!("signed", (h.to_vec(), x));
    let mut h = [0u32; 10];
    labelled(&u32s, &mut h);
    put!("labelled", h);
    let mut h = [0u32; 4];
    ifelse(&f32s, &mut h);
    put!("ifelse", h);
    for (w, h, r) in [
        (40, 38, 1),
        (9, 7, 3),
        (0, 1, 0),
        (0, 0, 0),
        (5, 1, 0),
        (3, 2, 1),
    ] {
        let mut h1 = [0u32; 32];
        interior(&f32s, w, h, r, &mut h1);
        put!("interior", h1);
    }
    let mut h = [0u64; 256];
    volume(&bytes, [11, 12, 11], &mut h);
    put!("volume", h.to_vec());
    let mut h = [0u64; 256];
    volume(&bytes, [0, 0, 11], &mut h);
    put!("volume", h.to_vec());
    let mut h = [0u64; 256];
    volume(&bytes, [0, 4, 1], &mut h);
    put!("volume", h.to_vec());
    out
}

#[test]
fn every_style_gives_what_the_sequential_loop_gives() {
    let expected = with_device(Device::Seq, everything);
    let mut devices = vec![Device::Cpu];
    if cfg!(feature = "sim") {
        devices.push(Device::Sim);
    }
    for device in devices {
        let found = with_device(device, everything);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "on {device}");
        }
    }
    // Loops as short as these would not get them by themselves.
    for strategy in trials() {
        let run = || with_strategy(strategy, everything);
        for (found, expected) in with_device(Device::Cpu, run).iter().zip(&expected) {
            assert_eq!(found, expected, "{strategy}");
        }
    }
}

#[test]
fn interiors_are_two_dimensions_for_a_gpu() {
    for (explain, space) in [
        (sobel::explain(), "1..h - 1 \u{d7} 1..w - 1"),
        (interior::explain(), "r..h - r \u{d7} r..w - r"),
    ] {
        assert!(explain.contains(space), "{explain}");
    }
}
