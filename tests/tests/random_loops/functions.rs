// Made by `cargo run -p accrue-tests --bin random-loops -- 20261123 40 160`.

random_loops! {
CASES, [accrue::offload(histogram)]
offloaded:

fn r000(a0: &[f64; 90], t0: &[i8; 16], h0_add: &mut [u8], h1_sat: &mut Vec<u16>) {
    for i1 in (0..a0.len()).step_by(3) {
        let v2: i64 = (a0[i1] as i64);
        let bin3 = ((t0[(((a0[i1] as usize) % 6) * (i1 % 7)) % 16] as i32).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin3] = h0_add[bin3] + ((t0[(((a0[i1] as usize) % 6) * (i1 % 7)) % 16] as u32) <= (a0[i1] as u32)) as u8;
        if ((v2 as i32) == (a0[i1] as i32)) {
            let bin4 = (2i32.rem_euclid(16) as usize).min(h1_sat.len() - 1); h1_sat[bin4] = h1_sat[bin4].saturating_add((t0[(((a0[i1] as usize) % 6) * (i1 % 7)) % 16] as u16).wrapping_mul((i1 as u16)));
        }
    }
}

fn r001(a0: &[i16; 90], h0_wrap: &mut Vec<i8>) {
    for x1 in a0.iter().copied() {
        let k2: u32 = MASK;
        if (((k2 as i32) > (x1 as i32)) || (3u64 >= (k2 as u64))) {
            continue;
        }
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || ((x1 as u32) >= (x1 as u32)) {
                break turns4 * 2;
            }
        };
        match ((turns4 as u32) + 5u32) % 4 {
            0 => { let bin5 = ((k2 as i32).rem_euclid(16) as usize).min(h0_wrap.len() - 1); h0_wrap[bin5] = h0_wrap[bin5].wrapping_sub((turns4 as i8).min(((turns4 as u32).leading_zeros() as i8))); }
            1..=2 => { let bin6 = (((turns4 as i64).trailing_zeros() as u32) & 15) as usize; h0_wrap[bin6] = h0_wrap[bin6].wrapping_add(((k2 as i8) / 31i8)); }
            _ => {}
        }
    }
}

fn r002(a0: &Vec<u64>, c0: i32, t0: &[i16; 16], h0_or: &mut [i8; 16]) {
    for x1 in a0.iter().cloned() {
        let mut acc2 = 0u64;
        for j3 in 0..3usize {
            if ((c0 as u64) > (j3 as u64)) {
                continue;
            }
            acc2 = acc2.wrapping_add(((c0 as f32) as u64));
        }
        let mut acc4 = 0u64;
        for j5 in 0..3usize {
            acc4 = acc4.wrapping_add((((j5 as u64).wrapping_sub(acc2) % 6) * (((c0 as u64) + 2u64) % 7)));
        }
        let mut turns7 = 0i32;
        let found6 = loop {
            turns7 += 1;
            if turns7 > 4 || (((x1 as f64) != (acc2 as f64)) || ((acc2 as f64) != (c0 as f64))) {
                break turns7 * 2;
            }
        };
        match ((t0[((c0 as f32) as usize) % 16] as u32) / 31u32) % 4 {
            0 => { h0_or[(((x1 as i32) & (t0[((c0 as f32) as usize) % 16] as i32)).rem_euclid(16) as usize).min(16 - 1)] |= (match ((acc2 as u32).count_ones() as u32) % 5 { 0 => (turns7 as i8), 1 | 3 => (t0[((c0 as f32) as usize) % 16] as i8).wrapping_add((c0 as i8)), _ => (found6 as i8) }); }
            1..=2 => { h0_or[((found6 as f64) as u64) as usize % 16] |= ((((x1 as i8) % 8 + (acc2 as i8) % 5) % 6) * (((acc4 as i8) | (x1 as i8)) % 7)); }
            _ => {}
        }
    }
}

fn r003(a0: &Vec<i64>, h0_add: &mut [u8]) {
    for x1 in a0.iter().copied() {
        let k2 = MASK & 7u32;
        let v3: i8 = (match (match 5u32 % 5 { 0 => k2, 1 | 3 => k2, _ => (x1 as u32) }) % 5 { 0 => 1i8.rotate_left(1), 1 | 3 => (((x1 as u8) < (x1 as u8)) as i8), _ => (k2 as i8) });
        let v4: i32;
        if (k2 <= (v3 as u32)) {
            v4 = i32::from(v3).wrapping_add((v3 as i32));
        } else {
            v4 = (k2 as i32);
        }
        h0_add[((match k2.saturating_sub(k2) % 5 { 0 => k2, 1 | 3 => k2, _ => ((v3 as u32) >> 9) }) & 15) as usize] += (((x1 as u8) > (k2 as u8)) || (k2 >= k2)) as u8;
    }
}

fn r004(a0: &Vec<f64>, a1: &Vec<u32>, h0_both: &mut [i64], h1_add: &mut [u32]) {
    for (x1, &x2) in a0.iter().zip(a1.iter()) {
        let (p3, q4) = ((*x1), (((*x1) as f32) as u64));
        let bin5 = (if (p3 > p3) { 10usize } else { (p3 as usize) }).rotate_left(4) % h0_both.len(); h0_both[bin5] -= 1;
        let bin6 = (match x2 % 5 { 0 => ((x2 as usize) % 8 + (x2 as usize) % 5), 1 | 3 => (q4 as usize), _ => ((*x1) as usize).rotate_left(40) }).min(h1_add.len() - 1); h1_add[bin6] += ((p3 as u32) % 5);
        h1_add[((((p3 as u32) & ((*x1) as u32)) ^ (if ((q4 as u32) > 100u32) { ((*x1) as u32) } else { (p3 as u32) })) & 15) as usize] += 1;
    }
}

fn r005(a0: &[i16; 90], a1: &[u64], c0: f64, h0_and: &mut [[i32; 16]; 16], h1_add: &mut Vec<f32>, h2_xor: &mut [i8]) {
    for (i3, (&x1, &x2)) in a0.iter().zip(a1).enumerate() {
        let k4 = MASK & 7u32;
        match (x2 as u32).max(k4) % 4 {
            0 => { h0_and[((x2 as usize) * 7usize) % 16][i3 % 16] &= (((x1 as f32) * (x1 as f32)) as i32); }
            1..=2 => { h0_and[((x2 as usize) % 31usize) % 16][((c0 as u16).rotate_left(4).count_ones() as usize) % 16] = h0_and[((x2 as usize) % 31usize) % 16][((c0 as u16).rotate_left(4).count_ones() as usize) % 16] & ((x1 as u32).count_ones() as i32).rotate_left(15); }
            _ => {}
        }
        if (31u64 <= (x1 as u64)) {
            let bin5 = ((-(if (k4 >= 7u32) { (c0 as f32) } else { (x1 as f32) })).abs() * 3.0) as usize % h1_add.len(); h1_add[bin5] += 1.0f32;
        }
        if (!((c0 as i32) != (k4 as i32))) {
            let bin6 = (((c0 as f32) + (x1 as f32)) as usize) % h2_xor.len(); h2_xor[bin6] = h2_xor[bin6] ^ ((c0 as i8).max((i3 as i8)) % 8 + (x1 as i8).wrapping_add((x1 as i8)) % 5);
        }
    }
}

fn r006(a0: &[u64; 90], c0: f64, h0_max: &mut [i16]) {
    for x1 in a0.iter().take(20) {
        let pair2 = ((*x1).min((*x1)), ((c0 as f32) - (c0 as f32)));
        let mut local3 = [5usize; 4];
        local3[(pair2.1 as usize) % 4] = ((pair2.1 as usize) % 8 + (pair2.1 as usize) % 5);
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || ((local3[1] as u8) >= (pair2.0 as u8)) {
                break turns5 * 2;
            }
        };
        if ((local3[1] as u64) != (pair2.1 as u64)) {
            let bin6 = ((found4 as f64).floor() as usize) % h0_max.len(); h0_max[bin6] = h0_max[bin6].max(((pair2.0 as f64).ceil() as i16));
        }
        match (pair2.1 as u32) % 4 {
            0 => { let bin7 = (((local3[(pair2.1 as usize) & 3] as u32).saturating_sub((found4 as u32)) % 8 + (local3[(pair2.1 as usize) & 3] as u32).rotate_left(10) % 5) & 15) as usize; h0_max[bin7] = h0_max[bin7].max(((local3[(pair2.1 as usize) & 3] as u16).abs_diff(((*x1) as u16)).count_ones() as i16)); }
            1..=2 => { let bin8 = (match (pair2.1 as u32) % 5 { 0 => (turns5 as usize), 1 | 3 => ((*x1) as usize), _ => local3[1].rotate_left(20) }).min(h0_max.len() - 1); h0_max[bin8] = h0_max[bin8].max((turns5 as i16)); }
            _ => {}
        }
    }
}

fn r007(a0: &[[usize; 6]], c0: u32, h0_add: &mut [isize; 16]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        match 3u32.wrapping_add(c0) % 4 {
            0 => { h0_add[(((row1[2] as f32).max((row1[2] as f32)) + (sum2 as f32).floor()).abs() * 3.0) as usize % 16] += (((row1[2] as isize) & (c0 as isize)) % 5); }
            1..=2 => { h0_add[((row1[2] as f32).abs() * 3.0) as usize % 16] = h0_add[((row1[2] as f32).abs() * 3.0) as usize % 16] + 1; }
            _ => {}
        }
        h0_add[((1i32.clamp(-20, 20) / 7i32).rem_euclid(16) as usize).min(16 - 1)] = h0_add[((1i32.clamp(-20, 20) / 7i32).rem_euclid(16) as usize).min(16 - 1)] + ((31isize / 31isize) % 5);
    }
}

fn r008(a0: &[u16], a1: &[u16], a2: &[u32], c0: u32, h0_wrap: &mut [[usize; 16]; 16], h1_wrap: &mut [[i8; 3]; 1]) {
    for ((&x1, &x2), &x3) in a0.iter().zip(a1).zip(a2) {
        let pair4 = ((x1 & 1u16), ((x2 as u32).trailing_zeros() as u8));
        let bin5 = (((x3 as f32) as i32).min((if ((x1 as u8) < (x3 as u8)) { (x2 as i32) } else { (c0 as i32) })).rem_euclid(16) as usize).min(16 - 1); let bin6 = ((pair4.1 as u64) / 2u64).abs_diff((c0 as u64).max((pair4.0 as u64))) as usize % 16; h0_wrap[bin5][bin6] = h0_wrap[bin5][bin6].wrapping_add(((((c0 as usize) >> 3) % 6) * (((x2 as f32) as usize) % 7)));
        h0_wrap[(1.0f32.floor().abs() * 3.0) as usize % 16][(i32::from(x1).rem_euclid(16) as usize).min(16 - 1)] = h0_wrap[(1.0f32.floor().abs() * 3.0) as usize % 16][(i32::from(x1).rem_euclid(16) as usize).min(16 - 1)].wrapping_add((c0 as usize));
        h1_wrap[usize::from(x1) % 1][u64::from(pair4.1) as usize % 3] = h1_wrap[usize::from(x1) % 1][u64::from(pair4.1) as usize % 3].wrapping_sub(((x2 as i8) | (pair4.1 as i8)));
    }
}

fn r009(a0: &Vec<i16>, a1: &Vec<u8>, a2: &Vec<u8>, t0: &[i32; 16], h0_sat: &mut [u64]) {
    for ((&x1, x2), x3) in a0.iter().zip(a1).zip(a2) {
        let mut acc4 = 0u64;
        for j5 in 0..3usize {
            acc4 = acc4.wrapping_add(((j5 as u64) & ((acc4 < 31u64) as u64)));
        }
        let bin6 = (acc4 as usize) % h0_sat.len(); h0_sat[bin6] = h0_sat[bin6].saturating_add((u64::from((*x2)) % 8 + ((*x3) as u64) % 5).wrapping_add((x1 as u64).wrapping_sub(acc4)));
    }
}

fn r010(a0: &[i64; 90], h0_wrap: &mut [i8; 64]) {
    for &x1 in a0.iter() {
        let v2 = ((x1 as u16).wrapping_sub((x1 as u16)) >> 14);
        let mut v3 = (u32::from(v2) * 1u32);
        if ((v2 as u64) == (x1 as u64)) {
            v3 &= u32::from(v2).max((x1 as u32));
        }
        let mut acc4 = 0u64;
        for j5 in 0..3usize {
            acc4 = acc4.wrapping_add(u64::from(v3));
        }
        let bin6 = ((acc4 as usize) % 3usize) % 64; h0_wrap[bin6] = h0_wrap[bin6].wrapping_add(((v3 as i8) | (v3 as i8).wrapping_sub((v3 as i8))));
        match ((acc4 as f32) as u32) % 4 {
            0 => { let bin7 = (((match (x1 as u32) % 5 { 0 => (v2 as u8), 1 | 3 => (v3 as u8), _ => (x1 as u8) }).leading_zeros() as i32).rem_euclid(16) as usize).min(64 - 1); h0_wrap[bin7] = h0_wrap[bin7].wrapping_sub((x1 as i8)); }
            1..=2 => { let bin8 = ((if ((x1 as u32) != (v2 as u32)) { (v2 as f32) } else { 1.0f32 }) as usize) % 64; h0_wrap[bin8] = h0_wrap[bin8].wrapping_sub(((v2 as i8) - 2i8)); }
            _ => {}
        }
    }
}

fn r011(a0: &[[i16; 2]], h0_add: &mut [u16; 1000]) {
    for &[x2, x3] in a0 {
        let v4: i64 = ((x2 as i64).rotate_left(28) | (x3 as i64).max(i64::from(x2)));
        let local5 = [i64::from(x2).rotate_left(7), i64::from(x3), 5i64];
        match ((x2 as u32) >> 1) % 4 {
            0 => { h0_add[(((local5[(x2 as usize) % 3] as f32) / (1.0 + (x3 as f32).abs())).abs().abs() * 3.0) as usize % 1000] += 1; }
            1..=2 => { let bin6 = (if ((v4 as u8) < (local5[(x2 as usize) % 3] as u8)) { (v4 as u64) } else { (x3 as u64) }).max(((x3 as f32) as u64)) as usize % 1000; h0_add[bin6] = h0_add[bin6] + ((local5[(x2 as usize) % 3] as i32) != (x2 as i32)) as u16; }
            _ => {}
        }
    }
}

fn r012(a0: &[i64], h0_add: &mut [[u64; 4]; 7]) {
    for &x1 in a0.iter().skip(2).take(30) {
        h0_add[(((x1 as f32) * (x1 as f32)).abs().sqrt().abs() * 3.0) as usize % 7][(((x1 as i32).wrapping_add((x1 as i32)) % 8 + (x1 as i32).wrapping_add((x1 as i32)) % 5).rem_euclid(16) as usize).min(4 - 1)] += (((x1 as u64) & (x1 as u64)) % 5);
        if (0.5f64 <= (x1 as f64)) {
            h0_add[(((x1 as u64) % 5u64) % 8 + ((x1 as f32) as u64) % 5) as usize % 7][((x1 as usize) & (31usize ^ (x1 as usize))) % 4] += (7u32 > (x1 as u32)) as u64;
        }
    }
}

fn r013(a0: &[usize], c0: f64, h0_wrap: &mut [usize], h1_wrap: &mut [i32; 1000]) {
    for p1 in a0.chunks_exact(2) {
        let k2 = MASK & 7u32;
        let mut local3 = [100usize; 4];
        local3[p1[1] % 4] = (c0 as usize).rotate_left(37);
        match (c0 as u32) % 4 {
            0 => { let bin4 = ((((local3[1] as u32) % 6) * ((local3[p1[1] & 3] as u32).wrapping_sub((p1[0] as u32)) % 7)) & 15) as usize; h0_wrap[bin4] = h0_wrap[bin4].wrapping_mul((((c0 as usize) % 6) * ((k2 as usize) % 7))); }
            1..=2 => { let bin5 = ((local3[1] as u64).abs_diff((local3[1] as u64)) | (k2 as u64).wrapping_sub((p1[1] as u64))) as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_mul((if ((31u64 > 100u64) || ((k2 as i32) >= (c0 as i32))) { (k2 as usize) } else { (c0 as usize) })); }
            _ => {}
        }
        let bin6 = (p1[1] as u64).min((local3[1] as u64).abs_diff(u64::from(k2))) as usize % 1000; h1_wrap[bin6] = h1_wrap[bin6].wrapping_sub(7i32);
    }
}

