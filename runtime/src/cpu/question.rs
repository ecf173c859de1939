//! What `?` asks of a value.

use std::ops::ControlFlow;

/// A value behind which `?` may stand.
pub trait Question {
    /// What it gives.
    type Value;

    /// What `?` gives; none where it leaves.
    fn value(self) -> Option<Self::Value>;
}

impl<T> Question for Option<T> {
    type Value = T;
    fn value(self) -> Option<T> {
        self
    }
}

impl<T, E> Question for Result<T, E> {
    type Value = T;
    fn value(self) -> Option<T> {
        self.ok()
    }
}

impl<B, C> Question for ControlFlow<B, C> {
    type Value = C;
    fn value(self) -> Option<C> {
        match self {
            ControlFlow::Continue(value) => Some(value),
            ControlFlow::Break(_) => None,
        }
    }
}

/// What `?` gives; none where it leaves.
#[inline(always)]
pub fn question<Q: Question>(value: Q) -> Option<Q::Value> {
    value.value()
}
