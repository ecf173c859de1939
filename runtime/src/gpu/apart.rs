//! What `distinct(out)` asserts, asked of kernels before they run the loop: a kernel sets a bit for each element that an iteration uses and counts how often it
//! does. Where there are as many bits as claims, no two iterations have used the same element.
//!
//! Where there are fewer, the host finds out which iterations met, if it can reach the data: it looks at what each iteration claims. Where it cannot, the kernel
//! is asked for parts of the iterations: the first that meets one before it is found by halving, then the first that uses that element.

use std::mem::replace;

use accrue_macros::offload;

use super::array::Bins;
use super::attempt::Attempt;
use super::choose::offloaded::Loop;
use crate::base::choice;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::trying::{self, give_up};
use crate::device::buffer::DeviceBuffer;

/// How many bits are set, where they are.
#[offload(strategy = "gang_shared", __only)]
fn ones(words: &[u32]) -> u64 {
    let mut ones = 0u64;
    for word in words {
        ones += u64::from(word.count_ones());
    }
    ones
}

/// A bit for each element, whether it is taken.
#[derive(Debug)]
pub enum Bits {
    /// In the host's memory, where the device is chosen for each call, or there are several.
    Host(Vec<u32>),
    /// On the device of this thread's calls.
    Device(DeviceBuffer<u32>),
}

impl Bits {
    /// None is set, in so many words.
    fn none(len: usize) -> Bits {
        let one = matches!(choice::chosen(), Ok(Device::Cuda(_) | Device::Sim));
        let there = (one && len > 0)
            .then(|| DeviceBuffer::zeroed(len).ok())
            .flatten();
        there.map_or_else(|| Bits::Host(vec![0; len]), Bits::Device)
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        match self {
            Bits::Host(words) => words.len(),
            Bits::Device(words) => words.len(),
        }
    }

    /// The bins of a kernel that sets some.
    pub fn bins(&mut self) -> Bins<'_> {
        match self {
            Bits::Host(words) => Bins::host(words),
            Bits::Device(words) => Bins::device(words.as_slice_mut()),
        }
    }

    fn ones(&self) -> Result<u64, Error> {
        match self {
            Bits::Host(words) => Ok(words.iter().map(|word| u64::from(word.count_ones())).sum()),
            Bits::Device(words) => ones::on(words),
        }
    }

    fn words(&self) -> Result<Vec<u32>, Error> {
        match self {
            Bits::Host(words) => Ok(words.clone()),
            Bits::Device(words) => words.to_vec(),
        }
    }
}

/// The arrays of a call that are distinct by the attribute alone.
#[derive(Debug)]
pub struct Apart<'a, const N: usize> {
    of: &'a Loop,
    names: [&'static str; N],
    /// How many words of bits each has.
    words: [usize; N],
    taken: [Bits; N],
    /// How often elements were claimed.
    claimed: [u64; N],
    looking: Looking<N>,
}

/// What a launch is to find out.
#[derive(Debug)]
enum Looking<const N: usize> {
    /// Whether any iterations meet.
    All,
    /// Which iteration is the first to meet one before it.
    Second(Search),
    /// What that one claims.
    Own(u64),
    /// What those before it do.
    Before(u64, [Bits; N]),
    /// Which iteration is the first to use an element, of an array, that the second one uses.
    First(u64, usize, usize, Search),
}

/// The least number for which something holds, that holds for all greater ones. It does not for 0.
#[derive(Clone, Copy, Debug, Default)]
struct Search {
    /// It does not hold for this one.
    low: u64,
    /// It holds for this one.
    high: Option<u64>,
}

impl Search {
    /// The number to be looked at next.
    fn next(self) -> u64 {
        match self.high {
            Some(high) => self.low + (high - self.low) / 2,
            None => (2 * self.low).max(1),
        }
    }

    /// Notes whether it holds for that one; the least number, once it is known.
    fn note(&mut self, holds: bool) -> Option<u64> {
        let at = self.next();
        match holds {
            true => self.high = Some(at),
            false => self.low = at,
        }
        self.high.filter(|high| *high == self.low + 1)
    }
}

