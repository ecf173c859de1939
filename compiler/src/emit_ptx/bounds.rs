//! Bounds of a patch: whether all that it touches is there, and where its lines start.
//!
//! An address is a polynomial over positions and what the call knows; over the patch it grows by a stride for each row and one for each
//! column. Where these are small, so that no sum of a few of them wraps, all addresses lie between those of the first and the last corner.

use accrue_ptx::value;
use accrue_ptx::writer::{Operand, Reg};

use super::emitter::{Emitter, Result};
use super::families::{Along, Families, Family, Use};
use super::linear::Atom;
use super::patches::{self, Patches};
use super::strips::{PatchAt, Shared, Start, Strip};
use super::value::Num;
use crate::dependence::{Param, Poly};
use crate::ir::Scalar;

impl<'a> Emitter<'a> {
    /// Whether a patch can be printed as one: whether what it touches is there, and all of its iterations are, or may run in vain.
    pub(super) fn all_there(&mut self, strip: &mut Strip<'a>, patches: &Patches) -> Result<Reg> {
        let shape = patches.shape;
        let height = self.inputs.counts[shape.dim];
        let width = self.inputs.counts[self.inputs.counts.len() - 1];
        let (rows, columns) = (shape.rows, shape.columns);
        let PatchAt { row, column } = strip.at;
        let (mut inside, mut sound);
        match strip.families.in_vain {
            true => {
                // The last patch takes rows of the one before it.
                let f = self.f();
                let enough = value!(f, "enough", "max.u64", height, rows);
                let last = value!(f, "last", "sub.u64", enough, rows);
                let first = value!(f, "first_row", "min.u64", row, last);
                let first = self.inner_row(strip, patches, first);
                strip.at.row = first;
                let f = self.f();
                strip.shared = Some(Shared {
                    own: row,
                    first,
                    height,
                    width,
                });
                sound = value!(f, "sound", "setp.lt.s64", column, width);
                inside = sound;
            }
            false => {
                let f = self.f();
                let end = value!(f, "end", "add.u64", row, rows);
                inside = value!(f, "inside", "setp.le.u64", end, height);
                let end = value!(f, "end", "add.u64", column, columns);
                inside = value!(f, "inside", "setp.le.and.u64", end, width, inside);
                inside = value!(f, "inside", "setp.lt.and.u64", column, width, inside);
                sound = inside;
            }
        }
        for n in 0..strip.families.list.len() {
            self.start(strip, n, (&mut inside, &mut sound));
        }
        strip.aligned = self.alignment(strip);
        if strip.may_be_clipped() {
            let there = value!(self.f(), "there", "and.pred", inside, sound);
            self.load_unchecked(strip, there)?;
        }
        if let Some(Shared { own, first, .. }) = strip.shared {
            let f = self.f();
            let same = value!(f, "whole", "setp.eq.u64", first, own);
            let end = value!(f, "end", "add.u64", own, rows);
            let whole = value!(f, "whole", "setp.le.and.u64", end, height, same);
            let end = value!(f, "end", "add.u64", column, columns);
            let whole = value!(f, "whole", "setp.le.and.s64", end, width, whole);
            let whole = value!(f, "whole", "setp.ge.and.s64", column, 0, whole);
            strip.whole = Some(whole);
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
                sound = value!(self.f(), "sound", "setp.lt.and.u64", at, limit, sound);
            }
            for stride in [row, column] {
                self.small(strip, &stride, &mut sound);
            }
        }
        self.within_rims(strip, (&mut inside, &mut sound));
        if sound != inside {
            inside = value!(self.f(), "inside", "and.pred", inside, sound);
        }
        strip.sound = Some(sound);
        if let Some(guarded) = self.guarded(strip) {
            match (strip.whole, strip.shared) {
                (Some(whole), Some(shared)) => {
                    let f = self.f();
                    strip.whole = Some(value!(f, "whole", "and.pred", whole, guarded));
                    // Nothing is left if all rows have been computed, too.
                    let end = value!(f, "end", "add.u64", shared.own, rows);
                    let end = value!(f, "end", "min.u64", end, height);
                    let done = value!(f, "done", "add.u64", shared.first, rows);
                    let all = value!(f, "all", "setp.le.and.u64", end, done, guarded);
                    let all = value!(f, "all", "setp.le.and.u64", shared.first, shared.own, all);
                    strip.complete = Some(all);
                }
                _ => inside = value!(self.f(), "inside", "and.pred", inside, guarded),
            }
        }
        Ok(inside)
    }

    /// Compares a stride with what keeps sums of a few of them from wrapping.
    pub(super) fn small(&mut self, strip: &mut Strip<'a>, stride: &Poly, sound: &mut Reg) {
        if stride.as_constant().is_none() {
            let stride = self.poly_reg(strip, stride);
            let f = self.f();
            *sound = value!(f, "sound", "setp.lt.and.u64", stride, 1i64 << 34, *sound);
        }
    }

    /// Where a family starts, whether it is in its array, and whether its strides are small.
    pub(super) fn start(
        &mut self,
        strip: &mut Strip<'a>,
        n: usize,
        (inside, sound): (&mut Reg, &mut Reg),
    ) {
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
            self.small(strip, &step, sound);
            self.small(strip, &element, sound);
        }
        strip.starts.push(Start {
            line: first,
            address,
            step: step_by,
            apart,
        });
    }

    /// Whether lines that are loaded are all aligned, and those that are stored.
    pub(super) fn alignment(&mut self, strip: &Strip<'a>) -> [Option<Reg>; 2] {
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

    pub(super) fn poly_reg(&mut self, strip: &mut Strip<'a>, poly: &Poly) -> Reg {
        match self.poly(strip, poly) {
            Operand::Reg(reg) => reg,
            constant => value!(self.f(), "constant", "mov.u64", constant),
        }
    }

    /// The value of a polynomial where the patch starts.
    pub(super) fn poly(&mut self, strip: &mut Strip<'a>, poly: &Poly) -> Operand {
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
    pub(super) fn product(&mut self, strip: &mut Strip<'a>, factors: &[Param]) -> Reg {
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
    pub(super) fn atom(&mut self, at: Option<PatchAt>, param: Param) -> Reg {
        let num = match Atom::of(param) {
            Atom::Len(array) => self.array_length(array),
            Atom::Jump(_) => unreachable!("addresses are those inside of guards"),
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
            Atom::Len(_) | Atom::Jump(_) => false,
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
