// Scalars and slices that are behind references in fields.

#[offload]
fn best(held: &mut Held<'_>) {
    for i in 0..held.x.len() {
        if held.x[i] < *held.least {
            *held.least = held.x[i];
            *held.at = i;
        }
    }
}

#[offload]
fn scan(held: &mut Held<'_>) {
    for i in 0..held.x.len() {
        *held.sum = (*held.sum).wrapping_add(held.x[i]);
        held.out[i] = *held.sum;
    }
}

#[offload]
fn reads(held: &mut Held<'_>) -> u32 {
    let mut s = 2u32;
    for i in 0..held.x.len() {
        let v = held.x[i];
        if v < 685 {
            s &= 786u32;
        }
    }
    s
}

#[offload]
fn multiplied(held: &mut Held<'_>) -> u32 {
    let mut s = 2u32;
    for i in 0..held.x.len() {
        let v = held.x[i];
        s = (s & v.wrapping_mul(45)) ^ i as u32;
    }
    s
}

#[offload]
fn written(held: &mut Held<'_>) {
    for i in 0..held.x.len() {
        let v = held.x[i];
        held.out[i] = v.wrapping_mul(45);
    }
}

#[offload]
fn absolute(held: &mut Held<'_>) {
    for i in 0..held.x.len() {
        held.out[i] = held.x[i].abs() + held.y[i].sqrt();
    }
}

#[offload]
fn particles(held: &mut Held<'_>) {
    for i in 0..held.cells.len() {
        held.out[i] = held.cells[i].mass * 2.0 + held.cells[i].place.x.abs();
    }
}

#[offload]
fn logs(held: &mut Held<'_>) {
    for i in 0..held.cells.len() {
        held.cells[i].log.note(i);
    }
}

#[offload]
fn appended(held: &mut Held<'_>) -> Vec<u32> {
    let mut kept = Vec::new();
    for i in 0..held.x.len() {
        let v = held.x[i];
        if v < 959 {
            kept.push(v);
        }
        held.out[i] = mixed(held.y[i], &held.z[i]);
    }
    kept
}

#[offload]
fn joint(held: &mut Held<'_>) {
    for i in 0..held.x.len() {
        held.joint[i % 3][i % 4] += 1;
        held.out[i] = held.x[i];
    }
}

#[offload]
fn guarded(held: &mut Held<'_>) {
    for y in 0..held.x.len() {
        for c in 0..held.w {
            if y as u32 > (held.c as u32) {
                held.out[y * 6 + c] = 1;
            }
        }
    }
}

#[offload]
fn turned(held: &mut Held<'_>) {
    for i in 0..held.x.len() {
        held.rows[i].rotate_left(1);
        held.out[i] = held.x[i].rotate_left(1);
    }
}

/// Fields of bins that are compared, of types that are not seen.
#[offload]
fn compared(prices: &[f64], spans: &[u32], bars: &mut [Bar]) {
    for (&p, &k) in prices.iter().zip(spans) {
        let bar = &mut bars[k as usize];
        if p > bar.high {
            bar.high = p;
        }
        bar.low = bar.low.min(p);
    }
}

#[offload]
fn compared_and_counted(prices: &[f64], spans: &[u32], bars: &mut [Bar]) {
    for (&p, &k) in prices.iter().zip(spans) {
        if p > bars[k as usize].high {
            bars[k as usize].high = p;
            bars[k as usize].count += 1;
        }
    }
}
