//! From a detected loop to its plan.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Expr;

use super::{Beside, BestSyntax, LoopPlan, TargetSyntax, What, obstacles};
use crate::detect::Detected;
use crate::detect::claims::Claims;
use crate::detect::keeps::Keeps;
use crate::detect::pushes::Pushes;
use crate::detect::winners::Why;
use crate::ir::visit::Visit;
use crate::ir::{self, ArrayId, Memory, Pattern, SourceId, Stmt, StmtKind};
use crate::parsed::args::Args;
use crate::parsed::candidate::Candidate;
use crate::parsed::lowered::Lowered;
use crate::source::{SourceMap, text_of};
use crate::syntax::names::{self, Key};
use crate::syntax::{ArraySyntax, AssignSyntax, Capture, Shape, without_parens};

/// Plans a loop.
pub fn plan(detected: Detected<'_>, args: &Args, sources: &SourceMap) -> LoopPlan {
    let Detected {
        mut lowered,
        pattern,
        grid,
        winners,
        claims,
        keeps,
        pushes,
        reach,
    } = detected;
    let candidate = lowered.candidate;
    let used = lowered.ir.used_captures();
    lowered.captures.retain(|c| used.contains(&c.var));
    let (winners, unfound) = match winners {
        Some(Ok(winners)) => (Some(winners), None),
        Some(Err(why)) => (None, Some(why)),
        None => (None, None),
    };
    let (claims, unclaimed) = match claims {
        Some(Ok(claims)) => (Some(claims), None),
        Some(Err(why)) => (None, Some(why)),
        None => (None, None),
    };
    let second = winners.iter().flat_map(|winners| &winners.second);
    for var in second.flat_map(|second| second.captured()) {
        lowered.captures.push(anew_of(*var, lowered.ir.source));
    }
    for var in winners.iter().flat_map(|winners| &winners.compared) {
        let (place, _) = place_syntax(&lowered.reduced[var], true, candidate);
        lowered.captures.push(Capture {
            var: *var,
            tokens: place.to_token_stream(),
            cast: false,
            scalar: None,
            constant: None,
            source: lowered.ir.var(*var).source,
        });
    }
    let Pattern::Histogram(histogram) = &pattern;
    let sites = sites(&lowered.ir);
    let targets = histogram
        .targets
        .iter()
        .enumerate()
        .map(|(n, target)| target_syntax(&lowered, target.memory, &sites[n], candidate))
        .collect();
    let best = histogram.best.iter().map(|best| BestSyntax {
        places: best
            .vars
            .iter()
            .map(|var| place_syntax(&lowered.reduced[var], true, candidate).0)
            .collect(),
        key: written(candidate, &sources.get(best.key).text),
    });
    let best = best.collect();
    let carried = histogram.carried.iter();
    let carried = carried
        .map(|carried| place_syntax(&lowered.reduced[&carried.var], true, candidate).0)
        .collect();
    // What is kept of the best item no kernel needs to know.
    let (kernel, kernel_pattern) = match &winners {
        Some(winners) => (&winners.ir, &winners.pattern),
        None => (&lowered.ir, &pattern),
    };
    let obstacles = obstacles::find(
        kernel,
        kernel_pattern,
        candidate.outer.generics(),
        args.deterministic,
        unfound.into_iter().chain(unclaimed),
    );
    let pure = lowered.is_pure(&args.pure);
    let plan = LoopPlan {
        ir: lowered.ir,
        grid,
        winners,
        beside: None,
        claims_alone: false,
        vectors: 0,
        reach,
        pattern,
        syntax: candidate.syntax.clone(),
        nth_for: candidate.nth_for,
        repeated: candidate.depth > 0,
        iterations: lowered.iterations,
        crossed: false,
        once: lowered.once,
        targets,
        best,
        carried,
        grown: lowered.grown,
        keyed: lowered.keyed,
        arrays: lowered.arrays,
        captures: lowered.captures,
        contract: args.contract,
        pure,
        as_written: lowered.as_written,
        names: lowered.names,
        shared: lowered.shared,
        obstacles,
    };
    match (claims, keeps, pushes) {
        (Some(claims), ..) => claiming(plan, claims, candidate, args),
        (None, Some(keeps), _) => keeping(plan, keeps, candidate, args),
        (None, None, Some(pushes)) => pushing(plan, pushes, candidate, args),
        (None, None, None) => plan,
    }
}

