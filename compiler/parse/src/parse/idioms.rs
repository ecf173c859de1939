//! Ways to write an update that are another one in the same words: rewritten before anything looks for updates.
//!
//! | written | stands for |
//! | --- | --- |
//! | `if v > h[k] { h[k] = v; }`, also `>=`, `<`, `<=`, either way round | `h[k] = max(v, h[k])` or `min` |
//! | `h[k] = true`, `h[k] = false` | `h[k] \|= true`, `h[k] &= false` |
//!
//! | `found = true`, `*found = false` | `found \|= true`, `*found &= false` |
//! | `any = any \|\| c`, `all = all && c` where `c` cannot panic, `any = c \|\| any` | `any \|= c`, `all &= c` |
//!
//! Only bins that are parameters, or declared with what shows the type of an element, `let mut h = [u32::MAX; 8];`, are looked at, and variables that are declared as a `bool`
//! or with one, `let mut found = false;`, to which the function assigns nothing but one constant. Comparisons have to be of integers; those of floats are `extrema.rs`'s. What is written twice may only compute, so that
//! once is enough.

use crate::sorted::{Sorted, SortedSet};

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::Span;
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprForLoop, ExprIf, FnArg, Ident, ItemFn, Lit, Pat, Stmt, Type,
    parse_quote_spanned,
};

use super::names::{primitive_of, root_of, whole};
use super::outer::OuterScope;
use crate::ir::Scalar;
use crate::syntax::is_at_hand;
use crate::syntax::{Shape, only_computes, without_parens};

/// Rewrites them in a function.
pub fn rewrite(function: &mut ItemFn) {
    let (arrays, flags) = (arrays(function), flags(function));
    if !(arrays.is_empty() && flags.is_empty()) {
        let mut idioms = Idioms {
            arrays: &arrays,
            flags: &flags,
            floats: None,
        };
        idioms.visit_block_mut(&mut function.block);
    }
}

/// The names that stand for a `bool` wherever the function has them: declared once, as a parameter `&mut bool` or by a `let` with a value.
fn flags(function: &ItemFn) -> SortedSet<String> {
    #[derive(Default)]
    struct Finder {
        flags: SortedSet<String>,
        bound: Sorted<String, usize>,
        /// What is assigned, where that is one constant.
        assigned: Sorted<String, Option<bool>>,
    }
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    let assigned = match e {
                        Expr::Assign(e) => {
                            let lazy = lazily(&e.left, &e.right).map(|(set, _)| set);
                            Some((&e.left, truth(&e.right).or(lazy)))
                        }
                        Expr::Binary(e) if super::sites::is_compound(&e.op) => {
                            let set = match e.op {
                                BinOp::BitOrAssign(_) => Some(true),
                                BinOp::BitAndAssign(_) => Some(false),
                                _ => None,
                            };
                            Some((&e.left, set))
                        }
                        _ => None,
                    };
                    if let Some((left, constant)) = assigned
                        && let Some(name) = root_of(left)
                    {
                        let known = self.assigned.or_insert(name.to_string(), constant);
                        *known = known.filter(|known| constant == Some(*known));
                    }
                    crate::syntax::visit::visit_expr(self, e);
                }
                visit::Node::PatIdent(pat) => {
                    *self.bound.or_default(pat.ident.to_string()) += 1;
                    crate::syntax::visit::visit_pat_ident(self, pat);
                }
                visit::Node::Local(local) => {
                    let value = local.init.as_ref().map(|init| &*init.expr);
                    let (pat, ty) = match &local.pat {
                        Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
                        pat => (pat, None),
                    };
                    if let (Pat::Ident(pat), Some(value)) = (pat, value)
                        && (truth(value).is_some() || ty.is_some_and(is_bool))
                    {
                        self.flags.insert(pat.ident.to_string());
                    }
                    crate::syntax::visit::visit_local(self, local);
                }
                visit::Node::PatType(typed) => {
                    if let (Pat::Ident(pat), Type::Reference(reference)) = (&*typed.pat, &*typed.ty)
                        && reference.mutability.is_some()
                        && is_bool(&reference.elem)
                    {
                        self.flags.insert(pat.ident.to_string());
                    }
                    crate::syntax::visit::visit_pat_type(self, typed);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder::default();
    finder.visit_item_fn(function);
    let Finder {
        mut flags,
        bound,
        assigned,
    } = finder;
    // What is set and reset in turn is no flag.
    let one_constant = |name: &String| assigned.get(name).is_some_and(Option::is_some);
    flags.retain(|name| bound.get(name) == Some(&1) && one_constant(name));
    flags
}

