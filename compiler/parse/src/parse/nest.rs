//! One parallel loop: its dimensions, its body, and what the back ends need of its syntax.

use crate::sorted::Sorted;

use crate::syntax::visit::{self, Visit};
use quote::ToTokens;
use syn::{Block, Expr, ExprForLoop, Stmt};

use super::args::Args;
use super::grow;
use super::iteration::{self, Iteration, is_arithmetic, is_simple};
use super::keyed;
use super::lower::{Assigned, Frame, Lower};
use super::names;
use super::once;
use super::opaque::changed_element;
use super::outer::OuterScope;
use super::shared;
use super::sites;
use super::space::{Item, Space};
use crate::diag::{Code, Diagnostic, Errors};
use crate::ir::visit::{Visit as _, VisitMut as _};
use crate::ir::{self, Access, Body, Dim, Root, Scalar, Type, VarId, VarKind};
use crate::parsed::candidate::Candidate;
use crate::parsed::lowered::{Lowered, swaps_at_the_end};
use crate::source::SourceMap;
use crate::syntax::constants::constant_of;
use crate::syntax::definitions::Definitions;
use crate::syntax::{Borrow, without_parens};

/// Lowers a loop. What is wrong with it goes with it, since the next stage finds more.
pub fn lower<'a>(
    candidate: &'a Candidate<'a>,
    args: &Args,
    definitions: &Definitions,
    sources: &mut SourceMap,
) -> Lowered<'a> {
    let levels = levels(candidate.syntax);
    lower_levels(candidate, &levels, args, definitions, sources, false)
}

/// Lowers a loop that goes in order, as the steps of those inside it.
pub fn lower_steps<'a>(
    candidate: &'a Candidate<'a>,
    args: &Args,
    definitions: &Definitions,
    sources: &mut SourceMap,
) -> Lowered<'a> {
    let outermost = [candidate.syntax];
    lower_levels(candidate, &outermost, args, definitions, sources, true)
}

