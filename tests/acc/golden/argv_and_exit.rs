//! Translated by acc2rs from `argv_and_exit.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

/// Counts into `h`, the loop at argv_and_exit.c:22:3.
#[offload(histogram)]
fn count_h(n: i32, h: &mut [i32]) {
    for i in 0..n {
        h[(i * i % 10) as usize] += 1;
    }
}

fn usage(program: &str) {
    let _ = program;
    eprintln!("usage: program [n]");
    std::process::exit(3);
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let mut n: i32 = 100;
    if argc > 2 {
        usage(argv[0]);
    }
    if argc == 2 {
        n = c::atol(argv[1]) as i32;
    }
    if n <= 0 {
        std::process::exit(1);
    }
    let mut h: Vec<i32> = vec![0_i32; 10];
    h[..10].fill(0);
    count_h(n, &mut h);
    let mut copy: [i32; 10] = [0; 10];
    copy[..10].copy_from_slice(&h[..10]);
    for i in 0..10 {
        print!("{}{}", copy[i as usize], if i < 9 { "," } else { "\n" });
    }
    drop(h);
    std::process::exit(0);
}
