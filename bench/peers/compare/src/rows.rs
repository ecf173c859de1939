//! The rows.

use std::fs::File;
use std::path::Path;

use anyhow::Context;
use image::{GrayImage, RgbImage};
use kornia_image::{Image, ImageSize};
use kornia_imgproc::histogram::compute_histogram;
use memmap2::MmapOptions;
use ndarray::Array2;
use ndarray_stats::HistogramExt;
use ndarray_stats::histogram::{Bins, Edges, Grid};
use ndhistogram::axis::Uniform;
use ndhistogram::{Histogram, ndhistogram};
use noisy_float::types::{N64, n64};

use crate::loops;
use crate::python::Python;
use crate::{Bench, Run, timed};

/// Sides of pictures.
const PICTURES: [(u32, u32); 2] = [(1920, 1080), (6000, 4000)];

/// Values of a row of floats: those of boost-histogram's notebook.
const VALUES: usize = 10_000_000;

/// Points of the rows of ndarray-stats, which take seconds.
const POINTS: usize = 1_000_000;

/// Rows of the table from which a tree is grown.
const ROWS: usize = 2_000_000;

const FEATURES: usize = 28;

/// How many of the rows a leaf has, in every hundred.
const LEAF: usize = 60;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // SplitMix64, of Steele, Lea and Flood (2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normally distributed, by twelve uniform ones.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// Of a picture: neighbours are alike, as in a photograph.
fn picture((w, h): (u32, u32), channels: u32) -> Vec<u8> {
    let mut random = Random(u64::from(w * channels));
    let of = |x: u32, y: u32, c: u32| {
        let (x, y) = (f64::from(x) / 311.0, f64::from(y) / 173.0);
        127.0 + 80.0 * (x + f64::from(c)).sin() * y.cos()
    };
    let pixels = (0..h).flat_map(|y| (0..w).map(move |x| (x, y)));
    let samples = pixels.flat_map(|(x, y)| (0..channels).map(move |c| (x, y, c)));
    samples
        .map(|(x, y, c)| (of(x, y, c) + 12.0 * random.normal()).clamp(0.0, 255.0) as u8)
        .collect()
}

/// An array in a file, which Python reads as well.
struct Shared<T> {
    map: memmap2::Mmap,
    path: String,
    of: std::marker::PhantomData<T>,
}

/// What any bytes are a value of.
///
/// # Safety
///
/// They are.
unsafe trait Number: Sized {
    fn put(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(// SAFETY: every pattern of bits is a number of it.
        unsafe impl Number for $number {
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        })*
    };
}

numbers!(u8 u32 i64 f32);

impl<T: Number> Shared<T> {
    fn new(folder: &Path, name: &str, numbers: impl Iterator<Item = T>) -> anyhow::Result<Self> {
        let path = folder.join(name);
        let mut bytes = Vec::new();
        numbers.for_each(|n| n.put(&mut bytes));
        std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        let file = File::open(&path)?;
        Ok(Shared {
            // SAFETY: nobody else changes a file of this process's own folder.
            map: unsafe { MmapOptions::new().populate().map(&file)? },
            path: path.display().to_string(),
            of: std::marker::PhantomData,
        })
    }
}

impl<T: Number> std::ops::Deref for Shared<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: any bytes are a `Number`, and a map begins with a page.
        unsafe { self.map.align_to().1 }
    }
}

/// A job of Python's.
fn ask(python: Option<&mut Python>, job: &str) -> anyhow::Result<Run> {
    let answer = python.context("not measured: no --python")?.ask(job)?;
    Ok((answer.us, answer.bins))
}

fn floats<T: Copy>(bins: &[T], float: impl Fn(T) -> f64) -> Vec<f64> {
    bins.iter().map(|&b| float(b)).collect()
}

pub(crate) fn all(bench: &mut Bench) -> anyhow::Result<()> {
    for size in PICTURES {
        pictures(bench, size)?;
    }
    rust(bench)?;
    let folder = tempfile::tempdir().context("no folder for what Python reads")?;
    keys(bench, folder.path())?;
    values(bench, folder.path())?;
    tree(bench, folder.path())
}

