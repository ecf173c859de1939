//! Patterns: what they bind, and for those that may fail, the condition.

use syn::Pat;

use super::lower::Lower;
use super::names::{bound_names, is_lent};
use super::place::Val;
use crate::infer::Class;
use crate::ir::{BinaryOp, Expr, ExprKind, Scalar, SourceId, StmtKind, Type, VarKind};

/// A pattern against a value: when it matches, and what it binds then.
pub struct Test {
    /// The condition; `None` where it always matches.
    pub cond: Option<Expr>,
    /// The names bound, in order, with whether they are `mut`.
    pub bindings: Vec<Binding>,
}

/// A name that a pattern binds.
pub struct Binding {
    pat: syn::PatIdent,
    val: Val,
    /// Whether it is a `&mut` to the place, which it stands for then.
    pub by_name: bool,
    /// Whether it stands behind a `&` of the pattern, so that it is a copy.
    copied: bool,
}

impl Test {
    /// What is tested is behind a `&mut` reference: so is what is bound of it.
    pub fn hands_out(&mut self) {
        for binding in &mut self.bindings {
            let place = matches!(binding.val, Val::Place(..) | Val::View(_) | Val::Outer(..));
            binding.by_name |= place && !binding.copied && binding.pat.mutability.is_none();
        }
    }
}

impl Binding {
    /// The name and what it stands for.
    pub fn parts(&self) -> (String, Val) {
        (self.pat.ident.to_string(), self.val.clone())
    }
}

