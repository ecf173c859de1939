//! Loops that change an array in place and read of it what later iterations change: they may read a copy of it.
//!
//! ```text
//! for i in 0..=step {                      if apart(0, step + 1, ..) {
//!     v[i] = p * v[i + 1] + q * v[i];          let before = copied(&v, step + 2);
//! }                                            for i in 0..=step { v[i] = p * before[i + 1] + q * v[i]; }
//!                                          } else { .. }
//! ```
//!
//! Every write of the array is at the loop's number. What is read is the iteration's own element, or one as many numbers further on, in the direction of the
//! loop, as do not change: no iteration before has written it, nor has this one, so that it holds what it held before the loop. Each call asks whether
//! the distances are at least 1 and no index wraps around. The array is mentioned in no other way but for its length. One such element is read as a value, so that elements
//! are `Copy`, and the copies are what is there.
//!
//! Reads behind are not taken: what they read is made by the loop.

use quote::{ToTokens, quote};
use syn::{
    BinOp, Block, Expr, ExprCast as Cast, ExprForLoop, ExprUnary as Unary, Ident, ItemFn, Lit, Pat,
    Stmt, UnOp, parse_quote,
};

use super::compact::{Bound, element, last_name, takes_values};
use super::idioms::same;
use super::marks;
use super::names::{Called, FreeNames, Key, free_names_of_body, identifiers, key_of, root_of};
use super::prefix::is_repeatable;
use super::sites::is_compound;
use crate::alias;
use crate::syntax::is_at_hand;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    marks::replace_loops(function, &mut from_a_copy)
}

