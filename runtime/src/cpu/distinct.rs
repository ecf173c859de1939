//! What `distinct(out)` asserts: no two iterations use the same element of `out`. It is checked before each call.
//!
//! A *dry run* of the loop computes the indices and nothing else: each iteration claims its elements. Each worker marks what its iterations claim in bytes
//! of its own, and counts claims. There are as many elements with a mark as claims if no element was claimed twice. A claim that repeats one of the last two of its iteration does
//! not count; where others repeat one, or the bytes would be too many, the check is an exact one: an iteration that finds the bit of an element set which
//! it has not set itself has met another one. It remembers what it claimed last; where it claims more, and may have met itself, all
//! are looked at again in order, where it remembers everything.
//!
//! Which iterations met is found by further dry runs in order, from empty bitmaps: the first iteration that uses an element which is taken, and then
//! the one that took it. So a message does not depend on the threads. Nothing has been written by then.

use std::array::from_fn;
use std::ops::{Range, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::case::budget;
use super::crew;
use super::each::{Combined, Each};
use super::request;
use crate::base::error::Error;
use crate::base::trying;

/// An array of which iterations claim elements.
#[derive(Debug)]
pub struct Distinct {
    name: &'static str,
    len: usize,
    /// A bit for each element, in an exact check: whether it is taken.
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

/// Marks are looked through at the end: not where there are more than so many for each iteration.
const SPARSE: usize = 16;

/// So many elements are a piece of work where marks are counted.
const PIECE: usize = 1 << 12;

/// No iteration, or no element.
const NONE: usize = usize::MAX;

/// What an exact check does with claims.
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
        Distinct {
            name,
            len,
            taken: Vec::new(),
            clashed: AtomicBool::new(false),
            second: AtomicUsize::new(NONE),
            element: AtomicUsize::new(NONE),
            first: AtomicUsize::new(NONE),
        }
    }

    /// No element is taken.
    fn forget(&mut self) {
        self.taken.clear();
        self.taken
            .resize_with(self.len.div_ceil(64), AtomicU64::default);
    }
}

/// What is done with a claim where marks do not do: of which iteration, and which element.
type Exactly<'a> = &'a mut (dyn FnMut(usize, usize) + 'a);

/// What the iterations of a part claim of an array. It is handed over by value, so that it is in registers.
pub struct Claims<'a> {
    marks: &'a mut [u8],
    exactly: Option<Exactly<'a>>,
    len: usize,
    /// The number of the iteration after this one.
    next: usize,
    /// How many elements this iteration has claimed, and the last two.
    claimed: usize,
    last: [usize; 2],
    /// How many claims count.
    counted: usize,
}

/// What an array is indexed by.
pub trait Claim {
    /// Calls `f` with each element, of an array with so many, or with one that is out of range.
    fn each(self, len: usize, f: impl FnMut(usize));
}

impl Claim for usize {
    #[inline(always)]
    fn each(self, _: usize, mut f: impl FnMut(usize)) {
        f(self);
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

impl<'a> Claims<'a> {
    fn new(of: &Distinct, first: usize, marks: &'a mut [u8], exactly: Option<Exactly<'a>>) -> Self {
        Claims {
            marks,
            exactly,
            len: of.len,
            next: first,
            claimed: 0,
            last: [NONE; 2],
            counted: 0,
        }
    }

    /// The next iteration begins.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.next += 1;
        self.claimed = 0;
    }

    /// This iteration uses what an index names.
    #[inline(always)]
    pub fn update(&mut self, index: impl Claim) {
        index.each(self.len, |element| match self.marks.get_mut(element) {
            Some(mark) => {
                *mark = 1;
                let [last, before] = self.last;
                let again =
                    self.claimed > 0 && element == last || self.claimed > 1 && element == before;
                self.counted += usize::from(!again);
                self.last = [element, last];
                self.claimed += 1;
            }
            // Out of range the loop itself panics.
            None => {
                if let Some(exactly) = &mut self.exactly
                    && element < self.len
                {
                    exactly(self.next - 1, element);
                }
            }
        });
    }
}

/// Marks of all arrays, and how many claims there were of each.
type Marks<const N: usize> = [(Vec<u8>, usize); N];

/// The marks of all workers.
struct Marked<const N: usize> {
    lens: [usize; N],
    all: Vec<Marks<N>>,
}

impl<const N: usize> Combined for Marked<N> {
    type Private = Marks<N>;
    const ORDERED: bool = false;
    const ROUNDS: bool = false;

    fn bytes(&self) -> usize {
        self.lens
            .iter()
            .fold(0, |sum, len| sum.saturating_add(*len))
    }
    fn begin(&self) -> Marks<N> {
        self.fresh()
    }
    fn fresh(&self) -> Marks<N> {
        self.lens.map(|len| (vec![0; len], 0))
    }
    fn end(&mut self, first: Marks<N>) {
        self.all.push(first);
    }
    fn merge(&mut self, other: Marks<N>) {
        self.all.push(other);
    }
}

/// How many elements have a mark by any worker.
fn marked(tables: &[&[u8]], elements: Range<usize>) -> usize {
    let mut any = [0u8; PIECE];
    let any = &mut any[..elements.len()];
    for table in tables {
        for (any, mark) in any.iter_mut().zip(&table[elements.clone()]) {
            *any |= mark;
        }
    }
    // Sums of bytes, as long as they fit.
    let sums = any.chunks(128).map(|some| some.iter().sum::<u8>());
    sums.map(usize::from).sum()
}

/// An exact check of a part of the iterations, of one array.
struct Exact<'a> {
    of: &'a Distinct,
    looking: Looking,
    iteration: usize,
    /// How many elements this iteration has claimed.
    claimed: usize,
    /// The last of them, each at its number's remainder.
    last: [usize; REMEMBERED],
    /// All of them, in a run in order.
    own: Vec<usize>,
}

