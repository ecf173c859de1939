//! Translated by acc2rs from `row_views.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments)]

use accrue::offload;

mod c;

const rows: i32 = 6;

/// The variables that C keeps outside functions.
struct Globals {
    cols: i32,
    data: Vec<i32>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            cols: 0,
            data: Vec::new(),
        }
    }
}

/// Adds into `sum`, the loop at row_views.c:19:3.
#[offload]
fn sum_sum(data: &[i32], cols: i32, mut sum: i64) -> i64 {
    for k in 0..rows * cols {
        sum += data[k as usize] as i64;
    }
    sum
}

fn init(globals: &mut Globals, n: i32) {
    globals.cols = n;
    globals.data = vec![0_i32; rows as usize * globals.cols as usize];
    for _ in 0..rows {}
    for i in 0..rows {
        for j in 0..globals.cols {
            globals.data[(i * globals.cols + j) as usize] = i * 10 + j;
        }
    }
}

fn main() {
    let mut globals = Globals::new();
    init(&mut globals, 5);
    let mut sum: i64 = 0;
    sum = sum_sum(&globals.data, globals.cols, sum);
    let m: i32 = 4;
    let mut block: Vec<f64> = vec![0.0_f64; (3 * m) as usize];
    for _ in 0..3 {}
    block[..(3 * m) as usize].fill(0.0);
    for i in 0..3 {
        block[i * m as usize + i] = globals.data[i * globals.cols as usize + i] as f64 + 0.5;
    }
    for k in 0..3 * m {
        print!("{} ", c::general(block[k as usize], 6));
    }
    println!(
        "{} {}",
        sum,
        globals.data[((rows - 1) * globals.cols + (globals.cols - 1)) as usize]
    );
    let fmt: &str = "usage: %s %d\n";
    let mut text: [i8; 40] = [0; 40];
    {
        let text_ = format!("{}", 5);
        c::set_text(&mut text, &text_);
    }
    let _ = fmt;
    println!("usage: {} {}", &c::text(&text), 3);
    drop(block);
    globals.data.clear();
}
