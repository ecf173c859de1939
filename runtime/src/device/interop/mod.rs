//! Memory of other libraries, and ours for them: `lent` says how, `cudarc` and `cust` for whose.

#[cfg(feature = "cudarc")]
mod cudarc;
#[cfg(feature = "cust")]
mod cust;
mod lent;

#[cfg(feature = "cust")]
pub use self::cust::{Cust, CustMut, cust, cust_mut};
pub use self::lent::{Lend, RawSlice, RawSliceMut, lend};
