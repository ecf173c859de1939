//! How fast a device is, beside the one whose constants the model has.
//!
//! A device that nobody has measured is measured once, at the first offloaded calls of a process: each strategy counts keys
//! that are spread and keys that are all equal, and what it takes over what the model expects of it is the strategy's
//! [`Scale`]. The first call waits for none of that. Each of the next ones measures one strategy before its own work, if that
//! has been compiled beside the calls, and chooses by what is shipped until all have had their turn, in less than two
//! seconds together. What comes of it is kept in the cache on disk, where the next process goes on if this one ends before.

use std::sync::Arc;
use std::time::{Duration, Instant};

use accrue_ptx::abi::Strategy;
use accrue_ptx::plan::Limits;

use super::model::Speeds;
use super::model::speeds::Scale;
use super::select;
use crate::context::Context;
use crate::image_cache;
use crate::{Device, Error};

/// The device whose constants are shipped, as its driver names it. Others with that chip, a slice of it or one with a
/// Grace beside it, have other memory.
const KNOWN: &str = "NVIDIA H200";

/// A strategy that comes out so much slower or faster than expected was not measured but disturbed.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.02..=50.0;

/// How long strategies are measured. One that is not begun by then is taken to be as fast as the others.
const PATIENCE: Duration = Duration::from_millis(1500);

impl Context {
    /// How fast kernels are here: as measured before, else as on the device whose constants are shipped.
    pub(crate) fn speeds(&self) -> &Speeds {
        static SHIPPED: Speeds = Speeds::H200;
        self.speeds.get().unwrap_or(&SHIPPED)
    }
}

/// How far the measuring of a device has come.
#[derive(Debug)]
pub(crate) struct Calibration {
    /// Keys of each kind.
    keys: usize,
    /// Strategies that have had their turn.
    done: usize,
    /// What came of them: the logarithm of a strategy's scale.
    known: Vec<(Strategy, f64)>,
    /// What they have taken.
    spent: Duration,
    /// No strategy is begun when they have taken this long.
    patience: Duration,
}

impl Calibration {
    /// One that is about to begin.
    pub(crate) fn new(keys: usize) -> Calibration {
        Calibration {
            keys,
            done: 0,
            known: Vec::new(),
            spent: Duration::ZERO,
            patience: PATIENCE,
        }
    }

    /// Whether the next strategy can be measured without waiting for its compilation, which is begun.
    fn is_ready(&self, context: &Arc<Context>) -> bool {
        self.is_over_time() || probes::is_loaded(context, self.done)
    }

    /// Measures the next strategy; the scale, where it was the last.
    fn advance(&mut self, context: &Arc<Context>) -> Option<Scale> {
        let start = Instant::now();
        if !self.is_over_time()
            && let Some((strategy, ratios)) = probes::run(context, self.done, self.keys)
        {
            self.known
                .extend(log_of(&ratios).map(|log| (strategy, log)));
            self.spent += start.elapsed();
            self.done += 1;
            let begun = match self.done < probes::STRATEGIES || self.is_whole() {
                true => self.text(),
                // What was disturbed is measured again.
                false => Calibration::new(self.keys).text(),
            };
            put(context, BEGUN, &begun);
        }
        let over = self.done == probes::STRATEGIES || self.is_over_time();
        over.then(|| self.scale())
    }

    /// Strategies without a probe are taken to be as much slower as the others.
    fn scale(&self) -> Scale {
        let mean = self.known.iter().map(|(_, log)| log).sum::<f64>();
        let mean = mean / self.known.len().max(1) as f64;
        let mut scale = Scale::NONE;
        for strategy in Strategy::ALL {
            let own = self.known.iter().find(|(s, _)| *s == strategy);
            scale.set(strategy, own.map_or(mean, |(_, log)| *log).exp());
        }
        scale
    }

    fn is_over_time(&self) -> bool {
        self.spent > self.patience
    }

    /// Whether every strategy was measured.
    fn is_whole(&self) -> bool {
        self.known.len() == probes::STRATEGIES
    }

