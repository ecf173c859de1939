//! `ACCRUE_TUNE=1`: the first calls of a shape measure the candidates, each call one of them, and what was measured decides
//! from then on, in this process and, through the cache on disk, in later ones.
//!
//! A measured call does the caller's work like any other, by another strategy; only waiting for it costs time. Each
//! candidate has its turns one after the other with the rest, so that a device that speeds up or slows down favours none,
//! and the best of its times counts. One that fails is given up, for as long as the process runs.

use std::sync::OnceLock;

use accrue_ptx::abi::{Module, Strategy};

use super::select::Candidate;
use crate::device::context::Context;
use crate::device::images::{ImageCache, Key};
use accrue_ptx::cost;

/// Calls that measure each candidate.
const TURNS: usize = 3;

/// Candidates that are expected to take so many times the best are left out.
const HOPELESS: f64 = 10.0;

/// Whether `ACCRUE_TUNE` is set to something other than 0.
pub(in crate::gpu) fn wanted() -> bool {
    #[cfg(test)]
    if FORCED.get() {
        return true;
    }
    static SETTING: OnceLock<bool> = OnceLock::new();
    *SETTING
        .get_or_init(|| std::env::var_os("ACCRUE_TUNE").is_some_and(|v| !v.is_empty() && v != "0"))
}

#[cfg(test)]
thread_local! {
    /// Has this thread's calls measure, whatever the environment says.
    pub(in crate::gpu) static FORCED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// What calls have in common that share their measurements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::gpu) struct Shape {
    /// The context's number.
    context: u64,
    /// The power of two at or below the number of items.
    log_items: u32,
    bins: Vec<u64>,
    /// What the keys are like, coarsely.
    keys: cost::Class,
}

impl Shape {
    pub(in crate::gpu) fn new(
        context: u64,
        items: u64,
        bins: Vec<u64>,
        keys: cost::Class,
    ) -> Shape {
        Shape {
            context,
            log_items: items.max(1).ilog2(),
            bins,
            keys,
        }
    }
}

/// A shape's candidates and their times.
#[derive(Debug)]
pub(in crate::gpu) struct Tuning {
    pub(in crate::gpu) shape: Shape,
    /// Where the times are kept on disk.
    key: Option<Key>,
    runs: Vec<Run>,
}

#[derive(Debug)]
struct Run {
    module: usize,
    strategy: Strategy,
    locals: Option<u32>,
    /// Seconds of each turn.
    times: Vec<f64>,
}

impl Run {
    fn is_of(&self, candidate: &Candidate) -> bool {
        (self.module, self.locals) == (candidate.module, candidate.wishes.locals)
    }

    fn best(&self) -> Option<f64> {
        self.times.iter().copied().min_by(f64::total_cmp)
    }
}

impl Tuning {
    /// A shape's, with the times that are on disk.
    pub(in crate::gpu) fn new(
        context: &Context,
        function: &str,
        modules: &[Module],
        shape: Shape,
        candidates: &[Candidate],
    ) -> Tuning {
        let best = candidates.first().map_or(0.0, |c| c.seconds);
        let worth = candidates
            .iter()
            .filter(|c| c.seconds <= HOPELESS * best)
            .map(|c| Run {
                module: c.module,
                strategy: c.strategy,
                locals: c.wishes.locals,
                times: Vec::new(),
            });
        let mut tuning = Tuning {
            key: key(context, function, modules, &shape),
            shape,
            runs: worth.collect(),
        };
        if let Some((images, key)) = tuning.place(context)
            && let Some(bytes) = images.get(key)
        {
            tuning.read(&String::from_utf8_lossy(&bytes));
        }
        tuning
    }