impl<'a> Exact<'a> {
    fn new(of: &'a Distinct, looking: Looking) -> Self {
        Exact {
            of,
            looking,
            iteration: NONE,
            claimed: 0,
            last: [NONE; REMEMBERED],
            own: Vec::new(),
        }
    }

    fn claim(&mut self, iteration: usize, element: usize) {
        if self.iteration != iteration {
            (self.iteration, self.claimed) = (iteration, 0);
        }
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
            self.of.first.fetch_min(self.iteration, Ordering::Relaxed);
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
            self.of.second.store(self.iteration, Ordering::Relaxed);
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
        dry: impl for<'c> Fn(Range<usize>, [Claims<'c>; N]) -> [Claims<'c>; N] + Sync,
    ) -> bool {
        if self.are_as_many(&arrays, &dry) {
            return true;
        }
        arrays.iter_mut().for_each(Distinct::forget);
        let run = |arrays: &[Distinct; N], range: Range<usize>, looking| {
            let mut exact = arrays.each_ref().map(|of| Exact::new(of, looking));
            let mut claim = exact.each_mut().map(|of| |i, element| of.claim(i, element));
            let mut claim = claim.iter_mut();
            let first = range.start;
            let claims = arrays.each_ref().map(|of| {
                let exactly = claim.next().map(|claim| claim as Exactly<'_>);
                Claims::new(of, first, &mut [], exactly)
            });
            dry(range, claims);
        };
        // What is asked for is done so.
        let few = !request::is_asked() && crew::threads() < MANY;
        let ran = catch_unwind(AssertUnwindSafe(|| match few {
            true => run(&arrays, 0..self.items(), Looking::Alone),
            false => self.quietly(
                &mut (),
                |range, ()| run(&arrays, range, Looking::Alone),
                |range, ()| run(&arrays, range, Looking::Together),
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

    /// Whether no element is claimed twice, which as many marks as claims say. Fewer marks say nothing, and so do a panic, and marks that would take too long or too much memory.
    fn are_as_many<const N: usize>(
        &self,
        arrays: &[Distinct; N],
        dry: &(impl for<'c> Fn(Range<usize>, [Claims<'c>; N]) -> [Claims<'c>; N] + Sync),
    ) -> bool {
        let mut marks = Marked {
            lens: arrays.each_ref().map(|of| of.len),
            all: Vec::new(),
        };
        let bytes = marks.bytes();
        if bytes > budget(bytes).min(self.items().saturating_mul(SPARSE * N)) {
            return false;
        }
        let run = |range: Range<usize>, own: &mut Marks<N>| {
            let (first, mut own) = (range.start, own.iter_mut());
            let mut counts: [_; N] = from_fn(|_| None);
            let claims = from_fn(|n| {
                let (marks, count) = own.next().map_or((&mut [][..], None), |(marks, count)| {
                    (&mut marks[..], Some(count))
                });
                counts[n] = count;
                Claims::new(&arrays[n], first, marks, None)
            });
            for (count, claims) in counts.into_iter().flatten().zip(dry(range, claims)) {
                *count += claims.counted;
            }
        };
        let ran = || self.quietly(&mut marks, run, run);
        if catch_unwind(AssertUnwindSafe(ran)).is_err() {
            return false;
        }
        (0..N).all(|n| {
            let len = arrays[n].len;
            let tables: Vec<&[u8]> = marks.all.iter().map(|all| &all[n].0[..]).collect();
            let found = AtomicUsize::new(0);
            let count = |pieces: Range<usize>, (): &mut ()| {
                for piece in pieces {
                    let elements = piece * PIECE..len.min((piece + 1) * PIECE);
                    found.fetch_add(marked(&tables, elements), Ordering::Relaxed);
                }
            };
            Each::new(self.site(), len.div_ceil(PIECE)).quietly(&mut (), count, count);
            let claims: usize = marks.all.iter().map(|all| all[n].1).sum();
            found.into_inner() == claims
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
            Each::new(&SITE, at.len()).distinct([Distinct::new("out", len)], |part, [mut out]| {
                for i in part {
                    out.begin();
                    for &at in &at[i] {
                        assert!(at < 1000, "no index");
                        out.update(at);
                    }
                }
                [out]
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
                Each::new(&SITE, 2).distinct([Distinct::new("rows", 100)], |part, [mut rows]| {
                    for i in part {
                        rows.begin();
                        rows.update(ranges[i].clone());
                        rows.update(ranges[i].start..=ranges[i].start);
                    }
                    [rows]
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
