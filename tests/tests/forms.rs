//! Every form of loop that is promised, against the same function without the attribute.

#![expect(
    clippy::ptr_arg,
    reason = "a `Vec` behind a reference is one of the forms"
)]

use accrue::offload;

/// A function twice: as it is, and offloaded.
macro_rules! forms {
    ($(#[offload($($args:tt)*)] fn $name:ident $(<$generic:ident: $bound:path>)? ($($params:tt)*) $(-> $output:ty)? $body:block)*) => {
        mod sequential {
            #[allow(unused_imports)]
            use super::*;
            $(pub(crate) fn $name $(<$generic: $bound>)? ($($params)*) $(-> $output)? $body)*
        }
        $(#[offload($($args)*)] fn $name $(<$generic: $bound>)? ($($params)*) $(-> $output)? $body)*
    };
}

/// Calls both with bins of their own and compares what they return and leave.
macro_rules! same {
    ($name:ident($($arg:expr),*; $($bins:expr),* $(,)?)) => {{
        #[allow(unused_mut)]
        let mut expected = ($($bins,)*);
        let mut found = expected.clone();
        let left = same!(@call sequential::$name, ($($arg),*), expected, ($($bins),*));
        let right = same!(@call $name, ($($arg),*), found, ($($bins),*));
        assert_eq!(left, right, "what {} returns", stringify!($name));
        assert_eq!(expected, found, "the bins of {}", stringify!($name));
    }};
    (@call $f:path, ($($arg:expr),*), $t:ident, ($a:expr)) => { $f($($arg,)* &mut $t.0) };
    (@call $f:path, ($($arg:expr),*), $t:ident, ($a:expr, $b:expr)) => { $f($($arg,)* &mut $t.0, &mut $t.1) };
    (@call $f:path, ($($arg:expr),*), $t:ident, ($a:expr, $b:expr, $c:expr)) => { $f($($arg,)* &mut $t.0, &mut $t.1, &mut $t.2) };
    (@call $f:path, ($($arg:expr),*), $t:ident, ($a:expr, $b:expr, $c:expr, $d:expr)) => { $f($($arg,)* &mut $t.0, &mut $t.1, &mut $t.2, &mut $t.3) };
}

const OFFSET: usize = 3;
static TABLE: [u8; 256] = [7; 256];

mod config {
    pub(crate) const SHIFT: usize = 5;
}

fn bin_of(x: u8) -> usize {
    usize::from(x) / 2
}

trait Key: Copy + Sync {
    fn key(self) -> usize;
}

impl Key for u16 {
    fn key(self) -> usize {
        usize::from(self) % 100
    }
}

#[derive(Clone, Copy)]
enum Colour {
    Red,
    Green,
    Other(u8),
}

forms! {
    #[offload(histogram)]
    fn range(keys: &[u32], h: &mut [u32]) {
        for i in 0..keys.len() {
            h[keys[i] as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn inclusive(keys: &[u32], last: usize, h: &mut [u32]) {
        for i in 1..=last {
            h[keys[i] as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn stepped(keys: &[u32], h: &mut [u32]) {
        for i in (1..keys.len()).step_by(3).rev() {
            h[keys[i] as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn signed(from: i32, to: i32, h: &mut [u64; 10]) {
        for x in from..to {
            h[x.rem_euclid(10) as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn copied(keys: &Vec<u16>, h: &mut Vec<u32>) {
        for k in keys.iter().copied() {
            h[usize::from(k) % 500] += 1;
        }
    }

    #[offload(histogram)]
    fn enumerated(keys: &[u16; 1000], weights: &[f32], h: &mut [u32]) {
        for (i, k) in keys.iter().enumerate() {
            h[*k as usize % 64] += (weights[i] * 8.0) as u32;
        }
    }

    #[offload(histogram)]
    fn zipped(xs: &[u8], ys: &[u8], zs: &[u8], h: &mut [u32]) {
        for ((&x, &y), z) in xs.iter().zip(ys.iter()).zip(zs) {
            h[x as usize ^ y as usize ^ *z as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn chunks(data: &[u8], h: &mut [u32; 1024], g: &mut [u32; 256]) {
        for rgba in data.chunks_exact(4) {
            h[rgba.iter().map(|&b| b as usize).sum::<usize>()] += 1;
        }
        for chunk in data.chunks(3) {
            let mut sum = 0;
            for &b in chunk {
                sum += b as usize;
            }
            g[sum / 4] += chunk.len() as u32;
        }
    }

    #[offload(histogram)]
    fn pairs(data: &[u8], h: &mut [[u32; 256]; 256]) {
        for w in data.windows(2) {
            h[w[0] as usize][w[1] as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn part(data: &[u8], n: usize, h: &mut [u32]) {
        for &b in data[1..].iter().skip(2).take(n) {
            h[b as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn text(text: &str, h: &mut [u32; 256]) {
        for b in text.bytes() {
            h[b as usize] += 1;
        }
        for b in text.as_bytes() {
            h[*b as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn nested(image: &[u8], width: usize, height: usize, h: &mut [u32; 256]) {
        for y in 0..height {
            for x in 0..width {
                h[image[y * width + x] as usize] += 1;
            }
        }
    }

    #[offload(histogram)]
    fn rows(image: &[[u8; 64]], h: &mut [u32; 256]) {
        for row in image {
            for &v in row {
                h[v as usize] += 1;
            }
        }
    }

    #[offload(histogram)]
    fn rows_of_their_own_length(image: &[u8], width: usize, h: &mut [u32; 256]) {
        for row in image.chunks(width) {
            for x in 0..row.len() {
                h[row[x] as usize] += 1;
            }
        }
    }

    // What is compared is no number.
    #[offload(histogram)]
    fn compared(pairs: &[[u8; 2]], corner: (u8, u8), h: &mut [u32; 8]) {
        for (i, pair) in pairs.iter().enumerate() {
            let before = (pair[1], pair[0]) < (corner.1, corner.0);
            let same = *pair == [corner.0, corner.1];
            let next = pairs[(i + 1) % pairs.len()] != *pair;
            h[usize::from(before) + 2 * usize::from(same) + 4 * usize::from(next)] += 1;
        }
    }

    #[offload(histogram)]
    fn triangle(n: usize, h: &mut [u64]) {
        for i in 0..n {
            for j in 0..i {
                h[(i ^ j) % 100] += 1;
            }
        }
    }

    #[offload(histogram)]
    fn injective(a: &[f32], b: &[f32], h: &mut [f32]) {
        for i in 0..a.len() {
            h[i] += a[i] * b[i];
        }
    }

    #[offload(histogram)]
    fn row_sums(image: &[u8], width: usize, height: usize, sums: &mut [u32]) {
        for y in 0..height {
            for x in 0..width {
                sums[y] += u32::from(image[y * width + x]);
            }
        }
    }

    #[offload(histogram)]
    fn locals(data: &[f32], lo: f32, hi: f32, h: &mut [u32]) {
        let scale = h.len() as f32 / (hi - lo);
        for &x in data {
            if x < lo || x >= hi {
                continue;
            }
            let mut bin = ((x - lo) * scale).floor() as usize;
            bin = bin.min(h.len() - 1);
            h[bin] += 1;
        }
    }

    #[offload(histogram)]
    fn bases(dna: &[u8], h: &mut [u64; 5]) {
        for b in dna.iter() {
            match b {
                b'A' | b'a' => h[0] += 1,
                b'C' => h[1] += 1,
                b'G' => h[2] += 1,
                b'T' => h[3] += 1,
                _ => h[4] += 1,
            }
        }
    }

    #[offload(histogram)]
    fn match_value(data: &[i32], h: &mut [u32]) {
        for &v in data {
            let bin = match v {
                i32::MIN..=-1 => 0,
                0 => 1,
                n @ 1..=9 if n % 2 == 0 => 2,
                n if n > 100 => 3,
                _ => 4,
            };
            h[bin] += 1;
        }
    }

    #[offload(histogram)]
    fn inner_loops(data: &[u32], h: &mut [u32]) {
        for &x in data {
            let mut n = x;
            let mut steps = 0usize;
            while n > 1 && steps < 100 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                steps += 1;
            }
            h[steps] += 1;
            let found = loop {
                if n > 10 {
                    break n;
                }
                n += 3;
            };
            h[found as usize % 50] += 1;
            'outer: for i in 0..4 {
                for j in 0..4 {
                    if i * j == 6 {
                        break 'outer;
                    }
                    h[i + j] += 1;
                }
            }
        }
    }

    #[offload(histogram)]
    fn arrays(data: &[u64], h: &mut [u32]) {
        for x in data {
            let bytes = x.to_le_bytes();
            for b in bytes {
                h[b as usize] += 1;
            }
            let table = [1u32, 2, 3, 4];
            let mut counts = [0u32; 4];
            counts[(x % 4) as usize] += table[(x & 3) as usize];
            let (a, mut b) = (x.count_ones(), x.leading_zeros());
            b += a;
            counts.swap(0, 1);
            h[b as usize] += counts[0];
        }
    }

    #[offload(histogram)]
    fn maths(xs: &[f64], ys: &[f64], h: &mut [u32]) {
        for (&x, &y) in xs.iter().zip(ys) {
            let r = (x * x + y * y).sqrt().clamp(0.0, 9.99);
            let phi = y.atan2(x).to_degrees().rem_euclid(360.0);
            let k = (r as usize) * 36 + (phi / 10.0) as usize;
            h[k.min(359)] += 1;
        }
    }

    #[offload(histogram)]
    fn constants(data: &[u8], h: &mut [u32; 300]) {
        for &x in data {
            assert!(x < 250, "x is {x}");
            debug_assert_eq!(u32::from(x) & 256, 0);
            h[x as usize + OFFSET] += 2;
            h[x as usize + crate::config::SHIFT] += 1;
            h[TABLE[x as usize] as usize] += 1;
            h[bin_of(x)] += 1;
        }
    }

    #[offload(histogram)]
    fn generic<T: Key>(data: &[T], h: &mut [u32]) {
        for &x in data {
            h[x.key()] += 1;
        }
    }

    #[offload(histogram)]
    fn options(data: &[Option<u32>], colours: &[Colour], h: &mut [u32]) {
        for x in data {
            if let Some(x) = x {
                h[*x as usize % 9] += 1;
            } else {
                h[0] += 1;
            }
            let Some(y) = x else { continue };
            h[*y as usize % 7] += 1;
        }
        for c in colours {
            match c {
                Colour::Red => h[0] += 1,
                Colour::Green => h[1] += 1,
                Colour::Other(n) => h[*n as usize] += 1,
            }
        }
    }

    #[offload(histogram)]
    fn operators(data: &[u32], a: &mut [u32], b: &mut [i64], c: &mut [u64], d: &mut [u8]) {
        for &x in data {
            let i = (x % 16) as usize;
            a[i] ^= x;
            b[i] -= i64::from(x);
            c[i] = c[i].wrapping_mul(3);
            d[i] |= 1 << (x % 8);
        }
    }

    #[offload(histogram)]
    fn spelled_out(data: &[u32], a: &mut [u64], b: &mut [u32], c: &mut [u8], d: &mut [f32]) {
        for &x in data {
            let i = (x % 16) as usize;
            a[i] = a[i] + u64::from(x) + 1;
            b[i] = x.min(b[i]);
            c[i] = c[i].saturating_add(1);
            d[i] = d[i].max(x as f32);
        }
    }

    #[offload(histogram)]
    fn reductions(data: &[i64], total: &mut i64, h: &mut [u32]) -> (i64, i64, u64) {
        let mut lo = i64::MAX;
        let mut hi = i64::MIN;
        let mut n = 0;
        for &x in data {
            *total += x;
            lo = lo.min(x);
            hi = hi.max(x);
            n += 1;
            h[x.unsigned_abs() as usize % 10] += 1;
        }
        (lo, hi, n)
    }

    #[offload(histogram)]
    fn joint(xs: &[u8], ys: &[u8], h: &mut [[u64; 256]]) {
        for (x, y) in xs.iter().zip(ys) {
            h[*y as usize][*x as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn owned(data: &[u8], last: &mut [u32; 1]) -> (Vec<u32>, [u16; 256]) {
        let mut h = vec![0; 256];
        let mut g = [0; 256];
        for &x in data {
            h[x as usize] += 1;
            g[x as usize] |= 1;
        }
        last[0] = h[0];
        (h, g)
    }

    #[offload(histogram)]
    fn slot(data: &[u8], h: &mut [u32]) {
        for &x in data {
            let slot = &mut h[x as usize];
            *slot += 1;
        }
    }

    #[offload(histogram)]
    fn through_references(data: &[u8], h: &mut [u32], n: &mut u32) {
        for &x in data {
            h[x as usize] |= 1;
            *n = n.wrapping_add(u32::from(x));
        }
    }

    #[offload(histogram)]
    fn flags(data: &[u8], h: &mut [u32], low: &mut bool) -> (bool, bool) {
        let mut seen = false;
        let mut small: bool = true;
        for &x in data {
            h[x as usize] += 1;
            if x == 99 {
                seen = true;
            }
            if x > 240 {
                *low = false;
            }
            if x > 251 {
                small = false;
            }
        }
        (seen, small)
    }

    #[offload(histogram)]
    fn several_loops(a: &[u8], b: &[u8], h: &mut [u32], g: &mut [u32]) {
        h.fill(0);
        if !a.is_empty() {
            for &x in a {
                h[x as usize] += 1;
            }
        }
        for round in 0..3 {
            let mut local = [0u32; 256];
            for &x in b {
                local[x as usize] += 1;
            }
            h[round] += local[round];
        }
        for &x in b {
            g[x as usize] += 1;
        }
    }
}

/// Numbers that look random, the same every time.
fn numbers(n: usize) -> Vec<u32> {
    let mut state = 12345u64;
    (0..n)
        .map(|_| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as u32
        })
        .collect()
}

fn bytes(n: usize) -> Vec<u8> {
    numbers(n).into_iter().map(|x| (x % 250) as u8).collect()
}

/// Small and large, so that loops run sequentially and in parallel.
const SIZES: [usize; 4] = [0, 1, 1000, 200_000];

/// Every size on the device of the machine, and the small ones on the simulator where it is built in: what no kernel can run comes back
/// to the CPU from there.
fn runs() -> Vec<(accrue::Device, usize)> {
    let mut runs: Vec<_> = SIZES.map(|n| (accrue::Device::Auto, n)).into();
    if cfg!(feature = "sim") {
        let small = SIZES.iter().filter(|n| **n <= 1000);
        runs.extend(small.map(|n| (accrue::Device::Sim, *n)));
    }
    runs
}

#[test]
fn iterations() {
    for (device, n) in runs() {
        accrue::with_device(device, || {
            let keys: Vec<u32> = numbers(n).into_iter().map(|x| x % 100).collect();
            let b = bytes(n);
            same!(range(&keys; vec![0u32; 100]));
            same!(inclusive(&keys, n.saturating_sub(1); vec![0u32; 100]));
            same!(stepped(&keys; vec![0u32; 100]));
            same!(signed(-(n as i32), 7; [1u64; 10]));
            same!(copied(&keys.iter().map(|&k| k as u16).collect::<Vec<u16>>(); vec![0u32; 500]));
            same!(zipped(&b, &b[n / 3..], &b[n / 4..]; vec![0u32; 256]));
            same!(chunks(&b; [0u32; 1024], [0u32; 256]));
            same!(part(&[b"xy".as_slice(), &b].concat(), n / 2; vec![0u32; 256]));
            same!(text(&"Abc ".repeat(n / 4); [0u32; 256]));
            same!(flags(&b; vec![0u32; 256], true));
            same!(through_references(&b; vec![0u32; 256], u32::MAX));
            same!(flags(&b[..n / 5]; vec![0u32; 256], true));
            same!(nested(&b, n / 10, n / (n / 10).max(1); [0u32; 256]));
            same!(injective(&vec![1.5; n], &vec![2.25; n]; vec![1f32; n]));
            same!(row_sums(&b, n / 10, 10; vec![0u32; 10]));
            let lines: Vec<[u8; 64]> = b.chunks_exact(64).map(|c| c.try_into().unwrap()).collect();
            same!(rows(&lines; [0u32; 256]));
            same!(rows_of_their_own_length(&b, 13; [0u32; 256]));
        });
    }
    same!(triangle(500; vec![0u64; 100]));
    let twos: Vec<[u8; 2]> = bytes(60_000)
        .chunks_exact(2)
        .map(|c| [c[0], c[1]])
        .collect();
    same!(compared(&twos, (twos[3][0], twos[3][1]); [0u32; 8]));
    let keys: [u16; 1000] = std::array::from_fn(|i| (i * i) as u16);
    same!(enumerated(&keys, &[0.5; 1000]; vec![0u32; 64]));
    // On the heap: 256 KiB of bins twice.
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(|| same!(pairs(&bytes(100_000); [[0u32; 256]; 256])))
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn bodies() {
    for (device, n) in runs() {
        accrue::with_device(device, || {
            let keys = numbers(n);
            let floats: Vec<f32> = keys.iter().map(|&k| (k % 1000) as f32 / 10.0).collect();
            let doubles: Vec<f64> = keys
                .iter()
                .map(|&k| f64::from(k % 2001) / 100.0 - 10.0)
                .collect();
            let ints: Vec<i32> = keys.iter().map(|&k| (k % 300) as i32 - 50).collect();
            let wide: Vec<u64> = keys.iter().map(|&k| u64::from(k) * u64::from(k)).collect();
            same!(locals(&floats, 5.0, 75.5; vec![0u32; 33]));
            same!(bases(&b"ACGTN".repeat(n); [0u64; 5]));
            same!(match_value(&ints; vec![0u32; 5]));
            same!(inner_loops(&keys.iter().map(|k| k % 5000).collect::<Vec<_>>(); vec![0u32; 101]));
            same!(arrays(&wide; vec![0u32; 256]));
            let reversed: Vec<f64> = doubles.iter().rev().copied().collect();
            same!(maths(&doubles, &reversed; vec![0u32; 360]));
            same!(constants(&bytes(n); [0u32; 300]));
            same!(generic(&keys.iter().map(|&k| k as u16).collect::<Vec<_>>(); vec![0u32; 100]));
            let optional: Vec<Option<u32>> =
                keys.iter().map(|&k| (k % 3 > 0).then_some(k)).collect();
            let colours: Vec<Colour> = keys
                .iter()
                .map(|&k| match k % 5 {
                    0 => Colour::Red,
                    1 => Colour::Green,
                    x => Colour::Other(x as u8),
                })
                .collect();
            same!(options(&optional, &colours; vec![0u32; 10]));
        });
    }
}

#[test]
fn updates() {
    for (device, n) in runs() {
        accrue::with_device(device, || {
            let keys = numbers(n);
            let b = bytes(n);
            same!(operators(&keys; vec![1u32; 16], vec![-1i64; 16], vec![1u64; 16], vec![0u8; 16]));
            same!(spelled_out(&keys; vec![1u64; 16], vec![u32::MAX; 16], vec![0u8; 16], vec![0f32; 16]));
            let ints: Vec<i64> = keys.iter().map(|&k| i64::from(k) - (1 << 30)).collect();
            same!(reductions(&ints; 5i64, vec![0u32; 10]));
            same!(joint(&b, &b[n / 2..]; vec![[0u64; 256]; 256]));
            same!(owned(&b; [0u32; 1]));
            same!(slot(&b; vec![0u32; 256]));
            same!(several_loops(&b, &b[n / 3..]; vec![9u32; 256], vec![9u32; 256]));
        });
    }
}

#[test]
fn methods_and_local_functions() {
    struct Counts {
        bins: Vec<u32>,
        total: u64,
        scale: u32,
    }
    impl Counts {
        #[offload(histogram)]
        fn add(&mut self, data: &[u32]) {
            for x in data {
                self.bins[(x / self.scale) as usize % 10] += 1;
                self.total += 1;
            }
        }

        // Where it stands is told by the source.
        #[offload(histogram)]
        fn count(data: &[u32], bins: &mut [u32]) {
            for x in data {
                bins[*x as usize % 10] += 1;
            }
        }
    }
    let mut counts = Counts {
        bins: vec![0; 10],
        total: 0,
        scale: 3,
    };
    let data = numbers(50_000);
    counts.add(&data);
    assert_eq!(counts.total, 50_000);
    assert_eq!(counts.bins.iter().sum::<u32>(), 50_000);
    let mut bins = [0; 10];
    Counts::count(&data, &mut bins);
    assert_eq!(bins.iter().sum::<u32>(), 50_000);

    struct Local(u32);
    #[offload(histogram)]
    fn of_a_local_type(data: &[Local], bins: &mut [u32]) {
        for x in data {
            bins[x.0 as usize] += 1;
        }
    }
    let mut bins = [0; 4];
    // A device that cannot know the type would say so.
    accrue::with_device(accrue::Device::Cpu, || {
        of_a_local_type::try_call(&[Local(1), Local(3)], &mut bins).unwrap();
    });
    assert_eq!(bins, [0, 1, 0, 1]);
    assert!(of_a_local_type::explain().contains("histogram over data"));
}
