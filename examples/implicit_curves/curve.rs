//! A curve in remainders: what the loops need of its polynomial, and their results beside numbers of any size.

use std::time::{Duration, Instant};

use accrue::{Device, with_device};
use accrue_examples::progress;
use anyhow::{Result, ensure};

use crate::exact::Exact;
use crate::expansion::{Derivative, derivatives};
use crate::loops::{CURVE, NEGATIVE, POSITIVE, classify, powers, refine};
use crate::polynomial::Polynomial;
use crate::residues::Residues;

/// A curve in remainders.
pub(crate) struct Curve {
    cells: usize,
    polynomial: Polynomial,
    pub residues: Residues,
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
    pub(crate) fn new(cells: usize, of: &Polynomial, device: Device) -> Result<Curve> {
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
    pub(crate) fn intervals(&self, device: Device) -> Vec<u8> {
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
    pub(crate) fn expansions(&self, device: Device, known: &[u8]) -> (Vec<u8>, Duration) {
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
    pub(crate) fn check(
        &self,
        name: &'static str,
        every: usize,
        coarse: &[u8],
        fine: &[u8],
    ) -> Result<usize> {
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
