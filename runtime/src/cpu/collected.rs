//! The items of an iterator that goes from one to the next alone, for loops that want them by their numbers.
//!
//! Lines and words of a `str` are collected by all workers: each takes the items that begin in its parts of the text, from the first place in a part that lies behind
//! what items are divided by.

use std::ops::Range;
use std::str::{
    CharIndices, Chars, Lines, Split, SplitAsciiWhitespace, SplitInclusive, SplitTerminator,
    SplitWhitespace,
};
use std::sync::Mutex;

use super::each::{Combined, Each, are_fewer};
use super::site::Site;
use crate::base::lock::lock;

/// An item of which a loop has a copy.
#[diagnostic::on_unimplemented(
    message = "[accrue::H012] items of type `{Self}` cannot be collected for a loop in parts: they are no numbers, characters or references",
    label = "these are made one after the other",
    note = "collect them into a `Vec` before the loop and iterate over it by reference, or write `#[sequential]` before the loop's `for`"
)]
pub trait Collected: Copy {}

impl<T: Copy> Collected for T {}

/// All items, in order.
pub fn collected<T: Collected>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    items.into_iter().collect()
}

/// What an iterator goes over and its items: what rustc finds first is said of characters, lines and words of a `str`, and what [any](AnyItems) can do of others.
#[derive(Debug)]
pub struct Items<T, I>(pub T, pub I);

/// What is done with items of which nothing is known.
pub trait AnyItems {
    /// An item.
    type Item;

    /// All items, in order.
    fn collected(self) -> Vec<Self::Item>
    where
        Self::Item: Collected;
}

impl<T, I: IntoIterator> AnyItems for Items<T, I> {
    type Item = I::Item;

    fn collected(self) -> Vec<I::Item>
    where
        I::Item: Collected,
    {
        collected(self.1)
    }
}

impl<T> Items<T, Chars<'_>> {
    /// All characters, in order.
    pub fn collected(self) -> Vec<char> {
        by_runs(self.1.as_str(), |_, c| c)
    }
}

impl<T> Items<T, CharIndices<'_>> {
    /// All characters with their places, in order.
    pub fn collected(self) -> Vec<(usize, char)> {
        let first = self.1.offset();
        by_runs(self.1.as_str(), |at, c| (first + at, c))
    }
}

/// What may be a text: what rustc finds first is said of texts, and what [any](AnyText) is of others. Those are not borrowed by it.
#[derive(Debug)]
pub struct Text<T>(pub T);

/// What is no text.
pub trait AnyText: Sized {
    /// No text.
    fn text(self) -> Option<&'static str> {
        None
    }
}

impl<T> AnyText for Text<T> {}

/// What is one, behind as many references as there may be.
macro_rules! texts {
    ($($of:ty),*) => {
        $(impl<'a> Text<$of> {
            /// The text.
            pub fn text(self) -> Option<&'a str> {
                Some(self.0)
            }
        })*
    };
}

texts!(&'a str, &'a String, &&'a str, &&'a String);

impl<'a> Items<Option<&'a str>, Lines<'a>> {
    /// All lines, in order.
    pub fn collected(self) -> Vec<&'a str> {
        by_parts(self.1, self.0, str::lines, |c| c == '\n')
    }
}

impl<'a> Items<Option<&'a str>, SplitWhitespace<'a>> {
    /// All words, in order.
    pub fn collected(self) -> Vec<&'a str> {
        let text = self.0;
        by_parts(self.1, text, str::split_whitespace, char::is_whitespace)
    }
}

impl<'a> Items<Option<&'a str>, SplitAsciiWhitespace<'a>> {
    /// All words, in order.
    pub fn collected(self) -> Vec<&'a str> {
        let (text, of) = (self.0, str::split_ascii_whitespace);
        by_parts(self.1, text, of, |c| c.is_ascii_whitespace())
    }
}

impl<'a> Items<(Option<&'a str>, char), Split<'a, char>> {
    /// All parts, in order.
    pub fn collected(self) -> Vec<&'a str> {
        let (text, by) = self.0;
        by_parts(self.1, text, |text| text.split(by), |c| c == by)
    }
}

impl<'a> Items<(Option<&'a str>, char), SplitInclusive<'a, char>> {
    /// All parts, in order.
    pub fn collected(self) -> Vec<&'a str> {
        let (text, by) = self.0;
        by_parts(self.1, text, |text| text.split_inclusive(by), |c| c == by)
    }
}

impl<'a> Items<(Option<&'a str>, char), SplitTerminator<'a, char>> {
    /// All parts, in order.
    pub fn collected(self) -> Vec<&'a str> {
        let (text, by) = self.0;
        by_parts(self.1, text, |text| text.split_terminator(by), |c| c == by)
    }
}

/// What a worker has collected.
#[derive(Debug, Default)]
struct Taken {
    /// Where items begin and how long they are.
    items: Vec<[u32; 2]>,
    /// The first piece of each part, and how many items there were before.
    parts: Vec<(usize, usize)>,
}

/// What all of them have.
struct All(Vec<Taken>);

