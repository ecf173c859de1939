//! What the tests share: random functions of the accepted forms as source text, random data for them,
//! and the means to run them in every way there is and to compare what comes out.

pub mod argument;
pub mod cases;
pub mod collide;
pub mod compare;
pub mod corpus;
pub mod loops;
pub mod mutants;
pub mod oracle;
pub mod quiet;
pub mod rustc;
pub mod simulated;
pub mod written;

pub use accrue_generate::{choices, data, generate};

pub use quiet::quiet;

/// Functions twice: as they are in a module `plain`, and offloaded in a module `off`. Steps that follow each other have
/// `#[cfg_attr(any(), sequential)]`, which is no attribute of the first.
#[macro_export]
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            #[allow(unused_imports, reason = "some functions need nothing")]
            use super::*;
            $($item)*
        }
        mod off {
            #[allow(unused_imports, reason = "some functions need nothing")]
            use super::*;
            $(#[offload] $item)*
        }
    };
}
