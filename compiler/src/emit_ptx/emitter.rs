//! What is at hand while a kernel's loop is printed: inputs, variables, fault sites, the current item.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use accrue_ptx::abi::{FaultKind, FaultSite};
use accrue_ptx::kernel::Kernel;
use accrue_ptx::writer::{Class, Function, Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::Options;
use super::again::Again;
use super::dealt::Cut;
use super::lookback::{Carried, Carrying};
use super::narrow::Narrow;
use super::overlap::Overlap;
use super::patches::Patches;
use super::rows::{Part, Rows};
use super::slices::Slices;
use super::spans::Spanned;
use super::staged::Staged;
use super::steady::Steady;
use super::steps::Steps;
use super::stores::Slot;
use super::stream::Streams;
use super::strips::PatchAt;
use super::together::Together;
use super::value::{Num, Value};
use super::winners::Winner;
use crate::ir::visit::Visit;
use crate::ir::{
    ArrayId, Body, ExprKind, Length, Literal, Loop, LoopLabel, Place, Projection, Root, Scalar,
    SourceId, Stmt, StmtKind, Target, Type, VarId,
};
use crate::plan::Obstacle;
use crate::source::SourceMap;

/// What printing gives, or why it cannot be printed.
pub(super) type Result<T> = std::result::Result<T, Obstacle>;

/// The printer of one kernel's loop.
pub(super) struct Emitter<'a> {
    pub(super) lp: &'a Loop,
    pub(super) targets: &'a [Target],
    pub(super) options: &'a Options,
    pub(super) streams: &'a Streams,
    /// The loop as rows, where the kernel takes it so.
    pub(super) rows: Option<&'a Rows>,
    /// The same as slices.
    pub(super) slices: Option<&'a Slices>,
    /// The loop as patches, where it is printed so.
    pub(super) patches: Option<&'a Patches>,
    /// The loop in blocks of iterations, where it is printed so.
    pub(super) staged: Option<&'a Staged<'a>>,
    /// What iterations carry along, where they do.
    pub(super) carrying: Option<&'a Carrying>,
    pub(super) carried: Carried,
    /// The steps that iterations are, where they follow each other.
    pub(super) steps: Option<Steps<'a>>,
    /// How steps may overlap, if they may.
    pub(super) overlap: Option<&'a Overlap<'a>>,
    /// How many patches there are.
    pub(super) cut: Option<Cut>,
    /// Where the current patch is, and which of its places are written by all of its iterations together: what the current one has.
    pub(super) patch_at: Option<PatchAt>,
    pub(super) waiting: Vec<(*const Place, Option<Num>)>,
    /// What is printed of the rows.
    pub(super) part: Part,
    pub(super) kernel: Kernel,
    pub(super) inputs: Inputs,
    /// The loop's body, and inside it the functions being inlined, innermost last.
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) item: Item,
    /// The positions of the last item, in every dimension.
    pub(super) positions: Vec<Reg>,
    pub(super) faults: Vec<FaultSite>,
    /// While a form of the loop is printed that is only run where small indices cannot be out of range: the lengths
    /// that it relies on, in 32 bits, and what they have to be larger than.
    pub(super) assumed: Option<Vec<(Reg, u64)>>,
    /// While bins of a tile are checked together: whether one is out of range, and how many checks have been put off.
    pub(super) deferred: Option<Reg>,
    pub(super) deferrals: u32,
    /// While items are printed whose updates are made together.
    pub(super) together: Option<Together>,
    /// Places in the inner loop that is being printed whose indices have been checked.
    pub(super) spans: HashMap<*const Place, Spanned<'a>>,
    /// Others of which only that is known.
    pub(super) unchecked: HashSet<*const Place>,
    /// Expressions in it that fit 32 bits.
    pub(super) narrow: Narrow,
    /// What has been computed before that loop.
    pub(super) steady: Steady,
    /// What loops around the current place compute more than once.
    pub(super) again: Again,
    /// Targets of best items while a vector's items are printed.
    pub(super) winners: Vec<Winner>,
    /// What the items of the current vector have written so far, where that is streamed.
    pub(super) kept: BTreeMap<Slot, Num>,
    /// Where a vector whose items write leads to when one of them has failed.
    pub(super) abandoned: Option<Label>,
    /// Functions of the device library that are called.
    pub(super) library: BTreeSet<String>,
    sources: &'a SourceMap,
}

