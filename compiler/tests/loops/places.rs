//! Names of places, whose indices are checked where they stand, and constants of the body in patterns.

#[offload]
fn named_before(x: &[u32], y: &[[u32; 2]], out: &mut [u32]) {
    for i in 0..x.len() {
        let p = &y[i];
        if x[i] == 3 {
            out[i] = p[1];
        }
    }
}

#[offload]
fn read_in_any_case(x: &[u32], y: &[[u32; 2]], out: &mut [u32]) {
    for i in 0..x.len() {
        let p = &y[i];
        out[i] = if x[i] == 3 { 4 } else { 5 } + p[1];
    }
}

#[offload]
fn left_before(x: &[u32], y: &[[u32; 2]], out: &mut [u32]) {
    for i in 0..x.len() {
        let p = &y[i];
        if x[i] == 3 {
            continue;
        }
        out[i] = p[0];
    }
}

#[offload]
fn pairs(x: &[u32], y: &[u32], out: &mut [u32]) {
    for i in 1..x.len() {
        out[i] = match (x[i - 1], y[i]) {
            (1, 3) => 7,
            _ => 8,
        };
    }
}

#[offload]
fn nobody_reads(y: &[u32], out: &mut [u32]) {
    for i in 0..out.len() {
        let _ = y[i];
        out[i] = 5;
    }
}

#[offload(histogram)]
fn updated_perhaps(keys: &[usize], x: &[u32], h: &mut [u32]) {
    for (&k, &x) in keys.iter().zip(x) {
        let bin = &mut h[k];
        if x > 3 {
            *bin += 1;
        }
    }
}

#[offload]
fn constants(x: &[u32], out: &mut [u32]) {
    for i in 0..x.len() {
        const LOW: u32 = 2;
        #[allow(non_upper_case_globals)]
        const high: u32 = 7;
        out[i] = match (x[i], i as u32) {
            (LOW, high) => 1,
            (high, LOW) => 2,
            _ => match x[i] {
                high => 3,
                _ => 4,
            },
        };
    }
}
