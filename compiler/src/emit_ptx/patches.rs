//! Patches: loops over two or more dimensions whose threads take some rows and columns each.
//!
//! ```text
//! for y in 0..h { for x in 0..w { out[y * w + x] = …; } }
//!
//! for t in 0..h.div_ceil(R) { for s in 0..w.div_ceil(C) {                         the same, as it is printed
//!     for y in R * t..min(R * t + R, h) { for x in C * s..min(C * s + C, w) { … } }
//! } }
//! ```
//!
//! Columns are as many as make 16 bytes of what is written, so that neighbouring threads load and store side by side, and what lies in
//! the lines around is loaded once for all rows of a patch ([`strips`](super::strips)). Rows may be those of any dimension but the
//! innermost: of that which shares most. Where nothing is known of indices, a patch is eight rows of one column, with
//! [spans](super::spans).

use std::collections::HashSet;

use super::families::{Along, Families};
use super::pairs::Paired;
use super::stream::{Streams, has_loops};
use super::unroll::unrolled;
use crate::ir::visit::{Visit, VisitMut};
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForLoop, Literal, Loop, LoopLabel, Place, Root, Scalar, Stmt,
    StmtKind, Type, Var, VarId, VarKind,
};

/// Rows of a patch of one column.
const ROWS: u32 = 8;

/// Registers that lines may take: with those of sums and addresses, two gangs of 256 threads find room.
const MOST_WORDS: u32 = 72;

/// The size of the bodies of a patch, at most, in expressions.
const MOST_EXPRESSIONS: u32 = 8192;

/// Iterations of a patch, at most.
const MOST_ITERATIONS: u32 = 128;

/// What patches look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rows: u32,
    pub(super) columns: u32,
    /// The dimension of the rows.
    pub(super) dim: usize,
    /// Whether what is read along the columns is written along the rows, or the other way round.
    pub(super) across: bool,
    /// Whether two iterations are computed in a register.
    pub(super) paired: bool,
}

/// One of the two loops over a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// The first position.
    pub(super) first: VarId,
    /// How many there are.
    pub(super) count: VarId,
    /// The position of the loop itself, which was the dimension's.
    pub(super) at: VarId,
    /// The position in the patch.
    pub(super) offset: VarId,
}

/// A loop by patches.
pub(super) struct Patches {
    /// The loop, whose body runs over the iterations of one.
    pub(super) lp: Loop,
    pub(super) shape: Shape,
    pub(super) rows: Side,
    /// None where a patch has one column.
    pub(super) columns: Option<Side>,
}

impl Patches {
    /// A loop by patches, if it has two dimensions and iterations without loops, or with such as can be unrolled. Where `overflow` is
    /// checked, indices may fail before they are used; where everything is streamed, there is nothing to be shared.
    pub(super) fn of(lp: &Loop, streams: &Streams, overflow: bool) -> Option<Patches> {
        let dim = lp.space.len().checked_sub(2)?;
        let flat = match has_loops(lp) {
            true => unrolled(lp).filter(|lp| !has_loops(lp)),
            false => Some(lp.clone()),
        };
        let strips = flat.as_ref().filter(|_| !overflow);
        if let Some(lp) = strips
            && let Some(shape) = Shape::of(lp, streams)
        {
            return Some(Patches::new(lp, shape));
        }
        let column = Shape {
            rows: ROWS,
            columns: 1,
            dim,
            across: false,
            paired: false,
        };
        let streamed = streams.write_all(lp);
        (!streamed && !has_loops(lp)).then(|| Patches::new(lp, column))
    }

    fn new(lp: &Loop, shape: Shape) -> Patches {
        let mut lp = lp.clone();
        let last = lp.space.len() - 1;
        let mut body = std::mem::take(&mut lp.body.block);
        // No loop of the body has a label: there are none.
        let (row_label, column_label) = (LoopLabel(0), LoopLabel(1));
        let innermost = match shape.columns {
            1 => row_label,
            _ => column_label,
        };
        Next(innermost).block(&mut body);
        let mut columns = None;
        if shape.columns > 1 {
            let side = Side::new(&mut lp, last, "column");
            body = side.around(&lp, column_label, body);
            columns = Some(side);
        }
        let rows = Side::new(&mut lp, shape.dim, "row");
        lp.body.block = rows.around(&lp, row_label, body);
        Patches {
            lp,
            shape,
            rows,
            columns,
        }
    }
}

/// The body of an iteration of a loop by patches, behind the declarations of its positions.
pub(super) fn body(lp: &Loop, shape: Shape) -> &[Stmt] {
    let mut stmts: &[Stmt] = &lp.body.block.stmts;
    for _ in 0..1 + u32::from(shape.columns > 1) {
        if let Some(StmtKind::For(side)) = stmts.last().map(|stmt| &stmt.kind) {
            stmts = &side.body.stmts[1..];
        }
    }
    stmts
}

impl Side {
    fn new(lp: &mut Loop, dim: usize, name: &str) -> Side {
        let source = lp.source;
        let mut var = |name: String, kind| {
            lp.body.vars.push(Var {
                name,
                ty: Type::Scalar(Scalar::Usize),
                kind,
                source,
            });
            VarId(lp.body.vars.len() as u32 - 1)
        };
        let first = var(format!("first_{name}"), VarKind::Position);
        let count = var(format!("{name}s"), VarKind::Position);
        let offset = var(name.to_owned(), VarKind::Local);
        let at = lp.space[dim].position;
        lp.body.vars[at.0 as usize].kind = VarKind::Local;
        Side {
            first,
            count,
            at,
            offset,
        }
    }

