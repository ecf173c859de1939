//! Bin types, the types in which their copies accumulate, and the operators: what a copy starts from, how two copies
//! become one, how the last one goes into the bins. The table in `ops/` says the same for the emitter.

/// The type of a bin. Narrow ones accumulate in 32 bits, where the hardware has atomics.
pub trait Bin: Copy {
    /// What copies are made of.
    type Accumulator: Accumulator;
    /// The same value.
    fn widen(self) -> Self::Accumulator;
    /// The low bits.
    fn narrow(value: Self::Accumulator) -> Self;
    /// The nearest value.
    fn clamp(value: Self::Accumulator) -> Self;
}

macro_rules! bins {
    ($($bin:ident in $accumulator:ident)*) => {$(
        impl Bin for $bin {
            type Accumulator = $accumulator;
            #[inline(always)]
            fn widen(self) -> $accumulator {
                self as $accumulator
            }
            #[inline(always)]
            fn narrow(value: $accumulator) -> $bin {
                value as $bin
            }
            #[inline(always)]
            fn clamp(value: $accumulator) -> $bin {
                value.clamp($bin::MIN as $accumulator, $bin::MAX as $accumulator) as $bin
            }
        }
    )*};
}
bins! { u8 in u32 u16 in u32 u32 in u32 u64 in u64 i8 in i32 i16 in i32 i32 in i32 i64 in i64 f32 in f32 f64 in f64 }

/// What copies of the bins are made of.
pub trait Accumulator: Copy {
    /// Added to anything, changes nothing.
    const ADDS_NOTHING: Self;
    /// Subtracted from anything, changes nothing.
    const SUBTRACTS_NOTHING: Self;
    /// One.
    const ONE: Self;
    /// No smaller than anything.
    const ABOVE_ALL: Self;
    /// No larger than anything.
    const BELOW_ALL: Self;
    /// Wrapping.
    fn add(self, other: Self) -> Self;
    /// Wrapping.
    fn sub(self, other: Self) -> Self;
    /// Wrapping.
    fn mul(self, other: Self) -> Self;
    /// As Rust's method: a NaN gives way.
    fn min(self, other: Self) -> Self;
    /// As Rust's method: a NaN gives way.
    fn max(self, other: Self) -> Self;
    /// The bits, in the low bits.
    fn to_word(self) -> u64;
    /// From the low bits.
    fn from_word(word: u64) -> Self;
    /// Whether the bits are the same; all NaN are.
    fn is(self, other: Self) -> bool;
}

