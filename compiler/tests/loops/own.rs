// Loops whose iterations write elements of their own.

#[offload]
fn padded(src: &[f32], dst: &mut [f32], w: usize, h: usize, stride: usize) {
    for y in 0..h {
        for x in 0..w {
            dst[y * stride + x] = src[y * w + x] * 0.5;
        }
    }
}

#[offload]
fn labelled(x: &[u32], labels: &mut [u8], hist: &mut [u32; 16]) -> u32 {
    let mut top = 0;
    for (i, &v) in x.iter().enumerate() {
        let b = v % 16;
        labels[i] = b as u8;
        hist[b as usize] += 1;
        top = top.max(v);
    }
    top
}

#[offload]
fn rows(m: &mut [u32], w: usize) {
    for (y, row) in m.chunks_exact_mut(w).enumerate() {
        for (x, v) in row.iter_mut().enumerate() {
            *v += (x * y) as u32;
        }
    }
}

#[offload]
fn reversed(v: &mut [u32]) {
    let n = v.len();
    for i in 0..n / 2 {
        v.swap(i, n - 1 - i);
    }
}

#[offload]
fn signed(n: i32, k: i32, src: &[f32], dst: &mut [f32], back: &mut [f32]) {
    for i in 0..n {
        for j in -k..k {
            dst[(i * (2 * k) + j + k) as usize] = src[i as usize] * j as f32;
        }
    }
    for i in (0..n).rev() {
        back[(n - 1 - i) as usize] = src[i as usize];
    }
}

/// A product of two types.
#[offload]
fn mixed_product(n: usize, m: usize, l: usize, a: &[f32], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..m {
            let mut sum = 0.0;
            for k in 0..l {
                sum += a[i * l + k] as f64 * b[k * m + j];
            }
            c[i * m + j] = sum;
        }
    }
}

/// An element that is written first and may be left so.
#[offload]
fn written_twice(x: &[u32], out: &mut [u8]) {
    for i in 0..x.len() {
        out[i] = 3;
        if x[i] > 3 {
            let t = x[i] + 1;
            if t > 9 {
                continue;
            }
        }
        out[i] = x[i] as u8;
    }
}

/// A value of either branch of a condition with two parts.
#[offload]
fn either(a: &mut [u32], n: usize, w: usize, k: usize) {
    for i in 0..n {
        for j in 0..2 * w {
            a[i * w + if j >= w || j >= k { j } else { 0 }] += 1;
        }
    }
}

/// Operands that belong to both sides of a block.
#[offload]
fn of_both_sides(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..m {
            let mut sum = 0.0;
            for k in 0..l {
                sum += a[i * l + k] * b[j * l + k + i];
            }
            c[i * m + j] = sum;
        }
    }
}

#[offload]
fn in_fields(&mut self, x: &[f32], n: usize) {
    #[sequential]
    for t in 0..n {
        for i in 0..self.b.len() {
            self.b[i] = self.a[i] * 2.0;
        }
        for i in 0..self.a.len() {
            self.a[i] = self.b[i] + x[i];
        }
    }
}

/// By steps from anywhere.
#[offload]
fn multiples(out: &mut [u32], n: usize, s: usize) {
    for m in (s * s..n).step_by(s) {
        out[m] = 0;
    }
}

#[offload]
fn odd_ones_to_the_last(out: &mut [u32], n: usize) {
    for m in (1..=n).step_by(2) {
        out[m] = out[m - 1];
    }
}

#[offload]
fn backwards_by_steps(out: &mut [u32], s: usize) {
    for m in (s..out.len()).step_by(2).rev() {
        out[m] = out[m - 1];
    }
}

#[offload]
fn steps_that_meet(out: &mut [u32], n: usize) {
    for m in (1..n).step_by(2) {
        out[m] = out[m - 2 + 4];
    }
}

/// Numbers of an integer type that is not seen.
#[offload]
fn of_a_type_unseen(v: &Sizes, out: &mut [u16]) {
    for y in 0..v.h {
        for x in 0..v.w {
            out[(y * v.w + x) as usize] = 1;
        }
    }
}
