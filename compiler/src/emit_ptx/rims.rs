//! Rims: lines, and elements of lines, that are others at the edges of a plane than inside.
//!
//! ```text
//! let (above, left) = (y.saturating_sub(1), (x - 1).max(0));         above the plane there is row 0 again, left of it column 0
//!
//!       a a b c      Of a patch at the edge, line -1 is loaded from where line 0 is, and element -1 of each line from where element 0 is.
//!       a a b c      What is computed of them is printed once for all patches.
//!       d d e f
//! ```
//!
//! The lines of a family are numbered by a value that grows by one from line to line, such as `y - 1`; below a bound, and from another one
//! on, the nearest inside is taken, or a neighbour. That is so if all places of the family whose index is kept within bounds have the same
//! bounds, and if the others stay within these, which is compared. Where families are not so, iterations at the edges are run one by one
//! ([`edges`](super::edges)).

use std::collections::HashMap;

use accrue_ptx::value;
use accrue_ptx::writer::{Operand, Reg};

use super::edges::{Edge, Moves};
use super::emitter::Emitter;
use super::families::{Along, Families, Family};
use super::linear::{Guard, split};
use super::lines::Wanted;
use super::schedule::Piece;
use super::strips::Strip;
use crate::dependence::Poly;
use crate::ir::VarId;

/// Numbers that are compared are less than this, so that none of them is taken for a negative one.
const LARGEST: i64 = 1 << 62;

/// How far what is taken is from what would be, at most.
const FARTHEST: i64 = 1 << 30;

/// The edges of a family's lines, or elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rim {
    /// The number of line 0.
    at: Poly,
    low: Option<Side>,
    high: Option<Side>,
    /// The lines of places without that side, the lowest and the highest one.
    without: [Option<i32>; 2],
}

/// A side of a rim.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    /// The first number inside, or the first behind.
    bound: Poly,
    taken: Taken,
    /// What is added to a number to be what the loop compares, which is not to be negative.
    margin: Poly,
}

/// What is taken outside: lines stay in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    /// The nearest line inside.
    Nearest,
    /// The neighbour on the way there.
    Neighbour,
}

/// A rim where a patch is, in registers.
pub(super) struct Here {
    /// The number of line 0.
    at: Reg,
    low: Option<(Reg, Taken)>,
    high: Option<(Reg, Taken)>,
}

/// The first and the last element of a line inside of a rim.
#[derive(Clone, Copy)]
pub(super) struct Narrow {
    first: Option<(Reg, Taken)>,
    last: Option<(Reg, Taken)>,
}

impl Families {
    /// Takes guards for rims, if all of them are.
    pub(super) fn find_rims(&mut self, row: VarId, column: VarId) {
        if self.guards.is_empty() || !self.in_vain || self.checks_are_guarded {
            return;
        }
        let mut all = Vec::new();
        for n in 0..self.list.len() {
            for axis in [0, 1] {
                match self.rim(n, axis, (row, column)) {
                    Ok(rim) => all.push((n, axis, rim)),
                    Err(NoRim) => return,
                }
            }
        }
        for (n, axis, rim) in all {
            self.list[n].rims[axis] = rim;
        }
        self.guards.clear();
    }

