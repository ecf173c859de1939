// Made by `cargo run -p accrue-tests --bin random-loops -- any own:3 own:4 own:5 own:10 own:13 own:14 own:19 own:35 kept:2 kept:3 kept:13 kept:16 kept:19 carried:1 carried:2 carried:36 carried:40`.

random_loops! {
ANY, [accrue::offload]
offloaded:

fn own3(a0: &[u16], c0: f32, t0: &[usize; 16], g0_own: &mut [i64]) {
    for x in 0..6usize {
        for y in 1..a0.len() {
            let k3: usize = WIDTH;
            let mut acc4 = 0u64;
            for j5 in 0..5usize {
                acc4 = acc4.wrapping_add((x as u64).wrapping_sub((a0[y] as u64).rotate_left(46)));
            }
            let v6 = ((acc4 as u16) / 1u16).rotate_left(4);
            let mut local7 = [3u32; 4];
            local7[(a0[y] as usize) % 4] = ((a0[y] as u32) % 8 + (x as u32) % 5);
            g0_own[(y - 1) * 6 + x] = ((k3 as i64) % 8 + (k3 as i64).wrapping_mul((t0[((c0 as usize) & (c0 as usize)) % 16] as i64)) % 5);
        }
    }
}

fn own4(a0: &[u16], g0_own: &mut Vec<u8>) {
    for y in 0..a0.len() {
        let mut sum = 0u32;
        for x in 0..6usize {
            sum = sum.wrapping_mul(3).wrapping_add(a0[y] as u32);
            let v3: u64;
            if ((31u32 >= sum) || ((x as u8) != (x as u8))) {
                v3 = (sum as u64);
            } else {
                v3 = (x as u64);
            }
            g0_own[y * 6 + x] = ((((sum as u8) >> 5) % 6) * (((v3 as u8) & (v3 as u8)) % 7));
        }
    }
}

fn own5(a0: &Vec<u64>, c0: f64, g0_own: &mut Vec<u8>) {
    for y in 0..a0.len() {
        for x in 0..6usize {
            let v3: u16;
            if ((y as u8) == (a0[y] as u8)) {
                v3 = (y as u16).rotate_left(3);
            } else {
                v3 = (a0[y] as u16);
            }
            if (!((y as u8) <= (c0 as u8))) {
                continue;
            }
            let v4: i16 = ((c0 as i64).leading_zeros() as i16);
            g0_own[x * a0.len() + y] = (g0_own[x * a0.len() + y]).wrapping_add((if ((v3 as u32) > (y as u32)) { (c0 as u8) } else { 31u8 }).wrapping_add(3u8));
        }
    }
}

fn own10(a0: &Vec<f32>, g0_own: &mut [i64], g1_own: &mut Vec<u32>) {
    for x in 0..6usize {
        for y in 1..a0.len() {
            let v3: i64;
            if (!((x as u64) > (x as u64))) {
                v3 = ((x as i64) | (a0[y] as i64));
            } else {
                v3 = (a0[y] as i64).saturating_sub((a0[y] as i64));
            }
            g0_own[(y - 1) * 6 + x] = (g0_own[(y - 1) * 6 + x]).wrapping_add((a0[y] as i64));
            g1_own[(y - 1) * 6 + x] = (v3 as u32).min((7u32 % 8 + (v3 as u32) % 5));
        }
    }
}

fn own13(a0: &[u8], g0_own: &mut Vec<f32>, g1_own: &mut [u64], h0_min: &mut [u16; 64]) {
    for y in 0..a0.len() {
        let mut sum = 0u32;
        for x in 0..6usize {
            sum = sum.wrapping_mul(3).wrapping_add(a0[y] as u32);
            if ((sum as i32) <= (x as i32)) {
                continue;
            }
            g0_own[y * 6 + x] += (sum as f32);
            g1_own[y * 6 + x] = (sum as u64);
            match (x as u32).wrapping_add(sum) % 4 {
                0 => { let bin3 = ((x.min(x) % 6) * (x.max(x) % 7)).min(64 - 1); h0_min[bin3] = h0_min[bin3].min(((x as u16) >> 3)); }
                1..=2 => { let bin4 = (sum as usize) % 64; h0_min[bin4] = h0_min[bin4].min(((sum as u16).rotate_left(13) ^ (match sum % 5 { 0 => (x as u16), 1 | 3 => (x as u16), _ => (x as u16) }))); }
                _ => {}
            }
            let bin5 = (x.rotate_left(34) | ((sum as usize) / 5usize)) % 64; h0_min[bin5] = h0_min[bin5].min((x as u16));
        }
    }
}

fn own14(a0: &[u64], g0_own: &mut [u32]) {
    for (y, row) in g0_own.chunks_mut(5).enumerate() {
        for (x, o) in row.iter_mut().enumerate() {
            let k3: u32 = MASK;
            let mut rest4 = ((*o) as u8);
            let mut count5 = 0u32;
            while rest4 > 0 {
                rest4 >>= 1;
                count5 += 1;
            }
            let v6: u8;
            if (!(5u64 != (k3 as u64))) {
                v6 = (x as u8).abs_diff((k3 as u8));
            } else {
                v6 = ((count5 as u8) ^ (k3 as u8));
            }
            let v7 = u64::from(count5).wrapping_sub((count5 as u64)).rotate_left(41);
            *o = (*o).wrapping_add(((10u8.trailing_zeros() as u32) & 7u32));
            for _ in 0..3 {
                if ((100i32 > (v7 as i32)) || (count5 == u32::from(v6))) { *o = (((x as u32) & (x as u32)) ^ ((*o) % 8 + k3 % 5)); }
            }
        }
    }
}

fn own19(a0: &Vec<i8>, e0_own: &mut [u16], h0_wrap: &mut [u8]) {
    for (o3, &x2) in e0_own.iter_mut().zip(a0) {
        *o3 = ((x2 as u16) ^ (x2 as u16)).saturating_sub(((*o3) ^ (x2 as u16)));
        for _ in 0..3 {
            *o3 = (*o3).wrapping_add(((((*o3) as u32) != 5u32) as u16));
        }
        match ((*o3) as u32) % 4 {
            0 => { let bin4 = (5i32.wrapping_sub((x2 as i32)).rotate_left(20).rem_euclid(16) as usize).min(h0_wrap.len() - 1); h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub((x2 as u8).wrapping_add(5u8).rotate_left(7)); }
            1..=2 => { let bin5 = (x2 as usize).min(h0_wrap.len() - 1); h0_wrap[bin5] = h0_wrap[bin5].wrapping_sub((((*o3) as f32).ceil() as u8)); }
            _ => {}
        }
        let bin6 = ((((*o3) as u32) >> 3) & 15) as usize; h0_wrap[bin6] = h0_wrap[bin6].wrapping_sub((((x2 as u8) % 6) * ((x2 as u8) % 7)).wrapping_add((((*o3) as u8) % 2u8)));
    }
}

fn own35(a0: &Vec<i16>, g0_own: &mut [u8]) {
    for (y, row) in g0_own.chunks_mut(5).enumerate() {
        for (x, o) in row.iter_mut().enumerate() {
            let mut local3 = [10i16; 4];
            local3[(((*o) as f64) as usize) % 4] = (x as i16);
            *o = if (((*o) as u64) > ((*o) as u64)) { (match (*o) { b'a'..=b'm' | b'A' => (y as u8), b'0' => (local3[1] as u8), _ => (local3[1] as u8) }).abs_diff(((local3[1] as u8) / 2u8)) } else { *o };
        }
    }
}

fn kept2(a0: &[f32], t0: &[i16; 16], z0_own: &mut usize, k0_own: &mut f32, h0_min: &mut [i8; 64], e0_own: &mut [i32]) {
    for i1 in 0..a0.len() {
        let k3: u32 = MASK;
        let d4 = 0.1f32.floor();
        if (((t0[((k3 as u8).count_ones() as usize) % 16] as u64) < (k3 as u64)) && ((k3 as f64) > (t0[((k3 as u8).count_ones() as usize) % 16] as f64))) && d4 < *k0_own { *z0_own = i1; *k0_own = d4; }
        h0_min[(k3 as usize).wrapping_mul(((t0[((k3 as u8).count_ones() as usize) % 16] as f32) as usize)).min(64 - 1)] = h0_min[(k3 as usize).wrapping_mul(((t0[((k3 as u8).count_ones() as usize) % 16] as f32) as usize)).min(64 - 1)].min(((a0[i1] as i8).clamp(-20, 20) % 8 + ((t0[((k3 as u8).count_ones() as usize) % 16] as i8) % 1i8) % 5));
        let bin5 = ((k3 as f64) as u64) as usize % 64; h0_min[bin5] = h0_min[bin5].min((t0[((k3 as u8).count_ones() as usize) % 16] as i8));
        e0_own[i1] = (i1 as i32).wrapping_sub((k3 as i32)).wrapping_add((i1 as i32).wrapping_sub((i1 as i32)));
    }
}

fn kept3(a0: &[u16], z0_own: &mut usize, k0_own: &mut u16) {
    for i1 in (0..a0.len()).rev() {
        let bytes3 = ((i1 as f32) as i64).to_le_bytes();
        if (((i1 as u32) < (bytes3[1] as u32)) || ((i1 as u64) != (i1 as u64))) {
            continue;
        }
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || bytes3[0].is_ascii_alphabetic() {
                break turns5 * 2;
            }
        };
        let d6 = (bytes3[1] as u16).min(u16::from(bytes3[1])).wrapping_sub((a0[i1] % 8 + (found4 as u16) % 5));
        if d6 < *k0_own { *z0_own = i1; *k0_own = d6; }
    }
}

