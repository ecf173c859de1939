//! The number of the place that pointers are set to, by conditions or by the index of a table.

use super::tree::{Table, Tree};
use crate::ctypes::INT;
use crate::source::Span;
use crate::translate::base::usage::{quiet, same};
use crate::typed::{BinaryOp, Expr, ExprKind, Program, UnaryOp, VarId, consts, walk};

/// Whether conditions lead to each case in one way only.
pub(super) fn once(program: &Program, number: &Expr, cases: usize) -> bool {
    let conditions = matches!(number.kind, ExprKind::Cond(..));
    let mut leaves = 0;
    walk::parts(program, number, &mut |e| {
        leaves += usize::from(matches!(e.kind, ExprKind::Cond(..)));
    });
    !conditions || leaves + 1 == cases
}

/// Whether two pointers are set by the same conditions.
pub(super) fn alike(program: &Program, a: &Tree, b: &Tree) -> bool {
    match (a, b) {
        (Tree::Place(_), Tree::Place(_)) => true,
        (Tree::Cond(c, yes, no), Tree::Cond(d, other_yes, other_no)) => {
            same(c, d)
                && quiet(program, c)
                && alike(program, yes, other_yes)
                && alike(program, no, other_no)
        }
        (Tree::Row(_, i), Tree::Row(_, j)) => same(core(program, i).0, core(program, j).0),
        _ => false,
    }
}

/// The number of the case that pointers are set to, all of them by the same conditions.
pub(super) fn number(
    program: &Program,
    tables: &[Table],
    trees: &[&Tree],
    cases: &mut Vec<Vec<Expr>>,
    at: Span,
) -> Option<Expr> {
    let mut case = |own: Vec<Expr>| {
        let known = cases
            .iter()
            .position(|c| c.iter().zip(&own).all(|(a, b)| same(a, b)));
        let index = known.unwrap_or_else(|| {
            cases.push(own);
            cases.len() - 1
        });
        Expr::int(index as i128, INT, at)
    };
    match trees[0] {
        Tree::Place(_) => {
            let own: Option<Vec<Expr>> = trees
                .iter()
                .map(|t| match t {
                    Tree::Place(e) => Some(e.clone()),
                    _ => None,
                })
                .collect();
            Some(case(own?))
        }
        Tree::Cond(cond, ..) => {
            let side = |second: bool| -> Option<Vec<&Tree>> {
                trees
                    .iter()
                    .map(|t| match t {
                        Tree::Cond(_, yes, no) => Some(if second { &**yes } else { &**no }),
                        _ => None,
                    })
                    .collect()
            };
            // What holds where the condition does not comes first, so that a condition is 1 where it holds.
            let no = number(program, tables, &side(false)?, cases, at)?;
            let yes = number(program, tables, &side(true)?, cases, at)?;
            Some(Expr {
                kind: ExprKind::Cond(Box::new(cond.clone()), Box::new(yes), Box::new(no)),
                ty: INT,
                span: at,
            })
        }
        Tree::Row(var, index) => {
            let length = tables.iter().find(|t| t.var == *var)?.places.len();
            let (core, _) = core(program, index);
            // Other choices of the same pointer would need numbers of their own.
            if !cases.is_empty() {
                return None;
            }
            for value in 0..length {
                let own: Option<Vec<Expr>> = trees
                    .iter()
                    .map(|t| match t {
                        Tree::Row(var, index) => row(program, tables, *var, index, value),
                        _ => None,
                    })
                    .collect();
                cases.push(own?);
            }
            Some(core.clone().converted(&INT))
        }
    }
}

/// The place of `table[index]` where the core of the index has a value.
pub(super) fn row(
    program: &Program,
    tables: &[Table],
    var: VarId,
    index: &Expr,
    value: usize,
) -> Option<Expr> {
    let table = tables.iter().find(|t| t.var == var)?;
    let at = core(program, index).1.of(value as i128);
    table.places.get(usize::try_from(at).ok()?).cloned()
}

/// How an index follows from its core: `1 - core`, `core ^ 1`, `!core`, or the core itself.
#[derive(Clone, Copy)]
pub(super) enum By {
    Itself,
    From(i128),
    Other,
    Not,
}

impl By {
    pub(super) fn of(self, core: i128) -> i128 {
        match self {
            By::Itself => core,
            By::From(n) => n - core,
            By::Other => core ^ 1,
            By::Not => i128::from(core == 0),
        }
    }
}

/// What an index depends on, and how.
pub(super) fn core<'e>(program: &Program, index: &'e Expr) -> (&'e Expr, By) {
    let index = index.stripped();
    let (inner, by) = match &index.kind {
        ExprKind::Binary(BinaryOp::Sub, n, inner) => match consts::int_value(n, program) {
            Some(n) => (inner, By::From(n)),
            None => return (index, By::Itself),
        },
        ExprKind::Binary(BinaryOp::BitXor, inner, one)
            if consts::int_value(one, program) == Some(1) =>
        {
            (inner, By::Other)
        }
        ExprKind::Unary(UnaryOp::Not, inner) => (inner, By::Not),
        _ => return (index, By::Itself),
    };
    (inner.stripped(), by)
}