fn r014(a0: &[i64], r0_or: &mut u16, h0_add: &mut [f32]) {
    for p1 in a0.chunks_exact(3) {
        let k2 = WIDTH & 7usize;
        if ((p1[2] as i32) != (k2 as i32)) {
            *r0_or |= (match (p1[0] as u32).wrapping_mul((k2 as u32)) % 5 { 0 => ((k2 as f64) as u16), 1 | 3 => (p1[0] as u16), _ => 3u16 });
        }
        *r0_or |= 3u16;
        let bin3 = ((p1[0] as f64) as usize) % h0_add.len(); h0_add[bin3] += ((((p1[2] as f32) / (1.0 + (p1[1] as f32).abs())).abs().sqrt().clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        h0_add[((((p1[0] as u32) % 6) * ((k2 as u32) % 7)).wrapping_add(((p1[0] as u32) | (p1[0] as u32))) & 15) as usize] += 1.0f32;
    }
}

fn r015(a0: &[i64; 90], t0: &[u32; 16], h0_mul: &mut Vec<f32>) {
    for x1 in a0.iter().cloned() {
        let v2: f32;
        if (((t0[(x1 as usize) % 16] as u8) >= (x1 as u8)) && ((x1 as u64) == u64::from(t0[(x1 as usize) % 16]))) {
            v2 = (t0[(x1 as usize) % 16] as f32);
        } else {
            v2 = (t0[(x1 as usize) % 16] as f32);
        }
        if (((v2 as u8) != (v2 as u8)) || ((t0[(x1 as usize) % 16] as i32) == (v2 as i32))) {
            continue;
        }
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || (((x1 as u64) <= (x1 as u64)) && ((v2 as u8) < (x1 as u8))) {
                break turns4 * 2;
            }
        };
        h0_mul[((turns4 as u32) & 15) as usize] = h0_mul[((turns4 as u32) & 15) as usize] * ((if (turns4 as f32).abs() < 0.0 { -1.0f32 } else { 1.0f32 }) * (if (v2 / (1.0 + (x1 as f32).abs())) > 3.5 { 2.0f32 } else if (v2 / (1.0 + (x1 as f32).abs())) < -3.5 { 0.5f32 } else { 1.0f32 }));
        let bin5 = ((if ((x1 as u8) >= (found3 as u8)) { (t0[(x1 as usize) % 16] as usize) } else { (t0[(x1 as usize) % 16] as usize) }) / 100usize) % h0_mul.len(); h0_mul[bin5] = h0_mul[bin5] * ((if (t0[(x1 as usize) % 16] as f32) < 0.0 { -1.0f32 } else { 1.0f32 }) * (if v2.min((found3 as f32)) > 3.5 { 2.0f32 } else if v2.min((found3 as f32)) < -3.5 { 0.5f32 } else { 1.0f32 }));
    }
}

fn r016(a0: &Vec<u16>, h0_or: &mut [[u16; 3]; 16]) {
    for x1 in a0.iter().cloned() {
        let local2 = [(3i32 >> 28), i32::from(x1).wrapping_add(1i32), 3i32];
        if ((i32::from(x1) <= local2[(x1 as usize).wrapping_sub((x1 as usize)) % 3]) || (31i32 <= (x1 as i32))) {
            h0_or[((1.0f32 as usize) | (((x1 as usize) % 6) * ((local2[(x1 as usize).wrapping_sub((x1 as usize)) % 3] as usize) % 7))) % 16][((((x1 as i32) * 10i32) / 5i32).rem_euclid(16) as usize).min(3 - 1)] |= (x1 | (local2[(x1 as usize).wrapping_sub((x1 as usize)) % 3] as u16)).min((local2[(x1 as usize).wrapping_sub((x1 as usize)) % 3] as u16));
        }
    }
}

fn r017(a0: &Vec<i16>, a1: &[i8], t0: &[i8; 16], h0_both: &mut [u16]) {
    for (x1, &x2) in a0.iter().zip(a1.iter()) {
        let v3: usize = ((x2 as usize) - 100usize);
        let pair4 = ((((*x1) as i64) | (t0[((*x1) as usize) % 16] as i64)), ((x2 as usize) / 10usize));
        let v5: u32;
        if ((2u8 < 100u8) || ((v3 as i32) <= 31i32)) {
            v5 = ((v3 as u32) % 2u32);
        } else {
            v5 = (v3 as u32).abs_diff(1u32);
        }
        if (v5 > (t0[((*x1) as usize) % 16] as u32)) {
            h0_both[((x2 as u32).saturating_sub((t0[((*x1) as usize) % 16] as u32).saturating_sub(v5)) & 15) as usize] += 1;
        }
    }
}

fn r018(a0: &[f64; 90], t0: &[i8; 16], h0_min: &mut [u32]) {
    for x1 in a0.iter().cloned() {
        if (!((t0[((x1 as usize) >> 3) % 16] as f64) != (t0[((x1 as usize) >> 3) % 16] as f64))) {
            h0_min[(((5u32 >> 19) | ((t0[((x1 as usize) >> 3) % 16] as u32) % 8 + (x1 as u32) % 5)) & 15) as usize] = h0_min[(((5u32 >> 19) | ((t0[((x1 as usize) >> 3) % 16] as u32) % 8 + (x1 as u32) % 5)) & 15) as usize].min((if ((t0[((x1 as usize) >> 3) % 16] as i32) < (t0[((x1 as usize) >> 3) % 16] as i32)) { (match (x1 as u32) % 5 { 0 => (x1 as u32), 1 | 3 => (x1 as u32), _ => (x1 as u32) }) } else { (t0[((x1 as usize) >> 3) % 16] as u32).wrapping_sub((x1 as u32)) }));
        }
        let bin2 = ((x1 as u32).saturating_sub(5u32).abs_diff((((x1 as u32) != (x1 as u32)) as u32)) & 15) as usize; h0_min[bin2] = h0_min[bin2].min(((x1 as f32) as u32));
    }
}

fn r019(a0: &[u8; 90], h0_max: &mut [u32; 1000]) {
    for x1 in a0.iter() {
        let v2 = (*x1).saturating_sub((*x1)).wrapping_sub((0.1f32 as u8));
        let mut rest3 = ((v2 as u32) % 8 + ((*x1) as u32) % 5);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        if (3u64 == (v2 as u64)) {
            let bin5 = (count4 as usize).saturating_sub((count4 as usize)).min(1000 - 1); h0_max[bin5] = h0_max[bin5].max(count4);
        }
        if ((*x1) >= (*x1)) {
            h0_max[((((*x1) as f64) as usize) % 8 + (count4 as usize).min((count4 as usize)) % 5) % 1000] = h0_max[((((*x1) as f64) as usize) % 8 + (count4 as usize).min((count4 as usize)) % 5) % 1000].max(u32::from(v2));
        }
    }
}

fn r020(a0: &[u16], c0: i32, h0_min: &mut [f64; 7]) {
    for x1 in a0.iter().skip(2).take(30) {
        h0_min[(((*x1) as f32).max((0.1f32 * ((*x1) as f32))).abs() * 3.0) as usize % 7] = h0_min[(((*x1) as f32).max((0.1f32 * ((*x1) as f32))).abs() * 3.0) as usize % 7].min(((*x1) as f64).trunc());
        if (i32::from((*x1)) <= c0) {
            let bin2 = ((*x1) as usize).min(7 - 1); h0_min[bin2] = h0_min[bin2].min((((c0 as f64) + 0.1f64) / (1.0 + ((c0 as f64) * 0.1f64).abs())));
        }
    }
}

fn r021(a0: &[f32; 90], c0: f64, r0_add: &mut f32, h0_and: &mut [i8]) {
    for x1 in a0.iter().copied() {
        *r0_add = *r0_add + ((x1.clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        *r0_add += (((x1.abs().sqrt() / (1.0 + (c0 as f32).max(x1).abs())).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        if ((x1 as u64) == (c0 as u64)) {
            let bin2 = ((c0 as usize) % 10usize) % h0_and.len(); h0_and[bin2] = h0_and[bin2] & (match ((x1 as u32) & (x1 as u32)) % 5 { 0 => (x1 as i8), 1 | 3 => (x1 as i8), _ => (c0 as i8).saturating_sub((c0 as i8)) });
        }
        match (x1 as u32).wrapping_sub((x1 as u32)) % 4 {
            0 => { let bin3 = (c0 as usize).min(h0_and.len() - 1); h0_and[bin3] = h0_and[bin3] & ((x1 - (c0 as f32)) as i8); }
            1..=2 => { let bin4 = (x1.abs().sqrt().abs() * 3.0) as usize % h0_and.len(); h0_and[bin4] &= (match ((c0 as u32) | (c0 as u32)) % 5 { 0 => (c0 as i8).rotate_left(6), 1 | 3 => (x1 as i8).clamp(-20, 20), _ => ((c0 as f32) as i8) }); }
            _ => {}
        }
    }
}

fn r022(a0: &[i64; 90], h0_and: &mut [usize; 7]) {
    for p1 in a0.chunks_exact(2) {
        let mut v2 = (p1[1] as f32).trunc();
        if ((3u32 > (p1[0] as u32)) || ((p1[0] as u8) < (p1[1] as u8))) {
            v2 += (0.5f32 * (p1[1] as f32));
        }
        match ((v2 as u32) & (p1[1] as u32)) % 4 {
            0 => { h0_and[(((v2 as i32) % 2i32).clamp(-20, 20).rem_euclid(16) as usize).min(7 - 1)] &= (p1[0] as usize).abs_diff(((p1[0] as f64) as usize)); }
            1..=2 => { h0_and[(if (0.5f64 > (v2 as f64)) { (p1[0] as usize).min((v2 as usize)) } else { (p1[0] as usize).saturating_sub((p1[1] as usize)) }) % 7] &= (v2 as usize); }
            _ => {}
        }
    }
}

fn r023(a0: &[i16], h0_add: &mut [[u32; 4]; 16], h1_min: &mut Vec<f64>) {
    for x1 in a0.iter().cloned() {
        let bytes2 = (x1 as u16).to_le_bytes();
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || (((bytes2[0] as f64) > (bytes2[0] as f64)) || (3u64 < (bytes2[0] as u64))) {
                break turns4 * 2;
            }
        };
        let mut local5 = [1usize; 4];
        local5[usize::from(bytes2[1]) % 4] = (found3 as usize);
        if bytes2[0].is_ascii_digit() {
            h0_add[usize::from(bytes2[0]).saturating_sub(local5[usize::from(bytes2[1]) & 3]).max(usize::from(bytes2[0]).max(usize::from(bytes2[1]))).min(16 - 1)][((found3 as f32).abs() * 3.0) as usize % 4] += (1u32.wrapping_mul(2u32) % 5);
        }
        if bytes2[0].is_ascii_alphabetic() {
            let bin6 = (((5u32 ^ (x1 as u32)) & (x1 as u32)) & 15) as usize; h1_min[bin6] = h1_min[bin6].min(3.0f64.max((local5[usize::from(bytes2[1]) & 3] as f64).min((local5[1] as f64))));
        }
        if ((turns4 <= (local5[usize::from(bytes2[1]) & 3] as i32)) && bytes2[0].is_ascii_digit()) {
            let bin7 = (((local5[usize::from(bytes2[1]) & 3] as u32) ^ u32::from(bytes2[1]).wrapping_add(u32::from(bytes2[1]))) & 15) as usize; h1_min[bin7] = h1_min[bin7].min(((found3 as f64).ceil() / (1.0 + ((x1 as f64) / (1.0 + (turns4 as f64).abs())).abs())));
        }
    }
}

fn r024(a0: &Vec<i8>, h0_wrap: &mut [[u8; 4]], h1_wrap: &mut [i64; 1000], h2_max: &mut [i16]) {
    for &x1 in a0 {
        let k2 = WIDTH & 7usize;
        let mut rest3 = (match (x1 as u32) % 5 { 0 => (x1 as u8), 1 | 3 => (x1 as u8), _ => (k2 as u8) });
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let mut acc5 = 0u64;
        for j6 in 0..2usize {
            if ((k2 as i32) >= (k2 as i32)) {
                break;
            }
            acc5 = acc5.wrapping_add(((x1 as u64) & acc5).saturating_sub(((j6 as u64) & (k2 as u64))));
        }
        if ((x1 as u64) >= (x1 as u64)) {
            let bin7 = (1.0f32.min((-(count4 as f32))).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin7][(match (x1 as u32) % 5 { 0 => (count4 as usize).max((count4 as usize)), 1 | 3 => (acc5 as usize).abs_diff(100usize), _ => (if ((x1 as u64) >= (x1 as u64)) { 5usize } else { k2 }) }) % 4] = h0_wrap[bin7][(match (x1 as u32) % 5 { 0 => (count4 as usize).max((count4 as usize)), 1 | 3 => (acc5 as usize).abs_diff(100usize), _ => (if ((x1 as u64) >= (x1 as u64)) { 5usize } else { k2 }) }) % 4].wrapping_add((x1 as u8));
        }
        match ((x1 as u32) & count4) % 4 {
            0 => { let bin8 = ((acc5 as usize).max((acc5 as usize)) % 5usize) % h0_wrap.len(); let bin9 = (if ((acc5 as f64) == (acc5 as f64)) { (count4 as u64) } else { acc5 }) as usize % 4; h0_wrap[bin8][bin9] = h0_wrap[bin8][bin9].wrapping_add(((match (acc5 as u32) % 5 { 0 => (x1 as u8), 1 | 3 => (acc5 as u8), _ => (count4 as u8) }) & (acc5 as u8).wrapping_sub((k2 as u8)))); }
            1..=2 => { let bin10 = (((x1 as u32) % 1u32).wrapping_mul((5u32 & 100u32)) & 15) as usize; let bin11 = ((count4 as f64) as usize).rotate_left(12) % 4; h0_wrap[bin10][bin11] = h0_wrap[bin10][bin11].wrapping_add((count4 as u8)); }
            _ => {}
        }
        let bin12 = (3.0f32.sin() as usize).min(1000 - 1); h1_wrap[bin12] = h1_wrap[bin12].wrapping_add((((count4 as f32) / (1.0 + (k2 as f32).abs())) as i64));
        if ((x1 as u64) == acc5) {
            let bin13 = (((k2 as f32) - 2.25f32.floor()).abs() * 3.0) as usize % 1000; h1_wrap[bin13] = h1_wrap[bin13].wrapping_add((if (31u32 <= count4) { ((k2 as i64) * 3i64) } else { (k2 as i64).min(i64::from(count4)) }));
        }
        let bin14 = (count4 as u64) as usize % h2_max.len(); h2_max[bin14] = h2_max[bin14].max(((((count4 as i16) % 6) * ((x1 as i16) % 7)) / 10i16));
        match (((x1 as u32) < count4) as u32) % 4 {
            0 => { let bin15 = (100usize / 31usize).min(k2).min(h2_max.len() - 1); h2_max[bin15] = h2_max[bin15].max((count4 as i16)); }
            1..=2 => { let bin16 = ((k2 as u32) & 15) as usize; h2_max[bin16] = h2_max[bin16].max((k2 as i16)); }
            _ => {}
        }
    }
}

fn r025(a0: &[i32], h0_add: &mut [[f32; 16]], h1_wrap: &mut [i32]) {
    for x1 in a0.iter().copied() {
        match (x1 as u32) % 4 {
            0 => { let bin2 = ((x1 as usize) % 8 + (x1 as usize) % 5).saturating_sub((x1 as usize).rotate_left(2)) % h0_add.len(); h0_add[bin2][((x1 as usize) % 7usize).max(((x1 as u32).count_ones() as usize)) % 16] += (((((x1 as f32) + (x1 as f32)) * (x1 as f32)).clamp(-8.0, 8.0) * 16.0).round() / 16.0); }
            1..=2 => { h0_add[(((x1 as u16).rotate_left(3).leading_zeros() as u32) & 15) as usize][(x1 as usize).max((x1 as usize)).saturating_sub(((x1 as usize) ^ (x1 as usize))) % 16] += (((x1 as f32).sin() * 16.0).round() / 16.0); }
            _ => {}
        }
        let bin3 = (((x1 as u32) ^ (x1 as u32)).abs_diff(((x1 as u32) - 3u32)) & 15) as usize; h1_wrap[bin3] = h1_wrap[bin3].wrapping_add(((x1 as f64).trunc() as i32));
    }
}

fn r026(a0: &Vec<f64>, t0: &[u32; 16], h0_sub: &mut [i32]) {
    for &x1 in a0 {
        let bin2 = ((x1 as i32).rem_euclid(16) as usize).min(h0_sub.len() - 1); h0_sub[bin2] = h0_sub[bin2] - 1;
        if (((t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as u8) == (t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as u8)) || ((x1 as u32) == t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16])) {
            let bin3 = ((t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as u64).wrapping_mul(u64::from(t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16])) % 31u64) as usize % h0_sub.len(); h0_sub[bin3] -= (x1 != (t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as f64)) as i32;
        }
    }
}

fn r027(a0: &Vec<i8>, t0: &[u16; 16], h0_xor: &mut [i32]) {
    for x1 in a0.iter().copied() {
        let mut acc2 = 0u64;
        for j3 in 0..4usize {
            if ((j3 as u32) > (acc2 as u32)) {
                continue;
            }
            acc2 = acc2.wrapping_add((((acc2 as u8) ^ (x1 as u8)).trailing_zeros() as u64));
        }
        let mut rest4 = (x1 as u32);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        let bin6 = ((t0[((x1 as usize) ^ (x1 as usize)) % 16] as f32).abs() * 3.0) as usize % h0_xor.len(); h0_xor[bin6] ^= (count5 as i32);
        if (count5 <= (t0[((x1 as usize) ^ (x1 as usize)) % 16] as u32)) {
            let bin7 = ((3u32 != (t0[((x1 as usize) ^ (x1 as usize)) % 16] as u32)) as usize).wrapping_add((((acc2 as f64) < (acc2 as f64)) as usize)) % h0_xor.len(); h0_xor[bin7] = h0_xor[bin7] ^ i32::from(t0[((x1 as usize) ^ (x1 as usize)) % 16]);
        }
    }
}

fn r028(a0: &[i32], c0: f32, h0_wrap: &mut [[u8; 4]]) {
    for x1 in a0.iter().cloned() {
        let mut local2 = [0.5f64; 4];
        local2[(x1 as usize).rotate_left(59) % 4] = (c0 as f64);
        let mut v3 = ((local2[(x1 as usize).rotate_left(59) & 3] as i32) ^ 5i32);
        if (!(3u8 <= (local2[(x1 as usize).rotate_left(59) & 3] as u8))) {
            v3 ^= (((local2[1] as i32) % 6) * ((local2[(x1 as usize).rotate_left(59) & 3] as i32) % 7));
        }
        if (!(x1 == (local2[1] as i32))) {
            let bin4 = (c0 as usize).min(h0_wrap.len() - 1); h0_wrap[bin4][(c0 as usize) % 4] = h0_wrap[bin4][(c0 as usize) % 4].wrapping_sub(31u8);
        }
        let bin5 = (3.0f32.abs().abs().abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin5][((if ((c0 as i32) == (local2[(x1 as usize).rotate_left(59) & 3] as i32)) { (local2[1] as usize) } else { (local2[1] as usize) }) >> 48) % 4] = h0_wrap[bin5][((if ((c0 as i32) == (local2[(x1 as usize).rotate_left(59) & 3] as i32)) { (local2[1] as usize) } else { (local2[1] as usize) }) >> 48) % 4].wrapping_add((match (v3 as u32) % 5 { 0 => (x1 as u8).abs_diff((local2[(x1 as usize).rotate_left(59) & 3] as u8)), 1 | 3 => (10u8 | (v3 as u8)), _ => ((v3 as u16).leading_zeros() as u8) }));
    }
}

fn r029(a0: &[[f32; 6]; 90], c0: f32, h0_add: &mut [f64]) {
    for row1 in a0 {
        for x2 in row1 {
            let k3 = WIDTH & 7usize;
            let bin4 = (c0 as usize).saturating_sub(((*x2) as usize)).rotate_left(52) % h0_add.len(); h0_add[bin4] = h0_add[bin4] + ((((*x2) as f64).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        }
    }
}

fn r030(a0: &[i32], c0: i32, h0_wrap: &mut [u16]) {
    for x1 in a0 {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (c0 < (*x1)) {
                break turns3 * 2;
            }
        };
        let mut acc4 = 0u64;
        for j5 in 0..4usize {
            acc4 = acc4.wrapping_add((((turns3 as f64) == ((*x1) as f64)) as u64).saturating_sub(7u64.wrapping_sub(((*x1) as u64))));
        }
        let bin6 = (((*x1) as f32).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin6] = h0_wrap[bin6].wrapping_mul(((((turns3 as u16) & ((*x1) as u16)) % 6) * ((match ((*x1) as u32) % 5 { 0 => (acc4 as u16), 1 | 3 => ((*x1) as u16), _ => (acc4 as u16) }) % 7)));
        let bin7 = (((turns3 as f32).abs().sqrt() as u32) & 15) as usize; h0_wrap[bin7] = h0_wrap[bin7].wrapping_mul((if ((c0 as f64) >= (turns3 as f64)) { (found2 as u16) } else { (c0 as u16) }).saturating_sub((((*x1) as u16) & (acc4 as u16))));
    }
}

fn r031(a0: &Vec<u32>, h0_both: &mut [u32; 1000]) {
    for x1 in a0.iter().cloned() {
        match ((x1 as f32) as u32) % 4 {
            0 => { h0_both[((x1 as u64) / 10u64).max((x1 as u64)) as usize % 1000] += ((x1 ^ x1) % 5); }
            1..=2 => { h0_both[(((x1 as u8) > (x1 as u8)) as usize) % 1000] += ((x1 as i32) == (x1 as i32)) as u32; }
            _ => {}
        }
    }
}

fn r032(a0: &[[i32; 6]], h0_wrap: &mut [usize; 7], h1_and: &mut [i16; 1000], h2_min: &mut [[i64; 4]; 16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut rest3 = (y1 as u32);
            let mut count4 = 0u32;
            while rest3 > 0 {
                rest3 >>= 1;
                count4 += 1;
            }
            let bytes5 = 2i64.wrapping_add(i64::from(a0[y1][x2])).to_le_bytes();
            let mut acc6 = 0u64;
            for j7 in 0..5usize {
                if ((y1 as f64) != (acc6 as f64)) {
                    continue;
                }
                acc6 = acc6.wrapping_add((((count4 as u64) % 6) * ((a0[y1][x2] as u64) % 7)));
            }
            if (((count4 as u8) != bytes5[1]) && (acc6 != 10u64)) {
                h0_wrap[(a0[y1][x2] as usize) % 7] = h0_wrap[(a0[y1][x2] as usize) % 7].wrapping_sub((x2 / 100usize));
            }
            let bin8 = ((if bytes5[0].is_ascii_digit() { 0.5f32.ceil() } else { 2.25f32 }).abs() * 3.0) as usize % 7; h0_wrap[bin8] = h0_wrap[bin8].wrapping_sub(y1);
            h1_and[(x2 % 8 + (acc6 as usize).wrapping_add(usize::from(bytes5[0])) % 5) % 1000] &= (acc6 as i16);
            let bin9 = (((a0[y1][x2] as usize) % 8 + (count4 as usize) % 5) % 2usize) % 16; let bin10 = (((a0[y1][x2].max((x2 as i32)) % 6) * (((x2 as i32) ^ i32::from(bytes5[1])) % 7)).rem_euclid(16) as usize).min(4 - 1); h2_min[bin9][bin10] = h2_min[bin9][bin10].min((x2 as i64).rotate_left(46).min((acc6 as i64)));
            if (!((y1 as i32) >= a0[y1][x2])) {
                h2_min[(usize::from(bytes5[1]) / 2usize) % 16][(a0[y1][x2] as usize) % 4] = h2_min[(usize::from(bytes5[1]) / 2usize) % 16][(a0[y1][x2] as usize) % 4].min((((y1 as u8) > (acc6 as u8)) as i64));
            }
        }
    }
}

fn r033(a0: &Vec<u32>, a1: &[usize], t0: &[i64; 16], h0_xor: &mut Vec<u8>, h1_and: &mut [[i8; 16]; 1]) {
    for (&x1, x2) in a0.iter().zip(a1.iter()) {
        let bin3 = ((x1 as i32).rem_euclid(16) as usize).min(h0_xor.len() - 1); h0_xor[bin3] ^= (if (((*x2) as f64) == (t0[((x1 as usize) % 31usize) % 16] as f64)) { (t0[((x1 as usize) % 31usize) % 16] as u8) } else { (x1 as u8) }).wrapping_mul(((*x2) as u8).abs_diff(((*x2) as u8)));
        let bin4 = ((x1 | (match (t0[((x1 as usize) % 31usize) % 16] as u32) % 5 { 0 => (t0[((x1 as usize) % 31usize) % 16] as u32), 1 | 3 => x1, _ => ((*x2) as u32) })) & 15) as usize; h0_xor[bin4] = h0_xor[bin4] ^ 100u8;
        h1_and[(((*x2) as i32).rem_euclid(16) as usize).min(1 - 1)][(x1 as u64).wrapping_sub((x1 as u64)).rotate_left(16) as usize % 16] &= ((x1 as i8) % 7i8);
    }
}

fn r034(a0: &[u16], h0_sat: &mut [u16]) {
    for x1 in a0.iter().cloned() {
        let (p2, q3) = ((if (2u64 >= (x1 as u64)) { (x1 as u8) } else { (x1 as u8) }), usize::from(x1).wrapping_add(2usize));
        let v4: i16;
        if (((x1 as u32) <= (q3 as u32)) || (p2 < (x1 as u8))) {
            v4 = ((x1 as f64) as i16);
        } else {
            v4 = ((q3 as i16) / 2i16);
        }
        let mut local5 = [3i16; 4];
        local5[((p2 as f64) as usize) % 4] = (((q3 as u64) < u64::from(x1)) as i16);
        h0_sat[(100u32.wrapping_add(((q3 as u32) | (q3 as u32))) & 15) as usize] = h0_sat[(100u32.wrapping_add(((q3 as u32) | (q3 as u32))) & 15) as usize].saturating_add(5u16);
        if (!((p2 as u64) < 5u64)) {
            let bin6 = (u32::from(x1) & 15) as usize; h0_sat[bin6] = h0_sat[bin6].saturating_add(((local5[1] as u16).rotate_left(8) >> 8));
        }
    }
}

fn r035(a0: &Vec<u8>, a1: &[i32], h0_add: &mut [f64; 64], h1_add: &mut [i64; 16]) {
    for (&x1, &x2) in a0.iter().zip(a1.iter()) {
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || (u32::from(x1) < 5u32) {
                break turns4 * 2;
            }
        };
        let mut v5 = x2;
        if ((found3 as f64) >= (found3 as f64)) {
            v5 &= ((x1 as i64).trailing_zeros() as i32);
        }
        let mut acc6 = 0u64;
        for j7 in 0..3usize {
            acc6 = acc6.wrapping_add(10u64.saturating_sub(((j7 as u64) % 2u64)));
        }
        h0_add[(100usize.max((found3 as usize)) | (v5 as usize)).min(64 - 1)] += (((if (i32::from(x1) == (x1 as i32)) { (acc6 as f64) } else { (found3 as f64) }).min((acc6 as f64)).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        h0_add[(acc6 as usize) % 64] += (((((found3 as f64) - (x1 as f64)) - (-(turns4 as f64))).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        let bin8 = (x2 as usize).min(16 - 1); h1_add[bin8] = h1_add[bin8] + (i64::from(x2).clamp(-20, 20) % 5);
        if ((v5 as u8) >= (acc6 as u8)) {
            h1_add[((x2 * 2i32).wrapping_add(turns4).rem_euclid(16) as usize).min(16 - 1)] += 1;
        }
    }
}

fn r036(a0: &[i64; 90], h0_max: &mut [[i8; 4]; 1]) {
    for i1 in 0..a0.len() {
        let mut rest2 = 5u64;
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        if ((i1 as u8) == (count3 as u8)) {
            let bin4 = (((a0[i1] as i32) - 5i32).rem_euclid(16) as usize).min(1 - 1); let bin5 = 7usize % 4; h0_max[bin4][bin5] = h0_max[bin4][bin5].max(2i8);
        }
        let bin6 = ((count3 as f32).min((i1 as f32)).max(((count3 as f32) * (a0[i1] as f32))).abs() * 3.0) as usize % 1; let bin7 = (((i1 as f32) as u16).count_ones() as usize).min(4 - 1); h0_max[bin6][bin7] = h0_max[bin6][bin7].max((count3 as i8));
    }
}

fn r037(a0: &[[i16; 6]; 90], h0_both: &mut [i64; 1000], h1_sub: &mut [[u8; 4]], h2_or: &mut [usize]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3: u32 = MASK;
            let pair4 = ((x2 as f64).abs().sqrt(), a0[y1][x2]);
            let mut rest5 = (a0[y1][x2] as u8);
            let mut count6 = 0u32;
            while rest5 > 0 {
                rest5 >>= 1;
                count6 += 1;
            }
            if ((k3 as u64) >= (a0[y1][x2] as u64)) {
                continue;
            }
            h0_both[((((y1 as f64) as usize) % 6) * (y1 % 7)).min(1000 - 1)] += ((y1 as i64) % 5);
            match (match (a0[y1][x2] as u32) % 5 { 0 => 31u32, 1 | 3 => k3, _ => (pair4.0 as u32) }) % 4 {
                0 => { let bin7 = ((a0[y1][x2] as f32).abs() * 3.0) as usize % h1_sub.len(); h1_sub[bin7][(((x2 >> 33) % 6) * ((match (pair4.0 as u32) % 5 { 0 => (pair4.1 as usize), 1 | 3 => (count6 as usize), _ => (a0[y1][x2] as usize) }) % 7)).min(4 - 1)] -= (31i32 != (k3 as i32)) as u8; }
                1..=2 => { let bin8 = ((count6 as i32).rem_euclid(16) as usize).min(h1_sub.len() - 1); h1_sub[bin8][(((count6 as f32) * (pair4.0 as f32)) as usize) % 4] -= 1; }
                _ => {}
            }
            let bin9 = ((count6 as i32).rem_euclid(16) as usize).min(h1_sub.len() - 1); h1_sub[bin9][100usize % 4] = h1_sub[bin9][100usize % 4] - 1;
            match (pair4.0 as u32) % 4 {
                0 => { let bin10 = (((a0[y1][x2] as u64) & (pair4.0 as u64)) % 8 + (pair4.0 as u64).wrapping_sub((pair4.1 as u64)) % 5) as usize % h2_or.len(); h2_or[bin10] |= x2; }
                1..=2 => { h2_or[(((pair4.1 as u32) | ((pair4.1 as u32) | count6)) & 15) as usize] |= (a0[y1][x2] as usize); }
                _ => {}
            }
        }
    }
}

fn r038(a0: &Vec<[usize; 6]>, h0_xor: &mut Vec<u8>, h1_or: &mut [[i8; 4]; 16], h2_and: &mut [[u64; 16]; 1]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3: u32 = MASK;
            let bin4 = (0.1f32.abs() * 3.0) as usize % h0_xor.len(); h0_xor[bin4] = h0_xor[bin4] ^ (x2 as u8);
            let bin5 = (k3.wrapping_add(((a0[y1][x2] as u32) * 3u32)) & 15) as usize; h0_xor[bin5] = h0_xor[bin5] ^ (((x2 as u8) % 6) * ((a0[y1][x2] as u8) % 7));
            h1_or[((y1 as f32).abs().abs().abs() * 3.0) as usize % 16][(a0[y1][x2] ^ x2).wrapping_add(((y1 as f64) as usize)).min(4 - 1)] |= (if ((a0[y1][x2] as i32) < (y1 as i32)) { (a0[y1][x2] as i8) } else { (k3 as i8) }).rotate_left(3);
            h1_or[(k3 as u64) as usize % 16][x2 % 4] |= ((a0[y1][x2] as i8) | (y1 as i8).clamp(-20, 20));
            match ((a0[y1][x2] as u32).trailing_zeros() as u32) % 4 {
                0 => { h2_and[((k3 as f32).min((-(x2 as f32))).abs() * 3.0) as usize % 1][(k3 as usize).max((y1 / 7usize)) % 16] = h2_and[((k3 as f32).min((-(x2 as f32))).abs() * 3.0) as usize % 1][(k3 as usize).max((y1 / 7usize)) % 16] & ((y1 as u64) * 2u64); }
                1..=2 => { let bin6 = (x2 % 8 + y1 % 5) % 1; let bin7 = (match ((x2 as u32) | k3) % 5 { 0 => ((k3 as f64) as usize), 1 | 3 => x2.wrapping_mul(y1), _ => (k3 as usize).min((k3 as usize)) }) % 16; h2_and[bin6][bin7] = h2_and[bin6][bin7] & (a0[y1][x2] as u64); }
                _ => {}
            }
        }
    }
}

fn r039(a0: &[i32], h0_wrap: &mut [i16; 256], h1_max: &mut [f64; 7]) {
    for x1 in a0.iter().copied() {
        let v2 = (x1 as i8).wrapping_sub((x1 as i8)).min((((x1 as i8) % 6) * ((x1 as i8) % 7)));
        let v3 = ((if ((v2 as u8) >= (x1 as u8)) { (v2 as f32) } else { (x1 as f32) }) as usize);
        let mut acc4 = 0u64;
        for j5 in 0..4usize {
            acc4 = acc4.wrapping_add(((j5 as u64) ^ acc4));
        }
        match ((acc4 as u32) % 8 + (v2 as u32) % 5) % 4 {
            0 => { let bin6 = ((v2 as f64) as usize) % 256; h0_wrap[bin6] = h0_wrap[bin6].wrapping_add((x1 as i16).wrapping_add((acc4 as i16)).clamp(-20, 20)); }
            1..=2 => { let bin7 = ((v2 as u8).max((v2 as u8)) | ((acc4 as u8) & (x1 as u8))) as usize; h0_wrap[bin7] = h0_wrap[bin7].wrapping_add((v2 as i16)); }
            _ => {}
        }
        match (x1 as u32) % 4 {
            0 => { h0_wrap[((v3 % 6) * ((x1 as usize).min(v3) % 7)) % 256] = h0_wrap[((v3 % 6) * ((x1 as usize).min(v3) % 7)) % 256].wrapping_add((v2 as i16)); }
            1..=2 => { let bin8 = (acc4 as usize).min(256 - 1); h0_wrap[bin8] = h0_wrap[bin8].wrapping_add(10i16.saturating_sub((x1 as i16)).wrapping_mul((match (acc4 as u32) % 5 { 0 => (v3 as i16), 1 | 3 => (acc4 as i16), _ => (x1 as i16) }))); }
            _ => {}
        }
        if (!(1u64 < 5u64)) {
            h1_max[((((v2 as u64) != (v2 as u64)) as i32).rem_euclid(16) as usize).min(7 - 1)] = h1_max[((((v2 as u64) != (v2 as u64)) as i32).rem_euclid(16) as usize).min(7 - 1)].max((v3 as f64));
        }
        if (((acc4 as i32) == i32::from(v2)) && ((x1 as u8) == (v3 as u8))) {
            h1_max[(x1.wrapping_add((v3 as i32)).wrapping_add((acc4 as i32).max((acc4 as i32))).rem_euclid(16) as usize).min(7 - 1)] = h1_max[(x1.wrapping_add((v3 as i32)).wrapping_add((acc4 as i32).max((acc4 as i32))).rem_euclid(16) as usize).min(7 - 1)].max((v3 as f64).max((v2 as f64)).min((v2 as f64).trunc()));
        }
    }
}

plain:

fn r040(a0: &Vec<u16>, h0_add: &mut [u64; 7]) {
    for x1 in a0.iter().cloned() {
        h0_add[10usize % 7] += 1;
        match (match (x1 as u32) % 5 { 0 => (x1 as u32), 1 | 3 => u32::from(x1), _ => u32::from(x1) }) % 4 {
            0 => { h0_add[u64::from(x1).abs_diff((x1 as u64)).saturating_sub((x1 as u64)) as usize % 7] += 1; }
            1..=2 => { h0_add[((x1 as usize) * 2usize).min(7 - 1)] += ((x1 as u64) != u64::from(x1)) as u64; }
            _ => {}
        }
    }
}

fn r041(a0: &Vec<i64>, c0: u32, h0_wrap: &mut [i64]) {
    for &x1 in a0 {
        let k2 = WIDTH & 7usize;
        let mut acc3 = 0u64;
        for j4 in 0..2usize {
            acc3 = acc3.wrapping_add((((0.1f64 as u64) % 6) * (((j4 as u64) >> 2) % 7)));
        }
        let pair5 = ((((x1 as i32) >= (x1 as i32)) as u64), (x1 + 1i64));
        let bin6 = ((pair5.1 as u64).min((x1 as u64)) >> 57) as usize % h0_wrap.len(); h0_wrap[bin6] = h0_wrap[bin6].wrapping_add((0.1f32.abs().sqrt() as i64));
    }
}

fn r042(a0: &[[u16; 6]], t0: &[usize; 16], h0_wrap: &mut [u64; 16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let bin3 = y1.max(usize::from(a0[y1][x2])) % 16; h0_wrap[bin3] = h0_wrap[bin3].wrapping_mul((t0[(((y1 as i32) != 10i32) as usize) % 16] as u64).saturating_sub((t0[(((y1 as i32) != 10i32) as usize) % 16] as u64).rotate_left(50)));
        }
    }
}

fn r043(a0: &[[i8; 6]; 90], c0: f64, h0_add: &mut [usize], h1_sat: &mut [u64; 1000]) {
    for row1 in a0 {
        for x2 in row1 {
            let v3 = (c0 as f32);
            let mut v4 = (c0 as u16);
            if ((v3 as u8) == (c0 as u8)) {
                v4 &= ((c0 as u16) - 31u16);
            }
            h0_add[(1u32.wrapping_add(((v3 as f64) as u32)) & 15) as usize] += (((*x2) as usize) % 5);
            let bin5 = ((c0 as i32).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin5] += 1;
            let bin6 = ((v3 as usize).wrapping_sub((v3 as usize)) >> 16) % 1000; h1_sat[bin6] = h1_sat[bin6].saturating_add(((*x2) as u64).min((v4 as u64)).min((c0 as u64).min((v4 as u64))));
        }
    }
}

fn r044(a0: &Vec<u8>, c0: f64, h0_add: &mut [[u16; 3]], h1_mul: &mut [[f32; 4]], h2_wrap: &mut [u64]) {
    for &x1 in a0.iter().step_by(2) {
        let k2 = MASK & 7u32;
        let v3 = (k2 as i16);
        let mut rest4 = ((v3 as u64) / 2u64);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        let bin6 = ((if (u64::from(x1) >= (v3 as u64)) { (v3 as i32).saturating_sub((c0 as i32)) } else { i32::from(x1) }).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin6][100usize % 3] += 1;
        h1_mul[((k2 >> 11) & 15) as usize][u64::from(x1) as usize % 4] = h1_mul[((k2 >> 11) & 15) as usize][u64::from(x1) as usize % 4] * ((if (v3 as f32) < 0.0 { -1.0f32 } else { 1.0f32 }) * (if (v3 as f32).max((k2 as f32)) > 3.5 { 2.0f32 } else if (v3 as f32).max((k2 as f32)) < -3.5 { 0.5f32 } else { 1.0f32 }));
        if (u64::from(k2) < (count5 as u64)) {
            let bin7 = ((k2 >> 12).max(k2) & 15) as usize; h2_wrap[bin7] = h2_wrap[bin7].wrapping_mul(1u64.rotate_left(56));
        }
    }
}

fn r045(a0: &[u64], h0_add: &mut [[u8; 3]; 7]) {
    for x1 in a0.iter().copied() {
        h0_add[(match (7u16.leading_zeros() as u32) % 5 { 0 => (x1 as usize).abs_diff((x1 as usize)), 1 | 3 => (x1 as usize).wrapping_mul(7usize), _ => (x1 as usize).wrapping_add((x1 as usize)) }) % 7][((x1 as f32).ceil().max((3.0f32 + (x1 as f32))).abs() * 3.0) as usize % 3] += 1;
        h0_add[5usize % 7][x1 as usize % 3] += ((x1 as u32) <= (x1 as u32)) as u8;
    }
}

fn r046(s: &str, c0: f32, t0: &[i32; 16], h0_both: &mut Vec<usize>) {
    for b1 in s.bytes() {
        let mut rest2 = (b1 as u32);
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        if ((t0[(c0 as usize) % 16] == (b1 as i32)) || (b1 > 10u8)) {
            continue;
        }
        let mut acc4 = 0u64;
        for j5 in 0..1usize {
            if ((count3 as f64) > (count3 as f64)) {
                continue;
            }
            acc4 = acc4.wrapping_add((((t0[(c0 as usize) % 16] as f64) as u64) & (b1.is_ascii_digit() as u64)));
        }
        match (100u32 >> 27) % 4 {
            0 => { let bin6 = ((((acc4 as i32) != (acc4 as i32)) as u64) & (t0[(c0 as usize) % 16] as u64)) as usize % h0_both.len(); h0_both[bin6] += ((5u32 >= (b1 as u32)) || (acc4 == (c0 as u64))) as usize; }
            1..=2 => { let bin7 = ((count3 as i32).rem_euclid(16) as usize).min(h0_both.len() - 1); h0_both[bin7] += ((count3 as f64) < (c0 as f64)) as usize; }
            _ => {}
        }
        match ((b1 as f32) as u32) % 4 {
            0 => { let bin8 = (((count3 as usize) | 10usize) % 3usize) % h0_both.len(); h0_both[bin8] = h0_both[bin8] - (7usize.wrapping_add((acc4 as usize)) % 5); }
            1..=2 => { let bin9 = (count3 as usize) % h0_both.len(); h0_both[bin9] = h0_both[bin9] - 1; }
            _ => {}
        }
    }
}

