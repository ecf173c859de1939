//! Fields of the elements of an array, as arrays of their own while a loop updates them.
//!
//! What the macro prints around such a loop copies them there before it and back behind it, so after a panic the elements are as they were.

/// Bins whose fields cost no more than a microsecond to be copied.
const FEW: usize = 512;

/// How many iterations a field of a bin has to have, that copying it there and back is a small part of the loop. (2 to 4 ns a field, an
/// iteration 1 ns and more.)
const MANY: usize = 64;

/// Whether copying so many fields is worth it for so many iterations. 0 iterations are not known.
pub fn pay(fields: usize, iterations: usize) -> bool {
    fields <= FEW || fields.saturating_mul(MANY) <= iterations
}

/// What has elements by nothing but their positions. No type with an index of its own is one.
#[diagnostic::on_unimplemented(
    message = "[accrue::H032] fields of `{Self}` are updated as bins, and it is no slice, array or `Vec`",
    label = "this is indexed in a way of its own",
    note = "lend it to the function as `&mut [T]`"
)]
pub trait Elements {
    /// How many there are.
    fn count(&self) -> usize;
}

impl<S> Elements for [S] {
    fn count(&self) -> usize {
        self.len()
    }
}

impl<S, const N: usize> Elements for [S; N] {
    fn count(&self) -> usize {
        self.len()
    }
}

impl<S> Elements for Vec<S> {
    fn count(&self) -> usize {
        self.len()
    }
}

impl<A: Elements + ?Sized> Elements for &mut A {
    fn count(&self) -> usize {
        (**self).count()
    }
}

impl<A: Elements + ?Sized> Elements for Box<A> {
    fn count(&self) -> usize {
        (**self).count()
    }
}

/// What may be copied there and back: numbers above all.
#[diagnostic::on_unimplemented(
    message = "[accrue::H032] a field of type `{Self}` is updated by several iterations, and cannot be copied",
    label = "this is not `Copy`",
    note = "only fields that are numbers, or as small, are bins"
)]
pub trait Field: Copy {}

impl<T: Copy> Field for T {}

/// How many elements there are.
pub fn count<A: Elements + ?Sized>(array: &A) -> usize {
    array.count()
}

/// What `field` makes of each element.
pub fn gather<S, T>(elements: &[S], field: impl FnMut(&S) -> T) -> Vec<T> {
    elements.iter().map(field).collect()
}

/// A field, copied.
pub fn copied<T: Field>(field: &T) -> T {
    *field
}

/// Sets each element's field, by `set`, to a value.
pub fn scatter<S, T>(
    elements: &mut [S],
    values: impl IntoIterator<Item = T>,
    mut set: impl FnMut(&mut S, T),
) {
    let elements = elements.iter_mut().zip(values);
    elements.for_each(|(element, value)| set(element, value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_go_there_and_back() {
        let mut rows = vec![[(1u8, 2.0f32), (3, 4.0)], [(5, 6.0), (7, 8.0)]];
        let mut second = gather(&rows, |row| row.each_ref().map(|e| copied(&e.1)));
        assert_eq!(second, [[2.0, 4.0], [6.0, 8.0]]);
        second[1][0] = 9.0;
        scatter(&mut rows, second, |row, values| {
            scatter(row, values, |e, value| e.1 = value);
        });
        assert_eq!(rows, [[(1, 2.0), (3, 4.0)], [(5, 9.0), (7, 8.0)]]);
    }

    #[test]
    fn few_iterations_do_not_pay_for_many_bins() {
        assert!(pay(8, 0) && pay(1 << 20, 1 << 26));
        assert!(!pay(1 << 20, 0) && !pay(1 << 20, 1 << 20));
    }
}
