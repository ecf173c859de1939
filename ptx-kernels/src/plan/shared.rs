//! What copies take of the shared memory of a gang, as the prologues of the strategies lay them out.

use crate::abi::{Placement, Strategy, TargetAbi};
use crate::strategy::hottest;

/// The lanes of a warp, each of which may have a copy.
const LANES: u32 = 32;

/// Bytes of a bin of [`Strategy::GangPacked`].
pub(super) const PACKED_BYTES: u32 = 2;

/// What a target takes of the shared memory of a gang.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    /// Copies.
    pub(super) copies: u32,
    /// Bytes of all of them, a multiple of 16.
    pub(super) bytes: u64,
}

impl Shared {
    /// `copies` copies of a target of so many bins, cut into windows.
    pub(super) fn new(target: &TargetAbi, bins: u64, copies: u32, windows: u32) -> Shared {
        let cell = target.cell();
        let word = u64::from(cell.word(target.elem));
        match target.placement {
            Placement::Strategy(Strategy::GangShared | Strategy::GangHot) => {
                // An odd number of words where there are several copies, so that one bin of neighbouring copies lies
                // in neighbouring banks.
                let hot = target.placement == Placement::Strategy(Strategy::GangHot);
                let room = bins + u64::from(if hot { hottest::lane_bins(cell) } else { 0 });
                let words = room * u64::from(cell.words());
                let words = if copies > 1 { words | 1 } else { words };
                Shared {
                    copies,
                    bytes: round_up(words * u64::from(copies) * word),
                }
            }
            Placement::Strategy(Strategy::GangStriped) => Shared {
                copies: LANES,
                bytes: round_up(bins * u64::from(cell.bytes(target.elem)) * u64::from(LANES)),
            },
            Placement::Strategy(Strategy::GangWindow) => {
                let bins = match target.columns.map(|c| c.of(bins)) {
                    Some((column, used)) => column * used.div_ceil(u64::from(windows)),
                    None => bins.div_ceil(u64::from(windows)),
                };
                Shared {
                    copies: 1,
                    bytes: round_up(bins * u64::from(cell.bytes(target.elem))),
                }
            }
            Placement::Strategy(Strategy::GangPacked) => {
                // An even number of bins, so that no word is in two windows.
                let width = bins.div_ceil(u64::from(windows)).next_multiple_of(2);
                Shared {
                    copies: 1,
                    bytes: round_up(width * u64::from(PACKED_BYTES)),
                }
            }
            Placement::Strategy(
                Strategy::AtomicGlobal | Strategy::GangGlobal | Strategy::GangSplit,
            )
            | Placement::Register
            | Placement::Injective => Shared {
                copies: 0,
                bytes: 0,
            },
        }
    }
}

fn round_up(bytes: u64) -> u64 {
    bytes.next_multiple_of(16)
}
