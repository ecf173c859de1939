//! Ranges and iterators that have a name before the one loop that takes them.
//!
//! | written | stands for |
//! | --- | --- |
//! | `let r = 0..n; for i in r { .. }`, `for i in r.rev()` | `for i in 0..n { .. }`, `for i in (0..n).rev()` |
//! | `let r: Range<u64> = 0..n; for i in r { .. }` | `let _: Range<u64> = 0..n; for i in 0u64..n { .. }` |
//! | `let it = v.iter().enumerate(); for (i, x) in it { .. }` | `for (i, x) in v.iter().enumerate() { .. }` |
//! | `let mut c = v.chunks_exact(2); for x in &mut c { .. } c.remainder()`, `for x in c.by_ref()` | `let c = v.chunks_exact(2); for x in v.chunks_exact(2) { .. } c.remainder()` |
//!
//! The name is used nowhere else, but for what is left over of chunks: that is the same however many have been taken. Between the `let` and the loop stand at most other `let`s, of what changes nothing; what moves behind them cannot fail then, so
//! that it does not matter when it is evaluated.

use quote::ToTokens;
use syn::{
    Expr, ExprLit, GenericArgument, Ident, ItemFn, Lit, LitInt, Local, Member, Pat, PathArguments,
    Stmt, Type, parse_quote,
};

use super::adaptors;
use super::once::is_quiet;
use crate::ir::Scalar;
use crate::syntax::names::{bound_names, identifiers};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut blocks = Blocks { found: false };
    blocks.visit_block_mut(&mut function.block);
    blocks.found
}

struct Blocks {
    found: bool,
}

impl VisitMut for Blocks {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                let mut at = 0;
                while at < block.stmts.len() {
                    match put(&mut block.stmts[at..]) {
                        Some(None) => {
                            block.stmts.remove(at);
                            self.found = true;
                        }
                        Some(Some(left)) => {
                            block.stmts[at] = left;
                            self.found = true;
                            at += 1;
                        }
                        None => at += 1,
                    }
                }
                visit_mut::visit_block_mut(self, block);
            }
            visit_mut::Node::Expr(Expr::Closure(_) | Expr::Async(_)) | visit_mut::Node::Item(_) => {
            }
            node => node.parts(self),
        }
    }
}

