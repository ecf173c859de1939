//! The functions that a loop may stand in: generic ones, methods, with statements around the loop, with
//! several loops, made by macros.

use accrue::offload;

use crate::{everywhere, keys};

#[offload(histogram)]
fn generic<T: Copy + Into<u64> + Sync>(keys: &[T], h: &mut [u64]) {
    for &k in keys {
        let k: u64 = k.into();
        h[(k % 16) as usize] += 1;
    }
}

#[offload(histogram)]
fn sized<const N: usize>(keys: &[u32], h: &mut [u32; N]) {
    for &k in keys {
        h[k as usize % N] += 1;
    }
}

#[offload(histogram)]
fn around(text: &str, h: &mut [u32; 26]) -> Result<usize, String> {
    if text.is_empty() {
        return Err("no text".to_string());
    }
    let lower = text.to_lowercase();
    let bytes = lower.as_bytes();
    for &b in bytes {
        if b.is_ascii_lowercase() {
            h[(b - b'a') as usize] += 1;
        }
    }
    let most = h.iter().enumerate().max_by_key(|(_, count)| **count);
    Ok(most.map_or(0, |(i, _)| i))
}

#[offload(histogram)]
fn several(keys: &[u32], h: &mut [u32; 16], g: &mut [u32; 16]) {
    for &k in keys {
        h[(k % 16) as usize] += 1;
    }
    for i in 1..keys.len() {
        g[(keys[i] ^ keys[i - 1]) as usize % 16] += 1;
    }
    for &k in keys {
        h[(k / 16) as usize % 16] += 2;
    }
}

#[offload(histogram)]
fn local_bins(keys: &[u32]) -> Vec<u32> {
    let mut h = vec![0u32; 32];
    for &k in keys {
        h[(k % 32) as usize] += 1;
    }
    h
}

/// A histogram that knows its range.
struct Range {
    low: f32,
    width: f32,
    bins: Vec<u32>,
}

impl Range {
    #[offload(histogram, module = false)]
    fn fill(&mut self, values: &[f32]) {
        for v in values {
            self.bins[((v - self.low) / self.width) as usize] += 1;
        }
    }
}

#[offload(histogram)]
impl Range {
    /// Nothing here says that it stands in an `impl`.
    fn counted(values: &[u32], most: usize) -> Vec<u32> {
        let mut bins = vec![0u32; most];
        for v in values {
            bins[*v as usize] += 1;
        }
        bins
    }
}

macro_rules! counters {
    ($($name:ident: $t:ty => $bin:ty),*) => {$(
        #[offload(histogram)]
        fn $name(keys: &[$t], h: &mut [$bin]) {
            for &k in keys {
                h[k as usize % 10] += 1 as $bin;
            }
        }
    )*};
}

counters!(bytes: u8 => u16, shorts: i16 => f32, longs: u64 => i64);

#[test]
fn generic_functions_work() {
    everywhere(|| {
        let (mut a, mut b) = ([0u64; 16], [0u64; 16]);
        generic(&keys(9000, 16), &mut a);
        let bytes: Vec<u8> = keys(9000, 16).iter().map(|&k| k as u8).collect();
        generic(&bytes, &mut b);
        assert_eq!(a, b);
        assert_eq!(a.iter().sum::<u64>(), 9000);
        let (mut three, mut seven) = ([0u32; 3], [0u32; 7]);
        sized(&keys(700, 1000), &mut three);
        sized(&keys(700, 1000), &mut seven);
        assert_eq!(
            (three.iter().sum::<u32>(), seven.iter().sum::<u32>()),
            (700, 700)
        );
    });
}

#[test]
fn statements_around_the_loop_stay_where_they_are() {
    everywhere(|| {
        let mut h = [0u32; 26];
        assert_eq!(around("", &mut h), Err("no text".to_string()));
        assert_eq!(
            around("Hello, World! Lullaby.", &mut h),
            Ok(usize::from(b'l' - b'a'))
        );
        assert_eq!(h[usize::from(b'l' - b'a')], 6);
    });
}

#[test]
fn each_loop_of_a_function_runs_in_its_turn() {
    let keys = keys(20_000, 1000);
    let (mut h, mut g) = ([3u32; 16], [4u32; 16]);
    for &k in &keys {
        h[(k % 16) as usize] += 1;
        h[(k / 16) as usize % 16] += 2;
    }
    for pair in keys.windows(2) {
        g[(pair[0] ^ pair[1]) as usize % 16] += 1;
    }
    everywhere(|| {
        let (mut a, mut b) = ([3u32; 16], [4u32; 16]);
        several(&keys, &mut a, &mut b);
        assert_eq!((a, b), (h, g));
    });
}

#[test]
fn bins_may_be_local() {
    everywhere(|| {
        let h = local_bins(&keys(30_000, 64));
        assert_eq!(h.len(), 32);
        assert_eq!(h.iter().sum::<u32>(), 30_000);
    });
}

