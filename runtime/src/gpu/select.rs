//! Which of a loop's modules runs a call: what the user asks for, else what the device, the bins and the
//! items let expect to be fastest.

use std::sync::OnceLock;

use accrue_ptx::abi::{KernelAbi, Module, Placement, Strategy, TargetAbi};
use accrue_ptx::cell::Cell;
use accrue_ptx::plan::{LaunchPlan, Limits, Unsuitable, Wishes, Work};

use crate::Error;
use crate::backend;

/// What was asked for, in the attribute or the environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    /// The strategy.
    pub(crate) strategy: Option<Strategy>,
    /// Its parameters.
    pub(crate) wishes: Wishes,
}

impl Request {
    /// Reads `name[:key=value,..]`; without a name, parameters for whatever is chosen.
    ///
    /// # Errors
    ///
    /// What is wrong and what may be written.
    pub(crate) fn parse(text: &str) -> Result<Request, String> {
        let (name, keys) = text.split_once(':').unwrap_or((text, ""));
        let strategy = match name.trim() {
            "" => None,
            name => Some(Strategy::from_name(name).ok_or_else(|| {
                let names: Vec<_> = Strategy::ALL.iter().map(|s| s.name()).collect();
                format!(
                    "`{name}` is not a strategy of a GPU, those are {}",
                    names.join(", ")
                )
            })?),
        };
        let mut wishes = Wishes::default();
        for pair in keys.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let number = value.trim().parse().ok().filter(|n| *n > 0);
            let number = number
                .ok_or_else(|| format!("`{pair}` is not `key=number` with a number above 0"))?;
            let wish = match key.trim() {
                "locals" => &mut wishes.locals,
                "copies" => &mut wishes.copies,
                "bundle" => &mut wishes.bundle,
                other => {
                    return Err(format!(
                        "`{other}` is not a parameter, those are locals, copies, bundle"
                    ));
                }
            };
            *wish = Some(number);
        }
        Ok(Request { strategy, wishes })
    }

    /// What `ACCRUE_STRATEGY` asks of a GPU; nothing, if it names a strategy of the CPU.
    ///
    /// # Errors
    ///
    /// [`Error::BadSetting`].
    pub(crate) fn of_environment() -> Result<Option<Request>, Error> {
        static SETTING: OnceLock<Result<Option<Request>, Error>> = OnceLock::new();
        SETTING
            .get_or_init(|| {
                let Some(value) = std::env::var_os("ACCRUE_STRATEGY").filter(|v| !v.is_empty())
                else {
                    return Ok(None);
                };
                let text = value.to_string_lossy();
                if text.parse::<crate::cpu::request::Request>().is_ok() {
                    return Ok(None);
                }
                Request::parse(&text)
                    .map(Some)
                    .map_err(|expected| Error::BadSetting {
                        variable: "ACCRUE_STRATEGY",
                        value: text.into_owned(),
                        expected,
                    })
            })
            .clone()
    }
}

/// The limits as the planner wants them.
pub(crate) fn limits(of: &backend::Limits) -> Limits {
    Limits {
        sm: of.capability.0 * 10 + of.capability.1,
        multiprocessors: of.sms,
        threads_per_block: of.threads_per_block,
        threads_per_multiprocessor: of.threads_per_sm,
        blocks_per_multiprocessor: of.blocks_per_sm,
        shared_per_block: of.shared_optin,
        shared_per_multiprocessor: of.shared_per_sm,
        shared_reserved: of.shared_reserved,
    }
}

/// A module and how to launch it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    /// Which of the loop's modules.
    pub(crate) module: usize,
    /// The launch.
    pub(crate) plan: LaunchPlan,
}

