//! `gang_striped`: 32 copies per gang in shared memory, one for each lane, interleaved: `s[bin * 32 + lane]`.
//!
//! Lane `i` only touches bank `i` (for 4-byte words), so no update waits for another of its warp,
//! whatever the bins are: the time does not depend on the data. It costs 128 bytes a bin, so it is for few
//! bins; with u8 keys and 256 bins it reads memory at the speed of a copy. The warps of a gang share the copies,
//! hence the updates are atomic still.
//!
//! The flush gives each bin a thread, which starts at its own lane and goes round: 32 threads read 32 banks.

use super::cells::{Cells, Layout};
use super::template::{Shared, Template, Trials};
use super::{Bin, Copies, Gang, Known, Memory, Target, shared_base};
use crate::abi::{ParamKind, TargetAbi};
use crate::cost::shared::Family;
use crate::cost::{self, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::value;
use crate::writer::{Function, Operand};

/// The lanes of a warp, each of which has a copy.
const LANES: u32 = 32;

/// The strategy.
pub(super) struct GangStriped;

impl Template for GangStriped {
    fn name(&self) -> &'static str {
        "gang_striped"
    }

    fn place(&self) -> &'static str {
        "32 per gang, one for each lane"
    }

    fn good_for(&self) -> &'static str {
        "up to some hundred bins, bytes above all"
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        Box::new(prologue(f, gang, target, memory))
    }

    fn params(&self, target: u32) -> Vec<ParamKind> {
        vec![ParamKind::SharedOffset(target)]
    }

    fn flushes_once(&self) -> bool {
        true
    }

    fn has_cells(&self) -> bool {
        true
    }

    fn shared(&self, target: &TargetAbi, bins: u64, _: u32, _: u32) -> Shared {
        let bytes = bins * u64::from(target.cell().bytes(target.elem));
        Shared::new(LANES, bytes * u64::from(LANES))
    }

    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> Part {
        let family = Family {
            own_banks: true,
            ..Family::default()
        };
        cost::shared::part(target, needs, launch, speeds, family)
    }

    fn trials(&self) -> Trials {
        Trials {
            bins: &[1, 37, 256],
            simulated_bins: &[1, 37, 256],
            refuses_many: true,
            ..Trials::default()
        }
    }
}

struct GangStripedCopies(Cells);

fn prologue(f: &mut Function, gang: &Gang, target: &Target, memory: Memory) -> impl Copies + use<> {
    let cell = target.cell();
    let word = cell.word(target.elem);
    let step = word * 32;
    let base = shared_base(f, target);
    let copies = value!(f, "copies", "mov.u32", 32);
    let bins = value!(f, "bins", "cvt.u32.u64", memory.total);
    let name = format!("{}_own", target.stem);
    let own = value!(f, &name, "mad.lo.u32", gang.lane, word, base);
    let plane = value!(f, "plane", "mul.lo.u32", bins, step);
    let bytes = value!(f, "bytes", "mul.lo.u32", plane, cell.words());
    let layout = Layout {
        base,
        own,
        step: step.into(),
        plane,
        copy_step: word.into(),
        copies,
        first: Some(gang.lane),
        bins,
    };
    GangStripedCopies(Cells::begin(f, gang, target, memory, layout, bytes))
}

impl Copies for GangStripedCopies {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        self.0.update(f, bin, bin, value);
    }

    fn epilogue(&self, f: &mut Function, gang: &Gang) {
        self.0.flush(f, gang, None);
    }
}
