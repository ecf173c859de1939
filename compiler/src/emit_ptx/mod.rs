//! From the loop IR to PTX: one module for each strategy, ready to launch.
//!
//! A kernel is a template of [`accrue_ptx::kernel`] around the loop printed here. The files are:
//! `grid` (which thread takes which iterations), `staged` (which inner loops read by way of shared memory; `contract`, `blocks` and `panels` are their
//! kernel), `vectors` (what is loaded ahead), `stream` (what is loaded 16 bytes at a
//! time), `stmt`, `expr`, `place` (the body), `arith`, `methods` (scalars), `emitter` (what is at hand).
//!
//! What Rust means is kept: integers wrap or fault as [`Options::overflow_checks`] says, shifts use the low bits of
//! the amount, divisions by zero fault, casts from floats saturate, every float operation rounds once to nearest. An
//! index out of range fails its iteration: the thread notes it and goes on with its next one, and the
//! kernel then leaves the bins alone.
//!
//! A device function is printed where it is called. Locals are in registers, arrays too where all their indices are
//! constants, else in local memory.

mod affine;
mod again;
mod arith;
mod blocks;
mod bounds;
mod cast;
mod check;
mod clipped;
mod contract;
mod dealt;
mod divide;
mod dots;
mod edges;
mod emitter;
mod expr;
mod families;
mod fused;
mod grid;
mod halves;
mod int_methods;
pub(crate) mod layout;
mod linear;
mod lines;
mod lookback;
mod methods;
mod module;
mod narrow;
mod overlap;
mod overlapped;
mod pairs;
mod panels;
mod patches;
mod place;
mod reader;
mod rims;
mod rows;
mod schedule;
mod shifted;
mod sliced;
mod slices;
mod spans;
mod staged;
mod steady;
mod steps;
mod stmt;
mod stores;
mod stream;
mod strips;
mod tensor;
mod tiles;
mod together;
mod unroll;
mod updates;
mod value;
mod vectors;
mod winners;

use accrue_ptx::abi::{Elem, Module, Placement, Strategy};
use accrue_ptx::cut::CutWish;
use accrue_ptx::strategy::Shape;

use crate::ir::{
    Access, ArrayId, Body, Extent, Histogram, Length, Loop, LoopLabel, Memory, Pattern, Scalar,
    Target,
};
use crate::plan::Obstacle;
use crate::source::SourceMap;

use emitter::Result;
use lookback::Carrying;
use module::Printer;
use patches::Patches;
use rows::Rows;
use slices::Slices;
use staged::Staged;
use stream::{Streams, repeats};
use updates::Updates;

/// What the printer is asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether the profile of the user's crate checks integer overflow. Overflow in a bin is never checked: bins are
    /// added up in another order than the loop's.
    pub overflow_checks: bool,
    /// Only these strategies, for all targets alike; all that apply if empty, and combinations where several
    /// targets may need them.
    pub strategies: Vec<Strategy>,
    /// How loops in blocks are to be cut.
    pub cut: CutWish,
    /// Whether a product that is added to something may be rounded together with the sum: fused multiply-add.
    pub contract: bool,
    /// Whether calls of the loop follow each other, with their arrays on the device.
    pub follows: bool,
    /// Only one of the modules: that of this number, where the first follows the last.
    pub one: Option<u64>,
}

