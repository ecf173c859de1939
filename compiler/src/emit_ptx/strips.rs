//! Strips: the iterations of a patch, printed one by one over lines that are loaded once.
//!
//! ```text
//! everything in range, and rows and columns all there?        else: the iterations as they are written, which tell their faults
//! lines, 16 bytes at a time where all are aligned             else: element by element, out of line, into the same registers
//! statements of the iterations of a group …
//! stores, 16 bytes at a time where they are aligned           else: element by element
//! ```
//!
//! Rows need not start where lines are aligned. Patches do: those at the left end start up to 15 bytes before the row, and those at the
//! right end go on behind it. Where iterations cannot fail and write nothing but elements of their own that nobody reads, those that
//! are not there are computed, and not stored; likewise the rows that a last patch shares with the one before it. What a patch loads
//! lies between the first and the last of its elements, which are compared with the array.

use std::collections::HashMap;

use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand, Reg};

use super::emitter::{Emitter, LoopTargets, Result};
use super::families::{Along, Families, Family, Use};
use super::linear::Atom;
use super::patches::{self, Patches};
use super::place::Memory;
use super::schedule::{AHEAD, Line, Piece, Schedule};
use super::spans::Spanned;
use super::stores::store_words;
use super::value::{Num, Value, memory};
use crate::dependence::{Param, Poly};
use crate::ir::{ForLoop, LoopLabel, Place, Scalar, SourceId, Stmt, Type, VarId};

/// Where a patch is.
#[derive(Clone, Copy)]
pub(super) struct PatchAt {
    /// Its first row and its first column, which may be before 0.
    pub(super) row: Reg,
    pub(super) column: Reg,
}

/// A patch while it is printed.
struct Strip<'a> {
    families: Families,
    schedule: Schedule,
    stmts: &'a [Stmt],
    source: SourceId,
    rows: u32,
    columns: u32,
    at: PatchAt,
    products: HashMap<Vec<Param>, Reg>,
    /// Of each family its first line, the address of that, and what a line adds.
    starts: Vec<Start>,
    lines: HashMap<Line, Reg>,
    words: HashMap<Line, Vec<(Piece, Vec<Reg>)>>,
    elements: HashMap<(usize, i32, i32), Num>,
    /// Whether lines that are loaded in pieces are aligned, and those that are stored.
    aligned: [Option<Reg>; 2],
    /// Whether all iterations are there, where some may not be, and which are.
    whole: Option<Reg>,
    shared: Option<Shared>,
}

#[derive(Clone, Copy)]
struct Start {
    line: i32,
    address: Reg,
    step: Operand,
    /// What an element adds, where it is no number.
    apart: Option<Reg>,
}

/// Which iterations of a patch are its own.
#[derive(Clone, Copy)]
struct Shared {
    /// The first row of its own, and the first that it computes.
    own: Reg,
    first: Reg,
    height: Reg,
    width: Reg,
}

/// An iteration of the patch: its row, its column, and its variables.
struct Lane {
    row: u32,
    column: u32,
    vars: HashMap<VarId, Value>,
}

impl<'a> Emitter<'a> {
    /// Prints the loop over the rows of a patch.
    pub(super) fn strip(&mut self, patches: &'a Patches, inner: &'a ForLoop) -> Result<Value> {
        let (Some(columns), Some(at)) = (patches.columns, self.patch_at) else {
            unreachable!("a patch of several columns")
        };
        let lp = self.lp;
        let shape = patches.shape;
        let stmts = patches::body(lp, shape);
        let families = Families::of(lp, stmts, patches.rows.at, columns.at);
        let families = families.expect("patches have several columns for what they find here");
        let schedule = families.schedule(shape.rows, shape.columns, stmts.len());
        let mut strip = Strip {
            schedule,
            stmts,
            source: inner.count.source,
            rows: shape.rows,
            columns: shape.columns,
            at,
            products: HashMap::new(),
            starts: Vec::new(),
            lines: HashMap::new(),
            words: HashMap::new(),
            elements: HashMap::new(),
            aligned: [None, None],
            whole: None,
            shared: None,
            families,
        };
        let inside = self.all_there(&mut strip, patches)?;
        let (as_written, done) = (self.f().label("as_written"), self.f().label("end_patch"));
        self.f().branch_if(inside, false, as_written);
        let alignment = self.alignment(&strip);
        strip.aligned = alignment;
        let commented = self.item.commented;
        let vars = self.frame().vars.clone();
        match strip.families.in_step {
            true => self.in_step(&mut strip, patches, columns.at)?,
            false => self.one_by_one_of(&mut strip, patches, columns.at)?,
        }
        self.spans.clear();
        self.waiting.clear();
        self.frame().vars = vars;
        self.item.commented = commented;
        self.f().place(done);
        self.f().open_out_of_line();
        self.f().place(as_written);
        let count = self.expr(&inner.count)?.num();
        self.positions_of(inner, count, None)?;
        self.f().branch(done, false);
        self.f().close_out_of_line();
        Ok(Value::Unit)
    }

