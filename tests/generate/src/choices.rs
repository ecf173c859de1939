//! Where random programs and data take their choices from.
//!
//! A list of numbers, so that proptest shrinks a program by shrinking the list: the simplest alternative
//! is always the first one, and a list that has come to its end goes on with zeros. Or a seed, for the
//! programs that are checked in.

/// A source of choices.
#[derive(Clone, Debug)]
pub struct Choices(Source);

#[derive(Clone, Debug)]
enum Source {
    List(std::vec::IntoIter<u32>),
    Seed(u64),
}

impl Choices {
    /// Choices from a list, then zeros.
    pub fn list(list: Vec<u32>) -> Choices {
        Choices(Source::List(list.into_iter()))
    }

    /// Choices without end from a seed.
    pub fn seeded(seed: u64) -> Choices {
        Choices(Source::Seed(seed))
    }

    /// Any 32 bits.
    pub fn bits(&mut self) -> u32 {
        match &mut self.0 {
            Source::List(list) => list.next().unwrap_or(0),
            Source::Seed(state) => {
                // SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                ((z ^ (z >> 31)) >> 32) as u32
            }
        }
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.bits() as usize % n.max(1)
    }

    /// A number, as text: of the item `v`, its position `i`, or a constant.
    pub(crate) fn term(&mut self) -> String {
        match self.below(6) {
            0 => "v".to_owned(),
            1 => "i as u32".to_owned(),
            2 => format!("(v >> {})", self.below(9)),
            3 => format!("v.wrapping_mul({})", self.below(50)),
            4 => "(v ^ i as u32)".to_owned(),
            _ => format!("{}u32", self.below(1000)),
        }
    }

    /// True in `times` of `of` cases; the simpler answer is no.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) >= of - times
    }

    /// One of a list; the first is the simplest.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        f64::from(self.bits()) / 4294967296.0
    }
}
