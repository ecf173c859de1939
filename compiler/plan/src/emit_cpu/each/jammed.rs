//! Iterations side by side, where each one adds floats up in an inner loop: unroll and jam.
//!
//! ```text
//! for i in 0..m { let mut sum = 0.0; for k in 0..n { sum += a[i * n + k] * x[k]; } y[i] = sum; }
//! for (row, y) in a.chunks_exact(n).zip(y.iter_mut()) { let mut sum = 0.0; for (a, x) in row.iter().zip(x) { sum += a * x; } *y = sum; }
//! ```
//!
//! No order of such a sum may change, so each of its steps waits for the one before, two to four cycles. Four iterations wait at the same time: what stands before the inner loop is run for
//! each of them, then every step of the inner loop for each, then what stands behind it. All of it is the user's tokens, with the names of one iteration bound
//! anew from a tuple of its own.
//!
//! Until what stands behind the inner loop is run nothing has been written but locals. So if anything panics before, or what an iteration panics with depends on which one it is, these
//! iterations are run again one by one. What the runtime does is in `accrue`'s `cpu::jam`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Block, Expr, ExprForLoop, Pat, PatIdent, Stmt};

use super::super::along::Bound;
use super::super::space::all_are;
use super::super::unlinted;
use super::written;
use crate::ir::{Pattern, Scalar, Type};
use crate::parsed::iteration::{self, Base, Iteration, Lent, is_plain};
use crate::plan::LoopPlan;
use crate::syntax::visit::{self, Visit};
use crate::syntax::{names, without_parens};

