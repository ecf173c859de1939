// Loops that carry scalars from iteration to iteration, and fill arrays in their order.

#[offload]
fn sums(x: &[u32], out: &mut [u32]) -> u32 {
    let mut acc = 0;
    for i in 0..x.len() {
        acc += x[i];
        out[i] = acc;
    }
    acc
}

#[offload]
fn offsets(counts: &mut [usize]) -> usize {
    let mut sum = 0;
    for c in counts.iter_mut() {
        let here = *c;
        *c = sum;
        sum += here;
    }
    sum
}

#[offload]
fn partition(x: &[f32], low: &mut [f32], high: &mut [f32]) -> (usize, usize) {
    let (mut i, mut j) = (0, 0);
    for &v in x {
        if v < 0.5 {
            low[i] = v;
            i += 1;
        } else {
            high[j] = v;
            j += 1;
        }
    }
    (i, j)
}

#[offload]
fn prefix(a: &mut [u32]) {
    for i in 1..a.len() {
        a[i] += a[i - 1];
    }
}

#[offload]
fn last_of_equals(x: &[f32]) -> (f32, usize) {
    let (mut best, mut at) = (f32::MAX, 0);
    for i in 0..x.len() {
        if x[i] <= best {
            best = x[i];
            at = i;
        }
    }
    (best, at)
}

#[offload]
fn asserted(x: &[u32], out: &mut [u32]) {
    let mut acc = 0;
    for i in 0..x.len() {
        let v = x[i];
        assert!(v < 1000, "too large");
        debug_assert_ne!(v, acc);
        acc += v;
        out[i] = acc;
    }
}
