//! How long an iteration takes, roughly, and how long it takes to check its indices: the runtime decides by it whether workers
//! are worth waking and how the sequential loop is to be undone.
//!
//! Only an iteration without inner loops and without calls of unknown code has such a time; the others are timed
//! when they run. The numbers are throughputs of a current x86-64 core at 3 GHz; they need to be right within a factor of
//! three.

use crate::ir::visit::Visit;
use crate::ir::{BinaryOp, Block, Expr, ExprKind, Loop, Place, Root, Stmt, StmtKind, Type, Update};

/// The nanoseconds of an iteration apart from waiting for bins; `None` where they depend on what the iteration does.
pub(super) fn nanoseconds(of: &Loop) -> Option<f64> {
    let mut work = Work {
        tenths: 0,
        known: true,
    };
    work.block(&of.body.block);
    work.known.then(|| f64::from(work.tenths) / 10.0)
}

struct Work {
    /// Tenths of a nanosecond.
    tenths: u32,
    known: bool,
}

impl Visit for Work {
    fn expr(&mut self, expr: &Expr) {
        self.tenths += match &expr.kind {
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => 30,
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(_) => 1,
            ExprKind::If(..) | ExprKind::Match(..) => 5,
            ExprKind::Method(method, _) => method.spec().tenths,
            ExprKind::Loop(..) | ExprKind::Call(..) | ExprKind::Opaque(_) => {
                self.known = false;
                0
            }
            _ => 0,
        };
        self.expr_parts(expr);
    }

    fn load(&mut self, place: &Place) {
        if matches!(place.root, Root::Array(_)) {
            self.tenths += 2;
        }
        self.place_parts(place);
    }

    fn update(&mut self, update: &Update) {
        self.tenths += 4;
        self.update_parts(update);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if matches!(stmt.kind, StmtKind::For(_) | StmtKind::While(..)) {
            self.known = false;
        }
        self.stmt_parts(stmt);
    }
}

/// The nanoseconds of checking an iteration's indices, several iterations at a time: without the values of updates, whose
/// loads have to be in range but are not done.
pub(super) fn checking(of: &Loop) -> f64 {
    let mut checks = Checks {
        hundredths: 0,
        loads: 0,
    };
    checks.block(&of.body.block);
    f64::from(checks.hundredths) / 100.0
}

struct Checks {
    /// Hundredths of a nanosecond.
    hundredths: u32,
    /// How many loads from arrays there were.
    loads: u32,
}

impl Visit for Checks {
    fn expr(&mut self, expr: &Expr) {
        self.hundredths += match &expr.kind {
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => 300,
            ExprKind::Unary(..) | ExprKind::Binary(..) => 2,
            // From a float, one after the other, for what does not fit.
            ExprKind::Cast(from) if matches!(&from.ty, Type::Scalar(s) if s.is_float()) => 80,
            ExprKind::Cast(_) => 1,
            ExprKind::If(_, then, otherwise) => branch(then, otherwise.as_ref()),
            ExprKind::Match(..) => 50,
            ExprKind::Method(..) => 100,
            _ => 0,
        };
        self.expr_parts(expr);
    }

    fn load(&mut self, place: &Place) {
        let before = self.loads;
        self.place_parts(place);
        if matches!(place.root, Root::Array(_)) {
            self.hundredths += match self.loads > before {
                // From where another load says, which has to be checked, one after the other.
                true => 80,
                false => 8,
            };
            self.loads += 1;
        }
    }

    fn update(&mut self, update: &Update) {
        self.hundredths += 2;
        for index in &update.bin {
            self.index(index);
        }
    }
}

/// Hundredths of a nanosecond of a branch: few where both arms may as well be gone through, since they load nothing that may not be there
/// and take hardly longer than a jump.
fn branch(then: &Block, otherwise: Option<&Block>) -> u32 {
    let mut arms = Checks {
        hundredths: 0,
        loads: 0,
    };
    arms.block(then);
    otherwise.into_iter().for_each(|block| arms.block(block));
    match arms {
        Checks {
            hundredths: 0..=20,
            loads: 0,
        } => 4,
        _ => 50,
    }
}
