//! Loops over all cells of a grid by one number, which a division makes a row and a column of: the loops over rows and columns.
//!
//! | written | stands for |
//! | --- | --- |
//! | `for i in 0..w * h { let (y, x) = (i / w, i % w); .. }` | `for y in 0..h { for x in 0..w { let i = y * w + x; .. } }` |
//!
//! The cells are the same in the same order where the product is one, which the call asks, and no iteration leaves the loop.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Expr, ExprForLoop, ItemFn, Pat, RangeLimits, Stmt, parse_quote};

use super::counted::is_kept;
use super::exits;
use super::idioms::same;
use super::later::{is_place, mentions};
use super::unmarked;
use crate::alias;
use crate::parsed::fields::Bound;
use crate::syntax::visit::Visit;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut found = 0;
    unmarked::loops(function, true, &mut |of| {
        let divided = divided(of, found)?;
        found += 1;
        Some(divided)
    });
    found > 0
}

/// The loops over rows and columns.
fn divided(of: &ExprForLoop, nth: usize) -> Option<Stmt> {
    let Pat::Ident(number) = &*of.pat else {
        return None;
    };
    let plain = number.by_ref.is_none() && number.mutability.is_none() && number.subpat.is_none();
    let Expr::Range(range) = without_parens(&of.expr) else {
        return None;
    };
    let zero = |e: &Expr| e.to_token_stream().to_string() == "0";
    let open = matches!(range.limits, RangeLimits::HalfOpen(_)) && zero(range.start.as_deref()?);
    let Expr::Binary(cells) = without_parens(range.end.as_deref()?) else {
        return None;
    };
    let product =
        matches!(cells.op, BinOp::Mul(_)) && is_place(&cells.left) && is_place(&cells.right);
    // A `break` would leave a row.
    let breaks = |stmt: &Stmt| {
        let mut ways = exits::ways(stmt).into_iter();
        ways.any(|(way, label)| way == exits::Way::Break && label.is_none())
    };
    if !plain
        || !open
        || !product
        || of.label.is_some()
        || of.body.stmts.iter().any(breaks)
        || !is_kept(&cells.left, &of.body)
        || !is_kept(&cells.right, &of.body)
    {
        return None;
    }
    let mut again = false;
    Bound(&mut |name| again |= number.ident == name).visit_block(&of.body);
    if again {
        return None;
    }
    let name = |what: &str| {
        let name = alias::stop(&format!("{what}_{nth}"));
        Ident::new(&name, number.ident.span())
    };
    let (row, column) = (name("row"), name("column"));
    let sides = [(&cells.left, &cells.right), (&cells.right, &cells.left)];
    sides.into_iter().find_map(|(high, wide)| {
        let mut parts = Parts {
            number: &number.ident,
            wide,
            row: &row,
            column: &column,
            found: [false; 2],
        };
        let mut body = of.body.clone();
        parts.visit_block_mut(&mut body);
        if parts.found != [true; 2] {
            return None;
        }
        let number = &number.ident;
        let used = mentions(number, body.to_token_stream()) > 0;
        let bound: Option<Stmt> = used.then(|| parse_quote!(let #number = #row * #wide + #column;));
        body.stmts.splice(0..0, bound);
        let mut written = of.clone();
        let why = "where the numbers of a call have more cells than can be numbered";
        written.attrs.push(parse_quote!(#[sequential = #why]));
        // A size may be a reference to one, and its product is none.
        Some(parse_quote! {
            if ::accrue::__rt::cpu::is_grid(#wide * 1, #high * 1) {
                for #row in 0..#high * 1 {
                    for #column in 0..#wide * 1 #body
                }
            } else {
                #written
            }
        })
    })
}

/// Puts a row and a column where the number is divided.
struct Parts<'a> {
    number: &'a Ident,
    wide: &'a Expr,
    row: &'a Ident,
    column: &'a Ident,
    found: [bool; 2],
}

impl VisitMut for Parts<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                if let Expr::Binary(of) = e
                    && matches!(without_parens(&of.left), Expr::Path(path) if path.path.is_ident(self.number))
                    && same(without_parens(&of.right), self.wide)
                {
                    let (nth, part) = match of.op {
                        BinOp::Div(_) => (0, self.row),
                        BinOp::Rem(_) => (1, self.column),
                        _ => return,
                    };
                    self.found[nth] = true;
                    *e = parse_quote!(#part);
                    return;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
