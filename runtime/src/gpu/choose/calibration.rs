//! How far the measuring of a device has come, as data; [`calibrate`](crate::gpu::calibrate) measures.

use std::cell::Cell;
use std::time::Duration;

use accrue_ptx::abi::Strategy;
use accrue_ptx::cost::speeds::Scale;

/// Strategies that are measured.
pub(in crate::gpu) const STRATEGIES: usize = 5;

/// Kinds of keys: spread and all equal.
pub(in crate::gpu) const KINDS: usize = 2;

/// A strategy that comes out so much slower or faster than expected was not measured but disturbed.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.02..=50.0;

/// How long strategies are measured. One that is not begun by then is taken to be as fast as the others.
pub(in crate::gpu) const PATIENCE: Duration = Duration::from_millis(1500);

/// How far the measuring of a device has come.
#[derive(Debug)]
pub(crate) struct Calibration {
    /// Keys of each kind.
    pub(in crate::gpu) keys: usize,
    /// Strategies that have had their turn.
    pub(in crate::gpu) done: usize,
    /// What came of them: the logarithm of a strategy's scale.
    pub(in crate::gpu) known: Vec<(Strategy, f64)>,
    /// What they have taken.
    pub(in crate::gpu) spent: Duration,
    /// No strategy is begun when they have taken this long.
    pub(in crate::gpu) patience: Duration,
}

impl Calibration {
    /// One that is about to begin.
    pub(in crate::gpu) fn new(keys: usize) -> Calibration {
        Calibration {
            keys,
            done: 0,
            known: Vec::new(),
            spent: Duration::ZERO,
            patience: PATIENCE,
        }
    }

    /// Strategies without a probe are taken to be as much slower as the others.
    pub(in crate::gpu) fn scale(&self) -> Scale {
        let mean = self.known.iter().map(|(_, log)| log).sum::<f64>();
        let mean = mean / self.known.len().max(1) as f64;
        let mut scale = Scale::NONE;
        for strategy in Strategy::ALL {
            let own = self.known.iter().find(|(s, _)| *s == strategy);
            scale.set(strategy, own.map_or(mean, |(_, log)| *log).exp());
        }
        scale
    }

    pub(in crate::gpu) fn is_over_time(&self) -> bool {
        self.spent > self.patience
    }

    /// Whether every strategy was measured.
    pub(in crate::gpu) fn is_whole(&self) -> bool {
        self.known.len() == STRATEGIES
    }

    /// The number of turns, and a line for each strategy that was measured.
    pub(in crate::gpu) fn text(&self) -> String {
        let known = self.known.iter();
        let lines: String = known
            .map(|(strategy, log)| format!("{} {log:e}\n", strategy.name()))
            .collect();
        format!("{}\n{lines}", self.done)
    }

    /// What another process has begun: all that [`text`](Calibration::text) says, or nothing.
    pub(in crate::gpu) fn go_on(&mut self, text: &str) -> Option<()> {
        let mut lines = text.lines();
        let done = lines.next()?.parse().ok()?;
        let known = lines.map(|line| {
            let (name, log) = line.split_once(' ')?;
            let log = log.parse().ok().filter(|log: &f64| log.is_finite())?;
            Some((Strategy::from_name(name)?, log))
        });
        let known: Vec<_> = known.collect::<Option<_>>()?;
        if known.len() <= done && done < STRATEGIES {
            (self.done, self.known) = (done, known);
        }
        Some(())
    }
}

/// The mean logarithm of a strategy's ratios, one of each kind of keys; none where one is missing or not to be believed.
pub(in crate::gpu) fn log_of(ratios: &[f64]) -> Option<f64> {
    let good = ratios.len() == KINDS && ratios.iter().all(|r| BELIEVED.contains(r));
    good.then(|| ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64)
}

thread_local! {
    static PROBING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread's calls are probes: the environment does not steer them, and nothing is said of them.
pub(in crate::gpu) fn is_probing() -> bool {
    PROBING.get()
}

/// While it lives, this thread's calls are probes.
pub(in crate::gpu) struct Probing(());

impl Probing {
    pub(in crate::gpu) fn begin() -> Probing {
        PROBING.set(true);
        Probing(())
    }
}

impl Drop for Probing {
    fn drop(&mut self) {
        PROBING.set(false);
    }
}
