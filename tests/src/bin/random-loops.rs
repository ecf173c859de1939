//! Writes the random functions that `tests/random_loops.rs` compiles:
//!
//! ```text
//! cargo run -p accrue-tests --bin random-loops -- 20261123 40 160 > tests/tests/random_loops/functions.rs
//! ```
//!
//! With one number, those that carry scalars along, append, and write at distinct indices, for `tests/random_carried.rs`:
//!
//! ```text
//! cargo run -p accrue-tests --bin random-loops -- 20261124 120 > tests/tests/random_carried/functions.rs
//! ```

use accrue_tests::choices::Choices;
use accrue_tests::generate::{carried_program, program};

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>());
    if let (Some(Ok(seed)), Some(Ok(count)), None) = (args.next(), args.next(), args.next()) {
        return carried(seed, count);
    }
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>());
    let (Some(Ok(seed)), Some(Ok(offloaded)), Some(Ok(plain)), None) =
        (args.next(), args.next(), args.next(), args.next())
    else {
        eprintln!("usage: random-loops SEED OFFLOADED PLAIN, or SEED CARRIED");
        std::process::exit(2);
    };
    println!(
        "// Made by `cargo run -p accrue-tests --bin random-loops -- {seed} {offloaded} {plain}`.\n"
    );
    println!("random_loops! {{");
    let mut choices = Choices::seeded(seed);
    for i in 0..offloaded + plain {
        if i == 0 {
            println!("offloaded:\n");
        }
        if i == offloaded {
            println!("plain:\n");
        }
        println!("{}", program(&format!("r{i:03}"), &mut choices).source);
    }
    println!("}}");
}

/// Those of `tests/random_carried.rs`.
fn carried(seed: u64, count: u64) {
    println!("// Made by `cargo run -p accrue-tests --bin random-loops -- {seed} {count}`.\n");
    println!("random_carried! {{");
    let mut choices = Choices::seeded(seed);
    for i in 0..count {
        println!(
            "{}",
            carried_program(&format!("c{i:03}"), &mut choices).source
        );
    }
    println!("}}");
}
