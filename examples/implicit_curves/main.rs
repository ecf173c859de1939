//! Draws curves f(x, y) = 0 so that none is missed: interval arithmetic decides for every cell whether f is positive in it,
//! negative, or may be 0. Numbers are whole and exact, kept as remainders modulo primes below 2^16.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example implicit_curves
//! cargo run --release -p accrue-examples --example implicit_curves -- --cells 1024
//! ```

use std::time::Instant;

use accrue::Device;
use accrue_examples::args::Common;
use accrue_examples::chart::thousands;
use accrue_examples::curves::loops::{CURVE, NEGATIVE, POSITIVE, classify, refine};
use accrue_examples::curves::polynomial::{heart, spade};
use accrue_examples::curves::{Curve, STEPS};
use accrue_examples::page::{fitted, page, panel};
use accrue_examples::picture;
use accrue_examples::report::Report;
use anyhow::{Result, ensure};
use clap::Parser;
use image::{Rgb, RgbImage};

/// Curves of polynomials, exactly.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// Cells along each side of the picture, an even number.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(2..=8192))]
    cells: u32,
    /// Every how many-th cell is compared with numbers of any size; by default so many that it takes a second or two.
    #[arg(long, value_name = "N")]
    every: Option<usize>,
}

/// The cells from above, the curve dark.
fn drawn(cells: usize, known: &[u8], inside: Rgb<u8>) -> RgbImage {
    let picture = RgbImage::from_fn(cells as u32, cells as u32, |x, y| {
        match known[(cells - 1 - y as usize) * cells + x as usize] {
            POSITIVE => Rgb([244, 243, 238]),
            NEGATIVE => inside,
            _ => Rgb([30, 28, 34]),
        }
    });
    let times = (512 / cells as u32).max(1);
    fitted(&picture::enlarged(&picture, times), 1024, 1024)
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let device = options.common.device;
    let cells = options.cells as usize;
    ensure!(
        cells.is_multiple_of(2),
        "--cells is an even number: lines go through 0"
    );
    let every = options
        .every
        .unwrap_or(((cells * cells) >> 16).max(1) * 20 + 1);
    ensure!(every > 0, "--every 0 compares nothing");
    let mut report = Report::new("implicit_curves", &options.common);
    let mut rows = [Vec::new(), Vec::new()];
    for (name, of, inside) in [
        ("heart", heart(), Rgb([206, 58, 74])),
        ("spade", spade(), Rgb([74, 92, 140])),
    ] {
        let curve = Curve::new(cells, &of, device)?;
        let coarse = curve.intervals(device);
        ensure!(
            coarse == curve.intervals(Device::Seq),
            "cells of the {name} differ from the sequential loop's"
        );
        let (expected, plain) = curve.expansions(Device::Seq, &coarse);
        let (fine, offloaded) = curve.expansions(device, &coarse);
        if rows[0].is_empty() {
            curve.intervals(device);
            println!("{}\n", classify::explain().trim_end());
            println!("{}\n", refine::explain().trim_end());
            for (step, title) in STEPS.iter().enumerate() {
                println!("step {}      {title}", step + 1);
            }
        }
        ensure!(
            fine == expected,
            "cells of the {name} differ from the sequential loop's"
        );
        let (terms, r) = (of.0.len(), curve.primes());
        println!(
            "{name:<11} degree {}, {terms} terms of up to {} digits, {r} primes",
            of.degree(),
            of.digits()
        );
        let compared = curve.check(name, every, &coarse, &fine)?;
        println!(
            "check       {cells} x {cells} cells equal the sequential loops', {} of them are compared with numbers of any size",
            thousands(compared as u64)
        );
        let on = |known: &[u8]| known.iter().filter(|cell| **cell == CURVE).count() as u64;
        let (wide, thin) = (on(&coarse), on(&fine));
        println!(
            "curve       may go through {} cells by intervals, {} by expansions",
            thousands(wide),
            thousands(thin)
        );
        let (divided, boxes) = curve.subdivided(device);
        ensure!(
            divided == coarse,
            "cells of the {name} differ by subdivision"
        );
        // Once each, but for the last.
        let updates = (cells * cells) as u64;
        for (step, title) in STEPS.iter().enumerate().take(STEPS.len() - 1) {
            let [plain, offloaded] = [Device::Seq, device].map(|device| {
                let start = Instant::now();
                (curve.by_step(step, device), start.elapsed())
            });
            ensure!(
                plain.0 == coarse && offloaded.0 == coarse,
                "cells of the {name} differ with {title}"
            );
            report.once(
                &format!("{name}, {}", step + 1),
                updates,
                plain.1,
                offloaded.1,
            );
        }
        report.in_turns(name, updates, |device| {
            curve.intervals(device);
        });
        report.in_turns("subdivision", boxes as u64, |device| {
            curve.subdivided(device);
        });
        report.once("expansions", wide, plain, offloaded);
        let degree = of.degree();
        rows[0].push(panel(
            format!("{name}, degree {degree}, {terms} terms, {r} primes: intervals"),
            drawn(cells, &coarse, inside),
        ));
        rows[1].push(panel(
            "expansions about the middles",
            drawn(cells, &fine, inside),
        ));
    }
    report.finish()?;
    let subtitle = format!(
        "{cells} × {cells} cells; in the dark ones the polynomial may be 0, in no other it is"
    );
    let page = page("Implicit curves by exact intervals", &subtitle, &rows)?;
    options.common.picture("implicit_curves", &page)
}
