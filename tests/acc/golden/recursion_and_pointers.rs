//! Translated by acc2rs from `recursion_and_pointers.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use std::process::ExitCode;

fn quicksort(a: &mut [i32], lo: i32, hi: i32) {
    if lo >= hi {
        return;
    }
    let pivot: i32 = a[((lo + hi) / 2) as usize];
    let mut i: i32 = lo;
    let mut j: i32 = hi;
    while i <= j {
        while a[i as usize] < pivot {
            i += 1;
        }
        while a[j as usize] > pivot {
            j -= 1;
        }
        if i <= j {
            let t: i32 = a[i as usize];
            a[i as usize] = a[j as usize];
            a[j as usize] = t;
            i += 1;
            j -= 1;
        }
    }
    quicksort(a, lo, j);
    quicksort(a, i, hi);
}

fn swap(x: &mut i32, y: &mut i32) {
    let t: i32 = *x;
    *x = *y;
    *y = t;
}

fn divide(a: i32, b: i32, q: &mut i32, r: &mut i32) {
    *q = a / b;
    *r = a % b;
}

fn sum(p: &[i32], n: i32) -> i32 {
    let mut p_at: usize = 0;
    let mut s: i32 = 0;
    let end: usize = p_at.wrapping_add(n as usize);
    while p_at < end {
        s += p[p_at];
        p_at += 1;
    }
    s
}

fn fib(n: i32) -> i64 {
    if n < 2 {
        n as i64
    } else {
        fib(n - 1) + fib(n - 2)
    }
}

fn main() -> ExitCode {
    let n: i32 = 50;
    let mut a: Vec<i32> = vec![0_i32; n as usize];
    for i in 0..n {
        a[i as usize] = i * 37 % 53;
    }
    quicksort(&mut a, 0, n - 1);
    let mut x: i32 = 3;
    let mut y: i32 = 8;
    let mut q: i32 = 0;
    let mut r: i32 = 0;
    swap(&mut x, &mut y);
    divide(47, 7, &mut q, &mut r);
    let mut p: usize = 0;
    let first: i32 = a[p];
    p += 5;
    let sixth: i32 = a[p];
    let seventh: i32 = a[p + 1];
    println!("{} {} {} {} {} {} {}", x, y, q, r, first, sixth, seventh);
    println!("{} {} {}", sum(&a, n), sum(&a[10..], 5), fib(15));
    let mut ok: i32 = 1;
    for i in 1..n {
        if a[(i - 1) as usize] > a[i as usize] {
            ok = 0;
        }
    }
    drop(a);
    ExitCode::from(i32::from(ok == 0) as u8)
}
