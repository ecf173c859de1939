//! What a call has to hold so that a loop's iterations keep apart, where the compiler could not know it.

/// A sum of numbers times products of parameters, which are named by their place in the list of values.
pub(crate) type Poly<'a> = &'a [(i128, &'a [u32])];

/// Loop variables times polynomials, and a polynomial.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a>(pub &'a [(u32, Poly<'a>)], pub Poly<'a>);

/// Conditions on the values of a call.
#[derive(Clone, Copy, Debug)]
pub struct Guard<'a> {
    /// Bounds of the number of positions of each loop variable, over those before it.
    pub extents: &'a [&'a [Form<'a>]],
    /// Forms that lie in ranges, both ends included.
    pub within: &'a [(Form<'a>, i128, i128)],
    /// What is 0 or more.
    pub conditions: &'a [Poly<'a>],
}

impl Guard<'_> {
    /// The highest position of each variable. One that has none cannot be anywhere, and is taken to be at 0.
    fn highest(&self, given: &[i128]) -> Vec<Option<i128>> {
        let mut highest: Vec<Option<i128>> = Vec::with_capacity(self.extents.len());
        for bounds in self.extents {
            let most = bounds
                .iter()
                .filter_map(|form| Some((form.range(given, &highest)?.1 - 1).max(0)));
            highest.push(most.min());
        }
        highest
    }

    /// Whether all of it holds. Where a number is too large to say, it does not.
    pub fn holds(&self, given: &[i128]) -> bool {
        let highest = self.highest(given);
        let within = self.within.iter().all(|(form, low, high)| {
            form.range(given, &highest)
                .is_some_and(|(least, most)| *low <= least && most <= *high)
        });
        within
            && self
                .conditions
                .iter()
                .all(|poly| value(poly, given).is_some_and(|value| value >= 0))
    }
}

/// Where an index lies at a position of the outermost loop: `stride * position + least ..= stride * position + most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) stride: i128,
    pub(crate) least: i128,
    pub(crate) most: i128,
}

#[cfg_attr(
    not(any(test, feature = "cuda", feature = "sim")),
    expect(dead_code, reason = "no device is given parts of arrays")
)]
impl Guard<'_> {
    /// Where indices of these forms lie, all together; `None` where that cannot be told, or they do not move alike.
    pub(crate) fn stretch(&self, given: &[i128], forms: &[Form<'_>]) -> Option<Stretch> {
        let mut highest = self.highest(given);
        // The outermost position is what is left in it.
        *highest.first_mut()? = Some(0);
        let mut all: Option<Stretch> = None;
        for form in forms {
            let outermost = form.0.iter().find(|(var, _)| *var == 0);
            let stride = outermost.map_or(Some(0), |(_, coefficient)| value(coefficient, given))?;
            let (least, most) = form.range(given, &highest)?;
            all = Some(match all {
                None => Stretch {
                    stride,
                    least,
                    most,
                },
                Some(before) if before.stride != stride => return None,
                Some(before) => Stretch {
                    stride,
                    least: before.least.min(least),
                    most: before.most.max(most),
                },
            });
        }
        all
    }
}

/// The value of a polynomial, if it can be told.
fn value(poly: Poly<'_>, given: &[i128]) -> Option<i128> {
    let mut terms = poly.iter().map(|(coefficient, factors)| {
        let mut factors = factors.iter().map(|p| given.get(*p as usize).copied());
        factors.try_fold(*coefficient, |all, factor| all.checked_mul(factor?))
    });
    terms.try_fold(0i128, |sum, term| sum.checked_add(term?))
}

impl Form<'_> {
    /// The least and the greatest value over all positions.
    fn range(&self, given: &[i128], highest: &[Option<i128>]) -> Option<(i128, i128)> {
        let constant = value(self.1, given)?;
        let (mut low, mut high) = (constant, constant);
        for (var, coefficient) in self.0 {
            let coefficient = value(coefficient, given)?;
            let end = coefficient.checked_mul((*highest.get(*var as usize)?)?)?;
            low = low.checked_add(end.min(0))?;
            high = high.checked_add(end.max(0))?;
        }
        Some((low, high))
    }
}

/// A number of the user's, of whatever integer type, or a reference to one.
pub trait Number {
    /// Its value.
    fn number(&self) -> i128;
    /// The least of its type.
    fn least(&self) -> i128;
    /// The greatest of its type.
    fn greatest(&self) -> i128;
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn number(&self) -> i128 {
                *self as i128
            }
            #[inline(always)]
            fn least(&self) -> i128 {
                <$ty>::MIN as i128
            }
            #[inline(always)]
            fn greatest(&self) -> i128 {
                <$ty>::MAX as i128
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, i128, isize);

/// Whatever is more than an `i128` is too large for anything.
impl Number for u128 {
    fn number(&self) -> i128 {
        i128::try_from(*self).unwrap_or(i128::MAX)
    }
    fn least(&self) -> i128 {
        0
    }
    fn greatest(&self) -> i128 {
        i128::MAX
    }
}

macro_rules! behind {
    ($($ty:ty),*) => {$(
        impl<T: Number + ?Sized> Number for $ty {
            #[inline(always)]
            fn number(&self) -> i128 {
                (**self).number()
            }
            #[inline(always)]
            fn least(&self) -> i128 {
                (**self).least()
            }
            #[inline(always)]
            fn greatest(&self) -> i128 {
                (**self).greatest()
            }
        }
    )*};
}

behind!(&T, &mut T, Box<T>);

/// A value of the user's, or a reference to one, that the loop casts to an integer: as rustc casts it, whatever it is.
pub trait Cast<T> {
    /// The integer.
    fn cast(&self) -> T;
}

macro_rules! casts {
    ($($to:ty),*) => {$(casts!(@ $to: bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64);)*};
    (@ $to:ty: $($from:ty),*) => {$(
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(&self) -> $to {
                *self as $to
            }
        }
    )*};
}

