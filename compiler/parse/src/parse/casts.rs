//! Captured values of a type that the macro does not see, where it does not matter: the host casts them. `BITS as u32`
//! is a number of a known type whatever `BITS` is, and so is the amount of a shift, `k >> BITS`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::visit::VisitMut;
use crate::ir::{
    BinaryOp, Body, Expr, ExprKind, Place, Root, Scalar, Stmt, StmtKind, Type, Var, VarId, VarKind,
};
use crate::syntax::Capture;

/// Replaces casts of such values by captured values of their own.
pub(super) fn by_the_host(body: &mut Body, captures: &mut Vec<Capture>) {
    let mut block = std::mem::take(&mut body.block);
    let mut casts = Casts {
        vars: &mut body.vars,
        captures,
        made: Vec::new(),
    };
    casts.block(&mut block);
    body.block = block;
}

struct Casts<'a> {
    vars: &'a mut Vec<Var>,
    captures: &'a mut Vec<Capture>,
    /// The variable that holds a captured one as another type.
    made: Vec<(VarId, Scalar, VarId)>,
}

impl Casts<'_> {
    /// The captured variable that an expression is, if its type is not known.
    fn unknown(&self, e: &Expr) -> Option<VarId> {
        match &e.kind {
            ExprKind::Load(Place {
                root: Root::Var(id),
                path,
            }) if path.is_empty() => {
                let var = &self.vars[id.0 as usize];
                let unknown = matches!(var.ty, Type::Opaque(None) | Type::Integer(_));
                (var.kind == VarKind::Captured && unknown).then_some(*id)
            }
            _ => None,
        }
    }

    fn cast(&mut self, id: VarId, to: Scalar, e: &mut Expr) {
        let made = self.made.iter().find(|(v, ty, _)| (*v, *ty) == (id, to));
        let var = match made {
            Some((_, _, made)) => *made,
            None => {
                let Some(capture) = self.captures.iter().find(|c| c.var == id) else {
                    return;
                };
                let (tokens, source) = (&capture.tokens, capture.source);
                // A constant may be an `enum`'s value too; a variable may be a reference, and is asked what it is.
                let cast = !is_constant(tokens);
                let ty = quote::format_ident!("{}", to.name());
                let tokens = match cast {
                    true => tokens.clone(),
                    false => quote!(((#tokens) as ::core::primitive::#ty)),
                };
                let var = VarId(self.vars.len() as u32);
                self.vars.push(Var {
                    name: format!("{} as {to}", self.vars[id.0 as usize].name),
                    ty: Type::Scalar(to),
                    kind: VarKind::Captured,
                    source,
                });
                self.captures.push(Capture {
                    var,
                    tokens,
                    cast,
                    scalar: None,
                    constant: None,
                    source,
                });
                self.made.push((id, to, var));
                var
            }
        };
        e.kind = ExprKind::Load(Place {
            root: Root::Var(var),
            path: Vec::new(),
        });
        e.ty = Type::Scalar(to);
    }
}

/// Whether tokens name a constant, by the custom of their spelling.
fn is_constant(tokens: &TokenStream) -> bool {
    match syn::parse2::<syn::Expr>(tokens.clone()) {
        Ok(syn::Expr::Path(path)) => match path.path.get_ident() {
            Some(name) => name.to_string().starts_with(char::is_uppercase),
            None => true,
        },
        _ => false,
    }
}

impl VisitMut for Casts<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        self.stmt_parts(stmt);
        if let StmtKind::Compound(_, BinaryOp::Shl | BinaryOp::Shr, amount) = &mut stmt.kind
            && let Some(id) = self.unknown(amount)
        {
            self.cast(id, Scalar::U32, amount);
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        self.expr_parts(expr);
        let to = expr.ty.as_scalar();
        match &mut expr.kind {
            ExprKind::Cast(inner) => {
                if let (Some(id), Some(to)) = (self.unknown(inner), to) {
                    self.cast(id, to, expr);
                }
            }
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, _, amount) => {
                if let Some(id) = self.unknown(amount) {
                    self.cast(id, Scalar::U32, amount);
                }
            }
            _ => {}
        }
    }
}
