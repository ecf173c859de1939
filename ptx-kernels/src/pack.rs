//! Texts packed together: the modules of a loop repeat each other, and a binary carries all of them.
//!
//! LZ77 over the texts one after the other, with all that stands before as its window, coded as LZMA does it, by an adaptive binary
//! range coder: see `coder` for that, `repeats` for finding what repeats. A step is either
//!
//! - a *literal*, one byte, under the byte before it, or, behind a repeat, under the byte that the repeat would have gone on with;
//! - a *repeat*, of so many bytes from so far back: from a distance of its own, or one of the last four, since texts that differ in
//!   a number here and there go on alike behind it.

mod coder;
mod repeats;

use coder::{Coder, Decoder, Encoder, Number, Probability, new, tree};
use repeats::Finder;

/// Packs texts.
pub fn pack(texts: &[&str]) -> Vec<u8> {
    let data = texts.concat().into_bytes();
    let mut encoder = Encoder::new();
    let mut model = Model::new();
    let count = model.number(&mut encoder, texts.len());
    for text in &texts[..count] {
        model.number(&mut encoder, text.len());
    }
    let mut finder = Finder::new(&data);
    let mut at = 0;
    while at < data.len() {
        let step = finder.step(at, &model.distances);
        let step = step.unwrap_or(Step::Literal(data[at]));
        at += model.step(&mut encoder, &data[..at], step).bytes();
    }
    encoder.finish()
}

/// The text of that number out of packed ones.
///
/// # Panics
///
/// If there are not so many, or nothing was packed into these bytes.
pub fn unpack(packed: &[u8], number: usize) -> String {
    let mut decoder = Decoder::new(packed);
    let mut model = Model::new();
    let count = model.number(&mut decoder, 0);
    let lengths: Vec<usize> = (0..count).map(|_| model.number(&mut decoder, 0)).collect();
    let start: usize = lengths[..number].iter().sum();
    let end = start + lengths[number];
    let mut data: Vec<u8> = Vec::with_capacity(end);
    while data.len() < end {
        match model.step(&mut decoder, &data, Step::Literal(0)) {
            Step::Literal(byte) => data.push(byte),
            Step::Repeat { length, distance } => {
                let from = data.len() - distance;
                if distance >= length {
                    data.extend_from_within(from..from + length);
                } else {
                    (from..from + length).for_each(|i| data.push(data[i]));
                }
            }
        }
    }
    data.truncate(end);
    String::from_utf8(data.split_off(start)).expect("a text was packed")
}

/// What comes next.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// This byte.
    Literal(u8),
    /// So many bytes from so far back.
    Repeat { length: usize, distance: usize },
}

impl Step {
    fn bytes(self) -> usize {
        match self {
            Step::Literal(_) => 1,
            Step::Repeat { length, .. } => length,
        }
    }
}

/// The fewest bytes of a repeat.
const SHORTEST: usize = 2;

/// How likely everything is, as far as the steps have told.
struct Model {
    /// The last distances, the last of all first.
    distances: [usize; 4],
    /// Whether the last steps were repeats, a bit each.
    recent: usize,
    is_repeat: [Probability; 4],
    is_known: [Probability; 4],
    which: [Probability; 4],
    /// Literals under the byte before them.
    literal: Vec<[Probability; 256]>,
    /// Literals behind a repeat, under the byte that they stand in the place of.
    behind: Vec<[Probability; 256]>,
    /// Lengths of repeats from a new distance and from a known one.
    lengths: [Number; 2],
    distance: Number,
    plain: Number,
}

impl Model {
    fn new() -> Model {
        Model {
            distances: [1; 4],
            recent: 0,
            is_repeat: new(),
            is_known: new(),
            which: new(),
            literal: vec![new(); 256],
            behind: vec![new(); 256],
            lengths: [Number::new(), Number::new()],
            distance: Number::new(),
            plain: Number::new(),
        }
    }

    /// A number that is no part of a step.
    fn number(&mut self, coder: &mut impl Coder, number: usize) -> usize {
        self.plain.code(coder, number)
    }

