//! `switch` as `match`.

use super::state::{Emit, Emitted};
use crate::typed::{Arm, Expr, ExprKind, Stmt, StmtKind};

impl Emit<'_> {
    /// A `switch`. An arm that falls through carries the statements of the arms after it.
    pub(super) fn switch(&mut self, value: &Expr, arms: &[Arm]) -> Emitted<String> {
        let head = self.value(value)?;
        let has_default = arms.iter().any(|a| a.default);
        let (text, frame) = self.framed(|emit| {
            let mut out = String::new();
            // `default` goes last, as `_`; where it falls through, so do its statements.
            let order = (0..arms.len())
                .filter(|at| !arms[*at].default)
                .chain((0..arms.len()).filter(|at| arms[*at].default));
            for at in order {
                let mut stmts: Vec<Stmt> = Vec::new();
                for next in &arms[at..] {
                    stmts.extend(next.body.iter().cloned());
                    if next.body.iter().any(|s| emit.leaves(s)) {
                        break;
                    }
                }
                // The `break` that ends the arm is what `match` does by itself.
                if matches!(
                    stmts.last(),
                    Some(Stmt {
                        kind: StmtKind::Break,
                        ..
                    })
                ) {
                    stmts.pop();
                }
                if let Some(Stmt {
                    kind: StmtKind::Block(b),
                    ..
                }) = stmts.last_mut()
                    && matches!(
                        b.stmts.last(),
                        Some(Stmt {
                            kind: StmtKind::Break,
                            ..
                        })
                    )
                {
                    b.stmts.pop();
                }
                let body = emit.stmts(&stmts)?;
                let pattern = if arms[at].default {
                    "_".to_string()
                } else {
                    emit.pattern(&arms[at])?
                };
                out.push_str(&format!("{pattern} => {{\n{body}}}\n"));
            }
            if !has_default {
                out.push_str("_ => {}\n");
            }
            Ok(out)
        })?;
        let matched = format!("match {} {{\n{text}}}\n", head.text);
        Ok(match frame {
            Some(frame) if frame.used_break => format!("'{}: {{\n{matched}}}\n", frame.label),
            _ => matched,
        })
    }

    /// Whether an arm's statement leaves the `switch` for sure.
    fn leaves(&self, stmt: &Stmt) -> bool {
        self.diverges(stmt)
    }

    fn pattern(&mut self, arm: &Arm) -> Emitted<String> {
        let mut out = Vec::new();
        for (low, high, written) in &arm.cases {
            let named = match written {
                Some(e)
                    if matches!(e.bare().kind, ExprKind::EnumConst(..))
                        || self.named_constant(e.bare()) =>
                {
                    Some(self.value(e.bare())?.text)
                }
                _ => None,
            };
            out.push(match named {
                Some(name) if !name.contains(' ') => name,
                _ if low == high => low.to_string(),
                _ => format!("{low}..={high}"),
            });
        }
        Ok(out.join(" | "))
    }
}
