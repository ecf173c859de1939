//! Expressions.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{BinOp, UnOp};

use super::lower::Lower;
use super::names::{self, left_side};
use super::place::Val;
use crate::diag::{Code, Diagnostic};
use crate::infer::Class;
use crate::ir::{
    BinaryOp, Expr, ExprKind, Literal, OfOption, Place, Scalar, StmtKind, Type, UnaryOp,
};
use crate::syntax::{AssignSyntax, Borrow, without_parens};

impl Lower<'_> {
    /// An expression as a value.
    pub fn expr(&mut self, e: &syn::Expr) -> Expr {
        match self.moved(e) {
            Val::Expr(expr) => expr,
            other => {
                let source = self.source(e);
                self.value(other, source)
            }
        }
    }

    /// An expression as what it stands for, where that goes on: a `&mut` reference to whoever may change what it refers to.
    fn moved(&mut self, e: &syn::Expr) -> Val {
        let val = self.val(e);
        if let syn::Expr::Path(path) = without_parens(e)
            && let Some(name) = path.path.get_ident()
            && self.is_mutable_reference(&name.to_string())
        {
            let source = self.source(e);
            self.lend(&val, Borrow::Mutable, source);
        }
        val
    }

    /// An expression as what it stands for.
    pub fn val(&mut self, e: &syn::Expr) -> Val {
        use syn::Expr as E;
        if let Some(value) = self.keyed(std::ptr::from_ref(e).cast(), e) {
            return Val::Expr(value);
        }
        match e {
            E::Paren(e) => self.val(&e.expr),
            E::Group(e) => self.val(&e.expr),
            // References are names for places.
            E::Reference(e) => {
                let val = self.val(&e.expr);
                let source = self.source(e);
                match e.mutability {
                    None => self.lent(&e.expr, Borrow::Shared),
                    Some(_) if self.lend(&val, Borrow::Mutable, source) => {}
                    Some(_) => self.check_borrow(e),
                }
                val
            }
            E::Unary(e) if matches!(e.op, UnOp::Deref(_)) => self.val(&e.expr),
            E::Path(e) => self.path(e),
            E::MethodCall(call) if self.splits(call) => self.split(call),
            E::MethodCall(_) | E::Call(_) => match self.maybe(e) {
                Some(maybe) => Val::Maybe(Box::new(maybe)),
                None => Val::Expr(self.computed(e)),
            },
            E::Index(e) => self.index(e),
            // Each part is known as what it is: `let (a, b) = (2 * i, 2 * i + 1);`.
            E::Tuple(e) if self.any && !e.elems.is_empty() => {
                Val::Tuple(e.elems.iter().map(|part| self.moved(part)).collect())
            }
            E::Field(e) => self.field(e),
            E::Block(e) if e.label.is_none() => {
                let source = self.source(e);
                let block = self.block(|s| s.stmts(&e.block));
                let ty = block
                    .tail
                    .as_ref()
                    .map_or(Type::Unit, |tail| tail.ty.clone());
                Val::Expr(self.make(ExprKind::Block(block), ty, source))
            }
            _ => Val::Expr(self.computed(e)),
        }
    }

    fn computed(&mut self, e: &syn::Expr) -> Expr {
        use syn::Expr as E;
        match e {
            E::Lit(e) => self.literal(&e.lit),
            E::Unary(u) => self.unary(u),
            E::Assign(_) => self.assignment(e),
            E::Binary(b) if super::sites::is_compound(&b.op) => self.assignment(e),
            E::Binary(b) => self.binary(b),
            E::Cast(c) => self.cast_expr(c),
            E::MethodCall(call) => self.method_call(call),
            E::Call(call) => self.call(call),
            E::Macro(m) => self.macro_expr(&m.mac, e),
            E::If(e) => self.if_expr(e),
            E::Match(e) => self.match_expr(e),
            E::ForLoop(e) => self.for_loop(e),
            E::While(e) => self.while_loop(e),
            E::Loop(e) => self.loop_expr(e),
            E::Break(e) => self.break_expr(e),
            E::Continue(e) => self.continue_expr(e),
            E::Return(r) => self.return_expr(r),
            E::Try(_) => self.opaque(e, "`?`", None),
            E::Await(a) => {
                self.errors.push(
                    Diagnostic::new(
                        Code::Await,
                        a.await_token.span(),
                        "`.await` inside the parallel loop",
                    )
                    .help("await before the loop, and loop over what came"),
                );
                self.opaque(e, "`.await`", None)
            }
            E::Array(a) => {
                let source = self.source(a);
                let parts: Vec<Expr> = a.elems.iter().map(|e| self.expr(e)).collect();
                let elem = self.infer.fresh(Class::Any);
                for part in &parts {
                    self.infer.unify(&elem, &part.ty);
                }
                let ty = Type::Array(Box::new(elem), crate::ir::Length::Known(parts.len() as u64));
                self.make(ExprKind::Array(parts), ty, source)
            }
            E::Repeat(r) if self.within.is_some() && !matches!(*r.len, syn::Expr::Lit(_)) => self
                .opaque(
                    e,
                    "an array in a device function whose length is no literal",
                    Some("write the length as a number"),
                ),
            E::Repeat(r) => {
                let source = self.source(r);
                let elem = self.expr(&r.expr);
                let ty = Type::Array(Box::new(elem.ty.clone()), self.length(&r.len));
                self.make(ExprKind::Repeat(Box::new(elem)), ty, source)
            }
            E::Tuple(t) => {
                let source = self.source(t);
                if t.elems.is_empty() {
                    return self.unit(source);
                }
                let parts: Vec<Expr> = t.elems.iter().map(|e| self.expr(e)).collect();
                let ty = Type::Tuple(parts.iter().map(|p| p.ty.clone()).collect());
                self.make(ExprKind::Tuple(parts), ty, source)
            }
            E::Struct(s) => self.struct_expr(s, e),
            E::Unsafe(_) => self.opaque(e, "an `unsafe` block", None),
            E::Closure(_) => self.opaque(e, "a closure", None),
            E::Block(b) => self.labelled_block(b),
            _ => self.opaque(e, "an expression that is not understood here", None),
        }
    }

    fn unary(&mut self, u: &syn::ExprUnary) -> Expr {
        let source = self.source(u);
        let operand = self.expr(&u.expr);
        let op = match u.op {
            UnOp::Neg(_) => {
                if let (ExprKind::Literal(Literal::Int(v)), true) = (
                    &operand.kind,
                    matches!(without_parens(&u.expr), syn::Expr::Lit(_)),
                ) {
                    // So that `-128i8` is in range.
                    return self.make(
                        ExprKind::Literal(Literal::Int(-v)),
                        operand.ty.clone(),
                        source,
                    );
                }
                UnaryOp::Neg
            }
            _ => UnaryOp::Not,
        };
        let ty = operand.ty.clone();
        self.make(ExprKind::Unary(op, Box::new(operand)), ty, source)
    }

    fn binary(&mut self, b: &syn::ExprBinary) -> Expr {
        let source = self.source(b);
        if let BinOp::And(_) | BinOp::Or(_) = b.op {
            let left = self.expr(&b.left);
            let right = self.lazy(&b.right);
            let kind = match b.op {
                BinOp::And(_) => ExprKind::And(Box::new(left), Box::new(right)),
                _ => ExprKind::Or(Box::new(left), Box::new(right)),
            };
            return self.make(kind, Scalar::Bool, source);
        }
        let left = self.expr(&b.left);
        let left = self.keep_before(left, &b.right);
        let right = self.expr(&b.right);
        match binary_op(&b.op) {
            Some(op) => self.operation(op, left, right, source),
            None => self.opaque_parts(
                "an operator that is not understood here",
                vec![left, right],
                source,
            ),
        }
    }

    /// An operation on two values.
    pub fn operation(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        source: crate::ir::SourceId,
    ) -> Expr {
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let opaque = |s: &Self, e: &Expr| {
            matches!(s.infer.resolve(&e.ty), Type::Opaque(_) | Type::Struct(_))
        };
        let ty = if op.is_comparison() {
            if !opaque(self, &left) && !opaque(self, &right) {
                self.infer.unify(&left.ty, &right.ty);
            }
            Type::Scalar(Scalar::Bool)
        } else if shift {
            left.ty.clone()
        } else if opaque(self, &left) || opaque(self, &right) {
            // An operator of a type that is not known here may return anything.
            Type::Opaque(None)
        } else if self.infer.unify(&left.ty, &right.ty) {
            left.ty.clone()
        } else {
            Type::Opaque(None)
        };
        self.make(
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty,
            source,
        )
    }

    /// The right side of a lazy operator: what it needs first stays inside it.
    fn lazy(&mut self, e: &syn::Expr) -> Expr {
        let block = self.block(|s| Some(s.expr(e)));
        if block.stmts.is_empty()
            && let Some(tail) = block.tail
        {
            return *tail;
        }
        let source = self.source(e);
        self.make(ExprKind::Block(block), Scalar::Bool, source)
    }

    /// Keeps the value of a left operand where the right one assigns variables.
    fn keep_before(&mut self, left: Expr, right: &syn::Expr) -> Expr {
        if may_assign(right) {
            self.freeze(left, "left")
        } else {
            left
        }
    }

    fn cast_expr(&mut self, c: &syn::ExprCast) -> Expr {
        let source = self.source(c);
        let operand = self.expr(&c.expr);
        let ty = self.written_type(&c.ty);
        match (self.infer.resolve(&ty), self.infer.resolve(&operand.ty)) {
            (Type::Opaque(_), _) => self.opaque_parts(
                "a cast to a type that is not known here",
                vec![operand],
                source,
            ),
            (_, Type::Opaque(_)) => {
                let mut expr = self.opaque_parts(
                    "a cast of a value whose type is not known here",
                    vec![operand],
                    source,
                );
                expr.ty = ty;
                expr
            }
            _ => self.make(ExprKind::Cast(Box::new(operand)), ty, source),
        }
    }

    fn struct_expr(&mut self, s: &syn::ExprStruct, e: &syn::Expr) -> Expr {
        let source = self.source(s);
        let Some(known) = self.struct_type(&s.path) else {
            let why = "a struct that is not known here";
            if !self.any || s.rest.is_some() {
                return self.opaque(e, why, None);
            }
            let fields = s.fields.iter().map(|field| self.expr(&field.expr));
            let fields: Vec<Expr> = fields.collect();
            let mut made = self.opaque_parts(why, fields, source);
            if let ExprKind::Opaque(opaque) = &mut made.kind {
                opaque.option = Some(OfOption::Struct);
            }
            return made;
        };
        if s.rest.is_some() {
            return self.opaque(e, "a struct with `..`", Some("write every field"));
        }
        // Fields are evaluated in the order in which they are written and stored in that of declaration.
        let mut values: Vec<Option<Expr>> = vec![None; known.fields.len()];
        for field in &s.fields {
            let value = self.expr(&field.expr);
            let value = self.freeze(value, "field");
            let name = quote::ToTokens::to_token_stream(&field.member).to_string();
            let Some(n) = known.fields.iter().position(|(f, _)| *f == name) else {
                return self.opaque(e, "a struct with an unknown field", None);
            };
            self.infer.unify(&known.fields[n].1, &value.ty);
            values[n] = Some(value);
        }
        let Some(values) = values.into_iter().collect::<Option<Vec<Expr>>>() else {
            return self.opaque(e, "a struct with missing fields", None);
        };
        self.make(
            ExprKind::Struct(values),
            Type::Struct(Box::new(known)),
            source,
        )
    }

    /// `place = value` or `place op= value`; the value of the whole is unit.
    fn assignment(&mut self, e: &syn::Expr) -> Expr {
        let source = self.source(e);
        let unit = self.unit(source);
        let Some(left) = left_side(e) else {
            return unit;
        };
        let (right, operator, op) = match e {
            syn::Expr::Assign(a) => (&a.right, a.eq_token.span(), None),
            syn::Expr::Binary(b) => (&b.right, b.op.span(), compound_op(&b.op)),
            _ => return unit,
        };
        if let syn::Expr::Infer(_) = left {
            let value = self.expr(right);
            self.push(StmtKind::Expr(value), source);
            return unit;
        }
        if let (syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Struct(_), None) = (left, op)
        {
            return self.destructuring(left, right, source);
        }
        if self.any && self.own_field(left, right, operator, e, source) {
            return unit;
        }
        if let syn::Expr::Field(field) = without_parens(left)
            && !self.any
            && let Some((key, true)) = names::key_of(left)
            && self.local(&key.root).is_none()
        {
            self.errors.push(
                Diagnostic::new(
                    Code::BinType,
                    field.member.span(),
                    format!("a bin of `{}` is a field of a struct or tuple", key.root),
                )
                .help("keep an array of numbers for each field, and update those"),
            );
            return unit;
        }
        let value = self.expr(right);
        let target = match self.is_lost(left) || op.is_none() && self.is_bound_anew(left) {
            true => Val::Expr(self.unit(source)),
            false => self.val(left),
        };
        let Some((place, ty)) = self.assigned_place(target, left, source) else {
            let mut opaque = self.opaque(
                left,
                "an assignment to something that is no place here",
                None,
            );
            if let ExprKind::Opaque(o) = &mut opaque.kind {
                o.parts.push(value);
            }
            self.push(StmtKind::Expr(opaque), source);
            return unit;
        };
        if self.is_whole_array(&place, left, operator) {
            return unit;
        }
        self.record_site(e, left, operator, source);
        match op {
            None => {
                self.infer.unify(&ty, &value.ty);
                self.push(StmtKind::Assign(place, value), source);
            }
            Some(op) => {
                if !matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                    self.infer.unify(&ty, &value.ty);
                }
                self.push(StmtKind::Compound(place, op, value), source);
            }
        }
        unit
    }

    /// Whether what is assigned is behind a reference that was taken for a value: `*x` where `x` is a variable of the loop's own, or `x.0` and `x[i]` where it is none that
    /// can be changed, `let x = if c { &mut a } else { &mut b };`.
    fn is_lost(&self, left: &syn::Expr) -> bool {
        let (mut of, mut part) = (without_parens(left), false);
        loop {
            of = without_parens(match of {
                syn::Expr::Field(field) => &field.base,
                syn::Expr::Index(index) => &index.expr,
                _ => break,
            });
            part = true;
        }
        let path = match of {
            syn::Expr::Path(path) if part => path,
            syn::Expr::Unary(of) if matches!(of.op, UnOp::Deref(_)) => {
                match without_parens(&of.expr) {
                    syn::Expr::Path(path) => path,
                    _ => return false,
                }
            }
            _ => return false,
        };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else {
            return false;
        };
        let local = match self.local(&name) {
            Some(Val::Place(place, _)) => match place.root {
                crate::ir::Root::Var(var) => {
                    let direct = matches!(of, syn::Expr::Path(_));
                    place.path.is_empty()
                        && self.vars[var.0 as usize].kind == crate::ir::VarKind::Local
                        && !(direct && self.mutable.contains(&var))
                }
                crate::ir::Root::Array(_) => false,
            },
            _ => false,
        };
        local && !self.is_handed(&name)
    }

    /// Whether what is assigned is a `&mut` reference itself, which refers to something else from there on.
    fn is_bound_anew(&self, left: &syn::Expr) -> bool {
        match without_parens(left) {
            syn::Expr::Path(path) => {
                let name = path.path.get_ident();
                name.is_some_and(|name| self.is_handed(&name.to_string()))
            }
            _ => false,
        }
    }

    fn record_site(
        &mut self,
        e: &syn::Expr,
        left: &syn::Expr,
        operator: proc_macro2::Span,
        source: crate::ir::SourceId,
    ) {
        let site = self
            .sites
            .get(&std::ptr::from_ref(e))
            .copied()
            .unwrap_or(usize::MAX);
        let direct =
            names::root_of(left).is_some_and(|root| self.local(&root.to_string()).is_none());
        self.assignments.insert(
            source,
            AssignSyntax {
                site,
                operator,
                direct,
            },
        );
    }

    /// The place that an assignment writes.
    /// An assignment to a field that is not known here, of an element that may be the iteration's own: as far as other iterations are
    /// concerned all of the element is written. Whether it is one.
    fn own_field(
        &mut self,
        left: &syn::Expr,
        right: &syn::Expr,
        operator: proc_macro2::Span,
        e: &syn::Expr,
        source: crate::ir::SourceId,
    ) -> bool {
        let mut element = without_parens(left);
        if !matches!(element, syn::Expr::Field(_)) {
            return false;
        }
        let is_known = |lower: &mut Self| {
            let val = lower.val(left);
            matches!(val, Val::Place(..) | Val::Outer(..))
        };
        if self.in_vain(is_known) {
            return false;
        }
        while let syn::Expr::Field(field) = element {
            element = without_parens(&field.base);
        }
        let is_element = |lower: &mut Self| {
            let val = lower.val(element);
            matches!(val, Val::Place(place, _) if matches!(place.root, crate::ir::Root::Array(_)))
        };
        if !self.in_vain(is_element) {
            return false;
        }
        let value = self.expr(right);
        let Val::Place(place, _) = self.val(element) else {
            return false;
        };
        self.record_site(e, left, operator, source);
        let why = "a field of a type that is not known here";
        let value = self.opaque_parts(why, vec![value], source);
        self.push(StmtKind::Assign(place, value), source);
        true
    }

    fn assigned_place(
        &mut self,
        target: Val,
        left: &syn::Expr,
        source: crate::ir::SourceId,
    ) -> Option<(Place, Type)> {
        match target {
            Val::Place(place, ty) => Some((place, ty)),
            Val::Outer(key, _) if !self.is_array(&key) => {
                let expr = captured_place(left);
                let var = self.captured(&key, expr);
                let ty = self.vars[var.0 as usize].ty.clone();
                let root = crate::ir::Root::Var(var);
                Some((
                    Place {
                        root,
                        path: Vec::new(),
                    },
                    ty,
                ))
            }
            Val::Outer(key, expr) => {
                let view = self.array(&key, &expr);
                let place = Place {
                    root: view.root,
                    path: view.path,
                };
                Some((place, Type::Opaque(None)))
            }
            Val::View(view) if view.base.is_none() => {
                let place = Place {
                    root: view.root,
                    path: view.path,
                };
                Some((place, Type::Opaque(None)))
            }
            Val::View(_) | Val::Tuple(_) | Val::Maybe(_) => None,
            Val::Expr(expr) => match expr.kind {
                ExprKind::Load(place) => Some((place, expr.ty)),
                _ => {
                    self.push(StmtKind::Expr(expr), source);
                    None
                }
            },
        }
    }

    /// Reports an assignment to an array from outside as a whole; whether it is one.
    fn is_whole_array(&mut self, place: &Place, left: &syn::Expr, at: Span) -> bool {
        let whole = matches!(place.root, crate::ir::Root::Array(_)) && place.path.is_empty();
        if whole {
            let name = crate::source::text_of(&quote::ToTokens::to_token_stream(left));
            let diagnostic = Diagnostic::new(
                Code::WriteVariable,
                at,
                format!("`{name}` is declared outside the loop and changed as a whole in it"),
            )
            .note("iterations run at the same time; which of them writes last is not known")
            .help("write its elements, or declare it inside the loop");
            self.report_once(&name, diagnostic);
        }
        whole
    }

    /// `(a, b) = (b, a)`: the parts are computed first, then assigned one by one.
    fn destructuring(
        &mut self,
        left: &syn::Expr,
        right: &syn::Expr,
        source: crate::ir::SourceId,
    ) -> Expr {
        let value = self.expr(right);
        let value = self.freeze(value, "parts");
        let parts: Vec<&syn::Expr> = match left {
            syn::Expr::Tuple(t) => t.elems.iter().collect(),
            syn::Expr::Array(a) => a.elems.iter().collect(),
            _ => Vec::new(),
        };
        let types = match self.infer.resolve(&value.ty) {
            Type::Tuple(types) if types.len() == parts.len() => types,
            _ => {
                let opaque = self.opaque(
                    left,
                    "a destructuring assignment",
                    Some("assign the parts one by one"),
                );
                self.push(StmtKind::Expr(opaque), source);
                return self.unit(source);
            }
        };
        for (n, (part, ty)) in parts.into_iter().zip(types).enumerate() {
            if matches!(part, syn::Expr::Infer(_)) {
                continue;
            }
            let target = self.val(part);
            let Some((place, part_ty)) = self.assigned_place(target, part, source) else {
                continue;
            };
            if self.is_whole_array(&place, part, part.span()) {
                continue;
            }
            self.infer.unify(&part_ty, &ty);
            let ExprKind::Load(mut from) = value.kind.clone() else {
                continue;
            };
            from.path.push(crate::ir::Projection::Field(n as u32));
            let load = self.make(ExprKind::Load(from), ty, source);
            // A captured place here has no site: the detector refuses it as a write.
            self.push(StmtKind::Assign(place, load), source);
        }
        self.unit(source)
    }
}

