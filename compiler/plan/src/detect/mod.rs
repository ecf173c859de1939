//! What a lowered loop is: one file for each pattern, with the reasons for refusing.

mod affine;
mod best;
pub mod claims;
mod composed;
mod computed;
mod cursor;
pub mod grid;
mod histogram;
mod injective;
pub mod keeps;
mod maps;
pub mod owned;
pub mod place;
pub mod pushes;
mod reach;
mod reads;
mod residues;
mod rows;
mod scan;
mod slice;
mod terms;
mod update;
pub mod winners;

use quote::ToTokens;

use crate::sorted::{Sorted, SortedSet};

use self::claims::Claims;
use self::grid::Grid;
use self::keeps::Keeps;
use self::owned::Roles;
use self::pushes::Pushes;
use self::winners::{Why, Winners};
use crate::diag::Errors;
use crate::ir::visit::Visit;
use crate::ir::{
    Access, Carried, Filled, Loop, Pattern, Reach, Root, Stmt, StmtKind, VarId, VarKind,
};
use crate::parsed::lowered::Lowered;
use crate::source::{SourceMap, text_of};
use crate::syntax::AssignSyntax;

/// A loop that is known to be one of the patterns.
pub struct Detected<'a> {
    /// The loop; its updates are updates now.
    pub lowered: Lowered<'a>,
    /// What it is.
    pub pattern: Pattern,
    /// The same over more dimensions, where iterations keep apart in those as well.
    pub grid: Option<Grid>,
    /// What finds the best items, where it keeps such, or why nothing does.
    pub winners: Option<Result<Winners, Why>>,
    /// What claims the elements of arrays that are distinct by the attribute alone, where there are such, or why nothing does.
    pub claims: Option<Result<Claims, Why>>,
    /// What gives what an iteration keeps of the best item, where numbers are kept.
    pub keeps: Option<Keeps>,
    /// What fills arrays with what it pushes to vectors, where it does, or why nothing does.
    pub pushes: Option<Result<Pushes, Why>>,
    /// Which elements of captured arrays its iterations access, as kernels take it.
    pub reach: Reach,
}

/// Says what a loop is.
///
/// # Errors
///
/// What was wrong with it before, and every write and read that keeps it from being a pattern.
pub fn detect<'a>(mut lowered: Lowered<'a>, sources: &SourceMap) -> Result<Detected<'a>, Errors> {
    let mut errors = std::mem::take(&mut lowered.errors);
    let context = Context {
        sources,
        assignments: &lowered.assignments,
        mutable: &lowered.mutable,
        any: lowered.any,
        reassociate: lowered.reassociate,
    };
    let mut roles = Roles::default();
    let mut best = best::Found::default();
    let mut carried = Carrying::default();
    let mut own = None;
    if lowered.any {
        // What is not understood is said alone: what iterations have of their own is not known then. What leaves the loop is understood.
        if !errors.iter().all(|e| e.code.is_way_out()) {
            return Err(errors);
        }
        let mut ir = lowered.ir.clone();
        // What iterations have of their own are whole elements of the outermost dimension, so that is what is split.
        rows::fold(&mut ir, &lowered.binds);
        // What keeps the best item is no scan, whatever else it looks like.
        let best_of = best::find(&mut ir.clone(), &lowered.binds, &context);
        let candidates = scan::candidates(&ir, &best_of, &context);
        carried.filled = cursor::find(
            &ir,
            &candidates,
            &lowered.borrowed,
            &lowered.handed,
            &context,
        );
        let filled: Vec<_> = carried.filled.iter().map(|filled| filled.array).collect();
        roles = owned::find(
            &ir,
            &lowered.handed,
            &filled,
            &lowered.borrowed,
            &lowered.arrays,
            &lowered.distinct,
            &context,
        );
        let (scalars, refused) = scan::judge(&mut ir, candidates, &roles, &context);
        refused.into_iter().for_each(|refused| errors.push(refused));
        carried.scalars = scalars;
        carried.writes = writes(&ir, &context);
        for id in roles.owned.iter().chain(&filled) {
            ir.arrays[id.0 as usize].access = Access::Owned;
        }
        best = best::find(&mut ir, &lowered.binds, &context);
        let whole = lowered.as_written
            || !roles.owned.is_empty()
            || !best.kept.is_empty()
            || !carried.scalars.is_empty();
        own = Some(ir).filter(|_| whole);
    }
    if let Some(ir) = own {
        lowered.ir = ir;
        lowered.binds.truncate(1);
        lowered.iterations.truncate(1);
    }
    let (distinct, scattered) = (roles.distinct.clone(), roles.scattered.clone());
    let (histogram, grid, winners, claims, keeps, pushes) =
        match histogram::detect(&mut lowered.ir, &context, roles, best) {
            Ok(mut histogram) => {
                errors.finish()?;
                histogram.carried = carried.scalars;
                histogram.distinct = distinct;
                histogram.scattered = scattered;
                histogram.filled = carried.filled;
                histogram.writes = carried.writes;
                let composed = histogram.carried.iter().any(|c| !c.has_kernels());
                if !histogram.carried.is_empty() && !composed {
                    let first = histogram.targets.len();
                    histogram.terms = slice::terms(&lowered.ir, &histogram.carried, first);
                }
                let grid = grid::find(&lowered.ir, &histogram, &lowered.arrays, &context);
                let winners = winners::find(&lowered.ir, &histogram, &context);
                let claims = claims::find(&lowered.ir, &histogram);
                let found = winners.as_ref().is_some_and(Result::is_ok);
                let keeps = found
                    .then(|| keeps::find(&lowered.ir, &histogram))
                    .flatten();
                let grown = lowered.grown.iter();
                let names: Vec<_> = grown.map(|of| text_of(&of.to_token_stream())).collect();
                let pushes = pushes::find(&lowered.ir, &histogram, &names);
                let apart = rows::keep_whole(&mut lowered, &mut histogram);
                let apart = apart.map(|ir| Grid { ir, guard: None });
                (histogram, grid.or(apart), winners, claims, keeps, pushes)
            }
            Err(more) => {
                errors.extend(more);
                return Err(errors);
            }
        };
    let kernels = match (&winners, &grid) {
        (Some(Ok(winners)), _) => &winners.ir,
        (_, Some(grid)) => &grid.ir,
        (_, None) => &lowered.ir,
    };
    let reach = reach::find(kernels, &lowered.mutable);
    Ok(Detected {
        lowered,
        pattern: Pattern::Histogram(histogram),
        grid,
        winners,
        claims,
        keeps,
        pushes,
        reach,
    })
}