/// imageproc and kornia, over pictures.
fn pictures(bench: &mut Bench, (w, h): (u32, u32)) -> anyhow::Result<()> {
    let name = format!("imageproc, RGB picture of {w} x {h}");
    if bench.wants(&name) {
        let image = RgbImage::from_raw(w, h, picture((w, h), 3)).context("no picture")?;
        let flat = |bins: &[[u32; 256]]| floats(bins.as_flattened(), f64::from);
        let peer = |_: Option<&mut Python>| {
            let work = || imageproc::stats::histogram(&image);
            Ok(timed(work, |h| flat(&h.channels)))
        };
        let accrue = || {
            let work = || {
                let mut bins = [[0; 256]; 3];
                loops::channels(image.as_raw(), &mut bins);
                bins
            };
            timed(work, |bins| flat(&bins))
        };
        bench.row(&name, peer, accrue)?;
    }
    let grey = picture((w, h), 1);
    let accrue = || {
        let work = || {
            let mut bins = [0; 256];
            loops::greys(&grey, &mut bins);
            bins
        };
        timed(work, |bins| floats(&bins, |b| b as f64))
    };
    let name = format!("imageproc, grey picture of {w} x {h}");
    if bench.wants(&name) {
        let image = GrayImage::from_raw(w, h, grey.clone()).context("no picture")?;
        let peer = |_: Option<&mut Python>| {
            let work = || imageproc::stats::histogram(&image);
            Ok(timed(work, |h| floats(&h.channels[0], f64::from)))
        };
        bench.row(&name, peer, accrue)?;
    }
    let name = format!("kornia-imgproc (rayon), grey picture of {w} x {h}");
    if bench.wants(&name) {
        let size = ImageSize {
            width: w as usize,
            height: h as usize,
        };
        let image = Image::<u8, 1>::new(size, grey.clone())?;
        let peer = |_: Option<&mut Python>| {
            let work = || {
                let mut bins = vec![0; 256];
                compute_histogram(&image, &mut bins, 256).map(|()| bins)
            };
            let (us, bins) = timed(work, |bins| {
                bins.map_or(vec![], |b| floats(&b, |b| b as f64))
            });
            Ok((us, bins))
        };
        bench.row(&name, peer, accrue)?;
    }
    Ok(())
}

