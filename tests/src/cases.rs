//! Compiled random functions, in two forms: as rustc compiles them as they are, and offloaded.

use crate::data::Data;

/// A function that was compiled in both forms.
#[derive(Clone, Copy)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Its source, without the attribute.
    pub source: &'static str,
    /// Calls it as it is.
    pub plain: fn(&mut Data) -> Result<(), String>,
    /// Calls the offloaded one.
    pub offloaded: fn(&mut Data) -> Result<(), String>,
}

/// Compiles functions in both forms, and lists them as `CASES`.
#[macro_export]
macro_rules! random_loops {
    ($(fn $name:ident $params:tt $body:tt)*) => {
        $(
            mod $name {
                use super::*;

                mod plain {
                    use super::*;
                    pub(super) fn $name $params $body
                }

                mod offloaded {
                    use super::*;
                    #[accrue::offload(histogram)]
                    pub(super) fn $name $params $body
                }

                $crate::call!(plain, plain::$name, $params);
                $crate::call!(offloaded, offloaded::$name, $params);
            }
        )*

        /// Every function of this file.
        pub const CASES: &[$crate::cases::Case] = &[$($crate::cases::Case {
            name: stringify!($name),
            source: stringify!(fn $name $params $body),
            plain: $name::plain,
            offloaded: $name::offloaded,
        }),*];
    };
}

/// A function that calls another one with data, and puts back what it made of it.
#[macro_export]
macro_rules! call {
    ($name:ident, $callee:path, ($($param:ident: $ty:ty),* $(,)?)) => {
        pub(super) fn $name(data: &mut $crate::data::Data) -> Result<(), String> {
            $(let mut $param = <$ty as $crate::argument::Argument<'_>>::own(&data.0[stringify!($param)]);)*
            let result = $crate::quiet::expected(|| {
                $callee($(<$ty as $crate::argument::Argument<'_>>::lend(&mut $param)),*)
            });
            $(data.0.insert(
                stringify!($param).into(),
                <$ty as $crate::argument::Argument<'_>>::bytes(&$param),
            );)*
            result
        }
    };
}
