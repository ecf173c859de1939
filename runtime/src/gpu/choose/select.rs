//! Which of a loop's modules runs a call: what the user asks for, else what the device, the bins and the
//! items let expect to be fastest.

use std::sync::OnceLock;

use accrue_ptx::abi::{Module, Strategy};
use accrue_ptx::cut::{Cut, CutWish};
use accrue_ptx::plan::{LaunchPlan, Limits, Unsuitable, Wishes, Work};

use crate::base::error::Error;
use crate::device::backend;
use accrue_ptx::cost::{self, Call, Speeds};

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
            if let Some(read) = wishes.cut.read(key.trim(), value.trim()) {
                read?;
                continue;
            }
            let number = value.trim().parse().ok().filter(|n| *n > 0);
            let number = number
                .ok_or_else(|| format!("`{pair}` is not `key=number` with a number above 0"))?;
            let wish = match key.trim() {
                "locals" => &mut wishes.locals,
                "copies" => &mut wishes.copies,
                "bundle" => &mut wishes.bundle,
                "slab" => &mut wishes.slab,
                other => {
                    return Err(format!(
                        "`{other}` is not a parameter, those are locals, copies, bundle, slab, {}",
                        CutWish::KEYS
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
pub struct Candidate {
    /// Which of the loop's modules.
    pub module: usize,
    /// Its strategy.
    pub strategy: Strategy,
    /// How it is cut into blocks, where it is.
    pub cut: Option<Cut>,
    /// What the launch is planned with, beyond what the call is.
    pub wishes: Wishes,
    /// The launch.
    pub plan: LaunchPlan,
    /// What it is expected to take.
    pub seconds: f64,
}

impl Candidate {
    /// The name, with the number of copies where it was chosen, and how it is cut.
    pub(crate) fn name(&self) -> String {
        let (name, tried) = (
            self.strategy.name(),
            self.strategy.template().locals_to_try(),
        );
        if let Some(cut) = &self.cut {
            let [rows, columns, _] = cut.tile;
            return format!("{name} {rows}x{columns}");
        }
        match self.plan.targets.iter().map(|t| t.locals).max() {
            Some(locals) if !tried.is_empty() => format!("{name} l={locals}"),
            _ => name.to_owned(),
        }
    }
}

/// Every way to run a call that this device can, the one that is expected to be fastest first.
pub fn candidates(modules: &[Module], call: &Call, work: &Work, speeds: &Speeds) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    for (module, of) in modules.iter().enumerate() {
        let strategy = of.abi.strategy;
        let mut add = |wishes: Wishes| {
            let work = Work {
                wishes,
                ..work.clone()
            };
            let Ok(plan) = of.abi.plan(&call.limits, &work) else {
                return;
            };
            if all.iter().any(|c| c.module == module && c.plan == plan) {
                return;
            }
            all.push(Candidate {
                module,
                strategy,
                cut: of.abi.cut,
                wishes,
                seconds: cost::seconds(&of.abi, &plan, call, speeds),
                plan,
            });
        };
        add(work.wishes);
        if work.wishes.locals.is_none() {
            for &locals in strategy.template().locals_to_try() {
                add(Wishes {
                    locals: Some(locals),
                    ..work.wishes
                });
            }
        }
    }
    all.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    all
}

/// Why none of the modules runs, or not the one that was asked for.
pub(crate) fn refusal(
    function: &str,
    modules: &[Module],
    limits: &Limits,
    work: &Work,
    strategy: Option<Strategy>,
) -> Error {
    let plans: Vec<Result<LaunchPlan, Unsuitable>> =
        modules.iter().map(|m| m.abi.plan(limits, work)).collect();
    let Some(strategy) = strategy else {
        let (strategy, reason) = match (modules.first(), plans.first()) {
            (Some(module), Some(Err(why))) => (module.abi.strategy.name(), why.to_string()),
            _ => ("any", format!("`{function}` has no kernels")),
        };
        return Error::StrategyNotApplicable {
            strategy: strategy.to_owned(),
            reason,
            instead: Vec::new(),
        };
    };
    let takes = strategy.takes();
    let mut reason = format!("`{function}` has no such kernel: it takes {takes}");
    let mut instead: Vec<String> = Vec::new();
    for (module, plan) in modules.iter().zip(&plans) {
        let name = module.abi.strategy.name();
        match plan {
            Err(why) if module.abi.strategy == strategy => {
                reason = match &module.abi.cut {
                    Some(cut) if !work.wishes.cut.allows(cut) => uncut(function, modules, strategy),
                    _ => why.to_string(),
                }
            }
            Ok(_) if !instead.iter().any(|known| known == name) => instead.push(name.to_owned()),
            _ => {}
        }
    }
    Error::StrategyNotApplicable {
        strategy: strategy.name().to_owned(),
        reason,
        instead,
    }
}

/// How the kernels of a loop are cut, where none is as asked for.
fn uncut(function: &str, modules: &[Module], strategy: Strategy) -> String {
    let ours = modules.iter().filter(|m| m.abi.strategy == strategy);
    let cuts: Vec<_> = ours
        .filter_map(|m| m.abi.cut.map(|c| c.to_string()))
        .collect();
    format!(
        "`{function}` has none with these parameters, it has {}; `#[offload(strategy = \"{}:tile=..\")]` prints another",
        cuts.join(" and "),
        strategy.name()
    )
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
        let cut = Request::parse("contract:tile=16x64,per_thread=4,prefetch=0").unwrap();
        assert_eq!(cut.wishes.cut.tile, Some([16, 64]));
        assert_eq!(cut.wishes.cut.per_thread, Some([1, 4]));
        assert_eq!(cut.wishes.cut.prefetch, Some(false));
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
            (
                "contract:tile=8xx",
                "`tile=8xx` is written `tile=64x128x16`",
            ),
        ] {
            let error = Request::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
