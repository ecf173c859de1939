// Made by `cargo run -p accrue-tests --bin random-loops -- 20261120 40 160`.

random_loops! {
offloaded:

fn r000(s: &str, h0_mul: &mut Vec<f64>) {
    for b1 in s.bytes() {
        let bin2 = (((b1 as u16).trailing_zeros() as u64) % 8 + (b1 as u64).max((b1 as u64)) % 5) as usize % h0_mul.len(); h0_mul[bin2] *= (1.0 + (b1 as f64).clamp(-1.0, 1.0) * 0.01);
        let bin3 = ((i32::from(b1) | (i32::from(b1) / 5i32)).rem_euclid(16) as usize).min(h0_mul.len() - 1); h0_mul[bin3] *= (1.0 + (b1 as f64).floor().clamp(-1.0, 1.0) * 0.01);
    }
}

fn r001(s: &str, c0: u32, r0_xor: &mut u64, h0_wrap: &mut [[usize; 4]; 16]) {
    for &b1 in s.as_bytes() {
        let k2 = WIDTH & 7usize;
        let mut acc3 = 0u64;
        for j4 in 0..5usize {
            acc3 = acc3.wrapping_add((10u64.abs_diff((k2 as u64)) | (b1 as u64)));
        }
        let mut v5 = (k2 as u32);
        if ((acc3 as u32) != c0) {
            v5 &= (((acc3 as i32) > (c0 as i32)) as u32);
        }
        *r0_xor ^= (match b1 { b'a'..=b'm' | b'A' => 1u64, b'0' => u64::from(b1), _ => acc3 }).rotate_left(14);
        let bin6 = (usize::from(b1) ^ ((acc3 as usize) % 8 + 31usize % 5)) % 16; let bin7 = ((v5 as u64) | 5u64).abs_diff(((i32::from(b1) < (acc3 as i32)) as u64)) as usize % 4; h0_wrap[bin6][bin7] = h0_wrap[bin6][bin7].wrapping_mul(((if ((k2 as u64) >= u64::from(b1)) { (b1 as usize) } else { (c0 as usize) }) | k2.min(k2)));
        if (!((k2 as u32) == (acc3 as u32))) {
            let bin8 = ((c0 as usize) % 100usize) % 16; let bin9 = (c0 as usize) % 4; h0_wrap[bin8][bin9] = h0_wrap[bin8][bin9].wrapping_mul((((acc3 as u16).count_ones() as usize) % 8 + (acc3 as usize).saturating_sub((acc3 as usize)) % 5));
        }
    }
}

fn r002(a0: &[u16], h0_add: &mut [f64; 16]) {
    for x1 in a0 {
        let bytes2 = ((*x1).trailing_zeros() as u16).to_le_bytes();
        match 3u32 % 4 {
            0 => { h0_add[((-(((*x1) as f32) - ((*x1) as f32))).abs() * 3.0) as usize % 16] = h0_add[((-(((*x1) as f32) - ((*x1) as f32))).abs() * 3.0) as usize % 16] + 1.0f64; }
            1..=2 => { h0_add[(((*x1) as f32).abs().abs() * 3.0) as usize % 16] = h0_add[(((*x1) as f32).abs().abs() * 3.0) as usize % 16] + (bytes2[0] as f64).clamp(-8.0, 8.0); }
            _ => {}
        }
        match (bytes2[0] as u32).wrapping_add(((*x1) as u32)) % 4 {
            0 => { h0_add[(bytes2[0] as usize).abs_diff(((bytes2[1] as f32) as usize)) % 16] += (bytes2[1] as f64).clamp(-8.0, 8.0); }
            1..=2 => { let bin3 = (bytes2[1] as u64) as usize % 16; h0_add[bin3] = h0_add[bin3] + (bytes2[0] as f64).sin(); }
            _ => {}
        }
    }
}

fn r003(a0: &[u8], r0_sub: &mut f64) {
    for (i2, x1) in a0.iter().enumerate().skip(1) {
        let v3: i8;
        if ((*x1) < (i2 as u8)) {
            v3 = ((*x1) as i8);
        } else {
            v3 = (((*x1) as i8) % 3i8);
        }
        let pair4 = ((2u8 ^ (*x1)), (v3 % 5i8));
        let bytes5 = ((pair4.1 as u16).leading_zeros() as u16).to_le_bytes();
        *r0_sub -= 1.0f64;
    }
}

fn r004(a0: &Vec<i32>, c0: f32, h0_or: &mut [i8; 16]) {
    for x1 in a0.iter().copied() {
        if ((x1 as u64) < (c0 as u64)) {
            h0_or[((x1 as f32).floor().floor().abs() * 3.0) as usize % 16] |= (c0 as i8);
        }
        h0_or[(((7i32.min(x1) % 6) * (x1.wrapping_mul(x1) % 7)).rem_euclid(16) as usize).min(16 - 1)] |= (c0 as i8).wrapping_add((x1 as i8)).min(((c0 as i8) & (x1 as i8)));
    }
}

fn r005(a0: &[usize; 90], c0: u32, h0_wrap: &mut [isize; 16]) {
    for x1 in a0.iter() {
        h0_wrap[((u64::from(c0) % 100u64) >> 55) as usize % 16] = h0_wrap[((u64::from(c0) % 100u64) >> 55) as usize % 16].wrapping_add((c0 as isize).max(((c0 as isize) >> 23)));
    }
}

fn r006(a0: &Vec<[i16; 6]>, t0: &[i64; 16], r0_wrap: &mut i32) {
    for row1 in a0 {
        for &x2 in row1 {
            *r0_wrap = (*r0_wrap).wrapping_mul((match 5u32 % 5 { 0 => (t0[(10usize - 2usize) % 16] as i32), 1 | 3 => (t0[(10usize - 2usize) % 16] as i32), _ => i32::from(x2) }).clamp(-20, 20));
        }
    }
}

fn r007(a0: &Vec<[i16; 2]>, h0_xor: &mut [[i16; 3]]) {
    for p1 in a0 {
        let k2 = MASK & 7u32;
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || (!((p1[1] as i32) != i32::from(p1[1]))) {
                break turns4 * 2;
            }
        };
        let mut v5 = (((k2 as i32) % 6) * (turns4 % 7));
        if (((found3 as f64) > (p1[1] as f64)) && ((p1[0] as f64) > (turns4 as f64))) {
            v5 |= (turns4 - 31i32);
        }
        let bin6 = (v5 as usize) % h0_xor.len(); let bin7 = ((p1[1] as f32) as u64).saturating_sub(((p1[1] as u64) % 8 + (v5 as u64) % 5)) as usize % 3; h0_xor[bin6][bin7] = h0_xor[bin6][bin7] ^ (v5 as i16).saturating_sub(31i16).wrapping_sub(p1[0]);
        if (((found3 as u8) <= (p1[0] as u8)) && ((turns4 as u64) > 31u64)) {
            let bin8 = (v5 as usize).wrapping_mul((p1[1] as usize)).max((p1[1] as usize).min((v5 as usize))) % h0_xor.len(); h0_xor[bin8][(match ((7u32 % 6) * ((p1[1] as u32) % 7)) % 5 { 0 => (k2 as u64).abs_diff((p1[0] as u64)), 1 | 3 => (100u16.leading_zeros() as u64), _ => (v5 as u64).max((turns4 as u64)) }) as usize % 3] ^= p1[1];
        }
    }
}

fn r008(a0: &[u32], h0_or: &mut [i8; 1]) {
    for i1 in (1..a0.len()).step_by(2).rev() {
        h0_or[(if (2u32 < (i1 as u32)) { (a0[i1] as usize) } else { (a0[i1] as usize) }).saturating_sub(((a0[i1] as f32) as usize)) % 1] |= (if (!((i1 as f64) == (a0[i1] as f64))) { 100i8.min((i1 as i8)) } else { (a0[i1] as i8) });
    }
}

