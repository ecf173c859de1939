//! Products of matrices: sums of products over an inner loop, for many rows and columns at once.
//!
//! ```text
//! for i in 0..m { for j in 0..n { let mut sum = 0.0; for k in 0..l { sum += a[i * l + k] * b[k * n + j]; } c[i * n + j] = sum; } }
//! ```
//!
//! As it is written such a loop reads a column of `b` for each element, from memory, and waits four cycles for each sum. Here a block of rows of `a` and of columns of `b` is copied
//! to where it is read in order and stays in caches, and so many sums are in registers that none waits (Goto and van de Geijn, *Anatomy of high-performance matrix
//! multiplication*, ACM TOMS 34, 2008). Each sum begins with what it began with and takes its products in the order of the loop, each rounded by itself: every bit is the plain
//! loop's. Where the user lets a product be rounded together with its sum, the two are one instruction where the processor has it.
//!
//! Symbols: R rows and C columns of a tile of sums, L products of a sum, D of them at a time.

use std::any::TypeId;
use std::ops::Range;
use std::slice;

use super::level::{Level, V3};

/// D: of so many products a panel of columns stays in a first-level cache of 32 KiB.
const DEPTH: usize = 192;

/// How many columns have a panel at a time: a mebibyte and a half in all.
const COLUMNS: usize = 1920;

/// How many rows are copied at a time: a part of a second-level cache.
const ROWS: usize = 96;

/// The bytes of sums that are computed at a time, at most.
const SUMS: usize = 4 << 20;

/// Fewer rows, columns or products are left to the loop as it is: copies would take as long as the sums.
const FEW: i128 = 8;

/// And fewer products in all.
const LEAST: i128 = if cfg!(any(miri, test)) {
    1 << 9
} else {
    1 << 13
};

/// Numbers of which products are made here.
trait Real: Copy + 'static {
    const ZERO: Self;
    /// Adds products of panels to the sums of a tile.
    ///
    /// # Safety
    ///
    /// As [`tile`].
    unsafe fn add<const FUSED: bool>(
        level: Tile,
        depth: usize,
        panels: [*const Self; 2],
        out: *mut Self,
        stride: usize,
    );
}

/// The tile of a level: R and C.
#[derive(Clone, Copy, Debug)]
enum Tile {
    Base,
    V3,
    V4,
}

impl Tile {
    fn here() -> Tile {
        // A crate that is built for a level has no other form of what the compiler makes by itself, but tiles have theirs.
        match (Level::here(), V3::of_processor()) {
            _ if cfg!(not(all(target_arch = "x86_64", not(miri)))) => Tile::Base,
            (Level::V4(_), _) => Tile::V4,
            (Level::Base, Some(_)) if cfg!(target_feature = "avx512vl") => Tile::V4,
            (_, Some(_)) => Tile::V3,
            _ => Tile::Base,
        }
    }

    /// R, and the bytes of C numbers.
    fn size(self) -> (usize, usize) {
        match self {
            Tile::Base => (4, 32),
            Tile::V3 => (6, 64),
            Tile::V4 => (12, 128),
        }
    }
}

/// So many numbers of a register.
trait Lanes<T>: Copy {
    const N: usize;
    /// # Safety
    ///
    /// The processor has what it is of, here and below; and there are `N` numbers.
    unsafe fn load(from: *const T) -> Self;
    /// # Safety
    ///
    /// There is room for `N` numbers.
    unsafe fn store(self, to: *mut T);
    /// # Safety
    ///
    /// As above.
    unsafe fn splat(of: T) -> Self;
    /// `self + a * b`, each rounded.
    ///
    /// # Safety
    ///
    /// As above.
    unsafe fn and_product(self, a: Self, b: Self) -> Self;
    /// The same, rounded once where there is an instruction for it.
    ///
    /// # Safety
    ///
    /// As above.
    unsafe fn and_fused(self, a: Self, b: Self) -> Self;
}

/// Whether what the compiler makes of it has an instruction for a product and a sum.
const BASE_FUSES: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));

/// What the compiler makes of it.
#[derive(Clone, Copy)]
struct Plain<T, const N: usize>([T; N]);

