//! Arrays of bins that are updated at the same places: a worker has one table of *records* for all of them, with what an update touches side by side.
//!
//! `sums[k] += w; counts[k] += 1` goes to two lines of the caches where each array has a table of its own, and to one where the sum and the count of `k` are
//! neighbours: one index, one load that may miss, and stores that processors write together. (`[[[f64; 2]; 256]; 28]` and `[[u32; 256]; 28]`: 3.1 cycles for
//! the three updates of a place in two tables, 2.2 in one; a Zen 4, 2026-11-30.) Which arrays these are is found by the macro, and concerns
//! [`Kind::plain`] alone, and the merge, which finds a worker's fields by way of the arrays' [stores](super::store::Store): tables with lanes, logs and the
//! user's own loop have the arrays as they are.
//!
//! Where all updates are sums and a record has 32 bytes, as these have, a processor with AVX2 reads and writes it as one ([`wide`]).
//!
//! A record is chosen by the first `D` indices of an update. An array of one dimension more has a field of it for each value of its last index.
//!
//! Symbols: R the list of all arrays, S the list of an array and those behind it.

use std::marker::PhantomData;
use std::ops::Range;
use std::slice;
use std::sync::atomic::AtomicUsize;

use super::member::{Array, Facts, Kind, Member};
use super::op::{Operator, TwoSigns, Value};
use super::store::{SMALL, Strided};
use super::table::{BYTES, Context, Fault, Shape};
use super::wide;
use crate::base::bin::Slot;

/// A line of every cache that we know of: a small record lies within one.
const LINE: usize = 64;

/// From how many bytes of bins on there are records: where a first-level cache holds them anyhow, lines are not what updates wait for, and to find a record
/// takes an instruction more. (`sums[k] += w; counts[k] += 1` over 256 and 4096 bins takes 1.09 of the time with records; Zen 4, 2026-11-30.)
const MANY: usize = 64 << 10;

/// Up to how many bytes of bins: records are there from the beginning, while pages of zeros come with the first update. Five arrays of 65,536 bins, 1.75 MiB, took
/// 0.6 of the time of five tables for uniform keys, and 1.6 of it for keys in runs.
const MOST: usize = 1 << 20;

/// Up to how many bytes of records each has a power of two of them, so that none lies in two lines: a quarter of many a second-level cache.
const SPACIOUS: usize = 256 << 10;

/// Lists of arrays whose updates are chosen by the first `D` indices.
pub trait Fields<const D: usize>: Kind {
    /// How many bytes the bins take, where the types say it, or nothing.
    const BINS: Option<usize>;
    /// How many records there are then.
    const RECORDS: usize;
    /// The bytes of their fields. The last array is at the end of a record, so that they say where the first one is.
    const BYTES: usize;
    /// What a record is aligned for.
    const ALIGN: usize;
    /// Whether all updates are sums of numbers of which a register has several.
    const SUMS: bool;
    /// Views of the fields.
    type Views<'t, R: Fields<D>>: Context;

    /// Whether they have records, and not a table each.
    const TOGETHER: bool = matches!(Self::BINS, Some(bytes) if bytes >= MANY && bytes <= MOST);

    /// From how many bytes on the next record begins.
    const STRIDE: usize = {
        let bytes = Self::BYTES.next_multiple_of(Self::ALIGN);
        let round = bytes.next_power_of_two();
        if round <= LINE && Self::RECORDS.saturating_mul(round) <= SPACIOUS {
            round
        } else {
            bytes
        }
    };

    /// Views of the records of a table, or of the slots of these stores.
    fn views<'t, R: Fields<D>>(
        stores: &'t mut Self::Store,
        table: Pointer<'t>,
        fault: &'t Fault,
    ) -> Self::Views<'t, R>;
    /// Writes the neutral elements to a record.
    fn clear<R: Fields<D>>(record: &mut [u8]);
    /// Tells the stores where their fields are.
    ///
    /// # Safety
    ///
    /// The table stays as long as the stores do, and what uses one of them borrows all of it.
    unsafe fn lend<R: Fields<D>>(stores: &mut Self::Store, table: Pointer<'_>);
}

