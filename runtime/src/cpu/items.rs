//! Arrays of a loop, and items of an iteration, as arguments of a function: of these alone rustc knows that what they refer to lies apart.

macro_rules! with {
    ($($name:ident: $($item:ident)*;)*) => { $(
        /// Runs a body on its arguments.
        #[inline(always)]
        #[allow(non_snake_case, clippy::too_many_arguments, reason = "types are named as what has them")]
        pub fn $name<$($item),*>($($item: $item,)* body: impl FnOnce($($item),*)) {
            body($($item),*);
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
