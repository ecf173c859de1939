//! Translated by acc2rs from `private_clause.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

fn main() {
    let mut a: [i32; 50] = [0; 50];
    let last: i32 = -1;
    for i in 0..50 {
        let tmp: i32 = i * i;
        a[i as usize] = tmp - i;
    }
    for i in 0..50 {
        a[i as usize] += last;
    }
    let mut sum: i32 = 0;
    for i in 0..50 {
        sum += a[i as usize];
    }
    println!("{}", sum);
}