impl<const D: usize> Fields<D> for () {
    const BINS: Option<usize> = Some(0);
    const RECORDS: usize = 0;
    const BYTES: usize = 0;
    const ALIGN: usize = 1;
    const SUMS: bool = true;
    type Views<'t, R: Fields<D>> = ();

    fn views<'t, R: Fields<D>>((): &'t mut (), _: Pointer<'t>, _: &'t Fault) {}

    fn clear<R: Fields<D>>(_: &mut [u8]) {}

    unsafe fn lend<R: Fields<D>>((): &mut (), _: Pointer<'_>) {}
}

/// The larger one.
const fn larger(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

impl<const D: usize, B, O, X, T, const CHECKED: bool> Fields<D> for (Array<B, O, X, CHECKED>, T)
where
    B: Slot,
    O: Operator<B>,
    X: Shape,
    T: Fields<D>,
{
    const BINS: Option<usize> = match (X::LEN, T::BINS) {
        (Some(len), Some(rest)) => Some((len * size_of::<B>()).saturating_add(rest)),
        _ => None,
    };
    const RECORDS: usize = match X::LEN {
        Some(len) => larger(len / fields::<D, X>(), T::RECORDS),
        None => 0,
    };
    const BYTES: usize =
        T::BYTES.next_multiple_of(align_of::<B>()) + fields::<D, X>() * size_of::<B>();
    const ALIGN: usize = larger(align_of::<B>(), T::ALIGN);
    const SUMS: bool = O::SUMS && size_of::<B>() <= 8 && !(CHECKED && O::OVERFLOWS) && T::SUMS;
    type Views<'t, R: Fields<D>> = (Field<'t, B, O, X, At<R, Self, D>, CHECKED>, T::Views<'t, R>);

    fn views<'t, R: Fields<D>>(
        (store, rest): &'t mut Self::Store,
        table: Pointer<'t>,
        fault: &'t Fault,
    ) -> Self::Views<'t, R> {
        let field = match R::TOGETHER {
            true => Field::of_table(table, fault),
            false => Field::of_slots(store.spilled::<O>(), fault),
        };
        (field, T::views::<R>(rest, table, fault))
    }

    fn clear<R: Fields<D>>(record: &mut [u8]) {
        let first = At::<R, Self, D>::OFFSET;
        let places = record[first..].chunks_exact_mut(size_of::<B>());
        for place in places.take(fields::<D, X>()) {
            let neutral = O::NEUTRAL;
            // SAFETY: a slot is a number, whose bytes are all initialised.
            let bytes =
                unsafe { slice::from_raw_parts((&raw const neutral).cast::<u8>(), size_of::<B>()) };
            place.copy_from_slice(bytes);
        }
        T::clear::<R>(record);
    }

    unsafe fn lend<R: Fields<D>>((store, rest): &mut Self::Store, table: Pointer<'_>) {
        let (fields, stride) = (fields::<D, X>(), At::<R, Self, D>::STRIDE);
        assert!(store.len() / fields <= table.bytes / stride);
        // SAFETY: there are as many records of as many fields, where `Field` finds them, and the caller has promised the rest.
        unsafe {
            let first = table.first.add(At::<R, Self, D>::OFFSET).cast();
            store.lend(Strided::new(first, stride, fields));
            T::lend::<R>(rest, table);
        }
    }
}

/// How many fields a record has for an array of this shape.
const fn fields<const D: usize, X: Shape>() -> usize {
    match X::DEPTH > D && X::LAST > 0 {
        true => X::LAST,
        false => 1,
    }
}

/// Where the fields of an array are.
pub trait Place: 'static {
    /// How many indices choose a record; none where arrays have tables of their own.
    const DEPTH: Option<usize>;
    /// The first one's position in a record.
    const OFFSET: usize;
    /// From how many bytes on the next record begins.
    const STRIDE: usize;
    /// Whether a record is as wide as a register, to which all updates add.
    const WIDE: bool;
    /// Whether it is the first array of those that have records together, or has none.
    const FIRST: bool;
}

/// Of the first array of S among those of R.
#[derive(Debug)]
pub struct At<R, S, const D: usize>(PhantomData<fn() -> (R, S)>);

