//! Counting bytes by AVX-512, two a cycle.
//!
//! There is no counter in memory for each value. A vector of 64 bytes is *split* by their two highest bits: `vpcompressb` puts the bytes of
//! each quarter side by side, and they are appended to a pile of that quarter. The bytes of a pile have 64 values, told by six bits, which is what `vpermb` looks
//! up in a vector: for eight of these values at a time it turns a byte into a bit at the value's place. Adders of bits (two `vpternlog`) add
//! such vectors up, eight of them into the ones, twos, fours and eights of 512 sums, and only the eights are counted: a transposition of
//! 8 by 8 bits (`vgf2p8affineqb`) brings the bits of a value together, and `vpopcntb` counts them. So 64 bytes take 25 instructions for each of
//! the eight groups of values, and the split of some other 64 bytes is done between those of each group, for it waits for stores, and the others do not.
//!
//! Nothing depends on the values, not even a branch but those on how long piles are. Symbols: 0.48 to 0.53 cycles a byte for uniform bytes, one byte, runs and zipf,
//! 1 MiB, where one table of counters takes 1.04, 1.06, 1.78 and 3.76, and four of them 1.01, 1.01, 1.12 and 1.23. (One core of an EPYC, Zen 4,
//! 3.69 GHz, 2026-11-24, time of the thread, least of 15 turns.)
//!
//! # Overflow
//!
//! A pile is counted after 18 times 512 bytes at most ([`CAPACITY`]), so that a byte that holds how many eights a value has had in eight lanes is at most 144, and
//! one for the rest, 56. Totals have 64 bits.

use std::arch::x86_64::*;

use std::ops::Range;

use super::{COLUMN, Counter, VALUES, Wide, Word};

/// How many bytes a vector has.
const LANES: usize = 64;

/// How many bytes are added up at a time: eight vectors.
const BATCH: usize = 8 * LANES;

/// How long a pile is when it is counted. Half of it takes a tenth longer, since the last bits are counted twice as often; and piles whose
/// distance is a multiple of 4096 bytes wait for each other. (As above.)
const LONG: usize = 4096;

/// How many bytes a pile has room for, and a vector beyond its end.
const CAPACITY: usize = 2 * LONG + 1024 + LANES;

/// How far ahead items are asked for: the processor does not see the stream behind so many stores.
pub(super) const AHEAD: usize = 64 * LANES;

const _: () = {
    // Padded to whole batches a pile has room.
    assert!((CAPACITY - LANES).is_multiple_of(BATCH));
    // Eight lanes of a byte, and eight batches more would be too many for a counter of 8 bits.
    assert!((CAPACITY - LANES) / BATCH * 8 <= u8::MAX as usize);
};

/// The processor has what is used here.
pub(super) fn is_there() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("gfni")
        && is_x86_feature_detected!("popcnt")
}

#[repr(align(64))]
struct Aligned<T>(T);

/// For each group of eight values, the bit of each of 64.
static BITS: Aligned<[[u8; LANES]; 8]> = {
    let mut bits = [[0; LANES]; 8];
    let mut value = 0;
    while value < LANES {
        bits[value / 8][value] = 1 << (value % 8);
        value += 1;
    }
    Aligned(bits)
};

/// Where the bytes of one value are in eight words of eight values.
static TOGETHER: Aligned<[u8; LANES]> = {
    let mut at = [0; LANES];
    let mut to = 0;
    while to < LANES {
        at[to] = (to % 8 * 8 + to / 8) as u8;
        to += 1;
    }
    Aligned(at)
};

/// The bytes that wait to be counted, by their two highest bits, and a pile to spare.
pub(super) struct Piles {
    bytes: Box<Aligned<[[u8; CAPACITY]; 5]>>,
    /// Which pile is that of each quarter.
    of: [usize; 4],
    spare: usize,
    /// How long they are: `CAPACITY - LANES` at most.
    len: [usize; 4],
}

impl Piles {
    /// Empty ones, where the processor has what counts them.
    pub(super) fn new() -> Option<Piles> {
        let mut bytes = Box::<Aligned<[[u8; CAPACITY]; 5]>>::new_uninit();
        // SAFETY: zeros are bytes, and these are all of them. On the stack first they would be copied.
        let bytes = unsafe {
            bytes.as_mut_ptr().write_bytes(0, 1);
            bytes.assume_init()
        };
        is_there().then_some(Piles {
            bytes,
            of: [0, 1, 2, 3],
            spare: 4,
            len: [0; 4],
        })
    }

