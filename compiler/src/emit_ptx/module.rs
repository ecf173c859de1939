//! One module: the kernel's parameters, its function, and how to launch it.

use accrue_ptx::abi::{
    ArrayAbi, CapturedAbi, FaultSite, KernelAbi, List, Module, Param, ParamKind, Placement,
    SeriesAbi, SplitAbi, Strategy, TargetAbi,
};
use accrue_ptx::cell::Cell;
use accrue_ptx::kernel::{self, Kernel};
use accrue_ptx::queues::BLOCK;
use accrue_ptx::writer::Function;
use accrue_ptx::{library, strategy, value as value_of};

use super::dealt::STRIPS;
use super::emitter::{Emitter, Result};
use super::grid::BYTES;
use super::lookback::Carrying;
use super::overlap::Overlap;
use super::patches::Patches;
use super::rows::Rows;
use super::slices::Slices;
use super::staged::Staged;
use super::stream::Streams;
use super::updates::Updates;
use super::value::{Num, class};
use super::{Options, elem_of};
use crate::ir::{Access, ArrayId, Loop, LoopLabel, Memory, Scalar, Target, VarId};
use crate::plan::Obstacle;
use crate::source::SourceMap;

/// Threads of a gang that runs steps or a series of calls, where they take iterations one by one: those of a multiprocessor that leave each 64 registers.
const SERIES: u32 = 1024;

/// Threads of a gang of a loop that fills arrays and nothing else.
const MAP: u32 = 256;

/// Prints the modules of one loop.
pub(super) struct Printer<'a> {
    pub(super) lp: &'a Loop,
    pub(super) targets: &'a [Target],
    pub(super) sources: &'a SourceMap,
    pub(super) options: &'a Options,
    pub(super) streams: &'a Streams,
    pub(super) rows: Option<&'a Rows>,
    pub(super) slices: Option<&'a Slices>,
    pub(super) patches: Option<&'a Patches>,
    pub(super) staged: Option<&'a Staged<'a>>,
    pub(super) carrying: Option<&'a Carrying>,
    /// The inner loops whose iterations are dealt out, where those of the loop follow each other, and the arrays that are exchanged behind each.
    pub(super) steps: Option<(&'a [LoopLabel], &'a [[ArrayId; 2]])>,
    /// Whether several calls may run in one launch.
    pub(super) follows: bool,
}

/// Names of parameters, each once.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    /// A name that is an identifier and that no other one has as its beginning, from the user's.
    fn unique(&mut self, wish: &str) -> String {
        let stem = identifier(wish);
        let mut name = stem.clone();
        let mut n = 2;
        while self.0.contains(&name) {
            name = format!("{stem}_{n}");
            n += 1;
        }
        self.0.push(name.clone());
        name
    }
}

/// The letters, digits and underscores of a text, others as underscores.
fn identifier(text: &str) -> String {
    let text = text.trim_start_matches("r#");
    let name: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let name = name.trim_matches('_');
    match name.chars().next() {
        None => "x".to_owned(),
        Some(c) if c.is_ascii_digit() => format!("x{name}"),
        Some(_) => name.to_owned(),
    }
}

