//! `#[sequential]` before a `for`: the loop stays as it is, and those inside it are looked at.
//!
//! rustc knows no such attribute, so the marks are taken out of the function before anything of it is emitted.

use std::collections::HashSet;

use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, ExprForLoop, ItemFn};

/// Takes the marks out of a function: the numbers of the loops that had one, in the order in which `syn::visit`
/// enters them.
pub fn take(function: &mut ItemFn) -> HashSet<usize> {
    let mut taker = Taker {
        next: 0,
        marked: HashSet::new(),
    };
    taker.visit_block_mut(&mut function.block);
    taker.marked
}

struct Taker {
    next: usize,
    marked: HashSet<usize>,
}

impl VisitMut for Taker {
    fn visit_expr_for_loop_mut(&mut self, e: &mut ExprForLoop) {
        let before = e.attrs.len();
        e.attrs.retain(|attribute| !is_mark(attribute));
        if e.attrs.len() < before {
            self.marked.insert(self.next);
        }
        self.next += 1;
        visit_mut::visit_expr_for_loop_mut(self, e);
    }
}

/// Whether an attribute is `#[sequential]`, by that name or through the crate.
fn is_mark(attribute: &Attribute) -> bool {
    let mut names = attribute
        .path()
        .segments
        .iter()
        .map(|s| s.ident.to_string());
    match (names.next().as_deref(), names.next().as_deref()) {
        (Some("sequential"), None) => true,
        (Some("accrue"), Some("sequential")) => names.next().is_none(),
        _ => false,
    }
}
