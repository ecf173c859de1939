//! Elements that an update reaches through a name of their own: `let bin = &mut h[k]; *bin += 1;` is `h[k] += 1`, with the index under a name,
//! and `let row = &mut h[k]; row[b] += 1;` is `h[k][b] += 1`.
//!
//! A name for what a parameter refers to, `let sum = &mut *h; *sum += 1;`, is left out as well.
//!
//! So are `*bin = bin.saturating_add(v);`, and `if v > *bin { *bin = v; }`, which are [updates in other words](super::idioms).
//!
//! The name has to be followed by what asks for the element before anything that may panic, an update by a number at hand say: there an index that is out of range is told,
//! as it was where the name was bound.
//! The array is a parameter that is declared as a slice, an array or a vector, or a variable whose value shows that it is one of numbers: another type's own way to be indexed may be seen to run more than once.

use crate::sorted::Sorted;

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use syn::{
    BinOp, Expr, FnArg, GenericArgument, Ident, ItemFn, Pat, PathArguments, Stmt, Type, UnOp,
    parse_quote, parse_quote_spanned,
};

use super::fields::borrowed;
use super::idioms;
use super::names::identifiers;
use super::sites::is_compound;
use crate::alias;
use crate::ir::{Op, Scalar};
use crate::parsed::fields::Bound;
use crate::syntax::is_at_hand;
use crate::syntax::without_parens;

/// Rewrites them in a function.
pub fn rewrite(function: &mut ItemFn) {
    let declared = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(pat) => Some((pat.ident.to_string(), (*typed.ty).clone())),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    let mut names = Names {
        declared: declared.collect(),
        numbers: idioms::arrays(function),
        ..Names::default()
    };
    // A name that is bound again may stand for anything.
    Bound(&mut |name| {
        names.declared.remove(name);
    })
    .visit_block(&function.block);
    if !(names.declared.is_empty() && names.numbers.is_empty()) {
        names.visit_block_mut(&mut function.block);
    }
}

/// Whether a type is a slice, an array or a vector, of such, so many times.
fn is_indexed(ty: &Type, times: usize) -> bool {
    match ty {
        _ if times == 0 => true,
        Type::Reference(of) => is_indexed(&of.elem, times),
        Type::Slice(of) => is_indexed(&of.elem, times - 1),
        Type::Array(of) => is_indexed(&of.elem, times - 1),
        Type::Path(path) => {
            let last = path.path.segments.last().filter(|s| s.ident == "Vec");
            let of = last.and_then(|s| match &s.arguments {
                PathArguments::AngleBracketed(of) => of.args.first(),
                _ => None,
            });
            matches!(of, Some(GenericArgument::Type(of)) if is_indexed(of, times - 1))
        }
        _ => false,
    }
}

/// How a name is used.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// `*name`
    Element,
    /// `name[..]`
    Row,
}

impl Use {
    /// Whether an expression uses a name so; of a row, an element of which.
    fn is(self, e: &Expr, name: &str) -> bool {
        let of = match (self, e) {
            (Use::Element, Expr::Unary(of)) if matches!(of.op, UnOp::Deref(_)) => &of.expr,
            (Use::Row, Expr::Index(of)) => &of.expr,
            _ => return false,
        };
        matches!(without_parens(of), Expr::Path(path) if path.path.is_ident(name))
    }
}

/// A name for an element or a row.
#[derive(Clone, Copy)]
struct Name<'a> {
    name: &'a Ident,
    /// The type of the element, where it is known to be a number.
    number: Option<Scalar>,
}

