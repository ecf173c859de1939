//! The state of lowering one loop: its variables, arrays, captures and scopes. The files beside this one
//! hold what is lowered: expressions, statements, patterns, places, iterations.

use crate::sorted::{Sorted, SortedSet};

use quote::ToTokens;
use syn::spanned::Spanned;

use super::device::Known;
use super::names::{self, Key};
use super::outer::OuterScope;
use super::place::Val;
use crate::diag::{Code, Diagnostic, Errors};
use crate::infer::Infer;
use crate::ir::{
    Array, ArrayId, BinaryOp, Block, Check, DeviceFn, Expr, ExprKind, Index, Length, Literal,
    LoopLabel, Method, Opaque, Place, Projection, Root, Scalar, SourceId, Stmt, StmtKind, Type,
    Var, VarId, VarKind,
};
use crate::source::SourceMap;
use crate::syntax::definitions::Definitions;
use crate::syntax::taken::Names;
use crate::syntax::{ArraySyntax, AssignSyntax, Borrowed, Capture};

/// A captured place that the body assigns.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// The place.
    pub key: Key,
    /// Whether an element of it is assigned rather than itself.
    pub indexed: bool,
    /// Whether it is a variable of which the loop has no other use than to assign it as a whole: a value then, whatever it holds.
    pub replaced: bool,
}

/// A loop or labelled block that encloses what is being lowered, innermost last.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The user's label.
    pub label: Option<String>,
    /// The loop in the IR; `None` for a dimension of the parallel loop.
    pub target: Option<LoopLabel>,
    /// What `break` with a value gives.
    pub value: Option<Type>,
    /// A labelled block: only `break` with its label leaves it.
    pub is_block: bool,
}

/// What a name inside the loop is bound to.
struct Name {
    val: Val,
    /// Whether the name is a `&mut` reference to that place.
    handed: bool,
    /// Whether it may be no more than a shared one all the same: an item of an iteration beside `&mut` elements.
    shared: bool,
    /// Whether it is a constant's, which a pattern does not bind.
    constant: bool,
}

