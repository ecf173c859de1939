//! Kernels that carry scalars along, tile by tile: see [`lookback`](crate::strategy::lookback).

use super::Kernel;
use crate::strategy::lookback::{Before, Ticket, Tiling};
use crate::strategy::{Amount, Scan};
use crate::writer::Reg;

impl Kernel {
    /// What is carried along, in the order of the targets.
    pub fn scans(&self) -> Vec<Scan> {
        self.scans.clone()
    }

    fn tiling(&self) -> Tiling {
        self.tiling.expect("scalars are carried")
    }

    /// Writes the number of the gang's first tile, behind [`open`](Kernel::open).
    pub fn first_tile(&mut self) -> Reg {
        self.tiling().tile(&mut self.function)
    }

    /// Writes that the terms of an iteration fail.
    pub fn fail_terms(&mut self, iteration: Reg) {
        if let Some(tiling) = self.tiling {
            tiling.fail(&mut self.function, iteration);
        }
    }

    /// Writes what hands in the terms of a warp, see [`Tiling::hand_in`].
    pub fn hand_in(&mut self, terms: &[Amount]) {
        let tiling = self.tiling();
        tiling.hand_in(&mut self.function, &self.gang, &self.scans, terms);
    }

    /// Writes what publishes a tile's aggregate, see [`Tiling::publish`].
    pub fn publish(&mut self, tile: Reg, may_fail: bool) -> Option<Reg> {
        let tiling = self.tiling();
        let f = &mut self.function;
        tiling.publish(f, &self.gang, &self.scans, tile, may_fail)
    }

    /// Writes what finds what comes before a tile, see [`Tiling::look_back`].
    pub fn look_back(&mut self, tile: (Reg, Reg), failing: Option<Reg>) -> Before {
        let tiling = self.tiling();
        let f = &mut self.function;
        tiling.look_back(f, &self.gang, &self.scans, tile, failing)
    }

    /// Writes what takes the gang's next tile where a predicate holds, see [`Tiling::take`].
    pub fn take_tile(&mut self, holds: Reg) -> Ticket {
        let tiling = self.tiling();
        tiling.take(&mut self.function, &self.gang, holds)
    }

    /// Writes what makes the next tile the current one, see [`Tiling::turn`].
    pub fn turn(&mut self, ticket: Ticket) -> Reg {
        let tiling = self.tiling();
        tiling.turn(&mut self.function, &self.gang, &self.scans, ticket)
    }
}
