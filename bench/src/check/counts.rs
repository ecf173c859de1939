//! `bins[k] += 1` for every type of key: what loads of other widths, and the hardware's merging of equal keys, come to.

use accrue::__bench::call;
use accrue::__rt::gpu::{Array, Bins};
use accrue::{DeviceBuffer, DeviceType, Stream};
use accrue_ptx::abi::Strategy;

use super::Settings;
use super::kernel;
use super::report::Report;
use crate::data::Distribution;

/// A type of keys.
trait Key: DeviceType {
    const NAME: &'static str;
    fn from_bin(bin: u64) -> Self;
}

macro_rules! keys {
    ($($t:ty),*) => {$(
        impl Key for $t {
            const NAME: &'static str = stringify!($t);
            fn from_bin(bin: u64) -> $t {
                bin as $t
            }
        }
    )*};
}
keys!(u8, u16, u32, u64, usize, i8, i32, i64, f32);

/// Runs them all.
pub(super) fn check(settings: &Settings) -> Report {
    let mut report = Report::default();
    for strategy in settings.of_one_loop() {
        of_key::<u8>(settings, strategy, &mut report);
        of_key::<u16>(settings, strategy, &mut report);
        of_key::<u32>(settings, strategy, &mut report);
        of_key::<u64>(settings, strategy, &mut report);
        of_key::<usize>(settings, strategy, &mut report);
        of_key::<i8>(settings, strategy, &mut report);
        of_key::<i32>(settings, strategy, &mut report);
        of_key::<i64>(settings, strategy, &mut report);
        of_key::<f32>(settings, strategy, &mut report);
        of_many(settings, strategy, &mut report);
        of_iterations(settings, strategy, &mut report);
    }
    report
}

/// Many bins, and more updates of one than a half-word holds, for strategies that are for such.
fn of_many(settings: &Settings, strategy: Strategy, report: &mut Report) {
    let trials = strategy.template().trials();
    let cases = match settings.fast {
        true => trials.counts,
        false => trials.simulated_counts,
    };
    if cases.is_empty() {
        return;
    }
    let text =
        "fn count(keys: &[u32], bins: &mut [u32]) { for &k in keys { bins[k as usize] += 1; } }";
    let compiled = match kernel::compile(text, &[strategy]) {
        Ok(compiled) => compiled,
        Err(e) => return report.count(strategy.name(), "many", Err(format!("{e:#}"))),
    };
    let of = compiled.the_loop("");
    for &(bins, n) in cases.iter().filter(|(_, n)| *n <= settings.most) {
        // Six bins are more than are kept in registers, and the others are more than a gang's half-words hold.
        let distributions = match bins {
            6 => &[Distribution::Uniform][..],
            37 if !settings.fast => &[Distribution::Zipf, Distribution::Runs],
            _ => &Distribution::ALL,
        };
        for distribution in distributions {
            let keys = distribution.keys(n, bins, 78);
            let keys: Vec<u32> = keys.into_iter().map(|k| k as u32).collect();
            let mut expected = vec![3u32; bins as usize];
            keys.iter().for_each(|&k| expected[k as usize] += 1);
            let mut found = vec![3u32; bins as usize];
            let arrays: Vec<Array<'_>> = compiled
                .arrays
                .iter()
                .map(|name| match name.as_str() {
                    "keys" => Array::host(&keys),
                    _ => Array::length(bins as usize),
                })
                .collect();
            let counts = [n as u64];
            let target = &mut [Bins::host(&mut found)];
            let done = call(&of, settings.device, &counts, &arrays, target, &[]);
            let outcome = match done {
                Err(e) => Err(e.to_string()),
                Ok(()) if found == expected => Ok(()),
                Ok(()) => Err(format!(
                    "{n} {} keys are counted wrongly into {bins} bins",
                    distribution.name()
                )),
            };
            report.count(strategy.name(), "many", outcome);
        }
    }
}

