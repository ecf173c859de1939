//! How the copies of many bins lie in memory: in blocks.
//!
//! ```text
//! bins 0 .. B of copy 0 | bins 0 .. B of copy 1 | .. | bins B .. 2B of copy 0 | bins B .. 2B of copy 1 | ..
//! ```
//!
//! Skewed keys have few busy bins, and what their copies take is decided by where these come to lie: copies of many bins, one behind
//! the other, are pages apart, and the busy bins of two of them may meet in one slice of the L2 cache. In one block they are
//! neighbours, which the cache spreads. A bin's place is the start of a copy that its own number moves on, so that the user's index
//! stays what it is: `(copies + start)[k]`.
//!
//! 1,092,546 bins in 7 copies took 6.1 to 6.4 ms with skewed keys in blocks of 16,384 bins and 6.5 to 6.7 one behind the other, in six
//! starts on two H200s (2026-11-22; `docs/measurements/openacc.md`). With blocks of 32,768 and 65,536 bins it was 6.8 and 6.9. Fewer bins
//! are better off without: 65,536 in 104 copies took 3.6 ms in such blocks and 2.7 one behind the other.

use crate::lex;
use crate::typed::walk;
use crate::typed::{Expr, ExprKind, Program};
use accrue_ops::{Neutral, Op};

/// Up to how many bins copies are one behind the other.
const FEW: u64 = 131_072;

/// Bits of a bin within its block.
const SHIFT: u32 = 14;

/// Whether bins are so few, by their extents, that copies are one behind the other.
pub(super) fn are_few(first: u64, inner: &[u64]) -> bool {
    let all = inner.iter().try_fold(first, |all, n| all.checked_mul(*n));
    all.is_some_and(|all| all <= FEW)
}

/// Whether copies for an operator are neutral at first, whichever bin an element is of.
pub(super) fn suits(operator: Op) -> bool {
    match operator.row().unsigned {
        Some(Neutral::Zero | Neutral::MinusZero | Neutral::One | Neutral::Ones) => true,
        Some(Neutral::Largest | Neutral::Smallest | Neutral::Nan) | None => false,
    }
}

/// The indices behind the first mention of the bins in an update, as written, if they may be evaluated once more.
pub(super) fn indices(
    program: &Program,
    place: &Expr,
    text: &str,
    name: &str,
) -> Option<Vec<String>> {
    let mut pure = true;
    walk::parts(program, place, &mut |e| {
        pure &= !matches!(
            e.kind,
            ExprKind::Step { .. }
                | ExprKind::Assign(..)
                | ExprKind::Compound { .. }
                | ExprKind::Call { .. }
                | ExprKind::CallPointer(..)
        );
    });
    if !pure {
        return None;
    }
    let tokens = lex::tokens(text);
    let at = tokens.iter().position(|t| t.is(name))?;
    let mut found = Vec::new();
    let mut open = Vec::new();
    for token in &tokens[at + 1..] {
        match token.text {
            "[" => open.push(token.end()),
            "]" => {
                let start = open.pop()?;
                if open.is_empty() {
                    found.push(text[start..token.at].trim().to_owned());
                }
            }
            _ if open.is_empty() => break,
            _ => {}
        }
    }
    Some(found)
}

/// The number of a bin, counted over all dimensions, of which `inner` are those but the first.
pub(super) fn flat(indices: &[String], inner: &[u64]) -> Option<String> {
    let (first, rest) = indices.split_first()?;
    if rest.len() != inner.len() {
        return None;
    }
    let start = format!("(size_t)({first})");
    let one = |flat: String, (index, extent): (&String, &u64)| {
        format!("({flat} * {extent} + (size_t)({index}))")
    };
    Some(rest.iter().zip(inner).fold(start, one))
}

/// The macros of the layout, by their names: how many bins a copy has room for, and where that of a bin starts.
pub(super) fn macros(room: &str, start: &str) -> String {
    let last = (1 << SHIFT) - 1;
    format!(
        "/* Copies of many bins are in blocks: room for the bins of a copy, and the start of the copy for a bin. */\n\
         #define {room}(bins) ((bins) > {FEW} ? ((bins) + {last}) >> {SHIFT} << {SHIFT} : (bins))\n\
         #define {start}(local, bin, bins, num_locals) \\\n  \
         ((bins) > {FEW} ? ((bin) / {block} * ((num_locals) - 1) + (local)) * {block} : (local) * (bins))\n",
        block = last + 1,
    )
}

#[cfg(test)]
mod tests {
    use super::flat;

    #[test]
    fn the_last_dimension_counts_one() {
        let indices = |all: &[&str]| all.iter().map(|i| (*i).to_owned()).collect::<Vec<_>>();
        assert_eq!(flat(&indices(&["k"]), &[]).unwrap(), "(size_t)(k)");
        assert_eq!(
            flat(&indices(&["z", "y", "x"]), &[5, 7]).unwrap(),
            "(((size_t)(z) * 5 + (size_t)(y)) * 7 + (size_t)(x))"
        );
        assert_eq!(flat(&indices(&["k"]), &[7]), None);
        assert_eq!(flat(&[], &[]), None);
    }
}
