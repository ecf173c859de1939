//! The kernel around a loop's body: parameters, the copies of every target, and the last step.
//!
//! ```text
//! a sample of one iteration a thread  (where a target has use for hot bins, see strategy::hot)
//! what the emitter can do before there are copies: the loop's first loads, above all
//! prologue of every target, a barrier (Kernel::open)
//! the loop                            (the emitter's)
//! the loop again                      (where copies turn out to be wrong, see strategy::Recount)
//! a barrier, epilogue of every target (Kernel::finish)
//! the gang that finishes last merges  (where the plan says so)
//! ```
//!
//! The last two steps are in `kernel/finish.rs`. A kernel that may update the bins themselves also has launches that update
//! nothing, see `kernel/straight.rs`.

mod finish;
mod params;
mod straight;
mod tiles;

use self::finish::LAST_BYTES;
pub use self::finish::Safe;
pub use self::params::{common_name, params};
use crate::abi::{KernelAbi, Param, ParamKind, Placement};
use crate::combine::Space;
use crate::emit;
use crate::library;
use crate::sample;
use crate::strategy::{
    self, Bin, Cache, ColumnWindow, Copies, DYNAMIC_SHARED, Gang, Hot, Keeps, Known, MOST_HOT,
    Memory, Note, Scan, Target, Tiling, Waiting, lookback,
};
use crate::value;
use crate::writer::{Function, Label, ModuleText, Operand, Reg};

/// A kernel being written.
pub struct Kernel {
    /// Its function: what the emitter writes the loop into.
    pub function: Function,
    /// Where the thread is.
    pub gang: Gang,
    /// The first iteration.
    pub begin: Reg,
    /// The iteration after the last.
    pub end: Reg,
    /// Device address of the error record.
    pub error: Reg,
    merge: Reg,
    ticket: Reg,
    /// Ways to fail that have been written.
    reports: u32,
    /// A predicate: whether the launch is a rehearsal, where the kernel has such launches.
    rehearses: Option<Reg>,
    /// Where no iteration fails, if that is known.
    safe: Option<Safe>,
    /// Blocks of the grid.
    blocks: Reg,
    /// Where bins are in windows, whether the gang has another than the first.
    later_window: Option<Reg>,
    /// Whether iterations write elements of their own.
    writes: bool,
    /// Which form of the loop is being written.
    form: Form,
    targets: Vec<(Target, Memory)>,
    /// What is known of the hot bins of each target.
    known: Vec<Known>,
    /// The copies of each target, when they have been made.
    copies: Vec<Box<dyn Copies>>,
    /// For each target, the updates of the items of the current group, where they wait.
    waiting: Vec<Vec<Waiting>>,
    /// Scalars that are carried along, and the tiles that they are carried over.
    scans: Vec<Scan>,
    tiling: Option<Tiling>,
}

/// A form of the loop.
enum Form {
    /// The loop itself.
    Loop,
    /// One iteration, whose bins are noted. With the notes of each target, and where to go without any.
    Sample(Vec<Option<Sampled>>, Label),
    /// The loop for the second time.
    Recount(Again),
}

/// The note of a target, and where its hot bins come.
#[derive(Clone, Copy)]
struct Sampled {
    note: Note,
    hot: Place,
}

/// Where hot bins come.
#[derive(Clone, Copy)]
enum Place {
    Registers([Reg; MOST_HOT]),
    Cache(Cache),
}

/// The labels and the counter of a recount.
#[derive(Clone, Copy)]
struct Again {
    /// Where a half begins.
    again: Label,
    /// Behind the recount.
    counted: Label,
    /// The number of the half.
    half: Reg,
}

impl Kernel {
    /// Begins a kernel: [`open`](Kernel::open) has to follow, after a sample where there is to be one. `params` is what [`params()`] returned.
    /// `writes` says whether iterations write elements of their own.
    pub fn begin(name: &str, params: &[Param], targets: &[Target], writes: bool) -> Kernel {
        let names = params.iter().map(|p| p.name.clone().into_owned());
        Kernel::begin_in(Function::entry(name, names), targets, writes)
    }

