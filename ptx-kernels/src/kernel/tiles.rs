//! Kernels that carry scalars along, tile by tile: see [`lookback`](crate::strategy::lookback).

use super::Kernel;
use crate::strategy::Scan;
use crate::strategy::lookback::Exchanged;
use crate::writer::{Function, Reg};

impl Kernel {
    /// What is carried along, in the order of the targets.
    pub fn scans(&self) -> Vec<Scan> {
        self.scans.clone()
    }

    /// Writes the number of the gang's first tile, behind [`open`](Kernel::open).
    pub fn first_tile(&mut self) -> Reg {
        let tiling = self.tiling.expect("scalars are carried");
        tiling.tile(&mut self.function)
    }

    /// Writes that the terms of an iteration fail.
    pub fn fail_terms(&mut self, iteration: Reg) {
        if let Some(tiling) = self.tiling {
            tiling.fail(&mut self.function, iteration);
        }
    }

    /// Writes what hands on a tile's terms, see [`Tiling::exchange`](crate::strategy::Tiling::exchange).
    pub fn exchange(&mut self, tile: (Reg, Reg), terms: &[Reg], may_fail: bool) -> Exchanged {
        let tiling = self.tiling.expect("scalars are carried");
        let f: &mut Function = &mut self.function;
        tiling.exchange(f, &self.gang, &self.scans, tile, terms, may_fail)
    }
}