/// Chooses.
///
/// # Errors
///
/// [`Error::StrategyNotApplicable`] if what was asked for cannot run, or nothing can.
pub(crate) fn choose(
    function: &str,
    modules: &[Module],
    limits: &Limits,
    work: &Work,
    strategy: Option<Strategy>,
) -> Result<Choice, Error> {
    let plans: Vec<Result<LaunchPlan, Unsuitable>> =
        modules.iter().map(|m| m.abi.plan(limits, work)).collect();
    let possible = |except: Option<Strategy>| -> Vec<String> {
        let mut names = Vec::new();
        for (module, plan) in modules.iter().zip(&plans) {
            let name = module.abi.strategy.name().to_owned();
            if plan.is_ok() && Some(module.abi.strategy) != except && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    if let Some(strategy) = strategy {
        let mut reason = format!("`{function}` has no such kernel");
        for (i, (module, plan)) in modules.iter().zip(&plans).enumerate() {
            if module.abi.strategy == strategy {
                match plan {
                    Ok(plan) => {
                        return Ok(Choice {
                            module: i,
                            plan: plan.clone(),
                        });
                    }
                    Err(why) => reason = why.to_string(),
                }
            }
        }
        return Err(Error::StrategyNotApplicable {
            strategy: strategy.name().to_owned(),
            reason,
            instead: possible(Some(strategy)),
        });
    }
    let best = plans
        .iter()
        .enumerate()
        .filter_map(|(i, plan)| Some((i, plan.as_ref().ok()?)))
        .min_by(|(i, a), (j, b)| {
            let cost = |i: usize, plan| seconds(&modules[i].abi, limits, work, plan);
            cost(*i, a).total_cmp(&cost(*j, b))
        });
    match (best, plans.first()) {
        (Some((module, plan)), _) => Ok(Choice {
            module,
            plan: plan.clone(),
        }),
        (None, Some(Err(why))) => Err(Error::StrategyNotApplicable {
            strategy: modules[0].abi.strategy.name().to_owned(),
            reason: why.to_string(),
            instead: Vec::new(),
        }),
        (None, _) => Err(Error::StrategyNotApplicable {
            strategy: "any".to_owned(),
            reason: format!("`{function}` has no kernels"),
            instead: Vec::new(),
        }),
    }
}

/// What a call is expected to take. The rates are updates a second of one target on an H200 (132 multiprocessors), from
/// the project's measurements of 2026-11-20, each strategy at its worst of uniform, constant and skewed keys, since
/// the keys are not known here; smaller devices scale all of them alike.
fn seconds(abi: &KernelAbi, limits: &Limits, work: &Work, plan: &LaunchPlan) -> f64 {
    const MEMORY: f64 = 2.0e12;
    const LAUNCH: f64 = 3e-6;
    let resident = limits.resident_blocks(plan.block, plan.shared_bytes + abi.static_shared);
    let threads =
        f64::from(resident * plan.block) / f64::from(limits.threads_per_multiprocessor.max(1));
    // Half of the threads hide the latency of the loads; with fewer, the rate falls in proportion.
    let hidden = (threads * 2.0).min(1.0);
    let mut total = 0.0;
    for (target, needs) in abi.targets.iter().zip(&plan.targets) {
        let rate = match target.placement {
            Placement::Register | Placement::Injective => 4.0e12,
            Placement::Strategy(Strategy::GangStriped | Strategy::GangShared) => {
                shared_rate(target, needs.copies) * hidden
            }
            // Every window is a pass over the items.
            Placement::Strategy(Strategy::GangWindow) => {
                1.6 * shared_rate(target, needs.copies) / f64::from(plan.windows.max(2)) * hidden
            }
            Placement::Strategy(Strategy::GangPacked) => {
                7.4e11 / (0.3 + 0.7 * f64::from(plan.windows))
            }
            // Without hot bins to wait for each other, several copies are not much better than one.
            Placement::Strategy(Strategy::GangHot) => 0.9 * shared_rate(target, 2),
            Placement::Strategy(Strategy::GangGlobal) => {
                2.6e10 * (f64::from(needs.locals) / 8.0).clamp(0.1, 1.0)
            }
            Placement::Strategy(Strategy::AtomicGlobal) => 1.4e9,
        };
        total += work.items as f64 / rate;
        // Every gang writes its shared copies out once, and every copy in device memory is read and made neutral again.
        let flushed = match target.placement {
            Placement::Strategy(
                Strategy::GangShared | Strategy::GangStriped | Strategy::GangHot,
            ) => needs.bins as f64 * f64::from(target.accumulator().size()) * f64::from(plan.grid),
            Placement::Strategy(Strategy::GangWindow | Strategy::GangPacked) => {
                let groups = f64::from(plan.grid / plan.windows);
                needs.bins as f64 * f64::from(target.accumulator().size()) * groups
            }
            _ => 0.0,
        };
        total += (2.0 * needs.scratch_bytes as f64 + flushed) / MEMORY;
    }
    total
        + if plan.merges {
            LAUNCH
        } else {
            LAUNCH * (1 + abi.targets.len()) as f64
        }
}

/// Updates a second of copies in shared memory: with one for each lane no update waits for another, with fewer some do,
/// and with one copy equal bins of a warp all do.
fn shared_rate(target: &TargetAbi, copies: u32) -> f64 {
    let accumulator = target.accumulator();
    let atomic = target.op.has_atomic(accumulator);
    let (one_copy, several, one_each) = match target.cell() {
        Cell::Counter => (1.07e12, 1.07e12, 4.0e12),
        Cell::Accumulator if atomic && accumulator.size() == 4 && !accumulator.is_float() => {
            (2.4e11, 1.0e12, 4.0e12)
        }
        Cell::Halves => (1.2e11, 3.5e11, 4.0e11),
        Cell::Fixed32 => (1.0e11, 3.9e11, 4.0e11),
        Cell::Fixed64 => (6.0e10, 2.8e11, 3.6e11),
        Cell::Accumulator => (4.0e9, 8.0e9, 3.0e10),
    };
    match copies {
        32.. => one_each,
        2.. => several,
        _ => one_copy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_parse_and_what_is_wrong_is_named() {
        let request = Request::parse("gang_shared:copies=4,bundle=64").unwrap();
        assert_eq!(request.strategy, Some(Strategy::GangShared));
        assert_eq!(
            (
                request.wishes.copies,
                request.wishes.bundle,
                request.wishes.locals
            ),
            (Some(4), Some(64), None)
        );
        assert_eq!(Request::parse(":locals=8").unwrap().strategy, None);
        assert_eq!(
            Request::parse("gang_global:locals=8")
                .unwrap()
                .wishes
                .locals,
            Some(8)
        );
        for (text, part) in [
            ("gang_sharde", "`gang_sharde` is not a strategy"),
            ("gang_global:locals=0", "`locals=0`"),
            ("gang_global:locals", "`locals`"),
            ("gang_global:lokals=8", "`lokals` is not a parameter"),
        ] {
            let error = Request::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