fn r009(a0: &[f64], t0: &[i64; 16], h0_wrap: &mut [[u64; 4]], h1_or: &mut [i8]) {
    for p1 in a0.windows(2) {
        let pair2 = (1usize, (t0[(match (p1[0] as u32) % 5 { 0 => (p1[0] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16] as u32));
        let bytes3 = ((pair2.1 as i64) | (p1[0] as i64)).to_le_bytes();
        let mut local4 = [3.0f64; 4];
        local4[pair2.0 % 4] = (pair2.1 as f64).abs().sqrt();
        let bin5 = (t0[(match (p1[0] as u32) % 5 { 0 => (p1[0] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16] as usize).wrapping_add((local4[pair2.0 & 3] as usize)).min(h0_wrap.len() - 1); h0_wrap[bin5][((local4[1] as f32).min((t0[(match (p1[0] as u32) % 5 { 0 => (p1[0] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16] as f32)).abs() * 3.0) as usize % 4] = h0_wrap[bin5][((local4[1] as f32).min((t0[(match (p1[0] as u32) % 5 { 0 => (p1[0] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16] as f32)).abs() * 3.0) as usize % 4].wrapping_sub((((local4[1] as u64) % 3u64) >> 22));
        let bin6 = ((p1[1] as u32) & 15) as usize; let bin7 = (t0[(match (p1[0] as u32) % 5 { 0 => (p1[0] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16] as usize).min(4 - 1); h0_wrap[bin6][bin7] = h0_wrap[bin6][bin7].wrapping_sub(((!(p1[0] > local4[pair2.0 & 3])) as u64));
        match pair2.1 % 4 {
            0 => { let bin8 = (p1[0] as usize).wrapping_mul((p1[0] as usize)) % h1_or.len(); h1_or[bin8] |= (((pair2.1 as f32) as i8) >> 4); }
            1..=2 => { h1_or[((((local4[1] as f32) + (local4[pair2.0 & 3] as f32)) as u32) & 15) as usize] |= (t0[(match (p1[0] as u32) % 5 { 0 => (p1[0] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16] as i8); }
            _ => {}
        }
    }
}

fn r010(a0: &[u16; 90], h0_wrap: &mut [u64]) {
    for i1 in (0..a0.len()).rev() {
        let bin2 = (i1 / 10usize) % h0_wrap.len(); h0_wrap[bin2] = h0_wrap[bin2].wrapping_add((a0[i1] as u64).rotate_left(19));
        h0_wrap[((i1 as u32).rotate_left(2).min((i1 as u32)) & 15) as usize] = h0_wrap[((i1 as u32).rotate_left(2).min((i1 as u32)) & 15) as usize].wrapping_add(5u64);
    }
}

fn r011(a0: &Vec<[usize; 6]>, t0: &[i32; 16], h0_wrap: &mut [i64], r0_max: &mut f32) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3 = WIDTH & 7usize;
            match (y1 as u32).wrapping_sub(2u32) % 4 {
                0 => { let bin4 = (y1.min(7usize) & (t0[(if ((k3 as u8) <= (y1 as u8)) { a0[y1][x2] } else { k3 }) % 16] as usize).wrapping_sub((t0[(if ((k3 as u8) <= (y1 as u8)) { a0[y1][x2] } else { k3 }) % 16] as usize))) % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_add((x2 as i64)); }
                1..=2 => { let bin5 = (if ((k3 as u8) >= (k3 as u8)) { a0[y1][x2] } else { ((1u32 != (x2 as u32)) as usize) }).min(h0_wrap.len() - 1); h0_wrap[bin5] = h0_wrap[bin5].wrapping_add((y1 as i64).wrapping_mul((k3 as i64)).min((x2 as i64).wrapping_sub((a0[y1][x2] as i64)))); }
                _ => {}
            }
            let bin6 = (((a0[y1][x2] as i32) % 8 + (x2 as i32) % 5).wrapping_sub((y1 as i32).wrapping_mul((x2 as i32))).rem_euclid(16) as usize).min(h0_wrap.len() - 1); h0_wrap[bin6] = h0_wrap[bin6].wrapping_add((((x2 as u64) != (x2 as u64)) as i64));
            match (match (a0[y1][x2] as u32) % 5 { 0 => (a0[y1][x2] as u32), 1 | 3 => (y1 as u32), _ => (k3 as u32) }) % 4 {
                0 => { *r0_max = (*r0_max).max((x2 as f32)); }
                1..=2 => { *r0_max = (*r0_max).max((x2 as f32).abs().sqrt()); }
                _ => {}
            }
            match (x2 as u32) % 4 {
                0 => { *r0_max = (*r0_max).max(0.1f32); }
                1..=2 => { *r0_max = (*r0_max).max((a0[y1][x2] as f32)); }
                _ => {}
            }
        }
    }
}

fn r012(a0: &[f32], n: usize, h0_sub: &mut Vec<f32>) {
    for i1 in 0..n {
        let bytes2 = ((i1 as f64) as u32).to_le_bytes();
        let v3: f64;
        if ((a0[i1] as i32) > 2i32) {
            v3 = ((a0[i1] as f64) + (i1 as f64));
        } else {
            v3 = (i1 as f64).sin();
        }
        let bin4 = ((((a0[i1] as i32) == i32::from(bytes2[1])) as u32) & 15) as usize; h0_sub[bin4] = h0_sub[bin4] - 1.0f32;
        if ((a0[i1] as f64) == (bytes2[0] as f64)) {
            let bin5 = ((bytes2[1] as usize).wrapping_add((bytes2[0] as usize)) ^ usize::from(bytes2[0]).wrapping_sub(usize::from(bytes2[0]))) % h0_sub.len(); h0_sub[bin5] = h0_sub[bin5] - (a0[i1] + (v3 as f32)).sin();
        }
    }
}

fn r013(s: &str, r0_wrap: &mut isize) {
    for &b1 in s.as_bytes() {
        *r0_wrap = (*r0_wrap).wrapping_add((((b1 as isize) / 5isize) | (100i64.trailing_zeros() as isize)));
        *r0_wrap = (*r0_wrap).wrapping_add(1isize.min(((b1 as isize) | 31isize)));
    }
}

fn r014(a0: &[u16], h0_add: &mut Vec<f32>) {
    for x1 in a0.iter().copied() {
        let mut acc2 = 0u64;
        for j3 in 0..2usize {
            acc2 = acc2.wrapping_add(((((x1 as u64) % 6) * (acc2 % 7)) >> 10));
        }
        let mut acc4 = 0u64;
        for j5 in 0..1usize {
            acc4 = acc4.wrapping_add(u64::from(x1));
        }
        h0_add[((0.5f64 as u32).wrapping_add(((acc4 as u32) - 1u32)) & 15) as usize] += 0.1f32.sin();
    }
}

fn r015(a0: &[[u8; 3]], h0_sub: &mut [f32], h1_min: &mut Vec<u32>, h2_mul: &mut [f64]) {
    for p1 in a0 {
        match 10u32 % 4 {
            0 => { let bin2 = ((p1[1] as i32).saturating_sub((p1[1] as i32)).saturating_sub(i32::from(p1[2]).clamp(-20, 20)).rem_euclid(16) as usize).min(h0_sub.len() - 1); h0_sub[bin2] -= ((p1[2] as f32) * (p1[0] as f32)).sin(); }
            1..=2 => { let bin3 = (usize::from(p1[1]) * 3usize) % h0_sub.len(); h0_sub[bin3] = h0_sub[bin3] - (((p1[2] as f32) * (p1[1] as f32)) - ((p1[1] as f32) / (1.0 + (p1[1] as f32).abs()))).clamp(-8.0, 8.0); }
            _ => {}
        }
        if (((p1[1] as u32) > (p1[0] as u32)) && p1[0].is_ascii_digit()) {
            let bin4 = ((p1[0] as usize) & (p1[1] as usize)).wrapping_sub((match p1[0] { b'a'..=b'm' | b'A' => usize::from(p1[1]), b'0' => (p1[0] as usize), _ => usize::from(p1[2]) })) % h1_min.len(); h1_min[bin4] = h1_min[bin4].min(((p1[2] as u32) % 2u32).wrapping_sub((p1[0] as u32)));
        }
        match u32::from(p1[0]) % 4 {
            0 => { let bin5 = (((p1[2] as usize) % 6) * (usize::from(p1[0]) % 7)) % h1_min.len(); h1_min[bin5] = h1_min[bin5].min(((p1[2] as u32) % 7u32).saturating_sub(((p1[2] as f32) as u32))); }
            1..=2 => { let bin6 = (if p1[0].is_ascii_digit() { ((u64::from(p1[1]) == u64::from(p1[1])) as usize) } else { usize::from(p1[1]).saturating_sub(usize::from(p1[1])) }) % h1_min.len(); h1_min[bin6] = h1_min[bin6].min(((((p1[0] as f64) != (p1[0] as f64)) && ((p1[2] as f64) == (p1[1] as f64))) as u32)); }
            _ => {}
        }
        let bin7 = ((match p1[0] { b'a'..=b'm' | b'A' => (p1[2] as usize), b'0' => usize::from(p1[2]), _ => (p1[2] as usize) }) % 8 + usize::from(p1[2]).wrapping_sub(usize::from(p1[0])) % 5) % h2_mul.len(); h2_mul[bin7] = h2_mul[bin7] * (1.0 + ((p1[1] as f64) - (p1[1] as f64)).clamp(-1.0, 1.0) * 0.01);
    }
}

fn r016(a0: &[[i16; 6]], c0: f64, r0_add: &mut f64) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3 = WIDTH & 7usize;
            *r0_add += ((a0[y1][x2] as f64) * (x2 as f64)).sin();
        }
    }
}

fn r017(s: &str, h0_or: &mut [[i32; 16]; 16]) {
    for &b1 in s.as_bytes() {
        let mut v2 = ((b1 as i64).trailing_zeros() as i32);
        if ((u64::from(b1) == u64::from(b1)) || ((b1 as i32) > (b1 as i32))) {
            v2 &= (b1 as i32).min((b1 as i32));
        }
        let v3: u32;
        if ((v2 as u32) > u32::from(b1)) {
            v3 = u32::from(b1).rotate_left(23);
        } else {
            v3 = (b1 as u32);
        }
        h0_or[usize::from(b1).wrapping_mul(((v2 as i64).leading_zeros() as usize)) % 16][5usize.min((usize::from(b1) % 8 + (v3 as usize) % 5)) % 16] |= (v2 >> 6).clamp(-20, 20);
    }
}

fn r018(s: &str, c0: u32, h0_max: &mut [[f32; 4]]) {
    for b1 in s.bytes() {
        let v2: u16;
        if ((b1 as f64) == (b1 as f64)) {
            v2 = ((u64::from(b1) <= u64::from(c0)) as u16);
        } else {
            v2 = ((c0 as u16) & (c0 as u16));
        }
        let v3: u16 = (b1 as u16).abs_diff(v2);
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || (!((b1 as u32) == 2u32)) {
                break turns5 * 2;
            }
        };
        match (turns5 as u32).saturating_sub((found4 as u32)) % 4 {
            0 => { let bin6 = (turns5 as u64).min(u64::from(v3)).max((found4 as u64)) as usize % h0_max.len(); let bin7 = (turns5 as usize) % 4; h0_max[bin6][bin7] = h0_max[bin6][bin7].max((-(3.0f32 / (1.0 + (b1 as f32).abs())))); }
            1..=2 => { h0_max[(c0.wrapping_sub(c0).saturating_sub((v3 as u32).rotate_left(14)) & 15) as usize][(((turns5 as u16) >> 13).trailing_zeros() as usize) % 4] = h0_max[(c0.wrapping_sub(c0).saturating_sub((v3 as u32).rotate_left(14)) & 15) as usize][(((turns5 as u16) >> 13).trailing_zeros() as usize) % 4].max((0.5f32.min((v3 as f32)) - (b1 as f32))); }
            _ => {}
        }
    }
}

fn r019(a0: &[i64], a1: &Vec<u64>, c0: f64, h0_wrap: &mut [isize; 1000]) {
    for (x1, &x2) in a0.iter().zip(a1) {
        let local3 = [(((*x1) as f64) + c0), (x2 as f64).fract(), 3.0f64];
        let v4: i8;
        if (!((x2 as u8) != (local3[((*x1) as usize).min((x2 as usize)) % 3] as u8))) {
            v4 = ((*x1) as i8);
        } else {
            v4 = ((c0 as i8) / 1i8);
        }
        let mut rest5 = (((c0 as i32) != (c0 as i32)) as u64);
        let mut count6 = 0u32;
        while rest5 > 0 {
            rest5 >>= 1;
            count6 += 1;
        }
        match (((v4 as i32) < (count6 as i32)) as u32) % 4 {
            0 => { h0_wrap[(match (local3[((*x1) as usize).min((x2 as usize)) % 3] as u32) % 5 { 0 => ((v4 as usize) ^ (c0 as usize)), 1 | 3 => (v4 as usize), _ => (x2 as usize).max(10usize) }).min(1000 - 1)] = h0_wrap[(match (local3[((*x1) as usize).min((x2 as usize)) % 3] as u32) % 5 { 0 => ((v4 as usize) ^ (c0 as usize)), 1 | 3 => (v4 as usize), _ => (x2 as usize).max(10usize) }).min(1000 - 1)].wrapping_sub(((count6 as isize) * 1isize).rotate_left(44)); }
            1..=2 => { let bin7 = (((local3[((*x1) as usize).min((x2 as usize)) % 3] as usize) / 1usize) % 8 + (local3[((*x1) as usize).min((x2 as usize)) % 3] as usize).wrapping_mul(1usize) % 5) % 1000; h0_wrap[bin7] = h0_wrap[bin7].wrapping_sub((v4 as isize)); }
            _ => {}
        }
        let bin8 = ((((v4 as i32).saturating_sub((count6 as i32)) % 6) * ((((local3[((*x1) as usize).min((x2 as usize)) % 3] as i32) % 6) * (10i32 % 7)) % 7)).rem_euclid(16) as usize).min(1000 - 1); h0_wrap[bin8] = h0_wrap[bin8].wrapping_sub((((count6 as f64) * (x2 as f64)) as isize));
    }
}

fn r020(a0: &[i32], h0_max: &mut [i8]) {
    for i1 in 3..40u32 {
        let mut rest2 = ((i1 as u8) >> 1);
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let bin4 = (i1.wrapping_sub(3u32).abs_diff((10u32 | count3)) & 15) as usize; h0_max[bin4] = h0_max[bin4].max(((i1 >= count3) as i8));
    }
}

fn r021(s: &str, h0_sub: &mut [u16]) {
    for b1 in s.bytes() {
        let v2 = (b1 as usize);
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || b1.is_ascii_digit() {
                break turns4 * 2;
            }
        };
        let mut local5 = [10i8; 4];
        local5[v2.saturating_sub((turns4 as usize)) % 4] = ((v2 as f64) as i8);
        h0_sub[((found3 as u32) & 15) as usize] = h0_sub[((found3 as u32) & 15) as usize] - 1;
    }
}

fn r022(a0: &[i64], t0: &[i64; 16], h0_xor: &mut [i16; 7], h1_add: &mut [[usize; 16]], h2_min: &mut [u32]) {
    for x1 in a0.iter().copied() {
        let v2: f64;
        if (!((x1 as i32) < 1i32)) {
            v2 = (t0[(x1 as usize).saturating_sub((x1 as usize)) % 16] as f64);
        } else {
            v2 = ((t0[(x1 as usize).saturating_sub((x1 as usize)) % 16] as f64) / (1.0 + (x1 as f64).abs()));
        }
        let bytes3 = ((v2 as u16) >> 1).to_le_bytes();
        let bin4 = (usize::from(bytes3[0]) * 2usize) % 7; h0_xor[bin4] = h0_xor[bin4] ^ ((((bytes3[1] as f64) < (bytes3[1] as f64)) && ((bytes3[1] as i32) > (v2 as i32))) as i16);
        let bin5 = ((bytes3[1] as i32).rem_euclid(16) as usize).min(h1_add.len() - 1); h1_add[bin5][usize::from(bytes3[0]).min(16 - 1)] = h1_add[bin5][usize::from(bytes3[0]).min(16 - 1)] + 1;
        let bin6 = ((t0[(x1 as usize).saturating_sub((x1 as usize)) % 16] as usize).rotate_left(44) ^ usize::from(bytes3[1]).max((x1 as usize))) % h2_min.len(); h2_min[bin6] = h2_min[bin6].min((bytes3[1] as u32).wrapping_mul(u32::from(bytes3[0])));
        let bin7 = ((x1 as usize) | (bytes3[1] as usize)).abs_diff((x1 as usize)) % h2_min.len(); h2_min[bin7] = h2_min[bin7].min(1u32.max(u32::from(bytes3[1])).saturating_sub((if bytes3[0].is_ascii_alphabetic() { (v2 as u32) } else { (bytes3[0] as u32) })));
    }
}

fn r023(a0: &Vec<u8>, c0: f32, t0: &[i8; 16], h0_add: &mut [u16], h1_wrap: &mut [u16]) {
    for p1 in a0.windows(2) {
        let mut acc2 = 0u64;
        for j3 in 0..1usize {
            acc2 = acc2.wrapping_add(((p1[0] as f32) as u64));
        }
        let bytes4 = (3i64 % 8 + (acc2 as i64) % 5).to_le_bytes();
        let bin5 = ((c0.min((p1[0] as f32)) + (-1.0f32)).abs() * 3.0) as usize % h0_add.len(); h0_add[bin5] += 1;
        if (bytes4[0] != (acc2 as u8)) {
            let bin6 = (1.0f32.abs().floor().abs() * 3.0) as usize % h1_wrap.len(); h1_wrap[bin6] = h1_wrap[bin6].wrapping_mul((u16::from(p1[1]) % 3u16).max(u16::from(p1[1]).abs_diff((t0[((p1[1] as usize) % 8 + usize::from(p1[1]) % 5) % 16] as u16))));
        }
        let bin7 = (((bytes4[1] as u32).abs_diff((p1[1] as u32)) ^ ((c0 as u32) / 2u32)) & 15) as usize; h1_wrap[bin7] = h1_wrap[bin7].wrapping_mul((bytes4[0] as u16).min(7u16).wrapping_mul((bytes4[1] as u16).rotate_left(11)));
    }
}

fn r024(s: &str, r0_wrap: &mut u32) {
    for b1 in s.bytes() {
        let mut rest2 = ((b1 < b1) as u64);
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let mut rest4 = (match 2u32 % 5 { 0 => (count3 as u64), 1 | 3 => (count3 as u64), _ => u64::from(count3) });
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        match count5.rotate_left(19) % 4 {
            0 => { *r0_wrap = (*r0_wrap).wrapping_sub(count5.wrapping_sub((b1 as u32).rotate_left(2))); }
            1..=2 => { *r0_wrap = (*r0_wrap).wrapping_sub(u32::from(b1).wrapping_sub(count5.abs_diff(count5))); }
            _ => {}
        }
        if (count3 < count3) {
            *r0_wrap = (*r0_wrap).wrapping_sub(u32::from(b1));
        }
    }
}

fn r025(a0: &[f32], c0: f64, h0_min: &mut [i16]) {
    for &x1 in a0.iter() {
        let v2: i16 = (((c0 as i64).trailing_zeros() as i16) / 10i16);
        let mut v3 = (x1 as u16).wrapping_mul((c0 as u16));
        if ((x1 as f64) >= (x1 as f64)) {
            v3 &= (x1 as u16);
        }
        let bin4 = (((v2 as i32) < (c0 as i32)) as u64).wrapping_sub((match (v2 as u32) % 5 { 0 => (c0 as u64), 1 | 3 => (v3 as u64), _ => (v2 as u64) })) as usize % h0_min.len(); h0_min[bin4] = h0_min[bin4].min((x1 as i16).wrapping_mul((((c0 as i16) % 6) * ((c0 as i16) % 7))));
        if ((x1 as i32) <= (c0 as i32)) {
            let bin5 = ((c0 as u32).wrapping_mul((v3 as u32)).wrapping_mul((v3 as u32).wrapping_sub((x1 as u32))) & 15) as usize; h0_min[bin5] = h0_min[bin5].min(2i16.wrapping_add(v2.rotate_left(14)));
        }
    }
}

fn r026(a0: &[[f64; 6]], c0: f32, h0_wrap: &mut [i64; 1000]) {
    for row1 in a0 {
        for &x2 in row1 {
            let k3: usize = WIDTH;
            h0_wrap[(((c0 as usize) % 6) * ((x2 as usize) % 7)).saturating_sub(((x2 as usize) % 8 + k3 % 5)).min(1000 - 1)] = h0_wrap[(((c0 as usize) % 6) * ((x2 as usize) % 7)).saturating_sub(((x2 as usize) % 8 + k3 % 5)).min(1000 - 1)].wrapping_sub(((c0 as i64).wrapping_add((c0 as i64)) & (x2 as i64).max((x2 as i64))));
            h0_wrap[((100i32 >= (x2 as i32)) as usize).min(1000 - 1)] = h0_wrap[((100i32 >= (x2 as i32)) as usize).min(1000 - 1)].wrapping_sub((x2 as i64).wrapping_add((((c0 as i32) > (k3 as i32)) as i64)));
        }
    }
}

fn r027(a0: &[u16], c0: i32, t0: &[u32; 16], h0_wrap: &mut [i32], h1_min: &mut [f64], r0_max: &mut i8) {
    for &x1 in a0 {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (((c0 as u8) < (c0 as u8)) || ((c0 as u32) != u32::from(x1))) {
                break turns3 * 2;
            }
        };
        let bytes4 = i64::from(x1).to_le_bytes();
        let mut rest5 = bytes4[0].rotate_left(3);
        let mut count6 = 0u32;
        while rest5 > 0 {
            rest5 >>= 1;
            count6 += 1;
        }
        h0_wrap[(((if ((x1 as i32) != (t0[(c0 as usize) % 16] as i32)) { t0[(c0 as usize) % 16] } else { (found2 as u32) }) % 8 + u32::from(bytes4[1]).abs_diff((turns3 as u32)) % 5) & 15) as usize] = h0_wrap[(((if ((x1 as i32) != (t0[(c0 as usize) % 16] as i32)) { t0[(c0 as usize) % 16] } else { (found2 as u32) }) % 8 + u32::from(bytes4[1]).abs_diff((turns3 as u32)) % 5) & 15) as usize].wrapping_mul((bytes4[0] as i32).wrapping_sub((bytes4[1] as i32)));
        if (((c0 as u32) == count6) || (found2 >= (count6 as i32))) {
            h0_wrap[((match bytes4[0] { b'a'..=b'm' | b'A' => t0[(c0 as usize) % 16], b'0' => (c0 as u32).rotate_left(28), _ => (t0[(c0 as usize) % 16] ^ u32::from(bytes4[0])) }) & 15) as usize] = h0_wrap[((match bytes4[0] { b'a'..=b'm' | b'A' => t0[(c0 as usize) % 16], b'0' => (c0 as u32).rotate_left(28), _ => (t0[(c0 as usize) % 16] ^ u32::from(bytes4[0])) }) & 15) as usize].wrapping_mul((count6 as i32).max((bytes4[1] as i32)).wrapping_mul(turns3));
        }
        if (!(u32::from(bytes4[1]) > (found2 as u32))) {
            h1_min[((100u32 & (x1 as u32).wrapping_add(count6)) & 15) as usize] = h1_min[((100u32 & (x1 as u32).wrapping_add(count6)) & 15) as usize].min((c0 as f64));
        }
        if (1i32 < 3i32) {
            *r0_max = (*r0_max).max(((turns3 as i8).wrapping_add(5i8) | (found2 as i8).max((x1 as i8))));
        }
    }
}

fn r028(a0: &[i32], h0_xor: &mut Vec<i8>, h1_sub: &mut Vec<f64>, h2_add: &mut [f32; 16]) {
    for x1 in a0.iter().cloned() {
        match ((x1 as u32) & (x1 as u32)) % 4 {
            0 => { h0_xor[(((x1 as u32) ^ (5u32 - 1u32)) & 15) as usize] ^= (x1 as i8).clamp(-20, 20).rotate_left(7); }
            1..=2 => { let bin2 = ((x1 as f32).max(((x1 as f32) * (x1 as f32))).abs() * 3.0) as usize % h0_xor.len(); h0_xor[bin2] = h0_xor[bin2] ^ (x1 as i8); }
            _ => {}
        }
        let bin3 = (x1 as usize) % h1_sub.len(); h1_sub[bin3] -= (x1 as f64).clamp(-8.0, 8.0);
        h2_add[((x1 as f32) as u64) as usize % 16] = h2_add[((x1 as f32) as u64) as usize % 16] + 1.0f32;
        let bin4 = (x1.rem_euclid(16) as usize).min(16 - 1); h2_add[bin4] = h2_add[bin4] + (x1 as f32).sin();
    }
}

fn r029(a0: &[u64; 90], t0: &[f64; 16], r0_and: &mut i8, h0_sub: &mut [[u16; 16]; 7], h1_sat: &mut [u64]) {
    for &x1 in a0.iter().skip(3) {
        let (p2, q3) = ((t0[(x1 as usize) % 16] as f32).floor(), (x1 as i64));
        let v4: f64 = t0[(x1 as usize) % 16];
        let pair5 = ((v4 as i32).wrapping_add((q3 as i32)), (7i64 - 31i64));
        *r0_and &= 100i8;
        *r0_and &= ((((v4 as u32) < (pair5.1 as u32)) as i8) % 2i8);
        h0_sub[((q3 as u64).wrapping_sub((pair5.1 as u64)) / 2u64) as usize % 7][((if (1.0f64 != 2.25f64) { (x1 as usize) } else { (pair5.0 as usize) }) ^ ((q3 as usize) / 5usize)) % 16] -= (((pair5.0 as u16) | (t0[(x1 as usize) % 16] as u16)) % 5);
        h0_sub[(((q3 as i32) % 3i32).rem_euclid(16) as usize).min(7 - 1)][((if ((q3 as f64) >= (p2 as f64)) { ((q3 as i32) + 3i32) } else { (p2 as i32) }).rem_euclid(16) as usize).min(16 - 1)] = h0_sub[(((q3 as i32) % 3i32).rem_euclid(16) as usize).min(7 - 1)][((if ((q3 as f64) >= (p2 as f64)) { ((q3 as i32) + 3i32) } else { (p2 as i32) }).rem_euclid(16) as usize).min(16 - 1)] - 1;
        let bin6 = (((pair5.0 as usize) | (x1 as usize)) & ((q3 as usize) % 10usize)) % h1_sat.len(); h1_sat[bin6] = h1_sat[bin6].saturating_add((((q3 as u64) | (p2 as u64)) & x1));
    }
}

fn r030(a0: &Vec<[i8; 6]>, r0_add: &mut f32, h0_wrap: &mut [isize]) {
    for row1 in a0 {
        for &x2 in row1 {
            *r0_add = *r0_add + 1.0f32;
            *r0_add += ((x2 as f32) - (x2 as f32)).sin();
            if (((x2 as i32) == 10i32) || ((x2 as u64) < (x2 as u64))) {
                let bin3 = ((x2 as f32).abs().sqrt().abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin3] = h0_wrap[bin3].wrapping_add((x2 as isize));
            }
            if (((x2 as u8) < (x2 as u8)) && ((x2 as f64) >= (x2 as f64))) {
                let bin4 = ((if ((x2 as u32) < 2u32) { (x2 as f32).round() } else { (-(x2 as f32)) }).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_add((x2 as isize).rotate_left(25).wrapping_sub((5isize * 31isize)));
            }
        }
    }
}

fn r031(a0: &[[f32; 6]], h0_and: &mut [[i16; 3]]) {
    for row1 in a0 {
        for &x2 in row1 {
            let mut turns4 = 0i32;
            let found3 = loop {
                turns4 += 1;
                if turns4 > 4 || (1.0f64 != (x2 as f64)) {
                    break turns4 * 2;
                }
            };
            let mut local5 = [2u32; 4];
            local5[(if (1u32 <= (turns4 as u32)) { (found3 as usize) } else { (turns4 as usize) }) % 4] = ((turns4 as u8).count_ones() as u32);
            let mut rest6 = ((found3 as u64) - 3u64);
            let mut count7 = 0u32;
            while rest6 > 0 {
                rest6 >>= 1;
                count7 += 1;
            }
            match local5[1].wrapping_add(local5[1]) % 4 {
                0 => { h0_and[(local5[1] & 15) as usize][((turns4 as u64).rotate_left(46) >> 19) as usize % 3] &= (((count7 as i16) + 31i16) % 10i16); }
                1..=2 => { let bin8 = (found3 as usize).saturating_sub((found3 as usize).rotate_left(43)) % h0_and.len(); h0_and[bin8][((((local5[(if (1u32 <= (turns4 as u32)) { (found3 as usize) } else { (turns4 as usize) }) & 3] as f32) / (1.0 + (local5[1] as f32).abs())) / (1.0 + (local5[(if (1u32 <= (turns4 as u32)) { (found3 as usize) } else { (turns4 as usize) }) & 3] as f32).floor().abs())).abs() * 3.0) as usize % 3] &= ((count7 as i16) >> 10).clamp(-20, 20); }
                _ => {}
            }
            match (1.0f32 as u32) % 4 {
                0 => { let bin9 = ((count7.wrapping_mul((turns4 as u32)) >> 2) & 15) as usize; let bin10 = ((if ((turns4 as f64) < (x2 as f64)) { (local5[(if (1u32 <= (turns4 as u32)) { (found3 as usize) } else { (turns4 as usize) }) & 3] as usize) } else { (turns4 as usize) }) % 8 + 5usize.wrapping_add((turns4 as usize)) % 5).min(3 - 1); h0_and[bin9][bin10] = h0_and[bin9][bin10] & ((31i16 >> 7) | ((found3 as i16) % 8 + (count7 as i16) % 5)); }
                1..=2 => { let bin11 = ((match (x2 as u32).wrapping_add((turns4 as u32)) % 5 { 0 => (((found3 as u32) > local5[1]) as u32), 1 | 3 => ((found3 as f64) as u32), _ => (turns4 as u32).abs_diff(local5[(if (1u32 <= (turns4 as u32)) { (found3 as usize) } else { (turns4 as usize) }) & 3]) }) & 15) as usize; let bin12 = ((((local5[1] as f64) < (x2 as f64)) && ((found3 as u32) > count7)) as u64) as usize % 3; h0_and[bin11][bin12] = h0_and[bin11][bin12] & ((found3 as i16) * 100i16).rotate_left(15); }
                _ => {}
            }
        }
    }
}

fn r032(a0: &[u32], t0: &[u8; 16], h0_sat: &mut [u64]) {
    for x1 in a0.iter().cloned() {
        let mut rest2 = ((x1 as u64) | (t0[(x1 as usize) % 16] as u64));
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let v4: i16 = (match (t0[(x1 as usize) % 16] as u32) % 5 { 0 => ((x1 as i16) % 8 + (t0[(x1 as usize) % 16] as i16) % 5), 1 | 3 => 5i16, _ => (count3 as i16).max((x1 as i16)) });
        let (p5, q6) = ((2i8 ^ (x1 as i8)), (t0[(x1 as usize) % 16] as f32).min(1.0f32));
        let bin7 = (x1.wrapping_sub(u32::from(t0[(x1 as usize) % 16])) & 15) as usize; h0_sat[bin7] = h0_sat[bin7].saturating_add(10u64.max(5u64.rotate_left(3)));
        if (!((count3 as i32) <= (x1 as i32))) {
            let bin8 = (((count3 as usize).abs_diff((x1 as usize)) % 6) * (((count3 as usize) / 7usize) % 7)) % h0_sat.len(); h0_sat[bin8] = h0_sat[bin8].saturating_add((((p5 as u8).trailing_zeros() as u64) ^ (v4 as u64).rotate_left(15)));
        }
    }
}

fn r033(a0: &[u16], h0_add: &mut [u32]) {
    for x1 in a0.iter().cloned() {
        let bytes2 = ((x1 as i64) ^ (x1 as i64)).to_le_bytes();
        let bytes3 = x1.wrapping_mul(x1).to_le_bytes();
        if (bytes2[0].is_ascii_digit() || ((x1 as f64) < 0.5f64)) {
            continue;
        }
        h0_add[((u32::from(bytes2[0]) + 1u32) & 15) as usize] += 1;
        if ((bytes3[0] as f64) == (x1 as f64)) {
            h0_add[(1u32.rotate_left(5) & 15) as usize] += ((bytes3[0] as u32) % 5);
        }
    }
}

fn r034(a0: &Vec<u16>, h0_sub: &mut [f64], h1_add: &mut [[u16; 4]], h2_max: &mut [i32]) {
    for x1 in a0.iter().copied() {
        let v2: usize;
        if (((x1 as i32) != (x1 as i32)) && (i32::from(x1) <= (x1 as i32))) {
            v2 = ((x1 as f64) as usize);
        } else {
            v2 = ((x1 as usize) % 31usize);
        }
        let bin3 = (v2 as u64).rotate_left(15) as usize % h0_sub.len(); h0_sub[bin3] -= 1.0f64;
        match ((u32::from(x1) % 6) * ((v2 as u32) % 7)) % 4 {
            0 => { let bin4 = (((x1 as i64) / 1i64).trailing_zeros() as u64) as usize % h1_add.len(); h1_add[bin4][u64::from(x1) as usize % 4] += 1; }
            1..=2 => { let bin5 = (((v2 as i32).max((v2 as i32)) >> 28).rem_euclid(16) as usize).min(h1_add.len() - 1); h1_add[bin5][(((usize::from(x1) % 6) * (usize::from(x1) % 7)) % 7usize) % 4] += ((i32::from(x1) == i32::from(x1)) && ((x1 as u8) == (x1 as u8))) as u16; }
            _ => {}
        }
        let bin6 = v2 % h2_max.len(); h2_max[bin6] = h2_max[bin6].max(((v2 as i32).wrapping_add((v2 as i32)) >> 7));
        let bin7 = (x1 as usize).max((v2 % 8 + (x1 as usize) % 5)) % h2_max.len(); h2_max[bin7] = h2_max[bin7].max(((v2 as i32) >> 4).wrapping_add((v2 as i32).min(1i32)));
    }
}

fn r035(a0: &Vec<f64>, c0: f64, h0_min: &mut [[f64; 3]], h1_max: &mut [[i8; 16]; 1], h2_xor: &mut [[u64; 4]]) {
    for x1 in a0.iter().step_by(2) {
        let v2 = (1.0f64 - c0).floor();
        let mut rest3 = ((*x1) as u8);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        if (31u64 >= (c0 as u64)) {
            continue;
        }
        let bin5 = ((c0 as usize) % 8 + ((*x1) as usize) % 5).min(h0_min.len() - 1); let bin6 = 7usize % 3; h0_min[bin5][bin6] = h0_min[bin5][bin6].min(((count4 as f64) / (1.0 + v2.abs())));
        let bin7 = ((count4 as f32).abs() * 3.0) as usize % h0_min.len(); h0_min[bin7][(((-((*x1) as f32)) - ((v2 as f32) * (c0 as f32))).abs() * 3.0) as usize % 3] = h0_min[bin7][(((-((*x1) as f32)) - ((v2 as f32) * (c0 as f32))).abs() * 3.0) as usize % 3].min(((*x1) - (*x1)).abs().sqrt());
        if ((count4 != (v2 as u32)) || ((v2 as u8) > ((*x1) as u8))) {
            let bin8 = ((c0 as i64).trailing_zeros() as usize).min(1 - 1); let bin9 = (if ((count4 as i32) > ((*x1) as i32)) { 1usize } else { ((*x1) as usize) }) % 16; h1_max[bin8][bin9] = h1_max[bin8][bin9].max(100i8);
        }
        let bin10 = (((*x1) as f32).abs() * 3.0) as usize % 1; let bin11 = ((count4 as usize) | (c0 as usize).wrapping_mul(((*x1) as usize))).min(16 - 1); h1_max[bin10][bin11] = h1_max[bin10][bin11].max((c0.max((count4 as f64)) as i8));
        if ((v2 as u8) == (c0 as u8)) {
            let bin12 = (((((*x1) as f32) - 0.5f32) - (-(count4 as f32))).abs() * 3.0) as usize % h2_xor.len(); h2_xor[bin12][((c0 as f32) as usize).min((count4 as usize)).min(4 - 1)] ^= 100u64;
        }
        match (match (v2 as u32) % 5 { 0 => ((*x1) as u32), 1 | 3 => 3u32, _ => (v2 as u32) }) % 4 {
            0 => { let bin13 = (count4 as usize).wrapping_sub(100usize).wrapping_sub(((*x1) as usize).max((c0 as usize))) % h2_xor.len(); h2_xor[bin13][(((count4 as usize) % 6) * (((count4 as usize) >> 58) % 7)).min(4 - 1)] ^= ((c0 as u64) - 10u64); }
            1..=2 => { let bin14 = (v2 as u64).abs_diff(((v2 as u64) % 8 + ((*x1) as u64) % 5)) as usize % h2_xor.len(); let bin15 = ((count4 as i32).rem_euclid(16) as usize).min(4 - 1); h2_xor[bin14][bin15] = h2_xor[bin14][bin15] ^ (count4 as u64); }
            _ => {}
        }
    }
}

fn r036(a0: &Vec<[f64; 6]>, c0: f64, h0_or: &mut [usize]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let mut local4 = [2u32; 4];
        local4[(c0 as usize).abs_diff((sum2 as usize)) % 4] = (row1[2] as u32);
        let mut v5 = (local4[1] as u16).wrapping_add((c0 as u16));
        if ((sum2 as u8) <= (row1[2] as u8)) {
            v5 ^= (local4[1] as u16);
        }
        if ((local4[1] as u8) <= (c0 as u8)) {
            let bin6 = (((sum2 as f64) < row1[2]) as usize).min(h0_or.len() - 1); h0_or[bin6] |= (c0 as usize);
        }
    }
}

fn r037(a0: &[f32; 90], n: usize, t0: &[f32; 16], h0_min: &mut [i8], h1_wrap: &mut [[u8; 16]; 16], h2_wrap: &mut [u16; 16]) {
    for i1 in 1..=n {
        let k2 = MASK & 7u32;
        let mut v3 = ((k2 as f32) + (k2 as f32));
        if (((a0[i1 - 1] as u32) <= (t0[i1 % 16] as u32)) && ((t0[i1 % 16] as u8) != (a0[i1 - 1] as u8))) {
            v3 += (0.5f32 * (k2 as f32));
        }
        let mut v4 = v3;
        if ((k2 as f64) < (a0[i1 - 1] as f64)) {
            v4 += (k2 as f32).max(a0[i1 - 1]);
        }
        if ((k2 as u8) > (v4 as u8)) {
            let bin5 = (7usize * 2usize).min(h0_min.len() - 1); h0_min[bin5] = h0_min[bin5].min((((i1 as i8) % 6) * ((t0[i1 % 16] as i8) % 7)).saturating_sub((t0[i1 % 16] as i8).saturating_sub((k2 as i8))));
        }
        match (a0[i1 - 1] as u32).rotate_left(27) % 4 {
            0 => { h1_wrap[(t0[i1 % 16] as usize).wrapping_add((7usize - 10usize)).min(16 - 1)][1usize.saturating_sub((if ((t0[i1 % 16] as u32) == k2) { (a0[i1 - 1] as usize) } else { (t0[i1 % 16] as usize) })) % 16] = h1_wrap[(t0[i1 % 16] as usize).wrapping_add((7usize - 10usize)).min(16 - 1)][1usize.saturating_sub((if ((t0[i1 % 16] as u32) == k2) { (a0[i1 - 1] as usize) } else { (t0[i1 % 16] as usize) })) % 16].wrapping_sub((i1 as u8)); }
            1..=2 => { let bin6 = ((v4 as i32).rem_euclid(16) as usize).min(16 - 1); let bin7 = ((v4 as u64).max((v4 as u64)) % 2u64) as usize % 16; h1_wrap[bin6][bin7] = h1_wrap[bin6][bin7].wrapping_sub((k2 as u8)); }
            _ => {}
        }
        h1_wrap[(a0[i1 - 1] as usize).abs_diff((k2 as usize)).wrapping_sub((t0[i1 % 16] as usize)) % 16][((k2 as i32).wrapping_mul((v3 as i32).wrapping_sub((i1 as i32))).rem_euclid(16) as usize).min(16 - 1)] = h1_wrap[(a0[i1 - 1] as usize).abs_diff((k2 as usize)).wrapping_sub((t0[i1 % 16] as usize)) % 16][((k2 as i32).wrapping_mul((v3 as i32).wrapping_sub((i1 as i32))).rem_euclid(16) as usize).min(16 - 1)].wrapping_sub(((i1 as u8) | (0.5f32 as u8)));
        h2_wrap[(10usize % 3usize).min(16 - 1)] = h2_wrap[(10usize % 3usize).min(16 - 1)].wrapping_add((((v4 as i64) ^ (v4 as i64)).leading_zeros() as u16));
        match (v3 as u32).abs_diff(k2) % 4 {
            0 => { h2_wrap[((t0[i1 % 16] as usize).min(5usize) >> 46) % 16] = h2_wrap[((t0[i1 % 16] as usize).min(5usize) >> 46) % 16].wrapping_add((i1 as u16).max(((v4 as u16) * 10u16))); }
            1..=2 => { let bin8 = (v4 as usize).wrapping_add(i1).saturating_sub((k2 as usize)).min(16 - 1); h2_wrap[bin8] = h2_wrap[bin8].wrapping_add((k2 as u16).wrapping_add((t0[i1 % 16] as u16))); }
            _ => {}
        }
    }
}

fn r038(a0: &[usize; 90], a1: &[f64; 90], h0_wrap: &mut [usize]) {
    for (x1, &x2) in a0.iter().zip(a1) {
        let mut rest3 = ((*x1) as u64).wrapping_sub((x2 as u64));
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let bin5 = ((((*x1) as f32) + ((*x1) as f32).abs()).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_mul(((*x1).abs_diff((*x1)) % 8 + (x2 as usize) % 5));
    }
}

fn r039(a0: &[i32; 90], c0: f64, t0: &[f32; 16], h0_wrap: &mut [i64; 1000]) {
    for &x1 in a0 {
        h0_wrap[((x1 as u64).wrapping_sub((t0[(c0 as usize).min((c0 as usize)) % 16] as u64)) | (t0[(c0 as usize).min((c0 as usize)) % 16] as u64)) as usize % 1000] = h0_wrap[((x1 as u64).wrapping_sub((t0[(c0 as usize).min((c0 as usize)) % 16] as u64)) | (t0[(c0 as usize).min((c0 as usize)) % 16] as u64)) as usize % 1000].wrapping_add((t0[(c0 as usize).min((c0 as usize)) % 16] as i64).max(((t0[(c0 as usize).min((c0 as usize)) % 16] as i64) % 8 + i64::from(x1) % 5)));
        if (((c0 as u8) != (c0 as u8)) || (100u8 >= (x1 as u8))) {
            h0_wrap[((x1 as f32).abs() * 3.0) as usize % 1000] = h0_wrap[((x1 as f32).abs() * 3.0) as usize % 1000].wrapping_add(((c0 as i64).wrapping_mul((x1 as i64)) & (x1 as i64).clamp(-20, 20)));
        }
    }
}

plain:

fn r040(s: &str, c0: i32, t0: &[u64; 16], h0_sub: &mut [isize; 7]) {
    for b1 in s.bytes() {
        let v2 = (c0 as u16);
        let mut v3 = ((c0 as f64) as u16);
        if ((v2 as u8) == (c0 as u8)) {
            v3 = v2;
        }
        let v4: u32 = (match (((v3 as u32) % 6) * (7u32 % 7)) % 5 { 0 => u32::from(v2).rotate_left(27), 1 | 3 => (u32::from(v2) >> 28), _ => (((b1 as u32) % 6) * ((c0 as u32) % 7)) });
        h0_sub[(v4 as usize) % 7] -= (((v3 as u8) != 2u8) && (b1 < 1u8)) as isize;
        h0_sub[(c0 as usize) % 7] -= ((v3 as isize) % 5);
    }
}

fn r041(a0: &Vec<u32>, h0_min: &mut [u64]) {
    for x1 in a0 {
        let mut acc2 = 0u64;
        for j3 in 0..1usize {
            if (((acc2 as u32) <= (acc2 as u32)) || (((*x1) as u8) == (j3 as u8))) {
                break;
            }
            acc2 = acc2.wrapping_add((if ((j3 as u64) >= (j3 as u64)) { u64::from((*x1)) } else { ((*x1) as u64) }));
        }
        match ((acc2 as f32) as u32) % 4 {
            0 => { let bin4 = (((*x1) as f32).min((((*x1) as f32) * ((*x1) as f32))).abs() * 3.0) as usize % h0_min.len(); h0_min[bin4] = h0_min[bin4].min(((acc2 % 6) * (31u64 % 7)).saturating_sub((acc2 * 31u64))); }
            1..=2 => { let bin5 = ((((acc2 as u32) % 6) * ((acc2 as u32) % 7)) & 15) as usize; h0_min[bin5] = h0_min[bin5].min(acc2); }
            _ => {}
        }
        if ((acc2 as u8) == ((*x1) as u8)) {
            h0_min[(((*x1) % 8 + 5u32 % 5).wrapping_add((match (acc2 as u32) % 5 { 0 => (acc2 as u32), 1 | 3 => (acc2 as u32), _ => (acc2 as u32) })) & 15) as usize] = h0_min[(((*x1) % 8 + 5u32 % 5).wrapping_add((match (acc2 as u32) % 5 { 0 => (acc2 as u32), 1 | 3 => (acc2 as u32), _ => (acc2 as u32) })) & 15) as usize].min(((((*x1) as f64) / (1.0 + ((*x1) as f64).abs())) as u64));
        }
    }
}

fn r042(a0: &Vec<i8>, c0: i32, h0_sub: &mut [u8]) {
    for x1 in a0.iter().copied() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (3.0f64 != (x1 as f64)) {
                break turns3 * 2;
            }
        };
        let v4: i16;
        if (!((found2 as f64) <= (turns3 as f64))) {
            v4 = (if (found2 != c0) { (c0 as i16) } else { (c0 as i16) });
        } else {
            v4 = (found2 as i16).saturating_sub((c0 as i16));
        }
        let mut local5 = [2.25f64; 4];
        local5[(c0 as usize).min((c0 as usize)) % 4] = ((found2 as f64) + (turns3 as f64));
        match (turns3 as u32) % 4 {
            0 => { let bin6 = (((match (local5[1] as u32) % 5 { 0 => (local5[(c0 as usize).min((c0 as usize)) & 3] as i32), 1 | 3 => found2, _ => (local5[1] as i32) }) ^ (i32::from(v4) % 8 + turns3 % 5)).rem_euclid(16) as usize).min(h0_sub.len() - 1); h0_sub[bin6] -= ((turns3 < 5i32) && ((found2 as f64) == local5[1])) as u8; }
            1..=2 => { let bin7 = (((v4 as u64) & (x1 as u64)) >> 26) as usize % h0_sub.len(); h0_sub[bin7] -= 1; }
            _ => {}
        }
    }
}

fn r043(a0: &[[i16; 6]; 90], c0: i32, h0_wrap: &mut [i32; 256]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        if (10i32 == (row1[2] as i32)) {
            let bin4 = (((c0 <= (sum2 as i32)) as i64).trailing_zeros() as u8) as usize; h0_wrap[bin4] = h0_wrap[bin4].wrapping_mul(c0);
        }
        h0_wrap[(((c0 as f32) * ((row1[2] as f32) / (1.0 + (c0 as f32).abs()))).abs() * 3.0) as usize % 256] = h0_wrap[(((c0 as f32) * ((row1[2] as f32) / (1.0 + (c0 as f32).abs()))).abs() * 3.0) as usize % 256].wrapping_mul((sum2 as i32));
    }
}

fn r044(a0: &[[u32; 6]], c0: f64, t0: &[u16; 16], h0_mul: &mut [f32], h1_or: &mut [u32; 256], h2_wrap: &mut [u8]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let mut local4 = [3u8; 4];
        local4[(row1[2] as usize).min((t0[(if (c0 <= (sum2 as f64)) { (sum2 as usize) } else { (row1[2] as usize) }) % 16] as usize)) % 4] = ((sum2 as f64) as u8);
        let mut v5 = (sum2 as u16);
        if ((u64::from(local4[1]) > (sum2 as u64)) && (1u32 >= (c0 as u32))) {
            v5 |= (((local4[(row1[2] as usize).min((t0[(if (c0 <= (sum2 as f64)) { (sum2 as usize) } else { (row1[2] as usize) }) % 16] as usize)) & 3] as u16) % 6) * ((local4[(row1[2] as usize).min((t0[(if (c0 <= (sum2 as f64)) { (sum2 as usize) } else { (row1[2] as usize) }) % 16] as usize)) & 3] as u16) % 7));
        }
        let pair6 = (3i16.saturating_sub((sum2 as i16)), (row1[2] as i32).max((v5 as i32)));
        let bin7 = (((v5 as usize) % 8 + usize::from(local4[1]) % 5) >> 4).min(h0_mul.len() - 1); h0_mul[bin7] = h0_mul[bin7] * (1.0 + (local4[1] as f32).clamp(-1.0, 1.0) * 0.01);
        h1_or[((sum2 as u8) + 7u8) as usize] |= ((local4[1] <= local4[(row1[2] as usize).min((t0[(if (c0 <= (sum2 as f64)) { (sum2 as usize) } else { (row1[2] as usize) }) % 16] as usize)) & 3]) as u32);
        h1_or[(local4[1].is_ascii_alphabetic() as u64) as usize % 256] |= (local4[1] as u32).min((v5 as u32)).wrapping_sub(((c0 as u32) | row1[2]));
        if ((pair6.1 != (v5 as i32)) || ((v5 as f64) <= (local4[1] as f64))) {
            let bin8 = (v5 as usize).wrapping_add((pair6.0 as usize)) % h2_wrap.len(); h2_wrap[bin8] = h2_wrap[bin8].wrapping_add(((row1[2] as f64).floor() as u8));
        }
        let bin9 = (row1[2] as usize).wrapping_mul((usize::from(local4[1]) ^ (pair6.0 as usize))) % h2_wrap.len(); h2_wrap[bin9] = h2_wrap[bin9].wrapping_add(((sum2 as f64) as u8));
    }
}

fn r045(a0: &[[i8; 4]], h0_max: &mut [i8; 64]) {
    for &[x2, x3, x4, x5] in a0 {
        if ((x4 as f64) == (x5 as f64)) {
            continue;
        }
        let bytes6 = (x3 as u32).to_le_bytes();
        if bytes6[0].is_ascii_alphabetic() {
            let bin7 = (bytes6[1] as usize).max((x2 as usize)).saturating_sub(5usize.min((x4 as usize))) % 64; h0_max[bin7] = h0_max[bin7].max(x4);
        }
        match (x3 as u32) % 4 {
            0 => { let bin8 = ((x5 as usize) >> 36).min(64 - 1); h0_max[bin8] = h0_max[bin8].max(((((bytes6[1] as u32) == (x2 as u32)) && ((x5 as f64) > (x5 as f64))) as i8)); }
            1..=2 => { h0_max[((3.0f32 as i32).rotate_left(9).rem_euclid(16) as usize).min(64 - 1)] = h0_max[((3.0f32 as i32).rotate_left(9).rem_euclid(16) as usize).min(64 - 1)].max(x3); }
            _ => {}
        }
    }
}

fn r046(a0: &Vec<u16>, h0_add: &mut [[usize; 4]]) {
    for p1 in a0.windows(2) {
        let mut acc2 = 0u64;
        for j3 in 0..4usize {
            acc2 = acc2.wrapping_add((p1[1] as u64).rotate_left(34));
        }
        let bin4 = ((acc2 as f32).abs() * 3.0) as usize % h0_add.len(); h0_add[bin4][((p1[0] as usize) - 5usize) % 4] = h0_add[bin4][((p1[0] as usize) - 5usize) % 4] + ((p1[0] as usize) % 5);
        if ((acc2 as f64) == (p1[1] as f64)) {
            h0_add[(((p1[1] as u32) % 8 + (acc2 as u32) % 5) & 15) as usize][((acc2 as f32) as usize).min(4 - 1)] = h0_add[(((p1[1] as u32) % 8 + (acc2 as u32) % 5) & 15) as usize][((acc2 as f32) as usize).min(4 - 1)] + (!((p1[0] as u64) <= acc2)) as usize;
        }
    }
}

fn r047(a0: &[u8], c0: i32, h0_sub: &mut [[isize; 4]]) {
    for x1 in a0.iter() {
        if (((c0 as f64) <= (c0 as f64)) && (((*x1) as u64) > (c0 as u64))) {
            continue;
        }
        let bin2 = ((c0 as usize) - 31usize).min(h0_sub.len() - 1); let bin3 = (((*x1) as u64).min((c0 as u64)) >> 55) as usize % 4; h0_sub[bin2][bin3] = h0_sub[bin2][bin3] - (!((c0 as u32) > 31u32)) as isize;
        let bin4 = ((((c0 % 8 + 31i32 % 5) % 6) * (c0.wrapping_mul(((*x1) as i32)) % 7)).rem_euclid(16) as usize).min(h0_sub.len() - 1); let bin5 = ((c0 as f32).abs() * 3.0) as usize % 4; h0_sub[bin4][bin5] = h0_sub[bin4][bin5] - (((c0 as isize) - 3isize) % 5);
    }
}

fn r048(a0: &[u32], t0: &[u16; 16], h0_sat: &mut [u16]) {
    for (i2, &x1) in a0.iter().take(17).step_by(4).enumerate() {
        let mut v3 = (x1 as f32).round();
        if ((1u8 != (i2 as u8)) && ((x1 as f64) >= (t0[i2 % 16] as f64))) {
            v3 += (t0[i2 % 16] as f32);
        }
        let mut local4 = [1i32; 4];
        local4[(((x1 as usize) % 6) * ((v3 as usize) % 7)) % 4] = (t0[i2 % 16] as i32).min((x1 as i32));
        let v5: i8 = ((x1 as u16).leading_zeros() as i8);
        let bin6 = i2.max((v3 as usize).rotate_left(60)).min(h0_sat.len() - 1); h0_sat[bin6] = h0_sat[bin6].saturating_add(31u16);
        if ((local4[1] as f64) != (t0[i2 % 16] as f64)) {
            let bin7 = (((i32::from(v5) / 10i32) / 3i32).rem_euclid(16) as usize).min(h0_sat.len() - 1); h0_sat[bin7] = h0_sat[bin7].saturating_add(((i2 as f32) as u16));
        }
    }
}

fn r049(a0: &Vec<i64>, h0_wrap: &mut Vec<isize>) {
    for &x1 in a0 {
        let v2: i64 = x1;
        let bin3 = (((v2 as f32).abs().sqrt() * (x1 as f32).abs().sqrt()).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin3] = h0_wrap[bin3].wrapping_add((((x1 as f32) as isize) / 1isize));
        let bin4 = ((v2 as u32) & 15) as usize; h0_wrap[bin4] = h0_wrap[bin4].wrapping_add((((x1 as u8) != (x1 as u8)) as isize));
    }
}

fn r050(a0: &[[u32; 6]], c0: i32, h0_sub: &mut [f64; 64]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3 = WIDTH & 7usize;
            let bytes4 = (c0 as i64).wrapping_mul(31i64).to_le_bytes();
            match (bytes4[1] as u32) % 4 {
                0 => { h0_sub[(c0 as usize) % 64] -= 1.0f64; }
                1..=2 => { h0_sub[(if (((bytes4[1] as i32) <= (a0[y1][x2] as i32)) || (bytes4[1] <= bytes4[0])) { (bytes4[1] as usize) } else { ((bytes4[1] as usize) / 100usize) }).min(64 - 1)] -= 1.0f64; }
                _ => {}
            }
        }
    }
}

fn r051(s: &str, t0: &[u32; 16], h0_max: &mut [i16]) {
    for &b1 in s.as_bytes() {
        let (p2, q3) = ((t0[((b1 as usize) - 100usize) % 16] as i32), i16::from(b1));
        let bin4 = ((b1 as usize) & (t0[((b1 as usize) - 100usize) % 16] as usize)).wrapping_sub(((p2 as usize) & (t0[((b1 as usize) - 100usize) % 16] as usize))) % h0_max.len(); h0_max[bin4] = h0_max[bin4].max(((!b1.is_ascii_digit()) as i16));
        if ((p2 as f64) >= (p2 as f64)) {
            let bin5 = ((1.0f32 / (1.0 + (q3 as f32).abs())).exp().abs() * 3.0) as usize % h0_max.len(); h0_max[bin5] = h0_max[bin5].max((((p2 as i16) | q3) / 1i16));
        }
    }
}

fn r052(a0: &[usize], h0_sub: &mut Vec<u16>) {
    for p1 in a0.chunks_exact(3) {
        let bin2 = ((p1[1] as u32) & 15) as usize; h0_sub[bin2] = h0_sub[bin2] - 1;
        h0_sub[((p1[2] as u32) & 15) as usize] -= 1;
    }
}

fn r053(a0: &Vec<[i64; 6]>, h0_sub: &mut Vec<f64>) {
    for row1 in a0 {
        for x2 in row1 {
            let bytes3 = (((*x2) as u16).trailing_zeros() as u16).to_le_bytes();
            let v4: u64 = ((-(bytes3[0] as f64)) as u64);
            let v5: f32;
            if (u32::from(bytes3[1]) > (v4 as u32)) {
                v5 = 0.5f32.max((bytes3[0] as f32));
            } else {
                v5 = 3.0f32.max(((*x2) as f32));
            }
            let bin6 = ((bytes3[0] as usize) * 100usize) % h0_sub.len(); h0_sub[bin6] -= (-(v4 as f64)).clamp(-8.0, 8.0);
            let bin7 = (v4 as usize).min(h0_sub.len() - 1); h0_sub[bin7] = h0_sub[bin7] - ((bytes3[1] as f64) / (1.0 + (bytes3[1] as f64).abs())).sin();
        }
    }
}

fn r054(a0: &[i16], c0: f32, t0: &[i8; 16], h0_mul: &mut [f32]) {
    for x1 in a0.iter().copied() {
        let mut local2 = [31i8; 4];
        local2[(t0[(c0 as usize).max(100usize) % 16] as usize).max((t0[(c0 as usize).max(100usize) % 16] as usize)) % 4] = t0[(c0 as usize).max(100usize) % 16].rotate_left(1);
        match ((c0 as u32) >> 15) % 4 {
            0 => { let bin3 = ((local2[(t0[(c0 as usize).max(100usize) % 16] as usize).max((t0[(c0 as usize).max(100usize) % 16] as usize)) & 3] as f32) as usize).rotate_left(9) % h0_mul.len(); h0_mul[bin3] = h0_mul[bin3] * (1.0 + (local2[(t0[(c0 as usize).max(100usize) % 16] as usize).max((t0[(c0 as usize).max(100usize) % 16] as usize)) & 3] as f32).min(c0).clamp(-1.0, 1.0) * 0.01); }
            1..=2 => { let bin4 = (x1 as usize).min(h0_mul.len() - 1); h0_mul[bin4] = h0_mul[bin4] * (1.0 + (t0[(c0 as usize).max(100usize) % 16] as f32).max((x1 as f32)).clamp(-1.0, 1.0) * 0.01); }
            _ => {}
        }
    }
}

fn r055(a0: &[i8; 90], h0_min: &mut [f64; 64]) {
    for (i2, x1) in a0.iter().rev().enumerate() {
        h0_min[((i2 as f32) as usize) % 64] = h0_min[((i2 as f32) as usize) % 64].min(((if ((i2 as u64) > (i2 as u64)) { (i2 as f64) } else { ((*x1) as f64) }) / (1.0 + ((*x1) as f64).abs())));
    }
}

fn r056(a0: &Vec<[i16; 2]>, r0_min: &mut u32) {
    for &[x2, x3] in a0 {
        let v4: i16 = ((10u64 >= (x2 as u64)) as i16);
        let mut v5 = (x2 as i32).saturating_sub((x3 as i32));
        if ((v4 as u32) != (x3 as u32)) {
            v5 ^= (if ((x2 as u8) != 2u8) { i32::from(x3) } else { (x2 as i32) });
        }
        *r0_min = (*r0_min).min(((x2 as f64) as u32));
        match ((x2 as u32) & (v5 as u32)) % 4 {
            0 => { *r0_min = (*r0_min).min(5u32); }
            1..=2 => { *r0_min = (*r0_min).min((((x3 as u32) & (v4 as u32)) >> 15)); }
            _ => {}
        }
    }
}

fn r057(a0: &[i32; 90], a1: &[u16; 90], c0: f64, t0: &[f64; 16], r0_add: &mut u16, h0_min: &mut [u8], h1_sat: &mut Vec<u32>) {
    for (x1, x2) in a0.iter().zip(a1.iter()) {
        let mut acc3 = 0u64;
        for j4 in 0..4usize {
            acc3 = acc3.wrapping_add(((*x1) as u64));
        }
        let (p5, q6) = (((*x1) % 7i32), (t0[(match (c0 as u32) % 5 { 0 => ((*x1) as usize), 1 | 3 => ((*x1) as usize), _ => (c0 as usize) }) % 16] as u64).rotate_left(20));
        let v7: f64 = ((p5 as f64).floor() - (acc3 as f64).abs().sqrt());
        *r0_add += (((q6 as f32) as u16) % 5);
        *r0_add = *r0_add + (((v7 as u16) / 100u16) % 5);
        let bin8 = ((((v7 as i32) % 8 + (c0 as i32) % 5) ^ (5i32 ^ (acc3 as i32))).rem_euclid(16) as usize).min(h0_min.len() - 1); h0_min[bin8] = h0_min[bin8].min(((t0[(match (c0 as u32) % 5 { 0 => ((*x1) as usize), 1 | 3 => ((*x1) as usize), _ => (c0 as usize) }) % 16] as u8) - 10u8));
        match ((*x1) as u32).wrapping_sub(((*x2) as u32)) % 4 {
            0 => { h1_sat[((if (((p5 as u8) == (acc3 as u8)) && (((*x2) as u64) > (t0[(match (c0 as u32) % 5 { 0 => ((*x1) as usize), 1 | 3 => ((*x1) as usize), _ => (c0 as usize) }) % 16] as u64))) { ((acc3 as u32) * 100u32) } else { ((p5 as u32) - 100u32) }) & 15) as usize] = h1_sat[((if (((p5 as u8) == (acc3 as u8)) && (((*x2) as u64) > (t0[(match (c0 as u32) % 5 { 0 => ((*x1) as usize), 1 | 3 => ((*x1) as usize), _ => (c0 as usize) }) % 16] as u64))) { ((acc3 as u32) * 100u32) } else { ((p5 as u32) - 100u32) }) & 15) as usize].saturating_add((10u16.leading_zeros() as u32).max(((v7 as f32) as u32))); }
            1..=2 => { let bin9 = (((*x2) as i32).rem_euclid(16) as usize).min(h1_sat.len() - 1); h1_sat[bin9] = h1_sat[bin9].saturating_add(u32::from((*x2))); }
            _ => {}
        }
        if ((t0[(match (c0 as u32) % 5 { 0 => ((*x1) as usize), 1 | 3 => ((*x1) as usize), _ => (c0 as usize) }) % 16] as i32) <= (t0[(match (c0 as u32) % 5 { 0 => ((*x1) as usize), 1 | 3 => ((*x1) as usize), _ => (c0 as usize) }) % 16] as i32)) {
            h1_sat[(((100u32 % 100u32) >> 3) & 15) as usize] = h1_sat[(((100u32 % 100u32) >> 3) & 15) as usize].saturating_add((c0 as u32));
        }
    }
}

fn r058(a0: &Vec<[f32; 6]>, t0: &[i32; 16], h0_wrap: &mut [isize; 1000]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            match ((x2 as u32) & (x2 as u32)) % 4 {
                0 => { h0_wrap[(t0[x2 % 16] as usize) % 1000] = h0_wrap[(t0[x2 % 16] as usize) % 1000].wrapping_add(((x2 as i64).saturating_sub((a0[y1][x2] as i64)).leading_zeros() as isize)); }
                1..=2 => { h0_wrap[y1.max(x2).min(1000 - 1)] = h0_wrap[y1.max(x2).min(1000 - 1)].wrapping_add(((x2 as isize).rotate_left(51) >> 38)); }
                _ => {}
            }
            let bin3 = (((y1 as i32).max((y1 as i32)) ^ 31i32).rem_euclid(16) as usize).min(1000 - 1); h0_wrap[bin3] = h0_wrap[bin3].wrapping_add(((x2 as u16).trailing_zeros() as isize));
        }
    }
}

fn r059(a0: &[[f64; 6]; 90], c0: u32, r0_wrap: &mut u16, h0_add: &mut [[f32; 16]], h1_or: &mut [isize]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let bytes3 = ((x2 as i64) | (y1 as i64)).to_le_bytes();
            let bytes4 = (y1 as u32).to_le_bytes();
            let v5: f64 = ((bytes3[1] as f64) + ((x2 as f64) - (y1 as f64)));
            if ((a0[y1][x2] as u64) != (bytes3[0] as u64)) {
                *r0_wrap = (*r0_wrap).wrapping_sub(((((bytes4[0] as u16) / 3u16) % 6) * ((((x2 as u64) != (y1 as u64)) as u16) % 7)));
            }
            match ((bytes3[1] as u32) | (y1 as u32)) % 4 {
                0 => { *r0_wrap = (*r0_wrap).wrapping_sub((match bytes3[0] { b'a'..=b'm' | b'A' => u16::from(bytes4[1]), b'0' => u16::from(bytes4[0]), _ => u16::from(bytes4[0]) }).min(u16::from(bytes3[1]))); }
                1..=2 => { *r0_wrap = (*r0_wrap).wrapping_sub((((bytes3[1] as u16) % 6) * ((x2 as u16).wrapping_sub((a0[y1][x2] as u16)) % 7))); }
                _ => {}
            }
            let bin6 = ((1u8 ^ bytes4[0]).count_ones() as usize).min(h0_add.len() - 1); h0_add[bin6][(usize::from(bytes4[1]) % 8 + (y1 - 1usize) % 5).min(16 - 1)] += (v5 as f32).clamp(-8.0, 8.0);
            let bin7 = ((a0[y1][x2] as f32).abs().abs().sqrt().abs() * 3.0) as usize % h1_or.len(); h1_or[bin7] |= (x2 as isize).wrapping_add((x2 as isize)).min((((bytes4[1] as isize) % 6) * (100isize % 7)));
        }
    }
}

