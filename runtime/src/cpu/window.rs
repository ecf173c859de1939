//! Whether lanes would help an array, and for which of its bins, judged by a probe of its indices.

use std::ops::Range;

use super::machine::{self, Neighbours};
use crate::base::bin::Slot;

/// How many updates a processor has under way at a time, about. Those of one bin among them are done one after another,
/// each waiting for the store before it, and the others meanwhile.
const UNDER_WAY: usize = 32;

/// Lanes for all bins help where one bin has more than a part in `HOT_PART` of the updates under way: waiting for a store takes
/// six cycles and an update without it one or two. A hotter bin is what the time goes into, and of colder ones nothing
/// is seen. (`count u32` and `joint u64` of `cargo run --release -p accrue-bench -- run --device cpu` and the loop of
/// the example `colour_histogram`, keys in runs and drawn from 1 to 16 bins, by themselves and with
/// `ACCRUE_STRATEGY=private:lanes=1` and `8`, two cores of a Xeon with AVX-512 in a virtual machine, 2026-11-20.)
const HOT_PART: usize = 4;

/// The same for a window of some bins, which costs a comparison more for each update.
const HOTTER: usize = 3;

/// The part of the updates that a window must catch: all but one in `MISSED`. One that is missed costs a branch
/// that was not predicted and a call, some forty cycles.
const MISSED: usize = 64;

/// The columns of a window of fewer are not worth that each item of the outer loop comes once for each window.
const FEW: usize = 8;

/// How many columns of bins of `len`, in rows of `last`, are in a second-level cache at a time, with something to spare for what else the loop reads; all where the
/// bins are. A row of a window lies in a line more than its slots fill.
pub(super) fn columns<B>(len: usize, last: usize) -> usize {
    columns_of(len, last, size_of::<B>(), machine::machine().caches[1].0)
}

/// The same of slots and a cache of so many bytes.
fn columns_of(len: usize, last: usize, slot: usize, cache: usize) -> usize {
    let rows = (len / last.max(1)).max(1);
    let bytes = (cache / 4 * 3 / rows).saturating_sub(LINE);
    match bytes / slot {
        _ if len * slot <= cache => usize::MAX,
        columns if columns < FEW => usize::MAX,
        columns => columns,
    }
}

/// A line of a cache, in bytes.
const LINE: usize = 64;

/// The window of bins that should have lanes, of at most `longest` bins, if lanes would help. A window
/// that is there already stays as long as it catches enough.
pub(super) fn choose<B: Slot>(
    indices: &[u32],
    len: usize,
    longest: usize,
    present: Range<usize>,
) -> Option<Range<usize>> {
    choose_on(
        machine::neighbours().of::<B>(),
        indices,
        len,
        longest,
        present,
    )
}

/// The same where neighbours cost so much.
fn choose_on(
    neighbours: &Neighbours,
    indices: &[u32],
    len: usize,
    longest: usize,
    present: Range<usize>,
) -> Option<Range<usize>> {
    if indices.len() < UNDER_WAY || !neighbours.want_lanes(same(indices)) {
        return None;
    }
    let hottest = hottest(indices);
    if len <= longest {
        return (hottest * HOT_PART > indices.len()).then_some(0..len);
    }
    if hottest * HOTTER <= indices.len() {
        return None;
    }
    let enough = |caught: usize| (indices.len() - caught) * MISSED <= indices.len();
    let is_caught = |index: &&u32| present.contains(&(**index as usize));
    if enough(indices.iter().filter(is_caught).count()) {
        return Some(present);
    }
    let (first, caught) = densest(indices, longest);
    if !enough(caught) {
        return None;
    }
    // The first index seen is at the window's start; leave room before it for those not seen.
    let start = first.saturating_sub(longest / 8).min(len - longest);
    Some(start..start + longest)
}

/// The part of the updates that have the bin of the one before.
fn same(indices: &[u32]) -> f64 {
    let pairs = indices.windows(2);
    let same = pairs.clone().filter(|pair| pair[0] == pair[1]).count();
    same as f64 / pairs.len().max(1) as f64
}

/// How many updates wait for one another: in each stretch that is under way at a time those of its hottest bin.
fn hottest(indices: &[u32]) -> usize {
    let of = |stretch: &[u32], bin: u32| stretch.iter().filter(|other| **other == bin).count();
    indices
        .chunks(UNDER_WAY)
        .map(|stretch| stretch.iter().map(|&bin| of(stretch, bin)).max())
        .map(Option::unwrap_or_default)
        .sum()
}

