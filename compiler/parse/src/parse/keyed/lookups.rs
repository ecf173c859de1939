//! What is looked up by a key, changed and inserted by the same one: `let n = *m.get(&k).unwrap_or(&0); m.insert(k, n + 1);`.

use std::ptr::from_ref;

use syn::{Block, Expr, ExprMethodCall, Local, Stmt, parse_quote};

use super::statements::{bare, combines};
use super::{At, Finder, Name, Statement, Step, same};
use crate::ir::{Op, Overflow};
use crate::parse::{names, sites};
use crate::parsed::keyed::Does;
use crate::source::text_of;
use crate::syntax::without_parens;
use quote::ToTokens;

/// What a map has for a key, or something else where it has nothing.
struct Lookup<'a> {
    map: &'a Expr,
    key: &'a Expr,
    begin: Expr,
}

impl<'a> Finder<'a> {
    /// `m.insert(k, m.get(&k).copied().unwrap_or(0) + v);`
    pub(super) fn put_again(&mut self, call: &'a ExprMethodCall) -> Option<Statement<'a>> {
        let (key, value) = inserted(call)?;
        let (does, found, item) = updated(value, &|e| lookup(e))?;
        let at = self.looked_up_at(call, key, &found)?;
        let operands = at.operands.iter().copied().chain([found.key, key, item]);
        Some(Statement {
            operands: operands.collect(),
            touches: vec![(at, Some((does, None)))],
            when: None,
        })
    }

    /// The same in two statements; false where these are others.
    pub(super) fn put_behind(&mut self, block: &'a Block, local: &'a Local, next: usize) -> bool {
        let maps = self.maps.len();
        let pair = self.pair(block, local, next);
        let pair = pair.filter(|(looks, (_, puts), _)| looks.only_takes() && puts.only_takes());
        let Some((looks, puts, name)) = pair else {
            self.maps.truncate(maps);
            return false;
        };
        let (address, puts) = puts;
        let at = puts.touches[0].0.clone();
        self.take(from_ref(local).cast(), looks);
        self.take(address, puts);
        // Whoever looks at it behind them is told.
        self.names.push(Name {
            text: name,
            map: at.map,
            path: at.path,
            begin: None,
            block: usize::MAX,
            straight: false,
        });
        true
    }

    /// The two statements, and the name of what is looked up.
    #[allow(clippy::type_complexity, reason = "it is taken apart at once")]
    fn pair(
        &mut self,
        block: &'a Block,
        local: &'a Local,
        next: usize,
    ) -> Option<(Statement<'a>, (*const (), Statement<'a>), String)> {
        let name = names::whole(&local.pat)?;
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let Some(Stmt::Expr(put @ Expr::MethodCall(call), Some(_))) = block.stmts.get(next) else {
            return None;
        };
        let (key, value) = inserted(call)?;
        let is_name = |e: &'a Expr| match bare(e) {
            Expr::Path(path) if path.path.is_ident(name) => Some(()),
            _ => None,
        };
        // It is changed where it is looked up, or where it is inserted.
        let (does, found, item, late) = match lookup(&init.expr) {
            Some(found) => {
                let (does, (), item) = updated(value, &is_name)?;
                (does, found, item, true)
            }
            None => {
                is_name(value)?;
                let (does, found, item) = updated(&init.expr, &|e| lookup(e))?;
                (does, found, item, false)
            }
        };
        let at = self.looked_up_at(call, key, &found)?;
        let (early, late) = match late {
            false => (Some(item), None),
            true => (None, Some(item)),
        };
        let mut first = at.clone();
        let operands = std::mem::take(&mut first.operands).into_iter();
        let looks = Statement {
            operands: operands.chain([found.key]).chain(early).collect(),
            touches: vec![(first, None)],
            when: None,
        };
        let puts = Statement {
            operands: [key].into_iter().chain(late).collect(),
            touches: vec![(at, Some((does, None)))],
            when: None,
        };
        Some((looks, (from_ref(put).cast(), puts), name.to_string()))
    }

    /// The entry that is looked up and inserted, where these are one.
    fn looked_up_at(
        &mut self,
        call: &'a ExprMethodCall,
        key: &'a Expr,
        found: &Lookup<'a>,
    ) -> Option<At<'a>> {
        let is_it = same(&call.receiver, found.map) && same(bare(key), bare(found.key));
        if !is_it {
            return None;
        }
        let mut at = self.table(&call.receiver)?;
        at.name = None;
        at.path.push(Step::Entry);
        at.begins.push((at.path.len(), found.begin.clone()));
        Some(at)
    }
}

/// `.insert(k, v)`.
fn inserted(call: &ExprMethodCall) -> Option<(&Expr, &Expr)> {
    (call.method == "insert" && call.args.len() == 2).then(|| (&call.args[0], &call.args[1]))
}

/// What an operator makes of a value that is `found`: what it does, that value, and the other operand.
fn updated<'a, F>(
    e: &'a Expr,
    found: &dyn Fn(&'a Expr) -> Option<F>,
) -> Option<(Does, F, &'a Expr)> {
    match without_parens(e) {
        Expr::Binary(of) if !sites::is_compound(&of.op) => {
            let op = Op::of_symbol(&text_of(&of.op.to_token_stream()))?;
            if let Some(value) = found(&of.left) {
                return Some((combines(op, Overflow::Profile), value, &of.right));
            }
            let value = found(&of.right).filter(|_| op != Op::Sub)?;
            Some((combines(op, Overflow::Profile), value, &of.left))
        }
        Expr::MethodCall(call) if call.args.len() == 1 => {
            let (op, wraps) = Op::of_method(&call.method.to_string())?;
            let overflow = match wraps {
                true => Overflow::Wraps,
                false => Overflow::Profile,
            };
            Some((
                combines(op, overflow),
                found(&call.receiver)?,
                &call.args[0],
            ))
        }
        _ => None,
    }
}

/// `*m.get(&k).unwrap_or(&0)`, `m.get(&k).copied().unwrap_or(0)`, `m.get(&k).copied().unwrap_or_default()`.
fn lookup(e: &Expr) -> Option<Lookup<'_>> {
    let Expr::MethodCall(or) = bare(e) else {
        return None;
    };
    let begin: Expr = match (or.method.to_string().as_str(), or.args.first()) {
        ("unwrap_or", Some(value)) => {
            let value = bare(value);
            parse_quote!(#value)
        }
        ("unwrap_or_default", None) => parse_quote!(::core::default::Default::default()),
        _ => return None,
    };
    let Expr::MethodCall(get) = without_parens(&or.receiver) else {
        return None;
    };
    let mut get = get;
    if ["copied", "cloned"].contains(&get.method.to_string().as_str()) {
        let Expr::MethodCall(inner) = without_parens(&get.receiver) else {
            return None;
        };
        get = inner;
    }
    (get.method == "get" && get.args.len() == 1).then(|| Lookup {
        map: &get.receiver,
        key: &get.args[0],
        begin,
    })
}
