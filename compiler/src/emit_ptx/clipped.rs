//! Patches at the ends of an array, or at the edges of a plane: some of their iterations are not there, and neither are the elements that
//! these would read; or they read others than inside ([`rims`](super::rims)).
//!
//! ```text
//! · · · · · · · ·         The patch starts before the row, so that its lines are aligned, or ends behind it. Elements that are not in the
//! · x x x x x x x         array are not loaded: zeros stand for them, and what is computed of those is not stored.
//! · x x x x x x x
//! ```
//!
//! What the iterations that are there read and write has to be in range: the corners of their addresses are compared with the array once
//! more, without the others. A patch run iteration by iteration instead takes as long as 128 of these one after the other, some 40 us, in
//! one thread.

use std::collections::HashMap;

use accrue_ptx::value;
use accrue_ptx::writer::{Class, Function, Label, Operand, Reg};

use super::emitter::{Emitter, Result};
use super::families::{Along, Family};
use super::lines::{WORD, Wanted};
use super::place::Memory;
use super::rims::{Here, Narrow};
use super::schedule::Line;
use super::strips::{Strip, Written, scalar_type};
use super::value::{Num, memory};
use crate::dependence::Poly;
use crate::ir::Scalar;

/// How far the iterations that are there lie from where a patch starts: the first and the last row, and column.
struct There {
    rows: [Option<Reg>; 2],
    columns: [Option<Reg>; 2],
}

impl<'a> Strip<'a> {
    /// Whether the patch may be taken as a whole where some of its iterations are not there.
    pub(super) fn may_be_clipped(&self) -> bool {
        self.families.in_vain && self.families.guards.is_empty()
    }
}

impl<'a> Emitter<'a> {
    /// Goes on where everything is there, or everything of the iterations that are, and elsewhere with the iterations as they are written.
    pub(super) fn clipped(&mut self, strip: &mut Strip<'a>, easy: Reg, as_written: Label) {
        let f = self.f();
        let (clipped, on) = (f.label("clipped"), f.label("patch"));
        f.branch_if(easy, false, clipped);
        f.place(on);
        f.open_out_of_line();
        f.place(clipped);
        if let Some(sound) = strip.sound {
            strip.near = self.near(strip, sound);
            let f = self.f();
            if let Some(near) = strip.near {
                f.branch_if(near, true, on);
            }
            f.branch_if(sound, false, as_written);
        }
        let there = self.iterations_there(strip);
        let mut all: Option<Reg> = None;
        for n in 0..strip.families.list.len() {
            self.family_there(strip, n, &there, &mut all);
        }
        let f = self.f();
        if let Some(all) = all {
            f.branch_if(all, false, as_written);
        }
        f.branch(on, false);
        f.close_out_of_line();
        strip.easy = Some(easy);
    }

    fn iterations_there(&mut self, strip: &Strip<'a>) -> There {
        let shared = strip.shared.expect("patches that run in vain");
        let f = self.f();
        let behind = value!(f, "behind", "sub.u64", shared.height, shared.first);
        let rows = value!(f, "rows", "min.u64", behind, strip.rows);
        let last_row = value!(f, "last_row", "sub.u64", rows, 1);
        let before = value!(f, "before", "neg.s64", strip.at.column);
        let first = value!(f, "first_column", "max.s64", before, 0);
        let behind = value!(f, "behind", "sub.u64", shared.width, strip.at.column);
        let columns = value!(f, "columns", "min.s64", behind, strip.columns);
        let last = value!(f, "last_column", "sub.u64", columns, 1);
        There {
            rows: [None, Some(last_row)],
            columns: [Some(first), Some(last)],
        }
    }

