//! What is known of a function's loops: the interface between the front half of the compiler and the
//! back ends.

use std::borrow::Cow;

use crate::syntax::visit::{self, Visit};
use syn::{Expr, ExprForLoop, ItemFn};

use crate::detect::grid::Grid;
use crate::detect::winners::Winners;
use crate::ir;
use crate::parsed::args::Args;
use crate::parsed::candidate::Sequential;
use crate::parsed::containers::Containers;
use crate::parsed::fields::Fields;
use crate::parsed::iteration::Iteration;
use crate::parsed::keyed::Keyed;
use crate::parsed::lowered::Shared;
use crate::parsed::once::Once;
use crate::source::SourceMap;
use crate::syntax::definitions::Definitions;
use crate::syntax::taken::Names;
use crate::syntax::{ArraySyntax, Capture, Shape};

mod build;
pub mod loops;
mod obstacles;
pub mod steps;
pub mod whole;

pub use build::plan;

/// What is known of a function.
#[derive(Clone)]
pub struct Analysis {
    /// The function as the user wrote it, without the attribute.
    pub function: ItemFn,
    /// The attribute's arguments.
    pub args: Args,
    /// The device functions and structs that its loops mention.
    pub definitions: Definitions,
    /// The loops that run in parallel, in the order of the text.
    pub loops: Vec<LoopPlan>,
    /// Where everything came from.
    pub sources: SourceMap,
    /// Whether a companion of the function's name can stand beside it (not for methods).
    pub module: bool,
    /// Loops that stay as they are, by line, with the reason.
    pub sequential: Vec<(usize, String)>,
    /// Arrays of other crates that its loops use as slices.
    pub containers: Option<Containers>,
    /// Fields of bins that are arrays of their own in its loops.
    pub fields: Option<Fields>,
    /// The loops that go in order and may run as the steps of one kernel.
    pub steps: Vec<steps::Steps>,
    /// The loops that go in order and may run as they are written; outer ones first.
    pub whole: Vec<whole::Whole>,
}

/// A loop that runs in parallel.
#[derive(Clone)]
pub struct LoopPlan {
    /// The loop as data, verified; its updates are [`ir::StmtKind::Update`].
    pub ir: ir::Loop,
    /// The same over more dimensions, for devices that have a thread for each element; none where only the outermost keeps
    /// iterations apart.
    pub grid: Option<Grid>,
    /// The loop that finds the best items, for kernels, where it keeps such and nothing else.
    pub winners: Option<Winners>,
    /// A loop of which kernels run beside this one's, and know more of it than is asked of those.
    pub beside: Option<Box<Beside>>,
    /// Whether it is such a loop itself, whose bins are bits that the runtime has somewhere.
    pub claims_alone: bool,
    /// How many of its arrays, the last ones, and of what it carries along, are of vectors that the loop it was made of pushes to.
    pub vectors: usize,
    /// Which elements of captured arrays its iterations access, as kernels take it.
    pub reach: ir::Reach,
    /// What it is.
    pub pattern: ir::Pattern,
    /// The outermost `for` of the loop as the user wrote it. A site's number counts the assignments
    /// in its body, see [`sites`](crate::syntax::sites).
    pub syntax: ExprForLoop,
    /// Which `for` of the function it is, in the order in which `syn::visit` enters them, from 0; see
    /// [`loops::rewrite`].
    pub nth_for: usize,
    /// Whether it stands in another loop of the function, which calls it again and again.
    pub repeated: bool,
    /// The user's iteration syntax of each dimension of `ir.space`, outermost first, and of the loop behind these where it is split by workers as well.
    pub iterations: Vec<Iteration>,
    /// Whether it is.
    pub crossed: bool,
    /// The parts of it that are bound to names before the loop, in the order in which the sequential loop evaluates them.
    pub once: Vec<Once>,
    /// The user's syntax of each target, in the order of [`ir::Histogram::targets`].
    pub targets: Vec<TargetSyntax>,
    /// The user's syntax of what keeps the best item, in the order of [`ir::Histogram::best`].
    pub best: Vec<BestSyntax>,
    /// The places of what is carried from iteration to iteration, in the order of [`ir::Histogram::carried`].
    pub carried: Vec<Expr>,
    /// The places of the collections that it appends to.
    pub grown: Vec<Expr>,
    /// The maps that it groups by keys.
    pub keyed: Vec<Keyed>,
    /// The captured arrays, indexed by [`ir::ArrayId`].
    pub arrays: Vec<ArraySyntax>,
    /// The captured values, one for each variable of kind [`ir::VarKind::Captured`].
    pub captures: Vec<Capture>,
    /// Whether a product may be rounded together with the sum that it goes into.
    pub contract: bool,
    /// Whether running an iteration twice, or in vain, cannot be noticed: the body calls no code that is
    /// not known.
    pub pure: bool,
    /// Whether its updates can only stay in the user's words, of which parts are run with other things under the names.
    pub as_written: bool,
    /// What names were taken for, for rustc to confirm.
    pub names: Names,
    /// What it hands on to code that is not known, and may not hand on where iterations run at the same time.
    pub shared: Shared,
    /// What keeps the loop off devices that must understand every part; empty where nothing does.
    pub obstacles: Vec<Obstacle>,
}