    /// Adds items, and asks for what is so far behind each of them.
    ///
    /// # Errors
    ///
    /// Where a value is no byte. The counts mean nothing then.
    pub(super) fn add<T: Word>(
        &mut self,
        items: &[T],
        counts: &mut [u64; VALUES],
        ahead: usize,
    ) -> Result<(), Wide> {
        let (vectors, rest) = items.as_chunks::<LANES>();
        for item in rest {
            *counts.get_mut(item.value()).ok_or(Wide)? += 1;
        }
        // SAFETY: there are piles only where `is_there` has said so.
        match unsafe { add(self, vectors, counts, ahead) } {
            true => Err(Wide),
            false => Ok(()),
        }
    }

    /// Counts what is left, after which the piles are empty.
    pub(super) fn empty(&mut self, counts: &mut [u64; VALUES]) {
        for quarter in 0..4 {
            let (pile, len) = (self.of[quarter], self.len[quarter]);
            let whole = len.next_multiple_of(BATCH);
            self.bytes.0[pile][len..whole].fill(0);
            // SAFETY: there are piles only where `is_there` has said so.
            unsafe { count::<u8>(self, pile, whole / BATCH, quarter, counts, (&[], 0), &mut 0) };
            // What was added to make it whole was the quarter's first value.
            counts[quarter * LANES] -= (whole - len) as u64;
            self.len[quarter] = 0;
        }
    }
}

/// 64 values as bytes, and what they have above a byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn narrow<T: Word>(items: &[T; LANES]) -> (__m512i, __m512i) {
    let at = items.as_ptr().cast::<u8>();
    // SAFETY: it is within the items: 64 of so many bytes are that many vectors.
    let vector = |k: usize| unsafe { _mm512_loadu_si512(at.add(k * LANES).cast()) };
    match size_of::<T>() {
        1 => (vector(0), _mm512_setzero_si512()),
        2 => {
            let [a, b] = [vector(0), vector(1)];
            let low = _mm512_castsi256_si512(_mm512_cvtepi16_epi8(a));
            let bytes = _mm512_inserti64x4::<1>(low, _mm512_cvtepi16_epi8(b));
            let all = _mm512_or_si512(a, b);
            (bytes, _mm512_andnot_si512(_mm512_set1_epi16(0xFF), all))
        }
        4 => {
            let [a, b, c, d] = [vector(0), vector(1), vector(2), vector(3)];
            let bytes = _mm512_castsi128_si512(_mm512_cvtepi32_epi8(a));
            let bytes = _mm512_inserti32x4::<1>(bytes, _mm512_cvtepi32_epi8(b));
            let bytes = _mm512_inserti32x4::<2>(bytes, _mm512_cvtepi32_epi8(c));
            let bytes = _mm512_inserti32x4::<3>(bytes, _mm512_cvtepi32_epi8(d));
            let all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            (bytes, _mm512_andnot_si512(_mm512_set1_epi32(0xFF), all))
        }
        _ => unreachable!("values have 1, 2 or 4 bytes"),
    }
}

/// The columns of some items, one behind the other.
pub(super) type Picked<const COLUMNS: usize> = [[u8; COLUMN]; COLUMNS];

/// Where the values of each column are among the bytes of 64 items, which are up to four vectors: in the first two, or in the others, as the second says.
struct Places<const COLUMNS: usize>([([u8; LANES], u64); COLUMNS]);

impl<const COLUMNS: usize> Places<COLUMNS> {
    const ALL: Places<COLUMNS> = {
        assert!(COLUMNS >= 2 && COLUMNS <= 4);
        let mut all = [([0; LANES], 0); COLUMNS];
        let mut byte = 0;
        while byte < COLUMNS * LANES {
            let (place, behind) = &mut all[byte % COLUMNS];
            place[byte / COLUMNS] = (byte % (2 * LANES)) as u8;
            *behind |= ((byte >= 2 * LANES) as u64) << (byte / COLUMNS);
            byte += 1;
        }
        Places(all)
    };
}