fn r047(a0: &Vec<i16>, t0: &[usize; 16], h0_and: &mut [u8]) {
    for &x1 in a0 {
        let bin2 = ((t0[(x1 as usize) % 16] & 31usize) % 8 + t0[(x1 as usize) % 16] % 5) % h0_and.len(); h0_and[bin2] &= (x1 as u8);
    }
}

fn r048(a0: &[i32], n: usize, t0: &[i32; 16], h0_both: &mut [u16]) {
    for i1 in 0..n {
        if (((a0[i1] as f64) > (a0[i1] as f64)) && (t0[((i1 as f32) as usize) % 16] == t0[((i1 as f32) as usize) % 16])) {
            continue;
        }
        let mut v2 = (1.0f32 as u16);
        if (t0[((i1 as f32) as usize) % 16] < t0[((i1 as f32) as usize) % 16]) {
            v2 &= ((t0[((i1 as f32) as usize) % 16] as u16) | (i1 as u16));
        }
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || (((a0[i1] as u32) <= (i1 as u32)) || ((t0[((i1 as f32) as usize) % 16] as u32) != (a0[i1] as u32))) {
                break turns4 * 2;
            }
        };
        let bin5 = (if (found3 >= a0[i1]) { (a0[i1] as u64) } else { ((turns4 as u64) & 1u64) }) as usize % h0_both.len(); h0_both[bin5] = h0_both[bin5] - ((found3 as f64) >= (found3 as f64)) as u16;
        if (3.0f64 == (t0[((i1 as f32) as usize) % 16] as f64)) {
            let bin6 = usize::from(v2).abs_diff(usize::from(v2)).saturating_sub(((turns4 as usize) >> 19)).min(h0_both.len() - 1); h0_both[bin6] -= ((turns4 as u64) == 5u64) as u16;
        }
    }
}

fn r049(a0: &[[i8; 6]; 90], t0: &[i16; 16], h0_sat: &mut [usize], h1_both: &mut [[f64; 3]], h2_mul: &mut [f64; 256]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let v3: u64;
            if ((x2 as u64) < (x2 as u64)) {
                v3 = (a0[y1][x2] as u64);
            } else {
                v3 = (match (t0[y1.wrapping_add((a0[y1][x2] as usize)) % 16] as u32) % 5 { 0 => (a0[y1][x2] as u64), 1 | 3 => (y1 as u64), _ => (x2 as u64) });
            }
            let bin4 = ((y1 as f32).abs() * 3.0) as usize % h0_sat.len(); h0_sat[bin4] = h0_sat[bin4].saturating_add(((v3 as usize) >> 54).wrapping_add(((x2 as f32) as usize)));
            let bin5 = ((y1 as f64).abs() as usize) % h1_both.len(); h1_both[bin5][y1.wrapping_mul(((a0[y1][x2] as usize) ^ 7usize)) % 3] = h1_both[bin5][y1.wrapping_mul(((a0[y1][x2] as usize) ^ 7usize)) % 3] - ((((x2 as f64) * (a0[y1][x2] as f64)).sin() * 16.0).round() / 16.0);
            if (((t0[y1.wrapping_add((a0[y1][x2] as usize)) % 16] as u32) >= (v3 as u32)) || ((y1 as u32) >= (t0[y1.wrapping_add((a0[y1][x2] as usize)) % 16] as u32))) {
                h2_mul[((-(y1 as f32)).abs() * 3.0) as usize % 256] *= ((if (y1 as f64) < 0.0 { -1.0f64 } else { 1.0f64 }) * (if (a0[y1][x2] as f64).min((y1 as f64)) > 3.5 { 2.0f64 } else if (a0[y1][x2] as f64).min((y1 as f64)) < -3.5 { 0.5f64 } else { 1.0f64 }));
            }
        }
    }
}

fn r050(a0: &Vec<usize>, c0: f32, h0_or: &mut [u32], h1_wrap: &mut [isize; 64], h2_max: &mut [[u8; 16]]) {
    for x1 in a0.iter().cloned() {
        let v2: f32 = c0;
        let mut local3 = [0.5f32; 4];
        local3[(((x1 as u32) == (c0 as u32)) as usize) % 4] = (if ((c0 as i32) < (x1 as i32)) { (x1 as f32) } else { c0 });
        let v4: f32 = v2.ceil();
        match (c0 as u32).max((local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as u32)) % 4 {
            0 => { let bin5 = ((x1 as i32).clamp(-20, 20).saturating_sub((local3[1] as i32)).rem_euclid(16) as usize).min(h0_or.len() - 1); h0_or[bin5] |= (local3[1] as u32); }
            1..=2 => { h0_or[((match (if ((local3[1] as u64) <= (local3[1] as u64)) { (c0 as u32) } else { (v4 as u32) }) % 5 { 0 => (x1 as u32).max((v4 as u32)), 1 | 3 => ((c0 as u32) & 2u32), _ => (((x1 as u32) % 6) * ((c0 as u32) % 7)) }) & 15) as usize] |= ((c0 as u32) & (c0 as u32)).saturating_sub(((local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as u32).trailing_zeros() as u32)); }
            _ => {}
        }
        match (((x1 as f64) > (v4 as f64)) as u32) % 4 {
            0 => { let bin6 = ((match (c0 as u32) % 5 { 0 => (local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as usize), 1 | 3 => x1, _ => (c0 as usize) }) | ((local3[1] as usize) * 7usize)) % 64; h1_wrap[bin6] = h1_wrap[bin6].wrapping_sub((c0 as isize)); }
            1..=2 => { let bin7 = (local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as usize).wrapping_sub(((c0 as f64) as usize)).min(64 - 1); h1_wrap[bin7] = h1_wrap[bin7].wrapping_sub((7isize & ((local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as isize) & (local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as isize)))); }
            _ => {}
        }
        if ((v4 as u32) == (x1 as u32)) {
            h2_max[((((v2 as u32).leading_zeros() as u32) % 8 + ((local3[1] as u16).leading_zeros() as u32) % 5) & 15) as usize][(v2 as usize) % 16] = h2_max[((((v2 as u32).leading_zeros() as u32) % 8 + ((local3[1] as u16).leading_zeros() as u32) % 5) & 15) as usize][(v2 as usize) % 16].max((((local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as u8).wrapping_sub((v2 as u8)) % 6) * ((x1 as u8) % 7)));
        }
        match ((x1 as u32) ^ (c0 as u32)) % 4 {
            0 => { let bin8 = (((v4 as f64).min(2.25f64) as u32) & 15) as usize; let bin9 = (v4 as usize).min(16 - 1); h2_max[bin8][bin9] = h2_max[bin8][bin9].max((((v2 as u64) >= (local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as u64)) as u8)); }
            1..=2 => { let bin10 = (match (((v4 as u32) % 6) * (31u32 % 7)) % 5 { 0 => (local3[1] as usize), 1 | 3 => ((local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as f64) as usize), _ => (local3[(((x1 as u32) == (c0 as u32)) as usize) & 3] as usize).wrapping_mul((local3[1] as usize)) }) % h2_max.len(); h2_max[bin10][((v4 as i32).rem_euclid(16) as usize).min(16 - 1)] = h2_max[bin10][((v4 as i32).rem_euclid(16) as usize).min(16 - 1)].max((v4 as u8)); }
            _ => {}
        }
    }
}

fn r051(a0: &[[u32; 6]], h0_min: &mut [i8; 256]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        if (u64::from(sum2) > (sum2 as u64)) {
            continue;
        }
        let local4 = [(row1[2] as u8).abs_diff((sum2 as u8)), ((sum2 as f32) as u8), 31u8];
        match (if ((row1[2] as f64) < (row1[2] as f64)) { row1[2] } else { row1[2] }) % 4 {
            0 => { let bin5 = (sum2 as usize) % 256; h0_min[bin5] = h0_min[bin5].min((if ((row1[2] as u8) < (row1[2] as u8)) { (row1[2] as i8) } else { (sum2 as i8) }).max((local4[((row1[2] as f64) as usize) % 3] as i8).min((local4[((row1[2] as f64) as usize) % 3] as i8)))); }
            1..=2 => { let bin6 = (row1[2] as u8).max((row1[2] as u8)) as usize; h0_min[bin6] = h0_min[bin6].min((local4[((row1[2] as f64) as usize) % 3] as i8)); }
            _ => {}
        }
        let bin7 = (((local4[((row1[2] as f64) as usize) % 3] as i32).clamp(-20, 20) / 100i32).rem_euclid(16) as usize).min(256 - 1); h0_min[bin7] = h0_min[bin7].min((local4[((row1[2] as f64) as usize) % 3] as i8));
    }
}

fn r052(a0: &[i8], r0_and: &mut i16) {
    for i1 in 0..a0.len() {
        match (a0[i1] as u32).wrapping_add((a0[i1] as u32)) % 4 {
            0 => { *r0_and = *r0_and & (2.25f64.trunc() as i16); }
            1..=2 => { *r0_and &= ((i1 as i16).saturating_sub((i1 as i16)) % 8 + (if ((a0[i1] as u64) <= (a0[i1] as u64)) { (i1 as i16) } else { (a0[i1] as i16) }) % 5); }
            _ => {}
        }
    }
}

fn r053(a0: &[u64], a1: &[u16], c0: f32, h0_or: &mut [i16; 1000]) {
    for (i3, (x1, x2)) in a0.iter().zip(a1).enumerate() {
        let (p4, q5) = ((((*x1) as u32) % 1u32), ((c0 as u32) % 8 + (i3 as u32) % 5));
        let mut rest6 = ((p4 as u8) | (i3 as u8));
        let mut count7 = 0u32;
        while rest6 > 0 {
            rest6 >>= 1;
            count7 += 1;
        }
        let (p8, q9) = ((count7 as f64), ((i3 as u8) % 8 + ((*x2) as u8) % 5));
        h0_or[((usize::from((*x2)) % 1usize) ^ (q5 as usize)) % 1000] |= (((c0 as i16) >> 7) / 2i16);
    }
}

fn r054(a0: &Vec<[u64; 6]>, h0_max: &mut [[u64; 4]; 16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut v3 = (a0[y1][x2] as u16);
            if ((a0[y1][x2] as u8) >= (a0[y1][x2] as u8)) {
                v3 ^= ((a0[y1][x2] as f32) as u16);
            }
            let v4: u8 = (((y1 as f32) - (x2 as f32)) as u8);
            let v5 = (match (if ((a0[y1][x2] as f64) == (x2 as f64)) { (x2 as u32) } else { (a0[y1][x2] as u32) }) % 5 { 0 => (if ((x2 as u64) <= (v3 as u64)) { (a0[y1][x2] as i16) } else { (v4 as i16) }), 1 | 3 => (((v3 as u64) != (v3 as u64)) as i16), _ => ((v3 as i16) | 10i16) });
            let bin6 = (2usize >> 50).min((v4 as usize).wrapping_add((v3 as usize))) % 16; let bin7 = a0[y1][x2] as usize % 4; h0_max[bin6][bin7] = h0_max[bin6][bin7].max(((y1 as u64) % 10u64));
        }
    }
}

fn r055(s: &str, c0: f32, t0: &[i16; 16], r0_max: &mut i32, r1_wrap: &mut isize) {
    for &b1 in s.as_bytes() {
        let v2: f64;
        if b1.is_ascii_alphabetic() {
            v2 = (b1 as f64).abs();
        } else {
            v2 = (b1 as f64);
        }
        let bytes3 = ((v2 as i64) ^ (c0 as i64)).to_le_bytes();
        *r0_max = (*r0_max).max((((b1 as f32) - (v2 as f32)) as i32));
        *r1_wrap = (*r1_wrap).wrapping_add((match (b1.is_ascii_digit() as u32) % 5 { 0 => (if ((t0[(c0 as usize) % 16] as f64) != (bytes3[0] as f64)) { (v2 as isize) } else { (b1 as isize) }), 1 | 3 => 7isize.wrapping_add((bytes3[0] as isize)), _ => ((v2 as isize) | 2isize) }));
    }
}

fn r056(a0: &[f64; 90], h0_xor: &mut [i16]) {
    for x1 in a0.iter().copied() {
        let bin2 = ((x1 as u8).leading_zeros() as u64).rotate_left(45) as usize % h0_xor.len(); h0_xor[bin2] ^= ((x1 as i16) & ((x1 as i16) >> 1));
    }
}

fn r057(a0: &[usize; 90], h0_sub: &mut [[u64; 16]; 1]) {
    for x1 in a0.iter() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (((*x1) as u8) < ((*x1) as u8)) {
                break turns3 * 2;
            }
        };
        let v4: u8 = (turns3 as u8);
        let v5: u8 = ((*x1) as u8).wrapping_add(v4);
        if (((found2 as u8) == ((*x1) as u8)) && ((v4 as u32) <= ((*x1) as u32))) {
            h0_sub[((v4.is_ascii_alphabetic() as u8).leading_zeros() as u64) as usize % 1][((found2 as f32).abs() * 3.0) as usize % 16] -= (((found2 as f64) <= (v5 as f64)) && ((v4 as i32) == turns3)) as u64;
        }
    }
}

fn r058(a0: &[i64], t0: &[i8; 16], h0_both: &mut Vec<u8>) {
    for x1 in a0.iter() {
        let v2: f32 = (if ((((*x1) as u8) == (t0[((*x1) as usize) % 16] as u8)) && (((*x1) as u8) < ((*x1) as u8))) { ((t0[((*x1) as usize) % 16] as f32) * (t0[((*x1) as usize) % 16] as f32)) } else { (0.1f32 + ((*x1) as f32)) });
        let v3: u64;
        if ((((*x1) as u8) >= (t0[((*x1) as usize) % 16] as u8)) || ((v2 as u8) != ((*x1) as u8))) {
            v3 = (v2 as u64);
        } else {
            v3 = (((*x1) as u64) % 8 + (v2 as u64) % 5);
        }
        if (((*x1) as f64) < 0.1f64) {
            continue;
        }
        h0_both[(((((t0[((*x1) as usize) % 16] as u64) <= (t0[((*x1) as usize) % 16] as u64)) && (3.0f64 <= (v2 as f64))) as u32) & 15) as usize] -= (((*x1) as f64) >= (v2 as f64)) as u8;
        let bin4 = (0.1f32.abs() * 3.0) as usize % h0_both.len(); h0_both[bin4] = h0_both[bin4] - 1;
    }
}

fn r059(a0: &[u8; 90], h0_min: &mut [i8; 1]) {
    for x1 in a0.iter().cloned() {
        let mut acc2 = 0u64;
        for j3 in 0..5usize {
            if ((acc2 <= (j3 as u64)) && ((j3 as u8) > (j3 as u8))) {
                break;
            }
            acc2 = acc2.wrapping_add(((acc2 % 6) * (((x1 as u64) & 31u64) % 7)));
        }
        let v4: i32;
        if (!((x1 as f64) == (x1 as f64))) {
            v4 = ((acc2 as i32) & (acc2 as i32));
        } else {
            v4 = i32::from(x1);
        }
        if x1.is_ascii_alphabetic() {
            let bin5 = ((((v4 as u64) - 31u64) % 6) * (((v4 as u64) & (x1 as u64)) % 7)) as usize % 1; h0_min[bin5] = h0_min[bin5].min(((acc2 as i8) / 1i8));
        }
        h0_min[usize::from(x1).abs_diff(1usize).abs_diff((v4 as usize)).min(1 - 1)] = h0_min[usize::from(x1).abs_diff(1usize).abs_diff((v4 as usize)).min(1 - 1)].min((((v4 as f64) + (acc2 as f64)) as i8));
    }
}

fn r060(a0: &[usize], h0_wrap: &mut [u64; 7]) {
    for &x1 in a0 {
        let v2: i16;
        if ((x1 as i32) > (x1 as i32)) {
            v2 = 10i16;
        } else {
            v2 = ((x1 as i16) >> 1);
        }
        if ((x1 as u64) >= (x1 as u64)) {
            let bin3 = (((if ((v2 as u8) >= (v2 as u8)) { i32::from(v2) } else { (x1 as i32) }) & ((v2 as i32) / 2i32)).rem_euclid(16) as usize).min(7 - 1); h0_wrap[bin3] = h0_wrap[bin3].wrapping_mul((v2 as u64));
        }
    }
}

fn r061(a0: &[u8], h0_both: &mut [[u32; 4]; 7]) {
    for p1 in a0.windows(4) {
        let v2: i16;
        if p1[0].is_ascii_alphabetic() {
            v2 = ((p1[1] as i16) & i16::from(p1[1]));
        } else {
            v2 = (p1[2] as i16).wrapping_sub(3i16);
        }
        let mut v3 = (p1[1] as f32).abs();
        if (!((p1[2] as i32) == i32::from(p1[1]))) {
            v3 += (p1[2] as f32);
        }
        let v4 = i32::from(p1[1]).min((((p1[2] as i32) % 6) * (i32::from(v2) % 7)));
        let bin5 = (v3.max((v4 as f32)).max(((p1[0] as f32) / (1.0 + (v4 as f32).abs()))).abs() * 3.0) as usize % 7; let bin6 = ((usize::from(p1[0]) / 10usize) | ((v3 as usize) % 8 + usize::from(p1[1]) % 5)).min(4 - 1); h0_both[bin5][bin6] = h0_both[bin5][bin6] - p1[0].is_ascii_digit() as u32;
        h0_both[(v3 as u64) as usize % 7][(if (u32::from(p1[1]) <= 7u32) { usize::from(p1[3]) } else { (p1[1] as usize) }).wrapping_sub((((p1[1] as f64) > (p1[1] as f64)) as usize)) % 4] -= ((v3 as u32) % 5);
    }
}

fn r062(a0: &Vec<i8>, a1: &[u16], a2: &Vec<u8>, c0: i32, h0_add: &mut [[u8; 16]]) {
    for ((x1, x2), x3) in a0.iter().zip(a1).zip(a2) {
        let v4 = ((i64::from((*x3)) % 8 + ((*x3) as i64) % 5) / 1i64);
        let bin5 = ((if (((v4 as u64) == (c0 as u64)) && ((v4 as f64) <= ((*x3) as f64))) { ((*x3) as f32).min(((*x1) as f32)) } else { ((*x1) as f32) }).abs() * 3.0) as usize % h0_add.len(); h0_add[bin5][((((*x2) as f32) as usize) ^ 31usize).min(16 - 1)] += 1;
        let bin6 = (((-((*x2) as f32)) - ((*x2) as f32).min(((*x2) as f32))).abs() * 3.0) as usize % h0_add.len(); h0_add[bin6][(v4 as usize).min(16 - 1)] += 1;
    }
}

fn r063(a0: &Vec<u64>, c0: f64, h0_wrap: &mut [i8; 16]) {
    for x1 in a0.iter().copied() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (((x1 as u8) == (c0 as u8)) || (5u8 >= (c0 as u8))) {
                break turns3 * 2;
            }
        };
        let v4 = (found2 as f64);
        if ((10i32 >= found2) || (x1 > (found2 as u64))) {
            let bin5 = (turns3.min(2i32).rem_euclid(16) as usize).min(16 - 1); h0_wrap[bin5] = h0_wrap[bin5].wrapping_add(((((v4 as u32) > (turns3 as u32)) as i8) >> 5));
        }
        h0_wrap[(found2 as usize).min(16 - 1)] = h0_wrap[(found2 as usize).min(16 - 1)].wrapping_add((v4 as i8).rotate_left(5).clamp(-20, 20));
    }
}

fn r064(a0: &[[f32; 6]; 90], h0_both: &mut [[i32; 4]]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let (p4, q5) = (((sum2 as u64) >> 63), ((sum2 as u16).leading_zeros() as u8));
        let mut turns7 = 0i32;
        let found6 = loop {
            turns7 += 1;
            if turns7 > 4 || ((row1[2] as f64) < (q5 as f64)) {
                break turns7 * 2;
            }
        };
        let pair8 = ((row1[2] as u16).wrapping_add((row1[2] as u16)), (q5 as f32).max((p4 as f32)));
        match 100u32.wrapping_sub((row1[2] as u32)) % 4 {
            0 => { let bin9 = ((((sum2 as u64) > u64::from(q5)) && ((q5 as u64) > p4)) as usize).min(h0_both.len() - 1); h0_both[bin9][((found6 as f32) as u64) as usize % 4] += (turns7 % 5); }
            1..=2 => { h0_both[((row1[2] as u32).wrapping_mul((pair8.1 as u32)).wrapping_add(u32::from(q5).wrapping_mul((p4 as u32))) & 15) as usize][((match (if ((pair8.1 as f64) == 0.1f64) { (found6 as u32) } else { 5u32 }) % 5 { 0 => (sum2 as i32).saturating_sub((p4 as i32)), 1 | 3 => (2i32 >> 28), _ => (pair8.1 as i32) }).rem_euclid(16) as usize).min(4 - 1)] += (!(2.25f64 > (pair8.0 as f64))) as i32; }
            _ => {}
        }
    }
}

fn r065(a0: &[i16], a1: &Vec<u32>, a2: &[u64; 90], h0_or: &mut [i8; 1000], h1_add: &mut [[f32; 3]; 16]) {
    for ((x1, x2), &x3) in a0.iter().zip(a1).zip(a2) {
        let (p4, q5) = ((((x3 as i8) % 6) * (2i8 % 7)), (match (x3 as u32) % 5 { 0 => ((*x1) as i64), 1 | 3 => (x3 as i64), _ => 100i64 }));
        h0_or[(((*x1) as usize).saturating_sub(((*x1) as usize)) >> 55) % 1000] |= 1i8;
        h0_or[(((*x1) as usize).min((q5 as usize)) ^ ((p4 as usize) % 8 + (q5 as usize) % 5)) % 1000] |= (q5 as i8);
        match (*x2) % 4 {
            0 => { h1_add[(((*x1) as usize).wrapping_mul((q5 as usize)) ^ ((3u8 < ((*x1) as u8)) as usize)).min(16 - 1)][(i32::from((*x1)).rem_euclid(16) as usize).min(3 - 1)] += (((q5 as f32).abs().sqrt().fract().clamp(-8.0, 8.0) * 16.0).round() / 16.0); }
            1..=2 => { let bin6 = ((p4 as f32).abs().sqrt().abs() * 3.0) as usize % 16; let bin7 = (match (*x2) % 5 { 0 => (q5 as u64), 1 | 3 => (p4 as u64), _ => (p4 as u64) }).abs_diff((if ((q5 as u32) == (q5 as u32)) { ((*x1) as u64) } else { x3 })) as usize % 3; h1_add[bin6][bin7] = h1_add[bin6][bin7] + ((((x3 as f32).abs() / (1.0 + (x3 as f32).abs())).clamp(-8.0, 8.0) * 16.0).round() / 16.0); }
            _ => {}
        }
        if ((p4 as i32) > ((*x2) as i32)) {
            let bin8 = (((i32::from((*x1)) % 6) * ((if ((p4 as u64) > 7u64) { i32::from((*x1)) } else { ((*x2) as i32) }) % 7)).rem_euclid(16) as usize).min(16 - 1); let bin9 = (q5 as usize).rotate_left(46) % 3; h1_add[bin8][bin9] = h1_add[bin8][bin9] + ((((q5 as f32) - (p4 as f32)).sin() * 16.0).round() / 16.0);
        }
    }
}

fn r066(a0: &[usize; 90], h0_add: &mut [u8; 1000], h1_wrap: &mut [u16; 7]) {
    for x1 in a0 {
        let mut v2 = ((((*x1) as u32) >= ((*x1) as u32)) as u32);
        if ((((*x1) as u32) <= ((*x1) as u32)) && (((*x1) as u64) > ((*x1) as u64))) {
            v2 = (((*x1) as f64) as u32);
        }
        let bin3 = 10usize % 1000; h0_add[bin3] = h0_add[bin3] + (!(u64::from(v2) <= ((*x1) as u64))) as u8;
        h0_add[((((*x1) as f32) - ((*x1) as f32)).round().abs() * 3.0) as usize % 1000] += (((*x1) as i32) == (v2 as i32)) as u8;
        let bin4 = (((-3.0f32) + ((v2 as f32) + (v2 as f32))).abs() * 3.0) as usize % 7; h1_wrap[bin4] = h1_wrap[bin4].wrapping_mul(((((*x1) as u32) > ((*x1) as u32)) as u16).max(((v2 as u16) % 8 + ((*x1) as u16) % 5)));
    }
}

fn r067(a0: &Vec<i64>, h0_or: &mut [u8; 64]) {
    for (i2, &x1) in a0.iter().enumerate().skip(1) {
        let k3 = MASK & 7u32;
        let v4: f32 = (if ((k3 as u64) > (x1 as u64)) { (if ((x1 as i32) > (i2 as i32)) { (k3 as f32) } else { (i2 as f32) }) } else { (k3 as f32).abs() });
        h0_or[(((((v4 as u32).trailing_zeros() as i32) % 6) * ((k3 as i32) % 7)).rem_euclid(16) as usize).min(64 - 1)] |= ((v4 as f64).floor() as u8);
    }
}

fn r068(s: &str, h0_min: &mut [[f32; 3]; 16], h1_wrap: &mut [usize; 64], h2_wrap: &mut [i32]) {
    for &b1 in s.as_bytes() {
        if ((b1 as f64) < (b1 as f64)) {
            let bin2 = ((b1 as i32).rem_euclid(16) as usize).min(16 - 1); let bin3 = ((1.0f32 as u64) / 100u64) as usize % 3; h0_min[bin2][bin3] = h0_min[bin2][bin3].min((b1 as f32).abs());
        }
        let bin4 = (31usize.abs_diff((b1 as usize)) % 7usize) % 16; let bin5 = (b1 as usize) % 3; h0_min[bin4][bin5] = h0_min[bin4][bin5].min((b1 as f32));
        if b1.is_ascii_digit() {
            let bin6 = usize::from(b1) % 64; h1_wrap[bin6] = h1_wrap[bin6].wrapping_sub((b1 as usize));
        }
        match (b1 as u32).abs_diff(u32::from(b1)) % 4 {
            0 => { let bin7 = ((5i32.saturating_sub(i32::from(b1)) % 8 + (i64::from(b1).leading_zeros() as i32) % 5).rem_euclid(16) as usize).min(h2_wrap.len() - 1); h2_wrap[bin7] = h2_wrap[bin7].wrapping_mul(100i32); }
            1..=2 => { let bin8 = ((if (!((b1 as u32) >= 7u32)) { ((b1 as f32) * (b1 as f32)) } else { (-(b1 as f32)) }).abs() * 3.0) as usize % h2_wrap.len(); h2_wrap[bin8] = h2_wrap[bin8].wrapping_mul(i32::from(b1)); }
            _ => {}
        }
        let bin9 = (((!((b1 as u32) > u32::from(b1))) as i32).rem_euclid(16) as usize).min(h2_wrap.len() - 1); h2_wrap[bin9] = h2_wrap[bin9].wrapping_mul((((b1 as i32) % 8 + i32::from(b1) % 5) % 7i32));
    }
}

fn r069(a0: &[[f64; 6]], c0: f32, h0_max: &mut [[i16; 3]]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let v3 = ((!((a0[y1][x2] as i32) <= (y1 as i32))) as usize);
            let mut acc4 = 0u64;
            for j5 in 0..5usize {
                acc4 = acc4.wrapping_add((v3 as u64));
            }
            let bin6 = (a0[y1][x2] as usize).wrapping_add((c0 as usize).wrapping_mul(x2)) % h0_max.len(); h0_max[bin6][((y1 as u8).wrapping_add((v3 as u8)).count_ones() as u64) as usize % 3] = h0_max[bin6][((y1 as u8).wrapping_add((v3 as u8)).count_ones() as u64) as usize % 3].max((y1 as i16).rotate_left(1).min(((acc4 as f32) as i16)));
        }
    }
}