impl<R: Fields<D>, S: Fields<D>, const D: usize> Place for At<R, S, D> {
    const DEPTH: Option<usize> = if R::TOGETHER { Some(D) } else { None };
    const OFFSET: usize = R::BYTES.next_multiple_of(R::ALIGN) - S::BYTES;
    const STRIDE: usize = R::STRIDE;
    const WIDE: bool = R::TOGETHER && R::SUMS && R::STRIDE == wide::BYTES;
    const FIRST: bool = !R::TOGETHER || S::BYTES == R::BYTES;
}

/// A table's first byte, which is aligned for a line.
#[derive(Clone, Copy, Debug)]
pub struct Pointer<'t> {
    first: *mut u8,
    bytes: usize,
    table: PhantomData<&'t mut [u8]>,
}

/// The fields of an array in a worker's records, or in its own slots, as which they are records of one field.
#[derive(Debug)]
pub struct Field<'t, B, O, X, P, const CHECKED: bool> {
    /// The first record.
    first: *mut u8,
    /// How many records have this field.
    records: usize,
    /// Whether records are read and written as wide registers.
    wide: bool,
    fault: &'t Fault,
    table: PhantomData<(&'t mut B, O, X, P)>,
}

impl<'t, B: Slot, O: Operator<B>, X: Shape, P: Place, const CHECKED: bool>
    Field<'t, B, O, X, P, CHECKED>
{
    /// Whether the last index chooses a field of a record, and not a record.
    const BY_LAST: bool = matches!(P::DEPTH, Some(depth) if X::DEPTH > depth && X::LAST > 0);
    const FIELDS: usize = if Self::BY_LAST { X::LAST } else { 1 };
    const OFFSET: usize = if P::DEPTH.is_some() { P::OFFSET } else { 0 };
    const STRIDE: usize = if P::DEPTH.is_some() {
        P::STRIDE
    } else {
        size_of::<B>()
    };

    /// In a table of records.
    fn of_table(table: Pointer<'t>, fault: &'t Fault) -> Self {
        const {
            let (size, align) = (size_of::<B>(), align_of::<B>());
            assert!(Self::OFFSET.is_multiple_of(align) && Self::STRIDE.is_multiple_of(align));
            assert!(Self::OFFSET + Self::FIELDS * size <= Self::STRIDE && align <= LINE);
        }
        let records = X::LEN.unwrap_or(0) / Self::FIELDS;
        assert!(P::DEPTH.is_some() && records <= table.bytes / P::STRIDE);
        Field {
            first: table.first,
            records,
            wide: false,
            fault,
            table: PhantomData,
        }
    }

    /// In slots of the array's own.
    fn of_slots(slots: &'t mut [B], fault: &'t Fault) -> Self {
        assert!(P::DEPTH.is_none() && X::LEN.is_none_or(|len| slots.len() == len));
        Field {
            first: slots.as_mut_ptr().cast(),
            records: slots.len(),
            wide: false,
            fault,
            table: PhantomData,
        }
    }

    /// Where a field of a record is.
    ///
    /// # Safety
    ///
    /// There is such a record, and such a field of this array.
    #[inline(always)]
    unsafe fn at(&self, record: usize, field: usize) -> *mut B {
        // SAFETY: the record is within what `first` points to, and the field within the record and where a `B` may be, as was seen when this was made.
        unsafe {
            self.first
                .add(record * Self::STRIDE + Self::OFFSET + field * size_of::<B>())
                .cast()
        }
    }

    /// There is one lane only.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }

    /// The update of a compound assignment.
    #[inline(always)]
    pub fn update(&mut self, index: X::Index, value: impl Value<B>) {
        self.update_with(index, value.value());
    }

    /// The update of a method: the value's type is the bins'.
    #[inline(always)]
    pub fn update_with(&mut self, index: X::Index, value: B) {
        let (record, field) = match Self::BY_LAST {
            true => X::row(index),
            false => (X::flat(index), 0),
        };
        let records = match X::LEN {
            // It was compared when this was made.
            Some(len) => len / Self::FIELDS,
            None => self.records,
        };
        if record < records && field < Self::FIELDS {
            if P::WIDE && self.wide {
                let lane = Self::OFFSET / size_of::<B>() + field;
                // SAFETY: they were compared. The record is aligned as the table and its stride are, and the table is this worker's. `widen` was called.
                return unsafe { wide::add(self.first.add(record * Self::STRIDE), lane, value) };
            }
            // SAFETY: they were compared. Other fields are other bytes, and the table is this worker's.
            let slot = unsafe { &mut *self.at(record, field) };
            let (new, over) = O::accumulate::<CHECKED>(*slot, value);
            *slot = new;
            if over {
                self.fault.overflowed();
            }
        } else {
            self.fault.outside(X::flat(index), records * Self::FIELDS);
        }
    }
}