/// The start of the stretch of 7/8 of `longest` bins that most indices fall into, and how many do.
fn densest(indices: &[u32], longest: usize) -> (usize, usize) {
    let mut sorted = indices.to_vec();
    sorted.sort_unstable();
    let span = (longest - longest / 8) as u32;
    let mut best = (0, 0);
    let mut end = 0;
    for (start, &first) in sorted.iter().enumerate() {
        while end < sorted.len() && sorted[end] - first < span {
            end += 1;
        }
        if end - start > best.1 {
            best = (first as usize, end - start);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::machine::known;
    use super::*;

    /// On a processor on which equal neighbours wait.
    fn choose(
        indices: &[u32],
        len: usize,
        longest: usize,
        present: Range<usize>,
    ) -> Option<Range<usize>> {
        let waiting = known("GenuineIntel").neighbours.words;
        choose_on(&waiting, indices, len, longest, present)
    }

    #[test]
    fn where_stores_are_forwarded_only_what_is_open_has_lanes() {
        let forwarding = known("AuthenticAMD").neighbours.words;
        let on = |indices: &[u32]| choose_on(&forwarding, indices, 4096, 4096, 0..0);
        assert_eq!(on(&[7; 512]), None);
        let runs: Vec<u32> = (0..512).map(|i| i / 64).collect();
        assert_eq!(on(&runs), None);
        let halving: Vec<u32> = noise(512, u32::MAX)
            .iter()
            .map(|n| n.trailing_zeros())
            .collect();
        assert_eq!(on(&halving), Some(0..4096));
        assert_eq!(choose(&runs, 4096, 4096, 0..0), Some(0..4096));
    }

    /// Numbers that look random.
    fn noise(n: usize, below: u32) -> Vec<u32> {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (((state >> 32) * u64::from(below)) >> 32) as u32
        };
        (0..n).map(next).collect()
    }

    #[test]
    fn scattered_updates_need_no_lanes() {
        assert_eq!(choose(&noise(512, 256), 256, 4096, 0..0), None);
        assert_eq!(choose(&noise(512, 1_000_000), 1_000_000, 4096, 0..0), None);
        assert_eq!(choose(&[], 256, 4096, 0..0), None);
        assert_eq!(choose(&[5], 256, 4096, 0..0), None);
    }

    #[test]
    fn repeated_updates_of_few_bins_get_them_all() {
        assert_eq!(choose(&[7; 512], 256, 4096, 0..0), Some(0..256));
        assert_eq!(choose(&noise(512, 4), 4096, 4096, 0..0), Some(0..4096));
    }

    #[test]
    fn a_window_lies_over_the_hot_bins() {
        let window = choose(&[500_000; 512], 1_000_000, 4096, 0..0).unwrap();
        assert_eq!(window.len(), 4096);
        assert!(window.contains(&500_000) && window.contains(&499_900));
        for hot in [0, 3, 999_999] {
            let window = choose(&[hot; 512], 1_000_000, 4096, 0..0).unwrap();
            assert!(window.contains(&(hot as usize)) && window.end <= 1_000_000);
        }
    }

    #[test]
    fn a_window_stays_while_it_catches_enough() {
        let present = 499_000..503_096;
        let window = |hot| choose(&[hot; 512], 1_000_000, 4096, present.clone());
        assert_eq!(window(502_000), Some(present.clone()));
        assert!(window(600_000).unwrap().contains(&600_000));
    }

    #[test]
    fn hot_bins_far_apart_stay_in_the_plain_table() {
        let mut indices = vec![10; 256];
        indices.extend([900_000; 256]);
        assert_eq!(choose(&indices, 1_000_000, 4096, 0..0), None);
    }

    #[test]
    fn bins_that_are_a_little_hot_are_left_to_the_plain_table() {
        // A joint histogram of two halving distributions: its hottest bin has a quarter of the updates.
        let halving = |seed: usize| noise(512 + seed, u32::MAX)[seed..].to_vec();
        let bin = |bits: &u32| bits.trailing_zeros().min(15);
        let (y, x) = (halving(0), halving(300));
        let joint: Vec<u32> = y
            .iter()
            .zip(&x)
            .map(|(y, x)| bin(y) * 256 + bin(x))
            .collect();
        assert_eq!(choose(&joint, 65_536, 2048, 0..0), None);
        // One of them alone has half of them in one bin.
        let alone: Vec<u32> = y.iter().map(bin).collect();
        assert_eq!(choose(&alone, 256, 4096, 0..0), Some(0..256));
        assert_eq!(choose(&alone[..31], 256, 4096, 0..0), None);
    }

    #[test]
    fn smooth_pixels_of_three_channels_have_lanes() {
        let channels = |i: u32| [i / 9 % 5, 256 + i / 11 % 3, 512 + i / 10 % 4];
        let indices: Vec<u32> = (0..170).flat_map(channels).collect();
        assert_eq!(choose(&indices, 768, 4096, 0..0), Some(0..768));
    }

    #[test]
    fn a_few_strays_do_not_matter() {
        let mut indices = vec![10; 506];
        indices.extend(noise(6, 1_000_000));
        assert!(choose(&indices, 1_000_000, 4096, 0..0).is_some());
    }
}
