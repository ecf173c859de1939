//! What iterations may share: plain data, which nobody can change through a shared reference.
//!
//! The macro sees tokens, and a method's name says nothing. So wherever a loop hands something on to a method, a function or a
//! macro, the expansion asks rustc about its type. There are a few questions, by where the thing came from; each is a
//! method below, called in code that is compiled and never runs. An answer is a type: [`Fine`], or the type that is not, which the
//! trait of the expansion then refuses with a message of its own, `Fine` being all that it is implemented for beside plain types.

use std::borrow::Cow;
use std::collections::{
    BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque, btree_map, hash_map,
};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::rc::Rc;
use std::sync::Arc;

/// Data that cannot be changed through a shared reference: no cell, lock, atomic, channel or file is in it or behind it.
///
/// What an offloaded loop shares between its iterations must be plain where methods, functions or macros get hold of it: numbers,
/// strings, slices, arrays, tuples, `Vec`, `Option` and the collections of the standard library are, for elements that are.
/// `derive(Plain)` says it of a type of your own, and proves it field by field; `derive(DeviceType)` implies it. A type that is `Copy`,
/// `Sync` and borrows nothing need not say it: no cell is `Copy`. One that borrows has to.
///
/// ```
/// use accrue::{Plain, offload};
///
/// #[derive(Plain)]
/// struct Grid {
///     origin: f32,
///     edges: Vec<f32>,
/// }
///
/// impl Grid {
///     fn cell(&self, x: f32) -> usize {
///         self.edges.partition_point(|e| *e < x - self.origin)
///     }
/// }
///
/// #[offload(histogram)]
/// fn cells(xs: &[f32], grid: &Grid, h: &mut [u32]) {
///     for &x in xs {
///         h[grid.cell(x)] += 1;
///     }
/// }
/// # let mut h = [0; 3];
/// # cells(&[0.5, 1.5, 9.0], &Grid { origin: 0.0, edges: vec![1.0, 2.0] }, &mut h);
/// # assert_eq!(h, [1, 1, 1]);
/// ```
///
/// A type whose fields are of foreign types may implement it by hand, `impl Plain for Grid {}`: then it is the writer who says it. What is
/// at stake is the loop's result, not memory.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to be plain data",
    note = "plain data cannot be changed through a shared reference; `#[derive(accrue::Plain)]` says it of a type of your own"
)]
pub trait Plain {}

macro_rules! plain {
    ($($ty:ty),* $(,)?) => { $(impl Plain for $ty {})* };
}

plain!(
    bool,
    char,
    str,
    String,
    (),
    u8,
    u16,
    u32,
    u64,
    u128,
    usize,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    f32,
    f64,
    RangeFull,
    std::cmp::Ordering,
    std::time::Duration,
    std::time::Instant,
    std::time::SystemTime,
    std::path::Path,
    std::path::PathBuf,
    std::ffi::OsStr,
    std::ffi::OsString,
    std::ffi::CStr,
    std::ffi::CString,
    std::net::IpAddr,
    std::net::Ipv4Addr,
    std::net::Ipv6Addr,
    std::hash::RandomState,
    std::any::TypeId,
    std::num::NonZero<u8>,
    std::num::NonZero<u16>,
    std::num::NonZero<u32>,
    std::num::NonZero<u64>,
    std::num::NonZero<u128>,
    std::num::NonZero<usize>,
    std::num::NonZero<i8>,
    std::num::NonZero<i16>,
    std::num::NonZero<i32>,
    std::num::NonZero<i64>,
    std::num::NonZero<i128>,
    std::num::NonZero<isize>,
    std::str::Chars<'_>,
    std::str::Bytes<'_>,
    std::str::CharIndices<'_>,
    std::str::Lines<'_>,
    std::str::SplitWhitespace<'_>,
    std::str::ParseBoolError,
    std::str::Utf8Error,
    std::char::ParseCharError,
    std::char::CharTryFromError,
    std::num::ParseIntError,
    std::num::ParseFloatError,
    std::num::TryFromIntError,
);

