//! Writes the random functions that `random_loops` and `random_carried` compile. `ACCRUE_RANDOM=N` draws others than usual.

use std::path::PathBuf;
use std::{env, fs};

use accrue_generate::lists;

/// Those by which most mistakes in the compiler are seen.
const SEEDS: &[&str] = &[
    "own:3",
    "own:4",
    "own:5",
    "own:10",
    "own:13",
    "own:14",
    "own:19",
    "own:35",
    "kept:2",
    "kept:3",
    "kept:13",
    "kept:16",
    "kept:19",
    "carried:1",
    "carried:2",
    "carried:36",
    "carried:40",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ACCRUE_RANDOM");
    let other = env::var("ACCRUE_RANDOM")
        .map_or(0, |seed| seed.parse().expect("`ACCRUE_RANDOM` is a number"));
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    let seeds: Vec<String> = SEEDS
        .iter()
        .map(|word| {
            let (kind, seed) = word.split_once(':').expect("a kind and a seed");
            format!("{kind}:{}", seed.parse::<u64>().expect("a number") + other)
        })
        .collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let files = [
        (
            "histograms.rs",
            lists::histograms(20_261_123 + other, 40, 160),
        ),
        ("any.rs", lists::any(&seeds).expect("kinds of functions")),
        ("carried.rs", lists::ordered(20_261_124 + other, 100)),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("the folder can be written to");
    }
}