impl Name<'_> {
    fn is(self, e: &Expr) -> bool {
        matches!(without_parens(e), Expr::Path(path) if path.path.is_ident(self.name))
    }

    /// Whether a method has the element by value where its receiver is the name: of an integer by reference `max` is that of references.
    fn is_updated_by(self, call: &syn::ExprMethodCall) -> bool {
        let of = Op::of_method(&call.method.to_string()).zip(self.number);
        let by_value = |(op, _), of: Scalar| of.is_float() || !matches!(op, Op::Max | Op::Min);
        self.is(&call.receiver) && of.is_some_and(|(op, of)| by_value(op, of))
    }

    /// How an expression uses it, if it does before anything that may panic.
    fn asked(self, e: &Expr) -> Option<Use> {
        let e = without_parens(e);
        let word = self.name.to_string();
        let own = [Use::Element, Use::Row];
        if let Some(by) = own.into_iter().find(|by| by.is(e, &word)) {
            return Some(by);
        }
        // The first that is more than a number at hand.
        let first = |parts: &mut dyn Iterator<Item = &Expr>| {
            for part in parts {
                match self.asked(part) {
                    None if is_at_hand(part) => {}
                    asked => return asked,
                }
            }
            None
        };
        match e {
            Expr::Binary(of) if is_compound(&of.op) => None,
            Expr::Binary(of) if matches!(of.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.asked(&of.left)
            }
            Expr::Binary(of) => first(&mut [&*of.left, &*of.right].into_iter()),
            Expr::MethodCall(of) if self.is_updated_by(of) => Some(Use::Element),
            Expr::MethodCall(of) => first(&mut [&*of.receiver].into_iter().chain(&of.args)),
            Expr::Call(of) => first(&mut [&*of.func].into_iter().chain(&of.args)),
            Expr::Cast(of) => self.asked(&of.expr),
            Expr::Unary(of) => self.asked(&of.expr),
            _ => None,
        }
    }

    /// How a statement uses it, if it updates what it refers to, and that is told first.
    fn updated_by(self, stmt: &Stmt) -> Option<Use> {
        let Stmt::Expr(e, _) = stmt else { return None };
        match e {
            Expr::Binary(of) if is_compound(&of.op) && is_at_hand(&of.right) => {
                let left = without_parens(&of.left);
                let word = self.name.to_string();
                let mut ways = [Use::Element, Use::Row].into_iter();
                ways.find(|by| by.is(left, &word))
            }
            Expr::Assign(of) => {
                let flag = self.number == Some(Scalar::Bool) && idioms::truth(&of.right).is_some();
                let by = self.asked(&of.right);
                let by = by.or(flag.then_some(Use::Element))?;
                by.is(without_parens(&of.left), &self.name.to_string())
                    .then_some(by)
            }
            Expr::If(of) => self.asked(&of.cond),
            _ => None,
        }
    }
}

/// How statements use a name, if they use it for nothing but what it refers to, and the first of them asks for that first.
fn updated(of: Name<'_>, stmts: &[Stmt]) -> Option<Use> {
    let by = of.updated_by(stmts.first()?)?;
    is_used(of, by, stmts).then_some(by)
}

/// Whether statements use a name for nothing but what it refers to.
fn is_used(of: Name<'_>, by: Use, stmts: &[Stmt]) -> bool {
    struct Uses<'a> {
        of: Name<'a>,
        by: Use,
        other: bool,
    }
    impl<'a> Visit<'a> for Uses<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => match e {
                    Expr::Index(of) if self.by.is(e, &self.of.name.to_string()) => {
                        self.visit_expr(&of.index);
                    }
                    Expr::MethodCall(call)
                        if self.by == Use::Element && self.of.is_updated_by(call) =>
                    {
                        call.args.iter().for_each(|arg| self.visit_expr(arg));
                    }
                    _ if self.by.is(e, &self.of.name.to_string()) => {}
                    Expr::Path(_) => self.other |= self.of.is(e),
                    _ => visit::visit_expr(self, e),
                },
                // What is inside may be looked at alone.
                visit::Node::ExprForLoop(of) => {
                    self.words(quote::ToTokens::to_token_stream(of));
                }
                visit::Node::ExprClosure(of) => {
                    self.words(quote::ToTokens::to_token_stream(of));
                }
                visit::Node::Macro(mac) => {
                    self.words(mac.tokens.clone());
                }
                visit::Node::PatIdent(pat) => {
                    self.other |= pat.ident == *self.of.name;
                }
                _ => node.parts(self),
            }
        }
    }
    impl Uses<'_> {
        fn words(&mut self, tokens: proc_macro2::TokenStream) {
            let mut words = Vec::new();
            identifiers(tokens, &mut words);
            self.other |= words.iter().any(|word| word == self.of.name);
        }
    }
    let mut uses = Uses {
        of,
        by,
        other: false,
    };
    stmts.iter().for_each(|stmt| uses.visit_stmt(stmt));
    !uses.other
}

