//! Functions and structs whose code the loop was given by `uses(..)`.

use super::lower::Lower;
use crate::ir::{Expr, SourceId, StructType};

impl Lower<'_> {
    /// The struct of a path, where it is known.
    pub fn struct_type(&mut self, _path: &syn::Path) -> Option<StructType> {
        None
    }

    /// A call of a function whose code is known.
    pub fn device_call(
        &mut self,
        _path: &syn::ExprPath,
        _call: &syn::ExprCall,
        _source: SourceId,
    ) -> Option<Expr> {
        None
    }
}
