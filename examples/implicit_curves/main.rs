//! Draws curves f(x, y) = 0 so that none is missed: interval arithmetic decides for every cell whether f is positive in it,
//! negative, or may be 0. Numbers are whole and exact, kept as remainders modulo primes below 2^16.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example implicit_curves
//! cargo run --release -p accrue-examples --example implicit_curves -- --cells 1024
//! ```

mod exact;
mod expansion;
mod loops;
mod polynomial;
mod residues;

use accrue::{Device, with_device};
use accrue_examples::args::Common;
use accrue_examples::chart::thousands;
use accrue_examples::page::{fitted, page, panel};
use accrue_examples::report::Report;
use accrue_examples::{picture, progress};
use anyhow::{Result, ensure};
use clap::Parser;
use image::{Rgb, RgbImage};

use std::time::{Duration, Instant};

use crate::exact::Exact;
use crate::expansion::{Derivative, derivatives};
use crate::loops::{CURVE, NEGATIVE, POSITIVE, classify, powers, refine};
use crate::polynomial::{Polynomial, heart, spade};
use crate::residues::Residues;

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

/// A curve in remainders.
struct Curve {
    cells: usize,
    polynomial: Polynomial,
    residues: Residues,
    exponents: Vec<[u32; 2]>,
    minus: Vec<bool>,
    coefficients: Vec<u32>,
    /// The powers of all places along a side.
    table: Vec<u32>,
    expansion: Expansion,
}

/// The derivatives in remainders, one after the other.
struct Expansion {
    derivatives: Vec<Derivative>,
    starts: Vec<usize>,
    even: Vec<bool>,
    exponents: Vec<[u32; 2]>,
    parts: Vec<u32>,
}

fn exponents(of: &Polynomial) -> impl Iterator<Item = [u32; 2]> {
    of.0.keys().map(|exponents| exponents.map(|e| e as u32))
}

impl Expansion {
    fn new(of: &Polynomial, residues: &Residues) -> Expansion {
        let derivatives = derivatives(of);
        let all = || derivatives.iter().map(|d| &d.polynomial);
        let mut starts = vec![0];
        starts.extend(all().scan(0, |end, d| {
            *end += d.0.len();
            Some(*end)
        }));
        let is_even = |d: &Derivative| d.of.iter().all(|n| n.is_multiple_of(2));
        Expansion {
            starts,
            even: derivatives.iter().map(is_even).collect(),
            exponents: all().flat_map(exponents).collect(),
            parts: all().flat_map(|d| residues.coefficients(d)).collect(),
            derivatives,
        }
    }
}

impl Curve {
    fn new(cells: usize, of: &Polynomial, device: Device) -> Result<Curve> {
        // Lines are at 3 (2 i - cells) / (2 cells): from -1.5 to 1.5.
        let polynomial = of.in_units(2 * cells as u64);
        let residues = Residues::for_numbers_up_to(&Exact::new(cells, &polynomial).bound())?;
        let (primes, degree) = (&residues.primes, polynomial.degree());
        let powers_of = |device| {
            let mut table = vec![0; (2 * cells + 1) * (degree + 1) * primes.len()];
            with_device(device, || powers(cells, degree, primes, &mut table));
            table
        };
        let table = powers_of(device);
        ensure!(
            table == powers_of(Device::Seq),
            "powers differ from the sequential loop's"
        );
        Ok(Curve {
            cells,
            exponents: exponents(&polynomial).collect(),
            minus: polynomial.0.values().map(|c| *c < 0.into()).collect(),
            coefficients: residues.coefficients(&polynomial),
            table,
            expansion: Expansion::new(&polynomial, &residues),
            polynomial,
            residues,
        })
    }

    /// What intervals know of all cells, row by row from below.
    fn intervals(&self, device: Device) -> Vec<u8> {
        let mut known = vec![0; self.cells * self.cells];
        with_device(device, || {
            classify(
                self.cells,
                self.polynomial.degree(),
                &self.exponents,
                &self.minus,
                &self.coefficients,
                &self.table,
                &self.residues.primes,
                &self.residues.inverses,
                &self.residues.half,
                &mut known,
            );
        });
        known
    }

    /// What the expansions about the middles of cells add to that, and how long they took.
    fn expansions(&self, device: Device, known: &[u8]) -> (Vec<u8>, Duration) {
        let (mut known, of) = (known.to_vec(), &self.expansion);
        let start = Instant::now();
        with_device(device, || {
            refine(
                self.cells,
                self.polynomial.degree(),
                &of.starts,
                &of.even,
                &of.exponents,
                &of.parts,
                &self.table,
                &self.residues.primes,
                &self.residues.inverses,
                &self.residues.half,
                &mut known,
            );
        });
        (known, start.elapsed())
    }

    /// Compares cells with numbers of any size: each `every`-th, and the signs at its corners. Returns how many.
    fn check(&self, name: &'static str, every: usize, coarse: &[u8], fine: &[u8]) -> Result<usize> {
        let exact = Exact::new(self.cells, &self.polynomial);
        let some: Vec<usize> = (0..coarse.len()).step_by(every).collect();
        let bar = progress::bar(name, some.len() as u64);
        for at in &some {
            let (column, row) = (at % self.cells, at / self.cells);
            let intervals = exact.cell(column, row);
            let expansion = match intervals {
                CURVE => exact.about_the_middle(&self.expansion.derivatives, column, row),
                known => known,
            };
            ensure!(
                (coarse[*at], fine[*at]) == (intervals, expansion),
                "cell ({column}, {row}) of the {name} is another by whole numbers of any size"
            );
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
            let signs = corners.map(|(x, y)| exact.sign(column + x, row + y));
            let held = match fine[*at] {
                POSITIVE => signs.iter().all(|s| s.is_gt()),
                NEGATIVE => signs.iter().all(|s| s.is_lt()),
                _ => true,
            };
            ensure!(
                held,
                "the {name} goes through cell ({column}, {row}), which leaves it out"
            );
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(some.len())
    }
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
        }
        ensure!(
            fine == expected,
            "cells of the {name} differ from the sequential loop's"
        );
        let (terms, r) = (of.0.len(), curve.residues.primes.len());
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
        report.in_turns(name, (cells * cells) as u64, |device| {
            curve.intervals(device);
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
