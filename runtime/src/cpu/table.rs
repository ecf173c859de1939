//! Private tables: where a worker's updates go before they reach the bins.
//!
//! A [`Plain`] table has one slot for each bin. A [`Striped`] one has [`LANES`] slots for each bin of a
//! *window* of the bins, and the items of a block take turns in them: an update of a bin that was updated a moment ago
//! waits for the store before it to be forwarded to its load, some seven cycles, and in another lane it does
//! not. The lanes of a bin lie side by side, so that a hot bin occupies one cache line. Bins outside the window are in
//! the plain table. Where all bins fit the window it is all of them; where they do not, the hot ones
//! are few and usually near each other, and the window is put over them.
//!
//! These types are what emitted code sees: views for the time of one inner loop. They have no destructors,
//! so that a loop has them in registers; the memory is in a [`Store`](super::store::Store).
//!
//! None of them panics. An index out of range and, where the profile checks it, an overflow set the run's *fault*;
//! what the tables hold is worthless from then on, and the caller runs the user's own loop for the user's own panic.

use std::hint::assert_unchecked;
use std::marker::PhantomData;

pub(super) use super::fault::Fault;
use super::fault::PANICS_END;
use super::level::{Has, Inlined};
use super::op::{Operator, TwoSigns, Value};
use crate::base::bin::Slot;

/// How many slots a bin has in the window of a [`Striped`] table. Eight updates of about a cycle cover the
/// latency of store-to-load forwarding with an addition.
pub(super) const LANES: usize = super::source::BLOCK;

/// The largest window in bytes. With the keys' stream and the plain table's hot lines it stays in a
/// second-level cache of 256 KiB, the smallest in use.
const WINDOW_BYTES: usize = 128 << 10;

/// How many bins a window may have.
pub(super) const fn window_len<B>() -> usize {
    WINDOW_BYTES / size_of::<[B; LANES]>()
}

/// How many indices a bin array has, and how they make one.
///
/// # Safety
///
/// A slot is less than the length that it is asked for.
pub unsafe trait Shape: Copy + Default + Send + Sync + 'static {
    /// The index as the update has it.
    type Index: Copy;

    /// The position in the flattened array; `usize::MAX` if an inner index is out of range.
    fn flat(index: Self::Index) -> usize;

    /// The position in a flattened array of so many bins; or what `outside` makes of the index that is out of range, the first that the loop as it is written
    /// comes to, and of what there are of these.
    ///
    /// Each index is compared by itself, as in that loop, and `outside` called for itself: no product may overflow, and the compiler does not join two comparisons
    /// into one, of indices that it then computes side by side, which may take far longer.
    fn slot<E>(
        index: Self::Index,
        len: usize,
        outside: impl Fn(usize, usize) -> E,
    ) -> Result<usize, E>;

    /// The outermost index.
    fn outermost(index: Self::Index) -> usize;

    /// Whether one of the others is out of range.
    fn inner_outside(index: Self::Index) -> bool;

    /// How many indices there are.
    const DEPTH: usize;

    /// How many values the last one may have, where there are several.
    const LAST: usize;

    /// The position among the rows that the last index chooses in, and the last index; `usize::MAX` if another inner one is out of range.
    fn row(index: Self::Index) -> (usize, usize);

    /// How many bins an outermost index stands for.
    const ROW: usize;

    /// Whether private tables have their columns one behind the other, [`Turned`].
    const TURNED: bool = false;

    /// Where the slot of a bin is in a private table of so many.
    #[inline(always)]
    fn place(bin: usize, len: usize) -> usize {
        match Self::TURNED {
            true => bin % Self::LAST * (len / Self::LAST) + bin / Self::LAST,
            false => bin,
        }
    }

    /// How many bins there are, where the type says it. Checks of indices that the compiler knows to be
    /// small then vanish, as they do in the user's own loop over an array.
    const LEN: Option<usize> = None;
}

