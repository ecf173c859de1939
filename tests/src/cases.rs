//! Compiled random functions, in two forms: as rustc compiles them as they are, and offloaded.

use crate::data::Data;

/// Calls a compiled function with data, and puts back what it made of it: the message of its panic, if it
/// panics.
pub type Call = fn(&mut Data) -> Result<(), String>;

/// A function that was compiled in one form or both.
#[derive(Clone, Copy)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Its source, without the attribute.
    pub source: &'static str,
    /// Calls it as it is.
    pub plain: Call,
    /// Calls the offloaded one, where it was compiled: that takes rustc many times as long.
    pub offloaded: Option<Call>,
}

/// Compiles functions, those behind `offloaded:` in both forms, the second with an attribute, and lists them by a name.
#[macro_export]
macro_rules! random_loops {
    (
        $list:ident, $attribute:tt
        offloaded: $(fn $both:ident $both_params:tt $both_body:tt)*
        plain: $(fn $plain:ident $plain_params:tt $plain_body:tt)*
    ) => {
        $(
            mod $both {
                use super::*;

                mod plain {
                    use super::*;
                    pub(super) fn $both $both_params $both_body
                }

                mod offloaded {
                    use super::*;
                    $crate::with_attribute!($attribute fn $both $both_params $both_body);
                }

                $crate::call!(plain, plain::$both, $both_params);
                $crate::call!(offloaded, offloaded::$both, $both_params);
            }
        )*
        $(
            mod $plain {
                use super::*;

                mod plain {
                    use super::*;
                    pub(super) fn $plain $plain_params $plain_body
                }

                $crate::call!(plain, plain::$plain, $plain_params);
            }
        )*

        /// Every function of this file.
        pub const $list: &[$crate::cases::Case] = &[
            $($crate::cases::Case {
                name: stringify!($both),
                source: stringify!(fn $both $both_params $both_body),
                plain: $both::plain,
                offloaded: Some($both::offloaded),
            },)*
            $($crate::cases::Case {
                name: stringify!($plain),
                source: stringify!(fn $plain $plain_params $plain_body),
                plain: $plain::plain,
                offloaded: None,
            },)*
        ];
    };
}

/// A function with an attribute.
#[macro_export]
macro_rules! with_attribute {
    ([$($attribute:tt)*] fn $name:ident $params:tt $body:tt) => {
        #[$($attribute)*]
        pub(super) fn $name $params $body
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
