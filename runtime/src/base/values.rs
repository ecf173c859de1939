//! Numbers of one type in a row, whatever the type: what ranks send each other, and what a collective operation combines.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::Error;
use super::lock::lock;

/// What has an item for each type of numbers: `then!` gets the names of the variants with their types.
macro_rules! for_each_number {
    ($then:ident) => {
        $then! {
            Bool bool, U8 u8, U16 u16, U32 u32, U64 u64, U128 u128, Usize usize,
            I8 i8, I16 i16, I32 i32, I64 i64, I128 i128, Isize isize, F32 f32, F64 f64
        }
    };
}

macro_rules! values {
    ($($name:ident $t:ident),*) => {
        /// Numbers of one type in a row, borrowed: what a [`Collective`](crate::Collective) operation reads and writes.
        ///
        /// ```
        /// use accrue::collective::Values;
        /// let mut counts = [1u32, 2, 3];
        /// let values = Values::U32(&mut counts);
        /// assert_eq!((values.len(), values.width()), (3, 4));
        /// ```
        pub enum Values<'a> {
            $(
                #[doc = concat!("Numbers of type `", stringify!($t), "`.")]
                $name(&'a mut [$t]),
            )*
        }

        /// The same, owned: copies of bins, and memory to receive into.
        #[derive(Debug)]
        pub(crate) enum Kept {
            $($name(Vec<$t>),)*
        }

        /// Calls what is generic over the type of the numbers.
        macro_rules! with_numbers {
            ($values:expr, $of:ident => $result:expr) => {
                match $values { $($crate::base::values::Values::$name($of) => $result,)* }
            };
            ($values:expr, $other:expr, ($of:ident, $with:ident) => $result:expr) => {
                match ($values, $other) {
                    $((
                        $crate::base::values::Values::$name($of),
                        $crate::base::values::Values::$name($with),
                    ) => Some($result),)*
                    _ => None,
                }
            };
        }
        pub(crate) use with_numbers;

        impl<'a> Values<'a> {
            /// The same numbers for a shorter time.
            pub fn reborrow(&mut self) -> Values<'_> {
                match self { $(Values::$name(of) => Values::$name(of),)* }
            }

            /// Some of them.
            ///
            /// # Panics
            ///
            /// If there are not so many.
            pub fn range(self, range: std::ops::Range<usize>) -> Values<'a> {
                match self { $(Values::$name(of) => Values::$name(&mut of[range]),)* }
            }

            /// The name of their type.
            pub fn type_name(&self) -> &'static str {
                match self { $(Values::$name(_) => stringify!($t),)* }
            }

            /// Pieces of so many, the last one of what is left.
            pub(crate) fn chunks(self, len: usize) -> Vec<Values<'a>> {
                match self {
                    $(Values::$name(of) => of.chunks_mut(len).map(Values::$name).collect(),)*
                }
            }

            /// A copy, of so many with zeros behind.
            pub(crate) fn copied(&self, len: usize, run: Run) -> Result<Kept, Error> {
                match self {
                    $(Values::$name(of) => {
                        let bytes = len.saturating_mul(size_of::<$t>());
                        let mut copy: Vec<$t> = Vec::new();
                        copy.try_reserve_exact(len).map_err(|_| no_memory(bytes))?;
                        let of = &of[..len.min(of.len())];
                        let pieces = of.chunks(PIECE).zip(copy.spare_capacity_mut().chunks_mut(PIECE));
                        let pieces: Vec<_> = pieces.map(Mutex::new).collect();
                        run(pieces.len(), &|n| {
                            let (from, to) = &mut *lock(&pieces[n]);
                            for (to, from) in to.iter_mut().zip(*from) {
                                to.write(*from);
                            }
                        });
                        // SAFETY: so many elements have just been written, each by its piece.
                        unsafe { copy.set_len(of.len()) };
                        copy.resize(len, $t::default());
                        Ok(Kept::$name(copy))
                    })*
                }
            }

            /// None of their type.
            pub(crate) fn none(&self) -> Values<'static> {
                match self { $(Values::$name(_) => Values::$name(&mut []),)* }
            }
        }

        impl Kept {
            /// To read or write.
            pub(crate) fn values(&mut self) -> Values<'_> {
                match self { $(Kept::$name(of) => Values::$name(of),)* }
            }

            /// Copies some of them to as many others of the same type.
            pub(crate) fn copy_to(&self, range: std::ops::Range<usize>, into: Values<'_>) {
                match (self, into) {
                    $((Kept::$name(of), Values::$name(into)) => into.copy_from_slice(&of[range]),)*
                    (_, into) => panic!("numbers of another type than {into:?}"),
                }
            }
        }
    };
}
for_each_number!(values);

