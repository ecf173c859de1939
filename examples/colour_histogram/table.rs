//! What was counted, as lines for people and as CSV.

use std::fmt::Write as _;
use std::path::Path;

use accrue_examples::args::{make_folder_of, shown};
use anyhow::{Context, Result};

use crate::Counted;

/// A line for each photograph: its size, and the mean and the median of each channel.
pub(crate) fn print(all: &[Counted]) {
    for one in all {
        let (w, h) = one.photo.dimensions();
        println!("photograph  {}, {w} x {h} pixels", shown(&one.path));
        for channel in one.channels() {
            let (mean, median) = summary(channel.counts);
            println!("  {:<9} mean {mean:5.1}, median {median:3}", channel.name);
        }
    }
}

/// Writes `photograph,channel,value,pixels`.
pub(crate) fn write(file: &Path, all: &[Counted]) -> Result<()> {
    let mut text = String::from("photograph,channel,value,pixels\n");
    for one in all {
        for channel in one.channels() {
            for (value, pixels) in channel.counts.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "\"{}\",{},{value},{pixels}",
                    one.name().replace('"', "\"\""),
                    channel.name
                );
            }
        }
    }
    make_folder_of(file)?;
    std::fs::write(file, text)
        .with_context(|| format!("cannot write the counts to {}", file.display()))
}

/// Mean and median of the values that were counted.
fn summary(counts: &[u32]) -> (f64, usize) {
    let total: u64 = counts.iter().map(|&c| u64::from(c)).sum();
    let weighted: u64 = (0u64..).zip(counts).map(|(v, &c)| v * u64::from(c)).sum();
    let mut below = 0;
    let median = counts.iter().position(|&c| {
        below += u64::from(c);
        2 * below >= total
    });
    (weighted as f64 / total.max(1) as f64, median.unwrap_or(0))
}
