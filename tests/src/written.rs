//! Loops in forms that random ones seldom have, written by hand. rustc compiles them as they are, which judges the interpreter; it judges
//! their kernels.

#![allow(
    clippy::all,
    unused,
    reason = "forms that nobody would write are forms, too"
)]

crate::random_loops! {
WRITTEN, [accrue::offload(histogram)]
offloaded:

plain:

fn open_ranges(a0: &[u8], h0_add: &mut [u32; 16]) {
    for &x in a0 {
        h0_add[match x { ..=3 => 1, 250.. => 2, 10..=20 | 25..30 => 3, b'a' | b'z' => 4, _ => 5 }] += 1;
    }
}

fn signed_ranges(a0: &[i16], h0_add: &mut [u32; 16]) {
    for x in a0 {
        let bin = match *x { ..=-7 => 1usize, -6 | -2 => 2, -1..=1 => 3, 40.. => 4, _ => 5 };
        h0_add[bin] += 1;
    }
}

fn matched_conditions(a0: &[u32], h0_add: &mut [u32; 16]) {
    for i in 0..a0.len() {
        let small = a0[i] < 40;
        let odd = a0[i] % 2 == 1;
        let bin = match small { true => 1usize, false => 2 };
        h0_add[bin] += match small != odd { false => 3, true => 1 };
        h0_add[3 + (small == odd) as usize] += (small & odd) as u32;
        h0_add[5 + (small ^ odd) as usize] += (small | odd) as u32 + (small <= odd) as u32;
        h0_add[7 + (small > odd) as usize] += match odd { _ if small => 2, true | false => 1 };
    }
}

fn ends_of_arrays(a0: &[[u8; 4]], h0_add: &mut [u32; 256]) {
    for p in a0 {
        let bin = match *p {
            [0, .., last] => last,
            [first, 7, ..] => first,
            [.., a, 9] => a,
            [first, .., last] if first > last => 1,
            [_, middle, ..] => middle,
        };
        h0_add[bin as usize] += 1;
        if let [a, .., 3 | 5] = *p { h0_add[a as usize] += 2; }
        let [first, .., last] = *p;
        h0_add[first.wrapping_sub(last) as usize] += 1;
        let [.., third, _] = p;
        h0_add[*third as usize] += 4;
    }
}

fn rows_that_end_behind_a_loop(a0: &[u32], h0_add: &mut [u32; 16]) {
    for y in 0..a0.len() {
        for t in 0..6usize {
            let mut left = a0[y] % 3;
            while left > 0 { left -= 1; }
            if a0[y] as usize % 7 == t { break; }
            h0_add[(a0[y] as usize + t) % 16] += left + 1;
        }
    }
}

fn rows_that_end(a0: &[u32], h0_add: &mut [[u32; 6]; 16]) {
    for &x in a0 {
        for t in 0..6usize {
            if x as usize % 7 == t { break; }
            h0_add[x as usize % 16][t] += 1;
        }
    }
}

fn rows_that_skip(a0: &[u32], h0_add: &mut [[u32; 6]; 16]) {
    'items: for &x in a0 {
        for t in 0..6usize {
            if x as usize % 7 == t { continue 'items; }
            if x % 2 == 0 && t % 2 == 1 { continue; }
            h0_add[x as usize % 16][t] += 1;
        }
    }
}

fn checked(a0: &[u8], h0_add: &mut [u32; 256]) {
    for &x in a0 {
        if let Some(sum) = x.checked_add(190) { h0_add[sum as usize] += 1; }
        h0_add[match x.checked_sub(60) { Some(rest) => rest as usize, None => 255 }] += 2;
        if let Some(product) = x.checked_mul(3) { h0_add[product as usize] += 3; } else { h0_add[0] += 1; }
    }
}

fn constants_of_the_loop(a0: &[u8], h0_add: &mut [u32; 16]) {
    for &x in a0 {
        const STEP: u8 = 3;
        const MOST: usize = 16;
        h0_add[(x / STEP) as usize % MOST] += 1;
    }
}

fn typed(a0: &[u8], h0_add: &mut [u32; 256]) {
    for &x in a0 {
        let (low, high): (u8, u32) = (x & 15, (x >> 4).into());
        let whole: u64 = u64::from(x) << 3 | 5;
        h0_add[low as usize] += high;
        h0_add[(whole % 256) as usize] += 1;
    }
}

fn shifted(a0: &[u32], a1: &[u8], h0_wrap: &mut [u32; 16]) {
    for (&x, &by) in a0.iter().zip(a1) {
        h0_wrap[(by % 16) as usize] = h0_wrap[(by % 16) as usize].wrapping_add(x << (by % 32));
        h0_wrap[(by % 16) as usize] = h0_wrap[(by % 16) as usize].wrapping_add(x >> (by % 33));
    }
}

fn differences(a0: &[i32], a1: &[u64], h0_wrap: &mut [i64; 16]) {
    for (i, (&x, &y)) in a0.iter().zip(a1).enumerate() {
        let v = x - 7;
        h0_wrap[i % 16] = h0_wrap[i % 16].wrapping_add(i64::from(v) - (y % 100) as i64);
        h0_wrap[(i + 1) % 16] = h0_wrap[(i + 1) % 16].wrapping_sub(-(v as i64));
    }
}

fn two_constants(a0: &[u8], h0_add: &mut [u32; 256], h1_both: &mut [i32; 256]) {
    for &x in a0 {
        h0_add[x as usize] += 1;
        h0_add[(x / 2) as usize] += 3;
        h1_both[x as usize] += 2;
        h1_both[(x / 2) as usize] -= 2;
        h1_both[(x / 3) as usize] -= 1;
    }
}

fn rows_with_gaps(a0: &[u32], h0_add: &mut [[u32; 6]; 16]) {
    for &x in a0 {
        for t in 0..6usize {
            if (x as usize + t) % 3 == 0 { continue; }
            h0_add[x as usize % 16][t] += 1;
        }
    }
}

fn copied_arrays(a0: &[[u16; 4]], a1: &[u8], h0_add: &mut [u32; 256]) {
    for (p, &x) in a0.iter().zip(a1) {
        let q = *p;
        let both = [q, [1, 2, 3, 4]];
        h0_add[(both[(x % 2) as usize][(x % 4) as usize] % 256) as usize] += u32::from(q[3] % 5);
    }
}

fn asserted(a0: &[u8], h0_add: &mut [u32; 256]) {
    for &x in a0 {
        if x == 77 { panic!("seventy-seven"); }
        assert!(x != 78, "one more");
        assert_ne!(x, 79);
        h0_add[x as usize] += 1;
    }
}

fn one_behind_a_table(a0: &[u32], t0: &[u32; 16], h0_add: &mut [u32; 16]) {
    for &x in a0 {
        h0_add[(t0[(x % 16) as usize] % 16) as usize] += 1;
        if x > 90 { h0_add[(t0[(x % 17) as usize] % 16) as usize] += 1; }
    }
}

fn logarithms(a0: &[u32], a1: &[u64], h0_add: &mut [u32; 64]) {
    for (&x, &y) in a0.iter().zip(a1) {
        h0_add[(x | 1).ilog2() as usize] += 1;
        h0_add[(y | 1).ilog2() as usize] += 2;
        h0_add[(x | 1).ilog10() as usize] += 3;
    }
}

fn constants_of_all_bits(a0: &[u64], h0_add: &mut [u32; 16]) {
    for &x in a0 {
        const MOST: u64 = 0xffff_ffff_ffff_fff0;
        const BACK: i32 = 5;
        h0_add[(x / MOST) as usize % 16] += (x < MOST) as u32;
        h0_add[(MOST / (x | 1)) as usize % 16] += 1;
        h0_add[(-BACK + 9 + (x % 3) as i32) as usize] += 1;
    }
}
}
