//! Translated by acc2rs from `positions_in_one_array.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

mod c;

// Functions that get several positions in one array, which may overlap.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct body {
    x: f64,
    y: f64,
    fx: f64,
    fy: f64,
}

impl body {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> body {
        body {
            x: 0.0,
            y: 0.0,
            fx: 0.0,
            fy: 0.0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    work: [i32; 600],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals { work: [0; 600] }
    }
}

fn pair_within(whole_: &mut [body], a_at_: usize, b_at_: usize) {
    let a: usize = a_at_;
    let b: usize = b_at_;
    let dx: f64 = whole_[a].x - whole_[b].x;
    let dy: f64 = whole_[a].y - whole_[b].y;
    let d: f64 = dx * dx + dy * dy + 0.01;
    whole_[a].fx -= dx / d;
    whole_[a].fy -= dy / d;
    whole_[b].fx += dx / d;
    whole_[b].fy += dy / d;
}

fn shift_add_within(whole__: &mut [i32], dst_at: usize, src_at: usize, n: i32) {
    let dst: usize = dst_at;
    let mut src: usize = src_at;
    for i in 0..n {
        whole__[dst + i as usize] += whole__[src];
        src += 1;
    }
}

fn cswap_within(whole: &mut [i32], a_at: usize, b_at: usize) {
    let a: usize = a_at;
    let b: usize = b_at;
    if whole[a] > whole[b] {
        let t: i32 = whole[a];
        whole[a] = whole[b];
        whole[b] = t;
    }
}

fn partition(v: &mut [i32], lo: i32, hi: i32) -> i32 {
    let p: i32 = v[hi as usize];
    let mut i: i32 = lo;
    for j in lo..hi {
        if v[j as usize] < p {
            cswap_within(v, j as usize, i as usize);
            if v[i as usize] > v[j as usize] {
                let t: i32 = v[i as usize];
                v[i as usize] = v[j as usize];
                v[j as usize] = t;
            }
            i += 1;
        }
    }
    i
}

fn count_within(whole___: &mut [i32], keys_at: usize, hist_at: usize, n: i32, bins: i32) {
    let keys: usize = keys_at;
    let hist: usize = hist_at;
    // In order: `whole___[hist.wrapping_add((whole___[keys + i as usize] % bins) as usize)]` is
    // written here, and another iteration may read the same element as `whole___[keys + i as
    // usize]` [accrue::H057].
    for i in 0..n {
        whole___[hist.wrapping_add((whole___[keys + i as usize] % bins) as usize)] += 1;
    }
}

fn merge(a: &[i32], na: i32, b: &[i32], nb: i32, out: &mut [i32]) {
    let mut i: i32 = 0;
    let mut j: i32 = 0;
    let mut k: i32 = 0;
    while i < na && j < nb {
        out[({
            let old_ = k;
            k += 1;
            old_
        }) as usize] = if a[i as usize] <= b[j as usize] {
            a[({
                let old2 = i;
                i += 1;
                old2
            }) as usize]
        } else {
            b[({
                let old3 = j;
                j += 1;
                old3
            }) as usize]
        };
    }
    while i < na {
        out[k as usize] = a[i as usize];
        k += 1;
        i += 1;
    }
    while j < nb {
        out[k as usize] = b[j as usize];
        k += 1;
        j += 1;
    }
}

fn msort(a: &mut [i32], n: i32, tmp: &mut [i32]) {
    if n < 2 {
        return;
    }
    let h: i32 = n / 2;
    msort(a, h, tmp);
    msort(&mut a[h as usize..], n - h, tmp);
    merge(a, h, &a[h as usize..], n - h, tmp);
    for i in 0..n {
        a[i as usize] = tmp[i as usize];
    }
}

fn dot3_within(whole_____: &mut [f64], r_at: usize, p_at: usize, q_at: usize) {
    let r: usize = r_at;
    let p: usize = p_at;
    let q: usize = q_at;
    whole_____[r] = whole_____[p] * whole_____[q];
    whole_____[r + 1] = whole_____[p + 1] * whole_____[q + 1];
    whole_____[r + 2] = whole_____[p + 2] * whole_____[q + 2];
}

fn layer_within(whole____: &mut [f32], in_at: usize, out_at: usize, n: i32, m: i32, w: &[f32]) {
    let in_: usize = in_at;
    let out: usize = out_at;
    for j in 0..m {
        let mut s: f32 = 0.0;
        for i in 0..n {
            s += whole____[in_ + i as usize] * w[(j * n + i) as usize];
        }
        whole____[out + j as usize] = if s > 0.0 { s } else { 0.0_f32 };
    }
}

fn main() {
    let mut globals = Globals::new();
    let n: i32 = 20;
    let mut b: Vec<body> = vec![body::zeroed(); n as usize];
    for i in 0..n {
        b[i as usize].x = (i % 5) as f64;
        b[i as usize].y = i as f64 / 5.0;
    }
    for i in 0..n {
        for j in i + 1..n {
            pair_within(&mut b, i as usize, j as usize);
        }
    }
    let mut s: f64 = 0.0;
    for i in 0..n {
        s += b[i as usize].fx * i as f64 + b[i as usize].fy;
    }
    let mut v: [i32; 64] = [0; 64];
    for i in 0..64 {
        v[i as usize] = i * 29 % 67;
    }
    let k: i32 = 3;
    shift_add_within(&mut v, k as usize, 0, 60);
    shift_add_within(&mut v, 0, k as usize, 60);
    {
        let value = partition(&mut v, 0, 63);
        let value2 = v[63];
        let value3 = v[10];
        let value4 = c::Float(s);
        println!("{:.6} {} {} {}", value4, value3, value2, value);
    }
    let half: i32 = 300;
    for i in 0..half {
        globals.work[i as usize] = i * 7 % 100;
    }
    count_within(&mut globals.work, 0, half as usize, half, 100);
    count_within(&mut globals.work, 1, (half + 100) as usize, 200, 100);
    let mut c_: i32 = 0;
    for i in 0..100 {
        c_ += globals.work[(half + i) as usize] * i + globals.work[(half + 100 + i) as usize];
    }
    println!("{}", c_);
    let sizes: [i32; 3] = [4, 6, 2];
    let off: [i32; 3] = [0, 4, 10];
    let mut act: [f32; 12] = [1.0, 0.5, -2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut w: [f32; 36] = [0.0; 36];
    for i in 0..36 {
        w[i as usize] = (i * 13 % 7 - 3) as f32 * 0.25;
    }
    for l in 0..2 {
        layer_within(
            &mut act,
            off[l] as usize,
            off[l + 1] as usize,
            sizes[l],
            sizes[l + 1],
            &w,
        );
    }
    println!(
        "{:.6} {:.6}",
        c::Float(act[10] as f64),
        c::Float(act[11] as f64)
    );
    let mut buf: Vec<f64> = vec![0.0_f64; 64];
    for i in 0..64 {
        buf[i as usize] = i as f64 * 0.5;
    }
    let mut cur: i32 = 0;
    for t in 0..5 {
        let old: usize = (cur * 32) as usize;
        let fresh: usize = ((1 - cur) * 32) as usize;
        {
            let value5 = fresh + t as usize;
            let value6 = old + t as usize;
            let value7 = old + 3 + t as usize;
            dot3_within(&mut buf, value5, value6, value7)
        }
        cur = 1 - cur;
    }
    let mut tmp: [i32; 64] = [0; 64];
    msort(&mut v, 64, &mut tmp);
    println!(
        "{:.6} {:.6} {} {}",
        c::Float(buf[3]),
        c::Float(buf[36]),
        v[0],
        v[63]
    );
    drop(buf);
    drop(b);
}