/// `let name = &mut *parameter;`
fn reborrowed(stmt: &Stmt) -> Option<(&Ident, &Expr)> {
    let Stmt::Local(local) = stmt else {
        return None;
    };
    let Pat::Ident(pat) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref()?;
    let plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
    match without_parens(&init.expr) {
        Expr::Reference(of) if plain && of.mutability.is_some() && init.diverge.is_none() => {
            Some((&pat.ident, &of.expr))
        }
        _ => None,
    }
}

/// The names of elements where a block stands, with the elements.
#[derive(Default)]
struct Names {
    known: Sorted<String, (Use, Expr)>,
    /// The parameters, with their types.
    declared: Sorted<String, Type>,
    /// Of those that are arrays of numbers, what these are and how often they are indexed.
    numbers: Sorted<String, (Scalar, usize)>,
    /// How many loops stand around: a name that is bound outside of them is one element.
    loops: usize,
}

impl Names {
    /// The name that the first of some statements in a loop gives to what a parameter refers to, and the place itself, if the rest uses it for that alone.
    fn reborrowed(&mut self, stmts: &[Stmt]) -> Option<(String, Expr)> {
        let (first, rest) = stmts.split_first()?;
        let (name, place) = reborrowed(first).filter(|_| self.loops > 0)?;
        let mut place = place.clone();
        // By a name that is known itself.
        self.visit_expr_mut(&mut place);
        let Expr::Unary(of) = without_parens(&place) else {
            return None;
        };
        let Expr::Path(path) = &*of.expr else {
            return None;
        };
        let parameter = path.path.get_ident()?.to_string();
        let is_reference = |ty: &Type| matches!(ty, Type::Reference(of) if of.mutability.is_some());
        let is_one = matches!(of.op, UnOp::Deref(_))
            && self.declared.get(&parameter).is_some_and(is_reference);
        let of = Name { name, number: None };
        (is_one && is_used(of, Use::Element, rest)).then(|| (name.to_string(), place))
    }
}

