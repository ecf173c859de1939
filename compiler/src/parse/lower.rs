//! The state of lowering one loop: its variables, arrays, captures and scopes. The files beside this one
//! hold what is lowered: expressions, statements, patterns, places, iterations.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

use super::device::Known;
use super::names::Key;
use super::outer::{Outer, OuterScope};
use super::place::{Len, Val, View};
use crate::device::Definitions;
use crate::diag::{Code, Diagnostic, Errors};
use crate::infer::Infer;
use crate::ir::{
    Access, Array, ArrayId, BinaryOp, Block, Check, DeviceFn, Expr, ExprKind, Extent, Index,
    Length, Literal, LoopLabel, Opaque, Place, Projection, Root, Scalar, SourceId, Stmt, StmtKind,
    Type, Var, VarId, VarKind,
};
use crate::plan::{ArraySyntax, Capture, Shape};
use crate::source::SourceMap;

/// A captured place that the body assigns.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// The place.
    pub key: Key,
    /// Whether an element of it is assigned rather than itself.
    pub indexed: bool,
}

/// An assignment as the user wrote it.
#[derive(Clone, Debug)]
pub struct AssignSyntax {
    /// Its site number.
    pub site: usize,
    /// The operator's token.
    pub operator: Span,
    /// The left side names the target and its indices, nothing in between.
    pub direct: bool,
}