/// More iterations than 32 bits number. A GPU takes no time for them; what the simulator can do about it, a part of such a
/// loop, the tests of the strategies do.
fn of_iterations(settings: &Settings, strategy: Strategy, report: &mut Report) {
    const ITERATIONS: u64 = (1 << 32) + 12_345;
    const BINS: u64 = 251;
    if !settings.fast || (settings.most as u64) < ITERATIONS {
        return;
    }
    let text = "fn count(n: u64, bins: &mut [u64; 251]) { for i in 0..n { bins[(i % 251) as usize] += 1; } }";
    let compiled = match kernel::compile(text, &[strategy]) {
        Ok(compiled) => compiled,
        Err(e) => return report.count(strategy.name(), "2^32", Err(format!("{e:#}"))),
    };
    if compiled.is_empty() {
        return;
    }
    let of = compiled.the_loop("");
    let expected: Vec<u64> = (0..BINS)
        .map(|bin| 3 + ITERATIONS / BINS + u64::from(bin < ITERATIONS % BINS))
        .collect();
    let mut found = vec![3u64; BINS as usize];
    let arrays: Vec<Array<'_>> = compiled
        .arrays
        .iter()
        .map(|_| Array::length(BINS as usize))
        .collect();
    let captured: Vec<u64> = compiled.captures.iter().map(|_| ITERATIONS).collect();
    let target = &mut [Bins::host(&mut found)];
    let done = call(
        &of,
        settings.device,
        &[ITERATIONS],
        &arrays,
        target,
        &captured,
    );
    let outcome = match done {
        Err(e) => Err(e.to_string()),
        Ok(()) if found == expected => Ok(()),
        Ok(()) => Err(format!("{ITERATIONS} iterations are counted wrongly")),
    };
    report.count(strategy.name(), "2^32", outcome);
}

fn of_key<K: Key>(settings: &Settings, strategy: Strategy, report: &mut Report) {
    let text = format!(
        "fn count(keys: &[{}], bins: &mut [u32]) {{ for &k in keys {{ bins[k as usize] += 1; }} }}",
        K::NAME
    );
    let compiled = match kernel::compile(&text, &[strategy]) {
        Ok(compiled) => compiled,
        Err(e) => return report.count(strategy.name(), K::NAME, Err(format!("{e:#}"))),
    };
    if compiled.is_empty() {
        return;
    }
    let of = compiled.the_loop("");
    // Signed bytes end at 127.
    let bins = if K::NAME == "i8" { 128 } else { 256 };
    for distribution in Distribution::ALL {
        for n in settings.all_sizes() {
            let keys: Vec<K> = distribution
                .keys(n, bins, 77)
                .into_iter()
                .map(K::from_bin)
                .collect();
            let mut expected = vec![3u32; bins as usize];
            for bin in distribution.keys(n, bins, 77) {
                expected[bin as usize] += 1;
            }
            let run = |keys: Array<'_>| -> Result<(), String> {
                let mut found = vec![3u32; bins as usize];
                let arrays: Vec<Array<'_>> = compiled
                    .arrays
                    .iter()
                    .map(|name| {
                        if name == "keys" {
                            keys
                        } else {
                            Array::length(bins as usize)
                        }
                    })
                    .collect();
                call(
                    &of,
                    settings.device,
                    &[n as u64],
                    &arrays,
                    &mut [Bins::host(&mut found)],
                    &[],
                )
                .map_err(|e| e.to_string())?;
                if found == expected {
                    return Ok(());
                }
                Err(format!(
                    "{n} {} keys are counted wrongly",
                    distribution.name()
                ))
            };
            report.count(strategy.name(), K::NAME, run(Array::host(&keys)));
            // Every alignment of the first key within 16 bytes.
            let on_device = || -> Result<(), String> {
                let text = |e: accrue::Error| e.to_string();
                let stream = Stream::on(settings.device).map_err(text)?;
                for shift in 0..(16 / size_of::<K>()).min(5) {
                    let mut buffer = DeviceBuffer::<K>::zeroed_on(&stream, n + 16).map_err(text)?;
                    let range = shift..shift + n;
                    buffer
                        .slice_mut(range.clone())
                        .and_then(|mut s| s.copy_from_slice(&keys))
                        .map_err(text)?;
                    let view = buffer.slice(range).map_err(text)?;
                    run(Array::device(view))
                        .map_err(|e| format!("{e}, {shift} keys after 16 bytes"))?;
                }
                Ok(())
            };
            report.count(strategy.name(), K::NAME, on_device());
        }
    }
}
