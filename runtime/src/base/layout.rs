//! How a type lies in memory, as rustc says it, for comparing it with what a kernel was printed for.

/// The layout of a [`DeviceType`](crate::DeviceType).
#[derive(Clone, Copy, Debug)]
pub enum Layout {
    /// Nothing is known of it: no kernel reads it.
    Unknown,
    /// A primitive, by its name.
    Scalar(&'static str),
    /// So many of the same.
    Array(&'static Layout, usize),
    /// A struct: its size, its alignment, and the names, offsets and layouts of its fields.
    Struct(usize, usize, &'static [(&'static str, usize, Layout)]),
}

impl PartialEq for Layout {
    /// What is not known is like nothing.
    fn eq(&self, other: &Layout) -> bool {
        match (self, other) {
            (Layout::Scalar(a), Layout::Scalar(b)) => a == b,
            (Layout::Array(a, n), Layout::Array(b, m)) => n == m && a == b,
            (
                Layout::Struct(size, align, fields),
                Layout::Struct(other_size, other_align, other),
            ) => size == other_size && align == other_align && fields == other,
            _ => false,
        }
    }
}

/// The alignment that every device's memory has: what types may ask for.
pub(crate) const LARGEST_ALIGN: usize = 256;

/// Checks, when a `derive(DeviceType)` is compiled, that a struct lies as C lays it out, which is what kernels are printed for.
///
/// `fields` are the size, the alignment and the offset of each; `asked` is what `align(..)` asks for, or 1.
///
/// # Panics
///
/// If it does not; in a constant that is an error of the compiler.
pub const fn check_struct(size: usize, align: usize, fields: &[[usize; 3]], asked: usize) {
    let mut end: usize = 0;
    let mut widest = asked;
    let mut n = 0;
    while n < fields.len() {
        let [size, align, offset] = fields[n];
        assert!(
            offset == end.next_multiple_of(align),
            "accrue::H050: a field of this device struct does not lie where C puts it"
        );
        end = offset + size;
        if align > widest {
            widest = align;
        }
        n += 1;
    }
    assert!(
        align == widest,
        "accrue::H050: this device struct has another alignment than C gives it"
    );
    assert!(
        size == end.next_multiple_of(widest),
        "accrue::H050: this device struct has another size than C gives it"
    );
    assert!(
        size > 0,
        "accrue::H050: a device struct of size 0 holds no data"
    );
    assert!(
        align <= LARGEST_ALIGN,
        "accrue::H051: device memory is aligned to 256 bytes, and this type asks for more"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIR: Layout = Layout::Struct(
        8,
        4,
        &[
            ("a", 0, Layout::Scalar("u8")),
            ("b", 4, Layout::Scalar("f32")),
        ],
    );

    #[test]
    fn layouts_differ_in_every_part() {
        let others = [
            Layout::Struct(
                12,
                4,
                &[
                    ("a", 0, Layout::Scalar("u8")),
                    ("b", 4, Layout::Scalar("f32")),
                ],
            ),
            Layout::Struct(
                8,
                8,
                &[
                    ("a", 0, Layout::Scalar("u8")),
                    ("b", 4, Layout::Scalar("f32")),
                ],
            ),
            Layout::Struct(
                8,
                4,
                &[
                    ("b", 0, Layout::Scalar("u8")),
                    ("a", 4, Layout::Scalar("f32")),
                ],
            ),
            Layout::Struct(
                8,
                4,
                &[
                    ("a", 1, Layout::Scalar("u8")),
                    ("b", 4, Layout::Scalar("f32")),
                ],
            ),
            Layout::Struct(
                8,
                4,
                &[
                    ("a", 0, Layout::Scalar("u8")),
                    ("b", 4, Layout::Scalar("f64")),
                ],
            ),
            Layout::Struct(8, 4, &[("a", 0, Layout::Scalar("u8"))]),
            Layout::Array(&PAIR, 2),
            Layout::Unknown,
        ];
        assert_eq!(PAIR, PAIR);
        for other in others {
            assert_ne!(PAIR, other);
        }
        assert_eq!(Layout::Array(&PAIR, 2), Layout::Array(&PAIR, 2));
        assert_ne!(Layout::Array(&PAIR, 2), Layout::Array(&PAIR, 3));
        assert_ne!(Layout::Unknown, Layout::Unknown);
    }

    #[test]
    fn c_structs_pass() {
        check_struct(8, 4, &[[1, 1, 0], [4, 4, 4]], 1);
        check_struct(16, 16, &[[4, 4, 0], [4, 4, 4]], 16);
        check_struct(4, 4, &[[0, 4, 0], [4, 4, 0]], 1);
        check_struct(8, 4, &[[4, 4, 0], [1, 1, 4], [0, 1, 5]], 2);
    }

    #[test]
    fn others_do_not() {
        let fails = |size, align, fields: &[[usize; 3]], asked| {
            std::panic::catch_unwind(|| check_struct(size, align, fields, asked)).is_err()
        };
        assert!(fails(5, 1, &[[1, 1, 0], [4, 4, 1]], 1), "packed");
        assert!(fails(8, 4, &[[4, 4, 4], [1, 1, 0]], 1), "another order");
        assert!(
            fails(16, 16, &[[4, 4, 0], [4, 4, 4]], 1),
            "an alignment that was not seen"
        );
        assert!(fails(12, 4, &[[4, 4, 0], [4, 4, 4]], 1), "longer");
        assert!(fails(0, 4, &[[0, 4, 0]], 1), "nothing");
        assert!(fails(512, 512, &[[4, 4, 0]], 512), "more than memory has");
    }
}