fn kept13(a0: &[u8], z0_own: &mut usize, k0_own: &mut u8, z1_own: &mut usize, k1_own: &mut u8) {
    for i1 in (0..a0.len()).rev() {
        let v3 = ((2.25f64 as i32) / 10i32);
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || ((u64::from(a0[i1]) != u64::from(a0[i1])) || (3u32 <= (v3 as u32))) {
                break turns5 * 2;
            }
        };
        let pair6 = ((found4 as f64).abs().sqrt(), u32::from(a0[i1]));
        let d7 = (((pair6.1 as u8) / 3u8) & a0[i1].wrapping_add(a0[i1]));
        if *k0_own < d7 { *k0_own = d7; }
        let d8 = ((!((i1 as u8) <= (pair6.1 as u8))) as u8);
        if *k1_own < d8 { *k1_own = d8; }
    }
}

fn kept16(a0: &[usize], z0_own: &mut usize, k0_own: &mut usize, z1_own: &mut usize, k1_own: &mut usize, h0_min: &mut [u64]) {
    for i1 in (0..a0.len()).rev() {
        let mut acc3 = 0u64;
        for j4 in 0..3usize {
            acc3 = acc3.wrapping_add((acc3 ^ (a0[i1] as u64)).wrapping_sub(acc3));
        }
        let mut acc5 = 0u64;
        for j6 in 0..1usize {
            acc5 = acc5.wrapping_add((((i1 as u8).leading_zeros() as u64) >> 57));
        }
        let mut rest7 = (acc5 as u8);
        let mut count8 = 0u32;
        while rest7 > 0 {
            rest7 >>= 1;
            count8 += 1;
        }
        let d9 = (if (((i1 as f64) == (i1 as f64)) || ((a0[i1] as u64) != (i1 as u64))) { (count8 as usize).abs_diff((acc3 as usize)) } else { a0[i1] });
        if *k0_own > d9 { *k0_own = d9; *z0_own = i1; }
        let d10 = i1.rotate_left(29).wrapping_sub(a0[i1]);
        if *k1_own < d10 { *k1_own = d10; *z1_own = i1; }
        let bin11 = (((acc3 as u32) & (((i1 as u64) <= (i1 as u64)) as u32)) & 15) as usize; h0_min[bin11] = h0_min[bin11].min((if (u64::from(count8) == (i1 as u64)) { (a0[i1] as u64) } else { ((count8 as f32) as u64) }));
        match ((acc5 as f64) as u32) % 4 {
            0 => { h0_min[((a0[i1] as u32) & 15) as usize] = h0_min[((a0[i1] as u32) & 15) as usize].min(((((i1 as u64) % 6) * ((a0[i1] as u64) % 7)) & acc5)); }
            1..=2 => { let bin12 = ((0.1f32 as u32).wrapping_sub(((a0[i1] as u32) | (acc3 as u32))) & 15) as usize; h0_min[bin12] = h0_min[bin12].min(((i1 as u64).rotate_left(54) | ((i1 as u64) | (i1 as u64)))); }
            _ => {}
        }
    }
}

