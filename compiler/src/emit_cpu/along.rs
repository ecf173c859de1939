//! Arrays that every step reads at its own position, as in `for i in 0..n { bins[keys[i] as usize] += weights[i] }`.
//!
//! The loop of a part is a function of its own, in which the compiler no longer sees that `keys[i]` lies within `keys`: two comparisons for each array, of
//! some ten instructions. So the runtime cuts these arrays to the part, and steps read what it has cut.
//!
//! A part that an array is too short for panics in the loop anyway, since each of its steps reads it. So only arrays are cut that are read
//! whatever a step does; where this file takes one for that which is not, the call goes in order, and no result is another.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{BinOp, Block, Expr, Ident};

use super::space::{self, Indexed, is_at, position, tokens};
use crate::ir::Access;
use crate::plan::LoopPlan;
use crate::syntax::Shape;
use crate::syntax::names::root_of;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

/// The arrays as slices, and the names by which a step reads them.
pub(super) struct Along {
    /// What the slices are made of.
    pub(super) slices: Vec<TokenStream>,
    /// Their names in the step.
    pub(super) names: Vec<Ident>,
    /// The step that reads them.
    pub(super) step: Block,
}

impl Along {
    /// Of a step, if it reads any.
    pub(super) fn new(plan: &LoopPlan, step: &Block) -> Option<Along> {
        let [iteration] = &plan.iterations[..] else {
            return None;
        };
        let position = position(plan, &iteration.chain, &iteration.pat)?;
        let body = &space::innermost(plan).body;
        let mut always = Always {
            position,
            read: Vec::new(),
            bound: Vec::new(),
            unclear: false,
        };
        always.visit_block(body);
        let mut bound = Bound(&mut always);
        bound.visit_pat(&iteration.pat);
        bound.visit_block(body);
        let positions = always.bound.iter().filter(|name| *name == position);
        if always.unclear || positions.count() != 1 {
            return None;
        }
        let arrays = plan.arrays.iter().zip(&plan.ir.arrays);
        let along: Vec<_> = arrays
            .filter(|(syntax, array)| {
                array.access == Access::Read
                    && matches!(syntax.shape, Shape::Slice(_) | Shape::Vec(_))
                    && always.read.contains(&tokens(&syntax.expr))
                    && root_of(&syntax.expr).is_some_and(|root| !always.bound.contains(root))
            })
            .map(|(syntax, _)| &syntax.expr)
            .collect();
        if along.is_empty() {
            return None;
        }
        let names: Vec<_> = (0..along.len())
            .map(|n| format_ident!("__accrue_along_{n}"))
            .collect();
        let mut step = step.clone();
        Rename {
            position,
            arrays: along.iter().map(|array| tokens(array)).collect(),
            names: &names,
        }
        .visit_block_mut(&mut step);
        let slices = along
            .iter()
            .map(|array| quote!(&(#array)[::accrue::__rt::ALL]));
        Some(Along {
            slices: slices.collect(),
            names,
            step,
        })
    }
}

/// A loop over a part, whose arrays are cut to it where its body indexes them by the position: comparisons that the compiler can do without. Items
/// beyond the end of one of them are left to the loop as it is.
pub(super) struct Cut {
    /// How long the arrays are.
    pub(super) lens: Vec<TokenStream>,
    /// Binds what was cut, to `__accrue_end`.
    pub(super) binds: TokenStream,
    /// The body that takes it.
    pub(super) body: Block,
}

/// A body of more statements and expressions is worth no second copy.
const SHORT: usize = 60;

impl Cut {
    /// Of a body without loops, in which the names of `own` stand for what iterations have elements of.
    pub(super) fn new(plan: &LoopPlan, body: &Block, own: &[Ident]) -> Option<Cut> {
        let [iteration] = &plan.iterations[..] else {
            return None;
        };
        let position = position(plan, &iteration.chain, &iteration.pat)?;
        let mut size = Size::default();
        size.visit_block(body);
        if size.loops || size.expressions > SHORT {
            return None;
        }
        let mut bound = Always {
            position,
            read: Vec::new(),
            bound: Vec::new(),
            unclear: false,
        };
        let mut visit = Bound(&mut bound);
        visit.visit_pat(&iteration.pat);
        visit.visit_block(body);
        let positions = bound.bound.iter().filter(|name| *name == position);
        if size.unclear || positions.count() != 1 {
            return None;
        }
        let mut indexed = Indexed {
            position,
            arrays: Vec::new(),
        };
        indexed.visit_block(body);
        let is_clear = |root: Option<&Ident>| root.is_some_and(|root| !bound.bound.contains(root));
        let arrays = plan.arrays.iter().zip(&plan.ir.arrays);
        let read = arrays.filter(|(syntax, array)| {
            array.access == Access::Read
                && matches!(syntax.shape, Shape::Slice(_) | Shape::Vec(_))
                && indexed.arrays.contains(&tokens(&syntax.expr))
                && is_clear(root_of(&syntax.expr))
        });
        let read = read.map(|(syntax, _)| {
            let array = &syntax.expr;
            let slice = quote!((#array)[::accrue::__rt::ALL]);
            (
                tokens(array),
                quote!(<[_]>::len(&#slice)),
                quote!(let),
                quote!(&#slice[..__accrue_end]),
            )
        });
        let own = own
            .iter()
            .filter(|name| indexed.arrays.contains(&name.to_string()) && is_clear(Some(name)));
        let own = own.map(|name| {
            (
                name.to_string(),
                quote!(#name.len()),
                quote!(let mut),
                quote!(#name.first(__accrue_end)),
            )
        });
        let all: Vec<_> = read.chain(own).collect();
        if all.is_empty() {
            return None;
        }
        let names: Vec<_> = (0..all.len())
            .map(|n| format_ident!("__accrue_along_{n}"))
            .collect();
        let mut body = body.clone();
        Rename {
            position,
            arrays: all.iter().map(|(array, ..)| array.clone()).collect(),
            names: &names,
        }
        .visit_block_mut(&mut body);
        let binds = all
            .iter()
            .zip(&names)
            .map(|((.., bind, cut), name)| quote!(#bind #name = #cut;));
        Some(Cut {
            binds: binds.collect(),
            lens: all.iter().map(|(_, len, ..)| len.clone()).collect(),
            body,
        })
    }
}

/// How large a body is.
#[derive(Default)]
struct Size {
    expressions: usize,
    loops: bool,
    /// Whether names may come from where nobody sees them.
    unclear: bool,
}

impl<'a> Visit<'a> for Size {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.expressions += 1;
        self.loops |= matches!(expr, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, _: &'a syn::Macro) {
        self.unclear = true;
    }

    fn visit_item(&mut self, _: &'a syn::Item) {
        self.unclear = true;
    }
}

/// The arrays that are read at a position in every run of a block.
struct Always<'a> {
    position: &'a Ident,
    read: Vec<String>,
    /// Every name that is bound anywhere in it.
    bound: Vec<Ident>,
    /// Whether a step may end before its end, or names may come from where nobody sees them.
    unclear: bool,
}

impl<'a> Visit<'a> for Always<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::If(branch) => self.visit_expr(&branch.cond),
            Expr::Match(choice) => self.visit_expr(&choice.expr),
            Expr::Binary(both) if matches!(both.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.visit_expr(&both.left);
            }
            Expr::ForLoop(inner) => self.visit_expr(&inner.expr),
            Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) | Expr::Async(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_expr_index(&mut self, index: &'a syn::ExprIndex) {
        if is_at(&index.index, self.position) {
            self.read.push(tokens(&index.expr));
        }
        visit::visit_expr_index(self, index);
    }
}

/// What is bound in a block, and what ends it early.
struct Bound<'b, 'a>(&'b mut Always<'a>);

impl<'a> Visit<'a> for Bound<'_, 'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if matches!(
            expr,
            Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) | Expr::Try(_)
        ) {
            self.0.unclear = true;
        }
        visit::visit_expr(self, expr);
    }

    fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
        self.0.bound.push(pat.ident.clone());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, _: &'a syn::Macro) {
        self.0.unclear = true;
    }

    fn visit_item(&mut self, _: &'a syn::Item) {
        self.0.unclear = true;
    }
}

/// Writes the names of what was cut where arrays are read at the position.
struct Rename<'a> {
    position: &'a Ident,
    arrays: Vec<String>,
    names: &'a [Ident],
}

impl VisitMut for Rename<'_> {
    fn visit_expr_index_mut(&mut self, index: &mut syn::ExprIndex) {
        visit_mut::visit_expr_index_mut(self, index);
        if !is_at(&index.index, self.position) {
            return;
        }
        let array = tokens(&index.expr);
        if let Some(n) = self.arrays.iter().position(|other| *other == array) {
            let name = &self.names[n];
            *index.expr = syn::parse_quote!(#name);
        }
    }
}
