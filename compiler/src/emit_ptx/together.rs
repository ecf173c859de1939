//! Updates made together: the rows of a vector whose bins are all computed before one of them is checked.
//!
//! ```text
//! bins of the items …; if any of them is out of range, or an item failed otherwise: the items one by one
//! updates of the items …
//! ```
//!
//! A branch for each bin keeps the assembler from mixing the items' instructions, which wait for each other within an item, and
//! has an instruction on either side that sees to it that the threads meet again. Items whose updates are made together have one
//! branch. Nothing has been updated when it is taken, so that the items can run again one by one, which tells whose fault it was.

use std::ops::Range;

use accrue_ptx::strategy::Bin;
use accrue_ptx::value;
use accrue_ptx::writer::{Label, Operand, Reg};

use super::emitter::{Emitter, Number, Result};
use crate::ir::visit::Visit;
use crate::ir::{Block, Expr, ExprKind, Stmt, StmtKind, Update};

/// Items whose bodies are being printed, and whose updates will be made together.
pub(super) struct Together {
    /// Where the items run one by one.
    otherwise: Label,
    /// Whether there is a way there.
    taken: bool,
    /// Whether a bin is out of range.
    outside: Option<Reg>,
    /// Targets, bins and values.
    updates: Vec<(usize, Bin, Operand)>,
}

impl Together {
    /// Of items that fail no other way than by going there.
    pub(super) fn leading_to(otherwise: Label) -> Together {
        Together {
            otherwise,
            taken: false,
            outside: None,
            updates: Vec::new(),
        }
    }

    /// Where an item that fails leads to.
    pub(super) fn otherwise(&mut self) -> Label {
        self.taken = true;
        self.otherwise
    }

    /// Lets an update wait.
    pub(super) fn defer(&mut self, target: usize, bin: Bin, value: Operand) {
        self.updates.push((target, bin, value));
    }
}

impl Emitter<'_> {
    /// Prints items of a vector with their updates together. `item` says which iteration one is, and whether it is commented.
    pub(super) fn together(
        &mut self,
        offsets: Range<u32>,
        words: &[Vec<Reg>],
        item: impl Fn(&mut Self, u32) -> (Number, bool),
    ) -> Result<()> {
        let otherwise = self.f().label("one_by_one");
        self.together = Some(Together::leading_to(otherwise));
        for offset in offsets.clone() {
            let (number, commented) = item(self, offset);
            self.item(number, Some(words.to_vec()), commented)?;
        }
        let Some(together) = self.together.take() else {
            return Ok(());
        };
        if let Some(outside) = together.outside {
            self.f().branch_if(outside, true, otherwise);
        }
        for (target, bin, value) in together.updates {
            self.kernel.update(target, bin, value);
        }
        // No item can fail.
        if !together.taken && together.outside.is_none() {
            return Ok(());
        }
        let done = self.f().label("updated");
        self.f().place(done);
        self.f().open_out_of_line();
        self.f().place(otherwise);
        for offset in offsets {
            let (number, _) = item(self, offset);
            self.item(number, Some(words.to_vec()), false)?;
        }
        self.f().branch(done, true);
        self.f().close_out_of_line();
        Ok(())
    }

    /// Notes that a bin may be out of range, if it is checked together with others.
    pub(super) fn check_together(&mut self, index: Reg, length: Reg) -> bool {
        let Some(so_far) = self.together.as_ref().map(|t| t.outside) else {
            return false;
        };
        let f = self.f();
        let outside = match so_far {
            None => value!(f, "outside", "setp.ge.u32", index, length),
            Some(or) => value!(f, "outside", "setp.ge.or.u32", index, length, or),
        };
        if let Some(together) = &mut self.together {
            together.outside = Some(outside);
        }
        true
    }
}

/// Whether every iteration that does not fail comes to all updates of a body, once, so that they can be made at its end.
pub(super) fn always_updates(block: &Block) -> bool {
    let mut ways = Ways::default();
    ways.block(block);
    let of_all = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Update(_));
    !ways.leaves && ways.updates == block.stmts.iter().filter(of_all).count()
}

/// Counts updates, and looks for ways round them.
#[derive(Default)]
struct Ways {
    updates: usize,
    leaves: bool,
}

impl Visit for Ways {
    fn update(&mut self, update: &Update) {
        self.updates += 1;
        self.update_parts(update);
    }

    fn expr(&mut self, e: &Expr) {
        self.leaves |= matches!(
            e.kind,
            ExprKind::Continue(_) | ExprKind::Break(..) | ExprKind::Return(_)
        );
        self.expr_parts(e);
    }
}