/// Registers of the parameters.
#[derive(Default)]
pub(super) struct Inputs {
    /// Device addresses of the arrays that are read.
    pub(super) pointers: HashMap<ArrayId, Reg>,
    /// Lengths of all arrays.
    pub(super) lengths: HashMap<ArrayId, Reg>,
    /// For the register of a length, the length in 32 bits, or 2^32 - 1 where it is larger.
    pub(super) clipped: HashMap<Reg, Reg>,
    /// Captured values.
    pub(super) captured: HashMap<VarId, Num>,
    /// Counts of the dimensions.
    pub(super) counts: Vec<Reg>,
    /// Whether the range is a single iteration, whose fault is told in full.
    pub(super) single: Option<Reg>,
}

/// One body being printed.
pub(super) struct Frame<'a> {
    pub(super) body: &'a Body,
    pub(super) facts: Facts,
    pub(super) vars: HashMap<VarId, Value>,
    /// The sequential loops around the current place, innermost last.
    pub(super) loops: Vec<LoopTargets>,
    /// Where `return` goes, and the registers of the result.
    pub(super) returns: Option<(Label, Value)>,
}

/// Where `continue` and `break` of a sequential loop go.
pub(super) struct LoopTargets {
    pub(super) label: LoopLabel,
    pub(super) next: Label,
    pub(super) done: Label,
    pub(super) result: Value,
}

/// The iteration being printed.
#[derive(Clone)]
pub(super) struct Item {
    /// Which iteration it is.
    pub(super) number: Number,
    /// Where the iteration ends.
    pub(super) next: Label,
    /// Where it tells that it has failed, if a fault has led there: where no iteration may run again.
    pub(super) failed: Option<Failed>,
    /// The words loaded for its vector, by stream; none in the path that takes one item at a time.
    pub(super) loaded: Option<Vec<Vec<Reg>>>,
    /// Whether comments are printed; they are the same for all items of a vector.
    pub(super) commented: bool,
}

/// Where an iteration that has failed tells so, and what it tells: its number; site, index and length.
#[derive(Clone, Copy)]
pub(super) struct Failed {
    pub(super) label: Label,
    pub(super) iteration: Reg,
    pub(super) told: [Reg; 3],
}

/// The number of an iteration. That of an item of a vector is only computed where it is needed: the registers
/// that it takes are better spent on vectors in flight.
#[derive(Clone, Copy)]
pub(super) enum Number {
    /// In a register.
    At(Reg),
    /// Item `offset` of the vector `ahead` strides behind `vector`.
    Vector {
        /// The first vector in flight.
        vector: Reg,
        /// Vectors from one in flight to the next.
        stride: Reg,
        /// Which one in flight it is.
        ahead: u32,
        /// The iteration that vector 0 starts with.
        begin: Reg,
        /// The item in the vector.
        offset: u32,
    },
}

/// What is known of a body before it is printed.
#[derive(Default)]
pub(super) struct Facts {
    /// Variables that are assigned after their declaration, or declared without a value.
    pub(super) assigned: HashSet<VarId>,
    /// Variables indexed by what is not a literal: their arrays are in local memory.
    pub(super) indexed: HashSet<VarId>,
}

impl Facts {
    pub(super) fn of(body: &Body) -> Facts {
        let mut facts = Facts::default();
        facts.block(&body.block);
        facts
    }

    fn place(&mut self, place: &Place) {
        let constant = |p: &Projection| match p {
            Projection::Index(index) => {
                matches!(index.index.kind, ExprKind::Literal(Literal::Int(_)))
                    && index.base.is_none()
            }
            Projection::Field(_) => true,
        };
        if let Root::Var(var) = place.root
            && !place.path.iter().all(constant)
        {
            self.indexed.insert(var);
        }
    }
}

impl Visit for Facts {
    fn load(&mut self, place: &Place) {
        self.place(place);
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        self.place(place);
        if let Root::Var(var) = place.root {
            self.assigned.insert(var);
        }
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(var, None) = stmt.kind {
            self.assigned.insert(var);
        }
        self.stmt_parts(stmt);
    }
}

