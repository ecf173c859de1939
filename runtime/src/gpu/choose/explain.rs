//! What `explain()` and `ACCRUE_EXPLAIN` say of a loop's kernels and their last run.

use std::fmt::Write;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use accrue_ptx::abi::{KernelAbi, Placement, Strategy};
use accrue_ptx::plan::{Ending, LaunchPlan};

use super::calibration::is_probing;
use super::offloaded::Loop;
use super::prepared::Prepared;
use crate::base::device::Device;
use crate::base::lock::lock;

/// What the last call of a loop ran.
#[derive(Clone, Debug)]
pub struct LastRun {
    /// The strategy.
    pub strategy: Strategy,
    /// Which of the loop's modules.
    pub module: usize,
    /// Its launch.
    pub plan: LaunchPlan,
    /// Seconds of the device that it was expected to take.
    pub predicted: f64,
}

impl Loop {
    /// What the last call ran, if there was one.
    pub fn last_run(&self) -> Option<LastRun> {
        let last = lock(&self.last).clone()?;
        Some(LastRun {
            strategy: self.modules[last.module].abi.strategy,
            module: last.module,
            plan: last.plan.clone(),
            predicted: last.predicted,
        })
    }

    /// The kernels there are, or why there are none, and the last run.
    pub fn explain(&self) -> String {
        if self.modules.is_empty() {
            return format!("no kernels for GPUs: {}", self.obstacle);
        }
        let mut names: Vec<String> = self.modules.iter().map(|m| full_name(&m.abi)).collect();
        names.dedup();
        let mut text = format!("kernels for GPUs: {}", names.join(", "));
        let last = lock(&self.last).clone();
        if let Some(last) = last {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{}", self.describe(&last));
            if let Some(pieces) = &*lock(&self.pieces) {
                let _ = write!(text, "\n{pieces}");
            }
        }
        text
    }

    /// With `ACCRUE_EXPLAIN`, says how a call is cut, and keeps that for `explain`.
    pub(in crate::gpu) fn say_pieces(&self, text: String) {
        if explaining() && !is_probing() {
            eprintln!("{}: {text}", self.function);
        }
        *lock(&self.pieces) = Some(text);
        self.is_pieced.store(true, Ordering::Relaxed);
    }

    /// With `ACCRUE_EXPLAIN`, says what runs.
    pub(in crate::gpu) fn say(&self, prepared: &Prepared) {
        if explaining() && !is_probing() {
            eprintln!("{}: {}", self.function, self.describe(prepared));
        }
    }

    /// A run in a line: the strategy with its numbers, each target's copies, and the sizes.
    fn describe(&self, prepared: &Prepared) -> String {
        let abi = &self.modules[prepared.module].abi;
        let plan = &prepared.plan;
        let mut line = format!(
            "{} on {}, {} gangs of {} threads, {} bytes of shared memory each",
            full_name(abi),
            prepared.device,
            plan.grid,
            plan.block,
            plan.shared_bytes + abi.static_shared
        );
        for (target, needs) in abi.targets.iter().zip(&plan.targets) {
            let copies = match target.placement {
                Placement::Register => "in registers".to_owned(),
                Placement::Injective => "in place".to_owned(),
                Placement::Strategy(_) if needs.copies > 0 => {
                    format!(
                        "{} copies a gang, {} threads to a copy",
                        needs.copies, needs.bundle
                    )
                }
                Placement::Strategy(_) => match plan.ending.launches(abi) {
                    [Ending::Rehearsal, ..] => "no copy, after a rehearsal".to_owned(),
                    [Ending::Straight, ..] => "no copy".to_owned(),
                    _ => format!("{} copies in device memory", needs.locals),
                },
            };
            let _ = write!(
                line,
                "; {} ({} bins, {}): {copies}",
                target.name,
                needs.bins,
                target.op.name()
            );
        }
        let measured = prepared.offers.iter().any(|offer| offer.measured.is_some());
        let why = match (prepared.asked, &prepared.trial, measured) {
            (true, ..) => "it was asked for",
            (false, Some(_), _) => "it is being measured",
            (false, None, true) => "it was measured to be the fastest",
            (false, None, false) => "it is expected to be the fastest",
        };
        let _ = match prepared.awaited() {
            None => write!(line, " ({} items); {why}", prepared.items),
            Some(better) => write!(
                line,
                " ({} items); `{}` is expected to be faster and is being compiled",
                prepared.items,
                better.name()
            ),
        };
        if !prepared.asked {
            for offer in &prepared.offers {
                let _ = write!(
                    line,
                    "\n    {:<18}{:>10} expected",
                    offer.name,
                    time_text(offer.predicted)
                );
                if let Some(measured) = offer.measured {
                    let _ = write!(line, "{:>12} measured", time_text(measured));
                }
            }
        }
        line
    }
}

/// The strategy of a kernel, and how it is cut, as `ACCRUE_STRATEGY` would ask for it.
fn full_name(abi: &KernelAbi) -> String {
    match &abi.cut {
        None => abi.strategy.name().to_owned(),
        Some(cut) => format!("{}:{cut}", abi.strategy.name()),
    }
}

/// Whether `ACCRUE_EXPLAIN` is set to something other than 0.
fn explaining() -> bool {
    static SETTING: OnceLock<bool> = OnceLock::new();
    *SETTING.get_or_init(|| {
        std::env::var_os("ACCRUE_EXPLAIN").is_some_and(|v| !v.is_empty() && v != "0")
    })
}

/// Seconds, for people.
fn time_text(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The device of a run, with its name.
pub(in crate::gpu) fn device_text(device: Device, name: &str) -> String {
    format!("{device} ({name})")
}