/// The state of lowering one loop or device function.
pub struct Lower<'a> {
    /// Where things came from.
    pub sources: &'a mut SourceMap,
    /// What was found wrong.
    pub errors: &'a mut Errors,
    /// Types.
    pub infer: Infer,
    /// What is declared outside.
    pub outer: &'a OuterScope,
    /// Functions and structs whose code is known.
    pub definitions: &'a Definitions,
    /// The device functions that were lowered.
    pub functions: Vec<DeviceFn>,
    /// The same by name, with what they need from outside.
    pub device_functions: Vec<Known>,
    /// What the body assigns outside itself.
    pub assigned: Vec<Assigned>,
    /// The number of each assignment expression, by its address in the user's tree.
    pub sites: Sorted<*const syn::Expr, usize>,
    /// The assignments, by the source of their statements.
    pub assignments: Sorted<SourceId, AssignSyntax>,
    /// Variables, by id.
    pub vars: Vec<Var>,
    /// Variables that are declared `mut`.
    pub mutable: SortedSet<VarId>,
    /// Captured arrays of which names that are `&mut` references have elements.
    pub lent: SortedSet<crate::ir::ArrayId>,
    /// Captured arrays, by id.
    pub arrays: Vec<Array>,
    /// The syntax of the captured arrays.
    pub array_syntax: Vec<ArraySyntax>,
    /// Captured values.
    pub captures: Vec<Capture>,
    /// The places of the scalars that the loop reduces into, without a dereference.
    pub reduced: Sorted<VarId, syn::Expr>,
    /// The parts of what is iterated over that are bound before the loop.
    pub once: super::once::Names,
    /// What is called whose code is not known.
    pub unknown: Vec<String>,
    /// Names that have the value of an element, `let v = x[i];`, with the element as a text.
    pub copies: Vec<(String, String)>,
    /// The device function that is lowered rather than a loop, by its number: `return` is allowed.
    pub within: Option<usize>,
    /// What names were taken for.
    pub names: Names,
    /// Whether iterations may have elements of their own, which they read and hand on as they like.
    pub any: bool,
    /// The parts of captured arrays that the body has references to.
    pub borrowed: Vec<Borrowed>,
    /// The expression that the last of these is, where it is a part of a slice.
    pub part: Option<*const syn::ExprIndex>,
    /// Names of the body that are `&mut` references to such parts.
    pub named_mut: Vec<Borrowed>,
    /// Whether its updates can only stay in the user's words: what they go through is no index.
    pub as_written: bool,
    /// The collections that the body appends to, and does nothing else with.
    pub grown: Vec<syn::Expr>,
    /// The types of their items, by their numbers, of those that something is pushed to.
    pub pushed: Sorted<usize, Type>,
    /// The statements that group maps from outside by keys, by their addresses, with what each computes of other things.
    pub keyed: Sorted<*const (), Vec<&'a syn::Expr>>,
    /// What it groups by keys in a way that cannot be merged, and why.
    pub ungrouped: Vec<(Key, String)>,
    /// Whether the loop goes in order, and those inside it are what may run in parallel.
    pub steps: bool,
    /// The labels of the loops inside, by their addresses in the user's tree.
    pub inner: Sorted<*const syn::ExprForLoop, LoopLabel>,
    /// Calls of `swap` at the end of a step, by their addresses.
    pub ending: SortedSet<*const syn::ExprCall>,
    /// Of those that have been come to, the arrays that they exchange.
    pub swaps: Vec<[ArrayId; 2]>,
    /// Comparisons of indices with lengths that have been made on every way here, by block.
    pub(super) compared: Vec<SortedSet<(String, String)>>,
    /// The `use` items of the blocks around, in the loop's body, outermost first.
    pub(super) imports: Vec<Vec<syn::Item>>,
    /// The names of other items of these blocks.
    pub(super) hidden: Vec<Vec<String>>,
    /// What the device function returns.
    pub output: Option<Type>,
    pub(super) frames: Vec<Frame>,
    pub(super) next_label: u32,
    pub(super) array_keys: Vec<(Key, ArrayId)>,
    pub(super) value_keys: Vec<(Key, VarId)>,
    scopes: Vec<Sorted<String, Name>>,
    pending: Vec<Vec<Stmt>>,
    reported: SortedSet<(Code, String)>,
}

