//! `gang_window`: the bins are cut into `W` windows; a gang keeps one copy of one window in shared memory.
//!
//! Gangs `g * W .. (g + 1) * W` are a group: all of them take the same iterations, compute every bin, and each updates
//! those in its window alone. The group reads its keys from memory once and `W - 1` times from the cache, so the time grows
//! with `W` and not with how the keys are spread: for histograms of a few times the shared memory. 65,536 bins are
//! counted at 516 to 598 G/s on every distribution (H200, 2026-11-20, bench/measured/h200.json), where device memory has 1
//! to 79.
//!
//! What the loop updates besides, scalars for one, is left to the gangs of the first window.

use super::cells::{Cells, Layout};
use super::inner_window;
use super::template::{Shared, Template, Trials};
use super::{Bin, Copies, Gang, Known, Memory, Target, Waiting, round_up, shared_base};
use crate::abi::{ParamKind, TargetAbi};
use crate::cost::shared::Family;
use crate::cost::{self, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::value;
use crate::writer::{Function, Operand, Reg};

/// The strategy.
pub(super) struct GangWindow;

impl Template for GangWindow {
    fn name(&self) -> &'static str {
        "gang_window"
    }

    fn place(&self) -> &'static str {
        "a window of the bins per gang; several gangs take the same items"
    }

    fn good_for(&self) -> &'static str {
        "a few times what fits"
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        match target.columns {
            Some(columns) => Box::new(inner_window::prologue(f, gang, target, memory, columns)),
            None => Box::new(prologue(f, gang, target, memory)),
        }
    }

    fn params(&self, target: u32) -> Vec<ParamKind> {
        vec![ParamKind::SharedOffset(target)]
    }

    fn takes_columns(&self) -> bool {
        true
    }

    fn has_cells(&self) -> bool {
        true
    }

    fn shared(&self, target: &TargetAbi, bins: u64, _: u32, windows: u32) -> Shared {
        let bins = match target.columns.map(|c| c.of(bins)) {
            Some((column, used)) => column * used.div_ceil(u64::from(windows)),
            None => bins.div_ceil(u64::from(windows)),
        };
        Shared::new(1, bins * u64::from(target.cell().bytes(target.elem)))
    }

    fn is_windowed(&self) -> bool {
        true
    }

    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> Part {
        let family = Family {
            windowed: true,
            ..Family::default()
        };
        cost::shared::part(target, needs, launch, speeds, family)
    }

    fn trials(&self) -> Trials {
        Trials {
            bins: &[1, 37, 12_000, 131_072],
            counts: &[(6, 60_000_000), (65_536, 20_000_000), (300_001, 1_000_003)],
            simulated_counts: &[(37, 9000), (70_001, 2000)],
            ..Trials::default()
        }
    }
}

struct GangWindowCopies {
    cells: Cells,
    /// The first bin of the window.
    low: Reg,
    /// The same in 64 bits.
    low_wide: Reg,
}

fn prologue(f: &mut Function, gang: &Gang, target: &Target, memory: Memory) -> impl Copies + use<> {
    let cell = target.cell();
    let word = cell.word(target.elem);
    let base = shared_base(f, target);
    let total = value!(f, "total", "cvt.u32.u64", memory.total);
    // Windows of equal width; the last ones may be short or empty.
    let width = value!(f, "width", "add.u32", total, gang.windows);
    let width = value!(f, "width", "sub.u32", width, 1);
    let width = value!(f, "width", "div.u32", width, gang.windows);
    let low = value!(f, "low", "mul.lo.u32", width, gang.window);
    let low = value!(f, &format!("{}_low", target.stem), "min.u32", low, total);
    let bins = value!(f, "bins", "sub.u32", total, low);
    let bins = value!(f, "bins", "min.u32", bins, width);
    let plane = value!(f, "plane", "mul.lo.u32", width, word);
    let bytes = value!(f, "bytes", "mul.lo.u32", plane, cell.words());
    let bytes = round_up(f, bytes);
    let layout = Layout::shared_by_all(f, base, word, plane, bins);
    GangWindowCopies {
        cells: Cells::begin(f, gang, target, memory, layout, bytes),
        low,
        low_wide: value!(f, "low", "cvt.u64.u32", low),
    }
}

impl GangWindowCopies {
    /// Does something with the index in the window of a bin that lies in it.
    fn inside(&self, f: &mut Function, bin: Bin, then: impl FnOnce(&mut Function, Bin)) {
        let own = match bin {
            Bin::Narrow(bin) => value!(f, "own", "sub.u32", bin, self.low),
            // The plan sees to it that bins are numbered in 32 bits.
            Bin::Wide(bin) => {
                let own = value!(f, "own", "sub.u64", bin, self.low_wide);
                value!(f, "own", "cvt.u32.u64", own)
            }
        };
        let outside = value!(f, "outside", "setp.ge.u32", own, self.cells.layout.bins);
        let skip = f.label("elsewhere");
        f.branch_if(outside, true, skip);
        then(f, Bin::Narrow(own.into()));
        f.place(skip);
    }
}

impl Copies for GangWindowCopies {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        self.inside(f, bin, |f, own| self.cells.update(f, bin, own, value));
    }

    fn waiting(&self, f: &mut Function) -> Option<Waiting> {
        self.cells.waiting(f)
    }

    fn defer(&self, f: &mut Function, bin: Bin, value: Operand, waiting: &Waiting) {
        self.inside(f, bin, |f, own| {
            self.cells.defer(f, bin, own, value, waiting)
        });
    }

    fn settle(&self, f: &mut Function, waiting: &[Waiting]) {
        self.cells.settle(f, waiting);
    }

    fn epilogue(&self, f: &mut Function, gang: &Gang) {
        self.cells.flush(f, gang, Some(self.low_wide));
    }
}
