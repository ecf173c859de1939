//! How fast a device is, beside the one whose constants the model has.
//!
//! A device that nobody has measured is measured once, at the first offloaded calls of a process: each strategy counts keys
//! that are spread and keys that are all equal, and what it takes over what the model expects of it is the strategy's
//! [`Scale`]. The first call waits for none of that. Each of the next ones measures one strategy before its own work, if that
//! has been compiled beside the calls, and chooses by what is shipped until all have had their turn, in less than two
//! seconds together. What comes of it is kept in the cache on disk, where the next process goes on if this one ends before.

use std::sync::Arc;
use std::time::Instant;

use crate::base::device::Device;
use crate::device::context::Context;
use crate::device::images::{ImageCache, Key};
use crate::gpu::choose::calibration::{Calibration, STRATEGIES, is_probing, log_of};
use crate::gpu::choose::kept;
use accrue_ptx::cost::Speeds;
use accrue_ptx::cost::speeds::Scale;

/// The device whose constants are shipped, as its driver names it. Others with that chip, a slice of it or one with a
/// Grace beside it, have other memory.
const KNOWN: &str = "NVIDIA H200";

/// What is kept on disk of a device: its speeds, and a calibration that has begun.
pub(super) const SPEEDS: &str = "speeds";
const BEGUN: &str = "calibration";

