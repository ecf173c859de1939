//! Minima and maxima of bins that hold an `Option`, and nothing until an item comes.
//!
//! ```text
//! for e in edges {                                          let (mut best, mut taken) = ..;
//!     let d = old + e.cost;                                 for e in edges {
//!     if dist[e.to].map_or(true, |c| d < c) {                   let d = old + e.cost;
//!         dist[e.to] = Some(d);                                 if dist[e.to].map_or(true, |c| d < c) {
//!         changed = true;                                           best[e.to] = min(best[e.to], d);
//!     }                                                             taken[e.to] |= true;
//! }                                                                 changed |= true;
//!                                                               }
//!                                                           }
//!                                                           // Then what is taken is put into `dist`.
//! ```
//!
//! Items are compared with what a bin held before the loop: the first one that is taken finds that there, and the best of those that are better is what the loop leaves.
//! Nothing else in the loop mentions the bins, which are of integers, as the runtime's functions ask, and the loop comes to its end.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprForLoop, ExprIf, ExprMatch, Ident, ItemFn, Pat, Stmt, parse_quote,
};

use super::idioms::{same, truth};
use super::kept::{Case, as_block, inside_some, is_rest};
use super::marks;
use super::names::{identifiers, whole};
use super::relaxed::is_flag;
use crate::alias;
use crate::syntax::is_at_hand;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{compared, only_computes, without_parens};

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    marks::replace_loops(function, &mut apart)
}

fn apart(of: &ExprForLoop) -> Option<Expr> {
    let mut ends = Ends(false);
    ends.visit_block(&of.body);
    let mut ifs = Ifs(Vec::new());
    let mut apart = of.clone();
    ifs.visit_block_mut(&mut apart.body);
    let [Found { array, least }] = &ifs.0[..] else {
        return None;
    };
    let (best, taken) = names(array);
    // The condition and the assignment.
    if ends.0 || of.label.is_some() || mentions(array, of) != 2 {
        return None;
    }
    Some(parse_quote!({
        let mut #best = ::accrue::__rt::kept::worst::<#least, _>(&(#array)[::accrue::__rt::ALL]);
        let mut #taken = ::accrue::__rt::kept::untaken(&(#array)[::accrue::__rt::ALL]);
        #apart
        ::accrue::__rt::kept::kept_into(&mut (#array)[::accrue::__rt::ALL], &#best, &#taken);
    }))
}

/// The names of the best items of an array's bins, and of whether there are any.
fn names(array: &Ident) -> (Ident, Ident) {
    let best = alias::stop(&array.to_string());
    let taken = format!("{best}_");
    (
        Ident::new(&best, array.span()),
        Ident::new(&taken, array.span()),
    )
}

fn mentions(name: &Ident, tokens: &impl ToTokens) -> usize {
    let mut words = Vec::new();
    identifiers(tokens.to_token_stream(), &mut words);
    words.iter().filter(|word| *word == name).count()
}

/// Whether a loop may be left before its end.
struct Ends(bool);

impl<'a> Visit<'a> for Ends {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                self.0 |= matches!(
                    e,
                    Expr::Break(_) | Expr::Return(_) | Expr::Try(_) | Expr::Await(_)
                );
                visit::visit_expr(self, e);
            }
            _ => node.parts(self),
        }
    }
}

struct Found {
    array: Ident,
    least: bool,
}

struct Ifs(Vec<Found>);

