//! From a lowered and detected loop to its plan.

use syn::Expr;

use super::{LoopPlan, Shape, TargetSyntax, explain, obstacles};
use crate::detect::{self, Context};
use crate::device::Definitions;
use crate::diag::{Code, Diagnostic, Errors};
use crate::ir::visit::Visit;
use crate::ir::{self, ArrayId, Memory, Pattern, SourceId, Stmt, StmtKind};
use crate::parse::function::Candidate;
use crate::parse::lower::AssignSyntax;
use crate::parse::names::{self, Key};
use crate::parse::nest::{self, Lowered};
use crate::source::SourceMap;

/// Lowers, verifies, detects and plans one loop.
///
/// # Errors
///
/// Everything that keeps the loop from running in parallel.
pub fn plan(
    function: &str,
    ordinal: usize,
    candidate: &Candidate<'_>,
    definitions: &Definitions,
    deterministic: bool,
    sources: &mut SourceMap,
) -> Result<LoopPlan, Errors> {
    let planned = with_dims(
        function,
        ordinal,
        candidate,
        definitions,
        deterministic,
        usize::MAX,
        sources,
    )?;
    // Rows that each belong to one iteration of the outer loop are better left whole.
    if planned.ir.space.len() > 1 && !is_injective(&planned.pattern) {
        let rows = with_dims(
            function,
            ordinal,
            candidate,
            definitions,
            deterministic,
            1,
            sources,
        )?;
        if is_injective(&rows.pattern) {
            return Ok(rows);
        }
    }
    Ok(planned)
}

fn is_injective(pattern: &Pattern) -> bool {
    let Pattern::Histogram(histogram) = pattern;
    histogram.targets.iter().all(|t| t.injective.is_some())
}

fn with_dims(
    function: &str,
    ordinal: usize,
    candidate: &Candidate<'_>,
    definitions: &Definitions,
    deterministic: bool,
    max_dims: usize,
    sources: &mut SourceMap,
) -> Result<LoopPlan, Errors> {
    let mut errors = Errors::new();
    let syntax = candidate.syntax;
    let mut lowered = nest::lower(
        function,
        ordinal,
        candidate,
        definitions,
        max_dims,
        sources,
        &mut errors,
    );
    check_bins(candidate, &mut errors);
    if errors.is_empty() {
        lowered.ir.verify().map_err(|v| internal(&v, sources))?;
    }
    let context = Context {
        sources,
        assignments: &lowered.assignments,
        mutable: &lowered.mutable,
    };
    let histogram = match detect::histogram::detect(&mut lowered.ir, &context) {
        Ok(histogram) => histogram,
        Err(more) => {
            errors.extend(more);
            return Err(errors);
        }
    };
    errors.finish()?;
    let pattern = Pattern::Histogram(histogram);
    lowered
        .ir
        .verify_detected(&pattern)
        .map_err(|v| internal(&v, sources))?;
    let used = lowered.ir.used_captures();
    lowered.captures.retain(|c| used.contains(&c.var));
    let Pattern::Histogram(histogram) = &pattern;
    let sites = sites(&lowered.ir);
    let targets = histogram
        .targets
        .iter()
        .enumerate()
        .map(|(n, target)| target_syntax(&lowered, target.memory, &sites[n], candidate))
        .collect();
    let obstacles = obstacles::find(
        &lowered.ir,
        &pattern,
        candidate.outer.generics(),
        deterministic,
    );
    let mut plan = LoopPlan {
        ir: lowered.ir,
        pattern,
        syntax: syntax.clone(),
        nth_for: candidate.nth_for,
        iterations: lowered.iterations,
        targets,
        arrays: lowered.arrays,
        captures: lowered.captures,
        pure: lowered.pure,
        obstacles,
        #[cfg(feature = "gpu")]
        modules: Vec::new(),
        explain: String::new(),
    };
    plan.explain = explain::of_loop(&plan, sources);
    Ok(plan)
}

fn internal(violation: &ir::Violation, sources: &SourceMap) -> Errors {
    Diagnostic::new(
        Code::Internal,
        sources.get(violation.source).span,
        violation.to_string(),
    )
    .into()
}