/// An index, if it is less than `len`.
#[inline(always)]
fn within<E>(
    index: usize,
    len: usize,
    outside: impl FnOnce(usize, usize) -> E,
) -> Result<usize, E> {
    match index < len {
        true => Ok(index),
        false => Err(outside(index, len)),
    }
}

/// `h[i]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line;

// SAFETY: it is compared.
unsafe impl Shape for Line {
    type Index = usize;
    const DEPTH: usize = 1;
    const LAST: usize = 1;
    const ROW: usize = 1;

    #[inline(always)]
    fn row(index: usize) -> (usize, usize) {
        (index, 0)
    }

    #[inline(always)]
    fn flat(index: usize) -> usize {
        index
    }

    #[inline(always)]
    fn slot<E>(index: usize, len: usize, outside: impl Fn(usize, usize) -> E) -> Result<usize, E> {
        within(index, len, outside)
    }

    #[inline(always)]
    fn outermost(index: usize) -> usize {
        index
    }

    #[inline(always)]
    fn inner_outside(_: usize) -> bool {
        false
    }
}

/// An array of `N` instead of a slice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole<X, const N: usize>(X);

// SAFETY: as the shape inside.
unsafe impl<X: Shape, const N: usize> Shape for Whole<X, N> {
    type Index = X::Index;
    const DEPTH: usize = X::DEPTH;
    const LAST: usize = X::LAST;
    const ROW: usize = X::ROW;
    const LEN: Option<usize> = Some(N * X::ROW);

    #[inline(always)]
    fn row(index: X::Index) -> (usize, usize) {
        X::row(index)
    }

    #[inline(always)]
    fn flat(index: X::Index) -> usize {
        X::flat(index)
    }

    #[inline(always)]
    fn slot<E>(
        index: X::Index,
        len: usize,
        outside: impl Fn(usize, usize) -> E,
    ) -> Result<usize, E> {
        X::slot(index, len, outside)
    }

    #[inline(always)]
    fn outermost(index: X::Index) -> usize {
        X::outermost(index)
    }

    #[inline(always)]
    fn inner_outside(index: X::Index) -> bool {
        X::inner_outside(index)
    }
}

/// `h[y][x]` with rows of `M`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grid<const M: usize>;

// SAFETY: the row is one of those that are there as a whole, and the last index is within it.
unsafe impl<const M: usize> Shape for Grid<M> {
    type Index = [usize; 2];
    const DEPTH: usize = 2;
    const LAST: usize = M;
    const ROW: usize = M;

    #[inline(always)]
    fn row([y, x]: [usize; 2]) -> (usize, usize) {
        (y, x)
    }

    #[inline(always)]
    fn flat([y, x]: [usize; 2]) -> usize {
        // An index beyond any row's position saturates, which is out of range too.
        if x < M {
            y.saturating_mul(M).saturating_add(x)
        } else {
            usize::MAX
        }
    }

    #[inline(always)]
    fn slot<E>(
        [y, x]: [usize; 2],
        len: usize,
        outside: impl Fn(usize, usize) -> E,
    ) -> Result<usize, E> {
        let rows = len.checked_div(M).unwrap_or(usize::MAX);
        let y = within(y, rows, &outside)?;
        Ok(y * M + within(x, M, outside)?)
    }

    #[inline(always)]
    fn outermost([y, _]: [usize; 2]) -> usize {
        y
    }

    #[inline(always)]
    fn inner_outside([_, x]: [usize; 2]) -> bool {
        x >= M
    }
}

/// `h[z][y][x]` with planes of `N` rows of `M`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cube<const N: usize, const M: usize>;

// SAFETY: as above, of planes.
unsafe impl<const N: usize, const M: usize> Shape for Cube<N, M> {
    type Index = [usize; 3];
    const DEPTH: usize = 3;
    const LAST: usize = M;
    const ROW: usize = N * M;

