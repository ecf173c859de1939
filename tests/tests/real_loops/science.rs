//! Physics, statistics and machine learning.

use super::*;

loops! {
    fn energy_histogram(energies: &[f64], low: f64, high: f64, counts: &mut [u64]) {
        let n = counts.len();
        let scale = n as f64 / (high - low);
        for e in energies {
            if *e < low || *e >= high {
                continue;
            }
            counts[((e - low) * scale) as usize] += 1;
        }
    } => { let e: Vec<f64> = quarters(2000).iter().map(|x| *x as f64).collect(); let mut c = vec![0; 32]; energy_histogram(&e, -10.0, 10.0, &mut c); c }

    fn charge_deposit(x: &[f32], q: &[f32], dx: f32, rho: &mut [f32]) {
        for i in 0..x.len() {
            let s = x[i] / dx;
            let cell = s.floor();
            let frac = s - cell;
            let j = cell as usize;
            rho[j] += q[i] * (1.0 - frac);
            rho[j + 1] += q[i] * frac;
        }
    } => { let x: Vec<f32> = quarters(1000).iter().map(|v| v.abs()).collect(); let mut r = vec![0.0; 200]; charge_deposit(&x, &vec![2.0; 1000], 1.0, &mut r); r }

    fn ngp_density(pos: &[[f32; 3]], box_size: f32, n: usize, grid: &mut [u32]) {
        for p in pos {
            let mut cell = [0usize; 3];
            for d in 0..3 {
                cell[d] = (p[d] / box_size * n as f32) as usize % n;
            }
            grid[(cell[0] * n + cell[1]) * n + cell[2]] += 1;
        }
    } => { let p: Vec<[f32; 3]> = quarters(900).chunks(3).map(|c| [c[0].abs(), c[1].abs(), c[2].abs()]).collect(); let mut g = vec![0; 512]; ngp_density(&p, 32.0, 8, &mut g); g }

    fn pair_distances(pos: &[[f64; 2]], dr: f64, g: &mut [u64]) {
        for i in 0..pos.len() {
            for j in i + 1..pos.len() {
                let dx = pos[i][0] - pos[j][0];
                let dy = pos[i][1] - pos[j][1];
                let bin = ((dx * dx + dy * dy).sqrt() / dr) as usize;
                if bin < g.len() {
                    g[bin] += 2;
                }
            }
        }
    } => { let p: Vec<[f64; 2]> = quarters(300).chunks(2).map(|c| [c[0] as f64, c[1] as f64]).collect(); let mut g = vec![0; 30]; pair_distances(&p, 1.5, &mut g); g }

    fn kmeans_step(points: &[[f32; 2]], centres: &[[f32; 2]], sums: &mut [[f32; 2]], counts: &mut [u32]) -> f32 {
        let mut inertia = 0.0;
        for p in points {
            let mut best = f32::INFINITY;
            let mut k = 0;
            for (c, centre) in centres.iter().enumerate() {
                let d = (p[0] - centre[0]).powi(2) + (p[1] - centre[1]).powi(2);
                if d < best {
                    best = d;
                    k = c;
                }
            }
            sums[k][0] += p[0];
            sums[k][1] += p[1];
            counts[k] += 1;
            inertia += best;
        }
        inertia
    } => {
        let p: Vec<[f32; 2]> = quarters(1000).chunks(2).map(|c| [c[0], c[1]]).collect();
        let mut s = vec![[0.0; 2]; 5]; let mut c = vec![0; 5];
        let i = kmeans_step(&p, &[[0.0, 0.0], [9.0, 1.0], [-8.0, 2.0], [1.0, -9.0], [4.0, 12.0]], &mut s, &mut c); (s, c, i)
    }

    fn gradient_histogram(bins: &[u8], rows: &[u32], gradients: &[f32], hessians: &[f32], hist: &mut [[f32; 2]; 256]) {
        for &r in rows {
            let r = r as usize;
            let b = bins[r] as usize;
            hist[b][0] += gradients[r];
            hist[b][1] += hessians[r];
        }
    } => { let mut h = [[0.0; 2]; 256]; gradient_histogram(&bytes(1000), &words(600, 1000), &quarters(1000), &quarters(1001)[1..], &mut h); h }

    fn gradient_features(binned: &[u8], features: usize, node: &[u16], grad: &[f32], hist: &mut [f32]) {
        for (row, &g) in binned.chunks_exact(features).zip(grad) {
            for (f, &b) in row.iter().enumerate() {
                hist[f * 256 + b as usize] += g;
            }
        }
    } => { let mut h = vec![0.0; 4 * 256]; gradient_features(&bytes(800), 4, &[], &quarters(200), &mut h); h }

    fn confusion(truth: &[usize], predicted: &[usize], matrix: &mut [[u32; 10]; 10]) {
        for (&t, &p) in truth.iter().zip(predicted.iter()) {
            matrix[t][p] += 1;
        }
    } => { let t: Vec<usize> = words(900, 10).iter().map(|x| *x as usize).collect(); let mut m = [[0; 10]; 10]; confusion(&t, &t[1..], &mut m); m }

    fn accuracy_by_class(truth: &[u8], predicted: &[u8], right: &mut [u32; 4], all: &mut [u32; 4]) -> u32 {
        let mut correct = 0;
        for (t, p) in truth.iter().zip(predicted) {
            let class = (t & 3) as usize;
            all[class] += 1;
            if t & 3 == p & 3 {
                right[class] += 1;
                correct += 1;
            }
        }
        correct
    } => { let (mut a, mut b) = ([0; 4], [0; 4]); let c = accuracy_by_class(&bytes(300), &bytes(301)[1..], &mut a, &mut b); (a, b, c) }

    fn contingency(a: &[Option<u8>], b: &[Option<u8>], table: &mut [[u32; 4]; 4]) {
        for (x, y) in a.iter().zip(b) {
            if let (Some(x), Some(y)) = (x, y) {
                table[(*x & 3) as usize][(*y & 3) as usize] += 1;
            }
        }
    } => { let a: Vec<Option<u8>> = bytes(300).iter().map(|b| (*b > 20).then_some(*b)).collect(); let mut t = [[0; 4]; 4]; contingency(&a, &a[1..], &mut t); t }

    fn weighted_histogram(values: &[f64], weights: &[f64], edges: &[f64], out: &mut [f64]) {
        for (v, w) in values.iter().zip(weights.iter()) {
            let i = edges.partition_point(|e| e <= v);
            if i > 0 && i < edges.len() {
                out[i - 1] += w;
            }
        }
    } => { let v: Vec<f64> = quarters(900).iter().map(|x| *x as f64).collect(); let mut o = vec![0.0; 6]; weighted_histogram(&v, &v, &[-20.0, -10.0, -1.0, 0.0, 3.0, 9.0, 20.0], &mut o); o }

    fn edges_by_search(values: &[f32], edges: &[f32], out: &mut [u32]) {
        for &v in values {
            let mut lo = 0;
            let mut hi = edges.len();
            while lo < hi {
                let mid = (lo + hi) / 2;
                if edges[mid] <= v { lo = mid + 1; } else { hi = mid; }
            }
            out[lo] += 1;
        }
    } => { let mut o = vec![0; 6]; edges_by_search(&quarters(900), &[-9.0, -1.0, 0.0, 2.0, 8.0], &mut o); o }

    fn moments(samples: &[i32], count: &mut u64, sum: &mut i64, squares: &mut i64, lo: &mut i32, hi: &mut i32) {
        for &s in samples {
            *count += 1;
            *sum += s as i64;
            *squares += (s as i64).pow(2);
            *lo = (*lo).min(s);
            *hi = (*hi).max(s);
        }
    } => { let s: Vec<i32> = words(900, 1000).iter().map(|x| *x as i32 - 500).collect(); let (mut a, mut b, mut c, mut d, mut e) = (0, 0, 0, i32::MAX, i32::MIN); moments(&s, &mut a, &mut b, &mut c, &mut d, &mut e); (a, b, c, d, e) }

    fn rank_histogram(ensemble: &[f32], members: usize, observed: &[f32], ranks: &mut [u32]) {
        for (i, o) in observed.iter().enumerate() {
            let run = &ensemble[i * members..(i + 1) * members];
            let rank = run.iter().filter(|m| *m < o).count();
            ranks[rank] += 1;
        }
    } => { let mut r = vec![0; 6]; rank_histogram(&quarters(500), 5, &quarters(100), &mut r); r }

    fn spectrum_shells(amplitude: &[f32], n: usize, shells: &mut [f32], counts: &mut [u32]) {
        for k in 0..n * n {
            let kx = (k % n) as i32;
            let ky = (k / n) as i32;
            let kx = if kx > n as i32 / 2 { kx - n as i32 } else { kx };
            let ky = if ky > n as i32 / 2 { ky - n as i32 } else { ky };
            let shell = ((kx * kx + ky * ky) as f32).sqrt() as usize;
            shells[shell] += amplitude[k] * amplitude[k];
            counts[shell] += 1;
        }
    } => { let (mut s, mut c) = (vec![0.0; 40], vec![0; 40]); spectrum_shells(&quarters(32 * 32), 32, &mut s, &mut c); (s, c) }

    fn monte_carlo_walk(seeds: &[u64], ends: &mut [u32; 65]) {
        for &seed in seeds {
            let mut x = seed | 1;
            let mut at = 32i32;
            for _ in 0..32 {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                if x & 1 == 0 { at += 1 } else { at -= 1 };
            }
            ends[at as usize] += 1;
        }
    } => { let s: Vec<u64> = words(500, 1 << 30).iter().map(|x| *x as u64 * 7919).collect(); let mut e = [0; 65]; monte_carlo_walk(&s, &mut e); e.to_vec() }

    fn polynomial_product(a: &[i64], b: &[i64], out: &mut [i64]) {
        for (i, &x) in a.iter().enumerate() {
            for (j, &y) in b.iter().enumerate() {
                out[i + j] += x * y;
            }
        }
    } => { let a: Vec<i64> = words(40, 100).iter().map(|x| *x as i64 - 50).collect(); let mut o = vec![0; 79]; polynomial_product(&a, &a, &mut o); o }

    fn cyclic_product(a: &[u32], b: &[u32], out: &mut [u32]) {
        let n = a.len();
        for i in 0..n {
            for j in 0..n {
                out[(i + j) % n] = out[(i + j) % n].wrapping_add(a[i].wrapping_mul(b[j]));
            }
        }
    } => { let mut o = vec![0; 40]; cyclic_product(&words(40, 1 << 30), &words(40, 1 << 30), &mut o); o }

    fn spmv_coo(rows: &[u32], cols: &[u32], values: &[f32], x: &[f32], y: &mut [f32]) {
        for ((&r, &c), &v) in rows.iter().zip(cols).zip(values) {
            y[r as usize] += v * x[c as usize];
        }
    } => { let mut y = vec![0.0; 50]; spmv_coo(&words(600, 50), &words(601, 50)[1..], &quarters(600), &quarters(50), &mut y); y }

    fn spmv_transposed(row_ptr: &[usize], col: &[usize], val: &[f64], x: &[f64], y: &mut [f64]) {
        for row in 0..row_ptr.len() - 1 {
            for k in row_ptr[row]..row_ptr[row + 1] {
                y[col[k]] += val[k] * x[row];
            }
        }
    } => { let col: Vec<usize> = words(300, 40).iter().map(|x| *x as usize).collect(); let p: Vec<usize> = (0..=30).map(|i| i * 10).collect(); let v: Vec<f64> = quarters(300).iter().map(|x| *x as f64).collect(); let mut y = vec![0.0; 40]; spmv_transposed(&p, &col, &v, &v, &mut y); y }

    fn assemble_load(triangles: &[[usize; 3]], area: &[f64], load: &mut [f64]) {
        for (e, t) in triangles.iter().enumerate() {
            for &node in t {
                load[node] += area[e] * 0.25;
            }
        }
    } => { let t: Vec<[usize; 3]> = words(300, 40).chunks(3).map(|c| [c[0] as usize, c[1] as usize, c[2] as usize]).collect(); let v: Vec<f64> = quarters(300).iter().map(|x| *x as f64).collect(); let mut y = vec![0.0; 40]; assemble_load(&t, &v, &mut y); y }

    fn mutual_information(x: &[u8], y: &[u8]) -> f64 {
        let mut joint = vec![0u32; 32 * 32];
        for (a, b) in x.iter().zip(y) {
            joint[(*a as usize >> 3) * 32 + (*b as usize >> 3)] += 1;
        }
        let n = x.len() as f64;
        joint.iter().filter(|c| **c > 0).map(|c| { let p = *c as f64 / n; -p * p.log2() }).sum()
    } => { mutual_information(&bytes(900), &bytes(901)[1..]) }

    fn autocorrelation(signal: &[i32], lags: usize, out: &mut [i64]) {
        for i in 0..signal.len() {
            for lag in 0..lags.min(signal.len() - i) {
                out[lag] += signal[i] as i64 * signal[i + lag] as i64;
            }
        }
    } => { let s: Vec<i32> = words(200, 100).iter().map(|x| *x as i32 - 50).collect(); let mut o = vec![0; 20]; autocorrelation(&s, 20, &mut o); o }

    fn waiting_times(times: &[u64], hist: &mut [u32; 32]) {
        for w in times.windows(2) {
            let dt = w[1].saturating_sub(w[0]);
            hist[dt.checked_ilog2().unwrap_or(0) as usize] += 1;
        }
    } => { let t: Vec<u64> = words(500, 9000).iter().map(|x| *x as u64).collect(); let mut h = [0; 32]; waiting_times(&t, &mut h); h }

    fn latency_buckets(ns: &[u64], buckets: &mut [u64; 64], total: &mut u64, max: &mut u64) {
        for &t in ns {
            buckets[(63 - (t | 1).leading_zeros()) as usize] += 1;
            *total += t;
            *max = t.max(*max);
        }
    } => { let t: Vec<u64> = words(500, 9000).iter().map(|x| *x as u64).collect(); let (mut h, mut a, mut b) = ([0; 64], 0, 0); latency_buckets(&t, &mut h, &mut a, &mut b); (h.to_vec(), a, b) }
}
