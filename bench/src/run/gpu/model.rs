//! The runtime's cost model beside what was measured: how good its choices are, and constants that make them better.

use std::collections::HashMap;

use accrue::__bench::{Candidate, candidates};
use accrue_ptx::abi::{Module, Strategy};
use accrue_ptx::cost::{self, Call, Speeds};
use accrue_ptx::plan::{LaunchPlan, Limits, Wishes, Work};
use anyhow::ensure;
use rayon::prelude::*;

use super::Report;
use super::cell::Measured;
use super::grid::{self, Cell};
use crate::check::kernel;
use crate::data::Random;

/// What short launches differ by from one run to the next, in microseconds.
const JITTER: f64 = 1.5;

/// A measured cell with its loop's kernels.
struct Known<'a> {
    name: &'a str,
    modules: &'a [Module],
    call: Call,
    work: Work,
    /// The best time of all strategies, in seconds.
    best: f64,
    ways: Vec<Timed>,
}

/// A way that was measured.
struct Timed {
    module: usize,
    strategy: Strategy,
    plan: LaunchPlan,
    seconds: f64,
}

/// How good the choices are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    /// Cells.
    pub(crate) cells: usize,
    /// Cells in which the choice is within 10 % of the best strategy, or 1.5 µs.
    pub(crate) near: usize,
    /// The choices that are not, with how many times the best they take, the worst first.
    pub(crate) off: Vec<(String, f64)>,
    /// The mean of the squared logarithms of predicted over measured times, of ways worth choosing.
    error: f64,
}

/// The measured cells of a run.
pub(crate) struct Model<'a> {
    loops: HashMap<String, kernel::Compiled>,
    cells: Vec<(Cell, &'a Measured)>,
    limits: Limits,
}

impl<'a> Model<'a> {
    /// Compiles the loops of measured cells.
    ///
    /// # Errors
    ///
    /// A cell that does not exist.
    pub(crate) fn new(report: &'a Report, limits: Limits) -> anyhow::Result<Model<'a>> {
        let mut cells = Vec::new();
        let mut loops = HashMap::new();
        for one in &report.cells {
            let named = grid::cells(&one.cell)?;
            ensure!(
                named.len() == 1,
                "`{}` is not the name of one cell",
                one.cell
            );
            let text = named[0].text();
            if !loops.contains_key(&text) {
                loops.insert(text.clone(), kernel::compile(&text, &[])?);
            }
            cells.push((named[0], one));
        }
        Ok(Model {
            loops,
            cells,
            limits,
        })
    }

    /// The cells as the choice sees them: with the sample of their keys, or without one.
    fn known(&self, sampled: bool) -> Vec<Known<'_>> {
        let mut all = Vec::new();
        for (cell, measured) in &self.cells {
            let modules = self.loops[&cell.text()].modules();
            let work = Work {
                items: cell.items() as u64,
                bins: vec![cell.bins as u64],
                wishes: Wishes::default(),
            };
            let call = Call {
                limits: self.limits,
                items: work.items,
                outer: work.items,
                item_bytes: cell.bytes() as f64,
                sample: sampled.then(|| measured.sample.into()),
            };
            let mut ways = Vec::new();
            for way in measured.ways.iter().filter(|way| !way.peer && !way.wrong) {
                let (name, locals) = match way.way.split_once(" l=") {
                    Some((name, locals)) => (name, locals.parse().ok()),
                    None => (way.way.as_str(), None),
                };
                let (Some(us), Some(strategy)) = (way.us, Strategy::from_name(name)) else {
                    continue;
                };
                let work = Work {
                    wishes: Wishes {
                        locals,
                        ..Wishes::default()
                    },
                    ..work.clone()
                };
                let module = modules.iter().position(|m| m.abi.strategy == strategy);
                let Some(module) = module else { continue };
                if let Ok(plan) = modules[module].abi.plan(&self.limits, &work) {
                    ways.push(Timed {
                        module,
                        strategy,
                        plan,
                        seconds: us * 1e-6,
                    });
                }
            }
            if let Some(best) = ways.iter().map(|way| way.seconds).min_by(f64::total_cmp) {
                all.push(Known {
                    name: &measured.cell,
                    modules,
                    call,
                    work,
                    best,
                    ways,
                });
            }
        }
        all
    }

