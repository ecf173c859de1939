//! Collections that a loop appends to, `out.push(x)`: the first part appends to the collection itself, every other has one of its own, and they are put behind
//! each other in the order of the parts.
//!
//! Where an iteration panics, what has been appended is taken off again: the collection is as before the call.

use std::cell::Cell;
use std::collections::VecDeque;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

use super::each::Combined;
use crate::base::answer::{Answer, Found, Nothing};
use crate::base::lock::lock;
use crate::base::methods;
use crate::base::same::vector_of;
use crate::base::seen::Seen;

/// A collection that a loop may append to.
#[diagnostic::on_unimplemented(
    message = "[accrue::H028] `{Self}` is changed in a way that depends on the order of the iterations",
    label = "this is no `Vec`, `VecDeque` or `String`",
    note = "iterations run at the same time; what a loop appends to has to be one of these, so that parts can be put behind each other"
)]
pub trait Grows: Default + Send + Sync {
    /// Puts all of another one behind what is there.
    fn put_behind(&mut self, other: Self);

    /// How much is there.
    fn size(&self) -> usize;

    /// Takes off what is behind so much.
    fn cut(&mut self, size: usize);

    /// Makes room for one more, before it is computed: what an iteration has in registers would be in memory if the collection could grow while that
    /// is still needed.
    #[inline(always)]
    fn __accrue_room(&mut self) {}

    /// Makes room for so many, which all come if nothing panics.
    #[inline(always)]
    fn __accrue_rooms(&mut self, _: usize) {}

    /// The vector that it is, where its elements are of a type.
    fn __accrue_vec<T: 'static>(&mut self) -> Option<&mut Vec<T>> {
        None
    }

    /// What the loop appends to.
    #[inline(always)]
    fn __accrue_grown(&mut self) -> Grown<'_, Self> {
        Grown(Arc::new(Mutex::new(Some(self))))
    }
}

/// A place that a loop appends to. rustc is asked by method resolution, as [`Seen`](crate::__rt::Seen) is, what collection it is or leads to.
pub struct Asked<'a, P: ?Sized>(Cell<Option<&'a mut P>>);

/// Asks about a place: of one that holds a reference, about what that refers to.
pub trait Asks {
    /// The question.
    #[inline(always)]
    fn __accrue_asked(&mut self) -> Asked<'_, Self> {
        Asked(Cell::new(Some(self)))
    }
}

impl<P: ?Sized> Asks for P {}

macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident [$($generics:tt)*] ($($level:tt)*) $place:ty, $collection:ty, |$of:ident| $leads:expr;)*) => {$(
        $(#[$doc])*
        pub trait $name<'a> {
            /// The place.
            type Place: ?Sized;
            /// The collection.
            type Collection;
            /// The answer.
            fn __accrue_collection(&self) -> Answer<Self::Place, Found<&'a mut Self::Collection>>;
        }

        impl<'a, $($generics)*> $name<'a> for $($level)* Asked<'a, $place> {
            type Place = $place;
            type Collection = $collection;
            #[inline(always)]
            fn __accrue_collection(&self) -> Answer<$place, Found<&'a mut $collection>> {
                let $of = self.0.take().expect("it is asked once");
                Answer::found($leads)
            }
        }
    )*};
}

answers! {
    /// The answer of a collection.
    AskItself [V: Grows] (&&&) V, V, |of| of;
    /// The answer of what leads to one.
    AskBehind [P: DerefMut<Target: Grows>] (&&) P, P::Target, |of| of;
    /// The answer of what leads to that.
    AskFarBehind [P: DerefMut<Target: DerefMut<Target: Grows>>] (&) P, <P::Target as Deref>::Target, |of| of;
}

/// The answer of everything else.
pub trait AskNone<P: ?Sized> {
    /// What is wrong.
    fn __accrue_collection(&self) -> Answer<P, Nothing>;
}

impl<P: ?Sized> AskNone<P> for Asked<'_, P> {
    fn __accrue_collection(&self) -> Answer<P, Nothing> {
        Answer::nothing()
    }
}

/// A place whose methods are asked about: one that leads to a collection. What is none, or is one itself, is not asked.
pub trait AskLeads<'a> {
    /// What is asked.
    type Place: ?Sized + 'a;
    /// The place.
    fn __accrue_place(&self) -> methods::Place<'a, Self::Place>;
}

impl<'a, P: Deref<Target: Grows>> AskLeads<'a> for &&Seen<'a, (), P> {
    type Place = P;
    fn __accrue_place(&self) -> methods::Place<'a, P> {
        methods::Place::new(self.of())
    }
}

/// The same of what leads to that.
pub trait AskLeadsFar<'a> {
    /// What is asked.
    type Place: ?Sized + 'a;
    /// The place.
    fn __accrue_place(&self) -> methods::Place<'a, Self::Place>;
}

