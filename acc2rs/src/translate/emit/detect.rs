//! Asks the compiler what a function that was written does under `#[offload]`: the roles of its arrays and scalars, or
//! why its loop stays in order. There is no other detector: what a loop is, is what the compiler says of the Rust.

use accrue_compiler::diag;
use accrue_compiler::ir::visit::Visit;
use accrue_compiler::ir::{
    Expr, ExprKind, Literal, Memory, Pattern, Place, Root, StmtKind, Update,
};
use accrue_compiler::plan::LoopPlan;
use accrue_compiler::{Offload, ir};
use accrue_ops::Op;

/// What a loop does, by the names of the function's parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Roles {
    /// Arrays of bins with their operators.
    pub(super) bins: Vec<(String, Op)>,
    /// Whether every update of bins counts by one.
    pub(super) counts: bool,
    /// Arrays of which each element belongs to one iteration.
    pub(super) owned: Vec<Owned>,
    /// Arrays that are filled at a cursor.
    pub(super) filled: Vec<String>,
    /// Scalars that are carried from iteration to iteration.
    pub(super) carried: Vec<String>,
    /// Scalars that keep the best item.
    pub(super) best: Vec<String>,
    /// Scalars that are reduced into.
    pub(super) reduced: Vec<(String, Op)>,
    /// Arrays that are only read.
    pub(super) read: Vec<String>,
    /// Whether the numbers of a call decide, so that it may run in order.
    pub(super) guarded: bool,
    /// What keeps it off GPUs.
    pub(super) obstacle: Option<String>,
}

/// An array whose elements belong to iterations.
#[derive(Clone, Debug)]
pub(super) struct Owned {
    pub(super) name: String,
    /// Whether the loop reads it too.
    pub(super) read: bool,
}

/// Why a loop stays in order.
#[derive(Clone, Debug)]
pub(super) struct Refused {
    /// The compiler's code.
    pub(super) code: diag::Code,
    /// What it says.
    pub(super) why: String,
}

/// What the one loop of a function does under `#[offload]`.
pub(super) fn roles(function: &str) -> Result<Roles, Refused> {
    let plans = analysed(function, "")?;
    match &plans[..] {
        [plan] => Ok(of_loop(plan)),
        _ => Err(internal("the function does not hold one loop")),
    }
}

/// Whether `#[offload(histogram)]` takes the function as well.
pub(super) fn is_histogram(function: &str) -> bool {
    analysed(function, "histogram").is_ok()
}

fn internal(why: &str) -> Refused {
    Refused {
        code: diag::Code::Internal,
        why: why.into(),
    }
}

fn analysed(function: &str, attribute: &str) -> Result<Vec<LoopPlan>, Refused> {
    let without_marks: String = function
        .lines()
        .filter(|l| !l.trim_start().starts_with("__comment!"))
        .collect::<Vec<_>>()
        .join("\n");
    let item: syn::ItemFn = syn::parse_str(&without_marks).map_err(|e| internal(&e.to_string()))?;
    let plain = syn::ItemFn {
        attrs: Vec::new(),
        ..item
    };
    let tokens = attribute.parse().map_err(|_| internal("no attribute"))?;
    let Ok(Offload::Loops(mut args)) = accrue_compiler::args(tokens) else {
        return Err(internal("the attribute is not understood"));
    };
    // It is the function's one loop that is asked about.
    args.as_marked = true;
    match accrue_compiler::analyze(&plain, &args) {
        Ok(analysis) => Ok(analysis.loops),
        Err(errors) => Err(errors
            .iter()
            .next()
            .map_or(internal("no reason is given"), |d| Refused {
                code: d.code,
                why: d.message.clone(),
            })),
    }
}

fn of_loop(plan: &LoopPlan) -> Roles {
    let Pattern::Histogram(found) = &plan.pattern;
    let ir = &plan.ir;
    let array = |id| ir.array(id).name.clone();
    let scalar = |id| ir.var(id).name.clone();
    let mut looked = Looked {
        loaded: Vec::new(),
        bins_by_one: true,
        bins: found
            .targets
            .iter()
            .map(|t| matches!(t.memory, Memory::Bins(_)))
            .collect(),
    };
    looked.block(&ir.body.block);
    let mut out = Roles {
        counts: looked.bins_by_one,
        guarded: found.guard.is_some(),
        obstacle: plan.obstacles.first().map(|o| o.why.clone()),
        ..Roles::default()
    };
    for target in &found.targets {
        match target.memory {
            Memory::Bins(id) => out.bins.push((array(id), target.op.op)),
            Memory::Scalar(id) => out.reduced.push((scalar(id), target.op.op)),
        }
    }
    let owned = found.owned.iter().map(|id| Owned {
        name: array(*id),
        read: looked.loaded.contains(id),
    });
    out.owned = owned.collect();
    out.filled = found.filled.iter().map(|f| array(f.array)).collect();
    out.carried = found.carried.iter().map(|c| scalar(c.var)).collect();
    let best = found.best.iter().flat_map(|b| &b.vars);
    out.best = best.map(|var| scalar(*var)).collect();
    let read = ir.arrays.iter().filter(|a| a.access == ir::Access::Read);
    out.read = read.map(|a| a.name.clone()).collect();
    out
}

/// What the body of a loop reads, and what it adds to bins.
struct Looked {
    loaded: Vec<ir::ArrayId>,
    /// Which targets are bins.
    bins: Vec<bool>,
    bins_by_one: bool,
}

impl Looked {
    fn array(&mut self, place: &Place) {
        if let Root::Array(id) = place.root {
            self.loaded.push(id);
        }
    }
}

impl Visit for Looked {
    fn load(&mut self, place: &Place) {
        self.array(place);
        self.place_parts(place);
    }

    fn update(&mut self, update: &Update) {
        let one = |value: &Expr| match value.kind {
            ExprKind::Literal(Literal::Int(v)) => v == 1,
            ExprKind::Literal(Literal::Float(v)) => v == 1.0,
            _ => false,
        };
        if self.bins.get(update.target) == Some(&true) {
            self.bins_by_one &= one(&update.value) && !update.subtracts;
        }
        self.update_parts(update);
    }

    fn stmt(&mut self, stmt: &ir::Stmt) {
        if let StmtKind::Compound(place, ..) = &stmt.kind {
            self.array(place);
        }
        self.stmt_parts(stmt);
    }
}