fn lower_levels<'a>(
    candidate: &'a Candidate<'a>,
    levels: &[&'a ExprForLoop],
    args: &Args,
    definitions: &Definitions,
    sources: &mut SourceMap,
    steps: bool,
) -> Lowered<'a> {
    let (syntax, outer) = (candidate.syntax, &candidate.outer);
    let assigned = assigned(syntax, args.any);
    let mut errors = Errors::new();
    let changed = levels
        .iter()
        .find_map(|level| changed(&level.expr, &assigned));
    let mut lower = Lower::new(outer, definitions, assigned, sources, &mut errors);
    lower.sites = site_numbers(&syntax.body);
    lower.any = args.any;
    lower.steps = steps;
    if steps {
        let ending = swaps_at_the_end(&syntax.body).into_iter();
        lower.ending = ending.map(std::ptr::from_ref).collect();
    }
    if args.any {
        lower.grown = grown(syntax, outer);
    }
    let mut maps = Vec::new();
    if args.any {
        let found = keyed::keyed(syntax, outer);
        lower.keyed = found.statements.into_iter().collect();
        lower.ungrouped = found.refused;
        maps = found.maps;
    }
    if let Some(diagnostic) = &changed {
        lower.errors.push(diagnostic.clone());
    }
    let source = lower.source(&syntax.for_token);
    let mut space = Vec::new();
    let mut iterations = Vec::new();
    let mut items = Vec::new();
    let mut bound = Vec::new();
    for level in levels {
        let text = crate::source::text_of(&level.expr.to_token_stream());
        let dim_source = lower.source(&*level.expr);
        let mut chain = match args.any {
            true => iteration::any_chain(&level.expr, outer),
            false => iteration::outer_chain(&level.expr),
        };
        if let Ok(chain) = &mut chain {
            lower.once = once::names(chain, bound.len());
        }
        let dim = match &chain {
            Ok(_) if changed.is_some() => None,
            Ok(chain) if space.is_empty() => lower.outer_space(chain),
            Ok(chain) => lower.nested_space(chain),
            // The body is judged all the same, so that all mistakes show in one build.
            Err(diagnostic) => {
                lower.errors.push(diagnostic.clone());
                None
            }
        };
        let dim = dim.unwrap_or_else(|| Space {
            count: lower.opaque_expr(
                "an iteration that is not understood here",
                Some("iterate over a slice whose type is written in the signature or in a `let`"),
                dim_source,
            ),
            item: Item::Unknown,
        });
        let position = lower.var(
            "position",
            Type::Scalar(Scalar::Usize),
            VarKind::Position,
            dim_source,
        );
        if let Ok(chain) = &mut chain {
            let names = std::mem::take(&mut lower.once);
            bound.extend(once::bind(chain, &names));
        }
        let handed = chain
            .as_ref()
            .ok()
            .filter(|chain| !iteration::handed_out(chain).is_empty());
        let lent = handed.map(iteration::lent);
        items.push((position, dim.item, &level.pat, lent));
        space.push(Dim {
            position,
            count: dim.count,
            text,
            source: dim_source,
        });
        if let Ok(chain) = chain {
            iterations.push(Iteration {
                pat: (*level.pat).clone(),
                chain,
            });
        }
    }
    for level in levels {
        lower.frames.push(Frame {
            label: level.label.as_ref().map(|l| l.name.ident.to_string()),
            target: None,
            value: None,
            is_block: false,
        });
    }
    let innermost = levels.last().map_or(syntax, |level| *level);
    let mut binds = Vec::new();
    let block = lower.block(|s| {
        for (position, item, pat, lent) in items {
            let before = s.pushed();
            let position = s.load(position, source);
            let item = s.item(&item, position, source);
            match lent {
                Some(lent) => s.bind_elements(pat, item, &lent),
                None => s.bind(pat, item),
            }
            binds.push(s.pushed() - before);
        }
        if let Some(tail) = s.stmts(&innermost.body) {
            let source = tail.source;
            s.push(ir::StmtKind::Expr(tail), source);
        }
        None
    });
    let mut around = around(syntax, &mut lower);
    let Lower {
        mut infer,
        vars,
        mut arrays,
        mut array_syntax,
        mut captures,
        reduced,
        assignments,
        mutable,
        unknown,
        names,
        functions,
        mut borrowed,
        mut named_mut,
        as_written,
        grown,
        inner,
        swaps,
        ..
    } = lower;
    infer.finish();
    let mut body = Body { vars, block };
    infer.apply(&mut body);
    super::casts::by_the_host(&mut body, &mut captures);
    super::operands::for_rustc(&mut body);
    for dim in &mut space {
        infer.apply_expr(&mut dim.count);
    }
    for borrowed in borrowed.iter_mut().chain(&mut named_mut) {
        infer.apply_expr(&mut borrowed.element);
    }
    for around in &mut around {
        infer.apply_expr(&mut around.value);
        infer.apply_expr(&mut around.low);
        infer.apply_expr(&mut around.high);
    }
    for array in &mut arrays {
        array.elem = infer.settled(&array.elem);
    }
    super::checked::settle(&mut body, &arrays);
    exact(sources, &mut body);
    for (i, access) in accesses(&space, &body, arrays.len())
        .into_iter()
        .enumerate()
    {
        arrays[i].access = access;
    }
    // rustc wants what has such a name to be the iteration's, though nothing is written by it.
    let is_lent = |id| {
        let mut lent = borrowed.iter().filter(|of| of.by == Borrow::Mutable);
        lent.any(|of| of.array() == Some(id))
    };
    named_mut.retain(|of| {
        let id = of.array();
        id.is_some_and(|id| arrays[id.0 as usize].access != Access::Updated && !is_lent(id))
    });
    for of in named_mut.iter().filter(|_| !args.any) {
        let source = sources.get(of.element.source);
        let told = format!("`{}` is borrowed to be changed, and is not", source.text);
        let help = "borrow it by `&`, or combine something into it";
        errors.push(Diagnostic::new(Code::Escapes, source.span, told).help(help));
    }
    borrowed.extend(named_mut);
    match args.any {
        true => super::bins::assigned(candidate, &mut errors),
        false => super::bins::check(candidate, &mut errors),
    }
    super::bins::handed_out(candidate, &mut errors);
    let chains = iterations.iter().map(|iteration| &iteration.chain);
    let handed_out: Vec<&Expr> = chains.flat_map(iteration::handed_out).collect();
    let text = |e: &Expr| e.to_token_stream().to_string();
    let handed: Vec<ir::ArrayId> = array_syntax
        .iter()
        .enumerate()
        .filter(|(_, array)| handed_out.iter().any(|of| text(of) == text(&array.expr)))
        .map(|(id, _)| ir::ArrayId(id as u32))
        .collect();
    let key = |e: &Expr| names::key_of(e).map(|(key, _)| key);
    let distinct: Vec<ir::ArrayId> = array_syntax
        .iter()
        .enumerate()
        .filter(|(_, array)| args.distinct.iter().any(|of| key(of) == key(&array.expr)))
        .map(|(id, _)| ir::ArrayId(id as u32))
        .collect();
    // While the loop iterates over it, nobody changes it.
    let chains = iterations.iter().map(|iteration| &iteration.chain);
    let iterated: Vec<String> = chains.flat_map(iteration::collections).map(text).collect();
    for array in &mut array_syntax {
        array.writable &= !iterated.contains(&text(&array.expr));
    }
    Lowered {
        candidate,
        errors,
        any: args.any,
        borrowed,
        as_written: as_written || !grown.is_empty() || !maps.is_empty(),
        handed,
        distinct,
        grown,
        keyed: maps,
        reassociate: args.reassociate,
        inner,
        swaps,
        ir: ir::Loop {
            ordinal: candidate.ordinal,
            function: candidate.function.to_string(),
            space,
            arrays,
            functions,
            body,
            around,
            source,
        },
        iterations,
        binds,
        once: bound,
        arrays: array_syntax,
        captures,
        reduced,
        assignments,
        mutable,
        unknown,
        names,
        shared: shared::look(candidate, args),
    }
}

