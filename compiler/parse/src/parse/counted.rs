//! `while` loops that count, as the `for` loops that they are.
//!
//! ```text
//! let mut i = 0;                          for i in i..n { out[i] = x[i]; }
//! while i < n { out[i] = x[i]; i += 1; }  if i < n { i = n; }
//! ```
//!
//! The count is an integer that nothing else in the body changes, its last statement adds one, nothing goes on or ends early, and the end is a number that
//! the body leaves as it is: a literal, a name, a field or a length.

use std::collections::HashSet;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Block, Expr, ExprWhile, ItemFn, Lit, Local, Stmt, parse_quote};

use super::idioms::same;
use super::known::READING_METHODS;
use super::names::{self, Called, identifiers, whole};
use crate::parsed::fields::Bound;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut counts = Counts::default();
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
struct Counts(HashSet<String>);

impl<'a> Visit<'a> for Counts {
    fn visit_local(&mut self, local: &'a Local) {
        let value = local.init.as_ref().map(|init| without_parens(&init.expr));
        if let (Some(name), Some(Expr::Lit(value))) = (whole(&local.pat), value)
            && matches!(value.lit, Lit::Int(_))
        {
            self.0.insert(name.to_string());
        }
        visit::visit_local(self, local);
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}
}

struct Loops {
    counts: HashSet<String>,
    found: bool,
}

impl VisitMut for Loops {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let mut at = 0;
        while at < block.stmts.len() {
            if let Stmt::Expr(Expr::While(of), _) = &block.stmts[at]
                && let Some(counted) = self.counted(of)
            {
                block.stmts.splice(at..=at, counted);
                self.found = true;
                at += 1;
            }
            at += 1;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Loops {
    /// The loop that counts, and what the count is behind it.
    fn counted(&self, of: &ExprWhile) -> Option<[Stmt; 2]> {
        let Expr::Binary(cond) = without_parens(&of.cond) else {
            return None;
        };
        let (Expr::Path(count), BinOp::Lt(_)) = (without_parens(&cond.left), &cond.op) else {
            return None;
        };
        let (count, end) = (count.path.get_ident()?, without_parens(&cond.right));
        let (last, body) = of.body.stmts.split_last()?;
        let plain = of.label.is_none() && of.attrs.is_empty();
        if !plain || !self.counts.contains(&count.to_string()) || !adds_one(last, count) {
            return None;
        }
        let body: Block = parse_quote!({ #(#body)* });
        let mut leaves = Leaves {
            loops: 0,
            found: false,
        };
        leaves.visit_block(&body);
        if leaves.found
            || !is_kept(&Expr::Path(parse_quote!(#count)), &body)
            || !is_kept(end, &body)
        {
            return None;
        }
        Some([
            parse_quote!(for #count in #count..#end #body),
            parse_quote! {
                #[allow(unused_assignments)]
                {
                    if #count < #end {
                        #count = #end;
                    }
                }
            },
        ])
    }
}

/// `i += 1;`
fn adds_one(stmt: &Stmt, count: &Ident) -> bool {
    let Stmt::Expr(Expr::Binary(add), _) = stmt else {
        return false;
    };
    let one: Expr = parse_quote!(1);
    let own: Expr = parse_quote!(#count);
    matches!(add.op, BinOp::AddAssign(_)) && same(&add.left, &own) && same(&add.right, &one)
}

/// Whether a number stays what it is while a body runs.
fn is_kept(number: &Expr, body: &Block) -> bool {
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
        Called::Method(receiver, method) => {
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
struct Leaves {
    loops: usize,
    found: bool,
}

impl<'a> Visit<'a> for Leaves {
    fn visit_expr(&mut self, e: &'a Expr) {
        match e {
            Expr::Closure(_) | Expr::Async(_) => return,
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                self.loops += 1;
                visit::visit_expr(self, e);
                self.loops -= 1;
                return;
            }
            Expr::Break(of) => self.found |= self.loops == 0 || of.label.is_some(),
            Expr::Continue(of) => self.found |= self.loops == 0 || of.label.is_some(),
            Expr::Return(_) | Expr::Try(_) => self.found = true,
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}
}
