//! Whether what is left of a body still tells the types of its variables.
//!
//! ```text
//! let mut p = 1; for _ in 0..e { p *= 10; } out[i] = p; if p >= 10_000 { n += 1; }
//! ```
//!
//! A part of this body that leaves `out[i] = p` out would compute `p` as an `i32`. So a variable that something left out mentions has to get its type from what is kept: from an operand, an
//! annotation, a suffix, a cast.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Block, Expr, ExprMethodCall, Lit, Pat, Stmt};

use super::sites::gives_bool;
use super::visit::{self, Visit};
use super::{names, without_parens};
use crate::sorted::SortedSet;

/// Looks for variables of `kept` whose types something else of `body` tells.
///
/// # Errors
///
/// Which one it is.
pub fn are_told(body: &Block, kept: &Block) -> Result<(), String> {
    let mut open = Open::default();
    open.visit_block(kept);
    loop {
        let before = open.names.len();
        Anchors(&mut open).visit_block(kept);
        if open.names.len() == before {
            break;
        }
    }
    let all = [body, kept].map(|block| {
        let mut all = Vec::new();
        names::identifiers(block.to_token_stream(), &mut all);
        all
    });
    let elsewhere = |name: &&String| {
        let [whole, kept] = all
            .each_ref()
            .map(|all| all.iter().filter(|of| of == name).count());
        whole > kept
    };
    match open.names.iter().find(elsewhere) {
        None => Ok(()),
        Some(name) => Err(format!(
            "what type `{name}` has only statements tell that are not needed beforehand: `let {name}: u32 = ..` says it"
        )),
    }
}

/// Variables whose types are not told where they are bound.
#[derive(Default)]
struct Open {
    names: SortedSet<String>,
}

impl Open {
    fn bind(&mut self, pat: &Pat, init: Option<&Expr>) {
        match (pat, init.map(without_parens)) {
            (Pat::Type(_), _) => {}
            (Pat::Tuple(pats), Some(Expr::Tuple(values)))
                if pats.elems.len() == values.elems.len() =>
            {
                for (pat, value) in pats.elems.iter().zip(&values.elems) {
                    self.bind(pat, Some(value));
                }
            }
            (pat, init) => {
                if !init.is_some_and(|init| self.tells(init)) {
                    let all = names::bound_names(pat);
                    self.names.extend(all.into_iter().map(Ident::to_string));
                }
            }
        }
    }

    fn is_open(&self, e: &Expr) -> Option<String> {
        match without_parens(e) {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                self.names.contains(&name).then_some(name)
            }
            _ => None,
        }
    }

    /// Whether the type of an expression is known by itself.
    fn tells(&self, e: &Expr) -> bool {
        let last = |block: &Block| match block.stmts.last() {
            Some(Stmt::Expr(e, None)) => self.tells(e),
            _ => false,
        };
        match e {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(n) => !n.suffix().is_empty(),
                Lit::Float(n) => !n.suffix().is_empty(),
                _ => true,
            },
            Expr::Path(path) => !path.path.is_ident("None") && self.is_open(e).is_none(),
            Expr::Paren(e) => self.tells(&e.expr),
            Expr::Group(e) => self.tells(&e.expr),
            Expr::Unary(e) => self.tells(&e.expr),
            Expr::Reference(e) => self.tells(&e.expr),
            Expr::Try(e) => self.tells(&e.expr),
            Expr::Field(e) => self.tells(&e.base),
            Expr::Index(e) => self.tells(&e.expr),
            Expr::Cast(e) => !matches!(&*e.ty, syn::Type::Infer(_)),
            Expr::Binary(e) if is_shift(&e.op) => self.tells(&e.left),
            Expr::Binary(e) => gives_bool(&e.op) || self.tells(&e.left) || self.tells(&e.right),
            Expr::Array(e) => e.elems.iter().any(|e| self.tells(e)),
            Expr::Repeat(e) => self.tells(&e.expr),
            Expr::Tuple(e) => e.elems.iter().all(|e| self.tells(e)),
            Expr::If(e) => {
                let other = e.else_branch.as_ref();
                last(&e.then_branch) || other.is_some_and(|(_, e)| self.tells(e))
            }
            Expr::Match(e) => e.arms.iter().any(|arm| self.tells(&arm.body)),
            Expr::Block(e) => last(&e.block),
            Expr::Unsafe(e) => last(&e.block),
            Expr::MethodCall(e) => self.call_tells(e),
            Expr::Call(e) => match &*e.func {
                Expr::Path(path) => self.function_tells(&path.path, e.args.iter()),
                _ => true,
            },
            Expr::Macro(e) => !e.mac.path.is_ident("vec"),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => false,
            _ => true,
        }
    }

    fn call_tells(&self, e: &ExprMethodCall) -> bool {
        if e.turbofish.is_some() {
            return true;
        }
        match e.method.to_string().as_str() {
            "parse" | "into" | "try_into" | "collect" | "sum" | "product" | "unwrap_or_default" => {
                false
            }
            _ => {
                self.tells(&e.receiver) || takes_its_like(e) && e.args.iter().any(|e| self.tells(e))
            }
        }
    }

    fn function_tells<'e>(
        &self,
        path: &syn::Path,
        mut args: impl Iterator<Item = &'e Expr>,
    ) -> bool {
        const GENERIC: [&str; 10] = [
            "Vec",
            "VecDeque",
            "HashMap",
            "HashSet",
            "BTreeMap",
            "BTreeSet",
            "BinaryHeap",
            "Option",
            "Default",
            "Box",
        ];
        let is_open = |segment: &syn::PathSegment| {
            segment.arguments.is_none() && GENERIC.iter().any(|name| segment.ident == name)
        };
        match path.segments.last() {
            Some(last) if ["Some", "Ok", "Err"].iter().any(|name| last.ident == name) => {
                args.any(|e| self.tells(e))
            }
            _ if path.segments.len() > 1 => {
                !path.segments.iter().any(is_open) || args.any(|e| self.tells(e))
            }
            _ => true,
        }
    }
}