/// What was collected in, for calls to come: new memory would be asked of the system page by page.
static KEPT: Mutex<Vec<Taken>> = Mutex::new(Vec::new());

/// So many of them are kept, with so many items at most.
const KEEP: usize = 16;
const LONGEST: usize = 1 << 19;

impl Combined for All {
    type Private = Taken;
    const ORDERED: bool = false;
    const ROUNDS: bool = false;

    fn bytes(&self) -> usize {
        0
    }
    fn begin(&self) -> Taken {
        self.fresh()
    }
    fn fresh(&self) -> Taken {
        lock(&KEPT).pop().unwrap_or_default()
    }
    fn end(&mut self, first: Taken) {
        self.0.push(first);
    }
    fn merge(&mut self, other: Taken) {
        self.0.push(other);
    }
}

impl All {
    /// The items, in order.
    ///
    /// # Safety
    ///
    /// Those of this text were taken.
    unsafe fn of(self, text: &str) -> Vec<&str> {
        let mut parts = Vec::new();
        for Taken { items, parts: of } in &self.0 {
            let ends = of[1.min(of.len())..].iter().map(|(_, at)| *at);
            let ranges = of.iter().zip(ends.chain([items.len()]));
            parts.extend(ranges.map(|((piece, at), end)| (*piece, &items[*at..end])));
        }
        parts.sort_unstable_by_key(|(piece, _)| *piece);
        let len: usize = parts.iter().map(|(_, items)| items.len()).sum();
        // As much as one that grew would have: allocators give what is a little smaller back to the system, and ask for it again, page by page.
        let mut all = Vec::with_capacity(len.next_power_of_two());
        for (_, items) in parts {
            let place = |[at, len]: &[u32; 2]| *at as usize..(*at + *len) as usize;
            // SAFETY: these are places of slices of the text.
            let item = |item| unsafe { text.get_unchecked(place(item)) };
            all.extend(items.iter().map(item));
        }
        let mut kept = lock(&KEPT);
        for mut taken in self.0 {
            if kept.len() < KEEP && taken.items.capacity() <= LONGEST {
                taken.items.clear();
                taken.parts.clear();
                kept.push(taken);
            }
        }
        all
    }
}

/// A piece of a text, in bytes; of so few it is not asked how long they take.
const PIECE: usize = if cfg!(test) { 8 } else { 1 << 10 };
const FEW: usize = 8;

/// Parts of texts are not told of.
static SITE: Site = Site::new("", "");

/// The items that `of` makes of a text, each of which begins where the text does or behind a character that `divides`.
fn by_parts<'a, I: DoubleEndedIterator<Item = &'a str> + Clone>(
    items: I,
    text: Option<&'a str>,
    of: impl Fn(&'a str) -> I + Sync,
    divides: impl Fn(char) -> bool + Sync,
) -> Vec<&'a str> {
    let Some(text) = text else {
        return items.collect();
    };
    let pieces = text.len().div_ceil(PIECE);
    // A type that stands for a text may have a method of that name which looks at another.
    let place = |item: Option<&str>| item.map(|item| item.as_bytes().as_ptr_range());
    let (mut one, mut other) = (items.clone(), of(text));
    let is_it = place(one.next()) == place(other.next())
        && place(one.next_back()) == place(other.next_back());
    let alone = pieces < FEW || are_fewer(2) || u32::try_from(text.len()).is_err();
    if alone || !is_it {
        return items.collect();
    }
    let take = |part: Range<usize>, own: &mut Taken| {
        let until = match part.end {
            end if end == pieces => usize::MAX,
            end => end * PIECE,
        };
        own.parts.push((part.start, own.items.len()));
        if let Some(first) = begins(text, part.start * PIECE, until, &divides) {
            let place = |item: &str| {
                let (at, bytes) = (
                    item.as_bytes().as_ptr_range(),
                    text.as_bytes().as_ptr_range(),
                );
                assert!(bytes.start <= at.start && at.end <= bytes.end);
                item.as_ptr().addr() - text.as_ptr().addr()
            };
            let items = of(&text[first..]).map(|item| [place(item), item.len()]);
            let items = items.take_while(|[at, _]| *at < until);
            own.items.extend(items.map(|item| item.map(|n| n as u32)));
        }
    };
    let mut all = All(Vec::new());
    Each::new(&SITE, pieces).quietly(&mut all, take, take);
    // SAFETY: `take` has seen that its items lie in the text.
    unsafe { all.of(text) }
}

/// The first place from one on, and before another, where an item may begin.
fn begins(text: &str, from: usize, until: usize, divides: impl Fn(char) -> bool) -> Option<usize> {
    if from == 0 {
        return Some(0);
    }
    // The character that ends there, or around there.
    let before = (0..from).rev().find(|at| text.is_char_boundary(*at))?;
    let chars = text[before..].char_indices();
    let ends = chars.map(|(at, c)| (before + at + c.len_utf8(), c));
    let mut ends = ends.take_while(|(end, _)| *end < until);
    ends.find(|(_, c)| divides(*c)).map(|(end, _)| end)
}

/// So many bytes, or characters, are looked at together.
const RUN: usize = 32;

