//! What of a text repeats what stands before it. Places are found by a hash of their first bytes; of those with the same hash the
//! last few are compared.

use super::{SHORTEST, Step};

/// Bytes that a place is found by, and the fewest that a repeat from a new distance has.
const HASHED: usize = 8;

/// Places that are compared.
const COMPARED: usize = 16;

/// A repeat of so many bytes is not improved on.
const GOOD: usize = 48;

/// Within a repeat that is longer than [`GOOD`] one place in so many is kept.
const SPARSE: usize = 4;

/// No place.
const NONE: u32 = u32::MAX;

pub(super) struct Finder<'a> {
    data: &'a [u8],
    /// The last place of each hash, and the one before it of each place.
    last: Vec<u32>,
    before: Vec<u32>,
    /// Places up to here are kept.
    kept: usize,
    /// What has been found of the next place.
    ahead: Option<(usize, Option<(usize, usize)>)>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(data: &'a [u8]) -> Finder<'a> {
        Finder {
            data,
            last: vec![NONE; 1 << 16],
            before: vec![NONE; data.len()],
            kept: 0,
            ahead: None,
        }
    }

    /// The repeat that stands at a place, if there is one that is worth it.
    pub(super) fn step(&mut self, at: usize, known: &[usize; 4]) -> Option<Step> {
        let own = self.known(at, known);
        let own_length = own.map_or(0, |(length, _)| length);
        if own_length >= GOOD {
            return self.repeat(own);
        }
        let new = match self.ahead.take() {
            Some((place, found)) if place == at => found,
            _ => self.search(at),
        };
        let new_length = new.map_or(0, |(length, _)| length);
        // A distance of its own costs about so many bytes.
        if own_length > 0 && own_length + 3 >= new_length {
            return self.repeat(own);
        }
        if new_length < HASHED {
            return None;
        }
        if new_length < GOOD && at + 1 < self.data.len() {
            let next_own = self.known(at + 1, known).map_or(0, |(length, _)| length);
            let next = self.search(at + 1);
            let longer = next.is_some_and(|(length, _)| length > new_length + 1);
            if longer || next_own + 1 >= new_length {
                self.ahead = Some((at + 1, next));
                return None;
            }
        }
        self.repeat(new)
    }

    fn repeat(&mut self, found: Option<(usize, usize)>) -> Option<Step> {
        found.map(|(length, distance)| Step::Repeat { length, distance })
    }

    /// The longest from a known distance; of equals the one that was used last.
    fn known(&self, at: usize, known: &[usize; 4]) -> Option<(usize, usize)> {
        let mut best = None;
        let mut most = SHORTEST - 1;
        for &distance in known {
            if distance <= at && self.data[at - distance] == self.data[at] {
                let length = self.length(at - distance, at);
                if length > most {
                    (best, most) = (Some((length, distance)), length);
                }
            }
        }
        best
    }

    /// The longest from any distance.
    fn search(&mut self, at: usize) -> Option<(usize, usize)> {
        self.keep(at);
        let mut best: Option<(usize, usize)> = None;
        let mut from = *self.last.get(self.hash(at)?)?;
        for _ in 0..COMPARED {
            if from == NONE {
                break;
            }
            let place = from as usize;
            let most = best.map_or(0, |(length, _)| length);
            if self.data.get(place + most) == self.data.get(at + most) {
                let length = self.length(place, at);
                if length > most {
                    best = Some((length, at - place));
                }
                if length >= GOOD {
                    break;
                }
            }
            from = self.before[place];
        }
        best.filter(|(length, _)| *length >= HASHED)
    }

    /// Keeps the places before this one.
    fn keep(&mut self, at: usize) {
        let sparse = at - self.kept.min(at) > GOOD;
        while self.kept < at {
            let place = self.kept;
            if let Some(hash) = self.hash(place) {
                self.before[place] = std::mem::replace(&mut self.last[hash], place as u32);
            }
            self.kept += if sparse { SPARSE } else { 1 };
        }
        self.kept = at;
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let bytes = self.data.get(at..at + HASHED)?;
        let word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        Some((word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize)
    }

    /// How many bytes are equal. As plain loops: a proc macro is mostly compiled without optimisation.
    fn length(&self, from: usize, at: usize) -> usize {
        let word = |at: usize| {
            let bytes = self.data.get(at..at + 8)?;
            Some(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
        };
        let mut length = 0;
        while let (Some(a), Some(b)) = (word(from + length), word(at + length)) {
            if a != b {
                return length + (a ^ b).trailing_zeros() as usize / 8;
            }
            length += 8;
        }
        while at + length < self.data.len() && self.data[from + length] == self.data[at + length] {
            length += 1;
        }
        length
    }
}
