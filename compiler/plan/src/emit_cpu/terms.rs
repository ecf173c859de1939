//! What of a loop's body is needed for the terms of the scalars that it carries along: the user's own statements, without those that only write.
//!
//! That the terms depend on nothing that the loop writes has been shown on the IR. What is left to do is to leave statements out, by names: kept are the
//! updates of carried scalars, the conditions and loops around them, what may leave an iteration, and all statements that may give a
//! value to a name that a kept one mentions. Where that would keep a statement that writes, or one of which it is not clear what it
//! changes, the loop stays in order.

use crate::sorted::SortedSet;

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::Ident;
use quote::{ToTokens, format_ident, quote};
use syn::{Block, Expr, Macro, Pat, Stmt, parse_quote};

use super::maps::Symbols;
use super::value::{self, Value};
use crate::ir::{ArrayId, Carried, Map, Memory, Op, Pattern, Scalar, Type};
use crate::methods::Method;
use crate::parsed::iteration;
use crate::plan::LoopPlan;
use crate::syntax::{inferred, names, sites, without_parens};

/// What names of totals begin with.
const TOTAL: &str = "__accrue_total_";

/// The name of the total of a carried scalar.
pub(super) fn total(n: usize) -> Ident {
    format_ident!("{TOTAL}{n}")
}

/// The statements of a body that compute the terms, with the updates going to totals, and whether these are all of it.
///
/// # Errors
///
/// Why they cannot be told from the others.
pub(super) fn of(plan: &LoopPlan, body: &Block) -> Result<(Block, bool), String> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let mut marked = body.clone();
    let mut failed = None;
    let symbols = Symbols::new(plan, &changeable(body), body);
    let counters = counters(plan, body);
    sites::rewrite(&mut marked, |site, expr| {
        if roles.writes.contains(&site) {
            *expr = parse_quote!(());
        }
        let mut carried = roles.carried.iter().zip(&plan.carried).enumerate();
        let found = carried.find_map(|(n, (scan, place))| {
            let update = scan.updates.iter().find(|(at, _)| *at == site)?;
            Some((n, scan, place, update.1))
        });
        if let Some((n, scan, place, subtracts)) = found {
            let update = match &scan.map {
                Some(map) => symbols.update(n, map, scan.op, expr),
                None if counters[n] => {
                    let total = total(n);
                    Some(parse_quote!(#total.count()))
                }
                None => update(n, place, subtracts, expr),
            };
            // Others depend on what it holds.
            let update = match scan.delayed {
                true => update.map(|update| parse_quote!({ #update; #expr; })),
                false => update,
            };
            match update {
                Some(update) => *expr = update,
                None => failed = Some(expr.to_token_stream().to_string()),
            }
        }
    });
    if let Some(text) = failed {
        return Err(format!(
            "`{text}` is an update in a form that cannot be redirected"
        ));
    }
    symbols.name(&mut marked);
    Held(plan).visit_block_mut(&mut marked);
    let wanted = roles.carried.iter().map(|scan| scan.updates.len()).sum();
    let terms = slice(plan, body, &marked, wanted, &[])?;
    let text = |block: &Block| block.to_token_stream().to_string();
    let all = roles.writes.is_empty() && text(&terms) == text(&marked);
    Ok((terms, all))
}

/// Where the best item so far is kept, a part compares with the best of its own.
struct Held<'a>(&'a LoopPlan);

impl VisitMut for Held<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                visit_mut::visit_expr_mut(self, e);
                let Expr::If(of) = e else { return };
                let Pattern::Histogram(roles) = &self.0.pattern;
                let assigned = |stmt: &Stmt, n: usize| {
                    let total = total(n);
                    let call = match stmt {
                        Stmt::Expr(Expr::MethodCall(call), _) => call,
                        _ => return false,
                    };
                    matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident(&total))
                };
                for (n, (scan, place)) in roles.carried.iter().zip(&self.0.carried).enumerate() {
                    let mut stmts = of.then_branch.stmts.iter();
                    if matches!(scan.map, Some(Map::Best(_))) && stmts.any(|stmt| assigned(stmt, n))
                    {
                        let total = total(n);
                        Replace(place, parse_quote!(#total.held())).visit_expr_mut(&mut of.cond);
                    }
                }
            }
            _ => node.parts(self),
        }
    }
}