fn kept19(a0: &[i8], c0: f32, z0_own: &mut usize, k0_own: &mut i8, k1_own: &mut u32, h0_max: &mut [u64]) {
    for (i1, &x2) in a0.iter().enumerate() {
        let k3: usize = WIDTH;
        let d4 = (x2 ^ (if ((c0 as u32) < (x2 as u32)) { x2 } else { 5i8 }));
        if ((c0 as u8) < (c0 as u8)) && *k0_own > d4 { *k0_own = d4; *k1_own = x2 as u32; *z0_own = i1; }
        let bin5 = ((c0 as u32).min((x2 as u32)) & 15) as usize; h0_max[bin5] = h0_max[bin5].max((i1 as u64).wrapping_add((i1 as u64)));
        let bin6 = (((x2 as u32) ^ ((i1 as f64) as u32)) & 15) as usize; h0_max[bin6] = h0_max[bin6].max(((k3 as f64) as u64));
    }
}

fn carried1(a0: &[i64], t0: &[u32; 16], r0: &mut i64, e4_own: &mut [i16], r7: &mut u64) {  for i in 0..a0.len() { let looked = t0[(a0[i] as i64) as u32 as usize % 16];
*r0 = (*r0).max(((a0[i] as i64) as i64 ^ (i as i64 + looked as i64 % 3)));
e4_own[i] = (*r0) as i16;
*r7 = (*r7).max((a0[i] as i64) as u64);
 } }