/// An accumulator with bits of its own.
pub trait Integer: Accumulator {
    /// All bits set.
    const ONES: Self;
    /// `&`.
    fn and(self, other: Self) -> Self;
    /// `|`.
    fn or(self, other: Self) -> Self;
    /// `^`.
    fn xor(self, other: Self) -> Self;
    /// The largest value instead of a larger sum.
    fn saturating_add(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($t:ident as $unsigned:ident)*) => {$(
        impl Accumulator for $t {
            const ADDS_NOTHING: $t = 0;
            const SUBTRACTS_NOTHING: $t = 0;
            const ONE: $t = 1;
            const ABOVE_ALL: $t = $t::MAX;
            const BELOW_ALL: $t = $t::MIN;
            #[inline(always)]
            fn add(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: $t) -> $t {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: $t) -> $t {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn min(self, other: $t) -> $t {
                Ord::min(self, other)
            }
            #[inline(always)]
            fn max(self, other: $t) -> $t {
                Ord::max(self, other)
            }
            #[inline(always)]
            fn to_word(self) -> u64 {
                u64::from(self as $unsigned)
            }
            #[inline(always)]
            fn from_word(word: u64) -> $t {
                word as $t
            }
            #[inline(always)]
            fn is(self, other: $t) -> bool {
                self == other
            }
        }
        impl Integer for $t {
            const ONES: $t = !0;
            #[inline(always)]
            fn and(self, other: $t) -> $t {
                self & other
            }
            #[inline(always)]
            fn or(self, other: $t) -> $t {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: $t) -> $t {
                self ^ other
            }
            #[inline(always)]
            fn saturating_add(self, other: $t) -> $t {
                <$t>::saturating_add(self, other)
            }
        }
    )*};
}
integers! { u32 as u32 u64 as u64 i32 as u32 i64 as u64 }

macro_rules! floats {
    ($($t:ident as $bits:ident, $nan:literal;)*) => {$(
        impl Accumulator for $t {
            // x + -0.0 is x for every x, while -0.0 + 0.0 is 0.0.
            const ADDS_NOTHING: $t = -0.0;
            const SUBTRACTS_NOTHING: $t = 0.0;
            const ONE: $t = 1.0;
            // The NaN that the hardware makes; both operators ignore it.
            const ABOVE_ALL: $t = $t::from_bits($nan);
            const BELOW_ALL: $t = $t::from_bits($nan);
            #[inline(always)]
            fn add(self, other: $t) -> $t {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: $t) -> $t {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: $t) -> $t {
                self * other
            }
            #[inline(always)]
            fn min(self, other: $t) -> $t {
                <$t>::min(self, other)
            }
            #[inline(always)]
            fn max(self, other: $t) -> $t {
                <$t>::max(self, other)
            }
            #[inline(always)]
            fn to_word(self) -> u64 {
                u64::from(self.to_bits())
            }
            #[inline(always)]
            fn from_word(word: u64) -> $t {
                $t::from_bits(word as $bits)
            }
            #[inline(always)]
            fn is(self, other: $t) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )*};
}
floats! { f32 as u32, 0x7fff_ffff; f64 as u64, 0x7fff_ffff_ffff_ffff; }

/// An operator on bins of type `B`, associative and commutative.
pub trait Op<B: Bin> {
    /// Changes nothing.
    const NEUTRAL: B::Accumulator;
    /// Two copies as one.
    fn combine(a: B::Accumulator, b: B::Accumulator) -> B::Accumulator;
    /// The bin after everything that `total`, which is not neutral, stands for.
    #[inline(always)]
    fn apply(bin: B, total: B::Accumulator) -> B {
        B::narrow(Self::combine(bin.widen(), total))
    }
}

macro_rules! ops {
    ($($(#[$doc:meta])* $op:ident over $kind:ident: $neutral:ident, $combine:ident $(, apply $apply:expr)?;)*) => {$(
        $(#[$doc])*
        pub struct $op;
        impl<B: Bin<Accumulator: $kind>> Op<B> for $op {
            const NEUTRAL: B::Accumulator = B::Accumulator::$neutral;
            #[inline(always)]
            fn combine(a: B::Accumulator, b: B::Accumulator) -> B::Accumulator {
                a.$combine(b)
            }
            $(#[inline(always)]
            fn apply(bin: B, total: B::Accumulator) -> B {
                let apply: fn(B, B::Accumulator) -> B = $apply;
                apply(bin, total)
            })?
        }
    )*};
}
ops! {
    /// `h += v`, wrapping.
    Add over Accumulator: ADDS_NOTHING, add;
    /// `h -= v`, wrapping: copies add, the bins lose the total.
    Sub over Accumulator: SUBTRACTS_NOTHING, add, apply |bin, total| B::narrow(bin.widen().sub(total));
    /// `h *= v`, wrapping.
    Mul over Accumulator: ONE, mul;
    /// `h = h.min(v)`.
    Min over Accumulator: ABOVE_ALL, min;
    /// `h = h.max(v)`.
    Max over Accumulator: BELOW_ALL, max;
    /// `h &= v`.
    And over Integer: ONES, and;
    /// `h |= v`.
    Or over Integer: ADDS_NOTHING, or;
    /// `h ^= v`.
    Xor over Integer: ADDS_NOTHING, xor;
    /// `h = h.saturating_add(v)`, unsigned: a sum of 32 bits is cut down to the bin's range at the end.
    SaturatingAdd over Integer: ADDS_NOTHING, saturating_add, apply |bin, total| B::clamp(bin.widen().saturating_add(total));
}