fn r060(a0: &[i8], a1: &[u32], a2: &[u16; 90], h0_wrap: &mut Vec<u8>) {
    for ((x1, &x2), x3) in a0.iter().zip(a1).zip(a2) {
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || (100u32 == ((*x1) as u32)) {
                break turns5 * 2;
            }
        };
        let bytes6 = (((*x1) as u16) / 31u16).to_le_bytes();
        let bin7 = (turns5 as usize) % h0_wrap.len(); h0_wrap[bin7] = h0_wrap[bin7].wrapping_add((turns5 as u8));
    }
}

fn r061(a0: &Vec<[u32; 6]>, c0: f32, t0: &[u64; 16], h0_sub: &mut [usize; 256]) {
    for row1 in a0 {
        for &x2 in row1 {
            let v3 = ((t0[(100usize - 1usize) % 16] / 31u64) >> 20);
            let pair4 = ((c0 as i16).wrapping_sub((t0[(100usize - 1usize) % 16] as i16)), ((x2 as i32) | (t0[(100usize - 1usize) % 16] as i32)));
            let v5 = 1i8;
            let bin6 = ((c0 as u8) | 1u8).wrapping_add(((pair4.0 as u32).trailing_zeros() as u8)) as usize; h0_sub[bin6] = h0_sub[bin6] - (((x2 as u8) != (v5 as u8)) || ((pair4.1 as u8) == (pair4.1 as u8))) as usize;
        }
    }
}

fn r062(a0: &[[f64; 6]; 90], c0: f64, h0_sub: &mut [usize; 64], r0_wrap: &mut i16) {
    for row1 in a0 {
        for &x2 in row1 {
            h0_sub[(x2 as usize).abs_diff((c0 as usize)).wrapping_add(((x2 as usize) | (x2 as usize))).min(64 - 1)] -= ((x2 as u8) == (x2 as u8)) as usize;
            if (c0 < c0) {
                *r0_wrap = (*r0_wrap).wrapping_add((c0 as i16).rotate_left(9).min(((c0 as i16) | (c0 as i16))));
            }
            *r0_wrap = (*r0_wrap).wrapping_add((c0 as i16));
        }
    }
}

fn r063(a0: &[i64], h0_add: &mut [[u8; 16]; 16], h1_or: &mut [[u64; 3]]) {
    for x1 in a0.iter().copied() {
        if ((x1 as u32) != (x1 as u32)) {
            h0_add[((if (!((x1 as u8) > (x1 as u8))) { (x1 as f32) } else { (x1 as f32) }).abs() * 3.0) as usize % 16][((x1 as i32).saturating_sub((x1 as i32)).clamp(-20, 20).rem_euclid(16) as usize).min(16 - 1)] += ((x1 as u32) <= (x1 as u32)) as u8;
        }
        h1_or[((x1 as u32).abs_diff((x1 as u32)).wrapping_sub(((x1 as f64) as u32)) & 15) as usize][((x1 as usize) & (x1 as usize)).wrapping_add(2usize) % 3] |= (x1 as u64);
        h1_or[((x1 as u32) & 15) as usize][((x1 as usize).wrapping_sub(3usize) / 10usize) % 3] |= (((x1 as u64).max((x1 as u64)) % 6) * ((x1 as u64).wrapping_mul((x1 as u64)) % 7));
    }
}

fn r064(a0: &[f32], h0_max: &mut [[usize; 3]], h1_wrap: &mut [[i8; 16]]) {
    for i1 in (0..a0.len()).step_by(3) {
        let k2: usize = WIDTH;
        let mut rest3 = (((k2 as u32) > (k2 as u32)) as u32);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let v5: u8;
        if ((i1 as u64) < (k2 as u64)) {
            v5 = (i1 as u8);
        } else {
            v5 = ((k2 as u8) + 10u8);
        }
        let mut v6 = (count4 as f32).min((k2 as f32));
        if v5.is_ascii_digit() {
            v6 += (-(v5 as f32));
        }
        if (((v6 as u32) < (i1 as u32)) || ((i1 as i32) != (i1 as i32))) {
            let bin7 = (a0[i1].abs() * 3.0) as usize % h0_max.len(); let bin8 = ((i1 as u64) - 7u64) as usize % 3; h0_max[bin7][bin8] = h0_max[bin7][bin8].max(((if (v5 >= (a0[i1] as u8)) { (v5 as f64) } else { (a0[i1] as f64) }) as usize));
        }
        if ((count4 as f64) < (count4 as f64)) {
            let bin9 = ((a0[i1] as u32) & 15) as usize; let bin10 = ((if v5.is_ascii_digit() { (-v6) } else { 1.0f32 }).abs() * 3.0) as usize % 16; h1_wrap[bin9][bin10] = h1_wrap[bin9][bin10].wrapping_add((k2 as i8));
        }
    }
}

fn r065(a0: &[f32; 90], t0: &[u8; 16], h0_sub: &mut [f64; 7]) {
    for (i2, x1) in a0.iter().enumerate() {
        let k3: usize = WIDTH;
        match (i2 as u32) % 4 {
            0 => { let bin4 = ((((((*x1) as f64) >= 1.0f64) || t0[(((*x1) as usize) & i2) % 16].is_ascii_digit()) as i32).rem_euclid(16) as usize).min(7 - 1); h0_sub[bin4] = h0_sub[bin4] - 1.0f64; }
            1..=2 => { h0_sub[(match t0[(((*x1) as usize) & i2) % 16] { b'a'..=b'm' | b'A' => (((*x1) as usize) | usize::from(t0[(((*x1) as usize) & i2) % 16])), b'0' => k3.wrapping_mul(k3), _ => ((t0[(((*x1) as usize) & i2) % 16] as f32) as usize) }).min(7 - 1)] -= (((*x1) as f64) * ((*x1) as f64)).sin(); }
            _ => {}
        }
    }
}

fn r066(a0: &[i8], c0: u32, h0_wrap: &mut [i32; 1]) {
    for i1 in (0..a0.len()).step_by(3) {
        let mut acc2 = 0u64;
        for j3 in 0..4usize {
            acc2 = acc2.wrapping_add((((acc2 as f64) * (i1 as f64)) as u64));
        }
        let v4: i32;
        if ((a0[i1] as i32) > (acc2 as i32)) {
            v4 = (((c0 as i32) % 6) * ((i1 as i32) % 7));
        } else {
            v4 = (i1 as i32).max(i32::from(a0[i1]));
        }
        let bin5 = i1.rotate_left(9) % 1; h0_wrap[bin5] = h0_wrap[bin5].wrapping_add(((c0 as i32).clamp(-20, 20) / 100i32));
    }
}

fn r067(a0: &[u8], h0_wrap: &mut [u8], h1_wrap: &mut [isize]) {
    for i1 in -7..40i32 {
        if (!(5u64 >= (i1 as u64))) {
            let bin2 = (match ((i1 as u32) % 8 + (i1 as u32) % 5) % 5 { 0 => ((i1 as usize) >> 38), 1 | 3 => ((i1 as usize) / 1usize), _ => (i1 as usize).rotate_left(57) }) % h0_wrap.len(); h0_wrap[bin2] = h0_wrap[bin2].wrapping_mul((i1 as u8));
        }
        let bin3 = (i1 as usize).min(h1_wrap.len() - 1); h1_wrap[bin3] = h1_wrap[bin3].wrapping_mul(((i1 as isize) * 3isize));
        let bin4 = ((i1 as usize) ^ 31usize).wrapping_mul((i1 as usize).wrapping_add((i1 as usize))) % h1_wrap.len(); h1_wrap[bin4] = h1_wrap[bin4].wrapping_mul((i1 as isize).rotate_left(42));
    }
}

fn r068(a0: &[f32; 90], a1: &[usize], h0_min: &mut [u16]) {
    for (x1, x2) in a0.iter().zip(a1) {
        let k3 = MASK & 7u32;
        let mut v4 = ((*x1) / (1.0 + ((*x2) as f32).abs()));
        if (!(k3 < ((*x1) as u32))) {
            v4 += ((*x2) as f32);
        }
        match ((*x1) as u32) % 4 {
            0 => { let bin5 = ((k3 as f32).max(((*x2) as f32)).trunc().abs() * 3.0) as usize % h0_min.len(); h0_min[bin5] = h0_min[bin5].min(((*x1) as u16)); }
            1..=2 => { let bin6 = (((*x2) as f32).abs() * 3.0) as usize % h0_min.len(); h0_min[bin6] = h0_min[bin6].min(((((*x2) as u16).wrapping_sub((k3 as u16)) % 6) * (((k3 as u16) % 100u16) % 7))); }
            _ => {}
        }
        match (((*x2) as u32) & k3) % 4 {
            0 => { let bin7 = (((k3 as f64) as usize) >> 43).min(h0_min.len() - 1); h0_min[bin7] = h0_min[bin7].min(((*x1) as u16).wrapping_mul((((v4 as u8) <= 3u8) as u16))); }
            1..=2 => { let bin8 = ((k3 as usize).saturating_sub((v4 as usize)) & (v4 as usize).wrapping_add((k3 as usize))) % h0_min.len(); h0_min[bin8] = h0_min[bin8].min(((k3 as f64) as u16).wrapping_add(((*x1) as u16).wrapping_mul(((*x2) as u16)))); }
            _ => {}
        }
    }
}

fn r069(a0: &Vec<f64>, c0: f64, h0_and: &mut [u32], h1_add: &mut [u64]) {
    for x1 in a0.iter().cloned() {
        let v2 = 3u32.wrapping_add((c0 as u32)).wrapping_add((match (c0 as u32) % 5 { 0 => (c0 as u32), 1 | 3 => (x1 as u32), _ => (x1 as u32) }));
        h0_and[((x1 as u32) & 15) as usize] &= (c0 as u32);
        let bin3 = (3.0f32.abs() * 3.0) as usize % h0_and.len(); h0_and[bin3] &= ((((x1 as u8) < (x1 as u8)) && ((x1 as u32) != (x1 as u32))) as u32);
        match (c0 as u32).wrapping_sub(31u32) % 4 {
            0 => { let bin4 = (((v2 | (c0 as u32)) >> 7) & 15) as usize; h1_add[bin4] = h1_add[bin4] + (((x1 as u32) < (c0 as u32)) && (v2 == (x1 as u32))) as u64; }
            1..=2 => { h1_add[(((v2 as f64) as u32) & 15) as usize] += 1; }
            _ => {}
        }
        h1_add[((match (c0 as u32).saturating_sub(31u32) % 5 { 0 => (x1 as u32).rotate_left(21), 1 | 3 => ((c0 as u32) ^ (x1 as u32)), _ => (((c0 as u8) >= (c0 as u8)) as u32) }) & 15) as usize] += ((5u64 + 10u64) % 5);
    }
}

fn r070(s: &str, h0_xor: &mut [u32]) {
    for b1 in s.bytes() {
        let bin2 = ((b1 as u64) >> 43) as usize % h0_xor.len(); h0_xor[bin2] = h0_xor[bin2] ^ (((b1 as f32) as u32) / 2u32);
        let bin3 = ((((b1 as u32) >= u32::from(b1)) as usize) >> 29) % h0_xor.len(); h0_xor[bin3] = h0_xor[bin3] ^ (b1 as u32);
    }
}

fn r071(a0: &[i8; 90], h0_wrap: &mut [isize]) {
    for &x1 in a0.iter() {
        let k2: u32 = MASK;
        if (((x1 as u64) >= (k2 as u64)) && (k2 < k2)) {
            let bin3 = ((k2 as usize).wrapping_mul((k2 as usize)) % 8 + (k2 as usize) % 5).min(h0_wrap.len() - 1); h0_wrap[bin3] = h0_wrap[bin3].wrapping_sub((k2 as isize).clamp(-20, 20));
        }
        if (((x1 as u32) != 10u32) || (k2 != k2)) {
            let bin4 = (if ((k2 as f64) >= (k2 as f64)) { (if ((x1 as u32) < k2) { (x1 as u64) } else { (x1 as u64) }) } else { ((x1 as u64) / 2u64) }) as usize % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub(((k2 as f64) as isize));
        }
    }
}

