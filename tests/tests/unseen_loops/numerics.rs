//! Numerics and statistics.

use super::*;

loops! {
    fn jacobi(u: &mut Vec<f64>, v: &mut Vec<f64>, f: &[f64], n: usize, sweeps: usize) {
        #[sequential]
        for _ in 0..sweeps {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    let k = i * n + j;
                    v[k] = 0.25 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - f[k]);
                }
            }
            std::mem::swap(u, v);
        }
    } plain {
        for _ in 0..sweeps {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    let k = i * n + j;
                    v[k] = 0.25 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - f[k]);
                }
            }
            std::mem::swap(u, v);
        }
    } => {
        let (mut u, mut v) = (doubles(400), doubles(400));
        jacobi(&mut u, &mut v, &doubles(400), 20, 5);
        (u, v)
    }

    fn matmul_blocked(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
        const B: usize = 8;
        for ii in (0..n).step_by(B) {
            for jj in (0..n).step_by(B) {
                for kk in (0..n).step_by(B) {
                    for i in ii..(ii + B).min(n) {
                        for j in jj..(jj + B).min(n) {
                            let mut s = c[i * n + j];
                            for k in kk..(kk + B).min(n) {
                                s += a[i * n + k] * b[k * n + j];
                            }
                            c[i * n + j] = s;
                        }
                    }
                }
            }
        }
    } => { let mut c = vec![0.0; 27 * 27]; matmul_blocked(&quarters(27 * 27), &quarters(27 * 27), &mut c, 27); c }

    fn gaussian_elimination(a: &mut [f64], b: &mut [f64], n: usize) {
        #[sequential]
        for k in 0..n {
            for i in k + 1..n {
                let f = a[i * n + k] / a[k * n + k];
                for j in k..n {
                    a[i * n + j] -= f * a[k * n + j];
                }
                b[i] -= f * b[k];
            }
        }
    } plain {
        for k in 0..n {
            for i in k + 1..n {
                let f = a[i * n + k] / a[k * n + k];
                for j in k..n {
                    a[i * n + j] -= f * a[k * n + j];
                }
                b[i] -= f * b[k];
            }
        }
    } => {
        let (mut a, mut b) = (doubles(144), doubles(12));
        for i in 0..12 { a[i * 13] += 200.0; }
        gaussian_elimination(&mut a, &mut b, 12);
        (a, b)
    }

    fn simpson(lo: f64, hi: f64, n: usize, y: &mut [f64]) -> f64 {
        let h = (hi - lo) / n as f64;
        for i in 0..=n {
            let x = lo + i as f64 * h;
            y[i] = x * x * x - 2.0 * x + 1.0;
        }
        let mut s = 0i64;
        for i in 0..=n {
            let w = if i == 0 || i == n { 1 } else if i % 2 == 1 { 4 } else { 2 };
            s += w * (y[i] * 1024.0) as i64;
        }
        s as f64 * h / 3.0
    } => { let mut y = vec![0.0; 101]; let s = simpson(0.0, 4.0, 100, &mut y); (s, y) }

    fn horner(xs: &[f64], coeffs: &[f64], ys: &mut Vec<f64>) {
        for (i, &x) in xs.iter().enumerate() {
            let mut acc = 0.0;
            for &c in coeffs.iter().rev() {
                acc = acc * x + c;
            }
            ys[i] = acc;
        }
    } => { let mut y = vec![0.0; 200]; horner(&doubles(200), &[1.0, -0.5, 0.25, 2.0], &mut y); y }

    fn spmv(ptr: &[usize], col: &[u32], val: &[f64], x: &[f64], y: &mut [f64]) {
        for row in 0..y.len() {
            let mut sum = 0.0;
            for k in ptr[row]..ptr[row + 1] {
                sum += val[k] * x[col[k] as usize];
            }
            y[row] = sum;
        }
    } => {
        let (ptr, col) = graph(100, 6);
        let mut y = vec![0.0; 100];
        spmv(&ptr, &col, &doubles(col.len()), &doubles(100), &mut y);
        y
    }

    fn thomas_batch(a: &[f64], b: &[f64], c: &mut [f64], d: &mut [f64], m: usize, n: usize) {
        for s in 0..m {
            let o = s * n;
            c[o] /= b[o];
            d[o] /= b[o];
            for i in 1..n {
                let w = b[o + i] - a[o + i] * c[o + i - 1];
                c[o + i] /= w;
                d[o + i] = (d[o + i] - a[o + i] * d[o + i - 1]) / w;
            }
            for i in (0..n - 1).rev() {
                d[o + i] -= c[o + i] * d[o + i + 1];
            }
        }
    } => {
        let (mut c, mut d) = (doubles(200), doubles(200));
        let b: Vec<f64> = doubles(200).iter().map(|b| b + 100.0).collect();
        thomas_batch(&doubles(200), &b, &mut c, &mut d, 10, 20);
        (c, d)
    }

    fn fft_stages(re: &mut [f64], im: &mut [f64], cos: &[f64], sin: &[f64]) {
        let n = re.len();
        let mut len = 2;
        while len <= n {
            let half = len / 2;
            let stride = n / len;
            for start in (0..n).step_by(len) {
                for k in 0..half {
                    let (c, s) = (cos[k * stride], sin[k * stride]);
                    let (a, b) = (start + k, start + k + half);
                    let tr = re[b] * c - im[b] * s;
                    let ti = re[b] * s + im[b] * c;
                    re[b] = re[a] - tr;
                    im[b] = im[a] - ti;
                    re[a] += tr;
                    im[a] += ti;
                }
            }
            len *= 2;
        }
    } => {
        let angle = |k: usize| -std::f64::consts::TAU * k as f64 / 64.0;
        let cos: Vec<f64> = (0..32).map(|k| angle(k).cos()).collect();
        let sin: Vec<f64> = (0..32).map(|k| angle(k).sin()).collect();
        let (mut re, mut im) = (doubles(64), doubles(64));
        fft_stages(&mut re, &mut im, &cos, &sin);
        (re, im)
    }

    fn lu(a: &mut [f64], n: usize) {
        #[sequential]
        for k in 0..n {
            let pivot = a[k * n + k];
            for i in k + 1..n {
                a[i * n + k] /= pivot;
            }
            for i in k + 1..n {
                for j in k + 1..n {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
    } plain {
        for k in 0..n {
            let pivot = a[k * n + k];
            for i in k + 1..n {
                a[i * n + k] /= pivot;
            }
            for i in k + 1..n {
                for j in k + 1..n {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
    } => { let mut a = doubles(144); for i in 0..12 { a[i * 13] += 200.0; } lu(&mut a, 12); a }

    fn convolve_same(x: &[i32], k: &[i32], y: &mut [i32]) {
        let n = x.len();
        let half = k.len() / 2;
        for i in 0..n {
            let lo = i.saturating_sub(half);
            let hi = (i + half + 1).min(n);
            let mut acc = 0;
            for j in lo..hi {
                acc += x[j] * k[j + half - i];
            }
            y[i] = acc;
        }
    } => { let mut y = vec![0; 300]; convolve_same(&ints(300), &[1, -2, 3, 5, 2], &mut y); y }

    fn transpose_in_place(a: &mut [f32], n: usize) {
        for i in 0..n {
            for j in i + 1..n {
                a.swap(i * n + j, j * n + i);
            }
        }
    } => { let mut a = quarters(400); transpose_in_place(&mut a, 20); a }

    fn covariance(data: &[i64], n: usize, d: usize, cov: &mut [i64]) {
        for i in 0..d {
            for j in i..d {
                let mut s = 0;
                for k in 0..n {
                    s += data[k * d + i] * data[k * d + j];
                }
                cov[i * d + j] = s;
                cov[j * d + i] = s;
            }
        }
    } => {
        let data: Vec<i64> = ints(600).iter().map(|x| *x as i64).collect();
        let mut c = vec![0; 36];
        covariance(&data, 100, 6, &mut c);
        c
    }

    fn zscores(x: &mut [f64]) -> (f64, f64) {
        let n = x.len() as f64;
        let mut sum = 0.0;
        for v in x.iter() {
            sum += v;
        }
        let mean = sum / n;
        let mut ss = 0.0;
        for v in x.iter() {
            ss += (v - mean) * (v - mean);
        }
        let sd = (ss / n).sqrt();
        for v in x.iter_mut() {
            *v = (*v - mean) / sd;
        }
        (mean, sd)
    } => { let mut x: Vec<f64> = (0..256).map(|i| if i % 2 == 0 { 3.0 } else { 5.0 }).collect(); let r = zscores(&mut x); (x, r) }

    fn correlation_sums(x: &[f64], y: &[f64]) -> f64 {
        let (mut sx, mut sy, mut sxx, mut syy, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for i in 0..x.len() {
            sx += x[i];
            sy += y[i];
            sxx += x[i] * x[i];
            syy += y[i] * y[i];
            sxy += x[i] * y[i];
        }
        let n = x.len() as f64;
        (n * sxy - sx * sy) / ((n * sxx - sx * sx) * (n * syy - sy * sy)).sqrt()
    } => { correlation_sums(&doubles(300), &doubles(301)[1..]) }

    fn kmeans_step(points: &[[f64; 2]], centres: &[[f64; 2]], labels: &mut [usize], sums: &mut [[f64; 2]], counts: &mut [u32]) -> usize {
        let mut changed = 0;
        for (i, p) in points.iter().enumerate() {
            let mut best = 0;
            let mut best_d = f64::INFINITY;
            for (k, c) in centres.iter().enumerate() {
                let d = (p[0] - c[0]).powi(2) + (p[1] - c[1]).powi(2);
                if d < best_d {
                    best_d = d;
                    best = k;
                }
            }
            if labels[i] != best {
                labels[i] = best;
                changed += 1;
            }
            sums[best][0] += p[0];
            sums[best][1] += p[1];
            counts[best] += 1;
        }
        changed
    } => {
        let pts: Vec<[f64; 2]> = doubles(400).chunks(2).map(|c| [c[0], c[1]]).collect();
        let (mut l, mut s, mut n) = (vec![0; 200], vec![[0.0; 2]; 4], vec![0; 4]);
        let changed = kmeans_step(&pts, &pts[..4], &mut l, &mut s, &mut n);
        (l, s, n, changed)
    }

    fn moving_average(x: &[i64], k: usize, out: &mut [i64]) {
        let mut sum = 0;
        for i in 0..x.len() {
            sum += x[i];
            if i >= k {
                sum -= x[i - k];
            }
            out[i] = sum / k.min(i + 1) as i64;
        }
    } => {
        let x: Vec<i64> = ints(500).iter().map(|x| *x as i64).collect();
        let mut o = vec![0; 500];
        moving_average(&x, 7, &mut o);
        o
    }

    fn autocorrelation(x: &[i64], out: &mut [i64]) {
        for lag in 0..out.len() {
            let mut s = 0;
            for i in 0..x.len() - lag {
                s += x[i] * x[i + lag];
            }
            out[lag] = s;
        }
    } => {
        let x: Vec<i64> = ints(300).iter().map(|x| *x as i64).collect();
        let mut o = vec![0; 20];
        autocorrelation(&x, &mut o);
        o
    }

    fn digitize(x: &[f64], edges: &[f64], bin: &mut [usize], count: &mut [u32]) {
        for (i, &v) in x.iter().enumerate() {
            let mut b = 0;
            while b < edges.len() && v >= edges[b] {
                b += 1;
            }
            bin[i] = b;
            count[b] = count[b] + 1;
        }
    } => {
        let (mut b, mut c) = (vec![0; 300], vec![0; 6]);
        digitize(&doubles(300), &[-10.0, -5.0, 0.0, 5.0, 10.0], &mut b, &mut c);
        (b, c)
    }

    fn last_minimum(x: &[i32]) -> (i32, usize) {
        let mut best = i32::MAX;
        let mut at = 0;
        for i in 0..x.len() {
            if x[i] <= best {
                best = x[i];
                at = i;
            }
        }
        (best, at)
    } => { last_minimum(&ints(500)) }

    fn by_one_name(x: &[i32]) -> i32 {
        let mut last = 1i32;
        for &x in x {
            let x = x.wrapping_add(last.wrapping_mul(3));
            last = x;
        }
        last
    } => { by_one_name(&ints(5_000)) }

    fn totals_by_another_name(x: &[u32], total: &mut u32, all: &mut Vec<u32>, other: &mut u32) {
        for v in x {
            let _unused = &mut *other;
            let sum = &mut *total;
            *sum = sum.wrapping_add(*v);
            all.push(*total);
        }
    } => {
        let (mut total, mut all, mut other) = (7, Vec::new(), 3);
        totals_by_another_name(&words(5_000, 900), &mut total, &mut all, &mut other);
        (total, all, other)
    }

    fn damped_over_and_over(u: &mut [i64], w: &[i64]) {
        for k in 0..w.len() {
            for x in &mut *u {
                *x = *x / 2 + w[k];
            }
        }
    } => {
        let mut u: Vec<i64> = ints(3_000).iter().map(|x| i64::from(*x)).collect();
        damped_over_and_over(&mut u, &[5, -3, 900, 4]);
        u
    }

    fn cumulative_weights(w: &[u32], cum: &mut Vec<u64>) {
        cum[0] = w[0] as u64;
        for i in 1..w.len() {
            cum[i] = cum[i - 1] + w[i] as u64;
        }
    } => { let mut c = vec![0; 400]; cumulative_weights(&words(400, 50), &mut c); c }

    fn dot_and_norms(a: &[f64], b: &[f64]) -> (f64, f64) {
        let mut acc = (0.0, 0.0);
        for i in 0..a.len() {
            acc.0 += a[i] * b[i];
            acc.1 += a[i] * a[i];
        }
        acc
    } => { dot_and_norms(&doubles(300), &doubles(301)[1..]) }

    fn red_black(u: &mut [f64], n: usize, color: usize) {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                if (i + j) % 2 == color {
                    u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
                }
            }
        }
    } => { let mut u = doubles(400); red_black(&mut u, 20, 1); u }

    fn red_black_by_steps(u: &mut [f64], f: &[f64], w: usize, h: usize, colour: usize) {
        for y in 1..h - 1 {
            let first = 1 + (y + colour) % 2;
            for x in (first..w - 1).step_by(2) {
                let at = y * w + x;
                u[at] = 0.25 * (u[at - w] + u[at + w] + u[at - 1] + u[at + 1] - f[at]);
            }
        }
    } => { let mut u = doubles(600); red_black_by_steps(&mut u, &doubles(601), 30, 20, 0); u }

    fn red_black_with_omega(p: &mut [f32], w: i32, h: i32, parity: i32, omega: f32) -> f32 {
        let mut change = 0.0f32;
        for j in 1..h - 1 {
            for i in 1..w - 1 {
                if (i + j) & 1 != parity {
                    continue;
                }
                let k = (j * w + i) as usize;
                let (up, down) = (p[k - w as usize], p[k + w as usize]);
                let new = p[k] + omega * (0.25 * (up + down + p[k - 1] + p[k + 1]) - p[k]);
                change = change.max((new - p[k]).abs());
                p[k] = new;
            }
        }
        change
    } => { let mut p = quarters(600); let c = red_black_with_omega(&mut p, 30, 20, 1, 1.5); (p, c) }

    fn red_black_cube(u: &mut [f64], n: usize, colour: usize) {
        for z in 1..n - 1 {
            for y in 1..n - 1 {
                for x in 1..n - 1 {
                    if (x + y + z) % 2 == colour {
                        let at = (z * n + y) * n + x;
                        let beside = u[at - 1] + u[at + 1] + u[at - n] + u[at + n];
                        u[at] = (beside + u[at - n * n] + u[at + n * n]) / 6.0;
                    }
                }
            }
        }
    } => { let mut u = doubles(1000); red_black_cube(&mut u, 10, 1); u }

    fn odd_even_step(a: &mut [i32], phase: usize) {
        for i in 0..a.len() - 1 {
            if i % 2 == phase && a[i] > a[i + 1] {
                a.swap(i, i + 1);
            }
        }
    } => { let mut a = ints(300); odd_even_step(&mut a, 1); a }

    fn all_but_the_odd(u: &mut [f64]) {
        for i in 1..u.len() - 1 {
            if i % 2 != 1 {
                u[i] = 0.5 * (u[i - 1] + u[i + 1]);
            }
        }
    } => { let mut u = doubles(100); all_but_the_odd(&mut u); u }

    fn weighted_rows(m: &mut [f64], w: &[f64], rows: usize, cols: usize) {
        for r in 0..rows {
            let row = &mut m[r * cols..(r + 1) * cols];
            let mut norm = 0.0;
            for v in row.iter() {
                norm += v * v;
            }
            let norm = norm.sqrt();
            for (v, w) in row.iter_mut().zip(w) {
                *v = *v * w / (norm + 1.0);
            }
        }
    } => { let mut m = doubles(300); weighted_rows(&mut m, &doubles(20), 15, 20); m }

    fn factors_of_rows(a: &mut [Vec<f64>]) -> Result<Vec<usize>, usize> {
        let n = a.len();
        let mut perm: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let mut p = k;
            for i in k + 1..n {
                if a[i][k].abs() > a[p][k].abs() {
                    p = i;
                }
            }
            if a[p][k] == 0.0 {
                return Err(k);
            }
            if p != k {
                a.swap(p, k);
                perm.swap(p, k);
            }
            let (head, tail) = a.split_at_mut(k + 1);
            let pivot = &head[k];
            for row in tail.iter_mut() {
                let f = row[k] / pivot[k];
                row[k] = f;
                for j in k + 1..n {
                    row[j] -= f * pivot[j];
                }
            }
        }
        Ok(perm)
    } => {
        let rows = |n: usize| (0..n).map(|i| (0..n).map(|j| ((i * 31 + j * 17) % 23) as f64 - 11.0).collect()).collect::<Vec<Vec<f64>>>();
        let (mut a, mut singular) = (rows(60), rows(20));
        singular.iter_mut().for_each(|row| row[7] = 0.0);
        let mut nan = rows(20);
        nan[3][2] = f64::NAN;
        (factors_of_rows(&mut a), a, factors_of_rows(&mut singular), factors_of_rows(&mut nan))
    }

    fn steps_on_parts(a: &mut Vec<i64>, steps: usize) {
        for k in 1..steps {
            let (done, rest) = a.split_at_mut(k);
            for v in rest.iter_mut() {
                *v += done[k - 1];
            }
        }
    } => { let mut a: Vec<i64> = (0..400).collect(); steps_on_parts(&mut a, 50); a }

    fn least_of_rows(rows: &[Vec<i32>], c: usize) -> usize {
        let mut at = 0;
        for i in 0..rows.len() {
            if rows[i][c].wrapping_abs() <= rows[at][c].wrapping_abs() {
                at = i;
            }
        }
        at
    } => {
        let rows: Vec<Vec<i32>> = (0..900).map(|i| vec![i, (i * 7919) % 101 - 50, i32::MIN]).collect();
        (least_of_rows(&rows, 0), least_of_rows(&rows, 1), least_of_rows(&rows, 2))
    }
}
