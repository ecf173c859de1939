//! Loops that change some fields of elements and read others, which no iteration changes: they may read copies of those.
//!
//! ```text
//! for i in 0..n {                                          let pos = parts(&bodies, |of| of.pos);
//!     let mut acc = 0.0;                                   for i in 0..n {
//!     for j in 0..n {                                          let mut acc = 0.0;
//!         acc += pull(bodies[j].pos, bodies[i].pos);           for j in 0..n { acc += pull(pos[j], bodies[i].pos); }
//!     }                                                        bodies[i].acc = acc;
//!     bodies[i].acc = acc;                                 }
//! }
//! ```
//!
//! An iteration has the elements that it changes whole, so that nobody else may look at another field of one. What is copied is read as a value, so it is `Copy`. A loop that
//! has no loop inside asks whether a copy is worth it.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Block, Expr, ExprForLoop, ItemFn, Member, Pat, Stmt, UnOp, parse_quote};

use super::compact::takes_values;
use super::idioms::same;
use super::later::{is_part, is_place, mentions};
use super::names::{bound_names, root_of};
use super::sites::is_compound;
use super::unmarked;
use crate::alias;
use crate::ir::Method;
use crate::parsed::fields::Bound;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function, outermost loops first; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut found = 0;
    unmarked::loops(function, true, &mut |of| from_copies(of, &mut found));
    found > 0
}