    /// How good the choices are with these constants, with a sample of the keys or without one.
    pub(crate) fn score(&self, speeds: &Speeds, sampled: bool) -> Score {
        score(&self.known(sampled), speeds)
    }

    /// Constants that choose well, from these on: each in turn is made larger and smaller as long as that helps. Where that
    /// helps no more, a few at a time may.
    pub(crate) fn fit(&self, from: &Speeds) -> Speeds {
        const TRIALS: usize = 40_000;
        let mut known = self.known(true);
        known.extend(self.known(false));
        let mut best = Fit {
            from,
            loss: loss(&known, from),
            speeds: from.clone(),
        };
        best.descend(&known, &[1.5, 1.2, 1.5, 1.2, 1.07, 1.02]);
        let mut random = Random::new(1);
        let constants = best.speeds.constants().len() as u64;
        for trial in 0..TRIALS {
            let mut tried = best.speeds.clone();
            // Large steps first.
            let most = 1.2 * (1.0 - trial as f64 / TRIALS as f64) + 0.05;
            for _ in 0..1 + random.below(4) {
                let step = (random.below(2001) as f64 / 1000.0 - 1.0) * most;
                *tried.constants_mut()[random.below(constants) as usize] *= step.exp();
            }
            best.take(&known, tried);
        }
        best.descend(&known, &[1.2, 1.07, 1.02]);
        best.speeds
    }
}

/// What it costs a constant to be changed by a factor of e: those that no figure speaks of stay as they are.
const PULL: f64 = 2e-4;

/// The best constants so far.
struct Fit<'a> {
    from: &'a Speeds,
    speeds: Speeds,
    loss: f64,
}

