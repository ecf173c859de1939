//! Arrays of bins that are updated at the same places, `sums[k] += w; counts[k] += 1`: the runtime has one table of records for them where each worker has
//! tables of its own. It is a question of speed alone, so that what counts is what usually happens: sites in one block that are written with the same indices.

use std::ops::Range;

use crate::detect::place::same_index;
use crate::ir::visit::Visit;
use crate::ir::{Block, ExprKind, Index, Loop, Memory, Target, Update};

/// Targets that follow each other and are updated at the same places.
pub(super) struct Together {
    /// Which.
    pub(super) targets: Range<usize>,
    /// How many of the first indices they have in common.
    pub(super) indices: usize,
}

/// Those of a loop.
pub(super) fn together(of: &Loop, targets: &[Target]) -> Vec<Together> {
    let mut sites = Sites {
        of: targets.iter().map(|_| Vec::new()).collect(),
        block: 0,
        seen: 0,
    };
    sites.block(&of.body.block);
    let bins = |n: usize| matches!(targets[n].memory, Memory::Bins(_));
    let mut found = Vec::new();
    let mut first = 0;
    while first < targets.len() {
        let mut group = Together {
            targets: first..first + 1,
            indices: 0,
        };
        while bins(first) && group.targets.end < targets.len() && bins(group.targets.end) {
            let more = first..group.targets.end + 1;
            let Some(indices) = common(&sites.of[more.clone()]) else {
                break;
            };
            group = Together {
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

    fn update(&mut self, update: &Update) {
        self.of[update.target].push(Site {
            block: self.block,
            indices: update.bin.clone(),
        });
        self.update_parts(update);
    }
}
