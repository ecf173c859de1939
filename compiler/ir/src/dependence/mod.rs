//! Whether two accesses of an array can meet in one element from different iterations of a parallel loop.
//!
//! An [`Access`] has, for each dimension of the array, an [`Affine`] form over the [`LoopVar`]s of its [`Nest`]: the
//! positions of the parallel loop and of sequential loops inside it. Coefficients, extents and constants are
//! [polynomials](Poly) over what the loop does not change, so that strides which only the call knows are no obstacle.
//!
//! # The test
//!
//! Iterations `i` and `i'` meet in an element where all dimensions agree:
//!
//! ```text
//! sum over variables of (a_k * v_k - b_k * v'_k) + (a_0 - b_0) = 0        for each dimension
//! ```
//!
//! Where both accesses have the same coefficient of a variable, only the difference `d_k = v_k - v'_k` counts, which lies in
//! `1 - extent ..= extent - 1`; otherwise `v_k` and `v'_k` are two unknowns in `0 ..= extent - 1`. Then, until nothing more
//! follows:
//!
//! 1. *No solution.* The greatest number that divides all coefficients does not divide the constant (the GCD test), or the
//!    sum lies on one side of zero whatever the unknowns are (Banerjee's inequality).
//! 2. *A known difference.* A coefficient is larger than all else can be together: `w` in `w * d_y + d_x` with `|d_x| < w`. Its
//!    unknown is then a number, the nearest quotient of the constant, and moves into the constant. This reads the digits
//!    of a number in mixed radix, and is exact for flattened rows, planes, chunks and steps.
//!
//! If the differences of all parallel variables become 0, or there is no solution, the accesses are [apart](Verdict::Apart). What is
//! not a consequence of what is known, `stride >= w` say, becomes a condition for run time ([`Verdict::ApartIf`]).
//! A difference other than 0 is the distance at which iterations meet, for the message.
//!
//! The tests are those of Banerjee ("Dependence Analysis for Supercomputing", 1988), and of Maydan, Hennessy and Lam
//! ("Efficient and Exact Data Dependence Analysis", 1991) in the order of their cost; reading digits takes the place of
//! their symbolic delinearization.

mod poly;
mod solve;
#[cfg(test)]
mod tests;

use crate::sorted::Sorted;

pub use poly::{Param, Poly};

/// Conditions for run time that a verdict may rest on, at most.
const MOST_CONDITIONS: usize = 2;

/// A loop variable of a nest, by its place in [`Nest::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopVar(pub usize);

/// The loops around the accesses.
#[derive(Clone, Debug, Default)]
pub struct Nest {
    /// Their variables, outer ones first. Each counts positions from 0.
    pub vars: Vec<Extent>,
    /// What is known to be 0 or more beside the parameters themselves: `n - 2 * half` for `half = n / 2`.
    pub facts: Vec<Poly>,
}

impl Nest {
    /// One more variable, sequential, of which nothing is known.
    pub fn unbounded(&mut self) -> LoopVar {
        self.vars.push(Extent {
            parallel: false,
            most: Vec::new(),
        });
        LoopVar(self.vars.len() - 1)
    }
}

/// How many positions a loop variable has.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Whether it belongs to the parallel loop.
    pub parallel: bool,
    /// Bounds of the number of its positions, over outer variables; all of them hold. None if nothing is known.
    pub most: Vec<Affine>,
}

/// A sum of loop variables times polynomials, and a polynomial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    /// The coefficients, none of which is zero.
    terms: Sorted<LoopVar, Poly>,
    /// The rest.
    constant: Poly,
}

impl Affine {
    /// What no loop variable is in.
    pub fn constant(constant: Poly) -> Affine {
        Affine {
            terms: Sorted::new(),
            constant,
        }
    }

