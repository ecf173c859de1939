//! Matrices that are written on both sides of the diagonal at once, as arrays of rows and flat: distances, covariances, adjacencies. And cells of one
//! colour, in arrays of rows and on a torus, whose sizes are even or not.

use super::*;

loops! {
    fn hamming(seqs: &[&[u8]]) -> Vec<Vec<u32>> {
        let n = seqs.len();
        let mut d = vec![vec![0u32; n]; n];
        for i in 0..n {
            for j in i + 1..n {
                let diff = seqs[i].iter().zip(seqs[j]).filter(|(a, b)| a != b).count() as u32;
                d[i][j] = diff;
                d[j][i] = diff;
            }
        }
        d
    } => {
        let all: Vec<u8> = words(60 * 20, 4).iter().map(|w| *w as u8).collect();
        hamming(&all.chunks(20).collect::<Vec<_>>())
    }

    fn covariance(columns: &[Vec<f64>], means: &[f64], cov: &mut [Vec<f64>]) {
        let p = columns.len();
        for a in 0..p {
            for b in 0..=a {
                let mut sum = 0.0;
                for k in 0..columns[a].len() {
                    sum += (columns[a][k] - means[a]) * (columns[b][k] - means[b]);
                }
                let c = sum / (columns[a].len() - 1) as f64;
                cov[a][b] = c;
                cov[b][a] = c;
            }
        }
    } => {
        let columns: Vec<Vec<f64>> = words(40 * 30, 90).chunks(30).map(|c| c.iter().map(|w| f64::from(*w)).collect()).collect();
        let mut cov = vec![vec![0.0; 40]; 40];
        covariance(&columns, &[45.0; 40], &mut cov);
        cov
    }

    fn distances_of_points(p: &[[f32; 3]], d: &mut [[f32; 32]; 32]) {
        for i in 0..32 {
            d[i][i] = 0.0;
            for j in (i + 1)..32 {
                let dx = p[i][0] - p[j][0];
                let dy = p[i][1] - p[j][1];
                let r = (dx * dx + dy * dy).sqrt();
                d[i][j] = r;
                d[j][i] = r;
            }
        }
    } => {
        let p: Vec<[f32; 3]> = words(96, 90).chunks(3).map(|w| [w[0] as f32, w[1] as f32, 0.0]).collect();
        let mut d = [[1.0; 32]; 32];
        distances_of_points(&p, &mut d);
        d
    }

    fn correlation_flat(x: &[f32], n: usize, m: usize, out: &mut [f32]) {
        for i in 0..n {
            out[i * n + i] = 1.0;
            for j in i + 1..n {
                let mut dot = 0.0;
                for k in 0..m {
                    dot += x[i * m + k] * x[j * m + k];
                }
                out[i * n + j] = dot;
                out[j * n + i] = dot;
            }
        }
    } => {
        let x: Vec<f32> = words(50 * 8, 9).iter().map(|w| *w as f32).collect();
        let mut out = vec![0.0; 2500];
        correlation_flat(&x, 50, 8, &mut out);
        out
    }

    fn adjacency(n: usize, xs: &[u32], reach: u32, adj: &mut Vec<Vec<bool>>) {
        for i in 0..n {
            for j in 0..i {
                if xs[i].abs_diff(xs[j]) <= reach {
                    adj[i][j] = true;
                    adj[j][i] = true;
                }
            }
        }
    } => { let mut adj = vec![vec![false; 70]; 70]; adjacency(70, &words(70, 300), 12, &mut adj); adj }

    fn forces(mass: &[f64], x: &[f64], f: &mut Vec<Vec<f64>>) {
        for i in 0..mass.len() {
            for j in 0..mass.len() {
                if j <= i {
                    continue;
                }
                let r = x[j] - x[i];
                let g = mass[i] * mass[j] / (r * r + 1.0);
                f[i][j] += g;
                f[j][i] -= g;
            }
        }
    } => {
        let x: Vec<f64> = words(60, 500).iter().map(|w| f64::from(*w)).collect();
        let mut f = vec![vec![0.5; 60]; 60];
        forces(&vec![2.0; 60], &x, &mut f);
        f
    }

    fn mirrored_below(a: &mut [Vec<u32>]) {
        for i in 0..a.len() {
            for j in 0..i {
                a[i][j] = a[j][i];
            }
        }
    } => { let mut a: Vec<Vec<u32>> = words(2500, 99).chunks(50).map(<[u32]>::to_vec).collect(); mirrored_below(&mut a); a }

    fn transposed_in_place(a: &mut [Vec<u32>]) {
        let n = a.len();
        for i in 0..n {
            for j in i + 1..n {
                let t = a[i][j];
                a[i][j] = a[j][i];
                a[j][i] = t;
            }
        }
    } => { let mut a: Vec<Vec<u32>> = words(2500, 99).chunks(50).map(<[u32]>::to_vec).collect(); transposed_in_place(&mut a); a }

    fn columns_of_rows(a: &mut [Vec<u32>], by: &[u32]) {
        for x in 0..by.len() {
            for y in 1..a.len() {
                a[y][x] = a[y - 1][x].wrapping_mul(3) ^ by[x];
            }
        }
    } => {
        let mut a: Vec<Vec<u32>> = words(2500, 99).chunks(50).map(<[u32]>::to_vec).collect();
        columns_of_rows(&mut a, &words(50, 7));
        a
    }

    fn red_and_black_rows(u: &mut [Vec<f32>], f: &[Vec<f32>], colour: usize) {
        let (h, w) = (u.len(), f[0].len());
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                if (x + y) % 2 == colour {
                    u[y][x] = 0.25 * (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x] - f[y][x]);
                }
            }
        }
    } => {
        let f: Vec<Vec<f32>> = words(2500, 99).chunks(50).map(|row| row.iter().map(|w| *w as f32).collect()).collect();
        let mut u = f.clone();
        red_and_black_rows(&mut u, &f, 0);
        red_and_black_rows(&mut u, &f, 1);
        u
    }

    fn lattice_of_one_colour(s: &mut [[i8; 40]; 30], field: &[i8; 40], colour: usize) {
        for y in 1..29 {
            for x in (1 + (y + colour) % 2..39).step_by(2) {
                let sum = s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x];
                if sum * s[y][x] <= field[x] {
                    s[y][x] = -s[y][x];
                }
            }
        }
    } => {
        let mut s = [[1; 40]; 30];
        s.iter_mut().flatten().zip(words(1200, 2)).for_each(|(s, w)| if w == 0 { *s = -1 });
        lattice_of_one_colour(&mut s, &[1; 40], 0);
        lattice_of_one_colour(&mut s, &[1; 40], 1);
        s
    }

    fn ising_sweep(spins: &mut [i8], w: usize, accept: &[u8], colour: usize) -> u32 {
        if w == 0 {
            return 0;
        }
        let h = spins.len() / w;
        let mut flips = 0;
        for y in 0..h {
            for x in (0..w).filter(|x| (x + y) % 2 == colour) {
                let s = spins[y * w + x];
                let sum = spins[y * w + (x + 1) % w]
                    + spins[y * w + (x + w - 1) % w]
                    + spins[(y + 1) % h * w + x]
                    + spins[(y + h - 1) % h * w + x];
                let de = 2 * s * sum;
                if de <= 0 || accept[y * w + x] < (96 >> (de / 2)) {
                    spins[y * w + x] = -s;
                    flips += 1;
                }
            }
        }
        flips
    } => {
        // Even, odd, and both: where a size is odd cells of one colour are neighbours over the edge.
        [(40, 30), (41, 30), (40, 31), (41, 31), (2, 2), (1, 7), (7, 1)].map(|(w, h)| {
            let mut spins: Vec<i8> = words(w * h, 2).iter().map(|s| 1 - 2 * *s as i8).collect();
            let accept: Vec<u8> = words(w * h, 256).iter().map(|a| *a as u8).collect();
            let flips: Vec<u32> = [0, 1, 0].iter().map(|c| ising_sweep(&mut spins, w, &accept, *c)).collect();
            (flips, spins)
        })
    }

    fn torus_of_rows(u: &mut [Vec<f32>], w: usize, colour: usize) {
        let h = u.len();
        for y in 0..h {
            let (up, down) = ((y + h - 1) % h, (y + 1) % h);
            for x in 0..w {
                if (x + y) & 1 != colour {
                    continue;
                }
                let (left, right) = ((x + w - 1) % w, (x + 1) % w);
                u[y][x] = 0.25 * (u[up][x] + u[down][x] + u[y][left] + u[y][right]);
            }
        }
    } => {
        [(30, 20), (31, 20), (30, 21)].map(|(w, h)| {
            let mut u: Vec<Vec<f32>> = words(w * h, 99).chunks(w).map(|row| row.iter().map(|v| *v as f32).collect()).collect();
            torus_of_rows(&mut u, w, 0);
            torus_of_rows(&mut u, w, 1);
            u
        })
    }

    fn ring(s: &mut [u32], colour: usize) {
        let n = s.len();
        for i in (colour..n).step_by(2) {
            s[i] = s[(i + 1) % n].wrapping_mul(3) ^ s[(i + n - 1) % n];
        }
    } => {
        [0, 1, 2, 3, 999, 1000].map(|n| {
            let mut s = words(n, 1000);
            ring(&mut s, 0);
            ring(&mut s, 1);
            s
        })
    }

    fn torus_of_a_fixed_size(s: &mut [i32; 64 * 64], colour: usize) {
        for y in 0..64 {
            for x in 0..64 {
                if (x + y) % 2 == colour {
                    s[y * 64 + x] += s[y * 64 + (x + 1) % 64] - s[y * 64 + (x + 63) % 64] + s[(y + 1) % 64 * 64 + x] - s[(y + 63) % 64 * 64 + x];
                }
            }
        }
    } => {
        let mut s = [0; 4096];
        s.iter_mut().zip(words(4096, 50)).for_each(|(s, w)| *s = w as i32);
        torus_of_a_fixed_size(&mut s, 0);
        torus_of_a_fixed_size(&mut s, 1);
        s
    }
}
