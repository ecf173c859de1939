//! Translated by acc2rs from `every_construct.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments)]

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
    for i in 0..n {
        a[i as usize] = globals.lut[(i & 15) as usize];
    }
    for i in 1..n {
        a[i as usize] += a[(i - 1) as usize];
    }
    for i in 0..n {
        a[i as usize] /= 2;
    }
    let mut sum: i32 = 0;
    let mut cnt: i32 = 0;
    let mut mx: i32 = 0;
    for i in 0..n {
        sum += a[i as usize];
        if a[i as usize] % 2 == 0 {
            cnt += 1;
        }
        if a[i as usize] > mx {
            mx = a[i as usize];
        }
    }
    if i32::from(acc_device_nvidia == acc_device_host) != 0 {
        println!("device");
    }
    println!("{} {} {} {}", sum, cnt, mx, i32::from(dev >= 0));
    drop(a);
}