    /// Whether the corners of what those iterations access in a family are in its array.
    fn family_there(
        &mut self,
        strip: &mut Strip<'a>,
        n: usize,
        there: &There,
        all: &mut Option<Reg>,
    ) {
        let family = strip.families.list[n].clone();
        let start = strip.starts[n];
        let uses = strip.families.uses.iter().filter(|u| u.family == n);
        let lines: Vec<i32> = uses.clone().map(|u| u.line).collect();
        let elements: Vec<i32> = uses.map(|u| u.element).collect();
        let bytes = self.array_bytes(strip, n);
        let pointer = self.inputs.pointers[&family.array];
        let rims = self.rims_here(strip, n);
        let base = value!(self.f(), "base", "sub.u64", start.address, pointer);
        let moves = |poly: &Poly| !poly.is_zero();
        let ends = |list: &[i32]| {
            let (least, most) = (list.iter().min(), list.iter().max());
            (least.copied().unwrap_or(0), most.copied().unwrap_or(0))
        };
        let (lines, elements) = (ends(&lines), ends(&elements));
        for (axis, here) in rims.iter().enumerate() {
            let Some(here) = here else { continue };
            let side = [&there.rows, &there.columns][axis];
            let [first, last] = side.map(|at| at.map_or(Operand::Int(0), Operand::Reg));
            let held = match *all {
                Some(all) => all,
                None => value!(self.f(), "held", "setp.eq.u32", 0, 0),
            };
            let of = ([lines, elements][axis], held);
            *all = Some(self.rim_holds(strip, (n, axis), here, (first, last), of));
        }
        for last in [0, 1] {
            let row = there.rows[last].filter(|_| moves(&family.row));
            let column = there.columns[last].filter(|_| moves(&family.column));
            let (line, element) = match family.along {
                Along::Columns | Along::Nowhere => (row, column),
                Along::Rows => (column, row),
            };
            let of = |(least, most): (i32, i32)| if last == 0 { least } else { most };
            let mut line = self.behind(of(lines), line);
            let mut element = self.behind(of(elements), element);
            for (at, here) in [&mut line, &mut element].into_iter().zip(&rims) {
                if let Some(here) = here {
                    let jump = self.rim_jump(here, *at);
                    *at = value!(self.f(), "taken", "add.u64", *at, jump);
                }
            }
            let f = self.f();
            let by: Operand = match start.apart {
                Some(apart) => apart.into(),
                None => family.element_bytes().into(),
            };
            let line = value!(f, "line", "sub.u64", line, start.line);
            let at = value!(f, "at", "mad.lo.u64", line, start.step, base);
            let at = value!(f, "at", "mad.lo.u64", element, by, at);
            *all = Some(match *all {
                None => value!(f, "reached", "setp.lt.u64", at, bytes),
                Some(all) => value!(f, "reached", "setp.lt.and.u64", at, bytes, all),
            });
        }
    }

    /// So many lines or elements behind a number of them.
    fn behind(&mut self, by: i32, of: Option<Reg>) -> Reg {
        let f = self.f();
        match of {
            Some(of) => value!(f, "behind", "add.u64", of, by),
            None => value!(f, "behind", "mov.u64", by),
        }
    }

    /// The bytes of a family's array, computed out of line.
    pub(super) fn array_bytes(&mut self, strip: &mut Strip<'a>, n: usize) -> Operand {
        let length = strip.families.list[n].length.clone();
        let products = strip.products.clone();
        let bytes = self.poly(strip, &length);
        strip.products = products;
        bytes
    }

    /// Loads pieces of lines as far as they are in their arrays, from where they are taken.
    pub(super) fn load_clipped(&mut self, strip: &mut Strip<'a>, wanted: &[Wanted]) {
        let mut known: HashMap<usize, (Operand, Option<Here>, Option<Narrow>)> = HashMap::new();
        let mut lines: HashMap<(Line, Reg), Reg> = HashMap::new();
        for piece in wanted {
            let n = piece.line.0;
            let (bytes, rows, narrow) = known.entry(n).or_insert_with(|| {
                let bytes = self.array_bytes(strip, n);
                let [rows, columns] = self.rims_here(strip, n);
                let narrow = columns.map(|here| self.narrow(&here));
                (bytes, rows, narrow)
            });
            let at = match (lines.get(&(piece.line, piece.at)), rows) {
                (Some(at), _) => *at,
                (None, None) => piece.at,
                (None, Some(here)) => {
                    let jump = self.rim_jump(here, piece.line.1);
                    let step = strip.starts[n].step;
                    value!(self.f(), "line", "mad.lo.u64", jump, step, piece.at)
                }
            };
            lines.insert((piece.line, piece.at), at);
            let taken = Wanted {
                at,
                words: piece.words.clone(),
                ..*piece
            };
            self.load_piece_clipped(strip, &taken, *bytes, *narrow);
        }
    }

