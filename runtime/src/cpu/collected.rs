//! The items of an iterator that goes from one to the next alone, for loops that want them by their numbers.

/// An item of which a loop has a copy.
#[diagnostic::on_unimplemented(
    message = "[accrue::H012] items of type `{Self}` cannot be collected for a loop in parts: they are no numbers, characters or references",
    label = "these are made one after the other",
    note = "collect them into a `Vec` before the loop and iterate over it by reference, or write `#[sequential]` before the loop's `for`"
)]
pub trait Collected: Copy {}

impl<T: Copy> Collected for T {}

/// All items, in order.
pub fn collected<T: Collected>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    items.into_iter().collect()
}