impl<B: Slot, O: TwoSigns<B>, X: Shape, P: Place, const CHECKED: bool>
    Field<'_, B, O, X, P, CHECKED>
{
    /// The update of `-=` beside others of `+=`.
    #[inline(always)]
    pub fn subtract(&mut self, index: X::Index, value: impl Value<B>) {
        self.subtract_with(index, value.value());
    }

    /// The update of `wrapping_sub` beside others of `wrapping_add`.
    #[inline(always)]
    pub fn subtract_with(&mut self, index: X::Index, value: B) {
        self.update_with(index, O::opposite(value));
    }
}

impl<B, O, X, P: Place, const CHECKED: bool> Context for Field<'_, B, O, X, P, CHECKED> {
    fn takes_bytes(&self) -> bool {
        self.records >= BYTES
    }

    #[inline(always)]
    unsafe fn assume_bytes(&self) {
        // SAFETY: the caller's promise.
        unsafe { std::hint::assert_unchecked(self.records >= BYTES) };
    }

    #[inline(always)]
    unsafe fn widen(&mut self, table: *mut u8) -> *mut u8 {
        self.wide = true;
        if !P::FIRST {
            debug_assert_eq!(self.first, table);
            self.first = table;
        }
        self.first
    }

    #[inline(always)]
    fn finish(self) {}
}

/// The records of a worker, and what its arrays have for themselves.
#[derive(Debug)]
pub struct Records<S> {
    arrays: S,
    /// Empty until it is used.
    table: Vec<Aligned>,
    /// How many records there are in it.
    len: usize,
}

/// Bytes of records.
#[repr(align(64))]
#[derive(Clone, Copy, Debug)]
struct Aligned(#[expect(dead_code, reason = "it is looked at as bytes")] [u8; LINE]);

/// A table of so many records.
fn pointer<K: Fields<D>, const D: usize>(table: &mut [Aligned], len: usize) -> Pointer<'_> {
    Pointer {
        first: table.as_mut_ptr().cast(),
        bytes: len * K::STRIDE,
        table: PhantomData,
    }
}

impl<S> Records<S> {
    /// Takes memory for the records, of neutral elements. Says whether there was any.
    fn allocate<K: Fields<D, Store = S>, const D: usize>(&mut self) -> bool {
        if !K::TOGETHER || self.len == K::RECORDS {
            return true;
        }
        let bytes = K::RECORDS * K::STRIDE;
        let lines = bytes.div_ceil(LINE);
        if self.table.try_reserve_exact(lines).is_err() {
            return false;
        }
        self.table.resize(lines, Aligned([0; LINE]));
        self.len = K::RECORDS;
        // SAFETY: lines are bytes.
        let bytes =
            unsafe { slice::from_raw_parts_mut(self.table.as_mut_ptr().cast::<u8>(), bytes) };
        K::clear::<K>(&mut bytes[..K::STRIDE]);
        let mut done = K::STRIDE;
        while done < bytes.len() {
            let more = done.min(bytes.len() - done);
            bytes.copy_within(..more, done);
            done += more;
        }
        let table = pointer::<K, D>(&mut self.table, self.len);
        // SAFETY: the table is not touched again, lies where it is when this is moved, and goes with the stores.
        unsafe { K::lend::<K>(&mut self.arrays, table) };
        true
    }
}