    fn rim(
        &self,
        n: usize,
        axis: usize,
        (row, column): (VarId, VarId),
    ) -> Result<Option<Rim>, NoRim> {
        let family = &self.list[n];
        let factor = [&family.row, &family.column][axis];
        let mut found: Option<Rim> = None;
        let uses = || self.uses.iter().filter(|u| u.family == n);
        // Whether places have a low and a high side.
        let mut sides: Vec<(i32, [bool; 2])> = Vec::new();
        for used in uses() {
            let offset = [used.line, used.element][axis];
            let mut has = [false; 2];
            for guarded in &used.guards {
                let guard = &guarded.guard;
                let lesser = match (Edge::moves(guard, row, column), axis) {
                    (Some(Moves::Row(lesser)), 0) | (Some(Moves::Column(lesser)), 1) => lesser,
                    (Some(Moves::Row(_) | Moves::Column(_)), _) => continue,
                    _ => return Err(NoRim),
                };
                let fits = family.along == Along::Columns
                    && used.kept
                    && !used.writes
                    && guarded.factor == *factor;
                if !fits {
                    return Err(NoRim);
                }
                let side = Side::of(guard, lesser, (row, column)).ok_or(NoRim)?;
                let at = guard.inside.clone() - Poly::constant(offset.into());
                let rim = found.get_or_insert_with(|| Rim {
                    at: at.clone(),
                    low: None,
                    high: None,
                    without: [None, None],
                });
                let which = match lesser {
                    true => &mut rim.high,
                    false => &mut rim.low,
                };
                if rim.at != at || which.as_ref().is_some_and(|known| *known != side) {
                    return Err(NoRim);
                }
                *which = Some(side);
                has[usize::from(lesser)] = true;
            }
            sides.push((offset, has));
        }
        if let Some(rim) = &mut found {
            let without = |which: usize| {
                let all = sides.iter().filter(move |(_, has)| !has[which]);
                all.map(|(offset, _)| *offset)
            };
            rim.without = [without(0).min(), without(1).max()];
        }
        Ok(found)
    }
}

/// Guards are no rim.
struct NoRim;

impl Rim {
    /// From where to where elements are inside whenever those of all places without an edge are, the last of which lies so far behind the first one.
    fn inside(&self, last: i32) -> Option<(i32, i32)> {
        let end = |side: &Option<Side>, without: Option<i32>, open: i32| match side {
            Some(_) => without,
            None => Some(open),
        };
        let from = end(&self.low, self.without[0], i32::MIN)?;
        let to = end(&self.high, self.without[1].map(|to| to + last), i32::MAX)?;
        (from <= to).then_some((from, to))
    }
}

impl Side {
    fn of(guard: &Guard, lesser: bool, (row, column): (VarId, VarId)) -> Option<Side> {
        let (less, most, inside) = (&guard.less, &guard.most, &guard.inside);
        let one = |yes: bool| Poly::constant(i128::from(yes));
        let (bound, margin) = match lesser {
            true => (
                most.clone() - less.clone() + inside.clone() + one(!guard.strict),
                less.clone() - inside.clone(),
            ),
            false => (
                less.clone() - most.clone() + inside.clone() + one(guard.strict),
                most.clone() - inside.clone(),
            ),
        };
        let stays = |poly: &Poly, var| split(poly, var).is_some_and(|(_, by)| by.is_zero());
        for poly in [&bound, &margin] {
            (stays(poly, row) && stays(poly, column)).then_some(())?;
        }
        let outside = guard.outside.clone()?;
        let towards = Poly::constant(if lesser { -1 } else { 1 });
        let taken = if outside == bound.clone() - one(lesser) {
            Taken::Nearest
        } else if outside == inside.clone() + towards {
            Taken::Neighbour
        } else {
            return None;
        };
        Some(Side {
            bound,
            taken,
            margin,
        })
    }
}