/// Takes some columns out of items, `COLUMN` at most: each vector is loaded once for all of them.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn pick<const COLUMNS: usize>(
    items: &[[u8; COLUMNS]],
    columns: Range<usize>,
    values: &mut Picked<COLUMNS>,
) {
    let (wide, rest) = items.as_chunks::<LANES>();
    for (k, items) in wide.iter().enumerate() {
        let from = items.as_ptr().cast::<u8>();
        // SAFETY: it is within the items: 64 of so many bytes are that many vectors.
        let vector = |n: usize| unsafe { _mm512_loadu_si512(from.add(n * LANES).cast()) };
        let [a, b, c, d] = [
            vector(0),
            vector(1),
            vector(COLUMNS.min(3) - 1),
            vector(COLUMNS - 1),
        ];
        for column in columns.clone() {
            let (place, behind) = &const { Places::<COLUMNS>::ALL }.0[column];
            // SAFETY: it is all of the array.
            let place = unsafe { _mm512_loadu_si512(place.as_ptr().cast()) };
            let mut picked = _mm512_permutex2var_epi8(a, place, b);
            if COLUMNS > 2 {
                let other = _mm512_permutex2var_epi8(c, place, d);
                picked = _mm512_mask_blend_epi8(*behind, picked, other);
            }
            let to = &mut values[column][k * LANES..][..LANES];
            // SAFETY: it is all of the chunk.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), picked) };
        }
    }
    for (k, item) in rest.iter().enumerate() {
        for column in columns.clone() {
            values[column][wide.len() * LANES + k] = item[column];
        }
    }
}

/// Adds each column of items to piles of its own, where all have some.
///
/// # Errors
///
/// None.
pub(super) fn add_columns<const COLUMNS: usize>(
    counters: &mut [Counter],
    items: &[[u8; COLUMNS]],
) -> Result<(), Wide> {
    let mut values = [[0; COLUMN]; COLUMNS];
    for items in items.chunks(COLUMN) {
        // SAFETY: there are piles only where `is_there` has said so.
        unsafe { pick(items, 0..COLUMNS, &mut values) };
        // While the columns are counted, what comes behind these items is asked for, as many bytes as they have.
        let behind = items.as_ptr_range().end.addr();
        let ahead = behind.wrapping_sub(values.as_ptr().addr());
        for (counter, values) in counters.iter_mut().zip(&values) {
            counter.add(&values[..items.len()], ahead)?;
        }
    }
    Ok(())
}

/// Asks for some lines, so many items on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn ask<T>(items: *const T, ahead: usize, lines: usize) {
    let at = items.wrapping_add(ahead).cast::<i8>();
    for line in 0..lines {
        #[allow(unused_unsafe, reason = "newer compilers know it for safe")]
        // SAFETY: a prefetch of any address is a hint and reads nothing that a program can see.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(line * LANES))
        };
    }
}

/// The ends of the piles of the four quarters.
type Ends = [*mut u8; 4];

/// Appends 64 bytes to the piles of their quarters.
///
/// # Safety
///
/// Behind each end there is room for a vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
unsafe fn split(bytes: __m512i, ends: &mut Ends) {
    let highest = _mm512_and_si512(bytes, _mm512_set1_epi8(0xC0_u8 as i8));
    for (quarter, end) in ends.iter_mut().enumerate() {
        let value = _mm512_set1_epi8((quarter << 6) as i8);
        let mine = _mm512_cmpeq_epi8_mask(highest, value);
        // SAFETY: the caller's promise. As many bytes as the end moves on are written before it.
        unsafe {
            _mm512_storeu_si512(end.cast(), _mm512_maskz_compress_epi8(mine, bytes));
            *end = end.add(mine.count_ones() as usize);
        }
    }
}

/// The bits of three vectors added up: twos and ones.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn added(a: __m512i, b: __m512i, c: __m512i) -> (__m512i, __m512i) {
    let ones = _mm512_ternarylogic_epi64::<0b1001_0110>(a, b, c);
    // Where `b` and `c` differ, the carry is `a`, which is what `ones` is not. `a` is not needed any more, and no register is copied.
    (_mm512_ternarylogic_epi64::<0b1101_0100>(b, c, ones), ones)
}

/// Of each word of eight bytes, how many have the first bit, the second and so on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn counted(bits: __m512i) -> __m512i {
    // As a matrix, times a unit matrix as eight vectors, is its transpose.
    let unit = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    _mm512_popcnt_epi8(_mm512_gf2p8affine_epi64_epi8::<0>(unit, bits))
}

/// The counters of 8 bits of each of eight values, eight of each, as sums.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn summed(counters: __m512i) -> __m512i {
    // SAFETY: an aligned vector.
    let together = unsafe { _mm512_load_si512(TOGETHER.0.as_ptr().cast()) };
    let apart = _mm512_permutexvar_epi8(together, counters);
    _mm512_sad_epu8(apart, _mm512_setzero_si512())
}