    /// Begins a kernel that runs several calls of a loop without targets one after the other, see [`Function::series`].
    pub fn begin_series(name: &str, params: &[Param]) -> Kernel {
        let names = params.iter().map(|p| p.name.clone().into_owned());
        Kernel::begin_in(Function::series(name, names), &[], true)
    }

    fn begin_in(mut f: Function, targets: &[Target], writes: bool) -> Kernel {
        let begin = f.load_param(common_name(ParamKind::Begin));
        let end = f.load_param(common_name(ParamKind::End));
        let error = f.load_param(common_name(ParamKind::Error));
        let merge = f.load_param(common_name(ParamKind::Merge));
        let ticket = f.load_param(common_name(ParamKind::Ticket));
        let thread = f.special("thread", "%tid.x");
        let blocks = f.special("blocks", "%nctaid.x");
        let windowed = targets.iter().any(|t| t.template().is_windowed());
        let mut gang = Gang {
            thread,
            lane: value!(f, "lane", "and.b32", thread, 31),
            threads: f.special("threads", "%ntid.x"),
            gang: f.special("gang", "%ctaid.x"),
            gangs: blocks,
            window: thread,
            windows: thread,
            straight: None,
        };
        let mut later_window = None;
        if windowed {
            let windows = f.load_param(common_name(ParamKind::Windows));
            gang.windows = value!(f, "windows", "cvt.u32.u64", windows);
            gang.window = value!(f, "window", "rem.u32", gang.gang, gang.windows);
            gang.gang = value!(f, "group", "div.u32", gang.gang, gang.windows);
            // A single gang, which tells a fault, is a group of its own.
            let groups = value!(f, "groups", "div.u32", blocks, gang.windows);
            gang.gangs = value!(f, "groups", "max.u32", groups, 1);
            later_window = Some(value!(f, "later", "setp.ne.u32", gang.window, 0));
        }
        let targets: Vec<(Target, Memory)> = targets
            .iter()
            .map(|target| {
                let t = target.number;
                let memory = Memory {
                    bins: f.load_param(&target.param(ParamKind::Bins(t))),
                    total: f.load_param(&target.param(ParamKind::BinsTotal(t))),
                    scratch: f.load_param(&target.param(ParamKind::Scratch(t))),
                    locals: f.load_param(&target.param(ParamKind::Copies(t))),
                };
                (target.clone(), memory)
            })
            .collect();
        Kernel {
            function: f,
            gang,
            begin,
            end,
            error,
            merge,
            ticket,
            reports: 0,
            rehearses: None,
            safe: None,
            blocks,
            later_window,
            writes,
            form: Form::Loop,
            known: vec![Known::Nothing; targets.len()],
            copies: Vec::new(),
            targets,
            waiting: Vec::new(),
            scans: Vec::new(),
            tiling: None,
        }
    }

    /// Whether a target has use for a sample.
    pub fn samples(&self) -> bool {
        self.targets
            .iter()
            .any(|t| t.0.template().keeps_hot().is_some())
    }

    /// Begins a sample, where one is of use: returns the iteration that the thread is to run, after which
    /// [`end_sample`](Kernel::end_sample) follows.
    pub fn begin_sample(&mut self) -> Option<Reg> {
        if !self.samples() {
            return None;
        }
        let (f, gang) = (&mut self.function, &self.gang);
        f.comment("A sample of the bins.");
        let size = value!(f, "size", "sub.u64", self.end, self.begin);
        let notes = self
            .targets
            .iter()
            .map(|t| {
                let keeps = t.0.template().keeps_hot()?;
                Some(Sampled {
                    note: Note::begin(f, gang, &t.0),
                    hot: match keeps {
                        Keeps::Registers => Place::Registers(strategy::no_hot(f)),
                        Keeps::Cache => {
                            let cache = Cache::declare(f, &t.0.stem);
                            cache.clear(f, gang);
                            Place::Cache(cache)
                        }
                    },
                })
            })
            .collect();
        emit!(f, "bar.sync", 0);
        let without = f.label("without_sample");
        let worth_it = strategy::is_worth_it(f, gang, size);
        f.branch_if(worth_it, false, without);
        self.form = Form::Sample(notes, without);
        Some(strategy::draw(f, gang, self.begin, size))
    }

