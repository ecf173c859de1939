//! Arrays that every step reads at its own position, as in `for i in 0..n { bins[keys[i] as usize] += weights[i] }`.
//!
//! The loop of a part is a function of its own, in which the compiler no longer sees that `keys[i]` lies within `keys`: two comparisons for each array, of
//! some ten instructions. So the runtime cuts these arrays to the part, and steps read what it has cut. Of nested loops each has arrays of its own: `xs[i]` and `cosines[t]`.
//!
//! A part that an array is too short for panics in the loop anyway, since each of its steps reads it. So only arrays are cut that are read
//! whatever a step does; where this file takes one for that which is not, the call goes in order, and no result is another.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{BinOp, Block, Expr, Ident};

use super::space::{self, is_at, position, tokens};
use crate::ir::{Access, Type};
use crate::plan::LoopPlan;
use crate::syntax::Shape;
use crate::syntax::names::{self, root_of};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

/// A step and the arrays that are cut for it.
pub(super) struct Along {
    /// Of each loop of the space, the outermost first.
    pub(super) cut: Vec<Cut>,
    /// The step that reads what was cut.
    pub(super) step: Block,
}

/// The arrays that are read at the position of a loop.
#[derive(Default)]
pub(super) struct Cut {
    /// What slices are made of.
    pub(super) slices: Vec<TokenStream>,
    /// Their names in the step.
    pub(super) names: Vec<Ident>,
    /// Whether all have elements that are scalars.
    scalars: bool,
}

impl Along {
    /// Of a step, if it reads any.
    pub(super) fn new(plan: &LoopPlan, step: &Block) -> Option<Along> {
        let mut along = Along {
            cut: Vec::new(),
            step: step.clone(),
        };
        let loops = &plan.iterations[..super::dimensions(plan)];
        if loops.len() > 2 {
            return None;
        }
        let body = &space::innermost(plan).body;
        let bound = Bound::of(&loops[0].pat, &plan.syntax.body);
        for iteration in loops {
            let position = position(plan, &iteration.chain, &iteration.pat);
            let cut = position
                .filter(|position| !bound.unclear && bound.once(position))
                .map(|position| along.cut(plan, position, body, &bound));
            along.cut.push(cut.unwrap_or_default());
        }
        let reads = along.cut.iter().any(|cut| !cut.names.is_empty());
        reads.then_some(along)
    }

    /// Cuts the arrays that are read at a position, whatever else the body does.
    fn cut(&mut self, plan: &LoopPlan, position: &Ident, body: &Block, bound: &Bound) -> Cut {
        let mut always = Always {
            position,
            read: Vec::new(),
        };
        always.visit_block(body);
        let arrays = plan.arrays.iter().zip(&plan.ir.arrays);
        let read: Vec<_> = arrays
            .filter(|(syntax, array)| {
                array.access == Access::Read
                    && matches!(syntax.shape, Shape::Slice(_) | Shape::Vec(_))
                    && always.read.contains(&tokens(&syntax.expr))
                    && root_of(&syntax.expr).is_some_and(|root| !bound.names.contains(root))
            })
            .collect();
        let is_scalar = |elem: &Type| matches!(elem, Type::Scalar(_));
        let scalars = read.iter().all(|(_, array)| is_scalar(&array.elem));
        let read: Vec<_> = read.iter().map(|(syntax, _)| &syntax.expr).collect();
        let level = self.cut.len();
        let names: Vec<_> = (0..read.len())
            .map(|n| match level {
                0 => format_ident!("__accrue_along_{n}"),
                _ => format_ident!("__accrue_across_{n}"),
            })
            .collect();
        Rename {
            position,
            arrays: read.iter().copied().map(tokens).collect(),
            names: &names,
        }
        .visit_block_mut(&mut self.step);
        let slices = read
            .iter()
            .map(|array| quote!(&(#array)[::accrue::__rt::ALL]));
        Cut {
            slices: slices.collect(),
            names,
            scalars,
        }
    }
}

/// The array that every iteration reads at its position, if that is all that it does with the position and the body can do nothing else by it.
pub(super) fn alone(plan: &LoopPlan) -> Option<TokenStream> {
    let [iteration] = &plan.iterations[..] else {
        return None;
    };
    let along = Along::new(plan, &space::innermost(plan).body)?;
    let position = position(plan, &iteration.chain, &iteration.pat)?;
    let mut mentioned = Vec::new();
    names::identifiers(along.step.to_token_stream(), &mut mentioned);
    let times = |name: &Ident| mentioned.iter().filter(|other| *other == name).count();
    let [cut] = &along.cut[..] else {
        return None;
    };
    match (&cut.slices[..], &cut.names[..]) {
        // Each time it is mentioned behind a mention of the array, which is for nothing else.
        ([array], [name]) if cut.scalars && times(position) == times(name) => Some(array.clone()),
        _ => None,
    }
}

/// The arrays that are read at a position in every run of a block.
struct Always<'a> {
    position: &'a Ident,
    read: Vec<String>,
}

impl<'a> Visit<'a> for Always<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(expr) => match expr {
                Expr::If(branch) => self.visit_expr(&branch.cond),
                Expr::Match(choice) => self.visit_expr(&choice.expr),
                Expr::Binary(both) if matches!(both.op, BinOp::And(_) | BinOp::Or(_)) => {
                    self.visit_expr(&both.left);
                }
                Expr::ForLoop(inner) => self.visit_expr(&inner.expr),
                Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) | Expr::Async(_) => {}
                _ => visit::visit_expr(self, expr),
            },
            visit::Node::ExprIndex(index) => {
                if is_at(&index.index, self.position) {
                    self.read.push(tokens(&index.expr));
                }
                visit::visit_expr_index(self, index);
            }
            _ => node.parts(self),
        }
    }
}

/// What a loop's pattern and body bind.
#[derive(Default)]
pub(super) struct Bound {
    /// Every name that is bound anywhere in them, as often as it is.
    pub(super) names: Vec<Ident>,
    /// Whether a step may end before its end, or names may come from where nobody sees them.
    unclear: bool,
}

impl Bound {
    pub(super) fn of(pat: &syn::Pat, body: &Block) -> Bound {
        let mut bound = Bound::default();
        bound.visit_pat(pat);
        bound.visit_block(body);
        bound
    }

    /// Whether a step may end before its end, or names may come from where nobody sees them.
    pub(super) fn is_unclear(&self) -> bool {
        self.unclear
    }

    /// Whether a name is bound in one place.
    pub(super) fn once(&self, name: &Ident) -> bool {
        self.names.iter().filter(|other| *other == name).count() == 1
    }
}

impl<'a> Visit<'a> for Bound {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(expr) => {
                self.unclear |= matches!(
                    expr,
                    Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) | Expr::Try(_)
                );
                visit::visit_expr(self, expr);
            }
            visit::Node::PatIdent(pat) => {
                self.names.push(pat.ident.clone());
                visit::visit_pat_ident(self, pat);
            }
            visit::Node::Macro(_) => {
                self.unclear = true;
            }
            visit::Node::Item(_) => {
                self.unclear = true;
            }
            _ => node.parts(self),
        }
    }
}

/// Writes the names of what was cut where arrays are read at the position.
struct Rename<'a> {
    position: &'a Ident,
    arrays: Vec<String>,
    names: &'a [Ident],
}

impl VisitMut for Rename<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprIndex(index) => {
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
            _ => node.parts(self),
        }
    }
}