impl<'a, P: Deref<Target: Deref<Target: Grows>>> AskLeadsFar<'a> for &Seen<'a, (), P> {
    type Place = P;
    fn __accrue_place(&self) -> methods::Place<'a, P> {
        methods::Place::new(self.of())
    }
}

/// The same of everything else.
pub trait AskLeadsNowhere {
    /// What has the methods of a slice.
    fn __accrue_place(&self) -> methods::Place<'static, [()]>;
}

impl<P: ?Sized> AskLeadsNowhere for Seen<'_, (), P> {
    fn __accrue_place(&self) -> methods::Place<'static, [()]> {
        methods::Place::new(&[])
    }
}

/// The collection. Where there is none, rustc says so once, and nothing of what would be made of it.
#[inline(always)]
pub fn collection<P: ?Sized, A: IsCollection<P>>(answer: Answer<P, A>) -> A::Collection {
    answer.0.collection()
}

/// What has a collection of `P`.
#[diagnostic::on_unimplemented(
    message = "[accrue::H028] `{P}` is changed in a way that depends on the order of the iterations",
    label = "this is no `Vec`, `VecDeque` or `String` of what threads may share",
    note = "iterations run at the same time; what a loop appends to has to be one of these, so that parts can be put behind each other",
    note = "append to a `Vec` and move that into the collection after the loop, `heap.extend(items)`; `#[sequential]` before its `for` leaves the loop in order"
)]
pub trait IsCollection<P: ?Sized> {
    /// A reference to it.
    type Collection;
    /// The collection.
    fn collection(self) -> Self::Collection;
}

#[diagnostic::do_not_recommend]
impl<'a, P: ?Sized, V> IsCollection<P> for Found<&'a mut V> {
    type Collection = &'a mut V;
    #[inline(always)]
    fn collection(self) -> &'a mut V {
        self.0
    }
}

/// The bytes that are asked for before an iteration has run, at most: a panic may come after few.
const MOST_ROOM: usize = 1 << 30;

impl<T: Send + Sync> Grows for Vec<T> {
    fn put_behind(&mut self, mut other: Self) {
        match self.is_empty() && self.capacity() < other.len() {
            true => *self = other,
            false => self.append(&mut other),
        }
    }
    fn size(&self) -> usize {
        self.len()
    }
    fn cut(&mut self, size: usize) {
        self.truncate(size);
    }
    fn __accrue_vec<E: 'static>(&mut self) -> Option<&mut Vec<E>> {
        vector_of(self)
    }
    #[inline(always)]
    fn __accrue_rooms(&mut self, more: usize) {
        let most = MOST_ROOM / size_of::<T>().max(1);
        // Where there is no memory for all of them, it is asked for as they come.
        let _ = self.try_reserve(more.min(most));
    }
    #[inline(always)]
    fn __accrue_room(&mut self) {
        self.reserve(1);
        // SAFETY: `reserve` has seen to it.
        unsafe { std::hint::assert_unchecked(self.len() < self.capacity()) };
    }
}

impl<T: Send + Sync> Grows for VecDeque<T> {
    fn put_behind(&mut self, mut other: Self) {
        self.append(&mut other);
    }
    fn size(&self) -> usize {
        self.len()
    }
    fn cut(&mut self, size: usize) {
        self.truncate(size);
    }
}

impl Grows for String {
    fn put_behind(&mut self, other: Self) {
        self.push_str(&other);
    }
    fn size(&self) -> usize {
        self.len()
    }
    fn cut(&mut self, size: usize) {
        self.truncate(size);
    }
}

/// A collection by the place that a loop names it by.
#[derive(Debug)]
pub struct Held<'a, V>(pub &'a V);

/// What a place holds that is no collection itself: a reference, or what else leads to one that others see.
pub trait Lent {
    /// Whether it holds the collection itself.
    #[inline(always)]
    fn is_own(&self) -> bool {
        false
    }
}

impl<V> Lent for Held<'_, V> {}

macro_rules! own {
    ($([$($generics:tt)*] $of:ty),*) => { $(
        impl<$($generics)*> Held<'_, $of> {
            /// Whether the place holds the collection itself.
            #[inline(always)]
            pub fn is_own(&self) -> bool {
                true
            }
        }
    )* };
}

own!([T] Vec<T>, [T] VecDeque<T>, [] String, [T, const N: usize] [T; N]);

/// A collection that a loop appends to; whoever begins has it.
#[derive(Debug)]
pub struct Grown<'a, V>(Place<'a, V>);

/// The collection, while nobody has it.
type Place<'a, V> = Arc<Mutex<Option<&'a mut V>>>;