/// ndhistogram and ndarray-stats, over values of 64 bits.
fn rust(bench: &mut Bench) -> anyhow::Result<()> {
    let mut random = Random(1);
    let values: Vec<f64> = (0..VALUES).map(|_| random.normal()).collect();
    let pairs = values.as_chunks::<2>().0;
    let line = |values: &[f64]| {
        let work = || {
            let mut bins = vec![0; 100];
            loops::regular_f64(values, -3.0, 3.0, &mut bins);
            bins
        };
        timed(work, |bins| floats(&bins, |b| b as f64))
    };
    let plane = |pairs: &[[f64; 2]]| {
        let work = || {
            let mut bins = vec![0; 10_000];
            loops::square_f64(pairs, 100, -3.0, 3.0, &mut bins);
            bins
        };
        timed(work, |bins| floats(&bins, |b| b as f64))
    };
    // ndhistogram counts what is outside in a bin on each side.
    let inside = |bins: Vec<f64>, dims: u32| -> Vec<f64> {
        let at = |n: usize| {
            (1..=100).contains(&(n % 102)) && (dims == 1 || (1..=100).contains(&(n / 102)))
        };
        let bins = bins.into_iter().enumerate();
        let bins: Vec<(usize, f64)> = bins.filter(|&(n, _)| at(n)).collect();
        let order = |n: usize| (n % 102 - 1) * 100 + (n / 102).saturating_sub(1);
        if dims == 1 {
            return bins.into_iter().map(|(_, b)| b).collect();
        }
        // Its first dimension is the one that runs fastest.
        let mut turned = vec![0.0; 10_000];
        bins.into_iter().for_each(|(n, b)| turned[order(n)] = b);
        turned
    };
    let name = "ndhistogram, 10 million f64, 100 bins";
    if bench.wants(name) {
        let peer = |_: Option<&mut Python>| {
            let mut hist = ndhistogram!(Uniform::<f64>::new(100, -3.0, 3.0)?; u64);
            let work = || values.iter().for_each(|v| hist.fill(v));
            let (us, _) = timed(work, |()| Vec::new());
            Ok((us, inside(hist.values().map(|&b| b as f64).collect(), 1)))
        };
        bench.row(name, peer, || line(&values))?;
    }
    let name = "ndhistogram, 5 million pairs of f64, 100 x 100 bins";
    if bench.wants(name) {
        let peer = |_: Option<&mut Python>| {
            let axis = || Uniform::<f64>::new(100, -3.0, 3.0);
            let mut hist = ndhistogram!(axis()?, axis()?; u64);
            let work = || pairs.iter().for_each(|&[x, y]| hist.fill(&(x, y)));
            let (us, _) = timed(work, |()| Vec::new());
            Ok((us, inside(hist.values().map(|&b| b as f64).collect(), 2)))
        };
        bench.row(name, peer, || plane(pairs))?;
    }
    let edges = || {
        let edges = (0..=100).map(|i| n64(-3.0 + 0.06 * f64::from(i)));
        Bins::new(Edges::from(edges.collect::<Vec<N64>>()))
    };
    let few = &values[..POINTS];
    let name = "ndarray-stats, 1 million f64, 100 bins";
    if bench.wants(name) {
        let points = Array2::from_shape_fn((POINTS, 1), |(i, _)| n64(few[i]));
        let peer = |_: Option<&mut Python>| {
            let work = || points.histogram(Grid::from(vec![edges()]));
            Ok(timed(work, |h| {
                h.counts().iter().map(|&b| b as f64).collect()
            }))
        };
        bench.row(name, peer, || line(few))?;
    }
    let name = "ndarray-stats, 1 million pairs of f64, 100 x 100 bins";
    if bench.wants(name) {
        let points = Array2::from_shape_fn((POINTS, 2), |(i, j)| n64(pairs[i][j]));
        let peer = |_: Option<&mut Python>| {
            let work = || points.histogram(Grid::from(vec![edges(), edges()]));
            Ok(timed(work, |h| {
                h.counts().iter().map(|&b| b as f64).collect()
            }))
        };
        bench.row(name, peer, || plane(&pairs[..POINTS]))?;
    }
    Ok(())
}

/// NumPy's `bincount`.
fn keys(bench: &mut Bench, folder: &Path) -> anyhow::Result<()> {
    for bins in [256, 4096, 1_000_000] {
        let of = |seed| {
            let mut random = Random(seed);
            (0..VALUES).map(move |_| random.next() % bins)
        };
        let name = format!("NumPy bincount, 10 million int64, {bins} bins");
        if bench.wants(&name) {
            let keys = Shared::new(folder, &format!("i{bins}"), of(bins).map(|k| k as i64))?;
            let job = format!("bincount64 {} {bins}", keys.path);
            let accrue = || {
                let work = || {
                    let mut counts = vec![0; bins as usize];
                    loops::long_keys(&keys, &mut counts);
                    counts
                };
                timed(work, |c| floats(&c, |c| c as f64))
            };
            bench.row(&name, |python| ask(python, &job), accrue)?;
        }
        let name = format!("NumPy bincount, 10 million uint32, {bins} bins");
        if bench.wants(&name) {
            let keys = Shared::new(folder, &format!("u{bins}"), of(bins).map(|k| k as u32))?;
            let job = format!("bincount {} {bins}", keys.path);
            let accrue = || {
                let work = || {
                    let mut counts = vec![0; bins as usize];
                    loops::keys(&keys, &mut counts);
                    counts
                };
                timed(work, |c| floats(&c, |c| c as f64))
            };
            bench.row(&name, |python| ask(python, &job), accrue)?;
        }
    }
    Ok(())
}