    #[inline(always)]
    fn row([z, y, x]: [usize; 3]) -> (usize, usize) {
        // As `flat` has it.
        match y < N {
            true => (z.saturating_mul(N).saturating_add(y), x),
            false => (usize::MAX, x),
        }
    }

    #[inline(always)]
    fn flat([z, y, x]: [usize; 3]) -> usize {
        if x < M && y < N {
            z.saturating_mul(N * M).saturating_add(y * M + x)
        } else {
            usize::MAX
        }
    }

    #[inline(always)]
    fn slot<E>(
        [z, y, x]: [usize; 3],
        len: usize,
        outside: impl Fn(usize, usize) -> E,
    ) -> Result<usize, E> {
        let planes = len.checked_div(N * M).unwrap_or(usize::MAX);
        let z = within(z, planes, &outside)?;
        let y = within(y, N, &outside)?;
        Ok(z * (N * M) + y * M + within(x, M, outside)?)
    }

    #[inline(always)]
    fn outermost([z, _, _]: [usize; 3]) -> usize {
        z
    }

    #[inline(always)]
    fn inner_outside([_, y, x]: [usize; 3]) -> bool {
        (y >= N) | (x >= M)
    }
}

/// Bins whose private tables have their columns one behind the other, for nested loops of which the inner one runs over the columns and updates any row of each:
/// `votes[distance][t] += 1`. The outer loop is run for one column after another, and what it updates of a column, a row's part of the table, is in a first-level cache.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turned<X>(X);

// SAFETY: as the shape inside.
unsafe impl<X: Shape> Shape for Turned<X> {
    type Index = X::Index;
    const DEPTH: usize = X::DEPTH;
    const LAST: usize = X::LAST;
    const ROW: usize = X::ROW;
    const LEN: Option<usize> = X::LEN;
    const TURNED: bool = X::LAST > 0;

    #[inline(always)]
    fn row(index: X::Index) -> (usize, usize) {
        X::row(index)
    }

    #[inline(always)]
    fn flat(index: X::Index) -> usize {
        X::flat(index)
    }

    #[inline(always)]
    fn slot<E>(
        index: X::Index,
        len: usize,
        outside: impl Fn(usize, usize) -> E,
    ) -> Result<usize, E> {
        X::slot(index, len, outside)
    }

    #[inline(always)]
    fn outermost(index: X::Index) -> usize {
        X::outermost(index)
    }

    #[inline(always)]
    fn inner_outside(index: X::Index) -> bool {
        X::inner_outside(index)
    }
}

/// An update met an index that is out of range.
#[cold]
#[inline(never)]
pub(super) fn outside<X: Shape>(fault: &Fault, index: X::Index, bins: usize) {
    let _ = X::slot(index, bins, |index, len| fault.outside(index, len));
}

/// What is done with a context, [inlined](Inlined).
pub trait Then<C> {
    /// Does it.
    fn then(self, context: C);
}

/// What a step of the loop updates: a table, an accumulator, or a list of these.
pub trait Context {
    /// Whether there are lanes, in which items take turns.
    const LANES: bool = false;

    /// Whether these are tables that have their columns one behind the other.
    const TURNED: bool = false;

    /// Whether the last bits of a result depend on the order of the updates.
    const ROUNDS: bool = true;

    /// Whether any of it is a table, of which an update waits for the one before where it is to the same slot.
    const TABLES: bool = true;

    /// Whether it makes a difference which item of a block an update is of.
    const BLOCKS: bool = true;

    /// The lane of the next item, where there are lanes.
    #[inline(always)]
    fn set_lane(&mut self, _lane: usize) {}

    /// The lane of the next item of a block, all of which are done.
    #[inline(always)]
    fn set_lane_of_block(&mut self, lane: usize) {
        self.set_lane(lane);
    }

    /// Whether every table has a slot for any byte.
    fn takes_bytes(&self) -> bool {
        false
    }

