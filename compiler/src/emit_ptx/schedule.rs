//! When the lines of a patch are loaded: some statements before those that read them.
//!
//! Statements that cannot fail are printed for a group of iterations before the next one is, so that what iterations share, a line or a
//! weight, is in registers for as long as the group needs it and no longer. A group is 16 iterations, which keep a multiprocessor busy and
//! whose sums have room in registers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::families::{Along, Families, Family};

/// Iterations whose statements are printed together.
const GROUP: u32 = 16;

/// Registers of lines that are all loaded as a patch starts.
const MOST_EARLY: u32 = 56;

/// Statements that lines are loaded ahead of, at most.
const AHEAD: usize = 8;

/// Those of a body of so many: lines of the group behind the next one would only take registers (5 points of `f32`, 8192 x 8192: 154 us, so 144).
pub(super) fn ahead(statements: usize) -> usize {
    statements.min(AHEAD)
}

/// Elements that are loaded at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) first: i32,
    pub(super) count: u32,
}

/// A line of a family.
pub(super) type Line = (usize, i32);

/// The order of a patch.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// Rows whose iterations are printed together.
    pub(super) groups: Vec<Range<u32>>,
    /// What is loaded for which step on: statement `s` of group `g` is step `g * statements + s`.
    pub(super) batches: Vec<(usize, Vec<Line>)>,
    /// What each line has to hold.
    pub(super) pieces: BTreeMap<Line, Vec<Piece>>,
}

impl Family {
    /// Elements that are loaded or stored at once, at most, of lines that are so long in the patch.
    pub(super) fn unit(&self, length: u32) -> u32 {
        match self.along {
            Along::Nowhere => 1,
            Along::Columns | Along::Rows => (16 / self.size()).min(length),
        }
    }

    /// The fewest pieces that cover elements, each as long as a power of two and aligned to it.
    fn pieces(&self, (from, to): (i32, i32), length: u32) -> Vec<Piece> {
        let unit = self.unit(length) as i32;
        let (from, to) = (from - self.aligned, to - self.aligned);
        let blocks = from.div_euclid(unit)..(to - 1).div_euclid(unit) + 1;
        let of_block = |block: i32| {
            let (low, high) = ((from - block * unit).max(0), (to - block * unit).min(unit));
            let sizes = (0..).map(|n| 1 << n);
            let size = sizes
                .take_while(|s| *s < unit)
                .find(|s| low / s == (high - 1) / s);
            let size = size.unwrap_or(unit);
            Piece {
                first: self.aligned + block * unit + low / size * size,
                count: size as u32,
            }
        };
        blocks.map(of_block).collect()
    }
}

impl Families {
    /// How long lines of a family are in a patch.
    pub(super) fn length(&self, family: usize, rows: u32, columns: u32) -> u32 {
        match self.list[family].along {
            Along::Columns | Along::Nowhere => columns,
            Along::Rows => rows,
        }
    }

    /// The order of a patch of so many rows and columns.
    pub(super) fn schedule(&self, rows: u32, columns: u32, statements: usize) -> Schedule {
        let together = match self.in_step && !self.across {
            true => (GROUP / columns).clamp(1, rows),
            false => rows,
        };
        let groups: Vec<Range<u32>> = (0..rows)
            .step_by(together as usize)
            .map(|first| first..first + together)
            .collect();
        let mut batches: Vec<(usize, Vec<Line>)> = Vec::new();
        let mut seen = BTreeSet::new();
        for (g, group) in groups.iter().enumerate() {
            for stmt in 0..statements {
                let step = match self.in_step {
                    true => g * statements + stmt,
                    false => 0,
                };
                for line in self.read_at(stmt, group.clone(), columns) {
                    if !seen.insert(line) {
                        continue;
                    }
                    match batches.last_mut() {
                        Some((at, lines)) if *at == step => lines.push(line),
                        _ => batches.push((step, vec![line])),
                    }
                }
            }
        }
        let ranges = self.lines(rows, columns).into_iter();
        let pieces = ranges
            .filter(|(line, _)| seen.contains(line))
            .map(|(line, range)| {
                let length = self.length(line.0, rows, columns);
                (line, self.list[line.0].pieces(range, length))
            });
        Schedule {
            pieces: pieces.collect(),
            groups,
            batches,
        }
    }