/// A loop whose iterations may run side by side.
pub(super) struct Jam<'a> {
    pat: &'a Pat,
    before: &'a [Stmt],
    inner: &'a ExprForLoop,
    behind: &'a [Stmt],
    /// What the inner loop uses of an iteration: numbers and shared references, of which these are changed.
    state: Vec<(&'a Ident, bool)>,
    /// What else of it is used behind.
    rest: Vec<(&'a Ident, bool)>,
    /// Whether the inner loop has the same header for all iterations: a range.
    common: bool,
}

impl<'a> Jam<'a> {
    /// Of a pattern for the items of a part, and a body in which the names of `own` stand for what iterations have elements of.
    pub(super) fn of(
        plan: &'a LoopPlan,
        pat: &'a Pat,
        body: &'a Block,
        own: &[Ident],
    ) -> Option<Jam<'a>> {
        let Pattern::Histogram(roles) = &plan.pattern;
        let [outer] = &plan.iterations[..] else {
            return None;
        };
        let alone = written::bins(plan).next().is_none()
            && roles.distinct.is_empty()
            && roles.best.is_empty()
            && roles.carried.is_empty()
            && plan.grown.is_empty()
            && plan.keyed.is_empty();
        let bound = Bound::of(pat, body);
        if !plan.pure || !alone || bound.is_unclear() {
            return None;
        }
        let at = body
            .stmts
            .iter()
            .position(|stmt| matches!(stmt, Stmt::Expr(Expr::ForLoop(_), _)))?;
        let (before, behind) = (&body.stmts[..at], &body.stmts[at + 1..]);
        let Stmt::Expr(Expr::ForLoop(inner), _) = &body.stmts[at] else {
            return None;
        };
        // Behind it the loop leaves what it has come to.
        if behind.is_empty() || inner.label.is_some() || !inner.attrs.is_empty() {
            return None;
        }
        let lane = Lane::of(plan, outer, pat, before)?;
        if !lane.all().all(|name| bound.once(name)) {
            return None;
        }
        let mut looks = Looks::default();
        before.iter().for_each(|stmt| looks.visit_stmt(stmt));
        let changes_before = !looks.assigned.is_empty();
        looks.visit_block(&inner.body);
        let mut inside = Vec::new();
        names::identifiers(inner.body.to_token_stream(), &mut inside);
        let mut header = Vec::new();
        names::identifiers(inner.expr.to_token_stream(), &mut header);
        let mut early = header.clone();
        names::identifiers(quote!(#(#before)*), &mut early);
        let lends = early.iter().chain(&inside).any(|name| own.contains(name));
        if changes_before || looks.unclear || lends {
            return None;
        }
        // A sum that goes from iteration to iteration.
        let local = |name: &Ident| lane.lets.iter().any(|of| of.name == name);
        let bound_inside = Bound::of(&inner.pat, &inner.body).names;
        if !looks
            .assigned
            .iter()
            .all(|name| local(name) || bound_inside.contains(name))
            || !looks
                .assigned
                .iter()
                .any(|name| local(name) && is_float(plan, name))
        {
            return None;
        }
        let mut state = Vec::new();
        for of in lane.lets.iter().chain(&lane.items) {
            if inside.contains(of.name) {
                if !of.copied {
                    return None;
                }
                state.push((of.name, of.changes));
            }
        }
        let common = match without_parens(&inner.expr) {
            Expr::Range(range) => {
                let ends = [range.start.as_deref(), range.end.as_deref()];
                let plain = |end: Option<&Expr>| end.is_some_and(is_plain);
                // Of other lengths in each iteration.
                if !ends.into_iter().all(plain) || lane.all().any(|name| header.contains(name)) {
                    return None;
                }
                true
            }
            header_of => {
                let chain = iteration::chain(header_of).ok()?;
                let mut collections = iteration::collections(&chain).into_iter();
                if !iteration::handed_out(&chain).is_empty()
                    || matches!(chain.base, Base::Range { .. })
                    || !collections.all(|of| names::root_of(of).is_some())
                {
                    return None;
                }
                // What an iteration has of its own would be gone by then.
                let is_own = |of: &Of<'_>| header.contains(of.name) && !(of.scalar || of.slice);
                if lane.lets.iter().chain(&lane.items).any(is_own) {
                    return None;
                }
                false
            }
        };
        let mut late = Vec::new();
        names::identifiers(quote!(#(#behind)*), &mut late);
        let rest = lane.lets.iter().chain(&lane.items);
        let rest = rest.filter(|of| late.contains(of.name) && !inside.contains(of.name));
        let rest = rest.map(|of| (of.name, of.changes)).collect();
        Some(Jam {
            pat,
            before,
            inner,
            behind,
            state,
            rest,
            common,
        })
    }

    /// The iterations of a part, if `otherwise` are those of the loop as it is.
    pub(super) fn items(&self, otherwise: &TokenStream) -> TokenStream {
        let (rt, unlinted) = (quote!(::accrue::__rt::cpu), unlinted());
        let Jam {
            pat,
            before,
            inner,
            behind,
            state,
            rest,
            common,
        } = self;
        let ExprForLoop {
            pat: inner_pat,
            expr: header,
            body: step,
            ..
        } = inner;
        let values = |of: &[(&Ident, bool)]| list(of.iter().map(|(name, _)| quote!(#name)));
        let names = |of: &[(&Ident, bool)]| {
            list(of.iter().map(|(name, changes)| match changes {
                true => quote!(mut #name),
                false => quote!(#name),
            }))
        };
        let (state, state_names) = (values(state), names(state));
        let (rest, rest_names) = (values(rest), names(rest));
        let of_lane = quote! {
            let #state_names = *__accrue_state;
            #step
            *__accrue_state = #state;
        };
        let (each, steps) = match common {
            true => (
                quote!(()),
                quote! {
                    for #inner_pat in #header {
                        for (__accrue_state, _, _) in &mut __accrue_lanes {
                            #of_lane
                        }
                    }
                },
            ),
            false => (
                quote!(::core::iter::IntoIterator::into_iter(#header)),
                quote! {
                    if #rt::Jam::is_long(&__accrue_lanes[0].1) {
                        '__accrue_steps: loop {
                            for (__accrue_state, __accrue_steps, _) in &mut __accrue_lanes {
                                match ::core::iter::Iterator::next(__accrue_steps) {
                                    ::core::option::Option::Some(#inner_pat) => { #of_lane }
                                    ::core::option::Option::None => break '__accrue_steps,
                                }
                            }
                        }
                    }
                    for (__accrue_state, __accrue_steps, _) in &mut __accrue_lanes {
                        let #state_names = *__accrue_state;
                        for #inner_pat in __accrue_steps #step
                        *__accrue_state = #state;
                    }
                },
            ),
        };
        let long = common.then(|| quote!(if #rt::Jam::is_long(&(#header))));
        quote! {
            let mut __accrue_jam = #rt::Jam::new(__accrue_part);
            #unlinted
            #long {
                let mut __accrue_items = #rt::Source::part(&__accrue_source, __accrue_jam.rest());
                while let ::core::option::Option::Some(__accrue_block) = __accrue_jam.block(&mut __accrue_items) {
                    let mut __accrue_lanes = <[_; #rt::LANES]>::map(__accrue_block, |#pat| {
                        #(#before)*
                        (#state, #each, #rest)
                    });
                    #steps
                    __accrue_jam.ends();
                    for (#state_names, _, #rest_names) in __accrue_lanes {
                        { #(#behind)* }
                        __accrue_jam.ended();
                    }
                    __accrue_jam.begins();
                }
            }
            let __accrue_part = __accrue_jam.end();
            #otherwise
        }
    }
}

/// A tuple.
fn list(of: impl Iterator<Item = TokenStream>) -> TokenStream {
    quote!((#(#of,)*))
}

/// A name that an iteration binds before its inner loop.
struct Of<'a> {
    name: &'a Ident,
    /// Whether it is `mut`.
    changes: bool,
    /// Whether it is a number, an array of numbers or a shared reference, of which a copy is as good.
    copied: bool,
    /// Whether it is a number.
    scalar: bool,
    /// Whether it is a shared slice: what is borrowed by way of it lies elsewhere.
    slice: bool,
}

impl<'a> Of<'a> {
    fn new(plan: &LoopPlan, name: &'a PatIdent, shared: bool, slice: bool) -> Of<'a> {
        let name_is = |is: fn(&LoopPlan, &Ident) -> bool| shared && is(plan, &name.ident);
        Of {
            name: &name.ident,
            changes: name.mutability.is_some(),
            copied: slice || name_is(is_number),
            scalar: name_is(is_scalar),
            slice,
        }
    }
}

/// What an iteration binds before its inner loop.
struct Lane<'a> {
    items: Vec<Of<'a>>,
    lets: Vec<Of<'a>>,
}

impl<'a> Lane<'a> {
    fn of(
        plan: &LoopPlan,
        outer: &Iteration,
        pat: &'a Pat,
        before: &'a [Stmt],
    ) -> Option<Lane<'a>> {
        let chain = &outer.chain;
        let mut lane = Lane {
            items: Vec::new(),
            lets: Vec::new(),
        };
        lane.item(plan, pat, &iteration::lent(chain), chain)?;
        for stmt in before {
            let Stmt::Local(local) = stmt else {
                return None;
            };
            let init = local
                .init
                .as_ref()
                .filter(|init| init.diverge.is_none() && local.attrs.is_empty())?;
            // A part of an array that is not the iteration's own.
            let slice = match without_parens(&init.expr) {
                Expr::Reference(e) if e.mutability.is_none() => match without_parens(&e.expr) {
                    Expr::Index(of) => names::root_of(&of.expr).is_some_and(|root| {
                        let mut own = lane.lets.iter().chain(&lane.items);
                        own.find(|of| of.name == root).is_none_or(|of| of.slice)
                    }),
                    _ => false,
                },
                _ => false,
            };
            let pat = match &local.pat {
                Pat::Type(typed) => &*typed.pat,
                pat => pat,
            };
            let pats: Vec<&Pat> = match pat {
                Pat::Tuple(tuple) => tuple.elems.iter().collect(),
                pat => vec![pat],
            };
            for pat in pats {
                let Pat::Ident(name) = pat else { return None };
                if name.by_ref.is_some() || name.subpat.is_some() {
                    return None;
                }
                let of = Of::new(plan, name, true, slice);
                lane.lets.push(of);
            }
        }
        Some(lane)
    }

    /// The names of an item.
    fn item(
        &mut self,
        plan: &LoopPlan,
        pat: &'a Pat,
        lent: &Lent,
        chain: &iteration::Chain,
    ) -> Option<()> {
        match (pat, lent) {
            (Pat::Tuple(pats), Lent::Pair(first, second)) if pats.elems.len() == 2 => {
                self.item(plan, &pats.elems[0], first, chain)?;
                self.item(plan, &pats.elems[1], second, chain)
            }
            (Pat::Ident(name), _) if name.by_ref.is_none() && name.subpat.is_none() => {
                // Whatever else stands there, rows are shared slices where nothing else is.
                let shared = matches!(lent, Lent::Nothing);
                let slice = shared && !is_scalar(plan, &name.ident) && all_are_slices(chain);
                self.items.push(Of::new(plan, name, shared, slice));
                Some(())
            }
            (Pat::Reference(of), Lent::Nothing) if of.mutability.is_none() => match &*of.pat {
                Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                    self.items.push(Of::new(plan, name, true, false));
                    Some(())
                }
                _ => None,
            },
            (Pat::Wild(_), _) => Some(()),
            _ => None,
        }
    }

    fn all(&self) -> impl Iterator<Item = &'a Ident> {
        self.lets.iter().chain(&self.items).map(|of| of.name)
    }
}

/// Whether what a chain shares are numbers of iterations and slices, all of it.
fn all_are_slices(chain: &iteration::Chain) -> bool {
    let base = matches!(
        chain.base,
        Base::Chunks(..) | Base::ChunksExact(..) | Base::Windows(..) | Base::ChunksMut(..)
    ) || matches!(
        &chain.base,
        Base::Elements {
            form: iteration::Form::Mutable,
            ..
        } | Base::Range { .. }
    );
    base && chain.adaptors.iter().all(|adaptor| match adaptor {
        iteration::Adaptor::Zip(other) => all_are_slices(other),
        iteration::Adaptor::Cloned | iteration::Adaptor::Copied => false,
        _ => true,
    })
}

fn is_scalar(plan: &LoopPlan, name: &Ident) -> bool {
    all_are(plan, name, |ty| matches!(ty, Type::Scalar(_)))
}

fn is_number(plan: &LoopPlan, name: &Ident) -> bool {
    fn is(ty: &Type) -> bool {
        match ty {
            Type::Scalar(_) => true,
            Type::Array(of, _) => is(of),
            _ => false,
        }
    }
    all_are(plan, name, is)
}

fn is_float(plan: &LoopPlan, name: &Ident) -> bool {
    all_are(plan, name, |ty| {
        matches!(ty, Type::Scalar(Scalar::F32 | Scalar::F64))
    })
}

/// What a loop's steps do.
#[derive(Default)]
struct Looks {
    /// The variables that are assigned.
    assigned: Vec<Ident>,
    /// Whether anything else is, or there are loops, whose steps would not be side by side.
    unclear: bool,
}

impl<'a> Visit<'a> for Looks {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(expr) => {
                let written = match expr {
                    Expr::Assign(e) => Some(&*e.left),
                    Expr::Binary(e) if crate::syntax::sites::is_compound(&e.op) => Some(&*e.left),
                    Expr::Reference(e) if e.mutability.is_some() => Some(expr),
                    Expr::ForLoop(_)
                    | Expr::While(_)
                    | Expr::Loop(_)
                    | Expr::Closure(_)
                    | Expr::Unsafe(_) => Some(expr),
                    _ => None,
                };
                match written.map(without_parens) {
                    Some(Expr::Path(path)) if path.path.get_ident().is_some() => {
                        self.assigned.extend(path.path.get_ident().cloned());
                    }
                    Some(_) => self.unclear = true,
                    None => {}
                }
                visit::visit_expr(self, expr);
            }
            _ => node.parts(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::parse_quote;

    use crate::tests::planned;

    /// Whether a loop over rows has its iterations side by side.
    fn jams(lets: proc_macro2::TokenStream, inner: proc_macro2::TokenStream) -> bool {
        let function = parse_quote! {
            fn rows(a: &[f32], x: &[f32], u: &[u32], y: &mut [f32], n: usize) {
                for i in 0..y.len() {
                    #lets
                    #inner
                    y[i] = sum as f32;
                }
            }
        };
        let run = super::super::run(&planned("", &function), &quote!(SITE), None);
        run.expect("it is split").to_string().contains("run_jammed")
    }

    #[test]
    fn forces_are_side_by_side() {
        let function = parse_quote! {
            fn bodies(at: &[[f32; 4]], force: &mut [[f32; 3]]) {
                for i in 0..force.len() {
                    let (mut fx, mut fy) = (0.0f32, 0.0f32);
                    for j in 0..at.len() {
                        let dx = at[j][0] - at[i][0];
                        let dy = at[j][1] - at[i][1];
                        let d = dx * dx + dy * dy + 0.01;
                        let s = at[j][3] / (d * d.sqrt());
                        fx += dx * s;
                        fy += dy * s;
                    }
                    force[i] = [fx, fy, 0.0];
                }
            }
        };
        let run = super::super::run(&planned("", &function), &quote!(SITE), None);
        assert!(run.expect("it is split").to_string().contains("run_jammed"));
    }

    #[test]
    fn sums_of_floats_are_side_by_side() {
        let sum = || quote!(let mut sum = 0.0f32;);
        let step = quote!(for k in 0..n {
            sum += a[i * n + k] * x[k];
        });
        assert!(jams(sum(), step.clone()));
        assert!(jams(
            quote!(let row = &a[i * n..(i + 1) * n]; let mut sum = 0.0f32;),
            quote!(for v in row {
                sum += v;
            })
        ));
        assert!(jams(
            quote!(let c = x[i]; let mut sum = c;),
            quote!(for (v, w) in a.iter().zip(x) {
                let d = v - w - c;
                if d > sum {
                    sum = d;
                }
            })
        ));
        // Integers the compiler takes apart.
        assert!(!jams(
            quote!(let mut sum = 0u32;),
            quote!(for k in 0..n {
                sum += u[i * n + k];
            })
        ));
        // Steps of each are not as many, or not alone.
        assert!(!jams(
            sum(),
            quote!(for k in 0..i {
                sum += a[k];
            })
        ));
        assert!(!jams(
            sum(),
            quote!(for k in 0..n {
                for v in x {
                    sum += a[k] * v;
                }
            })
        ));
        // Something else comes of it than locals.
        assert!(!jams(quote!(let mut sum = y[i];), step.clone()));
        assert!(!jams(
            sum(),
            quote!(for k in 0..n {
                sum += a[k];
                y[i] = sum;
            })
        ));
        assert!(!jams(
            quote!(let mut sum = 0.0f32; let mut v = Vec::new();),
            quote!(for k in 0..n {
                sum += a[k];
                v.push(k);
            })
        ));
        assert!(!jams(
            quote!(let row = [x[i]; 4]; let mut sum = 0.0f32;),
            quote!(for v in row.iter() {
                sum += v;
            })
        ));
        // What ends a step or an iteration.
        assert!(!jams(
            sum(),
            quote!(for k in 0..n {
                if a[k] < 0.0 {
                    break;
                }
                sum += a[k];
            })
        ));
        assert!(!jams(quote!(let mut sum = 0.0f32; let n = i;), step));
    }
}