/// Calls something for each number below one, by as many threads as are worth it, before it returns.
pub(crate) type Run = fn(usize, &(dyn Fn(usize) + Sync));

/// Numbers of a piece, which one thread has of many.
pub(crate) const PIECE: usize = 1 << 17;

fn no_memory(bytes: usize) -> Error {
    Error::OutOfMemory {
        asked: bytes as u64,
        free: 0,
        device: "the host".to_owned(),
    }
}

impl Values<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        with_numbers!(self, of => of.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of one.
    pub fn width(&self) -> usize {
        fn of<T>(_: &[T]) -> usize {
            size_of::<T>()
        }
        with_numbers!(self, values => of(values))
    }

    /// Whether two have one type and one length.
    pub fn is_like(&self, other: &Values<'_>) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self.len() == other.len()
    }

    /// Where they begin in memory.
    pub(crate) fn address(&self) -> usize {
        with_numbers!(self, of => of.as_ptr() as usize)
    }

    /// The same, to write there.
    pub(crate) fn address_mut(&mut self) -> *mut u8 {
        with_numbers!(self, of => of.as_mut_ptr().cast())
    }

    /// Takes over numbers of the same type, as many.
    ///
    /// # Panics
    ///
    /// If type or number differ.
    pub fn copy_from(&mut self, other: Values<'_>) {
        let done = with_numbers!(self.reborrow(), other, (of, with) => of.copy_from_slice(with));
        done.expect("numbers of one type");
    }

    /// A fingerprint of their type, number and bits; all NaNs are one, since nobody promises which one comes out of a sum.
    pub(crate) fn fingerprint(&self, run: Run) -> u64 {
        let seed = (self.len() as u64) << 8 | self.width() as u64;
        let kind = self
            .type_name()
            .bytes()
            .fold(seed, |h, b| mix(h, u64::from(b)));
        with_numbers!(self, of => fingerprint_of_many(of, kind, run))
    }
}

/// Without the numbers, of which there may be many.
impl fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Values<{}>({})", self.type_name(), self.len())
    }
}

/// The bits of a number, for fingerprints.
trait Bits: Copy {
    /// Wide numbers are folded, and all NaNs are one.
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($($t:ident)* => |$of:ident| $bits:expr;)*) => {$($(
        impl Bits for $t {
            #[inline(always)]
            fn bits(self) -> u64 {
                let $of = self;
                $bits
            }
        }
    )*)*};
}
bits! {
    bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize => |n| n as u64;
    // One after the other: which half is which counts.
    u128 i128 => |n| mix(mix(0, n as u64), (n >> 64) as u64);
    f32 => |n| if n.is_nan() { u64::MAX } else { u64::from(n.to_bits()) };
    f64 => |n| if n.is_nan() { u64::MAX } else { n.to_bits() };
}

/// The fingerprints of pieces, one after the other; of one piece its own.
fn fingerprint_of_many<B: Bits + Sync>(of: &[B], seed: u64, run: Run) -> u64 {
    if of.len() <= PIECE {
        return fingerprint(of, seed);
    }
    let pieces: Vec<_> = of
        .chunks(PIECE)
        .map(|piece| (piece, AtomicU64::new(0)))
        .collect();
    run(pieces.len(), &|n| {
        let (piece, print) = &pieces[n];
        print.store(fingerprint(piece, seed), Ordering::Relaxed);
    });
    let each = pieces.into_iter().map(|(_, print)| print.into_inner());
    each.fold(seed, mix)
}