/// A loop that encloses what is being lowered, innermost last.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The user's label.
    pub label: Option<String>,
    /// The loop in the IR; `None` for a dimension of the parallel loop.
    pub target: Option<LoopLabel>,
    /// What `break` with a value gives.
    pub value: Option<Type>,
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
    pub sites: HashMap<*const syn::Expr, usize>,
    /// The assignments, by the source of their statements.
    pub assignments: HashMap<SourceId, AssignSyntax>,
    /// Variables, by id.
    pub vars: Vec<Var>,
    /// Variables that are declared `mut`.
    pub mutable: HashSet<VarId>,
    /// Captured arrays, by id.
    pub arrays: Vec<Array>,
    /// The syntax of the captured arrays.
    pub array_syntax: Vec<ArraySyntax>,
    /// Captured values.
    pub captures: Vec<Capture>,
    /// The places of the scalars that the loop reduces into, without a dereference.
    pub reduced: HashMap<VarId, syn::Expr>,
    /// Whether all code that is called is known.
    pub pure: bool,
    /// A device function is lowered rather than a loop: `return` is allowed.
    pub in_function: bool,
    /// What the device function returns.
    pub output: Option<Type>,
    pub(super) frames: Vec<Frame>,
    pub(super) next_label: u32,
    array_keys: Vec<(Key, ArrayId)>,
    value_keys: Vec<(Key, VarId)>,
    scopes: Vec<HashMap<String, Val>>,
    pending: Vec<Vec<Stmt>>,
    reported: HashSet<(Code, String)>,
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
            sites: HashMap::new(),
            assignments: HashMap::new(),
            vars: Vec::new(),
            mutable: HashSet::new(),
            arrays: Vec::new(),
            array_syntax: Vec::new(),
            captures: Vec::new(),
            reduced: HashMap::new(),
            pure: true,
            in_function: false,
            output: None,
            frames: Vec::new(),
            next_label: 0,
            array_keys: Vec::new(),
            value_keys: Vec::new(),
            scopes: vec![HashMap::new()],
            pending: vec![Vec::new()],
            reported: HashSet::new(),
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

    // Scopes and blocks.

    /// Binds a name from here on.
    pub fn bind_name(&mut self, name: String, val: Val) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, val);
        }
    }

    /// What a name is bound to inside the loop.
    pub fn local(&self, name: &str) -> Option<&Val> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Adds a statement before what is being lowered.
    pub fn push(&mut self, kind: StmtKind, source: SourceId) {
        if let Some(stmts) = self.pending.last_mut() {
            stmts.push(Stmt { kind, source });
        }
    }

    /// Lowers into a block of its own, with a scope of its own.
    pub fn block(&mut self, f: impl FnOnce(&mut Self) -> Option<Expr>) -> Block {
        self.scopes.push(HashMap::new());
        self.pending.push(Vec::new());
        let tail = f(self);
        self.scopes.pop();
        let stmts = self.pending.pop().unwrap_or_default();
        Block {
            stmts,
            tail: tail.map(Box::new),
        }
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
    pub fn usize_method(&self, name: &'static str, a: Expr, b: Expr) -> Expr {
        let source = a.source;
        let ty = a.ty.clone();
        self.make(
            ExprKind::Method(crate::ir::Method(name), vec![a, b]),
            ty,
            source,
        )
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
                vars: Vec::new(),
                arrays: Vec::new(),
                parts: Vec::new(),
                impure: false,
            }),
            Type::Opaque(None),
            source,
        )
    }

    // Captures.

    /// The declaration of a captured place's root.
    pub fn declaration(&self, key: &Key) -> Option<&'a Outer> {
        self.outer.get(&key.root)
    }

    /// The shape of a captured place.
    pub fn shape(&self, key: &Key) -> Shape {
        match self.declaration(key) {
            Some(outer) if key.fields.is_empty() => outer.shape.clone(),
            _ => Shape::Unknown,
        }
    }

    /// Whether the body assigns the place or a part of it.
    pub fn assigns(&self, key: &Key) -> Option<&Assigned> {
        self.assigned.iter().find(|a| a.key.overlaps(key))
    }

    /// Whether a captured place is memory that is indexed: by its type, or because the body indexes it.
    pub fn is_array(&self, key: &Key) -> bool {
        match self.shape(key) {
            Shape::Slice(_) | Shape::Array(..) | Shape::Vec(_) | Shape::Str => true,
            Shape::Elem(_) => false,
            Shape::Unknown => {
                self.array_keys.iter().any(|(k, _)| k == key)
                    || self.assigned.iter().any(|a| a.indexed && a.key == *key)
            }
        }
    }

    /// A captured array as a whole.
    pub fn array(&mut self, key: &Key, expr: &syn::Expr) -> View {
        let id = match self.array_keys.iter().find(|(k, _)| k == key) {
            Some((_, id)) => *id,
            None => {
                let shape = self.shape(key);
                let id = self.new_array(key_text(key), expr, shape);
                self.array_keys.push((key.clone(), id));
                id
            }
        };
        self.view_of(id)
    }

    /// A captured array that is no plain place: `&data[1..]`, evaluated once before the loop.
    pub fn array_of_expr(&mut self, expr: &syn::Expr, shape: Shape) -> View {
        let name = crate::source::text_of(&expr.to_token_stream());
        let id = self.new_array(name, expr, shape);
        self.view_of(id)
    }

    fn view_of(&self, id: ArrayId) -> View {
        let array = &self.arrays[id.0 as usize];
        View {
            root: Root::Array(id),
            path: Vec::new(),
            base: None,
            len: Len::Array(id),
            elem: array.elem.clone(),
        }
    }

    fn new_array(&mut self, name: String, expr: &syn::Expr, shape: Shape) -> ArrayId {
        let source = self.source(expr);
        let (elem, extent) = match &shape {
            Shape::Slice(elem) | Shape::Vec(elem) => (self.elem_type(elem), Extent::Runtime),
            Shape::Array(elem, len) => (self.elem_type(elem), Extent::Fixed(self.length(len))),
            Shape::Str => (Type::Scalar(Scalar::U8), Extent::Runtime),
            Shape::Elem(ty) => (
                Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream()))),
                Extent::Runtime,
            ),
            Shape::Unknown => (self.infer.fresh_external(), Extent::Runtime),
        };
        let id = ArrayId(self.arrays.len() as u32);
        self.arrays.push(Array {
            name,
            elem,
            extent,
            access: Access::LengthOnly,
            source,
        });
        self.array_syntax.push(ArraySyntax {
            expr: expr.clone(),
            shape,
        });
        id
    }

    /// The value of a captured place: one variable for each place.
    pub fn captured(&mut self, key: &Key, expr: &syn::Expr) -> VarId {
        if let Some((_, var)) = self.value_keys.iter().find(|(k, _)| k == key) {
            return *var;
        }
        let ty = match self.shape(key) {
            Shape::Elem(ty) => self.written_type(&ty),
            Shape::Unknown => self.infer.fresh_external(),
            Shape::Slice(_) | Shape::Array(..) | Shape::Vec(_) | Shape::Str => Type::Opaque(None),
        };
        let reduced = self.assigned.iter().any(|a| a.key == *key);
        let by_reference = key.fields.is_empty()
            && self
                .declaration(key)
                .is_some_and(|outer| outer.by_reference == Some(true));
        let tokens = if by_reference {
            quote!(*#expr)
        } else {
            expr.to_token_stream()
        };
        let var = if reduced {
            let source = self.source(expr);
            let var = self.var(key_text(key), ty, VarKind::Reduced, source);
            self.reduced.insert(var, expr.clone());
            var
        } else {
            self.capture_tokens(key_text(key), tokens, expr.span(), ty)
        };
        self.value_keys.push((key.clone(), var));
        var
    }

    /// A captured value of its own: something invariant that the host evaluates.
    pub fn capture_tokens(
        &mut self,
        name: String,
        tokens: TokenStream,
        span: Span,
        ty: Type,
    ) -> VarId {
        let source = self.sources.add(tokens.clone(), span);
        let var = self.var(name, ty, VarKind::Captured, source);
        self.captures.push(Capture {
            var,
            tokens,
            source,
        });
        var
    }

    // Types.

    /// The type of an element of captured memory.
    fn elem_type(&mut self, shape: &Shape) -> Type {
        match shape {
            Shape::Array(elem, len) => {
                let elem = self.elem_type(elem);
                Type::Array(Box::new(elem), self.length(len))
            }
            Shape::Elem(ty) => self.written_type(ty),
            Shape::Unknown => self.infer.fresh_external(),
            Shape::Slice(_) | Shape::Vec(_) => Type::Opaque(Some("a slice within a slice".into())),
            Shape::Str => Type::Opaque(Some("str".into())),
        }
    }

    /// A type as the user wrote it, references left out.
    pub fn written_type(&mut self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Paren(t) => self.written_type(&t.elem),
            syn::Type::Group(t) => self.written_type(&t.elem),
            syn::Type::Reference(t) => self.written_type(&t.elem),
            syn::Type::Infer(_) => self.infer.fresh(crate::infer::Class::Any),
            syn::Type::Never(_) => Type::Never,
            syn::Type::Tuple(t) if t.elems.is_empty() => Type::Unit,
            syn::Type::Tuple(t) => {
                Type::Tuple(t.elems.iter().map(|t| self.written_type(t)).collect())
            }
            syn::Type::Array(t) => {
                let elem = self.written_type(&t.elem);
                Type::Array(Box::new(elem), self.length(&t.len))
            }
            syn::Type::Path(path) if path.qself.is_none() => {
                // `std::primitive::u8` is as good as `u8`.
                let last = path
                    .path
                    .segments
                    .last()
                    .map(|s| s.ident.to_string())
                    .unwrap_or_default();
                let plain = path.path.segments.len() == 1 || path.path.segments[0].ident == "std";
                match Scalar::from_name(&last) {
                    Some(scalar) if plain => Type::Scalar(scalar),
                    _ if let Some(known) = self.struct_type(&path.path) => {
                        Type::Struct(Box::new(known))
                    }
                    _ => Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream()))),
                }
            }
            _ => Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream()))),
        }
    }

    /// The length in an array type: a number, or a captured `usize`.
    pub fn length(&mut self, len: &syn::Expr) -> Length {
        if let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) = len
            && let Ok(n) = n.base10_parse()
        {
            return Length::Known(n);
        }
        let text = crate::source::text_of(&len.to_token_stream());
        let key = Key::name(format!("const {text}"));
        if let Some((_, var)) = self.value_keys.iter().find(|(k, _)| *k == key) {
            return Length::Captured(*var);
        }
        let var = self.capture_tokens(
            text,
            len.to_token_stream(),
            len.span(),
            Type::Scalar(Scalar::Usize),
        );
        self.value_keys.push((key, var));
        Length::Captured(var)
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

/// The text of a place: `self.bins`.
pub fn key_text(key: &Key) -> String {
    let mut text = key.root.clone();
    for field in &key.fields {
        text.push('.');
        text.push_str(field);
    }
    text
}

/// The value of an integer literal.
pub fn int_value(expr: &Expr) -> Option<i128> {
    match expr.kind {
        ExprKind::Literal(Literal::Int(v)) => Some(v),
        _ => None,
    }
}
