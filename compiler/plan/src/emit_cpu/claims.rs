//! The dry run of a loop over arrays that are `distinct(..)`: the user's own statements as far as they say which elements an iteration uses.
//!
//! Every access of such an array is a claim of its index, in a statement before the one that it stands in. What is needed for claims is then sliced out of
//! the body like the terms of a scan ([`terms`](super::terms)). Where an access is made only if something inside of an expression holds, the loop stays
//! in order. An element that has been claimed on every way to an access need not be claimed again, so that conditions may look at it.

use crate::sorted::Sorted;

use crate::syntax::visit::{self, Visit};
use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use syn::{Block, Expr, Macro, Pat, Stmt, parse_quote};

use super::terms;
use super::value::same;
use crate::ir::Pattern;
use crate::plan::LoopPlan;
use crate::syntax::{names, sites};

/// What the claims of an array are called.
pub(super) fn claims(n: usize) -> Ident {
    let total = terms::total(n);
    format_ident!("{total}_at")
}

/// The statements of a body that claim elements.
///
/// # Errors
///
/// Why they cannot be told from the others.
pub(super) fn of(plan: &LoopPlan, body: &Block) -> Result<Block, String> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let arrays = roles.distinct.iter();
    let arrays: Vec<&Expr> = arrays.map(|id| &plan.arrays[id.0 as usize].expr).collect();
    let mut marked = body.clone();
    let mut failed = None;
    let carried: Vec<usize> = roles
        .carried
        .iter()
        .flat_map(|scan| scan.updates.iter().map(|(site, _)| *site))
        .collect();
    sites::rewrite(&mut marked, |site, expr| {
        if !(roles.writes.contains(&site) || carried.contains(&site)) {
            return;
        }
        match accesses(&arrays, expr) {
            Ok(found) => {
                let claims = found.into_iter().map(|(n, index)| claim(n, &index));
                *expr = parse_quote!({ #(#claims)* });
            }
            Err(why) => failed = Some(why),
        }
    });
    if let Some(why) = failed {
        return Err(why);
    }
    let mut claiming = Claiming {
        arrays: &arrays,
        bound: bound(body),
        claimed: Vec::new(),
        count: 0,
        failed: None,
    };
    claiming.block(&mut marked);
    if let Some(why) = claiming.failed {
        return Err(why);
    }
    terms::slice(plan, body, &marked, claiming.count, &arrays)
}

/// The statement that claims an index.
fn claim(n: usize, index: &Expr) -> Stmt {
    let claims = claims(n);
    parse_quote!(#claims.update(#index);)
}

/// How often each name is bound, and twice where it may change.
fn bound(body: &Block) -> Sorted<String, usize> {
    struct Bound(Sorted<String, usize>);
    impl<'a> Visit<'a> for Bound {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::PatIdent(pat) => {
                    let times = 1 + usize::from(pat.mutability.is_some());
                    *self.0.or_default(pat.ident.to_string()) += times;
                    visit::visit_pat_ident(self, pat);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut bound = Bound(Sorted::new());
    bound.visit_block(body);
    bound.0
}

/// The walk over statements that puts claims before them.
struct Claiming<'a> {
    arrays: &'a [&'a Expr],
    bound: Sorted<String, usize>,
    /// What has been claimed on every way here.
    claimed: Vec<String>,
    count: usize,
    failed: Option<String>,
}

impl Claiming<'_> {
    fn block(&mut self, block: &mut Block) {
        let before = self.claimed.len();
        let stmts = std::mem::take(&mut block.stmts);
        for mut stmt in stmts {
            // What stands for an assignment.
            if let Stmt::Expr(Expr::Block(of), _) = &stmt
                && of.block.stmts.iter().all(is_claim)
            {
                for claim in of.block.stmts.clone() {
                    self.add(claim, &mut block.stmts);
                }
                continue;
            }
            match &mut stmt {
                Stmt::Local(local) => {
                    if let Some(init) = &mut local.init {
                        self.before(&init.expr, &mut block.stmts);
                        if let Some((_, otherwise)) = &init.diverge {
                            self.nothing_in(otherwise);
                        }
                    }
                }
                Stmt::Expr(e, _) => self.expr(e, &mut block.stmts),
                Stmt::Item(_) => {}
                Stmt::Macro(mac) => self.macro_call(&mac.mac),
            }
            block.stmts.push(stmt);
        }
        self.claimed.truncate(before);
    }

    /// A statement's expression.
    fn expr(&mut self, e: &mut Expr, before: &mut Vec<Stmt>) {
        match e {
            Expr::Block(of) => self.block(&mut of.block),
            Expr::If(branch) => {
                self.before(&branch.cond, before);
                self.block(&mut branch.then_branch);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.inner(otherwise);
                }
            }
            Expr::Match(of) => {
                self.before(&of.expr, before);
                for arm in &mut of.arms {
                    if let Pat::Guard(guarded) = &arm.pat {
                        self.nothing_in(&guarded.guard);
                    }
                    self.inner(&mut arm.body);
                }
            }
            Expr::ForLoop(inner) => {
                self.before(&inner.expr, before);
                self.block(&mut inner.body);
            }
            Expr::While(inner) => {
                self.nothing_in(&inner.cond);
                self.block(&mut inner.body);
            }
            Expr::Loop(inner) => self.block(&mut inner.body),
            e => self.before(e, before),
        }
    }

    /// A block, or an expression in the place of one.
    fn inner(&mut self, e: &mut Expr) {
        match e {
            Expr::Block(of) => self.block(&mut of.block),
            e => {
                let mut block: Block = parse_quote!({ #e });
                self.block(&mut block);
                *e = parse_quote!(#block);
            }
        }
    }

    /// The claims of what an expression uses.
    fn before(&mut self, e: &Expr, before: &mut Vec<Stmt>) {
        match accesses(self.arrays, e) {
            Ok(found) => {
                for (n, index) in found {
                    self.add(claim(n, &index), before);
                }
            }
            Err(why) => self.failed = Some(why),
        }
    }

    fn nothing_in(&mut self, e: &Expr) {
        match accesses(self.arrays, e) {
            Ok(found) if found.is_empty() => {}
            Ok(_) => self.failed = Some(may_not_run(e)),
            Err(why) => self.failed = Some(why),
        }
    }

    fn macro_call(&mut self, mac: &Macro) {
        if let Some(why) = in_macro(self.arrays, mac) {
            self.failed = Some(why);
        }
    }

    fn add(&mut self, claim: Stmt, to: &mut Vec<Stmt>) {
        let text = claim.to_token_stream().to_string();
        if self.claimed.contains(&text) {
            return;
        }
        let mut mentioned = Vec::new();
        names::identifiers(claim.to_token_stream(), &mut mentioned);
        let times = |name: &Ident| self.bound.get(&name.to_string()).copied().unwrap_or(0);
        if mentioned.iter().all(|name| times(name) <= 1) {
            self.claimed.push(text);
        }
        self.count += 1;
        to.push(claim);
    }
}

fn is_claim(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Expr(Expr::MethodCall(call), Some(_)) if terms::updates_total(call))
}

fn may_not_run(e: &Expr) -> String {
    format!(
        "`{}` uses an element in a part of an expression that may not run",
        crate::source::text_of(&e.to_token_stream())
    )
}

fn in_macro(arrays: &[&Expr], mac: &Macro) -> Option<String> {
    let mut mentioned = Vec::new();
    names::identifiers(mac.tokens.clone(), &mut mentioned);
    let of = |array: &&&Expr| names::root_of(array).is_some_and(|root| mentioned.contains(root));
    let array = arrays.iter().find(of)?;
    Some(format!(
        "`{}` is used in a macro",
        crate::source::text_of(&array.to_token_stream())
    ))
}

/// Which elements of arrays an expression uses, by the number of the array and the index.
fn accesses(arrays: &[&Expr], e: &Expr) -> Result<Vec<(usize, Expr)>, String> {
    let mut finder = Accesses {
        arrays,
        found: Vec::new(),
        conditions: 0,
        failed: None,
    };
    finder.visit_expr(e);
    match finder.failed {
        Some(why) => Err(why),
        None => Ok(finder.found),
    }
}

struct Accesses<'a> {
    arrays: &'a [&'a Expr],
    found: Vec<(usize, Expr)>,
    /// How much stands around that may not run, or not once.
    conditions: usize,
    failed: Option<String>,
}

