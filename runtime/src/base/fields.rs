//! Fields of the elements of an array, as arrays of their own while a loop updates them.
//!
//! What the macro prints around such a loop copies them there before it and back behind it, so after a panic the elements are as they were.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::{mem, ptr};

use super::kept;

/// Bins whose fields cost no more than a microsecond to be copied.
const FEW: usize = 512;

/// How many iterations a field of a bin has to have, that copying it there and back is a small part of the loop. (2 to 4 ns a field, an
/// iteration 1 ns and more.)
const MANY: usize = 64;

/// So many bins are copied field by field before others are.
pub const PART: usize = 128;

/// Whether copying so many fields is worth it for so many iterations. 0 iterations are not known.
pub fn pay(fields: usize, iterations: usize) -> bool {
    fields <= FEW || fields.saturating_mul(MANY) <= iterations
}

/// Whether a rehearsal of so many iterations is cheaper than a copy of so many places. 0 iterations are not known. (0.1 to 0.3 ns an iteration, 0.4 to 0.8 ns a place.)
pub fn rehearse(places: usize, iterations: usize) -> bool {
    iterations <= places.saturating_mul(4)
}

/// Whether indices that were seen are all those of elements.
#[derive(Debug, Default)]
pub struct Fits(usize);

impl Fits {
    /// Sees an index of an array of so many elements, by no more than what even old processors do to several numbers at once: the highest bit is set of an index that
    /// is too large, or of what it is from the last one.
    #[inline(always)]
    pub fn see(&mut self, index: usize, len: usize) {
        self.0 |= index | len.wrapping_sub(1).wrapping_sub(index);
    }

    /// Whether all were.
    pub fn all(&self) -> bool {
        self.0 <= isize::MAX as usize
    }
}

/// What has elements by nothing but their positions. No type with an index of its own is one.
#[diagnostic::on_unimplemented(
    message = "[accrue::H032] fields of `{Self}` are updated as bins, and it is no slice, array or `Vec`",
    label = "this is indexed in a way of its own",
    note = "lend it to the function as `&mut [T]`"
)]
pub trait Elements {
    /// How many there are.
    fn count(&self) -> usize;
}

impl<S> Elements for [S] {
    fn count(&self) -> usize {
        self.len()
    }
}

impl<S, const N: usize> Elements for [S; N] {
    fn count(&self) -> usize {
        self.len()
    }
}

impl<S> Elements for Vec<S> {
    fn count(&self) -> usize {
        self.len()
    }
}

impl<A: Elements + ?Sized> Elements for &mut A {
    fn count(&self) -> usize {
        (**self).count()
    }
}

impl<A: Elements + ?Sized> Elements for Box<A> {
    fn count(&self) -> usize {
        (**self).count()
    }
}

/// What may be copied there and back: numbers above all.
#[diagnostic::on_unimplemented(
    message = "[accrue::H032] a field of type `{Self}` is updated by several iterations, and cannot be copied",
    label = "this is not `Copy`",
    note = "only fields that are numbers, or as small, are bins"
)]
pub trait Field: Copy + 'static {}

impl<T: Copy + 'static> Field for T {}

/// How many elements there are.
pub fn count<A: Elements + ?Sized>(array: &A) -> usize {
    array.count()
}

/// What `field` makes of each element.
pub fn gather<S, T: 'static>(elements: &[S], field: impl FnMut(&S) -> T) -> Vec<T> {
    let mut all = kept::take();
    all.extend(elements.iter().map(field));
    all
}

/// A field, copied.
pub fn copied<T: Field>(field: &T) -> T {
    *field
}

/// Sets each element's field, by `set`, to what became of what was [gathered](gather).
pub fn put<S, T: 'static>(elements: &mut [S], mut all: Vec<T>, set: impl FnMut(&mut S, T)) {
    scatter(elements, all.drain(..), set);
    kept::give_back(all);
}

/// Sets each element's field, by `set`, to a value.
pub fn scatter<S, T>(
    elements: &mut [S],
    values: impl IntoIterator<Item = T>,
    mut set: impl FnMut(&mut S, T),
) {
    let elements = elements.iter_mut().zip(values);
    elements.for_each(|(element, value)| set(element, value));
}

/// What the places of an array held before a loop updated them: notes of single ones first, and a copy of all of them once that is cheaper.
#[derive(Debug)]
pub struct Notes<T: Field> {
    /// Where each place lies and what it held, earlier ones first. Addresses are only compared: the array is visited to put them back.
    olds: Vec<(usize, T)>,
    /// The number of notes from which a copy of all places is cheaper.
    most: usize,
    /// Whether there is no copy yet.
    noting: bool,
    /// What the places held behind those notes, in the order in which they are visited.
    copy: Vec<T>,
    first: HashMap<usize, T>,
    /// The places that have been visited.
    visited: usize,
}

/// How many places are copied in the time of one note. (0.4 to 0.8 ns a place, 1.5 ns a note.)
const COPIED: usize = 4;