/// NumPy's `histogram` and boost-histogram, over 10 million `f32`.
fn values(bench: &mut Bench, folder: &Path) -> anyhow::Result<()> {
    let of = |seed| {
        let mut random = Random(seed);
        (0..VALUES).map(move |_| random.normal() as f32)
    };
    let x = Shared::new(folder, "x", of(2))?;
    let y = Shared::new(folder, "y", of(3))?;
    let line = || {
        let work = || {
            let mut bins = vec![0; 100];
            loops::regular(&x, -3.0, 3.0, &mut bins);
            bins
        };
        timed(work, |bins| floats(&bins, |b| b as f64))
    };
    let plane = || {
        let work = || {
            let mut bins = vec![0; 10_000];
            loops::square(&x, &y, 100, -3.0, 3.0, &mut bins);
            bins
        };
        timed(work, |bins| floats(&bins, |b| b as f64))
    };
    let name = "NumPy histogram, 10 million float32, 100 bins";
    if bench.wants(name) {
        let job = format!("histogram {} 100 -3 3", x.path);
        bench.row(name, |python| ask(python, &job), line)?;
    }
    for (threads, said) in [(1, "one thread"), (0, "a thread a core")] {
        let name = format!("boost-histogram, {said}, 10 million float32, 100 bins");
        if bench.wants(&name) {
            let job = format!("boost {} 100 -3 3 {threads}", x.path);
            bench.row(&name, |python| ask(python, &job), line)?;
        }
        let name = format!("boost-histogram, {said}, 10 million pairs, 100 x 100 bins");
        if bench.wants(&name) {
            let job = format!("boost2 {} {} 100 -3 3 {threads}", x.path, y.path);
            bench.row(&name, |python| ask(python, &job), plane)?;
        }
    }
    Ok(())
}

/// The histograms of a leaf of a boosted tree, beside LightGBM's.
fn tree(bench: &mut Bench, folder: &Path) -> anyhow::Result<()> {
    let threads = [(1, "one thread"), (0, "a thread a core")];
    let rows = threads.map(|threads| [("", true), (", sums alone as there", false)].map(|of| (threads, of)));
    for ((threads, said), (of, counting)) in rows.into_iter().flatten() {
        let name = format!("LightGBM, {said}, leaf of 1.2 million rows, 28 features{of}");
        if !bench.wants(&name) {
            continue;
        }
        let mut random = Random(4);
        let bytes = (0..ROWS * FEATURES).map(|_| (random.next() % 255) as u8);
        let values = Shared::new(folder, "rows", bytes)?;
        // LightGBM bins the columns into memory of its own, so the loop does not read a mapped file, whose pages are small, either.
        let bytes = values.to_vec();
        let table = bytes.as_chunks::<FEATURES>().0;
        let gradients: Vec<f32> = (0..ROWS).map(|_| random.normal() as f32).collect();
        let hessians = vec![1.0; ROWS];
        let rows = (0..ROWS as u32).filter(|_| random.next() % 100 < LEAF as u64);
        let rows: Vec<u32> = rows.collect();
        let job = format!(
            "lightgbm {} {ROWS} {FEATURES} {} {threads}",
            values.path,
            LEAF as f64 / 100.0
        );
        let mut sums = Box::new([[[0.0; 2]; 256]; FEATURES]);
        let mut counts = Box::new([[0; 256]; FEATURES]);
        let accrue = || {
            let work = || {
                *sums = [[[0.0; 2]; 256]; FEATURES];
                *counts = [[0; 256]; FEATURES];
                match counting {
                    true => loops::leaf(&rows, table, &gradients, &hessians, &mut sums, &mut counts),
                    false => loops::leaf_sums(&rows, table, &gradients, &hessians, &mut sums),
                }
            };
            timed(work, |()| Vec::new())
        };
        bench.row(&name, |python| ask(python, &job), accrue)?;
        // Every hessian is one, so their sums are counts.
        let hessians = sums.iter().map(|of| of.iter().map(|bin| bin[1]).sum::<f64>());
        let counted = counts.iter().map(|of| of.iter().sum::<u32>() as f64);
        for (n, hessians) in counted.zip(hessians) {
            let whole = rows.len() as f64;
            anyhow::ensure!(
                hessians == whole && (n == whole || !counting),
                "a feature does not count each row once"
            );
        }
    }
    Ok(())
}