impl VisitMut for Ifs {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match e {
                Expr::If(of) => {
                    if let Some((found, then)) = taking(of) {
                        of.then_branch = then;
                        self.0.push(found);
                        return;
                    }
                    visit_mut::visit_expr_mut(self, e);
                }
                Expr::Match(of) => {
                    if let Some(mut asking) = asking(of)
                        && let Some((found, then)) = taking(&asking)
                    {
                        asking.then_branch = then;
                        *e = Expr::If(asking);
                        self.0.push(found);
                        return;
                    }
                    visit_mut::visit_expr_mut(self, e);
                }
                // Each is looked at by itself.
                Expr::ForLoop(_) | Expr::Closure(_) | Expr::Async(_) => {}
                _ => visit_mut::visit_expr_mut(self, e),
            },
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// `match dist[k] { Some(c) if c <= d => {} _ => { .. } }` as `if dist[k].is_none_or(|c| c > d) { .. }`: of integers one is the other.
fn asking(of: &ExprMatch) -> Option<ExprIf> {
    let [kept, other] = &Case::all(&of.arms)[..] else {
        return None;
    };
    let name = inside_some(kept.pat)?;
    let Expr::Binary(guard) = without_parens(kept.guard?) else {
        return None;
    };
    let taken: BinOp = match guard.op {
        BinOp::Lt(_) => parse_quote!(>=),
        BinOp::Le(_) => parse_quote!(>),
        BinOp::Gt(_) => parse_quote!(<=),
        BinOp::Ge(_) => parse_quote!(<),
        _ => return None,
    };
    let leaves = as_block(kept.body).stmts.is_empty();
    if !(leaves && is_rest(other.pat) && other.guard.is_none()) {
        return None;
    }
    let (place, body) = (&of.expr, as_block(other.body));
    let asked = compared(&guard.left, &taken, &guard.right);
    Some(parse_quote!(if #place.is_none_or(|#name| #asked) #body))
}

/// `if dist[k].map_or(true, |c| d < c) { dist[k] = Some(d); changed = true; }`, with what is done instead of that.
fn taking(of: &ExprIf) -> Option<(Found, Block)> {
    let [Stmt::Expr(Expr::Assign(assigned), _), flags @ ..] = &of.then_branch.stmts[..] else {
        return None;
    };
    let Expr::Call(some) = without_parens(&assigned.right) else {
        return None;
    };
    let is_some =
        matches!(without_parens(&some.func), Expr::Path(path) if path.path.is_ident("Some"));
    let value = some
        .args
        .first()
        .filter(|_| is_some && some.args.len() == 1)?;
    let (place, item, least) = asked(&of.cond)?;
    let Expr::Index(index) = place else {
        return None;
    };
    let Expr::Path(array) = without_parens(&index.expr) else {
        return None;
    };
    let (array, at) = (array.path.get_ident()?, &index.index);
    let pure = only_computes(place) && is_at_hand(item);
    let alike = same(place, &assigned.left) && same(item, value);
    let flags_alone = flags.iter().all(is_flag) && of.else_branch.is_none();
    if !(pure && alike && flags_alone) {
        return None;
    }
    let (best, taken) = names(array);
    let name: Ident = match least {
        true => parse_quote!(min),
        false => parse_quote!(max),
    };
    // By a name, which is the same wherever it stands.
    let bin = alias::consumed(some.span()).0;
    let then = parse_quote!({
        let #bin: ::core::primitive::usize = #at;
        #best[#bin] = ::core::cmp::#name(#best[#bin], #item);
        #taken[#bin] |= true;
        #(#flags)*
    });
    let array = array.clone();
    Some((Found { array, least }, then))
}

/// What a condition compares with what is kept in a place, where it holds as long as that is nothing: the place, the item, and whether the lesser is taken.
fn asked(cond: &Expr) -> Option<(&Expr, &Expr, bool)> {
    let Expr::MethodCall(call) = without_parens(cond) else {
        return None;
    };
    let closure = match (call.method.to_string().as_str(), call.args.len()) {
        ("is_none_or", 1) => &call.args[0],
        ("map_or", 2) if truth(&call.args[0]) == Some(true) => &call.args[1],
        _ => return None,
    };
    let Expr::Closure(closure) = without_parens(closure) else {
        return None;
    };
    let Some(Pat::Ident(_)) = closure.inputs.first().filter(|_| closure.inputs.len() == 1) else {
        return None;
    };
    let name = whole(&closure.inputs[0])?;
    let Expr::Binary(compared) = without_parens(&closure.body) else {
        return None;
    };
    let less = match compared.op {
        BinOp::Lt(_) | BinOp::Le(_) => true,
        BinOp::Gt(_) | BinOp::Ge(_) => false,
        _ => return None,
    };
    let (left, right) = (
        without_parens(&compared.left),
        without_parens(&compared.right),
    );
    let is_kept = |e: &Expr| matches!(e, Expr::Path(path) if path.path.is_ident(name));
    let (item, less) = match (is_kept(left), is_kept(right)) {
        (false, true) => (left, less),
        (true, false) => (right, !less),
        _ => return None,
    };
    let place = without_parens(&call.receiver);
    (mentions(name, item) == 0).then_some((place, item, less))
}