impl<'a> Lower<'a> {
    /// A state with nothing lowered yet.
    pub fn new(
        outer: &'a OuterScope,
        definitions: &'a Definitions,
        assigned: Vec<Assigned>,
        sources: &'a mut SourceMap,
        errors: &'a mut Errors,
    ) -> Lower<'a> {
        Lower {
            sources,
            errors,
            infer: Infer::default(),
            outer,
            definitions,
            functions: Vec::new(),
            device_functions: Vec::new(),
            assigned,
            sites: Sorted::new(),
            assignments: Sorted::new(),
            vars: Vec::new(),
            mutable: SortedSet::new(),
            lent: SortedSet::new(),
            arrays: Vec::new(),
            array_syntax: Vec::new(),
            captures: Vec::new(),
            reduced: Sorted::new(),
            once: Sorted::new(),
            unknown: Vec::new(),
            copies: Vec::new(),
            within: None,
            names: Names::default(),
            any: false,
            borrowed: Vec::new(),
            part: None,
            named_mut: Vec::new(),
            as_written: false,
            grown: Vec::new(),
            pushed: Sorted::new(),
            keyed: Sorted::new(),
            ungrouped: Vec::new(),
            steps: false,
            inner: Sorted::new(),
            ending: SortedSet::new(),
            swaps: Vec::new(),
            compared: vec![SortedSet::new()],
            imports: Vec::new(),
            hidden: Vec::new(),
            output: None,
            frames: Vec::new(),
            next_label: 0,
            array_keys: Vec::new(),
            value_keys: Vec::new(),
            scopes: vec![Sorted::new()],
            pending: vec![Vec::new()],
            reported: SortedSet::new(),
        }
    }

    /// The id of a piece of source.
    pub fn source(&mut self, tokens: &(impl ToTokens + Spanned)) -> SourceId {
        self.sources.add(tokens.to_token_stream(), tokens.span())
    }

    /// Reports a finding once for each code and name.
    pub fn report_once(&mut self, about: &str, diagnostic: Diagnostic) {
        if self.reported.insert((diagnostic.code, about.to_string())) {
            self.errors.push(diagnostic);
        }
    }

    /// Whether a finding has been reported of a name.
    pub(super) fn is_reported(&self, code: Code, about: &str) -> bool {
        self.reported.contains(&(code, about.to_owned()))
    }

    // Scopes and blocks.

    /// Binds a name from here on.
    pub fn bind_name(&mut self, name: String, val: Val) {
        self.bind_as(name, val, false);
    }

    /// Binds the name of a constant that the body declares.
    pub fn bind_constant(&mut self, name: String, val: Val) {
        self.bind_as(name, val, true);
    }

    fn bind_as(&mut self, name: String, val: Val, constant: bool) {
        let of = Name {
            val,
            handed: false,
            shared: false,
            constant,
        };
        self.name(name, of);
    }

    fn name(&mut self, name: String, of: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, of);
        }
    }

    /// Binds a name that is a `&mut` reference to a place.
    pub fn bind_handed(&mut self, name: String, val: Val) {
        let root = root_of(&val);
        if let Some(crate::ir::Root::Array(id)) = root {
            self.lent.insert(id);
        }
        // While an iteration lends out an array, nobody has another reference to it.
        let is_shared = |of: &Name| of.shared && root_of(&of.val) == root;
        let shared = self
            .scopes
            .iter()
            .any(|scope| scope.values().any(is_shared));
        let of = Name {
            val,
            handed: true,
            shared,
            constant: false,
        };
        self.name(name, of);
    }

    /// Notes that a pattern's names are items, or parts of one, of an iteration of which nothing says that it lends `&mut` elements.
    pub fn share(&mut self, pat: &syn::Pat) {
        for name in super::names::bound_names(pat) {
            let scope = self.scopes.last_mut();
            if let Some(of) = scope.and_then(|scope| scope.get_mut(&name.to_string())) {
                of.shared = true;
            }
        }
    }

    /// Whether a name is a `&mut` reference for certain.
    pub fn is_mutable_reference(&self, name: &str) -> bool {
        self.named(name).is_some_and(|of| of.handed && !of.shared)
    }

    /// Whether a place is of captured memory that the body writes.
    pub fn is_written(&self, place: &crate::ir::Place) -> bool {
        self.is_root_written(place.root)
    }

    /// Whether it is captured memory that the body writes.
    pub fn is_root_written(&self, root: Root) -> bool {
        let Root::Array(id) = root else {
            return false;
        };
        let key = super::names::key_of(&self.array_syntax[id.0 as usize].expr);
        self.lent.contains(&id) || key.is_some_and(|(key, _)| self.assigns(&key).is_some())
    }

    /// Whether an expression is a `&mut` reference, or a name for one: what a pattern binds of it are references too. Not one to captured memory, which is not
    /// known to be written where its name is not what is assigned.
    pub fn hands_out(&self, e: &syn::Expr) -> bool {
        match crate::syntax::without_parens(e) {
            syn::Expr::Reference(of) => {
                let root = super::names::root_of(&of.expr);
                of.mutability.is_some()
                    && root.is_some_and(|root| self.local(&root.to_string()).is_some())
            }
            syn::Expr::Path(path) => {
                let name = path.path.get_ident();
                name.is_some_and(|name| self.is_handed(&name.to_string()))
            }
            _ => false,
        }
    }

    /// What a name is bound to inside the loop.
    pub fn local(&self, name: &str) -> Option<&Val> {
        self.named(name).map(|of| &of.val)
    }

    /// Whether a name is a `&mut` reference to the place that it is bound to.
    pub fn is_handed(&self, name: &str) -> bool {
        self.named(name).is_some_and(|of| of.handed)
    }

    /// Whether a name in a pattern is a constant's. No variable can hide one; of what is declared outside the function the spelling has to say it.
    pub fn is_constant(&self, ident: &syn::Ident) -> bool {
        let name = ident.to_string();
        match (self.named(&name), self.outer.get(&name)) {
            (Some(of), _) => of.constant,
            (None, Some(outer)) => outer.constant,
            (None, None) => names::is_constant_like(ident),
        }
    }

    fn named(&self, name: &str) -> Option<&Name> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Adds a statement before what is being lowered.
    pub fn push(&mut self, kind: StmtKind, source: SourceId) {
        if let Some(stmts) = self.pending.last_mut() {
            stmts.push(Stmt { kind, source });
        }
    }

    /// How many statements the current block has so far.
    pub fn pushed(&self) -> usize {
        self.pending.last().map_or(0, Vec::len)
    }

    /// Lowers into a block of its own, with a scope of its own.
    pub fn block(&mut self, f: impl FnOnce(&mut Self) -> Option<Expr>) -> Block {
        self.scopes.push(Sorted::new());
        self.pending.push(Vec::new());
        self.compared.push(SortedSet::new());
        let tail = f(self);
        self.compared.pop();
        self.scopes.pop();
        let stmts = self.pending.pop().unwrap_or_default();
        Block {
            stmts,
            tail: tail.map(Box::new),
        }
    }

    /// Lowers something for its type only: nothing of it stays, and nothing is reported.
    pub fn in_vain<R>(&mut self, lower: impl FnOnce(&mut Self) -> R) -> R {
        let compared = self.compared.clone();
        let before = (
            std::mem::take(self.errors),
            self.reported.clone(),
            self.unknown.len(),
            self.pushed(),
            [self.vars.len(), self.captures.len(), self.value_keys.len()],
            [
                self.arrays.len(),
                self.array_keys.len(),
                self.borrowed.len(),
                self.named_mut.len(),
            ],
        );
        let result = lower(self);
        let (
            errors,
            reported,
            unknown,
            pending,
            [vars, captures, value_keys],
            [arrays, array_keys, borrowed, named_mut],
        ) = before;
        *self.errors = errors;
        self.reported = reported;
        self.unknown.truncate(unknown);
        if let Some(stmts) = self.pending.last_mut() {
            stmts.truncate(pending);
        }
        self.vars.truncate(vars);
        self.captures.truncate(captures);
        self.value_keys.truncate(value_keys);
        self.arrays.truncate(arrays);
        self.array_syntax.truncate(arrays);
        self.array_keys.truncate(array_keys);
        self.borrowed.truncate(borrowed);
        self.named_mut.truncate(named_mut);
        self.compared = compared;
        result
    }

    // Variables.

    /// A new variable.
    pub fn var(
        &mut self,
        name: impl Into<String>,
        ty: Type,
        kind: VarKind,
        source: SourceId,
    ) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(Var {
            name: name.into(),
            ty,
            kind,
            source,
        });
        id
    }

    /// The value of a variable.
    pub fn load(&self, var: VarId, source: SourceId) -> Expr {
        Expr {
            ty: self.vars[var.0 as usize].ty.clone(),
            kind: ExprKind::Load(Place {
                root: Root::Var(var),
                path: Vec::new(),
            }),
            source,
        }
    }

    /// The value in a form that can be evaluated anywhere later with the same result: itself if nothing
    /// can change it, else a new variable.
    pub fn freeze(&mut self, expr: Expr, name: &str) -> Expr {
        if self.is_fixed(&expr) {
            return expr;
        }
        let source = expr.source;
        let var = self.var(name, expr.ty.clone(), VarKind::Local, source);
        self.push(StmtKind::Let(var, Some(expr)), source);
        self.load(var, source)
    }

    fn is_fixed(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) => path.is_empty() && !self.mutable.contains(var),
            _ => false,
        }
    }

    // Small expressions.

    /// An expression.
    pub fn make(&self, kind: ExprKind, ty: impl Into<Type>, source: SourceId) -> Expr {
        Expr {
            kind,
            ty: ty.into(),
            source,
        }
    }

    /// A `usize` literal.
    pub fn usize(&self, value: u64, source: SourceId) -> Expr {
        self.make(
            ExprKind::Literal(Literal::Int(i128::from(value))),
            Scalar::Usize,
            source,
        )
    }

    /// The unit value.
    pub fn unit(&self, source: SourceId) -> Expr {
        self.make(ExprKind::Block(Block::default()), Type::Unit, source)
    }

    /// `a op b` of `usize`, with the neutral cases folded.
    pub fn arithmetic(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let (x, y) = (int_value(&a), int_value(&b));
        let folded = match (op, x, y) {
            (BinaryOp::Add, Some(x), Some(y)) => x.checked_add(y),
            (BinaryOp::Mul, Some(x), Some(y)) => x.checked_mul(y),
            _ => None,
        };
        let source = a.source;
        match (op, x, y) {
            _ if folded.is_some() => self.make(
                ExprKind::Literal(Literal::Int(folded.unwrap_or_default())),
                a.ty,
                source,
            ),
            (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) | (BinaryOp::Mul, _, Some(1)) => a,
            (BinaryOp::Add, Some(0), _) | (BinaryOp::Mul, Some(1), _) => b,
            _ => {
                let ty = if op.is_comparison() {
                    Type::Scalar(Scalar::Bool)
                } else {
                    a.ty.clone()
                };
                self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, source)
            }
        }
    }

    /// A method call on `usize` values.
    pub fn usize_method(&self, method: Method, a: Expr, b: Expr) -> Expr {
        let source = a.source;
        let ty = a.ty.clone();
        self.make(ExprKind::Method(method, vec![a, b]), ty, source)
    }

    /// `expr as ty`; nothing where the type is the same already.
    pub fn cast(&self, expr: Expr, ty: impl Into<Type>) -> Expr {
        let ty = ty.into();
        if self.infer.resolve(&expr.ty) == ty {
            return expr;
        }
        let source = expr.source;
        self.make(ExprKind::Cast(Box::new(expr)), ty, source)
    }

    /// `if cond { a } else { b }` of values.
    pub fn select(&self, cond: Expr, a: Expr, b: Expr) -> Expr {
        let (ty, source) = (a.ty.clone(), cond.source);
        let block = |e| Block {
            stmts: Vec::new(),
            tail: Some(Box::new(e)),
        };
        self.make(
            ExprKind::If(Box::new(cond), block(a), Some(block(b))),
            ty,
            source,
        )
    }

    /// Something that only rustc understands, without parts.
    pub fn opaque_expr(
        &self,
        why: impl Into<String>,
        help: Option<&str>,
        source: SourceId,
    ) -> Expr {
        self.make(
            ExprKind::Opaque(Opaque {
                why: why.into(),
                help: help.map(str::to_string),
                ..Opaque::default()
            }),
            Type::Opaque(None),
            source,
        )
    }

    /// The number of elements of a fixed-size array.
    pub fn length_expr(&self, len: &Length, source: SourceId) -> Expr {
        match len {
            Length::Known(n) => self.usize(*n, source),
            Length::Captured(var) => self.load(*var, source),
        }
    }

    /// An index projection.
    pub fn projection(&self, index: Expr, base: Option<Expr>, check: Check) -> Projection {
        Projection::Index(Box::new(Index { index, base, check }))
    }
}

/// The value of an integer literal.
pub fn int_value(expr: &Expr) -> Option<i128> {
    match expr.kind {
        ExprKind::Literal(Literal::Int(v)) => Some(v),
        _ => None,
    }
}

/// What a place is a part of.
fn root_of(val: &Val) -> Option<Root> {
    match val {
        Val::Place(place, _) => Some(place.root),
        Val::View(view) => Some(view.root),
        _ => None,
    }
}
