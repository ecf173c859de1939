//! From the size of a call to a loaded kernel and a launch plan, remembered for the next call of the size.
//!
//! A strategy whose kernel is not loaded is not there to be chosen, but for the first call, which loads one, and for
//! whoever asks for it or measures. What would have been chosen is ordered from the [workshop](crate::gpu::load::workshop).

use std::sync::Arc;

use accrue_ptx::abi::{Module, Strategy};
use accrue_ptx::cost::{self, Call};
use accrue_ptx::plan::{LaunchPlan, Limits, Work};

use super::explain;
use super::kept;
use super::offloaded::Loop;
use super::prepared::{Offer, Prepared, Size, is_short};
use super::select::{self, Candidate, Request};
use super::tune::{self, Shape, Tuning};
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::context::Context;
use crate::gpu::load::kernel::Kernel;
use crate::gpu::load::workshop::Order;

/// Sizes that a loop remembers.
const REMEMBERED: usize = 8;

/// Seconds, about those of a compilation: a call that is expected to take so much longer by what is loaded than by
/// what is not waits for that.
const WORTH_WAITING: f64 = 0.1;

/// What a call runs, and what it would rather.
type AtHand = (Candidate, Option<Arc<Order>>);

impl Loop {
    /// Chooses a module for a call of this size, loads it, and plans the launch. `without` are modules that there is no
    /// memory for. Where the chosen one cannot be compiled or launched, the next best is taken.
    pub(in crate::gpu) fn prepare(
        &self,
        context: &Arc<Context>,
        size: Size,
        bins: impl Iterator<Item = u64> + Clone,
        without: &[usize],
    ) -> Result<Arc<Prepared>, Error> {
        let request = self.request()?;
        let items = size.items;
        let keys = cost::class(size.sample.as_ref());
        // A call that runs beside the calibration is chosen for by the shipped speeds, later ones are not.
        let calibrated = kept::of(context).speeds.get().is_some();
        let remembered = lock(&self.prepared).iter().rev().find_map(|p| {
            let same = p.context == context.id && p.items == items && p.request == request;
            let same = same && p.calibrated == calibrated;
            let same = same && p.without == *without && p.keys == keys;
            let same = same && p.trial.is_none() && !p.is_over();
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
        let call = Call {
            limits,
            items,
            outer: size.outer,
            item_bytes: size.item_bytes,
            sample: size.sample,
        };
        let mut candidates = select::candidates(&self.modules, &call, &work, kept::speeds(context));
        // A strategy for bins says nothing of a loop without any, nor one for other loops without.
        let is_asked = |strategy| {
            let of_bins = |m: &Module| Strategy::OF_BINS.contains(&m.abi.strategy);
            let has_it = |m: &Module| m.abi.strategy == strategy;
            self.modules.iter().any(|m| of_bins(m) || has_it(m))
        };
        if let Some(strategy) = request.strategy.filter(|s| is_asked(*s)) {
            candidates.retain(|c| c.strategy == strategy);
        }
        candidates.retain(|c| !without.contains(&c.module));
        let at_once = tune::wanted() || request.strategy.is_some();
        let mut failure = None;
        let (chosen, awaits, trial, offers, kernel, plan) = loop {
            let (chosen, trial, offers) = self.pick(context, &request, &work, keys, &candidates);
            let Some(chosen) = candidates.get(chosen).cloned() else {
                let (function, modules) = (&self.function, &self.modules);
                let refusal =
                    || select::refusal(function, modules, &limits, &work, request.strategy);
                return Err(failure.unwrap_or_else(refusal));
            };
            let (chosen, awaits) = match at_once {
                true => (chosen, None),
                false => match self.at_hand(context, chosen, &candidates) {
                    Ok(at_hand) => at_hand,
                    Err((module, e)) => {
                        candidates.retain(|c| c.module != module);
                        failure.get_or_insert(e);
                        continue;
                    }
                },
            };
            match self.ready(context, &limits, &mut work, &chosen) {
                Ok((kernel, plan)) => break (chosen, awaits, trial, offers, kernel, plan),
                Err(e) if context.backend.is_lost() => return Err(e),
                Err(e) => {
                    if let Some(shape) = &trial {
                        self.give_up(shape, chosen.module, chosen.wishes.locals);
                    }
                    candidates.retain(|c| c.module != chosen.module);
                    failure.get_or_insert(e);
                }
            }
        };
        let prepared = Arc::new(Prepared {
            context: context.id,
            items,
            bins: work.bins,
            keys,
            calibrated,
            asked: request.strategy.is_some(),
            device: explain::device_text(context.backend.device(), &context.backend.limits().name),
            request,
            without: without.to_vec(),
            module: chosen.module,
            locals: chosen.wishes.locals,
            kernel,
            plan,
            limits,
            predicted: chosen.seconds,
            offers,
            is_short: trial.is_none()
                && is_short(&self.modules[chosen.module].abi, items, self.cost),
            trial,
            awaits,
        });
        let mut all = lock(&self.prepared);
        all.retain(|p| !p.is_over());
        if all.len() == REMEMBERED {
            all.remove(0);
        }
        all.push(Arc::clone(&prepared));
        drop(all);
        self.say(&prepared);
        Ok(prepared)
    }

    /// What runs of these candidates without waiting for a compilation, if `best` is the one that should: that, if it is
    /// loaded, or the next best that is, and the best one's order. A first call has none and loads the best.
    ///
    /// # Errors
    ///
    /// Why a module of them does not load, if that has turned out since.
    fn at_hand(
        &self,
        context: &Arc<Context>,
        best: Candidate,
        candidates: &[Candidate],
    ) -> Result<AtHand, (usize, Error)> {
        let mut next = None;
        for candidate in candidates {
            let order = self.stocked(context, candidate.module);
            match order.as_deref().and_then(Order::done) {
                Some(Ok(_)) => {
                    next = Some(candidate);
                    break;
                }
                Some(Err(e)) => return Err((candidate.module, e.clone())),
                None => {}
            }
        }
        let worth_it = |next: &&Candidate| next.seconds < best.seconds + WORTH_WAITING;
        let Some(next) = next.filter(worth_it) else {
            return Ok((best, None));
        };
        if next.module == best.module {
            return Ok((next.clone(), None));
        }
        let order = self.order(context, best.module);
        match order.done() {
            Some(Ok(_)) => Ok((best, None)),
            Some(Err(e)) => Err((best.module, e.clone())),
            None => Ok((next.clone(), Some(order))),
        }
    }

    /// Loads a candidate's kernel and plans its launch, now that it is known how much of it a multiprocessor holds.
    fn ready(
        &self,
        context: &Context,
        limits: &Limits,
        work: &mut Work,
        chosen: &Candidate,
    ) -> Result<(Arc<Kernel>, LaunchPlan), Error> {
        let module = &self.modules[chosen.module];
        let kernel = self.load_now(context, chosen.module)?;
        let resident = kernel.resident(context, chosen.plan.block, chosen.plan.shared_bytes)?;
        if resident == 0 {
            return Err(Error::Launch {
                kernel: kernel.name.to_string(),
                status: format!(
                    "a multiprocessor has not the registers or the memory for {} threads of it",
                    chosen.plan.block
                ),
            });
        }
        let asked = std::mem::replace(&mut work.wishes, chosen.wishes);
        work.wishes.resident = Some(resident);
        let plan = module.abi.plan(limits, work);
        work.wishes = asked;
        let plan = plan.map_err(|why| Error::StrategyNotApplicable {
            strategy: module.abi.strategy.name().to_owned(),
            reason: why.to_string(),
            instead: Vec::new(),
        })?;
        Ok((kernel, plan))
    }

    /// Picks a candidate: the first, or under `ACCRUE_TUNE` whose turn it is to be timed, or what was measured to be the
    /// fastest.
    fn pick(
        &self,
        context: &Context,
        request: &Request,
        work: &Work,
        keys: cost::Class,
        candidates: &[Candidate],
    ) -> (usize, Option<Shape>, Vec<Offer>) {
        let offer = |c: &Candidate, measured| Offer {
            name: c.name(),
            predicted: c.seconds,
            measured,
        };
        if !tune::wanted() || request.strategy.is_some() {
            let offers = candidates.iter().map(|c| offer(c, None)).collect();
            return (0, None, offers);
        }
        let shape = Shape::new(context.id, work.items, work.bins.clone(), keys);
        let mut all = lock(&self.tunings);
        let at = all.iter().position(|tuning| tuning.shape == shape);
        let at = at.unwrap_or_else(|| {
            all.push(Tuning::new(
                context,
                &self.function,
                &self.modules,
                shape.clone(),
                candidates,
            ));
            all.len() - 1
        });
        let offers = candidates
            .iter()
            .map(|c| offer(c, all[at].measured(c)))
            .collect();
        match all[at].next(candidates) {
            Some((chosen, timed)) => (chosen, timed.then_some(shape), offers),
            None => (0, None, offers),
        }
    }

    /// Notes what a timed call took.
    pub(in crate::gpu) fn note(&self, context: &Context, prepared: &Prepared, seconds: f64) {
        let mut all = lock(&self.tunings);
        let shape = prepared.trial.as_ref();
        if let Some(tuning) = all.iter_mut().find(|t| Some(&t.shape) == shape) {
            tuning.note(context, prepared.module, prepared.locals, seconds);
        }
    }

    /// Gives a candidate up that failed when it was to be timed.
    pub(in crate::gpu) fn give_up(&self, shape: &Shape, module: usize, locals: Option<u32>) {
        let mut all = lock(&self.tunings);
        if let Some(tuning) = all.iter_mut().find(|t| t.shape == *shape) {
            tuning.give_up(module, locals);
        }
    }
}