fn from_a_copy(of: &ExprForLoop) -> Option<Expr> {
    let Pat::Ident(number) = &*of.pat else {
        return None;
    };
    if number.mutability.is_some() || number.by_ref.is_some() || number.subpat.is_some() {
        return None;
    }
    let header = Header::of(&of.expr)?;
    let number = &number.ident;
    let mut written = Written {
        number,
        arrays: Vec::new(),
    };
    written.visit_block(&of.body);
    let mut words = Vec::new();
    identifiers(of.body.to_token_stream(), &mut words);
    let mut bound = Vec::new();
    Bound(&mut bound).visit_block(&of.body);
    let free = free_names_of_body(&of.pat, &of.body);
    let mut steps: Vec<Expr> = Vec::new();
    let mut copies: Vec<(Expr, Ident)> = Vec::new();
    for array in written.arrays {
        let mut uses = Uses {
            array: &array,
            number,
            down: header.down,
            own: 0,
            lengths: 0,
            ahead: Vec::new(),
            by_value: false,
        };
        uses.visit_block(&of.body);
        let name = last_name(&array)?;
        let mentions = words.iter().filter(|word| *word == name).count();
        let all = uses.own + uses.lengths + uses.ahead.len();
        let steady = |step: &Expr| {
            let at_hand = is_at_hand(step) || same(step, &header.first);
            at_hand && is_steady(step, &bound, &free)
        };
        if uses.by_value && mentions == all && uses.ahead.iter().all(steady) {
            steps.extend(uses.ahead);
            copies.push((
                array.clone(),
                Ident::new(&alias::stop(&name.to_string()), name.span()),
            ));
        }
    }
    let hidden = bound.contains(number) || {
        let roots = copies.iter().filter_map(|(array, _)| root_of(array));
        roots.into_iter().any(|root| bound.contains(root))
    };
    if copies.is_empty() || hidden {
        return None;
    }
    let mut apart = of.clone();
    let mut before = Before {
        copies: &copies,
        number,
        down: header.down,
    };
    before.visit_block_mut(&mut apart.body);
    let mut distinct: Vec<Expr> = Vec::new();
    for step in steps {
        if !distinct.iter().any(|of| same(of, &step)) {
            distinct.push(step);
        }
    }
    let (first, last) = (&header.first, &header.last);
    let end = match header.closed {
        true => quote!(::accrue::__rt::ahead::behind(#last)),
        false => quote!(#last),
    };
    let (arrays, names): (Vec<&Expr>, Vec<&Ident>) = copies.iter().map(|(a, n)| (a, n)).unzip();
    let all = quote!([::accrue::__rt::ALL]);
    let steps = quote!(&[#(::accrue::__rt::ahead::step(#distinct)),*]);
    let why =
        "where its iterations are few beside the array, or what one reads may not be ahead of it";
    let mut written = of.clone();
    written.attrs.push(parse_quote!(#[sequential = #why]));
    Some(parse_quote! {
        if ::accrue::__rt::ahead::apart(#first, #end, #steps, &[#(#arrays.len()),*]) {
            #(let #names = ::accrue::__rt::ahead::copied(&(#arrays) #all, #end, #steps);)*
            #apart
        } else {
            #written
        }
    })
}

/// A range of numbers, up or down.
struct Header {
    first: Expr,
    last: Expr,
    closed: bool,
    down: bool,
}

impl Header {
    fn of(e: &Expr) -> Option<Header> {
        match without_parens(e) {
            Expr::Range(range) => {
                let (first, last) = (range.start.as_deref()?, range.end.as_deref()?);
                let repeats = |e: &Expr| match without_parens(e) {
                    Expr::Index(of) => is_repeatable(&of.expr) && is_repeatable(&of.index),
                    e => is_repeatable(e),
                };
                (repeats(first) && repeats(last)).then(|| Header {
                    first: without_parens(first).clone(),
                    last: last.clone(),
                    closed: matches!(range.limits, syn::RangeLimits::Closed(_)),
                    down: false,
                })
            }
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let up = Header::of(&call.receiver).filter(|header| !header.down)?;
                Some(Header { down: true, ..up })
            }
            _ => None,
        }
    }
}

/// How far ahead of the loop's number an index is, `i + k` on the way up and `i - k` on the way down.
fn ahead<'a>(index: &'a Expr, number: &Ident, down: bool) -> Option<&'a Expr> {
    let is_number =
        |e: &Expr| matches!(without_parens(e), Expr::Path(path) if path.path.is_ident(number));
    let Expr::Binary(of) = without_parens(index) else {
        return None;
    };
    let step = match (&of.op, down) {
        (BinOp::Add(_), false) if is_number(&of.left) => &of.right,
        (BinOp::Add(_), false) if is_number(&of.right) => &of.left,
        (BinOp::Sub(_), true) if is_number(&of.left) => &of.right,
        _ => return None,
    };
    Some(without_parens(step))
}

/// Whether an expression is the same in each iteration.
fn is_steady(step: &Expr, bound: &[Ident], free: &FreeNames<'_>) -> bool {
    let mut names = Vec::new();
    identifiers(step.to_token_stream(), &mut names);
    let mut place = without_parens(step);
    while let Expr::Cast(Cast { expr, .. }) | Expr::Unary(Unary { expr, .. }) = place {
        place = without_parens(expr);
    }
    let place = key_of(place).map(|(key, _)| key);
    let changes = |name: &Ident| {
        let is_it = |root: &Ident, key: &Key| match &place {
            Some(place) => key.overlaps(place),
            None => root == name,
        };
        let assigned = free.assignments.iter().any(|of| is_it(of.root, &of.key));
        let lent = free.lent_mut.iter().any(|of| is_it(of.ident, &of.key));
        let called = free.calls.iter().any(|call| match call {
            Called::Method(receiver, method, _) => {
                *method != "len"
                    && crate::ir::Method::named(&method.to_string()).is_none()
                    && root_of(receiver).is_some_and(|root| root == name)
            }
            _ => false,
        });
        assigned || lent || called || free.borrowed_mut.contains(&name)
    };
    let hidden = |name: &Ident| bound.contains(name);
    !names.iter().any(|name| hidden(name) || changes(name))
}

/// The arrays that are written at the loop's number.
struct Written<'a> {
    number: &'a Ident,
    arrays: Vec<Expr>,
}

impl<'a> Visit<'a> for Written<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                let left = match e {
                    Expr::Assign(of) => Some(&of.left),
                    Expr::Binary(of) if is_compound(&of.op) => Some(&of.left),
                    _ => None,
                };
                if let Some((array, at)) = left.and_then(|left| element(left))
                    && at == *self.number
                    && !self.arrays.iter().any(|of| same(of, &array))
                {
                    self.arrays.push(array);
                }
                visit::visit_expr(self, e);
            }
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// How a body uses an array.
struct Uses<'a> {
    array: &'a Expr,
    number: &'a Ident,
    down: bool,
    /// How often the element at the loop's number.
    own: usize,
    lengths: usize,
    /// How far ahead what else it reads is.
    ahead: Vec<Expr>,
    /// Whether it reads such an element as a value.
    by_value: bool,
}

impl Uses<'_> {
    /// An expression that is read and no more.
    fn read(&mut self, e: &Expr, by_value: bool) {
        if let Expr::Index(of) = without_parens(e)
            && same(without_parens(&of.expr), self.array)
            && let Some(step) = ahead(&of.index, self.number, self.down)
            && !is_zero(step)
        {
            self.ahead.push(step.clone());
            self.by_value |= by_value;
            return;
        }
        self.visit_expr(e);
    }

    /// What the last expression of a block is read for.
    fn block(&mut self, block: &Block) {
        let Some((last, stmts)) = block.stmts.split_last() else {
            return;
        };
        stmts.iter().for_each(|stmt| self.visit_stmt(stmt));
        match last {
            Stmt::Expr(value, None) => self.read(value, true),
            other => self.visit_stmt(other),
        }
    }
}

