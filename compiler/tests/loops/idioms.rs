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