#[test]
fn methods_work_without_a_module() {
    everywhere(|| {
        let mut range = Range {
            low: -1.0,
            width: 0.5,
            bins: vec![0; 4],
        };
        range.fill(&[-1.0, -0.6, 0.0, 0.9, 0.4, -0.1]);
        assert_eq!(range.bins, [2, 1, 2, 1]);
        assert_eq!(Range::counted(&[1, 2, 1, 3], 4), [0, 2, 1, 1]);
    });
}

#[test]
fn functions_made_by_macros_work() {
    everywhere(|| {
        let (mut a, mut b, mut c) = ([0u16; 10], [0f32; 10], [0i64; 10]);
        bytes(&[1, 2, 1, 11], &mut a);
        shorts(&[1, 2, 1, 11], &mut b);
        longs(&[1, 2, 1, 11], &mut c);
        assert_eq!(a[1..3], [3, 1]);
        assert_eq!(b[1..3], [3.0, 1.0]);
        assert_eq!(c[1..3], [3, 1]);
    });
}

#[test]
fn the_module_beside_the_function_explains_it_and_calls_it() {
    let text = several::explain();
    for part in [
        "several",
        "loop 0",
        "loop 1",
        "loop 2",
        "h += v",
        "g[(keys[i] ^ keys[i - 1])",
    ] {
        assert!(text.contains(part), "`{part}` in: {text}");
    }
    let mut h = [0u32; 16];
    several::try_call(&[1, 2, 3], &mut h, &mut [0; 16]).expect("no device fails");
    assert_eq!(h.iter().sum::<u32>(), 9);
}

/// What comes out right may have come from the CPU; this has not.
#[cfg(feature = "sim")]
#[test]
fn a_call_on_the_simulator_runs_kernels() {
    let mut h = [0u32; 16];
    accrue::with_device(accrue::Device::Sim, || {
        several(&keys(500, 999), &mut h, &mut [0; 16])
    });
    assert_eq!(h.iter().sum::<u32>(), 1500);
    let text = several::explain();
    assert_eq!(
        text.matches(" gangs of ").count(),
        3,
        "each loop tells of its last run: {text}"
    );
}

/// Loops in bodies that end where a pattern does not fit, closures that move what they read, `panic!`, results of some type.
#[deny(warnings)]
#[allow(
    clippy::all,
    unreachable_pub,
    reason = "loops are written as people write them"
)]
mod in_other_ways {
    use accrue::offload;
    use accrue_tests::twice;

    twice! {
        pub fn sevenths(x: &[u32], out: &mut [u32]) {
            for i in 0..x.len() {
                let mut v = x[i];
                let mut rounds = 0;
                while let Some(less) = v.checked_sub(7) {
                    rounds += 1;
                    if less % 5 == 0 { continue_with(&mut v, less); continue; }
                    if rounds > 40 { break; }
                    v = less;
                }
                out[i] = v * 100 + rounds;
            }
        }

        pub fn taken_apart(x: &[u32], bins: &mut [u32; 8]) {
            for &v in x {
                let mut stack = vec![v % 50];
                while let Some(top) = stack.pop() {
                    bins[top as usize % 8] += 1;
                    if top > 1 { stack.push(top / 2); }
                    if let (true, rest) = (top % 7 == 6, top / 3) { stack.push(rest); }
                }
            }
        }

        pub fn up_the_tree(parents: &[Option<usize>], out: &mut [usize]) {
            for i in 0..parents.len() {
                let (mut at, mut depth) = (i, 0);
                while let Some(parent) = parents[at] && depth < 1000 {
                    at = parent;
                    depth += 1;
                }
                out[i] = depth * 10 + at % 10;
            }
        }

        pub fn moved(x: &[u32], out: &mut [u32]) {
            for i in 0..x.len() {
                let all = (0..3).flat_map(|k| (0..2).map(move |l| x[i] % 100 + k + l));
                out[i] = all.sum();
            }
        }

        pub fn refused(x: &[u32], out: &mut [u32]) {
            for i in 0..x.len() {
                if x[i] == 77 { panic!("seventy-seven") }
                out[x[i] as usize % 8] += 1;
            }
        }

        pub fn doubled(x: &[u32]) -> impl Iterator<Item = u32> + use<> {
            let mut out = vec![0; x.len()];
            for i in 0..x.len() { out[i] = x[i] * 2; }
            out.into_iter()
        }

        pub fn triangle(width: usize, rows: &mut [Vec<u64>]) {
            for i in 1..rows.len() {
                for j in 1..i.min(width) {
                    rows[i][j] = rows[i - 1][j - 1].wrapping_add(rows[i - 1][j]);
                }
            }
        }

        pub fn transposed(v: &mut [u32], rounds: usize) {
            for round in 0..rounds {
                for i in (round % 2..v.len().saturating_sub(1)).step_by(2) {
                    if v[i] > v[i + 1] { v.swap(i, i + 1); }
                }
            }
        }

        pub fn widened(v: &mut [u32], steps: &[usize]) {
            for &step in steps {
                for i in 0..v.len() - step { v[i] = v[i].max(v[i + step]); }
            }
        }

        pub fn stopped(x: &[u32], out: &mut [u32]) -> usize {
            let mut stop = 0;
            while stop < x.len() {
                if x[stop] == 77 { break; }
                out[stop] = x[stop];
                stop += 1;
            }
            stop
        }

        pub fn every_second(x: &[u32]) -> usize {
            let mut count = 0;
            let mut i = 0;
            while i < x.len() {
                count += 1;
                i += 2;
            }
            count
        }

        pub fn aligned(x: &[u32], out: &mut [String]) -> usize {
            let mut width = 0;
            for i in 0..x.len() {
                width = width.max(x[i] as usize % 9);
                out[i] = format!("{:>1$}", x[i], x[i] as usize % 5);
            }
            width
        }
    }