    /// Ends a sample: the hot bins are known.
    pub fn end_sample(&mut self) {
        let Form::Sample(notes, without) = std::mem::replace(&mut self.form, Form::Loop) else {
            return;
        };
        let f = &mut self.function;
        for Sampled { note, hot } in notes.iter().flatten() {
            match hot {
                Place::Registers(hot) => strategy::choose_hot(f, &self.gang, *note, hot),
                Place::Cache(cache) => {
                    let size = value!(f, "size", "sub.u64", self.end, self.begin);
                    cache.fill(f, &self.gang, *note, size);
                }
            }
        }
        f.place(without);
        self.known = notes
            .into_iter()
            .map(|sampled| match sampled.map(|s| s.hot) {
                None => Known::Nothing,
                Some(Place::Registers(bins)) => Known::Bins(Hot::new(f, bins)),
                Some(Place::Cache(cache)) => Known::Cache(cache),
            })
            .collect();
    }

    /// Begins an entry that writes the bins of a sample and does nothing else, of the first target that has copies: returns
    /// the iteration that the thread is to run, after which [`finish_keys`](Kernel::finish_keys) follows. The threads of
    /// a warp run neighbours.
    pub fn begin_keys(&mut self) -> Option<Reg> {
        let has_copies = |t: &(Target, Memory)| matches!(t.0.placement, Placement::Strategy(_));
        let sampled = self.targets.iter().position(has_copies)?;
        let (f, gang) = (&mut self.function, &self.gang);
        let number = value!(
            f,
            "number",
            "mad.lo.u32",
            gang.gang,
            gang.threads,
            gang.thread
        );
        let warp = value!(f, "warp", "shr.u32", number, 5);
        let note = Note::of(f, &self.targets[sampled].0, warp);
        let size = value!(f, "size", "sub.u64", self.end, self.begin);
        let drawn = strategy::drawn(f, warp, gang.lane, self.begin, size);
        let hot = Place::Registers(strategy::no_hot(f));
        let notes = (0..self.targets.len())
            .map(|t| (t == sampled).then_some(Sampled { note, hot }))
            .collect();
        let unused = f.label("unused");
        self.form = Form::Sample(notes, unused);
        Some(drawn)
    }

    /// Ends what [`begin_keys`](Kernel::begin_keys) has begun.
    pub fn finish_keys(self) -> Function {
        let (mut f, gang) = (self.function, self.gang);
        let Form::Sample(notes, _) = self.form else {
            unreachable!("a sample has been begun")
        };
        let number = value!(
            f,
            "number",
            "mad.lo.u32",
            gang.gang,
            gang.threads,
            gang.thread
        );
        let at = value!(f, "at", "mad.wide.u32", number, 8, self.ticket);
        let sampled = notes.into_iter().zip(&self.targets);
        for (note, elem) in sampled.filter_map(|(s, t)| Some((s?.note, t.0.elem))) {
            // An iteration that updates nothing stands for a bin that no other one has.
            let none = value!(f, "none", "setp.eq.u32", note.bin, -1);
            let other = value!(f, "other", "or.b32", number, 0x8000_0000u32);
            let bin = value!(f, "bin", "selp.b32", other, note.bin, none);
            strategy::store_look(&mut f, &gang, bin, elem.size().ilog2(), at);
        }
        emit!(f, "ret");
        f
    }

