//! Random functions as calls of the macros of tests that compile them, in the two forms: as they are, and offloaded.

use crate::choices::Choices;
use crate::generate::{carried_program, kept_program, ordered_program, owned_program, program};

/// Functions that fill bins: so many in both forms, and so many as they are.
pub fn histograms(seed: u64, offloaded: u64, plain: u64) -> String {
    let mut text = "random_loops! {\nCASES, [accrue::offload(histogram)]\n".to_owned();
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

/// Functions of any kind, each by a word, `own:3`: own elements, best items (`kept`) or scalars that are carried along, and a seed. None where a word is another.
pub fn any(seeds: &[&str]) -> Option<String> {
    let mut text = "random_loops! {\nANY, [accrue::offload]\noffloaded:\n\n".to_owned();
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

/// Functions whose iterations carry scalars along, append, or write at distinct indices.
pub fn ordered(seed: u64, count: u64) -> String {
    let mut text = "random_carried! {\n".to_owned();
    let mut choices = Choices::seeded(seed);
    for i in 0..count {
        text += &ordered_program(&format!("c{i:03}"), &mut choices).source;
        text += "\n";
    }
    text + "}\n"
}