/// Counts so many batches of a pile that is none of a quarter's, or is not appended to meanwhile; and splits items beside it, as many as it has steps and there is
/// room for, at `next` and beyond. Returns what these have above a byte.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn count<T: Word>(
    piles: &mut Piles,
    pile: usize,
    batches: usize,
    quarter: usize,
    counts: &mut [u64; VALUES],
    (items, ahead): (&[[T; LANES]], usize),
    next: &mut usize,
) -> __m512i {
    assert!(batches * BATCH <= CAPACITY - LANES);
    assert!(piles.spare == pile || items.is_empty());
    let room = (CAPACITY - LANES - piles.longest().1) / LANES;
    let items = &items[*next..];
    let items = &items[..items.len().min(room).min(batches * 8)];
    *next += items.len();
    let base = piles.bytes.0.as_mut_ptr().cast::<u8>();
    // SAFETY: piles are within the allocation.
    let start = |pile: usize| unsafe { base.add(pile * CAPACITY) };
    // SAFETY: a pile's length is less than its capacity.
    let mut ends: Ends = std::array::from_fn(|q| unsafe { start(piles.of[q]).add(piles.len[q]) });
    let mut items_left = items.iter();
    let zero = _mm512_setzero_si512();
    let mut wide = zero;
    let counts = counts[quarter * LANES..][..LANES].as_chunks_mut::<8>().0;
    for (bits, counts) in BITS.0.iter().zip(counts) {
        // SAFETY: an aligned vector.
        let bits = unsafe { _mm512_load_si512(bits.as_ptr().cast()) };
        let (mut ones, mut twos, mut fours, mut eights) = (zero, zero, zero, zero);
        for batch in 0..batches {
            if let Some(items) = items_left.next() {
                ask(items.as_ptr(), ahead, size_of::<T>());
                let (bytes, above) = narrow(items);
                wide = _mm512_or_si512(wide, above);
                // SAFETY: each of as many vectors as were room for appends one at most.
                unsafe { split(bytes, &mut ends) };
            }
            // SAFETY: `batches` of them are within the pile, and a multiple of 64 bytes from its start, which is aligned.
            let bit = |k: usize| unsafe {
                let at = start(pile).add(batch * BATCH + k * LANES);
                _mm512_permutexvar_epi8(_mm512_load_si512(at.cast()), bits)
            };
            let (a, sum) = added(ones, bit(0), bit(1));
            let (b, sum) = added(sum, bit(2), bit(3));
            let (low, sum_of_twos) = added(twos, a, b);
            let (a, sum) = added(sum, bit(4), bit(5));
            let (b, sum) = added(sum, bit(6), bit(7));
            let (high, sum_of_twos) = added(sum_of_twos, a, b);
            let (carry, sum_of_fours) = added(fours, low, high);
            (ones, twos, fours) = (sum, sum_of_twos, sum_of_fours);
            eights = _mm512_add_epi8(eights, counted(carry));
        }
        let double = |counters| _mm512_add_epi8(counters, counters);
        let rest = _mm512_add_epi8(double(counted(fours)), counted(twos));
        let rest = _mm512_add_epi8(double(rest), counted(ones));
        let sum = _mm512_add_epi64(_mm512_slli_epi64::<3>(summed(eights)), summed(rest));
        let at = counts.as_mut_ptr();
        // SAFETY: eight counters of 64 bits are a vector.
        unsafe {
            _mm512_storeu_si512(
                at.cast(),
                _mm512_add_epi64(_mm512_loadu_si512(at.cast()), sum),
            )
        };
    }
    for (quarter, end) in ends.iter().enumerate() {
        // SAFETY: it is in the same pile as its start.
        piles.len[quarter] = unsafe { end.offset_from(start(piles.of[quarter])) } as usize;
    }
    wide
}

impl Piles {
    /// The quarter with the longest pile, and its length.
    #[inline(always)]
    fn longest(&self) -> (usize, usize) {
        let lens = self.len.iter().copied().enumerate();
        lens.max_by_key(|(_, len)| *len).unwrap_or((0, 0))
    }
}