    /// Makes the copies of all targets, and waits until every thread of the gang has made its part. Loads that were written
    /// before are under way meanwhile.
    pub fn open(&mut self) {
        self.begin_straight();
        let f = &mut self.function;
        for ((target, memory), known) in self.targets.iter().zip(&self.known) {
            if lookback::is_carried(target.placement) {
                f.comment(&format!("{}: {}.", target.name, target.placement.name()));
                let scan = Scan::open(f, target, *memory);
                self.copies.push(Box::new(scan.clone()));
                self.scans.push(scan);
            } else {
                let copies = strategy::prologue(f, &self.gang, target, *memory, *known);
                self.copies.push(copies);
            }
            self.waiting.push(Vec::new());
        }
        if !self.scans.is_empty() {
            let states = f.load_param(common_name(ParamKind::States));
            self.tiling = Some(Tiling::open(f, &self.gang, states));
        }
        emit!(f, "bar.sync", 0);
    }

    /// Whether updates are gathered: the loop takes tiles of items then, with all threads of the gang, between
    /// [`begin_tile`](Kernel::begin_tile) and [`end_tile`](Kernel::end_tile).
    pub fn is_tiled(&self) -> bool {
        self.targets.iter().any(|t| t.0.template().is_tiled())
    }

    /// Writes what begins a tile.
    pub fn begin_tile(&mut self) {
        for copies in &self.copies {
            copies.begin_tile(&mut self.function);
        }
    }

    /// Writes what comes before the bodies of so many items of a tile, also for threads that do not run them.
    pub fn begin_items(&mut self, items: u32) {
        for copies in &self.copies {
            copies.begin_items(&mut self.function, items);
        }
    }

    /// Writes what comes where what was loaded for the items begun is no longer needed.
    pub fn end_items(&mut self) {
        for copies in &self.copies {
            copies.end_items(&mut self.function);
        }
    }

    /// Writes what ends a tile, with the loads of the next one where they are best: `ahead` may write them in several
    /// places, one on every way.
    pub fn end_tile(&mut self, ahead: &mut dyn FnMut(&mut Function)) {
        for copies in &self.copies {
            copies.end_tile(&mut self.function, ahead);
        }
    }

    /// Writes a multiplication of what is composed of a target by an accumulator.
    pub fn multiply(&mut self, target: usize, value: Operand) {
        self.copies[target].multiply(&mut self.function, value);
    }

    /// Writes an update of a target by an accumulator. The bin is in range.
    pub fn update(&mut self, target: usize, bin: Bin, value: Operand) {
        let f = &mut self.function;
        match &self.form {
            Form::Loop => {}
            Form::Sample(notes, _) => {
                if let Some(Sampled { note, .. }) = notes[target] {
                    note.update(f, bin);
                }
                return;
            }
            Form::Recount(_) => {
                // What cannot be wrong has been updated already.
                if let Some(copies) = self.copies[target].recount() {
                    copies.update(f, bin);
                }
                return;
            }
        }
        let (copies, waiting) = (&self.copies[target], self.waiting[target].last());
        let target = &self.targets[target].0;
        if let Some(rehearses) = self.rehearses {
            let skip = f.label("rehearsed");
            f.branch_if(rehearses, true, skip);
            copies.update(f, bin, value);
            f.place(skip);
            return;
        }
        let write = |f: &mut Function| match waiting {
            Some(waiting) => copies.defer(f, bin, value, waiting),
            None => copies.update(f, bin, value),
        };
        match self.later_window {
            // Gangs with other windows do the same iterations again: one of them updates what has no windows.
            Some(later) if !target.template().is_windowed() => {
                let skip = f.label("first_window_only");
                f.branch_if(later, true, skip);
                write(f);
                f.place(skip);
            }
            _ => write(f),
        }
    }

