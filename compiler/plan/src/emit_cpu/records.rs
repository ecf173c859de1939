//! Arrays of bins that are updated at the same places, `sums[k] += w; counts[k] += 1`: the runtime has one table of records for them where each worker has
//! tables of its own. Where an inner loop goes from one part of the bins to the next, a record is added to as a whole; that takes longer until the next update of the same record can begin, which nobody
//! waits for there. It is a question of speed alone, so that what counts is what usually happens: sites in one block that are written with the same indices.

use std::ops::Range;

use crate::detect::place::same_index;
use crate::ir::visit::Visit;
use crate::ir::{
    Block, Expr, ExprKind, Index, Loop, Memory, Place, Root, Stmt, StmtKind, Target, Update, VarId,
};
use crate::sorted::SortedSet;

/// Targets that follow each other and are updated at the same places.
pub(super) struct Together {
    /// Which.
    pub(super) targets: Range<usize>,
    /// How many of the first indices they have in common.
    pub(super) indices: usize,
    /// Whether an inner loop's position is one of the indices, so that no update waits for the one before it.
    pub(super) apart: bool,
}

/// Those of a loop.
pub(super) fn together(of: &Loop, targets: &[Target]) -> Vec<Together> {
    let mut sites = Sites {
        of: targets.iter().map(|_| Vec::new()).collect(),
        block: 0,
        seen: 0,
        positions: of.space.iter().skip(1).map(|dim| dim.position).collect(),
    };
    sites.block(&of.body.block);
    let bins = |n: usize| matches!(targets[n].memory, Memory::Bins(_));
    let mut found = Vec::new();
    let mut first = 0;
    while first < targets.len() {
        let mut group = Together {
            targets: first..first + 1,
            indices: 0,
            apart: false,
        };
        while bins(first) && group.targets.end < targets.len() && bins(group.targets.end) {
            let more = first..group.targets.end + 1;
            let Some(indices) = common(&sites.of[more.clone()]) else {
                break;
            };
            let mut all = sites.of[more.clone()].iter().flatten();
            group = Together {
                apart: all.all(|site| site.apart),
                targets: more,
                indices,
            };
        }
        first = group.targets.end;
        found.extend((group.targets.len() > 1).then_some(group));
    }
    found
}

/// Where a target is updated: a block, and indices.
struct Site {
    block: usize,
    indices: Vec<Index>,
    /// Whether one of these is an inner loop's position.
    apart: bool,
}

impl Site {
    /// Whether another one in the block has so many first indices in common.
    fn is_like(&self, other: &Site, indices: usize) -> bool {
        let mut pairs = self.indices.iter().zip(&other.indices).take(indices);
        self.block == other.block && pairs.all(|(a, b)| same_index(a, b))
    }
}

/// How many of the first indices the sites of targets have in common, wherever one of them is updated: all, or all but a last one that is a literal.
fn common(targets: &[Vec<Site>]) -> Option<usize> {
    let depths = targets.iter().flatten().map(|site| site.indices.len());
    let (least, most) = (depths.clone().min()?, depths.max()?);
    let literal = |index: &Index| matches!(index.index.kind, ExprKind::Literal(_));
    let fits = |n: &usize| {
        let covers = |one: &[Site], other: &[Site]| {
            let mut sites = one.iter();
            sites.all(|site| other.iter().any(|of| site.is_like(of, *n)))
        };
        let mut behind = targets
            .iter()
            .flatten()
            .flat_map(|site| &site.indices[*n..]);
        let first = &targets[0];
        *n > 0
            && *n + 1 >= most
            && behind.all(literal)
            && targets
                .iter()
                .all(|of| covers(of, first) && covers(first, of))
    };
    [least, least.saturating_sub(1)].into_iter().find(fits)
}

/// Finds the sites of each target.
struct Sites {
    of: Vec<Vec<Site>>,
    /// The block that is being walked.
    block: usize,
    /// How many blocks there were.
    seen: usize,
    /// The variables that are positions of inner loops.
    positions: SortedSet<VarId>,
}

impl Sites {
    fn is_position(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(inner) => self.is_position(inner),
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) => path.is_empty() && self.positions.contains(var),
            _ => false,
        }
    }
}

impl Visit for Sites {
    fn block(&mut self, block: &Block) {
        let around = self.block;
        self.seen += 1;
        self.block = self.seen;
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
        self.block = around;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For(inner) => {
                self.positions.insert(inner.position);
            }
            StmtKind::Let(var, Some(value)) if self.is_position(value) => {
                self.positions.insert(*var);
            }
            _ => {}
        }
        self.stmt_parts(stmt);
    }

    fn update(&mut self, update: &Update) {
        let apart = update
            .bin
            .iter()
            .any(|index| self.is_position(&index.index));
        self.of[update.target].push(Site {
            apart,
            block: self.block,
            indices: update.bin.clone(),
        });
        self.update_parts(update);
    }
}
