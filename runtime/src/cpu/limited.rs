//! Integers that a loop carries along by sums and a limit: `s = (s + x).max(0)`, `s = (s - x).min(most)`.
//!
//! What a part of the loop does to such a number is the map `max(s + shift, rest)`, and these maps compose, since maxima distribute over sums. They do
//! so only while nothing wraps around: maps are kept in 128 bits, together with how far the loop's own numbers go on the way. Where these may
//! leave their type, only the loop itself can tell what comes of it. A least number is the greatest of the opposites.

use std::marker::PhantomData;

use super::guard::Number;
use super::op::{MaxPlus, MinPlus};
use super::scan::Carried;
use super::symbol::symbol;
use crate::base::bin::Slot;

/// Whether numbers are kept from falling below a limit, or from rising above one.
pub trait Limit: Copy + Send + Sync + 'static {
    /// What numbers are multiplied with, so that the limit is a maximum.
    const SIGN: i128;
}

impl Limit for MaxPlus {
    const SIGN: i128 = 1;
}

impl Limit for MinPlus {
    const SIGN: i128 = -1;
}

/// An integer.
pub trait Integer: Slot + Number + TryFrom<i128> {}

impl<B: Slot + Number + TryFrom<i128>> Integer for B {}

/// The greater of what a number was before and something added to it, and of a number; either may be missing.
#[derive(Clone, Copy, Debug)]
struct Bent {
    shift: Option<i128>,
    rest: Option<i128>,
}

impl Bent {
    fn at(self, before: i128) -> Option<i128> {
        self.shift.map(|shift| before + shift).max(self.rest)
    }

    /// The greater of two.
    fn or(self, other: Bent) -> Bent {
        Bent {
            shift: self.shift.max(other.shift),
            rest: self.rest.max(other.rest),
        }
    }

    fn plus(self, term: i128) -> Bent {
        Bent {
            shift: self.shift.map(|shift| shift + term),
            rest: self.rest.map(|rest| rest + term),
        }
    }
}

/// What a part does to a number, as a symbol in its updates.
#[derive(Debug)]
pub struct Limited<B, L> {
    now: Bent,
    /// No number on the way is greater than this.
    highest: Bent,
    /// None is less than the lesser of these: of numbers that were not limited yet, and of others.
    lowest: (Option<i128>, Option<i128>),
    of: PhantomData<(B, L)>,
}

impl<B, L> Clone for Limited<B, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<B, L> Copy for Limited<B, L> {}

fn lesser(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

impl<B: Integer, L: Limit> Limited<B, L> {
    fn itself_alone() -> Self {
        let now = Bent {
            shift: Some(0),
            rest: None,
        };
        Limited {
            now,
            highest: now,
            lowest: (Some(0), None),
            of: PhantomData,
        }
    }

    /// The same with another number, which the loop computes.
    #[inline(always)]
    fn then(self, now: Bent) -> Self {
        let lowest = match now.rest {
            None => (lesser(self.lowest.0, now.shift), self.lowest.1),
            rest => (self.lowest.0, lesser(self.lowest.1, rest)),
        };
        Limited {
            now,
            highest: self.highest.or(now),
            lowest,
            of: PhantomData,
        }
    }

    fn signed(value: B) -> i128 {
        L::SIGN * value.number()
    }

    symbol!(shifted is shifted_with, scaled is scaled_with, less is less_with);

    /// A value whose type is the number's.
    #[inline(always)]
    pub fn constant_with(&self, value: B) -> Self {
        self.then(Bent {
            shift: None,
            rest: Some(Self::signed(value)),
        })
    }

    /// The greater of it and a value of its type, or the lesser.
    #[inline(always)]
    pub fn shifted_with(self, limit: B) -> Self {
        let limit = Bent {
            shift: None,
            rest: Some(Self::signed(limit)),
        };
        self.then(self.now.or(limit))
    }

    /// The sum with a value of its type.
    #[inline(always)]
    pub fn scaled_with(self, by: B) -> Self {
        self.then(self.now.plus(Self::signed(by)))
    }

    /// The difference from a value of its type.
    #[inline(always)]
    pub fn less_with(self, by: B) -> Self {
        self.then(self.now.plus(-Self::signed(by)))
    }

    /// The greater of two, or the lesser.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        let both = Limited {
            highest: self.highest.or(other.highest),
            lowest: (
                lesser(self.lowest.0, other.lowest.0),
                lesser(self.lowest.1, other.lowest.1),
            ),
            ..self
        };
        both.then(self.now.or(other.now))
    }

    fn after(&self, before: B) -> Option<B> {
        let before = Self::signed(before);
        let value = |signed: i128| B::try_from(L::SIGN * signed).ok();
        // Numbers on the way that are in the type's range are the loop's own.
        value(self.highest.at(before)?)?;
        value(lesser(
            self.lowest.0.map(|low| before + low),
            self.lowest.1,
        )?)?;
        value(self.now.at(before)?)
    }
}

