//! Where items come from: ranges of integers, slices, chunks and windows of slices, owned arrays.

use std::any::TypeId;
use std::cell::Cell;
use std::collections::{
    BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque, binary_heap, btree_map,
    btree_set, hash_map, hash_set, linked_list, vec_deque,
};
use std::hint::assert_unchecked;
use std::ops::{Range, RangeFrom, RangeInclusive};

use super::prefetch::{Ahead, Arrays, GROUP, ahead};
use super::{Source, check, outside};
use crate::base::answer::{Answer, Found, Nothing};

/// Takes what a `for` loop iterates over apart into iterations.
#[diagnostic::on_unimplemented(
    message = "[accrue::H012] the loop over `{Self}` cannot be split into parts",
    label = "an offloaded loop iterates over a range of integers, a slice, an array or a `Vec`",
    note = "`.iter()`, `.copied()`, `.enumerate()`, `.zip(..)`, `.skip(..)`, `.take(..)`, `.rev()`, `.step_by(..)`, `.chunks_exact(..)` and `.windows(..)` of these work too; collect anything else into a `Vec` before the loop",
    note = "a `Vec` or an array that the loop consumes has elements that are `Copy`; iterate over others by reference, `for x in &v`",
    note = "threads share the elements of a slice: where their type is a parameter, it needs `T: Sync`"
)]
pub trait IntoSource {
    /// The source it becomes.
    type Source: Source;

    /// Converts it.
    fn into_source(self) -> Self::Source;
}

/// The base of an iteration expression as a source.
#[inline(always)]
pub fn source<S: IntoSource>(base: S) -> S::Source {
    base.into_source()
}

/// What a loop iterates over. rustc is asked by method resolution, as [`Seen`](crate::__rt::Seen) is, whether it can be split into parts.
pub struct Taken<S>(Cell<Option<S>>);

impl<S> Taken<S> {
    /// Asks.
    #[inline(always)]
    pub fn new(of: S) -> Self {
        Taken(Cell::new(Some(of)))
    }
}

/// The answer of what can be split.
pub trait AskSource<S: IntoSource> {
    /// It as a source.
    fn __accrue_source(&self) -> Answer<S, Found<S::Source>>;
}

impl<S: IntoSource> AskSource<S> for &Taken<S> {
    #[inline(always)]
    fn __accrue_source(&self) -> Answer<S, Found<S::Source>> {
        let of = self.0.take().expect("it is asked once");
        Answer::found(of.into_source())
    }
}

/// The answer of everything else.
pub trait AskNoSource<S> {
    /// What is wrong.
    fn __accrue_source(&self) -> Answer<S, Nothing>;
}

impl<S> AskNoSource<S> for Taken<S> {
    fn __accrue_source(&self) -> Answer<S, Nothing> {
        Answer::nothing()
    }
}

/// The source. Where there is none, rustc says so once, and nothing of what would be made of it.
#[inline(always)]
pub fn split<S, A: Splits<S>>(answer: Answer<S, A>) -> A::Source {
    answer.0.source()
}

/// What has a source of `S`.
#[diagnostic::on_unimplemented(
    message = "[accrue::H012] the loop over `{S}` cannot be split into parts",
    label = "an offloaded loop iterates over a range of integers, a slice, an array or a `Vec`",
    note = "`.iter()`, `.copied()`, `.enumerate()`, `.zip(..)`, `.skip(..)`, `.take(..)`, `.rev()`, `.step_by(..)`, `.chunks_exact(..)` and `.windows(..)` of these work too; collect anything else into a `Vec` before the loop",
    note = "a `Vec` or an array that the loop consumes has elements that are `Copy`; iterate over others by reference, `for x in &v`",
    note = "threads share the elements of a slice: where their type is a parameter, it needs `T: Sync`"
)]
pub trait Splits<S> {
    /// The source's type.
    type Source;
    /// The source.
    fn source(self) -> Self::Source;
}

#[diagnostic::do_not_recommend]
impl<S, A> Splits<S> for Found<A> {
    type Source = A;
    #[inline(always)]
    fn source(self) -> A {
        self.0
    }
}

/// The elements of `data.iter()`, which is then known to be a slice's iterator and nothing that the user's type has under that name.
#[inline(always)]
pub fn elements<'a, I: Elementwise<'a>>(iter: I) -> &'a [I::Elem] {
    iter.elements()
}

