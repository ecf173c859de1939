//! Loops whose element is made of the one before it, `out[i] = out[i - 1] + x[i]`: scans, with what is carried along kept in an array.
//!
//! | written | stands for |
//! | --- | --- |
//! | `for i in a..b { out[i] = out[i - 1] + x[i]; }` | `let mut before = out[a - 1]; for i in a..b { before = before + x[i]; out[i] = before; }` |
//! | `for i in (a..b).rev() { out[i] += out[i + 1]; }` | the same from the other end |
//! | `for (i, v) in x.iter().enumerate() { out[i + 1] = out[i] + v; }` | the same where `x` is not empty |
//!
//! Every iteration writes one element, by a statement of the loop's body itself, and reads the one that the iteration before it has written, in that
//! statement or before it: so that is what the variable holds. The array is used in no other way, but for reading the element that is written.
//! Indices are compared as sums of products; what they are made of does not change in the loop. What the loop then is, is for others to say; where it is
//! nothing, the function is taken as it is written. A call whose loop has no iterations, or no element before the first, runs it as it is written,
//! with its own panic.

use crate::sorted::SortedSet;

use crate::sorted::{self, Sorted};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::Span;
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprForLoop, Ident, ItemFn, Lit, Member, Pat, RangeLimits, Stmt, parse_quote,
};

use super::names::{identifiers, root_of};
use super::{idioms, marks, sites};
use crate::ir::Scalar;
use crate::syntax::without_parens;

/// Rewrites the loops of a function that would run in parallel; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut names = Vec::new();
    identifiers(function.to_token_stream(), &mut names);
    let mut loops = Loops {
        arrays: idioms::arrays(function),
        names: names.iter().map(ToString::to_string).collect(),
        rewritten: false,
    };
    loops.visit_block_mut(&mut function.block);
    loops.rewritten
}

struct Loops {
    /// The elements of arrays among the parameters, and how many dimensions these have.
    arrays: crate::sorted::Sorted<String, (Scalar, usize)>,
    /// The names that the function uses.
    names: SortedSet<String>,
    rewritten: bool,
}

