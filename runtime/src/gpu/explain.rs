//! What `explain()` and `ACCRUE_EXPLAIN` say of a loop's kernels and their last run.

use std::fmt::Write;
use std::sync::OnceLock;

use accrue_ptx::abi::{Placement, Strategy};
use accrue_ptx::plan::LaunchPlan;

use super::Loop;
use super::prepare::Prepared;
use crate::Device;
use crate::context::lock;

/// What the last call of a loop ran.
#[derive(Clone, Debug)]
pub struct LastRun {
    /// The strategy.
    pub strategy: Strategy,
    /// Which of the loop's modules.
    pub module: usize,
    /// Its launch.
    pub plan: LaunchPlan,
}

impl Loop {
    /// What the last call ran, if there was one.
    pub fn last_run(&self) -> Option<LastRun> {
        let all = lock(&self.prepared);
        let last = all.last()?;
        Some(LastRun {
            strategy: self.modules[last.module].abi.strategy,
            module: last.module,
            plan: last.plan.clone(),
        })
    }

    /// The kernels there are, or why there are none, and the last run.
    pub fn explain(&self) -> String {
        if self.modules.is_empty() {
            return format!("no kernels for GPUs: {}", self.obstacle);
        }
        let mut names: Vec<&str> = self.modules.iter().map(|m| m.abi.strategy.name()).collect();
        names.dedup();
        let mut text = format!("kernels for GPUs: {}", names.join(", "));
        if let Some(last) = lock(&self.prepared).last() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{}", self.describe(last));
        }
        text
    }

    /// With `ACCRUE_EXPLAIN`, says what runs.
    pub(super) fn say(&self, prepared: &Prepared) {
        if explaining() {
            eprintln!("{}: {}", self.function, self.describe(prepared));
        }
    }

    /// A run in a line: the strategy with its numbers, each target's copies, and the sizes.
    fn describe(&self, prepared: &Prepared) -> String {
        let abi = &self.modules[prepared.module].abi;
        let plan = &prepared.plan;
        let mut line = format!(
            "{} on {}, {} gangs of {} threads, {} bytes of shared memory each",
            abi.strategy.name(),
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
                Placement::Strategy(_) => format!("{} copies in device memory", needs.locals),
            };
            let _ = write!(
                line,
                "; {} ({} bins, {}): {copies}",
                target.name,
                needs.bins,
                target.op.name()
            );
        }
        let why = match prepared.asked {
            true => "it was asked for",
            false => "it is expected to be the fastest",
        };
        let _ = write!(line, " ({} items); {why}", prepared.items);
        line
    }
}

/// Whether `ACCRUE_EXPLAIN` is set to something other than 0.
fn explaining() -> bool {
    static SETTING: OnceLock<bool> = OnceLock::new();
    *SETTING.get_or_init(|| {
        std::env::var_os("ACCRUE_EXPLAIN").is_some_and(|v| !v.is_empty() && v != "0")
    })
}

/// The device of a run, with its name.
pub(super) fn device_text(device: Device, name: &str) -> String {
    format!("{device} ({name})")
}