fn r072(a0: &[i32], c0: f32, t0: &[f32; 16], h0_sub: &mut [[f64; 4]], h1_xor: &mut [[i16; 3]; 1]) {
    for p1 in a0.chunks_exact(3) {
        let mut acc2 = 0u64;
        for j3 in 0..5usize {
            acc2 = acc2.wrapping_add((((acc2 as u16) - 1u16).leading_zeros() as u64));
        }
        if (acc2 != acc2) {
            continue;
        }
        let v4: i8;
        if ((p1[2] as u8) >= (t0[(match (c0 as u32) % 5 { 0 => (p1[2] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16] as u8)) {
            v4 = ((p1[2] as i8) ^ (p1[1] as i8));
        } else {
            v4 = ((acc2 as f32) as i8);
        }
        match ((t0[(match (c0 as u32) % 5 { 0 => (p1[2] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16] as u32).trailing_zeros() as u32) % 4 {
            0 => { let bin5 = (c0.abs() * 3.0) as usize % h0_sub.len(); h0_sub[bin5][(v4 as usize).wrapping_add(((p1[1] as f32) as usize)).min(4 - 1)] -= (p1[2] as f64).ceil().min(3.0f64).clamp(-8.0, 8.0); }
            1..=2 => { let bin6 = (3.0f32.floor().abs() * 3.0) as usize % h0_sub.len(); let bin7 = ((2usize % 6) * (((acc2 as usize) % 2usize) % 7)).min(4 - 1); h0_sub[bin6][bin7] = h0_sub[bin6][bin7] - (c0 as f64).sin(); }
            _ => {}
        }
        if ((v4 as f64) >= (p1[0] as f64)) {
            let bin8 = (acc2 as usize) % h0_sub.len(); h0_sub[bin8][((v4 as i32).rem_euclid(16) as usize).min(4 - 1)] -= ((v4 as f64) / (1.0 + (p1[1] as f64).abs())).sin();
        }
        h1_xor[(((acc2 as f32) * t0[(match (c0 as u32) % 5 { 0 => (p1[2] as usize), 1 | 3 => (p1[1] as usize), _ => (p1[1] as usize) }) % 16]).abs().sqrt().abs() * 3.0) as usize % 1][2usize % 3] ^= (c0 as i16);
    }
}

fn r073(a0: &Vec<u16>, h0_or: &mut [u8]) {
    for x1 in a0.iter() {
        let bin2 = ((usize::from((*x1)) & ((*x1) as usize)) % 8 + ((*x1) as usize) % 5) % h0_or.len(); h0_or[bin2] |= ((*x1) as u8);
        h0_or[((((*x1) as u32) + 3u32).wrapping_add(((*x1) as u32)) & 15) as usize] |= (((*x1) as f64).abs().sqrt() as u8);
    }
}

fn r074(a0: &[[i8; 6]], h0_wrap: &mut [i8], h1_sub: &mut [u16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            if (!((x2 as u32) > (x2 as u32))) {
                let bin3 = 3usize % h0_wrap.len(); h0_wrap[bin3] = h0_wrap[bin3].wrapping_add(((((a0[y1][x2] as u16).trailing_zeros() as i8) % 6) * ((a0[y1][x2] | a0[y1][x2]) % 7)));
            }
            if ((a0[y1][x2] as u32) >= (x2 as u32)) {
                let bin4 = (((a0[y1][x2] as usize) % 6) * ((if ((a0[y1][x2] as u8) > (y1 as u8)) { (a0[y1][x2] as usize) } else { x2 }) % 7)) % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_add(((x2 as i8) + 100i8).clamp(-20, 20));
            }
            match (x2 as u32) % 4 {
                0 => { let bin5 = ((y1 as i32).rem_euclid(16) as usize).min(h1_sub.len() - 1); h1_sub[bin5] = h1_sub[bin5] - 1; }
                1..=2 => { let bin6 = ((y1 as f32).max((x2 as f32)) as u64) as usize % h1_sub.len(); h1_sub[bin6] -= 1; }
                _ => {}
            }
        }
    }
}

fn r075(a0: &[i64; 90], n: usize, r0_wrap: &mut u8, h0_wrap: &mut [i64]) {
    for i1 in 1..=n {
        let k2 = MASK & 7u32;
        if ((k2 as u64) != (i1 as u64)) {
            continue;
        }
        if ((a0[i1 - 1] as i32) == (k2 as i32)) {
            continue;
        }
        *r0_wrap = (*r0_wrap).wrapping_add((a0[i1 - 1] as u8));
        match k2.wrapping_add((i1 as u32)) % 4 {
            0 => { let bin3 = (k2 & 15) as usize; h0_wrap[bin3] = h0_wrap[bin3].wrapping_mul(((if ((k2 as u8) <= 7u8) { a0[i1 - 1] } else { (i1 as i64) }) & ((i1 as i64) | (i1 as i64)))); }
            1..=2 => { let bin4 = ((i1 ^ (a0[i1 - 1] as usize)) & (k2 as usize)).min(h0_wrap.len() - 1); h0_wrap[bin4] = h0_wrap[bin4].wrapping_mul((3i64.count_ones() as i64)); }
            _ => {}
        }
        match k2 % 4 {
            0 => { h0_wrap[(7u32.rotate_left(1).abs_diff((a0[i1 - 1] as u32).max((i1 as u32))) & 15) as usize] = h0_wrap[(7u32.rotate_left(1).abs_diff((a0[i1 - 1] as u32).max((i1 as u32))) & 15) as usize].wrapping_mul((i1 as i64)); }
            1..=2 => { let bin5 = ((i1 as u32) & 15) as usize; h0_wrap[bin5] = h0_wrap[bin5].wrapping_mul(((k2 as i64).rotate_left(35) / 10i64)); }
            _ => {}
        }
    }
}

fn r076(a0: &Vec<f32>, h0_add: &mut [[u32; 3]], h1_max: &mut Vec<i16>) {
    for &x1 in a0.iter().skip(3) {
        let mut v2 = ((10u32 <= (x1 as u32)) as u16);
        if ((x1 as i32) > (x1 as i32)) {
            v2 ^= (100u16 + 5u16);
        }
        let pair3 = ((x1 as u32), ((v2 as f32) as i16));
        let bin4 = (100usize >> 42).min((pair3.0 as usize)) % h0_add.len(); h0_add[bin4][(7usize % 3usize).min(3 - 1)] += (!((pair3.1 as u64) != 7u64)) as u32;
        let bin5 = (pair3.0 as usize).min(h0_add.len() - 1); h0_add[bin5][(pair3.0 as u64).saturating_sub((x1 as u64)).min((u64::from(v2) ^ (pair3.0 as u64))) as usize % 3] += ((x1 as u32) % 5);
        let bin6 = ((v2 as u32) & 15) as usize; h1_max[bin6] = h1_max[bin6].max((((3.0f64 > (pair3.1 as f64)) as i16) & ((v2 as i16) - 100i16)));
    }
}

fn r077(a0: &[i16], c0: u32, h0_or: &mut [i32]) {
    for &x1 in a0 {
        let v2: i32;
        if (((x1 as u32) > c0) && ((c0 as i32) > (x1 as i32))) {
            v2 = ((x1 as u8).trailing_zeros() as i32);
        } else {
            v2 = ((x1 as i32) % 3i32);
        }
        let bin3 = ((((v2 as f32) - (v2 as f32)) * (c0 as f32).trunc()).abs() * 3.0) as usize % h0_or.len(); h0_or[bin3] |= v2;
        let bin4 = ((c0 as i32).rem_euclid(16) as usize).min(h0_or.len() - 1); h0_or[bin4] |= v2;
    }
}

fn r078(a0: &Vec<f32>, a1: &[f32], c0: f32, h0_and: &mut [[i64; 4]; 16]) {
    for (&x1, &x2) in a0.iter().zip(a1.iter()) {
        let mut local3 = [2i16; 4];
        local3[(c0 as usize).wrapping_mul((x1 as usize)) % 4] = (c0 as i16).rotate_left(8);
        let v4: f64;
        if (((x1 as u64) <= (local3[(c0 as usize).wrapping_mul((x1 as usize)) & 3] as u64)) || (7u32 != (c0 as u32))) {
            v4 = (x1 as f64).abs();
        } else {
            v4 = 1.0f64.min((x2 as f64));
        }
        let v5: u64 = (x1 as u64).rotate_left(58);
        let bin6 = (x1 as usize).abs_diff(7usize) % 16; let bin7 = ((x2 as i32).rem_euclid(16) as usize).min(4 - 1); h0_and[bin6][bin7] = h0_and[bin6][bin7] & 100i64;
        h0_and[(x2 as usize) % 16][((x1 as f64) as u64) as usize % 4] &= (((if (0.5f64 <= 2.25f64) { i64::from(local3[1]) } else { (local3[(c0 as usize).wrapping_mul((x1 as usize)) & 3] as i64) }) % 6) * ((c0 as i64).wrapping_sub((c0 as i64)) % 7));
    }
}

fn r079(a0: &Vec<[usize; 6]>, h0_max: &mut [f64]) {
    for row1 in a0 {
        for &x2 in row1 {
            let (p3, q4) = ((match (x2 as u32) % 5 { 0 => 100usize, 1 | 3 => x2, _ => x2 }), ((x2 as u16) ^ (x2 as u16)));
            let mut acc5 = 0u64;
            for j6 in 0..5usize {
                acc5 = acc5.wrapping_add(3u64);
            }
            if ((p3 as f64) > 0.1f64) {
                continue;
            }
            let bin7 = (if ((x2 as u64) > (x2 as u64)) { (acc5 as usize) } else { (acc5 as usize) }).min(((q4 as usize) & p3)) % h0_max.len(); h0_max[bin7] = h0_max[bin7].max((if (100i32 > i32::from(q4)) { (x2 as f64) } else { (acc5 as f64) }).abs().sqrt());
            let bin8 = (((p3 as i32) % 100i32).min((p3 as i32).wrapping_sub((acc5 as i32))).rem_euclid(16) as usize).min(h0_max.len() - 1); h0_max[bin8] = h0_max[bin8].max(((p3 as f64) * (x2 as f64)).abs());
        }
    }
}

fn r080(a0: &[i8], a1: &[i8; 90], h0_and: &mut [i32], h1_mul: &mut [f64], h2_xor: &mut Vec<i64>) {
    for (x1, &x2) in a0.iter().zip(a1) {
        let k3: u32 = MASK;
        let bin4 = ((((x2 as u32) <= ((*x1) as u32)) as u32) & 15) as usize; h0_and[bin4] = h0_and[bin4] & ((k3 as i32) * 1i32);
        let bin5 = (((if (1u32 < (x2 as u32)) { (k3 as u16) } else { (x2 as u16) }).trailing_zeros() as i32).rem_euclid(16) as usize).min(h0_and.len() - 1); h0_and[bin5] &= (x2 as i32).rotate_left(5).clamp(-20, 20);
        if ((k3 as u64) != ((*x1) as u64)) {
            h1_mul[(((*x1) as u32) & 15) as usize] *= (1.0 + (k3 as f64).clamp(-1.0, 1.0) * 0.01);
        }
        match (((*x1) as u32) & (x2 as u32)) % 4 {
            0 => { h1_mul[(5u32 & 15) as usize] = h1_mul[(5u32 & 15) as usize] * (1.0 + (x2 as f64).min(((*x1) as f64)).clamp(-1.0, 1.0) * 0.01); }
            1..=2 => { let bin6 = (5u64 >> 45) as usize % h1_mul.len(); h1_mul[bin6] = h1_mul[bin6] * (1.0 + ((k3 as f64) / (1.0 + (k3 as f64).abs())).clamp(-1.0, 1.0) * 0.01); }
            _ => {}
        }
        h2_xor[((if ((x2 as u64) <= (x2 as u64)) { (x2 as u32) } else { (x2 as u32) }).min((match ((*x1) as u32) % 5 { 0 => k3, 1 | 3 => (x2 as u32), _ => k3 })) & 15) as usize] ^= i64::from(k3);
    }
}

fn r081(a0: &[f32], h0_add: &mut [u16]) {
    for x1 in a0.iter().cloned() {
        if ((x1 as u8) != (x1 as u8)) {
            continue;
        }
        let bin2 = (((x1 as u32) > (x1 as u32)) as usize).saturating_sub((x1 as usize)).min(h0_add.len() - 1); h0_add[bin2] += ((x1 as u16) % 5);
        let bin3 = (x1 as usize).min((x1 as usize)).abs_diff(((x1 as usize) % 8 + (x1 as usize) % 5)) % h0_add.len(); h0_add[bin3] += ((x1 as f64) <= (x1 as f64)) as u16;
    }
}

fn r082(a0: &[i32], h0_min: &mut [f64; 256]) {
    for (i2, x1) in a0.iter().enumerate().skip(1) {
        let v3: i8;
        if (((i2 as u64) > 3u64) && (((*x1) as u8) > 2u8)) {
            v3 = ((*x1) as i8).rotate_left(5);
        } else {
            v3 = ((i2 as i8) ^ (i2 as i8));
        }
        let mut rest4 = (v3 as u8).min((v3 as u8));
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        let (p6, q7) = ((7i64.count_ones() as u8), (i32::from(v3) & (i2 as i32)));
        let bin8 = (((v3 as usize) % 10usize) % 8 + (q7 as usize) % 5) % 256; h0_min[bin8] = h0_min[bin8].min((((i2 as f64) / (1.0 + (i2 as f64).abs())) * (i2 as f64)));
        match (q7 as u32) % 4 {
            0 => { let bin9 = ((count5 as usize) % 7usize) % 256; h0_min[bin9] = h0_min[bin9].min(((p6 as f64).max((count5 as f64)) / (1.0 + 2.25f64.floor().abs()))); }
            1..=2 => { let bin10 = (i2 as u8).max((count5 as u8)).saturating_sub(((i2 as f32) as u8)) as usize; h0_min[bin10] = h0_min[bin10].min((if (((count5 as f64) >= (v3 as f64)) || ((count5 as f64) > (count5 as f64))) { ((q7 as f64) * (p6 as f64)) } else { (-(p6 as f64)) })); }
            _ => {}
        }
    }
}

fn r083(a0: &[u8], h0_min: &mut [i16]) {
    for &x1 in a0.iter().rev() {
        let k2: usize = WIDTH;
        let v3 = (if (!x1.is_ascii_digit()) { (if x1.is_ascii_digit() { (x1 as f32) } else { (x1 as f32) }) } else { (x1 as f32) });
        let pair4 = ((x1 as u16), (v3 / (1.0 + (x1 as f32).abs())));
        let v5 = ((k2 as i16).clamp(-20, 20) % 8 + (k2 as i16) % 5);
        let bin6 = (7i32.wrapping_mul((v5 as i32)).clamp(-20, 20).rem_euclid(16) as usize).min(h0_min.len() - 1); h0_min[bin6] = h0_min[bin6].min((x1 as i16));
        h0_min[((pair4.1 as u32).max((k2 as u32).abs_diff(u32::from(pair4.0))) & 15) as usize] = h0_min[((pair4.1 as u32).max((k2 as u32).abs_diff(u32::from(pair4.0))) & 15) as usize].min((x1 as i16));
    }
}

fn r084(a0: &[[u64; 6]], h0_add: &mut [[f32; 16]; 16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            h0_add[((y1 as i32).rem_euclid(16) as usize).min(16 - 1)][((x2 as f32).min(2.25f32).abs().sqrt().abs() * 3.0) as usize % 16] += (a0[y1][x2] as f32).sin();
            h0_add[(a0[y1][x2] >> 62) as usize % 16][(3.0f32.abs() * 3.0) as usize % 16] += ((y1 as f32) + (y1 as f32)).sin();
        }
    }
}

fn r085(a0: &[i64; 90], c0: f32, h0_max: &mut [[f32; 3]]) {
    for &x1 in a0.iter().step_by(2) {
        let mut rest2 = (x1 as u8).wrapping_sub((x1 as u8));
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let (p4, q5) = ((0.5f64 / (1.0 + (x1 as f64).abs())), ((c0 as u64) / 1u64));
        if ((count3 as f64) <= 0.5f64) {
            continue;
        }
        if (((q5 as i32) <= (p4 as i32)) && ((x1 as i32) != (c0 as i32))) {
            let bin6 = ((((c0 as u32) >> 31) & (q5 as u32)) & 15) as usize; let bin7 = ((count3 as usize) % 1usize).min(((x1 as f32) as usize)) % 3; h0_max[bin6][bin7] = h0_max[bin6][bin7].max(1.0f32.round().abs().sqrt());
        }
    }
}

fn r086(a0: &[u32], n: usize, h0_sub: &mut [[u64; 3]; 16], h1_sat: &mut [[u8; 16]; 16]) {
    for i1 in 0..n {
        let k2 = MASK & 7u32;
        let v3: usize;
        if (((a0[i1] as f64) < (a0[i1] as f64)) && (31u64 >= (a0[i1] as u64))) {
            v3 = (match a0[i1] % 5 { 0 => i1, 1 | 3 => (a0[i1] as usize), _ => i1 });
        } else {
            v3 = (k2 as usize).wrapping_mul(7usize);
        }
        let bytes4 = (i1 as i64).to_le_bytes();
        if (((k2 as i32) >= (k2 as i32)) || ((bytes4[0] as i32) <= 7i32)) {
            h0_sub[(v3 / 31usize).min(16 - 1)][(i1 % 7usize).min(3 - 1)] -= 1;
        }
        if ((3.0f64 > (i1 as f64)) && ((bytes4[1] as i32) >= (v3 as i32))) {
            let bin5 = ((bytes4[0] as i32).rem_euclid(16) as usize).min(16 - 1); let bin6 = ((((k2 as u64) % 6) * (u64::from(bytes4[1]) % 7)) >> 47) as usize % 16; h1_sat[bin5][bin6] = h1_sat[bin5][bin6].saturating_add(3u8);
        }
    }
}

fn r087(a0: &[u32], h0_sub: &mut [f64]) {
    for (i2, x1) in a0.iter().take(17).step_by(4).enumerate() {
        let v3 = (2.25f64.abs() as usize);
        let mut v4 = (((i2 as i32) % 6) * ((i2 as i32) % 7));
        if (((*x1) as u64) <= (i2 as u64)) {
            v4 |= (((*x1) as i32) | (v3 as i32));
        }
        let mut rest5 = (((*x1) as u8) | (i2 as u8));
        let mut count6 = 0u32;
        while rest5 > 0 {
            rest5 >>= 1;
            count6 += 1;
        }
        match (i2 as u32).wrapping_add((i2 as u32)) % 4 {
            0 => { h0_sub[(((!(count6 == count6)) as u32) & 15) as usize] -= (-(v3 as f64)).clamp(-8.0, 8.0); }
            1..=2 => { h0_sub[(count6 & 15) as usize] -= ((*x1) as f64).clamp(-8.0, 8.0); }
            _ => {}
        }
    }
}

fn r088(a0: &Vec<f32>, r0_wrap: &mut isize) {
    for x1 in a0.iter().cloned() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (((x1 as f64) == (x1 as f64)) && ((x1 as f64) != (x1 as f64))) {
                break turns3 * 2;
            }
        };
        *r0_wrap = (*r0_wrap).wrapping_add((x1 as isize));
        match ((found2 as u32) >> 4) % 4 {
            0 => { *r0_wrap = (*r0_wrap).wrapping_add(100isize.rotate_left(62)); }
            1..=2 => { *r0_wrap = (*r0_wrap).wrapping_add(((((x1 as isize) ^ (x1 as isize)) % 6) * (((turns3 as isize) % 7isize) % 7))); }
            _ => {}
        }
    }
}

fn r089(a0: &[[u16; 6]], c0: f64, h0_wrap: &mut [i32], h1_wrap: &mut Vec<i16>, h2_wrap: &mut Vec<u32>) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let k4: usize = WIDTH;
        if (((c0 as u32) <= sum2) || ((c0 as u32) != (k4 as u32))) {
            continue;
        }
        let v5: u64;
        if (u32::from(row1[2]) >= (k4 as u32)) {
            v5 = (row1[2] as u64);
        } else {
            v5 = (sum2 as u64).rotate_left(21);
        }
        let bin6 = ((k4 as f32) as usize).max((match (row1[2] as u32) % 5 { 0 => 5usize, 1 | 3 => k4, _ => (sum2 as usize) })) % h0_wrap.len(); h0_wrap[bin6] = h0_wrap[bin6].wrapping_add(((sum2 + 1u32).count_ones() as i32));
        let bin7 = (c0 as u64) as usize % h1_wrap.len(); h1_wrap[bin7] = h1_wrap[bin7].wrapping_add(((c0 as i16) >> 7).wrapping_add((sum2 as i16).min((sum2 as i16))));
        let bin8 = ((c0 as u32).saturating_sub(((v5 as u32) % 8 + (k4 as u32) % 5)) & 15) as usize; h1_wrap[bin8] = h1_wrap[bin8].wrapping_add((v5 as i16));
        if ((v5 as u8) > (sum2 as u8)) {
            let bin9 = ((if (!((k4 as f64) <= 0.5f64)) { (sum2 - 5u32) } else { u32::from(row1[2]).wrapping_sub((k4 as u32)) }) & 15) as usize; h2_wrap[bin9] = h2_wrap[bin9].wrapping_sub(((u32::from(row1[2]) ^ (v5 as u32)) / 100u32));
        }
    }
}

fn r090(a0: &[i8], n: usize, t0: &[u16; 16], h0_or: &mut [[i64; 16]]) {
    for i1 in 1..=n {
        let mut local2 = [10u64; 4];
        local2[i1 % 4] = u64::from(t0[i1 % 16]).wrapping_mul((t0[i1 % 16] as u64));
        let bin3 = (if ((local2[i1 & 3] as f64) <= (a0[i1 - 1] as f64)) { (match (a0[i1 - 1] as u32) % 5 { 0 => (a0[i1 - 1] as u64), 1 | 3 => 3u64, _ => u64::from(t0[i1 % 16]) }) } else { ((local2[i1 & 3] as f32) as u64) }) as usize % h0_or.len(); h0_or[bin3][((a0[i1 - 1] as f64) as usize).min(16 - 1)] |= (((i1 as u8).trailing_zeros() as i64) >> 45);
    }
}

fn r091(a0: &[[i64; 2]], h0_or: &mut [u16; 16]) {
    for &[x2, x3] in a0 {
        let k4: u32 = MASK;
        let bytes5 = ((k4 as u16) * 10u16).to_le_bytes();
        let v6: u16;
        if ((x2 as f64) != (k4 as f64)) {
            v6 = (bytes5[0] as u16).wrapping_mul((x3 as u16));
        } else {
            v6 = u16::from(bytes5[0]);
        }
        if ((x2 as i32) > (bytes5[0] as i32)) {
            h0_or[((((x3 as u64) % 6) * ((v6 as u64) % 7)) % 2u64) as usize % 16] |= (x2 as u16).max((x2 as u16).rotate_left(5));
        }
    }
}

fn r092(s: &str, c0: i32, h0_xor: &mut [[i8; 3]]) {
    for b1 in s.bytes() {
        let v2 = ((((b1 as i32) % 10i32) % 6) * (c0 % 7));
        let bin3 = ((v2 as usize) - 5usize) % h0_xor.len(); h0_xor[bin3][(((-(c0 as f32)) + (b1 as f32).floor()).abs() * 3.0) as usize % 3] = h0_xor[bin3][(((-(c0 as f32)) + (b1 as f32).floor()).abs() * 3.0) as usize % 3] ^ (v2 as i8).rotate_left(3);
        let bin4 = 7usize % h0_xor.len(); h0_xor[bin4][(v2 as usize).min(3 - 1)] ^= ((c0 as i8).wrapping_mul((c0 as i8)) ^ (c0 as i8).rotate_left(6));
    }
}

fn r093(a0: &[u8], t0: &[f32; 16], h0_add: &mut [[u8; 3]; 16]) {
    for &x1 in a0 {
        let k2: usize = WIDTH;
        if ((x1 > (t0[((k2 % 6) * ((x1 as usize) % 7)) % 16] as u8)) || ((t0[((k2 % 6) * ((x1 as usize) % 7)) % 16] as u64) > u64::from(x1))) {
            let bin3 = (t0[((k2 % 6) * ((x1 as usize) % 7)) % 16] as usize) % 16; let bin4 = ((t0[((k2 % 6) * ((x1 as usize) % 7)) % 16] as usize) % 8 + usize::from(x1) % 5).rotate_left(10) % 3; h0_add[bin3][bin4] = h0_add[bin3][bin4] + ((t0[((k2 % 6) * ((x1 as usize) % 7)) % 16] as u64) <= u64::from(x1)) as u8;
        }
        let bin5 = ((x1 as f32).abs().abs().sqrt().abs() * 3.0) as usize % 16; let bin6 = ((k2 as f32).abs() * 3.0) as usize % 3; h0_add[bin5][bin6] = h0_add[bin5][bin6] + ((t0[((k2 % 6) * ((x1 as usize) % 7)) % 16] as f64) != (t0[((k2 % 6) * ((x1 as usize) % 7)) % 16] as f64)) as u8;
    }
}

fn r094(s: &str, r0_min: &mut isize, h0_sub: &mut Vec<f32>) {
    for b1 in s.bytes() {
        let v2: u16;
        if ((b1 as f64) <= (b1 as f64)) {
            v2 = u16::from(b1).wrapping_mul(10u16);
        } else {
            v2 = u16::from(b1);
        }
        if ((v2 as u8) > (v2 as u8)) {
            *r0_min = (*r0_min).min(((b1 as isize).max((b1 as isize)) % 8 + (v2 as isize).saturating_sub((v2 as isize)) % 5));
        }
        let bin3 = (((b1 as f32).abs().sqrt() + ((v2 as f32) * (v2 as f32))).abs() * 3.0) as usize % h0_sub.len(); h0_sub[bin3] -= 1.0f32;
        let bin4 = (v2 as u64) as usize % h0_sub.len(); h0_sub[bin4] -= 2.25f32.abs().sin();
    }
}

fn r095(a0: &[[u64; 6]; 90], c0: f64, h0_wrap: &mut [[usize; 4]]) {
    for row1 in a0 {
        for &x2 in row1 {
            match (c0 as u32).saturating_sub((x2 as u32)) % 4 {
                0 => { let bin3 = (match ((x2 as u16).count_ones() as u32) % 5 { 0 => ((c0 as u64) % 8 + 5u64 % 5), 1 | 3 => (match (x2 as u32) % 5 { 0 => x2, 1 | 3 => (c0 as u64), _ => x2 }), _ => (x2 / 1u64) }) as usize % h0_wrap.len(); let bin4 = (x2 as usize).max((x2 as usize).saturating_sub((c0 as usize))) % 4; h0_wrap[bin3][bin4] = h0_wrap[bin3][bin4].wrapping_add((x2 as usize)); }
                1..=2 => { let bin5 = (((c0 as i32) > (x2 as i32)) as usize) % h0_wrap.len(); let bin6 = (((c0 as usize) >> 51) | (x2 as usize)).min(4 - 1); h0_wrap[bin5][bin6] = h0_wrap[bin5][bin6].wrapping_add((x2 as usize).min((c0 as usize))); }
                _ => {}
            }
        }
    }
}

fn r096(a0: &Vec<[i64; 6]>, t0: &[usize; 16], h0_add: &mut [f32], h1_mul: &mut [f64]) {
    for row1 in a0 {
        for x2 in row1 {
            let k3: u32 = MASK;
            let bytes4 = (1i64 * 5i64).to_le_bytes();
            if bytes4[0].is_ascii_digit() {
                let bin5 = (k3 as usize).min(h0_add.len() - 1); h0_add[bin5] = h0_add[bin5] + 1.0f32;
            }
            match u32::from(bytes4[1]) % 4 {
                0 => { h1_mul[(k3.rotate_left(6).wrapping_sub(k3.abs_diff(((*x2) as u32))) & 15) as usize] *= (1.0 + (k3 as f64).clamp(-1.0, 1.0) * 0.01); }
                1..=2 => { let bin6 = usize::from(bytes4[0]) % h1_mul.len(); h1_mul[bin6] = h1_mul[bin6] * (1.0 + (bytes4[0] as f64).abs().sqrt().clamp(-1.0, 1.0) * 0.01); }
                _ => {}
            }
            let bin7 = (((*x2) as f32).abs() * 3.0) as usize % h1_mul.len(); h1_mul[bin7] = h1_mul[bin7] * (1.0 + 2.25f64.min((bytes4[1] as f64)).clamp(-1.0, 1.0) * 0.01);
        }
    }
}

fn r097(a0: &[u64], c0: i32, t0: &[u64; 16], r0_add: &mut u8) {
    for x1 in a0.iter().cloned() {
        *r0_add += ((c0 as f64) > (t0[(c0 as usize).min((x1 as usize)) % 16] as f64)) as u8;
        *r0_add = *r0_add + (!((c0 as u64) > x1)) as u8;
    }
}

fn r098(a0: &[[u32; 6]], c0: f64, h0_min: &mut [[u8; 3]]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || (((row1[2] as u64) <= u64::from(row1[2])) && (1.0f64 != (sum2 as f64))) {
                break turns5 * 2;
            }
        };
        let mut rest6 = (c0 as u8);
        let mut count7 = 0u32;
        while rest6 > 0 {
            rest6 >>= 1;
            count7 += 1;
        }
        let mut rest8 = ((count7 as u8) >> 7);
        let mut count9 = 0u32;
        while rest8 > 0 {
            rest8 >>= 1;
            count9 += 1;
        }
        if (((found4 as f64) == (turns5 as f64)) || ((c0 as i32) == (sum2 as i32))) {
            h0_min[((found4 as u32) & 15) as usize][(if ((sum2 as i32) < (c0 as i32)) { (match count9 % 5 { 0 => (found4 as u64), 1 | 3 => u64::from(count9), _ => (count7 as u64) }) } else { ((turns5 as u64) | u64::from(count7)) }) as usize % 3] = h0_min[((found4 as u32) & 15) as usize][(if ((sum2 as i32) < (c0 as i32)) { (match count9 % 5 { 0 => (found4 as u64), 1 | 3 => u64::from(count9), _ => (count7 as u64) }) } else { ((turns5 as u64) | u64::from(count7)) }) as usize % 3].min(((turns5 as u8) - 10u8).wrapping_mul((sum2 as u8).wrapping_sub((turns5 as u8))));
        }
        if ((found4 as u8) <= (c0 as u8)) {
            let bin10 = ((count7 as f32).floor().abs().abs() * 3.0) as usize % h0_min.len(); let bin11 = (c0 as usize) % 3; h0_min[bin10][bin11] = h0_min[bin10][bin11].min(1u8.saturating_sub(((count7 as u8) + 31u8)));
        }
    }
}