/// A place, and what stands for it.
struct Replace<'a>(&'a Expr, Expr);

impl VisitMut for Replace<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match value::same(self.0, e) {
                true => *e = self.1.clone(),
                false => visit_mut::visit_expr_mut(self, e),
            },
            _ => node.parts(self),
        }
    }
}

/// The statements by which an iteration assigns the scalars that are carried from one iteration to the next and no further.
///
/// # Errors
///
/// Why they cannot be told from the others.
pub(super) fn delayed(plan: &LoopPlan, body: &Block) -> Result<Block, String> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let mut marked = body.clone();
    let mut wanted = 0;
    sites::rewrite(&mut marked, |site, expr| {
        let carried = roles.carried.iter().enumerate();
        let found = carried
            .filter(|(_, scan)| scan.updates.iter().any(|(at, _)| *at == site))
            .map(|(n, scan)| (n, scan.delayed))
            .next();
        match found {
            Some((n, true)) => {
                let total = total(n);
                wanted += 1;
                *expr = parse_quote!(#total.skip(#expr));
            }
            Some(_) => *expr = parse_quote!(()),
            None if roles.writes.contains(&site) => *expr = parse_quote!(()),
            None => {}
        }
    });
    slice(plan, body, &marked, wanted, &[])
}

/// The statements of a marked body without which its totals cannot be told, of which it has so many. `also`: places that these must not mention, beside
/// what the loop writes together.
///
/// # Errors
///
/// Why they cannot be told from the others.
pub(super) fn slice(
    plan: &LoopPlan,
    body: &Block,
    marked: &Block,
    wanted: usize,
    also: &[&Expr],
) -> Result<Block, String> {
    let mut slicer = Slicer {
        needed: SortedSet::new(),
        changeable: changeable(body),
        outside: outside(plan),
    };
    let sliced = loop {
        let before = slicer.needed.len();
        let mut sliced = marked.clone();
        slicer.block(&mut sliced, 0);
        if slicer.needed.len() == before {
            break sliced;
        }
    };
    slicer.check(plan, body, &sliced, also)?;
    inferred::are_told(body, &sliced)?;
    match updates(&sliced) == wanted {
        true => Ok(sliced),
        false => Err("what has to be known before stands inside of another expression".to_owned()),
    }
}

/// Which of the carried scalars only count: `usize`, and 1 is all that is ever added.
fn counters(plan: &LoopPlan, body: &Block) -> Vec<bool> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let is_usize = |scan: &Carried| plan.ir.var(scan.var).ty == Type::Scalar(Scalar::Usize);
    let carried = roles.carried.iter();
    let mut counters: Vec<bool> = carried
        .map(|scan| {
            let adds = scan.op.op == Op::Add && !scan.op.two_signs;
            scan.map.is_none() && !scan.delayed && adds && is_usize(scan)
        })
        .collect();
    sites::rewrite(&mut body.clone(), |site, expr| {
        for (n, (scan, place)) in roles.carried.iter().zip(&plan.carried).enumerate() {
            if scan.updates.iter().any(|(at, _)| *at == site) {
                let value = value::of_assignment(expr, place);
                counters[n] &= value.is_some_and(|value| is_one(&value.expr));
            }
        }
    });
    counters
}

/// The literal 1.
fn is_one(expr: &Expr) -> bool {
    matches!(without_parens(expr), Expr::Lit(lit) if matches!(&lit.lit, syn::Lit::Int(n)
        if n.base10_digits() == "1" && matches!(n.suffix(), "" | "usize")))
}