    /// Whether a patch can be printed as one: whether what it touches is there, and all of its iterations are, or may run in vain.
    fn all_there(&mut self, strip: &mut Strip<'a>, patches: &Patches) -> Result<Reg> {
        let shape = patches.shape;
        let height = self.inputs.counts[shape.dim];
        let width = self.inputs.counts[self.inputs.counts.len() - 1];
        let (rows, columns) = (shape.rows, shape.columns);
        let PatchAt { row, column } = strip.at;
        let mut inside;
        match strip.families.in_vain {
            true => {
                // The last patch takes rows of the one before it.
                let f = self.f();
                let enough = value!(f, "enough", "max.u64", height, rows);
                let last = value!(f, "last", "sub.u64", enough, rows);
                let first = value!(f, "first_row", "min.u64", row, last);
                strip.at.row = first;
                strip.shared = Some(Shared {
                    own: row,
                    first,
                    height,
                    width,
                });
                let own = value!(f, "whole", "setp.eq.u64", first, row);
                let end = value!(f, "end", "add.u64", row, rows);
                let whole = value!(f, "whole", "setp.le.and.u64", end, height, own);
                let end = value!(f, "end", "add.u64", column, columns);
                let whole = value!(f, "whole", "setp.le.and.s64", end, width, whole);
                let whole = value!(f, "whole", "setp.ge.and.s64", column, 0, whole);
                strip.whole = Some(whole);
                inside = value!(f, "inside", "setp.lt.s64", column, width);
            }
            false => {
                let f = self.f();
                let end = value!(f, "end", "add.u64", row, rows);
                inside = value!(f, "inside", "setp.le.u64", end, height);
                let end = value!(f, "end", "add.u64", column, columns);
                inside = value!(f, "inside", "setp.le.and.u64", end, width, inside);
                inside = value!(f, "inside", "setp.lt.and.u64", column, width, inside);
            }
        }
        for n in 0..strip.families.list.len() {
            self.start(strip, n, &mut inside);
        }
        let checks: Vec<(Poly, Poly)> = {
            let mut checks: Vec<(Poly, Poly)> = Vec::new();
            for check in strip.families.list.iter().flat_map(|f| &f.checks) {
                if !checks.contains(check) {
                    checks.push(check.clone());
                }
            }
            checks
        };
        for (index, limit) in checks {
            let split = |var, poly: &Poly| super::linear::split(poly, var);
            let row = split(patches.rows.at, &index).map(|(_, f)| f);
            let column = patches
                .columns
                .and_then(|c| split(c.at, &index))
                .map(|(_, f)| f);
            let (row, column) = (row.unwrap_or_default(), column.unwrap_or_default());
            let corner = index.clone()
                + row.clone() * Poly::constant(i128::from(rows - 1))
                + column.clone() * Poly::constant(i128::from(columns - 1));
            let limit = self.poly(strip, &limit);
            for at in [index, corner] {
                let at = self.poly_reg(strip, &at);
                inside = value!(self.f(), "inside", "setp.lt.and.u64", at, limit, inside);
            }
            for stride in [row, column] {
                self.small(strip, &stride, &mut inside);
            }
        }
        Ok(inside)
    }

    /// Compares a stride with what keeps sums of a few of them from wrapping.
    fn small(&mut self, strip: &mut Strip<'a>, stride: &Poly, inside: &mut Reg) {
        if stride.as_constant().is_none() {
            let stride = self.poly_reg(strip, stride);
            let f = self.f();
            *inside = value!(f, "inside", "setp.lt.and.u64", stride, 1i64 << 34, *inside);
        }
    }