impl<'a> Emitter<'a> {
    /// Adds to what has to hold wherever a patch is that the numbers of rims are such, and to what holds inside that it is within.
    pub(super) fn within_rims(
        &mut self,
        strip: &mut Strip<'a>,
        (inside, sound): (&mut Reg, &mut Reg),
    ) {
        for axis in [0, 1] {
            let of_axis = |family: &Family| family.rims[axis].is_some();
            if axis == 1 && strip.families.list.iter().any(of_axis) {
                strip.reach = Some(*inside);
            }
            for n in 0..strip.families.list.len() {
                let Some(rim) = strip.families.list[n].rims[axis].clone() else {
                    continue;
                };
                let lines = strip.families.lines(strip.rows, strip.columns).into_iter();
                let lines = lines.filter(|((of, _), _)| *of == n);
                let ends = |((_, line), (from, to)): ((usize, i32), (i32, i32))| match axis {
                    0 => (line, line),
                    _ => (from, to - 1),
                };
                let ends = lines.map(ends);
                let (low, high) = ends.fold((i32::MAX, i32::MIN), |all, (from, to)| {
                    (all.0.min(from), all.1.max(to))
                });
                for side in [&rim.low, &rim.high].into_iter().flatten() {
                    for number in [&side.bound, &side.margin] {
                        let known = number.as_constant();
                        if known.is_some_and(|n| (0..i128::from(LARGEST)).contains(&n)) {
                            continue;
                        }
                        let number = self.poly_reg(strip, number);
                        let f = self.f();
                        *sound = value!(f, "sound", "setp.lt.and.u64", number, LARGEST, *sound);
                    }
                }
                let here = self.rim_here(strip, &rim);
                let f = self.f();
                let first = value!(f, "first", "add.u64", here.at, low);
                let least: Operand = match here.low {
                    Some((bound, _)) => bound.into(),
                    None => 0.into(),
                };
                *inside = value!(f, "inside", "setp.ge.and.s64", first, least, *inside);
                if let Some((bound, _)) = here.high {
                    let last = value!(f, "last", "add.u64", here.at, high);
                    *inside = value!(f, "inside", "setp.lt.and.s64", last, bound, *inside);
                }
            }
        }
    }

    /// Whether all iterations of a patch are there and take what is there, and only elements that lines are loaded of one by one are others than inside;
    /// `None` where that is not so of any patch. What [`rim_holds`](Self::rim_holds) asks follows: numbers of what lies inside are compared.
    pub(super) fn near(&mut self, strip: &mut Strip<'a>, sound: Reg) -> Option<Reg> {
        let (reach, whole) = (strip.reach?, strip.whole?);
        let last = strip.columns as i32 - 1;
        let rims: Vec<(usize, Rim)> = (0..strip.families.list.len())
            .filter_map(|n| Some((n, strip.families.list[n].rims[1].clone()?)))
            .collect();
        for (n, rim) in &rims {
            let ends = rim.inside(last)?;
            let pieces = strip
                .schedule
                .pieces
                .iter()
                .filter(|(line, _)| line.0 == *n);
            let mut together = pieces
                .flat_map(|(_, of)| of)
                .filter(|piece| piece.count > 1);
            let within = |piece: &Piece| {
                ends.0 <= piece.first && piece.first + piece.count as i32 - 1 <= ends.1
            };
            together.all(within).then_some(())?;
        }
        let f = self.f();
        let near = value!(f, "near", "and.pred", reach, whole);
        let mut near = value!(f, "near", "and.pred", near, sound);
        let products = strip.products.clone();
        for (n, rim) in rims {
            let here = self.rim_here(strip, &rim);
            let (from, to) = rim.inside(last)?;
            let side = rim.low.as_ref().or(rim.high.as_ref());
            let margin = side.map_or_else(Poly::zero, |side| side.margin.clone());
            let margin = self.poly(strip, &margin);
            let least = strip.families.uses.iter().filter(|u| u.family == n);
            let least = least.map(|u| u.element).min().unwrap_or(0);
            let f = self.f();
            let first = value!(f, "number", "add.u64", here.at, least);
            let compared = value!(f, "compared", "add.s64", first, margin);
            near = value!(f, "near", "setp.ge.and.s64", compared, 0, near);
            near = match here.low {
                Some((low, _)) => {
                    let number = value!(f, "number", "add.u64", here.at, from);
                    value!(f, "near", "setp.ge.and.s64", number, low, near)
                }
                None => value!(f, "near", "setp.ge.and.s64", first, 0, near),
            };
            if let Some((high, _)) = here.high {
                let number = value!(f, "number", "add.u64", here.at, to);
                near = value!(f, "near", "setp.lt.and.s64", number, high, near);
            }
        }
        strip.products = products;
        Some(near)
    }

