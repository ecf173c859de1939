//! Sums of bytes with weights: four products of a word at once.
//!
//! ```text
//! x[at - 1] + x[at + 1] + x[at - w] + x[at + w] - 4 * x[at]
//!
//! word  · c x a    weights  0 1 -4 1      three words, three instructions (`dp4a`), which take the pipe of multiplications
//!       · · b ·             0 0  1 0
//!       · · d ·             0 0  1 0
//! ```
//!
//! A sum is kept as what it is a sum of until somebody wants its value, and then computed for each iteration by itself, or for two in one
//! register ([`pairs`](super::pairs)), whichever takes fewer instructions. Its numbers are exact either way.

use std::cell::Cell;
use std::collections::BTreeMap;

use accrue_ptx::value;
use accrue_ptx::writer::{Operand, Reg};

use super::emitter::Emitter;
use super::halves::{Pattern, fit, pattern, range_of};
use super::pairs::in_word;
use super::schedule::{Line, Piece};
use super::strips::Strip;
use crate::ir::BinaryOp;

/// Bytes of a word.
const WORD: i32 = 4;

/// A sum of bytes with weights, and a number, of an iteration; the next one has the elements behind.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    terms: BTreeMap<(Line, i32), i64>,
    number: i64,
    /// Its values, once somebody has wanted them.
    pub(super) packed: Cell<Option<Reg>>,
    pub(super) halves: Cell<Option<Reg>>,
    pub(super) apart: Cell<Option<[Reg; 2]>>,
}

impl Sum {
    /// An element of a line.
    pub(super) fn element(line: Line, element: i32) -> Sum {
        Sum {
            terms: BTreeMap::from([((line, element), 1)]),
            ..Sum::default()
        }
    }

    pub(super) fn number(number: i64) -> Sum {
        Sum {
            number,
            ..Sum::default()
        }
    }

    /// The number that it is, if it is one.
    pub(super) fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.number)
    }

    /// An operation on two, if that is a sum.
    pub(super) fn combine(op: BinaryOp, a: &Sum, b: &Sum) -> Option<Sum> {
        let (of, by) = match (op, a.as_number(), b.as_number()) {
            (BinaryOp::Add, ..) => return Some(a.plus(b, 1)),
            (BinaryOp::Sub, ..) => return Some(a.plus(b, -1)),
            (BinaryOp::Mul, _, Some(by)) => (a, by),
            (BinaryOp::Mul, Some(by), _) => (b, by),
            _ => return None,
        };
        Some(Sum::default().plus(of, by))
    }

    fn plus(&self, other: &Sum, times: i64) -> Sum {
        let mut terms = self.terms.clone();
        for (at, weight) in &other.terms {
            *terms.entry(*at).or_default() += weight * times;
        }
        terms.retain(|_, weight| *weight != 0);
        Sum {
            terms,
            number: self.number + other.number * times,
            ..Sum::default()
        }
    }

    /// Whether it takes fewer instructions by words, where the values of iterations are wanted by themselves or together.
    pub(super) fn is_by_words(&self, apart: bool) -> bool {
        let weights = || self.terms.values();
        let fits = weights().all(|w| (-0x80..0x80).contains(w))
            || weights().all(|w| (0..0x100).contains(w));
        // Sums of pairs are made for two iterations at once, and then taken apart.
        let words = 2 * self.windows().len();
        fits && self.terms.len() > 1 && words <= self.instructions() + 2 * usize::from(apart)
    }

    /// Instructions of a sum by pairs: those of the terms of a line are shared with other rows where other lines have such, too.
    fn instructions(&self) -> usize {
        let mut lines: Vec<Pattern> = self
            .by_lines()
            .iter()
            .map(|(_, of)| pattern(of).0)
            .collect();
        lines.sort_unstable();
        let of = |alike: &[Pattern]| alike.len() + alike[0].len() - 1;
        lines.chunk_by(|a, b| a == b).map(of).sum()
    }

    /// The number that it starts with.
    pub(super) fn as_offset(&self) -> i64 {
        self.number
    }

    /// The terms of each line.
    pub(super) fn by_lines(&self) -> Vec<(Line, Vec<(i32, i64)>)> {
        let mut lines: Vec<(Line, Vec<(i32, i64)>)> = Vec::new();
        for (&(line, element), &weight) in &self.terms {
            match lines.last_mut() {
                Some((of, terms)) if *of == line => terms.push((element, weight)),
                _ => lines.push((line, vec![(element, weight)])),
            }
        }
        lines
    }

    /// The elements that are in a word together.
    fn windows(&self) -> Vec<(Line, Vec<(i32, i64)>)> {
        let mut windows: Vec<(Line, Vec<(i32, i64)>)> = Vec::new();
        for (&(line, element), &weight) in &self.terms {
            match windows.last_mut() {
                Some((of, elements)) if *of == line && element - elements[0].0 < WORD => {
                    elements.push((element, weight));
                }
                _ => windows.push((line, vec![(element, weight)])),
            }
        }
        windows
    }
}