    /// Codes a step behind `data`; a decoder does not look at it and returns the one that was coded.
    fn step(&mut self, coder: &mut impl Coder, data: &[u8], step: Step) -> Step {
        let recent = self.recent;
        let repeat = matches!(step, Step::Repeat { .. });
        let repeat = coder.bit(&mut self.is_repeat[recent], repeat);
        self.recent = (recent << 1 | usize::from(repeat)) & 3;
        let (length, distance) = match step {
            Step::Repeat { length, distance } => (length, distance),
            Step::Literal(_) => (SHORTEST, 1),
        };
        if repeat {
            let known = self.distances.iter().position(|d| *d == distance);
            let known = coder
                .bit(&mut self.is_known[recent], known.is_some())
                .then(|| tree(coder, &mut self.which, 2, known.unwrap_or(0)));
            let distance = match known {
                Some(n) => self.distances[n],
                None => self.distance.code(coder, distance - 1) + 1,
            };
            let lengths = &mut self.lengths[usize::from(known.is_some())];
            let length = lengths.code(coder, length - SHORTEST) + SHORTEST;
            self.distances[..=known.unwrap_or(3)].rotate_right(1);
            self.distances[0] = distance;
            return Step::Repeat { length, distance };
        }
        let literal = match step {
            Step::Literal(byte) => byte,
            Step::Repeat { .. } => 0,
        };
        let instead = data.len().checked_sub(self.distances[0]);
        let probabilities = match instead.filter(|_| recent & 1 == 1) {
            Some(instead) => &mut self.behind[usize::from(data[instead])],
            None => &mut self.literal[usize::from(data.last().copied().unwrap_or(0))],
        };
        Step::Literal(tree(coder, probabilities, 8, usize::from(literal)) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs and unpacks; how many bytes it took.
    fn round(texts: &[&str]) -> usize {
        let packed = pack(texts);
        for (n, text) in texts.iter().enumerate() {
            assert!(unpack(&packed, n) == **text, "text {n} of {texts:.200?}");
        }
        packed.len()
    }

    /// Numbers that look like chance, below a bound.
    fn numbers() -> impl FnMut(usize) -> usize {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        move |bound| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % bound
        }
    }

    #[test]
    fn every_text_comes_back() {
        round(&[]);
        round(&[""]);
        round(&["", "a", "", "ab", "ab"]);
        round(&["ä¼ é", "\u{10ffff}\0\u{7f}"]);
        round(&[&"a".repeat(100_000), "a"]);
        round(&[&"abc".repeat(50_000), &"abcd".repeat(50_000)]);
    }

    #[test]
    fn texts_of_repeats_and_chance_come_back() {
        let mut below = numbers();
        for alphabet in [1, 2, 3, 26] {
            for _ in 0..40 {
                let mut texts: Vec<String> = vec![String::new()];
                for _ in 0..below(60) {
                    let (all, last) = (texts.concat(), texts.last_mut().expect("one"));
                    match below(4) {
                        0 => texts.push(String::new()),
                        1 | 2 if !all.is_empty() => {
                            let from = below(all.len());
                            let to = from + below((all.len() - from).min(700)) + 1;
                            last.push_str(&all[from..to.min(all.len())]);
                        }
                        _ => {
                            let n = below(30);
                            last.extend((0..n).map(|_| (b'a' + below(alphabet) as u8) as char));
                        }
                    }
                }
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                round(&texts);
            }
        }
    }

    #[test]
    fn what_cannot_be_packed_hardly_grows() {
        let mut below = numbers();
        let chance: String = (0..20_000).map(|_| below(128) as u8 as char).collect();
        // Seven bits each, and what the model takes to find that out.
        let packed = round(&[&chance]);
        assert!(packed < 20_000, "{packed}");
        // Once more costs next to nothing.
        let twice = round(&[&chance, &chance]);
        assert!(twice < packed + 20, "{packed} {twice}");
    }

    #[test]
    fn what_differs_in_numbers_is_small() {
        let module = |n: usize| -> String {
            let line =
                |i: usize| format!("    add.u32 %r{}, %r{}, {};\n", i + n, i * 7 % 100, i * i);
            (0..2000).map(line).collect()
        };
        let texts: Vec<String> = [0, 1, 10, 100, 1000].map(module).into();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let one = round(&texts[..1]);
        let all = round(&texts);
        assert!(all < 3 * one, "{one} {all}");
    }
}
