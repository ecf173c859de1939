//! What is known of a function's loops: the interface between the front half of the compiler and the
//! back ends, and the text that `explain` shows.

use proc_macro2::TokenStream;
use syn::visit::Visit;
use syn::{Expr, ExprForLoop, ItemFn, Pat};

use crate::diag::{Code, Diagnostic, Errors};
#[cfg(feature = "gpu")]
use crate::emit_ptx;
use crate::ir;
use crate::parse::args::Args;
use crate::parse::iteration::Chain;
use crate::source::SourceMap;

mod build;
mod explain;
pub mod loops;
mod obstacles;

pub use build::plan;

/// What is known of a function.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The function as the user wrote it, without the attribute.
    pub function: ItemFn,
    /// The attribute's arguments.
    pub args: Args,
    /// The loops that run in parallel, in the order of the text.
    pub loops: Vec<LoopPlan>,
    /// Where everything came from.
    pub sources: SourceMap,
    /// What `explain()` says before anything ran: a few lines for each loop.
    pub explain: String,
    /// Whether a companion of the function's name can stand beside it (not for methods).
    pub module: bool,
    /// Loops that stay as they are, by line, with the reason.
    pub sequential: Vec<(usize, String)>,
}

/// A loop that runs in parallel.
#[derive(Clone, Debug)]
pub struct LoopPlan {
    /// The loop as data, verified; its updates are [`ir::StmtKind::Update`].
    pub ir: ir::Loop,
    /// What it is.
    pub pattern: ir::Pattern,
    /// The outermost `for` of the loop as the user wrote it. A site's number counts the assignments
    /// in its body, see [`sites`](crate::parse::sites).
    pub syntax: ExprForLoop,
    /// Which `for` of the function it is, in the order in which `syn::visit` enters them, from 0; see
    /// [`loops::rewrite`].
    pub nth_for: usize,
    /// The user's iteration syntax of each dimension of `ir.space`, outermost first.
    pub iterations: Vec<Iteration>,
    /// The user's syntax of each target, in the order of [`ir::Histogram::targets`].
    pub targets: Vec<TargetSyntax>,
    /// The captured arrays, indexed by [`ir::ArrayId`].
    pub arrays: Vec<ArraySyntax>,
    /// The captured values, one for each variable of kind [`ir::VarKind::Captured`].
    pub captures: Vec<Capture>,
    /// Whether running an iteration twice, or in vain, cannot be noticed: the body calls no code that is
    /// not known.
    pub pure: bool,
    /// What keeps the loop off devices that must understand every part; empty where nothing does.
    pub obstacles: Vec<Obstacle>,
    /// The PTX of the loop, one module for each strategy; empty where it was not asked for or cannot be.
    #[cfg(feature = "gpu")]
    pub modules: Vec<accrue_ptx::abi::Module>,
    /// What `explain()` says of this loop.
    pub explain: String,
}

/// The user's iteration of one dimension: `for PAT in CHAIN`.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The pattern.
    pub pat: Pat,
    /// The iteration expression.
    pub chain: Chain,
}

/// The user's syntax of a target.
#[derive(Clone, Debug)]
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

/// The type of captured memory, as far as the macro sees it; references are left out.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `[T]`.
    Slice(Box<Shape>),
    /// `[T; N]`.
    Array(Box<Shape>, Expr),
    /// `Vec<T>`.
    Vec(Box<Shape>),
    /// `str` or `String`: read as bytes.
    Str,
    /// Anything else that is written: a number, a type parameter, a struct.
    Elem(syn::Type),
    /// Not written where the macro can see it.
    Unknown,
}

/// A captured array.
#[derive(Clone, Debug)]
pub struct ArraySyntax {
    /// The expression it was captured from: `pixels`, `self.bins`, `cfg.table`. With `&…[..]` around it, or
    /// `.as_bytes()` behind it for [`Shape::Str`], it is a slice of the elements.
    pub expr: Expr,
    /// Its type.
    pub shape: Shape,
}

/// A value that is the same in every iteration and that the host evaluates before the loop.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The variable in the loop's body.
    pub var: ir::VarId,
    /// What the host evaluates, in the scope of the loop.
    pub tokens: TokenStream,
    /// The variable of the function that it is, if it is a number, a truth or a character by its own type.
    pub scalar: Option<syn::Ident>,
    /// Where it stands.
    pub source: ir::SourceId,
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
        args: Args,
        loops: Vec<LoopPlan>,
        sequential: Vec<(usize, String)>,
        sources: SourceMap,
    ) -> Analysis {
        let explain = explain::of_function(&function.sig.ident.to_string(), &loops, &sequential);
        let module = !args.no_module && !is_method(&function);
        Analysis {
            function,
            args,
            loops,
            sources,
            explain,
            module,
            sequential,
        }
    }

    /// Prints the kernels of the loops that have no obstacle. What the printer has no form for becomes one.
    #[cfg(feature = "gpu")]
    pub fn print_kernels(&mut self, overflow_checks: bool) {
        let options = emit_ptx::Options {
            overflow_checks,
            ..Default::default()
        };
        for plan in self
            .loops
            .iter_mut()
            .filter(|plan| plan.obstacles.is_empty())
        {
            match emit_ptx::emit(&plan.ir, &plan.pattern, &self.sources, &options) {
                Ok(modules) => plan.modules = modules,
                Err(obstacles) => {
                    plan.obstacles = obstacles;
                    plan.explain = explain::of_loop(plan, &self.sources);
                }
            }
        }
        let name = self.function.sig.ident.to_string();
        self.explain = explain::of_function(&name, &self.loops, &self.sequential);
    }

    /// There is no printer of kernels; the obstacles that the plan knows stay.
    #[cfg(not(feature = "gpu"))]
    pub fn print_kernels(&mut self, _overflow_checks: bool) {}

    /// Whether the loops can run where the attribute requires it.
    ///
    /// # Errors
    ///
    /// One for each obstacle.
    pub fn check_required(&self) -> Result<(), Errors> {
        let mut errors = Errors::new();
        if self.args.require.is_some() {
            for obstacle in self.loops.iter().flat_map(|plan| &plan.obstacles) {
                let span = self.sources.get(obstacle.source).span;
                let mut diagnostic = Diagnostic::new(
                    Code::RequiredDevice,
                    span,
                    format!("the loop must run on a GPU, but {}", obstacle.why),
                )
                .note(
                    "the attribute says `require = \"cuda\"`; without it the loop runs on the CPU",
                );
                diagnostic.help.clone_from(&obstacle.help);
                errors.push(diagnostic);
            }
        }
        errors.finish()
    }
}

/// Whether a function stands in an `impl`, as far as its signature shows it: no module can stand there.
fn is_method(function: &ItemFn) -> bool {
    struct FindsSelf(bool);
    impl<'a> Visit<'a> for FindsSelf {
        fn visit_receiver(&mut self, _: &'a syn::Receiver) {
            self.0 = true;
        }
        fn visit_path_segment(&mut self, segment: &'a syn::PathSegment) {
            self.0 |= segment.ident == "Self";
            syn::visit::visit_path_segment(self, segment);
        }
        // An item inside the function may have a `self` of its own.
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut finder = FindsSelf(false);
    finder.visit_item_fn(function);
    finder.0
}