impl<'a> Emitter<'a> {
    /// The values of a sum for two iterations, by words.
    pub(super) fn sum_by_words(&mut self, strip: &mut Strip<'a>, sum: &Sum) -> [Reg; 2] {
        if let Some(known) = sum.apart.get() {
            return known;
        }
        let both = [0, 1].map(|behind| {
            let mut all: Operand = sum.number.into();
            for (line, elements) in sum.windows() {
                let elements: Vec<(i32, i64)> =
                    elements.iter().map(|(e, w)| (e + behind, *w)).collect();
                let (word, places) = self.window(strip, line, &elements);
                let bytes = elements.iter().zip(places);
                let weights = bytes.fold(0u32, |all, ((_, weight), place)| {
                    all | u32::from(*weight as u8) << (8 * place)
                });
                let signed = elements.iter().all(|(_, w)| (-0x80..0x80).contains(w));
                let opcode = match signed {
                    true => "dp4a.u32.s32",
                    false => "dp4a.u32.u32",
                };
                let weights = i64::from(weights as i32);
                all = value!(self.f(), "sum", opcode, word, weights, all).into();
            }
            match all {
                Operand::Reg(reg) => reg,
                number => value!(self.f(), "sum", "mov.b32", number),
            }
        });
        sum.apart.set(Some(both));
        both
    }

    /// A word with elements of a line, and which of its bytes they are.
    fn window(
        &mut self,
        strip: &mut Strip<'a>,
        line: Line,
        elements: &[(i32, i64)],
    ) -> (Reg, Vec<u32>) {
        let found: Vec<Option<(Reg, u32)>> = elements
            .iter()
            .map(|(element, _)| self.byte_of(strip, line, *element))
            .collect();
        if let [Some((word, _)), ..] = found[..]
            && found.iter().all(|of| of.is_some_and(|of| of.0 == word))
        {
            return (word, found.iter().flatten().map(|of| of.1).collect());
        }
        let (from, to) = (elements[0].0, elements[elements.len() - 1].0);
        // Words that start in the middle of others serve most.
        let in_middle = |start: &i32| matches!(in_word(strip, line, *start), Some((_, 2)));
        let start = (to + 1 - WORD..=from).find(in_middle).unwrap_or(from);
        let places = elements.iter().map(|(e, _)| (e - start) as u32).collect();
        if let Some(word) = strip.windows.get(&(line, start)) {
            return (*word, places);
        }
        // Four elements lie in two words.
        let mut sources: Vec<Reg> = Vec::new();
        let mut selector = 0;
        for n in 0..WORD {
            let Some((word, byte)) = self.byte_of(strip, line, start + n) else {
                continue;
            };
            if !sources.contains(&word) {
                sources.push(word);
            }
            let source = sources.iter().position(|source| *source == word);
            selector |= i64::from(byte + 4 * source.unwrap_or(0) as u32) << (4 * n);
        }
        assert!(sources.len() <= 2, "four bytes of a line in two words");
        let [low, high] = [0, 1].map(|n| sources.get(n).copied().unwrap_or(sources[0]));
        let word = value!(self.f(), "window", "prmt.b32", low, high, selector);
        strip.windows.insert((line, start), word);
        (word, places)
    }

    /// The register that an element of a line is in, if it is loaded, and which of its bytes it is.
    fn byte_of(&mut self, strip: &mut Strip<'a>, line: Line, element: i32) -> Option<(Reg, u32)> {
        if let Some(found) = in_word(strip, line, element) {
            return Some(found);
        }
        let pieces = strip.schedule.pieces.get(&line)?;
        let is_it = |piece: &Piece| piece.count == 1 && piece.first == element;
        if !pieces.iter().any(is_it) {
            return None;
        }
        let num = self.element_of(strip, line, element);
        Some((self.reg(num), 0))
    }

    /// The values of a sum for two iterations, in one register.
    pub(super) fn sum_by_pairs(&mut self, strip: &mut Strip<'a>, sum: &Sum) -> Reg {
        if let Some(known) = sum.packed.get() {
            return known;
        }
        let mut all = match sum.number {
            0 => None,
            n => Some(value!(self.f(), "sums", "mov.b32", super::pairs::twice(n))),
        };
        let mut parts: Vec<(Reg, i64)> = Vec::new();
        for (line, elements) in sum.by_lines() {
            let (pattern, common) = pattern(&elements);
            if pattern.iter().all(|(_, weight)| *weight > 0) && fit(range_of(&pattern)) {
                parts.push((self.partial(strip, line, elements[0].0, pattern), common));
                continue;
            }
            for (element, weight) in elements {
                parts.push((self.pair_at(strip, line, element), weight));
            }
        }
        parts.sort_by_key(|(_, weight)| *weight != 1);
        for (pair, weight) in parts {
            let f = self.f();
            all = Some(match (all, weight) {
                (None, 1) => pair,
                (None, by) => value!(f, "products", "mul.lo.u32", pair, by),
                (Some(all), 1) => value!(f, "sums", "add.u32", all, pair),
                (Some(all), -1) => value!(f, "differences", "sub.u32", all, pair),
                (Some(all), by) => value!(f, "sums", "mad.lo.u32", pair, by, all),
            });
        }
        let all = match all {
            Some(all) => all,
            None => value!(self.f(), "sums", "mov.b32", 0),
        };
        sum.packed.set(Some(all));
        all
    }
}