impl<V: Grows> Grown<'_, V> {
    /// How much is there, if nobody has begun.
    pub fn size(self) -> usize {
        lock(&self.0).take().map_or(0, |place| place.size())
    }

    /// Takes off what is behind so much, if nobody has begun.
    pub fn cut(self, size: usize) {
        if let Some(place) = lock(&self.0).take() {
            place.cut(size);
        }
    }
}

/// What a part appends to.
#[derive(Debug)]
pub struct Behind<'a, V: Grows> {
    items: V,
    /// The collection whose items these are, how many it had before the loop, and where it goes back to; none where they are the part's own.
    of: Option<(&'a mut V, usize, Place<'a, V>)>,
}

impl<V: Grows> Deref for Behind<'_, V> {
    type Target = V;
    #[inline(always)]
    fn deref(&self) -> &V {
        &self.items
    }
}

impl<V: Grows> DerefMut for Behind<'_, V> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut V {
        &mut self.items
    }
}

/// Gives a collection that nobody has ended what it had: another may begin.
impl<V: Grows> Drop for Behind<'_, V> {
    fn drop(&mut self) {
        if let Some((place, size, home)) = self.of.take() {
            self.items.cut(size);
            *place = mem::take(&mut self.items);
            *lock(&home) = Some(place);
        }
    }
}

impl<'a, V: Grows> Combined for Grown<'a, V> {
    type Private = Behind<'a, V>;
    const ORDERED: bool = false;
    const ROUNDS: bool = false;
    const FOLLOWS: bool = true;

    fn bytes(&self) -> usize {
        0
    }
    fn begin(&self) -> Behind<'a, V> {
        let of = lock(&self.0).take().map(|place| (mem::take(place), place));
        let (items, of) = match of {
            Some((items, place)) => {
                let size = items.size();
                (items, Some((place, size, self.0.clone())))
            }
            None => (V::default(), None),
        };
        Behind { items, of }
    }
    fn fresh(&self) -> Behind<'a, V> {
        Behind {
            items: V::default(),
            of: None,
        }
    }
    fn end(&mut self, mut first: Behind<'a, V>) {
        if let Some((place, _, home)) = first.of.take() {
            *place = mem::take(&mut first.items);
            *lock(&home) = Some(place);
        }
    }
    fn merge(&mut self, mut other: Behind<'a, V>) {
        if let Some(place) = &mut *lock(&self.0) {
            place.put_behind(mem::take(&mut other.items));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::each::Each;
    use crate::cpu::request::with_strategy;
    use crate::cpu::site::Site;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    static SITE: Site = Site::new("test", "");

    /// What a loop leaves that appends every third of so many items, and panics at one.
    fn kept<V: Grows>(mut out: V, push: impl Fn(&mut V, usize) + Sync, stop: usize) -> (V, bool) {
        let ran = catch_unwind(AssertUnwindSafe(|| {
            Each::new(&SITE, 200).run((out.__accrue_grown(), ()), |part, (out, ())| {
                for i in part {
                    assert!(i != stop);
                    if i % 3 == 0 {
                        push(out, i);
                    }
                }
            });
        }));
        (out, ran.is_ok())
    }

    #[test]
    fn parts_follow_each_other() {
        for way in [
            "sequential",
            "private:workers=3,parts=7",
            "private:workers=4",
        ] {
            with_strategy(way, || {
                let all: Vec<usize> = (0..200).step_by(3).collect();
                let (out, _) = kept(vec![7, 8], |out, i| out.push(i), usize::MAX);
                assert_eq!((&out[..2], &out[2..]), (&[7, 8][..], &all[..]), "{way}");
                let (out, _) = kept(VecDeque::new(), |out, i| out.push_back(i), usize::MAX);
                assert!(out.iter().eq(&all), "{way}");
                let text = |i: usize| char::from(b'a' + (i % 26) as u8);
                let (out, _) = kept(String::from(">"), |out, i| out.push(text(i)), usize::MAX);
                let expected: String = all.iter().map(|i| text(*i)).collect();
                assert_eq!(out[1..], expected, "{way}");
            });
        }
    }

    /// As a loop does that is run again, in order, for a panic that it does not come to.
    #[test]
    fn another_may_begin_where_nobody_has_ended() {
        let mut out = vec![1];
        let mut grown = out.__accrue_grown();
        let mut first = grown.begin();
        first.push(7);
        drop(first);
        let mut again = grown.begin();
        again.push(2);
        grown.end(again);
        assert_eq!(out, [1, 2]);
    }

    #[test]
    fn nothing_is_appended_where_an_iteration_panics() {
        for way in ["sequential", "private:workers=3,parts=7"] {
            let (out, ran) = with_strategy(way, || kept(vec![1], |out, i| out.push(i), 150));
            assert!(!ran);
            assert_eq!(out, [1], "{way}");
        }
    }
}
