//! Methods that change an array of the body's own.

use super::iteration::Lent;
use super::lower::Lower;
use super::place::{Val, View};
use crate::ir::{
    Block, Expr, ExprKind, ForLoop, LoopLabel, Root, Scalar, SourceId, StmtKind, Type, VarKind,
};
use crate::syntax::without_parens;

impl Lower<'_> {
    /// `a.swap(i, j)` and `a.fill(v)` of a local array, or of elements that may be the iteration's own.
    pub(super) fn local_array_method(
        &mut self,
        name: &str,
        args: &[&syn::Expr],
        receiver: &Val,
        source: SourceId,
    ) -> Option<Expr> {
        if !matches!((name, args.len()), ("swap", 2) | ("fill", 1)) {
            return None;
        }
        let view = self.view(receiver)?;
        match view.root {
            Root::Var(var) if self.vars[var.0 as usize].kind == VarKind::Local => {}
            Root::Array(_) if self.any => {}
            _ => return None,
        }
        match args {
            [i, j] => {
                let i = self.index_of(i);
                let j = self.index_of(j);
                self.swap_elements(&view, i, j, source);
            }
            [value] => {
                let value = self.expr(value);
                self.infer.unify(&value.ty, &view.elem);
                self.fill(&view, value, source);
            }
            _ => return None,
        }
        Some(self.unit(source))
    }

    fn index_of(&mut self, e: &syn::Expr) -> Expr {
        let index = self.expr(e);
        self.infer.unify(&index.ty, &Type::Scalar(Scalar::Usize));
        self.freeze(index, "index")
    }

    fn swap_elements(&mut self, view: &View, i: Expr, j: Expr, source: SourceId) {
        let ty = view.elem.clone();
        let (a, b) = (view.element(i, true), view.element(j, true));
        let kept = self.var("swapped", ty.clone(), VarKind::Local, source);
        let first = self.make(ExprKind::Load(a.clone()), ty.clone(), source);
        self.push(StmtKind::Let(kept, Some(first)), source);
        let second = self.make(ExprKind::Load(b.clone()), ty, source);
        self.push(StmtKind::Assign(a, second), source);
        let kept = self.load(kept, source);
        self.push(StmtKind::Assign(b, kept), source);
    }

    fn fill(&mut self, view: &View, value: Expr, source: SourceId) {
        let value = self.freeze(value, "value");
        let count = self.len_of(view, source);
        let position = self.var(
            "position",
            Type::Scalar(Scalar::Usize),
            VarKind::Local,
            source,
        );
        let label = LoopLabel(self.next_label);
        self.next_label += 1;
        let place = view.element(self.load(position, source), false);
        let body = self.block(|s| {
            s.push(StmtKind::Assign(place, value), source);
            None
        });
        let body = Block { tail: None, ..body };
        self.push(
            StmtKind::For(ForLoop {
                label,
                position,
                count,
                body,
            }),
            source,
        );
    }

    /// Binds the items of a loop over `&mut` elements: each is a name for its element, but for a `mut` name of a part that is not `lent`.
    pub(super) fn bind_elements(&mut self, pat: &syn::Pat, val: Val, lent: &Lent) {
        match (pat, val) {
            (syn::Pat::Paren(p), val) => self.bind_elements(&p.pat, val, lent),
            (syn::Pat::Ident(p), val)
                if p.mutability.is_some() && matches!(lent, Lent::Nothing) =>
            {
                self.bind(pat, val);
            }
            (syn::Pat::Ident(p), val @ (Val::Place(..) | Val::View(_))) => {
                let val = self.alias(val);
                self.bind_handed(p.ident.to_string(), val);
            }
            (syn::Pat::Tuple(tuple), Val::Tuple(parts)) if tuple.elems.len() == parts.len() => {
                let whole = [lent, lent];
                let lent = match lent {
                    Lent::Pair(first, second) => [&**first, &**second],
                    Lent::All | Lent::Nothing => whole,
                };
                for (n, (pat, part)) in tuple.elems.iter().zip(parts).enumerate() {
                    self.bind_elements(pat, part, lent[n.min(1)]);
                }
            }
            (pat, val @ (Val::Place(..) | Val::View(_))) => self.bind_handed_out(pat, val),
            (pat, val) => self.bind(pat, val),
        }
        if matches!(lent, Lent::Nothing) {
            self.share(pat);
        }
    }
}

/// Whether an iteration hands out `&mut` elements.
pub(super) fn is_mutable(e: &syn::Expr) -> bool {
    match without_parens(e) {
        syn::Expr::Reference(r) => r.mutability.is_some(),
        syn::Expr::MethodCall(call) => {
            let handed = ["iter_mut", "chunks_mut", "chunks_exact_mut"];
            handed.iter().any(|name| call.method == name)
                || is_mutable(&call.receiver)
                || (call.method == "zip" && call.args.iter().any(is_mutable))
        }
        _ => false,
    }
}
