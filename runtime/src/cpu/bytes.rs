//! How often each value of a byte occurs in an array, and where.
//!
//! A table of 256 counters ends at about an update a cycle: each byte is taken out of a word, and a counter is loaded, added to and stored. Where the
//! processor has AVX-512 with VBMI2, BITALG and GFNI, [`vector`] counts two bytes a cycle without any counter in memory, whatever their
//! distribution; elsewhere four tables take turns, so that equal neighbours do not wait for each other. Both give the same counts.
//!
//! Words of 16 and 32 bits whose values are below 256 are bytes as well; a [`Counter`] says where it has met others.

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod vector;

use std::ops::Range;

/// How many values a byte has.
pub(super) const VALUES: usize = 256;

/// Values by which iterations are alike: two iterations with the same ones do the same.
#[derive(Clone, Copy, Debug)]
pub(super) enum Words<'a> {
    /// Of one byte.
    Bytes(&'a [u8]),
    /// Of two, below 256 as far as is known.
    Halves(&'a [u16]),
    /// Of four.
    Singles(&'a [u32]),
    /// Of two bytes, each of which, a *column*, is counted by itself.
    Pairs(&'a [[u8; 2]]),
    /// Of three.
    Triples(&'a [[u8; 3]]),
    /// Of four.
    Quads(&'a [[u8; 4]]),
}

impl<'a> Words<'a> {
    /// Items of so many bytes each, where that is 2 to 4.
    pub(super) fn in_columns(bytes: &'a [u8], columns: usize) -> Option<Self> {
        Some(match columns {
            2 => Words::Pairs(bytes.as_chunks().0),
            3 => Words::Triples(bytes.as_chunks().0),
            4 => Words::Quads(bytes.as_chunks().0),
            _ => return None,
        })
    }

    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Words::Bytes(words) => words.len(),
            Words::Halves(words) => words.len(),
            Words::Singles(words) => words.len(),
            Words::Pairs(words) => words.len(),
            Words::Triples(words) => words.len(),
            Words::Quads(words) => words.len(),
        }
    }

    /// How many bytes an item has.
    pub(super) fn width(&self) -> usize {
        match self {
            Words::Bytes(_) => 1,
            Words::Halves(_) | Words::Pairs(_) => 2,
            Words::Triples(_) => 3,
            Words::Singles(_) | Words::Quads(_) => 4,
        }
    }

    /// How many values of an item are counted, each by itself.
    pub(super) fn columns(&self) -> usize {
        match self {
            Words::Bytes(_) | Words::Halves(_) | Words::Singles(_) => 1,
            _ => self.width(),
        }
    }

    /// A value of an item.
    #[inline(always)]
    fn at(&self, item: usize, column: usize) -> usize {
        match self {
            Words::Bytes(words) => words[item].into(),
            Words::Halves(words) => words[item].into(),
            Words::Singles(words) => words[item] as usize,
            Words::Pairs(words) => words[item][column].into(),
            Words::Triples(words) => words[item][column].into(),
            Words::Quads(words) => words[item][column].into(),
        }
    }

    /// Whether all of some items have the same values, which is found in the time of a comparison of memory.
    pub(super) fn are_equal(&self, items: Range<usize>) -> bool {
        fn of<T: PartialEq>(words: &[T]) -> bool {
            let rest = words.split_first().map(|(_, rest)| rest);
            rest.is_none_or(|rest| rest == &words[..rest.len()])
        }
        match self {
            Words::Bytes(words) => of(&words[items]),
            Words::Halves(words) => of(&words[items]),
            Words::Singles(words) => of(&words[items]),
            Words::Pairs(words) => of(&words[items]),
            Words::Triples(words) => of(&words[items]),
            Words::Quads(words) => of(&words[items]),
        }
    }

    /// Whether some items from all over have values below 256. Others may not.
    pub(super) fn look_narrow(&self) -> bool {
        const LOOKS: usize = 64;
        let len = self.len();
        match self {
            Words::Bytes(_) => true,
            _ if self.columns() > 1 => true,
            _ => (0..LOOKS.min(len)).all(|k| self.at(len / LOOKS.min(len) * k, 0) < VALUES),
        }
    }
}

/// Whether bytes are counted by wide instructions here.
pub(super) fn are_fast() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    return vector::is_there();
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    false
}

/// A value was too large for a byte: what has been counted means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide;

/// Values that may be bytes.
trait Word: Copy {
    /// The value.
    fn value(self) -> usize;
}

impl Word for u8 {
    fn value(self) -> usize {
        self.into()
    }
}

impl Word for u16 {
    fn value(self) -> usize {
        self.into()
    }
}

impl Word for u32 {
    fn value(self) -> usize {
        self as usize
    }
}

/// Counts the values of one column of items.
pub(super) struct Counter {
    counts: [u64; VALUES],
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    piles: Option<vector::Piles>,
}

impl Counter {
    /// Nothing is counted yet. By wide instructions, where the processor has them and `wide` says so.
    pub(super) fn new(wide: bool) -> Counter {
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        let _ = wide;
        Counter {
            counts: [0; VALUES],
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            piles: wide.then(vector::Piles::new).flatten(),
        }
    }

    /// Counts some items, and asks for what is so far behind each of them.
    fn add<T: Word>(&mut self, items: &[T], ahead: usize) -> Result<(), Wide> {
        let counts = &mut self.counts;
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let Some(piles) = &mut self.piles {
            return piles.add(items, counts, ahead);
        }
        in_tables(items.iter().map(|item| item.value()), counts)
    }

    /// How often each value has occurred since it was asked last.
    pub(super) fn take(&mut self) -> [u64; VALUES] {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let Some(piles) = &mut self.piles {
            piles.empty(&mut self.counts);
        }
        std::mem::replace(&mut self.counts, [0; VALUES])
    }
}

/// How far ahead items are asked for.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const AHEAD: usize = vector::AHEAD;
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
const AHEAD: usize = 0;

/// Counts some items, each column by its counter.
///
/// # Errors
///
/// Where a value is above 255.
pub(super) fn add(
    counters: &mut [Counter],
    words: Words<'_>,
    items: Range<usize>,
) -> Result<(), Wide> {
    match words {
        Words::Bytes(words) => counters[0].add(&words[items], AHEAD),
        Words::Halves(words) => counters[0].add(&words[items], AHEAD),
        Words::Singles(words) => counters[0].add(&words[items], AHEAD),
        Words::Pairs(words) => add_columns(counters, &words[items]),
        Words::Triples(words) => add_columns(counters, &words[items]),
        Words::Quads(words) => add_columns(counters, &words[items]),
    }
}

/// How many items are counted column by column: they are in the first-level cache for the second one.
const COLUMN: usize = 1 << 12;

fn add_columns<const COLUMNS: usize>(
    counters: &mut [Counter],
    items: &[[u8; COLUMNS]],
) -> Result<(), Wide> {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if counters.iter().all(|counter| counter.piles.is_some()) {
        return vector::add_columns(counters, items);
    }
    for items in items.chunks(COLUMN) {
        for (column, counter) in counters.iter_mut().enumerate() {
            let values = items.iter().map(|item| item[column].into());
            in_tables(values, &mut counter.counts)?;
        }
    }
    Ok(())
}

/// How many values are counted in tables of 32 bits at a time.
const BLOCK: usize = 1 << 30;

/// Counts values in tables that take turns.
fn in_tables(
    mut values: impl ExactSizeIterator<Item = usize>,
    counts: &mut [u64; VALUES],
) -> Result<(), Wide> {
    while values.len() > 0 {
        let mut tables = [[0u32; VALUES]; 4];
        let mut all = 0;
        for (k, value) in values.by_ref().take(BLOCK).enumerate() {
            all |= value;
            tables[k % 4][value % VALUES] += 1;
        }
        if all >= VALUES {
            return Err(Wide);
        }
        for (value, count) in counts.iter_mut().enumerate() {
            *count += tables
                .iter()
                .map(|table| u64::from(table[value]))
                .sum::<u64>();
        }
    }
    Ok(())
}

/// Where values occur first in a column of some items: calls `found` for each of `wanted` that does, and forgets it there.
pub(super) fn find(
    words: Words<'_>,
    items: Range<usize>,
    column: usize,
    wanted: &mut [bool; VALUES],
    mut found: impl FnMut(u8, usize),
) {
    let mut left = wanted.iter().filter(|wanted| **wanted).count();
    let mut item = items.start;
    while item < items.end && left > 0 {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if item - items.start > NEAR {
            // Values that are not among the first ones are rare.
            let left = item..items.end;
            item += match words {
                Words::Bytes(bytes) => vector::seek(&bytes[left], wanted),
                Words::Halves(words) => vector::seek(&words[left], wanted),
                Words::Singles(words) => vector::seek(&words[left], wanted),
                Words::Pairs(words) => vector::seek_in_column(&words[left], column, wanted),
                Words::Triples(words) => vector::seek_in_column(&words[left], column, wanted),
                Words::Quads(words) => vector::seek_in_column(&words[left], column, wanted),
            };
            if item == items.end {
                break;
            }
        }
        let value = words.at(item, column);
        if let Some(wanted @ true) = wanted.get_mut(value) {
            *wanted = false;
            left -= 1;
            found(value as u8, item);
        }
        item += 1;
    }
}

/// How many items are looked at one by one for the first places of values.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const NEAR: usize = 512;

#[cfg(test)]
mod tests;
