//! The calls on one stream: their scratch memory, their launches, and what became of them.
//!
//! Scratch memory and the ticket are neutral between calls (see [`accrue_ptx::abi`]), so they are kept and a call
//! in the steady state is one launch, or one and a merge for each target where there are many copies. Each call
//! gets an error record of its own out of a ring; records are read when the stream is settled, all in one copy.

use std::borrow::Cow;
use std::sync::Arc;

use accrue_ptx::abi::{KernelAbi, MergeParam, ParamKind, Strategy};
use accrue_ptx::plan::{Ending, LaunchPlan};
use accrue_ptx::queues::Part;
use accrue_ptx::strategy::steps;

use super::arguments::Arguments;
use super::start::{Sink, launch, launch_auxiliary, launch_behind};
use super::state::{Launches, Pending, RING};
use crate::base::error::Error;
use crate::device::backend::{Step, StreamId};
use crate::device::context::{Context, Work};
use crate::gpu::choose::prepared::Prepared;

impl Launches {
    /// Queues a call.
    ///
    /// # Errors
    ///
    /// The device's. A fault of the loop shows when the stream is settled.
    pub(in crate::gpu) fn enqueue(
        &mut self,
        context: &Context,
        stream: StreamId,
        abi: &KernelAbi,
        prepared: &Prepared,
        mut arguments: Arguments,
        steps: Option<&mut Vec<Step>>,
    ) -> Result<(), Error> {
        if let Some(steps) = steps {
            if self.pending.len() == RING {
                return Err(Error::NotRecorded {
                    reason: format!("a recording has {RING} calls at most"),
                });
            }
            return self.try_enqueue(context, stream, abi, prepared, &mut arguments, Some(steps));
        }
        if self.pending.len() == RING
            && let Err(e) = self.settle(context, stream)
        {
            self.failed = Some(e);
        }
        let mut may_repeat = true;
        loop {
            let done = self.try_enqueue(context, stream, abi, prepared, &mut arguments, None);
            let Err(error) = done else { return Ok(()) };
            // What the stream has kept for other calls may be what this one lacked.
            may_repeat &= self.keeps_memory() && matches!(error, Error::OutOfMemory { .. });
            // What was launched may have left the scratch memory half merged; earlier calls still have their say.
            if let Err(e) = self.settle(context, stream) {
                self.failed = Some(e);
            }
            self.discard(context, stream);
            if !may_repeat {
                return Err(error);
            }
            may_repeat = false;
        }
    }

