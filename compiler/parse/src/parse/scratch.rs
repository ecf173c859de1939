//! Collections that every iteration begins by clearing: one of the iteration's own.
//!
//! | written | stands for |
//! | --- | --- |
//! | `let mut buf = Vec::new(); for x in data { buf.clear(); .. }` | `for x in data { let mut buf = Vec::new(); .. }` |
//! | `let mut buf = Vec::with_capacity(x.len()); ..` | `let room = x.len(); .. { let mut buf = Vec::with_capacity(room); .. }` |
//! | `let mut row = [0; 8]; for x in data { row.fill(0); .. }` | `for x in data { let mut row = [0; 8]; row.fill(0); .. }` |
//!
//! Nothing outside the loop mentions it but where it is declared, and nothing in an iteration before it is cleared, by a statement of the loop's body: so whatever an
//! iteration does to it, no other sees. What it is made of is the same wherever it is made.

use quote::ToTokens;
use syn::{Expr, ExprForLoop, Ident, ItemFn, Local, Pat, Stmt, parse_quote};

use super::marks;
use super::names::{identifiers, whole};
use crate::alias;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut declared = Declared(Vec::new());
    declared.visit_block(&function.block);
    let mut found = false;
    for (name, local) in declared.0 {
        let how = match made(&local) {
            Some(how) => how,
            None => continue,
        };
        let (local, room) = with_room(&name, local);
        let mut moved = function.clone();
        let mut loops = Loops {
            name: &name,
            local: &local,
            how,
            inside: 0,
            moved: 0,
        };
        loops.visit_block_mut(&mut moved.block);
        let (inside, any) = (loops.inside, loops.moved > 0);
        // All mentions are its declaration's and those of the loops.
        if any && mentions(&name, &function.block) == inside + 1 {
            Undeclare(&name, room).visit_block_mut(&mut moved.block);
            *function = moved;
            found = true;
        }
    }
    found
}

/// The variables of a function that have a value and may change.
struct Declared(Vec<(Ident, Local)>);

impl<'a> Visit<'a> for Declared {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Local(local) => {
                let mutable =
                    |pat: &Pat| matches!(pat, Pat::Ident(pat) if pat.mutability.is_some());
                let changes = match &local.pat {
                    Pat::Type(typed) => mutable(&typed.pat),
                    pat => mutable(pat),
                };
                if let Some(name) = whole(&local.pat)
                    && changes
                {
                    self.0.push((name.clone(), local.clone()));
                }
                visit::visit_local(self, local);
            }
            visit::Node::ExprClosure(_) => {}
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The method by which a collection becomes what it was made as.
fn made(local: &Local) -> Option<&'static str> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let fixed = |e: &Expr| matches!(without_parens(e), Expr::Lit(_));
    match without_parens(&init.expr) {
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else {
                return None;
            };
            let last = path.path.segments.last()?.ident.to_string();
            let empty = last == "new" && call.args.is_empty()
                || last == "with_capacity" && call.args.len() == 1;
            let of = path.path.segments.iter().rev().nth(1)?.ident.to_string();
            let known = [
                "Vec",
                "String",
                "VecDeque",
                "HashMap",
                "HashSet",
                "BTreeMap",
                "BTreeSet",
                "BinaryHeap",
            ];
            (empty && known.contains(&of.as_str())).then_some("clear")
        }
        Expr::Macro(of) if of.mac.path.is_ident("vec") && of.mac.tokens.is_empty() => Some("clear"),
        Expr::Repeat(of) => fixed(&of.expr).then_some("fill"),
        Expr::Array(of) => of.elems.iter().all(fixed).then_some("fill"),
        _ => None,
    }
}

/// What a collection has room for, computed where it is declared, and the declaration by the name of that.
fn with_room(name: &Ident, mut local: Local) -> (Local, Option<Stmt>) {
    let mut room = None;
    if let Some(init) = &mut local.init
        && let Expr::Call(call) = &mut *init.expr
        && let Some(of) = call.args.first_mut()
    {
        let named = alias::stop(&format!("room_{name}"));
        let named = Ident::new(&named, name.span());
        room = Some(parse_quote!(let #named: usize = #of;));
        *of = parse_quote!(#named);
    }
    (local, room)
}

fn mentions(name: &Ident, tokens: &impl ToTokens) -> usize {
    let mut names = Vec::new();
    identifiers(tokens.to_token_stream(), &mut names);
    names.iter().filter(|other| *other == name).count()
}

/// Moves a declaration into the loops that clear what is declared.
struct Loops<'a> {
    name: &'a Ident,
    local: &'a Local,
    how: &'static str,
    /// How often loops that clear it mention it.
    inside: usize,
    moved: usize,
}

impl VisitMut for Loops<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                if let Expr::ForLoop(of) = e
                    && !marks::may_be_marked(&of.attrs)
                    && let Some(inside) = self.moved_into(of)
                {
                    self.inside += inside;
                    self.moved += 1;
                    return;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Loops<'_> {
    fn moved_into(&self, of: &mut ExprForLoop) -> Option<usize> {
        let inside = mentions(self.name, &of.body);
        let mut stmts = of.body.stmts.iter();
        let first = stmts.position(|stmt| mentions(self.name, stmt) > 0)?;
        let Stmt::Expr(Expr::MethodCall(call), _) = &of.body.stmts[first] else {
            return None;
        };
        let own = matches!(without_parens(&call.receiver), Expr::Path(path) if path.path.is_ident(self.name));
        if !own || call.method != self.how || mentions(self.name, &of.body.stmts[first]) != 1 {
            return None;
        }
        let local = Stmt::Local(self.local.clone());
        match self.how {
            "clear" => of.body.stmts[first] = local,
            _ => of.body.stmts.insert(first, local),
        }
        Some(inside)
    }
}

/// Takes the declaration away from before the loops, but for what is computed there.
struct Undeclare<'a>(&'a Ident, Option<Stmt>);

impl VisitMut for Undeclare<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                let declares = |stmt: &Stmt| matches!(stmt, Stmt::Local(local) if whole(&local.pat) == Some(self.0));
                if let Some(at) = block.stmts.iter().position(declares) {
                    block.stmts.splice(at..=at, self.1.take());
                }
                for stmt in &mut block.stmts {
                    self.visit_stmt_mut(stmt);
                }
            }
            visit_mut::Node::Expr(e) => {
                // There it is now.
                if !matches!(e, Expr::ForLoop(of) if of.body.stmts.iter().any(|stmt| matches!(stmt, Stmt::Local(local) if whole(&local.pat) == Some(self.0))))
                {
                    visit_mut::visit_expr_mut(self, e);
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
