//! Elements that keep the best of what comes to them, with what belongs to it beside them, `if z < depth[p] { depth[p] = z; color[p] = rgb; }`: what is
//! better than what an element held before the loop is collected, and compared behind it, in the order of the iterations.
//!
//! ```text
//! for f in frags {                            let mut later = Vec::new();
//!     let p = f.y * w + f.x;                  for f in frags {
//!     if f.z < depth[p] {                         let p = f.y * w + f.x;
//!         depth[p] = f.z;                         if f.z < depth[p] {
//!         color[p] = f.rgb;                           let at = (p,);
//!     }                                               let _ = &color[at.0];
//! }                                                   later.push((at, (f.z, f.rgb)));
//!                                                 }
//!                                             }
//!                                             for (at, new) in later {
//!                                                 if new.0 < depth[at.0] { depth[at.0] = new.0; color[at.0] = new.1; }
//!                                             }
//! ```
//!
//! An element only gets better, so that what is not better than it was before the loop never is; of keys that may compare in any way all are collected. What is assigned is read for items that the
//! loop passes by, and may therefore be nothing that can panic. All arrays have the same index: where one of them has no such element, the first item that comes to it panics in order, too.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::{
    BinOp, Expr, ExprBinary, ExprForLoop, ExprIf, ExprMethodCall, ItemFn, Member, Stmt, UnOp,
    parse_quote,
};

use super::exits;
use super::idioms::same;
use super::later::{is_part, is_place, mentions};
use super::names::{bound_names, root_of};
use super::sites;
use super::unmarked;
use crate::alias;
use crate::ir::Method;
use crate::parsed::fields::Bound;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut found = 0;
    unmarked::loops(function, true, &mut |of| settled(of, &mut found));
    found > 0
}

/// The loop, and behind it what settles which of its items stay; `found` counts the statements.
fn settled(of: &ExprForLoop, found: &mut usize) -> Option<Stmt> {
    if exits::leaves(&Expr::ForLoop(of.clone())) {
        return None;
    }
    let mut ifs = Ifs(Vec::new());
    ifs.visit_block(&of.body);
    let (mut all, first) = (of.clone(), *found);
    let mut behind: Vec<Stmt> = Vec::new();
    let mut lets: Vec<Stmt> = Vec::new();
    for one in ifs.0 {
        let Some(kept) = Kept::of(one).filter(|kept| kept.are_used_here_alone(of)) else {
            continue;
        };
        lets.extend(kept.counts());
        let names = alias::settled(*found, of.for_token.span);
        let alias::Later { later, at, item } = &names;
        lets.push(parse_quote!(let mut #later = ::accrue::__rt::cpu::later();));
        let mut collects = Collects {
            of: one,
            takes: Some(kept.collected(&names)),
            compared: Some(kept.compared_in_order()),
        };
        collects.visit_block_mut(&mut all.body);
        let settles = kept.settles(&names);
        behind.push(parse_quote! {
            #[sequential = "the best of what comes to an element is the first of equals, or the last"]
            for (#at, #item) in #later { #settles }
        });
        *found += 1;
    }
    (*found > first).then(|| {
        parse_quote!({
            #[allow(unused_imports)]
            use ::accrue::__rt::cpu::{AskInAnyWay as _, AskOrdered as _};
            #(#lets)* #all #(#behind)*
        })
    })
}

/// Conditions that are statements, in no closure.
struct Ifs<'a>(Vec<&'a ExprIf>);

impl<'a> Visit<'a> for Ifs<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(Expr::Closure(_) | Expr::Async(_)) | visit::Node::Item(_) => {}
            visit::Node::Expr(Expr::If(of)) => {
                self.0.push(of);
                visit::visit_expr_if(self, of);
            }
            _ => node.parts(self),
        }
    }
}

/// An element of an array, or a part of one.
#[derive(Clone)]
struct Element<'a> {
    array: &'a Expr,
    /// What comes first, first.
    indices: Vec<&'a Expr>,
    fields: Vec<&'a Member>,
}

impl<'a> Element<'a> {
    fn of(e: &'a Expr) -> Option<Self> {
        let (mut indices, mut fields) = (Vec::new(), Vec::new());
        let mut of = without_parens(e);
        while let Expr::Field(field) = of {
            if is_place(of) {
                break;
            }
            fields.push(&field.member);
            of = without_parens(&field.base);
        }
        while let Expr::Index(index) = of {
            indices.push(without_parens(&index.index));
            of = without_parens(&index.expr);
        }
        indices.reverse();
        fields.reverse();
        (is_place(of) && !indices.is_empty() && indices.iter().all(|index| computes(index)))
            .then_some(Element {
                array: of,
                indices,
                fields,
            })
    }

