//! `while` loops that count, as the `for` loops that they are.
//!
//! | written | stands for |
//! | --- | --- |
//! | `while i < n { .. i += 1; }` | `for i in i..n { .. } if i < n { i = n; }` |
//! | `while i <= n { .. i += 1; }` | `for i in i..=n { .. }` |
//! | `while i + 1 < n && i < m { .. i += 1; }` | `for i in i..n.saturating_sub(1).min(m) { .. }` |
//! | `while i < n { .. i += 2; }` | `for i in (i..n).step_by(2) { .. }` |
//! | `while i + w <= n { .. i += hop; }` | `if hop > 0 { for i in (i..(n + 1).saturating_sub(w)).step_by(hop) { .. } }`, else as it is |
//! | `while i > 0 { i -= 1; .. }` | `for i in (0..i).rev() { .. }` |
//! | `while lo < hi { .. lo += 1; hi -= 1; }` | `for k in 0..(hi.saturating_sub(lo) + 1) / 2 { let (lo, hi) = (lo + k, hi - k); .. }` |
//! | `while i < n && x[i] != 0 { .. i += 1; }` | `for i in i..n { if !(x[i] != 0) { break; } .. }` |
//! | `while lo < hi { hi -= 1; .. lo += 1; }` | the same with `hi - k - 1` |
//! | `loop { if i >= n { break; } .. i += 1; }` | `while i < n { .. i += 1; }` |
//! | `for i in 0.. { if i >= n { break; } .. }` | `for i in 0..n { .. }` |
//!
//! The count is an integer that nothing else in the body changes, its last statement adds a number, as does what stands before a `continue`, and the ends are numbers
//! that the body leaves as they are: a literal, a name, a field or a length. Where the loop is left early, the count is what it is there.

use crate::sorted::SortedSet;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{
    BinOp, Block, Expr, ExprForLoop, ExprLit, ExprLoop, ExprWhile, FnArg, ItemFn, Lit, Pat,
    PatIdent, Stmt, Type, parse_quote,
};

use super::idioms::same;
use super::known::READING_METHODS;
use super::names::{self, Called, identifiers, whole};
use crate::alias;
use crate::ir::Scalar;
use crate::parsed::fields::Bound;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{compared, without_parens};

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut counts = Counts::default();
    for input in &function.sig.inputs {
        if let FnArg::Typed(input) = input
            && let (Some(name), true) = (whole(&input.pat), is_integer_type(&input.ty))
        {
            counts.0.insert(name.to_string());
        }
    }
    counts.visit_block(&function.block);
    let mut loops = Loops {
        counts: counts.0,
        found: false,
    };
    loops.visit_block_mut(&mut function.block);
    loops.found
}

/// The variables that are declared as an integer.
#[derive(Default)]
struct Counts(SortedSet<String>);

impl<'a> Visit<'a> for Counts {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Local(local) => {
                if let Some(init) = &local.init {
                    self.bind(&local.pat, &init.expr);
                }
                visit::visit_local(self, local);
            }
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Counts {
    /// Notes the names of a pattern that are integers.
    fn bind(&mut self, pat: &Pat, value: &Expr) {
        match (pat, without_parens(value)) {
            (Pat::Tuple(pat), Expr::Tuple(value)) if pat.elems.len() == value.elems.len() => {
                let both = pat.elems.iter().zip(&value.elems);
                both.for_each(|(pat, value)| self.bind(pat, value));
            }
            (pat, value) => {
                let typed = matches!(pat, Pat::Type(of) if is_integer_type(&of.ty));
                if let Some(name) = whole(pat)
                    && (typed || is_integer(value) || self.is_one(value))
                {
                    self.0.insert(name.to_string());
                }
            }
        }
    }

    /// Whether a value is a variable that is known.
    fn is_one(&self, value: &Expr) -> bool {
        match value {
            Expr::Path(path) => {
                let name = path.path.get_ident();
                name.is_some_and(|name| self.0.contains(&name.to_string()))
            }
            _ => false,
        }
    }
}

fn is_integer_type(ty: &Type) -> bool {
    match ty {
        Type::Path(to) => names::primitive_of(&to.path).is_some_and(Scalar::is_int),
        _ => false,
    }
}

/// Whether a value is an integer, by what it is made of.
fn is_integer(value: &Expr) -> bool {
    match without_parens(value) {
        Expr::Lit(value) => matches!(value.lit, Lit::Int(_)),
        Expr::MethodCall(len) => len.method == "len" && len.args.is_empty(),
        Expr::Cast(to) => is_integer_type(&to.ty),
        Expr::Binary(of) => {
            let arithmetic = matches!(
                of.op,
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_)
            );
            let is_len = |e: &Expr| is_integer(e) && !matches!(without_parens(e), Expr::Lit(_));
            match of.op {
                // Of what an integer is added to or a rest is taken, that is one.
                BinOp::Rem(_) => is_integer(&of.right),
                _ => arithmetic && (is_len(&of.left) || is_len(&of.right)),
            }
        }
        _ => false,
    }
}

