//! Translated by acc2rs from `private_clause.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

/// Sets `a`, the loop at private_clause.c:6:3.
#[offload]
fn fill_a(a: &mut [i32]) {
    for i in 0..50 {
        let tmp: i32 = i * i;
        a[i as usize] = tmp - i;
    }
}

/// Updates `a`, the loop at private_clause.c:11:3.
#[offload]
fn update_a(last: i32, a: &mut [i32]) {
    for i in 0..50 {
        a[i as usize] += last;
    }
}

fn main() {
    let mut a: [i32; 50] = [0; 50];
    let last: i32 = -1;
    fill_a(&mut a);
    update_a(last, &mut a);
    let mut sum: i32 = 0;
    for i in 0..50 {
        sum += a[i as usize];
    }
    println!("{}", sum);
}