    /// Where a family starts, and whether it is in its array.
    fn start(&mut self, strip: &mut Strip<'a>, n: usize, inside: &mut Reg) {
        let family: Family = strip.families.list[n].clone();
        let ranges = strip.families.lines(strip.rows, strip.columns).into_iter();
        let ranges: Vec<(i32, (i32, i32))> = ranges
            .filter(|((of, _), _)| *of == n)
            .map(|((_, line), range)| (line, range))
            .collect();
        let pieces = |line: i32| strip.schedule.pieces.get(&(n, line)).into_iter().flatten();
        let first = ranges.iter().map(|(line, _)| *line).min().unwrap_or(0);
        let last = ranges.iter().map(|(line, _)| *line).max().unwrap_or(0);
        let from = ranges
            .iter()
            .flat_map(|(line, (from, _))| pieces(*line).map(|p| p.first).chain([*from]));
        let from = from.min().unwrap_or(0);
        let to = ranges.iter().flat_map(|(line, (_, to))| {
            let ends = pieces(*line).map(|p| p.first + p.count as i32);
            ends.chain([*to])
        });
        let to = to.max().unwrap_or(1) - 1;
        let number = |n: i32| Poly::constant(i128::from(n));
        let step = family.step().clone();
        let element = match family.along {
            Along::Nowhere => family.column.clone(),
            Along::Columns | Along::Rows => number(family.size() as i32),
        };
        let base = family.base.clone() + step.clone() * number(first);
        let low = base.clone() + element.clone() * number(from);
        let high =
            base.clone() + step.clone() * number(last - first) + element.clone() * number(to);
        let known = |p: &Poly| p.as_constant();
        let is_there = match (known(&low), known(&high), known(&family.length)) {
            (Some(low), Some(high), Some(length)) => 0 <= low && high < length,
            _ => false,
        };
        let base = self.poly_reg(strip, &base);
        let pointer = self.inputs.pointers[&family.array];
        let address = value!(self.f(), "start", "add.u64", pointer, base);
        let (step_by, apart) = (
            self.poly(strip, &step),
            element
                .as_constant()
                .is_none()
                .then(|| self.poly_reg(strip, &element)),
        );
        if !is_there {
            let length = self.poly(strip, &family.length);
            for (offset, line, element_at) in [(from, 0, from), (to, last - first, to)] {
                let f = self.f();
                let mut at = base;
                if line != 0 {
                    at = value!(f, "at", "mad.lo.u64", step_by, line, at);
                }
                at = match apart {
                    Some(apart) if element_at != 0 => {
                        value!(f, "at", "mad.lo.u64", apart, element_at, at)
                    }
                    None if offset != 0 => {
                        let bytes = element.as_constant().unwrap_or(0) * i128::from(offset);
                        value!(f, "at", "add.u64", at, bytes as i64)
                    }
                    _ => at,
                };
                *inside = value!(f, "inside", "setp.lt.and.u64", at, length, *inside);
            }
            self.small(strip, &step, inside);
            self.small(strip, &element, inside);
        }
        strip.starts.push(Start {
            line: first,
            address,
            step: step_by,
            apart,
        });
    }

    /// Whether lines that are loaded are all aligned, and those that are stored.
    fn alignment(&mut self, strip: &Strip<'a>) -> [Option<Reg>; 2] {
        let mut both = [None, None];
        for (n, family) in strip.families.list.iter().enumerate() {
            let length = strip.families.length(n, strip.rows, strip.columns);
            let bytes = i64::from(family.unit(length) * family.size());
            if bytes <= i64::from(family.size()) {
                continue;
            }
            let start = strip.starts[n];
            let f = self.f();
            let offset = i64::from(family.aligned) * i64::from(family.size());
            let mut bits = value!(f, "off", "add.u64", start.address, offset);
            if let Operand::Reg(step) = start.step {
                bits = value!(f, "off", "or.b64", bits, step);
            }
            let known = match start.step {
                Operand::Int(step) => step % bytes == 0,
                _ => true,
            };
            let off = match known {
                true => value!(f, "off", "and.b64", bits, bytes - 1),
                false => value!(f, "off", "mov.b64", 1),
            };
            for (which, all) in both.iter_mut().enumerate() {
                let is_it = |u: &&Use| match which {
                    0 => u.reads && u.kept,
                    _ => u.writes && u.kept,
                };
                if strip
                    .families
                    .uses
                    .iter()
                    .filter(is_it)
                    .any(|u| u.family == n)
                {
                    *all = Some(match *all {
                        None => value!(f, "aligned", "setp.eq.u64", off, 0),
                        Some(so_far) => value!(f, "aligned", "setp.eq.and.u64", off, 0, so_far),
                    });
                }
            }
        }
        both
    }

