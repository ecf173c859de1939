//! Scalars that a loop carries along by more than one operator: `s = a * s + b`, `s = if new { x } else { s }`, `s = if new { 0 } else { s + x }`.
//!
//! What a part of the loop does to such a scalar is a *map* from what it holds before the part to what it holds behind it, and maps of one kind compose.
//! A pass over a part computes its map by running the updates on what the scalar holds as a *symbol*: a map itself, which begins as
//! the identity. There are three kinds:
//!
//! - [`Latest`]: what was assigned last, if anything was;
//! - [`Since`]: what was combined by an operator since something was assigned last, and that;
//! - [`Sum`]: a sum of what several scalars held before, each times a factor, and a rest, over a [`Ring`]. Scalars that depend on each other are one
//!   recurrence (`y2 = y1; y1 = b * x + a1 * y1 + a2 * y2;`).
//!
//! Integers wrap around, by which no bit differs. Where the user's crate checks overflow, the loop itself says so when it comes to it.

use std::marker::PhantomData;

use super::op::{Operator, SumProduct, TwoSigns, Value, XorAnd};
use super::scan::Carried;
use super::symbol::symbol;
use crate::base::bin::{Arithmetic, Bits, Slot};

/// What may be carried along as a whole.
#[diagnostic::on_unimplemented(
    message = "[accrue::H026] `{Self}` is carried from iteration to iteration, and cannot be copied to where parts of the loop begin",
    label = "this is not `Copy`",
    note = "carry an index, and look the rest up by it"
)]
pub trait Whole: Copy + Send + Sync {}

impl<T: Copy + Send + Sync> Whole for T {}

/// What was assigned last, if anything was.
#[derive(Clone, Copy, Debug)]
pub struct Latest<B>(Option<B>);

impl<B: Whole> Latest<B> {
    /// The symbol, for an update.
    #[inline(always)]
    pub fn itself(&mut self) -> &mut Self {
        self
    }

    /// What the scalar holds.
    #[inline(always)]
    pub fn held(&self) -> Self {
        *self
    }

    /// A value.
    #[inline(always)]
    pub fn constant(&self, value: B) -> Self {
        Latest(Some(value))
    }

    /// What the scalar holds from here on.
    #[inline(always)]
    pub fn set(&mut self, to: Self) {
        *self = to;
    }

    /// An assignment before the part begins, which is none of its own.
    #[inline(always)]
    pub fn skip(&mut self, (): ()) {}
}

/// A scalar to which values are assigned.
#[derive(Debug)]
pub struct Assigned<'a, B>(&'a mut B);

/// A scalar to which values are assigned.
pub fn latest<B: Whole>(place: &mut B) -> Assigned<'_, B> {
    Assigned(place)
}

impl<B: Whole> Carried for Assigned<'_, B> {
    type Values = B;
    type Totals = Latest<B>;
    const ROUNDS: bool = false;
    const WIDE: bool = true;
    const SURE: bool = true;

    fn begin(&self) -> B {
        *self.0
    }
    fn splits(&self) -> bool {
        true
    }
    fn fresh(&self) -> Latest<B> {
        Latest(None)
    }
    fn after(&self, before: B, map: &Latest<B>) -> Option<B> {
        Some(map.0.unwrap_or(before))
    }
    fn grows(&self, _: B, _: B) -> bool {
        true
    }
    fn end(&mut self, value: B) {
        *self.0 = value;
    }
}

/// What was combined since something was assigned last, and that.
#[derive(Debug)]
pub struct Since<B, O> {
    base: Option<B>,
    combined: B,
    op: PhantomData<O>,
}

impl<B: Copy, O> Clone for Since<B, O> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Copy, O> Copy for Since<B, O> {}

impl<B: Slot, O: Operator<B>> Since<B, O> {
    symbol!(shifted is shifted_with);