macro_rules! of_elements {
    ($($ty:ident),* $(,)?) => { $(impl<T: Plain> Plain for $ty<T> {})* };
}

use std::cmp::Reverse;
use std::iter::{Copied, Enumerate, Rev, Skip, StepBy, Take};
use std::num::{Saturating, Wrapping};
of_elements!(
    Vec,
    Option,
    VecDeque,
    BinaryHeap,
    LinkedList,
    BTreeSet,
    Range,
    RangeFrom,
    RangeInclusive,
    RangeTo,
    RangeToInclusive,
    Bound,
    Reverse,
    Wrapping,
    Saturating,
    Copied,
    Enumerate,
    Rev,
    Skip,
    StepBy,
    Take,
);

impl<T: Plain> Plain for [T] {}
impl<T: Plain, const N: usize> Plain for [T; N] {}
impl<T: ?Sized> Plain for std::marker::PhantomData<T> {}
impl<T: Plain + ?Sized> Plain for &T {}
impl<T: Plain + ?Sized> Plain for &mut T {}
impl<T: Plain + ?Sized> Plain for Box<T> {}
// Their counts change, which nobody sees who only reads.
impl<T: Plain + ?Sized> Plain for Rc<T> {}
impl<T: Plain + ?Sized> Plain for Arc<T> {}
impl<T: Plain + ToOwned + ?Sized> Plain for Cow<'_, T> where T::Owned: Plain {}
impl<T: Plain, E: Plain> Plain for Result<T, E> {}
// A hasher only computes: like a function it is taken at its word.
impl<T: Plain, S> Plain for HashSet<T, S> {}
impl<K: Plain, V: Plain, S> Plain for HashMap<K, V, S> {}
impl<K: Plain, V: Plain> Plain for BTreeMap<K, V> {}
impl<K: Plain, V: Plain> Plain for hash_map::Iter<'_, K, V> {}
impl<K: Plain, V: Plain> Plain for btree_map::Iter<'_, K, V> {}
impl<T: Plain> Plain for std::slice::Iter<'_, T> {}
impl<T: Plain> Plain for std::slice::Chunks<'_, T> {}
impl<T: Plain> Plain for std::slice::ChunksExact<'_, T> {}
impl<T: Plain> Plain for std::slice::Windows<'_, T> {}
impl<T: Plain> Plain for std::vec::IntoIter<T> {}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Plain),*> Plain for ($($name,)*) {}
        // A function is taken at its word wherever it is called.
        impl<R, $($name),*> Plain for fn($($name),*) -> R {}
        tuples!(@ $($name)*);
    };
    (@ $first:ident $second:ident $($rest:ident)*) => { tuples!($second $($rest)*); };
    (@ $($last:ident)?) => {};
}

tuples!(A B C D E F G H I J K L);

/// The answer that something may be handed on.
#[derive(Clone, Copy, Debug)]
pub struct Fine;

impl Plain for Fine {}

/// Memory that lends out its elements and does nothing else: what it is asked for, its length or an iterator over it, changes nothing, whatever
/// the elements are. The elements are asked about themselves.
pub trait Holder {}

impl<T> Holder for [T] {}
impl<T, const N: usize> Holder for [T; N] {}
impl<T> Holder for Vec<T> {}
impl<T> Holder for VecDeque<T> {}
impl<T> Holder for Option<T> {}
impl<T> Holder for BTreeSet<T> {}
impl<T, S> Holder for HashSet<T, S> {}
impl<K, V, S> Holder for HashMap<K, V, S> {}
impl<K, V> Holder for BTreeMap<K, V> {}
impl<T: Holder + ?Sized> Holder for &T {}
impl<T: Holder + ?Sized> Holder for &mut T {}
impl<T: Holder + ?Sized> Holder for Box<T> {}
impl<T: Holder + ?Sized> Holder for Rc<T> {}
impl<T: Holder + ?Sized> Holder for Arc<T> {}