/// Prints a loop: one module for each strategy.
///
/// # Errors
///
/// What the loop has that cannot be expressed in PTX: all of it that only rustc understands, or else the first
/// part that the printer has no form for. The loop then stays on the CPU.
pub fn emit(
    lp: &Loop,
    pattern: &Pattern,
    sources: &SourceMap,
    options: &Options,
) -> std::result::Result<Vec<Module>, Vec<Obstacle>> {
    let Pattern::Histogram(histogram) = pattern;
    let opaque: Vec<Obstacle> = lp
        .opaque_parts()
        .into_iter()
        .map(|part| Obstacle {
            why: part.why,
            help: part.help,
            source: part.source,
        })
        .collect();
    if !opaque.is_empty() {
        return Err(opaque);
    }
    let mut streams = Streams::find(lp);
    // Iterations that write do not run several times, as those of rows in windows do.
    let carrying = carrying(lp, histogram)?;
    let targets = histogram.kernel_targets(lp);
    let carries = carrying.is_some();
    let rows = Rows::find(lp, &histogram.targets).filter(|_| !writes(lp) && !carries);
    let slices = Slices::find(lp, &histogram.targets, options.overflow_checks)
        .filter(|_| !writes(lp) && !carries);
    let apart = !carries && writes(lp) && histogram.targets.is_empty();
    let bodies = lp.functions.iter().map(|function| &function.body);
    let mut bodies = bodies.chain([&lp.body]);
    let follows = options.follows && apart && !bodies.any(|body| repeats(&body.block));
    let staged = match apart && !streams.write_all(lp) && !options.overflow_checks {
        true => Staged::all(lp, &options.cut, options.contract),
        false => Vec::new(),
    };
    let patches = match apart {
        true => Patches::of(lp, &streams, options.overflow_checks),
        false => None,
    };
    let lp = patches.as_ref().map_or(lp, |patches| &patches.lp);
    if patches.is_some() {
        streams = Streams::find(lp);
    }
    // A window that a patch has in registers needs no other memory.
    let staged = match patches.is_none() {
        true => staged,
        false => Vec::new(),
    };
    let registers = match apart && patches.is_none() && staged.is_empty() {
        true => unroll::with_registers(lp),
        false => None,
    };
    let lp = registers.as_ref().unwrap_or(lp);
    if registers.is_some() {
        streams = Streams::find(lp);
    }
    if carries {
        streams = streams.of_tiles(lp, !histogram.filled.is_empty());
    }
    let mut all: Vec<_> = combinations(lp, &histogram.targets, options, carries, slices.is_some())
        .into_iter()
        .map(|mut placements| {
            placements.resize(targets.len(), Placement::Strategy(Strategy::Lookback));
            (placements, None)
        })
        .collect();
    if let Some(first) = staged.first() {
        // Before the other: where nothing is known that speaks against them, they are the ones to take.
        all.splice(0..0, staged.iter().map(|form| (Vec::new(), Some(form))));
        let asked = |strategy| options.strategies.contains(&strategy);
        if asked(first.strategy) != asked(Strategy::Grid) {
            all.retain(|(_, form)| form.is_some() == asked(first.strategy));
        }
    }
    if let Some(one) = options.one.filter(|_| !all.is_empty()) {
        let at = one % all.len() as u64;
        all = vec![all.swap_remove(at as usize)];
    }
    all.into_iter()
        .map(|(placements, staged)| {
            Printer {
                lp,
                targets: &targets,
                sources,
                options,
                streams: &streams,
                rows: rows.as_ref(),
                slices: slices.as_ref(),
                patches: patches.as_ref(),
                staged,
                carrying: carrying.as_ref(),
                steps: None,
                follows,
            }
            .module(&placements)
        })
        .collect::<Result<_>>()
        .map_err(|obstacle| vec![obstacle])
}

/// Prints a loop whose iterations follow each other, as one kernel that deals out the iterations of these inner loops, and exchanges these arrays,
/// of two of one length, behind each step.
///
/// # Errors
///
/// The first part that the printer has no form for.
pub fn emit_steps(
    lp: &Loop,
    dealt: &[LoopLabel],
    swaps: &[[ArrayId; 2]],
    sources: &SourceMap,
    options: &Options,
) -> std::result::Result<Module, Obstacle> {
    let printer = Printer {
        lp,
        targets: &[],
        sources,
        options,
        streams: &Streams::find(lp).one_by_one(),
        rows: None,
        slices: None,
        patches: None,
        staged: None,
        carrying: None,
        steps: Some((dealt, swaps)),
        follows: false,
    };
    printer.module(&[])
}

/// What iterations carry along, if they do.
fn carrying(
    lp: &Loop,
    histogram: &Histogram,
) -> std::result::Result<Option<Carrying>, Vec<Obstacle>> {
    let Some(first) = histogram.carried.first() else {
        return Ok(None);
    };
    let Some(terms) = &histogram.terms else {
        return Err(vec![Obstacle::entangled(lp, first.var)]);
    };
    Ok(Some(Carrying {
        terms: Body {
            vars: lp.body.vars.clone(),
            block: terms.clone(),
        },
        vars: histogram.carried.iter().map(|c| c.var).collect(),
        composed: histogram
            .carried
            .iter()
            .map(|c| lp.var(c.var).ty.as_scalar().filter(|_| c.composes()))
            .collect(),
    }))
}

/// Targets up to which every mixture of shared and device memory gets a module.
const MOST_MIXED: usize = 3;

