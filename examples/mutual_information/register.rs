//! Finds the motion between two volumes: the one by which they tell most of each other. Coarse volumes first; on each
//! level the Nelder-Mead method of `argmin`, every step of it a volume resampled and the histograms counted anew.

use std::cell::RefCell;

use accrue_examples::progress;
use anyhow::{Result, anyhow};
use argmin::core::{CostFunction, Executor, State};
use argmin::solver::neldermead::NelderMead;
use indicatif::ProgressBar;

use crate::loops::{Histograms, resample, shrink};
use crate::motion::Motion;
#[cfg(feature = "cuda")]
use crate::resident::Resident;
use crate::volume::Volume;

/// Volumes are made smaller by so much across and in depth; the simplex begins with so many millimetres and degrees,
/// and ends after so many steps, or when its corners differ by so few bits.
struct Level {
    across: usize,
    deep: usize,
    reach: f64,
    steps: u64,
    tolerance: f64,
}

const LEVELS: [Level; 4] = [
    Level {
        across: 4,
        deep: 2,
        reach: 10.0,
        steps: 110,
        tolerance: 1e-3,
    },
    Level {
        across: 4,
        deep: 2,
        reach: 4.0,
        steps: 90,
        tolerance: 3e-4,
    },
    Level {
        across: 2,
        deep: 1,
        reach: 1.5,
        steps: 70,
        tolerance: 1e-4,
    },
    Level {
        across: 1,
        deep: 1,
        reach: 0.5,
        steps: 30,
        tolerance: 2e-5,
    },
];

/// Fewer voxels along an axis are not made fewer.
const FEWEST: usize = 24;

/// What a registration found.
pub(crate) struct Found {
    pub motion: Motion,
    /// Bits.
    pub information: f64,
    /// How often the histograms were counted.
    pub evaluations: u64,
}

/// Two volumes, and what is reused from one evaluation to the next.
struct Matching<'a> {
    fixed: &'a Volume,
    moving: &'a Volume,
    /// The moved volume, or both volumes on a device.
    #[cfg(not(feature = "cuda"))]
    moved: RefCell<Vec<u8>>,
    #[cfg(feature = "cuda")]
    resident: RefCell<Resident>,
    histograms: RefCell<Histograms>,
    bar: &'a ProgressBar,
}

impl Matching<'_> {
    #[cfg(not(feature = "cuda"))]
    fn count(&self, motion: &Motion, histograms: &mut Histograms) -> Result<()> {
        let mut out = self.moved.borrow_mut();
        moved(self.fixed, self.moving, motion, &mut out);
        histograms.count(&self.fixed.voxels, &out);
        Ok(())
    }

    #[cfg(feature = "cuda")]
    fn count(&self, motion: &Motion, histograms: &mut Histograms) -> Result<()> {
        let to = motion.between(self.fixed, self.moving);
        self.resident.borrow_mut().count(&to, histograms)
    }
}

/// The volume as the grid of `fixed` sees it after a motion.
pub(crate) fn moved(fixed: &Volume, moving: &Volume, motion: &Motion, out: &mut [u8]) {
    let ([w, h, d], [columns, rows, slices]) = (moving.size, fixed.size);
    let to = motion.between(fixed, moving);
    resample(&moving.voxels, w, h, d, &to, columns, rows, slices, out);
}

impl CostFunction for Matching<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, numbers: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        let mut histograms = self.histograms.borrow_mut();
        self.count(&Motion::of(numbers), &mut histograms)?;
        let information = histograms.mutual_information();
        self.bar.inc(1);
        self.bar.set_message(format!("{information:.4} bits"));
        Ok(-information)
    }
}

fn smaller(volume: &Volume, level: &Level) -> Volume {
    let divided = |n: usize, by: usize| if n / by >= FEWEST { by } else { 1 };
    let across = divided(volume.size[0].min(volume.size[1]), level.across);
    let deep = divided(volume.size[2], level.deep);
    let by = [across, across, deep];
    let size = std::array::from_fn(|axis| volume.size[axis] / by[axis]);
    let spacing = std::array::from_fn(|axis| volume.spacing[axis] * by[axis] as f32);
    let mut small = Volume::new(size, spacing);
    shrink(
        &volume.voxels,
        volume.size,
        across,
        deep,
        size,
        &mut small.voxels,
    );
    small
}

/// How far the middle of a smaller volume lies from that of the volume itself, in millimetres: what is left over at the
/// end of a row counts on one side only.
fn off_middle(small: &Volume, volume: &Volume) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let length = |of: &Volume| of.size[axis] as f64 * f64::from(of.spacing[axis]);
        (length(small) - length(volume)) / 2.0
    })
}

/// The same motion, of volumes whose middles lie elsewhere: a point p of one is p - `fixed` of the other.
fn recentred(motion: Motion, fixed: [f64; 3], moving: [f64; 3]) -> Motion {
    let turn = motion.matrix();
    let mut shift = motion.shift;
    for axis in 0..3 {
        shift[axis] -= moving[axis];
        shift[axis] += (0..3).map(|k| turn[axis][k] * fixed[k]).sum::<f64>();
    }
    Motion { shift, ..motion }
}

/// Searches from `start` on.
pub(crate) fn register(fixed: &Volume, moving: &Volume, start: Motion) -> Result<Found> {
    let bar = progress::counter("registering");
    let (mut motion, mut information) = (start, 0.0);
    for level in &LEVELS {
        let (small_fixed, small_moving) = (smaller(fixed, level), smaller(moving, level));
        let (of_fixed, of_moving) = (
            off_middle(&small_fixed, fixed),
            off_middle(&small_moving, moving),
        );
        let matching = Matching {
            #[cfg(not(feature = "cuda"))]
            moved: RefCell::new(vec![0; small_fixed.voxels.len()]),
            #[cfg(feature = "cuda")]
            resident: RefCell::new(Resident::new(&small_fixed, &small_moving)?),
            fixed: &small_fixed,
            moving: &small_moving,
            histograms: RefCell::new(Histograms::new()),
            bar: &bar,
        };
        let numbers = recentred(motion, of_fixed, of_moving).numbers();
        let mut simplex = vec![numbers.clone()];
        for i in 0..numbers.len() {
            let mut corner = numbers.clone();
            corner[i] += level.reach;
            simplex.push(corner);
        }
        let solver = NelderMead::new(simplex).with_sd_tolerance(level.tolerance)?;
        let outcome = Executor::new(matching, solver)
            .configure(|state| state.max_iters(level.steps))
            .run()?;
        let state = outcome.state();
        let best = state
            .get_best_param()
            .ok_or_else(|| anyhow!("the optimiser has found no motion"))?;
        let back = |off: [f64; 3]| off.map(|v| -v);
        motion = recentred(Motion::of(best), back(of_fixed), back(of_moving));
        information = -state.get_best_cost();
    }
    let evaluations = bar.position();
    bar.finish_and_clear();
    Ok(Found {
        motion,
        information,
        evaluations,
    })
}
