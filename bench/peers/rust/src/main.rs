//! Histograms as other crates make them, beside the loop that a user of accrue writes: on the same data, in turns, each result compared.
//!
//!     cargo run --release -- [TURNS] [FILE]
//!
//! A line of the table of `docs/measurements/peers.md` for each. With a file, the 10 million `f32` of the second half are written there, two for each point, for
//! `histograms.py` beside this. Single-threaded peers are compared with one thread (`RAYON_NUM_THREADS=1`), and on a busy machine that is the fair way: the
//! time is that of the thread.

use std::time::Duration;

use accrue::offload;
use image::{GrayImage, RgbImage};
use imageproc::stats::histogram;
use ndarray::Array2;
use ndarray_stats::HistogramExt;
use ndarray_stats::histogram::{Bins, Edges, Grid};
use ndhistogram::axis::Uniform;
use ndhistogram::{Histogram, VecHistogram, ndhistogram};

#[offload(histogram)]
fn grey(pixels: &[u8], hist: &mut [u32; 256]) {
    for &p in pixels {
        hist[p as usize] += 1;
    }
}

#[offload(histogram)]
fn colours(pixels: &[u8], hist: &mut [[u32; 256]; 3]) {
    for p in pixels.chunks_exact(3) {
        hist[0][p[0] as usize] += 1;
        hist[1][p[1] as usize] += 1;
        hist[2][p[2] as usize] += 1;
    }
}

/// The bin of a number among 100 between -3 and 3, as the peers have it.
#[offload(histogram)]
fn line(points: &[[f32; 2]], hist: &mut [f64; 100]) {
    for p in points {
        let at = (p[0] + 3.0) * (100.0 / 6.0);
        if at >= 0.0 && at < 100.0 {
            hist[at as usize] += 1.0;
        }
    }
}

#[offload(histogram)]
fn plane(points: &[[f32; 2]], hist: &mut [[f64; 100]; 100]) {
    for p in points {
        let x = (p[0] + 3.0) * (100.0 / 6.0);
        let y = (p[1] + 3.0) * (100.0 / 6.0);
        if x >= 0.0 && x < 100.0 && y >= 0.0 && y < 100.0 {
            hist[y as usize][x as usize] += 1.0;
        }
    }
}

/// How many features a row has, and bins each.
const FEATURES: usize = 28;
const BINS: usize = 255;

/// What a gradient-boosting library sums for a leaf: gradients, hessians and counts of the leaf's rows, for each bin of each feature.
#[offload(histogram)]
fn gradients(
    rows: &[u32],
    bins: &[[u8; FEATURES]],
    gradient: &[f32],
    hessian: &[f32],
    sums: &mut [[f64; 2]; FEATURES * BINS],
    counts: &mut [u32; FEATURES * BINS],
) {
    for &row in rows {
        let row = row as usize;
        for f in 0..28 {
            let at = f * 255 + bins[row][f] as usize;
            sums[at][0] += gradient[row] as f64;
            sums[at][1] += hessian[row] as f64;
            counts[at] += 1;
        }
    }
}

/// The same as the loop is, by one thread, with the three of a bin side by side as LightGBM has them.
fn gradients_plain(
    rows: &[u32],
    bins: &[[u8; FEATURES]],
    gradient: &[f32],
    hessian: &[f32],
    sums: &mut [(f64, f64, u32)],
) {
    for &row in rows {
        let row = row as usize;
        for f in 0..28 {
            let bin = &mut sums[f * 255 + bins[row][f] as usize];
            bin.0 += gradient[row] as f64;
            bin.1 += hessian[row] as f64;
            bin.2 += 1;
        }
    }
}

/// The processor time of this thread.
fn now() -> Duration {
    let text =
        std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux's times of threads");
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanoseconds.expect("nanoseconds"))
}

/// The least time of each of two forms that take turns, in milliseconds.
fn turns(count: usize, mut forms: [&mut dyn FnMut(); 2]) -> [f64; 2] {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..count {
        for (form, least) in forms.iter_mut().zip(&mut least) {
            let start = now();
            form();
            *least = least.min((now() - start).as_secs_f64() * 1e3);
        }
    }
    least
}

