//! Integers that a loop carries along by sums and products modulo a number: `h = (h * b + c) % m`.
//!
//! What a part of the loop does to such numbers is a sum of what they held before, each times a factor, and a rest, modulo `m`; and these maps compose. They
//! say what the loop computes only while nothing overflows, nothing is negative, and there is one `m` that is not 0. So the map of a part is kept together
//! with how far the loop's own numbers may go on the way, whatever below `m` they begin with: behind a remainder a number is in `0 .. m`. Where they
//! may leave their type, or are not in `0 .. m` in the end, only the loop itself can tell what comes of it.
//!
//! Factors and rests stay in the loop's own type: they are made by the same steps as its number, and so are in the same bounds.

use std::array::from_fn;
use std::ops::Rem;

use super::guard::Number;
use super::limited::Integer;
use super::scan::Carried;
use super::symbol::symbol;
use crate::base::bin::Arithmetic;

/// An integer with remainders.
pub trait Modular: Integer + Arithmetic + PartialOrd + Rem<Output = Self> {}

impl<B: Integer + Arithmetic + PartialOrd + Rem<Output = B>> Modular for B {}

/// What a part does to a number, as a symbol in its updates: a sum of what `K` numbers held before.
#[derive(Clone, Copy, Debug)]
pub struct Residue<B, const K: usize> {
    factors: [B; K],
    rest: B,
    /// By what the sum is a remainder; the sum itself where there is none yet.
    modulus: Option<B>,
    /// The number is `low` or more.
    low: B,
    /// It is no more than what the `K` numbers held before, each times its weight, and `high`.
    weights: [B; K],
    high: B,
    /// Up to where numbers before the part may be for which none on the way leaves its type.
    most: i128,
    /// Whether only the loop itself can tell.
    unknown: bool,
}

/// Beyond all that numbers are compared with, where it is not known what a number is.
const FAR: i128 = i128::MAX;

impl<B: Modular, const K: usize> Residue<B, K> {
    fn of(scalar: Option<usize>, rest: B) -> Self {
        let factors = from_fn(|k| match Some(k) == scalar {
            true => B::ONE,
            false => B::ZERO,
        });
        Residue {
            factors,
            rest,
            modulus: None,
            low: rest,
            weights: factors,
            high: rest,
            most: FAR,
            unknown: rest < B::ZERO,
        }
    }

    symbol!(shifted is shifted_with, less is less_with, scaled is scaled_with, modulo is modulo_with);

    /// A value whose type is the number's.
    #[inline(always)]
    pub fn constant_with(&self, value: B) -> Self {
        Self::of(None, value)
    }

    /// The sum with a value of the number's type.
    #[inline(always)]
    pub fn shifted_with(self, term: B) -> Self {
        self.moved(|a| a.sum(term))
    }

    /// The difference from a value of the number's type.
    #[inline(always)]
    pub fn less_with(self, term: B) -> Self {
        self.moved(|a| a.difference(term))
    }

    #[inline(always)]
    fn moved(self, by: impl Fn(B) -> (B, bool)) -> Self {
        let [rest, low, high] = [self.rest, self.low, self.high].map(by);
        Residue {
            rest: rest.0,
            low: low.0,
            high: high.0,
            unknown: self.unknown | rest.1 | low.1 | high.1,
            ..self
        }
        .seen()
    }

    /// The product with a value of the number's type.
    #[inline(always)]
    pub fn scaled_with(self, by: B) -> Self {
        let mut unknown = self.unknown | (by < B::ZERO);
        let mut times = |a: B| {
            let (product, over) = a.product(by);
            unknown |= over;
            product
        };
        let (factors, weights) = (self.factors.map(&mut times), self.weights.map(&mut times));
        let [rest, low, high] = [self.rest, self.low, self.high].map(times);
        Residue {
            factors,
            rest,
            low,
            weights,
            high,
            unknown,
            ..self
        }
        .seen()
    }