/// The loop behind the copies; `copies` counts them.
fn from_copies(of: &ExprForLoop, copies: &mut usize) -> Option<Stmt> {
    let Pat::Ident(number) = &*of.pat else {
        return None;
    };
    let Expr::Range(range) = without_parens(&of.expr) else {
        return None;
    };
    let number = &number.ident;
    // Fields of a union are one place, which only such code reads.
    if has_unsafe(&of.body) {
        return None;
    }
    let mut found = Fields::default();
    found.visit_block(&of.body);
    let mut arrays: Vec<Expr> = Vec::new();
    for field in found.0.iter().filter(|field| field.by == Use::Written) {
        if !arrays.iter().any(|array| same(array, &field.array)) {
            arrays.push(field.array.clone());
        }
    }
    let (mut all, mut lets, mut copied) = (of.clone(), Vec::<Stmt>::new(), Vec::new());
    for array in arrays {
        let own: Vec<&Field> = found.0.iter().filter(|f| same(&f.array, &array)).collect();
        if !is_known(&array, &own, of) {
            continue;
        }
        let mut names: Vec<(Vec<Member>, Ident)> = Vec::new();
        let elsewhere = own.iter().filter(|field| !field.is_at(number));
        for field in elsewhere {
            let changed = |other: &&Field| other.by == Use::Written && other.overlaps(field);
            let is_value = |other: &&Field| other.by == Use::Value && other.path == field.path;
            let mut uses = own.iter().copied();
            // What is read of other elements and changed of its own is nobody's.
            if field.by == Use::Other
                || uses.clone().any(|other| changed(&other))
                || !uses.any(|other| is_value(&other))
            {
                return None;
            }
            if !names.iter().any(|(path, _)| *path == field.path) {
                let name = alias::part(*copies + names.len(), of.for_token.span);
                names.push((field.path.clone(), name));
            }
        }
        let element = alias::place(of.for_token.span);
        for (path, name) in &names {
            lets.push(parse_quote! {
                let #name = ::accrue::__rt::cpu::parts(
                    &(#array)[::accrue::__rt::ALL],
                    |#element| #element #(.#path)*,
                );
            });
        }
        *copies += names.len();
        let mut copies = Copies(&array, number, &names);
        copies.visit_block_mut(&mut all.body);
        if !names.is_empty() {
            copied.push(array);
        }
    }
    if lets.is_empty() {
        return None;
    }
    if has_loops(&of.body) {
        return Some(parse_quote!({ #(#lets)* #all }));
    }
    let (first, end) = (range.start.as_deref()?, range.end.as_deref()?);
    let plain = |e: &Expr| super::prefix::is_repeatable(e);
    if !plain(first) || !plain(end) || matches!(range.limits, syn::RangeLimits::Closed(_)) {
        return None;
    }
    let mut written = of.clone();
    let why = "where its iterations are few beside the array";
    written.attrs.push(parse_quote!(#[sequential = #why]));
    Some(parse_quote! {
        if ::accrue::__rt::ahead::apart(#first, #end, &[], &[#((#copied).len()),*]) {
            #(#lets)*
            #all
        } else {
            #written
        }
    })
}

/// What a field is used for.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Written,
    /// It is read as a value, so that it is `Copy`.
    Value,
    Compared,
    Other,
}

/// A use of a field of an element.
struct Field {
    array: Expr,
    index: Expr,
    path: Vec<Member>,
    by: Use,
}

impl Field {
    /// The longest way from an element to a field.
    fn of(e: &Expr, by: Use) -> Option<Field> {
        let (mut path, mut of) = (Vec::new(), e);
        while let Expr::Field(field) = of {
            path.push(field.member.clone());
            of = without_parens(&field.base);
        }
        path.reverse();
        let Expr::Index(of) = of else { return None };
        let plain = !matches!(without_parens(&of.index), Expr::Range(_));
        (!path.is_empty() && plain && is_place(&of.expr)).then(|| Field {
            array: (*of.expr).clone(),
            index: (*of.index).clone(),
            path,
            by,
        })
    }

    fn is_at(&self, number: &Ident) -> bool {
        matches!(without_parens(&self.index), Expr::Path(path) if path.path.is_ident(number))
    }

    /// Whether one is the other, or a part of it.
    fn overlaps(&self, other: &Field) -> bool {
        self.path.iter().zip(&other.path).all(|(a, b)| a == b)
    }
}

/// All uses of fields of elements.
#[derive(Default)]
struct Fields(Vec<Field>);

impl<'a> Fields {
    /// What is used as it says.
    fn used(&mut self, e: &'a Expr, by: Use) {
        match Field::of(without_parens(e), by) {
            Some(field) => {
                let mut of = without_parens(e);
                while let Expr::Field(field) = of {
                    of = without_parens(&field.base);
                }
                if let Expr::Index(of) = of {
                    self.used(&of.index, Use::Value);
                }
                self.0.push(field);
            }
            None => self.visit_expr(e),
        }
    }

    fn all(&mut self, all: impl IntoIterator<Item = &'a Expr>) {
        all.into_iter().for_each(|e| self.used(e, Use::Value));
    }
}

impl<'a> Visit<'a> for Fields {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Block(block) => {
                for stmt in &block.stmts {
                    match stmt {
                        Stmt::Expr(value, None) => self.used(value, Use::Value),
                        stmt => self.visit_stmt(stmt),
                    }
                }
            }
            visit::Node::Local(local) => match &local.init {
                Some(init) if matches!(&local.pat, Pat::Ident(pat) if pat.by_ref.is_none()) => {
                    self.used(&init.expr, Use::Value);
                }
                _ => visit::visit_local(self, local),
            },
            visit::Node::Expr(e) => match e {
                Expr::Assign(of) => {
                    self.used(&of.right, Use::Value);
                    self.used(&of.left, Use::Written);
                }
                Expr::Binary(of) if is_compound(&of.op) => {
                    self.used(&of.right, Use::Value);
                    self.used(&of.left, Use::Written);
                }
                Expr::Binary(of) => {
                    let lazy = matches!(of.op, BinOp::And(_) | BinOp::Or(_));
                    let by = match lazy || takes_values(&of.op) {
                        true => Use::Value,
                        false => Use::Compared,
                    };
                    self.used(&of.left, by);
                    self.used(&of.right, by);
                }
                Expr::Unary(of) if !matches!(of.op, UnOp::Deref(_)) => self.all([&*of.expr]),
                Expr::Cast(of) => self.all([&*of.expr]),
                Expr::Call(of) => {
                    self.visit_expr(&of.func);
                    self.all(&of.args);
                }
                Expr::MethodCall(of) => {
                    match Method::named(&of.method.to_string()) {
                        Some(_) => self.used(&of.receiver, Use::Value),
                        None => self.visit_expr(&of.receiver),
                    }
                    self.all(&of.args);
                }
                Expr::If(of) => {
                    self.used(&of.cond, Use::Value);
                    self.visit_block(&of.then_branch);
                    if let Some((_, otherwise)) = &of.else_branch {
                        self.visit_expr(otherwise);
                    }
                }
                Expr::Index(of) => {
                    self.visit_expr(&of.expr);
                    self.used(&of.index, Use::Value);
                }
                Expr::Tuple(of) => self.all(&of.elems),
                Expr::Array(of) => self.all(&of.elems),
                Expr::Struct(of) => {
                    self.all(of.fields.iter().map(|field| &field.expr));
                    of.rest.iter().for_each(|rest| self.visit_expr(rest));
                }
                Expr::Closure(_) | Expr::Async(_) => {}
                e if Field::of(e, Use::Other).is_some() => self.used(e, Use::Other),
                e => visit::visit_expr(self, e),
            },
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Whether all that a loop does with an array is known: fields of its elements, and how many there are.
fn is_known(array: &Expr, own: &[&Field], of: &ExprForLoop) -> bool {
    struct Others<'a> {
        array: &'a Expr,
        root: &'a Ident,
        count: usize,
    }
    impl<'a> Visit<'a> for Others<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(Expr::MethodCall(call))
                    if call.method == "len" && same(&call.receiver, self.array) =>
                {
                    self.count += 1;
                }
                visit::Node::Expr(e @ Expr::Field(field)) => {
                    let base =
                        matches!(&*field.base, Expr::Path(path) if path.path.is_ident(self.root));
                    match base && !is_part(self.array, e) {
                        true => self.count += 1,
                        false => visit::visit_expr(self, e),
                    }
                }
                _ => node.parts(self),
            }
        }
    }
    let Some(root) = root_of(array) else {
        return false;
    };
    let mut again = bound_names(&of.pat).contains(&root);
    Bound(&mut |name| again |= root == name).visit_block(&of.body);
    let mut others = Others {
        array,
        root,
        count: 0,
    };
    others.visit_expr(&of.expr);
    others.visit_block(&of.body);
    !again && mentions(root, of.to_token_stream()) == others.count + own.len()
}

fn has_unsafe(body: &Block) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            self.0 |= matches!(node, visit::Node::Expr(Expr::Unsafe(_)));
            node.parts(self);
        }
    }
    let mut finder = Finder(false);
    finder.visit_block(body);
    finder.0
}

fn has_loops(body: &Block) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            self.0 |= matches!(
                node,
                visit::Node::Expr(Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_))
            );
            node.parts(self);
        }
    }
    let mut finder = Finder(false);
    finder.visit_block(body);
    finder.0
}

/// Reads fields of other elements from copies.
struct Copies<'a>(&'a Expr, &'a Ident, &'a [(Vec<Member>, Ident)]);

impl VisitMut for Copies<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                let Copies(array, number, names) = self;
                if let Some(field) = Field::of(e, Use::Value)
                    && same(&field.array, array)
                    && !field.is_at(number)
                    && let Some((_, name)) = names.iter().find(|(path, _)| *path == field.path)
                {
                    let mut index = field.index;
                    self.visit_expr_mut(&mut index);
                    *e = parse_quote!(#name[#index]);
                    return;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