    /// A value whose type is the scalar's.
    #[inline(always)]
    pub fn constant_with(&self, value: B) -> Self {
        Since {
            base: Some(value),
            combined: O::NEUTRAL,
            op: PhantomData,
        }
    }

    /// A value of the scalar's type is combined with it.
    #[inline(always)]
    pub fn shifted_with(self, term: B) -> Self {
        Since {
            combined: O::accumulate::<false>(self.combined, term).0,
            ..self
        }
    }

    fn after(&self, before: B) -> B {
        O::merge::<false>(self.base.unwrap_or(before), self.combined).0
    }
}

impl<B: Slot, O: TwoSigns<B>> Since<B, O> {
    /// A value is subtracted, where others are added.
    #[inline(always)]
    pub fn less(self, term: impl Value<B>) -> Self {
        self.less_with(term.value())
    }

    /// A value of the scalar's type is subtracted, where others are added.
    #[inline(always)]
    pub fn less_with(self, term: B) -> Self {
        self.shifted_with(O::opposite(term))
    }
}

/// A scalar that is combined into, and begun anew.
#[derive(Debug)]
pub struct Restarting<'a, B, O, const CHECKED: bool>(&'a mut B, PhantomData<O>);

/// A scalar that is combined into by an operator, and begun anew; `CHECKED` says whether overflow counts.
pub fn restarting<const CHECKED: bool, B: Slot, O: Operator<B>>(
    place: &mut B,
    _: O,
) -> Restarting<'_, B, O, CHECKED> {
    Restarting(place, PhantomData)
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Carried for Restarting<'_, B, O, CHECKED> {
    type Values = B;
    type Totals = Since<B, O>;
    const ROUNDS: bool = O::ROUNDS;
    const WIDE: bool = true;
    const SURE: bool = !CHECKED;

    fn begin(&self) -> B {
        *self.0
    }
    fn splits(&self) -> bool {
        true
    }
    fn fresh(&self) -> Since<B, O> {
        Since {
            base: None,
            combined: O::NEUTRAL,
            op: PhantomData,
        }
    }
    fn after(&self, before: B, map: &Since<B, O>) -> Option<B> {
        Some(map.after(before))
    }
    fn grows(&self, _: B, _: B) -> bool {
        true
    }
    fn end(&mut self, value: B) {
        *self.0 = value;
    }
}

/// Two operators, of which one distributes over the other.
pub trait Ring<B>: Copy + Send + Sync + 'static {
    /// What changes nothing when added.
    const ZERO: B;
    /// What changes nothing when multiplied.
    const ONE: B;
    /// Whether last bits depend on the order.
    const ROUNDS: bool;
    /// The sum.
    fn sum(a: B, b: B) -> B;
    /// What is added where this is subtracted.
    fn opposite(a: B) -> B;
    /// The product.
    fn product(a: B, b: B) -> B;
}

impl<B: Arithmetic> Ring<B> for SumProduct {
    const ZERO: B = B::ZERO;
    const ONE: B = B::ONE;
    const ROUNDS: bool = B::FLOAT;
    #[inline(always)]
    fn sum(a: B, b: B) -> B {
        a.sum(b).0
    }
    #[inline(always)]
    fn opposite(a: B) -> B {
        a.opposite()
    }
    #[inline(always)]
    fn product(a: B, b: B) -> B {
        a.product(b).0
    }
}

/// `(s & m) ^ b`.
impl<B: Bits> Ring<B> for XorAnd {
    const ZERO: B = B::NONE;
    const ONE: B = B::ALL;
    const ROUNDS: bool = false;
    #[inline(always)]
    fn sum(a: B, b: B) -> B {
        a.xor(b)
    }
    #[inline(always)]
    fn opposite(a: B) -> B {
        a
    }
    #[inline(always)]
    fn product(a: B, b: B) -> B {
        a.and(b)
    }
}

