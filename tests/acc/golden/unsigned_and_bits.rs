//! Translated by acc2rs from `unsigned_and_bits.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

mod c;

fn rotl(x: u32, k: i32) -> u32 {
    x << k | x >> 32 - k
}

fn splitmix(s: &mut u64) -> u64 {
    let mut z: u64 = {
        *s = (*s).wrapping_add(0x9e3779b97f4a7c15);
        *s
    };
    z = (z ^ z >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
    z ^ z >> 31
}

fn main() {
    let mut c_: u8 = 250;
    c_ = c_.wrapping_add(10);
    let mut s: i8 = 127;
    s = s.wrapping_add(1);
    let mut us: u16 = 0;
    us = us.wrapping_sub(1);
    let mut u: u32 = 3;
    u = u.wrapping_sub(5);
    let i: i32 = -7;
    println!("{} {} {} {}", c_, s, us, u);
    println!("{} {} {} {}", i / 2, i % 3, i >> 1, i as u32 >> 28);
    println!("{}", i32::from((i as u32) < 3));
    println!("{}", 0);
    let mut seed: u64 = 1;
    let mut x: u32 = 0x12345678;
    for _ in 0..5 {
        x = rotl(x, 7) ^ splitmix(&mut seed) as u32;
    }
    {
        let value = splitmix(&mut seed);
        let value2 = x;
        println!("{:08x} {:x}", value2, value);
    }
    let mut bits: i32 = 0;
    {
        let mut m: u32 = x;
        while m != 0 {
            bits += 1;
            m &= m.wrapping_sub(1);
        }
    }
    println!("{} {} {}", bits, !5 & 0xff, i32::from(bits == 0));
    let big: i64 = 1_i64 << 40;
    let trunc: i32 = (big + 17) as i32;
    println!("{} {} {}", big, trunc, 3);
    let f: f32 = 16777216.0;
    println!("{:.1} {}", c::Float(f as f64), -56_i8 as i32);
}