struct Loops {
    counts: SortedSet<String>,
    found: bool,
}

impl VisitMut for Loops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                visit_mut::visit_block_mut(self, block);
                for stmt in &mut block.stmts {
                    if let Stmt::Expr(Expr::ForLoop(of), _) = stmt
                        && let Some(ended) = ended(of)
                    {
                        *of = ended;
                        self.found = true;
                    }
                }
                let mut at = 0;
                while at < block.stmts.len() {
                    let counted = match &block.stmts[at] {
                        Stmt::Expr(Expr::While(of), _) => self.counted(of).or_else(|| self.met(of)),
                        Stmt::Expr(Expr::Loop(of), _) => {
                            while_of(of).and_then(|of| self.counted(&of))
                        }
                        _ => None,
                    };
                    if let Some((count, mut counted)) = counted {
                        if let [_, _] = &counted[..]
                            && let Some(declared) = declared_for(&count, &mut block.stmts, at)
                        {
                            // Nobody asks for it behind the loop.
                            declared.mutability = None;
                            counted.pop();
                        }
                        let all = counted.len();
                        block.stmts.splice(at..=at, counted);
                        self.found = true;
                        at += all - 1;
                    }
                    at += 1;
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The declaration of a count for one loop of a block alone.
fn declared_for<'a>(count: &Ident, stmts: &'a mut [Stmt], at: usize) -> Option<&'a mut PatIdent> {
    let declares = |stmt: &Stmt| match stmt {
        Stmt::Local(local) => whole(&local.pat).is_some_and(|name| name == count),
        _ => false,
    };
    let first = stmts[..at].iter().rposition(declares)?;
    let mut used = Vec::new();
    let others = stmts[first + 1..at].iter().chain(&stmts[at + 1..]);
    others.for_each(|stmt| identifiers(stmt.to_token_stream(), &mut used));
    let Stmt::Local(local) = &mut stmts[first] else {
        return None;
    };
    let pat = match &mut local.pat {
        Pat::Type(of) => &mut *of.pat,
        pat => pat,
    };
    let Pat::Ident(pat) = pat else { return None };
    (local.init.is_some() && !used.contains(count)).then_some(pat)
}

