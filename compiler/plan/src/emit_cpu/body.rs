//! The two forms of the user's body: a step that updates tables, and the user's own with its updates counted.

use crate::sorted::SortedSet;

use crate::sorted;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Token, UnOp, parse_quote};

use super::value::{self, Value};
use super::{ahead, laid, space, targets};
use crate::ir::visit::Visit as VisitIr;
use crate::ir::{self, Memory, Pattern, StmtKind, Target};
use crate::methods::Method;
use crate::plan::LoopPlan;
use crate::syntax::known::READING_METHODS;
use crate::syntax::{Shape, names, sites};
use crate::syntax::{is_at_hand, only_computes, without_parens};

/// What names of tables begin with.
const TABLE: &str = "__accrue_table_";

/// The name of the table of a target in a step.
pub(super) fn table_name(target: usize) -> Ident {
    format_ident!("{TABLE}{target}")
}

/// Whether this is the name of a table.
pub(super) fn is_table(name: &Ident) -> bool {
    name.to_string().starts_with(TABLE)
}

/// The name of the local that holds a target's length; `depth` 0 is the outermost.
fn length_name(target: usize, depth: usize) -> Ident {
    format_ident!("__accrue_len_{target}_{depth}")
}

/// A loop's body with what is known of its updates.
pub(super) struct Body<'a> {
    plan: &'a LoopPlan,
    /// How many indices each target's updates have; 0 for scalars.
    depths: Vec<usize>,
    /// Sites that an item may come to more than once.
    repeated: SortedSet<usize>,
    /// Sites that subtract what others of the target add.
    subtracting: SortedSet<usize>,
    step: Block,
    /// The step without its conditions, where indices may be checked ahead of them.
    ahead: Option<Block>,
    exact: Block,
    /// The lengths that the step asks for, as (target, depth).
    lengths: Vec<(usize, usize)>,
    /// Whether the step's updates are the user's own to the last bit, apart from where they go.
    faithful: bool,
}

