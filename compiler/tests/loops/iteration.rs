//! Every form of iteration.

#[offload(histogram)]
fn range(keys: &[u32], h: &mut [u32]) {
    for i in 0..keys.len() {
        h[keys[i] as usize] += 1;
    }
}

#[offload(histogram)]
fn inclusive(keys: &[u32], last: usize, h: &mut [u32]) {
    for i in 0..=last {
        h[keys[i] as usize] += 1;
    }
}

#[offload(histogram)]
fn stepped(keys: &[u32], h: &mut [u32]) {
    for i in (1..keys.len()).step_by(3).rev() {
        h[keys[i] as usize] += 1;
    }
}

#[offload(histogram)]
fn signed(from: i32, to: i32, h: &mut [u64]) {
    for x in from..to {
        h[x.rem_euclid(10) as usize] += 1;
    }
}

#[offload(histogram)]
fn by_value(keys: &[u8], h: &mut [u32; 256]) {
    for &k in keys {
        h[k as usize] += 1;
    }
}

#[offload(histogram)]
fn copied(keys: &Vec<u16>, h: &mut Vec<u32>) {
    for k in keys.iter().copied() {
        h[usize::from(k)] += 1;
    }
}

#[offload(histogram)]
fn enumerated(keys: &[u16; 1000], weights: &[f32], h: &mut [f32]) {
    for (i, k) in keys.iter().enumerate() {
        h[*k as usize] += weights[i];
    }
}

#[offload(histogram)]
fn zipped(xs: &[f64], ws: &[f64], h: &mut [f64]) {
    for (x, w) in xs.iter().zip(ws) {
        h[(x * 10.0) as usize] += *w;
    }
}

#[offload(histogram)]
fn zipped_thrice(xs: &[u8], ys: &[u8], zs: &[u8], h: &mut [u32]) {
    for ((&x, &y), &z) in xs.iter().zip(ys.iter()).zip(zs) {
        h[x as usize ^ y as usize ^ z as usize] += 1;
    }
}

#[offload(histogram)]
fn chunks(data: &[u8], h: &mut [u32; 256]) {
    for rgba in data.chunks_exact(4) {
        h[rgba[0] as usize] += 1;
    }
}

#[offload(histogram)]
fn ragged(data: &[u8], h: &mut [u32; 1024]) {
    for chunk in data.chunks(4) {
        let mut sum = 0;
        for &b in chunk {
            sum += b as usize;
        }
        h[sum] += 1;
    }
}

#[offload(histogram)]
fn pairs(data: &[u8], h: &mut [[u32; 256]; 256]) {
    for w in data.windows(2) {
        h[w[0] as usize][w[1] as usize] += 1;
    }
}

#[offload(histogram)]
fn part(data: &[u8], n: usize, h: &mut [u32]) {
    for &b in data[1..].iter().skip(2).take(n) {
        h[b as usize] += 1;
    }
}

#[offload(histogram)]
fn text(text: &str, h: &mut [u32; 256]) {
    for b in text.bytes() {
        h[b as usize] += 1;
    }
    for b in text.as_bytes() {
        h[*b as usize] += 1;
    }
}

#[offload(histogram)]
fn nested(image: &[u8], width: usize, height: usize, h: &mut [u32; 256]) {
    for y in 0..height {
        for x in 0..width {
            h[image[y * width + x] as usize] += 1;
        }
    }
}

#[offload(histogram)]
fn rows(image: &[[u8; 64]], h: &mut [u32; 256]) {
    for row in image {
        for &v in row {
            h[v as usize] += 1;
        }
    }
}

#[offload(histogram)]
fn triangle(n: usize, h: &mut [u64]) {
    for i in 0..n {
        for j in 0..i {
            h[i ^ j] += 1;
        }
    }
}

#[offload(histogram)]
fn injective(a: &[f32], b: &[f32], h: &mut [f32]) {
    for i in 0..a.len() {
        h[i] += a[i] * b[i];
    }
}

#[offload(histogram)]
fn row_sums(image: &[f32], width: usize, height: usize, sums: &mut [f32]) {
    for y in 0..height {
        for x in 0..width {
            sums[y] += image[y * width + x];
        }
    }
}

#[offload(histogram)]
fn unknown_type(h: &mut [u32]) {
    let data = load();
    for x in &data {
        h[*x as usize] += 1;
    }
}

#[offload(histogram)]
fn tuples(pairs: &[(u32, u8)], nested: &[[(u8, u8); 2]], h: &mut [u32; 10], g: &mut [u32; 256]) {
    for &(x, y) in pairs {
        h[x as usize % 10] += u32::from(y);
    }
    for [first, _] in nested {
        g[first.0 as usize] += 1;
    }
}

#[offload]
fn ends_that_are_calls(x: &[u32], out: &mut [u32], q: &[usize]) {
    for (v, o) in x[q[0]..q[1]].iter().zip(out.iter_mut()).take(next()) {
        *o = *v;
    }
}

// Rows of an array of arrays: a gang of a GPU takes each one together.
#[offload(histogram)]
fn batches(images: &[[u8; 784]], h: &mut [[u32; 256]]) {
    for (n, image) in images.iter().enumerate() {
        for &pixel in image {
            h[n][pixel as usize] += 1;
        }
    }
}