    /// Tells the compiler that every table has a slot for any byte, so that it need not check bytes.
    ///
    /// # Safety
    ///
    /// `takes_bytes` is true.
    #[inline(always)]
    unsafe fn assume_bytes(&self) {}

    /// How many columns of the bins a window has, of whose slots all are in a cache.
    fn window(&self) -> usize {
        usize::MAX
    }

    /// Calls `f` with it, in a function for a level whose arguments its slots are: what else is read there is known not to change as they do.
    #[inline(always)]
    fn apart<L: Has>(self, _level: L, f: impl Then<Self>)
    where
        Self: Sized,
    {
        f.then(self);
    }

    /// From now on it may use AVX2. It is told the table of what is before it in a list, and says which one it has: where that
    /// is the same one the compiler is to know it.
    ///
    /// # Safety
    ///
    /// The processor has it.
    #[inline(always)]
    unsafe fn widen(&mut self, table: *mut u8) -> *mut u8 {
        table
    }

    /// The end of the loop: what was in registers goes to memory.
    fn finish(self);
}

impl Context for () {
    const TABLES: bool = false;
    const BLOCKS: bool = false;
    const TURNED: bool = true;
    const ROUNDS: bool = false;

    fn takes_bytes(&self) -> bool {
        true
    }

    #[inline(always)]
    fn finish(self) {}
}

impl<H: Context, T: Context> Context for (H, T) {
    const LANES: bool = H::LANES || T::LANES;
    const TURNED: bool = H::TURNED && T::TURNED;
    const ROUNDS: bool = H::ROUNDS || T::ROUNDS;
    const TABLES: bool = H::TABLES || T::TABLES;
    const BLOCKS: bool = H::BLOCKS || T::BLOCKS;

    #[inline(always)]
    fn set_lane(&mut self, lane: usize) {
        self.0.set_lane(lane);
        self.1.set_lane(lane);
    }

    #[inline(always)]
    fn set_lane_of_block(&mut self, lane: usize) {
        self.0.set_lane_of_block(lane);
        self.1.set_lane_of_block(lane);
    }

    fn takes_bytes(&self) -> bool {
        self.0.takes_bytes() && self.1.takes_bytes()
    }

    #[inline(always)]
    unsafe fn assume_bytes(&self) {
        // SAFETY: both halves take bytes if the list does.
        unsafe {
            self.0.assume_bytes();
            self.1.assume_bytes();
        }
    }

    fn window(&self) -> usize {
        self.0.window().min(self.1.window())
    }

    #[inline(always)]
    fn apart<L: Has>(self, level: L, f: impl Then<Self>) {
        let (head, tail) = self;
        head.apart(level, Before { tail, level, f });
    }

    #[inline(always)]
    unsafe fn widen(&mut self, table: *mut u8) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe {
            let table = self.0.widen(table);
            self.1.widen(table)
        }
    }

    #[inline(always)]
    fn finish(self) {
        self.0.finish();
        self.1.finish();
    }
}

/// What is done with a head, whose tail is to follow.
struct Before<T, L, F> {
    tail: T,
    level: L,
    f: F,
}

impl<H, T: Context, L: Has, F: Then<(H, T)>> Then<H> for Before<T, L, F> {
    #[inline(always)]
    fn then(self, head: H) {
        let Before { tail, level, f } = self;
        tail.apart(level, Behind { head, f });
    }
}

/// What is done with a tail, whose head is there.
struct Behind<H, F> {
    head: H,
    f: F,
}

impl<H, T, F: Then<(H, T)>> Then<T> for Behind<H, F> {
    #[inline(always)]
    fn then(self, tail: T) {
        self.f.then((self.head, tail));
    }
}

