//! Arrays of rows of which each iteration has elements of its own, in any rows: `d[i][j] = v; d[j][i] = v;`.
//!
//! While others have elements of a row, nobody may have a reference to it. So where rows lie is written down before the loop, and
//! inside it a row is an [`Own`], which is got by value.

use std::ops::Index;

use super::own::{Own, out_of_bounds};

/// What lies in memory as a slice does.
pub trait Row {
    /// What it holds.
    type Element;

    /// Its elements.
    fn elements(&mut self) -> &mut [Self::Element];
}

impl<T> Row for Vec<T> {
    type Element = T;

    fn elements(&mut self) -> &mut [T] {
        self
    }
}

impl<T, const N: usize> Row for [T; N] {
    type Element = T;

    fn elements(&mut self) -> &mut [T] {
        self
    }
}

/// Lends all rows out.
pub fn rows_of<R: Row>(rows: &mut [R]) -> Vec<Own<'_, R::Element>> {
    let rows = rows.iter_mut();
    rows.map(|row| Own::new(row.elements())).collect()
}

/// The rows, for iterations that each have elements of their own. It has no `Debug`, as [`Own`] has none.
pub struct Rows<'a, T> {
    rows: &'a [Own<'a, T>],
}

impl<T> Clone for Rows<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Rows<'_, T> {}

impl<'a, T> Rows<'a, T> {
    /// Of rows that are lent out.
    #[inline(always)]
    pub fn new(rows: &'a [Own<'a, T>]) -> Self {
        Rows { rows }
    }

    /// A row, of which the caller has elements.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    #[track_caller]
    pub fn __accrue_row(&self, i: usize) -> Own<'a, T> {
        match self.rows.get(i) {
            Some(row) => *row,
            None => out_of_bounds(i, self.rows.len()),
        }
    }

    /// How many rows there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// For what is read where tokens are no Rust to the compiler, as in `matches!`.
impl<'a, T> Index<usize> for Rows<'a, T> {
    type Output = Own<'a, T>;

    #[inline(always)]
    #[track_caller]
    fn index(&self, i: usize) -> &Own<'a, T> {
        &self.rows[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn elements_are_those_of_the_rows() {
        let mut all = vec![vec![1, 2, 3], vec![4], Vec::new()];
        let own = rows_of(&mut all);
        let rows = Rows::new(&own);
        rows.__accrue_row(0)[2] = 7;
        rows.__accrue_row(1)[0] += rows.__accrue_row(0)[1];
        assert_eq!(
            (rows.len(), rows.__accrue_row(2).len(), rows.is_empty()),
            (3, 0, false)
        );
        assert_eq!(all, [vec![1, 2, 7], vec![6], vec![]]);
        let mut square = [[0; 2]; 2];
        let own = rows_of(&mut square);
        Rows::new(&own).__accrue_row(1)[0] = 5;
        assert_eq!(square, [[0, 0], [5, 0]]);
    }

    #[test]
    fn what_lies_outside_panics_as_of_a_slice() {
        let says = |f: &mut dyn FnMut()| {
            let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("it panics");
            payload.downcast_ref::<String>().expect("a text").clone()
        };
        let mut all = vec![vec![1], vec![2, 3]];
        let mut same = all.clone();
        let own = rows_of(&mut all);
        let rows = Rows::new(&own);
        for (i, j) in [(2, 0), (0, 1), (1, 9)] {
            let (a, b) = (
                says(&mut || rows.__accrue_row(i)[j] = 1),
                says(&mut || same[i][j] = 1),
            );
            assert_eq!(a, b);
        }
    }
}
