//! Compaction in place: an array is filled at a cursor with what a loop keeps of its own elements.
//!
//! ```text
//! for i in 0..n {                         if keep <= 0 { let before = a.to_vec();
//!     let s = a[i];                           for i in 0..n {
//!     if s > 3 {                                  let s = before[i];
//!         a[keep] = s;                            if s > 3 { a[keep] = s; keep += 1; }
//!         keep += 1;                          }
//!     }                                   } else { .. }
//! }
//! ```
//!
//! The cursor stands at the loop's number or behind it: it begins there, which each call asks, and is moved once in an iteration by one. So an iteration reads its element
//! before anyone writes it, where it does so before its own write; and it writes before it moves the cursor. Nothing else in the loop mentions the array or the
//! cursor. An element is read as a value, so that it is `Copy`, and the copies are what is there.

use quote::ToTokens;
use syn::{BinOp, Expr, ExprForLoop, Ident, ItemFn, Lit, Member, Pat, Stmt, parse_quote};

use super::idioms::same;
use super::marks;
use super::names::{bound_names, identifiers};
use super::prefix::is_repeatable;
use super::sites::is_compound;
use crate::alias;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    marks::replace_loops(function, &mut compact)
}

fn compact(of: &ExprForLoop) -> Option<Expr> {
    let (Pat::Ident(number), Expr::Range(range)) = (&*of.pat, without_parens(&of.expr)) else {
        return None;
    };
    let first = range
        .start
        .as_deref()
        .filter(|first| is_repeatable(first))?;
    if of.label.is_some() || number.mutability.is_some() || number.by_ref.is_some() {
        return None;
    }
    let number = &number.ident;
    let mut events = Events {
        number,
        loops: 0,
        found: Vec::new(),
    };
    events.visit_block(&of.body);
    let events = events.found;
    let mut words = Vec::new();
    identifiers(of.body.to_token_stream(), &mut words);
    let mentions = |name: &Ident| words.iter().filter(|word| *word == name).count();
    let moves = events
        .iter()
        .enumerate()
        .find_map(|(at, event)| match event {
            Event::Moved { cursor } => Some((at, cursor)),
            _ => None,
        });
    let (moved, cursor) = moves?;
    let mut arrays: Vec<&Expr> = Vec::new();
    for event in &events[..moved] {
        if let Event::Written { array, at } = event
            && at == cursor
            && !arrays.iter().any(|of| same(of, array))
        {
            arrays.push(array);
        }
    }
    arrays.retain(|array| {
        let reads =
            |event: &Event| matches!(event, Event::Read { array: of, .. } if same(of, array));
        let writes =
            |event: &Event| matches!(event, Event::Written { array: of, .. } if same(of, array));
        let (read, written) = (
            events.iter().filter(|event| reads(event)).count(),
            events.iter().filter(|event| writes(event)).count(),
        );
        let all = last_name(array).is_some_and(|name| mentions(name) == read + written);
        let by_value =
            |event: &Event| reads(event) && matches!(event, Event::Read { value: true, .. });
        let ordered = events.iter().rposition(reads) < events.iter().position(writes);
        written == 1 && all && ordered && events.iter().any(by_value)
    });
    // All that is written at the cursor is, and it is used for nothing else.
    let mut bound = Vec::new();
    Bound(&mut bound).visit_block(&of.body);
    let hidden = [number, cursor].iter().any(|name| bound.contains(*name));
    if arrays.is_empty() || mentions(cursor) != arrays.len() + 1 || hidden {
        return None;
    }
    let names = arrays.iter().filter_map(|array| last_name(array));
    let names: Vec<Ident> = names
        .map(|name| Ident::new(&alias::stop(&name.to_string()), name.span()))
        .collect();
    let mut compact = of.clone();
    let put: Vec<(&Expr, &Ident)> = arrays.iter().copied().zip(&names).collect();
    Before(number, &put).visit_block_mut(&mut compact.body);
    // Nobody looks for loops in it.
    let otherwise = Expr::Verbatim(of.to_token_stream());
    let mut compact: Expr = parse_quote! {
        if ::core::cmp::PartialOrd::le(&(#cursor), &(#first)) {
            #(let #names = (#arrays)[::accrue::__rt::ALL].to_vec();)*
            #compact
        } else {}
    };
    if let Expr::If(of) = &mut compact
        && let Some((_, block)) = &mut of.else_branch
        && let Expr::Block(block) = &mut **block
    {
        block.block.stmts.push(Stmt::Expr(otherwise, None));
    }
    Some(compact)
}

/// The variable or the field that an array is.
pub(super) fn last_name(array: &Expr) -> Option<&Ident> {
    match array {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(of) => match &of.member {
            Member::Named(name) => last_name(&of.base).map(|_| name),
            Member::Unnamed(_) => None,
        },
        _ => None,
    }
}

/// What is done to elements and cursors, in the order in which it is.
enum Event {
    /// `a[i]` of the loop's number.
    Read { array: Expr, value: bool },
    /// `a[keep] = v`.
    Written { array: Expr, at: Ident },
    /// `keep += 1`.
    Moved { cursor: Ident },
}

struct Events<'a> {
    number: &'a Ident,
    /// How many loops and closures stand around.
    loops: usize,
    found: Vec<Event>,
}

