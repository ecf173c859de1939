//! A loop in IR, not yet judged.

use crate::sorted::{Sorted, SortedSet};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Block, Expr, ExprForLoop, Stmt};

use super::candidate::Candidate;
use super::iteration::Iteration;
use super::keyed::Keyed;
use super::once::Once;
use crate::diag::Errors;
use crate::ir::{self, SourceId, VarId};
use crate::syntax::taken::Names;
use crate::syntax::{ArraySyntax, AssignSyntax, Borrowed, Capture};

/// A loop in IR, not yet judged, with the tables that tie it to the user's syntax.
pub struct Lowered<'a> {
    /// The loop in the function.
    pub candidate: &'a Candidate<'a>,
    /// What was found wrong with it.
    pub errors: Errors,
    /// The loop; its updates are still assignments.
    pub ir: ir::Loop,
    /// The iteration syntax of each dimension.
    pub iterations: Vec<Iteration>,
    /// How many statements at the beginning of the body bind the item of each dimension.
    pub binds: Vec<usize>,
    /// What is bound before the loop, in order.
    pub once: Vec<Once>,
    /// The syntax of the captured arrays.
    pub arrays: Vec<ArraySyntax>,
    /// Captured values.
    pub captures: Vec<Capture>,
    /// The places of the scalars that the loop reduces into.
    pub reduced: Sorted<VarId, Expr>,
    /// The assignments, by the source of their statements.
    pub assignments: Sorted<SourceId, AssignSyntax>,
    /// Local variables that are declared `mut`.
    pub mutable: SortedSet<VarId>,
    /// What names were taken for.
    pub names: Names,
    /// What is called whose code is not known.
    pub unknown: Vec<String>,
    /// What it hands on to code that is not known.
    pub shared: Shared,
    /// Whether iterations may have elements of their own.
    pub any: bool,
    /// The parts of captured arrays that the body has references to.
    pub borrowed: Vec<Borrowed>,
    /// Whether its updates can only stay in the user's words.
    pub as_written: bool,
    /// The arrays that the loop iterates over with `&mut`.
    pub handed: Vec<ir::ArrayId>,
    /// Those of which the attribute says that iterations use different elements.
    pub distinct: Vec<ir::ArrayId>,
    /// The collections that the loop appends to, and does nothing else with.
    pub grown: Vec<Expr>,
    /// The maps that the loop groups by keys, and does nothing else with.
    pub keyed: Vec<Keyed>,
    /// Whether recurrences of floats may be regrouped.
    pub reassociate: bool,
    /// The labels of the loops inside, by their addresses in the user's tree.
    pub inner: Sorted<*const ExprForLoop, ir::LoopLabel>,
    /// The arrays that are exchanged behind each iteration, of a loop of steps.
    pub swaps: Vec<[ir::ArrayId; 2]>,
}

impl Lowered<'_> {
    /// Whether all that is called is known, or named in `pure(..)`: the body may then run again without being noticed.
    pub fn is_pure(&self, pure: &[syn::Ident]) -> bool {
        let named = |name: &String| pure.iter().any(|p| p == name);
        self.unknown.iter().all(named)
    }
}

/// What a loop hands on, found by looking at it.
#[derive(Clone, Debug)]
pub struct Shared {
    /// A statement that asks rustc; empty where there is nothing to ask.
    pub questions: TokenStream,
    /// What needs no question.
    pub errors: Errors,
    /// The names of `pure(..)` that it calls.
    pub called: Vec<String>,
}

/// The calls of `std::mem::swap` that a step ends with, in order.
pub fn swaps_at_the_end(body: &Block) -> Vec<&syn::ExprCall> {
    let swap = |stmt| match stmt {
        &Stmt::Expr(Expr::Call(ref call), Some(_)) => {
            let name = call.func.to_token_stream().to_string();
            let is_it = name == "std :: mem :: swap" || name == "core :: mem :: swap";
            (is_it && call.args.len() == 2).then_some(call)
        }
        _ => None,
    };
    let mut swaps: Vec<_> = body.stmts.iter().rev().map_while(swap).collect();
    swaps.reverse();
    swaps
}
