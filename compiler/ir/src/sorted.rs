//! Maps and sets of few keys in their order, as vectors, and a sort for short lists. Hash maps and `BTreeMap` do as much, and their machinery for many keys,
//! again for each type, took a sixth of what the compiler's crates take to build.

use std::borrow::Borrow;
use std::ops::Index;

/// Values by their keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sorted<K, V>(Vec<(K, V)>);

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Sorted(Vec::new())
    }
}

impl<K: Ord, V> Sorted<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where a key is, or belongs.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0
            .binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &mut self.0[at].1)
    }

    /// Whether it has a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// The value of a key, which is this one where it had none.
    pub fn or_insert(&mut self, key: K, value: V) -> &mut V {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, value));
            at
        });
        &mut self.0[at].1
    }

    /// The value of a key, which is the default where it had none.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.or_insert(key, V::default())
    }

    /// Gives a key its value, and says which it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Takes a key out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        Some(self.0.remove(at).1)
    }

    /// Drops the keys that are not to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> + Clone {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for Sorted<K, V> {
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("a key of the map")
    }
}

impl<K, V> IntoIterator for Sorted<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Sorted<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(all: I) -> Self {
        let mut map = Self::default();
        map.extend(all);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for Sorted<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, more: I) {
        for (key, value) in more {
            self.insert(key, value);
        }
    }
}

/// Keys in their order, each once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortedSet<K>(Vec<K>);

impl<K> Default for SortedSet<K> {
    fn default() -> Self {
        SortedSet(Vec::new())
    }
}

impl<K: Ord> SortedSet<K> {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|known| known.borrow().cmp(key))
    }

    /// Adds a key; whether it is new.
    pub fn insert(&mut self, key: K) -> bool {
        match self.place(&key) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, key);
                true
            }
        }
    }

    /// Takes a key out; whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).map(|at| self.0.remove(at)).is_ok()
    }

    /// Whether it has a key.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// The key that is equal to another.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| &self.0[at])
    }

    /// Drops the keys that are not to be kept.
    pub fn retain(&mut self, keep: impl FnMut(&K) -> bool) {
        self.0.retain(keep);
    }

    /// Whether it has no key of another.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.0.iter().any(|key| other.contains(key))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes all keys out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys.
    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.0.iter()
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for SortedSet<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Ord> Extend<K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, more: I) {
        for key in more {
            self.insert(key);
        }
    }
}

impl<'a, K: Ord + Copy> Extend<&'a K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = &'a K>>(&mut self, more: I) {
        self.extend(more.into_iter().copied());
    }
}

impl<'a, K> IntoIterator for &'a SortedSet<K> {
    type Item = &'a K;
    type IntoIter = std::slice::Iter<'a, K>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<K> IntoIterator for SortedSet<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(all: I) -> Self {
        let mut set = Self::default();
        set.extend(all);
        set
    }
}

/// Sorts a short list.
pub fn sort<T: Ord>(list: &mut [T]) {
    insert_each(list, |a, b| a < b);
}

/// Sorts a short list by a key; items of equal keys stay in their order.
pub fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    insert_each(list, |a, b| key(a) < key(b));
}

fn insert_each<T>(list: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && is_less(&list[at], &list[at - 1]) {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_stay_in_their_order() {
        let mut list = [(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        by_key(&mut list, |item| item.0);
        assert_eq!(list, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c')]);
    }

    #[test]
    fn a_set_has_each_key_once() {
        let set: SortedSet<u32> = [3, 1, 3, 2, 1].into_iter().collect();
        assert!(set.contains(&2) && !set.contains(&4));
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
    }
}