impl VisitMut for Names {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                // By itself it stands before the dot of a method of numbers.
                let itself = |e: &Expr, name: &String| matches!(e, Expr::Path(path) if path.path.is_ident(name));
                let element = self.known.iter().find(|(name, (by, _))| {
                    by.is(e, name) || *by == Use::Element && itself(e, name)
                });
                match (element, e) {
                    (Some((_, (Use::Row, row))), Expr::Index(of)) => {
                        *of.expr = row.clone();
                        self.visit_expr_mut(&mut of.index);
                    }
                    (Some((_, (_, element))), e) => *e = element.clone(),
                    (None, e) => visit_mut::visit_expr_mut(self, e),
                }
            }
            visit_mut::Node::ExprForLoop(of) => {
                self.loops += 1;
                visit_mut::visit_expr_for_loop_mut(self, of);
                self.loops -= 1;
            }
            visit_mut::Node::Item(_) => {}
            visit_mut::Node::ExprClosure(_) => {}
            visit_mut::Node::Block(block) => {
                let outside = self.known.clone();
                let mut at = 0;
                while at < block.stmts.len() {
                    if let Some((name, of)) = self.reborrowed(&block.stmts[at..]) {
                        self.known.insert(name, (Use::Element, of));
                        block.stmts.remove(at);
                        continue;
                    }
                    let taken = borrowed(&block.stmts[at]).and_then(|(name, array, indices)| {
                        let Expr::Path(path) = array else {
                            return None;
                        };
                        let array_name = path.path.get_ident()?.to_string();
                        let ty = self.declared.get(&array_name);
                        let number = self.numbers.get(&array_name);
                        let dimensions = number.map_or(0, |(_, times)| *times);
                        let number = number.filter(|(_, times)| *times == indices.len());
                        let number = number.map(|(scalar, _)| *scalar);
                        let by = updated(Name { name, number }, &block.stmts[at + 1..])?;
                        let ways = match by {
                            Use::Element => indices.len(),
                            Use::Row => indices.len() + 1,
                        };
                        let is_one = |index: &&Expr| !matches!(index, Expr::Range(_));
                        let fits = ty.map_or(ways <= dimensions, |ty| is_indexed(ty, ways));
                        (self.loops > 0 && fits && indices.iter().all(is_one))
                            .then_some((name, array, indices, by))
                    });
                    let Some((name, array, indices, by)) = taken else {
                        self.visit_stmt_mut(&mut block.stmts[at]);
                        at += 1;
                        continue;
                    };
                    let names: Vec<Ident> = (0..indices.len())
                        .map(|n| alias::index(&name.to_string(), n, name.span()))
                        .collect();
                    let lets = names.iter().zip(indices);
                    let lets: Vec<Stmt> = lets
                        .map(|(name, index)| parse_quote!(let #name = #index;))
                        .collect();
                    let element = parse_quote_spanned!(name.span()=> #array #([#names])*);
                    self.known.insert(name.to_string(), (by, element));
                    let count = lets.len();
                    block.stmts.splice(at..=at, lets);
                    at += count;
                }
                self.known = outside;
            }
            _ => node.parts(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop over rows, rewritten.
    fn rewritten(body: &str) -> String {
        let function = format!(
            "fn f(h: &mut [[u32; 4]], k: usize, n: usize) {{ for i in 0..n {{ {body} }} }}"
        );
        let mut function: ItemFn = syn::parse_str(&function).expect("a function");
        rewrite(&mut function);
        let words = quote::ToTokens::to_token_stream(&function.block);
        spaceless(&words.to_string())
    }

    fn spaceless(text: &str) -> String {
        text.replace(' ', "")
    }

    #[test]
    fn rows_stand_where_their_names_were() {
        let written = "let row = &mut h[k]; row[i & 3] += 1; (row[0]) += 2; row[1] += row[2];";
        let at = alias::index("row", 0, proc_macro2::Span::call_site());
        let body = format!("let{at}=k;h[{at}][i & 3] += 1;(h[{at}][0])+=2;h[{at}][1]+=h[{at}][2];");
        let expected = format!("{{foriin0..n{{{body}}}}}");
        assert_eq!(rewritten(written), spaceless(&expected));
    }

    #[test]
    fn what_a_parameter_refers_to_needs_no_other_name() {
        for (written, expected) in [
            ("let b = &mut *h;", ""),
            ("let b = &mut *h; *b = i;", "*h = i;"),
            ("let b = &mut *h; let c = &mut *b; *c = i;", "*h = i;"),
            ("let b = &mut *h; f(b);", "let b = &mut *h; f(b);"),
            ("let b = &mut *k; *b = i;", "let b = &mut *k; *b = i;"),
        ] {
            let expected = format!("{{foriin0..n{{{expected}}}}}");
            assert_eq!(rewritten(written), spaceless(&expected));
        }
    }

    #[test]
    fn an_element_is_asked_for_first() {
        let at = alias::index("b", 0, proc_macro2::Span::call_site());
        let element = format!("h[{at}]");
        for (written, expected) in [
            ("*b = b.saturating_add(v);", "E = E.saturating_add(v);"),
            ("*b = (*b).max(x[i]);", "E = (E).max(x[i]);"),
            ("*b = v | *b;", "E = v | E;"),
            ("*b = core::cmp::max(v, *b);", "E = core::cmp::max(v, E);"),
            ("if v > *b { *b = v; }", "if v > E { E = v; }"),
            ("if *b < x[i] { *b = x[i]; }", "if E < x[i] { E = x[i]; }"),
        ] {
            let function = format!(
                "fn f(h: &mut [u32], k: usize, n: usize) {{ for i in 0..n {{ let b = &mut h[k]; {written} }} }}"
            );
            let mut function: ItemFn = syn::parse_str(&function).expect("a function");
            rewrite(&mut function);
            let words = quote::ToTokens::to_token_stream(&function.block).to_string();
            let expected = expected.replace('E', &element);
            let expected = format!("{{foriin0..n{{let{at}=k;{expected}}}}}");
            assert_eq!(spaceless(&words), spaceless(&expected));
        }
    }

    #[test]
    fn a_name_that_is_used_otherwise_stays() {
        for written in [
            "let row = &mut h[k]; row[0] = row[0].max(g(row));",
            "let row = &mut h[k]; if x[i] > row[0] { row[0] = x[i]; }",
            "let row = &mut h[k]; if i > 3 && i > row[0] { row[0] = i; }",
            "let row = &mut h[k]; row[0] = x[i] + row[0];",
            "let row = &mut h[k]; *row = row.saturating_add(1);",
            "let row = &mut h[k]; row[0] += 1; g(row);",
            "let row = &mut h[k]; row[(g(row))] += 1;",
            "let row = &mut h[1..k]; row[0] += 1;",
            "let row = &mut h[k]; row[0] = 1;",
        ] {
            assert!(rewritten(written).contains("row=&muth["), "{written}");
        }
    }
}
