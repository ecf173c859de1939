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
    /// The bytes of items that have so many each, of which one *column* at a time is counted.
    Columns(&'a [u8], usize),
}

impl Words<'_> {
    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Words::Bytes(words) => words.len(),
            Words::Halves(words) => words.len(),
            Words::Singles(words) => words.len(),
            Words::Columns(bytes, columns) => bytes.len() / columns,
        }
    }

    /// How many bytes an item has.
    pub(super) fn width(&self) -> usize {
        match self {
            Words::Bytes(_) => 1,
            Words::Halves(_) => 2,
            Words::Singles(_) => 4,
            Words::Columns(_, columns) => *columns,
        }
    }

    /// How many values of an item are counted, each by itself.
    pub(super) fn columns(&self) -> usize {
        match self {
            Words::Columns(_, columns) => *columns,
            _ => 1,
        }
    }

    /// A value of an item.
    #[inline(always)]
    fn at(&self, item: usize, column: usize) -> usize {
        match self {
            Words::Bytes(words) => words[item].into(),
            Words::Halves(words) => words[item].into(),
            Words::Singles(words) => words[item] as usize,
            Words::Columns(bytes, columns) => bytes[item * columns + column].into(),
        }
    }

    /// Whether some items from all over have values below 256. Others may not.
    pub(super) fn look_narrow(&self) -> bool {
        const LOOKS: usize = 64;
        let len = self.len();
        match self {
            Words::Bytes(_) | Words::Columns(..) => true,
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

    /// Counts a column of some items.
    ///
    /// # Errors
    ///
    /// Where a value is above 255.
    pub(super) fn add(
        &mut self,
        words: Words<'_>,
        items: Range<usize>,
        column: usize,
    ) -> Result<(), Wide> {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let Some(piles) = &mut self.piles {
            let counts = &mut self.counts;
            return match words {
                Words::Bytes(bytes) => piles.add(&bytes[items], counts),
                Words::Halves(words) => piles.add(&words[items], counts),
                Words::Singles(words) => piles.add(&words[items], counts),
                Words::Columns(bytes, columns) => {
                    let bytes = &bytes[items.start * columns..items.end * columns];
                    piles.add_column(bytes, columns, column, counts)
                }
            };
        }
        let values = items.map(|item| words.at(item, column));
        in_tables(values, &mut self.counts)
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
                Words::Columns(bytes, columns) => {
                    let left = &bytes[left.start * columns..left.end * columns];
                    vector::seek_in_column(left, columns, column, wanted)
                }
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
const NEAR: usize = 4096;

#[cfg(test)]
mod tests;