/// `total.update(term)`.
fn update(n: usize, place: &Expr, subtracts: bool, assignment: &Expr) -> Option<Expr> {
    let Value {
        expr, of_bin_type, ..
    } = value::of_assignment(assignment, place)?;
    let method = match (subtracts, of_bin_type) {
        (false, false) => quote!(update),
        (false, true) => quote!(update_with),
        (true, false) => quote!(subtract),
        (true, true) => quote!(subtract_with),
    };
    let total = total(n);
    Some(parse_quote!(#total.#method(#expr)))
}

/// How many updates of totals there are.
fn updates(block: &Block) -> usize {
    struct Count(usize);
    impl<'a> Visit<'a> for Count {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprMethodCall(call) => {
                    self.0 += usize::from(updates_total(call));
                    visit::visit_expr_method_call(self, call);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut count = Count(0);
    count.visit_block(block);
    count.0
}

/// Whether a call changes a total.
pub(super) fn updates_total(call: &syn::ExprMethodCall) -> bool {
    let total = matches!(&*call.receiver, Expr::Path(path)
        if path.path.get_ident().is_some_and(|name| name.to_string().starts_with(TOTAL)));
    let reads = matches!(
        call.method.to_string().as_str(),
        "held" | "constant" | "constant_with"
    );
    total && !reads
}

/// Names that stand for what may be changed by way of them: declared `mut`, or `ref mut`.
pub(super) fn changeable(body: &Block) -> SortedSet<String> {
    struct Finder(SortedSet<String>);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::PatIdent(pat) => {
                    if pat.mutability.is_some() {
                        self.0.insert(pat.ident.to_string());
                    }
                    visit::visit_pat_ident(self, pat);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(SortedSet::new());
    finder.visit_block(body);
    finder.0
}

/// The names by which the body comes to elements that it writes.
fn outside(plan: &LoopPlan) -> SortedSet<String> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let arrays = roles
        .owned
        .iter()
        .map(|id| &plan.arrays[id.0 as usize].expr);
    let mut all: SortedSet<String> = arrays
        .filter_map(names::root_of)
        .map(ToString::to_string)
        .collect();
    for iteration in &plan.iterations {
        if !iteration::handed_out(&iteration.chain).is_empty() {
            all.extend(bound(&iteration.pat));
        }
    }
    all
}

fn bound(pat: &Pat) -> Vec<String> {
    names::bound_names(pat)
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Whether a piece of code is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Keep {
    No,
    /// For a loop around it that is kept: it may leave that, and nothing else.
    WithLoop,
    Yes,
}

struct Slicer {
    /// Names that kept statements mention.
    needed: SortedSet<String>,
    changeable: SortedSet<String>,
    outside: SortedSet<String>,
}

impl Slicer {
    /// What kept tokens mention is needed.
    fn need(&mut self, tokens: &impl ToTokens) {
        let mut found = Vec::new();
        names::identifiers(tokens.to_token_stream(), &mut found);
        self.needed.extend(found.iter().map(ToString::to_string));
    }

    fn is_needed(&self, name: &Ident) -> bool {
        self.needed.contains(&name.to_string())
    }

    /// Leaves statements out of a block; `depth` loops stand around it.
    fn block(&mut self, block: &mut Block, depth: usize) -> Keep {
        let mut keep = Keep::No;
        block.stmts.retain_mut(|stmt| {
            let this = self.stmt(stmt, depth);
            keep = keep.max(this);
            this != Keep::No
        });
        keep
    }

    fn stmt(&mut self, stmt: &mut Stmt, depth: usize) -> Keep {
        match stmt {
            // They may be mentioned, and do nothing.
            Stmt::Item(_) => Keep::WithLoop,
            // `let at = { n += 1; n - 1 };`: where the name is not needed, what stands before its value.
            Stmt::Local(local) if self.is_block_of_another(local) => {
                let init = local.init.take().map(|init| init.expr);
                let Some(Expr::Block(mut of)) = init.map(|init| *init) else {
                    return Keep::No;
                };
                let keep = self.block(&mut of.block, depth);
                *stmt = Stmt::Expr(Expr::Block(of), None);
                keep
            }
            Stmt::Local(local) => {
                let declares = bound(&local.pat)
                    .iter()
                    .any(|name| self.needed.contains(name));
                let whole = Whole::of(self, |whole| whole.visit_local(local));
                let keep = whole.keep(depth);
                let keep = match declares {
                    true => Keep::Yes,
                    false => keep,
                };
                if keep != Keep::No {
                    self.need(local);
                }
                keep
            }
            Stmt::Expr(e, semi) => {
                let keep = self.expr(e, depth);
                // What is left has no value.
                semi.get_or_insert_default();
                keep
            }
            Stmt::Macro(mac) => {
                let whole = Whole::of(self, |whole| whole.visit_stmt_macro(mac));
                let keep = whole.keep(depth);
                if keep != Keep::No {
                    self.need(mac);
                }
                keep
            }
        }
    }

    /// Whether a declaration's value is a block, and nothing that it declares is needed.
    fn is_block_of_another(&self, local: &syn::Local) -> bool {
        let needed = bound(&local.pat)
            .iter()
            .any(|name| self.needed.contains(name));
        let init = local.init.as_ref();
        let block = init.is_some_and(|init| {
            let plain = |of: &syn::ExprBlock| of.label.is_none() && of.attrs.is_empty();
            init.diverge.is_none() && matches!(&*init.expr, Expr::Block(of) if plain(of))
        });
        block && !needed
    }

    /// A statement's expression.
    fn expr(&mut self, e: &mut Expr, depth: usize) -> Keep {
        match e {
            Expr::Block(block) => self.block(&mut block.block, depth),
            Expr::If(branch) => {
                let mut keep = self.block(&mut branch.then_branch, depth);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    let other = self.expr(otherwise, depth);
                    keep = keep.max(other);
                    if other == Keep::No {
                        branch.else_branch = None;
                    }
                }
                let condition = Whole::of(self, |whole| whole.visit_expr(&branch.cond));
                keep = keep.max(condition.keep(depth));
                if keep != Keep::No {
                    self.need(&branch.cond);
                }
                keep
            }
            Expr::Match(of) => {
                let mut keep = Whole::of(self, |whole| whole.visit_expr(&of.expr)).keep(depth);
                for arm in &mut of.arms {
                    let this = self.expr(&mut arm.body, depth);
                    match (&*arm.body, this) {
                        (_, Keep::No) => *arm.body = parse_quote!({}),
                        (Expr::Block(_), _) => {}
                        (body, _) => *arm.body = parse_quote!({ #body; }),
                    }
                    keep = keep.max(this);
                }
                if keep != Keep::No {
                    self.need(&of.expr);
                    for arm in &of.arms {
                        self.need(&arm.pat);
                    }
                }
                keep
            }
            Expr::ForLoop(inner) => {
                let over = Whole::of(self, |whole| whole.visit_expr(&inner.expr)).keep(depth);
                let body = match over {
                    Keep::No => self.block(&mut inner.body, depth + 1),
                    // What changes by way of its items is not seen: all of it.
                    keep => {
                        self.need(&inner.body);
                        keep
                    }
                };
                match body {
                    Keep::Yes => {
                        self.need(&inner.expr);
                        Keep::Yes
                    }
                    _ => Keep::No,
                }
            }
            Expr::While(inner) => {
                let condition =
                    Whole::of(self, |whole| whole.visit_expr(&inner.cond)).keep(depth + 1);
                let body = self.block(&mut inner.body, depth + 1);
                match condition.max(body) {
                    Keep::Yes => {
                        self.need(&inner.cond);
                        Keep::Yes
                    }
                    _ => Keep::No,
                }
            }
            Expr::Loop(inner) => match self.block(&mut inner.body, depth + 1) {
                Keep::Yes => Keep::Yes,
                _ => Keep::No,
            },
            e => {
                let whole = Whole::of(self, |whole| whole.visit_expr(e));
                let keep = whole.keep(depth);
                if keep != Keep::No {
                    self.need(e);
                }
                keep
            }
        }
    }

    /// Whether what was kept changes nothing but its own variables, and what was left out none of those.
    fn check(
        &self,
        plan: &LoopPlan,
        body: &Block,
        sliced: &Block,
        also: &[&Expr],
    ) -> Result<(), String> {
        let Pattern::Histogram(roles) = &plan.pattern;
        let array = |id: &ArrayId| &plan.arrays[id.0 as usize].expr;
        let carried = roles.carried.iter().zip(&plan.carried);
        let carried = carried
            .filter(|(scan, _)| !scan.delayed)
            .map(|(_, place)| place);
        let mut places: Vec<&Expr> = carried.chain(&plan.grown).collect();
        places.extend(plan.keyed.iter().map(|map| &map.place));
        places.extend(also);
        places.extend(plan.best.iter().flat_map(|best| &best.places));
        places.extend(roles.filled.iter().map(|filled| array(&filled.array)));
        let bins = roles.targets.iter().zip(&plan.targets);
        let bins = bins.filter(|(t, _)| matches!(t.memory, Memory::Bins(_) | Memory::Scalar(_)));
        places.extend(bins.map(|(_, syntax)| &syntax.expr));
        let mut written = Mentions {
            places: &places,
            found: None,
        };
        written.visit_block(sliced);
        let mut changes = Changes {
            slicer: self,
            found: None,
            sliced: true,
        };
        changes.visit_block(sliced);
        changes.sliced = false;
        changes.visit_block(body);
        match written.found.or(changes.found) {
            None => Ok(()),
            Some(text) => Err(format!(
                "it is not clear without `{text}` what has to be known before"
            )),
        }
    }
}

/// What a statement does that is kept or left out as a whole.
struct Whole<'a> {
    slicer: &'a Slicer,
    /// Loops and closures around, inside of it.
    loops: usize,
    /// Whether it updates a total, or may change what is needed.
    changes: bool,
    /// Whether it may leave a loop around it, by label or without one.
    leaves: bool,
    leaves_by_name: bool,
}

impl Whole<'_> {
    fn of(slicer: &Slicer, f: impl FnOnce(&mut Whole<'_>)) -> Flags {
        let mut whole = Whole {
            slicer,
            loops: 0,
            changes: false,
            leaves: false,
            leaves_by_name: false,
        };
        f(&mut whole);
        Flags {
            changes: whole.changes,
            leaves: whole.leaves,
            leaves_by_name: whole.leaves_by_name,
        }
    }

    /// Whether a name is one that is needed and may be changed, of the body's own.
    fn is_own(&self, place: &Expr) -> bool {
        let slicer = self.slicer;
        names::root_of(place).is_some_and(|root| {
            let name = root.to_string();
            slicer.is_needed(root) && !slicer.outside.contains(&name)
        })
    }
}

/// What [`Whole`] found.
struct Flags {
    changes: bool,
    leaves: bool,
    leaves_by_name: bool,
}

impl Flags {
    fn keep(&self, depth: usize) -> Keep {
        match self {
            Flags { changes: true, .. }
            | Flags {
                leaves_by_name: true,
                ..
            } => Keep::Yes,
            Flags { leaves: true, .. } if depth == 0 => Keep::Yes,
            Flags { leaves: true, .. } => Keep::WithLoop,
            _ => Keep::No,
        }
    }
}

impl<'a> Visit<'a> for Whole<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => match e {
                Expr::MethodCall(call) => {
                    let total = updates_total(call);
                    let own = self.is_own(&call.receiver)
                        && names::root_of(&call.receiver)
                            .is_some_and(|root| self.slicer.changeable.contains(&root.to_string()));
                    self.changes |= total || own && !reads(&call.method.to_string());
                    visit::visit_expr(self, e);
                }
                Expr::Assign(_) | Expr::Binary(_) if sites::is_assignment(e) => {
                    let left = names::left_side(e);
                    self.changes |= left.is_some_and(|left| self.is_own(left));
                    visit::visit_expr(self, e);
                }
                Expr::Reference(reference) => {
                    self.changes |= reference.mutability.is_some() && self.is_own(&reference.expr);
                    visit::visit_expr(self, e);
                }
                Expr::Continue(syn::ExprContinue { label, .. })
                | Expr::Break(syn::ExprBreak { label, .. }) => {
                    self.leaves |= self.loops == 0;
                    self.leaves_by_name |= label.is_some();
                    visit::visit_expr(self, e);
                }
                Expr::Return(_) | Expr::Try(_) => {
                    self.leaves_by_name = true;
                    visit::visit_expr(self, e);
                }
                Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {
                    self.loops += 1;
                    visit::visit_expr(self, e);
                    self.loops -= 1;
                }
                e => visit::visit_expr(self, e),
            },
            visit::Node::Macro(mac) => {
                let mut found = Vec::new();
                names::identifiers(mac.tokens.clone(), &mut found);
                let changes = |name: &Ident| {
                    self.slicer.is_needed(name)
                        && self.slicer.changeable.contains(&name.to_string())
                };
                // Those that rustc knows take references to what they print or compare.
                self.changes |= !is_known(mac) && found.iter().any(changes);
            }
            _ => node.parts(self),
        }
    }
}

/// Macros of the standard library that leave their arguments as they are.
fn is_known(mac: &Macro) -> bool {
    let name = names::macro_name(&mac.path);
    let known = [
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "panic",
        "unreachable",
        "todo",
        "unimplemented",
        "print",
        "println",
        "eprint",
        "eprintln",
        "matches",
    ];
    name.is_some_and(|name| known.contains(&name.as_str()))
}

/// Whether a method leaves what it is called on as it is.
fn reads(method: &str) -> bool {
    Method::named(method).is_some() || matches!(method, "len" | "is_empty" | "clone" | "iter")
}

/// Whether places that the loop writes are mentioned.
struct Mentions<'a> {
    places: &'a [&'a Expr],
    found: Option<String>,
}