fn r099(a0: &[u64], h0_wrap: &mut [isize; 7], h1_add: &mut [i32]) {
    for p1 in a0.windows(4) {
        let k2: usize = WIDTH;
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || ((p1[3] <= (k2 as u64)) || ((p1[2] as u32) == (p1[0] as u32))) {
                break turns4 * 2;
            }
        };
        h0_wrap[((p1[3] as f32).floor().sin().abs() * 3.0) as usize % 7] = h0_wrap[((p1[3] as f32).floor().sin().abs() * 3.0) as usize % 7].wrapping_add((p1[1] as isize).wrapping_add((turns4 as isize)));
        let bin5 = (((p1[1] as f32).abs() * (p1[3] as f32)).abs() * 3.0) as usize % 7; h0_wrap[bin5] = h0_wrap[bin5].wrapping_add((p1[3] as isize).max(5isize).clamp(-20, 20));
        match ((turns4 as u32) - 10u32) % 4 {
            0 => { let bin6 = p1[0].saturating_sub(((found3 as u64) | (turns4 as u64))) as usize % h1_add.len(); h1_add[bin6] += ((p1[0] as u8) == (p1[2] as u8)) as i32; }
            1..=2 => { h1_add[(((3u32 >> 1) | (p1[2] as u32).rotate_left(3)) & 15) as usize] += ((k2 as i32) % 5); }
            _ => {}
        }
        h1_add[((p1[0] as u32) & 15) as usize] = h1_add[((p1[0] as u32) & 15) as usize] + ((p1[3] as f64) <= (p1[2] as f64)) as i32;
    }
}

fn r100(s: &str, h0_sub: &mut [[f32; 4]; 7]) {
    for b1 in s.bytes() {
        let mut rest2 = u32::from(b1).wrapping_mul((b1 as u32));
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let v4: u8 = ((!(b1 == (count3 as u8))) as u8);
        let v5: f64 = ((b1 as f64) / (1.0 + (v4 as f64).abs())).min((if ((b1 as f64) != (count3 as f64)) { (v4 as f64) } else { (v4 as f64) }));
        let bin6 = ((count3 as i32).rem_euclid(16) as usize).min(7 - 1); let bin7 = (v4 as usize) % 4; h0_sub[bin6][bin7] = h0_sub[bin6][bin7] - (if ((count3 as f64) != (count3 as f64)) { (b1 as f32) } else { (v4 as f32) }).exp().clamp(-8.0, 8.0);
        h0_sub[(((count3 as f32) + (v4 as f32).min((v5 as f32))).abs() * 3.0) as usize % 7][((if b1.is_ascii_digit() { (v5 as f32).max((v5 as f32)) } else { ((count3 as f32) - (v4 as f32)) }).abs() * 3.0) as usize % 4] -= (-((b1 as f32) + (count3 as f32))).clamp(-8.0, 8.0);
    }
}

fn r101(s: &str, h0_wrap: &mut [usize], h1_or: &mut Vec<u64>) {
    for &b1 in s.as_bytes() {
        let mut acc2 = 0u64;
        for j3 in 0..1usize {
            if (!((acc2 as f64) == (j3 as f64))) {
                continue;
            }
            acc2 = acc2.wrapping_add((((b1 as u64) % 6) * ((j3 as u64) % 7)).wrapping_mul((acc2 >> 58)));
        }
        match (acc2 as u32) % 4 {
            0 => { let bin4 = (b1 as u64) as usize % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_add(((b1 as f64) as usize).saturating_sub(usize::from(b1).saturating_sub(usize::from(b1)))); }
            1..=2 => { h0_wrap[((acc2 as u32) & 15) as usize] = h0_wrap[((acc2 as u32) & 15) as usize].wrapping_add((b1 as usize)); }
            _ => {}
        }
        h1_or[((b1 as u32).wrapping_sub((acc2 as u32)).saturating_sub((((acc2 as u32) == (b1 as u32)) as u32)) & 15) as usize] |= ((b1 as u64).rotate_left(31) % 8 + acc2.abs_diff(acc2) % 5);
        let bin5 = (acc2.wrapping_sub(acc2) / 7u64) as usize % h1_or.len(); h1_or[bin5] |= ((acc2 as f32) as u64);
    }
}

fn r102(a0: &Vec<u32>, h0_sub: &mut [u16], r0_or: &mut u16, h1_wrap: &mut [i8; 64]) {
    for x1 in a0 {
        let v2 = (if (((*x1) as f64) > ((*x1) as f64)) { ((*x1) as i8).wrapping_add(((*x1) as i8)) } else { (((*x1) as i8) / 31i8) });
        let v3 = ((match (v2 as u32) % 5 { 0 => (v2 as u64), 1 | 3 => u64::from((*x1)), _ => u64::from((*x1)) }) >> 5);
        if ((v2 as u32) != (v3 as u32)) {
            let bin4 = (v3 as usize) % h0_sub.len(); h0_sub[bin4] = h0_sub[bin4] - 1;
        }
        *r0_or |= ((if ((v3 as i32) == (v3 as i32)) { ((*x1) as u16) } else { ((*x1) as u16) }) / 5u16);
        let bin5 = ((match (*x1) % 5 { 0 => (v2 as i32), 1 | 3 => (v3 as i32).rotate_left(29), _ => (v3 as i32).saturating_sub(5i32) }).rem_euclid(16) as usize).min(64 - 1); h1_wrap[bin5] = h1_wrap[bin5].wrapping_add(((*x1) as i8));
    }
}

fn r103(s: &str, h0_add: &mut [f32]) {
    for b1 in s.bytes() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || ((b1 as u32) >= (b1 as u32)) {
                break turns3 * 2;
            }
        };
        let v4: usize;
        if ((found2 as u32) < (b1 as u32)) {
            v4 = (b1 as usize);
        } else {
            v4 = (((turns3 as usize) % 6) * (usize::from(b1) % 7));
        }
        let pair5 = ((v4 as f32).abs().sqrt(), ((found2 as i8) & (v4 as i8)));
        if ((v4 as u32) > (turns3 as u32)) {
            let bin6 = ((((v4 as f32) - (v4 as f32)) as i32).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin6] += 1.0f32;
        }
    }
}

fn r104(a0: &[[i8; 6]], c0: u32, t0: &[f32; 16], h0_wrap: &mut [isize]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let pair4 = (1.0f32, sum2);
        let mut local5 = [31i8; 4];
        local5[100usize.max((pair4.1 as usize)) % 4] = ((c0 as i8) >> 2);
        let mut turns7 = 0i32;
        let found6 = loop {
            turns7 += 1;
            if turns7 > 4 || (sum2 == (local5[1] as u32)) {
                break turns7 * 2;
            }
        };
        if ((row1[2] as u8) != (found6 as u8)) {
            let bin8 = (0.5f32.abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin8] = h0_wrap[bin8].wrapping_mul((found6 as isize).wrapping_add((match pair4.1 % 5 { 0 => (t0[(sum2 as usize) % 16] as isize), 1 | 3 => (found6 as isize), _ => 5isize })));
        }
    }
}

fn r105(a0: &Vec<[i32; 6]>, t0: &[u64; 16], h0_wrap: &mut [isize; 1]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let bin4 = (row1[2].rem_euclid(16) as usize).min(1 - 1); h0_wrap[bin4] = h0_wrap[bin4].wrapping_add((row1[2] as isize));
        let bin5 = ((((t0[(row1[2] as usize).wrapping_mul((sum2 as usize)) % 16] as u32) <= sum2) as usize) & (t0[(row1[2] as usize).wrapping_mul((sum2 as usize)) % 16] as usize)).min(1 - 1); h0_wrap[bin5] = h0_wrap[bin5].wrapping_add((row1[2] as isize).rotate_left(21).wrapping_sub((t0[(row1[2] as usize).wrapping_mul((sum2 as usize)) % 16] as isize)));
    }
}

fn r106(a0: &[[f32; 2]], h0_and: &mut [i16]) {
    for &[x2, x3] in a0 {
        let v4: i32 = ((((x2 as i32) != 1i32) || ((x3 as i32) > (x2 as i32))) as i32);
        let mut rest5 = ((x2 as u64) * 5u64);
        let mut count6 = 0u32;
        while rest5 > 0 {
            rest5 >>= 1;
            count6 += 1;
        }
        let v7 = i64::from(v4).max(i64::from(v4).wrapping_sub((v4 as i64)));
        let bin8 = 3u64 as usize % h0_and.len(); h0_and[bin8] = h0_and[bin8] & (v7 as i16);
    }
}

fn r107(a0: &[f64; 90], c0: f64, h0_add: &mut [[f64; 3]]) {
    for &x1 in a0 {
        h0_add[((x1 as u32) & 15) as usize][((if (c0 == c0) { (x1 as f32) } else { (x1 as f32).fract() }).abs() * 3.0) as usize % 3] += 1.0f64;
        h0_add[(((x1 as u32).saturating_sub((x1 as u32)) | (c0 as u32)) & 15) as usize][((c0 as i32).rem_euclid(16) as usize).min(3 - 1)] += 1.0f64;
    }
}

fn r108(a0: &[u16], t0: &[i16; 16], h0_sub: &mut [f64]) {
    for x1 in a0.iter().skip(3) {
        if ((t0[usize::from((*x1)).max(((*x1) as usize)) % 16] as f64) >= (t0[usize::from((*x1)).max(((*x1) as usize)) % 16] as f64)) {
            let bin2 = (((*x1) as i32).rem_euclid(16) as usize).min(h0_sub.len() - 1); h0_sub[bin2] -= ((*x1) as f64).sin();
        }
        let bin3 = 31usize % h0_sub.len(); h0_sub[bin3] = h0_sub[bin3] - 2.25f64.abs().sqrt().sin();
    }
}

fn r109(a0: &Vec<i64>, c0: i32, r0_wrap: &mut isize, h0_sub: &mut [f64]) {
    for x1 in a0.iter().cloned() {
        if (c0 != c0) {
            continue;
        }
        let v2: u16;
        if (((x1 as i32) == 31i32) && ((x1 as u64) > (c0 as u64))) {
            v2 = (((x1 as u16) % 6) * ((c0 as u16) % 7));
        } else {
            v2 = (x1 as u16);
        }
        match ((c0 as u32) | (c0 as u32)) % 4 {
            0 => { *r0_wrap = (*r0_wrap).wrapping_sub((c0 as isize)); }
            1..=2 => { *r0_wrap = (*r0_wrap).wrapping_sub((((x1 as u8).leading_zeros() as isize) >> 8)); }
            _ => {}
        }
        *r0_wrap = (*r0_wrap).wrapping_sub((((v2 as isize).max(100isize) % 6) * (((c0 as isize) % 100isize) % 7)));
        let bin3 = (c0 as usize).rotate_left(39).max((x1 as usize)) % h0_sub.len(); h0_sub[bin3] = h0_sub[bin3] - 1.0f64;
        let bin4 = ((x1 as f32).floor().abs() * 3.0) as usize % h0_sub.len(); h0_sub[bin4] -= 1.0f64;
    }
}

fn r110(a0: &[f64], t0: &[u64; 16], r0_wrap: &mut u8, h0_wrap: &mut [usize; 64]) {
    for &x1 in a0 {
        *r0_wrap = (*r0_wrap).wrapping_mul((((x1 as u8) | (t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as u8)) / 10u8));
        if ((t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as f64) == (t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as f64)) {
            *r0_wrap = (*r0_wrap).wrapping_mul((((t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as u8) / 3u8) >> 1));
        }
        let bin2 = (((((t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as i32) / 100i32) % 6) * ((t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as i32) % 7)).rem_euclid(16) as usize).min(64 - 1); h0_wrap[bin2] = h0_wrap[bin2].wrapping_mul((t0[((x1 as usize) % 8 + (x1 as usize) % 5) % 16] as usize));
    }
}

fn r111(a0: &Vec<u8>, c0: f32, h0_and: &mut [i8]) {
    for (i2, &x1) in a0.iter().enumerate().skip(1) {
        let bytes3 = (u16::from(x1) % 8 + (x1 as u16) % 5).to_le_bytes();
        match (u32::from(x1) ^ (bytes3[0] as u32)) % 4 {
            0 => { let bin4 = ((bytes3[1] as usize).wrapping_add((x1 as usize)) | ((c0 as u8).leading_zeros() as usize)) % h0_and.len(); h0_and[bin4] &= (((x1 as i8) % 10i8) | (i2 as i8).min((x1 as i8))); }
            1..=2 => { let bin5 = (((i32::from(bytes3[0]) > (i2 as i32)) as u32).min(((i2 as u32).trailing_zeros() as u32)) & 15) as usize; h0_and[bin5] = h0_and[bin5] & (i2 as i8).clamp(-20, 20).max((((i2 as i32) == 1i32) as i8)); }
            _ => {}
        }
        match 1u32.max((c0 as u32)) % 4 {
            0 => { h0_and[((i2 as u32).max(u32::from(bytes3[1])).wrapping_add(2u32) & 15) as usize] &= (i2 as i8); }
            1..=2 => { h0_and[(((100u32 % 6) * ((x1 as u32) % 7)).saturating_sub((bytes3[0] as u32)) & 15) as usize] &= ((if ((bytes3[1] as i32) < (x1 as i32)) { (x1 as f32) } else { (x1 as f32) }) as i8); }
            _ => {}
        }
    }
}

fn r112(a0: &Vec<u32>, t0: &[f64; 16], h0_sat: &mut [[u32; 4]; 1]) {
    for x1 in a0.iter().copied() {
        let (p2, q3) = (((t0[((x1 as f32) as usize) % 16] as i32) * 7i32), (t0[((x1 as f32) as usize) % 16] as u8));
        let v4: i32;
        if (((x1 as u8) >= (t0[((x1 as f32) as usize) % 16] as u8)) && ((p2 as u8) < (p2 as u8))) {
            v4 = (x1 as i32);
        } else {
            v4 = ((t0[((x1 as f32) as usize) % 16] as i32) % 8 + (x1 as i32) % 5);
        }
        let bin5 = (7usize + 10usize) % 1; let bin6 = (t0[((x1 as f32) as usize) % 16] as usize).wrapping_mul(1usize).saturating_sub((x1 as usize).abs_diff((x1 as usize))).min(4 - 1); h0_sat[bin5][bin6] = h0_sat[bin5][bin6].saturating_add(((((x1 as i32) != (x1 as i32)) && (7u32 < (v4 as u32))) as u32));
    }
}

fn r113(s: &str, h0_sat: &mut [u16], h1_add: &mut [f32; 1], h2_wrap: &mut [i64]) {
    for &b1 in s.as_bytes() {
        let mut acc2 = 0u64;
        for j3 in 0..5usize {
            acc2 = acc2.wrapping_add((b1 as u64).min((b1 as u64)));
        }
        let v4 = ((match (b1 as u32) % 5 { 0 => (acc2 as usize), 1 | 3 => (b1 as usize), _ => (acc2 as usize) }) ^ ((b1 as usize) * 31usize));
        let bin5 = (((v4 as f64) as u64) / 31u64) as usize % h0_sat.len(); h0_sat[bin5] = h0_sat[bin5].saturating_add((match b1 { b'a'..=b'm' | b'A' => (v4 as u16), b'0' => (b1 as u16), _ => 31u16 }).wrapping_add(100u16.rotate_left(2)));
        match u32::from(b1).min(31u32) % 4 {
            0 => { let bin6 = ((if b1.is_ascii_digit() { 2usize } else { (b1 as usize) }) / 31usize) % h0_sat.len(); h0_sat[bin6] = h0_sat[bin6].saturating_add((acc2 as u16).saturating_sub((if (acc2 == (b1 as u64)) { (b1 as u16) } else { (acc2 as u16) }))); }
            1..=2 => { let bin7 = (v4 >> 45) % h0_sat.len(); h0_sat[bin7] = h0_sat[bin7].saturating_add((match b1 { b'a'..=b'm' | b'A' => (b1 as u16), b'0' => u16::from(b1), _ => (b1 as u16) }).min((b1 as u16).min((v4 as u16)))); }
            _ => {}
        }
        match ((v4 as u32) % 8 + (v4 as u32) % 5) % 4 {
            0 => { h1_add[(if ((acc2 as i32) >= (acc2 as i32)) { (v4 as u64).abs_diff(acc2) } else { (v4 as u64) }) as usize % 1] += (b1 as f32).floor().sin(); }
            1..=2 => { h1_add[((acc2 as usize) / 100usize).wrapping_add(v4.saturating_sub(usize::from(b1))) % 1] += (v4 as f32).clamp(-8.0, 8.0); }
            _ => {}
        }
        let bin8 = ((v4 ^ (b1 as usize)) / 5usize).min(1 - 1); h1_add[bin8] = h1_add[bin8] + 1.0f32;
        let bin9 = ((v4 % 6) * ((acc2 as usize) % 7)).rotate_left(38).min(h2_wrap.len() - 1); h2_wrap[bin9] = h2_wrap[bin9].wrapping_add((acc2 as i64));
        match (acc2 as u32).saturating_sub(3u32) % 4 {
            0 => { let bin10 = (acc2 as usize) % h2_wrap.len(); h2_wrap[bin10] = h2_wrap[bin10].wrapping_add(((acc2 as i64) * 3i64)); }
            1..=2 => { let bin11 = ((b1 as usize).abs_diff(v4) % 8 + ((acc2 as u16).count_ones() as usize) % 5) % h2_wrap.len(); h2_wrap[bin11] = h2_wrap[bin11].wrapping_add((10i64.rotate_left(27) | ((acc2 as i64) & (acc2 as i64)))); }
            _ => {}
        }
    }
}

fn r114(a0: &Vec<f32>, h0_xor: &mut [i64]) {
    for (i2, x1) in a0.iter().take(17).step_by(4).enumerate() {
        let k3 = WIDTH & 7usize;
        let bin4 = (match (k3 as u32) % 5 { 0 => ((i2 % 6) * (10usize % 7)), 1 | 3 => k3, _ => ((*x1) as usize) }).min(h0_xor.len() - 1); h0_xor[bin4] = h0_xor[bin4] ^ (if ((i2 as u64) <= 3u64) { ((k3 as i64) ^ (i2 as i64)) } else { ((k3 as f64) as i64) });
        let bin5 = (((-(i2 as f32)) - (*x1).min(1.0f32)).abs() * 3.0) as usize % h0_xor.len(); h0_xor[bin5] ^= 1i64;
    }
}

fn r115(a0: &[i8], c0: i32, h0_or: &mut [[u16; 16]; 1]) {
    for p1 in a0.windows(2) {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || ((p1[0] as u8) > (p1[1] as u8)) {
                break turns3 * 2;
            }
        };
        let local4 = [(c0 as u8).abs_diff(100u8), ((found2 < c0) as u8), 2u8];
        h0_or[((found2.clamp(-20, 20) ^ (p1[1] as i32).rotate_left(7)).rem_euclid(16) as usize).min(1 - 1)][((c0 as f64).floor() as usize) % 16] |= (((p1[1] as u16) * 2u16) % 8 + ((found2 as u16) ^ (found2 as u16)) % 5);
        if local4[(turns3 as usize) % 3].is_ascii_digit() {
            h0_or[(if ((p1[0] as u8) <= (p1[1] as u8)) { ((c0 as usize) - 3usize) } else { (found2 as usize) }) % 1][(c0 as usize) % 16] |= ((u16::from(local4[(turns3 as usize) % 3]) >> 11) % 8 + ((local4[(turns3 as usize) % 3] as i64).leading_zeros() as u16) % 5);
        }
    }
}

fn r116(a0: &[f64], c0: i32, r0_max: &mut i16, h0_sub: &mut [f64]) {
    for x1 in a0.iter().copied() {
        let k2: u32 = MASK;
        let v3 = x1;
        *r0_max = (*r0_max).max((if (((v3 as i32) > (v3 as i32)) && ((c0 as u32) >= 5u32)) { (k2 as i16).min((v3 as i16)) } else { (c0 as i16).min((x1 as i16)) }));
        *r0_max = (*r0_max).max(((v3 as i16).wrapping_add((c0 as i16)) >> 11));
        let bin4 = ((k2 as usize) ^ (x1 as usize).min((k2 as usize))) % h0_sub.len(); h0_sub[bin4] = h0_sub[bin4] - 1.0f64;
    }
}

fn r117(a0: &[i64; 90], a1: &[u32], c0: f32, t0: &[i32; 16], h0_xor: &mut [[i8; 4]; 16], h1_add: &mut [f32; 16], h2_add: &mut Vec<u64>) {
    for (x1, x2) in a0.iter().zip(a1.iter()) {
        let mut rest3 = ((*x2) >> 7);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        match ((t0[((*x2) as usize) % 16] as u32) ^ (c0 as u32)) % 4 {
            0 => { h0_xor[((!((t0[((*x2) as usize) % 16] as u8) >= (c0 as u8))) as usize) % 16][(if (((count4 as u8) > (c0 as u8)) || ((c0 as u64) != ((*x1) as u64))) { ((t0[((*x2) as usize) % 16] as usize) ^ (count4 as usize)) } else { ((c0 as f64) as usize) }) % 4] = h0_xor[((!((t0[((*x2) as usize) % 16] as u8) >= (c0 as u8))) as usize) % 16][(if (((count4 as u8) > (c0 as u8)) || ((c0 as u64) != ((*x1) as u64))) { ((t0[((*x2) as usize) % 16] as usize) ^ (count4 as usize)) } else { ((c0 as f64) as usize) }) % 4] ^ ((*x2) as i8); }
            1..=2 => { h0_xor[((((*x1) as f32).abs().sqrt() - c0.round()).abs() * 3.0) as usize % 16][(count4 as usize) % 4] = h0_xor[((((*x1) as f32).abs().sqrt() - c0.round()).abs() * 3.0) as usize % 16][(count4 as usize) % 4] ^ (if ((3u64 > (c0 as u64)) || ((count4 as u8) > (count4 as u8))) { ((t0[((*x2) as usize) % 16] as i8) ^ ((*x2) as i8)) } else { ((*x2) as i8).rotate_left(6) }); }
            _ => {}
        }
        if (3u64 >= u64::from((*x2))) {
            h1_add[(match (match (c0 as u32) % 5 { 0 => (t0[((*x2) as usize) % 16] as u32), 1 | 3 => (c0 as u32), _ => ((*x1) as u32) }) % 5 { 0 => ((((*x2) as i32) > ((*x1) as i32)) as usize), 1 | 3 => (if ((c0 as i32) <= ((*x2) as i32)) { ((*x1) as usize) } else { (c0 as usize) }), _ => ((*x1) as usize) }).min(16 - 1)] += (if (((*x2) as u64) == 1u64) { ((*x2) as f32) } else { (c0 + ((*x1) as f32)) }).clamp(-8.0, 8.0);
        }
        match (*x2) % 4 {
            0 => { let bin5 = (((t0[((*x2) as usize) % 16] as usize) % 6) * ((c0 as usize) % 7)).max(((c0 as usize) >> 29)) % h2_add.len(); h2_add[bin5] += (((t0[((*x2) as usize) % 16] as u64) >> 58) % 5); }
            1..=2 => { h2_add[(((1u32 | (*x2)) % 2u32) & 15) as usize] += (((*x1) as u64).min((c0 as u64)) % 5); }
            _ => {}
        }
    }
}

fn r118(a0: &[i32], c0: f64, h0_add: &mut [[u8; 16]; 16]) {
    for x1 in a0.iter().copied() {
        let v2: i8;
        if ((c0 as u32) <= (c0 as u32)) {
            v2 = (x1 as i8);
        } else {
            v2 = ((x1 as f32) as i8);
        }
        let bytes3 = ((c0 as u32).count_ones() as u16).to_le_bytes();
        let mut rest4 = (1u64 >> 27);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        match count5 % 4 {
            0 => { h0_add[usize::from(bytes3[0]) % 16][(((x1 as f32).abs().sqrt() * (-(bytes3[1] as f32))).abs() * 3.0) as usize % 16] += 1; }
            1..=2 => { h0_add[((((bytes3[0] as f32) / (1.0 + (count5 as f32).abs())) - 3.0f32.max((c0 as f32))).abs() * 3.0) as usize % 16][((bytes3[0] as f32).abs() * 3.0) as usize % 16] += (((x1 as f64) == (v2 as f64)) && (x1 > (count5 as i32))) as u8; }
            _ => {}
        }
    }
}

fn r119(a0: &[[i8; 4]], c0: i32, h0_wrap: &mut [u8; 16]) {
    for p1 in a0 {
        let mut rest2 = (((p1[3] as u64) >= (p1[0] as u64)) as u32);
        let mut count3 = 0u32;
        while rest2 > 0 {
            rest2 >>= 1;
            count3 += 1;
        }
        let bin4 = ((p1[1] as usize) + 1usize) % 16; h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub(((p1[1] as f32) as u8).wrapping_sub((100u8 + 10u8)));
    }
}

fn r120(a0: &[[u64; 6]], h0_sub: &mut [[f32; 3]]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let k4: u32 = MASK;
        let bin5 = (7usize % 7usize) % h0_sub.len(); h0_sub[bin5][((if (u64::from(k4) != row1[2]) { (sum2 as f32) } else { ((row1[2] as f32) - (sum2 as f32)) }).abs() * 3.0) as usize % 3] -= (-(if ((row1[2] as f64) <= (sum2 as f64)) { (sum2 as f32) } else { (sum2 as f32) })).clamp(-8.0, 8.0);
        let bin6 = ((row1[2] as usize) + 100usize).wrapping_add(((row1[2] as usize) - 31usize)) % h0_sub.len(); h0_sub[bin6][((if (row1[2] <= (k4 as u64)) { (row1[2] as f32).abs() } else { (row1[2] as f32).abs() }).abs() * 3.0) as usize % 3] -= 1.0f32;
    }
}

fn r121(a0: &[f64], h0_wrap: &mut [u16; 16]) {
    for i1 in (1..a0.len()).step_by(2).rev() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (((i1 as i32) >= (a0[i1] as i32)) && (a0[i1] != (i1 as f64))) {
                break turns3 * 2;
            }
        };
        let v4: f64 = ((i1 as f64).floor() * (i1 as f64));
        let v5: i32 = ((v4 as i32) + 100i32);
        let bin6 = (a0[i1] as usize).wrapping_add(((turns3 <= (v4 as i32)) as usize)) % 16; h0_wrap[bin6] = h0_wrap[bin6].wrapping_mul((a0[i1] as u16));
        match (a0[i1] as u32) % 4 {
            0 => { let bin7 = 5usize.min(((a0[i1] as usize) | i1)) % 16; h0_wrap[bin7] = h0_wrap[bin7].wrapping_mul((i1 as u16).abs_diff((v5 as u16)).wrapping_add((turns3 as u16))); }
            1..=2 => { let bin8 = ((a0[i1] as f32).abs() * 3.0) as usize % 16; h0_wrap[bin8] = h0_wrap[bin8].wrapping_mul(((turns3 as u16) * 1u16)); }
            _ => {}
        }
    }
}

fn r122(a0: &[f64], h0_wrap: &mut [u16; 16]) {
    for x1 in a0.iter().copied() {
        if (x1 > x1) {
            let bin2 = ((x1 as f32).abs() * 3.0) as usize % 16; h0_wrap[bin2] = h0_wrap[bin2].wrapping_sub((if (!((x1 as u8) <= (x1 as u8))) { ((x1 as f32) as u16) } else { (x1 as u16) }));
        }
        match (2u32 + 7u32) % 4 {
            0 => { let bin3 = ((x1 as i32).min((((x1 as i32) < (x1 as i32)) as i32)).rem_euclid(16) as usize).min(16 - 1); h0_wrap[bin3] = h0_wrap[bin3].wrapping_sub(((x1 as u16).saturating_sub((x1 as u16)) % 8 + ((x1 as f32) as u16) % 5)); }
            1..=2 => { let bin4 = ((((x1 as i32) % 8 + (x1 as i32) % 5) / 5i32).rem_euclid(16) as usize).min(16 - 1); h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub(((x1 as u16) + 3u16)); }
            _ => {}
        }
    }
}

fn r123(a0: &[i8], c0: f64, h0_wrap: &mut Vec<isize>, h1_xor: &mut [i16]) {
    for i1 in -7..40i64 {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (!((i1 as i32) >= 10i32)) {
                break turns3 * 2;
            }
        };
        let bytes4 = (match (i1 as u32) % 5 { 0 => (c0 as u32), 1 | 3 => (turns3 as u32), _ => (found2 as u32) }).to_le_bytes();
        let bin5 = ((c0 as u32) & 15) as usize; h0_wrap[bin5] = h0_wrap[bin5].wrapping_sub((((found2 as isize) % 6) * (((turns3 as isize) ^ (turns3 as isize)) % 7)));
        let bin6 = ((-(found2 as f32).floor()).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin6] = h0_wrap[bin6].wrapping_sub(((c0 as isize).clamp(-20, 20) & (i1 as isize).clamp(-20, 20)));
        match ((turns3 as f64) as u32) % 4 {
            0 => { let bin7 = (found2 as usize).min(h1_xor.len() - 1); h1_xor[bin7] = h1_xor[bin7] ^ (found2 as i16); }
            1..=2 => { let bin8 = (i1 as usize).min(h1_xor.len() - 1); h1_xor[bin8] = h1_xor[bin8] ^ (if bytes4[0].is_ascii_digit() { ((i1 as i16) % 8 + (i1 as i16) % 5) } else { 2i16.max((c0 as i16)) }); }
            _ => {}
        }
    }
}