/// Finds out how fast a device is, a step with each call, unless that is known. Calls of other threads go on meanwhile with
/// what is shipped.
pub(super) fn step(context: &Arc<Context>) {
    let kept = kept::of(context);
    if kept.speeds.get().is_some() || is_probing() {
        return;
    }
    let Ok(mut calibration) = kept.calibration.try_lock() else {
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
        Some(calibration) if !is_ready(calibration, context) => None,
        Some(calibration) => advance(calibration, context).map(|scale| {
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
        let _ = kept.speeds.set(speeds);
    }
}

/// Whether the next strategy can be measured without waiting for its compilation, which is begun.
fn is_ready(of: &Calibration, context: &Arc<Context>) -> bool {
    of.is_over_time() || probes::is_loaded(context, of.done)
}

/// Measures the next strategy; the scale, where it was the last.
fn advance(of: &mut Calibration, context: &Arc<Context>) -> Option<Scale> {
    let start = Instant::now();
    if !of.is_over_time()
        && let Some((strategy, ratios)) = probes::run(context, of.done, of.keys)
    {
        of.known.extend(log_of(&ratios).map(|log| (strategy, log)));
        of.spent += start.elapsed();
        of.done += 1;
        let begun = match of.done < STRATEGIES || of.is_whole() {
            true => of.text(),
            // What was disturbed is measured again.
            false => Calibration::new(of.keys).text(),
        };
        put(context, BEGUN, &begun);
    }
    let over = of.done == STRATEGIES || of.is_over_time();
    over.then(|| of.scale())
}

/// What needs no measuring: constants on disk, or those that are shipped for the device.
fn known(context: &Context) -> Option<Speeds> {
    let kept = get(context, SPEEDS).and_then(|text| Speeds::parse(&text));
    kept.or_else(|| {
        let gpu = matches!(context.backend.device(), Device::Cuda(_));
        (!gpu || context.backend.limits().name == KNOWN).then_some(Speeds::H200)
    })
}

/// What is kept of a device by this name.
pub(super) fn get(context: &Context, what: &str) -> Option<String> {
    let (images, key) = place(context, what)?;
    String::from_utf8(images.get(key)?).ok()
}

/// Keeps it.
pub(super) fn put(context: &Context, what: &str, text: &str) {
    if let Some((images, key)) = place(context, what) {
        images.put(key, text.as_bytes());
    }
}

/// Where a device's constants are on disk; none where nothing is kept. They are those of this model, and mean nothing in
/// another.
fn place<'a>(context: &'a Context, what: &str) -> Option<(&'a ImageCache, Key)> {
    let target = context.backend.image_target()?;
    let device = format!("{what} of {} {target}", context.backend.limits().name);
    let model = Speeds::H200.text();
    let parts = [device.as_str(), env!("CARGO_PKG_VERSION"), &model];
    let key = Key::of(&parts.map(str::as_bytes));
    Some((context.images.as_ref()?, key))
}

mod probes {
    //! One loop under each strategy.

    use std::sync::Arc;

    use accrue_macros::offload;
    use accrue_ptx::abi::Strategy;

    use crate::base::error::Error;
    use crate::device::buffer::DeviceBuffer;
    use crate::device::context::Context;
    use crate::device::queue::Stream;
    use crate::gpu::choose::calibration::{KINDS, Probing, STRATEGIES};
    use crate::gpu::choose::offloaded::Loop;

    /// Keys of each kind.
    pub(super) const KEYS: usize = 1 << 23;

    const BINS: usize = 4096;

    /// Runs of each.
    const RUNS: usize = 3;

    type Run = fn(&Stream, &DeviceBuffer<u32>, &mut DeviceBuffer<u32>) -> Result<(), Error>;

    macro_rules! probes {
        ($($strategy:ident $name:ident $text:literal,)*) => {
            $(
                #[offload(histogram, strategy = $text, __only)]
                fn $name(keys: &[u32], bins: &mut [u32]) {
                    for &k in keys {
                        bins[k as usize] += 1;
                    }
                }
            )*

            pub(super) const ALL: &[(Strategy, Run, fn() -> &'static Loop)] = &[$((
                Strategy::$strategy,
                |stream, keys, bins| $name::on_device(stream, keys, bins),
                $name::__accrue_loop_0,
            )),*];
        };
    }

    const _: () = assert!(ALL.len() == STRATEGIES);

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
    fn probes_carry_the_one_kernel_that_each_of_them_runs() {
        let mut bytes = 0;
        for (strategy, _, kernels) in probes::ALL {
            let modules = &kernels().modules;
            assert_eq!(modules.len(), 1, "{strategy:?}");
            assert_eq!(modules[0].abi.strategy, *strategy);
            bytes += modules[0].identity()[0].len();
        }
        // In every binary: at most 400 KB, with much to spare.
        assert!((10_000..100_000).contains(&bytes), "{bytes}");
    }

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
        use std::time::Duration;

        use accrue_ptx::abi::Strategy;

        use super::*;
        use crate::device::backend::faulty::{Faults, Faulty};
        use crate::device::backend::sim::Simulated;
        use crate::device::images::ImageCache;
        use crate::gpu::choose::calibration::PATIENCE;

        /// A GPU that nobody has measured, with so many keys for each probe.
        fn unknown(keys: usize, images: Option<ImageCache>) -> (Arc<Context>, Arc<Faults>) {
            let faults = Arc::new(Faults {
                poses_as: Some(Device::Cuda(7)),
                target: Some("sm_80-cuda12.0".into()),
                ..Faults::default()
            });
            let sim = Simulated::with(ptx_sim::Limits::default(), 3);
            let mut context =
                Context::over(Box::new(Faulty::new(Box::new(sim), Arc::clone(&faults))));
            context.images = images;
            let context = Arc::new(context);
            step(&context);
            if let Some(calibration) =
                &mut *crate::base::lock::lock(&kept::of(&context).calibration)
            {
                calibration.keys = keys;
                // However slow this machine is, unless the test says so.
                calibration.patience = Duration::MAX;
            }
            (context, faults)
        }

        /// A step whose strategy has been compiled: the first one asks for that, unless it has been done.
        fn whole_step(context: &Arc<Context>) {
            let done = || {
                let calibration = crate::base::lock::lock(&kept::of(context).calibration);
                calibration.as_ref().map(|calibration| calibration.done)
            };
            let before = done();
            step(context);
            kept::of(context).workshop.wait_for_orders();
            if done() == before {
                step(context);
            }
        }

        #[test]
        fn the_first_call_measures_nothing_and_the_next_ones_a_strategy_each() {
            let (context, faults) = unknown(1000, None);
            let mut launches = Vec::new();
            for _ in 0..STRATEGIES {
                assert!(kept::of(&context).speeds.get().is_none());
                launches.push(faults.launches.load(SeqCst));
                // Nor does it wait for the compiler.
                let compiler = crate::base::lock::lock(&faults.compiler);
                step(&context);
                assert_eq!(faults.launches.load(SeqCst), launches[launches.len() - 1]);
                drop(compiler);
                kept::of(&context).workshop.wait_for_orders();
                step(&context);
            }
            assert_eq!(launches[0], 0);
            assert!(
                launches.windows(2).all(|pair| pair[0] < pair[1]),
                "{launches:?}"
            );
            assert!(kept::of(&context).speeds.get().is_some() && !is_probing());
            let all = faults.launches.load(SeqCst);
            step(&context);
            assert_eq!(faults.launches.load(SeqCst), all);
        }

        #[test]
        fn no_strategy_is_begun_when_time_is_up_and_nothing_is_kept_then() {
            let folder =
                std::env::temp_dir().join(format!("accrue-test-{}-patience", std::process::id()));
            let (context, faults) = unknown(1000, Some(ImageCache::new(folder.clone(), 1 << 20)));
            if let Some(calibration) =
                &mut *crate::base::lock::lock(&kept::of(&context).calibration)
            {
                calibration.patience = PATIENCE;
                calibration.spent = 2 * PATIENCE;
            }
            step(&context);
            assert_eq!(faults.launches.load(SeqCst), 0);
            assert_eq!(kept::of(&context).speeds.get(), Some(&Speeds::H200));
            assert!(!folder.exists());
        }

        #[test]
        fn what_is_kept_is_what_the_next_process_chooses_by() {
            let folder =
                std::env::temp_dir().join(format!("accrue-test-{}-speeds", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            let images = || Some(ImageCache::new(folder.clone(), 1 << 20));
            let (context, _) = unknown(1000, images());
            assert!(kept::of(&context).speeds.get().is_none());
            let speeds = Speeds {
                launch_us: 1.25,
                ..Speeds::H200
            };
            put(&context, SPEEDS, &speeds.text());
            let (context, _) = unknown(1000, images());
            assert_eq!(kept::of(&context).speeds.get(), Some(&speeds));
            std::fs::remove_dir_all(folder).unwrap();
        }

        #[test]
        fn a_process_goes_on_where_another_has_ended() {
            let folder =
                std::env::temp_dir().join(format!("accrue-test-{}-begun", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            let images = || Some(ImageCache::new(folder.clone(), 1 << 20));
            let left = |context: &Context| {
                let calibration = crate::base::lock::lock(&kept::of(context).calibration);
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
            let scale = kept::of(&context).speeds.get().unwrap().scale;
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