/// A variable that a loop is over and changes: refused.
fn changed(over: &Expr, assigned: &[Assigned]) -> Option<Diagnostic> {
    let free = names::free_names(over);
    let used = free.uses.iter().find(|used| {
        let whole = |a: &&Assigned| !a.indexed && a.key.overlaps(&used.key);
        assigned.iter().any(|a| whole(&a))
    })?;
    let name = used.ident;
    let what = format!("`{name}` says how often the loop runs, and the loop changes it");
    let diagnostic = Diagnostic::new(Code::WriteVariable, name.span(), what)
        .note("a range is made once, before the first iteration")
        .help(format!(
            "keep what it is before the loop: `let all = {name};`"
        ));
    Some(diagnostic)
}

/// What the loops around say of numbers that this one uses, as far as they say it by names that it uses.
fn around(syntax: &ExprForLoop, lower: &mut Lower<'_>) -> Vec<ir::Around> {
    let mut used = Vec::new();
    names::identifiers(syntax.to_token_stream(), &mut used);
    let is_used = |tokens: proc_macro2::TokenStream| {
        let mut own = Vec::new();
        names::identifiers(tokens, &mut own);
        own.iter().all(|name| name == "len" || used.contains(name))
    };
    let is_one = |e: &Expr| is_arithmetic(e) && is_used(e.to_token_stream());
    let ranges: Vec<(syn::Ident, syn::ExprRange)> = lower
        .outer
        .ranges()
        .map(|(name, range)| (name.clone(), range.clone()))
        .collect();
    let known = ranges.into_iter().filter_map(|(name, range)| {
        let (low, high) = (range.start.as_deref()?, range.end.as_deref()?);
        let told = is_used(name.to_token_stream()) && is_one(low) && is_one(high);
        told.then(|| lower.around(&name, low, high, &range.limits))
    });
    known.collect()
}