fn r070(a0: &[u8], h0_xor: &mut Vec<i32>, h1_and: &mut [usize; 64], h2_add: &mut [i64; 1000]) {
    for x1 in a0.iter().cloned() {
        let v2 = (x1 as i8).max((((x1 as i8) % 6) * ((x1 as i8) % 7)));
        let mut v3 = ((v2 as f64) as u16);
        if ((v2 as u64) > (v2 as u64)) {
            v3 &= ((v2 as u16) | (x1 as u16));
        }
        let bin4 = (usize::from(x1) ^ (v3.trailing_zeros() as usize)).min(h0_xor.len() - 1); h0_xor[bin4] = h0_xor[bin4] ^ (((x1 as i32) | 5i32) ^ (x1 as i32).wrapping_mul(i32::from(v3)));
        h1_and[(usize::from(x1) * 3usize).max((if ((x1 as f64) != (v3 as f64)) { (v2 as usize) } else { (v3 as usize) })) % 64] = h1_and[(usize::from(x1) * 3usize).max((if ((x1 as f64) != (v3 as f64)) { (v2 as usize) } else { (v3 as usize) })) % 64] & 100usize.rotate_left(47);
        if (!x1.is_ascii_alphabetic()) {
            h1_and[((v3 as f32).abs().sqrt() as usize).min(64 - 1)] = h1_and[((v3 as f32).abs().sqrt() as usize).min(64 - 1)] & ((v2 as usize) / 2usize).rotate_left(19);
        }
        match (1.0f32 as u32) % 4 {
            0 => { h2_add[((0.1f32 as u64) & 100u64) as usize % 1000] += 1; }
            1..=2 => { h2_add[(v2 as usize).wrapping_add((v3 as usize).wrapping_mul((x1 as usize))) % 1000] += ((v3 as f64) > (v2 as f64)) as i64; }
            _ => {}
        }
    }
}

fn r071(a0: &[u8], c0: f32, h0_min: &mut [f32; 64], h1_xor: &mut Vec<i8>, h2_and: &mut [i32]) {
    for x1 in a0.iter().cloned() {
        let mut v2 = (c0 / (1.0 + c0.abs()));
        if ((c0 as f64) > (x1 as f64)) {
            v2 += (c0 + c0);
        }
        let v3: i64 = ((v2 as u32).trailing_zeros() as i64).wrapping_add((v2 as i64));
        let (p4, q5) = ((v3 as i32).min((v3 as i32)), (((c0 as i32) % 6) * ((v2 as i32) % 7)));
        h0_min[100usize.wrapping_mul(((c0 as usize) | (p4 as usize))) % 64] = h0_min[100usize.wrapping_mul(((c0 as usize) | (p4 as usize))) % 64].min((2.25f32 * 0.1f32).max((q5 as f32).sin()));
        let bin6 = ((u32::from(x1) % 100u32).wrapping_sub(((10u32 % 6) * ((v2 as u32) % 7))) & 15) as usize; h1_xor[bin6] = h1_xor[bin6] ^ (v3 as i8);
        match (p4 as u32) % 4 {
            0 => { let bin7 = (v3 as usize) % h2_and.len(); h2_and[bin7] &= (((q5 as u32) ^ (x1 as u32)).leading_zeros() as i32); }
            1..=2 => { h2_and[((v3 as u32) & 15) as usize] &= i32::from(x1).wrapping_mul((v3 as i32)); }
            _ => {}
        }
    }
}

fn r072(s: &str, c0: u32, h0_wrap: &mut [i32; 1]) {
    for b1 in s.bytes() {
        let v2: u64 = ((b1 as u64) + 3u64);
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || b1.is_ascii_digit() {
                break turns4 * 2;
            }
        };
        let mut v5 = ((found3 as f32) - 0.5f32);
        if (((v2 as u8) != (found3 as u8)) && (2.25f64 > (found3 as f64))) {
            v5 += ((turns4 as f32) - (b1 as f32));
        }
        h0_wrap[(found3.wrapping_mul((v5 as i32)).min((c0 as i32)).rem_euclid(16) as usize).min(1 - 1)] = h0_wrap[(found3.wrapping_mul((v5 as i32)).min((c0 as i32)).rem_euclid(16) as usize).min(1 - 1)].wrapping_mul(turns4);
        let bin6 = (((v2 as f32) as i32).clamp(-20, 20).rem_euclid(16) as usize).min(1 - 1); h0_wrap[bin6] = h0_wrap[bin6].wrapping_mul(1i32);
    }
}

fn r073(a0: &[[u8; 3]], h0_min: &mut Vec<f32>) {
    for &[x2, x3, x4] in a0 {
        let mut rest5 = (if x2.is_ascii_alphabetic() { 7u32 } else { u32::from(x3) });
        let mut count6 = 0u32;
        while rest5 > 0 {
            rest5 >>= 1;
            count6 += 1;
        }
        let bin7 = ((x3 as i32).max(((x2 as i32) * 31i32)).rem_euclid(16) as usize).min(h0_min.len() - 1); h0_min[bin7] = h0_min[bin7].min((x3 as f32));
    }
}

fn r074(a0: &[u64; 90], c0: i32, h0_wrap: &mut [i16; 1], r0_both: &mut u16, h1_add: &mut [i64; 1]) {
    for x1 in a0 {
        let k2 = WIDTH & 7usize;
        let (p3, q4) = ((k2 as f32).exp(), ((c0 as u32).count_ones() as i64));
        let mut acc5 = 0u64;
        for j6 in 0..4usize {
            if ((q4 as u32) == (j6 as u32)) {
                break;
            }
            acc5 = acc5.wrapping_add(3u64.max(((*x1) & (c0 as u64))));
        }
        if ((p3 as f64) != (p3 as f64)) {
            h0_wrap[3usize.min(1 - 1)] = h0_wrap[3usize.min(1 - 1)].wrapping_add((if (!((p3 as u64) == (p3 as u64))) { (c0 as i16) } else { (acc5 as i16).saturating_sub((q4 as i16)) }));
        }
        h0_wrap[(2i32.rem_euclid(16) as usize).min(1 - 1)] = h0_wrap[(2i32.rem_euclid(16) as usize).min(1 - 1)].wrapping_add((((q4 as u32).trailing_zeros() as i16) & (p3 as i16).wrapping_sub((k2 as i16))));
        if ((acc5 as i32) <= (p3 as i32)) {
            *r0_both = *r0_both - (((q4 as u16) & 10u16) % 5);
        }
        match (q4 as u32) % 4 {
            0 => { *r0_both = *r0_both - ((q4 as f64) >= (acc5 as f64)) as u16; }
            1..=2 => { *r0_both += ((0.5f64 >= (acc5 as f64)) || (((*x1) as i32) >= (p3 as i32))) as u16; }
            _ => {}
        }
        h1_add[(p3 as u64) as usize % 1] = h1_add[(p3 as u64) as usize % 1] + (((*x1) as i64) % 5);
    }
}

fn r075(a0: &[u64], c0: u32, h0_or: &mut [[i16; 4]; 16]) {
    for (i2, x1) in a0.iter().enumerate() {
        let mut rest3 = 5u64;
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let mut acc5 = 0u64;
        for j6 in 0..3usize {
            if (c0 >= (acc5 as u32)) {
                break;
            }
            acc5 = acc5.wrapping_add((*x1));
        }
        h0_or[((((c0 as usize) % 6) * (i2 % 7)) % 8 + (((*x1) as u16).leading_zeros() as usize) % 5) % 16][((acc5 as f32).abs() * 3.0) as usize % 4] |= ((!((acc5 as u32) == c0)) as i16);
    }
}

fn r076(a0: &[usize], a1: &[u16], h0_min: &mut [i8]) {
    for (&x1, &x2) in a0.iter().zip(a1) {
        let bin3 = ((x2 as u64) - 10u64) as usize % h0_min.len(); h0_min[bin3] = h0_min[bin3].min((x2 as i8).min(((x1 as u16).trailing_zeros() as i8)));
    }
}

fn r077(a0: &[i8], h0_xor: &mut [i8]) {
    for i1 in (0..a0.len()).step_by(3) {
        let mut acc2 = 0u64;
        for j3 in 0..4usize {
            if ((a0[i1] as i32) < (a0[i1] as i32)) {
                break;
            }
            acc2 = acc2.wrapping_add((i1 as u64));
        }
        let pair4 = ((acc2 as i16), i1.wrapping_mul(i1));
        let bin5 = acc2 as usize % h0_xor.len(); h0_xor[bin5] ^= (a0[i1] * 5i8).min(((acc2 as i8) % 8 + (i1 as i8) % 5));
    }
}

fn r078(a0: &[f64], t0: &[u16; 16], h0_add: &mut [[f64; 4]; 16]) {
    for x1 in a0.iter().copied() {
        let v2: f32;
        if (((x1 as u32) < (x1 as u32)) && ((t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as f64) > (t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as f64))) {
            v2 = (-(t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as f32));
        } else {
            v2 = ((t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as f32) / (1.0 + (x1 as f32).abs()));
        }
        if ((v2 as i32) != (t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as i32)) {
            continue;
        }
        match (x1 as u32) % 4 {
            0 => { let bin3 = ((!((x1 as i32) < (x1 as i32))) as usize) % 16; let bin4 = ((-(t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as f32)) as u64) as usize % 4; h0_add[bin3][bin4] = h0_add[bin3][bin4] + 1.0f64; }
            1..=2 => { h0_add[u64::from(t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16]) as usize % 16][(if ((v2 as u8) > (t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as u8)) { (match (x1 as u32) % 5 { 0 => (x1 as usize), 1 | 3 => (v2 as usize), _ => (v2 as usize) }) } else { ((x1 as usize) >> 29) }) % 4] += (((t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as f64).sin() * 16.0).round() / 16.0); }
            _ => {}
        }
        if (((x1 as u64) >= (v2 as u64)) || ((x1 as u32) > (t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as u32))) {
            h0_add[(x1 as u64).saturating_sub((t0[(x1 as usize).wrapping_sub((x1 as usize)) % 16] as u64)).wrapping_mul((if ((x1 as i32) != (v2 as i32)) { (x1 as u64) } else { (v2 as u64) })) as usize % 16][((x1 as i32).rem_euclid(16) as usize).min(4 - 1)] += 1.0f64;
        }
    }
}

fn r079(a0: &[[u8; 6]], h0_mul: &mut [[f32; 4]]) {
    for row1 in a0 {
        for &x2 in row1 {
            if x2.is_ascii_alphabetic() {
                continue;
            }
            if (x2.is_ascii_digit() || x2.is_ascii_alphabetic()) {
                h0_mul[(u32::from(x2) & 15) as usize][(((x2 as f32).min((x2 as f32)) / (1.0 + 1.0f32.abs().sqrt().abs())).abs() * 3.0) as usize % 4] *= ((if (x2 as f32).abs().sqrt() < 0.0 { -1.0f32 } else { 1.0f32 }) * (if (x2 as f32).floor() > 3.5 { 2.0f32 } else if (x2 as f32).floor() < -3.5 { 0.5f32 } else { 1.0f32 }));
            }
            let bin3 = ((((x2 as usize) % 6) * (usize::from(x2) % 7)) | (x2 as usize)) % h0_mul.len(); h0_mul[bin3][((x2 as f64) as usize).rotate_left(61) % 4] *= ((if (x2 as f32).max((x2 as f32)) < 0.0 { -1.0f32 } else { 1.0f32 }) * (if 0.5f32.floor() > 3.5 { 2.0f32 } else if 0.5f32.floor() < -3.5 { 0.5f32 } else { 1.0f32 }));
        }
    }
}

fn r080(a0: &[usize], n: usize, c0: f64, t0: &[i16; 16], h0_xor: &mut [u16]) {
    for i1 in 0..n {
        let mut acc2 = 0u64;
        for j3 in 0..2usize {
            acc2 = acc2.wrapping_add((j3 as u64));
        }
        let v4: i16;
        if (1.0f64 < (acc2 as f64)) {
            v4 = (a0[i1] as i16).wrapping_add((acc2 as i16));
        } else {
            v4 = (c0 as i16);
        }
        if (!((t0[(i1 ^ 1usize) % 16] as i32) == 1i32)) {
            let bin5 = 1usize.min(h0_xor.len() - 1); h0_xor[bin5] = h0_xor[bin5] ^ ((v4 as u16) + 2u16);
        }
        if (((t0[(i1 ^ 1usize) % 16] as f64) == (v4 as f64)) || ((i1 as u32) >= (acc2 as u32))) {
            let bin6 = ((if ((c0 as i32) > (v4 as i32)) { (i1 as f32).max((acc2 as f32)) } else { (i1 as f32) }).abs() * 3.0) as usize % h0_xor.len(); h0_xor[bin6] ^= (a0[i1] as u16);
        }
    }
}

fn r081(a0: &[usize], c0: i32, h0_and: &mut [i16; 256]) {
    for x1 in a0.iter().cloned() {
        let v2: i64;
        if ((c0 as u8) <= (x1 as u8)) {
            v2 = (c0 as i64).wrapping_sub((c0 as i64));
        } else {
            v2 = (x1 as i64);
        }
        h0_and[((x1 as u8).abs_diff((x1 as u8)) & (c0 as u8).rotate_left(5)) as usize] &= (((c0 as i16) >> 15) / 31i16);
        h0_and[(c0 as u8) as usize] &= (c0 as i16);
    }
}

fn r082(a0: &[usize; 90], h0_both: &mut [[i64; 16]], h1_min: &mut [f64]) {
    for x1 in a0.iter().copied() {
        if (((x1 as i32) == 1i32) || ((x1 as u32) == (x1 as u32))) {
            let bin2 = (10u32.rotate_left(19) & 15) as usize; let bin3 = x1.min(16 - 1); h0_both[bin2][bin3] = h0_both[bin2][bin3] - ((x1 as i64).clamp(-20, 20) % 5);
        }
        h0_both[(((x1 as u32) >> 7).abs_diff((if ((x1 as u32) >= (x1 as u32)) { (x1 as u32) } else { (x1 as u32) })) & 15) as usize][(((x1 as f64) * (x1 as f64)) as usize) % 16] -= (((x1 as u8) >= (x1 as u8)) && ((x1 as u32) == (x1 as u32))) as i64;
        let bin4 = (match (x1 as u32) % 5 { 0 => (x1 | x1), 1 | 3 => x1.abs_diff(x1), _ => ((x1 as f32) as usize) }) % h1_min.len(); h1_min[bin4] = h1_min[bin4].min(3.0f64);
        let bin5 = ((x1 as f32).ceil().min((x1 as f32)).abs() * 3.0) as usize % h1_min.len(); h1_min[bin5] = h1_min[bin5].min((((x1 as f64) - (x1 as f64)) * (x1 as f64)));
    }
}

fn r083(a0: &Vec<usize>, c0: u32, h0_and: &mut [u32], h1_wrap: &mut [isize]) {
    for i1 in 0..a0.len() {
        let mut acc2 = 0u64;
        for j3 in 0..4usize {
            acc2 = acc2.wrapping_add(((j3 as u64) - 10u64));
        }
        let mut v4 = (a0[i1] as i32).saturating_sub((i1 as i32));
        if (((acc2 as u32) < (i1 as u32)) && ((i1 as u32) == (i1 as u32))) {
            v4 &= ((a0[i1] as u8).leading_zeros() as i32);
        }
        let mut v5 = (acc2 as f32).abs().sqrt();
        if (((a0[i1] as u8) <= (v4 as u8)) && (v4 >= (a0[i1] as i32))) {
            v5 += ((acc2 as f32) - (c0 as f32));
        }
        match (i1 as u32).abs_diff((acc2 as u32)) % 4 {
            0 => { h0_and[(((acc2 as u32) & (acc2 as u32)) & 15) as usize] &= ((31u32 != c0) as u32); }
            1..=2 => { let bin6 = i1 % h0_and.len(); h0_and[bin6] &= (a0[i1] as u32).wrapping_sub(((a0[i1] as u32) | (v4 as u32))); }
            _ => {}
        }
        h0_and[(((c0 & (i1 as u32)) & (v4 as u32)) & 15) as usize] = h0_and[(((c0 & (i1 as u32)) & (v4 as u32)) & 15) as usize] & (a0[i1] as u32).wrapping_add(((v5 as f64) as u32));
        h1_wrap[((a0[i1] as u32) & 15) as usize] = h1_wrap[((a0[i1] as u32) & 15) as usize].wrapping_sub(((i1 as isize) % 8 + (v5 as isize) % 5).wrapping_add(((acc2 as f32) as isize)));
    }
}

fn r084(a0: &Vec<i32>, t0: &[i32; 16], h0_xor: &mut [i16]) {
    for p1 in a0.chunks_exact(2) {
        let (p2, q3) = ((t0[((p1[0] as f32) as usize) % 16] as f64).exp(), (t0[((p1[0] as f32) as usize) % 16] as u8));
        let v4: i32;
        if (p2 == (p1[0] as f64)) {
            v4 = p1[0];
        } else {
            v4 = p1[0].rotate_left(25);
        }
        let bin5 = ((p1[0] as usize) & 2usize).wrapping_add(((p2 as usize) & (v4 as usize))).min(h0_xor.len() - 1); h0_xor[bin5] = h0_xor[bin5] ^ (i16::from(q3).wrapping_sub((p1[1] as i16)) | ((p1[1] as i16) & (p1[1] as i16)));
        let bin6 = (((p1[0] as f64) == p2) as usize) % h0_xor.len(); h0_xor[bin6] ^= ((p2 as i16) ^ (p1[0] as i16).min(10i16));
    }
}

fn r085(s: &str, h0_max: &mut [[usize; 3]; 16]) {
    for &b1 in s.as_bytes() {
        let bytes2 = ((b1 as u32) ^ u32::from(b1)).to_le_bytes();
        let bin3 = (((b1 as f32) * (bytes2[1] as f32)).min((b1 as f32).max((bytes2[1] as f32))).abs() * 3.0) as usize % 16; let bin4 = (2i32.rem_euclid(16) as usize).min(3 - 1); h0_max[bin3][bin4] = h0_max[bin3][bin4].max((bytes2[0] as usize).wrapping_add((((bytes2[0] as usize) % 6) * (2usize % 7))));
    }
}

fn r086(a0: &Vec<[usize; 6]>, t0: &[u8; 16], r0_wrap: &mut u64) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let v3: f64 = (y1 as f64).max((t0[(y1 - 100usize) % 16] as f64)).max((if (t0[(y1 - 100usize) % 16] >= (y1 as u8)) { (y1 as f64) } else { (a0[y1][x2] as f64) }));
            *r0_wrap = (*r0_wrap).wrapping_sub((a0[y1][x2] as u64));
        }
    }
}

fn r087(a0: &Vec<[usize; 6]>, h0_add: &mut [u8; 64]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut rest3 = (if ((y1 as f64) > (a0[y1][x2] as f64)) { 10u32 } else { 10u32 });
            let mut count4 = 0u32;
            while rest3 > 0 {
                rest3 >>= 1;
                count4 += 1;
            }
            h0_add[((if ((x2 as u8) != (a0[y1][x2] as u8)) { (-(x2 as f32)) } else { (-0.1f32) }).abs() * 3.0) as usize % 64] += (((x2 as u64) != (count4 as u64)) || (31u64 != (count4 as u64))) as u8;
            h0_add[((a0[y1][x2] as f32).floor().abs() * 3.0) as usize % 64] += ((y1 as u8) >= (count4 as u8)) as u8;
        }
    }
}

fn r088(s: &str, c0: i32, h0_add: &mut [i32; 7]) {
    for b1 in s.bytes() {
        let mut v2 = (c0 | c0);
        if (!(c0 <= c0)) {
            v2 ^= (1i32 / 1i32);
        }
        match (v2 as u32) % 4 {
            0 => { h0_add[(c0 as usize) % 7] += (c0 % 5); }
            1..=2 => { let bin3 = (((c0 as usize) >> 46) >> 13) % 7; h0_add[bin3] = h0_add[bin3] + (((b1 as u32) > (v2 as u32)) && ((b1 as f64) == (v2 as f64))) as i32; }
            _ => {}
        }
    }
}

fn r089(a0: &[u64], e0_mul: &mut [f64], r0_sub: &mut i64) {
    for i1 in (0..a0.len()).step_by(3) {
        let k2 = MASK & 7u32;
        let mut rest3 = u64::from(k2).abs_diff((i1 as u64));
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        if ((count4 as u8) < (k2 as u8)) {
            let bin5 = i1; e0_mul[bin5] = e0_mul[bin5] * ((if (k2 as f64) < 0.0 { -1.0f64 } else { 1.0f64 }) * (if (a0[i1] as f64) > 3.5 { 2.0f64 } else if (a0[i1] as f64) < -3.5 { 0.5f64 } else { 1.0f64 }));
        }
        match ((i1 as u32) >> 3) % 4 {
            0 => { *r0_sub -= ((((i1 as u8) > 1u8) as i64) % 5); }
            1..=2 => { *r0_sub = *r0_sub - (((i1 as i64).trailing_zeros() as i64) % 5); }
            _ => {}
        }
        *r0_sub -= 1;
    }
}

fn r090(a0: &[[f64; 6]], c0: f32, t0: &[i8; 16], h0_or: &mut [i8], h1_both: &mut [[i32; 16]; 16], h2_mul: &mut [[f32; 16]]) {
    for row1 in a0 {
        for &x2 in row1 {
            let (p3, q4) = (((x2 as u16) / 5u16), (c0 as f64));
            h0_or[((if (((t0[(x2 as usize).wrapping_add((c0 as usize)) % 16] as f64) == (p3 as f64)) && ((p3 as u32) <= (t0[(x2 as usize).wrapping_add((c0 as usize)) % 16] as u32))) { ((0.1f64 == (t0[(x2 as usize).wrapping_add((c0 as usize)) % 16] as f64)) as u32) } else { (x2 as u32) }) & 15) as usize] |= ((!((x2 as u64) >= (q4 as u64))) as i8);
            h1_both[(q4 as usize).rotate_left(6).abs_diff((x2 as usize).min((c0 as usize))).min(16 - 1)][(((t0[(x2 as usize).wrapping_add((c0 as usize)) % 16] as usize).saturating_sub(usize::from(p3)) % 6) * ((((p3 as i32) > (t0[(x2 as usize).wrapping_add((c0 as usize)) % 16] as i32)) as usize) % 7)) % 16] += ((p3 as u8) != (x2 as u8)) as i32;
            match (q4 as u32) % 4 {
                0 => { let bin5 = (((c0 as u32) <= (t0[(x2 as usize).wrapping_add((c0 as usize)) % 16] as u32)) as u64) as usize % h2_mul.len(); let bin6 = ((q4 as i32).max(i32::from(p3)).wrapping_sub(i32::from(t0[(x2 as usize).wrapping_add((c0 as usize)) % 16]).wrapping_mul((x2 as i32))).rem_euclid(16) as usize).min(16 - 1); h2_mul[bin5][bin6] = h2_mul[bin5][bin6] * ((if (q4 as f32) < 0.0 { -1.0f32 } else { 1.0f32 }) * (if ((t0[(x2 as usize).wrapping_add((c0 as usize)) % 16] as f32) * (p3 as f32)) > 3.5 { 2.0f32 } else if ((t0[(x2 as usize).wrapping_add((c0 as usize)) % 16] as f32) * (p3 as f32)) < -3.5 { 0.5f32 } else { 1.0f32 })); }
                1..=2 => { let bin7 = ((2i32 % 8 + (x2 as i32).clamp(-20, 20) % 5).rem_euclid(16) as usize).min(h2_mul.len() - 1); h2_mul[bin7][((p3 as f32).abs() * 3.0) as usize % 16] *= ((if ((p3 as f32) / (1.0 + (q4 as f32).abs())) < 0.0 { -1.0f32 } else { 1.0f32 }) * (if (x2 as f32).max((p3 as f32)) > 3.5 { 2.0f32 } else if (x2 as f32).max((p3 as f32)) < -3.5 { 0.5f32 } else { 1.0f32 })); }
                _ => {}
            }
            if (q4 > (c0 as f64)) {
                h2_mul[((((p3 as u32) | (c0 as u32)) >> 8) & 15) as usize][((c0 as u16).trailing_zeros() as u64).min((if ((x2 as i32) >= (q4 as i32)) { 100u64 } else { (q4 as u64) })) as usize % 16] = h2_mul[((((p3 as u32) | (c0 as u32)) >> 8) & 15) as usize][((c0 as u16).trailing_zeros() as u64).min((if ((x2 as i32) >= (q4 as i32)) { 100u64 } else { (q4 as u64) })) as usize % 16] * ((if (-(p3 as f32)) < 0.0 { -1.0f32 } else { 1.0f32 }) * (if (1.0f32 - 1.0f32) > 3.5 { 2.0f32 } else if (1.0f32 - 1.0f32) < -3.5 { 0.5f32 } else { 1.0f32 }));
            }
        }
    }
}

fn r091(a0: &[u8], c0: u32, h0_wrap: &mut [[usize; 16]]) {
    for i1 in 3..40u64 {
        let v2 = 5u64;
        let mut rest3 = ((v2 as u32).leading_zeros() as u32);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        match (7i64.leading_zeros() as u32) % 4 {
            0 => { let bin5 = ((count4 - 1u32) & 15) as usize; let bin6 = ((v2 as u16).wrapping_mul((c0 as u16)).count_ones() as usize).min(16 - 1); h0_wrap[bin5][bin6] = h0_wrap[bin5][bin6].wrapping_add(((match (v2 as u32) % 5 { 0 => (c0 as usize), 1 | 3 => (i1 as usize), _ => (count4 as usize) }) | ((c0 as usize) % 8 + (count4 as usize) % 5))); }
            1..=2 => { let bin7 = ((if (((count4 as u64) <= u64::from(c0)) || (3.0f64 <= (i1 as f64))) { (v2 as f32).max(3.0f32) } else { ((count4 as f32) / (1.0 + (count4 as f32).abs())) }).abs() * 3.0) as usize % h0_wrap.len(); let bin8 = ((count4 as f32).max(3.0f32) as u64) as usize % 16; h0_wrap[bin7][bin8] = h0_wrap[bin7][bin8].wrapping_add(((c0 as usize) | 31usize)); }
            _ => {}
        }
        let bin9 = ((count4 as f32).abs() * 3.0) as usize % h0_wrap.len(); let bin10 = (v2 as usize) % 16; h0_wrap[bin9][bin10] = h0_wrap[bin9][bin10].wrapping_add(((i1 as usize) + 7usize));
    }
}

fn r092(a0: &Vec<u8>, c0: f64, t0: &[u8; 16], h0_xor: &mut [[u16; 4]]) {
    for x1 in a0.iter().copied() {
        let v2 = (c0 as u16);
        let bin3 = (((x1 as f32) + 0.5f32).sin().abs() * 3.0) as usize % h0_xor.len(); let bin4 = ((((c0 as i32) <= (v2 as i32)) as usize) | (c0 as usize)) % 4; h0_xor[bin3][bin4] = h0_xor[bin3][bin4] ^ u16::from(x1);
        h0_xor[((((c0 as u32) % 6) * ((c0 as u32) % 7)).wrapping_sub(((t0[(x1 as usize) % 16] as u32) / 100u32)) & 15) as usize][(((i32::from(x1) ^ i32::from(v2)) >> 24).rem_euclid(16) as usize).min(4 - 1)] ^= u16::from(x1);
    }
}

fn r093(a0: &[i8; 90], t0: &[i64; 16], h0_sat: &mut [u32; 256], h1_min: &mut [[f32; 16]], h2_mul: &mut Vec<f64>) {
    for i1 in 0..a0.len() {
        let bin2 = ((t0[(i1 / 100usize) % 16] as f64) as u8) as usize; h0_sat[bin2] = h0_sat[bin2].saturating_add((3u32.wrapping_add((i1 as u32)) & ((i1 as u32) + 2u32)));
        if ((t0[(i1 / 100usize) % 16] as f64) != (i1 as f64)) {
            let bin3 = (a0[i1] as usize).rotate_left(11).min(h1_min.len() - 1); let bin4 = 2u64 as usize % 16; h1_min[bin3][bin4] = h1_min[bin3][bin4].min((i1 as f32).max((i1 as f32)).abs());
        }
        if ((i1 as u32) == (t0[(i1 / 100usize) % 16] as u32)) {
            let bin5 = (t0[(i1 / 100usize) % 16] as usize) % h2_mul.len(); h2_mul[bin5] *= ((if (a0[i1] as f64).abs().sqrt() < 0.0 { -1.0f64 } else { 1.0f64 }) * (if (i1 as f64).max((t0[(i1 / 100usize) % 16] as f64)) > 3.5 { 2.0f64 } else if (i1 as f64).max((t0[(i1 / 100usize) % 16] as f64)) < -3.5 { 0.5f64 } else { 1.0f64 }));
        }
    }
}

fn r094(a0: &[i16; 90], a1: &Vec<u64>, h0_min: &mut [i64]) {
    for (x1, x2) in a0.iter().zip(a1) {
        let v3: u64;
        if (((*x1) as u32) <= ((*x1) as u32)) {
            v3 = ((*x2) ^ 100u64);
        } else {
            v3 = 3u64;
        }
        let mut rest4 = (((v3 as i32) <= ((*x2) as i32)) as u64);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        let bin6 = (((*x2) as u32).wrapping_sub((v3 as u32).saturating_sub(count5)) & 15) as usize; h0_min[bin6] = h0_min[bin6].min(((i64::from((*x1)) ^ (v3 as i64)) % 31i64));
        if (((v3 as i32) == (v3 as i32)) || ((v3 as u8) >= (v3 as u8))) {
            let bin7 = (count5 as usize).wrapping_mul((count5 as usize)).rotate_left(19).min(h0_min.len() - 1); h0_min[bin7] = h0_min[bin7].min(((*x2) as i64));
        }
    }
}