impl Fit<'_> {
    /// Takes others if they are better; whether they are.
    fn take(&mut self, known: &[Known<'_>], tried: Speeds) -> bool {
        let from = self.from.constants().into_iter().zip(tried.constants());
        let changed: f64 = from.map(|(a, b)| (b.1 / a.1).ln().powi(2)).sum();
        let loss = loss(known, &tried) + PULL * changed;
        let better = loss < self.loss;
        if better {
            (self.speeds, self.loss) = (tried, loss);
        }
        better
    }

    /// Makes each constant larger and smaller by these factors as long as that helps.
    fn descend(&mut self, known: &[Known<'_>], factors: &[f64]) {
        for factor in factors {
            for _ in 0..40 {
                let before = self.loss;
                for at in 0..self.speeds.constants().len() {
                    for step in [*factor, 1.0 / factor] {
                        let mut tried = self.speeds.clone();
                        *tried.constants_mut()[at] *= step;
                        if self.take(known, tried) {
                            break;
                        }
                    }
                }
                if self.loss > 0.999 * before {
                    break;
                }
            }
        }
    }
}

/// What [`Model::fit`] makes small: the error of the predictions, and above all what wrong choices cost.
fn loss(known: &[Known<'_>], speeds: &Speeds) -> f64 {
    // Added up in one order, whoever computes them.
    let each: Vec<[f64; 3]> = known.par_iter().map(|cell| loss_of(cell, speeds)).collect();
    let sum = |at: usize| each.iter().map(|of| of[at]).sum::<f64>();
    let n = known.len().max(1) as f64;
    sum(0) / sum(1).max(1e-9) + 8.0 * sum(2) / n
}

/// A cell's error, its weight, and what its choice costs.
fn loss_of(cell: &Known<'_>, speeds: &Speeds) -> [f64; 3] {
    let (mut error, mut weight) = (0.0, 0.0);
    let mut chosen = (f64::INFINITY, 0.0);
    for way in &cell.ways {
        let predicted = predicted(cell, way, speeds);
        // Without a sample no prediction can be right for all keys; the choice can be good for most.
        let w = match cell.call.sample {
            Some(_) => worth(way, cell),
            None => 0.0,
        };
        error += w * (predicted / way.seconds).ln().powi(2);
        weight += w;
        if predicted < chosen.0 {
            chosen = (predicted, way.seconds);
        }
    }
    let times = (chosen.1 / (cell.best + JITTER * 1e-6)).ln();
    let mut regret = (times - 0.05).clamp(0.0, 2.0);
    // Beyond 1.4 times the best every cell counts as much as many that are a little off.
    regret += 20.0 * (times - 1.4f64.ln()).max(0.0);
    [error, weight, regret]
}

/// How much a way's prediction counts: little where it is far from the best.
fn worth(way: &Timed, cell: &Known<'_>) -> f64 {
    (cell.best / way.seconds).powi(2)
}

fn predicted(cell: &Known<'_>, way: &Timed, speeds: &Speeds) -> f64 {
    cost::seconds(&cell.modules[way.module].abi, &way.plan, &cell.call, speeds)
}

fn score(known: &[Known<'_>], speeds: &Speeds) -> Score {
    let mut score = Score::default();
    let (mut error, mut weight) = (0.0, 0.0);
    for cell in known {
        for way in &cell.ways {
            let w = worth(way, cell);
            error += w * (predicted(cell, way, speeds) / way.seconds).ln().powi(2);
            weight += w;
        }
        let offered = candidates(cell.modules, &cell.call, &cell.work, speeds);
        let Some(seconds) = offered.first().and_then(|c| measured(cell, c)) else {
            continue;
        };
        score.cells += 1;
        if seconds <= (1.1 * cell.best).max(cell.best + JITTER * 1e-6) {
            score.near += 1;
        } else {
            score.off.push((
                format!("{} by {}", cell.name, offered[0].strategy.name()),
                seconds / cell.best,
            ));
        }
    }
    score.error = (error / weight.max(1e-9)).sqrt();
    score.off.sort_by(|a, b| b.1.total_cmp(&a.1));
    score
}

/// What a candidate took when it was measured: the same plan, or the same strategy with the nearest number of copies.
fn measured(cell: &Known<'_>, candidate: &Candidate) -> Option<f64> {
    let copies = |plan: &LaunchPlan| f64::from(plan.targets[0].locals.max(1)).ln();
    let same = cell
        .ways
        .iter()
        .filter(|way| way.strategy == candidate.strategy);
    let off = |way: &&Timed| (copies(&way.plan) - copies(&candidate.plan)).abs();
    same.min_by(|a, b| off(a).total_cmp(&off(b)))
        .map(|way| way.seconds)
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "the choice is within 10 % of the best strategy, or {JITTER} us, in {} of {} cells ({:.1} %); predictions are \
             off by a factor of {:.2} typically",
            self.near,
            self.cells,
            100.0 * self.near as f64 / self.cells.max(1) as f64,
            self.error.exp()
        )?;
        for (name, ratio) in self.off.iter().take(40) {
            writeln!(f, "  {name}: {ratio:.2} times the best")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shipped constants against the cells that they were fitted to: a test of the model, not of any machine.
    #[test]
    fn the_choice_is_right_in_the_measured_cells() {
        let text = include_str!("../../../measured/h200.json");
        let report: Report = serde_json::from_str(text).unwrap();
        let model = Model::new(&report, Limits::H200).unwrap();
        let score = model.score(&Speeds::H200, true);
        assert!(score.cells >= 300, "{} cells", score.cells);
        assert!(score.near * 100 >= score.cells * 95, "{score}");
        assert!(score.off.iter().all(|(_, ratio)| *ratio <= 1.5), "{score}");
    }

    #[test]
    fn more_items_are_not_expected_to_take_less() {
        let cells = grid::cells("u32/uniform/count/2^16,u32/zipf/+f64/2^16").unwrap();
        for cell in cells {
            let compiled = kernel::compile(&cell.text(), &[]).unwrap();
            for module in compiled.modules() {
                let mut last = 0.0;
                for log in 10..34 {
                    let work = Work {
                        items: 1 << log,
                        bins: vec![cell.bins as u64],
                        wishes: Wishes::default(),
                    };
                    let Ok(plan) = module.abi.plan(&Limits::H200, &work) else {
                        continue;
                    };
                    let call = Call {
                        limits: Limits::H200,
                        items: work.items,
                        outer: work.items,
                        item_bytes: 4.0,
                        sample: None,
                    };
                    let now = cost::seconds(&module.abi, &plan, &call, &Speeds::H200);
                    // A larger call may be planned otherwise, with a merge of its own, say.
                    assert!(
                        now.is_finite() && now >= 0.8 * last,
                        "{cell} 2^{log}: {now} after {last}"
                    );
                    last = now;
                }
            }
        }
    }
}
