//! Translated by acc2rs from `null_chains.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

// Several pointers that one statement makes null.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct cloud {
    n: i32,
    x: Vec<f64>,
    y: Vec<f64>,
    w: Vec<f64>,
}

impl cloud {
    /// All fields zero, as C initializes them.
    fn zeroed() -> cloud {
        cloud {
            n: 0,
            x: Vec::new(),
            y: Vec::new(),
            w: Vec::new(),
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    first: Vec<i32>,
    second: Vec<i32>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            first: Vec::new(),
            second: Vec::new(),
        }
    }
}

/// Adds into `w`, the loop at null_chains.c:38:5.
#[offload(histogram)]
fn sum_w(y: &[f64], x: &[f64], n: i32, w: &mut [f64]) {
    for i in 0..n {
        w[x[i as usize] as i32 as usize] += y[i as usize];
    }
}

fn cloud_free(c_: &mut cloud) {
    c_.x = Vec::new();
    c_.y = Vec::new();
    c_.w = Vec::new();
    // nothing is left
    c_.w = Vec::new();
    c_.y = Vec::new();
    c_.x = Vec::new();
    c_.n = 0;
}

fn main() {
    let mut globals = Globals::new();
    let mut c_: cloud = cloud::zeroed();
    let mut sum: f64 = 0.0;
    c_.w = Vec::new();
    c_.y = Vec::new();
    c_.x = Vec::new();
    c_.n = 50;
    c_.x = vec![0.0_f64; c_.n as usize];
    c_.y = vec![0.0_f64; c_.n as usize];
    c_.w = vec![0.0_f64; c_.n as usize];
    for i in 0..c_.n {
        c_.x[i as usize] = (i % 8) as f64;
        c_.y[i as usize] = i as f64 / 8.0;
    }
    let n: i32 = c_.n;
    sum_w(&c_.y, &c_.x, n, &mut c_.w);
    for i in 0..8 {
        sum += c_.w[i as usize] * (i + 1) as f64;
    }
    println!("{:.4}", c::Float(sum));
    cloud_free(&mut c_);
    if c_.x.is_empty() && c_.w.is_empty() {
        println!("freed {}", c_.n);
    }
    if sum > 0.0 {
        globals.second = Vec::new();
        globals.first = Vec::new();
    }
    globals.second = vec![0_i32; 4];
    for i in 0..4 {
        globals.second[i as usize] = i * i;
    }
    println!(
        "{} {}",
        if !globals.first.is_empty() {
            "set"
        } else {
            "null"
        },
        globals.second[3]
    );
    globals.second.clear();
}
