//! Arrays of other crates as the slices that loops over them run on.
//!
//! The macro takes a name for an array of ndarray's, or a picture of image's, by how its type is spelled. What it prints then calls the functions below, whose traits
//! no other type implements: so rustc confirms the name, or says that it stands for something else.

#[cfg(feature = "image")]
mod of_image;
#[cfg(feature = "ndarray")]
mod of_ndarray;

/// An array whose elements may lie row by row in one piece of memory.
#[diagnostic::on_unimplemented(
    message = "[accrue::H065] `{Self}` is no array of {RANK} dimensions of the crates `ndarray` and `image`",
    label = "taken for one by the name of its type",
    note = "with these features of accrue, `#[offload]` takes `Array2`, `ArrayView2`, `RgbImage` and their like for types of these crates; give another type another name"
)]
pub trait Flat<const RANK: usize> {
    /// An element.
    type Elem;

    /// Its elements row by row, where they lie so.
    fn slice(&self) -> Option<&[Self::Elem]>;

    /// How long each dimension is.
    fn lengths(&self) -> [usize; RANK];

    /// A copy of its elements, row by row, however they lie.
    fn copied(&self) -> Vec<Self::Elem>
    where
        Self::Elem: Clone;
}

/// One whose elements may be changed.
#[diagnostic::on_unimplemented(
    message = "[accrue::H065] `{Self}` is no array of {RANK} dimensions of the crates `ndarray` and `image` that may be changed",
    label = "taken for one by the name of its type",
    note = "with these features of accrue, `#[offload]` takes `Array2`, `ArrayViewMut2`, `RgbImage` and their like for types of these crates; give another type another name"
)]
pub trait FlatMut<const RANK: usize>: Flat<RANK> {
    /// Its elements row by row, where they lie so.
    fn slice_mut(&mut self) -> Option<&mut [Self::Elem]>;

    /// Sets its elements, row by row, to as many values.
    fn set(&mut self, elements: Vec<Self::Elem>);
}

/// Whether an array has elements, and they lie row by row.
pub fn lies<A: Flat<RANK> + ?Sized, const RANK: usize>(array: &A) -> bool {
    array.slice().is_some_and(|elements| !elements.is_empty())
}

/// How long each dimension of an array is.
pub fn lengths<A: Flat<RANK> + ?Sized, const RANK: usize>(array: &A) -> [usize; RANK] {
    array.lengths()
}

/// The elements of an array that [`lies`] so.
///
/// # Panics
///
/// If it does not.
pub fn flat<A: Flat<RANK> + ?Sized, const RANK: usize>(array: &A) -> &[A::Elem] {
    array.slice().expect("the array lies row by row")
}

/// The same, to be changed.
///
/// # Panics
///
/// If it does not lie so.
pub fn flat_mut<A: FlatMut<RANK> + ?Sized, const RANK: usize>(array: &mut A) -> &mut [A::Elem] {
    array.slice_mut().expect("the array lies row by row")
}

/// A copy of an array's elements, however they lie.
pub fn kept<A: Flat<RANK, Elem: Clone> + ?Sized, const RANK: usize>(array: &A) -> Vec<A::Elem> {
    array.copied()
}

/// Gives an array the elements that it had.
pub fn put_back<A: FlatMut<RANK> + ?Sized, const RANK: usize>(array: &mut A, kept: Vec<A::Elem>) {
    array.set(kept);
}

/// The element `[i]`.
#[inline(always)]
#[track_caller]
pub fn at1(i: usize, n: usize) -> usize {
    if i >= n {
        outside();
    }
    i
}

/// The element `[y, x]` of `h` rows of `w`.
#[inline(always)]
#[track_caller]
pub fn at2(y: usize, x: usize, h: usize, w: usize) -> usize {
    if y >= h || x >= w {
        outside();
    }
    in2(y, x, h, w)
}

/// The element `[z, y, x]` of `d` planes of `h` rows of `w`.
#[inline(always)]
#[track_caller]
pub fn at3(z: usize, y: usize, x: usize, d: usize, h: usize, w: usize) -> usize {
    if z >= d || y >= h || x >= w {
        outside();
    }
    in3(z, y, x, d, h, w)
}

/// The element `[i]`, which is known to be in range: what only the slice checks.
#[inline(always)]
pub fn in1(i: usize, _: usize) -> usize {
    i
}

/// The element `[y, x]`, likewise. What is in range does not wrap.
#[inline(always)]
pub fn in2(y: usize, x: usize, _: usize, w: usize) -> usize {
    y.wrapping_mul(w).wrapping_add(x)
}

/// The element `[z, y, x]`, likewise.
#[inline(always)]
pub fn in3(z: usize, y: usize, x: usize, _: usize, h: usize, w: usize) -> usize {
    in2(in2(z, y, 0, h), x, 0, w)
}

/// The vector `[y]` of `h`.
#[inline(always)]
#[track_caller]
pub fn of1(y: usize, h: usize) -> usize {
    if y >= h {
        beyond(y, h);
    }
    y
}

/// The element `[x]` of the vector `[y]` of `h`, each of which has `w`.
#[inline(always)]
#[track_caller]
pub fn of2(y: usize, x: usize, h: usize, w: usize) -> usize {
    if x >= w {
        beyond(x, w);
    }
    in2(of1(y, h), x, h, w)
}

/// A vector's panic.
#[cold]
#[track_caller]
fn beyond(index: usize, len: usize) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {index}")
}

/// The pixel `(x, y)` of a picture of `h` rows of `w`.
#[inline(always)]
#[track_caller]
pub fn pixel(x: u32, y: u32, h: usize, w: usize) -> usize {
    let (column, row) = (x as usize, y as usize);
    if column >= w || row >= h {
        outside_picture(x, y, h, w);
    }
    in2(row, column, h, w)
}

/// The same, which is known to be in range.
#[inline(always)]
pub fn pixel_in(x: u32, y: u32, h: usize, w: usize) -> usize {
    in2(y as usize, x as usize, h, w)
}

/// image's panic.
#[cold]
#[track_caller]
fn outside_picture(x: u32, y: u32, h: usize, w: usize) -> ! {
    panic!("Image index {:?} out of bounds {:?}", (x, y), (w, h))
}

/// ndarray's panic.
#[cold]
#[track_caller]
fn outside() -> ! {
    panic!("ndarray: index out of bounds")
}