/// What lies one layer inside something that only holds it: nobody gets at more through it than through what is held.
pub trait Layer {
    /// What it holds.
    type Within: ?Sized;
}

macro_rules! layers {
    ($($ty:ty),* $(,)?) => { $(impl<T> Layer for $ty { type Within = T; })* };
}

layers!(
    [T],
    Vec<T>,
    VecDeque<T>,
    BinaryHeap<T>,
    Option<T>,
    Range<T>,
    Wrapping<T>,
    Reverse<T>
);

impl<T, const N: usize> Layer for [T; N] {
    type Within = T;
}
impl<T: ?Sized> Layer for &T {
    type Within = T;
}
impl<T: ?Sized> Layer for &mut T {
    type Within = T;
}
impl<T: ?Sized> Layer for Box<T> {
    type Within = T;
}
impl<T: ?Sized> Layer for Rc<T> {
    type Within = T;
}
impl<T: ?Sized> Layer for Arc<T> {
    type Within = T;
}
impl<T, E: Plain> Layer for Result<T, E> {
    type Within = T;
}
impl<K: Plain, V, S> Layer for HashMap<K, V, S> {
    type Within = V;
}
impl<K: Plain, V> Layer for BTreeMap<K, V> {
    type Within = V;
}

/// Memory of elements that lie side by side, of which some methods move elements and run no code of theirs.
pub trait Row {
    /// What it holds.
    type Element;
}

impl<T> Row for [T] {
    type Element = T;
}
impl<T, const N: usize> Row for [T; N] {
    type Element = T;
}
impl<T> Row for Vec<T> {
    type Element = T;
}
impl<T: Row + ?Sized> Row for &T {
    type Element = T::Element;
}
impl<T: Row + ?Sized> Row for &mut T {
    type Element = T::Element;
}

/// The question, with the thing's type. The pointer borrows nothing.
#[derive(Debug)]
pub struct Ask<T: ?Sized>(pub *const T);

/// The question about what is handed to a method, with the type that the method is called on.
#[derive(Debug)]
pub struct AskBeside<R: ?Sized, T: ?Sized>(pub *const R, pub *const T);

/// A name for the steps by which rustc looks for a method on `&&..&Ask`: from the most references to the fewest. So the first rule that
/// holds of a type answers for it.
macro_rules! rules {
    ($($rule:ident . $method:ident ($($generics:tt)*) for $ty:ty [$($bound:tt)*] => $answer:ty;)*) => {
        $(
            #[doc(hidden)]
            pub trait $rule {
                type Answer: ?Sized;
                fn $method(&self) -> &Self::Answer {
                    unreachable!("only types are asked about")
                }
            }
            impl<$($generics)*> $rule for $ty where $($bound)* {
                type Answer = $answer;
            }
        )*
    };
}

// What is inside, a layer at a time; plain data is fine as it is. What is asked next is asked about the answer.
rules! {
    Within3.__accrue_within(T: ?Sized) for &&Ask<T> [T: Plain] => Fine;
    Within2.__accrue_within(T: Layer + ?Sized) for &Ask<T> [] => T::Within;
    Within1.__accrue_within(T: ?Sized) for Ask<T> [] => T;
}

