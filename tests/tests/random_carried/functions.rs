// Made by `cargo run -p accrue-tests --bin random-loops -- 20261124 100`.

random_carried! {
#[offload]
fn c000(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 47u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = s0.wrapping_add((902u32).wrapping_sub(s0).wrapping_mul(7));
        for _ in 0..v % 3 {
            s0 = s0.wrapping_mul((v ^ i as u32)).wrapping_add(i as u32);
        }
        if v % 3 == 1 { out[n] = (i as u32).wrapping_add(s0); n += 1; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c001(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        out[n] = 485;
        n += (i % 10 != 1) as usize;
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c002(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 18u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.wrapping_mul(v).wrapping_add((v >> 4));
        if v % 6 == 3 { out[n] = v.wrapping_mul(45); n += 1; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c003(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 8u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        for _ in 0..v % 3 {
            s0 = s0.wrapping_mul(v).wrapping_add((v ^ i as u32));
        }
        s0 = ((v >> 8)).wrapping_sub(s0.wrapping_mul(3));
        out[at[i]] = i as u32;
        if v < 246 { kept.push(v); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c004(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 18u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if i % 8 != 1 { continue; }
        s0 = ((v >> 5)).wrapping_sub(s0.wrapping_mul(3));
        let p = at[i];
        if out[p] > v { out[p] = (i as u32).wrapping_add(s0); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c005(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        out[n] = (v ^ i as u32);
        n += (i % 6 != 1) as usize;
        if i % 6 != 1 { continue; }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c006(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        out[at[i]] = (v ^ i as u32);
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c007(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 3u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s0 ^= (v >> 5);
        s0 = (s0 & i as u32) ^ 861;
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c008(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 29u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = (v).wrapping_sub(s0.wrapping_mul(3));
        out[i] = (v >> 5);
        if i % 7 != 1 { kept.push(466); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c009(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 71u32;
    let mut s1 = 13u32;
    let mut s2 = 73u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.wrapping_add(344);
        for _ in 0..v % 3 {
            s1 = s1.wrapping_mul(i as u32).wrapping_add(v);
        }
        s2 = s2.wrapping_add(523);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c010(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        let p = at[i];
        if out[p] > v { out[p] = v; }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c011(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if i % 10 != 1 { kept.push((v ^ i as u32)); }
        kept.extend_from_slice(&[v, i as u32]);
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c012(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 43u32;
    let mut s1 = 56u32;
    let mut s2 = 8u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        out[n] = (((v >> 7)).wrapping_add(s1)).wrapping_add(s2);
        n += (v < 140) as usize;
        s0 = (262u32).wrapping_sub(s0.wrapping_mul(3));
        for _ in 0..v % 3 {
            s1 = s1.wrapping_add(30);
        }
        s2 = s2.max(722);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c013(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 9u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = (s0 & i as u32) ^ (v >> 1);
        if i % 2 != 1 { s0 &= v; }
        if v < 350 { kept.push((v.wrapping_mul(32)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c014(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 71u32;
    let mut s1 = 70u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        for _ in 0..v % 3 {
            s1 = if v % 10 == 7 { 536 } else { s1.max(v) };
        }
        if v % 9 == 3 { s0 &= (v ^ i as u32); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c015(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 98u32;
    let mut s1 = 92u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s0 = s0.wrapping_mul(v.wrapping_mul(38)).wrapping_add(v.wrapping_mul(30));
        s1 = s1.wrapping_mul((v ^ i as u32)).wrapping_add((v >> 1));
        let p = at[i];
        if out[p] > v { out[p] = (v).wrapping_add(s1); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c016(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v % 9 == 7 { continue; }
        if v < 768 { out[n] = (v >> 3); n += 1; }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c017(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 14u32;
    let mut s1 = 19u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s1 = if v < 88 { i as u32 } else { s1 };
        s0 = s0.wrapping_add((i as u32).wrapping_sub(s0).wrapping_mul(7));
        if v < 906 { kept.push((((v ^ i as u32)).wrapping_add(s0)).wrapping_add(s1)); }
        kept.extend_from_slice(&[v, i as u32]);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c018(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 46u32;
    let mut s1 = 14u32;
    let mut s2 = 81u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = match v % 5 { 0 => i as u32, 1 | 2 => v.wrapping_mul(15), _ => s0 };
        s1 = s1.wrapping_add(270);
        s2 = s2.wrapping_add((v.wrapping_mul(18)).wrapping_sub(s2).wrapping_mul(7));
        if v % 10 == 2 { out[n] = (i as u32).wrapping_add(s2); n += 1; }
        if v < 289 { kept.push(((v.wrapping_mul(2)).wrapping_add(s0)).wrapping_add(s1)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c019(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 59u32;
    let mut s1 = 70u32;
    let mut s2 = 12u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if v % 7 == 5 { continue; }
        for _ in 0..v % 3 {
            if v < 477 { s2 &= v.wrapping_mul(27); }
        }
        s1 = s0.wrapping_mul((v ^ i as u32)).wrapping_sub(s1);
        s0 = s1.wrapping_mul(932u32).wrapping_sub(s0);
        out[i] = ((v).wrapping_add(s0)).wrapping_add(s1);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c020(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 98u32;
    let mut s1 = 38u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s1 = (s1 & v) ^ (v ^ i as u32);
        if i % 6 != 1 { s0 = 126; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c021(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 86u32;
    let mut s1 = 24u32;
    let mut s2 = 64u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v % 3 == 0 { continue; }
        s0 = ((v ^ i as u32)).wrapping_sub(s0.wrapping_mul(3));
        for _ in 0..v % 3 {
            s1 = s0.wrapping_mul(v).wrapping_sub(s1);
        }
        if v < 970 { s2 = v; }
        s0 = s0.wrapping_mul(376u32).wrapping_add(v);
        for _ in 0..v % 3 {
            s1 = (797u32).wrapping_sub(s1.wrapping_mul(3));
        }
        s2 = s2.max(v.wrapping_mul(16));
        if i % 10 != 1 { kept.push((234u32).wrapping_add(s1)); }
        kept.extend_from_slice(&[v, i as u32]);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c022(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 56u32;
    let mut s1 = 0u32;
    let mut s2 = 34u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = s0.wrapping_add((v.wrapping_mul(42)).wrapping_sub(s0).wrapping_mul(7));
        s1 = if i % 3 != 1 { i as u32 } else { s1.max((v >> 5)) };
        if v % 9 == 8 { s2 &= i as u32; }
        for _ in 0..v % 3 {
            s0 = s0.wrapping_add((i as u32).wrapping_sub(s0).wrapping_mul(7));
        }
        for _ in 0..v % 3 {
            s1 = s1.max(v.wrapping_mul(15));
        }
        s2 ^= (v >> 5);
        out[at[i]] = ((((v >> 2)).wrapping_add(s0)).wrapping_add(s1)).wrapping_add(s2);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c023(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 86u32;
    let mut s1 = 22u32;
    let mut s2 = 63u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s2 = s2.wrapping_add(v);
        s1 = ((v ^ i as u32)).wrapping_sub(s1.wrapping_mul(3));
        if i % 2 != 1 { s0 = 436; }
        s2 = s2.wrapping_add((v ^ i as u32));
        s1 = s1.wrapping_mul((v >> 1)).wrapping_add(i as u32);
        s0 = if v % 2 == 0 { v.wrapping_mul(37) } else { s0 };
        if v < 654 { kept.push((v).wrapping_add(s1)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c024(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 91u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if i % 3 != 1 { continue; }
        if v % 8 == 7 { s0 = (v >> 1); }
        let p = at[i];
        if out[p] > v { out[p] = (419u32).wrapping_add(s0); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c025(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 21u32;
    let mut s1 = 10u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if i % 5 != 1 { s1 &= v; }
        s0 = match v % 5 { 0 => i as u32, 1 | 2 => v.wrapping_mul(6), _ => s0 };
        if v < 148 { s1 &= v.wrapping_mul(20); }
        s0 = match v % 5 { 0 => 162, 1 | 2 => (v ^ i as u32), _ => s0 };
        if i % 4 != 1 { kept.push(((v ^ i as u32)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c026(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 96u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.wrapping_add(v);
        if i % 5 != 1 { out[n] = v; n += 1; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c027(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 66u32;
    let mut s1 = 4u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s1 = s1.wrapping_add(((v ^ i as u32)).wrapping_sub(s1).wrapping_mul(7));
        s0 = s0.wrapping_add((v ^ i as u32));
        s1 = s1.wrapping_add((v).wrapping_sub(s1).wrapping_mul(7));
        for _ in 0..v % 3 {
            s0 = s0.wrapping_add(v);
        }
        let p = at[i];
        if out[p] > v { out[p] = (v.wrapping_mul(47)).wrapping_add(s0); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c028(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 42u32;
    let mut s1 = 89u32;
    let mut s2 = 70u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.wrapping_add(v.wrapping_mul(24));
        for _ in 0..v % 3 {
            s1 = s1.wrapping_mul((v >> 4)).wrapping_add(i as u32);
        }
        s2 ^= 408;
        if v % 10 == 4 { kept.push(((i as u32).wrapping_add(s1)).wrapping_add(s2)); }
        kept.extend_from_slice(&[v, i as u32]);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c029(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 96u32;
    let mut s1 = 81u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s1 = s1.max(v);
        s0 = s0.wrapping_add((v >> 6));
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c030(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 51u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s0 = (v.wrapping_mul(15)).wrapping_sub(s0.wrapping_mul(3));
        if i % 7 != 1 { out[n] = ((v >> 5)).wrapping_add(s0); n += 1; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c031(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 78u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        out[n] = v.wrapping_mul(22);
        n += (v < 380) as usize;
        if v < 231 { s0 = 348; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c032(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 63u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        out[n] = (520u32).wrapping_add(s0);
        n += (i % 3 != 1) as usize;
        if i % 10 != 1 { s0 &= v; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c033(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 45u32;
    let mut s1 = 19u32;
    let mut s2 = 46u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if i % 4 != 1 { continue; }
        s0 = s0.wrapping_add((550u32).wrapping_sub(s0).wrapping_mul(7));
        s1 = s1.max((v >> 1));
        s2 = s2.wrapping_add((v >> 1));
        if v < 563 { kept.push((893u32).wrapping_add(s1)); }
        kept.extend_from_slice(&[v, i as u32]);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c034(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 73u32;
    let mut s1 = 66u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if i % 4 != 1 { continue; }
        s1 = ((v >> 1)).wrapping_sub(s1.wrapping_mul(3));
        for _ in 0..v % 3 {
            s0 = if v < 327 { i as u32 } else { s0.max(v.wrapping_mul(26)) };
        }
        let p = at[i];
        if out[p] > v { out[p] = ((v.wrapping_mul(20)).wrapping_add(s0)).wrapping_add(s1); }
        if v % 7 == 2 { kept.push(930); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c035(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 41u32;
    let mut s1 = 69u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if v % 2 == 1 { continue; }
        for _ in 0..v % 3 {
            if i % 6 != 1 { s0 = v; }
        }
        s1 = s1.wrapping_add((v ^ i as u32));
        let p = at[i];
        if out[p] > v { out[p] = (562u32).wrapping_add(s1); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c036(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 45u32;
    let mut s1 = 81u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        for _ in 0..v % 3 {
            s1 = match v % 5 { 0 => v, 1 | 2 => i as u32, _ => s1 };
        }
        s0 = if i % 7 != 1 { i as u32 } else { s0 };
        if v % 2 == 1 { out[at[i]] = ((v ^ i as u32)).wrapping_add(s1); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c037(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 12u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        for _ in 0..v % 3 {
            s0 = s0.wrapping_mul(78u32).wrapping_add(v);
        }
        if v < 281 { out[n] = (v).wrapping_add(s0); n += 1; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c038(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 22u32;
    let mut s1 = 96u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = if i % 7 != 1 { i as u32 } else { s0 };
        for _ in 0..v % 3 {
            s1 = if v % 2 == 1 { i as u32 } else { s1 };
        }
        s0 = if v % 3 == 0 { v } else { s0 };
        s1 = if v < 808 { (v ^ i as u32) } else { s1 };
        let p = at[i];
        if out[p] > v { out[p] = 192; }
        if i % 6 != 1 { kept.push((508u32).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c039(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 16u32;
    let mut s1 = 84u32;
    let mut s2 = 15u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = if v < 220 { 628 } else { s0.max((v ^ i as u32)) };
        s1 = s2.wrapping_mul(872u32).wrapping_sub(s1);
        s2 = s2.wrapping_mul(432u32).wrapping_add(v);
        out[i] = (584u32).wrapping_add(s1);
        if i % 6 != 1 { kept.push(((v >> 7)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c040(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 71u32;
    let mut s1 = 99u32;
    let mut s2 = 9u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v % 9 == 3 { continue; }
        s0 = s0.wrapping_add(v.wrapping_mul(19));
        s1 = s1.wrapping_add((v.wrapping_mul(42)).wrapping_sub(s1).wrapping_mul(7));
        s2 ^= (v >> 0);
        out[i] = (i as u32).wrapping_add(s0);
        if i % 10 != 1 { kept.push(((515u32).wrapping_add(s0)).wrapping_add(s1)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c041(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 22u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        if v % 2 == 0 { continue; }
        s0 = (s0 & (v ^ i as u32)) ^ 23;
        s0 = (s0 & (v ^ i as u32)) ^ v.wrapping_mul(34);
        if v < 79 { out[n] = i as u32; n += 1; }
        if i % 5 != 1 { kept.push(i as u32); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c042(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 82u32;
    let mut s1 = 23u32;
    let mut s2 = 12u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        if v < 836 { s0 &= i as u32; }
        s1 = s1.wrapping_add(((v ^ i as u32)).wrapping_sub(s1).wrapping_mul(7));
        if v < 877 { s2 &= (v >> 4); }
        if v < 926 { out[at[i]] = ((i as u32).wrapping_add(s1)).wrapping_add(s2); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c043(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 51u32;
    let mut s1 = 27u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s1 = s0.wrapping_mul(v).wrapping_sub(s1);
        for _ in 0..v % 3 {
            s0 = s0.wrapping_mul((v >> 7)).wrapping_add(v.wrapping_mul(10));
        }
        if v % 10 == 4 { out[n] = (v.wrapping_mul(31)).wrapping_add(s1); n += 1; }
        if i % 7 != 1 { kept.push((i as u32).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c044(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if v % 6 == 2 { out[n] = (v >> 2); n += 1; }
        if i % 4 != 1 { kept.push(577); }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c045(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 93u32;
    let mut s1 = 2u32;
    let mut s2 = 73u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        out[n] = v.wrapping_mul(36);
        n += (v < 899) as usize;
        s0 = s0.wrapping_mul(v).wrapping_add(v);
        for _ in 0..v % 3 {
            s1 = if v < 378 { v } else { s1 };
        }
        s2 = s2.wrapping_mul(v.wrapping_mul(13)).wrapping_add(483);
        for _ in 0..v % 3 {
            s0 = s2.wrapping_mul(v.wrapping_mul(33)).wrapping_sub(s0);
        }
        s1 = if v % 10 == 1 { v } else { s1 };
        s2 = s0.wrapping_mul((v >> 2)).wrapping_sub(s2);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c046(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 12u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        for _ in 0..v % 3 {
            s0 = s0.wrapping_add((v).wrapping_sub(s0).wrapping_mul(7));
        }
        for _ in 0..v % 3 {
            s0 = s0.wrapping_add((i as u32).wrapping_sub(s0).wrapping_mul(7));
        }
        if v % 5 == 4 { out[at[i]] = (v ^ i as u32); }
        if v % 5 == 0 { kept.push((v.wrapping_mul(48)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c047(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 19u32;
    let mut s1 = 65u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = (s0 & (v ^ i as u32)) ^ i as u32;
        s1 = if v % 8 == 0 { (v >> 1) } else { s1 };
        if v < 411 { kept.push((v >> 2)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c048(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        out[n] = i as u32;
        n += (v % 3 == 2) as usize;
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c049(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 42u32;
    let mut s1 = 72u32;
    let mut s2 = 50u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = s0.wrapping_add(786);
        if v < 505 { s1 = 62; }
        s2 = s2.wrapping_add(i as u32);
        s0 = s0.wrapping_add((v ^ i as u32));
        for _ in 0..v % 3 {
            if i % 3 != 1 { s1 = v; }
        }
        s2 = s2.wrapping_add(v.wrapping_mul(22));
        if v % 5 == 0 { kept.push(((v ^ i as u32)).wrapping_add(s1)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c050(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 81u32;
    let mut s1 = 58u32;
    let mut s2 = 89u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        if v % 2 == 1 { s0 = (v >> 0); }
        s1 = s1.wrapping_mul((v >> 2)).wrapping_add((v ^ i as u32));
        for _ in 0..v % 3 {
            s2 = if i % 5 != 1 { 284 } else { s2 };
        }
        out[i] = i as u32;
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c051(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 43u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        out[n] = (i as u32).wrapping_add(s0);
        n += (i % 9 != 1) as usize;
        s0 = match v % 5 { 0 => (v >> 4), 1 | 2 => v.wrapping_mul(23), _ => s0 };
        if v < 790 { s0 = (v ^ i as u32); }
        if i % 7 != 1 { kept.push((v ^ i as u32)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c052(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 21u32;
    let mut s1 = 20u32;
    let mut s2 = 18u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        out[n] = (((i as u32).wrapping_add(s0)).wrapping_add(s1)).wrapping_add(s2);
        n += (v < 552) as usize;
        for _ in 0..v % 3 {
            s0 = if v < 400 { v.wrapping_mul(22) } else { s0.max(728) };
        }
        s1 = if v % 10 == 3 { i as u32 } else { s1 };
        if i % 7 != 1 { s2 = v; }
        if i % 9 != 1 { kept.push(((v >> 4)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c053(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 80u32;
    let mut s1 = 43u32;
    let mut s2 = 81u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        out[n] = ((v ^ i as u32)).wrapping_add(s0);
        n += (v < 960) as usize;
        s2 = s0.wrapping_mul(68u32).wrapping_sub(s2);
        s1 = (478u32).wrapping_sub(s1.wrapping_mul(3));
        s0 = s0.wrapping_mul(v).wrapping_add(v.wrapping_mul(21));
        s2 = s2.wrapping_mul(v.wrapping_mul(31)).wrapping_add((v ^ i as u32));
        s1 = (v).wrapping_sub(s1.wrapping_mul(3));
        s0 = s1.wrapping_mul(i as u32).wrapping_sub(s0);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c054(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 24u32;
    let mut s1 = 62u32;
    let mut s2 = 10u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if i % 2 != 1 { s0 &= v; }
        s1 = (s1 & v) ^ v.wrapping_mul(32);
        for _ in 0..v % 3 {
            s2 = (s2 & (v ^ i as u32)) ^ (v >> 8);
        }
        s0 = (s0 & v.wrapping_mul(7)) ^ v;
        s1 ^= 942;
        s2 = (s2 & i as u32) ^ (v >> 3);
        if v % 2 == 0 { out[n] = (13u32).wrapping_add(s1); n += 1; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c055(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        out[n] = 299;
        n += (v < 250) as usize;
        if i % 5 != 1 { continue; }
        if v < 785 { kept.push(i as u32); }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c056(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 47u32;
    let mut s1 = 31u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.max(i as u32);
        s1 = s1.wrapping_add(((v >> 5)).wrapping_sub(s1).wrapping_mul(7));
        if i % 3 != 1 { out[n] = (((v ^ i as u32)).wrapping_add(s0)).wrapping_add(s1); n += 1; }
        if i % 10 != 1 { kept.push(v.wrapping_mul(40)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c057(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 70u32;
    let mut s1 = 12u32;
    let mut s2 = 22u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v < 286 { continue; }
        s2 = match v % 5 { 0 => (v ^ i as u32), 1 | 2 => i as u32, _ => s2 };
        s1 ^= v;
        if v % 5 == 4 { s0 = 746; }
        if i % 10 != 1 { kept.push((v.wrapping_mul(0)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c058(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 37u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        for _ in 0..v % 3 {
            s0 = if v % 9 == 2 { i as u32 } else { s0 };
        }
        if i % 3 != 1 { kept.push(i as u32); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c059(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v % 6 == 2 { continue; }
        if v < 421 { out[at[i]] = 672; }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c060(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if i % 3 != 1 { kept.push((v >> 8)); }
        kept.extend_from_slice(&[v, i as u32]);
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c061(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 92u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if v % 8 == 0 { continue; }
        if i % 3 != 1 { s0 = 31; }
        let p = at[i];
        if out[p] > v { out[p] = (v).wrapping_add(s0); }
        if v % 6 == 0 { kept.push(v); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c062(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 90u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = match v % 5 { 0 => (v >> 6), 1 | 2 => v, _ => s0 };
        out[i] = (v >> 0);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c063(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        out[n] = (v ^ i as u32);
        n += (v % 5 == 3) as usize;
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c064(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 56u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v % 5 == 0 { s0 = v.wrapping_mul(3); }
        if v < 558 { s0 = (v >> 5); }
        out[i] = v.wrapping_mul(2);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c065(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 36u32;
    let mut s1 = 52u32;
    let mut s2 = 32u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s2 = (i as u32).wrapping_sub(s2.wrapping_mul(3));
        s1 = if v < 285 { v } else { s1.max(624) };
        s0 = s0.wrapping_mul(i as u32).wrapping_add(v.wrapping_mul(44));
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c066(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 90u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.max(v.wrapping_mul(38));
        if i % 5 != 1 { kept.push(954); }
        kept.extend_from_slice(&[v, i as u32]);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c067(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 34u32;
    let mut s1 = 41u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        if i % 4 != 1 { continue; }
        s1 = s1.max((v >> 4));
        if v % 5 == 2 { s0 = v.wrapping_mul(41); }
        for _ in 0..v % 3 {
            s1 = s1.max(v.wrapping_mul(12));
        }
        s0 = s0.max((v >> 6));
        if v % 3 == 0 { out[at[i]] = (785u32).wrapping_add(s1); }
        if v % 10 == 3 { kept.push(((v >> 1)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c068(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 94u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = s0.wrapping_mul(v).wrapping_add(v.wrapping_mul(1));
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c069(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        out[n] = (v ^ i as u32);
        n += (v < 660) as usize;
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c070(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 73u32;
    let mut s1 = 77u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if i % 5 != 1 { continue; }
        if v % 6 == 5 { s1 = v; }
        s0 = s0.wrapping_add(492);
        if v % 8 == 5 { s1 = v; }
        for _ in 0..v % 3 {
            s0 = s0.wrapping_add((v ^ i as u32));
        }
        if i % 4 != 1 { kept.push(((v >> 8)).wrapping_add(s1)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c071(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        if v < 746 { out[n] = i as u32; n += 1; }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c072(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v % 5 == 0 { kept.push((v ^ i as u32)); }
        kept.extend_from_slice(&[v, i as u32]);
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c073(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 96u32;
    let mut s1 = 65u32;
    let mut s2 = 48u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        out[n] = (v.wrapping_mul(26)).wrapping_add(s0);
        n += (i % 10 != 1) as usize;
        for _ in 0..v % 3 {
            s2 = s2.wrapping_add(i as u32);
        }
        s1 = s1.wrapping_add(i as u32);
        for _ in 0..v % 3 {
            s0 = (s0 & (v ^ i as u32)) ^ i as u32;
        }
        if i % 2 != 1 { kept.push((((v >> 3)).wrapping_add(s1)).wrapping_add(s2)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c074(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 28u32;
    let mut s1 = 80u32;
    let mut s2 = 9u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.wrapping_mul((v ^ i as u32)).wrapping_add((v ^ i as u32));
        s1 = (s1 & 884) ^ (v >> 4);
        for _ in 0..v % 3 {
            s2 = if i % 5 != 1 { (v >> 7) } else { s2.max(v.wrapping_mul(1)) };
        }
        s0 = s0.wrapping_add((v.wrapping_mul(16)).wrapping_sub(s0).wrapping_mul(7));
        s1 ^= (v ^ i as u32);
        for _ in 0..v % 3 {
            s2 = if i % 2 != 1 { (v >> 6) } else { s2.max(i as u32) };
        }
        out[i] = ((v ^ i as u32)).wrapping_add(s0);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c075(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 85u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.wrapping_mul(i as u32).wrapping_add(v);
        for _ in 0..v % 3 {
            s0 = s0.wrapping_mul(v.wrapping_mul(45)).wrapping_add(v.wrapping_mul(49));
        }
        if i % 8 != 1 { kept.push(((v ^ i as u32)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c076(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 10u32;
    let mut s1 = 98u32;
    let mut s2 = 46u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        if v < 831 { continue; }
        s2 = if v < 400 { v } else { s2.max(385) };
        s1 = ((v >> 1)).wrapping_sub(s1.wrapping_mul(3));
        s0 ^= i as u32;
        out[i] = (v.wrapping_mul(20)).wrapping_add(s2);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c077(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 56u32;
    let mut s1 = 85u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = (i as u32).wrapping_sub(s0.wrapping_mul(3));
        s1 = (543u32).wrapping_sub(s1.wrapping_mul(3));
        if i % 2 != 1 { kept.push(12); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c078(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        if v % 9 == 2 { out[n] = (v >> 1); n += 1; }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c079(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 89u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v < 279 { continue; }
        s0 = if v < 704 { v } else { s0 };
        if i % 4 != 1 { s0 = i as u32; }
        if v % 9 == 4 { out[n] = (v.wrapping_mul(35)).wrapping_add(s0); n += 1; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c080(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 33u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s0 = (s0 & 224) ^ (v ^ i as u32);
        if v < 1 { out[n] = ((v >> 6)).wrapping_add(s0); n += 1; }
        if v < 629 { kept.push(550); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c081(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 35u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = (s0 & i as u32) ^ v.wrapping_mul(3);
        if i % 6 != 1 { kept.push((v).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c082(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 40u32;
    let mut s1 = 47u32;
    let mut s2 = 69u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v % 8 == 4 { continue; }
        s2 = (v).wrapping_sub(s2.wrapping_mul(3));
        for _ in 0..v % 3 {
            s1 = s2.wrapping_mul(267u32).wrapping_sub(s1);
        }
        if v % 9 == 6 { s0 = (v >> 3); }
        s2 = s2.wrapping_mul(v.wrapping_mul(34)).wrapping_add(i as u32);
        s1 = s2.wrapping_mul(i as u32).wrapping_sub(s1);
        if i % 9 != 1 { s0 = (v ^ i as u32); }
        let p = at[i];
        if out[p] > v { out[p] = i as u32; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c083(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 92u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s0 = s0.wrapping_add((v).wrapping_sub(s0).wrapping_mul(7));
        let p = at[i];
        if out[p] > v { out[p] = 559; }
        if v < 271 { kept.push(v.wrapping_mul(14)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c084(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 82u32;
    let mut s1 = 32u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        for _ in 0..v % 3 {
            s0 = s0.max(v);
        }
        s1 = (v.wrapping_mul(25)).wrapping_sub(s1.wrapping_mul(3));
        out[i] = (v ^ i as u32);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c085(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 92u32;
    let mut s1 = 6u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        out[n] = (((v ^ i as u32)).wrapping_add(s0)).wrapping_add(s1);
        n += (v % 6 == 3) as usize;
        for _ in 0..v % 3 {
            s1 = if v < 342 { v.wrapping_mul(0) } else { s1 };
        }
        s0 = if i % 6 != 1 { i as u32 } else { s0.max((v >> 1)) };
        s1 = match v % 5 { 0 => v, 1 | 2 => (v ^ i as u32), _ => s1 };
        s0 = if v < 259 { i as u32 } else { s0.max(i as u32) };
        if v < 719 { kept.push(v.wrapping_mul(25)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c086(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 40u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        if i % 2 != 1 { s0 = v.wrapping_mul(32); }
        out[i] = (v.wrapping_mul(20)).wrapping_add(s0);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c087(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 24u32;
    let mut s1 = 54u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        s0 = s0.wrapping_mul(v).wrapping_add(v);
        for _ in 0..v % 3 {
            s1 = s1.wrapping_add((v ^ i as u32));
        }
        out[i] = ((v).wrapping_add(s0)).wrapping_add(s1);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c088(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 94u32;
    let mut s1 = 96u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s1 = (v).wrapping_sub(s1.wrapping_mul(3));
        s0 = if v < 215 { i as u32 } else { s0 };
        if i % 2 != 1 { out[n] = ((v).wrapping_add(s0)).wrapping_add(s1); n += 1; }
        if i % 9 != 1 { kept.push(((v ^ i as u32)).wrapping_add(s0)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c089(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 66u32;
    let mut s1 = 6u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        s1 = ((v >> 7)).wrapping_sub(s1.wrapping_mul(3));
        s0 = ((v ^ i as u32)).wrapping_sub(s0.wrapping_mul(3));
        out[at[i]] = ((v ^ i as u32)).wrapping_add(s1);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c090(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 19u32;
    let mut s1 = 10u32;
    let mut s2 = 1u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        if i % 6 != 1 { continue; }
        s2 = s0.wrapping_mul(113u32).wrapping_sub(s2);
        for _ in 0..v % 3 {
            s1 = s1.wrapping_mul((v ^ i as u32)).wrapping_add(i as u32);
        }
        for _ in 0..v % 3 {
            s0 = ((v >> 5)).wrapping_sub(s0.wrapping_mul(3));
        }
        s2 = (i as u32).wrapping_sub(s2.wrapping_mul(3));
        s1 = (v.wrapping_mul(8)).wrapping_sub(s1.wrapping_mul(3));
        s0 = s1.wrapping_mul(i as u32).wrapping_sub(s0);
        out[at[i]] = ((i as u32).wrapping_add(s0)).wrapping_add(s1);
        if i % 4 != 1 { kept.push((v ^ i as u32)); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload(distinct(out))]
fn c091(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        out[at[i]] = v.wrapping_mul(6);
        if v % 5 == 3 { kept.push((v >> 5)); }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c092(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 88u32;
    let mut s1 = 55u32;
    let mut s2 = 51u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v < 555 { s0 &= (v ^ i as u32); }
        for _ in 0..v % 3 {
            if i % 5 != 1 { s1 = 913; }
        }
        for _ in 0..v % 3 {
            s2 = s2.wrapping_add((632u32).wrapping_sub(s2).wrapping_mul(7));
        }
        s0 = (s0 & 42) ^ 175;
        s1 = s1.max((v >> 7));
        s2 = s2.wrapping_add(((v >> 2)).wrapping_sub(s2).wrapping_mul(7));
        out[i] = (((v.wrapping_mul(1)).wrapping_add(s0)).wrapping_add(s1)).wrapping_add(s2);
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c093(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 75u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        out[n] = (v >> 0);
        n += (v % 9 == 2) as usize;
        if i % 4 != 1 { s0 = (v >> 6); }
        s0 = match v % 5 { 0 => (v >> 5), 1 | 2 => (v ^ i as u32), _ => s0 };
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c094(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 55u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s0 = s0.wrapping_add((282u32).wrapping_sub(s0).wrapping_mul(7));
        if v < 142 { kept.push(v); }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c095(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        out[n] = (v >> 4);
        n += (v < 602) as usize;
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c096(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 38u32;
    let mut s1 = 40u32;
    let mut s2 = 86u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if i % 2 != 1 { continue; }
        if i % 5 != 1 { s2 = (v ^ i as u32); }
        s1 = (127u32).wrapping_sub(s1.wrapping_mul(3));
        s0 = if v < 915 { i as u32 } else { s0 };
        s2 = s2.max(723);
        s1 = s1.wrapping_mul(v).wrapping_add((v ^ i as u32));
        if v % 4 == 0 { s0 = v; }
        if v % 6 == 3 { out[n] = (i as u32).wrapping_add(s2); n += 1; }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    all = all * 31 % 1_000_003 + u64::from(s2);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c097(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, v) in x.iter().copied().enumerate() {
        if v % 10 == 1 { out[n] = (v >> 6); n += 1; }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c098(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut s0 = 43u32;
    let mut s1 = 12u32;
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for i in 0..x.len() {
        let v = x[i];
        s0 = s0.wrapping_add((191u32).wrapping_sub(s0).wrapping_mul(7));
        s1 = match v % 5 { 0 => i as u32, 1 | 2 => 472, _ => s1 };
        s0 = s0.wrapping_mul(v.wrapping_mul(15)).wrapping_add(v);
        for _ in 0..v % 3 {
            s1 = if v < 540 { v.wrapping_mul(16) } else { s1 };
        }
    }
    let mut all = n as u64;
    all = all * 31 % 1_000_003 + u64::from(s0);
    all = all * 31 % 1_000_003 + u64::from(s1);
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

#[offload]
fn c099(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {
    let mut n = 0usize;
    let mut kept: Vec<u32> = vec![1];
    for (i, &v) in x.iter().enumerate() {
        out[n] = i as u32;
        n += (i % 2 != 1) as usize;
        if v % 7 == 2 { kept.push((v >> 7)); }
    }
    let mut all = n as u64;
    kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))
}

}
