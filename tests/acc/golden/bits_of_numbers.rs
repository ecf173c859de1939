//! Translated by acc2rs from `bits_of_numbers.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct value {
    tag: i32,
    v: u64,
}

impl value {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> value {
        value { tag: 0, v: 0 }
    }
}

/// Sets `out`, the loop at bits_of_numbers.c:34:5.
#[offload]
fn compute_out(u: &[f32], n: i32, out: &mut [u32]) {
    for i in 0..n {
        out[i as usize] = u[i as usize].to_bits()
            ^ (-((u[i as usize].to_bits() >> 31) as i32) as u32 | 0x80000000);
    }
}

// The bits of numbers: through casts, memcpy, unions of numbers, and pointers that see an array as another.
fn bits_of(f: f32) -> u32 {
    let u: u32 = f.to_bits();
    u
}

fn from_bits(u: u32) -> f32 {
    let f: f32 = f32::from_bits(u);
    f
}

fn q_rsqrt(number: f32) -> f32 {
    let x2: f32 = number * 0.5;
    let mut y: f32 = number;
    let mut j: i32 = y.to_bits() as i32;
    let i: i64 = (0x5f3759df - (j >> 1)) as i64;
    j = i as i32;
    y = f32::from_bits(j as u32);
    y = y * (1.5 - x2 * y * y);
    y
}

fn exponent(x: f32) -> i32 {
    let v: u32 = x.to_bits();
    (v >> 23 & 0xff) as i32 - 127
}

fn make_int(i: i32) -> value {
    let mut x: value = value::zeroed();
    x.tag = 0;
    x.v = x.v & !4294967295_u64 | i as u32 as u64;
    x
}

fn make_double(d: f64) -> value {
    let mut x: value = value { tag: 1, v: 0 };
    x.v = d.to_bits();
    x
}

fn as_double(x: &value) -> f64 {
    if x.tag == 0 {
        x.v as u32 as i32 as f64
    } else {
        f64::from_bits(x.v)
    }
}

fn swap32(x: u32) -> u32 {
    let w: u32 = x;
    ((w >> 0 * 8) as u8 as u32) << 24
        | (((w >> 1 * 8) as u8 as i32) << 16) as u32
        | (((w >> 2 * 8) as u8 as i32) << 8) as u32
        | (w >> 3 * 8) as u8 as u32
}

fn absf(mut x: f32) -> f32 {
    x = f32::from_bits(x.to_bits() & 0x7fffffff);
    x
}

fn fast_exp(y: f64) -> f64 {
    let u: u64 = (((1512775.0 * y + 1072632447.0) as i64) << 32) as u64;
    f64::from_bits(u)
}

fn float_cmp_ulps(a: f32, b: f32) -> i32 {
    let ia: i32 = a.to_bits() as i32;
    let ib: i32 = b.to_bits() as i32;
    (ia - ib).abs()
}

fn radix_keys(in_: &[f32], out: &mut [u32], n: i32) {
    compute_out(in_, n, out);
}

fn main() {
    let mut vs: [value; 4] = [value::zeroed(); 4];
    vs[0] = make_int(-7);
    vs[1] = make_double(2.5);
    vs[2] = make_int(3);
    vs[3] = vs[1];
    vs[3].v = (f64::from_bits(vs[3].v) * 2.0).to_bits();
    vs[2].v = vs[2].v & !4294967295_u64 | (vs[2].v as u32 as i32 + 4) as u32 as u64;
    vs[0].v = vs[0].v & !255_u64 | b'x' as i32 as i8 as u8 as u64;
    let mut s: f64 = 0.0;
    for i in 0..4 {
        s += as_double(&vs[i]);
    }
    println!("{:.6} {}", c::Float(s), vs[0].v as u32 as i32);
    let mut w: u32 = 1.0_f32.to_bits();
    let z: u32 = 7;
    let tab: [u32; 3] = [1, 2, 0];
    println!(
        "{} {:.6} {:.6} {}",
        bits_of(0.1),
        c::Float(from_bits(0x40490fdb) as f64),
        c::Float(q_rsqrt(2.0) as f64),
        exponent(1000.0)
    );
    println!(
        "{:08x} {} {} {}",
        w,
        z >> 0 * 8,
        swap32(0x1020304),
        tab[1].wrapping_add(tab[2])
    );
    w = (f32::from_bits(w) + 1.5).to_bits();
    w = w | 1;
    w = w.wrapping_add(1);
    {
        let value = float_cmp_ulps(1.0, 1.0000005);
        let value2 = c::general(fast_exp(1.0), 6);
        let value3 = c::general(absf(-3.5) as f64, 6);
        let value4 = c::general(f32::from_bits(w) as f64, 9);
        println!("{} {} {} {}", value4, value3, value2, value);
    }
    let x: [f32; 5] = [1.5, -2.0, 0.0, 30000000000.0, -1e-5];
    let mut k: [u32; 5] = [0; 5];
    radix_keys(&x, &mut k, 5);
    for i in 0..5 {
        print!("{} ", k[i]);
    }
    let d: f64 = -0.0;
    let bits: u64 = d.to_bits();
    let mut big: [f32; 4] = [0.0; 4];
    let one: u32 = 0x3f800000;
    for i in 0..4 {
        let t: u32 = one.wrapping_add(i as u32);
        big[i as usize] = f32::from_bits(t);
    }
    println!("{:x} {:.8}", bits, c::Float(big[3] as f64));
}