fn is_bool(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none() && primitive_of(&path.path) == Some(Scalar::Bool))
}

/// `true` or `false`.
pub(super) fn truth(e: &Expr) -> Option<bool> {
    match without_parens(e) {
        Expr::Lit(syn::ExprLit {
            lit: Lit::Bool(lit),
            ..
        }) => Some(lit.value),
        _ => None,
    }
}

/// What a flag is combined with in `flag || c` and `flag && c`, or the other way round, and whether that sets it. Behind the flag it is asked for less
/// often than it would be by `flag |= c`, so that it may not panic.
fn lazily(flag: &Expr, value: &Expr) -> Option<(bool, Expr)> {
    fn operands<'a>(e: &'a Expr, set: bool, all: &mut Vec<&'a Expr>) {
        match without_parens(e) {
            Expr::Binary(of) if lazy(&of.op) == Some(set) => {
                operands(&of.left, set, all);
                operands(&of.right, set, all);
            }
            e => all.push(e),
        }
    }
    let lazy_binary = match without_parens(value) {
        Expr::Binary(of) => of,
        _ => return None,
    };
    let set = lazy(&lazy_binary.op)?;
    let mut all = Vec::new();
    operands(value, set, &mut all);
    let flag = without_parens(flag);
    let own = all.iter().position(|of| same(of, flag))?;
    if !all[own + 1..].iter().all(|of| cannot_panic(of)) {
        return None;
    }
    all.remove(own);
    let op = &lazy_binary.op;
    let rest = all.into_iter().cloned();
    let rest = rest.reduce(|a, b| parse_quote_spanned!(op.span()=> (#a #op #b)))?;
    Some((set, rest))
}

/// Whether a lazy operator sets a flag or resets it.
fn lazy(op: &BinOp) -> Option<bool> {
    match op {
        BinOp::Or(_) => Some(true),
        BinOp::And(_) => Some(false),
        _ => None,
    }
}

/// Whether an expression compares and combines numbers at hand.
fn cannot_panic(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Unary(of) if matches!(of.op, syn::UnOp::Not(_)) => cannot_panic(&of.expr),
        Expr::Binary(of) => {
            let calm = matches!(
                of.op,
                BinOp::And(_)
                    | BinOp::Or(_)
                    | BinOp::BitAnd(_)
                    | BinOp::BitOr(_)
                    | BinOp::BitXor(_)
                    | BinOp::Eq(_)
                    | BinOp::Ne(_)
                    | BinOp::Lt(_)
                    | BinOp::Le(_)
                    | BinOp::Gt(_)
                    | BinOp::Ge(_)
            );
            calm && cannot_panic(&of.left) && cannot_panic(&of.right)
        }
        Expr::MethodCall(of) => {
            let calm = ["is_nan", "is_finite", "is_infinite"]
                .iter()
                .any(|method| of.method == method);
            calm && of.args.is_empty() && cannot_panic(&of.receiver)
        }
        e => is_at_hand(e),
    }
}

/// The element and the number of dimensions of each array that may be written to, of parameters and of variables with a value that shows them, without
/// names that the function binds again.
pub(super) fn arrays(function: &ItemFn) -> Sorted<String, (Scalar, usize)> {
    let mut arrays = Sorted::new();
    for input in &function.sig.inputs {
        if let FnArg::Typed(param) = input
            && let Pat::Ident(name) = &*param.pat
            && let Type::Reference(reference) = &*param.ty
            && reference.mutability.is_some()
            && let Some(array) = array(&reference.elem)
        {
            arrays.insert(name.ident.to_string(), array);
        }
    }
    struct Locals {
        scope: OuterScope,
        arrays: Sorted<String, (Scalar, usize)>,
        bound: Sorted<String, usize>,
    }
    impl<'a> Visit<'a> for Locals {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Local(local) => {
                    let init = local.init.as_ref().filter(|init| init.diverge.is_none());
                    // `let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);`
                    let names: Vec<&Ident> = match &local.pat {
                        Pat::Tuple(of) => of.elems.iter().filter_map(whole).collect(),
                        pat => whole(pat).into_iter().collect(),
                    };
                    if let Some(init) = init {
                        self.scope.bind(&local.pat, None, Some(&init.expr));
                        for name in names {
                            let name = name.to_string();
                            let outer = self.scope.get(&name);
                            let owned =
                                outer.filter(|o| o.writable && o.by_reference == Some(false));
                            if let Some(array) = owned.and_then(|o| array_of(&o.shape)) {
                                self.arrays.insert(name, array);
                            }
                        }
                    }
                    crate::syntax::visit::visit_local(self, local);
                }
                visit::Node::PatIdent(pat) => {
                    *self.bound.or_default(pat.ident.to_string()) += 1;
                    crate::syntax::visit::visit_pat_ident(self, pat);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut locals = Locals {
        scope: OuterScope::of_parameters(function),
        arrays: Sorted::new(),
        bound: Sorted::new(),
    };
    locals.visit_item_fn(function);
    arrays.extend(locals.arrays);
    arrays.retain(|name, _| locals.bound.get(name) == Some(&1));
    arrays
}

/// An array or a vector of numbers, or of arrays of them.
fn array_of(shape: &Shape) -> Option<(Scalar, usize)> {
    let elem = match shape {
        Shape::Array(elem, _) | Shape::Vec(elem) => elem,
        _ => return None,
    };
    match &**elem {
        Shape::Elem(Type::Path(path)) if path.qself.is_none() => {
            Some((primitive_of(&path.path)?, 1))
        }
        of @ Shape::Array(..) => array_of(of).map(|(scalar, dimensions)| (scalar, dimensions + 1)),
        _ => None,
    }
}

/// `[u32]`, `[[u32; 3]; 7]`, `Vec<u32>`.
fn array(ty: &Type) -> Option<(Scalar, usize)> {
    let elem = match ty {
        Type::Slice(t) => &*t.elem,
        Type::Array(t) => &*t.elem,
        Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last().filter(|s| s.ident == "Vec")?;
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            match arguments.args.first()? {
                syn::GenericArgument::Type(elem) => elem,
                _ => return None,
            }
        }
        _ => return None,
    };
    match elem {
        Type::Path(path) if path.qself.is_none() && primitive_of(&path.path).is_some() => {
            Some((primitive_of(&path.path)?, 1))
        }
        Type::Array(_) => array(elem).map(|(scalar, dimensions)| (scalar, dimensions + 1)),
        _ => None,
    }
}

/// Looks for them.
pub(super) struct Idioms<'a> {
    arrays: &'a Sorted<String, (Scalar, usize)>,
    flags: &'a SortedSet<String>,
    /// Extrema of floats instead, and the arrays that have had one, as they are written there.
    floats: Option<Sorted<String, Ident>>,
}

impl Idioms<'_> {
    /// Makes extrema of what compares floats in a loop; the arrays that have any.
    pub(super) fn of_floats(
        arrays: &Sorted<String, (Scalar, usize)>,
        of: &mut ExprForLoop,
    ) -> Vec<Ident> {
        let mut idioms = Idioms {
            arrays,
            flags: &SortedSet::new(),
            floats: Some(Sorted::new()),
        };
        idioms.visit_block_mut(&mut of.body);
        idioms
            .floats
            .unwrap_or_default()
            .values()
            .cloned()
            .collect()
    }

    /// Whether an expression is a `bool` outside the loop, or an element that is one.
    fn is_truth(&self, e: &Expr) -> bool {
        let variable = match without_parens(e) {
            Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => without_parens(&e.expr),
            e => e,
        };
        let flag = matches!(variable, Expr::Path(path) if path.path.get_ident().is_some_and(|name| self.flags.contains(&name.to_string())));
        flag || self.element(e) == Some(Scalar::Bool)
    }

    /// The type of the element that an expression is, `h[k]`.
    fn element(&self, e: &Expr) -> Option<Scalar> {
        let mut dimensions = 0;
        let mut base = e;
        while let Expr::Index(index) = base {
            dimensions += 1;
            base = without_parens(&index.expr);
        }
        let Expr::Path(_) = base else {
            return None;
        };
        let (scalar, of) = self.arrays.get(&root_of(base)?.to_string())?;
        (*of == dimensions).then_some(*scalar)
    }

    /// `if v > h[k] { h[k] = v; }`.
    fn extremum(&mut self, e: &ExprIf) -> Option<Expr> {
        let [Stmt::Expr(Expr::Assign(assigned), _)] = &e.then_branch.stmts[..] else {
            return None;
        };
        if e.else_branch.is_some() {
            return None;
        }
        let scalar = self.element(&assigned.left)?;
        if scalar.is_float() != self.floats.is_some() || scalar == Scalar::Bool {
            return None;
        }
        let Extremum {
            place,
            value,
            name,
            value_first,
        } = Extremum::of(&e.cond, assigned)?;
        if !(only_computes(place) && only_computes(value)) {
            return None;
        }
        let span = here(assigned.eq_token.span());
        if let (Some(found), Some(root)) = (&mut self.floats, root_of(place)) {
            found.insert(root.to_string(), root.clone());
            return Some(parse_quote_spanned!(span=> { #place = #place.#name(#value); }));
        }
        // In the order of the comparison, so that of two indices that are out of range the same is reported. The type of the place is known.
        Some(match value_first && !is_at_hand(value) {
            true => {
                let first = crate::alias::consumed(assigned.eq_token.span()).0;
                parse_quote_spanned!(span=> { let #first = #value; #place = ::core::cmp::#name(#place, #first); })
            }
            false => parse_quote_spanned!(span=> { #place = ::core::cmp::#name(#place, #value); }),
        })
    }
}

/// A comparison of a value with a place that is assigned the value where it holds.
pub(super) struct Extremum<'a> {
    pub(super) place: &'a Expr,
    pub(super) value: &'a Expr,
    /// `max` or `min`.
    pub(super) name: Ident,
    /// Whether the value stands on the left.
    value_first: bool,
}

impl<'a> Extremum<'a> {
    pub(super) fn of(cond: &Expr, assigned: &'a syn::ExprAssign) -> Option<Extremum<'a>> {
        let Expr::Binary(compared) = without_parens(cond) else {
            return None;
        };
        let greater = match compared.op {
            BinOp::Gt(_) | BinOp::Ge(_) => true,
            BinOp::Lt(_) | BinOp::Le(_) => false,
            _ => return None,
        };
        let (left, right) = (
            without_parens(&compared.left),
            without_parens(&compared.right),
        );
        let (place, value) = (&*assigned.left, without_parens(&assigned.right));
        let value_first = same(left, value) && same(right, place);
        if !(value_first || same(left, place) && same(right, value)) {
            return None;
        }
        // What is kept is on the greater side, or on the lesser.
        let name = match greater == value_first {
            true => format_ident!("max"),
            false => format_ident!("min"),
        };
        Some(Extremum {
            place,
            value,
            name,
            value_first,
        })
    }
}

impl VisitMut for Idioms<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                let found = match e {
                    Expr::If(e) => self.extremum(e),
                    Expr::Assign(assigned) if self.is_truth(&assigned.left) => {
                        let place = &assigned.left;
                        let span = here(assigned.eq_token.span());
                        let constant =
                            truth(&assigned.right).map(|set| (set, (*assigned.right).clone()));
                        let combined =
                            || lazily(place, &assigned.right).filter(|_| only_computes(place));
                        constant.or_else(combined).map(|(set, value)| match set {
                            true => parse_quote_spanned!(span=> #place |= #value),
                            false => parse_quote_spanned!(span=> #place &= #value),
                        })
                    }
                    _ => None,
                };
                if let Some(found) = found {
                    *e = found;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Where the user wrote it, with the names that the attribute's place has.
fn here(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}