/// Four at a time, so that one multiplication does not wait for the last.
fn fingerprint<B: Bits>(of: &[B], seed: u64) -> u64 {
    let mut lanes = [seed, !seed, seed.rotate_left(16), seed.rotate_left(32)];
    let (fours, rest) = of.as_chunks::<4>();
    for four in fours {
        for (lane, number) in lanes.iter_mut().zip(four) {
            *lane = mix(*lane, number.bits());
        }
    }
    for number in rest {
        lanes[0] = mix(lanes[0], number.bits());
    }
    lanes.into_iter().fold(seed, mix)
}

fn mix(hash: u64, bits: u64) -> u64 {
    (hash ^ bits)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(count: usize, step: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(step);
    }

    fn backwards(count: usize, step: &(dyn Fn(usize) + Sync)) {
        (0..count).rev().for_each(step);
    }

    /// Whatever thread has which piece, and whatever rank has how many.
    #[test]
    fn many_are_copied_and_printed_in_pieces() {
        for len in [PIECE - 1, PIECE, PIECE + 1, 5 * PIECE / 2] {
            let mut numbers: Vec<u16> = (0..len).map(|n| ((n * n) >> 3) as u16).collect();
            let before = Values::U16(&mut numbers).fingerprint(alone);
            let mut copy = Values::U16(&mut numbers)
                .copied(len + 3, backwards)
                .unwrap();
            let mut back = vec![7; len + 3];
            copy.copy_to(0..len + 3, Values::U16(&mut back));
            assert!(back[..len] == numbers && back[len..] == [0, 0, 0]);
            assert_eq!(copy.values().range(0..len).fingerprint(backwards), before);
            for at in [0, len / 2, len - 1] {
                let mut other = numbers.clone();
                other[at] ^= 1;
                assert_ne!(Values::U16(&mut other).fingerprint(alone), before);
            }
            let few = Values::U16(&mut numbers).copied(5, alone).unwrap();
            few.copy_to(0..5, Values::U16(&mut back[..5]));
            assert_eq!(back[..5], numbers[..5]);
        }
    }

    #[test]
    fn a_fingerprint_tells_bits_types_and_lengths_apart() {
        let of = |values: Values<'_>| values.fingerprint(alone);
        let mut all = vec![
            of(Values::U32(&mut [0; 8])),
            of(Values::U32(&mut [0; 9])),
            of(Values::I32(&mut [0; 8])),
            of(Values::U64(&mut [0; 8])),
            of(Values::F32(&mut [0.0; 8])),
            of(Values::F32(&mut [-0.0; 8])),
            of(Values::U128(&mut [1 << 64; 8])),
            of(Values::U128(&mut [1; 8])),
        ];
        for at in 0..9 {
            let mut numbers = [0u32; 9];
            numbers[at] = 1;
            all.push(of(Values::U32(&mut numbers)));
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        let other = f64::from_bits(f64::NAN.to_bits() ^ 1);
        assert!(other.is_nan());
        assert_eq!(
            of(Values::F64(&mut [f64::NAN, 1.0])),
            of(Values::F64(&mut [other, 1.0]))
        );
    }

    #[test]
    fn a_copy_may_be_longer() {
        let mut numbers = [1u8, 2, 3];
        let mut copy = Values::U8(&mut numbers).copied(5, alone).unwrap();
        assert_eq!(copy.values().len(), 5);
        let mut back = [9u8; 3];
        Values::U8(&mut back).copy_from(copy.values().range(1..4));
        assert_eq!(back, [2, 3, 0]);
        let error = Values::U64(&mut [])
            .copied(usize::MAX / 8, alone)
            .unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    }
}