/// Adds vectors of items. Says whether one was no byte.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn add<T: Word>(
    piles: &mut Piles,
    items: &[[T; LANES]],
    counts: &mut [u64; VALUES],
    ahead: usize,
) -> bool {
    let mut wide = _mm512_setzero_si512();
    let mut next = 0;
    while next < items.len() {
        let (quarter, len) = piles.longest();
        let above = if len < LONG {
            append(piles, &items[next..], &mut next, ahead)
        } else {
            // Whole batches of it are counted, and the rest begins the next one.
            let (pile, whole) = (piles.of[quarter], len / BATCH * BATCH);
            let [from, to] = piles
                .bytes
                .0
                .get_disjoint_mut([pile, piles.spare])
                .expect("two piles");
            to[..len - whole].copy_from_slice(&from[whole..len]);
            piles.of[quarter] = piles.spare;
            piles.len[quarter] = len - whole;
            piles.spare = pile;
            count(
                piles,
                pile,
                whole / BATCH,
                quarter,
                counts,
                (items, ahead),
                &mut next,
            )
        };
        wide = _mm512_or_si512(wide, above);
    }
    _mm512_test_epi64_mask(wide, wide) != 0
}

/// Splits items until a pile may be long. Returns what they have above a byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn append<T: Word>(
    piles: &mut Piles,
    items: &[[T; LANES]],
    next: &mut usize,
    ahead: usize,
) -> __m512i {
    let most = (LONG - piles.longest().1).div_ceil(LANES);
    let items = &items[..items.len().min(most)];
    *next += items.len();
    let base = piles.bytes.0.as_mut_ptr().cast::<u8>();
    // SAFETY: a pile's end is within the allocation.
    let end = |q: usize| unsafe { base.add(piles.of[q] * CAPACITY + piles.len[q]) };
    let first: Ends = std::array::from_fn(end);
    let mut ends = first;
    let mut wide = _mm512_setzero_si512();
    for items in items {
        ask(items.as_ptr(), ahead, size_of::<T>());
        let (bytes, above) = narrow(items);
        wide = _mm512_or_si512(wide, above);
        // SAFETY: piles are shorter than `LONG` before, and `LONG` and a vector at most after all of these.
        unsafe { split(bytes, &mut ends) };
    }
    for (quarter, (end, first)) in ends.iter().zip(first).enumerate() {
        // SAFETY: both are in the same pile.
        piles.len[quarter] += unsafe { end.offset_from(first) } as usize;
    }
    wide
}

/// The place of the first byte whose value is wanted, or how many items there are. Without what it takes, the first place.
pub(super) fn seek<T: Word>(items: &[T], wanted: &[bool; VALUES]) -> usize {
    match is_there() {
        // SAFETY: the processor has it.
        true => unsafe { seek_wide(items, wanted) },
        false => 0,
    }
}

/// The same in a column of items.
pub(super) fn seek_in_column<const COLUMNS: usize>(
    items: &[[u8; COLUMNS]],
    column: usize,
    wanted: &[bool; VALUES],
) -> usize {
    if !is_there() {
        return 0;
    }
    let mut values = [[0; COLUMN]; COLUMNS];
    let mut before = 0;
    for items in items.chunks(COLUMN) {
        // SAFETY: the processor has it.
        let at = unsafe {
            pick(items, column..column + 1, &mut values);
            seek_wide::<u8>(&values[column][..items.len()], wanted)
        };
        before += at;
        if at < items.len() {
            break;
        }
    }
    before
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,popcnt")]
fn seek_wide<T: Word>(items: &[T], wanted: &[bool; VALUES]) -> usize {
    let table = wanted.map(|wanted| if wanted { u8::MAX } else { 0 });
    // SAFETY: it is within the table.
    let part = |k: usize| unsafe { _mm512_loadu_si512(table.as_ptr().add(k * LANES).cast()) };
    let (a, b, c, d) = (part(0), part(1), part(2), part(3));
    let (vectors, rest) = items.as_chunks::<LANES>();
    for (k, vector) in vectors.iter().enumerate() {
        // What is above a byte is told when it is counted.
        let (values, _) = narrow(vector);
        let low = _mm512_permutex2var_epi8(a, values, b);
        let high = _mm512_permutex2var_epi8(c, values, d);
        let is_high = _mm512_movepi8_mask(values);
        let found = _mm512_movepi8_mask(_mm512_mask_blend_epi8(is_high, low, high));
        if found != 0 {
            return k * LANES + found.trailing_zeros() as usize;
        }
    }
    let wanted = |item: &T| wanted.get(item.value()) == Some(&true);
    let at = rest.iter().position(wanted).unwrap_or(rest.len());
    vectors.len() * LANES + at
}