/// A number that is carried along by sums and a limit.
#[derive(Debug)]
pub struct Limiting<'a, B, L>(&'a mut B, PhantomData<L>);

/// A number that is carried along by sums and a limit.
pub fn limited<B: Integer, L: Limit>(place: &mut B, _: L) -> Limiting<'_, B, L> {
    Limiting(place, PhantomData)
}

impl<B: Integer, L: Limit> Carried for Limiting<'_, B, L> {
    type Values = B;
    type Totals = Limited<B, L>;
    const ROUNDS: bool = false;
    const WIDE: bool = true;
    const SURE: bool = true;

    fn begin(&self) -> B {
        *self.0
    }
    fn splits(&self) -> bool {
        true
    }
    fn fresh(&self) -> Limited<B, L> {
        Limited::itself_alone()
    }
    fn after(&self, before: B, map: &Limited<B, L>) -> Option<B> {
        map.after(before)
    }
    fn grows(&self, _: B, _: B) -> bool {
        true
    }
    fn end(&mut self, value: B) {
        *self.0 = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sequence of three updates of a small number, beside their map.
    #[test]
    fn maps_are_what_the_updates_do_or_say_that_they_cannot_tell() {
        let numbers: [i8; 5] = [-128, -60, 0, 50, 127];
        let (mut known, mut unknown) = (0, 0);
        for code in 0..20 * 20 * 20 {
            let steps = [code % 20, code / 20 % 20, code / 400];
            for before in [-128i8, -100, -1, 0, 30, 127] {
                let mut now = Some(before);
                let mut map = Limited::<i8, MaxPlus>::itself_alone();
                for step in steps {
                    let (kind, by) = (step / 5, numbers[step % 5]);
                    let held = map.held();
                    let next = match kind {
                        0 => held.scaled(by),
                        1 => held.less(by),
                        2 => held.shifted_with(by),
                        _ => held.constant(by),
                    };
                    map.set(next);
                    now = now.and_then(|now| match kind {
                        0 => now.checked_add(by),
                        1 => now.checked_sub(by),
                        2 => Some(now.max(by)),
                        _ => Some(by),
                    });
                }
                match (map.after(before), now) {
                    (Some(found), now) => {
                        known += 1;
                        assert_eq!(Some(found), now, "{steps:?} of {before}");
                    }
                    (None, None) => {}
                    (None, Some(_)) => unknown += 1,
                }
            }
        }
        assert!(
            unknown * 20 < known,
            "{unknown} could not be told, {known} could"
        );
    }

    #[test]
    fn a_lower_limit_is_an_upper_one_of_opposites() {
        let mut map = Limited::<i32, MinPlus>::itself_alone();
        map.set(map.held().scaled(5).shifted(10));
        map.set(map.held().plus(map.held().less(3)));
        assert_eq!((map.after(1), map.after(90)), (Some(3), Some(7)));
        assert_eq!(map.after(i32::MAX), None);
    }
}