    /// Whether all bins are numbered in 32 bits: the plan refuses what shared memory has no room for.
    pub fn bins_are_narrow(&self) -> bool {
        self.targets.iter().all(|(target, _)| {
            target.placement == Placement::Register || target.template().in_shared_memory()
        })
    }

    /// The inner positions that the gang runs over, if it does not run over all of them: the bins of updates are then
    /// given by the addresses that its window says, and nothing else is updated.
    pub fn columns(&self) -> Option<ColumnWindow> {
        self.copies.first().and_then(|copies| copies.columns())
    }

    /// Begins an iteration of the outer loop, which the gang takes together.
    pub fn begin_slice(&mut self) {
        for copies in &self.copies {
            copies.begin_slice(&mut self.function);
        }
    }

    /// The register that has to hold the first bin of the slice, wherever a bin is updated, if gangs take iterations of the
    /// outer loop together.
    pub fn slice(&self) -> Option<Reg> {
        self.copies.first().and_then(|copies| copies.slice())
    }

    /// Ends an iteration of the outer loop. All threads of the gang come here together.
    pub fn end_slice(&mut self) {
        for copies in &self.copies {
            copies.end_slice(&mut self.function);
        }
    }

    /// Begins an item of a group. Its body is written next, and has at most one update of this target, outside of loops;
    /// [`end_group`](Kernel::end_group) makes the updates of all items of the group, joined where they meet in one bin.
    pub fn begin_item(&mut self, target: usize) {
        if !matches!(self.form, Form::Loop) {
            return;
        }
        let waiting = self.copies[target].waiting(&mut self.function);
        self.waiting[target].extend(waiting);
    }

    /// Ends a group.
    pub fn end_group(&mut self, target: usize) {
        let waiting = std::mem::take(&mut self.waiting[target]);
        if !waiting.is_empty() {
            self.copies[target].settle(&mut self.function, &waiting);
        }
    }

    /// Whether the loop has to be written a second time, between [`begin_recount`](Kernel::begin_recount) and
    /// [`end_recount`](Kernel::end_recount): for gangs whose copies turn out to be wrong.
    pub fn recounts(&self) -> bool {
        self.copies.iter().any(|c| c.recount().is_some())
    }

    /// Whether the loop is being written for the second time. It must give the threads the same iterations as the first.
    pub fn is_recounting(&self) -> bool {
        matches!(self.form, Form::Recount(_))
    }

    /// Writes what comes between the two forms of the loop, see [`strategy::Recount`].
    pub fn begin_recount(&mut self) {
        let f = &mut self.function;
        let copies = self.copies.iter().filter_map(|c| c.recount());
        f.comment("Gangs whose counters have overflowed take their items again.");
        emit!(f, "bar.sync", 0);
        copies.clone().for_each(|c| c.compare(f));
        emit!(f, "bar.sync", 0);
        let differs = value!(f, "differs", "mov.b32", 0);
        for copies in copies.clone() {
            let more = copies.differs(f);
            emit!(f, "or.b32", differs, differs, more);
        }
        let (again, counted) = (f.label("recount"), f.label("counted"));
        let right = value!(f, "right", "setp.eq.u32", differs, 0);
        f.branch_if(right, true, counted);
        let half = value!(f, "half", "mov.u32", 0);
        f.place(again);
        emit!(f, "bar.sync", 0);
        for copies in copies {
            copies.clear(f);
            copies.begin(f, half);
        }
        emit!(f, "bar.sync", 0);
        self.form = Form::Recount(Again {
            again,
            counted,
            half,
        });
    }

    /// Writes what comes behind the second form of the loop.
    pub fn end_recount(&mut self) {
        let form = std::mem::replace(&mut self.form, Form::Loop);
        let Form::Recount(Again {
            again,
            counted,
            half,
        }) = form
        else {
            return;
        };
        let f = &mut self.function;
        let copies = self.copies.iter().filter_map(|c| c.recount());
        emit!(f, "bar.sync", 0);
        copies.clone().for_each(|c| c.end(f));
        emit!(f, "add.u32", half, half, 1);
        let more = value!(f, "more", "setp.lt.u32", half, 2);
        f.branch_if(more, true, again);
        emit!(f, "bar.sync", 0);
        copies.for_each(|c| c.clear(f));
        f.place(counted);
    }