    /// The number of turns, and a line for each strategy that was measured.
    fn text(&self) -> String {
        let known = self.known.iter();
        let lines: String = known
            .map(|(strategy, log)| format!("{} {log:e}\n", strategy.name()))
            .collect();
        format!("{}\n{lines}", self.done)
    }

    /// What another process has begun: all that [`text`](Calibration::text) says, or nothing.
    fn go_on(&mut self, text: &str) -> Option<()> {
        let mut lines = text.lines();
        let done = lines.next()?.parse().ok()?;
        let known = lines.map(|line| {
            let (name, log) = line.split_once(' ')?;
            let log = log.parse().ok().filter(|log: &f64| log.is_finite())?;
            Some((Strategy::from_name(name)?, log))
        });
        let known: Vec<_> = known.collect::<Option<_>>()?;
        if known.len() <= done && done < probes::STRATEGIES {
            (self.done, self.known) = (done, known);
        }
        Some(())
    }
}

/// What is kept on disk of a device: its speeds, and a calibration that has begun.
const SPEEDS: &str = "speeds";
const BEGUN: &str = "calibration";

/// Finds out how fast a device is, a step with each call, unless that is known. Calls of other threads go on meanwhile with
/// what is shipped.
pub(super) fn step(context: &Arc<Context>) {
    if context.speeds.get().is_some() || is_probing() {
        return;
    }
    let Ok(mut calibration) = context.calibration.try_lock() else {
        return;
    };
    let speeds = match &mut *calibration {
        None => {
            let known = known(context);
            if known.is_none() {
                let mut new = Calibration::new(probes::KEYS);
                get(context, BEGUN).and_then(|text| new.go_on(&text));
                *calibration = Some(new);
            }
            known
        }
        Some(calibration) if !calibration.is_ready(context) => None,
        Some(calibration) => calibration.advance(context).map(|scale| {
            log::info!(
                "measured {} in {:.2} s",
                context.backend.limits().name,
                calibration.spent.as_secs_f64()
            );
            let speeds = Speeds {
                scale,
                ..Speeds::H200
            };
            if calibration.is_whole() {
                put(context, SPEEDS, &speeds.text());
            }
            speeds
        }),
    };
    if let Some(speeds) = speeds {
        // Nobody else sets it.
        let _ = context.speeds.set(speeds);
    }
}

/// What needs no measuring: constants on disk, or those that are shipped for the device.
fn known(context: &Context) -> Option<Speeds> {
    let kept = get(context, SPEEDS).and_then(|text| Speeds::parse(&text));
    kept.or_else(|| {
        let gpu = matches!(context.backend.device(), Device::Cuda(_));
        (!gpu || context.backend.limits().name == KNOWN).then_some(Speeds::H200)
    })
}

/// Keeps constants on disk for a device, for processes that begin from now on; whether there is a place for them.
///
/// # Errors
///
/// The device does not open.
pub fn keep_speeds(device: Device, speeds: &Speeds) -> Result<bool, Error> {
    let context = Context::of(device)?;
    put(&context, SPEEDS, &speeds.text());
    Ok(get(&context, SPEEDS).is_some_and(|text| text == speeds.text()))
}

/// A device's limits, as the model wants them.
///
/// # Errors
///
/// The device does not open.
pub fn limits_of(device: Device) -> Result<Limits, Error> {
    Ok(select::limits(Context::of(device)?.backend.limits()))
}

fn get(context: &Context, what: &str) -> Option<String> {
    let (images, key) = place(context, what)?;
    String::from_utf8(images.get(key)?).ok()
}

fn put(context: &Context, what: &str, text: &str) {
    if let Some((images, key)) = place(context, what) {
        images.put(key, text.as_bytes());
    }
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

/// Where a device's constants are on disk; none where nothing is kept. They are those of this model, and mean nothing in
/// another.
fn place<'a>(context: &'a Context, what: &str) -> Option<(&'a image_cache::ImageCache, u128)> {
    let target = context.backend.image_target()?;
    let device = format!("{what} of {} {target}", context.backend.limits().name);
    let model = Speeds::H200.text();
    let parts = [device.as_str(), env!("CARGO_PKG_VERSION"), &model];
    let key = image_cache::fingerprint(&parts.map(str::as_bytes));
    Some((context.images.as_ref()?, key))
}