impl VisitMut for Loops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                let Expr::ForLoop(of) = e else {
                    return visit_mut::visit_expr_mut(self, e);
                };
                if marks::may_be_marked(&of.attrs) {
                    return visit_mut::visit_expr_mut(self, e);
                }
                // What is inside it runs in order in any case.
                if let Some(scan) = self.scan(of) {
                    *e = scan;
                    self.rewritten = true;
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Loops {
    /// The scan that a loop is.
    fn scan(&self, of: &ExprForLoop) -> Option<Expr> {
        if of.label.is_some() || !of.attrs.is_empty() || leaves(of) {
            return None;
        }
        let range = Range::of(of)?;
        let mut found = of.clone();
        let (mut names, mut first): (Vec<Ident>, Vec<Expr>) = Default::default();
        let mut declared: Vec<Stmt> = Vec::new();
        let mut at = 0;
        while at < found.body.stmts.len() {
            if let Some(carried) = carried(&found.body.stmts, at, &range, &self.names) {
                let Carried {
                    name,
                    statements,
                    before,
                    base,
                } = carried;
                let (position, from) = (&range.position, &range.first);
                let ty = self.element(&base);
                let ty = ty.map(|ty| format_ident!("{}", ty.name())).into_iter();
                first.push(parse_quote! {
                    (#base).get({ let #position: ::core::primitive::usize = #from; #before })
                });
                declared.push(parse_quote! {
                    let mut #name #(: ::core::primitive::#ty)* = *#name;
                });
                names.push(name);
                found.body.stmts = statements;
                at += 1;
            }
            at += 1;
        }
        if declared.is_empty() {
            return None;
        }
        let some = &range.some;
        // Nobody looks for loops in it.
        let otherwise = Expr::Verbatim(of.to_token_stream());
        let otherwise = Stmt::Expr(otherwise, None);
        let mut scan: Expr = parse_quote! {
            if let (true, #(::core::option::Option::Some(#names),)*) = (#some, #(#first,)*) { #(#declared)* #found } else {}
        };
        if let Expr::If(scan) = &mut scan
            && let Some((_, block)) = &mut scan.else_branch
            && let Expr::Block(block) = &mut **block
        {
            block.block.stmts.push(otherwise);
        }
        Some(scan)
    }

    /// The type of the elements of an array, if the function says it.
    fn element(&self, base: &Expr) -> Option<Scalar> {
        let mut dimensions = 1;
        let mut base = without_parens(base);
        while let Expr::Index(index) = base {
            dimensions += 1;
            base = without_parens(&index.expr);
        }
        let Expr::Path(path) = base else {
            return None;
        };
        let (scalar, of) = self.arrays.get(&path.path.get_ident()?.to_string())?;
        (*of == dimensions).then_some(*scalar)
    }
}

/// The positions of a loop.
struct Range {
    /// Their name.
    position: Ident,
    /// The first of them.
    first: Expr,
    /// Whether there are any.
    some: Expr,
    /// How much one differs from the one before it.
    step: i128,
}

impl Range {
    fn of(of: &ExprForLoop) -> Option<Range> {
        let mut iterated = without_parens(&of.expr);
        let mut step = 1;
        if let Expr::MethodCall(call) = iterated
            && call.method == "rev"
            && call.args.is_empty()
        {
            step = -1;
            iterated = without_parens(&call.receiver);
        }
        match (iterated, &*of.pat) {
            (Expr::Range(range), Pat::Ident(pat)) if is_name(pat) => {
                let (start, end) = (range.start.as_deref()?, range.end.as_deref()?);
                if !(is_repeatable(start) && is_repeatable(end)) {
                    return None;
                }
                let (some, last): (Expr, Expr) = match range.limits {
                    RangeLimits::HalfOpen(_) => (
                        parse_quote!(::core::cmp::PartialOrd::lt(&(#start), &(#end))),
                        parse_quote!(::core::primitive::usize::wrapping_sub(#end, 1)),
                    ),
                    RangeLimits::Closed(_) => (
                        parse_quote!(::core::cmp::PartialOrd::le(&(#start), &(#end))),
                        end.clone(),
                    ),
                };
                let first = match step {
                    1 => start.clone(),
                    _ => last,
                };
                Some(Range {
                    position: pat.ident.clone(),
                    first,
                    some,
                    step,
                })
            }
            // `for (i, v) in x.iter().enumerate()`.
            (Expr::MethodCall(call), Pat::Tuple(pats)) if step == 1 => {
                let Expr::MethodCall(iter) = without_parens(&call.receiver) else {
                    return None;
                };
                let plain = call.method == "enumerate" && iter.method == "iter";
                let Some(Pat::Ident(pat)) = pats.elems.first() else {
                    return None;
                };
                let of = &*iter.receiver;
                if !(plain && is_name(pat) && call.args.is_empty() && is_repeatable(of)) {
                    return None;
                }
                Some(Range {
                    position: pat.ident.clone(),
                    first: parse_quote!(0usize),
                    some: parse_quote!(!(#of).is_empty()),
                    step,
                })
            }
            _ => None,
        }
    }
}

fn is_name(pat: &syn::PatIdent) -> bool {
    pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none()
}

/// Whether an expression may be evaluated again: names, numbers, lengths and operators.
pub(super) fn is_repeatable(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(e) => is_repeatable(&e.expr),
        Expr::Group(e) => is_repeatable(&e.expr),
        Expr::Field(e) => is_repeatable(&e.base),
        Expr::Cast(e) => is_repeatable(&e.expr),
        Expr::Binary(e) => {
            !sites::is_compound(&e.op) && is_repeatable(&e.left) && is_repeatable(&e.right)
        }
        Expr::MethodCall(e) => e.method == "len" && e.args.is_empty() && is_repeatable(&e.receiver),
        _ => false,
    }
}

/// Whether a loop's body may be left, or has parts that are not seen.
fn leaves(of: &ExprForLoop) -> bool {
    struct Leaves(bool);
    impl<'a> Visit<'a> for Leaves {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    self.0 |= matches!(
                        e,
                        Expr::Break(_)
                            | Expr::Continue(_)
                            | Expr::Return(_)
                            | Expr::Try(_)
                            | Expr::Closure(_)
                            | Expr::Macro(_)
                            | Expr::Unsafe(_)
                            | Expr::Async(_)
                            | Expr::Await(_)
                            | Expr::Yield(_)
                            | Expr::Verbatim(_)
                    );
                    visit::visit_expr(self, e);
                }
                visit::Node::Stmt(stmt) => {
                    self.0 |= matches!(stmt, Stmt::Macro(_) | Stmt::Item(_));
                    visit::visit_stmt(self, stmt);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut leaves = Leaves(false);
    leaves.visit_block(&of.body);
    leaves.0
}

/// A statement that makes an element of the one before it.
struct Carried {
    /// The variable that holds the element before.
    name: Ident,
    /// The statements of the body with it.
    statements: Vec<Stmt>,
    /// The index of the element before, at a position; it may wrap.
    before: Expr,
    /// The array.
    base: Expr,
}

/// What a statement of a body carries along, if it does.
fn carried(body: &[Stmt], at: usize, range: &Range, names: &SortedSet<String>) -> Option<Carried> {
    let Stmt::Expr(assignment, _) = &body[at] else {
        return None;
    };
    let (left, op, value) = match assignment {
        Expr::Assign(e) => (&*e.left, None, &*e.right),
        Expr::Binary(e) if sites::is_compound(&e.op) => (&*e.left, Some(&e.op), &*e.right),
        _ => return None,
    };
    let Expr::Index(written) = left else {
        return None;
    };
    let base = without_parens(&written.expr);
    let root = root_of(base)?;
    let own = Sum::of(&written.index, &range.position)?;
    let step = own.coefficient(&range.position.to_string())?;
    let before = own.minus(&step, range.step);
    let name = format!("{}_before", name_of(base)?);
    let free = |name: &String| !names.contains(name);
    let more = (2..).map(|n| format!("{name}_{n}"));
    let name = std::iter::once(name.clone()).chain(more).find(free)?;
    let mut uses = Uses {
        base: base.to_token_stream().to_string(),
        root: root.to_string(),
        position: range.position.clone(),
        own,
        before,
        name: Ident::new(&name, Span::mixed_site()),
        found: None,
        late: false,
        other: false,
    };
    // What indices are made of, and the position itself, stay what they are.
    let mut fixed = Vec::new();
    identifiers(left.to_token_stream(), &mut fixed);
    let fixed: SortedSet<String> = fixed.iter().map(ToString::to_string).collect();
    if changes(body, at, &fixed) {
        return None;
    }
    let mut statements = body.to_vec();
    for stmt in &mut statements[..at] {
        uses.visit_stmt_mut(stmt);
    }
    let mut value = value.clone();
    uses.visit_expr_mut(&mut value);
    let mut index = (*written.index).clone();
    uses.visit_expr_mut(&mut index);
    let before = uses.found.clone()?;
    uses.late = true;
    for stmt in &mut statements[at + 1..] {
        uses.visit_stmt_mut(stmt);
    }
    if uses.other {
        return None;
    }
    let name = uses.name;
    let next = match op {
        None => value,
        Some(op) => combined(op, value, left, &name)?,
    };
    statements[at] = parse_quote!(#name = #next;);
    statements.insert(at + 1, parse_quote!(#left = #name;));
    Some(Carried {
        name,
        statements,
        before: wrapping(&before),
        base: base.clone(),
    })
}

/// `left op= value` as an expression: what is on the right comes first, as it does there.
fn combined(op: &BinOp, value: Expr, left: &Expr, name: &Ident) -> Option<Expr> {
    let alone = matches!(&value, Expr::Path(path) if path.path.is_ident(name));
    let value: Expr = match &value {
        Expr::Path(_) => value,
        _ => parse_quote!((#value)),
    };
    Some(match op {
        BinOp::AddAssign(_) => parse_quote!(#value + #left),
        BinOp::MulAssign(_) => parse_quote!(#value * #left),
        BinOp::BitXorAssign(_) => parse_quote!(#value ^ #left),
        BinOp::BitAndAssign(_) => parse_quote!(#value & #left),
        BinOp::BitOrAssign(_) => parse_quote!(#value | #left),
        BinOp::SubAssign(_) if alone => parse_quote!(#left - #value),
        _ => return None,
    })
}

/// An index that panics for nothing that it is made of.
fn wrapping(index: &Expr) -> Expr {
    let usize = quote::quote!(::core::primitive::usize);
    match index {
        Expr::Paren(e) => wrapping(&e.expr),
        Expr::Group(e) => wrapping(&e.expr),
        Expr::Binary(e) => {
            let (a, b) = (wrapping(&e.left), wrapping(&e.right));
            match e.op {
                BinOp::Add(_) => parse_quote!(#usize::wrapping_add(#a, #b)),
                BinOp::Sub(_) => parse_quote!(#usize::wrapping_sub(#a, #b)),
                BinOp::Mul(_) => parse_quote!(#usize::wrapping_mul(#a, #b)),
                _ => index.clone(),
            }
        }
        _ => index.clone(),
    }
}

/// The last name of an array.
fn name_of(base: &Expr) -> Option<String> {
    match without_parens(base) {
        Expr::Path(path) => Some(path.path.get_ident()?.to_string()),
        Expr::Field(field) => match &field.member {
            Member::Named(name) => Some(name.to_string()),
            Member::Unnamed(_) => name_of(&field.base),
        },
        Expr::Index(index) => name_of(&index.expr),
        Expr::Unary(of) => name_of(&of.expr),
        _ => None,
    }
}

/// Whether a body but for one statement assigns, binds or lends out as `&mut` one of some names.
fn changes(body: &[Stmt], but: usize, names: &SortedSet<String>) -> bool {
    struct Changes<'a>(&'a SortedSet<String>, bool);
    impl Changes<'_> {
        fn root(&mut self, e: &Expr) {
            self.1 |= match without_parens(e) {
                // An element of an array is not what the array's name stands for.
                Expr::Index(_) => false,
                e => root_of(e).is_none_or(|root| self.0.contains(&root.to_string())),
            };
        }
    }
    impl<'a> Visit<'a> for Changes<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    match e {
                        Expr::Assign(e) => self.root(&e.left),
                        Expr::Binary(e) if sites::is_compound(&e.op) => self.root(&e.left),
                        Expr::Reference(e) if e.mutability.is_some() => self.root(&e.expr),
                        _ => {}
                    }
                    visit::visit_expr(self, e);
                }
                visit::Node::PatIdent(pat) => {
                    self.1 |= self.0.contains(&pat.ident.to_string());
                    visit::visit_pat_ident(self, pat);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut changes = Changes(names, false);
    for (_, stmt) in body.iter().enumerate().filter(|(n, _)| *n != but) {
        changes.visit_stmt(stmt);
    }
    changes.1
}

/// The uses of an array in a body: reads of the element before become reads of the variable.
struct Uses {
    base: String,
    root: String,
    position: Ident,
    /// The index that is written, and that of the iteration before.
    own: Sum,
    before: Sum,
    name: Ident,
    /// The index of the element before, as it is read.
    found: Option<Expr>,
    /// Whether the element is written already.
    late: bool,
    /// Whether the array is used in another way.
    other: bool,
}

impl VisitMut for Uses {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                match e {
                    Expr::Index(index)
                        if without_parens(&index.expr).to_token_stream().to_string()
                            == self.base =>
                    {
                        let read = Sum::of(&index.index, &self.position);
                        if read.as_ref() == Some(&self.before) && !self.late {
                            self.found.get_or_insert_with(|| (*index.index).clone());
                            let name = Ident::new(
                                &self.name.to_string(),
                                self.name.span().located_at(e.span()),
                            );
                            *e = parse_quote!(#name);
                        } else {
                            self.other |= read.as_ref() != Some(&self.own);
                        }
                    }
                    // It is written once.
                    Expr::Assign(assigned) if self.is_base(&assigned.left) => self.other = true,
                    Expr::Binary(assigned)
                        if sites::is_compound(&assigned.op) && self.is_base(&assigned.left) =>
                    {
                        self.other = true;
                    }
                    Expr::Reference(part)
                        if part.mutability.is_some() && self.is_base(&part.expr) =>
                    {
                        self.other = true;
                    }
                    Expr::MethodCall(call)
                        if call.method == "len"
                            && call.receiver.to_token_stream().to_string() == self.base => {}
                    // Other fields of what it is a field of.
                    Expr::Field(field) if self.base != self.root => {
                        let text = field.to_token_stream().to_string();
                        match text == self.base {
                            true => self.other = true,
                            false if matches!(&*field.base, Expr::Path(_)) => {}
                            false => visit_mut::visit_expr_mut(self, e),
                        }
                    }
                    Expr::Path(path) => {
                        self.other |= path
                            .path
                            .get_ident()
                            .is_some_and(|name| *name == self.root.as_str());
                    }
                    _ => visit_mut::visit_expr_mut(self, e),
                }
            }
            _ => node.parts(self),
        }
    }
}

impl Uses {
    /// Whether a place is an element of the array, or more of it.
    fn is_base(&self, e: &Expr) -> bool {
        let mut e = without_parens(e);
        loop {
            if e.to_token_stream().to_string() == self.base {
                return true;
            }
            e = match e {
                Expr::Index(index) => without_parens(&index.expr),
                Expr::Field(field) => without_parens(&field.base),
                Expr::MethodCall(call) => without_parens(&call.receiver),
                _ => return false,
            };
        }
    }
}

/// A sum of products of names and numbers: an index, for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum(Sorted<Vec<String>, i128>);

impl Sum {
    /// The sum that an expression is; what has nothing to do with the position is as good as a name.
    fn of(e: &Expr, position: &Ident) -> Option<Sum> {
        let both = |a: &Expr, b: &Expr| Some((Sum::of(a, position)?, Sum::of(b, position)?));
        match e {
            Expr::Paren(e) => Sum::of(&e.expr, position),
            Expr::Group(e) => Sum::of(&e.expr, position),
            Expr::Lit(e) => match &e.lit {
                Lit::Int(value) => Some(Sum::term(Vec::new(), value.base10_parse().ok()?)),
                _ => None,
            },
            Expr::Binary(e) => match e.op {
                BinOp::Add(_) => both(&e.left, &e.right).map(|(a, b)| a.plus(&b, 1)),
                BinOp::Sub(_) => both(&e.left, &e.right).map(|(a, b)| a.plus(&b, -1)),
                BinOp::Mul(_) => both(&e.left, &e.right).and_then(|(a, b)| a.times(&b)),
                _ => Sum::name(&Expr::Binary(e.clone()), position),
            },
            _ => Sum::name(e, position),
        }
    }

    fn name(e: &Expr, position: &Ident) -> Option<Sum> {
        let mut names = Vec::new();
        identifiers(e.to_token_stream(), &mut names);
        let itself = matches!(e, Expr::Path(path) if path.path.is_ident(position));
        let free = is_repeatable(e) && !names.contains(position);
        (itself || free).then(|| Sum::term(vec![e.to_token_stream().to_string()], 1))
    }

    fn term(factors: Vec<String>, coefficient: i128) -> Sum {
        let mut sum = Sum::default();
        sum.add(factors, coefficient);
        sum
    }

    fn add(&mut self, factors: Vec<String>, coefficient: i128) -> Option<()> {
        let own = self.0.or_insert(factors.clone(), 0);
        *own = own.checked_add(coefficient)?;
        if *own == 0 {
            self.0.remove(&factors);
        }
        Some(())
    }

    fn plus(mut self, other: &Sum, sign: i128) -> Sum {
        for (factors, c) in other.0.iter() {
            self.add(factors.clone(), c * sign);
        }
        self
    }

    fn times(&self, other: &Sum) -> Option<Sum> {
        let mut product = Sum::default();
        for (a, x) in self.0.iter() {
            for (b, y) in other.0.iter() {
                let mut factors = [a.as_slice(), b].concat();
                sorted::sort(&mut factors);
                product.add(factors, x.checked_mul(*y)?)?;
            }
        }
        Some(product)
    }

    /// What a name is multiplied with, if it stands alone in every product and in some.
    fn coefficient(&self, name: &str) -> Option<Sum> {
        let mut of = Sum::default();
        for (factors, c) in self.0.iter() {
            let mut rest = factors.clone();
            if let Some(at) = rest.iter().position(|factor| factor == name) {
                rest.remove(at);
                if rest.iter().any(|factor| factor == name) {
                    return None;
                }
                of.add(rest, *c)?;
            }
        }
        (!of.0.is_empty()).then_some(of)
    }

    /// It less another so many times.
    fn minus(&self, other: &Sum, times: i128) -> Sum {
        self.clone().plus(other, -times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a loop over these statements becomes.
    fn rewritten(head: &str, body: &str) -> Option<String> {
        let text = format!(
            "fn f(x: &[u32], p: &mut [u32], m: &mut [[u32; 4]], n: usize, w: usize, y: usize) {{ {head} {{ {body} }} }}"
        );
        let mut function: ItemFn = syn::parse_str(&text).unwrap();
        rewrite(&mut function).then(|| function.block.to_token_stream().to_string())
    }

    #[track_caller]
    fn is(head: &str, body: &str, some: &str, before: &str, becomes: &str) {
        let found = rewritten(head, body).unwrap_or_else(|| panic!("{head} {body} stays as it is"));
        let expected = format!(
            "{{ if let (true, ::core::option::Option::Some(p_before),) = ({some}, (p).get({{ {before} }}),) {{
                let mut p_before: ::core::primitive::u32 = *p_before;
                {head} {{ {becomes} }}
            }} else {{ {head} {{ {body} }} }} }}"
        );
        let expected: syn::Block = syn::parse_str(&expected).unwrap();
        assert_eq!(found, expected.to_token_stream().to_string());
    }

    #[test]
    fn what_is_carried_gets_a_name() {
        is(
            "for i in 1..n",
            "p[i] = p[i - 1] + x[i];",
            "::core::cmp::PartialOrd::lt(&(1), &(n))",
            "let i: ::core::primitive::usize = 1; ::core::primitive::usize::wrapping_sub(i, 1)",
            "p_before = p_before + x[i]; p[i] = p_before;",
        );
        is(
            "for i in (0..n - 1).rev()",
            "p[i] += p[i + 1];",
            "::core::cmp::PartialOrd::lt(&(0), &(n - 1))",
            "let i: ::core::primitive::usize = ::core::primitive::usize::wrapping_sub(n - 1, 1); ::core::primitive::usize::wrapping_add(i, 1)",
            "p_before = p_before + p[i]; p[i] = p_before;",
        );
        is(
            "for (i, v) in x.iter().enumerate()",
            "let t = p[i + 1]; p[i + 1] = p[i].max(t ^ *v);",
            "!(x).is_empty()",
            "let i: ::core::primitive::usize = 0usize; i",
            "let t = p[i + 1]; p_before = p_before.max(t ^ *v); p[i + 1] = p_before;",
        );
        is(
            "for i in 1..=w",
            "p[i] = 3 * p[i - 1];",
            "::core::cmp::PartialOrd::le(&(1), &(w))",
            "let i: ::core::primitive::usize = 1; ::core::primitive::usize::wrapping_sub(i, 1)",
            "p_before = 3 * p_before; p[i] = p_before;",
        );
        // A column of an image.
        assert!(rewritten("for i in 1..n", "p[i * w + y] += p[(i - 1) * w + y];").is_some());
        assert!(rewritten("for i in 1..n", "p[w * i + 3] -= p[w * i - w + 3];").is_some());
    }

    #[test]
    fn what_is_used_otherwise_stays() {
        for body in [
            "p[i] = p[i - 2] + x[i];",
            "p[i] = p[i + 1] + x[i];",
            "p[i] = p[i - 1] + p[0];",
            "p[i] = p[i - 1]; p[i] += 1;",
            "p[i] = p[i - 1]; w += p[i - 1];",
            "if x[i] > 0 { p[i] = p[i - 1]; }",
            "if x[i] > 0 { continue; } p[i] = p[i - 1];",
            "p[i] = p[i - 1] + f(&p);",
            "p[i] = p[i - 1]; f(&mut p[i]);",
            "p.swap(i, 0); p[i] = p[i - 1];",
            "w += 1; p[i + w] = p[i + w - 1];",
            "let w = x[i]; p[i + w] = p[i + w - 1];",
            "for i in 1..n { p[i] = p[i - 1]; }",
            "p[i * i] = p[i * i - 1];",
            "p[x[i]] = p[x[i] - 1];",
            "p[i] <<= p[i - 1];",
            "p[i] -= p[i - 1] - x[i];",
            "p[i] = p[i - 1] + g!(p);",
        ] {
            assert_eq!(rewritten("for i in 1..n", body), None, "{body}");
        }
        let body = "p[i] = p[i - 1] + x[i];";
        for head in [
            "#[sequential] for i in 1..n",
            "for i in (1..n).step_by(2)",
            "for i in a()..n",
            "'a: for i in 1..n",
            "for &i in x",
            "for (i, v) in x.iter().rev().enumerate()",
        ] {
            assert_eq!(rewritten(head, body), None, "{head}");
        }
    }
}
