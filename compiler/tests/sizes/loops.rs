//! Loops without bins, the largest that their strategies print: `sizes.rs` packs their kernels. Nobody compiles them.

fn saxpy(s: f32, x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}

fn product(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..m {
            let mut sum = 0.0f32;
            for k in 0..l {
                sum += a[i * l + k] * b[k * m + j];
            }
            c[i * m + j] = sum;
        }
    }
}

fn product_in_place(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

fn dgemm_transposed(n: usize, m: usize, l: usize, alpha: f64, beta: f64, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..m {
            let mut sum = 0.0;
            for k in 0..l {
                sum += a[k * n + i] * b[j * l + k];
            }
            c[i * m + j] = alpha * sum + beta * c[i * m + j];
        }
    }
}

fn bytes_into_words(m: usize, l: usize, a: &[u8], b: &[i8], c: &mut [i32]) {
    for (i, row) in c.chunks_exact_mut(m).enumerate() {
        for (j, c) in row.iter_mut().enumerate() {
            let mut sum = 0i32;
            for k in 0..l {
                sum += a[i * l + k] as i32 * b[k * m + j] as i32;
            }
            *c = sum;
        }
    }
}

fn complex(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], p: &[f32], q: &[f32], c: &mut [f32], e: &mut [f32]) {
    for i in 0..n {
        for j in 0..m {
            let (mut re, mut im) = (0.0f32, 0.0f32);
            for k in 0..l {
                let (x, y) = (a[i * l + k], b[i * l + k]);
                let (u, v) = (p[k * m + j], q[k * m + j]);
                re += x * u - y * v;
                im += x * v + y * u;
            }
            c[i * m + j] = re;
            e[i * m + j] = im;
        }
    }
}

fn distances(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..m {
            let mut sum = 0.0f32;
            for k in 0..l {
                let d = a[i * l + k] - b[j * l + k];
                sum += d * d;
            }
            c[i * m + j] = sum.sqrt();
        }
    }
}

fn weighted(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], w: &[f32], d: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..m {
            let mut sum = w[0] * d[j];
            for k in 0..l {
                sum += (a[i * l + k] - d[j]) * w[k] * (b[k * m + j] + k as f32);
            }
            c[i * m + j] = sum;
        }
    }
}

fn by_rows(n: usize, l: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    for i in 0..n {
        let mut sum = 0.0f32;
        for k in 0..l {
            sum += a[i * l + k] * x[k];
        }
        y[i] = sum;
    }
}

fn by_columns(n: usize, l: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        let mut sum = 0.0f64;
        for k in 0..l {
            sum += a[k * n + i] * x[k];
        }
        y[i] = sum;
    }
}

fn bodies(at: &[[f32; 4]], force: &mut [[f32; 3]]) {
    for i in 0..force.len() {
        let (mut fx, mut fy, mut fz) = (0.0f32, 0.0f32, 0.0f32);
        for j in 0..at.len() {
            let dx = at[j][0] - at[i][0];
            let dy = at[j][1] - at[i][1];
            let dz = at[j][2] - at[i][2];
            let d = dx * dx + dy * dy + dz * dz + 0.01;
            let s = at[j][3] / (d * d.sqrt());
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        force[i] = [fx, fy, fz];
    }
}

fn seven_points(n: usize, x: &[f32], out: &mut [f32]) {
    for z in 1..n - 1 {
        for y in 1..n - 1 {
            for i in 1..n - 1 {
                let at = (z * n + y) * n + i;
                let across = x[at - 1] + x[at + 1] + x[at - n] + x[at + n];
                out[at] = 0.4 * x[at] + 0.1 * (across + x[at - n * n] + x[at + n * n]);
            }
        }
    }
}

fn convolve(w: usize, h: usize, k: &[f32; 49], x: &[f32], out: &mut [f32]) {
    for y in 3..h - 3 {
        for i in 3..w - 3 {
            let mut sum = 0.0f32;
            for dy in 0..7 {
                for dx in 0..7 {
                    sum += k[dy * 7 + dx] * x[(y + dy - 3) * w + i + dx - 3];
                }
            }
            out[y * w + i] = sum;
        }
    }
}

fn nine_bytes(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
    for y in 1..h - 1 {
        for i in 1..w - 1 {
            let mut sum = 0u32;
            for dy in 0..3 {
                for dx in 0..3 {
                    sum += x[(y + dy - 1) * w + i + dx - 1] as u32;
                }
            }
            out[y * w + i] = (sum / 9) as u8;
        }
    }
}

fn transpose(w: usize, h: usize, x: &[f32], out: &mut [f32]) {
    for y in 0..h {
        for i in 0..w {
            out[i * h + y] = x[y * w + i];
        }
    }
}

fn running_sums(x: &[u32], out: &mut [u32]) {
    let mut sum = 0u32;
    for i in 0..x.len() {
        sum = sum.wrapping_add(x[i]);
        out[i] = sum;
    }
}

fn kept(x: &[f32], out: &mut [f32]) -> usize {
    let mut n = 0;
    for &x in x {
        if x > 0.5 {
            out[n] = x;
            n += 1;
        }
    }
    n
}