/// The characters of a text and where they are. Those of ASCII are copied a run at a time, by wide instructions.
#[inline(always)]
fn by_runs<T>(text: &str, item: impl Fn(usize, char) -> T) -> Vec<T> {
    let mut all = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let runs = rest.as_bytes().chunks_exact(RUN);
        let ascii = RUN * runs.take_while(|run| run.is_ascii()).count();
        let (run, behind) = rest.split_at(ascii);
        let first = text.len() - rest.len();
        let run = run.bytes().enumerate();
        all.extend(run.map(|(at, byte)| item(first + at, char::from(byte))));
        let (first, mut chars) = (first + ascii, behind.char_indices());
        all.extend(chars.by_ref().take(RUN).map(|(at, c)| item(first + at, c)));
        rest = chars.as_str();
    }
    all
}

/// The items of a collection that a loop takes, each by itself.
pub fn owned<I: IntoIterator>(of: I) -> Vec<Option<I::Item>> {
    of.into_iter().map(Some).collect()
}

/// Takes such an item.
///
/// # Panics
///
/// If an iteration has taken it.
#[inline(always)]
pub fn take<T>(of: &mut Option<T>) -> T {
    of.take().expect("an iteration has the item")
}

/// A field of each element, as it is before a loop that changes others.
pub fn parts<T, R: Copy>(of: &[T], part: impl Fn(&T) -> R) -> Vec<R> {
    of.iter().map(part).collect()
}

/// What counts items that are settled behind their loop.
#[diagnostic::on_unimplemented(
    message = "[accrue::H057] `{Self}` may overflow while it counts what elements take",
    label = "this is counted up where an element takes what is better",
    note = "elements take what is better behind the loop, and a count that overflows there would be told too late",
    note = "count in a `usize`"
)]
pub trait Count {}

macro_rules! count {
    ($($number:ty)*) => {
        $(impl Count for $number {})*
    };
}

count! { i32 u32 i64 u64 i128 u128 isize usize f32 f64 }

/// That a number counts them.
pub fn counts<T: Count>(_: &T) {}

/// What iterations add to elements behind their loop.
pub fn later<T>() -> Vec<T> {
    Vec::new()
}

/// Text that an iteration adds, as what all are.
pub fn lent_text(of: &str) -> &str {
    of
}

/// A copy of text that an iteration adds.
pub fn text(of: &str) -> String {
    of.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::request::with_strategy;

    #[test]
    fn characters_are_those_of_the_text() {
        let ascii: String = ('a'..='z').cycle().take(200).collect();
        let texts = [
            String::new(),
            "grün 😀 ß".repeat(40),
            format!("{ascii}é{ascii}😀"),
            format!("é{}", &ascii[..31]),
            ascii[..64].to_owned(),
            ascii,
        ];
        for text in texts {
            let mut chars = text.chars();
            for _ in 0..3 {
                assert!(
                    Items((), chars.clone())
                        .collected()
                        .into_iter()
                        .eq(chars.clone())
                );
                chars.next();
            }
            let mut indices = text.char_indices();
            for _ in 0..3 {
                assert!(
                    Items((), indices.clone())
                        .collected()
                        .into_iter()
                        .eq(indices.clone())
                );
                indices.next();
            }
        }
        assert_eq!(Items((), 0..3).collected(), [0, 1, 2]);
    }

    #[test]
    fn lines_and_words_are_those_of_the_text() {
        let words = [
            "",
            "a",
            "grün",
            "😀😀",
            "\u{2003}",
            "\r",
            "long and longer than a piece",
            "ß",
        ];
        let mut texts = vec![String::new(), "\n".repeat(40), "x".repeat(50)];
        for k in if cfg!(miri) { 7..8 } else { 0..60 } {
            let words = (0..k).map(|i| words[(i * i + k) % words.len()]);
            let by = ["\n", " ", ",", "\r\n", "\u{2003}"];
            texts.push(
                words
                    .enumerate()
                    .map(|(i, w)| format!("{w}{}", by[(i * 7 + k) % 5]))
                    .collect(),
            );
        }
        for text in &texts {
            for way in [
                "sequential",
                "private:workers=3,parts=7",
                "private:workers=2,parts=1000",
            ] {
                with_strategy(way, || {
                    macro_rules! same {
                        ($($items:expr, $of:expr;)*) => {
                            $(assert!(Items($of, $items).collected().into_iter().eq($items), "{way} {text:?}");)*
                        };
                    }
                    let (of, behind) = (text.as_str(), "some other text");
                    same! {
                        of.lines(), Text(of).text(); text.lines(), Text(text).text();
                        of.split_whitespace(), Text(&of).text();
                        of.split_ascii_whitespace(), Text(&text).text();
                        of.split(','), (Some(of), ',');
                        of.split_inclusive('ü'), (Some(of), 'ü');
                        of.split_terminator('\n'), (Some(of), '\n');
                        // Of another text than it says, or of none.
                        of.lines(), Some(behind); of.split('x'), (Some(of), 'y');
                        of.lines(), Text(7).text();
                    }
                });
            }
        }
    }
}
