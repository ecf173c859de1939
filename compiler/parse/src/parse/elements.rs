//! Inner loops that go through an array from outside the loop around them by reference: they go through it by number instead.
//!
//! | written, inside another loop | stands for |
//! | --- | --- |
//! | `for (s, v) in sums.iter_mut().zip(row) { *s += v; }` | `for (n, v) in (0..sums.len()).zip(row) { sums[n] += v; }` |
//! | `for s in &mut sums[c] { s.count += 1; }` | `for n in 0..sums[c].len() { sums[c][n].count += 1; }` |
//!
//! Bins are known by their indices, so that this is for loops that are refused as they are written. The name is to be used for nothing but the
//! element's value and its fields, and what the array is indexed by must not change in the inner loop.

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Block, Expr, Ident, ItemFn, Pat, UnOp, parse_quote};

use super::names::{identifiers, root_of};
use super::sites::is_assignment;
use crate::alias;
use crate::ir::Op;
use crate::parsed::fields::Bound;
use crate::syntax::is_at_hand;
use crate::syntax::without_parens;

/// Rewrites them in a function. Says whether there were any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut loops = Loops::default();
    loops.visit_block_mut(&mut function.block);
    loops.changed
}

#[derive(Default)]
struct Loops {
    /// The names that are bound in the outermost loop around.
    bound: Option<Vec<String>>,
    changed: bool,
}

impl VisitMut for Loops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                let Some(bound) = &self.bound else {
                    let mut bound = Vec::new();
                    Bound(&mut |name| bound.push(name.clone())).visit_expr_for_loop(of);
                    self.bound = Some(bound);
                    visit_mut::visit_expr_for_loop_mut(self, of);
                    self.bound = None;
                    return;
                };
                let mut form = of.clone();
                let mut elements = Vec::new();
                number(&mut form.expr, &mut form.pat, bound, &mut elements);
                let stay = elements.iter().all(|element| element.stays(&of.body));
                let put = |element: Element| element.put(&mut form.body);
                if !elements.is_empty() && stay && elements.into_iter().try_for_each(put).is_some()
                {
                    *of = form;
                    self.changed = true;
                }
                visit_mut::visit_expr_for_loop_mut(self, of);
            }
            visit_mut::Node::Item(_) => {}
            visit_mut::Node::ExprClosure(_) => {}
            _ => node.parts(self),
        }
    }
}

/// An element that an iteration has by its number.
struct Element {
    /// The name that the user has for it.
    name: Ident,
    number: Ident,
    array: Expr,
}

/// Puts the numbers of elements in the place of the elements that an iteration hands out.
fn number(expr: &mut Expr, pat: &mut Pat, bound: &[String], elements: &mut Vec<Element>) {
    match expr {
        Expr::Paren(of) => number(&mut of.expr, pat, bound, elements),
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            match (name.as_str(), &mut *pat) {
                ("iter_mut", _) => {}
                ("zip", Pat::Tuple(of)) if of.elems.len() == 2 && call.args.len() == 1 => {
                    number(&mut call.receiver, &mut of.elems[0], bound, elements);
                    return number(&mut call.args[0], &mut of.elems[1], bound, elements);
                }
                ("enumerate", Pat::Tuple(of)) if of.elems.len() == 2 => {
                    return number(&mut call.receiver, &mut of.elems[1], bound, elements);
                }
                ("rev" | "skip" | "take" | "step_by", pat) => {
                    return number(&mut call.receiver, pat, bound, elements);
                }
                _ => return,
            }
        }
        _ => {}
    }
    let mut array = match &*expr {
        Expr::MethodCall(call) => &*call.receiver,
        Expr::Reference(of) if of.mutability.is_some() => &*of.expr,
        _ => return,
    };
    // What is indexed is looked for behind references.
    while let Expr::Unary(of) = without_parens(array)
        && matches!(of.op, UnOp::Deref(_))
    {
        array = &of.expr;
    }
    let Pat::Ident(name) = &mut *pat else { return };
    let plain = name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none();
    let outside = root_of(array).is_some_and(|root| bound.iter().all(|of| root != of));
    if !plain || !outside || !is_array(array) {
        return;
    }
    let (array, own) = (without_parens(array).clone(), name.ident.clone());
    name.ident = alias::index(&own.to_string(), elements.len(), own.span());
    elements.push(Element {
        number: name.ident.clone(),
        name: own,
        array: array.clone(),
    });
    *expr = parse_quote!((0..#array.len()));
}

/// Whether an expression is a place that stays the same while what it is indexed by does.
fn is_array(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(of) => is_array(&of.base),
        Expr::Index(of) => is_array(&of.expr) && is_number(&of.index),
        _ => false,
    }
}

/// Whether an index is a number at hand, or an element by one: `sums[nearest[i]]`.
fn is_number(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Index(of) => is_array(&of.expr) && is_number(&of.index),
        Expr::Cast(of) => is_number(&of.expr),
        e => is_at_hand(e),
    }
}

impl Element {
    /// Whether nothing in a body changes what the array or its indices are, or has another meaning for their names.
    fn stays(&self, body: &Block) -> bool {
        let mut words = Vec::new();
        identifiers(self.array.to_token_stream(), &mut words);
        let mut changes = Changes {
            words: &words,
            found: false,
        };
        changes.visit_block(body);
        let mut bound = false;
        Bound(&mut |name| bound |= self.name == name || words.iter().any(|word| word == name))
            .visit_block(body);
        !changes.found && !bound
    }

    /// Indexes the array wherever a body has the element; `None` where it has more than its value or fields.
    fn put(self, body: &mut Block) -> Option<()> {
        let mut writer = Writer(&self);
        writer.visit_block_mut(body);
        let mut left = Vec::new();
        identifiers(body.to_token_stream(), &mut left);
        (!left.contains(&self.name)).then_some(())
    }

    fn is(&self, e: &Expr) -> bool {
        matches!(without_parens(e), Expr::Path(path) if path.path.is_ident(&self.name))
    }
}

/// Whether something assigns what one of some words stands for.
struct Changes<'a> {
    words: &'a [Ident],
    found: bool,
}

impl<'a> Visit<'a> for Changes<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                let left = match e {
                    Expr::Assign(of) => Some(&*of.left),
                    Expr::Binary(of) if is_assignment(e) => Some(&*of.left),
                    Expr::Reference(of) if of.mutability.is_some() => Some(&*of.expr),
                    _ => None,
                };
                self.found |= left.is_some_and(|left| match root_of(left) {
                    Some(root) => self.words.iter().any(|word| word == root),
                    // A pattern, or what a call gives.
                    None => true,
                });
                visit::visit_expr(self, e);
            }
            _ => node.parts(self),
        }
    }
}

struct Writer<'a>(&'a Element);

impl VisitMut for Writer<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                let Element { number, array, .. } = self.0;
                let at = e.span();
                let place = || -> Expr { syn::parse_quote_spanned!(at=> #array[#number]) };
                match e {
                    Expr::Unary(of) if matches!(of.op, UnOp::Deref(_)) && self.0.is(&of.expr) => {
                        *e = place();
                    }
                    Expr::Field(of) if self.0.is(&of.base) => *of.base = place(),
                    // Of a number by reference: what has it by value.
                    Expr::MethodCall(of)
                        if self.0.is(&of.receiver)
                            && Op::of_method(&of.method.to_string()).is_some() =>
                    {
                        *of.receiver = place();
                        of.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
                    }
                    _ => visit_mut::visit_expr_mut(self, e),
                }
            }
            _ => node.parts(self),
        }
    }
}