macro_rules! plain {
    ($($t:ty: $n:literal),*) => { $(
        impl Lanes<$t> for Plain<$t, $n> {
            const N: usize = $n;
            #[inline(always)]
            unsafe fn load(from: *const $t) -> Self {
                // SAFETY: the caller's promise.
                Plain(unsafe { from.cast::<[$t; $n]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $t) {
                // SAFETY: the caller's promise.
                unsafe { to.cast::<[$t; $n]>().write_unaligned(self.0) };
            }
            #[inline(always)]
            unsafe fn splat(of: $t) -> Self {
                Plain([of; $n])
            }
            #[inline(always)]
            unsafe fn and_product(mut self, a: Self, b: Self) -> Self {
                for n in 0..$n {
                    self.0[n] += a.0[n] * b.0[n];
                }
                self
            }
            #[inline(always)]
            unsafe fn and_fused(mut self, a: Self, b: Self) -> Self {
                if !BASE_FUSES {
                    // SAFETY: the caller's promise.
                    return unsafe { self.and_product(a, b) };
                }
                for n in 0..$n {
                    self.0[n] = a.0[n].mul_add(b.0[n], self.0[n]);
                }
                self
            }
        }
    )* };
}

plain! { f32: 4, f64: 2 }

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::*;

    use super::Lanes;

    macro_rules! vectors {
        ($($of:ty, $t:ty, $n:literal: $load:ident $store:ident $splat:ident $add:ident $mul:ident $fused:ident;)*) => { $(
            impl Lanes<$t> for $of {
                const N: usize = $n;
                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: the caller's promise, here and below.
                    unsafe { $load(from) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: as above.
                    unsafe { $store(to, self) };
                }
                #[inline(always)]
                unsafe fn splat(of: $t) -> Self {
                    // SAFETY: as above.
                    unsafe { $splat(of) }
                }
                #[inline(always)]
                unsafe fn and_product(self, a: Self, b: Self) -> Self {
                    // SAFETY: as above.
                    unsafe { $add(self, $mul(a, b)) }
                }
                #[inline(always)]
                unsafe fn and_fused(self, a: Self, b: Self) -> Self {
                    // SAFETY: as above.
                    unsafe { $fused(a, b, self) }
                }
            }
        )* };
    }

    vectors! {
        __m256, f32, 8: _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps _mm256_add_ps _mm256_mul_ps _mm256_fmadd_ps;
        __m256d, f64, 4: _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd _mm256_add_pd _mm256_mul_pd _mm256_fmadd_pd;
        __m512, f32, 16: _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps _mm512_add_ps _mm512_mul_ps _mm512_fmadd_ps;
        __m512d, f64, 8: _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd _mm512_add_pd _mm512_mul_pd _mm512_fmadd_pd;
    }
}

/// Adds `depth` products to each of R times C sums, of rows that are `stride` apart: of panels of R numbers and of C numbers for each of the products.
///
/// # Safety
///
/// There are as many numbers, and nobody else uses the sums; and the processor has what `V` is of.
#[inline(always)]
unsafe fn tile<T: Copy, V: Lanes<T>, const R: usize, const C: usize, const FUSED: bool>(
    depth: usize,
    [a, b]: [*const T; 2],
    out: *mut T,
    stride: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = V::load(b);
        let mut sums = [[zero; C]; R];
        for (r, sums) in sums.iter_mut().enumerate() {
            for (c, sum) in sums.iter_mut().enumerate() {
                *sum = V::load(out.add(r * stride + c * V::N));
            }
        }
        for k in 0..depth {
            let mut columns = [zero; C];
            for (c, column) in columns.iter_mut().enumerate() {
                *column = V::load(b.add((k * C + c) * V::N));
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let row = V::splat(*a.add(k * R + r));
                for (sum, column) in sums.iter_mut().zip(columns) {
                    *sum = match FUSED {
                        true => sum.and_fused(row, column),
                        false => sum.and_product(row, column),
                    };
                }
            }
        }
        for (r, sums) in sums.into_iter().enumerate() {
            for (c, sum) in sums.into_iter().enumerate() {
                sum.store(out.add(r * stride + c * V::N));
            }
        }
    }
}