fn r124(a0: &[u64], a1: &[i32; 90], a2: &[usize], t0: &[i8; 16], h0_wrap: &mut [i8; 16], h1_sat: &mut [usize], h2_wrap: &mut [u16; 256]) {
    for ((&x1, &x2), x3) in a0.iter().zip(a1).zip(a2) {
        let v4: u16 = (if ((x2 as u8) == (x1 as u8)) { (if (x1 != (t0[(*x3) % 16] as u64)) { 3u16 } else { 2u16 }) } else { (x2 as u16).abs_diff((x2 as u16)) });
        let pair5 = ((-(v4 as f32)), 2i64);
        let bytes6 = (pair5.0 as u16).wrapping_add(v4).to_le_bytes();
        if (((pair5.0 as u64) == (pair5.1 as u64)) && ((pair5.1 as i32) >= (bytes6[1] as i32))) {
            let bin7 = 7u64.wrapping_mul(((x1 as f64) as u64)) as usize % 16; h0_wrap[bin7] = h0_wrap[bin7].wrapping_add(31i8);
        }
        let bin8 = ((bytes6[1] as u32) & 15) as usize; h1_sat[bin8] = h1_sat[bin8].saturating_add(((t0[(*x3) % 16] as usize).max((x2 as usize)) % 5usize));
        h2_wrap[(((x1 as f64) / (1.0 + (x2 as f64).abs())) as u8) as usize] = h2_wrap[(((x1 as f64) / (1.0 + (x2 as f64).abs())) as u8) as usize].wrapping_mul((x1 as u16));
        let bin9 = (v4 as usize) % 256; h2_wrap[bin9] = h2_wrap[bin9].wrapping_mul((v4 & (bytes6[0] as u16)));
    }
}

fn r125(a0: &[u32], h0_sub: &mut [i64; 64]) {
    for x1 in a0.iter().copied() {
        let v2 = (x1 ^ (((x1 as u64) >= (x1 as u64)) as u32));
        let local3 = [v2, ((x1 as u16).trailing_zeros() as u32), 7u32];
        if ((v2 >= local3[(v2 as usize).wrapping_mul((x1 as usize)) % 3]) && ((local3[(v2 as usize).wrapping_mul((x1 as usize)) % 3] as u64) > (v2 as u64))) {
            let bin4 = (3.0f32.abs().floor().abs() * 3.0) as usize % 64; h0_sub[bin4] = h0_sub[bin4] - 1;
        }
    }
}

fn r126(a0: &Vec<u64>, a1: &Vec<u64>, a2: &[usize; 90], r0_add: &mut u16) {
    for ((&x1, &x2), x3) in a0.iter().zip(a1).zip(a2) {
        *r0_add += ((x2 as u32) > (x1 as u32)) as u16;
    }
}

fn r127(a0: &[[f64; 6]], h0_add: &mut [u64]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3: u32 = MASK;
            let mut v4 = ((k3 as f64) as u32);
            if ((x2 as u64) != (y1 as u64)) {
                v4 = ((y1 as f64) as u32);
            }
            h0_add[(((v4 as f32) as u32).rotate_left(31) & 15) as usize] += (u64::from(k3) % 5);
        }
    }
}

fn r128(a0: &[i16], h0_and: &mut [i16]) {
    for &x1 in a0 {
        let k2: usize = WIDTH;
        let mut turns4 = 0i32;
        let found3 = loop {
            turns4 += 1;
            if turns4 > 4 || ((100u32 <= (x1 as u32)) || ((x1 as u64) >= (k2 as u64))) {
                break turns4 * 2;
            }
        };
        let bin5 = (((turns4 as f32) as u32).saturating_sub((match (x1 as u32) % 5 { 0 => (turns4 as u32), 1 | 3 => (k2 as u32), _ => (found3 as u32) })) & 15) as usize; h0_and[bin5] = h0_and[bin5] & (k2 as i16);
    }
}

fn r129(a0: &[i32; 90], c0: f32, h0_max: &mut [i8]) {
    for x1 in a0.iter().copied() {
        if ((c0 as f64) <= (c0 as f64)) {
            continue;
        }
        if ((c0 as f64) != (c0 as f64)) {
            continue;
        }
        let mut acc2 = 0u64;
        for j3 in 0..4usize {
            if ((acc2 as u32) > (acc2 as u32)) {
                break;
            }
            acc2 = acc2.wrapping_add((((x1 as u8) == (x1 as u8)) as u64).min(((x1 as f64) as u64)));
        }
        let bin4 = (((x1 as f32) * (acc2 as f32)).abs().abs() * 3.0) as usize % h0_max.len(); h0_max[bin4] = h0_max[bin4].max(((c0 as u8).count_ones() as i8));
    }
}

fn r130(a0: &Vec<u32>, h0_sub: &mut [i32; 16], h1_add: &mut [[u64; 4]]) {
    for p1 in a0.windows(3) {
        let bin2 = ((((p1[1] as u8) >= (p1[0] as u8)) as usize) ^ ((p1[0] as f64) as usize)).min(16 - 1); h0_sub[bin2] = h0_sub[bin2] - ((p1[0] as i32).min((p1[1] as i32)) % 5);
        let bin3 = (p1[2] as usize) % 16; h0_sub[bin3] = h0_sub[bin3] - (p1[0] > p1[1]) as i32;
        let bin4 = ((p1[1] as i32).rem_euclid(16) as usize).min(h1_add.len() - 1); h1_add[bin4][((p1[0] as i32).clamp(-20, 20).wrapping_add((7i32 | (p1[1] as i32))).rem_euclid(16) as usize).min(4 - 1)] += (!(p1[2] == p1[2])) as u64;
        let bin5 = ((p1[1] as usize) >> 30) % h1_add.len(); h1_add[bin5][u64::from(p1[0]) as usize % 4] += 1;
    }
}

fn r131(a0: &[u64], h0_sub: &mut [usize]) {
    for &x1 in a0.iter() {
        let bytes2 = ((x1 < x1) as u32).to_le_bytes();
        let v3: u32;
        if (((x1 as i32) != (bytes2[0] as i32)) || ((x1 as f64) >= (bytes2[0] as f64))) {
            v3 = ((bytes2[1] as u32) % 1u32);
        } else {
            v3 = (bytes2[1] as u32).max((bytes2[1] as u32));
        }
        let mut rest4 = (((bytes2[1] as u64) != (v3 as u64)) as u8);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        match (bytes2[0] as u32).rotate_left(9) % 4 {
            0 => { h0_sub[(((x1 as u32) ^ u32::from(bytes2[0])).abs_diff((bytes2[1] as u32).wrapping_add((bytes2[1] as u32))) & 15) as usize] -= (usize::from(bytes2[1]) % 5); }
            1..=2 => { let bin6 = (u64::from(count5) / 2u64) as usize % h0_sub.len(); h0_sub[bin6] -= 1; }
            _ => {}
        }
        let bin7 = (((x1 as f32) as i32).saturating_sub((x1 as i32)).rem_euclid(16) as usize).min(h0_sub.len() - 1); h0_sub[bin7] = h0_sub[bin7] - ((count5 as i32) == i32::from(bytes2[1])) as usize;
    }
}

fn r132(a0: &Vec<f64>, r0_xor: &mut i16) {
    for i1 in (0..a0.len()).step_by(3) {
        let mut v2 = (a0[i1] as u16).rotate_left(10);
        if ((a0[i1] as u64) >= (a0[i1] as u64)) {
            v2 |= (match (a0[i1] as u32) % 5 { 0 => (i1 as u16), 1 | 3 => (i1 as u16), _ => (i1 as u16) });
        }
        let v3: i32 = ((a0[i1] as i32) % 8 + (a0[i1] as i32).clamp(-20, 20) % 5);
        let v4: i32;
        if ((a0[i1] as u32) >= (i1 as u32)) {
            v4 = i32::from(v2);
        } else {
            v4 = ((a0[i1] >= (i1 as f64)) as i32);
        }
        *r0_xor = *r0_xor ^ (a0[i1] as i16).wrapping_add((v3 as i16)).max((a0[i1] as i16).clamp(-20, 20));
        if (7i32 == i32::from(v2)) {
            *r0_xor ^= (a0[i1] as i16);
        }
    }
}

fn r133(a0: &[[usize; 6]], c0: f32, h0_xor: &mut [i16; 1], h1_add: &mut [i64]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut turns4 = 0i32;
            let found3 = loop {
                turns4 += 1;
                if turns4 > 4 || ((y1 as u64) < (x2 as u64)) {
                    break turns4 * 2;
                }
            };
            if (10u32 >= (found3 as u32)) {
                h0_xor[(turns4 as usize).max(x2).wrapping_mul((c0 as usize).rotate_left(33)) % 1] = h0_xor[(turns4 as usize).max(x2).wrapping_mul((c0 as usize).rotate_left(33)) % 1] ^ ((if ((found3 as f64) > (y1 as f64)) { (a0[y1][x2] as i16) } else { (found3 as i16) }) & (turns4 as i16).wrapping_sub((found3 as i16)));
            }
            let bin5 = ((x2 as u64) ^ 1u64).max((((found3 as u64) % 6) * ((a0[y1][x2] as u64) % 7))) as usize % h1_add.len(); h1_add[bin5] += 1;
        }
    }
}

fn r134(a0: &[i16], c0: f32, r0_add: &mut f64) {
    for &x1 in a0.iter() {
        let k2 = WIDTH & 7usize;
        let local3 = [(c0 as usize), k2.rotate_left(33), 3usize];
        let v4: f32 = ((-(k2 as f32)) / (1.0 + (local3[(2.25f32 as usize) % 3] as f32).round().abs()));
        let mut v5 = (local3[(2.25f32 as usize) % 3] as f32);
        if (2u32 > (c0 as u32)) {
            v5 += (if ((x1 as f64) < (local3[(2.25f32 as usize) % 3] as f64)) { (x1 as f32) } else { v4 });
        }
        if ((c0 as u8) < 2u8) {
            *r0_add += 1.0f64;
        }
    }
}

fn r135(a0: &[u16; 90], n: usize, c0: i32, h0_and: &mut [[i16; 16]]) {
    for i1 in 0..n {
        let (p2, q3) = ((c0 as u64), ((i1 as i8) & (i1 as i8)));
        let mut v4 = ((c0 as f64) as i32);
        if (((p2 as u32) != (a0[i1] as u32)) && ((q3 as u32) <= (i1 as u32))) {
            v4 ^= ((p2 as i32) >> 28);
        }
        if ((v4 as u64) <= p2) {
            continue;
        }
        let bin5 = ((c0 as f32).abs().sqrt().abs() * 3.0) as usize % h0_and.len(); let bin6 = ((i32::from(q3) / 2i32).rotate_left(5).rem_euclid(16) as usize).min(16 - 1); h0_and[bin5][bin6] = h0_and[bin5][bin6] & i16::from(q3);
    }
}

fn r136(a0: &Vec<i8>, t0: &[usize; 16], h0_and: &mut [i64]) {
    for i1 in 0..a0.len() {
        let k2: usize = WIDTH;
        let mut v3 = 5u16;
        if (((k2 as i32) != (a0[i1] as i32)) && (1u32 <= (i1 as u32))) {
            v3 |= ((a0[i1] as u16) * 2u16);
        }
        let v4: u8;
        if ((v3 as f64) >= (t0[(i1 / 1usize) % 16] as f64)) {
            v4 = (t0[(i1 / 1usize) % 16] as u8).saturating_sub((v3 as u8));
        } else {
            v4 = (v3 as u8).wrapping_mul((a0[i1] as u8));
        }
        let v5: f64;
        if ((1u8 > (a0[i1] as u8)) || ((a0[i1] as u8) < (k2 as u8))) {
            v5 = (v4 as f64);
        } else {
            v5 = 2.25f64.abs().sqrt();
        }
        let bin6 = ((-((t0[(i1 / 1usize) % 16] as f32) / (1.0 + (v4 as f32).abs()))).abs() * 3.0) as usize % h0_and.len(); h0_and[bin6] &= (k2 as i64);
    }
}

fn r137(a0: &[f64], r0_max: &mut isize, e0_add: &mut [f64]) {
    for i1 in (0..a0.len()).rev() {
        let mut v2 = (i1 as u32).abs_diff((a0[i1] as u32));
        if (((a0[i1] as u64) > (a0[i1] as u64)) && ((i1 as u64) > (i1 as u64))) {
            v2 &= ((i1 as u32) % 8 + 2u32 % 5);
        }
        *r0_max = (*r0_max).max((a0[i1] as isize).wrapping_mul((a0[i1] as isize)).rotate_left(62));
        e0_add[i1] += (((i1 as f64) - (v2 as f64)) - (v2 as f64)).clamp(-8.0, 8.0);
    }
}

fn r138(a0: &[u8], e0_or: &mut [u32], h0_max: &mut [f32; 7]) {
    for (i2, x1) in a0.iter().rev().enumerate() {
        e0_or[i2] |= (((*x1) as u32).abs_diff((i2 as u32)) ^ u32::from((*x1)));
        let bin3 = ((i2 & ((*x1) as usize)) % 8 + (2usize & i2) % 5) % 7; h0_max[bin3] = h0_max[bin3].max(((i2 as f32).abs() - (i2 as f32)));
    }
}

fn r139(a0: &[u64; 90], a1: &Vec<i8>, h0_sub: &mut [u64; 1]) {
    for (x1, x2) in a0.iter().zip(a1) {
        if ((((*x1) as u8) >= ((*x1) as u8)) && (((*x2) as f64) == ((*x2) as f64))) {
            h0_sub[((*x2) as usize).min(1 - 1)] = h0_sub[((*x2) as usize).min(1 - 1)] - (((*x2) as u32) != ((*x2) as u32)) as u64;
        }
        if (7u8 > ((*x2) as u8)) {
            let bin3 = (2u64 + 10u64).abs_diff(((*x2) as u64)) as usize % 1; h0_sub[bin3] = h0_sub[bin3] - (((*x1) as u32) != ((*x2) as u32)) as u64;
        }
    }
}

fn r140(a0: &[f32], c0: f32, h0_add: &mut [u16]) {
    for p1 in a0.windows(4) {
        let mut v2 = (((p1[2] as u32) % 6) * ((p1[2] as u32) % 7));
        if ((p1[1] as u8) < (p1[2] as u8)) {
            v2 |= (p1[3] as u32).wrapping_mul((p1[0] as u32));
        }
        let bin3 = ((1i32 ^ (p1[2] as i32).wrapping_add((c0 as i32))).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin3] += 1;
    }
}

fn r141(a0: &[u8], h0_max: &mut [i64; 16]) {
    for i1 in (1..a0.len()).step_by(2).rev() {
        let v2: i64 = (7i64.trailing_zeros() as i64).wrapping_add((a0[i1] as i64));
        let mut local3 = [100u8; 4];
        local3[(((a0[i1] as u32) < u32::from(a0[i1])) as usize) % 4] = ((v2 as u8) + 7u8);
        match (v2 as u32) % 4 {
            0 => { let bin4 = 3u64 as usize % 16; h0_max[bin4] = h0_max[bin4].max((5i64 & (local3[1] as i64).max((a0[i1] as i64)))); }
            1..=2 => { h0_max[((i1 as f32).abs().abs() * 3.0) as usize % 16] = h0_max[((i1 as f32).abs().abs() * 3.0) as usize % 16].max(((v2 as f32) as i64)); }
            _ => {}
        }
    }
}

fn r142(a0: &Vec<i32>, c0: f64, h0_min: &mut [i16], r0_or: &mut u64) {
    for &x1 in a0 {
        let bin2 = (match (c0 as u32).wrapping_sub((c0 as u32)) % 5 { 0 => (c0 as usize).abs_diff(3usize), 1 | 3 => (match (x1 as u32) % 5 { 0 => (c0 as usize), 1 | 3 => (x1 as usize), _ => (c0 as usize) }), _ => (x1 as usize) }) % h0_min.len(); h0_min[bin2] = h0_min[bin2].min((c0 as i16));
        if (7u32 == (x1 as u32)) {
            let bin3 = (x1 as u64) as usize % h0_min.len(); h0_min[bin3] = h0_min[bin3].min(((x1 as f32).abs() as i16));
        }
        *r0_or |= (c0 as u64).wrapping_sub((x1 as u64)).saturating_sub(((x1 as u64) + 1u64));
        *r0_or |= (x1 as u64);
    }
}

fn r143(a0: &[f64], a1: &Vec<u32>, h0_add: &mut [f32]) {
    for (x1, &x2) in a0.iter().zip(a1) {
        let v3: f64;
        if ((x2 as f64) > (x2 as f64)) {
            v3 = (x2 as f64);
        } else {
            v3 = (*x1).max((*x1));
        }
        let mut rest4 = (u64::from(x2) * 1u64);
        let mut count5 = 0u32;
        while rest4 > 0 {
            rest4 >>= 1;
            count5 += 1;
        }
        match (match x2 % 5 { 0 => count5, 1 | 3 => count5, _ => (v3 as u32) }) % 4 {
            0 => { let bin6 = (((((*x1) as i32) + 3i32) ^ ((x2 as f64) as i32)).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin6] += ((x2 as f32) - (-(v3 as f32))).clamp(-8.0, 8.0); }
            1..=2 => { let bin7 = ((if ((v3 as u32) < count5) { ((*x1) as i64) } else { i64::from(x2) }).count_ones() as usize) % h0_add.len(); h0_add[bin7] += (-1.0f32).max(((*x1) as f32)).clamp(-8.0, 8.0); }
            _ => {}
        }
        match (1u32 >> 21) % 4 {
            0 => { h0_add[(((*x1) as u32) & 15) as usize] += ((count5 as f32).max((v3 as f32)) / (1.0 + ((*x1) as f32).abs().abs())).clamp(-8.0, 8.0); }
            1..=2 => { let bin8 = ((x2 as f64) as usize).abs_diff((((*x1) as usize) % 8 + (x2 as usize) % 5)) % h0_add.len(); h0_add[bin8] += 1.0f32; }
            _ => {}
        }
    }
}

fn r144(a0: &Vec<[u32; 6]>, r0_max: &mut f64) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let v3 = (match ((x2 as u32) ^ a0[y1][x2]) % 5 { 0 => (x2 % 8 + y1 % 5), 1 | 3 => ((y1 as i64).trailing_zeros() as usize), _ => (a0[y1][x2] as usize) });
            let v4: usize;
            if (((a0[y1][x2] as i32) <= (x2 as i32)) && ((v3 as u8) <= (v3 as u8))) {
                v4 = x2.max(y1);
            } else {
                v4 = (if ((a0[y1][x2] as f64) == (y1 as f64)) { (a0[y1][x2] as usize) } else { x2 });
            }
            let (p5, q6) = ((v3 as i8), ((v3 as i64).trailing_zeros() as i16));
            if ((p5 as u64) > (q6 as u64)) {
                *r0_max = (*r0_max).max(0.5f64);
            }
            if ((q6 as u64) >= (v4 as u64)) {
                *r0_max = (*r0_max).max(((a0[y1][x2] as f64) / (1.0 + (x2 as f64).abs())).max((y1 as f64).sin()));
            }
        }
    }
}

fn r145(a0: &[u8], c0: f32, h0_sub: &mut Vec<isize>, h1_and: &mut [[u8; 3]; 16], h2_wrap: &mut [isize; 64]) {
    for x1 in a0.iter().skip(2).take(30) {
        let v2 = ((*x1) as i16);
        if (((c0 as u8) <= (v2 as u8)) && (((*x1) as f64) < (c0 as f64))) {
            continue;
        }
        let bytes3 = ((c0 as i64) >> 8).to_le_bytes();
        if ((*x1).is_ascii_digit() || (*x1).is_ascii_digit()) {
            h0_sub[((bytes3[1] as u32) & 15) as usize] = h0_sub[((bytes3[1] as u32) & 15) as usize] - ((1i32 <= (bytes3[1] as i32)) || ((bytes3[0] as f64) < (v2 as f64))) as isize;
        }
        match ((v2 as u32) / 100u32) % 4 {
            0 => { h0_sub[((((*x1) & 2u8).trailing_zeros() as u32) & 15) as usize] -= ((c0 as u32) >= u32::from(bytes3[1])) as isize; }
            1..=2 => { h0_sub[(31u32.max((bytes3[1] as u32).rotate_left(21)) & 15) as usize] = h0_sub[(31u32.max((bytes3[1] as u32).rotate_left(21)) & 15) as usize] - 1; }
            _ => {}
        }
        match u32::from(bytes3[0]) % 4 {
            0 => { h1_and[((bytes3[1] as i32).rem_euclid(16) as usize).min(16 - 1)][(((if ((v2 as u64) >= u64::from(bytes3[0])) { 1u64 } else { (v2 as u64) }) % 6) * (u64::from((*x1)).saturating_sub((v2 as u64)) % 7)) as usize % 3] &= bytes3[0]; }
            1..=2 => { h1_and[((((bytes3[0] as u32) < (bytes3[0] as u32)) || ((bytes3[1] as u32) < u32::from(bytes3[0]))) as usize) % 16][(match (((*x1) as f32) as u32) % 5 { 0 => (c0 as usize).min((c0 as usize)), 1 | 3 => usize::from(bytes3[0]).rotate_left(27), _ => (((*x1) as usize) / 1usize) }).min(3 - 1)] &= (bytes3[1] & (v2 as u8)).wrapping_add(((bytes3[1] == bytes3[1]) as u8)); }
            _ => {}
        }
        if ((c0 as u64) <= ((*x1) as u64)) {
            h1_and[((bytes3[0] as f64).abs() as u64) as usize % 16][(((bytes3[0] as f32).exp() * (bytes3[0] as f32).trunc()).abs() * 3.0) as usize % 3] = h1_and[((bytes3[0] as f64).abs() as u64) as usize % 16][(((bytes3[0] as f32).exp() * (bytes3[0] as f32).trunc()).abs() * 3.0) as usize % 3] & ((bytes3[0] as f64).min((bytes3[0] as f64)) as u8);
        }
        h2_wrap[(c0 as usize) % 64] = h2_wrap[(c0 as usize) % 64].wrapping_sub(((c0 as f64).exp() as isize));
    }
}

fn r146(a0: &[f64], a1: &[usize], c0: f32, h0_wrap: &mut [u64]) {
    for (x1, x2) in a0.iter().zip(a1.iter()) {
        let v3: u16;
        if (((*x1) as u32) == (c0 as u32)) {
            v3 = ((*x2) as u16);
        } else {
            v3 = (((*x2) as u16) % 8 + (c0 as u16) % 5);
        }
        let bin4 = ((*x1) as usize).min(h0_wrap.len() - 1); h0_wrap[bin4] = h0_wrap[bin4].wrapping_add(((*x2) as u64).abs_diff(u64::from(v3).wrapping_add(((*x1) as u64))));
        let bin5 = (c0 as usize) % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_add((match ((*x2) as u32) % 5 { 0 => (u64::from(v3) >> 11), 1 | 3 => (if ((c0 as i32) <= 10i32) { 3u64 } else { (c0 as u64) }), _ => (c0 as u64).abs_diff(u64::from(v3)) }));
    }
}

fn r147(a0: &[[u64; 6]], c0: f64, h0_xor: &mut [i64], h1_and: &mut Vec<u16>) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let bytes3 = ((a0[y1][x2] as f64) as u32).to_le_bytes();
            match ((bytes3[0] as f64) as u32) % 4 {
                0 => { let bin4 = (((a0[y1][x2] > 100u64) && (u32::from(bytes3[0]) != u32::from(bytes3[1]))) as usize) % h0_xor.len(); h0_xor[bin4] = h0_xor[bin4] ^ (x2 as i64).wrapping_add((bytes3[0] as i64)).rotate_left(8); }
                1..=2 => { let bin5 = x2 % h0_xor.len(); h0_xor[bin5] ^= ((x2 as i64) >> 28); }
                _ => {}
            }
            h0_xor[((a0[y1][x2] as u32) & 15) as usize] ^= ((((y1 as u8) <= (a0[y1][x2] as u8)) as i64) % 8 + (match (x2 as u32) % 5 { 0 => (bytes3[0] as i64), 1 | 3 => (bytes3[0] as i64), _ => (c0 as i64) }) % 5);
            match (a0[y1][x2] as u32).abs_diff((y1 as u32)) % 4 {
                0 => { let bin6 = (x2 as u64) as usize % h1_and.len(); h1_and[bin6] &= ((bytes3[1] as u16).wrapping_mul((y1 as u16)) & (u16::from(bytes3[0]) | 2u16)); }
                1..=2 => { let bin7 = (((((y1 as f64) as i32) % 6) * (7i32.wrapping_sub((c0 as i32)) % 7)).rem_euclid(16) as usize).min(h1_and.len() - 1); h1_and[bin7] = h1_and[bin7] & (if ((x2 as f64) >= c0) { (y1 as u16).rotate_left(6) } else { (c0 as u16).wrapping_mul((c0 as u16)) }); }
                _ => {}
            }
        }
    }
}

fn r148(a0: &Vec<i32>, h0_max: &mut [[i64; 16]; 16]) {
    for i1 in 0..a0.len() {
        let k2 = MASK & 7u32;
        if ((i1 as f64) <= (a0[i1] as f64)) {
            let bin3 = (a0[i1] as usize) % 16; let bin4 = (a0[i1] as usize) % 16; h0_max[bin3][bin4] = h0_max[bin3][bin4].max((if ((a0[i1] as u8) < (a0[i1] as u8)) { ((k2 as i64) | (a0[i1] as i64)) } else { ((a0[i1] as i64) % 8 + (k2 as i64) % 5) }));
        }
    }
}

fn r149(a0: &[f32], h0_wrap: &mut [u32]) {
    for x1 in a0.iter() {
        let mut v2 = ((*x1) - (*x1));
        if (((*x1) as f64) > ((*x1) as f64)) {
            v2 += (*x1);
        }
        if ((v2 as i32) <= ((*x1) as i32)) {
            let bin3 = ((((*x1) as u32) ^ (((v2 as u64) == ((*x1) as u64)) as u32)) & 15) as usize; h0_wrap[bin3] = h0_wrap[bin3].wrapping_sub(((match (v2 as u32) % 5 { 0 => ((*x1) as u32), 1 | 3 => (v2 as u32), _ => (v2 as u32) }) / 1u32));
        }
        match 10u32.rotate_left(25) % 4 {
            0 => { let bin4 = ((v2 as f64).max(((*x1) as f64)) as usize) % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub((((*x1) as u32).trailing_zeros() as u32).abs_diff((((*x1) as u16).leading_zeros() as u32))); }
            1..=2 => { let bin5 = (((*x1) - (*x1)).min(v2.max((*x1))).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_sub((2u32 % 8 + ((v2 as u32) & (v2 as u32)) % 5)); }
            _ => {}
        }
    }
}

fn r150(a0: &Vec<i8>, h0_add: &mut [isize]) {
    for x1 in a0.iter().copied() {
        let k2 = MASK & 7u32;
        if (((k2 as i32) <= (k2 as i32)) || ((k2 as u8) < (x1 as u8))) {
            let bin3 = (((k2 as i32) / 100i32).wrapping_sub((k2 as i32).saturating_sub((x1 as i32))).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin3] = h0_add[bin3] + 1;
        }
    }
}

fn r151(a0: &[usize; 90], r0_and: &mut i64, h0_xor: &mut [[i8; 16]; 16], h1_min: &mut [f32; 64]) {
    for x1 in a0.iter() {
        let k2: u32 = MASK;
        let mut v3 = ((k2 as f32) as i32);
        if ((k2 as i32) != (k2 as i32)) {
            v3 = (if ((k2 as i32) != ((*x1) as i32)) { (k2 as i32) } else { ((*x1) as i32) });
        }
        let mut turns5 = 0i32;
        let found4 = loop {
            turns5 += 1;
            if turns5 > 4 || ((v3 as u32) <= k2) {
                break turns5 * 2;
            }
        };
        if (v3 >= found4) {
            *r0_and = *r0_and & ((*x1) as i64).min((found4 as i64)).max((3i64 >> 10));
        }
        let bin6 = (v3.rem_euclid(16) as usize).min(16 - 1); let bin7 = ((*x1) as u64) as usize % 16; h0_xor[bin6][bin7] = h0_xor[bin6][bin7] ^ (v3 as i8).clamp(-20, 20).clamp(-20, 20);
        let bin8 = (((turns5 as usize) % 6) * (((k2 as f64) as usize) % 7)) % 16; let bin9 = (((*x1) as i32).rem_euclid(16) as usize).min(16 - 1); h0_xor[bin8][bin9] = h0_xor[bin8][bin9] ^ (match (k2 + 100u32) % 5 { 0 => ((v3 as i8) % 10i8), 1 | 3 => ((turns5 as u16).count_ones() as i8), _ => (turns5 as i8) });
        let bin10 = ((found4 as f32).abs().sqrt().abs() * 3.0) as usize % 64; h1_min[bin10] = h1_min[bin10].min((((turns5 as f32) - (v3 as f32)) * (turns5 as f32).abs()));
    }
}

fn r152(a0: &[i16], t0: &[i16; 16], h0_add: &mut [u8; 7]) {
    for (i2, &x1) in a0.iter().take(17).step_by(4).enumerate() {
        if (!((i2 as i32) == (x1 as i32))) {
            continue;
        }
        let v3 = 2i8;
        if ((x1 as u32) > (x1 as u32)) {
            continue;
        }
        match (i2 as u32).wrapping_sub((x1 as u32)) % 4 {
            0 => { h0_add[(match (v3 as u32).min((i2 as u32)) % 5 { 0 => (t0[((31u32 < 31u32) as usize) % 16] as usize).saturating_sub((t0[((31u32 < 31u32) as usize) % 16] as usize)), 1 | 3 => ((t0[((31u32 < 31u32) as usize) % 16] as usize) >> 62), _ => (x1 as usize) }).min(7 - 1)] += ((i2 as i32) <= (i2 as i32)) as u8; }
            1..=2 => { h0_add[((i2 as f64) as usize).min(7 - 1)] += (!((i2 as f64) <= 3.0f64)) as u8; }
            _ => {}
        }
    }
}

fn r153(a0: &Vec<f64>, c0: u32, h0_add: &mut [u64; 1], h1_add: &mut [u64]) {
    for i1 in (1..a0.len()).step_by(2).rev() {
        h0_add[u64::from(c0) as usize % 1] += (((c0 as f64) as u64) % 5);
        match ((a0[i1] as f32) as u32) % 4 {
            0 => { h1_add[(((a0[i1] as u32) % 31u32).wrapping_sub(c0.rotate_left(4)) & 15) as usize] += ((i1 as i32) <= (c0 as i32)) as u64; }
            1..=2 => { let bin2 = i1 % h1_add.len(); h1_add[bin2] += ((a0[i1] as u64).wrapping_mul((c0 as u64)) % 5); }
            _ => {}
        }
        match (((a0[i1] as u32) % 6) * (c0 % 7)) % 4 {
            0 => { let bin3 = ((((a0[i1] as usize) * 31usize) % 6) * ((a0[i1] as usize).rotate_left(44) % 7)) % h1_add.len(); h1_add[bin3] = h1_add[bin3] + 1; }
            1..=2 => { let bin4 = ((i1 as u32) & 15) as usize; h1_add[bin4] = h1_add[bin4] + ((a0[i1] as u8) > (a0[i1] as u8)) as u64; }
            _ => {}
        }
    }
}

fn r154(a0: &[[i64; 6]], c0: f32, h0_add: &mut [[u32; 3]; 16], r0_add: &mut u8, h1_add: &mut [u16]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let v3: usize;
            if ((x2 as f64) > (c0 as f64)) {
                v3 = (c0 as usize);
            } else {
                v3 = ((a0[y1][x2] as usize) & x2);
            }
            let v4: i64 = ((x2 as i64).wrapping_add((y1 as i64)) / 5i64);
            h0_add[((x2 as f64) as u64).min(((x2 as u64) / 10u64)) as usize % 16][((v4 as f32).abs().round().abs() * 3.0) as usize % 3] += (!((x2 as f64) > (c0 as f64))) as u32;
            *r0_add += (3u64 != 5u64) as u8;
            if ((y1 as u8) <= (v4 as u8)) {
                h1_add[((c0 as u32) & 15) as usize] += (!((v4 as i32) > (c0 as i32))) as u16;
            }
        }
    }
}

