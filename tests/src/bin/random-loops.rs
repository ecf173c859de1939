//! Writes the random functions that `tests/random_loops.rs` compiles:
//!
//! ```text
//! cargo run -p accrue-tests --bin random-loops -- 20261123 40 160 > tests/tests/random_loops/functions.rs
//! cargo run -p accrue-tests --bin random-loops -- any own:3 kept:5 carried:9 > tests/tests/random_loops/any.rs
//! cargo run -p accrue-tests --bin random-loops -- 20261124 120 > tests/tests/random_carried/functions.rs
//! ```
//!
//! The second are drawn by the seeds that are named: those by which most mistakes in the compiler are seen. The last carry scalars along, append, and write at
//! distinct indices.

use accrue_tests::choices::Choices;
use accrue_tests::generate::{
    carried_program, kept_program, ordered_program, owned_program, program,
};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let printed = match words[..] {
        ["any", ref seeds @ ..] => any(seeds),
        [seed, offloaded, plain] => match (seed.parse(), offloaded.parse(), plain.parse()) {
            (Ok(seed), Ok(offloaded), Ok(plain)) => Some(histograms(seed, offloaded, plain)),
            _ => None,
        },
        [seed, count] => match (seed.parse(), count.parse()) {
            (Ok(seed), Ok(count)) => Some(ordered(seed, count)),
            _ => None,
        },
        _ => None,
    };
    match printed {
        Some(text) => print!("{text}"),
        None => {
            eprintln!(
                "usage: random-loops SEED OFFLOADED PLAIN | random-loops any KIND:SEED .. | random-loops SEED COUNT"
            );
            std::process::exit(2);
        }
    }
}

/// Functions that fill bins.
fn histograms(seed: u64, offloaded: u64, plain: u64) -> String {
    let mut text = format!(
        "// Made by `cargo run -p accrue-tests --bin random-loops -- {seed} {offloaded} {plain}`.\n\n\
         random_loops! {{\nCASES, [accrue::offload(histogram)]\n"
    );
    let mut choices = Choices::seeded(seed);
    for i in 0..offloaded + plain {
        if i == 0 {
            text += "offloaded:\n\n";
        }
        if i == offloaded {
            text += "plain:\n\n";
        }
        text += &program(&format!("r{i:03}"), &mut choices).source;
        text += "\n";
    }
    text + "}\n"
}

/// Functions of any kind.
fn any(seeds: &[&str]) -> Option<String> {
    let mut text = format!(
        "// Made by `cargo run -p accrue-tests --bin random-loops -- any {}`.\n\n\
         random_loops! {{\nANY, [accrue::offload]\noffloaded:\n\n",
        seeds.join(" ")
    );
    for word in seeds {
        let (kind, seed) = word.split_once(':')?;
        let draw = match kind {
            "own" => owned_program,
            "kept" => kept_program,
            "carried" => carried_program,
            _ => return None,
        };
        let mut choices = Choices::seeded(seed.parse().ok()?);
        text += &draw(&format!("{kind}{seed}"), &mut choices).source;
        text += "\n";
    }
    Some(text + "plain:\n}\n")
}

/// Functions whose iterations hand something on, or write at distinct indices.
fn ordered(seed: u64, count: u64) -> String {
    let mut text = format!(
        "// Made by `cargo run -p accrue-tests --bin random-loops -- {seed} {count}`.\n\nrandom_carried! {{\n"
    );
    let mut choices = Choices::seeded(seed);
    for i in 0..count {
        text += &ordered_program(&format!("c{i:03}"), &mut choices).source;
        text += "\n";
    }
    text + "}\n"
}