fn carried2(a0: &[u8], t0: &[u32; 16], r0_add: &mut f64, r1_add: &mut f32, r2: &mut u8, e4_own: &mut [i64], e5_own: &mut [u8]) {  for i in 0..a0.len() { let looked = t0[(a0[i] as u32) as u32 as usize % 16];
e4_own[i] = (*r0_add) as i64;
if (a0[i] as u32) & 4 != 0 || i % 7 == 2 { *r0_add = (*r0_add).max((((a0[i] as u32) as u32 % 4 + looked % 3) as f64)); }
for k in 0..(a0[i] as u32) as usize % 3 { if k != 1 { *r1_add = (*r1_add).min((((a0[i] as u32) as u32 % 4 + looked % 3) as f32)); } }
if (a0[i] as u32) % 3 == 1 { *r2 = (*r2).saturating_add(((a0[i] as u32) as u8 ^ (i as u8 + looked as u8 % 3))); }
e5_own[i] = (*r1_add) as u8;
 } }

fn carried36(a0: &[i16], g0_own: &mut [usize], g1_own: &mut [u8]) { let mut n0: u32 = 0;
let mut n1: u32 = 0;
 for i in 0..a0.len() { if (a0[i] as u64) % 3 == 1 { g0_own[n0 as usize] = (a0[i] as usize); n0 += 1; } else if i % 5 == 0 { g0_own[n0 as usize] = (a0[i] as usize); n0 += 1; }
if (a0[i] as u64) & 4 != 0 || i % 7 == 2 { g1_own[n1 as usize] = (a0[i] as u8); n1 += 1; } else if i % 5 == 0 { g1_own[n1 as usize] = (a0[i] as u8); n1 += 1; }
 } }

fn carried40(a0: &[u16], r0: &mut u8, r1: &mut u8, r2: &mut usize, g0_own: &mut [u64], h0_add: &mut [u32]) { let mut n0: usize = 0;
 for i in 0..a0.len() { *r0 &= ((a0[i] as i64) as u8 ^ (i as u8));
*r1 |= ((a0[i] as i64) as u8 ^ (i as u8));
*r2 &= ((a0[i] as i64) as usize ^ (i as usize));
if (a0[i] as i64) & 4 != 0 || i % 7 == 2 { g0_own[n0] = (a0[i] as u64); n0 += 1; }
h0_add[i % 16] = h0_add[i % 16].wrapping_add(1);
 } }

plain:
}