impl AsRef<LoopPlan> for LoopPlan {
    fn as_ref(&self) -> &LoopPlan {
        self
    }
}

impl LoopPlan {
    /// What asks, before kernels run the loop, whether iterations keep apart.
    pub fn claims(&self) -> Option<(&LoopPlan, [ir::VarId; 2])> {
        match self.beside.as_deref() {
            Some(Beside {
                plan,
                what: What::Claims(range),
            }) => Some((plan, *range)),
            _ => None,
        }
    }

    /// What gives what is kept of the best items, behind kernels that find them.
    pub fn keeps(&self) -> Option<(&LoopPlan, ir::VarId, &[ir::VarId])> {
        match self.beside.as_deref() {
            Some(Beside {
                plan,
                what: What::Keeps(position, before),
            }) => Some((plan, *position, before)),
            _ => None,
        }
    }

    /// The loop that kernels run in its place, where it pushes to vectors.
    pub fn pushes(&self) -> Option<&LoopPlan> {
        match self.beside.as_deref() {
            Some(Beside {
                plan,
                what: What::Pushes,
            }) => Some(plan),
            _ => None,
        }
    }

    /// The loop that kernels run.
    pub fn for_kernels(&self) -> &LoopPlan {
        self.pushes().unwrap_or(self)
    }

    /// Of a loop that fills arrays with what another one pushes to vectors, the number of an array's vector.
    pub fn vector_of(&self, array: ir::ArrayId) -> Option<usize> {
        (array.0 as usize).checked_sub(self.arrays.len() - self.vectors)
    }

    /// The arrays of which iterations have elements of their own, as the user wrote them.
    pub fn own(&self) -> impl Iterator<Item = &Expr> {
        let ir::Pattern::Histogram(roles) = &self.pattern;
        let owned = roles.owned.iter();
        owned.map(|id| &self.arrays[id.0 as usize].expr)
    }

    /// The loop as kernels take it.
    pub fn kernel_ir(&self) -> &ir::Loop {
        match (&self.winners, &self.grid) {
            (Some(winners), _) => &winners.ir,
            (None, Some(grid)) => &grid.ir,
            (None, None) => &self.ir,
        }
    }

    /// What kernels take of the captured values.
    pub fn kernel_captures(&self) -> impl Iterator<Item = &Capture> {
        let used = self
            .winners
            .as_ref()
            .map(|winners| winners.ir.used_captures());
        let captures = self.captures.iter();
        captures.filter(move |c| used.as_ref().is_none_or(|used| used.contains(&c.var)))
    }

    /// Its pattern: where iterations of more than the outermost loop are taken apart, those of one have their bins in common.
    pub fn kernel_pattern(&self) -> Cow<'_, ir::Pattern> {
        let ir::Pattern::Histogram(roles) = &self.pattern;
        if let Some(winners) = &self.winners {
            return Cow::Borrowed(&winners.pattern);
        }
        if self.grid.is_none() || roles.targets.iter().all(|t| t.injective.is_none()) {
            return Cow::Borrowed(&self.pattern);
        }
        let mut roles = roles.clone();
        roles.targets.iter_mut().for_each(|t| t.injective = None);
        Cow::Owned(ir::Pattern::Histogram(roles))
    }

    /// What must hold of a call for the iterations of a kernel to keep apart.
    pub fn kernel_guard(&self) -> Option<&ir::Guard> {
        let ir::Pattern::Histogram(roles) = &self.pattern;
        match &self.grid {
            Some(grid) => grid.guard.as_ref(),
            None => roles.guard.as_ref(),
        }
    }
}

/// A loop that is made of another one, with kernels of its own.
#[derive(Clone)]
pub struct Beside {
    /// The loop.
    pub plan: LoopPlan,
    /// What it is for.
    pub what: What,
}