fn r095(a0: &Vec<i64>, c0: f64, h0_or: &mut [i16]) {
    for x1 in a0.iter() {
        let bin2 = ((-c0) as usize) % h0_or.len(); h0_or[bin2] |= ((((*x1) as f32) as i16) % 31i16);
    }
}

fn r096(a0: &[f64], t0: &[i64; 16], h0_xor: &mut [[i32; 16]; 7]) {
    for x1 in a0.iter().copied() {
        h0_xor[((-(0.1f32 / (1.0 + (t0[(x1 as usize) % 16] as f32).abs()))).abs() * 3.0) as usize % 7][(t0[(x1 as usize) % 16] as usize).wrapping_mul((((x1 as u8) >= (t0[(x1 as usize) % 16] as u8)) as usize)) % 16] ^= (t0[(x1 as usize) % 16] as i32).clamp(-20, 20).rotate_left(21);
        h0_xor[(x1 as u64).wrapping_sub((x1 as u64)).abs_diff(((t0[(x1 as usize) % 16] as u8).trailing_zeros() as u64)) as usize % 7][(((x1 as i32).wrapping_mul(2i32) >> 2).rem_euclid(16) as usize).min(16 - 1)] ^= (t0[(x1 as usize) % 16] as i32);
    }
}

fn r097(a0: &Vec<usize>, h0_max: &mut Vec<i16>, h1_min: &mut [i8]) {
    for &x1 in a0 {
        let v2: u16;
        if ((2.25f64 > (x1 as f64)) || ((x1 as i32) >= (x1 as i32))) {
            v2 = ((x1 as u16) | (x1 as u16));
        } else {
            v2 = (10u16 / 10u16);
        }
        let mut rest3 = (x1 as u32).saturating_sub((v2 as u32));
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let bin5 = ((((v2 as u32).leading_zeros() as u32) & (u32::from(v2) % 8 + u32::from(v2) % 5)) & 15) as usize; h0_max[bin5] = h0_max[bin5].max((((count4 as f32) as i16) % 10i16));
        let bin6 = (1.0f64.sin() as usize) % h0_max.len(); h0_max[bin6] = h0_max[bin6].max((count4 as i16));
        match count4.min(u32::from(v2)) % 4 {
            0 => { h1_min[(((count4 >> 21) >> 24) & 15) as usize] = h1_min[(((count4 >> 21) >> 24) & 15) as usize].min((((0.1f32 as i8) % 6) * ((count4 as i8).rotate_left(3) % 7))); }
            1..=2 => { h1_min[(((v2 as u32) - 1u32).wrapping_mul((x1 as u32)) & 15) as usize] = h1_min[(((v2 as u32) - 1u32).wrapping_mul((x1 as u32)) & 15) as usize].min(((x1 as f32).abs().sqrt() as i8)); }
            _ => {}
        }
    }
}

fn r098(a0: &Vec<[u64; 3]>, h0_wrap: &mut [[u64; 4]], h1_or: &mut [[i16; 3]]) {
    for p1 in a0 {
        if (2u64 < 3u64) {
            continue;
        }
        let bin2 = (p1[0] as usize).min(h0_wrap.len() - 1); let bin3 = 7usize % 4; h0_wrap[bin2][bin3] = h0_wrap[bin2][bin3].wrapping_sub(((p1[1] / 10u64) / 1u64));
        match (p1[1] as u32) % 4 {
            0 => { let bin4 = ((p1[0] as f32).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin4][(p1[2] as usize).min(4 - 1)] = h0_wrap[bin4][(p1[2] as usize).min(4 - 1)].wrapping_sub((p1[2] * 31u64)); }
            1..=2 => { h0_wrap[((((p1[1] as u32) & (p1[2] as u32)) / 5u32) & 15) as usize][((p1[1] as i64).wrapping_sub((p1[0] as i64)).count_ones() as usize) % 4] = h0_wrap[((((p1[1] as u32) & (p1[2] as u32)) / 5u32) & 15) as usize][((p1[1] as i64).wrapping_sub((p1[0] as i64)).count_ones() as usize) % 4].wrapping_sub(((p1[1] as f32).max((p1[1] as f32)) as u64)); }
            _ => {}
        }
        if ((p1[0] as u8) < (p1[2] as u8)) {
            let bin5 = ((0.1f64 as u64) / 100u64) as usize % h1_or.len(); h1_or[bin5][(((p1[0] as f32).abs() / (1.0 + ((p1[0] as f32) - (p1[1] as f32)).abs())).abs() * 3.0) as usize % 3] |= (p1[2] as i16);
        }
        h1_or[((((p1[2] as f32) / (1.0 + (p1[2] as f32).abs())) as u32) & 15) as usize][p1[1].max((match (p1[0] as u32) % 5 { 0 => p1[2], 1 | 3 => p1[2], _ => p1[0] })) as usize % 3] |= ((31i16 % 8 + (p1[1] as i16) % 5) % 3i16);
    }
}

fn r099(s: &str, c0: f64, h0_max: &mut [[u16; 4]]) {
    for &b1 in s.as_bytes() {
        let mut acc2 = 0u64;
        for j3 in 0..2usize {
            acc2 = acc2.wrapping_add(((c0 as u64) + 10u64));
        }
        if (c0 >= 0.1f64) {
            continue;
        }
        let mut acc4 = 0u64;
        for j5 in 0..3usize {
            acc4 = acc4.wrapping_add(10u64);
        }
        let bin6 = acc2.rotate_left(46).max((acc4 * 10u64)) as usize % h0_max.len(); h0_max[bin6][(b1 as u64) as usize % 4] = h0_max[bin6][(b1 as u64) as usize % 4].max(((c0 as u16) | (acc2 as u16)).wrapping_sub((b1 as u16).max((acc4 as u16))));
    }
}

fn r100(a0: &[u8], c0: i32, h0_both: &mut [u16], h1_both: &mut [u8]) {
    for &x1 in a0 {
        let bin2 = (((x1 as f32) / (1.0 + (x1 as f32).abs())).abs().sqrt().abs() * 3.0) as usize % h0_both.len(); h0_both[bin2] -= 1;
        let bin3 = ((((c0 as f32) as usize) % 6) * ((usize::from(x1) ^ (c0 as usize)) % 7)).min(h1_both.len() - 1); h1_both[bin3] = h1_both[bin3] - (((c0 as u64) < (x1 as u64)) && (c0 > 5i32)) as u8;
        let bin4 = ((match (1u32 % 8 + (c0 as u32) % 5) % 5 { 0 => (i32::from(x1) | (x1 as i32)), 1 | 3 => ((x1 as i32) % 8 + c0 % 5), _ => c0.clamp(-20, 20) }).rem_euclid(16) as usize).min(h1_both.len() - 1); h1_both[bin4] += 1;
    }
}

fn r101(a0: &[[i32; 6]; 90], c0: f64, t0: &[u8; 16], r0_wrap: &mut usize) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut acc3 = 0u64;
            for j4 in 0..4usize {
                acc3 = acc3.wrapping_add((y1 as u64));
            }
            let (p5, q6) = ((c0 as i64), ((acc3 as i64) / 7i64));
            let pair7 = (10u64.saturating_sub((c0 as u64)), ((acc3 as f64) * 0.5f64));
            *r0_wrap = (*r0_wrap).wrapping_sub(((c0 as usize) / 7usize).rotate_left(8));
            if (!t0[(y1 % 8 + y1 % 5) % 16].is_ascii_alphabetic()) {
                *r0_wrap = (*r0_wrap).wrapping_sub(y1);
            }
        }
    }
}

fn r102(a0: &[i32], t0: &[u8; 16], h0_add: &mut [f32]) {
    for x1 in a0.iter().cloned() {
        let mut v2 = (t0[((x1 > x1) as usize) % 16] as f32).max((x1 as f32));
        if ((7u64 == (x1 as u64)) && t0[((x1 > x1) as usize) % 16].is_ascii_digit()) {
            v2 += 0.1f32;
        }
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || (!((x1 as u32) == (v2 as u32))) {
                break turns4 * 2;
            }
        };
        h0_add[(((found3 as u32) + 1u32).abs_diff((x1 as u32)) & 15) as usize] += (((if t0[((x1 > x1) as usize) % 16].is_ascii_alphabetic() { v2 } else { (found3 as f32) }).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        let bin5 = (found3.rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin5] += ((v2.clamp(-8.0, 8.0) * 16.0).round() / 16.0);
    }
}

fn r103(a0: &[f64], c0: f64, r0_or: &mut i16) {
    for &x1 in a0 {
        let (p2, q3) = ((x1 as u8), (((c0 as u8) < (x1 as u8)) as u16));
        *r0_or |= ((((c0 as u64) < u64::from(q3)) as i16) ^ ((q3 as i16) % 7i16));
    }
}

fn r104(a0: &[[u64; 6]; 90], t0: &[u8; 16], h0_min: &mut [u32; 1000], h1_wrap: &mut [i16; 16], h2_and: &mut [i16]) {
    for row1 in a0 {
        for x2 in row1 {
            let v3 = 0.1f32;
            let bin4 = ((1.0f64 > (v3 as f64)) as u64).saturating_sub((100u8.trailing_zeros() as u64)) as usize % 1000; h0_min[bin4] = h0_min[bin4].min(((2u32 % 2u32) % 8 + ((v3 as u32) | (t0[((*x2) as usize) % 16] as u32)) % 5));
            match (3u32 % 8 + (t0[((*x2) as usize) % 16] as u32) % 5) % 4 {
                0 => { let bin5 = ((t0[((*x2) as usize) % 16] as f32).abs() * 3.0) as usize % 1000; h0_min[bin5] = h0_min[bin5].min((if (((*x2) as u8) <= t0[((*x2) as usize) % 16]) { 7u32 } else { 3u32 })); }
                1..=2 => { let bin6 = (((v3 as usize) ^ (t0[((*x2) as usize) % 16] as usize)) >> 36) % 1000; h0_min[bin6] = h0_min[bin6].min((((*x2) as u32).rotate_left(23) ^ (v3 as u32))); }
                _ => {}
            }
            let bin7 = ((v3 / (1.0 + ((*x2) as f32).abs())) as usize).min(16 - 1); h1_wrap[bin7] = h1_wrap[bin7].wrapping_add(((t0[((*x2) as usize) % 16] as i16).clamp(-20, 20) | ((t0[((*x2) as usize) % 16] as f64) as i16)));
            h1_wrap[(v3 as usize).min(16 - 1)] = h1_wrap[(v3 as usize).min(16 - 1)].wrapping_sub(10i16);
            match u32::from(t0[((*x2) as usize) % 16]) % 4 {
                0 => { let bin8 = (((v3 as i32) + 5i32).rem_euclid(16) as usize).min(h2_and.len() - 1); h2_and[bin8] &= (((t0[((*x2) as usize) % 16] as u32) / 10u32).trailing_zeros() as i16); }
                1..=2 => { let bin9 = (((*x2) as usize) + 31usize).wrapping_mul(((t0[((*x2) as usize) % 16] as usize) % 10usize)) % h2_and.len(); h2_and[bin9] &= 31i16.rotate_left(6); }
                _ => {}
            }
        }
    }
}

fn r105(a0: &[[u8; 6]], t0: &[f32; 16], h0_add: &mut [u64], h1_max: &mut [[i8; 4]], h2_sat: &mut Vec<u64>) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let local3 = [((t0[(y1 - 5usize) % 16] as i64) >> 9), (((t0[(y1 - 5usize) % 16] as i32) <= (x2 as i32)) as i64), 3i64];
            if ((local3[((a0[y1][x2] <= (t0[(y1 - 5usize) % 16] as u8)) as usize) % 3] as i32) >= (t0[(y1 - 5usize) % 16] as i32)) {
                continue;
            }
            let bytes4 = (if a0[y1][x2].is_ascii_digit() { (y1 as i64) } else { (y1 as i64) }).to_le_bytes();
            if ((x2 as u8) == bytes4[1]) {
                let bin5 = (bytes4[1] as u64).rotate_left(34).min(31u64) as usize % h0_add.len(); h0_add[bin5] += 1;
            }
            if (((local3[((a0[y1][x2] <= (t0[(y1 - 5usize) % 16] as u8)) as usize) % 3] as u32) != 7u32) && ((t0[(y1 - 5usize) % 16] as u32) == (t0[(y1 - 5usize) % 16] as u32))) {
                let bin6 = ((bytes4[0] as f32) as usize).rotate_left(9) % h1_max.len(); h1_max[bin6][(bytes4[1] as usize).min(4 - 1)] = h1_max[bin6][(bytes4[1] as usize).min(4 - 1)].max(((local3[((a0[y1][x2] <= (t0[(y1 - 5usize) % 16] as u8)) as usize) % 3] as i8) | (bytes4[1] as i8)));
            }
            match (t0[(y1 - 5usize) % 16] as u32).rotate_left(1) % 4 {
                0 => { let bin7 = ((bytes4[0] as i32).rotate_left(21).wrapping_mul((t0[(y1 - 5usize) % 16] as i32)).rem_euclid(16) as usize).min(h2_sat.len() - 1); h2_sat[bin7] = h2_sat[bin7].saturating_add((y1 as u64)); }
                1..=2 => { let bin8 = (bytes4[0] as usize) % h2_sat.len(); h2_sat[bin8] = h2_sat[bin8].saturating_add(((bytes4[1] as f64) as u64).max(5u64.abs_diff((local3[((a0[y1][x2] <= (t0[(y1 - 5usize) % 16] as u8)) as usize) % 3] as u64)))); }
                _ => {}
            }
            match 1u32 % 4 {
                0 => { let bin9 = (match a0[y1][x2] { b'a'..=b'm' | b'A' => usize::from(a0[y1][x2]), b'0' => 10usize, _ => y1 }).abs_diff((t0[(y1 - 5usize) % 16] as usize)) % h2_sat.len(); h2_sat[bin9] = h2_sat[bin9].saturating_add((if (100u8 == a0[y1][x2]) { (bytes4[1] as u64) } else { (x2 as u64) }).wrapping_add(((bytes4[1] as u64) / 7u64))); }
                1..=2 => { let bin10 = (((x2 as f64).min((y1 as f64)) as u32) & 15) as usize; h2_sat[bin10] = h2_sat[bin10].saturating_add((bytes4[1] as u64).min(1u64).saturating_sub(((bytes4[1] as f64) as u64))); }
                _ => {}
            }
        }
    }
}

fn r106(a0: &[i32], c0: f64, t0: &[u64; 16], h0_max: &mut Vec<i32>, h1_wrap: &mut [i16; 256]) {
    for p1 in a0.chunks_exact(2) {
        let k2: usize = WIDTH;
        let bin3 = ((p1[0] as usize).wrapping_sub((c0 as usize)) % 8 + k2.saturating_sub((p1[1] as usize)) % 5) % h0_max.len(); h0_max[bin3] = h0_max[bin3].max(p1[0]);
        let bin4 = ((c0 as i32).rem_euclid(16) as usize).min(256 - 1); h1_wrap[bin4] = h1_wrap[bin4].wrapping_add((k2 as i16));
    }
}

fn r107(a0: &[i8], t0: &[usize; 16], h0_or: &mut [i8]) {
    for x1 in a0.iter().cloned() {
        h0_or[((x1 as u32) & 15) as usize] |= (t0[((x1 as usize) / 1usize) % 16] as i8).wrapping_mul((t0[((x1 as usize) / 1usize) % 16] as i8)).min((t0[((x1 as usize) / 1usize) % 16] as i8).wrapping_mul(x1));
    }
}

fn r108(s: &str, h0_wrap: &mut [i64; 64]) {
    for b1 in s.bytes() {
        let v2: u8;
        if b1.is_ascii_alphabetic() {
            v2 = b1;
        } else {
            v2 = (10u8 | b1);
        }
        let v3: u32;
        if ((b1 as f64) == (b1 as f64)) {
            v3 = (((b1 as i32) < i32::from(v2)) as u32);
        } else {
            v3 = (v2 as u32);
        }
        h0_wrap[u64::from(v2).wrapping_add((v3 as u64)) as usize % 64] = h0_wrap[u64::from(v2).wrapping_add((v3 as u64)) as usize % 64].wrapping_sub(((match v3 % 5 { 0 => i64::from(b1), 1 | 3 => (v2 as i64), _ => (b1 as i64) }) | (v3 as i64).min(i64::from(v2))));
    }
}

fn r109(a0: &Vec<u16>, a1: &Vec<i8>, h0_wrap: &mut Vec<isize>) {
    for (&x1, &x2) in a0.iter().zip(a1.iter()) {
        let k3: usize = WIDTH;
        let bin4 = ((x1 as f32).max((x2 as f32)).min((k3 as f32)).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub((x2 as isize));
    }
}

fn r110(a0: &Vec<u64>, h0_min: &mut [i64], h1_max: &mut [u32]) {
    for x1 in a0.iter().cloned() {
        let mut v2 = ((x1 as u16) & (x1 as u16));
        if ((x1 as i32) == (x1 as i32)) {
            v2 = (x1 as u16);
        }
        let mut rest3 = (((v2 as u8) % 6) * ((v2 as u8) % 7));
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let v5: i64 = (((if (x1 <= x1) { (v2 as i64) } else { 10i64 }) % 6) * ((x1 as i64) % 7));
        if (!(x1 > u64::from(v2))) {
            h0_min[((5u32.wrapping_sub((x1 as u32)) & (((v2 as u64) == (v5 as u64)) as u32)) & 15) as usize] = h0_min[((5u32.wrapping_sub((x1 as u32)) & (((v2 as u64) == (v5 as u64)) as u32)) & 15) as usize].min(10i64);
        }
        let bin6 = 100usize % h0_min.len(); h0_min[bin6] = h0_min[bin6].min(((((v2 as i64) | (x1 as i64)) % 6) * ((((v5 as i32) > (v5 as i32)) as i64) % 7)));
        if (!((x1 as u32) <= (v2 as u32))) {
            let bin7 = ((((v2 as u64) >= (v2 as u64)) as i32).wrapping_add((count4 as i32)).rem_euclid(16) as usize).min(h1_max.len() - 1); h1_max[bin7] = h1_max[bin7].max((((match 100u32 % 5 { 0 => (x1 as u32), 1 | 3 => count4, _ => (v5 as u32) }) % 6) * (((x1 as u32) ^ (v5 as u32)) % 7)));
        }
    }
}

fn r111(a0: &[[i16; 6]], h0_max: &mut [[f32; 4]]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let mut v4 = (sum2 % 8 + sum2 % 5);
        if (sum2 <= (row1[2] as u32)) {
            v4 = (((row1[2] as f64) < (row1[2] as f64)) as u32);
        }
        let v5 = ((row1[2] as f32) as u64);
        match 100u32 % 4 {
            0 => { h0_max[((((v4 as f64) as u32) % 8 + (v5 as u32).wrapping_sub((row1[2] as u32)) % 5) & 15) as usize][(((sum2 as usize) / 7usize) >> 36) % 4] = h0_max[((((v4 as f64) as u32) % 8 + (v5 as u32).wrapping_sub((row1[2] as u32)) % 5) & 15) as usize][(((sum2 as usize) / 7usize) >> 36) % 4].max((sum2 as f32).floor()); }
            1..=2 => { let bin6 = ((match (row1[2] as u32) % 5 { 0 => (v4 as usize), 1 | 3 => (sum2 as usize), _ => (row1[2] as usize) }) % 7usize).min(h0_max.len() - 1); let bin7 = ((v4 as i32).rem_euclid(16) as usize).min(4 - 1); h0_max[bin6][bin7] = h0_max[bin6][bin7].max(((v4 as f32) * (sum2 as f32)).min((sum2 as f32).abs().sqrt())); }
            _ => {}
        }
    }
}

fn r112(a0: &Vec<f64>, a1: &[u32], c0: f32, h0_add: &mut Vec<i32>) {
    for (i3, (&x1, &x2)) in a0.iter().zip(a1).enumerate() {
        let mut acc4 = 0u64;
        for j5 in 0..3usize {
            acc4 = acc4.wrapping_add(((x1 as u64) ^ (c0 as u64)).saturating_sub((i3 as u64).min(acc4)));
        }
        let mut rest6 = x2;
        let mut count7 = 0u32;
        while rest6 > 0 {
            rest6 >>= 1;
            count7 += 1;
        }
        let mut turns9 = 0i32;
        let found8 = loop {
            turns9 += 1;
            if turns9 > 4 || (count7 <= x2) {
                break turns9 * 2;
            }
        };
        match ((x1 as u32) % 10u32) % 4 {
            0 => { h0_add[(((c0 as u32).wrapping_sub(x2) >> 30) & 15) as usize] += 1; }
            1..=2 => { let bin10 = (c0 as u64) as usize % h0_add.len(); h0_add[bin10] = h0_add[bin10] + ((x1 as u64) != (i3 as u64)) as i32; }
            _ => {}
        }
        let bin11 = (x1 as usize).min((x2 as usize)) % h0_add.len(); h0_add[bin11] += 1;
    }
}

fn r113(a0: &[u32; 90], c0: i32, r0_add: &mut u16) {
    for p1 in a0.windows(2) {
        if (p1[0] < p1[1]) {
            *r0_add = *r0_add + 1;
        }
        *r0_add = *r0_add + (!((c0 as u8) < (p1.len() as u8))) as u16;
    }
}

fn r114(a0: &Vec<f64>, h0_add: &mut [f64]) {
    for x1 in a0.iter().copied() {
        let mut rest2 = ((x1 as u64) & (x1 as u64));
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let mut rest4 = ((x1 as u8) % 8 + (x1 as u8) % 5);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        h0_add[(count3.wrapping_mul((if ((x1 as i32) < (count3 as i32)) { (x1 as u32) } else { (x1 as u32) })) & 15) as usize] = h0_add[(count3.wrapping_mul((if ((x1 as i32) < (count3 as i32)) { (x1 as u32) } else { (x1 as u32) })) & 15) as usize] + 1.0f64;
    }
}

fn r115(a0: &[f32], c0: f32, h0_max: &mut Vec<u32>, h1_and: &mut [[i16; 16]; 16], h2_or: &mut [[u32; 16]]) {
    for (i2, &x1) in a0.iter().enumerate().skip(1) {
        let v3: i8 = (x1 as i8);
        let v4: u8;
        if (!((i2 as u8) > (i2 as u8))) {
            v4 = (v3 as u8).max((v3 as u8));
        } else {
            v4 = (i2 as u8);
        }
        match ((x1 as u32) & (v4 as u32)) % 4 {
            0 => { let bin5 = ((c0 as u8).leading_zeros() as usize).min(h0_max.len() - 1); h0_max[bin5] = h0_max[bin5].max((u32::from(v4).saturating_sub((v3 as u32)) & u32::from(v4).max((c0 as u32)))); }
            1..=2 => { let bin6 = ((-(v4 as f32)).max((v3 as f32).min((v3 as f32))).abs() * 3.0) as usize % h0_max.len(); h0_max[bin6] = h0_max[bin6].max(((((v4 as u32) % 6) * (u32::from(v4) % 7)) / 3u32)); }
            _ => {}
        }
        let bin7 = (c0 as usize).saturating_sub(2usize).rotate_left(48).min(h0_max.len() - 1); h0_max[bin7] = h0_max[bin7].max((u32::from(v4) ^ ((c0 as u32) & (x1 as u32))));
        let bin8 = ((v3 as usize) / 1usize) % 16; let bin9 = ((c0 as usize).abs_diff(i2) >> 47) % 16; h1_and[bin8][bin9] = h1_and[bin8][bin9] & (x1 as i16).rotate_left(8);
        match (((c0 as u32) % 6) * ((i2 as u32) % 7)) % 4 {
            0 => { let bin10 = ((match v4 { b'a'..=b'm' | b'A' => (i2 as i32), b'0' => (c0 as i32), _ => i32::from(v3) }).saturating_sub((v4 as i32)).rem_euclid(16) as usize).min(h2_or.len() - 1); h2_or[bin10][(i2.max(i2) >> 22).min(16 - 1)] |= ((i2 as u32) - 2u32); }
            1..=2 => { let bin11 = ((i2 as f64) as u64) as usize % h2_or.len(); h2_or[bin11][((v3 as u64) % 1u64) as usize % 16] |= (x1 as u32); }
            _ => {}
        }
    }
}

fn r116(s: &str, h0_wrap: &mut [i32], h1_wrap: &mut [[isize; 4]]) {
    for b1 in s.bytes() {
        let mut acc2 = 0u64;
        for j3 in 0..2usize {
            if ((b1 as i32) == (b1 as i32)) {
                break;
            }
            acc2 = acc2.wrapping_add(((b1 as f32) as u64).max(((b1 as u64) + 1u64)));
        }
        match (acc2 as u32) % 4 {
            0 => { let bin4 = (i32::from(b1).rem_euclid(16) as usize).min(h0_wrap.len() - 1); h0_wrap[bin4] = h0_wrap[bin4].wrapping_mul(100i32.rotate_left(28).wrapping_sub(((acc2 as i32) % 8 + i32::from(b1) % 5))); }
            1..=2 => { h0_wrap[((b1 as u32) & 15) as usize] = h0_wrap[((b1 as u32) & 15) as usize].wrapping_mul(((b1 as i32) % 8 + (b1 as i32).rotate_left(8) % 5)); }
            _ => {}
        }
        let bin5 = (((b1 as f32) * (-(acc2 as f32))).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_mul((acc2 as i32));
        let bin6 = (b1 as usize) % h1_wrap.len(); h1_wrap[bin6][((acc2 as f32).max((b1 as f32)) as usize) % 4] = h1_wrap[bin6][((acc2 as f32).max((b1 as f32)) as usize) % 4].wrapping_sub((acc2 as isize));
    }
}

fn r117(a0: &[i16], h0_add: &mut Vec<f64>, h1_max: &mut [[i8; 16]; 1]) {
    for p1 in a0.chunks_exact(3) {
        if (((p1[2] as u32) == (p1[1] as u32)) || ((p1[0] as u32) == (p1[2] as u32))) {
            let bin2 = (p1[2] as usize) % h0_add.len(); h0_add[bin2] += (((p1[0] as f64).sin() * 16.0).round() / 16.0);
        }
        let bin3 = (((p1[2] as f32) + (p1[0] as f32).fract()).abs() * 3.0) as usize % 1; let bin4 = (2usize.min(10usize) % 8 + ((p1[0] as usize) + 3usize) % 5) % 16; h1_max[bin3][bin4] = h1_max[bin3][bin4].max((((p1[2] as f32) as i8) | (p1[0] as i8)));
        match ((p1[1] as u8).trailing_zeros() as u32) % 4 {
            0 => { h1_max[(((p1[0] as i32) & i32::from(p1[1])).min((p1[0] as i32).max((p1[1] as i32))).rem_euclid(16) as usize).min(1 - 1)][((p1[2] as usize) * 7usize) % 16] = h1_max[(((p1[0] as i32) & i32::from(p1[1])).min((p1[0] as i32).max((p1[1] as i32))).rem_euclid(16) as usize).min(1 - 1)][((p1[2] as usize) * 7usize) % 16].max((31i64.leading_zeros() as i8).wrapping_mul((10i8 & (p1[1] as i8)))); }
            1..=2 => { let bin5 = (p1[1] as usize) % 1; let bin6 = ((p1[1] as usize).saturating_sub((p1[1] as usize)) % 5usize).min(16 - 1); h1_max[bin5][bin6] = h1_max[bin5][bin6].max((p1[1] as i8)); }
            _ => {}
        }
    }
}

fn r118(a0: &[i16], h0_wrap: &mut [[i32; 16]; 16]) {
    for &x1 in a0.iter().skip(2).take(30) {
        let pair2 = ((i64::from(x1) >> 27), (x1 as u64));
        let mut rest3 = (((x1 as u32) > (pair2.0 as u32)) as u8);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let (p5, q6) = ((count4 as u64).saturating_sub((pair2.0 as u64)), ((count4 as u8) * 7u8));
        let bin7 = ((usize::from(q6) % 6) * ((pair2.1 as usize) % 7)).min(16 - 1); let bin8 = ((q6 as i32).rem_euclid(16) as usize).min(16 - 1); h0_wrap[bin7][bin8] = h0_wrap[bin7][bin8].wrapping_add((((pair2.0 as u8) ^ (x1 as u8)).leading_zeros() as i32));
    }
}

fn r119(a0: &[i32; 90], c0: u32, e0_add: &mut [usize]) {
    for (i2, &x1) in a0.iter().rev().enumerate() {
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || (((c0 as i32) < x1) || ((x1 as u32) < (x1 as u32))) {
                break turns4 * 2;
            }
        };
        match (c0 % 8 + (turns4 as u32) % 5) % 4 {
            0 => { e0_add[i2] += 1; }
            1..=2 => { let bin5 = i2; e0_add[bin5] = e0_add[bin5] + ((7usize % 8 + i2 % 5) % 5); }
            _ => {}
        }
    }
}