mod probes {
    //! One loop under each strategy.

    use std::cell::Cell;
    use std::sync::Arc;

    use accrue_macros::offload;
    use accrue_ptx::abi::Strategy;

    use crate::context::Context;
    use crate::gpu::Loop;
    use crate::queue::Stream;
    use crate::{DeviceBuffer, Error};

    /// Keys of each kind.
    pub(super) const KEYS: usize = 1 << 23;

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

    /// Whether a strategy's kernel is loaded, or never will be; if not, that is begun.
    pub(super) fn is_loaded(context: &Arc<Context>, number: usize) -> bool {
        let Some((strategy, _, kernels)) = ALL.get(number) else {
            return true;
        };
        let of = kernels();
        let module = of.modules.iter().position(|m| m.abi.strategy == *strategy);
        module.is_none_or(|module| of.order(context, module).done().is_some())
    }

    /// What the runs of a strategy took, over what was expected, for each kind of keys. What fails is left out.
    pub(super) fn run(
        context: &Arc<Context>,
        number: usize,
        keys: usize,
    ) -> Option<(Strategy, Vec<f64>)> {
        let (strategy, run, kernels) = ALL.get(number)?;
        let _probing = Probing::begin();
        let of_kind = |keys: &[u32]| -> Result<Option<f64>, Error> {
            let stream = Stream::over(context)?;
            let keys = DeviceBuffer::from_slice_on(&stream, keys)?;
            let mut bins = DeviceBuffer::zeroed_on(&stream, BINS)?;
            Ok(ratio(&stream, *run, &keys, &mut bins, kernels()))
        };
        let spread = (0..keys as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20);
        let kinds: [Vec<u32>; KINDS] = [spread.collect(), vec![BINS as u32 / 3; keys]];
        let ratios = kinds.iter().filter_map(|keys| of_kind(keys).ok().flatten());
        Some((*strategy, ratios.collect()))
    }

