//! What a call passes to a kernel, once all of it is on the device.

use std::sync::Arc;

use accrue_ptx::abi::ParamKind;

use crate::device::allocation::Allocation;

/// What a call passes to a kernel.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// Positions of each dimension.
    pub(crate) counts: Vec<u64>,
    /// The iterations to run, where these are not all.
    pub(crate) range: Option<(u64, u64)>,
    /// Address and outermost length of each array, in the order of the ABI.
    pub(crate) arrays: Vec<(u64, u64)>,
    /// Captured values, in the order of the ABI.
    pub(crate) captured: Vec<u64>,
    /// Address and outermost length of each target's bins.
    pub(crate) bins: Vec<(u64, u64)>,
    /// Buffers to keep alive.
    pub(crate) keep: Vec<Arc<Allocation>>,
}

impl Arguments {
    /// The first iteration to run, and the one after the last.
    pub(in crate::gpu) fn range(&self) -> (u64, u64) {
        self.range
            .unwrap_or_else(|| (0, self.counts.iter().product()))
    }

    /// The value of a parameter that the call decides.
    pub(in crate::gpu) fn value(&self, kind: ParamKind) -> u64 {
        match kind {
            ParamKind::Begin => self.range().0,
            ParamKind::End => self.range().1,
            ParamKind::Count(d) => self.counts[d as usize],
            ParamKind::Pointer(a) => self.arrays[a as usize].0,
            ParamKind::Length(a) => self.arrays[a as usize].1,
            ParamKind::Captured(c) => self.captured[c as usize],
            ParamKind::Bins(t) => self.bins[t as usize].0,
            ParamKind::BinsLength(t) => self.bins[t as usize].1,
            ParamKind::BinsTotal(_)
            | ParamKind::Scratch(_)
            | ParamKind::Copies(_)
            | ParamKind::SharedOffset(_)
            | ParamKind::SharedCopies(_)
            | ParamKind::Windows
            | ParamKind::Ranges
            | ParamKind::RangeBits
            | ParamKind::Gangs
            | ParamKind::Chunks
            | ParamKind::Queue(_)
            | ParamKind::States
            | ParamKind::Merge
            | ParamKind::Ticket
            | ParamKind::Error => unreachable!("the plan or the stream decides {kind:?}"),
        }
    }
}