/// What a loop's body assigns outside the loop.
pub fn assigned(syntax: &ExprForLoop, any: bool) -> Vec<Assigned> {
    let free = names::free_names_of_body(&syntax.pat, &syntax.body);
    let mut assigned: Vec<Assigned> = Vec::new();
    for a in free.assignments {
        match assigned.iter_mut().find(|b| b.key == a.key) {
            Some(known) => known.indexed |= a.indexed,
            None => assigned.push(Assigned {
                replaced: is_replaced(&a.key, syntax),
                key: a.key,
                indexed: a.indexed,
            }),
        }
    }
    // What is done by way of a reference to an element of its own is seen as far as which element it is.
    if any {
        let lent = free.lent_mut.iter().map(|used| used.key.clone());
        let changed = free.calls.iter().filter_map(changed_element);
        let looked_up = free.calls.iter().filter_map(|call| match call {
            names::Called::Method(of, name, _) if *name == "get_mut" => names::key_of(of),
            _ => None,
        });
        let looked_up = looked_up.map(|(key, _)| key);
        for key in lent.chain(changed.map(|used| used.key)).chain(looked_up) {
            if !assigned.iter().any(|a| a.key == key) {
                assigned.push(Assigned {
                    key,
                    indexed: true,
                    replaced: false,
                });
            }
        }
    }
    if any {
        let maps = keyed::find(syntax).maps.into_iter().map(|map| map.place);
        for place in grow::grown(syntax).into_iter().chain(maps) {
            if let Some((key, _)) = names::key_of(&place)
                && !assigned.iter().any(|a| a.key.overlaps(&key))
            {
                assigned.push(Assigned {
                    key,
                    indexed: false,
                    replaced: false,
                });
            }
        }
    }
    // `let slot = &mut hist[b]; *slot += 1;` assigns through a name of the body's own.
    for name in free.borrowed_mut_indexed {
        let key = names::Key::name(name.to_string());
        if !assigned.iter().any(|a| a.key.root == key.root) {
            assigned.push(Assigned {
                key,
                indexed: true,
                replaced: false,
            });
        }
    }
    assigned
}

/// Whether a loop assigns a variable as a whole, and mentions it nowhere else.
fn is_replaced(key: &names::Key, syntax: &ExprForLoop) -> bool {
    struct Uses<'k> {
        name: &'k str,
        whole: usize,
        all: usize,
    }
    impl<'a> Visit<'a> for Uses<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            let is = |e: &Expr| matches!(e, Expr::Path(path) if path.path.is_ident(self.name));
            match &node {
                visit::Node::Expr(Expr::Assign(of)) => {
                    self.whole += usize::from(is(without_parens(&of.left)));
                }
                visit::Node::Expr(e) if is(e) => self.all += 1,
                visit::Node::Macro(of) => {
                    let mut names = Vec::new();
                    names::identifiers(of.tokens.clone(), &mut names);
                    self.all += names.iter().filter(|name| **name == self.name).count();
                }
                _ => {}
            }
            node.parts(self);
        }
    }
    let mut uses = Uses {
        name: &key.root,
        whole: 0,
        all: 0,
    };
    uses.visit_expr(&syntax.expr);
    uses.visit_block(&syntax.body);
    key.fields.is_empty() && uses.whole > 0 && uses.all == uses.whole
}

/// The collections from outside that a loop appends to and does nothing else with.
pub(super) fn grown(syntax: &ExprForLoop, outer: &OuterScope) -> Vec<Expr> {
    let declared =
        |of: &Expr| names::root_of(of).is_some_and(|root| outer.get(&root.to_string()).is_some());
    grow::grown(syntax).into_iter().filter(declared).collect()
}