fn r120(a0: &Vec<i64>, t0: &[f32; 16], h0_add: &mut [i32; 256]) {
    for x1 in a0.iter().cloned() {
        h0_add[(t0[(x1 as usize) % 16] as u8) as usize] += (((x1 as i32) ^ (x1 as i32)) % 5);
        if (((x1 as u8) <= 100u8) || ((x1 as f64) <= (x1 as f64))) {
            h0_add[(((x1 as i32) - 10i32).rem_euclid(16) as usize).min(256 - 1)] += ((x1 as u32) == (x1 as u32)) as i32;
        }
    }
}

fn r121(a0: &[i64], h0_xor: &mut [i8]) {
    for x1 in a0.iter() {
        let k2 = MASK & 7u32;
        let mut acc3 = 0u64;
        for j4 in 0..5usize {
            acc3 = acc3.wrapping_add((j4 as u64).rotate_left(31).wrapping_mul((j4 as u64)));
        }
        let mut turns6 = 0i32;
        let found5 = loop {
            turns6 += 1;
            if turns6 > 4 || (!(acc3 != (k2 as u64))) {
                break turns6 * 2;
            }
        };
        let mut acc7 = 0u64;
        for j8 in 0..4usize {
            if (k2 < (acc3 as u32)) {
                continue;
            }
            acc7 = acc7.wrapping_add((j8 as u64));
        }
        let bin9 = (((acc3 as u32) + 3u32) & 15) as usize; h0_xor[bin9] = h0_xor[bin9] ^ ((*x1) as i8).wrapping_add((found5 as i8)).min((acc3 as i8));
    }
}

fn r122(a0: &[[i8; 6]], c0: u32, r0_max: &mut f32) {
    for row1 in a0 {
        for &x2 in row1 {
            let mut turns4 = 0i32;
            let found3 = loop {
                turns4 += 1;
                if turns4 > 4 || ((x2 as f64) != (x2 as f64)) {
                    break turns4 * 2;
                }
            };
            let (p5, q6) = ((if ((c0 as i32) < i32::from(x2)) { (x2 as u64) } else { (x2 as u64) }), (c0 as i64).saturating_sub((found3 as i64)));
            let mut turns8 = 0i32;
            let found7 = loop {
                turns8 += 1;
                if turns8 > 4 || (((q6 as u64) > u64::from(c0)) || ((found3 as f64) > (q6 as f64))) {
                    break turns8 * 2;
                }
            };
            *r0_max = (*r0_max).max((found3 as f32));
        }
    }
}

fn r123(a0: &[f32], n: usize, h0_add: &mut [i32]) {
    for i1 in 1..=n {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (((i1 as u8) > (a0[i1 - 1] as u8)) || ((a0[i1 - 1] as u64) <= (i1 as u64))) {
                break turns3 * 2;
            }
        };
        let mut rest4 = ((a0[i1 - 1] as f64) as u8);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        let mut rest6 = (count5 as u64);
        let mut count7 = 0u32;
        while rest6 > 0 {
            rest6 >>= 1;
            count7 += 1;
        }
        if (((a0[i1 - 1] as u64) > (count5 as u64)) || ((a0[i1 - 1] as u8) >= 3u8)) {
            let bin8 = ((((turns3 as u32) >> 30) ^ ((turns3 as u32) * 5u32)) & 15) as usize; h0_add[bin8] = h0_add[bin8] + (turns3 % 5);
        }
    }
}

fn r124(a0: &Vec<[f32; 6]>, h0_and: &mut [i8], h1_wrap: &mut [u32]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let bin3 = (((y1 as f64) <= (a0[y1][x2] as f64)) as usize) % h0_and.len(); h0_and[bin3] &= (x2 as i8).wrapping_mul((y1 as i8)).min((x2 as i8).saturating_sub((a0[y1][x2] as i8)));
            match 1u32.rotate_left(25) % 4 {
                0 => { let bin4 = (y1 * 2usize).wrapping_add(x2) % h0_and.len(); h0_and[bin4] &= (match (a0[y1][x2] as u32) % 5 { 0 => (a0[y1][x2] as i8), 1 | 3 => ((y1 as i8) >> 4), _ => ((x2 as i8) | (x2 as i8)) }); }
                1..=2 => { let bin5 = (x2 % 8 + y1 % 5) % h0_and.len(); h0_and[bin5] = h0_and[bin5] & ((a0[y1][x2] as i8) + 3i8); }
                _ => {}
            }
            if ((y1 as u8) <= (a0[y1][x2] as u8)) {
                let bin6 = (a0[y1][x2].abs().sqrt() as usize).min(h1_wrap.len() - 1); h1_wrap[bin6] = h1_wrap[bin6].wrapping_add((x2 as u32));
            }
            let bin7 = (a0[y1][x2] as usize).max((y1 & y1)).min(h1_wrap.len() - 1); h1_wrap[bin7] = h1_wrap[bin7].wrapping_add(2u32);
        }
    }
}

fn r125(a0: &Vec<u32>, h0_wrap: &mut [[u8; 16]], e0_both: &mut [i32]) {
    for i1 in (0..a0.len()).step_by(3) {
        let v2 = ((i1 as i64).wrapping_sub((a0[i1] as i64)).count_ones() as u64);
        let bin3 = ((v2 as f32).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin3][(v2 as usize) % 16] = h0_wrap[bin3][(v2 as usize) % 16].wrapping_mul((v2 as u8));
        let bin4 = i1; e0_both[bin4] = e0_both[bin4] - 1;
        let bin5 = i1; e0_both[bin5] = e0_both[bin5] - (a0[i1] != a0[i1]) as i32;
    }
}

fn r126(a0: &[f64], a1: &Vec<u8>, h0_or: &mut [[i8; 3]; 7], h1_add: &mut [u64]) {
    for (&x1, &x2) in a0.iter().zip(a1) {
        let v3: u32 = ((x1 as u32).wrapping_mul((x2 as u32)) % 8 + u32::from(x2).rotate_left(1) % 5);
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || (!(100u8 == (v3 as u8))) {
                break turns5 * 2;
            }
        };
        h0_or[(((turns5 > found4) || (x2 >= (x1 as u8))) as u64) as usize % 7][((turns5 as u64) ^ (turns5 as u64)).min((x2 as u64).wrapping_sub(u64::from(v3))) as usize % 3] |= (found4 as i8).wrapping_sub((v3 as i8).rotate_left(7));
        let bin6 = (x2.is_ascii_alphabetic() as usize).min(((x1 as usize) % 3usize)).min(h1_add.len() - 1); h1_add[bin6] += 1;
        let bin7 = ((turns5 as u32) & 15) as usize; h1_add[bin7] = h1_add[bin7] + (((v3 as f64) > 0.1f64) && ((found4 as u32) == (x1 as u32))) as u64;
    }
}

fn r127(a0: &Vec<usize>, h0_min: &mut [isize], h1_and: &mut [i8]) {
    for p1 in a0.windows(4) {
        match ((p1[1] as f64) as u32) % 4 {
            0 => { let bin2 = p1[0] % h0_min.len(); h0_min[bin2] = h0_min[bin2].min((((p1[0] as isize) ^ (p1[0] as isize)) >> 15)); }
            1..=2 => { let bin3 = ((10i32 / 2i32).rem_euclid(16) as usize).min(h0_min.len() - 1); h0_min[bin3] = h0_min[bin3].min((p1[3] as isize)); }
            _ => {}
        }
        match ((p1[1] as f64) as u32) % 4 {
            0 => { let bin4 = (p1[1] % 8 + p1[0] % 5).abs_diff((if (5u32 == 7u32) { p1[2] } else { p1[1] })) % h0_min.len(); h0_min[bin4] = h0_min[bin4].min((((((p1[3] as isize) % 6) * ((p1[0] as isize) % 7)) % 6) * ((((p1[2] as isize) % 6) * ((p1[0] as isize) % 7)) % 7))); }
            1..=2 => { let bin5 = p1[1] % h0_min.len(); h0_min[bin5] = h0_min[bin5].min((p1[1] as isize).rotate_left(8).clamp(-20, 20)); }
            _ => {}
        }
        let bin6 = ((p1[0] as u32) & 15) as usize; h1_and[bin6] = h1_and[bin6] & (p1[1] as i8);
        let bin7 = p1[1] % h1_and.len(); h1_and[bin7] &= ((p1[2] as i8).wrapping_mul((p1[0] as i8)) >> 2);
    }
}

fn r128(a0: &[i64], t0: &[f32; 16], h0_wrap: &mut [u64]) {
    for &x1 in a0 {
        let mut acc2 = 0u64;
        for j3 in 0..3usize {
            if ((acc2 as u8) < 7u8) {
                break;
            }
            acc2 = acc2.wrapping_add((x1 as u64).saturating_sub((j3 as u64)));
        }
        let mut v4 = 0.1f32.sin();
        if ((acc2 as u32) <= (t0[((x1 as usize) >> 63) % 16] as u32)) {
            v4 += (x1 as f32);
        }
        let bin5 = ((t0[((x1 as usize) >> 63) % 16] as i32).rem_euclid(16) as usize).min(h0_wrap.len() - 1); h0_wrap[bin5] = h0_wrap[bin5].wrapping_mul((x1 as u64));
        match (t0[((x1 as usize) >> 63) % 16] as u32) % 4 {
            0 => { let bin6 = ((x1 as u32) & 15) as usize; h0_wrap[bin6] = h0_wrap[bin6].wrapping_mul((t0[((x1 as usize) >> 63) % 16] as u64).min((v4 as u64))); }
            1..=2 => { let bin7 = ((if ((acc2 as u8) < (acc2 as u8)) { (t0[((x1 as usize) >> 63) % 16] as u64) } else { (x1 as u64) }) % 10u64) as usize % h0_wrap.len(); h0_wrap[bin7] = h0_wrap[bin7].wrapping_mul(((t0[((x1 as usize) >> 63) % 16] as u64) | (31u64 % 8 + (v4 as u64) % 5))); }
            _ => {}
        }
    }
}

fn r129(a0: &Vec<i64>, h0_both: &mut Vec<u16>) {
    for i1 in (0..a0.len()).step_by(3) {
        if (((a0[i1] as f64) < (i1 as f64)) && ((i1 as i32) <= 100i32)) {
            let bin2 = ((a0[i1] as f32).round().abs() * 3.0) as usize % h0_both.len(); h0_both[bin2] -= (((a0[i1] as u16) & (i1 as u16)) % 5);
        }
        h0_both[(((a0[i1] as u32) / 2u32) & 15) as usize] += (((i1 as f64) < (i1 as f64)) && ((i1 as u8) > (a0[i1] as u8))) as u16;
    }
}

fn r130(a0: &[i64], h0_max: &mut [i64]) {
    for p1 in a0.windows(3) {
        let v2: u16 = (p1[0] as u16);
        let bin3 = ((p1[2] as f32).min((-(p1[2] as f32))).abs() * 3.0) as usize % h0_max.len(); h0_max[bin3] = h0_max[bin3].max((if (u64::from(v2) >= (p1[0] as u64)) { ((p1[2] as u16).trailing_zeros() as i64) } else { (31i64 % 8 + p1[1] % 5) }));
    }
}

fn r131(s: &str, t0: &[u32; 16], h0_wrap: &mut [i64], h1_wrap: &mut [isize; 7]) {
    for b1 in s.bytes() {
        let k2 = WIDTH & 7usize;
        let bin3 = (((k2 as f32) - (k2 as f32)).floor().abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin3] = h0_wrap[bin3].wrapping_add(i64::from(b1));
        let bin4 = (k2 % 2usize).abs_diff((k2 % 8 + (b1 as usize) % 5)).min(h0_wrap.len() - 1); h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub((k2 as i64));
        let bin5 = usize::from(b1).max(k2).min((t0[k2.abs_diff(k2) % 16] as usize)) % 7; h1_wrap[bin5] = h1_wrap[bin5].wrapping_add(((t0[k2.abs_diff(k2) % 16] as isize) ^ (5isize | (b1 as isize))));
    }
}

fn r132(a0: &Vec<i16>, h0_max: &mut [i8], h1_sub: &mut [f64; 16]) {
    for x1 in a0.iter().cloned() {
        let bin2 = ((x1 as usize).min(7usize) ^ ((x1 as usize) / 100usize)).min(h0_max.len() - 1); h0_max[bin2] = h0_max[bin2].max(((x1 as i8) ^ (x1 as i8)).saturating_sub((x1 as i8)));
        match (x1 as u32).wrapping_mul((x1 as u32)) % 4 {
            0 => { let bin3 = ((-(x1 as f32)).abs() * 3.0) as usize % h0_max.len(); h0_max[bin3] = h0_max[bin3].max(((((x1 as i8) % 2i8) % 6) * (((x1 as i8) | 7i8) % 7))); }
            1..=2 => { h0_max[((((x1 as f32) * (x1 as f32)) as u32) & 15) as usize] = h0_max[((((x1 as f32) * (x1 as f32)) as u32) & 15) as usize].max((1.0f64 as i8).min((x1 as i8).clamp(-20, 20))); }
            _ => {}
        }
        let bin4 = ((x1 as u64) - 2u64) as usize % 16; h1_sub[bin4] = h1_sub[bin4] - (((if ((x1 as f64) == (x1 as f64)) { (x1 as f64).min((x1 as f64)) } else { (x1 as f64) }).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        h1_sub[(((if ((x1 as f64) > (x1 as f64)) { (x1 as f32) } else { (x1 as f32) }) * ((x1 as f32) - (x1 as f32))).abs() * 3.0) as usize % 16] -= ((((x1 as f64).floor() + (x1 as f64).abs()).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
    }
}

fn r133(a0: &[f32; 90], h0_sat: &mut [[u32; 3]]) {
    for x1 in a0.iter().cloned() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || ((x1 as u32) == (x1 as u32)) {
                break turns3 * 2;
            }
        };
        match 10u32 % 4 {
            0 => { let bin4 = (found2.clamp(-20, 20).min(7i32).rem_euclid(16) as usize).min(h0_sat.len() - 1); let bin5 = (match (x1 as u32) % 5 { 0 => (turns3 as u64), 1 | 3 => (x1 as u64), _ => (found2 as u64) }).rotate_left(26) as usize % 3; h0_sat[bin4][bin5] = h0_sat[bin4][bin5].saturating_add(((x1 as f64) as u32)); }
            1..=2 => { let bin6 = ((found2 as f32).abs() * 3.0) as usize % h0_sat.len(); h0_sat[bin6][((10usize % 6) * (((turns3 as usize) % 8 + (x1 as usize) % 5) % 7)).min(3 - 1)] = h0_sat[bin6][((10usize % 6) * (((turns3 as usize) % 8 + (x1 as usize) % 5) % 7)).min(3 - 1)].saturating_add((found2 as u32).saturating_sub((turns3 as u32)).min((found2 as u32).wrapping_sub((turns3 as u32)))); }
            _ => {}
        }
        match (turns3 as u32) % 4 {
            0 => { let bin7 = ((-(turns3 as f32)).abs().sqrt().abs() * 3.0) as usize % h0_sat.len(); let bin8 = ((if ((x1 as i32) == 100i32) { found2 } else { turns3 }).min(found2).rem_euclid(16) as usize).min(3 - 1); h0_sat[bin7][bin8] = h0_sat[bin7][bin8].saturating_add((if (((x1 as u8) >= (found2 as u8)) || ((x1 as u32) == (found2 as u32))) { ((found2 as u32) / 10u32) } else { (found2 as u32).abs_diff((x1 as u32)) })); }
            1..=2 => { h0_sat[((((turns3 as u32) > (found2 as u32)) as u32) & 15) as usize][(((match (found2 as u32) % 5 { 0 => (x1 as usize), 1 | 3 => (turns3 as usize), _ => (found2 as usize) }) % 6) * (((found2 as f32) as usize) % 7)) % 3] = h0_sat[((((turns3 as u32) > (found2 as u32)) as u32) & 15) as usize][(((match (found2 as u32) % 5 { 0 => (x1 as usize), 1 | 3 => (turns3 as usize), _ => (found2 as usize) }) % 6) * (((found2 as f32) as usize) % 7)) % 3].saturating_add(((x1 as u32) - 5u32).wrapping_sub((found2 as u32))); }
            _ => {}
        }
    }
}

fn r134(a0: &[u8], h0_min: &mut [i16]) {
    for &x1 in a0.iter().step_by(2) {
        if ((x1 as f64) == (x1 as f64)) {
            continue;
        }
        let mut v2 = (x1 as u16).abs_diff((x1 as u16));
        if (!((x1 as i32) == (x1 as i32))) {
            v2 ^= u16::from(x1).abs_diff((x1 as u16));
        }
        match u32::from(v2) % 4 {
            0 => { let bin3 = ((x1 as u64) ^ (v2 as u64)).wrapping_mul((v2 as u64)) as usize % h0_min.len(); h0_min[bin3] = h0_min[bin3].min((x1 as i16)); }
            1..=2 => { let bin4 = ((v2 as f32).abs() * 3.0) as usize % h0_min.len(); h0_min[bin4] = h0_min[bin4].min(((v2 as i16).min((x1 as i16)) % 1i16)); }
            _ => {}
        }
        match u32::from(x1) % 4 {
            0 => { let bin5 = ((x1 as u64) >> 42) as usize % h0_min.len(); h0_min[bin5] = h0_min[bin5].min(((x1 as f64).abs().sqrt() as i16)); }
            1..=2 => { let bin6 = (u64::from(v2) / 31u64) as usize % h0_min.len(); h0_min[bin6] = h0_min[bin6].min((v2 as i16)); }
            _ => {}
        }
    }
}

fn r135(a0: &[u64; 90], a1: &[u16; 90], h0_or: &mut [u32], h1_min: &mut [[u64; 4]; 16]) {
    for (x1, x2) in a0.iter().zip(a1.iter()) {
        let k3: u32 = MASK;
        if (1.0f64 <= ((*x1) as f64)) {
            let bin4 = 5usize % h0_or.len(); h0_or[bin4] |= (((*x2) as u32).saturating_sub(u32::from((*x2))) % 3u32);
        }
        match ((*x1) as u32) % 4 {
            0 => { let bin5 = (((100usize % 8 + ((*x2) as usize) % 5) % 6) * ((((*x2) as f64) as usize) % 7)).min(h0_or.len() - 1); h0_or[bin5] |= ((*x2) as u32); }
            1..=2 => { let bin6 = (if (((*x2) as u64) != (*x1)) { (((*x1) as usize) % 3usize) } else { ((k3 as usize) - 1usize) }) % h0_or.len(); h0_or[bin6] |= ((7u32 % 6) * (((*x2) as u32) % 7)).rotate_left(17); }
            _ => {}
        }
        let bin7 = (((100u64 ^ ((*x2) as u64)) % 6) * ((*x1).min(((*x2) as u64)) % 7)) as usize % 16; let bin8 = ((*x1) as usize).wrapping_add((k3 as usize)).rotate_left(55).min(4 - 1); h1_min[bin7][bin8] = h1_min[bin7][bin8].min((*x1));
    }
}

fn r136(a0: &[u64], h0_sub: &mut [f32; 1000], h1_add: &mut [f32]) {
    for x1 in a0.iter().copied() {
        h0_sub[x1.abs_diff((x1 + 7u64)) as usize % 1000] -= (((x1 as f32).sin() * 16.0).round() / 16.0);
        match (x1 as u32).abs_diff((x1 as u32)) % 4 {
            0 => { let bin2 = x1 as usize % h1_add.len(); h1_add[bin2] += ((((x1 as f32).floor() - 2.25f32.floor()).clamp(-8.0, 8.0) * 16.0).round() / 16.0); }
            1..=2 => { let bin3 = ((x1 as i64).wrapping_mul((x1 as i64)).leading_zeros() as usize) % h1_add.len(); h1_add[bin3] += 1.0f32; }
            _ => {}
        }
        match (x1 as u32) % 4 {
            0 => { let bin4 = ((if ((x1 as f64) < (x1 as f64)) { (x1 as i32).min(1i32) } else { ((x1 as i32) >> 4) }).rem_euclid(16) as usize).min(h1_add.len() - 1); h1_add[bin4] = h1_add[bin4] + 1.0f32; }
            1..=2 => { h1_add[(((x1 as f32).min((x1 as f32)) as u32) & 15) as usize] += 1.0f32; }
            _ => {}
        }
    }
}

fn r137(a0: &[u32; 90], h0_add: &mut [f32], h1_sub: &mut Vec<u32>, h2_xor: &mut Vec<i64>) {
    for p1 in a0.chunks_exact(2) {
        let k2 = WIDTH & 7usize;
        let mut v3 = ((p1.len() as i64).count_ones() as u32);
        if (((p1.len() as i32) <= (p1.len() as i32)) || ((p1[1] as u8) == 2u8)) {
            v3 = p1[0].saturating_sub(100u32);
        }
        let v4: i64;
        if (((p1[0] as u64) == (p1.len() as u64)) && (1.0f64 < (p1[0] as f64))) {
            v4 = (v3 as i64);
        } else {
            v4 = ((p1[0] as f64) as i64);
        }
        if ((v4 as u8) == (k2 as u8)) {
            let bin5 = ((if (10u32 <= p1[0]) { (k2 as f32) } else { (v4 as f32) }).min((p1.len() as f32).abs()).abs() * 3.0) as usize % h0_add.len(); h0_add[bin5] += (((((p1[1] as f32) / (1.0 + (p1[0] as f32).abs())) - ((v4 as f32) + (p1[0] as f32))).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        }
        h1_sub[((v3 + 7u32).saturating_sub((p1[1] | (v4 as u32))) & 15) as usize] -= 1;
        if ((k2 as u64) != u64::from(v3)) {
            let bin6 = ((v4 as usize).max(k2) % 31usize).min(h2_xor.len() - 1); h2_xor[bin6] = h2_xor[bin6] ^ (p1[1] as i64);
        }
        match (v4 as u32) % 4 {
            0 => { let bin7 = ((k2 as u32).rotate_left(6) & 15) as usize; h2_xor[bin7] = h2_xor[bin7] ^ (3i64 % 100i64).saturating_sub(((p1[0] as f64) as i64)); }
            1..=2 => { let bin8 = ((p1[0] as usize) ^ (v4 as usize)).min((((v4 as u8) < (p1.len() as u8)) as usize)) % h2_xor.len(); h2_xor[bin8] ^= v4; }
            _ => {}
        }
    }
}

fn r138(a0: &Vec<u32>, r0_add: &mut f32, r1_wrap: &mut i32) {
    for &x1 in a0.iter().skip(2).take(30) {
        let mut v2 = (x1 as i32);
        if ((x1 as u8) < (x1 as u8)) {
            v2 ^= (x1 as i32).wrapping_add((x1 as i32));
        }
        let mut v3 = ((v2 as f32) + (v2 as f32));
        if ((x1 as u8) != (x1 as u8)) {
            v3 += ((x1 as f32) / (1.0 + (x1 as f32).abs()));
        }
        *r0_add = *r0_add + ((v3.abs().sqrt().min(((v2 as f32) / (1.0 + (v2 as f32).abs()))).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        *r1_wrap = (*r1_wrap).wrapping_sub((v3 as i32));
        *r1_wrap = (*r1_wrap).wrapping_sub(((match (v2 as u32) % 5 { 0 => (v3 as i32), 1 | 3 => (v3 as i32), _ => 7i32 }) / 1i32));
    }
}

fn r139(a0: &[i32], h0_both: &mut [[isize; 4]; 16]) {
    for x1 in a0.iter().cloned() {
        let k2 = WIDTH & 7usize;
        if (!(7i32 <= (k2 as i32))) {
            h0_both[(if (((k2 as u32) == (x1 as u32)) && ((x1 as u32) < (k2 as u32))) { 5usize.rotate_left(17) } else { (((k2 as u8) >= 7u8) as usize) }) % 16][(((3usize % 6) * (k2 % 7)) & (x1 as usize)) % 4] -= 1;
        }
    }
}

fn r140(a0: &[i8; 90], a1: &[u16], c0: i32, h0_both: &mut [u32; 1]) {
    for (x1, &x2) in a0.iter().zip(a1) {
        let v3: i64;
        if (((*x1) as i32) > (x2 as i32)) {
            v3 = (x2 as i64).rotate_left(18);
        } else {
            v3 = ((*x1) as i64);
        }
        let v4: i16 = (if (((*x1) as u64) > u64::from(x2)) { (((v3 as i16) % 6) * ((v3 as i16) % 7)) } else { (c0 as i16) });
        let v5: i32 = ((*x1) as i32).wrapping_mul((v3 as i32)).wrapping_mul(i32::from(x2).rotate_left(23));
        h0_both[(c0 as u64) as usize % 1] -= ((c0 as u32) == (c0 as u32)) as u32;
    }
}

fn r141(a0: &Vec<[usize; 3]>, c0: f32, h0_wrap: &mut [[u16; 3]]) {
    for &[x2, x3, x4] in a0 {
        let mut v5 = (x3 as f32);
        if ((x2 as u32) <= (x3 as u32)) {
            v5 += 1.0f32.abs();
        }
        match ((x4 as f64) as u32) % 4 {
            0 => { let bin6 = ((v5 as u64) / 2u64) as usize % h0_wrap.len(); let bin7 = ((((c0 as i32) % 8 + (c0 as i32) % 5) | (c0 as i32)).rem_euclid(16) as usize).min(3 - 1); h0_wrap[bin6][bin7] = h0_wrap[bin6][bin7].wrapping_sub(((x2 as u32).trailing_zeros() as u16).wrapping_sub(((c0 as u16) & (c0 as u16)))); }
            1..=2 => { let bin8 = ((((x2 as f64) == (x4 as f64)) && ((x4 as u8) == (x2 as u8))) as usize) % h0_wrap.len(); let bin9 = (if ((c0 as u8) <= 3u8) { ((x3 as u64) & (x2 as u64)) } else { (x2 as u64) }) as usize % 3; h0_wrap[bin8][bin9] = h0_wrap[bin8][bin9].wrapping_sub(((((x3 as u32) > (x3 as u32)) || ((v5 as i32) <= (x2 as i32))) as u16)); }
            _ => {}
        }
        let bin10 = 5u64 as usize % h0_wrap.len(); let bin11 = (match (c0 as u32) % 5 { 0 => (x2 as u64), 1 | 3 => (x2 as u64), _ => (x4 as u64) }).wrapping_mul((c0 as u64).saturating_sub((x2 as u64))) as usize % 3; h0_wrap[bin10][bin11] = h0_wrap[bin10][bin11].wrapping_sub((x2 as u16));
    }
}

fn r142(a0: &[[u32; 6]; 90], h0_wrap: &mut [i64]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let v3: f32;
            if (!((a0[y1][x2] as i32) <= 31i32)) {
                v3 = 1.0f32;
            } else {
                v3 = (x2 as f32).abs();
            }
            if (((v3 as f64) <= (y1 as f64)) || ((y1 as u32) == 7u32)) {
                continue;
            }
            match (x2 as u32).wrapping_mul((v3 as u32)) % 4 {
                0 => { let bin4 = ((((((v3 as i32) % 6) * ((y1 as i32) % 7)) % 6) * ((x2 as i32) % 7)).rem_euclid(16) as usize).min(h0_wrap.len() - 1); h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub(((if ((y1 as u32) <= (v3 as u32)) { (v3 as i64) } else { 7i64 }) | ((y1 as i64) | (x2 as i64)))); }
                1..=2 => { let bin5 = ((a0[y1][x2] as f32).abs().abs().sqrt().abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_add((x2 as i64)); }
                _ => {}
            }
        }
    }
}

fn r143(s: &str, c0: f64, r0_min: &mut u8) {
    for b1 in s.bytes() {
        let mut rest2 = (match (b1 as u32) % 5 { 0 => u64::from(b1), 1 | 3 => (b1 as u64), _ => (b1 as u64) });
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        *r0_min = (*r0_min).min(((count3 as u8) >> 5).wrapping_mul(((count3 as u8) % 8 + (c0 as u8) % 5)));
        if (((c0 as u8) > b1) && (c0 <= (b1 as f64))) {
            *r0_min = (*r0_min).min((count3 as u8));
        }
    }
}

fn r144(s: &str, h0_xor: &mut [[u32; 4]; 1]) {
    for b1 in s.bytes() {
        let mut v2 = 31u16;
        if (((b1 as f64) > 1.0f64) && ((b1 as u64) != (b1 as u64))) {
            v2 ^= ((b1 as u16) % 5u16);
        }
        let v3 = ((v2 as usize) & (v2 as usize)).rotate_left(60);
        let mut local4 = [7i64; 4];
        local4[((v2 as usize) % 3usize) % 4] = (v3 as i64);
        h0_xor[((local4[1] as usize).wrapping_add(v3) % 1usize) % 1][((local4[1] as f64).floor() as usize).min(4 - 1)] ^= (local4[1].trailing_zeros() as u32).max(((b1 as u32) % 100u32));
        h0_xor[((usize::from(b1) % 6) * ((b1 as usize) % 7)).saturating_sub((100usize >> 34)) % 1][(b1 as usize) % 4] ^= ((((b1 as i32) == (local4[1] as i32)) && (1i32 < i32::from(v2))) as u32);
    }
}

fn r145(a0: &[u16; 90], a1: &[u32], c0: f64, h0_min: &mut [i8]) {
    for (i3, (&x1, x2)) in a0.iter().zip(a1).enumerate() {
        let k4 = WIDTH & 7usize;
        let v5: f32;
        if ((c0 as u64) > u64::from((*x2))) {
            v5 = 2.25f32;
        } else {
            v5 = (x1 as f32).abs().sqrt();
        }
        let v6: u64;
        if (u64::from((*x2)) < u64::from((*x2))) {
            v6 = (v5 as u64).abs_diff((x1 as u64));
        } else {
            v6 = (k4 as u64).saturating_sub((v5 as u64));
        }
        let bin7 = (((c0 as f32) * 0.5f32.min(((*x2) as f32))).abs() * 3.0) as usize % h0_min.len(); h0_min[bin7] = h0_min[bin7].min((k4 as i8).max((i3 as i8)).min((c0 as i8).min(1i8)));
    }
}

fn r146(a0: &[i8], t0: &[i64; 16], h0_add: &mut [f32]) {
    for p1 in a0.chunks_exact(2) {
        let bytes2 = (t0[((p1[1] as u8).count_ones() as usize) % 16] as u16).rotate_left(4).to_le_bytes();
        h0_add[((match bytes2[0] { b'a'..=b'm' | b'A' => (((bytes2[1] as i32) <= (bytes2[0] as i32)) as u32), b'0' => (u32::from(bytes2[0]) ^ u32::from(bytes2[0])), _ => (p1[0] as u32) }) & 15) as usize] = h0_add[((match bytes2[0] { b'a'..=b'm' | b'A' => (((bytes2[1] as i32) <= (bytes2[0] as i32)) as u32), b'0' => (u32::from(bytes2[0]) ^ u32::from(bytes2[0])), _ => (p1[0] as u32) }) & 15) as usize] + ((1.0f32.floor().floor().clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        let bin3 = (((t0[((p1[1] as u8).count_ones() as usize) % 16] as f32).max((t0[((p1[1] as u8).count_ones() as usize) % 16] as f32)) - ((p1[0] as f32) / (1.0 + 3.0f32.abs()))).abs() * 3.0) as usize % h0_add.len(); h0_add[bin3] += 1.0f32;
    }
}

fn r147(a0: &Vec<[i32; 6]>, c0: f64, h0_min: &mut [u16; 64]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let pair3 = ((c0 as i8), (c0 as u8));
            let mut rest4 = (a0[y1][x2] as u8);
            let mut count5 = 0u32;
            while rest4 > 0 {
                rest4 >>= 1;
                count5 += 1;
            }
            if (!(0.1f64 != (x2 as f64))) {
                continue;
            }
            let bin6 = ((1usize % 8 + 1usize % 5) | 7usize).min(64 - 1); h0_min[bin6] = h0_min[bin6].min((u16::from(pair3.1) / 2u16).min(u16::from(pair3.1)));
        }
    }
}

fn r148(a0: &[u16], t0: &[usize; 16], h0_sat: &mut [u32; 16], h1_both: &mut [f32]) {
    for x1 in a0 {
        if (!((t0[usize::from((*x1)) % 16] as u64) > (t0[usize::from((*x1)) % 16] as u64))) {
            continue;
        }
        let v2: u16 = ((t0[usize::from((*x1)) % 16] as f32) as u16);
        if ((v2 as i32) == (t0[usize::from((*x1)) % 16] as i32)) {
            let bin3 = t0[usize::from((*x1)) % 16].abs_diff((match (t0[usize::from((*x1)) % 16] as u32) % 5 { 0 => usize::from((*x1)), 1 | 3 => (v2 as usize), _ => t0[usize::from((*x1)) % 16] })) % 16; h0_sat[bin3] = h0_sat[bin3].saturating_add((0.5f32 as u32));
        }
        let bin4 = (((*x1) as u64) + 3u64) as usize % h1_both.len(); h1_both[bin4] = h1_both[bin4] - ((((t0[usize::from((*x1)) % 16] as f32) - ((*x1) as f32)).sin() * 16.0).round() / 16.0);
        if (((*x1) as u64) == u64::from((*x1))) {
            h1_both[((v2 as u32) & 15) as usize] += 1.0f32;
        }
    }
}

fn r149(a0: &[[usize; 6]; 90], h0_or: &mut Vec<i16>) {
    for row1 in a0 {
        for x2 in row1 {
            let bin3 = (*x2).wrapping_sub((*x2).min((*x2))) % h0_or.len(); h0_or[bin3] |= ((*x2) as i16).max((((*x2) as f64) as i16));
        }
    }
}

fn r150(s: &str, c0: i32, t0: &[u16; 16], h0_sub: &mut [u16; 64]) {
    for &b1 in s.as_bytes() {
        let (p2, q3) = ((t0[usize::from(b1) % 16] as i8), (match b1 { b'a'..=b'm' | b'A' => (c0 as usize), b'0' => (t0[usize::from(b1) % 16] as usize), _ => usize::from(t0[usize::from(b1) % 16]) }));
        let bytes4 = (q3 as i64).wrapping_mul((q3 as i64)).to_le_bytes();
        let v5 = 7i32.rotate_left(7).saturating_sub(10i32);
        if (b1.is_ascii_digit() || (b1 == bytes4[1])) {
            h0_sub[((-(bytes4[1] as f32).round()).abs() * 3.0) as usize % 64] -= ((v5 as u8) < (p2 as u8)) as u16;
        }
    }
}

fn r151(a0: &[u32], c0: i32, h0_add: &mut [u16]) {
    for &x1 in a0.iter().skip(3) {
        let k2 = MASK & 7u32;
        let bytes3 = ((c0 as i64) / 1i64).to_le_bytes();
        let bin4 = (c0 as usize) % h0_add.len(); h0_add[bin4] += ((k2 as u16) % 5);
        match (bytes3[1] as u32) % 4 {
            0 => { h0_add[(u32::from(bytes3[0]) & 15) as usize] = h0_add[(u32::from(bytes3[0]) & 15) as usize] + (((u64::from(k2) == (k2 as u64)) as u16) % 5); }
            1..=2 => { h0_add[(u32::from(bytes3[0]).wrapping_add(x1).wrapping_mul(x1) & 15) as usize] += bytes3[0].is_ascii_alphabetic() as u16; }
            _ => {}
        }
    }
}

fn r152(a0: &[[u8; 6]; 90], r0_wrap: &mut i64) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            *r0_wrap = (*r0_wrap).wrapping_sub(((a0[y1][x2] as f32) as i64).clamp(-20, 20));
        }
    }
}

fn r153(a0: &[[u8; 4]; 90], h0_max: &mut [f64]) {
    for &[x2, x3, x4, x5] in a0 {
        let k6 = MASK & 7u32;
        if x2.is_ascii_alphabetic() {
            h0_max[(k6.max(k6).max((x3 as u32).rotate_left(25)) & 15) as usize] = h0_max[(k6.max(k6).max((x3 as u32).rotate_left(25)) & 15) as usize].max(((k6 as f64).trunc() - (x5 as f64)));
        }
        let bin7 = ((if (((x5 as f64) > (k6 as f64)) && ((x3 as u32) != (x2 as u32))) { ((x3 as u32) / 5u32) } else { ((x4 as u32) + 31u32) }) & 15) as usize; h0_max[bin7] = h0_max[bin7].max((x3 as f64));
    }
}

fn r154(a0: &[[f64; 6]], h0_add: &mut [u16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut acc3 = 0u64;
            for j4 in 0..2usize {
                if ((acc3 as i32) <= 3i32) {
                    continue;
                }
                acc3 = acc3.wrapping_add((((((a0[y1][x2] as u64) % 6) * (10u64 % 7)) % 6) * ((acc3 / 100u64) % 7)));
            }
            let local5 = [(a0[y1][x2] as u8).wrapping_add((a0[y1][x2] as u8)), (x2 as u8), 3u8];
            let v6: i8;
            if ((local5[2usize % 3] as f64) >= (x2 as f64)) {
                v6 = ((local5[2usize % 3] as f64) as i8);
            } else {
                v6 = (if ((acc3 as u8) == (a0[y1][x2] as u8)) { (acc3 as i8) } else { (y1 as i8) });
            }
            let bin7 = ((v6 as f32).abs() * 3.0) as usize % h0_add.len(); h0_add[bin7] += ((x2 as u32) > (acc3 as u32)) as u16;
        }
    }
}

fn r155(a0: &[u8], c0: i32, h0_add: &mut [f32]) {
    for x1 in a0.iter().cloned() {
        if (!((c0 as u8) > (c0 as u8))) {
            let bin2 = (c0 as usize).saturating_sub(1usize) % h0_add.len(); h0_add[bin2] = h0_add[bin2] + ((((x1 as f32) + (x1 as f32)).sin() * 16.0).round() / 16.0);
        }
        h0_add[((x1 as u32) & 15) as usize] += (((c0 as f32).abs().sqrt().abs().sqrt().clamp(-8.0, 8.0) * 16.0).round() / 16.0);
    }
}

fn r156(a0: &[[i64; 6]], c0: u32, h0_xor: &mut [[u64; 4]]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3: u32 = MASK;
            let v4 = (((if ((k3 as u8) >= (a0[y1][x2] as u8)) { (y1 as i16) } else { 7i16 }) % 6) * ((a0[y1][x2] as i16).clamp(-20, 20) % 7));
            let pair5 = ((k3 as i8), (a0[y1][x2] % 8 + (y1 as i64) % 5));
            match (match 31u32 % 5 { 0 => 1u32, 1 | 3 => (pair5.0 as u32), _ => (pair5.1 as u32) }) % 4 {
                0 => { let bin6 = (c0 & 15) as usize; let bin7 = ((((c0 as i32) / 7i32) >> 22).rem_euclid(16) as usize).min(4 - 1); h0_xor[bin6][bin7] = h0_xor[bin6][bin7] ^ (((c0 as u64) ^ (pair5.1 as u64)) | (a0[y1][x2] as u64).rotate_left(45)); }
                1..=2 => { let bin8 = (k3 as u64) as usize % h0_xor.len(); h0_xor[bin8][((c0 as f32).abs() * 3.0) as usize % 4] = h0_xor[bin8][((c0 as f32).abs() * 3.0) as usize % 4] ^ (v4 as u64); }
                _ => {}
            }
            match (x2 as u32).wrapping_add((pair5.0 as u32)) % 4 {
                0 => { let bin9 = ((pair5.1 as u64) ^ (v4 as u64)).wrapping_mul((k3.trailing_zeros() as u64)) as usize % h0_xor.len(); let bin10 = ((x2 as f32).min((if ((pair5.1 as u8) >= (x2 as u8)) { (x2 as f32) } else { (y1 as f32) })).abs() * 3.0) as usize % 4; h0_xor[bin9][bin10] = h0_xor[bin9][bin10] ^ ((v4 as u64).wrapping_sub((a0[y1][x2] as u64)) % 8 + (pair5.1 as u64).max(u64::from(k3)) % 5); }
                1..=2 => { let bin11 = (2usize / 31usize).max((pair5.0 as usize)) % h0_xor.len(); let bin12 = (y1 as u64) as usize % 4; h0_xor[bin11][bin12] = h0_xor[bin11][bin12] ^ (v4 as u64).max((y1 as u64)).rotate_left(29); }
                _ => {}
            }
        }
    }
}

