//! Translated by acc2rs from `pointer_pairs.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

fn sum(first: &[f64], first_len: i64) -> f64 {
    let mut first_at: usize = 0;
    let last: usize = first_at.wrapping_add(first_len as usize);
    let mut s: f64 = 0.0;
    while first_at < last {
        s += first[first_at];
        first_at += 1;
    }
    s
}

fn fill(begin: &mut [i32], begin_len: i64, v: i32) {
    let end: usize = begin_len as usize;
    {
        let mut p: usize = 0;
        while p != end {
            begin[p] = v + p as i64 as i32;
            p += 1;
        }
    }
}

fn reverse(b: &mut [i32], b_len: i64) {
    let mut b_at: usize = 0;
    let mut e: usize = b_at.wrapping_add(b_len as usize);
    while b_at < e
        && b_at
            != ({
                e -= 1;
                e
            })
    {
        let t: i32 = b[b_at];
        b[b_at] = b[e];
        b_at += 1;
        b[e] = t;
    }
}

fn count_less(b: &[f32], b_len: i64, x: f32) -> i64 {
    let e: usize = b_len as usize;
    let mut lo: usize = 0;
    let mut n: i64 = e as i64;
    while n > 0 {
        let half: i64 = n / 2;
        let mid: usize = lo.wrapping_add(half as usize);
        if b[mid] < x {
            lo = mid + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    lo as i64
}

fn sort_between(lo: &mut [i32], lo_len: i64) {
    let hi: usize = lo_len as usize;
    if (hi as i64) < 2 {
        return;
    }
    let pivot: i32 = lo[(hi as i64 / 2) as usize];
    let mut i: usize = 0;
    let mut j: usize = hi - 1;
    while i <= j {
        while lo[i] < pivot {
            i += 1;
        }
        while lo[j] > pivot {
            j -= 1;
        }
        if i <= j {
            let t: i32 = lo[i];
            lo[i] = lo[j];
            i += 1;
            lo[j] = t;
            j -= 1;
        }
    }
    {
        let value = (j + 1) as i64;
        sort_between(lo, value)
    }
    {
        let value2 = hi as i64 - i as i64;
        sort_between(&mut lo[i..], value2)
    }
}

fn total(first: &[f64], first_len: i64) -> f64 {
    let last: usize = first_len as usize;
    sum(first, last as i64) + 1.0
}

fn main() {
    let mut a: [f64; 100] = [0.0; 100];
    let mut v: [i32; 50] = [0; 50];
    let f: [f32; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];
    for i in 0..100 {
        a[i as usize] = i as f64 * 0.5;
    }
    println!(
        "{} {} {}",
        c::general(sum(&a, 100), 6),
        c::general(sum(&a[10..], 20 as i64 - 10 as i64), 6),
        c::general(total(&a[5..], 7 as i64 - 5 as i64), 6)
    );
    fill(&mut v, 50, 3);
    reverse(&mut v, 50);
    println!("{} {}", v[0], v[49]);
    println!(
        "{} {}",
        count_less(&f, 8, 10.0),
        count_less(&f[2..], 6 as i64 - 2 as i64, 4.5)
    );
    let mut x: u32 = 12345;
    for i in 0..50 {
        x = x.wrapping_mul(1103515245).wrapping_add(12345);
        v[i] = ((x >> 16) % 1000) as i32;
    }
    sort_between(&mut v, 50);
    let stop: usize = 10;
    {
        let mut p: usize = 0;
        while p < stop {
            print!("{} ", v[p]);
            p += 1;
        }
    }
    let mut heap: Vec<f64> = vec![0.0_f64; 20];
    {
        let mut p: usize = 0;
        let e: usize = 20;
        while p < e {
            heap[p] = p as i64 as f64;
            p += 1;
        }
    }
    println!("{}", c::general(sum(&heap, 20), 6));
    drop(heap);
}
