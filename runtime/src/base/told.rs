//! What stands beside device functions and structs, asked by way of those that name them.
//!
//! A device function names others in its own `uses(..)`, by paths that lead to them from where it stands and nowhere else. So a loop that
//! uses it asks it: at the end of a way, a number in the `uses(..)` of each function on it, stands who answers. All of it folds
//! into constants.

use std::any::TypeId;

/// A device item: what the compiler asks of a function's or struct's own scope.
pub trait Told: 'static {
    /// Which definition it is.
    const FINGERPRINT: u64;
    /// Which structs the types are that a function mentions, 0 for what is none.
    const TYPES: &'static [u64] = &[];
    /// Which device functions a function calls.
    const CALLS: &'static [u64] = &[];
    /// Which structs a struct's fields hold, 0 for what is none.
    const FIELDS: &'static [u64] = &[];
    /// The lengths of the arrays in a struct's fields that are no literals.
    const LENGTHS: &'static [usize] = &[];

    /// Whether a function calls what it seems to call.
    #[inline(always)]
    fn confirmed() -> bool {
        true
    }

    /// A constant that a function mentions, if it has this type.
    #[inline(always)]
    fn constant<T: Copy + 'static>(_number: usize) -> Option<T> {
        None
    }

    /// Whether a function is this one.
    #[inline(always)]
    fn is<F: 'static>(_function: &F) -> bool {
        false
    }

    /// Asks the item at the end of a way.
    #[inline(always)]
    fn ask<Q: Question>(way: &[usize], question: Q) -> Q::Answer
    where
        Self: Sized,
    {
        match way {
            [] => question.of::<Self>(),
            _ => question.of_none(),
        }
    }
}

/// Something that is asked of a device item.
pub trait Question {
    /// What is said.
    type Answer;

    /// The answer of this item.
    fn of<T: Told>(self) -> Self::Answer;

    /// The answer where there is none.
    fn of_none(self) -> Self::Answer;
}

/// Defines a question and the function that asks it of `R`, at the end of a way.
macro_rules! questions {
    ($($(#[$doc:meta])* fn $name:ident as $question:ident($($arg:ident: $ty:ty),*) -> $answer:ty { $of:expr, $none:expr })*) => {
        $(
            struct $question { $($arg: $ty),* }

            impl Question for $question {
                type Answer = $answer;

                #[inline(always)]
                fn of<T: Told>(self) -> $answer {
                    let $question { $($arg),* } = self;
                    $of
                }

                #[inline(always)]
                fn of_none(self) -> $answer {
                    $none
                }
            }

            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Told>(way: &[usize] $(, $arg: $ty)*) -> $answer {
                R::ask(way, $question { $($arg),* })
            }
        )*
    };
}

questions! {
    /// Which definition it is, 0 for none.
    fn fingerprint as Fingerprint() -> u64 { T::FINGERPRINT, 0 }
    /// What tells it from all others.
    fn id as Id() -> Option<TypeId> { Some(TypeId::of::<T>()), None }
    /// Whether a function calls what it seems to call.
    fn confirmed as Confirmed() -> bool { T::confirmed(), false }
    /// Which struct a type is that a function mentions.
    fn type_of as TypeOf(number: usize) -> u64 { T::TYPES.get(number).map_or(0, |n| *n), 0 }
    /// Which device function a function calls.
    fn call_of as CallOf(number: usize) -> u64 { T::CALLS.get(number).map_or(0, |n| *n), 0 }
    /// Which struct a field holds.
    fn field_of as FieldOf(number: usize) -> u64 { T::FIELDS.get(number).map_or(0, |n| *n), 0 }
    /// How long an array in a struct is.
    fn length_of as LengthOf(number: usize) -> usize { T::LENGTHS.get(number).map_or(0, |n| *n), 0 }
}

struct ConstantOf<C>(usize, std::marker::PhantomData<C>);

impl<C: Copy + 'static> Question for ConstantOf<C> {
    type Answer = Option<C>;

    #[inline(always)]
    fn of<T: Told>(self) -> Option<C> {
        T::constant(self.0)
    }

    #[inline(always)]
    fn of_none(self) -> Option<C> {
        None
    }
}

/// A constant that a function mentions, if it has this type.
#[inline(always)]
pub fn constant_of<R: Told, C: Copy + 'static>(way: &[usize], number: usize) -> Option<C> {
    R::ask(way, ConstantOf(number, std::marker::PhantomData))
}

struct Same<'f, F>(&'f F);

impl<F: 'static> Question for Same<'_, F> {
    type Answer = bool;

    #[inline(always)]
    fn of<T: Told>(self) -> bool {
        T::is(self.0)
    }

    #[inline(always)]
    fn of_none(self) -> bool {
        false
    }
}

/// Whether a function is this one.
#[inline(always)]
pub fn is<R: Told, F: 'static>(way: &[usize], function: &F) -> bool {
    R::ask(way, Same(function))
}