fn r157(a0: &[u16], c0: i32, t0: &[i64; 16], h0_wrap: &mut [u16; 1000]) {
    for x1 in a0.iter().copied() {
        let bin2 = ((((x1 as i32) % 1i32) ^ (x1 as i32)).rem_euclid(16) as usize).min(1000 - 1); h0_wrap[bin2] = h0_wrap[bin2].wrapping_sub((x1 % 8 + ((x1 as u32).leading_zeros() as u16) % 5));
        if (!((x1 as u32) <= (c0 as u32))) {
            h0_wrap[((-(t0[(match (c0 as u32) % 5 { 0 => usize::from(x1), 1 | 3 => (c0 as usize), _ => (c0 as usize) }) % 16] as f32)).abs() * 3.0) as usize % 1000] = h0_wrap[((-(t0[(match (c0 as u32) % 5 { 0 => usize::from(x1), 1 | 3 => (c0 as usize), _ => (c0 as usize) }) % 16] as f32)).abs() * 3.0) as usize % 1000].wrapping_sub(((x1 as u8).count_ones() as u16));
        }
    }
}

fn r158(a0: &Vec<[u32; 6]>, h0_min: &mut Vec<i16>) {
    for row1 in a0 {
        for x2 in row1 {
            let local3 = [((*x2) as f32), 1.0f32.abs().sqrt(), 0.1f32];
            let bin4 = ((*x2).rotate_left(1).max(100u32.rotate_left(8)) & 15) as usize; h0_min[bin4] = h0_min[bin4].min(((((*x2) as u16) % 8 + ((*x2) as u16) % 5).leading_zeros() as i16));
            let bin5 = ((local3[(((*x2) as usize) | 3usize) % 3] as i32).rem_euclid(16) as usize).min(h0_min.len() - 1); h0_min[bin5] = h0_min[bin5].min((((local3[(((*x2) as usize) | 3usize) % 3] as u32) <= (local3[(((*x2) as usize) | 3usize) % 3] as u32)) as i16));
        }
    }
}

fn r159(s: &str, h0_and: &mut Vec<i16>, h1_wrap: &mut [isize; 1]) {
    for b1 in s.bytes() {
        let mut v2 = (b1 as i32).min((b1 as i32));
        if b1.is_ascii_alphabetic() {
            v2 &= (b1 as i32).saturating_sub((b1 as i32));
        }
        let v3: i64 = ((v2 as f64).abs() as i64);
        let mut acc4 = 0u64;
        for j5 in 0..1usize {
            acc4 = acc4.wrapping_add((j5 as u64).max(acc4).rotate_left(3));
        }
        h0_and[((7u32 >> 21) & 15) as usize] = h0_and[((7u32 >> 21) & 15) as usize] & ((v2 as i16) | (b1 as i16)).min((v2 as i16).clamp(-20, 20));
        h1_wrap[((v3 as usize) % 100usize) % 1] = h1_wrap[((v3 as usize) % 100usize) % 1].wrapping_add(((b1 as f64).abs().sqrt() as isize));
    }
}

fn r160(a0: &Vec<[u32; 6]>, h0_wrap: &mut Vec<i32>, h1_wrap: &mut [[usize; 3]; 16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut rest3 = ((a0[y1][x2] as u8) & 5u8);
            let mut count4 = 0u32;
            while rest3 > 0 {
                rest3 >>= 1;
                count4 += 1;
            }
            let bin5 = ((((y1 as u32) >> 17) ^ (match a0[y1][x2] % 5 { 0 => 5u32, 1 | 3 => (y1 as u32), _ => (y1 as u32) })) & 15) as usize; h0_wrap[bin5] = h0_wrap[bin5].wrapping_sub(((count4 as i32) / 10i32));
            if (!((count4 as i32) == (count4 as i32))) {
                let bin6 = 1u64.rotate_left(46) as usize % h0_wrap.len(); h0_wrap[bin6] = h0_wrap[bin6].wrapping_sub(((y1 as i32).wrapping_sub((y1 as i32)) & (match (y1 as u32) % 5 { 0 => (a0[y1][x2] as i32), 1 | 3 => (x2 as i32), _ => (x2 as i32) })));
            }
            h1_wrap[((if ((x2 as f64) >= (count4 as f64)) { (if ((a0[y1][x2] as i32) != (x2 as i32)) { (count4 as f32) } else { (count4 as f32) }) } else { (a0[y1][x2] as f32).floor() }).abs() * 3.0) as usize % 16][x2.wrapping_sub(x2).wrapping_mul(((count4 as f64) as usize)) % 3] = h1_wrap[((if ((x2 as f64) >= (count4 as f64)) { (if ((a0[y1][x2] as i32) != (x2 as i32)) { (count4 as f32) } else { (count4 as f32) }) } else { (a0[y1][x2] as f32).floor() }).abs() * 3.0) as usize % 16][x2.wrapping_sub(x2).wrapping_mul(((count4 as f64) as usize)) % 3].wrapping_add((count4 as usize));
        }
    }
}

fn r161(a0: &[f64], h0_wrap: &mut [i32]) {
    for x1 in a0.iter().cloned() {
        let v2 = (if ((x1 as u32) <= (x1 as u32)) { (x1 as i64) } else { (x1 as i64) }).max(((x1 as i64) ^ (x1 as i64)));
        let mut local3 = [1i8; 4];
        local3[((x1 as usize) % 31usize) % 4] = (2i8 % 8 + (x1 as i8) % 5);
        let bin4 = (((x1 - x1) as u32) & 15) as usize; h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub(((v2 as f64).floor() as i32));
        let bin5 = 10u64 as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_sub(((v2 as u16).count_ones() as i32).saturating_sub((v2 as i32)));
    }
}

fn r162(a0: &[u16], c0: f64, t0: &[i8; 16], h0_both: &mut [f64], h1_wrap: &mut [u16]) {
    for x1 in a0.iter().cloned() {
        let v2: u8;
        if (u64::from(x1) != (t0[usize::from(x1).rotate_left(59) % 16] as u64)) {
            v2 = (x1 as u8);
        } else {
            v2 = 100u8.min((x1 as u8));
        }
        let mut local3 = [2usize; 4];
        local3[(usize::from(v2) >> 3) % 4] = (v2 as usize).saturating_sub(usize::from(v2));
        let bytes4 = ((x1 as u8).count_ones() as u16).to_le_bytes();
        let bin5 = (((v2 as u64) % 6) * ((bytes4[1] as u64) % 7)).wrapping_add(u64::from(v2)) as usize % h0_both.len(); h0_both[bin5] = h0_both[bin5] - (((local3[1] as f64).sin() * 16.0).round() / 16.0);
        match ((local3[1] as u32) | (t0[usize::from(x1).rotate_left(59) % 16] as u32)) % 4 {
            0 => { let bin6 = (bytes4[0] as usize).min(h1_wrap.len() - 1); h1_wrap[bin6] = h1_wrap[bin6].wrapping_mul((local3[1] as u16).saturating_sub((local3[1] as u16).max((v2 as u16)))); }
            1..=2 => { let bin7 = ((bytes4[1] as u32) & 15) as usize; h1_wrap[bin7] = h1_wrap[bin7].wrapping_mul((c0 as u16)); }
            _ => {}
        }
        let bin8 = (((bytes4[1] as u32) | (((t0[usize::from(x1).rotate_left(59) % 16] as u32) % 6) * (100u32 % 7))) & 15) as usize; h1_wrap[bin8] = h1_wrap[bin8].wrapping_mul((bytes4[0] as u16));
    }
}

fn r163(a0: &Vec<i16>, c0: f64, r0_and: &mut i8) {
    for i1 in 3..40u32 {
        *r0_and = *r0_and & (c0 as i8).min(1i8).wrapping_add(7i8.rotate_left(6));
    }
}

fn r164(a0: &[u8; 90], h0_wrap: &mut [u64], h1_wrap: &mut [i32; 64]) {
    for x1 in a0.iter() {
        let v2 = (*x1);
        let mut rest3 = v2;
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let bin5 = ((count4 as u64) * 3u64) as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_sub(((v2 as u64).wrapping_add((count4 as u64)) | 3u64.saturating_sub((v2 as u64))));
        let bin6 = 100usize.abs_diff((count4 as usize).max(((*x1) as usize))) % h0_wrap.len(); h0_wrap[bin6] = h0_wrap[bin6].wrapping_sub(((((count4 as u64) > ((*x1) as u64)) as u16).trailing_zeros() as u64));
        let bin7 = (((*x1) as i32).rem_euclid(16) as usize).min(64 - 1); h1_wrap[bin7] = h1_wrap[bin7].wrapping_sub((((v2 as u16) % 31u16).count_ones() as i32));
    }
}

fn r165(a0: &[u16], h0_sat: &mut [u16]) {
    for p1 in a0.windows(4) {
        let k2: usize = WIDTH;
        let bytes3 = p1[1].to_le_bytes();
        match (p1[3].leading_zeros() as u32) % 4 {
            0 => { let bin4 = ((((k2 as i64).count_ones() as u32).trailing_zeros() as i32).rem_euclid(16) as usize).min(h0_sat.len() - 1); h0_sat[bin4] = h0_sat[bin4].saturating_add(((p1[1] as u8).abs_diff(bytes3[1]).trailing_zeros() as u16)); }
            1..=2 => { let bin5 = (u32::from(bytes3[0]).wrapping_sub(u32::from(p1[0])).max((bytes3[1] as u32).saturating_sub((k2 as u32))) & 15) as usize; h0_sat[bin5] = h0_sat[bin5].saturating_add((p1[0] % 7u16)); }
            _ => {}
        }
    }
}

fn r166(a0: &[[usize; 2]], h0_xor: &mut [i8; 1000]) {
    for &[x2, x3] in a0 {
        h0_xor[((x2 as i32).rem_euclid(16) as usize).min(1000 - 1)] ^= ((match (x3 as u32) % 5 { 0 => (x3 as i8), 1 | 3 => (x2 as i8), _ => (x2 as i8) }) % 8 + ((x3 as i8) / 100i8) % 5);
    }
}

fn r167(a0: &Vec<u8>, a1: &[i16], h0_wrap: &mut [u8; 1000]) {
    for (i3, (&x1, x2)) in a0.iter().zip(a1).enumerate() {
        let mut rest4 = (i3 as u32).rotate_left(25);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        if (((i3 as i32) == (i3 as i32)) || ((i3 as u64) == (i3 as u64))) {
            continue;
        }
        let mut local6 = [1i64; 4];
        local6[(((count5 as usize) % 6) * (i3 % 7)) % 4] = (match (i3 as u32) % 5 { 0 => (i3 as i64), 1 | 3 => ((*x2) as i64), _ => 2i64 });
        let bin7 = (match x1 { b'a'..=b'm' | b'A' => (x1 as usize).min(i3), b'0' => ((count5 as usize) % 3usize), _ => i3.wrapping_mul((x1 as usize)) }) % 1000; h0_wrap[bin7] = h0_wrap[bin7].wrapping_mul((count5 as u8).min((((*x2) as u8) >> 3)));
    }
}

fn r168(a0: &[f64; 90], a1: &Vec<i64>, h0_and: &mut [i32; 1], h1_wrap: &mut [[i32; 4]; 7]) {
    for (&x1, &x2) in a0.iter().zip(a1.iter()) {
        let (p3, q4) = ((match (x1 as u32) % 5 { 0 => (x1 as u16), 1 | 3 => (x1 as u16), _ => (x1 as u16) }), ((x1 as i8) | (x1 as i8)));
        let v5 = ((x2 as u64) & (p3 as u64));
        h0_and[((p3 as f32).abs() * 3.0) as usize % 1] &= (x2 as i32);
        h0_and[((2.25f32 - 0.1f32) as usize) % 1] &= ((1u32 % 7u32).trailing_zeros() as i32);
        if (((x1 as u32) >= (x1 as u32)) && (u64::from(p3) > v5)) {
            h1_wrap[(((x1 as i32) / 100i32).rem_euclid(16) as usize).min(7 - 1)][(x1 as usize) % 4] = h1_wrap[(((x1 as i32) / 100i32).rem_euclid(16) as usize).min(7 - 1)][(x1 as usize) % 4].wrapping_mul(((x2 as i32).rotate_left(23) | ((x2 as f32) as i32)));
        }
    }
}

fn r169(a0: &[i16], r0_wrap: &mut i16, h0_both: &mut [[i64; 4]]) {
    for x1 in a0 {
        match (if (2u8 != ((*x1) as u8)) { ((*x1) as u32) } else { ((*x1) as u32) }) % 4 {
            0 => { *r0_wrap = (*r0_wrap).wrapping_add(((*x1) / 1i16)); }
            1..=2 => { *r0_wrap = (*r0_wrap).wrapping_sub((((*x1) / 1i16) >> 4)); }
            _ => {}
        }
        let bin2 = (((*x1) as i32).rem_euclid(16) as usize).min(h0_both.len() - 1); let bin3 = ((((*x1) as u16) - 3u16).trailing_zeros() as usize) % 4; h0_both[bin2][bin3] = h0_both[bin2][bin3] - 1;
        let bin4 = (if (((*x1) as u32) != ((*x1) as u32)) { ((*x1) as usize) } else { ((*x1) as usize) }).min(((*x1) as usize).abs_diff(((*x1) as usize))).min(h0_both.len() - 1); h0_both[bin4][((((*x1) as usize) ^ ((*x1) as usize)) & (2usize % 5usize)).min(4 - 1)] -= 1;
    }
}

fn r170(a0: &[u32], h0_wrap: &mut [u64]) {
    for x1 in a0.iter().copied() {
        let v2: i16;
        if ((x1 as u8) > (x1 as u8)) {
            v2 = (x1 as i16).wrapping_sub((x1 as i16));
        } else {
            v2 = ((x1 as i16) % 5i16);
        }
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || ((x1 as f64) == (x1 as f64)) {
                break turns4 * 2;
            }
        };
        let bin5 = ((x1 as u64) / 5u64) as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_add((((found3 as f64) - (turns4 as f64)) as u64));
    }
}

fn r171(a0: &Vec<f32>, r0_add: &mut u32, h0_wrap: &mut [[i64; 16]]) {
    for (i2, &x1) in a0.iter().enumerate().skip(1) {
        if (((i2 as u8) > (x1 as u8)) && ((i2 as u64) == (x1 as u64))) {
            continue;
        }
        let mut local3 = [100i64; 4];
        local3[7usize.wrapping_sub(i2) % 4] = ((100i64 % 6) * ((i2 as i64) % 7));
        *r0_add += (!((x1 as i32) != 7i32)) as u32;
        let bin4 = (match ((i2 as u32) >> 9) % 5 { 0 => (x1 as usize).rotate_left(56), 1 | 3 => (local3[1] as usize).wrapping_mul((local3[1] as usize)), _ => (x1 as usize) }) % h0_wrap.len(); h0_wrap[bin4][(i2 as u64) as usize % 16] = h0_wrap[bin4][(i2 as u64) as usize % 16].wrapping_sub(100i64);
        match (i2 as u32) % 4 {
            0 => { let bin5 = ((((local3[1] as f32) as u32) % 5u32) & 15) as usize; let bin6 = (0.5f32.abs() * 3.0) as usize % 16; h0_wrap[bin5][bin6] = h0_wrap[bin5][bin6].wrapping_sub(((x1 as i64) | local3[7usize.wrapping_sub(i2) & 3])); }
            1..=2 => { let bin7 = ((0.1f64 == (local3[7usize.wrapping_sub(i2) & 3] as f64)) as u64).wrapping_mul((i2 as u64)) as usize % h0_wrap.len(); let bin8 = (i2 - 100usize) % 16; h0_wrap[bin7][bin8] = h0_wrap[bin7][bin8].wrapping_sub(((local3[1] as f32) as i64).saturating_sub((x1 as i64))); }
            _ => {}
        }
    }
}

fn r172(a0: &Vec<f32>, h0_sat: &mut [u32]) {
    for x1 in a0 {
        let v2: i8 = ((*x1) as i8);
        let (p3, q4) = ((v2 as u64).rotate_left(5), (v2 as i64));
        if (((*x1) as i32) < (p3 as i32)) {
            let bin5 = (((p3 as usize) % 6) * ((v2 as usize) % 7)).min((((p3 as u8) >= (v2 as u8)) as usize)) % h0_sat.len(); h0_sat[bin5] = h0_sat[bin5].saturating_add((((*x1) / (1.0 + (v2 as f32).abs())) as u32));
        }
        let bin6 = ((if (!((q4 as u32) >= (q4 as u32))) { ((*x1) as u32) } else { ((*x1) as u32) }) & 15) as usize; h0_sat[bin6] = h0_sat[bin6].saturating_add(((match 1u32 % 5 { 0 => ((*x1) as u32), 1 | 3 => ((*x1) as u32), _ => (q4 as u32) }) / 1u32));
    }
}

