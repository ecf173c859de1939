//! What an update is written with where a loop's own number is a symbol: the map of a part is made by the updates in the user's words.

/// What every symbol has, in an `impl` whose numbers are `B`: an operation with any [`Value`](super::op::Value) is the one with a value of the
/// number's type, by its name.
macro_rules! symbol {
    ($($name:ident is $with:ident),*) => {
        /// The symbol, for an update.
        #[inline(always)]
        pub fn itself(&mut self) -> &mut Self {
            self
        }

        /// What the number is.
        #[inline(always)]
        pub fn held(&self) -> Self {
            *self
        }

        /// What the number is from here on.
        #[inline(always)]
        pub fn set(&mut self, to: Self) {
            *self = to;
        }

        /// A value.
        #[inline(always)]
        pub fn constant(&self, value: impl $crate::cpu::op::Value<B>) -> Self {
            self.constant_with(value.value())
        }

        $(
            #[doc = concat!("[`", stringify!($with), "`](Self::", stringify!($with), ") a value.")]
            #[inline(always)]
            pub fn $name(self, by: impl $crate::cpu::op::Value<B>) -> Self {
                self.$with(by.value())
            }
        )*
    };
}

pub(super) use symbol;