    /// The best time of a few runs over the expected one.
    fn ratio(
        stream: &Stream,
        run: Run,
        keys: &DeviceBuffer<u32>,
        bins: &mut DeviceBuffer<u32>,
        of: &Loop,
    ) -> Option<f64> {
        // The first takes memory.
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
    mod stepwise {
        use std::sync::atomic::Ordering::SeqCst;

        use super::*;
        use crate::backend::faulty::{Faults, Faulty};
        use crate::backend::sim::Simulated;
        use crate::image_cache::ImageCache;

        /// A GPU that nobody has measured, with so many keys for each probe.
        fn unknown(keys: usize, images: Option<ImageCache>) -> (Arc<Context>, Arc<Faults>) {
            let faults = Arc::new(Faults {
                poses_as: Some(Device::Cuda(7)),
                target: Some("sm_80-cuda12.0".into()),
                ..Faults::default()
            });
            let sim = Simulated::with(accrue_ptx::sim::Limits::default(), 3);
            let mut context =
                Context::over(Box::new(Faulty::new(Box::new(sim), Arc::clone(&faults))));
            context.images = images;
            let context = Arc::new(context);
            step(&context);
            if let Some(calibration) = &mut *crate::context::lock(&context.calibration) {
                calibration.keys = keys;
                // However slow this machine is, unless the test says so.
                calibration.patience = Duration::MAX;
            }
            (context, faults)
        }

        /// A step whose strategy has been compiled: the first one asks for that, unless it has been done.
        fn whole_step(context: &Arc<Context>) {
            let done = || {
                let calibration = crate::context::lock(&context.calibration);
                calibration.as_ref().map(|calibration| calibration.done)
            };
            let before = done();
            step(context);
            context.wait_for_orders();
            if done() == before {
                step(context);
            }
        }

        #[test]
        fn the_first_call_measures_nothing_and_the_next_ones_a_strategy_each() {
            let (context, faults) = unknown(1000, None);
            let mut launches = Vec::new();
            for _ in 0..probes::STRATEGIES {
                assert!(context.speeds.get().is_none());
                launches.push(faults.launches.load(SeqCst));
                // Nor does it wait for the compiler.
                let compiler = crate::context::lock(&faults.compiler);
                step(&context);
                assert_eq!(faults.launches.load(SeqCst), launches[launches.len() - 1]);
                drop(compiler);
                context.wait_for_orders();
                step(&context);
            }
            assert_eq!(launches[0], 0);
            assert!(
                launches.windows(2).all(|pair| pair[0] < pair[1]),
                "{launches:?}"
            );
            assert!(context.speeds.get().is_some() && !is_probing());
            let all = faults.launches.load(SeqCst);
            step(&context);
            assert_eq!(faults.launches.load(SeqCst), all);
        }

        #[test]
        fn no_strategy_is_begun_when_time_is_up_and_nothing_is_kept_then() {
            let folder =
                std::env::temp_dir().join(format!("accrue-test-{}-patience", std::process::id()));
            let (context, faults) = unknown(1000, Some(ImageCache::new(folder.clone(), 1 << 20)));
            if let Some(calibration) = &mut *crate::context::lock(&context.calibration) {
                calibration.patience = PATIENCE;
                calibration.spent = 2 * PATIENCE;
            }
            step(&context);
            assert_eq!(faults.launches.load(SeqCst), 0);
            assert_eq!(context.speeds.get(), Some(&Speeds::H200));
            assert!(!folder.exists());
        }

        #[test]
        fn what_is_kept_is_what_the_next_process_chooses_by() {
            let folder =
                std::env::temp_dir().join(format!("accrue-test-{}-speeds", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            let images = || Some(ImageCache::new(folder.clone(), 1 << 20));
            let (context, _) = unknown(1000, images());
            assert!(context.speeds.get().is_none());
            let speeds = Speeds {
                launch_us: 1.25,
                ..Speeds::H200
            };
            put(&context, SPEEDS, &speeds.text());
            let (context, _) = unknown(1000, images());
            assert_eq!(context.speeds.get(), Some(&speeds));
            std::fs::remove_dir_all(folder).unwrap();
        }

        #[test]
        fn a_process_goes_on_where_another_has_ended() {
            let folder =
                std::env::temp_dir().join(format!("accrue-test-{}-begun", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            let images = || Some(ImageCache::new(folder.clone(), 1 << 20));
            let left = |context: &Context| {
                let calibration = crate::context::lock(&context.calibration);
                let calibration = calibration.as_ref().expect("it has begun");
                (calibration.done, calibration.known.len())
            };
            let (context, _) = unknown(1000, images());
            put(&context, BEGUN, "3\ngang_shared 5e-1\ngang_window -1e0\n");
            let (context, _) = unknown(1000, images());
            assert_eq!(left(&context), (3, 2));
            whole_step(&context);
            assert_eq!(left(&context).0, 4);
            assert_eq!(get(&context, BEGUN).unwrap().lines().next(), Some("4"));
            whole_step(&context);
            let scale = context.speeds.get().unwrap().scale;
            assert!((scale.of(Strategy::GangShared) - 0.5f64.exp()).abs() < 1e-12);
            // One of the first three was disturbed: another process begins anew.
            assert_eq!(get(&context, BEGUN).as_deref(), Some("0\n"));
            assert_eq!(get(&context, SPEEDS), None);
            for text in [
                "",
                "many",
                "3\ngang_else 1",
                "3\ngang_shared inf",
                "5\n",
                "0\ngang_hot 1",
            ] {
                put(&context, BEGUN, text);
                let (context, _) = unknown(1000, images());
                assert_eq!(left(&context), (0, 0), "{text:?}");
            }
            std::fs::remove_dir_all(folder).unwrap();
        }
    }
}
