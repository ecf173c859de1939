//! What rustc says of the names that a kernel is given, where the macro has inferred something of them.
//!
//! A kernel reads numbers and slices of numbers. The macro sees how names are used, not what they are: `x % *first` is the same for a
//! number behind a reference and for one in a `RefCell`'s guard, `t[i]` for a `Vec` and for a `VecDeque`. So each is asked for through
//! a [`Seen`], which has an answer for what is known here to be what the kernel takes it for, and `None` for anything else; the loop runs
//! on the CPU then, where rustc compiles the user's own body.
//!
//! The answer is found when the user's crate is compiled. `(&&&&&Seen::<u32, _>::new(&name)).__accrue_number()` is a call for which rustc
//! looks for a method of `&&&&Seen`, of `&&&Seen` and so on: the first implementation whose bounds hold is the one that is meant.

use std::borrow::Cow;
use std::cell::{Ref, RefMut};
use std::marker::PhantomData;
use std::ops::{Bound, Deref, Index};
use std::rc::Rc;
use std::sync::{Arc, MutexGuard, RwLockReadGuard, RwLockWriteGuard};

/// All of a slice, as an index. rustc looks for `h[ALL]` where it looks for `h[i]`: in the first type with an `Index` on the way from
/// `h` through its dereferences. Slices, arrays and `Vec`s have this one, and so have types that pass any index on to them. A type
/// with another `Index`, which may mean other elements than its slice's, has not, though it may well have `..`.
pub const ALL: All = (Bound::Unbounded, Bound::Unbounded);

type All = (Bound<usize>, Bound<usize>);

/// A value of the type `E` that a kernel takes for a `T`, or for a slice of them.
#[derive(Debug)]
pub struct Seen<'a, T, E: ?Sized>(&'a E, PhantomData<T>);

impl<'a, T, E: ?Sized> Seen<'a, T, E> {
    /// Something of the user's.
    #[inline]
    pub fn new(of: &'a E) -> Self {
        Seen(of, PhantomData)
    }

    /// What is asked for.
    #[inline]
    pub(crate) fn of(&self) -> &'a E {
        self.0
    }
}

/// Numbers of the type `T`, and references to them.
pub trait Number<T> {
    /// The number.
    fn number(&self) -> T;
}

/// Numbers and references to them, as another type by `as`.
pub trait Cast<T> {
    /// The number as that type.
    fn cast(&self) -> T;
}

macro_rules! casts {
    ($from:ident: $($to:ident)*) => {$(
        impl Cast<$to> for $from {
            #[inline]
            fn cast(&self) -> $to {
                *self as $to
            }
        }
    )*};
}

macro_rules! numbers {
    ($($t:ident)*) => {$(
        impl Number<$t> for $t {
            #[inline]
            fn number(&self) -> $t {
                *self
            }
        }
        casts!($t: u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);
    )*};
}
numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);
casts!(bool: u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
casts!(char: u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl Number<bool> for bool {
    #[inline]
    fn number(&self) -> bool {
        *self
    }
}

macro_rules! references {
    ($($t:ty)*) => {$(
        impl<T, N: Number<T> + ?Sized> Number<T> for $t {
            #[inline]
            fn number(&self) -> T {
                (**self).number()
            }
        }
        impl<T, N: Cast<T> + ?Sized> Cast<T> for $t {
            #[inline]
            fn cast(&self) -> T {
                (**self).cast()
            }
        }
    )*};
}
references!(&N &mut N);

/// Types whose elements, by index and by iteration, are those of a slice: std's own, and std's pointers to them.
pub trait Elements {
    /// The elements' type.
    type Elem;
    /// The slice.
    fn elements(&self) -> &[Self::Elem];
}

macro_rules! elements {
    ($([$($generics:tt)*] $t:ty, $elem:ty, |$this:ident| $slice:expr;)*) => {$(
        impl<$($generics)*> Elements for $t {
            type Elem = $elem;

            #[inline]
            fn elements(&self) -> &[$elem] {
                let $this = self;
                $slice
            }
        }
    )*};
}

elements! {
    [T] [T], T, |x| x;
    [T, const N: usize] [T; N], T, |x| x;
    [T] Vec<T>, T, |x| x;
    [T] std::slice::Iter<'_, T>, T, |x| x.as_slice();
    [] str, u8, |x| x.as_bytes();
    [] String, u8, |x| x.as_bytes();
    [] Cow<'_, str>, u8, |x| x.as_bytes();
    [T: Clone] Cow<'_, [T]>, T, |x| x;
    [C: Elements + ?Sized] &C, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] &mut C, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] Box<C>, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] Rc<C>, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] Arc<C>, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] Ref<'_, C>, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] RefMut<'_, C>, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] MutexGuard<'_, C>, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] RwLockReadGuard<'_, C>, C::Elem, |x| (**x).elements();
    [C: Elements + ?Sized] RwLockWriteGuard<'_, C>, C::Elem, |x| (**x).elements();
}