fn r173(s: &str, c0: u32, h0_wrap: &mut [u64; 64]) {
    for b1 in s.bytes() {
        let (p2, q3) = (2.25f32.abs().sqrt(), (b1 as i8));
        let v4: i8 = (q3 * 2i8);
        let mut acc5 = 0u64;
        for j6 in 0..5usize {
            if b1.is_ascii_alphabetic() {
                break;
            }
            acc5 = acc5.wrapping_add((((j6 as u64) % 31u64) ^ ((b1 as u64) | acc5)));
        }
        match ((v4 as f32) as u32) % 4 {
            0 => { let bin7 = ((q3 as f32).abs() * 3.0) as usize % 64; h0_wrap[bin7] = h0_wrap[bin7].wrapping_sub((((q3 as u32).count_ones() as u32).leading_zeros() as u64)); }
            1..=2 => { let bin8 = (i32::from(b1).min((c0 as i32)).rem_euclid(16) as usize).min(64 - 1); h0_wrap[bin8] = h0_wrap[bin8].wrapping_sub(((q3 as f32).min((acc5 as f32)) as u64)); }
            _ => {}
        }
    }
}

fn r174(a0: &[f64], r0_or: &mut u32) {
    for (i2, &x1) in a0.iter().take(17).step_by(4).enumerate() {
        if (2u64 <= (i2 as u64)) {
            *r0_or |= (((1u32 + 2u32) % 6) * ((x1 as u32) % 7));
        }
        match (i2 as u32).saturating_sub((i2 as u32)) % 4 {
            0 => { *r0_or |= ((if ((x1 as u64) == 5u64) { (x1 as u32) } else { (x1 as u32) }).leading_zeros() as u32); }
            1..=2 => { *r0_or |= ((i2 as u32) / 5u32).wrapping_sub((i2 as u32).abs_diff((x1 as u32))); }
            _ => {}
        }
    }
}

fn r175(a0: &[usize], c0: u32, t0: &[usize; 16], h0_max: &mut [i64]) {
    for x1 in a0.iter().cloned() {
        let bin2 = (if ((2u8 != (c0 as u8)) || ((t0[3usize.wrapping_add(1usize) % 16] as u8) >= (c0 as u8))) { ((x1 as u64) % 3u64) } else { ((c0 as u64) % 3u64) }) as usize % h0_max.len(); h0_max[bin2] = h0_max[bin2].max(5i64);
    }
}

fn r176(a0: &[i32; 90], c0: f64, h0_wrap: &mut [u64], h1_wrap: &mut [i8], r0_max: &mut i16) {
    for x1 in a0.iter().copied() {
        let mut v2 = (c0 as i32).saturating_sub((c0 as i32));
        if ((c0 < (x1 as f64)) || (c0 == c0)) {
            v2 |= (match (x1 as u32) % 5 { 0 => 1i32, 1 | 3 => 10i32, _ => x1 });
        }
        let v3 = (if ((c0 as u32) == (x1 as u32)) { 5usize } else { (x1 as usize) }).abs_diff((v2 as usize));
        if (((c0 as u8) < (c0 as u8)) && ((x1 as f64) <= (v2 as f64))) {
            let bin4 = (((v3 as f64) as u32).min((v3 as u32).saturating_sub((c0 as u32))) & 15) as usize; h0_wrap[bin4] = h0_wrap[bin4].wrapping_mul((v3 as u64));
        }
        match (x1 as u32).wrapping_mul((x1 as u32)) % 4 {
            0 => { let bin5 = ((v3 as u32) & 15) as usize; h1_wrap[bin5] = h1_wrap[bin5].wrapping_add(((x1 as i8).clamp(-20, 20) % 8 + (x1 as i8).rotate_left(7) % 5)); }
            1..=2 => { let bin6 = (if (((v3 as i32) >= v2) && ((v2 as u32) < 7u32)) { (c0 as usize) } else { (((c0 as u8) >= (v2 as u8)) as usize) }).min(h1_wrap.len() - 1); h1_wrap[bin6] = h1_wrap[bin6].wrapping_add((2i8 % 100i8)); }
            _ => {}
        }
        *r0_max = (*r0_max).max((10i16 >> 1).saturating_sub((c0 as i16).wrapping_mul((x1 as i16))));
    }
}

fn r177(a0: &[i8; 90], c0: f64, h0_both: &mut [[isize; 16]]) {
    for &x1 in a0.iter().skip(3) {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (((c0 as u8) <= (c0 as u8)) || (c0 > (x1 as f64))) {
                break turns3 * 2;
            }
        };
        let v4: usize;
        if ((c0 as u64) < (turns3 as u64)) {
            v4 = ((x1 as usize) >> 11);
        } else {
            v4 = (((found2 as usize) % 6) * ((x1 as usize) % 7));
        }
        let bin5 = ((v4 % 6) * ((found2 as usize) % 7)) % h0_both.len(); h0_both[bin5][((c0 as usize).rotate_left(9) / 7usize) % 16] = h0_both[bin5][((c0 as usize).rotate_left(9) / 7usize) % 16] - (!((turns3 as u64) == (x1 as u64))) as isize;
    }
}

fn r178(a0: &[i64], r0_max: &mut u16) {
    for x1 in a0.iter().cloned() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || ((x1 as i32) >= (x1 as i32)) {
                break turns3 * 2;
            }
        };
        let mut acc4 = 0u64;
        for j5 in 0..3usize {
            acc4 = acc4.wrapping_add((turns3 as u64));
        }
        if (!((found2 as u8) <= (acc4 as u8))) {
            continue;
        }
        *r0_max = (*r0_max).max((if (!((found2 as u64) < acc4)) { (found2 as u16).wrapping_add((turns3 as u16)) } else { (acc4 as u16).abs_diff((x1 as u16)) }));
    }
}

fn r179(s: &str, c0: f32, t0: &[u16; 16], h0_and: &mut [u64; 64], h1_add: &mut [f64]) {
    for &b1 in s.as_bytes() {
        let k2 = WIDTH & 7usize;
        let v3: i16 = 31i16.wrapping_add(((c0 as i16) | i16::from(b1)));
        let v4: i16 = v3;
        let pair5 = ((v3 as f64).abs(), ((b1 as i64) % 7i64));
        h0_and[(2u64 & (c0 as u64)) as usize % 64] &= (pair5.0 as u64).wrapping_mul((pair5.0 as u64)).wrapping_mul(((pair5.0 as u64) / 3u64));
        let bin6 = (((pair5.0 as usize) % 100usize) ^ (if (i32::from(v3) == i32::from(v4)) { (b1 as usize) } else { (c0 as usize) })) % h1_add.len(); h1_add[bin6] += ((pair5.0.sin() * 16.0).round() / 16.0);
    }
}

fn r180(a0: &[u16; 90], h0_both: &mut [[u8; 4]]) {
    for &x1 in a0 {
        let mut acc2 = 0u64;
        for j3 in 0..4usize {
            acc2 = acc2.wrapping_add(acc2.rotate_left(26).abs_diff(((u64::from(x1) % 6) * (acc2 % 7))));
        }
        let bin4 = ((usize::from(x1) % 100usize) & (acc2 as usize)) % h0_both.len(); h0_both[bin4][(acc2 as usize) % 4] -= 1;
    }
}

fn r181(s: &str, h0_add: &mut Vec<u16>, h1_xor: &mut [u16; 64]) {
    for b1 in s.bytes() {
        let bytes2 = u16::from(b1).to_le_bytes();
        let bytes3 = (5i64 * 1i64).to_le_bytes();
        let v4 = (((bytes3[1] as f32) - (b1 as f32)) - ((bytes3[0] as f32) + (b1 as f32)));
        let bin5 = u64::from(bytes2[0]) as usize % h0_add.len(); h0_add[bin5] = h0_add[bin5] + (!((bytes3[1] as u64) == u64::from(bytes2[1]))) as u16;
        h1_xor[((((bytes2[0] as f32) + (bytes3[0] as f32)) * (bytes2[1] as f32).ceil()).abs() * 3.0) as usize % 64] ^= (bytes2[1] as u16);
    }
}

fn r182(a0: &[[i8; 6]], c0: f32, h0_add: &mut Vec<u16>, h1_wrap: &mut [isize], r0_add: &mut f64) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3 = MASK & 7u32;
            let bin4 = ((1usize % 8 + (k3 as usize) % 5) | (a0[y1][x2] as usize).saturating_sub((c0 as usize))) % h0_add.len(); h0_add[bin4] += ((x2 as u16) % 5);
            match 100u32.abs_diff((c0 as u32)) % 4 {
                0 => { let bin5 = ((k3 % 8 + ((y1 as u32) / 31u32) % 5) & 15) as usize; h1_wrap[bin5] = h1_wrap[bin5].wrapping_sub((k3 as isize)); }
                1..=2 => { let bin6 = ((((x2 as u32) % 6) * (k3 % 7)) & 15) as usize; h1_wrap[bin6] = h1_wrap[bin6].wrapping_add((a0[y1][x2] as isize).wrapping_add((x2 as isize)).min((a0[y1][x2] as isize))); }
                _ => {}
            }
            match ((c0 as u32) ^ (a0[y1][x2] as u32)) % 4 {
                0 => { *r0_add = *r0_add + (((k3 as f64).min((y1 as f64).max((y1 as f64))).clamp(-8.0, 8.0) * 16.0).round() / 16.0); }
                1..=2 => { *r0_add += ((0.1f64.floor().min(((k3 as f64) + (c0 as f64))).clamp(-8.0, 8.0) * 16.0).round() / 16.0); }
                _ => {}
            }
            *r0_add += (((c0 as f64).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        }
    }
}

fn r183(a0: &Vec<u32>, h0_both: &mut [f64]) {
    for x1 in a0.iter().cloned() {
        let mut rest2 = x1.wrapping_mul(x1);
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || ((count3 as f64) == (count3 as f64)) {
                break turns5 * 2;
            }
        };
        let v6: i32;
        if ((found4 as u32) <= (turns5 as u32)) {
            v6 = (x1 as i32).rotate_left(16);
        } else {
            v6 = turns5;
        }
        let bin7 = (match (v6 as u32) % 5 { 0 => (turns5 as usize), 1 | 3 => (v6 as usize), _ => (found4 as usize) }).wrapping_mul((v6 as usize)).min(h0_both.len() - 1); h0_both[bin7] = h0_both[bin7] - 1.0f64;
        let bin8 = ((found4 as usize) + 10usize) % h0_both.len(); h0_both[bin8] = h0_both[bin8] - (((v6 as f64).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
    }
}

fn r184(a0: &[i16], a1: &[i8; 90], h0_xor: &mut Vec<u8>) {
    for (x1, x2) in a0.iter().zip(a1) {
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || (((*x1) as u8) <= ((*x1) as u8)) {
                break turns4 * 2;
            }
        };
        if (((*x1) as f64) <= (turns4 as f64)) {
            let bin5 = ((found3 as u32).wrapping_add((found3 as u32)).wrapping_mul(((turns4 as u32) * 5u32)) & 15) as usize; h0_xor[bin5] = h0_xor[bin5] ^ (((*x2) as u8).abs_diff((found3 as u8)) % 5u8);
        }
        if (((*x1) as u32) < (turns4 as u32)) {
            h0_xor[((turns4 as u32) & 15) as usize] ^= 100u8;
        }
    }
}

fn r185(a0: &Vec<[usize; 6]>, c0: u32, h0_or: &mut Vec<u32>, h1_wrap: &mut [[u8; 16]; 16], h2_max: &mut [[u8; 16]; 16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut v3 = (a0[y1][x2] as u32).rotate_left(2);
            if (((a0[y1][x2] as u64) >= 2u64) && ((y1 as u64) >= (y1 as u64))) {
                v3 |= 3u32.rotate_left(29);
            }
            match (match (y1 as u32) % 5 { 0 => 1u32, 1 | 3 => v3, _ => (a0[y1][x2] as u32) }) % 4 {
                0 => { let bin4 = ((-((x2 as f32) * 0.1f32)).abs() * 3.0) as usize % h0_or.len(); h0_or[bin4] |= (if ((v3 as u8) > (a0[y1][x2] as u8)) { ((a0[y1][x2] as f64) as u32) } else { ((x2 as u32) & (y1 as u32)) }); }
                1..=2 => { let bin5 = (if (v3 < c0) { (a0[y1][x2] as u64).wrapping_sub((y1 as u64)) } else { (x2 as u64).wrapping_add(u64::from(c0)) }) as usize % h0_or.len(); h0_or[bin5] |= (x2 as u32); }
                _ => {}
            }
            h1_wrap[((c0 as f64) as usize).wrapping_sub(y1).min(16 - 1)][((u64::from(c0) >= (a0[y1][x2] as u64)) as usize).abs_diff(y1) % 16] = h1_wrap[((c0 as f64) as usize).wrapping_sub(y1).min(16 - 1)][((u64::from(c0) >= (a0[y1][x2] as u64)) as usize).abs_diff(y1) % 16].wrapping_mul((y1 as u8));
            let bin6 = ((y1 as f32) as usize).wrapping_sub((y1 | 5usize)) % 16; let bin7 = (10i32.saturating_sub((y1 as i32)).max((v3.trailing_zeros() as i32)).rem_euclid(16) as usize).min(16 - 1); h2_max[bin6][bin7] = h2_max[bin6][bin7].max((((v3 as u8) > (y1 as u8)) as u8));
            let bin8 = (((y1 as u64) >> 27) % 10u64) as usize % 16; let bin9 = 3usize.saturating_sub((v3 as usize)).wrapping_mul(((v3 as usize) / 100usize)) % 16; h2_max[bin8][bin9] = h2_max[bin8][bin9].max((c0 as u8));
        }
    }
}

fn r186(a0: &[[f64; 6]; 90], h0_both: &mut [u64]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let bin4 = ((row1[2] as f32).abs() * 3.0) as usize % h0_both.len(); h0_both[bin4] = h0_both[bin4] - 1;
    }
}

fn r187(a0: &[usize], h0_both: &mut [u16; 1000], r0_wrap: &mut i32, h1_wrap: &mut [[isize; 16]]) {
    for p1 in a0.chunks_exact(4) {
        h0_both[(if (!((p1[3] as u64) == (p1[3] as u64))) { (if ((p1[1] as u8) <= (p1[1] as u8)) { p1[2] } else { p1[0] }) } else { (p1[2] - 3usize) }) % 1000] -= (((p1[1] as u64) == (p1[0] as u64)) || ((p1[2] as u32) == (p1[0] as u32))) as u16;
        if (!((p1[3] as f64) < (p1[0] as f64))) {
            *r0_wrap = (*r0_wrap).wrapping_mul((match (p1[0] as u32) % 5 { 0 => (match (p1[0] as u32) % 5 { 0 => (p1[0] as i32), 1 | 3 => (p1[1] as i32), _ => (p1[3] as i32) }), 1 | 3 => (p1[3] as i32).saturating_sub((p1[0] as i32)), _ => ((p1[2] as f64) as i32) }));
        }
        match ((p1[3] as f64) as u32) % 4 {
            0 => { let bin2 = ((p1[1] as i32).rem_euclid(16) as usize).min(h1_wrap.len() - 1); let bin3 = 7u64.wrapping_sub(((p1[2] as f64) as u64)) as usize % 16; h1_wrap[bin2][bin3] = h1_wrap[bin2][bin3].wrapping_add((31isize + 100isize)); }
            1..=2 => { let bin4 = ((0.5f32 * (p1[3] as f32)) as usize) % h1_wrap.len(); h1_wrap[bin4][(((p1[3] as f32) * ((p1[1] as f32) + (p1[0] as f32))).abs() * 3.0) as usize % 16] = h1_wrap[bin4][(((p1[3] as f32) * ((p1[1] as f32) + (p1[0] as f32))).abs() * 3.0) as usize % 16].wrapping_add(((((p1[1] as isize) ^ (p1[2] as isize)) % 6) * ((p1[1] as isize) % 7))); }
            _ => {}
        }
        let bin5 = (((p1[2] as u8) <= (p1[1] as u8)) as usize) % h1_wrap.len(); let bin6 = ((-(p1[0] as f32).min((p1[1] as f32))).abs() * 3.0) as usize % 16; h1_wrap[bin5][bin6] = h1_wrap[bin5][bin6].wrapping_sub((if ((p1[2] as u8) < (p1[0] as u8)) { ((p1[3] as isize) + 1isize) } else { (((p1[2] as isize) % 6) * ((p1[1] as isize) % 7)) }));
    }
}

fn r188(a0: &[f32], t0: &[f64; 16], h0_sub: &mut [f64; 1000]) {
    for x1 in a0.iter().copied() {
        let k2 = MASK & 7u32;
        let bin3 = (match (((x1 as u32) % 6) * ((x1 as u32) % 7)) % 5 { 0 => (x1 as usize), 1 | 3 => (t0[(x1 as usize) % 16] as usize).max((k2 as usize)), _ => ((k2 as usize) / 10usize) }).min(1000 - 1); h0_sub[bin3] = h0_sub[bin3] - ((t0[(x1 as usize) % 16].abs().clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        h0_sub[((k2 as usize) >> 58).min(1000 - 1)] -= ((t0[(x1 as usize) % 16].sin() * 16.0).round() / 16.0);
    }
}

fn r189(a0: &[[u64; 2]], c0: i32, h0_add: &mut [[f32; 4]]) {
    for p1 in a0 {
        let mut acc2 = 0u64;
        for j3 in 0..2usize {
            if ((c0 as u32) <= 1u32) {
                break;
            }
            acc2 = acc2.wrapping_add(p1[0]);
        }
        match (p1[1] as u32).wrapping_sub((p1[0] as u32)) % 4 {
            0 => { let bin4 = (p1[1] as usize) % h0_add.len(); let bin5 = (10i32.rem_euclid(16) as usize).min(4 - 1); h0_add[bin4][bin5] = h0_add[bin4][bin5] + (((p1[1] as f32).abs().sqrt().min(0.1f32.floor()).clamp(-8.0, 8.0) * 16.0).round() / 16.0); }
            1..=2 => { let bin6 = (((acc2 as i64).min((p1[0] as i64)).trailing_zeros() as i32).rem_euclid(16) as usize).min(h0_add.len() - 1); let bin7 = (c0 as u64) as usize % 4; h0_add[bin6][bin7] = h0_add[bin6][bin7] + (((-0.1f32.abs().sqrt()).clamp(-8.0, 8.0) * 16.0).round() / 16.0); }
            _ => {}
        }
        let bin8 = (acc2 as usize).min(h0_add.len() - 1); let bin9 = ((c0 as f64) as usize) % 4; h0_add[bin8][bin9] = h0_add[bin8][bin9] + ((0.1f32.floor().sin() * 16.0).round() / 16.0);
    }
}

fn r190(s: &str, t0: &[f32; 16], h0_or: &mut [[i8; 3]]) {
    for &b1 in s.as_bytes() {
        let mut rest2 = (u32::from(b1) + 31u32);
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let v4: i64;
        if (3.0f64 < (b1 as f64)) {
            v4 = (t0[((b1 as f64) as usize) % 16] as i64).wrapping_add((b1 as i64));
        } else {
            v4 = i64::from(count3);
        }
        let mut turns6 = 0i32;
        let found5 = loop {
            turns6 += 1;
            if turns6 > 4 || ((count3 as i32) >= (t0[((b1 as f64) as usize) % 16] as i32)) {
                break turns6 * 2;
            }
        };
        h0_or[((found5 as u32) & 15) as usize][((b1 as usize) | (((v4 as usize) % 6) * ((b1 as usize) % 7))) % 3] |= (t0[((b1 as f64) as usize) % 16] as i8);
    }
}

fn r191(a0: &[i8], a1: &[u64], a2: &[i8; 90], c0: f64, h0_wrap: &mut [u8], h1_xor: &mut [u64]) {
    for ((&x1, &x2), &x3) in a0.iter().zip(a1).zip(a2) {
        match (c0 as u32).abs_diff((x3 as u32)) % 4 {
            0 => { let bin4 = ((c0 as u32).min(((x1 as f32) as u32)) & 15) as usize; h0_wrap[bin4] = h0_wrap[bin4].wrapping_mul(((c0 as u8) % 1u8)); }
            1..=2 => { let bin5 = (5u32.wrapping_sub((x2 as u32).wrapping_add((x2 as u32))) & 15) as usize; h0_wrap[bin5] = h0_wrap[bin5].wrapping_mul(((((x1 as u8) % 6) * (7u8 % 7)) >> 3)); }
            _ => {}
        }
        let bin6 = (if (!((c0 as u64) <= x2)) { ((c0 as usize) / 1usize) } else { (x1 as usize) }) % h0_wrap.len(); h0_wrap[bin6] = h0_wrap[bin6].wrapping_mul((match (x2 as u32).wrapping_add((x3 as u32)) % 5 { 0 => 2u8.rotate_left(6), 1 | 3 => (x1 as u8), _ => (x3 as u8) }));
        let bin7 = (x2 as usize) % h1_xor.len(); h1_xor[bin7] = h1_xor[bin7] ^ (match (match (x2 as u32) % 5 { 0 => (x2 as u32), 1 | 3 => (x3 as u32), _ => (x1 as u32) }) % 5 { 0 => x2, 1 | 3 => (x1 as u64), _ => ((x3 as u64) / 31u64) });
    }
}

fn r192(s: &str, h0_both: &mut [[u16; 3]; 7]) {
    for b1 in s.bytes() {
        h0_both[u64::from(b1) as usize % 7][((b1 as u64).rotate_left(56) % 8 + (b1 as u64).wrapping_sub((b1 as u64)) % 5) as usize % 3] = h0_both[u64::from(b1) as usize % 7][((b1 as u64).rotate_left(56) % 8 + (b1 as u64).wrapping_sub((b1 as u64)) % 5) as usize % 3] - ((b1 <= 5u8) && (100u32 > (b1 as u32))) as u16;
    }
}

fn r193(a0: &[u32; 90], c0: i32, h0_and: &mut [usize]) {
    for i1 in (0..a0.len()).step_by(3) {
        let pair2 = ((c0 as f64).max((i1 as f64)), (c0 as usize));
        if (((c0 as u64) <= 2u64) && ((pair2.1 as u8) >= (a0[i1] as u8))) {
            let bin3 = ((if ((i1 as u8) >= (pair2.1 as u8)) { (pair2.0 as usize) } else { pair2.1 }) / 5usize).min(h0_and.len() - 1); h0_and[bin3] = h0_and[bin3] & (a0[i1] as usize);
        }
        match (i1 as u32).min((i1 as u32)) % 4 {
            0 => { h0_and[((pair2.1 as u32) & 15) as usize] &= ((a0[i1] as usize).wrapping_mul((a0[i1] as usize)) & (a0[i1] as usize).wrapping_mul(pair2.1)); }
            1..=2 => { h0_and[(((pair2.0 as u32) & (i1 as u32)).min(5u32) & 15) as usize] &= ((((pair2.1 as i32) <= (pair2.1 as i32)) as usize) >> 47); }
            _ => {}
        }
    }
}

fn r194(s: &str, c0: f32, h0_wrap: &mut [[u32; 16]; 1]) {
    for &b1 in s.as_bytes() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (!b1.is_ascii_alphabetic()) {
                break turns3 * 2;
            }
        };
        let v4: u64;
        if (((b1 as i32) != 2i32) || ((c0 as i32) < (c0 as i32))) {
            v4 = ((turns3 as u64) ^ 5u64);
        } else {
            v4 = (c0 as u64);
        }
        let mut acc5 = 0u64;
        for j6 in 0..4usize {
            acc5 = acc5.wrapping_add(((j6 as f64).floor() as u64));
        }
        if (!((b1 as i32) > (v4 as i32))) {
            let bin7 = (match b1 { b'a'..=b'm' | b'A' => (b1 as usize).abs_diff((v4 as usize)), b'0' => (turns3 as usize).abs_diff(usize::from(b1)), _ => (found2 as usize) }).min(1 - 1); let bin8 = (turns3 as usize).min(16 - 1); h0_wrap[bin7][bin8] = h0_wrap[bin7][bin8].wrapping_sub(((v4 as f64).round() as u32));
        }
    }
}

fn r195(a0: &[i16], r0_xor: &mut u16) {
    for x1 in a0.iter() {
        let mut v2 = (i64::from((*x1)).count_ones() as u16);
        if (((*x1) as i32) >= ((*x1) as i32)) {
            v2 ^= (3u16 | ((*x1) as u16));
        }
        let (p3, q4) = ((2.25f64 as i32), 10i8);
        *r0_xor ^= (q4 as u16);
    }
}

fn r196(a0: &[u64], h0_min: &mut [i64], h1_both: &mut [f32], h2_min: &mut [[isize; 4]]) {
    for &x1 in a0 {
        let bin2 = (((x1 as usize).saturating_sub((x1 as usize)) % 6) * ((x1 as usize).abs_diff((x1 as usize)) % 7)) % h0_min.len(); h0_min[bin2] = h0_min[bin2].min(((x1 as i64) & (x1 as i64)).wrapping_add((if ((x1 as u32) >= (x1 as u32)) { (x1 as i64) } else { (x1 as i64) })));
        if (((x1 as u32) < (x1 as u32)) || ((x1 as u8) < (x1 as u8))) {
            let bin3 = (((x1 as i32) - 1i32).rem_euclid(16) as usize).min(h0_min.len() - 1); h0_min[bin3] = h0_min[bin3].min(((x1 != x1) as i64));
        }
        match (x1 as u32).max(5u32) % 4 {
            0 => { let bin4 = (2usize ^ (x1 as usize)).wrapping_mul((x1 as usize).wrapping_sub((x1 as usize))) % h1_both.len(); h1_both[bin4] -= 1.0f32; }
            1..=2 => { let bin5 = ((x1 as usize) | (x1 as usize)).max(2usize) % h1_both.len(); h1_both[bin5] += ((0.1f32.sin() * 16.0).round() / 16.0); }
            _ => {}
        }
        h1_both[(((x1 as u32) ^ (x1 as u32)) & 15) as usize] = h1_both[(((x1 as u32) ^ (x1 as u32)) & 15) as usize] - (((x1 as f32).clamp(-8.0, 8.0) * 16.0).round() / 16.0);
        let bin6 = (x1 as usize).min(h2_min.len() - 1); let bin7 = ((x1 as f32) as usize).min(4 - 1); h2_min[bin6][bin7] = h2_min[bin6][bin7].min(((x1 as isize) * 5isize));
        let bin8 = x1 as usize % h2_min.len(); h2_min[bin8][((x1 as usize) - 31usize).saturating_sub((match (x1 as u32) % 5 { 0 => (x1 as usize), 1 | 3 => (x1 as usize), _ => (x1 as usize) })).min(4 - 1)] = h2_min[bin8][((x1 as usize) - 31usize).saturating_sub((match (x1 as u32) % 5 { 0 => (x1 as usize), 1 | 3 => (x1 as usize), _ => (x1 as usize) })).min(4 - 1)].min(((x1 as isize) % 8 + ((x1 as f32) as isize) % 5));
    }
}

fn r197(a0: &[u32; 90], h0_sub: &mut [u16]) {
    for x1 in a0.iter().cloned() {
        let mut acc2 = 0u64;
        for j3 in 0..2usize {
            acc2 = acc2.wrapping_add(((j3 as u64).wrapping_add(u64::from(x1)) & (((j3 as u8) >= (j3 as u8)) as u64)));
        }
        let local4 = [((acc2 as usize) ^ (acc2 as usize)), ((acc2 as usize) >> 42), 100usize];
        let mut acc5 = 0u64;
        for j6 in 0..5usize {
            acc5 = acc5.wrapping_add((if (2u64 != acc5) { (j6 as u64) } else { ((j6 as u64) & (j6 as u64)) }));
        }
        h0_sub[(3u32 & 15) as usize] -= ((acc2 as u8) < (x1 as u8)) as u16;
        let bin7 = (((if ((x1 as u8) <= (acc2 as u8)) { (local4[(acc2 as usize).abs_diff((x1 as usize)) % 3] as u32) } else { x1 }) >> 29) & 15) as usize; h0_sub[bin7] = h0_sub[bin7] - 1;
    }
}

fn r198(a0: &[u32; 90], r0_wrap: &mut u8) {
    for x1 in a0.iter() {
        let bytes2 = (((*x1) as u16) - 3u16).to_le_bytes();
        *r0_wrap = (*r0_wrap).wrapping_mul(((bytes2[0] % 6) * (bytes2[0] % 7)).max(((*x1) as u8)));
        *r0_wrap = (*r0_wrap).wrapping_mul((bytes2[1] % 100u8));
    }
}

fn r199(a0: &[[i16; 6]], c0: i32, r0_wrap: &mut u64) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut acc3 = 0u64;
            for j4 in 0..4usize {
                acc3 = acc3.wrapping_add((((a0[y1][x2] as u64) % 8 + (y1 as u64) % 5) & (a0[y1][x2] as u64)));
            }
            match (((x2 as u64) <= 2u64) as u32) % 4 {
                0 => { *r0_wrap = (*r0_wrap).wrapping_sub(((x2 as i64).rotate_left(11).trailing_zeros() as u64)); }
                1..=2 => { *r0_wrap = (*r0_wrap).wrapping_sub((c0 as u64)); }
                _ => {}
            }
        }
    }
}

}