/// Whether a copy of so many places is cheaper than the notes of so many iterations. 0 iterations are not known.
pub fn are_many(places: usize, iterations: usize) -> bool {
    iterations >= (places / COPIED).max(1)
}

impl<T: Field> Notes<T> {
    /// None yet, of so many places, for so many iterations; 0 iterations are not known.
    pub fn new(places: usize, iterations: usize) -> Self {
        let most = places / COPIED;
        let mut olds = kept::take();
        olds.reserve(most.min(iterations));
        Notes {
            olds,
            most,
            noting: true,
            copy: kept::take(),
            first: HashMap::new(),
            visited: 0,
        }
    }

    /// Notes what a place holds, and hands it on.
    #[inline(always)]
    pub fn note<'p>(&mut self, place: &'p mut T) -> &'p mut T {
        if self.noting {
            self.olds.push((ptr::from_ref(place).addr(), *place));
        }
        place
    }

    /// Whether it is time for a copy; the answer is yes once.
    #[inline(always)]
    pub fn are_many(&mut self) -> bool {
        let are_many = self.noting && self.olds.len() >= self.most;
        self.noting &= !are_many;
        are_many
    }

    /// Copies places, those of the array one after the other.
    pub fn keep<'p>(&mut self, places: impl IntoIterator<Item = &'p T>)
    where
        T: 'p,
    {
        self.copy.extend(places);
    }

    /// Gets them ready to be put back.
    pub fn settle(&mut self) {
        let earlier = self.olds.drain(..).rev();
        self.first.extend(earlier);
    }

    /// Gives the next place of the array what it held.
    pub fn put_back(&mut self, place: &mut T) {
        let noted = self.first.get(&ptr::from_ref(place).addr());
        if let Some(old) = noted.or(self.copy.get(self.visited)) {
            *place = *old;
        }
        self.visited += 1;
    }
}

impl<T: Field> Drop for Notes<T> {
    fn drop(&mut self) {
        kept::give_back(mem::take(&mut self.olds));
        kept::give_back(mem::take(&mut self.copy));
    }
}

/// Runs a loop as a function of its own: among the other ways to run it there would be too few registers.
#[inline(never)]
pub fn alone(run: impl FnOnce()) {
    run();
}

/// Runs a loop whose caller puts back what it has changed, if it panics.
///
/// # Errors
/// What it panicked with.
pub fn caught(run: impl FnOnce()) -> Result<(), Box<dyn Any + Send>> {
    panic::catch_unwind(AssertUnwindSafe(run))
}

/// Goes on with a panic.
pub fn go_on(panic: Box<dyn Any + Send>) -> ! {
    panic::resume_unwind(panic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_go_there_and_back() {
        let mut rows = vec![[(1u8, 2.0f32), (3, 4.0)], [(5, 6.0), (7, 8.0)]];
        let mut second = gather(&rows, |row| row.each_ref().map(|e| copied(&e.1)));
        assert_eq!(second, [[2.0, 4.0], [6.0, 8.0]]);
        second[1][0] = 9.0;
        put(&mut rows, second, |row, values| {
            scatter(row, values, |e, value| e.1 = value);
        });
        assert_eq!(rows, [[(1, 2.0), (3, 4.0)], [(5, 9.0), (7, 8.0)]]);
    }

    #[test]
    fn notes_give_back_what_places_held_first() {
        let before: Vec<[u64; 3]> = (0..1 << 10).map(|i| [i, i, i]).collect();
        for (iterations, updates) in [(0, 100), (1, 300), (0, 5000), (1 << 20, 5000)] {
            let mut bins = before.clone();
            let mut notes = Notes::new(3 << 10, iterations);
            for i in 0..updates {
                if notes.are_many() {
                    notes.keep(bins.iter().flatten());
                }
                *notes.note(&mut bins[(i * 7) % 700][i % 2]) += 1;
            }
            assert_ne!(bins, before);
            assert_eq!(notes.copy.is_empty(), updates < 1000);
            notes.settle();
            for place in bins.iter_mut().flatten() {
                notes.put_back(place);
            }
            assert_eq!(bins, before, "{updates} updates");
        }
    }

    #[test]
    fn indices_fit_that_are_of_elements() {
        let far = isize::MAX as usize;
        for len in [0, 1, 7, far] {
            for index in [0, 1, 6, 7, 8, far - 1, far, far + 1, usize::MAX] {
                let mut fits = Fits::default();
                fits.see(index, len);
                assert_eq!(fits.all(), index < len, "{index} of {len}");
            }
        }
    }

    #[test]
    fn few_iterations_do_not_pay_for_many_bins() {
        assert!(pay(8, 0) && pay(1 << 20, 1 << 26));
        assert!(!pay(1 << 20, 0) && !pay(1 << 20, 1 << 20));
        assert!(are_many(1 << 20, 1 << 20) && !are_many(1 << 20, 1 << 10) && !are_many(1 << 20, 0));
    }
}
