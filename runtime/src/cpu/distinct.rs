//! What `distinct(out)` asserts: no two iterations use the same element of `out`. It is checked before each call.
//!
//! A *dry run* of the loop computes the indices and nothing else: each iteration claims its elements by setting their bits. An iteration that finds a
//! bit set which it has not set itself has met another one. So the check takes a bit for each element, and is exact. An iteration remembers what it claimed
//! last; one that claims more, and may have met itself, is looked at again in order, where it remembers everything.
//!
//! Which iterations met is found by further dry runs in order, from empty bitmaps: the first iteration that uses an element which is taken, and then
//! the one that took it. So a message does not depend on the threads. Nothing has been written by then.

use std::ops::{Range, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::crew;
use super::each::Each;
use super::request;
use crate::base::error::Error;
use crate::base::trying;

/// An array of which iterations claim elements.
#[derive(Debug)]
pub struct Distinct {
    name: &'static str,
    len: usize,
    /// A bit for each element: whether it is taken.
    taken: Vec<AtomicU64>,
    clashed: AtomicBool,
    /// The first iteration that met another one, in a run in order, and the element.
    second: AtomicUsize,
    element: AtomicUsize,
    /// The first iteration that uses that element.
    first: AtomicUsize,
}

/// Fewer threads set bits no faster than one does: they take words from each other, where neighbours belong to several of them. (Bits in reversed order, two cores of a Zen 4, 2026-11-29: 20 ms
/// together, 3 alone.)
const MANY: usize = 4;

/// How many of its elements an iteration remembers where speed matters.
const REMEMBERED: usize = 8;

/// No iteration, or no element.
const NONE: usize = usize::MAX;

/// What a dry run does with claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looking {
    /// Says whether iterations meet.
    Together,
    /// The same, while nobody else does.
    Alone,
    /// Keeps which one meets another first.
    Second,
    /// Keeps who used the element first that the second one met.
    First,
}

impl Distinct {
    /// An array with so many elements.
    pub fn new(name: &'static str, len: usize) -> Distinct {
        let mut taken = Vec::new();
        taken.resize_with(len.div_ceil(64), AtomicU64::default);
        Distinct {
            name,
            len,
            taken,
            clashed: AtomicBool::new(false),
            second: AtomicUsize::new(NONE),
            element: AtomicUsize::new(NONE),
            first: AtomicUsize::new(NONE),
        }
    }

    fn claims(&self, first: usize, looking: Looking) -> Claims<'_> {
        Claims {
            of: self,
            looking,
            next: first,
            claimed: 0,
            last: [NONE; REMEMBERED],
            own: Vec::new(),
        }
    }

    fn forget(&mut self) {
        self.taken.iter_mut().for_each(|word| *word.get_mut() = 0);
    }
}

/// What the iterations of a part claim of an array.
#[derive(Debug)]
pub struct Claims<'a> {
    of: &'a Distinct,
    looking: Looking,
    /// The number of the iteration after this one.
    next: usize,
    /// How many elements this iteration has claimed.
    claimed: usize,
    /// The last of them, each at its number's remainder.
    last: [usize; REMEMBERED],
    /// All of them, in a run in order.
    own: Vec<usize>,
}

/// What an array is indexed by.
pub trait Claim {
    /// Calls `f` with each element, of an array with so many.
    fn each(self, len: usize, f: impl FnMut(usize));
}

impl Claim for usize {
    #[inline(always)]
    fn each(self, len: usize, mut f: impl FnMut(usize)) {
        // Out of range the loop itself panics.
        if self < len {
            f(self);
        }
    }
}

impl Claim for Range<usize> {
    #[inline(always)]
    fn each(self, len: usize, f: impl FnMut(usize)) {
        (self.start.min(len)..self.end.min(len)).for_each(f);
    }
}

impl Claim for RangeInclusive<usize> {
    #[inline(always)]
    fn each(self, len: usize, f: impl FnMut(usize)) {
        (*self.start()..self.end().saturating_add(1)).each(len, f);
    }
}

impl Claims<'_> {
    /// The next iteration begins.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.next += 1;
        self.claimed = 0;
    }

    /// This iteration uses what an index names.
    #[inline(always)]
    pub fn update(&mut self, index: impl Claim) {
        index.each(self.of.len, |element| self.claim(element));
    }

    #[inline(always)]
    fn claim(&mut self, element: usize) {
        let (word, bit) = (&self.of.taken[element / 64], 1u64 << (element % 64));
        let before = match self.looking {
            Looking::Together => word.fetch_or(bit, Ordering::Relaxed),
            _ => {
                let before = word.load(Ordering::Relaxed);
                word.store(before | bit, Ordering::Relaxed);
                before
            }
        };
        if before & bit != 0 {
            self.met(element);
        }
        self.last[self.claimed % REMEMBERED] = element;
        if matches!(self.looking, Looking::Second | Looking::First) {
            self.keep(element);
        }
        self.claimed += 1;
    }

    /// Remembers a claim in a run in order.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, element: usize) {
        self.own.truncate(self.claimed);
        self.own.push(element);
        if self.looking == Looking::First && element == self.of.element.load(Ordering::Relaxed) {
            self.of.first.fetch_min(self.next - 1, Ordering::Relaxed);
        }
    }

    /// An element is taken: by this iteration, or by another.
    #[cold]
    #[inline(never)]
    fn met(&mut self, element: usize) {
        let own = match self.looking {
            Looking::Together | Looking::Alone => &self.last[..],
            Looking::Second | Looking::First => &self.own[..],
        };
        if own.iter().take(self.claimed).any(|own| *own == element) {
            return;
        }
        self.of.clashed.store(true, Ordering::Relaxed);
        if self.looking == Looking::Second && self.of.second.load(Ordering::Relaxed) == NONE {
            self.of.second.store(self.next - 1, Ordering::Relaxed);
            self.of.element.store(element, Ordering::Relaxed);
        }
    }
}

