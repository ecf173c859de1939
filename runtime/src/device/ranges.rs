//! Ranges of bytes: which parts of some memory something is said of.

use std::ops::Range;

/// Ranges in ascending order, none of them empty, no two of which touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a range.
    pub(crate) fn add(&mut self, range: &Range<u64>) {
        if range.is_empty() || self.has(range) {
            return;
        }
        let first = self.0.partition_point(|known| known.end < range.start);
        let behind = self.0.partition_point(|known| known.start <= range.end);
        let met = &self.0[first..behind];
        let start = met
            .first()
            .map_or(range.start, |r| r.start.min(range.start));
        let end = met.last().map_or(range.end, |r| r.end.max(range.end));
        self.0.splice(first..behind, std::iter::once(start..end));
    }

    /// Takes a range away.
    pub(crate) fn remove(&mut self, range: &Range<u64>) {
        if range.is_empty() {
            return;
        }
        let first = self.0.partition_point(|known| known.end <= range.start);
        let behind = self.0.partition_point(|known| known.start < range.end);
        if first >= behind {
            return;
        }
        let left = self.0[first].start..range.start;
        let right = range.end..self.0[behind - 1].end;
        let rest = [left, right].into_iter().filter(|r| !r.is_empty());
        self.0.splice(first..behind, rest);
    }

    /// Whether all of a range is in them.
    pub(crate) fn has(&self, range: &Range<u64>) -> bool {
        let at = self.0.partition_point(|known| known.end < range.end);
        range.is_empty() || self.0.get(at).is_some_and(|r| r.start <= range.start)
    }

    /// What of a range is in them.
    pub(crate) fn within(&self, range: &Range<u64>) -> Ranges {
        let clipped = self.0.iter();
        let clipped = clipped.map(|r| r.start.max(range.start)..r.end.min(range.end));
        Ranges(clipped.filter(|r| !r.is_empty()).collect())
    }

    /// What of a range is not in them.
    pub(crate) fn missing(&self, range: &Range<u64>) -> Ranges {
        let mut missing = Ranges::default();
        if self.has(range) {
            return missing;
        }
        missing.add(range);
        self.0.iter().for_each(|known| missing.remove(known));
        missing
    }

    /// How many bytes they have.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.iter().map(|r| r.end - r.start).sum()
    }

    /// They, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Range<u64>> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes, one by one.
    fn bytes(ranges: &Ranges) -> Vec<bool> {
        let mut all = vec![false; 24];
        for range in ranges.iter() {
            all[range.start as usize..range.end as usize].fill(true);
        }
        all
    }

    #[test]
    fn ranges_are_sets_of_bytes() {
        // Any numbers will do.
        let mut state = 7_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % 25
        };
        let (mut ranges, mut expected) = (Ranges::default(), vec![false; 24]);
        for step in 0..20_000 {
            let (a, b) = (next(), next());
            let range = a.min(b)..a.max(b);
            let place = range.start as usize..range.end as usize;
            match step % 3 {
                0 => ranges.add(&range),
                1 => ranges.remove(&range),
                _ => {}
            }
            if step % 3 < 2 {
                expected[place.clone()].fill(step % 3 == 0);
            }
            assert_eq!(bytes(&ranges), expected, "{step}");
            let apart = ranges.0.windows(2).all(|w| w[0].end < w[1].start);
            assert!(apart && ranges.iter().all(|r| !r.is_empty()), "{ranges:?}");
            let (a, b) = (next(), next());
            let asked = a.min(b)..a.max(b);
            let place = asked.start as usize..asked.end as usize;
            assert_eq!(
                ranges.has(&asked),
                expected[place.clone()].iter().all(|x| *x)
            );
            let (within, missing) = (ranges.within(&asked), ranges.missing(&asked));
            for (at, here) in expected.iter().enumerate() {
                assert_eq!(bytes(&within)[at], *here && place.contains(&at));
                assert_eq!(bytes(&missing)[at], !*here && place.contains(&at));
            }
            assert_eq!(within.bytes() + missing.bytes(), asked.end - asked.start);
        }
    }
}