    /// Statements of all iterations of a group, one after the other.
    fn in_step(&mut self, strip: &mut Strip<'a>, patches: &Patches, column: VarId) -> Result<()> {
        let vars = self.frame().vars.clone();
        let commented = self.item.commented;
        let mut batch = 0;
        for (g, group) in strip.schedule.groups.clone().into_iter().enumerate() {
            let mut lanes = self.lanes(strip, group, &vars, (patches.rows.at, column));
            for (s, stmt) in strip.stmts.iter().enumerate() {
                let step = g * strip.stmts.len() + s;
                // What is needed here and soon.
                while let Some((at, _)) = strip.schedule.batches.get(batch) {
                    if *at > step + AHEAD {
                        break;
                    }
                    self.load_lines(strip, batch)?;
                    batch += 1;
                }
                let uses = self.uses_of(strip, s);
                for lane in &lanes {
                    self.elements_of(strip, &uses, lane);
                }
                let mut written = Vec::new();
                for (n, lane) in lanes.iter_mut().enumerate() {
                    self.item.commented = commented && n == 0 && g == 0;
                    std::mem::swap(&mut self.frame().vars, &mut lane.vars);
                    self.know(strip, &uses, lane);
                    self.stmt(stmt)?;
                    self.taken(&mut written, (lane.row, lane.column));
                    std::mem::swap(&mut self.frame().vars, &mut lane.vars);
                }
                self.flush(strip, &uses, written)?;
            }
        }
        Ok(())
    }

    /// All statements of an iteration, then those of the next.
    fn one_by_one_of(
        &mut self,
        strip: &mut Strip<'a>,
        patches: &Patches,
        column: VarId,
    ) -> Result<()> {
        let vars = self.frame().vars.clone();
        for batch in 0..strip.schedule.batches.len() {
            self.load_lines(strip, batch)?;
        }
        let rows = 0..strip.rows;
        let lanes = self.lanes(strip, rows, &vars, (patches.rows.at, column));
        let uses: Vec<Use> = strip.families.uses.clone();
        let mut written = Vec::new();
        for (n, mut lane) in lanes.into_iter().enumerate() {
            let (row, at_end) = (lane.row, lane.column + 1 == strip.columns);
            self.item.commented &= n == 0;
            self.elements_of(strip, &uses, &lane);
            std::mem::swap(&mut self.frame().vars, &mut lane.vars);
            self.know(strip, &uses, &lane);
            let next = self.f().label("next_column");
            self.frame().loops.push(LoopTargets {
                label: LoopLabel(1),
                next,
                done: next,
                result: Value::Unit,
            });
            for stmt in strip.stmts {
                if self.stmt(stmt)?.is_never() {
                    break;
                }
            }
            self.frame().loops.pop();
            self.f().place(next);
            self.taken(&mut written, (lane.row, lane.column));
            if at_end && (!strip.families.across || row + 1 == strip.rows) {
                self.flush(strip, &uses, std::mem::take(&mut written))?;
            }
        }
        Ok(())
    }

    /// The iterations of some rows.
    fn lanes(
        &mut self,
        strip: &Strip<'a>,
        rows: std::ops::Range<u32>,
        vars: &HashMap<VarId, Value>,
        (row_at, column_at): (VarId, VarId),
    ) -> Vec<Lane> {
        let mut lanes = Vec::new();
        let at = |f: &mut Self, first: Reg, n: u32| match n {
            0 => Num::reg(Scalar::Usize, first),
            _ => Num::reg(
                Scalar::Usize,
                value!(f.f(), "position", "add.u64", first, n),
            ),
        };
        let columns: Vec<Num> = (0..strip.columns)
            .map(|column| at(self, strip.at.column, column))
            .collect();
        for row in rows {
            let row_number = at(self, strip.at.row, row);
            for column in 0..strip.columns {
                let mut vars = vars.clone();
                vars.insert(row_at, Value::Num(row_number));
                vars.insert(column_at, Value::Num(columns[column as usize]));
                lanes.push(Lane { row, column, vars });
            }
        }
        lanes
    }

    /// The accesses of a statement.
    fn uses_of(&self, strip: &Strip<'a>, stmt: usize) -> Vec<Use> {
        let uses = strip.families.uses.iter().filter(|u| u.stmt == stmt);
        uses.cloned().collect()
    }

    /// Takes what an iteration reads out of the lines, and its addresses, here where everybody comes by.
    fn elements_of(&mut self, strip: &mut Strip<'a>, uses: &[Use], lane: &Lane) {
        for used in uses {
            let family = &strip.families.list[used.family];
            let (line, element) = family.at(used, lane.row, lane.column);
            match used.kept {
                true if used.reads => {
                    self.element_of(strip, (used.family, line), element);
                }
                true => {}
                false => {
                    self.spot(strip, (used.family, line), element);
                }
            }
        }
    }