/// What such a loop is for, and what it is told.
#[derive(Clone)]
pub enum What {
    /// It asks, before the loop, whether iterations keep apart in arrays that are distinct by the attribute alone. Of each such array its targets are bits, which
    /// the runtime has, by the name of `__accrue_taken_0` and so on, and behind those the numbers of claims, `__accrue_claimed_0`. It is told the first
    /// position of the outermost loop that claims, and the one behind the last.
    Claims([ir::VarId; 2]),
    /// It gives, behind the loop, the bits of what the iteration with the best item keeps, `__accrue_kept_0` and so on: one number for each place in the order of
    /// [`LoopPlan::best`]. It is told the position, and what was kept before.
    Keeps(ir::VarId, Vec<ir::VarId>),
    /// Kernels run it instead: of what the loop pushes to vectors it fills arrays, on the device, and what the vectors get behind it is counted by
    /// `__accrue_count_0` and so on.
    Pushes,
}

/// The user's syntax of scalars that keep the best item.
#[derive(Clone)]
pub struct BestSyntax {
    /// Their places: `best`, `*at`, `self.at`.
    pub places: Vec<Expr>,
    /// What items are compared by, of what is kept: `best`, `x[at]`.
    pub key: Expr,
}

/// The user's syntax of a target.
#[derive(Clone)]
pub struct TargetSyntax {
    /// The place without indices: `hist`, `self.bins`, `*total`.
    pub expr: Expr,
    /// The variable at its root.
    pub root: syn::Ident,
    /// Its type, as far as the macro sees it.
    pub shape: Shape,
    /// Whether the binding is a reference (`hist: &mut [u32]`) rather than the memory itself
    /// (`let mut hist = [0u32; 256]`); `None` where the macro does not see it.
    pub by_reference: Option<bool>,
    /// The numbers of its update sites.
    pub sites: Vec<usize>,
    /// Whether every site names the target and its indices, `hist[a][b] op= v`, rather than a reference
    /// to an element that was taken before.
    pub direct: bool,
    /// Whether the loop asks for its length, which is allowed.
    pub reads_len: bool,
}

/// A reason why a device that must understand every part cannot run a loop.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// What is not understood, lower case.
    pub why: String,
    /// What to write instead, where there is such a thing.
    pub help: Option<String>,
    /// Where.
    pub source: ir::SourceId,
}

impl Analysis {
    /// Puts the plans of a function's loops together.
    pub fn new(
        function: ItemFn,
        args: &Args,
        definitions: &Definitions,
        loops: Vec<LoopPlan>,
        sequential: &[Sequential],
        sources: SourceMap,
    ) -> Analysis {
        let module = !args.no_module && !is_method(&function);
        let sequential = sequential.iter();
        let sequential = sequential.map(|s| (s.span.start().line, s.why.to_string()));
        Analysis {
            function,
            args: args.clone(),
            definitions: definitions.clone(),
            loops,
            sources,
            module,
            sequential: sequential.collect(),
            containers: None,
            fields: None,
            steps: Vec::new(),
            whole: Vec::new(),
        }
    }

    /// All loops that have kernels of their own: those that run in parallel, and behind them those of steps.
    pub fn with_steps(&self) -> Vec<&LoopPlan> {
        let steps = self.steps.iter().map(|steps| &steps.plan);
        self.loops.iter().chain(steps).collect()
    }

    /// The arrays of other crates, where any planned loop uses them as slices.
    pub fn over_slices(&self) -> Option<&Containers> {
        let containers = self.containers.as_ref()?;
        let mut loops = self.loops.iter();
        loops
            .any(|plan| containers.has(&plan.syntax))
            .then_some(containers)
    }
}

/// Whether a function stands in an `impl`, as far as its signature shows it: no module can stand there.
fn is_method(function: &ItemFn) -> bool {
    struct FindsSelf(bool);
    impl<'a> Visit<'a> for FindsSelf {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Receiver(_) => {
                    self.0 = true;
                }
                visit::Node::PathSegment(segment) => {
                    self.0 |= segment.ident == "Self";
                    crate::syntax::visit::visit_path_segment(self, segment);
                }
                // An item inside the function may have a `self` of its own.
                visit::Node::Item(_) => {}
                _ => node.parts(self),
            }
        }
    }
    let mut finder = FindsSelf(false);
    finder.visit_item_fn(function);
    finder.0
}