/// Iterators over the elements of a slice.
#[diagnostic::on_unimplemented(
    message = "[accrue::H012] the loop over `{Self}` cannot be split into parts",
    label = "this is no iterator over the elements of a slice",
    note = "collect the items into a `Vec` before the loop"
)]
pub trait Elementwise<'a> {
    /// The elements' type.
    type Elem;

    /// What is left of the slice.
    fn elements(self) -> &'a [Self::Elem];
}

impl<'a, T> Elementwise<'a> for std::slice::Iter<'a, T> {
    type Elem = T;

    #[inline(always)]
    fn elements(self) -> &'a [T] {
        self.as_slice()
    }
}

/// A number of items or the length of a chunk, which makes rustc expect a `usize` as the iterator's method does.
#[inline(always)]
pub fn count(n: usize) -> usize {
    n
}

/// A part of a slice.
#[inline(always)]
pub(super) fn within<T>(slice: &[T], range: Range<usize>) -> &[T] {
    slice.get(range).unwrap_or_else(|| outside())
}

impl<S: Source> IntoSource for S {
    type Source = S;

    #[inline(always)]
    fn into_source(self) -> S {
        self
    }
}

/// The elements of a slice, by reference.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a, T>(pub(in crate::cpu) &'a [T]);

// SAFETY: a slice's length does not change while it is borrowed, and its elements are in range.
unsafe impl<'a, T: Sync> Source for Elements<'a, T> {
    type Item = &'a T;
    const ARRAYS: Arrays = Arrays::of::<T>();

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> &'a T {
        // SAFETY: the caller has checked `i`.
        unsafe { self.0.get_unchecked(i) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        ahead(self.0, i, GROUP, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        within(self.0, range).iter()
    }

    #[inline(always)]
    fn stretch(&self, range: Range<usize>) -> impl IntoIterator<Item = Self::Item> {
        within(self.0, range)
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Elements(self.0)
    }
}

macro_rules! elements {
    ($([$($generics:tt)*] $t:ty, |$x:ident| $slice:expr;)*) => {$(
        impl<'a, T: Sync, $($generics)*> IntoSource for $t {
            type Source = Elements<'a, T>;

            #[inline(always)]
            fn into_source(self) -> Elements<'a, T> {
                let $x = self;
                Elements($slice)
            }
        }
    )*};
}

elements! {
    [] &'a [T], |x| x;
    [] &'a mut [T], |x| x;
    [const N: usize] &'a [T; N], |x| x;
    [const N: usize] &'a mut [T; N], |x| x;
    [] &'a Vec<T>, |x| x;
    [] &'a mut Vec<T>, |x| x;
    [] &'a Box<[T]>, |x| x;
    [] std::slice::Iter<'a, T>, |x| x.as_slice();
}

/// Elements that the loop owns, by value: `for x in [1, 2, 3]`, `for x in vector`.
#[derive(Clone, Debug)]
pub struct Owned<V>(V);