    /// Tells what places are for an iteration.
    fn know(&mut self, strip: &mut Strip<'a>, uses: &[Use], lane: &Lane) {
        self.spans.clear();
        self.waiting.clear();
        for used in uses {
            let family = &strip.families.list[used.family];
            let (line, element) = family.at(used, lane.row, lane.column);
            if !used.kept {
                let ty = scalar_type(family.scalar);
                let (at, offset) = self.spot(strip, (used.family, line), element);
                self.spans.insert(used.place, Spanned::At(at, offset, ty));
                continue;
            }
            if used.writes {
                self.waiting.push((used.place, None));
            }
            if used.reads {
                let num = self.element_of(strip, (used.family, line), element);
                self.spans
                    .insert(used.place, Spanned::Kept(Value::Num(num)));
            }
        }
    }

    /// What an iteration has written, and where.
    fn taken(&mut self, written: &mut Vec<Written>, at: (u32, u32)) {
        let waiting = std::mem::take(&mut self.waiting);
        let values = waiting
            .into_iter()
            .filter_map(|(place, num)| Some((place, num?)));
        written.extend(values.map(|(place, num)| Written { place, at, num }));
        self.spans.clear();
    }

    /// Keeps what an iteration of a patch writes until the others have; false where it does not wait for them.
    pub(super) fn keep_in_strip(&mut self, place: &'a Place, value: &Value) -> bool {
        let at = std::ptr::from_ref(place);
        let Some(n) = self.waiting.iter().position(|(place, _)| *place == at) else {
            return false;
        };
        let kept = self.registers_of(value.num());
        self.waiting[n].1 = Some(kept);
        true
    }

    /// Whether what is written at a place waits for other iterations of the patch.
    pub(super) fn waits_in_strip(&self, place: &'a Place) -> bool {
        let at = std::ptr::from_ref(place);
        self.waiting.iter().any(|(place, _)| *place == at)
    }

    /// The address of a line.
    fn line_of(&mut self, strip: &mut Strip<'a>, line: Line) -> Reg {
        if let Some(at) = strip.lines.get(&line) {
            return *at;
        }
        let start = strip.starts[line.0];
        let f = self.f();
        let at = match strip.lines.get(&(line.0, line.1 - 1)) {
            _ if line.1 == start.line => start.address,
            Some(before) => value!(f, "line", "add.u64", *before, start.step),
            None => {
                let behind = line.1 - start.line;
                value!(f, "line", "mad.lo.u64", start.step, behind, start.address)
            }
        };
        strip.lines.insert(line, at);
        at
    }

    /// The address of an element: a register, and so many bytes behind it.
    fn spot(&mut self, strip: &mut Strip<'a>, line: Line, element: i32) -> (Reg, i64) {
        let at = self.line_of(strip, line);
        let family = &strip.families.list[line.0];
        let size = match (family.along, family.column.as_constant()) {
            (Along::Nowhere, Some(column)) => column as i64,
            _ => i64::from(family.size()),
        };
        match strip.starts[line.0].apart {
            Some(apart) if element != 0 => {
                (value!(self.f(), "at", "mad.lo.u64", apart, element, at), 0)
            }
            Some(_) => (at, 0),
            None => (at, i64::from(element) * size),
        }
    }