    /// A loop variable.
    pub fn var(var: LoopVar) -> Affine {
        let one = Sorted::from_iter([(var, Poly::constant(1))]);
        Affine {
            terms: one,
            constant: Poly::zero(),
        }
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(mut self, other: &Affine) -> Affine {
        for (var, coefficient) in other.terms.iter() {
            let sum = self.terms.remove(var).unwrap_or_default() + coefficient.clone();
            if !sum.is_zero() {
                self.terms.insert(*var, sum);
            }
        }
        self.constant = self.constant + other.constant.clone();
        self
    }

    /// It times a polynomial.
    #[must_use]
    pub fn times(&self, factor: &Poly) -> Affine {
        let terms = self.terms.iter();
        Affine {
            terms: terms
                .map(|(var, c)| (*var, c.clone() * factor.clone()))
                .filter(|(_, c)| !c.is_zero())
                .collect(),
            constant: self.constant.clone() * factor.clone(),
        }
    }

    /// The product of two, where at least one has no loop variable in it.
    pub fn product(&self, other: &Affine) -> Option<Affine> {
        match (self.terms.is_empty(), other.terms.is_empty()) {
            (true, _) => Some(other.times(&self.constant)),
            (_, true) => Some(self.times(&other.constant)),
            (false, false) => None,
        }
    }

    /// The coefficient of a variable.
    pub fn coefficient(&self, var: LoopVar) -> Poly {
        self.terms.get(&var).cloned().unwrap_or_default()
    }

    /// Whether it has a variable in it.
    pub fn has(&self, var: LoopVar) -> bool {
        self.terms.contains_key(&var)
    }

    /// The variables in it with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (LoopVar, &Poly)> {
        self.terms.iter().map(|(var, c)| (*var, c))
    }

    /// The largest number in it.
    pub fn largest(&self) -> i128 {
        let all = self.terms.values().chain([&self.constant]);
        all.map(Poly::largest).max().unwrap_or(0)
    }

    /// It without what is subtracted: no less than it, and no less than 0, wherever variables and parameters are.
    #[must_use]
    pub fn positive_part(&self) -> Affine {
        let terms = self.terms.iter().map(|(var, c)| (*var, c.positive_part()));
        Affine {
            terms: terms.filter(|(_, c)| !c.is_zero()).collect(),
            constant: self.constant.positive_part(),
        }
    }

    /// The whole quotient of a division by a number above 0, and the rest, if it is the same rest everywhere.
    pub fn divided(&self, by: i128) -> Option<(Affine, i128)> {
        let mut terms = Sorted::new();
        for (var, coefficient) in self.terms.iter() {
            let (quotient, rest) = coefficient.divided(by)?;
            (rest == 0).then_some(())?;
            terms.insert(*var, quotient);
        }
        let (constant, rest) = self.constant.divided(by)?;
        Some((Affine { terms, constant }, rest))
    }

    /// The part without loop variables.
    pub fn rest(&self) -> &Poly {
        &self.constant
    }

    /// The polynomial, if there is no loop variable in it.
    pub fn as_poly(&self) -> Option<&Poly> {
        self.terms.is_empty().then_some(&self.constant)
    }
}

/// An access of an array: an index for each of its dimensions, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The indices; `None` where one is not affine.
    pub indices: Vec<Option<Affine>>,
}

/// Whether different iterations can meet in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They cannot.
    Apart,
    /// They cannot where all of these are 0 or more, which the call can tell.
    ApartIf(Vec<Poly>),
    /// They do: iterations at this distance, the position of the first access less that of the second, one number for each
    /// parallel variable, `None` where any will do. A bound that is not reached may still keep them apart.
    Meet(Vec<Option<i128>>),
    /// It could not be shown that they cannot.
    Unknown,
}

/// Tests two accesses of one array. An access is tested against itself, too: iterations that write one element twice.
///
/// ```
/// use accrue_ir::dependence::*;
/// // for y in 0..h (parallel) { for x in 0..w { out[y * w + x] = .. } }
/// let (w, h) = (Poly::param(Param(0)), Poly::param(Param(1)));
/// let extent = |parallel, n: &Poly| Extent { parallel, most: vec![Affine::constant(n.clone())] };
/// let nest = Nest { vars: vec![extent(true, &h), extent(false, &w)], facts: vec![] };
/// let index = Affine::var(LoopVar(0)).times(&w).plus(&Affine::var(LoopVar(1)));
/// let access = Access { indices: vec![Some(index)] };
/// assert_eq!(meet(&nest, &access, &access), Verdict::Apart);
/// ```
pub fn meet(nest: &Nest, a: &Access, b: &Access) -> Verdict {
    solve::verdict(nest, a, b, MOST_CONDITIONS)
}

/// The same of accesses with dimensions more than the array has, over variables without bounds: what is known to be a multiple of something. No
/// verdict rests on conditions: `h[i % 16]` is apart where there are 16 iterations, and bins where there are more.
pub fn meet_divided(nest: &Nest, a: &Access, b: &Access) -> Verdict {
    solve::verdict(nest, a, b, 0)
}

/// Whether a form is 0 or more at all positions of the loops of a nest, wherever there are any.
pub fn never_negative(nest: &Nest, form: &Affine) -> bool {
    solve::never_negative(nest, form)
}
