//! Curves f(x, y) = 0, exactly: what the loops need of a polynomial in remainders, their results beside numbers of any size, and the same by
//! subdivision. The example `implicit_curves` draws them, `accrue-bench papers` has the steps of the study in a table.

mod exact;
mod expansion;
pub mod loops;
pub mod polynomial;
mod residues;

use std::time::{Duration, Instant};

use crate::progress;
use accrue::{Device, Error, Resident, Stream, with_device};
use anyhow::{Result, ensure};

use self::exact::Exact;
use self::expansion::{Derivative, derivatives};
use self::loops::{
    CURVE, NEGATIVE, POSITIVE, classify, decide, known_sides, late_remainders, plain, powers,
    reciprocal, refine, sides, tables,
};
use self::polynomial::Polynomial;
use self::residues::Residues;

/// The steps of the study, each with all of those before it.
pub const STEPS: [&str; 5] = [
    "powers multiplied in each cell",
    "powers from a table",
    "one remainder for a sum",
    "sides of terms from a table",
    "remainders by reciprocals",
];

macro_rules! inputs {
    ($($(#[$doc:meta])* $name:ident: $ty:ty,)*) => {
        /// What the loops read.
        #[derive(Debug)]
        pub struct Inputs {
            $($(#[$doc])* pub $name: Vec<$ty>,)*
        }

        /// The same, to stay on a device.
        #[derive(Debug)]
        pub struct OnDevice {
            cells: usize,
            $($name: Resident<$ty>,)*
        }

        impl OnDevice {
            fn of(curve: &Curve) -> OnDevice {
                OnDevice {
                    cells: curve.cells,
                    $($name: Resident::from(curve.inputs.$name.clone()),)*
                }
            }
        }
    };
}

inputs! {
    /// Of x and y in each term.
    exponents: [u32; 2],
    /// Which coefficients are negative.
    minus: bool,
    /// The sides of each term for each quarter of the picture.
    sides: [u32; 4],
    /// Of each term, modulo each prime.
    coefficients: u32,
    /// The powers of all places along a side.
    powers: u32,
    /// Between 2^15 and 2^16.
    primes: u32,
    /// Of the primes, in units of 2^-47.
    reciprocals: u32,
    /// Of each prime modulo each other one.
    inverses: u32,
    /// The digits in mixed radix of the greatest number that is not negative.
    half: u32,
}

/// Calls the loop of a step by `$call`.
macro_rules! by_step {
    ($step:expr, $cells:expr, $of:expr, $out:expr, $call:ident) => {{
        let (cells, of, out) = ($cells, $of, $out);
        let rest = (&of.inverses, &of.half);
        match $step {
            0 => $call!(
                plain,
                cells,
                &of.exponents,
                &of.minus,
                &of.coefficients,
                &of.powers,
                &of.primes,
                rest.0,
                rest.1,
                out
            ),
            1 => $call!(
                tables,
                cells,
                &of.exponents,
                &of.minus,
                &of.coefficients,
                &of.powers,
                &of.primes,
                rest.0,
                rest.1,
                out
            ),
            2 => $call!(
                late_remainders,
                cells,
                &of.exponents,
                &of.minus,
                &of.coefficients,
                &of.powers,
                &of.primes,
                rest.0,
                rest.1,
                out
            ),
            3 => $call!(
                known_sides,
                cells,
                &of.exponents,
                &of.sides,
                &of.coefficients,
                &of.powers,
                &of.primes,
                rest.0,
                rest.1,
                out
            ),
            _ => $call!(
                classify,
                cells,
                &of.exponents,
                &of.sides,
                &of.coefficients,
                &of.powers,
                &of.primes,
                &of.reciprocals,
                rest.0,
                rest.1,
                out
            ),
        }
    }};
}

impl OnDevice {
    /// Queues the loop of one of the [`STEPS`] over all cells.
    ///
    /// # Errors
    ///
    /// Those of a call on a stream.
    pub fn queue(&self, step: usize, stream: &Stream, out: &mut Resident<u8>) -> Result<(), Error> {
        macro_rules! queued {
            ($loop:ident, $($argument:expr),*) => {
                $loop::on_stream(stream, $($argument),*)
            };
        }
        by_step!(step, self.cells, self, out, queued)
    }
}

/// A curve in remainders.
#[derive(Debug)]
pub struct Curve {
    cells: usize,
    polynomial: Polynomial,
    inputs: Inputs,
    expansion: Expansion,
}

/// The derivatives in remainders, one after the other.
#[derive(Debug)]
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
    /// The curve of a polynomial in a square of so many cells along a side, from -1.5 to 1.5.
    ///
    /// # Errors
    ///
    /// If its numbers need too many primes, or the table of powers is another on the device than in order.
    pub fn new(cells: usize, of: &Polynomial, device: Device) -> Result<Curve> {
        // Lines are at 3 (2 i - cells) / (2 cells).
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
        let minus: Vec<bool> = polynomial.0.values().map(|c| *c < 0.into()).collect();
        let quarters = [(false, false), (true, false), (false, true), (true, true)];
        let sides = quarters.iter().flat_map(|&(right, upper)| {
            let terms = exponents(&polynomial).zip(&minus);
            terms.map(move |([i, j], minus)| sides(right, upper, i, j, *minus))
        });
        Ok(Curve {
            cells,
            inputs: Inputs {
                exponents: exponents(&polynomial).collect(),
                sides: sides.collect(),
                coefficients: residues.coefficients(&polynomial),
                powers: table,
                reciprocals: primes.iter().map(|prime| reciprocal(*prime)).collect(),
                primes: primes.clone(),
                inverses: residues.inverses.clone(),
                half: residues.half.clone(),
                minus,
            },
            expansion: Expansion::new(&polynomial, &residues),
            polynomial,
        })
    }

    /// How many primes tell its numbers apart.
    pub fn primes(&self) -> usize {
        self.inputs.primes.len()
    }

    /// What the loops read.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// What the loops read, to stay on a device.
    pub fn on_device(&self) -> OnDevice {
        OnDevice::of(self)
    }

    /// What intervals know of all cells, row by row from below, by one of the [`STEPS`].
    pub fn by_step(&self, step: usize, device: Device) -> Vec<u8> {
        macro_rules! called {
            ($loop:ident, $($argument:expr),*) => {
                $loop($($argument),*)
            };
        }
        let mut known = vec![0; self.cells * self.cells];
        with_device(device, || {
            by_step!(step, self.cells, &self.inputs, &mut known, called);
        });
        known
    }

    /// The same by the last step.
    pub fn intervals(&self, device: Device) -> Vec<u8> {
        self.by_step(STEPS.len() - 1, device)
    }

    /// The same by subdivision: a box that intervals decide is done with all of its cells, any other is halved along both sides. And how many boxes
    /// that were.
    pub fn subdivided(&self, device: Device) -> (Vec<u8>, usize) {
        let (cells, of) = (self.cells, &self.inputs);
        let mut known = vec![CURVE; cells * cells];
        let mut boxes = parts([0, 0, cells as u32, cells as u32]);
        let mut tested = 0;
        while !boxes.is_empty() {
            let mut found = vec![0; boxes.len()];
            with_device(device, || {
                decide(
                    cells,
                    &boxes,
                    &of.exponents,
                    &of.sides,
                    &of.coefficients,
                    &of.powers,
                    &of.primes,
                    &of.reciprocals,
                    &of.inverses,
                    &of.half,
                    &mut found,
                );
            });
            tested += boxes.len();
            let mut open = Vec::new();
            for (known_box, found) in boxes.iter().zip(found) {
                let [column, row, width, height] = known_box.map(|n| n as usize);
                if found != CURVE {
                    for row in row..row + height {
                        known[row * cells + column..][..width].fill(found);
                    }
                } else if width * height > 1 {
                    open.extend(parts(*known_box));
                }
            }
            boxes = open;
        }
        (known, tested)
    }

    /// What the expansions about the middles of cells add to that, and how long they took.
    pub fn expansions(&self, device: Device, known: &[u8]) -> (Vec<u8>, Duration) {
        let (mut known, of) = (known.to_vec(), &self.expansion);
        let start = Instant::now();
        with_device(device, || {
            refine(
                self.cells,
                &of.starts,
                &of.even,
                &of.exponents,
                &of.parts,
                &self.inputs.powers,
                &self.inputs.primes,
                &self.inputs.inverses,
                &self.inputs.half,
                &mut known,
            );
        });
        (known, start.elapsed())
    }

    /// Compares cells with numbers of any size: each `every`-th, and the signs at its corners. Returns how many.
    ///
    /// # Errors
    ///
    /// If one of them is another.
    pub fn check(
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

/// The two or four parts of a box, each with its left column, its lower row, its width and its height.
fn parts([column, row, width, height]: [u32; 4]) -> Vec<[u32; 4]> {
    let halves = |from: u32, length: u32| {
        let first = length.div_ceil(2);
        let both = [(from, first), (from + first, length - first)];
        both.into_iter().filter(|(_, length)| *length > 0)
    };
    let rows = halves(row, height);
    rows.flat_map(|(row, height)| {
        halves(column, width).map(move |(column, width)| [column, row, width, height])
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::polynomial::{heart, spade};
    use super::*;

    #[test]
    fn all_steps_and_subdivision_know_the_same() {
        for of in [heart(), spade()] {
            let curve = Curve::new(22, &of, Device::Seq).unwrap();
            let known = curve.by_step(0, Device::Seq);
            assert!(
                known.contains(&CURVE) && known.contains(&POSITIVE) && known.contains(&NEGATIVE)
            );
            for (step, title) in STEPS.iter().enumerate() {
                assert_eq!(curve.by_step(step, Device::Seq), known, "{title}");
            }
            let (divided, boxes) = curve.subdivided(Device::Cpu);
            assert_eq!(divided, known);
            assert!(boxes > 22 && boxes < 22 * 22 * 2, "{boxes}");
        }
    }

    #[test]
    fn remainders_by_reciprocals_are_exact() {
        for prime in [32_771, 40_009, 65_519, 65_521] {
            let most = u64::from(u32::MAX);
            let around = (0..=most).step_by(1_000_003);
            let edges = (1..=most / prime as u64)
                .step_by(997)
                .flat_map(|n| [n * prime as u64 - 1, n * prime as u64]);
            for number in around.chain(edges).chain([most]) {
                let number = number as u32;
                assert_eq!(
                    loops::rest(number, prime, reciprocal(prime)),
                    number % prime
                );
            }
        }
    }
}
