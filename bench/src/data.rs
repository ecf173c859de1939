//! Keys as the project measures with: drawn from a seed, the same on every machine; and what is told of several times.

/// The middle one.
///
/// # Panics
///
/// If there is none.
pub(crate) fn median<T: PartialOrd + Copy>(of: impl IntoIterator<Item = T>) -> T {
    let mut all: Vec<T> = of.into_iter().collect();
    all.sort_by(|a, b| a.partial_cmp(b).expect("times are numbers"));
    all[all.len() / 2]
}

/// How keys are distributed over the bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Distribution {
    /// Every bin alike.
    Uniform,
    /// One bin.
    Const,
    /// Each bin half as likely as the one before.
    Zipf,
    /// Around the middle bin, a sixth of the bins wide.
    Gauss,
    /// Neighbours alike, as in an image.
    Runs,
    /// Two bins, in no order.
    TwoHot,
}

impl Distribution {
    /// Every distribution.
    pub(crate) const ALL: [Distribution; 6] = [
        Distribution::Uniform,
        Distribution::Const,
        Distribution::Zipf,
        Distribution::Gauss,
        Distribution::Runs,
        Distribution::TwoHot,
    ];

    /// The name, in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Distribution::Uniform => "uniform",
            Distribution::Const => "const",
            Distribution::Zipf => "zipf",
            Distribution::Gauss => "gauss",
            Distribution::Runs => "runs",
            Distribution::TwoHot => "two-hot",
        }
    }

    /// Keys below `bins`.
    ///
    /// # Panics
    ///
    /// If there are no bins.
    pub(crate) fn keys(self, n: usize, bins: u64, seed: u64) -> Vec<u64> {
        assert!(bins > 0, "keys need a bin");
        let mut random = Random::new(seed);
        let constant = random.below(bins);
        let mut run = random.below(bins);
        let hot = [constant, run];
        (0..n)
            .map(|_| match self {
                Distribution::Uniform => random.below(bins),
                Distribution::Const => constant,
                Distribution::Zipf => u64::from(random.next().trailing_zeros()).min(bins - 1),
                Distribution::Gauss => {
                    // The sum of twelve uniform numbers, Irwin and Hall's approximation.
                    let sum: f64 = (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
                    let at = (bins as f64 / 2.0 + sum * bins as f64 / 6.0).floor();
                    (at.max(0.0) as u64).min(bins - 1)
                }
                Distribution::Runs => {
                    // A step of at most two bins, at one key in eight.
                    if random.below(8) == 0 {
                        run = (run + bins + random.below(5) - 2.min(bins)) % bins;
                    }
                    run
                }
                Distribution::TwoHot => hot[(random.next() & 1) as usize],
            })
            .collect()
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Numbers from a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// A number from 0 to below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_below_the_bins_whatever_their_number() {
        for distribution in Distribution::ALL {
            for bins in [1, 2, 3, 64, 1000] {
                let keys = distribution.keys(5000, bins, 42);
                assert_eq!(keys.len(), 5000);
                assert!(
                    keys.iter().all(|k| *k < bins),
                    "{} of {bins}",
                    distribution.name()
                );
            }
        }
    }

    #[test]
    fn distributions_are_what_they_are_called() {
        let count = |d: Distribution| {
            let mut bins = [0u32; 64];
            for key in d.keys(64_000, 64, 7) {
                bins[key as usize] += 1;
            }
            bins
        };
        assert!(
            count(Distribution::Uniform)
                .iter()
                .all(|n| (800..1200).contains(n))
        );
        assert_eq!(
            count(Distribution::Const)
                .iter()
                .filter(|n| **n > 0)
                .count(),
            1
        );
        assert!(
            count(Distribution::TwoHot)
                .iter()
                .filter(|n| **n > 0)
                .count()
                <= 2
        );
        let zipf = count(Distribution::Zipf);
        assert!((30_000..34_000).contains(&zipf[0]) && (15_000..17_000).contains(&zipf[1]));
        let gauss = count(Distribution::Gauss);
        assert!(gauss[32] > 10 * gauss[2] && gauss[0] < gauss[20]);
        let runs = Distribution::Runs.keys(64_000, 64, 7);
        let same = runs.windows(2).filter(|w| w[0] == w[1]).count();
        assert!(same > 55_000);
    }
}
