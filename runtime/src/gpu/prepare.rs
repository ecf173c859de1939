//! From the size of a call to a loaded kernel and a launch plan, remembered for the next call of the size.

use std::sync::Arc;

use accrue_ptx::plan::{LaunchPlan, Limits, Work};

use super::kernel::Kernel;
use super::select::{self, Request};
use super::{Loop, explain};
use crate::Error;
use crate::context::{Context, lock};

/// Sizes that a loop remembers.
const REMEMBERED: usize = 8;

/// Everything about a call but its data.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The context's number.
    context: u64,
    /// Iterations.
    pub(super) items: u64,
    /// Scalars of each target's bins.
    bins: Vec<u64>,
    /// What was asked for.
    request: Request,
    /// Whether that named the strategy.
    pub(super) asked: bool,
    /// The device, for people.
    pub(super) device: String,
    /// Which of the loop's modules.
    pub(super) module: usize,
    /// It, loaded.
    pub(super) kernel: Arc<Kernel>,
    /// How to launch it.
    pub(super) plan: LaunchPlan,
    /// The device's limits.
    pub(super) limits: Limits,
}

impl Loop {
    /// Chooses a module for a call of this size, loads it, and plans the launch.
    pub(super) fn prepare(
        &self,
        context: &Context,
        items: u64,
        bins: impl Iterator<Item = u64> + Clone,
    ) -> Result<Arc<Prepared>, Error> {
        let request = self.request()?;
        let remembered = lock(&self.prepared).iter().find_map(|p| {
            let same = p.context == context.id && p.items == items && p.request == request;
            (same && p.bins.iter().copied().eq(bins.clone())).then(|| Arc::clone(p))
        });
        if let Some(prepared) = remembered {
            return Ok(prepared);
        }
        let limits = select::limits(context.backend.limits());
        let mut work = Work {
            items,
            bins: bins.collect(),
            wishes: request.wishes,
        };
        let choice = select::choose(
            &self.function,
            &self.modules,
            &limits,
            &work,
            request.strategy,
        )?;
        let module = &self.modules[choice.module];
        let abi = &module.abi;
        let kernel = match self.loaded(context, choice.module) {
            Some(kernel) => kernel,
            None => context.kernel(module)?,
        };
        let resident = kernel.resident(context, choice.plan.block, choice.plan.shared_bytes)?;
        work.wishes.resident = Some(resident);
        let plan = abi
            .plan(&limits, &work)
            .map_err(|why| Error::StrategyNotApplicable {
                strategy: abi.strategy.name().to_owned(),
                reason: why.to_string(),
                instead: Vec::new(),
            })?;
        let prepared = Arc::new(Prepared {
            context: context.id,
            items,
            bins: work.bins,
            asked: request.strategy.is_some(),
            device: explain::device_text(context.backend.device(), &context.backend.limits().name),
            request,
            module: choice.module,
            kernel,
            plan,
            limits,
        });
        let mut all = lock(&self.prepared);
        if all.len() == REMEMBERED {
            all.remove(0);
        }
        all.push(Arc::clone(&prepared));
        drop(all);
        self.say(&prepared);
        Ok(prepared)
    }

    /// A module's kernel, if a call before has loaded it: finding it in the context takes a pass over its text.
    fn loaded(&self, context: &Context, module: usize) -> Option<Arc<Kernel>> {
        let all = lock(&self.prepared);
        let same = all
            .iter()
            .find(|p| p.context == context.id && p.module == module)?;
        Some(Arc::clone(&same.kernel))
    }
}