/// The answer of a number.
pub trait AskNumber<T> {
    /// The number, if rustc knows it for one of the type.
    fn __accrue_number(&self) -> Option<T>;
}

impl<T, E: Number<T> + ?Sized> AskNumber<T> for &&&&Seen<'_, T, E> {
    #[inline]
    fn __accrue_number(&self) -> Option<T> {
        Some(self.0.number())
    }
}

/// The answer of a number that is cast.
pub trait AskCast<T> {
    /// The number as that type, if rustc knows it for one.
    fn __accrue_cast(&self) -> Option<T>;
}

impl<T, E: Cast<T> + ?Sized> AskCast<T> for &&&&Seen<'_, T, E> {
    #[inline]
    fn __accrue_cast(&self) -> Option<T> {
        Some(self.0.cast())
    }
}

/// The answer of a collection.
pub trait AskElements<'a, T> {
    /// Its elements.
    fn __accrue_elements(&self) -> Option<&'a [T]>;
}

impl<'a, T: 'a, E: Elements<Elem = T> + ?Sized> AskElements<'a, T> for &&&&Seen<'a, T, E> {
    #[inline]
    fn __accrue_elements(&self) -> Option<&'a [T]> {
        Some(self.0.elements())
    }
}

/// The answer of what passes any index on to a slice: what it does to one it does to all.
pub trait AskForwarding<'a, T> {
    /// The slice.
    fn __accrue_elements(&self) -> Option<&'a [T]>;
}

impl<'a, T: 'a, E: Index<All, Output = [T]> + ?Sized> AskForwarding<'a, T> for &&&Seen<'a, T, E> {
    #[inline]
    fn __accrue_elements(&self) -> Option<&'a [T]> {
        Some(&self.0[ALL])
    }
}

/// The answer of what has an `Index` of its own: which element it means is not known.
pub trait AskIndexed<'a, T> {
    /// Nothing.
    fn __accrue_elements(&self) -> Option<&'a [T]>;
}

impl<'a, T: 'a, E: Index<usize> + ?Sized> AskIndexed<'a, T> for &&Seen<'a, T, E> {
    #[inline]
    fn __accrue_elements(&self) -> Option<&'a [T]> {
        None
    }
}

/// The answer of what leads to a collection and has no `Index` of its own.
pub trait AskPointer<'a, T> {
    /// The collection's elements.
    fn __accrue_elements(&self) -> Option<&'a [T]>;
}

impl<'a, T: 'a, E> AskPointer<'a, T> for &Seen<'a, T, E>
where
    E: Deref<Target: Elements<Elem = T>> + ?Sized,
{
    #[inline]
    fn __accrue_elements(&self) -> Option<&'a [T]> {
        let target: &'a E::Target = self.0;
        Some(target.elements())
    }
}

/// The answer of a collection of which only the length counts.
pub trait AskLength {
    /// The length.
    fn __accrue_length(&self) -> Option<usize>;
}

