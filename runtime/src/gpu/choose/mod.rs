//! Which of a loop's modules runs a call, and how it is launched.

pub(crate) mod calibration;
pub(crate) mod costs;
pub(crate) mod explain;
pub(crate) mod kept;
pub(crate) mod offloaded;
pub(crate) mod prepare;
pub(crate) mod prepared;
pub(crate) mod sampled;
#[cfg_attr(
    not(feature = "bench"),
    allow(unreachable_pub, reason = "benches list the candidates, too")
)]
pub(crate) mod select;
pub(crate) mod stock;
pub(crate) mod tune;
