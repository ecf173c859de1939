//! Translated by acc2rs from `bytes_through_pointers.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

// The bytes of numbers, read through local pointers.
fn checksum(data: &[u8], len: usize) -> u32 {
    let mut h: u32 = 2166136261;
    for i in 0..len {
        h ^= data[i] as u32;
        h = h.wrapping_mul(16777619);
    }
    h
}

fn hash_doubles(x: &[f64], n: i32) -> u32 {
    let mut h: u32 = 5381;
    for i in 0..n as usize * size_of::<f64>() {
        h = h
            .wrapping_mul(33)
            .wrapping_add((x[i / 8].to_bits() >> 8 * (i % 8)) as u8 as u32);
    }
    h
}

fn main() {
    let x: f64 = 3.25;
    for i in 0..8 {
        print!("{:02x}", (x.to_bits() >> 8 * (i as usize % 8)) as u8);
    }
    println!();
    let k: i32 = 1;
    println!("{}", if k as u32 as i8 != 0 { "little" } else { "big" });
    let a: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.5];
    let b: [i32; 4] = [1, 2, 3, 4];
    println!(
        "{} {} {}",
        checksum(&c::bytes(&a), size_of::<[f64; 5]>()),
        hash_doubles(&a, 5),
        checksum(&c::bytes(&b), size_of::<[i32; 4]>())
    );
    let mut s: u32 = 0;
    for i in 0..size_of::<[f64; 5]>() {
        s = (s << 1 | s >> 31) ^ (a[i / 8].to_bits() >> 8 * (i % 8)) as u8 as u32;
    }
    println!("{:08x}", s);
}