impl<E: Elements + ?Sized> AskLength for &&&&Seen<'_, (), E> {
    #[inline]
    fn __accrue_length(&self) -> Option<usize> {
        Some(self.0.elements().len())
    }
}

/// The answer of everything else.
pub trait AskAnything<'a, T> {
    /// Nothing.
    fn __accrue_number(&self) -> Option<T>;
    /// Nothing.
    fn __accrue_cast(&self) -> Option<T>;
    /// Nothing.
    fn __accrue_length(&self) -> Option<usize>;
    /// Nothing.
    fn __accrue_elements(&self) -> Option<&'a [T]>;
}

impl<'a, T: 'a, E: ?Sized> AskAnything<'a, T> for Seen<'a, T, E> {
    #[inline]
    fn __accrue_number(&self) -> Option<T> {
        None
    }

    #[inline]
    fn __accrue_cast(&self) -> Option<T> {
        None
    }

    #[inline]
    fn __accrue_length(&self) -> Option<usize> {
        None
    }

    #[inline]
    fn __accrue_elements(&self) -> Option<&'a [T]> {
        None
    }
}

/// Says what is wrong where bins are in a type whose `Index` is its own; never called.
pub fn bins(_: impl Bins) {}

/// What bins may be in.
#[diagnostic::on_unimplemented(
    message = "[accrue::H052] these bins are in a type with an `Index` of its own",
    label = "`h[i]` may be another element than that of its slice, which is what threads would update",
    note = "pass the slice or the `Vec` inside it, or update the elements of a `Vec` and copy them afterwards"
)]
pub trait Bins {}

/// Memory whose bins are those of a slice.
#[derive(Debug)]
pub struct Slices;

impl Bins for Slices {}

/// A type with an `Index` of its own.
#[derive(Debug)]
pub struct OwnIndex;

/// What [`bins`] is told: of std's collections.
pub trait AskBins {
    /// They are.
    fn __accrue_bins(&self) -> Slices;
}

impl<E: Elements + ?Sized> AskBins for &&&&Seen<'_, (), E> {
    #[inline]
    fn __accrue_bins(&self) -> Slices {
        Slices
    }
}

/// What [`bins`] is told of what passes any index on.
pub trait AskForwardingBins {
    /// They are.
    fn __accrue_bins(&self) -> Slices;
}

impl<E: Index<All> + ?Sized> AskForwardingBins for &&&Seen<'_, (), E> {
    #[inline]
    fn __accrue_bins(&self) -> Slices {
        Slices
    }
}

/// The same of references to it.
pub trait AskForwardingBehind {
    /// They are.
    fn __accrue_bins(&self) -> Slices;
}

impl<E: Index<All> + ?Sized> AskForwardingBehind for &&&Seen<'_, (), &mut E> {
    #[inline]
    fn __accrue_bins(&self) -> Slices {
        Slices
    }
}

/// What [`bins`] is told of other types with an `Index`.
pub trait AskOwnIndex {
    /// They may not be.
    fn __accrue_bins(&self) -> OwnIndex;
}

impl<E: Index<usize> + ?Sized> AskOwnIndex for &&Seen<'_, (), E> {
    #[inline]
    fn __accrue_bins(&self) -> OwnIndex {
        OwnIndex
    }
}

/// The same of references to them.
pub trait AskOwnIndexBehind {
    /// They may not be.
    fn __accrue_bins(&self) -> OwnIndex;
}

impl<E: Index<usize> + ?Sized> AskOwnIndexBehind for &&Seen<'_, (), &mut E> {
    #[inline]
    fn __accrue_bins(&self) -> OwnIndex {
        OwnIndex
    }
}

/// What [`bins`] is told of everything else: rustc finds its slice by `ALL`, or says that there is none.
pub trait AskOther {
    /// They are.
    fn __accrue_bins(&self) -> Slices;
}

impl<E: ?Sized> AskOther for &Seen<'_, (), E> {
    #[inline]
    fn __accrue_bins(&self) -> Slices {
        Slices
    }
}