impl Printer<'_> {
    /// Prints the module with these placements of the targets.
    pub(super) fn module(&self, placements: &[Placement]) -> Result<Module> {
        let lp = self.lp;
        let mut names = Names::default();
        for taken in ["begin", "end", "windows", "merge", "ticket", "error"] {
            names.unique(taken);
        }
        for kind in placements.iter().flat_map(|p| p.template().module_params()) {
            names.unique(kernel::common_name(kind));
        }
        let mut own = Vec::new();
        let mut param = |name: String, kind| {
            own.push(Param {
                name: name.into(),
                kind,
            })
        };
        for dim in 0..lp.space.len() {
            param(
                names.unique(&format!("count_{dim}")),
                ParamKind::Count(dim as u32),
            );
        }
        let mut arrays: Vec<ArrayAbi> = Vec::new();
        for (id, array) in lp
            .arrays
            .iter()
            .enumerate()
            .filter(|(_, a)| a.access != Access::Updated)
        {
            let number = arrays.len() as u32;
            let stem = names.unique(&array.name);
            param(stem.clone(), ParamKind::Pointer(number));
            param(
                names.unique(&format!("{stem}_len")),
                ParamKind::Length(number),
            );
            arrays.push(ArrayAbi {
                array: id as u32,
                name: array.name.clone().into(),
                length_only: array.access == Access::LengthOnly,
                written: array.access == Access::Owned,
            });
        }
        let mut captured = Vec::new();
        for id in lp.used_captures() {
            let var = lp.var(id);
            // What is not a number cannot be passed; its use is what is complained of.
            if let Some(scalar) = var.ty.as_scalar() {
                param(
                    names.unique(&var.name),
                    ParamKind::Captured(captured.len() as u32),
                );
                captured.push(CapturedAbi {
                    var: id.0,
                    name: var.name.clone().into(),
                    elem: elem_of(scalar),
                });
            }
        }
        let rows = match placements {
            [placement] if placement.template().takes_columns() => self.rows,
            _ => None,
        };
        let slices = match placements {
            [placement] if placement.template().takes_slices() => self.slices,
            _ => None,
        };
        let targets = self.targets(placements, rows, slices, &mut names)?;
        // The cells of some targets need the bins' own numbers.
        let rows = rows.filter(|_| targets[0].1.columns.is_some());
        let mut specs: Vec<strategy::Target> =
            targets.iter().map(|(spec, _)| spec.clone()).collect();
        let mut tiled = None;
        for spec in specs.iter_mut().filter(|s| s.template().is_tiled()) {
            let most = spec.template().most_slots(spec);
            let streams = self.streams.tiled(lp, spec.updates, most);
            spec.slots = spec.updates * streams.items * streams.in_flight;
            tiled = Some((streams, spec.slots));
        }
        let streams = tiled.as_ref().map_or(self.streams, |(s, _)| s);
        let params = kernel::params(own, &specs);
        let (strategy, name) = match (self.staged, self.steps) {
            (Some(staged), _) => (staged.strategy, staged.strategy.name().to_owned()),
            (None, Some(_)) => (Strategy::Steps, Strategy::Steps.name().to_owned()),
            (None, None) => (leading(placements), module_name(placements)),
        };
        let entry = format!("{}_{}_{name}", identifier(&lp.function), lp.ordinal);

        let overlap = self.steps.and_then(|(dealt, swaps)| {
            let overlap = swaps
                .is_empty()
                .then(|| Overlap::find(lp, dealt, self.options));
            overlap.flatten()
        });
        let writes = arrays.iter().any(|array| array.written);
        // Nor may an iteration run again alone where something is carried to it.
        let once = writes || self.carrying.is_some();
        let print = |kernel: Kernel, streams: &Streams, faults: Vec<FaultSite>| -> Result<_> {
            let mut emitter = Emitter::new(
                lp,
                self.targets,
                streams,
                self.options,
                self.sources,
                kernel,
            );
            emitter.faults = faults;
            emitter.rows = rows;
            emitter.slices = slices;
            emitter.patches = self.patches;
            emitter.staged = self.staged;
            emitter.carrying = self.carrying;
            emitter.overlap = overlap.as_ref();
            self.inputs(&mut emitter, &params, &arrays, &captured, &specs);
            emitter.sample()?;
            match (self.carrying, self.steps) {
                (Some(carrying), _) => emitter.by_tiles(carrying)?,
                (None, Some((dealt, swaps))) => emitter.by_steps(dealt, swaps)?,
                (None, None) => emitter.grid()?,
            }
            if emitter.kernel.recounts() {
                emitter.kernel.begin_recount();
                emitter.grid()?;
                emitter.kernel.end_recount();
            }
            let at_once = emitter.steps_at_once();
            let Emitter {
                kernel,
                faults,
                library,
                ..
            } = emitter;
            Ok((kernel.finish(), faults, library, at_once))
        };
        let kernel = Kernel::begin(&entry, &params, &specs, once);
        let (mut function, mut faults, called, at_once) = print(kernel, streams, Vec::new())?;
        // One size for all devices; two gangs of 1024 threads fill a multiprocessor.
        let strips = self.patches.is_some_and(|p| p.columns.is_some());
        // What is only stored waits for nobody: gangs that end make room for others, whose loads are under way at once. Where each is small that room is never
        // large, and a multiprocessor never idle: u8 -> f32 takes 169 us by gangs of 256 threads and 173 by gangs of 1024, look-ups of bytes 69.5 and 72, coalesced
        // gathers 373 and 384, 40 products an element 545 and 575 (H200, 2026-11-30).
        let is_map = streams.list.iter().any(|stream| stream.writes)
            && specs.is_empty()
            && self.staged.is_none()
            && self.carrying.is_none()
            && self.steps.is_none();
        let series_threads = match self.options.overflow_checks {
            false => SERIES,
            // Checks take registers.
            true => SERIES / 2,
        };
        let block = if let Some(staged) = self.staged {
            staged.tile.threads
        } else if self.steps.is_some() {
            // Several iterations at once take registers as well.
            match at_once {
                1 => series_threads,
                _ => SERIES / 2,
            }
        } else if self.carrying.is_some() {
            strategy::TILE_BLOCK
        } else if tiled.is_some() {
            BLOCK
        } else if strips {
            // Lines take registers, of which gangs of this size leave the fewest over. The sooner one is over, the sooner the next one loads: 3 x 3 of bytes
            // takes 41.5 instead of 42.7 us, the Laplacian 38.6 instead of 40.5, but 7 points of floats 448 instead of 336 (H200, 2026-11-30).
            match self.patches.is_some_and(|p| p.shape.paired) {
                true => STRIPS / 2,
                false => STRIPS,
            }
        } else if is_map {
            MAP
        } else if streams.items > 1 || specs.iter().any(|s| s.template().in_shared_memory()) {
            1024
        } else {
            512
        };
        function.directive(format!(".maxntid {block}, 1, 1"));
        if let Some(staged) = self.staged {
            function.directive(format!(".minnctapersm {}", staged.resident()));
        } else if self.carrying.is_some() {
            // Several hide the wait for the tiles before; what is carried takes registers, and so do checks of overflow.
            let composed = specs.iter().filter(|spec| spec.composed.is_some()).count();
            let gangs = match (specs.len(), self.options.overflow_checks, composed) {
                (0 | 1, false, 0) if streams.items < BYTES => 4,
                (0 | 1, true, 0) if streams.items < BYTES => 3,
                (.., 0 | 1) => 2,
                _ => 1,
            };
            function.directive(format!(".minnctapersm {gangs}"));
        } else if tiled.is_some() {
            // As many as leave enough registers for the slots.
            function.directive(".minnctapersm 3");
        } else if strips {
            function.directive(format!(".minnctapersm {}", 2 * STRIPS / block));
        } else if is_map {
            // The assembler keeps to 32 registers else, and spills where it need not.
            function.directive(format!(".minnctapersm {}", 1024 / MAP));
        } else if streams.items < BYTES {
            // Loads ahead and updates that wait take more than the 32 registers that leave room for a second gang, and make
            // up for it. Vectors of bytes do without.
            function.directive(".minnctapersm 1");
        }
        // One module of a loop samples its bins: the one that is always there.
        let global = Placement::Strategy(Strategy::AtomicGlobal);
        let others = |p: &Placement| matches!(p, Placement::Strategy(_)) && *p != global;
        let sampler =
            match placements.contains(&global) && !placements.iter().any(others) && !writes {
                true => self.sampler(&entry, &params, &arrays, &captured, &specs)?,
                false => None,
            };
        let mut series = None;
        if self.follows && self.staged.is_none() && self.patches.is_none() {
            let kernel = Kernel::begin_series(&format!("{entry}_series"), &params);
            // Its ways to fail come behind those of the entry.
            let known = std::mem::take(&mut faults);
            let (mut function, all, _, _) = print(kernel, &streams.one_by_one(), known)?;
            faults = all;
            function.directive(format!(".maxntid {series_threads}, 1, 1"));
            series = Some((function, series_threads));
        }
        let static_shared = match self.staged {
            Some(staged) => staged.shared(),
            None => kernel::static_shared(&specs) + overlap.as_ref().map_or(0, Overlap::shared),
        };
        let behind = strategy::entries_behind(&entry, &params, &specs);
        let split = behind.as_ref().zip(tiled.as_ref());
        let split = split.map(|([arrange, count], (_, slots))| SplitAbi {
            arrange: arrange.name().to_owned().into(),
            count: count.name().to_owned().into(),
            slots: *slots,
        });
        let abi = KernelAbi {
            entry: entry.into(),
            strategy,
            params: params.into(),
            arrays: arrays.into(),
            captured: captured.into(),
            targets: targets
                .into_iter()
                .map(|(_, abi)| abi)
                .collect::<List<TargetAbi>>(),
            dims: lp.space.len() as u32,
            whole: self.staged.is_some()
                || self.patches.is_some()
                || self.steps.is_some()
                || self.carrying.is_some() && lp.space.len() > 1
                || rows.is_some_and(|rows| rows.flat)
                || slices.is_some_and(Slices::is_flat),
            block,
            items_per_thread: match (rows, self.patches) {
                _ if slices.is_some() => u32::from(slices.is_some_and(Slices::is_flat)),
                (Some(rows), _) => rows.items_per_thread(),
                (None, Some(patches)) => patches.shape.rows * patches.shape.columns,
                (None, None) => streams.items * streams.in_flight * at_once,
            },
            together: self.staged.map_or(0, Staged::share),
            waves: strips || is_map,
            cut: self.staged.map(|staged| staged.tile.cut()),
            reach: overlap.as_ref().map_or(0, |overlap| overlap.reach),
            static_shared,
            sm: match self.staged {
                Some(Staged { tile, .. }) if tile.sum.is_some() => 90,
                _ => 70,
            },
            sample: sampler.as_ref().map(|f| f.name().to_owned().into()),
            series: series.as_ref().map(|(series, block)| SeriesAbi {
                entry: series.name().to_owned().into(),
                block: *block,
            }),
            faults: faults.into(),
            split,
        };
        let series = series.as_ref().map(|(series, _)| series);
        let own = [&function].into_iter().chain(&sampler).chain(series);
        let own: Vec<&Function> = own.chain(behind.iter().flatten()).collect();
        let called: Vec<&str> = called.iter().map(String::as_str).collect();
        let library = if called.is_empty() {
            String::new()
        } else {
            library::closure_of(&called)
        };
        let header = self.header(placements);
        let ptx = kernel::module(&abi, &own, header, &library).to_string();
        Ok(Module {
            abi,
            ptx: ptx.into(),
        })
    }

    /// Prints the entry that writes the bins of a sample.
    fn sampler(
        &self,
        entry: &str,
        params: &[Param],
        arrays: &[ArrayAbi],
        captured: &[CapturedAbi],
        specs: &[strategy::Target],
    ) -> Result<Option<Function>> {
        let mut kernel = Kernel::begin(&format!("{entry}_sample"), params, specs, false);
        let Some(iteration) = kernel.begin_keys() else {
            return Ok(None);
        };
        let mut emitter = Emitter::new(
            self.lp,
            self.targets,
            self.streams,
            self.options,
            self.sources,
            kernel,
        );
        self.inputs(&mut emitter, params, arrays, captured, specs);
        emitter.one(iteration)?;
        Ok(Some(emitter.kernel.finish_keys()))
    }

    /// What the module is, for who reads it.
    fn header(&self, placements: &[Placement]) -> Vec<String> {
        let mut lines = vec![format!(
            "Loop {} of `{}`, printed by accrue.",
            self.lp.ordinal, self.lp.function
        )];
        for dim in &self.lp.space {
            lines.push(format!("over {}", dim.text.replace(char::is_control, " ")));
        }
        for (target, placement) in self.targets.iter().zip(placements) {
            lines.push(format!(
                "{}: {} ({})",
                self.name(target),
                target.op.text(),
                placement.name()
            ));
        }
        lines
    }

    fn name(&self, target: &Target) -> &str {
        match target.memory {
            Memory::Bins(array) => &self.lp.array(array).name,
            Memory::Scalar(var) => &self.lp.var(var).name,
        }
    }

    fn targets(
        &self,
        placements: &[Placement],
        rows: Option<&Rows>,
        slices: Option<&Slices>,
        names: &mut Names,
    ) -> Result<Vec<(strategy::Target, TargetAbi)>> {
        let mut updates = Updates::of(self.lp, self.targets.len());
        if let Some(carrying) = self.carrying {
            let first = self.targets.len() - carrying.vars.len();
            let terms = Updates::of_block(&carrying.terms.block, self.targets.len());
            updates.splice(first.., terms.into_iter().skip(first));
        }
        if let Some(slices) = slices.filter(|slices| !slices.is_flat()) {
            updates = vec![slices.updates()];
        }
        let composed = |number: usize| {
            let carrying = self.carrying?;
            let n = number.checked_sub(self.targets.len() - carrying.vars.len())?;
            carrying.composed[n].map(elem_of)
        };
        self.targets
            .iter()
            .zip(placements)
            .enumerate()
            .map(|(number, (target, &placement))| {
                let name = self.name(target).to_owned();
                let (id, scalar, source) = match target.memory {
                    Memory::Bins(array) => (array.0, false, self.lp.array(array).source),
                    Memory::Scalar(var) => (var.0, true, self.lp.var(var).source),
                };
                let elem = target.elem.map(elem_of).ok_or_else(|| Obstacle {
                    why: format!("the type of a bin of `{name}` is not known here"),
                    help: Some("give the bins a number type".to_owned()),
                    source,
                })?;
                let op = target.op.op;
                if !op.applies_to(elem) {
                    let why = format!(
                        "`{}` of `{}` has no form on the GPU",
                        op.name(),
                        elem.name()
                    );
                    return Err(Obstacle {
                        why,
                        help: None,
                        source,
                    });
                }
                let stem = names.unique(&name);
                let (counts, most) = (updates[number].constant, updates[number].most);
                let cell = Cell::of(op, elem, counts.is_some(), most);
                let columns = rows.map(|r| r.columns).filter(|_| cell.shifts() == 0);
                let spec = strategy::Target {
                    number: number as u32,
                    name: name.clone(),
                    stem,
                    elem,
                    op,
                    placement,
                    counted: counts,
                    updates: most,
                    columns,
                    slice: slices.map(|slices| slices.bins),
                    slots: 0,
                    composed: composed(number),
                };
                let abi = TargetAbi {
                    name: name.into(),
                    id,
                    scalar,
                    elem,
                    op,
                    placement,
                    counts: counts.is_some(),
                    updates: most,
                    columns,
                    slice: slices.map(|slices| slices.bins),
                    composed: composed(number).is_some(),
                    merge: library::merge_entry(op, elem).into(),
                    initialise: library::initialise_entry(op, elem).into(),
                };
                Ok((spec, abi))
            })
            .collect()
    }

    /// Loads the parameters of the loop into registers.
    fn inputs(
        &self,
        emitter: &mut Emitter<'_>,
        params: &[Param],
        arrays: &[ArrayAbi],
        captured: &[CapturedAbi],
        specs: &[strategy::Target],
    ) {
        emitter.f().comment("What the loop reads.");
        for param in params {
            let array = |n: u32| ArrayId(arrays[n as usize].array);
            match param.kind {
                ParamKind::Count(_) => {
                    let reg = emitter.f().load_param(&param.name);
                    emitter.inputs.counts.push(reg);
                }
                ParamKind::Pointer(n) => {
                    let reg = emitter.f().load_param(&param.name);
                    emitter.inputs.pointers.insert(array(n), reg);
                }
                ParamKind::Length(n) => {
                    let reg = emitter.f().load_param(&param.name);
                    self.length(emitter, array(n), reg);
                }
                ParamKind::Captured(n) => {
                    let slot = emitter.f().load_param(&param.name);
                    let var = VarId(captured[n as usize].var);
                    if let Some(scalar) = self.lp.var(var).ty.as_scalar() {
                        let num = from_slot(emitter, slot, scalar);
                        emitter.inputs.captured.insert(var, num);
                    }
                }
                ParamKind::BinsLength(t) => {
                    if let Memory::Bins(array) = self.targets[t as usize].memory {
                        let name = specs[t as usize].param(param.kind);
                        let reg = emitter.f().load_param(&name);
                        self.length(emitter, array, reg);
                    }
                }
                // The template has loaded these.
                ParamKind::Begin
                | ParamKind::End
                | ParamKind::Bins(_)
                | ParamKind::BinsTotal(_)
                | ParamKind::Scratch(_)
                | ParamKind::Copies(_)
                | ParamKind::SharedOffset(_)
                | ParamKind::SharedCopies(_)
                | ParamKind::Windows
                | ParamKind::Ranges
                | ParamKind::RangeBits
                | ParamKind::Gangs
                | ParamKind::Chunks
                | ParamKind::Queue(_)
                | ParamKind::States
                | ParamKind::Merge
                | ParamKind::Ticket
                | ParamKind::Error => {}
            }
        }
    }

    /// Remembers a length, and the same in 32 bits for indices that are.
    fn length(&self, emitter: &mut Emitter<'_>, array: ArrayId, reg: accrue_ptx::writer::Reg) {
        let f = emitter.f();
        let clipped = value_of!(f, "clipped", "min.u64", reg, i64::from(u32::MAX));
        let clipped = value_of!(f, "clipped", "cvt.u32.u64", clipped);
        emitter.inputs.lengths.insert(array, reg);
        emitter.inputs.clipped.insert(reg, clipped);
    }
}