/// `loop { if i >= n { break; } .. }` as the `while` that it is.
fn while_of(of: &ExprLoop) -> Option<ExprWhile> {
    let (cond, rest) = goes_on_while(&of.body)?;
    let plain = of.label.is_none() && of.attrs.is_empty();
    plain.then(|| parse_quote!(while #cond { #(#rest)* }))
}

/// `for i in 0.. { if i >= n { break; } .. }` as the loop with an end that it is.
fn ended(of: &ExprForLoop) -> Option<ExprForLoop> {
    let Expr::Range(range) = without_parens(&of.expr) else {
        return None;
    };
    let (Some(start), None, Some(count)) = (&range.start, &range.end, whole(&of.pat)) else {
        return None;
    };
    let (cond, rest) = goes_on_while(&of.body)?;
    let (own, body): (Expr, Block) = (parse_quote!(#count), parse_quote!({ #(#rest)* }));
    let Expr::Binary(cond) = &cond else {
        return None;
    };
    let end = &*cond.right;
    let ends = numbers(end);
    let kept = !ends.is_empty() && ends.iter().all(|end| is_kept(end, &body));
    if !same(&cond.left, &own) || !kept || ends.iter().any(|end| same(end, &own)) {
        return None;
    }
    let mut all = of.clone();
    *all.expr = match cond.op {
        BinOp::Lt(_) => parse_quote!(#start..#end),
        _ => parse_quote!(#start..=#end),
    };
    all.body = body;
    Some(all)
}

/// How a body goes on that begins with `if i >= n { break; }`: while `i < n`, with what is behind it.
fn goes_on_while(body: &Block) -> Option<(Expr, &[Stmt])> {
    let (Stmt::Expr(Expr::If(first), _), rest) = body.stmts.split_first()? else {
        return None;
    };
    let ([Stmt::Expr(Expr::Break(leaves), _)], None) =
        (&first.then_branch.stmts[..], &first.else_branch)
    else {
        return None;
    };
    let Expr::Binary(cond) = without_parens(&first.cond) else {
        return None;
    };
    let goes_on: BinOp = match cond.op {
        BinOp::Ge(_) => parse_quote!(<),
        BinOp::Gt(_) => parse_quote!(<=),
        _ => return None,
    };
    let cond = compared(&cond.left, &goes_on, &cond.right);
    let plain = leaves.label.is_none() && leaves.expr.is_none();
    plain.then_some((cond, rest))
}

/// Where a count ends.
enum End {
    /// Below this.
    Below(Expr),
    /// At this.
    At(Expr),
}

impl Loops {
    /// The loop that counts, and what the count is behind it.
    fn counted(&self, of: &ExprWhile) -> Option<(Ident, Vec<Stmt>)> {
        if of.label.is_some() || !of.attrs.is_empty() {
            return None;
        }
        let mut terms = Vec::new();
        conjuncts(&of.cond, &mut terms);
        let stmts = &of.body.stmts;
        if let (Some(Stmt::Expr(first, _)), [cond]) = (stmts.first(), &terms[..])
            && let Some((count, low)) = self.above(cond)
        {
            let counted = self.down(&count, low, first, &stmts[1..])?;
            return Some((count, counted));
        }
        let (last, body) = stmts.split_last()?;
        let Stmt::Expr(last, _) = last else {
            return None;
        };
        let count = self.count_of(terms[0])?;
        let step = adds(last, &count)?;
        // One that is no literal may be anything.
        let asked = step.as_ref().filter(|step| !matches!(step, Expr::Lit(_)));
        let mut body: Block = parse_quote!({ #(#body)* });
        let mut goes_on = GoesOn { last, taken: 0 };
        goes_on.visit_block_mut(&mut body);
        let taken = goes_on.taken;
        // Terms that say where it ends, and behind them what may end it before.
        let ends = terms.iter().map_while(|term| self.end(term, &count));
        let mut ends: Vec<End> = ends.collect();
        let others = &terms[ends.len()..];
        let kept = |end: &End| match end {
            End::Below(end) | End::At(end) => numbers(end).iter().all(|end| is_kept(end, &body)),
        };
        let moves = asked.is_some_and(|step| !is_kept(step, &body));
        if !is_kept(&Expr::Path(parse_quote!(#count)), &body) || !ends.iter().all(kept) || moves {
            return None;
        }
        let range: Expr = match (ends.pop()?, &ends[..]) {
            (End::At(end), []) => parse_quote!(#count..=#end),
            (End::Below(end), before) => {
                let before = before.iter().rev().map(|end| match end {
                    End::Below(end) => Some(end),
                    End::At(_) => None,
                });
                let before: Option<Vec<&Expr>> = before.collect();
                let end = before?
                    .into_iter()
                    .fold(end, |end, other| parse_quote!((#other).min(#end)));
                parse_quote!(#count..#end)
            }
            _ => return None,
        };
        let over: Expr = match &step {
            None => range.clone(),
            Some(step) if asked.is_some() => parse_quote!((#range).step_by((#step) as usize)),
            Some(step) => parse_quote!((#range).step_by(#step)),
        };
        let mut leaves = Leaves::default();
        leaves.visit_block(&body);
        if leaves.elsewhere || leaves.continues != taken {
            return None;
        }
        if !others.is_empty() {
            let cond = others
                .iter()
                .copied()
                .cloned()
                .reduce(|a, b| parse_quote!(#a && #b))?;
            body.stmts.insert(0, parse_quote!(if !(#cond) { break; }));
            leaves.breaks = true;
        }
        if leaves.breaks {
            notes_stop(&mut body, &count);
        }
        let Expr::Range(range) = &range else {
            return None;
        };
        let (end, limits) = (&range.end, &range.limits);
        let all: Stmt = match (&step, limits) {
            (None, syn::RangeLimits::HalfOpen(_)) => {
                parse_quote!(if #count < #end { #count = #end; })
            }
            (None, syn::RangeLimits::Closed(_)) => {
                parse_quote!(if #count <= #end { #count = #end + 1; })
            }
            (Some(step), syn::RangeLimits::HalfOpen(_)) => {
                parse_quote!(if #count < #end { #count += (#end - #count - 1) / #step * #step + #step; })
            }
            (Some(step), syn::RangeLimits::Closed(_)) => {
                parse_quote!(if #count <= #end { #count += (#end - #count) / #step * #step + #step; })
            }
        };
        let number = number(&count, &body);
        let counted = behind(
            &count,
            leaves.breaks,
            parse_quote!(for #number in #over #body),
            &all,
        );
        let Some(step) = asked else {
            return Some((count, counted));
        };
        // By no step at all it goes on for ever. Nobody looks for loops in it.
        let written = Stmt::Expr(Expr::Verbatim(of.to_token_stream()), None);
        let mut otherwise: Block = parse_quote!({});
        otherwise.stmts.push(written);
        let mut either: syn::ExprIf = parse_quote!(if #step > 0 { #(#counted)* } else {});
        let otherwise = Expr::Block(syn::ExprBlock {
            attrs: Vec::new(),
            label: None,
            block: otherwise,
        });
        either.else_branch = Some((Default::default(), Box::new(otherwise)));
        Some((count, vec![Stmt::Expr(Expr::If(either), None)]))
    }

    /// `while low < high { .. low += 1; high -= 1; }`
    fn met(&self, of: &ExprWhile) -> Option<(Ident, Vec<Stmt>)> {
        let Expr::Binary(cond) = without_parens(&of.cond) else {
            return None;
        };
        let (BinOp::Lt(_), Expr::Path(low), Expr::Path(high)) = (
            &cond.op,
            without_parens(&cond.left),
            without_parens(&cond.right),
        ) else {
            return None;
        };
        let (low, high) = (low.path.get_ident()?, high.path.get_ident()?);
        let (up, down) = (
            |e: &Expr| matches!(adds(e, low), Some(None)),
            |e: &Expr| is_one_less(e, high),
        );
        let is = |stmt: &Stmt, moves: &dyn Fn(&Expr) -> bool| matches!(stmt, Stmt::Expr(e, _) if moves(e));
        let stmts = &of.body.stmts[..];
        let (body, at_head) = match stmts {
            [first, body @ .., last] if is(first, &down) && is(last, &up) => (body, true),
            [body @ .., one, other] if is(one, &up) && is(other, &down) => (body, false),
            [body @ .., one, other] if is(one, &down) && is(other, &up) => (body, false),
            _ => return None,
        };
        let body: Block = parse_quote!({ #(#body)* });
        let mut leaves = Leaves::default();
        leaves.visit_block(&body);
        let known = [low, high].iter().all(|name| {
            self.counts.contains(&name.to_string())
                && is_kept(&Expr::Path(parse_quote!(#name)), &body)
        });
        let ends = leaves.breaks || leaves.elsewhere || leaves.continues > 0;
        let plain = of.label.is_none() && of.attrs.is_empty() && low != high;
        if !known || ends || !plain {
            return None;
        }
        let number = format_ident!("{}", alias::stop(&low.to_string()), span = low.span());
        let stmts = body.stmts;
        let above: Expr = match at_head {
            true => parse_quote!(#high - #number - 1),
            false => parse_quote!(#high - #number),
        };
        let all: Stmt = parse_quote! {
            for #number in 0..#high.saturating_sub(#low) / 2 + #high.saturating_sub(#low) % 2 {
                #[allow(unused_variables)]
                let (#low, #high) = (#low + #number, #above);
                #(#stmts)*
            }
        };
        let behind: Stmt = parse_quote! {
            #[allow(unused_assignments, clippy::all, clippy::pedantic)]
            {
                if #low < #high {
                    let #number = (#high - #low) / 2 + (#high - #low) % 2;
                    #low += #number;
                    #high -= #number;
                }
            }
        };
        // Both may be asked for behind it.
        let none: Stmt = parse_quote!({});
        Some((low.clone(), vec![all, behind, none]))
    }

    /// The count of a condition's first term.
    fn count_of(&self, term: &Expr) -> Option<Ident> {
        let Expr::Binary(cond) = without_parens(term) else {
            return None;
        };
        let left = match without_parens(&cond.left) {
            Expr::Binary(sum) if matches!(sum.op, BinOp::Add(_)) => without_parens(&sum.left),
            left => left,
        };
        let Expr::Path(count) = left else { return None };
        let count = count.path.get_ident()?;
        self.counts
            .contains(&count.to_string())
            .then(|| count.clone())
    }

    /// Where a term says that the count ends.
    fn end(&self, term: &Expr, count: &Ident) -> Option<End> {
        let Expr::Binary(cond) = without_parens(term) else {
            return None;
        };
        let (own, end): (Expr, _) = (parse_quote!(#count), without_parens(&cond.right));
        let plain = !numbers(end).is_empty();
        match (&cond.op, without_parens(&cond.left)) {
            (BinOp::Lt(_), left) if same(left, &own) && plain => Some(End::Below(end.clone())),
            (BinOp::Le(_), left) if same(left, &own) && plain => Some(End::At(end.clone())),
            (op @ (BinOp::Lt(_) | BinOp::Le(_)), Expr::Binary(sum))
                if matches!(sum.op, BinOp::Add(_))
                    && same(&sum.left, &own)
                    && plain
                    && !matches!(end, Expr::Lit(_)) =>
            {
                let more = without_parens(&sum.right);
                let is_plain = !numbers(more).is_empty();
                is_plain.then(|| match op {
                    BinOp::Lt(_) => End::Below(parse_quote!((#end).saturating_sub(#more))),
                    _ => End::Below(parse_quote!((#end).saturating_add(1).saturating_sub(#more))),
                })
            }
            _ => None,
        }
    }

    /// `i > low`, of a count.
    fn above<'e>(&self, term: &'e Expr) -> Option<(Ident, &'e Expr)> {
        let Expr::Binary(cond) = without_parens(term) else {
            return None;
        };
        let count = match (&cond.op, without_parens(&cond.left)) {
            (BinOp::Gt(_), Expr::Path(count)) => count.path.get_ident()?,
            _ => return None,
        };
        let known = self.counts.contains(&count.to_string());
        known.then(|| (count.clone(), without_parens(&cond.right)))
    }

    /// `while i > low { i -= 1; .. }`
    fn down(&self, count: &Ident, low: &Expr, first: &Expr, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let own: Expr = parse_quote!(#count);
        let is_less = is_one_less(first, count);
        let mut body: Block = parse_quote!({ #(#body)* });
        let mut leaves = Leaves::default();
        leaves.visit_block(&body);
        let lows = numbers(low);
        let kept =
            is_kept(&own, &body) && !lows.is_empty() && lows.iter().all(|low| is_kept(low, &body));
        // What goes on has counted before.
        if !is_less || leaves.elsewhere || !kept {
            return None;
        }
        if leaves.breaks {
            notes_stop(&mut body, count);
        }
        let end: Stmt = parse_quote!(if #count > #low { #count = #low; });
        let number = number(count, &body);
        Some(behind(
            count,
            leaves.breaks,
            parse_quote!(for #number in (#low..#count).rev() #body),
            &end,
        ))
    }
}

/// The count as the variable of a loop: none where the body does without, which nobody is to be warned of.
fn number(count: &Ident, body: &Block) -> syn::Pat {
    let mut used = Vec::new();
    identifiers(body.to_token_stream(), &mut used);
    match used.contains(count) {
        true => parse_quote!(#count),
        false => parse_quote!(_),
    }
}

fn stop(count: &Ident) -> Ident {
    format_ident!("{}", alias::stop(&count.to_string()), span = count.span())
}

/// Notes what the count is where a loop's body leaves it.
fn notes_stop(body: &mut Block, count: &Ident) {
    let stop = stop(count);
    let note = parse_quote!(#stop = ::core::option::Option::Some(#count););
    Stops(0, note).visit_block_mut(body);
}

/// A loop with what the count is behind it.
fn behind(count: &Ident, breaks: bool, all: Stmt, end: &Stmt) -> Vec<Stmt> {
    let stop = stop(count);
    let (before, end): (Option<Stmt>, Stmt) = match breaks {
        false => (None, end.clone()),
        true => (
            Some(parse_quote!(let mut #stop = ::core::option::Option::None;)),
            parse_quote! {
                if let ::core::option::Option::Some(#stop) = #stop {
                    #count = #stop;
                } else {
                    #end
                }
            },
        ),
    };
    let behind = parse_quote! {
        #[allow(unused_assignments, clippy::all, clippy::pedantic)]
        {
            #end
        }
    };
    before.into_iter().chain([all, behind]).collect()
}

/// The numbers that an end is made of, where each may be looked at again.
fn numbers(end: &Expr) -> Vec<&Expr> {
    match without_parens(end) {
        Expr::MethodCall(less) if less.method.to_string().starts_with("saturating_") => {
            let mut all = numbers(&less.receiver);
            all.extend(less.args.first());
            all
        }
        Expr::Binary(of)
            if matches!(
                of.op,
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_)
            ) =>
        {
            let (mut all, right) = (numbers(&of.left), numbers(&of.right));
            match all.is_empty() || right.is_empty() {
                true => Vec::new(),
                false => {
                    all.extend(right);
                    all
                }
            }
        }
        end @ (Expr::Lit(_) | Expr::Path(_) | Expr::Field(_)) => vec![end],
        end @ Expr::MethodCall(len) if len.method == "len" && len.args.is_empty() => vec![end],
        _ => Vec::new(),
    }
}

fn conjuncts<'e>(cond: &'e Expr, all: &mut Vec<&'e Expr>) {
    match without_parens(cond) {
        Expr::Binary(of) if matches!(of.op, BinOp::And(_)) => {
            conjuncts(&of.left, all);
            conjuncts(&of.right, all);
        }
        cond => all.push(cond),
    }
}

/// `i += 1`, or another literal, a name or a field, which is the step then: none where it is 1.
fn adds(last: &Expr, count: &Ident) -> Option<Option<Expr>> {
    let own: Expr = parse_quote!(#count);
    let step = match last {
        Expr::Binary(add) if matches!(add.op, BinOp::AddAssign(_)) && same(&add.left, &own) => {
            &*add.right
        }
        Expr::Assign(to) if same(&to.left, &own) => match without_parens(&to.right) {
            Expr::Binary(sum) if matches!(sum.op, BinOp::Add(_)) && same(&sum.left, &own) => {
                &*sum.right
            }
            _ => return None,
        },
        _ => return None,
    };
    if matches!(step, Expr::Path(_) | Expr::Field(_)) {
        return Some(Some(step.clone()));
    }
    let Expr::Lit(ExprLit {
        lit: Lit::Int(by), ..
    }) = step
    else {
        return None;
    };
    match by.base10_parse::<u32>().ok()? {
        0 => None,
        1 => Some(None),
        _ => Some(Some(step.clone())),
    }
}

/// `i -= 1`
fn is_one_less(last: &Expr, count: &Ident) -> bool {
    let own: Expr = parse_quote!(#count);
    let one = |e: &Expr| same(e, &parse_quote!(1));
    match last {
        Expr::Binary(less) if matches!(less.op, BinOp::SubAssign(_)) => {
            same(&less.left, &own) && one(&less.right)
        }
        Expr::Assign(to) if same(&to.left, &own) => match without_parens(&to.right) {
            Expr::Binary(less) if matches!(less.op, BinOp::Sub(_)) => {
                same(&less.left, &own) && one(&less.right)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Takes what counts from before each `continue`.
struct GoesOn<'a> {
    last: &'a Expr,
    taken: usize,
}

impl VisitMut for GoesOn<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                let n = block.stmts.len();
                if n >= 2
                    && matches!(&block.stmts[n - 1], Stmt::Expr(Expr::Continue(of), _) if of.label.is_none())
                    && matches!(&block.stmts[n - 2], Stmt::Expr(e, Some(_)) if same(e, self.last))
                {
                    block.stmts.remove(n - 2);
                    self.taken += 1;
                }
                visit_mut::visit_block_mut(self, block);
            }
            visit_mut::Node::Expr(e) => {
                let inner = matches!(
                    e,
                    Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_)
                );
                if !inner {
                    visit_mut::visit_expr_mut(self, e);
                }
            }
            _ => node.parts(self),
        }
    }
}

/// Notes what the count is where the loop is left.
struct Stops(usize, Stmt);

impl VisitMut for Stops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                if self.0 == 0
                    && let Some(at) = block.stmts.iter().position(
                        |stmt| matches!(stmt, Stmt::Expr(Expr::Break(of), _) if of.label.is_none()),
                    )
                {
                    block.stmts.insert(at, self.1.clone());
                }
                visit_mut::visit_block_mut(self, block);
            }
            visit_mut::Node::Expr(e) => {
                let inner = matches!(e, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
                self.0 += usize::from(inner);
                if !matches!(e, Expr::Closure(_) | Expr::Async(_)) {
                    visit_mut::visit_expr_mut(self, e);
                }
                self.0 -= usize::from(inner);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether a number stays what it is while a body runs.
pub(super) fn is_kept(number: &Expr, body: &Block) -> bool {
    let place = match number {
        Expr::Lit(number) => return matches!(number.lit, Lit::Int(_)),
        Expr::MethodCall(len) if len.method == "len" && len.args.is_empty() => &*len.receiver,
        number => number,
    };
    if !matches!(place, Expr::Path(_) | Expr::Field(_)) {
        return false;
    }
    let Some((key, false)) = names::key_of(place) else {
        return false;
    };
    let pat = parse_quote!(_);
    let free = names::free_names_of_body(&pat, body);
    let is_length = !std::ptr::eq(place, number);
    let assigned = free
        .assignments
        .iter()
        .any(|a| a.key.overlaps(&key) && !(is_length && a.indexed));
    let lent = free.borrowed_mut.iter().any(|name| **name == key.root);
    let called = free.calls.iter().any(|call| match call {
        Called::Method(receiver, method, _) => {
            let of = names::key_of(receiver);
            let whole = of.is_some_and(|(of, indexed)| !indexed && of.overlaps(&key));
            whole && !READING_METHODS.contains(&method.to_string().as_str())
        }
        _ => false,
    });
    let hidden = free.in_macros.iter().any(|(name, _)| *name == key.root);
    let mut again = Vec::new();
    identifiers(number.to_token_stream(), &mut again);
    let mut rebound = false;
    Bound(&mut |name| rebound |= again.iter().any(|word| word == name)).visit_block(body);
    if is_length && !only_looked_at(&key, body.to_token_stream()) {
        return false;
    }
    !(assigned || lent || called || hidden || rebound)
}

/// Whether a collection is only indexed and asked: what it is handed to may change how long it is.
fn only_looked_at(key: &names::Key, tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let dot = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == '.');
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let parts = key.fields.len();
    (0..tokens.len()).all(|at| match &tokens[at] {
        TokenTree::Group(group) => only_looked_at(key, group.stream()),
        TokenTree::Ident(name) if *name == key.root && (at == 0 || !dot(at - 1)) => {
            let field = |n: usize| dot(at + 2 * n + 1).then(|| word(at + 2 * n + 2));
            let other = (0..parts).find(|n| field(*n).as_ref() != Some(&key.fields[*n]));
            let end = at + 2 * parts + 1;
            match (other, tokens.get(end)) {
                (Some(n), _) => field(n).is_some(),
                (None, Some(TokenTree::Group(group))) => group.delimiter() == Delimiter::Bracket,
                (None, _) => dot(end) && READING_METHODS.contains(&&*word(end + 1)),
            }
        }
        _ => true,
    })
}

/// Looks for what ends an iteration early, or the loop.
#[derive(Default)]
struct Leaves {
    loops: usize,
    /// Whether it is left by a `break` that is a statement.
    breaks: bool,
    /// How often it goes on.
    continues: usize,
    /// Whether an iteration ends otherwise, or the count is not seen where the loop is left.
    elsewhere: bool,
}

impl<'a> Visit<'a> for Leaves {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Block(block) => {
                for stmt in &block.stmts {
                    match stmt {
                        Stmt::Expr(Expr::Break(of), _)
                            if self.loops == 0 && of.label.is_none() && of.expr.is_none() =>
                        {
                            self.breaks = true;
                        }
                        stmt => self.visit_stmt(stmt),
                    }
                }
            }
            visit::Node::Expr(e) => {
                match e {
                    Expr::Closure(_) | Expr::Async(_) => return,
                    Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                        self.loops += 1;
                        visit::visit_expr(self, e);
                        self.loops -= 1;
                        return;
                    }
                    Expr::Break(of) => self.elsewhere |= self.loops == 0 || of.label.is_some(),
                    Expr::Continue(of) => {
                        self.elsewhere |= of.label.is_some();
                        self.continues += usize::from(self.loops == 0);
                    }
                    _ => {}
                }
                visit::visit_expr(self, e);
            }
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