// SAFETY: the slice cannot change its length, since nothing else has it, and its elements are in range.
unsafe impl<V: Fixed + Sync> Source for Owned<V> {
    type Item = V::Elem;
    const ARRAYS: Arrays = Arrays::of::<V::Elem>();

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.slice().len()
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> V::Elem {
        // SAFETY: the caller has checked `i`.
        unsafe { *self.0.slice().get_unchecked(i) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        ahead(self.0.slice(), i, GROUP, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        within(self.0.slice(), range).iter().copied()
    }
}

/// Containers that give the same slice every time.
pub trait Fixed {
    /// What they contain.
    type Elem: Copy;

    /// The slice.
    fn slice(&self) -> &[Self::Elem];
}

macro_rules! fixed {
    ($([$($generics:tt)*] $t:ty;)*) => {$(
        impl<T: Copy, $($generics)*> Fixed for $t {
            type Elem = T;

            #[inline(always)]
            fn slice(&self) -> &[T] {
                self
            }
        }
    )*};
}

fixed! {
    [] Vec<T>;
    [] Box<[T]>;
    [const N: usize] [T; N];
}

impl<T: Copy + Sync, const N: usize> IntoSource for [T; N] {
    type Source = Owned<[T; N]>;

    fn into_source(self) -> Owned<[T; N]> {
        Owned(self)
    }
}

impl<T: Copy + Sync> IntoSource for Vec<T> {
    type Source = Owned<Vec<T>>;

    fn into_source(self) -> Owned<Vec<T>> {
        Owned(self)
    }
}

impl<T: Copy + Sync> IntoSource for Box<[T]> {
    type Source = Owned<Box<[T]>>;

    fn into_source(self) -> Owned<Box<[T]>> {
        Owned(self)
    }
}

/// Collections of the standard library, whose items lie anywhere: they, or references to them, are collected before the loop, in the order in which it comes to them.
macro_rules! collections {
    ($([$($value:ident)?] [$($hasher:ident)?] $t:ty, $iter:ty, $item:ty, $owned:ty;)*) => {$(
        impl<T: Copy + Sync, $($value: Copy + Sync,)? $($hasher)?> IntoSource for $t {
            type Source = Owned<Vec<$owned>>;

            fn into_source(self) -> Self::Source {
                Owned(self.into_iter().collect())
            }
        }

        impl<'a, T: Sync, $($value: Sync,)? $($hasher)?> IntoSource for &'a $t {
            type Source = Owned<Vec<$item>>;

            fn into_source(self) -> Self::Source {
                Owned(self.iter().collect())
            }
        }

        impl<'a, T: Sync, $($value: Sync)?> IntoSource for $iter {
            type Source = Owned<Vec<$item>>;

            fn into_source(self) -> Self::Source {
                Owned(self.collect())
            }
        }
    )*};
}

collections! {
    [] [] VecDeque<T>, vec_deque::Iter<'a, T>, &'a T, T;
    [] [] LinkedList<T>, linked_list::Iter<'a, T>, &'a T, T;
    [] [] BinaryHeap<T>, binary_heap::Iter<'a, T>, &'a T, T;
    [] [] BTreeSet<T>, btree_set::Iter<'a, T>, &'a T, T;
    [] [S] HashSet<T, S>, hash_set::Iter<'a, T>, &'a T, T;
    [V] [] BTreeMap<T, V>, btree_map::Iter<'a, T, V>, (&'a T, &'a V), (T, V);
    [V] [S] HashMap<T, V, S>, hash_map::Iter<'a, T, V>, (&'a T, &'a V), (T, V);
}

impl IntoSource for std::str::Bytes<'_> {
    type Source = Owned<Vec<u8>>;

    /// An iterator over bytes does not show its string again, so they are copied; the macro prints
    /// `text.bytes()` as the elements of `text.as_bytes()` and does not come here.
    fn into_source(self) -> Owned<Vec<u8>> {
        Owned(self.collect())
    }
}

/// `slice.chunks_exact(size)` if they are `EXACT`, else `slice.chunks(size)`. `SIZE` is the size where the loop says it, else 0: what the loop of a part finds in
/// memory its compiler does not know.
#[derive(Clone, Copy, Debug)]
pub struct Chunks<'a, T, const EXACT: bool, const SIZE: usize = 0> {
    slice: &'a [T],
    size: usize,
    len: usize,
}

impl<'a, T, const SIZE: usize> Chunks<'a, T, true, SIZE> {
    /// The chunks of a slice, without a shorter rest.
    ///
    /// # Panics
    ///
    /// If `size` is 0, as the slice's method does.
    #[inline(always)]
    #[track_caller]
    pub fn new(slice: &'a [T], size: usize) -> Self {
        assert!(size != 0, "chunk size must be non-zero");
        let len = slice.len() / size;
        // The rest is cut off, so that every chunk has the full size.
        let slice = &slice[..len * size];
        Chunks { slice, size, len }
    }
}

impl<'a, T, const SIZE: usize> Chunks<'a, T, false, SIZE> {
    /// The chunks of a slice, the last one shorter if there is a rest.
    ///
    /// # Panics
    ///
    /// If `size` is 0, as the slice's method does.
    #[inline(always)]
    #[track_caller]
    pub fn with_rest(slice: &'a [T], size: usize) -> Self {
        assert!(size != 0, "chunk size must be non-zero");
        let len = slice.len().div_ceil(size);
        Chunks { slice, size, len }
    }
}

impl<'a, T, const SIZE: usize> Chunks<'a, T, true, SIZE> {
    /// All chunks, one behind the other, and how long each is.
    pub(in crate::cpu) fn whole(&self) -> (&'a [T], usize) {
        (self.slice, self.size)
    }
}

impl<'a, T, const EXACT: bool, const SIZE: usize> Chunks<'a, T, EXACT, SIZE> {
    #[inline(always)]
    fn size(&self) -> usize {
        known(SIZE, self.size)
    }

    /// Where the chunks of a range lie, which is within `len`.
    #[inline(always)]
    fn place(&self, chunks: Range<usize>) -> Range<usize> {
        let at = |chunk: usize| match EXACT {
            true => chunk * self.size(),
            false => (chunk * self.size()).min(self.slice.len()),
        };
        at(chunks.start)..at(chunks.end)
    }
}

