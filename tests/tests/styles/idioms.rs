//! What surrounds and shapes a loop in people's code: methods, generics, patterns, closures, early `continue`s, locals that
//! shadow one another. Each function stands twice, as it is and offloaded.

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, offload, with_device};

use super::rng;

/// Functions twice: as they are in `plain`, and offloaded in `offloaded`.
macro_rules! twice {
    ($($(#[$attribute:meta])* fn $name:ident $(<$t:ident: $bound:path>)? ($($params:tt)*) $(-> $output:ty)? $body:block)*) => {
        mod plain {
            use super::*;
            $($(#[$attribute])* pub(super) fn $name $(<$t: $bound>)? ($($params)*) $(-> $output)? $body)*
        }
        mod offloaded {
            use super::*;
            $(#[offload(histogram)] $(#[$attribute])* pub(super) fn $name $(<$t: $bound>)? ($($params)*) $(-> $output)? $body)*
        }
    };
}

const WIDTH: usize = 12;

/// A key of any width.
trait Key: Copy + Sync + Into<u64> {}
impl<T: Copy + Sync + Into<u64>> Key for T {}

#[derive(Clone, Copy, Debug)]
struct Hit {
    x: u32,
    y: u8,
    on: bool,
}

fn spread(x: u32) -> usize {
    (x.count_ones() + x.leading_zeros()) as usize
}

twice! {
    fn triangle(n: usize, w: &[u32], h: &mut [u64; 64]) {
        for i in 0..n {
            for j in i..n {
                h[(w[i] ^ w[j]) as usize & 63] += 1;
            }
        }
    }

    fn rows_of_any_length(rows: &[Vec<u32>], h: &mut [u32; 40]) {
        for row in rows.iter() {
            for &x in row {
                h[x as usize % 40] += 1;
            }
        }
    }

    fn luma(data: &[u8], h: &mut [u64; 256]) {
        for px in data.chunks_exact(3) {
            let [r, g, b] = [px[0], px[1], px[2]];
            let l = (u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114) / 1000;
            h[l as usize] += 1;
        }
    }

    fn digits(keys: &[u32], h: &mut [u32; 10]) {
        for &k in keys {
            let mut n = k;
            while n > 0 {
                h[(n % 10) as usize] += 1;
                n /= 10;
            }
        }
    }

    fn collatz(keys: &[u32], h: &mut [u32]) {
        for &k in keys {
            let mut n = u64::from(k % 1000 + 1);
            let mut steps = 0;
            loop {
                if n == 1 {
                    break;
                }
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                steps += 1;
            }
            h[steps] += 1;
        }
    }

    fn bases(dna: &[u8], h: &mut [u32; 4]) {
        for b in dna {
            let i = match b {
                b'A' | b'a' => 0,
                b'C' | b'c' => 1,
                b'G' => 2,
                b if b.is_ascii_digit() => 3,
                _ => continue,
            };
            h[i] += 1;
        }
    }

    fn shadowed(keys: &[u32], h: &mut [u32; 16]) {
        for k in keys {
            let k = *k;
            let k = k.rotate_left(5) ^ k;
            let (k, _high) = (k as usize & 0xf, k >> 8);
            h[k] += 1;
        }
    }

    fn helped(keys: &[u32], h: &mut [u32; 70]) {
        for &k in keys {
            h[spread(k)] += 1;
        }
    }

    // The attribute writes such a name as `N @ _`.
    #[allow(non_snake_case, clippy::redundant_pattern)]
    fn capitals(keys: &[u32], h: &mut [u32; 40]) {
        for &k in keys {
            let bin = match (k % 7, k % 5) {
                (0, _) => 39,
                (LOW, HIGH) => match LOW {
                    1 | 2 => HIGH,
                    N => N * 5 + HIGH,
                },
            };
            h[bin as usize] += 1;
        }
    }

    #[allow(non_upper_case_globals)]
    fn own_constants(keys: &[u32], h: &mut [u32; 40]) {
        for &k in keys {
            const LOW: u32 = 2;
            const high: u32 = 3;
            let bin = match (k % 7, k % 5) {
                (LOW, high) => 1,
                (high, LOW) => 2,
                (n, _) => n + 3,
            };
            h[bin as usize] += 1;
        }
    }

    fn by_constants(keys: &[u32], h: &mut [i64; WIDTH]) {
        const SCALE: f32 = 3.5;
        for &k in keys {
            let x = (k % 5000) as f32 * SCALE;
            h[x as usize % WIDTH] -= 1;
        }
    }

    fn generic<T: Key>(keys: &[T], h: &mut [u32]) {
        for k in keys {
            let k: u64 = (*k).into();
            h[(k % 31) as usize] += 1;
        }
    }

    fn lent_and_returned(keys: &[u32]) -> (Vec<u32>, u64) {
        let mut h = vec![0; 20];
        let mut sum = 0u64;
        for &k in keys {
            h[k as usize % 20] += 1u32;
            sum += u64::from(k);
        }
        (h, sum)
    }

    fn reborrowed(mut keys: &[u32], h: &mut [u32; 8]) {
        if keys.len() > 4 {
            keys = &keys[2..];
        }
        for k in keys {
            h[*k as usize % 8] += 1;
        }
    }

    fn several_loops(keys: &[u32], h: &mut [u32; 8], g: &mut [i32; 8]) -> u32 {
        for &k in keys {
            h[k as usize % 8] += 1;
        }
        let most = h.iter().max().copied().unwrap_or_default();
        for (i, &k) in keys.iter().enumerate().skip(1).take(500) {
            g[k as usize % 8] -= (keys[i - 1] % 4) as i32;
        }
        most
    }

    fn looked_up(keys: &[u8], lut: &[u16; 256], h: &mut [u32]) {
        for &k in keys {
            let b = lut[k as usize];
            h[b as usize] += 1;
        }
    }

    fn of_fields(hits: &[Hit], h: &mut [u32; 10]) {
        for Hit { x, y, on } in hits.iter() {
            if *on {
                h[*x as usize % 10] += u32::from(*y);
            }
        }
    }

    fn local_arrays(keys: &[u32], h: &mut [u32; 30]) {
        for &k in keys {
            let mut acc = [0u32; 3];
            for (i, p) in k.to_le_bytes().iter().enumerate() {
                acc[i % 3] += u32::from(*p);
            }
            for a in acc {
                h[a as usize % 30] += 1;
            }
        }
    }

    fn optional(keys: &[Option<u32>], h: &mut [u32; 30]) {
        for k in keys {
            let Some(k) = k else { continue };
            if let Some(d) = k.checked_sub(50) {
                h[d as usize % 30] += 1;
            } else {
                h[29] += 2;
            }
        }
    }

    #[allow(clippy::ptr_arg, reason = "the style under test")]
    fn scaled(keys: &[u64], h: &mut Vec<usize>) {
        for &k in keys {
            let len = h.len();
            let at = (u128::from(k) * len as u128) >> 64;
            h[at as usize] += 1;
        }
    }

    fn cube(pixels: &[[u8; 3]], h: &mut [[[u32; 4]; 4]; 4]) {
        for &[r, g, b] in pixels {
            h[(r >> 6) as usize][(g >> 6) as usize][(b >> 6) as usize] += 1;
        }
    }

    fn taken(keys: Vec<u32>) -> [u32; 16] {
        let mut counts = [0u32; 16];
        for key in keys.into_iter() {
            counts[(key & 15) as usize] += 1;
        }
        counts
    }

    fn by_closure(keys: &[u32], h: &mut Box<[u32]>) {
        assert!(!keys.is_empty(), "no keys");
        let bin = |k: u32| (k >> 2) as usize & 15;
        for &k in keys {
            h[bin(k)] += 1;
        }
    }

    #[allow(clippy::needless_range_loop, reason = "the style under test")]
    fn inner_bins(rows: &[[u8; 8]], h: &mut [u64; 8]) {
        for y in 0..rows.len() {
            for x in 0..8 {
                h[x] += u64::from(rows[y][x]);
            }
        }
    }
}

/// Bins that are a field, with what they are made of.
#[derive(Debug, Default, PartialEq)]
struct Counter {
    bins: Vec<u64>,
    seen: u64,
    scale: u32,
}

impl Counter {
    #[offload(histogram)]
    fn add(&mut self, keys: &[u32]) {
        let scale = self.scale;
        for &k in keys {
            self.bins[(k / scale) as usize % 8] += 1;
            self.seen += 1;
        }
    }

    fn add_plainly(&mut self, keys: &[u32]) {
        for &k in keys {
            self.bins[(k / self.scale) as usize % 8] += 1;
            self.seen += 1;
        }
    }
}

/// What the functions of a module give for the same data.
macro_rules! results {
    ($module:ident) => {{
        use $module::*;
        let mut s = 7u64;
        let n = 1201;
        let bytes: Vec<u8> = (0..n).map(|_| rng(&mut s) as u8).collect();
        let u64s: Vec<u64> = (0..n).map(|_| rng(&mut s) << 16).collect();
        let u32s: Vec<u32> = u64s.iter().map(|x| (*x >> 17) as u32).collect();
        let hits = u32s.iter().zip(&bytes);
        let hits: Vec<Hit> = hits
            .map(|(&x, &y)| Hit { x, y, on: x % 3 > 0 })
            .collect();
        let rows: Vec<Vec<u32>> = (0..90u32).map(|i| (0..i % 20).collect()).collect();
        let options: Vec<_> = u32s.iter().map(|k| (k % 3 > 0).then_some(k % 90)).collect();
        let lut: [u16; 256] = std::array::from_fn(|i| (i * i % 17) as u16);
        let mut out = Vec::new();
        macro_rules! put {
            ($name:ident($h:ident = $zero:expr, $g:ident = $other:expr; $call:expr)) => {{
                let (mut $h, mut $g) = ($zero, $other);
                let returned = $call;
                out.push(format!("{}: {:?}", stringify!($name), (returned, &$h, &$g)));
            }};
            ($name:ident($h:ident = $zero:expr; $call:expr)) => {{
                let mut $h = $zero;
                let returned = $call;
                out.push(format!("{}: {:?}", stringify!($name), (returned, &$h)));
            }};
            ($name:ident($call:expr)) => {
                out.push(format!("{}: {:?}", stringify!($name), $call))
            };
        }
        put!(triangle(h = [0; 64]; triangle(90, &u32s, &mut h)));
        put!(rows_of_any_length(h = [3; 40]; rows_of_any_length(&rows, &mut h)));
        put!(luma(h = [0; 256]; luma(&bytes, &mut h)));
        put!(digits(h = [0; 10]; digits(&u32s, &mut h)));
        put!(collatz(h = vec![0; 400]; collatz(&u32s, &mut h)));
        put!(bases(h = [0; 4]; bases(&bytes, &mut h)));
        put!(shadowed(h = [0; 16]; shadowed(&u32s, &mut h)));
        put!(helped(h = [0; 70]; helped(&u32s, &mut h)));
        put!(capitals(h = [0; 40]; capitals(&u32s, &mut h)));
        put!(own_constants(h = [0; 40]; own_constants(&u32s, &mut h)));
        put!(by_constants(h = [5; WIDTH]; by_constants(&u32s, &mut h)));
        put!(generic(h = [0; 31], g = [0; 31]; (generic(&u32s, &mut h), generic(&bytes, &mut g))));
        put!(lent_and_returned(lent_and_returned(&u32s)));
        put!(reborrowed(h = [0; 8]; reborrowed(&u32s, &mut h)));
        put!(several_loops(h = [0; 8], g = [9; 8]; several_loops(&u32s, &mut h, &mut g)));
        put!(looked_up(h = [0; 17]; looked_up(&bytes, &lut, &mut h)));
        put!(of_fields(h = [0; 10]; of_fields(&hits, &mut h)));
        put!(local_arrays(h = [0; 30]; local_arrays(&u32s, &mut h)));
        put!(optional(h = [0; 30]; optional(&options, &mut h)));
        put!(scaled(h = vec![0; 23]; scaled(&u64s, &mut h)));
        put!(cube(h = [[[0; 4]; 4]; 4]; cube(bytes.as_chunks().0, &mut h)));
        put!(taken(taken(u32s.clone())));
        put!(by_closure(h = vec![0; 16].into_boxed_slice(); by_closure(&u32s, &mut h)));
        put!(inner_bins(h = [0; 8]; inner_bins(bytes.as_chunks().0, &mut h)));
        out
    }};
}

#[test]
fn every_idiom_gives_what_the_function_gives_by_itself() {
    let expected = results!(plain);
    let offloaded = || results!(offloaded);
    for strategy in trials() {
        let run = || with_strategy(strategy, offloaded);
        for (found, expected) in with_device(Device::Cpu, run).iter().zip(&expected) {
            assert_eq!(found, expected, "{strategy}");
        }
    }
    assert_eq!(with_device(Device::Seq, offloaded), expected);
}

#[test]
fn a_method_counts_into_its_fields() {
    let keys: Vec<u32> = (0..999).map(|i| i * i % 77).collect();
    let counter = || Counter {
        bins: vec![2; 8],
        seen: 1,
        scale: 3,
    };
    let mut expected = counter();
    expected.add_plainly(&keys);
    for strategy in trials() {
        let mut found = counter();
        with_device(Device::Cpu, || with_strategy(strategy, || found.add(&keys)));
        assert_eq!(found, expected, "{strategy}");
    }
}