/// Arrays whose updates have their first `D` indices in common.
#[derive(Debug)]
pub struct Together<M, const D: usize>(M);

/// The kind of [`Together`].
#[derive(Debug)]
pub struct OfTogether<K, const D: usize>(PhantomData<fn() -> K>);

/// A list of arrays, which are updated at the same places by their first `D` indices.
#[inline(always)]
pub fn together<const D: usize, M: Member>(arrays: M) -> Together<M, D>
where
    M::Kind: Fields<D>,
{
    Together(arrays)
}

impl<K: Fields<D>, const D: usize> Kind for OfTogether<K, D> {
    const INVERTIBLE: bool = K::INVERTIBLE;
    const MEMBERS: usize = K::MEMBERS;
    type Plain<'t> = K::Views<'t, K>;
    type Striped<'t> = K::Striped<'t>;
    type Log<'t> = K::Log<'t>;
    type Check<'t> = K::Check<'t>;
    type Journaled<'t> = K::Journaled<'t>;
    type Store = Records<K::Store>;
    type Pairs = K::Pairs;
    type Journal = K::Journal;
    type Windows = K::Windows;
    type Saved = K::Saved;
    type Owned<'t> = K::Owned<'t>;
    type Piece<'b> = K::Piece<'b>;
    type Kept = K::Kept;
    type Courses = K::Courses;

    fn plain<'t>(store: &'t mut Self::Store, fault: &'t Fault) -> Self::Plain<'t> {
        assert!(store.allocate::<K, D>(), "no memory for a table");
        let Records { arrays, table, len } = store;
        K::views::<K>(arrays, pointer::<K, D>(table, *len), fault)
    }

    fn striped<'t>(
        store: &'t mut Self::Store,
        windows: &Self::Windows,
        fault: &'t Fault,
    ) -> Self::Striped<'t> {
        K::striped(&mut store.arrays, windows, fault)
    }

    fn windows(pairs: &Self::Pairs, store: &Self::Store, always: bool) -> Self::Windows {
        K::windows(pairs, &store.arrays, always)
    }

    fn wants_lanes(windows: &Self::Windows) -> bool {
        K::wants_lanes(windows)
    }

    fn logged(pairs: &Self::Pairs) -> usize {
        K::logged(pairs)
    }

    fn journaled(journal: &Self::Journal) -> usize {
        K::journaled(journal)
    }

    fn reserve(journal: &mut Self::Journal, updates: usize) {
        K::reserve(journal, updates);
    }

    fn prepare(store: &mut Self::Store) -> bool {
        let small = K::RECORDS * K::STRIDE <= SMALL;
        match K::TOGETHER {
            true => small || store.allocate::<K, D>(),
            false => K::prepare(&mut store.arrays),
        }
    }

    fn probe<'t>(
        pairs: &'t mut Self::Pairs,
        store: &'t mut Self::Store,
        fault: &'t Fault,
    ) -> Self::Log<'t> {
        K::probe(pairs, &mut store.arrays, fault)
    }

    fn settle(pairs: &mut Self::Pairs, store: &mut Self::Store, fault: &Fault) {
        K::settle(pairs, &mut store.arrays, fault);
    }

    fn repeat(
        pairs: &mut Self::Pairs,
        store: &mut Self::Store,
        times: u64,
        only: Option<usize>,
        of: &[&[u8]],
        fault: &Fault,
    ) {
        K::repeat(pairs, &mut store.arrays, times, only, of, fault);
    }

    fn slots_used(store: &Self::Store) -> usize {
        K::slots_used(&store.arrays)
    }

    fn owned<'t>(
        piece: &'t mut Self::Piece<'_>,
        store: &'t mut Self::Store,
        fault: &'t Fault,
    ) -> Self::Owned<'t> {
        K::owned(piece, &mut store.arrays, fault)
    }

    fn keep(piece: Self::Piece<'_>) -> Self::Kept {
        K::keep(piece)
    }
}

/// What the arrays of stores have for themselves.
fn arrays<'r, S>(stores: &[&'r Records<S>]) -> Vec<&'r S> {
    stores.iter().map(|store| &store.arrays).collect()
}