    /// Loads pieces of lines of a patch that is near an edge: single elements from where they are taken.
    pub(super) fn load_near(&mut self, strip: &mut Strip<'a>, wanted: &[Wanted]) {
        let mut narrow: HashMap<usize, Narrow> = HashMap::new();
        let mut taken: HashMap<(usize, i32), Reg> = HashMap::new();
        for piece in wanted {
            let n = piece.line.0;
            let family = strip.families.list[n].clone();
            let Some(rim) = family.rims[1].as_ref().filter(|_| piece.piece.count == 1) else {
                self.load_piece(&family, piece, None);
                continue;
            };
            let narrow = *narrow.entry(n).or_insert_with(|| {
                let products = strip.products.clone();
                let here = self.rim_here(strip, rim);
                strip.products = products;
                self.narrow(&here)
            });
            let behind = *taken.entry((n, piece.piece.first)).or_insert_with(|| {
                let element = self.narrow_element(&narrow, piece.piece.first);
                value!(self.f(), "behind", "mul.wide.s32", element, family.size())
            });
            let at = value!(self.f(), "at", "add.u64", piece.at, behind);
            let piece = Wanted {
                at,
                offset: 0,
                words: piece.words.clone(),
                ..*piece
            };
            self.load_piece(&family, &piece, None);
        }
    }

    /// A rim where the patch is.
    fn rim_here(&mut self, strip: &mut Strip<'a>, rim: &Rim) -> Here {
        let at = self.poly_reg(strip, &rim.at);
        let mut side = |side: &Option<Side>| {
            let side = side.as_ref()?;
            Some((self.poly_reg(strip, &side.bound), side.taken))
        };
        Here {
            at,
            low: side(&rim.low),
            high: side(&rim.high),
        }
    }

    /// The rims of a family where the patch is, out of line.
    pub(super) fn rims_here(&mut self, strip: &mut Strip<'a>, n: usize) -> [Option<Here>; 2] {
        let products = strip.products.clone();
        let rims = strip.families.list[n].rims.clone();
        let here = rims.map(|rim| Some(self.rim_here(strip, &rim?)));
        strip.products = products;
        here
    }

    /// How far the line that is taken is from one of a number.
    pub(super) fn rim_jump(&mut self, here: &Here, line: impl Into<Operand>) -> Reg {
        let line: Operand = line.into();
        let f = self.f();
        let number = value!(f, "number", "add.u64", here.at, line);
        let mut jump = value!(f, "jump", "mov.u64", 0);
        for (side, low) in [(here.low, true), (here.high, false)] {
            let Some((bound, taken)) = side else { continue };
            let beyond = match low {
                true => value!(f, "beyond", "setp.lt.s64", number, bound),
                false => value!(f, "beyond", "setp.ge.s64", number, bound),
            };
            let to: Operand = match (taken, low) {
                (Taken::Neighbour, true) => 1.into(),
                (Taken::Neighbour, false) => (-1).into(),
                (Taken::Nearest, true) => value!(f, "to", "sub.u64", bound, number).into(),
                (Taken::Nearest, false) => {
                    let behind = value!(f, "to", "sub.u64", bound, number);
                    value!(f, "to", "sub.u64", behind, 1).into()
                }
            };
            jump = value!(f, "jump", "selp.b64", to, jump, beyond);
        }
        jump
    }

    /// The same for many elements of a line: bounds of their offsets in 32 bits.
    pub(super) fn narrow(&mut self, here: &Here) -> Narrow {
        let f = self.f();
        let mut bound = |side: Option<(Reg, Taken)>, less: i64| {
            let (bound, taken) = side?;
            let from = value!(f, "bound", "sub.s64", bound, here.at);
            let from = value!(f, "bound", "sub.s64", from, less);
            let from = value!(f, "bound", "max.s64", from, -FARTHEST);
            let from = value!(f, "bound", "min.s64", from, FARTHEST);
            Some((value!(f, "bound", "cvt.u32.u64", from), taken))
        };
        Narrow {
            first: bound(here.low, 0),
            last: bound(here.high, 1),
        }
    }

