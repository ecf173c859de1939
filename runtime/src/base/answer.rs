//! What rustc finds where it is asked by method resolution for something of a type: that, or nothing, of which it says so once. Whoever asks for
//! what is in an answer has a trait that [`Found`] implements and [`Nothing`] does not; errors about what would be made of it have no type to be about.

use std::marker::PhantomData;

/// The answer about the type `S`.
#[derive(Debug)]
pub struct Answer<S: ?Sized, A>(pub A, PhantomData<S>);

/// Something.
#[derive(Debug)]
pub struct Found<A>(pub A);

/// Nothing.
#[derive(Debug)]
pub struct Nothing;

impl<S: ?Sized, A> Answer<S, Found<A>> {
    /// What was found.
    #[inline(always)]
    pub fn found(of: A) -> Self {
        Answer(Found(of), PhantomData)
    }
}

impl<S: ?Sized> Answer<S, Nothing> {
    /// Nothing.
    pub fn nothing() -> Self {
        Answer(Nothing, PhantomData)
    }
}
