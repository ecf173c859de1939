//! Translated by acc2rs from `atomic_read_write.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

fn main() {
    let mut x: i32 = 4;
    let mut y: i32 = 0;
    let mut z: i32 = 10;
    y = x;
    z = 42;
    x *= 3;
    println!("{} {} {}", x, y, z);
}
