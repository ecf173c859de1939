//! Translated by acc2rs from `every_construct.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments)]

use accrue::offload;

const acc_device_host: i32 = 2;
const acc_device_nvidia: i32 = 5;

/// The variables that C keeps outside functions.
struct Globals {
    lut: [i32; 16],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals { lut: [0; 16] }
    }
}

/// Sets `a`, the loop at every_construct.c:17:5.
#[offload]
fn compute_a(lut: &[i32], n: i32, a: &mut [i32]) {
    for i in 0..n {
        a[i as usize] = lut[(i & 15) as usize];
    }
}

/// Updates `a`, the loop at every_construct.c:22:5.
#[offload]
fn update_a(n: i32, a: &mut [i32]) {
    for i in 0..n {
        a[i as usize] /= 2;
    }
}

/// Adds into `sum` and `cnt`, keeps the largest in `mx`, the loop at every_construct.c:31:3.
#[offload]
fn sum_sum(a: &[i32], n: i32, mut sum: i32, mut cnt: i32, mut mx: i32) -> (i32, i32, i32) {
    for i in 0..n {
        sum += a[i as usize];
        if a[i as usize] % 2 == 0 {
            cnt += 1;
        }
        mx = mx.max(a[i as usize]);
    }
    (sum, cnt, mx)
}

fn twice(x: i32) -> i32 {
    2 * x
}

fn main() {
    let mut globals = Globals::new();
    let n: i32 = 128;
    let mut a: Vec<i32> = vec![0_i32; n as usize];
    let dev: i32 = 0;
    for i in 0..16 {
        globals.lut[i as usize] = twice(i);
    }
    compute_a(&globals.lut, n, &mut a);
    for i in 1..n {
        a[i as usize] += a[(i - 1) as usize];
    }
    update_a(n, &mut a);
    let mut sum: i32 = 0;
    let mut cnt: i32 = 0;
    let mut mx: i32 = 0;
    (sum, cnt, mx) = sum_sum(&a, n, sum, cnt, mx);
    if i32::from(acc_device_nvidia == acc_device_host) != 0 {
        println!("device");
    }
    println!("{} {} {} {}", sum, cnt, mx, i32::from(dev >= 0));
    drop(a);
}