impl<M: Member, const D: usize> Member for Together<M, D>
where
    M::Kind: Fields<D>,
{
    type Kind = OfTogether<M::Kind, D>;

    fn facts(&self) -> Facts {
        let records = match <M::Kind as Fields<D>>::TOGETHER {
            true => <M::Kind as Fields<D>>::RECORDS * <M::Kind as Fields<D>>::STRIDE,
            false => 0,
        };
        Facts {
            records,
            ..self.0.facts()
        }
    }

    fn store(&self) -> Records<<M::Kind as Kind>::Store> {
        Records {
            arrays: self.0.store(),
            table: Vec::new(),
            len: 0,
        }
    }

    fn pairs(&self, shift: Option<u32>, bytes: usize) -> <M::Kind as Kind>::Pairs {
        self.0.pairs(shift, bytes)
    }

    fn log<'t>(
        &self,
        pairs: &'t mut <M::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <M::Kind as Kind>::Log<'t> {
        self.0.log(pairs, fault)
    }

    fn rehearse<'t>(
        &self,
        pairs: &'t mut <M::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <M::Kind as Kind>::Log<'t> {
        self.0.rehearse(pairs, fault)
    }

    fn check<'t>(&self, fault: &'t Fault) -> <M::Kind as Kind>::Check<'t> {
        self.0.check(fault)
    }

    fn journal(&self, updates: usize) -> <M::Kind as Kind>::Journal {
        self.0.journal(updates)
    }

    fn journaled<'t>(
        &'t mut self,
        journal: &'t mut <M::Kind as Kind>::Journal,
        fault: &'t Fault,
    ) -> <M::Kind as Kind>::Journaled<'t> {
        self.0.journaled(journal, fault)
    }

    fn roll_back(&mut self, journal: &mut <M::Kind as Kind>::Journal) {
        self.0.roll_back(journal);
    }

    fn logged<'t>(
        &'t mut self,
        pairs: &'t mut <M::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <M::Kind as Kind>::Log<'t> {
        self.0.logged(pairs, fault)
    }

    fn commit(&mut self, pairs: &<M::Kind as Kind>::Pairs) -> bool {
        self.0.commit(pairs)
    }

    fn unlog(&mut self, pairs: &<M::Kind as Kind>::Pairs) {
        self.0.unlog(pairs);
    }

    fn revert<'t>(
        &'t mut self,
        pairs: &'t mut <M::Kind as Kind>::Pairs,
        budget: &'t AtomicUsize,
        fault: &'t Fault,
    ) -> <M::Kind as Kind>::Log<'t> {
        self.0.revert(pairs, budget, fault)
    }

    fn courses(
        &self,
        first: &<M::Kind as Kind>::Pairs,
        last: &<M::Kind as Kind>::Pairs,
        items: usize,
    ) -> Option<<M::Kind as Kind>::Courses> {
        self.0.courses(first, last, items)
    }

    fn split<'b>(
        &'b mut self,
        courses: &<M::Kind as Kind>::Courses,
        parts: &[Range<usize>],
    ) -> Vec<<M::Kind as Kind>::Piece<'b>> {
        self.0.split(courses, parts)
    }

    fn put_back(&mut self, kept: &<M::Kind as Kind>::Kept) {
        self.0.put_back(kept);
    }

    fn save(&self, arrays: bool) -> <M::Kind as Kind>::Saved {
        self.0.save(arrays)
    }

    fn restore(&mut self, saved: &<M::Kind as Kind>::Saved) {
        self.0.restore(saved);
    }

    fn overflows(&self, stores: &[&Records<<M::Kind as Kind>::Store>], workers: usize) -> bool {
        self.0.overflows(&arrays(stores), workers)
    }

    fn publish(&mut self, stores: &[&Records<<M::Kind as Kind>::Store>], workers: usize) {
        self.0.publish(&arrays(stores), workers);
    }

    fn apply(&mut self, pairs: &[&<M::Kind as Kind>::Pairs], workers: usize) -> bool {
        self.0.apply(pairs, workers)
    }

    fn unapply(&mut self, pairs: &[&<M::Kind as Kind>::Pairs]) {
        self.0.unapply(pairs);
    }
}