    /// Loads the lines of a batch.
    fn load_lines(&mut self, strip: &mut Strip<'a>, batch: usize) -> Result<()> {
        let mut wide: Vec<(Line, Reg, Piece, Vec<Reg>)> = Vec::new();
        for line in strip.schedule.batches[batch].1.clone() {
            let family = strip.families.list[line.0].clone();
            let from = match family.owned {
                true => Memory::Own,
                false => Memory::Captured,
            };
            let name = self.lp.array(family.array).name.clone();
            for piece in strip.schedule.pieces[&line].clone() {
                if piece.count == 1 {
                    let (at, offset) = self.spot(strip, line, piece.first);
                    let ty = scalar_type(family.scalar);
                    let loaded = self.load_value(from, at, offset, ty, strip.source)?;
                    let key = (line.0, line.1, piece.first);
                    strip.elements.insert(key, loaded.num());
                    continue;
                }
                let at = self.line_of(strip, line);
                let words = (piece.count * family.size()).div_ceil(4);
                let words: Vec<Reg> = (0..words)
                    .map(|_| self.f().reg(Class::B32, &name))
                    .collect();
                let all = strip.words.entry(line).or_default();
                all.push((piece, words.clone()));
                wide.push((line, at, piece, words));
            }
        }
        let Some(aligned) = strip.aligned[0].filter(|_| !wide.is_empty()) else {
            return Ok(());
        };
        let (apart, loaded) = (self.f().label("apart"), self.f().label("loaded"));
        self.f().branch_if(aligned, false, apart);
        for (line, at, piece, words) in &wide {
            let family = &strip.families.list[line.0];
            let from = if family.owned { "global" } else { "global.nc" };
            let offset = i64::from(piece.first) * i64::from(family.size());
            let f = self.f();
            let at = Operand::At(*at, offset);
            match (&words[..], piece.count * family.size()) {
                ([word], 2) => f.op(&format!("ld.{from}.u16"), &[(*word).into(), at]),
                ([word], _) => f.op(&format!("ld.{from}.u32"), &[(*word).into(), at]),
                (words, 8) => f.load_vector(&format!("ld.{from}.v2.u32"), words, at),
                (words, _) => f.load_vector(&format!("ld.{from}.v4.u32"), words, at),
            }
        }
        self.f().place(loaded);
        self.f().open_out_of_line();
        self.f().place(apart);
        for (line, at, piece, words) in wide {
            let family = strip.families.list[line.0].clone();
            self.load_apart(&family, at, piece, &words);
        }
        self.f().branch(loaded, false);
        self.f().close_out_of_line();
        Ok(())
    }

    /// Loads elements one by one into the words that they are in.
    fn load_apart(&mut self, family: &Family, at: Reg, piece: Piece, words: &[Reg]) {
        let from = if family.owned { "global" } else { "global.nc" };
        let size = i64::from(family.size());
        let first = i64::from(piece.first) * size;
        if size >= 4 {
            for (n, word) in (0i64..).zip(words) {
                let at = Operand::At(at, first + 4 * n);
                let opcode = format!("ld.{from}.u32");
                // An element of 8 bytes is aligned to them, which two loads need not be.
                self.f().op(&opcode, &[(*word).into(), at]);
            }
            return;
        }
        let ty = if size == 1 { Scalar::U8 } else { Scalar::U16 };
        let parts = (0..i64::from(piece.count)).map(|n| {
            let at = Operand::At(at, first + n * size);
            let opcode = format!("ld.{from}.{}", memory(ty));
            let part = value!(self.f(), "part", opcode, at);
            ((n * size) as u32, Num::reg(ty, part))
        });
        let parts: Vec<(u32, Num)> = parts.collect();
        let together = self.words(&parts, piece.count * size as u32);
        for (word, from) in words.iter().zip(together) {
            self.f().assign(*word, from);
        }
    }

    /// An element of a line that is loaded.
    fn element_of(&mut self, strip: &mut Strip<'a>, line: Line, element: i32) -> Num {
        let key = (line.0, line.1, element);
        if let Some(num) = strip.elements.get(&key) {
            return *num;
        }
        let family = &strip.families.list[line.0];
        let holds =
            |piece: &Piece| (piece.first..piece.first + piece.count as i32).contains(&element);
        let pieces = strip.words.get(&line).into_iter().flatten();
        let (piece, words) = pieces
            .into_iter()
            .find(|(piece, _)| holds(piece))
            .expect("a line is loaded before it is read");
        let at = (element - piece.first) as u32 * family.size();
        let num = self.scalar_from_words(words, at, family.scalar);
        strip.elements.insert(key, num);
        num
    }

    /// Stores what iterations have written.
    fn flush(&mut self, strip: &mut Strip<'a>, uses: &[Use], written: Vec<Written>) -> Result<()> {
        for used in uses.iter().filter(|u| u.writes && u.kept) {
            let of: Vec<&Written> = written.iter().filter(|w| w.place == used.place).collect();
            if of.is_empty() {
                continue;
            }
            let family = strip.families.list[used.family].clone();
            // Runs of elements side by side.
            let mut runs: HashMap<i32, Vec<(i32, &Written)>> = HashMap::new();
            for one in of {
                let (line, element) = family.at(used, one.at.0, one.at.1);
                runs.entry(line).or_default().push((element, one));
            }
            let mut lines: Vec<i32> = runs.keys().copied().collect();
            lines.sort_unstable();
            let mut spots = Vec::new();
            for line in lines {
                let mut run = runs.remove(&line).unwrap_or_default();
                run.sort_unstable_by_key(|(element, _)| *element);
                for (element, one) in run {
                    let spot = self.spot(strip, (used.family, line), element);
                    spots.push((line, spot, one));
                }
            }
            self.store_spots(strip, &family, &spots)?;
        }
        Ok(())
    }

