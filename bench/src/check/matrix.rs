//! Every strategy × operator × bin type, over distributions, sizes and parameters.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use accrue::__bench::{call, queue};
use accrue::__rt::gpu::{Array, Bins, Loop};
use accrue::{DeviceBuffer, Error, Stream};
use accrue_ptx::abi::{Elem, Op, Strategy};
use rayon::prelude::*;

use super::Settings;
use super::kernel;
use super::report::Report;
use super::value::{self, Value};
use crate::data::{Distribution, Random};

/// Runs them all.
pub(super) fn check(settings: &Settings) -> Report {
    let mut cases = Vec::new();
    for strategy in settings.of_one_loop() {
        for op in Op::ALL {
            cases.extend(
                Elem::ALL
                    .into_iter()
                    .filter(|e| strategy.applies_to(op, *e, false, 1))
                    .map(|e| (strategy, op, e)),
            );
        }
    }
    let reports: Vec<Report> = cases
        .par_iter()
        .map(|&(strategy, op, elem)| match elem {
            Elem::Bool => case::<bool>(settings, strategy, op),
            Elem::I8 => case::<i8>(settings, strategy, op),
            Elem::I16 => case::<i16>(settings, strategy, op),
            Elem::I32 => case::<i32>(settings, strategy, op),
            Elem::I64 => case::<i64>(settings, strategy, op),
            Elem::U8 => case::<u8>(settings, strategy, op),
            Elem::U16 => case::<u16>(settings, strategy, op),
            Elem::U32 => case::<u32>(settings, strategy, op),
            Elem::U64 => case::<u64>(settings, strategy, op),
            Elem::F32 => case::<f32>(settings, strategy, op),
            Elem::F64 => case::<f64>(settings, strategy, op),
        })
        .collect();
    let mut all = Report::default();
    for report in reports {
        all.add(report);
    }
    all
}

/// Numbers of bins for a strategy.
fn bins(settings: &Settings, strategy: Strategy) -> &'static [u64] {
    let trials = strategy.template().trials();
    match settings.fast {
        true => trials.bins,
        false => trials.simulated_bins,
    }
}

/// One kernel.
fn case<T: Value>(settings: &Settings, strategy: Strategy, op: Op) -> Report {
    let mut report = Report::default();
    let row = format!("{} {}", strategy.name(), op.name());
    let column = T::ELEM.name();
    let text = format!(
        "fn update(keys: &[u32], values: &[{t}], bins: &mut [{t}]) {{ \
         for (&k, &v) in keys.iter().zip(values) {{ {}; }} }}",
        value::update(op, T::ELEM, "bins[k as usize]", "v"),
        t = column,
    );
    let compiled = match kernel::compile(&text, &[strategy]) {
        Ok(compiled) => compiled,
        Err(e) => {
            report.count(&row, column, Err(format!("{e:#}")));
            return report;
        }
    };
    let mut all =
        |of: &Loop, what: &str, bins: &[u64], distributions: &[Distribution], sizes: &[usize]| {
            for &bins in bins {
                for &distribution in distributions {
                    for &n in sizes {
                        let drawn = Drawn::<T>::new(op, distribution, n, bins);
                        let name =
                            format!("{n} {} keys into {bins} bins{what}", distribution.name());
                        let host = drawn.on_host(settings, of, &compiled.arrays);
                        report.count(&row, column, host.map_err(|e| format!("{name}: {e}")));
                        if !settings.quick {
                            let device = drawn.on_device(settings, of, &compiled.arrays);
                            report.count(
                                &row,
                                column,
                                device.map_err(|e| format!("{name}, on the device: {e}")),
                            );
                        }
                    }
                }
            }
        };
    let (sizes, bins) = (settings.sizes(), bins(settings, strategy));
    let distributions: &[Distribution] = match settings.quick {
        true => &[Distribution::Uniform, Distribution::Const],
        false => &Distribution::ALL,
    };
    let own = compiled.the_loop("");
    let some = if settings.quick { &bins[1..2] } else { bins };
    all(&own, "", some, distributions, sizes);
    if let Some(large) = settings.large() {
        let many = &bins[bins.len() - 1..];
        all(&own, "", many, &[Distribution::Uniform], &[large]);
    }
    if let Some(gangs) = settings.gangs() {
        // For loops that count, which `counts` has, there are no bins here.
        let some = &bins[bins.len().min(1)..bins.len().min(2)];
        all(&own, "", some, &[Distribution::Uniform], &[gangs]);
    }
    for request in strategy.template().trials().requests {
        let of = compiled.the_loop(request);
        let largest = &sizes[sizes.len() - 1..];
        all(
            &of,
            &format!(" with {}", &request[1..]),
            &bins[1..2],
            &[Distribution::Runs],
            largest,
        );
    }
    if strategy.template().trials().refuses_many {
        // More than any device has: the strategy must say so, and touch nothing.
        let drawn = Drawn::<T>::new(op, Distribution::Uniform, 100, 1 << 20);
        report.count(
            &row,
            column,
            drawn.is_refused(settings, &own, &compiled.arrays),
        );
    }
    report
}