/// The captured place of `*total` without the dereference.
fn captured_place(left: &syn::Expr) -> &syn::Expr {
    match without_parens(left) {
        syn::Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => captured_place(&u.expr),
        other => other,
    }
}

/// Whether evaluating an expression may assign a variable.
fn may_assign(e: &syn::Expr) -> bool {
    use crate::syntax::visit::{self, Visit};
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    // Blocks, branches and `match` assign only by what is in them. What is borrowed `&mut` may be
                    // swapped or replaced.
                    self.0 |= super::sites::is_assignment(e)
                        || matches!(e, syn::Expr::Macro(_))
                        || matches!(e, syn::Expr::Reference(r) if r.mutability.is_some());
                    crate::syntax::visit::visit_expr(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(e);
    finder.0
}

fn binary_op(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        BinOp::Rem(_) => BinaryOp::Rem,
        BinOp::BitXor(_) => BinaryOp::BitXor,
        BinOp::BitAnd(_) => BinaryOp::BitAnd,
        BinOp::BitOr(_) => BinaryOp::BitOr,
        BinOp::Shl(_) => BinaryOp::Shl,
        BinOp::Shr(_) => BinaryOp::Shr,
        BinOp::Eq(_) => BinaryOp::Eq,
        BinOp::Lt(_) => BinaryOp::Lt,
        BinOp::Le(_) => BinaryOp::Le,
        BinOp::Ne(_) => BinaryOp::Ne,
        BinOp::Ge(_) => BinaryOp::Ge,
        BinOp::Gt(_) => BinaryOp::Gt,
        _ => return None,
    })
}

fn compound_op(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::AddAssign(_) => BinaryOp::Add,
        BinOp::SubAssign(_) => BinaryOp::Sub,
        BinOp::MulAssign(_) => BinaryOp::Mul,
        BinOp::DivAssign(_) => BinaryOp::Div,
        BinOp::RemAssign(_) => BinaryOp::Rem,
        BinOp::BitXorAssign(_) => BinaryOp::BitXor,
        BinOp::BitAndAssign(_) => BinaryOp::BitAnd,
        BinOp::BitOrAssign(_) => BinaryOp::BitOr,
        BinOp::ShlAssign(_) => BinaryOp::Shl,
        BinOp::ShrAssign(_) => BinaryOp::Shr,
        _ => return None,
    })
}