    /// Stores elements that are sorted by their lines, together where they can be.
    fn store_spots(
        &mut self,
        strip: &Strip<'a>,
        family: &Family,
        spots: &[(i32, (Reg, i64), &Written)],
    ) -> Result<()> {
        let together = family.along != Along::Nowhere;
        let aligned = strip.aligned[1].filter(|_| together);
        let f = self.f();
        let ready = match (aligned, strip.whole) {
            (Some(a), Some(b)) => Some(value!(f, "ready", "and.pred", a, b)),
            (a, b) => a.or(b),
        };
        let (apart, stored) = (f.label("apart"), f.label("stored"));
        if let Some(ready) = ready {
            f.branch_if(ready, false, apart);
        }
        let ty = scalar_type(family.scalar);
        for run in spots.chunk_by(|a, b| a.0 == b.0) {
            let (at, offset) = run[0].1;
            let bytes = family.size() * run.len() as u32;
            let length = run.len() as u32;
            let width = family.unit(length) * family.size();
            if aligned.is_none() || width < 4 {
                for (_, (at, offset), one) in run {
                    let value = Value::Num(one.num);
                    self.store_value(Memory::Own, *at, *offset, ty, &value, strip.source)?;
                }
                continue;
            }
            let slots = (0..).map(|n| n * family.size()).zip(run);
            let slots: Vec<(u32, Num)> = slots.map(|(at, (.., one))| (at, one.num)).collect();
            let words = self.words(&slots, bytes);
            store_words(self.f(), at, offset, width, &words);
        }
        if ready.is_none() {
            return Ok(());
        }
        self.f().place(stored);
        self.f().open_out_of_line();
        self.f().place(apart);
        let there = self.there(strip);
        for (_, (at, offset), one) in spots {
            let skip = there.as_ref().map(|(rows, columns)| {
                let f = self.f();
                let (row, column) = (rows[one.at.0 as usize], columns[one.at.1 as usize]);
                let there = value!(f, "there", "and.pred", row, column);
                let skip = f.label("not_there");
                f.branch_if(there, false, skip);
                skip
            });
            let value = Value::Num(one.num);
            self.store_value(Memory::Own, *at, *offset, ty, &value, strip.source)?;
            if let Some(skip) = skip {
                self.f().place(skip);
            }
        }
        self.f().branch(stored, false);
        self.f().close_out_of_line();
        Ok(())
    }

    /// Which rows and which columns are a patch's own, where some may not be. Found out where it is asked: so many predicates are
    /// worth no registers.
    fn there(&mut self, strip: &Strip<'a>) -> Option<(Vec<Reg>, Vec<Reg>)> {
        let shared = strip.shared?;
        let f = self.f();
        let rows = (0..strip.rows).map(|r| {
            let at = value!(f, "row", "add.u64", shared.first, r);
            let own = value!(f, "there", "setp.ge.u64", at, shared.own);
            value!(f, "there", "setp.lt.and.u64", at, shared.height, own)
        });
        let rows = rows.collect();
        let columns = (0..strip.columns).map(|c| {
            let at = value!(f, "column", "add.u64", strip.at.column, c);
            value!(f, "there", "setp.lt.u64", at, shared.width)
        });
        Some((rows, columns.collect()))
    }

    fn poly_reg(&mut self, strip: &mut Strip<'a>, poly: &Poly) -> Reg {
        match self.poly(strip, poly) {
            Operand::Reg(reg) => reg,
            constant => value!(self.f(), "constant", "mov.u64", constant),
        }
    }

    /// The value of a polynomial where the patch starts.
    fn poly(&mut self, strip: &mut Strip<'a>, poly: &Poly) -> Operand {
        let mut constant = 0i64;
        let mut sum: Option<Reg> = None;
        for (c, factors) in poly.terms() {
            if factors.is_empty() {
                constant = c as i64;
                continue;
            }
            let product = self.product(strip, factors);
            let f = self.f();
            sum = Some(match (sum, c) {
                (None, 1) => product,
                (None, c) => value!(f, "term", "mul.lo.u64", product, c as i64),
                (Some(sum), 1) => value!(f, "sum", "add.u64", sum, product),
                (Some(sum), -1) => value!(f, "sum", "sub.u64", sum, product),
                (Some(sum), c) => value!(f, "sum", "mad.lo.u64", product, c as i64, sum),
            });
        }
        match (sum, constant) {
            (None, constant) => constant.into(),
            (Some(sum), 0) => sum.into(),
            (Some(sum), constant) => value!(self.f(), "sum", "add.u64", sum, constant).into(),
        }
    }

