//! Arrays that are read where items say, as in `for &r in rows { let x = values[r as usize]; .. }`: which of their elements the next iterations need is known
//! before these begin. Where an iteration is long, with inner loops, a processor does not see the next ones, and waits for what memory has not sent.
//!
//! Only what is plain to see is asked for: items are elements of an array of integers, and an index is one of them.

use crate::ir::visit::Visit;
use crate::ir::{
    Access, ArrayId, Expr, ExprKind, Place, Projection, Root, Scalar, Stmt, StmtKind, Type, VarId,
};
use crate::parsed::iteration::{Adaptor, Base};
use crate::plan::LoopPlan;
use crate::sorted::SortedSet;
use crate::syntax::Shape;
use proc_macro2::TokenStream;
use quote::quote;

/// The arrays, as slices.
pub(super) fn fetched(plan: &LoopPlan) -> Vec<TokenStream> {
    let [iteration] = &plan.iterations[..] else {
        return Vec::new();
    };
    let plain = iteration
        .chain
        .adaptors
        .iter()
        .all(|a| matches!(a, Adaptor::Copied));
    if !plain || !matches!(iteration.chain.base, Base::Elements { .. }) {
        return Vec::new();
    }
    let mut walk = Walk {
        plan,
        position: plan.ir.space[0].position,
        items: SortedSet::new(),
        read: SortedSet::new(),
    };
    walk.block(&plan.ir.body.block);
    let arrays = plan.arrays.iter().zip(&plan.ir.arrays).enumerate();
    let read = arrays.filter(|(n, (syntax, array))| {
        // Of other types an element may be read, and not all of them lent.
        let lies = matches!(
            syntax.shape,
            Shape::Slice(_) | Shape::Vec(_) | Shape::Array(..)
        );
        array.access == Access::Read && lies && walk.read.contains(&ArrayId(*n as u32))
    });
    read.map(|(_, (syntax, _))| {
        let array = &syntax.expr;
        quote!(&(#array)[::accrue::__rt::ALL])
    })
    .collect()
}

struct Walk<'a> {
    plan: &'a LoopPlan,
    position: VarId,
    /// Locals that are the item.
    items: SortedSet<VarId>,
    /// Arrays of which an element is read by its number.
    read: SortedSet<ArrayId>,
}

impl Walk<'_> {
    /// Whether a value is the item, an integer.
    fn is_item(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(e) => self.is_item(e),
            ExprKind::Load(Place { root, path }) => match (root, &path[..]) {
                (Root::Var(var), []) => self.items.contains(var),
                (Root::Array(array), [Projection::Index(at)]) => {
                    let elem = &self.plan.ir.arrays[array.0 as usize].elem;
                    let integer = matches!(elem, Type::Scalar(of) if is_integer(*of));
                    let at_position = match &at.index.kind {
                        ExprKind::Load(place) => {
                            place.path.is_empty() && place.root == Root::Var(self.position)
                        }
                        _ => false,
                    };
                    integer && at.base.is_none() && at_position
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a scalar is one of the integers that an index is made of.
fn is_integer(of: Scalar) -> bool {
    matches!(of, Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize)
}

impl Visit for Walk<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(var, Some(value)) = &stmt.kind
            && self.is_item(value)
        {
            self.items.insert(*var);
        }
        self.stmt_parts(stmt);
    }

    fn load(&mut self, place: &Place) {
        if let (Root::Array(array), Some(Projection::Index(at))) = (&place.root, place.path.first())
            && at.base.is_none()
            && self.is_item(&at.index)
        {
            self.read.insert(*array);
        }
        self.place_parts(place);
    }
}
