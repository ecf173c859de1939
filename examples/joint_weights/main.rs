//! The joint weight distribution of a binary linear code: for every pair of words of the (127, 22) BCH code, or of a subcode of
//! it, the weight of each and of what they have in common, in 128 x 128 x 128 bins of 64 bits.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example joint_weights             # dimension 13: 2^26 pairs
//! cargo run --release -p accrue-examples --example joint_weights -- -k 17    # 2^34 pairs
//! ```

mod identities;
mod loops;
mod sheet;

use std::time::{Duration, Instant};

use accrue::{Device, with_device};
use accrue_examples::args::Common;
use accrue_examples::bch::{Code, DIMENSION, LENGTH, Word};
use accrue_examples::chart::thousands;
use accrue_examples::progress;
use accrue_examples::report::Report;
use anyhow::{Result, ensure};
use clap::Parser;

use crate::loops::{Joint, joint_weights, no_pairs, weights};

/// So many first words at a time, for the bar and for the check of large codes.
const AT_ONCE: usize = 1 << 13;
/// The dimension of the subcode whose pairs are counted by hand as well.
const BY_HAND: usize = 8;

/// The joint weight distribution of a BCH code.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// The dimension of the subcode; there are 4^K pairs.
    #[arg(short, default_value_t = 13, value_parser = clap::value_parser!(u32).range(1..=20))]
    k: u32,
}

/// All pairs, on a device, and how long they took.
fn count(device: Device, words: &[Word]) -> (Joint, Duration) {
    let mut joint = no_pairs();
    let bar = progress::bar("pairs", words.len() as u64);
    let start = Instant::now();
    for some in words.chunks(AT_ONCE) {
        with_device(device, || joint_weights(some, words, &mut joint));
        bar.inc(some.len() as u64);
    }
    let time = start.elapsed();
    bar.finish_and_clear();
    (joint, time)
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let (device, k) = (options.common.device, options.k as usize);
    let code = Code::new()?;
    let degree = code.generator.len() - 1;
    println!(
        "code        ({LENGTH}, {DIMENSION}), a generator of degree {degree}, designed distance {}",
        code.designed
    );

    // The whole code's weights.
    let whole = with_device(device, || code.words(DIMENSION))?;
    let mut of_whole = [0; 128];
    with_device(device, || weights(&whole, &mut of_whole));
    let filled = of_whole.iter().enumerate().filter(|(_, count)| **count > 0);
    let list: Vec<String> = filled.clone().map(|(w, n)| format!("{w}: {n}")).collect();
    println!("weights     {}", list.join(", "));
    let lightest = filled.map(|(weight, _)| weight).find(|weight| *weight > 0);
    ensure!(
        lightest.is_some_and(|weight| weight >= code.designed),
        "a word is lighter than the designed distance {}",
        code.designed
    );
    identities::macwilliams(&code.basis(DIMENSION), &of_whole)?;
    drop(whole);

    // A small subcode by hand.
    let words = code.words(BY_HAND)?;
    identities::by_hand(&code, BY_HAND, &count(device, &words).0)?;
    println!(
        "check       dimension {BY_HAND}: {} pairs counted by hand",
        thousands(1 << (2 * BY_HAND))
    );

    // The subcode.
    let words = with_device(device, || code.words(k))?;
    let (mut of_words, mut expected) = ([0; 128], [0; 128]);
    with_device(Device::Seq, || weights(&words, &mut expected));
    with_device(device, || weights(&words, &mut of_words));
    ensure!(
        of_words == expected,
        "weights differ from the sequential loop's"
    );
    let (joint, time) = count(device, &words);
    println!("{}\n", joint_weights::explain().trim_end());
    identities::pairs(k, &words, &of_words, &joint)?;
    let threes = identities::macwilliams(&code.basis(k), &of_words)?;
    println!(
        "check       dimension {k}: {} pairs; marginals, symmetries, sums of words, MacWilliams' identity (the dual has {threes} words of weight 3)",
        thousands(1 << (2 * k))
    );
    let mut report = Report::new("joint_weights", &options.common);
    if words.len() <= AT_ONCE {
        let (expected, plain) = count(Device::Seq, &words);
        ensure!(joint == expected, "bins differ from the sequential loop's");
        println!("check       2,097,152 bins equal the sequential loop's");
        match options.common.repeat {
            None => report.once("pairs", 1 << (2 * k), plain, time),
            Some(_) => {
                report.in_turns("pairs", 1 << (2 * k), |device| _ = count(device, &words));
            }
        }
    } else {
        // In order, all of it would take minutes: one part is compared, in turns.
        let some = &words[words.len() - AT_ONCE..];
        let part = |device| {
            let mut joint = no_pairs();
            with_device(device, || joint_weights(some, &words, &mut joint));
            joint
        };
        ensure!(
            part(device) == part(Device::Seq),
            "bins differ from the sequential loop's"
        );
        println!("check       2,097,152 bins of the last part equal the sequential loop's");
        println!("all pairs   {:.3} s on `{device}`", time.as_secs_f64());
        let updates = (some.len() * words.len()) as u64;
        if options.common.repeat.is_some() {
            report.in_turns("last part", updates, |device| _ = part(device));
        }
    }
    report.finish()?;
    options
        .common
        .picture("joint_weights", &sheet::sheet(k, &joint)?)
}