/// Keys, drawn once for all kernels.
fn keys_of(distribution: Distribution, n: usize, bins: u64) -> Arc<Vec<u32>> {
    type Known = Mutex<HashMap<(&'static str, usize, u64), Arc<Vec<u32>>>>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let mut known = KNOWN
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let keys = known
        .entry((distribution.name(), n, bins))
        .or_insert_with(|| {
            let keys = distribution.keys(n, bins, n as u64 ^ bins << 32 ^ 0xacc);
            Arc::new(keys.into_iter().map(|k| k as u32).collect())
        });
    Arc::clone(keys)
}

/// Arguments of a call and the sequential loop's result.
struct Drawn<T> {
    keys: Arc<Vec<u32>>,
    values: Vec<T>,
    before: Vec<T>,
    after: Vec<T>,
    /// The bins that are updated.
    touched: Vec<bool>,
}

impl<T: Value> Drawn<T> {
    fn new(op: Op, distribution: Distribution, n: usize, bins: u64) -> Drawn<T> {
        let mut random = Random::new(n as u64 ^ bins << 32 ^ 0xacc);
        let keys = keys_of(distribution, n, bins);
        let values: Vec<T> = (0..n).map(|_| T::draw(op, n, &mut random)).collect();
        let before: Vec<T> = (0..bins).map(|_| T::initial(op, &mut random)).collect();
        let mut after = before.clone();
        let mut touched = vec![false; before.len()];
        for (&key, &value) in keys.iter().zip(&values) {
            let bin = &mut after[key as usize];
            *bin = bin.combine(op, value);
            touched[key as usize] = true;
        }
        Drawn {
            keys,
            values,
            before,
            after,
            touched,
        }
    }

    /// The arguments by the names that the text gives them.
    fn arrays<'a>(&self, names: &[String], of: impl Fn(&str) -> Array<'a>) -> Vec<Array<'a>> {
        names.iter().map(|name| of(name)).collect()
    }

    fn on_host(&self, settings: &Settings, of: &Loop, names: &[String]) -> Result<(), String> {
        let mut bins = self.before.clone();
        let arrays = self.arrays(names, |name| match name {
            "keys" => Array::host(&self.keys[..]),
            "values" => Array::host(&self.values),
            _ => Array::length(self.before.len()),
        });
        let counts = [self.keys.len() as u64];
        call(
            of,
            settings.device,
            &counts,
            &arrays,
            &mut [Bins::host(&mut bins)],
            &[],
        )
        .map_err(|e| e.to_string())?;
        self.compare(&bins)
    }

    /// The same with everything on the device, one element into larger buffers, so that nothing is aligned to more than
    /// an element.
    fn on_device(&self, settings: &Settings, of: &Loop, names: &[String]) -> Result<(), String> {
        let run = || -> Result<Vec<T>, Error> {
            let stream = Stream::on(settings.device)?;
            let shifted = |len: usize| 1..len + 1;
            let mut keys = DeviceBuffer::<u32>::zeroed_on(&stream, self.keys.len() + 2)?;
            keys.slice_mut(shifted(self.keys.len()))?
                .copy_from_slice(&self.keys)?;
            let mut values = DeviceBuffer::<T>::zeroed_on(&stream, self.values.len() + 2)?;
            values
                .slice_mut(shifted(self.values.len()))?
                .copy_from_slice(&self.values)?;
            let mut bins = DeviceBuffer::<T>::zeroed_on(&stream, self.before.len() + 2)?;
            bins.slice_mut(shifted(self.before.len()))?
                .copy_from_slice(&self.before)?;
            let guard = bins.slice(..1)?.to_vec()?;
            let (k, v) = (
                keys.slice(shifted(self.keys.len()))?,
                values.slice(shifted(self.values.len()))?,
            );
            let arrays = self.arrays(names, |name| match name {
                "keys" => Array::device(k),
                "values" => Array::device(v),
                _ => Array::length(self.before.len()),
            });
            let counts = [self.keys.len() as u64];
            let mut target = [Bins::device(bins.slice_mut(shifted(self.before.len()))?)];
            queue(of, &stream, &counts, &arrays, &mut target, &[])?;
            stream.sync()?;
            let mut all = bins.to_vec()?;
            let end = all.pop();
            let start = all.remove(0);
            assert!(
                start.same(guard[0]) && end.is_some_and(|e| e.same(guard[0])),
                "memory beside the bins was written"
            );
            Ok(all)
        };
        self.compare(&run().map_err(|e| e.to_string())?)
    }

    fn is_refused(&self, settings: &Settings, of: &Loop, names: &[String]) -> Result<(), String> {
        match self.on_host(settings, of, names) {
            Err(e) if e.contains("shared memory") => Ok(()),
            Err(e) => Err(format!("{} bins are refused with `{e}`", self.before.len())),
            Ok(()) => Err(format!(
                "{} bins are said to fit in shared memory",
                self.before.len()
            )),
        }
    }

    /// Every bin as the sequential loop has it; those without an update bit for bit.
    fn compare(&self, found: &[T]) -> Result<(), String> {
        let right = |bin: usize| match self.touched[bin] {
            true => found[bin].same(self.after[bin]),
            false => found[bin].same_bits(self.before[bin]),
        };
        let wrong: Vec<usize> = (0..found.len()).filter(|bin| !right(*bin)).collect();
        match wrong.first() {
            None => Ok(()),
            Some(&bin) => Err(format!(
                "{} bins differ, the first is bin {bin}: {:?} instead of {:?}",
                wrong.len(),
                found[bin],
                self.after[bin]
            )),
        }
    }
}