/// The methods that emitted code calls, which are the same for every kind of table: `put` takes the
/// index and the value.
macro_rules! updates {
    ($table:ident) => {
        impl<B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> $table<'_, B, O, X, CHECKED> {
            /// The update of a compound assignment.
            #[inline(always)]
            pub fn update(&mut self, index: X::Index, value: impl Value<B>) {
                self.put(index, value.value());
            }

            /// The update of a method: the value's type is the bins'.
            #[inline(always)]
            pub fn update_with(&mut self, index: X::Index, value: B) {
                self.put(index, value);
            }
        }

        impl<B: Slot, O: TwoSigns<B>, X: Shape, const CHECKED: bool> $table<'_, B, O, X, CHECKED> {
            /// The update of `-=` beside others of `+=`.
            #[inline(always)]
            pub fn subtract(&mut self, index: X::Index, value: impl Value<B>) {
                self.subtract_with(index, value.value());
            }

            /// The update of `wrapping_sub` beside others of `wrapping_add`.
            #[inline(always)]
            pub fn subtract_with(&mut self, index: X::Index, value: B) {
                self.put(index, O::opposite(value));
            }
        }
    };
}
pub(super) use updates;

/// One slot for each bin.
///
/// No call returns to its loop: behind one that does, the compiler would not know any more what it has read before, and what an inner loop reads of the outer one's
/// item would be read for each update. So an index out of range ends the loop, as it ends the user's own, if panics unwind; and what overflowed is told at its end.
#[derive(Debug)]
pub struct Plain<'t, B, O, X, const CHECKED: bool> {
    slots: &'t mut [B],
    /// Of how many columns all slots are in a cache.
    window: usize,
    /// Whether an update overflowed.
    over: bool,
    fault: &'t Fault,
    op: PhantomData<(O, X)>,
}

updates!(Plain);

impl<'t, B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Plain<'t, B, O, X, CHECKED> {
    /// A view of neutral or used slots.
    pub(super) fn new(slots: &'t mut [B], fault: &'t Fault) -> Self {
        assert!(X::LEN.is_none_or(|len| slots.len() == len));
        Plain {
            slots,
            window: usize::MAX,
            over: false,
            fault,
            op: PhantomData,
        }
    }

    /// The same for loops that walk so many columns at a time.
    pub(super) fn in_windows(self, window: usize) -> Self {
        Plain { window, ..self }
    }

    /// There is one lane only.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn put(&mut self, index: X::Index, value: B) {
        if let Some(len) = X::LEN {
            // SAFETY: `new` has checked it.
            unsafe { assert_unchecked(self.slots.len() == len) };
        }
        let fault = self.fault;
        let slot = match PANICS_END {
            false => X::slot(index, self.slots.len(), |index, len| {
                fault.leave(index, len)
            }),
            true => X::slot(index, self.slots.len(), |index, len| {
                fault.outside(index, len)
            }),
        };
        let Ok(slot) = slot else { return };
        let slot = match X::TURNED {
            // As `place` has it, without a division.
            true => {
                let (row, column) = X::row(index);
                column * (self.slots.len() / X::LAST) + row
            }
            false => slot,
        };
        // SAFETY: it is less than the length: of a table that is turned the row is less than there are, and the column less than there are.
        let slot = unsafe { self.slots.get_unchecked_mut(slot) };
        let (new, over) = O::accumulate::<CHECKED>(*slot, value);
        *slot = new;
        self.over |= over;
    }
}

/// How many values a byte has.
pub(super) const BYTES: usize = 256;

impl<B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Context
    for Plain<'_, B, O, X, CHECKED>
{
    const TURNED: bool = X::TURNED;
    const ROUNDS: bool = O::ROUNDS;

    fn takes_bytes(&self) -> bool {
        self.slots.len() >= BYTES
    }

    #[inline(always)]
    unsafe fn assume_bytes(&self) {
        // SAFETY: the caller's promise.
        unsafe { assert_unchecked(self.slots.len() >= BYTES) };
    }

    fn window(&self) -> usize {
        self.window
    }

    #[inline(always)]
    fn apart<L: Has>(self, level: L, f: impl Then<Self>) {
        let op = PhantomData::<(B, O, X)>;
        level.apart(self.slots, self.fault, Lent::<_, _, CHECKED> { f, op });
    }

    #[inline(always)]
    fn finish(self) {
        if self.over {
            self.fault.overflowed();
        }
    }
}