    /// The element that is taken for one.
    pub(super) fn narrow_element(&mut self, narrow: &Narrow, element: i32) -> Reg {
        let f = self.f();
        let mut at = value!(f, "element", "mov.b32", element);
        for (side, low) in [(narrow.first, true), (narrow.last, false)] {
            let Some((bound, taken)) = side else { continue };
            at = match (taken, low) {
                (Taken::Nearest, true) => value!(f, "element", "max.s32", at, bound),
                (Taken::Nearest, false) => value!(f, "element", "min.s32", at, bound),
                (Taken::Neighbour, true) => {
                    let beyond = value!(f, "beyond", "setp.gt.s32", bound, element);
                    value!(f, "element", "selp.b32", element + 1, at, beyond)
                }
                (Taken::Neighbour, false) => {
                    let beyond = value!(f, "beyond", "setp.lt.s32", bound, element);
                    value!(f, "element", "selp.b32", element - 1, at, beyond)
                }
            };
        }
        at
    }

    /// Whether elements of a line from one to another are all inside, and a predicate holds.
    pub(super) fn narrow_within(
        &mut self,
        narrow: &Narrow,
        (from, to): (i32, i32),
        mut held: Reg,
    ) -> Reg {
        let f = self.f();
        if let Some((bound, _)) = narrow.first {
            held = value!(f, "within", "setp.le.and.s32", bound, from, held);
        }
        if let Some((bound, _)) = narrow.last {
            held = value!(f, "within", "setp.ge.and.s32", bound, to, held);
        }
        held
    }

    /// Whether what the iterations that are there take is what the loop takes: the first and the last one lie so far behind where the patch
    /// starts, and `lines` are those of the family's places, from the lowest to the highest.
    pub(super) fn rim_holds(
        &mut self,
        strip: &mut Strip<'a>,
        (n, axis): (usize, usize),
        here: &Here,
        (first, last): (Operand, Operand),
        (lines, mut held): ((i32, i32), Reg),
    ) -> Reg {
        let rim = strip.families.list[n].rims[axis].clone();
        let rim = rim.expect("a rim that is here");
        let at = |emitter: &mut Self, line: i32, behind: Operand| {
            let f = emitter.f();
            let at = value!(f, "number", "add.u64", here.at, line);
            value!(f, "number", "add.u64", at, behind)
        };
        let lowest = at(self, lines.0, first);
        // What the loop compares is not negative.
        let side = rim.low.as_ref().or(rim.high.as_ref());
        let margin = side.map_or_else(Poly::zero, |side| side.margin.clone());
        let products = strip.products.clone();
        let margin = self.poly(strip, &margin);
        strip.products = products;
        let f = self.f();
        let compared = value!(f, "compared", "add.s64", lowest, margin);
        held = value!(f, "held", "setp.ge.and.s64", compared, 0, held);
        if rim.low.is_none() {
            held = value!(f, "held", "setp.ge.and.s64", lowest, 0, held);
        }
        if let (Some((low, _)), Some((high, _))) = (here.low, here.high) {
            held = value!(f, "held", "setp.lt.and.s64", low, high, held);
        }
        if let (Some((low, _)), Some(line)) = (here.low, rim.without[0]) {
            let number = at(self, line, first);
            held = value!(self.f(), "held", "setp.ge.and.s64", number, low, held);
        }
        if let (Some((high, _)), Some(line)) = (here.high, rim.without[1]) {
            let number = at(self, line, last);
            held = value!(self.f(), "held", "setp.lt.and.s64", number, high, held);
        }
        // Numbers that are far away are no neighbours, but what has wrapped.
        for (line, behind) in [(lines.0, first), (lines.1, last)] {
            let f = self.f();
            let line = value!(f, "line", "mov.u64", line);
            let line = value!(f, "line", "add.u64", line, behind);
            let jump = self.rim_jump(here, line);
            let f = self.f();
            let near = value!(f, "near", "add.u64", jump, FARTHEST);
            held = value!(f, "held", "setp.lt.and.u64", near, 2 * FARTHEST, held);
        }
        held
    }
}
