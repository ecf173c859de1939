//! Translated by acc2rs from `struct_and_field.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

// Functions that get a struct and memory that one of its fields holds, and reach the memory both ways.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct cloud {
    n: i32,
    x: Vec<f64>,
    y: Vec<f64>,
    mass: Vec<f64>,
}

impl cloud {
    /// All fields zero, as C initializes them.
    fn zeroed() -> cloud {
        cloud {
            n: 0,
            x: Vec::new(),
            y: Vec::new(),
            mass: Vec::new(),
        }
    }
}

/// Counts into `quarter`, the loop at struct_and_field.c:61:3.
#[offload(histogram)]
fn count_quarter(x: &[f64], y: &[f64], n: i32, quarter: &mut [i32]) {
    for i in 0..n {
        quarter[i32::from(x[i as usize] > 0.5) as usize
            + 2 * i32::from(y[i as usize] > 0.5) as usize] += 1;
    }
}

fn exchange(v: &mut [f64], a: i32, b: i32) {
    let t: f64 = v[a as usize];
    v[a as usize] = v[b as usize];
    v[b as usize] = t;
}

fn split_y(c_: &mut cloud, middle: f64, mut first: i32, mut last: i32) -> i32 {
    while first < last {
        if c_.y[first as usize] < middle {
            first += 1;
        } else {
            last -= 1;
            exchange(&mut c_.x, first, last);
            exchange(&mut c_.y, first, last);
            exchange(&mut c_.mass, first, last);
        }
    }
    first
}

fn split_x_(c_: &mut cloud, middle: f64, mut first: i32, mut last: i32) -> i32 {
    while first < last {
        if c_.x[first as usize] < middle {
            first += 1;
        } else {
            last -= 1;
            exchange(&mut c_.x, first, last);
            exchange(&mut c_.y, first, last);
            exchange(&mut c_.mass, first, last);
        }
    }
    first
}

fn shift_y(c_: &mut cloud, by: f64) {
    for i in 0..c_.n {
        c_.y[i as usize] += by * c_.mass[i as usize];
    }
    if c_.n > 0 {
        c_.y[0] = c_.x[0] + c_.y[0];
    }
}

fn shift_x(c_: &mut cloud, by: f64) {
    for i in 0..c_.n {
        c_.x[i as usize] += by * c_.mass[i as usize];
    }
    if c_.n > 0 {
        c_.x[0] = c_.x[0] + c_.y[0];
    }
}

fn bisect(c_: &mut [cloud], first: i32, last: i32, level: i32) -> i32 {
    if level == 0 || last - first < 2 {
        return first;
    }
    let split_x: i32 = if level % 2 != 0 {
        split_x_(&mut c_[0], 0.5, first, last)
    } else {
        split_y(&mut c_[0], 0.5, first, last)
    };
    bisect(c_, first, split_x, level - 1) + split_x
}

fn main() {
    let mut c_: cloud = cloud::zeroed();
    let mut quarter: [i32; 4] = [0; 4];
    c_.n = 60;
    c_.x = vec![0.0_f64; c_.n as usize];
    c_.y = vec![0.0_f64; c_.n as usize];
    c_.mass = vec![0.0_f64; c_.n as usize];
    c::srand(8);
    for i in 0..c_.n {
        c_.x[i as usize] = c::rand() as f64 / 2147483647.0;
        c_.y[i as usize] = c::rand() as f64 / 2147483647.0;
        c_.mass[i as usize] = (1 + i % 3) as f64;
    }
    println!("{}", {
        let value = c_.n;
        bisect(std::slice::from_mut(&mut c_), 0, value, 3)
    });
    shift_x(&mut c_, 0.001);
    shift_y(&mut c_, -0.001);
    count_quarter(&c_.x, &c_.y, c_.n, &mut quarter);
    println!(
        "{} {} {} {}, {:.6} {:.6}",
        quarter[0],
        quarter[1],
        quarter[2],
        quarter[3],
        c::Float(c_.x[0]),
        c::Float(c_.y[59])
    );
    c_.x = Vec::new();
    c_.y = Vec::new();
    c_.mass = Vec::new();
}
