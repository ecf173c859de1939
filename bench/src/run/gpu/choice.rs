//! How the automatic choice did, beside the best strategy and the best peer of each cell.

use std::fmt;

use super::cell::{Measured, Way};

/// The choice in all cells of a run.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Choice {
    /// Cells with `auto` and a strategy.
    pub(super) cells: usize,
    /// Those in which `auto` is within 10 % of the best strategy.
    pub(super) near: usize,
    /// The cell in which it takes the most times what the best strategy does.
    pub(super) worst: Option<(String, f64)>,
    /// Cells with `auto` and a peer.
    pub(super) with_peers: usize,
    /// Those in which a peer is faster, which it is, and how many times its time `auto` takes, the worst first.
    pub(super) beaten: Vec<(String, String, f64)>,
}

impl Choice {
    pub(super) fn of(cells: &[Measured]) -> Choice {
        let mut all = Choice::default();
        for cell in cells {
            let Some(auto) = cell.auto() else { continue };
            if let Some((_, best)) = fastest(cell, false) {
                all.cells += 1;
                all.near += usize::from(auto <= 1.1 * best);
                let ratio = auto / best;
                if all.worst.as_ref().is_none_or(|(_, worst)| ratio > *worst) {
                    all.worst = Some((cell.cell.clone(), ratio));
                }
            }
            if let Some((peer, best)) = fastest(cell, true) {
                all.with_peers += 1;
                if auto > best {
                    let (cell, peer) = (cell.cell.clone(), peer.way.clone());
                    all.beaten.push((cell, peer, auto / best));
                }
            }
        }
        all.beaten.sort_by(|a, b| b.2.total_cmp(&a.2));
        all
    }

    /// Whether it is as good as it is to be: within 10 % of the best in 95 % of the cells, never more than 1.5 times it, and
    /// never slower than a peer.
    pub(super) fn is_good(&self) -> bool {
        let near = self.cells > 0 && self.near * 100 >= self.cells * 95;
        near && self.worst.as_ref().is_none_or(|(_, ratio)| *ratio <= 1.5) && self.beaten.is_empty()
    }
}

/// The fastest strategy, or peer, of a cell with a right result, and its microseconds.
pub(super) fn fastest(cell: &Measured, peer: bool) -> Option<(&Way, f64)> {
    let ways = cell.ways.iter();
    let ways = ways.filter(|way| way.peer == peer && way.way != "auto" && !way.wrong);
    ways.filter_map(|way| Some((way, way.us?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "auto is within 10 % of the best strategy in {} of {} cells ({:.1} %)",
            self.near,
            self.cells,
            100.0 * self.near as f64 / self.cells.max(1) as f64
        )?;
        if let Some((cell, ratio)) = &self.worst {
            write!(f, ", at worst {ratio:.2} times it ({cell})")?;
        }
        write!(
            f,
            "; of {} cells with peers, one is faster in {}",
            self.with_peers,
            self.beaten.len()
        )?;
        for (cell, peer, ratio) in &self.beaten {
            write!(
                f,
                "\n    {cell}: {peer}, auto takes {ratio:.2} times as long"
            )?;
        }
        Ok(())
    }
}