    fn load_piece_clipped(
        &mut self,
        strip: &Strip<'a>,
        wanted: &Wanted,
        bytes: Operand,
        narrow: Option<Narrow>,
    ) {
        let family = strip.families.list[wanted.line.0].clone();
        let from = if family.owned { "global" } else { "global.nc" };
        let size = i64::from(family.size());
        let (element, count) = (wanted.piece.first, wanted.piece.count as i32);
        let pointer = self.inputs.pointers[&family.array];
        let f = self.f();
        let behind = value!(f, "behind", "sub.u64", wanted.at, pointer);
        let first = value!(f, "first", "add.u64", behind, wanted.offset);
        let (apart, loaded) = (f.label("by_elements"), f.label("loaded"));
        if count > 1
            && let Some(aligned) = strip.aligned[0]
        {
            let last = value!(f, "last", "add.u64", first, i64::from(count - 1) * size);
            let there = value!(f, "there", "setp.lt.and.u64", first, bytes, aligned);
            let mut there = value!(f, "there", "setp.lt.and.u64", last, bytes, there);
            if let Some(narrow) = narrow {
                there = self.narrow_within(&narrow, (element, element + count - 1), there);
            }
            self.f().branch_if(there, false, apart);
            self.load_piece(&family, wanted, None);
            self.f().branch(loaded, false);
            self.f().place(apart);
        }
        let ty = match size {
            1 => Scalar::U8,
            2 => Scalar::U16,
            _ => Scalar::U32,
        };
        let opcode = format!("ld.{from}.{}", memory(ty));
        let mut parts = Vec::new();
        for n in 0..count {
            let within = i64::from(n) * size;
            let (mut at, mut offset) = (wanted.at, wanted.offset + within);
            let reached = match narrow {
                Some(narrow) => {
                    let element = self.narrow_element(&narrow, element + n);
                    let f = self.f();
                    let reached = value!(f, "at", "mad.wide.s32", element, size, behind);
                    (at, offset) = (value!(f, "taken", "add.u64", pointer, reached), 0);
                    reached
                }
                None => value!(self.f(), "at", "add.u64", first, within),
            };
            let f = self.f();
            let there = value!(f, "there", "setp.lt.u64", reached, bytes);
            // An element of 8 bytes is two words.
            for word in 0..(size / 4).max(1) {
                let part = f.reg(Class::B32, "part");
                f.assign(part, 0);
                let from = Operand::At(at, offset);
                f.op_if(there, true, &opcode, &[part.into(), from]);
                parts.push(((within + 4 * word) as u32, Num::reg(ty, part)));
                offset += 4;
            }
        }
        let together = self.words(&parts, wanted.piece.count * size as u32);
        for (word, from) in wanted.words.iter().zip(together) {
            self.f().assign(*word, from);
        }
        self.f().place(loaded);
    }

    /// Stores elements of the iterations that are there, row by row.
    pub(super) fn store_clipped(
        &mut self,
        strip: &Strip<'a>,
        family: &Family,
        spots: &[(i32, (Reg, i64), &Written)],
    ) -> Result<()> {
        let shared = strip.shared.expect("patches that run in vain");
        let ty = scalar_type(family.scalar);
        let f = self.f();
        // A bit for each column.
        let before = value!(f, "before", "neg.s64", strip.at.column);
        let behind = value!(f, "behind", "sub.u64", shared.width, strip.at.column);
        let ends = [
            value!(f, "first_column", "max.s64", before, 0),
            value!(f, "columns", "min.s64", behind, strip.columns),
        ];
        let one = value!(f, "one", "mov.b32", 1);
        let below = ends.map(|end| {
            let end = value!(f, "end", "cvt.u32.u64", end);
            let bit = value!(f, "bit", "shl.b32", one, end);
            value!(f, "below", "sub.u32", bit, 1)
        });
        let columns = value!(f, "there", "xor.b32", below[0], below[1]);
        // Words all of whose elements are there.
        let each = (WORD / family.size()).max(1) as usize;
        let unit = family.unit(strip.columns) * family.size();
        let aligned = strip.aligned[1].filter(|_| each > 1 && unit >= WORD);
        let of_words = |f: &mut Function, n: usize| {
            let all = ((1i64 << each) - 1) << (n * each);
            let there = value!(f, "there", "and.b32", columns, all);
            let aligned = aligned?;
            Some(value!(f, "whole", "setp.eq.and.u32", there, all, aligned))
        };
        let in_row = spots.chunk_by(|a, b| a.2.at.0 == b.2.at.0).map(<[_]>::len);
        let words = in_row.max().unwrap_or(0).div_ceil(each);
        let whole: Vec<Option<Reg>> = (0..words).map(|n| of_words(f, n)).collect();
        for row in spots.chunk_by(|a, b| a.2.at.0 == b.2.at.0) {
            let f = self.f();
            let at = value!(f, "row", "add.u64", shared.first, row[0].2.at.0);
            let own = value!(f, "own", "setp.ge.u64", at, shared.own);
            let own = value!(f, "own", "setp.lt.and.u64", at, shared.height, own);
            let next = f.label("next_row");
            f.branch_if(own, false, next);
            for ((first, part), whole) in (0..).step_by(each).zip(row.chunks(each)).zip(&whole) {
                let in_order = (first..first + each as u32).eq(part.iter().map(|spot| spot.2.at.1));
                let behind = self.f().label("next_word");
                if let Some(whole) = whole.filter(|_| in_order) {
                    let words = self.words_of(part, family.size());
                    let (at, offset) = part[0].1;
                    let at = Operand::At(at, offset);
                    let f = self.f();
                    f.op_if(whole, true, "st.global.u32", &[at, words[0].into()]);
                    f.branch_if(whole, true, behind);
                }
                for (_, (at, offset), one) in part {
                    let f = self.f();
                    let bit = value!(f, "bit", "and.b32", columns, 1i64 << one.at.1);
                    let none = value!(f, "none", "setp.eq.u32", bit, 0);
                    let skip = f.label("not_there");
                    f.branch_if(none, true, skip);
                    let value = self.value_of_written(one);
                    self.store_value(Memory::Own, *at, *offset, ty, &value, strip.source)?;
                    self.f().place(skip);
                }
                self.f().place(behind);
            }
            self.f().place(next);
        }
        Ok(())
    }
}