    fn is_where(&self, other: &Element<'_>) -> bool {
        let pairs = self.indices.iter().zip(&other.indices);
        self.indices.len() == other.indices.len() && pairs.into_iter().all(|(a, b)| same(a, b))
    }

    /// The same element by indices that have a name.
    fn at(&self, at: &Ident) -> Expr {
        let mut of = self.array.clone();
        for n in 0..self.indices.len() {
            let n = syn::Index::from(n);
            of = parse_quote!(#of[#at.#n]);
        }
        let fields = self.fields.iter();
        fields.fold(of, |of, field| parse_quote!(#of.#field))
    }
}

/// A statement that keeps the best in elements.
struct Kept<'a> {
    of: &'a ExprIf,
    /// What a comparison is between, as it is written, and whether the element stands behind the operator.
    compared: &'a ExprBinary,
    part: Element<'a>,
    is_behind: bool,
    /// Which assignment has what is compared, and in which fields of the value.
    nth: usize,
    within: Vec<&'a Member>,
    assigned: Vec<(Element<'a>, &'a Expr)>,
    /// What else is done with each item that is taken: variables that nothing else in the loop mentions are set or counted up.
    also: Vec<(&'a Ident, &'a Stmt)>,
}

impl<'a> Kept<'a> {
    fn of(of: &'a ExprIf) -> Option<Self> {
        let compared = compared(&of.cond).filter(|_| of.else_branch.is_none())?;
        let sides = [
            (without_parens(&compared.left), &*compared.right, true),
            (without_parens(&compared.right), &*compared.left, false),
        ];
        sides.into_iter().find_map(|(key, part, is_behind)| {
            let part = Element::of(part).filter(|_| computes(key))?;
            let more = of.then_branch.stmts.iter().filter_map(also).collect();
            let stmts = of.then_branch.stmts.iter();
            let assigned = stmts
                .filter(|stmt| also(stmt).is_none())
                .map(|stmt| match stmt {
                    Stmt::Expr(Expr::Assign(of), Some(_)) => {
                        let element =
                            Element::of(&of.left).filter(|element| element.is_where(&part))?;
                        let value = without_parens(&of.right);
                        is_known(value, key).then_some((element, value))
                    }
                    _ => None,
                });
            let assigned: Vec<(Element<'a>, &Expr)> = assigned.collect::<Option<_>>()?;
            let mut keys = assigned
                .iter()
                .enumerate()
                .filter_map(|(nth, (element, value))| {
                    let within = part.fields.strip_prefix(&element.fields[..])?;
                    let is_key =
                        same(element.array, part.array) && same(field_of(value, within)?, key);
                    is_key.then(|| (nth, within.to_vec()))
                });
            let (nth, within) = keys.next()?;
            // Each of another array, or of another field.
            let apart = |a: &Element<'_>, b: &Element<'_>| {
                let fields = a.fields.iter().zip(&b.fields);
                !same(a.array, b.array) || fields.into_iter().any(|(a, b)| a != b)
            };
            let all_apart =
                (0..assigned.len()).all(|n| (0..n).all(|m| apart(&assigned[n].0, &assigned[m].0)));
            all_apart.then_some(Kept {
                of,
                compared,
                part,
                is_behind,
                nth,
                within,
                assigned,
                also: more,
            })
        })
    }

    /// The element as it is compared.
    fn place(&self) -> &'a Expr {
        without_parens(match self.is_behind {
            true => &self.compared.right,
            false => &self.compared.left,
        })
    }

    /// What is done with a better item: it is noted, where every array has the element.
    fn collected(&self, names: &alias::Later) -> syn::Block {
        let alias::Later { later, at, .. } = names;
        let (indices, values) = (
            &self.part.indices,
            self.assigned.iter().map(|(_, value)| value),
        );
        let others = self
            .assigned
            .iter()
            .filter(|(element, _)| !same(element.array, self.part.array));
        let looks = others.map(|(element, _)| {
            let whole = Element {
                fields: Vec::new(),
                ..element.clone()
            };
            whole.at(at)
        });
        parse_quote!({
            let #at = (#(#indices,)*);
            #(let _ = &#looks;)*
            #later.push((#at, (#(#values,)*)));
        })
    }

    /// What is asked of an item on the way: what cannot be better any more is passed by. The operator has no second side that is left out.
    fn compared_in_order(&self) -> Expr {
        let (compared, asks) = (self.compared, asks(without_parens(self.key())));
        parse_quote!((#compared) | #asks)
    }

    /// What an item is compared by.
    fn key(&self) -> &'a Expr {
        match self.is_behind {
            true => &self.compared.left,
            false => &self.compared.right,
        }
    }

    /// The statement for an item that was noted.
    fn settles(&self, names: &alias::Later) -> Stmt {
        let alias::Later { at, item, .. } = names;
        let value = |n: usize| -> Expr {
            let n = syn::Index::from(n);
            parse_quote!(#item.#n)
        };
        let (key, part, op) = (value(self.nth), self.part.at(at), &self.compared.op);
        let key = self
            .within
            .iter()
            .fold(key, |of, field| parse_quote!(#of.#field));
        let cond: Expr = match self.is_behind {
            true => parse_quote!(#key #op #part),
            false => parse_quote!(#part #op #key),
        };
        let stores = self.assigned.iter().enumerate().map(|(n, (element, _))| {
            let (element, value) = (element.at(at), value(n));
            quote!(#element = #value;)
        });
        let also = self.also.iter().map(|(_, stmt)| stmt);
        parse_quote!(if #cond { #(#stores)* #(#also)* })
    }

    /// Asks of what is counted up that it does not overflow while there is memory to collect in: behind the loop that would be too late.
    fn counts(&self) -> impl Iterator<Item = Stmt> {
        self.also.iter().filter_map(|(name, stmt)| match stmt {
            Stmt::Expr(Expr::Binary(_), _) => {
                Some(parse_quote!(::accrue::__rt::cpu::counts(&#name);))
            }
            _ => None,
        })
    }

    /// Whether the loop does nothing else with the arrays but ask how long they are.
    fn are_used_here_alone(&self, of: &ExprForLoop) -> bool {
        let mut names: BTreeSet<String> = bound_names(&of.pat)
            .iter()
            .map(ToString::to_string)
            .collect();
        Bound(&mut |name| _ = names.insert(name.clone())).visit_block(&of.body);
        let text = of.to_token_stream();
        if !self
            .also
            .iter()
            .all(|(name, _)| mentions(name, text.clone()) == 1)
        {
            return false;
        }
        let mut arrays = vec![self.part.array];
        arrays.extend(self.assigned.iter().map(|(element, _)| element.array));
        arrays.into_iter().all(|array| {
            root_of(array).is_some_and(|root| {
                let mut uses = Uses {
                    kept: self,
                    array,
                    root,
                    found: names.contains(&root.to_string()),
                };
                uses.visit_expr(&of.expr);
                uses.visit_block(&of.body);
                !uses.found
            })
        })
    }
}

/// A variable to which a number is assigned or added.
fn also(stmt: &Stmt) -> Option<(&Ident, &Stmt)> {
    let Stmt::Expr(e, Some(_)) = stmt else {
        return None;
    };
    let (place, value) = match e {
        Expr::Assign(of) => (&of.left, &of.right),
        Expr::Binary(of) if matches!(of.op, BinOp::AddAssign(_)) => (&of.left, &of.right),
        _ => return None,
    };
    match (&**place, &**value) {
        (Expr::Path(path), Expr::Lit(_)) => Some((path.path.get_ident()?, stmt)),
        _ => None,
    }
}

/// The comparison at the end of a condition.
fn compared(cond: &Expr) -> Option<&ExprBinary> {
    match without_parens(cond) {
        Expr::Binary(of) => match of.op {
            BinOp::And(_) => compared(&of.right),
            BinOp::Lt(_) | BinOp::Gt(_) | BinOp::Le(_) | BinOp::Ge(_) => Some(of),
            _ => None,
        },
        _ => None,
    }
}

/// Asks whether a key's order is its own.
fn asks(key: &Expr) -> ExprMethodCall {
    parse_quote!((&&::accrue::__rt::cpu::Ranked(&(#key))).may_be_better_since())
}

/// The key of which a loop [asks](asks).
pub(super) fn asked(call: &ExprMethodCall) -> Option<&Expr> {
    let Expr::Reference(of) = without_parens(&call.receiver) else {
        return None;
    };
    let Expr::Reference(of) = &*of.expr else {
        return None;
    };
    let Expr::Call(ranked) = &*of.expr else {
        return None;
    };
    let Some(Expr::Reference(key)) = ranked.args.first() else {
        return None;
    };
    let key = without_parens(&key.expr);
    let is_ours = asks(key).to_token_stream().to_string() == call.to_token_stream().to_string();
    is_ours.then_some(key)
}

/// A condition with another comparison at its end.
fn with_compared(cond: &Expr, compared: Expr) -> Expr {
    match without_parens(cond) {
        Expr::Binary(of) if matches!(of.op, BinOp::And(_)) => Expr::Binary(ExprBinary {
            right: Box::new(with_compared(&of.right, compared)),
            ..of.clone()
        }),
        _ => compared,
    }
}

/// Looks for uses of an array beside a statement that keeps the best in its elements.
struct Uses<'u> {
    kept: &'u Kept<'u>,
    array: &'u Expr,
    root: &'u Ident,
    found: bool,
}

impl<'a> Visit<'a> for Uses<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(Expr::If(of)) if std::ptr::eq(of, self.kept.of) => {
                let assigned = self.kept.assigned.iter();
                assigned.for_each(|(_, value)| {
                    self.found |= mentions(self.root, value.to_token_stream()) > 0
                });
                self.visit_expr(&of.cond);
            }
            // The element that is compared: its indices are looked at.
            visit::Node::Expr(e) if std::ptr::eq(without_parens(e), self.kept.place()) => {
                let indices = self.kept.part.indices.iter();
                indices.for_each(|index| {
                    self.found |= mentions(self.root, index.to_token_stream()) > 0
                });
            }
            visit::Node::Expr(Expr::MethodCall(call))
                if call.method == "len" && same(&call.receiver, self.array) => {}
            visit::Node::Expr(e) if is_place(e) => {
                self.found |= is_part(self.array, e) || is_part(e, self.array);
            }
            visit::Node::Expr(e @ (Expr::Closure(_) | Expr::Async(_) | Expr::Macro(_))) => {
                self.found |= mentions(self.root, e.to_token_stream()) > 0;
            }
            visit::Node::Stmt(stmt @ (Stmt::Macro(_) | Stmt::Item(_))) => {
                self.found |= mentions(self.root, stmt.to_token_stream()) > 0;
            }
            _ => node.parts(self),
        }
    }
}

/// What a value has in some of its fields, as it is written.
fn field_of<'e>(value: &'e Expr, fields: &[&Member]) -> Option<&'e Expr> {
    let value = without_parens(value);
    let Some((first, rest)) = fields.split_first() else {
        return Some(value);
    };
    let part = match (value, first) {
        (Expr::Tuple(of), Member::Unnamed(n)) => of.elems.get(n.index as usize)?,
        (Expr::Struct(of), _) => &of.fields.iter().find(|field| field.member == **first)?.expr,
        _ => return None,
    };
    field_of(part, rest)
}

/// Whether a value is there wherever something else has been evaluated: nothing happens and nothing can panic where it is read.
fn is_known(value: &Expr, evaluated: &Expr) -> bool {
    let is = |e: &Expr| is_known(e, evaluated);
    let value = without_parens(value);
    same(value, evaluated)
        || match value {
            Expr::Path(_) | Expr::Lit(_) => true,
            Expr::Field(of) => is(&of.base),
            Expr::Cast(of) => is(&of.expr),
            Expr::Reference(of) => of.mutability.is_none() && is(&of.expr),
            Expr::Unary(of) => !matches!(of.op, UnOp::Neg(_)) && is(&of.expr),
            Expr::Tuple(of) => of.elems.iter().all(is),
            Expr::Array(of) => of.elems.iter().all(is),
            Expr::Struct(of) => of.rest.is_none() && of.fields.iter().all(|field| is(&field.expr)),
            Expr::Call(of) => {
                matches!(&*of.func, Expr::Path(path) if path.path.is_ident("Some"))
                    && of.args.iter().all(is)
            }
            _ => false,
        }
}

/// Whether an expression computes the same each time.
pub(super) fn computes(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(of) => computes(&of.base),
        Expr::Cast(of) => computes(&of.expr),
        Expr::Unary(of) => computes(&of.expr),
        Expr::Reference(of) => of.mutability.is_none() && computes(&of.expr),
        Expr::Binary(of) => !sites::is_assignment(e) && computes(&of.left) && computes(&of.right),
        Expr::Index(of) => computes(&of.expr) && computes(&of.index),
        Expr::MethodCall(of) => {
            let known = of.method == "len" || Method::named(&of.method.to_string()).is_some();
            known && computes(&of.receiver) && of.args.iter().all(computes)
        }
        _ => false,
    }
}

/// Puts what collects an item in the place of a statement.
struct Collects<'a> {
    of: &'a ExprIf,
    takes: Option<syn::Block>,
    compared: Option<Expr>,
}

impl VisitMut for Collects<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(Expr::If(of)) if is_alike(of, self.of) => {
                if let (Some(takes), Some(compared)) = (self.takes.take(), self.compared.take()) {
                    of.then_branch = takes;
                    *of.cond = with_compared(&of.cond, compared);
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

fn is_alike(a: &ExprIf, b: &ExprIf) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}
