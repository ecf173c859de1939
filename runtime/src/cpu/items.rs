//! Arrays of a loop, and items of an iteration, as arguments of a function: of these alone rustc knows that what they refer to lies apart.

macro_rules! with {
    ($($name:ident: $($item:ident)*;)*) => { $(
        /// Runs a body on its arguments.
        #[inline(always)]
        #[allow(non_snake_case, clippy::too_many_arguments, reason = "types are named as what has them")]
        pub fn $name<$($item,)* R>($($item: $item,)* body: impl FnOnce($($item),*) -> R) -> R {
            body($($item),*)
        }
    )* };
}

with! {
    with1: A;
    with2: A B;
    with3: A B C;
    with4: A B C D;
    with5: A B C D E;
    with6: A B C D E F;
}

/// An array that a loop reads: what rustc finds first is said of slices and what they are part of, and what [any](AnyArray) is of others.
#[derive(Debug)]
pub struct Array<'a, T: ?Sized>(pub &'a T);

/// What has an index of its own.
pub trait AnyArray<'a> {
    /// What it is.
    type Of: ?Sized;

    /// The array.
    fn whole(self) -> &'a Self::Of;
}

impl<'a, T: ?Sized> AnyArray<'a> for Array<'a, T> {
    type Of = T;

    #[inline(always)]
    fn whole(self) -> &'a T {
        self.0
    }
}

macro_rules! arrays {
    ($($of:ty),*) => { $(
        impl<'a, T> Array<'a, $of> {
            /// The elements.
            #[inline(always)]
            pub fn whole(self) -> &'a [T] {
                self.0
            }
        }
    )* };
}

arrays!(Vec<T>, [T], &Vec<T>, &[T], &mut Vec<T>, &mut [T], Box<[T]>);
