//! Translated by acc2rs from `options.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

use std::process::ExitCode;

mod c;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct options {
    n: i32,
    tol: f64,
    name: &'static str,
    verbose: i32,
}

fn parse(argc: i32, argv: &[&'static str]) -> options {
    let mut o: options = options {
        n: 100,
        tol: 1e-6,
        name: "default",
        verbose: 0,
    };
    {
        let mut i: i32 = 1;
        while i < argc {
            if c::strcmp(argv[i as usize], "-n") == 0 && i + 1 < argc {
                o.n = c::atol(
                    argv[({
                        i += 1;
                        i
                    }) as usize],
                ) as i32;
            } else if c::strcmp(argv[i as usize], "-v") == 0 {
                o.verbose = 1;
            } else if c::byte_at(argv[i as usize], 0) as i32 == b'-' as i32
                && c::byte_at(argv[i as usize], 1) as i32 == b't' as i32
            {
                o.tol = c::atof(
                    argv[({
                        i += 1;
                        i
                    }) as usize],
                );
            }
            i += 1;
        }
    }
    o
}

fn report(what: &str, value: f64) {
    println!("{:<10} = {:10.4}", what, c::Float(value));
}

fn kind(k: i32) -> &'static str {
    match k {
        0 => {
            return "zero";
        }
        1 => {
            return "one";
        }
        _ => {
            return "many";
        }
    }
}

fn main() -> ExitCode {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let o: options = parse(argc, &argv);
    let mut sum: f64 = 0.0;
    let mut comp: f64 = 0.0;
    for i in 1..=o.n {
        let y: f64 = 1.0 / (i as f64 * i as f64) - comp;
        let t: f64 = sum + y;
        comp = t - sum - y;
        sum = t;
    }
    report("sum", sum);
    report("pi", (6.0 * sum).sqrt());
    for i in 0..3 {
        print!("{} ", kind(i));
    }
    println!("{} {}", o.name, o.verbose);
    if o.tol > 0.0 {
        println!("ok");
    }
    ExitCode::from(i32::from(sum.abs() < o.tol) as u8)
}
