//! What becomes the iterator of a part of a source in the function that loops over it.

use std::iter;

/// `.copied()`.
pub(super) struct Copied<I>(pub(super) I);

impl<'a, T: Copy + 'a, I: IntoIterator<Item = &'a T>> IntoIterator for Copied<I> {
    type Item = T;
    type IntoIter = iter::Copied<I::IntoIter>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().copied()
    }
}

/// `.zip(other)`.
pub(super) struct Zip<A, B>(pub(super) A, pub(super) B);

impl<A: IntoIterator, B: IntoIterator> IntoIterator for Zip<A, B> {
    type Item = (A::Item, B::Item);
    type IntoIter = iter::Zip<A::IntoIter, B::IntoIter>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().zip(self.1)
    }
}

/// `.enumerate()`, from the number of the first item.
pub(super) struct Enumerate<I>(pub(super) usize, pub(super) I);

impl<I: IntoIterator> IntoIterator for Enumerate<I> {
    type Item = (usize, I::Item);
    type IntoIter = Numbered<I::IntoIter>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        Numbered {
            number: self.0,
            items: self.1.into_iter(),
        }
    }
}

/// Items with their numbers.
pub(super) struct Numbered<I> {
    number: usize,
    items: I,
}

impl<I: Iterator> Iterator for Numbered<I> {
    type Item = (usize, I::Item);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let item = self.items.next()?;
        let number = self.number;
        self.number += 1;
        Some((number, item))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}