/// A sum of what `K` scalars held before, each times a factor, and a rest.
#[derive(Debug)]
pub struct Sum<B, R, const K: usize> {
    factors: [B; K],
    /// Which scalars it depends on at all: where a scalar was assigned anew, what it held before does not count, NaN and infinity not either, which zero times them
    /// would be. Of numbers that do not round a factor of zero is the same.
    depends: [bool; K],
    rest: B,
    ring: PhantomData<R>,
}

impl<B: Copy, R, const K: usize> Clone for Sum<B, R, K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Copy, R, const K: usize> Copy for Sum<B, R, K> {}

impl<B: Slot, R: Ring<B>, const K: usize> Sum<B, R, K> {
    fn of(scalar: Option<usize>, rest: B) -> Self {
        Sum {
            factors: std::array::from_fn(|k| match Some(k) == scalar {
                true => R::ONE,
                false => R::ZERO,
            }),
            depends: std::array::from_fn(|k| Some(k) == scalar),
            rest,
            ring: PhantomData,
        }
    }

    symbol!(shifted is shifted_with, less is less_with, scaled is scaled_with);

    /// A value whose type is the scalar's.
    #[inline(always)]
    pub fn constant_with(&self, value: B) -> Self {
        Sum::of(None, value)
    }

    /// The sum with a value of the scalar's type.
    #[inline(always)]
    pub fn shifted_with(self, term: B) -> Self {
        Sum {
            rest: R::sum(self.rest, term),
            ..self
        }
    }

    /// The difference from a value of the scalar's type.
    #[inline(always)]
    pub fn less_with(self, term: B) -> Self {
        self.shifted_with(R::opposite(term))
    }

    /// The product with a value of the scalar's type.
    #[inline(always)]
    pub fn scaled_with(self, by: B) -> Self {
        Sum {
            factors: self.factors.map(|factor| R::product(factor, by)),
            rest: R::product(self.rest, by),
            ..self
        }
    }

    /// The sum of two.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        let factor = |k: usize| match R::ROUNDS {
            true if !self.depends[k] => other.factors[k],
            true if !other.depends[k] => self.factors[k],
            _ => R::sum(self.factors[k], other.factors[k]),
        };
        Sum {
            factors: std::array::from_fn(factor),
            depends: std::array::from_fn(|k| self.depends[k] | other.depends[k]),
            rest: R::sum(self.rest, other.rest),
            ..self
        }
    }

    /// The difference of two.
    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        self.plus(other.opposite())
    }

    /// What is added where this is subtracted.
    #[inline(always)]
    pub fn opposite(self) -> Self {
        Sum {
            factors: self.factors.map(R::opposite),
            rest: R::opposite(self.rest),
            ..self
        }
    }

    /// One added: of bits, each the other way round.
    #[inline(always)]
    pub fn flipped(self) -> Self {
        self.shifted_with(R::ONE)
    }

    fn after(&self, before: [B; K]) -> B {
        let terms = (0..K).filter(|&k| self.depends[k] || !R::ROUNDS);
        terms.fold(self.rest, |sum, k| {
            R::sum(sum, R::product(self.factors[k], before[k]))
        })
    }
}

/// Scalars that depend on each other linearly.
#[derive(Debug)]
pub struct Recurrence<'a, B, R, const K: usize, const CHECKED: bool>(
    [&'a mut B; K],
    PhantomData<R>,
);

/// Scalars that depend on each other linearly, over a ring; `CHECKED` says whether overflow counts.
pub fn recurrence<const CHECKED: bool, B: Slot, R: Ring<B>, const K: usize>(
    places: [&mut B; K],
    _: R,
) -> Recurrence<'_, B, R, K, CHECKED> {
    Recurrence(places, PhantomData)
}