/// What is done with a table whose slots are an argument.
struct Lent<F, P, const CHECKED: bool> {
    f: F,
    op: PhantomData<P>,
}

impl<'t, F, B, O, X, const CHECKED: bool> Inlined<&'t mut [B], &'t Fault>
    for Lent<F, (B, O, X), CHECKED>
where
    F: Then<Plain<'t, B, O, X, CHECKED>>,
{
    #[inline(always)]
    fn call(self, slots: &'t mut [B], fault: &'t Fault) {
        self.f.then(Plain {
            slots,
            window: usize::MAX,
            over: false,
            fault,
            op: PhantomData,
        });
    }
}

/// A value goes into the slot of an index.
#[inline(always)]
fn put<B: Slot, O: Operator<B>, const CHECKED: bool>(
    slots: &mut [B],
    fault: &Fault,
    index: usize,
    value: B,
) -> bool {
    match slots.get_mut(index) {
        Some(slot) => {
            accumulate::<B, O, CHECKED>(slot, fault, value);
            true
        }
        None => false,
    }
}

/// A value goes into a slot.
#[inline(always)]
fn accumulate<B: Slot, O: Operator<B>, const CHECKED: bool>(slot: &mut B, fault: &Fault, value: B) {
    let (new, over) = O::accumulate::<CHECKED>(*slot, value);
    *slot = new;
    if over {
        fault.overflowed();
    }
}

/// A value goes into the slot of an index outside the window, which is rare: a function of its own leaves the
/// usual path without a jump. It is given the parts of a table, not the table, so that its fields stay in registers,
/// and the index as it is counted from the window's first bin, so that the usual path need not keep it.
#[cold]
#[inline(never)]
fn put_outside<B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool>(
    slots: &mut [B],
    used: &mut bool,
    fault: &Fault,
    first: usize,
    row: usize,
    value: B,
) {
    *used = true;
    let (index, len) = (row.wrapping_add(first), slots.len());
    if index >= len || !put::<B, O, CHECKED>(slots, fault, X::place(index, len), value) {
        fault.outside(index, len);
    }
}

/// [`LANES`] slots for each bin of a window, one for each other bin.
#[derive(Debug)]
pub struct Striped<'t, B, O, X, const CHECKED: bool> {
    rows: &'t mut [[B; LANES]],
    /// The bin of the first row.
    first: usize,
    lane: usize,
    slots: &'t mut [B],
    /// Whether `slots` was used.
    outside: &'t mut bool,
    fault: &'t Fault,
    op: PhantomData<(O, X)>,
}

updates!(Striped);

impl<'t, B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Striped<'t, B, O, X, CHECKED> {
    /// A view of the rows of a window and of the slots of all bins.
    pub(super) fn new(
        rows: &'t mut [[B; LANES]],
        first: usize,
        slots: &'t mut [B],
        outside: &'t mut bool,
        fault: &'t Fault,
    ) -> Self {
        assert!(!Self::covers_all() || (first == 0 && Some(rows.len()) == X::LEN));
        Striped {
            rows,
            first,
            lane: 0,
            slots,
            outside,
            fault,
            op: PhantomData,
        }
    }

    /// Whether a window has all bins whenever there is one, as the types tell.
    pub(super) const fn covers_all() -> bool {
        match X::LEN {
            Some(len) => len <= window_len::<B>(),
            None => false,
        }
    }