    /// The sum of two.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        let mut unknown = self.unknown | other.unknown;
        let mut sum = |a: B, b: B| {
            let (sum, over) = a.sum(b);
            unknown |= over;
            sum
        };
        let factors = from_fn(|k| sum(self.factors[k], other.factors[k]));
        let weights = from_fn(|k| sum(self.weights[k], other.weights[k]));
        let (rest, low) = (sum(self.rest, other.rest), sum(self.low, other.low));
        let high = sum(self.high, other.high);
        let differ = matches!((self.modulus, other.modulus), (Some(a), Some(b)) if a != b);
        Residue {
            factors,
            rest,
            modulus: self.modulus.or(other.modulus),
            low,
            weights,
            high,
            most: self.most.min(other.most),
            unknown: unknown | differ,
        }
        .seen()
    }

    /// The remainder by a value of the number's type.
    #[inline(always)]
    pub fn modulo_with(self, by: B) -> Self {
        let same = self.modulus.is_none_or(|before| before == by);
        if by <= B::ZERO || self.low < B::ZERO || !same {
            return Residue {
                unknown: true,
                ..self
            };
        }
        Residue {
            factors: self.factors.map(|factor| below(factor, by)),
            rest: below(self.rest, by),
            modulus: Some(by),
            low: B::ZERO,
            weights: [B::ZERO; K],
            high: by.difference(B::ONE).0,
            ..self
        }
    }

    /// The number in another type.
    #[inline(always)]
    pub fn cast<T: Modular>(self) -> Residue<T, K> {
        let mut unknown = self.unknown;
        let mut cast = |a: B| {
            let number = a.number();
            let to = T::try_from(number).ok().filter(|_| number != FAR);
            unknown |= to.is_none();
            to.unwrap_or(T::ZERO)
        };
        let (factors, weights) = (self.factors.map(&mut cast), self.weights.map(&mut cast));
        let [rest, low, high] = [self.rest, self.low, self.high].map(&mut cast);
        let modulus = self.modulus.map(cast);
        Residue {
            factors,
            rest,
            modulus,
            low,
            weights,
            high,
            most: self.most,
            unknown,
        }
        .seen()
    }

    /// Before the first remainder how far a number goes depends on where the part begins.
    #[inline(always)]
    fn seen(self) -> Self {
        match self.weights == [B::ZERO; K] {
            true => self,
            false => self.seen_before(),
        }
    }

    #[cold]
    fn seen_before(mut self) -> Self {
        let weights = self.weights.iter().map(B::number);
        let all = weights.fold(0, i128::saturating_add).max(1);
        let room = Number::greatest(&self.high).saturating_sub(self.high.number());
        self.most = self.most.min(room / all);
        self
    }

    fn after(&self, before: [B; K]) -> Option<B> {
        let within = before.iter().all(|number| {
            let number = number.number();
            (0..=self.most).contains(&number)
        });
        if self.unknown || !within {
            return None;
        }
        // One remainder for a part, in the widest type that all fit.
        let exact = |number: &B| Some(number.number()).filter(|number| *number < FAR >> 1);
        let [rest, low, high] = [self.rest, self.low, self.high].each_ref().map(exact);
        let modulus = match &self.modulus {
            Some(by) => Some(exact(by)?),
            None => None,
        };
        let reduced = |number: i128| match modulus {
            Some(by) => number % by,
            None => number,
        };
        let mut sum = reduced(rest?);
        for (factor, before) in self.factors.iter().zip(&before) {
            let product = reduced(exact(factor)?).checked_mul(reduced(exact(before)?))?;
            sum = reduced(sum.checked_add(reduced(product))?);
        }
        let value = match modulus {
            None => sum,
            // The one number within the bounds that has this remainder.
            Some(by) => {
                let (low, far) = (low?, high?.checked_sub(low?)?);
                let bounded = self.weights == [B::ZERO; K] && (0..by).contains(&far);
                low + bounded.then(|| (sum - low % by + by) % by)?
            }
        };
        B::try_from(value).ok()
    }
}

/// The remainder of a number that is not negative.
#[inline(always)]
fn below<B: Modular>(number: B, by: B) -> B {
    match number < by {
        true => number,
        false => number % by,
    }
}

/// Numbers that are carried along modulo a number.
#[derive(Debug)]
pub struct Residues<'a, B, const K: usize>([&'a mut B; K]);

/// Numbers that are carried along by sums and products modulo a number.
pub fn residues<B: Modular, const K: usize>(places: [&mut B; K]) -> Residues<'_, B, K> {
    Residues(places)
}