/// The size of chunks that the type says, else that of the value.
#[inline(always)]
pub(super) fn known(size: usize, otherwise: usize) -> usize {
    match size {
        0 => otherwise,
        size => size,
    }
}

// SAFETY: `(len - 1) * size < slice.len()`, so each of `len` chunks starts within the slice; it ends there at the latest, since
// `len * size` is the slice's length where chunks are exact.
unsafe impl<'a, T: Sync, const EXACT: bool, const SIZE: usize> Source
    for Chunks<'a, T, EXACT, SIZE>
{
    type Item = &'a [T];

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> &'a [T] {
        // SAFETY: `i < len`, so the place of this one chunk is within the slice.
        unsafe { self.slice.get_unchecked(self.place(i..i + 1)) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        ahead(self.slice, i * self.size(), GROUP * self.size(), how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        let slice = within(self.slice, self.place(range));
        Pieces::<_, _, EXACT> {
            exact: slice.chunks_exact(self.size()),
            all: slice.chunks(self.size()),
        }
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Chunks::<T, EXACT, SIZE> { ..*self }
    }
}

/// The one of two iterators that is wanted; the other one is not used and costs nothing.
pub(super) struct Pieces<E, A, const EXACT: bool> {
    pub(super) exact: E,
    pub(super) all: A,
}

impl<E: Iterator, A: Iterator<Item = E::Item>, const EXACT: bool> Iterator for Pieces<E, A, EXACT> {
    type Item = E::Item;

    #[inline(always)]
    fn next(&mut self) -> Option<E::Item> {
        match EXACT {
            true => self.exact.next(),
            false => self.all.next(),
        }
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match EXACT {
            true => self.exact.size_hint(),
            false => self.all.size_hint(),
        }
    }
}

/// `slice.windows(size)`. `SIZE` as of chunks.
#[derive(Clone, Copy, Debug)]
pub struct Windows<'a, T, const SIZE: usize = 0> {
    slice: &'a [T],
    size: usize,
}

impl<'a, T, const SIZE: usize> Windows<'a, T, SIZE> {
    /// The windows of a slice.
    ///
    /// # Panics
    ///
    /// If `size` is 0, as the slice's method does.
    #[inline(always)]
    #[track_caller]
    pub fn new(slice: &'a [T], size: usize) -> Self {
        assert!(size != 0, "window size must be non-zero");
        Windows { slice, size }
    }

    #[inline(always)]
    fn size(&self) -> usize {
        known(SIZE, self.size)
    }
}

// SAFETY: window `i` ends at `i + size`, which is at most the slice's length for `i < len`.
unsafe impl<'a, T: Sync, const SIZE: usize> Source for Windows<'a, T, SIZE> {
    type Item = &'a [T];

    #[inline(always)]
    fn len(&self) -> usize {
        (self.slice.len() + 1).saturating_sub(self.size())
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> &'a [T] {
        // SAFETY: `i < slice.len() + 1 - size`, so `i + size <= slice.len()`.
        unsafe { self.slice.get_unchecked(i..i + self.size()) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        ahead(self.slice, i, GROUP, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        let slice = match range.is_empty() {
            true => &[],
            false => within(self.slice, range.start..range.end + (self.size() - 1)),
        };
        slice.windows(self.size())
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Windows::<T, SIZE> { ..*self }
    }
}

/// Consecutive integers.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<T> {
    start: T,
    len: usize,
    /// What all of them are below, where there is such a number.
    end: Option<T>,
}

impl<T: Step> Numbers<T> {
    /// The first one.
    #[inline(always)]
    pub(super) fn start(&self) -> T {
        self.start
    }
}

/// Integers that a range can run over.
pub trait Step: Copy + Sync + 'static {
    /// How many integers `start..end` has.
    fn count(start: Self, end: Self) -> Option<usize>;

    /// `self + i`, where that is known to be an integer of the type.
    fn ahead(self, i: usize) -> Self;

    /// `self as usize`.
    fn number(self) -> usize;

    /// Whether there are as many cells as `self * high`.
    fn is_wide(self, high: Self) -> bool;

    /// Tells the compiler that an index is below the end of its range, so that `keys[i]` needs no check where the loop runs over `0..keys.len()`: of two counts
    /// it does not see that.
    ///
    /// # Safety
    ///
    /// It is.
    #[inline(always)]
    unsafe fn is_below(self, end: Self) {
        if TypeId::of::<Self>() == TypeId::of::<usize>() {
            // SAFETY: the caller's promise.
            unsafe { assert_unchecked(self.number() < end.number()) };
        }
    }
}