impl Accesses<'_> {
    fn array(&self, e: &Expr) -> Option<usize> {
        self.arrays.iter().position(|array| same(array, e))
    }

    fn note(&mut self, n: usize, index: &Expr, e: &Expr) {
        self.visit_expr(index);
        if self.conditions > 0 {
            self.failed = Some(may_not_run(e));
        }
        self.found.push((n, index.clone()));
    }

    fn under(&mut self, f: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        f(self);
        self.conditions -= 1;
    }
}

impl<'a> Visit<'a> for Accesses<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => match e {
                Expr::Index(of) if self.array(&of.expr).is_some() => {
                    if let Some(n) = self.array(&of.expr) {
                        self.note(n, &of.index, e);
                    }
                }
                Expr::MethodCall(call) if self.array(&call.receiver).is_some() => {
                    let n = self.array(&call.receiver).unwrap_or_default();
                    match (call.method.to_string().as_str(), call.args.len()) {
                        ("get" | "get_mut", 1) => self.note(n, &call.args[0], e),
                        ("swap", 2) => call.args.iter().for_each(|arg| self.note(n, arg, e)),
                        ("len" | "is_empty", 0) => {}
                        _ => self.failed = Some(whole(e)),
                    }
                }
                Expr::Path(_) | Expr::Field(_) if self.array(e).is_some() => {
                    self.failed = Some(whole(e));
                }
                Expr::Binary(binary)
                    if matches!(binary.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) =>
                {
                    self.visit_expr(&binary.left);
                    self.under(|s| s.visit_expr(&binary.right));
                }
                Expr::If(branch) => {
                    self.visit_expr(&branch.cond);
                    self.under(|s| {
                        s.visit_block(&branch.then_branch);
                        if let Some((_, otherwise)) = &branch.else_branch {
                            s.visit_expr(otherwise);
                        }
                    });
                }
                Expr::Match(of) => {
                    self.visit_expr(&of.expr);
                    self.under(|s| of.arms.iter().for_each(|arm| s.visit_arm(arm)));
                }
                Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {
                    self.under(|s| visit::visit_expr(s, e));
                }
                e => visit::visit_expr(self, e),
            },
            visit::Node::Macro(mac) => {
                if let Some(why) = in_macro(self.arrays, mac) {
                    self.failed = Some(why);
                }
            }
            _ => node.parts(self),
        }
    }
}

fn whole(e: &Expr) -> String {
    format!(
        "`{}` uses more than single elements of what is distinct",
        crate::source::text_of(&e.to_token_stream())
    )
}
