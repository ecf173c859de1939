//! Maps and sets that a loop groups by keys, `*counts.entry(k).or_insert(0) += 1`: each part fills a map of its own by the user's own statements, and these
//! are merged in the order of the parts.
//!
//! What the statements do with a value is its *role*, which says how the value of a later part is put behind that of the earlier ones. A part's map begins empty,
//! so an entry begins in each part with what the user's `or_insert(..)` gives: a role [takes](Role::takes) that if it changes nothing, such as 0 in a sum,
//! or, where the map is empty before the loop and it counts once however often it comes, such as in a maximum. Other calls run in order, on the map itself.
//!
//! Where an iteration panics, the map is as before the call, unless the call ran in order: then as the plain loop leaves it.

use std::cell::RefMut;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_map, hash_map};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};

use super::best::Key;
use super::crew;
use super::each::Combined;
use super::fault::PANICS_END;
use super::grown::Grows;
use super::op::Operator;
use crate::base::bin::Slot;
use crate::base::lock::lock;

/// So many keys, in all parts, are merged by one thread: waking others takes as long.
const FEW: usize = 1000;

/// A map or set of the standard library.
#[diagnostic::on_unimplemented(
    message = "[accrue::H028] `{Self}` is changed in a way that depends on the order of the iterations",
    label = "this is no `HashMap`, `BTreeMap`, `HashSet` or `BTreeSet` whose parts can be merged",
    note = "iterations run at the same time; what a loop groups by keys has to be one of these, with keys, values and a hasher that threads can be given, and a hasher that can be cloned"
)]
pub trait Table: Send + Sync + Sized {
    /// What a key has; nothing in a set.
    type Value: Send + Sync;

    /// An empty one that hashes alike.
    fn alike(&self) -> Self;

    /// How many keys there are.
    fn size(&self) -> usize;

    /// Takes all out, and keeps the memory.
    fn empty(&mut self);

    /// Puts all of another one in, in a way for the values of keys that both have. The keys stay those that came first.
    fn put(&mut self, other: Self, both: impl FnMut(&mut Self::Value, &mut Self::Value));
}

/// Such a map as what a loop groups by keys: a trait of its own, so that expansions import one method.
pub trait Groups: Table {
    /// What the loop groups by keys.
    #[inline(always)]
    fn __accrue_keyed<R: Role<Self>>(
        &mut self,
        role: impl FnOnce(Of<Self>) -> R,
    ) -> Keyed<'_, Self, R> {
        let (role, bare) = (role(Of::new()), self.size() == 0);
        Keyed {
            alone: !role.stands(bare),
            bare,
            behind: Vec::new(),
            model: self.alike(),
            place: Arc::new(Mutex::new(self)),
            role,
        }
    }
}

impl<T: Table> Groups for T {}

