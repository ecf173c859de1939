//! Whether bins are right: integers exactly, floats within what rounding can do and not more.
//!
//! A sum of floats in any order is off by at most ((1 + u)^h - 1) Σ|w|, where u is the unit roundoff and h the most
//! additions that a summand goes through (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 4.2).
//! Plain additions give h = the updates of the bin; sums that are exact within a gang are rounded once for each gang.
//! The reference is summed in twice the digits of an `f64`, so that its own error is nothing beside either.

use accrue::DeviceType;
use accrue_ptx::abi::KernelAbi;
use accrue_ptx::cell::Cell;
use accrue_ptx::plan::LaunchPlan;

/// What one bin must hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    /// The sum of integers, modulo 2^64.
    integer: u64,
    /// The sum of floats, and what rounding it to an `f64` left over.
    high: f64,
    low: f64,
    /// The sum of their magnitudes.
    magnitude: f64,
    /// Updates.
    updates: f64,
}

impl Sum {
    /// Adds an integer.
    pub(super) fn add(&mut self, value: u64) {
        self.integer = self.integer.wrapping_add(value);
        self.updates += 1.0;
    }

    /// Adds a float.
    pub(super) fn add_float(&mut self, value: f64) {
        // Knuth's two-sum.
        let sum = self.high + value;
        let part = sum - self.high;
        self.low += (self.high - (sum - part)) + (value - part);
        self.high = sum;
        self.magnitude += value.abs();
        self.updates += 1.0;
    }

    /// The same so many times, a power of two.
    pub(super) fn times(self, n: usize) -> Sum {
        let factor = n as f64;
        Sum {
            integer: self.integer.wrapping_mul(n as u64),
            high: self.high * factor,
            low: self.low * factor,
            magnitude: self.magnitude * factor,
            updates: self.updates * factor,
        }
    }

    /// The sum as a number, for totals that need not be exact.
    pub(super) fn value(&self) -> f64 {
        self.high + self.low + self.integer as f64
    }

    /// The sum of magnitudes.
    pub(super) fn magnitude(&self) -> f64 {
        self.magnitude + self.integer as f64
    }

    fn allows(&self, found: f64, unit: f64, additions: Additions) -> bool {
        let height = additions.0.min(self.updates) + additions.1;
        let rounding = (height * unit.ln_1p()).exp_m1();
        // The reference's own error, (n u)^2 for the 2^22 updates of a block.
        let reference = 2f64.powi(-60);
        // Not a number is not within anything.
        ((found - self.high) - self.low).abs() <= (rounding + reference) * self.magnitude
    }
}

/// The most additions that round which a summand can go through while the loop runs (if it has so many updates), and after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Additions(f64, f64);

impl Additions {
    /// Of a loop's first target in a launch.
    pub(super) fn of(abi: &KernelAbi, plan: &LaunchPlan) -> Additions {
        let (target, needs) = (&abi.targets[0], &plan.targets[0]);
        // Into the merged sum once for each copy, and into the bin.
        let merges = f64::from(needs.locals) + 1.0;
        let in_shared = needs.copies > 0;
        match target.cell() {
            // Exact in the gang, rounded when it flushes, added to the other gangs'.
            Cell::Fixed32 | Cell::Fixed64 if in_shared => {
                Additions(f64::from(plan.grid) + 1.0, merges)
            }
            // Every copy of the gang is merged in turn.
            _ => Additions(
                f64::INFINITY,
                merges + f64::from(plan.grid) + f64::from(needs.copies),
            ),
        }
    }
}

/// The type of a bin.
pub(super) trait Bin: DeviceType + Default + Send + Sync {
    /// Whether a bin holds what it must.
    fn is(self, expected: &Sum, additions: Additions) -> bool;
}

impl Bin for u32 {
    fn is(self, expected: &Sum, _: Additions) -> bool {
        self == expected.integer as u32
    }
}

impl Bin for u64 {
    fn is(self, expected: &Sum, _: Additions) -> bool {
        self == expected.integer
    }
}

impl Bin for f32 {
    fn is(self, expected: &Sum, additions: Additions) -> bool {
        expected.allows(f64::from(self), f64::from(f32::EPSILON) / 2.0, additions)
    }
}

impl Bin for f64 {
    fn is(self, expected: &Sum, additions: Additions) -> bool {
        expected.allows(self, f64::EPSILON / 2.0, additions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Additions = Additions(f64::INFINITY, 2.0);
    const EXACT: Additions = Additions(2.0, 2.0);

    #[test]
    fn sums_in_any_order_are_right_and_lost_updates_are_not() {
        let weights: Vec<f32> = (0..5000).map(|i| ((i % 97) as f32 - 40.3) * 0.37).collect();
        let mut sum = Sum::default();
        weights.iter().for_each(|&w| sum.add_float(f64::from(w)));
        let forwards: f32 = weights.iter().sum();
        let backwards: f32 = weights.iter().rev().sum();
        assert!(forwards.is(&sum, PLAIN) && backwards.is(&sum, PLAIN));
        let exact = weights.iter().map(|&w| f64::from(w)).sum::<f64>() as f32;
        assert!(exact.is(&sum, EXACT));
        assert!(!(exact + 0.5).is(&sum, EXACT));
        let lost: f32 = weights[..4000].iter().sum();
        assert!(!lost.is(&sum, PLAIN));
        assert!(!f32::NAN.is(&sum, PLAIN));
    }

    #[test]
    fn the_reference_has_more_digits_than_an_f64() {
        let mut sum = Sum::default();
        for value in [1e16, 1.0, -1e16] {
            sum.add_float(value);
        }
        assert_eq!(sum.value(), 1.0);
        let many = sum.times(64);
        assert_eq!(many.value(), 64.0);
        assert!(64.0.is(&many, EXACT));
    }

    #[test]
    fn a_bin_without_updates_is_exactly_zero() {
        let none = Sum::default();
        assert!(0f32.is(&none, PLAIN) && !1e-30f32.is(&none, PLAIN));
        assert!(7u32.is(
            &Sum {
                integer: (1 << 32) + 7,
                ..none
            },
            PLAIN
        ));
    }
}
