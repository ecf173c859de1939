//! What a loop combines into, as calls across ranks see it: numbers of any type, with the operator of their updates.

use std::cell::Cell;

use accrue_ops::Op;

use super::combine::clear;
use crate::base::bin::Slot;
use crate::base::values::Values;
use crate::cpu::op::Operator;

/// Bins or a scalar, with the operator of their updates.
#[derive(Debug)]
pub struct Part<'a> {
    pub(super) values: Values<'a>,
    /// The operator of the updates; of two signs it is the sum's.
    op: Op,
    /// Whether a result that is too large is a panic.
    pub(super) checked: bool,
    /// Whether that depends on the order of the updates, so that ranks have to take turns.
    pub(super) ordered: bool,
    /// Whether the last bits depend on the order.
    pub(super) rounds: bool,
    /// Whether they are bins, else a scalar.
    #[cfg_attr(
        not(any(feature = "cuda", feature = "sim")),
        expect(dead_code, reason = "no bins are on a device")
    )]
    pub(super) is_bins: bool,
}

impl<'a> Part<'a> {
    fn new<const CHECKED: bool, B: Slot, O: Operator<B>>(
        of: &'a mut [B],
        is_bins: bool,
    ) -> Part<'a> {
        let checked = CHECKED && O::OVERFLOWS;
        Part {
            values: B::values(of),
            op: O::OP,
            checked,
            ordered: checked && O::ORDERED,
            rounds: O::ROUNDS,
            is_bins,
        }
    }

    /// The numbers alone.
    pub fn into_values(self) -> Values<'a> {
        self.values
    }

    /// The operator by which what ranks have is combined.
    pub(super) fn gathers(&self) -> Op {
        self.op.row().gathers
    }

    /// The operator by which what a rank has is combined into what there was, where ranks come in order.
    pub(super) fn merges(&self) -> Op {
        match self.starts_full() {
            true => self.op,
            false => self.gathers(),
        }
    }

    /// Whether the loop has to begin with what there was: subtracting from nothing is too much, where that is checked.
    pub(super) fn starts_full(&self) -> bool {
        self.checked && self.op != self.gathers()
    }

    /// Whether ranks combine it in their order, else in any.
    pub(super) fn is_in_order(&self, deterministic: bool) -> bool {
        self.checked || self.rounds && deterministic
    }

    /// Makes it what a rank's part of the loop begins with: what changes nothing. Where the order does not matter, the first rank begins with what there was, so that
    /// nobody has to add it in the end.
    pub(super) fn start(&mut self, is_first: bool, deterministic: bool) {
        let full = match self.is_in_order(deterministic) {
            true => self.starts_full(),
            false => is_first,
        };
        if !full {
            clear(self.gathers(), self.values.reborrow());
        }
    }
}

/// Numbers of the caller's.
pub fn values<B: Slot>(of: &mut [B]) -> Values<'_> {
    B::values(of)
}

/// A scalar that the loop combines into. `CHECKED` is whether the user's crate checks overflow.
pub fn scalar<const CHECKED: bool, B: Slot, O: Operator<B>>(place: &mut B, _: O) -> Part<'_> {
    Part::new::<CHECKED, B, O>(std::slice::from_mut(place), false)
}

/// The bins `h[i]` of a slice.
pub fn bins<const CHECKED: bool, B: Slot, O: Operator<B>>(bins: &mut [B], _: O) -> Part<'_> {
    Part::new::<CHECKED, B, O>(bins, true)
}

/// The bins `h[y][x]` of a slice of rows.
pub fn bins2<const CHECKED: bool, B: Slot, O: Operator<B>, const M: usize>(
    bins: &mut [[B; M]],
    _: O,
) -> Part<'_> {
    Part::new::<CHECKED, B, O>(bins.as_flattened_mut(), true)
}

/// The bins `h[z][y][x]` of a slice of planes.
pub fn bins3<const CHECKED: bool, B: Slot, O: Operator<B>, const N: usize, const M: usize>(
    bins: &mut [[[B; M]; N]],
    _: O,
) -> Part<'_> {
    Part::new::<CHECKED, B, O>(bins.as_flattened_mut().as_flattened_mut(), true)
}

/// A scalar that is kept of the best item, for which rustc finds whether it is a number: `(&&Place::new(&mut at)).__accrue_place()`, as
/// [`Seen`](crate::__rt::Seen) is asked.
pub struct Place<'a, T>(Cell<Option<&'a mut T>>);

impl<'a, T> Place<'a, T> {
    /// One of the user's.
    pub fn new(place: &'a mut T) -> Self {
        Place(Cell::new(Some(place)))
    }
}

/// A scalar that is a number.
pub trait AskPlace<'a> {
    /// The number.
    fn __accrue_place(&self) -> Option<Values<'a>>;
}

impl<'a, T: Slot> AskPlace<'a> for &Place<'a, T> {
    fn __accrue_place(&self) -> Option<Values<'a>> {
        self.0.take().map(std::slice::from_mut).map(T::values)
    }
}

/// Anything else.
pub trait AskNoPlace<'a> {
    /// Nothing that could be sent.
    fn __accrue_place(&self) -> Option<Values<'a>>;
}

impl<'a, T> AskNoPlace<'a> for Place<'a, T> {
    fn __accrue_place(&self) -> Option<Values<'a>> {
        None
    }
}

/// Scalars that keep the best item together.
#[derive(Debug)]
pub struct Best<'a> {
    pub(super) places: Vec<Option<Values<'a>>>,
    /// Which of them items are compared by.
    pub(super) key: usize,
    /// Whether the least is the best, else the greatest.
    pub(super) less: bool,
    /// Whether what is kept may be too large, which only the order tells.
    pub(super) ordered: bool,
}

/// Scalars that keep the best item. `key` is which of them items are compared by.
pub fn best<'a, const ORDERED: bool, const N: usize>(
    places: [Option<Values<'a>>; N],
    key: usize,
    less: bool,
) -> Best<'a> {
    Best {
        places: Vec::from(places),
        key,
        less,
        ordered: ORDERED,
    }
}

impl Best<'_> {
    /// Whether the first is better than the second, of what items are compared by.
    pub(super) fn better(&self, a: Values<'_>, b: Values<'_>) -> bool {
        let order = crate::base::values::with_numbers!(a, b, (a, b) => a.partial_cmp(&b));
        let better = match self.less {
            true => std::cmp::Ordering::Less,
            false => std::cmp::Ordering::Greater,
        };
        order.expect("keys of one type") == Some(better)
    }
}