/// A captured value out of its 64-bit slot.
fn from_slot(emitter: &mut Emitter<'_>, slot: accrue_ptx::writer::Reg, ty: Scalar) -> Num {
    let f = emitter.f();
    let reg = match ty {
        Scalar::F64 => value_of!(f, "captured", "mov.b64", slot),
        _ if ty.size() == 8 => slot,
        _ => value_of!(f, "captured", "cvt.u32.u64", slot),
    };
    let reg = match ty {
        Scalar::Bool => value_of!(f, "captured", "setp.ne.u32", reg, 0),
        Scalar::F32 | Scalar::F64 => {
            let float = f.reg(class(ty), "captured");
            f.op(
                if ty == Scalar::F32 {
                    "mov.b32"
                } else {
                    "mov.b64"
                },
                &[float.into(), reg.into()],
            );
            float
        }
        _ => reg,
    };
    Num::reg(ty, reg)
}

/// The strategy that a module is listed under: that of the first target that has one. Where a strategy is for some
/// targets only, the module is there for these.
fn leading(placements: &[Placement]) -> Strategy {
    let strategies = placements.iter().filter_map(|p| match p {
        Placement::Strategy(s) => Some(*s),
        Placement::Register | Placement::Injective => None,
    });
    let partial = strategies.clone().find(|s| s.template().is_partial());
    let first = partial.or(strategies.clone().next());
    first.unwrap_or(Strategy::Grid)
}

/// The end of an entry's name: the strategy, or those of all targets where they differ.
fn module_name(placements: &[Placement]) -> String {
    let mut names: Vec<&str> = placements
        .iter()
        .filter_map(|p| match p {
            Placement::Strategy(s) => Some(s.name()),
            Placement::Register | Placement::Injective => None,
        })
        .collect();
    if names.iter().all(|n| *n == names[0]) {
        names.truncate(1);
    }
    match (names.is_empty(), placements.first()) {
        (false, _) => names.join("_"),
        (true, Some(placement)) => placement.name().to_owned(),
        (true, None) => Strategy::Grid.name().to_owned(),
    }
}