fn r155(a0: &[u16], h0_add: &mut [u32; 1000]) {
    for x1 in a0.iter().copied() {
        let v2 = ((x1 as i64) - 7i64).max((x1 as i64));
        if ((v2 as u64) > (x1 as u64)) {
            continue;
        }
        let mut rest3 = (v2 as u8);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let bin5 = (v2 as u64) as usize % 1000; h0_add[bin5] = h0_add[bin5] + ((x1 as u32).wrapping_sub(7u32) % 5);
    }
}

fn r156(s: &str, c0: i32, h0_and: &mut [[i64; 4]; 16]) {
    for b1 in s.bytes() {
        let mut local2 = [100i64; 4];
        local2[(c0 as usize).max(1usize) % 4] = (10i64 - 7i64);
        h0_and[((b1 as i64).trailing_zeros() as usize).wrapping_sub((local2[(c0 as usize).max(1usize) & 3] as usize).abs_diff((local2[(c0 as usize).max(1usize) & 3] as usize))).min(16 - 1)][((b1.leading_zeros() as i32).clamp(-20, 20).rem_euclid(16) as usize).min(4 - 1)] &= i64::from(b1);
    }
}

fn r157(a0: &[[i8; 3]], h0_sub: &mut [f32]) {
    for &[x2, x3, x4] in a0 {
        let k5 = WIDTH & 7usize;
        if ((x2 as i32) == i32::from(x3)) {
            let bin6 = ((((x2 as u32) % 8 + (x3 as u32) % 5) >> 14) & 15) as usize; h0_sub[bin6] = h0_sub[bin6] - 1.0f32;
        }
    }
}

fn r158(a0: &Vec<usize>, h0_add: &mut Vec<u64>, h1_min: &mut [isize], h2_max: &mut [i8]) {
    for (i2, x1) in a0.iter().enumerate().skip(1) {
        let k3 = MASK & 7u32;
        let bytes4 = ((*x1) as u32).saturating_sub(((*x1) as u32)).to_le_bytes();
        let mut turns6 = 0i32;
        let found5 = loop {
            turns6 += 1;
            if turns6 > 4 || bytes4[0].is_ascii_digit() {
                break turns6 * 2;
            }
        };
        let mut v7 = ((bytes4[1] as f32) as u32);
        if (!((bytes4[1] as f64) > (k3 as f64))) {
            v7 ^= (match k3 % 5 { 0 => (turns6 as u32), 1 | 3 => (turns6 as u32), _ => (i2 as u32) });
        }
        match (((turns6 as u32) % 6) * (k3 % 7)) % 4 {
            0 => { let bin8 = ((usize::from(bytes4[1]) * 5usize) | (*x1)) % h0_add.len(); h0_add[bin8] = h0_add[bin8] + 1; }
            1..=2 => { let bin9 = (((turns6 as f32) / (1.0 + (bytes4[0] as f32).abs())).min(2.25f32.min((turns6 as f32))).abs() * 3.0) as usize % h0_add.len(); h0_add[bin9] += ((u64::from(bytes4[0]) >> 38) % 5); }
            _ => {}
        }
        match u32::from(bytes4[1]).max(v7) % 4 {
            0 => { let bin10 = ((((*x1) as i32).wrapping_add((i2 as i32)) / 5i32).rem_euclid(16) as usize).min(h1_min.len() - 1); h1_min[bin10] = h1_min[bin10].min(((u64::from(bytes4[1]) > (found5 as u64)) as isize)); }
            1..=2 => { let bin11 = (if (((bytes4[1] as i32) >= (k3 as i32)) && (bytes4[1] <= bytes4[1])) { (k3 as usize) } else { usize::from(bytes4[1]) }).min(h1_min.len() - 1); h1_min[bin11] = h1_min[bin11].min((bytes4[0] as isize)); }
            _ => {}
        }
        let bin12 = (((*x1) as i32).rem_euclid(16) as usize).min(h2_max.len() - 1); h2_max[bin12] = h2_max[bin12].max((((found5 as i8) % 8 + (bytes4[0] as i8) % 5) / 100i8));
        let bin13 = ((bytes4[1] as f32) as usize).rotate_left(28) % h2_max.len(); h2_max[bin13] = h2_max[bin13].max((bytes4[1] as i8));
    }
}

fn r159(a0: &[u64; 90], h0_max: &mut [[i16; 3]], h1_xor: &mut [u32; 16]) {
    for x1 in a0.iter().copied() {
        let (p2, q3) = (((x1 as i64) | 3i64), (x1 as u16));
        let v4 = u64::from(q3);
        let bin5 = (2usize & (v4 as usize)).wrapping_add((x1 as usize).abs_diff((x1 as usize))).min(h0_max.len() - 1); let bin6 = ((v4 as i32).rotate_left(6).rotate_left(10).rem_euclid(16) as usize).min(3 - 1); h0_max[bin5][bin6] = h0_max[bin5][bin6].max((p2 as i16));
        if (!((x1 as i32) >= (v4 as i32))) {
            h1_xor[((p2 as usize) | ((p2 as f64) as usize)) % 16] ^= (x1 as u32);
        }
        let bin7 = (v4 as usize).wrapping_add((p2 as usize)) % 16; h1_xor[bin7] = h1_xor[bin7] ^ (v4 as u32);
    }
}

fn r160(s: &str, c0: u32, h0_min: &mut [[u64; 16]; 16], h1_min: &mut [[u64; 4]; 16], h2_min: &mut [i64]) {
    for &b1 in s.as_bytes() {
        let k2 = WIDTH & 7usize;
        h0_min[((((b1 as f64) >= (b1 as f64)) || ((k2 as i32) < (c0 as i32))) as usize).min(16 - 1)][((c0 as usize).wrapping_mul((b1 as usize)) ^ (c0 as usize).abs_diff((c0 as usize))).min(16 - 1)] = h0_min[((((b1 as f64) >= (b1 as f64)) || ((k2 as i32) < (c0 as i32))) as usize).min(16 - 1)][((c0 as usize).wrapping_mul((b1 as usize)) ^ (c0 as usize).abs_diff((c0 as usize))).min(16 - 1)].min((u64::from(c0) | (3u64 >> 51)));
        let bin3 = (if b1.is_ascii_digit() { ((k2 as f32) as usize) } else { (c0 as usize).wrapping_mul((c0 as usize)) }).min(16 - 1); let bin4 = (((k2 as i32).saturating_sub((c0 as i32)) ^ (k2 as i32)).rem_euclid(16) as usize).min(4 - 1); h1_min[bin3][bin4] = h1_min[bin3][bin4].min(((b1 as f64).trunc() as u64));
        let bin5 = ((k2 as i32).wrapping_sub((c0 as i32)).max((b1 as i32)).rem_euclid(16) as usize).min(16 - 1); let bin6 = ((k2 as f32).abs() * 3.0) as usize % 4; h1_min[bin5][bin6] = h1_min[bin5][bin6].min(((-(c0 as f64)) as u64));
        let bin7 = ((c0 as f32).abs() * 3.0) as usize % h2_min.len(); h2_min[bin7] = h2_min[bin7].min(((((k2 as i64) & i64::from(b1)) % 6) * ((b1 as i64).min((b1 as i64)) % 7)));
    }
}

fn r161(a0: &[i16], a1: &[u32; 90], a2: &[u64], r0_add: &mut f64) {
    for ((x1, x2), &x3) in a0.iter().zip(a1).zip(a2) {
        if ((10u64 != ((*x1) as u64)) || ((x3 as i32) <= (x3 as i32))) {
            continue;
        }
        let v4 = (((match (*x2) % 5 { 0 => 10usize, 1 | 3 => ((*x1) as usize), _ => 2usize }) % 6) * ((x3 as usize) % 7));
        let v5 = ((1.0f32 - 3.0f32) as u64);
        *r0_add += (3.0f64 + 1.0f64).sin();
    }
}

fn r162(a0: &Vec<i16>, h0_max: &mut [[isize; 16]; 16]) {
    for (i2, x1) in a0.iter().enumerate() {
        let bytes3 = ((*x1) as u32).min((i2 as u32)).to_le_bytes();
        if ((3i32 >= i32::from((*x1))) && ((bytes3[0] as i32) != (i2 as i32))) {
            let bin4 = ((*x1) as u64).wrapping_mul(((*x1) as u64)) as usize % 16; let bin5 = (if bytes3[0].is_ascii_digit() { (bytes3[1] as usize) } else { ((bytes3[1] as usize) ^ usize::from(bytes3[1])) }) % 16; h0_max[bin4][bin5] = h0_max[bin4][bin5].max((((100isize ^ (bytes3[1] as isize)) % 6) * (((bytes3[0] as isize) / 7isize) % 7)));
        }
        let bin6 = (match ((*x1) as u32) % 5 { 0 => ((*x1) as usize), 1 | 3 => usize::from(bytes3[0]).saturating_sub(i2), _ => ((*x1) as usize) }) % 16; let bin7 = ((i2 as f32).abs().sqrt().min(((*x1) as f32).ceil()).abs() * 3.0) as usize % 16; h0_max[bin6][bin7] = h0_max[bin6][bin7].max((((bytes3[1] as u32).leading_zeros() as isize) % 8 + (if ((i2 as u32) > u32::from(bytes3[0])) { 10isize } else { 2isize }) % 5));
    }
}

fn r163(a0: &[[usize; 6]; 90], c0: f64, h0_sub: &mut [u64; 64], h1_or: &mut [i64]) {
    for row1 in a0 {
        for x2 in row1 {
            let mut acc3 = 0u64;
            for j4 in 0..5usize {
                acc3 = acc3.wrapping_add((((*x2) as u64).saturating_sub((j4 as u64)) % 8 + (match ((*x2) as u32) % 5 { 0 => (c0 as u64), 1 | 3 => acc3, _ => (c0 as u64) }) % 5));
            }
            let (p5, q6) = (((acc3 as i32) | ((*x2) as i32)), 3.0f32);
            if ((acc3 as i32) >= ((*x2) as i32)) {
                h0_sub[(((*x2) as u64).min((c0 as u64)) % 8 + (10u64 >> 10) % 5) as usize % 64] -= 1;
            }
            h0_sub[((*x2) | (p5 as usize)).wrapping_sub((*x2)).min(64 - 1)] -= 1;
            match (p5 as u32).abs_diff((acc3 as u32)) % 4 {
                0 => { h1_or[(10u32 & 15) as usize] |= (p5 as i64).max(7i64.min((acc3 as i64))); }
                1..=2 => { let bin7 = ((q6 as usize) - 100usize).wrapping_mul((match (c0 as u32) % 5 { 0 => (*x2), 1 | 3 => (p5 as usize), _ => (c0 as usize) })) % h1_or.len(); h1_or[bin7] |= (((c0 as i64) % 10i64) & (match (p5 as u32) % 5 { 0 => (acc3 as i64), 1 | 3 => ((*x2) as i64), _ => (acc3 as i64) })); }
                _ => {}
            }
            match ((*x2) as u32).abs_diff((acc3 as u32)) % 4 {
                0 => { h1_or[(((p5 as f64).round() as u32) & 15) as usize] |= (if (!((p5 as u32) != 3u32)) { ((acc3 as i64) % 8 + ((*x2) as i64) % 5) } else { ((*x2) as i64).min(((*x2) as i64)) }); }
                1..=2 => { let bin8 = (((!(((*x2) as u64) == 31u64)) as i32).rem_euclid(16) as usize).min(h1_or.len() - 1); h1_or[bin8] |= ((((*x2) as f64) >= c0) as i64); }
                _ => {}
            }
        }
    }
}

fn r164(a0: &[[u32; 6]], h0_and: &mut [i64; 7]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        match (row1[2] / 2u32) % 4 {
            0 => { let bin4 = ((2i32.rotate_left(10) & ((sum2 as i32) | (row1[2] as i32))).rem_euclid(16) as usize).min(7 - 1); h0_and[bin4] = h0_and[bin4] & (10i64 - 7i64); }
            1..=2 => { h0_and[(((row1[2] as usize) * 7usize) / 1usize) % 7] &= (row1[2] as i64); }
            _ => {}
        }
        h0_and[((sum2 as u64) % 8 + (sum2 as u64) % 5).rotate_left(5) as usize % 7] &= ((sum2 as i64) & (row1[2] as i64));
    }
}

fn r165(a0: &Vec<u64>, h0_sub: &mut [[i64; 16]; 1], h1_wrap: &mut [[isize; 4]; 1], h2_min: &mut [[usize; 3]]) {
    for x1 in a0 {
        let k2 = WIDTH & 7usize;
        let v3: i64 = ((*x1) as i64);
        h0_sub[((((*x1) as i32).wrapping_mul(((*x1) as i32)) & (v3 as i32).min((k2 as i32))).rem_euclid(16) as usize).min(1 - 1)][((k2 as f64) as usize).abs_diff(((k2 % 6) * (k2 % 7))).min(16 - 1)] -= ((v3 as u8) < (v3 as u8)) as i64;
        h0_sub[k2 % 1][((*x1) as usize) % 16] -= 1;
        if (!(2u8 != (v3 as u8))) {
            let bin4 = ((v3 as f32).round().floor().abs() * 3.0) as usize % 1; let bin5 = 3usize.min(4 - 1); h1_wrap[bin4][bin5] = h1_wrap[bin4][bin5].wrapping_sub((2isize ^ (v3 as isize)).wrapping_add((k2 as isize).wrapping_sub((k2 as isize))));
        }
        let bin6 = (v3 as usize).wrapping_sub(k2).max(((v3 as usize) % 31usize)) % h2_min.len(); let bin7 = (((*x1) as usize) % 8 + ((v3 as f32) as usize) % 5).min(3 - 1); h2_min[bin6][bin7] = h2_min[bin6][bin7].min(((((*x1) as u8).trailing_zeros() as usize) & (k2 % 7usize)));
        match (k2 as u32) % 4 {
            0 => { let bin8 = (*x1).saturating_sub((v3 as u64).wrapping_sub((v3 as u64))) as usize % h2_min.len(); let bin9 = ((v3 as f32) as usize) % 3; h2_min[bin8][bin9] = h2_min[bin8][bin9].min((v3 as usize)); }
            1..=2 => { let bin10 = ((k2 as u64).max((*x1)) ^ (match 31u32 % 5 { 0 => (*x1), 1 | 3 => (*x1), _ => (*x1) })) as usize % h2_min.len(); let bin11 = ((1.0f32 - (((*x1) as f32) - ((*x1) as f32))).abs() * 3.0) as usize % 3; h2_min[bin10][bin11] = h2_min[bin10][bin11].min((k2 / 100usize).min(k2)); }
            _ => {}
        }
    }
}

fn r166(a0: &[[f32; 6]], h0_sub: &mut Vec<u8>) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let k3: u32 = MASK;
            let pair4 = (((y1 as i16) & (k3 as i16)), (y1 as f32));
            let mut v5 = pair4.1.trunc();
            if ((x2 as u32) > k3) {
                v5 += (x2 as f32).abs().sqrt();
            }
            let mut local6 = [2u64; 4];
            local6[y1.min(x2) % 4] = ((v5 as u64) % 100u64);
            let bin7 = (pair4.0 as usize) % h0_sub.len(); h0_sub[bin7] = h0_sub[bin7] - (((y1 as u8) == (v5 as u8)) || (7u32 <= (y1 as u32))) as u8;
        }
    }
}

fn r167(a0: &Vec<i32>, h0_and: &mut Vec<i8>) {
    for x1 in a0.iter() {
        let mut local2 = [3i32; 4];
        local2[((*x1) as usize).abs_diff(1usize) % 4] = ((((*x1) as f64) > ((*x1) as f64)) as i32);
        match ((*x1) as u32).max(5u32) % 4 {
            0 => { let bin3 = (local2[((*x1) as usize).abs_diff(1usize) & 3].clamp(-20, 20).rem_euclid(16) as usize).min(h0_and.len() - 1); h0_and[bin3] = h0_and[bin3] & ((local2[1] as i8) % 5i8).max(((*x1) as i8).rotate_left(2)); }
            1..=2 => { let bin4 = ((local2[1] as usize).max((local2[1] as usize)) % 8 + ((*x1) as usize) % 5) % h0_and.len(); h0_and[bin4] &= (local2[1] as i8); }
            _ => {}
        }
    }
}

fn r168(a0: &[u32; 90], a1: &Vec<f64>, c0: u32, h0_sub: &mut [u8]) {
    for (&x1, &x2) in a0.iter().zip(a1) {
        let bin3 = ((((x2 as u32) <= (x2 as u32)) && (x2 == (c0 as f64))) as usize) % h0_sub.len(); h0_sub[bin3] = h0_sub[bin3] - 1;
    }
}

fn r169(s: &str, c0: f64, r0_wrap: &mut i16, h0_wrap: &mut [u32], h1_min: &mut [u16; 1000]) {
    for b1 in s.bytes() {
        match (c0 as u32) % 4 {
            0 => { *r0_wrap = (*r0_wrap).wrapping_add(((match 100u32 % 5 { 0 => (c0 as i16), 1 | 3 => (c0 as i16), _ => (c0 as i16) }) | ((0.1f64 != (b1 as f64)) as i16))); }
            1..=2 => { *r0_wrap = (*r0_wrap).wrapping_add(((b1 as i16) | (match (b1 as u32) % 5 { 0 => (b1 as i16), 1 | 3 => (b1 as i16), _ => (b1 as i16) }))); }
            _ => {}
        }
        let bin2 = (((c0 as f32).min((c0 as f32)) as u32) & 15) as usize; h0_wrap[bin2] = h0_wrap[bin2].wrapping_add((((c0 as f32) * 2.25f32) as u32));
        match u32::from(b1) % 4 {
            0 => { h0_wrap[((b1 as u32) & 15) as usize] = h0_wrap[((b1 as u32) & 15) as usize].wrapping_add((match ((c0 as u32) ^ (b1 as u32)) % 5 { 0 => u32::from(b1), 1 | 3 => 1u32, _ => ((c0 as u32) % 3u32) })); }
            1..=2 => { h0_wrap[(((b1 as u32).count_ones() as u32) & 15) as usize] = h0_wrap[(((b1 as u32).count_ones() as u32) & 15) as usize].wrapping_add((b1 as u32)); }
            _ => {}
        }
        h1_min[usize::from(b1) % 1000] = h1_min[usize::from(b1) % 1000].min((((u64::from(b1) != (c0 as u64)) || ((b1 as u32) == (c0 as u32))) as u16));
    }
}

fn r170(a0: &[[u16; 6]], h0_add: &mut [[u16; 4]]) {
    for row1 in a0 {
        for &x2 in row1 {
            let k3 = WIDTH & 7usize;
            let mut local4 = [2i8; 4];
            local4[k3 % 4] = 100i8.wrapping_add((x2 as i8));
            let mut turns6 = 0i32;
            let found5 = loop {
                turns6 += 1;
                if turns6 > 4 || ((k3 as u64) < (local4[1] as u64)) {
                    break turns6 * 2;
                }
            };
            let v7: usize = (if (((found5 as u8) > (found5 as u8)) && ((local4[1] as u8) < (x2 as u8))) { (10u8.trailing_zeros() as usize) } else { ((local4[k3 & 3] as usize) % 8 + (local4[k3 & 3] as usize) % 5) });
            match (k3 as u32).wrapping_sub((v7 as u32)) % 4 {
                0 => { let bin8 = ((if (i32::from(x2) != (local4[1] as i32)) { (turns6 as f64) } else { (v7 as f64) }) as u64) as usize % h0_add.len(); let bin9 = ((found5 as usize).rotate_left(55) | (local4[1] as usize).abs_diff(usize::from(x2))).min(4 - 1); h0_add[bin8][bin9] = h0_add[bin8][bin9] + (((found5 as i64).count_ones() as u16) % 5); }
                1..=2 => { let bin10 = (3i32.clamp(-20, 20).max((v7 as i32).saturating_sub((local4[k3 & 3] as i32))).rem_euclid(16) as usize).min(h0_add.len() - 1); let bin11 = ((v7 as i32).rem_euclid(16) as usize).min(4 - 1); h0_add[bin10][bin11] = h0_add[bin10][bin11] + ((turns6 as u32) > (v7 as u32)) as u16; }
                _ => {}
            }
        }
    }
}

fn r171(a0: &[[i16; 6]; 90], c0: i32, h0_max: &mut [f64]) {
    for row1 in a0 {
        for x2 in row1 {
            let k3 = MASK & 7u32;
            let v4: u8 = (k3 as u8);
            let bytes5 = i64::from(v4).clamp(-20, 20).to_le_bytes();
            match (10u32 & k3) % 4 {
                0 => { let bin6 = (k3 as usize) % h0_max.len(); h0_max[bin6] = h0_max[bin6].max((v4 as f64).round().abs()); }
                1..=2 => { let bin7 = (((bytes5[1] as i32).max(i32::from(bytes5[0])) | (v4 as i32)).rem_euclid(16) as usize).min(h0_max.len() - 1); h0_max[bin7] = h0_max[bin7].max(((bytes5[1] as f64) + ((*x2) as f64)).abs()); }
                _ => {}
            }
        }
    }
}

fn r172(a0: &[u64], c0: f32, h0_or: &mut [u32], h1_and: &mut [i64], r0_add: &mut u8) {
    for x1 in a0.iter().cloned() {
        let k2 = WIDTH & 7usize;
        let mut rest3 = ((0.5f64 != 1.0f64) as u8);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let mut local5 = [31u32; 4];
        local5[(c0 as usize) % 4] = 2u32;
        let bin6 = (((x1 as usize).wrapping_sub((count4 as usize)) % 6) * (k2.wrapping_sub(2usize) % 7)) % h0_or.len(); h0_or[bin6] |= count4;
        match local5[(c0 as usize) & 3] % 4 {
            0 => { let bin7 = ((c0 as usize) / 5usize).min(h1_and.len() - 1); h1_and[bin7] = h1_and[bin7] & (i64::from(count4) - 5i64); }
            1..=2 => { let bin8 = (((local5[1] as f64) == (count4 as f64)) as usize) % h1_and.len(); h1_and[bin8] &= (((local5[(c0 as usize) & 3] as u64) != (c0 as u64)) as i64); }
            _ => {}
        }
        h1_and[((x1 as u32) & 15) as usize] &= (match ((x1 as u32) % 8 + (x1 as u32) % 5) % 5 { 0 => ((local5[1] as i64).trailing_zeros() as i64), 1 | 3 => i64::from(count4).saturating_sub((c0 as i64)), _ => (i64::from(count4) % 8 + (c0 as i64) % 5) });
        *r0_add += ((c0 as i32) < 2i32) as u8;
    }
}

fn r173(s: &str, c0: f64, t0: &[usize; 16], h0_or: &mut [i32; 64], h1_wrap: &mut [[i64; 16]; 7]) {
    for b1 in s.bytes() {
        let mut acc2 = 0u64;
        for j3 in 0..1usize {
            if (!((acc2 as i32) <= (acc2 as i32))) {
                continue;
            }
            acc2 = acc2.wrapping_add((((acc2 as f32) as u64) ^ ((t0[((c0 as f32) as usize) % 16] as u64) % 10u64)));
        }
        h0_or[(i64::from(b1).leading_zeros() as usize).saturating_sub((t0[((c0 as f32) as usize) % 16] & t0[((c0 as f32) as usize) % 16])) % 64] |= ((b1 as f32).max((t0[((c0 as f32) as usize) % 16] as f32)) as i32);
        h0_or[(10i64.count_ones() as usize).rotate_left(47) % 64] |= ((acc2 as u8).count_ones() as i32);
        let bin4 = (((acc2 as usize) * 2usize) % 5usize) % 7; let bin5 = ((2usize % 8 + t0[((c0 as f32) as usize) % 16] % 5) % 31usize) % 16; h1_wrap[bin4][bin5] = h1_wrap[bin4][bin5].wrapping_sub((((b1 as f64) - (b1 as f64)) as i64));
        match (t0[((c0 as f32) as usize) % 16] as u32) % 4 {
            0 => { h1_wrap[((c0 as i32).rem_euclid(16) as usize).min(7 - 1)][((if (3u64 < (t0[((c0 as f32) as usize) % 16] as u64)) { (c0 as f32) } else { (c0 as f32) }).max((c0 as f32).max((t0[((c0 as f32) as usize) % 16] as f32))).abs() * 3.0) as usize % 16] = h1_wrap[((c0 as i32).rem_euclid(16) as usize).min(7 - 1)][((if (3u64 < (t0[((c0 as f32) as usize) % 16] as u64)) { (c0 as f32) } else { (c0 as f32) }).max((c0 as f32).max((t0[((c0 as f32) as usize) % 16] as f32))).abs() * 3.0) as usize % 16].wrapping_sub(((acc2 as i64) ^ 7i64).clamp(-20, 20)); }
            1..=2 => { let bin6 = ((i64::from(b1) % 8 + (b1 as i64) % 5).trailing_zeros() as usize) % 7; let bin7 = ((((c0 as f32) * (b1 as f32)) - (acc2 as f32)).abs() * 3.0) as usize % 16; h1_wrap[bin6][bin7] = h1_wrap[bin6][bin7].wrapping_sub((3i64 & (match b1 { b'a'..=b'm' | b'A' => (t0[((c0 as f32) as usize) % 16] as i64), b'0' => (c0 as i64), _ => (b1 as i64) }))); }
            _ => {}
        }
    }
}

fn r174(a0: &[[usize; 6]], c0: f32, h0_sub: &mut Vec<f32>) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let v3 = 3u16;
            match (a0[y1][x2] as u32) % 4 {
                0 => { h0_sub[((a0[y1][x2] as u32) & 15) as usize] -= (x2 as f32).round().sin(); }
                1..=2 => { let bin4 = (((v3 as f32) as usize) & a0[y1][x2].rotate_left(55)) % h0_sub.len(); h0_sub[bin4] -= 1.0f32; }
                _ => {}
            }
        }
    }
}

fn r175(a0: &[i32; 90], r0_min: &mut u16, h0_add: &mut [i32; 64]) {
    for p1 in a0.windows(4) {
        let k2: usize = WIDTH;
        let local3 = [(p1[2] as i8), 7i8, 1i8];
        if ((p1[3] as u8) != (p1[1] as u8)) {
            continue;
        }
        *r0_min = (*r0_min).min((local3[((p1[2] as f32) as usize) % 3] as u16));
        if (31u64 >= (p1[3] as u64)) {
            h0_add[((p1[1] as f32).trunc().abs() * 3.0) as usize % 64] += (7i32 % 5);
        }
        h0_add[((match (p1[1] as u32) % 5 { 0 => p1[1], 1 | 3 => (k2 as i32).max(p1[1]), _ => (p1[3] % 8 + (k2 as i32) % 5) }).rem_euclid(16) as usize).min(64 - 1)] += ((k2 as i32) % 5);
    }
}