impl Events<'_> {
    fn read(&mut self, e: &Expr, value: bool) -> bool {
        let read = element(e).filter(|(_, at)| at == self.number);
        let is_one = read.is_some();
        self.found
            .extend(read.map(|(array, _)| Event::Read { array, value }));
        is_one
    }
}

/// An element of an array at a name.
pub(super) fn element(e: &Expr) -> Option<(Expr, Ident)> {
    let Expr::Index(of) = without_parens(e) else {
        return None;
    };
    let Expr::Path(at) = without_parens(&of.index) else {
        return None;
    };
    let array = without_parens(&of.expr);
    last_name(array)?;
    Some((array.clone(), at.path.get_ident()?.clone()))
}

impl<'a> Visit<'a> for Events<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Local(local) => {
                let by_value = |pat: &Pat| matches!(pat, Pat::Ident(of) if of.by_ref.is_none() && of.subpat.is_none());
                let value = match &local.pat {
                    Pat::Type(typed) => by_value(&typed.pat),
                    pat => by_value(pat),
                };
                match &local.init {
                    Some(init) if init.diverge.is_none() && self.read(&init.expr, value) => {}
                    _ => visit::visit_local(self, local),
                }
            }
            visit::Node::Expr(e) => match e {
                Expr::Assign(of) => {
                    if !self.read(&of.right, true) {
                        self.visit_expr(&of.right);
                    }
                    if self.loops == 0
                        && let Some((array, at)) = element(&of.left)
                        && at != *self.number
                    {
                        self.found.push(Event::Written { array, at });
                    }
                    // Of what is written else nothing is counted.
                }
                Expr::Binary(of) if is_compound(&of.op) => {
                    self.visit_expr(&of.right);
                    if let (BinOp::AddAssign(_), Expr::Path(cursor), true, 0) = (
                        &of.op,
                        without_parens(&of.left),
                        is_one(&of.right),
                        self.loops,
                    ) && let Some(cursor) = cursor.path.get_ident()
                    {
                        let cursor = cursor.clone();
                        self.found.push(Event::Moved { cursor });
                    }
                }
                // Operators but comparisons take values.
                Expr::Binary(of) if takes_values(&of.op) => {
                    for side in [&of.left, &of.right] {
                        if !self.read(side, true) {
                            self.visit_expr(side);
                        }
                    }
                }
                Expr::Cast(of) => {
                    if !self.read(&of.expr, true) {
                        self.visit_expr(&of.expr);
                    }
                }
                // What may change the element is no reading.
                Expr::Reference(of) if of.mutability.is_some() => {}
                Expr::MethodCall(of) => {
                    let name = of.method.to_string();
                    if crate::ir::Method::named(&name).is_some() || element(&of.receiver).is_none()
                    {
                        self.visit_expr(&of.receiver);
                    }
                    of.args.iter().for_each(|arg| self.visit_expr(arg));
                }
                Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {
                    self.loops += 1;
                    visit::visit_expr(self, e);
                    self.loops -= 1;
                }
                e if self.read(e, false) => {}
                e => visit::visit_expr(self, e),
            },
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

pub(super) fn takes_values(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::BitAnd(_)
            | BinOp::BitOr(_)
            | BinOp::BitXor(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_)
    )
}

fn is_one(e: &Expr) -> bool {
    matches!(
        without_parens(e),
        Expr::Lit(syn::ExprLit { lit: Lit::Int(one), .. }) if one.base10_digits() == "1"
    )
}

/// The names that patterns bind.
pub(super) struct Bound<'a>(pub(super) &'a mut Vec<Ident>);

impl<'a> Visit<'a> for Bound<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Pat(pat) => {
                self.0.extend(bound_names(pat).into_iter().cloned());
                visit::visit_pat(self, pat);
            }
            _ => node.parts(self),
        }
    }
}

/// Reads elements as they were before the loop.
struct Before<'a>(&'a Ident, &'a [(&'a Expr, &'a Ident)]);

impl VisitMut for Before<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                visit_mut::visit_expr_mut(self, e);
                let read = element(e).filter(|(_, at)| at == self.0);
                let known =
                    read.and_then(|(array, _)| self.1.iter().find(|(of, _)| same(of, &array)));
                if let (Some((_, before)), Expr::Index(of)) = (known, e) {
                    *of.expr = parse_quote!(#before);
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