    /// Turns to the next lane before an update that an item may do more than once.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self.lane += 1;
        self
    }

    #[inline(always)]
    fn put(&mut self, index: X::Index, value: B) {
        if let Some(len) = X::LEN
            && Self::covers_all()
        {
            // SAFETY: `new` has checked it.
            unsafe { assert_unchecked(self.first == 0 && self.rows.len() == len) };
        }
        let row = X::flat(index).wrapping_sub(self.first);
        match self.rows.get_mut(row) {
            Some(row) => {
                accumulate::<B, O, CHECKED>(&mut row[self.lane % LANES], self.fault, value);
            }
            None => {
                let (slots, used) = (&mut *self.slots, &mut *self.outside);
                put_outside::<B, O, X, CHECKED>(slots, used, self.fault, self.first, row, value);
            }
        }
    }
}

impl<B, O, X, const CHECKED: bool> Context for Striped<'_, B, O, X, CHECKED> {
    const LANES: bool = true;

    #[inline(always)]
    fn set_lane(&mut self, lane: usize) {
        self.lane = lane;
    }

    fn takes_bytes(&self) -> bool {
        self.first == 0 && self.rows.len() >= BYTES
    }

    #[inline(always)]
    unsafe fn assume_bytes(&self) {
        // SAFETY: the caller's promise.
        unsafe { assert_unchecked(self.first == 0 && self.rows.len() >= BYTES) };
    }

    #[inline(always)]
    fn finish(self) {}
}

/// A worker's share of a scalar reduction. Of floats the items of a block take turns in several values: each would wait for the one before it, four cycles for a sum and twice as many for
/// the least, and the compiler must not change the order in which a loop rounds. (Integers it takes apart by itself.)
#[derive(Debug)]
pub struct Accumulator<'t, B, O, const CHECKED: bool> {
    values: [B; LANES],
    lane: usize,
    home: &'t mut B,
    fault: &'t Fault,
    op: PhantomData<O>,
}

impl<'t, B: Slot, O: Operator<B>, const CHECKED: bool> Accumulator<'t, B, O, CHECKED> {
    pub(super) fn new(home: &'t mut B, fault: &'t Fault) -> Self {
        let mut values = [O::NEUTRAL; LANES];
        values[0] = *home;
        Accumulator {
            values,
            lane: 0,
            home,
            fault,
            op: PhantomData,
        }
    }

    /// The update of a compound assignment. The index is the unit, for a scalar has none.
    #[inline(always)]
    pub fn update(&mut self, (): (), value: impl Value<B>) {
        self.update_with((), value.value());
    }

    /// The update of a method: the value's type is the scalar's.
    #[inline(always)]
    pub fn update_with(&mut self, (): (), value: B) {
        let lane = if B::FLOAT { self.lane % LANES } else { 0 };
        let (new, over) = O::accumulate::<CHECKED>(self.values[lane], value);
        self.values[lane] = new;
        if over {
            self.fault.overflowed();
        }
    }

    /// Whoever updates more than once stays in its lane.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }
}

impl<B: Slot, O: TwoSigns<B>, const CHECKED: bool> Accumulator<'_, B, O, CHECKED> {
    /// The update of `-=` beside others of `+=`.
    #[inline(always)]
    pub fn subtract(&mut self, (): (), value: impl Value<B>) {
        self.subtract_with((), value.value());
    }

    /// The update of `wrapping_sub` beside others of `wrapping_add`.
    #[inline(always)]
    pub fn subtract_with(&mut self, (): (), value: B) {
        self.update_with((), O::opposite(value));
    }
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Context for Accumulator<'_, B, O, CHECKED> {
    const TABLES: bool = false;
    const BLOCKS: bool = B::FLOAT;

    #[inline(always)]
    fn set_lane_of_block(&mut self, lane: usize) {
        if B::FLOAT {
            self.lane = lane;
        }
    }

    fn takes_bytes(&self) -> bool {
        true
    }

    #[inline(always)]
    fn finish(self) {
        let [mut value, others @ ..] = self.values;
        if B::FLOAT {
            for other in others {
                accumulate::<B, O, CHECKED>(&mut value, self.fault, other);
            }
        }
        *self.home = value;
    }
}
