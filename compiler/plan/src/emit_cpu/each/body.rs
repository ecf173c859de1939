//! The names under which the body of a loop finds what stands for what it writes.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprIndex, Stmt, Token, UnOp, parse_quote};

use super::is_source;
use crate::alias;
use crate::emit_cpu::collection;
use crate::emit_cpu::value::same;
use crate::emit_cpu::work;
use crate::ir::{self, Pattern};
use crate::plan::LoopPlan;
use crate::syntax::visit;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{names, part_of, sites, without_parens};

/// What an `Own` has beside its elements.
const OF_ELEMENTS: [&str; 5] = ["len", "is_empty", "swap", "get", "get_mut"];

/// What gets a row of which an iteration has elements.
const ROW: &str = "__accrue_row";

/// What stands for what the loop writes.
pub(super) struct Names<'a> {
    plan: &'a LoopPlan,
    /// Why the loop has to stay in order.
    pub failed: Option<String>,
    /// Places that are no variables, and the variables that stand for them.
    places: Vec<(Expr, Ident)>,
    /// Arrays of rows of which iterations have elements.
    pub scattered: Vec<Expr>,
}

impl<'a> Names<'a> {
    pub(super) fn new(plan: &'a LoopPlan) -> Self {
        Names {
            plan,
            failed: None,
            places: Vec::new(),
            scattered: Vec::new(),
        }
    }