    /// Whether iterations write elements of their own. None of them runs again to tell its fault then, see
    /// [`report_in_full`](Kernel::report_in_full).
    pub fn writes(&self) -> bool {
        self.writes
    }

    /// Writes that the iteration failed, and how: the number of the site, index and length.
    ///
    /// The earliest iteration has its say, so `first` and the rest of the record are written by one thread at a time, which holds
    /// the record by a mark in `first` that no iteration is: they are fewer than 2^63.
    pub fn report_in_full(&mut self, iteration: Reg, [site, index, length]: [Reg; 3]) {
        const HELD: i64 = i64::MIN;
        self.reports += 1;
        let f = &mut self.function;
        let at = |offset| Operand::At(self.error, offset);
        let (again, told) = (f.label("record"), f.label("told"));
        let free = f.label("record_is_free");
        f.place(again);
        let first = value!(f, "first", "ld.relaxed.gpu.global.u64", at(0));
        let held = value!(f, "held", "setp.eq.u64", first, HELD);
        f.branch_if(held, true, again);
        let later = value!(f, "later", "setp.ge.u64", iteration, first);
        f.branch_if(later, true, told);
        let seen = value!(
            f,
            "seen",
            "atom.acquire.gpu.global.cas.b64",
            at(0),
            first,
            HELD
        );
        let mine = value!(f, "mine", "setp.eq.u64", seen, first);
        f.branch_if(mine, false, free);
        for (offset, field) in [(8, site), (16, index), (24, length)] {
            emit!(f, "st.relaxed.gpu.global.u64", at(offset), field);
        }
        emit!(f, "fence.acq_rel.gpu");
        emit!(f, "st.relaxed.gpu.global.u64", at(0), iteration);
        f.place(free);
        f.branch_if(mine, false, again);
        f.place(told);
    }

    /// Writes that the iteration failed, in the fast form that says no more.
    pub fn report(&mut self, iteration: Reg) {
        self.reports += 1;
        let at = Operand::At(self.error, 0);
        emit!(
            self.function,
            format!("red.{}.min.u64", Space::Global.name()),
            at,
            iteration
        );
    }
}

/// Bytes of shared memory that a kernel with these targets declares itself.
pub fn static_shared(targets: &[Target]) -> u32 {
    let own = targets.iter().map(|t| t.template().static_shared(t));
    match targets.is_empty() {
        true => 0,
        false => own.sum::<u32>() + LAST_BYTES + lookback::static_shared(targets),
    }
}

/// The module of a kernel: its own entries, and those that make its scratch memory neutral and merge it. `functions` is the text of those that it calls.
pub fn module(
    abi: &KernelAbi,
    own: &[&Function],
    header: Vec<String>,
    functions: &str,
) -> ModuleText {
    let mut module = ModuleText::new(abi.sm, header);
    if abi
        .targets
        .iter()
        .any(|t| t.placement.template().in_shared_memory())
    {
        module.declare(format!(".extern .shared .align 16 .b8 {DYNAMIC_SHARED}[];"));
    }
    let auxiliary: Vec<String> = abi
        .targets
        .iter()
        .flat_map(|t| {
            [
                library::merge_entry(t.op, t.elem),
                library::initialise_entry(t.op, t.elem),
            ]
        })
        .collect();
    let mut auxiliary: Vec<&str> = auxiliary.iter().map(String::as_str).collect();
    auxiliary.extend(abi.sample.as_ref().map(|_| sample::ENTRY));
    if !functions.is_empty() {
        module.library(functions);
    }
    own.iter().for_each(|function| module.function(function));
    module.library(library::closure_of(&auxiliary));
    module
}
