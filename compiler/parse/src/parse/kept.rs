//! What keeps the best item in an `Option`, or by more than one key, however it is asked for it: one `if` that compares the item with what is kept.
//!
//! | written | stands for |
//! | --- | --- |
//! | `if best.is_none_or(\|(_, b)\| d < b) { best = Some((i, d)); }` | `if item(d) < of(&best, \|it\| match *it { (_, b) => b }) { best = Some((i, d)); }` |
//! | `match best { None => best = Some(d), Some(b) if d < b => best = Some(d), _ => {} }` | `if item(d) < of(&best, \|it\| match *it { b => b }) { .. }` |
//! | `match best { Some((_, b)) if d >= b => {}, _ => best = Some((i, d)) }` | the same by what it is not: a NaN is taken |
//! | `if let Some(b) = best { if d < b.1 { best = Some((i, d)); } } else { best = Some((i, d)); }` | the first |
//! | `if s > best \|\| s == best && i < at { best = s; at = i; }` | `if item((s, i)) < held((best, at)) { best = s; at = i; }`, each as it compares |
//! | `if (d, i) < best { best = (d, i); }` | `if item((d, i)) < held(best) { best = (d, i); }` |
//! | `best = Some(match best { Some(b) if b.1 <= d => b, _ => (i, d) });` | the third |
//!
//! `item` and `of` are the runtime's, by whose order nothing is worse than none. What is assigned has to have what the item is compared by: that of the
//! pattern's names, put in their places. It is the first that is done where the item is taken, so that it is the same there.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Arm, BinOp, Block, Expr, Ident, ItemFn, Member, Pat, Stmt, UnOp, parse_quote};

use super::{idioms, marks, names, sites};
use crate::alias;
use crate::ir::Method;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{is_at_hand, without_parens};

/// Rewrites them in the loops of a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut options = Options {
        loops: 0,
        found: false,
    };
    options.visit_block_mut(&mut function.block);
    options.found
}

struct Options {
    /// How many loops stand around.
    loops: usize,
    found: bool,
}

impl VisitMut for Options {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                visit_mut::visit_block_mut(self, block);
                if self.loops == 0 {
                    return;
                }
                // `let better = ..; if better { .. }`, `let item = (d, i); if item < best { best = item; }`.
                for at in 1..block.stmts.len() {
                    if let Some(spelled) = named(&block.stmts[at - 1], &block.stmts[at..]) {
                        block.stmts[at] = spelled;
                        block.stmts.remove(at - 1);
                        break;
                    }
                }
                for stmt in &mut block.stmts {
                    if let Stmt::Expr(e, _) = stmt
                        && let Some(found) = kept(e)
                    {
                        *stmt = Stmt::Expr(found, None);
                        self.found = true;
                    }
                }
            }
            visit_mut::Node::Arm(arm) => {
                visit_mut::visit_arm_mut(self, arm);
                if self.loops > 0
                    && let Some(found) = kept(&arm.body)
                {
                    *arm.body = parse_quote!({ #found });
                    self.found = true;
                }
            }
            visit_mut::Node::Expr(e) => match e {
                Expr::ForLoop(of) if marks::may_be_marked(&of.attrs) => {}
                Expr::ForLoop(_) => {
                    self.loops += 1;
                    visit_mut::visit_expr_mut(self, e);
                    self.loops -= 1;
                }
                Expr::Closure(_) | Expr::Async(_) => {}
                _ => visit_mut::visit_expr_mut(self, e),
            },
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// An `if` without the name that a `let` before it gives to its condition, or to an item of several keys, and that nothing else has.
fn named(before: &Stmt, stmts: &[Stmt]) -> Option<Stmt> {
    let (Stmt::Local(local), Some(Stmt::Expr(Expr::If(of), _))) = (before, stmts.first()) else {
        return None;
    };
    let (name, init) = (names::whole(&local.pat)?, local.init.as_ref()?);
    let is_name =
        |e: &Expr| matches!(without_parens(e), Expr::Path(path) if path.path.is_ident(name));
    let value = &*init.expr;
    let is_condition = is_name(&of.cond) && Asked::of(value).is_some();
    let is_item = matches!(value, Expr::Tuple(of) if of.elems.iter().all(is_at_hand));
    if !(is_condition || is_item) || init.diverge.is_some() {
        return None;
    }
    let mut used = Vec::new();
    for stmt in stmts {
        names::identifiers(stmt.to_token_stream(), &mut used);
    }
    let used = used.iter().filter(|used| *used == name).count();
    let mut spelled = Spelled {
        name,
        value,
        count: 0,
        changed: false,
    };
    let mut stmt = stmts[0].clone();
    spelled.visit_stmt_mut(&mut stmt);
    let everywhere = spelled.count == used && !(is_item && spelled.changed);
    (everywhere && (used == 1 || is_item)).then_some(stmt)
}

/// Puts a value in the place of its name.
struct Spelled<'a> {
    name: &'a Ident,
    value: &'a Expr,
    count: usize,
    /// Whether something is assigned that the value is made of.
    changed: bool,
}

impl VisitMut for Spelled<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match e {
                Expr::Path(path) if path.path.is_ident(self.name) => {
                    *e = self.value.clone();
                    self.count += 1;
                }
                e => {
                    let assigned = match &*e {
                        Expr::Assign(of) => names::root_of(&of.left),
                        Expr::Binary(of) if sites::is_compound(&of.op) => names::root_of(&of.left),
                        _ => None,
                    };
                    let mut made_of = Vec::new();
                    names::identifiers(self.value.to_token_stream(), &mut made_of);
                    self.changed |= assigned.is_some_and(|name| made_of.contains(name));
                    visit_mut::visit_expr_mut(self, e);
                }
            },
            _ => node.parts(self),
        }
    }
}