impl<'a> Emitter<'a> {
    /// A printer whose kernel has its prologue.
    pub(super) fn new(
        lp: &'a Loop,
        targets: &'a [Target],
        streams: &'a Streams,
        options: &'a Options,
        sources: &'a SourceMap,
        mut kernel: Kernel,
    ) -> Emitter<'a> {
        // Replaced before the first item is printed.
        let next = kernel.function.label("unused");
        let number = Number::At(kernel.begin);
        let item = Item {
            number,
            next,
            failed: None,
            loaded: None,
            commented: true,
        };
        Emitter {
            lp,
            targets,
            options,
            streams,
            rows: None,
            slices: None,
            patches: None,
            staged: None,
            carrying: None,
            carried: Carried::default(),
            steps: None,
            overlap: None,
            cut: None,
            patch_at: None,
            waiting: Vec::new(),
            part: Part::All,
            kernel,
            inputs: Inputs::default(),
            frames: Vec::new(),
            item,
            positions: Vec::new(),
            faults: Vec::new(),
            assumed: None,
            deferred: None,
            deferrals: 0,
            together: None,
            spans: HashMap::new(),
            unchecked: HashSet::new(),
            narrow: Narrow::default(),
            steady: Steady::new(),
            again: Again::new(),
            winners: Vec::new(),
            kept: BTreeMap::new(),
            abandoned: None,
            library: BTreeSet::new(),
            sources,
        }
    }

    /// The function being written.
    pub(super) fn f(&mut self) -> &mut Function {
        &mut self.kernel.function
    }

    /// The innermost body.
    pub(super) fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("a body is being printed")
    }

    /// A comment with the user's text.
    pub(super) fn say(&mut self, source: SourceId) {
        if !self.item.commented || source.0 as usize >= self.sources.len() {
            return;
        }
        let source = self.sources.get(source);
        let text = match source.line {
            0 => source.text.clone(),
            line => format!("{line}: {}", source.text),
        };
        // The first line of a loop or a long expression says which it is.
        let text: String = match text.char_indices().nth(100) {
            Some((at, _)) => format!("{} …", &text[..at]),
            None => text,
        };
        self.f().comment(&text);
    }

    /// Why something cannot be printed.
    pub(super) fn obstacle(
        &self,
        source: SourceId,
        why: impl Into<String>,
        help: Option<&str>,
    ) -> Obstacle {
        Obstacle {
            why: why.into(),
            help: help.map(str::to_owned),
            source,
        }
    }

    /// The number of a fault site.
    fn site(&mut self, kind: FaultKind, text: String, source: SourceId) -> u32 {
        let site = FaultSite {
            kind,
            text: text.into(),
            source: source.0,
        };
        let at = self
            .faults
            .iter()
            .position(|s| *s == site)
            .unwrap_or_else(|| {
                self.faults.push(site);
                self.faults.len() - 1
            });
        at as u32
    }

    /// Fails the iteration where a predicate holds (or does not). For an index, the index and the length.
    pub(super) fn fault_if(
        &mut self,
        predicate: Reg,
        holds: bool,
        kind: FaultKind,
        text: String,
        source: SourceId,
        index: Option<(Num, Num)>,
    ) {
        if let Some(otherwise) = self.together.as_mut().map(Together::otherwise) {
            self.f().branch_if(predicate, holds, otherwise);
            return;
        }
        let fault = self.f().label("fault");
        self.f().branch_if(predicate, holds, fault);
        self.f().open_out_of_line();
        self.f().place(fault);
        self.report(kind, text, source, index);
        self.f().close_out_of_line();
    }

    /// Fails the iteration.
    pub(super) fn report(
        &mut self,
        kind: FaultKind,
        text: String,
        source: SourceId,
        index: Option<(Num, Num)>,
    ) {
        if let Some(otherwise) = self.together.as_mut().map(Together::otherwise) {
            self.f().branch(otherwise, false);
            return;
        }
        if self.carried.in_terms {
            return self.fail_terms();
        }
        if self.kernel.writes() {
            return self.tell(kind, text, source, index);
        }
        let next = self.item.next;
        let iteration = self.iteration();
        self.kernel.report(iteration);
        let site = self.site(kind, text, source);
        // Only the path for single items can be run for a single iteration.
        if let (None, Some(single)) = (&self.item.loaded, self.inputs.single) {
            self.f().branch_if(single, false, next);
            let error = self.kernel.error;
            emit!(self.f(), "st.global.u64", Operand::At(error, 8), site);
            if let Some((index, length)) = index {
                let (index, length) = (self.wide(index), self.wide(length));
                emit!(self.f(), "st.global.u64", Operand::At(error, 16), index);
                emit!(self.f(), "st.global.u64", Operand::At(error, 24), length);
            }
        }
        self.f().branch(next, false);
    }

    /// Leads to where the iteration tells its fault in full.
    fn tell(&mut self, kind: FaultKind, text: String, source: SourceId, index: Option<(Num, Num)>) {
        let site = self.site(kind, text, source);
        let failed = match self.item.failed {
            Some(failed) => failed,
            None => {
                let f = self.f();
                let told = ["site", "index", "length"].map(|name| f.reg(Class::B64, name));
                let iteration = f.reg(Class::B64, "iteration");
                let label = f.label("failed");
                *self.item.failed.insert(Failed {
                    label,
                    iteration,
                    told,
                })
            }
        };
        let iteration = self.iteration();
        self.f().assign(failed.iteration, iteration);
        let (index, length) = match index {
            Some((index, length)) => (self.wide(index), self.wide(length)),
            None => (0.into(), 0.into()),
        };
        let f = self.f();
        for (to, value) in failed.told.into_iter().zip([site.into(), index, length]) {
            f.assign(to, value);
        }
        f.branch(failed.label, false);
    }

    /// The number of the current iteration.
    pub(super) fn iteration(&mut self) -> Reg {
        if let Some(patches) = self.patches {
            return self.iteration_of_patch(patches);
        }
        if let Some(iteration) = self.iteration_of_step() {
            return iteration;
        }
        if let Part::Slices(slice) = self.part
            && let Some(iteration) = self.iteration_of_slice(slice)
        {
            return iteration;
        }
        let item = self.item_number();
        match (self.rows, self.part) {
            (Some(rows), Part::Rows { position, .. }) if rows.flat => {
                let count = self.inputs.counts[1];
                let f = self.f();
                let position = value!(f, "position", "cvt.u64.u32", position);
                value!(f, "iteration", "mad.lo.u64", item, count, position)
            }
            _ => item,
        }
    }

    /// The number of the iteration that the current row and column of a patch are.
    fn iteration_of_patch(&mut self, patches: &Patches) -> Reg {
        let mut positions = self.positions.clone();
        let last = positions.len() - 1;
        let columns = patches.columns.map(|columns| (last, columns));
        let sides = [(patches.shape.dim, patches.rows)]
            .into_iter()
            .chain(columns);
        for (dim, side) in sides {
            let at = match self.frames[0].vars.get(&side.at) {
                Some(Value::Num(at)) => *at,
                _ => Num::int(Scalar::Usize, 0),
            };
            positions[dim] = self.reg(at);
        }
        let row = positions[0];
        let counts = self.inputs.counts.clone();
        let numbered = positions.into_iter().zip(counts);
        numbered
            .reduce(|(outer, _), (position, count)| {
                let f = self.f();
                let number = value!(f, "iteration", "mad.lo.u64", outer, count, position);
                (number, count)
            })
            .map_or(row, |(number, _)| number)
    }

    /// The number of the current item: of the iteration, or of the row.
    pub(super) fn item_number(&mut self) -> Reg {
        match self.item.number {
            Number::At(reg) => reg,
            Number::Vector {
                vector,
                stride,
                ahead,
                begin,
                offset,
            } => {
                let items = self.streams.items;
                let f = self.f();
                let vector = match ahead {
                    0 => vector,
                    _ => value!(f, "vector", "mad.lo.u64", stride, ahead, vector),
                };
                let first = value!(f, "first", "mad.lo.u64", vector, items, begin);
                match offset {
                    0 => first,
                    _ => value!(f, "iteration", "add.u64", first, offset),
                }
            }
        }
    }

    /// Fails the iteration where an index is not less than a length. Nothing where that cannot be.
    pub(super) fn check_index(
        &mut self,
        index: Num,
        length: Num,
        kind: FaultKind,
        text: &str,
        source: SourceId,
    ) {
        if let (Some(max), Some(length)) = (index.max, length.constant())
            && i128::from(max) < length
        {
            return;
        }
        let details = Some((index, length));
        let clipped = length
            .operand
            .reg()
            .and_then(|reg| self.inputs.clipped.get(&reg).copied());
        let clipped = match clipped {
            None if index.is_narrow() => self.clip(length),
            clipped => clipped,
        };
        let (true, Some(clipped)) = (index.is_narrow(), clipped) else {
            let outside = self.compare(crate::ir::BinaryOp::Ge, index, length);
            let outside = self.reg(outside);
            self.fault_if(outside, true, kind, text.to_owned(), source, details);
            return;
        };
        let small = match self.part {
            Part::Rows { .. } => SMALL_POSITION,
            Part::All | Part::Slices(_) | Part::Faults => SMALL_INDEX,
        };
        if let (Some(assumed), Some(max)) = (&mut self.assumed, index.max)
            && max <= small
        {
            if !assumed.contains(&(clipped, max)) {
                assumed.push((clipped, max));
            }
            return;
        }
        let low = self.low(index);
        let low = match low {
            Operand::Reg(reg) => reg,
            constant => value!(self.f(), "constant", "mov.b32", constant),
        };
        if let (Some(outside), FaultKind::BinIndex) = (self.deferred, kind) {
            self.deferrals += 1;
            emit!(self.f(), "setp.ge.or.u32", outside, low, clipped, outside);
            return;
        }
        if kind == FaultKind::BinIndex && self.check_together(low, clipped) {
            return;
        }
        let outside = value!(self.f(), "outside", "setp.ge.u32", low, clipped);
        if self.together.is_some() {
            return self.fault_if(outside, true, kind, text.to_owned(), source, details);
        }
        let fault = self.f().label("fault");
        let inside = self.f().label("inside");
        self.f().branch_if(outside, true, fault);
        let narrow = kind == FaultKind::BinIndex && self.kernel.bins_are_narrow();
        let can_be_clipped = !narrow && index.max.is_none_or(|m| m >= u64::from(u32::MAX));
        if can_be_clipped {
            self.f().place(inside);
        }
        self.f().open_out_of_line();
        self.f().place(fault);
        if can_be_clipped {
            // The last index of 32 bits is in range of a length that does not fit them.
            let index = self.wide(index);
            let truly = value!(self.f(), "outside", "setp.lt.u64", index, length.operand);
            self.f().branch_if(truly, true, inside);
        }
        self.report(kind, text.to_owned(), source, details);
        self.f().close_out_of_line();
    }

    /// The length of a fixed-size array.
    pub(super) fn length(&mut self, length: &Length, source: SourceId) -> Result<Num> {
        match length {
            Length::Known(n) => Ok(Num::int(Scalar::Usize, i128::from(*n))),
            Length::Captured(var) => match self.inputs.captured.get(var) {
                Some(num) => Ok(*num),
                None => {
                    Err(self.obstacle(source, "the length of an array is not known here", None))
                }
            },
        }
    }

    /// The number of elements of a captured array.
    pub(super) fn array_length(&mut self, array: ArrayId) -> Num {
        use crate::ir::Extent;
        match &self.lp.array(array).extent {
            Extent::Fixed(Length::Known(n)) => Num::int(Scalar::Usize, i128::from(*n)),
            Extent::Fixed(Length::Captured(_)) | Extent::Runtime => {
                Num::reg(Scalar::Usize, self.inputs.lengths[&array])
            }
        }
    }

    /// Whether a variable's arrays are in local memory.
    pub(super) fn is_local(&mut self, var: VarId) -> bool {
        let frame = self.frame();
        frame.facts.indexed.contains(&var)
            || scalars(&frame.body.vars[var.0 as usize].ty) > MOST_PARTS
    }
}

/// The largest index that is small: that of a byte.
const SMALL_INDEX: u64 = 0xff;

/// The largest inner position of rows that is small.
const SMALL_POSITION: u64 = 0xfff;

/// Arrays of more scalars are in local memory, and are not copied as values.
pub(super) const MOST_PARTS: u64 = 64;

/// How many scalars a value of a type is; the most there can be where a length is not known.
pub(super) fn scalars(ty: &Type) -> u64 {
    match ty {
        Type::Array(elem, Length::Known(n)) => scalars(elem).saturating_mul(*n),
        Type::Array(_, Length::Captured(_)) => u64::MAX,
        Type::Tuple(parts) => parts.iter().map(scalars).fold(0, u64::saturating_add),
        Type::Struct(s) => s
            .fields
            .iter()
            .map(|(_, t)| scalars(t))
            .fold(0, u64::saturating_add),
        Type::Unit | Type::Never => 0,
        Type::Scalar(_) | Type::Opaque(_) | Type::Integer(_) | Type::Infer(_) => 1,
    }
}