impl Lower<'_> {
    /// Binds a pattern that always matches.
    pub fn bind(&mut self, pat: &Pat, val: Val) {
        match pat {
            Pat::Type(typed) => {
                let val = self.typed_as(val, &typed.ty);
                self.bind(&typed.pat, val);
            }
            Pat::Wild(_) => match val {
                Val::Expr(expr) => {
                    let source = expr.source;
                    self.push(StmtKind::Expr(expr), source);
                }
                other => drop(self.alias(other)),
            },
            Pat::Ident(p) if p.subpat.is_none() => self.bind_ident(p, val),
            _ => {
                let val = self.alias_once(val);
                let test = self.test(pat, val);
                self.bind_test(test.bindings);
            }
        }
    }

    /// A value used several times: evaluated once.
    pub fn alias_once(&mut self, val: Val) -> Val {
        match val {
            Val::Expr(expr) => {
                let frozen = self.freeze(expr, "value");
                match frozen.kind {
                    ExprKind::Load(place) => Val::Place(place, frozen.ty),
                    _ => Val::Expr(frozen),
                }
            }
            Val::Tuple(parts) => {
                Val::Tuple(parts.into_iter().map(|p| self.alias_once(p)).collect())
            }
            other => self.alias(other),
        }
    }

    /// Binds a pattern to what a `&mut` reference is to: its names are references to the parts.
    pub fn bind_handed_out(&mut self, pat: &Pat, val: Val) {
        let val = self.alias_once(val);
        let mut test = self.test(pat, val);
        test.hands_out();
        self.bind_test(test.bindings);
    }

    /// Binds what a test found.
    pub fn bind_test(&mut self, bindings: Vec<Binding>) {
        for Binding {
            pat, val, by_name, ..
        } in bindings
        {
            match by_name {
                true => {
                    let val = self.alias(val);
                    self.bind_handed(pat.ident.to_string(), val);
                }
                false => self.bind_ident(&pat, val),
            }
        }
    }

    /// A value of a type as it is written.
    pub fn typed_as(&mut self, val: Val, ty: &syn::Type) -> Val {
        let ty = self.written_type(ty);
        self.typed(val, &ty)
    }

    fn typed(&mut self, val: Val, ty: &Type) -> Val {
        match val {
            Val::Expr(expr) => {
                self.infer.unify(&expr.ty, ty);
                // The written type wins over one that is not understood.
                let ty = if expr.ty.is_known() || matches!(expr.ty, Type::Infer(_)) {
                    expr.ty.clone()
                } else {
                    ty.clone()
                };
                Val::Expr(Expr { ty, ..expr })
            }
            Val::Place(place, own) => {
                self.infer.unify(&own, ty);
                Val::Place(place, own)
            }
            Val::Outer(key, expr) if !self.is_array(&key) && !matches!(ty, Type::Opaque(_)) => {
                let var = self.captured(&key, &expr);
                let own = self.vars[var.0 as usize].ty.clone();
                self.infer.unify(&own, ty);
                Val::Outer(key, expr)
            }
            other => other,
        }
    }

    /// Binds a name: to a variable where it holds a value, to a place where it is a reference to one.
    fn bind_ident(&mut self, p: &syn::PatIdent, val: Val) {
        let name = p.ident.to_string();
        let mutable = p.mutability.is_some();
        if is_lent(p) && !matches!(val, Val::Expr(_)) {
            let val = self.alias(val);
            self.bind_handed(name, val);
            return;
        }
        let alias = match &val {
            Val::View(_) | Val::Tuple(_) | Val::Maybe(_) => !mutable,
            Val::Outer(key, _) => !mutable && (self.is_array(key) || self.assigns(key).is_some()),
            // Numbers are read once; larger things are read part by part where they are used.
            Val::Place(place, ty) => {
                !mutable
                    && !self.is_written(place)
                    && (self.is_captured(place)
                        && matches!(
                            self.infer.resolve(ty),
                            Type::Array(..) | Type::Struct(_) | Type::Opaque(_) | Type::Infer(_)
                        ))
            }
            Val::Expr(_) => false,
        };
        if alias {
            let val = self.alias(val);
            self.bind_name(name, val);
            return;
        }
        let source = self.source(&p.ident);
        let value = self.value(val, source);
        let var = self.var(&name, value.ty.clone(), VarKind::Local, source);
        if mutable {
            self.mutable.insert(var);
        }
        self.push(StmtKind::Let(var, Some(value)), source);
        self.bind_var(name, var);
    }

    fn is_captured(&self, place: &crate::ir::Place) -> bool {
        match place.root {
            crate::ir::Root::Array(_) => true,
            crate::ir::Root::Var(var) => self.vars[var.0 as usize].kind != VarKind::Local,
        }
    }

    /// Binds a name to a variable.
    pub fn bind_var(&mut self, name: String, var: crate::ir::VarId) {
        let ty = self.vars[var.0 as usize].ty.clone();
        let place = crate::ir::Place {
            root: crate::ir::Root::Var(var),
            path: Vec::new(),
        };
        self.bind_name(name, Val::Place(place, ty));
    }

    /// `let x;`
    pub fn declare(&mut self, pat: &Pat, source: SourceId) {
        let (pat, ty) = match pat {
            Pat::Type(typed) => (&*typed.pat, self.written_type(&typed.ty)),
            other => (other, self.infer.fresh(Class::Any)),
        };
        for name in bound_names(pat) {
            let var = self.var(name.to_string(), ty.clone(), VarKind::Local, source);
            // It is assigned later, so its value is not fixed.
            self.mutable.insert(var);
            self.push(StmtKind::Let(var, None), source);
            self.bind_var(name.to_string(), var);
        }
    }

    /// What a pattern asks of a value that can be evaluated several times.
    pub fn test(&mut self, pat: &Pat, val: Val) -> Test {
        let source = self.source(pat);
        let always = |bindings| Test {
            cond: None,
            bindings,
        };
        if let Val::Maybe(maybe) = &val
            && let Some(test) = self.test_maybe(pat, maybe, source)
        {
            return test;
        }
        match pat {
            Pat::Wild(_) | Pat::Rest(_) => always(Vec::new()),
            Pat::Paren(p) => self.test(&p.pat, val),
            Pat::Reference(p) => {
                let mut test = self.test(&p.pat, val);
                test.bindings.iter_mut().for_each(|b| b.copied = true);
                test
            }
            Pat::Type(p) => {
                let val = self.typed_as(val, &p.ty);
                self.test(&p.pat, val)
            }
            Pat::Ident(p) if p.subpat.is_none() && self.is_constant(&p.ident) => {
                let path: syn::Expr = syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: p.ident.clone().into(),
                });
                self.test_constant(&path, pat, val, source)
            }
            Pat::Ident(p) => {
                let mut test = match &p.subpat {
                    Some((_, inner)) => self.test(inner, val.clone()),
                    None => always(Vec::new()),
                };
                let binding = Binding {
                    pat: syn::PatIdent {
                        subpat: None,
                        ..p.clone()
                    },
                    val,
                    by_name: is_lent(p),
                    copied: false,
                };
                test.bindings.insert(0, binding);
                test
            }
            Pat::Path(p) => self.test_constant(&syn::Expr::Path(p.clone()), pat, val, source),
            Pat::Lit(_) | Pat::Range(_) => self.test_ranges(pat, val, source),
            Pat::Or(or) => {
                let tests: Vec<Test> = or
                    .cases
                    .iter()
                    .map(|case| self.test(case, val.clone()))
                    .collect();
                if tests.iter().any(|t| !t.bindings.is_empty()) {
                    return self.opaque_test(pat, val, source);
                }
                let mut cond: Option<Expr> = None;
                for test in tests {
                    let Some(next) = test.cond else {
                        return always(Vec::new());
                    };
                    cond = Some(match cond {
                        None => next,
                        Some(c) => self.make(
                            ExprKind::Or(Box::new(c), Box::new(next)),
                            Scalar::Bool,
                            source,
                        ),
                    });
                }
                Test {
                    cond,
                    bindings: Vec::new(),
                }
            }
            Pat::Tuple(tuple) => {
                let elems: Vec<&Pat> = tuple.elems.iter().collect();
                match self.parts(&val) {
                    Some(parts) => self.test_parts(&elems, parts, pat, val, source),
                    None => self.opaque_test(pat, val, source),
                }
            }
            Pat::Slice(slice) => {
                let elems: Vec<&Pat> = slice.elems.iter().collect();
                match self.elements(&val, source) {
                    Some(parts) => self.test_parts(&elems, parts, pat, val, source),
                    None => self
                        .test_slice(&elems, &val, source)
                        .unwrap_or_else(|| self.opaque_test(pat, val, source)),
                }
            }
            Pat::Struct(s) => self.test_struct(s, pat, val, source),
            _ => self.opaque_test(pat, val, source),
        }
    }

    /// The parts of a tuple.
    fn parts(&mut self, val: &Val) -> Option<Vec<Val>> {
        match val {
            Val::Tuple(parts) => Some(parts.clone()),
            Val::Place(place, ty) => match self.infer.resolve(ty) {
                Type::Tuple(types) => Some(
                    types
                        .into_iter()
                        .enumerate()
                        .map(|(n, ty)| {
                            let mut place = place.clone();
                            place.path.push(crate::ir::Projection::Field(n as u32));
                            Val::Place(place, ty)
                        })
                        .collect(),
                ),
                _ => None,
            },
            _ => None,
        }
    }

    /// The elements of an array of known length.
    fn elements(&mut self, val: &Val, source: SourceId) -> Option<Vec<Val>> {
        let view = self.view(val)?;
        let super::place::Len::Fixed(crate::ir::Length::Known(n)) = view.len else {
            return None;
        };
        Some(
            (0..n)
                .map(|i| {
                    let index = self.usize(i, source);
                    Val::Place(view.element(index, false), view.elem.clone())
                })
                .collect(),
        )
    }

    /// The elements of a slice, whose length is part of the question: `[a, b, ..]`.
    fn test_slice(&mut self, pats: &[&Pat], val: &Val, source: SourceId) -> Option<Test> {
        let view = self.view(val)?;
        let named = |p: &&&Pat| matches!(p, Pat::Ident(i) if i.subpat.as_ref().is_some_and(|(_, s)| matches!(**s, Pat::Rest(_))));
        if matches!(view.len, super::place::Len::Fixed(_)) || pats.iter().any(|p| named(&p)) {
            return None;
        }
        let rest = pats.iter().position(|p| matches!(p, Pat::Rest(_)));
        let len = self.len_of(&view, source);
        let least = self.usize((pats.len() - usize::from(rest.is_some())) as u64, source);
        let op = match rest {
            Some(_) => BinaryOp::Ge,
            None => BinaryOp::Eq,
        };
        let mut test = Test {
            cond: Some(self.operation(op, len.clone(), least, source)),
            bindings: Vec::new(),
        };
        for (i, p) in pats.iter().enumerate().filter(|(i, _)| Some(*i) != rest) {
            let index = match rest {
                Some(at) if i > at => {
                    let back = self.usize((pats.len() - i) as u64, source);
                    self.arithmetic(BinaryOp::Sub, len.clone(), back)
                }
                _ => self.usize(i as u64, source),
            };
            let part = Val::Place(view.element(index, false), view.elem.clone());
            let part = self.test(p, part);
            test.bindings.extend(part.bindings);
            test.cond = self.both(test.cond, part.cond, source);
        }
        Some(test)
    }

    fn test_parts(
        &mut self,
        pats: &[&Pat],
        parts: Vec<Val>,
        pat: &Pat,
        val: Val,
        source: SourceId,
    ) -> Test {
        let rest = pats.iter().position(|p| matches!(p, Pat::Rest(_)));
        let fits = match rest {
            Some(_) => pats.len() - 1 <= parts.len(),
            None => pats.len() == parts.len(),
        };
        let named_rest = pats.iter().any(|p| {
            matches!(p, Pat::Ident(i) if i.subpat.as_ref().is_some_and(|(_, s)| matches!(&**s, Pat::Rest(_))))
        });
        if !fits || named_rest {
            return self.opaque_test(pat, val, source);
        }
        let skipped = parts.len() + usize::from(rest.is_some()) - pats.len();
        let mut test = Test {
            cond: None,
            bindings: Vec::new(),
        };
        for (i, p) in pats.iter().enumerate() {
            let n = match rest {
                Some(at) if i == at => continue,
                Some(at) if i > at => i - 1 + skipped,
                _ => i,
            };
            let part = self.test(p, parts[n].clone());
            test.bindings.extend(part.bindings);
            test.cond = self.both(test.cond, part.cond, source);
        }
        test
    }

    /// Both of two conditions that may be missing.
    pub(super) fn both(&self, a: Option<Expr>, b: Option<Expr>, source: SourceId) -> Option<Expr> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.make(
                ExprKind::And(Box::new(a), Box::new(b)),
                Scalar::Bool,
                source,
            )),
            (a, b) => a.or(b),
        }
    }

    fn test_struct(&mut self, s: &syn::PatStruct, pat: &Pat, val: Val, source: SourceId) -> Test {
        let Val::Place(place, ty) = &val else {
            return self.opaque_test(pat, val, source);
        };
        let mut test = Test {
            cond: None,
            bindings: Vec::new(),
        };
        for field in &s.fields {
            let Some((n, ty)) = self.part_type(ty, &field.member) else {
                return self.opaque_test(pat, val, source);
            };
            let mut part = place.clone();
            part.path.push(crate::ir::Projection::Field(n));
            let inner = self.test(&field.pat, Val::Place(part, ty));
            test.bindings.extend(inner.bindings);
            test.cond = self.both(test.cond, inner.cond, source);
        }
        test
    }

    /// A constant or a unit variant: equality where the value is a number.
    fn test_constant(&mut self, path: &syn::Expr, pat: &Pat, val: Val, source: SourceId) -> Test {
        let value = self.value(val.clone(), source);
        let number = match self.infer.resolve(&value.ty) {
            Type::Scalar(_) => true,
            Type::Infer(_) => self.infer.class(&value.ty) != Some(Class::Any),
            _ => false,
        };
        if !number {
            return self.opaque_test(pat, val, source);
        }
        let constant = self.expr(path);
        let cond = self.operation(BinaryOp::Eq, value, constant, source);
        Test {
            cond: Some(cond),
            bindings: Vec::new(),
        }
    }

    fn test_ranges(&mut self, pat: &Pat, val: Val, source: SourceId) -> Test {
        let value = self.value(val.clone(), source);
        let cond = match pat {
            Pat::Lit(lit) => {
                let literal = self.expr(&syn::Expr::Lit(lit.clone()));
                if matches!(literal.kind, ExprKind::Opaque(_)) {
                    return self.opaque_test(pat, val, source);
                }
                self.operation(BinaryOp::Eq, value, literal, source)
            }
            Pat::Range(range) => {
                let mut cond = None;
                if let Some(start) = &range.start {
                    let start = self.expr(start);
                    cond = Some(self.operation(BinaryOp::Ge, value.clone(), start, source));
                }
                if let Some(end) = &range.end {
                    let end = self.expr(end);
                    let op = match range.limits {
                        syn::RangeLimits::Closed(_) => BinaryOp::Le,
                        syn::RangeLimits::HalfOpen(_) => BinaryOp::Lt,
                    };
                    let upper = self.operation(op, value, end, source);
                    cond = self.both(cond, Some(upper), source);
                }
                return Test {
                    cond,
                    bindings: Vec::new(),
                };
            }
            _ => return self.opaque_test(pat, val, source),
        };
        Test {
            cond: Some(cond),
            bindings: Vec::new(),
        }
    }

    /// A pattern that only rustc understands: a condition and values that are opaque.
    pub fn opaque_test(&mut self, pat: &Pat, val: Val, source: SourceId) -> Test {
        let value = self.value(val, source);
        let mut cond = self.opaque_parts(
            "a pattern of a type that is not known here",
            vec![value.clone()],
            source,
        );
        cond.ty = Type::Scalar(Scalar::Bool);
        let bindings = idents(pat)
            .into_iter()
            .map(|p| {
                let part = self.opaque_parts(
                    "a part of a value whose type is not known here",
                    vec![value.clone()],
                    source,
                );
                Binding {
                    pat: p,
                    val: Val::Expr(part),
                    by_name: false,
                    copied: false,
                }
            })
            .collect();
        Test {
            cond: Some(cond),
            bindings,
        }
    }
}

/// The identifiers that a pattern binds, as patterns.
fn idents(pat: &Pat) -> Vec<syn::PatIdent> {
    bound_names(pat)
        .into_iter()
        .map(|ident| syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: None,
            ident: ident.clone(),
            subpat: None,
        })
        .collect()
}
