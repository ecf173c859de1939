//! Strips: the iterations of a patch, printed one by one over lines that are loaded once.
//!
//! ```text
//! what is read and written in range?                          else: the iterations as they are written, which tell their faults
//! lines, 16 bytes at a time where all are there and aligned   else: element by element, out of line, into the same registers
//! statements of the iterations of a group …
//! stores, 16 bytes at a time where they are aligned           else: element by element
//! ```
//!
//! Rows need not start where lines are aligned. Patches do: those at the left end start up to 15 bytes before the row, and those at the
//! right end go on behind it. Where iterations cannot fail and write nothing but elements of their own that nobody reads, those that
//! are not there are computed, and not stored; likewise the rows that a last patch shares with the one before it. What a patch loads
//! lies between the first and the last of its elements, which are compared with the array; where that is not all there, the elements of the
//! iterations that are there may be ([`clipped`](super::clipped)).

use std::collections::HashMap;

use accrue_ptx::value;
use accrue_ptx::writer::{Operand, Reg};

use super::emitter::{Emitter, LoopTargets, Result};
use super::families::{Families, Use};
use super::halves::Pattern;
use super::lines::Wanted;
use super::pairs::{Paired, Pairs};
use super::patches::{self, Patches};
use super::schedule::{self, Line, Piece, Schedule};
use super::spans::Spanned;
use super::value::{Num, Value};
use crate::dependence::Param;
use crate::ir::{ForLoop, LoopLabel, Place, Scalar, SourceId, Stmt, Type, VarId};

/// Where a patch is.
#[derive(Clone, Copy)]
pub(super) struct PatchAt {
    /// Its first row and its first column, which may be before 0.
    pub(super) row: Reg,
    pub(super) column: Reg,
}

/// A patch while it is printed.
pub(super) struct Strip<'a> {
    pub(super) families: Families,
    pub(super) schedule: Schedule,
    pub(super) stmts: &'a [Stmt],
    pub(super) source: SourceId,
    pub(super) rows: u32,
    pub(super) columns: u32,
    /// Whether two iterations are computed in a register.
    pub(super) paired: bool,
    pub(super) at: PatchAt,
    pub(super) products: HashMap<Vec<Param>, Reg>,
    /// Of each family its first line, the address of that, and what a line adds.
    pub(super) starts: Vec<Start>,
    pub(super) lines: HashMap<Line, Reg>,
    pub(super) words: HashMap<Line, Vec<(Piece, Vec<Reg>)>>,
    pub(super) elements: HashMap<(usize, i32, i32), Num>,
    /// Bytes side by side, each with a byte of zeros behind it.
    pub(super) pairs: HashMap<(usize, i32, i32), Reg>,
    /// Sums of some elements of a line, from one on, as pairs of floats.
    pub(super) partials: HashMap<(Line, i32, Pattern), Reg>,
    /// Words put together of two, by the element that they start with.
    pub(super) windows: HashMap<(Line, i32), Reg>,
    /// Whether lines that are loaded in pieces are aligned, and those that are stored.
    pub(super) aligned: [Option<Reg>; 2],
    /// Pieces whose loads stand before the checks, where what they are loaded from is there.
    pub(super) early: Vec<Wanted>,
    /// Whether all that lines are loaded of is there, where it need not be.
    pub(super) easy: Option<Reg>,
    /// Whether it would be if no element were beyond the edges of its line, where some may be.
    pub(super) reach: Option<Reg>,
    /// Whether only elements at the ends of lines are, of a patch that is not easy.
    pub(super) near: Option<Reg>,
    /// What has to hold of strides and indices wherever the patch is.
    pub(super) sound: Option<Reg>,
    /// Whether all iterations are there, where some may not be, and which are.
    pub(super) whole: Option<Reg>,
    pub(super) shared: Option<Shared>,
    /// Whether the patch is inside with all that is its own, where some may not be.
    pub(super) complete: Option<Reg>,
}

#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) line: i32,
    pub(super) address: Reg,
    pub(super) step: Operand,
    /// What an element adds, where it is no number.
    pub(super) apart: Option<Reg>,
}

/// Which iterations of a patch are its own.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    /// The first row of its own, and the first that it computes.
    pub(super) own: Reg,
    pub(super) first: Reg,
    pub(super) height: Reg,
    pub(super) width: Reg,
}

