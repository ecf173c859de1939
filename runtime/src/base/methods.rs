//! Whether methods of slices and vectors that a loop calls on what it writes are theirs: a type that leads to a slice may have others under their names.
//!
//! `Place::new(&place).swap(..)` is a call for which rustc looks in the place's own type first, then in what that leads to. Where the first is a collection of
//! std's, or where a type that leads to one has no such method, it finds [`Methods`], and its answer is [`Theirs`].

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::seen::Elements;

/// A place of the user's; nothing is called on it.
#[derive(Debug)]
pub struct Place<'a, E: ?Sized>(&'a E);

impl<'a, E: ?Sized> Place<'a, E> {
    /// Asks about a place.
    pub fn new(of: &'a E) -> Self {
        Place(of)
    }
}

impl<E: ?Sized> Deref for Place<'_, E> {
    type Target = E;

    fn deref(&self) -> &E {
        self.0
    }
}

impl<E: ?Sized> DerefMut for Place<'_, E> {
    fn deref_mut(&mut self) -> &mut E {
        unreachable!("it is asked of rustc alone")
    }
}

/// Collections of std's, and std's pointers to them.
pub trait Collection {}

impl<E: Elements + ?Sized> Collection for E {}
impl<T> Collection for VecDeque<T> {}
impl<T> Collection for &mut VecDeque<T> {}

/// The answer of a collection's method.
#[derive(Debug)]
pub struct Theirs;

macro_rules! methods {
    ($($name:ident($($this:tt)*) $($argument:ident: $of:ident),*;)*) => {
        /// Methods of collections, of what leads to one.
        pub trait Methods {
            $(
                /// The answer.
                fn $name<$($of),*>($($this)*, $($argument: $of),*) -> Theirs {
                    $(let _ = $argument;)*
                    Theirs
                }
            )*
        }
    };
}

methods! {
    as_slice(&self);
    chunks(&self) k: K;
    chunks_exact(&self) k: K;
    chunks_exact_mut(&mut self) k: K;
    chunks_mut(&mut self) k: K;
    extend(&mut self) items: I;
    extend_from_slice(&mut self) items: I;
    first(&self);
    get(&self) i: I;
    get_mut(&mut self) i: I;
    is_empty(&self);
    iter(&self);
    iter_mut(&mut self);
    last(&self);
    push(&mut self) item: T;
    push_back(&mut self) item: T;
    push_str(&mut self) text: T;
    swap(&mut self) i: I, j: J;
    windows(&self) k: K;
}

impl<E: Deref<Target: Collection> + ?Sized> Methods for E {}

/// Does not compile unless a method is a collection's.
pub fn is_theirs(_: impl OfCollection) {}

/// What the methods of collections answer.
#[diagnostic::on_unimplemented(
    message = "[accrue::H038] this type has a method of its own under the name of one that slices or vectors have",
    label = "read as that of the slice or the vector inside",
    note = "call the other one, `(**x).swap(i, j)`, or give the type's own another name"
)]
pub trait OfCollection {}

impl OfCollection for Theirs {}

/// Does not compile unless a method is its type's own.
pub fn is_of_the_type(_: impl OfTheType) {}

/// What the method right before a type's own answers.
#[diagnostic::on_unimplemented(
    message = "[accrue::H038] a trait has a method of this name that goes before the type's own",
    label = "read as the type's own method",
    note = "give one of the two another name, or call the trait's by its path, `Trait::at(self, i)`"
)]
pub trait OfTheType {}

impl OfTheType for Theirs {}

/// Stops a loop that was to write a slice by way of a type that says another length.
///
/// # Panics
///
/// If the lengths differ.
#[track_caller]
#[inline]
pub fn same_length(said: usize, is: usize) {
    assert!(
        said == is,
        "[accrue::H038] `len()` says {said}, and the slice that a loop writes by way of it has {is} elements"
    );
}

/// What a call would return.
#[derive(Debug)]
pub struct Returned<R>(PhantomData<R>);

/// Asks what a call would return; it is not made.
pub fn returned<R>(_: impl FnOnce() -> R) -> Returned<R> {
    Returned(PhantomData)
}

/// The answer of a call of a collection's method.
pub trait AskTheirs {
    /// That it is one.
    fn __accrue_theirs(&self) -> bool;
}

impl AskTheirs for &Returned<Theirs> {
    #[inline(always)]
    fn __accrue_theirs(&self) -> bool {
        true
    }
}

/// The answer of any other.
pub trait AskOthers {
    /// That it is none.
    fn __accrue_theirs(&self) -> bool;
}

impl<R> AskOthers for Returned<R> {
    #[inline(always)]
    fn __accrue_theirs(&self) -> bool {
        false
    }
}