    fn place<'a>(&self, context: &'a Context) -> Option<(&'a ImageCache, Key)> {
        context.images.as_ref().zip(self.key)
    }

    /// The candidate of the next call, and whether the call is to be timed. Only those of this call are considered.
    pub(in crate::gpu) fn next(&self, candidates: &[Candidate]) -> Option<(usize, bool)> {
        let here = self.runs.iter().filter_map(|run| {
            let at = candidates.iter().position(|c| run.is_of(c))?;
            Some((at, run))
        });
        let due = here.clone().filter(|(_, run)| run.times.len() < TURNS);
        if let Some((at, _)) = due.min_by_key(|(_, run)| run.times.len()) {
            return Some((at, true));
        }
        let timed = here.filter_map(|(at, run)| Some((at, run.best()?)));
        let (fastest, seconds) = timed.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        seconds.is_finite().then_some((fastest, false))
    }

    /// What a candidate took, if it has been measured.
    pub(in crate::gpu) fn measured(&self, candidate: &Candidate) -> Option<f64> {
        let run = self.runs.iter().find(|run| run.is_of(candidate))?;
        run.best().filter(|seconds| seconds.is_finite())
    }

    /// Gives a candidate up that has failed: all its turns have been had.
    pub(in crate::gpu) fn give_up(&mut self, module: usize, locals: Option<u32>) {
        let same = |run: &&mut Run| (run.module, run.locals) == (module, locals);
        if let Some(run) = self.runs.iter_mut().find(same) {
            run.times = vec![f64::INFINITY; TURNS];
        }
    }

    /// Notes a time. A candidate's last is written to disk, with those of the others that have had theirs.
    pub(in crate::gpu) fn note(
        &mut self,
        context: &Context,
        module: usize,
        locals: Option<u32>,
        seconds: f64,
    ) {
        let same = |run: &&mut Run| (run.module, run.locals) == (module, locals);
        let Some(run) = self.runs.iter_mut().find(same) else {
            return;
        };
        run.times.push(seconds);
        if run.times.len() >= TURNS
            && let Some((images, key)) = self.place(context)
        {
            images.put(key, self.write().as_bytes());
        }
    }

    /// A line for each candidate that has had its turns: module, strategy, copies (0 where the planner decides), seconds.
    /// What has failed is left to the next process to try.
    fn write(&self) -> String {
        let done = self.runs.iter().filter(|run| run.times.len() >= TURNS);
        let lines = done.filter_map(|run| {
            let seconds = run.best().filter(|seconds| seconds.is_finite())?;
            Some(format!(
                "{} {} {} {seconds:e}\n",
                run.module,
                run.strategy.name(),
                run.locals.unwrap_or(0),
            ))
        });
        lines.collect()
    }

    /// Takes over what was written. Candidates of another version are left to be measured.
    fn read(&mut self, text: &str) {
        for line in text.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let [module, strategy, locals, seconds] = fields[..] else {
                continue;
            };
            let (Ok(module), Ok(locals), Ok(seconds)) = (
                module.parse::<usize>(),
                locals.parse::<u32>(),
                seconds.parse::<f64>(),
            ) else {
                continue;
            };
            let run = self.runs.iter_mut().find(|run| {
                run.module == module
                    && run.strategy.name() == strategy
                    && run.locals.unwrap_or(0) == locals
            });
            if let Some(run) = run.filter(|_| seconds.is_finite()) {
                run.times = vec![seconds; TURNS];
            }
        }
    }
}

/// The name of a shape's times on disk: the kernels' text, the device with its driver, and what the shape is; none where
/// kernels are not kept either.
fn key(context: &Context, function: &str, modules: &[Module], shape: &Shape) -> Option<Key> {
    let target = context.backend.image_target()?;
    let limits = context.backend.limits();
    let what = format!(
        "tuning of {function} on {} {target}: {} {:?} {:?}",
        limits.name, shape.log_items, shape.bins, shape.keys
    );
    let mut parts = vec![what.as_bytes()];
    parts.extend(modules.iter().flat_map(Module::identity));
    Some(Key::of(&parts))
}

#[cfg(test)]
mod tests {
    use accrue_ptx::plan::{LaunchPlan, Wishes};

    use super::*;

    fn candidate(module: usize, strategy: Strategy, locals: Option<u32>) -> Candidate {
        Candidate {
            module,
            strategy,
            cut: None,
            wishes: Wishes {
                locals,
                ..Wishes::default()
            },
            plan: LaunchPlan::default(),
            seconds: 1.0 + module as f64,
        }
    }