casts!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! behind {
    ($($of:ty),*) => {$(
        impl<T, C: Cast<T> + ?Sized> Cast<T> for $of {
            #[inline(always)]
            fn cast(&self) -> T {
                (**self).cast()
            }
        }
    )*};
}

behind!(&C, &mut C, Box<C>);

/// A value as the integer that a loop casts it to.
#[inline(always)]
pub fn cast<T>(of: &impl Cast<T>) -> T {
    of.cast()
}

/// The value of a number.
#[inline(always)]
pub fn number(of: &impl Number) -> i128 {
    of.number()
}

/// The least number of the type that a number has.
#[inline(always)]
pub fn least(of: &impl Number) -> i128 {
    of.least()
}

/// The greatest number of the type that a number has.
#[inline(always)]
pub fn greatest(of: &impl Number) -> i128 {
    of.greatest()
}

/// A quotient, rounded up where asked for; 0 for a division by 0, which the loop itself will panic with.
pub fn quotient(a: i128, b: i128, up: bool) -> i128 {
    match (b, up) {
        (0, _) => 0,
        (b, true) => (a + b - 1).div_euclid(b),
        (b, false) => a / b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const W: Poly<'_> = &[(1, &[0])];

    #[test]
    fn an_index_moves_with_the_outermost_position() {
        const ROW: (u32, Poly<'_>) = (0, W);
        const COLUMN: (u32, Poly<'_>) = (1, &[(1, &[])]);
        let guard = Guard {
            extents: &[&[Form(&[], &[(1, &[1])])], &[Form(&[], W)]],
            within: &[],
            conditions: &[],
        };
        // a[y * w + x], a[(y - 1) * w + x] and b[x * w + y], for w columns.
        let here = Form(&[ROW, COLUMN], &[]);
        let above = Form(&[ROW, COLUMN], &[(-1, &[0])]);
        let stretch = |least, most| Stretch {
            stride: 10,
            least,
            most,
        };
        assert_eq!(guard.stretch(&[10, 7], &[here]), Some(stretch(0, 9)));
        assert_eq!(
            guard.stretch(&[10, 7], &[here, above]),
            Some(stretch(-10, 9))
        );
        let across = Form(&[(0, &[(1, &[])]), (1, W)], &[]);
        assert_eq!(guard.stretch(&[10, 7], &[here, across]), None);
        assert_eq!(
            guard.stretch(&[10, 7], &[across]),
            Some(Stretch {
                stride: 1,
                least: 0,
                most: 90
            })
        );
    }

    const H: Poly<'_> = &[(1, &[1])];
    const STRIDE: Poly<'_> = &[(1, &[2])];
    const ONE: Poly<'_> = &[(1, &[])];

    /// `y * stride + x` for y below h and x below w, at most 99.
    const ROWS: Guard<'_> = Guard {
        extents: &[&[Form(&[], H)], &[Form(&[], W)]],
        within: &[(Form(&[(0, STRIDE), (1, ONE)], &[]), 0, 99)],
        conditions: &[&[(1, &[2]), (-1, &[0])]],
    };

    #[test]
    fn forms_are_judged_at_their_ends() {
        assert!(ROWS.holds(&[10, 10, 10]));
        assert!(!ROWS.holds(&[10, 10, 11]), "the last index is 108");
        assert!(!ROWS.holds(&[10, 11, 10]), "the last index is 109");
        assert!(!ROWS.holds(&[10, 5, 9]), "rows overlap");
        assert!(ROWS.holds(&[0, 0, 0]), "nothing is indexed but the first");
    }

    #[test]
    fn what_is_too_large_does_not_hold() {
        let max = i128::from(u64::MAX);
        assert!(!ROWS.holds(&[max, max, max]));
        assert!(!ROWS.holds(&[i128::MAX, i128::MAX, i128::MAX]));
        let unknown = Guard {
            extents: &[&[]],
            within: &[(Form(&[(0, ONE)], &[]), i128::MIN, i128::MAX)],
            conditions: &[],
        };
        assert!(!unknown.holds(&[]), "a variable of which nothing is known");
    }

    #[test]
    fn quotients_round_as_they_are_asked_to() {
        assert_eq!(
            (
                quotient(7, 2, false),
                quotient(7, 2, true),
                quotient(8, 2, true)
            ),
            (3, 4, 4)
        );
        assert_eq!(quotient(7, 0, true), 0);
        assert_eq!(
            (number(&3u8), number(&&-2i64), number(&&mut 5usize)),
            (3, -2, 5)
        );
        assert_eq!(
            (greatest(&3u8), greatest(&&-2i32), greatest(&1u128)),
            (255, i128::from(i32::MAX), i128::MAX)
        );
        assert_eq!(
            (least(&3u8), least(&&-2i32), least(&1u128)),
            (0, i128::from(i32::MIN), 0)
        );
        assert_eq!((number(&7u128), number(&u128::MAX)), (7, i128::MAX));
    }
}