/// Puts what the first of these statements binds into the header of the loop that takes it; what is left of it.
fn put(stmts: &mut [Stmt]) -> Option<Option<Stmt>> {
    let Some((Stmt::Local(local), rest)) = stmts.split_first_mut() else {
        return None;
    };
    let (name, bound, mut left) = named(local)?;
    let at = rest.iter().position(|s| !matches!(s, Stmt::Local(_)))?;
    let (mut used, mut read) = (Vec::new(), Vec::new());
    rest.iter()
        .for_each(|stmt| identifiers(stmt.to_token_stream(), &mut used));
    identifiers(bound.to_token_stream(), &mut read);
    let bound = &bound;
    let between = |stmt: &Stmt| match stmt {
        Stmt::Local(of) => {
            let init = of.init.as_ref().filter(|init| init.diverge.is_none());
            let quiet = init.is_some_and(|init| is_quiet(&init.expr) || is_still(&init.expr));
            quiet && !bound_names(&of.pat).iter().any(|name| read.contains(name))
        }
        _ => false,
    };
    let leftover = match is_chunks(bound) {
        true => remainders(&rest[at + 1..], name),
        false => 0,
    };
    if used.iter().filter(|used| *used == name).count() != 1 + leftover
        || at > 0 && !(is_still(bound) && rest[..at].iter().all(between))
    {
        return None;
    }
    let Stmt::Expr(Expr::ForLoop(of), _) = &mut rest[at] else {
        return None;
    };
    let bound = bound.clone();
    let found = match is_chunks(&bound) {
        true => advanced(&mut of.expr, name),
        false => taken(&mut of.expr, name),
    };
    if leftover > 0 {
        left = Some(parse_quote!(let #name = #bound;));
    }
    match of.attrs.is_empty().then_some(found) {
        Some(Some(place)) => {
            *place = match bound {
                Expr::Range(range) => parse_quote!((#range)),
                bound => bound,
            };
            Some(left)
        }
        _ => None,
    }
}

/// `let r = 0..n;`: the name and what it stands for. Where its type is written, it is a range, and what says that the type is so is left.
fn named(local: &Local) -> Option<(&Ident, Expr, Option<Stmt>)> {
    let (pat, ty) = match &local.pat {
        Pat::Type(of) => (&*of.pat, Some(&of.ty)),
        pat => (pat, None),
    };
    let (Pat::Ident(name), Some(init)) = (pat, &local.init) else {
        return None;
    };
    let bound = without_parens(&init.expr);
    let plain = name.by_ref.is_none() && name.subpat.is_none() && local.attrs.is_empty();
    if !plain || !adaptors::iterates(bound) || init.diverge.is_some() {
        return None;
    }
    match ty {
        None => Some((&name.ident, bound.clone(), None)),
        Some(ty) => {
            let range = typed(bound, ty)?;
            Some((&name.ident, range, Some(parse_quote!(let _: #ty = #bound;))))
        }
    }
}

/// A range whose type is written, with that of its numbers at literals.
fn typed(bound: &Expr, ty: &Type) -> Option<Expr> {
    let (Expr::Range(range), Type::Path(ty)) = (bound, ty) else {
        return None;
    };
    let last = ty.path.segments.last()?;
    let PathArguments::AngleBracketed(of) = &last.arguments else {
        return None;
    };
    let (1, Some(GenericArgument::Type(Type::Path(of)))) = (of.args.len(), of.args.first()) else {
        return None;
    };
    let of = of.path.get_ident()?.to_string();
    let is_range = last.ident == "Range" || last.ident == "RangeInclusive";
    if !is_range || !is_still(bound) || !Scalar::from_name(&of)?.is_int() {
        return None;
    }
    let mut range = range.clone();
    for end in [&mut range.start, &mut range.end].into_iter().flatten() {
        match without_parens(end) {
            Expr::Lit(ExprLit {
                lit: Lit::Int(number),
                ..
            }) => {
                if number.suffix().is_empty() {
                    let number =
                        LitInt::new(&format!("{}{of}", number.base10_digits()), number.span());
                    **end = parse_quote!(#number);
                }
            }
            Expr::Path(_) | Expr::Field(_) | Expr::MethodCall(_) => {}
            _ => return None,
        }
    }
    Some(Expr::Range(range))
}

/// Where a header takes what is called so: itself, or what its methods are called on.
fn taken<'e>(header: &'e mut Expr, name: &Ident) -> Option<&'e mut Expr> {
    match header {
        Expr::Path(path) => {
            let taken = path.path.is_ident(name);
            taken.then_some(header)
        }
        Expr::Paren(of) => taken(&mut of.expr, name),
        Expr::Group(of) => taken(&mut of.expr, name),
        Expr::MethodCall(call) if call.method != "by_ref" => taken(&mut call.receiver, name),
        _ => None,
    }
}

/// Where a header takes the items that an iterator has left.
fn advanced<'e>(header: &'e mut Expr, name: &Ident) -> Option<&'e mut Expr> {
    let is_it = |e: &Expr| matches!(without_parens(e), Expr::Path(of) if of.path.is_ident(name));
    match header {
        Expr::Paren(of) => advanced(&mut of.expr, name),
        Expr::Group(of) => advanced(&mut of.expr, name),
        Expr::Reference(of) if of.mutability.is_some() && is_it(&of.expr) => Some(header),
        Expr::MethodCall(call) if call.method == "by_ref" && is_it(&call.receiver) => Some(header),
        Expr::MethodCall(call) => advanced(&mut call.receiver, name),
        e => is_it(e).then_some(e),
    }
}

/// Whether an expression is `v.chunks_exact(k)` of what may be named again.
fn is_chunks(e: &Expr) -> bool {
    match e {
        Expr::MethodCall(call) => {
            call.method == "chunks_exact"
                && call.args.len() == 1
                && is_still(&call.receiver)
                && is_still(&call.args[0])
        }
        _ => false,
    }
}

/// How often statements ask what is left over of chunks.
fn remainders(stmts: &[Stmt], chunks: &Ident) -> usize {
    struct Finder<'n>(&'n Ident, usize);
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            if let visit::Node::Expr(Expr::MethodCall(call)) = &node
                && let Expr::Path(of) = without_parens(&call.receiver)
            {
                let asks = call.method == "remainder" && call.args.is_empty();
                self.1 += usize::from(asks && of.path.is_ident(self.0));
            }
            node.parts(self);
        }
    }
    let mut finder = Finder(chunks, 0);
    stmts.iter().for_each(|stmt| finder.visit_stmt(stmt));
    finder.1
}

/// Whether evaluating an expression neither fails nor changes anything, and reads nothing but names.
fn is_still(e: &Expr) -> bool {
    let ends = |ends: [&Option<Box<Expr>>; 2]| ends.into_iter().flatten().all(|e| is_still(e));
    match without_parens(e) {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(of) => matches!(of.member, Member::Named(_)) && is_still(&of.base),
        Expr::Reference(of) => of.mutability.is_none() && is_still(&of.expr),
        Expr::Range(range) => ends([&range.start, &range.end]),
        Expr::MethodCall(call) => {
            let known = ["len", "iter", "enumerate", "rev", "copied"];
            call.args.is_empty()
                && known.iter().any(|name| call.method == name)
                && is_still(&call.receiver)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a function's body becomes, if anything.
    fn rewritten(body: &str) -> Option<String> {
        let mut function: ItemFn = syn::parse_str(&format!("fn f() {{ {body} }}")).unwrap();
        rewrite(&mut function).then(|| {
            let stmts = function.block.stmts.iter();
            stmts.map(|s| s.to_token_stream().to_string()).collect()
        })
    }

    #[track_caller]
    fn becomes(body: &str, other: &str) {
        let other: syn::Block = syn::parse_str(&format!("{{ {other} }}")).unwrap();
        let other = other.stmts.iter().map(|s| s.to_token_stream().to_string());
        assert_eq!(rewritten(body), Some(other.collect()), "{body}");
    }

    #[test]
    fn what_is_taken_once_goes_into_the_header() {
        becomes(
            "let r = 0..n; for i in r { g(i); }",
            "for i in (0..n) { g(i); }",
        );
        becomes(
            "let r = (0..n).rev(); for i in r { g(i); }",
            "for i in (0..n).rev() { g(i); }",
        );
        becomes(
            "let r = 0..n; for i in r.step_by(2) { g(i); }",
            "for i in (0..n).step_by(2) { g(i); }",
        );
        becomes(
            "let r = 0..v.len(); let mut s = 0; for i in r { s += v[i]; }",
            "let mut s = 0; for i in (0..v.len()) { s += v[i]; }",
        );
        becomes(
            "let it = v.iter().enumerate(); for (i, x) in it { g(i, x); }",
            "for (i, x) in v.iter().enumerate() { g(i, x); }",
        );
        becomes(
            "let r = 0..n; let half = n / 2; for i in r { h(i, half); }",
            "let half = n / 2; for i in (0..n) { h(i, half); }",
        );
        becomes(
            "let r: std::ops::Range<u64> = 0..n; for i in r { g(i); }",
            "let _: std::ops::Range<u64> = 0..n; for i in (0u64..n) { g(i); }",
        );
        becomes(
            "let mut c = v.chunks_exact(2); for x in &mut c { g(x); } h(c.remainder());",
            "let c = v.chunks_exact(2); for x in v.chunks_exact(2) { g(x); } h(c.remainder());",
        );
        becomes(
            "let mut c = v.chunks_exact(k); for (i, x) in c.by_ref().enumerate() { g(x); } if let [l] = c.remainder() { h(l); }",
            "let c = v.chunks_exact(k); for (i, x) in v.chunks_exact(k).enumerate() { g(x); } if let [l] = c.remainder() { h(l); }",
        );
        // What is evaluated right before the loop may do anything.
        becomes(
            "let r = 0..g(); for i in r { h(i); }",
            "for i in (0..g()) { h(i); }",
        );
    }

    #[test]
    fn what_could_be_evaluated_otherwise_stays() {
        for body in [
            "let r = 0..n; n += 1; for i in r { g(i); }",
            "let r = 0..n; let n = 3; for i in r { g(i); }",
            "let r = 0..n; let k = g(); for i in r { h(i, k); }",
            "let r = 0..g(); let k = 1; for i in r { h(i, k); }",
            "let r = 0..n - 1; let k = v[0]; for i in r { h(i, k); }",
            "let mut r = 0..n; r.next(); for i in r { g(i); }",
            "let r = 0..n; for i in r.clone() { g(r.len()); }",
            "let mut it = v.iter(); for x in &mut it { g(x); }",
            "let mut it = v.iter(); for x in it.by_ref() { g(x); }",
            "let mut c = v.chunks_exact(2); for x in &mut c { g(x); } c.next();",
            "let mut c = v.chunks_exact(2); for x in &mut c { g(c.remainder()); }",
            "let mut c = v.chunks_exact(f()); for x in &mut c { g(x); } h(c.remainder());",
            "let mut c = v.chunks(2); for x in &mut c { g(x); } h(c.remainder());",
            "let r: Range<u8> = 0..n; if c { for i in r { g(i); } }",
            "let v = w; for x in v { g(x); }",
            "let r: Range<u64> = 2 * 3..9; for i in r { g(i); }",
            "let r: Numbers = 0..9; for i in r { g(i); }",
            "let r = 0..n; for i in 0..n { println!(\"{r:?}\"); }",
        ] {
            assert_eq!(rewritten(body), None, "{body}");
        }
    }
}