    /// The value of a product; its beginning is that of others, too.
    fn product(&mut self, strip: &mut Strip<'a>, factors: &[Param]) -> Reg {
        if let Some(known) = strip.products.get(factors) {
            return *known;
        }
        let (last, before) = factors.split_last().expect("a product of something");
        let last = self.atom(Some(strip.at), *last);
        let all = match before {
            [] => last,
            _ => {
                let before = self.product(strip, before);
                value!(self.f(), "product", "mul.lo.u64", before, last)
            }
        };
        strip.products.insert(factors.to_vec(), all);
        all
    }

    /// The value of a parameter; of a position, where the patch starts.
    fn atom(&mut self, at: Option<PatchAt>, param: Param) -> Reg {
        let num = match Atom::of(param) {
            Atom::Len(array) => self.array_length(array),
            Atom::Var(var) => {
                let space = &self.lp.space;
                let dim = space.iter().position(|d| d.position == var);
                let row = self.patches.map(|p| p.shape.dim);
                match (dim, at) {
                    (Some(dim), Some(at)) if dim + 1 == space.len() => {
                        Num::reg(Scalar::Usize, at.column)
                    }
                    (Some(dim), Some(at)) if row == Some(dim) => Num::reg(Scalar::Usize, at.row),
                    (Some(dim), _) => Num::reg(Scalar::Usize, self.positions[dim]),
                    (None, _) => {
                        let num = self.inputs.captured[&var];
                        self.cast(num, Scalar::Usize)
                    }
                }
            }
        };
        self.reg(num)
    }

    /// How many columns the first patch of a row starts before it, for its lines to be aligned.
    pub(super) fn columns_before(&mut self, patches: &Patches) -> Reg {
        let lp = self.lp;
        let families = patches.columns.and_then(|columns| {
            Families::of(
                lp,
                patches::body(lp, patches.shape),
                patches.rows.at,
                columns.at,
            )
        });
        let anchor = families.and_then(|families| {
            let anchor = families.list[families.anchor?].clone();
            Some(anchor)
        });
        let Some(anchor) = anchor else {
            return value!(self.f(), "before", "mov.u64", 0);
        };
        let is_position = |p: &Param| match Atom::of(*p) {
            Atom::Var(var) => lp.space.iter().any(|d| d.position == var),
            Atom::Len(_) => false,
        };
        let mut at = self.inputs.pointers[&anchor.array];
        for (c, factors) in anchor.base.terms() {
            if factors.iter().any(is_position) {
                continue;
            }
            let mut product: Operand = (c as i64).into();
            for factor in factors {
                let atom = self.atom(None, *factor);
                product = value!(self.f(), "product", "mul.lo.u64", atom, product).into();
            }
            at = value!(self.f(), "start", "add.u64", at, product);
        }
        let unit = anchor.unit(patches.shape.columns);
        let f = self.f();
        let elements = value!(f, "elements", "shr.u64", at, anchor.size().trailing_zeros());
        value!(f, "before", "and.b64", elements, i64::from(unit) - 1)
    }
}

/// What an iteration has written at a place.
struct Written {
    place: *const Place,
    at: (u32, u32),
    num: Num,
}

/// The type of a scalar, for as long as one likes.
fn scalar_type(scalar: Scalar) -> &'static Type {
    static TYPES: [Type; 13] = [
        Type::Scalar(Scalar::Bool),
        Type::Scalar(Scalar::U8),
        Type::Scalar(Scalar::U16),
        Type::Scalar(Scalar::U32),
        Type::Scalar(Scalar::U64),
        Type::Scalar(Scalar::Usize),
        Type::Scalar(Scalar::I8),
        Type::Scalar(Scalar::I16),
        Type::Scalar(Scalar::I32),
        Type::Scalar(Scalar::I64),
        Type::Scalar(Scalar::Isize),
        Type::Scalar(Scalar::F32),
        Type::Scalar(Scalar::F64),
    ];
    let is_it = |ty: &&Type| ty.as_scalar() == Some(scalar);
    TYPES.iter().find(is_it).expect("every scalar is there")
}