/// Bins must be numbers that lie where an index says.
fn check_bins(candidate: &Candidate<'_>, errors: &mut Errors) {
    for assigned in nest::assigned(candidate.syntax)
        .iter()
        .filter(|a| a.indexed && a.key.fields.is_empty())
    {
        let Some(outer) = candidate.outer.get(&assigned.key.root) else {
            continue;
        };
        let Some(what) = unsuitable(&outer.shape) else {
            continue;
        };
        let name = &assigned.key.root;
        errors.push(
            Diagnostic::new(Code::BinType, outer.ident.span(), format!("`{name}` is {what}, which cannot hold bins"))
                .help("use a slice, an array or a `Vec` of numbers, or an array of arrays: `&mut [u32]`, `&mut [[u32; M]]`"),
        );
    }
}

/// What a shape is, where it cannot hold bins.
fn unsuitable(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Slice(elem) | Shape::Vec(elem) | Shape::Array(elem, _) => match &**elem {
            Shape::Vec(_) | Shape::Slice(_) => Some("an array of separate allocations"),
            Shape::Str => Some("an array of strings"),
            Shape::Array(..) => unsuitable(elem),
            Shape::Elem(ty) => map_type(ty).then_some("an array of maps"),
            Shape::Unknown => None,
        },
        Shape::Str => Some("a string"),
        Shape::Elem(ty) if map_type(ty) => Some("a map"),
        Shape::Elem(_) | Shape::Unknown => None,
    }
}

fn map_type(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    path.path.segments.last().is_some_and(|s| {
        matches!(
            s.ident.to_string().as_str(),
            "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "VecDeque" | "String"
        )
    })
}

/// The sources of the updates of each target.
fn sites(ir: &ir::Loop) -> Vec<Vec<(usize, SourceId)>> {
    struct Finder(Vec<Vec<(usize, SourceId)>>);
    impl Visit for Finder {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Update(update) = &stmt.kind {
                while self.0.len() <= update.target {
                    self.0.push(Vec::new());
                }
                self.0[update.target].push((update.site, stmt.source));
            }
            self.stmt_parts(stmt);
        }
    }
    let mut finder = Finder(Vec::new());
    finder.block(&ir.body.block);
    finder.0
}

fn target_syntax(
    lowered: &Lowered,
    memory: Memory,
    sites: &[(usize, SourceId)],
    candidate: &Candidate<'_>,
) -> TargetSyntax {
    let (place, shape, reads_len): (&Expr, Shape, bool) = match memory {
        Memory::Bins(id) => {
            let array = &lowered.arrays[id.0 as usize];
            (&array.expr, array.shape.clone(), reads_len(&lowered.ir, id))
        }
        Memory::Scalar(id) => {
            let place = &lowered.reduced[&id];
            let shape = match names::key_of(place) {
                Some((key, false)) if key.fields.is_empty() => shape_of(&key, candidate),
                _ => Shape::Unknown,
            };
            (place, shape, false)
        }
    };
    let root = names::root_of(place)
        .cloned()
        .unwrap_or_else(|| candidate_ident(candidate));
    let plain = matches!(names::key_of(place), Some((key, false)) if key.fields.is_empty());
    let declared = candidate.outer.get(&root.to_string());
    let by_reference = if plain {
        declared.and_then(|o| o.by_reference)
    } else {
        Some(false)
    };
    let expr: Expr = match memory {
        Memory::Scalar(_) if by_reference == Some(true) => syn::parse_quote!(*#place),
        _ => place.clone(),
    };
    TargetSyntax {
        expr,
        root,
        shape,
        by_reference,
        sites: sites.iter().map(|(site, _)| *site).collect(),
        direct: sites.iter().all(|(_, source)| {
            lowered
                .assignments
                .get(source)
                .is_some_and(|a: &AssignSyntax| a.direct)
        }),
        reads_len,
    }
}

fn candidate_ident(candidate: &Candidate<'_>) -> syn::Ident {
    syn::Ident::new("bins", candidate.syntax.for_token.span)
}

fn shape_of(key: &Key, candidate: &Candidate<'_>) -> Shape {
    candidate
        .outer
        .get(&key.root)
        .map_or(Shape::Unknown, |o| o.shape.clone())
}

fn reads_len(ir: &ir::Loop, id: ArrayId) -> bool {
    struct Finder(ArrayId, bool);
    impl Visit for Finder {
        fn expr(&mut self, expr: &ir::Expr) {
            self.1 |= matches!(expr.kind, ir::ExprKind::Len(id) if id == self.0);
            self.expr_parts(expr);
        }
    }
    let mut finder = Finder(id, false);
    finder.block(&ir.body.block);
    finder.1
}