fn is_zero(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Lit(syn::ExprLit { lit: Lit::Int(of), .. }) if of.base10_digits() == "0"
    )
}

impl<'a> Visit<'a> for Uses<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Block(block) => self.block(block),
            visit::Node::Local(local) => {
                let pat = match &local.pat {
                    Pat::Type(typed) => &*typed.pat,
                    pat => pat,
                };
                let name = matches!(pat, Pat::Ident(of) if of.by_ref.is_none());
                match &local.init {
                    Some(init) if name && init.diverge.is_none() => self.read(&init.expr, true),
                    _ => visit::visit_local(self, local),
                }
            }
            visit::Node::Expr(e) => match e {
                Expr::Assign(of) => {
                    self.read(&of.right, true);
                    self.visit_expr(&of.left);
                }
                Expr::Binary(of) if is_compound(&of.op) => {
                    self.read(&of.right, true);
                    self.visit_expr(&of.left);
                }
                Expr::Binary(of) => {
                    let lazy = matches!(of.op, BinOp::And(_) | BinOp::Or(_));
                    let by_value = lazy || takes_values(&of.op);
                    self.read(&of.left, by_value);
                    self.read(&of.right, by_value);
                }
                Expr::Unary(of) => match of.op {
                    UnOp::Deref(_) => self.visit_expr(&of.expr),
                    _ => self.read(&of.expr, true),
                },
                Expr::Cast(of) => self.read(&of.expr, true),
                Expr::Call(of) => {
                    self.visit_expr(&of.func);
                    of.args.iter().for_each(|arg| self.read(arg, true));
                }
                Expr::Tuple(of) => of.elems.iter().for_each(|part| self.read(part, true)),
                Expr::If(of) => {
                    self.read(&of.cond, true);
                    self.block(&of.then_branch);
                    if let Some((_, otherwise)) = &of.else_branch {
                        self.visit_expr(otherwise);
                    }
                }
                Expr::MethodCall(of) => {
                    let name = of.method.to_string();
                    if name == "len" && same(without_parens(&of.receiver), self.array) {
                        self.lengths += 1;
                    } else if crate::ir::Method::named(&name).is_some() {
                        self.read(&of.receiver, false);
                    } else {
                        self.visit_expr(&of.receiver);
                    }
                    of.args.iter().for_each(|arg| self.read(arg, true));
                }
                Expr::Index(of) => {
                    let own = element(e)
                        .is_some_and(|(array, at)| same(&array, self.array) && at == *self.number);
                    match own {
                        true => self.own += 1,
                        false => {
                            self.visit_expr(&of.expr);
                            self.read(&of.index, true);
                        }
                    }
                }
                // What runs at another time.
                Expr::Closure(_) | Expr::Async(_) => {}
                e => visit::visit_expr(self, e),
            },
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Reads elements ahead as they were before the loop.
struct Before<'a> {
    copies: &'a [(Expr, Ident)],
    number: &'a Ident,
    down: bool,
}

impl VisitMut for Before<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                visit_mut::visit_expr_mut(self, e);
                if let Expr::Index(of) = e
                    && ahead(&of.index, self.number, self.down).is_some()
                {
                    let array = without_parens(&of.expr);
                    let known = self.copies.iter().find(|(copied, _)| same(copied, array));
                    if let Some((_, before)) = known {
                        *of.expr = parse_quote!(#before);
                    }
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