impl Each<'_> {
    /// Whether the loop may be split: no two iterations use the same element of these arrays, says `dry`, which claims what the iterations of a part
    /// use. Where that cannot be told, since an index panics, the loop has to run in order, and will panic.
    ///
    /// # Panics
    ///
    /// If iterations meet, with two of them and the element; as an error where one is waited for.
    pub fn distinct<const N: usize>(
        &self,
        mut arrays: [Distinct; N],
        dry: impl Fn(Range<usize>, &mut [Claims<'_>; N]) + Sync,
    ) -> bool {
        let run = |arrays: &[Distinct; N], range: Range<usize>, looking| {
            let mut claims = arrays.each_ref().map(|of| of.claims(range.start, looking));
            dry(range, &mut claims);
        };
        // What is asked for is done so.
        let few = !request::is_asked() && crew::threads() < MANY;
        let ran = catch_unwind(AssertUnwindSafe(|| match few {
            true => run(&arrays, 0..self.items(), Looking::Alone),
            false => self.quietly(
                |range| run(&arrays, range, Looking::Alone),
                |range| run(&arrays, range, Looking::Together),
            ),
        }));
        let met = arrays.iter().any(|of| of.clashed.load(Ordering::Relaxed));
        if ran.is_ok() && !met {
            return true;
        }
        let in_order = |arrays: &mut [Distinct; N], looking| {
            arrays.iter_mut().for_each(Distinct::forget);
            let run = || run(arrays, 0..self.items(), looking);
            catch_unwind(AssertUnwindSafe(run)).is_ok()
        };
        let ran = in_order(&mut arrays, Looking::Second);
        let second = |of: &&Distinct| of.second.load(Ordering::Relaxed);
        if arrays.iter().all(|of| second(&of) == NONE) {
            return ran;
        }
        in_order(&mut arrays, Looking::First);
        let of = arrays.iter().min_by_key(second);
        let of = of.expect("an array has two iterations that meet");
        trying::fail(Error::NotDistinct {
            array: of.name.to_owned(),
            element: of.element.load(Ordering::Relaxed) as u64,
            iterations: [&of.first, &of.second].map(|i| i.load(Ordering::Relaxed) as u64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::trying::try_call;
    use crate::cpu::request::with_strategy;
    use crate::cpu::site::Site;

    static SITE: Site = Site::new("test", "");

    const WAYS: [&str; 4] = [
        "sequential",
        "private:workers=1",
        "private:workers=3,parts=7",
        "private:workers=4,parts=1000",
    ];

    /// Whether iterations that use these elements of so many keep apart.
    fn apart(len: usize, at: &[Vec<usize>]) -> Result<bool, Error> {
        try_call(|| {
            Each::new(&SITE, at.len()).distinct([Distinct::new("out", len)], |part, [out]| {
                for i in part {
                    out.begin();
                    for &at in &at[i] {
                        assert!(at < 1000, "no index");
                        out.update(at);
                    }
                }
            })
        })
    }

    #[test]
    fn the_first_two_that_meet_are_named() {
        let all: Vec<Vec<usize>> = (0..400).map(|i| vec![i * 7 % 400, i * 7 % 400]).collect();
        for way in WAYS {
            with_strategy(way, || {
                assert_eq!(apart(400, &all), Ok(true), "{way}");
                let mut met = all.clone();
                met[390] = met[3].clone();
                met[300] = met[200].clone();
                let Err(Error::NotDistinct {
                    array,
                    element,
                    iterations,
                }) = apart(400, &met)
                else {
                    panic!("{way}: they meet");
                };
                assert_eq!(array, "out");
                assert_eq!((element, iterations), (200 * 7 % 400, [200, 300]), "{way}");
                // Where an index panics before that, the loop will.
                let mut panics = met.clone();
                panics[299] = vec![1000];
                assert_eq!(apart(400, &panics), Ok(false), "{way}");
                panics[299] = met[299].clone();
                panics[301] = vec![1000];
                assert!(apart(400, &panics).is_err(), "{way}");
            });
        }
    }

    #[test]
    fn an_iteration_may_use_its_many_elements_again() {
        let all: Vec<Vec<usize>> = (0..9)
            .map(|i| (0..80).map(|k| 40 * i + k % 40).collect())
            .collect();
        for way in WAYS {
            with_strategy(way, || {
                assert_eq!(apart(400, &all), Ok(true), "{way}");
                let mut met = all.clone();
                met[5][79] = 3;
                assert!(apart(400, &met).is_err(), "{way}");
                // One element in all iterations, as the first of an iteration too.
                assert!(apart(400, &vec![vec![7]; 9]).is_err(), "{way}");
            });
        }
    }

    #[test]
    fn ranges_are_all_of_their_elements() {
        let check = |ranges: [Range<usize>; 2]| {
            try_call(|| {
                Each::new(&SITE, 2).distinct([Distinct::new("rows", 100)], |part, [rows]| {
                    for i in part {
                        rows.begin();
                        rows.update(ranges[i].clone());
                        rows.update(ranges[i].start..=ranges[i].start);
                    }
                })
            })
        };
        assert_eq!(check([0..64, 64..128]), Ok(true));
        assert!(check([0..65, 64..100]).is_err());
        #[expect(clippy::reversed_empty_ranges, reason = "a part that is empty, too")]
        let empty = [5..5, 200..100];
        assert_eq!(check(empty), Ok(true));
    }
}
