//! Forms of loops as they are and offloaded, in turns: how much of the plain loop's speed a body has on one worker.

use std::hint::black_box;
use std::time::{Duration, Instant};

use accrue::{Device, offload, with_device};
use anyhow::ensure;

use super::report::processor;
use crate::data::Random;

/// For how long a form is called.
const TIME: Duration = Duration::from_millis(700);

/// A second-order filter.
#[derive(Clone, Default, PartialEq, accrue::Plain)]
pub(crate) struct Filter {
    b: [f32; 3],
    a: [f32; 2],
    z: [f32; 2],
}

impl Filter {
    fn tick(&mut self, x: f32) -> f32 {
        let y = self.b[0] * x + self.z[0];
        self.z[0] = self.b[1] * x - self.a[0] * y + self.z[1];
        self.z[1] = self.b[2] * x - self.a[1] * y;
        y
    }
}

/// A bin with two fields.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct Bin {
    count: u32,
    sum: f64,
}

/// A function twice: as it is in `plain`, and offloaded.
macro_rules! twice {
    ($($(#[$doc:meta])* fn $name:ident($($params:tt)*) $body:block)*) => {
        mod plain {
            use super::{Bin, Filter};

            $($(#[$doc])* #[inline(never)] pub(crate) fn $name($($params)*) $body)*
        }
        $($(#[$doc])* #[offload] #[inline(never)] fn $name($($params)*) $body)*
    };
}

twice! {
    /// `out[i] = f(x[i])`.
    fn map(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            out[i] = x[i] ^ 3;
        }
    }

    /// With the position as a number.
    fn position(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            out[i] = x[i].wrapping_add(i as u32);
        }
    }

    /// Positions in 32 bits.
    fn narrow(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() as u32 {
            out[i as usize] = x[i as usize] ^ i;
        }
    }

    /// Items with their numbers.
    fn enumerate(x: &[u32], out: &mut [u32]) {
        for (i, v) in x.iter().enumerate() {
            out[i] = v ^ 1;
        }
    }

    /// The last item first.
    fn backwards(x: &[u32], out: &mut [u32]) {
        for (i, v) in x.iter().rev().enumerate() {
            out[i] = v.wrapping_add(i as u32);
        }
    }

    /// Two arrays, one of them backwards.
    fn zip_rev(x: &[u32], out: &mut [u32]) {
        for (o, v) in out.iter_mut().rev().zip(x) {
            *o = v ^ 3;
        }
    }

    /// Stored backwards.
    fn mirror(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            out[x.len() - 1 - i] = x[i] ^ 1;
        }
    }

    /// Positions from the last to the first.
    fn countdown(x: &[u32], out: &mut [u32]) {
        for i in (0..x.len()).rev() {
            out[i] = x[i] ^ 1;
        }
    }

    /// Every second position, and the one behind it.
    fn steps(x: &[u32], out: &mut [u32]) {
        for i in (0..x.len()).step_by(2) {
            out[i] = x[i];
            out[i + 1] = x[i].wrapping_add(1);
        }
    }

    /// Two elements for one.
    fn interleave(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() / 2 {
            out[2 * i] = x[i];
            out[2 * i + 1] = x[i] ^ 1;
        }
    }

    /// Neighbours, where there are some.
    fn halo(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            let left = if i > 0 { x[i - 1] } else { 0 };
            let right = if i + 1 < x.len() { x[i + 1] } else { 0 };
            out[i] = left ^ x[i] ^ right;
        }
    }

    /// Sums so far.
    fn sums(x: &[u32], out: &mut Vec<u64>) {
        let mut sum = 0;
        out.clear();
        for v in x {
            sum += u64::from(*v);
            out.push(sum);
        }
    }

    /// Filters, each for a channel.
    fn filters(channels: &mut [(Filter, Vec<f32>)]) {
        for (filter, channel) in channels.iter_mut() {
            for s in channel.iter_mut() {
                *s = filter.tick(*s);
            }
        }
    }

    /// A sparse matrix times a vector.
    fn sparse(starts: &[usize], columns: &[u32], values: &[f32], x: &[f32], y: &mut [f32]) {
        for (r, y) in y.iter_mut().enumerate() {
            let mut sum = 0.0;
            for k in starts[r]..starts[r + 1] {
                sum += values[k] * x[columns[k] as usize];
            }
            *y = sum;
        }
    }

    /// The nearest of some centres.
    fn nearest(points: &[[f32; 3]], centres: &[[f32; 3]], out: &mut [u32]) {
        for (i, p) in points.iter().enumerate() {
            let mut least = f32::MAX;
            for (c, q) in centres.iter().enumerate() {
                let d = (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]);
                if d < least {
                    least = d;
                    out[i] = c as u32;
                }
            }
        }
    }

    /// Sums of rows of a table.
    fn bags(table: &[f32], ids: &[u32], starts: &[usize], out: &mut [f32]) {
        for i in 0..starts.len() - 1 {
            for t in &ids[starts[i]..starts[i + 1]] {
                for d in 0..8 {
                    out[i * 8 + d] += table[*t as usize * 8 + d];
                }
            }
        }
    }

    /// The Game of Life, rows apart from each other.
    fn life(world: &[Vec<bool>], next: &mut [Vec<bool>], alive: &mut u32) {
        let h = world.len();
        for (y, row) in next.iter_mut().enumerate() {
            let w = row.len();
            for (x, cell) in row.iter_mut().enumerate() {
                let mut n = 0;
                for dy in [h - 1, 0, 1] {
                    for dx in [w - 1, 0, 1] {
                        if (dy, dx) != (0, 0) && world[(y + dy) % h][(x + dx) % w] {
                            n += 1;
                        }
                    }
                }
                *cell = matches!((world[y][x], n), (true, 2) | (_, 3));
                if *cell {
                    *alive += 1;
                }
            }
        }
    }

    /// Pixels over others.
    fn blend(below: &mut [u8], above: &[u8]) {
        for (d, s) in below.chunks_exact_mut(4).zip(above.chunks_exact(4)) {
            let a = u32::from(s[3]);
            for c in 0..3 {
                d[c] = ((u32::from(s[c]) * a + u32::from(d[c]) * (255 - a) + 127) / 255) as u8;
            }
            d[3] = (a + u32::from(d[3]) * (255 - a) / 255) as u8;
        }
    }

    /// Diagonals of an alignment, each over the ones before.
    fn align(a: &[u8], b: &[u8], table: &mut [i32]) {
        let (m, n) = (a.len(), b.len());
        let w = n + 1;
        for d in 2..=m + n {
            let first = if d > n { d - n } else { 1 };
            let last = m.min(d - 1);
            for i in first..=last {
                let j = d - i;
                let s = if a[i - 1] == b[j - 1] { 3 } else { -2 };
                let v = (table[(i - 1) * w + j - 1] + s).max(table[(i - 1) * w + j] - 2).max(table[i * w + j - 1] - 2);
                table[i * w + j] = v.max(0);
            }
        }
    }

    /// The least of 16 hashes.
    fn minhash(items: &[u64], seeds: &[u64; 16], least: &mut [u64; 16]) {
        for item in items {
            for (m, seed) in least.iter_mut().zip(seeds) {
                let hash = (item ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31);
                *m = (*m).min(hash);
            }
        }
    }

    /// The greatest rank of each register.
    fn registers(hashes: &[u64], registers: &mut [u8; 1024]) {
        for h in hashes {
            let rank = ((h << 10) | 0x200).leading_zeros() as u8 + 1;
            let k = (h >> 54) as usize;
            if registers[k] < rank {
                registers[k] = rank;
            }
        }
    }

    /// Bins that are structs.
    fn fields(keys: &[usize], bins: &mut [Bin]) {
        for k in keys {
            bins[*k].count += 1;
            bins[*k].sum += 0.5;
        }
    }
}

/// Measures the forms whose name has a text in it, and prints the table's lines.
pub(super) fn measure(only: &str) -> anyhow::Result<bool> {
    println!(
        "{}, {} threads; least us a call, in turns",
        processor(),
        rayon::current_num_threads()
    );
    println!(
        "{:<16}{:>12}{:>12}{:>8}",
        "loop", "plain", "offloaded", "speed"
    );
    let mut random = Random::new(20_261_129);
    let x: Vec<u32> = (0..1_000_000)
        .map(|_| random.below(1 << 32) as u32)
        .collect();
    let mut below =
        |n: u64, count: usize| -> Vec<u64> { (0..count).map(|_| random.below(n)).collect() };
    let zeros = vec![0u32; x.len()];
    macro_rules! form {
        ($name:ident, $start:expr, |$o:ident| ($($argument:expr),*)) => {
            form!($name, stringify!($name), $start, |$o| ($($argument),*))
        };
        ($name:ident, $label:expr, $start:expr, |$o:ident| ($($argument:expr),*)) => {
            turns(only, $label, $start, |$o| plain::$name($($argument),*), |$o| $name($($argument),*))?;
        };
    }
    macro_rules! maps {
        ($($name:ident)*) => { $(form!($name, zeros.clone(), |o| (black_box(&x), o));)* };
    }
    maps!(map position narrow enumerate backwards zip_rev mirror countdown steps interleave halo);
    form!(sums, Vec::new(), |o| (black_box(&x), o));
    let floats: Vec<f32> = x
        .iter()
        .map(|v| (v >> 8) as f32 / 65536.0 - 128.0)
        .collect();
    let channel = |n: usize| {
        (
            Filter {
                b: [0.2, 0.4, 0.2],
                a: [-0.3, 0.1],
                z: [0.0; 2],
            },
            floats[n * 60_000..][..60_000].to_vec(),
        )
    };
    form!(filters, (0..16).map(channel).collect::<Vec<_>>(), |o| (o));
    let starts: Vec<usize> = (0..=100_000).map(|r| r * 10).collect();
    let columns: Vec<u32> = x.iter().map(|v| v % 100_000).collect();
    form!(sparse, vec![0.0; 100_000], |o| (
        &starts,
        black_box(&columns),
        &floats,
        &floats,
        o
    ));
    let (points, _) = floats.as_chunks();
    form!(nearest, zeros.clone(), |o| (
        black_box(points),
        &points[..16],
        o
    ));
    let ids: Vec<u32> = x[..200_000].iter().map(|v| v % 200).collect();
    let five: Vec<usize> = (0..=40_000).map(|i| i * 5).collect();
    form!(bags, vec![0.0; 320_000], |o| (
        &floats,
        black_box(&ids),
        &five,
        o
    ));
    let world: Vec<Vec<bool>> = x
        .chunks(100)
        .take(1000)
        .map(|row| row.iter().map(|v| v % 3 == 0).collect())
        .collect();
    form!(life, (world.clone(), 0), |o| (
        black_box(&world),
        &mut o.0,
        &mut o.1
    ));
    let bytes: Vec<u8> = x.iter().map(|v| *v as u8).collect();
    form!(blend, bytes.clone(), |o| (o, black_box(&bytes)));
    let bases: Vec<u8> = x[..1400].iter().map(|v| (v % 4) as u8).collect();
    form!(align, vec![0; 701 * 701], |o| (
        &bases[..700],
        black_box(&bases[700..]),
        o
    ));
    let hashes = below(u64::MAX, 250_000);
    let seeds = std::array::from_fn(|n| hashes[n]);
    form!(minhash, [u64::MAX; 16], |o| (black_box(&hashes), &seeds, o));
    form!(registers, [0; 1024], |o| (black_box(&hashes), o));
    for count in [1000, 10_000, 1_000_000] {
        let keys: Vec<usize> = below(10_000, count)
            .into_iter()
            .map(|k| k as usize)
            .collect();
        form!(
            fields,
            &format!("fields {count}"),
            vec![Bin::default(); 10_000],
            |o| (black_box(&keys), o)
        );
    }
    Ok(true)
}

/// Calls both forms in turns on the same memory.
fn turns<B: Clone + PartialEq>(
    only: &str,
    name: &str,
    start: B,
    plain: impl Fn(&mut B),
    offloaded: impl Fn(&mut B),
) -> anyhow::Result<()> {
    if !name.contains(only) {
        return Ok(());
    }
    let [mut expected, mut found] = [start.clone(), start.clone()];
    plain(&mut expected);
    with_device(Device::Cpu, || offloaded(&mut found));
    ensure!(
        expected == found,
        "{name}: the result differs from the plain loop's"
    );
    let (mut memory, mut least) = (start, [f64::MAX; 2]);
    let begin = Instant::now();
    while begin.elapsed() < TIME {
        for (form, least) in least.iter_mut().enumerate() {
            let time = with_device(Device::Cpu, || {
                let start = Instant::now();
                match form {
                    0 => plain(black_box(&mut memory)),
                    _ => offloaded(black_box(&mut memory)),
                }
                start.elapsed().as_secs_f64() * 1e6
            });
            *least = least.min(time);
        }
    }
    let [plain, offloaded] = least;
    println!(
        "{name:<16}{plain:>12.2}{offloaded:>12.2}{:>8.2}",
        plain / offloaded
    );
    Ok(())
}
