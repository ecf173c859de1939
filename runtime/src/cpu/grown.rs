//! Collections that a loop appends to, `out.push(x)`: every part has one of its own, and they are put behind each other in the order of the parts.
//!
//! Until all iterations have succeeded nothing is appended, so that after a panic the collection is as before the call.

use std::collections::VecDeque;

use super::each::Combined;

/// A collection that a loop may append to.
#[diagnostic::on_unimplemented(
    message = "[accrue::H028] `{Self}` is changed in a way that depends on the order of the iterations",
    label = "this is no `Vec`, `VecDeque` or `String`",
    note = "iterations run at the same time; what a loop appends to has to be one of these, so that parts can be put behind each other"
)]
pub trait Grows: Default + Send + Sync {
    /// Puts all of another one behind what is there.
    fn put_behind(&mut self, other: Self);

    /// What the loop appends to.
    #[inline(always)]
    fn __accrue_grown(&mut self) -> Grown<'_, Self> {
        Grown(self)
    }
}

impl<T: Send + Sync> Grows for Vec<T> {
    fn put_behind(&mut self, mut other: Self) {
        match self.is_empty() && self.capacity() < other.len() {
            true => *self = other,
            false => self.append(&mut other),
        }
    }
}

impl<T: Send + Sync> Grows for VecDeque<T> {
    fn put_behind(&mut self, mut other: Self) {
        self.append(&mut other);
    }
}

impl Grows for String {
    fn put_behind(&mut self, other: Self) {
        self.push_str(&other);
    }
}

/// A collection that a loop appends to.
#[derive(Debug)]
pub struct Grown<'a, V>(&'a mut V);

impl<V: Grows> Combined for Grown<'_, V> {
    type Private = V;
    const ORDERED: bool = false;
    const ROUNDS: bool = false;
    const FOLLOWS: bool = true;

    fn bytes(&self) -> usize {
        0
    }
    fn begin(&self) -> V {
        V::default()
    }
    fn fresh(&self) -> V {
        V::default()
    }
    fn end(&mut self, first: V) {
        self.0.put_behind(first);
    }
    fn merge(&mut self, other: V) {
        self.0.put_behind(other);
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

    #[test]
    fn nothing_is_appended_where_an_iteration_panics() {
        for way in ["sequential", "private:workers=3,parts=7"] {
            let (out, ran) = with_strategy(way, || kept(vec![1], |out, i| out.push(i), 150));
            assert!(!ran);
            assert_eq!(out, [1], "{way}");
        }
    }
}
