//! Translated by acc2rs from `null_pointers.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use std::process::ExitCode;

mod c;

// Null pointers: set, asked for, and the result of an assignment within a condition.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Node {
    id: i32,
    w: f64,
}

fn main() -> ExitCode {
    let argc: i32 = std::env::args().count() as i32;
    let mut a: [f64; 10] = [0.0; 10];
    let mut p: usize = usize::MAX;
    let mut q: Vec<f64> = Vec::new();
    let mut r: Vec<f64> = Vec::new();
    let mut s: Vec<f64> = Vec::new();
    if !({
        r = vec![0.0_f64; 10];
        !r.is_empty()
    }) {
        return ExitCode::from(2);
    }
    {
        if !({
            s = vec![0.0_f64; 5];
            !s.is_empty()
        }) {
            eprintln!("fail");
            std::process::exit(1);
        }
    }
    if !({
        q = vec![0.0_f64; 3];
        !q.is_empty()
    }) {
        return ExitCode::from(3);
    }
    for i in 0..10 {
        a[i as usize] = i as f64;
        r[i as usize] = (2 * i) as f64;
    }
    s[4] = 1.0;
    q[2] = 7.0;
    let nodes: [Node; 4] = [
        Node { id: 1, w: 0.5 },
        Node { id: 2, w: 1.5 },
        Node { id: 3, w: 0.25 },
        Node { id: 4, w: 3.0 },
    ];
    let mut best: usize = usize::MAX;
    for i in 0..4 {
        if nodes[i].w > 2.0 + argc as f64 {
            best = i;
        }
    }
    if best != usize::MAX {
        println!("best {}", nodes[best].id);
    } else {
        println!("none");
    }
    for i in 0..4 {
        if nodes[i].w > 1.0 && (!(best != usize::MAX) || nodes[i].w > nodes[best].w) {
            best = i;
        }
    }
    if best != usize::MAX {
        println!("best {}", nodes[best].id);
    }
    if p != usize::MAX {
        println!("set");
    } else {
        println!("unset");
    }
    if argc > 0 {
        p = 3;
    }
    if !(p != usize::MAX) {
        return ExitCode::FAILURE;
    }
    println!(
        "{} {} {} {}",
        c::general(a[p], 6),
        c::general(r[9], 6),
        c::general(s[4], 6),
        c::general(q[2], 6)
    );
    p = usize::MAX;
    println!("{}", i32::from(!(p != usize::MAX)));
    println!(
        "[{0:>4}] [{1}] [{2}] [{3:>8}] [{4:<8}] [{5}] [{6}] [{7:>8}] [{8}] [{9}] [{10:>3}]",
        c::least_digits(0, &format!("{:}", 12)),
        c::least_digits(0, &format!("{:}", 0)),
        c::least_digits(3, &format!("{:}", -5)),
        c::least_digits(3, &format!("{:}", -5)),
        c::least_digits(3, &format!("{:}", 5)),
        c::least_digits(2, &format!("{:+}", 5)),
        c::least_digits(5, &format!("{:x}", 255)),
        c::least_digits(3, &format!("{:}", 7)),
        format!("{:}", c::least_digits(3, &format!("{:+}", 4))).replacen('+', " ", 1),
        c::least_digits(4, &format!("{:}", 9)),
        c::least_digits(2, &format!("{:}", 3_u32))
    );
    drop(q);
    drop(r);
    drop(s);
    ExitCode::SUCCESS
}