/// An iteration of the patch: its row, its column, and its variables.
pub(super) struct Lane {
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) vars: HashMap<VarId, Value>,
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
        let mut schedule = families.schedule(shape.rows, shape.columns, stmts.len());
        let paired = Paired::of(lp, &families, stmts, shape.columns);
        if paired.is_some() {
            families.load_early(&mut schedule, stmts.len());
        }
        let mut strip = Strip {
            schedule,
            stmts,
            source: inner.count.source,
            rows: shape.rows,
            columns: shape.columns,
            paired: paired.is_some(),
            at,
            products: HashMap::new(),
            starts: Vec::new(),
            lines: HashMap::new(),
            words: HashMap::new(),
            elements: HashMap::new(),
            pairs: HashMap::new(),
            partials: HashMap::new(),
            windows: HashMap::new(),
            aligned: [None, None],
            early: Vec::new(),
            easy: None,
            reach: None,
            near: None,
            sound: None,
            whole: None,
            shared: None,
            complete: None,
            families,
        };
        let inside = self.all_there(&mut strip, patches)?;
        let (as_written, done) = (self.f().label("as_written"), self.f().label("end_patch"));
        match strip.may_be_clipped() {
            true => self.clipped(&mut strip, inside, as_written),
            false => self.f().branch_if(inside, false, as_written),
        }
        let commented = self.item.commented;
        let vars = self.frame().vars.clone();
        match strip.families.in_step {
            true => self.in_step(&mut strip, patches, (columns.at, paired))?,
            false => self.one_by_one_of(&mut strip, patches, columns.at)?,
        }
        self.spans.clear();
        self.waiting.clear();
        self.frame().vars = vars;
        self.item.commented = commented;
        if let Some(complete) = strip.complete {
            let rest = self.f().label("rest");
            self.f().branch_if(complete, false, rest);
            self.f().place(done);
            self.f().open_out_of_line();
            self.one_by_one_at_edges(&mut strip, patches, (rest, as_written))?;
            self.f().branch(done, false);
            self.f().close_out_of_line();
            return Ok(Value::Unit);
        }
        self.f().place(done);
        self.f().open_out_of_line();
        self.f().place(as_written);
        let count = self.expr(&inner.count)?.num();
        self.positions_of(inner, count, None)?;
        self.f().branch(done, false);
        self.f().close_out_of_line();
        Ok(Value::Unit)
    }

    /// Statements of all iterations of a group, one after the other.
    fn in_step(
        &mut self,
        strip: &mut Strip<'a>,
        patches: &Patches,
        (column, paired): (VarId, Option<Paired>),
    ) -> Result<()> {
        let vars = self.frame().vars.clone();
        let commented = self.item.commented;
        let mut batch = 0;
        let ahead = match paired {
            Some(_) => 0,
            None => schedule::ahead(strip.stmts.len()),
        };
        for (g, group) in strip.schedule.groups.clone().into_iter().enumerate() {
            let mut lanes = self.lanes(strip, group, &vars, (patches.rows.at, column));
            let mut pairs: Vec<Pairs> = vec![Pairs::new(); lanes.len() / 2];
            for (s, stmt) in strip.stmts.iter().enumerate() {
                let step = g * strip.stmts.len() + s;
                // What is needed here and soon.
                while let Some((at, _)) = strip.schedule.batches.get(batch) {
                    if *at > step + ahead {
                        break;
                    }
                    self.load_lines(strip, batch)?;
                    batch += 1;
                }
                let uses = self.uses_of(strip, s);
                let mut written = Vec::new();
                if let Some(paired) = &paired {
                    let pairs = lanes.chunks_mut(2).zip(&mut pairs);
                    if paired.stmts[s] {
                        for (n, (lanes, vars)) in pairs.enumerate() {
                            self.item.commented = commented && n == 0 && g == 0;
                            self.pair_stmt(strip, stmt, &uses, lanes, vars, &mut written);
                        }
                        self.flush(strip, &uses, written)?;
                        continue;
                    }
                    for (lanes, vars) in pairs {
                        self.unpair(strip, stmt, lanes, vars)?;
                    }
                }
                for lane in &lanes {
                    self.elements_of(strip, &uses, lane);
                }
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
        written.extend(values.map(|(place, num)| Written {
            place,
            at,
            num,
            half: None,
        }));
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
}

/// What an iteration has written at a place.
pub(super) struct Written {
    pub(super) place: *const Place,
    pub(super) at: (u32, u32),
    pub(super) num: Num,
    /// Which half of the number's register it is in, where the other one is in the other.
    pub(super) half: Option<Half>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Low,
    High,
}

/// The type of a scalar, for as long as one likes.
pub(super) fn scalar_type(scalar: Scalar) -> &'static Type {
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
