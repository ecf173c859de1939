//! What is known of the updates of each target before the loop runs: how many an iteration makes at most, and whether
//! they all add the same constant. Strategies choose by it how shared memory holds a bin.

use crate::ir::visit::Visit;
use crate::ir::{Block, Expr, ExprKind, Literal, Loop, Scalar, Stmt, StmtKind, Update};

/// The updates of one target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Updates {
    /// The most that an iteration makes; 0 if it is not known.
    pub(super) most: u32,
    /// The bits of the constant that all of them add, as wide as the bin.
    pub(super) constant: Option<u64>,
    /// Whether the loop has one place that updates the target, which an iteration comes to once at most.
    pub(super) single: bool,
    /// Whether one of them is in a loop within the iteration, so that its text may run several times.
    pub(super) looped: bool,
}

impl Updates {
    /// Those of every target of a loop.
    pub(super) fn of(lp: &Loop, targets: usize) -> Vec<Updates> {
        Updates::of_block(&lp.body.block, targets)
    }

    /// The same of any iteration.
    pub(super) fn of_block(block: &Block, targets: usize) -> Vec<Updates> {
        let mut count = Count {
            found: vec![Found::default(); targets],
            times: Some(1),
            loops: 0,
        };
        count.block(block);
        count
            .found
            .into_iter()
            .map(|found| Updates {
                most: found.most().unwrap_or(0),
                single: found.places == 1 && found.most() == Some(1),
                constant: match found.constant {
                    Constant::Same(bits, _) => Some(bits),
                    Constant::None | Constant::Others => None,
                },
                looped: found.looped,
            })
            .collect()
    }
}

/// What has been seen of a target.
#[derive(Clone, Copy, Default)]
struct Found {
    /// Places that update it.
    places: u32,
    /// Updates, as far as they are bounded.
    sum: u64,
    /// Whether some are not.
    unbounded: bool,
    /// Whether some are in loops.
    looped: bool,
    constant: Constant,
}

impl Found {
    fn most(&self) -> Option<u32> {
        u32::try_from(self.sum).ok().filter(|_| !self.unbounded)
    }
}

/// What the updates add.
#[derive(Clone, Copy, Default, PartialEq)]
enum Constant {
    /// No update has been seen.
    #[default]
    None,
    /// All add this, or all subtract it.
    Same(u64, bool),
    /// Something else.
    Others,
}

struct Count {
    found: Vec<Found>,
    /// How often the current place runs in an iteration at most; `None` if it is not known.
    times: Option<u64>,
    /// Loops around it.
    loops: u32,
}

impl Count {
    /// Visits what runs `times` as often.
    fn repeated(&mut self, times: Option<u64>, visit: impl FnOnce(&mut Count)) {
        let around = self.times;
        self.times = around.zip(times).and_then(|(a, b)| a.checked_mul(b));
        self.loops += 1;
        visit(self);
        self.loops -= 1;
        self.times = around;
    }
}

impl Visit for Count {
    fn update(&mut self, update: &Update) {
        let found = &mut self.found[update.target];
        found.places += 1;
        match self.times {
            Some(times) => found.sum = found.sum.saturating_add(times),
            None => found.unbounded = true,
        }
        found.looped |= self.loops > 0;
        found.constant = match (constant(&update.value), found.constant) {
            (Some(bits), Constant::None) => Constant::Same(bits, update.subtracts),
            (Some(bits), same) if same == Constant::Same(bits, update.subtracts) => same,
            _ => Constant::Others,
        };
        self.update_parts(update);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For(inner) => {
                self.expr(&inner.count);
                let times = match inner.count.kind {
                    ExprKind::Literal(Literal::Int(n)) => u64::try_from(n).ok(),
                    _ => None,
                };
                self.repeated(times, |count| count.block(&inner.body));
            }
            StmtKind::While(..) => self.repeated(None, |count| count.stmt_parts(stmt)),
            _ => self.stmt_parts(stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr.kind {
            ExprKind::Loop(..) => self.repeated(None, |count| count.expr_parts(expr)),
            _ => self.expr_parts(expr),
        }
    }
}

/// The bits of a literal that a bin can be counted by.
fn constant(value: &Expr) -> Option<u64> {
    let ExprKind::Literal(literal) = &value.kind else {
        return None;
    };
    match (literal, value.ty.as_scalar()?) {
        (Literal::Float(x), Scalar::F32) => Some(u64::from((*x as f32).to_bits())),
        (Literal::Float(x), Scalar::F64) => Some(x.to_bits()),
        (Literal::Int(n), scalar) if !scalar.is_float() => Some(*n as u64),
        (Literal::Bool(_) | Literal::Int(_) | Literal::Float(_), _) => None,
    }
}
