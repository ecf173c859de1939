//! How fast a device is, beside the one whose constants the model has.
//!
//! A device that nobody has measured is measured once, at its first offloaded call: each strategy counts keys that are
//! spread and keys that are all equal, and what it takes over what the model expects of it is the strategy's
//! [`Scale`]. That takes less than two seconds, most of it the driver's compiler, and is kept in the cache on disk.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use accrue_ptx::abi::Strategy;

use super::model::Speeds;
use super::model::speeds::Scale;
use crate::Device;
use crate::context::Context;
use crate::image_cache;

/// The device whose constants are shipped, as its driver names it. Others with that chip, a slice of it or one with a
/// Grace beside it, have other memory.
const KNOWN: &str = "NVIDIA H200";

/// A strategy that comes out so much slower or faster than expected was not measured but disturbed.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.02..=50.0;

/// No strategy is begun after this time; the rest are taken to be as fast as those before.
const PATIENCE: Duration = Duration::from_millis(1500);

impl Context {
    /// How fast kernels are here: as measured before, else as on the device whose constants are shipped.
    pub(crate) fn speeds(&self) -> &Speeds {
        static SHIPPED: Speeds = Speeds::H200;
        self.speeds.get().unwrap_or(&SHIPPED)
    }
}

/// Finds out how fast a device is, unless that is known. While it is being measured, other calls go on with
/// what is shipped.
pub(super) fn once(context: &Arc<Context>) {
    if context.speeds.get().is_some() || context.calibrating.swap(true, Ordering::Relaxed) {
        return;
    }
    let limits = context.backend.limits();
    let known = !matches!(context.backend.device(), Device::Cuda(_)) || limits.name == KNOWN;
    let mut speeds = Speeds::H200;
    if !known {
        speeds.scale = kept(context).unwrap_or_else(|| measured(context));
    }
    // Nobody else sets it.
    let _ = context.speeds.set(speeds);
}

/// The scale on disk.
fn kept(context: &Context) -> Option<Scale> {
    let (images, key) = context.images.as_ref().zip(key(context))?;
    Scale::parse(&String::from_utf8_lossy(&images.get(key)?))
}

/// Measures the scale, and keeps it.
fn measured(context: &Arc<Context>) -> Scale {
    let start = Instant::now();
    let mut known: Vec<(Strategy, f64)> = Vec::new();
    for (strategy, ratios) in probes::run(context, start + PATIENCE) {
        known.extend(log_of(&ratios).map(|log| (strategy, log)));
    }
    // Strategies without a probe are taken to be as much slower as the others.
    let mean = known.iter().map(|(_, log)| log).sum::<f64>() / known.len().max(1) as f64;
    let mut scale = Scale::NONE;
    for strategy in Strategy::ALL {
        let own = known.iter().find(|(s, _)| *s == strategy);
        scale.set(strategy, own.map_or(mean, |(_, log)| *log).exp());
    }
    log::info!(
        "measured {} in {:.2} s",
        context.backend.limits().name,
        start.elapsed().as_secs_f64()
    );
    // What was cut short is measured again by the next process.
    if known.len() == probes::STRATEGIES
        && let Some((images, key)) = context.images.as_ref().zip(key(context))
    {
        images.put(key, scale.text().as_bytes());
    }
    scale
}

/// The mean logarithm of a strategy's ratios, one of each kind of keys; none where one is missing or not to be believed.
fn log_of(ratios: &[f64]) -> Option<f64> {
    let good = ratios.len() == probes::KINDS && ratios.iter().all(|r| BELIEVED.contains(r));
    good.then(|| ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64)
}

/// Whether this thread's calls are probes: the environment does not steer them, and nothing is said of them.
pub(super) fn is_probing() -> bool {
    probes::PROBING.get()
}

/// The name of the scale on disk; none where nothing is kept.
fn key(context: &Context) -> Option<u128> {
    let target = context.backend.image_target()?;
    let what = format!(
        "speeds of {} {target} with accrue {}",
        context.backend.limits().name,
        env!("CARGO_PKG_VERSION")
    );
    Some(image_cache::fingerprint(&[what.as_bytes()]))
}

mod probes {
    //! One loop under each strategy.

    use std::cell::Cell;
    use std::sync::Arc;
    use std::time::Instant;

    use accrue_macros::offload;
    use accrue_ptx::abi::Strategy;

    use crate::context::Context;
    use crate::gpu::Loop;
    use crate::queue::Stream;
    use crate::{DeviceBuffer, Error};

    const KEYS: usize = 1 << 23;

    const BINS: usize = 4096;

    /// Runs of each.
    const RUNS: usize = 3;