impl<B: Slot, R: Ring<B>, const K: usize, const CHECKED: bool> Carried
    for Recurrence<'_, B, R, K, CHECKED>
{
    type Values = [B; K];
    type Totals = [Sum<B, R, K>; K];
    const ROUNDS: bool = R::ROUNDS;
    const WIDE: bool = true;
    const SURE: bool = !CHECKED;

    fn begin(&self) -> [B; K] {
        self.0.each_ref().map(|place| **place)
    }
    fn splits(&self) -> bool {
        true
    }
    fn fresh(&self) -> Self::Totals {
        std::array::from_fn(|k| Sum::of(Some(k), R::ZERO))
    }
    fn after(&self, before: [B; K], maps: &Self::Totals) -> Option<[B; K]> {
        Some(maps.each_ref().map(|map| map.after(before)))
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
    use crate::cpu::each::Each;
    use crate::cpu::op::{Add, AddSub, Max};
    use crate::cpu::own::Own;
    use crate::cpu::request::with_strategy;
    use crate::cpu::site::Site;

    static SITE: Site = Site::new("test", "");

    const ITEMS: usize = if cfg!(miri) { 60 } else { 2000 };

    const WAYS: [&str; 5] = [
        "sequential",
        "private:workers=1,parts=7",
        "private:workers=3,parts=7",
        "private:workers=4,parts=1000",
        "private:workers=3",
    ];

    fn data() -> Vec<u32> {
        let numbers = 0..ITEMS as u32;
        numbers
            .map(|i| i.wrapping_mul(2_654_435_761) >> 7)
            .collect()
    }

    /// What was NaN or infinite before an assignment leaves nothing behind.
    #[test]
    fn an_assignment_ends_nan() {
        let sum = |x: f64| Sum::<f64, SumProduct, 2>::of(None, x);
        let [a, b] = [0, 1].map(|k| Sum::<f64, SumProduct, 2>::of(Some(k), 0.0));
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY] {
            assert_eq!(sum(5.0).after([bad, bad]), 5.0);
            assert_eq!(
                sum(5.0).scaled_with(bad).after([1.0, 1.0]).to_bits(),
                (5.0 * bad).to_bits()
            );
            // One of the two.
            assert_eq!(a.after([3.0, bad]), 3.0);
            let both = sum(1.0).scaled_with(f64::INFINITY).plus(a.scaled_with(2.0));
            assert_eq!(both.after([3.0, bad]), f64::INFINITY);
            let both = a
                .scaled_with(2.0)
                .minus(sum(1.0).scaled_with(f64::INFINITY));
            assert_eq!(both.after([3.0, bad]), f64::NEG_INFINITY);
            assert!(a.plus(b).after([3.0, f64::NAN]).is_nan());
        }
        assert_eq!(a.plus(b.scaled_with(4.0)).after([3.0, 2.0]), 11.0);
        // A product with zero is none.
        assert!(a.scaled_with(0.0).after([f64::NAN, 0.0]).is_nan());
    }

    #[test]
    fn scalars_that_depend_on_each_other_are_one_recurrence() {
        let x = data();
        let step = |s: &mut [u32; 3], x: u32| {
            let y = x
                .wrapping_mul(5)
                .wrapping_add(s[0].wrapping_mul(3))
                .wrapping_sub(s[1]);
            *s = [y, s[0], s[2].wrapping_mul(x | 1).wrapping_add(s[1])];
        };
        let mut state = [1, 2, 3];
        let expected: Vec<[u32; 3]> = x
            .iter()
            .map(|x| {
                step(&mut state, *x);
                state
            })
            .collect();
        for way in WAYS {
            let ([mut a, mut b, mut c], mut out) = ([1u32, 2, 3], vec![[0; 3]; ITEMS]);
            with_strategy(way, || {
                let own = Own::new(&mut out);
                let carried = recurrence::<false, _, _, _>([&mut a, &mut b, &mut c], SumProduct);
                Each::new(&SITE, ITEMS).scan(
                    (),
                    (carried, ()),
                    |part, (), (state, ()), _| {
                        let mut out = own;
                        for i in part {
                            step(state, x[i]);
                            out[i] = *state;
                        }
                    },
                    |part, totals| {
                        let Some(([a, b, c], ())) = totals else {
                            return;
                        };
                        for i in part {
                            let y = a.constant_with(x[i]).scaled(5);
                            let y = y.plus(a.held().scaled(3)).minus(b.held());
                            let d = c.held().scaled(x[i] | 1).plus(b.held());
                            c.set(d);
                            b.set(a.held());
                            a.set(y);
                        }
                    },
                );
            });
            assert!(out == expected && [a, b, c] == state, "{way}");
        }
    }

    #[test]
    fn what_is_begun_anew_forgets_what_was_before() {
        let x = data();
        for way in WAYS {
            let (mut sum, mut top, mut last) = (7i64, 9u32, 'a');
            let mut out = vec![(0, 0, 'b'); ITEMS];
            with_strategy(way, || {
                let own = Own::new(&mut out);
                let carried = (
                    restarting::<false, _, _>(&mut sum, AddSub),
                    (
                        restarting::<false, _, _>(&mut top, Max),
                        (latest(&mut last), ()),
                    ),
                );
                Each::new(&SITE, ITEMS).scan(
                    (),
                    carried,
                    |part, (), (sum, (top, (last, ()))), _| {
                        let mut out = own;
                        for i in part {
                            let v = i64::from(x[i]);
                            *sum = if x[i] % 97 == 5 {
                                v
                            } else if x[i].is_multiple_of(2) {
                                *sum + v
                            } else {
                                *sum - v
                            };
                            *top = if x[i] % 301 == 3 { 0 } else { (*top).max(x[i]) };
                            *last = if x[i] % 501 == 3 { 'c' } else { *last };
                            out[i] = (*sum, *top, *last);
                        }
                    },
                    |part, totals| {
                        let Some((sum, (top, (last, ())))) = totals else {
                            return;
                        };
                        for i in part {
                            let v = i64::from(x[i]);
                            sum.set(if x[i] % 97 == 5 {
                                sum.constant(v)
                            } else if x[i].is_multiple_of(2) {
                                sum.held().shifted(v)
                            } else {
                                sum.held().less(v)
                            });
                            top.set(if x[i] % 301 == 3 {
                                top.constant(0)
                            } else {
                                top.held().shifted_with(x[i])
                            });
                            last.set(if x[i] % 501 == 3 {
                                last.constant('c')
                            } else {
                                last.held()
                            });
                        }
                    },
                );
            });
            let (mut s, mut t, mut l) = (7i64, 9u32, 'a');
            for i in 0..ITEMS {
                let v = i64::from(x[i]);
                s = if x[i] % 97 == 5 {
                    v
                } else if x[i].is_multiple_of(2) {
                    s + v
                } else {
                    s - v
                };
                t = if x[i] % 301 == 3 { 0 } else { t.max(x[i]) };
                l = if x[i] % 501 == 3 { 'c' } else { l };
                assert_eq!(out[i], (s, t, l), "{way}, item {i}");
            }
            assert_eq!((sum, top, last), (s, t, l), "{way}");
        }
        let mut sum = 1u32;
        let map = restarting::<false, _, _>(&mut sum, Add)
            .fresh()
            .shifted(3)
            .shifted(4);
        assert_eq!(
            restarting::<false, _, _>(&mut sum, Add).after(1, &map),
            Some(8)
        );
    }

    #[test]
    fn bits_are_a_ring() {
        let (mut a, b) = (0b1100u8, 0b1010);
        let carried = recurrence::<false, _, _, _>([&mut a], XorAnd);
        let [map] = carried.fresh();
        let map = map.scaled(0b0110u8).shifted(0b0011u8).plus(map.constant(b));
        assert_eq!(
            carried.after([0b1100], &[map]),
            Some([(0b0100 ^ 0b0011) ^ b])
        );
    }
}
