//! `Option`s and `Result`s that are taken apart at once: `if let Some(x) = table.get(i)`, `a.checked_sub(b)`,
//! `usize::try_from(x)`. There is no such type in the IR: one is a condition, and a value where it holds.

use syn::Pat;

use super::lower::Lower;
use super::place::{Val, View};
use crate::ir::{
    BinaryOp, Expr, ExprKind, Method, Projection, Scalar, SourceId, StmtKind, Type, UnaryOp,
};
use crate::syntax::without_parens;

use super::pattern::Test;

/// A value that may be there.
#[derive(Clone)]
pub struct Maybe {
    /// When it is.
    pub cond: Expr,
    /// What it is then.
    pub val: Val,
    /// What `unwrap` says where it is not.
    pub missing: &'static str,
    /// Whether it is a `&mut` to a place.
    pub mutable: bool,
}

const NONE: &str = "called `Option::unwrap()` on a `None` value";
const ERR: &str = "called `Result::unwrap()` on an `Err` value: TryFromIntError(())";

impl Lower<'_> {
    /// An expression as a value that may be there; `None` where it is none that is understood.
    pub(super) fn maybe(&mut self, e: &syn::Expr) -> Option<Maybe> {
        match without_parens(e) {
            syn::Expr::MethodCall(call) => {
                let args: Vec<&syn::Expr> = call.args.iter().collect();
                let source = self.source(call);
                match (call.method.to_string().as_str(), args.as_slice()) {
                    ("copied" | "cloned" | "ok", []) => self.maybe(&call.receiver),
                    ("get", [index]) => self.element_at(&call.receiver, index, source),
                    ("get_mut", [index]) if self.any => {
                        let element = self.element_at(&call.receiver, index, source)?;
                        self.as_written = true;
                        self.name_mut(&element.val, source);
                        Some(Maybe {
                            mutable: true,
                            ..element
                        })
                    }
                    ("checked_add", [b]) => {
                        self.checked(Method::OverflowingAdd, &call.receiver, b, source)
                    }
                    ("checked_sub", [b]) => {
                        self.checked(Method::OverflowingSub, &call.receiver, b, source)
                    }
                    ("checked_mul", [b]) => {
                        self.checked(Method::OverflowingMul, &call.receiver, b, source)
                    }
                    _ => None,
                }
            }
            syn::Expr::Call(call) if call.args.len() == 1 => {
                let syn::Expr::Path(path) = without_parens(&call.func) else {
                    return None;
                };
                let mut names = path.path.segments.iter().rev().map(|s| s.ident.to_string());
                if names.next()? != "try_from" {
                    return None;
                }
                let to = Scalar::from_name(&names.next()?).filter(|s| s.is_int())?;
                let source = self.source(call);
                self.converted(&call.args[0], to, source)
            }
            syn::Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                match self.local(&name) {
                    Some(Val::Maybe(maybe)) => Some((**maybe).clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What ends an expression of that kind: `.unwrap_or(v)`, `.unwrap()`, `.is_some()`.
    pub(super) fn unwrapped(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        if !matches!(
            (name.as_str(), args.len()),
            ("unwrap_or" | "expect", 1)
                | ("unwrap" | "is_some" | "is_none" | "is_ok" | "is_err", 0)
        ) {
            return None;
        }
        let maybe = self.maybe(&call.receiver)?;
        let Maybe {
            cond, val, missing, ..
        } = maybe;
        if maybe.mutable && name.starts_with(['u', 'e']) {
            return None;
        }
        let source = self.source(call);
        match name.as_str() {
            "is_some" | "is_ok" => Some(cond),
            "is_none" | "is_err" => Some(self.negated(cond, source)),
            "unwrap_or" => {
                let other = self.expr(args[0]);
                let other = self.freeze(other, "otherwise");
                let there = self.block(|s| Some(s.value(val, source)));
                let ty = other.ty.clone();
                if let Some(tail) = &there.tail {
                    self.infer.unify(&tail.ty, &ty);
                }
                let missing = self.block(|_| Some(other));
                Some(self.make(
                    ExprKind::If(Box::new(cond), there, Some(missing)),
                    ty,
                    source,
                ))
            }
            _ => {
                let message = match args.first() {
                    Some(text) => super::call::string_of(text),
                    None => missing.to_string(),
                };
                let absent = self.negated(cond, source);
                let panic =
                    self.block(|s| Some(s.make(ExprKind::Panic(message), Type::Never, source)));
                let check = self.make(
                    ExprKind::If(Box::new(absent), panic, None),
                    Type::Unit,
                    source,
                );
                self.push(StmtKind::Expr(check), source);
                Some(self.value(val, source))
            }
        }
    }

    /// What `Some(p)`, `None`, `Ok(p)` and `Err(_)` ask of it; `None` for other patterns.
    pub(super) fn test_maybe(
        &mut self,
        pat: &Pat,
        maybe: &Maybe,
        source: SourceId,
    ) -> Option<Test> {
        let Maybe { cond, val, .. } = maybe.clone();
        let name = |path: &syn::Path| path.segments.last().map(|s| s.ident.to_string());
        match pat {
            Pat::Paren(p) => self.test_maybe(&p.pat, maybe, source),
            Pat::TupleStruct(p) if p.elems.len() == 1 => match name(&p.path)?.as_str() {
                "Some" | "Ok" => {
                    let mut inner = self.test(&p.elems[0], val);
                    for binding in &mut inner.bindings {
                        binding.by_name = maybe.mutable;
                    }
                    Some(Test {
                        cond: self.both(Some(cond), inner.cond, source),
                        bindings: inner.bindings,
                    })
                }
                "Err" if matches!(p.elems[0], Pat::Wild(_)) => Some(self.absent(cond, source)),
                _ => None,
            },
            Pat::Ident(p) if p.ident == "None" && p.subpat.is_none() => {
                Some(self.absent(cond, source))
            }
            Pat::Path(p) if name(&p.path)? == "None" => Some(self.absent(cond, source)),
            _ => None,
        }
    }

    fn absent(&self, cond: Expr, source: SourceId) -> Test {
        Test {
            cond: Some(self.negated(cond, source)),
            bindings: Vec::new(),
        }
    }

    fn negated(&self, cond: Expr, source: SourceId) -> Expr {
        self.make(
            ExprKind::Unary(UnaryOp::Not, Box::new(cond)),
            Scalar::Bool,
            source,
        )
    }

    /// `table.get(i)`.
    fn element_at(
        &mut self,
        table: &syn::Expr,
        index: &syn::Expr,
        source: SourceId,
    ) -> Option<Maybe> {
        // A part of it is a slice, and a slice that may not be there is none of ours.
        let (key, _) = super::names::key_of(table)?;
        // What the loop updates has no business here, and is reported where code is not understood.
        if !self.any && self.local(&key.root).is_none() && self.assigns(&key).is_some() {
            return None;
        }
        if matches!(without_parens(index), syn::Expr::Range(_)) {
            return None;
        }
        // A map, or a type of the user's, has a `get` of its own.
        if self.local(&key.root).is_none()
            && matches!(
                self.shape(&key),
                crate::syntax::Shape::Elem(_) | crate::syntax::Shape::Str
            )
        {
            return None;
        }
        let table = self.val(table);
        let view: View = self.view(&table)?;
        let index = self.expr(index);
        self.infer.unify(&index.ty, &Type::Scalar(Scalar::Usize));
        let index = self.freeze(index, "index");
        let len = self.len_of(&view, source);
        let cond = self.operation(BinaryOp::Lt, index.clone(), len, source);
        let val = Val::Place(view.element(index, false), view.elem.clone());
        Some(Maybe {
            cond,
            val,
            missing: NONE,
            mutable: false,
        })
    }

    /// `a.checked_add(b)`, by the method that tells of an overflow.
    fn checked(
        &mut self,
        method: Method,
        a: &syn::Expr,
        b: &syn::Expr,
        source: SourceId,
    ) -> Option<Maybe> {
        let a = self.expr(a);
        self.infer.scalar(&a.ty).filter(|s| s.is_int())?;
        let b = self.expr(b);
        let pair = self.primitive_method(method, vec![a, b], source)?;
        let Type::Tuple(types) = pair.ty.clone() else {
            return None;
        };
        let pair = self.freeze(pair, "checked");
        let ExprKind::Load(place) = pair.kind else {
            return None;
        };
        let part = |n: u32| {
            let mut part = place.clone();
            part.path.push(Projection::Field(n));
            part
        };
        let overflow = self.make(ExprKind::Load(part(1)), Scalar::Bool, source);
        Some(Maybe {
            cond: self.negated(overflow, source),
            val: Val::Place(part(0), types[0].clone()),
            missing: NONE,
            mutable: false,
        })
    }

    /// `T::try_from(x)`: it fits if it comes back as it was, with its sign.
    fn converted(&mut self, x: &syn::Expr, to: Scalar, source: SourceId) -> Option<Maybe> {
        let x = self.expr(x);
        let from = self.infer.scalar(&x.ty).filter(|s| s.is_int())?;
        let x = self.freeze(x, "from");
        let there = self.make(ExprKind::Cast(Box::new(x.clone())), to, source);
        let there = self.freeze(there, "converted");
        let back = self.make(ExprKind::Cast(Box::new(there.clone())), from, source);
        let same = self.operation(BinaryOp::Eq, back, x.clone(), source);
        let negative = |s: &mut Self, value: Expr| {
            let zero = s.make(
                ExprKind::Literal(crate::ir::Literal::Int(0)),
                value.ty.clone(),
                source,
            );
            s.operation(BinaryOp::Lt, value, zero, source)
        };
        let signs = match (from.is_signed(), to.is_signed()) {
            (true, true) | (false, false) => None,
            (true, false) => {
                let below = negative(self, x);
                Some(self.negated(below, source))
            }
            (false, true) => {
                let below = negative(self, there.clone());
                Some(self.negated(below, source))
            }
        };
        let cond = self.both(Some(same), signs, source)?;
        Some(Maybe {
            cond,
            val: Val::Expr(there),
            missing: ERR,
            mutable: false,
        })
    }
}
