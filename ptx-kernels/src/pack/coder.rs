//! An adaptive binary range coder, as in LZMA: a bit costs as little as it was likely, and tells how likely the next of its kind is.
//!
//! What is coded and what is decoded is written once, over a [`Coder`]: an encoder writes the values that it is given and returns
//! them, a decoder returns those that were written.

/// How likely a bit is to be 0, in 2048ths.
pub(super) type Probability = u16;

/// Bits of a probability.
const BITS: u32 = 11;

/// How slowly a probability follows what comes.
const RATE: u32 = 4;

/// Below this the range gets a new byte.
const TOP: u32 = 1 << 24;

/// As likely as not, each.
pub(super) fn new<const N: usize>() -> [Probability; N] {
    [1 << (BITS - 1); N]
}

/// One that writes bits, or one that reads them.
pub(super) trait Coder {
    /// A bit that was so likely.
    fn bit(&mut self, probability: &mut Probability, bit: bool) -> bool;
}

/// A value of so many bits, the highest first, each under those before it.
pub(super) fn tree(
    coder: &mut impl Coder,
    probabilities: &mut [Probability],
    bits: u32,
    value: usize,
) -> usize {
    let mut node = 1;
    for bit in (0..bits).rev() {
        let bit = coder.bit(&mut probabilities[node], value >> bit & 1 == 1);
        node = node << 1 | usize::from(bit);
    }
    node - (1 << bits)
}

/// Numbers of any size: how many bits they have, then these.
pub(super) struct Number {
    size: [Probability; 64],
    /// For each size the highest bits together, and each of the others by itself.
    high: Vec<[Probability; 1 << HIGH]>,
    low: Vec<[Probability; 64]>,
}

/// Bits below the highest that are coded together.
const HIGH: u32 = 5;

impl Number {
    pub(super) fn new() -> Number {
        Number {
            size: new(),
            high: vec![new(); 64],
            low: vec![new(); 64],
        }
    }

    pub(super) fn code(&mut self, coder: &mut impl Coder, number: usize) -> usize {
        let number = number + 1;
        let size = tree(coder, &mut self.size, 6, number.ilog2() as usize);
        let high = HIGH.min(size as u32);
        let low = size as u32 - high;
        let mask = (1 << high) - 1;
        let mut found = 1 << high | tree(coder, &mut self.high[size], high, number >> low & mask);
        for n in (0..low).rev() {
            let bit = coder.bit(&mut self.low[size][n as usize], number >> n & 1 == 1);
            found = found << 1 | usize::from(bit);
        }
        found - 1
    }
}

/// Follows a bit that has come.
fn follow(probability: &mut Probability, bit: bool) {
    match bit {
        false => *probability += ((1 << BITS) - *probability) >> RATE,
        true => *probability -= *probability >> RATE,
    }
}

/// Writes bits.
pub(super) struct Encoder {
    /// Where the range begins; a carry stands above its 32 bits.
    low: u64,
    range: u32,
    /// The last byte, which a carry may still change, and how many of `0xff` stand behind it.
    last: u8,
    behind: usize,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder {
            low: 0,
            range: u32::MAX,
            last: 0,
            behind: 0,
            bytes: Vec::new(),
        }
    }

    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            self.bytes.push(self.last.wrapping_add(carry));
            let behind = std::mem::take(&mut self.behind);
            let behind = std::iter::repeat_n(0xff_u8.wrapping_add(carry), behind);
            self.bytes.extend(behind);
            self.last = (self.low >> 24) as u8;
        } else {
            self.behind += 1;
        }
        self.low = self.low << 8 & u64::from(u32::MAX);
    }

    /// The bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    fn bit(&mut self, probability: &mut Probability, bit: bool) -> bool {
        let zero = (self.range >> BITS) * u32::from(*probability);
        match bit {
            false => self.range = zero,
            true => {
                self.low += u64::from(zero);
                self.range -= zero;
            }
        }
        follow(probability, bit);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// Reads bits.
pub(super) struct Decoder<'a> {
    range: u32,
    /// Where in the range the next bit lies.
    code: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder {
            range: u32::MAX,
            code: 0,
            bytes: bytes.iter(),
        };
        for _ in 0..5 {
            decoder.next();
        }
        decoder
    }

    fn next(&mut self) {
        let byte = self.bytes.next().copied().unwrap_or(0);
        self.code = self.code << 8 | u32::from(byte);
    }
}

impl Coder for Decoder<'_> {
    fn bit(&mut self, probability: &mut Probability, _: bool) -> bool {
        let zero = (self.range >> BITS) * u32::from(*probability);
        let bit = self.code >= zero;
        match bit {
            false => self.range = zero,
            true => {
                self.code -= zero;
                self.range -= zero;
            }
        }
        follow(probability, bit);
        while self.range < TOP {
            self.range <<= 8;
            self.next();
        }
        bit
    }
}
