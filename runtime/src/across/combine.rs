//! Operators on numbers whose type is known at run time only: the loops' own, [`cpu::op`](crate::cpu::op), for each type that has them.

use std::sync::Mutex;

use accrue_ops::Op;

use super::many::many;
use crate::base::bin::Slot;
use crate::base::lock::lock;
use crate::base::values::{PIECE, Values};
use crate::cpu::op::{self, Operator};

/// What is done with an operator of a type of numbers. One function does either, since there is one for each pair of them.
#[derive(Clone, Copy)]
enum Action {
    Merge,
    Clear,
}

impl Action {
    /// Whether a result was too large.
    fn run<B: Slot, O: Operator<B>>(self, into: &mut [B], from: &[B]) -> bool {
        match self {
            Action::Merge => {
                let mut over = false;
                for (into, &from) in into.iter_mut().zip(from) {
                    let (result, o) = O::merge::<true>(*into, from);
                    *into = result;
                    over |= o;
                }
                over
            }
            Action::Clear => {
                into.fill(O::NEUTRAL);
                false
            }
        }
    }
}

/// The types that have an operator; `None` for the others.
macro_rules! of_types {
    ($action:expr, $into:expr, $from:expr, $op:ident: $($name:ident)*) => {
        match ($into, $from) {
            $((Values::$name(into), Values::$name(from)) => {
                Some($action.run::<_, op::$op>(into, from))
            })*
            _ => None,
        }
    };
}

fn act(action: Action, op: Op, into: Values<'_>, from: Values<'_>) -> Option<bool> {
    macro_rules! numbers {
        ($op:ident) => {
            of_types!(action, into, from, $op: U8 U16 U32 U64 U128 Usize I8 I16 I32 I64 I128 Isize F32 F64)
        };
    }
    macro_rules! bits {
        ($op:ident) => {
            of_types!(action, into, from, $op: Bool U8 U16 U32 U64 U128 Usize I8 I16 I32 I64 I128 Isize)
        };
    }
    match op {
        Op::Add => numbers!(Add),
        Op::Sub => numbers!(Sub),
        Op::Mul => numbers!(Mul),
        Op::Min => numbers!(Min),
        Op::Max => numbers!(Max),
        Op::And => bits!(And),
        Op::Or => bits!(Or),
        Op::Xor => bits!(Xor),
        Op::SaturatingAdd => {
            of_types!(action, into, from, SaturatingAdd: U8 U16 U32 U64 U128 Usize)
        }
    }
}

/// Combines numbers element by element: `into = into op from`. Integers wrap, and of floats `Min` and `Max` let NaN give way.
///
/// ```
/// use accrue::collective::{Op, Values, combine};
/// let mut least = [3, 1];
/// combine(Op::Min, Values::I32(&mut least), Values::I32(&mut [2, 5]));
/// assert_eq!(least, [2, 1]);
/// ```
///
/// # Panics
///
/// If types or lengths differ, or the type does not have the operator.
pub fn combine(op: Op, into: Values<'_>, from: Values<'_>) {
    merge(op, false, into, from);
}

/// The same, and whether a result was too large, where that is checked.
pub(super) fn merge(op: Op, checked: bool, into: Values<'_>, from: Values<'_>) -> bool {
    assert!(into.is_like(&from), "{into:?} and {from:?}");
    let name = into.type_name();
    let over = act(Action::Merge, op, into, from);
    over.unwrap_or_else(|| panic!("no `{}` of `{name}`", op.name())) && checked
}

/// Makes numbers what changes nothing.
pub(super) fn clear(op: Op, values: Values<'_>) {
    let pieces: Vec<_> = values.chunks(PIECE).into_iter().map(Mutex::new).collect();
    many(pieces.len(), &|n| {
        let mut piece = lock(&pieces[n]);
        let none = piece.none();
        act(Action::Clear, op, piece.reborrow(), none).expect("the type has the operator");
    });
}
