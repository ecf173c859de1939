//! Which elements of captured arrays the iterations of an outermost position access: what a device has to be given that runs some of
//! them, while the arrays are larger than its memory, or while other devices run the rest.
//!
//! Known is what [`affine`](super::affine) reads. An array that is accessed at an index which is no affine form, a table that is looked
//! up say, may be accessed anywhere.

use crate::sorted::SortedSet;

use super::affine::Accesses;
use crate::dependence::Affine;
use crate::ir::visit::Visit;
use crate::ir::{Access, ArrayId, ArrayReach, Guard, Loop, Reach, Root, Stmt, StmtKind, VarId};

/// The arrays of a detected loop, as kernels take it, whose every access is known.
pub(super) fn find(ir: &Loop, mutable: &SortedSet<VarId>) -> Reach {
    if ir.space.is_empty() || !ir.opaque_parts().is_empty() {
        return Reach::default();
    }
    let all = Accesses::new(ir, mutable, &[]);
    let mut updated = Updated::default();
    updated.block(&ir.body.block);
    let arrays = ir.arrays.iter().enumerate();
    let arrays = arrays.filter_map(|(id, array)| {
        if !matches!(array.access, Access::Read | Access::Owned) {
            return None;
        }
        let array = ArrayId(id as u32);
        let mut forms: Vec<Affine> = Vec::new();
        let mut read = updated.0.contains(&array);
        for found in all.found.iter().filter(|found| found.array == array) {
            let form = found.access.indices.first()?.clone()?;
            if !forms.contains(&form) {
                forms.push(form);
            }
            read |= !found.writes;
        }
        (!forms.is_empty()).then_some(ArrayReach { array, forms, read })
    });
    let arrays: Vec<ArrayReach> = arrays.collect();
    let within = all.required(|array| arrays.iter().any(|reach| reach.array == array));
    Reach {
        arrays,
        guard: Guard {
            given: all.given,
            extents: all.extents,
            within,
            conditions: Vec::new(),
        },
    }
}

/// The arrays of which elements are assigned with an operator, which reads them.
#[derive(Default)]
struct Updated(SortedSet<ArrayId>);

impl Visit for Updated {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Compound(place, ..) = &stmt.kind
            && let Root::Array(array) = place.root
        {
            self.0.insert(array);
        }
        self.stmt_parts(stmt);
    }
}
