//! Which captured values a loop uses. The table of variables keeps others too: values that the front end met and that
//! only helped to find types.

use crate::sorted::SortedSet;

use super::visit::Visit;
use super::{Expr, ExprKind, Extent, Length, Loop, Place, Root, Type, VarId, VarKind};

impl Loop {
    /// The captured values that the body, the counts or a type use, in the order of their declaration. The host
    /// evaluates these before a launch and no others.
    pub fn used_captures(&self) -> Vec<VarId> {
        let mut used = Used(SortedSet::new());
        used.block(&self.body.block);
        for dim in &self.space {
            used.expr(&dim.count);
        }
        for array in &self.arrays {
            if let Extent::Fixed(Length::Captured(var)) = array.extent {
                used.0.insert(var);
            }
            used.lengths(&array.elem);
        }
        for var in &self.body.vars {
            used.lengths(&var.ty);
        }
        let captured = self.body.vars.iter().enumerate();
        captured
            .filter(|(_, var)| var.kind == VarKind::Captured)
            .map(|(id, _)| VarId(id as u32))
            .filter(|id| used.0.contains(id))
            .collect()
    }
}

struct Used(SortedSet<VarId>);

impl Used {
    fn lengths(&mut self, ty: &Type) {
        match ty {
            Type::Array(elem, len) => {
                if let Length::Captured(var) = len {
                    self.0.insert(*var);
                }
                self.lengths(elem);
            }
            Type::Tuple(parts) => parts.iter().for_each(|part| self.lengths(part)),
            _ => {}
        }
    }
}

impl Visit for Used {
    fn load(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.0.insert(var);
        }
        self.place_parts(place);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Opaque(opaque) = &expr.kind {
            self.0.extend(&opaque.vars);
        }
        self.lengths(&expr.ty);
        self.expr_parts(expr);
    }
}