impl<'a> Body<'a> {
    /// # Errors
    ///
    /// Why an update cannot be redirected.
    pub(super) fn new(plan: &'a LoopPlan) -> Result<Body<'a>, String> {
        let Pattern::Histogram(histogram) = &plan.pattern;
        let mut facts = Facts {
            depths: vec![0; plan.targets.len()],
            repeated: SortedSet::new(),
            subtracting: SortedSet::new(),
            loops: 0,
            targets: &histogram.targets,
        };
        facts.block(&plan.ir.body.block);
        let targets = plan.targets.iter().zip(&histogram.targets);
        for ((syntax, target), depth) in targets.zip(&facts.depths) {
            // Rows of arrays lie one behind the other, those of vectors anywhere.
            let shape = match target.memory {
                Memory::Bins(id) => &plan.arrays[id.0 as usize].shape,
                Memory::Scalar(_) => &Shape::Unknown,
            };
            if let Shape::Slice(row) | Shape::Vec(row) | Shape::Array(row, _) = shape
                && let Shape::Slice(_) | Shape::Vec(_) = &**row
                && *depth > 1
            {
                return Err(format!(
                    "the rows of `{}` lie apart from each other",
                    syntax.expr.to_token_stream()
                ));
            }
            if !syntax.direct {
                let target = syntax.expr.to_token_stream();
                return Err(format!(
                    "`{target}` is updated through a reference that was taken before"
                ));
            }
            if matches!(target.memory, Memory::Bins(_)) && facts.depths.iter().any(|d| *d > 3) {
                return Err("bins of more than three dimensions".to_owned());
            }
        }
        let mut body = Body {
            plan,
            depths: facts.depths,
            repeated: facts.repeated,
            subtracting: facts.subtracting,
            step: space::innermost(plan).body.clone(),
            ahead: None,
            exact: space::innermost(plan).body.clone(),
            lengths: Vec::new(),
            faithful: true,
        };
        body.write_step()?;
        // Of an inner loop that is not split the conditions stay.
        if super::dimensions(plan) == plan.iterations.len() && ahead::is_ahead(&plan.ir) {
            body.ahead = ahead::unguarded(&body.step);
        }
        body.write_exact();
        Ok(body)
    }

    /// How many indices the updates of a target have.
    pub(super) fn depth(&self, target: usize) -> usize {
        self.depths[target]
    }

    /// The body of a step.
    pub(super) fn step(&self) -> &Block {
        &self.step
    }

    /// The body of a step without its conditions, where indices may be checked ahead of them.
    pub(super) fn ahead(&self) -> Option<&Block> {
        self.ahead.as_ref()
    }

    /// Whether the step's updates are the user's own to the last bit, apart from where they go.
    pub(super) fn is_faithful(&self) -> bool {
        self.faithful
    }

    /// The user's own body.
    pub(super) fn exact(&self) -> &Block {
        &self.exact
    }

    /// `let`s of the lengths that the step asks for.
    pub(super) fn lengths(&self) -> TokenStream {
        let lets = self.lengths.iter().map(|&(target, depth)| {
            let name = length_name(target, depth);
            let expr = &self.plan.targets[target].expr;
            let len = match (depth, targets(self.plan)[target].elem) {
                (0, _) => quote!((#expr).len()),
                (_, Some(_)) => quote!(::accrue::__rt::cpu::row_len(&(#expr)[::accrue::__rt::ALL])),
                (_, None) => laid::row_len(expr, self.depth(target)),
            };
            quote!(let #name = #len;)
        });
        quote!(#(#lets)*)
    }

    /// The target of a site.
    fn target_of(&self, site: usize) -> Option<usize> {
        self.plan
            .targets
            .iter()
            .position(|target| target.sites.contains(&site))
    }

    fn write_step(&mut self) -> Result<(), String> {
        let mut step = self.step.clone();
        let mut failed = None;
        let mut faithful = true;
        sites::rewrite(&mut step, |site, expr| {
            let Some(target) = self.target_of(site) else {
                return;
            };
            match self.table_update(site, target, expr) {
                Some((update, whole)) => {
                    *expr = update;
                    faithful &= whole;
                }
                None => failed = Some(expr.to_token_stream().to_string()),
            }
        });
        if let Some(text) = failed {
            return Err(format!(
                "`{text}` is an update in a form that cannot be redirected"
            ));
        }
        let mut finder = Lengths {
            plan: self.plan,
            found: Vec::new(),
        };
        finder.visit_block_mut(&mut step);
        self.check_rest(&step)?;
        self.faithful = faithful;
        sorted::sort(&mut finder.found);
        finder.found.dedup();
        self.lengths = finder.found;
        self.step = step;
        Ok(())
    }

    /// A step would borrow twice what it still names itself, `let b = &bins[k];` that nobody reads, and a table where an update of it has another inside,
    /// `sum += { sum += 1; 2 }`.
    fn check_rest(&self, step: &Block) -> Result<(), String> {
        let mut nested = Nested(None);
        nested.visit_block(step);
        if let Some(table) = nested.0 {
            let target = (0..self.depths.len()).find(|n| table_name(*n) == table);
            let target = target.map(|n| self.plan.targets[n].expr.to_token_stream());
            let target = target.unwrap_or_default();
            return Err(format!("an update of `{target}` has another inside"));
        }
        let bound = parse_quote!(_);
        let rest = names::free_names_of_body(&bound, step);
        let target = self.plan.targets.iter().find(|target| {
            let key = names::key_of(&target.expr);
            key.is_some_and(|(key, _)| rest.uses.iter().any(|of| of.key.overlaps(&key)))
        });
        target.map_or(Ok(()), |target| {
            let target = target.expr.to_token_stream();
            Err(format!("`{target}` is named there without being read"))
        })
    }

    /// `table.update(index, value)`, and whether that does the assignment to the last bit.
    fn table_update(&self, site: usize, target: usize, assignment: &Expr) -> Option<(Expr, bool)> {
        let place = names::left_side(assignment)?;
        let written = &self.plan.targets[target].expr;
        let (base, indices) = value::split_place(place);
        if !value::same(base, written) || indices.len() != self.depths[target] {
            return None;
        }
        let Value {
            expr,
            of_bin_type,
            whole,
        } = value::of_assignment(assignment, written)?;
        let table = table_name(target);
        let table = match self.repeated.contains(&site) {
            true => quote!(#table.next_lane()),
            false => quote!(#table),
        };
        let method = match (self.subtracting.contains(&site), of_bin_type) {
            (false, false) => format_ident!("update"),
            (false, true) => format_ident!("update_with"),
            (true, false) => format_ident!("subtract"),
            (true, true) => format_ident!("subtract_with"),
        };
        let index = match &indices[..] {
            [] => quote!(()),
            [index] => quote!(#index),
            indices => quote!([#(#indices),*]),
        };
        // Rust evaluates what a compound assignment adds before its index: one may change what the other reads, and where an iteration runs once only, that says
        // which of the two panics.
        let mut changes = Changes::default();
        changes.visit_expr(&expr);
        indices.iter().for_each(|index| changes.visit_expr(index));
        let bare = |e: &Expr| matches!(without_parens(e), Expr::Path(_) | Expr::Lit(_));
        let quiet = match changes {
            Changes { itself: true, .. } => false,
            // By a reference that it is given, which no bare name is then.
            Changes { calls: true, .. } => bare(&expr) || indices.iter().all(|index| bare(index)),
            Changes { .. } => true,
        };
        let simple = is_at_hand(&expr) || indices.iter().all(|index| is_at_hand(index));
        let either = quiet && (self.plan.pure || simple);
        let update = match either || !matches!(assignment, Expr::Binary(_)) {
            true => parse_quote!(#table.#method(#index, #expr)),
            false => parse_quote!({
                let __accrue_value = #expr;
                #table.#method(#index, __accrue_value)
            }),
        };
        Some((update, whole))
    }

    fn write_exact(&mut self) {
        let Pattern::Histogram(histogram) = &self.plan.pattern;
        let mut exact = self.exact.clone();
        sites::rewrite(&mut exact, |site, expr| {
            let Some(target) = self.target_of(site) else {
                return;
            };
            if matches!(histogram.targets[target].memory, Memory::Bins(_)) {
                let update = compared(expr).unwrap_or_else(|| expr.clone());
                *expr = parse_quote!({ #update; __accrue_done.bump() });
            }
        });
        self.exact = exact;
    }
}

/// `if v > h[k] { h[k] = v }` of `h[k] = ::core::cmp::max(v, h[k])`, as which it has been read: few items are greater than all before them, and the others need
/// write nothing.
fn compared(update: &Expr) -> Option<Expr> {
    let Expr::Assign(assign) = update else {
        return None;
    };
    let Expr::Call(call) = &*assign.right else {
        return None;
    };
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let segments = &path.path.segments;
    let is_cmp =
        path.path.leading_colon.is_some() && segments.len() == 3 && segments[1].ident == "cmp";
    let place = &*assign.left;
    let (left, right) = (call.args.first()?, call.args.last()?);
    let value = match (value::same(left, place), value::same(right, place)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    if !is_cmp || !only_computes(place) || !only_computes(value) {
        return None;
    }
    // In the order of the comparison, which panics as the call does.
    Some(
        match (segments[2].ident == "max", value::same(left, place)) {
            (true, true) | (false, false) => parse_quote!(if #left < #right { #place = #value }),
            (true, false) | (false, true) => parse_quote!(if #left > #right { #place = #value }),
        },
    )
}

/// How evaluating an expression may change what another one reads.
#[derive(Default)]
struct Changes {
    /// By an assignment, a `&mut`, or a method of which that is not known.
    itself: bool,
    /// By a function.
    calls: bool,
}

impl<'a> Visit<'a> for Changes {
    fn visit(&mut self, node: visit::Node<'a>) {
        if let visit::Node::Expr(e) = node {
            self.calls |= matches!(e, Expr::Call(_) | Expr::Macro(_));
            self.itself |= match e {
                Expr::Assign(_) => true,
                Expr::Binary(of) => sites::is_compound(&of.op),
                Expr::Reference(of) => of.mutability.is_some(),
                Expr::MethodCall(of) => {
                    let name = of.method.to_string();
                    !READING_METHODS.contains(&&*name) && Method::named(&name).is_none()
                }
                _ => false,
            };
        }
        node.parts(self);
    }
}

/// Finds how deep the updates of each target index, which sites stand in inner loops, and which subtract what others add.
struct Facts<'a> {
    depths: Vec<usize>,
    repeated: SortedSet<usize>,
    subtracting: SortedSet<usize>,
    loops: usize,
    targets: &'a [Target],
}

impl VisitIr for Facts<'_> {
    fn update(&mut self, update: &ir::Update) {
        self.depths[update.target] = update.bin.len();
        if self.loops > 0 {
            self.repeated.insert(update.site);
        }
        let of_two_signs = self.targets[update.target].op.two_signs;
        if of_two_signs && update.subtracts {
            self.subtracting.insert(update.site);
        }
        self.update_parts(update);
    }

    fn stmt(&mut self, stmt: &ir::Stmt) {
        let inner = matches!(stmt.kind, StmtKind::For(_) | StmtKind::While(..));
        self.loops += usize::from(inner);
        self.stmt_parts(stmt);
        self.loops -= usize::from(inner);
    }

    fn expr(&mut self, expr: &ir::Expr) {
        let inner = matches!(expr.kind, ir::ExprKind::Loop(..));
        self.loops += usize::from(inner);
        self.expr_parts(expr);
        self.loops -= usize::from(inner);
    }
}

/// Replaces `bins.len()` and `bins.is_empty()`, which a step cannot ask since the bins are lent out.
struct Lengths<'a> {
    plan: &'a LoopPlan,
    found: Vec<(usize, usize)>,
}

impl VisitMut for Lengths<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            // The arguments of `assert!` and its like.
            visit_mut::Node::Macro(mac) => {
                let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
                let Ok(mut arguments) = mac.parse_body_with(parser) else {
                    return;
                };
                let before = self.found.len();
                for argument in &mut arguments {
                    self.visit_expr_mut(argument);
                }
                if self.found.len() > before {
                    mac.tokens = arguments.into_token_stream();
                }
            }
            visit_mut::Node::Expr(expr) => {
                visit_mut::visit_expr_mut(self, expr);
                let Expr::MethodCall(call) = expr else {
                    return;
                };
                let empty = call.method == "is_empty";
                if !(empty || call.method == "len") || !call.args.is_empty() {
                    return;
                }
                let (base, indices) = value::split_place(&call.receiver);
                let Some(target) = self
                    .plan
                    .targets
                    .iter()
                    .position(|target| value::same(base, &target.expr))
                else {
                    return;
                };
                let name = length_name(target, indices.len());
                self.found.push((target, indices.len()));
                *expr = match empty {
                    true => parse_quote!((#name == 0)),
                    false => parse_quote!(#name),
                };
            }
            _ => node.parts(self),
        }
    }
}

/// Finds the table of an update that has another one inside.
struct Nested(Option<Ident>);

impl<'a> Visit<'a> for Nested {
    fn visit(&mut self, node: visit::Node<'a>) {
        if let visit::Node::Expr(Expr::MethodCall(call)) = node
            && let Some(table) = table_of(&call.receiver)
        {
            let mut inside = Vec::new();
            names::identifiers(call.args.to_token_stream(), &mut inside);
            if inside.contains(table) {
                self.0 = Some(table.clone());
            }
        }
        node.parts(self);
    }
}

/// The table that an update is a method of, or of a lane of which.
fn table_of(receiver: &Expr) -> Option<&Ident> {
    match receiver {
        Expr::MethodCall(lane) => table_of(&lane.receiver),
        of => names::root_of(of).filter(|name| is_table(name)),
    }
}

/// How a scalar is copied around the user's own loop.
pub(super) struct CopiedScalar {
    /// The statement that makes the copy, under the scalar's name.
    pub(super) copy: TokenStream,
    /// The copy's value.
    pub(super) value: TokenStream,
    /// The scalar.
    pub(super) place: TokenStream,
}

/// The copy of a scalar that is written `total` or `*total`. Others (`self.total`) are updated in place.
pub(super) fn copied_scalar(expr: &Expr) -> Option<CopiedScalar> {
    match expr {
        Expr::Paren(p) => copied_scalar(&p.expr),
        Expr::Path(path) => {
            let name = path.path.get_ident()?;
            Some(CopiedScalar {
                copy: quote!(let mut #name = #name;),
                value: quote!(#name),
                place: quote!(#name),
            })
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            let Expr::Path(path) = &*unary.expr else {
                return None;
            };
            let name = path.path.get_ident()?;
            Some(CopiedScalar {
                copy: quote!(let #name = &mut { *#name };),
                value: quote!(*#name),
                place: quote!(*#name),
            })
        }
        _ => None,
    }
}