// What is said of others is the trait's message.
#[diagnostic::do_not_recommend]
impl<K, V, S> Table for HashMap<K, V, S>
where
    K: Eq + Hash + Send + Sync,
    V: Send + Sync,
    S: BuildHasher + Clone + Send + Sync,
{
    type Value = V;

    fn alike(&self) -> Self {
        HashMap::with_hasher(self.hasher().clone())
    }
    fn size(&self) -> usize {
        self.len()
    }
    fn empty(&mut self) {
        self.clear();
    }
    fn put(&mut self, other: Self, mut both: impl FnMut(&mut V, &mut V)) {
        if self.is_empty() {
            return *self = other;
        }
        for (key, mut value) in other {
            match self.entry(key) {
                hash_map::Entry::Occupied(mut known) => both(known.get_mut(), &mut value),
                hash_map::Entry::Vacant(place) => {
                    place.insert(value);
                }
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<K: Ord + Send + Sync, V: Send + Sync> Table for BTreeMap<K, V> {
    type Value = V;

    fn alike(&self) -> Self {
        BTreeMap::new()
    }
    fn size(&self) -> usize {
        self.len()
    }
    fn empty(&mut self) {
        self.clear();
    }
    fn put(&mut self, other: Self, mut both: impl FnMut(&mut V, &mut V)) {
        if self.is_empty() {
            return *self = other;
        }
        for (key, mut value) in other {
            match self.entry(key) {
                btree_map::Entry::Occupied(mut known) => both(known.get_mut(), &mut value),
                btree_map::Entry::Vacant(place) => {
                    place.insert(value);
                }
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T, S> Table for HashSet<T, S>
where
    T: Eq + Hash + Send + Sync,
    S: BuildHasher + Clone + Send + Sync,
{
    type Value = ();

    fn alike(&self) -> Self {
        HashSet::with_hasher(self.hasher().clone())
    }
    fn size(&self) -> usize {
        self.len()
    }
    fn empty(&mut self) {
        self.clear();
    }
    fn put(&mut self, other: Self, _: impl FnMut(&mut (), &mut ())) {
        if self.is_empty() {
            return *self = other;
        }
        for item in other {
            self.insert(item);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Ord + Send + Sync> Table for BTreeSet<T> {
    type Value = ();

    fn alike(&self) -> Self {
        BTreeSet::new()
    }
    fn size(&self) -> usize {
        self.len()
    }
    fn empty(&mut self) {
        self.clear();
    }
    fn put(&mut self, other: Self, _: impl FnMut(&mut (), &mut ())) {
        if self.is_empty() {
            return *self = other;
        }
        for item in other {
            self.insert(item);
        }
    }
}

/// A place that holds such a map, or leads to one: nothing that has methods of the same names.
#[diagnostic::on_unimplemented(
    message = "[accrue::H028] `{Self}` is changed in a way that depends on the order of the iterations",
    label = "this is no `HashMap`, `BTreeMap`, `HashSet` or `BTreeSet` whose parts can be merged",
    note = "iterations run at the same time; what a loop groups by keys has to be one of these, with keys, values and a hasher that threads can be given, and a hasher that can be cloned"
)]
pub trait Holds {}

#[diagnostic::do_not_recommend]
impl<K, V, S> Holds for HashMap<K, V, S> where HashMap<K, V, S>: Table {}
#[diagnostic::do_not_recommend]
impl<K, V> Holds for BTreeMap<K, V> where BTreeMap<K, V>: Table {}
#[diagnostic::do_not_recommend]
impl<T, S> Holds for HashSet<T, S> where HashSet<T, S>: Table {}
#[diagnostic::do_not_recommend]
impl<T> Holds for BTreeSet<T> where BTreeSet<T>: Table {}
impl<P: Holds> Holds for &mut P {}
impl<P: Holds> Holds for Box<P> {}
impl<P: Holds> Holds for MutexGuard<'_, P> {}
impl<P: Holds> Holds for RefMut<'_, P> {}

/// Asks rustc whether a place is one.
pub fn holds<P: Holds>(_: &P) {}

/// A type that is known elsewhere.
#[derive(Debug)]
pub struct Of<V>(PhantomData<fn() -> V>);

impl<V> Of<V> {
    fn new() -> Self {
        Of(PhantomData)
    }
}

impl<V> Clone for Of<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Of<V> {}

/// What the loop does with values of a type.
pub trait Role<V>: Send + Sync {
    /// Whether the last bits of a result depend on the order.
    const ROUNDS: bool;

    /// Whether a value that begins so may begin so in each part; `bare`: where no value has come from before the loop.
    fn takes(&self, begin: &mut V, bare: bool) -> bool;

    /// Whether all that is below it begins as it has to, and can be merged.
    fn stands(&self, bare: bool) -> bool;

    /// Puts what the iterations behind have made of a value behind what those before have.
    fn put(&self, value: &mut V, behind: &mut V);
}

/// An operator combines into the value.
#[derive(Debug)]
pub struct Combining<V, O, const CHECKED: bool>(V, PhantomData<fn() -> O>, bool);

/// An operator combines into the value; `any`: it counts once, however often one comes.
pub fn combining<const CHECKED: bool, V: Slot, O: Operator<V>>(
    _: Of<V>,
    _: O,
    any: bool,
) -> Combining<V, O, CHECKED> {
    Combining(O::NEUTRAL, PhantomData, any)
}

impl<V: Slot, O: Operator<V>, const CHECKED: bool> Role<V> for Combining<V, O, CHECKED> {
    const ROUNDS: bool = O::ROUNDS;

    fn takes(&self, begin: &mut V, bare: bool) -> bool {
        // 0.0 is -0.0 here.
        *begin == self.0 || (self.2 && bare)
    }
    fn stands(&self, _: bool) -> bool {
        // A part's own sum may overflow where that in order does not.
        !(CHECKED && O::OVERFLOWS)
    }
    fn put(&self, value: &mut V, behind: &mut V) {
        *value = O::merge::<false>(*value, *behind).0;
    }
}

/// The value is the least or the greatest by comparison.
#[derive(Debug)]
pub struct Comparing {
    less: bool,
    last: bool,
    varies: bool,
}

/// The value is the least, or the greatest, by comparison: the first or the last of equals. `varies`: it begins with an item.
pub fn comparing<V: Key>(_: Of<V>, less: bool, last: bool, varies: bool) -> Comparing {
    Comparing { less, last, varies }
}

impl<V: Key> Role<V> for Comparing {
    const ROUNDS: bool = false;

    fn takes(&self, begin: &mut V, bare: bool) -> bool {
        let begin = &*begin;
        bare && begin.partial_cmp(begin).is_some()
    }
    fn stands(&self, _: bool) -> bool {
        // What begins as NaN stays so.
        V::TOTAL || !self.varies
    }
    fn put(&self, value: &mut V, behind: &mut V) {
        if self.better(behind, value) {
            mem::swap(value, behind);
        }
    }
}

impl Comparing {
    /// Whether what comes later takes the place of what was there.
    fn better<V: PartialOrd>(&self, later: &V, known: &V) -> bool {
        match (self.less, self.last) {
            (true, false) => later < known,
            (true, true) => later <= known,
            (false, false) => later > known,
            (false, true) => later >= known,
        }
    }
}

/// The value is that whose key is the least, or the greatest.
#[derive(Debug)]
pub struct Keeping<F, G> {
    get: G,
    comparing: Comparing,
    of: PhantomData<fn() -> F>,
}

/// The value is that whose key is the least, or the greatest, by comparison. `get` lends the key.
pub fn keeping<V, F: Key, G>(
    _: Of<V>,
    get: G,
    less: bool,
    last: bool,
    varies: bool,
) -> Keeping<F, G>
where
    G: for<'v> Fn(&'v mut V) -> &'v mut F + Send + Sync,
{
    Keeping {
        get,
        comparing: Comparing { less, last, varies },
        of: PhantomData,
    }
}

impl<V, F: Key, G> Role<V> for Keeping<F, G>
where
    G: for<'v> Fn(&'v mut V) -> &'v mut F + Send + Sync,
{
    const ROUNDS: bool = false;

    fn takes(&self, begin: &mut V, bare: bool) -> bool {
        // Where a part has nothing but what a value begins with, that is not the last of equals.
        !self.comparing.last && self.comparing.takes((self.get)(begin), bare)
    }
    fn stands(&self, bare: bool) -> bool {
        Role::<F>::stands(&self.comparing, bare)
    }
    fn put(&self, value: &mut V, behind: &mut V) {
        if self.comparing.better((self.get)(behind), (self.get)(value)) {
            mem::swap(value, behind);
        }
    }
}

/// The value is appended to.
#[derive(Debug)]
pub struct Appending;

/// The value is appended to.
pub fn appending<V: Grows>(_: Of<V>) -> Appending {
    Appending
}

impl<V: Grows> Role<V> for Appending {
    const ROUNDS: bool = false;

    fn takes(&self, begin: &mut V, _: bool) -> bool {
        begin.size() == 0
    }
    fn stands(&self, _: bool) -> bool {
        true
    }
    fn put(&self, value: &mut V, behind: &mut V) {
        value.put_behind(mem::take(behind));
    }
}

/// The value is assigned anew.
#[derive(Debug)]
pub struct Replacing;

/// The value is assigned anew.
pub fn replacing<V>(_: Of<V>) -> Replacing {
    Replacing
}

impl<V> Role<V> for Replacing {
    const ROUNDS: bool = false;

    fn takes(&self, _: &mut V, _: bool) -> bool {
        true
    }
    fn stands(&self, _: bool) -> bool {
        true
    }
    fn put(&self, value: &mut V, behind: &mut V) {
        mem::swap(value, behind);
    }
}

/// The value stays as it is.
impl<V> Role<V> for () {
    const ROUNDS: bool = false;

    fn takes(&self, _: &mut V, _: bool) -> bool {
        true
    }
    fn stands(&self, _: bool) -> bool {
        true
    }
    fn put(&self, _: &mut V, _: &mut V) {}
}

/// A field of the value has a role, and others have theirs.
#[derive(Debug)]
pub struct Field<F, G, R, Rest> {
    get: G,
    role: R,
    rest: Rest,
    of: PhantomData<fn() -> F>,
}

/// A field of the value has a role, and others have theirs. `get` lends it.
pub fn field<V, F, G, R, Rest>(
    of: Of<V>,
    get: G,
    role: impl FnOnce(Of<F>) -> R,
    rest: impl FnOnce(Of<V>) -> Rest,
) -> Field<F, G, R, Rest>
where
    G: for<'v> Fn(&'v mut V) -> &'v mut F + Send + Sync,
    R: Role<F>,
    Rest: Role<V>,
{
    Field {
        get,
        role: role(Of::new()),
        rest: rest(of),
        of: PhantomData,
    }
}

impl<V, F, G, R, Rest> Role<V> for Field<F, G, R, Rest>
where
    G: for<'v> Fn(&'v mut V) -> &'v mut F + Send + Sync,
    R: Role<F>,
    Rest: Role<V>,
{
    const ROUNDS: bool = R::ROUNDS || Rest::ROUNDS;

    fn takes(&self, begin: &mut V, bare: bool) -> bool {
        self.role.takes((self.get)(begin), bare) && self.rest.takes(begin, bare)
    }
    fn stands(&self, bare: bool) -> bool {
        self.role.stands(bare) && self.rest.stands(bare)
    }
    fn put(&self, value: &mut V, behind: &mut V) {
        self.role.put((self.get)(value), (self.get)(behind));
        self.rest.put(value, behind);
    }
}

/// An array or a vector.
#[diagnostic::on_unimplemented(
    message = "[accrue::H028] elements of `{Self}` are changed in a way that depends on the order of the iterations",
    label = "this is no array and no `Vec`",
    note = "iterations run at the same time; what they count in the values of a map has to lie in arrays or vectors, so that parts can be merged"
)]
pub trait Row {
    /// Its elements.
    type Element;
    /// Whether all of the type are of one length.
    const FIXED: bool;

    /// All elements.
    fn all(&mut self) -> &mut [Self::Element];
}

impl<E, const N: usize> Row for [E; N] {
    type Element = E;
    const FIXED: bool = true;

    fn all(&mut self) -> &mut [E] {
        self
    }
}

impl<E> Row for Vec<E> {
    type Element = E;
    const FIXED: bool = false;

    fn all(&mut self) -> &mut [E] {
        self
    }
}

/// Every element of the value has a role.
#[derive(Debug)]
pub struct Elements<R>(R);

/// Every element of the value has a role.
pub fn elements<V: Row, R: Role<V::Element>>(
    _: Of<V>,
    role: impl FnOnce(Of<V::Element>) -> R,
) -> Elements<R> {
    Elements(role(Of::new()))
}

impl<V: Row, R: Role<V::Element>> Role<V> for Elements<R> {
    const ROUNDS: bool = R::ROUNDS;

    fn takes(&self, begin: &mut V, bare: bool) -> bool {
        // A vector from before the loop may be shorter.
        let long = V::FIXED || bare;
        let mut elements = begin.all().iter_mut();
        long && elements.all(|begin| self.0.takes(begin, bare))
    }
    fn stands(&self, bare: bool) -> bool {
        self.0.stands(bare)
    }
    fn put(&self, value: &mut V, behind: &mut V) {
        for (value, behind) in value.all().iter_mut().zip(behind.all()) {
            self.0.put(value, behind);
        }
    }
}

/// The value is a map or a set, whose values have a role.
#[derive(Debug)]
pub struct Entries<R>(R);

/// The value is a map or a set, whose values have a role.
pub fn entries<T: Table, R: Role<T::Value>>(
    _: Of<T>,
    role: impl FnOnce(Of<T::Value>) -> R,
) -> Entries<R> {
    Entries(role(Of::new()))
}

impl<T: Table, R: Role<T::Value>> Role<T> for Entries<R> {
    const ROUNDS: bool = R::ROUNDS;

    fn takes(&self, begin: &mut T, _: bool) -> bool {
        begin.size() == 0
    }
    fn stands(&self, bare: bool) -> bool {
        self.0.stands(bare)
    }
    fn put(&self, value: &mut T, behind: &mut T) {
        let behind = mem::replace(behind, value.alike());
        value.put(behind, |value, behind| self.0.put(value, behind));
    }
}

/// A role of values that begin in some way.
#[derive(Debug)]
pub struct Begins<R> {
    role: R,
    /// Whether the role takes that where no value comes from before the loop, and where some may.
    bare: bool,
    any: bool,
}

/// A role of values that begin so; `sure`: what says how cannot panic. Where it does, it may be that no iteration comes to it.
pub fn begins<V, R: Role<V>>(
    of: Of<V>,
    role: impl FnOnce(Of<V>) -> R,
    begin: impl FnOnce() -> V,
    sure: bool,
) -> Begins<R> {
    let role = role(of);
    let begin = match sure {
        true => Some(begin()),
        false if PANICS_END => None,
        false => catch_unwind(AssertUnwindSafe(begin)).ok(),
    };
    let (bare, any) = match begin {
        Some(mut begin) => (role.takes(&mut begin, true), role.takes(&mut begin, false)),
        None => (false, false),
    };
    Begins { role, bare, any }
}

impl<V, R: Role<V>> Role<V> for Begins<R> {
    const ROUNDS: bool = R::ROUNDS;

    fn takes(&self, begin: &mut V, bare: bool) -> bool {
        self.role.takes(begin, bare)
    }
    fn stands(&self, bare: bool) -> bool {
        (if bare { self.bare } else { self.any }) && self.role.stands(bare)
    }
    fn put(&self, value: &mut V, behind: &mut V) {
        self.role.put(value, behind);
    }
}

/// The map of a loop.
type Place<'a, T> = Arc<Mutex<&'a mut T>>;

/// A map that a loop groups by keys.
#[derive(Debug)]
pub struct Keyed<'a, T, R> {
    place: Place<'a, T>,
    /// An empty one that hashes alike.
    model: T,
    role: R,
    /// The maps of other parts, in order.
    behind: Vec<T>,
    /// Whether the map was empty before the loop.
    bare: bool,
    /// Whether one alone has to do all, on the map itself.
    alone: bool,
}

/// What a part groups by keys.
#[derive(Debug)]
pub struct Grouped<'a, T: Table> {
    map: T,
    /// The map that it is, where it is no part's own, and whether nothing was there before the loop that a panic must not take away.
    of: Option<(Place<'a, T>, bool)>,
}

impl<T: Table> Deref for Grouped<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.map
    }
}