fn row(what: &str, peer: &str, [theirs, ours]: [f64; 2]) {
    println!(
        "| {what} | {peer} | {theirs:.2} | {ours:.2} | {:.2} |",
        theirs / ours
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments
        .next()
        .map_or(7, |n| n.parse().expect("a number of turns"));
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    println!(
        "| what | peer | peer, ms | accrue, ms | peer / accrue |\n| --- | --- | --- | --- | --- |"
    );
    // A smooth picture with noise, as a photograph is.
    let (width, height) = (4000, 3000);
    let mut shade = |x: u32, y: u32, c: u32| {
        let smooth = (x / 16 + y / 20 + c * 50) % 256;
        (smooth as u8).wrapping_add((random() >> 60) as u8)
    };
    let picture = GrayImage::from_fn(width, height, |x, y| image::Luma([shade(x, y, 0)]));
    let mut found = [0; 256];
    let mut theirs = None;
    let times = turns(
        count,
        [&mut || theirs = Some(histogram(&picture)), &mut || {
            found = [0; 256];
            grey(picture.as_raw(), &mut found);
        }],
    );
    assert_eq!(theirs.as_ref().map(|h| h.channels[0]), Some(found));
    row(
        "12 million grey pixels",
        "imageproc `stats::histogram`",
        times,
    );
    let picture = RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([0, 1, 2].map(|c| shade(x, y, c)))
    });
    let mut found = [[0; 256]; 3];
    let times = turns(
        count,
        [&mut || theirs = Some(histogram(&picture)), &mut || {
            found = [[0; 256]; 3];
            colours(picture.as_raw(), &mut found);
        }],
    );
    assert_eq!(theirs.map(|h| h.channels), Some(found.to_vec()));
    row("12 million colours", "imageproc `stats::histogram`", times);

    // Sums of four uniform numbers, nearly normal.
    let mut normal = || {
        (0..4)
            .map(|_| (random() >> 40) as f32 / 16_777_216.0 - 0.5)
            .sum::<f32>()
            * 1.732
    };
    let points: Vec<[f32; 2]> = (0..10_000_000).map(|_| [normal(), normal()]).collect();
    if let Some(path) = arguments.next() {
        let bytes: Vec<u8> = points
            .iter()
            .flatten()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        std::fs::write(path, bytes).expect("the file can be written");
    }
    let axis = || Uniform::new(100, -3.0f32, 3.0).expect("an axis");
    let mut theirs: VecHistogram<_, f64> = ndhistogram!(axis());
    let mut found = [0.0; 100];
    let times = turns(
        count,
        [
            &mut || {
                theirs = ndhistogram!(axis());
                points.iter().for_each(|p| theirs.fill(&p[0]));
            },
            &mut || {
                found = [0.0; 100];
                line(&points, &mut found);
            },
        ],
    );
    near(theirs.values().skip(1).take(100).copied(), found);
    row("10 million `f32`, 100 bins", "ndhistogram", times);
    let mut theirs: VecHistogram<_, f64> = ndhistogram!(axis(), axis());
    let mut found = [[0.0; 100]; 100];
    let times = turns(
        count,
        [
            &mut || {
                theirs = ndhistogram!(axis(), axis());
                points.iter().for_each(|p| theirs.fill(&(p[0], p[1])));
            },
            &mut || {
                found = [[0.0; 100]; 100];
                plane(&points, &mut found);
            },
        ],
    );
    let inside = theirs.values().copied().collect::<Vec<_>>();
    let inside = inside
        .chunks(102)
        .skip(1)
        .take(100)
        .flat_map(|row| row[1..101].to_vec());
    near(inside, found.into_iter().flatten());
    row(
        "10 million pairs of `f32`, 100 × 100 bins",
        "ndhistogram",
        times,
    );

    // A tenth: it takes seconds for all.
    let few = &points[..1_000_000];
    let numbers = Array2::from_shape_fn((few.len(), 1), |(i, _)| {
        noisy_float::types::n64(f64::from(few[i][0]))
    });
    let edges = (0..=100).map(|i| noisy_float::types::n64(-3.0 + f64::from(i) * 0.06));
    let grid = Grid::from(vec![Bins::new(Edges::from(edges.collect::<Vec<_>>()))]);
    let mut theirs = 0;
    let mut found = [0.0; 100];
    let times = turns(
        count,
        [
            &mut || {
                let histogram = numbers.histogram(grid.clone());
                theirs = histogram.counts().sum();
            },
            &mut || {
                found = [0.0; 100];
                line(few, &mut found);
            },
        ],
    );
    assert!((theirs as f64 - found.iter().sum::<f64>()).abs() < 100.0);
    row(
        "1 million numbers, 100 bins",
        "ndarray-stats (`f64`)",
        times,
    );

    // Half of the rows of a table, in order, as in a leaf below the root.
    let table: Vec<[u8; FEATURES]> = (0..1_000_000)
        .map(|_| std::array::from_fn(|_| ((random() >> 33) % BINS as u64) as u8))
        .collect();
    let mut normal = || {
        (0..4)
            .map(|_| (random() >> 40) as f32 / 16_777_216.0 - 0.5)
            .sum::<f32>()
    };
    let gradient: Vec<f32> = table.iter().map(|_| normal()).collect();
    let hessian: Vec<f32> = gradient.iter().map(|g| g * g).collect();
    let rows: Vec<u32> = (0..1_000_000)
        .filter(|row| table[*row as usize][3] < 128)
        .collect();
    let mut plain = vec![(0.0, 0.0, 0); FEATURES * BINS];
    let mut sums = vec![[0.0; 2]; FEATURES * BINS];
    let mut counts = vec![0; FEATURES * BINS];
    let times = turns(
        count,
        [
            &mut || {
                plain.fill((0.0, 0.0, 0));
                gradients_plain(&rows, &table, &gradient, &hessian, &mut plain);
            },
            &mut || {
                sums.fill([0.0; 2]);
                counts.fill(0);
                let sums = (&mut sums[..]).try_into().expect("as many");
                let counts = (&mut counts[..]).try_into().expect("as many");
                gradients(&rows, &table, &gradient, &hessian, sums, counts);
            },
        ],
    );
    let both = plain.iter().zip(sums.iter().zip(&counts));
    for (plain, (sums, count)) in both {
        assert_eq!(plain.2, *count);
        assert!((plain.0 - sums[0]).abs() < 1e-6 && (plain.1 - sums[1]).abs() < 1e-6);
    }
    row(
        "gradients of half a million rows, 28 features",
        "the plain loop, bins of (g, h, count)",
        times,
    );
}

/// A number on an edge may fall on either side of it.
fn near(theirs: impl IntoIterator<Item = f64>, ours: impl IntoIterator<Item = f64>) {
    for (theirs, ours) in theirs.into_iter().zip(ours) {
        assert!((theirs - ours).abs() <= 64.0, "{theirs} {ours}");
    }
}
