//! Whether lanes would help an array, and for which of its bins, judged by a probe of its indices.

use std::ops::Range;

/// How near in time two updates of a bin are when the later one still waits for the earlier one's store: seven
/// cycles of latency at one to two cycles an update, less what is hidden.
const NEAR: usize = 3;

/// Lanes help from one update in `RARE` on that would wait: they save some five cycles there and cost a
/// fraction of a cycle everywhere.
const RARE: usize = 16;

/// The part of the updates that a window must catch: all but one in `MISSED`.
const MISSED: usize = 16;

/// The window of bins that should have lanes, of at most `longest` bins, if lanes would help. A window
/// that is there already stays as long as it catches enough.
pub(super) fn choose(
    indices: &[u32],
    len: usize,
    longest: usize,
    present: Range<usize>,
) -> Option<Range<usize>> {
    if stalls(indices) * RARE < indices.len() || indices.is_empty() {
        return None;
    }
    if len <= longest {
        return Some(0..len);
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

/// How many updates are of a bin that one of the [`NEAR`] updates before was of.
pub(super) fn stalls(indices: &[u32]) -> usize {
    (1..indices.len())
        .filter(|&i| indices[i.saturating_sub(NEAR)..i].contains(&indices[i]))
        .count()
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
    use super::*;

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
    fn a_few_strays_do_not_matter() {
        let mut indices = vec![10; 500];
        indices.extend(noise(12, 1_000_000));
        assert!(choose(&indices, 1_000_000, 4096, 0..0).is_some());
    }
}
