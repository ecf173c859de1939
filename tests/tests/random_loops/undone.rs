// Loops that panic on their way, of which a call has to take back what it has done.

random_loops! {
UNDONE, [accrue::offload(histogram)]
offloaded:

fn straight_but_for_a_table(a0: &[f32], t0: &[f32; 16], e0_add: &mut [f32]) {
    for i in 0..a0.len() { e0_add[i] += t0[a0[i].abs() as usize]; }
}

fn straight_but_for_a_sum(a0: &[u8], h0_add: &mut [f32; 256], h1_max: &mut [f32; 256]) {
    for i in 0..a0.len() {
        h0_add[i] += (a0[i] - 1) as f32;
        h1_max[i] = h1_max[i].max((a0[i] - 1) as f32);
    }
}

fn behind_a_condition(a0: &[u32], t0: &[f64; 16], h0_min: &mut [f64; 16]) {
    for &x in a0 {
        if x % 3 == 0 {
            let bin = (x % 17) as usize;
            h0_min[bin] = h0_min[bin].min(t0[(x % 16) as usize]);
        }
    }
}

fn straight_but_for_what_is_added(a0: &[u8], e0_add: &mut [f32]) {
    for i in 0..a0.len() { e0_add[(a0[i] as usize & 64) + i] += 0.5; }
}

fn asserted(a0: &[u8], h0_min: &mut [f32; 256]) {
    for &x in a0 {
        assert!(x < 250);
        h0_min[x as usize] = h0_min[x as usize].min(0.5);
    }
}

fn asserted_behind_a_condition(a0: &[u8], h0_min: &mut [f32; 256]) {
    for &x in a0 {
        if x % 2 == 0 {
            assert!(x < 250);
            h0_min[x as usize] = h0_min[x as usize].min(0.5);
        }
    }
}

fn parts(a0: &[u8], t0: &[u8; 16], h0_min: &mut [f32; 256]) {
    for &x in a0 {
        let part = &t0[(x % 18) as usize..];
        h0_min[x as usize] = h0_min[x as usize].min(part.len() as f32);
    }
}

fn parts_behind_a_condition(a0: &[u8], t0: &[u8; 16], h0_min: &mut [f32; 256]) {
    for &x in a0 {
        if x % 2 == 0 {
            let part = &t0[(x % 18) as usize..];
            h0_min[x as usize] = h0_min[x as usize].min(part.len() as f32);
        }
    }
}

plain:
}