    fn try_enqueue(
        &mut self,
        context: &Context,
        stream: StreamId,
        abi: &KernelAbi,
        prepared: &Prepared,
        arguments: &mut Arguments,
        steps: Option<&mut Vec<Step>>,
    ) -> Result<(), Error> {
        let backend = &*context.backend;
        let Prepared {
            kernel,
            plan,
            limits,
            ..
        } = prepared;
        let plan = &for_steps(plan, abi, &arguments.counts);
        let block = self.block(context, stream)?;
        let record = self.next_record(context, stream)?;
        let scratch = self.scratch(context, stream, kernel, abi, plan, limits)?;
        let queues = self.queues(context, stream, plan)?;
        let is_recorded = steps.is_some();
        let sink = &mut Sink::to(backend, stream).or_to(steps);

        if let Some(percent) = plan.shared_percent(limits, abi.static_shared) {
            kernel.prefer_shared(backend, percent)?;
        }

        let mut params: Vec<u64> = abi
            .params
            .iter()
            .map(|param| match param.kind {
                ParamKind::Scratch(t) => scratch[t as usize],
                ParamKind::Ticket => block.0,
                ParamKind::Error => record.0,
                ParamKind::Queue(part) => {
                    let part = Part::ALL[part as usize];
                    queues.0 + plan.split.as_ref().map_or(0, |split| split.offset(part))
                }
                ParamKind::States => queues.0,
                kind => plan.value(kind).unwrap_or_else(|| arguments.value(kind)),
            })
            .collect();
        if plan.states > 0 {
            // SAFETY: the memory was taken for this plan's states, and what used it before is queued before.
            unsafe { sink.fill(queues, 0, plan.states)? };
        }
        let overlap = overlap(abi, &arguments.counts, is_recorded);
        match (&plan.split, overlap) {
            (None, Some(overlap)) => {
                let plan = LaunchPlan {
                    grid: overlap.gangs,
                    block: overlap.threads,
                    ..plan.clone().into_owned()
                };
                let [begin_at, end_at] =
                    [ParamKind::Begin, ParamKind::End].map(|kind| position(abi, kind));
                let all = arguments.counts[0];
                let mut begin = 0;
                while begin < all {
                    let end = all.min(begin + u64::from(overlap.steps));
                    begin_at.into_iter().for_each(|at| params[at] = begin);
                    end_at.into_iter().for_each(|at| params[at] = end);
                    launch(sink, kernel, &plan, &params)?;
                    begin = end;
                }
            }
            (None, None) if !is_recorded && self.waits(prepared) => {
                self.keep(prepared, &params);
            }
            (None, None) => {
                let at = position(abi, ParamKind::Merge);
                let endings = plan.ending.launches(abi);
                for &ending in endings {
                    at.into_iter().for_each(|at| params[at] = ending as u64);
                    launch(sink, kernel, plan, &params)?;
                }
                // As whatever tells a fault launches it again.
                at.into_iter().for_each(|at| params[at] = endings[0] as u64);
            }
            (Some(split), _) => {
                let (first, last) = arguments.range();
                let [begin_at, end_at] =
                    [ParamKind::Begin, ParamKind::End].map(|kind| position(abi, kind));
                for (begin, end) in split.slabs(last - first) {
                    begin_at
                        .into_iter()
                        .for_each(|at| params[at] = first + begin);
                    end_at.into_iter().for_each(|at| params[at] = first + end);
                    let tally = queues.offset(split.offset(Part::Tally));
                    // SAFETY: the queues have all parts that the plan has, and this one is as long.
                    unsafe { sink.fill(tally, 0, 4 * u64::from(split.ranges))? };
                    launch(sink, kernel, plan, &params)?;
                    launch_behind(sink, kernel, split, &params)?;
                }
            }
        }

        let mut merges = Vec::new();
        if plan.ending == Ending::Merged {
            for (t, target) in plan
                .targets
                .iter()
                .enumerate()
                .filter(|(_, t)| t.scratch_bytes > 0)
            {
                let params = MergeParam::ALL.map(|p| match p {
                    MergeParam::Bins => arguments.bins[t].0,
                    MergeParam::BinsTotal => target.bins,
                    MergeParam::Scratch => scratch[t],
                    MergeParam::Copies => u64::from(target.locals),
                    MergeParam::Error => record.0,
                });
                let grid = plan.merge_grid(limits, target);
                launch_auxiliary(sink, kernel, kernel.merge[t], grid, &params)?;
                merges.push((kernel.merge[t], params));
            }
        }
        self.pending.push(Pending {
            kernel: Arc::clone(kernel),
            params,
            begin: position(abi, ParamKind::Begin),
            end: position(abi, ParamKind::End),
            block: plan.block,
            shared: plan.shared_bytes,
            merges,
            keep: std::mem::take(&mut arguments.keep),
        });
        Ok(())
    }
}

/// A plan with as many threads as the steps of a call have use for, where it takes steps.
fn for_steps<'a>(plan: &'a LaunchPlan, abi: &KernelAbi, counts: &[u64]) -> Cow<'a, LaunchPlan> {
    match (abi.strategy, counts) {
        (Strategy::Steps, [_, width]) => Cow::Owned(LaunchPlan {
            block: steps::threads(*width, plan.block, abi.items_per_thread),
            ..plan.clone()
        }),
        _ => Cow::Borrowed(plan),
    }
}

/// How the steps of a call overlap, where they do.
fn overlap(abi: &KernelAbi, counts: &[u64], is_recorded: bool) -> Option<steps::Overlap> {
    /// Launches of a call in a recording, at most, which keeps each of them.
    const MOST_RECORDED: u64 = 1 << 10;
    match (abi.strategy, counts) {
        (Strategy::Steps, &[steps, width]) => {
            let overlap = steps::Overlap::of(width, abi.reach)?;
            let launches = steps.div_ceil(overlap.steps.into());
            (!is_recorded || launches <= MOST_RECORDED).then_some(overlap)
        }
        _ => None,
    }
}

/// Where a parameter of the entry is.
fn position(abi: &KernelAbi, kind: ParamKind) -> Option<usize> {
    abi.params.iter().position(|p| p.kind == kind)
}