macro_rules! reals {
    ($($t:ident: $base:ty, $v3:ty, $v4:ty;)*) => { $(
        impl Real for $t {
            const ZERO: $t = 0.0;

            unsafe fn add<const FUSED: bool>(level: Tile, depth: usize, panels: [*const $t; 2], out: *mut $t, stride: usize) {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma")]
                unsafe fn v3<const FUSED: bool>(depth: usize, panels: [*const $t; 2], out: *mut $t, stride: usize) {
                    // SAFETY: the caller's promise.
                    unsafe { tile::<$t, $v3, 6, 2, FUSED>(depth, panels, out, stride) };
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f")]
                unsafe fn v4<const FUSED: bool>(depth: usize, panels: [*const $t; 2], out: *mut $t, stride: usize) {
                    // SAFETY: the caller's promise.
                    unsafe { tile::<$t, $v4, 12, 2, FUSED>(depth, panels, out, stride) };
                }
                // SAFETY: the caller's promise; `Tile::here` has seen what the processor has.
                unsafe {
                    match level {
                        #[cfg(target_arch = "x86_64")]
                        Tile::V4 => v4::<FUSED>(depth, panels, out, stride),
                        #[cfg(target_arch = "x86_64")]
                        Tile::V3 => v3::<FUSED>(depth, panels, out, stride),
                        _ => tile::<$t, $base, 4, 2, FUSED>(depth, panels, out, stride),
                    }
                }
            }
        }
    )* };
}

#[cfg(target_arch = "x86_64")]
reals! {
    f32: Plain<f32, 4>, std::arch::x86_64::__m256, std::arch::x86_64::__m512;
    f64: Plain<f64, 2>, std::arch::x86_64::__m256d, std::arch::x86_64::__m512d;
}
#[cfg(not(target_arch = "x86_64"))]
reals! {
    f32: Plain<f32, 4>, (), ();
    f64: Plain<f64, 2>, (), ();
}

/// An array that is read at places which go up by the same from one row or column, and one product, to the next.
#[derive(Clone, Copy, Debug)]
struct Operand<'a, T> {
    of: &'a [T],
    first: usize,
    /// By how much from one row, or column, to the next.
    along: usize,
    /// By how much from one product to the next.
    down: usize,
}

impl<T: Copy> Operand<'_, T> {
    /// Copies stretches of rows, or columns, into panels of `wide` of them, with all that there are for one product side by side. What is beyond the last one stays as it is.
    fn pack(&self, lines: Range<usize>, products: Range<usize>, wide: usize, to: &mut [T]) {
        let panels = to.chunks_mut(wide * products.len());
        for (panel, first) in panels.zip(lines.clone().step_by(wide)) {
            let count = wide.min(lines.end - first);
            for (line, k) in panel.chunks_mut(wide).zip(products.clone()) {
                let at = self.first + first * self.along + k * self.down;
                let line = &mut line[..count];
                match self.along {
                    1 => line.copy_from_slice(&self.of[at..at + count]),
                    along => {
                        for (n, to) in line.iter_mut().enumerate() {
                            *to = self.of[at + n * along];
                        }
                    }
                }
            }
        }
    }
}

/// Sums of products for all rows of a part and all columns, with the memory that they need.
#[derive(Debug)]
pub struct Product<'a, T> {
    /// Of rows, and of columns.
    operands: [Operand<'a, T>; 2],
    rows: usize,
    columns: usize,
    products: usize,
    panels: [Vec<T>; 2],
    sums: Vec<T>,
    /// How many of these have been taken.
    taken: usize,
    /// Whether each product is rounded together with its sum where the processor can.
    fused: bool,
}

/// Where an array is read, as a number of row, column and product; nothing where that is no number of an element by any means.
type At<'f> = &'f dyn Fn([i128; 3]) -> Option<i128>;