    /// Has lines loaded early: all as a patch starts, since one wait is shorter than several. Where they take too many registers, those that
    /// only its last quarter needs come two groups before that, in place of others (3 x 3 of bytes, 8192 x 8192, H100, 2026-11-27: 54.3 us, so
    /// 54.2 with some registers spilled, 56 if half of the lines come later).
    pub(super) fn load_early(&self, schedule: &mut Schedule, statements: usize) {
        let lines = schedule.batches.iter().flat_map(|(_, lines)| lines);
        let words: u32 = lines.map(|line| self.words(line, schedule)).sum();
        let late = match words > MOST_EARLY {
            true => schedule.groups.len() * 3 / 4 * statements,
            false => usize::MAX,
        };
        let batches = std::mem::take(&mut schedule.batches);
        let of = |last: bool| {
            let these = batches.iter().filter(|(at, _)| (*at >= late) == last);
            these.flat_map(|(_, lines)| lines.clone()).collect()
        };
        let both: [(usize, Vec<Line>); 2] = [
            (0, of(false)),
            (late.saturating_sub(2 * statements), of(true)),
        ];
        let some = both.into_iter().filter(|(_, lines)| !lines.is_empty());
        schedule.batches = some.collect();
    }

    /// The lines that a statement reads in some rows.
    fn read_at(&self, stmt: usize, rows: Range<u32>, columns: u32) -> BTreeSet<Line> {
        let mut lines = BTreeSet::new();
        for used in self
            .uses
            .iter()
            .filter(|u| u.stmt == stmt && u.reads && u.kept)
        {
            for (row, column) in rows.clone().flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let (line, _) = self.list[used.family].at(used, row, column);
                lines.insert((used.family, line));
            }
        }
        lines
    }

    fn statements(&self) -> usize {
        self.uses.iter().map(|u| u.stmt + 1).max().unwrap_or(0)
    }

    fn words(&self, line: &Line, schedule: &Schedule) -> u32 {
        let size = self.list[line.0].size();
        let pieces = schedule.pieces.get(line).into_iter().flatten();
        pieces.map(|p| (p.count * size).div_ceil(4)).sum()
    }

    /// Registers that lines take at a time, at most.
    pub(super) fn most_words(&self, rows: u32, columns: u32) -> u32 {
        let statements = self.statements();
        let schedule = self.schedule(rows, columns, statements);
        let mut ends: BTreeMap<Line, usize> = BTreeMap::new();
        for (g, group) in schedule.groups.iter().enumerate() {
            for stmt in 0..statements {
                for line in self.read_at(stmt, group.clone(), columns) {
                    ends.insert(line, g * statements + stmt);
                }
            }
        }
        let starts = schedule.batches.iter();
        let starts = starts.map(|(at, lines)| (at.saturating_sub(ahead(statements)), lines));
        let lives: Vec<(usize, usize, u32)> = starts
            .flat_map(|(at, lines)| lines.iter().map(move |line| (at, *line)))
            .map(|(at, line)| (at, ends[&line], self.words(&line, &schedule)))
            .collect();
        let at = |step: usize| {
            let live = lives
                .iter()
                .filter(|(from, to, _)| (*from..=*to).contains(&step));
            live.map(|(_, _, words)| words).sum::<u32>()
        };
        schedule
            .batches
            .iter()
            .map(|(step, _)| at(*step))
            .max()
            .unwrap_or(0)
    }

    /// Words that a patch loads, where those that are anywhere take as long as several.
    pub(super) fn loads(&self, rows: u32, columns: u32) -> u32 {
        let schedule = self.schedule(rows, columns, self.statements());
        let lines = schedule.pieces.keys().map(|line| {
            let times = match self.list[line.0].along {
                Along::Nowhere => 4,
                Along::Columns | Along::Rows => 1,
            };
            times * self.words(line, &schedule)
        });
        let apart = self.uses.iter().filter(|u| !(u.kept && u.reads));
        let apart = apart.filter(|u| self.list[u.family].along == Along::Nowhere);
        lines.sum::<u32>() + 4 * rows * columns * apart.count() as u32
    }

    /// Whether rows share lines.
    pub(super) fn shares(&self) -> bool {
        let lines = |n: usize| {
            self.uses
                .iter()
                .filter(move |u| u.family == n)
                .map(|u| u.line)
        };
        (0..self.list.len()).any(|n| lines(n).min() != lines(n).max())
    }
}