/// The `if` that a statement is, if it keeps the best item.
fn kept(e: &Expr) -> Option<Expr> {
    match e {
        Expr::If(of) => by_condition(of)
            .or_else(|| by_let(of))
            .or_else(|| by_keys(of)),
        Expr::Match(of) => by_match(of),
        Expr::Assign(of) => by_value(of),
        Expr::Block(of) if of.label.is_none() => match &of.block.stmts[..] {
            [Stmt::Expr(e, _)] => kept(e),
            _ => None,
        },
        _ => None,
    }
}

/// `if c && best.is_none_or(..) { best = Some(..); }`.
fn by_condition(of: &syn::ExprIf) -> Option<Expr> {
    if of.else_branch.is_some() {
        return None;
    }
    let mut terms = Vec::new();
    conjuncts(&of.cond, &mut terms);
    let (nth, asked) = terms
        .iter()
        .enumerate()
        .find_map(|(n, term)| Some((n, Asked::of(term)?)))?;
    let compared = asked.compared(&of.then_branch)?;
    Some(with_term(&terms, nth, &compared, &of.then_branch))
}

/// An `if` of some terms that all have to hold, with another one in the place of the `nth`.
fn with_term(terms: &[&Expr], nth: usize, other: &Expr, then: &Block) -> Expr {
    let terms = terms.iter().enumerate();
    let terms = terms.map(|(n, term)| if n == nth { other } else { term });
    let cond = terms.cloned().reduce(|a, b| parse_quote!(#a && #b));
    parse_quote!(if #cond #then)
}

/// `if s > best || s == best && i < at { best = s; at = i; }` and `if (d, i) < best { best = (d, i); }`: by one key, and by another where that is the same.
fn by_keys(of: &syn::ExprIf) -> Option<Expr> {
    if of.else_branch.is_some() {
        return None;
    }
    let assigned = of.then_branch.stmts.iter().map_while(|stmt| match stmt {
        Stmt::Expr(Expr::Assign(of), _) => {
            Some((tokens(&of.left), tokens(without_parens(&of.right))))
        }
        _ => None,
    });
    let assigned: Vec<(String, String)> = assigned.collect();
    // An item and what is kept, the other way round where they are.
    let pair = |a: &Expr, b: &Expr| {
        let keeps = |kept: &Expr, item: &Expr| {
            let pair = (tokens(kept), tokens(item));
            assigned.contains(&pair) && is_pure(item)
        };
        match (keeps(b, a), keeps(a, b)) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    };
    let mut terms = Vec::new();
    conjuncts(&of.cond, &mut terms);
    let rank = |Compare { left, op, right }: Compare| {
        let turned = pair(&left, &right)?;
        let (item, kept) = if turned { (right, left) } else { (left, right) };
        Some((item, kept, op.0 != turned, op.1))
    };
    let ranked = |term: &Expr| -> Option<Expr> {
        let held = match without_parens(term) {
            Expr::Binary(either) if matches!(either.op, BinOp::Or(_)) => {
                let (item, kept, less, equal) = rank(Compare::of(&either.left)?)?;
                let Expr::Binary(both) = without_parens(&either.right) else {
                    return None;
                };
                let Expr::Binary(same) = without_parens(&both.left) else {
                    return None;
                };
                let equals = matches!(same.op, BinOp::Eq(_)) && matches!(both.op, BinOp::And(_));
                let (a, b) = (without_parens(&same.left), without_parens(&same.right));
                let (of_item, of_kept) = (tokens(&item), tokens(&kept));
                let alike = (tokens(a), tokens(b));
                let alike =
                    alike == (of_item.clone(), of_kept.clone()) || alike == (of_kept, of_item);
                if equal || !equals || !alike {
                    return None;
                }
                let second = rank(Compare::of(&both.right)?)?;
                let (second_item, second_kept, second_less, last) = second;
                let rank = |less: bool, of: &Expr| -> Expr {
                    parse_quote!(::accrue::__rt::kept::item::<#less, false, _>(#of))
                };
                let (a, b) = (rank(less, &item), rank(second_less, &second_item));
                let (c, d) = (rank(less, &kept), rank(second_less, &second_kept));
                (parse_quote!((#a, #b)), parse_quote!((#c, #d)), true, last)
            }
            e => {
                let compare = Compare::of(e)?;
                let parts = |e: &Expr| match e {
                    Expr::Tuple(of) => Some(of.elems.iter().cloned().collect::<Vec<_>>()),
                    _ => None,
                };
                match (parts(&compare.left), parts(&compare.right)) {
                    (Some(a), Some(b)) => {
                        let turned = a.iter().zip(&b).map(|(a, b)| pair(a, b));
                        let turned: Vec<Option<bool>> = turned.collect();
                        let all = |way| {
                            a.len() == b.len() && turned.iter().all(|turned| *turned == Some(way))
                        };
                        let (less, last) = compare.op;
                        match (all(false), all(true)) {
                            (true, _) => (compare.left, compare.right, less, last),
                            (_, true) => (compare.right, compare.left, !less, last),
                            _ => return None,
                        }
                    }
                    (None, None) => return None,
                    _ => rank(compare)?,
                }
            }
        };
        let (item, kept, less, last) = held;
        let op: BinOp = match last {
            true => parse_quote!(<=),
            false => parse_quote!(<),
        };
        Some(parse_quote! {
            ::accrue::__rt::kept::item::<#less, false, _>(#item) #op ::accrue::__rt::kept::held::<#less, _>(#kept)
        })
    };
    let (nth, ranked) = terms
        .iter()
        .enumerate()
        .find_map(|(n, term)| Some((n, ranked(term)?)))?;
    Some(with_term(&terms, nth, &ranked, &of.then_branch))
}

/// `if let Some(b) = best { if d < b { best = Some(d); } } else { best = Some(d); }`.
fn by_let(of: &syn::ExprIf) -> Option<Expr> {
    let Expr::Let(bound) = without_parens(&of.cond) else {
        return None;
    };
    let otherwise = as_block(&of.else_branch.as_ref()?.1);
    let [Stmt::Expr(Expr::If(inner), _)] = &of.then_branch.stmts[..] else {
        return None;
    };
    let place = Place::of(&bound.expr)?;
    let pat = inside_some(&bound.pat)?;
    taken(
        &place,
        pat,
        &inner.cond,
        false,
        &inner.then_branch,
        inner.else_branch.is_none(),
        &otherwise,
    )
}

/// An `if` that takes an item by one block where none is kept, and by another where the item is better.
fn taken(
    place: &Place,
    pat: &Pat,
    cond: &Expr,
    not: bool,
    better: &Block,
    alone: bool,
    none: &Block,
) -> Option<Expr> {
    let better = place.assigned(pat, better);
    if !alone || tokens(&better) != tokens(&place.assigned(pat, none)) {
        return None;
    }
    let asked = Asked {
        place: place.clone(),
        pat: pat.clone(),
        cond: cond.clone(),
        not,
    };
    asked.taking(&better)
}

/// `match best { .. }` by which an item is taken or not.
fn by_match(of: &syn::ExprMatch) -> Option<Expr> {
    let place = Place::of(&of.expr)?;
    let body = |case: &Case<'_>| as_block(case.body);
    match &Case::all(&of.arms)[..] {
        // `Some(b) if b <= d => {}, _ => best = Some(d)`.
        [some, other]
            if some.guard.is_some() && is_rest(other.pat) && body(some).stmts.is_empty() =>
        {
            Asked::by_guard(&place, some)?.taking(&body(other))
        }
        // `None => best = Some(d), Some(b) => if d < b { best = Some(d); }`.
        [one, two] => {
            let (none, some) = Case::none_first(one, two);
            let plain = none.guard.is_none() && some.guard.is_none();
            if !plain || !(is_none(none.pat) || is_rest(none.pat) && std::ptr::eq(none, two)) {
                return None;
            }
            let body_of_some = body(some);
            let [Stmt::Expr(Expr::If(inner), _)] = &body_of_some.stmts[..] else {
                return None;
            };
            let alone = inner.else_branch.is_none();
            let pat = inside_some(some.pat)?;
            taken(
                &place,
                pat,
                &inner.cond,
                false,
                &inner.then_branch,
                alone,
                &body(none),
            )
        }
        // `None => best = Some(d), Some(b) if d < b => best = Some(d), _ => {}`.
        [one, two, rest] => {
            let (none, some) = Case::none_first(one, two);
            // Or the other way round: `Some(b) if b <= d => {}, Some(_) => best = Some(d)`.
            let not = body(some).stmts.is_empty();
            let (item, skipped) = match not {
                true => (body(rest), body(some)),
                false => (body(some), body(rest)),
            };
            let is_else = is_other(rest.pat) && rest.guard.is_none();
            if !is_none(none.pat) || none.guard.is_some() || !is_else || !skipped.stmts.is_empty() {
                return None;
            }
            taken(
                &place,
                inside_some(some.pat)?,
                some.guard?,
                not,
                &item,
                true,
                &body(none),
            )
        }
        _ => None,
    }
}

/// `best = match best { .. }` and `best = Some(match best { .. })`, where what is kept stays what it is.
fn by_value(of: &syn::ExprAssign) -> Option<Expr> {
    let (value, wrapped) = match without_parens(&of.right) {
        Expr::Call(call) if some_of(call).is_some() => (without_parens(some_of(call)?), true),
        value => (value, false),
    };
    let Expr::Match(value) = value else {
        return None;
    };
    let place = Place::of(&value.expr)?;
    if tokens(&place.expr) != tokens(&of.left) || place.by_reference {
        return None;
    }
    let left = &of.left;
    let assigned = |value: &Expr| -> Block {
        match wrapped {
            true => parse_quote!({ #left = Some(#value); }),
            false => parse_quote!({ #left = #value; }),
        }
    };
    // Whether an arm's value is what was kept, by a name of its pattern.
    let stays = |pat: &Pat, value: &Expr| {
        let named = |pat: &Pat, value: &Expr| {
            let all = matches!(pat, Pat::Ident(_) | Pat::Tuple(_));
            all && tokens(pat) == tokens(without_parens(value))
        };
        let inner = inside_some(pat);
        match wrapped {
            true => inner.is_some_and(|inner| named(inner, value)),
            false => {
                let whole = match pat {
                    Pat::Ident(of) if of.by_ref.is_none() => match value {
                        Expr::Path(path) => path.path.is_ident(&of.ident),
                        _ => false,
                    },
                    _ => false,
                };
                let again = match without_parens(value) {
                    Expr::Call(call) => some_of(call)
                        .zip(inner)
                        .is_some_and(|(value, inner)| named(inner, value)),
                    _ => tokens(value) == tokens(left),
                };
                whole || again
            }
        }
    };
    let body = |case: &Case<'_>| match without_parens(case.body) {
        Expr::Block(of) => match &of.block.stmts[..] {
            [Stmt::Expr(value, None)] => value.clone(),
            _ => case.body.clone(),
        },
        value => value.clone(),
    };
    match &Case::all(&value.arms)[..] {
        // `Some(b) if b <= d => b, _ => d`.
        [some, other] if some.guard.is_some() && is_rest(other.pat) => {
            if !stays(some.pat, &body(some)) {
                return None;
            }
            Asked::by_guard(&place, some)?.taking(&assigned(&body(other)))
        }
        // `None => d, Some(b) => if d < b { d } else { b }`.
        [one, two] => {
            let (none, some) = Case::none_first(one, two);
            if !is_none(none.pat) || none.guard.is_some() || some.guard.is_some() {
                return None;
            }
            let Expr::If(choice) = body(some) else {
                return None;
            };
            let tail = |block: &Block| match &block.stmts[..] {
                [Stmt::Expr(value, None)] => Some(value.clone()),
                _ => None,
            };
            let otherwise = as_block(&choice.else_branch.as_ref()?.1);
            let (then, otherwise) = (tail(&choice.then_branch)?, tail(&otherwise)?);
            let not = stays(some.pat, &then);
            let (item, kept) = match not {
                true => (otherwise, then),
                false => (then, otherwise),
            };
            if !stays(some.pat, &kept) {
                return None;
            }
            let pat = inside_some(some.pat)?;
            taken(
                &place,
                pat,
                &choice.cond,
                not,
                &assigned(&item),
                true,
                &assigned(&body(none)),
            )
        }
        // `None => Some(d), Some(b) if d < b => Some(d), kept => kept`.
        [one, two, rest] => {
            let (none, some) = Case::none_first(one, two);
            let not = is_other(rest.pat) && stays(some.pat, &body(some));
            let item = match not {
                true => body(rest),
                false => body(some),
            };
            let is_kept = not || stays(rest.pat, &body(rest));
            if !is_none(none.pat) || none.guard.is_some() || rest.guard.is_some() || !is_kept {
                return None;
            }
            let (guard, pat) = (some.guard?, inside_some(some.pat)?);
            taken(
                &place,
                pat,
                guard,
                not,
                &assigned(&item),
                true,
                &assigned(&body(none)),
            )
        }
        _ => None,
    }
}

/// An arm of a `match`.
pub(super) struct Case<'a> {
    pub(super) pat: &'a Pat,
    pub(super) guard: Option<&'a Expr>,
    pub(super) body: &'a Expr,
}

impl Case<'_> {
    /// Two cases, the one of `None` first where there is one.
    fn none_first<'c>(one: &'c Self, two: &'c Self) -> (&'c Self, &'c Self) {
        match is_none(one.pat) {
            true => (one, two),
            false => (two, one),
        }
    }

    pub(super) fn all(arms: &[Arm]) -> Vec<Case<'_>> {
        let cases = arms.iter().map(|arm| {
            let (pat, guard) = match &arm.pat {
                Pat::Guard(of) => (&*of.pat, Some(&*of.guard)),
                pat => (pat, None),
            };
            let body = &*arm.body;
            Case { pat, guard, body }
        });
        cases.collect()
    }
}

/// The variable or field that keeps the item, as it is asked.
#[derive(Clone)]
struct Place {
    expr: Expr,
    /// Whether what is kept is looked at by reference: `&best`, `best.as_ref()`.
    by_reference: bool,
}

impl Place {
    fn of(e: &Expr) -> Option<Place> {
        let (expr, by_reference) = match without_parens(e) {
            Expr::Reference(of) => (without_parens(&of.expr), true),
            Expr::MethodCall(of)
                if ["as_ref", "as_mut"].iter().any(|name| of.method == name)
                    && of.args.is_empty() =>
            {
                (without_parens(&of.receiver), true)
            }
            e => (e, false),
        };
        let is_place = |mut e: &Expr| loop {
            match e {
                Expr::Path(path) => break path.path.get_ident().is_some(),
                Expr::Field(of) => e = without_parens(&of.base),
                Expr::Unary(of) if matches!(of.op, UnOp::Deref(_)) => e = without_parens(&of.expr),
                _ => break false,
            }
        };
        is_place(expr).then(|| Place {
            expr: expr.clone(),
            by_reference,
        })
    }

    /// A block in which what is kept is assigned by its place, `best = Some(d)`, where it is by the name of a pattern: `*b = d`.
    fn assigned(&self, pat: &Pat, block: &Block) -> Block {
        let mut block = block.clone();
        if let (Some(name), Some(Stmt::Expr(Expr::Assign(first), _))) =
            (names::whole(pat), block.stmts.first_mut())
            && let Expr::Unary(of) = without_parens(&first.left)
            && matches!(of.op, UnOp::Deref(_))
            && matches!(without_parens(&of.expr), Expr::Path(path) if path.path.is_ident(name))
            && self.by_reference
        {
            let (place, value) = (&self.expr, &first.right);
            *first = parse_quote!(#place = Some(#value));
        }
        // With or without a semicolon it is the same.
        if let Some(Stmt::Expr(_, semi)) = block.stmts.last_mut() {
            semi.get_or_insert_default();
        }
        block
    }
}

/// What is asked of an item and of what is kept.
struct Asked {
    place: Place,
    /// What is kept.
    pat: Pat,
    cond: Expr,
    /// Whether the item is taken where that does not hold.
    not: bool,
}

impl Asked {
    /// What the guard of an arm asks that leaves what is kept as it is.
    fn by_guard(place: &Place, some: &Case<'_>) -> Option<Asked> {
        Some(Asked {
            place: place.clone(),
            pat: inside_some(some.pat)?.clone(),
            cond: some.guard?.clone(),
            not: true,
        })
    }

    /// The `if` that takes an item by a block.
    fn taking(&self, item: &Block) -> Option<Expr> {
        let compared = self.compared(item)?;
        Some(parse_quote!(if #compared #item))
    }

    /// What a condition asks, where it holds as long as nothing is kept.
    fn of(e: &Expr) -> Option<Asked> {
        let closure = |e: &Expr| match without_parens(e) {
            Expr::Closure(of) if of.inputs.len() == 1 => {
                let pat = match &of.inputs[0] {
                    Pat::Type(typed) => (*typed.pat).clone(),
                    pat => pat.clone(),
                };
                Some((pat, (*of.body).clone()))
            }
            _ => None,
        };
        let of_closure = |place: &Expr, asks: &Expr, not: bool| {
            let (place, (pat, cond)) = (Place::of(place)?, closure(asks)?);
            Some(Asked {
                place,
                pat,
                cond,
                not,
            })
        };
        match without_parens(e) {
            Expr::MethodCall(of) => match (of.method.to_string().as_str(), of.args.len()) {
                ("is_none_or", 1) => of_closure(&of.receiver, &of.args[0], false),
                ("map_or", 2) if idioms::truth(&of.args[0]) == Some(true) => {
                    of_closure(&of.receiver, &of.args[1], false)
                }
                ("unwrap_or", 1) if idioms::truth(&of.args[0]) == Some(true) => {
                    match without_parens(&of.receiver) {
                        Expr::MethodCall(of) if of.method == "map" && of.args.len() == 1 => {
                            of_closure(&of.receiver, &of.args[0], false)
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            Expr::Unary(of) if matches!(of.op, UnOp::Not(_)) => match without_parens(&of.expr) {
                Expr::MethodCall(of) if of.method == "is_some_and" && of.args.len() == 1 => {
                    of_closure(&of.receiver, &of.args[0], true)
                }
                _ => None,
            },
            // `best.is_none() || d < best.unwrap()`.
            Expr::Binary(of) if matches!(of.op, BinOp::Or(_)) => {
                let Expr::MethodCall(none) = without_parens(&of.left) else {
                    return None;
                };
                if none.method != "is_none" {
                    return None;
                }
                let place = Place::of(&none.receiver)?;
                let item = alias::consumed(of.op.span()).0;
                let mut unwrapped = Unwrapped(&place.expr, parse_quote!(#item));
                let mut cond = (*of.right).clone();
                unwrapped.visit_expr_mut(&mut cond);
                Some(Asked {
                    place,
                    pat: parse_quote!(#item),
                    cond,
                    not: false,
                })
            }
            Expr::Match(of) if of.arms.len() == 2 => {
                let cases = Case::all(&of.arms);
                let none = cases.iter().position(|case| is_none(case.pat))?;
                let (none, some) = (&cases[none], &cases[1 - none]);
                let plain = none.guard.is_none() && some.guard.is_none();
                let holds = idioms::truth(none.body) == Some(true);
                Some(Asked {
                    place: Place::of(&of.expr).filter(|_| plain && holds)?,
                    pat: inside_some(some.pat)?.clone(),
                    cond: some.body.clone(),
                    not: false,
                })
            }
            Expr::If(of) => {
                let Expr::Let(bound) = without_parens(&of.cond) else {
                    return None;
                };
                let tail = |block: &Block| match &block.stmts[..] {
                    [Stmt::Expr(value, None)] => Some(value.clone()),
                    _ => None,
                };
                let otherwise = tail(&as_block(&of.else_branch.as_ref()?.1))?;
                Some(Asked {
                    place: Place::of(&bound.expr)
                        .filter(|_| idioms::truth(&otherwise) == Some(true))?,
                    pat: inside_some(&bound.pat)?.clone(),
                    cond: tail(&of.then_branch)?,
                    not: false,
                })
            }
            _ => None,
        }
    }

    /// The comparison of the ranks, where a block takes the item first of all.
    fn compared(&self, taken: &Block) -> Option<Expr> {
        let Some(Stmt::Expr(Expr::Assign(first), _)) = taken.stmts.first() else {
            return None;
        };
        let Expr::Call(call) = without_parens(&first.right) else {
            return None;
        };
        let value = some_of(call)?;
        if tokens(&self.place.expr) != tokens(&first.left) {
            return None;
        }
        let (cond, not) = match without_parens(&self.cond) {
            Expr::Unary(of) if matches!(of.op, UnOp::Not(_)) => {
                (without_parens(&of.expr), !self.not)
            }
            cond => (cond, self.not),
        };
        let Compare { left, op, right } = Compare::of(cond)?;
        let mut names = Vec::new();
        names_of(&self.pat, &mut names);
        let has = |e: &Expr| {
            let mut used = Vec::new();
            names::identifiers(e.to_token_stream(), &mut used);
            used.iter().any(|used| names.contains(used))
        };
        // `less`: whether the item is taken where it is less; `equal`: whether it is where they are equal.
        let (item, key, less, equal) = match (has(&left), has(&right)) {
            (false, true) => (left, right, op.0, op.1),
            (true, false) => (right, left, !op.0, op.1),
            _ => return None,
        };
        let (less, equal) = match not {
            true => (!less, !equal),
            false => (less, equal),
        };
        let it = alias::consumed(call.span()).0;
        let of_value = put(&key, &self.pat, value, self.place.by_reference)?;
        let by_reference = self.place.by_reference.then(|| parse_quote!(*));
        // References are compared by what they refer to.
        let (item, of_kept, of_value) = match (&item, &of_value) {
            (Expr::Reference(a), Expr::Reference(b)) => {
                let star: syn::Token![*] = by_reference.unwrap_or_default();
                (
                    (*a.expr).clone(),
                    parse_quote!(#star #key),
                    (*b.expr).clone(),
                )
            }
            _ => (item, key, of_value),
        };
        let whole: Expr = match self.place.by_reference {
            true => parse_quote!(#it),
            false => parse_quote!(*#it),
        };
        let pat = &self.pat;
        if tokens(without_parens(&of_value)) != tokens(without_parens(&item)) || !is_pure(&item) {
            return None;
        }
        let place = &self.place.expr;
        let op: BinOp = match equal {
            true => parse_quote!(<=),
            false => parse_quote!(<),
        };
        Some(parse_quote! {
            ::accrue::__rt::kept::item::<#less, #not, _>(#item) #op
                ::accrue::__rt::kept::of::<#less, #not, _, _>(&#place, |#it| match #whole { #pat => #of_kept })
        })
    }
}

/// Two values that are compared: whether it is for the lesser, and whether equal ones do.
struct Compare {
    left: Expr,
    op: (bool, bool),
    right: Expr,
}

impl Compare {
    fn of(e: &Expr) -> Option<Compare> {
        match without_parens(e) {
            Expr::Binary(of) => {
                let ordering = |name: &str| match name {
                    "Less" => Some((true, false)),
                    "Greater" => Some((false, false)),
                    _ => None,
                };
                let op = match of.op {
                    BinOp::Lt(_) => (true, false),
                    BinOp::Le(_) => (true, true),
                    BinOp::Gt(_) => (false, false),
                    BinOp::Ge(_) => (false, true),
                    // `d.partial_cmp(&b) == Some(Ordering::Less)`.
                    BinOp::Eq(_) => {
                        let Expr::MethodCall(call) = without_parens(&of.left) else {
                            return None;
                        };
                        let right =
                            match (call.method.to_string().as_str(), without_parens(&of.right)) {
                                ("cmp", right) => right,
                                ("partial_cmp", Expr::Call(right)) => some_of(right)?,
                                _ => return None,
                            };
                        let Expr::Path(path) = without_parens(right) else {
                            return None;
                        };
                        let op = ordering(&path.path.segments.last()?.ident.to_string())?;
                        return Compare::of_call(call, op);
                    }
                    _ => return None,
                };
                Some(Compare {
                    left: without_parens(&of.left).clone(),
                    op,
                    right: without_parens(&of.right).clone(),
                })
            }
            // `d.cmp(&b).is_lt()`.
            Expr::MethodCall(of) if of.args.is_empty() => {
                let Expr::MethodCall(call) = without_parens(&of.receiver) else {
                    return None;
                };
                let op = match of.method.to_string().as_str() {
                    "is_lt" => (true, false),
                    "is_le" => (true, true),
                    "is_gt" => (false, false),
                    "is_ge" => (false, true),
                    _ => return None,
                };
                Compare::of_call(call, op).filter(|_| call.method == "cmp")
            }
            _ => None,
        }
    }

    fn of_call(call: &syn::ExprMethodCall, op: (bool, bool)) -> Option<Compare> {
        let Some(Expr::Reference(right)) = call.args.first() else {
            return None;
        };
        Some(Compare {
            left: without_parens(&call.receiver).clone(),
            op,
            right: without_parens(&right.expr).clone(),
        })
    }
}

/// An expression with what a value has in the places of the names of a pattern.
fn put(e: &Expr, pat: &Pat, value: &Expr, by_reference: bool) -> Option<Expr> {
    let mut bound = Vec::new();
    parts(pat, value, by_reference, &mut bound)?;
    struct Put(Vec<(Ident, Expr)>);
    impl VisitMut for Put {
        fn visit(&mut self, node: visit_mut::Node<'_>) {
            match node {
                visit_mut::Node::Expr(e) => {
                    visit_mut::visit_expr_mut(self, e);
                    let found = match e {
                        Expr::Path(path) => {
                            self.0.iter().find(|(name, _)| path.path.is_ident(name))
                        }
                        _ => None,
                    };
                    if let Some((_, value)) = found {
                        *e = value.clone();
                        return;
                    }
                    // `*&x` is `x`, and so are `(&x).f` and `&x` where a method is called.
                    let inner = match e {
                        Expr::Unary(of) if matches!(of.op, UnOp::Deref(_)) => {
                            match without_parens(&of.expr) {
                                Expr::Reference(of) => Some((*of.expr).clone()),
                                _ => None,
                            }
                        }
                        _ => None,
                    };
                    if let Some(inner) = inner {
                        *e = inner;
                    }
                    let base = match e {
                        Expr::Field(of) => &mut of.base,
                        Expr::MethodCall(of) => &mut of.receiver,
                        _ => return,
                    };
                    if let Expr::Reference(of) = without_parens(base) {
                        *base = of.expr.clone();
                    }
                    if let Expr::Field(of) = e
                        && let Some(part) = part_of(&of.base, &of.member)
                    {
                        *e = part;
                    }
                }
                _ => node.parts(self),
            }
        }
    }
    let mut put = e.clone();
    Put(bound).visit_expr_mut(&mut put);
    Some(put)
}

/// The names of a pattern, with the parts of a value that they are.
fn parts(
    pat: &Pat,
    value: &Expr,
    by_reference: bool,
    bound: &mut Vec<(Ident, Expr)>,
) -> Option<()> {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => Some(()),
        Pat::Paren(of) => parts(&of.pat, value, by_reference, bound),
        Pat::Ident(of) if of.subpat.is_none() && of.mutability.is_none() => {
            let value = match by_reference || of.by_ref.is_some() {
                true => parse_quote!(&#value),
                false => value.clone(),
            };
            bound.push((of.ident.clone(), value));
            Some(())
        }
        Pat::Reference(of) if by_reference => parts(&of.pat, value, false, bound),
        Pat::Tuple(of) => {
            if of.elems.iter().any(|pat| matches!(pat, Pat::Rest(_))) {
                return None;
            }
            for (n, pat) in of.elems.iter().enumerate() {
                let member = Member::Unnamed(n.into());
                let part = part_of(value, &member).unwrap_or_else(|| parse_quote!(#value.#member));
                parts(pat, &part, by_reference, bound)?;
            }
            Some(())
        }
        Pat::Struct(of) => {
            for field in &of.fields {
                let member = &field.member;
                let part = part_of(value, member).unwrap_or_else(|| parse_quote!(#value.#member));
                parts(&field.pat, &part, by_reference, bound)?;
            }
            Some(())
        }
        _ => None,
    }
}

/// A part of a value that is put together there.
fn part_of(value: &Expr, member: &Member) -> Option<Expr> {
    match (without_parens(value), member) {
        (Expr::Struct(all), _) => {
            let field = all.fields.iter().find(|field| field.member == *member)?;
            Some(field.expr.clone())
        }
        (Expr::Tuple(all), Member::Unnamed(n)) => all.elems.get(n.index as usize).cloned(),
        _ => None,
    }
}

fn names_of(pat: &Pat, names: &mut Vec<Ident>) {
    names.extend(names::bound_names(pat).iter().map(|name| (*name).clone()));
}

/// Replaces what is unwrapped of a place.
struct Unwrapped<'a>(&'a Expr, Expr);

impl VisitMut for Unwrapped<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                if let Expr::MethodCall(of) = e
                    && (of.method == "unwrap" && of.args.is_empty() || of.method == "expect")
                    && let Some(place) = Place::of(&of.receiver)
                    && tokens(&place.expr) == tokens(self.0)
                {
                    let name = &self.1;
                    *e = match place.by_reference {
                        true => parse_quote!(&#name),
                        false => name.clone(),
                    };
                    return;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether an expression is the same wherever it stands before something is assigned: methods of primitives only compute.
pub(super) fn is_pure(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(e) => is_pure(&e.expr),
        Expr::Group(e) => is_pure(&e.expr),
        Expr::Field(e) => is_pure(&e.base),
        Expr::Cast(e) => is_pure(&e.expr),
        Expr::Unary(e) => is_pure(&e.expr),
        Expr::Index(e) => is_pure(&e.expr) && is_pure(&e.index),
        Expr::Tuple(e) => e.elems.iter().all(is_pure),
        Expr::Binary(e) => !sites::is_compound(&e.op) && is_pure(&e.left) && is_pure(&e.right),
        Expr::MethodCall(e) => {
            let name = e.method.to_string();
            (name == "len" || Method::named(&name).is_some())
                && is_pure(&e.receiver)
                && e.args.iter().all(is_pure)
        }
        _ => false,
    }
}

fn conjuncts<'a>(e: &'a Expr, all: &mut Vec<&'a Expr>) {
    match e {
        Expr::Binary(of) if matches!(of.op, BinOp::And(_)) => {
            conjuncts(&of.left, all);
            conjuncts(&of.right, all);
        }
        e => all.push(e),
    }
}

/// What is in `Some(..)`.
pub(super) fn some_of(call: &syn::ExprCall) -> Option<&Expr> {
    match without_parens(&call.func) {
        Expr::Path(path) if path.path.segments.last()?.ident == "Some" => {
            call.args.first().filter(|_| call.args.len() == 1)
        }
        _ => None,
    }
}

pub(super) fn inside_some(pat: &Pat) -> Option<&Pat> {
    match pat {
        Pat::TupleStruct(of) if of.path.segments.last()?.ident == "Some" && of.elems.len() == 1 => {
            of.elems.first()
        }
        _ => None,
    }
}

pub(super) fn is_none(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(of) => of.ident == "None" && of.subpat.is_none(),
        Pat::Path(of) => of
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "None"),
        _ => false,
    }
}

/// A pattern that takes what is left.
pub(super) fn is_rest(pat: &Pat) -> bool {
    matches!(pat, Pat::Wild(_))
}

/// A pattern that takes what is left where there is something.
fn is_other(pat: &Pat) -> bool {
    is_rest(pat) || inside_some(pat).is_some_and(is_rest)
}

/// An expression as a block.
pub(super) fn as_block(e: &Expr) -> Block {
    match e {
        Expr::Block(of) if of.label.is_none() => of.block.clone(),
        Expr::Tuple(of) if of.elems.is_empty() => parse_quote!({}),
        e => parse_quote!({ #e; }),
    }
}

pub(super) fn tokens(of: &impl ToTokens) -> String {
    of.to_token_stream().to_string()
}