// Something captured: plain, or a `Copy` type that borrows nothing. No cell or lock is `Copy`, and what leads to one from there is a
// `static` or leaked: a function could reach it as well, and is taken at its word. rustc looks at lifetimes where code can be
// reached and nowhere else, so this question stands in such a place.
rules! {
    Whole4.__accrue_whole(T: ?Sized) for &&&Ask<T> [T: Plain] => Fine;
    Whole3.__accrue_whole(T: ?Sized) for &&Ask<&T> [] => T;
    Whole2.__accrue_whole(T) for &Ask<T> [T: Copy + Sync + 'static] => Fine;
    Whole1.__accrue_whole(T: ?Sized) for Ask<T> [] => T;
}

// An item, or an element: plain, or a `Copy` type that is no reference. No cell or lock is `Copy`.
rules! {
    Item4.__accrue_item(T: ?Sized) for &&&Ask<T> [T: Plain] => Fine;
    Item3.__accrue_item(T: ?Sized) for &&Ask<&T> [] => T;
    Item2.__accrue_item(T) for &Ask<T> [T: Copy] => Fine;
    Item1.__accrue_item(T: ?Sized) for Ask<T> [] => T;
}

// Something that the iteration made: anything that is no reference to what is not plain.
rules! {
    Made6.__accrue_made(T: ?Sized) for &&&&&Ask<T> [T: Plain] => Fine;
    Made5.__accrue_made(T: ?Sized) for &&&&Ask<&T> [] => T;
    Made4.__accrue_made(T: ?Sized) for &&&Ask<Option<&T>> [] => T;
    Made3.__accrue_made(T: ?Sized) for &&Ask<Arc<T>> [] => T;
    Made2.__accrue_made(T: ?Sized) for &Ask<Rc<T>> [] => T;
    Made1.__accrue_made(T: ?Sized) for Ask<T> [] => Fine;
}

// Memory whose elements are asked about themselves.
rules! {
    Held3.__accrue_held(T: ?Sized) for &&Ask<T> [T: Plain] => Fine;
    Held2.__accrue_held(T: ?Sized) for &Ask<T> [T: Holder] => Fine;
    Held1.__accrue_held(T: ?Sized) for Ask<T> [] => T;
}

// Memory that is filled: elements of `Copy` types are written over without any code of theirs.
rules! {
    Filled2.__accrue_filled(T: Row + ?Sized) for &Ask<T> [T::Element: Copy] => Fine;
    Filled1.__accrue_filled(T: ?Sized) for Ask<T> [] => T;
}

// Memory that is handed to a method that moves elements between it and other memory.
rules! {
    Moved2.__accrue_moved(R: Row + ?Sized, T: Row + ?Sized) for &AskBeside<R, T> [] => Fine;
    Moved1.__accrue_moved(R: ?Sized, T: ?Sized) for AskBeside<R, T> [] => T;
}

/// A number, behind any number of references.
pub trait Number {
    /// The number's type.
    type Value;
}

macro_rules! numbers {
    ($($ty:ty)*) => { $(impl Number for $ty { type Value = $ty; })* };
}

numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char);

impl<T: Number> Number for &T {
    type Value = T::Value;
}
impl<T: Number> Number for &mut T {
    type Value = T::Value;
}

// What a method of numbers is called on.
rules! {
    Number2.__accrue_number(T: Number) for &Ask<T> [] => T::Value;
    Number1.__accrue_number(T: ?Sized) for Ask<T> [] => Fine;
}

/// Whether two names stand for one function: each has a type of its own.
#[diagnostic::on_unimplemented(
    message = "[accrue::H038] this name is one of the standard library's, and stands for something else here",
    label = "read as the standard library's",
    note = "call it by another path, such as `self::cmp::max(..)`, or rename it"
)]
pub trait SameAs<T> {}

impl<T> SameAs<T> for T {}

/// Two names of functions.
#[derive(Debug)]
pub struct Two<A, B>(pub A, pub B);

impl<A, B> Two<A, B> {
    /// Does not compile unless they stand for one function.
    pub fn are_same(self)
    where
        A: SameAs<B>,
    {
    }
}

/// Whether what a method returned says that it was that of numbers: the probe's answer, or what `Ord` returns for references.
pub trait OfNumbers {}

impl OfNumbers for Fine {}

macro_rules! ordered {
    ($($ty:ty)*) => { $(impl OfNumbers for &$ty {})* };
}

ordered!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char);
