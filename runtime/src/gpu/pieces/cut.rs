//! How a call is cut: into ranges of positions of its outermost loop, so long that two of them, with what all need, fit.

use std::ops::Range;

use accrue_ptx::abi::Module;

use crate::base::error::{Bytes, Error};
use crate::device::held;
use crate::device::residence::ALIGNMENT;
use crate::gpu::array::{Array, Bins, Memory};
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::reach::{Reaching, Window};

/// Bytes of a piece beyond which none are copied any faster.
const LONGEST: u64 = 1 << 30;

/// The part of the memory that is left to kernels: a sixteenth.
const SPARED: u64 = 16;

/// How much of an array is on a device at a time.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) enum Share {
    /// Nothing: only its length counts.
    Nothing,
    /// What a piece accesses.
    Part(Window),
    /// All of it, in memory that the call takes.
    Whole,
    /// All of it, where it is already.
    There,
    /// What its iterations access, or all of it, of a resident array that keeps it there.
    Kept(Option<Window>),
}

/// A call that runs in pieces.
#[derive(Debug)]
pub(in crate::gpu) struct Cut {
    /// How much of each array is on a device at a time.
    pub(in crate::gpu) shares: Vec<Share>,
    /// Positions of the outermost loop.
    pub(in crate::gpu) positions: u64,
    /// Iterations of one.
    pub(in crate::gpu) inner: u64,
    /// Bytes of what all pieces need.
    common: u64,
    /// Bytes of a position that are copied for a piece, and what comes on top of that for each.
    each: u64,
    margin: u64,
    /// Bytes of a position, whether they are copied or not.
    pub(in crate::gpu) accessed: u64,
    /// Bytes of the whole call.
    pub(in crate::gpu) total: u64,
    /// The largest array of which all is on the device, and its bytes.
    largest: Option<(String, u64)>,
}

impl Cut {
    /// How a call would be cut. `keeps`: what it needs of resident arrays stays where it is needed.
    pub(in crate::gpu) fn of(
        of: &Loop,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &[Bins<'_>],
        reach: Reaching<'_>,
        keeps: bool,
    ) -> Cut {
        let (positions, inner) = counts
            .split_first()
            .map_or((1, 1), |(first, inner)| (*first, inner.iter().product()));
        let windows = Window::all(reach, arrays.len(), positions);
        let mut cut = Cut {
            shares: vec![Share::Nothing; arrays.len()],
            positions,
            inner,
            common: bins.iter().map(|b| b.array.bytes + ALIGNMENT).sum(),
            each: 0,
            margin: 0,
            accessed: 0,
            total: bins.iter().map(|b| b.array.bytes).sum(),
            largest: None,
        };
        for array in of.modules[0].abi.arrays.iter() {
            let number = array.array as usize;
            let passed = &arrays[number];
            if array.length_only || passed.bytes == 0 {
                continue;
            }
            // Pieces of what is written are not copied over each other.
            let window = windows[number].filter(|w| !array.written || w.is_apart());
            let (stride, more) = window.map_or((0, 0), |w| w.pitch());
            let bytes = passed.elem_bytes();
            let each = stride.saturating_mul(bytes);
            cut.accessed = cut.accessed.saturating_add(each);
            if keeps && matches!(passed.memory, Memory::Resident(..)) {
                cut.shares[number] = Share::Kept(window);
                continue;
            }
            let there = match passed.memory {
                Memory::Nowhere => continue,
                Memory::Appended(..) => false,
                Memory::Device(..) => true,
                Memory::Resident(all, _) => all.is_on_device(),
                Memory::Host(from) => !array.written && held::has_copy_of(from, passed.bytes),
            };
            if there {
                cut.shares[number] = Share::There;
                continue;
            }
            cut.total += passed.bytes;
            match window {
                Some(window) => {
                    cut.each = cut.each.saturating_add(each);
                    cut.margin = cut
                        .margin
                        .saturating_add(more.saturating_mul(bytes).saturating_add(2 * ALIGNMENT));
                    cut.shares[number] = Share::Part(window);
                }
                None => {
                    cut.common += passed.bytes + ALIGNMENT;
                    cut.shares[number] = Share::Whole;
                    if cut.largest.as_ref().is_none_or(|l| l.1 < passed.bytes) {
                        cut.largest = Some((array.name.to_string(), passed.bytes));
                    }
                }
            }
        }
        cut
    }

    /// Whether any array goes to a device in parts.
    pub(in crate::gpu) fn has_parts(&self) -> bool {
        self.each > 0
    }

    /// Whether a part of the iterations needs a part of an array.
    pub(in crate::gpu) fn is_divisible(&self) -> bool {
        let mut shares = self.shares.iter();
        self.has_parts() || shares.any(|share| matches!(share, Share::Kept(Some(_))))
    }

    /// Whether resident arrays keep what iterations need.
    pub(in crate::gpu) fn keeps(&self) -> bool {
        let mut shares = self.shares.iter();
        shares.any(|share| matches!(share, Share::Kept(_)))
    }

    /// Positions of a piece, if two pieces are to fit into so many bytes; `None` where not even two of one position do.
    pub(in crate::gpu) fn length(&self, room: u64) -> Option<u64> {
        let room = room - room / SPARED;
        let left = room.checked_sub(self.common)?;
        if !self.has_parts() {
            return Some(self.positions.max(1));
        }
        let each = (left / 2).min(LONGEST.max(self.margin + self.each));
        let length = each.checked_sub(self.margin)?.checked_div(self.each)?;
        (length > 0).then_some(length.min(self.positions.max(1)))
    }

    /// The pieces, with this many positions each.
    pub(in crate::gpu) fn pieces(&self, length: u64) -> impl Iterator<Item = Range<u64>> + use<> {
        let positions = self.positions;
        (0..positions.div_ceil(length)).map(move |n| n * length..positions.min((n + 1) * length))
    }

    /// The error of a call that does not fit, in no pieces either.
    pub(in crate::gpu) fn too_large(&self, of: &Loop, room: u64, device: &str) -> Error {
        let reason = match (&self.largest, self.has_parts()) {
            (Some((name, bytes)), _) if *bytes > room / 2 => format!(
                "iterations may access `{name}` ({}) anywhere, so that all of it has to be there",
                Bytes(*bytes)
            ),
            (_, false) => {
                "there is no array of which a part of the iterations needs a part".to_owned()
            }
            _ if self.common > room / 2 => format!("its bins have {}", Bytes(self.common)),
            _ => format!(
                "two of its pieces have {} at least",
                Bytes(self.common + 2 * (self.each + self.margin))
            ),
        };
        self.refused(of, room, device, &reason)
    }

    /// The error of a call that does not fit and cannot be cut.
    pub(in crate::gpu) fn refused(&self, of: &Loop, room: u64, device: &str, why: &str) -> Error {
        Error::TooLarge {
            function: of.function.to_string(),
            bytes: self.total,
            room,
            device: device.to_owned(),
            reason: why.to_owned(),
        }
    }
}

/// Whether a module runs any range of iterations. Some are printed for all of them.
pub(in crate::gpu) fn runs_ranges(module: &Module) -> bool {
    !module.abi.whole
}