impl<T: Table> DerefMut for Grouped<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.map
    }
}

impl<T: Table> Grouped<'_, T> {
    /// Puts the map back where it was; false where it is a part's own.
    fn put_back(&mut self) -> bool {
        let Some((place, _)) = self.of.take() else {
            return false;
        };
        let empty = self.map.alike();
        **lock(&place) = mem::replace(&mut self.map, empty);
        true
    }
}

/// Puts back a map that nobody has ended.
impl<T: Table> Drop for Grouped<'_, T> {
    fn drop(&mut self) {
        if let Some((_, true)) = self.of {
            self.map.empty();
        }
        self.put_back();
    }
}

impl<'a, T: Table, R: Role<T>> Combined for Keyed<'a, T, R> {
    type Private = Grouped<'a, T>;
    const ORDERED: bool = false;
    const ROUNDS: bool = R::ROUNDS;
    const FOLLOWS: bool = true;
    const HEAVY: bool = true;

    fn bytes(&self) -> usize {
        0
    }
    fn is_alone(&self) -> bool {
        self.alone
    }
    fn begin(&self) -> Grouped<'a, T> {
        let mut map = self.model.alike();
        let of = (self.alone || self.bare).then(|| {
            mem::swap(&mut map, &mut **lock(&self.place));
            (self.place.clone(), !self.alone)
        });
        Grouped { map, of }
    }
    fn fresh(&self) -> Grouped<'a, T> {
        Grouped {
            map: self.model.alike(),
            of: None,
        }
    }
    fn end(&mut self, mut first: Grouped<'a, T>) {
        if !first.put_back() {
            self.role.put(&mut **lock(&self.place), &mut first.map);
        }
    }
    fn merge(&mut self, mut other: Grouped<'a, T>) {
        let map = mem::replace(&mut other.map, self.model.alike());
        self.behind.push(map);
    }
    fn finish(&mut self) {
        let mut maps = mem::take(&mut self.behind);
        while maps.len() > 1 && maps.iter().map(T::size).sum::<usize>() > FEW {
            let pairs = maps.chunks_mut(2);
            crew::each(crew::threads().min(pairs.len()), pairs, |pair| {
                if let [map, behind] = pair {
                    self.role.put(map, behind);
                }
            });
            maps = maps.into_iter().step_by(2).collect();
        }
        let mut place = lock(&self.place);
        for mut map in maps {
            self.role.put(&mut **place, &mut map);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::each::Each;
    use crate::cpu::op::{Add, Max};
    use crate::cpu::request::with_strategy;
    use crate::cpu::site::Site;

    static SITE: Site = Site::new("test", "");

    const WAYS: [&str; 3] = [
        "sequential",
        "private:workers=3,parts=7",
        "private:workers=4",
    ];

    #[test]
    fn values_are_combined_in_parts() {
        for way in WAYS {
            for held in [None, Some((3, 100u64))] {
                let mut counts: HashMap<usize, u64> = held.into_iter().collect();
                let mut expected = counts.clone();
                (0..200).for_each(|i| *expected.entry(i % 9).or_insert(0) += 1);
                with_strategy(way, || {
                    let keyed = counts.__accrue_keyed(|of| {
                        entries(of, |of| {
                            begins(
                                of,
                                |of| combining::<false, _, _>(of, Add, false),
                                || 0,
                                true,
                            )
                        })
                    });
                    Each::new(&SITE, 200).run((keyed, ()), |part, (counts, ())| {
                        part.for_each(|i| *counts.entry(i % 9).or_insert(0) += 1);
                    });
                });
                assert_eq!(counts, expected, "{way}");
            }
        }
    }

    /// A sum that begins with 10 in each part, and a maximum that begins above what the map has.
    #[test]
    fn what_begins_with_something_that_counts_runs_in_order() {
        let mut sums = BTreeMap::from([(1, 1i64)]);
        let keyed = sums.__accrue_keyed(|of| {
            entries(of, |of| {
                begins(
                    of,
                    |of| combining::<false, _, _>(of, Add, false),
                    || 10,
                    true,
                )
            })
        });
        assert!(keyed.is_alone());
        drop(keyed);
        for (held, alone) in [(None, false), (Some((1, -5i64)), true)] {
            let mut most: BTreeMap<i32, i64> = held.into_iter().collect();
            let keyed = most.__accrue_keyed(|of| {
                entries(of, |of| {
                    begins(of, |of| combining::<false, _, _>(of, Max, true), || 0, true)
                })
            });
            assert_eq!(keyed.is_alone(), alone);
        }
        with_strategy(WAYS[1], || {
            let keyed = sums.__accrue_keyed(|of| {
                entries(of, |of| {
                    begins(
                        of,
                        |of| combining::<false, _, _>(of, Add, false),
                        || 10,
                        true,
                    )
                })
            });
            Each::new(&SITE, 60).run((keyed, ()), |part, (sums, ())| {
                part.for_each(|i| *sums.entry(i as i32 % 2).or_insert(10) += 1);
            });
        });
        assert_eq!(sums, BTreeMap::from([(0, 40), (1, 31)]));
    }

    /// What may panic in no iteration, and what an item may be as good as.
    #[test]
    fn what_parts_cannot_begin_with_runs_in_order() {
        let mut sums: BTreeMap<i32, i64> = BTreeMap::new();
        let alone = |begin: fn() -> i64, sums: &mut BTreeMap<i32, i64>| {
            let keyed = sums.__accrue_keyed(|of| {
                entries(of, |of| {
                    begins(
                        of,
                        |of| combining::<false, _, _>(of, Add, false),
                        begin,
                        false,
                    )
                })
            });
            keyed.is_alone()
        };
        assert!(!alone(|| 0, &mut sums));
        assert!(alone(|| panic!("nobody comes to it"), &mut sums));
        for last in [false, true] {
            let mut most: BTreeMap<i32, (i64, usize)> = BTreeMap::new();
            let keyed = most.__accrue_keyed(|of| {
                entries(of, |of| {
                    let of_key = |of| {
                        keeping(
                            of,
                            |value: &mut (i64, usize)| &mut value.0,
                            false,
                            last,
                            false,
                        )
                    };
                    begins(of, of_key, || (0, 9), true)
                })
            });
            assert_eq!(keyed.is_alone(), last);
        }
    }

    #[test]
    fn the_first_keys_stay_and_values_follow_each_other() {
        for way in WAYS {
            let mut lists: BTreeMap<usize, Vec<usize>> = BTreeMap::from([(2, vec![7])]);
            let mut expected = lists.clone();
            (0..200).for_each(|i| expected.entry(i % 5).or_default().push(i));
            with_strategy(way, || {
                let keyed = lists.__accrue_keyed(|of| entries(of, appending));
                Each::new(&SITE, 200).run((keyed, ()), |part, (lists, ())| {
                    part.for_each(|i| lists.entry(i % 5).or_default().push(i));
                });
            });
            assert_eq!(lists, expected, "{way}");
        }
    }

    /// So many keys that parts are merged two by two.
    #[test]
    fn many_keys_are_merged_in_order() {
        let mut lists: HashMap<usize, Vec<usize>> = HashMap::from([(2, vec![7])]);
        let mut expected = lists.clone();
        (0..4000).for_each(|i| expected.entry(i * 7 % 600).or_default().push(i));
        with_strategy(WAYS[1], || {
            let keyed = lists.__accrue_keyed(|of| entries(of, appending));
            Each::new(&SITE, 4000).run((keyed, ()), |part, (lists, ())| {
                part.for_each(|i| lists.entry(i * 7 % 600).or_default().push(i));
            });
        });
        assert_eq!(lists, expected);
    }

    #[test]
    fn nothing_is_left_where_an_iteration_panics() {
        for way in WAYS {
            for held in [None, Some(9)] {
                let mut seen: HashSet<usize> = held.into_iter().collect();
                let before = seen.clone();
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    with_strategy(way, || {
                        let keyed = seen.__accrue_keyed(|of| entries(of, |_| ()));
                        Each::new(&SITE, 200).run((keyed, ()), |part, (seen, ())| {
                            for i in part {
                                assert!(i != 150);
                                seen.insert(i);
                            }
                        });
                    });
                }));
                assert!(ran.is_err());
                assert_eq!(seen, before, "{way}");
            }
        }
    }
}
