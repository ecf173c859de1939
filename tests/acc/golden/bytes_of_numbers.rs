//! Translated by acc2rs from `bytes_of_numbers.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

mod c;

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct S {
    x: Vec<f32>,
    n: i32,
}

impl S {
    /// All fields zero, as C initializes them.
    fn zeroed() -> S {
        S {
            x: Vec::new(),
            n: 0,
        }
    }
}

// Numbers whose bytes are read by functions of bytes.
fn fnv(data: &[u8], len: usize) -> u64 {
    let mut h: u64 = 1469598103934665603;
    for i in 0..len {
        h ^= data[i] as u64;
        h = h.wrapping_mul(1099511628211);
    }
    h
}

fn adler(data: &[u8], mut len: usize) -> u32 {
    let mut data_at: usize = 0;
    let mut a: u32 = 1;
    let mut b: u32 = 0;
    while ({
        let old = len;
        len = len.wrapping_sub(1);
        old
    }) != 0
    {
        a = a.wrapping_add(data[data_at] as u32) % 65521;
        data_at += 1;
        b = b.wrapping_add(a) % 65521;
    }
    b << 16 | a
}

fn main() {
    let mut x: Vec<f64> = vec![0.0_f64; 100];
    let mut k: [i32; 10] = [0; 10];
    let mut s: S = S::zeroed();
    s.n = 12;
    s.x = vec![0.0_f32; 12];
    for i in 0..12 {
        s.x[i as usize] = i as f32 * 0.1;
    }
    for i in 0..100 {
        x[i as usize] = i as f64 * 0.5;
    }
    for i in 0..10 {
        k[i as usize] = i;
    }
    let one: i32 = 17;
    let t: &str = "hello";
    println!(
        "{} {} {} {} {}",
        fnv(&c::bytes(&x), 100 * size_of::<f64>()),
        fnv(&c::bytes(&k), size_of::<[i32; 10]>()),
        fnv(&c::bytes(std::slice::from_ref(&one)), size_of::<i32>()),
        fnv(&c::bytes(&s.x), s.n as usize * size_of::<f32>()),
        fnv(&c::bytes(&c::c_string(t)), 5)
    );
    println!(
        "{} {}",
        adler(&c::bytes(&x), 800),
        adler(&c::bytes(&k), size_of::<[i32; 10]>())
    );
    drop(x);
    s.x = Vec::new();
}