    /// The loop over a side around what it does for each position.
    fn around(&self, lp: &Loop, label: LoopLabel, mut body: Block) -> Block {
        let source = lp.source;
        let expr = |kind| Expr {
            kind,
            ty: Type::Scalar(Scalar::Usize),
            source,
        };
        let load = |var| {
            expr(ExprKind::Load(Place {
                root: Root::Var(var),
                path: Vec::new(),
            }))
        };
        let (first, offset) = (Box::new(load(self.first)), Box::new(load(self.offset)));
        let sum = ExprKind::Binary(BinaryOp::Add, first, offset);
        let declared = Stmt {
            kind: StmtKind::Let(self.at, Some(expr(sum))),
            source,
        };
        body.stmts.insert(0, declared);
        let around = StmtKind::For(ForLoop {
            label,
            position: self.offset,
            count: load(self.count),
            body,
        });
        Block {
            stmts: vec![Stmt {
                kind: around,
                source,
            }],
            tail: None,
        }
    }
}

impl Shape {
    /// The shape that shares most, if there are lines to be shared.
    fn of(lp: &Loop, streams: &Streams) -> Option<Shape> {
        let last = lp.space.len() - 1;
        let mut best: Option<(Shape, u32)> = None;
        // The dimension beside the innermost first: its rows are neighbours in the cache as well.
        for dim in (0..last).rev() {
            let Some((shape, loads, shares)) = Shape::over(lp, streams, dim) else {
                continue;
            };
            let worth =
                loads * (MOST_ITERATIONS / (shape.rows * shape.columns).min(MOST_ITERATIONS));
            let better = match best {
                None => true,
                Some((_, least)) => worth < least || worth == least && shares,
            };
            if better {
                best = Some((shape, worth));
            }
        }
        best.map(|(shape, _)| shape)
    }

    /// The shape with rows of one dimension, what it loads, and whether rows share lines.
    fn over(lp: &Loop, streams: &Streams, dim: usize) -> Option<(Shape, u32, bool)> {
        let space = &lp.space;
        let column = space.last()?;
        let stmts = &lp.body.block.stmts;
        if lp.body.block.tail.is_some() {
            return None;
        }
        let families = Families::of(lp, stmts, space[dim].position, column.position)?;
        let lines = families
            .uses
            .iter()
            .filter(|u| families.list[u.family].along != Along::Nowhere);
        let mut beside = Beside {
            lp,
            streams,
            places: HashSet::new(),
        };
        beside.block(&lp.body.block);
        if !lines
            .clone()
            .any(|used| beside.places.contains(&used.place))
        {
            return None;
        }
        let most = |dim: usize| match space[dim].count.kind {
            ExprKind::Literal(Literal::Int(n)) => u32::try_from(n).unwrap_or(u32::MAX),
            _ => u32::MAX,
        };
        let columns = families.columns();
        if most(space.len() - 1) < columns {
            return None;
        }
        let mut rows = match families.across {
            true => columns,
            // What tells the edges takes registers, too.
            false if !families.guards.is_empty() => ROWS.min(MOST_ITERATIONS / columns),
            false => ROWS.min(MOST_ITERATIONS / columns),
        };
        // What is computed by pairs is printed once for two.
        let paired = Paired::of(lp, &families, stmts, columns);
        let size = match &paired {
            Some(_) => families.size.div_ceil(2),
            None => families.size,
        };
        let fits = |rows: u32| {
            size * rows * columns <= MOST_EXPRESSIONS
                && families.most_words(rows, columns) <= MOST_WORDS
                && rows <= most(dim)
        };
        while !fits(rows) {
            rows /= 2;
            if rows == 0 || families.across {
                return None;
            }
        }
        let loads = families.loads(rows, columns);
        let shape = Shape {
            rows,
            columns,
            dim,
            across: families.across,
            paired: paired.is_some(),
        };
        Some((shape, loads, families.shares()))
    }
}

impl Families {
    /// Columns of a patch: 16 bytes of what is stored, or else of what is loaded.
    fn columns(&self) -> u32 {
        let of = |writes: bool| {
            let uses = self.uses.iter().filter(move |u| u.writes == writes);
            let families = uses.map(|u| &self.list[u.family]);
            families
                .filter(|f| f.along != Along::Nowhere)
                .map(|f| f.size())
        };
        if self.across {
            let size = of(true).chain(of(false)).max().unwrap_or(4);
            return (16 / size).clamp(4, 8);
        }
        let size = of(true).max().or(of(false).min()).unwrap_or(4);
        match self.guards.is_empty() {
            true => 16 / size,
            // A thread runs what lies at an edge one by one: 16 of a row took 40 us, a picture of 2 megapixels 8.
            false => (16 / size).min(4),
        }
    }
}

/// Finds places that are not streamed.
struct Beside<'a> {
    lp: &'a Loop,
    streams: &'a Streams,
    places: HashSet<*const Place>,
}

impl Beside<'_> {
    fn place(&mut self, place: &Place) {
        if self.streams.locate(self.lp, place).is_none() {
            self.places.insert(std::ptr::from_ref(place));
        }
    }
}

impl Visit for Beside<'_> {
    fn load(&mut self, place: &Place) {
        self.place(place);
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        self.place(place);
        self.place_parts(place);
    }
}

/// What goes on with the next iteration goes on with the next position of a side.
struct Next(LoopLabel);

impl VisitMut for Next {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Continue(label @ None) = &mut expr.kind {
            *label = Some(self.0);
        }
        self.expr_parts(expr);
    }
}