/// The placements of all targets, for each module.
fn combinations(
    lp: &Loop,
    targets: &[Target],
    options: &Options,
    carries: bool,
    sliced: bool,
) -> Vec<Vec<Placement>> {
    // Targets that a strategy is chosen for.
    let free: Vec<bool> = targets
        .iter()
        .map(|t| t.injective.is_none() && matches!(t.memory, Memory::Bins(_)))
        .collect();
    let place = |choose: &dyn Fn(usize) -> Strategy| -> Vec<Placement> {
        let fixed = |t: &Target| match t.memory {
            Memory::Scalar(_) => Placement::Register,
            Memory::Bins(_) => Placement::Injective,
        };
        (0..targets.len())
            .map(|t| {
                if free[t] {
                    Placement::Strategy(choose(t))
                } else {
                    fixed(&targets[t])
                }
            })
            .collect()
    };
    let count = free.iter().filter(|f| **f).count();
    if count == 0 {
        let mut all = vec![place(&|_| Strategy::Grid)];
        // Bins of its own are an iteration's slice, which all threads of a gang are sooner done with than one.
        let slices = Placement::Strategy(Strategy::GangSlice);
        if sliced && options.strategies.contains(&Strategy::GangSlice) {
            all = vec![vec![slices]];
        } else if sliced && options.strategies.is_empty() {
            all.push(vec![slices]);
        }
        return all;
    }
    let strategies: &[Strategy] = if options.strategies.is_empty() {
        &Strategy::OF_BINS
    } else {
        &options.strategies
    };
    let updates = Updates::of(lp, targets.len());
    // A strategy for some targets only leaves the others in shared memory. Of bins of an unknown type the printer says why
    // it has no form for them.
    let applies = |strategy: Strategy, t: usize| {
        let (target, updates) = (&targets[t], updates[t]);
        target.elem.is_none_or(|elem| {
            let (op, elem) = (target.op.op, elem_of(elem));
            strategy.applies_to(op, elem, updates.constant.is_some(), updates.most)
        })
    };
    let shape = Shape {
        targets: count,
        looped: (0..targets.len()).any(|t| free[t] && updates[t].looped),
        small: (0..targets.len()).any(|t| free[t] && is_small(lp, &targets[t])),
        sliced,
    };
    let mut all = Vec::new();
    for &strategy in strategies {
        let template = strategy.template();
        let least = if template.is_partial() { 1 } else { count };
        let applying = (0..targets.len()).filter(|t| free[*t] && applies(strategy, *t));
        let wanted = !options.strategies.is_empty() || template.suits(&shape);
        if (writes(lp) || carries) && !template.runs_once() {
            continue;
        }
        if !wanted || !template.has_form(&shape) || applying.count() < least {
            continue;
        }
        all.push(place(
            &|t| match template.is_partial() && !applies(strategy, t) {
                true => Strategy::GangShared,
                false => strategy,
            },
        ));
    }
    if options.strategies.is_empty() && count > 1 {
        // Some targets fit shared memory and some do not: every mixture, or one large target among many.
        let numbers: Vec<usize> = (0..targets.len()).filter(|t| free[*t]).collect();
        let mixtures: Vec<Vec<usize>> = match count <= MOST_MIXED {
            true => (1..(1usize << count) - 1)
                .map(|set| {
                    (0..count)
                        .filter(|n| set >> n & 1 == 1)
                        .map(|n| numbers[n])
                        .collect()
                })
                .collect(),
            false => numbers.iter().map(|n| vec![*n]).collect(),
        };
        for global in mixtures {
            all.push(place(&|t| {
                if global.contains(&t) {
                    Strategy::AtomicGlobal
                } else {
                    Strategy::GangShared
                }
            }));
        }
    }
    all
}

/// Whether iterations write elements of their own.
fn writes(lp: &Loop) -> bool {
    lp.arrays.iter().any(|array| array.access == Access::Owned)
}

/// Whether the bins are known to be so few that one copy of them is in shared memory.
fn is_small(lp: &Loop, target: &Target) -> bool {
    const FEW: u64 = 1 << 15;
    let Memory::Bins(array) = target.memory else {
        return true;
    };
    let array = lp.array(array);
    match array.extent {
        Extent::Fixed(Length::Known(n)) => n.saturating_mul(emitter::scalars(&array.elem)) <= FEW,
        Extent::Fixed(Length::Captured(_)) | Extent::Runtime => false,
    }
}

/// The bin's type in the ABI.
pub fn elem_of(scalar: Scalar) -> Elem {
    match scalar {
        Scalar::Bool => Elem::Bool,
        Scalar::I8 => Elem::I8,
        Scalar::I16 => Elem::I16,
        Scalar::I32 => Elem::I32,
        Scalar::I64 | Scalar::Isize => Elem::I64,
        Scalar::U8 => Elem::U8,
        Scalar::U16 => Elem::U16,
        Scalar::U32 => Elem::U32,
        Scalar::U64 | Scalar::Usize => Elem::U64,
        Scalar::F32 => Elem::F32,
        Scalar::F64 => Elem::F64,
    }
}