impl<'a, const N: usize> Apart<'a, N> {
    /// Arrays with so many elements.
    pub fn new(of: &'a Loop, arrays: [(&'static str, usize); N]) -> Apart<'a, N> {
        Apart {
            of,
            names: arrays.map(|(name, _)| name),
            words: arrays.map(|(_, len)| len.div_ceil(32)),
            taken: [const { Bits::Host(Vec::new()) }; N],
            claimed: [0; N],
            looking: Looking::All,
        }
    }

    /// The first position of the outermost loop that is to claim in the next launch, and the one behind the last.
    pub fn range(&self) -> [u64; 2] {
        match &self.looking {
            Looking::All => [0, u64::MAX],
            Looking::Second(search) | Looking::First(.., search) => [0, search.next()],
            Looking::Own(second) => [*second, second + 1],
            Looking::Before(second, _) => [0, *second],
        }
    }

    /// The bits of each array and the numbers of claims, for the next launch.
    pub fn begin(&mut self) -> (&mut [Bits; N], &mut [u64; N]) {
        self.taken = self.words.map(Bits::none);
        self.claimed = [0; N];
        (&mut self.taken, &mut self.claimed)
    }

    /// What a launch has found out: nothing as yet, that the loop may run on the device, or that the host has to. `within_reach` says whether that could.
    ///
    /// # Panics
    ///
    /// If iterations meet, with two of them and the element, and the data are not within the host's reach.
    pub fn judge(&mut self, attempt: Attempt, within_reach: bool) -> Option<Result<(), Attempt>> {
        if !attempt.done() {
            return Some(Err(attempt));
        }
        match self.look(within_reach) {
            Ok(found) => found,
            Err(_) if within_reach => Some(Err(Attempt::ON_CPU)),
            Err(error) => give_up(error),
        }
    }

    fn look(&mut self, within_reach: bool) -> Result<Option<Result<(), Attempt>>, Error> {
        let meet = self.meet()?;
        match &mut self.looking {
            Looking::All if !meet => return Ok(Some(Ok(()))),
            Looking::All if within_reach => return Ok(Some(Err(Attempt::ON_CPU))),
            Looking::All => self.looking = Looking::Second(Search::default()),
            Looking::Second(search) => {
                if let Some(end) = search.note(meet) {
                    self.looking = Looking::Own(end - 1);
                }
            }
            // By other words, the same element: the others may use it, too.
            Looking::Own(_) if meet => self.untold(),
            Looking::Own(second) => {
                let none = [const { Bits::Host(Vec::new()) }; N];
                self.looking = Looking::Before(*second, replace(&mut self.taken, none));
            }
            Looking::Before(second, own) => {
                let second = *second;
                let mut found = None;
                for (n, (before, own)) in self.taken.iter().zip(own).enumerate() {
                    let (before, own) = (before.words()?, own.words()?);
                    let mut both = before.iter().zip(&own).map(|(a, b)| a & b);
                    let word = both.position(|word| word != 0);
                    let bit =
                        word.map(|at| 32 * at + (before[at] & own[at]).trailing_zeros() as usize);
                    found = found.or(bit.map(|element| (n, element)));
                }
                match found {
                    Some((n, element)) => {
                        self.looking = Looking::First(second, n, element, Search::default());
                    }
                    None => self.untold(),
                }
            }
            Looking::First(second, n, element, search) => {
                let word = self.taken[*n].words()?[*element / 32];
                if let Some(end) = search.note(word >> (*element % 32) & 1 != 0) {
                    trying::fail(Error::NotDistinct {
                        array: self.names[*n].to_owned(),
                        element: *element as u64,
                        iterations: [end - 1, *second],
                    });
                }
            }
        }
        Ok(None)
    }

    /// Whether fewer elements are taken than were claimed.
    fn meet(&self) -> Result<bool, Error> {
        let taken = self.taken.iter().map(Bits::ones);
        let taken: Vec<u64> = taken.collect::<Result<_, _>>()?;
        Ok(taken
            .iter()
            .zip(&self.claimed)
            .any(|(taken, claimed)| taken != claimed))
    }

    fn untold(&self) -> ! {
        give_up(Error::NotOnDevice {
            function: self.of.function.to_string(),
            reason: "an iteration uses an element twice by other words, and whether another one uses it as well only the host can tell".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::trying::try_call;

    static LOOP: Loop = Loop::without_kernels("f", "a test");

    /// Plays the kernel over what iterations use.
    fn ask(uses: &[&[usize]], len: usize) -> Result<bool, Error> {
        try_call(|| {
            let mut apart = Apart::new(&LOOP, [("a", len), ("b", len)]);
            for _ in 0..1000 {
                let [first, end] = apart.range();
                let ([_, bits], [_, claimed]) = apart.begin();
                let Bits::Host(bits) = bits else {
                    panic!("the CPU has bits in its own memory");
                };
                for (i, of) in uses.iter().enumerate() {
                    if (first..end).contains(&(i as u64)) {
                        for at in *of {
                            bits[at / 32] |= 1 << (at % 32);
                            *claimed += 1;
                        }
                    }
                }
                if let Some(found) = apart.judge(Attempt::DONE, false) {
                    return found.is_ok();
                }
            }
            panic!("it does not end");
        })
    }

    #[test]
    fn the_first_two_that_meet_are_found_by_halving() {
        let all: Vec<[usize; 2]> = (0..100).map(|i| [i, 100 + i]).collect();
        let all: Vec<&[usize]> = all.iter().map(|of| &of[..]).collect();
        assert_eq!(ask(&all, 200), Ok(true));
        assert_eq!(ask(&[], 200), Ok(true));
        for (first, second, third) in [(0, 1, 2), (3, 99, 99), (40, 41, 90), (98, 99, 99)] {
            let mut met = all.clone();
            let with = [100 + first, 190 + second];
            met[second] = &with;
            met[third] = &with;
            let Err(Error::NotDistinct {
                array,
                element,
                iterations,
            }) = ask(&met, 300)
            else {
                panic!("they meet");
            };
            let expected = ("b", 100 + first as u64, [first as u64, second as u64]);
            assert_eq!((&*array, element, iterations), expected);
        }
    }

    #[test]
    fn what_one_iteration_uses_twice_is_not_told_from_what_two_do() {
        assert!(matches!(
            ask(&[&[1], &[2, 2], &[3]], 9),
            Err(Error::NotOnDevice { .. })
        ));
    }
}
