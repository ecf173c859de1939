//! What rustc is asked of memory that a loop combines into, where the macro does not see its type: whether the operator is one of numbers.
//!
//! [`Ask`] is asked by method resolution, as [`Seen`](crate::__rt::Seen) is. What is no number gets an answer whose `told` has a type that rustc does not find. It says
//! so once, in the words below, and nothing of what [`Known::with`] would make of it, since errors that follow from another are left out.

use std::cell::Cell;
use std::marker::PhantomData;

use super::op::Operator;
use crate::base::bin::Slot;

/// Memory of the user's, of elements of type `B`, with an operator.
pub struct Ask<'a, P: ?Sized, B, O>(Cell<Option<&'a mut P>>, O, PhantomData<B>);

macro_rules! ask {
    ($($name:ident [$($len:ident)*] $place:ty;)*) => {$(
        /// Asks about memory of this shape.
        #[inline(always)]
        pub fn $name<B, O, $(const $len: usize),*>(place: &mut $place, op: O) -> Ask<'_, $place, B, O> {
            Ask(Cell::new(Some(place)), op, PhantomData)
        }
    )*};
}

ask! {
    scalar [] B;
    bins [] [B];
    bins2 [M] [[B; M]];
    bins3 [N M] [[[B; M]; N]];
    bins_array [N] [B; N];
    bins2_array [M N] [[B; M]; N];
    bins3_array [M N K] [[[B; M]; N]; K];
}

/// Memory whose elements have the operator.
#[derive(Debug)]
pub struct Known<'a, P: ?Sized, O>(&'a mut P, O);

impl<'a, P: ?Sized, O> Known<'a, P, O> {
    /// What is made of it.
    #[inline(always)]
    pub fn with<R>(self, make: impl FnOnce(&'a mut P, O) -> R) -> R {
        make(self.0, self.1)
    }
}

/// Elements that are numbers, and do not have the operator.
#[derive(Debug)]
pub struct Lacks<B, O>(PhantomData<(B, O)>);

/// Elements that are no numbers.
#[derive(Debug)]
pub struct NoNumber<B>(PhantomData<B>);

/// The answer where elements have the operator.
pub trait AskKnown<'a, P: ?Sized, O> {
    /// The memory.
    fn __accrue_known(&self) -> Known<'a, P, O>;
}

impl<'a, P: ?Sized, B: Slot, O: Operator<B>> AskKnown<'a, P, O> for &&Ask<'a, P, B, O> {
    #[inline(always)]
    fn __accrue_known(&self) -> Known<'a, P, O> {
        Known(self.0.take().expect("it is asked once"), self.1)
    }
}

/// The answer where they are numbers.
pub trait AskLacks<B, O> {
    /// What is wrong.
    fn __accrue_known(&self) -> Lacks<B, O>;
}

impl<P: ?Sized, B: Slot, O> AskLacks<B, O> for &Ask<'_, P, B, O> {
    fn __accrue_known(&self) -> Lacks<B, O> {
        Lacks(PhantomData)
    }
}

/// References: rustc leaves the words below out where a type has a lifetime.
#[derive(Debug)]
pub struct Reference;

/// The answer of references.
pub trait AskReference {
    /// What is wrong.
    fn __accrue_known(&self) -> NoNumber<Reference>;
}

impl<P: ?Sized, T: ?Sized, O> AskReference for &Ask<'_, P, &T, O> {
    fn __accrue_known(&self) -> NoNumber<Reference> {
        NoNumber(PhantomData)
    }
}

/// The answer of everything else.
pub trait AskNoNumber<B> {
    /// What is wrong.
    fn __accrue_known(&self) -> NoNumber<B>;
}

impl<P: ?Sized, B, O> AskNoNumber<B> for Ask<'_, P, B, O> {
    fn __accrue_known(&self) -> NoNumber<B> {
        NoNumber(PhantomData)
    }
}

impl<P: ?Sized, O> Known<'_, P, O> {
    /// Itself: nothing is wrong.
    #[inline(always)]
    pub fn told(self) -> Self {
        self
    }
}

impl<B, O> Lacks<B, O> {
    /// What no type has.
    pub fn told(self) -> <Self as HasOperator<B>>::Known
    where
        Self: HasOperator<B>,
    {
        unreachable!()
    }
}

impl<B> NoNumber<B> {
    /// What no type has.
    pub fn told(self) -> <Self as IsNumber<B>>::Known
    where
        Self: IsNumber<B>,
    {
        unreachable!()
    }
}

/// What no type implements.
#[diagnostic::on_unimplemented(
    message = "[accrue::H033] the loop combines into values of type `{B}` by an operator that depends on the order, or that they do not have",
    label = "this is combined into",
    note = "every number has `+=`, `-=`, `*=`, `min` and `max`; integers also `&=`, `|=`, `^=` and `wrapping_*`; unsigned integers also `saturating_add`"
)]
pub trait HasOperator<B> {
    /// Not known.
    type Known;
}

/// What no type implements.
#[diagnostic::on_unimplemented(
    message = "[accrue::H032] the loop combines into values of type `{B}`, which are no numbers",
    label = "this is combined into",
    note = "integers, `f32` and `f64` can be combined, since the order is known not to matter: combine into one of these and convert afterwards (`d.as_nanos()` of a `Duration`, `.wrapping_add(..)` in place of `Wrapping`), or update the fields of a struct one by one, `bins[k].x += p.x`",
    note = "in a generic function, write `T: accrue::Bin`; `#[sequential]` before its `for` leaves the loop in order"
)]
pub trait IsNumber<B> {
    /// Not known.
    type Known;
}