fn r176(a0: &[[u32; 6]; 90], t0: &[u64; 16], h0_wrap: &mut [usize]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            match ((y1 as u32) >> 6) % 4 {
                0 => { let bin3 = ((a0[y1][x2] as i32).min(((t0[x2 % 16] as i32) ^ (x2 as i32))).rem_euclid(16) as usize).min(h0_wrap.len() - 1); h0_wrap[bin3] = h0_wrap[bin3].wrapping_mul(y1); }
                1..=2 => { let bin4 = ((y1 as f32).abs().sqrt().abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_mul((t0[x2 % 16] as usize)); }
                _ => {}
            }
            let bin5 = ((a0[y1][x2] as f32).abs().abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_mul(((x2 as f32).max((x2 as f32)) as usize));
        }
    }
}

fn r177(a0: &Vec<u64>, t0: &[i32; 16], h0_sub: &mut [i64]) {
    for x1 in a0.iter().copied() {
        let mut turns3 = 0i32;
        let found2 = loop {
            turns3 += 1;
            if turns3 > 4 || (!((t0[7usize.wrapping_add((x1 as usize)) % 16] as u8) == (t0[7usize.wrapping_add((x1 as usize)) % 16] as u8))) {
                break turns3 * 2;
            }
        };
        let bin4 = (((turns3 as u32).count_ones() as u32).rotate_left(4) & 15) as usize; h0_sub[bin4] = h0_sub[bin4] - (100i64.wrapping_mul(i64::from(t0[7usize.wrapping_add((x1 as usize)) % 16])) % 5);
    }
}

fn r178(a0: &[u16], h0_add: &mut [[u64; 4]]) {
    for x1 in a0.iter().cloned() {
        let bytes2 = (x1 as i64).to_le_bytes();
        if ((bytes2[1] as f64) != (bytes2[1] as f64)) {
            continue;
        }
        let mut v3 = (((bytes2[1] as f64) <= (x1 as f64)) as u16);
        if ((bytes2[1] as f64) >= (x1 as f64)) {
            v3 = u16::from(bytes2[1]);
        }
        h0_add[(u32::from(bytes2[1]) & 15) as usize][(((bytes2[0] as f32) as usize) / 100usize) % 4] += (bytes2[1] < bytes2[1]) as u64;
    }
}

fn r179(a0: &[[i8; 6]; 90], h0_wrap: &mut Vec<u8>) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let k4: u32 = MASK;
        let mut rest5 = (i64::from(sum2).leading_zeros() as u64);
        let mut count6 = 0u32;
        while rest5 > 0 {
            rest5 >>= 1;
            count6 += 1;
        }
        let v7: f64;
        if ((100u64 > (sum2 as u64)) || (31u32 <= count6)) {
            v7 = (row1[2] as f64).abs();
        } else {
            v7 = ((count6 as f64) + (count6 as f64));
        }
        let v8 = ((((v7 as i64) % 6) * ((v7 as i64) % 7)) % 2i64);
        let bin9 = ((row1[2] as f32).abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin9] = h0_wrap[bin9].wrapping_mul((k4 as u8));
    }
}

fn r180(a0: &Vec<[f64; 6]>, c0: i32, h0_and: &mut [i64]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let bytes4 = (row1[2] as u32).rotate_left(4).to_le_bytes();
        let bytes5 = 10u32.to_le_bytes();
        let v6 = ((100i16 ^ (row1[2] as i16)) % 8 + (i16::from(bytes5[0]) ^ (bytes5[1] as i16)) % 5);
        let bin7 = ((10i32 | (sum2 as i32).wrapping_mul((bytes4[0] as i32))).rem_euclid(16) as usize).min(h0_and.len() - 1); h0_and[bin7] = h0_and[bin7] & (bytes5[1] as i64);
    }
}

fn r181(a0: &Vec<[i32; 6]>, h0_min: &mut [u32; 7], h1_min: &mut [u8; 1], h2_max: &mut [[i8; 16]]) {
    for row1 in a0 {
        for &x2 in row1 {
            let bin3 = (((((x2 as u32) < (x2 as u32)) && ((x2 as u64) <= (x2 as u64))) as i32).rem_euclid(16) as usize).min(7 - 1); h0_min[bin3] = h0_min[bin3].min((x2 as u32).rotate_left(14));
            match (x2 as u32) % 4 {
                0 => { let bin4 = (x2.rem_euclid(16) as usize).min(7 - 1); h0_min[bin4] = h0_min[bin4].min((if ((x2 as u64) >= (x2 as u64)) { (x2 as u32) } else { (match (x2 as u32) % 5 { 0 => (x2 as u32), 1 | 3 => (x2 as u32), _ => (x2 as u32) }) })); }
                1..=2 => { h0_min[(((x2 as usize) | (x2 as usize)) & ((x2 as usize) * 7usize)).min(7 - 1)] = h0_min[(((x2 as usize) | (x2 as usize)) & ((x2 as usize) * 7usize)).min(7 - 1)].min((((x2 as u32) % 6) * ((x2 as u32) % 7)).rotate_left(15)); }
                _ => {}
            }
            let bin5 = (((if ((x2 as u32) >= (x2 as u32)) { (x2 as f32) } else { (x2 as f32) }) + (x2 as f32).min((x2 as f32))).abs() * 3.0) as usize % 1; h1_min[bin5] = h1_min[bin5].min((((x2 as f64) >= (x2 as f64)) as u8));
            let bin6 = ((x2 as usize).min(7usize) / 10usize) % h2_max.len(); let bin7 = ((x2 as usize) / 10usize) % 16; h2_max[bin6][bin7] = h2_max[bin6][bin7].max((x2 as i8).max((x2 as i8).min(2i8)));
            let bin8 = ((x2 as f32).max(1.0f32).round().abs() * 3.0) as usize % h2_max.len(); let bin9 = (x2 as usize) % 16; h2_max[bin8][bin9] = h2_max[bin8][bin9].max((x2 as i8).max((x2 as i8)));
        }
    }
}

fn r182(a0: &Vec<u64>, t0: &[i32; 16], h0_wrap: &mut Vec<i8>) {
    for x1 in a0.iter() {
        let mut v2 = ((*x1) as f32).exp();
        if ((t0[((((*x1) as u8) <= 31u8) as usize) % 16] as f64) < (t0[((((*x1) as u8) <= 31u8) as usize) % 16] as f64)) {
            v2 += ((*x1) as f32);
        }
        let v3 = ((((t0[((((*x1) as u8) <= 31u8) as usize) % 16] as u16) % 6) * ((v2 as u16) % 7)) >> 7);
        match (v2 as u32) % 4 {
            0 => { let bin4 = (((t0[((((*x1) as u8) <= 31u8) as usize) % 16] as u8).trailing_zeros() as u32).wrapping_sub((v3 as u32)) & 15) as usize; h0_wrap[bin4] = h0_wrap[bin4].wrapping_add(((*x1) as i8)); }
            1..=2 => { let bin5 = ((((t0[((((*x1) as u8) <= 31u8) as usize) % 16] as u16) ^ v3).count_ones() as u32) & 15) as usize; h0_wrap[bin5] = h0_wrap[bin5].wrapping_add((2i8 * 1i8)); }
            _ => {}
        }
    }
}

fn r183(a0: &Vec<f32>, h0_wrap: &mut [u32; 1]) {
    for x1 in a0.iter().copied() {
        let v2: u8;
        if (!((x1 as f64) <= (x1 as f64))) {
            v2 = ((x1 as u8) % 8 + (x1 as u8) % 5);
        } else {
            v2 = (x1 as u8);
        }
        match u32::from(v2).max(2u32) % 4 {
            0 => { h0_wrap[((((v2 as i32) ^ (x1 as i32)) | (match v2 { b'a'..=b'm' | b'A' => (x1 as i32), b'0' => (v2 as i32), _ => (v2 as i32) })).rem_euclid(16) as usize).min(1 - 1)] = h0_wrap[((((v2 as i32) ^ (x1 as i32)) | (match v2 { b'a'..=b'm' | b'A' => (x1 as i32), b'0' => (v2 as i32), _ => (v2 as i32) })).rem_euclid(16) as usize).min(1 - 1)].wrapping_mul((x1 as u32).wrapping_mul((x1 as u32).min((x1 as u32)))); }
            1..=2 => { let bin3 = (v2 as usize) % 1; h0_wrap[bin3] = h0_wrap[bin3].wrapping_mul(((((x1 as u32) % 6) * (100u32 % 7)) >> 3)); }
            _ => {}
        }
    }
}

fn r184(s: &str, h0_and: &mut [u64; 1000]) {
    for b1 in s.bytes() {
        let mut local2 = [1.0f64; 4];
        local2[(usize::from(b1) - 2usize) % 4] = (if b1.is_ascii_alphabetic() { (b1 as f64) } else { (b1 as f64) });
        let bin3 = ((local2[1] as usize) ^ (local2[(usize::from(b1) - 2usize) & 3] as usize).saturating_sub(1usize)).min(1000 - 1); h0_and[bin3] = h0_and[bin3] & (if b1.is_ascii_alphabetic() { (local2[1] as u64) } else { (local2[1] as u64) }).min((match b1 { b'a'..=b'm' | b'A' => (b1 as u64), b'0' => (local2[1] as u64), _ => (b1 as u64) }));
        if (!(local2[(usize::from(b1) - 2usize) & 3] > (b1 as f64))) {
            let bin4 = (((b1 as i32).max((local2[1] as i32)) >> 15).rem_euclid(16) as usize).min(1000 - 1); h0_and[bin4] = h0_and[bin4] & ((u64::from(b1) ^ (local2[(usize::from(b1) - 2usize) & 3] as u64)) ^ (local2[(usize::from(b1) - 2usize) & 3] as u64).max((local2[(usize::from(b1) - 2usize) & 3] as u64)));
        }
    }
}

fn r185(a0: &[i8; 90], h0_min: &mut [[usize; 16]]) {
    for i1 in (0..a0.len()).step_by(3) {
        let mut v2 = ((a0[i1] as u32) + 5u32);
        if ((31u8 == (a0[i1] as u8)) || ((a0[i1] as u8) == (a0[i1] as u8))) {
            v2 = (0.5f32 as u32);
        }
        if (((i1 as i32) >= (a0[i1] as i32)) || (7u8 >= (i1 as u8))) {
            let bin3 = (v2 as usize).max((v2 as usize)).min(h0_min.len() - 1); let bin4 = ((a0[i1] as u32).wrapping_add(v2).trailing_zeros() as u64) as usize % 16; h0_min[bin3][bin4] = h0_min[bin3][bin4].min((match v2 % 5 { 0 => i1, 1 | 3 => (a0[i1] as usize).abs_diff(i1), _ => (v2 as usize).wrapping_sub((v2 as usize)) }));
        }
    }
}

fn r186(a0: &[usize], c0: u32, t0: &[i8; 16], h0_add: &mut [usize]) {
    for i1 in 0..a0.len() {
        let k2: usize = WIDTH;
        let mut rest3 = (k2 as u8);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let mut v5 = (count4 >> 12);
        if (((count4 as u64) > (count4 as u64)) || ((count4 as f64) < (c0 as f64))) {
            v5 |= (t0[(c0 as usize).wrapping_mul(a0[i1]) % 16] as u32).wrapping_add(2u32);
        }
        let v6 = ((((v5 as i16) % 8 + (c0 as i16) % 5) % 6) * (((k2 as i16) + 100i16) % 7));
        let bin7 = (k2 * 31usize) % h0_add.len(); h0_add[bin7] = h0_add[bin7] + 1;
        match ((a0[i1] as f64) as u32) % 4 {
            0 => { h0_add[((i1 as u32).abs_diff(count4).saturating_sub((i1 as u32)) & 15) as usize] += 1; }
            1..=2 => { let bin8 = ((if ((c0 as i32) <= (i1 as i32)) { ((5i32 % 6) * ((v5 as i32) % 7)) } else { ((a0[i1] as i32) >> 19) }).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin8] += ((v6 as usize) % 5); }
            _ => {}
        }
    }
}

fn r187(a0: &[u8], h0_max: &mut [i8; 7]) {
    for x1 in a0.iter().cloned() {
        let v2: i64 = ((x1 as i64) & i64::from(x1)).wrapping_mul(((x1 as u32).trailing_zeros() as i64));
        let bin3 = (x1.is_ascii_digit() as usize).min(7 - 1); h0_max[bin3] = h0_max[bin3].max((x1 as i8));
        if ((v2 as u64) == (v2 as u64)) {
            let bin4 = (v2 as u64) as usize % 7; h0_max[bin4] = h0_max[bin4].max((((x1 as f32) as i8) >> 7));
        }
    }
}

fn r188(a0: &Vec<[u64; 6]>, t0: &[i16; 16], h0_max: &mut [[u32; 16]], h1_and: &mut [i8]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let v3 = (t0[(a0[y1][x2] as usize) % 16] as usize);
            let bin4 = x2 % h0_max.len(); h0_max[bin4][(((v3 as f32) as i32).max((x2 as i32).wrapping_mul(10i32)).rem_euclid(16) as usize).min(16 - 1)] = h0_max[bin4][(((v3 as f32) as i32).max((x2 as i32).wrapping_mul(10i32)).rem_euclid(16) as usize).min(16 - 1)].max((if ((v3 as u32) != (v3 as u32)) { (t0[(a0[y1][x2] as usize) % 16] as u32) } else { (((t0[(a0[y1][x2] as usize) % 16] as u32) % 6) * ((x2 as u32) % 7)) }));
            let bin5 = ((((v3 as i32) % 6) * ((a0[y1][x2] as i32) % 7)).rem_euclid(16) as usize).min(h0_max.len() - 1); h0_max[bin5][(y1 as u64) as usize % 16] = h0_max[bin5][(y1 as u64) as usize % 16].max((((t0[(a0[y1][x2] as usize) % 16] as u32) + 3u32).leading_zeros() as u32));
            let bin6 = (((v3 as u32).saturating_sub((a0[y1][x2] as u32)) / 7u32) & 15) as usize; h1_and[bin6] = h1_and[bin6] & (a0[y1][x2] as i8);
            let bin7 = ((x2 as i32).rem_euclid(16) as usize).min(h1_and.len() - 1); h1_and[bin7] = h1_and[bin7] & (x2 as i8).saturating_sub(2i8).wrapping_mul(((a0[y1][x2] as i8) & (y1 as i8)));
        }
    }
}

fn r189(a0: &[[u32; 6]; 90], t0: &[u32; 16], h0_add: &mut [usize]) {
    for row1 in a0 {
        let mut sum2 = 0u32;
        for &x3 in row1 {
            sum2 = sum2.wrapping_add(x3 as u32);
        }
        let pair4 = ((sum2 as i8).wrapping_mul((t0[(((sum2 as u64) >= (sum2 as u64)) as usize) % 16] as i8)), (row1[2] as i8));
        let bytes5 = ((t0[(((sum2 as u64) >= (sum2 as u64)) as usize) % 16] as i64) % 8 + (pair4.1 as i64) % 5).to_le_bytes();
        if ((row1[2] as u8) > (pair4.0 as u8)) {
            let bin6 = ((((row1[2] as f64) >= (bytes5[0] as f64)) as u32) & 15) as usize; h0_add[bin6] = h0_add[bin6] + ((t0[(((sum2 as u64) >= (sum2 as u64)) as usize) % 16] as usize) % 5);
        }
    }
}

fn r190(a0: &[f32], r0_wrap: &mut i64) {
    for i1 in (0..a0.len()).rev() {
        let k2 = WIDTH & 7usize;
        let mut rest3 = ((i1 as u8) % 8 + (i1 as u8) % 5);
        let mut count4 = 0u32;
        while rest3 > 0 {
            rest3 >>= 1;
            count4 += 1;
        }
        let v5: i64;
        if (!((k2 as u64) <= (k2 as u64))) {
            v5 = ((k2 as f64) as i64);
        } else {
            v5 = (((count4 as u64) != (i1 as u64)) as i64);
        }
        *r0_wrap = (*r0_wrap).wrapping_sub((((k2 as i64) % 6) * ((k2 as i64).saturating_sub((k2 as i64)) % 7)));
        *r0_wrap = (*r0_wrap).wrapping_sub(((i64::from(count4) & v5) >> 30));
    }
}

fn r191(a0: &[u64], c0: i32, h0_max: &mut [isize]) {
    for p1 in a0.chunks_exact(4) {
        let mut local2 = [10usize; 4];
        local2[(c0 as usize) % 4] = (p1[1] as usize);
        let v3: i64;
        if ((local2[1] as i32) <= (local2[(c0 as usize) & 3] as i32)) {
            v3 = (p1[3] as i64).min((local2[(c0 as usize) & 3] as i64));
        } else {
            v3 = ((c0 as i64) / 31i64);
        }
        let bytes4 = ((p1[1] as u16) >> 9).to_le_bytes();
        let bin5 = ((local2[1] as u64).wrapping_mul(100u64) & (p1[0] + 5u64)) as usize % h0_max.len(); h0_max[bin5] = h0_max[bin5].max((bytes4[1] as isize).saturating_sub((local2[1] as isize)));
        match ((local2[1] as u32) >> 14) % 4 {
            0 => { let bin6 = ((((p1[3] as u32) | (v3 as u32)) >> 18) & 15) as usize; h0_max[bin6] = h0_max[bin6].max((local2[1] as isize)); }
            1..=2 => { h0_max[((p1[0] as u32) & 15) as usize] = h0_max[((p1[0] as u32) & 15) as usize].max(1isize.max(((v3 as isize) | (local2[1] as isize)))); }
            _ => {}
        }
    }
}

fn r192(a0: &[i8; 90], h0_wrap: &mut Vec<u16>) {
    for &x1 in a0.iter().rev() {
        let k2: usize = WIDTH;
        match (if ((k2 as f64) <= (x1 as f64)) { (k2 as u32) } else { (x1 as u32) }) % 4 {
            0 => { let bin3 = ((x1 as f32).exp().round().abs() * 3.0) as usize % h0_wrap.len(); h0_wrap[bin3] = h0_wrap[bin3].wrapping_sub((if ((k2 as i32) <= (x1 as i32)) { (((x1 as u8) < (k2 as u8)) as u16) } else { (x1 as u16).wrapping_mul((k2 as u16)) })); }
            1..=2 => { let bin4 = (match (k2 as u32) % 5 { 0 => k2.wrapping_mul(100usize), 1 | 3 => 7usize, _ => (x1 as usize).wrapping_mul(k2) }) % h0_wrap.len(); h0_wrap[bin4] = h0_wrap[bin4].wrapping_sub((x1 as u16)); }
            _ => {}
        }
        match (x1 as u32).rotate_left(29) % 4 {
            0 => { let bin5 = (x1 as usize) % h0_wrap.len(); h0_wrap[bin5] = h0_wrap[bin5].wrapping_sub((match (k2 as u32).max(31u32) % 5 { 0 => (7u16 >> 2), 1 | 3 => 1u16.wrapping_sub((x1 as u16)), _ => (k2 as u16).wrapping_add((x1 as u16)) })); }
            1..=2 => { h0_wrap[((k2 as u32).saturating_sub((k2 as u32)).wrapping_mul((match (k2 as u32) % 5 { 0 => (x1 as u32), 1 | 3 => (k2 as u32), _ => (k2 as u32) })) & 15) as usize] = h0_wrap[((k2 as u32).saturating_sub((k2 as u32)).wrapping_mul((match (k2 as u32) % 5 { 0 => (x1 as u32), 1 | 3 => (k2 as u32), _ => (k2 as u32) })) & 15) as usize].wrapping_sub((k2 as u16)); }
            _ => {}
        }
    }
}

fn r193(a0: &[i64], c0: f64, h0_wrap: &mut [[isize; 16]; 16], h1_xor: &mut [usize; 1000], h2_wrap: &mut [u16; 256]) {
    for &x1 in a0 {
        let mut v2 = ((x1 as f32) as u32);
        if (!((x1 as i32) == (x1 as i32))) {
            v2 = ((c0 as u32) / 1u32);
        }
        let v3: usize = (v2 as usize).abs_diff((x1 as usize));
        h0_wrap[(v2 as usize).min(16 - 1)][(0.5f32.abs().abs().abs() * 3.0) as usize % 16] = h0_wrap[(v2 as usize).min(16 - 1)][(0.5f32.abs().abs().abs() * 3.0) as usize % 16].wrapping_sub((c0 as isize));
        h0_wrap[((((x1 as i32) * 5i32) % 7i32).rem_euclid(16) as usize).min(16 - 1)][((x1 as f32).abs() * 3.0) as usize % 16] = h0_wrap[((((x1 as i32) * 5i32) % 7i32).rem_euclid(16) as usize).min(16 - 1)][((x1 as f32).abs() * 3.0) as usize % 16].wrapping_sub(((x1 as f64) as isize));
        if ((v2 as f64) > (v2 as f64)) {
            let bin4 = (v2 as usize).min(1000 - 1); h1_xor[bin4] = h1_xor[bin4] ^ (((c0 as usize).abs_diff((v2 as usize)) % 6) * ((x1 as usize).saturating_sub(3usize) % 7));
        }
        h1_xor[(match (1u32 % 8 + (x1 as u32) % 5) % 5 { 0 => (v3 as u64).abs_diff((c0 as u64)), 1 | 3 => ((x1 as u64) + 31u64), _ => (c0 as u64) }) as usize % 1000] ^= 5usize.rotate_left(32);
        let bin5 = ((x1 as f32).floor().abs() * 3.0) as usize % 256; h2_wrap[bin5] = h2_wrap[bin5].wrapping_mul((((c0 as u8) ^ (x1 as u8)).trailing_zeros() as u16));
        match 31u32.saturating_sub(100u32) % 4 {
            0 => { let bin6 = (c0 as u8).saturating_sub((c0 as u8).abs_diff((c0 as u8))) as usize; h2_wrap[bin6] = h2_wrap[bin6].wrapping_mul(((c0 * c0) as u16)); }
            1..=2 => { let bin7 = (v3 as u8).rotate_left(3).rotate_left(1) as usize; h2_wrap[bin7] = h2_wrap[bin7].wrapping_mul((x1 as u16).rotate_left(8).wrapping_add((c0 as u16).max((c0 as u16)))); }
            _ => {}
        }
    }
}

fn r194(a0: &[[i16; 6]; 90], c0: f64, h0_add: &mut [f32]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            match (x2 as u32) % 4 {
                0 => { let bin3 = (match (y1 as u32).wrapping_add((x2 as u32)) % 5 { 0 => ((a0[y1][x2] as i64).leading_zeros() as usize), 1 | 3 => (a0[y1][x2] as usize), _ => y1 }) % h0_add.len(); h0_add[bin3] = h0_add[bin3] + (a0[y1][x2] as f32).floor().sin(); }
                1..=2 => { let bin4 = ((x2 as i32).rem_euclid(16) as usize).min(h0_add.len() - 1); h0_add[bin4] += 1.0f32; }
                _ => {}
            }
            h0_add[((if ((a0[y1][x2] as u32) >= (a0[y1][x2] as u32)) { (y1 as u32).max((c0 as u32)) } else { (c0 as u32) }) & 15) as usize] = h0_add[((if ((a0[y1][x2] as u32) >= (a0[y1][x2] as u32)) { (y1 as u32).max((c0 as u32)) } else { (c0 as u32) }) & 15) as usize] + (y1 as f32).abs().sin();
        }
    }
}

fn r195(a0: &[u64], t0: &[usize; 16], h0_wrap: &mut [u16], h1_add: &mut [f64], h2_min: &mut [i8]) {
    for p1 in a0.chunks_exact(3) {
        let k2 = WIDTH & 7usize;
        let mut acc3 = 0u64;
        for j4 in 0..2usize {
            if ((t0[((p1[1] as usize) + 10usize) % 16] as u8) <= (acc3 as u8)) {
                continue;
            }
            acc3 = acc3.wrapping_add((((p1[1] as u16) % 8 + (acc3 as u16) % 5).count_ones() as u64));
        }
        let mut turns6 = 0i32;
        let found5 = loop {
            turns6 += 1;
            if turns6 > 4 || (!((p1[2] as i32) != (p1[1] as i32))) {
                break turns6 * 2;
            }
        };
        let bin7 = (((match 7u32 % 5 { 0 => (t0[((p1[1] as usize) + 10usize) % 16] as u32), 1 | 3 => (p1[1] as u32), _ => (turns6 as u32) }) ^ (acc3 as u32)) & 15) as usize; h0_wrap[bin7] = h0_wrap[bin7].wrapping_mul((p1[2] as u16));
        if ((k2 as i32) > (p1[1] as i32)) {
            let bin8 = (found5 as usize).abs_diff(7usize.rotate_left(61)) % h0_wrap.len(); h0_wrap[bin8] = h0_wrap[bin8].wrapping_mul(((k2 as u16) - 100u16));
        }
        h1_add[(((found5 as u32) >> 19) & 15) as usize] += (1.0f64 - (acc3 as f64)).sin();
        let bin9 = (((p1[2] as u8) != (p1[2] as u8)) as usize).min(h1_add.len() - 1); h1_add[bin9] += ((k2 as f64).abs() + (p1[0] as f64)).clamp(-8.0, 8.0);
        if (turns6 <= (p1[0] as i32)) {
            let bin10 = ((acc3 as u32) & 15) as usize; h2_min[bin10] = h2_min[bin10].min((if (!(found5 > 3i32)) { (2.25f32 as i8) } else { ((p1[1] as i8) | (p1[2] as i8)) }));
        }
    }
}

fn r196(a0: &[usize], h0_max: &mut [u64; 1000]) {
    for x1 in a0.iter().cloned() {
        let v2 = (x1 as u16);
        let (p3, q4) = ((u64::from(v2) % 8 + (v2 as u64) % 5), (x1 as u32));
        let v5: i64 = i64::from(v2);
        let bin6 = (v5 as usize).min(1000 - 1); h0_max[bin6] = h0_max[bin6].max(((q4 != (v2 as u32)) as u64));
        h0_max[((v5 as i32).rem_euclid(16) as usize).min(1000 - 1)] = h0_max[((v5 as i32).rem_euclid(16) as usize).min(1000 - 1)].max((((v2 as u64) ^ (x1 as u64)) / 10u64));
    }
}

fn r197(s: &str, c0: f32, h0_mul: &mut [f64; 16]) {
    for b1 in s.bytes() {
        let mut acc2 = 0u64;
        for j3 in 0..1usize {
            acc2 = acc2.wrapping_add(((j3 as f32).fract() as u64));
        }
        let mut v4 = ((acc2 as u16) / 7u16);
        if ((acc2 as f64) > (b1 as f64)) {
            v4 = (b1 as u16).wrapping_add((acc2 as u16));
        }
        h0_mul[((if (u64::from(b1) < u64::from(v4)) { (b1 as i32) } else { i32::from(v4) }).min((acc2 as i32)).rem_euclid(16) as usize).min(16 - 1)] *= (1.0 + (c0 as f64).floor().clamp(-1.0, 1.0) * 0.01);
        if ((c0 as u32) <= (b1 as u32)) {
            h0_mul[10usize % 16] = h0_mul[10usize % 16] * (1.0 + (acc2 as f64).clamp(-1.0, 1.0) * 0.01);
        }
    }
}

fn r198(a0: &[f64], h0_add: &mut [[f32; 16]; 16]) {
    for x1 in a0.iter() {
        let bin2 = ((if (((*x1) as u32) >= ((*x1) as u32)) { ((*x1) as f32) } else { ((*x1) as f32) }).abs().abs() * 3.0) as usize % 16; let bin3 = ((((*x1) as i32).max(((*x1) as i32)) % 8 + ((*x1) as i32).wrapping_mul(((*x1) as i32)) % 5).rem_euclid(16) as usize).min(16 - 1); h0_add[bin2][bin3] = h0_add[bin2][bin3] + (((*x1) as f32) / (1.0 + ((*x1) as f32).abs())).sin();
        match ((((*x1) as u32) % 6) * (((*x1) as u32) % 7)) % 4 {
            0 => { let bin4 = (((*x1) as usize) * 2usize).min(16 - 1); let bin5 = ((*x1) as usize).abs_diff(((*x1) as usize)).saturating_sub((((*x1) as f32) as usize)) % 16; h0_add[bin4][bin5] = h0_add[bin4][bin5] + (((*x1) as f32) + ((*x1) as f32)).sin(); }
            1..=2 => { let bin6 = (((*x1) >= (*x1)) as usize) % 16; let bin7 = ((*x1) as usize).min(16 - 1); h0_add[bin6][bin7] = h0_add[bin6][bin7] + ((*x1) as f32).sin(); }
            _ => {}
        }
    }
}

fn r199(a0: &Vec<[usize; 6]>, c0: u32, h0_or: &mut [isize]) {
    for y1 in 0..a0.len() {
        for x2 in 0..6usize {
            let mut v3 = (a0[y1][x2] as u16);
            if ((x2 as u32) == 5u32) {
                v3 = (x2 as u16).saturating_sub((a0[y1][x2] as u16));
            }
            if ((c0 as u64) >= (a0[y1][x2] as u64)) {
                let bin4 = ((x2 as f32).abs() * 3.0) as usize % h0_or.len(); h0_or[bin4] |= (v3 as isize).wrapping_add((a0[y1][x2] as isize)).wrapping_add((c0 as isize));
            }
        }
    }
}

}
