//! What a lowered loop is: one file for each pattern, with the reasons for refusing.

pub mod histogram;
mod injective;
mod place;
mod reads;
mod update;

use std::collections::HashSet;

use crate::ir::{Loop, VarId};
use crate::parse::lower::AssignSyntax;
use crate::source::SourceMap;

/// What the detector is told of a loop beside its IR.
pub struct Context<'a> {
    /// Where everything came from.
    pub sources: &'a SourceMap,
    /// The assignments, by the source of their statements.
    pub assignments: &'a std::collections::HashMap<crate::ir::SourceId, AssignSyntax>,
    /// Local variables that are declared `mut`.
    pub mutable: &'a HashSet<VarId>,
}

impl Context<'_> {
    /// Where a piece of IR stands.
    pub fn span(&self, source: crate::ir::SourceId) -> proc_macro2::Span {
        self.sources.get(source).span
    }

    /// The text of a piece of IR.
    pub fn text(&self, source: crate::ir::SourceId) -> &str {
        &self.sources.get(source).text
    }
}

/// The name of what a memory is.
pub fn name_of(ir: &Loop, memory: crate::ir::Memory) -> &str {
    match memory {
        crate::ir::Memory::Bins(id) => &ir.array(id).name,
        crate::ir::Memory::Scalar(id) => &ir.var(id).name,
    }
}