macro_rules! step {
    ($($t:ident)*) => {$(
        impl Step for $t {
            #[inline(always)]
            fn count(start: $t, end: $t) -> Option<usize> {
                // The wrapped difference of two integers of a type is right as an unsigned integer of its width.
                if start < end { usize::try_from(end.abs_diff(start)).ok() } else { Some(0) }
            }

            #[inline(always)]
            fn ahead(self, i: usize) -> $t {
                self.wrapping_add(i as $t)
            }

            #[inline(always)]
            fn number(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn is_wide(self, high: $t) -> bool {
                // Two sizes that are negative have a product that is not.
                self.checked_mul(high).is_some() && (0..=self).contains(&0)
            }
        }
    )*};
}

/// Whether `wide * high` is the number of cells of a grid.
#[inline(always)]
pub fn is_grid<T: Step>(wide: T, high: T) -> bool {
    wide.is_wide(high)
}

step!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

// SAFETY: `get` is sound for any index.
unsafe impl<T: Step> Source for Numbers<T> {
    type Item = T;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> T {
        self.start.ahead(i)
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        check(&range, self.len);
        // SAFETY: as many are left as lie in the range, which ends with the source at most.
        unsafe { Count::new(*self, range) }
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        *self
    }
}

/// Consecutive integers, each made of the one before: of what is added up from another type the compiler makes lanes of that one.
struct Count<T> {
    of: Numbers<T>,
    next: T,
    // From 0, as the items of a part are numbered: one count for the compiler.
    left: Range<usize>,
}

impl<T: Step> Count<T> {
    /// Those with these places.
    ///
    /// # Safety
    ///
    /// There are as many.
    #[inline(always)]
    unsafe fn new(of: Numbers<T>, range: Range<usize>) -> Count<T> {
        Count {
            of,
            next: of.start.ahead(range.start),
            left: 0..range.len(),
        }
    }
}

impl<T: Step> Iterator for Count<T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        self.left.next()?;
        let number = self.next;
        self.next = number.ahead(1);
        if let Some(end) = self.of.end {
            // SAFETY: it is one of the source's, says who has made this.
            unsafe { number.is_below(end) };
        }
        Some(number)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

/// The length of a loop that has more iterations than can be counted: it ends long before it has run so many, by a panic or by force.
pub(super) const TOO_MANY: usize = isize::MAX as usize;

impl<T: Step> IntoSource for Range<T> {
    type Source = Numbers<T>;

    #[inline(always)]
    fn into_source(self) -> Numbers<T> {
        Numbers {
            start: self.start,
            len: T::count(self.start, self.end).unwrap_or(TOO_MANY),
            end: Some(self.end),
        }
    }
}

/// Integers of so many that a loop hardly comes to the last one.
pub trait Many: Step {
    /// The integer itself. A range without an end has computed the next one by then, and panics instead where that is too large and overflow is checked:
    /// in the user's crate, as far as the trait's method goes.
    fn with_next(self) -> Self;
}

macro_rules! many {
    ($($t:ident)*) => {$(
        impl Many for $t {
            #[inline(always)]
            fn with_next(self) -> $t {
                let _ = std::ops::Add::add(self, 1);
                self
            }
        }
    )*};
}

many!(u32 i32 u64 i64 u128 i128 usize isize);

/// Consecutive integers without an end.
#[derive(Clone, Copy, Debug)]
pub struct Onward<T>(Numbers<T>);

// SAFETY: its indices are those of the numbers.
unsafe impl<T: Many> Source for Onward<T> {
    type Item = T;

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> T {
        self.0.start.ahead(i).with_next()
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        self.0.part(range).map(T::with_next)
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        *self
    }
}

impl<T: Many> IntoSource for RangeFrom<T> {
    type Source = Onward<T>;

    #[inline(always)]
    fn into_source(self) -> Onward<T> {
        Onward(Numbers {
            start: self.start,
            len: TOO_MANY,
            end: None,
        })
    }
}

impl<T: Step + PartialOrd> IntoSource for RangeInclusive<T> {
    type Source = Numbers<T>;

    #[inline(always)]
    fn into_source(self) -> Numbers<T> {
        let (start, end) = self.into_inner();
        let len = if start <= end {
            T::count(start, end).and_then(|n| n.checked_add(1))
        } else {
            Some(0)
        };
        Numbers {
            start,
            len: len.unwrap_or(TOO_MANY),
            end: None,
        }
    }
}