impl<B: Modular, const K: usize> Carried for Residues<'_, B, K> {
    type Values = [B; K];
    type Totals = [Residue<B, K>; K];
    const ROUNDS: bool = false;
    const WIDE: bool = true;
    const SURE: bool = true;

    fn begin(&self) -> [B; K] {
        self.0.each_ref().map(|place| **place)
    }
    fn splits(&self) -> bool {
        true
    }
    fn fresh(&self) -> Self::Totals {
        from_fn(|k| Residue::of(Some(k), B::ZERO))
    }
    fn after(&self, before: [B; K], maps: &Self::Totals) -> Option<[B; K]> {
        let mut after = before;
        for (after, map) in after.iter_mut().zip(maps) {
            *after = map.after(before)?;
        }
        Some(after)
    }
    fn grows(&self, _: [B; K], _: [B; K]) -> bool {
        true
    }
    fn end(&mut self, values: [B; K]) {
        for (place, value) in self.0.iter_mut().zip(values) {
            **place = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What four steps do to a small number, beside their map.
    fn compare<B: Modular>(
        numbers: [B; 6],
        starts: &[B],
        checked: impl Fn(usize, B, B) -> Option<B>,
    ) {
        let (mut known, mut unknown) = (0, 0);
        for code in (0..24usize.pow(4)).step_by(if cfg!(miri) { 3001 } else { 1 }) {
            let steps: [usize; 4] = from_fn(|n| code / 24usize.pow(n as u32) % 24);
            for &before in starts {
                let mut now = Some(before);
                let mut map = Residue::<B, 1>::of(Some(0), B::ZERO);
                for step in steps {
                    let (kind, by) = (step / 6, numbers[step % 6]);
                    let held = map.held();
                    map.set(match kind {
                        0 => held.shifted_with(by),
                        1 => held.less_with(by),
                        2 => held.scaled_with(by),
                        _ => held.modulo_with(by),
                    });
                    now = now.and_then(|now| checked(kind, now, by));
                }
                match (map.after([before]), now) {
                    (Some(found), now) => {
                        known += 1;
                        assert_eq!(Some(found), now, "{steps:?} of {before:?}");
                    }
                    (None, None) => {}
                    (None, Some(_)) => unknown += 1,
                }
            }
        }
        // Most of the draws are negative somewhere, or have two moduli.
        assert!(
            unknown < 5 * known,
            "{unknown} could not be told, {known} could"
        );
    }

    #[test]
    fn maps_are_what_the_updates_do_or_say_that_they_cannot_tell() {
        let starts: &[u8] = if cfg!(miri) {
            &[3]
        } else {
            &[0, 3, 6, 7, 100, 255]
        };
        compare(
            [0u8, 1, 3, 7, 40, 255],
            starts,
            |kind, now, by| match kind {
                0 => now.checked_add(by),
                1 => now.checked_sub(by),
                2 => now.checked_mul(by),
                _ => now.checked_rem(by),
            },
        );
        let starts: &[i8] = if cfg!(miri) {
            &[3]
        } else {
            &[-128, -1, 0, 3, 6, 127]
        };
        compare(
            [-3i8, -1, 0, 3, 7, 127],
            starts,
            |kind, now, by| match kind {
                0 => now.checked_add(by),
                1 => now.checked_sub(by),
                2 => now.checked_mul(by),
                _ => now.checked_rem(by),
            },
        );
    }

    #[test]
    fn steps_of_a_hash_are_known_up_to_the_end_of_the_type() {
        let before = Residue::<u64, 1>::of(Some(0), 0);
        let step = |map: Residue<u64, 1>, c: u64| {
            map.scaled_with(1 << 32)
                .shifted_with(c)
                .modulo_with(1 << 32)
        };
        let end = (1u64 << 32) - 1;
        assert_eq!(step(step(before, 5), end).after([end]), Some(end));
        // Here a step of the loop may overflow, since a number before it may be so large.
        assert_eq!(step(step(before, 5), end + 1).after([end]), None);
        assert_eq!(step(before, 5).after([end + 1]), None);
    }

    #[test]
    fn products_may_need_a_wider_type_than_the_number() {
        const M: u32 = 1_000_000_007;
        let (mut now, mut map) = (M - 1, Residue::<u32, 1>::of(Some(0), 0));
        for x in [M - 1, 12_345_678, M - 2] {
            let product = map.held().cast::<u64>().scaled_with(u64::from(x));
            map.set(product.modulo_with(u64::from(M)).cast());
            now = (u64::from(now) * u64::from(x) % u64::from(M)) as u32;
        }
        assert_eq!(map.after([M - 1]), Some(now));
        assert_eq!(map.shifted_with(1).cast::<u8>().after([1]), None);
    }

    #[test]
    fn numbers_that_depend_on_each_other_have_one_modulus() {
        let (mut a, mut b) = (0u32, 1);
        let mut carried = residues([&mut a, &mut b]);
        let fibonacci = |map: &mut [Residue<u32, 2>; 2], by: u32| {
            let next = map[0].held().plus(map[1].held()).modulo_with(by);
            map[0] = map[1];
            map[1].set(next);
        };
        let mut map = carried.fresh();
        (0..40).for_each(|_| fibonacci(&mut map, 1000));
        let after = carried.after([0, 1], &map).expect("known");
        assert_eq!(after, [155, 141]);
        carried.end(after);
        fibonacci(&mut map, 999);
        assert!(residues([&mut a, &mut b]).after([0, 1], &map).is_none());
    }
}