/// The loops of a perfect nest, outermost first.
fn levels(syntax: &ExprForLoop) -> Vec<&ExprForLoop> {
    let mut levels = vec![syntax];
    let mut bound: Vec<String> = Vec::new();
    while let Some(outer) = levels.last() {
        bound.extend(names::bound_names(&outer.pat).iter().map(|n| n.to_string()));
        let [Stmt::Expr(Expr::ForLoop(inner), _)] = outer.body.stmts.as_slice() else {
            break;
        };
        if !is_rectangular(inner, &bound) || leaves(inner, &levels) {
            break;
        }
        levels.push(inner);
    }
    levels
}

/// Whether the inner loop's space is the same for all iterations of the outer ones and costs next to nothing to
/// look at.
fn is_rectangular(inner: &ExprForLoop, bound: &[String]) -> bool {
    let free = names::free_names(&inner.expr);
    // `row.len()` is no use of `row`, but not the same for all rows either.
    let mut mentioned = Vec::new();
    names::identifiers(inner.expr.to_token_stream(), &mut mentioned);
    let invariant = mentioned
        .iter()
        .all(|name| !bound.contains(&name.to_string()));
    let Ok(chain) = iteration::outer_chain(&inner.expr) else {
        return false;
    };
    invariant && free.in_macros.is_empty() && is_simple(&chain, is_arithmetic)
}

/// Whether the inner loop is left early, or a loop around it is named.
fn leaves(inner: &ExprForLoop, outer: &[&ExprForLoop]) -> bool {
    struct Finder {
        depth: usize,
        labels: Vec<String>,
        found: bool,
    }
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    match e {
                        Expr::Break(b) => self.found |= b.label.is_some() || self.depth == 0,
                        Expr::Continue(c) => {
                            self.found |= c
                                .label
                                .as_ref()
                                .is_some_and(|l| self.labels.contains(&l.ident.to_string()));
                        }
                        Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                            self.depth += 1;
                            crate::syntax::visit::visit_expr(self, e);
                            self.depth -= 1;
                            return;
                        }
                        Expr::Closure(_) => return,
                        _ => {}
                    }
                    crate::syntax::visit::visit_expr(self, e);
                }
                // What a macro of the user's expands to is not seen.
                visit::Node::Macro(mac) => {
                    self.found |= !super::known::is_known_macro(mac);
                }
                _ => node.parts(self),
            }
        }
    }
    let labels = outer
        .iter()
        .filter_map(|l| l.label.as_ref())
        .map(|l| l.name.ident.to_string())
        .collect();
    let mut finder = Finder {
        depth: 0,
        labels,
        found: false,
    };
    finder.visit_block(&inner.body);
    finder.found
}

/// The number of each assignment, by its address.
fn site_numbers(body: &Block) -> Sorted<*const Expr, usize> {
    struct Numbers(Sorted<*const Expr, usize>);
    impl<'a> Visit<'a> for Numbers {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    if sites::is_assignment(e) {
                        let n = self.0.len();
                        self.0.insert(std::ptr::from_ref(e), n);
                    }
                    crate::syntax::visit::visit_expr(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut numbers = Numbers(Sorted::new());
    numbers.visit_block(body);
    numbers.0
}

/// Makes literals and ranges as exact as their final types ask for.
pub fn exact(sources: &SourceMap, body: &mut Body) {
    Exact(sources).block(&mut body.block);
}

/// Replaces what a device function would read of memory: it is given values only.
pub fn without_arrays(body: &mut Body, names: &[String]) {
    struct Replacer<'a>(&'a [String]);
    impl ir::visit::VisitMut for Replacer<'_> {
        fn expr(&mut self, expr: &mut ir::Expr) {
            self.expr_parts(expr);
            let array = match &mut expr.kind {
                ir::ExprKind::Load(place) => match place.root {
                    Root::Array(id) => Some(id),
                    Root::Var(_) => None,
                },
                ir::ExprKind::Len(id) => Some(*id),
                ir::ExprKind::Opaque(opaque) => {
                    opaque.arrays.clear();
                    None
                }
                _ => None,
            };
            if let Some(id) = array {
                expr.kind = ir::ExprKind::Opaque(ir::Opaque {
                    why: format!("`{}`, an array that the device function is not given", self.0[id.0 as usize]),
                    help: Some("pass the element that it needs as an argument, or declare the array inside it".into()),
                    ..ir::Opaque::default()
                });
            }
        }
    }
    Replacer(names).block(&mut body.block);
}

