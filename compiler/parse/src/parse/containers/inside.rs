//! Indices that are in range in every iteration if a few numbers are what they should be, which the call asks once, before the loop.
//!
//! `for y in 1..h - 1 { .. a[[y - 1, x]] .. }` is in range where `0 <= 1 - 1` and `h - 1 - 1 - 1 < a.nrows()`. So the loop needs no checks of its own: on
//! the CPU it can be vectorized, and kernels read as if they had slices. Where the numbers are others the loop runs as it is written, with the panic at
//! the iteration that has one. That is asked of indices that every iteration comes to; those behind conditions are checked where they stand.

use crate::sorted::SortedSet;

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, ExprCall, ExprForLoop, Ident, Lit, Pat, RangeLimits};

use crate::parse::names;
use crate::parsed::containers::Conditions;
use crate::syntax::without_parens;

/// Has a loop's indices checked before it, as far as every iteration comes to them.
pub(super) fn relax(of: &mut ExprForLoop, conditions: &mut Conditions) {
    let mut survey = Survey::default();
    survey.visit_expr_for_loop(of);
    if survey.leaves {
        return;
    }
    let whole = Expr::ForLoop(of.clone());
    let free = names::free_names(&whole);
    let assigned = free.assignments.iter().map(|a| a.root);
    let lent = free.borrowed_mut.iter().copied();
    let changing = assigned.chain(lent).map(Ident::to_string).collect();
    let mut relaxer = Relaxer {
        survey,
        changing,
        loops: Vec::new(),
        conditional: false,
        conditions,
    };
    relaxer.visit_expr_for_loop_mut(of);
}

/// The names that a loop binds, and whether an iteration may be left before its end.
#[derive(Default)]
struct Survey {
    /// Those that are positions of ranges, wherever they are bound.
    positions: SortedSet<String>,
    others: SortedSet<String>,
    leaves: bool,
}

impl<'a> Visit<'a> for Survey {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::ExprForLoop(of) => {
                match (&*of.pat, Range::of(&of.expr)) {
                    (Pat::Ident(name), Some(_)) if is_plain(name) => {
                        self.positions.insert(name.ident.to_string());
                    }
                    (pat, _) => self.visit_pat(pat),
                }
                self.visit_expr(&of.expr);
                self.visit_block(&of.body);
            }
            visit::Node::PatIdent(name) => {
                self.others.insert(name.ident.to_string());
                visit::visit_pat_ident(self, name);
            }
            visit::Node::Expr(e) => {
                self.leaves |= matches!(
                    e,
                    Expr::Continue(_) | Expr::Break(_) | Expr::Return(_) | Expr::Try(_)
                );
                visit::visit_expr(self, e);
            }
            _ => node.parts(self),
        }
    }
}

fn is_plain(name: &syn::PatIdent) -> bool {
    name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none()
}

/// `start..end`, also `(start..=end).rev()`.
#[derive(Clone)]
struct Range {
    start: Expr,
    end: Expr,
    closed: bool,
}

impl Range {
    fn of(e: &Expr) -> Option<Range> {
        match without_parens(e) {
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                Range::of(&call.receiver)
            }
            Expr::Range(range) => Some(Range {
                start: (**range.start.as_ref()?).clone(),
                end: (**range.end.as_ref()?).clone(),
                closed: matches!(range.limits, RangeLimits::Closed(_)),
            }),
            _ => None,
        }
    }
}

/// The least and the greatest value of an expression, as expressions of type `i128`.
struct Interval {
    least: TokenStream,
    greatest: TokenStream,
    /// What must not be negative, since it would have wrapped around.
    natural: Vec<TokenStream>,
}

struct Relaxer<'a> {
    survey: Survey,
    /// Names from outside that the loop assigns or lends.
    changing: SortedSet<String>,
    /// The loops over ranges around, by their positions.
    loops: Vec<(String, Range)>,
    conditional: bool,
    conditions: &'a mut Conditions,
}