    fn tuning(candidates: &[Candidate]) -> Tuning {
        let run = |c: &Candidate| Run {
            module: c.module,
            strategy: c.strategy,
            locals: c.wishes.locals,
            times: Vec::new(),
        };
        Tuning {
            shape: Shape::new(1, 1000, vec![256], [0; 3]),
            key: None,
            runs: candidates.iter().map(run).collect(),
        }
    }

    fn time(tuning: &mut Tuning, candidate: &Candidate, seconds: f64) {
        let run = tuning.runs.iter_mut().find(|run| run.is_of(candidate));
        run.unwrap().times.push(seconds);
    }

    #[test]
    fn candidates_take_turns_and_the_fastest_stays() {
        let all = [
            candidate(0, Strategy::AtomicGlobal, None),
            candidate(1, Strategy::GangGlobal, None),
            candidate(1, Strategy::GangGlobal, Some(8)),
        ];
        let mut tuning = tuning(&all);
        let mut order = Vec::new();
        while let Some((at, true)) = tuning.next(&all) {
            // The second is disturbed once, and the fastest nonetheless.
            let seconds = [3.0, if order.len() < 3 { 9.0 } else { 1.0 }, 2.0][at];
            time(&mut tuning, &all[at], seconds);
            order.push(at);
        }
        assert_eq!(order, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
        assert_eq!(tuning.next(&all), Some((1, false)));
        assert_eq!(tuning.measured(&all[1]), Some(1.0));
    }

    #[test]
    fn what_has_failed_and_what_is_not_there_has_no_turns() {
        let all = [
            candidate(0, Strategy::AtomicGlobal, None),
            candidate(1, Strategy::GangGlobal, None),
            candidate(2, Strategy::GangShared, None),
        ];
        let mut tuning = tuning(&all);
        tuning.give_up(0, None);
        assert_eq!(tuning.next(&all), Some((1, true)));
        // The second is left out of this call.
        let less = [all[0].clone(), all[2].clone()];
        assert_eq!(tuning.next(&less), Some((1, true)));
        for _ in 0..TURNS {
            time(&mut tuning, &all[1], 2.0);
            time(&mut tuning, &all[2], 3.0);
        }
        assert_eq!(tuning.next(&all), Some((1, false)));
        assert_eq!(tuning.next(&less), Some((1, false)));
        assert_eq!(tuning.measured(&all[0]), None);
        assert_eq!(tuning.next(&all[..1]), None);
    }

    #[test]
    fn times_are_read_as_they_were_written_and_other_lines_are_ignored() {
        let all = [
            candidate(0, Strategy::AtomicGlobal, None),
            candidate(1, Strategy::GangGlobal, Some(8)),
            candidate(2, Strategy::GangWindow, None),
            candidate(3, Strategy::GangPacked, None),
        ];
        let mut written = tuning(&all);
        for turn in 0..TURNS {
            time(&mut written, &all[0], 2.5e-6 + turn as f64);
            time(&mut written, &all[1], 1.25e-6 + turn as f64);
        }
        // One that has not had all its turns, and one that has failed.
        time(&mut written, &all[2], 1e-7);
        written.give_up(3, None);
        assert_eq!(written.write().lines().count(), 2);
        let text = format!("{}7 gang_else 0 1e-9\n0 nonsense\n", written.write());
        let mut read = tuning(&all);
        read.read(&text);
        assert_eq!(read.measured(&all[0]), Some(2.5e-6));
        assert_eq!(read.measured(&all[1]), Some(1.25e-6));
        assert_eq!(read.next(&all[..2]), Some((1, false)));
        assert_eq!(read.next(&all), Some((2, true)));
        // A candidate that the text does not know is measured.
        let more = [candidate(2, Strategy::GangShared, None)];
        let mut other = tuning(&more);
        other.read(&text);
        assert_eq!(other.next(&more), Some((0, true)));
    }
}
