//! Lines of a patch: loaded in pieces into registers, elements taken out of them, and what iterations write put together and stored.
//!
//! Pieces are aligned where the patch is. Where a line is not, its elements are loaded one by one, out of line, into the words that they
//! would have come in, so that what reads them is printed once.

use std::collections::HashMap;

use accrue_ptx::value;
use accrue_ptx::writer::{Class, Label, Operand, Reg};

use super::emitter::{Emitter, Result};
use super::families::{Along, Family, Use};
use super::place::Memory;
use super::schedule::{Line, Piece};
use super::stores::store_words;
use super::strips::{Half, Strip, Written, scalar_type};
use super::value::{Num, Value, memory};
use crate::ir::Scalar;

/// Bytes of a word.
pub(super) const WORD: u32 = 4;

/// A piece of a line: the address of its first element, and the registers that it comes into.
pub(super) struct Wanted {
    pub(super) line: Line,
    pub(super) piece: Piece,
    pub(super) at: Reg,
    pub(super) offset: i64,
    pub(super) words: Vec<Reg>,
}

impl<'a> Emitter<'a> {
    /// The address of a line.
    pub(super) fn line_of(&mut self, strip: &mut Strip<'a>, line: Line) -> Reg {
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
    pub(super) fn spot(&mut self, strip: &mut Strip<'a>, line: Line, element: i32) -> (Reg, i64) {
        let at = self.line_of(strip, line);
        let size = strip.families.list[line.0].element_bytes();
        match strip.starts[line.0].apart {
            Some(apart) if element != 0 => {
                (value!(self.f(), "at", "mad.lo.u64", apart, element, at), 0)
            }
            Some(_) => (at, 0),
            None => (at, i64::from(element) * size),
        }
    }

    /// Loads the lines of a batch.
    pub(super) fn load_lines(&mut self, strip: &mut Strip<'a>, batch: usize) -> Result<()> {
        let early = match batch {
            0 => std::mem::take(&mut strip.early),
            _ => Vec::new(),
        };
        let is_early = !early.is_empty();
        let wanted = match is_early {
            true => early,
            false => self.wanted(strip, batch)?,
        };
        let ready = self.all_of([strip.aligned[0], strip.easy]);
        let Some(ready) = ready.filter(|_| !wanted.is_empty()) else {
            return Ok(());
        };
        let (apart, loaded) = (self.f().label("apart"), self.f().label("loaded"));
        self.f().branch_if(ready, false, apart);
        if !is_early {
            for piece in &wanted {
                self.load_piece(&strip.families.list[piece.line.0], piece, None);
            }
        }
        self.f().place(loaded);
        self.load_elsewhere(strip, &wanted, (apart, loaded));
        Ok(())
    }

    /// Loads the first lines as far as they are there, before it is known whether the patch is inside; where it is not, they are loaded once more.
    pub(super) fn load_unchecked(&mut self, strip: &mut Strip<'a>, there: Reg) -> Result<()> {
        if !strip.paired || !strip.may_be_clipped() || strip.schedule.batches.is_empty() {
            return Ok(());
        }
        let wanted = self.wanted(strip, 0)?;
        let when = self.all_of([strip.aligned[0], Some(there)]);
        for piece in &wanted {
            self.load_piece(&strip.families.list[piece.line.0], piece, when);
        }
        strip.early = wanted;
        Ok(())
    }

    /// The pieces of a batch, but for those that are loaded here.
    fn wanted(&mut self, strip: &mut Strip<'a>, batch: usize) -> Result<Vec<Wanted>> {
        let mut wanted: Vec<Wanted> = Vec::new();
        for line in strip.schedule.batches[batch].1.clone() {
            let family = strip.families.list[line.0].clone();
            let from = match family.owned {
                true => Memory::Own,
                false => Memory::Captured,
            };
            let name = self.lp.array(family.array).name.clone();
            for piece in strip.schedule.pieces[&line].clone() {
                let (at, offset) = self.spot(strip, line, piece.first);
                // What is not always there is loaded in two places.
                if piece.count == 1 && !strip.may_be_clipped() {
                    let ty = scalar_type(family.scalar);
                    let loaded = self.load_value(from, at, offset, ty, strip.source)?;
                    let key = (line.0, line.1, piece.first);
                    strip.elements.insert(key, loaded.num());
                    continue;
                }
                let words = (piece.count * family.size()).div_ceil(4);
                let words: Vec<Reg> = (0..words)
                    .map(|_| self.f().reg(Class::B32, &name))
                    .collect();
                let all = strip.words.entry(line).or_default();
                all.push((piece, words.clone()));
                wanted.push(Wanted {
                    line,
                    piece,
                    at,
                    offset,
                    words,
                });
            }
        }
        Ok(wanted)
    }

    /// Loads pieces out of line that are not there, or not aligned.
    fn load_elsewhere(
        &mut self,
        strip: &mut Strip<'a>,
        wanted: &[Wanted],
        (apart, loaded): (Label, Label),
    ) {
        self.f().open_out_of_line();
        self.f().place(apart);
        match strip.easy {
            Some(easy) => {
                if let Some(near) = strip.near {
                    let others = self.f().label("not_near");
                    self.f().branch_if(easy, true, others);
                    for predicate in [strip.aligned[0], Some(near)].into_iter().flatten() {
                        self.f().branch_if(predicate, false, others);
                    }
                    self.load_near(strip, wanted);
                    let f = self.f();
                    f.branch(loaded, false);
                    f.place(others);
                }
                let clipped = self.f().label("pieces");
                if self.load_shifted(strip, wanted, easy, clipped) {
                    self.f().branch(loaded, false);
                    self.f().place(clipped);
                }
                self.load_clipped(strip, wanted);
            }
            None => {
                for piece in wanted {
                    self.load_apart(&strip.families.list[piece.line.0], piece);
                }
            }
        }
        self.f().branch(loaded, false);
        self.f().close_out_of_line();
    }

    /// Whether all of some predicates hold, where there are any.
    fn all_of(&mut self, predicates: [Option<Reg>; 2]) -> Option<Reg> {
        match predicates {
            [Some(a), Some(b)] => Some(value!(self.f(), "ready", "and.pred", a, b)),
            [a, b] => a.or(b),
        }
    }

    /// Loads a piece of a line at once, maybe only where a predicate holds.
    pub(super) fn load_piece(&mut self, family: &Family, wanted: &Wanted, when: Option<Reg>) {
        let from = if family.owned { "global" } else { "global.nc" };
        let at = Operand::At(wanted.at, wanted.offset);
        let f = self.f();
        let bytes = wanted.piece.count * family.size();
        match (&wanted.words[..], when) {
            ([word], _) => {
                let opcode = format!("ld.{from}.u{}", 8 * bytes);
                let operands = [(*word).into(), at];
                match when {
                    Some(when) => f.op_if(when, true, &opcode, &operands),
                    None => f.op(&opcode, &operands),
                }
            }
            (words, when) => {
                let opcode = format!("ld.{from}.v{}.u32", bytes / WORD);
                match when {
                    Some(when) => f.load_vector_if(when, &opcode, words, at),
                    None => f.load_vector(&opcode, words, at),
                }
            }
        }
    }

    /// Loads elements one by one into the words that they are in.
    pub(super) fn load_apart(&mut self, family: &Family, wanted: &Wanted) {
        let from = if family.owned { "global" } else { "global.nc" };
        let size = i64::from(family.size());
        let (at, first) = (wanted.at, wanted.offset);
        if size >= 4 {
            for (n, word) in (0i64..).zip(&wanted.words) {
                let at = Operand::At(at, first + 4 * n);
                let opcode = format!("ld.{from}.u32");
                // An element of 8 bytes is aligned to them, which two loads need not be.
                self.f().op(&opcode, &[(*word).into(), at]);
            }
            return;
        }
        let ty = if size == 1 { Scalar::U8 } else { Scalar::U16 };
        let parts = (0..i64::from(wanted.piece.count)).map(|n| {
            let at = Operand::At(at, first + n * size);
            let opcode = format!("ld.{from}.{}", memory(ty));
            let part = value!(self.f(), "part", opcode, at);
            ((n * size) as u32, Num::reg(ty, part))
        });
        let parts: Vec<(u32, Num)> = parts.collect();
        let together = self.words(&parts, wanted.piece.count * size as u32);
        for (word, from) in wanted.words.iter().zip(together) {
            self.f().assign(*word, from);
        }
    }

    /// An element of a line that is loaded.
    pub(super) fn element_of(&mut self, strip: &mut Strip<'a>, line: Line, element: i32) -> Num {
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
    pub(super) fn flush(
        &mut self,
        strip: &mut Strip<'a>,
        uses: &[Use],
        written: Vec<Written>,
    ) -> Result<()> {
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
    pub(super) fn store_spots(
        &mut self,
        strip: &mut Strip<'a>,
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
            let length = run.len() as u32;
            let width = family.unit(length) * family.size();
            if aligned.is_none() || width < 4 {
                for (_, (at, offset), one) in run {
                    let value = self.value_of_written(one);
                    self.store_value(Memory::Own, *at, *offset, ty, &value, strip.source)?;
                }
                continue;
            }
            let words = self.words_of(run, family.size());
            store_words(self.f(), at, offset, width, &words);
        }
        if ready.is_none() {
            return Ok(());
        }
        self.f().place(stored);
        self.f().open_out_of_line();
        self.f().place(apart);
        let by_elements = self.f().label("by_elements");
        if aligned.is_some() && self.store_shifted(strip, family, spots, by_elements) {
            self.f().branch(stored, false);
            if strip.whole.is_none() {
                self.f().close_out_of_line();
                return Ok(());
            }
            self.f().place(by_elements);
        }
        if strip.may_be_clipped() && !strip.families.across {
            self.store_clipped(strip, family, spots)?;
            self.f().branch(stored, false);
            self.f().close_out_of_line();
            return Ok(());
        }
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
            let value = self.value_of_written(one);
            self.store_value(Memory::Own, *at, *offset, ty, &value, strip.source)?;
            if let Some(skip) = skip {
                self.f().place(skip);
            }
        }
        self.f().branch(stored, false);
        self.f().close_out_of_line();
        Ok(())
    }

    /// What an iteration has written, for itself.
    pub(super) fn value_of_written(&mut self, one: &Written) -> Value {
        let num = match one.half {
            Some(Half::High) => {
                let pair = self.reg(one.num);
                let high = value!(self.f(), "high", "shr.u32", pair, 16);
                Num::reg(one.num.ty, high)
            }
            _ => one.num,
        };
        Value::Num(num)
    }

    /// The words that elements side by side make up, those of pairs two or four at a time.
    pub(super) fn words_of(&mut self, run: &[(i32, (Reg, i64), &Written)], size: u32) -> Vec<Reg> {
        let each = (WORD / size).max(1) as usize;
        let mut words = Vec::new();
        for part in run.chunks(each) {
            let halves = || part.iter().map(|(.., one)| one.half);
            let pairs = (0..each).map(|n| Some([Half::Low, Half::High][n % 2]));
            if each > 1 && halves().eq(pairs) {
                let pairs: Vec<Reg> = part
                    .iter()
                    .step_by(2)
                    .map(|(.., one)| self.reg(one.num))
                    .collect();
                words.push(match pairs[..] {
                    [low, high] => value!(self.f(), "word", "prmt.b32", low, high, 0x6420),
                    _ => pairs[0],
                });
                continue;
            }
            let slots = (0..).map(|n| n * size).zip(part);
            let slots: Vec<(u32, Num)> = slots
                .map(|(at, (.., one))| (at, self.value_of_written(one).num()))
                .collect();
            words.extend(self.words(&slots, size * part.len() as u32));
        }
        words
    }

    /// Which rows and which columns are a patch's own, where some may not be. Found out where it is asked: so many predicates are
    /// worth no registers.
    pub(super) fn there(&mut self, strip: &mut Strip<'a>) -> Option<(Vec<Reg>, Vec<Reg>)> {
        let shared = strip.shared?;
        let guarded = !strip.families.guards.is_empty();
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        for r in 0..strip.rows {
            let f = self.f();
            let at = value!(f, "row", "add.u64", shared.first, r);
            let own = value!(f, "there", "setp.ge.u64", at, shared.own);
            let mut there = value!(f, "there", "setp.lt.and.u64", at, shared.height, own);
            if guarded {
                // Where the patch has been moved downwards.
                let end = value!(f, "end", "add.u64", shared.own, strip.rows);
                there = value!(f, "there", "setp.lt.and.u64", at, end, there);
            }
            rows.push(there);
        }
        for c in 0..strip.columns {
            let f = self.f();
            let at = value!(f, "column", "add.u64", strip.at.column, c);
            columns.push(value!(f, "there", "setp.lt.u64", at, shared.width));
        }
        if guarded {
            self.inside_of(strip, (&mut rows, &mut columns));
        }
        Some((rows, columns))
    }
}