/// A plan with the one of the loop that fills arrays with what it pushes to vectors.
fn pushing(
    mut plan: LoopPlan,
    pushes: Result<Pushes, Why>,
    candidate: &Candidate<'_>,
    args: &Args,
) -> LoopPlan {
    let Pushes { ir, pattern } = match pushes {
        Ok(pushes) => pushes,
        Err(Why { text: why, source }) => {
            plan.obstacles.iter_mut().for_each(|obstacle| {
                if obstacle.source == source {
                    obstacle.why.clone_from(&why);
                }
            });
            return plan;
        }
    };
    let vectors = plan.grown.iter().map(|expr| ArraySyntax {
        expr: expr.clone(),
        shape: match names::key_of(expr) {
            Some((key, false)) if key.fields.is_empty() => shape_of(&key, candidate),
            _ => Shape::Unknown,
        },
        variable: None,
        writable: true,
    });
    let counts = (0..plan.grown.len()).map(|n| quote::format_ident!("__accrue_count_{n}"));
    let targets = plan.targets.clone();
    let mut of = beside(&plan, ir, pattern, targets, Vec::new(), candidate, args);
    of.vectors = plan.grown.len();
    of.arrays.extend(vectors);
    of.carried.clone_from(&plan.carried);
    of.carried
        .extend(counts.map(|name| -> Expr { syn::parse_quote!(#name) }));
    let what = What::Pushes;
    plan.beside = Some(Box::new(Beside { plan: of, what }));
    plan
}

/// A plan with the one of the loop that gives what is kept of the best items. Where that has no kernel, the host runs the iteration.
fn keeping(mut plan: LoopPlan, keeps: Keeps, candidate: &Candidate<'_>, args: &Args) -> LoopPlan {
    let Keeps {
        ir,
        pattern,
        position,
        before,
    } = keeps;
    let names = (0..before.len()).map(|n| quote::format_ident!("__accrue_kept_{n}"));
    let targets = names.map(|name| target_alone(syn::parse_quote!(#name), candidate));
    let anew = before.iter().chain([&position]);
    let anew = anew.map(|var| anew_of(*var, ir.source)).collect();
    let of = beside(&plan, ir, pattern, targets.collect(), anew, candidate, args);
    if of.obstacles.is_empty() {
        let what = What::Keeps(position, before);
        plan.beside = Some(Box::new(Beside { plan: of, what }));
    }
    plan
}

/// A plan with the one of the loop that claims its elements.
fn claiming(
    mut plan: LoopPlan,
    claims: Claims,
    candidate: &Candidate<'_>,
    args: &Args,
) -> LoopPlan {
    let Claims { ir, pattern, range } = claims;
    let Pattern::Histogram(roles) = &plan.pattern;
    let names = |what: &str| -> Vec<Expr> {
        let name = |n| quote::format_ident!("__accrue_{what}_{n}");
        let all = (0..roles.distinct.len()).map(name);
        all.map(|name| syn::parse_quote!((*#name))).collect()
    };
    let (taken, claimed) = (names("taken"), names("claimed"));
    let bits = taken.iter().map(|expr| ArraySyntax {
        expr: expr.clone(),
        shape: Shape::Unknown,
        variable: None,
        writable: true,
    });
    let bits: Vec<ArraySyntax> = bits.collect();
    let targets = taken.into_iter().chain(claimed);
    let targets = targets.map(|expr| target_alone(expr, candidate)).collect();
    let anew = range.map(|var| anew_of(var, ir.source)).to_vec();
    let mut of = beside(&plan, ir, pattern, targets, anew, candidate, args);
    of.claims_alone = true;
    of.arrays.extend(bits);
    // What keeps the claims off a device keeps the loop off it.
    let known: Vec<String> = plan.obstacles.iter().map(|o| o.why.clone()).collect();
    let more = of.obstacles.iter().filter(|o| !known.contains(&o.why));
    plan.obstacles.extend(more.cloned());
    let what = What::Claims(range);
    plan.beside = Some(Box::new(Beside { plan: of, what }));
    plan
}

/// The plan of a loop that is made of another one's. `anew` are captured values that are declared for each launch.
fn beside(
    plan: &LoopPlan,
    ir: ir::Loop,
    pattern: Pattern,
    targets: Vec<TargetSyntax>,
    anew: Vec<Capture>,
    candidate: &Candidate<'_>,
    args: &Args,
) -> LoopPlan {
    let used = ir.used_captures();
    let captures = plan.captures.iter().filter(|c| used.contains(&c.var));
    LoopPlan {
        grid: None,
        winners: None,
        beside: None,
        reach: ir::Reach::default(),
        targets,
        best: Vec::new(),
        carried: Vec::new(),
        grown: Vec::new(),
        keyed: Vec::new(),
        captures: captures.cloned().chain(anew).collect(),
        obstacles: obstacles::find(
            &ir,
            &pattern,
            candidate.outer.generics(),
            args.deterministic,
            None,
        ),
        ir,
        pattern,
        ..plan.clone()
    }
}

/// A target that is no variable of the user's.
fn target_alone(expr: Expr, candidate: &Candidate<'_>) -> TargetSyntax {
    TargetSyntax {
        expr,
        root: candidate_ident(candidate),
        shape: Shape::Unknown,
        by_reference: None,
        sites: Vec::new(),
        direct: true,
        reads_len: false,
    }
}

/// A value that is declared anew for each launch.
fn anew_of(var: ir::VarId, source: SourceId) -> Capture {
    Capture {
        var,
        tokens: TokenStream::new(),
        cast: false,
        scalar: None,
        constant: None,
        source,
    }
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
    lowered: &Lowered<'_>,
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
    let is_scalar = matches!(memory, Memory::Scalar(_));
    let (expr, by_reference) = place_syntax(place, is_scalar, candidate);
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

/// A place outside the loop as it is written there, and whether it is a reference.
fn place_syntax(place: &Expr, is_scalar: bool, candidate: &Candidate<'_>) -> (Expr, Option<bool>) {
    let plain = matches!(names::key_of(place), Some((key, false)) if key.fields.is_empty());
    let root = names::root_of(place).filter(|_| plain);
    let by_reference = match root {
        Some(root) => {
            let declared = candidate.outer.get(&root.to_string());
            let known = declared.and_then(|o| o.by_reference);
            // So does only the loop tell what a pattern or a method gives: `let last = v.last_mut().unwrap();`.
            known.or_else(|| (is_scalar && is_dereferenced(place, candidate)).then_some(true))
        }
        None if plain => None,
        // What a field is only the loop tells: `*self.total` is behind a reference.
        None => Some(is_scalar && is_dereferenced(place, candidate)),
    };
    let by_reference = by_reference.map(|by| by && !is_assigned_itself(place, candidate));
    match is_scalar && by_reference == Some(true) {
        true => (syn::parse_quote!(*#place), by_reference),
        false => (place.clone(), by_reference),
    }
}

/// Whether a loop's body assigns a variable another reference, or value, as a whole.
fn is_assigned_itself(place: &Expr, candidate: &Candidate<'_>) -> bool {
    struct Finder<'p>(Option<&'p syn::Ident>, bool);
    impl<'a> crate::syntax::visit::Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: crate::syntax::visit::Node<'a>) {
            if let crate::syntax::visit::Node::Expr(Expr::Assign(of)) = &node {
                self.1 |= self.0.is_some() && variable(without_parens(&of.left)) == self.0;
            }
            node.parts(self);
        }
    }
    fn variable(e: &Expr) -> Option<&syn::Ident> {
        match e {
            Expr::Path(of) => of.path.get_ident(),
            _ => None,
        }
    }
    let mut finder = Finder(variable(place), false);
    crate::syntax::visit::Visit::visit_block(&mut finder, &candidate.syntax.body);
    finder.1
}

/// Whether a loop's body dereferences a place.
fn is_dereferenced(place: &Expr, candidate: &Candidate<'_>) -> bool {
    struct Finder(Option<Key>, bool);
    impl<'a> crate::syntax::visit::Visit<'a> for Finder {
        fn visit(&mut self, node: crate::syntax::visit::Node<'a>) {
            match node {
                crate::syntax::visit::Node::ExprUnary(unary) => {
                    let of = without_parens(&unary.expr);
                    let is_place = matches!(of, Expr::Field(_) | Expr::Path(_))
                        && names::key_of(of)
                            .is_some_and(|(key, indexed)| !indexed && Some(key) == self.0);
                    self.1 |= is_place && matches!(unary.op, syn::UnOp::Deref(_));
                    crate::syntax::visit::visit_expr_unary(self, unary);
                }
                _ => node.parts(self),
            }
        }
    }
    let key = names::key_of(place).map(|(key, _)| key);
    let mut finder = Finder(key, false);
    crate::syntax::visit::Visit::visit_block(&mut finder, &candidate.syntax.body);
    finder.1
}

/// The expression of a loop's body that has a text, without the parentheses around it.
fn written(candidate: &Candidate<'_>, text: &str) -> Expr {
    struct Finder<'a>(&'a str, Option<Expr>);
    impl<'a> crate::syntax::visit::Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: crate::syntax::visit::Node<'a>) {
            match node {
                crate::syntax::visit::Node::Expr(expr) => {
                    if self.1.is_none() && text_of(&expr.to_token_stream()) == self.0 {
                        self.1 = Some(expr.clone());
                    }
                    crate::syntax::visit::visit_expr(self, expr);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(text, None);
    crate::syntax::visit::Visit::visit_block(&mut finder, &candidate.syntax.body);
    finder.1.unwrap_or_else(|| syn::parse_quote!(()))
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