    /// What makes a local of a scalar's place, of the value that a slot holds, and what brings it back.
    pub(super) fn scalar(
        &mut self,
        place: &Expr,
        value: &Ident,
        slot: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        match without_parens(place) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let name = self.local(&unary.expr, value);
                // A local of its own, so that it can be in a register.
                (
                    quote!(let mut #value = #slot; let #name = &mut #value;),
                    quote!(#slot = #value;),
                )
            }
            _ => {
                let name = self.local(place, value);
                (quote!(let mut #name = #slot;), quote!(#slot = #name;))
            }
        }
    }

    /// Whether an assignment's index asks the array that it writes, `a[i + a.len() / 2] = v`: of a slice that is no second use while it is borrowed, of
    /// what stands for it it is.
    fn asks_itself(&self, expr: &Expr) -> bool {
        let Some(index) = written_element(expr) else {
            return false;
        };
        let Pattern::Histogram(roles) = &self.plan.pattern;
        let mut owned = roles
            .owned
            .iter()
            .chain(roles.filled.iter().map(|filled| &filled.array))
            .map(|id| &self.plan.arrays[id.0 as usize]);
        let mut mentioned = Vec::new();
        names::identifiers(index.index.to_token_stream(), &mut mentioned);
        owned.any(|array| {
            let root = names::root_of(&array.expr);
            same(&array.expr, &index.expr) && root.is_some_and(|root| mentioned.contains(root))
        })
    }

    /// `a[start..][..len]` of an array that the loop writes, in one step: up to its end it is others' as well.
    fn part(&self, expr: &Expr) -> Option<Expr> {
        let Expr::Index(index) = expr else {
            return None;
        };
        let (array, start, len) = part_of(index)?;
        self.is_own(array)
            .then(|| parse_quote!(#array[::accrue::__rt::cpu::Part { start: #start, len: #len }]))
    }

    /// Gets rows by value, `d[i]` of `d[i][j]`, where iterations have elements of them: of a reference to one others would have parts.
    fn rows(&mut self, expr: &mut Expr) {
        let row = |of: &Expr| match without_parens(of) {
            Expr::Index(ExprIndex { expr, index, .. }) => {
                let rows = without_parens(expr);
                let scattered = self.scattered.iter().any(|of| same(of, rows));
                scattered.then(|| (rows.clone(), index.clone()))
            }
            _ => None,
        };
        let whole = row(expr).is_some();
        let base = match expr {
            Expr::Index(of) => &mut of.expr,
            Expr::MethodCall(call) if OF_ELEMENTS.contains(&call.method.to_string().as_str()) => {
                &mut call.receiver
            }
            _ => return,
        };
        if let Some((rows, index)) = row(base) {
            let method = format_ident!("{ROW}");
            **base = parse_quote!((#rows).#method(#index));
        } else if whole {
            self.failed = Some(format!(
                "`{}` has elements of other iterations",
                crate::source::text_of(&expr.to_token_stream())
            ));
        }
    }

    /// Whether an `Own` stands for a place.
    fn is_own(&self, place: &Expr) -> bool {
        let Pattern::Histogram(roles) = &self.plan.pattern;
        let mut owned = roles
            .owned
            .iter()
            .map(|id| &self.plan.arrays[id.0 as usize].expr);
        owned.any(|of| same(of, place) && !is_source(self.plan, of))
    }

    /// The name of the local that stands for a place: its own where it is a variable.
    pub(super) fn local(&mut self, place: &Expr, otherwise: &Ident) -> Ident {
        if let Expr::Path(path) = without_parens(place)
            && let Some(name) = path.path.get_ident()
            && name != "self"
        {
            return name.clone();
        }
        let name = format_ident!("{otherwise}_local");
        self.places.push((place.clone(), name.clone()));
        name
    }
}

impl VisitMut for Names<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(expr) => {
                if let Some((_, name)) = self.places.iter().find(|(place, _)| same(place, expr)) {
                    *expr = parse_quote!(#name);
                    return;
                }
                if let Expr::Unary(unary) = expr
                    && matches!(unary.op, UnOp::Deref(_))
                    && self.is_own(without_parens(&unary.expr))
                {
                    self.failed = Some(format!(
                        "`{}` is used as a whole",
                        crate::source::text_of(&expr.to_token_stream())
                    ));
                }
                if let Expr::MethodCall(call) = expr
                    && !OF_ELEMENTS.contains(&call.method.to_string().as_str())
                    && call.method != ROW
                    && self.is_own(without_parens(&call.receiver))
                {
                    self.failed = Some(format!(
                        "`{}` has elements of other iterations",
                        crate::source::text_of(&expr.to_token_stream())
                    ));
                }
                if let Some(part) = self.part(expr) {
                    *expr = part;
                }
                self.rows(expr);
                let asks = self.asks_itself(expr);
                visit_mut::visit_expr_mut(self, expr);
                if asks {
                    value_first(expr);
                }
            }
            // The arguments of `assert!` and its like.
            visit_mut::Node::Macro(mac) => {
                let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
                let Ok(mut arguments) = mac.parse_body_with(parser) else {
                    return;
                };
                for argument in &mut arguments {
                    self.visit_expr_mut(argument);
                }
                if !self.places.is_empty() || !self.scattered.is_empty() {
                    mac.tokens = arguments.into_token_stream();
                }
            }
            _ => node.parts(self),
        }
    }
}

/// The element that an assignment writes.
fn written_element(expr: &Expr) -> Option<&ExprIndex> {
    let left = match expr {
        Expr::Assign(assign) => &assign.left,
        Expr::Binary(binary) if sites::is_compound(&binary.op) => &binary.left,
        _ => return None,
    };
    match &**left {
        Expr::Index(index) => Some(index),
        _ => None,
    }
}

/// Evaluates the value and then the index of an assignment before the element is borrowed.
fn value_first(expr: &mut Expr) {
    let (left, right) = match expr {
        Expr::Assign(assign) => (&mut assign.left, &mut assign.right),
        Expr::Binary(binary) => (&mut binary.left, &mut binary.right),
        _ => return,
    };
    let Expr::Index(index) = &mut **left else {
        return;
    };
    let at = std::mem::replace(&mut *index.index, parse_quote!(__accrue_at));
    let value = std::mem::replace(&mut **right, parse_quote!(__accrue_value));
    *expr = parse_quote! {
        match #value {
            __accrue_value => match #at {
                __accrue_at => #expr,
            },
        }
    };
}

/// What every iteration writes at a cursor, which may be the element of the part behind: `out[n] = x` becomes `out.put(n, x)`.
pub(super) fn puts(plan: &LoopPlan, body: &mut syn::Block) {
    let Pattern::Histogram(roles) = &plan.pattern;
    sites::rewrite(body, |site, expr| {
        let ahead = roles
            .filled
            .iter()
            .any(|filled| filled.ahead.contains(&site));
        if let Expr::Assign(assign) = expr
            && ahead
            && let Expr::Index(of) = without_parens(&assign.left)
        {
            let (array, at, value) = (&of.expr, &of.index, &assign.right);
            *expr = parse_quote! {
                match #value {
                    __accrue_value => (#array).put(#at, __accrue_value),
                }
            };
        }
    });
}

/// Whether a part has taken an item, where the last of equals is kept.
pub(super) fn took(n: usize) -> Ident {
    format_ident!("__accrue_took_{n}")
}

/// Notes that an item is taken, beside an assignment of what is kept of it.
pub(super) fn takes(plan: &LoopPlan, body: &mut syn::Block) {
    let Pattern::Histogram(roles) = &plan.pattern;
    sites::rewrite(body, |site, expr| {
        let taken = |best: &ir::Best| best.option.or(best.last) == Some(site);
        if let Some(n) = roles.best.iter().position(taken) {
            let (took, key) = (took(n), &plan.best[n].key);
            *expr = match roles.best[n].option {
                Some(_) => parse_quote!({
                    #expr;
                    #took.note((#key).is_odd());
                }),
                None => parse_quote!({
                    #expr;
                    #took = true;
                }),
            };
        }
    });
}

/// Makes room for what an iteration appends before its inner loops run.
pub(super) fn room(plan: &LoopPlan, body: &mut syn::Block) {
    if let [place] = &plan.grown[..]
        && work::nanoseconds(&plan.ir).is_none()
    {
        body.stmts
            .insert(0, parse_quote!((#place).__accrue_room();));
    }
}

/// Lends bins as a whole, `for bin in &mut bins`, as a slice: it is one that stands for them, and a reference to that is nothing to go over.
pub(super) fn lends<'a>(bins: impl Iterator<Item = &'a Expr>, body: &mut syn::Block) {
    struct Lends<'a>(Vec<&'a Expr>);
    impl Lends<'_> {
        fn has(&self, place: &Expr) -> bool {
            self.0.iter().any(|bins| same(bins, without_parens(place)))
        }
    }
    impl VisitMut for Lends<'_> {
        fn visit(&mut self, node: visit_mut::Node<'_>) {
            match node {
                visit_mut::Node::Expr(Expr::Reference(lent))
                    if lent.mutability.is_some() && self.has(&lent.expr) =>
                {
                    let bins = &lent.expr;
                    let slice = parse_quote!((#bins)[::accrue::__rt::ALL]);
                    *lent.expr = slice;
                }
                visit_mut::Node::Item(_) => {}
                _ => node.parts(self),
            }
        }
    }
    Lends(bins.collect()).visit_block_mut(body);
}

/// Makes a closure again of what was one, as the body of `.map(..)`, if it has loops: alone rustc may make other instructions of these, minima of comparisons above all.
/// (Bars of prices, a Zen 4, 2026-11-29: 2.9 of the plain loop's time as a block, 1.1 as a closure.)
pub(super) fn closures(body: &mut syn::Block) {
    for stmt in &mut body.stmts {
        if let Stmt::Local(local) = stmt
            && names::whole(&local.pat).is_some_and(alias::is_made)
            && let Some(init) = &mut local.init
            && let Expr::Block(block) = &*init.expr
            && block.label.is_none()
        {
            let mut inside = Inside::default();
            visit::Visit::visit_block(&mut inside, &block.block);
            if inside.loops && !inside.leaves {
                *init.expr = parse_quote!((|| #block)());
            }
        }
    }
}

/// What a block has in it.
#[derive(Default)]
struct Inside {
    loops: bool,
    /// Whether it may go on elsewhere, as far as one looks.
    leaves: bool,
    /// How many loops are around.
    depth: usize,
}

impl<'a> visit::Visit<'a> for Inside {
    fn visit(&mut self, node: visit::Node<'a>) {
        let visit::Node::Expr(e) = node else {
            return node.parts(self);
        };
        match e {
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                self.loops = true;
                self.depth += 1;
                visit::visit_expr(self, e);
                self.depth -= 1;
            }
            Expr::Break(syn::ExprBreak { label: None, .. })
            | Expr::Continue(syn::ExprContinue { label: None, .. })
                if self.depth > 0 =>
            {
                visit::visit_expr(self, e);
            }
            Expr::Continue(_)
            | Expr::Break(_)
            | Expr::Return(_)
            | Expr::Try(_)
            | Expr::Await(_)
            | Expr::Yield(_) => self.leaves = true,
            Expr::Closure(_) => {}
            e => visit::visit_expr(self, e),
        }
    }
}

/// Makes room for all that so many iterations append, where each appends once.
pub(super) fn rooms(plan: &LoopPlan, iterations: &TokenStream) -> Option<TokenStream> {
    struct Leaves(bool);
    impl<'a> visit::Visit<'a> for Leaves {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    self.0 |= matches!(
                        e,
                        Expr::Continue(_) | Expr::Break(_) | Expr::Return(_) | Expr::Try(_)
                    );
                    visit::visit_expr(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let [place @ Expr::Path(_)] = &plan.grown[..] else {
        return None;
    };
    let body = &plan.syntax.body;
    let pushes = body.stmts.iter().any(|stmt| match stmt {
        Stmt::Expr(Expr::MethodCall(call), _) => {
            (call.method == "push" || call.method == "push_back") && same(&call.receiver, place)
        }
        _ => false,
    });
    let mut leaves = Leaves(false);
    visit::Visit::visit_block(&mut leaves, body);
    (pushes && !leaves.0).then(|| {
        let collection = collection(place);
        quote!(#collection.__accrue_rooms(#iterations);)
    })
}