impl<'b> Visit<'b> for Mentions<'_> {
    fn visit(&mut self, node: visit::Node<'b>) {
        match node {
            visit::Node::Ident(name) => {
                let of = |place: &&Expr| names::root_of(place).is_some_and(|root| root == name);
                let place = self
                    .places
                    .iter()
                    .find(|place| of(place) && is_variable(place));
                if let Some(place) = place {
                    self.found = Some(crate::source::text_of(&place.to_token_stream()));
                }
            }
            visit::Node::Expr(e) => {
                if let Some(place) = self.places.iter().find(|place| value::same(place, e)) {
                    self.found = Some(crate::source::text_of(&place.to_token_stream()));
                }
                visit::visit_expr(self, e);
            }
            visit::Node::Macro(mac) => {
                let mut found = Vec::new();
                names::identifiers(mac.tokens.clone(), &mut found);
                found.iter().for_each(|name| self.visit_ident(name));
            }
            _ => node.parts(self),
        }
    }
}

/// Whether a place is a variable, or what one refers to, and no field.
fn is_variable(place: &Expr) -> bool {
    match place {
        Expr::Paren(e) => is_variable(&e.expr),
        Expr::Group(e) => is_variable(&e.expr),
        Expr::Unary(e) => is_variable(&e.expr),
        Expr::Path(path) => !path.path.is_ident("self"),
        _ => false,
    }
}

