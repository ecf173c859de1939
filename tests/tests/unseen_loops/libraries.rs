//! What libraries are full of: rows that are summed by `zip`, both halves of a symmetric matrix, steps that give up, groups with several fields.

use super::*;

#[derive(Clone, Copy, Debug, Default)]
struct Trade {
    symbol: u32,
    price: f64,
    volume: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Group {
    notional: f64,
    volume: u64,
    high: f64,
}

fn trades(count: usize) -> Vec<Trade> {
    let of = |(symbol, price): (u32, f64)| Trade {
        symbol,
        price,
        volume: u64::from(symbol) + 3,
    };
    words(count, 40)
        .into_iter()
        .zip(doubles(count))
        .map(of)
        .collect()
}

/// A symmetric matrix whose Cholesky factor exists.
fn symmetric(n: usize) -> Vec<f64> {
    let a = doubles(n * n);
    let of = |k: usize| {
        let (y, x) = (k / n, k % n);
        a[y * n + x] + a[x * n + y] + if y == x { 64.0 * n as f64 } else { 0.0 }
    };
    (0..n * n).map(of).collect()
}

loops! {
    fn column_sums(rows: &[Vec<i32>], sums: &mut [i64]) {
        for row in rows {
            for (s, v) in sums.iter_mut().zip(row) {
                *s += i64::from(*v);
            }
        }
    } => {
        let rows: Vec<Vec<i32>> = ints(4000).chunks(9).map(<[i32]>::to_vec).collect();
        let mut sums = [1; 8];
        column_sums(&rows, &mut sums);
        sums
    }

    fn mean_image(frames: &[Vec<u8>], sum: &mut [u32]) {
        for frame in frames {
            for (i, s) in sum.iter_mut().enumerate() {
                *s += u32::from(frame[i]);
            }
        }
    } => {
        let frames: Vec<Vec<u8>> = bytes(8000).chunks(40).map(<[u8]>::to_vec).collect();
        let mut sum = [1; 40];
        mean_image(&frames, &mut sum);
        sum
    }

    fn column_range(rows: &[f32], w: usize, low: &mut [f32], high: &mut [f32]) {
        for row in rows.chunks_exact(w) {
            for ((lo, hi), &v) in low.iter_mut().zip(high.iter_mut()).zip(row) {
                *lo = lo.min(v);
                *hi = hi.max(v);
            }
        }
    } => {
        let (mut low, mut high) = (vec![9.0; 20], vec![-9.0; 19]);
        column_range(&quarters(4200), 21, &mut low, &mut high);
        (low, high)
    }

    fn accumulate(points: &[[f32; 3]], nearest: &[usize], sums: &mut [[f32; 3]], counts: &mut [u32]) {
        for (p, &c) in points.iter().zip(nearest) {
            for (s, x) in sums[c].iter_mut().zip(p) {
                *s += *x;
            }
            counts[c] += 1;
        }
    } => {
        let points: Vec<[f32; 3]> = quarters(6000).as_chunks().0.to_vec();
        let nearest: Vec<usize> = words(2000, 7).iter().map(|x| *x as usize).collect();
        let (mut sums, mut counts) = ([[0.5; 3]; 7], [1; 7]);
        accumulate(&points, &nearest, &mut sums, &mut counts);
        (sums, counts)
    }

    fn k_means(points: &[[f32; 3]], centers: &[[f32; 3]], sums: &mut [[f64; 3]], counts: &mut [u32], nearest: &mut [u32]) {
        for (i, p) in points.iter().enumerate() {
            let (mut best, mut best_d) = (0, f32::INFINITY);
            for (c, center) in centers.iter().enumerate() {
                let d: f32 = p.iter().zip(center.iter()).map(|(a, b)| (a - b) * (a - b)).sum();
                if d < best_d {
                    best_d = d;
                    best = c;
                }
            }
            nearest[i] = best as u32;
            counts[best] += 1;
            for j in 0..3 {
                sums[best][j] += p[j] as f64;
            }
        }
    } => {
        let points: Vec<[f32; 3]> = quarters(6000).as_chunks().0.to_vec();
        let (mut sums, mut counts, mut nearest) = ([[0.5; 3]; 5], [1; 5], vec![9; 2000]);
        k_means(&points, &points[..5], &mut sums, &mut counts, &mut nearest);
        (sums, counts, nearest)
    }

    fn popcounts(prints: &[[u64; 2]], out: &mut [u32]) {
        let n = prints.len();
        for i in 0..n {
            for j in 0..=i {
                let c: u32 = prints[i].iter().zip(&prints[j]).map(|(a, b)| (a & b).count_ones()).sum();
                out[i * n + j] = c;
                out[j * n + i] = c;
            }
        }
    } => {
        let prints: Vec<[u64; 2]> = words(90, 1 << 20).iter().map(|x| [u64::from(*x), u64::from(*x) * 77]).collect();
        let mut out = vec![7; 90 * 90];
        popcounts(&prints, &mut out);
        out
    }

    fn cholesky(a: &mut [f64], n: usize) -> Result<(), usize> {
        for k in 0..n {
            let d = a[k * n + k];
            if d <= 0.0 {
                return Err(k);
            }
            let d = d.sqrt();
            a[k * n + k] = d;
            for i in k + 1..n {
                a[i * n + k] /= d;
            }
            for i in k + 1..n {
                for j in k + 1..=i {
                    a[i * n + j] -= a[i * n + k] * a[j * n + k];
                }
            }
        }
        Ok(())
    } => {
        let (mut a, mut indefinite) = (symmetric(24), symmetric(24));
        indefinite[13 * 24 + 13] = -1.0;
        let done = (cholesky(&mut a, 24), cholesky(&mut indefinite, 24));
        (done, a, indefinite)
    }

    fn with_pivots(a: &mut Vec<Vec<f64>>, b: &mut Vec<f64>) -> bool {
        let n = b.len();
        for k in 0..n {
            let mut p = k;
            for i in k + 1..n {
                if a[i][k].abs() > a[p][k].abs() {
                    p = i;
                }
            }
            if a[p][k] == 0.0 {
                return false;
            }
            a.swap(k, p);
            b.swap(k, p);
            for i in k + 1..n {
                let f = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        true
    } => {
        let mut a: Vec<Vec<f64>> = doubles(400).chunks(20).map(<[f64]>::to_vec).collect();
        let mut b = doubles(20);
        (with_pivots(&mut a, &mut b), a, b)
    }

    fn knapsack(weights: &[usize], values: &[u64], best: &mut Vec<u64>) {
        for (w, v) in weights.iter().zip(values) {
            let old = best.clone();
            for c in *w..best.len() {
                best[c] = best[c].max(old[c - w] + v);
            }
        }
    } => {
        let mut best = vec![0; 900];
        knapsack(&[7, 12, 90, 33, 5], &[9, 14, 120, 40, 3], &mut best);
        best
    }

    fn by_symbol(trades: &[Trade], groups: &mut [Group]) {
        for t in trades {
            let group = &mut groups[t.symbol as usize];
            group.notional += t.price * t.volume as f64;
            group.volume += t.volume;
            group.high = group.high.max(t.price);
        }
    } => { let mut groups = [Group::default(); 40]; by_symbol(&trades(5000), &mut groups); groups }

    fn known_symbols(trades: &[Trade], groups: &mut [Group]) {
        for t in trades {
            if let Some(group) = groups.get_mut(t.symbol as usize) {
                group.volume += t.volume;
                group.notional += t.price;
            }
        }
    } => { let mut groups = [Group::default(); 30]; known_symbols(&trades(5000), &mut groups); groups }

    fn inside(src: &[f32], w: usize, h: usize, out: &mut [f32]) {
        for y in 1..h.max(1) - 1 {
            for x in 1..w.max(1) - 1 {
                let at = |dx: usize, dy: usize| src[(y + dy - 1) * w + x + dx - 1];
                out[y * w + x] = at(0, 0) + at(2, 0) - at(0, 2) - at(2, 2);
            }
        }
    } => {
        let (mut out, mut none) = (vec![1.0; 60 * 50], vec![2.0; 0]);
        inside(&quarters(60 * 50), 60, 50, &mut out);
        inside(&[], 0, 0, &mut none);
        (out, none)
    }

    fn stretch(img: &mut [u8], channels: usize) {
        for c in 0..channels {
            let (mut low, mut high) = (255, 0);
            for px in img.chunks_exact(channels) {
                low = px[c].min(low);
                high = px[c].max(high);
            }
            if high > low {
                for px in img.chunks_exact_mut(channels) {
                    px[c] = ((px[c] - low) as u32 * 255 / (high - low) as u32) as u8;
                }
            }
        }
    } => { let mut img = bytes(3000); stretch(&mut img, 3); img }

    fn closest(points: &[[f32; 2]], q: [f32; 2]) -> (f32, usize) {
        let (mut best, mut at) = (f32::INFINITY, usize::MAX);
        for (i, p) in points.iter().enumerate() {
            let d = (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
            if d < best {
                (at, best) = (i, d);
            }
        }
        (best, at)
    } => { closest(quarters(5000).as_chunks().0, [0.25, -0.5]) }

    fn peak(scores: &[i32]) -> (usize, i32) {
        let mut best = (0, i32::MIN);
        for (i, &s) in scores.iter().enumerate() {
            if s > best.1 {
                best = (i, s);
            }
        }
        best
    } => { (peak(&ints(5000)), peak(&[])) }

    fn four_tables(data: &[u8], hist: &mut [[u32; 256]; 4]) {
        for (i, &b) in data.iter().enumerate() {
            let table = &mut hist[i & 3];
            table[b as usize] += 1;
        }
    } => { let mut hist = [[1; 256]; 4]; four_tables(&bytes(5000), &mut hist); hist }

    fn by_class(labels: &[u32], values: &[i32], sums: &mut Vec<Vec<i64>>) {
        for (k, &v) in labels.iter().zip(values) {
            let row = &mut sums[*k as usize % 5];
            row[0] += 1;
            row[1 + (v & 3) as usize] += v as i64;
            row[0] -= 2;
        }
    } => {
        let mut sums = vec![vec![3; 5]; 5];
        by_class(&words(4000, 40), &ints(4000), &mut sums);
        sums
    }

    fn confusion(truth: &[usize], guess: &[usize], classes: usize) -> Vec<Vec<u32>> {
        let mut table = vec![vec![0; classes]; classes];
        for (&t, &g) in truth.iter().zip(guess) {
            table[t][g] += 1;
        }
        table
    } => {
        let of = |below| words(9000, below).iter().map(|x| *x as usize).collect::<Vec<_>>();
        (confusion(&of(7), &of(6), 7), confusion(&[1, 1], &[0, 1], 2))
    }

    fn sums_of_labels(points: &[Vec<i64>], labels: &[usize], sums: &mut Vec<Vec<i64>>, counts: &mut [usize]) {
        for (p, &l) in points.iter().zip(labels) {
            for j in 0..p.len() {
                sums[l][j] += p[j];
            }
            counts[l] += 1;
        }
    } => {
        let points: Vec<Vec<i64>> = ints(18000).chunks(3).map(|p| p.iter().map(|x| i64::from(*x)).collect()).collect();
        let labels: Vec<usize> = words(6000, 5).iter().map(|x| *x as usize).collect();
        // All rows of one length, and one that is longer.
        [3, 4].map(|last| {
            let (mut sums, mut counts) = (vec![vec![1; 3]; 5], [0; 5]);
            sums[4].resize(last, 7);
            sums_of_labels(&points, &labels, &mut sums, &mut counts);
            (sums, counts)
        })
    }
}