    struct Board {
        wide: i32,
        high: i32,
        cells: Vec<i32>,
    }

    #[offload]
    impl Board {
        fn at(&self, x: i32, y: i32) -> i32 {
            if x < 0 || y < 0 || x >= self.wide || y >= self.high {
                0
            } else {
                self.cells[(y * self.wide + x) as usize]
            }
        }

        fn put(&mut self, x: i32, y: i32, v: i32) {
            if x >= 0 && x < self.wide && y >= 0 && y < self.high {
                self.cells[(y * self.wide + x) as usize] = v;
            }
        }

        fn shifted(&mut self, from: &Board) {
            for y in 0..self.high {
                for x in 0..self.wide {
                    self.put(x, y, from.at(x - 1, y) - from.at(x, y + 1));
                }
            }
        }
    }

    fn continue_with(v: &mut u32, less: u32) {
        *v = less / 2;
    }

    #[test]
    fn they_are_as_the_plain_ones() {
        let x = crate::keys(3000, 200);
        let parents: Vec<Option<usize>> =
            (0..3000_usize).map(|i| i.checked_sub(1 + i % 17)).collect();
        let both = |f: fn(&[u32], &mut [u32]), x: &[u32]| {
            let mut out = vec![0; x.len()];
            let result = accrue_tests::quiet::expected(|| f(x, &mut out));
            (result.err(), out)
        };
        let without: Vec<u32> = x.iter().map(|v| v + u32::from(*v == 77)).collect();
        crate::everywhere(|| {
            assert_eq!(both(plain::sevenths, &x), both(off::sevenths, &x));
            assert_eq!(both(plain::moved, &x), both(off::moved, &x));
            assert_eq!(both(plain::refused, &without), both(off::refused, &without));
            assert_eq!(both(off::refused, &x).0.as_deref(), Some("seventy-seven"));
            assert!(plain::doubled(&x).eq(off::doubled(&x)));
            let steps = |f: fn(&mut [u32], &[usize])| {
                let mut v = x.clone();
                f(&mut v, &[1, 2, 0, 5]);
                v
            };
            assert_eq!(steps(plain::widened), steps(off::widened));
            assert_eq!(plain::every_second(&x), off::every_second(&x));
            let stops = |f: fn(&[u32], &mut [u32]) -> usize| {
                let mut out = vec![0; x.len()];
                (f(&x, &mut out), out)
            };
            assert_eq!(stops(plain::stopped), stops(off::stopped));
            let rounds = |f: fn(&mut [u32], usize)| {
                let mut v = x[..300].to_vec();
                f(&mut v, 9);
                v
            };
            assert_eq!(rounds(plain::transposed), rounds(off::transposed));
            let rows = |f: fn(usize, &mut [Vec<u64>])| {
                let mut rows = vec![vec![1; 40]; 60];
                f(40, &mut rows);
                rows
            };
            assert_eq!(rows(plain::triangle), rows(off::triangle));
            let texts = |f: fn(&[u32], &mut [String]) -> usize| {
                let mut texts = vec![String::new(); x.len()];
                (f(&x, &mut texts), texts)
            };
            assert_eq!(texts(plain::aligned), texts(off::aligned));
            let board = |cells: Vec<i32>| Board {
                wide: 3,
                high: 2,
                cells,
            };
            let mut shifted = board(vec![0; 6]);
            shifted.shifted(&board(vec![1, 2, 3, 4, 5, 6]));
            assert_eq!(shifted.cells, [-4, -4, -4, 0, 4, 5]);
            let (mut bins, mut right) = ([0; 8], [0; 8]);
            off::taken_apart(&x, &mut bins);
            plain::taken_apart(&x, &mut right);
            assert_eq!(bins, right);
            let (mut out, mut right) = (vec![0; 3000], vec![0; 3000]);
            off::up_the_tree(&parents, &mut out);
            plain::up_the_tree(&parents, &mut right);
            assert_eq!(out, right);
        });
    }
}