/// What could change something without being seen: of what is kept, anything from outside; of the whole body, what is needed.
struct Changes<'a> {
    slicer: &'a Slicer,
    found: Option<String>,
    sliced: bool,
}

impl Changes<'_> {
    fn found(&mut self, e: &impl ToTokens) {
        let text = crate::source::text_of(&e.to_token_stream());
        self.found.get_or_insert(text);
    }

    /// Whether a name is one that is needed and may be changed.
    fn is_own(&self, name: &str) -> bool {
        self.slicer.needed.contains(name) && self.slicer.changeable.contains(name)
    }
}

impl<'b> Visit<'b> for Changes<'_> {
    fn visit(&mut self, node: visit::Node<'b>) {
        match node {
            visit::Node::Expr(e) => {
                let outside = |place: &Expr| {
                    names::root_of(place)
                        .is_some_and(|root| self.slicer.outside.contains(&root.to_string()))
                };
                match e {
                    Expr::Reference(reference) if reference.mutability.is_some() => {
                        let own = names::root_of(&reference.expr)
                            .is_none_or(|root| self.is_own(&root.to_string()));
                        if self.sliced || own {
                            self.found(e);
                        }
                    }
                    Expr::Closure(closure) => {
                        let mut mentioned = Vec::new();
                        names::identifiers(closure.body.to_token_stream(), &mut mentioned);
                        let own = mentioned.iter().any(|name| self.is_own(&name.to_string()));
                        if self.sliced || own {
                            self.found(e);
                        }
                    }
                    Expr::MethodCall(call)
                        if self.sliced
                            && outside(&call.receiver)
                            && !reads(&call.method.to_string()) =>
                    {
                        self.found(e);
                    }
                    e if self.sliced
                        && sites::is_assignment(e)
                        && names::left_side(e).is_some_and(outside) =>
                    {
                        self.found(e);
                    }
                    _ => {}
                }
                visit::visit_expr(self, e);
            }
            visit::Node::PatIdent(pat) => {
                if pat.by_ref.is_some() && pat.mutability.is_some() {
                    self.found(pat);
                }
                visit::visit_pat_ident(self, pat);
            }
            visit::Node::Macro(mac) => {
                // What it does with what the loop writes is not seen.
                let mut found = Vec::new();
                names::identifiers(mac.tokens.clone(), &mut found);
                let outside = |name: &Ident| self.slicer.outside.contains(&name.to_string());
                if self.sliced && !is_known(mac) && found.iter().any(outside) {
                    self.found(mac);
                }
            }
            _ => node.parts(self),
        }
    }
}
