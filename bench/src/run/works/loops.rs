//! The loops that are measured beside what other tools make of them, as a user writes them: each as it is, in `plain`, and under the attribute.

use accrue::offload;

/// A function twice.
macro_rules! twice {
    ($($(#[$doc:meta])* $(distinct($of:ident))? fn $name:ident($($params:tt)*) $(-> $result:ty)? $body:block)*) => {
        /// The loops as they are, as functions: the compiler knows no more of their arguments than of the offloaded ones'.
        #[allow(clippy::manual_memcpy, clippy::needless_range_loop, reason = "as users write them")]
        #[allow(clippy::manual_memcpy, clippy::needless_range_loop, reason = "as users write them")]
        pub(crate) mod plain {
            $($(#[$doc])* #[inline(never)] pub(crate) fn $name($($params)*) $(-> $result)? $body)*
        }
        $($(#[$doc])* #[offload$((distinct($of)))?] pub(crate) fn $name($($params)*) $(-> $result)? $body)*
    };
}

twice! {
    /// A copy.
    fn copy(x: &[f32], out: &mut [f32]) {
        for i in 0..out.len() {
            out[i] = x[i];
        }
    }

    /// Two arrays, one of them scaled.
    fn triad(s: f32, a: &[f32], b: &[f32], out: &mut [f32]) {
        for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
            *out = *a + s * *b;
        }
    }

    /// Bytes as floats.
    fn widen(x: &[u8], out: &mut [f32]) {
        for (out, x) in out.iter_mut().zip(x) {
            *out = f32::from(*x);
        }
    }

    /// The brightness of pixels.
    fn grey(rgb: &[[u8; 3]], out: &mut [u8]) {
        for (out, p) in out.iter_mut().zip(rgb) {
            *out = ((77 * p[0] as u32 + 150 * p[1] as u32 + 29 * p[2] as u32) >> 8) as u8;
        }
    }

    /// Bytes by a table, in place.
    fn look_up(table: &[u8; 256], out: &mut [u8]) {
        for b in out.iter_mut() {
            *b = table[*b as usize];
        }
    }

    /// Elements by their indices.
    fn gather(indices: &[u32], x: &[f32], out: &mut [f32]) {
        for i in 0..out.len() {
            out[i] = x[indices[i] as usize];
        }
    }

    /// Elements to their indices.
    distinct(out) fn scatter(indices: &[u32], x: &[f32], out: &mut [f32]) {
        for i in 0..indices.len() {
            out[indices[i] as usize] = x[i];
        }
    }

    /// Rows as columns.
    fn transpose(w: usize, h: usize, x: &[f32], out: &mut [f32]) {
        for y in 0..h {
            for i in 0..w {
                out[i * h + y] = x[y * w + i];
            }
        }
    }

    /// A stencil of five points.
    fn five_points(w: usize, h: usize, x: &[f32], out: &mut [f32]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let at = y * w + i;
                out[at] = 0.2 * (x[at] + x[at - 1] + x[at + 1] + x[at - w] + x[at + w]);
            }
        }
    }

    /// The mean of nine pixels.
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

    /// A stencil of seven points in space.
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

    /// A convolution with 7 x 7 weights.
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

    /// A product of matrices, by sums of its own.
    fn product(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..n {
                    sum += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = sum;
            }
        }
    }

    /// The same straight into the result.
    fn product_in_place(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
                }
            }
        }
    }

    /// A matrix times a vector.
    fn by_rows(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        for i in 0..n {
            let mut sum = 0.0f32;
            for j in 0..n {
                sum += a[i * n + j] * x[j];
            }
            y[i] = sum;
        }
    }

    /// The same for a matrix of columns.
    fn by_columns(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        for i in 0..n {
            let mut sum = 0.0f32;
            for j in 0..n {
                sum += a[j * n + i] * x[j];
            }
            y[i] = sum;
        }
    }

    /// Steps until a point leaves.
    fn mandelbrot(w: usize, h: usize, out: &mut [u32]) {
        for y in 0..h {
            for x in 0..w {
                let cr = x as f32 / w as f32 * 3.0 - 2.0;
                let ci = y as f32 / h as f32 * 2.0 - 1.0;
                let (mut zr, mut zi, mut n) = (0.0f32, 0.0f32, 0u32);
                while n < 256 && zr * zr + zi * zi <= 4.0 {
                    let t = zr * zr - zi * zi + cr;
                    zi = 2.0 * zr * zi + ci;
                    zr = t;
                    n += 1;
                }
                out[y * w + x] = n;
            }
        }
    }

    /// Forces between bodies.
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

    /// A convolution with 15 x 15 weights.
    fn convolve_wide(w: usize, h: usize, k: &[f32; 225], x: &[f32], out: &mut [f32]) {
        for y in 7..h - 7 {
            for i in 7..w - 7 {
                let mut sum = 0.0f32;
                for dy in 0..15 {
                    for dx in 0..15 {
                        sum += k[dy * 15 + dx] * x[(y + dy - 7) * w + i + dx - 7];
                    }
                }
                out[y * w + i] = sum;
            }
        }
    }

    /// A product of matrices in the order of their rows.
    fn product_by_rows(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        for i in 0..n {
            for k in 0..n {
                for j in 0..n {
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
                }
            }
        }
    }

    /// Prices of European calls by the formula of Black and Scholes, at 2 % interest and 30 % volatility.
    fn options(stock: &[f32], strike: &[f32], years: &[f32], call: &mut [f32]) {
        for i in 0..call.len() {
            let root = years[i].sqrt();
            let d1 = ((stock[i] / strike[i]).ln() + (0.02 + 0.5 * 0.3 * 0.3) * years[i]) / (0.3 * root);
            let d2 = d1 - 0.3 * root;
            let mut below = [0.0f32; 2];
            for (p, d) in below.iter_mut().zip([d1, d2]) {
                let t = 1.0 / (1.0 + 0.2316419 * d.abs());
                let tail = 0.398_942_3
                    * (-0.5 * d * d).exp()
                    * t
                    * (0.319_381_53
                        + t * (-0.356_563_78 + t * (1.781_477_9 + t * (-1.821_255_9 + t * 1.330_274_5))));
                *p = if d > 0.0 { 1.0 - tail } else { tail };
            }
            call[i] = stock[i] * below[0] - strike[i] * (-0.02 * years[i]).exp() * below[1];
        }
    }

    /// A sum.
    fn sum_f32(x: &[f32]) -> f32 {
        let mut sum = 0.0;
        for v in x {
            sum += v;
        }
        sum
    }

    /// A sum.
    fn sum_f64(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            sum += v;
        }
        sum
    }

    /// A sum that wraps.
    fn sum_u32(x: &[u32]) -> u32 {
        let mut sum = 0u32;
        for &v in x {
            sum = sum.wrapping_add(v);
        }
        sum
    }

    /// A sum of bytes.
    fn sum_u8(x: &[u8]) -> u64 {
        let mut sum = 0u64;
        for &v in x {
            sum += v as u64;
        }
        sum
    }

    /// A sum of products.
    fn dot(x: &[f32], y: &[f32]) -> f32 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }

    /// The least.
    fn least(x: &[f32]) -> f32 {
        let mut least = f32::INFINITY;
        for &v in x {
            least = least.min(v);
        }
        least
    }

    /// Where the least is first.
    fn first_least_f32(x: &[f32]) -> usize {
        let (mut best, mut at) = (f32::INFINITY, 0);
        for i in 0..x.len() {
            if x[i] < best {
                best = x[i];
                at = i;
            }
        }
        at
    }

    /// Where the least is first.
    fn first_least_u8(x: &[u8]) -> usize {
        let (mut best, mut at) = (u8::MAX, 0);
        for i in 0..x.len() {
            if x[i] < best {
                best = x[i];
                at = i;
            }
        }
        at
    }

    /// A prefix sum.
    fn scan_u32(x: &[u32], out: &mut [u32]) {
        let mut sum = 0u32;
        for i in 0..x.len() {
            sum = sum.wrapping_add(x[i]);
            out[i] = sum;
        }
    }

    /// A prefix sum.
    fn scan_u64(x: &[u64], out: &mut [u64]) {
        let mut sum = 0u64;
        for i in 0..x.len() {
            sum = sum.wrapping_add(x[i]);
            out[i] = sum;
        }
    }

    /// A prefix sum.
    fn scan_f32(x: &[f32], out: &mut [f32]) {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
            out[i] = sum;
        }
    }

    /// What is below a bound, in its order; how many there are.
    fn keep(bound: u32, x: &[u32], out: &mut [u32]) -> usize {
        let mut n = 0;
        for &v in x {
            if v < bound {
                out[n] = v;
                n += 1;
            }
        }
        n
    }

    /// Pairs of voxels by their brightness, in 32 x 32 bins.
    fn bundles(a: &[u8], b: &[u8], bins: &mut [[u32; 32]; 32]) {
        for (&x, &y) in a.iter().zip(b) {
            bins[(x >> 3) as usize][(y >> 3) as usize] += 1;
        }
    }
}

/// The shortest paths between all pairs.
#[offload]
pub(crate) fn paths(n: usize, d: &mut [f32], row: &mut [f32], column: &mut [f32]) {
    #[sequential]
    for k in 0..n {
        for j in 0..n {
            row[j] = d[k * n + j];
        }
        for i in 0..n {
            column[i] = d[i * n + k];
        }
        for i in 0..n {
            for j in 0..n {
                let via = column[i] + row[j];
                if via < d[i * n + j] {
                    d[i * n + j] = via;
                }
            }
        }
    }
}

/// Two steps of heat on a plate for each of `pairs`.
#[offload]
pub(crate) fn heat(w: usize, h: usize, a: &mut [f32], b: &mut [f32], pairs: usize) {
    #[sequential]
    for _ in 0..pairs {
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let at = y * w + x;
                b[at] = a[at] + 0.2 * (a[at - 1] + a[at + 1] + a[at - w] + a[at + w] - 4.0 * a[at]);
            }
        }
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let at = y * w + x;
                a[at] = b[at] + 0.2 * (b[at - 1] + b[at + 1] + b[at - w] + b[at + w] - 4.0 * b[at]);
            }
        }
    }
}
