//! Iterations side by side, a few at a time: where they have come to.
//!
//! Each sum of an inner loop waits for the one before; those of several iterations do not (Callahan, Carr and Kennedy, *Improving register allocation for subscripted variables*, PLDI 1990,
//! call it unroll and jam). Before anything of them is written they may be given up and run one by one: what one panics with is known only then.

use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::fault::PANICS_END;

/// How many iterations are side by side.
pub const LANES: usize = 4;

/// Loops of fewer steps are over before it matters.
const LONG: usize = 8;

thread_local! {
    /// What a part that panicked had left before anything of that was written.
    static LEFT: Cell<Option<Range<usize>>> = const { Cell::new(None) };
    /// Whether iterations go one by one.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs a part, and where iterations side by side panic these and what is behind them one by one.
///
/// # Panics
///
/// With what the first of these panics with; if none does, with what it was.
pub(super) fn told(part: Range<usize>, mut run: impl FnMut(Range<usize>)) {
    LEFT.set(None);
    let Err(payload) = catch_unwind(AssertUnwindSafe(|| run(part))) else {
        return;
    };
    if let Some(rest) = LEFT.take() {
        ALONE.set(true);
        let again = catch_unwind(AssertUnwindSafe(|| run(rest)));
        ALONE.set(false);
        if let Err(payload) = again {
            raise(payload);
        }
    }
    raise(payload)
}

/// Away from what is run often.
#[cold]
fn raise(payload: Box<dyn Any + Send>) -> ! {
    resume_unwind(payload)
}

/// The iterations of a part that are left.
#[derive(Debug)]
pub struct Jam {
    rest: Range<usize>,
    /// Whether those at hand have begun to write.
    ending: bool,
}

impl Jam {
    /// All of a part, side by side unless they go one by one. Where a panic is the end nothing could be run again.
    #[inline(always)]
    pub fn new(part: Range<usize>) -> Jam {
        Jam {
            rest: part,
            ending: PANICS_END || ALONE.get(),
        }
    }

    /// The iterations that are left.
    #[inline(always)]
    pub fn rest(&self) -> Range<usize> {
        self.rest.clone()
    }

    /// The next iterations, where there are as many.
    #[inline(always)]
    pub fn block<T>(&self, items: &mut impl Iterator<Item = T>) -> Option<[T; LANES]> {
        if self.rest.len() < LANES || self.ending {
            return None;
        }
        Some([items.next()?, items.next()?, items.next()?, items.next()?])
    }

    /// They begin to write, one after the other.
    #[inline(always)]
    pub fn ends(&mut self) {
        self.ending = true;
    }

    /// One has written.
    #[inline(always)]
    pub fn ended(&mut self) {
        self.rest.start += 1;
    }

    /// All have.
    #[inline(always)]
    pub fn begins(&mut self) {
        self.ending = false;
    }

    /// What is left for one by one.
    #[inline(always)]
    pub fn end(mut self) -> Range<usize> {
        self.ending = true;
        self.rest()
    }

    /// Whether an inner loop has so many steps that it is worth it.
    #[inline(always)]
    pub fn is_long(steps: &impl Iterator) -> bool {
        steps.size_hint().0 >= LONG
    }
}

impl Drop for Jam {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.ending {
            left(self.rest());
        }
    }
}

/// Says what is left.
#[cold]
fn left(rest: Range<usize>) {
    LEFT.set(Some(rest));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs iterations that panic at some, before they write or while they do; says which have written, and what is told of the panic.
    fn run(
        of: Range<usize>,
        before: &[usize],
        behind: Option<usize>,
    ) -> (Vec<usize>, Option<String>) {
        let mut written = Vec::new();
        let begin = |item: usize| assert!(!before.contains(&item), "before {item}");
        let mut end = |item: usize| {
            assert_ne!(Some(item), behind, "behind {item}");
            written.push(item);
        };
        let ran = catch_unwind(AssertUnwindSafe(|| {
            told(of, |part| {
                let mut jam = Jam::new(part);
                let mut items = jam.rest();
                while let Some(block) = jam.block(&mut items) {
                    block.iter().rev().for_each(|item| begin(*item));
                    jam.ends();
                    for item in block {
                        end(item);
                        jam.ended();
                    }
                    jam.begins();
                }
                for item in jam.end() {
                    begin(item);
                    end(item);
                }
            });
        }));
        let text = ran
            .err()
            .and_then(|payload| payload.downcast::<String>().ok());
        (
            written,
            text.map(|text| text.lines().next().unwrap_or("").to_owned()),
        )
    }

    #[test]
    fn the_earliest_iteration_panics() {
        let told = |text: &str| Some(text.to_owned());
        assert_eq!(run(3..14, &[], None), ((3..14).collect(), None));
        assert_eq!(run(0..3, &[], None), ((0..3).collect(), None));
        assert_eq!(
            run(0..12, &[6, 7], None),
            ((0..6).collect(), told("before 6"))
        );
        assert_eq!(run(0..10, &[9], None), ((0..9).collect(), told("before 9")));
        let (written, text) = run(0..12, &[9], Some(6));
        assert_eq!(written, (0..6).collect::<Vec<_>>());
        assert!(text.is_some_and(|text| text.ends_with("behind 6")));
    }
}