    /// Kinds of keys: spread and all equal.
    pub(super) const KINDS: usize = 2;

    thread_local! {
        /// Whether this thread's calls are probes.
        pub(super) static PROBING: Cell<bool> = const { Cell::new(false) };
    }

    /// While it lives, they are.
    struct Probing;

    impl Probing {
        fn begin() -> Probing {
            PROBING.set(true);
            Probing
        }
    }

    impl Drop for Probing {
        fn drop(&mut self) {
            PROBING.set(false);
        }
    }

    /// Strategies that are measured.
    pub(super) const STRATEGIES: usize = ALL.len();

    type Run = fn(&Stream, &DeviceBuffer<u32>, &mut DeviceBuffer<u32>) -> Result<(), Error>;

    macro_rules! probes {
        ($($strategy:ident $name:ident $text:literal,)*) => {
            $(
                #[offload(histogram, strategy = $text)]
                fn $name(keys: &[u32], bins: &mut [u32]) {
                    for &k in keys {
                        bins[k as usize] += 1;
                    }
                }
            )*

            const ALL: &[(Strategy, Run, fn() -> &'static Loop)] = &[$((
                Strategy::$strategy,
                |stream, keys, bins| $name::on_device(stream, keys, bins),
                $name::__accrue_loop_0,
            )),*];
        };
    }

    probes! {
        AtomicGlobal atomic_global "atomic_global",
        GangGlobal gang_global "gang_global",
        GangShared gang_shared "gang_shared",
        GangWindow gang_window "gang_window",
        GangPacked gang_packed "gang_packed",
    }

    /// For each strategy what the runs took, over what was expected. What fails is left out.
    pub(super) fn run(context: &Arc<Context>, until: Instant) -> Vec<(Strategy, Vec<f64>)> {
        let _probing = Probing::begin();
        let spread = (0..KEYS as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20);
        let of_all = |keys: &[u32]| -> Result<Vec<(Strategy, f64)>, Error> {
            let stream = Stream::over(context)?;
            let keys = DeviceBuffer::from_slice_on(&stream, keys)?;
            let mut bins = DeviceBuffer::zeroed_on(&stream, BINS)?;
            let mut ratios = Vec::new();
            for (strategy, run, kernels) in ALL {
                if Instant::now() > until {
                    break;
                }
                let of = kernels();
                let ratio = ratio(&stream, *run, &keys, &mut bins, of);
                ratios.extend(ratio.map(|ratio| (*strategy, ratio)));
            }
            Ok(ratios)
        };
        let mut all: Vec<(Strategy, Vec<f64>)> = Vec::new();
        let kinds: [Vec<u32>; KINDS] = [spread.collect(), vec![BINS as u32 / 3; KEYS]];
        for keys in kinds {
            for (strategy, ratio) in of_all(&keys).unwrap_or_default() {
                match all.iter_mut().find(|(s, _)| *s == strategy) {
                    Some((_, ratios)) => ratios.push(ratio),
                    None => all.push((strategy, vec![ratio])),
                }
            }
        }
        all
    }

    /// The best time of a few runs over the expected one.
    fn ratio(
        stream: &Stream,
        run: Run,
        keys: &DeviceBuffer<u32>,
        bins: &mut DeviceBuffer<u32>,
        of: &Loop,
    ) -> Option<f64> {
        // The first compiles.
        run(stream, keys, bins).ok()?;
        stream.sync().ok()?;
        let mut best = f64::INFINITY;
        for _ in 0..RUNS {
            let begin = stream.mark().ok()?;
            run(stream, keys, bins).ok()?;
            let end = stream.mark().ok()?;
            stream.sync().ok()?;
            best = best.min(begin.until(&end).ok()?.as_secs_f64());
        }
        Some(best / of.last_run()?.predicted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_is_known_by_both_kinds_of_keys() {
        assert_eq!(log_of(&[2.0]), None);
        assert_eq!(log_of(&[2.0, 1e6]), None);
        assert_eq!(log_of(&[2.0, f64::NAN]), None);
        let log = log_of(&[2.0, 8.0]).unwrap();
        assert!((log.exp() - 4.0).abs() < 1e-12, "{log}");
    }

    #[cfg(feature = "sim")]
    #[test]
    fn no_probe_is_begun_when_time_is_up() {
        let sim = crate::backend::sim::Simulated::with(accrue_ptx::sim::Limits::default(), 3);
        let context = Arc::new(Context::over(Box::new(sim)));
        assert!(probes::run(&context, Instant::now() - Duration::from_secs(1)).is_empty());
        assert!(!is_probing());
    }
}
