//! Statements and blocks.

use syn::spanned::Spanned;

use super::call::as_statement;
use super::lower::Lower;
use super::names;
use super::place::{Val, View};
use crate::ir::{Block, Expr, ExprKind, Place, Root, StmtKind, Type};
use crate::syntax::without_parens;

impl Lower<'_> {
    /// The statements of a block, into the current block; returns the value of the last.
    pub fn stmts(&mut self, block: &syn::Block) -> Option<Expr> {
        self.enter_items(block);
        let value = self.stmts_among_items(block);
        self.leave_items();
        value
    }

    fn stmts_among_items(&mut self, block: &syn::Block) -> Option<Expr> {
        let items: Vec<&syn::Item> = block
            .stmts
            .iter()
            .filter_map(|stmt| match stmt {
                syn::Stmt::Item(item) => Some(item),
                _ => None,
            })
            .collect();
        for (n, item) in items.iter().enumerate() {
            let later = items[n..].iter();
            let later: Vec<String> = later.flat_map(|item| names::declared(item)).collect();
            self.inner_item(item, &later);
        }
        let last = block.stmts.len().saturating_sub(1);
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Local(local) => self.local_stmt(local),
                syn::Stmt::Item(_) => {}
                syn::Stmt::Expr(e, None) if i == last => {
                    let mut value = self.expr(e);
                    as_statement(e, &mut value);
                    return (!self.is_unit_value(&value)).then_some(value);
                }
                syn::Stmt::Expr(e, _) => self.expr_stmt(e),
                syn::Stmt::Macro(m) => {
                    let e: syn::Expr = syn::Expr::Macro(syn::ExprMacro {
                        attrs: m.attrs.clone(),
                        mac: m.mac.clone(),
                    });
                    let value = self.macro_expr(&m.mac, &e);
                    if i == last && m.semi_token.is_none() && !self.is_unit_value(&value) {
                        return Some(value);
                    }
                    self.effect(value);
                }
            }
        }
        None
    }

    fn is_unit_value(&self, value: &Expr) -> bool {
        matches!(&value.kind, ExprKind::Block(Block { stmts, tail: None }) if stmts.is_empty())
    }

    /// An expression for its effects.
    pub fn expr_stmt(&mut self, e: &syn::Expr) {
        match self.val(e) {
            Val::Expr(mut value) => {
                as_statement(e, &mut value);
                self.effect(value);
            }
            // `bins[k];` reads the element, and drops what it has read.
            other if self.is_updated(&other) => {
                let source = self.source(e);
                let value = self.value(other, source);
                self.effect(value);
            }
            other => drop(self.alias(other)),
        }
    }

    fn effect(&mut self, value: Expr) {
        if self.is_unit_value(&value) {
            return;
        }
        let source = value.source;
        self.push(StmtKind::Expr(value), source);
    }

    /// An item inside the body hides what its name meant outside, and is not known itself. Items are visible in the whole block, so a
    /// constant may be made of a later one.
    fn inner_item(&mut self, item: &syn::Item, later: &[String]) {
        let name = match item {
            syn::Item::Const(i) => &i.ident,
            syn::Item::Static(i) => &i.ident,
            syn::Item::Fn(i) => &i.sig.ident,
            _ => return,
        };
        let source = self.source(name);
        let opaque = match item {
            syn::Item::Const(i) if !mentions(&i.expr, later) => {
                // A constant is its value, wherever it stands.
                let value = self.expr(&i.expr);
                let ty = self.written_type(&i.ty);
                self.infer.unify(&ty, &value.ty);
                Expr { ty, ..value }
            }
            _ => self.opaque_expr(
                format!("`{name}`, declared inside the loop"),
                Some("declare it outside the function"),
                source,
            ),
        };
        let (name, val) = (name.to_string(), Val::Expr(opaque));
        match item {
            syn::Item::Const(_) => self.bind_constant(name, val),
            _ => self.bind_name(name, val),
        }
    }

    fn local_stmt(&mut self, local: &syn::Local) {
        let Some(init) = &local.init else {
            let source = self.source(&local.pat);
            self.declare(&local.pat, source);
            return;
        };
        if let Some(value) = self.keyed(std::ptr::from_ref(local).cast(), &init.expr) {
            return self.effect(value);
        }
        let span = local.pat.span();
        let handed = self.hands_out(&init.expr);
        let lent = match without_parens(&init.expr) {
            syn::Expr::Reference(r) if r.mutability.is_some() => Some(&*r.expr),
            e => Some(e).filter(|_| handed),
        };
        if let (Some(place), Some(name)) = (lent, names::whole(&local.pat)) {
            // A name for the place, which is written through it.
            let val = self.val(place);
            let val = match &local.pat {
                syn::Pat::Type(typed) => self.typed_as(val, &typed.ty),
                _ => val,
            };
            if !matches!(val, Val::Expr(_)) {
                let val = self.alias(val);
                if let syn::Expr::Reference(of) = without_parens(&init.expr) {
                    let source = self.source(of);
                    self.name_mut(&val, source);
                }
                // Captured memory is not known to be written where its name is not what is assigned.
                let written = match &val {
                    Val::Place(Place { root, .. }, _) | Val::View(View { root, .. }) => {
                        matches!(root, Root::Var(_)) || self.is_root_written(*root)
                    }
                    _ => false,
                };
                match handed || written {
                    true => self.bind_handed(name.to_string(), val),
                    false => self.bind_name(name.to_string(), val),
                }
                return;
            }
        }
        let val = match self.val(&init.expr) {
            // Which place it refers to is known when it runs.
            Val::Expr(value) if chooses_reference(&init.expr) => {
                let source = value.source;
                let why = "a `&mut` reference to one of several places";
                Val::Expr(self.opaque_parts(why, vec![value], source))
            }
            val => val,
        };
        let val = match handed || names::lends(&local.pat) {
            true => val,
            false => self.read_now(val, &init.expr),
        };
        if let (Some(name), Val::Place(place, _)) = (names::whole(&local.pat), &val)
            && matches!(&*init.expr, syn::Expr::Index(_))
            && matches!(place.root, Root::Array(_))
        {
            self.copies.push((name.to_string(), format!("{place:?}")));
        }
        match &init.diverge {
            None if handed => self.bind_handed_out(&local.pat, val),
            None => self.bind(&local.pat, val),
            Some((_, diverge)) => {
                // `let PAT = value else { … }`: the other way does not come back.
                let source = self
                    .sources
                    .add(quote::ToTokens::to_token_stream(&local.pat), span);
                let val = self.alias(val);
                let mut test = self.test(&local.pat, val);
                if handed {
                    test.hands_out();
                }
                let cond = match test.cond {
                    Some(cond) => cond,
                    None => self.make(
                        ExprKind::Literal(crate::ir::Literal::Bool(true)),
                        crate::ir::Scalar::Bool,
                        source,
                    ),
                };
                let not = self.make(
                    ExprKind::Unary(crate::ir::UnaryOp::Not, Box::new(cond)),
                    crate::ir::Scalar::Bool,
                    source,
                );
                let block = self.block(|s| Some(s.expr(diverge)));
                let expr = self.make(ExprKind::If(Box::new(not), block, None), Type::Unit, source);
                self.push(StmtKind::Expr(expr), source);
                self.bind_test(test.bindings);
            }
        }
    }

    /// Whether it is a place that the loop updates.
    fn is_updated(&self, val: &Val) -> bool {
        match val {
            Val::Place(place, _) => self.is_written(place),
            Val::Outer(key, _) => !self.is_array(key) && self.assigns(key).is_some(),
            _ => false,
        }
    }

    /// A read of what the loop updates is one here and now, at this place of the text.
    fn read_now(&mut self, val: Val, e: &syn::Expr) -> Val {
        if let Val::Tuple(parts) = val {
            let parts = parts.into_iter();
            return Val::Tuple(parts.map(|part| self.read_now(part, e)).collect());
        }
        if !self.is_updated(&val) {
            return val;
        }
        let source = self.source(e);
        let value = self.value(val, source);
        self.alias_once(Val::Expr(value))
    }
}

