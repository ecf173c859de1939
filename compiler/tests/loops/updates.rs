//! Every operator and every form of target.

#[offload(histogram)]
fn operators(data: &[u32], a: &mut [u32], b: &mut [i64], c: &mut [u64], d: &mut [u8], e: &mut [u16], f: &mut [u32]) {
    for &x in data {
        let i = (x % 16) as usize;
        a[i] += x;
        b[i] -= i64::from(x);
        c[i] *= 3;
        d[i] |= 1 << (x % 8);
        e[i] &= x as u16;
        f[i] ^= x;
    }
}

#[offload(histogram)]
fn spelled_out(data: &[u32], a: &mut [u32], b: &mut [u32], c: &mut [u8], d: &mut [f32], e: &mut [u32], f: &mut [u32]) {
    for &x in data {
        let i = (x % 16) as usize;
        a[i] = a[i] + x;
        b[i] = b[i].wrapping_add(x);
        c[i] = c[i].saturating_add(1);
        d[i] = d[i].max(x as f32);
        e[i] = x.min(e[i]);
        f[i] = std::cmp::max(f[i], x);
    }
}

#[offload(histogram)]
fn reductions(data: &[f64], total: &mut f64, h: &mut [u32]) -> (f64, f64) {
    let mut lo = f64::INFINITY;
    let mut hi = f64::NEG_INFINITY;
    let mut n = 0u64;
    for &x in data {
        *total += x;
        lo = lo.min(x);
        hi = hi.max(x);
        n += 1;
        h[x as usize] += 1;
    }
    println!("{n}");
    (lo, hi)
}

#[offload(histogram)]
fn joint(xs: &[u8], ys: &[u8], h: &mut [[u64; 256]]) {
    for (x, y) in xs.iter().zip(ys) {
        h[*y as usize][*x as usize] += 1;
    }
}

#[offload(histogram)]
fn owned(data: &[u8]) -> Vec<u32> {
    let mut h = vec![0u32; 256];
    for &x in data {
        h[x as usize] += 1;
    }
    h
}

#[offload(histogram)]
fn owned_unknown(data: &[u8]) -> [u32; 256] {
    let mut h = [0; 256];
    for &x in data {
        h[x as usize] += 1;
    }
    h
}

#[offload(histogram)]
fn slot(data: &[u8], h: &mut [u32]) {
    for &x in data {
        let slot = &mut h[x as usize];
        *slot += 1;
    }
}

#[offload(histogram)]
fn several_loops(a: &[u8], b: &[u8], h: &mut [u32], g: &mut [u32]) {
    h.fill(0);
    if !a.is_empty() {
        for &x in a {
            h[x as usize] += 1;
        }
    }
    for round in 0..3 {
        let mut local = [0u32; 256];
        for &x in b {
            local[x as usize] += 1;
        }
        println!("{round} {local:?}");
    }
    for &x in b {
        g[x as usize] += 1;
    }
}

#[offload(histogram)]
fn two_signs(from: &[u32], to: &[u32], paid: &[f64], d: &mut [u32], w: &mut [u8], balance: &mut f64) {
    for ((&a, &b), &x) in from.iter().zip(to).zip(paid) {
        d[a as usize] -= 1;
        d[b as usize] = d[b as usize] + 2;
        w[a as usize] = w[a as usize].wrapping_add(3);
        w[b as usize] = w[b as usize].wrapping_sub(b as u8);
        *balance += x;
        *balance = *balance - x - 1.5;
    }
}