/// Replaces names in a device function that are neither its own nor constants in capitals.
pub fn without_vars(body: &mut Body, unknown: &[(VarId, String)]) {
    struct Replacer<'a>(&'a [(VarId, String)]);
    impl ir::visit::VisitMut for Replacer<'_> {
        fn expr(&mut self, expr: &mut ir::Expr) {
            self.expr_parts(expr);
            let ir::ExprKind::Load(place) = &expr.kind else {
                return;
            };
            let Root::Var(var) = place.root else {
                return;
            };
            if let Some((_, name)) = self.0.iter().find(|(id, _)| *id == var) {
                expr.kind = ir::ExprKind::Opaque(ir::Opaque {
                    why: format!("`{name}`, whose value the device function is not given"),
                    help: Some(
                        "pass it as an argument, or write it as a constant with a name in capitals"
                            .into(),
                    ),
                    ..ir::Opaque::default()
                });
            }
        }
    }
    Replacer(unknown).block(&mut body.block);
}

/// Literals as exact as their final type asks for.
struct Exact<'a>(&'a SourceMap);

impl ir::visit::VisitMut for Exact<'_> {
    fn expr(&mut self, expr: &mut ir::Expr) {
        self.expr_parts(expr);
        match &mut expr.kind {
            ir::ExprKind::Literal(ir::Literal::Float(v))
                if expr.ty == Type::Scalar(Scalar::F32) =>
            {
                // From the text: rounding to f64 first could round twice.
                let text = &self.0.get(expr.source).text;
                let digits: String = text
                    .chars()
                    .filter(|c| *c != '_')
                    .collect::<String>()
                    .trim_end_matches("f32")
                    .to_string();
                *v = f64::from(digits.parse::<f32>().unwrap_or(*v as f32));
            }
            ir::ExprKind::Match(scrutinee, arms) => {
                let Some(scalar) = scrutinee.ty.as_scalar() else {
                    return;
                };
                let limits = match (
                    scalar.is_int(),
                    constant_of(scalar, "MIN"),
                    constant_of(scalar, "MAX"),
                ) {
                    (true, Some((ir::Literal::Int(min), _)), Some((ir::Literal::Int(max), _))) => {
                        (min, max)
                    }
                    _ => (0, 1),
                };
                for range in arms.iter_mut().flat_map(|arm| &mut arm.values) {
                    range.first = range.first.max(limits.0);
                    range.last = range.last.min(limits.1);
                }
            }
            _ => {}
        }
    }
}

/// What each array is used for.
fn accesses(space: &[Dim], body: &Body, arrays: usize) -> Vec<Access> {
    struct Finder(Vec<Access>);
    impl ir::visit::Visit for Finder {
        fn load(&mut self, place: &ir::Place) {
            self.note(place, Access::Read);
            self.place_parts(place);
        }
        fn store(&mut self, place: &ir::Place) {
            self.note(place, Access::Updated);
            self.place_parts(place);
        }
        fn expr(&mut self, expr: &ir::Expr) {
            if let ir::ExprKind::Opaque(opaque) = &expr.kind {
                for id in &opaque.arrays {
                    self.raise(*id, Access::Read);
                }
            }
            self.expr_parts(expr);
        }
    }
    impl Finder {
        fn note(&mut self, place: &ir::Place, access: Access) {
            if let Root::Array(id) = place.root {
                self.raise(id, access);
            }
        }
        fn raise(&mut self, id: ir::ArrayId, access: Access) {
            let known = &mut self.0[id.0 as usize];
            if *known != Access::Updated {
                *known = access;
            }
        }
    }
    let mut finder = Finder(vec![Access::LengthOnly; arrays]);
    for dim in space {
        finder.expr(&dim.count);
    }
    finder.block(&body.block);
    finder.0
}