/// Whether an expression has one of these names in it.
fn mentions(e: &syn::Expr, declared: &[String]) -> bool {
    let mut used = Vec::new();
    names::identifiers(quote::ToTokens::to_token_stream(e), &mut used);
    used.iter().any(|name| declared.iter().any(|d| name == d))
}

/// Whether an expression makes a `&mut` reference in a block, or in a branch.
fn chooses_reference(e: &syn::Expr) -> bool {
    fn gives(e: &syn::Expr) -> bool {
        match without_parens(e) {
            syn::Expr::Reference(of) => of.mutability.is_some(),
            syn::Expr::Tuple(of) => of.elems.iter().any(gives),
            e => chooses_reference(e),
        }
    }
    fn ends(block: &syn::Block) -> bool {
        matches!(block.stmts.last(), Some(syn::Stmt::Expr(last, None)) if gives(last))
    }
    match without_parens(e) {
        syn::Expr::If(of) => {
            ends(&of.then_branch) || of.else_branch.as_ref().is_some_and(|(_, e)| gives(e))
        }
        syn::Expr::Match(of) => of.arms.iter().any(|arm| gives(&arm.body)),
        syn::Expr::Block(of) => ends(&of.block),
        syn::Expr::Unsafe(of) => ends(&of.block),
        _ => false,
    }
}
