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

struct State {
    level: u32,
}

/// What is carried is a field, which a macro mentions.
#[offload]
fn in_a_field(state: &mut State, x: &[u32], out: &mut [u32]) {
    for i in 0..x.len() {
        state.level += x[i];
        assert!(state.level < 1000);
        out[i] = state.level;
    }
}

/// Closures that see names of the body, and one that sees none.
#[offload]
fn closures(x: &[Vec<u32>], out: &mut [u32]) -> u32 {
    let mut acc = 0u32;
    for i in 0..x.len() {
        let t = x[i].iter().map(|v| v + 1).sum::<u32>();
        acc = acc.wrapping_add(t);
        out[i] = acc;
    }
    acc
}

#[offload]
fn closures_of_the_body(x: &[u32], out: &mut [u32]) -> u32 {
    let mut acc = 0u32;
    for i in 0..x.len() {
        let t = x[i];
        let up = |v: u32| v + t;
        acc = acc.wrapping_add(up(3));
        out[i] = acc;
    }
    acc
}

/// Values that do something before they are there.
#[offload]
fn counted_in_a_value(x: &[u32], h: &mut [u32; 8], out: &mut [u32]) -> u32 {
    let (mut acc, mut n) = (0u32, 0u32);
    for i in 0..x.len() {
        let t = {
            n += 1;
            h[i % 8] += 1;
            x[i]
        };
        acc = acc.wrapping_add(t);
        out[i] = acc;
    }
    acc + n
}

#[offload]
fn carried_in_a_value(x: &[u32], h: &mut [u32; 8], out: &mut [u32]) -> u32 {
    let mut acc = 0u32;
    for i in 0..x.len() {
        h[{
            acc = acc.wrapping_add(x[i]);
            1
        }] += 1;
        h[(x[i] % 8) as usize] += {
            acc = acc.wrapping_add(2);
            1
        };
        out[i] = acc;
    }
    acc
}

/// A name for what is carried, on either side of a condition.
#[offload]
fn named_in_branches(x: &[u32], out: &mut [u32]) -> u32 {
    let mut acc = 1u32;
    for i in 0..x.len() {
        if x[i] > 3 {
            let t = acc.wrapping_mul(x[i]);
            acc = t.wrapping_add(1);
        } else {
            let t = acc;
            acc = t.wrapping_mul(3);
        }
        out[i] = acc;
    }
    acc
}

/// What may fail: how often cannot be known before the loop, or by numbers that no kernel has.
#[offload]
fn fails_by_what_is_there(x: &[u32], out: &mut [u32]) -> usize {
    let mut n = 0;
    for i in 0..x.len() {
        for _ in 0..out[n] {
            if x[i] > 9 {
                panic!("large");
            }
        }
        out[n] = x[i];
        n += 1;
    }
    n
}

#[offload]
fn fails_by_a_length(x: &[Vec<u32>], out: &mut [u32]) -> u32 {
    let mut acc = 0;
    for i in 0..x.len() {
        let w = x[i].len() as u32;
        assert!(w < 99, "{w}");
        let z = w + 1;
        if z > 9 {
            panic!("{z}");
        }
        acc += x[i][0];
        out[i] = acc;
    }
    acc
}
