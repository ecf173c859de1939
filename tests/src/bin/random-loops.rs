//! Writes the random functions that `tests/random_loops.rs` compiles:
//!
//! ```text
//! cargo run -p accrue-tests --bin random-loops -- 1 150 > tests/tests/random_loops/functions.rs
//! ```

use accrue_tests::choices::Choices;
use accrue_tests::generate::program;

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>());
    let (Some(Ok(seed)), Some(Ok(count)), None) = (args.next(), args.next(), args.next()) else {
        eprintln!("usage: random-loops SEED COUNT");
        std::process::exit(2);
    };
    println!("// Made by `cargo run -p accrue-tests --bin random-loops -- {seed} {count}`.\n");
    println!("random_loops! {{");
    let mut choices = Choices::seeded(seed);
    for i in 0..count {
        println!("{}", program(&format!("r{i:03}"), &mut choices).source);
    }
    println!("}}");
}