/// The products of an array's and another one's elements, at places that are affine in the numbers of row, column and product, with steps that are not negative. Nothing where these are not numbers of
/// a matrix's rows and of another one's columns, where an element is out of range, or where it is not worth it.
pub fn product<'a, T: Copy + 'static>(
    arrays: [&'a [T]; 2],
    at: [At<'_>; 2],
    ranges: [Range<i128>; 3],
) -> Option<Product<'a, T>> {
    of(arrays, at, ranges, false)
}

/// The same, each product rounded together with its sum where the processor can: of any number of rows, so that it makes no difference how they are split.
pub fn fused<'a, T: Copy + 'static>(
    arrays: [&'a [T]; 2],
    at: [At<'_>; 2],
    ranges: [Range<i128>; 3],
) -> Option<Product<'a, T>> {
    of(arrays, at, ranges, true)
}

fn of<'a, T: Copy + 'static>(
    arrays: [&'a [T]; 2],
    at: [At<'_>; 2],
    ranges: [Range<i128>; 3],
    fused: bool,
) -> Option<Product<'a, T>> {
    let is = |ty| TypeId::of::<T>() == ty;
    let counts = ranges.clone().map(|range| range.end - range.start);
    let floats = is(TypeId::of::<f32>()) || is(TypeId::of::<f64>());
    let all = counts.iter().fold(1i128, |all, n| all.saturating_mul(*n));
    let few = counts.map(|n| n < FEW);
    let worth = match fused {
        true => counts[0] > 0 && few == [few[0], false, false],
        false => few == [false; 3] && all >= LEAST,
    };
    if !floats || !worth {
        return None;
    }
    let [rows, columns, products] = counts.map(|n| usize::try_from(n).ok());
    let (rows, columns, products) = (rows?, columns?, products?);
    let first = ranges.clone().map(|range| range.start);
    let last = ranges.map(|range| range.end - 1);
    let mut operands = [None; 2];
    for (of, at) in arrays.into_iter().zip(at) {
        // Every part of an index is greatest at the last place of all, and least at the first.
        usize::try_from(at(last)?).ok().filter(|n| *n < of.len())?;
        let begin = at(first)?;
        let mut steps = [0; 3];
        for (dim, step) in steps.iter_mut().enumerate() {
            let mut next = first;
            next[dim] += 1;
            *step = usize::try_from(at(next)? - begin).ok()?;
        }
        let (side, along) = match steps {
            [row, 0, _] => (0, row),
            [0, column, _] => (1, column),
            _ => return None,
        };
        let first = usize::try_from(begin).ok()?;
        let down = steps[2];
        let operand = Operand {
            of,
            first,
            along,
            down,
        };
        // Two of rows, or of columns, alone make no matrix.
        if operands[side].replace(operand).is_some() {
            return None;
        }
    }
    let [Some(a), Some(b)] = operands else {
        return None;
    };
    // Panels are whole.
    let lines = |all: usize, most: usize| all.min(most).next_multiple_of(WIDEST);
    let depth = products.min(DEPTH);
    let at_a_time = rows.min((SUMS / size_of::<T>() / columns).max(ROWS));
    let room = |n: usize| {
        let mut room = Vec::new();
        room.try_reserve_exact(n).ok().map(|()| room)
    };
    Some(Product {
        operands: [a, b],
        rows,
        columns,
        products,
        panels: [
            room(lines(rows, ROWS) * depth)?,
            room(lines(columns, COLUMNS) * depth)?,
        ],
        sums: room(at_a_time.checked_mul(columns)?)?,
        taken: 0,
        fused,
    })
}

/// Whether elements at places of rows and columns are all different, and so many for all products.
pub fn apart(at: At<'_>, ranges: [Range<i128>; 3]) -> bool {
    let [rows, columns, _] = ranges.clone().map(|range| range.end - range.start);
    let first = ranges.map(|range| range.start);
    let step = |dim: usize| {
        let mut next = first;
        next[dim] += 1;
        Some(at(next)? - at(first)?)
    };
    let steps = (step(0), step(1), step(2));
    let (Some(row), Some(column), Some(0)) = steps else {
        return false;
    };
    // Behind all of a row, or of a column, comes the next one.
    column > 0 && row >= column * columns || row > 0 && column >= row * rows
}

/// As numbers of another type, which is theirs.
fn same<T: 'static, U: 'static>(of: &[T]) -> Option<&[U]> {
    // SAFETY: it is the same type.
    (TypeId::of::<T>() == TypeId::of::<U>())
        .then(|| unsafe { slice::from_raw_parts(of.as_ptr().cast(), of.len()) })
}

/// As numbers of another type, which is theirs.
fn same_mut<T: 'static, U: 'static>(of: &mut [T]) -> Option<&mut [U]> {
    // SAFETY: it is the same type.
    (TypeId::of::<T>() == TypeId::of::<U>())
        .then(|| unsafe { slice::from_raw_parts_mut(of.as_mut_ptr().cast(), of.len()) })
}

impl<T: Copy + 'static> Product<'_, T> {
    /// The parts of the rows whose sums there is room for at a time.
    pub fn parts(&self) -> impl Iterator<Item = Range<usize>> + use<T> {
        let (rows, at_a_time) = (self.rows, (self.sums.capacity() / self.columns).max(1));
        (0..rows)
            .step_by(at_a_time)
            .map(move |first| first..rows.min(first + at_a_time))
    }

    /// Says what a sum begins with, in the order of rows and of columns in them.
    #[inline(always)]
    pub fn begin(&mut self, with: T) {
        self.sums.push(with);
    }

    /// What a sum has come to, in the order in which they began.
    #[inline(always)]
    pub fn take(&mut self) -> T {
        let sum = self.sums[self.taken];
        self.taken += 1;
        sum
    }

    /// Forgets the sums.
    pub fn clear(&mut self) {
        self.sums.clear();
        self.taken = 0;
    }

    /// All sums of some rows begin with the same.
    pub fn begin_all(&mut self, rows: usize, with: T) {
        self.sums.resize(rows * self.columns, with);
    }

    /// Adds the products of some rows, all of whose sums have begun.
    ///
    /// # Panics
    ///
    /// If they have not.
    pub fn add(&mut self, rows: Range<usize>) {
        assert_eq!(self.sums.len(), rows.len() * self.columns);
        match self.fused {
            true => {
                self.add_as::<f32, true>(&rows);
                self.add_as::<f64, true>(&rows);
            }
            false => {
                self.add_as::<f32, false>(&rows);
                self.add_as::<f64, false>(&rows);
            }
        }
    }

    /// The same, if the numbers are of this type.
    fn add_as<U: Real, const FUSED: bool>(&mut self, rows: &Range<usize>) {
        let tile = Tile::here();
        let (r, bytes) = tile.size();
        let c = bytes / size_of::<U>();
        let [a, b] = self.operands;
        let [Some(_), Some(_)] = [same::<T, U>(a.of), same::<T, U>(b.of)] else {
            return;
        };
        let (columns, products) = (self.columns, self.products);
        let [panel_a, panel_b] = &mut self.panels;
        let zero = a.of[a.first];
        panel_a.resize(panel_a.capacity(), zero);
        panel_b.resize(panel_b.capacity(), zero);
        for left in (0..columns).step_by(COLUMNS) {
            let right = columns.min(left + COLUMNS);
            for from in (0..products).step_by(DEPTH) {
                let depth = DEPTH.min(products - from);
                let products = from..from + depth;
                b.pack(left..right, products.clone(), c, panel_b);
                for top in (rows.start..rows.end).step_by(ROWS) {
                    let bottom = rows.end.min(top + ROWS);
                    a.pack(top..bottom, products.clone(), r, panel_a);
                    let Some(sums) = same_mut::<T, U>(&mut self.sums) else {
                        return;
                    };
                    let Some(panels) = same::<T, U>(panel_a).zip(same::<T, U>(panel_b)) else {
                        return;
                    };
                    let at = |row: usize, column: usize| (row - rows.start) * columns + column;
                    for (n, column) in (left..right).step_by(c).enumerate() {
                        for (m, row) in (top..bottom).step_by(r).enumerate() {
                            let panels = [
                                panels.0[m * r * depth..][..r * depth].as_ptr(),
                                panels.1[n * c * depth..][..c * depth].as_ptr(),
                            ];
                            let inside = row + r <= bottom && column + c <= right;
                            if inside {
                                let out = &mut sums[at(row, column)..at(row + r - 1, column) + c];
                                // SAFETY: the sums are within these, row by row; the panels have R and C numbers for each product.
                                unsafe {
                                    U::add::<FUSED>(tile, depth, panels, out.as_mut_ptr(), columns)
                                };
                                continue;
                            }
                            // Beyond the last row or column others lie.
                            let mut own = [U::ZERO; MOST];
                            let count = c.min(right - column);
                            for (own, row) in own.chunks_mut(c).zip(row..bottom.min(row + r)) {
                                own[..count].copy_from_slice(&sums[at(row, column)..][..count]);
                            }
                            // SAFETY: as above, of a tile by itself.
                            unsafe { U::add::<FUSED>(tile, depth, panels, own.as_mut_ptr(), c) };
                            for (own, row) in own.chunks(c).zip(row..bottom.min(row + r)) {
                                sums[at(row, column)..][..count].copy_from_slice(&own[..count]);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// R times C, at most.
const MOST: usize = 12 * 32;

/// A multiple of every R and C.
const WIDEST: usize = 96;

/// A sum of two numbers of an index, where it can be one.
#[inline(always)]
pub fn plus(a: i128, b: i128) -> Option<i128> {
    index(a.checked_add(b)?)
}

/// A difference of such.
#[inline(always)]
pub fn minus(a: i128, b: i128) -> Option<i128> {
    index(a.checked_sub(b)?)
}

/// A product of such.
#[inline(always)]
pub fn times(a: i128, b: i128) -> Option<i128> {
    index(a.checked_mul(b)?)
}

/// A number of an index, if it can be one.
#[inline(always)]
pub fn index(n: i128) -> Option<i128> {
    usize::try_from(n).is_ok().then_some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers whose sums round.
    fn numbers<T>(len: usize, seed: u64, of: impl Fn(f64) -> T) -> Vec<T> {
        let mut state = seed;
        let next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            of((state >> 40) as f64 / 1e6 - 8.0)
        };
        std::iter::repeat_with(next).take(len).collect()
    }

    /// Products of `m` by `l` and `l` by `n`, the second one by rows or by columns, begun with something.
    fn compares<T>(
        [m, n, l]: [usize; 3],
        turned: bool,
        of: impl Fn(f64) -> T + Copy,
        fused: Option<fn(T, T, T) -> T>,
    ) where
        T: Real
            + std::fmt::Debug
            + PartialEq
            + std::ops::Mul<Output = T>
            + std::ops::Add<Output = T>,
    {
        let (a, b) = (numbers(m * l, 1, of), numbers(l * n, 2, of));
        let begin = numbers(m * n, 3, of);
        let tile_fuses = !matches!(Tile::here(), Tile::Base) || BASE_FUSES;
        let [down, along] = if turned { [1, l] } else { [n, 1] };
        let mut expected = begin.clone();
        for i in 0..m {
            for j in 0..n {
                for k in 0..l {
                    let (x, y, sum) = (a[i * l + k], b[k * down + j * along], expected[i * n + j]);
                    expected[i * n + j] = match fused {
                        Some(fused) if tile_fuses => fused(x, y, sum),
                        _ => sum + x * y,
                    };
                }
            }
        }
        let number = |n: usize| n as i128;
        let of_a = |[i, _, k]: [i128; 3]| plus(times(i, number(l))?, k);
        let of_b = |[_, j, k]: [i128; 3]| plus(times(k, number(down))?, times(j, number(along))?);
        let ranges = [m, n, l].map(|n| 0..number(n));
        let made = if fused.is_some() {
            super::fused
        } else {
            product
        };
        let mut product = made([&b, &a], [&of_b, &of_a], ranges).unwrap();
        let mut sums = Vec::new();
        for rows in product.parts() {
            product.clear();
            for sum in &begin[rows.start * n..rows.end * n] {
                product.begin(*sum);
            }
            product.add(rows.clone());
            sums.extend((0..rows.len() * n).map(|_| product.take()));
        }
        assert_eq!(sums, expected, "{m} {n} {l}");
    }

    #[test]
    fn sums_are_the_plain_loops() {
        let sizes = match cfg!(miri) {
            true => &[[9, 11, 8]][..],
            false => &[
                [8, 8, 8],
                [13, 33, 200],
                [97, 40, 193],
                [25, 2100, 9],
                [24, 64, 400],
            ],
        };
        for &size in sizes {
            for turned in [false, true] {
                compares(size, turned, |x| x as f32, None);
                compares(size, turned, |x| x, None);
                compares(size, turned, |x| x as f32, Some(f32::mul_add));
                compares(size, turned, |x| x, Some(f64::mul_add));
            }
        }
    }

    #[test]
    fn what_is_no_product_is_none() {
        let a = [1.0f32; 64];
        let ranges = || [0..8, 0..8, 0..8];
        let rows = |[i, _, k]: [i128; 3]| plus(times(i, 8)?, k);
        let columns = |[_, j, k]: [i128; 3]| plus(times(k, 8)?, j);
        let both = |[i, j, _]: [i128; 3]| plus(times(i, 8)?, j);
        let beyond = |[_, j, k]: [i128; 3]| plus(times(k, 9)?, j);
        assert!(product([&a, &a], [&rows, &columns], ranges()).is_some());
        assert!(product([&a, &a], [&rows, &rows], ranges()).is_none());
        assert!(product([&a, &a], [&rows, &both], ranges()).is_none());
        assert!(product([&a, &a], [&rows, &beyond], ranges()).is_none());
        assert!(product([&a, &a], [&rows, &columns], [0..7, 0..8, 0..8]).is_none());
        assert!(fused([&a, &a], [&rows, &columns], [0..1, 0..8, 0..8]).is_some());
        assert!(fused([&a, &a], [&rows, &columns], [0..8, 0..7, 0..8]).is_none());
        let words = [1u32; 64];
        assert!(product([&words, &words], [&rows, &columns], ranges()).is_none());
    }
}