/// What a loop carries from iteration to iteration.
#[derive(Default)]
struct Carrying {
    scalars: Vec<Carried>,
    filled: Vec<Filled>,
    writes: Vec<usize>,
}

/// The sites of the assignments to memory from outside that is not carried along.
fn writes(ir: &Loop, context: &Context<'_>) -> Vec<usize> {
    struct Writes<'a>(&'a Loop, &'a Context<'a>, Vec<usize>);
    impl Visit for Writes<'_> {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) = &stmt.kind {
                let outside = match place.root {
                    Root::Array(_) => true,
                    Root::Var(var) => !matches!(
                        self.0.var(var).kind,
                        VarKind::Local | VarKind::Param | VarKind::Carried
                    ),
                };
                let site = self.1.assignments.get(&stmt.source);
                self.2
                    .extend(site.filter(|_| outside).map(|syntax| syntax.site));
            }
            self.stmt_parts(stmt);
        }
    }
    let mut writes = Writes(ir, context, Vec::new());
    writes.block(&ir.body.block);
    writes.2
}

/// What the detector is told of a loop beside its IR.
pub struct Context<'a> {
    /// Where everything came from.
    pub sources: &'a SourceMap,
    /// The assignments, by the source of their statements.
    pub assignments: &'a Sorted<crate::ir::SourceId, AssignSyntax>,
    /// Local variables that are declared `mut`.
    pub mutable: &'a SortedSet<VarId>,
    /// Whether the loop may be of any kind.
    pub any: bool,
    /// Whether recurrences of floats may be regrouped.
    pub reassociate: bool,
}

impl Context<'_> {
    /// Where a piece of IR stands.
    pub fn span(&self, source: crate::ir::SourceId) -> proc_macro2::Span {
        self.sources.get(source).span
    }

    /// The text of a piece of IR.
    pub fn text(&self, source: crate::ir::SourceId) -> &str {
        &self.sources.get(source).text
    }
}

/// The name of what a memory is.
pub fn name_of(ir: &Loop, memory: crate::ir::Memory) -> &str {
    match memory {
        crate::ir::Memory::Bins(id) => &ir.array(id).name,
        crate::ir::Memory::Scalar(id) => &ir.var(id).name,
    }
}