impl Relaxer<'_> {
    fn behind_a_condition(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.conditional, true);
        visit(self);
        self.conditional = before;
    }

    /// The values that a sum of positions, numbers and names from outside takes.
    fn interval(&self, e: &Expr, among: usize) -> Option<Interval> {
        match without_parens(e) {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(n) => {
                    let n = n.base10_parse::<u64>().ok()?;
                    let n = proc_macro2::Literal::i128_suffixed(n.into());
                    Some(Interval {
                        least: quote!(#n),
                        greatest: quote!(#n),
                        natural: Vec::new(),
                    })
                }
                _ => None,
            },
            Expr::Path(path) if path.qself.is_none() => {
                let name = path.path.get_ident()?;
                let word = name.to_string();
                let around = self.loops[..among].iter().rposition(|(of, _)| *of == word);
                if let Some(at) = around.filter(|_| !self.survey.others.contains(&word)) {
                    let range = &self.loops[at].1;
                    let start = self.interval(&range.start, at)?;
                    let end = self.interval(&range.end, at)?;
                    let (least, natural_end) = (start.least, &end.least);
                    let natural = [least.clone(), natural_end.clone()];
                    let natural = natural.into_iter().chain(start.natural).chain(end.natural);
                    let greatest = end.greatest;
                    return Some(Interval {
                        natural: natural.collect(),
                        greatest: match range.closed {
                            true => greatest,
                            false => quote!((#greatest - 1)),
                        },
                        least,
                    });
                }
                let bound = self.survey.positions.contains(&word)
                    || self.survey.others.contains(&word)
                    || self.changing.contains(&word);
                (!bound).then(|| Interval {
                    least: quote!(::accrue::__rt::cpu::number(&#name)),
                    greatest: quote!(::accrue::__rt::cpu::number(&#name)),
                    natural: Vec::new(),
                })
            }
            // A position is no float, and what is added to one is none.
            Expr::Cast(cast)
                if matches!(&*cast.ty, syn::Type::Path(path) if path.path.is_ident("usize"))
                    && self.mentions_position(&cast.expr) =>
            {
                let mut of = self.interval(&cast.expr, among)?;
                of.natural.push(of.least.clone());
                Some(of)
            }
            Expr::Binary(binary) => {
                let mut a = self.interval(&binary.left, among)?;
                let b = self.interval(&binary.right, among)?;
                a.natural.extend(b.natural);
                let (a_least, a_greatest) = (&a.least, &a.greatest);
                let (b_least, b_greatest) = (&b.least, &b.greatest);
                let (least, greatest) = match binary.op {
                    BinOp::Add(_) => (
                        quote!((#a_least + #b_least)),
                        quote!((#a_greatest + #b_greatest)),
                    ),
                    BinOp::Sub(_) => (
                        quote!((#a_least - #b_greatest)),
                        quote!((#a_greatest - #b_least)),
                    ),
                    // By a number, which is not negative.
                    BinOp::Mul(_) if is_number(&binary.left) || is_number(&binary.right) => (
                        quote!((#a_least * #b_least)),
                        quote!((#a_greatest * #b_greatest)),
                    ),
                    _ => return None,
                };
                Some(Interval {
                    least,
                    greatest,
                    natural: a.natural,
                })
            }
            _ => None,
        }
    }

    fn mentions_position(&self, e: &Expr) -> bool {
        let mut words = Vec::new();
        names::identifiers(e.to_token_stream(), &mut words);
        let is = |word: &Ident| self.loops.iter().any(|(position, _)| word == position);
        words.iter().any(is)
    }

    /// What has to hold for indices to be in range.
    fn condition(&self, call: &ExprCall, rank: usize) -> Option<TokenStream> {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let (indices, lengths) = arguments.split_at_checked(rank)?;
        let is_pixel = called(call)? == "pixel";
        let mut all: Vec<TokenStream> = Vec::new();
        for (n, index) in indices.iter().enumerate() {
            // Columns come first in pictures.
            let length = match is_pixel {
                true => lengths.get(1 - n)?,
                false => lengths.get(n)?,
            };
            let Interval {
                least,
                greatest,
                natural,
            } = self.interval(index, self.loops.len())?;
            let natural = natural.iter().filter(|n| n.to_string() != "0i128");
            all.extend(natural.map(|n| quote!(#n >= 0)));
            all.push(quote!(#least >= 0));
            all.push(quote!(#greatest < ::accrue::__rt::cpu::number(&#length)));
        }
        let mut seen = SortedSet::new();
        all.retain(|condition| seen.insert(condition.to_string()));
        Some(quote!(#(#all)&&*))
    }
}

/// The last name of the path of one of our functions that is called.
fn called(call: &ExprCall) -> Option<String> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let segments = &path.path.segments;
    let ours = path.path.leading_colon.is_some() && segments.iter().any(|s| s.ident == "__rt");
    ours.then(|| segments.last().map(|s| s.ident.to_string()))?
}

fn is_number(e: &Expr) -> bool {
    matches!(without_parens(e), Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_)))
}

impl VisitMut for Relaxer<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                self.visit_expr_mut(&mut of.expr);
                let range = match &*of.pat {
                    Pat::Ident(name) if is_plain(name) => {
                        Range::of(&of.expr).map(|range| (name.ident.to_string(), range))
                    }
                    _ => None,
                };
                let known = range.is_some();
                self.loops.extend(range);
                self.visit_block_mut(&mut of.body);
                if known {
                    self.loops.pop();
                }
            }
            visit_mut::Node::ExprCall(call) => {
                visit_mut::visit_expr_call_mut(self, call);
                let (rank, unchecked) = match called(call).as_deref() {
                    Some("at1") => (1, "in1"),
                    Some("at2") => (2, "in2"),
                    Some("at3") => (3, "in3"),
                    Some("pixel") => (2, "pixel_in"),
                    _ => return,
                };
                if self.conditional {
                    return;
                }
                if let Some(condition) = self.condition(call, rank)
                    && let Expr::Path(path) = &mut *call.func
                    && let Some(last) = path.path.segments.last_mut()
                {
                    last.ident = Ident::new(unchecked, last.ident.span());
                    let text = call.to_token_stream().to_string();
                    let before = self.conditions.get(&text);
                    let both = before.map(|before| quote!(#before && #condition));
                    self.conditions.insert(text, both.unwrap_or(condition));
                }
            }
            visit_mut::Node::Expr(e) => match e {
                Expr::If(e) => {
                    self.visit_expr_mut(&mut e.cond);
                    self.behind_a_condition(|s| {
                        s.visit_block_mut(&mut e.then_branch);
                        if let Some((_, otherwise)) = &mut e.else_branch {
                            s.visit_expr_mut(otherwise);
                        }
                    });
                }
                Expr::Match(e) => {
                    self.visit_expr_mut(&mut e.expr);
                    self.behind_a_condition(|s| {
                        e.arms.iter_mut().for_each(|arm| s.visit_arm_mut(arm))
                    });
                }
                Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                    self.visit_expr_mut(&mut binary.left);
                    self.behind_a_condition(|s| s.visit_expr_mut(&mut binary.right));
                }
                Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) | Expr::Async(_) => {
                    self.behind_a_condition(|s| visit_mut::visit_expr_mut(s, e));
                }
                _ => visit_mut::visit_expr_mut(self, e),
            },
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