impl<'a> Visit<'a> for Open {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Local(local) => {
                visit::visit_local(self, local);
                let init = local.init.as_ref().map(|init| &*init.expr);
                self.bind(&local.pat, init);
            }
            _ => node.parts(self),
        }
    }
}

/// Closes those of which what is kept tells the type.
struct Anchors<'o>(&'o mut Open);

impl Anchors<'_> {
    fn meet(&mut self, a: &Expr, b: &Expr) {
        for (name, other) in [(a, b), (b, a)] {
            if let Some(name) = self.0.is_open(name)
                && self.0.tells(other)
            {
                self.0.names.remove(&name);
            }
        }
    }
}

impl<'a> Visit<'a> for Anchors<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                match e {
                    Expr::Binary(e) if !is_shift(&e.op) => self.meet(&e.left, &e.right),
                    Expr::Assign(e) => self.meet(&e.left, &e.right),
                    Expr::MethodCall(e) if takes_its_like(e) => {
                        e.args.iter().for_each(|arg| self.meet(&e.receiver, arg));
                    }
                    Expr::Index(e) => {
                        if let Some(name) = self.0.is_open(&e.index) {
                            self.0.names.remove(&name);
                        }
                    }
                    _ => {}
                }
                visit::visit_expr(self, e);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether a method's arguments are of the receiver's type, by its name.
fn takes_its_like(e: &ExprMethodCall) -> bool {
    let name = e.method.to_string();
    let starts = ["wrapping_", "saturating_", "checked_", "overflowing_"];
    let shifts = name.ends_with("shl") || name.ends_with("shr") || name.ends_with("pow");
    !shifts
        && (starts.iter().any(|start| name.starts_with(start))
            || matches!(
                name.as_str(),
                "min"
                    | "max"
                    | "clamp"
                    | "abs_diff"
                    | "rem_euclid"
                    | "div_euclid"
                    | "mul_add"
                    | "powf"
                    | "atan2"
                    | "hypot"
            ))
}

fn is_shift(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_)
    )
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn types_are_told_by_what_is_kept() {
        let told = |kept: Block, rest: Stmt| {
            let mut body = kept.clone();
            body.stmts.push(rest);
            are_told(&body, &kept).is_ok()
        };
        let write = || -> Stmt { parse_quote!(out[i] = w;) };
        assert!(!told(
            parse_quote!({
                let mut w = 1;
                for _ in 0..e {
                    w *= 10;
                }
                if w > 100 {
                    n += 1;
                }
            }),
            write()
        ));
        assert!(!told(
            parse_quote!({
                let w = 1 << v;
            }),
            write()
        ));
        assert!(!told(
            parse_quote!({
                let a = 0.1;
                let w = a + 0.5;
            }),
            write()
        ));
        assert!(!told(
            parse_quote!({
                let w = s.parse()?;
            }),
            write()
        ));
        assert!(!told(
            parse_quote!({
                let mut w = 250;
                if v > 0 {
                    w += 10;
                }
            }),
            write()
        ));
        assert!(!told(
            parse_quote!({
                let w = if c { vec![] } else { Vec::new() };
            }),
            write()
        ));
        assert!(told(
            parse_quote!({
                let w = 1u64 << v;
            }),
            write()
        ));
        assert!(told(
            parse_quote!({
                let w: u64 = 1 << v;
            }),
            write()
        ));
        assert!(told(
            parse_quote!({
                let w = x[i] * 2 + 1;
            }),
            write()
        ));
        assert!(told(
            parse_quote!({
                let mut w = 0;
                for k in 0..n {
                    w += x[k];
                }
            }),
            write()
        ));
        assert!(told(
            parse_quote!({
                let mut w = 0;
                if w < limit {
                    n += 1;
                }
            }),
            write()
        ));
        assert!(told(
            parse_quote!({
                let w = 0;
                h[w] += 1;
            }),
            write()
        ));
        assert!(told(
            parse_quote!({
                let (a, w) = (1.0 - t, v as f32);
            }),
            write()
        ));
        // Nothing else mentions it.
        assert!(told(
            parse_quote!({
                let k = 1 << 3;
            }),
            write()
        ));
    }
}
