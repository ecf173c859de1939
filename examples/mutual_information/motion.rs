//! Rigid motions: a turn about the middle of a volume and a shift.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context, bail};

use crate::volume::Volume;

/// Where a point of one volume lies in another, both from their middles: turned about the three axes one after the
/// other, then shifted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    /// Millimetres.
    pub shift: [f64; 3],
    /// Degrees.
    pub turn: [f64; 3],
}

type Matrix = [[f64; 3]; 3];

fn product(a: Matrix, b: Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

impl Motion {
    /// The motion of six numbers, shifts before turns.
    pub(crate) fn of(numbers: &[f64]) -> Motion {
        let at = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
        Motion {
            shift: [at(0), at(1), at(2)],
            turn: [at(3), at(4), at(5)],
        }
    }

    /// Its six numbers, shifts before turns.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        [self.shift, self.turn].concat()
    }

    /// The turn as a matrix.
    pub(crate) fn matrix(&self) -> Matrix {
        let [(sx, cx), (sy, cy), (sz, cz)] =
            self.turn.map(|degrees| degrees.to_radians().sin_cos());
        let x = [[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]];
        let y = [[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]];
        let z = [[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]];
        product(z, product(y, x))
    }

    /// Takes indices of voxels of `fixed` to those of `moving`: three rows of four numbers.
    pub(crate) fn between(&self, fixed: &Volume, moving: &Volume) -> [f32; 12] {
        let turn = self.matrix();
        let middle = |of: &Volume| of.size.map(|n| (n as f64 - 1.0) / 2.0);
        let (from, to) = (middle(fixed), middle(moving));
        let mut rows = [0.0; 12];
        for axis in 0..3 {
            let unit = f64::from(moving.spacing[axis]);
            let mut last = to[axis] + self.shift[axis] / unit;
            for k in 0..3 {
                let factor = turn[axis][k] * f64::from(fixed.spacing[k]) / unit;
                rows[4 * axis + k] = factor as f32;
                last -= factor * from[k];
            }
            rows[4 * axis + 3] = last as f32;
        }
        rows
    }

    /// How far another motion is from this one: millimetres along each axis, and the degrees of the turn between them.
    pub(crate) fn distance(&self, other: &Motion) -> ([f64; 3], f64) {
        let shift = std::array::from_fn(|i| (self.shift[i] - other.shift[i]).abs());
        let (a, b) = (self.matrix(), other.matrix());
        let trace: f64 = (0..3)
            .flat_map(|i| (0..3).map(move |j| (i, j)))
            .map(|(i, j)| a[i][j] * b[i][j])
            .sum();
        let degrees = ((trace - 1.0) / 2.0).clamp(-1.0, 1.0).acos().to_degrees();
        (shift, degrees)
    }
}

impl fmt::Display for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, y, z], [a, b, c]) = (self.shift, self.turn);
        write!(
            f,
            "{x:.2}, {y:.2}, {z:.2} mm, {a:.2}, {b:.2}, {c:.2} degrees"
        )
    }
}

impl FromStr for Motion {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Motion> {
        let numbers: Vec<f64> = text
            .split(',')
            .map(|word| {
                word.trim()
                    .parse()
                    .with_context(|| format!("`{word}` is no number"))
            })
            .collect::<anyhow::Result<_>>()?;
        if numbers.len() != 6 || !numbers.iter().all(|n| n.is_finite()) {
            bail!("a motion has six numbers: three shifts in mm, three turns in degrees");
        }
        Ok(Motion::of(&numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_meet() {
        let fixed = Volume::new([5, 5, 5], [1.0; 3]);
        let moving = Volume::new([9, 9, 9], [0.5; 3]);
        let motion: Motion = "1, 0, 0, 0, 0, 90".parse().unwrap();
        let rows = motion.between(&fixed, &moving);
        let at = |axis: usize, p: [f32; 3]| {
            (0..3).map(|k| rows[4 * axis + k] * p[k]).sum::<f32>() + rows[4 * axis + 3]
        };
        assert!((at(0, [2.0; 3]) - 6.0).abs() < 1e-5, "shifted by 1 mm");
        assert!((at(1, [3.0, 2.0, 2.0]) - 6.0).abs() < 1e-5, "x turned to y");
        assert!("1, 2".parse::<Motion>().is_err());
        assert!("a, 0, 0, 0, 0, 0".parse::<Motion>().is_err());
    }

    #[test]
    fn distances_are_millimetres_and_degrees() {
        let a = Motion::of(&[1.0, 2.0, 3.0, 10.0, 20.0, 30.0]);
        assert_eq!(Motion::of(&a.numbers()), a);
        let (shift, turn) = a.distance(&Motion::of(&[1.0, 2.5, 3.0, 10.0, 20.0, 37.0]));
        assert_eq!(shift, [0.0, 0.5, 0.0]);
        assert!((turn - 7.0).abs() < 1e-6, "{turn}");
    }
}
