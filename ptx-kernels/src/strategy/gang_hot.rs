//! `gang_hot`: [`gang_shared`] with the hottest bins [elsewhere](super::hottest).
//!
//! Where shared memory has room for few copies, equal bins of a warp's lanes wait for each other: a bin that all keys
//! hit is updated by one lane at a time, and two such bins of one bank as well. Up to [four](super::MOST_HOT) hot bins, found by a
//! [sample](super::hot), are compared with every bin and combined in registers instead, or in bins that each lane has for itself.
//! Without hot bins the comparisons are jumped over.

use super::gang_shared::{self, GangSharedCopies};
use super::hottest;
use super::template::{Keeps, Shared, Template, Trials};
use super::{Copies, Gang, Known, Memory, Target};
use crate::abi::{Elem, Op, ParamKind, TargetAbi};
use crate::cell::Cell;
use crate::cost::shared::Family;
use crate::cost::{self, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::writer::Function;

/// The strategy.
pub(super) struct GangHot;

impl Template for GangHot {
    fn name(&self) -> &'static str {
        "gang_hot"
    }

    fn place(&self) -> &'static str {
        "as `gang_shared`, the hottest bins in registers or in bins of each lane"
    }

    fn good_for(&self) -> &'static str {
        "sums of skewed keys"
    }

    fn takes(&self) -> &'static str {
        "loops with updates other than the addition of a constant"
    }

    fn applies_to(&self, op: Op, elem: Elem, counts: bool, updates: u32) -> bool {
        // The hardware merges equal addresses of counters.
        op.applies_to(elem) && Cell::of(op, elem, counts, updates) != Cell::Counter
    }

    fn is_partial(&self) -> bool {
        true
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        known: Known,
    ) -> Box<dyn Copies> {
        let lanes = hottest::lane_bins(target.cell());
        let mut cells = gang_shared::cells(f, gang, target, memory, lanes);
        if let Known::Bins(hot) = known {
            cells.keep_hot(f, hot);
        }
        Box::new(GangSharedCopies(cells))
    }

    fn params(&self, target: u32) -> Vec<ParamKind> {
        vec![
            ParamKind::SharedOffset(target),
            ParamKind::SharedCopies(target),
        ]
    }

    fn keeps_hot(&self) -> Option<Keeps> {
        Some(Keeps::Registers)
    }

    fn has_cells(&self) -> bool {
        true
    }

    fn shared(&self, target: &TargetAbi, bins: u64, copies: u32, _: u32) -> Shared {
        let lanes = u64::from(hottest::lane_bins(target.cell()));
        gang_shared::padded(target, bins + lanes, copies)
    }

    fn may_grow(&self) -> bool {
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
            keeps_hot: true,
            ..Family::default()
        };
        cost::shared::part(target, needs, launch, speeds, family)
    }

    fn trials(&self) -> Trials {
        Trials {
            bins: &[1, 37, 256, 4096, 12_000],
            requests: &[":copies=1"],
            refuses_many: true,
            ..Trials::default()
        }
    }
}
