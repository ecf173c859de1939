//! `gang_global`: `l` copies in device memory, gang `g` updates copy `g mod l`.
//!
//! The paper's duplication (Ikeda, Ino and Hagihara, "An OpenACC Optimizer for Accelerating Histogram Computation
//! on a GPU", 2016): `l` times as many addresses share the updates of a hot bin, for `l` times the memory and a
//! longer reduction. `l` is `locals` in attributes.

use super::template::{Template, Trials};
use super::{Copies, Gang, Known, Memory, Target, atomic_global, own_local};
use crate::abi::TargetAbi;
use crate::cost::{self, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::writer::Function;

/// The most copies in device memory that are made without being asked for.
const MOST_LOCALS: u32 = 64;

/// The most scratch memory that they take without being asked for, in bytes.
const MOST_SCRATCH: u64 = 256 << 20;

/// The strategy.
pub(super) struct GangGlobal;

impl Template for GangGlobal {
    fn name(&self) -> &'static str {
        "gang_global"
    }

    fn place(&self) -> &'static str {
        "`l` in device memory, gang `g` uses copy `g mod l`"
    }

    fn good_for(&self) -> &'static str {
        "bins too many for shared memory, skewed keys, few items"
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        let copy = own_local(f, gang, target, memory);
        Box::new(atomic_global::prologue(target, copy))
    }

    fn locals(&self, target: &TargetAbi, bins: u64, gangs: u32, wish: Option<u32>) -> u32 {
        let bytes = (bins * u64::from(target.accumulator().size())).max(1);
        let room = (MOST_SCRATCH / bytes).clamp(1, u64::from(MOST_LOCALS)) as u32;
        wish.unwrap_or(room).min(gangs.max(1))
    }

    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> Part {
        cost::global::part(target, needs, launch, speeds)
    }

    fn locals_to_try(&self) -> &'static [u32] {
        &[8]
    }

    fn trials(&self) -> Trials {
        Trials {
            requests: &[":locals=1", ":locals=3", ":locals=8"],
            ..Trials::default()
        }
    }
}
