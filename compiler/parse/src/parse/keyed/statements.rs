//! Statements of a map: what each does to a part of its values.

use quote::ToTokens;
use syn::{BinOp, Block, Expr, ExprClosure, Local, Pat, Stmt, UnOp, parse_quote};

use super::places::parts;
use super::roles::part_of;
use super::{At, Finder, Name, Statement, Step, When, same, touch};
use crate::ir::{Op, Overflow, UpdateOp};
use crate::parse::grow::appends;
use crate::parse::{names, sites};
use crate::parsed::keyed::Does;
use crate::source::text_of;
use crate::syntax::{only_computes, without_parens};

impl<'a> Finder<'a> {
    /// What an expression does as a statement, if it is one of a map; `dropped`: where its value is not used.
    pub(super) fn statement(&mut self, e: &'a Expr, dropped: bool) -> Option<Statement<'a>> {
        match without_parens(e) {
            Expr::Binary(e) if sites::is_compound(&e.op) => {
                let at = self.at(&e.left)?;
                let symbol = text_of(&e.op.to_token_stream());
                let op = Op::of_symbol(symbol.strip_suffix('=')?)?;
                Some(touch(at, combines(op, Overflow::Profile), Some(&e.right)))
            }
            Expr::Assign(e) => {
                let at = self.at(&e.left)?;
                if let Some((does, item)) = self.combined(&e.right, &at) {
                    return Some(touch(at, does, Some(item)));
                }
                // Flags that are only ever set one way.
                let flag = match without_parens(&e.right) {
                    Expr::Lit(lit) => match &lit.lit {
                        syn::Lit::Bool(lit) => Some(if lit.value { Op::Or } else { Op::And }),
                        _ => None,
                    },
                    _ => None,
                };
                let does = match flag {
                    Some(op) => combines(op, Overflow::Profile),
                    None => Does::Replaces,
                };
                Some(touch(at, does, Some(&e.right)))
            }
            Expr::If(of) => self.compared(of).or_else(|| self.looked_up(of)),
            Expr::Match(of) => self.matched(of),
            Expr::MethodCall(call) => self.called(e, call, dropped),
            _ => None,
        }
    }

    /// `if v > *e { *e = v; }`, `if v.0 > e.0 { *e = v; }`.
    fn compared(&mut self, of: &'a syn::ExprIf) -> Option<Statement<'a>> {
        let (Expr::Binary(cond), None) = (without_parens(&of.cond), &of.else_branch) else {
            return None;
        };
        let (mut less, last) = match cond.op {
            BinOp::Lt(_) => (true, false),
            BinOp::Le(_) => (true, true),
            BinOp::Gt(_) => (false, false),
            BinOp::Ge(_) => (false, true),
            _ => return None,
        };
        let [Stmt::Expr(Expr::Assign(taken), _)] = of.then_branch.stmts.as_slice() else {
            return None;
        };
        let at = self.at(&taken.left)?;
        let (other, item) = match self.below(&cond.right, &at) {
            Some(key) => (key, &*cond.left),
            None => {
                less = !less;
                (self.below(&cond.left, &at)?, &*cond.right)
            }
        };
        if !only_computes(item) {
            return None;
        }
        let (varies, last) = (false, last);
        let does = match other {
            None if same(item, &taken.right) => Does::Compares { less, last, varies },
            Some(key) if same(item, part_of(&taken.right, &key)?) => Does::Keeps {
                key,
                less,
                last,
                varies,
            },
            _ => return None,
        };
        let mut statement = touch(at, does, Some(&taken.right));
        statement.operands.push(item);
        Some(statement)
    }

    /// A method that is called as a statement.
    fn called(
        &mut self,
        e: &'a Expr,
        call: &'a syn::ExprMethodCall,
        dropped: bool,
    ) -> Option<Statement<'a>> {
        let method = call.method.to_string();
        if appends(&method) {
            let at = self.at(&call.receiver)?;
            let operands = at.operands.iter().copied().chain(&call.args).collect();
            let item = call.args.first().filter(|_| method == "push");
            return Some(Statement {
                operands,
                touches: vec![(at, Some((Does::Appends, item)))],
                when: None,
            });
        }
        if !dropped {
            return None;
        }
        if let Some(statement) = self.put_again(call) {
            return Some(statement);
        }
        if method == "insert" {
            let mut at = self.table(&call.receiver)?;
            at.path.push(Step::Entry);
            // Whatever was there, and whether this is come to or not.
            at.name = None;
            let operands = at.operands.iter().copied().chain(&call.args).collect();
            let touched = match call.args.len() {
                1 => None,
                2 => Some((Does::Replaces, None)),
                _ => return None,
            };
            return Some(Statement {
                operands,
                touches: vec![(at, touched)],
                when: None,
            });
        }
        if let Expr::MethodCall(modify) = without_parens(&call.receiver)
            && modify.method == "and_modify"
        {
            return self.modified(call, modify);
        }
        let at = self.at(e)?;
        Some(Statement {
            operands: at.operands.clone(),
            touches: vec![(at, None)],
            when: None,
        })
    }

    /// `m.entry(k).and_modify(|n| *n += v).or_insert(v)`.
    fn modified(
        &mut self,
        call: &'a syn::ExprMethodCall,
        modify: &'a syn::ExprMethodCall,
    ) -> Option<Statement<'a>> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let (begin, made): (Expr, Option<&Expr>) =
            match (call.method.to_string().as_str(), args.as_slice()) {
                ("or_default", []) => (parse_quote!(::core::default::Default::default()), None),
                ("or_insert", [value]) => ((*value).clone(), Some(value)),
                ("or_insert_with", [made]) => match without_parens(made) {
                    Expr::Path(made) => (parse_quote!(#made()), None),
                    Expr::Closure(ExprClosure { inputs, body, .. }) if inputs.is_empty() => {
                        ((**body).clone(), Some(args[0]))
                    }
                    _ => return None,
                },
                _ => return None,
            };
        let Expr::MethodCall(entry) = without_parens(&modify.receiver) else {
            return None;
        };
        let mut at = self.entry(entry)?;
        at.operands.extend(made);
        at.begins.push((at.path.len(), begin));
        let [Expr::Closure(closure)] = modify.args.iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        let [pat] = closure.inputs.iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        let operands = at.operands.clone();
        self.within(at, operands, pat, |s| s.all(&closure.body))
    }

    /// `if let Some(n) = m.get_mut(&k) { *n += v; } else { m.insert(k, v); }`, `if !m.contains_key(&k) { m.insert(k, v); }`.
    fn looked_up(&mut self, of: &'a syn::ExprIf) -> Option<Statement<'a>> {
        match (without_parens(&of.cond), &of.else_branch) {
            (Expr::Let(cond), Some((_, other))) => {
                let Expr::Block(other) = &**other else {
                    return None;
                };
                let (name, put) = (some(&cond.pat)?, only(&other.block)?);
                self.or_put(&cond.expr, name, put, |s| s.of_block(&of.then_branch))
            }
            (Expr::Unary(not), None) if matches!(not.op, UnOp::Not(_)) => {
                let Expr::MethodCall(asks) = without_parens(&not.expr) else {
                    return None;
                };
                let (at, operands) = self.put(asks, "contains_key", only(&of.then_branch)?)?;
                Some(Statement {
                    operands,
                    touches: vec![(at, None)],
                    when: Some(When::Else),
                })
            }
            _ => None,
        }
    }

    /// The same as a `match`.
    fn matched(&mut self, of: &'a syn::ExprMatch) -> Option<Statement<'a>> {
        let [first, second] = of.arms.as_slice() else {
            return None;
        };
        if let Expr::MethodCall(entry) = without_parens(&of.expr)
            && entry.method == "entry"
        {
            return self.of_entry(entry, first, second);
        }
        let (there, other) = match some(&first.pat) {
            Some(_) => (first, second),
            None => (second, first),
        };
        let is_none = matches!(&other.pat, Pat::Ident(none) if none.ident == "None")
            || matches!(&other.pat, Pat::Path(none) if none.path.is_ident("None"))
            || matches!(&other.pat, Pat::Wild(_));
        let put = match &*other.body {
            Expr::Block(block) if block.label.is_none() && is_none => only(&block.block)?,
            _ => return None,
        };
        self.or_put(&of.expr, some(&there.pat)?, put, |s| s.all(&there.body))
    }

    /// `match m.entry(k) { Entry::Occupied(mut e) => *e.get_mut() += v, Entry::Vacant(e) => { e.insert(v); } }`.
    fn of_entry(
        &mut self,
        entry: &'a syn::ExprMethodCall,
        first: &'a syn::Arm,
        second: &'a syn::Arm,
    ) -> Option<Statement<'a>> {
        let (there, vacant) = match variant(&first.pat, "Occupied") {
            Some(_) => (first, second),
            None => (second, first),
        };
        let name = variant(&there.pat, "Occupied")?;
        let free = names::whole(variant(&vacant.pat, "Vacant")?)?;
        let Expr::Block(block) = &*vacant.body else {
            return None;
        };
        let put = only(&block.block)?;
        let is_it = put.method == "insert"
            && put.args.len() == 1
            && matches!(&*put.receiver, Expr::Path(path) if path.path.is_ident(free));
        if !is_it {
            return None;
        }
        let mut at = self.entry(entry)?;
        at.name = None;
        at.begins.push((at.path.len(), put.args[0].clone()));
        let operands = at.operands.iter().copied().chain(&put.args).collect();
        self.within(at, operands, name, |s| s.all(&there.body))
    }

    fn or_put(
        &mut self,
        gets: &'a Expr,
        name: &'a Pat,
        put: &'a syn::ExprMethodCall,
        inside: impl FnOnce(&mut Self) -> Option<Vec<Statement<'a>>>,
    ) -> Option<Statement<'a>> {
        let Expr::MethodCall(get) = without_parens(gets) else {
            return None;
        };
        let (at, operands) = self.put(get, "get_mut", put)?;
        self.within(at, operands, name, inside)
    }

    /// The entry that a method looks for by a key, and that is inserted by the same key, beginning with what is inserted.
    fn put(
        &mut self,
        get: &'a syn::ExprMethodCall,
        method: &str,
        put: &'a syn::ExprMethodCall,
    ) -> Option<(At<'a>, Vec<&'a Expr>)> {
        let is_it = get.method == method
            && get.args.len() == 1
            && put.method == "insert"
            && put.args.len() == 2
            && same(&get.receiver, &put.receiver)
            && same(bare(&get.args[0]), bare(&put.args[0]));
        if !is_it {
            return None;
        }
        let mut at = self.table(&get.receiver)?;
        at.name = None;
        at.path.push(Step::Entry);
        at.begins.push((at.path.len(), put.args[1].clone()));
        let operands = at.operands.iter().copied();
        let operands = operands.chain([&get.args[0], &put.args[0], &put.args[1]]);
        let operands = operands.collect();
        Some((at, operands))
    }

    /// What is done to an entry that was there, by a name.
    fn within(
        &mut self,
        at: At<'a>,
        operands: Vec<&'a Expr>,
        pat: &'a Pat,
        inside: impl FnOnce(&mut Self) -> Option<Vec<Statement<'a>>>,
    ) -> Option<Statement<'a>> {
        let first = self.names.len();
        self.name_parts(&at, pat)?;
        let inside = inside(self);
        let names = first..self.names.len();
        self.names.truncate(first);
        let mut statement = Statement {
            operands,
            touches: vec![(at, None)],
            when: Some(When::Else),
        };
        for mut done in inside? {
            let other = |(at, _): &(At<'a>, _)| !at.name.is_some_and(|name| names.contains(&name));
            if done.touches.iter().any(other) {
                return None;
            }
            done.touches.iter_mut().for_each(|(at, _)| at.name = None);
            statement.operands.extend(done.operands);
            statement.touches.extend(done.touches);
        }
        Some(statement)
    }

    /// The statements that an expression is, if all are of a map.
    fn all(&mut self, e: &'a Expr) -> Option<Vec<Statement<'a>>> {
        match without_parens(e) {
            Expr::Block(block) if block.label.is_none() => self.of_block(&block.block),
            e => Some(vec![self.statement(e, false)?]),
        }
    }

    fn of_block(&mut self, block: &'a Block) -> Option<Vec<Statement<'a>>> {
        let mut statements = Vec::new();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Expr(e, semi) => statements.push(self.statement(e, semi.is_some())?),
                Stmt::Local(local) => self.renamed(local)?,
                _ => return None,
            }
        }
        Some(statements)
    }

    /// Gives the parts of an entry that is there the names of a pattern.
    fn name_parts(&mut self, at: &At<'a>, pat: &'a Pat) -> Option<()> {
        for (text, step) in parts(pat)? {
            self.names.push(Name {
                text,
                map: at.map,
                path: at.path.iter().copied().chain(step).collect(),
                begin: None,
                block: usize::MAX,
                straight: true,
            });
        }
        Some(())
    }

    /// `let n = e.get_mut();` of an entry that is there.
    fn renamed(&mut self, local: &'a Local) -> Option<()> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        if !matches!(without_parens(&init.expr), Expr::MethodCall(_)) {
            return None;
        }
        let at = self.at(&init.expr).filter(|at| at.begins.is_empty())?;
        self.name_parts(&at, &local.pat)
    }

    /// What an assignment combines into its own left side, `*e = (*e).max(v)`.
    fn combined(&mut self, right: &'a Expr, at: &At<'a>) -> Option<(Does, &'a Expr)> {
        match without_parens(right) {
            Expr::MethodCall(call) if call.args.len() == 1 => {
                let (op, wraps) = Op::of_method(&call.method.to_string())?;
                let overflow = match wraps {
                    true => Overflow::Wraps,
                    false => Overflow::Profile,
                };
                let other = &call.args[0];
                if self.is_at(&call.receiver, at) {
                    Some((combines(op, overflow), other))
                } else if matches!(op, Op::Max | Op::Min) && self.is_at(other, at) {
                    Some((combines(op, overflow), &*call.receiver))
                } else {
                    None
                }
            }
            Expr::Call(call) if call.args.len() == 2 => {
                let Expr::Path(path) = &*call.func else {
                    return None;
                };
                let names = names::of_path(&path.path);
                let (of, name) = match names.as_slice() {
                    [.., of, name] => (of.as_str(), name.as_str()),
                    _ => return None,
                };
                if of != "cmp" && crate::ir::Scalar::from_name(of).is_none() {
                    return None;
                }
                let op = match name {
                    "max" => Op::Max,
                    "min" => Op::Min,
                    _ => return None,
                };
                let (a, b) = (&call.args[0], &call.args[1]);
                if self.is_at(a, at) {
                    Some((combines(op, Overflow::Profile), b))
                } else if self.is_at(b, at) {
                    Some((combines(op, Overflow::Profile), a))
                } else {
                    None
                }
            }
            Expr::Binary(of) => {
                let op = Op::of_symbol(&text_of(&of.op.to_token_stream()))?;
                self.is_at(&of.left, at)
                    .then(|| (combines(op, Overflow::Profile), &*of.right))
            }
            _ => None,
        }
    }
}

/// What stands in `Some(..)`.
fn some(pat: &Pat) -> Option<&Pat> {
    match pat {
        Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.len() == 1 => {
            some.elems.first()
        }
        _ => None,
    }
}

/// What stands in a variant of an entry of a map.
fn variant<'a>(pat: &'a Pat, name: &str) -> Option<&'a Pat> {
    match pat {
        Pat::TupleStruct(of) if of.path.segments.last().is_some_and(|s| s.ident == name) => {
            of.elems.first()
        }
        _ => None,
    }
}

/// The call that a block is, whose value is dropped.
fn only(block: &Block) -> Option<&syn::ExprMethodCall> {
    match block.stmts.as_slice() {
        [Stmt::Expr(Expr::MethodCall(call), Some(_))] => Some(call),
        _ => None,
    }
}

/// What is combined by an operator: of subtractions, sums of what was subtracted.
pub(super) fn combines(op: Op, overflow: Overflow) -> Does {
    let op = match op {
        Op::Sub => Op::Add,
        op => op,
    };
    Does::Combines(UpdateOp {
        op,
        overflow,
        two_signs: false,
    })
}

/// A key or a value without what makes a value of it, or a reference to one.
pub(super) fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(e) => bare(&e.expr),
        Expr::Group(e) => bare(&e.expr),
        Expr::Reference(e) => bare(&e.expr),
        Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => bare(&e.expr),
        Expr::MethodCall(e)
            if e.args.is_empty()
                && ["clone", "to_owned", "to_string", "as_str"]
                    .contains(&e.method.to_string().as_str()) =>
        {
            bare(&e.receiver)
        }
        e => e,
    }
}
