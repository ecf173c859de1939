//! Updates in the words of other forms: a maximum by `if`, a flag that is set.

#[offload(histogram)]
fn greatest(data: &[u32], best: &mut [u32; 16], least: &mut [[i64; 3]; 4]) {
    for (i, &v) in data.iter().enumerate() {
        if v > best[i % 16] {
            best[i % 16] = v;
        }
        let signed = v as i64;
        if least[i % 4][2] >= signed {
            least[i % 4][2] = signed;
        }
    }
}

#[offload(histogram)]
fn occupied(keys: &[u8], seen: &mut [bool], free: &mut Vec<bool>) {
    for &k in keys {
        seen[k as usize] = true;
        free[k as usize] = false;
    }
}

// Of floats where no bin is NaN.

#[offload(histogram)]
fn floats(data: &[f32], best: &mut [f32; 16]) {
    for (i, &v) in data.iter().enumerate() {
        if v > best[i % 16] {
            best[i % 16] = v;
        }
    }
}

// What only looks like it.

#[offload(histogram)]
fn another_value(data: &[u32], best: &mut [u32; 16]) {
    for (i, &v) in data.iter().enumerate() {
        if v > best[i % 16] {
            best[i % 16] = v + 1;
        }
    }
}

#[offload(histogram)]
fn another_element(data: &[u32], best: &mut [u32; 16]) {
    for (i, &v) in data.iter().enumerate() {
        if v > best[i % 16] {
            best[i % 15] = v;
        }
    }
}

#[offload(histogram)]
fn otherwise(data: &[u32], best: &mut [u32; 16]) {
    for (i, &v) in data.iter().enumerate() {
        if v > best[i % 16] {
            best[i % 16] = v;
        } else {
            best[0] = 0;
        }
    }
}

#[offload(histogram)]
fn evaluated_twice(data: &[u32], best: &mut [u32; 16]) {
    for (i, _) in data.iter().enumerate() {
        if next() > best[i % 16] {
            best[i % 16] = next();
        }
    }
}

#[offload(histogram)]
fn found(x: &[f32], y: &[f32], inside: &mut bool) -> bool {
    let mut negative = false;
    for (&a, &b) in x.iter().zip(y) {
        if a < 0.0 {
            negative = true;
        }
        if b > 1.0 {
            *inside = false;
        }
    }
    negative
}

/// An element by reference.
#[offload]
fn by_reference(data: &[u32], best: &mut [u32], sums: &mut [u16], seen: &mut [bool]) {
    for &v in data {
        let bin = &mut best[v as usize % 9];
        if v > *bin {
            *bin = v;
        }
        let sum = &mut sums[v as usize % 8];
        *sum = sum.saturating_add(v as u16);
        let flag = &mut seen[v as usize % 7];
        *flag = true;
    }
}

/// One that is not asked for first.
#[offload]
fn by_reference_late(data: &[u32], best: &mut [u32]) {
    for i in 0..data.len() {
        let bin = &mut best[i % 9];
        *bin = data[i].max(*bin);
    }
}

/// All elements of an array from outside the outer loop.
#[offload]
fn of_all(data: &[u32], seeds: &[u32], least: &mut [u32]) {
    for &x in data {
        for (m, &seed) in least.iter_mut().zip(seeds) {
            let h = x.wrapping_mul(seed);
            if h < *m {
                *m = h;
            }
        }
    }
}

/// Flags that are asked for first.
#[offload]
fn lazily(x: &[u32], y: &[f32], sorted: &mut bool, seen: &mut [bool]) -> bool {
    let mut any = false;
    for i in 0..x.len().min(y.len()) {
        let (v, w) = (x[i], y[i]);
        any = any || v > 3 || w.is_nan();
        *sorted = v < 7 && *sorted && w < 1.0;
        seen[i % 3] = seen[i % 3] || v == 0;
    }
    any
}

#[offload]
fn lazily_what_may_panic(x: &[u32]) -> bool {
    let mut any = false;
    for i in 0..x.len() {
        any = any || x[i + 1] > 3;
    }
    any
}

#[offload]
fn both_ends(x: &[i32], lo: &mut i32, hi: &mut i32) {
    for &v in x {
        if v < *lo {
            *lo = v;
        } else if v > *hi {
            *hi = v;
        }
    }
}
