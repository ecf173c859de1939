//! Checks: conditions without which an iteration fails, and what its panic tells of them.
//!
//! A condition is one predicate, however many comparisons it has. Which of them does not hold is asked out of line, in std's order.

use accrue_ptx::abi::FaultKind;

use super::emitter::{Emitter, Result};
use super::value::Num;
use crate::ir::{BinaryOp, Expr, SourceId, Words};

/// A comparison without which an iteration fails, and how it does.
type Asked = (BinaryOp, Num, Num, FaultKind);

impl<'a> Emitter<'a> {
    /// Fails the iteration unless a condition holds.
    pub(super) fn check(&mut self, holds: &'a Expr, words: &Words, source: SourceId) -> Result<()> {
        let Some(cond) = self.condition(holds)? else {
            return Ok(());
        };
        let text = match words {
            Words::Text(text) => text.clone(),
            Words::Index | Words::Range => String::new(),
        };
        let mut asked = self.asked(holds, words)?;
        let Some((_, a, b, kind)) = asked.pop() else {
            self.fault_if(cond, false, FaultKind::Panic, text, source, None);
            return Ok(());
        };
        let fault = self.f().label("outside");
        self.f().branch_if(cond, false, fault);
        self.f().open_out_of_line();
        self.f().place(fault);
        for (op, a, b, kind) in asked {
            let holds = self.compare(op, a, b);
            let holds = self.reg(holds);
            self.fault_if(holds, false, kind, text.clone(), source, Some((a, b)));
        }
        self.report(kind, text, source, Some((a, b)));
        self.f().close_out_of_line();
        Ok(())
    }

    /// What a condition asks whose words have numbers. The first that does not hold is told.
    fn asked(&mut self, holds: &'a Expr, words: &Words) -> Result<Vec<Asked>> {
        let parts = holds.conjuncts();
        let compared: Vec<_> = parts.into_iter().filter_map(Expr::compared).collect();
        let mut asked = Vec::new();
        match (words, &compared[..]) {
            (Words::Range, &[(op, end, len), (_, start, _)]) => {
                let (start, len) = (self.expr(start)?.num(), self.expr(len)?.num());
                let end = self.expr(end)?.num();
                asked.push((BinaryOp::Le, start, len, FaultKind::RangeStart));
                asked.push((op, end, len, FaultKind::RangeEnd));
                // One more than a last element in range fits.
                let end = match op {
                    BinaryOp::Lt => self.arithmetic(BinaryOp::Add, end, Num::int(end.ty, 1), None),
                    _ => end,
                };
                asked.push((BinaryOp::Le, start, end, FaultKind::RangeOrder));
            }
            (Words::Text(_), _) => {}
            (Words::Index | Words::Range, _) => {
                for &(op, index, len) in &compared {
                    let (index, len) = (self.expr(index)?.num(), self.expr(len)?.num());
                    asked.push((op, index, len, FaultKind::ReadIndex));
                }
            }
        }
        Ok(asked)
    }
}
